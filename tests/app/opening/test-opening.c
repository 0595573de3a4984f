/* SPDX-License-Identifier: MIT */
/* An opening completes, or leaves the session as it was, whatever was under way before. */
#include <glib/gstdio.h>
#include <string.h>
#include "app/opening/vg-opening.h"
#include "tests/support/app/pipeline-watch.h"

typedef struct
{
  FakeSource source;
  Watch watch;
  VgSession *session;
  VgOpening *opening;
  int started, failed, views;
  gboolean reread; /* the last one read the same inputs with other options */
} Fixture;

static const char *const file_a[] = { "/there/a.tif", NULL }, *const file_b[] = { "/there/b.tif",
                                                                                  NULL };

static void
count (int *n)
{
  (*n)++;
}

/* As the window does. */
static void
on_opened (Fixture *self)
{
  VgImageInfo info;
  gboolean has_info;

  if (!vg_opening_note_opened (self->opening) || !vg_opening_is_active (self->opening))
    return;
  has_info = vg_pipeline_get_info (self->watch.pipeline, &info);
  self->reread = vg_opening_adopt (self->opening, has_info ? &info : NULL, FALSE);
  g_assert_true (vg_opening_is_adopting (self->opening));
  vg_opening_commit (self->opening, has_info ? &info : NULL);
  g_assert_false (vg_opening_is_adopting (self->opening));
}

static void
begin (Fixture *self)
{
  *self = (Fixture){ .source = { .width = 4, .height = 4, .frames = 5 } };
  watch_start (&self->watch, fake_pipeline (&self->source));
  vg_pipeline_set_playback (self->watch.pipeline, 0, FALSE);
  self->session = vg_session_new (&fake_stream);
  self->opening = vg_opening_new (self->session, FALSE);
  vg_opening_set_pipeline (self->opening, self->watch.pipeline);
  g_signal_connect_swapped (self->opening, "started", G_CALLBACK (count), &self->started);
  g_signal_connect_swapped (self->opening, "failed", G_CALLBACK (count), &self->failed);
  g_signal_connect_swapped (self->opening, "changing-view", G_CALLBACK (count), &self->views);
  g_signal_connect_swapped (self->watch.pipeline, "opened", G_CALLBACK (on_opened), self);
}

static void
end (Fixture *self)
{
  vg_opening_set_pipeline (self->opening, NULL);
  g_assert_false (vg_opening_is_active (self->opening));
  g_clear_object (&self->opening);
  g_signal_handlers_disconnect_by_data (self->watch.pipeline, self);
  watch_end (&self->watch);
  g_clear_object (&self->session);
}

static gboolean
has_completed (Watch *watch, gint64 fixture)
{
  Fixture *self = (Fixture *) (gsize) fixture;

  return !vg_opening_is_active (self->opening);
}

static void
complete (Fixture *self)
{
  g_assert_true (vg_opening_is_active (self->opening));
  g_assert_true (watch_until (&self->watch, has_completed, (gint64) (gsize) self));
}

/* A first opening, and a second one with a step to undo. */
static void
open_twice (Fixture *self)
{
  vg_opening_open (self->opening, file_a, NULL);
  complete (self);
  vg_opening_open (self->opening, file_b, NULL);
  complete (self);
}

static void
test_complete (void)
{
  Fixture self;

  begin (&self);
  g_assert_false (vg_opening_has_completed (self.opening));
  vg_opening_open (self.opening, file_a, NULL);
  g_assert_cmpstr (vg_opening_get_inputs (self.opening)[0], ==, file_a[0]);
  g_assert_cmpuint (g_strv_length ((char **) vg_session_get_inputs (self.session)), ==, 0);
  complete (&self);
  g_assert_null (vg_opening_get_inputs (self.opening));
  g_assert_cmpstr (vg_session_get_inputs (self.session)[0], ==, file_a[0]);
  g_assert_true (vg_opening_has_completed (self.opening));
  g_assert_false (self.reread);
  g_assert_false (vg_session_can_undo (self.session)); /* undo does not go beyond the first */

  vg_opening_open (self.opening, file_b, NULL);
  complete (&self);
  g_assert_cmpstr (vg_session_get_inputs (self.session)[0], ==, file_b[0]);
  g_assert_cmpstr (vg_session_undo_label (self.session), ==, "Open");

  vg_opening_open (self.opening, file_b, "channel=2");
  complete (&self);
  g_assert_true (self.reread);
  g_assert_cmpstr (vg_session_get_read_options (self.session), ==, "channel=2");
  g_assert_cmpstr (vg_session_undo_label (self.session), ==, "File Options");

  vg_opening_open (self.opening, NULL, NULL);
  complete (&self);
  g_assert_cmpstr (vg_session_undo_label (self.session), ==, "Sample data");

  /* another sample is other data, and undo leads back */
  vg_opening_open (self.opening, NULL, "sample=other");
  complete (&self);
  g_assert_false (self.reread);
  g_assert_cmpstr (vg_session_get_read_options (self.session), ==, "sample=other");
  g_assert_cmpstr (vg_session_undo_label (self.session), ==, "Sample data");
  vg_session_undo (self.session);
  g_assert_null (vg_session_get_read_options (self.session));
  g_assert_cmpint (self.started, ==, 5);
  g_assert_cmpint (self.failed, ==, 0);
  end (&self);
}

