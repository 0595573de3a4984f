/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/perfusion/vessels/perfusion-find.h"
#include "kernels/perfusion/vessels/perfusion-vessels.h"
#include "kernels/core/vg-operation.h"
/* A time series, its settings, and the enhancement of its voxels. */

extern const VgOperation vg_perfusion_operation;

typedef struct
{
  VgImage *image;
  VgPerfusionParams *params;
  VgContext context; /* set by series_look */
  VgPerfusionStudy *study;
  VgPerfusionVoxels *voxels;
} Series;

static inline VgContext
series_context (const Series *self)
{
  return (VgContext){ .params = self->params, .info = &self->image->info, .image = self->image };
}

static inline void
series_look (Series *self)
{
  g_autoptr (GError) error = NULL;

  self->context = series_context (self);
  self->study = vg_perfusion_study_new_frames (&self->context, &error);
  g_assert_no_error (error);
  self->voxels = vg_perfusion_voxels_new (self->study, &self->context, &error);
  g_assert_no_error (error);
}

static inline void
series_clear (Series *self)
{
  vg_perfusion_voxels_free (self->voxels);
  vg_perfusion_study_free (self->study);
  vg_params_free (&vg_perfusion_operation.params, self->params);
  vg_image_unref (self->image);
}

/* The overlap of two masks: 1 inside. */
static inline double
series_dice (const guint8 *a, const guint8 *b, gsize n)
{
  gsize both = 0, sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      both += a[i] == 1 && b[i] == 1;
      sum += (gsize) (a[i] == 1) + (gsize) (b[i] == 1);
    }
  return 2 * (double) both / (double) sum;
}

/* The highest mean enhancement of the voxels in MASK; *BASE: the mean of their baselines. */
static inline double
series_peak (const Series *self, const guint8 *mask, double *base)
{
  g_autofree double *sum = g_new0 (double, self->voxels->n), *own = g_new (double, self->voxels->n);
  double half_s;
  gsize n = 0;

  *base = 0;
  for (gsize i = 0; i < self->study->voxels; i++)
    if (mask[i] == 1 && vg_perfusion_voxels_read (self->voxels, i, own))
      {
        for (int k = 0; k < self->voxels->n; k++)
          sum[k] += own[k];
        *base += (double) self->voxels->base[i];
        n++;
      }
  *base /= (double) n;
  return vg_perfusion_curve_peak (self->voxels, sum, &half_s) / (double) n;
}
