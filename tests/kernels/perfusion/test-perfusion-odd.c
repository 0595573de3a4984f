/* SPDX-License-Identifier: MIT */
/* Inconsistent settings and files are refused or reported. */
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include <string.h>

/* With as many weighted frames as unknowns a fit has no residuals, so it is refused. */
static void
test_few_frames (void)
{
  static const struct
  {
    const char *model, *inputs, *delays;
    int unknowns;
  } cases[] = {
    { "compartment", "dual", "free", 5 },    { "compartment", "dual", "shared", 4 },
    { "compartment", "artery", "free", 3 },  { "patlak", "artery", "none", 2 },
    { "extended_tofts", "dual", "none", 4 }, { "uptake", "artery", "free", 4 },
    { "exchange", "dual", "free", 7 },
  };

  for (guint k = 0; k < G_N_ELEMENTS (cases); k++)
    for (int more = 0; more < 2; more++)
      {
        Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
        g_autoptr (GString) weights = g_string_new (NULL);
        g_autoptr (VgPerfusionStudy) study = NULL;
        g_autoptr (GError) error = NULL;

        /* from the last frame of the baseline on */
        for (int i = 0; i < FRAMES; i++)
          if (i < RISE || i >= RISE + cases[k].unknowns + more)
            g_string_append_printf (weights, "%s%d,0", weights->len > 0 ? ";" : "", i + 1);
        set (&f, "model", cases[k].model);
        set (&f, "inputs", cases[k].inputs);
        set (&f, "delays", cases[k].delays);
        set (&f, "frame_weights", weights->str);
        set (&f, "baseline_last", "7");
        study = study_of (&f, &error);
        g_assert_true ((study != NULL) == more);
        g_assert_true (more || strstr (error->message, "have a weight, but") != NULL);
        fixture_clear (&f);
      }
}

/* T1 uses the repetition time of the flip-angle series; a different setting is reported. */
static void
test_flip_angle_repetition (void)
{
  static const double angles_deg[] = { 2, 10, 20 };

  for (int own_ms = 0; own_ms <= 8; own_ms += 4)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      VgImageInfo info = f.image->info;
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;
      const VgMetric *number;
      VgImage *series;
      double e = exp (-8 / 900.);

      info.frames = 3;
      info.repetition_ms = own_ms;
      series = vg_image_new (&info, "series", NULL);
      for (int i = 0; i < 3 * VOXELS; i++)
        {
          double angle = angles_deg[i / VOXELS] * G_PI / 180;

          ((float *) series->data)[i] = (float) (500 * sin (angle) * (1 - e) /
                                                 (1 - e * cos (angle)));
        }
      series->flips_deg = g_memdup2 (angles_deg, sizeof angles_deg);
      give (&f, "t1_series", series);
      set (&f, "repetition_ms", "8");
      study = study_of (&f, NULL);
      g_assert_cmpfloat_with_epsilon (study->t1_median_s, own_ms == 4 ? 0.45 : 0.9, 0.01);
      number = number_of (numbers, study, "t1_repetition_ms");
      g_assert_cmpfloat (number->value, ==, own_ms == 4 ? 4 : 8);
      g_assert_true ((number->advice != NULL) == (own_ms == 4));
      fixture_clear (&f);
    }
}

/* An impossible baseline setting is reported. */
static void
test_odd_baseline (void)
{
  static const struct
  {
    const char *first, *last, *advice;
  } cases[] = {
    { "1", "0", NULL },
    { "2", "5", NULL },
    { "200", "0", "frame 200, but the series has 31" },
    { "1", "32", "frame 32, but the series has 31" },
    { "1", "31", "the baseline contains contrast" },
    { "20", "0", "the baseline contains contrast" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CT);
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;
      const char *advice;

      set (&f, "baseline_first", cases[i].first);
      set (&f, "baseline_last", cases[i].last);
      study = study_of (&f, NULL);
      advice = number_of (numbers, study, "baseline_frames")->advice;
      g_assert_true (cases[i].advice == NULL
                         ? advice == NULL
                         : advice != NULL && strstr (advice, cases[i].advice) != NULL);
      fixture_clear (&f);
    }
}

/* Curves that fall further than they rise are reported, for artery and vein. */
static void
test_falling (void)
{
  static const char *const vessels[] = { "artery", "portal" },
                           *const peaks[] = { "artery_peak", "portal_peak" },
                           *const told[] = { "the artery falls further",
                                             "the portal vein falls further" };

  for (int k = 0; k < 2; k++)
    for (int falls = 0; falls < 2; falls++)
      {
        Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CT);
        g_autoptr (VgMetrics) numbers = vg_metrics_new ();
        g_autoptr (VgPerfusionStudy) study = NULL;
        const char *advice;

        for (int i = 0; i < FRAMES; i++)
          for (int y = 0; y < HEIGHT; y++)
            ((float *) f.image->data)[i * VOXELS + y * WIDTH + 1] =
                (float) (i == 3 ? 42 : 40 + (falls ? -20 : 20) * concentration (0, i));
        set (&f, vessels[k], "rect:1,0,1,5");
        study = study_of (&f, NULL);
        advice = number_of (numbers, study, peaks[k])->advice;
        g_assert_true (falls ? advice != NULL && strstr (advice, told[k]) != NULL : advice == NULL);
        fixture_clear (&f);
      }
}

/* A map in place of a vessel's mask is reported; masks and labels are not. */
static void
test_map_as_vessel (void)
{
  static const struct
  {
    float a, b;
    gboolean told;
  } cases[] = { { 1, 1, FALSE }, { 1, 3, FALSE }, { 0.5f, 0.5f, FALSE }, { 0.5f, 0.7f, TRUE } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CT);
      g_autoptr (VgMetrics) numbers = vg_metrics_new ();
      g_autoptr (VgPerfusionStudy) study = NULL;
      VgImage *map = image_of (&f, 0);

      ((float *) map->data)[0] = cases[i].a;
      ((float *) map->data)[WIDTH] = cases[i].b;
      give (&f, "artery", map);
      study = study_of (&f, NULL);
      g_assert_cmpfloat (number_of (numbers, study, "artery_voxels")->value, ==, 2);
      g_assert_true ((vg_metrics_find (numbers, "artery_voxels")->advice != NULL) == cases[i].told);
      fixture_clear (&f);
    }
}

/* A table with one row is not a curve. */
static void
test_one_row (void)
{
  static const char *const tables[] = { "0 5\n", "0 5\n60 5\n" };

  for (int i = 0; i < 2; i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CONCENTRATION);
      g_autoptr (VgPerfusionStudy) study = NULL;
      g_autoptr (GError) error = NULL;

      give (&f, "artery",
            vg_image_new_text (g_strdup (tables[i]), strlen (tables[i]), "inputs.csv"));
      study = study_of (&f, &error);
      g_assert_true ((study != NULL) == i);
      g_assert_true (i || strstr (error->message, "one row") != NULL);
      fixture_clear (&f);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-odd/few-frames", test_few_frames);
  g_test_add_func ("/perfusion-odd/flip-angle-repetition", test_flip_angle_repetition);
  g_test_add_func ("/perfusion-odd/baseline", test_odd_baseline);
  g_test_add_func ("/perfusion-odd/falling", test_falling);
  g_test_add_func ("/perfusion-odd/map-as-vessel", test_map_as_vessel);
  g_test_add_func ("/perfusion-odd/one-row", test_one_row);
  return g_test_run ();
}
