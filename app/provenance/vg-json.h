/* SPDX-License-Identifier: MIT */
#pragma once
#include <json-glib/json-glib.h>
#include <math.h>
/* Values of all JSON that is written.  NAME: of the member; NULL within an
 * array. */
G_BEGIN_DECLS

/* JSON has no NaN and no infinity: null. */
static inline void
vg_json_add_number (JsonBuilder *builder, const char *name, double value)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static inline void
vg_json_add_integer (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static inline void
vg_json_begin_object (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_object (builder);
}

static inline void
vg_json_begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}

/* VALUES: NULL-terminated, or NULL for an empty array. */
static inline void
vg_json_add_strings (JsonBuilder *builder, const char *name, const char *const *values)
{
  vg_json_begin_array (builder, name);
  for (guint i = 0; values != NULL && values[i] != NULL; i++)
    json_builder_add_string_value (builder, values[i]);
  json_builder_end_array (builder);
}

/* The complete text, indented; owned. */
static inline char *
vg_json_to_text (JsonBuilder *builder, gsize *length)
{
  g_autoptr (JsonNode) root = json_builder_get_root (builder);
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_generator_set_pretty (generator, TRUE);
  json_generator_set_root (generator, root);
  return json_generator_to_data (generator, length);
}

/* NULL is "". */
static inline void
vg_json_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value == NULL ? "" : value);
}

G_END_DECLS
