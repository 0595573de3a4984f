/* SPDX-License-Identifier: MIT */
/* The window's Export and `run` write the same files, bit for bit: every registered operation on
 * one moment of its own synthetic data, with regions.  Only the time it took may differ, and what
 * is told of how the data were made. */
#include <float.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <math.h>
#include "app/reading/vg-reading.h"
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "app/batch/vg-batch.h"
#include "app/staging/vg-manifest.h"

static VgSyntheticSize
size_for (const VgOperation *operation, const void *params)
{
  /* the window has its own size of a data set */
  VgSyntheticSize size = operation->input.kind == VG_INPUT_DATASET ? operation->synthetic->live
                                                                   : operation->synthetic->batch;

  size.frames = operation->input.kind == VG_INPUT_STREAM
                    ? vg_operation_get_history (operation, params) + 1
                    : size.frames;
  if (operation->input.kind == VG_INPUT_DATASET)
    return size;
  size.width = MIN (size.width, 64);
  size.height = MIN (size.height, 48);
  return size;
}

static VgSource *
open_synthetic (gpointer data, const VgOperation *operation, const void *params,
                const char *const *inputs, const char *read_options, GError **error)
{
  const VgSyntheticSize size = size_for (operation, params);

  return vg_source_open_synthetic (operation, params, &size, error);
}

static VgWork *
new_work (gpointer data, const VgOperation *operation, VgBackend backend, GError **error)
{
  return vg_work_new (operation, VG_BACKEND_CPU, 1, error);
}

static void
run_batch (const VgOperation *operation, const void *params, const VgNamedRegion *const *regions,
           const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = new_work (NULL, operation, VG_BACKEND_CPU, &error);
  const VgSyntheticSize size = size_for (operation, params);
  const VgBatchJob job = { .params = params,
                           .synthetic = &size,
                           .folder = folder,
                           .regions = regions,
                           .preview_output = (int) operation->view.first_output };

  g_assert_true (vg_batch_run (&job, work, &error));
  g_assert_no_error (error);
}

/* An export that may not REPLACE the files of others writes nothing over them. */
static void
export_over (VgPipeline *pipeline, const VgNamedRegion *const *regions, const char *folder,
             gboolean replace)
{
  g_autofree char *path = g_build_filename (folder, "summary.json", NULL), *text = NULL;
  const VgQuery query = {
    .kind = VG_QUERY_EXPORT, .folder = folder, .replace = replace, .regions = regions
  };
  g_autofree guint *n_maps = NULL;
  Answer answer;

  answer_begin (&answer, pipeline, &query, NULL);
  n_maps = answer_wait (&answer);
  if (replace)
    {
      g_assert_no_error (answer.error);
      g_assert_nonnull (n_maps);
    }
  else
    {
      g_assert_error (answer.error, G_IO_ERROR, G_IO_ERROR_EXISTS);
      g_assert_true (g_str_has_suffix (answer.error->message, ": summary.json"));
      g_clear_error (&answer.error);
    }
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (replace != g_str_equal (text, "mine"));
}

/* The one pixel that `run --rois` and the window's card both tell of. */
enum { PIXEL = 20 };

/* The cell of column NAME, which may have a unit, in the line of region "pixel"; NULL: there is no
 * such column. */
static const char *
find_cell (char **head, char **cells, const char *name)
{
  g_autofree char *with_unit = g_strconcat (name, " [", NULL);

  for (guint i = 0; head[i] != NULL && cells[i] != NULL; i++)
    if (g_str_equal (head[i], name) || g_str_has_prefix (head[i], with_unit))
      return cells[i];
  return NULL;
}

/* VALUE of a pixel, or of the sum if SUMMED, is in the column ID and ENDING; returns how many were
 * compared. */
static guint
check_cell (char **head, char **cells, const char *id, const char *ending, gboolean summed,
            double value)
{
  g_autofree char *name = g_strconcat (id, ending, summed ? " of the sum" : "", NULL),
                  *mean = g_strconcat (id, ending, " mean of pixels", NULL);
  const char *cell = find_cell (head, cells, name);

  if (cell == NULL && !summed)
    cell = find_cell (head, cells, mean);
  if (cell == NULL)
    return 0;
  if (isfinite (value))
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cell, NULL), value,
                                    1e-7 * fabs (value) + DBL_MIN);
  else
    g_assert_cmpstr (cell, ==, "");
  return 1;
}

