/* SPDX-License-Identifier: MIT */
/* The registry, and look-ups in an operation's tables. */
#include "vg-operation.h"
#include "vg-text.h"

/* Generated from the list in kernels/meson.build; ended by NULL. */
extern const VgOperation *const vg_registry_table[];

const VgOperation *const *
vg_operations (guint *n)
{
  *n = 0;
  while (vg_registry_table[*n] != NULL)
    (*n)++;
  return vg_registry_table;
}

const VgOperation *
vg_operation_find (const char *id)
{
  for (guint i = 0; vg_registry_table[i] != NULL; i++)
    if (vg_text_same_name (vg_registry_table[i]->id, id))
      return vg_registry_table[i];
  return NULL;
}

int
vg_operation_find_output (const VgOperation *self, const char *id)
{
  for (guint i = 0; i < self->n_outputs; i++)
    if (vg_text_same_name (self->outputs[i].id, id))
      return (int) i;
  return -1;
}

gboolean
vg_operation_output_is_shown (const VgOperation *self, guint i, const void *params)
{
  return vg_condition_holds (&self->params, &self->outputs[i].shown_when, params);
}

gboolean
vg_operation_has_maps (const VgOperation *self, const void *params)
{
  for (guint i = 0; i < self->n_outputs; i++)
    if (self->outputs[i].kind != VG_OUTPUT_TEXT && vg_operation_output_is_shown (self, i, params))
      return TRUE;
  return FALSE;
}

const char *
vg_operation_output_unit (const VgOperation *self, guint i, const void *params)
{
  const char *unit = self->unit != NULL ? self->unit (params, i) : NULL;

  return unit != NULL ? unit : self->outputs[i].unit != NULL ? self->outputs[i].unit : "";
}

void
vg_operation_add_outputs (const VgOperation *self, const void *params, const float *values, VgNumbers *numbers)
{
  for (guint i = 0; i < self->n_outputs; i++)
    if (self->outputs[i].kind != VG_OUTPUT_TEXT && !self->outputs[i].view_only && vg_operation_output_is_shown (self, i, params))
      vg_numbers_add (numbers, self->outputs[i].id, self->outputs[i].label, vg_operation_output_unit (self, i, params), values[i], NULL);
}

int
vg_operation_find_objects (const VgOperation *self)
{
  for (guint i = 0; i < self->n_outputs; i++)
    if (self->outputs[i].kind == VG_OUTPUT_TEXT && self->outputs[i].objects != NULL)
      return (int) i;
  return -1;
}
