/* SPDX-License-Identifier: MIT */
/* The words and numbers of an operation's tables: all there, in one style. */
#include "tests/kernels/core/operation-run.h"
#include "kernels/shared/vg-colormap.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

/* What the command line keeps for itself. */
static const char *const reserved[] = { "out",     "backend",          "session", "json",
                                        "format",  "geometry",         "help",    "version",
                                        "display", "operation",        "input",   "channel",
                                        "pages",   "sum_frames",       "threads", "verbose",
                                        "quick",   "frames_per_second" };

static void
check_id (const char *id)
{
  g_assert_nonnull (id);
  g_assert_true (g_ascii_islower (id[0]));
  for (const char *p = id; *p != '\0'; p++)
    g_assert_true (g_ascii_islower (*p) || g_ascii_isdigit (*p) || *p == '_');
  g_assert_false (g_str_has_suffix (id, "_"));
  g_assert_cmpuint (strlen (id), <=, 40);
}

/* "Exposure time": a capital or a symbol first, no full stop. */
static void
check_label (const char *label)
{
  g_assert_nonnull (label);
  g_assert_true (g_utf8_validate (label, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (label, -1), >=, 1);
  g_assert_cmpint (g_utf8_strlen (label, -1), <=, 40);
  g_assert_false (g_unichar_islower (g_utf8_get_char (label)));
  g_assert_false (g_str_has_suffix (label, "."));
  g_assert_null (strchr (label, '\n'));
}

/* A sentence or two. */
static void
check_sentence (const char *text)
{
  g_assert_nonnull (text);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (text, -1), >=, 15);
  g_assert_cmpint (g_utf8_strlen (text, -1), <=, 250);
  g_assert_false (g_unichar_islower (g_utf8_get_char (text)));
  g_assert_true (g_str_has_suffix (text, "."));
  g_assert_null (strchr (text, '\n'));
  g_assert_null (strstr (text, "  "));
}

static void
check_unit (const char *unit)
{
  if (unit == NULL)
    return;
  g_assert_true (g_utf8_validate (unit, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (unit, -1), <=, 16);
  g_assert_false (g_str_has_prefix (unit, " "));
  g_assert_null (strpbrk (unit, "[]()"));
}

/* An id that ends in a unit has that unit. */
static void
check_unit_of_id (const char *id, const char *unit)
{
  static const char *const units[] = { "ms", "ns", "us", "nm", "mm", "cm", "px", "s", "hz" };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *suffix = g_strconcat ("_", units[i], NULL);

      if (g_str_has_suffix (id, suffix))
        g_assert_cmpint (g_ascii_strcasecmp (unit != NULL ? unit : "", units[i]), ==, 0);
    }
}

/* What a page over a plane names is there. */
static void
check_plane (const VgOperation *operation, const VgPlaneSpec *plane)
{
  const VgParam *ellipses;
  guint columns = 0;

  if (plane == NULL)
    return;
  ellipses = plane->ellipses ? vg_params_find (&operation->params, plane->ellipses) : NULL;
  g_assert_cmpint (vg_operation_find_output (operation, plane->output), >=, 0);
  for (int k = 0; k < 2; k++)
    if (plane->points[k] != NULL)
      g_assert_cmpint (vg_operation_find_output (operation, plane->points[k]), >=, 0);
  if (plane->selection != NULL)
    {
      int i = vg_operation_find_output (operation, plane->selection);

      g_assert_true (i >= 0 && operation->outputs[i].kind == VG_OUTPUT_LABELS && ellipses != NULL);
    }
  if (plane->ellipses == NULL)
    return;
  g_assert_true (ellipses != NULL && ellipses->kind == VG_PARAM_TABLE);
  while (ellipses->table.columns[columns].id != NULL)
    columns++;
  g_assert_cmpuint (columns, ==, 5);
}

