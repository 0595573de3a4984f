/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-frame.h"
/* The last frames of a live source, so that the user can look back.  It holds references to frames
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
/* Lets go of the oldest frame, unless it is the only one; FALSE: it is. */
gboolean vg_look_back_drop_oldest (VgLookBack *self);
guint vg_look_back_get_n (const VgLookBack *self);
/* Frame I, borrowed; 0 is the oldest. */
VgFrame *vg_look_back_get (const VgLookBack *self, guint i);
/* The frame that is nearest to TIME_S; there must be one. */
guint vg_look_back_find (const VgLookBack *self, double time_s);

G_END_DECLS
