/* SPDX-License-Identifier: MIT */
#include "app/export/vg-run-command.h"
#include <string.h>
#include "io/live/vg-live.h"
#include "app/export/vg-region-log.h"
#include "app/session/vg-session-annotations.h"
#include "io/source/vg-read-options.h"

char *
vg_shell_quote (const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "@%+=:,./_-";

  return *word != '\0' && word[strspn (word, plain)] == '\0' ? g_strdup (word)
                                                             : g_shell_quote (word);
}

static void
add_word (GString *text, const char *word)
{
  g_autofree char *quoted = vg_shell_quote (word);

  g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", quoted);
}

char *
vg_shell_quote_command (const char *command, int argc, char **argv)
{
  g_autoptr (GString) text = g_string_new ("vivograph ");

  g_string_append (text, command);
  for (int i = 0; i < argc; i++)
    add_word (text, argv[i]);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* A VALUE that begins with a dash would be taken for an option. */
static void
add_option (GString *text, const char *name, const char *value)
{
  g_autofree char *option = g_strdup_printf (*value == '-' ? "--%s=%s" : "--%s", name, value);

  add_word (text, option);
  if (*value != '-')
    add_word (text, value);
}

/* Sample data come from `demo`; a simulation needs no data. */
static gboolean
is_sample (VgSession *session)
{
  return vg_session_get_inputs (session)[0] == NULL &&
         vg_session_get_operation (session)->input.kind != VG_INPUT_NONE;
}

/* What `run` computes with if the command gives the values of the parameters that are NAMED. */
static void *
simulate (VgSession *session, const gboolean *named)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const VgParamTable *table = &operation->params;
  const void *given = vg_session_get_given (session);
  void *defaults = vg_params_new (table),
       *params = vg_params_copy (table, is_sample (session) ? given : defaults);

  for (guint i = 0; i < table->n_items; i++)
    if (named[i])
      vg_param_assign (&table->items[i], params, vg_session_get_params (session));
  if (operation->on_params_changed != NULL)
    operation->on_params_changed (params, named);
  for (guint i = 0; i < table->n_items; i++)
    if (!named[i] && !vg_param_equal (&table->items[i], given, defaults))
      vg_param_assign (&table->items[i], params, given);
  vg_params_free (table, defaults);
  return params;
}

/* Whether PARAM is of the results: clicks of buttons and the pace of the display are not. */
static gboolean
is_of_results (const VgOperation *operation, const VgParam *param)
{
  return param->kind != VG_PARAM_ACTION && g_strcmp0 (param->id, operation->view.step_param) != 0;
}

/* Names parameters that `run` would set to another value than the session has; FALSE: none. */
static gboolean
name_others (VgSession *session, const void *other, gboolean *named)
{
  const VgOperation *operation = vg_session_get_operation (session);
  gboolean any = FALSE;

  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];

      if (named[i] || !is_of_results (operation, param) ||
          vg_param_equal (param, vg_session_get_params (session), other))
        continue;
      named[i] = any = TRUE;
    }
  return any;
}

/* The parameters that differ from the defaults or from what the input gives, and those that follow
 * from others by a rule that the user has overruled. */
static gboolean *
name_params (VgSession *session)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;
  gboolean *named = g_new0 (gboolean, MAX (table->n_items, 1));
  gboolean from_file = vg_session_get_operation (session)->import != NULL &&
                       vg_session_get_inputs (session)[0] != NULL;
  void *params = vg_params_new (table);
  gboolean more;

  if (!from_file)
    name_others (session, params, named);
  name_others (session, vg_session_get_given (session), named);
  do
    {
      vg_params_free (table, params);
      params = simulate (session, named);
      more = name_others (session, params, named);
    }
  while (more);
  vg_params_free (table, params);
  return named;
}

/* The value of a FILE parameter with absolute names where these files exist: other texts are
 * regions, or have a channel behind the name. */
static char *
format_value (const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);
  g_auto (GStrv) names = NULL;

  if (param->kind != VG_PARAM_FILE)
    return g_steal_pointer (&text);
  names = vg_param_split_files (param, text);
  for (guint i = 0; names[i] != NULL; i++)
    if (g_file_test (names[i], G_FILE_TEST_EXISTS))
      {
        char *whole = g_canonicalize_filename (names[i], NULL);

        g_free (names[i]);
        names[i] = whole;
      }
  return vg_param_join_files (param, (const char *const *) names);
}

