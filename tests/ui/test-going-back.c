/* SPDX-License-Identifier: MIT */
/* An opening that is cancelled leaves the session as it was, with its undo steps, whatever was on
 * its way before. Sources that are not to open wait until the test is over, so nothing here depends
 * on how fast anything is. */
#include "ui/common/vg-banner.h"
#include "app/pipeline/vg-pipeline-private.h"
#include "tests/support/ui/window-fixture.h"
#include "ui/picture/vg-image-view-private.h"

typedef struct
{
  WindowFixture window;
  char *text, *undo; /* the session, and what undo says, before anything is opened */
  GMutex lock;
  GCond wake;
  gboolean over;
} Fixture;

static VgSource *
open_never (gpointer data, const VgOperation *operation, const void *params,
            const char *const *inputs, const char *read_options, GError **error)
{
  Fixture *self = data;

  g_mutex_lock (&self->lock);
  while (!self->over)
    g_cond_wait (&self->wake, &self->lock);
  g_mutex_unlock (&self->lock);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the test is over");
  return NULL;
}

static void
stop_sources (Fixture *self)
{
  VgPipelineHooks hooks = self->window.window->pipeline->hooks;

  hooks.open_source = open_never;
  hooks.data = self;
  vg_pipeline_set_hooks (self->window.window->pipeline, &hooks);
}

static void
commit_back (VgSession *session)
{
  vg_session_commit (session, "Back");
}

/* With a step to undo. */
static void
begin (Fixture *self)
{
  VgSession *session;

  self->window.application = GTK_APPLICATION (g_application_get_default ());
  window_begin (&self->window);
  session = self->window.window->session;
  vg_opening_go_to (self->window.window->opening, vg_operation_find ("flow"));
  vg_session_commit (session, "There");
  vg_opening_go_to (self->window.window->opening, vg_operation_find ("contour"));
  vg_opening_step (self->window.window->opening, commit_back);
  self->text = vg_session_to_text (session);
  self->undo = g_strdup (vg_session_undo_label (session));
}

static void
check (Fixture *self)
{
  VgSession *session = self->window.window->session;
  g_autofree char *text = vg_session_to_text (session);

  g_assert_cmpstr (text, ==, self->text);
  g_assert_cmpstr (vg_session_undo_label (session), ==, self->undo);
  g_assert_false (vg_session_can_redo (session));
}

static void
end (Fixture *self)
{
  g_mutex_lock (&self->lock);
  self->over = TRUE;
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->lock);
  gtk_window_close (GTK_WINDOW (self->window.window));
  window_end (&self->window);
  g_free (self->text);
  g_free (self->undo);
}

static void
act (Fixture *self, const char *action)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->window.window), action, NULL);
}

static const char *
subtitle (Fixture *self)
{
  return vg_header_get_source (self->window.window->header);
}

static void
choose_flow (Fixture *self)
{
  g_action_group_change_action_state (G_ACTION_GROUP (self->window.window), "operation",
                                      g_variant_new_string ("flow"));
}

/* A session of flow, with settings of its own in both views. */
static void
open_session (Fixture *self)
{
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("contour"));
  g_autofree char *path = g_build_filename (self->window.folder, "other.vivograph", NULL);

  vg_session_set_number (session,
                         vg_params_find (&vg_operation_find ("contour")->params, "iterations"), 7);
  vg_session_set_operation (session, vg_operation_find ("flow"));
  g_assert_true (vg_session_save (session, path, NULL, NULL));
  vg_window_open_session (self->window.window, path);
  g_assert_true (vg_opening_is_active (self->window.window->opening));
}

static void
test_second (void)
{
  Fixture self = { .over = FALSE };

  begin (&self);
  stop_sources (&self);
  choose_flow (&self);
  g_assert_true (vg_opening_is_active (self.window.window->opening));
  open_session (&self);
  act (&self, "cancel");
  g_assert_false (vg_opening_is_active (self.window.window->opening));
  check (&self);
  end (&self);
}

static void
test_undone (void)
{
  Fixture self = { .over = FALSE };

  begin (&self);
  stop_sources (&self);
  act (&self, "undo");
  g_assert_true (vg_opening_is_active (self.window.window->opening));
  g_assert_cmpstr (vg_session_get_operation (self.window.window->session)->id, ==, "flow");
  act (&self, "cancel");
  check (&self);
  end (&self);
}

static gboolean
is_done_again (WindowFixture *self)
{
  return window_has_opened (self) && window_is_done (self) &&
         g_str_equal (self->window->result->operation->id, "contour");
}

static void
on_opened (int *opened)
{
  (*opened)++;
}

/* The first has opened, but the window has yet to hear of it when the second is begun. */
static void
test_late (void)
{
  Fixture self = { .over = FALSE };
  int opened = 0;
  guint before;

  begin (&self);
  g_signal_connect_swapped (self.window.window->pipeline, "opened", G_CALLBACK (on_opened),
                            &opened);
  before = vg_pipeline_get_opened (self.window.window->pipeline);
  choose_flow (&self);
  while (vg_pipeline_get_opened (self.window.window->pipeline) == before)
    g_usleep (1000);
  stop_sources (&self);
  open_session (&self);
  while (opened == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (vg_opening_is_active (self.window.window->opening));
  act (&self, "cancel");
  check (&self);
  window_go_on_until (is_done_again, &self.window);
  check (&self);
  end (&self);
}

/* A failure of the input before is told of when the next one has opened, but the window has yet to
 * hear of that: the opening completes. */
static void
test_failed_before (void)
{
  Fixture self = { .over = FALSE };
  g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_FAILED, "of the input before");
  VgWindow *window;
  guint before;

  begin (&self);
  window = self.window.window;
  before = vg_pipeline_get_opened (window->pipeline);
  choose_flow (&self);
  while (vg_pipeline_get_opened (window->pipeline) == before)
    g_usleep (1000);
  g_signal_emit_by_name (window->pipeline, "failed", error, 0);
  g_assert_true (vg_opening_is_active (window->opening));
  g_assert_true (window_tells (window->banner, "the input before"));
  window_go_on_until (window_has_opened, &self.window);
  g_assert_cmpstr (vg_session_get_operation (window->session)->id, ==, "flow");
  end (&self);
}

