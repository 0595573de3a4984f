/* SPDX-License-Identifier: MIT */
/* What a file, or the synthetic instrument, says of itself becomes the
 * parameters that the user has not set. */
#include "vg-window-private.h"
#include <string.h>

/* Takes what WANTED says other than the session; ONLY_DEFAULTS: leaves alone
 * what the user has set. */
static void
take_params (VgWindow *self, const void *wanted, gboolean only_defaults)
{
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  void *defaults = vg_params_new (table);

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *now = vg_param_format (param, vg_session_get_params (self->session));
      g_autofree char *usual = vg_param_format (param, defaults);
      g_autofree char *text = vg_param_format (param, wanted);
      if (param->kind != VG_PARAM_ACTION && g_strcmp0 (now, text) != 0 && (!only_defaults || g_strcmp0 (now, usual) == 0))
        vg_session_set_text (self->session, param, text, NULL);
    }
  vg_params_free (table, defaults);
}

void
vg_window_take_synthetic_settings (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted;

  if (operation->synthetic == NULL || operation->synthetic->settings == NULL)
    return;
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  operation->synthetic->settings (wanted);
  take_params (self, wanted, FALSE);
  vg_params_free (&operation->params, wanted);
}

/* A region that a setting was is a place in the picture before. */
static void
leave_regions (VgWindow *self)
{
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;

  for (guint i = vg_session_get_n_regions (self->session); i-- > 0;)
    {
      g_autofree char *text = vg_region_format (&vg_session_get_region (self->session, i)->region);
      gboolean used = FALSE;

      for (guint k = 0; k < table->n_items; k++)
        used |= vg_session_param_is_region (&table->items[k], vg_session_get_params (self->session), text);
      if (used)
        vg_session_remove_region (self->session, i);
    }
}

void
vg_window_leave_input (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted;

  leave_regions (self);
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));

  vg_params_leave_input (&operation->params, wanted);
  take_params (self, wanted, FALSE);
  vg_params_free (&operation->params, wanted);
}

void
vg_window_forget_adopted (VgWindow *self)
{
  if (self->adopted)
    vg_params_free (&self->adopted_operation->params, g_steal_pointer (&self->adopted));
  self->adopted_operation = NULL;
}

/* What the file before said of itself holds no longer: such parameters are as good as not set. */
static void
drop_adopted (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted, *defaults;

  if (self->adopted_operation != operation)
    return;
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  defaults = vg_params_new (&operation->params);
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *now = vg_param_format (param, wanted), *said = vg_param_format (param, self->adopted);
      g_autofree char *usual = vg_param_format (param, defaults);

      if (strcmp (now, said) == 0 && strcmp (said, usual) != 0)
        vg_param_parse (param, wanted, usual, NULL);
    }
  take_params (self, wanted, FALSE);
  vg_params_free (&operation->params, defaults);
  vg_params_free (&operation->params, wanted);
}

void
vg_window_take_file_settings (VgWindow *self, const VgImageInfo *info)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *wanted;

  drop_adopted (self);
  vg_window_forget_adopted (self);
  if (operation->adopt == NULL)
    return;
  self->adopted_operation = operation;
  self->adopted = vg_params_new (&operation->params);
  operation->adopt (self->adopted, info);
  wanted = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  operation->adopt (wanted, info);
  take_params (self, wanted, TRUE);
  vg_params_free (&operation->params, wanted);
}
