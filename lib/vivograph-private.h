/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "kernels/base/vg-text.h"
#include "lib/vivograph.h"
/* A work of the library: what the batch run does with one data set, step by step. */
G_BEGIN_DECLS

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

  VivographData data;   /* of a stream; its samples are the caller's */
  int64_t strides[6];   /* of `data` */
  VgImageInfo info;     /* of the data */
  double *times_s;      /* copy of those of a stream; or NULL */
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
/* Takes FAILURE. */
int vg_library_fail_with (VivographError *error, GError *failure);

/* vivograph-work.c: FALSE in a process that was forked from one that had used a GPU or computed. */
gboolean vg_library_claim_process (void);

/* vivograph-tables.c: NULL after an error. */
const VgParam *vg_library_find_param (const VgOperation *operation, const char *id,
                                      VivographError *error);

/* vivograph-data.c */
/* Checks DATA, copies it to WORK and describes it in its info. */
int vg_library_take_data (VivographWork *work, const VivographData *data, VivographError *error);
/* The whole data set; its samples are borrowed if they are packed.  NULL and an error. */
VgImage *vg_library_make_image (VivographWork *work, GError **error);
/* Frame I in the same way. */
VgFrame *vg_library_make_frame (VivographWork *work, int64_t i, GError **error);

G_END_DECLS
