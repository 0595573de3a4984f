/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-run.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>
enum { LEAST_MAP_BATCHES = 2 };
/* Physical quantities from the tallies: maps for a beam of the given power and shape, and the
 * quantities of an .mco file, for a pencil beam of power 1. */

enum { PARTS = 16 };

void
vg_fluence_run_row_sums (const VgFluenceRun *self, const guint64 *now, const guint64 *before,
                         double *sums)
{
  const VgFluenceMedium *medium = self->medium;
  gsize rows = (gsize) medium->rows;
  g_autofree double *parts = g_new0 (double, PARTS *rows);

  /* a fixed number of partial sums, so that rounding does not depend on the threads */
#pragma omp parallel for schedule(static)
  for (int part = 0; part < PARTS; part++)
    for (gsize c = (gsize) medium->columns * (gsize) part / PARTS;
         c < (gsize) medium->columns * ((gsize) part + 1) / PARTS; c++)
      for (gsize row = 0; row < rows; row++)
        parts[(gsize) part * rows + row] += (double) (now[c * rows + row] -
                                                      (before != NULL ? before[c * rows + row]
                                                                      : 0));
  for (gsize row = 0; row < rows; row++)
    {
      sums[row] = 0.0;
      for (gsize part = 0; part < PARTS; part++)
        sums[row] += parts[part * rows + row];
    }
}

/* Sum of all tallies, in their unit: the launched weight minus that of photons still moving. */
static double
all_weight (const VgFluenceRun *self)
{
  const VgFluenceMedium *medium = self->medium;
  const VgFluenceLayout *layout = &self->layout;
  double sum = (double) self->tally[layout->totals + VG_FLUENCE_TOTAL_ABSORBED] +
               (double) (gint64) self->tally[layout->totals + VG_FLUENCE_TOTAL_ROULETTE] *
                   (VG_FLUENCE_TALLY_UNIT / VG_FLUENCE_UNIT);
  g_autofree double *rows = NULL;

  for (gsize i = layout->reflected; i < layout->reflected_square[0]; i++)
    sum += (double) self->tally[i];
  if (self->params.reflectance_only)
    return sum;
  rows = g_new (double, medium->rows);
  vg_fluence_run_row_sums (self, self->tally, NULL, rows);
  for (int row = 0; row < medium->rows; row++)
    {
      int l = medium->row_layer[row];

      if (l >= 0 && medium->mut[l] > 0.0)
        sum += rows[row] * medium->mua[l] / medium->mut[l];
    }
  return sum;
}

double
vg_fluence_run_scale (VgFluenceRun *self)
{
  double all;

  if (self->scale_valid)
    return self->scale;
  all = self->alive > 0 ? all_weight (self) : (double) self->photons * VG_FLUENCE_TALLY_UNIT;
  self->scale = all > 0.0 ? (1.0 - self->medium->specular) / all : 0.0;
  self->scale_valid = TRUE;
  return self->scale;
}

/* ---- Maps ---- */

/* Rows of bins in clear layers alone, whose fluence is unknown as nothing collides there. */
static gboolean *
find_clear (const VgFluenceMedium *medium)
{
  gboolean *clear = g_new0 (gboolean, medium->nz);

  for (int pass = 0; pass < 2; pass++)
    for (int row = 0; row < medium->rows; row++)
      if (medium->row_layer[row] >= 0 && medium->row_bin[row] < medium->nz &&
          (medium->mut[medium->row_layer[row]] > 0.0) == pass)
        clear[medium->row_bin[row]] = !pass;
  return clear;
}

/* Writes fluence or absorption of each bin, nz x nr, from the tally's CELLS, times SCALE and
 * divided by the bin's volume.  In clear layers the absorption is 0 and the fluence NaN. */
