/* SPDX-License-Identifier: MIT */
/* Values that are not known are null. */
#include "app/provenance/vg-json-parameters.h"

static void
add_table (JsonBuilder *builder, const VgTable *table)
{
  json_builder_begin_array (builder);
  for (int row = 0; table != NULL && row < table->rows; row++)
    {
      json_builder_begin_array (builder);
      for (int column = 0; column < table->columns; column++)
        vg_json_add_number (builder, NULL, table->values[row * table->columns + column]);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

static void
add_parameter (JsonBuilder *builder, const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);

  json_builder_set_member_name (builder, param->id);
  switch (param->kind)
    {
    case VG_PARAM_INT:
    case VG_PARAM_ACTION:
      json_builder_add_int_value (builder, (gint64) vg_param_get_number (param, params));
      break;
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      /* the text is the shortest one: 0.1, not 0.10000000149 */
      vg_json_add_number (builder, NULL, g_ascii_strtod (text, NULL));
      break;
    case VG_PARAM_BOOL:
      json_builder_add_boolean_value (builder, vg_param_get_number (param, params) != 0);
      break;
    case VG_PARAM_TABLE:
      add_table (builder, *(VgTable *const *) ((const char *) params + param->offset));
      break;
    case VG_PARAM_CHOICE:
    case VG_PARAM_FILE:
    case VG_PARAM_REGION:
      if (*text == '\0')
        json_builder_add_null_value (builder);
      else
        json_builder_add_string_value (builder, text);
      break;
    }
}

void
vg_json_add_parameters (JsonBuilder *builder, const VgOperation *operation, const void *params)
{
  vg_json_begin_object (builder, "parameters");
  for (guint i = 0; i < operation->params.n_items; i++)
    if (g_strcmp0 (operation->params.items[i].id, operation->view.step_param) == 0)
      vg_json_add_integer (builder, operation->view.step_param,
                           0); /* it paces the screen and changes no result */
    else
      add_parameter (builder, &operation->params.items[i], params);
  json_builder_end_object (builder);
}
