/* SPDX-License-Identifier: MIT */
/* How a map is looked at: the values of isolines, units of length, places. */
#include <math.h>
#include <string.h>
#include "app/session/vg-display.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-length.h"

static void
check_levels (const VgDisplay *display, double low, double high, gboolean log_scale,
              const char *want)
{
  const VgColoring coloring = { .low = low, .high = high, .log_scale = log_scale, .gamma = 1 };
  double levels[VG_DISPLAY_LEVELS];
  g_autoptr (GString) got = g_string_new (NULL);
  int n = vg_display_get_levels (display, &coloring, levels);

  for (int i = 0; i < n; i++)
    g_string_append_printf (got, "%s%.6g", i > 0 ? " " : "", levels[i]);
  g_assert_cmpstr (got->str, ==, want);
}

static void
test_levels (void)
{
  VgDisplay display = { .decades = TRUE, .isolines = { -5, 0, 30, 5000 }, .n_isolines = 4 };
  const VgColoring wide = { .low = 1e-150, .high = 1e150, .log_scale = TRUE };
  double levels[VG_DISPLAY_LEVELS];
  int n;

  check_levels (&display, 0.02, 400, TRUE, "0.1 1 10 30 100 5000");
  check_levels (&display, 400, 0.02, TRUE, "0.1 1 10 30 100 5000"); /* reversed */
  check_levels (&display, 0.1, 1000, TRUE, "1 10 30 100 5000");     /* not at the limits */
  check_levels (&display, 2, 9, TRUE, "30 5000");
  /* decades are for a log scale */
  check_levels (&display, -1, 400, FALSE, "-5 0 30 5000");
  display.decades = FALSE;
  check_levels (&display, 0.02, 400, TRUE, "30 5000");
  display = (VgDisplay){ .decades = TRUE, .isolines = { 10 }, .n_isolines = 1 };
  check_levels (&display, 0.5, 200, TRUE, "1 10 100"); /* none twice */
  n = vg_display_get_levels (&display, &wide, levels);
  g_assert_cmpint (n, >, 10);
  g_assert_cmpint (n, <=, VG_DISPLAY_LEVELS);
}

/* Each label keeps a colour of its own, whatever limits, gamma or scale were chosen for it. */
static void
test_labels (void)
{
  const VgDisplay display = { .colormap = "viridis",
                              .low = 3,
                              .high = 4,
                              .gamma = 2,
                              .log_scale = TRUE,
                              .auto_low_percent = 1,
                              .auto_high_percent = 50 };
  float labels[] = { 0, 1, 1, 2, 60, NAN };
  const VgPlane plane = { .place = VG_HOST, .data = labels, .width = 6, .height = 1, .slices = 1 };
  VgOutput output = { .id = "labels", .kind = VG_OUTPUT_LABELS };
  VgStatistics statistics;
  VgColoring coloring;

  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.low, ==, 0);
  g_assert_cmpfloat (coloring.high, ==, 60);
  g_assert_cmpfloat (coloring.gamma, ==, 1);
  g_assert_false (coloring.log_scale);
  output.hints.limits[1] = 8;
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.high, ==, 8);
  /* a few have a bar, but for numbers of objects */
  statistics.max = 8;
  g_assert_cmpint (vg_display_get_bar (&output, &coloring, &statistics), ==, 0);
  output.hints.instance = "Cell";
  g_assert_cmpint (vg_display_get_bar (&output, &coloring, &statistics), ==, VG_DISPLAY_NO_BAR);
  output.kind = VG_OUTPUT_MAP;
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.high, ==, 4);
}

static VgColoring
color_values (const VgDisplay *display, const VgOutput *output, float *values, int n)
{
  const VgPlane plane = { .place = VG_HOST, .data = values, .width = n, .height = 1, .slices = 1 };
  VgStatistics statistics;
  VgColoring coloring;

  vg_statistics_compute (&statistics, &plane, 0, 1);
  if (display->log_scale)
    vg_statistics_count_octaves (&statistics, &plane, 0, 1);
  vg_display_get_coloring (display, output, &statistics, &coloring);
  return coloring;
}