static void
add_region (Fixture *self)
{
  const VgRegion region = {
    .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { 0, 2 }, .y = { 0, 2 }
  };

  vg_session_add_region (self->session, &region);
  vg_session_commit (self->session, "Region");
}

static void
open_file (Fixture *self, const char *const *files, const char *read_options)
{
  vg_opening_open (self->opening, files, read_options);
  complete (self);
}

/* WIDTH, HEIGHT, SLICES: of the data on which the regions were drawn that the last opening has
 * removed. */
static void
check_dropped (Fixture *self, int width, int height, int slices)
{
  VgDataSize size;

  g_assert_true (vg_opening_dropped_regions (self->opening, &size));
  g_assert_cmpint (size.width, ==, width);
  g_assert_cmpint (size.height, ==, height);
  g_assert_cmpint (size.slices, ==, slices);
  g_assert_cmpuint (vg_session_get_n_regions (self->session), ==, 0);
}

static void
check_kept (Fixture *self, guint n)
{
  VgDataSize size;

  g_assert_false (vg_opening_dropped_regions (self->opening, &size));
  g_assert_cmpuint (vg_session_get_n_regions (self->session), ==, n);
}

/* As the window does when undo has changed the inputs. */
static void
undo (Fixture *self)
{
  vg_opening_step (self->opening, vg_session_undo);
  vg_opening_open_current (self->opening, TRUE);
  complete (self);
}

/* Regions stay on other data of the same width, height and number of slices; otherwise they are
 * removed with the opening, and undo restores them with the data. */
static void
test_strays (void)
{
  static const FakeSource sizes[] = { { .width = 6, .height = 4 },
                                      { .width = 4, .height = 8 },
                                      { .width = 4, .height = 4, .slices = 3 } };
  VgDataSize size;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Fixture self;
      FakeSource small;

      begin (&self);
      small = self.source;
      open_twice (&self);
      self.source.width = sizes[i].width;
      self.source.height = sizes[i].height;
      self.source.slices = sizes[i].slices;
      open_file (&self, file_a, NULL); /* there are no regions */
      check_kept (&self, 0);
      self.source = small;
      open_file (&self, file_b, NULL);
      add_region (&self);
      open_file (&self, file_a, NULL); /* of the same size */
      check_kept (&self, 1);
      self.source.width = sizes[i].width;
      self.source.height = sizes[i].height;
      self.source.slices = sizes[i].slices;
      open_file (&self, file_b, NULL);
      check_dropped (&self, 4, 4, 1);
      g_assert_cmpstr (vg_session_undo_label (self.session), ==, "Open");
      open_file (&self, file_a, NULL);
      g_assert_false (vg_opening_dropped_regions (self.opening, &size)); /* reported once */
      undo (&self);
      check_kept (&self, 0);
      self.source = small;
      undo (&self);
      check_kept (&self, 1);
      g_assert_cmpstr (vg_session_get_inputs (self.session)[0], ==, file_a[0]);
      self.source.width = 5; /* what undo has shown is what counts */
      open_file (&self, file_b, NULL);
      check_dropped (&self, 4, 4, 1);
      end (&self);
    }
}

/* Options that change the size of the same file, or a file that has another size now. */
static void
test_reread (void)
{
  Fixture self;

  begin (&self);
  open_twice (&self);
  add_region (&self);
  open_file (&self, file_b, "channel=2");
  check_kept (&self, 1);
  self.source.width = 8;
  self.source.height = 2;
  open_file (&self, file_b, "8x2:u8");
  g_assert_true (self.reread);
  check_dropped (&self, 4, 4, 1);
  add_region (&self);
  self.source.height = 4;
  vg_opening_open_current (self.opening, FALSE);
  complete (&self);
  check_dropped (&self, 8, 2, 1);
  end (&self);
}

/* The regions of a session file stay on its own data, whose size is not known before; on others
 * they do not. */
