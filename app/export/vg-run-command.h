/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "app/export/vg-export-options.h"
#include "app/session/vg-session.h"
/* The command that computes without a window what a session computes: every setting that is not the
 * default, the regions and how the files are read. */
G_BEGIN_DECLS

/* One word of a command as a POSIX shell reads it, owned. */
char *vg_shell_quote (const char *word);
/* `vivograph` with the ARGV of a command named COMMAND, owned. */
char *vg_shell_quote_command (const char *command, int argc, char **argv);

/* The command of SESSION with the folder FOLDER for the results, owned, in which names of files are
 * absolute.  OPTIONS (NULL: the defaults) say what is written.  It writes the maps of all frames
 * until vg_run_command_finish adds one. */
char *vg_run_command_new (VgSession *session, const char *folder, const VgExportOptions *options);
/* COMMAND (or NULL) on the BACKEND in use, which writes the maps of the frame FRAME, from 1; 0:
 * those of all, as there is one set of maps, or as a live source cannot be read again.  Owned; NULL
 * if COMMAND is. */
char *vg_run_command_finish (const char *command, VgBackend backend, gint64 frame);

G_END_DECLS
