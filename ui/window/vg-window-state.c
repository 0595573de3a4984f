/* SPDX-License-Identifier: MIT */
/* What the window shows of the state of the work, a few times a second and
 * whenever the state changes. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

#define STALE_OPACITY 0.5
#define LONG_S 0.3 /* one picture takes long */
#define STILL_LONG_US 1000000

static gboolean
is_whole (VgWindow *self)
{
  return vg_session_get_operation (self->session)->input.kind != VG_INPUT_STREAM;
}

static const char *
run_help (VgWindow *self, VgPipelineState state)
{
  if (vg_pipeline_has_ended (self->pipeline))
    return vg_window_can_run (self) ? "Start the sample data again (Space in the picture)"
                                    : "The stream has ended. Open it again to continue";
  if (!is_whole (self))
    return "Pause or resume (Space in the picture)";
  if (state == VG_PIPELINE_FINISHED && self->result && !self->result->final)
    return "Resume where it was stopped (Space in the picture)";
  if (state == VG_PIPELINE_PAUSED)
    return "Resume where it was paused (Space in the picture); a full stop there takes one step";
  return state == VG_PIPELINE_FINISHED ? "Compute again from the start (Space in the picture)"
                                       : "Hold the work where it is (Space in the picture)";
}

static void
show_run_button (VgWindow *self)
{
  gboolean running = vg_window_is_running (self), once = is_whole (self);
  VgImageInfo info;
  GtkWidget *box = gtk_button_get_child (GTK_BUTTON (self->run_button));
  GtkWidget *icon = gtk_widget_get_first_child (box), *label = gtk_widget_get_next_sibling (icon);

  gtk_image_set_from_icon_name (GTK_IMAGE (icon), running ? "media-playback-pause-symbolic"
                                                          : "media-playback-start-symbolic");
  gtk_label_set_text (GTK_LABEL (label), running ? "Pause" : "Run");
  vg_widget_describe (self->run_button, running ? "Pause" : "Run",
                      run_help (self, vg_pipeline_get_state (self->pipeline)));
  once = once || (vg_pipeline_get_info (self->pipeline, &info) && info.frames == 1);
  /* what is done need not be done again */
  if (running || (once && self->result && self->result->final))
    gtk_widget_remove_css_class (self->run_button, "suggested-action");
  else
    gtk_widget_add_css_class (self->run_button, "suggested-action");
  vg_frame_bar_set_playing (VG_FRAME_BAR (self->frame_bar), running);
}

/* Of the shown result; negative: not known. */
static double
progress_of (VgWindow *self)
{
  return self->result && !self->result->final ? self->result->progress : -1;
}

/* Notes where work began or went on; a state made anew while it is paused
 * stays noted until it goes on. */
static void
follow_pace (VgWindow *self, VgPipelineState state)
{
  VgPace *pace = &self->pace;
  guint generation = self->result ? self->result->generation : 0;

  if (pace->state == state && (pace->generation == generation || state == VG_PIPELINE_PAUSED) &&
      pace->start >= 0)
    return;
  if (pace->state != state || state != VG_PIPELINE_PAUSED)
    pace->generation = generation;
  pace->state = state;
  pace->start = progress_of (self);
  pace->since_us = g_get_monotonic_time ();
}

static char *
describe_left (const VgPace *pace, double progress)
{
  double seconds = (double) (g_get_monotonic_time () - pace->since_us) * 1e-6, left;

  if (seconds < 1 || pace->start < 0 || progress <= pace->start)
    return g_strdup ("");
  left = seconds * (1 - progress) / (progress - pace->start);
  if (left < 90)
    return g_strdup_printf (", %.0f s left", ceil (left));
  if (left < 5400)
    return g_strdup_printf (_ (", %.0f min left"), ceil (left / 60));
  return g_strdup_printf (", %.0f h left", ceil (left / 3600));
}

/* How it is computed, where there is a choice and it is not the usual one: that may be what takes
 * long. */