static void
add_params (GString *text, VgSession *session)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;
  g_autofree gboolean *named = name_params (session);

  for (guint i = 0; i < table->n_items; i++)
    if (named[i])
      {
        g_autofree char *name = vg_param_option_name (&table->items[i]),
                        *value = format_value (&table->items[i], vg_session_get_params (session));

        add_option (text, name, value);
      }
}

static void
add_read_options (GString *text, VgSession *session)
{
  g_auto (VgReadOptions) options = { 0 };

  if (!vg_read_options_parse (&options, vg_session_get_read_options (session), NULL))
    return;
  if (is_sample (session) && options.sample != NULL)
    add_option (text, "sample", options.sample);
  if (vg_session_get_inputs (session)[0] == NULL)
    return;
  if (options.geometry != NULL)
    add_option (text, "geometry", options.geometry);
  if (options.series_uid != NULL)
    add_option (text, "series", options.series_uid);
  for (guint i = 0; i < vg_read_options_table.n_items; i++)
    if (!vg_read_options_is_default (&options, &vg_read_options_table.items[i]))
      {
        const VgParam *param = &vg_read_options_table.items[i];
        g_autofree char *name = vg_param_option_name (param),
                        *value = vg_param_format (param, &options);

        add_option (text, name, value);
      }
  if (options.region != NULL)
    add_word (text, "--in-one-piece");
}

static void
add_movie (GString *text, const VgMovieOptions *movie)
{
  g_auto (GStrv) words = movie != NULL ? vg_movie_options_to_words (movie) : NULL;

  for (guint i = 0; words != NULL && words[i] != NULL; i++)
    add_word (text, words[i]);
}

/* The list of regions itself, so that the command needs no further file. */
static void
add_regions (GString *text, VgSession *session)
{
  g_autoptr (GString) list = g_string_new (NULL);

  if (!vg_region_log_is_of (vg_session_get_operation (session)))
    return;
  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    {
      const VgNamedRegion *named = vg_session_get_region (session, i);
      g_autofree char *region = vg_region_format (&named->region),
                      *name = g_strdelimit (g_strdup (named->name), "\r\n", ' ');

      g_string_append_printf (list, "%s%s %s", i > 0 ? "\n" : "", region, name);
    }
  if (list->len > 0)
    add_option (text, "rois", list->str);
}

/* They are drawn, but change no map. */
static void
add_annotations (GString *text, VgSession *session, const VgExportOptions *options)
{
  g_autoptr (GPtrArray) annotations = vg_session_copy_annotations (session);
  g_autofree char *lines = vg_annotations_format (annotations);

  if (options != NULL && (options->figures != 0 || options->report || options->movie != NULL) &&
      annotations->len > 0)
    add_option (text, "annotations", lines);
}

char *
vg_run_command_new (VgSession *session, const char *folder, const VgExportOptions *options)
{
  const VgOperation *operation = vg_session_get_operation (session);
  const char *const *inputs = vg_session_get_inputs (session);
  g_autofree char *words = vg_export_options_to_words (options);
  g_autoptr (GString)
      text = g_string_new (is_sample (session) ? "vivograph demo" : "vivograph run");

  add_word (text, operation->id);
  for (guint i = 0; inputs[i] != NULL; i++)
    {
      g_autofree char *whole = g_str_equal (inputs[i], "-") || vg_live_is_address (inputs[i])
                                   ? g_strdup (inputs[i])
                                   : g_canonicalize_filename (inputs[i], NULL);

      add_word (text, whole);
    }
  add_option (text, "out", folder);
  g_string_append (text, words);
  add_movie (text, options != NULL ? options->movie : NULL);
  if (is_sample (session) && operation->input.kind == VG_INPUT_DATASET)
    g_string_append_printf (text, " --size %dx%dx%" G_GINT64_FORMAT " --seed %" G_GUINT64_FORMAT,
                            operation->synthetic->live.width, operation->synthetic->live.height,
                            operation->synthetic->live.frames, operation->synthetic->live.seed);
  if (operation->import != NULL && inputs[0] != NULL)
    g_string_append_printf (text, " --run %d", vg_session_get_run (session) + 1);
  add_read_options (text, session);
  add_params (text, session);
  add_regions (text, session);
  add_annotations (text, session, options);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
vg_run_command_finish (const char *command, VgBackend backend, gint64 frame)
{
  g_autoptr (GString) text = NULL;

  if (command == NULL)
    return NULL;
  text = g_string_new (command);
  g_string_append (text, backend == VG_BACKEND_CUDA ? " --backend cuda" : " --backend cpu");
  if (frame > 0)
    g_string_append_printf (text, " --at-frame %" G_GINT64_FORMAT, frame);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
