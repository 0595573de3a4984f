/* SPDX-License-Identifier: MIT */
#include "kernels/contour/seeds/contour-level.h"
#include "kernels/contour/model/contour-filter.h"
#include <string.h>

/* Least distance of the centres of two parts, in radii. */
static const double apart[VG_CONTOUR_CUTS] = { 1.0, 0.7 };
#define SMOOTH_DISTANCE 0.15 /* radii */
#define LEAST_DEPTH 0.25     /* radii: distance of a part's centre from the border */
/* Area, in typical nuclei, up to which an area is considered.  Like
 * VG_CONTOUR_AREA_REACH it makes the choice independent of distant pixels, so
 * that tiles agree. */
#define MOST_PARTS 8.0

gboolean
vg_contour_planes_init (VgContourPlanes *self, gsize n)
{
  *self = (VgContourPlanes){ g_try_new (gint32, n), g_try_new0 (gint32, n), g_try_new (float, n),
                             g_try_malloc (n), g_try_malloc (n) };
  return self->labels != NULL && self->parts != NULL && self->distance != NULL &&
         self->mask != NULL && self->cut != NULL;
}

void
vg_contour_planes_clear (VgContourPlanes *self)
{
  g_free (self->labels);
  g_free (self->parts);
  g_free (self->distance);
  g_free (self->mask);
  g_free (self->cut);
}

static void
mark (const VgContourLook *look, const VgContourLevel *level, int i, guint8 *mask)
{
  const VgContourPart *box = vg_contour_level_box (level, i);

  for (int y = box->top; y < box->bottom; y++)
    for (int x = box->left; x < box->right; x++)
      {
        gsize k = (gsize) y * (gsize) look->width + (gsize) x;

        if (level->labels[k] == i + 1)
          mask[k] = 1;
      }
}

/* The boxes of the parts of areas that have more than one. */
static VgContourPart *
measure_parts (const VgContourLook *look, const VgContourLevel *level,
               const VgContourPlanes *planes, const int *middles, int n)
{
  VgContourPart *boxes = g_try_new0 (VgContourPart, n + 1);

  for (int i = 0; i < level->n && boxes != NULL; i++)
    for (int y = vg_contour_level_box (level, i)->top;
         y < vg_contour_level_box (level, i)->bottom && middles[i] > 1; y++)
      for (int x = vg_contour_level_box (level, i)->left;
           x < vg_contour_level_box (level, i)->right; x++)
        {
          gsize k = (gsize) y * (gsize) look->width + (gsize) x;
          VgContourPart *part = planes->parts[k] > 0 && level->labels[k] == i + 1
                                    ? &boxes[planes->parts[k] - 1]
                                    : NULL;

          if (part == NULL)
            continue;
          if (part->size == 0)
            *part = (VgContourPart){ x, y, x, y, 0, k };
          part->left = MIN (part->left, x);
          part->right = MAX (part->right, x + 1);
          part->bottom = y + 1;
          part->size++;
        }
  return boxes;
}

/* Cuts areas at the watersheds of the distance between centres apart[k] radii apart. */
static gboolean
cut_apart (const VgContourLook *look, VgContourLevel *level, const VgContourPlanes *planes, guint k)
{
  int width = look->width, height = look->height;
  g_autoptr (GArray) peaks = vg_contour_peaks (
      planes->distance, width, height, (float) LEAST_DEPTH * look->radius, apart[k] * look->radius);
  g_autofree int *middles = g_try_new0 (int, level->n + 1);
  g_autofree VgContourPart *boxes = NULL;

  if (peaks == NULL || middles == NULL)
    return FALSE;
  level->owner[k] = g_try_new0 (gint32, peaks->len + 1);
  if (level->owner[k] == NULL)
    return FALSE;
  memset (planes->cut, 0, (gsize) width * (gsize) height);
  for (guint p = 0; p < peaks->len; p++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, p);

      level->owner[k][p] = level->labels[(gsize) peak->y * (gsize) width + (gsize) peak->x];
      if (level->owner[k][p] > 0)
        middles[level->owner[k][p] - 1]++;
    }
  for (int i = 0; i < level->n; i++)
    if (middles[i] > 1)
      mark (look, level, i, planes->cut);
  for (guint p = 0; p < peaks->len; p++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, p);

      if (level->owner[k][p] > 0 && middles[level->owner[k][p] - 1] > 1)
        planes->parts[(gsize) peak->y * (gsize) width + (gsize) peak->x] = (gint32) p + 1;
      else
        level->owner[k][p] = 0; /* a single part is the area itself */
    }
  if (!vg_contour_flood (planes->distance, planes->cut, planes->parts, width, height))
    return FALSE;
  boxes = measure_parts (look, level, planes, middles, (int) peaks->len);
  if (boxes == NULL)
    return FALSE;
  level->part[k] = vg_contour_areas_measure (look, planes->parts, boxes, (int) peaks->len,
                                             level->owner[k]);
  if (level->part[k] == NULL)
    return FALSE;
  level->n_parts[k] = (int) peaks->len;
  for (int i = 0; i < level->n; i++)
    for (int y = vg_contour_level_box (level, i)->top;
         y < vg_contour_level_box (level, i)->bottom && middles[i] > 1; y++)
      memset (planes->parts + (gsize) y * (gsize) width + vg_contour_level_box (level, i)->left, 0,
              sizeof *planes->parts * (gsize) (vg_contour_level_box (level, i)->right -
                                               vg_contour_level_box (level, i)->left));
  return TRUE;
}

