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

/* NULL is "". */
static inline void
vg_json_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  if (name != NULL)
    json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value == NULL ? "" : value);
}

G_END_DECLS