static void
assert_limits (const VgColoring *coloring, double low, double high)
{
  g_assert_cmpfloat_with_epsilon (coloring->low, low, 1e-9 * fabs (high));
  g_assert_cmpfloat_with_epsilon (coloring->high, high, 1e-9 * fabs (high));
}

/* Percentiles, rounded outwards to two figures: of each limit on a log scale, else of their
 * distance. */
static void
test_automatic (void)
{
  enum { N = 20000 };
  g_autofree float *values = g_new (float, N);
  VgDisplay display = {
    .colormap = "viridis", .auto_limits = TRUE, .auto_low_percent = 0.5, .auto_high_percent = 99.5
  };
  VgOutput output = { .id = "map", .kind = VG_OUTPUT_MAP };
  VgColoring coloring;

  for (int i = 0; i < N; i++)
    values[i] = (float) (1000 + 10. * i / N);
  values[200] = NAN;
  coloring = color_values (&display, &output, values, N);
  assert_limits (&coloring, 1000, 1010);
  /* four decades evenly, 2500 to 25e6 */
  display.log_scale = TRUE;
  for (int i = 0; i < N; i++)
    values[i] = (float) (2500 * pow (10, 4. * i / N));
  coloring = color_values (&display, &output, values, N);
  assert_limits (&coloring, 2600, 24e6);
  /* others have no place on the scale, and a few strays do not stretch it */
  for (int i = 0; i < N / 2; i++)
    values[2 * i] = i % 2 ? -5 : 0;
  for (int i = 0; i < 40; i++)
    values[2 * i + 1] = i % 2 ? 1e10f : 1e-20f;
  coloring = color_values (&display, &output, values, N);
  g_assert_cmpfloat (coloring.low, >, 1000);
  g_assert_cmpfloat (coloring.high, <, 26e6);
  /* no more than six decades, a single value, and none that is positive */
  for (int i = 0; i < N; i++)
    values[i] = (float) pow (10, -20. * i / N);
  coloring = color_values (&display, &output, values, N);
  g_assert_cmpfloat (coloring.high, >, 0.7);
  g_assert_cmpfloat_with_epsilon (coloring.low * 1e6 / coloring.high, 1, 0.1);
  /* of a map that is seldom shown so: from the equal bins */
  display.log_scale = FALSE;
  for (int i = 0; i < N; i++)
    values[i] = (float) (i % 2 ? 100 + i : 0);
  {
    const VgPlane plane = { .data = values, .width = N, .height = 1, .slices = 1 };
    VgStatistics statistics;

    vg_statistics_compute (&statistics, &plane, 0, 1);
    display.log_scale = TRUE;
    vg_display_get_coloring (&display, &output, &statistics, &coloring);
    g_assert_cmpfloat (coloring.low, >, 0);
    g_assert_cmpfloat (coloring.low, <, 100);
    assert_limits (&coloring, coloring.low, 20000);
  }
  values[0] = 30;
  coloring = color_values (&display, &output, values, 1);
  assert_limits (&coloring, 30, 33);
  values[0] = -3;
  coloring = color_values (&display, &output, values, 1);
  assert_limits (&coloring, -3, -3);
}

/* Maps are even and safe for colour-blind eyes at first: their lightness rises all along, or for
 * those with a centre on both sides of it. */
static void
test_default_colors (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < operations[i]->n_outputs; k++)
      {
        const VgOutput *output = &operations[i]->outputs[k];
        const VgColormap *map = vg_colormap_find (output->hints.colormap);
        double before = -1;

        if (output->kind == VG_OUTPUT_TEXT || output->kind == VG_OUTPUT_LABELS ||
            output->hints.colormap == NULL)
          continue;
        g_test_message ("%s %s", operations[i]->id, output->id);
        g_assert_nonnull (map);
        for (int c = 0; c < 256 && !map->diverging; c += 5)
          {
            double light = 0.2126 * pow (map->rgb[c][0], 2.2) + 0.7152 * pow (map->rgb[c][1], 2.2) +
                           0.0722 * pow (map->rgb[c][2], 2.2);

            g_assert_cmpfloat (light, >, before);
            before = light;
          }
      }
}

