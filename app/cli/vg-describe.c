/* SPDX-License-Identifier: MIT */
/* What an operation is, from its tables: plain text, the Markdown pages of
 * docs/operations, and JSON. */
#include "app/cli/vg-command.h"
#include "app/provenance/vg-json.h"

static const char *
kind_name (VgParamKind kind)
{
  static const char *const names[] = {
    [VG_PARAM_INT] = "whole number", [VG_PARAM_FLOAT] = "number",  [VG_PARAM_DOUBLE] = "number",
    [VG_PARAM_BOOL] = "on or off",   [VG_PARAM_CHOICE] = "choice", [VG_PARAM_ACTION] = "action",
    [VG_PARAM_FILE] = "file",        [VG_PARAM_REGION] = "region", [VG_PARAM_TABLE] = "table",
  };

  return names[kind];
}

static const char *
input_text (const VgOperation *operation)
{
  switch (operation->input.kind)
    {
    case VG_INPUT_STREAM:
      return "a stream of frames";
    case VG_INPUT_DATASET:
      return "a whole data set";
    case VG_INPUT_NONE:
      break;
    }
  return "none (a simulation)";
}

/* The default as text. */
static char *
default_text (const VgOperation *operation, const VgParam *param)
{
  void *params = vg_params_new (&operation->params);
  char *text = vg_param_format (param, params);

  vg_params_free (&operation->params, params);
  return text;
}

/* "method is temporal or spatio_temporal"; NULL: always. */
static char *
condition_text (const VgParamTable *table, const VgCondition *condition)
{
  static const char *const switch_names[] = { "off", "on", NULL }, *const given[] = { "not given",
                                                                                      "given",
                                                                                      NULL };
  const VgParam *param = condition->id == NULL ? NULL : vg_params_find (table, condition->id);
  const char *const *names;
  g_autoptr (GPtrArray) values = NULL;
  g_autofree char *list = NULL;

  if (param == NULL)
    return NULL;
  names = param->kind == VG_PARAM_CHOICE ? param->choices
          : param->kind == VG_PARAM_BOOL ? switch_names
                                         : given;
  values = g_ptr_array_new ();
  for (guint i = 0; names[i] != NULL; i++)
    if (condition->values >> i & 1)
      g_ptr_array_add (values, (gpointer) names[i]);
  g_ptr_array_add (values, NULL);
  list = g_strjoinv (" or ", (char **) values->pdata);
  return g_strdup_printf ("%s is %s", param->id, list);
}

static char *
conditions_text (const VgParamTable *table, const VgCondition *condition)
{
  g_autofree char *first = condition_text (table, condition), *others = NULL;

  if (condition->also == NULL)
    return g_steal_pointer (&first);
  others = conditions_text (table, condition->also);
  return g_strdup_printf ("%s and %s", first, others);
}

void
vg_describe_append_parameters (GString *text, const VgOperation *operation)
{
  const char *group = "";

  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *name = vg_param_option_name (param), *range = vg_param_range_text (param);
      g_autofree char *value = default_text (operation, param);
      g_autofree char *condition = conditions_text (&operation->params, &param->shown_when);

      if (param->group != NULL && g_strcmp0 (group, param->group) != 0)
        g_string_append_printf (text, " %s\n", group = param->group);
      g_string_append_printf (text, "  --%-20s %s", name, range);
      if (*value != '\0')
        g_string_append_printf (text, " [%s]", value);
      g_string_append_printf (text, "\n      %s\n", param->help);
      if (condition != NULL)
        g_string_append_printf (text, "      Only if %s.\n", condition);
    }
}

char *
vg_describe_text (const VgOperation *operation)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (
      text, "%s: %s\n%s\n\n%s\nInput: %s\n\nParameters (default in brackets):\n", operation->id,
      operation->title, operation->summary, operation->citation, input_text (operation));
  vg_describe_append_parameters (text, operation);
  if (operation->synthetic != NULL)
    {
      g_string_append (text, "\nSample data (--sample, default first):\n");
      for (const VgSample *it = operation->synthetic->samples; it->id != NULL; it++)
        g_string_append_printf (text, "  %-22s %s\n      %s\n", it->id, it->title, it->description);
    }
  g_string_append (text, "\nOutputs:\n");
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];

      g_string_append_printf (text, "  %-22s %s%s%s%s%s\n      %s\n", output->id, output->label,
                              output->unit != NULL && *output->unit != '\0' ? " (" : "",
                              output->unit == NULL ? "" : output->unit,
                              output->unit != NULL && *output->unit != '\0' ? ")" : "",
                              output->view_only ? ", in the window only" : "", output->help);
    }
  return g_string_free (text, FALSE);
}

