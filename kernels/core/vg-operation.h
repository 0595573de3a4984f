/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-engine.h"
#include "kernels/core/vg-output.h"
#include "kernels/core/vg-overlay.h"
#include "kernels/core/vg-param.h"
#include "kernels/core/vg-settings-run.h"
#include "kernels/core/vg-tiles.h"
/* An operation: its texts, its tables of parameters and outputs, an engine for
 * each backend, and the optional interfaces that it needs.  The rest of the
 * program works from these and knows no operation by name. */
G_BEGIN_DECLS

typedef enum {
  VG_INPUT_NONE,    /* a simulation: settings only */
  VG_INPUT_STREAM,  /* one frame after the other, possibly without end */
  VG_INPUT_DATASET, /* all data at once: a cube, a volume series, an image */
} VgInputKind;

/* Both ends included; 0: no limit. */
typedef struct
{
  gint64 min, max;
} VgInputRange;

/* The data that an operation accepts. */
typedef struct
{
  VgInputKind kind;
  int files[2];          /* fewest and most input files; most -1: any number */
  VgInputRange channels; /* more than 1: colour is kept; max 0: no image is accepted */
  VgInputRange bins;     /* at least 2: pages without metadata are time bins */
  VgInputRange slices, frames;
  gboolean curves;           /* a table of curves is accepted */
  gboolean placed_is_volume; /* a slice with a known position in the patient counts as a volume */
  const char *formats;       /* that it opens, as text: "NIfTI and TIFF" */
  const char *suffixes;      /* usual endings of such files, without dots, separated by blanks */
  /* Of a stream: the number of frames before the current one that a map needs.  NULL: none. */
  int (*history) (const void *params);
  /* Of a stream: the settings that are for frames whose exposure time differs from one to the next,
   * in a cycle.  Its id NULL: there are none. */
  VgCondition exposure_cycle;
} VgInputSpec;

/* Whether a file called NAME usually is one of these; upper and lower case are the same. */
gboolean vg_input_spec_has_suffix (const VgInputSpec *self, const char *name);

/* Whether images of this shape are what the operation is made for. */
gboolean vg_input_spec_accepts (const VgInputSpec *self, const VgImageInfo *info);
/* The samples of a pixel are time bins. */
gboolean vg_input_spec_has_bins (const VgInputSpec *self);
gboolean vg_input_spec_has_color (const VgInputSpec *self);

/* One row for each object of a label output.  The text output `table` holds comma-separated values:
 * the object's number, x and y of its seed and x and y of its centroid, in pixels, then `columns`.
 * The last column may be "region", which the program fills in with the names of the regions that
 * contain the centroid. */
typedef struct
{
  const char *id, *label, *unit;
  gboolean brief; /* shown among the first columns of the table */
  /* the column that has the same quantity in pixels; the table may lack this one; NULL: none */
  const char *of;
  gboolean optional; /* the table may lack it */
} VgObjectColumn;

typedef struct
{
  const char *labels, *table;    /* outputs: the objects' numbers, and the text with a row each */
  const VgObjectColumn *columns; /* ended by id NULL */
  /* the column that is larger the more likely an object is wrong; NULL: none */
  const char *doubt;
} VgObjects;

typedef struct
{
  int width, height;
  gint64 frames; /* -1: live, without end */
  guint64 seed;
  int sample; /* index into VgSynthetic.samples; 0: the first */
} VgSyntheticSize;

/* What the user can make happen in a live sample, such as closing a vessel, as long as a button is
 * pressed. */
typedef struct
{
  const char *begin, *end; /* texts of the button: before it is pressed, and while it is */
  const char *help;        /* a sentence or two */
} VgSampleEvent;

/* One of the synthetic data sets of an operation. */
typedef struct
{
  const char *id, *title, *description; /* the description is a sentence or two */
  const VgSampleEvent *event;           /* of live data; NULL: none */
} VgSample;

/* Synthetic data with a known ground truth, for the demo, the live phantom and the tests. */
typedef struct
{
  const VgSample *samples;     /* at least one, ended by id NULL; the first is the default */
  VgSyntheticSize live, batch; /* what the window and `demo` use */
  /* Sets the parameters that describe the synthetic instrument, for data of SIZE.  NULL: there are
   * none. */
  void (*settings) (const VgSyntheticSize *size, void *params);
  /* Region I that is marked in the data besides those that are parameters: its text (vg-region.h),
   * owned, and *NAME.  Returns NULL if there are no more.  NULL: there are none. */
  char *(*mark) (const VgSyntheticSize *size, guint i, const char **name);
  /* Describes the frames in INFO.  NULL and an error. */
  gpointer (*open) (const void *params, const VgSyntheticSize *size, VgImageInfo *info,
                    GError **error);
  /* Fills FRAME, of vg_image_info_frame_bytes.  The frames may be read in any order, and an index
   * always gives the same frame. */
  gboolean (*read) (gpointer self, gint64 index, void *frame, GError **error);
  /* The true map of output I, new; NULL where it is not known, or with an error. */
  VgImage *(*truth) (gpointer self, guint i, GError **error);
  void (*close) (gpointer self);
  /* Begins the sample's event (ON) or ends it, from the frame after the newest that was read.  The
   * frames before are as they were.  Returns the time from which it counts, s.  Any thread may call
   * it while another one reads.  NULL: no sample has an event. */
  double (*trigger) (gpointer self, gboolean on);
  /* Largest deviation of the median of map / truth from 1 with `settings` and the defaults; 0:
   * 0.25. */
  double tolerance;
  /* Largest relative difference between the backends in 98 % of the samples, for fits that
   * iterate; 0: equal to rounding in all; negative: random numbers, equal within their errors. */
  double agreement;
} VgSynthetic;

