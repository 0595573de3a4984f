/* SPDX-License-Identifier: MIT */
/* Any bytes as the only file of a folder, and as a DICOMDIR: open it, and read the first and the
 * last volume. */
#include "tests/fuzz/fuzz.h"
#include "io/source/vg-source.h"
#include <glib/gstdio.h>

/* Volumes beyond this are legal, but would only measure the allocator. */
enum { MAX_FRAME = 4 << 20 };

static void
read_some (VgSource *source)
{
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree guint8 *frame = NULL;

  fuzz_require (bytes > 0 && source->info.frames > 0, "a source without a frame");
  if (bytes > MAX_FRAME)
    return;
  frame = g_malloc (bytes);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean good = vg_source_read (source, i ? source->info.frames - 1 : 0, frame, &error);

      fuzz_require_message (!good, error);
    }
}

void
fuzz_one (const guint8 *data, gsize length)
{
  const char *folder = fuzz_folder ();
  g_autofree char *path = g_build_filename (folder, "a", NULL);

  fuzz_put_file (path, data, length);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = vg_source_open (i ? path : folder, NULL, &error);

      fuzz_require_message (source == NULL, error);
      if (source)
        read_some (source);
    }
  g_unlink (path);
}
