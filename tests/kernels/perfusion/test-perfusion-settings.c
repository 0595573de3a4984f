/* SPDX-License-Identifier: MIT */
/* The preparation of a study from settings and files. */
#include "tests/support/threads.h"
#include "kernels/perfusion/model/perfusion-t1.h"
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include <omp.h>
#include <string.h>

/* ---- Threads ---- */

/* Runs on a thread of its own, which has no OpenMP workers yet, so that those it starts remain. */
static gpointer
prepare_alone (gpointer data)
{
  Fixture *f = data;
  VgContext context = {
    .params = f->params, .info = &f->image->info, .image = f->image, .threads = 1
  };
  int before = count_threads ();

  omp_set_num_threads (4);
  g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, NULL);
  g_assert_nonnull (study);
  return GINT_TO_POINTER (count_threads () - before);
}

/* With one thread no other is started, not by the dictionary either. */
static void
test_threads (gconstpointer data)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);

  set (&f, "model", data);
  g_assert_cmpint (GPOINTER_TO_INT (run_alone (prepare_alone, &f)), ==, 0);
  fixture_clear (&f);
}

/* ---- Files and settings ---- */

/* A fit with the artery alone has no maps of the portal vein. */
static void
test_artery_alone (void)
{
  static const char *const portal[] = { "kp", "kp_error", "tau_p", "tau_p_error",
                                        "arterial_fraction" };
  const VgOperation *operation = &vg_perfusion_operation;
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);

  for (int artery = 0; artery < 2; artery++)
    {
      set (&f, "inputs", artery ? "artery" : "dual");
      for (guint i = 0; i < G_N_ELEMENTS (portal); i++)
        g_assert_cmpint (
            vg_operation_output_is_shown (
                operation, (guint) vg_operation_find_output (operation, portal[i]), f.params),
            ==, !artery);
      g_assert_true (vg_operation_output_is_shown (operation, VG_PERFUSION_OUTPUT_KA, f.params));
    }
  fixture_clear (&f);
}

