/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include <math.h>
#include <string.h>

/* The first batches are equal, sixteen of them at least; later ones an eighth
 * of what came before: a long run has about a hundred and their errors settle
 * within 10 %. */
enum { LONGEST_FIRST_BATCH = 4096, FIRST_BATCHES = 16 };

static guint64
next_mark (const VgFluenceRun *self, guint64 photons)
{
  return photons + MAX (self->first_batch, photons / 8 / self->first_batch * self->first_batch);
}

static gboolean
load_reference (VgFluenceRun *self, const VgContext *context, GError **error)
{
  for (guint i = 0; i < context->n_files; i++)
    if (g_str_equal (context->files[i].param_id, "reference_file"))
      {
        const VgImage *file = context->files[i].image;

        if (file->text == NULL)
          continue;
        self->reference = vg_fluence_mco_read (file->name, file->text, file->text_length, error);
        return self->reference != NULL;
      }
  return TRUE;
}

/* The run goes on without a comparison where the bins are not those of the
 * earlier run, as after a preset or an edited bin. */
static void
look_at_reference (VgFluenceRun *self)
{
  const VgFluenceReport *old = self->reference;
  const VgFluenceParams *params = &self->params;

  g_clear_pointer (&self->apart, g_free);
  if (!params->compare || old == NULL)
    return;
  if (old->nz == params->nz && old->nr == params->nr &&
      fabs (old->dz / params->dz_cm - 1.0) < 1e-5 && fabs (old->dr / params->dr_cm - 1.0) < 1e-5)
    return;
  self->apart = g_strdup_printf ("Not compared: the earlier run has %d x %d bins of %g x %g cm (z "
                                 "x r), this one %d x %d of %g x %g; "
                                 "take the same grid.",
                                 old->nz, old->nr, old->dz, old->dr, params->nz, params->nr,
                                 params->dz_cm, params->dr_cm);
}

/* What clear layers alone do is known without a photon. */
static void
finish_glass (VgFluenceRun *self)
{
  guint64 n = (guint64) self->params.photons;

  self->tally[self->layout.transmitted] = n * (guint64) VG_FLUENCE_TALLY_UNIT;
  self->tally[self->layout.transmitted_square[0]] = n * (guint64) VG_FLUENCE_SQUARE_UNIT;
  self->tally[self->layout.transmitted_square[1]] = n * (guint64) VG_FLUENCE_SQUARE_UNIT;
  self->photons = n;
  self->finished = TRUE;
}

/* Only light that comes in as a beam can be spread afterwards. */
static gboolean
make_beam (VgFluenceRun *self, GError **error)
{
  const VgFluenceParams *params = &self->params;
  gsize bins = (gsize) params->nz * (gsize) params->nr;

  if (!vg_fluence_is_wide (params))
    {
      g_clear_pointer (&self->kernel, vg_fluence_beam_kernel_free);
      g_clear_pointer (&self->thin, g_free);
      return TRUE;
    }
  if (self->kernel == NULL || self->kernel->beam != params->beam ||
      self->kernel->radius != params->beam_radius_cm)
    {
      g_clear_pointer (&self->kernel, vg_fluence_beam_kernel_free);
      self->kernel = vg_fluence_beam_kernel_new (params->beam, params->beam_radius_cm, params->nr,
                                                 params->dr_cm, error);
      if (self->kernel == NULL)
        return FALSE;
    }
  if (self->thin == NULL && !params->reflectance_only)
    self->thin = g_try_new (float, bins);
  if (self->thin != NULL || params->reflectance_only)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "no memory to spread the beam over %d x %d bins; take fewer, larger ones",
               params->nz, params->nr);
  return FALSE;
}

