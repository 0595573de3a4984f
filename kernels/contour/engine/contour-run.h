/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/net/contour-learned.h"
#include "kernels/contour/shapes/contour-metrics.h"
#include "kernels/contour/evolve/contour-scene.h"
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/contour/engine/contour-finalise.h"
#include "kernels/contour/measure/contour-positive.h"
#include "kernels/core/vg-operation.h"
/* A run: the image, the seeds and the contours in host memory, which both engines share, and the
 * results derived from them. */
G_BEGIN_DECLS

/* Tiles grow and convergence is checked after this many reinitialisation periods. */
enum { VG_CONTOUR_PERIODS = 5 };
/* Maximum number of nuclei with the whole image as their grid (--grid full). */
enum { VG_CONTOUR_MOST_FULL = 16 };

typedef struct _VgContourEdits VgContourEdits;
typedef struct _VgContourRun VgContourRun;

/* The comparison of a run's contours with the truth. */
typedef struct
{
  VgContourMetrics metrics;
  GArray *verdicts; /* of VgContourVerdict, by the number of the object */
  gint64 due_us;    /* monotonic time from which contours that move are scored again */
} VgContourScore;

/* How a backend iterates. */
typedef struct
{
  /* Makes the scene's samples in host memory current; NULL: they always are. */
  gboolean (*fetch) (VgContourRun *run, GError **error);
  /* The number of iterations that BUDGET_S seconds suffice for, at least 1. */
  int (*affordable) (const VgContourRun *run, double budget_s);
  /* Does N iterations and what follows them. */
  gboolean (*advance) (VgContourRun *run, int n, GError **error);
  /* Frees `device` of the run; or NULL. */
  GDestroyNotify free;
} VgContourBackend;

/* Progress and counts of a run; part of a checkpoint. */
typedef struct
{
  guint64 first_iteration, last_iteration; /* of the current evolution */
  guint outside, double_seeds, left_out;   /* seeds without a contour */
  guint cut_off;                           /* contours stopped by the limit */
  gboolean finished;
  VgContourLosses losses;
} VgContourStanding;

struct _VgContourRun
{
  const VgContourBackend *backend;
  gpointer device;        /* of the backend; NULL on the CPU */
  VgContourParams params; /* owns its tables; its files are NULL */
  VgImageInfo info;
  VgImage *picture;     /* colours, for the classes of nuclei; NULL: the image is grey */
  VgContourScale scale; /* of the grey plane */
  float *stain;         /* the grey plane, 0..1 */
  guint16 *grey;        /* the same in units of 1 / VG_CONTOUR_UNIT */
  float *density;       /* optical density of the stain; NULL: the channel is no stain */
  VgContourForeground *foreground;
  VgContourArtefacts *artefacts;
  gint64 matters[VG_CONTOUR_MATTERS]; /* pixels of each; 0 if they are not known */
  /* of the network, until the contours start; no planes with the classical force */
  VgContourMaps maps;
  const char *without_net; /* why the learned force cannot be used; NULL: it can */
  VgContourScene *scene;
  GArray *base;   /* of VgContourPoint: found in the image or read from the seed file */
  gboolean given; /* base comes from seed_file */
  VgImage *seed_file;
  gint32 *areas; /* areas found with the seeds: label k belongs to base[k - 1]; or NULL */
  /* monotonic times: at the start, after finding the seeds, and after computing the tile */
  gint64 began_us, seeded_us, ended_us;
  GArray *wanted;        /* of VgContourPoint: base, without removed and with added seeds */
  VgContourTruth *truth; /* or NULL */
  guint without_area;    /* polygons of the seed file without an area */
  VgContourStanding standing;
  VgContourEdits *edits; /* snapshots under earlier settings */
  /* samples of the scene, for the snapshot of the next update; NULL: the scene is current */
  VgContourStore *store;
  guint64 params_iteration; /* iteration of the last change of settings */
  gboolean tile;            /* of a larger image: no change follows that could be undone */
  gboolean skip_step;       /* that change moved no contour: the next step does no iteration */
  GArray *outlines;         /* of VgOutline, borrowed by the image view */
  float *outline_values;    /* samples of the outlines on the CPU */
  gsize outline_room;       /* allocated samples */
  /* allocated when the run starts; NULL for the stain output, which is `stain` */
  float *planes[VG_CONTOUR_N_PLANES];
  gboolean plane_valid[VG_CONTOUR_N_PLANES];
  guint measure;     /* output in the last plane */
  GPtrArray *nuclei; /* of vg_contour_run_nuclei; NULL: they were not measured */
  double mean_area;  /* of the outlines, px; valid if `measured` */
  gboolean measured;
  VgContourCounts counts; /* of the contours at the end, */
  GArray *grades;         /* and the class of each, guint8 by the number of the object; */
  gboolean counted;       /* valid */
  /* what the truth says of the contours; NULL: nothing yet */
  VgContourScore *score;
  gboolean scored; /* `score` is current */
};

