/* SPDX-License-Identifier: MIT */
#include "tests/support/app/batch-fixture.h"

void
batch_set_up (BatchFixture *f, gconstpointer data)
{
  fake_trouble_reset ();
  f->folder = g_dir_make_tmp ("vg-batch-XXXXXX", NULL);
  f->out = g_build_filename (f->folder, "out", NULL);
  f->input = g_build_filename (f->folder, "frames.raw", NULL);
  for (int i = 0; i < FRAMES; i++)
    for (int p = 0; p < PIXELS; p++)
      f->pixels[i][p] = (guint16) ((i * 37 + p * p * 11) % 1009);
  g_assert_true (g_file_set_contents (f->input, (const char *) f->pixels, sizeof f->pixels, NULL));
}

void
batch_tear_down (BatchFixture *f, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -rf '%s'", f->folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_assert_cmpint (fake_trouble.states, ==, 0);
  g_free (f->folder);
  g_free (f->out);
  g_free (f->input);
}

static void
on_notice (const char *text, gpointer data)
{
  BatchWatch *watch = data;

  g_string_append_printf (watch->notices, "%s\n", text);
}

static void
on_progress (double fraction, gint64 maps, gpointer data)
{
  BatchWatch *watch = data;

  if (watch->cancellable != NULL && maps >= watch->cancel_at)
    g_cancellable_cancel (watch->cancellable);
}

gboolean
batch_run (BatchFixture *f, const VgOperation *operation, FakeParams params, BatchWatch *watch,
           VgBackend backend, const char *read_options, const VgNamedRegion *const *regions,
           GError **error)
{
  g_autoptr (VgWork) work = vg_work_new_with_engines (operation, operation->cpu, &fake_gpu_engine,
                                                      NULL, backend, 1, error);
  const char *inputs[] = { f->input, NULL };
  VgBatchJob job = {
    .params = &params,
    .inputs = inputs,
    .read_options = read_options,
    .folder = f->out,
    .regions = regions,
    .cancellable = watch->cancellable,
    .strict = watch->strict,
    .options = watch->options,
    .progress = on_progress,
    .notice = on_notice,
    .user_data = watch,
  };

  return vg_batch_run (&job, work, error);
}

float
batch_expected (const BatchFixture *f, FakeParams params, int page, int pixel)
{
  float sum = 0;

  for (int w = 0; w < params.window; w++)
    sum += f->pixels[page + w][pixel];
  return sum * params.gain;
}
