/* SPDX-License-Identifier: MIT */
/* Recordings as files: frame numbers and times, what a crash at any moment
 * leaves, names, space.
 *
 * The program kills children that record, at random moments of a seed.  With
 * VIVOGRAPH_RECORD_FULL set it does so ten times at 50 frames/s of 1392x1040
 * 16-bit in the folder that the variable names. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "app/input/vg-frame-pool.h"
#include "app/record/vg-part-mark.h"
#include "io/write/vg-frame-file.h"
#include "app/record/vg-recorder.h"
#include "io/source/vg-source.h"

static const VgImageInfo grey = { .type = VG_U16,
                                  .width = 64,
                                  .height = 48,
                                  .channels = 1,
                                  .bins = 1,
                                  .slices = 1,
                                  .frames = -1,
                                  .pixel_size = { 6.5, 6.5 },
                                  .pixel_unit = "\302\265m" };

static guint64 pretended_free = G_MAXUINT64;

/* The disk as a test wants it to be. */
int
statvfs (const char *path, struct statvfs *disk)
{
  *disk = (struct statvfs){ .f_frsize = 1,
                            .f_bavail = MIN (pretended_free, G_GUINT64_CONSTANT (1) << 60) };
  return 0;
}

/* Every sample says which frame it is of. */
static void
push (VgRecorder *recorder, VgFramePool *pool, guint64 id, double time_s)
{
  VgFrame *frame;

  while (!(frame = vg_frame_pool_take (pool, NULL)))
    vg_frame_pool_wait (pool, 10000);
  for (gsize i = 0; i < vg_image_info_page_samples (frame->info); i++)
    ((guint16 *) frame->data)[i] = (guint16) (id + i);
  frame->id = id;
  frame->time_s = time_s;
  frame->time_us = g_get_monotonic_time ();
  vg_recorder_push (recorder, frame);
  vg_frame_unref (frame);
}

static char *
test_folder (void)
{
  return g_dir_make_tmp ("vg-recording-XXXXXX", NULL);
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

/* --- numbers and times --- */

/* Four of eleven frames were lost: the times of the others are right, and the gaps are told. */
static void
test_times (gconstpointer name)
{
  static const guint64 ids[] = { 100, 101, 102, 106, 107, 109, 110 };
  g_autofree char *folder = test_folder (), *path = g_build_filename (folder, name, NULL);
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 70, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  g_auto (VgRecording) report = { 0 };
  VgRecorder *recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);
  guint16 samples[64 * 48];
  double time_s;
  guint64 id;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    push (recorder, pool, ids[i], 7 + 0.02 * (double) ids[i]);
  vg_recorder_add_missed (recorder, 4);
  g_assert_true (vg_recorder_stop (recorder, &report, &error));
  g_assert_cmpuint (report.kept, ==, 7);
  g_assert_cmpuint (report.missed, ==, 4);
  g_assert_cmpfloat_with_epsilon (report.seconds, 0.2, 1e-9);
  {
    g_autofree char *text = vg_recording_to_text (&report);

    g_assert_nonnull (strstr (text, "Recorded 7 frames in 0.2 s as "));
    g_assert_nonnull (strstr (text, "; 4 frames were lost or bad"));
  }
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 7);
  g_assert_nonnull (source->times_s);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_assert_cmpfloat_with_epsilon (source->times_s[i], 0.02 * (double) (ids[i] - 100), 1e-6);
      g_assert_true (vg_source_next (source, samples, &id, &time_s, &error));
      g_assert_cmpfloat (time_s, ==, source->times_s[i]);
      g_assert_cmpuint (samples[0], ==, ids[i]);
    }
  g_assert_cmpfloat_with_epsilon (source->info.frame_interval_s, 0.02, 1e-6);
  g_assert_nonnull (strstr (source->details, "4 of 11 frames that the source sent are missing"));
  g_assert_nonnull (strstr (source->details, "number 4 to 6, 9"));
  g_assert_cmpfloat (source->info.pixel_size[0], ==, 6.5);
  g_assert_cmpstr (source->info.pixel_unit, ==, "\302\265m");
  remove_folder (folder);
}

