/* SPDX-License-Identifier: MIT */
/* A photon stream that another program is still writing. */
#include "io/live/vg-live.h"
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/spc-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <glib/gstdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>
#include <utime.h>

enum { GENERIC = 0x00010307 };

static char *folder;

static VgSource *
watch (const char *read_options)
{
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (GError) error = NULL;
  VgSource *source = vg_live_open (address, &(VgSourceOptions){ .read_options = read_options },
                                   &error);

  g_assert_no_error (error);
  return source;
}

static guint64
sum_next (VgSource *source)
{
  g_autofree guint16 *frame = g_malloc (vg_image_info_frame_bytes (&source->info));
  gsize n = vg_image_info_frame_bytes (&source->info) / 2;
  guint64 sum = 0, id;
  double time_s;

  g_assert_true (vg_source_next (source, frame, &id, &time_s, NULL));
  for (gsize i = 0; i < n; i++)
    sum += frame[i];
  return sum;
}

/* The sum of the next decay of a stream without an image. */
static guint64
sum_decay (VgSource *source)
{
  g_autofree guint32 *decay = g_new (guint32, (gsize) source->info.bins);
  guint64 sum = 0, id;
  double time_s;

  g_assert_cmpint (source->info.width * source->info.height, ==, 1);
  g_assert_true (vg_source_next (source, decay, &id, &time_s, NULL));
  for (gint64 i = 0; i < source->info.bins; i++)
    sum += decay[i];
  return sum;
}

/* Each frame has all photons that the file has then; or, if scans are images, each scan once the
 * next has begun. */
static void
test_growing (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = NULL;
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL);
  gsize n = (gsize) variant.width * (gsize) variant.height * (gsize) fixture_ptu_bins (&variant);
  guint64 all = 0, first = 0;

  variant.frames = 3;
  bytes = fixture_ptu (&variant, 17, &counts);
  for (gsize i = 0; i < 3 * n; i++)
    {
      all += counts[i];
      first += i < n ? counts[i] : 0;
    }
  for (int split = 0; split < 2; split++)
    {
      g_autoptr (GByteArray) half = g_byte_array_new ();
      g_autoptr (VgSource) source = NULL;

      g_byte_array_append (half, bytes->data, bytes->len / 4 * 3 / 4 * 4);
      fixture_write (path, half);
      source = watch (split ? "channel=1 sum_frames=1" : "channel=1");
      g_assert_cmpint (source->info.frames, ==, -1);
      g_assert_cmpint (source->info.gathers, ==, !split);
      if (split)
        g_assert_cmpuint (sum_next (source), ==, first);
      else
        {
          guint64 part = sum_next (source);

          g_assert_cmpuint (part, >, 0);
          g_assert_cmpuint (part, <, all);
        }
      fixture_write (path, bytes);
      if (!split)
        g_assert_cmpuint (sum_next (source), ==, all);
      else
        g_assert_cmpuint (sum_next (source), >, 0);
    }
}

/* Without a complete frame there is nothing to deliver yet; nor before the first line, if the
 * header announces a scan. */
