/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-document.h"
#include "app/session/vg-history.h"
/* The fields of a session, for its source files. */
G_BEGIN_DECLS

struct _VgSession
{
  GObject parent_instance;
  GPtrArray *documents;  /* VgDocument, in the order of their first use */
  GPtrArray *operations; /* that were used in this session */
  VgDocument *document;  /* of the view that is shown */
  VgHistory *history;
  VgOutput compared; /* see vg_session_get_output */
  char *compared_label, *compared_help;
  char *path;       /* the file that Save writes to; NULL: none */
  char *live;       /* see vg_session_note_live; NULL: none */
  gboolean pending; /* a change since the last undo step can be undone */
  char *waiting;    /* label of the undo step that waits for more changes; NULL: none */
  guint waiting_id;
  const char *colormap;    /* that the user prefers; NULL: what the operation suggests */
  int length_unit;         /* VgLength */
  gboolean zoom_temporary; /* vg_session_set_zoom_temporary() */
};

/* Emits "changed" with VG_CHANGED bits FLAGS; UNDOABLE: the change begins an undo step. */
void vg_session_changed (VgSession *self, guint flags, gboolean undoable);
/* Emits "cleared": the region that PARAM referred to was removed. */
void vg_session_cleared (VgSession *self, const VgParam *param);
/* Emits "kept": the region is an outline of the mask of PARAM. */
void vg_session_kept (VgSession *self, const VgParam *param);
/* Removes the outlines of masks that were found from DOCUMENT, if the parameter is not as BEFORE.
 * Whether there were any. */
gboolean vg_session_drop_outlines (VgDocument *document, const void *before);
/* Updates the parameters that depend on PARAM, which has changed (HOW: TRUE or
 * VG_CHANGED_TO_PRESET). */
void vg_session_derive (VgDocument *document, const VgParam *param, gboolean how);

/* The size of a pixel that the parameters set; 0: the data have it. */
void vg_session_get_grid (const VgDocument *document, double size[2]);
/* Moves regions and annotations to where they were with pixels of the size BEFORE; returns
 * VG_CHANGED bits. */
guint vg_session_follow_grid (VgDocument *document, const double before[2]);

/* Shows the region that is the value of PARAM in the image: moves the region that was its value
 * BEFORE, or adds one.  Whether anything changed. */
gboolean vg_session_show_param_region (VgDocument *document, const VgParam *param,
                                       const void *before);

G_END_DECLS