/* Cuts the areas that may consist of several nuclei. */
static gboolean
cut_level (const VgContourLook *look, VgContourLevel *level, const VgContourPlanes *planes,
           const gint32 *local)
{
  int any = 0;

  memset (planes->mask, 0, (gsize) look->width * (gsize) look->height);
  for (int i = 0; i < level->n; i++)
    if (local[i] && (level->whole[i] == NULL || !vg_contour_area_is_whole (level->whole[i])))
      {
        mark (look, level, i, planes->mask);
        any++;
      }
  if (any == 0)
    return TRUE;
  if (!vg_contour_distance (planes->mask, planes->distance, look->width, look->height) ||
      !vg_contour_gaussian (planes->distance, look->width, look->height,
                            SMOOTH_DISTANCE * look->radius))
    return FALSE;
  for (guint k = 0; k < VG_CONTOUR_CUTS; k++)
    if (!cut_apart (look, level, planes, k))
      return FALSE;
  return TRUE;
}

static gboolean
measure_level (const VgContourLook *look, const VgContourPlanes *planes, VgContourLevel *self)
{
  g_autofree gint32 *local = NULL;

  if (!vg_contour_clean (planes->mask, look->width, look->height, (int) look->typical,
                         (int) (VG_CONTOUR_LEAST_AREA * look->typical)))
    return FALSE;
  self->boxes = vg_contour_components (planes->mask, planes->labels, look->width, look->height);
  local = self->boxes == NULL ? NULL : g_try_new0 (gint32, self->boxes->len + 1);
  if (local == NULL)
    return FALSE;
  self->labels = planes->labels;
  if (self->boxes->len == 0) /* all was too small */
    return TRUE;
  for (int i = 0; i < (int) self->boxes->len; i++)
    {
      const VgContourPart *box = vg_contour_level_box (self, i);

      local[i] = (double) box->size <= MOST_PARTS * look->typical &&
                 MAX (box->right - box->left, box->bottom - box->top) - 1 <
                     VG_CONTOUR_AREA_REACH * look->radius;
    }
  self->whole = vg_contour_areas_measure (look, self->labels, vg_contour_level_box (self, 0),
                                          (int) self->boxes->len, local);
  if (self->whole == NULL)
    return FALSE;
  self->n = (int) self->boxes->len;
  return cut_level (look, self, planes, local);
}

VgContourLevel *
vg_contour_level_new (const VgContourLook *look, const VgContourPlanes *planes, float grey)
{
  VgContourLevel *self = g_new0 (VgContourLevel, 1);
  gsize n = (gsize) look->width * (gsize) look->height, above = 0;

#pragma omp simd reduction(+ : above)
  for (gsize i = 0; i < n; i++)
    above += planes->mask[i] = look->grey[i] > grey;
  if (above == 0) /* empty glass, common in slides */
    return self;
  if (measure_level (look, planes, self))
    return self;
  vg_contour_level_free (self);
  return NULL;
}

void
vg_contour_level_free (VgContourLevel *self)
{
  vg_contour_areas_free (self->whole, self->n);
  for (guint k = 0; k < VG_CONTOUR_CUTS; k++)
    {
      vg_contour_areas_free (self->part[k], self->n_parts[k]);
      g_free (self->owner[k]);
    }
  g_clear_pointer (&self->boxes, g_array_unref);
  g_free (self);
}
