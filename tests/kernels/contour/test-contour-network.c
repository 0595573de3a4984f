/* SPDX-License-Identifier: MIT */
/* The network on the CPU against PyTorch, its weights file, the number of threads; nuclei in its
 * maps; what a run does without it. */
#include "kernels/contour/net/contour-learned.h"
#include "kernels/contour/net/contour-network.h"
#include "kernels/contour/net/contour-parts.h"
#include "kernels/contour/net/contour-winograd.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/base/vg-error.h"
#include "tests/kernels/contour/support/contour-stained.h"
#include "vg-config.h"
#include <math.h>
#include <string.h>

/* Of two maps that were computed in other windows. */
#define ROUNDING 1e-5
#define WEIGHTS VG_SOURCE_MODEL_DIR "/contour-nuclei.vgnet"

/* What training/contour/export.py wrote: an input, and PyTorch's output for it. */
typedef struct
{
  int width, height;
  float *input;
  float *maps;
} Reference;

static void
reference_init (Reference *self)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "contour",
                                                 "network-reference.bin", NULL);
  g_autofree char *bytes = NULL;
  gsize length, n;
  guint32 size[2];
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &bytes, &length, &error);
  g_assert_no_error (error);
  memcpy (size, bytes, sizeof size);
  self->width = (int) size[0];
  self->height = (int) size[1];
  n = (gsize) self->width * (gsize) self->height;
  g_assert_cmpuint (length, ==, sizeof size + 3 * n + 3 * n * sizeof (float));
  self->input = g_new (float, 3 * n);
  for (gsize i = 0; i < 3 * n; i++)
    self->input[i % n * 3 + i / n] = (float) ((guint8) bytes[sizeof size + i]) / 255.0f;
  self->maps = g_memdup2 (bytes + sizeof size + 3 * n, 3 * n * sizeof (float));
}

static void
reference_clear (Reference *self)
{
  g_free (self->input);
  g_free (self->maps);
}

static float *
run (const VgContourNet *net, const Reference *reference, int threads)
{
  float *maps = g_new (float, 3 * reference->width * reference->height);
  g_autoptr (VgContourNetwork) network = vg_contour_network_new (net);

  g_assert_true (
      vg_contour_network_run (network, reference->input, reference->width, reference->height,
                              (VgContourWindow){ 0, 0, reference->width, reference->height },
                              &(VgContext){ .threads = threads }, maps));
  return maps;
}

static void
test_pytorch (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgContourNet) net = vg_contour_net_load (WEIGHTS, &error);
  g_autofree float *maps = NULL;
  Reference reference;
  double worst = 0.0, most = 0.0;

  g_assert_no_error (error);
  reference_init (&reference);
  maps = run (net, &reference, 0);
  for (int i = 0; i < 3 * reference.width * reference.height; i++)
    {
      worst = fmax (worst, fabs ((double) maps[i] - (double) reference.maps[i]));
      most = fmax (most, (double) reference.maps[i]);
    }
  g_test_message ("largest difference from PyTorch: %.2g", worst);
  g_assert_cmpfloat (worst, <, 1e-3);
  g_assert_cmpfloat (most, >, 0.9); /* there are nuclei in it */
  reference_clear (&reference);
}

static void
test_threads (void)
{
  g_autoptr (VgContourNet) net = vg_contour_net_load (WEIGHTS, NULL);
  g_autofree float *one = NULL, *three = NULL;
  Reference reference;

  reference_init (&reference);
  one = run (net, &reference, 1);
  three = run (net, &reference, 3);
  g_assert_cmpmem (one, sizeof (float) * 3 * (gsize) (reference.width * reference.height), three,
                   sizeof (float) * 3 * (gsize) (reference.width * reference.height));
  reference_clear (&reference);
}

/* Every kind of damage is an error, and no network. */
static void
test_damage (void)
{
  g_autofree char *bytes = NULL;
  gsize length;
  const gsize cuts[] = { 0, 7, 15, 16, 100, 1000 };
  const gsize changed[] = { 0, 8, 12, 40, 100, 1000, 100000 };

  g_assert_true (g_file_get_contents (WEIGHTS, &bytes, &length, NULL));
  for (guint i = 0; i <= G_N_ELEMENTS (cuts); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize left = i < G_N_ELEMENTS (cuts) ? cuts[i] : length - 1;

      g_assert_null (vg_contour_net_parse ((const guint8 *) bytes, left, "w", &error));
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
    }
  for (guint i = 0; i < G_N_ELEMENTS (changed); i++)
    {
      g_autoptr (GError) error = NULL;

      bytes[changed[i]] ^= 1;
      g_assert_null (vg_contour_net_parse ((const guint8 *) bytes, length, "w", &error));
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
      bytes[changed[i]] ^= 1;
    }
  g_assert_null (vg_contour_net_load ("/nowhere/at-all.vgnet", NULL));
}

