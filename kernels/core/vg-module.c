/* SPDX-License-Identifier: MIT */
#include "kernels/core/vg-module.h"
#include "kernels/base/vg-program.h"
#include "vg-config.h"
#include <gmodule.h>

char *
vg_module_find (const char *file, const char *build_folder)
{
  const char *chosen = g_getenv ("VIVOGRAPH_MODULE_DIR");
  const char *folders[] = { chosen != NULL                     ? chosen
                            : vg_program_is_in_build_folder () ? build_folder
                                                               : NULL,
                            chosen != NULL ? NULL : VG_MODULE_DIR };

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = folders[i] != NULL ? g_build_filename (folders[i], file, NULL) : NULL;

      if (path != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}

gpointer
vg_module_open (const char *file, const char *build_folder, const char *symbol, char **path,
                char **reason)
{
  gpointer function = NULL;
  GModule *module;

  *path = vg_module_find (file, build_folder);
  *reason = NULL;
  if (*path == NULL)
    return NULL;
  module = g_module_open (*path, G_MODULE_BIND_LOCAL);
  if (module == NULL)
    {
      *reason = g_strdup_printf ("%s cannot be loaded: %s", *path, g_module_error ());
      return NULL;
    }
  /* neither the CUDA run time nor a C++ library is safe to unload */
  g_module_make_resident (module);
  if (g_module_symbol (module, symbol, &function) && function != NULL)
    return function;
  *reason = g_strdup_printf ("%s is not a module of Vivograph; install Vivograph again", *path);
  return NULL;
}
