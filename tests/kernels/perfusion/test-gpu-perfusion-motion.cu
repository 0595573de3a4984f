/* SPDX-License-Identifier: MIT */
/* The motion correction on the GPU against the CPU, with fresh random displacements, deformations
 * and noise. */
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/motion/perfusion-motion-cuda.cuh"
#include "tests/kernels/perfusion/support/perfusion-breathing.h"

static double shifts[64][16][3], bends[64][3];

/* The search chooses between displacements that fit nearly alike (prefer_still), where rounding may
 * decide.  Comparisons in which it did so for one group, with a difference of at most SMALL.  Below
 * ALIKE voxels, a tenth of the error that is allowed, two displacements count as the same. */
static int ties;
enum { MOST_TIES = 3 }; /* of all comparisons; two runs had two */
#define SMALL 0.3
#define ALIKE 0.05

static void
move (int frame, int slice, double *voxels)
{
  for (int a = 0; a < 3; a++)
    voxels[a] = shifts[frame][slice % 16][a];
}

/* A deformation with waves as long as the body. */
static void
bend (int frame, const double *place, double *voxels)
{
  for (int a = 0; a < 3; a++)
    voxels[a] = bends[frame][a] * sin (0.1 * place[0] + 0.13 * place[1] + 0.2 * place[2] + a);
}

/* A deformation, its maps, and the same bits in another run. */
static void
compare_deformation (const VgPerfusionMotionTask *task, const VgPerfusionMotion *cpu,
                     const VgPerfusionMotion *gpu)
{
  gsize size = (gsize) (cpu->n * vg_perfusion_control_points (&cpu->grid) * 3),
        voxels = vg_image_info_page_samples (&task->image->info) * (gsize) task->image->info.slices;
  double worst = 0, maps = 0;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgPerfusionMotion) again = perfusion_find_motion (task, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (gpu->deformation, size * sizeof (float), again->deformation,
                   size * sizeof (float));
  g_assert_cmpmem (gpu->after, voxels * sizeof (float), again->after, voxels * sizeof (float));
  for (int i = 0; i < cpu->n; i++)
    if ((cpu->deformed[i] > 0) != (gpu->deformed[i] > 0))
      {
        /* One corrects the frame and the other does not, so the samples cannot be compared. */
        g_test_message ("frame %d is at the limit of significance", i);
        g_assert_cmpint (++ties, <=, MOST_TIES);
        return;
      }
  for (gsize i = 0; i < size; i++)
    worst = MAX (worst, (double) fabsf (cpu->deformation[i] - gpu->deformation[i]));
  for (gsize v = 0; v < voxels; v++)
    {
      maps = MAX (maps, (double) fabsf (cpu->jacobian_low[v] - gpu->jacobian_low[v]));
      maps = MAX (maps, (double) fabsf (cpu->jacobian_high[v] - gpu->jacobian_high[v]));
      g_assert_cmpfloat (gpu->jacobian_low[v], >, 0);
    }
  g_test_message ("deformation: largest difference %.2g voxels, of the Jacobian %.2g", worst, maps);
  if (worst >= 1e-2)
    {
      g_assert_cmpfloat (worst, <=, SMALL);
      g_assert_cmpint (++ties, <=, MOST_TIES);
      return;
    }
  g_assert_cmpfloat (maps, <=, 1e-2);
}

