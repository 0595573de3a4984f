/* SPDX-License-Identifier: MIT */
/* T1 series, B1 maps and the checks of the artery, in a study. */
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include <string.h>

/* B1 and T1 of a voxel. */
static double
b1_of (int voxel)
{
  return 0.8 + 0.05 * (voxel % WIDTH);
}

static double
t1_s_of (int voxel)
{
  return voxel % WIDTH == 0 ? 1.5 : 0.6 + 0.04 * (voxel / WIDTH);
}

static double
echo_signal (double flip_rad, double repetition_s, double rate)
{
  double e = exp (-repetition_s * rate);

  return sin (flip_rad) * (1 - e) / (1 - e * cos (flip_rad));
}

/* N volumes of SIGNAL (voxel, k). */
static VgImage *
series_of (const Fixture *f, int n, double (*signal) (int voxel, int k))
{
  VgImageInfo info = f->image->info;
  VgImage *image;

  info.frames = n;
  image = vg_image_new (&info, "t1.nii", NULL);
  for (int i = 0; i < n * VOXELS; i++)
    ((float *) image->data)[i] = (float) signal (i % VOXELS, i / VOXELS);
  return image;
}

static VgPerfusionStudy *
study_with_files (const Fixture *f, VgInputFile *files, guint n, GError **error)
{
  VgContext context = {
    .params = f->params, .info = &f->image->info, .image = f->image, .files = files, .n_files = n
  };

  return vg_perfusion_study_new (&context, error);
}

static const double angles_deg[] = { 2, 6, 12, 18 };
/* not in order */
static const double times_ms[] = { 4000, 50, 300, 1200, 150, 600, 2500 };

static double
angle_signal (int voxel, int k)
{
  return 900 * echo_signal (b1_of (voxel) * angles_deg[k] * G_PI / 180, 0.005, 1 / t1_s_of (voxel));
}

static double
inversion_signal (int voxel, int k)
{
  return voxel == 9 ? 5 : fabs (800 * (1 - 1.85 * exp (-times_ms[k] / 1000 / t1_s_of (voxel))));
}

/* The signal of T1* = T1 / (B / A - 1). */
static double
look_locker_signal (int voxel, int k)
{
  return 800 * (1 - 1.8 * exp (-times_ms[k] / 1000 / (t1_s_of (voxel) / 0.8)));
}

static double
saturation_signal (int voxel, int k)
{
  return 800 * (1 - exp (-times_ms[k] / 1000 / t1_s_of (voxel)));
}

/* B1 corrects the angles of the T1 series and of the contrast series: without it T1 is wrong, with
 * it T1 and concentrations are those of the phantom, in voxels and in regions. */
