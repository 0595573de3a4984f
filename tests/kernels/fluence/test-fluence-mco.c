/* SPDX-License-Identifier: MIT */
/* .mco files: written ones read back, invalid ones are refused with file and line, and their
 * settings and light are used again. */
#include "tests/kernels/fluence/support/fluence-text.h"

static void
test_write (void)
{
  static const char *const settings[] = { "layers", "mcml_sample", "dz_cm",   "0.01",  "dr_cm",
                                          "0.01",   "nz",          "40",      "nr",    "50",
                                          "na",     "7",           "photons", "20000", NULL };
  FluenceFixture run = { 0 };
  g_autoptr (VgFluenceReport) report = NULL;
  g_autofree char *text = NULL, *wide = NULL;
  char *name = NULL;
  double a = 0, rz = 0;

  fluence_start (&run, settings, 2);
  g_strlcpy (run.params->name, "some.mco", sizeof run.params->name);
  fluence_finish (&run, 0.1);
  report = fluence_report (&run);
  g_assert_false (report->clamped);
  g_assert_cmpint (report->layers->rows, ==, 3);
  g_assert_cmpfloat (report->photons, ==, 20000);
  g_assert_cmpfloat_with_epsilon (report->reflectance, fluence_number (&run, "diffuse_reflectance"),
                                  1e-6);
  g_assert_cmpfloat_with_epsilon (report->absorbed, fluence_number (&run, "absorbed"), 1e-6);
  for (int z = 0; z < 40; z++)
    {
      a += report->a_z[z] * 0.01;
      for (int r = 0; r < 50; r++)
        rz += report->a_rz[r * 40 + z] * G_PI * (2 * r + 1) * 1e-4 * 0.01;
    }
  /* the tissue is as deep as the grid; some light is absorbed outside its radius */
  g_assert_cmpfloat_with_epsilon (a, report->absorbed, 2e-4);
  g_assert_cmpfloat (rz, <, a);
  g_assert_cmpfloat (rz, >, 0.8 * a);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
  g_clear_pointer (&name, g_free);
  g_assert_null (strstr (text, "# Light"));
  run.params->beam = VG_FLUENCE_FLAT;
  run.params->power_mw = 100;
  g_assert_true (run.engine->update (run.state, run.params));
  wide = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
  g_assert_nonnull (strstr (wide, "# Light: a flat beam with its edge at 0.1 cm, 100 mW; the "
                                  "numbers below are per packet of a thin beam."));
  g_assert_cmpstr (name, ==, "some.mco");
  g_free (name);
  fluence_clear (&run);
}

static void
test_damaged (void)
{
  static const char good[] = "A1\nInParm\nx.mco A\n10\n0.1 0.1\n2 2 1\n1\n1\n1.4 1 1 0 "
                             "1\n1\nRAT\n0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3\n4\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (VgFluenceReport) report = vg_fluence_mco_read ("o.mco", good, strlen (good), &error);

  g_assert_no_error (error);
  g_assert_cmpfloat (report->a_rz[3], ==, 4);
  for (gsize n = 0; n < strlen (good) - 2; n++) /* cut anywhere */
    {
      g_autoptr (GError) cut = NULL;

      g_assert_null (vg_fluence_mco_read ("o.mco", good, n, &cut));
      g_assert_nonnull (cut);
    }
}

/* Numbers are written as printf writes them: numbers of all sizes, ties, and numbers that are
 * rounded to a power of ten. */