/* A T1 map in seconds is detected from its values and reported. */
static void
test_t1_in_s (void)
{
  static const struct
  {
    float value;
    gboolean in_s;
  } maps[] = { { 700, FALSE }, { 0.7f, TRUE }, { 19, TRUE }, { 21, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (maps); i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;
      const VgMetric *number;

      give (&f, "t1_file", image_of (&f, maps[i].value));
      ((float *) ((VgImage *) f.file.image)->data)[9] = NAN;
      study = study_of (&f, NULL);
      g_assert_cmpfloat_with_epsilon (study->t1_s[0],
                                      maps[i].in_s ? maps[i].value : maps[i].value / 1000,
                                      1e-5 * maps[i].value);
      number = number_of (numbers, study, "t1_median_ms");
      g_assert_cmpfloat_with_epsilon (number->value, maps[i].value * (maps[i].in_s ? 1000 : 1),
                                      1e-3 * number->value);
      g_assert_true ((number->advice != NULL) == maps[i].in_s);
      fixture_clear (&f);
    }
}

/* A voxel without T1 above 0 has no effect on a region's T1 and is not fitted. */
static void
test_t1_unknown (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  double curve[FRAMES], voxel[FRAMES];
  g_autoptr (VgPerfusionStudy) study = NULL;
  g_autoptr (GError) error = NULL;
  VgRegion region;
  gboolean blood;
  float mean;

  give (&f, "t1_file", image_of (&f, 700));
  ((float *) ((VgImage *) f.file.image)->data)[3] = NAN;
  ((float *) ((VgImage *) f.file.image)->data)[4] = -700;
  ((float *) ((VgImage *) f.file.image)->data)[5] = 0;
  study = study_of (&f, NULL);
  g_assert_cmpuint (study->t1_unknown, ==, 3);
  g_assert_true (vg_region_parse (&region, "rect:3,0,1,5", NULL));
  g_assert_cmpuint (
      vg_perfusion_study_regions (study, (const VgRegion *[]){ &region }, 1, curve, &blood), ==,
      HEIGHT);
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpfloat_with_epsilon (curve[i], concentration (3, i), 1e-4);
  for (gsize i = 3; i <= 5; i++)
    g_assert_cmpint (vg_perfusion_study_read (study, i, voxel, 1, &mean), ==, VG_PERFUSION_INVALID);
  g_clear_pointer (&study, vg_perfusion_study_free);
  for (int i = 0; i < VOXELS; i++)
    ((float *) ((VgImage *) f.file.image)->data)[i] = i % 2 ? NAN : 0;
  g_assert_null (study_of (&f, &error));
  g_assert_nonnull (strstr (error->message, "T1"));
  fixture_clear (&f);
}

/* A region is tissue without the voxels of the vessels; one that lies within a vessel is blood. */
static void
test_vessels_in_regions (void)
{
  static const struct
  {
    const char *region;
    guint voxels, column;
    gboolean blood;
  } regions[] = { { "rect:0,0,2,5", HEIGHT, 1, FALSE },
                  { "rect:3,0,1,5", HEIGHT, 3, FALSE },
                  { "rect:0,1,1,3", 3, 0, TRUE } };
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  double curve[FRAMES];
  g_autoptr (VgPerfusionStudy) study = NULL;

  set (&f, "t1_blood_ms", "1400"); /* twice that of tissue */
  f.image->info.pixel_size[0] = f.image->info.pixel_size[1] = 3;
  f.image->info.pixel_size[2] = 3.1;
  g_strlcpy (f.image->info.pixel_unit, "mm", sizeof f.image->info.pixel_unit);
  study = study_of (&f, NULL);
  for (guint r = 0; r < G_N_ELEMENTS (regions); r++)
    {
      VgRegion region;
      const VgRegion *one[] = { &region };
      g_autoptr (VgCurves) curves = NULL;
      gboolean blood;

      g_assert_true (vg_region_parse (&region, regions[r].region, NULL));
      g_assert_cmpuint (vg_perfusion_study_regions (study, one, 1, curve, &blood), ==,
                        regions[r].voxels);
      g_assert_true (blood == regions[r].blood);
      for (int i = 0; i < FRAMES; i++)
        g_assert_cmpfloat_with_epsilon (
            curve[i], blood ? study->artery[i] : concentration ((int) regions[r].column, i), 1e-4);
      curves = vg_perfusion_plot_regions (study, one, 1);
      g_assert_true (isfinite (curves->outputs[VG_PERFUSION_OUTPUT_PEAK]));
      g_assert_true (isfinite (curves->outputs[VG_PERFUSION_OUTPUT_KA]) == !blood);
      g_assert_cmpfloat (vg_metrics_find (curves->metrics, "voxels")->value, ==, regions[r].voxels);
      g_assert_cmpuint (curves->series->len, ==, blood ? 1 : 5);
      if (regions[r].voxels == 5) /* to the last digit */
        g_assert_cmpfloat (vg_metrics_find (curves->metrics, "volume_ml")->value, ==, 0.1395);
    }
  fixture_clear (&f);
}

/* Flip angles come from the files with their own repetition time; the table has priority.  T1
 * minimises the squared residuals of the signals. */
static void
test_flip_angles (void)
{
  static const double angles_deg[] = { 2, 10, 20 }, noise[] = { 0.4, -0.7, 0.5 };
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  VgImageInfo info = f.image->info;
  VgImage *series;
  double angles[3], signal[3], best = HUGE_VAL, best_t1_s = 0;
  g_autoptr (VgPerfusionStudy) study = NULL, set_study = NULL;

  info.frames = 3;
  info.repetition_ms = 5;
  series = vg_image_new (&info, "series", NULL);
  for (int k = 0; k < 3; k++)
    {
      double e = exp (-5 / 900.);

      angles[k] = angles_deg[k] * G_PI / 180;
      signal[k] = 500 * sin (angles[k]) * (1 - e) / (1 - e * cos (angles[k])) + noise[k];
      for (int i = 0; i < VOXELS; i++)
        ((float *) series->data)[k * VOXELS + i] = (float) signal[k];
    }
  for (double t1_s = 0.3; t1_s < 3; t1_s += 1e-4)
    {
      double e = exp (-0.005 / t1_s), ff = 0, sf = 0, ss = 0;

      for (int k = 0; k < 3; k++)
        {
          double form = sin (angles[k]) * (1 - e) / (1 - e * cos (angles[k]));

          ff += form * form;
          sf += signal[k] * form;
          ss += signal[k] * signal[k];
        }
      if (ss - sf * sf / ff < best)
        {
          best = ss - sf * sf / ff;
          best_t1_s = t1_s;
        }
    }
  g_assert_cmpfloat_with_epsilon (vg_perfusion_t1_from_angles (3, angles, signal, 0.005, NULL),
                                  best_t1_s, 1e-4);
  g_assert_cmpfloat (fabs (best_t1_s - 0.9), >, 0.01); /* The noise has an effect. */
  give (&f, "t1_series", series);
  g_assert_null (study_of (&f, NULL));
  series->flips_deg = g_memdup2 (angles_deg, sizeof angles_deg);
  study = study_of (&f, NULL);
  g_assert_cmpfloat_with_epsilon (study->t1_s[0], best_t1_s, 2e-4);
  set (&f, "flip_angles", "4;20;40");
  set_study = study_of (&f, NULL);
  g_assert_cmpfloat (set_study->t1_s[0], <, 0.5 * study->t1_s[0]);
  set (&f, "flip_angles", "2;10");
  g_assert_null (study_of (&f, NULL));
  series->info.frames = 1;
  {
    g_autoptr (GError) error = NULL;
    VgContext context = { .params = f.params,
                          .info = &f.image->info,
                          .image = f.image,
                          .files = &f.file,
                          .n_files = 1,
                          .threads = 1 };

    set (&f, "flip_angles", "");
    g_assert_null (vg_perfusion_study_new (&context, &error));
    g_assert_nonnull (strstr (error->message, "an image at one flip angle"));
  }
  fixture_clear (&f);
}

/* Two series that were opened as one are reported; a single one is not. */
static void
test_joined (void)
{
  for (int joined = 0; joined <= 2; joined += 2)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CT);
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;
      const VgMetric *number;

      f.image->info.joined = joined;
      study = study_of (&f, NULL);
      number = number_of (numbers, study, "joined_series");
      g_assert_true ((number != NULL) == (joined > 0));
      g_assert_true (number == NULL || (number->value == 2 && number->advice != NULL));
      fixture_clear (&f);
    }
}

