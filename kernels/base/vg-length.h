/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Conversion of lengths to the unit that the user chose for display; stored values keep theirs. */
G_BEGIN_DECLS

typedef enum {
  VG_LENGTH_OWN, /* the unit of the data */
  VG_LENGTH_UM,
  VG_LENGTH_MM,
  VG_LENGTH_CM,
} VgLength;

extern const char *const vg_length_ids[]; /* "own", "um", "mm", "cm", NULL */

/* Returns the unit in which a value with UNIT is displayed if lengths are displayed in LENGTH, and
 * sets *FACTOR by which to multiply it.  UNIT is a length or its inverse ("cm", "1/mm"); any other
 * unit, or NULL, is returned with factor 1. */
const char *vg_length_convert (const char *unit, VgLength length, double *factor);
/* The unit in which lengths up to REACH (in UNIT) are displayed by default: UNIT itself below 1000,
 * else the smallest unit with numbers below 1000, else the largest.  VG_LENGTH_OWN if UNIT is no
 * length. */
VgLength vg_length_choose (const char *unit, double reach);
/* The unit in which a single LENGTH (in UNIT) is told: µm below 1 mm, mm from there on;
 * VG_LENGTH_OWN for nm below 1 µm, and if UNIT is no length. */
VgLength vg_length_tell (const char *unit, double length);
/* TRUE if UNIT is a length or its inverse. */
gboolean vg_length_is_unit (const char *unit);

G_END_DECLS