/* A cell must not end the table's column. */
static void
append_cell (GString *text, const char *cell)
{
  g_string_append (text, "| ");
  for (const char *c = cell == NULL ? "" : cell; *c != '\0'; c++)
    if (*c == '|')
      g_string_append (text, "\\|");
    else
      g_string_append_c (text, *c == '\n' ? ' ' : *c);
  g_string_append_c (text, ' ');
}

/* The values of a choice with their names in the window: "`cmm` Centre of mass"; owned. */
static char *
markdown_range (const VgParam *param)
{
  GString *text;

  if (param->kind != VG_PARAM_CHOICE || param->choice_labels == NULL)
    return vg_param_range_text (param);
  text = g_string_new (NULL);
  for (guint i = 0; param->choices[i] != NULL; i++)
    g_string_append_printf (text, "%s`%s` %s", i == 0 ? "" : "; ", param->choices[i],
                            param->choice_labels[i]);
  return g_string_free (text, FALSE);
}

static void
append_markdown_parameter (GString *text, const VgOperation *operation, const VgParam *param)
{
  g_autofree char *name = vg_param_option_name (param), *option = g_strdup_printf ("`--%s`", name);
  g_autofree char *range = markdown_range (param), *value = default_text (operation, param);
  g_autofree char *condition = conditions_text (&operation->params, &param->shown_when);
  g_autofree char *help = condition == NULL
                              ? g_strdup (param->help)
                              : g_strdup_printf ("%s Only if %s.", param->help, condition);

  append_cell (text, option);
  append_cell (text, param->label);
  append_cell (text, range);
  append_cell (text, value);
  append_cell (text, help);
  g_string_append (text, "|\n");
}

char *
vg_describe_markdown (const VgOperation *operation)
{
  GString *text = g_string_new (NULL);
  const char *group = NULL;

  g_string_append_printf (text,
                          "# %s (`%s`)\n\n%s\n\n%s\n\nInput: %s.\n\n"
                          "Method, first run and limits are in [%s.md](../%s.md). "
                          "`scripts/update-docs` writes this page.\n",
                          operation->title, operation->id, operation->summary, operation->citation,
                          input_text (operation), operation->id, operation->id);
  g_string_append (text, "\n## Parameters\n");
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];

      if (i == 0 || g_strcmp0 (group, param->group) != 0)
        {
          group = param->group;
          if (group != NULL)
            g_string_append_printf (text, "\n### %s\n", group);
          g_string_append (
              text, "\n| option | name | values | default | meaning |\n|---|---|---|---|---|\n");
        }
      append_markdown_parameter (text, operation, param);
    }
  if (operation->synthetic != NULL)
    {
      g_string_append (text, "\n## Samples\n\nThe first is the default. Choose with `--sample`.\n\n"
                             "| sample | name | description |\n|---|---|---|\n");
      for (const VgSample *it = operation->synthetic->samples; it->id != NULL; it++)
        g_string_append_printf (text, "| `%s` | %s | %s |\n", it->id, it->title, it->description);
    }
  g_string_append (text, "\n## Outputs\n\n| output | name | unit | meaning |\n|---|---|---|---|\n");
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];
      g_autofree char *id = g_strdup_printf ("`%s`", output->id);
      g_autofree char *condition = conditions_text (&operation->params, &output->shown_when);
      g_autofree char *help = g_strdup_printf (
          "%s%s%s%s%s", output->help, output->view_only ? " In the window only." : "",
          condition == NULL ? "" : " Only if ", condition == NULL ? "" : condition,
          condition == NULL ? "" : ".");

      append_cell (text, id);
      append_cell (text, output->label);
      append_cell (text, output->unit);
      append_cell (text, help);
      g_string_append (text, "|\n");
    }
  return g_string_free (text, FALSE);
}

static void
add_json_table (JsonBuilder *builder, const VgParam *param)
{
  vg_json_begin_array (builder, "columns");
  for (const VgColumn *it = param->table.columns; it->id != NULL; it++)
    json_builder_add_string_value (builder, it->label);
  json_builder_end_array (builder);
  vg_json_begin_array (builder, "presets");
  for (const VgPreset *it = param->table.presets; it != NULL && it->id != NULL; it++)
    json_builder_add_string_value (builder, it->label);
  json_builder_end_array (builder);
}

