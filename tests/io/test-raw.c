/* SPDX-License-Identifier: MIT */
/* Bare frames from pipes and files, FOIL raw, RLS. */
#include "tests/support/io/tiff-fixture.h"
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;

static char *
test_path (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
put_file (const char *path, const void *bytes, gsize length)
{
  int fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  g_assert_cmpint (write (fd, bytes, length), ==, (gssize) length);
  close (fd);
}

/* --- a file with a geometry --- */

static void
test_file (void)
{
  g_autofree char *path = test_path ("frames.bin");
  guint16 values[2 * 35], frame[35];
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;

  for (int i = 0; i < 70; i++)
    values[i] = (guint16) (i * 931);
  put_file (path, values, sizeof values);
  source = vg_source_open (path, &(VgSourceOptions){ .read_options = "7x5:u16" }, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 2);
  g_assert_cmpint (source->info.type, ==, VG_U16);
  g_assert_true (vg_source_read (source, 1, frame, &error));
  g_assert_cmpmem (frame, sizeof frame, values + 35, sizeof frame);
  g_clear_pointer (&source, vg_source_close);

  source = vg_source_open (path, &(VgSourceOptions){ .read_options = "7x5:u16be" }, &error);
  g_assert_true (vg_source_read (source, 0, frame, &error));
  g_assert_cmpint (frame[1], ==, GUINT16_SWAP_LE_BE (931));
  g_clear_pointer (&source, vg_source_close);

  /* 20 bytes before all, 10 before each: (140 - 20) / (10 + 50) = 2 frames */
  source = vg_source_open (path, &(VgSourceOptions){ .read_options = "5x5:u16@20+10" }, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 2);
  g_assert_true (vg_source_read (source, 1, frame, &error));
  g_assert_cmpint (frame[0], ==, values[(20 + 60 + 10) / 2]);
}

static void
test_types (void)
{
  static const struct
  {
    const char *geometry;
    VgType type;
    gint64 frames;
  } types[] = {
    { "2x3:u8", VG_U8, 4 },     { "3x1:u32", VG_U32, 2 },    { "2x1:f32", VG_F32, 3 },
    { "2x1:f32le", VG_F32, 3 }, { "1x1:u16be", VG_U16, 12 }, { "24x1:u8be", VG_U8, 1 },
  };
  g_autofree char *path = test_path ("types.bin");
  const guint8 bytes[24] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

  put_file (path, bytes, sizeof bytes);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = vg_source_open (
          path, &(VgSourceOptions){ .read_options = types[i].geometry }, &error);
      guint8 frame[24];

      g_assert_no_error (error);
      g_assert_cmpint (source->info.type, ==, types[i].type);
      g_assert_cmpint (source->info.frames, ==, types[i].frames);
      g_assert_true (vg_source_read (source, 0, frame, &error));
      g_assert_cmpint (frame[0], ==, g_str_has_suffix (types[i].geometry, "u16be") ? 2 : 1);
    }
}

static void
test_bad_geometry (void)
{
  static const char *const texts[] = {
    "x",
    "5",
    "5x5",
    "5x5:",
    "5x5:u12",
    "5x5:u16xe",
    "0x5:u16",
    "5x0:u8",
    "-5x5:u8",
    "5x5:u8 ",
    " 5x5:u8",
    "5x5:u8@",
    "5x5:u8+",
    "99999999999999999999x5:u8",
    "2147483648x1:u8",
    "5X5:u8",
    "5x5:u8@99999999999999999999",
    "5x5:u8+9999999999",
  };
  g_autofree char *path = test_path ("geometry.bin");

  put_file (path, "0123456789", 10);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError)
          error = fixture_read_all (path, &(VgSourceOptions){ .read_options = texts[i] });

      g_assert_true (error->domain == VG_USAGE_ERROR);
      fixture_assert_message (error, "geometry");
    }
}

