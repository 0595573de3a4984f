/* SPDX-License-Identifier: MIT */
/* Hostile GeoJSON: what is accepted has finite coordinates and whole rings, and
 * becomes masks inside the picture. */
#include <math.h>
#include <string.h>
#include "kernels/contour/shapes/contour-mask.h"
#include "tests/fuzz/fuzz.h"

static void
check_shape (const VgContourShape *shape)
{
  guint before = 0, rings = 0;
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));

  for (guint i = 0; i < shape->ring_ends->len; i++)
    {
      fuzz_require (g_array_index (shape->ring_ends, guint, i) >= before, "rings out of order");
      before = g_array_index (shape->ring_ends, guint, i);
    }
  fuzz_require (before == shape->points->len, "points outside any ring");
  for (guint i = 0; i < shape->polygon_ends->len; i++)
    {
      fuzz_require (g_array_index (shape->polygon_ends, guint, i) >= rings,
                    "polygons out of order");
      rings = g_array_index (shape->polygon_ends, guint, i);
    }
  fuzz_require (rings == shape->ring_ends->len, "rings outside any polygon");
  fuzz_require (vg_contour_shape_seeds (shape, places) + places->len == shape->polygon_ends->len,
                "a polygon neither with a place nor without");
  for (guint i = 0; i < places->len; i++)
    fuzz_require (isfinite (g_array_index (places, VgContourPoint, i).x) &&
                      isfinite (g_array_index (places, VgContourPoint, i).y),
                  "a place that is no number");
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree char *text = g_strndup ((const char *) data, length);
  gsize n = strlen (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgContourGeometry)
      geometry = vg_contour_geojson_read ("fuzz.geojson", text, n, &error);
  g_autoptr (GPtrArray) masks = NULL;

  fuzz_require ((geometry == NULL) == (error != NULL), "no geometry, no error");
  fuzz_require (error == NULL || strchr (error->message, '\n') == NULL,
                "an error of several lines");
  if (geometry == NULL)
    return;
  for (guint i = 0; i < geometry->points->len; i++)
    fuzz_require (isfinite (g_array_index (geometry->points, VgContourPoint, i).x),
                  "a point that is no number");
  for (guint i = 0; i < geometry->shapes->len; i++)
    check_shape (geometry->shapes->pdata[i]);
  masks = vg_contour_masks_of_shapes (geometry->shapes, 33, 29, NULL);
  for (guint i = 0; masks != NULL && i < masks->len; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (masks, i);

      fuzz_require (mask->area > 0 && mask->area <= 33 * 29, "a mask beyond the picture");
      fuzz_require (mask->box.x >= 0 && mask->box.y >= 0 && mask->box.x + mask->box.width <= 33 &&
                        mask->box.y + mask->box.height <= 29,
                    "a mask's box beyond the picture");
    }
}
