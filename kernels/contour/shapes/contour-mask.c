/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include <math.h>
#include <string.h>

/* The share of the smaller mask in the other from which both are one nucleus. */
#define SAME_SHARE 0.75
/* Pixels of the image for each object, from FEW_OBJECTS objects on; and boxes that cover it. */
enum { LEAST_PIXELS = 16, FEW_OBJECTS = 1000, MOST_BOXES = 64 };

void
vg_contour_mask_free (gpointer data)
{
  VgContourMask *self = data;

  g_free (self->bits);
  g_free (self);
}

static GPtrArray *
masks_new (void)
{
  return g_ptr_array_new_with_free_func (vg_contour_mask_free);
}

static VgContourMask *
mask_new (const VgContourBox *box)
{
  VgContourMask *self = g_new0 (VgContourMask, 1);

  self->box = *box;
  self->bits = g_try_malloc0 ((gsize) box->width * (gsize) box->height);
  if (self->bits != NULL)
    return self;
  vg_contour_mask_free (self);
  return NULL;
}

static void
keep (GPtrArray *masks, VgContourMask *mask)
{
  const gsize n = (gsize) mask->box.width * (gsize) mask->box.height;
  const guint8 *bits = mask->bits;
  gint64 area = 0;

  for (gsize i = 0; i < n; i++)
    area += bits[i];
  mask->area = area;
  if (mask->area > 0)
    g_ptr_array_add (masks, mask);
  else
    vg_contour_mask_free (mask);
}

GPtrArray *
vg_contour_masks_of_scene (const VgContourScene *scene)
{
  g_autoptr (GPtrArray) masks = masks_new ();

  for (guint i = 0; i < scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (scene, i);
      VgContourBox box = object->state.box;
      VgContourMask *mask;

      if (box.width == 0)
        continue;
      mask = mask_new (&box);
      if (mask == NULL)
        return NULL;
      mask->object = object;
      mask->box.x += object->tile.x;
      mask->box.y += object->tile.y;
      for (int y = 0; y < box.height; y++)
        {
          const float *restrict phi = object->phi +
                                      (gsize) (box.y + y) * (gsize) object->tile.width + box.x;
          guint8 *restrict bits = mask->bits + (gsize) y * (gsize) box.width;

          for (int x = 0; x < box.width; x++)
            bits[x] = phi[x] > 0.0f;
        }
      keep (masks, mask);
    }
  return g_steal_pointer (&masks);
}

/* FALSE and an error: N objects with boxes of BYTES in all are those of a picture, not nuclei. */
static gboolean
check_labels (gsize n, gsize bytes, int width, int height, GError **error)
{
  gsize pixels = (gsize) width * (gsize) height;

  if (n > FEW_OBJECTS && n > pixels / LEAST_PIXELS)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "there are more than %" G_GSIZE_FORMAT
                 " objects in an image of %d x %d pixels; give one number or outline for "
                 "each nucleus",
                 MAX (pixels / LEAST_PIXELS, FEW_OBJECTS), width, height);
  else if (bytes > MOST_BOXES * pixels)
    g_set_error (
        error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
        "the pixels of each label are scattered over the image; choose a label image, with "
        "one number for each nucleus");
  else
    return TRUE;
  return FALSE;
}

GPtrArray *
vg_contour_masks_of_labels (const gint32 *labels, int width, int height, GError **error)
{
  g_autoptr (GPtrArray) masks = masks_new ();
  /* from a label to 1 + the index of its extent */
  g_autoptr (GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) extents = g_array_new (FALSE, FALSE, 4 * sizeof (int));
  g_autoptr (GArray) names = g_array_new (FALSE, FALSE, sizeof (gint32));
  gsize bytes = 0;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        gint32 label = labels[(gsize) y * (gsize) width + (gsize) x];
        guint k = label == 0
                      ? 0
                      : GPOINTER_TO_UINT (g_hash_table_lookup (known, GINT_TO_POINTER (label)));
        int *extent, fresh[4] = { x, y, x, y };

        if (label == 0)
          continue;
        if (k == 0)
          {
            g_array_append_val (extents, fresh);
            g_array_append_val (names, label);
            g_hash_table_insert (known, GINT_TO_POINTER (label), GUINT_TO_POINTER (extents->len));
            continue;
          }
        extent = (int *) (void *) (extents->data + (gsize) (k - 1) * sizeof fresh);
        extent[0] = MIN (extent[0], x);
        extent[2] = MAX (extent[2], x);
        extent[3] = y;
      }
  for (guint k = 0; k < extents->len; k++)
    {
      const int *extent = (const int *) (const void *) (extents->data +
                                                        (gsize) k * 4 * sizeof (int));

      bytes += (gsize) (extent[2] - extent[0] + 1) * (gsize) (extent[3] - extent[1] + 1);
    }
  if (!check_labels (extents->len, bytes, width, height, error))
    return NULL;
  for (guint k = 0; k < extents->len; k++)
    {
      const int *extent = (const int *) (void *) (extents->data + (gsize) k * 4 * sizeof (int));
      VgContourBox box = { extent[0], extent[1], extent[2] - extent[0] + 1,
                           extent[3] - extent[1] + 1 };
      VgContourMask *mask = mask_new (&box);

      if (mask == NULL)
        {
          vg_contour_no_memory (width, height, error);
          return NULL;
        }
      for (int y = 0; y < box.height; y++)
        for (int x = 0; x < box.width; x++)
          mask->bits[(gsize) y * (gsize) box.width + (gsize) x] =
              labels[(gsize) (box.y + y) * (gsize) width + (gsize) (box.x + x)] ==
              g_array_index (names, gint32, k);
      mask->number = (guint) g_array_index (names, gint32, k);
      keep (masks, mask);
    }
  return g_steal_pointer (&masks);
}

