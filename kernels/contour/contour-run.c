/* SPDX-License-Identifier: MIT */
#include "contour-run.h"
#include "contour-filter.h"
#include "contour-mask.h"
#include "contour-survey.h"
#include "vg-error.h"
#include "vg-memory.h"
#include <math.h>
#include <string.h>

#define SAME_SEED 0.5        /* px: seeds nearer than this are one */
#define REMOVE_WITHIN 2.0    /* radii: a removal takes the nearest seed within */
#define SMOOTHING_RADII 0.1
#define TYPICAL_OBJECTS 500  /* to foresee memory */

/* ---- Seeds ---- */

static void
add_point (GArray *points, double x, double y)
{
  VgContourPoint point = { x, y };

  g_array_append_val (points, point);
}

/* From the file, or from what was found in the whole picture: those in this part of it. */
static gboolean
seeds_of_file (VgContourRun *self, const VgContext *context, GError **error)
{
  const VgImage *file = vg_contour_find_file (context, "seeds");
  const VgContourSurvey *survey = context->part != NULL ? context->part->survey : NULL;
  g_autoptr (GArray) points = survey != NULL ? g_array_ref (survey->seeds) : vg_contour_points_of_file (file, &self->info, error);
  double x0 = context->part != NULL ? context->part->x : 0.0, y0 = context->part != NULL ? context->part->y : 0.0;

  if (points == NULL)
    return FALSE;
  for (guint i = 0; i < points->len; i++)
    {
      double x = g_array_index (points, VgContourPoint, i).x - x0, y = g_array_index (points, VgContourPoint, i).y - y0;

      if (survey == NULL || (x >= 0.0 && y >= 0.0 && x < self->info.width && y < self->info.height))
        add_point (self->base, x, y);
    }
  if (self->base->len <= VG_CONTOUR_MAX_OBJECTS)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT, "%s holds %u seeds, at most %d are taken at once; work in smaller parts",
               file->name, self->base->len, VG_CONTOUR_MAX_OBJECTS);
  return FALSE;
}

static void
seeds_of_picture (VgContourRun *self)
{
  g_autoptr (GArray) peaks = NULL;

  /* glass: seeds lie on the foreground */
  if (memchr (self->foreground->mask, 1, (gsize) self->info.width * (gsize) self->info.height) == NULL)
    return;
  peaks = vg_contour_seeds (self->stain, self->foreground, self->params.seeding, self->params.sensitivity);
  for (guint i = 0; i < MIN (peaks->len, VG_CONTOUR_MAX_OBJECTS); i++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, i);

      add_point (self->base, peak->x, peak->y);
    }
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

/* Seeds in the picture, each place once, from the top; new. */
static GArray *
wanted_seeds (VgContourRun *self)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (VgContourPoint)), *wanted = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  const VgTable *added = self->params.added;
  guint most = self->scene->full ? VG_CONTOUR_MOST_FULL : VG_CONTOUR_MAX_OBJECTS;

  g_array_append_vals (all, self->base->data, self->base->len);
  for (int r = 0; added != NULL && r < added->rows; r++)
    add_point (all, added->values[2 * r], added->values[2 * r + 1]);
  drop_removed (all, self->params.removed, REMOVE_WITHIN * self->scene->radius);
  g_array_sort (all, by_place);
  self->outside = self->double_seeds = 0;
  for (guint i = 0; i < all->len; i++)
    {
      const VgContourPoint *p = &g_array_index (all, VgContourPoint, i);
      gboolean in = p->x >= 0.0 && p->y >= 0.0 && p->x < self->info.width && p->y < self->info.height, again = FALSE;

      for (guint k = wanted->len; k-- > 0 && in && !again;)
        {
          const VgContourPoint *q = &g_array_index (wanted, VgContourPoint, k);

          if (p->y - q->y > SAME_SEED)
            break;
          again = hypot (p->x - q->x, p->y - q->y) < SAME_SEED;
        }
      self->outside += !in;
      self->double_seeds += in && again;
      if (in && !again)
        g_array_append_val (wanted, *p);
    }
  self->left_out = wanted->len > most ? wanted->len - most : 0;
  g_array_set_size (wanted, wanted->len - self->left_out);
  g_array_unref (all);
  return wanted;
}

static gboolean
add_object (VgContourRun *self, const VgContourPoint *point, GError **error)
{
  if (vg_contour_scene_add (self->scene, point->x, point->y) != NULL)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY, "no memory for more than %u nuclei; take a smaller region",
               self->scene->objects->len);
  return FALSE;
}

