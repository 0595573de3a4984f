/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "ui/params/vg-editor.h"
#include "kernels/base/vg-metrics.h"
/* A line of the parameter panel: label, control, reset button, and the reason
 * when a text was refused. */
G_BEGIN_DECLS

#define VG_TYPE_PARAM_ROW (vg_param_row_get_type ())
G_DECLARE_FINAL_TYPE (VgParamRow, vg_param_row, VG, PARAM_ROW, VgBin)

/* MNEMONIC: letter of the label to underline, 0: none. */
GtkWidget *vg_param_row_new (VgSession *session, const VgParam *param, char mnemonic);
const VgParam *vg_param_row_get_param (VgParamRow *self);
/* Gives the control the focus, and the row a background for a second. */
void vg_param_row_point_out (VgParamRow *self);
/* Follows the session: value, visibility, whether there is something to reset. */
void vg_param_row_sync (VgParamRow *self);
/* Shows what a value of 0 came to (VgParam.auto_metric; NaN: not known), what pixels of this size
 * (0: not known) make of it in micrometres, and ADVICE, in English, on the setting (NULL: none). */
void vg_param_row_set_figures (VgParamRow *self, double measured, const char *advice,
                               double pixel_um);

G_END_DECLS
