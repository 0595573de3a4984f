/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/base/vg-length.h"
#include "kernels/core/vg-operation.h"
/* A session: operation, inputs, parameters, regions and display state of every view.  It can be
 * undone, saved as a text file (GKeyFile) and restored exactly.  Main thread only.
 *
 * Setters change it and emit "changed" with the parts that changed.  vg_session_commit ends an undo
 * step: a slider's drag is many changes and one step.  Undo restores operation, inputs, parameters,
 * regions and displays; view, selection and the counts of button parameters stay as they are. */
G_BEGIN_DECLS

typedef enum {
  VG_CHANGED_OPERATION = 1 << 0,
  VG_CHANGED_INPUTS = 1 << 1,
  VG_CHANGED_PARAMS = 1 << 2,
  VG_CHANGED_REGIONS = 1 << 3,
  VG_CHANGED_VIEW = 1 << 4,
  VG_CHANGED_HISTORY = 1 << 5, /* can_undo, can_redo */
  VG_CHANGED_ANNOTATIONS = 1 << 6,
} VgSessionChange;

/* What is shown of an output while there is a reference result. */
typedef enum {
  VG_COMPARE_OFF,        /* the current result */
  VG_COMPARE_KEPT,       /* the reference result */
  VG_COMPARE_DIFFERENCE, /* current - reference */
  VG_COMPARE_RATIO,      /* current / reference */
} VgCompare;

/* How the picture shows another map beside the current result. */
typedef enum {
  VG_LAYOUT_SINGLE,    /* not */
  VG_LAYOUT_WIPE,      /* the other one at the left of a line that can be moved */
  VG_LAYOUT_WIPE_DOWN, /* above it */
  VG_LAYOUT_SIDE,      /* in two cells */
  VG_LAYOUT_GRID,      /* all reference results and the current one, in a cell each */
} VgLayout;

/* The other map: the output of this index, or one of these. */
enum { VG_BESIDE_INPUT = -2, VG_BESIDE_KEPT = -1 };

enum { VG_DISPLAY_ISOLINES = 16 }; /* most values that the user can enter */

/* How an output is displayed; every output has its own. */
typedef struct
{
  char colormap[32];
  gboolean auto_limits;
  double auto_low_percent, auto_high_percent; /* percentiles of the automatic limits: 0.5, 99.5 */
  double low, high;                           /* limits if auto_limits is FALSE */
  double gamma;
  gboolean log_scale;
  gboolean reversed;
  guint8 invalid_rgb[3];
  gboolean brightness; /* dimmed by the output that plays VG_ROLE_BRIGHTNESS */
  gboolean decades;    /* isolines at each decade between the limits, on a log scale */
  double isolines[VG_DISPLAY_ISOLINES]; /* further isolines, ascending */
  int n_isolines;
  gboolean underlay; /* the input lies under the map */
  double opacity;    /* of the map over the underlay, 0 to 1; the same for all outputs */
  /* middle and range of the grey input between black and white; width 0: automatic; the same for
   * all outputs */
  double level, width;
} VgDisplay;

/* How a volume is shown. */
typedef struct
{
  gboolean planes; /* three planes with a crosshair in place of one slice */
  int column, row; /* of the crosshair, whose slice is the view's, from 1; 0: in the middle */
} VgVolumeView;

