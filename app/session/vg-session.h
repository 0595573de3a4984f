/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/base/vg-length.h"
#include "kernels/core/vg-operation.h"
/* The document: which operation, which inputs, its parameters, the regions,
 * and how the picture is looked at.  What is undone and redone, saved as a
 * session file (GKeyFile) and restored exactly.  Main thread only.
 *
 * A change is made through a setter, which emits "changed" with what changed;
 * vg_session_commit ends an undo step (a slider drag is many changes and one
 * step).  Undo turns back operation, inputs, parameters, regions and displays;
 * the view, the selection and the counts of actions stay as they are. */
G_BEGIN_DECLS

typedef enum {
  VG_CHANGED_OPERATION = 1 << 0,
  VG_CHANGED_INPUTS = 1 << 1,
  VG_CHANGED_PARAMS = 1 << 2,
  VG_CHANGED_REGIONS = 1 << 3,
  VG_CHANGED_VIEW = 1 << 4,
  VG_CHANGED_HISTORY = 1 << 5, /* can_undo, can_redo */
} VgSessionChange;

/* What is shown of an output when another result has been kept beside. */
typedef enum {
  VG_COMPARE_OFF,        /* the present result */
  VG_COMPARE_KEPT,       /* the kept one */
  VG_COMPARE_DIFFERENCE, /* present - kept */
  VG_COMPARE_RATIO,      /* present / kept */
} VgCompare;

enum { VG_DISPLAY_ISOLINES = 16 }; /* that can be typed in */

/* How the shown output is looked at; one per output, so each keeps its own. */
typedef struct
{
  char colormap[32];
  gboolean auto_limits;
  double auto_low_percent, auto_high_percent; /* clipped at each end, e.g. 1 and 99 */
  double low, high;                           /* in force when auto_limits is FALSE */
  double gamma;
  gboolean log_scale;
  gboolean reversed;
  guint8 invalid_rgb[3];
  gboolean brightness; /* dimmed by the output that plays VG_ROLE_BRIGHTNESS */
  gboolean decades;    /* isolines at each decade between the limits, on a log scale */
  double isolines[VG_DISPLAY_ISOLINES]; /* and at these values, ascending */
  int n_isolines;
  gboolean underlay; /* the input lies under the map, */
  /* and so much of the map is seen over it, 0 to 1: the same for all outputs */
  double opacity;
} VgDisplay;

typedef struct
{
  double zoom;               /* screen pixels per image pixel; 0: fit */
  double center_x, center_y; /* image pixel at the middle */
  /* the part of a slide whose pixels these are (VgSlidePlace); 0: of none, or not known */
  double part_x, part_y, part_scale;
  int output; /* index into operation->outputs */
  /* VgCompare; neither saved nor undone, as the kept result is not */
  int compare;
  gint64 frame;
  int slice;
  double playback_fps; /* 0: as fast as possible */
  gboolean loop;
  gboolean smooth;      /* linear instead of nearest magnification */
  int length_unit;      /* VgLength: of axes, probe and parameters */
  gboolean proportions; /* one scale for x and y, where the pixels' size is known */
  gboolean axes;        /* where the pixels' size is known */
  gboolean overlay;     /* what the operation draws over its maps */
  gboolean mosaic;      /* all slices side by side */
  /* rows and columns of a volume as in the file; FALSE: as radiologists look at it */
  gboolean as_stored;
  gboolean outlines;       /* of the objects it finds */
  double outline_width;    /* of their lines, pixels of the screen */
  gboolean other_outlines; /* of the output that plays VG_ROLE_OUTLINES */
  /* of a data set's input under the map, from 1; 0: the mean over time */
  int underlay_frame;
  /* below the picture: one of vg_session_pages or a plot's id, static; NULL: none was chosen */
  const char *page;
} VgView;

typedef struct
{
  char *name;
  VgRegion region;
  guint8 rgb[3];
  gboolean selected;
} VgNamedRegion;

#define VG_TYPE_SESSION (vg_session_get_type ())
G_DECLARE_FINAL_TYPE (VgSession, vg_session, VG, SESSION, GObject)
/* signal "changed" (VgSession *, guint flags)
 * signal "cleared" (VgSession *, const char *label)  a region that was removed was the setting
 * called that */

/* Pages that every operation has; ended by NULL. */
extern const char *const vg_session_pages[];

VgSession *vg_session_new (const VgOperation *operation);
const VgOperation *vg_session_get_operation (VgSession *self);
/* Each operation keeps its own parameters, regions, view and inputs. */
void vg_session_set_operation (VgSession *self, const VgOperation *operation);

/* File names; empty: the synthetic source. */
const char *const *vg_session_get_inputs (VgSession *self);
void vg_session_set_inputs (VgSession *self, const char *const *paths);
/* Which of the runs that an input of settings holds the parameters came from,
 * from 0; other inputs start at the first. */
