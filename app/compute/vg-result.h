/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "kernels/base/vg-placement.h"
#include "app/session/vg-session.h"
#include "kernels/shared/vg-slide-tile.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/shared/vg-underlay.h"
/* What the compute thread hands to the main thread: the shown plane in a
 * buffer of its own, and all that was derived from it.  Immutable, reference
 * counted; the buffers go back to the pipeline's pool on the last unref. */
G_BEGIN_DECLS

typedef struct
{
  VgRegionStatistics statistics; /* of the shown output */
} VgRegionResult;

typedef struct _VgResult VgResult;
struct _VgResult
{
  /* that `output` belongs to: may be the one before while another opens */
  const VgOperation *operation;
  guint64 serial;   /* of the parameters it was computed with */
  guint generation; /* of the state that computed it: another one has started anew */
  /* the wanted one, or the first there is when these settings do not give it */
  int output;
  VgCompare compare;  /* what `plane` is of that output */
  char *compare_note; /* why it is not compared though that was wanted; NULL else */
  /* host memory, or device memory (cuda_plane); data NULL: these settings give no map, numbers,
   * plots and texts only */
  VgPlane plane;
  VgCudaPlane *cuda_plane;
  /* of the output that plays VG_ROLE_BRIGHTNESS, the same size and place; data NULL: none */
  VgPlane brightness;
  VgOutlines outlines; /* n 0: none; samples in host or device memory */
  /* over them, plain: of another method, or the present ones over those that were kept */
  VgOutlines second_outlines;
  double brightness_limits[2]; /* where it is black and where full */
  /* the plane is of a file that has a place for how it lies in the body: */
  gboolean volume;
  VgOrientation orientation; /* known there or not */
  /* the input, of the plane's size; NULL: not asked for, or not of that size */
  VgUnderlay *underlay;
  /* time points of it to choose from; 0: it is not of the plane's size */
  gint64 underlay_frames;
  VgSlidePlace place; /* of the plane on a slide; downsample 0: it is no part of one */
  gint64 frame_index;
  guint64 frame_id;
  double time_s;
  gint64 arrived_us, finished_us; /* monotonic: of the frame; when ready */
  /* what came with the settings, looked at before the first step; plots and numbers are of it too
   */
  gboolean precomputed;
  double noise; /* vg_display_get_noise of the plane; 0 where no error is known */
  /* no settings have fitted yet: a plane without values, with the input under it */
  gboolean input_only;
  gboolean final;  /* no further improvement to come */
  double progress; /* 0..1, negative: not known */
  /* of all slices of the plane (as are the brightness limits of theirs); of one at most 33 ms older
   * when results come faster */
  VgStatistics statistics;
  VgMetrics *metrics;
  VgOverlay *overlay; /* NULL: none */
  guint n_regions;
  const VgRegionResult *regions; /* in the session's order at `regions_serial` */
  guint64 regions_serial;
};

VgResult *vg_result_ref (VgResult *self);
void vg_result_unref (VgResult *self);
/* Blocks until the value has come from the device; FALSE outside. */
gboolean vg_result_probe (VgResult *self, int x, int y, int slice, float *value);
/* N values at x, y, slice triples, all of them inside. */
gboolean vg_result_probe_many (VgResult *self, const int *xyz, int n, float *values);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgResult, vg_result_unref)

G_END_DECLS
