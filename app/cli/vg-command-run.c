/* SPDX-License-Identifier: MIT */
/* `run` and `demo`: from arguments and a session to a batch job. */
#include <stdio.h>
#include <string.h>
#include "app/cli/vg-command-run-private.h"
#include "app/session/vg-checkpoint-text.h"
#include "app/export/vg-run-command.h"
#include "app/session/vg-session-files.h"
#include "app/cli/vg-terminal.h"
#include "app/batch/vg-tile-run.h"
#include "kernels/base/vg-memory.h"
#include "kernels/base/vg-text.h"

static void
clear_run (VgRun *self)
{
  if (self->params != NULL)
    vg_params_free (&self->operation->params, self->params);
  g_free (self->origins);
  g_free (self->changed);
  g_free (self->words);
  g_free (self->read_options);
  g_strfreev (self->slide_regions);
  g_clear_pointer (&self->options, vg_export_options_free);
  g_clear_object (&self->session);
  g_clear_pointer (&self->arguments, vg_arguments_free);
}

/* The operation must be known before the parameters can be: it is the first
 * plain argument, or the session's. */
static gboolean
find_operation (VgRun *self, int argc, char **argv, int *at, GError **error)
{
  const VgCommand *command = self->command;
  g_autofree const char **ids = vg_command_operation_ids ();
  const char *path = NULL;
  guint n;

  *at = vg_arguments_first_plain (argc, argv, command->options, command->n_options, ids);
  for (int i = 0; i < argc && path == NULL && command == &vg_command_run; i++)
    if (g_str_has_prefix (argv[i], "--session="))
      path = argv[i] + strlen ("--session=");
    else if (g_str_equal (argv[i], "--session") && i + 1 < argc)
      path = argv[i + 1];
  if (path != NULL)
    {
      g_autoptr (GPtrArray) outside = vg_session_list_outside (path, error);

      /* the user named this session, so it may open any file, but no device */
      if (outside == NULL)
        return FALSE;
      self->session = vg_session_new (vg_operations (&n)[0]);
      if (!vg_session_load (self->session, path, error))
        return FALSE;
      if (*at < 0 || !g_strv_contains (ids, argv[*at]))
        {
          self->operation = vg_session_get_operation (self->session);
          *at = -1;
          return TRUE;
        }
      vg_session_set_operation (self->session, vg_operation_find (argv[*at]));
    }
  if (*at < 0)
    {
      g_autofree char *list = g_strjoinv (", ", (char **) ids);

      g_set_error (error, VG_USAGE_ERROR, 0, "%s needs an operation: %s", command->name, list);
      return FALSE;
    }
  self->operation = vg_command_find_operation (argv[*at], error);
  return self->operation != NULL;
}

static gboolean
parse_arguments (VgRun *self, int argc, char **argv, GError **error)
{
  g_autofree char **rest = g_new0 (char *, argc + 1);
  int at, n = 0;

  if (!find_operation (self, argc, argv, &at, error))
    return FALSE;
  for (int i = 0; i < argc; i++)
    if (i != at)
      rest[n++] = argv[i];
  self->arguments = vg_arguments_parse (n, rest, self->command->options, self->command->n_options,
                                        &self->operation->params, error);
  return self->arguments != NULL;
}

/* The defaults, then the session or the synthetic instrument, then the command line.  The batch
 * adds the values that the input gives. */
static gboolean
set_params (VgRun *self, GError **error)
{
  const VgParamTable *table = &self->operation->params;
  GArray *settings = self->arguments->settings;

  self->origins = g_new0 (VgOrigin, MAX (table->n_items, 1));
  self->changed = g_new0 (gboolean, MAX (table->n_items, 1));
  self->params = self->session != NULL ? vg_session_get_user_params (self->session, self->origins)
                                       : vg_params_new (table);
  if (self->command == &vg_command_demo && self->operation->synthetic->settings != NULL)
    self->operation->synthetic->settings (&self->size, self->params);
  for (guint i = 0; i < settings->len; i++)
    {
      const VgSetting *setting = &g_array_index (settings, VgSetting, i);

      if (!vg_param_parse (setting->param, self->params, setting->text, error))
        return FALSE;
      self->origins[setting->param - table->items] = VG_ORIGIN_USER;
      self->changed[setting->param - table->items] = vg_param_is_preset (setting->param,
                                                                         setting->text)
                                                         ? VG_CHANGED_TO_PRESET
                                                         : TRUE;
    }
  if (self->operation->on_params_changed != NULL)
    self->operation->on_params_changed (self->params, self->changed);
  return self->operation->validate == NULL || self->operation->validate (self->params, error);
}

static gboolean
reads_as_session (VgRun *self, const char *read_options)
{
  g_auto (VgReadOptions) own = { 0 };
  g_autofree char *text = vg_read_options_parse (&own, vg_session_get_read_options (self->session),
                                                 NULL)
                              ? vg_read_options_format (&own)
                              : NULL;

  return g_strcmp0 (text, read_options) == 0;
}

