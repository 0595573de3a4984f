/* SPDX-License-Identifier: MIT */
#include "app/reading/vg-compared-run.h"
#include <math.h>
#include <string.h>
#include "app/provenance/vg-json-parameters.h"
#include "app/reading/vg-region-sums.h"
#include "app/region/vg-region-group.h"
#include "io/source/vg-json.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

enum { MOST_BYTES = 64 << 20, MOST_SETTINGS = 12 };

/* The summary at PATH, owned, and its regions, borrowed from it. */
static JsonNode *
load (const char *path, const VgOperation *operation, JsonArray **regions, GError **error)
{
  g_autofree char *file = g_file_test (path, G_FILE_TEST_IS_DIR)
                              ? g_build_filename (path, "summary.json", NULL)
                              : g_strdup (path);
  g_autoptr (JsonNode) summary = vg_json_load (file, MOST_BYTES);
  JsonObject *object = summary != NULL ? json_node_get_object (summary) : NULL;
  const char *id = vg_json_get_text (object, "operation");

  *regions = vg_json_get_array (object, "regions");
  if (id == NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" is not the summary.json of a run; give this file of the other run, or its "
                 "folder",
                 file);
  else if (strcmp (id, operation->id) != 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" is of a run of %s, not of %s; give a run of the same operation", file, id,
                 operation->id);
  else if (*regions == NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" has no fits of regions; compute that run again with --rois or --report",
                 file);
  else
    return g_steal_pointer (&summary);
  return NULL;
}

gboolean
vg_compared_run_check (const char *path, const VgOperation *operation, GError **error)
{
  JsonArray *regions;
  g_autoptr (JsonNode) summary = load (path, operation, &regions, error);

  return summary != NULL;
}

/* The values of the region called NAME; NULL: there is no such region. */
static JsonObject *
find_values (JsonArray *regions, const char *name)
{
  for (guint i = 0; i < json_array_get_length (regions); i++)
    {
      JsonNode *node = json_array_get_element (regions, i);
      JsonObject *region = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;

      if (g_strcmp0 (vg_json_get_text (region, "name"), name) == 0)
        return vg_json_get_object (region, "values");
    }
  return NULL;
}

static void
add_row (GString *csv, const VgRegionSum *sum, const char *label, const char *unit,
         const VgRegionFitted *fitted)
{
  const double numbers[] = {
    fitted->kept,  fitted->kept_error,           fitted->value,
    fitted->error, fitted->value - fitted->kept, vg_region_fitted_get_error (fitted)
  };
  const char *const texts[] = { sum->name, label, unit };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_string_append (csv, i > 0 ? "," : "");
      vg_text_append_cell (csv, texts[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_string_append_c (csv, ',');
      vg_text_append_number (csv, numbers[i]);
    }
  g_string_append_c (csv, '\n');
}

/* The quantities that have a standard error in both runs. */
static void
add_rows (GString *csv, VgWork *work, const VgRegionSum *sum, JsonObject *values)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const void *params = vg_work_get_params (work);

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];
      JsonObject *other = vg_json_get_object (values, output->id);
      const char *unit = vg_operation_output_unit (operation, i, params);
      const VgRegionFitted fitted = { .value = sum->values[i],
                                      .error = sum->errors[i],
                                      .kept = vg_json_get_number (other, "value"),
                                      .kept_error = vg_json_get_number (other, "error") };

      if (output->kind == VG_OUTPUT_MAP && vg_operation_output_is_shown (operation, i, params) &&
          g_strcmp0 (vg_json_get_text (other, "unit"), unit) == 0 && isfinite (fitted.value) &&
          isfinite (fitted.error) && isfinite (fitted.kept) && isfinite (fitted.kept_error))
        add_row (csv, sum, vg_operation_output_label (operation, i, params), unit, &fitted);
    }
}

