/* SPDX-License-Identifier: MIT */
/* What the window shows of the state of the work, a few times a second and whenever it changes. */
#include "ui/window/vg-window-private.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "io/live/vg-live.h"

#define STALE_OPACITY 0.5
enum { AT_ONCE_US = 1000000 };

const char *const vg_window_tools[] = { "pan",   "rectangle", "ellipse", "polygon", "point",
                                        "ruler", "correct",   "arrow",   "text",    NULL };

/* ---- questions ---- */

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
vg_window_has_image (VgWindow *self)
{
  return self->result != NULL && self->result->plane.data != NULL;
}

VgWorkBar *
vg_window_get_work_bar (VgWindow *self)
{
  return vg_transport_get_work (VG_TRANSPORT (self->transport));
}

VgFrameBar *
vg_window_get_frames (VgWindow *self)
{
  return VG_FRAME_BAR (vg_transport_get_frames (VG_TRANSPORT (self->transport)));
}

VgReadOptionsPanel *
vg_window_get_read_options (VgWindow *self)
{
  return VG_READ_OPTIONS_PANEL (vg_side_pane_get_read_options (VG_SIDE_PANE (self->side)));
}

/* TRUE if the input is processed as a whole; FALSE: frame by frame. */
static gboolean
is_whole (VgWindow *self)
{
  return vg_session_get_operation (self->session)->input.kind != VG_INPUT_STREAM;
}

/* TRUE: data that are computed as a whole, or a single image, have their map with these settings,
 * and it would come out the same again. */
static gboolean
is_done (VgWindow *self)
{
  const VgResult *result = self->result;
  VgInputKind kind = vg_session_get_operation (self->session)->input.kind;
  VgImageInfo info;

  if (result == NULL || self->pipeline == NULL || !result->final || result->input_only ||
      result->precomputed || result->serial != self->sent.params_serial ||
      vg_pipeline_get_state (self->pipeline) != VG_PIPELINE_FINISHED ||
      vg_pipeline_is_cancelled (self->pipeline) || vg_pipeline_has_ended (self->pipeline))
    return FALSE;
  return kind == VG_INPUT_DATASET ||
         (kind == VG_INPUT_STREAM && vg_pipeline_get_info (self->pipeline, &info) &&
          info.frames == 1);
}

void
vg_window_note_frame (VgWindow *self)
{
  if (self->result != NULL && vg_session_get_inputs (self->session)[0] != NULL)
    vg_opening_note_frame (self->opening, self->result->frame_index);
}

/* ---- title ---- */

/* What is known of the source, owned; or NULL.  The settings of a camera, which follow its name,
 * change and are shown elsewhere. */
char *
vg_window_describe_source (VgWindow *self)
{
  g_autoptr (VgFeatures) features = vg_pipeline_get_features (self->pipeline);
  char *details = vg_pipeline_get_details (self->pipeline);

  if (features && details)
    details[strcspn (details, "\n")] = '\0';
  return details;
}

/* The name of the camera that is open; NULL: there is none. */
static char *
name_camera (VgWindow *self)
{
  g_autoptr (VgFeatures) features = self->pipeline ? vg_pipeline_get_features (self->pipeline)
                                                   : NULL;
  g_autofree char *name = features != NULL ? vg_window_describe_source (self) : NULL;

  return name != NULL && *name != '\0' ? g_strdup (vg_translate (name)) : NULL;
}

/* The name of INPUT without its folder, owned.  For a live source: the name of its device, or its
 * address until the name is known.  IS_OPEN: INPUT is open; FALSE: it is being opened, perhaps
 * while another camera is still open. */
static char *
name_input (VgWindow *self, const char *input, gboolean is_open)
{
  g_autofree char *camera = NULL;
  const char *known;

  if (!vg_live_is_address (input))
    return g_path_get_basename (input);
  if (is_open && (camera = name_camera (self)) != NULL)
    vg_camera_note_name (self->camera, input, camera);
  known = vg_camera_find_name (self->camera, input);
  return known != NULL ? g_strdup (known) : vg_live_address_device (input);
}

