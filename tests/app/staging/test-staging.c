/* SPDX-License-Identifier: MIT */
/* Results appear together or not at all. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "app/staging/vg-manifest.h"
#include "app/staging/vg-staging.h"

typedef struct
{
  char *folder, *out, *old, *fresh;
} Fixture;

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

/* A result that is not wanted is not written, and an earlier file of the user's stays. */
static void
test_discard (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  VgStaging *staging;
  g_autofree char *text = NULL, *names = NULL;

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  g_assert_true (g_file_set_contents (f->old, "as it was", -1, NULL));
  staging = vg_staging_new (f->out, &error);
  g_assert_no_error (error);
  write_staged (staging, "old.txt");
  write_staged (staging, "new.txt");
  vg_staging_discard (staging, "old.txt");
  vg_staging_discard (staging, "none.txt");
  names = vg_staging_list_unlisted (staging);
  g_assert_null (names);
  g_assert_cmpuint (vg_staging_get_names (staging)->len, ==, 1);
  g_assert_true (vg_staging_commit (staging, &error));
  vg_staging_free (staging);
  g_assert_true (g_file_get_contents (f->old, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "as it was");
  g_assert_cmpuint (count_entries (f->out), ==, 2);
}

/* Files that no summary lists are named, the first five of them. */
static void
test_unlisted (Fixture *f, gconstpointer data)
{
  g_autofree char *none = NULL, *one = NULL, *seven = NULL;
  VgStaging *staging;

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  for (char name[] = "a"; *name < 'h'; (*name)++)
    {
      g_autofree char *path = g_build_filename (f->out, name, NULL);

      g_assert_true (g_file_set_contents (path, "mine", -1, NULL));
    }
  staging = vg_staging_new (f->out, NULL);
  write_staged (staging, "fresh.txt");
  none = vg_staging_list_unlisted (staging);
  g_assert_null (none);
  write_staged (staging, "a");
  write_staged (staging, "a");
  one = vg_staging_list_unlisted (staging);
  g_assert_cmpstr (one, ==, "a");
  for (char name[] = "b"; *name < 'h'; (*name)++)
    write_staged (staging, name);
  seven = vg_staging_list_unlisted (staging);
  g_assert_cmpstr (seven, ==, "a, b, c, d, e and 2 others");
  vg_staging_free (staging);
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
  g_autofree char *link = g_build_filename (f->folder, "link.txt", NULL),
                  *inner = g_build_filename (f->out, "inner.txt", NULL);
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

static void
check_text (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

/* An earlier run's results, with the summary that says they are ours. */
static void
write_ours (Fixture *f)
{
  static const char *const files[][2] = {
    { "old.txt", "as it was" },
    { "map.tif", "as it was" },
    { "input.tif", "as it was" },
    { "run-2/map.tif", "as it was" },
    { "summary.json", "{\"files\":{\"old.txt\":{},\"map.tif\":{},\"input.tif\":{}}}" },
    { "run-2/summary.json", "{\"files\":{\"map.tif\":{}}}" },
  };
  g_autofree char *run = g_build_filename (f->out, "run-2", NULL);

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0750), ==, 0);
  g_assert_cmpint (g_mkdir (run, 0750), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autofree char *path = g_build_filename (f->out, files[i][0], NULL);

      g_assert_true (g_file_set_contents (path, files[i][1], -1, NULL));
    }
}

static guint64
inode_of (const char *path)
{
  GStatBuf status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return status.st_ino;
}

/* A folder of nothing but results is another one afterwards, with the same rights; what its
 * summaries list and this run did not make is gone, but for an input.  Anything else in it stays,
 * and it is the same folder. */
static void
test_exchange (Fixture *f, gconstpointer strange)
{
  g_autofree char *other = g_build_filename (f->out, "diary.txt", NULL),
                  *map = g_build_filename (f->out, "map.tif", NULL);
  g_autofree char *input = g_build_filename (f->out, "input.tif", NULL),
                  *run = g_build_filename (f->out, "run-2", NULL);
  g_autoptr (GError) error = NULL;
  VgStaging *staging;
  GStatBuf status;
  guint64 before;

  write_ours (f);
  if (strange != NULL)
    g_assert_true (g_file_set_contents (other, "mine", -1, NULL));
  before = inode_of (f->out);
  staging = vg_staging_new (f->out, &error);
  g_assert_no_error (error);
  vg_staging_protect (staging, input);
  write_staged (staging, "old.txt");
  write_staged (staging, "run-1/fresh.txt");
  g_assert_true (vg_staging_commit (staging, &error));
  g_assert_no_error (error);
  vg_staging_free (staging);
  if (strange != NULL)
    g_assert_cmpuint (inode_of (f->out), ==, before);
  else if (inode_of (f->out) == before)
    g_test_message ("this file system does not exchange folders");
  check_text (f->old, "old.txt");
  check_text (f->fresh, "run-1/fresh.txt");
  check_text (input, "as it was");
  g_assert_false (g_file_test (map, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (run, G_FILE_TEST_EXISTS));
  if (strange != NULL)
    check_text (other, "mine");
  g_assert_cmpint (g_stat (f->out, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 07777, ==, 0750);
  g_assert_cmpuint (count_entries (f->out), ==, strange != NULL ? 4 : 3);
  g_assert_cmpuint (count_entries (f->folder), ==, 1);
}

/* A summary from anybody names no files elsewhere, which would be taken for earlier results. */
static void
test_outside (Fixture *f, gconstpointer data)
{
  g_autofree char *summary = g_build_filename (f->out, "summary.json", NULL),
                  *other = g_build_filename (f->out, "diary.txt", NULL),
                  *beside = g_build_filename (f->folder, "a", "beside.txt", NULL),
                  *inside = g_build_filename (f->out, "kept", "inside.txt", NULL),
                  *kept = g_path_get_dirname (inside);
  g_autoptr (GError) error = NULL;
  VgStaging *staging;

  g_assert_cmpint (g_mkdir_with_parents (kept, 0777), ==, 0);
  g_assert_true (g_file_set_contents (other, "mine", -1, NULL));
  g_assert_true (g_file_set_contents (beside, "mine", -1, NULL));
  g_assert_true (g_file_set_contents (inside, "mine", -1, NULL));
  g_assert_true (g_file_set_contents (
      summary, "{\"files\": {\"../beside.txt\": {}, \"kept/inside.txt\": {}}}", -1, NULL));
  staging = vg_staging_new (f->out, &error);
  g_assert_no_error (error);
  write_staged (staging, "old.txt");
  g_assert_true (vg_staging_commit (staging, &error));
  g_assert_no_error (error);
  vg_staging_free (staging);
  check_text (f->old, "old.txt");
  check_text (beside, "mine");
  check_text (inside, "mine");
  g_assert_false (g_file_test (summary, G_FILE_TEST_EXISTS));
}

/* A file that is no summary is refused, even if reading it would take much of the stack. */
static void
test_damaged (Fixture *f, gconstpointer data)
{
  g_autofree char *summary = g_build_filename (f->out, "summary.json", NULL),
                  *brackets = g_strnfill (1000000, '['),
                  *deep = g_strconcat ("{\"files\": ", brackets, NULL);
  const char *const texts[] = { "", "[]", "{\"files\": {\"a\": {\"bytes\": 1, \"crc32\": {}}}}",
                                deep };

  g_assert_cmpint (g_mkdir_with_parents (f->out, 0777), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (summary, texts[i], -1, NULL));
      g_assert_false (vg_manifest_check (f->out, &text, &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
    }
}

/* One process at a time. */
static void
test_lock (Fixture *f, gconstpointer data)
{
  VgStaging *first = vg_staging_new (f->out, NULL), *second;
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (first);
  g_assert_null (vg_staging_new (f->out, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE);
  g_assert_nonnull (strstr (error->message, "another run"));
  write_staged (first, "old.txt");
  g_assert_true (vg_staging_commit (first, NULL));
  vg_staging_free (first);
  check_text (f->old, "old.txt");
  second = vg_staging_new (f->out, NULL);
  g_assert_nonnull (second);
  vg_staging_free (second);
}

/* What a killed run left goes with the next one, also of earlier versions; what is at work is left
 * alone. */
static void
test_sweep (Fixture *f, gconstpointer data)
{
  g_autofree char *dead = g_build_filename (f->out, ".vivograph-aaaaaa", NULL),
                  *alive = g_build_filename (f->out, ".vivograph-bbbbbb", NULL);
  g_autofree char *beside = g_strconcat (f->folder, "/a/.out.vivograph-cccccc", NULL),
                  *file = g_build_filename (dead, "new", "map.tif", NULL);
  g_autofree char *not_ours = g_build_filename (f->out, ".vivograph-notes", NULL),
                  *parent = g_path_get_dirname (file);
  int lock;

  write_ours (f);
  g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "half", -1, NULL));
  g_assert_cmpint (g_mkdir (alive, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (beside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (not_ours, "text", -1, NULL));
  lock = open (alive, O_RDONLY | O_DIRECTORY);
  g_assert_cmpint (flock (lock, LOCK_EX | LOCK_NB), ==, 0);
  vg_staging_free (vg_staging_new (f->out, NULL));
  g_assert_false (g_file_test (dead, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (beside, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (alive, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (not_ours, G_FILE_TEST_EXISTS));
  check_text (f->old, "as it was");
  close (lock);
}

/* A run was killed while it moved its results in one by one: the next one puts back what was there,
 * and takes away what was not; a list that leads elsewhere moves nothing. */
static void
test_put_back (Fixture *f, gconstpointer data)
{
  g_autofree char *hidden = g_build_filename (f->out, ".vivograph-aaaaaa", NULL),
                  *aside = g_build_filename (hidden, "old", NULL);
  g_autofree char *aside_old = g_build_filename (aside, "old.txt", NULL),
                  *list = g_build_filename (hidden, "names", NULL);
  g_autofree char *came = g_build_filename (f->out, "came.tif", NULL),
                  *outside = g_build_filename (f->folder, "outside.txt", NULL);
  static const char names[] = "old.txt\0came.tif\0../../outside.txt";

  write_ours (f);
  g_assert_cmpint (g_mkdir_with_parents (aside, 0700), ==, 0);
  g_assert_cmpint (g_rename (f->old, aside_old), ==, 0);
  g_assert_true (g_file_set_contents (f->old, "new", -1, NULL));
  g_assert_true (g_file_set_contents (came, "new", -1, NULL));
  g_assert_true (g_file_set_contents (outside, "mine", -1, NULL));
  g_assert_true (g_file_set_contents (list, names, sizeof names, NULL));
  vg_staging_free (vg_staging_new (f->out, NULL));
  check_text (f->old, "as it was");
  check_text (outside, "mine");
  g_assert_false (g_file_test (came, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (hidden, G_FILE_TEST_EXISTS));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/staging/commit", Fixture, NULL, set_up, test_commit, tear_down);
  g_test_add ("/staging/drop", Fixture, NULL, set_up, test_drop, tear_down);
  g_test_add ("/staging/discard", Fixture, NULL, set_up, test_discard, tear_down);
  g_test_add ("/staging/unlisted", Fixture, NULL, set_up, test_unlisted, tear_down);
  g_test_add ("/staging/blocked", Fixture, NULL, set_up, test_blocked, tear_down);
  g_test_add ("/staging/space", Fixture, NULL, set_up, test_space, tear_down);
  g_test_add ("/staging/unwritable", Fixture, NULL, set_up, test_unwritable, tear_down);
  g_test_add ("/staging/protected", Fixture, NULL, set_up, test_protected, tear_down);
  g_test_add ("/staging/exchange", Fixture, NULL, set_up, test_exchange, tear_down);
  g_test_add ("/staging/exchange/strange", Fixture, "strange", set_up, test_exchange, tear_down);
  g_test_add ("/staging/outside", Fixture, NULL, set_up, test_outside, tear_down);
  g_test_add ("/staging/damaged", Fixture, NULL, set_up, test_damaged, tear_down);
  g_test_add ("/staging/lock", Fixture, NULL, set_up, test_lock, tear_down);
  g_test_add ("/staging/sweep", Fixture, NULL, set_up, test_sweep, tear_down);
  g_test_add ("/staging/put-back", Fixture, NULL, set_up, test_put_back, tear_down);
  return g_test_run ();
}