static char *
describe_way (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgParam *choice = operation->view.compare_param != NULL
                              ? vg_params_find (&operation->params, operation->view.compare_param)
                              : NULL;
  int way = choice != NULL
                ? (int) vg_param_get_number (choice, vg_session_get_params (self->session))
                : 0;

  if (choice == NULL || way == (int) choice->def)
    return g_strdup ("");
  return g_strdup_printf (", %s: %s", choice->label,
                          choice->choice_labels != NULL ? choice->choice_labels[way]
                                                        : choice->choices[way]);
}

/* The picture and the figures are of what was open before, or of settings before and nothing of the
 * present ones is to come. */
static gboolean
is_old (VgWindow *self)
{
  const VgResult *result = self->result;
  gboolean ended = vg_pipeline_is_cancelled (self->pipeline) ||
                   vg_pipeline_get_state (self->pipeline) == VG_PIPELINE_FAILED;

  return result == NULL ? self->left_over
                        : ended && !result->input_only && result->serial != self->params_serial;
}

static gboolean
is_on_slide (VgWindow *self)
{
  const char *input = vg_session_get_inputs (self->session)[0];

  return input != NULL && vg_image_view_has_slide (VG_IMAGE_VIEW (self->image), input);
}

static char *
describe_cancelled (VgWindow *self, double progress)
{
  if (self->result == NULL)
    return g_strdup ("Cancelled: there is no map of this yet; Run computes it");
  if (is_old (self))
    return g_strdup ("Cancelled: the map is of the settings before; Run computes these");
  return progress >= 0 ? g_strdup_printf (_ ("Cancelled at %.1f %%; Run goes on"), 100 * progress)
                       : g_strdup ("Cancelled; Run goes on");
}

static char *
describe_work (VgWindow *self, VgPipelineState state, double progress)
{
  g_autofree char *left = NULL, *way = NULL;

  if (self->exporting)
    return g_strdup ("Exporting…");
  if (state == VG_PIPELINE_OPENING)
    return g_strdup ("Opening…");
  if (state == VG_PIPELINE_FINISHED && !vg_pipeline_is_cancelled (self->pipeline))
    return g_strdup ("Done");
  if (state == VG_PIPELINE_FINISHED)
    return describe_cancelled (self, progress);
  if (state == VG_PIPELINE_PAUSED && self->result && self->result->precomputed)
    return g_strdup ("An old result; Run computes anew");
  if (state == VG_PIPELINE_PAUSED && self->result &&
      self->result->generation != self->pace.generation)
    return g_strdup ("Paused: started anew with these settings");
  if (state == VG_PIPELINE_PAUSED)
    return progress >= 0 ? g_strdup_printf (_ ("Paused at %.1f %%"), 100 * progress)
                         : g_strdup ("Paused");
  if (progress < 0)
    return g_strdup ("Computing…");
  left = describe_left (&self->pace, progress);
  return g_strdup_printf ("Computing… %.1f %%%s%s", 100 * progress, left,
                          way = describe_way (self));
}

/* One picture, or what has to be prepared for it, takes long: the fit of a frame, seeds that are
 * looked for. Where picture follows on picture it stays so, though each has only begun. */
static gboolean
is_busy (VgWindow *self)
{
  double seconds = vg_pipeline_get_busy_s (self->pipeline);
  gint64 now = g_get_monotonic_time ();

  if (seconds >= LONG_S)
    self->pace.busy_us = now;
  return seconds > 0 && self->pace.busy_us > 0 && now - self->pace.busy_us < STILL_LONG_US;
}