/* NAME with the address of INPUT, if it is a live source, and DETAILS (NULL: none); owned. */
static char *
describe_input (const char *input, const char *name, const char *details)
{
  g_autofree char *address = input != NULL && vg_live_is_address (input)
                                 ? vg_live_address_device (input)
                                 : NULL;
  const char *parts[] = { name, NULL, NULL, NULL };
  int n = 1;

  if (address != NULL && strcmp (address, name) != 0)
    parts[n++] = address;
  if (details != NULL)
    parts[n++] = details;
  return g_strjoinv (" · ", (char **) parts);
}

/* The type and size of the data, translated: "512x512, 16-bit, 500 frames". */
static char *
describe_data (VgWindow *self, const VgImageInfo *info)
{
  g_autofree char *text = vg_image_info_to_string (info);
  g_auto (GStrv) parts = g_strsplit (text, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      gboolean over = strcmp (parts[i], "live") == 0 && vg_pipeline_has_ended (self->pipeline);
      char *part = g_strdup (vg_translate (over ? "ended" : parts[i]));

      g_free (parts[i]);
      parts[i] = part;
    }
  return g_strjoinv (", ", parts);
}

void
vg_window_show_title (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean is_open = self->pipeline && vg_pipeline_get_opened (self->pipeline) > 0;
  gboolean opening = vg_opening_is_active (self->opening);
  gboolean left = opening && (self->shown.is_left || !is_open);
  const char *const *inputs = left ? vg_opening_get_inputs (self->opening)
                                   : vg_session_get_inputs (self->session);
  guint n = g_strv_length ((char **) inputs);
  const char *without = operation->input.kind == VG_INPUT_NONE ? vg_translate (operation->title)
                        : is_open || opening                   ? _ ("Sample data")
                                                               : _ ("No recording open");
  g_autofree char *base = n ? name_input (self, inputs[0], !left) : g_strdup (without);
  g_autofree char *name = n > 1 ? g_strdup_printf (_ ("%s and %u more"), base, n - 1)
                                : g_strdup (strcmp (base, "-") == 0 ? _ ("Standard input") : base);
  g_autofree char *title = g_strdup_printf (_ ("%s – Vivograph"), name);
  VgImageInfo info;

  gtk_window_set_title (GTK_WINDOW (self), title);
  if (!left && self->pipeline && vg_pipeline_get_info (self->pipeline, &info))
    {
      g_autofree char *details = describe_data (self, &info);
      g_autofree char *text = describe_input (inputs[0], name, details);

      vg_header_set_source (self->header, name, text);
      vg_toolbar_set_source (VG_TOOLBAR (self->toolbar), details);
    }
  else
    {
      g_autofree char *text = describe_input (inputs[0], name, NULL);

      vg_header_set_source (self->header, name, text);
      vg_toolbar_set_source (VG_TOOLBAR (self->toolbar), "");
    }
  vg_header_set_view (self->header, vg_translate (operation->title));
}

/* ---- actions ---- */

static void
enable (VgWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

static void
set_state (VgWindow *self, const char *name, GVariant *state)
{
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), state);
}

/* The view has one to set. */
static gboolean
has_baseline (VgWindow *self)
{
  return vg_key_number_find_baseline (vg_session_get_operation (self->session)) != NULL;
}

