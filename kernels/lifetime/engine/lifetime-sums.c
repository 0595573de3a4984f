/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-state.h"
#include <math.h>
#include <string.h>
/* The pass over the cube on the CPU.  A block of neighbouring pixels is small enough that its
 * sums stay in the first cache in the loop over bins.  Each sum is computed in single precision,
 * bin after bin with a fused multiply-add, in the same order as in the CUDA engine, so both give
 * the same bits. */

enum { BLOCK = 128 };

typedef struct
{
  float photons[BLOCK], top[BLOCK];
  float weighted[VG_LIFETIME_N_WEIGHTS][BLOCK];
} Sums;

/* Adds BINS bins, PAGE samples apart.  Four at a time avoid most of the traffic with the first
 * cache. */
#define ADD_BINS(name, type)                                                                       \
  VG_SIMD static void name (const type *restrict samples, gsize page, const float *restrict w,     \
                            Sums *restrict sums, int n)                                            \
  {                                                                                                \
    _Pragma ("omp simd") for (int x = 0; x < n; x++)                                               \
    {                                                                                              \
      float v = (float) samples[x], top = sums->top[x], photons = sums->photons[x] + v;            \
      float s0 = sums->weighted[0][x] + w[0] * v, s1 = sums->weighted[1][x] + w[1] * v,            \
            s2 = sums->weighted[2][x] + w[2] * v;                                                  \
      float s3 = sums->weighted[3][x] + w[3] * v, s4 = sums->weighted[4][x] + w[4] * v,            \
            s5 = sums->weighted[5][x] + w[5] * v;                                                  \
      float s6 = sums->weighted[6][x] + w[6] * v;                                                  \
      top = v > top ? v : top;                                                                     \
      NEXT_BIN (8, 1) NEXT_BIN (16, 2) NEXT_BIN (24, 3) sums->photons[x] = photons;                \
      sums->top[x] = top;                                                                          \
      sums->weighted[0][x] = s0;                                                                   \
      sums->weighted[1][x] = s1;                                                                   \
      sums->weighted[2][x] = s2;                                                                   \
      sums->weighted[3][x] = s3;                                                                   \
      sums->weighted[4][x] = s4;                                                                   \
      sums->weighted[5][x] = s5;                                                                   \
      sums->weighted[6][x] = s6;                                                                   \
    }                                                                                              \
  }
#define NEXT_BIN(at, k)                                                                            \
  v = (float) samples[(k) *page + (gsize) x];                                                      \
  photons += v;                                                                                    \
  s0 += w[(at) + 0] * v;                                                                           \
  s1 += w[(at) + 1] * v;                                                                           \
  s2 += w[(at) + 2] * v;                                                                           \
  s3 += w[(at) + 3] * v;                                                                           \
  s4 += w[(at) + 4] * v;                                                                           \
  s5 += w[(at) + 5] * v;                                                                           \
  s6 += w[(at) + 6] * v;                                                                           \
  top = v > top ? v : top;
G_STATIC_ASSERT (VG_LIFETIME_N_WEIGHTS == 7 && VG_LIFETIME_WEIGHT_STRIDE == 8);
ADD_BINS (add_four_u8, guint8)
ADD_BINS (add_four_u16, guint16)
ADD_BINS (add_four_u32, guint32)
ADD_BINS (add_four_f32, float)
#undef NEXT_BIN
#define NEXT_BIN(at, k)
ADD_BINS (add_u8, guint8)
ADD_BINS (add_u16, guint16)
ADD_BINS (add_u32, guint32)
ADD_BINS (add_f32, float)

/* Adds four bins from SAMPLES on if FOUR, else one. */
static void
add_bins (VgType type, gboolean four, const void *samples, gsize page, const float *w, Sums *sums,
          int n)
{
  switch (type)
    {
    case VG_U8:
      (four ? add_four_u8 : add_u8) (samples, page, w, sums, n);
      break;
    case VG_U16:
      (four ? add_four_u16 : add_u16) (samples, page, w, sums, n);
      break;
    case VG_U32:
      (four ? add_four_u32 : add_u32) (samples, page, w, sums, n);
      break;
    case VG_F32:
    default:
      (four ? add_four_f32 : add_f32) (samples, page, w, sums, n);
      break;
    }
}

