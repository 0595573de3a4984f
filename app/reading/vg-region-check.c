/* SPDX-License-Identifier: MIT */
#include "app/reading/vg-region-check.h"
#include <math.h>
#include <stdlib.h>
#include "kernels/base/vg-text.h"

/* The least relative difference that is told of, and the least relative error of single pixels and
 * fraction of pixels at a bound that explain it.  The bias of a ratio is about the square of its
 * relative error: 6 % at 25 %. */
#define LEAST_DIFFERENCE 0.05
#define NOISY_ERROR 0.25
#define MANY_BOUNDED 0.1
/* The spread of the pixels in units of their errors from which they are different tissue. */
#define DIFFERENT_SPREAD 1.5

enum { LEAST_PIXELS = 8 };

/* The standard deviation of a normal distribution with the same quartiles. */
static double
get_spread (const VgRegionValues *values)
{
  return (values->q75 - values->q25) / 1.349;
}

/* Noise shifts the fits of single voxels, hardly that of their mean; a little of another tissue, or
 * a bound, shifts the fit of the mean curve, hardly the median. */
static void
add_reasons (GString *text, const VgRegionFit *fit, const VgRegionValues *values)
{
  double relative = values->median != 0 ? values->error / fabs (values->median) : (double) NAN;
  gboolean bounded = values->bounded >= MANY_BOUNDED, noisy = relative >= NOISY_ERROR,
           mixed = !noisy && get_spread (values) > DIFFERENT_SPREAD * values->error;

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
                            100 * relative);
  if (mixed)
    g_string_append (text, "\nThe voxels differ by more than their standard errors, so the region "
                           "contains different tissues, such as vessels.");
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
         apart = fabs (fit->value - values->median);
  g_autofree char *mean = NULL, *median = NULL;
  GString *text;

  if (values->n < LEAST_PIXELS || !(fit->error > 0) || !isfinite (apart + of_median) ||
      !(apart > 2 * hypot (fit->error, of_median)) ||
      !(apart > LEAST_DIFFERENCE * fmax (fabs (fit->value), fabs (values->median))))
    return NULL;
  text = g_string_new (NULL);
  mean = vg_text_with_error (fit->value, fit->error);
  median = vg_text_with_error (values->median, of_median);
  g_string_printf (text,
                   "%s is %s%s%s in the fit of the mean curve, but %s as the median of the voxels.",
                   label, mean, *unit != '\0' ? " " : "", unit, median);
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

/* Adds the samples of output I at the pixels of N regions to VALUES, missing ones too, in a fixed
 * order.  FALSE: it is not computed, or an error. */
static gboolean
gather (VgWork *work, int i, const VgRegion *const *regions, guint n, GArray *values,
        GError **error)
{
  g_autofree float *owned = NULL;
  VgPlane plane;

  if (!vg_work_output (work, (guint) i, &plane, error) ||
      !vg_work_copy_to_host (work, &plane, &owned, error))
    return FALSE;
  for (guint k = 0; k < n; k++)
    {
      gsize slice = (gsize) CLAMP (regions[k]->slice, 0, MAX (plane.slices, 1) - 1) *
                    (gsize) plane.width * (gsize) plane.height;
      g_autofree guint8 *mask = NULL;
      int x0, y0, x1, y1;

      if (!vg_region_bounds (regions[k], plane.width, plane.height, &x0, &y0, &x1, &y1))
        continue;
      mask = vg_region_mask (regions[k], x0, y0, x1, y1);
      for (int y = y0; y < y1 && mask != NULL; y++)
        for (int x = x0; x < x1; x++)
          if (mask[(gsize) (y - y0) * (gsize) (x1 - x0) + (gsize) (x - x0)] != 0)
            g_array_append_val (values,
                                plane.data[slice + (gsize) y * (gsize) plane.width + (gsize) x]);
    }
  return TRUE;
}

/* Keeps the finite values, the finite errors beside them, and counts the labels there. */
static guint64
leave_out_missing (GArray *values, GArray *deviations, const GArray *labels)
{
  guint64 bounded = 0;
  guint kept = 0, known = 0;

  for (guint k = 0; k < values->len; k++)
    {
      const float value = g_array_index (values, float, k),
                  deviation = g_array_index (deviations, float, k);

      if (!isfinite (value))
        continue;
      g_array_index (values, float, kept++) = value;
      if (isfinite (deviation))
        g_array_index (deviations, float, known++) = deviation;
      bounded += g_array_index (labels, float, k) > 0;
    }
  g_array_set_size (values, kept);
  g_array_set_size (deviations, known);
  return bounded;
}

static void
set_values (VgRegionValues *found, GArray *values, GArray *deviations, guint64 bounded)
{
  g_array_sort (values, compare_floats);
  g_array_sort (deviations, compare_floats);
  *found = (VgRegionValues){ .n = values->len, .error = NAN };
  if (values->len == 0)
    return;
  found->median = quantile (values, 0.5);
  found->q25 = quantile (values, 0.25);
  found->q75 = quantile (values, 0.75);
  found->bounded = (double) bounded / values->len;
  if (deviations->len > 0)
    found->error = quantile (deviations, 0.5);
}

static char *
compare (VgWork *work, const VgRegion *const *regions, guint n, const VgCurves *sum, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (work);
  int deviation, i = sum != NULL && sum->outputs != NULL ? find_map (work, sum, &deviation) : -1;
  int labels = i >= 0 ? vg_operation_find_role (operation, VG_ROLE_BOUND, operation->outputs[i].id)
                      : -1;
  g_autoptr (GArray) values = NULL, deviations = NULL, bounds = NULL;
  VgRegionValues found;
  VgRegionFit fit;

  if (labels < 0)
    return NULL;
  values = g_array_new (FALSE, FALSE, sizeof (float));
  deviations = g_array_new (FALSE, FALSE, sizeof (float));
  bounds = g_array_new (FALSE, FALSE, sizeof (float));
  if (!gather (work, i, regions, n, values, error) ||
      !gather (work, deviation, regions, n, deviations, error) ||
      !gather (work, labels, regions, n, bounds, error) || deviations->len != values->len ||
      bounds->len != values->len)
    return NULL;
  set_values (&found, values, deviations, leave_out_missing (values, deviations, bounds));
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
