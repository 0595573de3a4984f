/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "app/compute/vg-followed-regions.h"
#include "kernels/core/vg-cuda.h"
#include "io/source/vg-source.h"
/* An engine state with its inputs: chooses the engine, prepares its state, and moves the work to
 * the CPU when the GPU fails.  The batch loop and the compute thread of the window both use it, so
 * both give the same results.
 *
 * One thread at a time calls into a work.  The generation rises whenever the work gets a new engine
 * state (in prepare, in set_params, or when feed, step or read_output move to the CPU).  The new
 * state knows no frame: the caller feeds the history again, then the current frame. */
G_BEGIN_DECLS

typedef enum { VG_BACKEND_AUTO, VG_BACKEND_CPU, VG_BACKEND_CUDA } VgBackend;

typedef struct _VgWork VgWork;

typedef enum {
  VG_WORK_UNCHANGED, /* the same settings: nothing to do */
  /* updated in place: step again (a stream: feed the current frame again if step gives no map) */
  VG_WORK_UPDATED,
  VG_WORK_PREPARED, /* a new state: feed the history again */
  /* an error is set.  If the settings are invalid, the old state stays; if prepare failed, there is
   * no state until the next set_params */
  VG_WORK_REFUSED,
} VgWorkChange;

/* "auto", "cpu", "cuda"; VG_USAGE_ERROR for anything else. */
gboolean vg_backend_parse (const char *text, VgBackend *backend, GError **error);

/* A work with the registered engines of OPERATION.  THREADS 0: all cores.  VG_GPU_ERROR_ABSENT:
 * BACKEND is CUDA, which is missing. */
VgWork *vg_work_new (const VgOperation *operation, VgBackend backend, int threads, GError **error);
/* The same with given engines, for tests; GPU and CUDA may be NULL. */
VgWork *vg_work_new_with_engines (const VgOperation *operation, const VgEngine *cpu,
                                  const VgEngine *gpu, const VgCuda *cuda, VgBackend backend,
                                  int threads, GError **error);
void vg_work_free (VgWork *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgWork, vg_work_free)

/* Validates PARAMS, loads the files that they name, checks that the engine state fits into memory,
 * and prepares it.  INFO, of the frames or of the data set, is copied; NULL for VG_INPUT_NONE.
 * IMAGE is the data set of VG_INPUT_DATASET, referenced, or NULL.  If it fails and there was no
 * state before, set_params tries again on the same data. */
gboolean vg_work_prepare (VgWork *self, const void *params, const VgImageInfo *info, VgImage *image,
                          GError **error);
/* As long as the value of PARAM, a file, is NAME, IMAGE (referenced) is its content; NULL: none.
 * The next prepare uses it. */
void vg_work_give_file (VgWork *self, const VgParam *param, const char *name, VgImage *image);
/* When *STOP, which is borrowed, becomes non-zero, prepare fails with G_IO_ERROR_CANCELLED. */
void vg_work_set_stop (VgWork *self, const gint *stop);
/* While IS_REPLACED returns TRUE, newer settings wait: computing the baseline again
 * (vg_work_keep_baseline) ends early, and the next feed without newer settings completes it. */
void vg_work_set_replaced (VgWork *self, gboolean (*is_replaced) (gpointer data), gpointer data);
/* Makes the gint at STOP non-zero: a handler for the signal "cancelled" of CANCELLABLE. */
void vg_work_raise_stop (GCancellable *cancellable, gpointer stop);
/* During a long preparation, the thread that prepares calls REPORT with the fraction that is DONE,
 * 0 to 1. */
void vg_work_set_report (VgWork *self, void (*report) (gpointer data, double done), gpointer data);
/* Divides the work among RANKS, each on one GPU or all on CPUs.  A stream and tiles are not
 * divided: the first rank computes them.  *IDLE: this rank has nothing to do.  FALSE with an error:
 * only some ranks have a GPU.  Called before prepare. */
gboolean vg_work_set_ranks (VgWork *self, const VgRanks *ranks, gboolean *idle, GError **error);
/* The regions that the operation finds in IMAGE for the parameters that are empty in PARAMS: an
 * owned array of VgFinding.  If IMAGE or PARAMS is NULL, that of the present state is used; the
 * state does not change.  NULL and an error: the data are unsuitable, memory is short, or
 * (G_IO_ERROR_CANCELLED) the work is stopped. */
GPtrArray *vg_work_find (VgWork *self, const void *params, VgImage *image, GError **error);
/* Frees the engine state and the frames that it holds; prepare makes a new one. */
void vg_work_reset (VgWork *self);
/* The next engine state resumes from CHECKPOINT if that was saved with the same settings and data.
 * NULL: it does not resume. */
