/* SPDX-License-Identifier: MIT */
/* The CUDA module with calls of the CUDA run time that fail as cuda-fault.h describes.  The linker
 * leads each call of NAME here (--wrap=NAME, tests/support/meson.build).  Calls that release
 * something do not fail. */
#include <cuda_runtime.h>
#include "tests/support/cuda-fault.h"

/* What cudaGetLastError reports once. */
static thread_local cudaError_t pending = cudaSuccess;

static cudaError_t
status_of (const char *call, int allocates)
{
  static const cudaError_t codes[] = { cudaSuccess, cudaErrorMemoryAllocation,
                                       cudaErrorLaunchFailure, cudaErrorDevicesUnavailable };
  cudaError_t status = codes[fault_of (call, allocates)];

  if (status != cudaSuccess)
    pending = status;
  return status;
}

#define WRAP(name, allocates, parameters, arguments)                                               \
  extern "C" cudaError_t __real_##name parameters;                                                 \
  extern "C" cudaError_t __wrap_##name parameters;                                                 \
  cudaError_t __wrap_##name parameters                                                             \
  {                                                                                                \
    cudaError_t status = status_of (#name, allocates);                                             \
                                                                                                   \
    return status != cudaSuccess ? status : __real_##name arguments;                               \
  }

extern "C" cudaError_t __real_cudaGetLastError (void);
extern "C" cudaError_t __wrap_cudaGetLastError (void);

cudaError_t
__wrap_cudaGetLastError (void)
{
  cudaError_t status = pending, real = __real_cudaGetLastError ();

  pending = cudaSuccess;
  return status != cudaSuccess ? status : real;
}

/* clang-format off */
WRAP (cudaGetDeviceCount, 0, (int *count), (count))
WRAP (cudaSetDevice, 0, (int device), (device))
WRAP (cudaGetDevice, 0, (int *device), (device))
WRAP (cudaDeviceGetAttribute, 0, (int *value, cudaDeviceAttr attribute, int device),
      (value, attribute, device))
WRAP (cudaMemGetInfo, 0, (size_t *available, size_t *total), (available, total))
WRAP (cudaPointerGetAttributes, 0, (cudaPointerAttributes *attributes, const void *memory),
      (attributes, memory))
WRAP (cudaMalloc, 1, (void **memory, size_t bytes), (memory, bytes))
WRAP (cudaHostAlloc, 1, (void **memory, size_t bytes, unsigned flags), (memory, bytes, flags))
WRAP (cudaMemcpy, 0, (void *to, const void *from, size_t bytes, cudaMemcpyKind kind),
      (to, from, bytes, kind))
WRAP (cudaMemcpyAsync, 0,
      (void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
      (to, from, bytes, kind, stream))
WRAP (cudaMemcpyPeerAsync, 0,
      (void *to, int to_device, const void *from, int device, size_t bytes, cudaStream_t stream),
      (to, to_device, from, device, bytes, stream))
WRAP (cudaMemcpy2DAsync, 0,
      (void *to, size_t to_pitch, const void *from, size_t pitch, size_t width, size_t height,
       cudaMemcpyKind kind, cudaStream_t stream),
      (to, to_pitch, from, pitch, width, height, kind, stream))
WRAP (cudaMemsetAsync, 0, (void *memory, int value, size_t bytes, cudaStream_t stream),
      (memory, value, bytes, stream))
WRAP (cudaStreamCreateWithFlags, 1, (cudaStream_t *stream, unsigned flags), (stream, flags))
WRAP (cudaStreamSynchronize, 0, (cudaStream_t stream), (stream))
WRAP (cudaStreamWaitEvent, 0, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
      (stream, event, flags))
WRAP (cudaStreamBeginCapture, 0, (cudaStream_t stream, cudaStreamCaptureMode mode), (stream, mode))
WRAP (cudaStreamEndCapture, 0, (cudaStream_t stream, cudaGraph_t *graph), (stream, graph))
WRAP (cudaGraphInstantiate, 1,
      (cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags), (exec, graph, flags))
WRAP (cudaGraphLaunch, 0, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream))
WRAP (cudaEventCreateWithFlags, 1, (cudaEvent_t *event, unsigned flags), (event, flags))
WRAP (cudaEventRecord, 0, (cudaEvent_t event, cudaStream_t stream), (event, stream))
WRAP (cudaEventSynchronize, 0, (cudaEvent_t event), (event))
WRAP (cudaFuncSetAttribute, 0, (const void *kernel, cudaFuncAttribute attribute, int value),
      (kernel, attribute, value))
WRAP (cudaLaunchKernel, 0,
      (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
       cudaStream_t stream),
      (kernel, grid, block, arguments, shared, stream))
#if CUDART_VERSION >= 13000 /* what <<<...>>> calls there */
WRAP (__cudaLaunchKernel, 0,
      (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
       cudaStream_t stream),
      (kernel, grid, block, arguments, shared, stream))
#endif
/* clang-format on */
