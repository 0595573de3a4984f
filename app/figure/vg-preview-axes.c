/* SPDX-License-Identifier: MIT */
#include "app/figure/vg-preview-axes.h"
#include "app/figure/vg-ticks.h"
#include <math.h>
#include <string.h>

enum {
  TICK = 4,
  GAP = 3,
  STEP_X = 60,
  STEP_Y = 30,
  ADVANCE = VG_CANVAS_GLYPH_W + 1,
  MOST_TICKS = 200
};

static const guint8 ground[3] = { 30, 30, 30 }, ink[3] = { 230, 230, 230 };

/* A position of the map's pixels along an axis is LOW + PER_PIXEL times the pixel. */
typedef struct
{
  double low, per_pixel, step;
  int size, first, last; /* ticks at so many steps */
} Axis;

static gboolean
set_axis (Axis *self, const VgPlane *plane, int axis, double per_sample, int size, int apart)
{
  double start = plane->mirrored && axis == 0 ? -plane->width : 0, high;

  self->size = size;
  self->low = vg_plane_position (plane, axis, start);
  high = vg_plane_position (plane, axis, start + size / per_sample);
  self->per_pixel = (high - self->low) / size;
  if (!(self->per_pixel > 0) || !isfinite (high) || size < 2)
    return FALSE;
  self->step = vg_ticks_round_up (self->per_pixel * apart);
  self->first = (int) ceil (self->low / self->step - 1e-6);
  self->last = (int) floor (high / self->step + 1e-6);
  return self->last - self->first < MOST_TICKS;
}

static int
pixel_of (const Axis *self, int tick)
{
  return CLAMP ((int) floor ((tick * self->step - self->low) / self->per_pixel + 0.5), 0,
                self->size - 1);
}

static void
label_of (const Axis *self, int tick, char text[G_ASCII_DTOSTR_BUF_SIZE])
{
  g_ascii_formatd (text, G_ASCII_DTOSTR_BUF_SIZE, "%.6g", tick * self->step);
}

/* "r (cm)"; the dot font has no Greek. */
static char *
title_of (const VgOutput *output, const VgPlane *plane, int axis)
{
  const char *unit = g_str_equal (plane->unit, "\302\265m") ? "um" : plane->unit;

  return *unit != '\0' ? g_strdup_printf ("%s (%s)", output->hints.axes[axis], unit)
                       : g_strdup (output->hints.axes[axis]);
}

static int
widest_label (const Axis *self)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  int widest = 0;

  for (int tick = self->first; tick <= self->last; tick++)
    {
      label_of (self, tick, text);
      widest = MAX (widest, (int) strlen (text) * ADVANCE);
    }
  return widest;
}

static void
draw_bottom (VgCanvas *canvas, const Axis *axis, const char *title, int left, int y)
{
  int right = left + axis->size, title_x = right - (int) strlen (title) * ADVANCE;

  for (int x = 0; x < axis->size; x++)
    vg_canvas_put_pixel (canvas, left + x, y, ink);
  for (int tick = axis->first; tick <= axis->last; tick++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      int x = left + pixel_of (axis, tick), width;

      label_of (axis, tick, text);
      width = (int) strlen (text) * ADVANCE;
      for (int i = 0; i < TICK; i++)
        vg_canvas_put_pixel (canvas, x, y + i, ink);
      if (x + width / 2 < title_x - 2 * ADVANCE)
        vg_canvas_put_text (canvas, MAX (x - width / 2, 0), y + TICK + GAP, text);
    }
  vg_canvas_put_text (canvas, title_x, y + TICK + GAP, title);
}

static void
draw_left (VgCanvas *canvas, const Axis *axis, const char *title, int x, int top)
{
  for (int y = 0; y < axis->size; y++)
    vg_canvas_put_pixel (canvas, x - 1, top + y, ink);
  for (int tick = axis->first; tick <= axis->last; tick++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];
      int y = top + pixel_of (axis, tick);

      label_of (axis, tick, text);
      for (int i = 1; i <= TICK; i++)
        vg_canvas_put_pixel (canvas, x - i, y, ink);
      vg_canvas_put_text (canvas, x - TICK - GAP - (int) strlen (text) * ADVANCE,
                          y - VG_CANVAS_GLYPH_H / 2, text);
    }
  vg_canvas_put_text (canvas, MAX (x - TICK - (int) strlen (title) * ADVANCE, 0), 0, title);
}

