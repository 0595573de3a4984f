/* SPDX-License-Identifier: MIT */
#include "ui/choosers/vg-length-chooser.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

static void
follow (GtkDropDown *self, guint flags, VgSession *session)
{
  if (flags & (VG_CHANGED_VIEW | VG_CHANGED_OPERATION))
    gtk_drop_down_set_selected (self, (guint) vg_session_get_view (session)->length_unit);
}

static void
on_changed (VgSession *session, guint flags, GtkDropDown *self)
{
  follow (self, flags, session);
}

static void
on_selected (GtkDropDown *self, GParamSpec *spec, VgSession *session)
{
  VgView view = *vg_session_get_view (session);

  view.length_unit = (int) gtk_drop_down_get_selected (self);
  vg_session_set_view (session, &view);
}

GtkWidget *
vg_length_chooser_new (VgSession *session)
{
  /* in the order of VgLength */
  static const char *const units[] = { N_ ("From file"), "µm", "mm", "cm", NULL };
  GtkWidget *self = vg_choice_new (units);

  vg_widget_describe (self, _ ("Length unit"),
                      _ ("Unit of axes, positions, lengths and coefficients"));
  follow (GTK_DROP_DOWN (self), VG_CHANGED_VIEW, session);
  g_signal_connect_object (session, "changed", G_CALLBACK (on_changed), self, 0);
  g_signal_connect_object (self, "notify::selected", G_CALLBACK (on_selected), session, 0);
  return self;
}
