/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/engine/perfusion-state.h"
#include <math.h>
/* A small series of known concentrations, its settings, and the study of both. */

extern const VgOperation vg_perfusion_operation;

enum { WIDTH = 7, HEIGHT = 5, FRAMES = 31, VOXELS = WIDTH * HEIGHT, RISE = 6, STEP = 2 };

typedef struct
{
  VgImage *image;
  VgPerfusionParams *params;
  VgInputFile file; /* image NULL: none */
} Fixture;

/* The concentration: blood in column 0, tissue elsewhere; 0 up to frame RISE. */
static inline double
concentration (int x, int frame)
{
  double t = STEP * MAX (frame - RISE, 0), slow = x == 0 ? 6 : 11;

  return (x == 0 ? 6 : 0.4 + 0.02 * x) * t / slow * exp (1 - t / slow);
}

/* Column 0 is the artery, which is not fitted. */
static inline VgPerfusionStatus
fixture_status (int voxel)
{
  return voxel % WIDTH == 0 ? VG_PERFUSION_OUTSIDE : VG_PERFUSION_FITTED;
}

static inline void
set (Fixture *f, const char *id, const char *value)
{
  g_assert_true (
      vg_param_parse (vg_params_find (&vg_perfusion_operation.params, id), f->params, value, NULL));
}

static inline Fixture
fixture_new (int kind)
{
  VgImageInfo info = { .type = VG_F32,
                       .width = WIDTH,
                       .height = HEIGHT,
                       .channels = 1,
                       .bins = 1,
                       .slices = 1,
                       .frames = FRAMES,
                       .frame_interval_s = STEP };
  Fixture f = { .image = vg_image_new (&info, "series", NULL),
                .params = vg_params_new (&vg_perfusion_operation.params) };

  f.params->signal = kind;
  f.params->t1_blood_ms = f.params->t1_ms;
  set (&f, "artery", "rect:0,0,1,5");
  for (int i = 0; i < FRAMES * VOXELS; i++)
    {
      double c = concentration (i % WIDTH, i / VOXELS);

      ((float *) f.image->data)[i] = (float) (kind == VG_PERFUSION_SIGNAL_CT
                                                  ? 40 + c / (1 / f.params->hu_per_mg_ml)
                                                  : 100 * (1 + c * f.params->relaxivity *
                                                                   f.params->t1_ms / 1000));
    }
  return f;
}

static inline void
fixture_clear (Fixture *f)
{
  vg_params_free (&vg_perfusion_operation.params, f->params);
  vg_image_unref (f->image);
  if (f->file.image != NULL)
    vg_image_unref ((VgImage *) f->file.image);
}

static inline VgPerfusionStudy *
study_of (const Fixture *f, GError **error)
{
  VgContext context = { .params = f->params,
                        .info = &f->image->info,
                        .image = f->image,
                        .files = &f->file,
                        .n_files = f->file.image != NULL };

  return vg_perfusion_study_new (&context, error);
}

/* Adds the file of parameter ID; F owns it. */
static inline void
give (Fixture *f, const char *id, VgImage *image)
{
  f->file = (VgInputFile){ id, image };
  set (f, id, "given");
}

/* One volume with VALUE in all voxels. */
static inline VgImage *
image_of (const Fixture *f, float value)
{
  VgImageInfo info = f->image->info;
  VgImage *image;

  info.frames = 1;
  image = vg_image_new (&info, "map.nii", NULL);
  for (int i = 0; i < VOXELS; i++)
    ((float *) image->data)[i] = value;
  return image;
}

/* The metric ID in the report of a run that fitted all voxels. */
static inline const VgMetric *
number_of (VgMetrics *metrics, VgPerfusionStudy *study, const char *id)
{
  gsize counts[VG_PERFUSION_N_STATUSES] = { 0 };

  counts[VG_PERFUSION_FITTED] = VOXELS;
  vg_perfusion_report (metrics, study, counts, 1);
  return vg_metrics_find (metrics, id);
}
