/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/window/vg-application.h"
#include "app/opening/vg-opening.h"
#include "ui/common/vg-settings.h"
/* The window: the session it shows, the pipeline that computes it, and the
 * widgets around the picture. */
G_BEGIN_DECLS

#define VG_TYPE_WINDOW (vg_window_get_type ())
G_DECLARE_FINAL_TYPE (VgWindow, vg_window, VG, WINDOW, GtkApplicationWindow)

/* All that needs no display: an opening with a session and a pipeline.  Where OPTIONS name nothing
 * to open, the sample data open at once, if the window begins with them, so that their first map is
 * computed while GTK starts and the window is built. */
VgOpening *vg_window_prepare (VgSettings *settings, const VgApplicationOptions *options);
/* OPENING comes from vg_window_prepare; the main loop has not run since. */
GtkWidget *vg_window_new (GtkApplication *application, VgSettings *settings,
                          const VgApplicationOptions *options, VgOpening *opening);
/* Opens FILES (one may be a session) with the operation that is shown; NULL
 * or empty: the synthetic source. */
void vg_window_open_files (VgWindow *self, const char *const *files, const char *read_options);
/* Opens FILES with OPERATION, and sets SETTINGS (vg_opening_open_in). */
void vg_window_open_in (VgWindow *self, const VgOperation *operation, const char *const *files,
                        const char *read_options, const char *const *settings);
/* Opens what the preferences say that a window begins with. */
void vg_window_begin (VgWindow *self);
/* Run RUN (from 0) of the settings that FILES hold. */
void vg_window_open_run (VgWindow *self, const char *const *files, int run);
void vg_window_open_session (VgWindow *self, const char *path);

G_END_DECLS
