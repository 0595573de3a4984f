/* SPDX-License-Identifier: MIT */
#include "app/batch/vg-study-results.h"
#include "app/batch/vg-study-tables.h"
#include <glib/gstdio.h>
#include <string.h>
#include "app/export/vg-export.h"
#include "app/provenance/vg-file-hash.h"
#include "app/staging/vg-manifest.h"
#include "app/staging/vg-staging.h"
#include "io/live/vg-live.h"
#include "io/source/vg-json.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-text.h"
#include "vg-config.h"

static char *
failure_path (const VgStudyRow *row, const char *folder)
{
  return g_build_filename (folder, row->name, "failed.txt", NULL);
}

/* The summaries that this version wrote for ROW with its present settings. */
static GPtrArray *
load_summaries (const VgStudyRow *row, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, row->name, NULL),
                  *command = g_utf8_make_valid (row->command, -1);
  GPtrArray *summaries = vg_manifest_load (path);

  for (guint i = summaries->len; i-- > 0;)
    {
      const VgRunSummary *run = summaries->pdata[i];
      JsonObject *provenance = vg_json_get_object (run->summary, "provenance");

      if (provenance == NULL ||
          g_strcmp0 (json_object_get_string_member_with_default (provenance, "command", NULL),
                     command) != 0 ||
          g_strcmp0 (json_object_get_string_member_with_default (provenance, "version", NULL),
                     VG_VERSION) != 0)
        g_ptr_array_remove_index (summaries, i);
    }
  return summaries;
}

static VgStudyState
find_state (const VgStudyRow *row, const char *folder, GPtrArray *summaries)
{
  g_autofree char *failure = failure_path (row, folder);

  if (summaries->len == 0)
    return g_file_test (failure, G_FILE_TEST_EXISTS) ? VG_STUDY_FAILED : VG_STUDY_NOT_RUN;
  for (guint i = 0; i < summaries->len; i++)
    {
      const VgRunSummary *run = summaries->pdata[i];

      if (!json_object_get_boolean_member_with_default (run->summary, "complete", FALSE))
        return VG_STUDY_INCOMPLETE;
    }
  return g_file_test (failure, G_FILE_TEST_EXISTS) ? VG_STUDY_FAILED : VG_STUDY_DONE;
}

static gboolean
is_before (const struct timespec *time, const struct timespec *other)
{
  return time->tv_sec < other->tv_sec ||
         (time->tv_sec == other->tv_sec && time->tv_nsec <= other->tv_nsec);
}

/* Whether the file that INPUT describes is as it was when SUMMARY was written.  Its own date may be
 * that of the file it was copied from; one that has changed in any way since is read. */
static gboolean
is_same_input (JsonObject *input, const GStatBuf *summary)
{
  g_autofree char *hash = NULL;
  const char *file = json_object_get_string_member_with_default (input, "file", "");
  guint64 bytes;
  GStatBuf status;

  if (vg_live_is_address (file) || g_stat (file, &status) != 0 ||
      status.st_size != json_object_get_int_member_with_default (input, "bytes", -1))
    return FALSE;
  if (is_before (&status.st_mtim, &summary->st_mtim) &&
      is_before (&status.st_ctim, &summary->st_mtim))
    return TRUE;
  hash = vg_file_hash (file, NULL, &bytes, NULL);
  return hash != NULL &&
         g_strcmp0 (hash, json_object_get_string_member_with_default (input, "sha256", NULL)) == 0;
}

/* The files that ROW reads now, if one of its inputs is a folder or an image of a series: what was
 * added to them since does not change the files that were read. */
static GPtrArray *
list_inputs (const VgStudyRow *row, const char *folder)
{
  GPtrArray *paths = vg_summary_list_inputs ((const char *const *) row->inputs);
  g_autofree char *own = g_canonicalize_filename (folder, NULL),
                  *results = g_strconcat (own, G_DIR_SEPARATOR_S, NULL);

  for (guint i = paths->len; i-- > 0;)
    if (g_str_has_prefix (paths->pdata[i], results))
      g_ptr_array_remove_index (paths, i);
  return paths;
}

/* Whether SUMMARY is of all files in PATHS, and its files have not changed since it was WRITTEN. */
static gboolean
has_same_inputs (JsonObject *summary, GPtrArray *paths, const GStatBuf *written)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  JsonNode *node = json_object_get_member (vg_json_get_object (summary, "provenance"), "inputs");
  JsonArray *inputs = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node)
                                                                   : NULL;
  gboolean same = inputs != NULL;

  for (guint i = 0; same && i < json_array_get_length (inputs); i++)
    {
      JsonNode *input = json_array_get_element (inputs, i);

      same = JSON_NODE_HOLDS_OBJECT (input) &&
             is_same_input (json_node_get_object (input), written);
      if (same)
        g_hash_table_add (
            names, (gpointer) json_object_get_string_member (json_node_get_object (input), "file"));
    }
  for (guint i = 0; same && i < paths->len; i++)
    same = g_hash_table_contains (names, paths->pdata[i]);
  return same;
}

