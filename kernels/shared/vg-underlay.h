/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-plane.h"
/* The input as a picture that lies under a map: a photograph in its colours,
 * a grey image between limits of its own.  Immutable, reference counted. */
G_BEGIN_DECLS

typedef struct
{
  int width, height, slices;
  guint8 *rgba; /* slices * height * width * 4, opaque */
  gatomicrefcount ref_count;
} VgUnderlay;

/* Whether a map's pixels are those of data of INFO. */
gboolean vg_underlay_fits (const VgImageInfo *info, const VgPlane *plane);
/* What is black and what white: all that whole numbers in colour can say; of
 * grey ones, and of floats, the 1st and the 99.5th percentile of N_FRAMES
 * frames at DATA (of a million samples spread over them). */
void vg_underlay_limits (const VgImageInfo *info, const void *data, gint64 n_frames,
                         double limits[2]);
/* The mean of N_FRAMES frames at DATA, and of their bins; a sample that is
 * not finite counts as black.  VG_OPERATION_ERROR_MEMORY. */
VgUnderlay *vg_underlay_new (const VgImageInfo *info, const void *data, gint64 n_frames,
                             const double limits[2], GError **error);
VgUnderlay *vg_underlay_ref (VgUnderlay *self);
void vg_underlay_unref (VgUnderlay *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgUnderlay, vg_underlay_unref)

/* Lays N coloured pixels of VALUES over as many of an underlay: OPACITY of
 * them is seen, nothing where there is no value, nor with SKIP_ZERO where it
 * is 0.  picture.frag has the same formula. */
void vg_underlay_mix (guint8 *rgba, const float *values, const guint8 *under, gsize n,
                      double opacity, gboolean skip_zero);

G_END_DECLS
