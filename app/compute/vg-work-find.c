/* SPDX-License-Identifier: MIT */
#include <gio/gio.h>
#include "app/compute/vg-work-private.h"
/* What an operation finds in the data for the parameters that the user has not set. */

GPtrArray *
vg_work_find (VgWork *self, const void *params, VgImage *image, GError **error)
{
  const VgOperation *operation = self->operation;
  GPtrArray *findings;
  VgContext context;

  if (image == NULL)
    image = self->image;
  if (params == NULL)
    params = self->params;
  if (operation->find == NULL || image == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   operation->find == NULL ? "%s finds no regions in its data; draw them"
                                           : "%s has no data in which to find regions; open some",
                   operation->id);
      return NULL;
    }
  if (!vg_work_check_params (self, params, &image->info, error))
    return NULL;
  context = vg_work_context (self, params);
  if (image == self->image)
    context.state = self->state;
  context.image = image;
  context.info = &image->info;
  vg_work_limit_threads (self);
  findings = operation->find->run (&context, error);
  if (findings == NULL && vg_context_is_stopped (&context))
    {
      g_clear_error (error);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "cancelled");
    }
  return findings;
}