/* What a frame consists of is known again. */
static void
test_axes (gconstpointer name)
{
  const VgImageInfo info = {
    .type = VG_U8, .width = 3, .height = 2, .channels = 1, .bins = 4, .slices = 2, .frames = -1
  };
  g_autofree char *folder = test_folder (), *path = g_build_filename (folder, name, NULL);
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&info, 4, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  VgRecorder *recorder = vg_recorder_new (&info, path, TRUE, NULL, NULL, &error);
  guint8 back[48];

  for (guint64 k = 0; k < 3; k++)
    {
      g_autoptr (VgFrame) frame = vg_frame_pool_take (pool, NULL);

      for (guint i = 0; i < 48; i++)
        ((guint8 *) frame->data)[i] = (guint8) (50 * k + i);
      frame->id = k;
      frame->time_s = (double) k;
      vg_recorder_push (recorder, frame);
    }
  g_assert_true (vg_recorder_stop (recorder, NULL, &error));
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.bins, ==, 4);
  g_assert_cmpint (source->info.slices, ==, 2);
  g_assert_cmpint (source->info.frames, ==, 3);
  g_assert_cmpfloat (source->times_s[2], ==, 2);
  g_assert_true (vg_source_read (source, 2, back, NULL));
  for (guint i = 0; i < 48; i++)
    g_assert_cmpuint (back[i], ==, 100 + i);
  remove_folder (folder);
}

/* A time that is not later than the one before is told with the number of its frame, whatever the
 * number of pages of a frame. */
static void
test_times_back (gconstpointer name)
{
  static const double times_s[] = { 0, 1, 1, 2 };
  const VgImageInfo info = {
    .type = VG_U8, .width = 3, .height = 2, .channels = 1, .bins = 4, .slices = 2, .frames = -1
  };
  g_autofree char *folder = test_folder (), *path = g_build_filename (folder, name, NULL);
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&info, 4, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  VgRecorder *recorder = vg_recorder_new (&info, path, TRUE, NULL, NULL, &error);

  for (guint64 k = 0; k < G_N_ELEMENTS (times_s); k++)
    {
      g_autoptr (VgFrame) frame = vg_frame_pool_take (pool, NULL);

      memset (frame->data, 0, vg_image_info_frame_bytes (&info));
      frame->id = k;
      frame->time_s = times_s[k];
      vg_recorder_push (recorder, frame);
    }
  g_assert_true (vg_recorder_stop (recorder, NULL, &error));
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (source->times_s);
  g_assert_nonnull (strstr (source->details, "Frame 3 has no time"));
  remove_folder (folder);
}

/* --- names and space --- */

static guint64
frames_kept (VgRecorder *recorder)
{
  g_auto (VgRecording) now = { 0 };

  vg_recorder_get_status (recorder, &now);
  return now.kept;
}

/* It is seen while it is written, opens then already, and takes no name that another file has got
 * meanwhile. */
static void
test_names (void)
{
  g_autofree char *folder = test_folder (), *path = g_build_filename (folder, "a.tif", NULL),
                  *part = g_build_filename (folder, "a.part.tif", NULL);
  g_autofree char *second = g_build_filename (folder, "a-2.tif", NULL), *text = NULL;
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 70, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_auto (VgRecording) report = { 0 };
  VgRecorder *recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);

  g_assert_no_error (error);
  for (guint64 i = 0; i < 3; i++)
    push (recorder, pool, i, 0.01 * (double) i);
  while (frames_kept (recorder) < 3)
    g_usleep (1000);
  {
    g_autoptr (VgSource) source = vg_source_open (part, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpint (source->info.frames, ==, 3);
    g_assert_null (source->caution);
  }
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
  g_assert_true (vg_recorder_stop (recorder, &report, &error));
  g_assert_cmpstr (report.path, ==, second);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "mine");
  g_assert_false (g_file_test (part, G_FILE_TEST_EXISTS));

  /* one that was there from the start may be replaced: that was asked */
  vg_recording_clear (&report);
  recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);
  push (recorder, pool, 0, 0);
  g_assert_true (vg_recorder_stop (recorder, &report, &error));
  g_assert_cmpstr (report.path, ==, path);
  remove_folder (folder);
}

static gboolean
has_ended (VgRecorder *recorder)
{
  g_auto (VgRecording) now = { 0 };

  vg_recorder_get_status (recorder, &now);
  return now.ended;
}

static gboolean
has_kept (VgRecorder *recorder)
{
  g_auto (VgRecording) now = { 0 };

  vg_recorder_get_status (recorder, &now);
  return now.kept > 0;
}

/* The last of the disk is left to others. */
static void
test_space (void)
{
  g_autofree char *folder = test_folder (), *path = g_build_filename (folder, "a.tif", NULL);
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 70, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  g_auto (VgRecording) report = { 0 };
  VgRecorder *recorder;
  guint64 n = 0;

  pretended_free = VG_RECORDER_LEAST_FREE;
  g_assert_null (vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "is free in"));
  g_clear_error (&error);
  pretended_free = G_GUINT64_CONSTANT (1) << 40;
  recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);
  g_assert_no_error (error);
  push (recorder, pool, n++, 0);
  while (!has_kept (recorder)) /* written, so that there are frames from before */
    g_usleep (1000);
  pretended_free = VG_RECORDER_LEAST_FREE - 1;
  for (; !has_ended (recorder); n++)
    push (recorder, pool, n, 0.01 * (double) n);
  g_assert_false (vg_recorder_stop (recorder, &report, &error));
  g_assert_nonnull (strstr (error->message, "frames recorded before"));
  pretended_free = G_MAXUINT64;
  g_assert_cmpuint (report.kept + report.dropped, ==, n);
  g_clear_error (&error);
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, (gint64) report.kept);
  remove_folder (folder);
}

