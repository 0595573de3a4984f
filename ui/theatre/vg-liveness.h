/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Whether the map on the screen is of the present, in words. */
G_BEGIN_DECLS

typedef enum {
  VG_LIVENESS_NONE,   /* neither a stream nor a kept result */
  VG_LIVENESS_LIVE,   /* the newest frame of a live source */
  VG_LIVENESS_PLAYED, /* a file, frame by frame */
  VG_LIVENESS_OLD,    /* kept, paused, looked back, ended, or no frame or map for a while */
  VG_LIVENESS_LOST    /* the source is gone, and the program waits for it */
} VgLivenessKind;

typedef struct
{
  gboolean stream, live, running, ended;
  gboolean sample;   /* live frames are sample data, which no camera sends */
  gboolean kept;     /* the map is the kept result */
  gboolean waiting;  /* the source does not deliver */
  double ago_s;      /* how far the map was looked back to; NaN: it was not */
  double silent_s;   /* since the newest frame arrived; NaN: none has */
  double late_s;     /* since the frame of the map arrived; NaN: there is no map */
  double interval_s; /* between frames; 0: not known */
} VgLiveness;

VgLivenessKind vg_liveness_get_kind (const VgLiveness *self);
/* "Live", "Paused", "Kept result", "28 s ago", "No signal, 3 s"; owned.  NULL: VG_LIVENESS_NONE. */
char *vg_liveness_describe (const VgLiveness *self);

G_END_DECLS
