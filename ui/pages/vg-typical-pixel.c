/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-typical-pixel.h"
#include <math.h>
#include <stdlib.h>

#define LIT 0.25f /* fraction of the range of the light above which a pixel is not dark */

typedef struct
{
  float value;
  int index;
} Sample;

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Sample *one = a, *other = b;
  int by_value = (one->value > other->value) - (one->value < other->value);

  return by_value != 0 ? by_value : one->index - other->index;
}

static inline gboolean
is_valid (const float *values, const float *light, const float *labels, int i)
{
  return isfinite (values[i]) && isfinite (light[i]) && (labels == NULL || labels[i] == 1);
}

int
vg_typical_pixel_find (const float *values, const float *light, const float *labels, int n)
{
  g_autofree Sample *samples = NULL;
  float darkest = INFINITY, brightest = -INFINITY, least;
  int valid = 0, lit = 0, found = 0, step;

  if (light == NULL)
    light = values;
  for (int i = 0; i < n; i++)
    if (is_valid (values, light, labels, i))
      {
        darkest = MIN (darkest, light[i]);
        brightest = MAX (brightest, light[i]);
        valid++;
      }
  if (valid == 0)
    return -1;
  least = labels == NULL ? darkest + LIT * (brightest - darkest) : -INFINITY;
  /* odd, so that it falls on all columns of an even width */
  step = (valid - 1) / VG_TYPICAL_PIXEL_SAMPLES + 1;
  step += step % 2 == 0;
  samples = g_new (Sample, (valid - 1) / step + 1);
  for (int i = 0; i < n; i++)
    if (is_valid (values, light, labels, i) && light[i] >= least && lit++ % step == 0)
      samples[found++] = (Sample){ values[i], i };
  if (found == 0) /* the range of the light is not finite */
    return -1;
  qsort (samples, (gsize) found, sizeof *samples, compare_samples);
  return samples[(found - 1) / 2].index;
}
