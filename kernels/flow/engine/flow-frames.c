/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-frames.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* New frames on the CPU: saturated and invalid samples are counted, and a ring of frames with the
 * sums of I and I^2 over it is kept up to date.  The sums are integers, so a frame that leaves
 * subtracts exactly what it added and nothing drifts. */

#define COUNT_FROM(name, type)                                                                     \
  VG_SIMD static guint64 name (const type *data, gsize n, type level)                              \
  {                                                                                                \
    guint64 count = 0;                                                                             \
    _Pragma ("omp simd reduction(+ : count)") for (gsize i = 0; i < n; i++)                        \
        count += data[i] >= level;                                                                 \
    return count;                                                                                  \
  }                                                                                                \
  VG_SIMD static type name##_max (const type *data, gsize n)                                       \
  {                                                                                                \
    type top = 0;                                                                                  \
    _Pragma ("omp simd reduction(max : top)") for (gsize i = 0; i < n; i++)                        \
        top = data[i] > top ? data[i] : top;                                                       \
    return top;                                                                                    \
  }
COUNT_FROM (count_u8, guint8)
COUNT_FROM (count_u16, guint16)
COUNT_FROM (count_u32, guint32)

/* Number of samples at or above the saturation level.  *TOP: the largest integer sample; only if it
 * reaches the level are samples counted. */
static guint64
count_saturated (const VgFlowState *self, const void *frame, gsize from, gsize n, guint32 *top)
{
  double level = ceil (self->full_scale);
  guint64 count = 0;

  switch (self->info.type)
    {
    case VG_U8:
      *top = count_u8_max ((const guint8 *) frame + from, n);
      return *top >= level ? count_u8 ((const guint8 *) frame + from, n, (guint8) level) : 0;
    case VG_U16:
      *top = count_u16_max ((const guint16 *) frame + from, n);
      return *top >= level ? count_u16 ((const guint16 *) frame + from, n, (guint16) level) : 0;
    case VG_U32:
      *top = count_u32_max ((const guint32 *) frame + from, n);
      return *top >= level ? count_u32 ((const guint32 *) frame + from, n, (guint32) level) : 0;
    case VG_F32:
    default:
      *top = 0;
      for (gsize i = 0; i < n; i++)
        count += isfinite (((const float *) frame)[from + i]) &&
                 (double) ((const float *) frame)[from + i] >= self->full_scale;
      return count;
    }
}

/* Whether sample I is not finite, or is saturated and saturated samples are masked. */
static gboolean
is_bad (const VgFlowState *self, const void *frame, gsize i)
{
  double level = self->params.mask_saturated ? self->full_scale : HUGE_VAL;

  switch (self->info.type)
    {
    case VG_U8:
      return ((const guint8 *) frame)[i] >= level;
    case VG_U16:
      return ((const guint16 *) frame)[i] >= level;
    case VG_U32:
      return ((const guint32 *) frame)[i] >= level;
    case VG_F32:
    default:
      return !isfinite (((const float *) frame)[i]) || ((const float *) frame)[i] >= level;
    }
}

/* Number of float samples that are not finite; *FIRST: index of the first one. */
static guint64
count_invalid (const VgFlowState *self, const float *data, gsize *first)
{
  guint64 count = 0;

  *first = self->pixels;
#pragma omp parallel for num_threads(self->threads) reduction(+ : count) reduction(min : first[:1])
  for (gsize i = 0; i < self->pixels; i++)
    if (!isfinite (data[i]))
      {
        count++;
        first[0] = MIN (first[0], i);
      }
  return count;
}

static gboolean
inspect (VgFlowState *self, const VgFrame *frame, guint64 *bad, GError **error)
{
  guint64 saturated = 0;
  guint32 maximum = 0;
  int parts = self->threads;

#pragma omp parallel for num_threads(parts) reduction(+ : saturated) reduction(max : maximum)
  for (int i = 0; i < parts; i++)
    {
      gsize from = self->pixels * (gsize) i / (gsize) parts;
      gsize to = self->pixels * (gsize) (i + 1) / (gsize) parts;
      guint32 top;

      saturated += count_saturated (self, frame->data, from, to - from, &top);
      maximum = MAX (maximum, top);
    }
  self->maximum = maximum;
  *bad = self->params.mask_saturated ? saturated : 0;
  if (self->info.type == VG_F32)
    {
      gsize first;
      guint64 invalid = count_invalid (self, frame->data, &first);

      if (invalid > 0 && self->params.nonfinite == VG_FLOW_NONFINITE_STOP)
        {
          vg_flow_refuse_invalid (frame, invalid, first, error);
          return FALSE;
        }
      *bad += invalid;
    }
  self->saturated = saturated;
  return TRUE;
}

static void
count_bad (VgFlowState *self, const void *frame, int change)
{
#pragma omp parallel for num_threads(self->threads)
  for (gsize i = 0; i < self->pixels; i++)
    if (is_bad (self, frame, i))
      self->bad[i] = (guint16) (self->bad[i] + change);
}

