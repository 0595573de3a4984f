/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/base/vg-region.h"
#include <string.h>
/* The curves of artery and portal vein, averaged over a region or a mask of the data, read from a
 * table, or from the population AIF; and the mask of the fitted voxels. */

static gboolean
check_size (const VgPerfusionStudy *self, const VgImage *mask, const char *what, GError **error)
{
  const VgImageInfo *info = &self->image->info, *other = &mask->info;

  if (other->width == info->width && other->height == info->height &&
      other->slices * other->bins * other->frames == info->slices && other->channels == 1)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "%s \"%s\" is %dx%dx%d, but the data are %dx%dx%d; choose one of the same size",
               what, mask->name, other->width, other->height,
               (int) MIN (other->slices * other->bins * other->frames, G_MAXINT), info->width,
               info->height, (int) info->slices);
  return FALSE;
}

/* Marks the voxels of a region, in its slice or in all slices. */
static void
mark_region (const VgPerfusionStudy *self, const VgRegion *region, gboolean all_slices,
             guint8 *mask)
{
  const VgImageInfo *info = &self->image->info;
  int x0, y0, x1, y1;

  if (!vg_region_bounds (region, info->width, info->height, &x0, &y0, &x1, &y1))
    return;
  for (int z = 0; z < info->slices; z++)
    for (int y = y0; y < y1 && (all_slices || vg_region_is_in_slice (region, z)); y++)
      for (int x = x0; x < x1; x++)
        if (vg_region_contains (region, x + 0.5, y + 0.5))
          mask[((gsize) z * (gsize) info->height + (gsize) y) * (gsize) info->width + (gsize) x] =
              1;
}

static void
mark_image (const VgPerfusionStudy *self, const VgImage *image, guint8 *mask)
{
  for (gsize i = 0; i < self->voxels; i++)
    {
      double value = vg_image_sample (image, i);

      mask[i] = isfinite (value) && value != 0;
    }
}

/* Marks the voxels that parameter ID names.  Returns FALSE with an error; *FOUND is FALSE if the
 * parameter names no image and no region. */
static gboolean
mark (const VgPerfusionStudy *self, const char *id, const char *text, const char *what,
      gboolean all_slices, guint8 *mask, gboolean *found, GError **error)
{
  const VgImage *image = vg_perfusion_study_file (self, id);
  VgRegion region;

  *found = FALSE;
  if (image != NULL && image->text != NULL)
    return TRUE;
  if (image != NULL)
    {
      if (!check_size (self, image, what, error))
        return FALSE;
      mark_image (self, image, mask);
    }
  else if (text != NULL && vg_region_parse (&region, text, NULL))
    mark_region (self, &region, all_slices, mask);
  else
    return TRUE;
  *found = TRUE;
  if (memchr (mask, 1, self->voxels) != NULL)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "%s contains no voxel of the data; draw it inside the image", what);
  return FALSE;
}

gboolean
vg_perfusion_mark_artery (VgPerfusionStudy *self, guint8 *mask, gboolean *found, GError **error)
{
  return mark (self, "artery", self->params->artery, "the artery", FALSE, mask, found, error);
}

static void
set_mask_error (const VgPerfusionStudy *self, GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory for a mask of %" G_GSIZE_FORMAT " voxels", self->voxels);
}

gboolean
vg_perfusion_read_mask (VgPerfusionStudy *self, GError **error)
{
  g_autofree guint8 *mask = g_try_malloc0 (self->voxels);
  gboolean found;

  g_clear_pointer (&self->mask, g_free);
  if (mask == NULL)
    {
      set_mask_error (self, error);
      return FALSE;
    }
  if (!mark (self, "mask", self->params->mask, "the liver's mask", TRUE, mask, &found, error))
    return FALSE;
  self->has_liver = found;
  if (found)
    self->mask = g_steal_pointer (&mask);
  return TRUE;
}

/* Averages the signal of the marked voxels at every frame, ignoring samples that are not finite.
 * Returns the number of voxels. */
static gsize
average (const VgPerfusionStudy *self, const guint8 *mask, double *curve)
{
  g_autoptr (GArray) voxels = g_array_new (FALSE, FALSE, sizeof (gsize));

  for (gsize i = 0; i < self->voxels; i++)
    if (mask[i])
      g_array_append_val (voxels, i);
  for (int frame = 0; frame < self->n; frame++)
    {
      double sum = 0;
      gsize count = 0;

      for (guint i = 0; i < voxels->len; i++)
        {
          double value = vg_image_sample (self->image, (gsize) frame * self->voxels +
                                                           g_array_index (voxels, gsize, i));

          if (isfinite (value))
            {
              sum += value;
              count++;
            }
        }
      curve[frame] = count > 0 ? sum / (double) count : NAN;
    }
  return voxels->len;
}

