/* SPDX-License-Identifier: MIT */
/* Devices, page-locked memory and the ceilings for the bench. */
#include "kernels/shared/vg-cuda-util.cuh"

/* cudaGetDeviceCount answers "insufficient driver" both when the driver is old
 * and when there is none; the driver's version tells them apart. */
int
vg_cuda_device_count (GError **error)
{
  int n = 0, driver = 0, runtime = 0;
  cudaError_t status = cudaGetDeviceCount (&n);

  if (status == cudaSuccess && n > 0)
    return n;
  cudaGetLastError ();
  if (cudaDriverGetVersion (&driver) != cudaSuccess)
    driver = 0;
  cudaRuntimeGetVersion (&runtime);
  cudaGetLastError ();
  if (status == cudaErrorInsufficientDriver && driver == 0)
    g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT, "no NVIDIA driver is installed");
  else if (status == cudaErrorInsufficientDriver)
    g_set_error (
        error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
        "the NVIDIA driver supports CUDA %d.%d and this program needs %d.%d: update the driver",
        driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10);
  else if (status == cudaErrorNoDevice || status == cudaSuccess)
    g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT,
                         "no CUDA device is present or visible (see CUDA_VISIBLE_DEVICES)");
  else
    g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT, "CUDA does not start: %s (%s)",
                 cudaGetErrorName (status), cudaGetErrorString (status));
  return 0;
}

/* The constant properties of DEVICE, which are read once, because that is slow
 * and every change of a setting asks for the free memory. */
static gboolean
device_properties (int device, VgCudaDevice *info, GError **error)
{
  static GMutex lock;
  static VgCudaDevice known[64]; /* no multiprocessors: not read yet */
  cudaDeviceProp properties;

  g_mutex_lock (&lock);
  if (device >= 0 && device < (int) G_N_ELEMENTS (known))
    *info = known[device];
  g_mutex_unlock (&lock);
  if (info->multiprocessors > 0)
    return TRUE;
  if (!VG_CUDA_OK (cudaGetDeviceProperties (&properties, device), error))
    return FALSE;
  g_strlcpy (info->name, properties.name, sizeof info->name);
  info->compute_major = properties.major;
  info->compute_minor = properties.minor;
  info->multiprocessors = properties.multiProcessorCount;
  g_mutex_lock (&lock);
  if (device >= 0 && device < (int) G_N_ELEMENTS (known))
    known[device] = *info;
  g_mutex_unlock (&lock);
  return TRUE;
}

gboolean
vg_cuda_device_info (int device, VgCudaDevice *info, GError **error)
{
  size_t available = 0, total = 0;

  memset (info, 0, sizeof *info);
  if (!vg_cuda_use (device, error) || !device_properties (device, info, error) ||
      !VG_CUDA_OK (cudaMemGetInfo (&available, &total), error))
    return FALSE;
  info->memory_total = total;
  info->memory_free = available;
  return TRUE;
}

gpointer
vg_cuda_host_alloc (gsize bytes, GError **error)
{
  void *memory = NULL;
  cudaError_t status = cudaHostAlloc (&memory, MAX (bytes, 1), cudaHostAllocPortable);

  if (status == cudaErrorMemoryAllocation)
    {
      cudaGetLastError ();
      g_set_error (
          error, VG_GPU_ERROR, VG_GPU_ERROR_MEMORY,
          "%.1f MB of page-locked memory cannot be had: use smaller input or fewer buffers",
          bytes / 1e6);
      return NULL;
    }
  return vg_cuda_ok (status, "cudaHostAlloc", error) ? memory : NULL;
}

void
vg_cuda_host_free (gpointer memory)
{
  if (memory != NULL)
    vg_cuda_ok (cudaFreeHost (memory), "cudaFreeHost", NULL);
}

/* Best bytes per second of a few copies of BYTES; a device copy reads and
 * writes, so it counts twice. */
static gboolean
time_copies (void *to, const void *from, gsize bytes, cudaMemcpyKind kind, cudaStream_t stream,
             cudaEvent_t begin, cudaEvent_t end, double *rate, GError **error)
{
  float best = 0;

  for (int i = 0; i < 6; i++)
    {
      float ms = 0;
      if (!VG_CUDA_OK (cudaEventRecord (begin, stream), error) ||
          !VG_CUDA_OK (cudaMemcpyAsync (to, from, bytes, kind, stream), error) ||
          !VG_CUDA_OK (cudaEventRecord (end, stream), error) ||
          !VG_CUDA_OK (cudaEventSynchronize (end), error) ||
          !VG_CUDA_OK (cudaEventElapsedTime (&ms, begin, end), error))
        return FALSE;
      if (i > 0 && ms > 0 && (best == 0 || ms < best)) /* the first warms up */
        best = ms;
    }
  *rate = best > 0 ? (kind == cudaMemcpyDeviceToDevice ? 2.0 : 1.0) * bytes / (best * 1e-3) : 0;
  return TRUE;
}

gboolean
vg_cuda_bandwidth (int device, double *copy, double *upload, double *download, GError **error)
{
  const gsize device_bytes = (gsize) 1 << 30, host_bytes = (gsize) 128 << 20;
  void *memory = NULL, *host = NULL;
  cudaStream_t stream = NULL;
  cudaEvent_t begin = NULL, end = NULL;

  gboolean ok = vg_cuda_use (device, error) && vg_cuda_stream_new (&stream, error) &&
                VG_CUDA_OK (cudaEventCreate (&begin), error) &&
                VG_CUDA_OK (cudaEventCreate (&end), error) &&
                vg_cuda_alloc (&memory, 2 * device_bytes, "measuring the bandwidth", error) &&
                (host = vg_cuda_host_alloc (host_bytes, error)) != NULL &&
                VG_CUDA_OK (cudaMemsetAsync (memory, 0x5a, 2 * device_bytes, stream), error);
  if (ok)
    {
      memset (host, 0xa5, host_bytes);
      ok = time_copies ((char *) memory + device_bytes, memory, device_bytes,
                        cudaMemcpyDeviceToDevice, stream, begin, end, copy, error) &&
           time_copies (memory, host, host_bytes, cudaMemcpyHostToDevice, stream, begin, end,
                        upload, error) &&
           time_copies (host, memory, host_bytes, cudaMemcpyDeviceToHost, stream, begin, end,
                        download, error);
    }
  vg_cuda_host_free (host);
  cudaFree (memory);
  if (begin != NULL)
    cudaEventDestroy (begin);
  if (end != NULL)
    cudaEventDestroy (end);
  if (stream != NULL)
    cudaStreamDestroy (stream);
  return ok;
}