void
check_words (gconstpointer data)
{
  const VgOperation *operation = data;

  check_id (operation->id);
  check_label (operation->title);
  check_sentence (operation->summary);
  g_assert_nonnull (operation->citation);
  g_assert_cmpuint (strlen (operation->citation), >=, 20);
  g_assert_true (vg_operation_find (operation->id) == operation);
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];

      g_test_message ("parameter %s", param->id);
      check_id (param->id);
      check_label (param->label);
      check_sentence (param->help);
      check_unit (param->unit);
      check_unit_of_id (param->id, param->unit);
      check_label (param->group);
      for (guint k = 0; k < G_N_ELEMENTS (reserved); k++)
        g_assert_false (vg_text_same_name (param->id, reserved[k]));
      g_assert_true (vg_params_find (&operation->params, param->id) == param);
    }
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];

      g_test_message ("output %s", output->id);
      check_label (output->label);
      check_sentence (output->help);
      g_assert_nonnull (output->unit);
      check_unit (output->unit);
      g_assert_cmpint (vg_operation_find_output (operation, output->id), ==, (int) i);
    }
  for (guint i = 0; i < operation->n_plots; i++)
    {
      check_id (operation->plots[i].id);
      check_label (operation->plots[i].label);
      check_plane (operation, operation->plots[i].plane);
      for (guint k = 0; k < i; k++)
        g_assert_cmpstr (operation->plots[k].id, !=, operation->plots[i].id);
    }
}

/* TEXT is choice I of PARAM, and no other. */
static void
assert_parsed (const VgParam *param, const char *text, int i)
{
  VgParam alone = *param;
  int member = -1;

  alone.offset = 0;
  g_assert_true (vg_param_parse (&alone, &member, text, NULL));
  g_assert_cmpint (member, ==, i);
}

static void
check_choices (const VgParam *param)
{
  guint n;

  g_assert_nonnull (param->choices);
  n = g_strv_length ((char **) param->choices);
  g_assert_cmpuint (n, >=, 2);
  g_assert_cmpuint (n, <=, 32);
  for (guint i = 0; i < n; i++)
    {
      check_id (param->choices[i]);
      for (guint k = 0; k < i; k++)
        g_assert_false (vg_text_same_name (param->choices[i], param->choices[k]));
    }
  if (param->choice_labels != NULL)
    {
      g_assert_cmpuint (g_strv_length ((char **) param->choice_labels), ==, n);
      for (guint i = 0; i < n; i++)
        {
          g_autofree char *upper = g_ascii_strup (param->choice_labels[i], -1);

          check_label (param->choice_labels[i]);
          assert_parsed (param, upper, (int) i);
        }
    }
  for (guint i = 0; i < n; i++)
    assert_parsed (param, param->choices[i], (int) i);
  g_assert_true (param->def >= 0 && param->def < n && param->def == floor (param->def));
}

static void
check_range (const VgParam *param)
{
  double low = param->slider.min == 0 && param->slider.max == 0 ? param->min : param->slider.min;
  double high = param->slider.min == 0 && param->slider.max == 0 ? param->max : param->slider.max;

  g_assert_true (isfinite (param->min) && isfinite (param->max));
  g_assert_cmpfloat (param->min, <, param->max);
  g_assert_cmpfloat (param->def, >=, param->min);
  g_assert_cmpfloat (param->def, <=, param->max);
  g_assert_cmpfloat (low, <, high);
  g_assert_cmpfloat (low, >=, param->min);
  g_assert_cmpfloat (high, <=, param->max);
  g_assert_cmpfloat (param->slider.step, >=, 0);
  g_assert_cmpfloat (param->slider.step, <=, high - low);
  if (param->slider.log_scale)
    g_assert_cmpfloat (low, >, 0);
  if (param->kind == VG_PARAM_INT)
    g_assert_true (param->min >= G_MININT && param->max <= G_MAXINT &&
                   param->def == floor (param->def));
}

static void
check_table (const VgParam *param, const VgParamTable *table)
{
  gpointer params = vg_params_new (table);

  g_assert_nonnull (param->table.columns);
  g_assert_nonnull (param->table.columns[0].id);
  for (const VgColumn *column = param->table.columns; column->id != NULL; column++)
    {
      check_id (column->id);
      check_label (column->label);
      check_unit (column->unit);
      g_assert_cmpfloat (column->min, <, column->max);
      g_assert_true (column->def >= column->min && column->def <= column->max);
    }
  for (const VgPreset *preset = param->table.presets; preset != NULL && preset->id != NULL;
       preset++)
    {
      g_autoptr (GError) error = NULL;

      check_id (preset->id);
      g_assert_true (preset->label != NULL && *preset->label != '\0' && preset->source != NULL &&
                     *preset->source != '\0');
      g_assert_cmpstr (preset->label, !=, preset->id);
      vg_param_parse (param, params, preset->id, &error);
      g_assert_no_error (error);
    }
  vg_params_free (table, params);
}

