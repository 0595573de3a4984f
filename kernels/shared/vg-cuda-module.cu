/* SPDX-License-Identifier: MIT */
/* The table of the CUDA module, and its engines by operation.  The list of engines is generated
 * from kernels/meson.build: an operation whose folder adds a .cu file exports
 * `const VgEngine vg_NAME_cuda`; one that also has a folder in bench/ exports
 * `vg_NAME_bench_cuda`. */
#include <string.h>
#include "vg-cuda-engines.h"
#include "kernels/shared/vg-cuda-util.cuh"

static const VgCudaEngineEntry *
find_entry (const char *operation_id)
{
  const VgCudaEngineEntry *entry = vg_cuda_engines;

  while (entry->id != NULL && strcmp (entry->id, operation_id) != 0)
    entry++;
  return entry;
}

static const VgEngine *
find_engine (const char *operation_id)
{
  return find_entry (operation_id)->engine;
}

static VgBenchRun
find_bench (const char *operation_id)
{
  return find_entry (operation_id)->bench;
}

static const VgCuda module = {
  .abi = VG_CUDA_ABI,
  .device_count = vg_cuda_device_count,
  .device_info = vg_cuda_device_info,
  .engine = find_engine,
  .bench = find_bench,
  .host_alloc = vg_cuda_host_alloc,
  .host_free = vg_cuda_host_free,
  .plane_new = vg_cuda_plane_new,
  .plane_store = vg_cuda_plane_store,
  .plane_ready = vg_cuda_plane_ready,
  .plane_get = vg_cuda_plane_get,
  .plane_free = vg_cuda_plane_free,
  .download = vg_cuda_download,
  .probe = vg_cuda_probe,
  .statistics = vg_cuda_statistics,
  .count_octaves = vg_cuda_count_octaves,
  .weigh = vg_cuda_weigh,
  .count_labelled = vg_cuda_count_labelled,
  .region_statistics = vg_cuda_region_statistics,
  .region_quartiles = vg_cuda_region_quartiles,
  .gl_device = vg_cuda_gl_device,
  .texture_register = vg_cuda_texture_register,
  .buffer_register = vg_cuda_buffer_register,
  .texture_update = vg_cuda_texture_update,
  .texture_free = vg_cuda_texture_free,
  .bandwidth = vg_cuda_bandwidth,
};

extern "C" const VgCuda *vg_cuda_module (void);

const VgCuda *
vg_cuda_module (void)
{
  return &module;
}
