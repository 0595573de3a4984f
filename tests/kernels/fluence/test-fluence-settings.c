/* SPDX-License-Identifier: MIT */
/* Settings: derived values, hints at mistakes, the overlay, and names of layers. */
#include "tests/kernels/fluence/support/fluence-text.h"
#include "kernels/fluence/model/fluence-names.h"

/* The grid fits the layers until a bin size is set, or comes from a file. */
static void
test_follow (void)
{
  const VgParamTable *table = &vg_fluence_operation.params;
  const VgParam *layers = vg_params_find (table, "layers"), *nz = vg_params_find (table, "nz");
  VgFluenceParams *params = vg_params_new (table);
  g_autofree gboolean *changed = g_new0 (gboolean, table->n_items);
  g_autoptr (GError) error = NULL;

  for (const VgPreset *preset = layers->table.presets; preset->id != NULL; preset++)
    {
      double depth = 0;

      vg_param_parse (layers, params, preset->id, NULL);
      changed[layers - table->items] = VG_CHANGED_TO_PRESET;
      vg_fluence_operation.on_params_changed (params, changed);
      for (int l = 0; l < params->layers->rows; l++)
        depth += params->layers->values[l * VG_FLUENCE_COLUMNS + VG_FLUENCE_D];
      g_assert_cmpfloat (params->nz * params->dz_cm, <, 1.05 * depth);
      g_assert_cmpfloat (params->nz * params->dz_cm, >=,
                         depth < VG_FLUENCE_DEEP_CM ? depth * (1 - 1e-9) : 0.25);
      g_assert_cmpint (params->nz, >=, 100);
      g_assert_cmpint (params->nz, <=, 251);
    }
  changed[layers - table->items] = FALSE;
  changed[nz - table->items] = TRUE;
  params->nz = 77;
  vg_fluence_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->grid, ==, VG_FLUENCE_GRID_SET);
  changed[layers - table->items] = TRUE;
  vg_fluence_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->nz, ==, 77);
  changed[nz - table->items] = FALSE;
  free_params (params);
  params = expect_read (HEAD "10\n" GRID TISSUE, 1);
  vg_fluence_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->nz, ==, 10);
  /* also if an edit gives the layers of a preset */
  params->n_above = 1.33;
  vg_param_parse (layers, params, "skin_600nm", NULL);
  vg_fluence_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->nz, ==, 10);
  g_assert_cmpfloat (params->n_above, ==, 1.33);
  /* but choosing a preset sets its own grid */
  g_assert_true (vg_param_is_preset (layers, "skin-600nm") &&
                 !vg_param_is_preset (layers, layers->table.presets[0].text));
  changed[layers - table->items] = VG_CHANGED_TO_PRESET;
  g_assert_false (vg_param_parse (layers, params, "nosuch", &error));
  g_assert_nonnull (strstr (error->message, "no preset \"nosuch\"; choose skin_600nm, "));
  vg_fluence_operation.on_params_changed (params, changed);
  g_assert_cmpint (params->grid, ==, VG_FLUENCE_GRID_FITS);
  g_assert_cmpfloat_with_epsilon (params->nz * params->dz_cm, 0.8, 1e-9);
  g_assert_cmpfloat (params->n_above, ==, 1);
  free_params (params);
}

/* An edit of a coefficient keeps the bins; another thickness changes them. */
static void
test_follow_edits (void)
{
  static const char *const presets[] = { NULL, "skin_600nm", "liver_635nm_marchesini_1989" };
  const VgParamTable *table = &vg_fluence_operation.params;
  const VgParam *layers = vg_params_find (table, "layers");
  g_autofree gboolean *changed = g_new0 (gboolean, table->n_items);

  for (guint i = 0; i < G_N_ELEMENTS (presets); i++)
    {
      VgFluenceParams *params = vg_params_new (table);
      double *bottom;
      int nz;

      changed[layers - table->items] = VG_CHANGED_TO_PRESET;
      if (presets[i] != NULL)
        {
          vg_param_parse (layers, params, presets[i], NULL);
          vg_fluence_operation.on_params_changed (params, changed);
        }
      changed[layers - table->items] = TRUE;
      bottom = params->layers->values + (params->layers->rows - 1) * VG_FLUENCE_COLUMNS;
      nz = params->nz;
      for (int step = 0; step < 3; step++)
        {
          bottom[VG_FLUENCE_MUA] *= 1.1;
          bottom[VG_FLUENCE_MUS] *= 1.1;
          vg_fluence_operation.on_params_changed (params, changed);
          g_assert_cmpint (params->nz, ==, nz);
          g_assert_cmpint (params->nr, ==, nz);
        }
      bottom[VG_FLUENCE_D] = 5;
      vg_fluence_operation.on_params_changed (params, changed);
      g_assert_cmpfloat (params->nz * params->dz_cm, >=, 5 * (1 - 1e-9));
      free_params (params);
    }
}

