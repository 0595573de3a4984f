/* SPDX-License-Identifier: MIT */
/* The colour bar, and the axes of maps whose directions have names. */
#include "app/figure/vg-map-figure-private.h"
#include <math.h>
#include <string.h>
#include "app/figure/vg-ticks.h"
#include "app/session/vg-display.h"

#define GAP 6.0
#define BAR 8.0
#define TICK 2.5
#define LINE 0.5
#define LABEL_GAP 2.0

/* A line for each 22 points of height, or so. */
#define TICK_EVERY 22.0

enum { COLORS = 256 };

static guint
make_ticks (const VgMapLayout *self, VgTick ticks[VG_TICKS_MOST])
{
  const VgColoring *coloring = &self->picture->coloring;
  /* before the height is known: as many as there may be */
  double height = self->height > 0 ? self->height : TICK_EVERY * VG_TICKS_MOST;

  return vg_ticks_make (coloring->low, coloring->high, coloring->log_scale,
                        (guint) MAX (height / TICK_EVERY, 2), ticks);
}

static void
get_ends (const VgColoring *coloring, double ends[2])
{
  vg_coloring_limits (coloring, &ends[0], &ends[1]);
  for (int end = 0; end < 2 && coloring->log_scale; end++)
    ends[end] = exp (ends[end]);
}

/* VALUE at an end of the bar in three figures, owned. */
static char *
format_end (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];
  double size = fabs (value);
  int decimals = size > 0 ? CLAMP (2 - (int) floor (log10 (size)), 0, 6) : 0;

  if (size >= 1e6 || (size > 0 && size < 1e-3))
    return g_strdup (g_ascii_formatd (text, sizeof text, "%.3g", value));
  if (size >= 1000)
    {
      double unit = pow (10, floor (log10 (size)) - 2);

      value = unit * round (value / unit);
    }
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (text, sizeof text, format, value);
  if (strchr (text, '.') != NULL) /* as the ticks: 0.5, not 0.500 */
    while (g_str_has_suffix (text, "0") || g_str_has_suffix (text, "."))
      {
        gboolean point = g_str_has_suffix (text, ".");

        text[strlen (text) - 1] = '\0';
        if (point)
          break;
      }
  return g_strdup (text);
}

/* Of label I of N, owned. */
static char *
name_label (const VgMapLayout *self, int i)
{
  const char *const *names = self->view->output->hints.categories;

  for (int k = 0; names != NULL && names[k] != NULL; k++)
    if (k == i)
      return g_strdup (names[k]);
  return g_strdup_printf ("%d", i);
}

double
vg_map_layout_measure_legend (const VgMapLayout *self)
{
  VgTick ticks[VG_TICKS_MOST];
  double widest = 0, ends[2];

  if (self->picture->bar == VG_DISPLAY_NO_BAR)
    return 0;
  for (int i = 1; i <= self->picture->bar; i++)
    {
      g_autofree char *name = name_label (self, i);

      widest = MAX (widest, vg_figure_measure (name, VG_MAP_FIGURE_FONT, FALSE));
    }
  if (self->picture->bar > 0)
    return BAR + LABEL_GAP + widest;
  /* the number of ticks depends on the height, and with it that of their decimals */
  for (guint wanted = 2; wanted <= VG_TICKS_MOST / 2; wanted++)
    {
      const VgColoring *coloring = &self->picture->coloring;
      guint n = vg_ticks_make (coloring->low, coloring->high, coloring->log_scale, wanted, ticks);

      for (guint i = 0; i < n; i++)
        widest = MAX (widest, vg_figure_measure (ticks[i].label, VG_MAP_FIGURE_FONT, FALSE));
    }
  get_ends (&self->picture->coloring, ends);
  for (int end = 0; end < 2; end++)
    {
      g_autofree char *label = format_end (ends[end]);

      widest = MAX (widest, vg_figure_measure (label, VG_MAP_FIGURE_FONT, FALSE));
    }
  return BAR + TICK + LABEL_GAP + widest;
}

static void
add_labels (const VgMapLayout *self, double x)
{
  double row = MIN (self->height / self->picture->bar, 12);

  for (int i = 1; i <= self->picture->bar; i++)
    {
      g_autofree char *name = name_label (self, i);
      double y = self->top + (i - 1) * row;
      float label = (float) i;
      guint8 rgba[4];

      vg_coloring_apply (&self->picture->coloring, &label, 1, rgba);
      vg_figure_add_box (self->figure, x, y, BAR, MAX (row - 2, 1),
                         &(VgFigureStyle){ .fill = rgba[0] << 16 | rgba[1] << 8 | rgba[2],
                                           .stroke = 0,
                                           .width = LINE,
                                           .opacity = 1 });
      vg_figure_add_text (self->figure, name, x + BAR + LABEL_GAP, y + row / 2 + 1.5,
                          MIN (VG_MAP_FIGURE_FONT, row), VG_FIGURE_LEFT, FALSE, 0);
    }
}

/* A line at Y with its number. */
static void
add_number (const VgMapLayout *self, double x, double y, const char *label)
{
  vg_figure_add_line (self->figure, x + BAR, y, x + BAR + TICK, y, LINE);
  vg_figure_add_text (self->figure, label, x + BAR + TICK + LABEL_GAP,
                      CLAMP (y + 2.5, self->top + VG_MAP_FIGURE_FONT - 2, self->top + self->height),
                      VG_MAP_FIGURE_FONT, VG_FIGURE_LEFT, FALSE, 0);
}