static void
test_b1 (gconstpointer unit)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_GRADIENT_ECHO);
  static const double same_ms[] = { 20, 20, 20, 20 };
  double factor = g_str_equal (unit, "percent") ? 100 : 1, curve[FRAMES];
  VgImage *series = series_of (&f, 4, angle_signal), *map = image_of (&f, 1);
  VgInputFile files[] = { { "t1_series", series }, { "b1_file", map } };
  g_autoptr (VgPerfusionStudy) study = NULL, without = NULL, none = NULL;
  g_autoptr (GError) error = NULL;
  VgRegion region;
  gboolean blood;
  float mean;

  series->flips_deg = g_memdup2 (angles_deg, sizeof angles_deg);
  series->inversions_ms = g_memdup2 (same_ms, sizeof same_ms); /* of a preparation of all */
  set (&f, "repetition_ms", "5");
  set (&f, "flip_deg", "20");
  set (&f, "t1_blood_ms", "1500");
  set (&f, "haematocrit", "0");
  set (&f, "b1_unit", unit);
  for (int i = 0; i < VOXELS; i++)
    ((float *) map->data)[i] = (float) (factor * b1_of (i));
  for (int i = 0; i < FRAMES * VOXELS; i++)
    {
      int voxel = i % VOXELS;

      ((float *) f.image->data)[i] =
          (float) (900 * echo_signal (b1_of (voxel) * G_PI / 9, 0.005,
                                      1 / t1_s_of (voxel) +
                                          4.5 * concentration (voxel % WIDTH, i / VOXELS)));
    }
  study = study_with_files (&f, files, 2, NULL);
  without = study_with_files (&f, files, 1, NULL);
  g_assert_cmpint (study->t1_method, ==, VG_PERFUSION_T1_FLIP_ANGLES);
  for (int voxel = 0; voxel < VOXELS; voxel++)
    {
      g_assert_cmpfloat (fabs (study->t1_s[voxel] / t1_s_of (voxel) - 1), <, 1e-4);
      g_assert_cmpfloat_with_epsilon (study->t1_maps[voxel], 1000 * study->t1_s[voxel], 0.01);
      /* Without B1, T1 is about proportional to B1 squared. */
      if (b1_of (voxel) < 0.9)
        g_assert_cmpfloat (fabs (without->t1_s[voxel] / t1_s_of (voxel) - 1), >, 0.15);
      g_assert_cmpint (vg_perfusion_study_read (study, (gsize) voxel, curve, 1, &mean), ==,
                       fixture_status (voxel));
      for (int i = 0; i < FRAMES && fixture_status (voxel) == VG_PERFUSION_FITTED; i++)
        g_assert_cmpfloat_with_epsilon (curve[i], concentration (voxel % WIDTH, i), 1e-3);
    }
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpfloat_with_epsilon (study->artery[i], concentration (0, i), 1e-3);
  g_assert_true (vg_region_parse (&region, "rect:3,2,1,1", NULL));
  vg_perfusion_study_regions (study, (const VgRegion *[]){ &region }, 1, curve, &blood);
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpfloat_with_epsilon (curve[i], concentration (3, i), 1e-3);
  /* The other unit is refused, and so is another size. */
  set (&f, "b1_unit", factor == 1 ? "percent" : "fraction");
  none = study_with_files (&f, files, 2, &error);
  g_assert_null (none);
  g_assert_nonnull (strstr (error->message, "Unit of B1"));
  g_clear_error (&error);
  set (&f, "b1_unit", unit);
  map->info.width--;
  none = study_with_files (&f, files, 2, &error);
  g_assert_null (none);
  g_assert_nonnull (strstr (error->message, "the B1 map \"map.nii\" has 1 pages of 6x5"));
  map->info.width++;
  g_clear_pointer (&study, vg_perfusion_study_free);
  /* A voxel without B1 has no T1 and no concentration, and is counted. */
  ((float *) map->data)[3] = NAN;
  ((float *) map->data)[4] = 0;
  study = study_with_files (&f, files, 2, NULL);
  g_assert_cmpuint (study->t1_unknown, ==, 2);
  g_assert_cmpint (vg_perfusion_study_read (study, 3, curve, 1, &mean), ==, VG_PERFUSION_INVALID);
  /* An artery without B1 is refused. */
  g_clear_error (&error);
  for (int i = 0; i < VOXELS; i += WIDTH)
    ((float *) map->data)[i] = 0;
  none = study_with_files (&f, files, 2, &error);
  g_assert_null (none);
  g_assert_nonnull (strstr (error->message, "the B1 map has no value above 0 in the artery"));
  vg_image_unref (series);
  vg_image_unref (map);
  fixture_clear (&f);
}

/* Each kind of recovery gives the T1 of the phantom; times in any order come from the files or
 * from the table, which has priority. */
