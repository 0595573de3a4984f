/* SPDX-License-Identifier: MIT */
/* .mci and .mco files: files that MCML reads are read, invalid ones are refused with file and line,
 * and written files read back. */
#include "tests/kernels/fluence/support/fluence-text.h"
#include "kernels/fluence/model/fluence-names.h"

static void
expect_refused (const char *text, int line, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *place = g_strdup_printf ("dir/in.mci:%d:", line);
  VgFluenceParams *params;

  g_assert_cmpint (read_text (text, 0, &params, &error), ==, 0);
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, place));
  g_assert_nonnull (strstr (error->message, words));
  g_assert_null (strchr (error->message, '\n'));
  free_params (params);
}

static void
test_refused (void)
{
  expect_refused ("", 1, "ends");
  expect_refused ("1.0\n", 1, "number of runs");
  expect_refused ("mcmli2.0\n1\n", 1, "MCML 2");
  expect_refused (HEAD "0\n" GRID TISSUE, 4, "number of photons");
  expect_refused (HEAD "1.5\n" GRID TISSUE, 4, "whole");
  expect_refused (HEAD "many\n" GRID TISSUE, 4, "number of photons");
  expect_refused (HEAD "10\n0.01, 0.01\n10 20 3\n" TISSUE, 5, "comma");
  expect_refused (HEAD "10\n0.01\n10 20 3\n" TISSUE, 5, "dz and dr");
  expect_refused (HEAD "10\n0 0.01\n10 20 3\n" TISSUE, 5, "dz and dr");
  expect_refused (HEAD "10\n0.01 0.01\n0 20 3\n" TISSUE, 6, "nz");
  expect_refused (HEAD "10\n0.01 0.01\n10 99999999 3\n" TISSUE, 6, "nr");
  expect_refused (HEAD "10\n0.01 0.01\n60000 60000 3\n", 6, "bins");
  expect_refused (HEAD "10\n0.01 0.01\n20 65535 3600\n", 6, "angles");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 nan 0.9 0.1\n1.0\n", 9, "is no number here");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 inf\n1.0\n", 9, "1e8");
  expect_refused (HEAD "10\n" GRID "0\n1.0\n1.0\n", 7, "number of layers");
  /* a layer is missing */
  expect_refused (HEAD "10\n" GRID "2\n1.0\n1.4 1 100 0.9 0.1\n1.0\n", 10, "order");
  /* swapped */
  expect_refused (HEAD "10\n" GRID "1\n1.4 1 100 0.9 0.1\n1.0\n1.0\n", 8, "looks like a layer");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9\n1.0\n", 9, "number 5");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n0 1 100 0.9 0.1\n1.0\n", 9, "n = 0");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 100 1.9 0.1\n1.0\n", 9, "g = 1.9");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 -1 100 0.9 0.1\n1.0\n", 9, "mua = -1");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 -0.1\n1.0\n", 9, "thickness");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 0.1\n", 9, "below");
  expect_refused ("1.0\n2\nx.mco A\n10\n" GRID TISSUE, 10, "ends");
  expect_refused ("1.0\n2\nx.mco A\n10\n" GRID TISSUE "x.mco A\n10\n" GRID TISSUE, 11, "line 3");
}

