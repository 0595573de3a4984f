/* SPDX-License-Identifier: MIT */
/* Parameters of every kind: numbers, text, conditions, whole structs. */
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-param.h"
#include <math.h>
#include <string.h>

typedef struct
{
  int method, radius, baseline;
  gboolean correct;
  float exposure_ms, third;
  double photons;
  char *dark_frame, *response;
  VgRegion *artery;
  VgTable *layers, *seeds;
} Params;

static const char *const methods[] = { "spatial", "temporal", "spatio_temporal", NULL };
static const VgColumn layer_columns[] = {
  { "n", "Refractive index", "", 1.4, 1, 4 },
  { "mua", "Absorption", "1/cm", 1, 0, 1e4 },
  { NULL },
};
static const VgColumn seed_columns[] = { { "x", "X", "px", 0, 0, 1e6 }, { NULL } };
static const VgPreset layer_presets[] = {
  { "skin", "Skin", "A book", "1.4,0.1;1.37,2.5" },
  { "water", "Water", "A paper", "1.33,0" },
  { NULL },
};

static const VgCondition radius_is_3 = { "radius", 1u << 3 };
static const VgParam items[] = {
  VG_CHOICE_PARAM (Params, method, .label = "Method", .choices = methods, .def = 1),
  VG_INT_PARAM (Params, radius, .label = "Radius", .unit = "px", .def = 2, .min = 1, .max = 15,
                .shown_when = { "method", 1 << 0 | 1 << 2 }),
  VG_ACTION_PARAM (Params, baseline, .label = "Baseline"),
  VG_BOOL_PARAM (Params, correct, .label = "Correct", .def = 1),
  VG_FLOAT_PARAM (Params, exposure_ms, .label = "Exposure", .unit = "ms", .def = 5, .min = 0.1,
                  .max = 1000, .shown_when = { "correct", 1 << 1, &radius_is_3 }),
  VG_FLOAT_PARAM (Params, third, .label = "Third", .def = 0.1, .min = -1.0 / 3, .max = 1.0 / 3),
  VG_DOUBLE_PARAM (Params, photons, .label = "Photons", .def = 1e6, .min = 1, .max = 1e15),
  VG_FILE_PARAM (Params, dark_frame, .label = "Dark frame"),
  VG_FILE_PARAM (Params, response, .label = "Response", .file.or_region = VG_FILE_REGION),
  VG_REGION_PARAM (Params, artery, .label = "Artery"),
  VG_TABLE_PARAM (Params, layers, .label = "Layers", .table.columns = layer_columns,
                  .table.presets = layer_presets, .table.max_rows = 5),
  VG_TABLE_PARAM (Params, seeds, .label = "Seeds", .table.columns = seed_columns),
};
static const VgParamTable table = { items, G_N_ELEMENTS (items), sizeof (Params) };

static const VgParam *
find (const char *id)
{
  const VgParam *param = vg_params_find (&table, id);

  g_assert_nonnull (param);
  return param;
}

static void
test_defaults (void)
{
  Params *params = vg_params_new (&table);

  g_assert_cmpint (params->method, ==, 1);
  g_assert_cmpint (params->radius, ==, 2);
  g_assert_cmpint (params->baseline, ==, 0);
  g_assert_true (params->correct);
  g_assert_cmpfloat (params->exposure_ms, ==, 5);
  g_assert_cmpfloat (params->photons, ==, 1e6);
  g_assert_null (params->dark_frame);
  g_assert_null (params->artery);
  g_assert_null (params->seeds);
  g_assert_cmpint (params->layers->rows, ==, 2);
  g_assert_cmpfloat (params->layers->values[3], ==, 2.5);
  vg_params_free (&table, params);
  vg_params_free (&table, NULL);
}

static char *
random_name (void)
{
  GString *name = g_string_new ("/");

  for (int n = g_test_rand_int_range (0, 40); n >= 0; n--)
    g_string_append_c (name, (char) g_test_rand_int_range (32, 127));
  return g_string_free (name, FALSE);
}

static VgTable *
random_table (const VgParam *param)
{
  int columns = param->id[0] == 'l' ? 2 : 1;
  VgTable *random = vg_table_new (g_test_rand_int_range (1, 6), columns);

  for (int i = 0; i < random->rows * columns; i++)
    random->values[i] = g_test_rand_double_range (param->table.columns[i % columns].min,
                                                  param->table.columns[i % columns].max);
  return random;
}

