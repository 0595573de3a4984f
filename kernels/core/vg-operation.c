/* SPDX-License-Identifier: MIT */
/* The registry, and look-ups in an operation's tables. */
#include "kernels/core/vg-operation.h"
#include <string.h>
#include "kernels/base/vg-text.h"

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

gboolean
vg_operation_choose_sample (const VgOperation *self, const char *id, VgSyntheticSize *size,
                            GError **error)
{
  const VgSample *samples = self->synthetic->samples;
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *quoted = NULL;

  for (int i = 0; samples[i].id != NULL; i++)
    {
      if (id == NULL || vg_text_same_name (samples[i].id, id))
        {
          size->sample = i;
          return TRUE;
        }
      g_string_append_printf (list, "%s%s", i > 0 ? ", " : "", samples[i].id);
    }
  quoted = vg_text_quote (id);
  g_set_error (error, VG_USAGE_ERROR, 0, "%s has no sample %s; choose %s", self->id, quoted,
               list->str);
  return FALSE;
}

/* A stream without end has -1 frames. */
static gboolean
is_in (const VgInputRange *range, gint64 n)
{
  return (range->min == 0 || n >= range->min) && (range->max == 0 || n <= range->max);
}

gboolean
vg_input_spec_accepts (const VgInputSpec *self, const VgImageInfo *info)
{
  gint64 slices = self->placed_is_volume && info->placement.known ? MAX (info->slices, 2)
                                                                  : info->slices;

  if (info->curves)
    return self->curves;
  return self->channels.max > 0 && is_in (&self->channels, info->channels) &&
         is_in (&self->bins, info->bins) && is_in (&self->slices, slices) &&
         is_in (&self->frames, info->frames);
}

gboolean
vg_input_spec_has_bins (const VgInputSpec *self)
{
  return self->bins.min > 1;
}

gboolean
vg_input_spec_has_suffix (const VgInputSpec *self, const char *name)
{
  g_auto (GStrv) suffixes = g_strsplit (self->suffixes != NULL ? self->suffixes : "", " ", -1);
  gsize length = strlen (name);

  for (guint i = 0; suffixes[i] != NULL; i++)
    {
      gsize n = strlen (suffixes[i]);

      if (n > 0 && length > n && name[length - n - 1] == '.' &&
          g_ascii_strcasecmp (name + length - n, suffixes[i]) == 0)
        return TRUE;
    }
  return FALSE;
}

gboolean
vg_input_spec_has_color (const VgInputSpec *self)
{
  return self->channels.max > 1;
}

