/* SPDX-License-Identifier: MIT */
/* Reference files of MCML with a good generator, when they are there: every
 * .mci and .mco reads, and short runs agree within both sides' errors.
 * VIVOGRAPH_SLOW=1: skin with 1e8 photons against the mean of 4e8. */
#include "tests/kernels/fluence/support/fluence-fixture.h"
#include "tests/support/data-file.h"

static char *
load (const char *name, gsize *length)
{
  g_autofree char *path = data_file ("fluence", name);
  char *text = NULL;

  return path != NULL && g_file_get_contents (path, &text, length, NULL) ? text : NULL;
}

static VgFluenceReport *
load_report (const char *name)
{
  gsize length;
  g_autofree char *text = load (name, &length);
  g_autoptr (GError) error = NULL;
  VgFluenceReport *report;

  g_assert_nonnull (text);
  report = vg_fluence_mco_read (name, text, length, &error);
  g_assert_no_error (error);
  return report;
}

static void
test_inputs (void)
{
  g_autofree char *path = data_file ("fluence", "inputs");
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;
  int read = 0;

  g_assert_nonnull (folder);
  while ((name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *relative = g_build_filename ("inputs", name, NULL);
      gsize length;
      g_autofree char *text = load (relative, &length);
      int n = 1;

      for (int run = 0; run < n; run++)
        {
          VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
          g_autoptr (GError) error = NULL;
          g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

          n = fluence_read (name, text, length, run, params, notes, &error);
          g_assert_no_error (error);
          g_assert_true (vg_fluence_validate (params, NULL));
          for (guint i = 0; i < notes->len; i++)
            g_test_message ("%s", (const char *) notes->pdata[i]);
          vg_params_free (&vg_fluence_operation.params, params);
        }
      read++;
    }
  g_assert_cmpint (read, >=, 10);
}

/* The run of an .mci file with PHOTONS against an .mco file of other photons. */
static void
compare (const char *input, const char *reference, double photons, double slack)
{
  gsize length;
  g_autofree char *text = load (input, &length);
  g_autoptr (VgFluenceReport) expected = load_report (reference);
  FluenceFixture run = { .engine = &vg_fluence_cpu_engine };
  double ratio = 1 + photons / expected->photons; /* of the difference's variance to ours */

  g_assert_nonnull (text);
  run.params = vg_params_new (&vg_fluence_operation.params);
  g_assert_cmpint (fluence_read (input, text, length, 0, run.params, NULL, NULL), ==, 1);
  run.params->photons = photons;
  run.state = run.engine->prepare (&(VgContext){ .params = run.params }, NULL);
  fluence_finish (&run, 0.1);
  fluence_expect (input, fluence_number (&run, "diffuse_reflectance"), expected->reflectance,
                  sqrt (ratio) * fluence_number (&run, "diffuse_reflectance_error") + slack, 4);
  if (expected->transmittance > 1e-6)
    fluence_expect (input, fluence_number (&run, "transmittance"), expected->transmittance,
                    sqrt (ratio) * fluence_number (&run, "transmittance_error") + slack, 4);
  g_assert_cmpfloat_with_epsilon (fluence_number (&run, "specular"), expected->specular, 1e-5);
  fluence_expect_balance (&run);
  fluence_clear (&run);
}

static void
test_references (void)
{
  compare ("inputs/vdh_slab.mci", "ref_cpu/vdh_slab.mco", 1e6, 1e-6);
  compare ("inputs/giovanelli.mci", "ref_cpu/giovanelli.mco", 2e5, 1e-6);
  compare ("inputs/two_layer.mci", "ref_cpu/two_layer.mco", 1e5, 1e-6);
  compare ("inputs/mcml_sample.mci", "ref_cpu/mcml_sample.mco", 1e5, 1e-6);
  compare ("inputs/intralipid_1cm.mci", "ref_cpu/intralipid_1cm.mco", 4e3, 1e-6);
  compare ("inputs/fluence_n137.mci", "ref_cpu/fluence_n137.mco", 2e4, 1e-6);
}

/* Skin against the mean of 4e8 photons: totals, and the map by the volume-
 * weighted sum of differences. */
static void
test_skin (void)
{
  gboolean slow = g_getenv ("VIVOGRAPH_SLOW") != NULL;
  double photons = slow ? 1e8 : 5e4, difference = 0, all = 0;
  static const char *const settings[] = { "layers",  "skin_600nm", "dz_cm", "0.002", "dr_cm",
                                          "0.01",    "nz",         "500",   "nr",    "200",
                                          "photons", "5e4",        NULL };
  gsize length = 0;
  g_autofree char *raw = load ("skin_400M_mean_Arz_200x500_f32.raw", &length);
  const float *mean = (const float *) raw;
  FluenceFixture run = { 0 };
  VgPlane plane;

  if (raw == NULL)
    return;
  g_assert_cmpuint (length, ==, 200 * 500 * 4);
  fluence_start (&run, settings, 0);
  run.params->photons = photons;
  g_assert_true (run.engine->update (run.state, run.params));
  fluence_finish (&run, 0.1);
  fluence_expect ("Rd", fluence_number (&run, "diffuse_reflectance"), 0.562552,
                  0.369 / sqrt (photons) + 1e-5, 4);
  fluence_expect ("A", fluence_number (&run, "absorbed"), 0.390299, 0.369 / sqrt (photons) + 1e-5,
                  4);
  fluence_expect ("Tt", fluence_number (&run, "transmittance"), 0.003264,
                  fluence_number (&run, "transmittance_error") + 1e-6, 4);
  fluence_expect_balance (&run);
  g_assert_true (run.engine->output (run.state, VG_FLUENCE_OUTPUT_ABSORPTION, &plane, NULL));
  g_assert_cmpint (plane.width, ==, 200);
  g_assert_cmpint (plane.height, ==, 500);
  for (int r = 0; r < 199; r++)
    for (int z = 0; z < 499; z++)
      {
        difference += fabs (plane.data[z * 200 + r] - mean[r * 500 + z]) * (r + 0.5);
        all += mean[r * 500 + z] * (r + 0.5);
      }
  g_test_message ("map: %.2e", difference / all);
  /* falls as the root of the photons from 1.0e-3 at 1e8 */
  g_assert_cmpfloat (difference / all, <=, 1.1e-3 * MAX (sqrt (1e8 / photons), 1));
  fluence_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/data/inputs", test_inputs);
  g_test_add_func ("/fluence/data/references", test_references);
  g_test_add_func ("/fluence/data/skin", test_skin);
  return g_test_run ();
}
