/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-mark-ticks.h"
#include <math.h>
#include <string.h>
#include "kernels/tables/vg-curves.h"
#include "ui/words/vg-translation.h"

enum { NEAR_PX = 6 };

#define MARKS "vg-marks"

static GArray *
get_marks (GtkWidget *scale)
{
  return g_object_get_data (G_OBJECT (scale), MARKS);
}

/* The place of VALUE along SCALE, px. */
static double
find_px (GtkRange *scale, double value)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (scale);
  const double low = gtk_adjustment_get_lower (adjustment),
               span = fmax (gtk_adjustment_get_upper (adjustment) - low, 1e-12);
  GdkRectangle rectangle;
  int begin, end;

  gtk_range_get_range_rect (scale, &rectangle);
  gtk_range_get_slider_range (scale, &begin, &end);
  return rectangle.x + (end - begin) / 2.0 +
         (value - low) / span * (rectangle.width - (end - begin));
}

/* The mark at most NEAR_PX from X, px; NULL: there is none. */
static const VgCurveMark *
find_near (GtkWidget *scale, double x)
{
  const GArray *marks = get_marks (scale);
  const VgCurveMark *nearest = NULL;
  double least = NEAR_PX;

  for (guint i = 0; i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);
      const double distance = fabs (find_px (GTK_RANGE (scale), mark->x) - x);

      if (distance <= least)
        {
          least = distance;
          nearest = mark;
        }
    }
  return nearest;
}

static gboolean
on_tooltip (GtkWidget *scale, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip)
{
  const VgCurveMark *nearest = by_keyboard ? NULL : find_near (scale, x);

  if (nearest != NULL)
    gtk_tooltip_set_text (tooltip, nearest->label);
  return nearest != NULL;
}

/* The handle snaps to a mark that it is dragged to; GTK alone does so within one pixel. */
static gboolean
on_change_value (GtkRange *scale, GtkScrollType scroll, double value)
{
  const VgCurveMark *nearest = scroll == GTK_SCROLL_JUMP
                                   ? find_near (GTK_WIDGET (scale), find_px (scale, value))
                                   : NULL;

  if (nearest != NULL)
    gtk_range_set_value (scale, nearest->x);
  return nearest != NULL;
}

/* GTK places the ticks when it lays out their widget, which it does not do when the range of SCALE
 * moves on. */
static void
on_range (GtkWidget *scale)
{
  GtkWidget *part = gtk_widget_get_first_child (scale);

  for (; part != NULL; part = gtk_widget_get_next_sibling (part))
    gtk_widget_queue_allocate (part);
}

/* The MARKS in the range of SCALE, owned. */
static GArray *
choose (GtkWidget *scale, const GArray *marks)
{
  GtkAdjustment *adjustment = gtk_range_get_adjustment (GTK_RANGE (scale));
  GArray *chosen = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));

  for (guint i = 0; i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);

      if (mark->x >= gtk_adjustment_get_lower (adjustment) &&
          mark->x <= gtk_adjustment_get_upper (adjustment))
        g_array_append_val (chosen, *mark);
    }
  return chosen;
}

static gboolean
is_same (const GArray *a, const GArray *b)
{
  return a->len == b->len &&
         (a->len == 0 || memcmp (a->data, b->data, a->len * sizeof (VgCurveMark)) == 0);
}

static void
describe (GtkWidget *scale, const GArray *marks)
{
  g_autofree char *texts = vg_curve_marks_between (marks, -INFINITY, INFINITY),
                  *words = texts != NULL ? g_strdup_printf (_ ("Marks: %s"), texts) : NULL;
  const char *usual = gtk_widget_get_tooltip_text (scale);

  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  words != NULL   ? words
                                  : usual != NULL ? usual
                                                  : "",
                                  -1);
}

void
vg_mark_ticks_set (GtkWidget *scale, const GArray *marks)
{
  GArray *before = get_marks (scale);
  g_autoptr (GArray) chosen = choose (scale, marks);

  if (before == NULL && chosen->len == 0)
    return;
  if (before == NULL)
    {
      gtk_widget_set_has_tooltip (scale, TRUE);
      g_signal_connect (scale, "query-tooltip", G_CALLBACK (on_tooltip), NULL);
      g_signal_connect (scale, "change-value", G_CALLBACK (on_change_value), NULL);
      g_signal_connect_object (gtk_range_get_adjustment (GTK_RANGE (scale)), "changed",
                               G_CALLBACK (on_range), scale, G_CONNECT_SWAPPED);
    }
  else if (is_same (before, chosen))
    return;
  gtk_scale_clear_marks (GTK_SCALE (scale));
  for (guint i = 0; i < chosen->len; i++)
    gtk_scale_add_mark (GTK_SCALE (scale), g_array_index (chosen, VgCurveMark, i).x, GTK_POS_TOP,
                        NULL);
  describe (scale, chosen);
  g_object_set_data_full (G_OBJECT (scale), MARKS, g_steal_pointer (&chosen),
                          (GDestroyNotify) g_array_unref);
}
