/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Round values for ticks and scale bars. */
G_BEGIN_DECLS

enum { VG_TICKS_MOST = 16 };

typedef struct
{
  double value;
  char label[24];
} VgTick;

/* The smallest of 1, 2, 5 and 10 times a power of ten that is not below ROUGH, which is positive.
 */
double vg_ticks_round_up (double rough);
/* The largest that is not above ROUGH. */
double vg_ticks_round_down (double rough);
/* "200 µm", in the unit of vg_length_tell.  Owned by the caller. */
char *vg_ticks_describe_length (double length, const char *unit);
/* About WANTED round values from LOW to HIGH in either order; on a log scale decades, if there are
 * two or more.  Returns their number; 0 if there is no range. */
guint vg_ticks_make (double low, double high, gboolean log_scale, guint wanted,
                     VgTick ticks[VG_TICKS_MOST]);

G_END_DECLS
