/* SPDX-License-Identifier: MIT */
/* Row functions of flow-fast.c.  It includes this file twice, with Q, the type of the sums of
 * squares, as guint32 and as double. */

#define SLIDE_COLUMNS(name, type)                                                                  \
  VG_SIMD static void NAME (name##_enter) (guint32 *restrict s, Q *restrict q,                     \
                                           const type *restrict in, int n)                         \
  {                                                                                                \
    _Pragma ("omp simd") for (int x = 0; x < n; x++)                                               \
    {                                                                                              \
      gint32 a = in[x];                                                                            \
      s[x] += (guint32) a;                                                                         \
      q[x] += (Q) a * (Q) a;                                                                       \
    }                                                                                              \
  }                                                                                                \
  VG_SIMD static void NAME (name##_leave) (guint32 *restrict s, Q *restrict q,                     \
                                           const type *restrict out, int n)                        \
  {                                                                                                \
    _Pragma ("omp simd") for (int x = 0; x < n; x++)                                               \
    {                                                                                              \
      gint32 a = out[x];                                                                           \
      s[x] -= (guint32) a;                                                                         \
      q[x] -= (Q) a * (Q) a;                                                                       \
    }                                                                                              \
  }                                                                                                \
  VG_SIMD static void NAME (name##_slide) (guint32 *restrict s, Q *restrict q,                     \
                                           const type *restrict in, const type *restrict out,      \
                                           int n)                                                  \
  {                                                                                                \
    _Pragma ("omp simd") for (int x = 0; x < n; x++)                                               \
    {                                                                                              \
      gint32 a = in[x], b = out[x];                                                                \
      s[x] += (guint32) (a - b);                                                                   \
      q[x] += (Q) (a - b) * (Q) (a + b);                                                           \
    }                                                                                              \
  }
SLIDE_COLUMNS (u8, guint8)
SLIDE_COLUMNS (u16, guint16)
#undef SLIDE_COLUMNS

/* Contrast and flow index of WIDTH windows of N samples; each sums SIDE columns. */
static inline __attribute__ ((always_inline)) void
NAME (finish) (const guint32 *restrict s, const Q *restrict q, guint32 n, guint32 dark,
               float factor, float scale, int side, float *restrict contrast, float *restrict index,
               int width)
{
#pragma omp simd
  for (int x = 0; x < width; x++)
    {
      guint32 a = 0;
      gint32 mean;
      Q b = 0;
      float d, m;

#pragma GCC unroll 8
      for (int i = 0; i < side; i++)
        {
          a += s[x + i];
          b += q[x + i];
        }
      mean = (gint32) (a - dark);
      d = (float) ((Q) n * b - (Q) a * (Q) a);
      m = (float) mean;
      contrast[x] = mean > 0 ? __builtin_sqrtf (d * factor) / m : VG_FLOW_NAN;
      index[x] = mean > 0 && d > 0.0f ? m * m * scale / d : VG_FLOW_NAN;
    }
}

#define FINISH(side)                                                                               \
  VG_SIMD static void NAME (finish_##side) (const guint32 *s, const Q *q, guint32 n, guint32 dark, \
                                            float factor, float scale, float *contrast,            \
                                            float *index, int width)                               \
  {                                                                                                \
    NAME (finish) (s, q, n, dark, factor, scale, side, contrast, index, width);                    \
  }
FINISH (1)
FINISH (3)
FINISH (5)
FINISH (7)
#undef FINISH

/* Writes sums over SIDE columns into TS and TQ, and replaces S and Q by intermediate sums. */
VG_SIMD static void
NAME (box) (guint32 *restrict s, Q *restrict q, guint32 *restrict ts, Q *restrict tq, int width,
            int side)
{
  int length = width + side - 1, offset = 0;

  memset (ts, 0, sizeof (guint32) * (gsize) width);
  memset (tq, 0, sizeof (Q) * (gsize) width);
  for (int size = 1; size <= side; size *= 2)
    {
      if (side & size)
        {
#pragma omp simd
          for (int x = 0; x < width; x++)
            {
              ts[x] += s[x + offset];
              tq[x] += q[x + offset];
            }
          offset += size;
        }
      if (2 * size <= side)
        {
          length -= size;
          for (int x = 0; x < length; x++)
            {
              s[x] += s[x + size];
              q[x] += q[x + size];
            }
        }
    }
}

