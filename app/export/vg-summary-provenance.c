/* SPDX-License-Identifier: MIT */
/* The member "provenance" of summary.json: with what, from what and when the results were computed.
 * The values of the settings are the member "parameters". */
#include "vg-config.h"
#include "app/provenance/vg-commit.h"
#include "app/provenance/vg-file-hash.h"
#include "app/provenance/vg-json.h"
#include "app/export/vg-export-private.h"
#include "io/dicom/vg-dicom-scan.h"
#include "io/live/vg-live.h"
#include <string.h>

/* More files of a folder are not listed. */
enum { MOST_FILES = 100000 };

/* The files so far, each once. */
typedef struct
{
  GPtrArray *paths;
  GHashTable *seen; /* their whole names */
} Files;

/* FALSE: PATH is there already. */
static gboolean
add_path (Files *self, const char *path)
{
  gboolean plain = g_str_equal (path, "-") || vg_live_is_address (path);

  if (!g_hash_table_add (self->seen,
                         plain ? g_strdup (path) : g_canonicalize_filename (path, NULL)))
    return FALSE;
  g_ptr_array_add (self->paths, g_strdup (path));
  return TRUE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Adds the files in FOLDER, and in its folders down to DEPTH; links to folders are not followed. */
static void
list_folder (Files *self, const char *folder, int depth)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) inside = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL && inside->len < MOST_FILES)
    g_ptr_array_add (inside, g_build_filename (folder, name, NULL));
  g_ptr_array_sort (inside, compare_paths);
  for (guint i = 0; i < inside->len && self->paths->len < MOST_FILES; i++)
    {
      const char *path = inside->pdata[i];

      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        add_path (self, path);
      else if (depth > 0 && g_file_test (path, G_FILE_TEST_IS_DIR) &&
               !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        list_folder (self, path, depth - 1);
    }
}

/* A file that is given, perhaps with read options behind '#'; of a folder the files in it; if
 * ALONE, also those of a DICOM image's series. */
static void
list_given (Files *self, const char *given, gboolean alone)
{
  g_autofree char *options = NULL, *path = vg_source_split_path (given, NULL, &options);
  g_autoptr (GPtrArray) series = NULL;

  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      list_folder (self, path, 12);
      return;
    }
  if (!add_path (self, path) || !alone)
    return;
  series = vg_dicom_list_files (path);
  for (guint i = 0; series != NULL && i < series->len && self->paths->len < MOST_FILES; i++)
    add_path (self, series->pdata[i]);
}

/* PATH as a summary has it. */
static char *
whole_name (const char *path)
{
  g_autofree char *whole = g_str_equal (path, "-") || vg_live_is_address (path)
                               ? g_strdup (path)
                               : g_canonicalize_filename (path, NULL);

  return g_utf8_make_valid (whole, -1);
}

GPtrArray *
vg_summary_list_inputs (const char *const *inputs)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Files self = { g_ptr_array_new_with_free_func (g_free), seen };

  for (guint i = 0; inputs[i] != NULL; i++)
    list_given (&self, inputs[i], inputs[1] == NULL);
  for (guint i = 0; i < self.paths->len; i++)
    {
      char *path = self.paths->pdata[i];

      self.paths->pdata[i] = whole_name (path);
      g_free (path);
    }
  return self.paths;
}

static gboolean
is_found (const VgExportInfo *info, const VgParam *param)
{
  for (guint i = 0; info->found != NULL && i < info->found->len; i++)
    if (strcmp (info->found->pdata[i], param->id) == 0)
      return TRUE;
  return FALSE;
}

/* The files among the values of PARAMS; the text of a region names none.  A mask that was found is
 * a result. */
static void
list_param_files (Files *self, const VgOperation *operation, const void *params,
                  const VgExportInfo *info)
{
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *text = NULL;
      g_auto (GStrv) names = NULL;

      if (param->kind != VG_PARAM_FILE || is_found (info, param))
        continue;
      text = vg_param_format (param, params);
      names = vg_param_split_files (param, text);
      for (guint k = 0; names[k] != NULL; k++)
        {
          g_autofree char *options = NULL, *path = vg_source_split_path (names[k], NULL, &options);

          if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
            list_given (self, path, TRUE);
        }
    }
}

/* All files that the results depend on. */
static GPtrArray *
list_files (const VgOperation *operation, const void *params, const VgExportInfo *info)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Files self = { g_ptr_array_new_with_free_func (g_free), seen };
  const char *const *given[] = { info->inputs, info->settings_files };

  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    for (guint k = 0; given[i] != NULL && given[i][k] != NULL; k++)
      list_given (&self, given[i][k], given[i][1] == NULL);
  list_param_files (&self, operation, params, info);
  return self.paths;
}

/* A live source has no hash: null. */
static gboolean
add_file (JsonBuilder *builder, const char *path, GCancellable *cancellable, GError **error)
{
  g_autofree char *valid = whole_name (path), *hash = NULL;
  GError *local = NULL;
  guint64 bytes = 0;

  if (!g_str_equal (path, "-") && !vg_live_is_address (path))
    hash = vg_file_hash (path, cancellable, &bytes, &local);
  if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_error_free (local);
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                           "The export was cancelled. The folder is unchanged.");
      return FALSE;
    }
  g_clear_error (&local); /* it was read before: that it is gone now harms no result */
  json_builder_begin_object (builder);
  vg_json_add_string (builder, "file", valid);
  vg_json_add_integer (builder, "bytes", (gint64) bytes);
  json_builder_set_member_name (builder, "sha256");
  if (hash != NULL)
    json_builder_add_string_value (builder, hash);
  else
    json_builder_add_null_value (builder);
  json_builder_end_object (builder);
  return TRUE;
}

gboolean
vg_summary_add_provenance (JsonBuilder *builder, VgWork *work, const VgExportInfo *info,
                           GError **error)
{
  g_autoptr (GPtrArray)
      paths = list_files (vg_work_get_operation (work), vg_work_get_params (work), info);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *date = g_date_time_format_iso8601 (now),
                  *command = info->command != NULL ? g_utf8_make_valid (info->command, -1) : NULL;

  vg_json_begin_object (builder, "provenance");
  vg_json_add_string (builder, "program", "Vivograph");
  vg_json_add_string (builder, "version", VG_VERSION);
  if (*vg_commit_get () != '\0')
    vg_json_add_string (builder, "commit", vg_commit_get ());
  vg_json_add_string (builder, "device", vg_work_get_device (work));
  vg_json_add_string (builder, "date", date);
  vg_json_add_string (builder, "command", command);
  vg_json_add_string (builder, "read_options", info->read_options);
  /* of DICOM data it names the patient */
  vg_json_add_string (builder, "source",
                      info->options != NULL && info->options->dicom_anonymous ? NULL
                                                                              : info->details);
  vg_json_begin_array (builder, "inputs");
  for (guint i = 0; i < paths->len; i++)
    if (!add_file (builder, paths->pdata[i], info->cancellable, error))
      return FALSE;
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return TRUE;
}
