/* SPDX-License-Identifier: MIT */
/* Provenance: who set the value of each parameter.  A document keeps the values that its input
 * gives beside its parameters, so a value that differs from them was set by the user, or derived
 * from one that was. */
#include <math.h>
#include <string.h>
#include "app/session/vg-session-private.h"
#include "io/source/vg-source.h"

VgOrigin
vg_session_get_origin (VgSession *self, const VgParam *param)
{
  const VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  VgOrigin origin;
  void *defaults;

  if (!vg_param_equal (param, document->params, document->given))
    return document->derived[param - table->items] ? VG_ORIGIN_DERIVED : VG_ORIGIN_USER;
  defaults = vg_params_new (table);
  origin = vg_param_equal (param, defaults, document->given) ? VG_ORIGIN_DEFAULT : VG_ORIGIN_FILE;
  vg_params_free (table, defaults);
  return origin;
}

const void *
vg_session_get_given (VgSession *self)
{
  return self->document->given;
}

/* Derives again what was derived before.  A parameter that the user has reset stays as it is. */
static void
derive_again (const VgDocument *document, void *params, const gboolean *user, gboolean *derived)
{
  const VgParamTable *table = &document->operation->params;
  void *before = vg_params_copy (table, params);

  document->operation->on_params_changed (params, user);
  for (guint i = 0; i < table->n_items; i++)
    if (document->derived[i])
      derived[i] = !vg_param_equal (&table->items[i], before, params);
    else
      vg_param_assign (&table->items[i], params, before);
  vg_params_free (table, before);
}

/* GIVEN with the user's values over it; OTHER: without those that belong to the earlier data.
 * *DERIVED: new, one flag per parameter. */
static void *
compose (const VgDocument *document, const void *given, gboolean other, gboolean **derived)
{
  const VgParamTable *table = &document->operation->params;
  void *params = vg_params_copy (table, given);
  g_autofree gboolean *user = g_new0 (gboolean, MAX (table->n_items, 1));

  *derived = g_new0 (gboolean, MAX (table->n_items, 1));
  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];

      if (param->kind == VG_PARAM_ACTION
              ? other /* it was pressed for the earlier data */
              : vg_param_equal (param, document->params, document->given) ||
                    (other &&
                     (document->derived[i] || vg_param_is_per_dataset (param, document->params))))
        continue;
      vg_param_assign (param, params, document->params);
      (*derived)[i] = document->derived[i];
      user[i] = param->kind != VG_PARAM_ACTION && !document->derived[i];
    }
  if (other && document->operation->on_params_changed != NULL)
    derive_again (document, params, user, *derived);
  return params;
}

/* The sample of synthetic data that READ_OPTIONS name, as the window shows it. */
static VgSyntheticSize
choose_sample (const VgOperation *operation, const char *read_options)
{
  VgSyntheticSize size = operation->synthetic->live;

  vg_source_choose_sample (operation, read_options, &size, NULL);
  return size;
}

/* The defaults with what INFO says of INPUTS, or with the synthetic instrument of the sample that
 * READ_OPTIONS name where there are none; owned.  INFO NULL: they are not open yet. */
static void *
read_metadata (const VgOperation *operation, const char *const *inputs, const char *read_options,
               const VgImageInfo *info)
{
  void *given = vg_params_new (&operation->params);
  gboolean sample = inputs == NULL || inputs[0] == NULL;

  if (!sample && info != NULL && operation->adopt != NULL)
    operation->adopt (given, info);
  /* sample data of an operation without a synthetic instrument have the defaults */
  if (sample && operation->input.kind != VG_INPUT_NONE && operation->synthetic != NULL &&
      operation->synthetic->settings != NULL)
    {
      VgSyntheticSize size = choose_sample (operation, read_options);

      operation->synthetic->settings (&size, given);
    }
  return given;
}

