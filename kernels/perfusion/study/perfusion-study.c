/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/core/vg-operation.h"
#include <string.h>
/* Prepares the data of a study for the fits, from settings and files. */

extern const VgOperation vg_perfusion_operation;

static gboolean
check_data (const VgContext *context, GError **error)
{
  const VgImageInfo *info = &context->image->info;
  const char *name = context->image->name;

  if (info->frames < 3 || info->frames > VG_PERFUSION_MAX_FRAMES)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" has %" G_GINT64_FORMAT " time point%s, but a contrast series needs 3 to "
                 "%d; open all time points together",
                 name, info->frames, info->frames == 1 ? "" : "s", VG_PERFUSION_MAX_FRAMES);
  else if (info->bins != 1 || info->channels != 1)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" has colours or time bins; open data with one grey value per voxel", name);
  else if (info->slices > G_MAXINT ||
           (gsize) info->slices * vg_image_info_page_samples (info) > G_MAXINT)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" has too many voxels; crop it to the liver", name);
  else
    return TRUE;
  return FALSE;
}

static void
clear_results (VgPerfusionStudy *self)
{
  g_clear_pointer (&self->mask, g_free);
  g_clear_pointer (&self->t1_s, g_free);
  g_clear_pointer (&self->t1_maps, g_free);
  g_clear_pointer (&self->b1, g_free);
  g_clear_pointer (&self->cos_flip, g_free);
  g_clear_pointer (&self->artery, g_free);
  g_clear_pointer (&self->portal, g_free);
  g_clear_pointer (&self->paper, vg_perfusion_paper_free);
  g_clear_pointer (&self->problem, vg_perfusion_problem_free);
  g_clear_pointer (&self->dictionary, vg_perfusion_dictionary_free);
  g_clear_pointer (&self->grid, vg_perfusion_grid_free);
  g_clear_pointer (&self->deconvolution, vg_perfusion_deconvolution_free);
  for (int m = 0; m < VG_PERFUSION_CANDIDATES; m++)
    {
      g_clear_pointer (&self->others[m], vg_perfusion_problem_free);
      g_clear_pointer (&self->other_grids[m], vg_perfusion_grid_free);
    }
}

static void
set_signal (VgPerfusionStudy *self)
{
  const VgPerfusionParams *params = self->params;

  self->signal = (VgPerfusionSignal){ params->signal,
                                      params->relaxivity,
                                      params->repetition_ms / 1000,
                                      (float) cos (params->flip_deg * G_PI / 180),
                                      params->saturation_ms / 1000,
                                      1 / params->hu_per_mg_ml,
                                      0,
                                      0 };
}

static VgPerfusionProblem *
problem_of (const VgPerfusionStudy *self, VgPerfusionModel model, const VgPerfusionBounds *bounds)
{
  return vg_perfusion_problem_new (model, self->n, self->times_s, self->artery, self->portal,
                                   self->weights, bounds);
}