/* Values that are likely mistakes. */
static void
test_suspect (void)
{
  static const char *const odd[] = { "1,0.1,1,0.9,1", "5,1,100,0.9,1", "0.1,1.4,10,0.9,1",
                                     "1.4,300,1,0.9,0.1" };
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");
  g_autofree gboolean *changed = g_new0 (gboolean, vg_fluence_operation.params.n_items);
  char *hint;

  changed[layers - vg_fluence_operation.params.items] = VG_CHANGED_TO_PRESET;
  for (const VgPreset *preset = layers->table.presets; preset->id != NULL; preset++)
    {
      vg_param_parse (layers, params, preset->id, NULL);
      vg_fluence_operation.on_params_changed (params, changed);
      g_assert_null (vg_fluence_hints_text (params));
    }
  params->dz_cm = params->dr_cm = 0.01;
  params->nz = params->nr = 200;
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      vg_param_parse (layers, params, odd[i], NULL);
      hint = vg_fluence_hints_text (params);
      g_assert_nonnull (hint);
      g_free (hint);
    }
  /* light passes any clear layer, and one thick layer may mean a half space */
  vg_param_parse (layers, params, "1,0,0,1,1e8;1,10,90,0.75,0.02", NULL);
  g_assert_null (vg_fluence_hints_text (params));
  vg_param_parse (layers, params, "1.33,0.015,707.7,0.87,100", NULL);
  params->reflectance_only = TRUE;
  g_assert_null (vg_fluence_hints_text (params));
  free_params (params);
}

/* The overlay has a line at the top of each layer and at the bottom, and the light source. */
static void
test_overlay (void)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");
  static const double depths[] = { 0, 0.1, 0.35 };
  static const char *const labels[] = { "1", "2 (clear)", NULL };
  g_autoptr (VgOverlay) overlay = NULL, copy = NULL, other = NULL;
  double sum = 0;

  vg_param_parse (layers, params, "1.4,1,100,0.9,0.1;1.5,0,0,0,0.25", NULL);
  params->beam = VG_FLUENCE_GAUSSIAN;
  params->beam_radius_cm = 0.2;
  overlay = vg_fluence_overlay (params, NULL, 0);
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);

      g_assert_cmpint (item->kind, ==, VG_OVERLAY_LINE);
      g_assert_cmpfloat_with_epsilon (item->y[0], depths[i], 1e-12);
      g_assert_true (item->y[0] == item->y[1] && isinf (item->x[0]) && isinf (item->x[1]));
      g_assert_cmpstr (item->label, ==, labels[i]);
    }
  for (guint i = G_N_ELEMENTS (depths); i < overlay->items->len; i++)
    {
      const VgOverlayItem *item = &g_array_index (overlay->items, VgOverlayItem, i);

      g_assert_cmpint (item->kind, ==, VG_OVERLAY_ARROW);
      g_assert_cmpfloat_with_epsilon (item->size, exp (-2 * item->x[0] * item->x[0] / 0.04), 1e-12);
      sum += item->x[0];
    }
  g_assert_cmpfloat_with_epsilon (sum, 0, 1e-12);
  /* a fit shows the tissue, and twice its depth beside the beam */
  g_assert_cmpfloat_with_epsilon (overlay->fit[0], 0.2 + 2 * 0.35, 1e-6);
  g_assert_cmpfloat_with_epsilon (overlay->fit[1], 0.35, 1e-6);
  copy = vg_overlay_copy (overlay);
  g_assert_true (vg_overlay_equal (overlay, copy));
  copy->fit[1] = 1;
  g_assert_false (vg_overlay_equal (overlay, copy));
  params->beam = VG_FLUENCE_POINT;
  vg_param_parse (layers, params, "1.4,1,100,0.9,1e8", NULL); /* no bottom */
  other = vg_fluence_overlay (params, NULL, 0);
  g_assert_false (vg_overlay_equal (overlay, other));
  g_assert_cmpuint (other->items->len, ==, 2);
  g_assert_cmpint (g_array_index (other->items, VgOverlayItem, 1).kind, ==, VG_OVERLAY_POINT);
  g_assert_cmpfloat (g_array_index (other->items, VgOverlayItem, 1).y[0], ==,
                     params->source_depth_cm);
  free_params (params);
}

