/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-reference.h"
#include "app/session/vg-session.h"
/* The comparison with kept results that is on the screen, for the figures of an export. */
G_BEGIN_DECLS

typedef struct
{
  VgCompare compare;
  VgLayout layout;
  double wipe;       /* where its line is, 0 to 1 of the map's width */
  VgDisplay display; /* of what is shown */
  GPtrArray *kept;   /* of VgReference: the one compared with, or all that a grid shows */
  GPtrArray *names;  /* of each of them, and then of the present map, as on the screen */
} VgExportComparison;

/* Of what SESSION shows; without kept results. */
VgExportComparison *vg_export_comparison_new (VgSession *session);
/* Adds REFERENCE, of which a reference is taken, with its NAME. */
void vg_export_comparison_add (VgExportComparison *self, VgReference *reference, const char *name);
/* SELF may be NULL. */
VgExportComparison *vg_export_comparison_copy (const VgExportComparison *self);
void vg_export_comparison_free (VgExportComparison *self);
/* Whether a figure shows more than the present map.  SELF may be NULL. */
gboolean vg_export_comparison_is_shown (const VgExportComparison *self);

G_END_DECLS
