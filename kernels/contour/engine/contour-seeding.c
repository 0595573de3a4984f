/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-seeding.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/engine/contour-split.h"
#include "kernels/contour/engine/contour-calibration.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include <math.h>
#include <string.h>
/* Seeds and the contours they start. */

#define SAME_SEED 0.5     /* px: seeds nearer than this are one, */
#define SAME_RADII 0.25   /* and nearer than this: nuclei do not lie so close */
#define GROWTH_RADII 0.5  /* by which a disc grows to a nucleus and somewhat more */
#define REMOVE_WITHIN 0.5 /* radii within which a removal acts on the nearest found seed */

static void
add_point (GArray *points, double x, double y)
{
  VgContourPoint point = { x, y };

  g_array_append_val (points, point);
}

/* From the file; of a tile, those of the calibration that lie inside it. */
gboolean
vg_contour_seeds_load (VgContourRun *self, const VgContext *context, GError **error)
{
  const VgImage *file = vg_contour_find_file (context, "seeds");
  const VgContourCalibration *calibration = context->part != NULL ? context->part->calibration
                                                                  : NULL;
  g_autoptr (GArray)
      points = calibration != NULL
                   ? g_array_ref (calibration->seeds)
                   : vg_contour_points_of_file (file, &self->info, &self->without_area, error);
  double x0 = context->part != NULL ? context->part->x : 0.0,
         y0 = context->part != NULL ? context->part->y : 0.0;

  if (points == NULL)
    return FALSE;
  self->given = TRUE;
  for (guint i = 0; i < points->len; i++)
    {
      double x = g_array_index (points, VgContourPoint, i).x - x0,
             y = g_array_index (points, VgContourPoint, i).y - y0;

      if (calibration == NULL ||
          (x >= 0.0 && y >= 0.0 && x < self->info.width && y < self->info.height))
        add_point (self->base, x, y);
    }
  if (self->base->len <= VG_CONTOUR_MAX_OBJECTS)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "\"%s\" has %u seeds, but at most %d can be used at once; analyse smaller regions",
               file->name, self->base->len, VG_CONTOUR_MAX_OBJECTS);
  return FALSE;
}

gboolean
vg_contour_seeds_find (VgContourRun *self, const VgContext *context, GError **error)
{
  g_autoptr (GArray) peaks = NULL;

  /* without foreground there are no seeds, except that a tile may contain pale areas */
  if ((self->params.seeding != VG_CONTOUR_SEEDS_AUTOMATIC || context->part == NULL) &&
      memchr (self->foreground->mask, 1, (gsize) self->info.width * (gsize) self->info.height) ==
          NULL)
    return TRUE;
  peaks = vg_contour_seeds (self->stain, self->foreground, self->params.seeding,
                            self->params.sensitivity, context, &self->areas);
  if (peaks == NULL)
    return vg_contour_no_memory (self->info.width, self->info.height, error);
  for (guint i = 0; i < MIN (peaks->len, VG_CONTOUR_MAX_OBJECTS); i++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, i);

      add_point (self->base, peak->x, peak->y);
    }
  return TRUE;
}

static void
drop_removed (GArray *points, const VgTable *removed, double within)
{
  for (int r = 0; removed != NULL && r < removed->rows; r++)
    {
      double x = removed->values[2 * r], y = removed->values[2 * r + 1], least = within;
      guint nearest = G_MAXUINT;

      for (guint i = 0; i < points->len; i++)
        {
          const VgContourPoint *p = &g_array_index (points, VgContourPoint, i);

          if (hypot (p->x - x, p->y - y) < least)
            {
              least = hypot (p->x - x, p->y - y);
              nearest = i;
            }
        }
      if (nearest < points->len)
        g_array_remove_index (points, nearest);
    }
}

static int
by_place (gconstpointer a, gconstpointer b)
{
  const VgContourPoint *p = a, *q = b;

  return p->y != q->y ? (p->y < q->y ? -1 : 1) : (p->x > q->x) - (p->x < q->x);
}

typedef struct
{
  VgContourPoint point;
  gboolean hand; /* set by hand: preferred to a detected seed that is too near */
} Candidate;

static void
add_candidates (GArray *candidates, const VgContourPoint *points, guint n, gboolean hand)
{
  for (guint i = 0; i < n; i++)
    {
      Candidate candidate = { points[i], hand };

      g_array_append_val (candidates, candidate);
    }
}

/* Adds CANDIDATE, in the order of positions, unless a seed is there already; returns the number of
 * seeds that were dropped. */
static guint
take_candidate (GArray *taken, const Candidate *candidate, double same)
{
  guint doubles = 0;

  for (guint k = taken->len; k-- > 0;)
    {
      const Candidate *other = &g_array_index (taken, Candidate, k);

      if (candidate->point.y - other->point.y > same)
        break;
      if (hypot (candidate->point.x - other->point.x, candidate->point.y - other->point.y) >= same)
        continue;
      if (other->hand || !candidate->hand)
        return doubles + 1;
      g_array_remove_index (taken, k);
      doubles++;
    }
  g_array_append_val (taken, *candidate);
  return doubles;
}

