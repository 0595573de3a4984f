/* SPDX-License-Identifier: MIT */
/* Curves with their CSV, and an operation's numbers. */
#include "kernels/tables/vg-curves.h"
#include "kernels/base/vg-metrics.h"
#include <math.h>
#include <string.h>

static void
test_csv (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Decay", "Time", "ns", "Counts", "");
  VgSeries *data = vg_curves_add (curves, "data \"A\", raw", VG_SERIES_POINTS, 3);
  VgSeries *fit = vg_curves_add (curves, "fit", VG_SERIES_LINE, 3);
  VgSeries *fine = vg_curves_add (curves, "fine", VG_SERIES_LINE, 1);
  g_autofree char *csv = NULL;

  for (int i = 0; i < 3; i++)
    {
      data->x[i] = fit->x[i] = 0.1 * i;
      data->y[i] = 10 - i;
      fit->y[i] = i == 1 ? NAN : 1e-9;
    }
  data->error = g_new0 (double, 3);
  data->error[2] = 0.5;
  fine->x[0] = 7;
  csv = vg_curves_to_csv (curves);
  g_assert_cmpstr (csv, ==,
                   "\"Time (ns)\",\"data \"\"A\"\", raw: Counts\",\"data \"\"A\"\", raw: Counts "
                   "error\",\"fit: Counts\",\"Time (ns)\",\"fine: Counts\"\n"
                   "0,10,0,1e-09,7,0\n"
                   "0.1,9,0,,,\n"
                   "0.2,8,0.5,1e-09,,\n");
}

/* A mark is in the row of the first point at or after it.  A mark outside the points is left out,
 * and a text that a spreadsheet would run as a formula is quoted. */
static void
test_csv_marks (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Flow", "Time", "s", "Flow", "");
  VgSeries *series = vg_curves_add (curves, "vessel", VG_SERIES_LINE, 5);
  g_autofree char *csv = NULL;

  for (int i = 0; i < 5; i++)
    {
      series->x[i] = i < 3 ? 1 + i : i; /* a gap after 3 s */
      series->y[i] = i == 3 ? NAN : 10 + i;
    }
  vg_curves_mark (curves, 3, "open");
  vg_curves_mark (curves, 2.2, "cuff \"closed\"");
  vg_curves_mark (curves, 2.2, "=1+1");
  vg_curves_mark (curves, 1, "first");
  vg_curves_mark (curves, 0.5, "before");
  vg_curves_mark (curves, 4.1, "after");
  csv = vg_curves_to_csv (curves);
  g_assert_cmpstr (csv, ==,
                   "\"Time (s)\",\"vessel: Flow\",\"Mark\"\n"
                   "1,10,\"first\"\n2,11,\n3,12,\"cuff \"\"closed\"\"; =1+1; open\"\n3,,\n4,14,\n");
  g_clear_pointer (&curves->marks, g_array_unref);
  vg_curves_mark (curves, 4, "=1+1");
  g_free (csv);
  csv = vg_curves_to_csv (curves);
  g_assert_true (g_str_has_suffix (csv, "4,14,\"'=1+1\"\n"));
}

/* A region without values has no points: the marks are in the rows of the other. */
static void
test_csv_marks_longest (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Flow", "Time", "s", "Flow", "");
  VgSeries *series;
  g_autofree char *csv = NULL;

  vg_curves_add (curves, "outside", VG_SERIES_LINE, 0);
  series = vg_curves_add (curves, "vessel", VG_SERIES_LINE, 2);
  for (int i = 0; i < 2; i++)
    series->x[i] = series->y[i] = 1 + i;
  vg_curves_mark (curves, 1.5, "cuff");
  csv = vg_curves_to_csv (curves);
  g_assert_cmpstr (csv, ==,
                   "\"Time (s)\",\"outside: Flow\",\"Time (s)\",\"vessel: Flow\",\"Mark\"\n"
                   ",,1,1,\n,,2,2,\"cuff\"\n");
}

/* A region that was drawn later has times of its own, and so marks of its own. */
static void
test_csv_marks_later (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Flow", "Time", "s", "Flow", "");
  VgSeries *series[3];
  g_autofree char *csv = NULL;

  for (int k = 0; k < 3; k++)
    {
      series[k] = vg_curves_add (curves,
                                 k == 0   ? "first"
                                 : k == 1 ? "same"
                                          : "later",
                                 VG_SERIES_LINE, k < 2 ? 3 : 2);
      for (int i = 0; i < series[k]->n; i++)
        {
          series[k]->x[i] = i + (k < 2 ? 1 : 2);
          series[k]->y[i] = 10 * (k + 1);
        }
    }
  vg_curves_mark (curves, 2.5, "cuff");
  csv = vg_curves_to_csv (curves);
  g_assert_cmpstr (
      csv, ==,
      "\"Time (s)\",\"first: Flow\",\"same: Flow\",\"Mark\",\"Time (s)\",\"later: Flow\",\"Mark\"\n"
      "1,10,20,,2,30,\n2,10,20,,3,30,\"cuff\"\n3,10,20,\"cuff\",,,\n");
}

