/* SPDX-License-Identifier: MIT */
/* What goes wrong stands in the banner; beside it a way to the setting that it is about. */
#include "vg-named-param.h"
#include "vg-window-private.h"

void
vg_window_tell (VgWindow *self, VgBannerKind kind, const char *text)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgParam *param = kind == VG_BANNER_NOTICE ? NULL : vg_named_param (&operation->params, vg_session_get_params (self->session), text);

  vg_banner_show (VG_BANNER (self->banner), kind, text);
  if (kind == VG_BANNER_NOTICE)
    return;
  self->told = param;
  vg_banner_set_more (VG_BANNER (self->banner), param ? param->label : NULL);
}

void
vg_window_go_to_told (VgWindow *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->side_stack), "parameters");
  if (!gtk_widget_get_visible (self->side))
    g_action_group_activate_action (G_ACTION_GROUP (self), "side-pane", NULL);
  vg_param_panel_go_to (VG_PARAM_PANEL (self->params), self->told);
}
