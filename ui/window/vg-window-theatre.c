/* SPDX-License-Identifier: MIT */
/* Theatre mode: the window without all that is around the image, and what its buttons do. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include <math.h>

/* The boxes that hold what is around the image are hidden, not the widgets: these are as before, or
 * as they have become, when theatre mode ends.  Messages stay. */
static void
show_around (VgWindow *self, gboolean shown)
{
  GtkWidget *around[] = { self->toolbar,    vg_session_journal_get_banner (self->journal),
                          self->record.bar, self->question,
                          self->cautions,   self->transport,
                          self->help.pane,  self->status };
  GtkWidget *messages = gtk_widget_get_parent (self->banner);

  for (guint i = 0; i < G_N_ELEMENTS (around); i++)
    gtk_widget_set_visible (gtk_widget_get_parent (around[i]), shown);
  if (shown)
    gtk_widget_remove_css_class (messages, "vg-theatre-messages");
  else
    gtk_widget_add_css_class (messages, "vg-theatre-messages");
  gtk_widget_set_child_visible (self->compare, shown);
  gtk_widget_set_visible (vg_header_get_widget (self->header), shown);
  vg_panes_set_mode (VG_PANES (self->panes), shown ? VG_PANES_ALL : VG_PANES_PICTURE);
}

void
vg_window_send_whole (VgWindow *self)
{
  VgImageInfo info = { .width = 0 };
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean in_results = operation->input.kind != VG_INPUT_NONE &&
                        gtk_widget_get_mapped (
                            vg_side_pane_get_results (VG_SIDE_PANE (self->side))) &&
                        vg_session_get_output (self->session)->kind == VG_OUTPUT_MAP;
  VgTheatre *theatre = VG_THEATRE (self->theatre);
  gboolean whole;

  if (self->pipeline == NULL)
    return; /* the window is closing */
  whole = (vg_theatre_is_on (theatre) || vg_theatre_has_alarm (theatre) || in_results) &&
          (!vg_pipeline_get_info (self->pipeline, &info) ||
           !vg_key_number_has_region (self->session, info.width, info.height));

  vg_pipeline_set_whole (self->pipeline, whole ? vg_session_get_view (self->session)->slice : -1);
}

static void
set_theatre (VgWindow *self, gboolean on)
{
  static const char was_full[] = "vg-was-full";
  GtkWindow *window = GTK_WINDOW (self);

  show_around (self, !on);
  vg_image_view_set_tool (vg_viewer_get_image (self->viewer), VG_TOOL_PAN);
  vg_inspector_close (self->inspector);
  vg_inspector_set_image (self->inspector, on ? NULL : vg_viewer_get_image (self->viewer));
  vg_theatre_set_on (VG_THEATRE (self->theatre), on);
  vg_session_set_zoom_temporary (self->session, on);
  vg_window_send_whole (self);
  vg_image_view_set_free (vg_viewer_get_image (self->viewer), on ? VG_BIG_NUMBER_SHARE : 0,
                          on ? vg_theatre_get_foot (VG_THEATRE (self->theatre)) : 0);
  if (on)
    {
      g_object_set_data (G_OBJECT (self), was_full,
                         GINT_TO_POINTER (gtk_window_is_fullscreen (window)));
      gtk_window_fullscreen (window);
    }
  else if (g_object_get_data (G_OBJECT (self), was_full) == NULL)
    gtk_window_unfullscreen (window);
  gtk_window_set_focus (window, GTK_WIDGET (vg_viewer_get_image (self->viewer)));
  gtk_window_set_focus_visible (window, FALSE);
  vg_window_enable_actions (self);
}

void
vg_window_switch_mirror (VgWindow *self)
{
  VgMirror *mirror = vg_theatre_get_mirror (VG_THEATRE (self->theatre));

  if (vg_mirror_is_open (mirror))
    {
      vg_mirror_close (mirror);
      return;
    }
  if (!vg_theatre_is_on (VG_THEATRE (self->theatre)))
    set_theatre (self, TRUE);
  vg_mirror_open (mirror);
}

