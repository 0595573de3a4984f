/* SPDX-License-Identifier: MIT */
#include "app/opening/vg-example.h"
#include "vg-config.h"

static const char *const folders[] = { VG_EXAMPLES_DIR, VG_SOURCE_EXAMPLES_DIR };

char *
vg_example_find (const VgExample *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *path = g_build_filename (folders[i], self->path, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&path);
    }
  return NULL;
}