int vg_session_get_run (VgSession *self);
void vg_session_set_run (VgSession *self, int run);
/* What the engine wants kept beside the settings, packed (vg-checkpoint-text.h), out of the file
 * that was loaded, once; NULL: none.  No part of undo. */
char *vg_session_take_checkpoint (VgSession *self);
const char *vg_session_get_read_options (VgSession *self); /* NULL: none */
void vg_session_set_read_options (VgSession *self, const char *read_options);

const void *vg_session_get_params (VgSession *self);
void vg_session_set_number (VgSession *self, const VgParam *param, double value);
/* A region that becomes a setting is among the session's from then on. */
gboolean vg_session_set_text (VgSession *self, const VgParam *param, const char *text,
                              GError **error);
/* All at once, but for the counts of actions. */
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
/* The parameters to open INPUTS with, owned.  Values that belong to other data are left out
 * (vg_param_is_per_dataset). */
void *vg_session_params_for (VgSession *self, const char *const *inputs);
/* The defaults with the values of origin VG_ORIGIN_DERIVED and VG_ORIGIN_USER, owned.  Sets one of
 * ORIGINS for each parameter. */
void *vg_session_get_user_params (VgSession *self, VgOrigin *origins);
/* Sets the parameters that the user has not set to what INFO, the metadata of the session's inputs,
 * gives.  OTHER: these are other data than before, so values that belong to those are reset.  INFO
 * NULL: there is none. */
void vg_session_adopt (VgSession *self, const VgImageInfo *info, gboolean other);
/* Sets all parameters to PARAMS, which run RUN of the settings files gives, from 0. */
void vg_session_adopt_run (VgSession *self, int run, const void *params);

guint vg_session_get_n_regions (VgSession *self);
const VgNamedRegion *vg_session_get_region (VgSession *self, guint i);
/* All of them, NULL-terminated; free the array only. */
const VgNamedRegion **vg_session_list_regions (VgSession *self);
/* Named and coloured by itself; G_MAXUINT: there are 256 already, or it is
 * no region that could be saved (no size, too few points, not a number). */
guint vg_session_add_region (VgSession *self, const VgRegion *region);
/* Settings that hold the region's text go with it: a region that a setting
 * uses is moved, and taken away, with the setting. */
void vg_session_set_region (VgSession *self, guint i, const VgRegion *region);
/* PARAM, a region or a file that may be one, becomes region I, which takes
 * PARAM's label for a name unless it has got one of its own. */
void vg_session_use_region (VgSession *self, const VgParam *param, guint i);
/* PARAM may be a region and is the one whose text is REGION. */
gboolean vg_session_param_is_region (const VgParam *param, const void *params, const char *region);
void vg_session_rename_region (VgSession *self, guint i, const char *name);
/* -1: none */
void vg_session_select_region (VgSession *self, int i);
void vg_session_remove_region (VgSession *self, guint i);

const VgView *vg_session_get_view (VgSession *self);
void vg_session_set_view (VgSession *self, const VgView *view);
/* What the shown map is: the output, or its difference or ratio to a kept one,
 * with words, unit and centre of its own; valid until the next change. */
const VgOutput *vg_session_get_output (VgSession *self);
/* of the shown map */
const VgDisplay *vg_session_get_display (VgSession *self);
void vg_session_set_display (VgSession *self, const VgDisplay *display);

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
/* The present state is where undo ends: after the start. */
void vg_session_forget_history (VgSession *self);
void vg_session_undo (VgSession *self);
void vg_session_redo (VgSession *self);
/* The session as it is, with its undo steps; to go back takes the mark. */
typedef struct _VgSessionMark VgSessionMark;
VgSessionMark *vg_session_mark (VgSession *self);
void vg_session_mark_free (VgSessionMark *mark);
void vg_session_go_back (VgSession *self, VgSessionMark *mark);

/* The text form.  Parsing is all or nothing and never crashes on hostile
 * text; unknown keys are an error that names them. */
char *vg_session_to_text (VgSession *self);
/* As a file in FOLDER has it. */
char *vg_session_to_text_in (VgSession *self, const char *folder);
/* What undo turns back: without the view and the selection. */
char *vg_session_to_undoable_text (VgSession *self);
gboolean vg_session_from_text (VgSession *self, const char *text, gsize length, GError **error);
/* OUTCOMES: of operations that have been at work since the load (vg_pipeline_query_finish);
 * NULL: none. */
gboolean vg_session_save (VgSession *self, const char *path, GHashTable *outcomes, GError **error);
gboolean vg_session_load (VgSession *self, const char *path, GError **error);
/* The file that it was loaded from or saved as, until other data take the place of its own, or undo
 * goes back beyond; NULL: none. */
const char *vg_session_get_path (VgSession *self);
void vg_session_set_path (VgSession *self, const char *path);

G_END_DECLS