/* A bar for work that takes long: opening, what is not a stream, and a step of any that lasts. */
static void
show_progress (VgWindow *self)
{
  VgPipelineState state = vg_pipeline_get_state (self->pipeline);
  gboolean opening = state == VG_PIPELINE_OPENING,
           working = is_whole (self) && state == VG_PIPELINE_RUNNING,
           busy = is_busy (self) && !opening;
  gboolean old = is_old (self);
  gboolean cancelled = vg_pipeline_is_cancelled (self->pipeline) &&
                       (self->result == NULL || old || (is_whole (self) && !self->result->final));
  gboolean paused = (is_whole (self) && state == VG_PIPELINE_PAUSED) || cancelled;
  double progress = (working || paused) && !busy && !self->exporting ? progress_of (self) : -1;
  /* of the settings before */
  gboolean stale = old || (busy && self->result && self->result->serial != self->params_serial);
  g_autofree char *text = NULL;

  follow_pace (self, state);
  text = busy && !self->exporting ? g_strdup ("Computing…") : describe_work (self, state, progress);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->progress_revealer),
                                 opening || working || paused || busy || self->exporting);
  gtk_widget_set_visible (self->cancel_button, opening || working || busy || self->exporting);
  gtk_label_set_text (GTK_LABEL (self->progress_text), text);
  /* what changes while it runs stays one line */
  gtk_label_set_wrap (GTK_LABEL (self->progress_text), cancelled);
  gtk_widget_set_visible (self->progress, progress >= 0 || !paused || busy);
  if (progress >= 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), CLAMP (progress, 0, 1));
  else if (!paused || busy)
    gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress));
  vg_status_bar_set_stale (VG_STATUS_BAR (self->status), stale);
  gtk_widget_set_opacity (self->results, stale ? STALE_OPACITY : 1);
  gtk_widget_set_opacity (self->charts, stale ? STALE_OPACITY : 1);
  /* beside a slider that moves it stays as it is, and a slide is there before its map */
  gtk_widget_set_opacity (self->image,
                          old && !(self->result == NULL && is_on_slide (self)) ? STALE_OPACITY : 1);
}

/* Shown once all frames are accounted for, and not over another message. */
static void
show_end (VgWindow *self, const VgPipelineCounts *counts)
{
  gboolean ended = vg_pipeline_has_ended (self->pipeline);
  g_autofree char *sum = NULL, *text = NULL;

  vg_frame_bar_set_ended (VG_FRAME_BAR (self->frame_bar), ended);
  if (!ended)
    self->told_end = FALSE;
  if (!ended || self->told_end || self->opening.active || counts->queued > 0)
    return;
  self->told_end = TRUE;
  vg_window_show_title (self);
  vg_window_enable_actions (self);
  sum = vg_pipeline_counts_to_text (counts);
  text = g_strdup_printf (_ ("The stream has ended: %s"), sum);
  if (!vg_banner_is_shown (VG_BANNER (self->banner)))
    vg_window_message (self, FALSE, text);
}

static void
show_zoom (VgWindow *self)
{
  double zoom = vg_image_view_get_zoom (VG_IMAGE_VIEW (self->image));
  g_autofree char *text = zoom > 0 ? g_strdup_printf ("%.0f %%", 100 * zoom) : g_strdup ("–");

  gtk_label_set_text (GTK_LABEL (self->zoom_label), text);
}

/* The file that the shown output comes from; NULL: it was computed. */
static char *
name_of_old (VgWindow *self, const VgResult *result)
{
  const VgOperation *operation = result->operation;
  const char *id = vg_operation_get_role (operation, VG_ROLE_FILE,
                                          operation->outputs[result->output].id);
  const VgParam *param = id != NULL ? vg_params_find (&operation->params, id) : NULL;
  g_autofree char *path = param && operation == vg_session_get_operation (self->session)
                              ? vg_param_format (param, vg_session_get_params (self->session))
                              : NULL;

  return path && *path ? g_path_get_basename (path) : NULL;
}