void
vg_window_enable_actions (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  VgCompareBar *compare = VG_COMPARE_BAR (self->compare);
  gboolean has_result = self->result != NULL, computed = has_result && !self->result->input_only;
  gboolean open = has_result || (self->pipeline && vg_window_is_running (self));
  gboolean recording = vg_record_bar_is_recording (VG_RECORD_BAR (self->record.bar));
  VgMirror *mirror = vg_theatre_get_mirror (VG_THEATRE (self->theatre));
  /* a key that is pressed by mistake changes nothing there */
  gboolean edits = !vg_theatre_is_on (VG_THEATRE (self->theatre));

  enable (self, "tool", edits);
  enable (self, "next-compare", edits);
  enable (self, "undo", vg_session_can_undo (self->session));
  enable (self, "redo", vg_session_can_redo (self->session));
  vg_header_set_steps (self->header, vg_session_undo_label (self->session),
                       vg_session_redo_label (self->session));
  enable (self, "play-pause", open && vg_window_can_run (self) && !is_done (self));
  enable (self, "record",
          recording || (has_result && operation->input.kind == VG_INPUT_STREAM &&
                        !vg_pipeline_has_ended (self->pipeline)));
  enable (self, "baseline", computed && has_baseline (self));
  enable (self, "mark", computed && operation->input.kind == VG_INPUT_STREAM);
  enable (self, "export", computed && !self->writing.exporting);
  enable (self, "report", computed && !self->writing.exporting);
  enable (self, "copy-command", computed);
  enable (self, "copy-methods", computed);
  enable (self, "find-regions", computed && operation->find != NULL && self->finding == NULL);
  enable (self, "keep", edits && computed && vg_window_has_image (self));
  enable (self, "compare-choice",
          computed && vg_window_has_image (self) && vg_compare_bar_get_obstacle (compare) == NULL);
  enable (self, "sweep", computed && vg_window_has_image (self));
  enable (self, "screenshot", vg_window_has_image (self));
  enable (self, "part-shown", self->place.downsample > 0);
  enable (self, "part-region", self->place.downsample > 0 && vg_window_selected_region (self) >= 0);
  enable (self, "mirror", vg_mirror_can_open (mirror));
  set_state (self, "mirror", g_variant_new_boolean (vg_mirror_is_open (mirror)));
  set_state (self, "record", g_variant_new_boolean (recording));
  set_state (self, "side-pane",
             g_variant_new_boolean (vg_panes_is_side_shown (VG_PANES (self->panes))));
  set_state (self, "plots", g_variant_new_string (vg_panes_get_choice (VG_PANES (self->panes))));
  set_state (self, "tool",
             g_variant_new_string (
                 vg_window_tools[vg_image_view_get_tool (vg_viewer_get_image (self->viewer))]));
  set_state (self, "compare", g_variant_new_string (vg_compare_bar_get_mode (compare)));
  set_state (self, "mosaic", g_variant_new_boolean (vg_session_get_view (self->session)->mosaic));
  set_state (self, "planes",
             g_variant_new_boolean (vg_session_get_view (self->session)->volume.planes));
  set_state (self, "operation", g_variant_new_string (operation->id));
  vg_toolbar_update_points (VG_TOOLBAR (self->toolbar));
  vg_header_set_can_record (self->header, recording || operation->input.kind == VG_INPUT_STREAM);
}

/* ---- state ---- */

static const char *
run_help (VgWindow *self, VgPipelineState state)
{
  if (vg_pipeline_has_ended (self->pipeline))
    return vg_window_can_run (self) ? _ ("Start the sample data again (Space in the image)")
                                    : _ ("The stream has ended. Open it again to continue");
  if (is_done (self))
    return _ ("Done: the map is that of these settings. Change a setting to compute another");
  if (!is_whole (self))
    return _ ("Pause or resume (Space in the image)");
  if (state == VG_PIPELINE_FINISHED && self->result && !self->result->final)
    return _ ("Resume where it was stopped (Space in the image)");
  if (state == VG_PIPELINE_PAUSED)
    return _ ("Resume (Space in the image); the full stop key takes one step");
  return state == VG_PIPELINE_FINISHED ? _ ("Compute again from the start (Space in the image)")
                                       : _ ("Pause (Space in the image)");
}

/* The button is highlighted unless the work runs or is done. */
static void
show_run_button (VgWindow *self)
{
  gboolean running = vg_window_is_running (self), once = is_whole (self);
  VgImageInfo info;

  once = once || (vg_pipeline_get_info (self->pipeline, &info) && info.frames == 1);
  vg_transport_set_running (VG_TRANSPORT (self->transport), running,
                            !running && !(once && self->result && self->result->final),
                            run_help (self, vg_pipeline_get_state (self->pipeline)));
}

static gboolean
is_on_slide (VgWindow *self)
{
  const char *input = vg_session_get_inputs (self->session)[0];

  return input != NULL && vg_image_view_has_slide (vg_viewer_get_image (self->viewer), input);
}

