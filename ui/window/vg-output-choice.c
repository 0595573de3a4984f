/* SPDX-License-Identifier: MIT */
#include "ui/window/vg-output-choice.h"

struct _VgOutputChoice
{
  const VgOperation *operation;
  GArray *hidden; /* outputs of it (int), the last one hidden first */
  int instead; /* what was shown in place of the first of these, unless another was chosen; or -1 */
};

VgOutputChoice *
vg_output_choice_new (void)
{
  VgOutputChoice *self = g_new0 (VgOutputChoice, 1);

  self->hidden = g_array_new (FALSE, FALSE, sizeof (int));
  self->instead = -1;
  return self;
}

void
vg_output_choice_free (VgOutputChoice *self)
{
  g_array_unref (self->hidden);
  g_free (self);
}

/* The output hidden last that exists again; else the first with the unit of the one that a new
 * window shows; else the first; -1: none. */
static int
find_output (VgOutputChoice *self, const void *params)
{
  const VgOperation *operation = self->operation;
  int first = -1, alike = -1;

  for (guint i = 0; i < self->hidden->len; i++)
    if (vg_operation_output_is_shown (operation, g_array_index (self->hidden, int, i), params))
      return g_array_index (self->hidden, int, i);
  for (int i = (int) operation->n_outputs - 1; i >= 0; i--)
    if (operation->outputs[i].kind != VG_OUTPUT_TEXT &&
        vg_operation_output_is_shown (operation, i, params))
      {
        first = i;
        if (g_strcmp0 (operation->outputs[i].unit,
                       operation->outputs[operation->view.first_output].unit) == 0)
          alike = i;
      }
  return alike >= 0 ? alike : first;
}

static gboolean
is_hidden (VgOutputChoice *self, int output)
{
  for (guint i = 0; i < self->hidden->len; i++)
    if (g_array_index (self->hidden, int, i) == output)
      return TRUE;
  return FALSE;
}

/* An output that stands in for one that did not exist for a while, as while data are opened, gives
 * way to that. */
static void
go_back (VgOutputChoice *self, VgSession *session)
{
  VgView view = *vg_session_get_view (session);
  int before = self->hidden->len > 0 ? g_array_index (self->hidden, int, 0) : -1;

  if (view.output != self->instead || before < 0)
    self->instead = -1;
  else if (vg_operation_output_is_shown (self->operation, before, vg_session_get_params (session)))
    {
      self->instead = -1;
      g_array_remove_index (self->hidden, 0);
      view.output = before;
      vg_session_set_view (session, &view);
    }
}

void
vg_output_choice_update (VgOutputChoice *self, VgSession *session)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const void *params = vg_session_get_params (session);
  VgView view = *vg_session_get_view (session);
  int hidden = view.output;

  if (self->operation != operation)
    {
      g_array_set_size (self->hidden, 0);
      self->instead = -1;
    }
  self->operation = operation;
  if (vg_operation_output_is_shown (operation, hidden, params))
    {
      go_back (self, session);
      return;
    }
  view.output = find_output (self, params);
  self->instead = is_hidden (self, view.output) ? -1 : view.output;
  for (guint i = 0; i < self->hidden->len; i++)
    if (g_array_index (self->hidden, int, i) == hidden)
      g_array_remove_index (self->hidden, i--);
  g_array_prepend_val (self->hidden, hidden);
  if (view.output >= 0)
    vg_session_set_view (session, &view);
}