/* A window at the left or right edge, which has fewer columns. */
static void
NAME (finish_edge) (const VgFlowState *self, const Band *band, const Q *columns, int x, int y,
                    int down)
{
  gsize i = (gsize) y * (gsize) self->width + (gsize) x;
  int across = MIN (x + band->radius, self->width - 1) - MAX (x - band->radius, 0) + 1;
  guint32 n = (guint32) (self->params.edges == VG_FLOW_EDGES_ZERO ? band->side * band->side
                                                                  : across * down);
  VgFlowNoise none = { 0.0, 0.0 };
  guint32 s = 0;
  Q q = 0;
  double k2;

  for (int k = 0; k < band->side; k++)
    {
      s += band->s[x + k];
      q += columns[x + k];
    }
  k2 = vg_flow_k2 (n, (double) s - (double) n * self->params.dark_level,
                   (double) ((Q) n * q - (Q) s * (Q) s), none);
  self->contrast[i] = (float) sqrt (k2);
  self->index[i] = vg_flow_index (k2, vg_flow_index_scale (&self->params));
}

static void
NAME (finish_row) (const VgFlowState *self, const Band *band, const Q *q, Q *work, Q *total, int y)
{
  int r = band->radius, w = self->width, side = band->side;
  int down = MIN (y + r, self->height - 1) - MAX (y - r, 0) + 1;
  int left = MIN (r, w), right = MAX (w - r, left), inner = right - left;
  gsize start = (gsize) y * (gsize) w + (gsize) left;
  guint32 n = (guint32) ((self->params.edges == VG_FLOW_EDGES_ZERO ? side : down) * side);
  guint32 dark = n * (guint32) self->params.dark_level;
  double ratio = (double) n / (n - 1.0);
  float factor = (float) ratio, scale = (float) (vg_flow_index_scale (&self->params) / ratio);
  float *contrast = self->contrast + start, *index = self->index + start;

  if (inner > 0 && side == 3)
    NAME (finish_3) (band->s + left, q + left, n, dark, factor, scale, contrast, index, inner);
  else if (inner > 0 && side == 5)
    NAME (finish_5) (band->s + left, q + left, n, dark, factor, scale, contrast, index, inner);
  else if (inner > 0 && side == 7)
    NAME (finish_7) (band->s + left, q + left, n, dark, factor, scale, contrast, index, inner);
  else if (inner > 0)
    {
      memcpy (band->work, band->s, sizeof (guint32) * (gsize) (w + 2 * r));
      memcpy (work, q, sizeof (Q) * (gsize) (w + 2 * r));
      NAME (box) (band->work, work, band->total, total, w, side);
      NAME (finish_1)
      (band->total + left, total + left, n, dark, factor, scale, contrast, index, inner);
    }
  for (int x = 0; x < left; x++)
    NAME (finish_edge) (self, band, q, x, y, down);
  for (int x = right; x < w; x++)
    NAME (finish_edge) (self, band, q, x, y, down);
}

/* Adds row IN to the column sums and subtracts row OUT; -1: none. */
static void
NAME (slide) (const VgFlowState *self, const Band *band, Q *columns, int in, int out)
{
  gsize w = (gsize) self->width, a = (gsize) MAX (in, 0) * w, b = (gsize) MAX (out, 0) * w;
  guint32 *s = band->s + band->radius;
  Q *q = columns + band->radius;
  const guint8 *small = self->current->data;
  const guint16 *large = self->current->data;
  gboolean u8 = self->info.type == VG_U8;

  if (in >= 0 && out >= 0 && u8)
    NAME (u8_slide) (s, q, small + a, small + b, self->width);
  else if (in >= 0 && out >= 0)
    NAME (u16_slide) (s, q, large + a, large + b, self->width);
  else if (in >= 0 && u8)
    NAME (u8_enter) (s, q, small + a, self->width);
  else if (in >= 0)
    NAME (u16_enter) (s, q, large + a, self->width);
  else if (out >= 0 && u8)
    NAME (u8_leave) (s, q, small + b, self->width);
  else if (out >= 0)
    NAME (u16_leave) (s, q, large + b, self->width);
}

static void
NAME (run_band) (const VgFlowState *self, Band *band, double *memory)
{
  int r = band->radius, h = self->height;
  gsize w = (gsize) self->width, padded = w + 2 * VG_FLOW_MAX_RADIUS;
  Q *q = (Q *) memory, *work = q + padded, *total = work + padded;

  memory += 2 * padded + w;
  band->s = (guint32 *) memory;
  band->work = band->s + padded;
  band->total = band->work + padded;
  memset (q, 0, sizeof (Q) * padded);
  memset (band->s, 0, sizeof (guint32) * padded);
  for (int y = MAX (band->y0 - r, 0); y < MIN (band->y0 + r, h); y++)
    NAME (slide) (self, band, q, y, -1);
  for (int y = band->y0; y < band->y1; y++)
    {
      NAME (slide)
      (self, band, q, y + r < h ? y + r : -1, y > band->y0 && y - r - 1 >= 0 ? y - r - 1 : -1);
      NAME (finish_row) (self, band, q, work, total, y);
    }
}