/* Two discs whose distances meet at a saddle: two nuclei, or one if the saddle is shallow; none if
 * a higher mean probability is required. */
static void
test_parts (void)
{
  enum { W = 60, H = 40 };
  float nucleus[W * H], distance[W * H];

  for (int apart = 2; apart <= 22; apart += 20)
    {
      g_autofree gint32 *labels = NULL;
      g_autoptr (GArray) peaks = NULL;

      for (int i = 0; i < W * H; i++)
        {
          double x = i % W + 0.5 - 30.0, y = i / W + 0.5 - 20.0;
          double far = fmin (hypot (x - apart / 2.0, y), hypot (x + apart / 2.0, y));

          nucleus[i] = far < 12.0 ? 0.9f : 0.1f;
          distance[i] = (float) fmax (1.0 - far / 12.0, 0.0);
        }
      peaks = vg_contour_parts (nucleus, distance, W, H, 0.5f, 0.3f, 0.95f, &labels);
      g_assert_cmpuint (peaks->len, ==, 0);
      for (int i = 0; i < W * H; i++)
        g_assert_cmpint (labels[i], ==, 0);
      g_clear_pointer (&peaks, g_array_unref);
      g_clear_pointer (&labels, g_free);
      peaks = vg_contour_parts (nucleus, distance, W, H, 0.5f, 0.3f, 0.75f, &labels);
      g_assert_cmpuint (peaks->len, ==, apart > 2 ? 2 : 1);
      for (guint k = 0; k < peaks->len; k++)
        {
          const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, k);

          g_assert_cmpint (labels[(int) peak->y * W + (int) peak->x], ==, (int) k + 1);
        }
      for (int i = 0; i < W * H; i++)
        g_assert_true ((labels[i] > 0) == (nucleus[i] > 0.5f));
    }
}

/* The classical force does the work, to the bit, and the user is told. */
static void
test_missing (void)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = contour_stained (3, 1);
  g_autoptr (VgMetrics) told = vg_metrics_new (), silent = vg_metrics_new ();
  VgContourRun *classical = contour_finish (image, &params), *learned;

  params.force = VG_CONTOUR_FORCE_LEARNED;
  learned = contour_finish (image, &params);
  g_assert_cmpmem (learned->scene->field, sizeof (gint32) * CONTOUR_SIDE * CONTOUR_SIDE,
                   classical->scene->field, sizeof (gint32) * CONTOUR_SIDE * CONTOUR_SIDE);
  vg_contour_run_results (learned, told, NULL);
  vg_contour_run_results (classical, silent, NULL);
  g_assert_nonnull (vg_metrics_find (told, "without_network")->advice);
  g_assert_null (vg_metrics_find (silent, "without_network")->advice);
  vg_contour_run_free (learned);
  vg_contour_run_free (classical);
}

/* What is left out about a window changes nothing in it but its rounding, at the edge and in the
 * middle; what was computed before changes no bit. */
static void
test_window (void)
{
  enum { SIDE = 320, N = SIDE * SIDE };
  const VgContourWindow all = { 0, 0, SIDE, SIDE }, windows[] = {
    { 0, 0, 96, 50 }, { 111, 130, 190, 203 }, { 224, 160, SIDE, SIDE }, { 57, 58, 58, 59 }
  };
  g_autoptr (VgContourNet) net = vg_contour_net_load (WEIGHTS, NULL);
  g_autofree float *input = g_new (float, 3 * N), *whole = g_new (float, 3 * N),
                   *part = g_new0 (float, 3 * N), *again = g_new0 (float, 3 * N);
  g_autoptr (VgContourNetwork) network = vg_contour_network_new (net);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  const gint stop = 1;
  const VgContext context = { 0 }, stopped = { .stop = &stop };

  for (int i = 0; i < 3 * N; i++)
    input[i] = (float) g_rand_double (random);
  g_assert_true (vg_contour_network_run (network, input, SIDE, SIDE, all, &context, whole));
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      const VgContourWindow *w = &windows[i];

      g_assert_true (vg_contour_network_run (network, input, SIDE, SIDE, *w, &context, part));
      for (int map = 0; map < 3; map++)
        for (int y = w->y0; y < w->y1; y++)
          for (int x = w->x0; x < w->x1; x++)
            g_assert_cmpfloat_with_epsilon (part[map * N + y * SIDE + x],
                                            whole[map * N + y * SIDE + x], ROUNDING);
      g_assert_true (vg_contour_network_run (network, whole, SIDE, SIDE, all, &context, again));
      memcpy (again, part, sizeof (float) * 3 * N);
      g_assert_true (vg_contour_network_run (network, input, SIDE, SIDE, *w, &context, again));
      g_assert_cmpmem (again, sizeof (float) * 3 * N, part, sizeof (float) * 3 * N);
    }
  g_assert_false (vg_contour_network_run (network, input, SIDE, SIDE, all, &stopped, part));
}