typedef struct
{
  double zoom;               /* screen pixels per image pixel; 0: fit */
  double center_x, center_y; /* image pixel at the centre of the view */
  /* the slide region that the pixels belong to (VgSlidePlace); 0: none, or unknown */
  double part_x, part_y, part_scale;
  int output; /* index into operation->outputs */
  /* VgCompare; neither saved nor undone, because the reference result is not */
  int compare;
  /* VgLayout, what is beside the current result, where the wipe's line is, from 0 to 1, and whether
   * a lens at the pointer shows the other map; neither saved nor undone */
  int layout, beside;
  double wipe;
  gboolean lens;
  int row; /* chosen row of the table that lies in the image (VgStack), from 1; 0: none; not saved
            */
  gint64 frame;
  int slice;
  double playback_fps; /* 0: as fast as possible */
  gboolean loop;
  gboolean smooth;      /* linear instead of nearest magnification */
  int length_unit;      /* VgLength: of axes, probe and parameters */
  gboolean proportions; /* one scale for x and y, if the pixel size is known */
  gboolean axes;        /* if the pixel size is known */
  gboolean overlay;     /* what the operation draws over its maps */
  gboolean mosaic;      /* all slices side by side */
  VgVolumeView volume;
  /* rows and columns of a volume as in the file; FALSE: in radiological orientation */
  gboolean as_stored;
  gboolean outlines;       /* of objects */
  double outline_width;    /* of their lines, screen pixels */
  gboolean other_outlines; /* of the output that plays VG_ROLE_OUTLINES */
  /* frame of a data set that is the underlay, from 1; 0: the mean over time */
  int underlay_frame;
  /* first and second beside the image: one of vg_session_pages or the id of a plot, static; NULL:
   * none was chosen */
  const char *pages[2];
} VgView;

/* Who outlined a region. */
typedef enum {
  VG_REGION_DRAWN,   /* the user, or it is not known */
  VG_REGION_FOUND,   /* the operation found it in the data (VgFind) */
  VG_REGION_ADAPTED, /* the operation found it, and the user changed it */
} VgRegionOrigin;

typedef struct
{
  char *name;
  VgRegion region;
  guint8 rgb[3];
  gboolean selected;
  gboolean named_after_file; /* which may identify the patient */
  gboolean of_setting;       /* the value of a setting, listed for tables (vg-region-settings.h) */
  VgRegionOrigin origin;
  guint id; /* random; stays when the region is renamed or moved, and when a step is undone */
} VgNamedRegion;
void vg_named_region_free (gpointer region);
/* The origins in text, in this order; ended by NULL. */
extern const char *const vg_session_region_origins[];

#define VG_TYPE_SESSION (vg_session_get_type ())
G_DECLARE_FINAL_TYPE (VgSession, vg_session, VG, SESSION, GObject)
/* The name of a region in one of several slices, with the number of the slice from 1. */
#define VG_REGION_IN_SLICE "%s (slice %d)"
/* Signals:
 * - "changed" (guint flags): VgSessionChange bits.
 * - "cleared" (const char *label): a region was removed that was the value of the parameter with
 *   this label.
 * - "kept" (const char *label): a region was not changed, because it is an outline of the mask that
 *   was found for the parameter with this label. */

/* Pages beside the image that every operation has; ended by NULL. */
extern const char *const vg_session_pages[];

VgSession *vg_session_new (const VgOperation *operation);
const VgOperation *vg_session_get_operation (VgSession *self);
/* Every operation has its own inputs, parameters, regions and view. */
void vg_session_set_operation (VgSession *self, const VgOperation *operation);

/* What the user prefers: the colour map (NULL: the one that the operation suggests) of maps for
 * which none was chosen, and the VgLength in which every view shows lengths.  A view that is shown
 * for the first time later has them too. */
void vg_session_prefer (VgSession *self, const char *colormap, int length_unit);

/* File names; empty: sample data. */
const char *const *vg_session_get_inputs (VgSession *self);
void vg_session_set_inputs (VgSession *self, const char *const *paths);
/* ADDRESS is that of the live input with the settings that its device has now, which the journal
 * and saved sessions keep; undo does not change them.  NULL, as after vg_session_set_inputs: they
 * are those of the input. */
void vg_session_note_live (VgSession *self, const char *address);
/* The run of the settings files that the parameters came from, from 0.  Other inputs begin with the
 * first run. */
int vg_session_get_run (VgSession *self);
void vg_session_set_run (VgSession *self, int run);
/* The checkpoint of the session file that was loaded, as text (vg-checkpoint-text.h), owned.  Only
 * the first call returns it; NULL: there is none.  Undo does not change it. */
char *vg_session_take_checkpoint (VgSession *self);
/* The file of the mask that was painted in the volume (vg-mask-store.h), which session files hold;
 * NULL: none.  Undo does not change it; other inputs drop it.  Setting it emits nothing. */
