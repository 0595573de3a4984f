/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/engine/contour-checkpoint.h"
#include "kernels/contour/engine/contour-edits.h"
#include "kernels/contour/engine/contour-learn.h"
#include "kernels/contour/engine/contour-seeding.h"
#include "kernels/contour/engine/contour-calibration.h"
#include "kernels/contour/net/contour-radius.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

#define SMOOTHING_RADII 0.1

/* ---- Life ---- */

/* Sets the plane on which contours evolve: the network's map, or the stain, smoothed more than for
 * the seeds. */
static gboolean
fill_grey (VgContourRun *self)
{
  gsize n = (gsize) self->info.width * (gsize) self->info.height;
  const float *plane = self->stain;
  double wanted = MAX (SMOOTHING_RADII * self->foreground->radius, VG_CONTOUR_BASE_SMOOTHING);

  if (self->params.smoothing_px <= 0.0f &&
      !vg_contour_gaussian (
          self->stain, self->info.width, self->info.height,
          sqrt (wanted * wanted - VG_CONTOUR_BASE_SMOOTHING * VG_CONTOUR_BASE_SMOOTHING)))
    return FALSE;
  if (self->maps.nucleus != NULL)
    {
      plane = self->maps.nucleus;
      if (!vg_contour_gaussian (self->maps.nucleus, self->info.width, self->info.height,
                                self->params.smoothing_px))
        return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    self->grey[i] = (guint16) (plane[i] * VG_CONTOUR_UNIT_F + 0.5f);
  vg_contour_maps_clear (&self->maps);
  return TRUE;
}

/* Allocates the planes of the maps; the system supplies memory only once they are drawn. */
static gboolean
allocate_planes (VgContourRun *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    if (i != VG_CONTOUR_OUTPUT_STAIN &&
        (self->planes[i] = g_try_new (float,
                                      (gsize) self->info.width *(gsize) self->info.height)) == NULL)
      return FALSE;
  return TRUE;
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

/* Converts points of the whole image to points of a part of it. */
static void
shift_table (VgTable *points, const VgPart *part)
{
  for (int i = 0; points != NULL && i < points->rows; i++)
    {
      points->values[2 * i] -= part->x;
      points->values[2 * i + 1] -= part->y;
    }
}

/* From the file if there is one (GIVEN), else as the settings say. */
static gboolean
find_seeds (VgContourRun *self, gboolean given, const VgContext *context, GError **error)
{
  const gboolean learned = self->maps.nucleus != NULL;

  if (given)
    return vg_contour_seeds_load (self, context, error) &&
           (!learned || vg_contour_learned_areas (self, error));
  if (self->params.seeding == VG_CONTOUR_SEEDS_GIVEN)
    return TRUE;
  return learned && self->params.seeding == VG_CONTOUR_SEEDS_AUTOMATIC
             ? vg_contour_learned_seeds (self, error)
             : vg_contour_seeds_find (self, context, error);
}

static gboolean
load (VgContourRun *self, const VgContext *context, GError **error)
{
  const VgContourCalibration *calibration = context->part != NULL ? context->part->calibration
                                                                  : NULL;
  const VgImage *image = context->image,
                *truth = calibration != NULL ? NULL : vg_contour_find_file (context, "truth");
  VgContourParams look = vg_contour_seed_params (&self->params);
  gboolean given = vg_contour_find_file (context, "seeds") != NULL;
  const VgContourForeground *like = calibration != NULL ? calibration->foreground : NULL;
  int width, height;

  if (image == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "contours need an image; open one");
      return FALSE;
    }
  self->info = image->info;
  if (image->info.channels >= 3)
    self->picture = vg_image_ref ((VgImage *) image);
  width = self->info.width;
  height = self->info.height;
  if (calibration != NULL)
    self->scale = calibration->scale;
  else if (image->slide != NULL)
    {
      /* a nucleus is as large, and as stained, in a slide's part as in the slide */
      like = vg_contour_calibrate_slide (image->slide, &self->params, context, &self->scale, error);
      if (like == NULL)
        return FALSE;
    }
  self->density = g_try_new (float, (gsize) width *(gsize) height);
  if (self->density == NULL || !allocate_planes (self))
    return vg_contour_no_memory (width, height, error);
  self->scale.density = self->density;
  self->stain = vg_contour_grey (image, &look, &self->scale, error);
  self->scale.density = NULL;
  if (!self->scale.stained)
    g_clear_pointer (&self->density, g_free);
  if (self->stain == NULL)
    return FALSE;
  self->grey = g_try_new (guint16, (gsize) width * (gsize) height);
  if (self->grey == NULL)
    return vg_contour_no_memory (width, height, error);
  if (truth != NULL && (self->truth = vg_contour_truth_of_file (truth, &self->info, error)) == NULL)
    return FALSE;
  self->foreground = like != NULL
                         ? vg_contour_foreground_new (self->stain, width, height,
                                                      self->params.radius_px, like, context, error)
                         : vg_contour_find_foreground (image, &self->params, &self->scale,
                                                       self->stain, self->maps.device, context,
                                                       error);
  if (self->foreground == NULL || vg_context_is_stopped (context))
    return FALSE;
  self->artefacts = vg_contour_artefacts_new (
      image, self->foreground->radius, context->part != NULL ? context->part->x : 0,
      context->part != NULL ? context->part->y : 0, &self->scale);
  if (self->artefacts == NULL)
    return vg_contour_no_memory (width, height, error);
  vg_contour_artefacts_count (self->artefacts, 0, 0, width, height, self->matters);
  if (given)
    self->seed_file = vg_image_ref ((VgImage *) vg_contour_find_file (context, "seeds"));
  if (!vg_contour_learn (self, context, error) || !find_seeds (self, given, context, error))
    return FALSE;
  if (vg_context_is_stopped (context))
    return FALSE;
  if (!fill_grey (self))
    return vg_contour_no_memory (width, height, error);
  self->seeded_us = g_get_monotonic_time ();
  self->scene = vg_contour_scene_new (self->grey, width, height, self->foreground->radius,
                                      &self->params, context->threads, error);
  if (self->scene == NULL)
    return FALSE;
  vg_contour_scene_limit (self->scene, self->params.iterations);
  self->tile = self->scene->without_energy = context->part != NULL;
  return vg_contour_place_seeds (self, error);
}

static int
affordable (const VgContourRun *self, double budget_s)
{
  return self->params.reinit_period;
}

static const VgContourBackend cpu = { .affordable = affordable, .advance = vg_contour_run_advance };

VgContourRun *
vg_contour_run_new_on (const VgContext *context, const VgContourNetDevice *device, GError **error)
{
  VgContourRun *self = g_new0 (VgContourRun, 1);

  self->backend = &cpu;
  self->maps.device = device;
  self->began_us = g_get_monotonic_time ();
  take_params (self, context->params);
  if (context->part != NULL)
    {
      shift_table (self->params.added, context->part);
      shift_table (self->params.removed, context->part);
    }
  self->base = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  self->edits = vg_contour_edits_new ();
  if (load (self, context, error))
    {
      if (context->checkpoint != NULL && context->part == NULL)
        vg_contour_checkpoint_restore (self, context->checkpoint);
      return self;
    }
  vg_contour_run_free (self);
  return NULL;
}

VgContourRun *
vg_contour_run_new (const VgContext *context, GError **error)
{
  return vg_contour_run_new_on (context, NULL, error);
}

void
vg_contour_run_free (gpointer data)
{
  VgContourRun *self = data;

  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    g_free (self->planes[i]);
  vg_contour_scene_free (self->scene);
  vg_contour_foreground_free (self->foreground);
  vg_contour_edits_free (self->edits);
  g_clear_pointer (&self->store, self->store->free);
  vg_contour_score_free (self->score);
  vg_contour_truth_free (self->truth);
  g_clear_pointer (&self->seed_file, vg_image_unref);
  g_clear_pointer (&self->picture, vg_image_unref);
  g_clear_pointer (&self->base, g_array_unref);
  g_clear_pointer (&self->wanted, g_array_unref);
  g_clear_pointer (&self->grades, g_array_unref);
  g_clear_pointer (&self->outlines, g_array_unref);
  g_clear_pointer (&self->nuclei, g_ptr_array_unref);
  g_free (self->outline_values);
  vg_table_free (self->params.added);
  vg_table_free (self->params.removed);
  g_free (self->areas);
  g_free (self->stain);
  g_free (self->density);
  vg_contour_maps_clear (&self->maps);
  g_free (self->grey);
  vg_contour_artefacts_free (self->artefacts);
  if (self->backend->free != NULL)
    self->backend->free (self->device); /* after the snapshots, which may lie on the device */
  g_free (self);
}

gconstpointer
vg_contour_run_tile (gpointer data, GError **error)
{
  VgContourRun *self = data;

  self->ended_us = g_get_monotonic_time ();
  return vg_contour_run_fetch (self, error) ? self : NULL;
}

gboolean
vg_contour_run_set_files (VgContourRun *self, const VgContext *context, GError **error)
{
  const VgImage *truth = vg_contour_find_file (context, "truth");
  VgContourTruth *read = NULL;

  if (vg_contour_find_file (context, "seeds") != self->seed_file)
    return FALSE;
  if (truth != NULL && (read = vg_contour_truth_of_file (truth, &self->info, error)) == NULL)
    return FALSE;
  g_clear_pointer (&self->score, vg_contour_score_free);
  vg_contour_truth_free (self->truth);
  self->truth = read;
  self->scored = FALSE;
  return TRUE;
}

/* TRUE if PARAMS are those of the run; files are compared elsewhere. */
static gboolean
is_same (const VgContourRun *self, const VgContourParams *params)
{
  VgContourParams a = self->params, b = *params;

  a.added = b.added = a.removed = b.removed = NULL;
  a.seeds = b.seeds = a.truth = b.truth = NULL;
  return memcmp (&a, &b, sizeof a) == 0 && vg_table_equal (self->params.added, params->added) &&
         vg_table_equal (self->params.removed, params->removed);
}

gboolean
vg_contour_run_changes_weights_only (const VgContourRun *self, const VgContourParams *params)
{
  const VgContourParams *old = &self->params;

  /* a change after the end restores or removes contours */
  return !self->standing.finished && !vg_contour_edits_has (self->edits, params) &&
         vg_table_equal (old->added, params->added) &&
         vg_table_equal (old->removed, params->removed) && old->means == params->means &&
         (params->radius_px > 0.0f ? params->radius_px : self->foreground->radius) ==
             self->scene->radius;
}

/* FALSE: no memory. */
static gboolean
judge (VgContourRun *self)
{
  if (!vg_contour_finalise (self->scene, &self->params, self->artefacts, &self->standing.losses))
    return FALSE;
  return self->standing.finished = TRUE;
}

/* Clears the settings that do not change how contours evolve: which objects are lost at the end,
 * how often the image is shown, and the number of iterations. */
static void
leave_out_end (VgContourParams *params)
{
  params->smallest = params->contrast = params->largest = params->solidity = 0.0f;
  params->iterations_shown = params->iterations = 0;
  params->artefacts = params->positivity = FALSE;
  params->weak_od = params->moderate_od = params->strong_od = 0.0f;
}

/* TRUE if only seeds or settings of the end differ, so that converged contours need not move. */
static gboolean
lets_rest (const VgContourParams *old, const VgContourParams *params)
{
  VgContourParams a = *old, b = *params;

  a.seeds = b.seeds = a.truth = b.truth = NULL;
  a.added = b.added = a.removed = b.removed = NULL;
  leave_out_end (&a);
  leave_out_end (&b);
  return memcmp (&a, &b, sizeof a) == 0;
}

/* The settings under which the edit history keeps contours that reached the last iteration, as they
 * were before they were finalised: such that no user can have them, with a negative number. */
static VgContourParams
cut_off_params (const VgContourRun *self)
{
  VgContourParams params = self->params;

  leave_out_end (&params);
  params.iterations = -1 - (int) MIN (self->scene->iteration, G_MAXINT / 2);
  return params;
}

static void
weigh (VgContourRun *self, float radius)
{
  vg_contour_scene_set_weights (self->scene, &self->params, radius);
  vg_contour_scene_limit (self->scene, self->params.iterations);
}

/* Sets the iterations that the progress counts: until each contour has converged or done its last
 * one. */
static void
expect_end (VgContourRun *self)
{
  if (self->standing.finished)
    self->standing.first_iteration = self->scene->iteration;
  self->standing.last_iteration = self->scene->iteration +
                                  (guint64) vg_contour_scene_iterations_left (self->scene);
}

/* Labels, overlap and measures follow the contours; the stain and the watershed do not. */
static void
invalidate_results (VgContourRun *self)
{
  self->plane_valid[VG_CONTOUR_OUTPUT_LABELS] = self->plane_valid[VG_CONTOUR_OUTPUT_OVERLAP] =
      self->plane_valid[VG_CONTOUR_N_PLANES - 1] = FALSE;
  self->scored = self->measured = self->counted = FALSE;
  g_clear_pointer (&self->nuclei, g_ptr_array_unref);
}

/* Undo or redo: restores the contours that the run had with PARAMS. */
static gboolean
go_back (VgContourRun *self, const VgContourParams *params, float radius)
{
  if (!vg_contour_edits_has (self->edits, params))
    return FALSE;
  vg_contour_edits_save (self->edits, self, &self->params);
  if (!vg_contour_edits_restore (self->edits, self, params))
    return FALSE;
  take_params (self, params);
  weigh (self, radius);
  self->plane_valid[VG_CONTOUR_OUTPUT_WATERSHED] = FALSE;
  self->params_iteration = self->scene->iteration;
  self->skip_step = TRUE;
  invalidate_results (self);
  return TRUE;
}

/* A change of the stain's plane, of the detection of seeds or of the grid needs a new run. */
gboolean
vg_contour_run_update (gpointer data, const void *new_params)
{
  VgContourRun *self = data;
  const VgContourParams *params = new_params, *old = &self->params;
  gboolean seeds_changed = !vg_table_equal (old->added, params->added) ||
                           !vg_table_equal (old->removed, params->removed);
  gboolean rests = lets_rest (old, params);
  float radius = params->radius_px > 0.0f ? params->radius_px : self->foreground->radius;
  gboolean resized = radius != self->scene->radius;

  if (is_same (self, params))
    {
      g_clear_pointer (&self->store, self->store->free);
      self->skip_step = TRUE;
      return TRUE;
    }
  if (!vg_contour_same_grey (old, params) || old->seeding != params->seeding ||
      old->sensitivity != params->sensitivity || old->force != params->force ||
      old->grid != params->grid || old->restart != params->restart ||
      (old->radius_px > 0.0f) != (params->radius_px > 0.0f))
    return FALSE;
  if (go_back (self, params, radius))
    return TRUE;
  vg_contour_edits_save (self->edits, self, &self->params);
  if (rests && !seeds_changed && self->standing.finished && params->iterations > old->iterations)
    {
      /* continues from the contours before they were finalised, if the history has them */
      VgContourParams cut_off = cut_off_params (self);

      vg_contour_edits_restore (self->edits, self, &cut_off);
    }
  take_params (self, params);
  self->params_iteration = self->scene->iteration;
  self->skip_step = rests && !seeds_changed;
  weigh (self, radius);
  vg_contour_scene_restore_dropped (self->scene);
  if (!rests)
    vg_contour_scene_wake (self->scene);
  if (resized)
    vg_contour_scene_refresh_all (self->scene);
  if (seeds_changed && !vg_contour_update_seeds (self))
    return FALSE;
  vg_contour_scene_means (self->scene);
  expect_end (self);
  invalidate_results (self);
  if (rests && self->standing.finished && vg_contour_scene_count_moving (self->scene) == 0)
    return judge (self);
  self->standing.finished = FALSE;
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
  /* without contours the run ends at once */
  guint64 to_cut = self->scene->objects->len == 0
                       ? 0
                       : cut_every (self) - self->scene->iteration % cut_every (self);

  guint64 to_end = self->standing.last_iteration > self->scene->iteration
                       ? self->standing.last_iteration - self->scene->iteration
                       : 0;

  return (int) MIN (MIN (to_cut, to_end), (guint64) most);
}

gboolean
vg_contour_run_at_cut (const VgContourRun *self)
{
  return self->scene->iteration % cut_every (self) == 0;
}

gboolean
vg_contour_run_is_over (const VgContourRun *self)
{
  return self->scene->iteration >= self->standing.last_iteration ||
         self->scene->objects->len == 0 ||
         (vg_contour_run_at_cut (self) && vg_contour_scene_count_moving (self->scene) == 0);
}

gboolean
vg_contour_run_end_step (VgContourRun *self, GError **error)
{
  invalidate_results (self);
  if (!vg_contour_run_is_over (self))
    return TRUE;
  self->standing.cut_off = vg_contour_scene_count_cut_off (self->scene);
  /* convergence is only checked at a cut */
  if (!self->tile && (self->standing.cut_off > 0 || !vg_contour_run_at_cut (self)))
    {
      VgContourParams cut_off = cut_off_params (self);

      vg_contour_edits_save (self->edits, self, &cut_off);
    }
  return judge (self) || vg_contour_no_memory (self->info.width, self->info.height, error);
}

gboolean
vg_contour_run_advance (VgContourRun *self, int n, GError **error)
{
  vg_contour_scene_iterate (self->scene, n);
  if (vg_contour_run_at_cut (self) && !vg_contour_scene_grow (self->scene, NULL, error))
    return FALSE;
  return vg_contour_run_end_step (self, error);
}

/* Counted from the last state in which all had converged, so that a later end removes nothing. */
double
vg_contour_run_progress (gpointer data)
{
  const VgContourRun *self = data;
  const VgContourStanding *standing = &self->standing;
  guint64 total = standing->last_iteration - standing->first_iteration;

  return standing->finished || self->scene->iteration >= standing->last_iteration
             ? 1.0
             : (double) (self->scene->iteration - standing->first_iteration) / (double) total;
}
