/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-finalise.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/shapes/contour-outline.h"
#include <math.h>
#include <string.h>
/* Removes objects that vanished, merged or fail the criteria; keeps the largest part of each. */

/* Fraction of the largest part's area above which another part counts as lost. */
#define PART_SHARE 0.02

/* An object in several parts keeps the largest; *LOST: another was more than a speck.  FALSE: no
 * memory. */
static gboolean
keep_largest (VgContourScene *scene, VgContourObject *object, float *work, gboolean *lost)
{
  gsize n = (gsize) object->tile.width * (gsize) object->tile.height;
  gint32 *labels = (gint32 *) (void *) work; /* they are read before it is used again */
  guint8 *inside = (guint8 *) (labels + n);
  g_autoptr (GArray) parts = NULL;
  gint32 largest = 0;
  gint32 moving = object->state.moving, still = object->state.still;

  *lost = FALSE;
  for (gsize i = 0; i < n; i++)
    inside[i] = object->phi[i] > 0.0f;
  parts = vg_contour_components (inside, labels, object->tile.width, object->tile.height);
  if (parts == NULL || parts->len < 2)
    return parts != NULL;
  for (guint k = 1; k < parts->len; k++)
    largest = g_array_index (parts, VgContourPart, k).size >
                      g_array_index (parts, VgContourPart, largest).size
                  ? (gint32) k
                  : largest;
  for (guint k = 0; k < parts->len; k++)
    *lost |= k != (guint) largest &&
             (double) g_array_index (parts, VgContourPart, k).size >
                 PART_SHARE * (double) g_array_index (parts, VgContourPart, largest).size;
  for (gsize i = 0; i < n; i++)
    if (labels[i] > 0 && labels[i] != largest + 1)
      object->phi[i] = -scene->weights.band;
  vg_contour_scene_refresh_shared (scene, object, work);
  object->state.moving = moving;
  object->state.still = still;
  return TRUE;
}

static gboolean
is_empty (const VgContourObject *object, double least)
{
  return (double) object->state.area < least * VG_CONTOUR_UNIT;
}

/* Marks the smaller one of each pair that is the same nucleus. */
static gboolean *
find_merged (const GPtrArray *masks)
{
  gboolean *gone = g_new0 (gboolean, masks->len + 1);
  g_autofree VgContourBox *boxes = g_new (VgContourBox, masks->len + 1);

  /* one after the other in memory, because most of the many pairs are far apart */
  for (guint i = 0; i < masks->len; i++)
    boxes[i] = vg_contour_mask_at (masks, i)->box;
  for (guint a = 0; a < masks->len; a++)
    for (guint b = a + 1; b < masks->len && !gone[a]; b++)
      if (!gone[b] && vg_contour_boxes_meet (&boxes[a], &boxes[b], 0))
        {
          const VgContourMask *p = vg_contour_mask_at (masks, a),
                              *q = vg_contour_mask_at (masks, b);

          if (vg_contour_mask_is_same (p, q))
            gone[p->area < q->area ? a : b] = TRUE;
        }
  return gone;
}

static void
drop (VgContourScene *scene, guint i, VgContourLoss fate)
{
  vg_contour_scene_object (scene, i)->loss |= fate;
  vg_contour_scene_drop (scene, i);
}

void
vg_contour_losses_add (VgContourLosses *self, const VgContourObject *object)
{
  self->split += (object->loss & VG_CONTOUR_SPLIT) != 0;
  self->vanished += (object->loss & VG_CONTOUR_VANISHED) != 0;
  self->faint += (object->loss & VG_CONTOUR_FAINT) != 0;
  self->merged += (object->loss & VG_CONTOUR_MERGED) != 0;
  self->large += (object->loss & VG_CONTOUR_LARGE) != 0;
  self->ragged += (object->loss & VG_CONTOUR_RAGGED) != 0;
  self->spoilt += (object->loss & VG_CONTOUR_SPOILT) != 0;
}

static gboolean
is_ragged (const VgContourScene *scene, const VgContourObject *object, double least)
{
  VgContourShape *outline = least > 0.0 ? vg_contour_outline (object, scene->width, scene->height)
                                        : NULL;
  gboolean ragged = outline != NULL && vg_contour_solidity (outline) < least;

  g_clear_pointer (&outline, vg_contour_shape_free);
  return ragged;
}

