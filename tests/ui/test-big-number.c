/* SPDX-License-Identifier: MIT */
/* Theatre mode: which number is shown, its course, its alarm, how large it is, and the fading. */
#include "tests/support/ui/window-fixture.h"
#include "ui/common/vg-banner.h"
#include "ui/theatre/vg-big-number.h"
#include "ui/theatre/vg-last-minute.h"
#include "ui/theatre/vg-theatre.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 1280, HEIGHT = 800 };

static VgKeyNumber *
number_new (const char *key, double value, double time_s)
{
  VgKeyNumber *self = g_new0 (VgKeyNumber, 1);

  self->key = g_strdup (key);
  self->name = g_strdup (key);
  self->unit = "%";
  self->value = value;
  self->time_s = time_s;
  return self;
}

static void
assert_format (double value, const char *unit, const char *expected)
{
  const VgKeyNumber number = { .unit = unit, .value = value };
  g_autofree char *text = vg_key_number_format (&number);

  g_assert_cmpstr (text, ==, expected);
}

static void
test_format (void)
{
  assert_format (34.4, "%", "34");
  assert_format (103.7, "%", "104");
  assert_format (3.42, "%", "3");
  assert_format (0.342, "%", "0.342");
  assert_format (138, "", "138");
  assert_format (12.345, "1/s", "12.3");
  assert_format (NAN, "%", "\342\200\223");
}

static void
test_alarm (void)
{
  const VgKeyNumber low = { .unit = "%", .value = 34 }, missing = { .unit = "%", .value = NAN };

  g_assert_true (vg_key_number_is_below (&low, 50));
  g_assert_false (vg_key_number_is_below (&low, 34));
  g_assert_false (vg_key_number_is_below (&low, 0)); /* off */
  g_assert_false (vg_key_number_is_below (&missing, 50));
}

/* Points older than a minute go, an earlier time begins anew, missing values do not count. */
static void
test_course (void)
{
  VgLastMinute *course = vg_last_minute_new ();
  double low, high;

  g_assert_true (isnan (vg_last_minute_get_mean (course, 1)));
  vg_last_minute_add (course, 0, 10);
  g_assert_false (vg_last_minute_get_range (course, &low, &high));
  vg_last_minute_add (course, 4, 20);
  vg_last_minute_add (course, 4, 25);
  vg_last_minute_add (course, 5, NAN);
  g_assert_cmpuint (course->moments->len, ==, 3);
  g_assert_cmpfloat (vg_last_minute_get_mean (course, 4), ==, 25);
  g_assert_cmpfloat (vg_last_minute_get_mean (course, 6), ==, 17.5);
  g_assert_true (isnan (vg_last_minute_get_mean (course, 1)));
  g_assert_true (vg_last_minute_get_range (course, &low, &high));
  g_assert_cmpfloat (low, ==, 10);
  g_assert_cmpfloat (high, ==, 25);
  vg_last_minute_add (course, 61, 30); /* after a gap, and a minute after the first */
  g_assert_cmpuint (course->moments->len, ==, 4);
  g_assert_true (isnan (g_array_index (course->moments, VgMoment, 2).value));
  vg_last_minute_add (course, 5, 1);
  g_assert_cmpuint (course->moments->len, ==, 1);
  for (int i = 0; i < 2 * VG_LAST_MINUTE_POINTS; i++)
    vg_last_minute_add (course, 5 + 1e-3 * i, i);
  g_assert_cmpuint (course->moments->len, <=, VG_LAST_MINUTE_POINTS);
  vg_last_minute_free (course);
}

/* The kind, and a part of the words, of what is known of a stream. */
static void
assert_liveness (const VgLiveness *facts, VgLivenessKind kind, const char *part)
{
  g_autofree char *text = vg_liveness_describe (facts);

  g_assert_cmpint (vg_liveness_get_kind (facts), ==, kind);
  g_assert_cmpstr (text, ==, part);
}