static void
compare (const VgImage *image, VgPerfusionMotionKind kind, const guint8 *mask, const char *what)
{
  int n = (int) image->info.frames;
  g_autofree double *weights = g_new (double, n);
  gsize samples = vg_image_info_page_samples (&image->info) * (gsize) (image->info.slices * n),
        differ = 0;
  VgPerfusionMotionTask task = {};
  g_autoptr (GError) error = NULL;
  g_autofree double *worst_of = NULL;
  double worst = 0, step = 0;
  int differing = 0;

  for (int i = 0; i < n; i++)
    weights[i] = 1;
  task.image = image;
  task.kind = kind;
  task.mask = mask;
  task.weights = weights;
  task.spacing = 20;
  task.threads = (int) g_get_num_processors ();
  g_autoptr (VgPerfusionMotion) cpu = vg_perfusion_motion_find (&task, &error);
  g_assert_no_error (error);
  g_autoptr (VgPerfusionMotion) gpu = perfusion_find_motion (&task, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpint (cpu->groups, ==, gpu->groups);
  worst_of = g_new0 (double, cpu->groups);
  for (int i = 0; i < n * cpu->groups * 3; i++)
    {
      double *group = &worst_of[i / 3 % cpu->groups];

      *group = MAX (*group, (double) fabsf (cpu->found[i] - gpu->found[i]));
      /* A displacement at the limit of significance may be kept by one alone. */
      if ((cpu->shift[i] == 0) != (gpu->shift[i] == 0))
        step = MAX (step, (double) fabsf (cpu->found[i] - gpu->found[i]));
    }
  for (int g = 0; g < cpu->groups; g++)
    {
      worst = MAX (worst, worst_of[g]);
      differing += worst_of[g] >= ALIKE;
    }
  g_test_message ("%s: %d of %d frames moved, %d left out, largest difference %.2g voxels", what,
                  cpu->moved, n, cpu->n_left_out, worst);
  /* 1e-5 as a rule */
  if (differing > 0)
    {
      g_assert_cmpint (differing, ==, 1);
      /* No displacement fits a body that bends, so two that are far apart may fit alike. */
      if (kind != VG_PERFUSION_MOTION_DEFORMATION)
        g_assert_cmpfloat (worst, <=, SMALL);
      g_assert_cmpint (++ties, <=, MOST_TIES);
      return;
    }
  if (kind == VG_PERFUSION_MOTION_DEFORMATION && step == 0)
    {
      int before = ties;

      compare_deformation (&task, cpu, gpu);
      if (ties > before)
        return;
    }
  for (int i = 0; i < n; i++)
    g_assert_cmpint (cpu->left_out[i], ==, gpu->left_out[i]);
  if (step > 0 || cpu->corrected == NULL || gpu->corrected == NULL)
    {
      g_assert_true (step > 0 || (cpu->corrected == NULL) == (gpu->corrected == NULL));
      return;
    }
  for (gsize i = 0; i < samples; i++)
    {
      float a = ((const float *) cpu->corrected->data)[i],
            b = ((const float *) gpu->corrected->data)[i];

      differ += !((isnan (a) && isnan (b)) || a == b ||
                  fabsf (a - b) <= (1e-2f + (float) worst) * 350);
    }
  /* at the border of the image one may be outside and the other not */
  g_assert_cmpfloat ((double) differ, <=, 1e-3 * (double) samples);
}

static void
test_sizes (void)
{
  static const int sizes[][4] = {
    { 33, 65, 7, 19 }, { 1, 1, 1, 5 }, { 301, 37, 2, 24 }, { 40, 33, 12, 48 }, { 48, 40, 1, 9 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (int kind = VG_PERFUSION_MOTION_VOLUME; kind <= VG_PERFUSION_MOTION_DEFORMATION; kind++)
      {
        const int *n = sizes[k];
        gsize volume = (gsize) (n[0] * n[1] * n[2]);
        Body body = { { n[0], n[1], n[2] },
                      n[3],
                      0.03,
                      1,
                      (guint32) g_test_rand_int (),
                      move,
                      kind == VG_PERFUSION_MOTION_DEFORMATION ? bend : NULL };
        g_autofree char *what = g_strdup_printf ("%dx%dx%dx%d, %s", n[0], n[1], n[2], n[3],
                                                 kind == VG_PERFUSION_MOTION_VOLUME ? "volume"
                                                 : kind == VG_PERFUSION_MOTION_SLICES
                                                     ? "slices"
                                                     : "deformation");

        for (int i = 0; i < n[3]; i++)
          for (int z = 0; z < 16; z++)
            for (int a = 0; a < 3; a++)
              shifts[i][z][a] = kind != VG_PERFUSION_MOTION_SLICES && z > 0 ? shifts[i][0][a]
                                : kind == VG_PERFUSION_MOTION_SLICES && a == 2
                                    ? 0
                                    : g_test_rand_double_range (-1.5, 1.5);
        for (int i = 0; i < n[3]; i++)
          for (int a = 0; a < 3; a++)
            bends[i][a] = g_test_rand_double_range (-0.5, 0.5);
        g_autoptr (VgImage) image = body_image (&body);
        compare (image, (VgPerfusionMotionKind) kind, NULL, what);
        if (volume < 1000)
          continue;
        /* a mask, missing samples, an empty frame */
        g_autofree guint8 *mask = (guint8 *) g_malloc0 (volume);
        for (gsize v = 0; v < volume; v++)
          mask[v] = v % (gsize) n[0] > (gsize) n[0] / 8;
        for (int i = 0; i < 40; i++)
          ((float *) image->data)[(gsize) g_test_rand_int_range (0, (int) volume * n[3])] =
              i % 2 ? NAN : -INFINITY;
        for (gsize v = 0; v < volume; v++)
          ((float *) image->data)[3 * volume + v] = NAN;
        g_autofree char *masked = g_strconcat (what, ", masked", NULL);
        compare (image, (VgPerfusionMotionKind) kind, mask, masked);
      }
}

/* Integers. */
static void
test_types (void)
{
  static const VgType types[] = { VG_U8, VG_U16, VG_U32 };
  Body body = { { 35, 29, 3 }, 16, 0.02, 0.3, (guint32) g_test_rand_int (), move, NULL };

  for (int i = 0; i < body.frames; i++)
    for (int z = 0; z < 16; z++)
      for (int a = 0; a < 2; a++)
        shifts[i][z][a] = g_test_rand_double_range (-1, 1);
  g_autoptr (VgImage) image = body_image (&body);
  for (VgType type : types)
    {
      VgImageInfo info = image->info;

      info.type = type;
      g_autoptr (VgImage) whole = vg_image_new (&info, "whole", NULL);
      for (int i = 0; i < 35 * 29 * 3 * 16; i++)
        {
          float value = ((const float *) image->data)[i];

          if (type == VG_U8)
            ((guint8 *) whole->data)[i] = (guint8) CLAMP (value / 4, 0, 255);
          else if (type == VG_U16)
            ((guint16 *) whole->data)[i] = (guint16) CLAMP (value, 0, 65535);
          else
            ((guint32 *) whole->data)[i] = (guint32) MAX (value, 0);
        }
      compare (whole, VG_PERFUSION_MOTION_SLICES, NULL, "integers");
    }
}

int
main (int argc, char **argv)
{
  int devices = 0;

  g_test_init (&argc, &argv, NULL);
  if (cudaGetDeviceCount (&devices) != cudaSuccess || devices == 0)
    return 77;
  g_test_add_func ("/gpu-perfusion-motion/sizes", test_sizes);
  g_test_add_func ("/gpu-perfusion-motion/types", test_types);
  return g_test_run ();
}
