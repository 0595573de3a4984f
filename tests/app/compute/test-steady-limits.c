/* SPDX-License-Identifier: MIT */
/* Automatic limits of live maps, on a clock of its own. */
#include "app/compute/vg-steady-limits.h"

static const VgOutput map = { .id = "map", .label = "Map", .kind = VG_OUTPUT_MAP };
static const VgOutput other = { .id = "other", .label = "Other", .kind = VG_OUTPUT_MAP };
static const VgDisplay decades = {
  .colormap = "viridis", .auto_limits = TRUE, .auto_high_percent = 100, .log_scale = TRUE
};

typedef struct
{
  VgSteadyLimits limits;
  VgDisplay display;
  VgSteadyKey key;
  gboolean live;
  double now_s;
} Watch;

static Watch
watch_new (void)
{
  return (Watch){ .display = decades,
                  .key = { .output = &map, .serial = 1, .generation = 1 },
                  .live = TRUE,
                  .now_s = 100 };
}

/* The colours of a map from MIN to MAX, a tenth of a second after the one before. */
static void
see_range (Watch *self, double min, double max, VgColoring *coloring)
{
  const VgStatistics statistics = { .min = min,
                                    .max = max,
                                    .valid = 100,
                                    .histogram = { [0] = 50, [VG_HISTOGRAM_BINS - 1] = 50 },
                                    .octaves = { [0] = 50, [VG_HISTOGRAM_BINS - 1] = 50 } };

  self->now_s += 0.1;
  vg_steady_limits_add (&self->limits, &self->key, &self->display, &statistics, self->live,
                        (gint64) (self->now_s * G_USEC_PER_SEC + 0.5));
  vg_steady_limits_get_coloring (&self->limits, &self->display, self->key.output, self->key.compare,
                                 &statistics, coloring);
}

/* The top of the colours for one from 10. */
static double
see (Watch *self, double max)
{
  VgColoring coloring;

  see_range (self, 10, max, &coloring);
  return coloring.high;
}

/* A pulse, and two frames in turn, between 4000 and 11000: fresh limits would follow each of them.
 */
static void
test_pulse (void)
{
  static const double beat[] = { 4000, 6000, 11000, 9000, 4500 };
  Watch watch = watch_new ();
  double top = see (&watch, 4000);

  g_assert_cmpfloat_with_epsilon (top, 4000, 1e-6);
  for (int i = 0; i < 500; i++)
    g_assert_cmpfloat (see (&watch, beat[i % G_N_ELEMENTS (beat)]), ==, top);
  for (int i = 0; i < 500; i++)
    g_assert_cmpfloat (see (&watch, i % 2 ? 4000 : 110000), ==, top);
}

/* Limits that stay a fifth of the decades away take the colours along after two seconds, as far as
 * any of them went; less is not away.  They arrive half a second later. */
static void
test_moves (void)
{
  Watch watch = watch_new ();
  double before = 4000;

  see (&watch, 4000); /* a fifth of the way from 10: a factor of 3.3 */
  for (int i = 0; i < 100; i++)
    g_assert_cmpfloat_with_epsilon (see (&watch, i % 2 ? 12000 : 1300), 4000, 1e-6);
  for (int i = 0; i < 20; i++)
    g_assert_cmpfloat_with_epsilon (see (&watch, i == 5 ? 400000 : 40000), 4000, 1e-6);
  see (&watch, 40000);
  for (int i = 0; i < 4; i++)
    {
      double top = see (&watch, 40000);

      g_assert_cmpfloat (top, >, before * 1.5); /* even steps in decades, none too large */
      g_assert_cmpfloat (top, <, before * 4);
      before = top;
    }
  for (int i = 0; i < 100; i++) /* and held there */
    g_assert_cmpfloat_with_epsilon (see (&watch, 4e5), 4e5, 1e-6);
  for (int i = 0; i < 20; i++) /* and back */
    g_assert_cmpfloat_with_epsilon (see (&watch, 100), 4e5, 1e-6);
  for (int i = 0; i < 8; i++)
    see (&watch, 100);
  g_assert_cmpfloat_with_epsilon (see (&watch, 100), 100, 1e-6);
}

/* The lower limit counts as the upper does, and a map that is near again starts the two seconds
 * anew. */
static void
test_returns (void)
{
  Watch watch = watch_new ();
  VgColoring coloring;

  see_range (&watch, 10, 10000, &coloring);
  for (int i = 0; i < 200; i++)
    {
      see_range (&watch, i % 19 == 0 ? 10 : 0.1, 10000, &coloring);
      g_assert_cmpfloat_with_epsilon (coloring.low, 10, 1e-9);
    }
  for (int i = 0; i < 30; i++)
    see_range (&watch, 0.1, 10000, &coloring);
  g_assert_cmpfloat_with_epsilon (coloring.low, 0.1, 1e-9);
  g_assert_cmpfloat_with_epsilon (coloring.high, 10000, 1e-9);
}

static void
test_at_once (void)
{
  Watch watch = watch_new ();

  see (&watch, 4000);
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 4000, 1e-6);
  watch.key.serial++;
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 9000, 1e-6);
  watch.key.generation++;
  g_assert_cmpfloat_with_epsilon (see (&watch, 19000), 19000, 1e-6);
  watch.key.output = &other;
  g_assert_cmpfloat_with_epsilon (see (&watch, 4000), 4000, 1e-6);
  watch.key.compare = VG_COMPARE_KEPT;
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 9000, 1e-6);
  vg_steady_limits_reset (&watch.limits);
  g_assert_cmpfloat_with_epsilon (see (&watch, 4000), 4000, 1e-6);
  watch.display.log_scale = FALSE;
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 9000, 1e-6);
  watch.live = FALSE; /* paused, or a single frame: of that one */
  for (int i = 1; i < 50; i++)
    g_assert_cmpfloat_with_epsilon (see (&watch, i * 1000), i * 1000, 1e-6);
  watch.display.auto_limits = FALSE;
  watch.display.high = 7;
  watch.live = TRUE;
  g_assert_cmpfloat (see (&watch, 9000), ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steady-limits/pulse", test_pulse);
  g_test_add_func ("/steady-limits/moves", test_moves);
  g_test_add_func ("/steady-limits/returns", test_returns);
  g_test_add_func ("/steady-limits/at-once", test_at_once);
  return g_test_run ();
}
