/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-display.h"
/* Automatic limits while a stream or a simulation runs, which would change with every pulse.  They
 * are held until those of every new map have been more than a fifth of the colour scale away for
 * two seconds, and then move in half a second to limits that contain these.  Main thread only. */
G_BEGIN_DECLS

/* Identifies the map that the limits belong to; another map gets new limits at once. */
typedef struct
{
  const VgOutput *output;
  VgCompare compare;
  guint64 serial;   /* of the parameters */
  guint generation; /* of the state that computed it */
} VgSteadyKey;

typedef struct
{
  gboolean held; /* what follows is in force */
  VgSteadyKey key;
  /* of the output: that of a comparison is always at the same place */
  const char *id;
  VgDisplay display; /* that they were taken with */
  double low, high;
  gint64 away_us;             /* since when the data ask for others; 0: they do not */
  double away_low, away_high; /* what all of them since then needed */
  gint64 glide_us;            /* since when they move from FROM to AWAY; 0: they are held */
  double from_low, from_high;
} VgSteadyLimits;

/* The one that a session's window shows; owned by the session. */
VgSteadyLimits *vg_steady_limits_of (VgSession *session);
/* The next map gets new limits. */
void vg_steady_limits_reset (VgSteadyLimits *self);
/* Adds a new map with STATISTICS at the monotonic time NOW_US.  Limits move only when maps are
 * added, so a replay with another clock gives the same.  LIVE: a stream or a simulation runs; else
 * the limits are not held. */
void vg_steady_limits_add (VgSteadyLimits *self, const VgSteadyKey *key, const VgDisplay *display,
                           const VgStatistics *statistics, gboolean live, gint64 now_us);
/* vg_display_get_coloring with the limits that are held, if they are of this output and these
 * settings. */
void vg_steady_limits_get_coloring (const VgSteadyLimits *self, const VgDisplay *display,
                                    const VgOutput *output, VgCompare compare,
                                    const VgStatistics *statistics, VgColoring *coloring);

/* Limits that the user sets, from LOW to HIGH, as a step that can be undone; the caller may end it
 * with vg_session_commit_waiting(). */
void vg_steady_limits_fix (VgSession *session, double low, double high);
/* They are automatic again, and those of the next map are taken at once. */
void vg_steady_limits_release (VgSession *session);

G_END_DECLS
