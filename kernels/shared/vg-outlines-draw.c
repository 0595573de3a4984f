/* SPDX-License-Identifier: MIT */
/* The same arithmetic as resources/shaders/outlines.frag. */
#include "kernels/shared/vg-outlines-draw.h"
#include <glib/gi18n.h>
#include <math.h>

#define GOLDEN 0.61803398875 /* steps of it fill a circle evenly */
#define SEAM 0.45            /* how dark the seam is */
#define SPAN_RADII 0.28      /* radii of an object in its tile's side: a band is about it */
#define SMALLEST_DOT 1.0     /* radii of a dot, pixels */
#define LARGEST_DOT 1.5
#define DOT_OPACITY 0.8
#define PERIOD_WIDTHS 8.0 /* line widths in a period of dashes, at least PERIOD_PX */
#define PERIOD_PX 16.0

enum { BAND = 64 }; /* rows that one thread draws at a time */

/* By M. Okabe and K. Ito's set for colour-blind eyes, made lighter for stained tissue. */
static const VgOutlineInk inks[VG_OUTLINE_LOOKS] = {
  [VG_OUTLINE_CORRECT] = { N_ ("Correct"), { 0, 200, 140 }, 0xff },
  [VG_OUTLINE_FALSE] = { N_ ("False"), { 240, 228, 66 }, 0x55 },
  [VG_OUTLINE_MISSED] = { N_ ("Missed"), { 235, 80, 0 }, 0x77 },
  [VG_OUTLINE_MERGED] = { N_ ("Merged"), { 30, 110, 255 }, 0x3f },
  [VG_OUTLINE_SPLIT] = { N_ ("Split"), { 255, 170, 220 }, 0x0f },
  [VG_OUTLINE_TRUE] = { N_ ("Truth"), { 255, 255, 255 }, 0xff },
  [VG_OUTLINE_NEGATIVE] = { N_ ("Negative"), { 70, 150, 255 }, 0xff },
  [VG_OUTLINE_WEAK] = { "1+", { 255, 240, 130 }, 0xff },
  [VG_OUTLINE_MODERATE] = { "2+", { 255, 150, 20 }, 0xff },
  [VG_OUTLINE_STRONG] = { "3+", { 215, 25, 30 }, 0xff },
};

/* A hue, whitened where it looks dark (blue) and in three grades. */
void
vg_outlines_color (guint32 id, gboolean converged, guint8 rgb[3])
{
  double hue = fmod (id * GOLDEN, 1.0) * 6.0, whiten = 0.1 + (id % 3) * 0.15;

  if (!converged)
    whiten = 0.65;
  for (int k = 0; k < 3; k++)
    {
      /* 0 at the channel's own hue */
      double away = fabs (fmod (hue + 6.0 - 2.0 * k + 3.0, 6.0) - 3.0);
      double pure = CLAMP (2.0 - away, 0.0, 1.0);

      if (k == 1)
        pure = MAX (pure, 0.38);
      rgb[k] = (guint8) lround (255.0 * (pure + whiten * (1.0 - pure)));
    }
}

const VgOutlineInk *
vg_outlines_ink (VgOutlineLook look)
{
  g_return_val_if_fail (look > VG_OUTLINE_NUMBERED && look < VG_OUTLINE_LOOKS, &inks[1]);
  return &inks[look];
}

VgOutlineInk
vg_outlines_item_ink (const VgOutline *item, gboolean plain)
{
  VgOutlineInk ink = inks[VG_OUTLINE_TRUE];

  if (item->look > VG_OUTLINE_NUMBERED && item->look < VG_OUTLINE_LOOKS)
    return inks[item->look];
  if (!plain)
    vg_outlines_color (item->id, item->converged, ink.rgb);
  return ink;
}

double
vg_outlines_periods (double span, double width)
{
  /* around a circle */
  return MAX (floor (G_PI * 2.0 * SPAN_RADII * span / MAX (PERIOD_WIDTHS * width, PERIOD_PX) + 0.5),
              1.0);
}

double
vg_outlines_plain_width (double width)
{
  return MAX (0.6 * width, 1.0);
}

double
vg_outlines_strength (double span, double *width)
{
  double share = CLAMP (SPAN_RADII * span / 2.0, 0.5, 1.0); /* radius / 2 pixels */

  /* by their area, so that the image below stays visible */
  *width = MAX (share, 0.5);
  return share * share;
}

double
vg_outlines_dot (double span)
{
  double radius = SPAN_RADII * span;

  return radius < LARGEST_DOT ? MAX (radius, SMALLEST_DOT) : 0.0;
}

void
vg_outlines_cover (double distance, double width, double *line, double *seam)
{
  *line = CLAMP (0.5 * width + 0.5 - distance, 0.0, 1.0);
  *seam = SEAM * CLAMP (0.5 * width + 1.5 - distance, 0.0, 1.0);
}

/* Distance in pixels from the zero level at a point of the tile; its slope
 * there tells how far a step of the value is. */
static double
distance_at (const VgOutline *item, const float *values, double x, double y,
             const VgOutlineStyle *style)
{
  double at_x = CLAMP (x - 0.5, 0.0, item->width - 1),
         at_y = CLAMP (y - 0.5, 0.0, item->height - 1);
  int i = MIN ((int) at_x, MAX (item->width - 2, 0)),
      j = MIN ((int) at_y, MAX (item->height - 2, 0));
  double u = at_x - i, v = at_y - j;
  const float *p = values + item->offset + (gsize) j * item->stride + (gsize) i;
  const float *below = item->height > 1 ? p + item->stride : p;
  int right = item->width > 1;
  double a = p[0], b = p[right], c = below[0], d = below[right];
  double value = (a + u * (b - a)) * (1.0 - v) + (c + u * (d - c)) * v;
  double slope_x = ((b - a) * (1.0 - v) + (d - c) * v) / style->zoom_x,
         slope_y = ((c - a) * (1.0 - u) + (d - b) * u) / style->zoom_y;

  return fabs (value) / MAX (hypot (slope_x, slope_y), 1e-9);
}