static void
expect_names (const VgFluenceParams *params, const char *expected)
{
  g_auto (GStrv) names = vg_fluence_names_get (params);
  g_autofree char *all = g_strjoinv ("|", names);

  g_assert_cmpstr (all, ==, expected);
}

/* Names of layers come from an .mci file's comments or a preset, and remain when layers are moved
 * or edited. */
static void
test_layer_names (void)
{
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");
  VgFluenceParams *params = expect_read (
      HEAD "10\n" GRID
           "4\n1.0 # air\n1.4 1 100 0.9 0.1\t# layer 1: top\t skin\n1.5 1 90 0.9 0.1 # layer 2\n"
           "1.3 1 80 0.9 0.1 #d\xe9rme \n1.3 1 70 0.9 0.1#fat\n1.0\n",
      1);
  g_autoptr (VgOverlay) overlay = vg_fluence_overlay (params, NULL, 0);

  expect_names (params, "top  skin||d\357\277\275rme|fat");
  g_assert_cmpstr (g_array_index (overlay->items, VgOverlayItem, 0).label, ==, "1 top  skin");
  g_assert_cmpstr (g_array_index (overlay->items, VgOverlayItem, 1).label, ==, "2");
  vg_param_parse (layers, params,
                  "1.3,1,70,0.9,0.1;1.4,1,100,0.9,0.1;1.5,1,90,0.9,0.1;1.3,1,80,0.9,0.1", NULL);
  expect_names (params, "fat|top  skin||d\357\277\275rme");
  vg_param_parse (layers, params,
                  "1.4,7,100,0.9,0.1;1.5,1,90,0.9,0.1;1.3,1,80,0.9,0.1;1.3,1,70,0.9,0.1", NULL);
  expect_names (params, "top  skin||d\357\277\275rme|fat"); /* edited */
  vg_param_parse (layers, params, "1.4,7,100,0.9,0.1;1.3,1,70,0.9,0.1", NULL);
  expect_names (params, "|fat");
  vg_param_parse (layers, params, "head_neurophotonics_2014", NULL); /* none of the file's */
  expect_names (params, "scalp|skull|fluid|brain");
  vg_param_parse (
      layers, params,
      "1.4,0.2,78,0.89,0.3;1.4,0.116,78,0.89,0.7;1.33,0.04,0.09,0.89,0.2;1.4,0.178,91,0.89,1e8",
      NULL);
  expect_names (params, "scalp|skull|fluid|brain");
  vg_param_parse (layers, params, "1.4,0.2,78,0.89,0.4", NULL);
  expect_names (params, "");
  free_params (params);
}

/* A plot without curves states which setting it needs. */
static void
test_needs (void)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);

  for (guint i = 0; i < vg_fluence_operation.n_plots; i++)
    {
      g_autofree char *needs = vg_operation_plot_needs (&vg_fluence_operation, i, params),
                      *other = NULL;

      g_assert_cmpstr (needs, ==,
                       g_str_equal (vg_fluence_operation.plots[i].id, "time")
                           ? "Turn on Time gates in the settings to plot this."
                           : NULL);
      params->time_resolved = params->reflectance_only = TRUE;
      other = vg_operation_plot_needs (&vg_fluence_operation, i, params);
      g_assert_cmpstr (other, ==,
                       i == 0 ? "Turn off Reflectance only in the settings to plot this." : NULL);
      params->time_resolved = params->reflectance_only = FALSE;
    }
  free_params (params);
}