static void
test_wrong_size (void)
{
  g_autofree char *path = test_path ("size.bin");
  g_autoptr (GError) half = NULL, huge = NULL, none = NULL;

  put_file (path, "0123456789", 10);
  half = fixture_read_all (path, &(VgSourceOptions){ .read_options = "2x3:u8" });
  fixture_assert_message (half, "ends after 4 of 6 bytes of frame 2");
  huge = fixture_read_all (path, &(VgSourceOptions){ .read_options = "2147483647x2147483647:u32" });
  fixture_assert_message (huge, "larger than the 4 GiB");
  none = fixture_read_all (path, &(VgSourceOptions){ .read_options = "2x3:u8@4096" });
  g_assert_nonnull (none);
}

/* --- a pipe --- */

typedef struct
{
  const char *path;
  const guint8 *bytes;
  gsize length, piece;
  gulong pause_us;
} Sender;

static gpointer
send_bytes (gpointer data)
{
  const Sender *sender = data;
  int fd = open (sender->path, O_WRONLY | O_CLOEXEC);

  for (gsize at = 0; at < sender->length; at += sender->piece)
    {
      gsize n = MIN (sender->piece, sender->length - at);

      g_assert_cmpint (write (fd, sender->bytes + at, n), ==, (gssize) n);
      if (sender->pause_us)
        g_usleep (sender->pause_us);
    }
  close (fd);
  return NULL;
}

