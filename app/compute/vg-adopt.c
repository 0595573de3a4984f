/* SPDX-License-Identifier: MIT */
#include "app/compute/vg-adopt.h"

void *
vg_adopt_params (const VgOperation *operation, const void *params, const VgImageInfo *info,
                 gboolean paced)
{
  void *adopted = vg_params_copy (&operation->params, params);

  if (operation->view.step_param != NULL)
    {
      const VgParam *steps = vg_params_find (&operation->params, operation->view.step_param);

      vg_param_set_number (steps, adopted,
                           paced ? MAX (vg_param_get_number (steps, adopted), 1) : 0);
    }
  if (info != NULL && operation->adopt != NULL)
    operation->adopt (adopted, info);
  return adopted;
}
