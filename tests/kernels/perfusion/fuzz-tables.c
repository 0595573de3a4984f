/* SPDX-License-Identifier: MIT */
/* Any text as the frame times or the curves of a perfusion series. */
#include "tests/fuzz/fuzz.h"
#include "kernels/perfusion/study/perfusion-study.h"
#include <string.h>

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autoptr (VgImage)
      file = vg_image_new_text (g_strndup ((const char *) data, length), length, "table.csv");
  g_autoptr (GError) error = NULL;
  int rows, columns;
  g_autofree double *values = vg_perfusion_read_table (file, &rows, &columns, &error);

  if ((values == NULL) != (error != NULL) || (values != NULL && (rows < 1 || columns < 1)))
    g_error ("%d rows of %d numbers, and %s", rows, columns,
             error != NULL ? error->message : "no error");
  for (gsize i = 0; values != NULL && i < (gsize) rows * (gsize) columns; i++)
    if (!isfinite (values[i]))
      g_error ("value %" G_GSIZE_FORMAT " is not a number", i);
  if (error != NULL &&
      (strchr (error->message, '\n') != NULL || !g_utf8_validate (error->message, -1, NULL)))
    g_error ("a failure without a proper message");
}
