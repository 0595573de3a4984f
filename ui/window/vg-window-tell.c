/* SPDX-License-Identifier: MIT */
/* What goes wrong stands in the banner; beside it a way to the setting that it is about. */
#include "app/compute/vg-named-param.h"
#include "ui/window/vg-window-private.h"

static const VgParam *
find_named (VgWindow *self, const char *text)
{
  return vg_named_param (&vg_session_get_operation (self->session)->params,
                         vg_session_get_params (self->session), text);
}

void
vg_window_tell (VgWindow *self, VgBannerKind kind, const char *text)
{
  const VgParam *param = kind == VG_BANNER_NOTICE ? NULL : find_named (self, text);

  vg_banner_show (VG_BANNER (self->banner), kind, text);
  if (kind == VG_BANNER_NOTICE)
    return;
  self->told = param;
  vg_banner_set_more (VG_BANNER (self->banner), param ? param->label : NULL);
}

static void
go_to (VgWindow *self, const VgParam *param)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->side_stack), "parameters");
  if (!gtk_widget_get_visible (self->side))
    g_action_group_activate_action (G_ACTION_GROUP (self), "side-pane", NULL);
  vg_param_panel_go_to (VG_PARAM_PANEL (self->params), param);
}

static void
go_to_told (VgWindow *self)
{
  go_to (self, self->told);
}

static const char *
name_way (gpointer data, const char *text)
{
  const VgParam *param = find_named (data, text);

  return param ? param->label : NULL;
}

/* To the setting that the only caution names, or to the numbers with their advice. */
static void
on_cautions (VgWindow *self)
{
  const char *text = vg_cautions_get_only (VG_CAUTIONS (self->cautions));
  const VgParam *param = text ? find_named (self, text) : NULL;

  if (param)
    {
      go_to (self, param);
      return;
    }
  gtk_stack_set_visible_child_name (GTK_STACK (self->side_stack), "results");
  gtk_widget_child_focus (self->results, GTK_DIR_TAB_FORWARD);
}

void
vg_window_connect_banners (VgWindow *self)
{
  g_signal_connect_swapped (self->banner, "more", G_CALLBACK (go_to_told), self);
  g_signal_connect_swapped (self->cautions, "more", G_CALLBACK (on_cautions), self);
  vg_cautions_set_way (VG_CAUTIONS (self->cautions), name_way, self);
}
