/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-relaxation.h"
#include "kernels/base/vg-sort.h"
#include "kernels/perfusion/study/perfusion-study.h"
#include <stdlib.h>
/* Native T1: from a map, or from a series at several flip angles. */

enum { MAX_ANGLES = 32 };

/* S / sin a against S / tan a is a line with slope exp (-TR / T1) (Fram 1987), with weights as in
 * Chang et al., Magn. Reson. Med. 60, 496 (2008), by iteration.  NaN: no T1 gives this slope. */
static double
find_slope (int n, const double *angles_rad, const double *signal)
{
  double e = NAN;

  for (int pass = 0; pass < 20; pass++)
    {
      double sw = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, last = e, det;

      for (int i = 0; i < n; i++)
        {
          double y = signal[i] / sin (angles_rad[i]), x = signal[i] / tan (angles_rad[i]);
          double root = pass == 0 ? 1 : sin (angles_rad[i]) / (1 - e * cos (angles_rad[i])),
                 w = root * root;

          sw += w;
          sx += w * x;
          sy += w * y;
          sxx += w * x * x;
          sxy += w * x * y;
        }
      det = sw * sxx - sx * sx;
      e = (sw * sxy - sx * sy) / det;
      if (!(e > 0 && e < 1))
        return NAN;
      if (fabs (e - last) < 1e-12)
        break;
    }
  return e;
}

/* The sum of squared residuals of the signals, with the amplitude of sin a / (1 - E cos a)
 * fitted.  STEP receives the Gauss-Newton step from E with the amplitude projected out. */
static double
sum_of_squares (int n, const double *angles_rad, const double *signal, double e, double *step)
{
  double ss = 0, sg = 0, sd = 0, gg = 0, gd = 0, dd = 0, amount;

  for (int i = 0; i < n; i++)
    {
      double cosine = cos (angles_rad[i]), g = sin (angles_rad[i]) / (1 - e * cosine),
             d = g * cosine / (1 - e * cosine);

      ss += signal[i] * signal[i];
      sg += signal[i] * g;
      sd += signal[i] * d;
      gg += g * g;
      gd += g * d;
      dd += d * d;
    }
  amount = sg / gg;
  *step = (sd - amount * gd) / (amount * (dd - gd * gd / gg));
  return ss - amount * sg;
}

/* Fits the signals themselves by least squares, starting from the slope of the line.  The line
 * has noise on both axes, which makes T1 some per cent too long. */
double
vg_perfusion_t1_from_angles (int n, const double *angles_rad, const double *signal,
                             double repetition_s)
{
  double e = find_slope (n, angles_rad, signal), step = 0,
         cost = sum_of_squares (n, angles_rad, signal, e, &step);

  for (int i = 0; i < 60 && fabs (step) > 1e-10; i++)
    {
      double next_step, next = e + step,
                        next_cost = next > 0 && next < 1
                                        ? sum_of_squares (n, angles_rad, signal, next, &next_step)
                                        : HUGE_VAL;

      if (next_cost < cost)
        {
          e = next;
          cost = next_cost;
          step = next_step;
        }
      else
        step /= 2;
    }
  return -repetition_s / log (e);
}

/* The median T1 in the mask, from about ten thousand voxels; NaN if no voxel has a T1. */
static double
find_median (const VgPerfusionStudy *self)
{
  const gsize stride = MAX (self->voxels / 30000, 1);
  g_autofree float *values = g_new (float, self->voxels / stride + 1);
  gsize n = 0;

  for (int pass = 0; pass < 2 && n == 0; pass++)
    for (gsize i = 0; i < self->voxels && n <= self->voxels / stride; i += pass == 0 ? stride : 1)
      if ((self->mask == NULL || self->mask[i]) && self->t1_s[i] > 0 && isfinite (self->t1_s[i]))
        values[n++] = self->t1_s[i];
  vg_sort_floats (values, n);
  return n > 0 ? values[n / 2] : NAN;
}