static void
test_paper_delays (void)
{
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  g_autoptr (GError) error = NULL;

  params->solver = VG_PERFUSION_SOLVER_PAPER;
  g_assert_true (vg_perfusion_operation.validate (params, NULL));
  params->delays = VG_PERFUSION_DELAYS_NONE;
  g_assert_false (vg_perfusion_operation.validate (params, &error));
  g_assert_nonnull (strstr (error->message, "delay"));
  params->solver = VG_PERFUSION_SOLVER_DEFAULT;
  g_assert_true (vg_perfusion_operation.validate (params, NULL));
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* Metadata with a repetition time and a flip angle select the gradient echo, those of CT select
 * CT. */
static void
test_gradient_echo (void)
{
  static const struct
  {
    double repetition_ms, flip_deg;
    int before, after;
    gboolean ct;
  } cases[] = {
    { 4, 15, VG_PERFUSION_SIGNAL_LINEAR, VG_PERFUSION_SIGNAL_GRADIENT_ECHO },
    { 4, 0, VG_PERFUSION_SIGNAL_LINEAR, VG_PERFUSION_SIGNAL_LINEAR },
    { 0, 15, VG_PERFUSION_SIGNAL_LINEAR, VG_PERFUSION_SIGNAL_LINEAR },
    { 4, 15, VG_PERFUSION_SIGNAL_CONCENTRATION, VG_PERFUSION_SIGNAL_CONCENTRATION },
    { 0, 0, VG_PERFUSION_SIGNAL_LINEAR, VG_PERFUSION_SIGNAL_HU, TRUE },
    { 0, 0, VG_PERFUSION_SIGNAL_CONCENTRATION, VG_PERFUSION_SIGNAL_CONCENTRATION, TRUE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgImageInfo info = { .type = VG_F32,
                           .width = 1,
                           .height = 1,
                           .repetition_ms = cases[i].repetition_ms,
                           .flip_deg = cases[i].flip_deg,
                           .ct = cases[i].ct };
      VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);

      params->signal = cases[i].before;
      vg_perfusion_operation.adopt (params, &info);
      g_assert_cmpint (params->signal, ==, cases[i].after);
      vg_params_free (&vg_perfusion_operation.params, params);
    }
}

/* A signal model that nobody has chosen and that the data do not imply is reported; data that have
 * another one, and a choice, are not. */
static void
test_assumed (void)
{
  enum { STATED = 1, CT = 2, CHOSEN = 4, SAMPLE = 8 };
  static const int cases[] = { 0, STATED, CT, CHOSEN, SAMPLE };
  const VgParamTable *table = &vg_perfusion_operation.params;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;
      g_autofree gboolean *changed = g_new0 (gboolean, table->n_items);
      const VgMetric *number;

      f.image->info.repetition_ms = cases[i] & STATED ? 4 : 0;
      f.image->info.flip_deg = cases[i] & STATED ? 15 : 0;
      f.image->info.ct = (cases[i] & CT) != 0;
      changed[vg_params_find (table, "signal") - table->items] = (cases[i] & CHOSEN) != 0;
      if (cases[i] & SAMPLE)
        {
          VgPerfusionParams *own = vg_params_new (table);

          vg_perfusion_operation.synthetic->settings (&vg_perfusion_operation.synthetic->batch,
                                                      own);
          f.params->signal_origin = own->signal_origin;
          vg_params_free (table, own);
        }
      vg_perfusion_operation.on_params_changed (f.params, changed);
      vg_perfusion_operation.adopt (f.params, &f.image->info);
      g_assert_cmpint (f.params->signal_origin == VG_PERFUSION_SIGNAL_ASSUMED, ==, cases[i] == 0);
      f.params->signal = VG_PERFUSION_SIGNAL_LINEAR; /* that of the samples */
      study = study_of (&f, NULL);
      number = number_of (numbers, study, "stated_repetition_ms");
      g_assert_cmpint (number != NULL, ==, cases[i] == 0);
      if (number != NULL)
        {
          g_assert_true (isnan (number->value));
          g_assert_nonnull (strstr (number->advice, "several times too high"));
          g_assert_true (number->flags & VG_NUMBER_GRAVE);
        }
      fixture_clear (&f);
    }
}

