/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "kernels/base/vg-metrics.h"
/* What makes the maps in view likely to be wrong: the advice of the grave ones
 * among an operation's numbers, one at a time, in a banner.  Each is said once
 * as long as it holds, and no more once it has been closed. */
G_BEGIN_DECLS

#define VG_TYPE_CAUTIONS (vg_cautions_get_type ())
G_DECLARE_FINAL_TYPE (VgCautions, vg_cautions, VG, CAUTIONS, VgBin)
/* signals:
 *   "more" ()   the others, or where the only one leads, were asked for */

GtkWidget *vg_cautions_new (void);
/* NULL: there is no result, and what was closed is forgotten. */
void vg_cautions_set (VgCautions *self, const VgMetrics *metrics);
/* Drops those whose number is not among METRICS, of work that is not finished. */
void vg_cautions_keep (VgCautions *self, const VgMetrics *metrics);
/* Closes the one in view; FALSE: there is none. */
gboolean vg_cautions_close (VgCautions *self);

/* What WAY returns of a caution, owned, stands on its button while it is the only one; NULL: no
 * button. */
typedef char *(*VgCautionsWay) (gpointer data, const VgMetric *caution);
void vg_cautions_set_way (VgCautions *self, VgCautionsWay way, gpointer data);
/* The caution in view, when there is no other; NULL: none, or several. */
const VgMetric *vg_cautions_get_only (VgCautions *self);

G_END_DECLS
