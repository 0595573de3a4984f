/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include <math.h>
#include <string.h>

/* At first, at least sixteen batches are equal; later ones have an eighth of the photons before
 * them. A long run has about a hundred, which gives its standard errors within 10 %. */
enum { LONGEST_FIRST_BATCH = 4096, FIRST_BATCHES = 16 };

static guint64
next_batch_end (const VgFluenceRun *self, guint64 photons)
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

/* Without the same bins the run continues, but is not compared with the earlier run. */
static void
check_reference (VgFluenceRun *self)
{
  const VgFluenceReport *old = self->reference;
  const VgFluenceParams *params = &self->params;

  g_clear_pointer (&self->mismatch, g_free);
  if (!params->compare || old == NULL)
    return;
  if (old->nz == params->nz && old->nr == params->nr &&
      fabs (old->dz / params->dz_cm - 1.0) < 1e-5 && fabs (old->dr / params->dr_cm - 1.0) < 1e-5)
    return;
  self->mismatch = g_strdup_printf (
      "Not compared: the earlier run has %d x %d bins of %g x %g cm (z x r), but this one has %d x "
      "%d bins of %g x %g cm. Set the same grid.",
      old->nz, old->nr, old->dz, old->dr, params->nz, params->nr, params->dz_cm, params->dr_cm);
}

/* Without absorption and scattering all light is transmitted. */
static void
finish_clear (VgFluenceRun *self)
{
  guint64 n = (guint64) self->params.photons;

  self->tally[self->layout.transmitted] = n * (guint64) VG_FLUENCE_TALLY_UNIT;
  self->tally[self->layout.transmitted_square[0]] = n * (guint64) VG_FLUENCE_SQUARE_UNIT;
  self->tally[self->layout.transmitted_square[1]] = n * (guint64) VG_FLUENCE_SQUARE_UNIT;
  self->photons = n;
  self->finished = TRUE;
}

/* Prepares the convolution of the maps with a beam that has a width. */
static gboolean
make_beam (VgFluenceRun *self, GError **error)
{
  const VgFluenceParams *params = &self->params;
  gsize bins = (gsize) params->nz * (gsize) params->nr;

  if (!vg_fluence_has_wide_beam (params))
    {
      g_clear_pointer (&self->kernel, vg_fluence_beam_kernel_free);
      g_clear_pointer (&self->pencil, g_free);
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
  if (self->pencil == NULL && !params->reflectance_only)
    self->pencil = g_try_new (float, bins);
  if (self->pencil != NULL || params->reflectance_only)
    return TRUE;
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
      "there is not enough memory to spread the beam over %d x %d bins; set fewer, larger bins",
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
  self->hints = vg_fluence_hints_text (&self->params);
  self->map_error = NAN;
  self->first_batch = (guint64) CLAMP (self->params.photons / FIRST_BATCHES, 1.0,
                                       (double) LONGEST_FIRST_BATCH);
  self->batch_end = next_batch_end (self, 0);
  bins = (gsize) self->medium->nz * (gsize) self->medium->nr;
  self->tally = g_try_new0 (guint64, self->layout.size);
  self->last_cells = g_try_new0 (guint64, self->medium->cells);
  self->sums = g_try_new0 (double, bins);
  self->squares = g_try_new0 (double, bins);
  self->layer_sums = g_new0 (double, self->medium->n_layers);
  self->layer_squares = g_new0 (double, self->medium->n_layers);
  self->depths.sums = g_try_new (double, VG_FLUENCE_DEPTH_BATCHES *(gsize) self->medium->nz);
  if (self->tally == NULL || self->last_cells == NULL || self->sums == NULL ||
      self->squares == NULL || self->depths.sums == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for %d x %d bins; set fewer, larger bins",
                   self->medium->nz, self->medium->nr);
      vg_fluence_run_free (self);
      return NULL;
    }
  if (!load_reference (self, context, error) || !make_beam (self, error))
    {
      vg_fluence_run_free (self);
      return NULL;
    }
  check_reference (self);
  if (self->medium->all_clear)
    finish_clear (self);
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
  g_free (self->last_cells);
  g_free (self->sums);
  g_free (self->squares);
  g_free (self->layer_sums);
  g_free (self->layer_squares);
  g_free (self->depths.sums);
  vg_fluence_beam_kernel_free (self->kernel);
  g_free (self->pencil);
  vg_fluence_report_free (self->report);
  g_free (self->hints);
  g_free (self->mismatch);
  g_free (self);
}