gboolean
vg_preview_frame (VgCanvas *canvas, const VgOutput *output, const VgPlane *plane,
                  const double per_sample[2], int width, int height, guint8 **framed)
{
  g_autofree char *bottom_title = NULL, *left_title = NULL;
  VgCanvas larger;
  Axis axes[2];
  int left, top = VG_CANVAS_GLYPH_H + 2 * GAP;

  if (output->hints.axes[0] == NULL || output->hints.axes[1] == NULL ||
      !set_axis (&axes[0], plane, 0, per_sample[0], width, STEP_X) ||
      !set_axis (&axes[1], plane, 1, per_sample[1], height, STEP_Y))
    return TRUE;
  bottom_title = title_of (output, plane, 0);
  left_title = title_of (output, plane, 1);
  left = MAX (widest_label (&axes[1]), (int) strlen (left_title) * ADVANCE) + TICK + 2 * GAP;
  larger.width = left + canvas->width;
  larger.height = top + MAX (canvas->height + VG_CANVAS_GLYPH_H / 2,
                             height + TICK + 2 * GAP + VG_CANVAS_GLYPH_H);
  *framed = larger.rgba = g_try_malloc ((gsize) larger.width * larger.height * 4);
  if (larger.rgba == NULL)
    return FALSE;
  for (int y = 0; y < larger.height; y++)
    for (int x = 0; x < larger.width; x++)
      vg_canvas_put_pixel (&larger, x, y, ground);
  for (int y = 0; y < canvas->height; y++)
    memcpy (larger.rgba + ((gsize) (top + y) * larger.width + left) * 4,
            canvas->rgba + (gsize) y * canvas->width * 4, (gsize) canvas->width * 4);
  draw_bottom (&larger, &axes[0], bottom_title, left, top + height);
  draw_left (&larger, &axes[1], left_title, left, top);
  *canvas = larger;
  return TRUE;
}

static double
line_at (const VgOverlay *overlay, guint i, const VgPlane *plane, double per_sample, int height)
{
  const VgOverlayItem *item = i < overlay->items->len
                                  ? &g_array_index (overlay->items, VgOverlayItem, i)
                                  : NULL;

  return item != NULL && item->kind == VG_OVERLAY_LINE
             ? vg_plane_image_point (plane, 1, item->y[0]) * per_sample
             : height;
}

void
vg_preview_put_names (VgCanvas *canvas, const VgOverlay *overlay, const VgPlane *plane,
                      double per_sample, int height)
{
  int x = 0, before = -height;

  for (guint i = 0; i < overlay->items->len && plane->pixel_size[1] != 0; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);
      gsize digits = item->kind == VG_OVERLAY_LINE && item->label != NULL
                         ? strspn (item->label, "0123456789")
                         : 0;
      g_autofree char *text = g_strndup (item->label, digits);
      double at = line_at (overlay, i, plane, per_sample, height),
             end = MIN (line_at (overlay, i + 1, plane, per_sample, height), height);
      int y;

      if (digits == 0 || !(at < height) || !(end > 0))
        continue;
      y = (int) CLAMP ((MAX (at, 0) + end - VG_CANVAS_GLYPH_H) / 2, 1,
                       MAX (height - VG_CANVAS_GLYPH_H - 1, 1));
      x = y - before < VG_CANVAS_GLYPH_H + 3 ? x : 0;
      if (x > canvas->width / 4) /* of very many layers not all have room */
        continue;
      before = y;
      for (int j = -1; j <= VG_CANVAS_GLYPH_H; j++)
        for (int k = -1; k < (int) digits * ADVANCE; k++)
          vg_canvas_put_pixel (canvas, x + 3 + k, y + j, ground);
      vg_canvas_put_text (canvas, x + 3, y, text);
      x += (int) digits * ADVANCE + 4;
    }
}