/* The last frame of the baseline: from the first rise to a tenth of the peak back to the start of
 * that rise. */
static int
find_baseline (const VgPerfusionStudy *self, const double *signal)
{
  int first = CLAMP (self->params->baseline_first - 1, 0, self->n - 1), peak = first, at = first;

  for (int i = first; i < self->n; i++)
    if (signal[i] > signal[peak])
      peak = i;
  while (at < peak && signal[at] - signal[first] < 0.1 * (signal[peak] - signal[first]))
    at++;
  /* A model's curve rises slowly at its foot. */
  while (at > first && signal[at] - signal[at - 1] > 0.001 * (signal[peak] - signal[first]))
    at--;
  return at;
}

/* Sets the baseline from ARTERY's rise unless the settings give it.  One of its frames must have
 * a weight. */
static gboolean
set_baseline (VgPerfusionStudy *self, const double *artery, GError **error)
{
  VgPerfusionSignal *signal = &self->signal;
  int last = self->params->baseline_last - 1;

  signal->baseline_first = CLAMP (self->params->baseline_first - 1, 0, self->n - 1);
  if (last < 0)
    last = find_baseline (self, artery);
  signal->baseline_last = CLAMP (last, signal->baseline_first, self->n - 1);
  for (int i = signal->baseline_first; i <= signal->baseline_last; i++)
    if (self->weights[i] > 0 || signal->kind == VG_PERFUSION_SIGNAL_CONCENTRATION)
      return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "no frame of the baseline, %d to %d, is used, because of its weight or because "
               "the motion correction left it out; choose other baseline frames before "
               "the bolus that have one",
               signal->baseline_first + 1, signal->baseline_last + 1);
  return FALSE;
}

/* The mean of the finite values above LEAST of PLANE in the marked voxels; NaN: there are none. */
static float
mean_above (const VgPerfusionStudy *self, const guint8 *mask, const float *plane, float least)
{
  double sum = 0;
  gsize n = 0;

  for (gsize i = 0; i < self->voxels; i++)
    if (mask[i] && plane[i] > least && isfinite (plane[i]))
      {
        sum += plane[i];
        n++;
      }
  return (float) (sum / (double) n);
}

/* The mean cosine of the flip angle in the marked voxels. */
static float
cosine_in (const VgPerfusionStudy *self, const guint8 *mask)
{
  return self->cos_flip != NULL ? mean_above (self, mask, self->cos_flip, -1)
                                : self->signal.cos_flip;
}

/* The volume of plasma as a fraction of that of blood; of concentrations, which are those in plasma
 * already, 1. */
static double
plasma_fraction (const VgPerfusionParams *params)
{
  return params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION ? 1 : 1 - params->haematocrit;
}

/* Converts a mean signal to concentration in place, divided by PLASMA, the plasma fraction of the
 * blood.  Returns the mean signal of the baseline. */
static double
convert (const VgPerfusionStudy *self, float t1_s, float cosine, double plasma, double *curve)
{
  VgPerfusionSignal signal = self->signal;
  double baseline = 0;
  int used = 0;

  signal.cos_flip = cosine;

  for (int i = self->signal.baseline_first; i <= self->signal.baseline_last; i++)
    if (self->weights[i] > 0)
      {
        baseline += curve[i];
        used++;
      }
  baseline /= used;
  for (int i = 0; i < self->n; i++)
    curve[i] = vg_perfusion_concentration (&signal, (float) curve[i], (float) baseline, t1_s) /
               plasma;
  return baseline;
}

/* Takes the voxels of a vessel whose curve is measured out of MASK; returns whether any remain.
 * VESSEL has room for a mask.  It runs each time that a vessel is moved. */
static gboolean
leave_out_vessel (const VgPerfusionStudy *self, const char *id, const char *text, guint8 *vessel,
                  guint8 *mask)
{
  gboolean found = FALSE;

  memset (vessel, 0, self->voxels);
  if (!mark (self, id, text, "", FALSE, vessel, &found, NULL))
    found = FALSE;
  if (found)
#pragma omp simd
    for (gsize i = 0; i < self->voxels; i++)
      mask[i] &= (guint8) !vessel[i];
  return memchr (mask, 1, self->voxels) != NULL;
}

