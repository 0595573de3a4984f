/* SPDX-License-Identifier: MIT */
/* Parameters that the user has not set adopt what the metadata of a file, or the synthetic
 * instrument, say. */
#include "ui/window/vg-window-private.h"

/* The defaults with the values from the metadata of INPUTS, owned by the caller.  INFO NULL: they
 * are not open yet. */
static void *
read_metadata (const VgOperation *operation, const char *const *inputs, const VgImageInfo *info)
{
  void *said = vg_params_new (&operation->params);
  gboolean sample = inputs == NULL || inputs[0] == NULL;

  if (!sample && info != NULL && operation->adopt != NULL)
    operation->adopt (said, info);
  /* sample data of an operation without a synthetic instrument have the defaults */
  if (sample && operation->input.kind != VG_INPUT_NONE && operation->synthetic != NULL &&
      operation->synthetic->settings != NULL)
    operation->synthetic->settings (said);
  return said;
}

void *
vg_window_params_for (VgWindow *self, const char *const *inputs)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean none = inputs == NULL || inputs[0] == NULL;
  const char *const *before = vg_session_get_inputs (self->session);
  gboolean other = none ? before[0] != NULL : !g_strv_equal (inputs, before);
  void *said, *params;

  if (!other && !none)
    return vg_params_copy (&operation->params, vg_session_get_params (self->session));
  said = read_metadata (operation, inputs, NULL);
  params = vg_session_params_for (self->session, said, other);
  vg_params_free (&operation->params, said);
  return params;
}

void
vg_window_adopt (VgWindow *self, const VgImageInfo *info, gboolean other)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const char *const *inputs = vg_session_get_inputs (self->session);
  void *said;

  if (inputs[0] != NULL && operation->import != NULL)
    return; /* a settings file has set all parameters */
  said = read_metadata (operation, inputs, info);
  vg_session_take_said (self->session, said, other);
  vg_params_free (&operation->params, said);
}
