/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/export/vg-export-options.h"
#include "kernels/base/vg-plane.h"
/* Asks what is exported and into which folder, and shows the command that writes the same maps. */
G_BEGIN_DECLS

#define VG_TYPE_EXPORT_DIALOG (vg_export_dialog_get_type ())
G_DECLARE_FINAL_TYPE (VgExportDialog, vg_export_dialog, VG, EXPORT_DIALOG, GtkWindow)
/* signal "chosen" ()   the user agreed; the getters have the answers, and the dialog is hidden
 * until the caller destroys it or shows why the export failed */

/* The command that writes into FOLDER what a session computes, owned; NULL: there is none. */
typedef char *(*VgExportCommand) (gpointer data, const char *folder,
                                  const VgExportOptions *options);

/* What the dialog begins with. */
typedef struct
{
  const char *folder;
  const VgPlane *shown; /* the map on the screen, of whose size all maps are taken to be */
  gint64 frames;        /* of a movie; -1: not known yet; 0: there is none */
  double interval_s;    /* between these frames; 0: not known */
  const double *limits; /* of the colours on the screen, for a movie */
  gboolean is_volume;   /* maps are also written as NIfTI unless the user chooses otherwise */
  gboolean has_dicom;   /* maps can be written as DICOM */
  gboolean is_dicom;    /* the input is DICOM, so they are unless the user chooses otherwise */
  gboolean report;      /* the report is written too unless the user chooses otherwise */
  gboolean compared;    /* the difference and the ratio to a kept result are written too */
  const VgExportComparison *comparison; /* that is on the screen; NULL: none */
  VgExportCommand command;              /* called with the parent whenever a choice changes */
} VgExportProposal;

GtkWidget *vg_export_dialog_new (GtkWindow *parent, VgSession *session,
                                 const VgExportProposal *proposal);
/* The absolute path of the folder, owned. */
char *vg_export_dialog_get_folder (VgExportDialog *self);
/* What is written, owned. */
VgExportOptions *vg_export_dialog_get_options (VgExportDialog *self);
/* Whether the session is saved beside the results. */
gboolean vg_export_dialog_wants_session (VgExportDialog *self);
/* The text results of SESSION, which are always written: "Outlines for QuPath, Table of nuclei";
 * owned; NULL: there are none. */
char *vg_export_dialog_list_texts (VgSession *session);
/* Shows the dialog again with its answers and, unless it is NULL, with WHY the export failed. */
void vg_export_dialog_again (VgExportDialog *self, const char *why);

G_END_DECLS