/* Adds N pixels of a slice from FROM on. */
static void
pass_block (VgLifetimeState *self, int slice, gsize from, int n)
{
  const VgLifetimePlan *plan = &self->plan;
  gsize size = vg_type_size (self->info.type), page = self->pixels * size;
  const guint8 *samples = (const guint8 *) self->current->data +
                          (gsize) slice * (gsize) plan->bins * page + from * size;
  float *out = self->sums + (gsize) slice * self->pixels + from;
  const VgLifetimeEvent *event = plan->events, *end = event + VG_LIFETIME_N_EVENTS;
  Sums sums;

  memset (&sums, 0, sizeof sums);
  for (int j = 0;;)
    {
      int until = event < end ? event->bin : plan->bins, step = until - j >= 4 ? 4 : 1;

      if (until > j)
        {
          add_bins (self->info.type, step == 4, samples + (gsize) j * page, self->pixels,
                    plan->weights + (gsize) j * VG_LIFETIME_WEIGHT_STRIDE, &sums, n);
          j += step;
        }
      else if (event < end)
        memcpy (out + (gsize) (event++)->sum * self->n, sums.photons, sizeof (float) * (gsize) n);
      else
        break;
    }
  for (int i = 0; i < VG_LIFETIME_N_WEIGHTS; i++)
    memcpy (out + (gsize) (VG_LIFETIME_N_EVENTS + i) * self->n, sums.weighted[i],
            sizeof (float) * (gsize) n);
  for (int x = 0; x < n; x++)
    out[(gsize) VG_LIFETIME_SUM_BAD * self->n + (gsize) x] = sums.top[x] >= (float) self->full_scale
                                                                 ? 1.0f
                                                                 : 0.0f;
}

void
vg_lifetime_pass_rows (VgLifetimeState *self, int y0, int y1)
{
  gsize from = (gsize) y0 * (gsize) self->width, to = (gsize) y1 * (gsize) self->width;

#pragma omp parallel for num_threads(self->threads) schedule(dynamic, 4)
  for (gsize start = from / BLOCK; start <= (to - 1) / BLOCK; start++)
    {
      gsize a = MAX (start * BLOCK, from), b = MIN ((start + 1) * BLOCK, to);

      while (a < b) /* A block may contain the end of a slice. */
        {
          gsize slice = a / self->pixels, stop = MIN (b, (slice + 1) * self->pixels);

          pass_block (self, (int) slice, a - slice * self->pixels, (int) (stop - a));
          a = stop;
        }
    }
}

/* Sums 2 BINNING + 1 neighbours that are STEP apart, as far as they exist, in index order. */
static void
add_neighbours (const float *in, float *out, int n, int binning, gsize step)
{
  for (int i = 0; i < n; i++)
    {
      int from = MAX (i - binning, 0), to = MIN (i + binning, n - 1);
      float sum = in[(gsize) from * step];

      for (int k = from + 1; k <= to; k++)
        sum += in[(gsize) k * step];
      out[(gsize) i * step] = sum;
    }
}

/* Computes rows of OUT from row Y on as sums of rows of IN. */
VG_SIMD static void
add_rows (const float *restrict in, float *restrict out, int y, int width, int height, int binning)
{
  int from = MAX (y - binning, 0), to = MIN (y + binning, height - 1);
  float *row = out + (gsize) y * (gsize) width;

  memcpy (row, in + (gsize) from * (gsize) width, sizeof (float) * (gsize) width);
  for (int k = from + 1; k <= to; k++)
    for (int x = 0; x < width; x++)
      row[x] += in[(gsize) k * (gsize) width + (gsize) x];
}

void
vg_lifetime_bin_plane (VgLifetimeState *self, int sum)
{
  int width = self->width, height = self->height, binning = self->params.bin;

  for (int slice = 0; slice < self->slices; slice++)
    {
      gsize place = (gsize) sum * self->n + (gsize) slice * self->pixels;
      const float *in = self->sums + place;
      float *out = self->binned + place, *rows = self->extra;

#pragma omp parallel for num_threads(self->threads)
      for (int y = 0; y < height; y++)
        add_neighbours (in + (gsize) y * (gsize) width, rows + (gsize) y * (gsize) width, width,
                        binning, 1);
#pragma omp parallel for num_threads(self->threads)
      for (int y = 0; y < height; y++)
        add_rows (rows, out, y, width, height, binning);
    }
}

#define ADD_RUN(name, type, sum)                                                                   \
  VG_SIMD static double name (const type *samples, gsize n)                                        \
  {                                                                                                \
    sum total = 0;                                                                                 \
    _Pragma ("omp simd reduction(+ : total)") for (gsize i = 0; i < n; i++) total += samples[i];   \
    return (double) total;                                                                         \
  }
