/* SPDX-License-Identifier: MIT */
/* What is around the data of a plot.  The title of the y axis begins the first row, the names of
 * the series follow it with the values at the cursor; the room of these is kept free, so that
 * nothing moves with the cursor. */
#include "ui/plot/vg-plot-scene-private.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>

enum { EDGE = 4, NUMBER_GAP = 5, COLUMN_GAP = 14, SWATCH = 10 };

void
vg_plot_pen_set_grey (VgPlotPen *self, double alpha)
{
  cairo_set_source_rgba (self->cr, self->grey, self->grey, self->grey, alpha);
}

double
vg_plot_pen_measure (VgPlotPen *self, const char *text)
{
  int width;

  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &width, NULL);
  return width;
}

double
vg_plot_pen_draw (VgPlotPen *self, const char *text, double x, double y, double align_x,
                  double align_y)
{
  int width, height;

  pango_layout_set_text (self->layout, text, -1);
  pango_layout_get_pixel_size (self->layout, &width, &height);
  cairo_move_to (self->cr, round (x - align_x * width), round (y - align_y * height));
  pango_cairo_show_layout (self->cr, self->layout);
  return width;
}

/* At most WIDTH wide. */
static void
draw_within (VgPlotPen *self, const char *text, double x, double y, double width)
{
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_width (self->layout, (int) width * PANGO_SCALE);
  vg_plot_pen_draw (self, text, x, y, 0, 0);
  pango_layout_set_width (self->layout, -1);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_NONE);
}

/* ---- legend ---- */

/* Three tenths of the height, and one row at least. */
static int
most_rows (const VgPlotPen *pen, int height)
{
  return MAX (1, (int) (0.3 * height / pen->line));
}

static gboolean
is_named_by_axis (VgPlotScene *self, guint i)
{
  return vg_plot_scene_count (self) == 1 &&
         g_strcmp0 (vg_translate (vg_plot_scene_get_series (self, i)->name),
                    vg_translate (self->curves->y_label)) == 0;
}

/* With room for its value at the cursor if ROOMY, or if the axis has its name. */
static double
legend_width (VgPlotScene *self, VgPlotPen *pen, guint i, gboolean roomy)
{
  gboolean named = is_named_by_axis (self, i);
  g_autofree char *name = vg_plot_scene_name (self, i),
                  *text = g_strconcat (named && !roomy ? "" : name,
                                       named || roomy ? ": 0000.0000" : "", NULL);

  return SWATCH + EDGE + vg_plot_pen_measure (pen, text);
}

/* The name and the value at the cursor; where both have no room, the value. */
static void
draw_entry (VgPlotScene *self, VgPlotPen *pen, guint i, double x, double y, double width)
{
  g_autofree char *text = vg_plot_scene_read (self, i);
  VgPlotColor color = vg_plot_scene_get_color (self, i);
  const char *value = strrchr (text, ':');
  double room = width - SWATCH - EDGE;

  if (is_named_by_axis (self, i) && value == NULL)
    return; /* the title of the axis says it */
  cairo_set_source_rgb (pen->cr, color.red, color.green, color.blue);
  cairo_rectangle (pen->cr, x, round (y + 0.5 * pen->line) - 2, SWATCH, 4);
  cairo_fill (pen->cr);
  vg_plot_pen_set_grey (pen, 1);
  if (value != NULL && vg_plot_pen_measure (pen, text) > room && !isnan (self->cursor))
    draw_within (pen, value + 2, x + SWATCH + EDGE, y, room);
  else
    draw_within (pen, text, x + SWATCH + EDGE, y, room);
}

typedef struct
{
  int rows;
  guint n; /* series that have a place */
} Head;

/* Places the title of the y axis and as many series as fit in ROWS rows, and draws them if DRAW. */
static Head
flow_series (VgPlotScene *self, VgPlotPen *pen, int width, int rows, gboolean roomy, gboolean draw)
{
  g_autofree char *title = vg_plot_axis_title (self->curves->y_label, self->curves->y_unit);
  double x = EDGE, y = EDGE;
  Head head = { 1, 0 };

  vg_plot_pen_set_grey (pen, 0.85);
  if (*title != '\0')
    x += COLUMN_GAP +
         (draw ? vg_plot_pen_draw (pen, title, x, y, 0, 0) : vg_plot_pen_measure (pen, title));
  for (; head.n < vg_plot_scene_count (self); head.n++)
    {
      double wide = legend_width (self, pen, head.n, roomy);

      if (x + wide > width - EDGE && x > EDGE && head.rows == rows)
        break;
      if (x + wide > width - EDGE && x > EDGE)
        {
          x = EDGE;
          y += pen->line;
          head.rows++;
        }
      if (draw)
        draw_entry (self, pen, head.n, x, y, MIN (wide, width - EDGE - x));
      x += wide + COLUMN_GAP;
    }
  return head;
}

