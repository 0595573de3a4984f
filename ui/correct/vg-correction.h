/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
#include "ui/correct/vg-stroke.h"
/* Corrections of the objects of a result by strokes: each is an edit of the points that the user
 * sets and takes out (VgTableSpec.points), and one step of undo.  Also holds which objects were
 * accepted, and finds the next doubtful one. */
G_BEGIN_DECLS

#define VG_TYPE_CORRECTION (vg_correction_get_type ())
G_DECLARE_FINAL_TYPE (VgCorrection, vg_correction, VG, CORRECTION, GObject)

/* An object of the result, px of the image. */
typedef struct
{
  guint32 number;
  VgPoint seed, middle;
  double doubt; /* the larger, the sooner it is shown; NaN: not known */
} VgCorrectionObject;

VgCorrection *vg_correction_new (VgSession *session);
/* Whether the session's operation has objects that can be corrected. */
gboolean vg_correction_is_possible (VgSession *session);
/* The objects of the newest result, of VgCorrectionObject. */
void vg_correction_set_objects (VgCorrection *self, GArray *objects);
/* Does what a stroke of N points means.  A lasso chooses objects, which stay chosen until the next
 * stroke. */
VgStrokeKind vg_correction_stroke (VgCorrection *self, const VgPoint *line, guint n,
                                   VgStrokeProbe probe, gpointer data);
guint vg_correction_count_chosen (VgCorrection *self);
/* Removes the chosen objects; FALSE: there are none. */
gboolean vg_correction_remove_chosen (VgCorrection *self);
/* Accepts them, or NUMBER if none is chosen: they are doubtful no longer.  FALSE: nothing to
 * accept.
 */
gboolean vg_correction_accept (VgCorrection *self, guint32 number);
void vg_correction_choose_none (VgCorrection *self);
/* The object after NUMBER (0: the first) in the order of doubt, without accepted ones; STEP -1: the
 * one before.  0: there is none. */
guint32 vg_correction_find_next (VgCorrection *self, guint32 number, int step);

G_END_DECLS
