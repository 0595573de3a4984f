/* SPDX-License-Identifier: MIT */
/* A module that claims to be the CUDA module, as the test asks for it in the
 * environment: of another version, without a device, or with one. */
#include "kernels/core/vg-cuda.h"
#include <gmodule.h>
#include <stdlib.h>

static int
device_count (GError **error)
{
  if (g_getenv ("FAKE_DEVICES") == NULL)
    g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_ABSENT, "the driver is too old");
  return g_getenv ("FAKE_DEVICES") != NULL ? atoi (g_getenv ("FAKE_DEVICES")) : -1;
}

static const VgEngine engine;

static const VgEngine *
find_engine (const char *operation_id)
{
  return g_str_equal (operation_id, "known") ? &engine : NULL;
}

G_MODULE_EXPORT const VgCuda *vg_cuda_module (void);

const VgCuda *
vg_cuda_module (void)
{
  static VgCuda cuda = { .device_count = device_count, .engine = find_engine };

  cuda.abi = g_getenv ("FAKE_ABI") != NULL ? atoi (g_getenv ("FAKE_ABI")) : VG_CUDA_ABI;
  return &cuda;
}
