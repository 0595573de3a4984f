/* SPDX-License-Identifier: MIT */
/* Finds and loads the CUDA module, once.  The module is searched for in
 * $VIVOGRAPH_MODULE_DIR alone when that is set, else in the build folder when
 * the program runs from there, else where it was installed. */
#include "kernels/core/vg-cuda.h"
#include "kernels/base/vg-program.h"
#include "vg-config.h"
#include <gmodule.h>

#define MODULE_FILE "vivograph-cuda.so"

typedef struct
{
  const VgCuda *cuda;
  char *reason;
} Loaded;

/* The module's path, or NULL when there is no such file. */
static char *
find_module (void)
{
  const char *chosen = g_getenv ("VIVOGRAPH_MODULE_DIR");
  const char *folders[] = { chosen != NULL                     ? chosen
                            : vg_program_is_in_build_folder () ? VG_BUILD_MODULE_DIR
                                                               : NULL,
                            chosen != NULL ? NULL : VG_MODULE_DIR };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = folders[i] != NULL ? g_build_filename (folders[i], MODULE_FILE, NULL)
                                                 : NULL;

      if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}

static const VgCuda *
open_module (char **reason)
{
  g_autofree char *path = find_module ();
  const VgCuda *(*entry) (void) = NULL;
  const VgCuda *cuda;
  g_autoptr (GError) error = NULL;
  GModule *module;

  if (path == NULL)
    {
      *reason = g_strdup ("the CUDA module " MODULE_FILE
                          " is not installed (it is only built where nvcc is present)");
      return NULL;
    }
  module = g_module_open (path, G_MODULE_BIND_LOCAL);
  if (module == NULL)
    {
      *reason = g_strdup_printf ("%s cannot be loaded: %s", path, g_module_error ());
      return NULL;
    }
  /* the CUDA run time does not survive being unloaded */
  g_module_make_resident (module);
  if (!g_module_symbol (module, "vg_cuda_module", (gpointer *) &entry) || entry == NULL ||
      (cuda = entry ()) == NULL)
    {
      *reason = g_strdup_printf ("%s is not a CUDA module of Vivograph; install it again", path);
      return NULL;
    }
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