static gboolean
run_job (VgRun *self, const char *const *inputs, GError **error)
{
  gboolean demo = self->command == &vg_command_demo;
  g_autoptr (GPtrArray) named = NULL;
  g_autofree const VgNamedRegion **regions = NULL;
  g_auto (GStrv) files = vg_run_list_settings_files (self);
  gint stop = 0;
  g_autoptr (VgWork) work = NULL;
  g_autoptr (VgSignals) signals = NULL;
  VgProgressBar bar = { 0 };
  gulong connection;
  VgBatchJob job = {
    .params = self->params,
    .origins = self->origins,
    .changed = self->changed,
    .inputs = demo ? NULL : inputs,
    .run = (int) self->run,
    .synthetic = demo ? &self->size : NULL,
    .folder = vg_arguments_get (self->arguments, "out"),
    .tile_px = (int) self->tile,
    .overlap_px = (int) self->overlap,
    .gzip = vg_arguments_get (self->arguments, "gzip") != NULL,
    .strict = vg_arguments_get (self->arguments, "strict") != NULL,
    .at_frame = self->at_frame,
    .max_frames = self->max_frames,
    .seconds = self->seconds,
    .send = demo ? NULL : vg_arguments_get (self->arguments, "send"),
    .find_regions = vg_arguments_get (self->arguments, "find-regions") != NULL,
    .in_one_piece = vg_arguments_get (self->arguments, "in-one-piece") != NULL,
    .command = self->words,
    .options = self->options,
    .read_options = self->read_options,
    .slide_regions = (const char *const *) self->slide_regions,
    .settings_files = (const char *const *) files,
  };
  gboolean ok, idle = FALSE;

  if (self->operation->tiled != NULL)
    vg_memory_return_planes (); /* a stream has few large planes, and each frame uses them again */
  work = vg_work_new (self->operation, self->backend, (int) self->threads, error);
  if (work == NULL || !vg_run_take_regions (self, job.inputs, self->read_options, &named, &regions,
                                            job.regions_size, error))
    return FALSE;
  job.regions = self->slide_regions == NULL ? regions : NULL;
  job.preview_output = (int) self->operation->view.first_output;
  if (self->session != NULL)
    {
      g_autofree char *packed = vg_session_take_checkpoint (self->session);
      g_autoptr (GBytes) checkpoint = packed != NULL ? vg_checkpoint_parse (packed, error) : NULL;

      if (packed != NULL && checkpoint == NULL)
        return FALSE;
      vg_work_set_checkpoint (work, checkpoint);
      if (inputs == vg_session_get_inputs (self->session) && inputs[0] != NULL &&
          self->operation->import != NULL && self->run == 0)
        job.run = vg_session_get_run (self->session) + 1;
      job.in_one_piece |= checkpoint != NULL && self->slide_regions == NULL &&
                          inputs == vg_session_get_inputs (self->session) &&
                          reads_as_session (self, self->read_options);
      job.display = vg_session_get_display (self->session);
      job.preview_output = vg_session_get_view (self->session)->output;
      job.as_stored = vg_session_get_view (self->session)->as_stored;
    }
  if (self->cancellable == NULL && (self->ranks == NULL || self->ranks->rank == 0))
    vg_progress_bar_watch (&bar, &job);
  if (self->cancellable == NULL)
    signals = vg_signals_new ();
  job.cancellable = signals != NULL ? vg_signals_get_cancellable (signals) : self->cancellable;
  connection = g_cancellable_connect (job.cancellable, G_CALLBACK (vg_work_raise_stop), &stop,
                                      NULL);
  vg_work_set_stop (work, &stop);
  if (self->ranks != NULL && self->ranks->rank > 0)
    {
      /* the first rank writes */
      job.folder = NULL;
      g_clear_pointer (&self->options->movie, vg_movie_options_free);
    }
  ok = (self->ranks == NULL || vg_work_set_ranks (work, self->ranks, &idle, error)) &&
       (idle || vg_batch_run (&job, work, error));
  g_cancellable_disconnect (job.cancellable, connection);
  vg_progress_bar_clear (&bar);
  if (ok && bar.visible && (job.folder != NULL || self->options->movie != NULL))
    fprintf (stderr, "wrote %s, computed on %s\n",
             job.folder != NULL ? job.folder : self->options->movie->path,
             vg_work_get_device (work));
  return ok;
}