char *
vg_compared_run_to_csv (const char *path, VgWork *work, const VgNamedRegion *const *regions,
                        GError **error)
{
  JsonArray *others;
  g_autoptr (JsonNode) summary = load (path, vg_work_get_operation (work), &others, error);
  g_autoptr (GPtrArray) sums = summary != NULL ? vg_region_sums_new (work, regions, error) : NULL;
  g_autoptr (GString) csv = g_string_new ("region,quantity,unit,before,before_error,now,now_error,"
                                          "change,change_error\n");

  for (guint i = 0; sums != NULL && i < sums->len; i++)
    {
      const VgRegionSum *sum = sums->pdata[i];
      JsonObject *values = find_values (others, sum->name);

      if (values != NULL)
        add_rows (csv, work, sum, values);
    }
  return sums != NULL ? g_string_free (g_steal_pointer (&csv), FALSE) : NULL;
}

/* The parameters of WORK as a summary has them. */
static JsonNode *
list_parameters (VgWork *work)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  vg_json_add_parameters (builder, vg_work_get_operation (work), vg_work_get_params (work));
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  return json_from_string (text, NULL); /* numbers get the types that those of a file have */
}

/* NODE as a note tells it, owned. */
static char *
describe (JsonNode *node)
{
  GString *text;

  if (JSON_NODE_HOLDS_NULL (node))
    return g_strdup ("not set");
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_DOUBLE)
    return json_to_string (node, FALSE);
  text = g_string_new (NULL);
  vg_text_append_number (text, json_node_get_double (node));
  return g_string_free (text, FALSE);
}

/* Names the settings that differ from OTHERS, the parameters of the other run.  Regions and files
 * are of the data. */
static void
add_settings_note (VgWork *work, JsonObject *others, GPtrArray *notes)
{
  const VgParamTable *table = &vg_work_get_operation (work)->params;
  g_autoptr (JsonNode) root = list_parameters (work);
  JsonObject *own = vg_json_get_object (json_node_get_object (root), "parameters");
  g_autoptr (GString) text = g_string_new (NULL);
  guint n = 0;

  for (guint i = 0; i < table->n_items && others != NULL; i++)
    {
      const VgParam *param = &table->items[i];
      JsonNode *now = json_object_get_member (own, param->id),
               *before = json_object_get_member (others, param->id);
      g_autofree char *now_text = now != NULL ? json_to_string (now, FALSE) : NULL,
                      *before_text = before != NULL ? json_to_string (before, FALSE) : NULL;

      if (param->kind == VG_PARAM_FILE || param->kind == VG_PARAM_REGION ||
          param->kind == VG_PARAM_ACTION || now == NULL || before == NULL ||
          !vg_param_is_shown (table, param, vg_work_get_params (work)) ||
          strcmp (now_text, before_text) == 0)
        continue;
      if (++n <= MOST_SETTINGS)
        {
          g_autofree char *old = describe (before), *new = describe (now);
          const char *unit = param->unit != NULL ? param->unit : "";

          g_string_append_printf (text, "%s%s %s, now %s%s%s", n > 1 ? "; " : "", param->label, old,
                                  new, *unit != '\0' ? " " : "", unit);
        }
    }
  if (n > MOST_SETTINGS)
    g_string_append_printf (text, "; and %u more", n - MOST_SETTINGS);
  if (n > 0)
    g_ptr_array_add (notes, g_strdup_printf ("The run to compare with has other settings, so a "
                                             "change may come from them: %s. Use the same "
                                             "settings for both runs.",
                                             text->str));
}

gboolean
vg_compared_run_add_notes (const char *path, VgWork *work, const VgNamedRegion *const *regions,
                           GPtrArray *notes, GError **error)
{
  JsonArray *others;
  g_autoptr (JsonNode) summary = load (path, vg_work_get_operation (work), &others, error);
  g_autoptr (GPtrArray) groups = vg_region_groups_new (regions, TRUE);
  gboolean any = FALSE;

  if (summary == NULL)
    return FALSE;
  for (guint i = 0; i < groups->len && !any; i++)
    any = find_values (others, ((const VgRegionGroup *) groups->pdata[i])->name) != NULL;
  if (!any)
    g_ptr_array_add (notes, g_strdup ("No region of this run has the name of a region of the run "
                                      "to compare with, so comparison.csv has only its heading. "
                                      "Give the regions the same names."));
  add_settings_note (work, vg_json_get_object (json_node_get_object (summary), "parameters"),
                     notes);
  return TRUE;
}