static void
test_digits (void)
{
  static const double special[] = { 0.0,        -0.0,    1.0,     -1.5,    10.0,     9.99995,
                                    9.99994999, 99999.5, 12345.5, 12344.5, 1e-17,    9e-18,
                                    1e17,       1e22,    1e23,    1.00005, 0.1,      0.3,
                                    1e-5,       5e-324,  1e308,   1e100,   99999.49, 1.234e-7,
                                    1.23445,    1.23455, NAN,     INFINITY };
  const gsize count = 20000;
  VgTable *layers = vg_table_new (1, VG_FLUENCE_COLUMNS);
  g_autoptr (VgFluenceReport)
      report = vg_fluence_report_new (layers, 1, (int) count, 1, FALSE, NULL);
  g_autofree char *text = NULL;
  const char *cursor;

  /* a section whose first number is NaN is left out */
  for (gsize i = 0; i < count; i++)
    report->a_rz[i] = g_test_rand_double_range (0.1, 1) *
                      pow (10.0, g_test_rand_int_range (-30, 30));
  for (gsize i = 0; i < 4000; i++) /* ties in decimal, which are seldom ties in binary */
    report->a_rz[i] = (g_test_rand_int_range (10000, 100000) + 0.5) *
                      pow (10.0, g_test_rand_int_range (-12, 12));
  memcpy (report->a_rz + 1, special, sizeof special);
  text = vg_fluence_mco_write (report);
  cursor = strstr (text, "\nA_rz\n") + strlen ("\nA_rz\n");
  for (gsize i = 0; i < count; i++, cursor += 13)
    {
      char expected[G_ASCII_DTOSTR_BUF_SIZE], padded[64];

      g_ascii_formatd (expected, sizeof expected, "%.4E", report->a_rz[i]);
      g_snprintf (padded, sizeof padded, "%12s", expected);
      g_assert_true (g_str_has_prefix (cursor, padded));
      cursor += strlen (padded) - 12; /* an exponent of three digits */
      g_assert_nonnull (strchr (" \n", cursor[12]));
    }
  vg_table_free (layers);
}

