/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-plane.h"
/* The underlay: an input image under a map, in its own colours or grey between its own limits.
 * Immutable, reference counted. */
G_BEGIN_DECLS

typedef struct
{
  int width, height, slices;
  guint8 *rgba;        /* slices * height * width * 4, opaque */
  const float *grey;   /* the means in the order of the input; NULL: it is in colour */
  GBytes *means;       /* that own them; underlays with other limits share them */
  double limits[2];    /* black and white level of `rgba` */
  double automatic[2]; /* those of vg_underlay_new */
  gboolean ct;         /* the means are CT numbers */
  gatomicrefcount ref_count;
} VgUnderlay;

/* TRUE if the pixels of PLANE are those of data with INFO. */
gboolean vg_underlay_fits (const VgImageInfo *info, const VgPlane *plane);
/* Black and white level of the underlay: the range of the type for integers in colour, else the 1st
 * and 99.5th percentile of N_FRAMES frames at DATA (a million samples of them). */
void vg_underlay_limits (const VgImageInfo *info, const void *data, gint64 n_frames,
                         double limits[2]);
/* The mean of N_FRAMES frames at DATA and of their bins; samples that are not finite are black.
 * NULL with VG_OPERATION_ERROR_MEMORY. */
VgUnderlay *vg_underlay_new (const VgImageInfo *info, const void *data, gint64 n_frames,
                             const double limits[2], GError **error);
/* SELF with other limits, from the same means; SELF itself, with a reference, if it is in colour.
 * NULL with VG_OPERATION_ERROR_MEMORY. */
VgUnderlay *vg_underlay_new_window (VgUnderlay *self, const double limits[2], GError **error);
/* N means to opaque grey between LIMITS. */
void vg_underlay_apply_window (const double limits[2], const float *means, gsize n, guint8 *rgba);
VgUnderlay *vg_underlay_ref (VgUnderlay *self);
void vg_underlay_unref (VgUnderlay *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgUnderlay, vg_underlay_unref)

/* Blends N coloured pixels of VALUES over UNDER with OPACITY.  Missing values are transparent, and
 * with SKIP_ZERO zeros as well.  picture.frag has the same formula. */
void vg_underlay_mix (guint8 *rgba, const float *values, const guint8 *under, gsize n,
                      double opacity, gboolean skip_zero);

G_END_DECLS