/* Rows of the title of the y axis and the legend, drawn if DRAW; returns how many there are.  What
 * has no room for its value is named alone, and what has no room either is counted. */
static int
flow_head (VgPlotScene *self, VgPlotPen *pen, int width, int height, gboolean draw)
{
  guint count = vg_plot_scene_count (self);
  int rows = most_rows (pen, height);
  gboolean roomy = flow_series (self, pen, width, rows, TRUE, FALSE).n == count;
  g_autofree char *more = NULL;
  Head head;

  head = flow_series (self, pen, width, rows, roomy, FALSE);
  if (head.n < count && !is_named_by_axis (self, head.n))
    {
      more = g_strdup_printf (ngettext ("and %u more", "and %u more", count), count);
      width -= (int) vg_plot_pen_measure (pen, more);
      head = flow_series (self, pen, width, rows, roomy, FALSE);
      g_free (more);
      more = g_strdup_printf (ngettext ("and %u more", "and %u more", count - head.n),
                              count - head.n);
    }
  if (draw)
    flow_series (self, pen, width, rows, roomy, TRUE);
  vg_plot_pen_set_grey (pen, 0.85);
  if (draw && more != NULL)
    vg_plot_pen_draw (pen, more, width - EDGE, EDGE + (head.rows - 1) * pen->line, 0, 0);
  return head.rows;
}

/* ---- axes ---- */

static int
count_y_ticks (const VgPlotPen *pen, double height)
{
  const int most = 9; /* more are not easier to read */

  return CLAMP ((int) (height / (1.85 * pen->line)), 2, most);
}

/* As many as stand beside each other. */
static guint
find_x_ticks (VgPlotScene *self, VgPlotPen *pen, VgPlotTick *ticks)
{
  int wanted = MAX (2, (int) ((self->x.end - self->x.start) / (6 * pen->line)));
  guint n;

  for (;; wanted--)
    {
      double free_from = -INFINITY;
      gboolean apart = TRUE;

      n = vg_plot_axis_ticks (&self->x, wanted, ticks);
      for (guint i = 0; i < n; i++)
        {
          double x = vg_plot_axis_to_pixel (&self->x, ticks[i].value),
                 half = 0.5 * vg_plot_pen_measure (pen, ticks[i].label);

          apart &= x - half >= free_from;
          free_from = x + half + NUMBER_GAP;
        }
      if (apart || wanted == 1)
        return n;
    }
}

/* Room for the numbers of the y axis, in whole lines: a digit more seldom moves the plot. */
static double
find_left (VgPlotScene *self, VgPlotPen *pen, int height)
{
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  guint n = vg_plot_axis_ticks (&self->y, count_y_ticks (pen, height - self->top - self->bottom),
                                ticks);
  double widest = pen->line;

  for (guint i = 0; i < n; i++)
    widest = MAX (widest, vg_plot_pen_measure (pen, ticks[i].label));
  return ceil ((EDGE + widest + NUMBER_GAP) / pen->line) * pen->line;
}

static gboolean
has_title (const VgPlotScene *self)
{
  return self->titled && !self->crowded && self->curves->title != NULL;
}

/* Sets LAYOUT to TEXT, or to the first of its clauses, as many as two lines hold: "Decay of (8, 9):
 * 2.5 ns, 900 photons" or "Decay of (8, 9)", whose numbers are beside the plot too. */
static void
set_clauses (PangoLayout *layout, const char *text)
{
  g_autofree char *part = g_strdup (text);

  pango_layout_set_text (layout, part, -1);
  for (char *at = part + strlen (part); at > part && pango_layout_is_ellipsized (layout); at--)
    {
      int depth = 0;

      if ((*at != ',' && *at != ':') || at[1] != ' ')
        continue;
      *at = '\0';
      for (const char *c = part; *c != '\0'; c++)
        depth += (*c == '(') - (*c == ')');
      if (depth == 0)
        pango_layout_set_text (layout, part, -1);
    }
}

/* The title into LAYOUT, on at most two lines; returns how many lines there are with the title of
 * the x axis, which it stands beside, or below where that leaves no room. */
