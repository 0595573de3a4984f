/* SPDX-License-Identifier: MIT */
/* From samples and settings to curves: frames without weight, the baseline, the population AIF,
 * and the advice of a run. */
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

/* A frame without weight, whatever it contains, changes no other frame's concentration, no
 * baseline, no mean, and no input. */
static void
test_masked (gconstpointer data)
{
  static const double samples[] = { 5000, -5000, NAN, INFINITY };
  Fixture clean = fixture_new (GPOINTER_TO_INT (data));
  g_autoptr (VgPerfusionStudy) expected = NULL;
  double want[FRAMES], found[FRAMES];
  float mean;

  set (&clean, "frame_weights", "2,0");
  expected = study_of (&clean, NULL);
  g_assert_cmpint (expected->signal.baseline_last, ==, RISE);
  for (guint k = 0; k < G_N_ELEMENTS (samples); k++)
    {
      Fixture f = fixture_new (GPOINTER_TO_INT (data));
      g_autoptr (VgPerfusionStudy) study = NULL;

      set (&f, "frame_weights", "2,0");
      for (int i = 0; i < VOXELS; i++)
        ((float *) f.image->data)[VOXELS + i] = (float) samples[k];
      study = study_of (&f, NULL);
      g_assert_nonnull (study);
      g_assert_cmpint (study->signal.baseline_last, ==, RISE);
      g_assert_cmpmem (study->artery, sizeof found, expected->artery, sizeof want);
      g_assert_cmpmem (study->portal, sizeof found, expected->portal, sizeof want);
      for (gsize voxel = 0; voxel < VOXELS; voxel++)
        {
          float expected_mean;

          g_assert_cmpint (vg_perfusion_study_read (expected, voxel, want, 1, &expected_mean), ==,
                           fixture_status ((int) voxel));
          g_assert_cmpint (vg_perfusion_study_read (study, voxel, found, 1, &mean), ==,
                           fixture_status ((int) voxel));
          g_assert_cmpfloat (mean, ==, expected_mean);
          for (int i = 0; i < FRAMES; i++)
            if (i != 1 && fixture_status ((int) voxel) == VG_PERFUSION_FITTED)
              {
                g_assert_cmpfloat (found[i], ==, want[i]);
                g_assert_cmpfloat (fabs (found[i] - concentration ((int) voxel % WIDTH, i)), <,
                                   1e-4);
              }
        }
      fixture_clear (&f);
    }
  fixture_clear (&clean);
}

static void
test_no_baseline (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autoptr (GError) error = NULL;

  set (&f, "frame_weights", "1,0;2,0");
  set (&f, "baseline_last", "2");
  g_assert_null (study_of (&f, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "baseline"));
  fixture_clear (&f);
}

/* The baseline ends where the arterial curve rises, whatever its source. */
static void
test_baseline (void)
{
  Fixture table = fixture_new (VG_PERFUSION_SIGNAL_LINEAR),
          population = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autoptr (VgPerfusionStudy) by_table = NULL, by_population = NULL;
  GString *text = g_string_new ("time_s,artery\n");

  for (int i = 0; i < FRAMES; i++)
    g_string_append_printf (text, "%d,%.6f\n", STEP * i, concentration (0, i));
  table.file = (VgInputFile){ "artery",
                              vg_image_new_text (g_strdup (text->str), text->len, "inputs.csv") };
  set (&table, "artery", "inputs.csv");
  by_table = study_of (&table, NULL);
  g_assert_cmpint (by_table->signal.baseline_last, ==, RISE);
  set (&population, "artery", "");
  set (&population, "arrival_s", "20");
  by_population = study_of (&population, NULL);
  g_assert_cmpint (by_population->signal.baseline_last, >=, 8);
  g_assert_cmpint (by_population->signal.baseline_last, <=, 12);
  g_string_free (text, TRUE);
  fixture_clear (&table);
  fixture_clear (&population);
}

/* The population AIF is for whole blood; the concentration in plasma is higher, also for data
 * that are concentrations. */
