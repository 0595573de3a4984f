/* SPDX-License-Identifier: MIT */
/* The network on the GPU against that on the CPU: its maps at awkward sizes, whole images of any
 * size and parts of them, the contours that evolve on them; the same bits again. */
#include <math.h>
#include <string.h>
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/net/contour-network.cuh"
#include "kernels/contour/synthetic/contour-synthetic.h"

#define TOLERANCE 1e-3f

static VgContourParams *
new_params (void)
{
  VgContourParams *params = (VgContourParams *) vg_params_new (&vg_contour_operation.params);

  params->radius_px = 10.0f;
  return params;
}

static VgImage *
picture (const VgContourParams *params, int width, int height, guint64 seed)
{
  const VgSynthetic *synthetic = vg_contour_operation.synthetic;
  VgSyntheticSize size = { width, height, 1, seed, VG_CONTOUR_SAMPLE_TISSUE };
  VgImageInfo info;
  gpointer source = synthetic->open (params, &size, &info, NULL);
  VgImage *image = vg_image_new (&info, "nuclei", NULL);

  g_assert_true (synthetic->read (source, 0, image->data, NULL));
  synthetic->close (source);
  return image;
}

/* Discs in rows, as dark as nuclei, with noise. */
static float *
new_input (int width, int height)
{
  float *input = g_new (float, VG_CONTOUR_NET_INPUTS *width *height);
  GRand *rand = g_rand_new_with_seed (5);

  for (int i = 0; i < VG_CONTOUR_NET_INPUTS * width * height; i++)
    {
      const int pixel = i / VG_CONTOUR_NET_INPUTS, x = pixel % width, y = pixel / width;
      const gboolean inside = hypot (x % 27 - 13.0, y % 24 - 12.0) < 8.0;

      input[i] = (float) ((inside ? 0.6 + 0.1 * (i % 3) : 0.15) + 0.1 * g_rand_double (rand));
    }
  g_rand_free (rand);
  return input;
}

static void
compare_maps (const VgContourNet *net, gpointer device, int width, int height)
{
  const gsize n = VG_CONTOUR_NET_OUTPUTS * (gsize) width * (gsize) height;
  g_autofree float *input = new_input (width, height), *cpu = g_new (float, n),
                   *gpu = g_new (float, n), *again = g_new (float, n);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgContourNetwork) network = vg_contour_network_new (net);
  const VgContext context = { 0 };
  float worst = 0.0f, most = 0.0f;

  g_assert_true (vg_contour_network_run (network, input, width, height,
                                         (VgContourWindow){ 0, 0, width, height }, &context, cpu));
  vg_contour_net_cuda.run (device, input, width, height, gpu, &error);
  g_assert_no_error (error);
  g_assert_true (vg_contour_net_cuda.run (device, input, width, height, again, NULL));
  for (gsize i = 0; i < n; i++)
    {
      g_assert_true (isfinite (gpu[i]));
      worst = MAX (worst, fabsf (gpu[i] - cpu[i]));
      most = MAX (most, cpu[i]);
    }
  g_test_message ("%d x %d: largest difference %.2g, largest value %.2g", width, height,
                  (double) worst, (double) most);
  g_assert_cmpfloat (worst, <, TOLERANCE);
  g_assert_cmpfloat (most, >, 0.5f); /* there are nuclei in it */
  g_assert_cmpmem (gpu, n * sizeof (float), again, n * sizeof (float));
}

static void
test_maps (void)
{
  static const int sizes[][2] = {
    { 16, 16 }, { 48, 64 }, { 64, 48 }, { 16, 320 }, { 528, 512 }, { 544, 544 }, { 1024, 32 },
  };
  const char *why = NULL;
  const VgContourNet *net = vg_contour_net_get (&why);
  g_autoptr (GError) error = NULL;

  if (net == NULL)
    g_error ("%s", why);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      /* one that is just large enough, and one that is larger than the picture */
      gpointer fits = vg_contour_net_cuda.open (net, 0, sizes[i][0], sizes[i][1], &error),
               large = vg_contour_net_cuda.open (net, 0, 1024, 544, &error);

      g_assert_no_error (error);
      g_assert_nonnull (fits);
      g_assert_nonnull (large);
      compare_maps (net, fits, sizes[i][0], sizes[i][1]);
      compare_maps (net, large, sizes[i][0], sizes[i][1]);
      vg_contour_net_cuda.close (fits);
      vg_contour_net_cuda.close (large);
    }
}

/* A network with large values keeps them within those of a 16-bit float. */
static void
test_large (void)
{
  const int side = 32;
  const VgContourNet *own = vg_contour_net_get (NULL);
  VgContourNet net = *own;
  g_autofree float *bias = g_new (float, net.layers[0].groups *VG_CONTOUR_LANES),
                   *input = new_input (side, side),
                   *maps = g_new (float, VG_CONTOUR_NET_OUTPUTS *side *side);
  gpointer device;

  for (int i = 0; i < net.layers[0].groups * VG_CONTOUR_LANES; i++)
    bias[i] = 1e9f;
  net.layers[0].bias = bias;
  device = vg_contour_net_cuda.open (&net, 0, side, side, NULL);
  g_assert_nonnull (device);
  g_assert_true (vg_contour_net_cuda.run (device, input, side, side, maps, NULL));
  for (int i = 0; i < VG_CONTOUR_NET_OUTPUTS * side * side; i++)
    g_assert_true (maps[i] >= 0.0f && maps[i] <= 1.0f);
  vg_contour_net_cuda.close (device);
}

