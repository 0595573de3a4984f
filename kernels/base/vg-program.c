/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-program.h"
#include "vg-config.h"
#include <string.h>

gboolean
vg_program_is_in_build_folder (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *build = g_path_get_dirname (VG_BUILD_MODULE_DIR);
  gsize length = strlen (build);

  return program != NULL && strncmp (program, build, length) == 0 &&
         program[length] == G_DIR_SEPARATOR;
}
