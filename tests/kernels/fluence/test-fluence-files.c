/* SPDX-License-Identifier: MIT */
/* .mci files: files that MCML reads are read, invalid ones are refused with file and line, and
 * written files read back. */
#include "tests/kernels/fluence/support/fluence-text.h"
#include "kernels/fluence/model/fluence-names.h"

static void
expect_refused (const char *text, int line, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *place = g_strdup_printf ("\"dir/in.mci\", line %d:", line);
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
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 nan 0.9 0.1\n1.0\n", 9, "is not accepted");
  expect_refused (HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 inf\n1.0\n", 9, "1e8");
  expect_refused (HEAD "10\n" GRID "0\n1.0\n1.0\n", 7, "number of layers");
  expect_refused (HEAD "# Light: a Gaussian beam with 1/e^2 at 1e9 cm, 100 mW\n10\n" GRID TISSUE, 4,
                  "out of range");
  /* a layer is missing */
  expect_refused (HEAD "10\n" GRID "2\n1.0\n1.4 1 100 0.9 0.1\n1.0\n", 10, "order");
  /* swapped */
  expect_refused (HEAD "10\n" GRID "1\n1.4 1 100 0.9 0.1\n1.0\n1.0\n", 8,
                  "there is a layer instead");
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
    { HEAD "10\n" GRID TISSUE "x.mco A\n", "\"dir/in.mci\", line 11:", "ignored" },
    { HEAD "10\n" GRID "1\n1.0\n1.4 0.02 10 0.9 0.1\n1.0\n", "\"dir/in.mci\", line 9:", "1/mm" },
    { HEAD "10\n1 1\n10 20 3\n2\n1.0\n1.4 0.05 200 0.9 2\n\n1.4 0.07 200 0.8 5\n1.0\n",
      "\"dir/in.mci\", line 9:", "mm" },
    { HEAD "10\n1 1\n10 20 3\n1\n1.0\n1.4 0.7 200 0.76 5\n1.0\n", "\"dir/in.mci\", line 9:", "mm" },
    { HEAD "10\n1 1\n10 20 3\n1\n1.0\n1.4 0.07 20 0.8 5\n1.0\n", "\"dir/in.mci\", line 9:", "mm" },
    { HEAD "10\n" GRID "2\n1.0\n1.4 1 100 0.9 0.1\n# none\n1.4 1 100 0.9 0\n1.0\n",
      "\"dir/in.mci\", line 11:", "thickness of 0" },
    { HEAD "10\n" GRID "2\n1.0\n1.4 10 100 0.9 1e8\n1.4 1 100 0.9 1\n1.0\n",
      "\"dir/in.mci\", line 9:", "half-space" },
    { HEAD "10\n" GRID "1\n1.4\n1.0 1 100 0.9 0.1\n1.0\n", "\"dir/in.mci\", line 8:", "swapped" },
    { HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 0.1\n1.95\n", "\"dir/in.mci\", line 10:", "below" },
    { HEAD "10\n" GRID "1\n1.0\n1.4 1 100 0.9 1\n1.0\n",
      "\"dir/in.mci\", line 6:", "ends at a depth of 0.1 cm, but the tissue at 1 cm" },
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
            g_assert_true (g_str_has_prefix (notes->pdata[0], "\"skin.mci\","));
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
  g_test_add_func ("/fluence/written-settings", test_written_settings);
  return g_test_run ();
}
