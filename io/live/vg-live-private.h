/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/live/vg-live.h"
#include "io/source/vg-source-private.h"
/* What the drivers of live sources share: waiting that can be cancelled, status and counts, the
 * numbers and times of frames. */
G_BEGIN_DECLS

typedef struct
{
  VgSource parent;
  int cancel_fd; /* readable from the moment the source is cancelled */
  GMutex lock;
  /* guarded by `lock` */
  VgLiveStatus status;
  GQueue wanted;        /* of char *: settings that are still to be set */
  VgFeatures *features; /* as they were read last; or NULL */

  /* of the thread that reads */
  gboolean has_id, has_number, has_time;
  gboolean is_lost;    /* the connection, since the last frame */
  guint64 last_number; /* that the device gave, or would have given */
  guint64 behind;      /* how far the number is behind it with which the device began to count */
  guint64 seen;        /* bit k: the number K before the last one has come */
  guint late;          /* frames that were late in a row */
  guint64 last_id;     /* that was delivered */
  gint64 last_device_ns, last_arrival_us;
  double last_time_s;
} VgLive;

extern const VgLiveDriver vg_shm_driver, vg_watch_driver, vg_simulated_driver, vg_igtl_driver,
    vg_igtl_listen_driver;

/* The file that the address names, which is still being written. */
VgSource *vg_growing_source_open (const VgLiveRequest *request, GError **error);

/* As vg_source_new, of a source whose class has vg_live_cancel and vg_live_get_status, and whose
 * `clear` calls vg_live_clear. */
VgLive *vg_live_new (gsize size, const VgSourceClass *class, const char *name, const char *format,
                     GError **error);
void vg_live_clear (VgLive *self);
void vg_live_cancel (VgSource *source);
void vg_live_get_status (VgSource *source, VgLiveStatus *status);

/* For a class with features. */
VgFeatures *vg_live_get_features (VgSource *source);
void vg_live_set_feature (VgSource *source, const char *setting);
/* The next setting to set, owned; NULL: there is none. */
char *vg_live_take_setting (VgLive *self);
/* FEATURES, which are complete and are taken, are those of the source from now on. */
void vg_live_report_features (VgLive *self, VgFeatures *features);
/* Waits until FD (-1: none) can be read, at most TIMEOUT_US.  FALSE: the source is cancelled. */
gboolean vg_live_wait (VgLive *self, int fd, gint64 timeout_us);
/* Sets the state and its sentence; does nothing if both are the same as before. */
void vg_live_report (VgLive *self, VgLiveState state, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Counts a lost connection, once until it delivers frames again. */
void vg_live_count_interruption (VgLive *self);
/* The device delivers frames again, or always did.  Sets CONNECTED if the source waited. */
void vg_live_report_connected (VgLive *self);
/* The number of a damaged frame that does not tell its own. */
#define VG_LIVE_NO_NUMBER G_MAXUINT64
/* Counts a frame that the device numbered NUMBER, with at least SKIPPED lost before it; returns the
 * id under which it is delivered.  Numbers that go back or leap far, as after a restart of the
 * device, count as the next.  What the device sent before the first frame is not lost, unless it
 * comes later. */
guint64 vg_live_count (VgLive *self, guint64 number, guint64 skipped, gboolean bad);
/* TRUE: later frames have overtaken the frame that the device numbered NUMBER.  It is counted as
 * lost, once, and is not delivered, because frames are in the order of their numbers.  FALSE after
 * many in a row: the device counts anew. */
gboolean vg_live_is_late (VgLive *self, guint64 number);
/* The frame time in seconds since the first frame, by the device's clock where it has one
 * (DEVICE_NS not 0), else by the arrival.  It never goes back: if the clock jumps, the time
 * between arrivals is used. */
double vg_live_time (VgLive *self, gint64 device_ns);
/* FALSE and VG_IO_ERROR_STREAM: INFO is not the size and type with which SELF was opened. */
gboolean vg_live_check_same (const VgLive *self, const VgImageInfo *info, GError **error);

G_END_DECLS
