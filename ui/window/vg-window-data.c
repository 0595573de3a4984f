/* SPDX-License-Identifier: MIT */
/* Session to pipeline, pipeline to widgets. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <string.h>
#include "app/compute/vg-steady-limits.h"

enum { WAIT_US = 8000 }; /* half a frame: drawing has the other half */

void
vg_window_message (VgWindow *self, gboolean failed, const char *text)
{
  vg_window_tell (self, failed ? VG_BANNER_ERROR : VG_BANNER_NOTICE, text);
}

gboolean
vg_window_is_running (VgWindow *self)
{
  VgPipelineState state = vg_pipeline_get_state (self->pipeline);

  return state == VG_PIPELINE_RUNNING || state == VG_PIPELINE_OPENING;
}

gboolean
vg_window_can_run (VgWindow *self)
{
  return !vg_pipeline_has_ended (self->pipeline) ||
         vg_session_get_inputs (self->session)[0] == NULL;
}

gboolean
vg_window_has_picture (VgWindow *self)
{
  return self->result != NULL && self->result->plane.data != NULL;
}

void
vg_window_note_frame (VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (self->result == NULL || vg_session_get_inputs (self->session)[0] == NULL)
    return;
  view.frame = self->result->frame_index;
  self->taking = TRUE;
  vg_session_set_view (self->session, &view);
  self->taking = FALSE;
}

/* ---- session to pipeline ---- */

static void
send_params (VgWindow *self)
{
  self->params_serial = vg_pipeline_set_params (self->pipeline,
                                                vg_session_get_operation (self->session),
                                                vg_session_get_params (self->session));
}

static void
send_regions (VgWindow *self)
{
  guint n = vg_session_get_n_regions (self->session);
  g_autofree VgRegion *regions = g_new (VgRegion, n + 1);

  for (guint i = 0; i < n; i++)
    regions[i] = vg_session_get_region (self->session, i)->region;
  self->regions_serial = vg_pipeline_set_regions (self->pipeline, regions, n);
}

static void
send_view (VgWindow *self)
{
  const VgView *view = vg_session_get_view (self->session);

  vg_pipeline_set_underlay (self->pipeline, vg_session_get_display (self->session)->underlay
                                                ? view->underlay_frame
                                                : VG_UNDERLAY_OFF);
  vg_pipeline_set_other_outlines (self->pipeline, view->other_outlines);

  if (view->output != self->shown_output)
    {
      self->shown_output = view->output;
      vg_pipeline_set_output (self->pipeline, view->output);
    }
  if (view->compare != self->shown_compare)
    vg_window_send_compare (self);
  if (view->playback_fps != self->fps || view->loop != self->loop)
    {
      self->fps = view->playback_fps;
      self->loop = view->loop;
      vg_pipeline_set_playback (self->pipeline, view->playback_fps, view->loop);
    }
}

void
vg_window_send_all (VgWindow *self)
{
  self->shown_output = self->shown_compare = -1;
  self->fps = -1;
  send_params (self);
  send_regions (self);
  send_view (self);
}

/* The output left last that is there again; else the first that is of the unit of the
 * one that a new window shows; else the first.  -1: there is none. */
static int
find_output (VgWindow *self, const VgOperation *operation, const void *params)
{
  int first = -1, alike = -1;

  for (guint i = 0; i < self->left_outputs->len; i++)
    if (vg_operation_output_is_shown (operation, g_array_index (self->left_outputs, int, i),
                                      params))
      return g_array_index (self->left_outputs, int, i);
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

/* An output that the parameters no longer give is not left on the screen; it
 * comes back with them. */
void
vg_window_choose_output (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);
  int left = view.output;

  if (self->left_operation != operation)
    g_array_set_size (self->left_outputs, 0);
  self->left_operation = operation;
  if (vg_operation_output_is_shown (operation, left, vg_session_get_params (self->session)))
    return;
  view.output = find_output (self, operation, vg_session_get_params (self->session));
  for (guint i = 0; i < self->left_outputs->len; i++)
    if (g_array_index (self->left_outputs, int, i) == left)
      g_array_remove_index (self->left_outputs, i--);
  g_array_prepend_val (self->left_outputs, left);
  if (view.output >= 0)
    vg_session_set_view (self->session, &view);
}

/* Hides the maps and numbers of the previous view, as they do not belong to the new view's colour
 * bar and settings.  They return if the opening fails. */