/* Images that are too large for one piece (vg-tiles.h): the engine processes one tile after the
 * other, and these functions stitch the results.  All are required. */
typedef struct
{
  /* Computes what all tiles share: scales, thresholds, lengths.  CONTEXT's image is WHOLE itself
   * or patches spread over it, and its files belong to WHOLE. */
  gpointer (*calibrate) (const VgContext *context, const VgImageInfo *whole, GError **error);
  void (*calibration_free) (gpointer calibration);
  /* The width, in pixels, of the margin around a core that affects its result. */
  int (*halo) (gconstpointer calibration);
  gpointer (*merge_new) (gconstpointer calibration, const VgContext *context,
                         const VgTiling *tiling, const VgTileSink *sink, GError **error);
  /* Adds TILE, from VgEngineObjects.tile, of core I.  Every core comes once, in order. */
  gboolean (*merge) (gpointer self, gconstpointer tile, int i, GError **error);
  /* After the last tile: writes the rest and adds the metrics of the whole image. */
  gboolean (*finish) (gpointer self, VgMetrics *metrics, GError **error);
  void (*merge_free) (gpointer self);
  /* Adds to ALL the metrics of N regions of a slide together, from those of each. */
  void (*sum) (const VgMetrics *const *regions, guint n, VgMetrics *all);
} VgTiled;

/* A page that shows a view-only output in true proportions instead of curves. */
typedef struct
{
  const char *output;
  /* outputs that give the position of each pixel in the plane: regions and the selected pixel are
   * marked there; NULL: they are not */
  const char *points[2];
  /* TABLE parameter of x, y, two radii and an angle in degrees: ellipses that the user drags */
  const char *ellipses;
  /* label output with the number, from 1, of each pixel's ellipse: it is shown as soon as there is
   * an ellipse */
  const char *selection;
} VgPlaneSpec;

typedef struct
{
  const char *id, *label;
  VgCondition needs;        /* the settings without which there are no curves */
  const VgPlaneSpec *plane; /* NULL: curves */
  /* id of the metric whose advice says that this plot is wrong: it is said in the plot; NULL: none
   */
  const char *caution;
} VgPlot;

/* What a new view shows and how it follows the work. */
typedef struct
{
  guint first_output;
  const char *first_page; /* id of a plot, or "objects"; NULL: the first plot */
  double opacity;         /* of the maps over the underlay, 0 to 1; 0: the underlay is off */
  /* Maps fill up pixel by pixel: the last complete one is shown for a second when work begins
   * again. */
  gboolean keeps_last_map;
  /* INT parameter with the units of work per displayed image, 0: as many as possible; ignored
   * without a window.  NULL: always as many as possible. */
  const char *step_param;
  const char *compare_param; /* CHOICE parameter of algorithms to compare; NULL: none */
  const char *key_metric;    /* id of the metric that is shown largest; NULL: none */
} VgViewHints;

typedef struct
{
  /* Bytes that `prepare` would allocate.  INFO is NULL without data. */
  void (*estimate) (const void *params, const VgImageInfo *info, gsize *host, gsize *device);
  const char *advice; /* what to choose when memory is short; NULL: a smaller image */
} VgMemory;

/* What was found in the data for a parameter whose value may be a region. */
typedef struct
{
  const char *param; /* its id, a static string */
  /* the region's pixels, U8, 1 inside: of one slice, or of all slices; NULL: nothing was found */
  VgImage *mask;
  gboolean doubtful; /* the region may be wrong, so it is not to be used unseen */
  int slice;         /* of the mask; of all slices, the one with the most voxels */
  char *note;        /* what was found: English sentences, one a line; owned */
} VgFinding;

void vg_finding_free (gpointer self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFinding, vg_finding_free)

/* Regions that the operation finds in its data, such as vessels. */
typedef struct
{
  /* Returns a VgFinding for each empty parameter for which a region would have an effect.  NULL and
   * an error: the data are unsuitable, memory is short, or the context is stopped, which it checks
   * between long pieces of work; the error is then ignored. */
  GPtrArray *(*run) (const VgContext *context, GError **error);
  const char *label, *help; /* the command's title, and a sentence on it */
} VgFind;