/* The problems of all models but the first.  FALSE: there is not enough memory. */
static gboolean
make_others (VgPerfusionStudy *self, const VgPerfusionBounds *bounds)
{
  for (int m = 1; m < VG_PERFUSION_CANDIDATES; m++)
    {
      self->others[m] = problem_of (self, (VgPerfusionModel) m, bounds);
      self->other_grids[m] = vg_perfusion_grid_new (self->others[m], self->threads);
      if (self->other_grids[m] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
make_problem (VgPerfusionStudy *self, GError **error)
{
  const VgPerfusionParams *params = self->params;
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();

  bounds.k_max = params->kl_max / VG_PERFUSION_RATE;
  bounds.delay_min = params->delay_min_s;
  bounds.delay_max = params->delay_max_s;
  bounds.delays = (VgPerfusionDelays) params->delays;
  gboolean best = params->model == VG_PERFUSION_BEST;

  self->problem = problem_of (
      self, best ? VG_PERFUSION_COMPARTMENT : (VgPerfusionModel) params->model, &bounds);
  if (params->solver == VG_PERFUSION_SOLVER_PAPER)
    self->paper = vg_perfusion_paper_new (self->problem,
                                          (VgPerfusionConvolution) params->convolution);
  else if (self->problem->model == VG_PERFUSION_COMPARTMENT)
    self->dictionary = vg_perfusion_dictionary_new (self->problem);
  else if (params->model == VG_PERFUSION_DECONVOLUTION)
    self->deconvolution = vg_perfusion_deconvolution_new (
        self->problem, params->artery_percent / 100,
        (VgPerfusionRegularisation) params->regularisation, params->singular_percent / 100,
        self->threads, self->stop);
  else
    self->grid = vg_perfusion_grid_new (self->problem, self->threads);
  if ((self->paper != NULL || self->dictionary != NULL || self->grid != NULL ||
       self->deconvolution != NULL) &&
      (!best || make_others (self, &bounds)))
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory to fit %d frames; close other programs", self->n);
  return FALSE;
}

/* CONTEXT NULL: the motion was corrected before. */
static gboolean
prepare_study (VgPerfusionStudy *self, const VgContext *context, VgPerfusionMotionFind find,
               GError **error)
{
  set_signal (self);
  if (!vg_perfusion_read_frames (self, error) || !vg_perfusion_read_mask (self, error) ||
      (context != NULL && !vg_perfusion_correct_motion (self, context, find, error)))
    return FALSE;
  vg_perfusion_leave_out (self);
  if (!vg_perfusion_read_relaxation (self, error) || !vg_perfusion_read_inputs (self, error))
    return FALSE;
  return make_problem (self, error);
}

static VgPerfusionStudy *
study_with (const VgPerfusionParams *params, VgImage *image, int threads)
{
  VgPerfusionStudy *self = g_new0 (VgPerfusionStudy, 1);

  self->params = vg_params_copy (&vg_perfusion_operation.params, params);
  self->image = vg_image_ref (image);
  self->threads = threads > 0 ? threads : (int) g_get_num_processors ();
  self->n = (int) image->info.frames;
  self->voxels = vg_image_info_page_samples (&image->info) * (gsize) image->info.slices;
  self->times_s = g_new0 (double, self->n);
  self->weights = g_new0 (double, self->n);
  self->apparent_motion = NAN;
  return self;
}

/* A study with the image and the files, of which nothing has been read. */
static VgPerfusionStudy *
study_of_context (const VgContext *context, GError **error)
{
  VgPerfusionStudy *self;

  if (!check_data (context, error))
    return NULL;
  self = study_with (context->params, (VgImage *) context->image, context->threads);
  for (guint i = 0; i < context->n_files && self->n_files < VG_PERFUSION_MAX_FILES; i++)
    {
      self->files[self->n_files].id = g_strdup (context->files[i].param_id);
      self->files[self->n_files++].image = vg_image_ref ((VgImage *) context->files[i].image);
    }
  return self;
}

VgPerfusionStudy *
vg_perfusion_study_new (const VgContext *context, GError **error)
{
  return vg_perfusion_study_new_on (context, NULL, error);
}

VgPerfusionStudy *
vg_perfusion_study_new_on (const VgContext *context, VgPerfusionMotionFind find, GError **error)
{
  g_autoptr (VgPerfusionStudy) self = study_of_context (context, error);

  if (self == NULL)
    return NULL;
  self->stop = context->stop;
  if (!prepare_study (self, context, find, error))
    return NULL;
  self->stop = NULL;
  self->motion_stop = context->stop;
  return g_steal_pointer (&self);
}

/* Whether the corrected series is the same with other settings. */
static gboolean
same_motion (const VgPerfusionParams *a, const VgPerfusionParams *b)
{
  VgPerfusionParams other = *a;

  if (a->motion == VG_PERFUSION_MOTION_OFF && b->motion == VG_PERFUSION_MOTION_OFF)
    return TRUE;
  other.motion = b->motion;
  other.motion_spacing_mm = b->motion_spacing_mm;
  other.mask = b->mask;
  other.frame_weights = b->frame_weights;
  return vg_params_equal (&vg_perfusion_operation.params, &other, a);
}

/* Takes the corrected series from OTHER, unless SELF needs another one.  A liver that is searched
 * again was marked when the motion was corrected. */
static gboolean
take_corrected (VgPerfusionStudy *self, const VgPerfusionStudy *other)
{
  VgPerfusionParams settings = *self->params;

  if (other == NULL || other->motion == NULL)
    return FALSE;
  settings.mask = settings.mask == NULL || *settings.mask == '\0' ? other->params->mask
                                                                  : settings.mask;
  if (!same_motion (other->params, &settings))
    return FALSE;
  vg_image_unref (self->image);
  self->image = vg_image_ref (other->image);
  return TRUE;
}

VgPerfusionStudy *
vg_perfusion_study_new_frames (const VgContext *context, GError **error)
{
  g_autoptr (VgPerfusionStudy) self = study_of_context (context, error);
  const VgPerfusionStudy *const *state = context->state; /* begins with its study */

  if (self == NULL || !vg_perfusion_read_frames (self, error) ||
      (self->params->motion != VG_PERFUSION_MOTION_OFF &&
       !take_corrected (self, state != NULL ? *state : NULL) &&
       (!vg_perfusion_read_mask (self, error) ||
        !vg_perfusion_correct_motion (self, context, NULL, error))))
    return NULL;
  g_clear_pointer (&self->mask, g_free); /* it was for the motion alone */
  return g_steal_pointer (&self);
}

/* Moves T1 and B1 from one study to another. */
static void
move_relaxation (VgPerfusionStudy *from, VgPerfusionStudy *to)
{
  to->t1_s = g_steal_pointer (&from->t1_s);
  to->t1_maps = g_steal_pointer (&from->t1_maps);
  to->b1 = g_steal_pointer (&from->b1);
  to->cos_flip = g_steal_pointer (&from->cos_flip);
  to->t1_median_s = from->t1_median_s;
  to->t1_in_s = from->t1_in_s;
  to->t1_method = from->t1_method;
  to->t1_unknown = from->t1_unknown;
}

/* Whether A and B differ at most in the regions of the vessels. */
static gboolean
same_but_vessels (const VgPerfusionParams *a, const VgPerfusionParams *b)
{
  VgPerfusionParams moved = *a;

  moved.artery = b->artery;
  moved.portal = b->portal;
  return vg_params_equal (&vg_perfusion_operation.params, &moved, b);
}

gboolean
vg_perfusion_study_set_units (VgPerfusionStudy *self, const VgPerfusionParams *params)
{
  VgPerfusionParams shown = *self->params;

  shown.rate_unit = params->rate_unit;
  shown.density = params->density;
  if (!vg_params_equal (&vg_perfusion_operation.params, &shown, params))
    return FALSE;
  *self->params = shown;
  return TRUE;
}

gboolean
vg_perfusion_study_update (VgPerfusionStudy *self, const VgPerfusionParams *params, GError **error)
{
  VgPerfusionStudy *next, swap;
  gboolean ok;

  if (!same_motion (self->params, params))
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                           "these settings need another motion correction");
      return FALSE;
    }
  next = study_with (params, self->image, self->threads);
  next->motion = self->motion;
  next->apparent_motion = self->apparent_motion;
  next->motion_stop = self->motion_stop;
  memcpy (next->files, self->files, sizeof self->files);
  next->n_files = self->n_files;
  if (same_but_vessels (self->params, params))
    {
      /* The times and T1 remain. */
      memcpy (next->times_s, self->times_s, sizeof (double) * (gsize) self->n);
      memcpy (next->weights, self->weights, sizeof (double) * (gsize) self->n);
      next->begin_s = self->begin_s;
      next->signal = self->signal;
      move_relaxation (self, next);
      ok = vg_perfusion_read_mask (next, error) && vg_perfusion_read_inputs (next, error) &&
           make_problem (next, error);
      if (!ok)
        move_relaxation (next, self);
    }
  else
    ok = prepare_study (next, NULL, NULL, error);
  if (ok)
    {
      swap = *self;
      *self = *next;
      *next = swap;
    }
  next->n_files = 0;
  next->motion = NULL;
  vg_perfusion_study_free (next);
  return ok;
}

void
vg_perfusion_study_free (VgPerfusionStudy *self)
{
  if (self == NULL)
    return;
  clear_results (self);
  for (int i = 0; i < self->n_files; i++)
    {
      g_free (self->files[i].id);
      vg_image_unref (self->files[i].image);
    }
  vg_params_free (&vg_perfusion_operation.params, self->params);
  vg_image_unref (self->image);
  vg_perfusion_motion_free (self->motion);
  g_free (self->times_s);
  g_free (self->weights);
  g_free (self);
}
