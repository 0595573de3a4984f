/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-engine.h"
#include "kernels/core/vg-output.h"
#include "kernels/core/vg-overlay.h"
#include "kernels/core/vg-param.h"
#include "kernels/core/vg-settings-run.h"
#include "kernels/core/vg-tiles.h"
/* What a modality is: its words, its parameter and output tables, and one
 * engine per backend.  Everything else in the program works from these. */
G_BEGIN_DECLS

typedef enum {
  VG_INPUT_NONE,    /* a simulation: needs parameters only */
  VG_INPUT_STREAM,  /* frames, one after the other, maybe without end */
  VG_INPUT_DATASET, /* everything at once: a cube, a volume series, a picture */
} VgInputKind;

/* One row for each object of a label output.  The text output `table` holds comma-separated values:
 * the object's number, x and y of its seed and x and y of its centroid, in pixels, then `columns`.
 */
typedef struct
{
  const char *id, *label, *unit;
  gboolean brief; /* shown beside the pointer */
  /* the column that has the same quantity in pixels; the table may lack this one; NULL: none */
  const char *of;
} VgObjectColumn;

typedef struct
{
  const char *labels, *table;    /* outputs: the objects' numbers, and the text with a row each */
  const VgObjectColumn *columns; /* ended by id NULL */
} VgObjects;

typedef struct
{
  int width, height;
  gint64 frames; /* -1: live, without end */
  guint64 seed;
} VgSyntheticSize;

/* Built-in data whose truth is known: the demo, the live phantom, the tests. */
typedef struct
{
  VgSyntheticSize live, batch; /* the sizes the window and `demo` use */
  /* Sets the parameters that describe the synthetic instrument. */
  void (*settings) (void *params);
  gpointer (*open) (const void *params, const VgSyntheticSize *size, VgImageInfo *info,
                    GError **error);
  /* Fills one frame; any order, the same index gives the same frame. */
  gboolean (*read) (gpointer self, gint64 index, void *frame, GError **error);
  /* The true map of output I, or NULL when it has none, or with an error. */
  VgImage *(*truth) (gpointer self, guint i, GError **error);
  void (*close) (gpointer self);
  /* How far the median over the pixels of map / truth may be from 1 with
   * `settings` and the defaults; 0: 0.25. */
  double tolerance;
} VgSynthetic;

/* Work by tiles (vg-tiles.h). */
typedef struct
{
  /* What all tiles are to have in common: scales, thresholds, lengths.
   * CONTEXT's image is WHOLE itself or patches spread over it, its files are of WHOLE. */
  gpointer (*survey) (const VgContext *context, const VgImageInfo *whole, GError **error);
  void (*survey_free) (gpointer survey);
  /* Pixels about a core within which anything has a say in its result. */
  int (*halo) (gconstpointer survey);
  gpointer (*merge_new) (gconstpointer survey, const VgContext *context, const VgTiling *tiling,
                         const VgTileSink *sink, GError **error);
  /* TILE: from VgEngineObjects.tile, of core I. In order, each once. */
  gboolean (*merge) (gpointer self, gconstpointer tile, int i, GError **error);
  /* After the last tile: what is left to write, and the whole's numbers. */
  gboolean (*finish) (gpointer self, VgMetrics *metrics, GError **error);
  void (*merge_free) (gpointer self);
} VgTiled;

/* A page of curves; or, with `plane`, of a view-only output in true
 * proportions with what `overlay` draws over it: all else is then optional. */
typedef struct
{
  const char *id, *label;
  const char *plane;
  /* outputs that are a pixel's x and y in the plane: regions and the chosen pixel are marked there
   */
  const char *points[2];
  /* TABLE parameter of x, y, two radii and an angle (degrees): ellipses to drag over the plane */
  const char *ellipses;
  /* LABELS output, the number from 1 of each pixel's ellipse: shown when the first is drawn */
  const char *selection;
  /* there are no curves without: the empty page says which setting that is */
  VgCondition needs;
} VgPlot;