VgFluenceRun *
vg_fluence_run_new (const VgContext *context, GError **error)
{
  VgFluenceRun *self;
  gsize bins;

  if (!vg_fluence_validate (context->params, error))
    return NULL;
  self = g_new0 (VgFluenceRun, 1);
  self->params = *(const VgFluenceParams *) context->params;
  self->params.layers = vg_table_copy (self->params.layers);
  self->params.reference_file = NULL;
  self->medium = vg_fluence_medium_new (&self->params);
  self->layout = vg_fluence_layout (self->medium->cells, self->medium->columns, self->medium->na,
                                    self->medium->gates);
  self->suspect = vg_fluence_suspect (&self->params);
  self->map_error = NAN;
  self->first_batch = (guint64) CLAMP (self->params.photons / FIRST_BATCHES, 1.0,
                                       (double) LONGEST_FIRST_BATCH);
  self->mark = next_mark (self, 0);
  bins = (gsize) self->medium->nz * (gsize) self->medium->nr;
  self->tally = g_try_new0 (guint64, self->layout.size);
  self->last = g_try_new0 (guint64, self->medium->cells);
  self->sums = g_try_new0 (double, bins);
  self->squares = g_try_new0 (double, bins);
  self->layer_sums = g_new0 (double, self->medium->n_layers);
  self->layer_squares = g_new0 (double, self->medium->n_layers);
  if (self->tally == NULL || self->last == NULL || self->sums == NULL || self->squares == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "no memory for %d x %d bins; take fewer, larger ones", self->medium->nz,
                   self->medium->nr);
      vg_fluence_run_free (self);
      return NULL;
    }
  if (!load_reference (self, context, error) || !make_beam (self, error))
    {
      vg_fluence_run_free (self);
      return NULL;
    }
  look_at_reference (self);
  if (self->medium->all_glass)
    finish_glass (self);
  return self;
}

void
vg_fluence_run_free (VgFluenceRun *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (self->planes); i++)
    g_free (self->planes[i]);
  vg_table_free (self->params.layers);
  vg_fluence_medium_free (self->medium);
  vg_fluence_report_free (self->reference);
  g_free (self->tally);
  g_free (self->last);
  g_free (self->sums);
  g_free (self->squares);
  g_free (self->layer_sums);
  g_free (self->layer_squares);
  vg_fluence_beam_kernel_free (self->kernel);
  g_free (self->thin);
  vg_fluence_report_free (self->report);
  g_free (self->suspect);
  g_free (self->apart);
  g_free (self);
}

/* What was derived from the tally; the reference's map does not depend on it. */
static void
forget (VgFluenceRun *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->plane_valid); i++)
    self->plane_valid[i] &= vg_fluence_is_old (i);
  self->report_valid = self->scale_valid = FALSE;
}

/* Beam shape, power and the rule to stop change nothing of what is there. */
gboolean
vg_fluence_run_update (VgFluenceRun *self, const void *data)
{
  const VgFluenceParams *params = data;
  VgFluenceParams old = self->params;

  if (!vg_fluence_same_walk (&self->params, params) || params->photons < (double) self->photons ||
      (self->medium->all_glass && params->photons != old.photons))
    return FALSE;
  if (self->finished && params->stop != VG_FLUENCE_STOP_PHOTONS && params->stop != old.stop)
    return FALSE;
  self->params = *params;
  self->params.layers = old.layers;
  self->params.reference_file = NULL;
  if (!make_beam (self, NULL))
    {
      /* the beam may be gone: whoever asked prepares anew, where the error is told */
      self->params = old;
      return FALSE;
    }
  look_at_reference (self);
  forget (self);
  self->plane_valid[VG_FLUENCE_OUTPUT_OLD_FLUENCE] =
      self->plane_valid[VG_FLUENCE_OUTPUT_REFERENCE] = FALSE;
  if (!self->medium->all_glass)
    vg_fluence_run_reached (self, self->photons, self->alive);
  return TRUE;
}

guint64
vg_fluence_run_goal (const VgFluenceRun *self)
{
  return MIN (self->mark, (guint64) self->params.photons);
}

/* Of the reflectance, for runs that have no map. */
static double
reflectance_error (const VgFluenceRun *self)
{
  double squares = 0.0, sum = 0.0, n = (double) self->photons * VG_FLUENCE_TALLY_UNIT;

  for (gsize i = self->layout.reflected; i < self->layout.transmitted; i++)
    sum += (double) self->tally[i];
  for (gsize i = 0; i < (gsize) self->medium->columns; i++)
    squares += (double) self->tally[self->layout.reflected_square[0] + i];
  sum /= n;
  squares *= VG_FLUENCE_TALLY_UNIT / VG_FLUENCE_SQUARE_UNIT;
  return sum > 0.0 ? sqrt (MAX (squares / n - sum * sum, 0.0) / (double) self->photons) / sum : NAN;
}