static void
blank (VgWindow *self)
{
  vg_image_view_show (VG_IMAGE_VIEW (self->image), NULL);
  vg_display_panel_set_result (VG_DISPLAY_PANEL (self->display), NULL);
  vg_status_bar_set_numbers (VG_STATUS_BAR (self->status), NULL);
  vg_results_panel_set (VG_RESULTS_PANEL (self->results), NULL);
  self->fresh = self->result != NULL;
}

static void
on_session_changed (VgWindow *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      vg_window_show_title (self);
      vg_window_forget_objects (self);
    }
  if (flags & VG_CHANGED_HISTORY)
    vg_window_enable_actions (self);
  if (self->taking)
    return;
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    {
      vg_window_enable_actions (self);
      if (flags & VG_CHANGED_OPERATION)
        blank (self);
      self->opening.goes_on = TRUE;
      vg_window_open_current (self);
      return;
    }
  if (flags & VG_CHANGED_PARAMS)
    {
      send_params (self);
      vg_window_follow_choice (self);
      vg_response_changed (&self->response, self->params_serial, g_get_monotonic_time ());
      vg_window_choose_output (self);
    }
  if (flags & VG_CHANGED_REGIONS)
    {
      send_regions (self);
      vg_window_enable_actions (self);
    }
  if (flags & VG_CHANGED_VIEW)
    {
      send_view (self);
      vg_window_show_slice (self);
      vg_window_enable_actions (self);
    }
}

/* A region that was a setting has been deleted. */
static void
on_cleared (VgWindow *self, const char *label)
{
  g_autofree char *text = g_strdup_printf (
      _ ("The deleted region was the setting %s, which is empty now; Undo brings both back"),
      label);

  if (!self->taking)
    vg_window_message (self, FALSE, text);
}

void
vg_window_watch_session (VgWindow *self)
{
  g_signal_connect_object (self->session, "cleared", G_CALLBACK (on_cleared), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "changed", G_CALLBACK (on_session_changed), self,
                           G_CONNECT_SWAPPED);
}

/* ---- pipeline to widgets ---- */

static void
on_notice (VgWindow *self, const char *text)
{
  vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), vg_pipeline_get_cuda (self->pipeline));
  vg_window_tell (self, VG_BANNER_WARNING, text);
}

/* The picture stays that of the settings before; the words go when settings
 * fit again. */
static void
on_refused (VgWindow *self, guint64 serial, const char *text)
{
  self->refused_serial = serial;
  vg_response_dropped (&self->response);
  vg_window_tell (self, VG_BANNER_WARNING, text);
}

/* With the first result of new work the map of it, where an old one was
 * looked at; and back when the old one is all there is again. */
static void
follow_precomputed (VgWindow *self, gboolean before, const VgResult *result)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgView view = *vg_session_get_view (self->session);
  gboolean old = vg_operation_get_role (operation, VG_ROLE_FILE,
                                        operation->outputs[view.output].id) != NULL;

  if (result->operation != operation || before == result->precomputed || old == result->precomputed)
    return;
  view.output = result->precomputed ? result->output : (int) operation->view.first_output;
  vg_session_set_view (self->session, &view);
  vg_window_choose_output (self);
}

/* Of a stream that goes on by itself automatic limits are held; paused, those of the frame that is
 * seen are in force. */
static void
hold_limits (VgWindow *self)
{
  VgSteadyLimits *limits = vg_steady_limits_of (self->session);
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgView *view = vg_session_get_view (self->session);
  const VgResult *result = self->result;
  VgSteadyKey key;

  if (result == NULL || result->operation != operation || result->output != view->output ||
      (int) result->compare != view->compare)
    {
      vg_steady_limits_reset (limits);
      return;
    }
  key = (VgSteadyKey){ vg_session_get_output (self->session), result->compare, result->serial,
                       result->generation };
  vg_steady_limits_add (limits, &key, vg_session_get_display (self->session), &result->statistics,
                        operation->input.kind == VG_INPUT_STREAM && !result->input_only &&
                            vg_window_is_running (self),
                        result->finished_us);
}