/* ---- Polygons ---- */

/* Sets the pixels whose centres lie inside the rings FIRST to END - 1 (even-odd). */
static void
fill_polygon (VgContourMask *mask, const VgContourShape *shape, guint first, guint end,
              GArray *crossings)
{
  for (int row = 0; row < mask->box.height; row++)
    {
      const double *x;

      vg_contour_shape_cross (shape, first, end, mask->box.y + row + 0.5, crossings);
      x = (const double *) (gconstpointer) crossings->data; /* NULL when a row has none */
      for (guint k = 0; k + 1 < crossings->len; k += 2)
        {
          int from = (int) CLAMP (ceil (x[k] - 0.5) - mask->box.x, 0.0, mask->box.width);
          int to = (int) CLAMP (ceil (x[k + 1] - 0.5) - mask->box.x, 0.0, mask->box.width);

          memset (mask->bits + (gsize) row * (gsize) mask->box.width + (gsize) from, 1,
                  (gsize) MAX (to - from, 0));
        }
    }
}

/* The shape's extent in the image; FALSE: it lies outside. */
static gboolean
shape_box (const VgContourShape *shape, int width, int height, VgContourBox *box)
{
  double x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;

  for (guint k = 0; k < shape->points->len; k++)
    {
      const VgContourPoint *p = &g_array_index (shape->points, VgContourPoint, k);

      x0 = MIN (x0, p->x);
      y0 = MIN (y0, p->y);
      x1 = MAX (x1, p->x);
      y1 = MAX (y1, p->y);
    }
  if (!(x1 > 0.0 && y1 > 0.0 && x0 < width && y0 < height))
    return FALSE;
  box->x = (int) MAX (floor (x0), 0.0);
  box->y = (int) MAX (floor (y0), 0.0);
  box->width = (int) MIN (ceil (x1), (double) width) - box->x;
  box->height = (int) MIN (ceil (y1), (double) height) - box->y;
  return box->width > 0 && box->height > 0;
}

GPtrArray *
vg_contour_masks_of_shapes (const GPtrArray *shapes, int width, int height, GError **error)
{
  g_autoptr (GPtrArray) masks = masks_new ();
  g_autoptr (GArray) crossings = g_array_new (FALSE, FALSE, sizeof (double));
  VgContourBox box;
  gsize bytes = 0, n = 0;

  for (guint i = 0; i < shapes->len; i++)
    if (shape_box (shapes->pdata[i], width, height, &box))
      {
        bytes += (gsize) box.width * (gsize) box.height;
        n++;
      }
  if (!check_labels (n, 0, width, height, error))
    return NULL;
  if (!vg_memory_check (bytes, "the masks of the polygons", error))
    return NULL;
  for (guint i = 0; i < shapes->len; i++)
    {
      const VgContourShape *shape = shapes->pdata[i];
      VgContourMask *mask;
      guint ring = 0;

      if (!shape_box (shape, width, height, &box))
        continue;
      mask = mask_new (&box);
      if (mask == NULL)
        {
          vg_contour_no_memory (width, height, error);
          return NULL;
        }
      for (guint k = 0; k < shape->polygon_ends->len; k++)
        {
          guint end = g_array_index (shape->polygon_ends, guint, k);

          fill_polygon (mask, shape, ring, end, crossings);
          ring = end;
        }
      mask->number = i + 1;
      keep (masks, mask);
    }
  return g_steal_pointer (&masks);
}

/* ---- Files ---- */

gint32 *
vg_contour_labels_of_file (const VgImage *file, int width, int height, GError **error)
{
  gsize n = (gsize) width * (gsize) height;
  gint32 *labels;

  if (file->info.width != width || file->info.height != height)
    {
      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "\"%s\" is %d x %d pixels, but the image is %d x %d; choose a label image of this image",
          file->name, file->info.width, file->info.height, width, height);
      return NULL;
    }
  if (file->info.channels != 1)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has %d channels; choose a label image, with one number per pixel",
                   file->name, file->info.channels);
      return NULL;
    }
  if (vg_image_info_pages (&file->info) > 1)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has %" G_GINT64_FORMAT
                   " pages; choose a label image of one page, or GeoJSON for nuclei that overlap",
                   file->name, vg_image_info_pages (&file->info));
      return NULL;
    }
  labels = g_try_new (gint32, n);
  if (labels == NULL)
    {
      vg_contour_no_memory (width, height, error);
      return NULL;
    }
  for (gsize i = 0; i < n; i++)
    {
      double value = vg_image_sample (file, i);

      labels[i] = file->info.type != VG_F32     ? (gint32) MIN (value, (double) G_MAXINT32)
                  : value >= 1.0 && value < 2e9 ? (gint32) value
                                                : 0;
    }
  return labels;
}