static void
test_shares (void)
{
  float labels[] = { 0, 1, 1, 3, 3, 3, 3, 3, NAN, INFINITY };
  const VgPlane plane = { .data = labels, .width = 10, .height = 1, .slices = 1 };
  double shares[VG_DISPLAY_LABELS + 1];
  VgStatistics statistics;

  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_shares (&statistics, shares);
  g_assert_cmpfloat (shares[0], ==, 0.125);
  g_assert_cmpfloat (shares[1], ==, 0.25);
  g_assert_cmpfloat (shares[2], ==, 0);
  g_assert_cmpfloat (shares[3], ==, 0.625);
  g_assert_cmpfloat (shares[4], ==, 0);
  for (int i = 0; i < 10; i++)
    labels[i] = 2;
  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_shares (&statistics, shares);
  g_assert_cmpfloat (shares[2], ==, 1);
  g_assert_cmpfloat (shares[1], ==, 0);
}

/* A difference is symmetric about its centre; a ratio has the same factor on both sides. */
static void
test_centred (void)
{
  float values[] = { -0.123f, 0.01f, 0.02f, 0.456f };
  VgDisplay display = { .colormap = "coolwarm", .auto_limits = TRUE, .auto_high_percent = 100 };
  VgOutput output = { .id = "map", .kind = VG_OUTPUT_MAP, .hints.diverging = TRUE };
  VgColoring coloring = color_values (&display, &output, values, 4);

  assert_limits (&coloring, -0.46, 0.46);
  display.log_scale = TRUE;
  output.hints.centre = 1;
  values[0] = 0.8f;
  values[1] = values[2] = values[3] = 1;
  coloring = color_values (&display, &output, values, 4);
  assert_limits (&coloring, 0.8, 1.25);
}

/* Automatic limits end where the plane says that values are strays; those set by hand do not. */
static void
test_most (void)
{
  VgDisplay display = {
    .colormap = "viridis", .auto_limits = TRUE, .auto_high_percent = 100, .low = 3, .high = 4000
  };
  float values[] = { 1, 2, 3, 2000, 40000, 50000 };
  const VgPlane plane = { .place = VG_HOST, .data = values, .width = 6, .height = 1, .slices = 1 };
  VgOutput output = { .id = "lifetime", .kind = VG_OUTPUT_MAP };
  VgStatistics statistics;
  VgColoring coloring;

  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.high, >, 12.5);
  statistics.most = 12.5;
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.high, ==, 12.5);
  g_assert_cmpfloat (coloring.low, <, 12.5);
  statistics.min = 100; /* nothing but strays */
  statistics.weighed_min = statistics.weighed_max = 0;
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.high, ==, 12.5);
  g_assert_cmpfloat (coloring.low, ==, 0);
  display.auto_limits = FALSE;
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.high, ==, 4000);
}

/* Lines where the error is small on both sides of them, and all that were typed in. */
static void
test_noise (void)
{
  float values[40], errors[40];
  VgPlane plane = { .place = VG_HOST, .data = values, .width = 40, .height = 1, .slices = 1 },
          error = plane;
  const VgDisplay display = { .isolines = { 0.01 }, .n_isolines = 1 };
  double levels[] = { 0.001, 0.01, 0.1, 1, 10, 100 }, noise;

  error.data = errors;
  for (int i = 0; i < 40; i++)
    {
      values[i] = (float) pow (10, 3 - 0.15 * i); /* 1000 to 1.4e-3 */
      errors[i] = values[i] > 0.9 ? 5 : values[i] > 0.05 ? 60 : NAN;
    }
  noise = vg_display_get_noise (&plane, &error);
  g_assert_cmpfloat (noise, >, 1);
  g_assert_cmpfloat (noise, <, 10);
  g_assert_cmpint (vg_display_drop_noise (&display, noise, levels, 6), ==, 3);
  g_assert_true (levels[0] == 0.01 && levels[1] == 10 && levels[2] == 100);
  for (int i = 0; i < 40; i++)
    errors[i] = 10;
  g_assert_cmpfloat (vg_display_get_noise (&plane, &error), ==, 0);
  for (int i = 0; i < 40; i++)
    errors[i] = NAN;
  g_assert_true (isinf (vg_display_get_noise (&plane, &error)));
}