static VgRegion *
random_region (void)
{
  VgRegion region = { .kind = VG_REGION_POLYGON, .n_points = g_test_rand_int_range (3, 20) };

  for (int i = 0; i < region.n_points; i++)
    {
      region.x[i] = g_test_rand_double_range (-100, 5000);
      region.y[i] = g_test_rand_double_range (-100, 5000);
    }
  return g_memdup2 (&region, sizeof region);
}

/* A value inside the hard range for every parameter. */
static void
randomise (Params *params)
{
  params->method = g_test_rand_int_range (0, 3);
  params->radius = g_test_rand_int_range (1, 16);
  params->baseline = g_test_rand_int_range (0, G_MAXINT);
  params->correct = g_test_rand_bit ();
  params->exposure_ms = (float) g_test_rand_double_range (0.1, 1000);
  params->third = g_test_rand_bit () ? (float) (1.0 / 3)
                                     : (float) g_test_rand_double_range (-1.0 / 3, 1.0 / 3);
  params->photons = exp (g_test_rand_double_range (0, log (1e15)));
  g_free (params->dark_frame);
  params->dark_frame = g_test_rand_bit () ? random_name () : NULL;
  g_free (params->response);
  params->response = g_test_rand_bit () ? random_name () : g_strdup ("rect:1,2,3,4");
  g_free (params->artery);
  params->artery = g_test_rand_bit () ? random_region () : NULL;
  vg_table_free (params->layers);
  params->layers = random_table (find ("layers"));
  vg_table_free (params->seeds);
  params->seeds = g_test_rand_bit () ? random_table (find ("seeds")) : NULL;
}

static void
test_round_trip (void)
{
  for (int n = 0; n < 1000; n++)
    {
      Params *params = vg_params_new (&table), *back = vg_params_new (&table), *copy;

      randomise (params);
      copy = vg_params_copy (&table, params);
      g_assert_true (vg_params_equal (&table, params, copy));
      for (guint i = 0; i < G_N_ELEMENTS (items); i++)
        {
          g_autofree char *text = vg_param_format (&items[i], params);
          g_autoptr (GError) error = NULL;

          g_assert_true (vg_param_parse (&items[i], back, text, &error));
          g_assert_no_error (error);
        }
      g_assert_true (vg_params_equal (&table, params, back));
      vg_params_free (&table, params);
      g_assert_true (vg_params_equal (&table, copy, back));
      vg_params_free (&table, back);
      vg_params_free (&table, copy);
    }
}

static void
test_differences (void)
{
  const char *texts[] = { "spatial", "9",     "1",     "false",        "7.25",  "0.25",
                          "12",      "a.tif", "b.csv", "rect:0,0,1,1", "water", "5" };

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      Params *a = vg_params_new (&table), *b = vg_params_new (&table);

      g_assert_true (vg_params_equal (&table, a, b));
      g_assert_true (vg_param_parse (&items[i], b, texts[i], NULL));
      g_assert_false (vg_params_equal (&table, a, b));
      vg_params_free (&table, a);
      vg_params_free (&table, b);
    }
}

typedef struct
{
  const char *id, *text, *says;
} Refusal;

static const Refusal refusals[] = {
  { "radius", "", "1 to 15 px" },
  { "radius", "0", "out of range" },
  { "radius", "16", "1 to 15 px" },
  { "radius", "2.5", "whole" },
  { "radius", "3x", "not a number" },
  { "radius", "nan", "not a number" },
  { "radius", "1e400", "not a number" },
  { "radius", "99999999999999999999", "out of range" },
  { "baseline", "-1", "out of range" },
  { "baseline", "3e9", "out of range" },
  { "exposure_ms", "1,5", "0.1 to 1000 ms" },
  { "exposure_ms", "inf", "not a number" },
  { "exposure_ms", "0.0999", "\"0.0999\"" },
  { "exposure_ms", "1000.001", "out of range" },
  { "exposure_ms", "-5", "out of range" },
  { "exposure_ms", "0x10", "not a number" },
  { "third", "0.34", "out of range" },
  { "photons", "0", "1 to 1e+15" },
  { "photons", "1 2", "not a number" },
  { "correct", "maybe", "true, false" },
  { "correct", "", "true, false" },
  { "correct", "2", "true, false" },
  { "method", "spatal", "did you mean spatial?" },
  { "method", "0", "spatial, temporal, spatio_temporal" },
  { "method", "", "spatial, temporal" },
  { "method", "Temporel\n", "did you mean temporal?" },
  { "artery", "rect:1,2,3", "artery: " },
  { "artery", "none", "rect:X,Y,W,H" },
  { "response", "rect:1,2,3", "response: " },
  { "response", "polygon:1,1", "3 points" },
  { "layers", "1.4,0.1;1.4", "row 2" },
  { "layers", "1.4,-1", "mua" },
  { "layers", "9,1", "1 to 4" },
  { "layers", "1.4,1;1.4,1;1.4,1;1.4,1;1.4,1;1.4,1", "at most 5" },
  { "layers", "skim", "no preset" },
  { "layers", "1.4,99999", "1/cm" },
};

