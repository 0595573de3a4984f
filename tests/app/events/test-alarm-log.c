/* SPDX-License-Identifier: MIT */
/* Alarms of regions whose means are known. */
#include "app/events/vg-alarm-log.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-error.h"

enum { WIDTH = 8, HEIGHT = 4, MOST_TOLD = 20 };

static const VgOutput output = { .id = "flow", .unit = "1/s" };

/* The values of the left and of the right half of the map of FRAME, which comes after as many
 * seconds. */
static void
add (VgAlarmLog *log, gint64 frame, float left, float right)
{
  float values[WIDTH * HEIGHT];
  const VgPlane plane = { .data = values, .width = WIDTH, .height = HEIGHT, .slices = 1 };

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    values[i] = i % WIDTH < WIDTH / 2 ? left : right;
  g_assert_true (vg_alarm_log_add (log, &plane, NULL, NULL, frame, (double) frame, NULL));
}

static VgAlarmLog *
make_log (void)
{
  VgNamedRegion left = { .name = (char *) "a" }, right = { .name = (char *) "b" };
  const VgNamedRegion *const regions[] = { &left, &right, NULL };

  g_assert_true (vg_region_parse (&left.region, "rect:0,0,4,4", NULL));
  g_assert_true (vg_region_parse (&right.region, "rect:4,0,4,4", NULL));
  return vg_alarm_log_new (&output, 3, regions);
}

/* The alarm of a ratio is of the ratio of the sums: (4 + 1) / (4 / 8 + 1 / 1), not 4.5. */
static void
test_ratio (void)
{
  float ratios[WIDTH * HEIGHT], numerators[WIDTH * HEIGHT];
  const VgPlane plane = { .data = ratios, .width = WIDTH, .height = HEIGHT, .slices = 1 },
                numerator = { .data = numerators, .width = WIDTH, .height = HEIGHT, .slices = 1 };
  VgNamedRegion left = { .name = (char *) "a" };
  const VgNamedRegion *const regions[] = { &left, NULL };
  g_autoptr (VgAlarmLog) log = NULL;
  g_autofree char *csv = NULL;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    {
      ratios[i] = i % 2 == 0 ? 8 : 1;
      numerators[i] = i % 2 == 0 ? 4 : 1;
    }
  g_assert_true (vg_region_parse (&left.region, "rect:0,0,4,4", NULL));
  log = vg_alarm_log_new (&output, 4, regions);
  g_assert_true (vg_alarm_log_add (log, &plane, &numerator, NULL, 3, 3, NULL));
  csv = vg_alarm_log_to_csv (log);
  g_assert_nonnull (strstr (csv, "\"a\",3,3,3,3,3.333333333"));
}

static gboolean
fail (const VgPlane *plane, float *host, GError **error)
{
  g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY, "no memory");
  return FALSE;
}

/* Without the samples of the numerator there is no alarm of another mean, but an error. */
static void
test_no_numerator (void)
{
  static const VgCuda cuda = { .download = fail };
  float ratios[WIDTH * HEIGHT];
  const VgPlane plane = { .data = ratios, .width = WIDTH, .height = HEIGHT, .slices = 1 },
                numerator = {
                  .place = VG_DEVICE, .data = ratios, .width = WIDTH, .height = HEIGHT, .slices = 1
                };
  g_autoptr (VgAlarmLog) log = make_log ();
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < WIDTH * HEIGHT; i++)
    ratios[i] = 1;
  g_assert_false (vg_alarm_log_add (log, &plane, &numerator, &cuda, 3, 3, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
  g_assert_cmpuint (vg_alarm_log_count (log), ==, 0);
}

static void
assert_sentence (VgAlarmLog *log, const char *sentence)
{
  g_autofree char *taken = vg_alarm_log_take_sentence (log);

  g_assert_cmpstr (taken, ==, sentence);
}

static void
test_sentences (void)
{
  g_autoptr (VgAlarmLog) log = make_log ();

  add (log, 2, 3, 5);
  assert_sentence (log, NULL);
  add (log, 3, 2, 5);
  assert_sentence (
      log, "alarm: at 3.000 s the mean of flow in \"a\" is 2 1/s, below the limit of 3 1/s");
  add (log, 4, 1, 5);
  add (log, 5, NAN, 5);
  assert_sentence (log, NULL);
  add (log, 6, 4, 5);
  assert_sentence (log, "alarm over: at 6.000 s the mean of flow in \"a\" is 4 1/s, no longer "
                        "below the limit of 3 1/s");
  assert_sentence (log, NULL);
}

/* A region that alarms often does not silence the other, and the table has all alarms. */
static void
test_many (void)
{
  g_autoptr (VgAlarmLog) log = make_log ();
  g_autofree char *csv = NULL;
  g_auto (GStrv) rows = NULL;

  for (int i = 0; i < 100; i++)
    add (log, i, i % 2 ? 4 : 2, 5);
  for (int i = 1; i <= MOST_TOLD; i++)
    {
      g_autofree char *sentence = vg_alarm_log_take_sentence (log);

      g_assert_nonnull (sentence);
      g_assert_cmpint (
          g_str_has_suffix (sentence, "; later alarms of this region are only in alarms.csv"), ==,
          i == MOST_TOLD);
    }
  assert_sentence (log, NULL);
  add (log, 100, 4, 2);
  assert_sentence (
      log, "alarm: at 100.000 s the mean of flow in \"b\" is 2 1/s, below the limit of 3 1/s");
  g_assert_cmpuint (vg_alarm_log_count (log), ==, 51);
  csv = vg_alarm_log_to_csv (log);
  rows = g_strsplit (g_strchomp (csv), "\n", -1);
  g_assert_cmpuint (g_strv_length (rows), ==, 52);
  g_assert_cmpstr (rows[51], ==, "\"b\",100,100,100,100,2");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alarm-log/sentences", test_sentences);
  g_test_add_func ("/alarm-log/many", test_many);
  g_test_add_func ("/alarm-log/ratio", test_ratio);
  g_test_add_func ("/alarm-log/no-numerator", test_no_numerator);
  return g_test_run ();
}