static void
test_read (void)
{
  VgFluenceParams *params = expect_read (
      HEAD "1e6 # a million\r\n0.002\t0.01\r\n40000 200 30\r\n\r\n  # \302\265m and \xff\n" TISSUE,
      1);

  g_assert_cmpfloat (params->photons, ==, 1e6);
  g_assert_cmpint (params->nz, ==, 40000);
  g_assert_cmpstr (params->name, ==, "x.mco");
  g_assert_cmpfloat (params->layers->values[VG_FLUENCE_MUS], ==, 100);
  free_params (params);
  params = expect_read ("1.0\n1\n../some where/my file.mco A\n5000000000\n" GRID TISSUE, 1);
  g_assert_cmpstr (params->name, ==, "my file.mco");
  g_assert_cmpfloat (params->photons, ==, 5e9);
  free_params (params);
  params = expect_read (
      "\xef\xbb\xbf"
      "1.0\r1\rsummary.json A  output file, ASCII\r10\r0.01 0.01\r10 20 3\r1\r1\r1.4 1 9 0 1\r1\r",
      1);
  g_assert_cmpstr (params->name, ==, "summary.json.mco"); /* no name that another result has */
  g_assert_cmpfloat (params->layers->values[VG_FLUENCE_MUS], ==, 9);
  free_params (params);
  params = expect_read ("1.0\n1\nintralipid_10_percent_460nm_slab_100cm.mco A\n10\n" GRID TISSUE,
                        1);
  g_assert_cmpstr (params->name, ==, "intralipid_10_percent_460nm_slab_100cm.mco");
  free_params (params);
  params = expect_read ("1.0\n1\nskin A cream.mco A\tfile\n10\n" GRID TISSUE, 1);
  g_assert_cmpstr (params->name, ==, "skin A cream.mco");
  free_params (params);
  params = expect_read ("1.0\n1\n7.mco\tB\n10\n" GRID TISSUE, 1);
  g_assert_cmpstr (params->name, ==, "7.mco");
  free_params (params);
  /* a layer of no thickness */
  params = expect_read (HEAD "10\n" GRID "1\n1\n1.4 1 100 0 0 # g 0, d 0\n1\n", 1);
  free_params (params);
}

static void
test_runs (void)
{
  const char *text = "1.0\n2\na.mco A\n10\n" GRID TISSUE "b.mco A\n20\n" GRID
                     "2\n1.0\n1.4 1 100 0.9 0.1\n1.5 0 0 0 0.2\n1.33\n";
  VgFluenceParams *params = expect_read (text, 2);
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (params->name, ==, "a.mco");
  free_params (params);
  g_assert_cmpint (read_text (text, 1, &params, &error), ==, 2);
  g_assert_cmpstr (params->name, ==, "b.mco");
  g_assert_cmpint (params->layers->rows, ==, 2);
  g_assert_cmpfloat (params->n_below, ==, 1.33);
  free_params (params);
}

/* The same name in different folders is allowed; a name that is too long is refused. */
static void
test_names (void)
{
  g_autoptr (GString) text = g_string_new ("1.0\n1\n");

  free_params (
      expect_read ("1.0\n2\na/x.mco A\n10\n" GRID TISSUE "b/x.mco A\n10\n" GRID TISSUE, 2));
  {
    VgFluenceParams *first = expect_read (
        "1.0\n2\nrun#1.mco A # one\n10\n" GRID TISSUE "run#2.mco A#two\n10\n" GRID TISSUE, 2);

    g_assert_cmpstr (first->name, ==, "run#1.mco");
    free_params (first);
    first = expect_read ("1.0\n1\nrun.mco A\t#1\n10\n" GRID TISSUE, 1);
    g_assert_cmpstr (first->name, ==, "run.mco");
    free_params (first);
  }
  for (int i = 0; i < 60; i++)
    g_string_append (text, "name");
  g_string_append (text, ".mco A\n10\n" GRID TISSUE);
  expect_refused (text->str, 3, "bytes");
}

/* The settings of a run as an .mci file: read back, they are the same, with the light and the
 * layers' names. */
static void
test_written_settings (void)
{
  static const char *const settings[] = {
    "layers", "skin_600nm", "photons",        "2000",        "nz",       "30",  "nr",      "20",
    "dz_cm",  "0.03",       "dr_cm",          "0.0333",      "na",       "7",   "n_above", "1.33",
    "beam",   "gaussian",   "beam_radius_cm", "0.123456789", "power_mw", "250", NULL
  };
  FluenceFixture run = { 0 };
  g_autofree char *text = NULL, *name = NULL;
  VgFluenceParams *back;
  g_auto (GStrv) names = NULL;

  fluence_start (&run, settings, 2);
  fluence_finish (&run, 0.1);
  text = run.engine->text (run.state, VG_FLUENCE_OUTPUT_MCI, &name, NULL);
  g_test_message ("%s", text);
  g_assert_cmpstr (name, ==, "settings.mci");
  back = expect_read (text, 1);
  g_assert_true (vg_table_equal (back->layers, run.params->layers));
  g_assert_cmpfloat (back->photons, ==, 2000);
  g_assert_cmpfloat (back->dz_cm, ==, 0.03);
  g_assert_cmpfloat (back->dr_cm, ==, 0.0333);
  g_assert_cmpint (back->nz, ==, 30);
  g_assert_cmpint (back->nr, ==, 20);
  g_assert_cmpint (back->na, ==, 7);
  g_assert_cmpfloat (back->n_above, ==, 1.33);
  g_assert_cmpfloat (back->n_below, ==, run.params->n_below);
  g_assert_cmpint (back->beam, ==, VG_FLUENCE_GAUSSIAN);
  g_assert_cmpfloat (back->beam_radius_cm, ==, 0.123456789);
  g_assert_cmpfloat (back->power_mw, ==, 250);
  names = vg_fluence_names_get (back);
  g_assert_cmpstr (names[4], ==, "dermis");
  free_params (back);
  fluence_clear (&run);
}