/* A convolution with fewer products gives the result of the plain one in any window, and writes
 * nothing outside the window. */
static void
test_winograd (void)
{
  enum { W = 22, H = 38, OWN = 16, COARSE = 32, INPUTS = OWN + COARSE, OUTPUTS = 32 };
  static const VgContourWindow windows[] = { { 0, 0, W, H }, { 3, 5, 20, 12 }, { 21, 37, W, H } };
  VgContourLayer layer = { .inputs = INPUTS, .outputs = OUTPUTS, .side = 3, .groups = 2 }, plain;
  VgContourChannels own = { 0 }, coarse = { 0 }, all = { 0 }, to = { 0 }, expected = { 0 };
  VgContourTeam team = { .threads = 2 };
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  layer.weights = g_new (float, 9 * INPUTS * OUTPUTS);
  layer.bias = g_new (float, OUTPUTS);
  for (int i = 0; i < 9 * INPUTS * OUTPUTS; i++)
    layer.weights[i] = (float) g_rand_double_range (random, -1.0, 1.0);
  for (int i = 0; i < OUTPUTS; i++)
    layer.bias[i] = (float) g_rand_double_range (random, -1.0, 1.0);
  plain = layer;
  vg_contour_winograd_prepare (&layer);
  team.room = vg_contour_winograd_work (&layer);
  team.work = g_new (float, 2 * team.room);
  g_assert_true (vg_contour_channels_init (&own, W, H, OWN) &&
                 vg_contour_channels_init (&coarse, W / 2, H / 2, COARSE) &&
                 vg_contour_channels_init (&all, W, H, INPUTS) &&
                 vg_contour_channels_init (&expected, W, H, OUTPUTS));
  for (int i = 0; i < W * H * INPUTS; i++)
    {
      const int c = i % INPUTS, x = i / INPUTS % W, y = i / INPUTS / W;
      float *at = c < OWN ? vg_contour_channels_at (&own, x, y) + c
                          : vg_contour_channels_at (&coarse, x / 2, y / 2) + c - OWN;

      if (c < OWN || (x % 2 == 0 && y % 2 == 0))
        *at = (float) g_rand_double (random);
      vg_contour_channels_at (&all, x, y)[c] = *at;
    }
  vg_contour_convolve (&plain, &all, NULL, &expected, windows[0], &team);
  for (guint k = 0; k < G_N_ELEMENTS (windows); k++)
    {
      const VgContourWindow *w = &windows[k];

      g_assert_true (vg_contour_channels_init (&to, W, H, OUTPUTS));
      for (int i = 0; i < W * H * OUTPUTS; i++)
        vg_contour_channels_at (&to, i / OUTPUTS % W, i / OUTPUTS / W)[i % OUTPUTS] = 0.0f;
      vg_contour_convolve (&layer, &own, &coarse, &to, *w, &team);
      for (int y = -1; y <= H; y++)
        for (int x = -1; x <= W; x++)
          for (int c = 0; c < OUTPUTS; c++)
            {
              const gboolean inside = x >= w->x0 && x < w->x1 && y >= w->y0 && y < w->y1;

              g_assert_cmpfloat_with_epsilon (vg_contour_channels_at (&to, x, y)[c],
                                              inside ? vg_contour_channels_at (&expected, x, y)[c]
                                                     : 0.0f,
                                              inside ? 1e-4 : 1e-30);
            }
      vg_contour_channels_clear (&to);
    }
  vg_contour_channels_clear (&own);
  vg_contour_channels_clear (&coarse);
  vg_contour_channels_clear (&all);
  vg_contour_channels_clear (&expected);
  g_free (layer.weights);
  g_free (layer.bias);
  g_free (layer.products);
  g_free (team.work);
}

