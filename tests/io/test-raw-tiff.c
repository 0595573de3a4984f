/* SPDX-License-Identifier: MIT */
/* Recordings: their direct writes, and the links between their frames. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>
#include "tests/support/io/tiff-fixture.h"
#include "io/write/vg-frame-file.h"

enum { LARGE = 1 << 20 };

static char *folder;
static gboolean leaves_holes; /* parts of LARGE bytes or more are not written */
static guint holes;

/* The writer calls this function instead of that of the C library. */
ssize_t
pwritev (int fd, const struct iovec *parts, int n_parts, off_t offset)
{
  gsize done = 0;

  if (!leaves_holes)
    return pwritev2 (fd, parts, n_parts, offset, 0);
  for (int i = 0; i < n_parts; done += parts[i++].iov_len)
    if (parts[i].iov_len >= LARGE)
      holes++;
    else if (pwrite (fd, parts[i].iov_base, parts[i].iov_len, offset + (off_t) done) < 0)
      return -1;
  return (ssize_t) done;
}

static char *
test_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

/* TRUE: the file system takes a block of MEMORY past the page cache. */
static gboolean
takes_direct (const void *memory)
{
  g_autofree char *path = test_path ("probe");
  int fd = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_DIRECT, 0666);
  const gboolean takes = fd >= 0 && pwrite (fd, memory, 4096, 0) == 4096;

  if (fd >= 0)
    close (fd);
  g_unlink (path);
  return takes;
}

/* Large frames are written without the page cache if the disk allows it.  Their memory may begin at
 * a page or anywhere else.  After each frame the file contains all frames so far. */
static void
test_direct (void)
{
  const VgImageInfo info = {
    .type = VG_U16, .width = 301, .height = 257, .channels = 1, .bins = 1, .slices = 1, .frames = -1
  };
  const gsize bytes = vg_image_info_page_bytes (&info);
  g_autofree char *path = test_path ("direct.tif");
  g_autofree guint8 *frame = g_malloc (bytes);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgFrameFile) writer = vg_frame_file_new (path, TRUE, &info, &error);
  guint8 *pages = aligned_alloc (4096, 64 * 4096);
  const gboolean can_direct = takes_direct (pages);

  g_assert_cmpint (bytes, <, 60 * 4096);
  for (int i = 0; i < 6; i++)
    {
      guint8 *page = pages + (i == 4 ? 10 : 0);
      g_autofree char *text = g_strnfill ((gsize) i * 3000, 'x');
      g_autoptr (VgSource) source = NULL;

      for (gsize j = 0; j < bytes; j++)
        page[j] = (guint8) (j * 7 + j / 251 + (gsize) i);
      g_assert_true (vg_frame_file_add (writer, page, text, &error));
      if (can_direct && i < 4)
        g_assert_cmpuint (vg_frame_file_in_memory (writer), ==, 0);
      source = fixture_open (vg_frame_file_path (writer), FALSE);
      g_assert_cmpint (source->info.frames, ==, i + 1);
      for (int k = 0; k <= i; k++)
        {
          g_assert_true (vg_source_read (source, k, frame, &error));
          g_assert_cmpint (frame[0], ==, k);
          for (gsize j = 0; j < bytes; j++)
            g_assert_cmpint (frame[j], ==, (guint8) (j * 7 + j / 251 + (gsize) k));
        }
    }
  g_assert_true (vg_frame_file_commit (writer, &error));
  free (pages);
  g_unlink (path);
  if (!can_direct)
    g_test_skip ("the file system of the temporary folder refuses direct writes");
}

static guint64
read_word (int fd, guint64 at)
{
  guint64 word = 0;

  g_assert_cmpint (pread (fd, &word, sizeof word, (off_t) at), ==, sizeof word);
  return word;
}

/* The links lead to all pages, also beyond 4 GiB and where a link crosses the end of a block, as it
 * may with four channels.  The samples are holes in the file. */