static gboolean
plant (VgContourRun *self, GError **error)
{
  g_autofree char *what = NULL;

  g_clear_pointer (&self->wanted, g_array_unref);
  self->wanted = wanted_seeds (self);
  what = g_strdup_printf ("the tiles of %u nuclei", self->wanted->len);
  if (!vg_memory_check (self->wanted->len * vg_contour_object_bytes (self->info.width, self->info.height, self->scene->radius, self->scene->full),
                        what, error))
    return FALSE;
  for (guint i = 0; i < self->wanted->len; i++)
    if (!add_object (self, &g_array_index (self->wanted, VgContourPoint, i), error))
      return FALSE;
  vg_contour_scene_means (self->scene);
  self->last_iteration = self->scene->iteration + (guint64) self->params.iterations;
  self->finished = FALSE;
  vg_contour_run_changed (self);
  return TRUE;
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

/* Objects of seeds that are gone go, new seeds join; the others go on. */
static gboolean
replant (VgContourRun *self)
{
  GArray *before = self->wanted;
  gboolean any = FALSE;

  self->wanted = wanted_seeds (self);
  for (guint i = self->scene->objects->len; i-- > 0;)
    {
      const VgContourObject *object = vg_contour_scene_object (self->scene, i);

      if (has_point (self->wanted, object->seed_x, object->seed_y))
        continue;
      vg_contour_scene_remove (self->scene, i);
      any = TRUE;
    }
  for (guint i = 0; i < self->wanted->len; i++)
    {
      const VgContourPoint *p = &g_array_index (self->wanted, VgContourPoint, i);

      if (has_point (before, p->x, p->y))
        continue;
      any = TRUE;
      if (!add_object (self, p, NULL))
        break;
    }
  g_array_unref (before);
  return any;
}

/* ---- Life ---- */

/* The smoothing that the evolution wants, beyond that for the seeds. */
static void
fill_grey (VgContourRun *self)
{
  gsize n = (gsize) self->info.width * (gsize) self->info.height;
  double wanted = MAX (SMOOTHING_RADII * self->foreground->radius, VG_CONTOUR_BASE_SMOOTHING);

  if (self->params.smoothing_px <= 0.0f)
    vg_contour_gaussian (self->stain, self->info.width, self->info.height, sqrt (wanted * wanted - VG_CONTOUR_BASE_SMOOTHING * VG_CONTOUR_BASE_SMOOTHING));
  for (gsize i = 0; i < n; i++)
    self->grey[i] = (guint16) (self->stain[i] * VG_CONTOUR_UNIT_F + 0.5f);
}

static void
take_params (VgContourRun *self, const VgContourParams *params)
{
  vg_table_free (self->params.added);
  vg_table_free (self->params.removed);
  self->params = *params;
  self->params.added = vg_table_copy (params->added);
  self->params.removed = vg_table_copy (params->removed);
  self->params.seeds = self->params.truth = NULL;
}

/* Places in the whole picture as places in a part of it. */
static void
shift_table (VgTable *points, const VgPart *part)
{
  for (int i = 0; points != NULL && i < points->rows; i++)
    {
      points->values[2 * i] -= part->x;
      points->values[2 * i + 1] -= part->y;
    }
}

static gboolean
load (VgContourRun *self, const VgContext *context, GError **error)
{
  const VgContourSurvey *survey = context->part != NULL ? context->part->survey : NULL;
  const VgImage *image = context->image, *truth = survey != NULL ? NULL : vg_contour_find_file (context, "truth");
  VgContourScale scale = { .known = FALSE };
  VgContourParams look = vg_contour_look (&self->params);
  gboolean given = vg_contour_find_file (context, "seeds") != NULL;
  int width, height;

  if (image == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT, "contours need a picture; give one");
      return FALSE;
    }
  self->info = image->info;
  width = self->info.width;
  height = self->info.height;
  if (survey != NULL)
    scale = survey->scale;
  self->stain = vg_contour_grey (image, &look, &scale, error);
  self->grey = self->stain == NULL ? NULL : g_try_new (guint16, (gsize) width * (gsize) height);
  if (self->stain == NULL)
    return FALSE;
  if (self->grey == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY, "no memory for %d x %d pixels; take a smaller region", width, height);
      return FALSE;
    }
  if (truth != NULL && (self->truth = vg_contour_masks_of_file (truth, width, height, error)) == NULL)
    return FALSE;
  self->foreground = vg_contour_foreground_new (self->stain, width, height, self->params.radius_px, survey != NULL ? survey->foreground : NULL);
  if (given && !seeds_of_file (self, context, error))
    return FALSE;
  if (!given && self->params.seeding != VG_CONTOUR_SEEDS_GIVEN)
    seeds_of_picture (self);
  fill_grey (self);
  self->scene = vg_contour_scene_new (self->grey, width, height, self->foreground->radius, &self->params, context->threads, error);
  return self->scene != NULL && plant (self, error);
}

VgContourRun *
vg_contour_run_new (const VgContext *context, GError **error)
{
  VgContourRun *self = g_new0 (VgContourRun, 1);

  take_params (self, context->params);
  if (context->part != NULL)
    {
      shift_table (self->params.added, context->part);
      shift_table (self->params.removed, context->part);
    }
  self->base = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  if (load (self, context, error))
    return self;
  vg_contour_run_free (self);
  return NULL;
}

