/* SPDX-License-Identifier: MIT */
/* T1 and B1 maps and the conversion of MRI signal on the GPU, compared with the CPU. */
#include "kernels/core/vg-cuda.h"
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include "tests/support/gpu-begin.h"
#include <string.h>

static const VgCuda *cuda;
static const double angles_deg[] = { 2, 6, 12, 18 };

static double
echo_signal (double flip_rad, double rate)
{
  double e = exp (-0.005 * rate);

  return sin (flip_rad) * (1 - e) / (1 - e * cos (flip_rad));
}

static float *
run_map (const VgEngine *engine, const VgContext *context, guint output)
{
  g_autoptr (GError) error = NULL;
  gpointer state = engine->prepare (context, &error);
  float *values = g_new (float, VOXELS);
  VgPlane plane;

  g_assert_no_error (error);
  while (engine->step (state, 0.05, &error) == VG_STEP_MORE)
    ;
  g_assert_no_error (error);
  g_assert_true (engine->output (state, output, &plane, &error));
  if (plane.place == VG_DEVICE)
    g_assert_true (cuda->download (&plane, values, &error));
  else
    memcpy (values, plane.data, sizeof (float) * VOXELS);
  engine->free (state);
  return values;
}

/* Both engines convert with the same T1 and flip angle in each voxel. */
static void
test_conversion (gconstpointer data)
{
  gboolean saturation = g_str_equal (data, "saturation");
  static const guint outputs[] = { VG_PERFUSION_OUTPUT_T1,      VG_PERFUSION_OUTPUT_T1_ERROR,
                                   VG_PERFUSION_OUTPUT_PEAK,    VG_PERFUSION_OUTPUT_INITIAL_AREA,
                                   VG_PERFUSION_OUTPUT_STATUS,  VG_PERFUSION_OUTPUT_KA,
                                   VG_PERFUSION_OUTPUT_RESIDUAL };
  Fixture f = fixture_new (saturation ? VG_PERFUSION_SIGNAL_SATURATION
                                      : VG_PERFUSION_SIGNAL_GRADIENT_ECHO);
  VgImageInfo info = f.image->info;
  VgImage *map = image_of (&f, 1), *series;
  int first[] = { 0 };

  info.frames = 4;
  series = vg_image_new (&info, "t1.nii", NULL);
  series->flips_deg = g_memdup2 (angles_deg, sizeof angles_deg);
  set (&f, "repetition_ms", "5");
  set (&f, "flip_deg", "20");
  set (&f, "t1_series", "given");
  set (&f, "b1_file", "given");
  set (&f, "b1_unit", "fraction");
  for (int v = 0; v < VOXELS; v++)
    {
      double b1 = 0.8 + 0.05 * (v % WIDTH), t1_s = 0.6 + 0.04 * (v / WIDTH);

      ((float *) map->data)[v] = v == 11 ? NAN : (float) b1;
      for (int k = 0; k < 4; k++)
        ((float *) series->data)[k * VOXELS + v] =
            (float) (900 * echo_signal (b1 * angles_deg[k] * G_PI / 180, 1 / t1_s));
      for (int i = 0; i < FRAMES; i++)
        {
          double rate = 1 / t1_s + 4.5 * concentration (v % WIDTH, i);

          ((float *) f.image->data)[i * VOXELS + v] =
              (float) (saturation ? 300 * (1 - exp (-0.1 * rate))
                                  : 900 * echo_signal (b1 * G_PI / 9, rate));
        }
    }
  {
    VgInputFile files[] = { { "t1_series", series }, { "b1_file", map } };
    VgContext context = { .params = f.params,
                          .info = &f.image->info,
                          .image = f.image,
                          .files = files,
                          .n_files = 2,
                          .devices = first,
                          .n_devices = 1 };

    for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
      {
        g_autofree float *a = run_map (vg_perfusion_operation.cpu, &context, outputs[i]),
                         *b = run_map (vg_cuda_engine (&vg_perfusion_operation), &context,
                                       outputs[i]);
        double part = outputs[i] == VG_PERFUSION_OUTPUT_KA ||
                              outputs[i] == VG_PERFUSION_OUTPUT_RESIDUAL
                          ? 0.02
                          : 1e-4;

        for (int v = 0; v < VOXELS; v++)
          if (!(isnan (a[v]) && isnan (b[v])) &&
              !(fabsf (a[v] - b[v]) <= part * fabsf (a[v]) + 1e-4))
            g_error ("%s of voxel %d: %g on the CPU, %g on the GPU",
                     vg_perfusion_operation.outputs[outputs[i]].id, v, a[v], b[v]);
      }
  }
  vg_image_unref (series);
  vg_image_unref (map);
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL || vg_cuda_engine (&vg_perfusion_operation) == NULL)
    return GPU_SKIPPED;
  g_test_add_data_func ("/gpu-perfusion-relaxation/gradient-echo", "gradient_echo",
                        test_conversion);
  g_test_add_data_func ("/gpu-perfusion-relaxation/saturation", "saturation", test_conversion);
  return g_test_run ();
}
