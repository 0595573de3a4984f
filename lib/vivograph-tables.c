/* SPDX-License-Identifier: MIT */
/* The tables of operations, parameters and outputs. */
#include "lib/vivograph-private.h"

int
vivograph_operation (size_t i, VivographOperation *operation)
{
  guint n;
  const VgOperation *const *all = vg_operations (&n);
  const VgInputSpec *input;

  if (i >= n)
    return VIVOGRAPH_NONE;
  input = &all[i]->input;
  *operation = (VivographOperation){ .id = all[i]->id,
                                     .title = all[i]->title,
                                     .summary = all[i]->summary,
                                     .citation = all[i]->citation,
                                     .input = (int) input->kind,
                                     .needs_bins = vg_input_spec_has_bins (input),
                                     .takes_color = vg_input_spec_has_color (input),
                                     .takes_volumes = input->kind != VG_INPUT_NONE &&
                                                      input->slices.max != 1 };
  return VIVOGRAPH_OK;
}

static int
public_kind (VgParamKind kind)
{
  static const int kinds[] = {
    [VG_PARAM_INT] = VIVOGRAPH_PARAM_INT,       [VG_PARAM_FLOAT] = VIVOGRAPH_PARAM_FLOAT,
    [VG_PARAM_DOUBLE] = VIVOGRAPH_PARAM_FLOAT,  [VG_PARAM_BOOL] = VIVOGRAPH_PARAM_BOOL,
    [VG_PARAM_CHOICE] = VIVOGRAPH_PARAM_CHOICE, [VG_PARAM_ACTION] = VIVOGRAPH_PARAM_ACTION,
    [VG_PARAM_FILE] = VIVOGRAPH_PARAM_FILE,     [VG_PARAM_REGION] = VIVOGRAPH_PARAM_REGION,
    [VG_PARAM_TABLE] = VIVOGRAPH_PARAM_TABLE,
  };

  return kinds[kind];
}

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

int
vivograph_param (const char *operation, size_t i, VivographParam *param)
{
  const VgOperation *found = operation != NULL ? vg_operation_find (operation) : NULL;
  const VgParam *entry;

  if (found == NULL)
    return VIVOGRAPH_ERROR_USAGE;
  if (i >= found->params.n_items)
    return VIVOGRAPH_NONE;
  entry = &found->params.items[i];
  *param = (VivographParam){ .id = entry->id,
                             .label = or_empty (entry->label),
                             .help = or_empty (entry->help),
                             .group = or_empty (entry->group),
                             .unit = or_empty (entry->unit),
                             .kind = public_kind (entry->kind),
                             .automatic = entry->auto_metric != NULL,
                             .metric = entry->auto_metric,
                             .initial = entry->def,
                             .min = entry->min,
                             .max = entry->max,
                             .choices = entry->choices };
  while (entry->kind == VG_PARAM_TABLE && entry->table.columns[param->columns].id != NULL)
    param->columns++;
  if (entry->kind == VG_PARAM_FILE)
    {
      param->takes_data = (entry->file.kinds & VG_FILE_IMAGE) != 0;
      param->takes_content = (entry->file.kinds & VG_FILE_TEXT) != 0;
      param->takes_several = entry->file.multiple;
    }
  return VIVOGRAPH_OK;
}

int
vivograph_output (const char *operation, size_t i, VivographOutput *output)
{
  const VgOperation *found = operation != NULL ? vg_operation_find (operation) : NULL;
  const VgOutput *entry;

  if (found == NULL)
    return VIVOGRAPH_ERROR_USAGE;
  if (i >= found->n_outputs)
    return VIVOGRAPH_NONE;
  entry = &found->outputs[i];
  *output = (VivographOutput){ .id = entry->id,
                               .label = or_empty (entry->label),
                               .help = or_empty (entry->help),
                               .unit = or_empty (entry->unit),
                               .kind = entry->kind == VG_OUTPUT_MAP      ? VIVOGRAPH_OUTPUT_MAP
                                       : entry->kind == VG_OUTPUT_LABELS ? VIVOGRAPH_OUTPUT_LABELS
                                                                         : VIVOGRAPH_OUTPUT_TEXT,
                               .view_only = entry->view_only };
  return VIVOGRAPH_OK;
}

int
vivograph_find_output (const char *operation, const char *id, size_t *i, VivographError *error)
{
  const VgOperation *found = operation != NULL ? vg_operation_find (operation) : NULL;
  int place = found != NULL && id != NULL ? vg_operation_find_output (found, id) : -1;

  if (found == NULL)
    return vg_library_fail_to_find (error, operation);
  if (place < 0)
    return vg_library_fail (error, VIVOGRAPH_ERROR_USAGE,
                            "%s has no output \"%.60s\"; vivograph_output lists them", found->id,
                            or_empty (id));
  *i = (size_t) place;
  return VIVOGRAPH_OK;
}

const VgParam *
vg_library_find_param (const VivographWork *work, const char *id, VivographError *error)
{
  const VgOperation *operation;
  const VgParam *param;
  const char *near;

  if (vg_library_check_work (work, error) < 0)
    return NULL;
  operation = work->operation;
  param = id != NULL ? vg_params_find (&operation->params, id) : NULL;
  if (param != NULL)
    return param;
  near = id != NULL ? vg_params_nearest (&operation->params, id) : NULL;
  vg_library_fail (error, VIVOGRAPH_ERROR_USAGE, "%s has no parameter \"%.60s\"%s%s%s",
                   operation->id, or_empty (id), near != NULL ? "; did you mean " : "",
                   or_empty (near), near != NULL ? "?" : "");
  return NULL;
}
