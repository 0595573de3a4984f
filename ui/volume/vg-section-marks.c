/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-section-marks.h"
#include <math.h>
#include "ui/words/vg-translation.h"

enum { CENTRE_GAP_PX = 6, ROOM_PX = 260 };

static const GdkRGBA ink = { 1, 1, 1, 0.92 }, shade = { 0, 0, 0, 0.55 },
                     cross = { 0.25, 0.9, 1, 0.8 };

/* A line of the crosshair with a gap at its middle, so that the voxel itself is seen. */
static void
draw_line (GtkSnapshot *snapshot, gboolean down, double at, double gap, double length)
{
  double parts[2][2] = { { 0, gap - CENTRE_GAP_PX }, { gap + CENTRE_GAP_PX, length } };

  for (int k = 0; k < 2; k++)
    if (parts[k][1] > parts[k][0])
      {
        float from = (float) parts[k][0], size = (float) (parts[k][1] - parts[k][0]),
              place = (float) floor (at);

        gtk_snapshot_append_color (snapshot, &cross,
                                   down ? &GRAPHENE_RECT_INIT (place, from, 1, size)
                                        : &GRAPHENE_RECT_INIT (from, place, size, 1));
      }
}

/* TEXT about a point of the widget: 0 begins there, 0.5 has its middle there, 1 ends there. */
static void
draw_text (GtkWidget *widget, GtkSnapshot *snapshot, const char *text, double x, double y,
           double across, double down)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) round (x - across * width),
                                                          (float) round (y - down * height)));
  gtk_snapshot_append_color (snapshot, &shade,
                             &GRAPHENE_RECT_INIT (-3, 0, (float) width + 6, (float) height));
  gtk_snapshot_append_layout (snapshot, layout, &ink);
  gtk_snapshot_restore (snapshot);
}

const char *
vg_section_name (const VgSection *section)
{
  static const char *const names[] = { N_ ("Axial"), N_ ("Coronal"), N_ ("Sagittal") },
                           *const plain[] = { N_ ("Plane x, y"), N_ ("Plane x, z"),
                                              N_ ("Plane y, z") };

  return _ (section->known ? names[section->kind] : plain[section->kind]);
}

static void
draw_texts (GtkWidget *widget, GtkSnapshot *snapshot, const VgSectionMarks *marks, int width,
            int height)
{
  const VgSection *section = marks->section;
  g_autofree char *text = g_strdup_printf ("%s  %d / %d", vg_section_name (section), marks->slice,
                                           marks->slices);
  const double places[4][4] = { { 4, 0.5 * height, 0, 0.5 },
                                { width - 4, 0.5 * height, 1, 0.5 },
                                { 0.5 * width, 1, 0.5, 0 },
                                { 0.5 * width, height - 1, 0.5, 1 } };

  draw_text (widget, snapshot, text, 6, 2, 0, 0);
  for (int i = 0; i < 4; i++)
    {
      const char letter[] = { section->sides[i / 2][i % 2], '\0' };

      if (letter[0] != '\0' && (i != 2 || width > ROOM_PX))
        draw_text (widget, snapshot, letter, places[i][0], places[i][1], places[i][2],
                   places[i][3]);
    }
}

void
vg_section_draw_marks (GtkWidget *widget, GtkSnapshot *snapshot, const VgSectionMarks *marks)
{
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  draw_line (snapshot, TRUE, marks->x, marks->y, height);
  draw_line (snapshot, FALSE, marks->y, marks->x, width);
  draw_texts (widget, snapshot, marks, width, height);
  for (int i = 0; i < 4 && gtk_widget_has_visible_focus (widget); i++)
    gtk_snapshot_append_color (
        snapshot, &ink,
        &GRAPHENE_RECT_INIT (i == 1 ? (float) width - 2 : 0, i == 3 ? (float) height - 2 : 0,
                             i < 2 ? 2 : (float) width, i < 2 ? (float) height : 2));
}