/* DEVICE runs the network; NULL: the CPU does. */
VgContourRun *vg_contour_run_new_on (const VgContext *context, const VgContourNetDevice *device,
                                     GError **error);
VgContourRun *vg_contour_run_new (const VgContext *context, GError **error);
/* Makes the samples in host memory current. */
static inline gboolean
vg_contour_run_fetch (VgContourRun *self, GError **error)
{
  return self->backend->fetch == NULL || self->backend->fetch (self, error);
}
/* Replaces the ground truth.  FALSE: the engine must be prepared again; with an error if the new
 * truth does not fit the image. */
gboolean vg_contour_run_set_files (VgContourRun *self, const VgContext *context, GError **error);
/* TRUE if PARAMS differ in weights or limits alone, so that samples on a GPU stay valid. */
gboolean vg_contour_run_changes_weights_only (const VgContourRun *self,
                                              const VgContourParams *params);
/* The number of iterations until the next check of convergence, at most MOST. */
int vg_contour_run_chunk (const VgContourRun *self, int most);
/* TRUE if the current iteration is one at which convergence is checked. */
gboolean vg_contour_run_at_cut (const VgContourRun *self);
/* TRUE if all contours have converged or done their iterations. */
gboolean vg_contour_run_is_over (const VgContourRun *self);
/* Invalidates results after iterations, and finalises the contours at the end, for which the scene
 * must be current.  FALSE with VG_OPERATION_ERROR_MEMORY. */
gboolean vg_contour_run_end_step (VgContourRun *self, GError **error);
/* Does N iterations on the CPU and what follows them. */
gboolean vg_contour_run_advance (VgContourRun *self, int n, GError **error);
/* Compares the contours with the truth; without EXACT contours that move may be compared as they
 * were a moment ago.  *SCORE: NULL if there is no truth, or no memory.  FALSE: the device failed.
 */
gboolean vg_contour_run_score (VgContourRun *self, gboolean exact, const VgContourScore **score,
                               GError **error);
/* Finds the class of each nucleus.  *COUNTS, unless COUNTS is NULL: how many have each class; NULL:
 * classes are not wanted, contours move, or no memory.  FALSE: the device failed. */
gboolean vg_contour_run_classes (VgContourRun *self, const VgContourCounts **counts,
                                 GError **error);
/* Outline of OBJECT, whose tile starts at sample OFFSET of an array of samples, with its verdict in
 * SCORE, or NULL: all outlines of one moment have the same score.  Without a score, its class after
 * vg_contour_run_classes. */
VgOutline vg_contour_outline_of (const VgContourRun *self, const VgContourScore *score,
                                 const VgContourObject *object, gsize offset);
void vg_contour_score_free (VgContourScore *self);
/* The verdict on object ID. */
VgContourVerdict vg_contour_score_find (const VgContourScore *self, guint id);

/* The functions of VgEngine that both engines share.  The engine state of either is a run. */
VgStep vg_contour_run_step (gpointer self, double budget_s, GError **error);
/* The scene must be current, unless only weights change and the samples are in `store`. */
gboolean vg_contour_run_update (gpointer self, const void *params);
gboolean vg_contour_run_plane (gpointer self, guint i, VgPlane *plane, GError **error);
/* The index of the plane with output I, and whether it needs not be drawn again. */
static inline guint
vg_contour_run_plane_of (const VgContourRun *self, guint i, gboolean *valid)
{
  const guint last = VG_CONTOUR_N_PLANES - 1; /* that of the measures */

  if (i < last)
    {
      *valid = self->plane_valid[i];
      return i;
    }
  *valid = self->plane_valid[last] && self->measure == i;
  return last;
}
/* Replaces the number of a nucleus at each pixel of LABELS by its measure, output I; NaN where
 * there is none.  FALSE: the device failed, or memory is short. */
gboolean vg_contour_run_draw_measure (VgContourRun *self, guint i, float *labels, GError **error);
double vg_contour_run_progress (gpointer self);
gboolean vg_contour_run_results (gpointer self, VgMetrics *metrics, GError **error);
char *vg_contour_run_text (gpointer self, guint i, char **file_name, GError **error);
void vg_contour_run_free (gpointer self);
gboolean vg_contour_run_compared (gpointer self, VgOutlines *outlines, GError **error);
extern const VgEngineCurves vg_contour_curves;
/* Outlines with their samples in one array in host memory. */
gboolean vg_contour_run_outlines (gpointer self, VgOutlines *outlines, GError **error);
/* Returns the run itself, whose scene is then current. */
gconstpointer vg_contour_run_tile (gpointer self, GError **error);

/* Columns of the object table, in the order of its cells. */
extern const VgObjectColumn vg_contour_columns[];

/* Estimates the memory of a run in bytes, of the host and of the device. */
void vg_contour_memory (const void *params, const VgImageInfo *info, gsize *host, gsize *device);

G_END_DECLS
