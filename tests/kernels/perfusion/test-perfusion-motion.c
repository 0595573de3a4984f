/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-sort.h"
#include "tests/kernels/perfusion/support/perfusion-breathing.h"

static void
breathe (int frame, int slice, double *voxels)
{
  double phase = 2 * G_PI * frame * 2.5 / 4.3;

  (void) slice;
  voxels[1] = 2 * sin (phase);
  voxels[2] = 1.25 * sin (phase + 0.3);
}

static void
breathe_slices (int frame, int slice, double *voxels)
{
  double phase = 2 * G_PI * frame * 2.5 / 4.3 + 0.7 * slice;

  voxels[1] = 2 * sin (phase);
  voxels[0] = 0.6 * sin (phase + 1);
}

static void
show (const char *name, const Body *body, VgPerfusionMotionKind kind)
{
  if (g_getenv ("ONLY") && !strstr (name, g_getenv ("ONLY"))) return;
  g_autoptr (VgImage) image = body_image (body);
  g_autofree double *weights = g_new (double, body->frames), *sorted = g_new (double, body->frames);
  VgPerfusionMotionTask task = { .image = image, .kind = kind, .weights = weights, .threads = 2 };
  gint64 start = g_get_monotonic_time ();
  double worst[3] = { 0 }, sum[3] = { 0 };

  for (int i = 0; i < body->frames; i++)
    weights[i] = 1;
  g_autoptr (VgPerfusionMotion) motion = vg_perfusion_motion_find (&task, NULL);
  g_assert_nonnull (motion);
  for (int g = 0; g < motion->groups; g++)
    for (int a = 0; a < 3; a++)
      {
        double middle;
        for (int i = 0; i < body->frames; i++)
          {
            double m[3] = { 0 };
            if (body->motion) body->motion (i, g, m);
            sorted[i] = m[a] - motion->found[(i * motion->groups + g) * 3 + a];
          }
        g_autofree double *copy = g_memdup2 (sorted, sizeof (double) * body->frames);
        vg_sort_doubles (copy, body->frames);
        middle = copy[body->frames / 2];
        for (int i = 0; i < body->frames; i++)
          {
            worst[a] = MAX (worst[a], fabs (sorted[i] - middle));
            sum[a] += (sorted[i] - middle) * (sorted[i] - middle);
          }
      }
  double big = 0;
  for (int i = 0; i < body->frames; i++) big = MAX (big, motion->misfit[i]);
  g_print ("%-28s worst %.3f %.3f %.3f rms %.3f %.3f %.3f moved %d out %d maxmisfit %.2f  %.2f s\n", name, worst[0], worst[1], worst[2],
           sqrt (sum[0] / body->frames / motion->groups), sqrt (sum[1] / body->frames/ motion->groups), sqrt (sum[2] / body->frames/ motion->groups), motion->moved, motion->n_left_out, big,
           1e-6 * (g_get_monotonic_time () - start));
  if (g_getenv ("FRAMES"))
    for (int i = 0; i < body->frames; i++)
      {
        double m[3] = { 0 };
        if (body->motion) body->motion (i, 0, m);
        g_print ("%d: %.3f %.3f %.3f true %.3f %.3f %.3f err %.3f %.3f %.3f misfit %.2f\n", i, motion->found[i * motion->groups * 3], motion->found[i * motion->groups*3 + 1],
                 motion->found[i * motion->groups*3 + 2], m[0], m[1], m[2], motion->error[i * motion->groups*3], motion->error[i *motion->groups* 3 + 1], motion->error[i * motion->groups*3 + 2], motion->misfit[i]);
      }
}

int
main (int argc, char **argv)
{
  Body still = { { 64, 52, 12 }, 48, 0.03, 1, 5, NULL }, moved = still, slices = still, plain = still, strong = still, clean=still;
  moved.motion = breathe;
  slices.motion = breathe_slices;
  plain.n[2] = 1;
  plain.motion = breathe_slices;
  strong.contrast = 3;
  clean.noise = 0.0005;
  show ("still volume", &still, VG_PERFUSION_MOTION_VOLUME);
  show ("still slices", &still, VG_PERFUSION_MOTION_SLICES);
  show ("still volume strong", &strong, VG_PERFUSION_MOTION_VOLUME);
  show ("still volume clean", &clean, VG_PERFUSION_MOTION_VOLUME);
  show ("still slices clean", &clean, VG_PERFUSION_MOTION_SLICES);
  show ("breathing volume", &moved, VG_PERFUSION_MOTION_VOLUME);
  show ("breathing slices", &slices, VG_PERFUSION_MOTION_SLICES);
  show ("one slice", &plain, VG_PERFUSION_MOTION_SLICES);
  return 0;
}
