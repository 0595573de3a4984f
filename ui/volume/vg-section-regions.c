/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-section-regions.h"
#include <math.h>

enum { ELLIPSE_CORNERS = 64 };

/* Continues the path to a point of the volume. */
static void
go_to (const VgSectionPlace *place, cairo_t *cr, double x, double y, double z)
{
  const double volume[] = { x, y, z };
  const int *axis = place->section->axis;

  cairo_line_to (cr, place->origin[0] + place->step[0] * volume[axis[0]],
                 place->origin[1] + place->step[1] * volume[axis[1]]);
}

static void
add_outline (const VgSectionPlace *place, const VgRegion *region, cairo_t *cr)
{
  const double *x = region->x, *y = region->y;

  if (region->kind == VG_REGION_RECTANGLE)
    for (int i = 0; i < 4; i++)
      go_to (place, cr, x[i == 1 || i == 2], y[i / 2], 0);
  else if (region->kind == VG_REGION_ELLIPSE)
    for (int i = 0; i < ELLIPSE_CORNERS; i++)
      go_to (place, cr, x[0] + x[1] * cos (2 * G_PI * i / ELLIPSE_CORNERS),
             y[0] + y[1] * sin (2 * G_PI * i / ELLIPSE_CORNERS), 0);
  else
    for (int i = 0; i < region->n_points; i++)
      go_to (place, cr, x[i], y[i], 0);
  cairo_close_path (cr);
}

GArray *
vg_section_region_spans (const VgSectionPlace *place, const VgRegion *region)
{
  GArray *spans = g_array_new (FALSE, FALSE, sizeof (double));
  int along = place->section->axis[2] == 0, n = place->grid->size[along];
  double across = place->at[!along] + 0.5;
  gboolean before = FALSE;

  for (int i = 0; i <= n; i++)
    {
      double middle = i + 0.5, edge = i;
      gboolean inside = i < n && vg_region_contains (region, along == 0 ? middle : across,
                                                     along == 0 ? across : middle);

      if (inside != before)
        g_array_append_val (spans, edge);
      before = inside;
    }
  return spans;
}

/* A box for each span, as thick as the slices FIRST to LAST. */
static void
add_spans (const VgSectionPlace *place, const VgRegion *region, int first, int last, cairo_t *cr)
{
  g_autoptr (GArray) spans = vg_section_region_spans (place, region);
  gboolean along_y = place->section->axis[2] == 0;

  for (guint k = 0; k + 1 < spans->len; k += 2)
    {
      cairo_new_sub_path (cr);
      for (guint i = 0; i < 4; i++)
        {
          double edge = g_array_index (spans, double, k + (i == 1 || i == 2));

          go_to (place, cr, along_y ? 0 : edge, along_y ? edge : 0, i / 2 == 0 ? first : last + 1);
        }
      cairo_close_path (cr);
    }
}

void
vg_section_draw_regions (const VgSectionPlace *place, VgSession *session, cairo_t *cr)
{
  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    {
      const VgNamedRegion *named = vg_session_get_region (session, i);
      gboolean everywhere = vg_session_get_shape (session, i).slice == VG_REGION_EVERY_SLICE;
      int slice = named->region.slice, first = everywhere ? 0 : slice,
          last = everywhere ? place->grid->size[2] - 1 : slice;

      if (place->section->axis[2] != 2)
        add_spans (place, &named->region, first, last, cr);
      else if (place->at[2] >= first && place->at[2] <= last)
        add_outline (place, &named->region, cr);
      cairo_set_source_rgb (cr, named->rgb[0] / 255.0, named->rgb[1] / 255.0,
                            named->rgb[2] / 255.0);
      cairo_set_line_width (cr, named->selected ? 2.5 : 1.5);
      cairo_stroke (cr);
    }
}