static void
test_links (void)
{
  enum { FRAMES = 4, BLOCK = 4096, ENTRY_BYTES = 20 };

  for (int bins = 1; bins <= 2; bins++)
    {
      const VgImageInfo info = { .type = VG_U16,
                                 .width = 478,
                                 .height = 512 * 822 + 1,
                                 .channels = 4,
                                 .bins = bins,
                                 .slices = 1,
                                 .frames = -1 };
      const gsize bytes = vg_image_info_page_bytes (&info) * (gsize) bins;
      g_autofree char *path = test_path ("links.tif");
      g_autoptr (GError) error = NULL;
      g_autoptr (VgFrameFile) writer = vg_frame_file_new (path, TRUE, &info, &error);
      void *frame = mmap (NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                          0);
      int fd = open (vg_frame_file_path (writer), O_RDONLY | O_CLOEXEC), pages = 0;
      guint64 at = 0, last = 0;

      g_assert_cmpint (vg_image_info_page_bytes (&info) % BLOCK, ==, 3824);
      g_assert_true (frame != MAP_FAILED);
      leaves_holes = TRUE;
      holes = 0;
      for (int i = 0; i < FRAMES; i++)
        g_assert_true (vg_frame_file_add (writer, frame, "", &error));
      leaves_holes = FALSE;
      g_assert_cmpuint (holes, ==, FRAMES * bins);
      for (at = read_word (fd, 8); at != 0; pages++)
        {
          g_assert_cmpuint (at, >, last);
          g_assert_cmpuint (read_word (fd, at), ==, 13);
          last = at;
          at = read_word (fd, at + 8 + 13 * ENTRY_BYTES);
        }
      g_assert_cmpint (pages, ==, FRAMES * bins);
      g_assert_cmpuint (last, >, G_MAXUINT32);
      close (fd);
      munmap (frame, bytes);
      g_unlink (vg_frame_file_path (writer));
    }
}

/* Only what a killed recording left without a frame makes room, never another file. */
static void
test_left (void)
{
  static const struct
  {
    const char *content;
    gsize size;
    gboolean goes;
  } cases[] = {
    { "", 0, TRUE },
    { G_BYTE_ORDER == G_LITTLE_ENDIAN ? "II\053\0\010\0\0\0\0\0\0\0\0\0\0\0"
                                      : "MM\0\053\0\010\0\0\0\0\0\0\0\0\0\0",
      16, TRUE },
    { "II\052\0\020\0\0\0\0\0\0\0\0\0\0\0a file of another program", 40, FALSE },
    { "short", 5, FALSE },
    { "12345678\0\0\0\0\0\0\0\0", 16, FALSE },
  };
  const VgImageInfo info = {
    .type = VG_U8, .width = 2, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = test_path ("left.tif"), *part = test_path ("left.part.tif"),
                      *second = test_path ("left.part-2.tif");
      g_autoptr (VgFrameFile) tiff = NULL;

      g_assert_true (g_file_set_contents (part, cases[i].content, (gssize) cases[i].size, NULL));
      tiff = vg_frame_file_new (path, TRUE, &info, NULL);
      g_assert_nonnull (tiff);
      g_assert_cmpstr (vg_frame_file_path (tiff), ==, cases[i].goes ? part : second);
      g_assert_true (g_file_test (part, G_FILE_TEST_EXISTS));
      g_unlink (part);
    }
}

/* A raw file goes if its index has the first line alone, not if the index was cut or is of another
 * program. */
static void
test_left_raw (void)
{
  static const struct
  {
    const char *index;
    gboolean goes;
  } cases[] = {
    { VG_RAW_INDEX_BEGIN " \"dtype\": \"|u1\"}\n", TRUE },
    { "", FALSE },
    { VG_RAW_INDEX_BEGIN " \"dtype\": \"|u", FALSE },
    { VG_RAW_INDEX_BEGIN " \"dtype\": \"|u1\"}\n" VG_RECORDED ", \"offset\": 0", FALSE },
    { "one line\n", FALSE },
  };
  const VgImageInfo info = {
    .type = VG_U8, .width = 2, .height = 2, .channels = 1, .bins = 1, .slices = 1, .frames = -1
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = test_path ("left.raw"), *part = test_path ("left.part.raw"),
                      *second = test_path ("left.part-2.raw"), *index = vg_raw_index_path (part);
      g_autoptr (VgFrameFile) raw = NULL;

      g_assert_true (g_file_set_contents (part, "samples", -1, NULL));
      g_assert_true (g_file_set_contents (index, cases[i].index, -1, NULL));
      raw = vg_frame_file_new (path, TRUE, &info, NULL);
      g_assert_nonnull (raw);
      g_assert_cmpstr (vg_frame_file_path (raw), ==, cases[i].goes ? part : second);
      g_unlink (part);
      g_unlink (index);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/raw-tiff/direct", test_direct);
  g_test_add_func ("/raw-tiff/links", test_links);
  g_test_add_func ("/raw-tiff/left", test_left);
  g_test_add_func ("/raw-tiff/left-raw", test_left_raw);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
