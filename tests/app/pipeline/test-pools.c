/* SPDX-License-Identifier: MIT */
/* What the pipeline is made of: pools, measurements, time courses, recorder. */
#include <glib/gstdio.h>
#include <malloc.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include "app/pipeline/vg-counts.h"
#include "kernels/base/vg-error.h"
#include "app/compute/vg-followed-regions.h"
#include "app/input/vg-frame-pool.h"
#include "app/record/vg-recorder.h"
#include "app/compute/vg-result-pool.h"
#include "io/source/vg-source.h"
#include "app/pipeline/vg-time-course.h"

static const VgImageInfo grey = {
  .type = VG_U16, .width = 100, .height = 50, .channels = 1, .bins = 1, .slices = 1, .frames = -1
};

static void
test_frames (void)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 3, NULL, NULL);
  VgImageInfo none = grey;
  g_autoptr (GError) error = NULL;
  VgFrame *frames[4];

  for (int i = 0; i < 4; i++)
    frames[i] = vg_frame_pool_take (pool, &error);
  g_assert_no_error (error);
  g_assert_null (frames[3]);
  g_assert_true (frames[0] != frames[1] && frames[1] != frames[2]);
  g_assert_cmpuint ((guintptr) frames[0]->data % 64, ==, 0);
  vg_frame_ref (frames[1]);
  vg_frame_unref (frames[1]);
  g_assert_null (vg_frame_pool_take (pool, &error));
  vg_frame_unref (frames[1]);
  g_assert_true (vg_frame_pool_take (pool, &error) == frames[1]);
  g_assert_cmpuint (vg_frame_pool_size (pool), ==, 3);
  vg_frame_unref (frames[0]);
  vg_frame_unref (frames[1]);

  none.width = 0;
  g_assert_null (vg_frame_pool_new (&none, 3, NULL, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  /* the last frame outlives its pool */
  vg_frame_pool_unref (g_steal_pointer (&pool));
  ((guint16 *) frames[2]->data)[100 * 50 - 1] = 7;
  vg_frame_unref (frames[2]);
}

static void
take_and_return (VgFramePool *pool, VgFrame **frames, int n)
{
  for (int i = 0; i < n; i++)
    {
      frames[i] = vg_frame_pool_take (pool, NULL);
      g_assert_nonnull (frames[i]);
      memset (frames[i]->data, i, 100 * 50 * 2);
    }
  for (int i = 0; i < n; i++)
    vg_frame_unref (frames[i]);
}

/* A stall takes many frames; when it is long over they are given back, but
 * never those that are in use again and again. */
static void
test_frames_are_given_back (void)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 64, NULL, NULL);
  VgFrame *frames[64];

  take_and_return (pool, frames, 64);
  g_assert_cmpuint (vg_frame_pool_size (pool), ==, 64);
  for (int i = 0; i < 100; i++)
    take_and_return (pool, frames, 20);
  g_assert_cmpuint (vg_frame_pool_size (pool), >=, 20);
  g_assert_cmpuint (vg_frame_pool_size (pool), <=, 24);
  for (int i = 0; i < 2000; i++)
    take_and_return (pool, frames, 1);
  g_assert_cmpuint (vg_frame_pool_size (pool), <=, 5);
  take_and_return (pool, frames, 64);
  g_assert_cmpuint (vg_frame_pool_size (pool), ==, 64);
}

static VgResult *
copy_of (VgResultPool *pool, float *values, float value)
{
  const VgPlane plane = { .place = VG_HOST, .data = values, .width = 8, .height = 4, .slices = 1 };

  for (int i = 0; i < 32; i++)
    values[i] = value + (float) i;
  return vg_result_pool_copy (pool, &plane, NULL, NULL);
}