/* Marks all results that depend on the tally as outdated. */
static void
invalidate (VgFluenceRun *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->plane_valid); i++)
    self->plane_valid[i] &= vg_fluence_is_earlier_run (i);
  self->report_valid = self->scale_valid = FALSE;
}

/* A change of beam shape, power or rule to stop does not affect the tally. */
gboolean
vg_fluence_run_update (VgFluenceRun *self, const void *data)
{
  const VgFluenceParams *params = data;
  VgFluenceParams old = self->params;

  if (!vg_fluence_same_walk (&self->params, params) || params->photons < (double) self->photons ||
      (self->medium->all_clear && params->photons != old.photons))
    return FALSE;
  if (self->finished && params->stop != VG_FLUENCE_STOP_PHOTONS && params->stop != old.stop)
    return FALSE;
  self->params = *params;
  self->params.layers = old.layers;
  self->params.reference_file = NULL;
  if (!make_beam (self, NULL))
    {
      /* the caller prepares a new run, which reports the error */
      self->params = old;
      return FALSE;
    }
  check_reference (self);
  invalidate (self);
  self->plane_valid[VG_FLUENCE_OUTPUT_OLD_FLUENCE] =
      self->plane_valid[VG_FLUENCE_OUTPUT_REFERENCE] = FALSE;
  if (!self->medium->all_clear)
    vg_fluence_run_advance (self, self->photons, self->alive);
  return TRUE;
}

guint64
vg_fluence_run_goal (const VgFluenceRun *self)
{
  return MIN (self->batch_end, (guint64) self->params.photons);
}

/* Relative error of the diffuse reflectance, for runs without a map. */
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

/* Ends a batch.  It is left out of the statistics if many photons had not ended at its beginning or
 * end, or if these numbers differ much, as at the beginning and end of a run on the GPU: then the
 * tallied weight belongs to other photons than those launched in the batch. */
static void
end_batch (VgFluenceRun *self)
{
  const guint64 *now = self->tally;
  guint64 n = self->photons - self->last_end;
  guint64 change = self->alive > self->last_alive ? self->alive - self->last_alive
                                                  : self->last_alive - self->alive;

  if (self->params.reflectance_only)
    {
      self->batches++;
      self->map_error = reflectance_error (self);
    }
  else
    {
      if (change <= n / 64 && self->alive <= n / 16)
        vg_fluence_run_add_batches (self, &now, self->last_cells, &n, 1);
      memcpy (self->last_cells, self->tally, sizeof (guint64) * self->medium->cells);
    }
  self->last_end = self->photons;
  self->last_alive = self->alive;
  self->batch_end = next_batch_end (self, self->photons);
}

void
vg_fluence_run_advance (VgFluenceRun *self, guint64 photons, guint64 alive)
{
  const VgFluenceParams *params = &self->params;

  self->photons = photons;
  self->alive = alive;
  if (self->replicated)
    self->last_end = photons;
  else if (photons >= self->batch_end || (photons >= (guint64) params->photons && alive == 0 &&
                                          (photons > self->last_end || self->last_alive > 0)))
    end_batch (self);
  invalidate (self);
  self->finished = self->full || photons >= (guint64) params->photons ||
                   (params->stop == VG_FLUENCE_STOP_TIME &&
                    self->seconds >= params->time_limit_s) ||
                   (params->stop == VG_FLUENCE_STOP_ERROR &&
                    self->batches >= VG_FLUENCE_LEAST_BATCHES &&
                    self->map_error * 100.0 <= params->target_error);
}

gboolean
vg_fluence_run_check_capacity (VgFluenceRun *self, GError **error)
{
  /* for a bin of this process, as the tallies of all ranks are added up */
  const guint64 half = ((guint64) 1 << 63) / (guint64) MAX (self->ranks, 1);
  guint64 most = 0;

#pragma omp parallel for simd schedule(static) reduction(max : most)
  for (gsize i = 0; i < self->layout.cells + self->medium->cells; i++)
    most = MAX (most, self->tally[i]);
  if (most >= half + half / 2)
    {
      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "a bin is full after %" G_GUINT64_FORMAT
          " photon packets, and some packets do not end; set fewer Photons, or layers that absorb",
          self->photons);
      return FALSE;
    }
  /* The next batch adds at most an eighth.  Stopping only between batches makes the result on the
   * CPU independent of the computing time. */
  self->full |= most >= half && self->photons == self->last_end;
  self->finished |= self->full;
  return TRUE;
}

void
vg_fluence_run_advance_in_batch (VgFluenceRun *self, guint64 photons, guint64 alive)
{
  self->photons = photons;
  self->alive = alive;
  invalidate (self);
  /* an ordinary batch ends within this margin */
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
