/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-program.h"
#include "vg-config.h"
#include <dlfcn.h>
#include <string.h>

static gboolean
is_in_build_folder (const char *file)
{
  g_autofree char *build = g_path_get_dirname (VG_BUILD_MODULE_DIR);
  gsize length = strlen (build);

  return file != NULL && strncmp (file, build, length) == 0 && file[length] == G_DIR_SEPARATOR;
}

/* The code may also be in a shared library that another program loads. */
gboolean
vg_program_is_in_build_folder (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *library = NULL;
  Dl_info info;

  if (dladdr ((void *) vg_program_is_in_build_folder, &info) != 0 && info.dli_fname != NULL)
    library = g_canonicalize_filename (info.dli_fname, NULL);
  return is_in_build_folder (program) || is_in_build_folder (library);
}