/* Distance in pixels below which two seeds are one. */
static double
same_within (const VgContourRun *self)
{
  return MAX (SAME_RADII * self->scene->radius, SAME_SEED);
}

/* The seeds inside the image, without doubles, in the order of positions; new. */
static GArray *
wanted_seeds (VgContourRun *self)
{
  g_autoptr (GArray) found = g_array_copy (self->base),
                     all = g_array_new (FALSE, FALSE, sizeof (Candidate)),
                     taken = g_array_new (FALSE, FALSE, sizeof (Candidate));
  GArray *wanted = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  const VgTable *added = self->params.added;
  const double same = same_within (self);
  guint most = self->scene->full ? VG_CONTOUR_MOST_FULL : VG_CONTOUR_MAX_OBJECTS;

  /* a seed set by hand is removed from its table, not by a removal */
  drop_removed (found, self->params.removed, MAX (REMOVE_WITHIN * self->scene->radius, SAME_SEED));
  add_candidates (all, (const VgContourPoint *) (gconstpointer) found->data, found->len, FALSE);
  for (int r = 0; added != NULL && r < added->rows; r++)
    add_candidates (all, &(VgContourPoint){ added->values[2 * r], added->values[2 * r + 1] }, 1,
                    TRUE);
  g_array_sort (all, by_place);
  self->standing.outside = self->standing.double_seeds = 0;
  for (guint i = 0; i < all->len; i++)
    {
      const Candidate *candidate = &g_array_index (all, Candidate, i);
      const VgContourPoint *p = &candidate->point;

      if (p->x >= 0.0 && p->y >= 0.0 && p->x < self->info.width && p->y < self->info.height)
        self->standing.double_seeds += take_candidate (taken, candidate, same);
      else
        self->standing.outside++;
    }
  self->standing.left_out = taken->len > most ? taken->len - most : 0;
  for (guint i = 0; i < taken->len - self->standing.left_out; i++)
    g_array_append_val (wanted, g_array_index (taken, Candidate, i).point);
  return wanted;
}

static gboolean
has_point (const GArray *points, double x, double y)
{
  VgContourPoint wanted = { x, y };
  guint low = 0, high = points->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (by_place (&g_array_index (points, VgContourPoint, middle), &wanted) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low < points->len && by_place (&g_array_index (points, VgContourPoint, low), &wanted) == 0;
}

static gint32
area_at (const VgContourRun *self, const VgContourPoint *point)
{
  return self->areas == NULL
             ? 0
             : self->areas[(gsize) point->y * (gsize) self->info.width + (gsize) point->x];
}

/* A seed that was detected with its area starts as that area.  The caller refreshes the object. */
static VgContourObject *
start_object (VgContourRun *self, const VgContourPoint *point)
{
  gint32 label = area_at (self, point);
  gboolean area = label > 0 && (guint) label <= self->base->len &&
                  by_place (&g_array_index (self->base, VgContourPoint, label - 1), point) == 0;

  return vg_contour_scene_add_seed (self->scene, point->x, point->y, area ? self->areas : NULL,
                                    label);
}

static gboolean
add_object (VgContourRun *self, const VgContourPoint *point, GError **error)
{
  if (start_object (self, point) != NULL)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory for more than %u nuclei; choose a smaller region",
               self->scene->objects->len);
  return FALSE;
}

/* TRUE if the seed was set by hand, neither detected nor read from a file. */
static gboolean
is_by_hand (const VgContourRun *self, const VgContourPoint *point)
{
  const VgTable *added = self->params.added;

  for (int r = 0; added != NULL && r < added->rows; r++)
    if (added->values[2 * r] == point->x && added->values[2 * r + 1] == point->y)
      return TRUE;
  return FALSE;
}

gboolean
vg_contour_is_user_seed (const VgContourRun *self, const VgContourObject *object)
{
  return self->given || is_by_hand (self, &(VgContourPoint){ object->seed_x, object->seed_y });
}

gboolean
vg_contour_has_seed (const VgContourRun *self, const VgContourObject *object)
{
  return has_point (self->wanted, object->seed_x, object->seed_y);
}

/* Objects from FIRST on are new.  Splits the contours that contain them, and removes objects
 * without a seed.  FALSE: no memory. */
static gboolean
share_out (VgContourRun *self, guint first)
{
  if (!vg_contour_split_hosts (self, first))
    return FALSE;
  for (guint i = self->scene->objects->len; i-- > 0;)
    if (!vg_contour_has_seed (self, vg_contour_scene_object (self->scene, i)))
      vg_contour_scene_remove (self->scene, i);
  return TRUE;
}

