/* SPDX-License-Identifier: MIT */
/* Loads the CUDA module, once. */
#include "kernels/core/vg-cuda.h"
#include "kernels/core/vg-module.h"
#include "vg-config.h"

#define MODULE_FILE "vivograph-cuda.so"

typedef struct
{
  const VgCuda *cuda;
  char *reason;
} Loaded;

static const VgCuda *
open_module (char **reason)
{
  g_autofree char *path = NULL;
  const VgCuda *(*entry) (void) = (const VgCuda *(*) (void) ) vg_module_open (
      MODULE_FILE, VG_BUILD_MODULE_DIR, "vg_cuda_module", &path, reason);
  const VgCuda *cuda = entry != NULL ? entry () : NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    *reason = g_strdup ("the CUDA module " MODULE_FILE
                        " is not installed; install vivograph-cuda, or build with nvcc");
  else if (entry != NULL && cuda == NULL)
    *reason = g_strdup_printf ("%s is not a module of Vivograph; install Vivograph again", path);
  if (cuda == NULL)
    return NULL;
  if (cuda->abi != VG_CUDA_ABI)
    {
      *reason = g_strdup_printf (
          "%s has version %d, but Vivograph needs version %d; install both together", path,
          cuda->abi, VG_CUDA_ABI);
      return NULL;
    }
  if (cuda->device_count (&error) <= 0)
    {
      *reason = g_strdup (error != NULL ? error->message : "no CUDA device was found");
      return NULL;
    }
  return cuda;
}

static gpointer
load (gpointer data)
{
  Loaded *loaded = g_new0 (Loaded, 1);

  loaded->cuda = open_module (&loaded->reason);
  return loaded;
}

const VgCuda *
vg_cuda_get (const char **reason)
{
  static GOnce once = G_ONCE_INIT;
  const Loaded *loaded = g_once (&once, load, NULL);

  if (reason != NULL)
    *reason = loaded->reason;
  return loaded->cuda;
}

const VgEngine *
vg_cuda_engine (const VgOperation *operation)
{
  const VgCuda *cuda = vg_cuda_get (NULL);

  return cuda != NULL ? cuda->engine (operation->id) : NULL;
}
