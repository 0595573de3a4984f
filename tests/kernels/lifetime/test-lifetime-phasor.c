/* SPDX-License-Identifier: MIT */
/* Phasor filters, cursors, the guides over the phasor plot, and the decay of a region, compared
 * with independent implementations of the definitions in double precision. */
#include "tests/kernels/lifetime/support/lifetime-fixture.h"
#include "kernels/lifetime/engine/lifetime-guides.h"
#include "kernels/lifetime/engine/lifetime-view.h"
#include <stdio.h>

enum { BINS = 64 };
#define H 0.2

/* Two halves with different lifetimes, W x HEIGHT, PHOTONS in each pixel. */
static guint16 *
two_halves (LifetimeFixture *f, int width, int height, double photons, guint64 seed)
{
  guint16 *cube = g_new0 (guint16, (gsize) width * (gsize) height * BINS);

  lifetime_init (f, VG_U16, width, height, BINS, H);
  for (int half = 0; half < 2; half++)
    {
      double probability[BINS] = { 0 };

      vg_lifetime_add_decay (probability, BINS, H, 1.0, half == 0 ? 1.0 : 4.0);
      lifetime_throw (cube, width, height, half * width / 2, half == 0 ? width / 2 : width,
                      probability, BINS, photons, seed + (guint64) half);
    }
  return cube;
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

static float
median_by_sorting (const float *plane, int width, int height, int x, int y, int radius)
{
  float values[64];
  int n = 0;

  if (isnan (plane[y * width + x]))
    return NAN;
  for (int j = MAX (y - radius, 0); j <= MIN (y + radius, height - 1); j++)
    for (int i = MAX (x - radius, 0); i <= MIN (x + radius, width - 1); i++)
      if (!isnan (plane[j * width + i]))
        values[n++] = plane[j * width + i];
  qsort (values, (size_t) n, sizeof *values, compare_floats);
  return n % 2 == 1 ? values[n / 2] : 0.5f * (values[n / 2 - 1] + values[n / 2]);
}

static void
test_median (void)
{
  static const int sizes[][2] = { { 17, 13 }, { 1, 1 }, { 1, 9 }, { 33, 2 } };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int radius = 1; radius <= VG_LIFETIME_MAX_MEDIAN; radius++)
      {
        int width = sizes[s][0], height = sizes[s][1], n = width * height;
        LifetimeFixture f;
        g_autofree guint16 *cube = two_halves (&f, width, height, 12, 3);

        f.params->threshold = 9; /* Some pixels have no phasor. */
        lifetime_run (&f, cube);
        for (guint k = VG_LIFETIME_OUTPUT_PHASOR_G; k <= VG_LIFETIME_OUTPUT_PHASOR_S; k++)
          {
            g_autofree float *raw = NULL, *once = NULL, *filtered = NULL;

            f.params->phasor_filter = VG_LIFETIME_FILTER_NONE;
            lifetime_prepare_with (&f, NULL, 0);
            lifetime_run (&f, cube);
            raw = lifetime_map_of (&f, k, NULL);
            f.params->phasor_filter = VG_LIFETIME_FILTER_MEDIAN;
            f.params->median_radius = radius;
            f.params->median_passes = 2;
            lifetime_prepare_with (&f, NULL, 0);
            lifetime_run (&f, cube);
            filtered = lifetime_map_of (&f, k, NULL);
            once = g_new (float, n);
            for (int i = 0; i < n; i++)
              once[i] = median_by_sorting (raw, width, height, i % width, i / width, radius);
            for (int i = 0; i < n; i++)
              {
                float twice = median_by_sorting (once, width, height, i % width, i / width, radius);

                g_assert_true (isnan (twice) ? isnan (filtered[i]) : twice == filtered[i]);
              }
          }
        lifetime_clear (&f);
      }
}

/* ---- The wavelet filter by its definition ---- */

typedef struct
{
  int width, height;
  const double *f[3]; /* photons, and the two parts of the sum, of each pixel */
  int levels;
  double threshold;
} Oracle;

static double
block (const Oracle *o, int k, int x, int y, int side)
{
  double sum = 0;

  for (int j = y; j < y + side; j++)
    for (int i = x; i < x + side; i++)
      sum += o->f[k][j * o->width + i];
  return sum;
}