/* A result that is held stays as it is, whatever comes after it. */
static void
test_results (void)
{
  VgResultPool *pool = vg_result_pool_new ();
  float values[32], value;
  VgResult *held = copy_of (pool, values, 1000);

  for (int i = 0; i < 100; i++)
    vg_result_unref (copy_of (pool, values, (float) i));
  g_assert_cmpuint (vg_result_pool_size (pool), ==, 2);
  g_assert_true (vg_result_probe (held, 7, 3, 0, &value));
  g_assert_cmpfloat (value, ==, 1031);
  g_assert_false (vg_result_probe (held, 8, 3, 0, &value));
  g_assert_false (vg_result_probe (held, 0, -1, 0, &value));
  g_assert_false (vg_result_probe (held, 0, 0, 1, &value));
  g_assert_null (held->brightness.data);
  g_assert_true (vg_result_set_brightness (
      held, &(VgPlane){ .data = values, .width = 8, .height = 3, .slices = 1 }, NULL, NULL));
  g_assert_null (held->brightness.data); /* of another size */
  g_assert_true (vg_result_set_brightness (
      held, &(VgPlane){ .data = values, .width = 8, .height = 4, .slices = 1 }, NULL, NULL));
  values[31] = 5;
  g_assert_cmpfloat (held->brightness.data[31], ==, 99 + 31);
  vg_result_pool_unref (pool);
  vg_result_unref (vg_result_ref (held));
  g_assert_true (vg_result_probe (held, 0, 0, 0, &value));
  vg_result_unref (held);
}

static void
test_measured (void)
{
  VgMeasured measured = { .n = 0 };

  g_assert_cmpfloat (vg_measured_quantile (&measured, 0.5), ==, 0);
  g_assert_cmpfloat (vg_measured_rate (&measured, 5), ==, 0);
  for (int i = 0; i < 1000; i++)
    vg_measured_add (&measured, i);
  g_assert_cmpfloat (vg_measured_quantile (&measured, 0), ==, 744);
  g_assert_cmpfloat (vg_measured_quantile (&measured, 0.5), ==, 872);
  g_assert_cmpfloat (vg_measured_quantile (&measured, 1), ==, 999);
  for (int i = 0; i < 1000; i++)
    vg_measured_add (&measured, i / 100.0);
  g_assert_cmpfloat_with_epsilon (vg_measured_rate (&measured, 9.99), 100, 1);
  g_assert_cmpfloat (vg_measured_rate (&measured, 20), ==, 0);
}

static const VgRegion a = {
  .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 2 }, .y = { 0, 2 }
};
static const VgRegion b = {
  .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 3, 6 }, .y = { 0, 2 }
};

static VgCurves *
get (VgTimeCourse *course, guint output)
{
  VgCurves *curves = vg_curves_new ("", "", "", "", "");

  vg_time_course_get (course, output, curves);
  return curves;
}

static void
test_course (void)
{
  VgTimeCourse *course = vg_time_course_new ();
  const VgRegion regions[] = { b, a };
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;

  vg_time_course_reset (course, 2);
  vg_time_course_set_regions (course, &a, 1);
  for (int i = 0; i < 10; i++)
    vg_time_course_add (course, i, (const float[]){ (float) i, i == 4 ? NAN : (float) -i });
  /* a loop: the same times again */
  for (int i = 0; i < 10; i += 2)
    vg_time_course_add (course, i, (const float[]){ (float) i + 100, (float) -i });
  g_assert_cmpuint (vg_time_course_length (course), ==, 10);
  /* another region joins: the old one keeps what it has */
  vg_time_course_set_regions (course, regions, 2);
  vg_time_course_add (course, 10, (const float[]){ 1, 2, 3, 4 });
  curves = get (course, 0);
  g_assert_cmpuint (curves->series->len, ==, 2);
  series = curves->series->pdata[0];
  g_assert_cmpint (series->n, ==, 1);
  g_assert_cmpfloat (series->y[0], ==, 1);
  series = curves->series->pdata[1];
  g_assert_cmpint (series->n, ==, 11);
  g_assert_cmpfloat (series->y[3], ==, 3);
  g_assert_cmpfloat (series->y[4], ==, 104);
  g_assert_cmpfloat (series->y[10], ==, 2);
  g_assert_null (curves->marks);
  /* a press at the same moment is one, and marks are of no region */
  vg_time_course_mark (course, 7, "Press");
  vg_time_course_mark (course, 3, "Press");
  vg_time_course_mark (course, 7, "Press");
  vg_time_course_mark (course, NAN, "Press");
  vg_time_course_set_regions (course, &b, 1);
  vg_curves_free (curves);
  curves = get (course, 1);
  g_assert_cmpuint (curves->marks->len, ==, 2);
  g_assert_cmpfloat (g_array_index (curves->marks, VgCurveMark, 0).x, ==, 3);
  g_assert_cmpfloat (g_array_index (curves->marks, VgCurveMark, 1).x, ==, 7);
  g_assert_cmpstr (g_array_index (curves->marks, VgCurveMark, 1).label, ==, "Press");
  for (int i = 0; i < 2 * VG_CURVES_MOST_MARKS; i++)
    vg_time_course_mark (course, 10 + i, "Press");
  vg_curves_free (curves);
  curves = get (course, 1);
  g_assert_cmpuint (curves->marks->len, ==, VG_CURVES_MOST_MARKS);
  g_assert_cmpfloat (g_array_index (curves->marks, VgCurveMark, VG_CURVES_MOST_MARKS - 1).x, ==,
                     9 + 2 * VG_CURVES_MOST_MARKS);
  vg_time_course_clear (course);
  vg_curves_free (curves);
  curves = get (course, 1);
  g_assert_null (curves->marks);
  g_assert_cmpuint (vg_time_course_length (course), ==, 0);
  vg_time_course_set_regions (course, NULL, 0);
  vg_time_course_add (course, 1, NULL);
  g_assert_cmpuint (vg_time_course_length (course), ==, 0);
  vg_time_course_unref (course);
}