/* Whether the line is drawn in the direction of X, Y from the tile's middle. */
static gboolean
is_drawn (double x, double y, double periods, guint8 dashes)
{
  double turn = (atan2 (y, x) / (2.0 * G_PI) + 0.5) * periods;

  return dashes >> ((int) ((turn - floor (turn)) * 8.0) & 7) & 1;
}

/* Draws an object as a dot of RADIUS pixels, in the rows from TOP to BOTTOM. */
static void
draw_dot (const VgOutline *item, const guint8 rgb[3], double radius, double opacity,
          const VgOutlineStyle *style, guint8 *rgba, int width, int top, int bottom, gsize stride)
{
  double x = (item->x + 0.5 * item->width - style->left) * style->zoom_x,
         y = (item->y + 0.5 * item->height - style->top) * style->zoom_y;
  int x0 = (int) CLAMP (floor (x - radius - 0.5), 0, width),
      x1 = (int) CLAMP (ceil (x + radius + 0.5), 0, width),
      y0 = (int) CLAMP (floor (y - radius - 0.5), top, bottom),
      y1 = (int) CLAMP (ceil (y + radius + 0.5), top, bottom);

  for (int py = y0; py < y1; py++)
    for (int px = x0; px < x1; px++)
      {
        double cover = opacity *
                       CLAMP (radius + 0.5 - hypot (px + 0.5 - x, py + 0.5 - y), 0.0, 1.0);
        guint8 *at = rgba + (gsize) py * stride + 4 * (gsize) px;

        for (int k = 0; k < 3; k++)
          at[k] = (guint8) lround (cover * rgb[k] + (1.0 - cover) * at[k]);
      }
}

/* In the rows from TOP to BOTTOM. */
static void
draw_item (const VgOutline *item, const float *values, gboolean plain, const VgOutlineStyle *style,
           guint8 *rgba, int width, int top, int bottom, gsize stride)
{
  gboolean selected = item->id == style->selected;
  double span = sqrt (item->width * style->zoom_x * item->height * style->zoom_y), thinner,
         strength = vg_outlines_strength (span, &thinner);
  const VgOutlineInk ink = vg_outlines_item_ink (item, plain);
  double width_px = plain && ink.dashes == 0xff ? vg_outlines_plain_width (style->width)
                                                : style->width;
  double thick = selected ? 2.0 * width_px + 1.0 : thinner * width_px;
  int x0 = (int) CLAMP (floor ((item->x - style->left) * style->zoom_x), 0, width);
  int x1 = (int) CLAMP (ceil ((item->x + item->width - style->left) * style->zoom_x), 0, width);
  int y0 = (int) CLAMP (floor ((item->y - style->top) * style->zoom_y), top, bottom);
  int y1 = (int) CLAMP (ceil ((item->y + item->height - style->top) * style->zoom_y), top, bottom);
  double periods = vg_outlines_periods (span, width_px), dot = vg_outlines_dot (span);

  if (selected)
    strength = 1.0;
  if (dot > 0.0)
    {
      draw_dot (item, ink.rgb, selected ? dot + 1.0 : dot, selected ? 1.0 : DOT_OPACITY, style,
                rgba, width, top, bottom, stride);
      return;
    }
  for (int py = y0; py < y1; py++)
    for (int px = x0; px < x1; px++)
      {
        double x = style->left + (px + 0.5) / style->zoom_x - item->x,
               y = style->top + (py + 0.5) / style->zoom_y - item->y;
        guint8 *at = rgba + (gsize) py * stride + 4 * (gsize) px;
        double line, seam;

        if (x < 0.0 || y < 0.0 || x >= item->width || y >= item->height ||
            (ink.dashes != 0xff &&
             !is_drawn ((x - 0.5 * item->width) * style->zoom_x,
                        (y - 0.5 * item->height) * style->zoom_y, periods, ink.dashes)))
          continue;
        vg_outlines_cover (distance_at (item, values, x, y, style), thick, &line, &seam);
        line *= strength;
        seam *= strength;
        for (int k = 0; k < 3 && seam > 0.0; k++)
          at[k] = (guint8) lround (line * ink.rgb[k] + (1.0 - line) * (1.0 - seam) * at[k]);
      }
}

void
vg_outlines_draw (const VgOutlines *self, const VgOutlineStyle *given, guint8 *rgba, int width,
                  int height, gsize stride)
{
  VgOutlineStyle own = *given;
  const VgOutlineStyle *style = &own;

  if (self->plain)
    own.selected = 0;
  if (!vg_outlines_fit (self) || !(style->zoom_x > 0.0) || !(style->zoom_y > 0.0))
    return;
#pragma omp parallel for schedule(dynamic)
  for (int top = 0; top < height; top += BAND)
    for (int selected = 0; selected < 2; selected++) /* the selected one on top */
      for (guint i = 0; i < self->n; i++)
        if ((self->items[i].id == style->selected) == selected)
          draw_item (&self->items[i], self->values.data, self->plain, style, rgba, width, top,
                     MIN (top + BAND, height), stride);
}