/* Blood is no tissue: takes the voxels of the vessels out of those to fit, unless none remains. */
static gboolean
leave_out_vessels (VgPerfusionStudy *self, GError **error)
{
  const VgPerfusionParams *params = self->params;
  g_autofree guint8 *mask = NULL, *vessel = NULL;
  gboolean any = TRUE;

  if (self->artery_voxels == 0 && self->portal_voxels == 0)
    return TRUE;
  mask = g_try_malloc (self->voxels);
  vessel = g_try_malloc (self->voxels);
  if (mask == NULL || vessel == NULL)
    {
      set_mask_error (self, error);
      return FALSE;
    }
  if (self->mask != NULL)
    memcpy (mask, self->mask, self->voxels);
  else
    memset (mask, 1, self->voxels);
  if (self->artery_voxels > 0)
    any = leave_out_vessel (self, "artery", params->artery, vessel, mask);
  if (self->portal_voxels > 0)
    any = leave_out_vessel (self, "portal", params->portal, vessel, mask);
  if (!any)
    return TRUE;
  g_free (self->mask);
  self->mask = g_steal_pointer (&mask);
  return TRUE;
}

gsize
vg_perfusion_study_regions (const VgPerfusionStudy *self, const VgRegion *const *regions,
                            guint n_regions, double *curve, gboolean *blood)
{
  const VgPerfusionParams *params = self->params;
  g_autofree guint8 *mask = g_try_malloc0 (self->voxels), *tissue = g_try_malloc (self->voxels),
                    *vessel = g_try_malloc (self->voxels);
  gsize n;

  *blood = FALSE;
  if (mask == NULL || tissue == NULL || vessel == NULL)
    return 0;
  for (guint i = 0; i < n_regions; i++)
    mark_region (self, regions[i], FALSE, mask);
  memcpy (tissue, mask, self->voxels);
  n = average (self, mask, curve);
  if (n == 0)
    return 0;
  if (self->artery_voxels > 0)
    *blood = !leave_out_vessel (self, "artery", params->artery, vessel, tissue);
  if (self->portal_voxels > 0)
    *blood = !leave_out_vessel (self, "portal", params->portal, vessel, tissue);
  if (*blood)
    {
      convert (self, params->t1_blood_ms / 1000, cosine_in (self, mask), plasma_fraction (params),
               curve);
      return n;
    }
  n = average (self, tissue, curve);
  /* T1 is unknown where its series does not determine it. */
  convert (self,
           self->t1_s != NULL ? mean_above (self, tissue, self->t1_s, 0) : params->t1_ms / 1000,
           cosine_in (self, tissue), 1, curve);
  return n;
}

static gboolean
check_curve (const VgPerfusionStudy *self, const double *curve, const char *what, GError **error)
{
  double peak = 0;

  for (int i = 0; i < self->n; i++)
    {
      if (!isfinite (curve[i]) && self->weights[i] > 0)
        {
          const char *advice =
              self->motion != NULL && self->motion->corrected != NULL
                  ? ", nearer to the middle of the volume (the correction of motion may have moved "
                    "this one out of it); correct each slice by itself"
              : self->params->signal == VG_PERFUSION_SIGNAL_CONCENTRATION
                  ? ""
                  : ", or another signal model (the data may already be concentrations)";

          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "the curve of %s is not a number at frame %d; choose another position%s, or "
                       "give the frame the weight 0",
                       what, i + 1, advice);
          return FALSE;
        }
      peak = MAX (peak, isfinite (curve[i]) ? curve[i] : 0);
    }
  if (peak > 1e-12)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "the curve of %s never rises above 0, so no contrast agent arrives there; choose "
               "another position, or check the signal model",
               what);
  return FALSE;
}

/* Reads one vessel.  *CURVE remains NULL if the settings name no region and no file.  *COSINE
 * receives the mean cosine of the flip angle in its voxels. */
static gboolean
read_vessel (VgPerfusionStudy *self, const char *id, const char *text, const char *what,
             double **curve, gsize *voxels, float *cosine, GError **error)
{
  const VgImage *file = vg_perfusion_study_file (self, id);
  g_autofree double *values = g_new0 (double, self->n);
  g_autofree guint8 *mask = NULL;
  gboolean found;

  *curve = NULL;
  *voxels = 0;
  if (file != NULL && file->text != NULL)
    {
      if (!vg_perfusion_read_curve (self, file, g_str_equal (id, "portal"), values, error))
        return FALSE;
      *curve = g_steal_pointer (&values);
      return TRUE;
    }
  mask = g_try_malloc0 (self->voxels);
  if (mask == NULL || !mark (self, id, text, what, FALSE, mask, &found, error))
    return FALSE;
  if (!found)
    return TRUE;
  *voxels = average (self, mask, values);
  *cosine = cosine_in (self, mask);
  if (isnan (*cosine))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the B1 map has no value above 0 in %s; choose another position, or another "
                   "map",
                   what);
      return FALSE;
    }
  *curve = g_steal_pointer (&values);
  return TRUE;
}

