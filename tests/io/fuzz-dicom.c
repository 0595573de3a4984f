/* SPDX-License-Identifier: MIT */
/* Any bytes as the only file of a folder, and as a DICOMDIR: open it, and read the first and the
 * last volume. */
#include "tests/fuzz/fuzz.h"
#include "io/source/vg-source.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

/* Volumes beyond this are legal, but would only measure the allocator. */
enum { MAX_FRAME = 4 << 20 };

static void
check_message (const GError *error)
{
  if (!error || strchr (error->message, '\n') || !g_utf8_validate (error->message, -1, NULL))
    g_error ("a failure without a proper message");
}

static void
read_some (VgSource *source)
{
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree guint8 *frame = NULL;

  if (bytes == 0 || source->info.frames < 1)
    g_error ("a source without a frame was opened");
  if (bytes > MAX_FRAME)
    return;
  frame = g_malloc (bytes);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!vg_source_read (source, i ? source->info.frames - 1 : 0, frame, &error))
        check_message (error);
    }
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-fuzz-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a", NULL);
  int fd = open (path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

  if (fd < 0 || write (fd, data, length) != (gssize) length)
    g_error ("no file");
  close (fd);
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = vg_source_open (i ? path : folder, NULL, &error);

      if (source)
        read_some (source);
      else
        check_message (error);
    }
  g_unlink (path);
  g_rmdir (folder);
}