/* What is not of the present is not called live. */
static void
test_liveness (void)
{
  VgLiveness facts = {
    .stream = TRUE, .live = TRUE, .running = TRUE, .ago_s = NAN, .silent_s = 0.1, .late_s = 0.2
  };

  assert_liveness (&facts, VG_LIVENESS_LIVE, "Live");
  facts.sample = TRUE;
  assert_liveness (&facts, VG_LIVENESS_LIVE, "Sample");
  facts.sample = FALSE;
  facts.waiting = TRUE;
  facts.silent_s = 3;
  assert_liveness (&facts, VG_LIVENESS_LOST, "No signal, 3 s");
  facts.waiting = FALSE;
  assert_liveness (&facts, VG_LIVENESS_OLD, "Last frame 3 s ago");
  facts.interval_s = 2;
  assert_liveness (&facts, VG_LIVENESS_LIVE, "Live");
  facts.late_s = 7;
  assert_liveness (&facts, VG_LIVENESS_OLD, "7 s late");
  facts.silent_s = facts.late_s = NAN;
  assert_liveness (&facts, VG_LIVENESS_OLD, "No frame yet");
  facts.silent_s = facts.late_s = 0;
  facts.running = FALSE;
  assert_liveness (&facts, VG_LIVENESS_OLD, "Paused");
  facts.ago_s = 28.4;
  assert_liveness (&facts, VG_LIVENESS_OLD, "28 s ago");
  facts.ago_s = NAN;
  facts.ended = TRUE;
  assert_liveness (&facts, VG_LIVENESS_OLD, "Ended");
  facts = (VgLiveness){ .stream = TRUE, .running = TRUE, .ago_s = NAN };
  assert_liveness (&facts, VG_LIVENESS_PLAYED, "Playback");
  facts.stream = FALSE;
  assert_liveness (&facts, VG_LIVENESS_NONE, NULL);
  facts = (VgLiveness){ .stream = TRUE, .live = TRUE, .running = TRUE, .ago_s = NAN, .kept = TRUE };
  assert_liveness (&facts, VG_LIVENESS_OLD, "Kept result");
}

/* Of a stream the mean of a second is shown, and the alarm comes and goes two seconds later.
 * Without a signal there is no number. */
static void
test_delay (void)
{
  GtkWidget *widget = g_object_ref_sink (vg_big_number_new ());
  VgBigNumber *number = VG_BIG_NUMBER (widget);
  g_autofree char *mean = NULL, *lost = NULL;

  vg_big_number_set (number, number_new ("flow", 100, 0));
  vg_big_number_set_alarm (number, 60);
  vg_big_number_set (number, number_new ("flow", 40, 0.5));
  mean = vg_big_number_format (number);
  g_assert_cmpstr (mean, ==, "70");
  for (double t = 1; t < 3.5; t += 0.25) /* below since 1.25 */
    {
      vg_big_number_set (number, number_new ("flow", 40, t));
      g_assert_cmpint (vg_big_number_get_alarm_state (number) == VG_ALARM_BELOW, ==, t >= 3);
    }
  vg_big_number_set (number, number_new ("flow", NAN, 3.75)); /* it stays */
  vg_big_number_set (number, number_new ("flow", NAN, 4.75));
  g_assert_cmpint (vg_big_number_get_alarm_state (number), ==, VG_ALARM_BELOW);
  for (double t = 5; t < 8; t += 0.25)
    {
      vg_big_number_set (number, number_new ("flow", 90, t));
      g_assert_cmpint (vg_big_number_get_alarm_state (number) == VG_ALARM_BELOW, ==, t < 7);
    }
  vg_big_number_set_alarm (number, 95); /* at once */
  g_assert_cmpint (vg_big_number_get_alarm_state (number), ==, VG_ALARM_BELOW);
  vg_big_number_set_state (number, &(VgBigNumberState){ .liveness = VG_LIVENESS_LOST });
  g_assert_cmpint (vg_big_number_get_alarm_state (number), !=, VG_ALARM_BELOW);
  lost = vg_big_number_format (number);
  g_assert_cmpstr (lost, ==, "\342\200\223");
  g_object_unref (widget);
}

/* What the banner says; "": it is hidden. */
static const char *
told (VgTheatre *theatre)
{
  GtkWidget *banner = vg_theatre_get_banner (theatre);

  return vg_banner_is_shown (VG_BANNER (banner))
             ? gtk_label_get_text (GTK_LABEL (window_find (banner, GTK_TYPE_LABEL)))
             : "";
}

/* Outside theatre mode the theatre's own banner reports the alarm, that it is not checked while the
 * number is not current, and that it is off when another number is shown. */
