/* SPDX-License-Identifier: MIT */
/* Which data are on the screen.  Other data may take long to open and to prepare; meanwhile nothing
 * of the data before is shown, as its numbers would be taken for those of the new data. */
#include "ui/window/vg-window-private.h"
#include <string.h>
#include "io/live/vg-live.h"

/* TRUE: what is being opened is on the screen already, perhaps read or computed differently. */
static gboolean
is_shown (VgWindow *self)
{
  const VgShownData *shown = &self->shown;
  const char *const *inputs = vg_opening_get_inputs (self->opening);

  if (shown->operation != vg_session_get_operation (self->session))
    return FALSE;
  if (inputs[0] == NULL) /* sample data of another name are other data */
    return shown->inputs[0] == NULL &&
           g_strcmp0 (shown->read_options, vg_opening_get_read_options (self->opening)) == 0;
  return g_strv_equal (inputs, (const char *const *) shown->inputs) ||
         (shown->inputs[0] != NULL && vg_live_is_same_device (shown->inputs[0], inputs[0]));
}

/* INFO NULL: no data. */
static void
set_info (VgWindow *self, const VgImageInfo *info, const char *path, const char *details)
{
  g_auto (GStrv) series = info != NULL ? vg_pipeline_get_series (self->pipeline) : NULL;

  vg_frame_bar_set_info (vg_window_get_frames (self), info);
  vg_charts_set_info (VG_CHARTS (self->charts), info);
  vg_read_options_panel_set (vg_window_get_read_options (self), path, info,
                             vg_session_get_read_options (self->session), details,
                             (const char *const *) series);
}

void
vg_window_leave_data (VgWindow *self)
{
  VgShownData *shown = &self->shown;
  const char *input = vg_opening_get_inputs (self->opening)[0];

  shown->opened_us = g_get_monotonic_time ();
  if (shown->operation == NULL && input != NULL && vg_live_is_address (input))
    vg_window_show_waiting (self);
  if (shown->operation == NULL || is_shown (self))
    return;
  if (!shown->is_left)
    {
      shown->is_left = TRUE;
      shown->left_us = g_get_monotonic_time ();
      shown->kept = self->result != NULL ? vg_result_ref (self->result) : NULL;
      vg_banner_hide (VG_BANNER (self->banner));
    }
  vg_window_set_result (self, NULL);
  self->fresh = self->left_over = FALSE;
  vg_window_show_image (self, NULL);
  if (input == NULL || !vg_image_view_has_slide (vg_viewer_get_image (self->viewer), input))
    {
      vg_image_view_set_slide (vg_viewer_get_image (self->viewer), NULL, NULL);
      self->place = (VgSlidePlace){ .downsample = 0 };
    }
  vg_cautions_set (VG_CAUTIONS (self->cautions), NULL);
  vg_side_pane_set_display (VG_SIDE_PANE (self->side), NULL);
  vg_side_pane_set_metrics (VG_SIDE_PANE (self->side), NULL, NULL);
  vg_side_pane_set_figures (VG_SIDE_PANE (self->side), NULL, NULL);
  vg_status_bar_set_numbers (VG_STATUS_BAR (self->status), NULL);
  vg_banner_hide (VG_BANNER (vg_theatre_get_banner (VG_THEATRE (self->theatre))));
  vg_theatre_set_number (VG_THEATRE (self->theatre), NULL);
  vg_slice_box_set_slices (vg_transport_get_slices (VG_TRANSPORT (self->transport)), 1);
  gtk_widget_set_visible (GTK_WIDGET (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar))), FALSE);
  set_info (self, NULL, NULL, NULL);
  vg_window_show_waiting (self);
}

void
vg_window_show_data (VgWindow *self)
{
  VgShownData *shown = &self->shown;
  VgImageInfo read;
  const VgImageInfo *info = vg_pipeline_get_info (self->pipeline, &read) ? &read : NULL;
  g_autofree char *details = vg_window_describe_source (self);
  const gint64 opened_us = shown->opened_us;

  vg_window_free_shown (self);
  shown->opened_us = opened_us;
  shown->operation = vg_session_get_operation (self->session);
  shown->inputs = g_strdupv ((char **) vg_session_get_inputs (self->session));
  shown->read_options = g_strdup (vg_session_get_read_options (self->session));
  set_info (self, info, shown->inputs[0] && !shown->inputs[1] ? shown->inputs[0] : NULL, details);
  vg_run_chooser_update (vg_toolbar_get_runs (VG_TOOLBAR (self->toolbar)));
  if (self->result == NULL && !self->left_over)
    vg_window_show_waiting (self);
}

void
vg_window_return_to_data (VgWindow *self)
{
  VgResult *kept = g_steal_pointer (&self->shown.kept);

  if (!self->shown.is_left)
    return;
  vg_window_show_data (self);
  if (kept == NULL)
    return;
  vg_viewer_set_waiting (self->viewer, NULL);
  vg_window_set_result (self, kept);
  vg_viewer_show_page (self->viewer,
                       vg_window_has_image (self) ? VG_VIEWER_IMAGE : VG_VIEWER_NO_MAP);
  vg_window_show_image (self, vg_window_has_image (self) ? kept : NULL);
  self->fresh = TRUE;
}

void
vg_window_free_shown (VgWindow *self)
{
  g_clear_pointer (&self->shown.inputs, g_strfreev);
  g_clear_pointer (&self->shown.read_options, g_free);
  g_clear_pointer (&self->shown.kept, vg_result_unref);
  self->shown = (VgShownData){ .operation = NULL };
}