static void
test_population (void)
{
  for (int signal = VG_PERFUSION_SIGNAL_LINEAR; signal <= VG_PERFUSION_SIGNAL_CONCENTRATION;
       signal++)
    {
      Fixture f = fixture_new (signal);
      g_autoptr (VgPerfusionStudy) study = NULL;

      set (&f, "artery", "");
      set (&f, "haematocrit", "0.4");
      study = study_of (&f, NULL);
      for (int i = 0; i < FRAMES; i++)
        g_assert_cmpfloat (
            fabs (study->artery[i] - vg_perfusion_population_artery (STEP * i - 10) / 0.6), <,
            1e-5);
      fixture_clear (&f);
    }
}

/* The advice of metric ID for a run with all voxels in one status; owned. */
static char *
advice (const Fixture *f, const char *id, VgPerfusionStatus each)
{
  g_autoptr (VgPerfusionStudy) study = study_of (f, NULL);
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  gsize counts[VG_PERFUSION_N_STATUSES] = { 0 };

  counts[each] = VOXELS;
  vg_perfusion_report (numbers, study, counts, 1);
  for (guint i = 0; i < numbers->items->len; i++)
    if (g_str_equal (g_array_index (numbers->items, VgMetric, i).id, id))
      return g_strdup (g_array_index (numbers->items, VgMetric, i).advice);
  g_assert_not_reached ();
}

static void
check_advice (const Fixture *f, const char *id, VgPerfusionStatus each, const char *expected)
{
  g_autofree char *text = advice (f, id, each);

  if (expected == NULL)
    g_assert_null (text);
  else if (text == NULL || strstr (text, expected) == NULL)
    g_error ("%s: \"%s\" where \"%s\" is expected", id, text, expected);
}

/* Unusual settings and data have advice, others have none. */
static void
test_advice (void)
{
  static const char *const ids[] = { "at_bound_percent", "frame_interval_s", "artery_peak",
                                     "baseline_frames" };
  Fixture good = fixture_new (VG_PERFUSION_SIGNAL_LINEAR),
          air = fixture_new (VG_PERFUSION_SIGNAL_CONCENTRATION);
  Fixture converted = fixture_new (VG_PERFUSION_SIGNAL_CONCENTRATION);
  int noted = 0;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    check_advice (&good, ids[i], VG_PERFUSION_FITTED, NULL);
  check_advice (&good, "at_bound_percent", VG_PERFUSION_AT_BOUND, "at a bound");
  set (&good, "frame_interval_s", "2370");
  check_advice (&good, "frame_interval_s", VG_PERFUSION_FITTED, "ms");
  good.image->info.frame_interval_s = 2.37;
  set (&good, "frame_interval_s", "5");
  check_advice (&good, "frame_interval_s", VG_PERFUSION_FITTED, "The data state 2.37 s");
  set (&good, "frame_interval_s", "2.38");
  check_advice (&good, "frame_interval_s", VG_PERFUSION_FITTED, NULL);
  good.image->info.frame_interval_s = 0;
  set (&good, "inputs", "artery");
  set (&good, "frame_interval_s", "0.008");
  check_advice (&good, "frame_interval_s", VG_PERFUSION_FITTED, "repetition time");
  set (&air, "inputs", "artery");
  for (int run = 0; run < 20; run++)
    {
      g_autofree char *text = NULL;

      for (int i = 0; i < FRAMES; i++)
        for (int y = 0; y < HEIGHT; y++)
          ((float *) air.image->data)[i * VOXELS + y * WIDTH] = (float) g_test_rand_double_range (
              -0.01, 0.01);
      text = advice (&air, "artery_peak", VG_PERFUSION_FITTED);
      noted += text != NULL;
    }
  g_assert_cmpint (noted, >=, 14); /* The test's own estimate of the noise varies. */
  for (int i = 0; i < FRAMES * VOXELS; i++)
    ((float *) converted.image->data)[i] = (float) concentration (i % WIDTH, i / VOXELS) + 1e-3f;
  converted.params->signal = VG_PERFUSION_SIGNAL_LINEAR;
  check_advice (&converted, "baseline_frames", VG_PERFUSION_FITTED, "concentration");
  for (int i = 0; i < FRAMES * VOXELS; i++)
    ((float *) converted.image->data)[i] = i % WIDTH < WIDTH / 2
                                               ? -1000
                                               : 50 + (float) concentration (i % WIDTH, i / VOXELS);
  set (&converted, "artery", "");
  check_advice (&converted, "baseline_frames", VG_PERFUSION_FITTED, "Signal model to CT");
  converted.params->signal = VG_PERFUSION_SIGNAL_CT;
  check_advice (&converted, "baseline_frames", VG_PERFUSION_FITTED, NULL);
  fixture_clear (&good);
  fixture_clear (&air);
  fixture_clear (&converted);
}