static void
test_later (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 3, &counts),
                         header = fixture_ptu_header (&variant);
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (GError) error = NULL;

  fixture_ptu_tag (header, "Header_End", 0xffff0008, 0);
  fixture_write (path, header);
  g_assert_null (vg_live_open (address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_assert_nonnull (strstr (error->message, "no line marker"));
  g_clear_error (&error);
  g_byte_array_set_size (bytes, 40);
  fixture_write (path, bytes);
  g_assert_null (vg_live_open (address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
}

typedef struct
{
  char *path;
  const GByteArray *bytes;
  int events; /* of the file: opened, closed */
} Repair;

static gpointer
repair_once_read (gpointer data)
{
  const Repair *self = data;
  struct inotify_event event = { 0 };

  for (guint32 seen = 0; !(seen & IN_OPEN) || !(event.mask & IN_CLOSE_NOWRITE); seen |= event.mask)
    g_assert_cmpint (read (self->events, &event, sizeof event), ==, sizeof event);
  g_assert_true (
      g_file_set_contents (self->path, (const char *) self->bytes->data, self->bytes->len, NULL));
  return NULL;
}

/* A file that is damaged when it has grown is read once it is good, also if its size is the same.
 */
static void
test_repaired (void)
{
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_ptu (&variant, 4, &counts), damaged = g_byte_array_new ();
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL);
  g_autoptr (VgSource) source = NULL;
  GThread *thread;
  gsize n = (gsize) variant.width * (gsize) variant.height * (gsize) fixture_ptu_bins (&variant);
  const int events = inotify_init1 (IN_CLOEXEC);
  guint64 all = 0;

  for (gsize i = 0; i < (gsize) variant.frames * n; i++)
    all += counts[i];
  g_byte_array_append (damaged, bytes->data, bytes->len / 4 * 3 / 4 * 4);
  fixture_write (path, damaged);
  source = watch ("channel=1");
  g_assert_cmpuint (sum_next (source), >, 0);
  g_byte_array_append (damaged, bytes->data + damaged->len, bytes->len - damaged->len);
  memset (damaged->data, 0, 64);
  fixture_write (path, damaged);
  g_assert_cmpint (inotify_add_watch (events, path, IN_OPEN | IN_CLOSE_NOWRITE), >=, 0);
  thread = g_thread_new ("repair", repair_once_read, &(Repair){ path, bytes, events });
  g_assert_cmpuint (sum_next (source), ==, all);
  g_thread_join (thread);
  close (events);
}

/* If a file does not give the size of its image, it is known once the first frame has ended. */
static void
test_size (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autoptr (GByteArray) bytes = fixture_spc (&variant, 5, &counts), part = g_byte_array_new ();
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  gsize n = SPC_BINS * (gsize) variant.height * (gsize) variant.width;
  guint64 all = 0, seen;

  for (gsize i = 0; i < (gsize) variant.frames * n; i++)
    all += counts[i];
  g_byte_array_append (part, bytes->data, bytes->len / 4 / 4 * 4);
  fixture_write (path, part);
  g_assert_null (vg_live_open (address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_clear_error (&error);
  g_byte_array_set_size (part, 0);
  g_byte_array_append (part, bytes->data, bytes->len / 4 * 3 / 4 * 4 + 2); /* half a record */
  fixture_write (path, part);
  source = vg_live_open (address, &(VgSourceOptions){ .read_options = "channel=1" }, &error);
  g_assert_no_error (error);
  seen = sum_next (source);
  g_assert_cmpuint (seen, >, all / 4);
  g_assert_cmpuint (seen, <, all);
  fixture_write (path, bytes);
  g_assert_cmpuint (sum_next (source), ==, all);
}

/* Writes BYTES from the start to a part of FRACTION, and opens them as a growing file. */
static VgSource *
watch_part_as (const GByteArray *bytes, double fraction, const char *read_options, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  g_autoptr (GByteArray) part = g_byte_array_new ();

  g_byte_array_append (part, bytes->data, (guint) (fraction * bytes->len) / 4 * 4);
  fixture_write (path, part);
  return vg_live_open (address, &(VgSourceOptions){ .read_options = read_options }, error);
}

static VgSource *
watch_part (const GByteArray *bytes, double fraction, GError **error)
{
  return watch_part_as (bytes, fraction, NULL, error);
}

/* A watched file of which a part is too short. */
static void
assert_later (const GByteArray *bytes, double fraction, const char *why)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (watch_part (bytes, fraction, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_assert_nonnull (strstr (error->message, why));
}

/* Adds LINES lines of one pixel, each of 10 ms with one photon, to a stream with ticks of 50 ns.
 * The first has a FRAME marker. */
static void
add_lines (GByteArray *bytes, guint64 *last, guint64 *time, int lines, gboolean frame)
{
  enum { TICKS = 200000 };

  for (int i = 0; i < lines; i++, *time += TICKS)
    {
      fixture_spc_marker (bytes, last, *time, frame && i == 0 ? 7 : 3);
      fixture_spc_photon (bytes, last, *time + 1000, 1, 9);
    }
}

/* Adds N photons, one each 200 us. */
static void
add_photons (GByteArray *bytes, guint64 *last, guint64 *time, guint n)
{
  for (guint i = 0; i < n; i++, *time += 4000)
    fixture_spc_photon (bytes, last, *time, 1, i % SPC_CONVERTER_BINS);
}

/* A stream without any marker is one decay, once no marker is to be expected. */
static void
test_decay (void)
{
  enum { PHOTONS = 20000 }; /* in 4 s */
  g_autoptr (GByteArray) bytes = fixture_spc_header (500);
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint64 last = 0, time = 0;

  add_photons (bytes, &last, &time, PHOTONS);
  assert_later (bytes, 0.45, "no line marker");
  source = watch_part (bytes, 0.55, &error);
  g_assert_no_error (error);
  g_assert_true (source->info.gathers);
  g_assert_cmpuint (sum_decay (source), <, PHOTONS);
  fixture_write (path, bytes);
  g_assert_cmpuint (sum_decay (source), ==, PHOTONS);
}

/* A stream that is read as one decay stays one, also if its scanner starts later.  Once it is
 * complete, it is an image. */
static void
test_late_lines (void)
{
  enum { BEFORE = 12000, HEIGHT = 5, FRAMES = 40 };
  g_autoptr (GByteArray) bytes = fixture_spc_header (500), early = NULL;
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (VgSource) source = NULL, again = NULL, file = NULL;
  g_autoptr (GError) error = NULL;
  guint64 last = 0, time = 0;

  add_photons (bytes, &last, &time, BEFORE); /* in 2.4 s */
  early = g_byte_array_append (g_byte_array_new (), bytes->data, bytes->len);
  for (int i = 0; i < FRAMES; i++)
    add_lines (bytes, &last, &time, HEIGHT, TRUE);
  source = watch_part (early, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sum_decay (source), ==, BEFORE);
  fixture_write (path, bytes);
  g_assert_cmpuint (sum_decay (source), ==, BEFORE + HEIGHT * FRAMES);
  again = watch_part (bytes, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (sum_decay (again), ==, BEFORE + HEIGHT * FRAMES);
  g_assert_nonnull (strstr (again->details, "no line markers in the first 2 s"));
  file = fixture_open (path, FALSE);
  g_assert_cmpint (file->info.height, ==, HEIGHT);
}

/* The same for a stream whose header announces an image. */
static void
test_late_scan (void)
{
  enum { BEFORE = 25, AFTER = 10, PULSES = 800 }; /* a photon each 0.1 s */
  PtuVariant variant = fixture_ptu_variant (GENERIC);
  g_autofree char *path = g_build_filename (folder, "test.ptu", NULL);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (VgSource) source = NULL;
  guint64 overflow = 0;

  variant.period_s = 125e-6;
  variant.bin_s = 1e-6;
  bytes = fixture_ptu_header (&variant);
  fixture_ptu_tag (bytes, "Header_End", 0xffff0008, 0);
  for (guint i = 0; i < BEFORE + AFTER; i++)
    {
      if (i == BEFORE)
        {
          fixture_write (path, bytes);
          source = watch (NULL);
          g_assert_cmpuint (sum_decay (source), ==, BEFORE);
        }
      if (i >= BEFORE)
        fixture_ptu_marker (bytes, GENERIC, &overflow, PULSES * (guint64) i, 1);
      fixture_ptu_photon (bytes, GENERIC, &overflow, PULSES * (guint64) i + 400, 0, 7);
    }
  fixture_write (path, bytes);
  g_assert_cmpuint (sum_decay (source), ==, BEFORE + AFTER);
}

/* The image keeps the size of the first complete frame, also if most frames have another one. */
static void
test_other_heights (void)
{
  g_autoptr (GByteArray) bytes = fixture_spc_header (500);
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (VgSource) source = NULL, file = NULL;
  g_autoptr (GError) error = NULL;
  guint64 last = 0, time = 0;

  add_lines (bytes, &last, &time, 9, TRUE);
  assert_later (bytes, 1, "no second frame marker");
  add_lines (bytes, &last, &time, 3, TRUE);
  source = watch_part (bytes, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.height, ==, 9);
  g_assert_cmpuint (sum_next (source), ==, 12);
  for (int i = 0; i < 4; i++)
    add_lines (bytes, &last, &time, 11, TRUE);
  fixture_write (path, bytes);
  g_assert_cmpuint (sum_next (source), ==, 12 + 4 * 9);
  file = fixture_open (path, FALSE);
  g_assert_cmpint (file->info.height, ==, 11);
}

/* A stream whose only frame marker was long ago is refused.  One with slow frames is not, once it
 * has a complete frame. */
static void
test_one_frame (void)
{
  g_autoptr (GByteArray) bytes = fixture_spc_header (500), slow = NULL;
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint64 last = 0, time = 0;

  add_lines (bytes, &last, &time, 20, TRUE);
  assert_later (bytes, 1, "no second frame marker");
  time += 20 * G_GUINT64_CONSTANT (59000000); /* 59 s */
  add_photons (bytes, &last, &time, 1);
  assert_later (bytes, 1, "no second frame marker");
  time += 20 * 1000000;
  add_photons (bytes, &last, &time, 1);
  g_assert_null (watch_part (bytes, 1, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
  g_assert_nonnull (strstr (error->message, "open it without \"watch:\""));
  g_clear_error (&error);
  add_lines (bytes, &last, &time, 20, TRUE);
  source = watch_part (bytes, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.height, ==, 20);
}

/* A recording that ended before a second frame marker is read once it has rested. */
static void
test_at_rest (void)
{
  g_autoptr (GByteArray) bytes = fixture_spc_header (500);
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL),
                  *address = g_strconcat ("watch:", path, NULL);
  const time_t now = (time_t) (g_get_real_time () / G_USEC_PER_SEC);
  struct utimbuf rest = { now + 60, now + 60 };
  g_autoptr (VgSource) source = NULL;
  guint64 last = 0, ticks = 0;

  add_lines (bytes, &last, &ticks, 20, TRUE);
  assert_later (bytes, 1, "no second frame marker");
  g_assert_cmpint (g_utime (path, &rest), ==, 0); /* by the clock of another computer */
  g_assert_null (vg_live_open (address, NULL, NULL));
  rest.actime = rest.modtime = now - 40;
  g_assert_cmpint (g_utime (path, &rest), ==, 0);
  source = vg_live_open (address, NULL, NULL);
  g_assert_nonnull (source);
  g_assert_cmpint (source->info.height, ==, 20);
  g_assert_nonnull (strstr (source->caution, "read as a complete recording"));
}

/* A decay has no scans to sum; this is said once it is known. */
static void
test_sum_frames (void)
{
  g_autoptr (GByteArray) bytes = fixture_spc_header (500);
  g_autoptr (GError) error = NULL;
  guint64 last = 0, time = 0;

  add_photons (bytes, &last, &time, 12000); /* in 2.4 s */
  g_assert_null (watch_part_as (bytes, 0.5, "sum_frames=1", &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_clear_error (&error);
  g_assert_null (watch_part_as (bytes, 1, "sum_frames=1", &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
  g_assert_nonnull (strstr (error->message, "omit --sum-frames"));
}

/* Lines without frames are one image of a complete file, but no image of a growing one. */
static void
test_no_frames (void)
{
  SpcVariant variant = fixture_spc_variant ();
  g_autofree guint32 *counts = NULL;
  g_autofree char *path = g_build_filename (folder, "test.spc", NULL);
  g_autoptr (GByteArray) bytes = NULL;
  g_autoptr (VgSource) file = NULL;
  g_autoptr (GError) error = NULL;

  variant.no_frames = TRUE;
  variant.back_ticks = 4000000000; /* 10 s from line to line */
  bytes = fixture_spc (&variant, 6, &counts);
  assert_later (bytes, 0.3, "no frame marker");
  g_assert_null (watch_part (bytes, 1, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
  g_assert_nonnull (strstr (error->message, "no complete frame within 60 s"));
  file = fixture_open (path, FALSE);
  g_assert_cmpint (file->info.width, ==, variant.width);
  g_assert_cmpint (file->info.height, ==, variant.height * variant.frames);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = fixture_folder ();
  g_test_add_func ("/growing/photons", test_growing);
  g_test_add_func ("/growing/later", test_later);
  g_test_add_func ("/growing/repaired", test_repaired);
  g_test_add_func ("/growing/size", test_size);
  g_test_add_func ("/growing/decay", test_decay);
  g_test_add_func ("/growing/late-lines", test_late_lines);
  g_test_add_func ("/growing/late-scan", test_late_scan);
  g_test_add_func ("/growing/other-heights", test_other_heights);
  g_test_add_func ("/growing/one-frame", test_one_frame);
  g_test_add_func ("/growing/at-rest", test_at_rest);
  g_test_add_func ("/growing/sum-frames", test_sum_frames);
  g_test_add_func ("/growing/no-frames", test_no_frames);
  status = g_test_run ();
  fixture_remove_folder (folder);
  return status;
}
