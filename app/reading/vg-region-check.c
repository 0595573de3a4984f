/* SPDX-License-Identifier: MIT */
#include "app/reading/vg-region-check.h"
#include <math.h>
#include <stdlib.h>
#include "kernels/base/vg-text.h"

/* The least relative difference that is reported, in one tissue and in several, and the least
 * relative error of single pixels and fraction of pixels at a bound that explain it.  The bias of a
 * ratio is about the square of its relative error: 6 % at 25 %. */
#define LEAST_DIFFERENCE 0.05
#define LEAST_MIXED_DIFFERENCE 0.02
#define NOISY_ERROR 0.25
#define MANY_BOUNDED 0.1
/* The spread of the pixels in units of their errors from which they are different tissue. */
#define DIFFERENT_SPREAD 1.5
/* A pixel this many errors from the median is other tissue, which the quartiles do not show; the
 * least fraction of such pixels.  In one tissue there are at most 0.6 %. */
#define OUTLYING_ERRORS 4
#define MANY_OUTLYING 0.02

enum { LEAST_PIXELS = 8 };

/* The standard deviation of a normal distribution with the same quartiles. */
static double
get_spread (const VgRegionValues *values)
{
  return (values->q75 - values->q25) / 1.349;
}

static double
get_relative_error (const VgRegionValues *values)
{
  return values->median != 0 ? values->error / fabs (values->median) : (double) NAN;
}

static gboolean
is_noisy (const VgRegionValues *values)
{
  return get_relative_error (values) >= NOISY_ERROR;
}

/* Fits of noisy pixels are far from the median in one tissue too. */
static gboolean
is_mixed (const VgRegionValues *values)
{
  return !is_noisy (values) && (get_spread (values) > DIFFERENT_SPREAD * values->error ||
                                values->outlying >= MANY_OUTLYING);
}

/* Noise shifts the fits of single voxels, hardly that of their mean; a little of another tissue, or
 * a bound, shifts the fit of the mean curve, hardly the median. */
static void
add_reasons (GString *text, const VgRegionFit *fit, const VgRegionValues *values)
{
  gboolean bounded = values->bounded >= MANY_BOUNDED, noisy = is_noisy (values),
           mixed = is_mixed (values);

  if (mixed && get_spread (values) > DIFFERENT_SPREAD * values->error)
    g_string_append (text, "\nThe voxels differ by more than their standard errors, so the region "
                           "contains different tissues, such as vessels.");
  else if (mixed)
    g_string_append_printf (text,
                            "\n%.0f %% of the voxels are more than 4 standard errors from the "
                            "median, so the region contains other tissue, such as vessels or fat.",
                            100 * values->outlying);
  if (fit->bound != NULL)
    g_string_append_printf (text,
                            "\nThe fit of the mean curve ended at a bound (%s), so that its error "
                            "is too small.",
                            fit->bound);
  if (bounded)
    g_string_append_printf (text, "\n%.0f %% of the voxels are at a bound.", 100 * values->bounded);
  if (noisy)
    g_string_append_printf (text,
                            "\nThe standard error of a voxel is %.0f %% of its value, and such "
                            "noise shifts fits.",
                            100 * get_relative_error (values));
  g_string_append (
      text, noisy && fit->bound != NULL ? "\nReport neither. Draw a larger region of one tissue."
            : noisy                     ? "\nReport the fit of the mean curve."
            : mixed || fit->bound != NULL
                ? "\nReport the median and quartiles of the voxels, or draw the region "
                  "without other tissue."
            : bounded ? "\nReport the fit of the mean curve."
                      : "\nNo reason was found. Report both.");
}

char *
vg_region_check_describe (const char *label, const char *unit, const VgRegionFit *fit,
                          const VgRegionValues *values)
{
  /* the standard error of a median of normal values */
  double of_median = 1.2533 * get_spread (values) / sqrt ((double) values->n),
         apart = fabs (fit->value - values->median),
         least = is_mixed (values) ? LEAST_MIXED_DIFFERENCE : LEAST_DIFFERENCE;
  g_autofree char *mean = NULL, *median = NULL, *low = NULL, *high = NULL;
  GString *text;

  if (values->n < LEAST_PIXELS || !(fit->error > 0) || !isfinite (apart + of_median) ||
      !(apart > 2 * hypot (fit->error, of_median)) ||
      !(apart > least * fmax (fabs (fit->value), fabs (values->median))))
    return NULL;
  text = g_string_new (NULL);
  mean = vg_text_with_error (fit->value, fit->error);
  median = vg_text_with_error (values->median, of_median);
  low = vg_text_with_error (values->q25, NAN);
  high = vg_text_with_error (values->q75, NAN);
  g_string_printf (text,
                   "%s is %s%s%s in the fit of the mean curve, but %s as the median of the voxels, "
                   "whose quartiles are %s and %s.",
                   label, mean, *unit != '\0' ? " " : "", unit, median, low, high);
  add_reasons (text, fit, values);
  return g_string_free (text, FALSE);
}