/* It names a choice or a switch, and values that this one can have. */
static void
check_condition (const VgParamTable *table, const VgCondition *condition, const char *of)
{
  const VgParam *other;
  guint n;

  if (condition->also != NULL)
    check_condition (table, condition->also, of);
  if (condition->id == NULL)
    return;
  other = vg_params_find (table, condition->id);
  g_assert_nonnull (other);
  g_assert_cmpstr (condition->id, ==, other->id);
  g_assert_cmpstr (condition->id, !=, of);
  g_assert_true (other->kind == VG_PARAM_CHOICE || other->kind == VG_PARAM_BOOL ||
                 other->kind == VG_PARAM_TABLE || other->kind == VG_PARAM_FILE ||
                 other->kind == VG_PARAM_REGION);
  n = other->kind != VG_PARAM_CHOICE ? 2 : g_strv_length ((char **) other->choices);
  g_assert_cmpuint (condition->values, !=, 0);
  g_assert_cmpuint (condition->values >> 1 >> (n - 1), ==, 0);
}

void
check_parameters (gconstpointer data)
{
  const VgOperation *operation = data;
  const VgParamTable *table = &operation->params;
  gpointer params = vg_params_new (table);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *text = vg_param_format (param, params);

      g_test_message ("parameter %s", param->id);
      g_assert_cmpuint (param->offset, <, table->struct_size);
      if (param->kind == VG_PARAM_INT || param->kind == VG_PARAM_FLOAT ||
          param->kind == VG_PARAM_DOUBLE)
        check_range (param);
      else if (param->kind == VG_PARAM_CHOICE)
        check_choices (param);
      else if (param->kind == VG_PARAM_TABLE)
        check_table (param, table);
      else if (param->kind == VG_PARAM_FILE)
        g_assert_cmpuint (param->file.kinds, !=, 0);
      check_condition (table, &param->shown_when, param->id);
      vg_param_parse (param, params, text, &error);
      g_assert_no_error (error);
    }
  if (operation->validate != NULL)
    operation->validate (params, &error);
  g_assert_no_error (error);
  if (operation->synthetic != NULL && operation->synthetic->settings != NULL)
    operation->synthetic->settings (&operation->synthetic->batch, params);
  if (operation->synthetic != NULL && operation->validate != NULL)
    operation->validate (params, &error);
  g_assert_no_error (error);
  vg_params_free (table, params);
}

/* Every role is between outputs of the table; an earlier result is read from a parameter. */
static void
check_roles (const VgOperation *operation)
{
  for (const VgOutputRole *it = operation->roles; it != NULL && it->player != NULL; it++)
    {
      int player = vg_operation_find_output (operation, it->player);

      g_test_message ("role of %s", it->player);
      if (it->output != NULL)
        g_assert_cmpint (vg_operation_find_output (operation, it->output), >=, 0);
      if (it->role == VG_ROLE_FILE)
        {
          g_assert_nonnull (vg_params_find (&operation->params, it->player));
          continue;
        }
      g_assert_cmpint (player, >=, 0);
      if (it->role == VG_ROLE_LIMITS_MASK || it->role == VG_ROLE_OUTLINES ||
          it->role == VG_ROLE_BOUND || it->role == VG_ROLE_OBJECTS)
        g_assert_cmpint (operation->outputs[player].kind, ==, VG_OUTPUT_LABELS);
      else
        g_assert_cmpint (operation->outputs[player].kind, ==, VG_OUTPUT_MAP);
    }
  if (operation->objects == NULL)
    return;
  g_assert_cmpint (vg_operation_find_output (operation, operation->objects->labels), >=, 0);
  g_assert_cmpint (vg_operation_find_objects (operation), >=, 0);
}

