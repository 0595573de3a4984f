/* SPDX-License-Identifier: MIT */
/* Any bytes as a whole slide: parts of each of its levels are read.  The first byte chooses the
 * read options. */
#include "tests/fuzz/fuzz.h"
#include <glib/gstdio.h>
#include "io/source/vg-source.h"

enum { SIDE = 40, MAX_FRAME = 1 << 20, MAX_LEVELS = 8 };

static void
read_parts (VgSource *source)
{
  const VgPyramid *pyramid = source->pyramid;
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree guint8 *part = g_malloc (SIDE * SIDE * 3),
                    *frame = bytes <= MAX_FRAME ? g_malloc (bytes) : NULL;
  g_autoptr (GError) error = NULL;

  fuzz_require (bytes > 0 && source->info.frames > 0 &&
                    (pyramid == NULL || source->info.frames == 1),
                "a source without a frame");
  for (int level = 0; pyramid != NULL && level < MIN (pyramid->n_levels, MAX_LEVELS); level++)
    {
      const VgLevel *own = &pyramid->levels[level];
      const int width = (int) MIN (own->width, SIDE), height = (int) MIN (own->height, SIDE);

      fuzz_require (own->width > 0 && own->height > 0 && own->downsample >= 1, "an odd level");
      for (int corner = 0; corner < 2; corner++)
        {
          g_autoptr (GError) local = NULL;
          gboolean good = vg_source_read_region (source, level, corner ? own->width - width : 0,
                                                 corner ? own->height - height : 0, width, height,
                                                 part, &local);

          fuzz_require_message (!good, local);
        }
    }
  if (frame != NULL)
    {
      gboolean good = vg_source_read (source, 0, frame, &error);

      fuzz_require_message (!good, error);
    }
}

void
fuzz_one (const guint8 *data, gsize length)
{
  static const char *const readings[] = { NULL, "level=1", "region=3,5,17,11",
                                          "level=1 region=0,0,20,20" };
  g_autofree char *path = g_build_filename (fuzz_folder (), "a.tif", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  if (length > 0)
    {
      fuzz_put_file (path, data + 1, length - 1);
      source = vg_source_open (
          path,
          &(VgSourceOptions){ .colour = TRUE,
                              .read_options = readings[data[0] % G_N_ELEMENTS (readings)] },
          &error);
      fuzz_require_message (source == NULL, error);
      if (source != NULL)
        read_parts (source);
    }
  g_unlink (path);
}