/* The map to compare: the first shown one with a value and a standard error in SUM, the view's
 * first map before others.  *DEVIATION: the map of its error.  -1: none. */
static int
find_map (VgWork *work, const VgCurves *sum, int *deviation)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const void *params = vg_work_get_params (work);

  for (int k = -1; k < (int) operation->n_outputs; k++)
    {
      int i = k < 0 ? (int) operation->view.first_output : k;

      *deviation = vg_operation_find_role (operation, VG_ROLE_ERROR, operation->outputs[i].id);
      if (*deviation >= 0 && operation->outputs[i].kind == VG_OUTPUT_MAP &&
          vg_operation_output_is_shown (operation, (guint) i, params) &&
          isfinite (sum->outputs[i]) && sum->outputs[*deviation] > 0 &&
          isfinite (sum->outputs[*deviation]))
        return i;
    }
  return -1;
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* Of sorted values. */
static double
quantile (const GArray *sorted, double fraction)
{
  double at = fraction * (sorted->len - 1);
  guint low = (guint) at, high = MIN (low + 1, sorted->len - 1);

  return g_array_index (sorted, float, low) +
         (at - low) *
             (double) (g_array_index (sorted, float, high) - g_array_index (sorted, float, low));
}

/* The samples of MAP at the pixels of N regions, missing ones too, in a fixed order; owned.  NULL:
 * an error. */
static GArray *
gather_from (VgWork *work, const VgPlane *map, const VgRegion *const *regions, guint n,
             GError **error)
{
  g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (float));
  g_autofree float *owned = NULL;
  VgPlane plane = *map;

  if (!vg_work_copy_to_host (work, &plane, &owned, error))
    return NULL;
  for (guint k = 0; k < n; k++)
    {
      const VgPlane whole = vg_region_plane (regions[k], &plane);
      const float *from = plane.data +
                          (gsize) CLAMP (regions[k]->slice, 0, MAX (whole.slices, 1) - 1) *
                              (gsize) whole.width * (gsize) whole.height;
      g_autofree guint8 *mask = NULL;
      VgRegionCover at;

      if (!vg_region_cover (regions[k], &plane, &at))
        continue;
      mask = at.mask;
      for (int y = at.y0; y < at.y1 && mask != NULL; y++)
        for (int x = at.x0; x < at.x1; x++)
          if (mask[(gsize) (y - at.y0) * (gsize) (at.x1 - at.x0) + (gsize) (x - at.x0)] != 0)
            g_array_append_val (values, from[(gsize) y * (gsize) whole.width + (gsize) x]);
    }
  return g_steal_pointer (&values);
}

/* As above, of output I.  NULL without an error: it is not computed. */
static GArray *
gather (VgWork *work, int i, const VgRegion *const *regions, guint n, GError **error)
{
  VgPlane plane;

  return vg_work_output (work, (guint) i, &plane, error)
             ? gather_from (work, &plane, regions, n, error)
             : NULL;
}

gboolean
vg_region_check_add_quartiles (VgWork *work, const VgPlane *map, const VgRegion *const *regions,
                               guint n, VgRegionStatistics *statistics, GError **error)
{
  g_autofree const VgRegion **present = g_new (const VgRegion *, n);
  g_autoptr (GArray) values = NULL;
  VgPlane row = { .slices = 1, .height = 1 };
  guint kept = 0;

  for (guint k = 0; k < n; k++)
    if (regions[k]->slice < MAX (map->slices, 1))
      present[kept++] = regions[k];
  values = gather_from (work, map, present, kept, error);
  if (values == NULL)
    return FALSE;
  row.width = (int) values->len;
  row.data = (float *) (gpointer) values->data;
  vg_region_statistics_add_quartiles (statistics, &row, NULL, 0, 0, row.width, 1, 0, 0);
  return TRUE;
}

/* The samples of the pixels of a region. */
typedef struct
{
  GArray *values, *deviations; /* and their standard errors */
  GArray *bounds, *status;     /* labels; no status: the operation has none */
} Samples;

static float
get (const GArray *samples, guint k)
{
  return g_array_index (samples, float, k);
}

/* Leaves out pixels without a value.  Returns the fraction of the others whose fit is at a bound
 * and therefore not among the good ones, whose status is 1: a delay at its bound does no harm. */