/* More than half of the pixels inside lie in artefacts. */
static gboolean
is_spoilt (const VgContourObject *object, const VgContourArtefacts *artefacts)
{
  const VgContourBox *tile = &object->tile, *box = &object->state.box;
  gint64 inside = 0, spoilt = 0;

  for (int y = box->y; y < box->y + box->height; y++)
    for (int x = box->x; x < box->x + box->width; x++)
      if (object->phi[(gsize) y * (gsize) tile->width + (gsize) x] > 0.0f)
        {
          inside++;
          spoilt += vg_contour_artefacts_at (artefacts, tile->x + x, tile->y + y) >= VG_CONTOUR_INK;
        }
  return 2 * spoilt > inside;
}

/* A user who sets a seed in an artefact sees a nucleus there. */
static gboolean
is_added (const VgContourObject *object, const VgTable *added)
{
  for (int r = 0; added != NULL && r < added->rows; r++)
    if (added->values[2 * r] == object->seed_x && added->values[2 * r + 1] == object->seed_y)
      return TRUE;
  return FALSE;
}

/* The criterion that OBJECT fails; 0: none. */
static int
find_fault (const VgContourScene *scene, const VgContourObject *object,
            const VgContourParams *params, const VgContourArtefacts *artefacts)
{
  double typical = G_PI * scene->radius * scene->radius;

  /* at least one pixel, so that masks and objects have the same order */
  if (is_empty (object, MAX (params->smallest * typical, 1.0)) || object->state.box.width == 0)
    return VG_CONTOUR_VANISHED;
  if (object->state.u_in - object->state.u_out < params->contrast)
    return VG_CONTOUR_FAINT;
  if (params->largest > 0.0f && !is_empty (object, params->largest * typical))
    return VG_CONTOUR_LARGE;
  if (params->artefacts && artefacts->matters != NULL && is_spoilt (object, artefacts) &&
      !is_added (object, params->added))
    return VG_CONTOUR_SPOILT;
  return is_ragged (scene, object, params->solidity) ? VG_CONTOUR_RAGGED : 0;
}

gboolean
vg_contour_finalise (VgContourScene *scene, const VgContourParams *params,
                     const VgContourArtefacts *artefacts, VgContourLosses *losses)
{
  g_autoptr (GPtrArray) masks = NULL;
  g_autofree gboolean *gone = NULL;
  g_autofree int *faults = g_try_new0 (int, scene->objects->len + 1);
  int taken = 0;
  gboolean good = faults != NULL;

  if (!good)
    return FALSE;
#pragma omp parallel num_threads(vg_contour_scene_threads(scene)) reduction(&& : good)
  {
    float *work = vg_contour_scene_work (scene, &taken);

#pragma omp for schedule(dynamic)
    for (guint i = 0; i < scene->objects->len; i++)
      {
        VgContourObject *object = vg_contour_scene_object (scene, i);
        gboolean lost;

        good = keep_largest (scene, object, work, &lost) && good;
        /* objects that have not moved lose nothing: an area that was found may hang by a corner */
        object->loss = lost && scene->iteration > 0 ? VG_CONTOUR_SPLIT : 0;
        faults[i] = find_fault (scene, object, params, artefacts);
      }
  }
  if (!good)
    return FALSE;
  for (guint i = scene->objects->len; i-- > 0;)
    if (faults[i] != 0)
      drop (scene, i, (VgContourLoss) faults[i]);
  masks = vg_contour_masks_of_scene (scene);
  if (masks == NULL)
    return FALSE;
  gone = masks->len == scene->objects->len ? find_merged (masks) : NULL;
  for (guint i = masks->len; i-- > 0 && gone != NULL;)
    if (gone[i])
      drop (scene, i, VG_CONTOUR_MERGED);
  memset (losses, 0, sizeof *losses);
  for (guint i = 0; i < scene->objects->len; i++)
    vg_contour_losses_add (losses, vg_contour_scene_object (scene, i));
  for (guint i = 0; i < scene->dropped->len; i++)
    vg_contour_losses_add (losses, scene->dropped->pdata[i]);
  return TRUE;
}
