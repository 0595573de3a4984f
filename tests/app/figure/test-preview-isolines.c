/* SPDX-License-Identifier: MIT */
/* The isolines of preview.png. */
#include "tests/support/app/preview-fixture.h"
#include <time.h>
#include "kernels/shared/vg-isolines.h"

/* Lines where the map has the value, as the window draws them. */
static void
test_isolines (void)
{
  enum { N = 32 };
  float data[N * N];
  VgPlane plane = { .data = data, .width = N, .height = N, .slices = 1 };
  VgDisplay display = fixed_display (0.5, 200);
  int width, height, zoom = 256 / N;
  guint8 *plain, *lined;

  for (int i = 0; i < N * N; i++)
    data[i] = (float) pow (10, (i / N) / 10.); /* down the map: 1 to 1258 */
  display.log_scale = TRUE;
  plain = draw (&plane, &display, &width, &height);
  display.decades = TRUE; /* 1, 10, 100 */
  display.isolines[0] = 300;
  display.n_isolines = 1;
  lined = draw (&plane, &display, &width, &height);
  for (int y = zoom; y < (N - 1) * zoom; y++)
    {
      double value = pow (10, ((y + 0.5) / zoom - 0.5) / 10), away = INFINITY;
      gsize at = ((gsize) y * width + 20) * 4;
      int change = 0;

      for (int k = 0; k < 3; k++)
        change = MAX (change, ABS (plain[at + k] - lined[at + k]));
      for (int k = 0; k < 4; k++)
        away = MIN (away, fabs (log10 (value / (double[]){ 1, 10, 100, 300 }[k])) * 10 * zoom);
      if (away < 0.6)
        g_assert_cmpint (change, >, 40);
      else if (away > 2.5)
        g_assert_cmpint (change, ==, 0);
    }
  g_free (plain);
  g_free (lined);
}

typedef struct
{
  const float *values;
  int width, height;
} Grid;

static double
spline (double at)
{
  double x = fabs (at);

  return x >= 2 ? 0 : x < 1 ? (4 - 6 * x * x + 3 * x * x * x) / 6 : (2 - x) * (2 - x) * (2 - x) / 6;
}

/* The smoothed value at X, Y, from all samples near it; values below LOWEST count as LOWEST. */
static float
smooth_one (const VgIsolines *lines, const Grid *self, double x, double y, double reach_x,
            double reach_y, double lowest)
{
  double sum = 0, weights = 0, all = 0;

  for (double v = floor (y - 2 * reach_y); v < y + 2 * reach_y; v++)
    for (double u = floor (x - 2 * reach_x); u < x + 2 * reach_x; u++)
      {
        double weight = spline ((u + 0.5 - x) / reach_x) * spline ((v + 0.5 - y) / reach_y);
        double value = self->values[(gsize) CLAMP (v, 0, self->height - 1) * (gsize) self->width +
                                    (gsize) CLAMP (u, 0, self->width - 1)];

        if (lines->rings)
          weight *= fabs (u + 0.5 - lines->column);
        all += weight;
        if (!isfinite (value))
          continue;
        sum += weight * (lines->log_scale ? log (MAX (value, lowest)) : value);
        weights += weight;
      }
  return weights > 0.5 * all ? (float) (sum / weights) : NAN;
}

/* What lines follow is the same for all places at once as for each by itself, at the edges and
 * beside holes too; and a noisy map's preview takes a small part of the time that place after place
 * takes. */
static void
test_smooth_grid (void)
{
  enum { COLUMNS = 500, ROWS = 200 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree float *values = g_new (float, COLUMNS *ROWS),
                   *field = g_new (float, 2 * COLUMNS * ROWS);
  g_autofree double *x = g_new (double, 2 * COLUMNS), *y = g_new (double, ROWS);
  const double levels[] = { 1e-3, 1e-2, 1e-1, 1 };
  const Grid grid = { values, COLUMNS, ROWS };
  VgPlane plane = { .data = values, .width = COLUMNS, .height = ROWS, .slices = 1 };
  VgDisplay display = fixed_display (1e-4, 10);
  clock_t each, all;
  int width, height;

  for (int i = 0; i < COLUMNS * ROWS; i++)
    values[i] = g_rand_int_range (rand, 0, 4) == 0
                    ? NAN
                    : (float) exp (g_rand_double_range (rand, -9, 2));
  for (int i = 0; i < 2 * COLUMNS; i++)
    x[i] = (i + 0.5) / 2;
  for (int j = 0; j < ROWS; j++)
    y[j] = j + 0.5;
  for (int rings = 0; rings < 2; rings++)
    {
      const VgIsolines lines = { levels, G_N_ELEMENTS (levels), .log_scale = !rings, .rings = rings,
                                 .column = COLUMNS / 2 };

      each = clock ();
      g_assert_true (vg_isolines_smooth_grid (&lines, values, COLUMNS, ROWS, x, 2 * COLUMNS, y,
                                              ROWS, 2.5, 4, field));
      for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < 2 * COLUMNS; i += 1 + (j + i) % 7)
          {
            float at = field[(gsize) j * 2 * COLUMNS + i],
                  one = smooth_one (&lines, &grid, x[i], y[j], 2.5, 4, levels[0] / 10);

            g_assert_true (isnan (at) == isnan (one) && (isnan (at) || fabsf (at - one) <= 1e-4f));
          }
      each = clock () - each; /* of about a quarter of the places */
    }
  display.log_scale = display.decades = TRUE;
  all = clock ();
  g_free (draw (&plane, &display, &width, &height));
  all = clock () - all;
  g_test_message ("preview %g s, a quarter of its places one by one %g s",
                  (double) all / CLOCKS_PER_SEC, (double) each / CLOCKS_PER_SEC);
  g_assert_cmpint (all, <, each);
}

/* Where samples are five times as wide as high, noise from one to the next below draws hardly more
 * lines than there are without it. */
static void
test_fine_rows (void)
{
  enum { W = 40, H = 300 };
  VgPlane plane = {
    .width = W, .height = H, .slices = 1, .pixel_size = { 0.01, 0.002 }, .unit = "cm"
  };
  VgDisplay display = fixed_display (0.01, 100);
  int lines[2] = { 0, 0 };

  display.log_scale = TRUE;
  for (int noisy = 0; noisy < 2; noisy++)
    {
      g_autofree float *data = g_new (float, W *H);
      g_autofree guint8 *with = NULL, *without = NULL;
      guint32 random = 1;
      int width, height;

      for (int i = 0; i < W * H; i++)
        {
          random = random * 1664525u + 1013904223u;
          data[i] = (float) (pow (10, 2 - 4.0 * (i / W) / H) *
                             (1 + noisy * ((random >> 8) / 8388608.0 - 1)));
        }
      plane.data = data;
      display.decades = FALSE;
      without = draw (&plane, &display, &width, &height);
      display.decades = TRUE;
      with = draw (&plane, &display, &width, &height);
      for (int i = 0; i < width * height; i++)
        lines[noisy] += memcmp (with + (gsize) i * 4, without + (gsize) i * 4, 3) != 0;
    }
  g_test_message ("%d pixels of lines, with noise %d", lines[0], lines[1]);
  g_assert_cmpint (lines[0], >, 3 * W);
  g_assert_cmpint (lines[1], <, 2 * lines[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/preview-isolines/isolines", test_isolines);
  g_test_add_func ("/preview-isolines/smooth-grid", test_smooth_grid);
  g_test_add_func ("/preview-isolines/fine-rows", test_fine_rows);
  return g_test_run ();
}