/* A value that is likely a mistake gives a note with its line. */
static void
test_notes (void)
{
  static const struct
  {
    const char *text, *place, *words;
  } cases[] = {
    { HEAD "10\n" GRID TISSUE "x.mco A\n", "dir/in.mci:11:", "not read" },
    { HEAD "10\n" GRID "1\n1.0\n1.4 0.02 10 0.9 0.1\n1.0\n", "dir/in.mci:9:", "per mm" },
    { HEAD "10\n1 1\n10 20 3\n2\n1.0\n1.4 0.05 200 0.9 2\n\n1.4 0.07 200 0.8 5\n1.0\n",
      "dir/in.mci:9:", "mm" },
    { HEAD "10\n1 1\n10 20 3\n1\n1.0\n1.4 0.7 200 0.76 5\n1.0\n", "dir/in.mci:9:", "mm" },
    { HEAD "10\n1 1\n10 20 3\n1\n1.0\n1.4 0.07 20 0.8 5\n1.0\n", "dir/in.mci:9:", "mm" },
    { HEAD "10\n" GRID "2\n1.0\n1.4 1 100 0.9 0.1\n# none\n1.4 1 100 0.9 0\n1.0\n",
      "dir/in.mci:11:", "no thickness" },
    { HEAD "10\n" GRID "2\n1.0\n1.4 10 100 0.9 1e8\n1.4 1 100 0.9 1\n1.0\n",
      "dir/in.mci:9:", "endless" },
    { HEAD "10\n" GRID "1\n1.4\n1.0 1 100 0.9 0.1\n1.0\n", "dir/in.mci:8:", "swapped" },
    { HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 0.1\n1.95\n", "dir/in.mci:10:", "below" },
    { HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 1\n1.0\n", "dir/in.mci:6:", "ends at 0.1 of 1 cm" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
      g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);

      g_assert_cmpint (fluence_read ("dir/in.mci", cases[i].text, strlen (cases[i].text), 0, params,
                                     notes, NULL),
                       ==, 1);
      g_assert_cmpuint (notes->len, ==, 1);
      g_test_message ("%s", (const char *) notes->pdata[0]);
      g_assert_true (g_str_has_prefix (notes->pdata[0], cases[i].place));
      g_assert_nonnull (strstr (notes->pdata[0], cases[i].words));
      free_params (params);
    }
}

static void
test_many_layers (void)
{
  GString *text = g_string_new (HEAD "2000\n0.01 0.1\n300 20 3\n300\n1.0\n");
  FluenceFixture run = { .engine = &vg_fluence_cpu_engine };

  for (int i = 0; i < 300; i++)
    g_string_append_printf (text, "%g 1 100 0.9 0.01\n", i % 2 ? 1.4 : 1.5);
  g_string_append (text, "1.0\n");
  run.params = expect_read (text->str, 1);
  g_assert_cmpint (run.params->layers->rows, ==, 300);
  run.state = run.engine->prepare (&(VgContext){ .params = run.params }, NULL);
  fluence_finish (&run, 0.1);
  fluence_expect_balance (&run);
  fluence_clear (&run);
  g_string_free (text, TRUE);
}

/* A file of skin with thicknesses, coefficients or both in mm. */
static void
test_units (void)
{
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");

  for (int i = 0; i < 4; i++)
    for (int rows = 2; rows <= 7; rows++)
      {
        GString *text = g_string_new (NULL);
        VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
        g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
        double factor = i & 1 ? 0.1 : 1, length = i & 2 ? 10 : 1;

        vg_param_parse (layers, params, "skin_600nm", NULL);
        g_string_printf (text, HEAD "10\n0.1 0.01\n100 20 3\n%d\n1.0\n", rows);
        for (int l = 7 - rows; l < 7; l++)
          {
            const double *v = params->layers->values + l * VG_FLUENCE_COLUMNS;

            g_string_append_printf (text, "%g %g %g %g %g\n", v[0], factor * v[1], factor * v[2],
                                    v[3], length * v[4]);
          }
        g_string_append (text, "1.0\n");
        g_assert_cmpint (fluence_read ("skin.mci", text->str, text->len, 0, params, notes, NULL),
                         ==, 1);
        if (i == 0)
          g_assert_cmpuint (notes->len, ==, 0);
        else
          {
            g_test_message ("%s", (const char *) notes->pdata[0]);
            g_assert_cmpuint (notes->len, >, 0);
            g_assert_true (g_str_has_prefix (notes->pdata[0], "skin.mci:"));
            g_assert_nonnull (strstr (notes->pdata[0], "mm"));
          }
        g_string_free (text, TRUE);
        free_params (params);
      }
}

/* Ten thousand runs are read once, not once for each run. */
static void
test_many_runs (void)
{
  GString *text = g_string_new ("1.0\n10000\n");
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  g_autoptr (GPtrArray) runs = NULL;
  gint64 start;

  for (int i = 0; i < 10000; i++)
    g_string_append_printf (text, "run%d.mco A\n%d\n" GRID TISSUE, i, i + 1);
  start = g_get_monotonic_time ();
  runs = vg_fluence_read_settings ("many.mci", text->str, text->len, params, NULL);
  g_test_message ("%.2f s", (double) (g_get_monotonic_time () - start) * 1e-6);
  g_assert_nonnull (runs);
  g_assert_cmpuint (runs->len, ==, 10000);
  for (guint i = 0; i < runs->len; i += 1111)
    {
      const VgSettingsRun *run = runs->pdata[i];
      g_autofree char *name = g_strdup_printf ("run%u.mco", i);

      g_assert_cmpstr (run->name, ==, name);
      g_assert_cmpfloat (((VgFluenceParams *) run->params)->photons, ==, i + 1);
    }
  g_string_free (text, TRUE);
  free_params (params);
}

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

/* Fractions of light below 0 or above 1 are refused. */
static void
test_impossible (void)
{
  static const char *const wrong[][2] = {
    { "0.1\n-0.2\n0.3\n0.4\nA_rz\n1 2 3\n4\n", "o.mco:13: number 2 of RAT is -0.2" },
    { "0.1\n0.2\n0.3\n0.5\nA_rz\n1 2 3\n4\n", "o.mco:15: RAT has 0.1, 0.2, 0.3 and 0.5" },
    { "0.1\n0.2\n0.3\n0.4\nA_rz\n1 2 3\n-4\n", "o.mco:18: number 4 of A_rz is -4" },
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
  g_assert_nonnull (strstr (error->message, "o.mco:18: A_rz should have 4 numbers; after 4 comes"));
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
  g_test_add_func ("/fluence/mci/refused", test_refused);
  g_test_add_func ("/fluence/mci/read", test_read);
  g_test_add_func ("/fluence/mci/runs", test_runs);
  g_test_add_func ("/fluence/mci/names", test_names);
  g_test_add_func ("/fluence/mci/notes", test_notes);
  g_test_add_func ("/fluence/mci/many-layers", test_many_layers);
  g_test_add_func ("/fluence/mci/units", test_units);
  g_test_add_func ("/fluence/mci/many-runs", test_many_runs);
  g_test_add_func ("/fluence/mco/impossible", test_impossible);
  g_test_add_func ("/fluence/mco/write", test_write);
  g_test_add_func ("/fluence/mco/damaged", test_damaged);
  g_test_add_func ("/fluence/mco/missing", test_missing);
  g_test_add_func ("/fluence/mco/repeat", test_repeat);
  g_test_add_func ("/fluence/mco/light", test_light);
  g_test_add_func ("/fluence/written-settings", test_written_settings);
  return g_test_run ();
}