static void
test_alarm_messages (void)
{
  GtkWidget *widget = g_object_ref_sink (vg_theatre_new (gtk_drawing_area_new ())),
            *bar = window_find (widget, VG_TYPE_THEATRE_BAR);
  VgTheatre *theatre = VG_THEATRE (widget);
  VgTheatreState state = { .shown.liveness = VG_LIVENESS_LIVE };

  vg_theatre_set_state (theatre, &state);
  vg_theatre_set_number (theatre, number_new ("flow", 34, 1));
  g_signal_emit_by_name (bar, "alarm", 50.0);
  g_assert_cmpstr (told (theatre), ==, "Below the alarm of 50 % (flow)");
  /* not below when the user looks back: what comes meanwhile raises no alarm, and that is told */
  g_signal_emit_by_name (bar, "alarm", 20.0);
  g_assert_cmpstr (told (theatre), ==, "");
  state.shown.liveness = VG_LIVENESS_OLD;
  vg_theatre_set_state (theatre, &state);
  g_assert_cmpstr (told (theatre), ==,
                   "The alarm of 20 % (flow) is not checked, because there is no current number");
  state.shown.liveness = VG_LIVENESS_LIVE;
  vg_theatre_set_state (theatre, &state);
  g_assert_cmpstr (told (theatre), ==, "");
  g_signal_emit_by_name (bar, "alarm", 50.0);
  g_assert_cmpstr (told (theatre), ==, "Below the alarm of 50 % (flow)");
  state.shown.liveness = VG_LIVENESS_OLD;
  vg_theatre_set_state (theatre, &state);
  g_assert_cmpstr (told (theatre), ==,
                   "The alarm of 50 % (flow) is not checked, because there is no current number");
  state.shown.liveness = VG_LIVENESS_LIVE;
  vg_theatre_set_state (theatre, &state);
  g_assert_cmpstr (told (theatre), ==, "Below the alarm of 50 % (flow)");
  /* live, but without a value, as if there were no baseline; the mean is that of a second */
  for (double t = 1.5; t < 5.5; t += 0.5)
    {
      vg_theatre_set_number (theatre, number_new ("flow", NAN, t));
      g_assert_cmpstr (told (theatre), ==,
                       t < 4 ? "Below the alarm of 50 % (flow)"
                             : "The alarm of 50 % (flow) is not checked, because there is no "
                               "current number");
    }
  vg_theatre_set_number (theatre, number_new ("flow", 34, 5.5));
  g_assert_cmpstr (told (theatre), ==, "Below the alarm of 50 % (flow)");
  /* results without any number, as when settings cannot be used */
  for (double t = 6; t < 9.5; t += 0.5)
    {
      vg_theatre_miss_number (theatre, t);
      vg_theatre_set_state (theatre, &state);
      g_assert_cmpstr (told (theatre), ==,
                       t < 8.5 ? "Below the alarm of 50 % (flow)"
                               : "The alarm of 50 % (flow) is not checked, because there is no "
                                 "current number");
    }
  vg_theatre_set_number (theatre, NULL); /* other data are opened, and have no number either */
  g_assert_cmpstr (told (theatre), ==, "");
  for (int i = 0; i < 2; i++)
    {
      vg_theatre_miss_number (theatre, i);
      vg_theatre_set_state (theatre, &state);
      g_assert_nonnull (strstr (told (theatre), "50 % (flow) is not checked"));
    }
  vg_theatre_set_number (theatre, number_new ("flow", 34, 5.5));
  g_assert_cmpstr (told (theatre), ==, "Below the alarm of 50 % (flow)");
  vg_banner_hide (VG_BANNER (vg_theatre_get_banner (theatre))); /* as its button does */
  vg_theatre_set_number (theatre, number_new ("flow", 33, 2));
  g_assert_cmpstr (told (theatre), ==, "");
  g_signal_emit_by_name (bar, "alarm", 20.0);
  g_signal_emit_by_name (bar, "alarm", 40.0);
  g_assert_cmpstr (told (theatre), ==, "Below the alarm of 40 % (flow)");
  g_signal_emit_by_name (bar, "alarm", 20.0);
  g_assert_cmpstr (told (theatre), ==, "");
  vg_theatre_set_number (theatre, number_new ("contrast", 0.5, 2));
  g_assert_nonnull (strstr (told (theatre), "20 % (flow)"));
  g_assert_nonnull (strstr (told (theatre), "off"));
  vg_theatre_set_number (theatre, number_new ("contrast", 0.5, 3));
  g_assert_nonnull (strstr (told (theatre), "off")); /* until it is closed */
  g_signal_emit_by_name (bar, "alarm", 10.0);
  g_signal_emit_by_name (bar, "alarm", 0.0);
  vg_theatre_set_number (theatre, number_new ("flow", 33, 4));
  g_assert_cmpstr (told (theatre), ==, "");
  vg_theatre_set_number (theatre, number_new ("contrast", 0.5, 4)); /* whose alarm was removed */
  g_assert_nonnull (strstr (told (theatre), "20 % (flow) is off"));
  g_assert_true (vg_theatre_has_alarm (theatre));
  vg_theatre_set_number (theatre, number_new ("flow", 33, 5));
  g_signal_emit_by_name (bar, "alarm", 0.0);
  g_assert_false (vg_theatre_has_alarm (theatre));
  g_object_unref (widget);
}

