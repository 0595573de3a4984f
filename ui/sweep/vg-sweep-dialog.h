/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/pipeline/vg-pipeline.h"
#include "app/session/vg-session.h"
#include "ui/picture/vg-image-view.h"
/* A contact sheet: the map shown for nine values of one setting, computed one by one.  A click on a
 * map gives the setting its value. */
G_BEGIN_DECLS

#define VG_TYPE_SWEEP_DIALOG (vg_sweep_dialog_get_type ())
G_DECLARE_FINAL_TYPE (VgSweepDialog, vg_sweep_dialog, VG, SWEEP_DIALOG, GtkWindow)

/* Has PARAMS computed and returns their serial; PARAMS NULL: those of the session again. */
typedef guint64 (*VgSweepCompute) (gpointer owner, const void *params);

/* IMAGE has the colours.  COMPUTE gets OWNER, which must outlive the dialog. */
GtkWidget *vg_sweep_dialog_new (VgSession *session, VgImageView *image, VgSweepCompute compute,
                                gpointer owner);
/* A result came; the first of them, before anything is computed, is that of the session. */
void vg_sweep_dialog_take (VgSweepDialog *self, VgResult *result);
/* The settings with SERIAL were refused. */
void vg_sweep_dialog_refuse (VgSweepDialog *self, guint64 serial, const char *why);

G_END_DECLS
