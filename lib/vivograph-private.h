/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "kernels/base/vg-text.h"
#include "lib/vivograph.h"
/* A work of the library: what the batch run does with one data set, step by step. */
G_BEGIN_DECLS

/* of a step */
#define VG_LIBRARY_STEP_S 0.03

/* Samples of the caller, described */
typedef struct
{
  VivographData data;
  int64_t strides[6]; /* of `data` */
  VgImageInfo info;
  double *times_s; /* copy of those of the frames; or NULL */
} VgLibraryInput;

struct VivographWork
{
  const VgOperation *operation;
  VgWork *work;
  int threads;       /* 0: all */
  void *params;      /* as the caller set them */
  gboolean *changed; /* one per parameter, as in VgOperation.on_params_changed */
  gint stop;         /* atomic: cancel was called */
  gboolean started;
  VgBackend first_backend; /* before any failure of the GPU */

  VgLibraryInput input; /* the data that were given last */
  gboolean files_given; /* arrays in the place of files, since the last start */
  gboolean fed;         /* a frame is in work */
  int64_t next;         /* frame to feed */
  int64_t mapped;       /* newest frame with maps; -1: none */
  int64_t maps;         /* frames with maps */
  int64_t repeat_until; /* frames before it were computed before the GPU failed */
  guint generation;     /* of the engine state that holds the history */

  VgMetrics *metrics; /* as last asked for */
  char *text;         /* as last returned */
};

/* vivograph-error.c */
int vg_library_fail (VivographError *error, int status, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* There is no OPERATION, an id or NULL. */
int vg_library_fail_to_find (VivographError *error, const char *operation);
/* An error if WORK is NULL, as after vivograph_work_new has failed. */
int vg_library_check_work (const VivographWork *work, VivographError *error);
/* Takes FAILURE, and calls parameters of OPERATION by their ids. */
int vg_library_fail_with (const VgOperation *operation, VivographError *error, GError *failure);

/* vivograph-work.c */
/* FALSE in a process that was forked from one that had used a GPU or computed. */
gboolean vg_library_claim_process (void);
/* The same as a status. */
int vg_library_check_process (VivographError *error);
/* Limits the OpenMP threads of the calling thread to those of SELF; their number before, to put it
 * back. */
int vg_library_limit_threads (VivographWork *self);
void vg_library_put_threads_back (int before);

/* vivograph-tables.c: the parameter ID of WORK; NULL after an error. */
const VgParam *vg_library_find_param (const VivographWork *work, const char *id,
                                      VivographError *error);

/* vivograph-data.c */
/* Checks DATA, of any operation, and describes them in INPUT. */
int vg_library_take_input (VgLibraryInput *input, const VivographData *data, VivographError *error);
/* Checks DATA for the operation of WORK, and makes them its input. */
int vg_library_take_data (VivographWork *work, const VivographData *data, VivographError *error);
/* The whole data set, called NAME in messages.  If BORROW, its samples are borrowed if they are
 * packed, else copied.  NULL and an error. */
VgImage *vg_library_make_image (const VgLibraryInput *input, const char *name, gboolean borrow,
                                GError **error);
/* Frame I, whose samples are borrowed if they are packed. */
VgFrame *vg_library_make_frame (VgLibraryInput *input, int64_t i, GError **error);

G_END_DECLS
