/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* The program's file dialog.  There is one, and it is never let go: GTK 4.8 lists a folder in the
 * background and then writes to the dialog that asked for it, also when that is gone.  It stays in
 * the folder where it was. */
G_BEGIN_DECLS

enum { VG_MOST_FILE_GROUPS = 2 };

typedef struct
{
  const char *name;     /* what the files are called, always the same for the same endings */
  const char *suffixes; /* of the files' names, without dots, separated by blanks */
} VgFileGroup;

typedef struct
{
  const char *title, *accept; /* accept: the button, with a mnemonic */
  GtkFileChooserAction action;
  gboolean multiple;        /* of files to open */
  const char *folder;       /* where it begins; NULL: where it was */
  const char *name;         /* proposed for what is saved; NULL: none */
  const VgFileGroup *kinds; /* the first are listed at first; all files can be chosen as well */
  guint n_kinds;            /* at most VG_MOST_FILE_GROUPS */
} VgFileQuestion;

/* FILES (GFile) were chosen, at least one, and each has a path. */
typedef void (*VgFilesChosen) (gpointer asker, GListModel *files);

/* The callback is not called when the dialog is closed, when ASKER is gone, or when a chosen file
 * is not on this machine, which is shown. */
void vg_file_chooser_ask (GtkWidget *asker, const VgFileQuestion *question, VgFilesChosen chosen);
/* Where the dialog is; NULL: not in a folder. */
char *vg_file_chooser_get_folder (void);
/* The dialog itself, for tests that answer it; NULL: nothing was asked yet. */
GtkNativeDialog *vg_file_chooser_get_dialog (void);

G_END_DECLS