/* Frames in pieces of any size; the last one may be cut. */
static void
check_pipe (gsize length, gsize piece, const char *geometry, int whole, const char *says)
{
  g_autofree char *path = test_path ("pipe");
  g_autofree guint8 *bytes = g_malloc (length + 1);
  Sender sender = { path, bytes, length, piece, piece < length ? 200 : 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  GThread *thread;
  guint8 frame[60];
  guint64 id;
  double time_s, last_s = 0;

  for (gsize i = 0; i < length; i++)
    bytes[i] = (guint8) (i * 7 + 1);
  g_unlink (path);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  source = vg_source_open (path, &(VgSourceOptions){ .read_options = geometry }, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, -1);
  thread = g_thread_new ("sender", send_bytes, &sender);
  for (int k = 0; k < whole; k++)
    {
      g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
      g_assert_cmpuint (id, ==, k);
      g_assert_cmpfloat (time_s, >=, last_s);
      last_s = time_s;
      g_assert_cmpmem (frame, 60, bytes + k * 60, 60);
    }
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  if (says)
    {
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
      fixture_assert_message (error, says);
    }
  else
    g_assert_no_error (error);
  g_assert_false (vg_source_read (source, 0, frame, NULL));
  g_thread_join (thread);
}

static void
test_pipe (void)
{
  check_pipe (300, 300, "10x6:u8", 5, NULL);
  check_pipe (300, 7, "10x6:u8", 5, NULL);
  check_pipe (300, 59, "10x6:u8", 5, NULL);
  check_pipe (217, 50, "10x6:u8", 3, "ended after 37 of 60 bytes of frame 4");
  check_pipe (59, 59, "10x6:u8", 0, "ended after 59 of 60 bytes of frame 1");
}

static gpointer
cancel_later (gpointer data)
{
  g_usleep (30000);
  vg_source_cancel (data);
  return NULL;
}

/* A waiting `next` comes back, without an error, and stays away. */
static void
test_cancel (void)
{
  g_autofree char *path = test_path ("silent");
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  GThread *thread;
  guint8 frame[16];
  guint64 id;
  double time_s;
  int writer;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  source = vg_source_open (path, &(VgSourceOptions){ .read_options = "4x4:u8" }, &error);
  g_assert_no_error (error);
  writer = open (path, O_WRONLY | O_CLOEXEC);
  g_assert_cmpint (write (writer, "half a", 6), ==, 6);
  thread = g_thread_new ("cancel", cancel_later, source);
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
  g_thread_join (thread);
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
  close (writer);
}

/* Standard input: a pipe, and a file that can be read at any place. */
static void
test_standard_input (void)
{
  g_autofree char *path = test_path ("stdin.bin");
  int saved = dup (STDIN_FILENO), ends[2], fd;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  guint8 frame[4];
  guint64 id;
  double time_s;

  g_assert_cmpint (pipe (ends), ==, 0);
  dup2 (ends[0], STDIN_FILENO);
  g_assert_null (vg_source_open ("-", NULL, &error));
  g_assert_true (error->domain == VG_USAGE_ERROR);
  fixture_assert_message (error, "--geometry");
  g_clear_error (&error);
  source = vg_source_open ("-", &(VgSourceOptions){ .read_options = "2x2:u8" }, &error);
  g_assert_no_error (error);
  g_assert_cmpint (write (ends[1], "abcd", 4), ==, 4);
  close (ends[1]);
  g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_cmpmem (frame, 4, "abcd", 4);
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
  g_clear_pointer (&source, vg_source_close);
  close (ends[0]);

  put_file (path, "skipabcdefgh", 12);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (lseek (fd, 4, SEEK_SET), ==, 4);
  dup2 (fd, STDIN_FILENO);
  close (fd);
  source = vg_source_open ("-", &(VgSourceOptions){ .read_options = "2x2:u8" }, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 2);
  g_assert_true (vg_source_read (source, 1, frame, &error));
  g_assert_cmpmem (frame, 4, "efgh", 4);
  dup2 (saved, STDIN_FILENO);
  close (saved);
}

/* --- FOIL and RLS --- */

static void
test_foil (void)
{
  enum { WIDTH = 13, HEIGHT = 7, FRAMES = 3 };
  g_autofree char *path = test_path ("speckle.raw");
  guint8 file[8 + WIDTH * HEIGHT * FRAMES], frame[WIDTH * HEIGHT];
  const guint8 head[8] = { HEIGHT, 0, WIDTH, 0, FRAMES, 0, 5, 0 };
  g_autoptr (VgSource) source = NULL;

  for (gsize i = 0; i < sizeof file; i++)
    file[i] = i < 8 ? head[i] : (guint8) (i * 11);
  put_file (path, file, sizeof file);
  source = fixture_open (path, FALSE);
  g_assert_cmpstr (source->format, ==, "FOIL raw");
  g_assert_cmpint (source->info.width, ==, WIDTH);
  g_assert_cmpint (source->info.height, ==, HEIGHT);
  g_assert_cmpint (source->info.frames, ==, FRAMES);
  g_assert_cmpfloat (source->info.exposure_ms, ==, 5);
  for (int k = FRAMES - 1; k >= 0; k--)
    {
      g_assert_true (vg_source_read (source, k, frame, NULL));
      g_assert_cmpmem (frame, sizeof frame, file + 8 + (gsize) k * sizeof frame, sizeof frame);
    }
  for (gsize n = 1; n < sizeof file; n++)
    {
      g_autoptr (GError) error = NULL;

      put_file (path, file, n);
      error = fixture_read_all (path, NULL);
      fixture_assert_message (error,
                              n < 8 ? "is not in a format that Vivograph knows" : "cut short");
    }
}

enum { RLS_HEAD = 30 * 1024, RLS_WIDTH = 11, RLS_HEIGHT = 5, RLS_FRAMES = 4 };

/* Stamps 7800 us apart; returns the file's bytes. */
static guint8 *
make_rls (guint64 version, guint64 sample_bytes, gsize *length)
{
  gsize frame_bytes = RLS_WIDTH * RLS_HEIGHT * sample_bytes;
  guint64 head[4] = { RLS_WIDTH, RLS_HEIGHT, RLS_FRAMES, 8 };
  guint8 *file;

  *length = RLS_HEAD + RLS_FRAMES * (8 + frame_bytes);
  file = g_malloc0 (*length);
  memcpy (file, head, sizeof head);
  if (version)
    {
      memcpy (file + 32, "Ver.", 4);
      memcpy (file + 36, &version, 8);
      memcpy (file + 44, &sample_bytes, 8);
    }
  for (gsize k = 0; k < RLS_FRAMES; k++)
    {
      guint8 *frame = file + RLS_HEAD + k * (8 + frame_bytes);

      memcpy (frame, &(guint64){ 1000 + 7800 * k }, 8);
      for (gsize i = 0; i < frame_bytes; i++)
        frame[8 + i] = (guint8) (17 * k + i);
    }
  return file;
}

static void
test_rls (void)
{
  g_autofree char *path = test_path ("speckle.rls");
  gsize length;
  g_autofree guint8 *file = make_rls (0, 1, &length);
  guint8 frame[RLS_WIDTH * RLS_HEIGHT];
  g_autoptr (VgSource) source = NULL;

  put_file (path, file, length);
  source = fixture_open (path, FALSE);
  g_assert_cmpstr (source->format, ==, "RLS");
  g_assert_cmpint (source->info.width, ==, RLS_WIDTH);
  g_assert_cmpint (source->info.height, ==, RLS_HEIGHT);
  g_assert_cmpint (source->info.frames, ==, RLS_FRAMES);
  g_assert_cmpfloat_with_epsilon (source->info.frame_interval_s, 0.0078, 1e-12);
  for (int k = 0; k < RLS_FRAMES; k++)
    {
      g_assert_true (vg_source_read (source, k, frame, NULL));
      for (gsize i = 0; i < sizeof frame; i++)
        g_assert_cmpint (frame[i], ==, (guint8) (17 * (gsize) k + i));
    }
  for (gsize n = RLS_HEAD + 1; n < length; n++)
    {
      g_autoptr (GError) error = NULL;

      put_file (path, file, n);
      error = fixture_read_all (path, NULL);
      fixture_assert_message (error, "\"speckle.rls\" is cut short");
    }
}

/* Files with a version hold columns; 16-bit from version 2 on. */
static void
test_rls_versioned (void)
{
  for (guint64 sample_bytes = 1; sample_bytes <= 2; sample_bytes++)
    {
      g_autofree char *path = test_path ("versioned.rls");
      gsize length;
      g_autofree guint8 *file = make_rls (2, sample_bytes, &length);
      guint8 frame[RLS_WIDTH * RLS_HEIGHT * 2];
      g_autoptr (VgSource) source = NULL;

      put_file (path, file, length);
      source = fixture_open (path, FALSE);
      g_assert_cmpint (source->info.type, ==, sample_bytes == 1 ? VG_U8 : VG_U16);
      g_assert_true (vg_source_read (source, 2, frame, NULL));
      for (int y = 0; y < RLS_HEIGHT; y++)
        for (int x = 0; x < RLS_WIDTH; x++)
          {
            gsize stored = (gsize) (x * RLS_HEIGHT + y) * sample_bytes;
            guint value = (guint8) (34 + stored);

            if (sample_bytes == 2)
              value |= (guint) (guint8) (34 + stored + 1) << 8;
            g_assert_cmpfloat (fixture_sample (&source->info, frame, (gsize) (y * RLS_WIDTH + x)),
                               ==, value);
          }
    }
}

static void
test_rls_lies (void)
{
  static const guint64 heads[][4] = {
    { 65536, 65536, 4294967295u, 1 }, { 1, 1, 4294967295u, 1 },  { 0, 5, 4, 8 }, { 11, 5, 0, 8 },
    { G_MAXUINT64, 5, 4, 8 },         { 11, 5, G_MAXUINT64, 8 },
  };
  g_autofree char *path = test_path ("lies.rls");
  gsize length;
  g_autofree guint8 *file = make_rls (0, 1, &length);

  for (guint i = 0; i < G_N_ELEMENTS (heads); i++)
    {
      g_autoptr (GError) error = NULL;

      memcpy (file, heads[i], sizeof heads[i]);
      put_file (path, file, length);
      error = fixture_read_all (path, NULL);
      fixture_assert_message (error, "lies.rls");
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/raw/file", test_file);
  g_test_add_func ("/raw/types", test_types);
  g_test_add_func ("/raw/bad-geometry", test_bad_geometry);
  g_test_add_func ("/raw/wrong-size", test_wrong_size);
  g_test_add_func ("/raw/pipe", test_pipe);
  g_test_add_func ("/raw/cancel", test_cancel);
  g_test_add_func ("/raw/standard-input", test_standard_input);
  g_test_add_func ("/raw/foil", test_foil);
  g_test_add_func ("/raw/rls", test_rls);
  g_test_add_func ("/raw/rls-versioned", test_rls_versioned);
  g_test_add_func ("/raw/rls-lies", test_rls_lies);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
