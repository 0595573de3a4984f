/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Error domains.  The command line maps them to its exit status, the pipeline
 * to what it does next: after a VG_GPU_ERROR the work continues on the CPU.
 * A message says what, where and what to do, in one line. */
G_BEGIN_DECLS

/* Bad usage: a parameter out of range, an unknown name.  Exit status 2. */
#define VG_USAGE_ERROR (vg_usage_error_quark ())
GQuark vg_usage_error_quark (void);

/* Input that cannot be read, or output that cannot be written. */
#define VG_IO_ERROR (vg_io_error_quark ())
GQuark vg_io_error_quark (void);
typedef enum {
  VG_IO_ERROR_OPEN,        /* absent, not permitted: exit status 3 */
  VG_IO_ERROR_FORMAT,      /* corrupt, truncated, or not what it says it is: 3 */
  VG_IO_ERROR_UNSUPPORTED, /* a valid file that this program cannot use: 3 */
  VG_IO_ERROR_STREAM,      /* a live source stopped, sent half a frame, or cannot be live: 3 */
  VG_IO_ERROR_WRITE,       /* folder unwritable, disk full: 1 */
  /* in no known format; it may hold raw frames, which need a geometry: 3 */
  VG_IO_ERROR_UNKNOWN,
  /* one frame is damaged; others may be read: 3, unless the work continues without it */
  VG_IO_ERROR_FRAME,
  /* a live source has nothing to deliver yet; opening it later may succeed: 3 */
  VG_IO_ERROR_LATER,
} VgIoError;

/* The operation itself failed.  Exit status 1. */
#define VG_OPERATION_ERROR (vg_operation_error_quark ())
GQuark vg_operation_error_quark (void);
typedef enum {
  VG_OPERATION_ERROR_INPUT,  /* unsuitable data: size, type, too few frames (exit 3) */
  VG_OPERATION_ERROR_MEMORY, /* would not fit in memory */
  VG_OPERATION_ERROR_FAILED,
  VG_OPERATION_ERROR_INCOMPLETE, /* the results are written, but part of the input is missing */
} VgOperationError;

/* The GPU is out of memory, lost, or reports an error. */
#define VG_GPU_ERROR (vg_gpu_error_quark ())
GQuark vg_gpu_error_quark (void);
typedef enum {
  VG_GPU_ERROR_ABSENT, /* no module, no driver or no device */
  VG_GPU_ERROR_MEMORY,
  VG_GPU_ERROR_FAILED,
} VgGpuError;

G_END_DECLS