static gboolean
take_result (gpointer data)
{
  VgWindow *self = data;
  VgResult *result = vg_pipeline_take (self->pipeline);
  gboolean first, precomputed, anew;

  self->take_id = 0;
  if (result == NULL)
    return G_SOURCE_REMOVE;
  first = self->result == NULL;
  anew = !first && self->result->generation != result->generation;
  precomputed = !first && self->result->precomputed;
  if (result->input_only)
    self->unprepared = TRUE;
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  self->fresh = TRUE;
  self->left_over = FALSE;
  hold_limits (self);
  if (first)
    vg_window_show_state (self); /* export and the like are possible from now on */
  gtk_stack_set_visible_child_name (GTK_STACK (self->image_stack),
                                    vg_window_has_picture (self) ? "image" : "no-map");
  vg_window_expect_numbers (self, result);
  /* of a view that is being left it is kept only, for the case that the other does not open */
  if (result->operation == vg_session_get_operation (self->session))
    vg_image_view_show (VG_IMAGE_VIEW (self->image), vg_window_has_picture (self) ? result : NULL);
  vg_response_taken (&self->response, result->serial);
  if ((self->refused_serial > 0 && result->serial > self->refused_serial) ||
      (self->unprepared && !result->input_only))
    {
      self->refused_serial = 0;
      self->unprepared = FALSE;
      vg_banner_hide (VG_BANNER (self->banner));
    }
  vg_window_check_compare (self, result);
  if (anew) /* no number of the settings before stands beside the new picture */
    vg_window_show_result (self);
  follow_precomputed (self, precomputed, result);
  return G_SOURCE_REMOVE;
}

/* Taken when nothing else waits: where drawing is slower than computing, a
 * picture after each result would leave no time for anything of lower
 * priority, the accessibility bus among it.  One that a slider waits for is
 * taken at once, into the frame that may be about to be drawn. */
static void
on_result (VgWindow *self)
{
  if (vg_response_is_due (&self->response, g_get_monotonic_time ()))
    {
      g_clear_handle_id (&self->take_id, g_source_remove);
      take_result (self);
    }
  else if (self->take_id == 0)
    self->take_id = g_idle_add (take_result, self);
}

static void
on_state (VgWindow *self)
{
  if (!vg_window_is_running (self))
    {
      vg_window_note_frame (self);
      if (vg_steady_limits_of (self->session)->held)
        {
          vg_steady_limits_reset (vg_steady_limits_of (self->session));
          if (self->result != NULL &&
              self->result->operation == vg_session_get_operation (self->session))
            vg_image_view_show (VG_IMAGE_VIEW (self->image),
                                vg_window_has_picture (self) ? self->result : NULL);
          self->fresh = TRUE; /* for the slow widgets */
        }
    }
  vg_window_show_state (self);
}

/* A frame in which a slider has moved is drawn with its picture where that is quick: drawn at once
 * it would be without, and the next one is a sixtieth of a second away. */
static void
on_before_paint (VgWindow *self)
{
  if (self->pipeline != NULL && !self->response.taken &&
      vg_response_is_due (&self->response, g_get_monotonic_time ()) &&
      vg_pipeline_await (self->pipeline, self->response.serial, WAIT_US))
    on_result (self);
}

static void
on_painted (VgWindow *self)
{
  vg_response_painted (&self->response, g_get_monotonic_time ());
}

void
vg_window_watch_painting (VgWindow *self)
{
  g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "before-paint",
                           G_CALLBACK (on_before_paint), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint",
                           G_CALLBACK (on_painted), self, G_CONNECT_SWAPPED);
}

void
vg_window_start_pipeline (VgWindow *self)
{
  self->response.serial = 0;
  self->pipeline = vg_pipeline_new (self->backend);
  self->opened = 0;
  g_signal_connect_object (self->pipeline, "opened", G_CALLBACK (vg_window_take_opened), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "failed", G_CALLBACK (vg_window_opening_failed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "notice", G_CALLBACK (on_notice), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "refused", G_CALLBACK (on_refused), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "result", G_CALLBACK (on_result), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "recorded", G_CALLBACK (vg_window_take_record), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->pipeline, "state-changed", G_CALLBACK (on_state), self,
                           G_CONNECT_SWAPPED);
  vg_charts_set_pipeline (VG_CHARTS (self->charts), self->pipeline);
}

void
vg_window_stop_pipeline (VgWindow *self)
{
  vg_charts_set_pipeline (VG_CHARTS (self->charts), NULL);
  vg_image_view_show (VG_IMAGE_VIEW (self->image), NULL);
  vg_display_panel_set_result (VG_DISPLAY_PANEL (self->display), NULL);
  g_clear_pointer (&self->result, vg_result_unref);
  self->left_over = FALSE;
  g_clear_handle_id (&self->take_id, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->pipeline, self);
  vg_pipeline_close (self->pipeline);
  g_clear_object (&self->pipeline);
  vg_window_clear_opening (self);
}
