/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-study-tables.h"
#include <math.h>
#include "io/source/vg-json.h"
#include "kernels/base/vg-text.h"

GString *
vg_study_regions_new (void)
{
  return g_string_new ("name,run,file,region,quantity,unit,value,standard error,voxels,advice\n");
}

GString *
vg_study_notes_new (void)
{
  return g_string_new ("name,run,file,note\n");
}

/* Element I, if it is a text; else NULL. */
static const char *
get_text (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

static JsonObject *
get_object (JsonArray *array, guint i)
{
  JsonNode *node = json_array_get_element (array, i);

  return JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* The cells that name the run and its first file, and a comma. */
static void
begin_line (GString *text, const char *name, guint run, JsonObject *summary)
{
  JsonArray *inputs = vg_json_get_array (summary, "inputs");
  const char *file = inputs != NULL && json_array_get_length (inputs) > 0 ? get_text (inputs, 0)
                                                                          : NULL;

  vg_text_append_cell (text, name);
  g_string_append_c (text, ',');
  if (run > 0)
    g_string_append_printf (text, "%u", run);
  g_string_append_c (text, ',');
  if (file != NULL)
    vg_text_append_cell (text, file);
  g_string_append_c (text, ',');
}

static void
append_number (GString *text, double value)
{
  g_string_append_c (text, ',');
  if (isfinite (value))
    vg_text_append_number (text, value);
}

void
vg_study_regions_add (GString *self, const char *name, guint run, JsonObject *summary)
{
  JsonArray *regions = vg_json_get_array (summary, "regions");

  for (guint i = 0; regions != NULL && i < json_array_get_length (regions); i++)
    {
      JsonObject *region = get_object (regions, i), *values = vg_json_get_object (region, "values");
      g_autoptr (GList) ids = values != NULL ? json_object_get_members (values) : NULL;
      const char *called = vg_json_get_text (region, "name"),
                 *advice = vg_json_get_text (region, "advice");

      for (GList *l = ids; l != NULL && called != NULL; l = l->next)
        {
          JsonObject *value = vg_json_get_object (values, l->data);
          const char *unit = value != NULL ? vg_json_get_text (value, "unit") : NULL;

          if (value == NULL)
            continue;
          begin_line (self, name, run, summary);
          vg_text_append_cell (self, called);
          g_string_append_printf (self, ",%s,", (const char *) l->data);
          vg_text_append_cell (self, unit != NULL ? unit : "");
          append_number (self, vg_json_get_number (value, "value"));
          append_number (self, vg_json_get_number (value, "error"));
          append_number (self, vg_json_get_number (region, "voxels"));
          g_string_append_c (self, ',');
          if (advice != NULL)
            vg_text_append_cell (self, advice);
          g_string_append_c (self, '\n');
        }
    }
}

void
vg_study_notes_add (GString *self, const char *name, guint run, JsonObject *summary)
{
  JsonArray *notes = vg_json_get_array (summary, "notes");

  for (guint i = 0; notes != NULL && i < json_array_get_length (notes); i++)
    {
      const char *note = get_text (notes, i);

      if (note == NULL)
        continue;
      begin_line (self, name, run, summary);
      vg_text_append_cell (self, note);
      g_string_append_c (self, '\n');
    }
}