static void
show_progress (VgWindow *self)
{
  VgWorkBar *bar = vg_window_get_work_bar (self);
  VgSessionBatch *filming = self->writing.filming;
  gboolean stale, old, has_charts = self->result != NULL || self->left_over;

  vg_work_bar_update (
      bar,
      &(VgWorkStatus){ .pipeline = self->pipeline,
                       .result = self->result,
                       .params_serial = self->sent.params_serial,
                       .left_over = self->left_over,
                       .exporting = self->writing.exporting != NULL,
                       .filmed = filming != NULL ? vg_session_batch_get_progress (filming) : -1 });
  if (!self->shown.is_left &&
      (vg_pipeline_is_cancelled (self->pipeline) || vg_pipeline_has_ended (self->pipeline)))
    vg_viewer_set_waiting (self->viewer, NULL); /* a message says that there is no map */
  stale = vg_work_bar_is_stale (bar);
  old = vg_work_bar_is_old (bar);
  vg_status_bar_set_stale (VG_STATUS_BAR (self->status), stale);
  vg_side_pane_set_stale (VG_SIDE_PANE (self->side), stale);
  /* before the first map they still are of the data before */
  gtk_widget_set_opacity (self->charts, !has_charts ? 0 : stale ? STALE_OPACITY : 1);
  gtk_widget_set_can_target (self->charts, has_charts);
  /* the image stays as it is while a slider moves, and a slide is shown before its map */
  gtk_widget_set_opacity (GTK_WIDGET (vg_viewer_get_image (self->viewer)),
                          old && !(self->result == NULL && is_on_slide (self)) ? STALE_OPACITY : 1);
}

/* Brings the bar of the past up to date, and returns whether the map on the screen is of the
 * present. */
static VgLiveness
update_liveness (VgWindow *self)
{
  const VgResult *result = self->result;
  VgPipelineState state = vg_pipeline_get_state (self->pipeline);
  g_autoptr (VgFrame) newest = vg_pipeline_get_newest (self->pipeline);
  gint64 now_us = g_get_monotonic_time ();
  VgPast past;
  VgLiveStatus status;
  VgImageInfo info;
  gboolean open = vg_pipeline_get_info (self->pipeline, &info),
           kept = !self->shown.is_left && vg_pipeline_get_past (self->pipeline, &past),
           live = open && info.frames < 0;
  g_autoptr (GArray) marks = vg_pipeline_get_marks (self->pipeline, !live);
  double ago_s = vg_past_bar_update (vg_transport_get_past (VG_TRANSPORT (self->transport)),
                                     kept ? &past : NULL, result != NULL ? result->time_s : NAN,
                                     marks);

  vg_frame_bar_set_marks (vg_window_get_frames (self), marks);
  return (VgLiveness){
    .stream = open && info.frames != 1 && !is_whole (self),
    .kept = result != NULL && result->compare == VG_COMPARE_KEPT,
    .live = live,
    .sample = vg_session_get_inputs (self->session)[0] == NULL,
    .running = vg_window_is_running (self),
    .ended = vg_pipeline_has_ended (self->pipeline) || (!live && state == VG_PIPELINE_FINISHED),
    .waiting = vg_pipeline_get_live (self->pipeline, &status) && status.state == VG_LIVE_WAITING,
    .ago_s = ago_s,
    .silent_s = newest != NULL ? 1e-6 * (double) (now_us - newest->time_us) : NAN,
    .late_s = result != NULL ? 1e-6 * (double) (now_us - result->arrived_us) : NAN,
    .interval_s = open ? info.frame_interval_s : 0
  };
}

/* Reports the end of a stream, once all frames are counted, unless the banner is in use. */
static void
show_end (VgWindow *self, const VgPipelineCounts *counts)
{
  gboolean ended = vg_pipeline_has_ended (self->pipeline);
  g_autofree char *sum = NULL, *text = NULL;

  if (!ended)
    self->cause.ended = FALSE;
  if (!ended || self->cause.ended || vg_opening_is_active (self->opening) || counts->queued > 0)
    return;
  self->cause.ended = TRUE;
  vg_window_show_title (self);
  vg_window_enable_actions (self);
  sum = vg_pipeline_counts_to_text (counts);
  text = g_strdup_printf (_ ("The stream has ended: %s"), sum);
  if (!vg_banner_is_shown (VG_BANNER (self->banner)))
    vg_window_message (self, FALSE, text);
}

