/* SPDX-License-Identifier: MIT */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/panels/vg-record-bar.h"
#include "ui/common/vg-widgets.h"

enum { TICK_MS = 100, CHARTS_EVERY = 2, SIDE_WIDTH = 350, PLOTS_HEIGHT = 250, MOST_PUT_OFF = 2 };

G_DEFINE_FINAL_TYPE (VgWindow, vg_window, GTK_TYPE_APPLICATION_WINDOW)

/* ---- title ---- */

static void
build_title (VgWindow *self)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  self->switcher = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_halign (self->switcher, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->switcher, "linked");
  for (guint i = 0; i < n && n > 1; i++)
    {
      GtkWidget *button = gtk_toggle_button_new_with_label (vg_translate (operations[i]->title));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.operation");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", operations[i]->id);
      vg_widget_set_tooltip (button, vg_translate (operations[i]->summary));
      gtk_box_append (GTK_BOX (self->switcher), button);
    }
  if (n == 1)
    {
      GtkWidget *title = vg_label_new (vg_translate (operations[0]->title), "title");
      vg_widget_set_tooltip (title, vg_translate (operations[0]->summary));
      gtk_box_append (GTK_BOX (self->switcher), title);
    }
  self->subtitle = vg_label_new (NULL, "subtitle");
  gtk_label_set_ellipsize (GTK_LABEL (self->subtitle), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_halign (self->subtitle, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (self->title_box), self->switcher);
  gtk_box_append (GTK_BOX (self->title_box), self->subtitle);
}

void
vg_window_show_title (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean is_open = self->pipeline && vg_pipeline_get_opened (self->pipeline) > 0;
  const char *const *inputs = is_open || !self->opening.active
                                  ? vg_session_get_inputs (self->session)
                                  : (const char *const *) self->opening.inputs;
  guint n = g_strv_length ((char **) inputs);
  const char *without = operation->input.kind == VG_INPUT_NONE ? operation->title
                        : is_open || self->opening.active      ? "Sample data"
                                                               : "Nothing is open";
  g_autofree char *base = n ? g_path_get_basename (inputs[0]) : g_strdup (without);
  g_autofree char *name = n > 1 ? g_strdup_printf (_ ("%s and %u more"), base, n - 1)
                                : g_strdup (strcmp (base, "-") == 0 ? "Standard input" : base);
  g_autofree char *title = g_strdup_printf ("%s – Vivograph", name);
  VgImageInfo info;

  gtk_window_set_title (GTK_WINDOW (self), title);
  if (self->pipeline && vg_pipeline_get_info (self->pipeline, &info))
    {
      g_autofree char *details = vg_image_info_to_string (&info);
      gsize before = strlen (details) - strlen ("live");
      g_autofree char *text = vg_pipeline_has_ended (self->pipeline) &&
                                      g_str_has_suffix (details, ", live")
                                  ? g_strdup_printf ("%s · %.*sended", name, (int) before, details)
                                  : g_strdup_printf ("%s · %s", name, details);
      gtk_label_set_text (GTK_LABEL (self->subtitle), text);
    }
  else
    gtk_label_set_text (GTK_LABEL (self->subtitle), name);
}

/* ---- picture ---- */

static void
on_probe (VgImageView *image, double x, double y, int slice, double value, gboolean inside,
          VgWindow *self)
{
  vg_window_probe (self, x, y, slice, value, inside);
}

static void
on_pixel (VgImageView *image, double x, double y, VgWindow *self)
{
  vg_window_choose_object (self, x, y);
  vg_charts_choose_pixel (VG_CHARTS (self->charts), x, y);
}

static void
on_gl_failed (VgWindow *self, const char *why) /* NULL: what was told is over */
{
  if (why != NULL)
    vg_banner_show (VG_BANNER (self->banner), VG_BANNER_ERROR, why);
  else if (self->undrawn != NULL)
    vg_banner_withdraw (VG_BANNER (self->banner), self->undrawn);
  g_free (self->undrawn);
  self->undrawn = g_strdup (why);
}

static void
on_tool_changed (VgWindow *self)
{
  static const char *const tools[] = { "pan", "rectangle", "ellipse", "polygon", "point" };
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "tool");

  g_simple_action_set_state (
      G_SIMPLE_ACTION (action),
      g_variant_new_string (tools[vg_image_view_get_tool (VG_IMAGE_VIEW (self->image))]));
}

