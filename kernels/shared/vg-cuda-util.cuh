/* SPDX-License-Identifier: MIT */
#pragma once
#include <cuda_runtime.h>
#include "kernels/core/vg-cuda.h"
/* What every .cu file of the module uses: CUDA status to GError, memory that
 * is checked before it is taken, and the device that owns a pointer. */

/* TRUE when STATUS is success.  Else sets ERROR (VG_GPU_ERROR) from the status
 * and the text of the call, and clears the run time's last error. */
gboolean vg_cuda_ok (cudaError_t status, const char *call, GError **error);
#define VG_CUDA_OK(call, error) vg_cuda_ok ((call), #call, (error))

/* After a launch: TRUE when the kernel was accepted. */
gboolean vg_cuda_launched (const char *kernel, GError **error);

/* Device memory on the current device, refused before it is asked for when
 * less is free.  WHAT completes "for ..." in the message. */
gboolean vg_cuda_alloc (void **memory, gsize bytes, const char *what, GError **error);

/* Makes DEVICE current in this thread. */
gboolean vg_cuda_use (int device, GError **error);
/* Makes the device that owns the plane's memory current; an error for a host
 * plane or a slice that is not there. */
gboolean vg_cuda_use_plane (const VgPlane *plane, int slice, int *device, GError **error);

/* A non-blocking stream and an event without timing, on the current device. */
gboolean vg_cuda_stream_new (cudaStream_t *stream, GError **error);
gboolean vg_cuda_event_new (cudaEvent_t *event, GError **error);

/* Waits for the stream and destroys it; NULL is accepted. */
void vg_cuda_stream_free (cudaStream_t stream);
/* Enqueues a copy of BYTES bytes on STREAM; the pointers show its direction.  The second one waits
 * for it and for all that was enqueued before. */
gboolean vg_cuda_copy (void *to, const void *from, gsize bytes, cudaStream_t stream,
                       GError **error);
gboolean vg_cuda_copy_now (void *to, const void *from, gsize bytes, cudaStream_t stream,
                           GError **error);

/* Enqueues copies of ROWS rows of ROW bytes, PITCH apart in host memory, to the current device,
 * where they are TO_PITCH apart.  Memory that is not page-locked goes through buffers that several
 * threads fill, because the driver would copy it on one thread; it may change after the call. */
gboolean vg_cuda_upload (void *to, gsize to_pitch, const void *from, gsize pitch, gsize row,
                         gsize rows, cudaStream_t stream, GError **error);

/* LATER waits, on the device, for all that is in EARLIER now.  EVENT is
 * recorded for it. */
gboolean vg_cuda_order (cudaStream_t earlier, cudaEvent_t event, cudaStream_t later,
                        GError **error);

/* Small buffers that one call at a time borrows, per device: partial results
 * on the device, results in page-locked memory, an event to wait on. */
typedef struct _VgCudaScratch VgCudaScratch;
enum { VG_CUDA_STAGES = 4 };
struct _VgCudaScratch
{
  int device;
  cudaEvent_t event;
  void *partial; /* VG_CUDA_SCRATCH_BYTES on the device */
  void *pinned;  /* VG_CUDA_SCRATCH_BYTES on the host */
  /* page-locked buffers of vg_cuda_upload, and the events when they have been read; or NULL */
  guint8 *stages;
  cudaEvent_t read[VG_CUDA_STAGES];
  guint8 *bytes; /* on the device, grows (vg_cuda_scratch_bytes) */
  gsize n_bytes;
  VgCudaScratch *next;
};
enum { VG_CUDA_SCRATCH_BYTES = 64 * 1024 };
/* DEVICE must be current. */
VgCudaScratch *vg_cuda_scratch_take (int device, GError **error);
gboolean vg_cuda_scratch_bytes (VgCudaScratch *self, gsize n, GError **error);
/* Waits until what STREAM was given so far is done. */
gboolean vg_cuda_scratch_wait (VgCudaScratch *self, cudaStream_t stream, GError **error);
void vg_cuda_scratch_give (VgCudaScratch *self);

/* The members of VgCuda, one file per concern. */
int vg_cuda_device_count (GError **error);
gboolean vg_cuda_device_info (int device, VgCudaDevice *info, GError **error);
gpointer vg_cuda_host_alloc (gsize bytes, GError **error);
void vg_cuda_host_free (gpointer memory);
gboolean vg_cuda_bandwidth (int device, double *copy, double *upload, double *download,
                            GError **error);
VgCudaPlane *vg_cuda_plane_new (int device, GError **error);
gboolean vg_cuda_plane_store (VgCudaPlane *self, const VgPlane *plane, GError **error);
gboolean vg_cuda_plane_ready (VgCudaPlane *self);
void vg_cuda_plane_get (VgCudaPlane *self, VgPlane *plane);
void vg_cuda_plane_free (VgCudaPlane *self);
gboolean vg_cuda_download (const VgPlane *plane, float *host, GError **error);
gboolean vg_cuda_probe (const VgPlane *plane, const int *xyz, int n, float *values, GError **error);
gboolean vg_cuda_statistics (const VgPlane *plane, int slice, VgStatistics *statistics,
                             GError **error);
gboolean vg_cuda_count_octaves (const VgPlane *plane, int slice, VgStatistics *statistics,
                                GError **error);
gboolean vg_cuda_weigh (const VgPlane *plane, const VgPlane *light, int slice,
                        const double limits[2], VgStatistics *statistics, GError **error);
gboolean vg_cuda_count_labelled (const VgPlane *plane, const VgPlane *labels, int slice,
                                 VgStatistics *statistics, GError **error);
gboolean vg_cuda_region_statistics (const VgPlane *plane, const guint8 *mask, int x0, int y0,
                                    int x1, int y1, int slice, VgRegionStatistics *statistics,
                                    GError **error);
gboolean vg_cuda_region_quartiles (const VgPlane *plane, const guint8 *mask, int x0, int y0, int x1,
                                   int y1, int slice, VgRegionStatistics *statistics,
                                   GError **error);
int vg_cuda_gl_device (GError **error);
VgCudaTexture *vg_cuda_texture_register (guint texture, GError **error);
VgCudaTexture *vg_cuda_buffer_register (guint buffer, GError **error);
gboolean vg_cuda_texture_update (VgCudaTexture *self, const VgPlane *plane, int slice,
                                 GError **error);
void vg_cuda_texture_free (VgCudaTexture *self);
