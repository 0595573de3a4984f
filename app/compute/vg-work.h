/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-cuda.h"
#include "io/source/vg-source.h"
/* One operation at work: chooses the engine, prepares its state, and moves
 * the work to the CPU when the GPU fails.  Used by the batch loop and by the
 * compute thread of the window, so both give the same results.
 *
 * One thread at a time calls into a work.  Whenever the state is made anew
 * (prepare, set_params, or the change to the CPU inside feed, step and
 * read_output) the generation goes up: the new state knows no frame, and
 * the caller feeds the history again, then the current frame. */
G_BEGIN_DECLS

typedef enum { VG_BACKEND_AUTO, VG_BACKEND_CPU, VG_BACKEND_CUDA } VgBackend;

typedef struct _VgWork VgWork;

typedef enum {
  VG_WORK_UNCHANGED, /* the same settings: nothing to do */
  /* taken in place: step again (a stream: feed the current frame again, unless step gives a map) */
  VG_WORK_UPDATED,
  VG_WORK_PREPARED, /* a new state: feed the history again */
  VG_WORK_REFUSED,  /* error is set.  Settings that do not fit: the old state goes on;
                     * prepare failed: there is no state until the next set_params */
} VgWorkChange;

/* "auto", "cpu", "cuda"; VG_USAGE_ERROR for anything else. */
gboolean vg_backend_parse (const char *text, VgBackend *backend, GError **error);

/* The registered engines of OPERATION.  THREADS 0: all cores.  DEVICE: the
 * CUDA ordinal to use first (the display's), 0 when there is no display.
 * NULL and VG_GPU_ERROR_ABSENT when CUDA is demanded and can not be had. */
VgWork *vg_work_new (const VgOperation *operation, VgBackend backend, int threads, int device,
                     GError **error);
/* The same with given engines, for tests; GPU and CUDA may be NULL. */
VgWork *vg_work_new_with_engines (const VgOperation *operation, const VgEngine *cpu,
                                  const VgEngine *gpu, const VgCuda *cuda, VgBackend backend,
                                  int threads, int device, GError **error);
void vg_work_free (VgWork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgWork, vg_work_free)

/* Checks PARAMS (operation->validate), loads the FILE parameters (kept by
 * path and time of change), checks that the state fits into memory, and makes
 * it.  INFO: of the frames or the data, copied; NULL for VG_INPUT_NONE.
 * IMAGE: the data set of VG_INPUT_DATASET, a reference is taken; else NULL.
 * After a failure, where there was no state before, set_params tries again on the same data. */
gboolean vg_work_prepare (VgWork *self, const void *params, const VgImageInfo *info, VgImage *image,
                          GError **error);
/* What prepare looks at while it works (VgContext.stop), borrowed: given up, it fails with
 * G_IO_ERROR_CANCELLED. */
void vg_work_set_stop (VgWork *self, const gint *stop);
/* Gives the state back, with every frame it holds; prepare makes a new one. */
void vg_work_reset (VgWork *self);
/* For the next state that is made: go on from OUTCOME (VgEngine.outcome), if it is of the same
 * settings and data. */
void vg_work_bring (VgWork *self, GBytes *checkpoint);
/* What a session is to keep of the state; NULL: it follows from settings and data. */
GBytes *vg_work_checkpoint (VgWork *self);
/* A new state with the same settings; FALSE: there is none. */
gboolean vg_work_restart (VgWork *self, GError **error);
/* In place, or not at all: FALSE. */
gboolean vg_work_update (VgWork *self, const void *params);
/* In place when the engine can, else prepares again. */
VgWorkChange vg_work_set_params (VgWork *self, const void *params, GError **error);
/* TRUE also when the work just moved to the CPU: compare the generation. */
gboolean vg_work_feed (VgWork *self, VgFrame *frame, GError **error);
/* When the work just moved to the CPU: WAIT for a stream, else MORE. */
VgStep vg_work_step (VgWork *self, double budget_s, GError **error);
/* The plane of output I, borrowed until the next call; FALSE: not computed
 * with these settings, not a plane, or no state. */
gboolean vg_work_output (VgWork *self, guint i, VgPlane *plane);
/* The same in host memory, in *VALUES (grown with g_realloc, *CAPACITY
 * samples; both start as NULL and 0).  FALSE without error: not computed.
 * A failing GPU: moves to the CPU, FALSE without error, generation changed. */
gboolean vg_work_read_output (VgWork *self, guint i, VgPlane *plane, float **values,
                              gsize *capacity, GError **error);

/* Makes sure that the samples of PLANE, of the device that the work uses, are in host memory: in
 * *OWNED, for g_free, if they were copied.  FALSE: no memory, or the device has failed. */
gboolean vg_work_copy_to_host (VgWork *self, VgPlane *plane, float **owned);
/* The output that plays ROLE for output I and has the size of PLANE; FALSE: there is none. */
gboolean vg_work_find_beside (VgWork *self, VgRole role, guint i, const VgPlane *plane,
                              VgPlane *beside);