void
vg_contour_run_free (VgContourRun *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    g_free (self->planes[i]);
  vg_contour_scene_free (self->scene);
  vg_contour_foreground_free (self->foreground);
  g_clear_pointer (&self->truth, g_ptr_array_unref);
  g_clear_pointer (&self->base, g_array_unref);
  g_clear_pointer (&self->wanted, g_array_unref);
  g_clear_pointer (&self->outlines, g_array_unref);
  g_clear_pointer (&self->outline_values, g_array_unref);
  vg_table_free (self->params.added);
  vg_table_free (self->params.removed);
  g_free (self->stain);
  g_free (self->grey);
  g_free (self);
}

static gboolean
same_table (const VgTable *a, const VgTable *b)
{
  return a == NULL || b == NULL ? a == b : vg_table_equal (a, b);
}

gboolean
vg_contour_run_only_weighs (const VgContourRun *self, const VgContourParams *params)
{
  const VgContourParams *old = &self->params;

  return same_table (old->added, params->added) && same_table (old->removed, params->removed) && old->means == params->means
         && (params->radius_px > 0.0f ? params->radius_px : self->foreground->radius) == self->scene->radius;
}

/* Only the picture's plane, how seeds are found and the grid need a new start. */
gboolean
vg_contour_run_update (VgContourRun *self, const void *data, gboolean *moved)
{
  const VgContourParams *params = data, *old = &self->params;
  gboolean replanted = !same_table (old->added, params->added) || !same_table (old->removed, params->removed);
  float radius = params->radius_px > 0.0f ? params->radius_px : self->foreground->radius;

  *moved = FALSE;
  if (!vg_contour_same_grey (old, params) || old->seeding != params->seeding || old->sensitivity != params->sensitivity
      || old->grid != params->grid || old->restart != params->restart || (old->radius_px > 0.0f) != (params->radius_px > 0.0f))
    return FALSE;
  take_params (self, params);
  if (radius != self->scene->radius)
    *moved = TRUE;
  vg_contour_scene_weigh (self->scene, &self->params, radius);
  for (guint i = 0; i < self->scene->objects->len && *moved; i++)
    vg_contour_scene_refresh (self->scene, vg_contour_scene_object (self->scene, i));
  if (replanted)
    *moved |= replant (self);
  vg_contour_scene_means (self->scene);
  self->last_iteration = self->scene->iteration + (guint64) params->iterations;
  self->finished = FALSE;
  vg_contour_run_changed (self);
  return TRUE;
}

static guint64
cut_every (const VgContourRun *self)
{
  return (guint64) self->scene->reinit_period * VG_CONTOUR_PERIODS;
}

int
vg_contour_run_chunk (const VgContourRun *self, int most)
{
  /* without a contour there is nothing to wait for */
  guint64 to_cut = self->scene->objects->len == 0 ? 0 : cut_every (self) - self->scene->iteration % cut_every (self);

  return (int) MIN (MIN (to_cut, self->last_iteration - self->scene->iteration), (guint64) most);
}

gboolean
vg_contour_run_at_cut (const VgContourRun *self)
{
  return self->scene->iteration % cut_every (self) == 0;
}

void
vg_contour_run_changed (VgContourRun *self)
{
  memset (self->plane_valid, 0, sizeof self->plane_valid);
  self->scored = FALSE;
}

gboolean
vg_contour_run_is_over (const VgContourRun *self)
{
  return self->scene->iteration >= self->last_iteration || self->scene->objects->len == 0
         || (vg_contour_run_at_cut (self) && vg_contour_scene_moving (self->scene) == 0);
}

void
vg_contour_run_reached (VgContourRun *self)
{
  vg_contour_run_changed (self);
  if (!vg_contour_run_is_over (self))
    return;
  vg_contour_settle (self->scene, self->params.smallest, self->params.contrast, &self->settled);
  self->finished = TRUE;
}

double
vg_contour_run_progress (const VgContourRun *self)
{
  guint64 total = (guint64) self->params.iterations, left = self->last_iteration - self->scene->iteration;

  return self->finished || total == 0 ? 1.0 : 1.0 - (double) MIN (left, total) / (double) total;
}

void
vg_contour_memory (const void *data, const VgImageInfo *info, gsize *host, gsize *device)
{
  const VgContourParams *params = data;
  float radius = params->radius_px > 0.0f ? params->radius_px : 12.0f;
  gboolean full = params->grid == VG_CONTOUR_GRID_FULL;
  gsize pixels, objects;

  *host = *device = 0;
  if (info == NULL || info->width < 1 || info->height < 1)
    return;
  pixels = (gsize) info->width * (gsize) info->height;
  objects = full ? 2 : MIN (pixels / (gsize) (G_PI * radius * radius) + 1, (gsize) TYPICAL_OBJECTS);
  *host = pixels * 64 + objects * vg_contour_object_bytes (info->width, info->height, radius, full);
  *device = pixels * 24 + 4 * objects * vg_contour_object_bytes (info->width, info->height, radius, full);
}
