/* SPDX-License-Identifier: MIT */
#include "bench/flow/flow-bench.h"
#include "kernels/flow/model/flow-formula.h"
/* The Roll algorithm of Yang, Cuccia and Choi (2011), their fastest on a CPU, to compare with. When
 * the window moves by one row, each column sum adds one sample and subtracts one; when it moves by
 * one column, the window sum adds one column sum and subtracts one.  Pixels outside the frame are
 * 0. */

static void
roll_row (const gint64 *s, const gint64 *q, int width, int radius, double index_scale,
          float *contrast, float *index)
{
  double n = (2.0 * radius + 1.0) * (2.0 * radius + 1.0), degrees = n / (n - 1.0);
  gint64 sum = 0, squares = 0;

  for (int x = 0; x < MIN (radius, width); x++)
    {
      sum += s[x];
      squares += q[x];
    }
  for (int x = 0; x < width; x++)
    {
      double d, k;

      if (x + radius < width)
        {
          sum += s[x + radius];
          squares += q[x + radius];
        }
      if (x - radius - 1 >= 0)
        {
          sum -= s[x - radius - 1];
          squares -= q[x - radius - 1];
        }
      d = n * (double) squares - (double) sum * (double) sum;
      k = sum > 0 ? sqrt (degrees * d) / (double) sum : (double) VG_FLOW_NAN;
      contrast[x] = (float) k;
      index[x] = (float) (index_scale / (k * k));
    }
}

void
vg_flow_roll (const guint16 *frame, int width, int height, int radius, double index_scale,
              float *contrast, float *index, gint64 *scratch)
{
  gint64 *s = scratch, *q = scratch + width;

  for (int x = 0; x < 2 * width; x++)
    scratch[x] = 0;
  for (int y = -radius; y < height; y++)
    {
      const guint16 *in = y + radius < height ? frame + (gsize) (y + radius) * (gsize) width : NULL;
      const guint16 *out = y - radius - 1 >= 0 ? frame + (gsize) (y - radius - 1) * (gsize) width
                                               : NULL;

      for (int x = 0; x < width; x++)
        {
          gint64 a = in != NULL ? in[x] : 0, b = out != NULL ? out[x] : 0;

          s[x] += a - b;
          q[x] += a * a - b * b;
        }
      if (y >= 0)
        roll_row (s, q, width, radius, index_scale, contrast + (gsize) y * (gsize) width,
                  index + (gsize) y * (gsize) width);
    }
}