const char *vg_session_get_mask (VgSession *self);
void vg_session_set_mask (VgSession *self, const char *path);
const char *vg_session_get_read_options (VgSession *self); /* NULL: none */
void vg_session_set_read_options (VgSession *self, const char *read_options);

const void *vg_session_get_params (VgSession *self);
void vg_session_set_number (VgSession *self, const VgParam *param, double value);
/* Sets a parameter from TEXT.  A value that is a region is added to the session's regions.  The
 * outlines of a mask that was found are removed when the parameter gets another value. */
gboolean vg_session_set_text (VgSession *self, const VgParam *param, const char *text,
                              GError **error);
/* Sets all parameters, except the counts of button parameters. */
void vg_session_set_params (VgSession *self, const void *params);
void vg_session_reset_params (VgSession *self);

/* Provenance: who set a parameter's value. */
typedef enum {
  VG_ORIGIN_DEFAULT, /* nobody */
  VG_ORIGIN_FILE,    /* the input: its metadata, its settings file, or the synthetic instrument */
  VG_ORIGIN_DERIVED, /* the operation, from a value that the user set */
  VG_ORIGIN_USER,
} VgOrigin;

VgOrigin vg_session_get_origin (VgSession *self, const VgParam *param);
/* The defaults with the values that the input gives: what a parameter is reset to. */
const void *vg_session_get_given (VgSession *self);
/* The parameters to open INPUTS with READ_OPTIONS, owned.  Values that belong to other data are
 * left out (vg_param_is_per_dataset). */
void *vg_session_params_for (VgSession *self, const char *const *inputs, const char *read_options);
/* The defaults with the values of origin VG_ORIGIN_DERIVED and VG_ORIGIN_USER, owned.  Sets one of
 * ORIGINS for each parameter. */
void *vg_session_get_user_params (VgSession *self, VgOrigin *origins);
/* Sets the parameters that the user has not set to what INFO, the metadata of the session's inputs,
 * gives.  OTHER: these are other data than before, so values that belong to those are reset, and a
 * recording plays in real time.  INFO NULL: there is none. */
void vg_session_adopt (VgSession *self, const VgImageInfo *info, gboolean other);
/* Sets all parameters to PARAMS, which run RUN of the settings files gives, from 0. */
void vg_session_adopt_run (VgSession *self, int run, const void *params);

guint vg_session_get_n_regions (VgSession *self);
const VgNamedRegion *vg_session_get_region (VgSession *self, guint i);
/* Region I as it counts: in every slice (VG_REGION_EVERY_SLICE) if it is the value of a parameter
 * that does, wherever it was drawn. */
VgRegion vg_session_get_shape (VgSession *self, guint i);
/* All regions, NULL-terminated.  Only the array is owned. */
const VgNamedRegion **vg_session_list_regions (VgSession *self);
/* Adds a region with a name and colour of its own; returns its index.  G_MAXUINT: there are 256
 * already, or the region cannot be saved: it is empty, has too few points, or is not finite. */
guint vg_session_add_region (VgSession *self, const VgRegion *region);
/* The same for VgNamedRegion REGIONS with their names, as one change; returns how many. */
guint vg_session_add_regions (VgSession *self, GPtrArray *regions);
/* A parameter whose value is the region is changed with it; so it is when the region is removed.
 * An outline of a mask is neither changed nor removed (signal "kept"), because the mask would not
 * follow. */
void vg_session_set_region (VgSession *self, guint i, const VgRegion *region);
/* Marks the region that is the value of PARAM as found in the data. */
void vg_session_mark_found (VgSession *self, const VgParam *param);
/* Removes the regions called NAME that were found, that the user has not changed and that no
 * parameter uses, so that another search does not draw them again. */
void vg_session_remove_found (VgSession *self, const char *name);
/* The parameter whose value is a stored mask (vg-mask-store.h) of which region I is an outline that
 * was found with it; NULL: none. */
const VgParam *vg_session_find_mask_param (VgSession *self, guint i);
/* Removes the outlines of the mask that was found for PARAM. */
void vg_session_remove_outlines (VgSession *self, const VgParam *param);
/* Sets PARAM, which may be a region, to region I.  The region gets the parameter's label as its
 * name unless the user has named it. */
