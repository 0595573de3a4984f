/* SPDX-License-Identifier: MIT */
/* Reads the list of files in a summary.json, and checks the files against it. */
#include "app/staging/vg-manifest.h"
#include <fcntl.h>
#include <gio/gio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include "io/source/vg-json.h"
#include "io/write/vg-output-file.h"

enum { MOST_SUMMARY_BYTES = 64 << 20, MOST_RUNS = 100000 };

/* The number in the name of the folder "run-N" or "run-N/"; 0: PREFIX is no such name. */
static guint
run_of (const char *prefix)
{
  return g_str_has_prefix (prefix, "run-")
             ? (guint) MIN (g_ascii_strtoull (prefix + strlen ("run-"), NULL, 10), G_MAXUINT)
             : 0;
}

static int
compare_runs (gconstpointer a, gconstpointer b)
{
  const char *one = *(const char *const *) a, *other = *(const char *const *) b;

  if (run_of (one) != run_of (other))
    return run_of (one) < run_of (other) ? -1 : 1;
  return strcmp (one, other);
}

/* The folders with a summary.json in the order of their runs: "", "run-1/", "run-2/" and so on. */
static GPtrArray *
find_summaries (const char *folder)
{
  GPtrArray *prefixes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autofree char *own = g_build_filename (folder, "summary.json", NULL);
  const char *name;

  if (g_file_test (own, G_FILE_TEST_EXISTS))
    g_ptr_array_add (prefixes, g_strdup (""));
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL && prefixes->len < MOST_RUNS)
    {
      g_autofree char *path = g_build_filename (folder, name, "summary.json", NULL);

      if (g_str_has_prefix (name, "run-") && g_file_test (path, G_FILE_TEST_EXISTS))
        g_ptr_array_add (prefixes, g_strconcat (name, "/", NULL));
    }
  g_ptr_array_sort (prefixes, compare_runs);
  return prefixes;
}

static void
run_summary_free (gpointer data)
{
  VgRunSummary *self = data;

  json_object_unref (self->summary);
  g_free (self);
}

GPtrArray *
vg_manifest_load (const char *folder)
{
  GPtrArray *summaries = g_ptr_array_new_with_free_func (run_summary_free);
  g_autoptr (GPtrArray) prefixes = find_summaries (folder);

  for (guint i = 0; i < prefixes->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, prefixes->pdata[i], "summary.json", NULL);
      g_autoptr (JsonNode) root = vg_json_load (path, MOST_SUMMARY_BYTES);

      VgRunSummary *run;

      if (root == NULL)
        continue;
      run = g_new (VgRunSummary, 1);
      run->run = run_of (prefixes->pdata[i]);
      run->summary = json_node_dup_object (root);
      g_ptr_array_add (summaries, run);
    }
  return summaries;
}

/* Whether NAME has no folder: the summaries that the program writes list no other names. */
static gboolean
is_name (const char *name)
{
  return *name != '\0' && strchr (name, '/') == NULL && !g_str_equal (name, "..") &&
         !g_str_equal (name, ".");
}

GHashTable *
vg_manifest_names (const char *folder)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) prefixes = find_summaries (folder);

  for (guint i = 0; i < prefixes->len; i++)
    {
      g_autofree char *path = g_build_filename (folder, prefixes->pdata[i], "summary.json", NULL);
      g_autoptr (JsonNode) root = vg_json_load (path, MOST_SUMMARY_BYTES);
      JsonObject *files = root != NULL ? vg_json_get_object (json_node_get_object (root), "files")
                                       : NULL;
      g_autoptr (GList) members = files != NULL ? json_object_get_members (files) : NULL;

      if (files == NULL)
        continue;
      g_hash_table_add (names, g_strconcat (prefixes->pdata[i], "summary.json", NULL));
      for (GList *l = members; l != NULL; l = l->next)
        if (is_name (l->data))
          g_hash_table_add (names, g_strconcat (prefixes->pdata[i], l->data, NULL));
    }
  return names;
}

/* NULL: the file agrees with the summary; else the difference. */
static const char *
compare (const char *path, JsonObject *told)
{
  gint64 size = json_object_get_int_member_with_default (told, "bytes", -1);
  const char *sum = vg_json_get_text (told, "crc32");
  g_autofree char *found = NULL;
  guint64 bytes;
  guint32 checksum;
  struct stat status;

  if (size < 0 || sum == NULL)
    return "is listed without its size and checksum";
  if (stat (path, &status) != 0)
    return "is missing";
  if (!S_ISREG (status.st_mode) || status.st_size != size)
    return "differs in size";
  if (!vg_file_checksum (path, &bytes, &checksum, NULL))
    return "cannot be read";
  found = g_strdup_printf ("%08x", checksum);
  return g_str_equal (found, sum) ? NULL : "differs in content";
}

static gboolean
check_summary (const char *folder, const char *prefix, GString *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, prefix, "summary.json", NULL);
  g_autoptr (JsonNode) root = vg_json_load (path, MOST_SUMMARY_BYTES);
  JsonObject *summary = root != NULL ? json_node_get_object (root) : NULL,
             *files = summary != NULL ? vg_json_get_object (summary, "files") : NULL;
  g_autoptr (GList) members = files != NULL ? json_object_get_members (files) : NULL;
  guint n = g_list_length (members);

  if (summary == NULL)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" is not a summary of results; compute the results again", path);
      return FALSE;
    }
  if (files == NULL)
    {
      g_string_append_printf (
          text, "%ssummary.json: written by an earlier version, so it lists no files to check\n",
          prefix);
      return TRUE;
    }
  for (GList *l = members; l != NULL; l = l->next)
    {
      g_autofree char *file = g_build_filename (folder, prefix, l->data, NULL), *quoted = NULL;
      JsonObject *told = vg_json_get_object (files, l->data);
      const char *wrong = is_name (l->data) && told != NULL ? compare (file, told)
                                                            : "is not a file in this folder";

      if (wrong == NULL)
        continue;
      quoted = vg_text_quote (l->data);
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "%s %s, so it does not belong to the run that \"%s\" describes; compute the "
                   "results again",
                   quoted, wrong, path);
      return FALSE;
    }
  g_string_append_printf (text, "%ssummary.json: all %u files belong to this run%s\n", prefix, n,
                          json_object_get_boolean_member_with_default (summary, "complete", TRUE)
                              ? ""
                              : ", which covers only part of its input");
  return TRUE;
}

gboolean
vg_manifest_check (const char *folder, char **text, GError **error)
{
  g_autoptr (GPtrArray) prefixes = find_summaries (folder);
  g_autoptr (GString) lines = g_string_new (NULL);

  if (prefixes->len == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "\"%s\" is a folder without a summary.json; name a file, or a folder of results",
                   folder);
      return FALSE;
    }
  for (guint i = 0; i < prefixes->len; i++)
    if (!check_summary (folder, prefixes->pdata[i], lines, error))
      return FALSE;
  *text = g_strdup (lines->str);
  return TRUE;
}