static int
lay_out_title (const VgPlotScene *self, VgPlotPen *pen, PangoLayout *layout, double width)
{
  g_autofree char *x_title = vg_plot_axis_title (self->curves->x_label, self->curves->x_unit);
  double room = width - vg_plot_pen_measure (pen, x_title) - COLUMN_GAP;
  gboolean beside = room > 0.4 * width;

  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_height (layout, -2);
  pango_layout_set_width (layout, (int) MAX (beside ? room : width, 1) * PANGO_SCALE);
  set_clauses (layout, vg_translate (self->curves->title));
  if (beside && pango_layout_is_ellipsized (layout))
    {
      beside = FALSE;
      pango_layout_set_width (layout, (int) MAX (width, 1) * PANGO_SCALE);
      set_clauses (layout, vg_translate (self->curves->title));
    }
  return pango_layout_get_line_count (layout) + !beside;
}

void
vg_plot_frame_measure (VgPlotScene *self, VgPlotPen *pen, int width, int height)
{
  g_autoptr (PangoLayout) own = pango_layout_copy (pen->layout);
  int lines;

  self->right = pen->line;
  self->top = EDGE + flow_head (self, pen, width, height, FALSE) * pen->line + EDGE;
  self->bottom = 2 * (EDGE + pen->line);
  self->left = find_left (self, pen, height);
  /* a title of two lines stands aside for the data */
  self->crowded = height - self->top - self->bottom < 5 * pen->line;
  lines = has_title (self) ? lay_out_title (self, pen, own, width - self->left - self->right) : 1;
  self->bottom += (lines - 1) * pen->line;
}

static void
draw_axes (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box, int width)
{
  VgPlotTick ticks[VG_PLOT_MAX_TICKS];
  cairo_t *cr = pen->cr;
  guint n;

  cairo_set_line_width (cr, 1);
  n = find_x_ticks (self, pen, ticks);
  for (guint i = 0; i < n; i++)
    {
      double x = floor (vg_plot_axis_to_pixel (&self->x, ticks[i].value)) + 0.5,
             half = 0.5 * vg_plot_pen_measure (pen, ticks[i].label);

      vg_plot_pen_set_grey (pen, 0.12);
      cairo_move_to (cr, x, box.y);
      cairo_line_to (cr, x, box.y + box.height);
      cairo_stroke (cr);
      vg_plot_pen_set_grey (pen, 0.85);
      vg_plot_pen_draw (pen, ticks[i].label, MIN (x, width - EDGE - half), pen->foot + 3, 0.5, 0);
    }
  n = vg_plot_axis_ticks (&self->y, count_y_ticks (pen, box.height), ticks);
  for (guint i = 0; i < n; i++)
    {
      double y = floor (vg_plot_axis_to_pixel (&self->y, ticks[i].value)) + 0.5;

      vg_plot_pen_set_grey (pen, 0.12);
      cairo_move_to (cr, box.x, y);
      cairo_line_to (cr, box.x + box.width, y);
      cairo_stroke (cr);
      vg_plot_pen_set_grey (pen, 0.85);
      vg_plot_pen_draw (pen, ticks[i].label, box.x - NUMBER_GAP, y, 1, 0.5);
    }
  vg_plot_pen_set_grey (pen, 0.35);
  cairo_rectangle (cr, box.x + 0.5, box.y + 0.5, box.width - 1, box.height - 1);
  cairo_stroke (cr);
}

/* The title of the x axis at the right, that of the plot beside it. */
static void
draw_feet (VgPlotScene *self, VgPlotPen *pen, VgPlotBox box, int width)
{
  g_autofree char *x_title = vg_plot_axis_title (self->curves->x_label, self->curves->x_unit);
  double y = round (pen->foot + pen->line + EDGE);

  double wide = MIN (vg_plot_pen_measure (pen, x_title) + 1, width - 2 * EDGE);

  vg_plot_pen_set_grey (pen, 0.85);
  draw_within (pen, x_title, MAX (box.x + box.width - wide, EDGE), y, wide);
  if (has_title (self))
    {
      g_autoptr (PangoLayout) layout = pango_layout_copy (pen->layout);
      int lines = lay_out_title (self, pen, layout, box.width);

      y += (lines - pango_layout_get_line_count (layout)) * pen->line;
      cairo_move_to (pen->cr, round (box.x), y);
      pango_cairo_show_layout (pen->cr, layout);
    }
}

void
vg_plot_frame_draw (VgPlotScene *self, VgPlotPen *pen, int width, int height)
{
  VgPlotBox box = vg_plot_scene_get_box (self, width, height);

  draw_axes (self, pen, box, width);
  draw_feet (self, pen, box, width);
  flow_head (self, pen, width, height, TRUE);
}