/* One layer of a tissue in 1/mm among others in 1/cm, whichever it is. */
static void
test_one_in_mm (void)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  const VgParam *layers = vg_params_find (&vg_fluence_operation.params, "layers");
  g_autofree gboolean *changed = g_new0 (gboolean, vg_fluence_operation.params.n_items);

  changed[layers - vg_fluence_operation.params.items] = VG_CHANGED_TO_PRESET;
  vg_param_parse (layers, params, "skin_600nm", NULL);
  vg_fluence_operation.on_params_changed (params, changed);
  for (int l = 0; l < params->layers->rows; l++)
    {
      double *row = params->layers->values + l * VG_FLUENCE_COLUMNS;
      g_autofree char *begins = g_strdup_printf ("Layer %d scatters", l + 1), *hint = NULL;

      row[VG_FLUENCE_MUA] /= 10.0;
      row[VG_FLUENCE_MUS] /= 10.0;
      hint = vg_fluence_hints_text (params);
      g_test_message ("%s", hint != NULL ? hint : "none");
      g_assert_nonnull (hint);
      g_assert_true (g_str_has_prefix (hint, begins));
      g_assert_nonnull (strstr (hint, "1/mm"));
      g_assert_null (strchr (hint, '\n'));
      row[VG_FLUENCE_MUA] *= 10.0;
      row[VG_FLUENCE_MUS] *= 10.0;
    }
  free_params (params);
}

/* Hints at a grid that does not fit the tissue or the beam. */
static void
test_map_hints (void)
{
  static const struct
  {
    const char *settings[9], *words;
  } cases[] = {
    { { "layers", "1,10,90,0.75,0.02", "nz", "20", "beam", "flat", "beam_radius_cm", "5", NULL },
      "The beam has a radius of 5 cm, but the map ends" },
    { { "layers", "1,10,90,0.75,0.02", "nz", "20", "beam", "ring", "beam_radius_cm", "2", NULL },
      "but the map ends at 2 cm. Set" },
    { { "layers", "1,10,90,0.75,0.02", "nz", "20", "beam", "gaussian", "beam_radius_cm", "1.9",
        NULL },
      NULL },
    { { "layers", "1,10,90,0.75,0.02", "nz", "20", "beam", "pencil", "beam_radius_cm", "5", NULL },
      NULL },
    { { "layers", "1.38,2.3,313,0.68,1e8", "nz", "10", NULL },
      "The map ends at a depth of 0.02 cm, but light reaches 0.0376 cm" },
    { { "layers", "1.38,2.3,313,0.68,1e8", "nz", "20", NULL }, NULL },
    { { "layers", "1.4,1,100,0.9,0.5;1.38,2.3,313,0.68,1e8", "nz", "250", NULL },
      "light reaches 0.538 cm" },
    { { "layers", "1.38,2.3,313,0.68,1e8", "nz", "10", "reflectance_only", "true", NULL }, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
      g_autofree char *hint = NULL;

      params->dz_cm = 0.002;
      params->dr_cm = 0.01;
      params->nr = 200;
      fluence_set (params, cases[i].settings);
      hint = vg_fluence_hints_text (params);
      g_test_message ("%u: %s", i, hint != NULL ? hint : "none");
      g_assert_true (cases[i].words == NULL
                         ? hint == NULL
                         : hint != NULL && strstr (hint, cases[i].words) != NULL);
      free_params (params);
    }
}

static void
test_validate (void)
{
  VgFluenceParams *params = vg_params_new (&vg_fluence_operation.params);
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_fluence_validate (params, &error));
  params->nz = params->nr = VG_FLUENCE_MAX_BINS;
  g_assert_false (vg_fluence_validate (params, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_clear_error (&error);
  params->nz = params->nr = 10;
  g_clear_pointer (&params->layers, vg_table_free);
  g_assert_false (vg_fluence_validate (params, &error));
  g_clear_error (&error);
  free_params (params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/fluence/follow", test_follow);
  g_test_add_func ("/fluence/follow-edits", test_follow_edits);
  g_test_add_func ("/fluence/suspect", test_suspect);
  g_test_add_func ("/fluence/overlay", test_overlay);
  g_test_add_func ("/fluence/layer-names", test_layer_names);
  g_test_add_func ("/fluence/map-hints", test_map_hints);
  g_test_add_func ("/fluence/one-layer-in-mm", test_one_in_mm);
  g_test_add_func ("/fluence/validate", test_validate);
  g_test_add_func ("/fluence/plot-needs", test_needs);
  return g_test_run ();
}