static void
fill_bins (const VgFluenceRun *self, const guint64 *cells, gboolean absorption, double scale,
           float *map)
{
  const VgFluenceMedium *medium = self->medium;
  g_autofree gboolean *clear = find_clear (medium);

#pragma omp parallel for schedule(static)
  for (int c = 0; c < medium->nr; c++)
    {
      const guint64 *column = cells + (gsize) c * (gsize) medium->rows;
      double per_volume = scale / (G_PI * (2 * c + 1) * medium->dr * medium->dr * medium->dz);

      for (int z = 0; z < medium->nz; z++)
        map[(gsize) z * (gsize) medium->nr + (gsize) c] = clear[z] && !absorption ? NAN : 0.0f;
      for (int row = 0; row < medium->rows; row++)
        {
          int l = medium->row_layer[row];
          int z = medium->row_bin[row];

          if (l < 0 || z >= medium->nz || medium->mut[l] == 0.0)
            continue;
          map[(gsize) z * (gsize) medium->nr + (gsize) c] +=
              (float) ((double) column[row] * per_volume * (absorption ? medium->mua[l] : 1.0) /
                       medium->mut[l]);
        }
    }
}

/* Mean fluence of the batches and standard error of the mean of all photons, both in the same
 * arbitrary unit, for a pencil beam. */
static void
fill_errors (const VgFluenceRun *self, float *fluence, float *errors)
{
  const VgFluenceMedium *medium = self->medium;
  double n = (double) self->batch_photons, all = (double) self->photons;

#pragma omp parallel for schedule(static)
  for (int z = 0; z < medium->nz; z++)
    for (int c = 0; c < medium->nr; c++)
      {
        gsize i = (gsize) z * (gsize) medium->nr + (gsize) c;
        double area = 2 * c + 1, sum = self->sums[i];
        double variance = (self->squares[i] - sum * sum / n) / (self->batches - 1);

        fluence[i] = (float) (sum / n / area);
        errors[i] = (float) (sqrt (MAX (variance, 0.0) / all) / area);
      }
}

/* Convolves MAP with the beam in place. */
static void
apply_beam (VgFluenceRun *self, float *map)
{
  const VgFluenceParams *params = &self->params;

  if (self->kernel == NULL)
    return;
  memcpy (self->pencil, map, sizeof (float) * (gsize) params->nz * (gsize) params->nr);
  vg_fluence_beam_apply (self->kernel, self->pencil, map, params->nz);
}

static void
fill_relative_error (VgFluenceRun *self, float *map)
{
  gsize bins = (gsize) self->params.nz * (gsize) self->params.nr;
  g_autofree float *fluence = NULL;

  fluence = self->batches >= LEAST_MAP_BATCHES ? g_try_new (float, bins) : NULL;
  if (fluence == NULL)
    {
      for (gsize i = 0; i < bins; i++)
        map[i] = NAN;
      return;
    }
  fill_errors (self, fluence, map);
  apply_beam (self, fluence);
  apply_beam (self, map);
  for (gsize i = 0; i < bins; i++)
    map[i] = fluence[i] > 0.0f ? 100.0f * map[i] / fluence[i] : NAN;
}

/* Mean absorption coefficient in row Z of the earlier run's bins; 0 below all layers. */
static double
row_absorption (const VgFluenceReport *old, int z)
{
  double top = 0.0, within = 0.0, sum = 0.0;

  for (int l = 0; l < old->layers->rows; l++)
    {
      const double *layer = old->layers->values + l * VG_FLUENCE_COLUMNS;
      double bottom = top + layer[VG_FLUENCE_D],
             part = MIN (bottom, (z + 1) * old->dz) - MAX (top, z * old->dz);

      if (part > 1e-6 * old->dz)
        {
          within += part;
          sum += part * layer[VG_FLUENCE_MUA];
        }
      top = bottom;
    }
  return within > 0.0 ? sum / within : 0.0;
}

/* Absorption or fluence of the earlier run, for the power and the beam of this run.  The last bins
 * of other programs are left out: they include all light outside the grid. */
