/* SPDX-License-Identifier: MIT */
#include "ui/layers/vg-outline-legend.h"
#include <math.h>
#include <string.h>
#include "kernels/shared/vg-outlines-draw.h"
#include "ui/words/vg-translation.h"

struct _VgOutlineLegend
{
  GtkWidget parent_instance;

  guint counts[VG_OUTLINE_LOOKS];
};

G_DEFINE_FINAL_TYPE (VgOutlineLegend, vg_outline_legend, GTK_TYPE_WIDGET)

/* A swatch is two periods of dashes, of 8 parts each. */
enum { ROOM = 8888, PADDING = 8, PART = 3, SWATCH = 16 * PART, LINE = 4, GAP = 8, ROW = 4 };

/* The rows: the classes of a stain if there are any, else the verdicts. */
static void
find_rows (const VgOutlineLegend *self, VgOutlineLook *first, VgOutlineLook *end)
{
  gboolean classes = FALSE;

  for (guint look = VG_OUTLINE_NEGATIVE; look < VG_OUTLINE_LOOKS; look++)
    classes |= self->counts[look] > 0;
  *first = classes ? VG_OUTLINE_NEGATIVE : VG_OUTLINE_CORRECT;
  *end = classes ? VG_OUTLINE_LOOKS : VG_OUTLINE_NEGATIVE;
}

static PangoLayout *
make_layout (GtkWidget *widget, VgOutlineLook look, guint n)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, NULL);
  g_autofree char *text = g_markup_printf_escaped ("<small>%s  %u</small>",
                                                   vg_translate (vg_outlines_ink (look)->name), n);

  pango_layout_set_markup (layout, text, -1);
  return layout;
}

/* There is room for numbers of four digits, so that counts that change lay nothing out. */
static void
measure_rows (GtkWidget *widget, int *width, int *height)
{
  const VgOutlineLegend *self = VG_OUTLINE_LEGEND (widget);
  VgOutlineLook first, end;

  *width = *height = 0;
  find_rows (self, &first, &end);
  for (VgOutlineLook look = first; look < end; look++)
    {
      g_autoptr (PangoLayout) layout = make_layout (widget, look, MAX (self->counts[look], ROOM));
      int own_width, own_height;

      pango_layout_get_pixel_size (layout, &own_width, &own_height);
      *width = MAX (*width, own_width);
      *height = MAX (*height, own_height + ROW);
    }
}

static void
draw_swatch (GtkSnapshot *snapshot, const VgOutlineInk *ink, double y)
{
  const GdkRGBA color = { ink->rgb[0] / 255.f, ink->rgb[1] / 255.f, ink->rgb[2] / 255.f, 1 };

  for (int k = 0; k < SWATCH / PART; k++)
    if (ink->dashes >> (k & 7) & 1)
      gtk_snapshot_append_color (snapshot, &color,
                                 &GRAPHENE_RECT_INIT (PADDING + k * PART, round (y), PART, LINE));
}

static void
vg_outline_legend_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA ink = { 0.95, 0.95, 0.95, 1 };
  double y = PADDING;
  VgOutlineLook first, end;
  int width, row;
  GskRoundedRect panel;

  measure_rows (widget, &width, &row);
  find_rows (VG_OUTLINE_LEGEND (widget), &first, &end);
  gsk_rounded_rect_init_from_rect (
      &panel,
      &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget)), 6);
  gtk_snapshot_push_rounded_clip (snapshot, &panel);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA){ 0.06, 0.06, 0.07, 0.8 }, &panel.bounds);
  for (VgOutlineLook look = first; look < end; look++, y += row)
    {
      g_autoptr (PangoLayout)
          layout = make_layout (widget, look, VG_OUTLINE_LEGEND (widget)->counts[look]);

      draw_swatch (snapshot, vg_outlines_ink (look), y + 0.5 * (row - ROW - LINE));
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (PADDING + SWATCH + GAP, round (y)));
      gtk_snapshot_append_layout (snapshot, layout, &ink);
      gtk_snapshot_restore (snapshot);
    }
  gtk_snapshot_pop (snapshot);
}

static void
vg_outline_legend_measure (GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  VgOutlineLook first, end;
  int width, row;

  measure_rows (widget, &width, &row);
  find_rows (VG_OUTLINE_LEGEND (widget), &first, &end);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                            ? 2 * PADDING + SWATCH + GAP + width
                            : 2 * PADDING - ROW + row * (int) (end - first);
}

static void
vg_outline_legend_class_init (VgOutlineLegendClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  widget_class->snapshot = vg_outline_legend_snapshot;
  widget_class->measure = vg_outline_legend_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
vg_outline_legend_init (VgOutlineLegend *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_outline_legend_new (void)
{
  return g_object_new (VG_TYPE_OUTLINE_LEGEND, NULL);
}

/* Sets the text for screen readers. */
static void
describe (VgOutlineLegend *self)
{
  g_autoptr (GString) text = g_string_new (_ ("Legend"));
  VgOutlineLook first, end;

  find_rows (self, &first, &end);
  for (VgOutlineLook look = first; look < end; look++)
    g_string_append_printf (text, "%s %s %u", look == first ? ":" : ",",
                            vg_translate (vg_outlines_ink (look)->name), self->counts[look]);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text->str,
                                  -1);
}

/* Whether COMPARED are outlines of a truth, or there are none. */
static gboolean
is_truth (const VgOutlines *compared)
{
  guint n = compared != NULL ? compared->n : 0;

  for (guint i = 0; i < n; i++)
    if (compared->items[i].look != VG_OUTLINE_NUMBERED)
      return TRUE;
  return n == 0;
}

/* Objects that are merged or split count once, and not again by the true ones.  Beside outlines
 * that are no truth, such as those of a kept result, nothing is counted. */
void
vg_outline_legend_set (VgOutlineLegend *self, const VgOutlines *found, const VgOutlines *compared)
{
  guint counts[VG_OUTLINE_LOOKS] = { 0 }, all = 0;
  VgOutlineLook before, now, end;
  gboolean wider = FALSE;

  for (guint i = 0; found != NULL && is_truth (compared) && i < found->n; i++)
    if (found->items[i].look < VG_OUTLINE_LOOKS)
      counts[found->items[i].look]++;
  for (guint i = 0; compared != NULL && i < compared->n; i++)
    if (compared->items[i].look == VG_OUTLINE_MISSED || compared->items[i].look == VG_OUTLINE_TRUE)
      counts[compared->items[i].look]++;
  counts[VG_OUTLINE_NUMBERED] = 0;
  for (guint look = 0; look < VG_OUTLINE_LOOKS; look++)
    {
      all += counts[look];
      wider |= MAX (counts[look], self->counts[look]) > ROOM;
    }
  gtk_widget_set_visible (GTK_WIDGET (self), all > 0);
  if (memcmp (counts, self->counts, sizeof counts) == 0)
    return;
  find_rows (self, &before, &end);
  memcpy (self->counts, counts, sizeof counts);
  find_rows (self, &now, &end);
  describe (self);
  if (wider || now != before)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