void vg_work_set_checkpoint (VgWork *self, GBytes *checkpoint);
/* The checkpoint of the state for a session, owned; NULL: the operation has none. */
GBytes *vg_work_checkpoint (VgWork *self);
/* Prepares a new state with the same settings; FALSE and an error: there is no state. */
gboolean vg_work_restart (VgWork *self, GError **error);
/* Updates the state in place; FALSE: these settings need a new state, and nothing was changed. */
gboolean vg_work_update (VgWork *self, const void *params);
/* Updates the state in place if the engine can, else prepares a new one. */
VgWorkChange vg_work_set_params (VgWork *self, const void *params, GError **error);
/* From now on the frames of the baseline (VgEngineBaseline) are kept, if they need at most 512 MB
 * and at most a quarter of the free memory.  If other settings, or another device, need a new
 * baseline, it is computed from these frames; without them it is ABSENT.  If this function was not
 * called, another baseline is collected. */
void vg_work_keep_baseline (VgWork *self);
/* After set_params has updated the state in place: keeps the frames of RECENT (of VgFrame) if a
 * baseline has begun with the last of them. */
void vg_work_keep_recent (VgWork *self, const GQueue *recent);
VgBaselineState vg_work_get_baseline (VgWork *self);
/* Sets the exposure time of the camera from now on, ms; prepare reads it from INFO.  Parameters
 * that have adopted this value follow the exposure time of each frame (VgFrame.exposure_ms). */
void vg_work_set_camera_exposure (VgWork *self, double ms);
/* TRUE also when the work has a new state without the frame, because it just moved to the CPU or
 * had to compute the baseline: compare the generation. */
gboolean vg_work_feed (VgWork *self, VgFrame *frame, GError **error);
/* TRUE: the history of the newest frame begins before a break, that is before the connection to the
 * source was lost or before the exposure time was changed, and its frames do not belong together.
 */
gboolean vg_work_is_mixed (const VgWork *self);
/* When the work just moved to the CPU: WAIT for a stream, else MORE.  WAIT also if it is mixed. */
VgStep vg_work_step (VgWork *self, double budget_s, GError **error);
/* The plane of output I, borrowed until the next call.  FALSE without an error: it is a text or not
 * computed.  FALSE and an error: the GPU failed, or there is no memory; the planes that the caller
 * holds stay valid until it calls vg_work_recover. */
gboolean vg_work_output (VgWork *self, guint i, VgPlane *plane, GError **error);
/* Copies a plane that was just returned to VALUES in host memory, with room for all its samples.
 * FALSE as below. */
gboolean vg_work_copy_plane (VgWork *self, const VgPlane *plane, float *values, GError **error);
/* The plane of output I, copied to host memory: to *VALUES with room for *CAPACITY samples, which
 * is enlarged; they start as NULL and 0.  FALSE without an error: the output is not computed, or
 * the GPU failed and the work has moved to the CPU, which changes the generation. */
gboolean vg_work_read_output (VgWork *self, guint i, VgPlane *plane, float **values,
                              gsize *capacity, GError **error);

/* Handles FAILURE (owned), the error of a call on the engine state.  TRUE: the work continues on
 * the CPU from the beginning; else ERROR is set. */
gboolean vg_work_recover (VgWork *self, GError *failure, GError **error);

/* Makes sure that the samples of PLANE, of the device that the work uses, are in host memory: in
 * *OWNED, for g_free, if they were copied.  FALSE: no memory, or the device has failed. */
gboolean vg_work_copy_to_host (VgWork *self, VgPlane *plane, float **owned, GError **error);
/* The output that plays ROLE for output I and has the size of PLANE; FALSE without an error: there
 * is none. */
gboolean vg_work_find_beside (VgWork *self, VgRole role, guint i, const VgPlane *plane,
                              VgPlane *beside, GError **error);
/* The statistics of region R of REGIONS on PLANE, the samples of output I in host memory or on the
 * device, without the median.  The mean of a ratio is a ratio of sums (VG_ROLE_NUMERATOR). */
gboolean vg_work_measure_region (VgWork *self, guint i, const VgPlane *plane,
                                 VgFollowedRegions *regions, guint r,
                                 VgRegionStatistics *statistics, GError **error);
/* Sets *NOISE to the value below which PLANE, of output I, is mostly noise (vg_display_get_noise).
 * FALSE without an error: it is not known, because the output has no map of its error in %. */
gboolean vg_work_find_noise (VgWork *self, guint i, const VgPlane *plane, double *noise,
                             GError **error);

