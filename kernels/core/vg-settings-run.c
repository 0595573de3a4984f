/* SPDX-License-Identifier: MIT */
#include "kernels/core/vg-settings-run.h"
#include <string.h>

VgSettingsRun *
vg_settings_run_new (const VgParamTable *table, const void *params, const char *name)
{
  VgSettingsRun *self = g_new0 (VgSettingsRun, 1);

  self->table = table;
  self->name = g_strdup (name);
  self->params = vg_params_copy (table, params);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  return self;
}

void
vg_settings_run_free (gpointer data)
{
  VgSettingsRun *self = data;

  vg_params_free (self->table, self->params);
  g_ptr_array_unref (self->notes);
  g_free (self->name);
  g_free (self->file);
  g_free (self);
}

void
vg_settings_run_swap (VgSettingsRun *self, void *params)
{
  g_autofree void *other = g_memdup2 (params, self->table->struct_size);

  memcpy (params, self->params, self->table->struct_size);
  memcpy (self->params, other, self->table->struct_size);
}