/* When the first summary in FOLDER was written. */
static gboolean
find_date (const char *folder, GStatBuf *status)
{
  g_autofree char *own = g_build_filename (folder, "summary.json", NULL),
                  *first = g_build_filename (folder, "run-1", "summary.json", NULL);

  return g_stat (own, status) == 0 || g_stat (first, status) == 0;
}

gboolean
vg_study_is_current (const VgStudyRow *row, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, row->name, NULL), *text = NULL;
  g_autoptr (VgStaging) swept = NULL;
  g_autoptr (GPtrArray) summaries = NULL, paths = NULL;
  GStatBuf written;

  if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    return FALSE;
  swept = vg_staging_new (path, NULL); /* completes or removes what a killed process left */
  if (swept == NULL)
    return FALSE;
  summaries = load_summaries (row, folder);
  if (find_state (row, folder, summaries) != VG_STUDY_DONE || !find_date (path, &written))
    return FALSE;
  paths = list_inputs (row, folder);
  for (guint i = 0; i < summaries->len; i++)
    if (!has_same_inputs (((const VgRunSummary *) summaries->pdata[i])->summary, paths, &written))
      return FALSE;
  return vg_manifest_check (path, &text, NULL);
}

gboolean
vg_study_has_results (const VgStudyRow *row, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, row->name, NULL),
                  *failure = failure_path (row, folder);
  GStatBuf status;

  return find_date (path, &status) || g_file_test (failure, G_FILE_TEST_EXISTS);
}

void
vg_study_begin_row (const VgStudyRow *row, const char *folder)
{
  g_autofree char *path = failure_path (row, folder);

  g_unlink (path);
}

gboolean
vg_study_record_failure (const VgStudyRow *row, const char *folder, const char *why, GError **error)
{
  g_autofree char *path = failure_path (row, folder), *line = g_strconcat (why, "\n", NULL),
                  *parent = g_path_get_dirname (path);

  g_mkdir_with_parents (parent, 0777);
  return vg_write_bytes (path, line, strlen (line), error);
}

/* The table of results while it is made. */
typedef struct
{
  GPtrArray *names;         /* of the columns with numbers */
  GHashTable *places;       /* name -> its place in `names` */
  GPtrArray *lines;         /* of Line */
  GString *regions, *notes; /* the long tables */
} Table;

typedef struct
{
  const VgStudyRow *row;
  guint run; /* of a settings file with several, from 1; 0: the only one */
  VgStudyState state;
  char *message;
  guint notes;
  GPtrArray *values; /* text or NULL at the place of its column */
} Line;

static void
line_free (gpointer data)
{
  Line *self = data;

  g_free (self->message);
  g_ptr_array_unref (self->values);
  g_free (self);
}

static void
set_value (Table *self, Line *line, const char *name, JsonNode *value)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gpointer place;

  if (value == NULL || !JSON_NODE_HOLDS_VALUE (value))
    return;
  if (!g_hash_table_lookup_extended (self->places, name, NULL, &place))
    {
      place = GUINT_TO_POINTER (self->names->len);
      g_ptr_array_add (self->names, g_strdup (name));
      g_hash_table_insert (self->places, g_strdup (name), place);
    }
  if (GPOINTER_TO_UINT (place) >= line->values->len)
    g_ptr_array_set_size (line->values, (int) GPOINTER_TO_UINT (place) + 1);
  vg_text_append_number (text, json_node_get_double (value));
  g_free (line->values->pdata[GPOINTER_TO_UINT (place)]);
  line->values->pdata[GPOINTER_TO_UINT (place)] = g_string_free (g_steal_pointer (&text), FALSE);
}

/* The means and medians of the maps, and the metrics. */
static void
set_values (Table *self, Line *line, JsonObject *summary)
{
  static const char *const statistics[] = { "mean", "median" };
  JsonObject *maps = vg_json_get_object (summary, "outputs"),
             *metrics = vg_json_get_object (summary, "results");
  g_autoptr (GList) outputs = maps != NULL ? json_object_get_members (maps) : NULL,
                    ids = metrics != NULL ? json_object_get_members (metrics) : NULL;
  JsonNode *notes = json_object_get_member (summary, "notes");

  for (GList *l = outputs; l != NULL; l = l->next)
    for (guint i = 0; i < G_N_ELEMENTS (statistics); i++)
      {
        JsonObject *map = vg_json_get_object (maps, l->data);
        g_autofree char *name = g_strdup_printf ("%s_%s", (char *) l->data, statistics[i]);

        set_value (self, line, name,
                   map != NULL ? json_object_get_member (map, statistics[i]) : NULL);
      }
  for (GList *l = ids; l != NULL; l = l->next)
    set_value (self, line, l->data, json_object_get_member (metrics, l->data));
  if (notes != NULL && JSON_NODE_HOLDS_ARRAY (notes))
    line->notes = json_array_get_length (json_node_get_array (notes));
}

