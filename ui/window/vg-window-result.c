/* SPDX-License-Identifier: MIT */
/* Results, from the pipeline to the widgets. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-object.h"
#include "app/compute/vg-steady-limits.h"

enum { WAIT_US = 8000 }; /* half a frame: drawing has the other half */

void
vg_window_set_result (VgWindow *self, VgResult *result)
{
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  vg_object_selection_set_result (self->objects, result);
  vg_probe_set_result (self->probe, result);
  vg_inspector_set_result (self->inspector, result);
}

void
vg_window_set_cuda (VgWindow *self)
{
  vg_viewer_set_cuda (self->viewer, vg_pipeline_get_cuda (self->pipeline));
}

void
vg_window_show_image (VgWindow *self, VgResult *result)
{
  VgImageInfo info;
  gboolean known = self->pipeline != NULL && vg_pipeline_get_info (self->pipeline, &info);

  vg_image_view_show (vg_viewer_get_image (self->viewer), result);
  vg_sections_show (vg_viewer_get_sections (self->viewer), result, known ? &info : NULL);
}

/* Shows the first computed map in place of a precomputed one, and that again once there is no
 * other. */
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
  vg_output_choice_update (self->outputs, self->session);
}

static gboolean
is_live (VgWindow *self)
{
  VgImageInfo info;

  return vg_pipeline_get_info (self->pipeline, &info) && info.frames < 0;
}

/* While a stream or a simulation runs its automatic limits are held, and those of a live source
 * also when it pauses, so that tissue keeps its colour; those of others are then of the frame
 * shown.  In theatre mode they do not move at all. */
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
  if (limits->held && vg_theatre_is_on (VG_THEATRE (self->theatre)) &&
      limits->key.output == key.output && limits->key.compare == key.compare &&
      limits->key.serial == key.serial && limits->key.generation == key.generation)
    return;
  vg_steady_limits_add (limits, &key, vg_session_get_display (self->session), &result->statistics,
                        operation->input.kind != VG_INPUT_DATASET && !result->input_only &&
                            (vg_window_is_running (self) || is_live (self)),
                        result->finished_us);
}

static gboolean
take_result (gpointer data)
{
  VgWindow *self = data;
  VgResult *result = vg_pipeline_take (self->pipeline);
  gboolean first, precomputed, anew;

  self->result_id = 0;
  if (result == NULL)
    return G_SOURCE_REMOVE;
  first = self->result == NULL;
  anew = !first && self->result->generation != result->generation;
  precomputed = !first && self->result->precomputed;
  if (self->shown.is_left)
    {
      g_clear_pointer (&self->shown.kept, vg_result_unref);
      self->shown.kept = result;
      return G_SOURCE_REMOVE;
    }
  if (result->input_only)
    self->cause.unprepared = TRUE;
  vg_window_set_result (self, result);
  self->fresh = TRUE;
  self->left_over = FALSE;
  vg_viewer_set_waiting (self->viewer, NULL);
  hold_limits (self);
  if (first)
    vg_window_show_state (self); /* enables export and other actions */
  vg_viewer_show_page (self->viewer,
                       vg_window_has_image (self) ? VG_VIEWER_IMAGE : VG_VIEWER_NO_MAP);
  vg_window_show_image (self, vg_window_has_image (self) ? result : NULL);
  vg_response_taken (&self->response, result->serial);
  if ((self->cause.refused_serial > 0 && result->serial > self->cause.refused_serial) ||
      (self->cause.unprepared && !result->input_only))
    {
      self->cause.refused_serial = 0;
      self->cause.unprepared = FALSE;
      vg_banner_hide (VG_BANNER (self->banner));
    }
  vg_compare_bar_check (VG_COMPARE_BAR (self->compare), result);
  if (self->sweep != NULL)
    vg_sweep_dialog_take (VG_SWEEP_DIALOG (self->sweep), result);
  if (anew) /* else metrics of earlier settings would stand beside the new image */
    vg_window_show_result (self);
  follow_precomputed (self, precomputed, result);
  return G_SOURCE_REMOVE;
}

/* Results are taken when the main loop is idle: where drawing is slower than computing, drawing
 * each at once would starve events of lower priority, such as those of the accessibility bus.  The
 * first result, and one that a slider waits for, are taken at once, into the frame about to be
 * drawn. */
static void
on_result (VgWindow *self)
{
  if (self->result == NULL || vg_response_is_due (&self->response, g_get_monotonic_time ()))
    {
      g_clear_handle_id (&self->result_id, g_source_remove);
      take_result (self);
    }
  else if (self->result_id == 0)
    self->result_id = g_idle_add (take_result, self);
}

void
vg_window_state_changed (VgWindow *self)
{
  if (!vg_window_is_running (self))
    {
      vg_window_note_frame (self);
      if (vg_steady_limits_of (self->session)->held && !is_live (self))
        {
          vg_steady_limits_reset (vg_steady_limits_of (self->session));
          if (self->result != NULL &&
              self->result->operation == vg_session_get_operation (self->session))
            vg_window_show_image (self, vg_window_has_image (self) ? self->result : NULL);
          self->fresh = TRUE; /* for the slow widgets */
        }
    }
  vg_window_show_state (self);
}

/* Waits for the result of a slider's move if it comes quickly; else it would be shown one frame
 * later. */
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
  vg_connect (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "before-paint", on_before_paint,
              self);
  vg_connect (gtk_widget_get_frame_clock (GTK_WIDGET (self)), "after-paint", on_painted, self);
}

void
vg_window_connect_results (VgWindow *self)
{
  vg_connect (self->pipeline, "result", on_result, self);
}