static double
leave_out_missing (const Samples *self)
{
  guint kept = 0, bounded = 0;

  for (guint k = 0; k < self->values->len; k++)
    if (isfinite (get (self->values, k)))
      {
        g_array_index (self->values, float, kept) = get (self->values, k);
        g_array_index (self->deviations, float, kept++) = get (self->deviations, k);
        bounded += get (self->bounds, k) > 0 &&
                   (self->status == NULL || get (self->status, k) != 1);
      }
  g_array_set_size (self->values, kept);
  g_array_set_size (self->deviations, kept);
  return kept > 0 ? (double) bounded / kept : 0;
}

/* The median of the finite ones; NaN: there is none. */
static double
find_typical (const GArray *deviations)
{
  g_autoptr (GArray) known = g_array_new (FALSE, FALSE, sizeof (float));

  for (guint k = 0; k < deviations->len; k++)
    if (isfinite (get (deviations, k)))
      g_array_append_val (known, g_array_index (deviations, float, k));
  g_array_sort (known, compare_floats);
  return known->len > 0 ? quantile (known, 0.5) : (double) NAN;
}

/* The fraction of pixels that are far from MEDIAN, in units of their errors or the TYPICAL one. */
static double
find_outlying (const Samples *self, double median, double typical)
{
  guint n = 0;

  for (guint k = 0; k < self->values->len; k++)
    n += fabs ((double) get (self->values, k) - median) >
         OUTLYING_ERRORS * fmax ((double) get (self->deviations, k), typical);
  return (double) n / self->values->len;
}

static VgRegionValues
get_values (const Samples *self)
{
  VgRegionValues found = { .bounded = leave_out_missing (self), .error = NAN };
  g_autoptr (GArray) sorted = g_array_copy (self->values);

  found.n = sorted->len;
  if (sorted->len == 0)
    return found;
  g_array_sort (sorted, compare_floats);
  found.median = quantile (sorted, 0.5);
  found.q25 = quantile (sorted, 0.25);
  found.q75 = quantile (sorted, 0.75);
  found.error = find_typical (self->deviations);
  found.outlying = find_outlying (self, found.median, found.error);
  return found;
}

static void
clear_samples (Samples *self)
{
  g_clear_pointer (&self->values, g_array_unref);
  g_clear_pointer (&self->deviations, g_array_unref);
  g_clear_pointer (&self->bounds, g_array_unref);
  g_clear_pointer (&self->status, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Samples, clear_samples)

static char *
compare (VgWork *work, const VgRegion *const *regions, guint n, const VgCurves *sum, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  int deviation, i = sum != NULL && sum->outputs != NULL ? find_map (work, sum, &deviation) : -1;
  int labels = i >= 0 ? vg_operation_find_role (operation, VG_ROLE_BOUND, operation->outputs[i].id)
                      : -1;
  int status = i >= 0 ? vg_operation_find_role (operation, VG_ROLE_LIMITS_MASK,
                                                operation->outputs[i].id)
                      : -1;
  g_auto (Samples) samples = { NULL };
  VgRegionValues found;
  VgRegionFit fit;

  if (labels < 0)
    return NULL;
  samples.values = gather (work, i, regions, n, error);
  samples.deviations = samples.values != NULL ? gather (work, deviation, regions, n, error) : NULL;
  samples.bounds = samples.deviations != NULL ? gather (work, labels, regions, n, error) : NULL;
  if (samples.bounds == NULL)
    return NULL;
  samples.status = status >= 0 ? gather (work, status, regions, n, error) : NULL;
  if ((status >= 0 && samples.status == NULL) || samples.deviations->len != samples.values->len ||
      samples.bounds->len != samples.values->len ||
      (samples.status != NULL && samples.status->len != samples.values->len))
    return NULL;
  found = get_values (&samples);
  fit = (VgRegionFit){
    sum->outputs[i], sum->outputs[deviation],
    sum->outputs[labels] > 0
        ? operation->outputs[labels].hints.categories[(guint) sum->outputs[labels]]
        : NULL
  };
  return vg_region_check_describe (
      operation->outputs[i].label,
      vg_operation_output_unit (operation, (guint) i, vg_work_get_params (work)), &fit, &found);
}

char *
vg_region_check_new (VgWork *work, const VgRegion *const *regions, guint n, const VgCurves *sum,
                     GError **error)
{
  const VgMetrics *metrics = sum != NULL ? sum->metrics : NULL;
  GError *local = NULL;
  char *text = compare (work, regions, n, sum, &local);

  /* a finished result is worth more than its check */
  if (g_error_matches (local, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY))
    g_clear_error (&local);
  if (local != NULL)
    g_propagate_error (error, local);
  for (guint k = 0; metrics != NULL && local == NULL && text == NULL && k < metrics->items->len;
       k++)
    text = g_strdup (g_array_index (metrics->items, VgMetric, k).advice);
  return text;
}
