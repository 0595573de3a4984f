/* SPDX-License-Identifier: MIT */
/* What is shown beside the map, or in its place, without anything being computed. */
#include <math.h>
#include "tests/support/app/pipeline-watch.h"

static void
test_output_without_compute (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 20 };
  g_autofree FakeParams *params = fake_params ();
  int results;
  Watch watch;

  params->history = 2;
  watch_play (&watch, fake_pipeline (&source), params);
  fake_calls_reset ();
  results = watch.results;
  g_assert_nonnull (watch.last->brightness.data); /* by the output that is asked for next */
  g_assert_cmpfloat (watch.last->brightness.data[0], ==, 19);
  g_assert_cmpfloat (watch.last->brightness_limits[0], ==, 0);
  g_assert_cmpfloat (watch.last->brightness_limits[1], ==, 19);
  vg_pipeline_set_output (watch.pipeline, 1);
  g_assert_true (watch_settle (&watch));
  g_assert_null (watch.last->brightness.data);
  g_assert_cmpint (watch.results, ==, results + 1);
  g_assert_cmpint (watch.last->output, ==, 1);
  g_assert_cmpfloat (watch_value (&watch), ==, 19);
  g_assert_cmpint (fake_calls ().feeds, ==, 0);
  g_assert_cmpint (fake_calls ().steps, ==, 0);
  assert_counts_close (&watch);
  watch_end (&watch);
}

/* The frame a map is of lies under it when that is asked for, without anything
 * being computed. */
static void
test_underlay (void)
{
  FakeSource source = { .width = 5, .height = 4, .frames = 20 };
  g_autofree FakeParams *params = fake_params ();
  VgUnderlay *first;
  Watch watch;

  watch_play (&watch, fake_pipeline (&source), params);
  g_assert_null (watch.last->underlay);
  g_assert_cmpint (watch.last->underlay_frames, ==, 1);
  fake_calls_reset ();
  vg_pipeline_set_underlay (watch.pipeline, 0);
  g_assert_true (watch_settle (&watch));
  g_assert_nonnull (watch.last->underlay);
  g_assert_cmpint (watch.last->underlay->width, ==, 5);
  g_assert_cmpint (watch.last->underlay->height, ==, 4);
  first = vg_underlay_ref (watch.last->underlay);
  vg_pipeline_set_output (watch.pipeline, 1);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.last->output, ==, 1);
  g_assert_true (watch.last->underlay == first); /* the same picture: nothing to upload */
  g_assert_cmpint (fake_calls ().steps, ==, 0);
  vg_pipeline_seek (watch.pipeline, 3);
  g_assert_true (watch_until (&watch, has_frame, 3));
  g_assert_nonnull (watch.last->underlay);
  g_assert_true (watch.last->underlay != first);
  vg_pipeline_set_underlay (watch.pipeline, VG_UNDERLAY_OFF);
  g_assert_true (watch_settle (&watch));
  g_assert_null (watch.last->underlay);
  vg_underlay_unref (first);
  assert_counts_close (&watch);
  watch_end (&watch);
}

static void
test_regions (void)
{
  FakeSource source = { .width = 6, .height = 6, .frames = 20 };
  VgRegion regions[2] = {
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 4 }, .y = { 1, 3 } },
    { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 50, 60 }, .y = { 50, 60 } },
  };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  VgSeries *series;
  guint64 serial;
  Watch watch;

  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  serial = vg_pipeline_set_regions (watch.pipeline, regions, 2);
  params->gain = 2;
  watch_open (&watch, params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpuint (watch.last->regions_serial, ==, serial);
  g_assert_cmpuint (watch.last->n_regions, ==, 2);
  g_assert_cmpuint (watch.last->regions[0].statistics.valid, ==, 6);
  g_assert_cmpfloat (watch.last->regions[0].statistics.mean, ==, 38);
  g_assert_cmpuint (watch.last->regions[1].statistics.valid, ==, 0);
  g_assert_true (isnan (watch.last->regions[1].statistics.mean));
  g_assert_cmpfloat (watch.last->statistics.mean, ==, 38);

  g_assert_null (vg_pipeline_time_course (watch.pipeline, 1));
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  g_assert_cmpuint (curves->series->len, ==, 2);
  series = curves->series->pdata[0];
  g_assert_cmpint (series->n, ==, 20);
  for (int i = 0; i < 20; i++)
    g_assert_cmpfloat (series->y[i], ==, 2 * i);
  series = curves->series->pdata[1];
  g_assert_cmpint (series->n, ==, 0);

  /* a button that is pressed is marked at the frame in hand, once */
  g_assert_null (curves->marks);
  params->press++;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_settle (&watch));
  params->gain = 3;
  vg_pipeline_set_params (watch.pipeline, &fake_stream, params);
  g_assert_true (watch_settle (&watch));
  vg_curves_free (curves);
  curves = vg_pipeline_time_course (watch.pipeline, 0);
  g_assert_nonnull (curves->marks);
  g_assert_cmpuint (curves->marks->len, ==, 1);
  g_assert_cmpfloat (g_array_index (curves->marks, VgCurveMark, 0).x, ==,
                     ((VgSeries *) curves->series->pdata[0])->x[19]);
  g_assert_cmpstr (g_array_index (curves->marks, VgCurveMark, 0).label, ==, "Press");

  /* a region that moves on a still picture is measured at once */
  regions[0].x[1] = 3;
  serial = vg_pipeline_set_regions (watch.pipeline, regions, 1);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpuint (watch.last->regions_serial, ==, serial);
  g_assert_cmpuint (watch.last->regions[0].statistics.valid, ==, 4);
  watch_end (&watch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/output-without-compute", test_output_without_compute);
  g_test_add_func ("/pipeline/underlay", test_underlay);
  g_test_add_func ("/pipeline/regions", test_regions);
  return g_test_run ();
}