typedef struct
{
  const char *id, *title, *summary, *citation;
  VgInputKind input;
  int min_inputs, max_inputs; /* how many input files `run` takes; max -1: any */
  gboolean colour;            /* takes RGB; else a colour file is refused */
  /* what the input is called that lies under a map, "anatomy"; NULL: "input" */
  const char *underlay;
  /* of the maps over it at first, 0 to 1; 0: it does not lie there at first */
  double opacity;
  /* what it does with a part of a slide, "Segment"; NULL: "Work on" */
  const char *verb;
  /* takes decays: a stack that does not say what its pages are is of time bins */
  gboolean bins;
  /* by random numbers: backends agree within their errors, not sample by sample */
  gboolean statistical;
  /* minimised by iteration: backends agree to this part in 98 % of samples; 0: in all, to rounding
   */
  double agreement;
  VgParamTable params;
  const VgOutput *outputs;
  guint n_outputs;
  const VgOutputRole *roles; /* between outputs, ended by player NULL; NULL: none */
  /* INT parameter: units of work between two pictures of work in progress, which come at the
   * screen's rate; 0: as many as there is time for, and so it is where nobody watches (batch).
   * NULL: always so. */
  const char *pace;
  /* its maps fill up place by place: the last whole one stays in view for a second when one is
   * begun anew */
  gboolean fills;
  /* CHOICE parameter whose ways to compute are compared at a touch: a solver; or NULL */
  const char *compared_choice;
  guint first_shown; /* output that a new window and the preview show */
  const VgPlot *plots;
  guint n_plots;
  const VgEngine *cpu;          /* the CUDA engine is found in the module */
  const VgSynthetic *synthetic; /* optional */

  /* optional, all: */
  /* Checks settings that depend on each other. */
  gboolean (*validate) (const void *params, GError **error);
  /* Takes over what a file says of itself (exposure, bin width), for
   * parameters the user has not set. */
  void (*adopt) (void *params, const VgImageInfo *info);
  /* Whether data of such a shape are what it is made for: a file that the view
   * at hand can't take opens in the one view that suits it. */
  gboolean (*suits) (const VgImageInfo *info);
  /* After a person changed the parameters of which CHANGED (one per
   * parameter) is not FALSE (VG_CHANGED_TO_PRESET: to a preset by its name):
   * sets those that go along with them. */
  void (*follow) (void *params, const gboolean *changed);
  /* Frames before the current one that its map needs. */
  int (*history) (const void *params);
  /* Bytes that prepare would take. */
  void (*memory) (const void *params, const VgImageInfo *info, gsize *host, gsize *device);
  /* What to choose when that is too much: "smaller windows or a smaller image" when NULL. */
  const char *memory_advice;
  /* An input that is a settings text (such as .mci), called NAME in messages:
   * its runs (VgSettingsRun, one at least), each PARAMS with what the text
   * says; NULL and error: not one. */
  GPtrArray *(*read_settings) (const char *name, const char *text, gsize length, const void *params,
                               GError **error);
  /* How names of such texts end, ".mci", the list by NULL: a file named so is no other's, what is
   * wrong with it is an error.  NULL: what can't be read may be another's. */
  const char *const *settings_suffixes;
  /* The unit that output I's values have with PARAMS, where that is a setting; NULL: the table's.
   */
  const char *(*unit) (const void *params, guint i);
  /* NULL: needs its data in one piece. */
  const VgTiled *tiled;
  const VgObjects *objects; /* of one label output; NULL: none */
  /* What is drawn over the map of output I: boundaries, the beam.  INFO is NULL without
   * data.  NULL: nothing. */
  VgOverlay *(*overlay) (const void *params, const VgImageInfo *info, guint i);
} VgOperation;

/* The registry: every built operation, in the order of the view switcher. */
const VgOperation *const *vg_operations (guint *n);
const VgOperation *vg_operation_find (const char *id);
/* -1: none */
int vg_operation_find_output (const VgOperation *self, const char *id);
/* The id of what plays ROLE for OUTPUT (an id; NULL: for every output); NULL: nothing does. */
const char *vg_operation_get_role (const VgOperation *self, VgRole role, const char *output);
/* The index of the output that plays ROLE for OUTPUT; -1: none. */
int vg_operation_find_role (const VgOperation *self, VgRole role, const char *output);
/* The index of the object table's output; -1: none. */
int vg_operation_find_objects (const VgOperation *self);
/* FALSE: with PARAMS there is no map at all, numbers, plots and texts only. */
gboolean vg_operation_has_maps (const VgOperation *self, const void *params);
gboolean vg_operation_output_is_shown (const VgOperation *self, guint i, const void *params);
/* What to set for plot I to have curves, as a sentence (owned); NULL: nothing. */
char *vg_operation_plot_needs (const VgOperation *self, guint i, const void *params);
/* The unit of output I with PARAMS, "" when it has none. */
const char *vg_operation_output_unit (const VgOperation *self, guint i, const void *params);
/* Adds to NUMBERS what each map that exists with PARAMS has in VALUES (one per output, NaN: none),
 * an error behind what it is of. */
void vg_operation_add_outputs (const VgOperation *self, const void *params, const float *values,
                               VgMetrics *metrics);

G_END_DECLS