/* An input table with inconsistent times is refused; one that ends early is reported. */
static void
test_clock (void)
{
  static const struct
  {
    double begin, end;
    const char *refused, *told;
  } cases[] = {
    { 0, 1, NULL, NULL },
    { 0, 0.6, NULL, NULL },
    { 0, 0.3, NULL, "covers 0 to " },
    { 0.7, 3, NULL, "but the series 0 to " },
    { 1.1, 2, "give both times from the same origin", NULL },
    { -2, -0.1, "the same origin", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CONCENTRATION);
      g_autoptr (GString) table = g_string_new ("time_s,artery\n");
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (GError) error = NULL;
      gsize counts[VG_PERFUSION_N_STATUSES] = { 0 };
      double last = STEP * (FRAMES - 1);

      for (int k = 0; k <= 10; k++)
        {
          vg_text_append_number (
              table, last * (cases[i].begin + (cases[i].end - cases[i].begin) * k / 10));
          g_string_append_printf (table, ",%d\n", 1 + k % 5);
        }
      f.file = (VgInputFile){ "artery",
                              vg_image_new_text (g_strdup (table->str), table->len, "artery.csv") };
      set (&f, "artery", "artery.csv");
      set (&f, "inputs", "artery");
      VgContext context = { .params = f.params,
                            .info = &f.image->info,
                            .image = f.image,
                            .files = &f.file,
                            .n_files = 1,
                            .threads = 1 };
      g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, &error);
      if (cases[i].refused != NULL)
        {
          g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
          g_assert_nonnull (strstr (error->message, cases[i].refused));
        }
      else
        {
          const VgMetric *number;

          g_assert_no_error (error);
          vg_perfusion_report (numbers, study, counts, 1);
          number = vg_metrics_find (numbers, "inputs_covered_percent");
          g_assert_true ((number != NULL) == (cases[i].told != NULL));
          if (number != NULL)
            g_assert_nonnull (strstr (number->advice, cases[i].told));
        }
      fixture_clear (&f);
    }
}

/* The voxels of the vessels are not fitted, wherever these are moved, unless they are the liver. */
static void
test_vessels (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autoptr (VgPerfusionStudy) study = study_of (&f, NULL);
  double curve[FRAMES];
  float mean;

  for (int step = 0; step < 3; step++)
    {
      if (step == 1)
        {
          set (&f, "artery", "rect:1,0,1,5");
          set (&f, "portal", "rect:3,0,2,5");
        }
      if (step == 2)
        set (&f, "mask", "rect:3,0,1,5");
      g_assert_true (vg_perfusion_study_update (study, f.params, NULL));
      g_assert_cmpint (study->has_liver, ==, step == 2);
      for (int voxel = 0; voxel < VOXELS; voxel++)
        {
          int x = voxel % WIDTH;
          gboolean fitted = step == 0 ? x != 0 : step == 1 ? x != 1 && x != 3 && x != 4 : x == 3;

          g_assert_cmpint (vg_perfusion_study_read (study, (gsize) voxel, curve, 1, &mean), ==,
                           fitted ? VG_PERFUSION_FITTED : VG_PERFUSION_OUTSIDE);
        }
    }
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/perfusion-study/masked/linear",
                        GINT_TO_POINTER (VG_PERFUSION_SIGNAL_LINEAR), test_masked);
  g_test_add_data_func ("/perfusion-study/masked/ct", GINT_TO_POINTER (VG_PERFUSION_SIGNAL_CT),
                        test_masked);
  g_test_add_func ("/perfusion-study/no-baseline", test_no_baseline);
  g_test_add_func ("/perfusion-study/baseline", test_baseline);
  g_test_add_func ("/perfusion-study/population", test_population);
  g_test_add_func ("/perfusion-study/advice", test_advice);
  g_test_add_func ("/perfusion-study/clock", test_clock);
  g_test_add_func ("/perfusion-study/vessels", test_vessels);
  return g_test_run ();
}
