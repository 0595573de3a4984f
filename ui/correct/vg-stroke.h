/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "ui/layers/vg-region-shape.h"
/* What a stroke over numbered objects means.  From one object to another it merges all that it
 * meets, across one it splits that, and back to where it began it encloses.  Knows image
 * coordinates only. */
G_BEGIN_DECLS

typedef enum {
  VG_STROKE_NOTHING,
  VG_STROKE_SPLIT,
  VG_STROKE_MERGE,
  VG_STROKE_LASSO,
  VG_STROKE_APART,  /* would merge objects that do not touch: one outline cannot hold them */
  VG_STROKE_SLIVER, /* would split off nearly nothing */
} VgStrokeKind;

/* Gives the numbers of the objects at N points, px; 0: none, or outside of the image. */
typedef void (*VgStrokeProbe) (gpointer data, const VgPoint *points, guint n, guint32 *numbers);

typedef struct
{
  VgStrokeKind kind;
  GArray *objects;  /* of guint32: the one that is split, or those that become one */
  VgPoint seeds[2]; /* of the parts, or of the whole: one inside of each */
} VgStroke;

/* Reads LINE, of N points. */
void vg_stroke_init (VgStroke *self, const VgPoint *line, guint n, VgStrokeProbe probe,
                     gpointer data);
void vg_stroke_clear (VgStroke *self);
/* Whether AT is inside of the closed LINE. */
gboolean vg_stroke_encloses (const VgPoint *line, guint n, VgPoint at);

G_END_DECLS
