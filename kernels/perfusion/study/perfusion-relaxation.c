/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-sort.h"
#include "kernels/perfusion/study/perfusion-study.h"
#include <string.h>
/* T1 before contrast, from a map or from a series of images, and the map of B1. */

/* The median of VALUES above 0 in the mask, from about ten thousand voxels; NaN: there is none. */
static double
find_median (const VgPerfusionStudy *self, const float *values)
{
  const gsize stride = MAX (self->voxels / 30000, 1);
  g_autofree float *chosen = g_new (float, self->voxels / stride + 1);
  gsize n = 0;

  for (int pass = 0; pass < 2 && n == 0; pass++)
    for (gsize i = 0; i < self->voxels && n <= self->voxels / stride; i += pass == 0 ? stride : 1)
      if ((self->mask == NULL || self->mask[i]) && values[i] > 0 && isfinite (values[i]))
        chosen[n++] = values[i];
  vg_sort_floats (chosen, n);
  return n > 0 ? chosen[n / 2] : NAN;
}

/* Loads a map in ms, or in s as BIDS specifies: no tissue has a T1 below 20 ms or above 20 s.  A T1
 * that is not above 0 is none. */
static void
load_map (VgPerfusionStudy *self, const VgImage *map)
{
  for (gsize i = 0; i < self->voxels; i++)
    {
      float t1_s = (float) (vg_image_sample (map, i) / 1000);

      self->t1_s[i] = t1_s > 0 && isfinite (t1_s) ? t1_s : (float) NAN;
    }
  self->t1_in_s = find_median (self, self->t1_s) < 0.02;
  for (gsize i = 0; self->t1_in_s && i < self->voxels; i++)
    self->t1_s[i] *= 1000;
}

/* ---- A series ---- */

typedef struct
{
  const VgImage *image;
  VgPerfusionT1Method method;
  int n;
  double at[VG_PERFUSION_T1_MOST]; /* flip angles, rad, or times, s, that do not decrease */
  int order[VG_PERFUSION_T1_MOST]; /* the frame of each */
  gboolean magnitude;
} Series;

/* The values of the frames, from the table of the settings or else from the files; *N receives
 * their number, 0: neither has them. */
static double *
find_values (const VgTable *table, const double *file, const VgImage *image, int *n)
{
  gboolean given = table != NULL && table->rows > 0;
  double *values;

  *n = given          ? table->rows
       : file != NULL ? (int) MIN (image->info.frames, VG_PERFUSION_T1_MOST + 1)
                      : 0;
  values = g_new (double, *n);
  for (int k = 0; k < *n; k++)
    values[k] = given ? table->values[k * table->columns] : file[k];
  return values;
}

/* In a magnitude image the sum of the signals below 0 is at most this fraction of the sum of all
 * absolute values: interpolation overshoots at edges. */
#define MOST_BELOW 0.04

static gboolean
is_magnitude (const VgPerfusionStudy *self, const VgImage *image, int frames)
{
  double below = 0, all = 0;

  for (gsize i = 0; i < self->voxels; i++)
    for (int k = 0; k < frames && (self->mask == NULL || self->mask[i]); k++)
      {
        double signal = vg_image_sample (image, (gsize) k * self->voxels + i);

        if (isfinite (signal))
          {
            below += MAX (-signal, 0);
            all += fabs (signal);
          }
      }
  return below <= MOST_BELOW * all;
}

/* Sorts the frames by their times. */
static void
sort_series (Series *self)
{
  for (int i = 1; i < self->n; i++)
    for (int j = i; j > 0 && self->at[j] < self->at[j - 1]; j--)
      {
        double at = self->at[j];
        int frame = self->order[j];

        self->at[j] = self->at[j - 1];
        self->order[j] = self->order[j - 1];
        self->at[j - 1] = at;
        self->order[j - 1] = frame;
      }
}

