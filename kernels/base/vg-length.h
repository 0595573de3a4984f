/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Lengths in the unit that people choose; what is stored and computed keeps
 * its own. */
G_BEGIN_DECLS

typedef enum {
  VG_LENGTH_OWN, /* as it is given */
  VG_LENGTH_UM,
  VG_LENGTH_MM,
  VG_LENGTH_CM,
} VgLength;

extern const char *const vg_length_ids[]; /* "own", "um", "mm", "cm", NULL */

/* The unit in which a value with UNIT is shown when lengths are in LENGTH,
 * and what it is then multiplied with.  UNIT is a length or 1 over a length
 * ("cm", "1/mm"); anything else, also NULL, stays as it is with factor 1. */
const char *vg_length_convert (const char *unit, VgLength length, double *factor);
/* In what lengths with UNIT that reach up to REACH are shown when nobody has chosen: as they are
 * given below 1000, else in the smallest unit whose numbers stay below that, or in the largest.
 * VG_LENGTH_OWN for all that is no length. */
VgLength vg_length_choose (const char *unit, double reach);
/* UNIT is a length or 1 over one. */
gboolean vg_length_is_unit (const char *unit);

G_END_DECLS