/* --- killed --- */

/* Records until it is killed; a byte to OUT for each frame that has been written, before the next
 * is given. */
static void
record_for_ever (const char *path, const VgImageInfo *info, gint64 interval_us, int out)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (info, 70, NULL, NULL);
  VgRecorder *recorder = vg_recorder_new (info, path, TRUE, NULL, NULL, NULL);
  gint64 start_us = g_get_monotonic_time ();
  guint64 told = 0;

  for (guint64 id = 0;; id++)
    {
      g_auto (VgRecording) now = { 0 };
      gint64 wait_us = start_us + (gint64) id * interval_us - g_get_monotonic_time ();

      if (wait_us > 0)
        g_usleep ((gulong) wait_us);
      push (recorder, pool, id, (double) id * (double) interval_us * 1e-6);
      vg_recorder_get_status (recorder, &now);
      for (; told < now.kept; told++)
        if (write (out, "", 1) != 1)
          _exit (1);
    }
}

/* What the child said it had written, until it was killed. */
static gint64
count_told (int in)
{
  char bytes[4096];
  gint64 told = 0;
  ssize_t n;

  while ((n = read (in, bytes, sizeof bytes)) > 0)
    told += n;
  return told;
}

/* Every frame but the one that was being written opens, and is what was recorded. */
static void
check_part (const char *part, const VgImageInfo *info, gint64 told)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (part, NULL, &error);
  gsize n = vg_image_info_page_samples (info);
  g_autofree guint16 *frame = g_new (guint16, n);
  GStatBuf status;
  gint64 whole;

  if (!source && told == 0)
    return; /* not even the first was whole */
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, >=, told);
  g_assert_cmpint (g_stat (part, &status), ==, 0);
  /* with a directory and its text, which are a little shorter */
  whole = status.st_size / ((gint64) (2 * n) + (g_str_has_suffix (part, ".tif") ? 560 : 0));
  g_assert_cmpint (source->info.frames, >=, whole - 1);
  for (gint64 k = 0; k < source->info.frames; k++)
    {
      g_assert_true (vg_source_read (source, k, frame, &error));
      for (gsize i = 0; i < n; i += n / 7)
        g_assert_cmpuint (frame[i], ==, (guint16) ((gsize) k + i));
      g_assert_cmpuint (frame[n - 1], ==, (guint16) ((gsize) k + n - 1));
    }
  g_test_message ("%" G_GINT64_FORMAT " frames open, %" G_GINT64_FORMAT " told, %" G_GINT64_FORMAT
                  " bytes",
                  source->info.frames, told, (gint64) status.st_size);
}

static void
kill_one (const char *folder, const char *ending, const VgImageInfo *info, gint64 interval_us,
          gulong after_us)
{
  g_autofree char *name = g_strconcat ("a", ending, NULL),
                  *path = g_build_filename (folder, name, NULL),
                  *part_name = g_strconcat ("a.part", ending, NULL),
                  *part = g_build_filename (folder, part_name, NULL),
                  *index = vg_raw_index_path (part);
  int ends[2], status;
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0)
    {
      close (ends[0]);
      record_for_ever (path, info, interval_us, ends[1]);
    }
  close (ends[1]);
  g_usleep (after_us);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_true (WIFSIGNALED (status));
  check_part (part, info, count_told (ends[0]));
  close (ends[0]);
  g_unlink (part);
  g_unlink (index);
  g_ptr_array_unref (vg_part_mark_find_left ()); /* what is gone needs no mark */
}

static void
test_killed (gconstpointer ending)
{
  const char *full = g_getenv ("VIVOGRAPH_RECORD_FULL");
  g_autofree char *folder = full ? g_strdup (full) : test_folder ();
  VgImageInfo info = grey;
  GRand *random = g_rand_new_with_seed (1122);

  if (full)
    {
      info.width = 1392;
      info.height = 1040;
    }
  for (int i = 0; i < (full ? 10 : 25); i++)
    kill_one (folder, ending, &info, full ? 20000 : 500,
              (gulong) g_rand_int_range (random, full ? 3000000 : 1000, full ? 15000000 : 60000));
  g_rand_free (random);
  if (!full)
    remove_folder (folder);
}