/* The result may still be of the output chosen before. */
static void
show_map_name (VgWindow *self)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgResult *result = self->result;
  const VgOutput *output = !vg_window_has_picture (self) ? NULL
                           : result->output == view->output &&
                                   (int) result->compare == view->compare
                               ? vg_session_get_output (self->session)
                               : &result->operation->outputs[result->output];
  g_autofree char *file = output != NULL ? name_of_old (self, result) : NULL;
  const char *label = output != NULL ? vg_translate (output->label) : NULL;
  g_autofree char *text = output == NULL       ? g_strdup ("")
                          : result->input_only ? g_strdup (_ ("No result yet"))
                          : file == NULL
                              ? g_strdup (label)
                              : g_strdup_printf (_ ("%s: the result in %s"), label, file);

  gtk_label_set_text (GTK_LABEL (self->map_label), text);
  vg_widget_set_tooltip (self->map_label, output ? vg_translate (output->help) : NULL);
}

void
vg_window_show_state (VgWindow *self)
{
  VgPipelineState state = vg_pipeline_get_state (self->pipeline);
  VgPipelineCounts counts = { 0 };

  show_run_button (self);
  show_progress (self);
  show_zoom (self);
  show_map_name (self);
  vg_pipeline_get_counts (self->pipeline, &counts);
  show_end (self, &counts);
  vg_status_bar_set_counts (VG_STATUS_BAR (self->status), &counts,
                            vg_image_view_get_fps (VG_IMAGE_VIEW (self->image)), &self->response);
  vg_status_bar_set_device (VG_STATUS_BAR (self->status), vg_pipeline_get_device (self->pipeline),
                            vg_image_view_get_path_description (VG_IMAGE_VIEW (self->image)));
  if (self->result == NULL && (state == VG_PIPELINE_IDLE || state == VG_PIPELINE_FAILED))
    gtk_stack_set_visible_child_name (GTK_STACK (self->image_stack), "empty");
  vg_window_show_compare (self);
  vg_window_show_record (self);
  vg_window_enable_actions (self);
}

/* Not while the work may still think better of it, nor while something of the
 * picture is held: the banner would move it away under the pointer. */
void
vg_window_tell_cautions (VgWindow *self)
{
  VgResult *result = self->result;

  if (result != NULL && !vg_image_view_is_held (VG_IMAGE_VIEW (self->image)) &&
      (result->final || !is_whole (self) || !vg_window_is_running (self)))
    vg_cautions_set (VG_CAUTIONS (self->cautions), result->metrics);
}

void
vg_window_show_result (VgWindow *self)
{
  VgResult *result = self->result;
  gboolean current = result && result->regions_serial == self->regions_serial;
  VgImageInfo info;

  if (result == NULL || !self->fresh ||
      result->operation != vg_session_get_operation (self->session))
    return;
  self->fresh = FALSE;
  vg_display_panel_set_result (VG_DISPLAY_PANEL (self->display),
                               vg_window_has_picture (self) ? result : NULL);
  vg_status_bar_set_numbers (VG_STATUS_BAR (self->status), result->metrics);
  vg_results_panel_set (VG_RESULTS_PANEL (self->results), result->metrics);
  vg_window_tell_cautions (self);
  vg_param_panel_set_figures (
      VG_PARAM_PANEL (self->params),
      result->operation == vg_session_get_operation (self->session) ? result->metrics : NULL,
      vg_pipeline_get_info (self->pipeline, &info) ? &info : NULL);
  vg_charts_set_result (VG_CHARTS (self->charts), result, current);
  vg_frame_bar_set_frame (VG_FRAME_BAR (self->frame_bar), result->frame_index, result->time_s);
  gtk_widget_set_visible (self->slice_box, result->plane.slices > 1);
  if (result->plane.slices > 1)
    {
      gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->slice), 1, result->plane.slices);
      vg_window_show_slice (self);
    }
}

void
vg_window_show_slice (VgWindow *self)
{
  double number = vg_session_get_view (self->session)->slice + 1, last;

  gtk_spin_button_get_range (GTK_SPIN_BUTTON (self->slice), NULL, &last);
  if (number <= last) /* else of a volume that is still to come */
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->slice), number);
}