static int
count_gaps (VgTimeCourse *course)
{
  g_autoptr (VgCurves) curves = get (course, 0);
  const VgSeries *series = curves->series->pdata[0];
  int n = 0;

  for (int i = 0; i < series->n; i++)
    n += isnan (series->y[i]);
  return n;
}

/* The line is broken where a pause or a seek was. */
static void
test_course_gaps (void)
{
  static const double times[][3] = { { 0, 1, 2 }, { 10, 11, 12 }, { 4, 5, 6 }, { 2, 3, 4 } };
  static const int gaps[] = { 0, 1, 1, 2 };
  g_autoptr (VgTimeCourse) course = vg_time_course_new ();

  vg_time_course_reset (course, 1);
  vg_time_course_set_regions (course, &a, 1);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      vg_time_course_break (course);
      for (int k = 0; k < 3; k++)
        vg_time_course_add (course, times[i][k], (const float[]){ 1 });
      g_assert_cmpint (count_gaps (course), ==, gaps[i]);
    }
}

/* A gap stays, however many gaps follow, and also where old points are thinned. */
static void
test_gaps_stay (void)
{
  enum { MANY = 1000 };
  g_autoptr (VgTimeCourse) course = vg_time_course_new ();
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  int missing = 0;

  vg_time_course_reset (course, 1);
  vg_time_course_set_regions (course, &a, 1);
  for (int i = 0; i < MANY; i++) /* moments far apart, as in a drag along the time line */
    {
      vg_time_course_break (course);
      vg_time_course_add (course, 10 * i, (const float[]){ 1 });
    }
  g_assert_cmpint (count_gaps (course), ==, MANY - 1);
  vg_time_course_clear (course);
  /* two stretches with a gap between, and so many points that old ones are thinned */
  for (int i = 0; i < 2 * VG_TIME_COURSE_POINTS; i++)
    {
      if (i == 1003)
        vg_time_course_break (course);
      vg_time_course_add (course, i < 1003 ? i : 5000 + i, (const float[]){ 1 });
    }
  g_assert_cmpint (count_gaps (course), ==, 1);
  curves = get (course, 0);
  series = curves->series->pdata[0];
  for (int i = 1; i + 1 < series->n; i++)
    if (isnan (series->y[i]))
      {
        missing++;
        g_assert_cmpfloat (series->x[i - 1], <, 1003);
        g_assert_cmpfloat (series->x[i + 1], >, 6000);
      }
  g_assert_cmpint (missing, ==, 1);
}

/* Old points get fewer, evenly from the first on; the newest stay, the order
 * and the values too. */
