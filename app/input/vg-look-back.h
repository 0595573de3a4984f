/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/record/vg-recorder.h"
/* The last frames of a live source, so that the user can look back, and that a recording can begin
 * with them.  It holds references to frames
 * of the source's pool: as many as the time and the memory allow that it was made for, and fewer
 * while the computer is short of memory.  The owner's lock guards it. */
G_BEGIN_DECLS

typedef struct _VgLookBack VgLookBack;

/* For at most SECONDS of frames of FRAME_BYTES, and at most MOST_BYTES; the newest frame is always
 * there.  AVAILABLE gives the free memory. */
VgLookBack *vg_look_back_new (gsize frame_bytes, double seconds, gsize most_bytes,
                              gsize (*available) (void));
void vg_look_back_free (VgLookBack *self);
/* The most frames that it will hold, for the size of the pool. */
guint vg_look_back_get_most (const VgLookBack *self);

/* Takes a reference to FRAME, whose time is not before the last one's, and lets go of what is too
 * old or too much. */
void vg_look_back_add (VgLookBack *self, VgFrame *frame);
/* Lets go of the oldest frame that nobody else holds, so that its memory is free.  A frame that a
 * recording still has to write stays, because letting go of it would free nothing.  FALSE: others
 * hold all frames but the newest, which always stays. */
gboolean vg_look_back_free_oldest (VgLookBack *self);
guint vg_look_back_get_n (const VgLookBack *self);
/* Frame I, borrowed; 0 is the oldest. */
VgFrame *vg_look_back_get (const VgLookBack *self, guint i);
/* Gives RECORDER the N frames from frame FIRST on, as those from before the recording, and counts
 * those that never came between them. */
void vg_look_back_record (const VgLookBack *self, guint first, guint n, VgRecorder *recorder);
/* The frame that is nearest to TIME_S; there must be one. */
guint vg_look_back_find (const VgLookBack *self, double time_s);

G_END_DECLS