static VgKeyNumber *
number_of_map (VgSession *session, const VgRegionResult *values, guint n, VgCompare compare)
{
  float sample = 1;
  const VgResult result = { .operation = vg_session_get_operation (session),
                            .output = vg_session_get_view (session)->output,
                            .compare = compare,
                            .plane = { .data = &sample, .width = 8, .height = 8 },
                            .regions = values,
                            .n_regions = n,
                            .time_s = 1 };

  return vg_key_number_new (&result, session, TRUE);
}

/* The number of a kept map is the map's, and called so, also where there is one in per cent of the
 * baseline now; another quantity has another key.  The key of a region depends neither on the
 * regions before it nor on its name. */
static void
test_keys (void)
{
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("flow"));
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 8 }, .y = { 0, 8 }
  };
  const VgRegionResult values[2] = {
    { .statistics = { .valid = 64, .mean = 300 }, .of_baseline = NAN },
    { .statistics = { .valid = 64, .mean = 200 }, .of_baseline = 34 }
  };
  g_autoptr (VgKeyNumber) now = NULL, kept = NULL, ratio = NULL, moved = NULL, namesake = NULL,
                          renamed = NULL, undone = NULL;

  vg_session_add_region (session, &region);
  vg_session_add_region (session, &region);
  vg_session_select_region (session, 1);
  now = number_of_map (session, values, 2, VG_COMPARE_OFF);
  kept = number_of_map (session, values, 2, VG_COMPARE_KEPT);
  g_assert_cmpfloat (now->value, ==, 34);
  g_assert_cmpfloat (kept->value, ==, 200);
  g_assert_cmpstr (kept->name, ==, "Flow index, kept, Region 2");
  g_assert_cmpstr (kept->key, !=, now->key);
  vg_session_select_region (session, 0);
  ratio = number_of_map (session, values, 2, VG_COMPARE_RATIO);
  g_assert_cmpstr (ratio->name, ==, "Flow index, now / kept, Region 1");
  g_assert_cmpstr (ratio->unit, ==, "");
  vg_session_remove_region (session, 0);
  vg_session_select_region (session, 0);
  moved = number_of_map (session, values + 1, 1, VG_COMPARE_OFF);
  g_assert_cmpstr (moved->key, ==, now->key);
  vg_session_add_region (session, &region);
  vg_session_rename_region (session, 1, "Region 2");
  vg_session_select_region (session, 1);
  namesake = number_of_map (session, values, 2, VG_COMPARE_OFF);
  g_assert_cmpstr (namesake->key, !=, now->key);
  vg_session_commit (session, "Regions");
  vg_session_select_region (session, 0);
  vg_session_rename_region (session, 0, "Flap");
  vg_session_commit (session, "Name");
  renamed = number_of_map (session, values + 1, 1, VG_COMPARE_OFF);
  g_assert_cmpstr (renamed->name, ==, "Relative flow, Flap");
  g_assert_cmpstr (renamed->key, ==, now->key);
  vg_session_undo (session);
  g_assert_true (vg_session_get_region (session, 0)->selected);
  undone = number_of_map (session, values + 1, 1, VG_COMPARE_OFF);
  g_assert_cmpstr (undone->name, ==, "Relative flow, Region 2");
  g_assert_cmpstr (undone->key, ==, now->key);
}

/* Of a map of categories: the share of the most frequent one in the region, not a mean of their
 * numbers. */