static void
fill_reference (VgFluenceRun *self, gboolean fluence, float *map)
{
  const VgFluenceReport *old = self->reference;
  gsize nr = (gsize) old->nr;
  int known_r = old->nr - old->clamped, known_z = old->nz - old->clamped;

  for (int z = 0; z < old->nz; z++)
    {
      double mua = fluence ? row_absorption (old, z) : 1.0;

      for (int r = 0; r < old->nr; r++)
        map[(gsize) z * nr + (gsize) r] =
            r < known_r && mua > 0.0
                ? (float) (self->params.power_mw *
                           old->a_rz[(gsize) r * (gsize) old->nz + (gsize) z] / mua)
                : 0.0f;
    }
  apply_beam (self, map);
  for (int z = 0; z < old->nz; z++)
    for (int r = fluence && row_absorption (old, z) == 0.0 ? 0
                 : z < known_z                             ? known_r
                                                           : 0;
         r < old->nr; r++)
      map[(gsize) z * nr + (gsize) r] = NAN;
}

static gboolean
fill_plane (VgFluenceRun *self, guint i, float *map)
{
  gsize bins = (gsize) self->params.nz * (gsize) self->params.nr;
  double scale = self->params.power_mw * vg_fluence_run_scale (self);
  VgPlane a, b;

  switch (i)
    {
    case VG_FLUENCE_OUTPUT_FLUENCE:
    case VG_FLUENCE_OUTPUT_ABSORPTION:
      fill_bins (self, self->tally, i == VG_FLUENCE_OUTPUT_ABSORPTION, scale, map);
      apply_beam (self, map);
      return TRUE;
    case VG_FLUENCE_OUTPUT_RELATIVE_ERROR:
      fill_relative_error (self, map);
      return TRUE;
    case VG_FLUENCE_OUTPUT_OLD_FLUENCE:
    case VG_FLUENCE_OUTPUT_REFERENCE:
      fill_reference (self, i == VG_FLUENCE_OUTPUT_OLD_FLUENCE, map);
      return TRUE;
    default:
      if (!vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_ABSORPTION, &a) ||
          !vg_fluence_run_plane (self, VG_FLUENCE_OUTPUT_REFERENCE, &b))
        return FALSE;
      for (gsize k = 0; k < bins; k++)
        if (i == VG_FLUENCE_OUTPUT_DIFFERENCE)
          map[k] = a.data[k] - b.data[k];
        else
          map[k] = b.data[k] > 0.0f ? a.data[k] / b.data[k] : NAN;
      return TRUE;
    }
}

gboolean
vg_fluence_run_plane (VgFluenceRun *self, guint i, VgPlane *plane)
{
  const VgFluenceParams *params = &self->params;

  if (i >= G_N_ELEMENTS (self->planes) ||
      ((params->reflectance_only || self->photons == 0) && !vg_fluence_is_earlier_run (i)))
    return FALSE;
  if (i >= VG_FLUENCE_OUTPUT_OLD_FLUENCE &&
      (!params->compare || self->reference == NULL || self->mismatch != NULL))
    return FALSE;
  if (self->planes[i] == NULL)
    self->planes[i] = g_try_new (float, (gsize) params->nz *(gsize) params->nr);
  if (self->planes[i] == NULL || (!self->plane_valid[i] && !fill_plane (self, i, self->planes[i])))
    return FALSE;
  self->plane_valid[i] = TRUE;
  *plane = (VgPlane){ .place = VG_HOST,
                      .data = self->planes[i],
                      .width = params->nr,
                      .height = params->nz,
                      .slices = 1,
                      .origin = { params->dr_cm / 2.0, params->dz_cm / 2.0 },
                      .pixel_size = { params->dr_cm, params->dz_cm },
                      .unit = "cm",
                      .mirrored = TRUE };
  return TRUE;
}

/* ---- The quantities of an .mco file ---- */

