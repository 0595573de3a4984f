/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-remedy-label.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

VgRemedy
vg_remedy_for (VgSession *session, const VgMetric *metric)
{
  return vg_remedy_find (&vg_session_get_operation (session)->params,
                         vg_session_get_params (session), metric);
}

static char *
format_value (const VgParam *param, double value)
{
  const char *word = param->zero != NULL          ? vg_translate (param->zero)
                     : param->auto_metric != NULL ? _ ("Automatic")
                                                  : NULL;
  g_autofree char *number = NULL;

  if (param->kind == VG_PARAM_CHOICE)
    return g_strdup (vg_translate (
        (param->choice_labels != NULL ? param->choice_labels : param->choices)[(int) value]));
  if (param->kind == VG_PARAM_BOOL)
    return g_strdup (value != 0 ? _ ("On") : _ ("Off"));
  if (value == 0 && word != NULL)
    return g_strdup (word);
  number = vg_format_number (value);
  return g_strjoin (param->unit != NULL && *param->unit != '\0' ? " " : "", number, param->unit,
                    NULL);
}

char *
vg_remedy_label (const VgRemedy *remedy)
{
  g_autofree char *value = NULL;

  if (remedy->param == NULL)
    return NULL;
  if (remedy->known && remedy->param->kind != VG_PARAM_ACTION)
    value = format_value (remedy->param, remedy->value);
  return value != NULL
             ? g_strdup_printf (_ ("Set %s to %s"), vg_translate (remedy->param->label), value)
             : g_strdup (vg_translate (remedy->param->label));
}

gboolean
vg_remedy_apply (const VgRemedy *remedy, VgSession *session)
{
  if (!remedy->known)
    return FALSE;
  vg_session_commit_waiting (session);
  vg_session_set_number (session, remedy->param, remedy->value);
  vg_session_commit (session, remedy->param->label);
  return TRUE;
}
