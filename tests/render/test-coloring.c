/* SPDX-License-Identifier: MIT */
/* The shader's colours against vg_coloring_apply, for every map and setting. */
#include <math.h>
#include <stdlib.h>
#include "render/vg-renderer.h"
#include "tests/support/ui/gl-fixture.h"

enum { WIDTH = 96, HEIGHT = 64, SAMPLES = WIDTH * HEIGHT };

static float *
make_values (void)
{
  float *values = g_new (float, SAMPLES);

  for (int i = 0; i < SAMPLES; i++)
    values[i] = (float) (-0.3 + 1.8 * i / SAMPLES);
  values[5] = NAN;
  values[17] = INFINITY;
  values[18] = -INFINITY;
  values[40] = 0;
  values[41] = 1e-30f;
  return values;
}

/* A position on the edge of two entries may round either way in single
 * precision, so either is right. */
static gboolean
is_right (const VgColoring *coloring, float value, const guint8 *got, const guint8 *want)
{
  double position = vg_coloring_position (coloring, value);
  int nearest = 255;

  for (int shift = -1; shift <= 1; shift++)
    {
      int entry = isnan (position) ? 0 : (int) floor (position * 255 + 0.5 + shift * 2e-3);
      const guint8 *rgb = isnan (position) ? want : coloring->colormap->rgb[CLAMP (entry, 0, 255)];
      int worst = 0;

      for (int k = 0; k < 3; k++)
        worst = MAX (worst, abs (got[k] - rgb[k]));
      nearest = MIN (nearest, worst);
    }
  return nearest <= 1 && got[3] == 255;
}

static void
check (VgRenderer *renderer, const VgColoring *coloring, const float *values)
{
  VgScene scene = {
    .coloring = *coloring, .zoom = 1, .center_x = WIDTH / 2, .center_y = HEIGHT / 2
  };
  g_autofree guint8 *want = g_malloc (SAMPLES * 4), *got = NULL;
  g_autoptr (GError) error = NULL;

  vg_coloring_apply (coloring, values, SAMPLES, want);
  got = gl_try_capture (renderer, &scene, WIDTH, HEIGHT, &error);
  g_assert_no_error (error);
  for (int i = 0; i < SAMPLES; i++)
    if (!is_right (coloring, values[i], got + 4 * i, want + 4 * i))
      g_error ("%s, limits %g..%g, gamma %g, log %d: value %g is %d,%d,%d, expected %d,%d,%d",
               coloring->colormap->id, coloring->low, coloring->high, coloring->gamma,
               coloring->log_scale, values[i], got[4 * i], got[4 * i + 1], got[4 * i + 2],
               want[4 * i], want[4 * i + 1], want[4 * i + 2]);
}

static void
test_maps (void)
{
  static const double gammas[] = { 1, 0.45, 2.2 };
  static const double limits[][2] = { { 0.05, 1 }, { 1, 0.05 }, { -0.2, 1.4 }, { 0.5, 0.5 } };
  g_autofree float *values = make_values ();
  VgPlane plane = {
    .place = VG_HOST, .data = values, .width = WIDTH, .height = HEIGHT, .slices = 1
  };
  g_autoptr (GError) error = NULL;
  VgRenderer *renderer = vg_renderer_new (VG_DISPLAY_HOST, NULL, &error);
  const VgColormap *maps;
  guint n;

  g_assert_no_error (error);
  g_assert_true (vg_renderer_upload (renderer, 0, &plane, 0, &error));
  maps = vg_colormaps (&n);
  g_assert_cmpuint (n, >=, 7);
  for (guint m = 0; m < n; m++)
    for (guint g = 0; g < G_N_ELEMENTS (gammas); g++)
      for (guint l = 0; l < G_N_ELEMENTS (limits); l++)
        for (int log_scale = 0; log_scale < 2; log_scale++)
          check (renderer,
                 &(VgColoring){
                     &maps[m], limits[l][0], limits[l][1], gammas[g], log_scale, { 7, 77, 177 } },
                 values);
  vg_renderer_free (renderer);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  VgHeadless *headless;
  int status;

  g_test_init (&argc, &argv, NULL);
  headless = vg_headless_new (&error);
  if (headless == NULL)
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  g_test_add_func ("/gl/coloring", test_maps);
  status = g_test_run ();
  vg_headless_free (headless);
  return status;
}