static void
estimate (const Oracle *o, int level, int x, int y, double e[2])
{
  int side = 1 << level, places = 0;

  if (level == o->levels)
    {
      e[0] = block (o, 1, x, y, side);
      e[1] = block (o, 2, x, y, side);
      return;
    }
  e[0] = e[1] = 0;
  for (int oy = 0; oy < 2; oy++)
    for (int ox = 0; ox < 2; ox++)
      {
        int px = x - ox * side, py = y - oy * side;
        double up[2], n, p[2], d[2][2][2];

        if (px < 0 || py < 0 || px + 2 * side > o->width || py + 2 * side > o->height)
          continue;
        places++;
        estimate (o, level + 1, px, py, up);
        n = block (o, 0, px, py, 2 * side);
        for (int k = 0; k < 2; k++)
          {
            p[k] = n > 0 ? up[k] / n : 0;
            for (int cy = 0; cy < 2; cy++)
              for (int cx = 0; cx < 2; cx++)
                d[k][cy][cx] = block (o, k + 1, px + cx * side, py + cy * side, side) -
                               p[k] * block (o, 0, px + cx * side, py + cy * side, side);
            e[k] += p[k] * block (o, 0, x, y, side);
          }
        for (int kind = 1; kind < 4; kind++)
          {
            double w[2] = { 0, 0 };

            for (int k = 0; k < 2; k++)
              for (int cy = 0; cy < 2; cy++)
                for (int cx = 0; cx < 2; cx++)
                  w[k] += d[k][cy][cx] * (kind & 1 && cx ? -1 : 1) * (kind & 2 && cy ? -1 : 1);
            if (w[0] * w[0] + w[1] * w[1] >
                o->threshold * o->threshold * n * (1 - p[0] * p[0] - p[1] * p[1]))
              for (int k = 0; k < 2; k++)
                e[k] += 0.25 * w[k] * (kind & 1 && ox ? -1 : 1) * (kind & 2 && oy ? -1 : 1);
          }
      }
  for (int k = 0; k < 2; k++)
    e[k] = places > 0 ? e[k] / places : o->f[k + 1][y * o->width + x];
}

static void
filter_by_definition (const guint16 *cube, int width, int height, int levels, double threshold,
                      double *g, double *s)
{
  int n = width * height;
  g_autofree double *sums = g_new0 (double, 3 * n);
  Oracle o = { width, height, { sums, sums + n, sums + 2 * n }, levels, threshold };

  for (int j = 0; j < BINS; j++)
    for (int i = 0; i < n; i++)
      {
        double phase = 2 * G_PI * (j + 0.5) / BINS, count = cube[j * n + i];

        sums[i] += count;
        sums[n + i] += count * cos (phase);
        sums[2 * n + i] += count * sin (phase);
      }
  while (o.levels > 0 && MIN (width, height) < 3 << (o.levels - 1))
    o.levels--;
  for (int i = 0; i < n; i++)
    {
      double e[2];

      estimate (&o, 0, i % width, i / width, e);
      g[i] = e[0] / sums[i];
      s[i] = e[1] / sums[i];
    }
}

static void
test_wavelet_definition (void)
{
  static const struct
  {
    int width, height, levels;
    double threshold;
  } cases[] = { { 12, 13, 2, 2 }, { 25, 7, 2, 1 }, { 13, 12, 3, 3 },
                { 1, 5, 4, 2 },   { 2, 2, 1, 2 },  { 11, 11, 1, 0 } };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      int width = cases[c].width, height = cases[c].height, n = width * height, unlike = 0;
      LifetimeFixture f;
      g_autofree guint16 *cube = two_halves (&f, width, height, 60, 11 + c);
      g_autofree double *g = g_new (double, n), *s = g_new (double, n);
      g_autofree float *map_g = NULL, *map_s = NULL;

      f.params->phasor_filter = VG_LIFETIME_FILTER_WAVELET;
      f.params->wavelet_levels = cases[c].levels;
      f.params->wavelet_threshold = (float) cases[c].threshold;
      lifetime_run (&f, cube);
      map_g = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_PHASOR_G, NULL);
      map_s = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_PHASOR_S, NULL);
      filter_by_definition (cube, width, height, cases[c].levels, cases[c].threshold, g, s);
      /* A wavelet within rounding of the threshold may be kept or not. */
      for (int i = 0; i < n; i++)
        unlike += !(fabs (map_g[i] - g[i]) < 2e-5 && fabs (map_s[i] - s[i]) < 2e-5);
      g_assert_cmpint (unlike, <=, cases[c].threshold > 0 ? n / 50 : 0);
      lifetime_clear (&f);
    }
}