static const char *
series_name (const VgCurves *curves, guint i)
{
  return ((const VgSeries *) curves->series->pdata[i])->name;
}

/* Input functions that were not measured in the patient are reported. */
static void
test_population_named (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autoptr (VgMetrics) own = vg_metrics_new (), none = vg_metrics_new ();
  g_autoptr (VgPerfusionStudy) study = study_of (&f, NULL);
  g_autoptr (VgCurves) curves = vg_perfusion_plot_inputs (study);

  g_assert_cmpstr (series_name (curves, 0), ==, "Artery");
  g_assert_cmpstr (series_name (curves, 1), ==, "Portal vein (from the artery)");
  g_assert_cmpfloat (number_of (own, study, "artery_voxels")->value, ==, HEIGHT);
  g_assert_null (number_of (own, study, "artery_voxels")->advice);
  g_assert_null (number_of (own, study, "portal_voxels"));
  g_assert_nonnull (number_of (own, study, "portal_peak")->advice);
  set (&f, "artery", "");
  g_assert_true (vg_perfusion_study_update (study, f.params, NULL));
  g_clear_pointer (&curves, vg_curves_free);
  curves = vg_perfusion_plot_inputs (study);
  g_assert_cmpstr (series_name (curves, 0), ==, "Artery (population)");
  g_assert_cmpstr (series_name (curves, 1), ==, "Portal vein (population)");
  g_assert_null (number_of (none, study, "artery_voxels"));
  g_assert_nonnull (strstr (number_of (none, study, "artery_peak")->advice, "average artery"));
  fixture_clear (&f);
}

/* Times of day, or since 1970, are shifted to begin at 0; input tables use the same times. */
static void
test_clock (void)
{
  const double begin = 1763789000;
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  g_autoptr (GString) times = g_string_new (NULL), table = g_string_new ("t,c\n");
  g_autofree char *name = NULL, *text = NULL;
  VgInputFile files[2];

  for (int i = 0; i < FRAMES; i++)
    {
      g_string_append_printf (times, "%.3f\n", begin + STEP * i + (i % 2) * 0.1);
      g_string_append_printf (table, "%.3f,%.6f\n", begin + STEP * i + (i % 2) * 0.1,
                              concentration (0, i));
    }
  set (&f, "artery", "given");
  files[0] = (VgInputFile){ "times_file",
                            vg_image_new_text (g_strdup (times->str), times->len, "times.csv") };
  files[1] = (VgInputFile){ "artery",
                            vg_image_new_text (g_strdup (table->str), table->len, "artery.csv") };
  VgContext context = {
    .params = f.params, .info = &f.image->info, .image = f.image, .files = files, .n_files = 2
  };
  g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, NULL);
  g_assert_nonnull (study);
  for (int i = 0; i < FRAMES; i++)
    {
      g_assert_cmpfloat_with_epsilon (study->problem->times_s[i], STEP * i + (i % 2) * 0.1, 1e-6);
      g_assert_cmpfloat_with_epsilon (study->artery[i], concentration (0, i), 1e-5);
    }
  text = vg_perfusion_inputs_text (study, &name);
  g_assert_nonnull (strstr (text, "\n1763789002.1,"));
  for (int k = 0; k < 2; k++)
    vg_image_unref ((VgImage *) files[k].image);
  fixture_clear (&f);
}