ADD_RUN (run_u8, guint8, guint64)
ADD_RUN (run_u16, guint16, guint64)
ADD_RUN (run_u32, guint32, guint64)
ADD_RUN (run_f32, float, double)

static double
add_run (VgType type, const void *samples, gsize n)
{
  switch (type)
    {
    case VG_U8:
      return run_u8 (samples, n);
    case VG_U16:
      return run_u16 (samples, n);
    case VG_U32:
      return run_u32 (samples, n);
    case VG_F32:
    default:
      return run_f32 (samples, n);
    }
}

/* Sums the pixels of REGION on the page SAMPLES, row by row. */
static double
add_region (const VgLifetimeState *self, const guint8 *samples, const VgRegion *region)
{
  gsize size = vg_type_size (self->info.type);
  int x0, y0, x1, y1;
  double sum = 0.0;

  if (!vg_region_bounds (region, self->width, self->height, &x0, &y0, &x1, &y1))
    return 0.0;
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (vg_region_contains (region, x + 0.5, y + 0.5))
        sum += add_run (self->info.type,
                        samples + ((gsize) y * (gsize) self->width + (gsize) x) * size, 1);
  return sum;
}

void
vg_lifetime_decay (const VgLifetimeState *self, const VgRegion *region, double *decay)
{
  gsize page = self->pixels * vg_type_size (self->info.type);
  int bins = (int) self->info.bins;

#pragma omp parallel for num_threads(self->threads)
  for (int j = 0; j < bins; j++)
    {
      double sum = 0.0;

      for (int slice = 0; slice < self->slices; slice++)
        {
          const guint8 *samples = (const guint8 *) self->current->data +
                                  ((gsize) slice * (gsize) bins + (gsize) j) * page;

          if (region == NULL)
            sum += add_run (self->info.type, samples, self->pixels);
          else if (region->slice == slice)
            sum += add_region (self, samples, region);
        }
      decay[j] = isfinite (sum) ? sum : 0.0;
    }
}

void
vg_lifetime_histogram (const VgLifetimeState *self, int slice, int x, int y, double *counts)
{
  int b = self->params.bin, bins = (int) self->info.bins;
  int x0 = MAX (x - b, 0), x1 = MIN (x + b, self->width - 1), y0 = MAX (y - b, 0),
      y1 = MIN (y + b, self->height - 1);
  gsize size = vg_type_size (self->info.type), page = self->pixels * size;

  for (int j = 0; j < bins; j++)
    {
      const guint8 *samples = (const guint8 *) self->current->data +
                              ((gsize) slice * (gsize) bins + (gsize) j) * page;

      counts[j] = 0.0;
      for (int v = y0; v <= y1; v++)
        counts[j] += add_run (self->info.type,
                              samples + ((gsize) v * (gsize) self->width + (gsize) x0) * size,
                              (gsize) (x1 - x0 + 1));
    }
}

/* Adds V samples to the left and right of each x, in row Y of page J, to COUNTS[x * bins + j]. */
static void
add_page_row (const VgLifetimeState *self, const void *samples, int j, float *counts)
{
  int b = self->params.bin, bins = (int) self->info.bins;
  gsize size = vg_type_size (self->info.type);

  for (int x = 0; x < self->width; x++)
    {
      int from = MAX (x - b, 0), to = MIN (x + b, self->width - 1);

      counts[(gsize) x * (gsize) bins + (gsize) j] += (float) add_run (
          self->info.type, (const guint8 *) samples + (gsize) from * size, (gsize) (to - from + 1));
    }
}

void
vg_lifetime_histogram_row (const VgLifetimeState *self, int row, float *counts)
{
  int b = self->params.bin, bins = (int) self->info.bins, y = row % self->height;
  gsize size = vg_type_size (self->info.type), page = self->pixels * size;
  const guint8 *slice = (const guint8 *) self->current->data +
                        (gsize) (row / self->height) * (gsize) bins * page;

  memset (counts, 0, sizeof (float) * (gsize) self->width * (gsize) bins);
  for (int j = 0; j < bins; j++)
    for (int v = MAX (y - b, 0); v <= MIN (y + b, self->height - 1); v++)
      add_page_row (self, slice + (gsize) j * page + (gsize) v * (gsize) self->width * size, j,
                    counts);
}