/* Loads a map in ms, or in s as BIDS specifies: no tissue has a T1 below 20 ms or above 20 s. */
static void
load_map (VgPerfusionStudy *self, const VgImage *map)
{
  for (gsize i = 0; i < self->voxels; i++)
    self->t1_s[i] = (float) (vg_image_sample (map, i) / 1000);
  self->t1_in_s = find_median (self) < 0.02;
  for (gsize i = 0; self->t1_in_s && i < self->voxels; i++)
    self->t1_s[i] *= 1000;
}

/* The flip angles of the series in degrees, from the settings or the files; *N receives their
 * number. */
static double *
find_angles (const VgPerfusionStudy *self, const VgImage *series, int *n)
{
  const VgTable *table = self->params->flip_angles;
  double *angles;

  *n = table != NULL && table->rows > 0 ? table->rows
       : series->flips_deg != NULL      ? (int) MIN (series->info.frames, MAX_ANGLES + 1)
                                        : 0;
  angles = g_new (double, *n);
  for (int k = 0; k < *n; k++)
    angles[k] = table != NULL && table->rows > 0 ? table->values[k * table->columns]
                                                 : series->flips_deg[k];
  return angles;
}

static void
fit_angles (VgPerfusionStudy *self, const VgImage *series, int n, const double *angles_deg)
{
  double repetition_s = (series->info.repetition_ms > 0 ? series->info.repetition_ms
                                                        : self->params->repetition_ms) /
                        1000.0;

#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->voxels; i++)
    {
      double angles[MAX_ANGLES], signal[MAX_ANGLES];

      for (int k = 0; k < n; k++)
        {
          angles[k] = angles_deg[k] * G_PI / 180;
          signal[k] = vg_image_sample (series, (gsize) k * self->voxels + i);
        }
      self->t1_s[i] = (float) vg_perfusion_t1_from_angles (n, angles, signal, repetition_s);
    }
}

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
               " pages of %dx%d, but %d pages of %dx%d are needed for %d frames of %d slices",
               what, image->name, vg_image_info_pages (other), other->width, other->height,
               (int) info->slices * frames, info->width, info->height, frames, (int) info->slices);
  return FALSE;
}

gboolean
vg_perfusion_read_relaxation (VgPerfusionStudy *self, GError **error)
{
  const VgImage *map = vg_perfusion_study_file (self, "t1_file"),
                *series = vg_perfusion_study_file (self, "flip_angle_file");
  g_autofree double *angles = NULL;
  int n = 0;

  g_clear_pointer (&self->t1_s, g_free);
  self->t1_in_s = FALSE;
  if (self->params->signal > VG_PERFUSION_SIGNAL_GRADIENT_ECHO || (map == NULL && series == NULL))
    return TRUE;
  if (map == NULL)
    angles = find_angles (self, series, &n);
  if (map == NULL && (n < 2 || n > MAX_ANGLES))
    {
      if (series->info.frames == 1)
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                     "\"%s\" is an image at one flip angle, but T1 needs 2 to %d; choose the "
                     "images at all angles together",
                     series->name, MAX_ANGLES);
      else
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                     "\"%s\" does not give its 2 to %d flip angles; set Flip angles in the order "
                     "of the images",
                     series->name, MAX_ANGLES);
      return FALSE;
    }
  if (map != NULL ? !check (self, map, 1, "the T1 map", error)
                  : !check (self, series, n, "the flip-angle series", error))
    return FALSE;
  self->t1_s = g_try_new (float, self->voxels);
  if (self->t1_s == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for a T1 map of %" G_GSIZE_FORMAT " voxels",
                   self->voxels);
      return FALSE;
    }
  if (map != NULL)
    load_map (self, map);
  else
    fit_angles (self, series, n, angles);
  self->t1_median_s = find_median (self);
  if (self->t1_median_s > 0)
    return TRUE;
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               map != NULL
                   ? "\"%s\" has no T1 above 0 where voxels are fitted; check the map and the mask"
                   : "no voxel of \"%s\" has signals from which T1 can be computed; check the flip "
                     "angles, their order and the repetition time",
               map != NULL ? map->name : series->name);
  return FALSE;
}