void *
vg_session_params_for (VgSession *self, const char *const *inputs, const char *read_options)
{
  const VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  gboolean sample = inputs == NULL || inputs[0] == NULL;
  gboolean other = sample ? document->inputs[0] != NULL ||
                                g_strcmp0 (read_options, document->read_options) != 0
                          : !g_strv_equal (inputs, (const char *const *) document->inputs);
  g_autofree gboolean *derived = NULL;
  void *given, *params;

  if (!other && !sample)
    return vg_params_copy (table, document->params);
  given = read_metadata (document->operation, inputs, read_options, NULL);
  params = compose (document, given, other, &derived);
  vg_params_free (table, given);
  return params;
}

void *
vg_session_get_user_params (VgSession *self, VgOrigin *origins)
{
  const VgParamTable *table = &self->document->operation->params;
  g_autofree gboolean *derived = NULL;
  void *defaults = vg_params_new (table),
       *params = compose (self->document, defaults, FALSE, &derived);

  for (guint i = 0; i < table->n_items; i++)
    origins[i] = vg_session_get_origin (self, &table->items[i]);
  vg_params_free (table, defaults);
  return params;
}

static void
adopt (VgSession *self, const void *given, gboolean other)
{
  VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  gboolean *derived;
  void *params = compose (document, given, other, &derived), *before = document->params,
       *given_before = document->given;
  gboolean regions = other && vg_document_leave_regions (document);
  gboolean annotations = other && document->annotations->len > 0; /* they point at other data */
  gboolean changed = !vg_params_equal (table, params, before) ||
                     !vg_params_equal (table, given, given_before) ||
                     memcmp (derived, document->derived, table->n_items * sizeof *derived) != 0;

  if (annotations)
    g_ptr_array_set_size (document->annotations, 0);
  document->params = params;
  /* The regions of other data are gone, also those that these data have in the same place. */
  for (guint i = 0; i < table->n_items; i++)
    if (other || !vg_param_equal (&table->items[i], before, params))
      regions |= vg_session_show_param_region (document, &table->items[i], before);
  document->given = vg_params_copy (table, given);
  /* Sample data that were shown before keep their regions as the user left them. */
  if (document->inputs[0] == NULL && document->operation->synthetic != NULL &&
      (other || !vg_params_equal (table, given, given_before)))
    {
      VgSyntheticSize size = choose_sample (document->operation, document->read_options);

      regions |= vg_document_mark (document, &size);
    }
  vg_params_free (table, before);
  vg_params_free (table, given_before);
  g_free (document->derived);
  document->derived = derived;
  if (changed || regions || annotations)
    vg_session_changed (self,
                        (changed ? VG_CHANGED_PARAMS : 0) | (regions ? VG_CHANGED_REGIONS : 0) |
                            (annotations ? VG_CHANGED_ANNOTATIONS : 0),
                        TRUE);
}

/* Unless the user plays as fast as possible, a recording plays as fast as it was taken, within the
 * limits of a movie. */
static void
play_in_real_time (VgSession *self, const VgImageInfo *info)
{
  VgView view = self->document->view;

  if (info == NULL || info->frames < 2 || !(info->frame_interval_s > 0) ||
      !(view.playback_fps > 0) || self->document->operation->input.kind != VG_INPUT_STREAM)
    return;
  view.playback_fps = CLAMP (round (1 / info->frame_interval_s), 1, 60);
  vg_session_set_view (self, &view);
}

void
vg_session_adopt (VgSession *self, const VgImageInfo *info, gboolean other)
{
  const VgDocument *document = self->document;
  void *given;

  if (other)
    play_in_real_time (self, info);
  if (document->inputs[0] != NULL && document->operation->import != NULL)
    return; /* vg_session_adopt_run has set all parameters */
  given = read_metadata (document->operation, (const char *const *) document->inputs,
                         document->read_options, info);
  adopt (self, given, other);
  vg_params_free (&document->operation->params, given);
}

void
vg_session_adopt_run (VgSession *self, int run, const void *params)
{
  vg_session_set_run (self, run);
  vg_session_set_params (self, params);
  adopt (self, params, FALSE);
}