static void
add_json_parameter (JsonBuilder *builder, const VgOperation *operation, const VgParam *param)
{
  g_autofree char *option = vg_param_option_name (param), *value = default_text (operation, param);
  gboolean number = param->kind <= VG_PARAM_DOUBLE;

  json_builder_begin_object (builder);
  vg_json_add_string (builder, "id", param->id);
  vg_json_add_string (builder, "option", option);
  vg_json_add_string (builder, "label", param->label);
  vg_json_add_string (builder, "help", param->help);
  vg_json_add_string (builder, "unit", param->unit);
  vg_json_add_string (builder, "group", param->group);
  vg_json_add_string (builder, "kind", kind_name (param->kind));
  vg_json_add_string (builder, "default", value);
  if (number)
    {
      vg_json_add_number (builder, "min", param->min);
      vg_json_add_number (builder, "max", param->max);
    }
  if (param->zero != NULL)
    vg_json_add_string (builder, "zero", param->zero);
  if (param->kind == VG_PARAM_CHOICE)
    vg_json_add_strings (builder, "choices", param->choices);
  if (param->kind == VG_PARAM_CHOICE && param->choice_labels != NULL)
    vg_json_add_strings (builder, "choice_labels", param->choice_labels);
  if (param->kind == VG_PARAM_TABLE)
    add_json_table (builder, param);
  json_builder_end_object (builder);
}

static void
add_json_output (JsonBuilder *builder, const VgOutput *output)
{
  static const char *const kinds[] = {
    [VG_OUTPUT_MAP] = "map", [VG_OUTPUT_LABELS] = "labels", [VG_OUTPUT_TEXT] = "text"
  };

  json_builder_begin_object (builder);
  vg_json_add_string (builder, "id", output->id);
  vg_json_add_string (builder, "label", output->label);
  if (output->exactly.label != NULL)
    vg_json_add_string (builder, "exact_label", output->exactly.label);
  vg_json_add_string (builder, "help", output->help);
  vg_json_add_string (builder, "unit", output->unit);
  vg_json_add_string (builder, "kind", kinds[output->kind]);
  if (output->hints.categories != NULL)
    vg_json_add_strings (builder, "categories", output->hints.categories);
  json_builder_set_member_name (builder, "written");
  json_builder_add_boolean_value (builder, !output->view_only);
  json_builder_end_object (builder);
}

/* The texts of what the user can make happen in a sample; none if nothing. */
static void
add_json_event (JsonBuilder *builder, const VgSampleEvent *event)
{
  vg_json_begin_array (builder, "event");
  if (event != NULL)
    {
      json_builder_add_string_value (builder, event->begin);
      json_builder_add_string_value (builder, event->end);
      json_builder_add_string_value (builder, event->help);
    }
  json_builder_end_array (builder);
}

char *
vg_describe_json (const VgOperation *operation)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  vg_json_add_string (builder, "id", operation->id);
  vg_json_add_string (builder, "title", operation->title);
  vg_json_add_string (builder, "summary", operation->summary);
  vg_json_add_string (builder, "citation", operation->citation);
  vg_json_add_string (builder, "input", input_text (operation));
  vg_json_add_string (builder, "formats", operation->input.formats);
  vg_json_begin_array (builder, "parameters");
  for (guint i = 0; i < operation->params.n_items; i++)
    add_json_parameter (builder, operation, &operation->params.items[i]);
  json_builder_end_array (builder);
  vg_json_begin_array (builder, "samples");
  for (const VgSample *it = operation->synthetic != NULL ? operation->synthetic->samples : NULL;
       it != NULL && it->id != NULL; it++)
    {
      json_builder_begin_object (builder);
      vg_json_add_string (builder, "id", it->id);
      vg_json_add_string (builder, "title", it->title);
      vg_json_add_string (builder, "description", it->description);
      add_json_event (builder, it->event);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  vg_json_begin_array (builder, "examples");
  for (const VgExample *it = operation->examples; it != NULL && it->path != NULL; it++)
    {
      json_builder_begin_object (builder);
      vg_json_add_string (builder, "path", it->path);
      vg_json_add_string (builder, "title", it->title);
      vg_json_add_string (builder, "description", it->description);
      vg_json_add_string (builder, "source", it->source);
      vg_json_add_string (builder, "licence", it->licence);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  vg_json_begin_array (builder, "outputs");
  for (guint i = 0; i < operation->n_outputs; i++)
    add_json_output (builder, &operation->outputs[i]);
  json_builder_end_array (builder);
  vg_json_begin_array (builder, "plots");
  for (guint i = 0; i < operation->n_plots; i++)
    json_builder_add_string_value (builder, operation->plots[i].label);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return vg_json_to_text (builder, NULL);
}
