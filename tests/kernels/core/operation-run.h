/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "kernels/core/vg-operation.h"
/* An operation with data of its own, of any input kind, and an engine driven
 * through its life cycle; for tests that know no operation by name. */
G_BEGIN_DECLS

/* Byte that fresh memory holds (set by main), so that a float nobody wrote is
 * recognised. */
enum { POISON = 0xa5 };

/* The defaults, as the synthetic instrument needs them for data of this size. */
gpointer default_params (const VgOperation *operation, int width, int height);
void free_params (const VgOperation *operation, gpointer params);

typedef struct
{
  const VgOperation *operation;
  VgImageInfo info;
  gpointer synthetic; /* NULL: frames of random numbers */
  guint32 seed;
  gint64 frames;    /* of the synthetic data; read round and round */
  GPtrArray *read;  /* those made so far, because photons take long to throw; NULL: not yet */
  VgImage *image;   /* VG_INPUT_DATASET */
  int frames_alive; /* handed out and not yet released */
} Input;

/* The operation's synthetic data for PARAMS, or random grey frames when it has
 * none. */
Input *input_new (const VgOperation *operation, const void *params, int width, int height,
                  guint64 seed);
void input_free (Input *self);

/* The next unit of work: a frame is fed when the last one is done with, then
 * one step.  TRUE while there is more to come. */
typedef struct
{
  const VgEngine *engine;
  Input *input;
  gpointer state;
  gint64 next, frames; /* frame to feed; how many: the first map's and a few more */
  VgStep last;
  int maps; /* steps that ended in DONE */
  int steps;
} Run;

/* Frames of INPUT that a run with PARAMS needs. */
gint64 run_count_frames (const VgOperation *operation, const void *params);
/* NULL and the error when prepare refuses. */
Run *run_new (const VgEngine *engine, Input *input, const void *params, int threads,
              GError **error);
gboolean run_advance (Run *self);
void run_finish (Run *self); /* to the end of the input */
/* at any moment; input_free checks that every frame came back */
void run_free (Run *self);

/* All planes at once, copied to the host. */
typedef struct
{
  guint n;
  VgPlane *planes; /* data NULL: not computed */
} Maps;

Maps *run_read (Run *self, const VgCuda *cuda, gboolean backwards);
void maps_free (Maps *self);
/* The largest difference in OUTPUT, relative to the larger magnitude of a
 * sample; NaN equals NaN; INFINITY when one is NaN or sizes differ. */
double maps_difference (const Maps *a, const Maps *b, guint output);
/* The largest among the first N outputs.  *WHERE: the output. */
double maps_compare (const Maps *a, const Maps *b, guint n, guint *where);
/* The largest share among the outputs of samples that differ by more than the
 * part TOLERANCE of the larger one. */
double maps_share (const Maps *a, const Maps *b, guint n, double tolerance, guint *where);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Input, input_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Maps, maps_free)

/* One function per aspect; DATA is the operation. */
void check_words (gconstpointer data);
void check_parameters (gconstpointer data);
void check_outputs (gconstpointer data);
void check_members (gconstpointer data);
void check_hostile (gconstpointer data);
void check_sizes (gconstpointer data);
void check_settings (gconstpointer data);
void check_update (gconstpointer data);
void check_repeat (gconstpointer data);
void check_cancel (gconstpointer data);
void check_queries (gconstpointer data);
void check_truth (gconstpointer data);
void check_backends (gconstpointer data);

G_END_DECLS