static void
test_course_is_bounded (void)
{
  VgTimeCourse *course = vg_time_course_new ();
  g_autoptr (VgCurves) curves = NULL;
  const VgSeries *series;
  int begin = 0;

  vg_time_course_reset (course, 1);
  vg_time_course_set_regions (course, &a, 1);
  for (int i = 0; i < 1000000; i++)
    vg_time_course_add (course, i, (const float[]){ (float) (i % 1000) });
  g_assert_cmpuint (vg_time_course_length (course), <=, VG_TIME_COURSE_POINTS);
  g_assert_cmpuint (vg_time_course_length (course), >, VG_TIME_COURSE_POINTS / 2);
  curves = get (course, 0);
  series = curves->series->pdata[0];
  g_assert_cmpfloat (series->x[0], ==, 0);
  g_assert_cmpfloat (series->x[series->n - 1], ==, 999999);
  for (int i = 1; i < series->n; i++)
    {
      begin += series->x[i] < 100000;
      g_assert_cmpfloat (series->x[i], >, series->x[i - 1]);
      g_assert_cmpfloat (series->y[i], ==, (int) series->x[i] % 1000);
      if (i > series->n - VG_TIME_COURSE_POINTS / 8)
        g_assert_cmpfloat (series->x[i], ==, series->x[i - 1] + 1);
    }
  /* the first tenth of the time has its share of the half that is even */
  g_assert_cmpint (begin, >, VG_TIME_COURSE_POINTS / 2 / 20);
  vg_time_course_clear (course);
  /* hostile times: room is made all the same */
  for (int i = 0; i < 2 * VG_TIME_COURSE_POINTS; i++)
    vg_time_course_add (course, i == 0 ? -1e308 : i == 1 ? 1e308 : i, (const float[]){ 1 });
  g_assert_cmpuint (vg_time_course_length (course), <=, VG_TIME_COURSE_POINTS);
  vg_time_course_unref (course);
}