static void
test_refused (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refusals); i++)
    {
      const Refusal *refusal = &refusals[i];
      Params *params = vg_params_new (&table), *before;
      g_autoptr (GError) error = NULL;

      randomise (params);
      before = vg_params_copy (&table, params);
      g_assert_false (vg_param_parse (find (refusal->id), params, refusal->text, &error));
      g_assert_error (error, VG_USAGE_ERROR, 0);
      g_assert_true (g_str_has_prefix (error->message, refusal->id));
      g_assert_null (strchr (error->message, '\n'));
      if (strstr (error->message, refusal->says) == NULL)
        g_error ("\"%s\" does not say \"%s\"", error->message, refusal->says);
      g_assert_true (vg_params_equal (&table, params, before));
      vg_params_free (&table, params);
      vg_params_free (&table, before);
    }
}

static void
test_accepted (void)
{
  Params *params = vg_params_new (&table);

  g_assert_true (vg_param_parse (find ("radius"), params, " 1.2e1 ", NULL));
  g_assert_cmpint (params->radius, ==, 12);
  g_assert_true (vg_param_parse (find ("correct"), params, "OFF", NULL));
  g_assert_false (params->correct);
  g_assert_true (vg_param_parse (find ("method"), params, "spatio-temporal", NULL));
  g_assert_cmpint (params->method, ==, 2);
  g_assert_true (vg_param_parse (find ("exposure-ms"), params, ".1", NULL));
  g_assert_cmpfloat (params->exposure_ms, ==, 0.1f);
  g_assert_true (vg_param_parse (find ("exposure_ms"), params, "1000", NULL));
  g_assert_true (vg_param_parse (find ("layers"), params, "water", NULL));
  g_assert_cmpint (params->layers->rows, ==, 1);
  g_assert_true (vg_param_parse (find ("layers"), params, "", NULL));
  g_assert_null (params->layers);
  g_assert_true (vg_param_parse (find ("artery"), params, "ellipse:5,5,2,2", NULL));
  g_assert_true (vg_param_parse (find ("artery"), params, " ", NULL));
  g_assert_null (params->artery);
  g_assert_true (vg_param_parse (find ("response"), params, "rectangles.csv", NULL));
  g_assert_cmpstr (params->response, ==, "rectangles.csv");
  g_assert_true (vg_param_parse (find ("response"), params, "", NULL));
  g_assert_null (params->response);
  vg_params_free (&table, params);
}

