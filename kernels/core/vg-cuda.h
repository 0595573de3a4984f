/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-bench.h"
#include "kernels/core/vg-operation.h"
#include "kernels/base/vg-statistics.h"
/* The CUDA module: everything that needs the CUDA run time, behind one table
 * of functions, in vivograph-cuda.so.  Without the module, a driver or a GPU
 * vg_cuda_get() is NULL and the program runs on the CPU backend.
 *
 * All functions turn CUDA errors into VG_GPU_ERROR and leave no sticky error
 * behind. */
G_BEGIN_DECLS

#define VG_CUDA_ABI 8

typedef struct
{
  char name[128];
  gsize memory_total, memory_free;
  int compute_major, compute_minor, multiprocessors;
} VgCudaDevice;

/* A float plane in device memory that outlives the engine's next step. */
typedef struct _VgCudaPlane VgCudaPlane;
/* A GL texture, or a GL buffer, registered with CUDA. */
typedef struct _VgCudaTexture VgCudaTexture;

typedef struct
{
  int abi; /* VG_CUDA_ABI */
  int (*device_count) (GError **error);
  gboolean (*device_info) (int device, VgCudaDevice *info, GError **error);
  const VgEngine *(*engine) (const char *operation_id); /* NULL: CPU only */
  VgBenchRun (*bench) (const char *operation_id);       /* NULL: none */

  /* Page-locked host memory, usable from every device. */
  gpointer (*host_alloc) (gsize bytes, GError **error);
  void (*host_free) (gpointer memory);

  /* Device copies of planes: `store` enqueues the copy on the plane's own
   * stream, growing the buffer at need; `ready` tells without waiting. */
  VgCudaPlane *(*plane_new) (int device, GError **error);
  gboolean (*plane_store) (VgCudaPlane *self, const VgPlane *plane, GError **error);
  gboolean (*plane_ready) (VgCudaPlane *self);
  void (*plane_get) (VgCudaPlane *self, VgPlane *plane);
  void (*plane_free) (VgCudaPlane *self);
  /* Waits for the plane and copies it (whole) to HOST. */
  gboolean (*download) (const VgPlane *plane, float *host, GError **error);
  /* The same value at a few places: x, y, slice triples. */
  gboolean (*probe) (const VgPlane *plane, const int *xyz, int n, float *values, GError **error);
  /* Statistics on the device; see vg-statistics.h. */
  gboolean (*statistics) (const VgPlane *plane, int slice, VgStatistics *statistics,
                          GError **error);
  gboolean (*count_octaves) (const VgPlane *plane, int slice, VgStatistics *statistics,
                             GError **error);
  gboolean (*weigh) (const VgPlane *plane, const VgPlane *light, int slice, const double limits[2],
                     VgStatistics *statistics, GError **error);
  gboolean (*count_labelled) (const VgPlane *plane, const VgPlane *labels, int slice,
                              VgStatistics *statistics, GError **error);
  gboolean (*region_statistics) (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1,
                                 int y1, int slice, VgRegionStatistics *statistics, GError **error);
  /* Adds the exact median and quartiles to STATISTICS, which region_statistics has set for the same
   * samples. */
  gboolean (*region_quartiles) (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1,
                                int y1, int slice, VgRegionStatistics *statistics, GError **error);

  /* GL interop; a current GL context, main thread.  gl_device: the ordinal
   * that drives the context, or an error that says why there is none. */
  int (*gl_device) (GError **error);
  VgCudaTexture *(*texture_register) (guint texture, GError **error);
  /* updated and freed as a texture */
  VgCudaTexture *(*buffer_register) (guint buffer, GError **error);
  gboolean (*texture_update) (VgCudaTexture *self, const VgPlane *plane, int slice, GError **error);
  void (*texture_free) (VgCudaTexture *self);

  /* Ceilings for the bench, bytes per second. */
  gboolean (*bandwidth) (int device, double *copy, double *upload, double *download,
                         GError **error);
} VgCuda;

/* The module, loaded once; NULL and a reason (static) when there is none. */
const VgCuda *vg_cuda_get (const char **reason);
/* The engine to use for an operation on the GPU, or NULL. */
const VgEngine *vg_cuda_engine (const VgOperation *operation);

G_END_DECLS
