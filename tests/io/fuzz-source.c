/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of frames: open, read the first, the last and one more
 * frame.  Bits of the first byte: 1 colour is taken; 2 zeros fill up the long
 * header of RLS; 4 the first line is a geometry; 8 and 16 choose a reading;
 * 32 stacks are of time bins; 64 the header of a pair comes first, and then its samples; 128 the
 * bytes come from a pipe; 64 and 128 a text is a table of curves. */
#include "tests/fuzz/fuzz.h"
#include "io/source/vg-source.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Frames beyond this are legal, but would only measure the allocator. */
enum { MAX_FRAME = 16 << 20, MAX_NEXT = 3, MAX_PIPE = 4096, RLS_HEAD = 56, RLS_DATA = 30 * 1024 };

static void
read_some (VgSource *source)
{
  gsize bytes = vg_image_info_frame_bytes (&source->info);
  g_autofree guint8 *frame = NULL;
  guint64 id;
  double time_s;

  fuzz_require (bytes > 0 && source->info.frames != 0, "a source without a frame");
  fuzz_require (source->names == NULL || (int) g_strv_length (source->names) == source->info.width,
                "a table with a curve without a name");
  for (gint64 i = 1; source->info.curves && i < source->info.frames; i++)
    fuzz_require (source->times_s[i] > source->times_s[i - 1], "a table with unsorted times");
  if (bytes > MAX_FRAME)
    return;
  frame = g_malloc (bytes);
  for (int i = 0; i < 2 && source->info.frames > 0; i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean good = vg_source_read (source, i ? source->info.frames - 1 : 0, frame, &error);

      fuzz_require_message (!good, error);
    }
  for (int i = 0; i < MAX_NEXT; i++)
    {
      g_autoptr (GError) error = NULL;

      if (!vg_source_next (source, frame, &id, &time_s, &error))
        {
          fuzz_require_message (error != NULL, error);
          break;
        }
    }
}

static int
make_file (const guint8 *data, gsize length, gboolean long_header)
{
  g_autofree guint8 *zeros = g_malloc0 (RLS_DATA);
  int fd = memfd_create ("frames", MFD_CLOEXEC);
  gsize head = MIN (length, RLS_HEAD);
  gboolean good;

  if (long_header)
    {
      memcpy (zeros, data, head);
      good = write (fd, zeros, RLS_DATA) == RLS_DATA &&
             write (fd, data + head, length - head) == (gssize) (length - head);
    }
  else
    good = write (fd, data, length) == (gssize) length;
  fuzz_require (good, "no memory file");
  return fd;
}

/* A pipe that holds the bytes and ends. */
static int
make_pipe (const guint8 *data, gsize length)
{
  int fds[2];

  fuzz_require (pipe2 (fds, O_CLOEXEC) == 0, "no pipe");
  length = MIN (length, MAX_PIPE);
  fuzz_require (write (fds[1], data, length) == (gssize) length, "no room in the pipe");
  close (fds[1]);
  return fds[0];
}

/* The bytes as the two files of a pair. */
static void
make_pair (const guint8 *data, gsize length, const char *header, const char *samples)
{
  gsize head = MIN (length, length > 0 && data[0] == 0x1c ? 540 : 348);

  fuzz_put_file (header, data, head);
  fuzz_put_file (samples, data + head, length - head);
}

void
fuzz_one (const guint8 *data, gsize length)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  static const char *const readings[] = { NULL, "channel=2", "pages=frames", "sum_frames=1" };
  g_autofree char *geometry = NULL;
  g_autofree char *header = g_build_filename (fuzz_folder (), "a.hdr", NULL),
                  *samples = g_build_filename (fuzz_folder (), "a.img", NULL);
  char path[64];
  int fd, mode = length ? *data : 0;

  if (length == 0)
    return;
  data++;
  length--;
  if (mode & 4)
    {
      const guint8 *end = memchr (data, '\n', length);
      gsize line = end ? (gsize) (end - data) : length;

      geometry = g_strndup ((const char *) data, line);
      data += line;
      length -= line;
    }
  fd = (mode & 192) == 128 ? make_pipe (data, length) : make_file (data, length, mode & 2);
  g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
  if ((mode & 192) == 64)
    make_pair (data, length, header, samples);
  source = vg_source_open (
      (mode & 192) == 64 ? header : path,
      &(VgSourceOptions){ .colour = mode & 1,
                          .bins = (mode & 32) != 0,
                          .curves = (mode & 192) == 192,
                          .read_options = geometry ? geometry : readings[mode >> 3 & 3] },
      &error);
  fuzz_require_message (source == NULL, error);
  if (source)
    read_some (source);
  close (fd);
  if ((mode & 192) == 64)
    {
      g_unlink (header);
      g_unlink (samples);
    }
}
