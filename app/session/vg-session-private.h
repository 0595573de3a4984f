/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-document.h"
#include "app/session/vg-history.h"
/* The fields of a session, shared by its source files only. */
G_BEGIN_DECLS

struct _VgSession
{
  GObject parent_instance;
  GPtrArray *documents;  /* of VgDocument, in the order they were first used */
  GPtrArray *operations; /* every one ever used here */
  VgDocument *document;  /* the one shown */
  VgHistory *history;
  VgOutput compared; /* see vg_session_get_output */
  char *compared_label, *compared_help;
  char *path;       /* the file that Save writes to; NULL: none */
  gboolean pending; /* something undoable has changed since the last commit */
};

/* Emits "changed"; what undo turns back starts an undo step. */
void vg_session_changed (VgSession *self, guint flags, gboolean undoable);
/* Emits "cleared": the region that PARAM was is gone. */
void vg_session_cleared (VgSession *self, const VgParam *param);
/* PARAM has changed (HOW: TRUE or VG_CHANGED_TO_PRESET): the settings that follow it. */
void vg_session_follow (VgDocument *document, const VgParam *param, gboolean how);

/* A region that has become the setting PARAM is seen in the picture: the one
 * that was it before, moved, or one more.  Whether anything changed. */
gboolean vg_session_show_param_region (VgDocument *document, const VgParam *param,
                                       const void *before);

G_END_DECLS
