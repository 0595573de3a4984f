/* SPDX-License-Identifier: MIT */
#include "ui/compare/vg-compare-choice.h"

const VgParam *
vg_compare_choice_find (VgSession *session)
{
  const VgOperation *operation = vg_session_get_operation (session);

  return operation->view.compare_param
             ? vg_params_find (&operation->params, operation->view.compare_param)
             : NULL;
}

int
vg_compare_choice_get (VgSession *session, const VgParam *choice)
{
  return (int) vg_param_get_number (choice, vg_session_get_params (session));
}

int
vg_compare_choice_next (VgSession *session, const VgParam *choice)
{
  int n = 0;

  while (choice->choices[n])
    n++;
  return (vg_compare_choice_get (session, choice) + 1) % n;
}

gboolean
vg_compare_choice_next_fits (VgSession *session, const VgParam *choice)
{
  const VgOperation *operation = vg_session_get_operation (session);
  void *params = vg_params_copy (&operation->params, vg_session_get_params (session));
  gboolean fits;

  vg_param_set_number (choice, params, vg_compare_choice_next (session, choice));
  fits = operation->validate == NULL || operation->validate (params, NULL);
  vg_params_free (&operation->params, params);
  return fits;
}