static gsize
allocated (void)
{
  struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

/* With few regions and with as many as a session takes, the store and the
 * curves of a plot stay below their bound; a region that joins thins the
 * others' points but does not end them. */
static void
test_course_bytes (void)
{
  enum { REGIONS = 256, OUTPUTS = 3 };
  static float values[REGIONS * OUTPUTS];
  VgRegion regions[REGIONS];
  const guint counts[] = { 1, 8, REGIONS };
  gsize before = allocated ();
  VgTimeCourse *course = vg_time_course_new ();
  guint full = 0;

  for (int i = 0; i < REGIONS; i++)
    regions[i] = (VgRegion){
      .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { i, i + 2 }, .y = { 0, 2 }
    };
  vg_time_course_reset (course, OUTPUTS);
  for (guint c = 0; c < G_N_ELEMENTS (counts); c++)
    {
      g_autoptr (VgCurves) curves = NULL;
      const VgSeries *series;

      vg_time_course_set_regions (course, regions, counts[c]);
      g_assert_cmpuint (vg_time_course_length (course), >=, full / 64);
      for (int i = 0; i < 70000; i++)
        vg_time_course_add (course, 70000.0 * c + i, values);
      full = vg_time_course_length (course);
      curves = get (course, OUTPUTS - 1);
      g_assert_cmpuint (curves->series->len, ==, counts[c]);
      series = curves->series->pdata[0];
      g_assert_cmpfloat (series->x[0], ==, 0);
      g_assert_cmpfloat (series->x[series->n - 1], ==, 70000.0 * c + 69999);
      g_assert_cmpuint (allocated () - before, <=,
                        VG_TIME_COURSE_BYTES + sizeof regions + (64 << 10));
    }
  vg_time_course_unref (course);
  g_assert_cmpuint (allocated (), <=, before + (64 << 10));
}

static void
test_followed (void)
{
  const VgRegion regions[] = { a, b };
  VgFollowedRegions *followed = vg_followed_regions_new (regions, 2);
  VgRegionStatistics statistics;
  float values[32];

  for (int i = 0; i < 32; i++)
    values[i] = (float) i;
  /* the same region on planes of different size, as outputs may be */
  for (int width = 8; width >= 2; width -= 6)
    {
      const VgPlane plane = {
        .place = VG_HOST, .data = values, .width = width, .height = 4, .slices = 1
      };

      g_assert_true (vg_followed_regions_compute (followed, 0, &plane, NULL, 0, &statistics, NULL));
      g_assert_cmpuint (statistics.valid, ==, 4);
      g_assert_cmpfloat (statistics.mean, ==, (width + 1) / 2.0);
      g_assert_true (vg_followed_regions_add_quartiles (followed, 0, &plane, NULL, TRUE, FALSE,
                                                        &statistics, NULL));
      g_assert_cmpfloat (statistics.median, ==, (width + 1) / 2.0);
      g_assert_true (vg_followed_regions_compute (followed, 1, &plane, NULL, 0, &statistics, NULL));
      g_assert_cmpuint (statistics.valid, ==, width == 8 ? 6 : 0);
      g_assert_true (width == 8 || isnan (statistics.mean));
    }
  vg_followed_regions_free (followed);
}

/* --- a full disk --- */

static void
on_ended (gpointer data)
{
  g_atomic_int_inc ((int *) data);
}

static void
record (const char *path, int *ends)
{
  g_autoptr (VgFramePool) pool = vg_frame_pool_new (&grey, 4, NULL, NULL);
  g_autoptr (GError) error = NULL;
  VgRecorder *recorder = vg_recorder_new (&grey, path, TRUE, on_ended, ends, &error);
  g_auto (VgRecording) report = { 0 };

  g_assert_no_error (error);
  for (guint i = 0; i < 20;)
    {
      VgFrame *frame = vg_frame_pool_take (pool, NULL);

      if (!frame)
        {
          vg_frame_pool_wait (pool, 10000);
          continue;
        }
      ((guint16 *) frame->data)[0] = (guint16) i++;
      vg_recorder_push (recorder, frame);
      vg_frame_unref (frame);
    }
  vg_recorder_add_missed (recorder, 2);
  g_assert_false (vg_recorder_stop (recorder, &report, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "the file contains the 5 frames recorded before"));
  g_assert_cmpuint (report.kept, ==, 5);
  g_assert_cmpuint (report.dropped, ==, 15);
  g_assert_cmpuint (report.missed, ==, 2);
  g_assert_cmpstr (report.path, ==, path);
}

/* No file may grow beyond 55 kB: five frames of 10 kB fit.  What was recorded
 * until then is kept. */
static void
test_full_disk (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-full-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autoptr (VgSource) stack = NULL;
  struct rlimit before, small;
  g_autoptr (GError) error = NULL;
  guint16 frame[5000];
  int ends = 0;

  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = before;
  small.rlim_cur = 55000;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  record (path, &ends);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (ends, ==, 1);
  stack = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (stack->info.frames, ==, 5);
  g_assert_true (vg_source_read (stack, 4, frame, &error));
  g_assert_cmpuint (frame[0], ==, 4);
  g_unlink (path);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static void
test_empty_recording (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-empty-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "a.tif", NULL);
  g_autoptr (GError) error = NULL;
  VgRecorder *recorder = vg_recorder_new (&grey, path, TRUE, NULL, NULL, &error);

  g_assert_false (vg_recorder_stop (recorder, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pools/frames", test_frames);
  g_test_add_func ("/pools/frames-are-given-back", test_frames_are_given_back);
  g_test_add_func ("/pools/results", test_results);
  g_test_add_func ("/pools/measured", test_measured);
  g_test_add_func ("/pools/course", test_course);
  g_test_add_func ("/pools/course-gaps", test_course_gaps);
  g_test_add_func ("/time-course/gaps-stay", test_gaps_stay);
  g_test_add_func ("/pools/course-is-bounded", test_course_is_bounded);
  g_test_add_func ("/pools/course-bytes", test_course_bytes);
  g_test_add_func ("/pools/followed", test_followed);
  g_test_add_func ("/pools/full-disk", test_full_disk);
  g_test_add_func ("/pools/empty-recording", test_empty_recording);
  return g_test_run ();
}
