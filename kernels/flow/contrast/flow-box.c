/* SPDX-License-Identifier: MIT */
#include "kernels/flow/contrast/flow-contrast.h"
#include "kernels/base/vg-simd.h"
#include <string.h>
/* Sums over windows along a row by doubling.  Sums of 1, 2, 4, 8 ... neighbours are combined by
 * the bits of the window's width: about 2 log2 (width) additions for each sample, without the
 * rounding errors that a running sum accumulates. */

VG_SIMD void
vg_flow_box_row (double *columns, double *out, int width, int radius)
{
  int side = 2 * radius + 1;
  int length = width + 2 * radius;
  int offset = 0;

  memset (out, 0, sizeof (double) * (gsize) width);
  for (int size = 1; size <= side; size *= 2)
    {
      if (side & size)
        {
          const double *from = columns + offset;

#pragma omp simd
          for (int x = 0; x < width; x++)
            out[x] += from[x];
          offset += size;
        }
      if (2 * size <= side)
        {
          length -= size;
          for (int x = 0; x < length; x++)
            columns[x] += columns[x + size];
        }
    }
}

VG_SIMD static void
convert_u8 (const guint8 *in, double *out, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    out[x] = in[x];
}

VG_SIMD static void
convert_u16 (const guint16 *in, double *out, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    out[x] = in[x];
}

VG_SIMD static void
convert_u32 (const guint32 *in, double *out, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    out[x] = in[x];
}

VG_SIMD static void
subtract (double *row, const float *dark, double level, int n)
{
  if (dark != NULL)
    {
#pragma omp simd
      for (int x = 0; x < n; x++)
        row[x] -= (double) dark[x];
    }
  else if (level != 0.0)
    {
#pragma omp simd
      for (int x = 0; x < n; x++)
        row[x] -= level;
    }
}

void
vg_flow_sample_row (const VgFlowState *self, const void *frame, int y, double *row)
{
  gsize start = (gsize) y * (gsize) self->width;

  switch (self->info.type)
    {
    case VG_U8:
      convert_u8 ((const guint8 *) frame + start, row, self->width);
      break;
    case VG_U16:
      convert_u16 ((const guint16 *) frame + start, row, self->width);
      break;
    case VG_U32:
      convert_u32 ((const guint32 *) frame + start, row, self->width);
      break;
    case VG_F32:
    default:
      for (int x = 0; x < self->width; x++)
        {
          float value = ((const float *) frame)[start + (gsize) x];

          /* vg_flow_mask_bad() masks the window; until then its sums must be finite. */
          row[x] = isfinite (value) ? value : 0.0;
        }
      break;
    }
  subtract (row, self->dark != NULL ? self->dark + start : NULL, self->params.dark_level,
            self->width);
}
