/* SPDX-License-Identifier: MIT */
/* Changes, from the session to the pipeline and the widgets. */
#include "ui/window/vg-window-private.h"
#include "app/session/vg-display.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"

void
vg_window_send_params (VgWindow *self)
{
  self->sent.params_serial = vg_pipeline_set_params (self->pipeline,
                                                     vg_session_get_operation (self->session),
                                                     vg_session_get_params (self->session));
}

/* What a contact sheet computes; the session stays as it is. */
static guint64
try_params (gpointer owner, const void *params)
{
  VgWindow *self = owner;

  if (self->pipeline == NULL)
    return 0;
  if (params == NULL)
    vg_window_send_params (self);
  else
    self->sent.params_serial = vg_pipeline_set_params (
        self->pipeline, vg_session_get_operation (self->session), params);
  if (vg_pipeline_get_state (self->pipeline) == VG_PIPELINE_PAUSED && params != NULL &&
      vg_session_get_operation (self->session)->input.kind != VG_INPUT_STREAM)
    vg_pipeline_play (self->pipeline); /* one step is not the whole map */
  return self->sent.params_serial;
}

void
vg_window_open_sweep (VgWindow *self)
{
  if (self->sweep != NULL || self->result == NULL)
    return;
  self->sweep = vg_sweep_dialog_new (self->session, vg_viewer_get_image (self->viewer), try_params,
                                     self);
  gtk_window_set_transient_for (GTK_WINDOW (self->sweep), GTK_WINDOW (self));
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self->sweep), TRUE);
  g_object_add_weak_pointer (G_OBJECT (self->sweep), (gpointer *) &self->sweep);
  if (self->result->serial == self->sent.params_serial)
    vg_sweep_dialog_take (VG_SWEEP_DIALOG (self->sweep), self->result);
  gtk_window_present (GTK_WINDOW (self->sweep));
}

/* The first region that counts in every slice; -1: none. */
static int
find_everywhere (VgWindow *self)
{
  for (guint i = 0; i < vg_session_get_n_regions (self->session); i++)
    if (vg_session_get_shape (self->session, i).slice == VG_REGION_EVERY_SLICE)
      return (int) i;
  return -1;
}

static void
send_regions (VgWindow *self)
{
  guint n = vg_session_get_n_regions (self->session);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);

  for (guint i = 0; i < n; i++)
    regions[i] = vg_session_get_shape (self->session, i);
  self->sent.everywhere = find_everywhere (self);
  self->sent.regions_serial = vg_pipeline_set_regions (self->pipeline, regions, n);
  vg_window_send_whole (self);
}

static void
send_view (VgWindow *self)
{
  const VgView *view = vg_session_get_view (self->session);
  const gboolean both = view->layout != VG_LAYOUT_SINGLE || view->lens;
  double window[2];

  vg_pipeline_set_underlay (self->pipeline, vg_session_get_display (self->session)->underlay ||
                                                    (both && view->beside == VG_BESIDE_INPUT)
                                                ? view->underlay_frame
                                                : VG_UNDERLAY_OFF);
  if (!vg_display_get_window (vg_session_get_display (self->session), window))
    window[0] = window[1] = 0;
  vg_pipeline_set_window (self->pipeline, window);
  vg_pipeline_set_beside (self->pipeline, both && view->beside >= 0 ? view->beside : -1);
  vg_window_send_whole (self);
  vg_pipeline_set_other_outlines (self->pipeline, view->other_outlines);
  if (view->output != self->sent.output)
    {
      self->sent.output = view->output;
      vg_pipeline_set_output (self->pipeline, view->output);
    }
  if (view->playback_fps != self->sent.fps || view->loop != self->sent.loop)
    {
      self->sent.fps = view->playback_fps;
      self->sent.loop = view->loop;
      vg_pipeline_set_playback (self->pipeline, view->playback_fps, view->loop);
    }
}

void
vg_window_send_all (VgWindow *self)
{
  self->sent.output = -1;
  self->sent.fps = -1;
  vg_window_send_params (self);
  send_regions (self);
  send_view (self);
  vg_compare_bar_send (VG_COMPARE_BAR (self->compare), TRUE);
}

static void
follow_session (VgWindow *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      vg_window_show_title (self);
      vg_object_selection_clear (self->objects);
      vg_window_stop_finding (self);
    }
  if (flags & VG_CHANGED_HISTORY)
    vg_window_enable_actions (self);
  if (vg_opening_is_adopting (self->opening))
    return;
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      vg_window_enable_actions (self);
      vg_opening_open_current (self->opening, TRUE);
      return;
    }
  if (flags & VG_CHANGED_PARAMS)
    {
      vg_window_send_params (self);
      vg_compare_bar_params_changed (VG_COMPARE_BAR (self->compare));
      vg_response_changed (&self->response, self->sent.params_serial, g_get_monotonic_time ());
      vg_output_choice_update (self->outputs, self->session);
    }
  if (flags & VG_CHANGED_REGIONS || self->sent.everywhere != find_everywhere (self))
    {
      send_regions (self);
      vg_window_enable_actions (self);
      vg_window_check_found (self);
    }
  if (flags & VG_CHANGED_VIEW)
    {
      send_view (self);
      vg_compare_bar_send (VG_COMPARE_BAR (self->compare), FALSE);
      vg_slice_box_update (vg_transport_get_slices (VG_TRANSPORT (self->transport)));
      vg_window_enable_actions (self);
    }
}

static void
on_session_changed (VgWindow *self, guint flags)
{
  follow_session (self, flags);
  vg_session_journal_changed (self->journal, flags,
                              vg_opening_is_adopting (self->opening) ||
                                  !vg_opening_has_completed (self->opening));
  if (flags != VG_CHANGED_HISTORY)
    vg_window_autosave_later (self);
}

/* A region that was a setting has been deleted. */
static void
on_cleared (VgWindow *self, const char *label)
{
  g_autofree char *text = g_strdup_printf (
      _ ("The deleted region was used as %s, which is empty now. Undo restores both."), label);

  if (!vg_opening_is_adopting (self->opening))
    vg_window_message (self, FALSE, text);
}

/* A region cannot be changed, because the mask would not follow. */
static void
on_kept (VgWindow *self, const char *label)
{
  const char *name = vg_translate (label);
  g_autofree char *text = g_strdup_printf (
      _ ("This outline belongs to the mask of %s, so it cannot be moved or deleted. To change the "
         "mask, show three planes (T) and press Edit Mask. To remove it, clear %s."),
      name, name);

  vg_window_message (self, FALSE, text);
}

void
vg_window_connect_session (VgWindow *self)
{
  GtkWidget *results = vg_side_pane_get_results (VG_SIDE_PANE (self->side));

  vg_connect (results, "map", vg_window_send_whole, self);
  vg_connect (results, "unmap", vg_window_send_whole, self);
  vg_connect (self->session, "cleared", on_cleared, self);
  vg_connect (self->session, "kept", on_kept, self);
  vg_connect (self->session, "changed", on_session_changed, self);
}
