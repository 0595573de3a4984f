/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* What a session keeps for one operation: its inputs, parameters, regions,
 * and how its outputs are looked at. */
G_BEGIN_DECLS

enum {
  VG_DOCUMENT_MAX_REGIONS = 256,
  VG_DOCUMENT_MAX_NAME = 256, /* bytes in a region's name */
};

typedef struct
{
  const VgOperation *operation;
  GStrv inputs; /* never NULL */
  int run;      /* of the runs that inputs of settings hold, from 0 */
  char *read_options;
  /* of the work (VgEngine.outcome), packed (vg-checkpoint-text.h), from a file and not taken yet;
   * NULL: none */
  char *checkpoint;
  void *params;
  /* the defaults with what the open data say of themselves: a value other than that was set by the
   * user, */
  void *said;
  gboolean *followed; /* or, one per parameter, went along with one that was */
  GPtrArray *regions; /* of VgNamedRegion */
  VgView view;
  VgDisplay *displays;   /* one per output, at least one */
  VgDisplay compared[2]; /* of differences, of ratios */
} VgDocument;

/* The operation's defaults; no inputs, no regions. */
VgDocument *vg_document_new (const VgOperation *operation);
void vg_document_free (VgDocument *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgDocument, vg_document_free)

/* VG_CHANGED bits of what differs. */
guint vg_document_compare (const VgDocument *a, const VgDocument *b);
gboolean vg_view_equal (const VgView *a, const VgView *b);
gboolean vg_display_equal (const VgDisplay *a, const VgDisplay *b);
/* Takes over what undo must not turn back: the view and the selection. */
void vg_document_keep_view (VgDocument *self, const VgDocument *from);
/* Takes over the counts of actions: an engine would take another count for
 * the button pressed again. */
void vg_document_keep_actions (VgDocument *self, const VgDocument *from);
void vg_document_keep_checkpoint (VgDocument *self, const VgDocument *from);
/* RGB (0xRRGGBB), or where that is 0 the first colour that no other region has. */
void vg_document_color_region (VgDocument *self, VgNamedRegion *named, guint32 rgb);
/* Appends a region with a name and a colour that no other has. */
VgNamedRegion *vg_document_add_region (VgDocument *self, const VgRegion *region);
/* For other data: a region that is a setting is a place in the data before, so it goes; one that is
 * only called by a setting's label gets a name like any other.  Whether anything changed. */
gboolean vg_document_leave_regions (VgDocument *self);
/* The page below the picture that is called TEXT, as a static string; NULL: there is none. */
const char *vg_document_find_page (const VgDocument *self, const char *text);
/* The nearest view that this document can show. */
void vg_document_clamp_view (const VgDocument *self, VgView *view);
/* The nearest display that can be saved; what can't be is taken from OLD. */
void vg_document_clamp_display (VgDisplay *display, const VgDisplay *old);
/* A region that can be saved: it has pixels to be and numbers to say where. */
gboolean vg_document_takes_region (const VgRegion *region);
/* The document of OPERATION in a list, or NULL. */
VgDocument *vg_documents_find (GPtrArray *documents, const VgOperation *operation);

G_END_DECLS