void
vg_window_make_image (VgWindow *self)
{
  GtkWidget *old = gtk_stack_get_child_by_name (GTK_STACK (self->image_stack), "image");

  if (old)
    gtk_stack_remove (GTK_STACK (self->image_stack), old);
  self->image = vg_image_view_new (self->session, self->display_path);
  vg_widget_describe (self->image, _ ("Result picture"), NULL);
  g_signal_connect_object (self->image, "probe", G_CALLBACK (on_probe), self, 0);
  g_signal_connect_object (self->image, "pixel-chosen", G_CALLBACK (on_pixel), self, 0);
  g_signal_connect_object (self->image, "gl-failed", G_CALLBACK (on_gl_failed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->image, "tool-changed", G_CALLBACK (on_tool_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->image, "let-go", G_CALLBACK (vg_window_tell_cautions), self,
                           G_CONNECT_SWAPPED);
  vg_window_watch_object_keys (self);
  vg_window_watch_slide (self);
  gtk_stack_add_named (GTK_STACK (self->image_stack), self->image, "image");
  gtk_stack_set_visible_child_name (
      GTK_STACK (self->image_stack),
      self->result == NULL || vg_window_has_picture (self) ? "image" : "no-map");
  if (self->pipeline)
    vg_image_view_set_cuda (VG_IMAGE_VIEW (self->image), vg_pipeline_get_cuda (self->pipeline));
  if (self->pipeline)
    vg_window_show_slide (self);
  if (vg_window_has_picture (self))
    vg_image_view_show (VG_IMAGE_VIEW (self->image), self->result);
}

/* ---- assembly ---- */

static void
on_seek (VgWindow *self, gint64 frame)
{
  vg_pipeline_seek (self->pipeline, frame);
}

static void
on_slice (VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  view.slice = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->slice)) - 1;
  vg_session_set_view (self->session, &view);
}

static void
on_chart_message (VgWindow *self, gboolean failed, const char *text)
{
  vg_window_message (self, failed, text);
}

static void
assemble (VgWindow *self)
{
  self->banner = vg_banner_new ();
  gtk_box_insert_child_after (GTK_BOX (self->image_box), self->banner, self->toolbar);
  self->question = vg_banner_new ();
  gtk_box_insert_child_after (GTK_BOX (self->image_box), self->question, self->toolbar);
  self->recovery = vg_banner_new ();
  gtk_box_insert_child_after (GTK_BOX (self->image_box), self->recovery, self->toolbar);
  vg_window_watch_question (self);
  self->recorded = vg_banner_new ();
  gtk_box_insert_child_after (GTK_BOX (self->image_box), self->recorded, self->toolbar);
  self->broken_off = vg_banner_new ();
  gtk_box_insert_child_after (GTK_BOX (self->image_box), self->broken_off, self->toolbar);
  self->cautions = vg_cautions_new ();
  gtk_box_insert_child_after (GTK_BOX (self->image_box), self->cautions, self->banner);
  self->frame_bar = vg_frame_bar_new (self->session);
  gtk_box_append (GTK_BOX (self->image_box), self->frame_bar);
  gtk_box_insert_child_after (GTK_BOX (self->toolbar),
                              vg_frame_bar_get_live (VG_FRAME_BAR (self->frame_bar)),
                              self->slice_box);
  self->charts = vg_charts_new (self->session);
  gtk_paned_set_end_child (GTK_PANED (self->plots_pane), self->charts);
  self->params = vg_param_panel_new (self->session);
  self->display = vg_display_panel_new (self->session);
  self->read_options = vg_read_options_panel_new ();
  vg_param_panel_put_first (VG_PARAM_PANEL (self->params), self->read_options);
  gtk_stack_add_titled (GTK_STACK (self->side_stack), self->params, "parameters", "Parameters");
  self->results = vg_results_panel_new ("Results");
  gtk_stack_add_titled (GTK_STACK (self->side_stack), self->display, "display", "Display");
  gtk_stack_add_titled (GTK_STACK (self->side_stack), self->results, "results", "Results");
  self->record_bar = vg_record_bar_new ();
  gtk_box_append (GTK_BOX (self->foot), self->record_bar);
  self->status = vg_status_bar_new ();
  gtk_box_append (GTK_BOX (self->foot), self->status);
  vg_label_tell_whole (self->progress_text);
  vg_label_tell_whole (self->compare_label);
  vg_window_connect_banners (self);
  g_signal_connect_swapped (self->frame_bar, "seek", G_CALLBACK (on_seek), self);
  vg_window_watch_objects (self);
  g_signal_connect_swapped (self->charts, "message", G_CALLBACK (on_chart_message), self);
  vg_widget_describe (self->runs, _ ("Run of the file"),
                      _ ("The file holds several runs; this one is computed"));
  g_signal_connect_swapped (self->runs, "notify::selected", G_CALLBACK (vg_window_choose_run),
                            self);
  g_signal_connect_swapped (self->read_options, "changed",
                            G_CALLBACK (vg_window_choose_read_options), self);
  g_signal_connect_swapped (self->slice, "value-changed", G_CALLBACK (on_slice), self);
}