static void
test_category (void)
{
  const VgOperation *operation = vg_operation_find ("perfusion");
  g_autoptr (VgSession) session = vg_session_new (operation);
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 8 }, .y = { 0, 8 }
  };
  const VgRegionResult values = { .statistics = { .valid = 64, .mean = 1.25 }, .of_baseline = NAN };
  const int output = vg_operation_find_output (operation, "preferred_model");
  float labels[64];
  const VgResult result = {
    .operation = operation,
    .output = output,
    .plane = { .place = VG_HOST, .data = labels, .width = 8, .height = 8, .slices = 1 },
    .regions = &values,
    .n_regions = 1
  };
  g_autoptr (VgKeyNumber) most = NULL, none = NULL;
  g_autofree char *name = g_strdup_printf ("%s: %s, Region 1", operation->outputs[output].label,
                                           operation->outputs[output].hints.categories[1]);

  for (int i = 0; i < 64; i++)
    labels[i] = i < 48 ? 1 : 2;
  vg_session_add_region (session, &region);
  most = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (most->value, ==, 75);
  g_assert_cmpstr (most->unit, ==, "%");
  g_assert_cmpstr (most->name, ==, name);
  for (int i = 0; i < 64; i++)
    labels[i] = NAN;
  none = vg_key_number_new (&result, session, TRUE);
  g_assert_true (isnan (none->value));
}

/* The number is a region's relative flow, or its mean or median if there is no baseline.  Without a
 * region it is that of the whole map, or the key metric if labels or no map are shown. */
static void
test_number (void)
{
  const VgOperation *operation = vg_operation_find ("flow"),
                    *fluence = vg_operation_find ("fluence"),
                    *perfusion = vg_operation_find ("perfusion");
  g_autoptr (VgSession) session = vg_session_new (operation);
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 8 }, .y = { 0, 8 }
  };
  const VgRegion far = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 9, 12 }, .y = { 0, 8 }
  };
  float samples[1] = { 1 };
  VgRegionResult values[2] = {
    { .statistics.mean = 300, .of_baseline = 34 },
    { .statistics = { .valid = 400, .mean = 200, .sd = 10, .q25 = 193, .median = 190, .q75 = 207 },
      .of_baseline = NAN }
  };
  VgResult result = {
    .operation = operation,
    .output = (int) operation->view.first_output,
    .regions = values,
    .n_regions = 2,
    .whole = { { .valid = 400, .mean = 300, .sd = 10, .q25 = 293, .median = 300, .q75 = 307 }, 80 },
    .time_s = 7,
    .metrics = metrics
  };
  g_autoptr (VgKeyNumber) none = NULL, metric = NULL, first = NULL, selected = NULL, valued = NULL,
                          old = NULL, whole = NULL, median = NULL, not_yet = NULL, skewed = NULL,
                          simulated = NULL, relative = NULL, inside = NULL, outside = NULL;
  const VgParam *button = vg_key_number_find_baseline (operation);

  g_assert_null (vg_key_number_find_baseline (perfusion));
  none = vg_key_number_new (&result, session, TRUE);
  g_assert_null (none);
  vg_metrics_add (metrics, operation->view.key_metric, "Contrast", "", 0.5, "wrong");
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  metric = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (metric->value, ==, 0.5);
  g_assert_nonnull (strstr (metric->warning, "Contrast: press Escape and see Results"));
  result.plane.data = samples;
  whole = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (whole->value, ==, 300);
  g_assert_cmpstr (whole->name, ==, "Flow index");
  g_assert_cmpstr (whole->unit, ==, "1/s");
  g_assert_cmpstr (whole->with_spread, ==, "300 \302\261 10");
  g_assert_cmpstr (whole->statistic, ==, "Mean \302\261 standard deviation of 400 pixels");
  result.whole.statistics.sd = 400;
  result.whole.statistics.median = 299;
  median = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (median->value, ==, 299);
  g_assert_cmpstr (median->name, ==, "Flow index, median");
  g_assert_cmpstr (median->with_spread, ==, "299 (293 to 307)");
  g_assert_cmpstr (median->statistic, ==, "Median (quartiles) of 400 pixels");
  g_assert_cmpstr (median->key, ==, whole->key);
  vg_session_set_number (session, button, 1); /* the user has set the baseline */
  relative = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (relative->value, ==, 80);
  g_assert_null (relative->with_spread); /* of the ratio there is none */
  g_assert_cmpstr (relative->name, ==, "Relative flow");
  g_assert_cmpstr (relative->unit, ==, "%");
  g_assert_cmpstr (relative->key, !=, whole->key);
  vg_session_set_number (session, button, 0);
  result.whole.statistics.valid = 0;
  not_yet = vg_key_number_new (&result, session, TRUE);
  g_assert_true (isnan (not_yet->value));
  result.plane.data = NULL;
  vg_session_add_region (session, &region);
  vg_session_add_region (session, &region);
  vg_session_select_region (session, 0);
  first = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (first->value, ==, 34);
  g_assert_cmpstr (first->unit, ==, "%");
  g_assert_cmpfloat (first->time_s, ==, 7);
  vg_session_select_region (session, 1);
  selected = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (selected->value, ==, 200); /* the mean, as everywhere in a stream */
  g_assert_true (g_str_has_prefix (selected->name, "Flow index, "));
  g_assert_null (strstr (selected->name, "median"));
  g_assert_cmpstr (selected->unit, ==, "1/s");
  g_assert_cmpstr (selected->key, !=, first->key);
  vg_session_select_region (session, -1);
  values[0].statistics.mean = NAN;
  values[1].statistics.median = 200;
  valued = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (valued->value, ==, 200); /* the first that has a value */
  old = vg_key_number_new (&result, session, FALSE);
  g_assert_cmpfloat (old->value, ==, 0.5);

  /* the regions lie outside the image */
  result.plane = (VgPlane){ .data = samples, .width = 8, .height = 8 };
  inside = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpstr (inside->name, ==, "Flow index, Region 2");
  vg_session_set_region (session, 0, &far);
  vg_session_set_region (session, 1, &far);
  outside = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpstr (outside->name, ==, "Flow index");
  vg_session_set_region (session, 0, &region);
  result.plane.data = NULL;

  /* of a data set */
  vg_session_set_operation (session, perfusion);
  vg_session_add_region (session, &region);
  vg_session_select_region (session, 0);
  values[0] = values[1];
  values[0].statistics.median = 190; /* far from the mean */
  result.operation = perfusion;
  result.output = (int) perfusion->view.first_output;
  result.plane.data = samples;
  skewed = vg_key_number_new (&result, session, TRUE);
  g_assert_cmpfloat (skewed->value, ==, 190);
  g_assert_nonnull (strstr (skewed->name, ", median, "));
  g_assert_true (isnan (skewed->time_s)); /* it has no course */

  /* of a simulation, whose map reaches as far as its bins do */
  vg_session_set_operation (session, fluence);
  vg_metrics_add (metrics, fluence->view.key_metric, "Reflectance", "", 0.25, NULL);
  result.operation = fluence;
  result.output = (int) fluence->view.first_output;
  result.plane.data = samples;
  result.whole.statistics.valid = 400;
  simulated = vg_key_number_new (&result, session, FALSE);
  g_assert_cmpfloat (simulated->value, ==, 0.25);
}

