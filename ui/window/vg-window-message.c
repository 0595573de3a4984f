/* SPDX-License-Identifier: MIT */
/* Messages in the banner, with a button that leads to the parameter they name, and the one about
 * what is still being written. */
#include "app/compute/vg-named-param.h"
#include "ui/words/vg-translation.h"
#include "ui/params/vg-remedy-label.h"
#include "ui/window/vg-window-private.h"

static const VgParam *
find_named (VgWindow *self, const char *text)
{
  return vg_named_param (&vg_session_get_operation (self->session)->params,
                         vg_session_get_params (self->session), text);
}

void
vg_window_show_banner (VgWindow *self, VgBannerKind kind, const char *text)
{
  const VgParam *param = kind == VG_BANNER_NOTICE ? NULL : find_named (self, text);

  g_clear_pointer (&self->cause.exported, g_free);
  g_clear_pointer (&self->cause.bare, g_strfreev);
  vg_banner_show (VG_BANNER (self->banner), kind, vg_translate (text));
  if (kind == VG_BANNER_NOTICE)
    return;
  self->cause.param = param;
  vg_banner_set_more (VG_BANNER (self->banner), param ? vg_translate (param->label) : NULL);
}

void
vg_window_message (VgWindow *self, gboolean failed, const char *text)
{
  vg_window_show_banner (self, failed ? VG_BANNER_ERROR : VG_BANNER_NOTICE, text);
}

void
vg_window_show_exported (VgWindow *self, const char *folder, gboolean report, const char *text)
{
  vg_banner_hide (VG_BANNER (self->banner)); /* also an error */
  vg_window_show_banner (self, VG_BANNER_NOTICE, text);
  self->cause.exported = report ? g_build_filename (folder, "report.html", NULL)
                                : g_strdup (folder);
  vg_banner_set_more (VG_BANNER (self->banner), report ? _ ("Open Report") : _ ("Show in Files"));
  vg_banner_stay (VG_BANNER (self->banner));
}

void
vg_window_go_to (VgWindow *self, const VgParam *param)
{
  vg_panes_show_side (VG_PANES (self->panes), TRUE);
  vg_side_pane_go_to (VG_SIDE_PANE (self->side), param);
}

static void
on_more (VgWindow *self)
{
  g_autoptr (GFile)
      folder = self->cause.exported != NULL ? g_file_new_for_path (self->cause.exported) : NULL;
  g_autofree char *uri = folder != NULL ? g_file_get_uri (folder) : NULL;

  if (self->cause.bare != NULL)
    return; /* vg_window_connect_opening */
  if (uri != NULL)
    gtk_show_uri (GTK_WINDOW (self), uri, GDK_CURRENT_TIME);
  else
    vg_window_go_to (self, self->cause.param);
}

static char *
name_remedy (gpointer data, const VgMetric *caution)
{
  VgWindow *self = data;
  VgRemedy remedy = vg_remedy_for (self->session, caution);

  return vg_remedy_label (&remedy);
}

/* The page that says in full what a number's sign stands for. */
static void
show_advice (VgWindow *self)
{
  vg_panes_show_side (VG_PANES (self->panes), TRUE);
  vg_side_pane_show_results (VG_SIDE_PANE (self->side));
}

/* Does what removes the cause of the only warning, or leads to the parameter that it names, or to
 * the metrics with their advice. */
static void
on_cautions (VgWindow *self)
{
  const VgMetric *only = vg_cautions_get_only (VG_CAUTIONS (self->cautions));
  VgRemedy remedy = only != NULL ? vg_remedy_for (self->session, only) : (VgRemedy){ 0 };

  if (remedy.param == NULL)
    show_advice (self);
  else if (!vg_remedy_apply (&remedy, self->session))
    vg_window_go_to (self, remedy.param);
}

static void
on_setting (VgWindow *self, const char *name)
{
  vg_window_go_to (self, vg_params_find (&vg_session_get_operation (self->session)->params, name));
}

static void
on_withdraw (VgWindow *self, const char *text)
{
  vg_banner_withdraw (VG_BANNER (self->banner), vg_translate (text));
}

void
vg_window_connect_banners (VgWindow *self)
{
  GtkWidget *senders[] = { self->compare, self->record.bar, self->charts };

  g_signal_connect_swapped (self->banner, "more", G_CALLBACK (on_more), self);
  g_signal_connect_swapped (self->cautions, "more", G_CALLBACK (on_cautions), self);
  vg_cautions_set_way (VG_CAUTIONS (self->cautions), name_remedy, self);
  vg_connect (self->status, "advice", show_advice, self);
  for (guint i = 0; i < G_N_ELEMENTS (senders); i++)
    g_signal_connect_swapped (senders[i], "message", G_CALLBACK (vg_window_message), self);
  g_signal_connect_swapped (self->charts, "setting", G_CALLBACK (on_setting), self);
  g_signal_connect_swapped (self->compare, "withdraw", G_CALLBACK (on_withdraw), self);
  g_signal_connect_swapped (self->record.bar, "withdraw", G_CALLBACK (on_withdraw), self);
}

/* ---- writing ---- */

/* A window with sessions or maps to write closes only when they are written, or when it has
 * reported that they are not. */
void
vg_window_begin_writing (VgWindow *self)
{
  self->writing.n++;
}

void
vg_window_end_writing (VgWindow *self, gboolean written)
{
  self->writing.n--;
  self->writing.closing = self->writing.closing && written;
  if (self->writing.closing && self->writing.n == 0)
    gtk_window_close (GTK_WINDOW (self));
}

gboolean
vg_window_may_close (VgWindow *self)
{
  if (self->writing.n == 0 || self->writing.closing)
    return TRUE;
  self->writing.closing = TRUE;
  vg_window_message (self, FALSE,
                     _ ("Finishing the export\342\200\246 Close again to abandon it."));
  return FALSE;
}
