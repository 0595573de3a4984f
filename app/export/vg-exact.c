/* SPDX-License-Identifier: MIT */
/* Range, mean and exact median of more samples than fit into memory. */
#include "app/export/vg-exact.h"
#include <math.h>
#include <string.h>

enum { BINS = 1 << 16 };

/* Whole numbers in the order of the floats they stand for. */
static inline guint32
rank_key (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline float
key_value (guint32 key)
{
  guint32 bits = key & 0x80000000u ? key & 0x7fffffffu : ~key;
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

VgExact *
vg_exact_new (void)
{
  VgExact *self = g_new0 (VgExact, 1);

  self->high = g_try_new0 (guint64, BINS);
  self->whole = g_try_new0 (guint64, VG_EXACT_WHOLE); /* memory only for numbers that occur */
  if (self->high == NULL)
    g_clear_pointer (&self, vg_exact_free);
  return self;
}

void
vg_exact_free (VgExact *self)
{
  if (self == NULL)
    return;
  g_free (self->whole);
  g_free (self->high);
  g_free (self->low[0]);
  g_free (self->low[1]);
  g_free (self);
}

static inline void
add_whole (VgExact *self, float value, gsize n)
{
  guint32 number = value >= 0 && value < VG_EXACT_WHOLE ? (guint32) value : VG_EXACT_WHOLE;

  if (number < VG_EXACT_WHOLE && (float) number == value)
    self->whole[number] += n;
  else
    g_clear_pointer (&self->whole, g_free);
}

/* Adds VALUE, or 0 N times, which changes no sum. */
static inline void
add (VgExact *self, float value, gsize n)
{
  if (self->valid == 0)
    self->min = self->max = value;
  self->valid += n;
  self->min = MIN (self->min, value);
  self->max = MAX (self->max, value);
  self->sum += value;
  self->high[rank_key (value) >> 16] += n;
  if (self->whole != NULL)
    add_whole (self, value, n);
}

/* The first of N VALUES from I on that is not +0.  Most values of a map of labels are. */
static gsize
skip_zeros (const float *values, gsize i, gsize n)
{
  while (i < n && rank_key (values[i]) == 0x80000000u)
    i++;
  return i;
}

void
vg_exact_add (VgExact *self, const float *values, gsize n)
{
  for (gsize i = 0; i < n;)
    {
      const gsize next = skip_zeros (values, i, n);

      if (next > i)
        add (self, 0.0f, next - i);
      else if (isfinite (values[i]))
        add (self, values[i], 1);
      else
        self->invalid++;
      i = MAX (next, i + 1);
    }
}

gboolean
vg_exact_is_complete (const VgExact *self)
{
  return self->valid == 0 || self->whole != NULL;
}

gboolean
vg_exact_rewind (VgExact *self)
{
  for (int m = 0; m < 2 && self->valid > 0; m++)
    {
      guint64 rank = (self->valid - 1 + m) / 2, below = 0;
      guint32 bin = 0;

      while (below + self->high[bin] <= rank)
        below += self->high[bin++];
      self->middle[m] = bin;
      self->before[m] = below;
      g_free (self->low[m]);
      self->low[m] = g_try_new0 (guint64, BINS);
      if (self->low[m] == NULL)
        return FALSE;
    }
  return TRUE;
}

void
vg_exact_again (VgExact *self, const float *values, gsize n)
{
  if (self->valid == 0)
    return;
  for (gsize i = 0; i < n; i++)
    {
      guint32 key = rank_key (values[i]);

      if (!isfinite (values[i]))
        continue;
      for (int m = 0; m < 2; m++)
        if (key >> 16 == self->middle[m])
          self->low[m][key & 0xffff]++;
    }
}

double
vg_exact_min (const VgExact *self)
{
  return self->valid == 0 ? NAN : self->min;
}

double
vg_exact_max (const VgExact *self)
{
  return self->valid == 0 ? NAN : self->max;
}

double
vg_exact_mean (const VgExact *self)
{
  return self->valid == 0 ? NAN : (double) (self->sum / self->valid);
}

/* The number of a sample by its rank, if all are whole. */
static double
find_whole (const VgExact *self, guint64 rank)
{
  guint32 number = 0;

  for (guint64 below = self->whole[0]; below <= rank;)
    below += self->whole[++number];
  return number;
}

double
vg_exact_median (const VgExact *self)
{
  double middle[2];

  if (self->valid > 0 && self->whole != NULL)
    return (find_whole (self, (self->valid - 1) / 2) + find_whole (self, self->valid / 2)) / 2;
  if (self->valid == 0 || self->low[0] == NULL)
    return NAN;
  for (int m = 0; m < 2; m++)
    {
      guint64 rank = (self->valid - 1 + m) / 2, below = self->before[m];
      guint32 bin = 0;

      while (bin < BINS - 1 && below + self->low[m][bin] <= rank)
        below += self->low[m][bin++];
      middle[m] = key_value (self->middle[m] << 16 | bin);
    }
  return (middle[0] + middle[1]) / 2;
}