static void
test_recovery (void)
{
  static const struct
  {
    const char *method;
    double (*signal) (int voxel, int k);
    double factor; /* of T1 */
  } cases[] = {
    { "auto", inversion_signal, 1 },          { "inversion", inversion_signal, 1 },
    { "look_locker", look_locker_signal, 1 }, { "inversion", look_locker_signal, 1 / 0.8 },
    { "saturation", saturation_signal, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int table = 0; table < 2; table++)
      {
        Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
        VgImage *series = series_of (&f, 7, cases[i].signal);
        g_autoptr (VgPerfusionStudy) study = NULL;
        g_autoptr (VgMetrics) numbers = vg_metrics_new ();
        gboolean one_bad = cases[i].signal == inversion_signal;

        set (&f, "t1_method", cases[i].method);
        give (&f, "t1_series", series);
        if (table)
          set (&f, "t1_times", "4000;50;300;1200;150;600;2500");
        else
          series->inversions_ms = g_memdup2 (times_ms, sizeof times_ms);
        study = study_of (&f, NULL);
        for (int voxel = 0; voxel < VOXELS; voxel++)
          if (one_bad && voxel == 9)
            g_assert_true (isnan (study->t1_s[voxel]) && isnan (study->t1_maps[voxel]) &&
                           isnan (study->t1_maps[VOXELS + voxel]));
          else
            {
              double expected = cases[i].factor * t1_s_of (voxel);

              g_assert_cmpfloat (fabs (study->t1_s[voxel] / expected - 1), <, 1e-4);
              g_assert_cmpfloat (study->t1_maps[VOXELS + voxel], <, 1);
            }
        g_assert_cmpfloat (number_of (numbers, study, "t1_unknown")->value, ==, one_bad);
        g_assert_null (vg_metrics_find (numbers, "t1_repetition_ms"));
        fixture_clear (&f);
      }
}

/* A magnitude series that was interpolated has some signals below 0 in the mask, and outside any;
 * one with signs is fitted with them. */
static void
test_signs (void)
{
  for (int with_signs = 0; with_signs < 2; with_signs++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      VgImage *series = series_of (&f, 7, inversion_signal);
      float *signals = (float *) series->data;
      g_autoptr (VgPerfusionStudy) study = NULL;

      set (&f, "mask", "rect:1,0,6,5");
      series->inversions_ms = g_memdup2 (times_ms, sizeof times_ms);
      for (int i = 0; i < 7 * VOXELS; i++)
        {
          double t_s = times_ms[i / VOXELS] / 1000;

          if (i % WIDTH == 0)
            signals[i] = with_signs ? 1e4f : -1e4f;
          else if (i % VOXELS == 10 || i % VOXELS == 11)
            signals[i] = -20;
          else if (with_signs && 1.85 * exp (-t_s / t1_s_of (i % VOXELS)) > 1)
            signals[i] *= -1;
        }
      give (&f, "t1_series", series);
      study = study_of (&f, NULL);
      for (int voxel = 0; voxel < VOXELS; voxel++)
        if (voxel % WIDTH > 0 && (voxel < 9 || voxel > 11))
          g_assert_cmpfloat (fabs (study->t1_s[voxel] / t1_s_of (voxel) - 1), <, 1e-4);
      fixture_clear (&f);
    }
}

/* The maps of T1 are outputs where a series gives them. */
static void
test_maps (void)
{
  for (int given = 0; given < 2; given++)
    {
      const VgOperation *operation = &vg_perfusion_operation;
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      VgImage *series = series_of (&f, 7, saturation_signal);
      VgInputFile file = { "t1_series", series };
      VgContext context = {
        .params = f.params, .info = &f.image->info, .image = f.image, .files = &file, .n_files = 1
      };
      VgPlane plane;
      gpointer state;

      context.n_files = (guint) given;
      set (&f, "t1_method", "saturation");
      if (given)
        set (&f, "t1_series", "given");
      series->inversions_ms = g_memdup2 (times_ms, sizeof times_ms);
      state = operation->cpu->prepare (&context, NULL);
      while (operation->cpu->step (state, 1, NULL) == VG_STEP_MORE)
        ;
      for (guint output = VG_PERFUSION_OUTPUT_T1; output <= VG_PERFUSION_OUTPUT_T1_ERROR; output++)
        {
          g_assert_true (vg_operation_output_is_shown (operation, output, f.params) == given);
          g_assert_true (operation->cpu->output (state, output, &plane, NULL) == given);
          if (given && output == VG_PERFUSION_OUTPUT_T1)
            g_assert_cmpfloat_with_epsilon (((const float *) plane.data)[8], 1000 * t1_s_of (8),
                                            0.1);
        }
      operation->cpu->free (state);
      vg_image_unref (series);
      fixture_clear (&f);
    }
}

/* A series that lacks its times or has too few of them is refused. */
static void
test_refused (void)
{
  static const struct
  {
    const char *method, *times;
    int frames;
    const char *says;
  } cases[] = {
    { "inversion", "", 7, "set T1 times" },
    { "inversion", "", 1, "at one time" },
    { "inversion", "50;100;200", 3, "does not give 4 to 64 inversion times" },
    { "saturation", "50;100", 2, "does not give 3 to 64" },
    { "look_locker", "50;100;200;400;800", 7, "5 pages" },
    { "flip_angles", "50;100;200;400;800;1000;2000", 7, "set Flip angles" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
      g_autoptr (GError) error = NULL;

      give (&f, "t1_series", series_of (&f, cases[i].frames, inversion_signal));
      set (&f, "t1_method", cases[i].method);
      set (&f, "t1_times", cases[i].times);
      g_assert_null (study_of (&f, &error));
      if (strstr (error->message, cases[i].says) == NULL)
        g_error ("case %u: %s", i, error->message);
      fixture_clear (&f);
    }
}

/* Images after a saturation pulse give the concentrations with which they were made. */
static void
test_saturation_series (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_SATURATION);
  g_autoptr (VgPerfusionStudy) study = NULL;
  double curve[FRAMES];
  float mean;

  set (&f, "saturation_ms", "80");
  set (&f, "t1_blood_ms", "1500");
  set (&f, "t1_ms", "700");
  set (&f, "haematocrit", "0");
  for (int i = 0; i < FRAMES * VOXELS; i++)
    {
      int x = i % WIDTH;
      double rate = 1 / (x == 0 ? 1.5 : 0.7) + 4.5 * concentration (x, i / VOXELS);

      ((float *) f.image->data)[i] = (float) (300 * (1 - exp (-0.08 * rate)));
    }
  study = study_of (&f, NULL);
  for (int voxel = 1; voxel < WIDTH; voxel++)
    {
      g_assert_cmpint (vg_perfusion_study_read (study, (gsize) voxel, curve, 1, &mean), ==,
                       VG_PERFUSION_FITTED);
      for (int i = 0; i < FRAMES; i++)
        g_assert_cmpfloat_with_epsilon (curve[i], concentration (voxel, i), 1e-4);
    }
  for (int i = 0; i < FRAMES; i++)
    g_assert_cmpfloat_with_epsilon (study->artery[i], concentration (0, i), 1e-3);
  /* More signal than complete recovery has no concentration. */
  ((float *) f.image->data)[12 * VOXELS + 3] = 1e4f;
  g_clear_pointer (&study, vg_perfusion_study_free);
  study = study_of (&f, NULL);
  g_assert_cmpint (vg_perfusion_study_read (study, 3, curve, 1, &mean), ==, VG_PERFUSION_INVALID);
  fixture_clear (&f);
}

/* Enhancement in HU and iodine differ by the factor alone, and fits do not depend on it. */
static void
test_ct (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_CT);
  double curves[2][FRAMES];
  float mean;

  for (int hu = 0; hu < 2; hu++)
    {
      g_autoptr (VgPerfusionStudy) study = NULL;

      f.params->signal = hu ? VG_PERFUSION_SIGNAL_HU : VG_PERFUSION_SIGNAL_CT;
      study = study_of (&f, NULL);
      g_assert_cmpint (vg_perfusion_study_read (study, 4, curves[hu], 1, &mean), ==,
                       VG_PERFUSION_FITTED);
      g_assert_cmpstr (vg_perfusion_concentration_unit (study->params->signal), ==,
                       hu ? "HU" : "mg/ml");
    }
  for (int i = 0; i < FRAMES; i++)
    {
      g_assert_cmpfloat_with_epsilon (curves[1][i], 25 * curves[0][i], 1e-4);
      g_assert_cmpfloat_with_epsilon (curves[0][i], concentration (4, i), 1e-5);
    }
  fixture_clear (&f);
}