/* Sets *NOISE to the value below which PLANE, of output I, is mostly noise (vg_display_get_noise).
 * FALSE: it is not known, because the output has no map of its error in %. */
gboolean vg_work_find_noise (VgWork *self, guint i, const VgPlane *plane, double *noise);

guint vg_work_get_generation (VgWork *self); /* 0: never prepared */
gboolean vg_work_is_ready (VgWork *self);    /* has a state */
/* each step's picture is to be seen before the next (VgViewHints.step_param) */
gboolean vg_work_is_paced (VgWork *self);
const void *vg_work_get_params (VgWork *self);      /* as prepared or updated; NULL before */
const VgImageInfo *vg_work_get_info (VgWork *self); /* NULL: none */
const VgImage *vg_work_get_image (VgWork *self);    /* the data set; NULL: none */
const VgOperation *vg_work_get_operation (VgWork *self);
/* frames before the current one that its map needs */
int vg_work_get_history (VgWork *self);
VgBackend vg_work_get_backend (VgWork *self);  /* CPU or CUDA: the one in use */
const VgCuda *vg_work_get_cuda (VgWork *self); /* NULL: the CPU engine is in use */
const char *vg_work_get_device (VgWork *self); /* "NVIDIA H200" or "CPU, 8 threads" */
/* What people should know ("the GPU failed: ..., going on on the CPU"), once;
 * owned by the caller, NULL: nothing. */
char *vg_work_take_notice (VgWork *self);

double vg_work_progress (VgWork *self);    /* 0..1; negative: not known */
VgMetrics *vg_work_results (VgWork *self); /* never NULL */
/* FALSE and an error that says why: the work is done, and nothing came of it. */
gboolean vg_work_check (VgWork *self, GError **error);
/* `n` 0: none; borrowed until the next call */
gboolean vg_work_outlines (VgWork *self, VgOutlines *outlines, GError **error);
VgOverlay *vg_work_overlay (VgWork *self, guint output);                /* NULL: none */
VgCurves *vg_work_sample (VgWork *self, double x, double y, int slice); /* NULL: none */
VgCurves *vg_work_sample_region (VgWork *self, const VgRegion *region); /* NULL: none */
VgCurves *vg_work_plot (VgWork *self, guint plot);
/* What output I has at sample X, Y of SLICE; FALSE and an error: nothing is there. */
gboolean vg_work_probe (VgWork *self, guint i, const int xyz[3], float *value, GError **error);
/* Adds to the numbers of CURVES what each map is of all that the curves are of: CURVES' outputs, or
 * where those are not known, and the maps lie over the input, what the maps have at sample X, Y of
 * SLICE. */
void vg_work_tell_values (VgWork *self, VgCurves *curves, double x, double y, int slice);
/* The text of output I; *FILE_NAME is set (owned). */
char *vg_work_text (VgWork *self, guint i, char **file_name, GError **error);

/* Work by tiles (operation->tiled): first a look at the whole by way of
 * SAMPLE, then prepare and steps for each tile in order, whose corner in the
 * whole is (X, Y). */
gboolean vg_work_calibrate (VgWork *self, const void *params, const VgImageInfo *whole,
                            const VgImage *sample, GError **error);
gconstpointer vg_work_get_calibration (VgWork *self);
gpointer vg_work_new_merge (VgWork *self, const void *params, const VgTiling *tiling,
                            const VgTileSink *sink, GError **error);
gboolean vg_work_prepare_tile (VgWork *self, const void *params, VgImage *tile, int x, int y,
                               GError **error);
/* What merge takes; NULL without error: the work has just moved to the CPU, step again. */
gconstpointer vg_work_tile (VgWork *self, GError **error);
/* Back to data in one piece. */
void vg_work_end_tiles (VgWork *self);

/* The frames in FILES (several: one series, all of one size), or the
 * synthetic ones when FILES is NULL or empty; SIZE NULL: the demo's. */
VgSource *vg_work_open_source (const VgOperation *operation, const void *params,
                               const char *const *files, const char *read_options,
                               const VgSyntheticSize *size, GError **error);
/* The data set in FILES (decoded by io; several: their frames follow each
 * other, all of one size), or the synthetic one when FILES is NULL or empty;
 * SIZE NULL: the demo's. */
VgImage *vg_work_load_dataset (const VgOperation *operation, const void *params,
                               const char *const *files, const char *read_options,
                               const VgSyntheticSize *size, GError **error);
/* The same; SLIDE: the look at its slide (VgImage.slide) that another part has, taken over where
 * this part is of the same level of the same file; or NULL. */
VgImage *vg_work_load_part (const VgOperation *operation, const void *params,
                            const char *const *files, const char *read_options,
                            const VgSyntheticSize *size, VgImage *slide, GError **error);

G_END_DECLS