static void
test_stored (void)
{
  g_autofree char *folder = g_dir_make_tmp ("vg-opening-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.vivograph", NULL);

  for (int own = 0; own < 2; own++)
    {
      Fixture self;

      begin (&self);
      open_twice (&self);
      add_region (&self);
      g_assert_true (vg_session_save (self.session, path, NULL, NULL));
      end (&self);

      begin (&self);
      self.source.width = 6;
      open_file (&self, file_a, NULL);
      self.source.width = 4;
      g_assert_true (vg_opening_load_session (self.opening, path, NULL, NULL));
      if (own)
        {
          vg_opening_open_current (self.opening, FALSE);
          complete (&self);
          check_kept (&self, 1);
        }
      else
        {
          open_file (&self, file_a, NULL);
          check_dropped (&self, 0, 0, 0);
        }
      end (&self);
    }
  g_unlink (path);
  g_rmdir (folder);
}

/* Of several that are under way only the newest counts. */
static void
test_newest (void)
{
  Fixture self;

  begin (&self);
  self.source.open_ms = 20;
  vg_opening_open (self.opening, file_a, NULL);
  vg_opening_open (self.opening, file_b, NULL);
  complete (&self);
  g_assert_cmpstr (vg_session_get_inputs (self.session)[0], ==, file_b[0]);
  g_assert_true (watch_settle (&self.watch));
  g_assert_cmpstr (vg_session_get_inputs (self.session)[0], ==, file_b[0]);
  g_assert_cmpint (self.started, ==, 2);
  end (&self);
}

static void
check_same (Fixture *self, const char *text, const char *undo)
{
  g_autofree char *now = vg_session_to_text (self->session);

  g_assert_cmpstr (now, ==, text);
  g_assert_cmpstr (vg_session_undo_label (self->session), ==, undo);
  g_assert_false (vg_session_can_redo (self->session));
}

/* Another view that is cancelled, or that fails after a second one, leaves the view before with its
 * undo steps. */
static void
test_abort (void)
{
  for (int twice = 0; twice < 2; twice++)
    {
      Fixture self;
      g_autofree char *text = NULL;

      begin (&self);
      open_twice (&self);
      text = vg_session_to_text (self.session);
      self.source.refuses = twice;
      vg_opening_switch_view (self.opening, &fake_steps);
      g_assert_true (vg_session_get_operation (self.session) == &fake_steps);
      g_assert_cmpint (self.views, ==, 1);
      if (twice)
        {
          vg_opening_switch_view (self.opening, &fake_stream);
          g_assert_true (watch_until (&self.watch, has_failed, 0));
          g_assert_true (vg_opening_is_active (self.opening));
        }
      else
        vg_pipeline_cancel (self.watch.pipeline);
      /* the steps, which have no source to refuse, may have opened meanwhile */
      self.source.refuses = FALSE;
      if (!vg_opening_abort (self.opening))
        complete (&self);
      g_assert_false (vg_opening_is_active (self.opening));
      check_same (&self, text, "Open");
      end (&self);
    }
}

/* One that the pipeline has opened, but the session does not show yet, is opened again. */
static void
test_late (void)
{
  Fixture self;
  guint before;

  begin (&self);
  open_twice (&self);
  before = vg_pipeline_get_opened (self.watch.pipeline);
  vg_opening_open (self.opening, file_a, NULL);
  while (vg_pipeline_get_opened (self.watch.pipeline) == before)
    g_usleep (1000);
  vg_opening_open (self.opening, NULL, NULL);
  g_assert_false (vg_opening_abort (self.opening));
  g_assert_cmpstr (vg_opening_get_inputs (self.opening)[0], ==, file_b[0]);
  complete (&self);
  g_assert_cmpstr (vg_session_get_inputs (self.session)[0], ==, file_b[0]);
  end (&self);
}

/* A session file that cannot be read changes nothing; one that can is restored by its abort. */
static void
test_session (void)
{
  Fixture self;
  g_autofree char *folder = g_dir_make_tmp ("vg-opening-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.vivograph", NULL), *text = NULL;
  g_autoptr (GError) error = NULL;

  begin (&self);
  open_twice (&self);
  g_assert_true (vg_session_save (self.session, path, NULL, NULL));
  vg_session_set_number (self.session, vg_params_find (&fake_stream.params, "gain"), 3);
  vg_session_commit (self.session, "Gain");
  text = vg_session_to_text (self.session);
  g_assert_false (vg_opening_load_session (self.opening, "/there/none.vivograph", NULL, &error));
  g_assert_nonnull (strstr (error->message, "none.vivograph"));
  check_same (&self, text, "Gain");

  g_assert_true (vg_opening_load_session (self.opening, path, NULL, NULL));
  g_assert_null (vg_session_get_path (self.session));
  self.source.refuses = TRUE;
  vg_opening_open_current (self.opening, FALSE);
  g_assert_true (watch_until (&self.watch, has_failed, 0));
  g_assert_true (vg_opening_abort (self.opening));
  check_same (&self, text, "Gain");
  end (&self);
  g_unlink (path);
  g_rmdir (folder);
}