/* The filter reduces noise, preserves the edge between two lifetimes, and has no bias. */
static void
test_wavelet_merit (void)
{
  enum { SIDE = 64 };
  LifetimeFixture f;
  g_autofree guint16 *cube = two_halves (&f, SIDE, SIDE, 60, 77);
  g_autofree float *raw = NULL, *filtered = NULL;
  const double taus[] = { 1.0, 4.0 };

  f.params->phasor_filter = VG_LIFETIME_FILTER_WAVELET;
  f.params->wavelet_threshold = 3;
  lifetime_run (&f, cube);
  filtered = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_PHASOR_G, NULL);
  f.params->phasor_filter = VG_LIFETIME_FILTER_NONE;
  lifetime_update (&f);
  raw = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_PHASOR_G, NULL);
  for (int half = 0; half < 2; half++)
    {
      double r = exp (-H / taus[half]), w = 2 * G_PI / BINS, a = 1 - r * cos (w), b = r * sin (w);
      /* for whole bins, e^(i w / 2) (1 - r) / (1 - r e^(i w)) */
      double truth = (1 - r) * (a * cos (w / 2) - b * sin (w / 2)) / (a * a + b * b);
      int x0 = half * SIDE / 2, near = half == 0 ? SIDE / 2 - 1 : SIDE / 2;
      LifetimeStatistics before = lifetime_statistics (raw, SIDE, SIDE, x0, x0 + SIDE / 2);
      LifetimeStatistics after = lifetime_statistics (filtered, SIDE, SIDE, x0, x0 + SIDE / 2);
      LifetimeStatistics edge = lifetime_statistics (filtered, SIDE, SIDE, near, near + 1);

      g_test_message (
          "tau %g: G %.4f, raw %.4f +- %.4f, filtered %.4f +- %.4f, at the edge %.4f +- %.4f",
          taus[half], truth, before.mean, before.sd, after.mean, after.sd, edge.mean, edge.sd);
      g_assert_cmpfloat (fabs (after.mean - truth), <, 0.015);
      g_assert_cmpfloat (after.sd, <, 0.4 * before.sd);
      g_assert_cmpfloat (fabs (edge.mean - truth), <, 0.06);
    }
  lifetime_clear (&f);
}

/* The label is that of the last ellipse that contains the phasor, by the quadratic form. */
static void
test_cursors (void)
{
  enum { SIDE = 40 };
  LifetimeFixture f;
  g_autofree guint16 *cube = two_halves (&f, SIDE, SIDE, 100, 5);
  g_autofree float *g = NULL, *s = NULL, *labels = NULL;
  g_autoptr (GError) error = NULL;
  int many[3] = { 0 };

  f.params->cursors = vg_table_parse ("0.75,0.4,0.12,0.05,30;0.3,0.43,0.1,0.1,0", 5, &error);
  g_assert_no_error (error);
  lifetime_run (&f, cube);
  g = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_PHASOR_G, NULL);
  s = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_PHASOR_S, NULL);
  labels = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_CURSOR, NULL);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      int expected = 0;
      double margin = 1;

      for (int k = 0; k < 2; k++)
        {
          const double *row = f.params->cursors->values + 5 * k;
          double angle = row[4] * G_PI / 180, dx = g[i] - row[0], dy = s[i] - row[1];
          double xx = cos (angle) * cos (angle) / (row[2] * row[2]) +
                      sin (angle) * sin (angle) / (row[3] * row[3]);
          double yy = sin (angle) * sin (angle) / (row[2] * row[2]) +
                      cos (angle) * cos (angle) / (row[3] * row[3]);
          double xy = sin (2 * angle) * (1 / (row[2] * row[2]) - 1 / (row[3] * row[3]));
          double form = xx * dx * dx + xy * dx * dy + yy * dy * dy;

          margin = MIN (margin, fabs (form - 1));
          if (form <= 1)
            expected = k + 1;
        }
      if (margin > 1e-4)
        g_assert_cmpint ((int) labels[i], ==, expected);
      many[expected]++;
    }
  g_assert_true (many[0] > 20 && many[1] > 100 && many[2] > 100);
  /* A moved cursor changes the map without a new computation of phasors. */
  f.params->cursors->values[0] = -0.9;
  g_assert_true (f.engine->update (f.state, f.params));
  {
    g_autofree float *moved = lifetime_map_of (&f, VG_LIFETIME_OUTPUT_CURSOR, NULL);

    for (int i = 0; i < SIDE * SIDE; i++)
      g_assert_cmpint ((int) moved[i], !=, 1);
  }
  g_clear_pointer (&f.params->cursors, vg_table_free);
  g_assert_true (f.engine->update (f.state, f.params));
  g_assert_null (lifetime_map_of (&f, VG_LIFETIME_OUTPUT_CURSOR, NULL));
  lifetime_clear (&f);
}