static void
on_setting (VgWindow *self, const char *key)
{
  if (g_str_equal (key, "backend"))
    {
      g_autoptr (VgPipeline) before = g_object_ref (self->pipeline);

      self->backend = (VgBackend) vg_settings_get_int (self->settings, key, VG_BACKEND_AUTO,
                                                       VG_BACKEND_AUTO, VG_BACKEND_CUDA);
      vg_window_note_frame (self);
      vg_window_take_record (self);
      vg_window_stop_pipeline (self);
      vg_window_start_pipeline (self);
      vg_pipeline_inherit (self->pipeline, before);
      self->opening.goes_on = TRUE;
      vg_window_open_current (self);
    }
  else if (g_str_equal (key, "display"))
    {
      self->display_path = vg_settings_get_int (self->settings, key, 0, 0, 2);
      vg_window_make_image (self);
    }
}

static gboolean
on_tick (gpointer data)
{
  VgWindow *self = data;

  /* What is drawn now would take the frame of a picture that a slider waits for. */
  if (vg_response_is_due (&self->response, g_get_monotonic_time ()) &&
      self->put_off++ < MOST_PUT_OFF)
    return G_SOURCE_CONTINUE;
  self->put_off = 0;
  vg_window_show_result (self);
  if (++self->ticks % CHARTS_EVERY == 0)
    {
      vg_charts_refresh (VG_CHARTS (self->charts));
      vg_window_refresh_objects (self);
      vg_window_show_state (self);
    }
  return G_SOURCE_CONTINUE;
}

/* ---- remembered state ---- */

/* Once the window has been laid out: how large it is, maximised or not, is the window manager's
 * word.  From then on both panes keep their size, and the picture takes the rest. */
static gboolean
restore_panes (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  VgWindow *self = VG_WINDOW (widget);
  GtkPaned *pane = GTK_PANED (self->pane), *plots_pane = GTK_PANED (self->plots_pane);
  int side = gtk_widget_get_width (self->side), plots = gtk_widget_get_height (self->charts);

  if (side == 0 || plots == 0)
    return G_SOURCE_CONTINUE;
  side -= MIN (vg_settings_get_int (self->settings, "side-width", SIDE_WIDTH, 300, 4096),
               gtk_widget_get_width (self->pane) / 2);
  plots -= MIN (vg_settings_get_int (self->settings, "plots-height", PLOTS_HEIGHT, 90, 4096),
                gtk_widget_get_height (self->plots_pane) / 2);
  gtk_paned_set_position (pane, gtk_paned_get_position (pane) + side);
  gtk_paned_set_position (plots_pane, gtk_paned_get_position (plots_pane) + plots);
  return G_SOURCE_REMOVE;
}

static void
restore_size (VgWindow *self)
{
  int width = vg_settings_get_int (self->settings, "width", 1280, 600, 16384),
      height = vg_settings_get_int (self->settings, "height", 800, 400, 16384);

  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  gtk_widget_add_tick_callback (GTK_WIDGET (self), restore_panes, NULL, NULL);
  if (vg_settings_get_int (self->settings, "maximized", 0, 0, 1))
    gtk_window_maximize (GTK_WINDOW (self));
}

