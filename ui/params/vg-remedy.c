/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-remedy.h"
#include "app/compute/vg-named-param.h"

/* PROPOSAL as the parameter would hold it. */
static double
get_value (const VgParamTable *table, const VgParam *param, const void *params, double proposal)
{
  void *copy = vg_params_copy (table, params);
  double value;

  vg_param_set_number (param, copy, proposal);
  value = vg_param_get_number (param, copy);
  vg_params_free (table, copy);
  return value;
}

VgRemedy
vg_remedy_find (const VgParamTable *table, const void *params, const VgMetric *metric)
{
  const VgParam *param = metric->setting != NULL ? vg_params_find (table, metric->setting) : NULL;

  if (metric->advice == NULL)
    return (VgRemedy){ 0 };
  if (param != NULL && vg_param_is_shown (table, param, params))
    {
      double value = get_value (table, param, params, metric->proposal);

      if (value != vg_param_get_number (param, params))
        return (VgRemedy){ param, TRUE, value };
    }
  return (VgRemedy){ .param = vg_named_param (table, params, metric->advice) };
}
