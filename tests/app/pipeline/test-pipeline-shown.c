/* SPDX-License-Identifier: MIT */
/* What is shown beside the map, or in its place, without anything being computed. */
#include <math.h>
#include "app/pipeline/vg-publisher.h"
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

/* The first output is the value times 10 (2 + x % 2).  The second, in % of a baseline, is the value
 * times 1 + x % 2. */
static gboolean
relative (gpointer state, guint i, VgPlane *plane, GError **error)
{
  static float samples[2][36];

  if (!fake_stream.cpu->output (state, 0, plane, error))
    return FALSE;
  for (int k = 0; k < 36; k++)
    samples[i][k] = plane->data[k] * (float) (i == 0 ? 10 * (2 + k % 2) : 1 + k % 2);
  plane->data = samples[i];
  return TRUE;
}

/* The table, the time course and the number of the whole map give a ratio as a ratio of sums. */
static void
test_ratio (void)
{
  static const VgOutput outputs[] = {
    { .id = "value", .label = "Value", .unit = "1/s", .time_course = TRUE },
    { .id = "relative", .label = "Relative value", .unit = "%", .time_course = TRUE },
  };
  static const VgOutputRole roles[] = { { VG_ROLE_BASELINE, NULL, "relative" },
                                        { VG_ROLE_NUMERATOR, "relative", "value" },
                                        { 0 } };
  const double want = 19 * (2 + 3) / (2.0 / 1 + 3.0 / 2);
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 4 }, .y = { 1, 3 }
  };
  FakeSource source = { .width = 6, .height = 6, .frames = 20 };
  VgOperation operation = fake_stream;
  VgEngine engine = *fake_stream.cpu;
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgCurves) curves = NULL;
  VgSeries *series;
  Watch watch;

  engine.output = relative;
  operation.cpu = &engine;
  operation.outputs = outputs;
  operation.roles = roles;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_playback (watch.pipeline, 0, FALSE);
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  vg_pipeline_open (watch.pipeline, &operation, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat_with_epsilon (watch.last->regions[0].of_baseline, want, 1e-4);
  g_assert_cmpfloat_with_epsilon (watch.last->regions[0].statistics.mean, 19 * 25, 1e-4);
  g_assert_cmpfloat_with_epsilon (watch.last->regions[0].statistics.q25, 19 * 20, 1e-4);
  g_assert_cmpuint (watch.last->whole.statistics.valid, ==, 0);
  curves = vg_pipeline_time_course (watch.pipeline, 1);
  series = curves->series->pdata[0];
  g_assert_cmpfloat_with_epsilon (series->y[series->n - 1], want, 1e-4);
  vg_pipeline_set_whole (watch.pipeline, 0);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat_with_epsilon (watch.last->whole.of_baseline, want, 1e-4);
  vg_pipeline_set_output (watch.pipeline, 1);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpuint (watch.last->whole.statistics.valid, ==, 36);
  g_assert_cmpfloat_with_epsilon (watch.last->whole.statistics.mean, want, 1e-4);
  g_assert_cmpfloat_with_epsilon (watch.last->regions[0].statistics.mean, want, 1e-4);
  g_assert_cmpfloat_with_epsilon (watch.last->whole.statistics.median, 19 * 1.5, 1e-4);
  watch_end (&watch);
}

/* --- the data corrected for motion --- */

static int corrected_alive;
static VgImage *corrected_series;
static GDestroyNotify free_samples;

static void
free_corrected (gpointer samples)
{
  free_samples (samples);
  corrected_alive--;
}

static gpointer
prepare_corrected (const VgContext *context, GError **error)
{
  const FakeParams *params = context->params;

  /* the work has estimated that there is memory for one series */
  g_assert_cmpint (corrected_alive++, ==, 0);
  corrected_series = vg_image_new (context->info, "corrected", error);
  g_assert_nonnull (corrected_series);
  free_samples = corrected_series->free_data;
  corrected_series->free_data = free_corrected;
  for (int i = 0; i < 12; i++)
    ((guint16 *) corrected_series->data)[i] = (guint16) params->steps;
  return fake_steps.cpu->prepare (context, error);
}

static VgImage *
get_corrected (gpointer state)
{
  return corrected_series;
}

static void
free_state (gpointer state)
{
  if (state != NULL)
    g_clear_pointer (&corrected_series, vg_image_unref);
  fake_steps.cpu->free (state);
}