static void
run_until (gboolean (*condition) (VgTheatre *theatre), VgTheatre *theatre)
{
  gint64 end = g_get_monotonic_time () + 100 * G_USEC_PER_SEC;

  while (!condition (theatre))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
}

static gboolean
is_laid_out (VgTheatre *theatre)
{
  return gtk_widget_get_height (GTK_WIDGET (theatre)) >= HEIGHT / 2;
}

static gboolean
has_place (VgTheatre *theatre)
{
  return gtk_widget_get_height (window_find (GTK_WIDGET (theatre), VG_TYPE_BIG_NUMBER)) >=
         HEIGHT / 2;
}

static gboolean
is_asleep (VgTheatre *theatre)
{
  return !vg_theatre_is_awake (theatre);
}

/* A widget with CLASS is shown. */
static gboolean
has_class (GtkWidget *root, const char *class)
{
  if (gtk_widget_has_css_class (root, class))
    return gtk_widget_get_visible (root);
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (has_class (child, class))
      return TRUE;
  return FALSE;
}

/* The digits are an eighth of the height, the alarm is that of the quantity, the buttons fade. */
static void
test_widget (void)
{
  GtkWidget *window = gtk_window_new (), *theatre = vg_theatre_new (gtk_drawing_area_new ()),
            *number = window_find (theatre, VG_TYPE_BIG_NUMBER),
            *bar = window_find (theatre, VG_TYPE_THEATRE_BAR);
  double digits;

  gtk_window_set_default_size (GTK_WINDOW (window), WIDTH, HEIGHT);
  gtk_window_set_child (GTK_WINDOW (window), theatre);
  gtk_window_present (GTK_WINDOW (window));
  run_until (is_laid_out, VG_THEATRE (theatre));
  g_assert_false (gtk_widget_get_visible (number));
  vg_theatre_set_on (VG_THEATRE (theatre), TRUE);
  g_assert_true (vg_theatre_is_awake (VG_THEATRE (theatre)));
  g_assert_false (has_class (theatre, "vg-veil"));
  vg_theatre_set_number (VG_THEATRE (theatre), number_new ("flow", 34, 1));
  vg_theatre_set_number (VG_THEATRE (theatre), number_new ("flow", 33, 2));
  g_assert_true (gtk_widget_get_visible (number));
  run_until (has_place, VG_THEATRE (theatre));
  g_assert_cmpfloat (vg_big_number_get_digit_height (VG_BIG_NUMBER (number)), >=,
                     gtk_widget_get_height (theatre) / 8);
  digits = vg_big_number_get_digit_height (VG_BIG_NUMBER (number));
  g_assert_cmpuint (vg_big_number_get_n_values (VG_BIG_NUMBER (number)), ==, 2);
  g_assert_false (has_class (theatre, "vg-alarm"));
  g_signal_emit_by_name (bar, "alarm", 50.0);
  g_assert_cmpint (vg_big_number_get_alarm_state (VG_BIG_NUMBER (number)), ==, VG_ALARM_BELOW);
  g_assert_true (has_class (theatre, "vg-alarm"));
  g_assert_cmpfloat (vg_big_number_get_digit_height (VG_BIG_NUMBER (number)), ==, digits);
  vg_theatre_set_number (VG_THEATRE (theatre), number_new ("contrast", 0.5, 3));
  g_assert_cmpint (vg_big_number_get_alarm_state (VG_BIG_NUMBER (number)), !=, VG_ALARM_BELOW);
  g_assert_false (has_class (theatre, "vg-alarm"));
  g_assert_cmpuint (vg_big_number_get_n_values (VG_BIG_NUMBER (number)), ==, 1);
  vg_theatre_set_number (VG_THEATRE (theatre), number_new ("flow", 34, 4));
  g_assert_cmpint (vg_big_number_get_alarm_state (VG_BIG_NUMBER (number)), ==, VG_ALARM_BELOW);
  run_until (is_asleep, VG_THEATRE (theatre));
  g_assert_true (has_class (theatre, "vg-veil")); /* the pointer is hidden */
  vg_theatre_wake (VG_THEATRE (theatre));
  g_assert_false (has_class (theatre, "vg-veil"));
  g_assert_true (vg_theatre_is_awake (VG_THEATRE (theatre)));
  vg_theatre_set_on (VG_THEATRE (theatre), FALSE);
  g_assert_false (vg_theatre_is_awake (VG_THEATRE (theatre)));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A list of monitors that stands in for that of the display. */
static GdkMonitor *
monitor_new (void)
{
  return g_object_new (GDK_TYPE_MONITOR, "display", gdk_display_get_default (), NULL);
}

static void
count (guint *n)
{
  (*n)++;
}

static gboolean
is_drawn (VgTheatre *theatre)
{
  return gtk_widget_get_mapped (GTK_WIDGET (theatre));
}

/* The mirror needs a second monitor, closes at once when that goes away, and says so. */
static void
test_mirror (void)
{
  GListModel *real = gdk_display_get_monitors (gdk_display_get_default ());
  g_autoptr (GListStore) monitors = g_list_store_new (GDK_TYPE_MONITOR);
  g_autoptr (GdkMonitor) own = g_list_model_get_item (real, 0), other = monitor_new ();
  GtkWidget *window = gtk_window_new (), *theatre = vg_theatre_new (gtk_drawing_area_new ());
  g_autoptr (VgMirror) mirror = vg_mirror_new (theatre, G_LIST_MODEL (monitors));
  guint lost = 0, changed = 0;

  g_list_store_append (monitors, own);
  g_signal_connect_swapped (mirror, "lost", G_CALLBACK (count), &lost);
  g_signal_connect_swapped (mirror, "changed", G_CALLBACK (count), &changed);
  gtk_window_set_child (GTK_WINDOW (window), theatre);
  gtk_window_present (GTK_WINDOW (window));
  run_until (is_drawn, VG_THEATRE (theatre));
  vg_mirror_open (mirror);
  g_assert_false (vg_mirror_is_open (mirror));
  g_list_store_append (monitors, other);
  g_assert_cmpuint (changed, ==, 1);
  vg_mirror_open (mirror);
  g_assert_true (vg_mirror_is_open (mirror));
  g_assert_true (vg_mirror_get_monitor (mirror) == other);
  g_assert_cmpuint (changed, ==, 2);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_list_store_remove (monitors, 1);
  g_assert_false (vg_mirror_is_open (mirror));
  g_assert_cmpuint (lost, ==, 1);
  g_list_store_append (monitors, other);
  vg_mirror_open (mirror);
  g_assert_true (vg_mirror_is_open (mirror));
  vg_mirror_close (mirror);
  g_assert_cmpuint (lost, ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A lesion comes before the liver, which counts in all slices, and inputs are not read unless they
 * are selected.  The text below the number names the median. */
static void
test_roles (void)
{
  const VgOperation *perfusion = vg_operation_find ("perfusion");
  g_autoptr (VgSession) session = vg_session_new (perfusion);
  const VgRegion lesion = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 5, 7 }, .y = { 5, 7 }
  };
  static const struct
  {
    const char *param, *text, *reads;
  } steps[] = {
    { "artery", "rect:1,1,2,2", "Total inflow, median" },
    { "mask", "rect:3,3,6,6", "Total inflow, median, Liver" },
    { NULL, NULL, "Total inflow, median, Lesion" },
    { "portal", "rect:1,5,2,2", "Total inflow, median, Lesion" },
  };
  const VgRegionStatistics skewed = {
    .valid = 400, .mean = 300, .sd = 400, .q25 = 100, .median = 110, .q75 = 110.7632
  };
  VgRegionResult values[G_N_ELEMENTS (steps)];
  float samples[100] = { 0 };
  VgResult result = { .operation = perfusion,
                      .output = vg_operation_find_output (perfusion, "total_inflow"),
                      .plane = { .data = samples, .width = 10, .height = 10, .slices = 3 },
                      .regions = values,
                      .whole = { skewed, NAN } };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autoptr (VgKeyNumber) number = NULL;

      if (steps[i].param != NULL)
        g_assert_true (vg_session_set_text (
            session, vg_params_find (&perfusion->params, steps[i].param), steps[i].text, NULL));
      else
        vg_session_rename_region (session, vg_session_add_region (session, &lesion), "Lesion");
      vg_session_select_region (session, -1);
      values[i] = (VgRegionResult){ skewed, NAN };
      result.n_regions = i + 1;
      g_assert_cmpuint (vg_session_get_n_regions (session), ==, i + 1);
      number = vg_key_number_new (&result, session, TRUE);
      g_assert_cmpstr (number->name, ==, steps[i].reads);
      g_assert_cmpstr (number->statistic, ==, "Median (quartiles) of 400 voxels");
    }
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    g_assert_cmpint (vg_session_get_shape (session, i).slice, ==,
                     i == 1 ? VG_REGION_EVERY_SLICE : 0);
  /* an imported one is known by its name */
  vg_session_rename_region (session, 2, "Portal vein (slice 1)");
  vg_session_select_region (session, -1);
  {
    g_autoptr (VgKeyNumber) number = vg_key_number_new (&result, session, TRUE);

    g_assert_cmpstr (number->name, ==, "Total inflow, median, Liver");
  }
  vg_session_select_region (session, 0);
  {
    g_autoptr (VgKeyNumber) number = vg_key_number_new (&result, session, TRUE);

    g_assert_cmpstr (number->name, ==, "Total inflow, median, Artery");
  }
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/big-number/roles", test_roles);
  g_test_add_func ("/theatre/format", test_format);
  g_test_add_func ("/theatre/alarm", test_alarm);
  g_test_add_func ("/theatre/course", test_course);
  g_test_add_func ("/theatre/liveness", test_liveness);
  g_test_add_func ("/theatre/delay", test_delay);
  g_test_add_func ("/theatre/alarm-messages", test_alarm_messages);
  g_test_add_func ("/theatre/number", test_number);
  g_test_add_func ("/theatre/keys", test_keys);
  g_test_add_func ("/theatre/category", test_category);
  g_test_add_func ("/theatre/widget", test_widget);
  g_test_add_func ("/theatre/mirror", test_mirror);
  return g_test_run ();
}