void
check_outputs (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = vg_params_new (&operation->params);
  gboolean any = FALSE;

  g_assert_cmpuint (operation->n_outputs, >, 0);
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];

      g_test_message ("output %s", output->id);
      check_id (output->id);
      check_condition (&operation->params, &output->shown_when, "");
      if (output->hints.colormap != NULL)
        g_assert_nonnull (vg_colormap_find (output->hints.colormap));
      if (output->hints.diverging)
        {
          g_assert_true (isfinite (output->hints.centre));
          g_assert_false (output->hints.log_scale);
          g_assert_true (output->hints.colormap != NULL &&
                         vg_colormap_find (output->hints.colormap)->diverging);
        }
      if (output->hints.categories != NULL)
        g_assert_cmpint (output->kind, ==, VG_OUTPUT_LABELS);
      for (guint k = 0; output->hints.categories != NULL && output->hints.categories[k] != NULL;
           k++)
        g_assert_cmpint (output->hints.categories[k][0], !=, '\0');
      if (output->kind == VG_OUTPUT_TEXT)
        g_assert_false (output->time_course || output->view_only);
      any |= output->kind != VG_OUTPUT_TEXT && vg_operation_output_is_shown (operation, i, params);
    }
  g_assert_true (any);
  check_roles (operation);
  vg_params_free (&operation->params, params);
}

static void
check_engine_members (const VgOperation *operation, const VgEngine *engine)
{
  g_assert_true (engine->prepare != NULL && engine->update != NULL && engine->step != NULL);
  g_assert_true (engine->output != NULL && engine->free != NULL);
  g_assert_cmpint (engine->feed != NULL, ==, operation->input.kind == VG_INPUT_STREAM);
  g_assert_true (operation->n_plots == 0 ||
                 (engine->curves != NULL && engine->curves->plot != NULL));
  for (guint i = 0; i < operation->n_outputs; i++)
    g_assert_true (operation->outputs[i].kind != VG_OUTPUT_TEXT || engine->text != NULL);
}

/* Its button has a text for either state, and its help is a sentence. */
static void
check_event (const VgOperation *operation, const VgSampleEvent *event)
{
  if (event == NULL)
    return;
  g_assert_nonnull (operation->synthetic->trigger);
  g_assert_cmpuint (strlen (event->begin), >, 0);
  g_assert_cmpstr (event->begin, !=, event->end);
  g_assert_true (g_str_has_suffix (event->help, "."));
}

/* Each sample is found by its id; another id is refused in a message that lists them all. */
static void
check_samples (const VgOperation *operation)
{
  const VgSample *samples = operation->synthetic->samples;
  VgSyntheticSize size = { .sample = 7 };
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_operation_choose_sample (operation, NULL, &size, &error));
  g_assert_cmpint (size.sample, ==, 0);
  g_assert_nonnull (samples[0].id);
  size.sample = 7;
  g_assert_false (vg_operation_choose_sample (operation, "none such", &size, &error));
  g_assert_cmpint (size.sample, ==, 7);
  g_assert_error (error, VG_USAGE_ERROR, 0);
  for (int i = 0; samples[i].id != NULL; i++)
    {
      check_id (samples[i].id);
      g_assert_cmpuint (strlen (samples[i].title), >, 0);
      g_assert_true (g_str_has_suffix (samples[i].description, "."));
      g_assert_nonnull (strstr (error->message, samples[i].id));
      check_event (operation, samples[i].event);
      g_assert_true (vg_operation_choose_sample (operation, samples[i].id, &size, NULL));
      g_assert_cmpint (size.sample, ==, i);
    }
}

void
check_members (gconstpointer data)
{
  const VgOperation *operation = data;
  const VgSynthetic *synthetic = operation->synthetic;

  g_assert_nonnull (operation->cpu);
  check_engine_members (operation, operation->cpu);
  if (vg_cuda_engine (operation) != NULL)
    check_engine_members (operation, vg_cuda_engine (operation));
  g_assert_cmpint (operation->input.files[0], >=, operation->input.kind == VG_INPUT_NONE ? 0 : 1);
  g_assert_true (operation->input.files[1] < 0 ||
                 operation->input.files[1] >= operation->input.files[0]);
  if (synthetic == NULL)
    return;
  check_samples (operation);
  if (operation->input.kind == VG_INPUT_NONE)
    return;
  g_assert_true (synthetic->open != NULL && synthetic->read != NULL && synthetic->close != NULL);
  g_assert_true (synthetic->live.width > 0 && synthetic->live.height > 0);
  g_assert_true (synthetic->batch.width > 0 && synthetic->batch.height > 0 &&
                 synthetic->batch.frames > 0);
}