/* Checks all arguments of `run` that need no data, so that nobody waits for images in vain. */
static gboolean
check_arguments (VgRun *self, const char *const *inputs, GError **error)
{
  const char *stored = self->session != NULL ? vg_session_get_read_options (self->session) : NULL;

  return vg_run_check_inputs (self, inputs, error) && vg_run_check_run (self, inputs, error) &&
         vg_run_check_find (self, error) &&
         vg_arguments_get_integer (self->arguments, "tile", VG_TILE_LEAST, VG_TILE_MOST,
                                   &self->tile, error) &&
         vg_arguments_get_integer (self->arguments, "overlap", 1, VG_TILE_MOST_HALO, &self->overlap,
                                   error) &&
         vg_run_take_options (self, error) &&
         vg_command_read_options (self->arguments, stored, &self->read_options, error) &&
         vg_run_take_slide_regions (self, inputs, error) &&
         (!vg_run_receives (self) || vg_run_check_regions (self, error));
}

static gboolean
run (VgRun *self, GError **error)
{
  const char *backend = vg_arguments_get (self->arguments, "backend");
  const char *const *inputs = (const char *const *) self->arguments->plain->pdata;
  g_autofree char *camera = NULL, *received = NULL;
  const char *with_settings[] = { NULL, NULL };

  if (self->command == &vg_command_demo && self->operation->synthetic == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "%s has no sample data; use vivograph run",
                   self->operation->id);
      return FALSE;
    }
  if (vg_arguments_get (self->arguments, "resume") != NULL ||
      vg_arguments_get (self->arguments, "force") != NULL ||
      vg_arguments_get (self->arguments, "part") != NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--resume, --force and --part need a study; name its table with --list, or omit "
                   "them");
      return FALSE;
    }
  if (vg_arguments_get (self->arguments, "out") == NULL &&
      vg_arguments_get (self->arguments, "movie") == NULL &&
      vg_arguments_get (self->arguments, "send") == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "--out is missing: name a folder for the results");
      return FALSE;
    }
  if (backend != NULL && !vg_backend_parse (backend, &self->backend, error))
    return FALSE;
  if (!vg_arguments_get_integer (self->arguments, "threads", 0, 4096, &self->threads, error) ||
      !vg_run_check_at_frame (self, error) || !vg_run_check_limits (self, error) ||
      (self->command == &vg_command_demo && !vg_run_set_size (self, error)) ||
      !set_params (self, error))
    return FALSE;
  if (inputs[0] == NULL && self->session != NULL)
    inputs = vg_session_get_inputs (self->session);
  if (self->command == &vg_command_run && !check_arguments (self, inputs, error))
    return FALSE;
  if (self->command == &vg_command_run && inputs[0] != NULL && inputs[1] == NULL)
    {
      if (!vg_command_set_camera (self->arguments, inputs[0], &camera, error))
        return FALSE;
      if (vg_run_receives (self) && !vg_run_receive (self, inputs[0], &received, error))
        return FALSE;
      with_settings[0] = received != NULL ? received : camera;
      if (!g_str_equal (with_settings[0], inputs[0]))
        inputs = with_settings;
    }
  if (self->command == &vg_command_run)
    return run_job (self, inputs, error);
  if (inputs[0] != NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "demo makes its own data and accepts no file; use vivograph run %s %s",
                   self->operation->id, inputs[0]);
      return FALSE;
    }
  return vg_run_take_options (self, error) && run_job (self, NULL, error);
}

static gboolean
wants_help_only (int argc, char **argv)
{
  return argc == 0 ||
         (argc == 1 && (g_str_equal (argv[0], "--help") || g_str_equal (argv[0], "-h")));
}

static int
run_or_demo (const VgCommand *command, int argc, char **argv)
{
  VgRun self = { .command = command, .words = vg_shell_quote_command (command->name, argc, argv) };
  g_autoptr (GError) error = NULL;
  int status = VG_EXIT_DONE;

  if (wants_help_only (argc, argv))
    {
      clear_run (&self);
      vg_command_help (command, NULL);
      return argc == 0 ? VG_EXIT_USAGE : VG_EXIT_DONE;
    }
  if (!vg_run_connect (&self.ranks, &error) || !parse_arguments (&self, argc, argv, &error))
    status = vg_run_fail (self.ranks, error);
  else if (self.arguments->help && (self.ranks == NULL || self.ranks->rank == 0))
    vg_command_help (command, self.operation);
  else if (!self.arguments->help && !run (&self, &error))
    status = vg_run_fail (self.ranks, error);
  if (status == VG_EXIT_DONE && self.ranks != NULL)
    self.ranks->finish ();
  clear_run (&self);
  return status;
}

gboolean
vg_run_quietly (int argc, char **argv, GCancellable *cancellable, GError **error)
{
  VgRun self = { .command = &vg_command_run,
                 .words = vg_shell_quote_command ("run", argc, argv),
                 .cancellable = cancellable };
  gboolean ok = parse_arguments (&self, argc, argv, error) && run (&self, error);

  clear_run (&self);
  return ok;
}

int
vg_run_command (int argc, char **argv)
{
  if (vg_command_is_study (argc, argv))
    return vg_command_study (argc, argv);
  return run_or_demo (&vg_command_run, argc, argv);
}

int
vg_run_demo (int argc, char **argv)
{
  return run_or_demo (&vg_command_demo, argc, argv);
}