#define SLIDE(name, type)                                                                          \
  VG_SIMD static void name (guint32 *restrict s1, guint64 *restrict s2, const type *restrict in,   \
                            const type *restrict out, gsize n)                                     \
  {                                                                                                \
    _Pragma ("omp simd") for (gsize i = 0; i < n; i++)                                             \
    {                                                                                              \
      guint32 a = in[i], b = out[i];                                                               \
      s1[i] += a - b;                                                                              \
      s2[i] += (guint64) (a * a) - (guint64) (b * b);                                              \
    }                                                                                              \
  }                                                                                                \
  VG_SIMD static void name##_first (guint32 *restrict s1, guint64 *restrict s2,                    \
                                    const type *restrict in, gsize n)                              \
  {                                                                                                \
    _Pragma ("omp simd") for (gsize i = 0; i < n; i++)                                             \
    {                                                                                              \
      guint32 a = in[i];                                                                           \
      s1[i] += a;                                                                                  \
      s2[i] += (guint64) (a * a);                                                                  \
    }                                                                                              \
  }
SLIDE (slide_u8, guint8)
SLIDE (slide_u16, guint16)

static void
slide_sums (VgFlowState *self, const void *in, const void *out)
{
  int parts = self->threads;

#pragma omp parallel for num_threads(parts)
  for (int part = 0; part < parts; part++)
    {
      gsize from = self->pixels * (gsize) part / (gsize) parts;
      gsize n = self->pixels * (gsize) (part + 1) / (gsize) parts - from;
      guint32 *s1 = self->s1 + from;
      guint64 *s2 = self->s2 + from;

      if (self->info.type == VG_U8 && out != NULL)
        slide_u8 (s1, s2, (const guint8 *) in + from, (const guint8 *) out + from, n);
      else if (self->info.type == VG_U8)
        slide_u8_first (s1, s2, (const guint8 *) in + from, n);
      else if (out != NULL)
        slide_u16 (s1, s2, (const guint16 *) in + from, (const guint16 *) out + from, n);
      else
        slide_u16_first (s1, s2, (const guint16 *) in + from, n);
    }
}

/* Replaces the oldest frame of the ring by FRAME, which has BAD bad samples. */
static void
push (VgFlowState *self, const VgFrame *frame, guint64 bad)
{
  int depth = vg_flow_state_depth (self);
  guint8 *slot = self->ring + (gsize) self->ring_next * self->frame_bytes;
  gboolean full = self->ring_count == depth;
  guint64 *slot_bad = &self->frame_bad[self->ring_next];

  if (self->s1 != NULL)
    slide_sums (self, frame->data, full ? slot : NULL);
  if (full && *slot_bad > 0)
    count_bad (self, slot, -1);
  self->window_bad -= full ? *slot_bad : 0;
  memcpy (slot, frame->data, self->frame_bytes);
  if (bad > 0)
    count_bad (self, slot, 1);
  *slot_bad = bad;
  self->window_bad += bad;
  self->ring_next = (self->ring_next + 1) % depth;
  self->ring_count = MIN (self->ring_count + 1, depth);
}

gboolean
vg_flow_add_frame (VgFlowState *self, GError **error)
{
  guint64 bad;

  if (!inspect (self, self->current, &bad, error))
    return FALSE;
  if (self->ring != NULL)
    {
      push (self, self->current, bad);
      return TRUE;
    }
  if (self->window_bad > 0)
    memset (self->bad, 0, sizeof (guint16) * self->pixels);
  if (bad > 0)
    count_bad (self, self->current->data, 1);
  self->window_bad = bad;
  return TRUE;
}

/* Counts bad samples with a sum that slides down each column and one that slides along the row. */
static void
mask_band (VgFlowState *self, int y0, int y1, guint32 *columns)
{
  int r = vg_flow_state_radius (self), w = self->width;

  memset (columns, 0, sizeof (guint32) * (gsize) w);
  for (int y = MAX (y0 - r, 0); y < MIN (y0 + r, self->height); y++)
    for (int x = 0; x < w; x++)
      columns[x] += self->bad[(gsize) y * (gsize) w + (gsize) x];
  for (int y = y0; y < y1; y++)
    {
      gsize start = (gsize) y * (gsize) w;
      guint32 running = 0;

      if (y + r < self->height)
        for (int x = 0; x < w; x++)
          columns[x] += self->bad[start + (gsize) r * (gsize) w + (gsize) x];
      if (y > y0 && y - r - 1 >= 0)
        for (int x = 0; x < w; x++)
          columns[x] -= self->bad[start - (gsize) (r + 1) * (gsize) w + (gsize) x];
      for (int x = 0; x < MIN (r, w); x++)
        running += columns[x];
      for (int x = 0; x < w; x++)
        {
          running += x + r < w ? columns[x + r] : 0;
          running -= x - r - 1 >= 0 ? columns[x - r - 1] : 0;
          if (running > 0)
            self->contrast[start + (gsize) x] = self->index[start + (gsize) x] = VG_FLOW_NAN;
        }
    }
}

void
vg_flow_mask_bad (VgFlowState *self)
{
  int bands = MIN (self->threads, self->height);

  if (self->window_bad == 0)
    return;
#pragma omp parallel for num_threads(bands) schedule(static, 1)
  for (int i = 0; i < bands; i++)
    mask_band (self, (int) ((gint64) self->height * i / bands),
               (int) ((gint64) self->height * (i + 1) / bands),
               (guint32 *) (self->scratch + (gsize) i * self->scratch_doubles));
}