/* Even frame times that a file rounds to ms count as even. */
static void
test_rounded (void)
{
  enum { N = 75 };
  static const struct
  {
    double step, round, late;
    gboolean even;
  } cases[] = {
    { 4.9773, 1e-3, 0, TRUE },  { 0.7531, 1e-3, 0, TRUE }, { 0.1003, 1e-3, 0, TRUE },
    { 4.9773, 0, 0.01, FALSE }, { 1e-4, 1e-5, 0, FALSE },
  };
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  double times[N], curve[N];

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      for (int i = 0; i < N; i++)
        {
          times[i] = i * cases[c].step + (i % 2) * cases[c].late;
          if (cases[c].round > 0)
            times[i] = round (times[i] / cases[c].round) * cases[c].round +
                       (cases[c].step < 1e-3 ? i % 3 * 1e-5 : 0);
          curve[i] = i;
        }
      g_autoptr (VgPerfusionProblem) problem = vg_perfusion_problem_new (
          VG_PERFUSION_COMPARTMENT, N, times, curve, curve, NULL, &bounds);
      g_assert_cmpint (problem->even, ==, cases[c].even);
      for (int i = 1; i < N; i++)
        if (cases[c].even)
          g_assert_cmpfloat_with_epsilon (problem->times_s[i] - problem->times_s[i - 1],
                                          problem->step_s, 1e-12);
    }
}

/* Nearly all voxels at a bound without a mask indicate air. */
static void
test_air (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  gsize counts[VG_PERFUSION_N_STATUSES] = { [VG_PERFUSION_AT_BOUND] = VOXELS };

  for (int limited = 0; limited < 2; limited++)
    {
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;

      set (&f, "threshold", limited ? "1" : "0");
      study = study_of (&f, NULL);
      vg_perfusion_report (numbers, study, counts, 1);
      g_assert_true ((strstr (vg_metrics_find (numbers, "at_bound_percent")->advice, "air") ==
                      NULL) == limited);
    }
  fixture_clear (&f);
}

/* Times, baseline, MRI constants and signal model of one series do not affect the next. */
static void
test_next_series (void)
{
  static const char *const ids[] = { "frame_interval_s", "baseline_first", "baseline_last",
                                     "flip_deg",         "repetition_ms",  "signal" };
  const VgParamTable *table = &vg_perfusion_operation.params;
  void *params = vg_params_new (table);

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    g_assert_true (vg_param_is_per_dataset (vg_params_find (table, ids[i]), params));
  g_assert_false (vg_param_is_per_dataset (vg_params_find (table, "haematocrit"), params));
  vg_params_free (table, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/perfusion-settings/threads/compartment", "compartment", test_threads);
  g_test_add_data_func ("/perfusion-settings/threads/uptake", "uptake", test_threads);
  g_test_add_func ("/perfusion-settings/artery-alone", test_artery_alone);
  g_test_add_func ("/perfusion-settings/t1-in-s", test_t1_in_s);
  g_test_add_func ("/perfusion-settings/flip-angles", test_flip_angles);
  g_test_add_func ("/perfusion-settings/joined", test_joined);
  g_test_add_func ("/perfusion-settings/t1-unknown", test_t1_unknown);
  g_test_add_func ("/perfusion-settings/vessels-in-regions", test_vessels_in_regions);
  g_test_add_func ("/perfusion-settings/paper-delays", test_paper_delays);
  g_test_add_func ("/perfusion-settings/gradient-echo", test_gradient_echo);
  g_test_add_func ("/perfusion-settings/assumed", test_assumed);
  g_test_add_func ("/perfusion-settings/population-named", test_population_named);
  g_test_add_func ("/perfusion-settings/clock", test_clock);
  g_test_add_func ("/perfusion-settings/rounded", test_rounded);
  g_test_add_func ("/perfusion-settings/air", test_air);
  g_test_add_func ("/perfusion-settings/next-series", test_next_series);
  return g_test_run ();
}
