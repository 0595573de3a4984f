/* SPDX-License-Identifier: MIT */
/* Where the values of parameters are from.  Data that are opened say what they
 * know of themselves; that is kept beside the parameters, so that what the
 * user has set can be told from what came with a file or with the sample. */
#include <string.h>
#include "app/session/vg-session-private.h"

VgOrigin
vg_session_get_origin (VgSession *self, const VgParam *param)
{
  const VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  VgOrigin origin;
  void *defaults;

  if (!vg_param_equal (param, document->params, document->said))
    return document->followed[param - table->items] ? VG_ORIGIN_FOLLOWED : VG_ORIGIN_USER;
  defaults = vg_params_new (table);
  origin = vg_param_equal (param, defaults, document->said) ? VG_ORIGIN_DEFAULT : VG_ORIGIN_FILE;
  vg_params_free (table, defaults);
  return origin;
}

const void *
vg_session_get_said (VgSession *self)
{
  return self->document->said;
}

/* FOLLOW again what followed before: a setting that has been put back by hand stays as it is. */
static void
follow_again (const VgDocument *document, void *params, const gboolean *user, gboolean *followed)
{
  const VgParamTable *table = &document->operation->params;
  void *before = vg_params_copy (table, params);

  document->operation->on_params_changed (params, user);
  for (guint i = 0; i < table->n_items; i++)
    if (document->followed[i])
      followed[i] = !vg_param_equal (&table->items[i], before, params);
    else
      vg_param_assign (&table->items[i], params, before);
  vg_params_free (table, before);
}

/* FOLLOWED, one per parameter and FALSE, becomes those that went along with others. */
static void *
compose (const VgDocument *document, const void *said, gboolean other, gboolean *followed)
{
  const VgParamTable *table = &document->operation->params;
  void *params = vg_params_copy (table, said);
  g_autofree gboolean *user = g_new0 (gboolean, MAX (table->n_items, 1));

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      gboolean of_data = vg_param_equal (param, document->params, document->said);

      if (param->kind != VG_PARAM_ACTION &&
          (of_data ||
           (other && (document->followed[i] || vg_param_is_per_dataset (param, document->params)))))
        continue;
      vg_param_assign (param, params, document->params);
      followed[i] = document->followed[i];
      user[i] = param->kind != VG_PARAM_ACTION && !followed[i];
    }
  if (other && document->operation->on_params_changed != NULL)
    follow_again (document, params, user, followed);
  return params;
}

void *
vg_session_params_for (VgSession *self, const void *said, gboolean other)
{
  g_autofree gboolean *followed = g_new0 (gboolean,
                                          MAX (self->document->operation->params.n_items, 1));

  return compose (self->document, said, other, followed);
}

void
vg_session_take_said (VgSession *self, const void *said, gboolean other)
{
  VgDocument *document = self->document;
  const VgParamTable *table = &document->operation->params;
  gboolean *followed = g_new0 (gboolean, MAX (table->n_items, 1));
  void *params = compose (document, said, other, followed), *before;
  gboolean regions = other && vg_document_leave_regions (document);
  gboolean changed = !vg_params_equal (table, params, document->params),
           same = vg_params_equal (table, said, document->said);

  same = same && memcmp (followed, document->followed, table->n_items * sizeof *followed) == 0;
  before = document->params;
  document->params = params;
  for (guint i = 0; i < table->n_items; i++)
    if (!vg_param_equal (&table->items[i], before, params))
      regions |= vg_session_show_param_region (document, &table->items[i], before);
  vg_params_free (table, before);
  if (!same)
    {
      void *old = document->said;

      document->said = vg_params_copy (table, said); /* SAID may be the old one */
      vg_params_free (table, old);
    }
  g_free (document->followed);
  document->followed = followed;
  if (changed || regions || !same)
    vg_session_changed (
        self, (changed || !same ? VG_CHANGED_PARAMS : 0) | (regions ? VG_CHANGED_REGIONS : 0),
        TRUE);
}