static void
report_absorption (const VgFluenceRun *self, double scale, VgFluenceReport *report)
{
  const VgFluenceMedium *medium = self->medium;
  double n = (double) self->batch_photons, all = (double) self->photons;
  g_autofree double *rows = g_new (double, medium->rows);

  vg_fluence_run_row_sums (self, self->tally, NULL, rows);
  for (int row = 0; row < medium->rows; row++)
    {
      int l = medium->row_layer[row], z = medium->row_bin[row];
      double part = l >= 0 && medium->mut[l] > 0.0
                        ? rows[row] * scale * medium->mua[l] / medium->mut[l]
                        : 0.0;

      if (l >= 0)
        report->a_l[l] += part;
      if (l >= 0 && z < medium->nz)
        report->a_z[z] += part / medium->dz;
    }
#pragma omp parallel for schedule(static)
  for (int c = 0; c < medium->nr; c++)
    for (int row = 0; row < medium->rows; row++)
      {
        int l = medium->row_layer[row], z = medium->row_bin[row];

        if (l >= 0 && medium->mut[l] > 0.0 && z < medium->nz)
          report->a_rz[(gsize) c * (gsize) medium->nz + (gsize) z] +=
              (double) self->tally[(gsize) c * (gsize) medium->rows + (gsize) row] * scale *
              medium->mua[l] / medium->mut[l] /
              (G_PI * (2 * c + 1) * medium->dr * medium->dr * medium->dz);
      }
  for (int l = 0; l < medium->n_layers && self->batches > 1; l++)
    if (self->layer_sums[l] > 0.0)
      {
        double sum = self->layer_sums[l],
               variance = (self->layer_squares[l] - sum * sum / n) / (self->batches - 1);

        report->a_l_error[l] = report->a_l[l] * n / sum * sqrt (MAX (variance, 0.0) / all);
      }
}

/* Light that leaves on one side, by radius, by angle, and by both; returns the total. */
static double
report_exits (const VgFluenceRun *self, double scale, gsize from, double *by_r, double *by_a,
              double *by_ra)
{
  const VgFluenceMedium *medium = self->medium;
  double total = 0.0, da = G_PI / 2.0 / medium->na;

  for (int c = 0; c < medium->columns; c++)
    for (int a = 0; a < medium->na; a++)
      {
        double part = (double) self->tally[from + (gsize) c * (gsize) medium->na + (gsize) a] *
                      scale;
        double area = G_PI * (2 * c + 1) * medium->dr * medium->dr, alpha = (a + 0.5) * da;

        total += part;
        by_a[a] += part / (4.0 * G_PI * sin (alpha) * sin (da / 2.0));
        if (c == medium->nr)
          continue;
        by_r[c] += part / area;
        by_ra[(gsize) c * (gsize) medium->na + (gsize) a] = part /
                                                            (area * cos (alpha) * 4.0 * G_PI *
                                                             sin (alpha) * sin (da / 2.0));
      }
  return total;
}

double
vg_fluence_run_exit_errors (const VgFluenceRun *self, gsize squares, int n, const double *values,
                            const double *units, double *errors)
{
  double all = (double) self->photons * VG_FLUENCE_SQUARE_UNIT,
         arriving = 1.0 - self->medium->specular, total = 0.0;

  for (int i = 0; i < n; i++)
    {
      double square = (double) self->tally[squares + (gsize) i] / all, mean;

      total += square;
      if (errors == NULL)
        continue;
      mean = values[i] / (units[i] * arriving);
      errors[i] = units[i] * arriving *
                  sqrt (MAX (square - mean * mean, 0.0) / (double) self->photons);
    }
  return total;
}

static void
report_errors (const VgFluenceRun *self, VgFluenceReport *report)
{
  const VgFluenceMedium *medium = self->medium;
  g_autofree double *by_r = g_new (double, medium->columns), *by_a = g_new (double, medium->na);
  double da = G_PI / 2.0 / medium->na, n = (double) self->photons,
         arriving = 1.0 - medium->specular, square, both, mean;
  int absorbing = 0, only = 0;

  for (int c = 0; c < medium->columns; c++)
    by_r[c] = 1.0 / (G_PI * (2 * c + 1) * medium->dr * medium->dr);
  for (int a = 0; a < medium->na; a++)
    by_a[a] = 1.0 / (4.0 * G_PI * sin ((a + 0.5) * da) * sin (da / 2.0));
  vg_fluence_run_exit_errors (self, self->layout.reflected_square[0], medium->nr, report->rd_r,
                              by_r, report->rd_r_error);
  vg_fluence_run_exit_errors (self, self->layout.transmitted_square[0], medium->nr, report->tt_r,
                              by_r, report->tt_r_error);
  square = vg_fluence_run_exit_errors (self, self->layout.reflected_square[1], medium->na,
                                       report->rd_a, by_a, report->rd_a_error);
  both = square;
  mean = report->reflectance / arriving;
  report->reflectance_error = arriving * sqrt (MAX (square - mean * mean, 0.0) / n);
  square = vg_fluence_run_exit_errors (self, self->layout.transmitted_square[1], medium->na,
                                       report->tt_a, by_a, report->tt_a_error);
  mean = report->transmittance / arriving;
  report->transmittance_error = arriving * sqrt (MAX (square - mean * mean, 0.0) / n);
  /* a packet leaves on one side only; the rest of its weight is absorbed */
  square += both;
  mean += report->reflectance / arriving;
  report->absorbed_error = arriving * sqrt (MAX (square - mean * mean, 0.0) / n);
  /* if one layer alone absorbs, its error is that of all absorption, which is smaller */
  for (int l = 0; l < medium->n_layers; l++)
    if (medium->mua[l] > 0.0)
      {
        only = l;
        absorbing++;
      }
  if (absorbing == 1 && report->a_l_error[only] > 0.0)
    report->a_l_error[only] = report->absorbed_error;
}

