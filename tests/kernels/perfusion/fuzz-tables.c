/* SPDX-License-Identifier: MIT */
/* Any text as the frame times or the curves of a perfusion series. */
#include "tests/fuzz/fuzz.h"
#include "kernels/perfusion/study/perfusion-study.h"

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autoptr (VgImage)
      file = vg_image_new_text (g_strndup ((const char *) data, length), length, "table.csv");
  g_autoptr (GError) error = NULL;
  int rows, columns;
  g_autofree double *values = vg_perfusion_read_table (file, &rows, &columns, &error);

  fuzz_require_message (values == NULL, error);
  fuzz_require (values == NULL || (rows > 0 && columns > 0), "an empty table");
  for (gsize i = 0; values != NULL && i < (gsize) rows * (gsize) columns; i++)
    fuzz_require (isfinite (values[i]), "a value that is no number");
}
