/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-followed-regions.h"
#include "app/pipeline/vg-time-course.h"
#include "app/compute/vg-reference.h"
#include "app/compute/vg-result-pool.h"
#include "app/compute/vg-work.h"
/* Makes results from the outputs of a work: the map or its comparison with a reference result, its
 * underlay, outlines, brightness and statistics.  One thread uses it; it knows no pipeline. */
G_BEGIN_DECLS

/* Statistics, which nobody waits for, are computed at most this often. */
enum { VG_STATISTICS_US = 1000000 / 30 };

typedef struct
{
  VgWork *work; /* borrowed */
  const VgOperation *operation;
  const VgFrame *frame; /* the newest frame of a stream, borrowed; or NULL */
  VgTimeCourse *course; /* to which the regions' means are added, borrowed */
  VgResultPool *pool;
  VgFollowedRegions *followed; /* or NULL */

  /* what results show */
  int output;
  VgReference *reference; /* or NULL */
  VgCompare compare;
  gint64 underlay_frame; /* VG_UNDERLAY_OFF, 0: the mean over time, or a frame from 1 */
  gboolean other_outlines;
  int beside;             /* the output that results have beside theirs; -1: none */
  int whole;              /* the slice that is measured as a whole; -1: none */
  VgFollowedRegions *all; /* a region that is all of that slice; or NULL */

  VgUnderlay *underlay; /* of underlay_made of underlay_data, frame underlay_id; or NULL */
  const void *underlay_data;
  /* of the state that corrected these data, which others may follow at the same address; 0: the
   * input's */
  guint underlay_generation;
  guint64 underlay_id;
  gint64 underlay_made;
  gboolean has_underlay_limits; /* of a data set */
  double underlay_limits[2];
  double underlay_window[2]; /* black and white level that are wanted; equal: automatic */
  char *notice;              /* why there is no underlay, until the owner takes it */

  float *compared; /* samples of a comparison */
  gsize compared_capacity;

  gboolean statistics_stale; /* of the last result */
  gint64 statistics_us;
  VgStatistics statistics;
  double brightness_limits[2];

  int beside_measured; /* the output of those below, which were computed at beside_us */
  gint64 beside_us;
  VgStatistics beside_statistics;
  double beside_limits[2];

  double noise; /* of output noise_output at noise_us */
  int noise_output;
  guint noise_generation;
  gint64 noise_us;
} VgPublisher;

void vg_publisher_init (VgPublisher *self);
void vg_publisher_clear (VgPublisher *self);
/* Work of other data follows, with its own underlay and statistics. */
void vg_publisher_set_work (VgPublisher *self, VgWork *work);
void vg_publisher_forget_underlay (VgPublisher *self);
/* Adds the regions' means of every time_course output at the frame to the time course. */
gboolean vg_publisher_add_to_course (VgPublisher *self, GError **error);
/* NULL without an error: nothing is computed.  MAY_BE_STALE: more results come at once, so
 * statistics are computed at most every VG_STATISTICS_US. */
VgResult *vg_publisher_make (VgPublisher *self, gboolean may_be_stale, GError **error);
/* The same through host memory, without decoration, after the GPU has failed beside the engine. */
VgResult *vg_publisher_make_on_host (VgPublisher *self, GError **error);
/* A plane of the input's size without values, of OUTPUT, to show the input before the first map. */
VgResult *vg_publisher_make_input (VgPublisher *self, int output, GError **error);

/* --- the parts of a result --- */

/* PLANE becomes the comparison that is set, and *MODE says so.  A map that does not fit stays as it
 * is, with a NOTE; FALSE: an error. */
gboolean vg_publisher_compare (VgPublisher *self, int output, VgPlane *plane, VgCompare *mode,
                               char **note, GError **error);
/* Noise of an output whose error is in %, else 0; computed at most every VG_STATISTICS_US. */
gboolean vg_publisher_find_noise (VgPublisher *self, int output, const VgPlane *plane,
                                  double *noise, GError **error);
gboolean vg_publisher_add_statistics (VgPublisher *self, VgResult *result, gboolean may_be_stale,
                                      GError **error);
/* The same for a map beside another, without regions. */
gboolean vg_publisher_add_beside_statistics (VgPublisher *self, VgResult *beside,
                                             gboolean may_be_stale, GError **error);
void vg_publisher_add_underlay (VgPublisher *self, VgResult *result);

G_END_DECLS