/* Input files that hold settings instead of samples, such as .mci. */
typedef struct
{
  /* The runs in TEXT as VgSettingsRun, at least one, each PARAMS with what the text sets.  NAME is
   * for messages.  NULL and an error: TEXT is no such file. */
  GPtrArray *(*read) (const char *name, const char *text, gsize length, const void *params,
                      GError **error);
  /* Endings of file names that only this operation reads, ended by NULL.  NULL: a file that cannot
   * be read may belong to another operation. */
  const char *const *suffixes;
} VgImport;

/* A recording that comes with the program, for the window's gallery. */
typedef struct
{
  const char *path; /* below the folder of example data, such as "contour/dsb01.tif" */
  const char *title, *description, *source, *licence;
  const char *const *settings; /* that suit it, each "id=value", ended by NULL; NULL: none */
} VgExample;

/* What the settings say of the plane of the maps. */
typedef struct
{
  /* What is drawn over the map of output I, new; INFO is NULL without data.  NULL: nothing. */
  VgOverlay *(*overlay) (const void *params, const VgImageInfo *info, guint i);
  /* The size of a pixel, in the unit of the maps: regions and annotations keep their place in it.
   * NULL: the data have it. */
  void (*pixel_size) (const void *params, double size[2]);
} VgPlaneHints;

typedef struct
{
  const char *id, *title, *summary, *citation;
  VgInputSpec input;
  VgParamTable params;
  const VgOutput *outputs;
  guint n_outputs;
  const VgOutputRole *roles; /* ended by player NULL; or NULL */
  const VgPlot *plots;
  guint n_plots;
  VgViewHints view;
  const VgEngine *cpu; /* the CUDA module has the other one */
  const VgSynthetic *synthetic;

  /* All of these are optional. */
  /* FALSE and an error: settings that depend on each other do not fit. */
  gboolean (*validate) (const void *params, GError **error);
  /* Sets parameters from a file's metadata; the caller keeps those that the user has set. */
  void (*adopt) (void *params, const VgImageInfo *info);
  /* Sets the parameters that depend on changed ones.  CHANGED has one flag per parameter, or
   * VG_CHANGED_TO_PRESET where the user named a preset. */
  void (*on_params_changed) (void *params, const gboolean *changed);
  const VgPlaneHints *plane; /* NULL: nothing is set */
  const VgMemory *memory;
  const VgTiled *tiled;
  const VgObjects *objects;
  const VgImport *import;
  const VgFind *find;
  const VgExample *examples; /* ended by path NULL */
} VgOperation;

/* All N operations of this build, in the order of the view switcher. */
const VgOperation *const *vg_operations (guint *n);
/* NULL: there is no such operation. */
const VgOperation *vg_operation_find (const char *id);
/* Sets SIZE->sample to the one named ID; NULL: the first.  FALSE and VG_USAGE_ERROR: SELF has no
 * such sample; SIZE is as before. */
gboolean vg_operation_choose_sample (const VgOperation *self, const char *id, VgSyntheticSize *size,
                                     GError **error);
/* Whether anything is drawn over its maps (VgPlaneHints). */
gboolean vg_operation_has_overlay (const VgOperation *self);
/* The index of an output; -1: none. */
int vg_operation_find_output (const VgOperation *self, const char *id);
/* The id of what plays ROLE for OUTPUT (an id; NULL: for every output); NULL: nothing does. */
const char *vg_operation_get_role (const VgOperation *self, VgRole role, const char *output);
/* The index of the output that plays ROLE for OUTPUT; -1: none. */
int vg_operation_find_role (const VgOperation *self, VgRole role, const char *output);
/* As above, for the standard errors of output I, if they are relative (VG_ROLE_ERROR); else -1. */
int vg_operation_find_relative_error (const VgOperation *self, guint i);
/* The index of the object table's output; -1: none. */
int vg_operation_find_objects (const VgOperation *self);
/* The number of earlier frames that a map needs with PARAMS. */
int vg_operation_get_history (const VgOperation *self, const void *params);
/* Whether PARAMS are for frames whose exposure time differs from one to the next. */
gboolean vg_operation_cycles_exposures (const VgOperation *self, const void *params);
/* FALSE: PARAMS exclude every map, so that there are only metrics, plots and texts. */
gboolean vg_operation_has_maps (const VgOperation *self, const void *params);
gboolean vg_operation_output_is_shown (const VgOperation *self, guint i, const void *params);
/* A sentence with the setting that plot I needs for its curves, owned; NULL: it has them. */
char *vg_operation_plot_needs (const VgOperation *self, guint i, const void *params);
/* The label of output I with PARAMS, in English. */
const char *vg_operation_output_label (const VgOperation *self, guint i, const void *params);
/* The unit of output I with PARAMS; "" without a unit. */
const char *vg_operation_output_unit (const VgOperation *self, guint i, const void *params);
/* Adds a metric for each map that exists with PARAMS.  VALUES has one value for each output; NaN is
 * a missing value. */
void vg_operation_add_outputs (const VgOperation *self, const void *params, const float *values,
                               VgMetrics *metrics);

G_END_DECLS
