/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "kernels/shared/vg-frame-history.h"
/* The state of a work, and the functions that its files share. */
G_BEGIN_DECLS

typedef struct _VgFileCache VgFileCache;

/* The baseline of a stream (VgEngineBaseline). */
typedef struct
{
  gboolean keeps;        /* its frames are kept */
  GQueue frames;         /* of VgFrame, copies: the history of its first map, and the baseline's */
  gboolean full;         /* they need too much memory, and none is kept */
  gboolean broken_off;   /* the engine's state has not all of it; `state` is of the one before */
  int maps;              /* of the complete one, whatever length is set later; 0: none */
  VgBaselineState state; /* when last noted */
} VgKeptBaseline;

struct _VgWork
{
  const VgOperation *operation;
  const VgEngine *cpu, *gpu;
  const VgCuda *cuda;
  VgBackend backend; /* as asked for */
  int threads;
  int *devices;
  int n_devices;
  char *cpu_name, *gpu_name;

  const VgEngine *engine; /* of the state */
  gpointer state;
  gint gpu_failed; /* atomic; not only short of memory: do not try it again */
  guint generation;
  /* Changes whenever the planes may have other samples.  Its sum with the index of an output is a
   * number for that output's samples, which no other work uses. */
  guint moment;
  void *params;
  double camera_ms;       /* exposure time of the camera, which settings may have; 0: not known */
  VgFrameHistory history; /* of the frames of the state */
  VgImageInfo info;
  gboolean has_info;
  VgImage *image;
  VgFileCache *files;
  char *notice;
  GBytes *checkpoint;                      /* for the next state; NULL: none */
  gpointer calibration;                    /* NULL: the data are in one piece */
  const gint *stop;                        /* non-zero: preparing is to be aborted; or NULL */
  gboolean (*is_replaced) (gpointer data); /* or NULL */
  gpointer is_replaced_data;
  void (*report) (gpointer data, double done); /* or NULL */
  gpointer report_data;
  VgPart part;          /* of the present tile */
  VgTiling tiling;      /* of the slide region, for the part */
  VgWork *whole;        /* work whose tiles, calibration and files are used; NULL: its own */
  const VgRanks *ranks; /* that share the work; NULL: this process alone */
  VgKeptBaseline baseline;
};

/* Sets the number of threads of the parallel loops of the calling thread to that of the work. */
void vg_work_limit_threads (VgWork *self);
/* Validates and loads files, for data of INFO (or NULL); changes nothing when it fails. */
gboolean vg_work_check_params (VgWork *self, const void *params, const VgImageInfo *info,
                               GError **error);

/* A copy of PARAMS, of which those that have the camera's exposure time have the frame's. */
void *vg_work_fit_params (VgWork *self, const void *params);
/* The state adopts what the parameters of the work give for the newest frame. */
void vg_work_fit_again (VgWork *self);
/* FRAME is fed next. */
void vg_work_note_frame (VgWork *self, const VgFrame *frame);
/* The state is new. */
void vg_work_forget_frames (VgWork *self);

/* FRAME is fed next: it is kept if it belongs to the baseline. */
void vg_work_keep_frame (VgWork *self, const VgFrame *frame);
/* The data are new: the engine collects a baseline from their first maps. */
void vg_work_forget_baseline (VgWork *self);
/* Remembers how far the baseline of the present state is, which may be freed then. */
void vg_work_note_baseline (VgWork *self);
/* TRUE: computing the baseline was broken off, and a new state can compute it now. */
gboolean vg_work_owes_baseline (VgWork *self);
/* Gives a new state the baseline of the last one, unless PARAMS begin another.  FALSE: an error of
 * the GPU. */
gboolean vg_work_restore_baseline (VgWork *self, const void *params, GError **error);
/* VgEngine.update, and the baseline is computed again if that ended it: the generation rises.
 * FALSE: a new state is needed.  FITTED: PARAMS for the newest frame (vg_work_fit_params). */
gboolean vg_work_update_engine (VgWork *self, const void *params, const void *fitted);

/* What an engine is given for PARAMS and the present data and files. */
VgContext vg_work_context (VgWork *self, const void *params);

/* A cache of the decoded FILE parameters of an operation, valid while path, size and modification
 * time of a file stay the same. */
VgFileCache *vg_file_cache_new (const VgOperation *operation);
void vg_file_cache_free (VgFileCache *self);
/* As vg_work_give_file. */
void vg_file_cache_give (VgFileCache *self, const VgParam *param, const char *name, VgImage *image);
/* Loads the files that PARAMS names, for DATA (or NULL); after an error the earlier files stay. */
gboolean vg_file_cache_load (VgFileCache *self, const void *params, const VgImageInfo *data,
                             GError **error);
/* The path that a FILE parameter names; NULL: it is unset or holds a region. */
const char *vg_file_cache_path (const VgParam *param, const void *params);
/* The files of the last load, *N of them, borrowed. */
const VgInputFile *vg_file_cache_get (VgFileCache *self, guint *n);

G_END_DECLS