/* At a mark.  What lies between two is a batch, unless photons that were on
 * their way at one of them are more than a small part of it, or many more or
 * fewer than at the other (at the beginning and the end of a run on the GPU):
 * the photons that start and the weight that is tallied are not of the same
 * photons then. */
static void
pass_mark (VgFluenceRun *self)
{
  const guint64 *now = self->tally;
  guint64 n = self->photons - self->marked;
  guint64 change = self->alive > self->marked_alive ? self->alive - self->marked_alive
                                                    : self->marked_alive - self->alive;

  if (self->params.reflectance_only)
    {
      self->batches++;
      self->map_error = reflectance_error (self);
    }
  else
    {
      if (change <= n / 64 && self->alive <= n / 16)
        vg_fluence_run_take_batches (self, &now, self->last, &n, 1);
      memcpy (self->last, self->tally, sizeof (guint64) * self->medium->cells);
    }
  self->marked = self->photons;
  self->marked_alive = self->alive;
  self->mark = next_mark (self, self->photons);
}

void
vg_fluence_run_reached (VgFluenceRun *self, guint64 photons, guint64 alive)
{
  const VgFluenceParams *params = &self->params;

  self->photons = photons;
  self->alive = alive;
  if (self->parts)
    self->marked = photons;
  else if (photons >= self->mark ||
           (photons >= (guint64) params->photons && photons > self->marked && alive == 0))
    pass_mark (self);
  forget (self);
  self->finished = self->full || photons >= (guint64) params->photons ||
                   (params->stop == VG_FLUENCE_STOP_TIME &&
                    self->seconds >= params->time_limit_s) ||
                   (params->stop == VG_FLUENCE_STOP_ERROR &&
                    self->batches >= VG_FLUENCE_LEAST_BATCHES &&
                    self->map_error * 100.0 <= params->target_error);
}

gboolean
vg_fluence_run_holds (VgFluenceRun *self, GError **error)
{
  const guint64 half = (guint64) 1 << 63;
  guint64 most = 0;

#pragma omp parallel for simd schedule(static) reduction(max : most)
  for (gsize i = 0; i < self->layout.cells + self->medium->cells; i++)
    most = MAX (most, self->tally[i]);
  if (most >= half + half / 2)
    {
      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "photons: after %" G_GUINT64_FORMAT
          " photons a bin holds all the light that it can, and some never end; take fewer, "
          "or layers that absorb",
          self->photons);
      return FALSE;
    }
  /* until the next mark an eighth is added at most: there is time; so the end depends on the
   * photons alone, not on how long they took, where photons end in batches (on the GPU they do not)
   */
  self->full |= most >= half && self->photons == self->marked;
  self->finished |= self->full;
  return TRUE;
}

void
vg_fluence_run_under_way (VgFluenceRun *self, guint64 photons, guint64 alive)
{
  self->photons = photons;
  self->alive = alive;
  forget (self);
  /* an ordinary batch ends by itself soon after the time is up */
  self->finished = self->params.stop == VG_FLUENCE_STOP_TIME &&
                   self->seconds >= self->params.time_limit_s + 0.25;
  self->finished |= self->full;
}

double
vg_fluence_run_progress (const VgFluenceRun *self)
{
  const VgFluenceParams *params = &self->params;
  double done = (double) self->photons / params->photons;

  if (self->finished)
    return 1.0;
  if (params->stop == VG_FLUENCE_STOP_TIME)
    done = MAX (done, self->seconds / params->time_limit_s);
  if (params->stop == VG_FLUENCE_STOP_ERROR && self->map_error > 0.0)
    {
      double ratio = params->target_error / (self->map_error * 100.0);

      done = MAX (done, ratio * ratio);
    }
  return MIN (done, 1.0);
}
