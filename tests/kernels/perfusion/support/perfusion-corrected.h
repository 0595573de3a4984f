/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-sort.h"
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "tests/kernels/perfusion/support/perfusion-breathing.h"
/* The motion correction of a body on the CPU, and the total inflow with it. */

extern const VgOperation vg_perfusion_operation;

/* 10 mm from front to back in voxels of 2.5 mm, and 10 mm along the body in slices of 4 mm. */
static inline void
breathe (int frame, int slice, double *voxels)
{
  double phase = 2 * G_PI * frame * 2.5 / 4.3;

  (void) slice;
  voxels[1] = 2 * sin (phase);
  voxels[2] = 1.25 * sin (phase + 0.3);
}

static inline VgPerfusionMotion *
body_motion (VgImage *image, VgPerfusionMotionKind kind, const guint8 *mask)
{
  gsize n = (gsize) image->info.frames;
  g_autofree double *weights = g_new (double, n);
  VgPerfusionMotionTask task = {
    .image = image, .kind = kind, .mask = mask, .weights = weights, .spacing = 20, .threads = 2
  };
  g_autoptr (GError) error = NULL;
  VgPerfusionMotion *motion;

  for (gsize i = 0; i < n; i++)
    weights[i] = 1;
  motion = vg_perfusion_motion_find (&task, &error);
  g_assert_no_error (error);
  return motion;
}

/* The median error of total inflow in the liver, relative to the true one, with the motion
 * correction KIND. */
static inline double
body_inflow_error (const Body *self, VgPerfusionMotionKind kind)
{
  g_autoptr (VgImage) image = body_image (self);
  const int *n = self->n;
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 2 };
  g_autofree double *errors = g_new (double, (gsize) (n[0] * n[1] * n[2]));
  g_autoptr (GError) error = NULL;
  gpointer state;
  VgPlane plane;
  gsize used = 0;

  params->motion = (int) kind;
  params->artery = body_region (self, BODY_ARTERY);
  params->portal = body_region (self, BODY_PORTAL);
  params->t1_ms = 700;
  params->t1_blood_ms = 1500;
  state = vg_perfusion_cpu_engine.prepare (&context, &error);
  g_assert_no_error (error);
  while (vg_perfusion_cpu_engine.step (state, 10, NULL) == VG_STEP_MORE)
    ;
  g_assert_true (
      vg_perfusion_cpu_engine.output (state, VG_PERFUSION_OUTPUT_TOTAL_INFLOW, &plane, NULL));
  for (int i = 0; i < n[0] * n[1] * n[2]; i++)
    {
      double place[3] = { i % n[0], i / n[0] % n[1], i / n[0] / n[1] }, share[BODY_TISSUES],
             texture;

      body_shares (self, place, share, &texture);
      /* Slices at the ends are outside the image in some frames. */
      if (share[BODY_LIVER] > 0.95 && place[2] >= 2 && place[2] < n[2] - 2)
        errors[used++] = isnan (plane.data[i])
                             ? HUGE_VAL
                             : fabs ((double) plane.data[i] /
                                         (body_rates[BODY_LIVER][0] + body_rates[BODY_LIVER][1]) -
                                     1);
    }
  g_assert_cmpint (used, >, 1000);
  vg_sort_doubles (errors, used);
  vg_perfusion_cpu_engine.free (state);
  vg_params_free (&vg_perfusion_operation.params, params);
  return errors[used / 2];
}
