/* SPDX-License-Identifier: MIT */
/* Any bytes as the only file of a folder, and as a DICOMDIR: open it, and read the first and the
 * last volume. */
#include "tests/fuzz/fuzz.h"
#include "io/source/vg-source.h"
#include "kernels/base/vg-placement.h"
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

/* Places a segment on another grid: its own without the last column, shifted by a slice. */
static void
place_segment (const char *path, const VgImageInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = NULL, placed = NULL;
  VgImageInfo data = *info;

  if (info->segment[0] == '\0' || vg_image_info_frame_bytes (info) > MAX_FRAME)
    return;
  data.width = MAX (data.width - 1, 1);
  for (int i = 0; i < 3; i++)
    data.placement.srow[i][3] += data.placement.srow[i][2];
  image = vg_image_load (path, VG_FILE_IMAGE, NULL, &error);
  if (image != NULL)
    placed = vg_image_place (image, &data, FALSE, &error);
  fuzz_require_message (placed == NULL, error);
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
        {
          read_some (source);
          place_segment (path, &source->info);
        }
    }
  g_unlink (path);
}
