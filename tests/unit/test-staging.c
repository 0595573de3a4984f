/* SPDX-License-Identifier: MIT */
/* Results appear together or not at all. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "vg-error.h"
#include "vg-staging.h"

typedef struct { char *folder, *out, *old, *fresh; } Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = g_dir_make_tmp ("vg-staging-XXXXXX", NULL);
  f->out = g_build_filename (f->folder, "a", "out", NULL);
  f->old = g_build_filename (f->out, "old.txt", NULL);
  f->fresh = g_build_filename (f->out, "run-1", "fresh.txt", NULL);
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", f->folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (f->folder);
  g_free (f->out);
  g_free (f->old);
  g_free (f->fresh);
}

static void
write_staged (VgStaging *staging, const char *name)
{
  g_autofree char *path = vg_staging_path (staging, name, NULL);

  g_assert_nonnull (path);
  g_assert_true (g_file_set_contents (path, name, -1, NULL));
}

static void
test_commit (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  VgStaging *staging = vg_staging_new (f->out, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  write_staged (staging, "old.txt");
  write_staged (staging, "run-1/fresh.txt");
  g_assert_false (g_file_test (f->fresh, G_FILE_TEST_EXISTS));
  g_assert_true (vg_staging_commit (staging, &error));
  vg_staging_free (staging);
  g_assert_true (g_file_get_contents (f->fresh, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "run-1/fresh.txt");
  g_assert_cmpuint (count_entries (f->out), ==, 2);
}

static void
test_drop (Fixture *f, gconstpointer data)
{
  VgStaging *staging = vg_staging_new (f->out, NULL);
  g_autofree char *text = NULL;

  write_staged (staging, "fresh.txt");
  vg_staging_free (staging);
  g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (count_entries (f->folder), ==, 0);

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (f->old, "as it was", -1, NULL));
  staging = vg_staging_new (f->out, NULL);
  write_staged (staging, "old.txt");
  vg_staging_free (staging);
  g_assert_true (g_file_get_contents (f->old, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  g_assert_cmpuint (count_entries (f->out), ==, 1);
}

/* A folder in the way is found before anything is replaced. */
static void
test_blocked (Fixture *f, gconstpointer data)
{
  g_autofree char *block = g_build_filename (f->out, "b.txt", NULL), *text = NULL;
  g_autoptr (GError) error = NULL;
  VgStaging *staging;

  g_assert_cmpint (g_mkdir_with_parents (block, 0777), ==, 0);
  g_assert_true (g_file_set_contents (f->old, "as it was", -1, NULL));
  staging = vg_staging_new (f->out, NULL);
  write_staged (staging, "old.txt");
  write_staged (staging, "b.txt");
  g_assert_false (vg_staging_commit (staging, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  vg_staging_free (staging);
  g_assert_true (g_file_get_contents (f->old, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  g_assert_cmpuint (count_entries (f->out), ==, 2);
}

static void
test_space (Fixture *f, gconstpointer data)
{
  g_autoptr (VgStaging) staging = vg_staging_new (f->out, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_staging_check_space (staging, 1, &error));
  g_assert_false (vg_staging_check_space (staging, G_MAXUINT64 / 2, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "another folder"));
}

static void
test_unwritable (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (vg_staging_new ("/proc/1/nothing", &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
}

/* What was read stays: by its own name, through a link to it; a link in the
 * folder is only replaced itself. */
static void
test_protected (Fixture *f, gconstpointer data)
{
  g_autoptr (VgStaging) staging = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *link = g_build_filename (f->folder, "link.txt", NULL), *inner = g_build_filename (f->out, "inner.txt", NULL);
  g_autofree char *path = NULL;

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (f->old, "kept", -1, NULL));
  g_assert_cmpint (symlink (f->old, link), ==, 0);
  g_assert_cmpint (symlink (f->old, inner), ==, 0);
  staging = vg_staging_new (f->out, NULL);
  vg_staging_protect (staging, link);
  g_assert_null (vg_staging_path (staging, "old.txt", &error));
  g_assert_error (error, VG_USAGE_ERROR, 0);
  g_assert_nonnull (strstr (error->message, link));
  path = vg_staging_path (staging, "inner.txt", NULL);
  g_assert_nonnull (path);
  g_clear_pointer (&path, g_free);
  path = vg_staging_path (staging, "new.txt", NULL);
  g_assert_nonnull (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/staging/commit", Fixture, NULL, set_up, test_commit, tear_down);
  g_test_add ("/staging/drop", Fixture, NULL, set_up, test_drop, tear_down);
  g_test_add ("/staging/blocked", Fixture, NULL, set_up, test_blocked, tear_down);
  g_test_add ("/staging/space", Fixture, NULL, set_up, test_space, tear_down);
  g_test_add ("/staging/unwritable", Fixture, NULL, set_up, test_unwritable, tear_down);
  g_test_add ("/staging/protected", Fixture, NULL, set_up, test_protected, tear_down);
  return g_test_run ();
}