void vg_session_use_region (VgSession *self, const VgParam *param, guint i);
/* Whether the value of PARAM is REGION. */
gboolean vg_session_param_is_region (const VgParam *param, const void *params,
                                     const VgRegion *region);
/* The first parameter whose value is region I; NULL: none. */
const VgParam *vg_session_find_region_param (VgSession *self, guint i);
void vg_session_rename_region (VgSession *self, guint i, const char *name);
/* -1: none */
void vg_session_select_region (VgSession *self, int i);
void vg_session_remove_region (VgSession *self, guint i);
/* Removes all regions, because they were drawn on data of another size.  A parameter whose value is
 * one of them, or a mask of which they are the outlines, becomes empty.  OTHER: vg_session_adopt
 * follows with the same value, and resets those parameters itself.  FALSE: there were none that it
 * would have kept. */
gboolean vg_session_drop_regions (VgSession *self, gboolean other);

const VgView *vg_session_get_view (VgSession *self);
void vg_session_set_view (VgSession *self, const VgView *view);
/* TRUE fits the images: until FALSE, the session saves the zoom and the middle from before, not
 * those that are set meanwhile.  FALSE restores those from before. */
void vg_session_set_zoom_temporary (VgSession *self, gboolean temporary);
/* The zoom from before a temporary one belongs to other data: replaces it by the fit. */
void vg_session_forget_zoom (VgSession *self);
/* The output that is shown, or its difference from or ratio to the reference result, with label,
 * unit and centre of its own; valid until the next change. */
const VgOutput *vg_session_get_output (VgSession *self);
/* The display state of that output. */
const VgDisplay *vg_session_get_display (VgSession *self);
/* That of output I, whichever is shown. */
const VgDisplay *vg_session_get_display_of (VgSession *self, int i);
void vg_session_set_display (VgSession *self, const VgDisplay *display);
void vg_session_set_display_of (VgSession *self, int i, const VgDisplay *display);

/* Ends an undo step with a label such as "Exposure". */
void vg_session_commit (VgSession *self, const char *what);
/* The same once nothing has changed for half a second, so that a slider's drag or a typed number is
 * one step; a change with another label ends it too. */
void vg_session_commit_later (VgSession *self, const char *what);
/* Ends a step that waits, before an undo, a save or another action. */
void vg_session_commit_waiting (VgSession *self);
gboolean vg_session_can_undo (VgSession *self);
gboolean vg_session_can_redo (VgSession *self);
const char *vg_session_undo_label (VgSession *self);
const char *vg_session_redo_label (VgSession *self);
/* Undo does not go beyond the present state. */
void vg_session_forget_history (VgSession *self);
void vg_session_undo (VgSession *self);
void vg_session_redo (VgSession *self);
/* The present session with its undo steps, owned.  vg_session_go_back restores and frees it. */
typedef struct _VgSessionMark VgSessionMark;
VgSessionMark *vg_session_mark (VgSession *self);
void vg_session_mark_free (VgSessionMark *mark);
void vg_session_go_back (VgSession *self, VgSessionMark *mark);

/* The session as text, owned.  Reading checks every key: an unknown one is an error that names it,
 * and leaves the session as it was. */
char *vg_session_to_text (VgSession *self);
/* The text of a file in FOLDER: names of files below it are relative. */
char *vg_session_to_text_in (VgSession *self, const char *folder);
/* The part that undo restores: without view, selection and checkpoints. */
char *vg_session_to_undoable_text (VgSession *self);
gboolean vg_session_from_text (VgSession *self, const char *text, gsize length, GError **error);
/* CHECKPOINTS: of operations that have computed since the load (VG_QUERY_CHECKPOINTS), or NULL. */
gboolean vg_session_save (VgSession *self, const char *path, GHashTable *checkpoints,
                          GError **error);
gboolean vg_session_load (VgSession *self, const char *path, GError **error);
/* The file that the session was loaded from or last saved to.  NULL: there is none, or the session
 * has other inputs by now, also by undo. */
const char *vg_session_get_path (VgSession *self);
void vg_session_set_path (VgSession *self, const char *path);

G_END_DECLS
