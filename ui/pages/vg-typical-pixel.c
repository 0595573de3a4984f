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

int
vg_typical_pixel_find (const float *values, const float *light, const float *labels, int n)
{
  g_autofree Sample *samples = g_new (Sample, n);
  float darkest = INFINITY, brightest = -INFINITY;
  int found = 0, lit = 0;

  if (light == NULL)
    light = values;
  for (int i = 0; i < n; i++)
    if (isfinite (values[i]) && isfinite (light[i]) && (labels == NULL || labels[i] == 1))
      {
        darkest = MIN (darkest, light[i]);
        brightest = MAX (brightest, light[i]);
        samples[found++] = (Sample){ values[i], i };
      }
  for (int i = 0; labels == NULL && i < found; i++)
    if (light[samples[i].index] >= darkest + LIT * (brightest - darkest))
      samples[lit++] = samples[i];
  if (labels == NULL)
    found = lit;
  if (found == 0)
    return -1;
  qsort (samples, (gsize) found, sizeof *samples, compare_samples);
  return samples[(found - 1) / 2].index;
}