static guint
check_reading (const VgReading *reading, char **head, char **cells, guint *errors)
{
  guint n = 0, found;

  for (guint i = 0; i < reading->items->len; i++)
    {
      const VgReadingItem *item = &g_array_index (reading->items, VgReadingItem, i);
      const char *word = item->word != NULL ? find_cell (head, cells, item->id) : NULL;
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", item->word);

      if (item->word != NULL)
        {
          g_assert_cmpstr (word, ==, quoted);
          n++;
          continue;
        }
      found = check_cell (head, cells, item->id, "", reading->summed, item->value);
      n += found;
      if (found > 0 && isfinite (item->error))
        {
          found = check_cell (head, cells, item->id, "_error", reading->summed, item->error);
          *errors += found;
          n += found;
        }
    }
  return n;
}

/* The card of a pixel and that of a region of one pixel tell what regions.csv in FOLDER has. */
static void
check_card (VgPipeline *pipeline, const VgOperation *operation, const VgRegion *region,
            const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "regions.csv", NULL), *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_auto (GStrv) head = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return;
  lines = g_strsplit (text, "\n", -1);
  head = g_strsplit (lines[0], ",", -1);
  for (int of_region = 0; of_region < 2; of_region++)
    {
      const VgQuery query = { .kind = VG_QUERY_READING,
                              .output = (int) operation->view.first_output,
                              .region = of_region ? region : NULL,
                              .x = PIXEL,
                              .y = PIXEL };
      VgReading *reading = answer_now (pipeline, &query);
      guint n = 0, errors = 0;

      g_assert_nonnull (reading);
      g_assert_cmpint (reading->region, ==, of_region);
      for (guint i = 1; lines[i] != NULL; i++)
        if (strstr (lines[i], ",\"pixel\",") != NULL)
          {
            g_auto (GStrv) cells = g_strsplit (lines[i], ",", -1);

            n = check_reading (reading, head, cells, &errors);
            if (reading->summed) /* the size of the region comes first in both */
              {
                const VgReadingItem *size = &g_array_index (reading->items, VgReadingItem, 0);

                g_assert_cmpstr (size->id, ==, head[3]);
                g_assert_cmpfloat (size->value, ==, g_ascii_strtod (cells[3], NULL));
              }
          }
      g_test_message ("%s: %u numbers, %u of them errors, of a %s are those of regions.csv",
                      operation->id, n, errors, of_region ? "region" : "pixel");
      /* a pixel of contour is a nucleus, which is no region */
      if (of_region || !g_str_equal (operation->id, "contour"))
        g_assert_cmpuint (n, >, 0);
      vg_reading_free (reading);
    }
}

static void
run_window (const VgOperation *operation, const void *params, const VgNamedRegion *const *regions,
            const char *folder)
{
  const VgPipelineHooks hooks = { open_synthetic, new_work, NULL };
  VgPipeline *pipeline = vg_pipeline_new (VG_BACKEND_CPU);
  g_autofree char *other = g_build_filename (folder, "summary.json", NULL);
  Watch watch;

  vg_pipeline_set_hooks (pipeline, &hooks);
  watch_start (&watch, pipeline);
  vg_pipeline_set_playback (pipeline, 0, FALSE);
  vg_pipeline_set_output (pipeline, (int) operation->view.first_output);
  vg_pipeline_open (pipeline, operation, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  g_assert_true (g_file_set_contents (other, "mine", -1, NULL));
  export_over (pipeline, regions, folder, FALSE);
  export_over (pipeline, regions, folder, TRUE);
  check_card (pipeline, operation, &regions[2]->region, folder);
  watch_end (&watch);
}

/* Without the truth, which only built-in data have. */
static GList *
list_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GList *names = NULL;
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (!g_str_has_prefix (name, "truth_"))
      names = g_list_insert_sorted (names, g_strdup (name),
                                    (GCompareFunc) (void (*) (void)) strcmp);
  return names;
}

/* The summary without what tells how long it took, and how the data were made. */
static char *
load_summary (const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "summary.json", NULL), *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (GList) members = NULL;
  JsonObject *summary, *files;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  root = json_from_string (text, NULL);
  summary = json_node_get_object (root);
  g_assert_true (json_object_has_member (summary, "seconds"));
  json_object_set_int_member (summary, "seconds", 0);
  json_object_remove_member (summary, "synthetic");
  json_object_remove_member (json_object_get_object_member (summary, "provenance"), "date");
  json_object_remove_member (json_object_get_object_member (summary, "provenance"), "command");
  json_object_remove_member (json_object_get_object_member (summary, "results"), "photons_per_ms");
  json_object_remove_member (json_object_get_object_member (summary, "results"), "error_seconds");
  json_object_remove_member (json_object_get_object_member (summary, "results"), "voxels_per_s");
  files = json_object_get_object_member (summary, "files");
  members = json_object_get_members (files);
  for (GList *l = members; l != NULL; l = l->next)
    if (g_str_has_prefix (l->data, "truth_"))
      json_object_remove_member (files, l->data);
    else if (g_str_has_suffix (l->data, ".mco"))
      json_object_remove_member (json_object_get_object_member (files, l->data), "crc32");
  return json_to_string (root, TRUE);
}

