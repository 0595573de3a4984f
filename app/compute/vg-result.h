/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "kernels/base/vg-placement.h"
#include "app/session/vg-session.h"
#include "kernels/shared/vg-slide-tile.h"
#include "kernels/base/vg-statistics.h"
#include "kernels/shared/vg-underlay.h"
/* A result, which the compute thread publishes to the main thread: a copy of the shown plane, and
 * all that was derived from it.  It is immutable and reference counted; its buffers return to a
 * pool. */
G_BEGIN_DECLS

typedef struct
{
  VgRegionStatistics statistics; /* of the shown output; its quartiles may be 33 ms older */
  /* mean of the output with the role VG_ROLE_BASELINE, %; NaN: there is none */
  double of_baseline;
  double kept; /* mean of the kept map, if the shown map is its difference from it; else NaN */
  /* of all its voxels or rings, with or without a value; NaN: no volume, or not known */
  double volume_ml;
  double power_mw; /* in this volume, if the output is a power per volume; else NaN */
} VgRegionResult;

typedef struct _VgResult VgResult;
struct _VgResult
{
  const VgOperation *operation; /* of `output`; while another opens, still the one before */
  guint64 serial;               /* of the parameters it was computed with */
  guint generation;             /* of the engine state that computed it */
  int output;         /* the one requested, or the first computed one if that is not computed */
  VgCompare compare;  /* the comparison that `plane` shows */
  char *compare_note; /* why it shows no comparison although one is set; or NULL */
  /* in host memory, or in memory of the first GPU; data NULL: these settings give no map */
  VgPlane plane;
  /* the brightness output, of the same size and in the same memory; data NULL: none */
  VgPlane brightness;
  VgOutlines outlines; /* n 0: none; samples in host or device memory */
  /* outlines of another method or of a ground truth, or the present ones over those of the
   * reference result */
  VgOutlines second_outlines;
  double brightness_limits[2]; /* brightness that is shown black, and in full colour */
  gboolean volume;             /* the file format of the input can hold an orientation */
  VgOrientation orientation;   /* of a volume; may be unknown */
  VgResult *beside;            /* another map of the same moment, to show beside this; or NULL */
  VgUnderlay *underlay;        /* of the plane's size; NULL: off, or the input has another size */
  gboolean underlay_corrected; /* it shows the data corrected for motion */
  gint64 underlay_frames;      /* frames to choose from; 0: the input has another size */
  VgSlidePlace place;          /* of the plane on a slide; downsample 0: it is not of a slide */
  gint64 frame_index;
  guint64 frame_id;
  double time_s;
  gint64 arrived_us, finished_us; /* monotonic: of the frame; when ready */
  /* plane, plots and metrics are of an earlier result, before the first step */
  gboolean precomputed;
  double noise;            /* vg_display_get_noise of the plane; 0 where no error is known */
  gboolean input_only;     /* no valid settings yet: a plane of missing values over the input */
  gboolean final;          /* the work is complete */
  double progress;         /* 0..1, negative: not known */
  VgStatistics statistics; /* of all slices; at most 33 ms older than the plane */
  VgMetrics *metrics;
  VgOverlay *overlay;   /* NULL: none */
  VgRegionResult whole; /* of vg_pipeline_set_whole; without samples: not measured */
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