static void
remember_state (VgWindow *self)
{
  g_autofree char *text = NULL;
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  vg_settings_set_int (self->settings, "width", width);
  vg_settings_set_int (self->settings, "height", height);
  vg_settings_set_int (self->settings, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  if (gtk_widget_get_visible (self->side) && gtk_widget_get_width (self->side) > 0)
    vg_settings_set_int (self->settings, "side-width", gtk_widget_get_width (self->side));
  if (gtk_widget_get_height (self->charts) > 0)
    vg_settings_set_int (self->settings, "plots-height", gtk_widget_get_height (self->charts));
  vg_commit_flush (self->session);
  vg_window_note_frame (self);
  text = vg_session_to_text (self->session);
  vg_settings_save_text (self->settings, VG_LAST_SESSION, text);
  vg_settings_flush (self->settings);
}

static gboolean
on_close (VgWindow *self)
{
  if (!vg_window_may_close (self))
    return TRUE;
  if (self->recording)
    vg_window_take_record (self);
  remember_state (self);
  vg_window_end_journal (self);
  if (self->writing > 0) /* given up; else nothing would end the threads before the program */
    {
      if (self->exporting)
        g_cancellable_cancel (self->exporting); /* the folder is left as it was */
      vg_pipeline_close (self->pipeline);
    }
  return FALSE;
}

static void
vg_window_dispose (GObject *object)
{
  VgWindow *self = VG_WINDOW (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  vg_window_end_journal (self);
  g_clear_pointer (&self->asked, g_free);
  g_clear_object (&self->exporting);
  if (self->pipeline)
    vg_window_stop_pipeline (self);
  g_clear_pointer (&self->reference, vg_reference_unref);
  g_clear_pointer (&self->reference_name, g_free);
  g_clear_pointer (&self->reference_input, g_free);
  g_clear_pointer (&self->apart, g_free);
  g_clear_pointer (&self->undrawn, g_free);
  g_clear_pointer (&self->left_outputs, g_array_unref);
  g_clear_pointer (&self->left_recordings, g_ptr_array_unref);
  g_clear_pointer (&self->run_names, g_strfreev);
  g_clear_pointer (&self->objects.rows, g_ptr_array_unref);
  g_clear_object (&self->session);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (vg_window_parent_class)->dispose (object);
}

static void
vg_window_class_init (VgWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/vivograph/Vivograph/vg-window.ui");
#define CHILD(name) gtk_widget_class_bind_template_child (widget_class, VgWindow, name)
  CHILD (header);
  CHILD (title_box);
  CHILD (run_button);
  CHILD (record_button);
  CHILD (undo_button);
  CHILD (redo_button);
  CHILD (open_button);
  CHILD (menu_button);
  CHILD (pane);
  CHILD (plots_pane);
  CHILD (side);
  CHILD (side_stack);
  CHILD (image_box);
  CHILD (image_stack);
  CHILD (toolbar);
  CHILD (point_button);
  CHILD (foot);
  CHILD (map_label);
  CHILD (zoom_label);
  CHILD (slice_box);
  CHILD (slice);
  CHILD (compare_bar);
  CHILD (compare_label);
  CHILD (compare_choice);
  CHILD (compare_difference);
  CHILD (compare_ratio);
  CHILD (run_box);
  CHILD (runs);
  CHILD (progress_revealer);
  CHILD (progress);
  CHILD (progress_text);
  CHILD (cancel_button);
  CHILD (recent_section);
#undef CHILD
}

static void
vg_window_init (VgWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->left_outputs = g_array_new (FALSE, FALSE, sizeof (int));
}

/* The settings' choice, unless the command line made one. */
static int
choice (VgSettings *settings, const char *key, int wanted)
{
  return wanted ? wanted : vg_settings_get_int (settings, key, 0, 0, 2);
}

GtkWidget *
vg_window_new (GtkApplication *application, VgSettings *settings,
               const VgApplicationOptions *options)
{
  VgWindow *self = g_object_new (VG_TYPE_WINDOW, "application", application, NULL);
  const VgOperation *operation = options->operation ? vg_operation_find (options->operation) : NULL;
  g_autofree char *last = NULL;
  guint n;

  self->settings = g_object_ref (settings);
  self->view_is_open = operation == NULL;
  self->session = vg_session_new (operation ? operation : vg_operations (&n)[0]);
  self->backend = (VgBackend) choice (settings, "backend", (int) options->backend);
  self->display_path = choice (settings, "display", options->display_path);
  build_title (self);
  vg_window_add_actions (self);
  assemble (self);
  vg_window_make_image (self);
  vg_window_start_pipeline (self);
  vg_window_watch_session (self);
  vg_window_begin_journal (self);
  vg_window_offer_recordings (self);
  g_signal_connect (self, "realize", G_CALLBACK (vg_window_watch_painting), NULL);
  vg_window_accept_drops (self);
  vg_window_fill_recent (self);
  restore_size (self);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                           G_CALLBACK (vg_window_fill_recent), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "changed", G_CALLBACK (on_setting), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "close-request", G_CALLBACK (on_close), NULL);
  last = vg_settings_get_path (settings, VG_LAST_SESSION);
  g_simple_action_set_enabled (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "last-session")),
      g_file_test (last, G_FILE_TEST_IS_REGULAR));
  self->tick_id = g_timeout_add (TICK_MS, on_tick, self);
  vg_window_show_state (self);
  gtk_window_set_focus (GTK_WINDOW (self), self->image); /* its keys work from the start */
  return GTK_WIDGET (self);
}
