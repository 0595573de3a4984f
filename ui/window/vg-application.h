/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/pipeline/vg-pipeline.h"
/* The GTK application: one window, its settings, the actions. */
G_BEGIN_DECLS

typedef struct
{
  VgBackend backend;
  int display_path;            /* VgDisplayPath */
  const char *session;         /* file to restore, or NULL */
  const char *operation;       /* id, or NULL: the first */
  const char *read_options;    /* how the files are read, or NULL */
  int run;                     /* of settings files, from 1; 0: none chosen */
  const char *const *files;    /* to open, ended by NULL; none: the sample data */
  const char *const *settings; /* of `operation`, each "id=value", ended by NULL; NULL: none */
} VgApplicationOptions;

/* Runs the window; returns the exit status. */
int vg_application_run (const VgApplicationOptions *options);

G_END_DECLS