/* Sets the method and the angles or times of SERIES.  FALSE and an error: they are not known. */
static gboolean
describe_series (const VgPerfusionStudy *self, Series *series, GError **error)
{
  const VgPerfusionParams *params = self->params;
  const VgImage *image = series->image;
  int angles, times, least;
  g_autofree double *angles_deg = find_values (params->flip_angles, image->flips_deg, image,
                                               &angles),
                    *times_ms = find_values (params->t1_times, image->inversions_ms, image, &times);
  gboolean vary = params->t1_times != NULL && params->t1_times->rows > 0, recovery;

  for (int k = 1; k < times; k++)
    vary = vary || times_ms[k] != times_ms[0];
  series->method = (VgPerfusionT1Method) params->t1_method;
  if (series->method == VG_PERFUSION_T1_AUTO)
    series->method = times > 0 && (params->flip_angles == NULL || params->flip_angles->rows == 0) &&
                             (vary || angles == 0)
                         ? VG_PERFUSION_T1_INVERSION
                         : VG_PERFUSION_T1_FLIP_ANGLES;
  recovery = series->method != VG_PERFUSION_T1_FLIP_ANGLES;
  least = !recovery ? 2 : series->method == VG_PERFUSION_T1_SATURATION ? 3 : 4;
  series->n = recovery ? times : angles;
  if (series->n >= least && series->n <= VG_PERFUSION_T1_MOST)
    {
      for (int k = 0; k < series->n; k++)
        {
          series->order[k] = k;
          series->at[k] = recovery ? times_ms[k] / 1000 : angles_deg[k] * G_PI / 180;
        }
      if (recovery)
        sort_series (series);
      return TRUE;
    }
  if (image->info.frames == 1)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" is an image at one %s, but T1 needs %d to %d; choose the images at all "
                 "%s together",
                 image->name, recovery ? "time" : "flip angle", least, VG_PERFUSION_T1_MOST,
                 recovery ? "times" : "angles");
  else if (params->t1_method == VG_PERFUSION_T1_AUTO && angles + times == 0)
    g_set_error (
        error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
        "\"%s\" gives neither flip angles nor inversion times; set Flip angles or T1 times "
        "in the order of the images",
        image->name);
  else
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" does not give %d to %d %s; set %s in the order of the images", image->name,
                 least, VG_PERFUSION_T1_MOST,
                 recovery ? "inversion times or saturation delays" : "flip angles",
                 recovery ? "T1 times" : "Flip angles");
  return FALSE;
}

/* Fits every voxel and counts those in the mask that have no T1. */
static void
fit_series (VgPerfusionStudy *self, const Series *series)
{
  const VgImage *image = series->image;
  double repetition_s = (image->info.repetition_ms > 0 ? image->info.repetition_ms
                                                       : self->params->repetition_ms) /
                        1000.0;

#pragma omp parallel for num_threads(self->threads) schedule(dynamic, 1024)
  for (gsize i = 0; i < self->voxels; i++)
    {
      double angles[VG_PERFUSION_T1_MOST], signal[VG_PERFUSION_T1_MOST], error_s, t1_s;

      for (int k = 0; k < series->n; k++)
        {
          angles[k] = series->at[k] * (self->b1 != NULL ? self->b1[i] : 1);
          signal[k] = vg_image_sample (image, (gsize) series->order[k] * self->voxels + i);
        }
      t1_s = series->method == VG_PERFUSION_T1_FLIP_ANGLES
                 ? vg_perfusion_t1_from_angles (series->n, angles, signal, repetition_s, &error_s)
                 : vg_perfusion_t1_from_recovery (series->method, series->n, series->at, signal,
                                                  series->magnitude, &error_s);
      self->t1_s[i] = (float) t1_s;
      self->t1_maps[i] = (float) (1000 * t1_s);
      self->t1_maps[self->voxels + i] = isfinite (t1_s) ? (float) (1000 * error_s) : (float) NAN;
    }
}

/* ---- Reading ---- */

static gboolean
check (const VgPerfusionStudy *self, const VgImage *image, int frames, const char *what,
       GError **error)
{
  const VgImageInfo *info = &self->image->info, *other = &image->info;

  if (other->width == info->width && other->height == info->height && other->channels == 1 &&
      (gint64) vg_image_info_pages (other) == info->slices * frames)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "%s \"%s\" has %" G_GINT64_FORMAT
               " pages of %dx%d, but %d pages of %dx%d are needed for %d frame%s of %d slice%s; "
               "resample it to the voxels of the contrast series",
               what, image->name, vg_image_info_pages (other), other->width, other->height,
               (int) info->slices * frames, info->width, info->height, frames,
               frames == 1 ? "" : "s", (int) info->slices, info->slices == 1 ? "" : "s");
  return FALSE;
}