/* The loss to T2* at the peak of the artery and its enhancement by inflow are reported, with advice
 * if they are large. */
static void
test_artery (void)
{
  for (int echo_ms = 0; echo_ms <= 4; echo_ms += 2)
    for (double inflow = 1; inflow < 4; inflow += 2)
      {
        Fixture f = fixture_new (VG_PERFUSION_SIGNAL_GRADIENT_ECHO);
        g_autoptr (VgPerfusionStudy) study = NULL;
        g_autoptr (VgMetrics) numbers = vg_metrics_new ();
        g_autofree char *echo = g_strdup_printf ("%d", echo_ms);
        const VgMetric *loss, *ratio;

        set (&f, "echo_ms", echo);
        set (&f, "repetition_ms", "5");
        set (&f, "flip_deg", "20");
        set (&f, "t1_blood_ms", "1500");
        set (&f, "t1_ms", "700");
        set (&f, "haematocrit", "0.4");
        set (&f, "mask", "rect:1,0,6,5");
        for (int i = 0; i < FRAMES * VOXELS; i++)
          {
            int x = i % WIDTH;

            ((float *) f.image->data)[i] = (float) ((x == 0 ? inflow : 1) * 900 *
                                                    echo_signal (
                                                        G_PI / 9, 0.005,
                                                        1 / (x == 0 ? 1.5 : 0.7) +
                                                            4.5 * concentration (x, i / VOXELS)));
          }
        study = study_of (&f, NULL);
        loss = number_of (numbers, study, "t2_star_loss_percent");
        ratio = vg_metrics_find (numbers, "inflow_ratio");
        g_assert_cmpfloat_with_epsilon (ratio->value, inflow, 0.01);
        g_assert_true ((ratio->advice != NULL) == (inflow > 1.5));
        if (echo_ms == 0)
          g_assert_null (loss);
        else
          {
            /* 6 mM in blood: 66.38 1/s */
            g_assert_cmpfloat_with_epsilon (
                loss->value, 100 * (1 - exp (-1e-3 * echo_ms * (7.62 * 6 + 0.574 * 36))), 0.2);
            g_assert_nonnull (strstr (loss->advice, "lowers the signal"));
          }
        g_clear_pointer (&study, vg_perfusion_study_free);
        if (echo_ms == 2)
          {
            g_autoptr (VgMetrics) again = vg_metrics_new ();

            set (&f, "echo_ms", "1");
            study = study_of (&f, NULL);
            g_assert_null (number_of (again, study, "t2_star_loss_percent")->advice);
          }
        fixture_clear (&f);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/perfusion-relaxation/b1-percent", "percent", test_b1);
  g_test_add_data_func ("/perfusion-relaxation/b1-fraction", "fraction", test_b1);
  g_test_add_func ("/perfusion-relaxation/recovery", test_recovery);
  g_test_add_func ("/perfusion-relaxation/signs", test_signs);
  g_test_add_func ("/perfusion-relaxation/maps", test_maps);
  g_test_add_func ("/perfusion-relaxation/refused", test_refused);
  g_test_add_func ("/perfusion-relaxation/saturation-series", test_saturation_series);
  g_test_add_func ("/perfusion-relaxation/ct", test_ct);
  g_test_add_func ("/perfusion-relaxation/artery", test_artery);
  return g_test_run ();
}
