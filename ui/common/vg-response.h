/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* How long a moved slider takes to show: from the change to the end of the
 * paint that drew the first picture computed with it.  Changes that arrive
 * before that picture are part of the same wait, which counts from the first. */
G_BEGIN_DECLS

enum { VG_RESPONSES = 64 };

typedef struct
{
  guint64 serial; /* of the parameters waited for; 0: nothing is */
  gint64 changed_us;
  gboolean taken;             /* the picture has come and waits to be painted */
  guint painted;              /* frames since the change */
  guint n;                    /* waits ended so far */
  double ms[VG_RESPONSES];    /* the last of them, in a ring */
  guint frames[VG_RESPONSES]; /* which frame after the change had the picture: 1 is the next */
} VgResponse;

void vg_response_changed (VgResponse *self, guint64 serial, gint64 now_us);
void vg_response_taken (VgResponse *self, guint64 serial);
void vg_response_painted (VgResponse *self, gint64 now_us);
/* No picture will come of the change: it was refused or cancelled. */
void vg_response_dropped (VgResponse *self);
/* A picture is waited for, not longer than 100 ms yet: the rest may be drawn after it. */
gboolean vg_response_is_due (const VgResponse *self, gint64 now_us);
/* Median and longest of the last waits in ms, and how many of them ended later than with the next
 * frame; FALSE when there was none. */
gboolean vg_response_get (const VgResponse *self, double *median_ms, double *longest_ms,
                          guint *late);

G_END_DECLS