/* The panes leave the image as large as they can. */
static void
show_shape (VgWindow *self)
{
  VgImageView *image = vg_viewer_get_image (self->viewer);
  VgPanesShape shape = { vg_image_view_get_aspect (image), 0, 0 };
  int bars[2];

  if (!vg_window_has_image (self))
    return;
  vg_image_view_get_margins (image, &shape.beside_px, &shape.around_px);
  gtk_widget_measure (self->toolbar, GTK_ORIENTATION_VERTICAL, -1, NULL, &bars[0], NULL, NULL);
  gtk_widget_measure (self->transport, GTK_ORIENTATION_VERTICAL, -1, NULL, &bars[1], NULL, NULL);
  shape.around_px += bars[0] + bars[1];
  vg_panes_set_shape (VG_PANES (self->panes), &shape);
}

/* The map on the screen in words, with its comparison; owned.  NULL: there is none. */
static char *
describe_map (VgWindow *self)
{
  const VgResult *result = self->result;
  g_autofree char *name = NULL;

  if (!vg_window_has_image (self))
    return NULL;
  name = vg_key_number_name_compared (
      vg_translate (vg_operation_output_label (result->operation, (guint) result->output,
                                               vg_session_get_params (self->session))),
      result->compare);
  return g_strdup_printf (_ ("Map: %s"), name);
}

static void
show_moment (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgLiveness liveness = update_liveness (self);
  VgBigNumberState shown = { .liveness = vg_liveness_get_kind (&liveness) };
  g_autofree char *moment = vg_liveness_describe (&liveness), *map = describe_map (self),
                  *recording = vg_record_bar_describe (VG_RECORD_BAR (self->record.bar),
                                                       &shown.faulty);

  shown.moment = moment;
  shown.map = map;
  shown.recording = recording;
  if (moment != NULL)
    vg_frame_bar_set_moment (vg_window_get_frames (self), moment,
                             shown.liveness == VG_LIVENESS_LIVE && !liveness.sample);
  vg_theatre_set_state (
      VG_THEATRE (self->theatre),
      &(VgTheatreState){
          .shown = shown,
          .running = vg_window_is_running (self),
          .top = gtk_widget_get_height (gtk_widget_get_parent (self->banner)),
          .can_mirror = vg_mirror_can_open (vg_theatre_get_mirror (VG_THEATRE (self->theatre))),
          .has_baseline = has_baseline (self),
          .can_choose = vg_theatre_get_region (VG_THEATRE (self->theatre)) >= 0 &&
                        vg_session_get_n_regions (self->session) > 1,
          .can_record = operation->input.kind == VG_INPUT_STREAM });
}

/* Tools, plots and speed say nothing while nothing is open; nor do plots while data are prepared,
 * but they stay in their place if that is done at once. */
static void
show_emptiness (VgWindow *self, gboolean empty)
{
  gboolean preparing = self->shown.is_left &&
                       g_get_monotonic_time () - self->shown.left_us > AT_ONCE_US;

  if (empty)
    vg_viewer_show_page (self->viewer, VG_VIEWER_EMPTY);
  gtk_widget_set_visible (self->toolbar, !empty);
  gtk_widget_set_visible (self->transport, !empty);
  gtk_widget_set_visible (self->status, !empty);
  vg_panes_set_idle (VG_PANES (self->panes), empty || preparing);
}

/* What is kept to look back is what a recording can begin with. */
static void
show_recording (VgWindow *self)
{
  VgPast past;
  const gboolean kept = !self->shown.is_left && vg_pipeline_get_past (self->pipeline, &past);

  gtk_widget_set_visible (self->record.panel,
                          kept && vg_session_get_inputs (self->session)[0] != NULL);
  vg_status_bar_set_past (VG_STATUS_BAR (self->status), kept ? &past : NULL);
}