static const VgOverlayItem *
find_point (const VgOverlay *overlay, const char *label)
{
  for (guint i = 0; i < overlay->items->len; i++)
    if (g_strcmp0 (g_array_index (overlay->items, VgOverlayItem, i).label, label) == 0)
      return &g_array_index (overlay->items, VgOverlayItem, i);
  return NULL;
}

static void
assert_at (const VgOverlayItem *item, double g, double s)
{
  g_assert_nonnull (item);
  g_assert_cmpfloat (hypot (item->x[0] - g, item->y[0] - s), <, 1e-6);
}

static void
test_guides (void)
{
  VgImageInfo info = {
    .type = VG_U16, .width = 1, .height = 1, .channels = 1, .bins = 250, .slices = 1, .frames = 1
  };
  VgLifetimeParams *params = vg_params_new (&vg_lifetime_operation.params);
  const double w = 2 * G_PI / 12.5;
  double t = w * 2, a = w * 0.4, b = w * 3.4;

  params->bin_width_ns = 0.05f; /* a window of 12.5 ns, 80 MHz */
  g_assert_null (vg_lifetime_guides (params, &info, VG_LIFETIME_OUTPUT_LIFETIME));
  g_assert_null (vg_lifetime_guides (params, NULL, VG_LIFETIME_OUTPUT_DENSITY));
  {
    g_autoptr (VgOverlay) overlay = vg_lifetime_guides (params, &info, VG_LIFETIME_OUTPUT_DENSITY);

    assert_at (find_point (overlay, "2 ns"), 1 / (1 + t * t), t / (1 + t * t));
    /* Without an IRF the plot says so. */
    assert_at (find_point (overlay, "Not calibrated: choose an IRF"), 0, 0);
    for (guint i = 1; i < overlay->items->len; i++)
      {
        const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);

        g_assert_cmpfloat (fabs (hypot (item->x[0] - 0.5, item->y[0]) - 0.5), <, 1e-6);
      }
  }
  params->guide = VG_LIFETIME_GUIDE_MIXTURE;
  params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
  {
    g_autoptr (VgOverlay) overlay = vg_lifetime_guides (params, &info, VG_LIFETIME_OUTPUT_DENSITY);

    g_assert_null (find_point (overlay, "Not calibrated: choose an IRF"));
  }
  {
    g_autoptr (VgOverlay) overlay = vg_lifetime_guides (params, &info, VG_LIFETIME_OUTPUT_DENSITY);
    const VgOverlayItem *quarter = find_point (overlay, "25 %");

    assert_at (quarter, 0.25 / (1 + a * a) + 0.75 / (1 + b * b),
               0.25 * a / (1 + a * a) + 0.75 * b / (1 + b * b));
  }
  params->guide = VG_LIFETIME_GUIDE_FRET;
  params->donor_ns = 2;
  params->fret_efficiency = 50;
  params->fret_share = 80;
  params->fret_background = 10;
  {
    g_autoptr (VgOverlay) overlay = vg_lifetime_guides (params, &info, VG_LIFETIME_OUTPUT_DENSITY);
    /* 0.4 photons of the quenched donor, 0.2 of the free donor, 0.1 of the background */
    double q = w * 1;

    assert_at (find_point (overlay, "E = 50 %"), (0.4 / (1 + q * q) + 0.2 / (1 + t * t)) / 0.7,
               (0.4 * q / (1 + q * q) + 0.2 * t / (1 + t * t)) / 0.7);
  }
  vg_params_free (&vg_lifetime_operation.params, params);
}