static void
test_text (void)
{
  static const struct
  {
    const char *text, *want;
  } good[] = {
    { "", "" },
    { "  ", "" },
    { "1", "1" },
    { "10;0.1 1e-3", "0.001 0.1 10" },
    { "2 2 2", "2" },
    { "0,5 -3", "-3 0.5" },
    { "0.1, 1, 10", "0.1 1 10" },
    { "0,1, 1,5,", "0.1 1.5" },
    { " 7; ", "7" },
  };
  static const char *const bad[] = { "x",    "1 two",
                                     "nan",  "1e400",
                                     "0x10", "1,2,3",
                                     "3mm",  "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17" };
  VgDisplay display = { .n_isolines = 0 };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;
      VgDisplay back = { .n_isolines = 0 };

      g_assert_true (vg_display_parse_isolines (&display, good[i].text, &error));
      g_assert_no_error (error);
      text = vg_display_format_isolines (&display);
      g_assert_cmpstr (text, ==, good[i].want);
      g_assert_true (vg_display_parse_isolines (&back, text, NULL));
      g_assert_cmpint (back.n_isolines, ==, display.n_isolines);
      g_assert_cmpmem (back.isolines, back.n_isolines * sizeof (double), display.isolines,
                       display.n_isolines * sizeof (double));
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (vg_display_parse_isolines (&display, bad[i], &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
      g_assert_null (strchr (error->message, '\n'));
      g_assert_cmpint (display.n_isolines, ==, 1); /* the 7 from before */
      g_assert_cmpfloat (display.isolines[0], ==, 7);
    }
}

static void
check_unit (const char *unit, VgLength length, const char *want, double factor)
{
  double got;

  g_assert_cmpstr (vg_length_convert (unit, length, &got), ==, want);
  g_assert_cmpfloat_with_epsilon (got, factor, 1e-15 * factor);
}

static void
test_units (void)
{
  check_unit ("cm", VG_LENGTH_MM, "mm", 10);
  check_unit ("mm", VG_LENGTH_CM, "cm", 0.1);
  check_unit ("cm", VG_LENGTH_UM, "µm", 1e4);
  check_unit ("um", VG_LENGTH_MM, "mm", 1e-3);
  check_unit ("1/cm", VG_LENGTH_MM, "1/mm", 0.1);
  check_unit ("1/mm", VG_LENGTH_CM, "1/cm", 10);
  check_unit ("1/mm", VG_LENGTH_UM, "1/mm", 1); /* not 1/µm */
  check_unit ("cm", VG_LENGTH_OWN, "cm", 1);
  check_unit ("1/cm", VG_LENGTH_CM, "1/cm", 1);
  check_unit ("ms", VG_LENGTH_MM, "ms", 1);
  check_unit ("mW/cm²", VG_LENGTH_MM, "mW/cm²", 1);
  check_unit ("", VG_LENGTH_MM, "", 1);
  check_unit (NULL, VG_LENGTH_MM, NULL, 1);
  g_assert_cmpint (vg_length_choose ("µm", 999), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_choose ("µm", 1000), ==, VG_LENGTH_MM);
  g_assert_cmpint (vg_length_choose ("µm", 2e6), ==, VG_LENGTH_CM);
  g_assert_cmpint (vg_length_choose ("nm", 5e3), ==, VG_LENGTH_UM);
  g_assert_cmpint (vg_length_choose ("mm", 1e9), ==, VG_LENGTH_CM);
  g_assert_cmpint (vg_length_choose ("cm", 5e3), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_choose ("m", 5e3), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_choose ("ms", 5e3), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_tell ("µm", 999), ==, VG_LENGTH_UM);
  g_assert_cmpint (vg_length_tell ("um", 1000), ==, VG_LENGTH_MM);
  g_assert_cmpint (vg_length_tell ("mm", 0.5), ==, VG_LENGTH_UM);
  g_assert_cmpint (vg_length_tell ("mm", 250), ==, VG_LENGTH_MM);
  g_assert_cmpint (vg_length_tell ("cm", 5), ==, VG_LENGTH_MM);
  g_assert_cmpint (vg_length_tell ("cm", 0.02), ==, VG_LENGTH_UM);
  g_assert_cmpint (vg_length_tell ("nm", 500), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_tell ("nm", 5e4), ==, VG_LENGTH_UM);
  g_assert_cmpint (vg_length_tell ("px", 5), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_tell ("1/mm", 5), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_choose ("1/µm", 5e3), ==, VG_LENGTH_OWN);
  g_assert_cmpint (vg_length_choose ("µm", NAN), ==, VG_LENGTH_OWN);
  g_assert_true (vg_length_is_unit ("1/cm"));
  g_assert_false (vg_length_is_unit ("%"));
  g_assert_false (vg_length_is_unit (NULL));
}

static void
test_places (void)
{
  const VgPlane plain = { .width = 10, .height = 5, .origin = { 2, -1 }, .pixel_size = { 0.5, 2 } };
  const VgPlane mirrored = {
    .width = 10, .height = 5, .origin = { 0.25, 1 }, .pixel_size = { 0.5, 2 }, .mirrored = TRUE
  };

  /* the first pixel's centre */
  g_assert_cmpfloat (vg_plane_position (&plain, 0, 0.5), ==, 2);
  g_assert_cmpfloat (vg_plane_position (&plain, 1, 0.5), ==, -1);
  g_assert_cmpfloat (vg_plane_position (&plain, 0, 3.5), ==, 3.5);
  g_assert_cmpfloat (vg_plane_position (&mirrored, 0, 0), ==, 0);
  g_assert_cmpfloat (vg_plane_position (&mirrored, 0, 0.5), ==, 0.25);
  g_assert_cmpfloat (vg_plane_position (&mirrored, 0, -0.5), ==, -0.25);
  g_assert_cmpfloat (vg_plane_position (&mirrored, 0, -10), ==, -5);
  for (double at = -3; at < 9; at += 0.7)
    g_assert_cmpfloat_with_epsilon (
        vg_plane_image_point (&plain, 1, vg_plane_position (&plain, 1, at)), at, 1e-12);
}

/* The limits of a volume are those of all of its slices. */
static void
test_volume (void)
{
  const float values[] = { 1, 2, 3, 4, 5, NAN, 7, 80 };
  const VgPlane plane = { .data = values, .width = 2, .height = 1, .slices = 4 };
  const VgPlane huge = { .data = values, .width = 1, .height = 1 << 30, .slices = 4 };
  VgPlane volume = vg_display_get_volume (&plane);
  VgStatistics statistics;

  vg_statistics_compute (&statistics, &volume, 0, 1);
  g_assert_cmpuint (statistics.valid, ==, 7);
  g_assert_cmpfloat (statistics.min, ==, 1);
  g_assert_cmpfloat (statistics.max, ==, 80);
  volume = vg_display_get_volume (&huge);
  g_assert_cmpint (volume.height, ==, huge.height);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/display/levels", test_levels);
  g_test_add_func ("/display/labels", test_labels);
  g_test_add_func ("/display/noise", test_noise);
  g_test_add_func ("/display/isolines-text", test_text);
  g_test_add_func ("/display/units", test_units);
  g_test_add_func ("/display/places", test_places);
  g_test_add_func ("/display/volume", test_volume);
  g_test_add_func ("/display/automatic", test_automatic);
  g_test_add_func ("/display/default-colors", test_default_colors);
  g_test_add_func ("/display/shares", test_shares);
  g_test_add_func ("/display/centred", test_centred);
  g_test_add_func ("/display/most", test_most);
  return g_test_run ();
}