/* Nothing but the work holds the data corrected for motion, so that a new state has their memory.
 * The picture under the map is made of the new ones then, wherever they lie. */
static void
test_corrected_underlay (void)
{
  static const VgEngineCurves curves = { .corrected = get_corrected };
  const VgImageInfo info = vg_image_info_grey (VG_U16, 4, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = vg_image_new (&info, "recorded", &error);
  g_autofree FakeParams *params = fake_params ();
  VgOperation operation = fake_steps;
  VgEngine engine = *fake_steps.cpu;
  const VgUnderlay *before = NULL;
  VgPublisher publisher;
  VgWork *work;

  engine.prepare = prepare_corrected;
  engine.free = free_state;
  engine.curves = &curves;
  operation.input.kind = VG_INPUT_DATASET;
  operation.cpu = &engine;
  work = vg_work_new (&operation, VG_BACKEND_CPU, 1, &error);
  g_assert_no_error (error);
  g_assert_true (vg_work_prepare (work, params, &info, image, &error));
  vg_publisher_init (&publisher);
  vg_publisher_set_work (&publisher, work);
  publisher.underlay_frame = 0;
  for (int i = 0; i < 3; i++)
    {
      g_autoptr (VgResult) result = NULL;

      params->steps += i == 1; /* a new state */
      params->gain++;          /* the same one */
      g_assert_cmpint (vg_work_set_params (work, params, &error), ==,
                       i == 1 ? VG_WORK_PREPARED : VG_WORK_UPDATED);
      g_assert_cmpint (vg_work_step (work, 1, &error), !=, VG_STEP_FAILED);
      result = vg_publisher_make (&publisher, FALSE, &error);
      g_assert_no_error (error);
      g_assert_true (result->underlay_corrected);
      g_assert_nonnull (result->underlay);
      g_assert_cmpfloat (result->underlay->automatic[1], ==, params->steps);
      if (i == 2)
        g_assert_true (result->underlay == before); /* the same picture: nothing to upload */
      before = result->underlay;
    }
  vg_publisher_clear (&publisher);
  vg_work_free (work);
  g_assert_cmpint (corrected_alive, ==, 0);
}

/* The power in a region of rings is that of its card. */
static void
test_power (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  static const char *const settings[] = { "photons", "3000", "nz", "9", "nr", "7" };
  VgRegion region = { .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 1, 4 }, .y = { 0, 6 } };
  FakeSource source = { 0 };
  void *params = vg_params_new (&fluence->params);
  g_autoptr (VgWork) work = vg_work_new (fluence, VG_BACKEND_CPU, 1, NULL);
  g_autoptr (VgCurves) curves = NULL;
  double power, volume;
  Watch watch;

  for (guint i = 0; i < G_N_ELEMENTS (settings); i += 2)
    vg_param_parse (vg_params_find (&fluence->params, settings[i]), params, settings[i + 1], NULL);
  g_assert_true (vg_work_prepare (work, params, NULL, NULL, NULL));
  while (vg_work_step (work, 0.1, NULL) == VG_STEP_MORE)
    ;
  curves = vg_work_sample_region (work, &region, NULL);
  power = vg_metrics_find (curves->metrics, "absorbed_mw")->value;
  volume = vg_metrics_find (curves->metrics, "volume_cm3")->value;
  watch_start (&watch, fake_pipeline (&source));
  vg_pipeline_set_regions (watch.pipeline, &region, 1);
  vg_pipeline_open (watch.pipeline, fluence, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_true (watch_settle (&watch));
  g_assert_true (isnan (watch.last->regions[0].power_mw));
  g_assert_cmpfloat_with_epsilon (watch.last->regions[0].volume_ml, volume, 1e-6 * volume);
  vg_pipeline_set_output (watch.pipeline, vg_operation_find_output (fluence, "absorption"));
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (power, >, 0);
  g_assert_cmpfloat_with_epsilon (watch.last->regions[0].power_mw, power, 1e-5 * power);
  watch_end (&watch);
  vg_params_free (&fluence->params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/output-without-compute", test_output_without_compute);
  g_test_add_func ("/pipeline/underlay", test_underlay);
  g_test_add_func ("/pipeline/corrected-underlay", test_corrected_underlay);
  g_test_add_func ("/pipeline/regions", test_regions);
  g_test_add_func ("/pipeline/ratio", test_ratio);
  g_test_add_func ("/pipeline/power", test_power);
  return g_test_run ();
}