/* Converts pixels of level 0, which GeoJSON uses, to pixels of the image. */
static void
place_shapes (const GPtrArray *shapes, const VgImageInfo *info)
{
  const double scale = info->downsample > 0.0 ? info->downsample : 1.0;

  for (guint i = 0; i < shapes->len; i++)
    {
      const VgContourShape *shape = shapes->pdata[i];

      for (guint k = 0; k < shape->points->len; k++)
        {
          VgContourPoint *p = &g_array_index (shape->points, VgContourPoint, k);

          p->x = (p->x - info->origin[0]) / scale;
          p->y = (p->y - info->origin[1]) / scale;
        }
    }
}

GPtrArray *
vg_contour_masks_of_file (const VgImage *file, const VgImageInfo *info, guint *beyond,
                          GError **error)
{
  const int width = info->width, height = info->height;
  GPtrArray *masks = NULL;

  if (file->text != NULL)
    {
      g_autoptr (VgContourGeometry)
          geometry = vg_contour_geojson_read (file->name, file->text, file->text_length, error);

      if (geometry == NULL)
        return NULL;
      place_shapes (geometry->shapes, info);
      masks = vg_contour_masks_of_shapes (geometry->shapes, width, height, error);
      if (masks == NULL)
        return NULL;
      if (beyond != NULL)
        *beyond = geometry->shapes->len - MIN (masks->len, geometry->shapes->len);
    }
  else
    {
      g_autofree gint32 *labels = vg_contour_labels_of_file (file, width, height, error);

      if (labels == NULL)
        return NULL;
      masks = vg_contour_masks_of_labels (labels, width, height, error);
      if (masks == NULL)
        {
          g_prefix_error (error, "\"%s\" is no ground truth: ", file->name);
          return NULL;
        }
    }
  if (masks->len > 0)
    return masks;
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
      "\"%s\" has no object inside the image; choose a label image or GeoJSON polygons in pixels",
      file->name);
  g_ptr_array_unref (masks);
  return NULL;
}

/* ---- Two masks ---- */

VgContourPoint
vg_contour_mask_centroid (const VgContourMask *self)
{
  VgContourPoint sum = { 0.0, 0.0 };

  for (int y = 0; y < self->box.height; y++)
    for (int x = 0; x < self->box.width; x++)
      if (self->bits[y * self->box.width + x])
        {
          sum.x += x + 0.5;
          sum.y += y + 0.5;
        }
  return (VgContourPoint){ self->box.x + sum.x / (double) self->area,
                           self->box.y + sum.y / (double) self->area };
}

gint64
vg_contour_mask_common (const VgContourMask *a, const VgContourMask *b)
{
  int x0 = MAX (a->box.x, b->box.x), x1 = MIN (a->box.x + a->box.width, b->box.x + b->box.width);
  int y0 = MAX (a->box.y, b->box.y), y1 = MIN (a->box.y + a->box.height, b->box.y + b->box.height);
  gint64 n = 0;

  for (int y = y0; y < y1; y++)
    {
      const guint8 *p = a->bits + (gsize) (y - a->box.y) * (gsize) a->box.width,
                   *q = b->bits + (gsize) (y - b->box.y) * (gsize) b->box.width;
      int x = x0;

      for (; x + 8 <= x1; x += 8)
        n += vg_contour_sum8 (vg_contour_load8 (p + (x - a->box.x)) &
                              vg_contour_load8 (q + (x - b->box.x)));
      for (; x < x1; x++)
        n += p[x - a->box.x] & q[x - b->box.x];
    }
  return n;
}

gboolean
vg_contour_mask_is_same (const VgContourMask *a, const VgContourMask *b)
{
  return vg_contour_boxes_meet (&a->box, &b->box, 0) &&
         (double) vg_contour_mask_common (a, b) >= SAME_SHARE * (double) MIN (a->area, b->area);
}

gboolean
vg_contour_mask_touches (const VgContourMask *a, const VgContourMask *b, int reach)
{
  int x0 = MAX (a->box.x, b->box.x - reach),
      x1 = MIN (a->box.x + a->box.width, b->box.x + b->box.width + reach);
  int y0 = MAX (a->box.y, b->box.y - reach),
      y1 = MIN (a->box.y + a->box.height, b->box.y + b->box.height + reach);

  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (vg_contour_mask_has (a, x, y))
        for (int j = -reach; j <= reach; j++)
          for (int i = -reach; i <= reach; i++)
            if (vg_contour_mask_has (b, x + i, y + j))
              return TRUE;
  return FALSE;
}