void
vg_window_show_state (VgWindow *self)
{
  VgPipelineState state = vg_pipeline_get_state (self->pipeline);
  VgImageView *image = vg_viewer_get_image (self->viewer);
  VgPipelineCounts counts = { 0 };
  gboolean recording = vg_record_bar_is_recording (VG_RECORD_BAR (self->record.bar));

  show_run_button (self);
  show_progress (self);
  show_shape (self);
  vg_toolbar_set_zoom (VG_TOOLBAR (self->toolbar), vg_image_view_get_zoom (image),
                       vg_image_view_is_fitted (image));
  vg_toolbar_set_result (VG_TOOLBAR (self->toolbar),
                         vg_window_has_image (self) ? self->result : NULL);
  vg_pipeline_get_counts (self->pipeline, &counts);
  if (self->shown.is_left)
    counts.results_per_s = 0; /* they are of the data before */
  show_end (self, &counts);
  vg_status_bar_set_counts (VG_STATUS_BAR (self->status), &counts,
                            vg_image_view_get_fps (vg_viewer_get_image (self->viewer)),
                            &self->response, recording);
  vg_status_bar_set_device (
      VG_STATUS_BAR (self->status), vg_pipeline_get_device (self->pipeline),
      state == VG_PIPELINE_OPENING || state == VG_PIPELINE_RUNNING,
      vg_image_view_get_path_description (vg_viewer_get_image (self->viewer)));
  show_emptiness (self, self->result == NULL && !self->shown.is_left &&
                            (state == VG_PIPELINE_IDLE || state == VG_PIPELINE_FAILED));
  vg_window_update_waiting (self);
  vg_camera_update (self->camera, self->pipeline, vg_session_get_inputs (self->session)[0],
                    vg_opening_is_active (self->opening), recording);
  show_recording (self);
  vg_compare_bar_update (VG_COMPARE_BAR (self->compare));
  vg_record_bar_update (VG_RECORD_BAR (self->record.bar));
  vg_window_enable_actions (self);
  show_moment (self);
  vg_event_button_refresh (VG_EVENT_BUTTON (self->event), vg_window_has_image (self));
}

/* ---- result ---- */

/* Shows the warnings.  While the work may still change them, only those go whose number the new
 * settings do not have. */
static void
show_cautions (VgWindow *self)
{
  VgResult *result = self->result;

  if (result == NULL)
    return;
  if (result->final || !is_whole (self) || !vg_window_is_running (self))
    vg_cautions_set (VG_CAUTIONS (self->cautions), result->metrics);
  else if (result->metrics != NULL && result->serial == self->sent.params_serial)
    vg_cautions_keep (VG_CAUTIONS (self->cautions), result->metrics);
}

void
vg_window_show_result (VgWindow *self)
{
  VgResult *result = self->result;
  VgSidePane *side = VG_SIDE_PANE (self->side);
  VgReference *kept = vg_compare_bar_get_compared (VG_COMPARE_BAR (self->compare));
  VgKeyNumber *number;
  VgImageInfo info;

  if (result == NULL || !self->fresh ||
      result->operation != vg_session_get_operation (self->session))
    return;
  self->fresh = FALSE;
  number = vg_key_number_new (result, self->session,
                              result->regions_serial == self->sent.regions_serial);
  vg_side_pane_set_display (side, vg_window_has_image (self) ? result : NULL);
  vg_status_bar_set_kept (VG_STATUS_BAR (self->status), kept);
  vg_side_pane_set_kept (side, kept);
  vg_status_bar_set_numbers (VG_STATUS_BAR (self->status), result->metrics);
  vg_side_pane_set_metrics (side, result->metrics,
                            result->operation->input.kind != VG_INPUT_NONE ? number : NULL);
  show_cautions (self);
  vg_side_pane_set_figures (side, result->metrics,
                            vg_pipeline_get_info (self->pipeline, &info) ? &info : NULL);
  vg_charts_set_result (VG_CHARTS (self->charts), result,
                        result->regions_serial == self->sent.regions_serial);
  vg_frame_bar_set_frame (vg_window_get_frames (self), result->frame_index, result->time_s);
  vg_mark_button_set_time (vg_transport_get_mark (VG_TRANSPORT (self->transport)), result->time_s);
  vg_slice_box_set_slices (vg_transport_get_slices (VG_TRANSPORT (self->transport)),
                           result->plane.slices);
  if (number != NULL)
    vg_theatre_set_number (VG_THEATRE (self->theatre), number);
  else
    vg_theatre_miss_number (VG_THEATRE (self->theatre),
                            result->operation->input.kind == VG_INPUT_STREAM ? result->time_s
                                                                             : NAN);
}