static gboolean
has_object (const VgContourRun *self, const VgContourPoint *point)
{
  for (guint i = 0; i < self->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (self->scene, i);

      if (object->seed_x == point->x && object->seed_y == point->y)
        return TRUE;
    }
  return FALSE;
}

/* Adds objects for seeds that were not set by hand, and for detected seeds that one set by hand
 * replaces, so that it can split them. */
static gboolean
place_found (VgContourRun *self, GError **error)
{
  for (guint i = 0; i < self->wanted->len; i++)
    {
      const VgContourPoint *p = &g_array_index (self->wanted, VgContourPoint, i);
      gboolean hand = is_by_hand (self, p);
      gint32 label = hand ? area_at (self, p) : 0;
      const VgContourPoint *own = label > 0 && (guint) label <= self->base->len
                                      ? &g_array_index (self->base, VgContourPoint, label - 1)
                                      : NULL;

      if (!hand && !add_object (self, p, error))
        return FALSE;
      if (own != NULL && hypot (own->x - p->x, own->y - p->y) < same_within (self) &&
          !has_point (self->wanted, own->x, own->y) && !has_object (self, own) &&
          !add_object (self, own, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
vg_contour_place_seeds (VgContourRun *self, GError **error)
{
  g_autofree char *what = NULL;
  guint found;

  g_clear_pointer (&self->wanted, g_array_unref);
  self->wanted = wanted_seeds (self);
  self->plane_valid[VG_CONTOUR_OUTPUT_WATERSHED] = FALSE;
  what = g_strdup_printf ("the tiles of %u nuclei", self->wanted->len);
  if (!vg_memory_check (self->wanted->len *
                            vg_contour_object_bytes (self->info.width, self->info.height,
                                                     self->scene->radius, self->scene->full),
                        what, error))
    return FALSE;
  if (!place_found (self, error))
    return FALSE;
  found = self->scene->objects->len;
  for (guint i = 0; i < self->wanted->len; i++)
    if (is_by_hand (self, &g_array_index (self->wanted, VgContourPoint, i)) &&
        !add_object (self, &g_array_index (self->wanted, VgContourPoint, i), error))
      return FALSE;
  vg_contour_scene_refresh_all (self->scene);
  if (self->areas != NULL && !share_out (self, found)) /* discs are not split */
    return vg_contour_no_memory (self->info.width, self->info.height, error);
#pragma omp parallel for schedule(dynamic) num_threads(self->scene->threads)
  for (guint i = 0; i < self->scene->objects->len; i++)
    vg_contour_scene_measure (self->scene, vg_contour_scene_object (self->scene, i));
  vg_contour_scene_means (self->scene);
  self->standing.first_iteration = self->scene->iteration;
  self->standing.last_iteration = self->scene->iteration +
                                  (guint64) vg_contour_scene_iterations_left (self->scene);
  self->standing.finished = FALSE;
  return TRUE;
}

/* The box, in the image, where H of an object is not 0, with a margin. */
static VgContourBox
extent_of (const VgContourScene *scene, const VgContourObject *object, int margin)
{
  const VgContourBox *box = &object->state.box;
  int by = (int) scene->weights.band - margin;

  return (VgContourBox){ object->tile.x + box->x + by, object->tile.y + box->y + by,
                         box->width - 2 * by, box->height - 2 * by };
}

/* Wakes the objects that the new OBJECT will touch. */
static void
wake_touched (VgContourScene *scene, VgContourObject *object)
{
  const VgContourBox own = extent_of (scene, object, (int) ceil (GROWTH_RADII * scene->radius));

  for (guint i = 0; i < scene->objects->len; i++)
    {
      VgContourObject *other = vg_contour_scene_object (scene, i);
      const VgContourBox box = extent_of (scene, other, 2);

      if (vg_contour_boxes_meet (&box, &own, 0))
        vg_contour_object_wake (other);
    }
}

gboolean
vg_contour_update_seeds (VgContourRun *self)
{
  VgContourScene *scene = self->scene;
  g_autoptr (GArray) before = self->wanted;
  const guint first = scene->objects->len, last_id = scene->next_id;

  self->wanted = wanted_seeds (self);
  self->plane_valid[VG_CONTOUR_OUTPUT_WATERSHED] = FALSE;
  for (guint i = 0; i < self->wanted->len; i++)
    {
      const VgContourPoint *p = &g_array_index (self->wanted, VgContourPoint, i);

      if (has_point (before, p->x, p->y))
        continue;
      if (!add_object (self, p, NULL))
        return FALSE;
      vg_contour_scene_refresh (scene, vg_contour_scene_object (scene, scene->objects->len - 1));
    }
  if (!share_out (self, first))
    return FALSE;
  for (guint i = scene->objects->len; i-- > 0 && vg_contour_scene_object (scene, i)->id > last_id;)
    {
      VgContourObject *object = vg_contour_scene_object (scene, i);

      vg_contour_scene_measure (scene, object);
      if (object->state.moving)
        wake_touched (scene, object);
    }
  return TRUE;
}