/* The population AIF at the frames, which arrives at ARRIVAL_S. */
static double *
population_artery (const VgPerfusionStudy *self, double arrival_s)
{
  double *curve = g_new (double, self->n);

  for (int i = 0; i < self->n; i++)
    curve[i] = vg_perfusion_population_plasma (self, self->times_s[i] - arrival_s);
  return curve;
}

/* Replaces the measured artery, or the mean signal in its place, by the population AIF at the
 * fitted arrival. */
static gboolean
fit_population (VgPerfusionStudy *self, GError **error)
{
  gboolean tissue = self->params->arrival == VG_PERFUSION_ARRIVAL_TISSUE;

  if (tissue && !vg_perfusion_mean_tissue (self, self->artery))
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                           "no voxel has a curve to which the arrival time could be fitted; check "
                           "the signal model, the mask and the threshold");
      return FALSE;
    }
  if (!check_curve (self, self->artery, tissue ? "the tissue" : "the artery", error) ||
      !vg_perfusion_fit_arrival (self, self->artery, tissue, error))
    return FALSE;
  g_free (self->artery);
  self->artery = population_artery (self, self->arrival_s);
  return TRUE;
}

/* What takes the place of an artery that is not given. */
static gboolean
set_population (VgPerfusionStudy *self, GError **error)
{
  const VgPerfusionParams *params = self->params;

  if (params->arrival == VG_PERFUSION_ARRIVAL_ARTERY)
    {
      g_set_error_literal (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "the arrival time is to be fitted to the artery, but no artery is given; "
          "mark it, or choose another Arrival time");
      return FALSE;
    }
  self->artery = population_artery (self, params->arrival_s);
  /* The baseline is found from this curve. */
  if (params->arrival == VG_PERFUSION_ARRIVAL_TISSUE)
    vg_perfusion_mean_signal (self, self->artery);
  return TRUE;
}

gboolean
vg_perfusion_read_inputs (VgPerfusionStudy *self, GError **error)
{
  const VgPerfusionParams *params = self->params;
  gboolean dual = params->inputs == 0, given;
  double plasma = plasma_fraction (params);
  float portal_cosine = 0;

  g_clear_pointer (&self->artery, g_free);
  g_clear_pointer (&self->portal, g_free);
  self->arrival_s = self->arrival_error_s = NAN;
  if (!read_vessel (self, "artery", params->artery, "the artery", &self->artery,
                    &self->artery_voxels, &self->artery_cosine, error) ||
      (dual && !read_vessel (self, "portal", params->portal, "the portal vein", &self->portal,
                             &self->portal_voxels, &portal_cosine, error)))
    return FALSE;
  if (!leave_out_vessels (self, error) || !vg_perfusion_read_averages (self, error))
    return FALSE;
  given = self->artery != NULL;
  self->population = !given || params->arrival == VG_PERFUSION_ARRIVAL_ARTERY;
  self->dispersed = dual && self->portal == NULL;
  if (!given && !set_population (self, error))
    return FALSE;
  vg_perfusion_interpolate (self->n, self->times_s, self->weights, self->artery);
  if (self->portal != NULL)
    vg_perfusion_interpolate (self->n, self->times_s, self->weights, self->portal);
  if (!set_baseline (self, given || self->portal_voxels == 0 ? self->artery : self->portal, error))
    return FALSE;
  if (self->artery_voxels > 0)
    self->artery_baseline = convert (self, params->t1_blood_ms / 1000, self->artery_cosine, plasma,
                                     self->artery);
  self->inflow_ratio = vg_perfusion_inflow (self);
  if (self->portal_voxels > 0)
    convert (self, params->t1_blood_ms / 1000, portal_cosine, plasma, self->portal);
  if (self->population && params->arrival != VG_PERFUSION_ARRIVAL_GIVEN &&
      !fit_population (self, error))
    return FALSE;
  /* Interpolate again, now linearly in concentration, as the fits do. */
  vg_perfusion_interpolate (self->n, self->times_s, self->weights, self->artery);
  if (self->portal != NULL)
    vg_perfusion_interpolate (self->n, self->times_s, self->weights, self->portal);
  else if (dual)
    {
      self->portal = g_new (double, self->n);
      vg_perfusion_disperse (self->n, self->times_s, self->artery, self->portal);
    }
  return check_curve (self, self->artery, "the artery", error) &&
         (!dual || check_curve (self, self->portal, "the portal vein", error));
}