/* The colours with the numbers at both ends and round ones between them. */
static void
add_bar (const VgMapLayout *self, double x)
{
  const VgColoring *coloring = &self->picture->coloring;
  guint8 rgba[COLORS * 4];
  VgTick ticks[VG_TICKS_MOST];
  guint n = make_ticks (self, ticks);
  double ends[2];

  for (int i = 0; i < COLORS; i++)
    {
      const guint8 *rgb = coloring->colormap->rgb[COLORS - 1 - i];

      rgba[4 * i] = rgb[0];
      rgba[4 * i + 1] = rgb[1];
      rgba[4 * i + 2] = rgb[2];
      rgba[4 * i + 3] = 255;
    }
  vg_figure_add_image (self->figure, x, self->top, BAR, self->height, rgba, 1, COLORS);
  vg_figure_add_box (self->figure, x, self->top, BAR, self->height,
                     &(VgFigureStyle){ .fill = -1, .stroke = 0, .width = LINE });
  for (guint i = 0; i < n; i++)
    {
      double t = vg_coloring_position (coloring, ticks[i].value),
             y = self->top + (1 - t) * self->height, room = 1.2 * VG_MAP_FIGURE_FONT;

      if (y > self->top + room && y < self->top + self->height - room)
        add_number (self, x, y, ticks[i].label);
    }
  get_ends (coloring, ends);
  for (int end = 0; end < 2; end++)
    {
      g_autofree char *label = format_end (ends[end]);

      add_number (self, x, self->top + (end == 0 ? self->height : 0), label);
    }
}

void
vg_map_layout_add_legend (const VgMapLayout *self)
{
  double x = self->left + self->width + GAP;

  if (self->picture->bar > 0)
    add_labels (self, x);
  else if (self->picture->bar == 0)
    add_bar (self, x);
}

/* ---- axes ---- */

gboolean
vg_map_layout_has_axes (const VgMapLayout *self)
{
  const VgOutput *output = self->view->output;
  const VgPlane *plane = self->view->plane;

  return output->hints.axes[0] != NULL && output->hints.axes[1] != NULL &&
         plane->pixel_size[0] != 0 && plane->pixel_size[1] != 0;
}

/* The positions at both ends of an axis of the picture. */
static void
find_range (const VgMapLayout *self, int axis, double range[2])
{
  const VgPlane *plane = self->view->plane;

  range[0] = vg_plane_position (plane, axis, plane->mirrored && axis == 0 ? -plane->width : 0);
  range[1] = vg_plane_position (plane, axis, axis == 0 ? plane->width : plane->height);
}

static char *
make_title (const VgMapLayout *self, int axis)
{
  const char *name = self->view->output->hints.axes[axis], *unit = self->view->plane->unit;

  return *unit != '\0' ? g_strdup_printf ("%s (%s)", name, unit) : g_strdup (name);
}

void
vg_map_layout_measure_axes (const VgMapLayout *self, double *left, double *below)
{
  VgTick ticks[VG_TICKS_MOST];
  double range[2], widest = 0;
  guint n;

  find_range (self, 1, range);
  n = vg_ticks_make (range[0], range[1], FALSE, 6, ticks);
  for (guint i = 0; i < n; i++)
    widest = MAX (widest, vg_figure_measure (ticks[i].label, VG_MAP_FIGURE_FONT, FALSE));
  *left = widest + TICK + LABEL_GAP;
  /* numbers and, under them, the titles of both axes */
  *below = TICK + 2 * (VG_MAP_FIGURE_FONT + LABEL_GAP);
}

void
vg_map_layout_add_axes (const VgMapLayout *self)
{
  double bottom = self->top + self->height;

  for (int axis = 0; axis < 2; axis++)
    {
      g_autofree char *title = make_title (self, axis), *arrowed = NULL;
      VgTick ticks[VG_TICKS_MOST];
      double range[2];
      guint n;

      find_range (self, axis, range);
      n = vg_ticks_make (range[0], range[1], FALSE,
                         axis == 0 ? 5 : (guint) CLAMP (self->height / TICK_EVERY, 1, 6), ticks);
      for (guint i = 0; i < n; i++)
        {
          double t = (ticks[i].value - range[0]) / (range[1] - range[0]),
                 x = self->left + t * self->width, y = self->top + t * self->height;

          if (axis == 0)
            {
              vg_figure_add_line (self->figure, x, bottom, x, bottom + TICK, LINE);
              vg_figure_add_text (self->figure, ticks[i].label, x,
                                  bottom + TICK + VG_MAP_FIGURE_FONT, VG_MAP_FIGURE_FONT,
                                  VG_FIGURE_MIDDLE, FALSE, 0);
            }
          else
            {
              vg_figure_add_line (self->figure, self->left - TICK, y, self->left, y, LINE);
              vg_figure_add_text (self->figure, ticks[i].label, self->left - TICK - LABEL_GAP,
                                  y + 2.5, VG_MAP_FIGURE_FONT, VG_FIGURE_RIGHT, FALSE, 0);
            }
        }
      arrowed = g_strdup_printf (axis == 0 ? "%s →" : "%s ↓", title);
      vg_figure_add_text (self->figure, arrowed, axis == 0 ? self->left + self->width : 3,
                          bottom + TICK + 2 * VG_MAP_FIGURE_FONT + LABEL_GAP, VG_MAP_FIGURE_FONT,
                          axis == 0 ? VG_FIGURE_RIGHT : VG_FIGURE_LEFT, FALSE, 0);
    }
}