/* Comment of the .mco file on beam and power, as its quantities are per packet of a pencil beam. */
static char *
remark (const VgFluenceParams *params)
{
  gboolean spread = params->beam == VG_FLUENCE_FLAT || params->beam == VG_FLUENCE_GAUSSIAN;
  GString *text;

  if (params->beam == VG_FLUENCE_PENCIL && params->power_mw == 1.0 && !params->reflectance_only)
    return NULL;
  text = g_string_new (VG_FLUENCE_LIGHT);
  g_string_append (text, vg_fluence_light_words[params->beam]);
  if (params->beam != VG_FLUENCE_PENCIL)
    {
      g_string_append_c (text, ' ');
      vg_text_append_number (text, params->beam == VG_FLUENCE_POINT ? params->source_depth_cm
                                                                    : params->beam_radius_cm);
      g_string_append (text, " cm");
    }
  g_string_append (text, ", ");
  vg_text_append_number (text, params->power_mw);
  g_string_append_printf (text, " mW; the numbers below are per packet%s.",
                          spread ? " of a thin beam" : "");
  if (params->reflectance_only)
    g_string_append (text, " Reflectance only: A_l, A_z and A_rz were not computed and are 0.");
  return g_string_free (text, FALSE);
}

VgFluenceReport *
vg_fluence_run_report (VgFluenceRun *self, GError **error)
{
  const VgFluenceParams *params = &self->params;
  const VgFluenceLayout *layout = &self->layout;
  VgFluenceReport *report;
  double scale = vg_fluence_run_scale (self);

  if (self->report_valid)
    return self->report;
  vg_fluence_report_free (self->report);
  report = self->report = vg_fluence_report_new (params->layers, params->nz, params->nr, params->na,
                                                 TRUE, error);
  if (report == NULL)
    return NULL;
  g_strlcpy (report->name, params->name, sizeof report->name);
  report->remark = remark (params);
  report->photons = (double) self->photons;
  report->dz = params->dz_cm;
  report->dr = params->dr_cm;
  report->n_above = params->n_above;
  report->n_below = params->n_below;
  report->specular = self->medium->specular;
  report->reflectance = report_exits (self, scale, layout->reflected, report->rd_r, report->rd_a,
                                      report->rd_ra);
  report->transmittance = report_exits (self, scale, layout->transmitted, report->tt_r,
                                        report->tt_a, report->tt_ra);
  if (params->reflectance_only)
    report->absorbed = (double) self->tally[layout->totals + VG_FLUENCE_TOTAL_ABSORBED] * scale;
  else
    report_absorption (self, scale, report);
  for (int l = 0; l < report->layers->rows; l++)
    report->absorbed += report->a_l[l];
  /* roulette changes no weight on average; its balance counts as absorbed */
  report->absorbed += (double) (gint64) self->tally[layout->totals + VG_FLUENCE_TOTAL_ROULETTE] *
                      scale * (VG_FLUENCE_TALLY_UNIT / VG_FLUENCE_UNIT);
  if (self->photons > 0)
    report_errors (self, report);
  self->report_valid = TRUE;
  return report;
}