/* --- what was left --- */

/* A recording that runs is nobody's to offer; one that was broken off is offered once, and gets a
 * name that is free. */
static void
test_left (gconstpointer ending)
{
  g_autofree char *first_name = g_strconcat ("b", ending, NULL),
                  *second_name = g_strconcat ("b-2", ending, NULL);
  g_autofree char *folder = test_folder (), *path = g_build_filename (folder, first_name, NULL),
                  *second = g_build_filename (folder, second_name, NULL);
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 70, NULL, NULL);
  g_autoptr (GPtrArray) left = NULL, others = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *kept = NULL;
  VgRecorder *recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);
  int ends[2], status;
  char byte;
  pid_t child;

  g_assert_no_error (error);
  push (recorder, pool, 0, 0);
  left = vg_part_mark_find_left ();
  g_assert_cmpuint (left->len, ==, 0);
  g_clear_pointer (&left, g_ptr_array_unref);
  g_assert_true (vg_recorder_stop (recorder, NULL, &error));
  left = vg_part_mark_find_left ();
  g_assert_cmpuint (left->len, ==, 0);
  g_clear_pointer (&left, g_ptr_array_unref);

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  if (child == 0)
    record_for_ever (path, &grey, 500, ends[1]);
  g_assert_cmpint (read (ends[0], &byte, 1), ==, 1);
  left = vg_part_mark_find_left ();
  g_assert_cmpuint (left->len, ==, 0);
  g_clear_pointer (&left, g_ptr_array_unref);
  kill (child, SIGKILL);
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  close (ends[0]);
  close (ends[1]);
  left = vg_part_mark_find_left ();
  g_assert_cmpuint (left->len, ==, 1);
  others = vg_part_mark_find_left ();
  g_assert_cmpuint (others->len, ==, 0);
  kept = vg_part_mark_keep (left->pdata[0], &error);
  g_assert_no_error (error);
  g_assert_cmpstr (kept, ==, second); /* b.tif is that of the first recording */
  vg_part_mark_free (g_ptr_array_steal_index (left, 0));
  g_clear_pointer (&left, g_ptr_array_unref);
  left = vg_part_mark_find_left ();
  g_assert_cmpuint (left->len, ==, 0);
  {
    g_autoptr (VgSource) source = vg_source_open (kept, NULL, &error);

    g_assert_no_error (error);
    g_assert_cmpint (source->info.frames, >=, 1);
  }
  remove_folder (folder);
}

/* A thread's priority after it was GIVEN and a recording raised it. */
static gpointer
raise_priority (gpointer given)
{
  const gboolean may = setpriority (PRIO_PROCESS, 0, GPOINTER_TO_INT (given)) == 0;

  vg_recorder_go_first ();
  return GINT_TO_POINTER (may ? getpriority (PRIO_PROCESS, 0) : 0);
}

static int
priority_of_thread (int given)
{
  return GPOINTER_TO_INT (
      g_thread_join (g_thread_new ("priority", raise_priority, GINT_TO_POINTER (given))));
}

/* A recording raises a priority, but never lowers it. */
static void
test_priority (void)
{
  if (priority_of_thread (-15) == 0)
    g_test_skip ("this user may not raise priorities");
  else
    {
      g_assert_cmpint (priority_of_thread (-15), ==, -15);
      g_assert_cmpint (priority_of_thread (5), ==, -10);
    }
}

int
main (int argc, char **argv)
{
  g_autofree char *state = g_dir_make_tmp ("vg-state-XXXXXX", NULL);

  g_setenv ("XDG_STATE_HOME", state, TRUE);
  g_test_init (&argc, &argv, NULL);
  /* first: before there are threads to be forked */
  g_test_add_data_func ("/recording/killed/tiff", ".tif", test_killed);
  g_test_add_data_func ("/recording/killed/raw", ".raw", test_killed);
  g_test_add_data_func ("/recording/left/tiff", ".tif", test_left);
  g_test_add_data_func ("/recording/left/raw", ".raw", test_left);
  g_test_add_data_func ("/recording/times/tiff", "a.tif", test_times);
  g_test_add_data_func ("/recording/times/raw", "a.raw", test_times);
  g_test_add_data_func ("/recording/axes/tiff", "a.tif", test_axes);
  g_test_add_data_func ("/recording/axes/raw", "a.raw", test_axes);
  g_test_add_data_func ("/recording/times-back/tiff", "a.tif", test_times_back);
  g_test_add_data_func ("/recording/times-back/raw", "a.raw", test_times_back);
  g_test_add_func ("/recording/names", test_names);
  g_test_add_func ("/recording/space", test_space);
  g_test_add_func ("/recording/priority", test_priority);
  return g_test_run ();
}