int
vg_operation_get_history (const VgOperation *self, const void *params)
{
  return self->input.history != NULL ? self->input.history (params) : 0;
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
vg_operation_cycles_exposures (const VgOperation *self, const void *params)
{
  const VgCondition *cycle = &self->input.exposure_cycle;

  return cycle->id != NULL && vg_condition_holds (&self->params, cycle, params);
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
vg_operation_output_label (const VgOperation *self, guint i, const void *params)
{
  const VgOutput *output = &self->outputs[i];

  return output->exactly.label != NULL &&
                 vg_condition_holds (&self->params, &output->exactly.when, params)
             ? output->exactly.label
             : output->label;
}

const char *
vg_operation_output_unit (const VgOperation *self, guint i, const void *params)
{
  const VgOutput *output = &self->outputs[i];
  const VgUnitChoice *choice = output->unit_choice;

  if (choice != NULL)
    return choice
        ->units[(int) vg_param_get_number (vg_params_find (&self->params, choice->param), params)];
  return output->unit != NULL ? output->unit : "";
}

/* The id of output I among metrics: the standard error of an output is found by that output's id.
 */
static const char *
metric_id (const VgOperation *self, guint i, const void *params)
{
  const char *id = self->outputs[i].id;

  for (guint of = 0; of < self->n_outputs; of++)
    if (vg_operation_find_role (self, VG_ROLE_ERROR, self->outputs[of].id) == (int) i &&
        vg_operation_output_is_shown (self, of, params) &&
        g_str_equal (vg_operation_output_unit (self, of, params),
                     vg_operation_output_unit (self, i, params)))
      {
        g_autofree char *own = g_strconcat (self->outputs[of].id, "_error", NULL);

        return g_intern_string (own);
      }
  return id;
}

gboolean
vg_operation_has_overlay (const VgOperation *self)
{
  return self->plane != NULL && self->plane->overlay != NULL;
}

void
vg_operation_add_outputs (const VgOperation *self, const void *params, const float *values,
                          VgMetrics *metrics)
{
  for (guint i = 0; i < self->n_outputs; i++)
    {
      const VgOutput *output = &self->outputs[i];
      const char *const *words = output->hints.categories;

      if (output->kind == VG_OUTPUT_TEXT || output->view_only ||
          !vg_operation_output_is_shown (self, i, params))
        continue;
      vg_metrics_add (metrics, metric_id (self, i, params),
                      output->hints.instance != NULL ? output->hints.instance
                                                     : vg_operation_output_label (self, i, params),
                      vg_operation_output_unit (self, i, params), values[i], NULL);
      if (words != NULL && values[i] >= 0.0f && values[i] < (float) g_strv_length ((GStrv) words))
        g_array_index (metrics->items, VgMetric, metrics->items->len - 1).word =
            words[(guint) values[i]];
    }
}

char *
vg_operation_plot_needs (const VgOperation *self, guint i, const void *params)
{
  const VgCondition *needs = &self->plots[i].needs;
  const VgParam *param = needs->id != NULL ? vg_params_find (&self->params, needs->id) : NULL;
  GString *text;
  gboolean first = TRUE;

  if (param == NULL || vg_condition_holds (&self->params, needs, params))
    return NULL;
  if (param->kind != VG_PARAM_CHOICE)
    return g_strdup_printf ("%s %s in the settings to plot this.",
                            param->kind != VG_PARAM_BOOL ? "Set"
                            : needs->values & 2u         ? "Turn on"
                                                         : "Turn off",
                            param->label);
  text = g_string_new (NULL);
  g_string_printf (text, "Set %s to ", param->label);
  for (int k = 0; param->choices[k] != NULL; k++)
    if (needs->values & 1u << k)
      {
        g_string_append_printf (text, "%s%s", first ? "" : " or ",
                                param->choice_labels != NULL ? param->choice_labels[k]
                                                             : param->choices[k]);
        first = FALSE;
      }
  g_string_append (text, " in the settings to plot this.");
  return g_string_free (text, FALSE);
}

const char *
vg_operation_get_role (const VgOperation *self, VgRole role, const char *output)
{
  for (const VgOutputRole *it = self->roles; it != NULL && it->player != NULL; it++)
    if (it->role == role && (it->output == NULL || g_strcmp0 (it->output, output) == 0))
      return it->player;
  return NULL;
}

int
vg_operation_find_role (const VgOperation *self, VgRole role, const char *output)
{
  const char *player = vg_operation_get_role (self, role, output);

  return player != NULL ? vg_operation_find_output (self, player) : -1;
}

int
vg_operation_find_relative_error (const VgOperation *self, guint i)
{
  int error = vg_operation_find_role (self, VG_ROLE_ERROR, self->outputs[i].id);

  return error >= 0 && g_strcmp0 (self->outputs[error].unit, "%") == 0 &&
                 g_strcmp0 (self->outputs[i].unit, "%") != 0
             ? error
             : -1;
}

int
vg_operation_find_objects (const VgOperation *self)
{
  return self->objects != NULL ? vg_operation_find_output (self, self->objects->table) : -1;
}

void
vg_finding_free (gpointer data)
{
  VgFinding *self = data;

  if (self == NULL)
    return;
  g_clear_pointer (&self->mask, vg_image_unref);
  g_free (self->note);
  g_free (self);
}