/* Maps of PART of a picture of WIDTH x HEIGHT with discs to the left of column END. */
static void
map_part (const VgContourNet *net, int x0, int width, int height, int end, VgContourMaps *maps)
{
  const VgImageInfo info = { .type = VG_U8,
                             .channels = 3,
                             .width = width,
                             .height = height,
                             .frames = 1,
                             .slices = 1,
                             .bins = 1 };
  g_autoptr (VgImage) image = vg_image_new (&info, "discs", NULL);
  const VgContourScale scale = { .known = TRUE, .stained = TRUE, .full = 255.0 };
  const VgContourParams params = { .stain = VG_CONTOUR_HAEMATOXYLIN };
  const VgPart part = { .x = x0 };
  const VgContext context = { .params = &params, .info = &info, .part = &part };
  GError *error = NULL;

  for (int i = 0; i < width * height; i++)
    {
      const int x = i % width + x0, y = i / width;
      const gboolean inside = x < end && hypot (x % 27 - 13.0, y % 24 - 12.0) < 8.0;

      for (int c = 0; c < 3; c++)
        ((guint8 *) image->data)[3 * i + c] = (guint8) (inside ? 90 + 20 * c + x * 7 % 11 : 250);
    }
  *maps = (VgContourMaps){ .window = { 0, 0, width, height } };
  vg_contour_maps_init (maps, net, image, &params, &scale, 8.0, &context, &error);
  g_assert_no_error (error);
}

/* A picture that needs two cores, and a part of it that needs one, have the same maps, and a cell
 * without nuclei has none, whichever core it lies in. */
static void
test_cores (void)
{
  enum { WIDTH = 2400, HEIGHT = 64, FIRST = 832, CELL = 5 * 384, NEEDED = 128 };
  g_autoptr (VgContourNet) net = vg_contour_net_load (WEIGHTS, NULL);
  VgContourMaps whole, part;
  double sum = 0.0;

  map_part (net, 0, WIDTH, HEIGHT, CELL - NEEDED - 8, &whole);
  map_part (net, FIRST, WIDTH - FIRST, HEIGHT, CELL - NEEDED - 8, &part);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = FIRST + NEEDED; x < WIDTH; x++)
      {
        const gsize i = (gsize) (y * WIDTH + x), k = (gsize) (y * (WIDTH - FIRST) + x - FIRST);

        g_assert_cmpfloat_with_epsilon (whole.nucleus[i], part.nucleus[k], ROUNDING);
        g_assert_cmpfloat_with_epsilon (whole.distance[i], part.distance[k], ROUNDING);
        if (x >= CELL)
          g_assert_cmpfloat (whole.nucleus[i], ==, 0.0f);
        sum += (double) whole.nucleus[i];
      }
  g_assert_cmpfloat (whole.nucleus[CELL - 1], >, 0.0f);
  g_assert_cmpfloat (sum, >, 1000.0);
  vg_contour_maps_clear (&whole);
  vg_contour_maps_clear (&part);
}

/* Not a bar, since other work may take the processor: what one thread needs for 512 x 512. */
static void
test_time (void)
{
  g_autoptr (VgContourNet) net = vg_contour_net_load (WEIGHTS, NULL);
  g_autoptr (VgContourNetwork) network = vg_contour_network_new (net);
  const int size = 512;
  g_autofree float *input = g_new0 (float, 3 * size * size), *maps = g_new (float, 3 * size * size);
  gint64 start = g_get_monotonic_time ();

  g_assert_true (vg_contour_network_run (network, input, size, size,
                                         (VgContourWindow){ 0, 0, size, size },
                                         &(VgContext){ .threads = 1 }, maps));
  g_test_message ("512 x 512 on one thread: %.2f s",
                  (double) (g_get_monotonic_time () - start) * 1e-6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_setenv ("VIVOGRAPH_MODEL_DIR", "/nowhere", TRUE);
  g_test_add_func ("/contour/network/pytorch", test_pytorch);
  g_test_add_func ("/contour/network/threads", test_threads);
  g_test_add_func ("/contour/network/window", test_window);
  g_test_add_func ("/contour/network/winograd", test_winograd);
  g_test_add_func ("/contour/network/damage", test_damage);
  g_test_add_func ("/contour/network/parts", test_parts);
  g_test_add_func ("/contour/network/missing", test_missing);
  g_test_add_func ("/contour/network/cores", test_cores);
  g_test_add_func ("/contour/network/time", test_time);
  return g_test_run ();
}
