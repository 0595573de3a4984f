/* SPDX-License-Identifier: MIT */
/* A recording on a disk that takes nothing for a while. */
#include <glib/gstdio.h>
#include <string.h>
#include <sys/uio.h>
#include "app/input/vg-frame-pool.h"
#include "app/record/vg-recorder.h"
#include "io/source/vg-source.h"
#include "io/write/vg-frame-file.h"

static const VgImageInfo grey = {
  .type = VG_U16, .width = 64, .height = 48, .channels = 1, .bins = 1, .slices = 1, .frames = -1
};

static char *folder;
static GMutex disk_lock;
static GCond disk_runs;
static gboolean disk_stands, disk_waits; /* disk_waits: the writer is in pwritev */

/* The writer calls this function instead of that of the C library. */
ssize_t
pwritev (int fd, const struct iovec *parts, int n_parts, off_t offset)
{
  g_mutex_lock (&disk_lock);
  while (disk_stands)
    {
      disk_waits = TRUE;
      g_cond_broadcast (&disk_runs);
      g_cond_wait (&disk_runs, &disk_lock);
    }
  disk_waits = FALSE;
  g_mutex_unlock (&disk_lock);
  return pwritev2 (fd, parts, n_parts, offset, 0);
}

static void
set_disk_stands (gboolean stands)
{
  g_mutex_lock (&disk_lock);
  disk_stands = stands;
  g_cond_broadcast (&disk_runs);
  g_mutex_unlock (&disk_lock);
}

static void
wait_for_writer (void)
{
  g_mutex_lock (&disk_lock);
  while (!disk_waits)
    g_assert_true (
        g_cond_wait_until (&disk_runs, &disk_lock, g_get_monotonic_time () + 60 * G_USEC_PER_SEC));
  g_mutex_unlock (&disk_lock);
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

/* Waits until N frames are in the file. */
static void
wait_for_frames (VgRecorder *recorder, guint64 n)
{
  g_auto (VgRecording) now = { 0 };

  do
    {
      g_usleep (1000);
      vg_recording_clear (&now);
      vg_recorder_get_status (recorder, &now);
      g_assert_false (now.ended); /* the disk is full */
    }
  while (now.kept < n);
}

/* A disk that takes nothing for a while: what does not fit into memory is counted, and the file
 * says where and how many. */
static void
test_slow_disk (gconstpointer name)
{
  enum { BEFORE = 5, AFTER = 5 };
  const guint64 most = vg_recorder_ring (&grey), missing = 37;
  g_autofree char *path = g_build_filename (folder, name, NULL), *index = vg_raw_index_path (path),
                  *text = NULL, *key = NULL, *lost = NULL;
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, (guint) most + 20, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = NULL;
  g_auto (VgRecording) report = { 0 };
  VgRecorder *recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);
  guint64 id = 0, in_hand;
  guint16 samples[64 * 48];
  const char *at;
  gsize length;

  g_assert_no_error (error);
  for (; id < BEFORE; id++)
    push (recorder, pool, id, 0.01 * (double) id);
  wait_for_frames (recorder, BEFORE);
  set_disk_stands (TRUE);
  push (recorder, pool, id, 0.01 * (double) id); /* the thread takes it and waits for the disk */
  id++;
  wait_for_writer ();
  while (!vg_recorder_is_full (recorder))
    {
      push (recorder, pool, id, 0.01 * (double) id);
      id++;
    }
  in_hand = id;
  for (; id < in_hand + missing; id++)
    push (recorder, pool, id, 0.01 * (double) id);
  set_disk_stands (FALSE);
  wait_for_frames (recorder, in_hand);
  for (guint k = 0; k < AFTER; k++, id++)
    push (recorder, pool, id, 0.01 * (double) id);
  g_assert_true (vg_recorder_stop (recorder, &report, &error));
  g_assert_cmpuint (report.dropped, ==, missing);
  g_assert_cmpuint (report.kept, ==, id - missing);
  g_assert_cmpuint (report.missed, ==, 0);
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, (gint64) (id - missing));
  lost = g_strdup_printf ("%d of %d frames that the source sent are missing: number %d to %d.",
                          (int) missing, (int) id, (int) in_hand + 1, (int) (in_hand + missing));
  g_assert_nonnull (strstr (source->details, lost));
  g_assert_true (vg_source_read (source, (gint64) in_hand, samples, &error));
  g_assert_cmpuint (samples[0], ==, in_hand + missing);
  /* the first frame after the gap tells of it, and no other */
  g_assert_true (g_file_get_contents (g_file_test (index, G_FILE_TEST_EXISTS) ? index : path, &text,
                                      &length, NULL));
  key = g_strdup_printf ("\"frame\": %d, ", (int) (in_hand + missing));
  at = memmem (text, length, key, strlen (key));
  g_assert_nonnull (at);
  g_assert_true (g_str_has_prefix (strstr (at, "\"dropped\": "), "\"dropped\": 37"));
  g_assert_null (memmem (text, (gsize) (at - text), "\"dropped\"", 9));
  at = strstr (at, "\"dropped\"") + 9;
  g_assert_null (memmem (at, length - (gsize) (at - text), "\"dropped\"", 9));
  g_unlink (path);
  g_unlink (index);
}

int
main (int argc, char **argv)
{
  int status;

  folder = g_dir_make_tmp ("vg-slow-XXXXXX", NULL);
  g_setenv ("XDG_STATE_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/slow-disk/tiff", "a.tif", test_slow_disk);
  g_test_add_data_func ("/slow-disk/raw", "a.raw", test_slow_disk);
  status = g_test_run ();
  g_free (folder);
  return status;
}
