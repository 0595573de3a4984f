/* SPDX-License-Identifier: MIT */
/* The window and `run` give the same bits: every registered operation on its
 * own synthetic data, once through the batch loop, once through the pipeline
 * and its export. */
#include <glib/gstdio.h>
#include <string.h>
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "tests/support/sanitized.h"
#include "app/batch/vg-batch.h"

/* A few maps: the first ones, and some that a history has gone by for. */
static VgSyntheticSize
size_for (const VgOperation *operation, const void *params)
{
  int history = vg_operation_get_history (operation, params);

  return (VgSyntheticSize){ .width = 48, .height = 40, .frames = history + 5, .seed = 5 };
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
run_batch (const VgOperation *operation, const void *params, const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = vg_work_new (operation, VG_BACKEND_CPU, 1, &error);
  const VgSyntheticSize size = size_for (operation, params);
  const VgBatchJob job = { .params = params, .synthetic = &size, .folder = folder };

  g_assert_no_error (error);
  g_assert_true (vg_batch_run (&job, work, &error));
  g_assert_no_error (error);
}

static void
run_window (const VgOperation *operation, const void *params, const char *folder)
{
  const VgPipelineHooks hooks = { open_synthetic, new_work, NULL };
  VgPipeline *pipeline = vg_pipeline_new (VG_BACKEND_CPU);
  g_autofree guint *n_maps = NULL;
  Watch watch;

  vg_pipeline_set_hooks (pipeline, &hooks);
  watch_start (&watch, pipeline);
  vg_pipeline_set_playback (pipeline, 0, FALSE);
  vg_pipeline_open (pipeline, operation, params, NULL, NULL);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  n_maps = answer_now (pipeline, &(VgQuery){ .kind = VG_QUERY_EXPORT, .folder = folder });
  g_assert_nonnull (n_maps);
  watch_end (&watch);
}

static float *
last_page (const char *folder, const char *name, gsize *bytes)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  float *page;

  g_assert_no_error (error);
  *bytes = vg_image_info_frame_bytes (&source->info);
  page = g_malloc (*bytes);
  g_assert_true (vg_source_read (source, source->info.frames - 1, page, &error));
  return page;
}

static int
compare_folders (const char *batch, const char *window)
{
  g_autoptr (GDir) folder = g_dir_open (window, 0, NULL);
  const char *name;
  int compared = 0;

  while ((name = g_dir_read_name (folder)))
    if (g_str_has_suffix (name, ".tif"))
      {
        gsize a_bytes, b_bytes;
        g_autofree float *a = last_page (batch, name, &a_bytes);
        g_autofree float *b = last_page (window, name, &b_bytes);

        g_assert_cmpmem (a, a_bytes, b, b_bytes);
        compared++;
      }
  return compared;
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

static void
check_same (const VgOperation *operation, const void *params)
{
  g_autofree char *root = g_dir_make_tmp ("vg-same-XXXXXX", NULL);
  g_autofree char *batch = g_build_filename (root, "batch", NULL);
  g_autofree char *window = g_build_filename (root, "window", NULL);

  run_batch (operation, params, batch);
  run_window (operation, params, window);
  g_assert_cmpint (compare_folders (batch, window), >, 0);
  remove_folder (batch);
  remove_folder (window);
  g_rmdir (root);
}

/* The defaults, and every choice there is, one at a time. */
static void
test_same (gconstpointer data)
{
  const VgOperation *operation = data;
  const VgParamTable *table = &operation->params;
  void *params = vg_params_new (table);
  const VgSyntheticSize size = size_for (operation, params);

  if (operation->synthetic->settings)
    operation->synthetic->settings (&size, params);
  check_same (operation, params);
  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      void *other;

      if (param->kind != VG_PARAM_CHOICE)
        continue;
      other = vg_params_copy (table, params);
      for (guint choice = 0; param->choices[choice] && choice < (SANITIZED ? 2 : G_MAXUINT);
           choice++)
        {
          g_test_message ("%s %s", param->id, param->choices[choice]);
          vg_param_set_number (param, other, choice);
          if (choice != (guint) vg_param_get_number (param, params) &&
              (!operation->validate || operation->validate (other, NULL)))
            check_same (operation, other);
        }
      vg_params_free (table, other);
    }
  vg_params_free (table, params);
}

int
main (int argc, char **argv)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    if (operations[i]->input.kind == VG_INPUT_STREAM && operations[i]->synthetic)
      {
        g_autofree char *path = g_strconcat ("/window-batch/", operations[i]->id, NULL);

        g_test_add_data_func (path, operations[i], test_same);
      }
  return g_test_run ();
}