/* A line for each run of ROW, at least one. */
static VgStudyState
add_row (Table *self, const VgStudyRow *row, const char *folder)
{
  g_autoptr (GPtrArray) summaries = load_summaries (row, folder);
  g_autofree char *failure = failure_path (row, folder), *why = NULL;
  VgStudyState state = find_state (row, folder, summaries);
  guint i = 0;

  if (g_file_get_contents (failure, &why, NULL, NULL))
    g_strdelimit (g_strchomp (why), "\r\n", ' ');
  do
    {
      const VgRunSummary *run = i < summaries->len ? summaries->pdata[i] : NULL;
      Line *line = g_new0 (Line, 1);

      line->row = row;
      line->run = run != NULL ? run->run : 0;
      line->state = state;
      line->message = g_strdup (why);
      line->values = g_ptr_array_new_with_free_func (g_free);
      if (run != NULL)
        {
          set_values (self, line, run->summary);
          vg_study_regions_add (self->regions, row->name, run->run, run->summary);
          vg_study_notes_add (self->notes, row->name, run->run, run->summary);
        }
      g_ptr_array_add (self->lines, line);
    }
  while (++i < summaries->len);
  return state;
}

/* Whether a column of the study stands before the others. */
static gboolean
is_in_front (const char *column)
{
  static const char *const names[] = { "name", "operation", "run", NULL };

  return g_strv_contains (names, column);
}

/* The run that LINE is of: the only one that its row asks for, or one of all. */
static void
append_run (GString *text, const VgStudy *study, const Line *line)
{
  for (guint i = 0; line->run == 0 && study->columns[i] != NULL; i++)
    if (g_str_equal (study->columns[i], "run") && *line->row->cells[i] != '\0')
      vg_text_append_cell (text, line->row->cells[i]);
  if (line->run > 0)
    g_string_append_printf (text, "%u", line->run);
}

static void
append_line (GString *text, const Table *self, const VgStudy *study, const Line *line)
{
  static const char *const states[] = { "not run", "done", "incomplete", "failed" };

  g_string_append_printf (text, "%u,", line->row->number);
  vg_text_append_cell (text, line->row->name);
  g_string_append_c (text, ',');
  append_run (text, study, line);
  g_string_append_printf (text, ",%s,%s,", line->row->operation->id, states[line->state]);
  if (line->message != NULL)
    vg_text_append_cell (text, line->message);
  g_string_append_printf (text, ",%u", line->notes);
  for (guint i = 0; study->columns[i] != NULL; i++)
    {
      if (is_in_front (study->columns[i]))
        continue;
      g_string_append_c (text, ',');
      if (*line->row->cells[i] != '\0')
        vg_text_append_cell (text, line->row->cells[i]);
    }
  for (guint i = 0; i < self->names->len; i++)
    g_string_append_printf (text, ",%s",
                            i < line->values->len && line->values->pdata[i] != NULL
                                ? (const char *) line->values->pdata[i]
                                : "");
  g_string_append_c (text, '\n');
}

static char *
make_text (const Table *self, const VgStudy *study)
{
  GString *text = g_string_new ("row,name,run,operation,status,message,notes");

  for (guint i = 0; study->columns[i] != NULL; i++)
    if (!is_in_front (study->columns[i]))
      {
        g_string_append_c (text, ',');
        vg_text_append_cell (text, study->columns[i]);
      }
  for (guint i = 0; i < self->names->len; i++)
    g_string_append_printf (text, ",%s", (const char *) self->names->pdata[i]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < self->lines->len; i++)
    append_line (text, self, study, self->lines->pdata[i]);
  return g_string_free (text, FALSE);
}

static gboolean
write_table (const char *folder, const char *name, const char *text, GError **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return vg_write_bytes (path, text, strlen (text), error);
}

gboolean
vg_study_write_table (const VgStudy *self, const char *folder, guint counts[VG_STUDY_STATES],
                      GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (line_free);
  g_autoptr (GString) regions = vg_study_regions_new (), notes = vg_study_notes_new ();
  g_autofree char *text = NULL;
  Table table = { names, places, lines, regions, notes };

  memset (counts, 0, VG_STUDY_STATES * sizeof *counts);
  for (guint i = 0; i < self->rows->len; i++)
    counts[add_row (&table, self->rows->pdata[i], folder)]++;
  text = make_text (&table, self);
  return write_table (folder, "regions.csv", regions->str, error) &&
         write_table (folder, "notes.csv", notes->str, error) &&
         write_table (folder, "results.csv", text, error);
}