static void
test_numbers (void)
{
  Params *params = vg_params_new (&table);
  struct
  {
    const char *id;
    double set, get;
  } cases[] = {
    { "radius", 7.6, 8 },
    { "radius", -3, 1 },
    { "radius", 1e300, 15 },
    { "radius", INFINITY, 15 },
    { "radius", NAN, 15 },
    { "method", 5, 2 },
    { "method", -1, 0 },
    { "correct", 1, 1 },
    { "correct", 0, 0 },
    { "baseline", 1e12, G_MAXINT },
    { "exposure_ms", 0, (double) 0.1f },
    { "exposure_ms", INFINITY, 1000 },
    { "photons", 1e14 + 1, 1e14 + 1 },
    { "photons", NAN, 1e14 + 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      vg_param_set_number (find (cases[i].id), params, cases[i].set);
      g_assert_cmpfloat (vg_param_get_number (find (cases[i].id), params), ==, cases[i].get);
    }
  g_assert_true (isnan (vg_param_get_number (find ("layers"), params)));
  vg_params_free (&table, params);
}

static void
test_shown (void)
{
  Params *params = vg_params_new (&table);
  const VgCondition nothing = { 0 }, wrong = { "method", 1u << 2 };

  for (int method = 0; method < 3; method++)
    for (int correct = 0; correct < 2; correct++)
      for (int radius = 1; radius < 6; radius++)
        {
          params->method = method;
          params->correct = correct;
          params->radius = radius;
          g_assert_cmpint (vg_param_is_shown (&table, find ("radius"), params), ==, method != 1);
          /* hidden with the parameter that its condition names */
          g_assert_cmpint (vg_param_is_shown (&table, find ("exposure_ms"), params), ==,
                           correct && radius == 3 && method != 1);
          g_assert_true (vg_param_is_shown (&table, find ("method"), params));
          g_assert_true (vg_condition_holds (&table, &nothing, params));
          g_assert_cmpint (vg_condition_holds (&table, &wrong, params), ==, method == 2);
        }
  params->radius = 40;
  g_assert_false (vg_param_is_shown (&table, find ("exposure_ms"), params));
  vg_params_free (&table, params);
}

typedef struct
{
  gboolean a, b;
} Circle;
static const VgParam circle_items[] = {
  VG_BOOL_PARAM (Circle, a, .shown_when = { "b", 2 }),
  VG_BOOL_PARAM (Circle, b, .shown_when = { "a", 2 }),
};

static void
test_circle (void)
{
  const VgParamTable circle = { circle_items, 2, sizeof (Circle) };
  Circle params = { TRUE, TRUE };

  g_assert_true (vg_param_is_shown (&circle, &circle_items[0], &params));
  params.b = FALSE;
  g_assert_false (vg_param_is_shown (&circle, &circle_items[0], &params));
}

static void
test_words (void)
{
  struct
  {
    const char *id, *range;
  } ranges[] = {
    { "radius", "1 to 15 px" },
    { "exposure_ms", "0.1 to 1000 ms" },
    { "method", "spatial, temporal, spatio_temporal" },
    { "correct", "true, false" },
    { "dark_frame", "a file name" },
    { "layers",
      "rows of n (1 to 4), mua (0 to 10000 1/cm); at most 5 rows; or one of skin, water" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autofree char *text = vg_param_range_text (find (ranges[i].id));

      g_assert_cmpstr (text, ==, ranges[i].range);
    }
  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    {
      g_autofree char *option = vg_param_option_name (&items[i]);

      g_assert_null (strchr (option, '_'));
      g_assert_true (vg_params_find (&table, option) == &items[i]);
    }
  g_assert_null (vg_params_find (&table, "exposure"));
  g_assert_null (vg_params_find (&table, ""));
  g_assert_cmpstr (vg_params_nearest (&table, "exposure"), ==, "exposure_ms");
  g_assert_cmpstr (vg_params_nearest (&table, "dark-frme"), ==, "dark_frame");
  g_assert_null (vg_params_nearest (&table, "gaussian_blur"));
}

/* Names of several files, of which one has a ';' of its own. */
static void
test_files (void)
{
  static const VgParam list = { .id = "list", .kind = VG_PARAM_FILE, .file.multiple = TRUE },
                       one = { .id = "one", .kind = VG_PARAM_FILE };
  static const char *const names[] = { "/a;b/1.nii", "/a\\b/2.nii", ";", NULL };
  g_autofree char *text = vg_param_join_files (&list, names),
                  *alone = vg_param_join_files (&one, (const char *const[]){ "/a;b", NULL });
  g_auto (GStrv) back = vg_param_split_files (&list, text),
                 spaced = vg_param_split_files (&list, " ;/x ; ;y; ");
  g_auto (GStrv) single = vg_param_split_files (&one, alone);

  g_assert_cmpstr (text, ==, "/a\\;b/1.nii;/a\\b/2.nii;\\;");
  g_assert_true (g_strv_equal ((const char *const *) back, names));
  g_assert_true (
      g_strv_equal ((const char *const *) spaced, (const char *const[]){ "/x", "y", NULL }));
  g_assert_cmpstr (alone, ==, "/a;b");
  g_assert_true (
      g_strv_equal ((const char *const *) single, (const char *const[]){ "/a;b", NULL }));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/param/defaults", test_defaults);
  g_test_add_func ("/param/round-trip", test_round_trip);
  g_test_add_func ("/param/differences", test_differences);
  g_test_add_func ("/param/refused", test_refused);
  g_test_add_func ("/param/accepted", test_accepted);
  g_test_add_func ("/param/numbers", test_numbers);
  g_test_add_func ("/param/shown", test_shown);
  g_test_add_func ("/param/circle", test_circle);
  g_test_add_func ("/param/files", test_files);
  g_test_add_func ("/param/words", test_words);
  return g_test_run ();
}