static void
on_mirror_lost (VgWindow *self)
{
  vg_window_message (self, FALSE,
                     _ ("The second screen was disconnected. The image is on this screen only."));
}

void
vg_window_watch_mirror (VgWindow *self)
{
  VgMirror *mirror = vg_theatre_get_mirror (VG_THEATRE (self->theatre));

  vg_connect (mirror, "lost", on_mirror_lost, self);
}

void
vg_window_switch_theatre (VgWindow *self)
{
  set_theatre (self, !vg_theatre_is_on (VG_THEATRE (self->theatre)));
}

gboolean
vg_window_leave_theatre (VgWindow *self)
{
  if (!vg_theatre_is_on (VG_THEATRE (self->theatre)))
    return FALSE;
  if (vg_panes_is_side_shown (VG_PANES (self->panes))) /* that is over the image */
    vg_panes_show_side (VG_PANES (self->panes), FALSE);
  else
    set_theatre (self, FALSE);
  return TRUE;
}

/* Theatre mode then shows the number of that region. */
void
vg_window_choose_next_region (VgWindow *self)
{
  const int n = (int) vg_session_get_n_regions (self->session);

  if (n == 0)
    return;
  vg_session_select_region (self->session,
                            (vg_theatre_get_region (VG_THEATRE (self->theatre)) + 1) % n);
  self->fresh = TRUE; /* a paused result has the numbers of all regions */
}

/* In theatre mode the limits that are shown are kept from then on, so that the colours of tissue
 * change with its flow alone. */
void
vg_window_set_baseline (VgWindow *self)
{
  const VgParam *param = vg_key_number_find_baseline (vg_session_get_operation (self->session));
  double presses;

  if (param == NULL)
    return;
  presses = vg_param_get_number (param, vg_session_get_params (self->session));
  vg_session_commit_waiting (self->session);
  if (vg_theatre_is_on (VG_THEATRE (self->theatre)))
    {
      vg_image_view_fix_limits (vg_viewer_get_image (self->viewer), TRUE);
      vg_session_commit_waiting (self->session); /* as limits: a baseline cannot be undone */
    }
  vg_session_set_number (self->session, param, presses + 1);
  vg_session_commit (self->session, param->label);
}

void
vg_window_mark_time (VgWindow *self)
{
  double time_s = self->result != NULL ? self->result->time_s : NAN;
  g_autofree char *text = g_strdup_printf (_ ("Marked %.1f s"), time_s);

  if (!isfinite (time_s))
    return;
  vg_pipeline_mark_time (self->pipeline, time_s, _ ("Mark"));
  vg_window_message (self, FALSE, text);
}

static void
on_marked (VgWindow *self, double time_s, const char *text)
{
  vg_pipeline_mark_time (self->pipeline, time_s, *text != '\0' ? text : _ ("Mark"));
}

/* Moves the focus to the image.  If the button had it, Space would ask for another marker. */
static void
on_mark_closed (VgWindow *self)
{
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (vg_viewer_get_image (self->viewer)));
}

void
vg_window_watch_marks (VgWindow *self)
{
  VgMarkButton *button = vg_transport_get_mark (VG_TRANSPORT (self->transport));

  vg_connect (button, "marked", on_marked, self);
  vg_connect (button, "closed", on_mark_closed, self);
}

void
vg_window_ask_for_mark (VgWindow *self)
{
  VgMarkButton *button = vg_transport_get_mark (VG_TRANSPORT (self->transport));

  if (self->result != NULL && self->result->plane.slices > 1)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.mosaic", NULL);
  else if (!g_action_group_get_action_enabled (G_ACTION_GROUP (self), "mark"))
    return;
  else if (gtk_widget_get_mapped (GTK_WIDGET (button)))
    vg_mark_button_ask (button);
  else /* theatre mode has no place for the text */
    vg_window_mark_time (self);
}