/* A step that opens nothing leaves nothing to restore. */
static void
test_step (void)
{
  Fixture self;
  const VgParam *gain = vg_params_find (&fake_stream.params, "gain");

  begin (&self);
  open_twice (&self);
  vg_session_set_number (self.session, gain, 3);
  vg_session_commit_later (self.session, "Gain");
  vg_opening_step (self.opening, vg_session_undo);
  g_assert_cmpfloat (vg_param_get_number (gain, vg_session_get_params (self.session)), ==,
                     gain->def);
  self.source.refuses = TRUE;
  vg_opening_open (self.opening, file_a, NULL);
  g_assert_true (watch_until (&self.watch, has_failed, 0));
  vg_session_set_number (self.session, gain, 4);
  g_assert_true (vg_opening_abort (self.opening));
  g_assert_cmpfloat (vg_param_get_number (gain, vg_session_get_params (self.session)), ==, 4);
  end (&self);
}

/* The size of the frames is asked for where only that is missing. */
static void
test_geometry (void)
{
  Fixture self;
  g_autofree char *folder = g_dir_make_tmp ("vg-opening-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.raw", NULL);
  const char *const files[] = { path, NULL };
  gint64 size = 0;

  begin (&self);
  g_assert_true (g_file_set_contents (path, "0123456789", 10, NULL));
  g_assert_false (vg_opening_needs_geometry (self.opening, &size));
  g_assert_true (vg_opening_open_files (self.opening, files, NULL, NULL));
  g_assert_true (vg_opening_needs_geometry (self.opening, &size));
  g_assert_cmpint (size, ==, 10);
  g_assert_true (vg_opening_open_files (self.opening, files, "2x5:u8", NULL));
  g_assert_false (vg_opening_needs_geometry (self.opening, &size));
  vg_opening_open (self.opening, files, NULL); /* it has been opened before */
  g_assert_false (vg_opening_needs_geometry (self.opening, &size));
  end (&self);
  g_unlink (path);
  g_rmdir (folder);
}

/* Runs are of settings files alone. */
static void
test_run (void)
{
  Fixture self;
  g_autoptr (GError) error = NULL;

  begin (&self);
  g_assert_false (vg_opening_open_run (self.opening, file_a, 1, &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_assert_nonnull (strstr (error->message, "reads no settings files"));
  g_assert_false (vg_opening_is_active (self.opening));
  end (&self);
}

/* Settings that were asked for belong to one view, so no other view is searched for its file. */
static void
test_settings (void)
{
  static const char *const settings[] = { "photons=1000", NULL };
  const VgOperation *fluence = vg_operation_find ("fluence");
  g_autofree char *folder = g_dir_make_tmp ("vg-opening-XXXXXX", NULL),
                  *path = g_build_filename (folder, "a.txt", NULL), *text = NULL;
  const char *const files[] = { path, NULL };
  g_autoptr (GError) error = NULL;
  Fixture self;

  begin (&self);
  g_assert_true (g_file_set_contents (path, "hello\n", -1, NULL));
  open_twice (&self);
  text = vg_session_to_text (self.session);
  g_assert_false (vg_opening_open_in (self.opening, fluence, files, NULL, settings, &error));
  g_assert_nonnull (strstr (error->message, "a.txt"));
  g_assert_false (vg_opening_is_active (self.opening));
  check_same (&self, text, "Open");
  end (&self);
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/opening/complete", test_complete);
  g_test_add_func ("/opening/newest", test_newest);
  g_test_add_func ("/opening/abort", test_abort);
  g_test_add_func ("/opening/late", test_late);
  g_test_add_func ("/opening/session", test_session);
  g_test_add_func ("/opening/step", test_step);
  g_test_add_func ("/opening/geometry", test_geometry);
  g_test_add_func ("/opening/run", test_run);
  g_test_add_func ("/opening/settings", test_settings);
  g_test_add_func ("/opening/strays", test_strays);
  g_test_add_func ("/opening/reread", test_reread);
  g_test_add_func ("/opening/stored", test_stored);
  return g_test_run ();
}
