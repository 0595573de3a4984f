/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* The part of a session for one operation: inputs, parameters, regions and display state. */
G_BEGIN_DECLS

enum {
  VG_DOCUMENT_MAX_REGIONS = 256,
  VG_DOCUMENT_MAX_NAME = 256, /* bytes in a region's name */
};

typedef struct
{
  const VgOperation *operation;
  GStrv inputs; /* never NULL */
  int run;      /* run of a settings file, from 0 */
  char *read_options;
  /* of the engine state, as text (vg-checkpoint-text.h), from a session file and not restored yet;
   * NULL: none */
  char *checkpoint;
  char *mask; /* path of the painted mask (vg-mask-store.h), as it was saved; NULL: none */
  void *params;
  /* the defaults with the values that the input gives: other values are the user's or derived */
  void *given;
  gboolean *derived;      /* one per parameter, TRUE: derived from a value that the user set */
  GPtrArray *regions;     /* VgNamedRegion */
  GPtrArray *annotations; /* VgAnnotation */
  VgView view;
  VgView *before;        /* has the zoom to save while that of `view` is temporary; else NULL */
  VgDisplay *displays;   /* one per output, at least one */
  VgDisplay compared[2]; /* of differences and of ratios to the reference result */
} VgDocument;

/* A document with the defaults of OPERATION, without inputs and regions. */
VgDocument *vg_document_new (const VgOperation *operation);
void vg_document_free (VgDocument *self);
/* Gives the maps with the colour map FROM the colour map TO, unless their values have a middle or
 * are labels.  FROM and TO NULL: the one that the operation suggests. */
void vg_document_prefer (VgDocument *self, const char *from, const char *to);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgDocument, vg_document_free)

/* The run that the document shows of its settings files, with PARAMS for what it does not set,
 * owned (vg_settings_run_free); NULL: its inputs are none, or cannot be read. */
VgSettingsRun *vg_document_load_settings (const VgDocument *self, const void *params);
/* VG_CHANGED bits of the parts that differ. */
guint vg_document_compare (const VgDocument *a, const VgDocument *b);
gboolean vg_view_equal (const VgView *a, const VgView *b);
gboolean vg_display_equal (const VgDisplay *a, const VgDisplay *b);
/* Copies the parts that undo must not change: the view and the selection. */
/* How a map lies over the input: opacity, level and width. */
void vg_display_copy_input (VgDisplay *self, const VgDisplay *from);
void vg_document_keep_view (VgDocument *self, const VgDocument *from);
/* Copies the counts of button parameters, because an engine would take another count for a new
 * click. */
void vg_document_keep_actions (VgDocument *self, const VgDocument *from);
/* Copies the checkpoint, and the mask if that is of the same input. */
void vg_document_keep_checkpoint (VgDocument *self, const VgDocument *from);
/* Sets the colour of a region to RGB (0xRRGGBB), or if RGB is 0 to the first colour that no other
 * region has. */
void vg_document_color_region (VgDocument *self, VgNamedRegion *named, guint32 rgb);
/* Adds a region with a name and a colour that no other region has. */
VgNamedRegion *vg_document_add_region (VgDocument *self, const VgRegion *region);
/* Adds the regions that are marked in synthetic data of SIZE.  Whether anything changed. */
gboolean vg_document_mark (VgDocument *self, const VgSyntheticSize *size);
/* Adapts the regions to new data: removes those that are the value of a parameter or that sample
 * data marked, because they are positions in the earlier data, and renames those that only have the
 * label of a parameter. Whether anything changed. */
gboolean vg_document_leave_regions (VgDocument *self);
/* The name of the page beside the image that TEXT names, a static string; NULL: there is none. */
const char *vg_document_find_page (const VgDocument *self, const char *text);
/* Copies zoom, middle and the slide region to which they belong. */
void vg_view_copy_zoom (VgView *self, const VgView *from);
/* Fits the image until the end of a temporary zoom, unless there is one already. */
void vg_document_hide_zoom (VgDocument *self);
/* Ends a temporary zoom, and restores the zoom from before. */
void vg_document_show_zoom (VgDocument *self);
/* Changes VIEW to the nearest one that this document can show. */
void vg_document_clamp_view (const VgDocument *self, VgView *view);
/* Changes DISPLAY to the nearest one that can be saved; invalid members are copied from OLD. */
void vg_document_clamp_display (VgDisplay *display, const VgDisplay *old);
/* Whether REGION can be saved: it is finite and not empty. */
gboolean vg_document_takes_region (const VgRegion *region);
/* The document of OPERATION in DOCUMENTS, or NULL. */
VgDocument *vg_documents_find (GPtrArray *documents, const VgOperation *operation);

G_END_DECLS
