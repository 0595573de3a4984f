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

/* The top of the colours for a map from 10 to MAX, a tenth of a second after the one before. */
static double
see (Watch *self, double max)
{
  const VgStatistics statistics = {
    .min = 10, .max = max, .valid = 100, .histogram = { [0] = 50, [VG_HISTOGRAM_BINS - 1] = 50 }
  };
  VgColoring coloring;

  self->now_s += 0.1;
  vg_steady_limits_add (&self->limits, &self->key, &self->display, &statistics, self->live,
                        (gint64) (self->now_s * G_USEC_PER_SEC));
  vg_steady_limits_get_coloring (&self->limits, &self->display, self->key.output, self->key.compare,
                                 &statistics, &coloring);
  return coloring.high;
}

/* A pulse, and two frames in turn, between 4000 and 11000: fresh limits would be 5000, 10000 and
 * 20000. */
static void
test_pulse (void)
{
  static const double beat[] = { 4000, 6000, 11000, 9000, 4500 };
  Watch watch = watch_new ();
  double top = see (&watch, 4000);

  g_assert_cmpfloat_with_epsilon (top, 5000, 1e-6);
  for (int i = 0; i < 500; i++)
    g_assert_cmpfloat (see (&watch, beat[i % G_N_ELEMENTS (beat)]), ==, top);
  for (int i = 0; i < 500; i++)
    g_assert_cmpfloat (see (&watch, i % 2 ? 4000 : 11000), ==, top);
}

/* Data that stay outside take the limits along after two seconds, as far as any of them went; a
 * little is not outside. */
static void
test_moves (void)
{
  Watch watch = watch_new ();

  see (&watch, 4000);
  for (int i = 0; i < 100; i++)
    g_assert_cmpfloat_with_epsilon (see (&watch, 5100), 5000, 1e-6);
  for (int i = 0; i < 20; i++)
    g_assert_cmpfloat_with_epsilon (see (&watch, i == 5 ? 40000 : 8000), 5000, 1e-6);
  see (&watch, 8000);
  for (int i = 0; i < 100; i++) /* and held there */
    g_assert_cmpfloat_with_epsilon (see (&watch, 8000), 50000, 1e-6);
  for (int i = 0; i < 20; i++) /* less than half of the decades */
    g_assert_cmpfloat_with_epsilon (see (&watch, 100), 50000, 1e-6);
  see (&watch, 100);
  g_assert_cmpfloat_with_epsilon (see (&watch, 100), 100, 1e-6);
}

static void
test_at_once (void)
{
  Watch watch = watch_new ();

  see (&watch, 4000);
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 5000, 1e-6);
  watch.key.serial++;
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 10000, 1e-6);
  watch.key.generation++;
  g_assert_cmpfloat_with_epsilon (see (&watch, 19000), 20000, 1e-6);
  watch.key.output = &other;
  g_assert_cmpfloat_with_epsilon (see (&watch, 4000), 5000, 1e-6);
  watch.key.compare = VG_COMPARE_KEPT;
  g_assert_cmpfloat_with_epsilon (see (&watch, 9000), 10000, 1e-6);
  vg_steady_limits_reset (&watch.limits);
  g_assert_cmpfloat_with_epsilon (see (&watch, 4000), 5000, 1e-6);
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
  g_test_add_func ("/steady-limits/at-once", test_at_once);
  return g_test_run ();
}