static VgContourRun *
start (const VgContourParams *params, VgImage *image, const VgPart *part, gboolean gpu)
{
  VgContext context = { .params = params, .info = &image->info, .image = image, .part = part };
  g_autoptr (GError) error = NULL;
  VgContourRun *run = vg_contour_run_new_on (&context, gpu ? &vg_contour_net_cuda : NULL, &error);

  g_assert_no_error (error);
  return run;
}

/* The plane on which contours evolve, at any size, and of a part of a larger image. */
static void
test_images (void)
{
  static const struct
  {
    int width, height, x, y;
    float radius;
  } cases[] = {
    { 1, 1, 0, 0, 10 },       { 37, 53, 0, 0, 10 },  { 513, 511, 0, 0, 10 }, { 700, 611, 0, 0, 10 },
    { 400, 390, 77, 45, 10 }, { 190, 170, 0, 0, 5 }, { 301, 299, 0, 0, 40 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgContourParams *params = new_params ();
      g_autoptr (VgImage) image = picture (params, cases[i].width, cases[i].height, i + 1);
      const VgPart part = { cases[i].x, cases[i].y, NULL };
      const VgPart *at = part.x > 0 ? &part : NULL;
      VgContourRun *cpu, *gpu;
      int worst = 0;

      params->radius_px = cases[i].radius;
      cpu = start (params, image, at, FALSE);
      gpu = start (params, image, at, TRUE);
      for (int k = 0; k < cases[i].width * cases[i].height; k++)
        worst = MAX (worst, ABS ((int) cpu->grey[k] - (int) gpu->grey[k]));
      g_test_message ("%d x %d: largest difference %d of %d", cases[i].width, cases[i].height,
                      worst, VG_CONTOUR_UNIT);
      g_assert_cmpint (worst, <=, (int) (TOLERANCE * VG_CONTOUR_UNIT));
      vg_contour_run_free (cpu);
      vg_contour_run_free (gpu);
      vg_params_free (&vg_contour_operation.params, params);
    }
}

static gboolean
has_pixel (const VgContourObject *object, int x, int y)
{
  x -= object->tile.x;
  y -= object->tile.y;
  return x >= 0 && y >= 0 && x < object->tile.width && y < object->tile.height &&
         object->phi[y * object->tile.width + x] > 0.0f;
}

/* The mean distance of two contours, px: the area between them over the length of one. */
static double
distance_of (const VgContourObject *a, const VgContourObject *b)
{
  int area = 0, between = 0;

  for (int y = MIN (a->tile.y, b->tile.y);
       y < MAX (a->tile.y + a->tile.height, b->tile.y + b->tile.height); y++)
    for (int x = MIN (a->tile.x, b->tile.x);
         x < MAX (a->tile.x + a->tile.width, b->tile.x + b->tile.width); x++)
      {
        area += has_pixel (a, x, y);
        between += has_pixel (a, x, y) != has_pixel (b, x, y);
      }
  return between / (2.0 * sqrt (G_PI * MAX (area, 1)));
}

static void
finish (VgContourRun *run)
{
  while (!run->standing.finished)
    g_assert_true (vg_contour_run_advance (run, vg_contour_run_chunk (run, G_MAXINT), NULL));
}

/* Both networks with the same evolution: of 1000 nuclei, at most 5 differ by more than 0.1 px. */
static void
test_contours (void)
{
  VgContourParams *params = new_params ();
  g_autoptr (VgImage) image = picture (params, 600, 500, 3);
  VgContourRun *cpu = start (params, image, NULL, FALSE), *gpu = start (params, image, NULL, TRUE);
  guint far = 0;

  finish (cpu);
  finish (gpu);
  g_assert_cmpuint (cpu->scene->objects->len, >, 50);
  for (guint i = 0; i < cpu->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (cpu->scene, i);
      double least = INFINITY;

      for (guint k = 0; k < gpu->scene->objects->len; k++)
        {
          const VgContourObject *other = vg_contour_scene_object (gpu->scene, k);

          if (hypot (other->seed_x - object->seed_x, other->seed_y - object->seed_y) < 5.0)
            least = MIN (least, distance_of (object, other));
        }
      far += least > 0.1;
    }
  g_test_message ("%u of %u nuclei differ by more than 0.1 px", far, cpu->scene->objects->len);
  g_assert_cmpuint (1000 * far, <=, 5 * cpu->scene->objects->len);
  vg_contour_run_free (cpu);
  vg_contour_run_free (gpu);
  vg_params_free (&vg_contour_operation.params, params);
}

int
main (int argc, char **argv)
{
  int devices = 0;

  g_test_init (&argc, &argv, NULL);
  if (cudaGetDeviceCount (&devices) != cudaSuccess || devices == 0)
    {
      g_printerr ("no GPU\n");
      return 77;
    }
  g_test_add_func ("/gpu/network/maps", test_maps);
  g_test_add_func ("/gpu/network/large", test_large);
  g_test_add_func ("/gpu/network/images", test_images);
  g_test_add_func ("/gpu/network/contours", test_contours);
  return g_test_run ();
}