/* The decay of a region is the sum of its photons: known lifetimes are found, and residuals are
 * random. */
static void
test_region (void)
{
  static const struct
  {
    int method;
    double background;
  } cases[] = { { VG_LIFETIME_CMM, 0 },
                { VG_LIFETIME_CMM, 0.5 },
                { VG_LIFETIME_MLE, 0 },
                { VG_LIFETIME_PHASOR, 0 } };
  enum { WIDTH = 20, HEIGHT = 30 };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      LifetimeFixture f;
      g_autofree guint16 *cube = two_halves (&f, WIDTH, HEIGHT, 300, 21 + c);
      VgRegion region;

      if (cases[c].background > 0) /* one count in every other bin */
        for (int j = 0; j < BINS; j += 2)
          for (int i = 0; i < WIDTH * HEIGHT; i++)
            cube[j * WIDTH * HEIGHT + i]++;
      f.params->method = cases[c].method;
      f.params->background = (float) cases[c].background;
      f.params->bin = 1;
      lifetime_run (&f, cube);
      for (int half = 0; half < 2; half++)
        {
          double tau = half == 0 ? 1.0 : 4.0, photons = 0, deviance = 0, found = 0;
          g_autoptr (VgCurves) curves = NULL;
          const VgSeries *points, *fit, *residuals;

          g_assert_true (
              vg_region_parse (&region, half == 0 ? "rect:0,0,10,30" : "rect:10,0,10,30", NULL));
          curves = f.engine->curves->sample_region (f.state, &region, NULL);
          g_assert_nonnull (curves);
          points = curves->series->pdata[0];
          fit = curves->series->pdata[1];
          residuals = curves->series->pdata[2];
          g_assert_true (residuals->below && !fit->below && fit->n == BINS);
          for (int j = 0; j < BINS; j++)
            {
              photons += points->y[j];
              deviance += residuals->y[j] * residuals->y[j] / BINS;
            }
          g_assert_cmpfloat (fabs (photons - 300 * (300 + cases[c].background * BINS)), <,
                             5 * sqrt (300 * 300));
          g_assert_true (sscanf (strrchr (curves->title, ':') + 1, "%lf", &found) == 1);
          /* five standard deviations for 90 000 photons */
          g_assert_cmpfloat (fabs (found / tau - 1), <, 0.02);
          if (cases[c].background == 0)
            g_assert_cmpfloat (fabs (deviance - 1), <, 0.8);
        }
      g_assert_true (vg_region_parse (&region, "rect:100,100,5,5", NULL));
      g_assert_null (f.engine->curves->sample_region (f.state, &region, NULL));
      lifetime_clear (&f);
    }
}

/* Dragging an end of the fit range makes the range manual. */
static void
test_follow (void)
{
  const VgParamTable *table = &vg_lifetime_operation.params;
  VgLifetimeParams *params = vg_params_new (table);
  g_autofree gboolean *changed = g_new0 (gboolean, table->n_items);

  vg_lifetime_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->range, ==, VG_LIFETIME_RANGE_AUTO);
  changed[vg_params_find (table, "fit_end_ns") - table->items] = TRUE;
  vg_lifetime_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->range, ==, VG_LIFETIME_RANGE_MANUAL);
  vg_params_free (table, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lifetime/phasor/median", test_median);
  g_test_add_func ("/lifetime/phasor/wavelet-definition", test_wavelet_definition);
  g_test_add_func ("/lifetime/phasor/wavelet-merit", test_wavelet_merit);
  g_test_add_func ("/lifetime/phasor/cursors", test_cursors);
  g_test_add_func ("/lifetime/phasor/guides", test_guides);
  g_test_add_func ("/lifetime/curves/region", test_region);
  g_test_add_func ("/lifetime/curves/follow", test_follow);
  return g_test_run ();
}