/* While another view or another file is opened, nothing of the data before is on the screen; all of
 * it returns when the opening is cancelled. */
static void
test_left (void)
{
  Fixture self = { .over = FALSE };
  const char *const files[] = { "/there/other.tif", NULL };
  g_autoptr (VgResult) result = NULL;
  VgWindow *window;
  VgBanner *alarm;

  begin (&self);
  window = self.window.window;
  window_go_on_until (window_is_done, &self.window);
  vg_window_show_result (window);
  result = vg_result_ref (window->result);
  alarm = VG_BANNER (vg_theatre_get_banner (VG_THEATRE (window->theatre)));
  stop_sources (&self);
  for (int file = 0; file < 2; file++)
    {
      g_assert_true (window_tells (window->status, "Nuclei"));
      vg_window_show_banner (window, VG_BANNER_WARNING, "Stay where you are");
      vg_banner_show (alarm, VG_BANNER_WARNING, "The alarm is off");
      if (file)
        vg_opening_open (window->opening, files, NULL);
      else
        choose_flow (&self);
      g_assert_null (window->result);
      g_assert_false (vg_window_has_image (window));
      g_assert_false (vg_image_view_has_picture (vg_viewer_get_image (window->viewer)));
      g_assert_false (window_tells (window->status, "Nuclei"));
      g_assert_false (vg_banner_is_shown (VG_BANNER (window->banner)));
      g_assert_false (vg_banner_is_shown (alarm));
      g_assert_true (window_tells (GTK_WIDGET (window->viewer), "Preparing the first map"));
      g_assert_cmpstr (subtitle (&self), ==, file ? "other.tif" : "Sample data");
      vg_window_show_result (window); /* as it is called while the work before goes on */
      g_assert_false (window_tells (window->status, "Nuclei"));
      act (&self, "cancel");
      vg_window_show_result (window);
      g_assert_true (window->result == result);
      g_assert_true (vg_image_view_has_picture (vg_viewer_get_image (window->viewer)));
      g_assert_false (window_tells (GTK_WIDGET (window->viewer), "Preparing the first map"));
      g_assert_cmpstr (subtitle (&self), ==, "Sample data");
    }
  check (&self);
  end (&self);
}

/* The title names what is being opened while nothing else is, and says so when that comes to
 * nothing. */
static void
test_title (void)
{
  Fixture self = { .over = FALSE };
  const char *const files[] = { "/there/slide.tif", NULL };

  begin (&self);
  g_assert_true (g_str_has_prefix (subtitle (&self), "Sample data"));
  vg_window_stop_pipeline (self.window.window);
  vg_window_start_pipeline (self.window.window);
  stop_sources (&self);
  vg_opening_go_to (self.window.window->opening, vg_operation_find ("flow"));
  vg_opening_open (self.window.window->opening, files, NULL);
  g_assert_cmpstr (subtitle (&self), ==, "slide.tif");
  act (&self, "cancel");
  g_assert_cmpstr (subtitle (&self), ==, "No recording open");
  end (&self);
}

static gboolean
is_told_of (WindowFixture *self)
{
  return vg_pipeline_get_state (self->window->pipeline) == VG_PIPELINE_FAILED &&
         vg_banner_is_shown (VG_BANNER (self->window->banner));
}

static gboolean
is_put_right (WindowFixture *self)
{
  return window_is_done (self) && !vg_banner_is_shown (VG_BANNER (self->window->banner));
}

/* A file in a setting that can not be used is told of; undone, put right and done again, the work
 * goes to its end without a word. */
static void
test_wrong_file (void)
{
  Fixture self = { .over = FALSE };
  const VgParam *seeds = vg_params_find (&vg_operation_find ("contour")->params, "seeds");
  g_autofree char *wrong = NULL, *right = NULL;

  begin (&self);
  wrong = g_build_filename (self.window.folder, "wrong.geojson", NULL);
  right = g_build_filename (self.window.folder, "right.geojson", NULL);
  g_assert_true (g_file_set_contents (wrong, "{", -1, NULL));
  g_assert_true (
      g_file_set_contents (right, "{\"type\": \"Point\", \"coordinates\": [20, 20]}", -1, NULL));
  g_assert_true (vg_session_set_text (self.window.window->session, seeds, wrong, NULL));
  vg_session_commit (self.window.window->session, "Seed file");
  window_go_on_until (is_told_of, &self.window);
  act (&self, "undo");
  window_go_on_until (is_put_right, &self.window);
  act (&self, "redo");
  window_go_on_until (is_told_of, &self.window);
  g_assert_true (vg_session_set_text (self.window.window->session, seeds, right, NULL));
  window_go_on_until (is_put_right, &self.window);
  end (&self);
}

static void
add_tests (void)
{
  g_test_add_func ("/going-back/second", test_second);
  g_test_add_func ("/going-back/undone", test_undone);
  g_test_add_func ("/going-back/late", test_late);
  g_test_add_func ("/going-back/failed-before", test_failed_before);
  g_test_add_func ("/going-back/title", test_title);
  g_test_add_func ("/going-back/left", test_left);
  g_test_add_func ("/going-back/wrong-file", test_wrong_file);
}

int
main (int argc, char **argv)
{
  return window_main (argc, argv, add_tests);
}