/* Fractions of light below 0 or above 1 are refused. */
static void
test_impossible (void)
{
  static const char *const wrong[][2] = {
    { "0.1\n-0.2\n0.3\n0.4\nA_rz\n1 2 3\n4\n", "o.mco\", line 13: number 2 of RAT is -0.2" },
    { "0.1\n0.2\n0.3\n0.5\nA_rz\n1 2 3\n4\n", "o.mco\", line 15: RAT has 0.1, 0.2, 0.3 and 0.5" },
    { "0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3\n-4\n", "o.mco\", line 18: number 4 of A_rz is -4" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *text = g_strconcat (
          "A1\nInParm\nx.mco A\n10\n0.1 0.1\n2 2 1\n1\n1\n1.4 1 1 0 1\n1\nRAT\n", wrong[i][0],
          NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_fluence_mco_read ("o.mco", text, strlen (text), &error));
      g_assert_nonnull (strstr (error->message, wrong[i][1]));
    }
}

/* Quantities that an .mco file lacks are missing, and are not written as 0. */
static void
test_missing (void)
{
  static const char text[] = "A1\nInParm\nmy file.mco \tA\n10\n0.1 0.1\n2 2 1\n1\n1\n1.4 1 1 0 "
                             "1\n1\nRAT\n0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3\n4\n";
  static const char surplus[] = "A1\nInParm\nx.mco A\n10\n0.1 0.1\n2 2 1\n1\n1\n1.4 1 1 0 "
                                "1\n1\nRAT\n0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3\n4 5\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (VgFluenceReport) report = vg_fluence_mco_read ("o.mco", text, strlen (text), &error);
  g_autofree char *written = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (report->name, ==, "my file.mco");
  g_assert_true (report->clamped && isnan (report->a_l[0]) && isnan (report->rd_r[1]));
  written = vg_fluence_mco_write (report);
  g_assert_null (strstr (written, "\nRd_r"));
  g_assert_null (strstr (written, "\nA_l"));
  g_assert_nonnull (strstr (written, "\nA_rz"));
  g_assert_null (vg_fluence_mco_read ("o.mco", surplus, strlen (surplus), &error));
  g_assert_nonnull (
      strstr (error->message, "o.mco\", line 18: A_rz should have 4 numbers; after 4 comes"));
}

/* An .mco file as input runs with its settings and is compared with. */
static void
test_repeat (void)
{
  static const char text[] = "A1\nInParm\ndir/x.mco A\n10\n0.1 0.2\n2 2 1\n1\n1\n1.4 1 1 0 "
                             "1\n1.3\nRAT\n0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3 4\n";
  VgFluenceParams *params = expect_read (text, 1);

  g_assert_true (params->compare);
  g_assert_cmpstr (params->reference_file, ==, "dir/in.mci");
  g_assert_cmpstr (params->name, ==, "x.mco");
  g_assert_cmpfloat (params->dr_cm, ==, 0.2);
  g_assert_cmpfloat (params->n_below, ==, 1.3);
  free_params (params);
}

/* A file that this program wrote sets the light source; files of other programs have none. */
static void
test_light (void)
{
  static const char tail[] = "\nInParm\nx.mco A\n10\n0.1 0.2\n2 2 1\n1\n1\n1.4 1 1 0 "
                             "1\n1.3\nRAT\n0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3 4\n";
  static const char light[] = "A1\n# " VG_FLUENCE_WRITTEN "\n# Light: ";
  FluenceFixture run = { 0 };

  for (int beam = VG_FLUENCE_PENCIL; beam <= VG_FLUENCE_POINT; beam++)
    {
      static const char *const settings[] = { "layers",
                                              "1.4,1,10,0,1",
                                              "photons",
                                              "100",
                                              "nz",
                                              "5",
                                              "nr",
                                              "5",
                                              "beam_radius_cm",
                                              "0.03333333333333",
                                              "source_depth_cm",
                                              "0.5",
                                              "power_mw",
                                              "12.5",
                                              NULL };
      g_autofree char *name = NULL, *text = NULL;
      g_autoptr (GError) error = NULL;
      VgFluenceParams *read;

      fluence_start (&run, settings, 1);
      run.engine->free (run.state);
      run.params->beam = beam;
      run.state = run.engine->prepare (&(VgContext){ .params = run.params, .threads = 1 }, NULL);
      fluence_finish (&run, 0.1);
      text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCO, &name, NULL);
      g_assert_cmpint (read_text (text, 0, &read, &error), ==, 1);
      g_assert_cmpint (read->beam, ==, beam);
      g_assert_cmpfloat (read->power_mw, ==, 12.5);
      g_assert_cmpfloat (read->beam_radius_cm, ==,
                         beam == VG_FLUENCE_PENCIL || beam == VG_FLUENCE_POINT ? 0.1
                                                                               : 0.03333333333333);
      g_assert_cmpfloat (read->source_depth_cm, ==, beam == VG_FLUENCE_POINT ? 0.5 : 0.1);
      free_params (read);
      fluence_clear (&run);
    }
  for (int i = 0; i < 5; i++)
    {
      static const char *const heads[] = { "A1\n# " VG_FLUENCE_WRITTEN,
                                           "A1\n# Light: a ring of 3 cm, 9 mW", light, light,
                                           light };
      static const char *const ends[] = { "", "", "a laser of 3 cm, 9 mW",
                                          "a ring of 3 inches, 9 mW", "a ring of 3 cm" };
      g_autofree char *text = g_strconcat (heads[i], ends[i], tail, NULL);
      VgFluenceParams *read = vg_params_new (&vg_fluence_operation.params);

      read->beam = VG_FLUENCE_GAUSSIAN;
      read->power_mw = 7;
      g_assert_cmpint (fluence_read ("x.mco", text, strlen (text), 0, read, NULL, NULL), ==, 1);
      g_assert_cmpint (read->beam, ==, i == 1 ? VG_FLUENCE_GAUSSIAN : VG_FLUENCE_PENCIL);
      g_assert_cmpfloat (read->power_mw, ==, i == 1 ? 7 : 1);
      free_params (read);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/mco/impossible", test_impossible);
  g_test_add_func ("/fluence/mco/write", test_write);
  g_test_add_func ("/fluence/mco/digits", test_digits);
  g_test_add_func ("/fluence/mco/damaged", test_damaged);
  g_test_add_func ("/fluence/mco/missing", test_missing);
  g_test_add_func ("/fluence/mco/repeat", test_repeat);
  g_test_add_func ("/fluence/mco/light", test_light);
  return g_test_run ();
}