guint vg_work_get_generation (VgWork *self); /* 0: never prepared */
gboolean vg_work_is_ready (VgWork *self);    /* has a state */
/* TRUE: the steps are an animation, of which each is shown (VgViewHints.step_param) */
gboolean vg_work_is_paced (VgWork *self);
const void *vg_work_get_params (VgWork *self);      /* as prepared or updated; NULL before */
const VgImageInfo *vg_work_get_info (VgWork *self); /* NULL: none */
const VgImage *vg_work_get_image (VgWork *self);    /* the data set; NULL: none */
/* The data set that the maps are computed from: corrected for motion if the settings say so. */
VgImage *vg_work_get_series (VgWork *self);
const VgImage *vg_work_get_file (VgWork *self, const char *id); /* of a parameter; NULL: none */
const VgOperation *vg_work_get_operation (VgWork *self);
/* frames before the current one that its map needs */
int vg_work_get_history (VgWork *self);
VgBackend vg_work_get_backend (VgWork *self);  /* CPU or CUDA: the one in use */
gboolean vg_work_may_use_gpu (VgWork *self);   /* it is there, allowed, and has not failed */
const VgCuda *vg_work_get_cuda (VgWork *self); /* NULL: the CPU engine is in use */
const char *vg_work_get_device (VgWork *self); /* "NVIDIA H200" or "CPU, 8 threads" */
/* A notice for the user, such as that the work has moved to the CPU, owned; NULL: there is none.
 * Each is returned once. */
char *vg_work_take_notice (VgWork *self);

double vg_work_progress (VgWork *self); /* 0..1; negative: not known */
/* NULL and an error: the GPU failed. */
VgMetrics *vg_work_results (VgWork *self, GError **error);
/* FALSE and an error: the work has ended without a result, for the reason in the error. */
gboolean vg_work_check (VgWork *self, GError **error);
/* `n` 0: none; borrowed until the next call */
gboolean vg_work_outlines (VgWork *self, VgOutlines *outlines, GError **error);
/* Those to compare the objects with, in host memory; likewise. */
gboolean vg_work_compared (VgWork *self, VgOutlines *outlines, GError **error);
VgOverlay *vg_work_overlay (VgWork *self, guint output); /* NULL: none */
/* Curves, owned; NULL without an error: there are none. */
VgCurves *vg_work_sample (VgWork *self, double x, double y, int slice, GError **error);
VgCurves *vg_work_sample_region (VgWork *self, const VgRegion *region, GError **error);
/* The curves of the mean of N regions that count as one; likewise. */
VgCurves *vg_work_sample_regions (VgWork *self, const VgRegion *const *regions, guint n,
                                  GError **error);
VgCurves *vg_work_plot (VgWork *self, guint plot, GError **error);
/* The value of output I at column, row and slice XYZ; FALSE and an error: there is none. */
gboolean vg_work_probe (VgWork *self, guint i, const int xyz[3], float *value, GError **error);
/* Adds the value of each map to the metrics of CURVES: the outputs of CURVES or, if it has none,
 * the samples at X, Y of SLICE of those maps that have the size of the input.  FALSE: an error. */
gboolean vg_work_add_values (VgWork *self, VgCurves *curves, double x, double y, int slice,
                             GError **error);
/* The text of output I and, in *FILE_NAME, the name of its file; both owned. */
char *vg_work_text (VgWork *self, guint i, char **file_name, GError **error);

/* Work by tiles: the slide calibration is computed from SAMPLE; then each tile, whose corner in the
 * slide region is X, Y, is prepared and stepped in order. */
gboolean vg_work_calibrate (VgWork *self, const void *params, const VgImageInfo *whole,
                            const VgImage *sample, GError **error);
gconstpointer vg_work_get_calibration (VgWork *self);
gpointer vg_work_new_merge (VgWork *self, const void *params, const VgTiling *tiling,
                            const VgTileSink *sink, GError **error);
gboolean vg_work_prepare_tile (VgWork *self, const void *params, VgImage *tile, int x, int y,
                               GError **error);
/* The tile's result, for `merge`; NULL without an error: the work moved to the CPU, step again. */
gconstpointer vg_work_tile (VgWork *self, GError **error);
/* Frees the state and the calibration: the next data are in one piece. */
void vg_work_end_tiles (VgWork *self);

/* Opens FILES, whose frames form one series of one size, or a synthetic source of SIZE if FILES is
 * NULL or empty; SIZE NULL: the size of the demo.  READ_OPTIONS choose the sample; NULL: that of
 * SIZE. */
VgSource *vg_work_open_source (const VgOperation *operation, const void *params,
                               const char *const *files, const char *read_options,
                               const VgSyntheticSize *size, GError **error);
/* Loads the same as one data set. */
VgImage *vg_work_load_dataset (const VgOperation *operation, const void *params,
                               const char *const *files, const char *read_options,
                               const VgSyntheticSize *size, GError **error);
/* The same, with the sample of the slide (VgImage.slide) of another slide region, which is used
 * again if both are of one level of one file; or NULL. */
VgImage *vg_work_load_part (const VgOperation *operation, const void *params,
                            const char *const *files, const char *read_options,
                            const VgSyntheticSize *size, VgImage *slide, GError **error);

G_END_DECLS
