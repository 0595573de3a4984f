/* SPDX-License-Identifier: MIT */
#pragma once
#include "ui/common/vg-bin.h"
#include "app/session/vg-session.h"
/* The list of the runs in a settings file; hidden unless there are several. */
G_BEGIN_DECLS

#define VG_TYPE_RUN_CHOOSER (vg_run_chooser_get_type ())
G_DECLARE_FINAL_TYPE (VgRunChooser, vg_run_chooser, VG, RUN_CHOOSER, VgBin)
/* signal "chosen" (int run)   the user chose another run than the session's, counted from 0 */

GtkWidget *vg_run_chooser_new (VgSession *session);
/* Reads the names of the runs from the session's inputs; none if they are no settings file. */
void vg_run_chooser_load (VgRunChooser *self);
/* Shows the runs, and the session's as the chosen one. */
void vg_run_chooser_update (VgRunChooser *self);
/* Number of runs; 0: the inputs are no settings file. */
int vg_run_chooser_get_n (VgRunChooser *self);

G_END_DECLS