/* What is drawn lower is written as it is, and times of single precision in their own digits. */
static void
test_divisor (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Voxel", "Time", "s", "Concentration", "mM");
  VgSeries *tissue = vg_curves_add (curves, "Measured", VG_SERIES_POINTS, 2),
           *artery = vg_curves_add (curves, "Artery", VG_SERIES_LINE, 2);
  g_autofree char *csv = NULL;

  for (int i = 0; i < 2; i++)
    {
      tissue->x[i] = artery->x[i] = 3 * (double) 1.85f + i;
      tissue->y[i] = 0.5;
      artery->y[i] = 4.8 / 8;
    }
  artery->divisor = 8;
  csv = vg_curves_to_csv (curves);
  g_assert_cmpstr (csv, ==,
                   "\"Time (s)\",\"Measured: Concentration (mM)\",\"Artery: Concentration "
                   "(mM)\"\n5.55,0.5,4.8\n6.55,0.5,4.8\n");
}

/* Lengths and the place as they are shown; other axes, and a span that is dragged, stay. */
static void
test_lengths (void)
{
  for (int k = 0; k < 3; k++)
    {
      g_autoptr (VgCurves) curves = vg_curves_new (
          ": 3 mW", k == 2 ? "Time" : "Depth", k == 2 ? "ns" : "cm", "Fluence", "mW/cm\302\262");
      VgSeries *series = vg_curves_add (curves, "data", VG_SERIES_LINE, 2);

      series->x[1] = 0.5;
      curves->place[0] = 0.12;
      curves->place[1] = 0.05;
      curves->place_names[0] = "r";
      curves->place_names[1] = "z";
      if (k == 1)
        curves->span[0] = 0.1;
      vg_curves_in_length (curves, VG_LENGTH_MM);
      g_assert_cmpstr (curves->x_unit, ==, k == 0 ? "mm" : k == 1 ? "cm" : "ns");
      g_assert_cmpfloat (series->x[1], ==, k == 0 ? 5 : 0.5);
      g_assert_cmpstr (curves->title, ==,
                       k == 2 ? "r 0.12, z 0.05 ns: 3 mW" : "r 1.2, z 0.5 mm: 3 mW");
      vg_curves_in_length (curves, VG_LENGTH_OWN); /* told once */
      g_assert_true (g_str_has_suffix (curves->title, ": 3 mW"));
      g_assert_true (g_str_has_prefix (curves->title, "r "));
      g_assert_null (strstr (curves->title + 1, "r "));
    }
}

static void
test_empty (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new (NULL, NULL, NULL, NULL, NULL);
  g_autofree char *none = vg_curves_to_csv (curves), *empty = NULL;

  g_assert_cmpstr (none, ==, "\n");
  vg_curves_add (curves, NULL, VG_SERIES_BARS, 0);
  empty = vg_curves_to_csv (curves);
  g_assert_cmpstr (empty, ==, "\"\",\"\"\n");
  vg_curves_free (NULL);
}

static void
test_numbers (void)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();

  for (int i = 0; i < 100; i++)
    vg_metrics_add (numbers, i == 42 ? "answer" : "other", "Label", "px", i,
                    i == 42 ? "double it" : NULL);
  g_assert_cmpuint (numbers->items->len, ==, 100);
  g_assert_cmpfloat (vg_metrics_find (numbers, "answer")->value, ==, 42);
  g_assert_cmpstr (vg_metrics_find (numbers, "answer")->advice, ==, "double it");
  g_assert_null (g_array_index (numbers->items, VgMetric, 41).advice);
  g_assert_null (vg_metrics_find (numbers, "nothing"));
}

static void
test_numbers_csv (void)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  g_autofree char *csv = NULL;

  vg_metrics_add (numbers, "ka", "Arterial inflow", "ml/100g/min", 112.25, NULL);
  vg_metrics_add (numbers, "tau", "Delay", "s", NAN, NULL);
  vg_metrics_add (numbers, "ka_error", "Error of arterial inflow", "ml/100g/min", 0.5, NULL);
  csv = vg_metrics_to_csv (numbers);
  g_assert_cmpstr (csv, ==,
                   "name,value,standard error,unit\n\"Arterial "
                   "inflow\",112.25,0.5,\"ml/100g/min\"\n\"Delay\",,,\"s\"\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/curves/csv", test_csv);
  g_test_add_func ("/curves/csv-marks", test_csv_marks);
  g_test_add_func ("/curves/csv-marks-longest", test_csv_marks_longest);
  g_test_add_func ("/curves/csv-marks-later", test_csv_marks_later);
  g_test_add_func ("/curves/divisor", test_divisor);
  g_test_add_func ("/curves/empty", test_empty);
  g_test_add_func ("/numbers/all", test_numbers);
  g_test_add_func ("/numbers/csv", test_numbers_csv);
  g_test_add_func ("/curves/lengths", test_lengths);
  return g_test_run ();
}