static void
compare_folders (const char *batch, const char *window)
{
  GList *a = list_files (batch), *b = list_files (window);

  for (GList *l = a, *m = b; l != NULL || m != NULL; l = l->next, m = m->next)
    {
      g_autofree char *x = NULL, *y = NULL, *from = NULL, *to = NULL;
      gsize n, k;

      g_assert_cmpstr (l != NULL ? l->data : "(none)", ==, m != NULL ? m->data : "(none)");
      from = g_build_filename (batch, l->data, NULL);
      to = g_build_filename (window, m->data, NULL);
      if (g_str_equal (l->data, "summary.json"))
        {
          x = load_summary (batch);
          y = load_summary (window);
          g_assert_cmpstr (x, ==, y);
          continue;
        }
      g_assert_true (g_file_get_contents (from, &x, &n, NULL) &&
                     g_file_get_contents (to, &y, &k, NULL));
      if (n != k || memcmp (x, y, n) != 0)
        g_error ("%s differs", (const char *) l->data);
    }
  g_list_free_full (a, g_free);
  g_list_free_full (b, g_free);
}

/* The summary names every file that was written, and nothing else. */
static void
check_manifest (const char *folder)
{
  g_autofree char *other = g_build_filename (folder, "diary.txt", NULL),
                  *empty = g_build_filename (folder, "empty", NULL);
  g_autoptr (GHashTable) names = NULL, none = vg_manifest_names (empty);
  GList *files = list_files (folder);

  g_assert_true (g_file_set_contents (other, "mine", -1, NULL));
  names = vg_manifest_names (folder);
  g_assert_cmpuint (g_hash_table_size (none), ==, 0);
  g_assert_cmpuint (g_hash_table_size (names), ==, g_list_length (files));
  for (GList *l = files; l != NULL; l = l->next)
    g_assert_true (g_hash_table_contains (names, l->data));
  g_list_free_full (files, g_free);
}

static void
test_same (gconstpointer data)
{
  const VgOperation *operation = data;
  g_autofree char *root = g_dir_make_tmp ("vg-export-XXXXXX", NULL),
                  *command = g_strdup_printf ("rm -rf '%s'", root);
  g_autofree char *batch = g_build_filename (root, "batch", NULL),
                  *window = g_build_filename (root, "window", NULL);
  g_autofree char *text = g_build_filename (window, "regions.csv", NULL);
  VgNamedRegion first = { .name = (char *) "vein" }, second = { .name = (char *) "=1+1" },
                third = { .name = (char *) "pixel" };
  const VgNamedRegion *const regions[] = { &first, &second, &third, NULL };
  g_autofree char *one = g_strdup_printf ("rect:%d,%d,1,1", PIXEL, PIXEL);
  void *params = vg_params_new (&operation->params);
  VgSyntheticSize size;
  VgParam *photons = NULL;

  g_assert_true (vg_region_parse (&first.region, "rect:3,4,12,9", NULL));
  g_assert_true (vg_region_parse (&second.region, "ellipse:20,20,7,5", NULL));
  g_assert_true (vg_region_parse (&third.region, one, NULL));
  size = size_for (operation, params);
  if (operation->synthetic->settings)
    operation->synthetic->settings (&size, params);
  photons = (VgParam *) vg_params_find (&operation->params, "photons");
  if (operation->input.kind == VG_INPUT_NONE && photons != NULL)
    vg_param_set_number (photons, params, 20000);
  run_batch (operation, params, regions, batch);
  run_window (operation, params, regions, window);
  compare_folders (batch, window);
  check_manifest (window);
  g_test_message ("%s: regions.csv %s", operation->id,
                  g_file_test (text, G_FILE_TEST_EXISTS) ? "written" : "not of this operation");
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  vg_params_free (&operation->params, params);
}

int
main (int argc, char **argv)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    if (operations[i]->synthetic)
      {
        g_autofree char *path = g_strconcat ("/window-export/", operations[i]->id, NULL);

        g_test_add_data_func (path, operations[i], test_same);
      }
  return g_test_run ();
}