/* Memory for PLANES maps; NULL and an error. */
static float *
new_maps (const VgPerfusionStudy *self, gsize planes, GError **error)
{
  float *maps = g_try_new (float, self->voxels *planes);

  if (maps == NULL)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                 "there is not enough memory for a T1 map of %" G_GSIZE_FORMAT " voxels",
                 self->voxels);
  return maps;
}

/* Reads the map of B1, the actual flip angle divided by the nominal one, and the cosine of the flip
 * angle in each voxel.  A voxel without B1 has no cosine. */
static gboolean
read_b1 (VgPerfusionStudy *self, GError **error)
{
  const VgImage *map = vg_perfusion_study_file (self, "b1_file");
  gboolean percent = self->params->b1_unit == VG_PERFUSION_B1_PERCENT;
  double median;

  g_clear_pointer (&self->b1, g_free);
  g_clear_pointer (&self->cos_flip, g_free);
  if (map == NULL)
    return TRUE;
  if (!check (self, map, 1, "the B1 map", error))
    return FALSE;
  self->b1 = new_maps (self, 1, error);
  if (self->b1 == NULL)
    return FALSE;
  for (gsize i = 0; i < self->voxels; i++)
    {
      double b1 = vg_image_sample (map, i) / (percent ? 100 : 1);

      self->b1[i] = b1 > 0 && isfinite (b1) ? (float) b1 : (float) NAN;
    }
  median = find_median (self, self->b1);
  if (!(median >= 0.2 && median <= 5))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the B1 map \"%s\" has a median of %.3g where voxels are fitted, which is not a "
                   "plausible %s of the nominal flip angle; check the map, the mask and Unit of B1",
                   map->name, median * (percent ? 100 : 1), percent ? "percentage" : "fraction");
      return FALSE;
    }
  if (self->params->signal != VG_PERFUSION_SIGNAL_GRADIENT_ECHO)
    return TRUE;
  self->cos_flip = new_maps (self, 1, error);
  for (gsize i = 0; self->cos_flip != NULL && i < self->voxels; i++)
    self->cos_flip[i] = (float) cos (self->b1[i] * self->params->flip_deg * G_PI / 180);
  return self->cos_flip != NULL;
}

gboolean
vg_perfusion_read_relaxation (VgPerfusionStudy *self, GError **error)
{
  const VgImage *map = vg_perfusion_study_file (self, "t1_file");
  Series series = { .image = vg_perfusion_study_file (self, "t1_series") };

  g_clear_pointer (&self->t1_s, g_free);
  g_clear_pointer (&self->t1_maps, g_free);
  self->t1_in_s = FALSE;
  self->t1_unknown = 0;
  if (self->params->signal > VG_PERFUSION_SIGNAL_SATURATION)
    return TRUE;
  if (!read_b1 (self, error))
    return FALSE;
  if (map == NULL && series.image == NULL)
    return TRUE;
  if (map != NULL ? !check (self, map, 1, "the T1 map", error)
                  : !describe_series (self, &series, error) ||
                        !check (self, series.image, series.n, "the T1 series", error))
    return FALSE;
  self->t1_s = new_maps (self, 1, error);
  if (self->t1_s == NULL)
    return FALSE;
  if (map != NULL)
    load_map (self, map);
  else
    {
      self->t1_maps = new_maps (self, 2, error);
      if (self->t1_maps == NULL)
        return FALSE;
      series.magnitude = is_magnitude (self, series.image, series.n);
      self->t1_method = series.method;
      fit_series (self, &series);
    }
  for (gsize i = 0; i < self->voxels; i++)
    self->t1_unknown += (self->mask == NULL || self->mask[i]) &&
                        !(self->t1_s[i] > 0 && isfinite (self->t1_s[i]));
  self->t1_median_s = find_median (self, self->t1_s);
  if (self->t1_median_s > 0)
    return TRUE;
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
      map != NULL ? "\"%s\" has no T1 above 0 where voxels are fitted; check the map and the mask"
      : series.method == VG_PERFUSION_T1_FLIP_ANGLES
          ? "no voxel of \"%s\" has signals from which T1 can be computed; check the flip "
            "angles, their order and the repetition time"
          : "no voxel of \"%s\" has signals from which T1 can be computed; check T1 times, "
            "their order and T1 method",
      map != NULL ? map->name : series.image->name);
  return FALSE;
}
