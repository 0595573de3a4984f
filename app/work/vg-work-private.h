/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/work/vg-work.h"
/* Parts of the work loop that stand for themselves. */
G_BEGIN_DECLS

typedef struct _VgFileCache VgFileCache;

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
  gboolean gpu_failed; /* not only short of memory: do not try it again */
  guint generation;
  void *params;
  VgImageInfo info;
  gboolean has_info;
  VgImage *image;
  VgFileCache *files;
  char *notice;
  GBytes *checkpoint;   /* for the next state; NULL: none */
  gpointer calibration; /* NULL: the data are in one piece */
  const gint *stop;     /* raised: give up preparing; or NULL */
  VgPart part;          /* of the present tile */
};

/* From now on parallel loops of the calling thread that ask for no number of threads take the
 * work's. */
void vg_work_limit_threads (VgWork *self);
/* Validates and loads files; changes nothing when it fails. */
gboolean vg_work_check_params (VgWork *self, const void *params, GError **error);

/* After a failed call on the state, whose error FAILURE it takes: TRUE when
 * the work goes on on the CPU, from the beginning; else ERROR is set. */
gboolean vg_work_recover (VgWork *self, GError *failure, GError **error);

/* The decoded FILE parameters of one operation, kept while path, size and
 * time of change stay the same. */
VgFileCache *vg_file_cache_new (const VgOperation *operation);
void vg_file_cache_free (VgFileCache *self);
/* Loads what PARAMS names; on an error the old content stays. */
gboolean vg_file_cache_load (VgFileCache *self, const void *params, GError **error);
/* Of the last load: an array of VgInputFile, borrowed. */
/* The path that a FILE parameter names; NULL when it is unset or holds a region. */
const char *vg_file_cache_path (const VgParam *param, const void *params);
const VgInputFile *vg_file_cache_get (VgFileCache *self, guint *n);

G_END_DECLS
