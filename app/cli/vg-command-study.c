/* SPDX-License-Identifier: MIT */
/* `run --list`: each row of a table is a run, in a folder of its own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "app/batch/vg-study-results.h"
#include "app/cli/vg-command-run-private.h"
#include "app/cli/vg-terminal.h"
#include "app/export/vg-run-command.h"
#include "app/region/vg-region-file.h"
#include "kernels/base/vg-text.h"

typedef struct
{
  VgArguments *arguments; /* of all rows */
  const char *folder;     /* of the results */
  VgStudy *study;
  guint part, parts; /* the rows I with I % parts == part */
  gboolean resume, force, visible;
  const VgRanks *ranks; /* that take the rows one by one; NULL: this process takes all */
  guint64 failed;       /* rows that failed here, at last of all ranks */
} Run;

/* Options of the study itself, which its rows do not have. */
static gboolean
is_of_study (const char *option)
{
  static const char *const names[] = { "list", "out", "resume", "force", "part", NULL };

  return g_strv_contains (names, option);
}

static const VgOption *
find_option (const char *name)
{
  for (guint i = 0; i < vg_command_run.n_options; i++)
    if (vg_text_same_name (vg_command_run.options[i].name, name))
      return &vg_command_run.options[i];
  return NULL;
}

/* "I/N", from 1 to N. */
static gboolean
parse_part (Run *self, GError **error)
{
  const char *text = vg_arguments_get (self->arguments, "part");
  guint64 part, parts = 0;
  char *end;

  self->parts = 1;
  if (text == NULL)
    return TRUE;
  part = g_ascii_strtoull (text, &end, 10);
  if (g_ascii_isdigit (*text) && end[0] == '/' && g_ascii_isdigit (end[1]))
    parts = g_ascii_strtoull (end + 1, &end, 10);
  if (parts < 1 || parts > G_MAXINT || part < 1 || part > parts || *end != '\0')
    {
      g_autofree char *quoted = vg_text_quote (text);

      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--part is %s; write the part and the number of parts, such as 3/100", quoted);
      return FALSE;
    }
  self->part = (guint) part - 1;
  self->parts = (guint) parts;
  return TRUE;
}

/* A column that no operation of the table knows is a mistake in the name. */
static gboolean
check_columns (const VgStudy *study, GError **error)
{
  for (guint i = 0; study->columns[i] != NULL; i++)
    {
      const char *name = study->columns[i];
      const VgOption *option = find_option (name);
      gboolean known = vg_study_is_own_column (name) ||
                       (option != NULL && !is_of_study (option->name));

      for (guint k = 0; k < study->rows->len && !known; k++)
        known = vg_params_find (&((VgStudyRow *) study->rows->pdata[k])->operation->params, name) !=
                NULL;
      if (!known)
        {
          g_autofree char *quoted = vg_text_quote (name);

          g_set_error (error, VG_USAGE_ERROR, 0,
                       "\"%s\": no operation of the table has the setting %s; correct the name in "
                       "row 1, or put # before it to keep the column as a note",
                       study->path, quoted);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
is_switch (const VgStudyRow *row, const char *column)
{
  const VgOption *option = find_option (column);

  return option != NULL && option->value == NULL &&
         vg_params_find (&row->operation->params, column) == NULL;
}

/* The cells of options without a value say whether the row has the option. */
static gboolean
check_switches (const VgStudy *study, GError **error)
{
  for (guint i = 0; i < study->rows->len; i++)
    for (guint k = 0; study->columns[k] != NULL; k++)
      {
        const VgStudyRow *row = study->rows->pdata[i];
        g_autofree char *quoted = vg_text_quote (row->cells[k]);
        gboolean on;

        if (*row->cells[k] == '\0' || !is_switch (row, study->columns[k]) ||
            vg_text_read_bool (row->cells[k], &on))
          continue;
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "\"%s\", row %u: %s in the column \"%s\" is neither true nor false; write "
                     "one of them",
                     study->path, row->number, quoted, study->columns[k]);
        return FALSE;
      }
  return TRUE;
}

/* Files that PARAM names, seen from the folder of the table, if they are there. */
static char *
resolve_files (const VgStudy *study, const VgParam *param, const char *text)
{
  g_auto (GStrv) names = vg_param_split_files (param, text);

  for (guint i = 0; names[i] != NULL; i++)
    {
      char *path = vg_study_resolve (study, names[i]);

      g_free (names[i]);
      names[i] = path;
    }
  return param->file.multiple ? vg_param_join_files (param, (const char *const *) names)
                              : g_strdup (names[0]);
}

/* The value of a cell: a relative path is seen from the folder of the table. */
static char *
cell_value (const VgStudy *study, const VgOperation *operation, const char *column,
            const char *text)
{
  const VgParam *param = vg_params_find (&operation->params, column);
  gboolean of_file = g_str_equal (column, "session") || g_str_equal (column, "movie") ||
                     (g_str_equal (column, "rois") && !vg_region_file_is_list (text));

  if (param != NULL && param->kind == VG_PARAM_FILE &&
      !(param->file.or_region && vg_region_is_meant (text)))
    return resolve_files (study, param, text);
  return param == NULL && of_file ? vg_study_resolve (study, text) : g_strdup (text);
}

static void
add_word (GPtrArray *words, const char *name, const char *value)
{
  g_ptr_array_add (words, value != NULL ? g_strdup_printf ("--%s=%s", name, value)
                                        : g_strdup_printf ("--%s", name));
}

static gboolean
has_cell (const VgStudy *study, const VgStudyRow *row, const char *name)
{
  for (guint i = 0; study->columns[i] != NULL; i++)
    if (vg_text_same_name (study->columns[i], name) && *row->cells[i] != '\0')
      return TRUE;
  return FALSE;
}

/* Without a session, which names its inputs, a row needs a file, except for a simulation. */
static gboolean
check_files (const Run *self, GError **error)
{
  gboolean session = vg_arguments_get (self->arguments, "session") != NULL;

  for (guint i = 0; i < self->study->rows->len; i++)
    {
      const VgStudyRow *row = self->study->rows->pdata[i];

      if (row->inputs[0] == NULL && row->operation->input.kind != VG_INPUT_NONE && !session &&
          !has_cell (self->study, row, "session"))
        {
          g_set_error (error, VG_USAGE_ERROR, 0,
                       "\"%s\", row %u: %s needs a file; name it in the column \"file\"",
                       self->study->path, row->number, row->operation->id);
          return FALSE;
        }
    }
  return TRUE;
}

/* What the command line gives to all rows that do not give it themselves. */
static void
add_shared (const Run *self, const VgStudyRow *row, GPtrArray *words)
{
  const VgArguments *arguments = self->arguments;

  for (guint i = 0; i < arguments->n_options; i++)
    {
      const char *name = arguments->options[i].name;
      const char *const *values = vg_arguments_get_all (arguments, name);

      for (guint k = 0; values != NULL && values[k] != NULL && !is_of_study (name) &&
                        !has_cell (self->study, row, name);
           k++)
        add_word (words, name, arguments->options[i].value != NULL ? values[k] : NULL);
    }
  for (guint i = 0; i < arguments->settings->len; i++)
    {
      const VgSetting *setting = &g_array_index (arguments->settings, VgSetting, i);

      add_word (words, setting->param->id, setting->text);
    }
}

/* The command of ROW without "run": NULL-terminated. */
static GPtrArray *
make_words (const Run *self, const VgStudyRow *row)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *whole = g_canonicalize_filename (self->folder, NULL),
                  *folder = g_build_filename (whole, row->name, NULL);

  g_ptr_array_add (words, g_strdup (row->operation->id));
  add_shared (self, row, words);
  for (guint i = 0; self->study->columns[i] != NULL; i++)
    {
      const char *column = self->study->columns[i], *text = row->cells[i];
      gboolean without_value = is_switch (row, column), on = TRUE;
      g_autofree char *value = NULL;

      if (vg_study_is_own_column (column) || *text == '\0' ||
          (without_value && vg_text_read_bool (text, &on) && !on))
        continue;
      value = without_value ? NULL : cell_value (self->study, row->operation, column, text);
      add_word (words, column, value);
    }
  add_word (words, "out", folder);
  if (row->inputs[0] != NULL)
    g_ptr_array_add (words, g_strdup ("--"));
  for (guint i = 0; row->inputs[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (row->inputs[i]));
  g_ptr_array_add (words, NULL);
  return words;
}

static void
show_progress (const Run *self, guint done)
{
  if (self->visible)
    fprintf (stderr, "\r\033[K%u of %u rows", done, self->study->rows->len);
}

/* FALSE: the study was cancelled, or its results cannot be written. */
static gboolean
run_row (Run *self, guint i, GCancellable *cancellable, GError **error)
{
  VgStudyRow *row = self->study->rows->pdata[i];
  g_autoptr (GPtrArray) words = make_words (self, row);
  g_autoptr (GError) local = NULL;

  if (self->resume && vg_study_is_current (row, self->folder))
    return TRUE;
  vg_study_begin_row (row, self->folder);
  if (vg_run_quietly ((int) words->len - 1, (char **) words->pdata, cancellable, &local))
    return TRUE;
  if (g_cancellable_is_cancelled (cancellable))
    {
      g_set_error_literal (
          error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
          "cancelled; the finished rows are written, and --resume computes the rest");
      return FALSE;
    }
  self->failed++;
  fprintf (stderr, "%svivograph: row %u, %s: %s\n", self->visible ? "\r\033[K" : "", row->number,
           row->name, vg_text_clean (local->message));
  return vg_study_record_failure (row, self->folder, local->message, error);
}

/* Whether the folder of the results has some of these rows, or a table of a study; the parts of a
 * study write that table side by side. */
static gboolean
has_results (const Run *self)
{
  g_autofree char *table = g_build_filename (self->folder, "results.csv", NULL);
  gboolean found = self->parts == 1 && g_file_test (table, G_FILE_TEST_EXISTS);

  for (guint i = self->part; i < self->study->rows->len && !found; i += self->parts)
    found = vg_study_has_results (self->study->rows->pdata[i], self->folder);
  return found;
}

/* Results are not replaced unasked.  The first rank looks for them, before any rank begins. */
static gboolean
prepare_folder (const Run *self, GError **error)
{
  gboolean first = self->ranks == NULL || self->ranks->rank == 0;
  guint64 found = first && !self->resume && !self->force && has_results (self) ? 1 : 0;

  if (self->ranks != NULL)
    self->ranks->sum (&found, 1);
  if (found > 0)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\" already has results of a study; go on with --resume, compute all rows "
                 "again with --force, or choose another folder",
                 self->folder);
  else if (g_mkdir_with_parents (self->folder, 0777) != 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot create the folder \"%s\": %s; choose another folder", self->folder,
                 g_strerror (errno));
  return *error == NULL;
}

/* The row that this process takes next, after COUNT others.  The part I/N has every Nth. */
static guint64
next_row (Run *self, guint64 count)
{
  if (self->ranks != NULL)
    count = (guint64) self->ranks->next ();
  return self->part + count * self->parts;
}

static gboolean
run_rows (Run *self, GError **error)
{
  g_autoptr (VgSignals) signals = vg_signals_new ();
  GCancellable *cancellable = vg_signals_get_cancellable (signals);
  guint counts[VG_STUDY_STATES];
  GError *local = NULL;
  gboolean ok = TRUE;

  self->visible = isatty (STDERR_FILENO) && (self->ranks == NULL || self->ranks->rank == 0);
  for (guint64 n = 0, i; ok && (i = next_row (self, n)) < self->study->rows->len; n++)
    {
      show_progress (self, (guint) i);
      ok = run_row (self, (guint) i, cancellable, &local);
    }
  if (self->visible)
    fputs ("\r\033[K", stderr);
  if (self->ranks != NULL && ok)
    self->ranks->sum (&self->failed, 1);
  if (self->ranks != NULL && self->ranks->rank > 0)
    {
      if (!ok)
        g_propagate_error (error, local);
      return ok;
    }
  if (!vg_study_write_table (self->study, self->folder, counts, ok ? &local : NULL) || !ok)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  printf ("%-28s %u of %u\n%-28s %u\n%-28s %u\n%-28s %u\n%-28s %s/results.csv\n", "Done",
          counts[VG_STUDY_DONE], self->study->rows->len, "Incomplete", counts[VG_STUDY_INCOMPLETE],
          "Failed", counts[VG_STUDY_FAILED], "Not run yet", counts[VG_STUDY_NOT_RUN], "All rows",
          self->folder);
  return TRUE;
}

/* The value of "--list", before the operation is known. */
static const char *
find_list (int argc, char **argv)
{
  for (int i = 0; i < argc && !g_str_equal (argv[i], "--"); i++)
    if (g_str_has_prefix (argv[i], "--list="))
      return argv[i] + strlen ("--list=");
    else if (g_str_equal (argv[i], "--list") && i + 1 < argc)
      return argv[i + 1];
  return NULL;
}

static gboolean
load (Run *self, int argc, char **argv, GError **error)
{
  g_autofree const char **ids = vg_command_operation_ids ();
  g_autofree char **rest = g_new0 (char *, argc + 1);
  const VgOperation *operation = NULL, *any;
  int at = vg_arguments_first_plain (argc, argv, vg_command_run.options, vg_command_run.n_options,
                                     ids),
      n = 0;

  if (at >= 0 && (operation = vg_command_find_operation (argv[at], error)) == NULL)
    return FALSE;
  self->study = vg_study_load (find_list (argc, argv), operation, error);
  if (self->study == NULL)
    return FALSE;
  for (int i = 0; i < argc; i++)
    if (i != at)
      rest[n++] = argv[i];
  any = operation != NULL ? operation : ((VgStudyRow *) self->study->rows->pdata[0])->operation;
  self->arguments = vg_arguments_parse (n, rest, vg_command_run.options, vg_command_run.n_options,
                                        &any->params, error);
  if (self->arguments == NULL || !parse_part (self, error) || !check_columns (self->study, error) ||
      !check_switches (self->study, error) || !check_files (self, error))
    return FALSE;
  self->folder = vg_arguments_get (self->arguments, "out");
  self->resume = vg_arguments_get (self->arguments, "resume") != NULL;
  self->force = vg_arguments_get (self->arguments, "force") != NULL;
  if (self->resume && self->force)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "--resume keeps results that --force replaces; omit one of them");
  else if (self->arguments->plain->len > 1)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\" is not expected beside --list; name the files in the table",
                 (char *) self->arguments->plain->pdata[0]);
  else if (self->folder == NULL)
    g_set_error (error, VG_USAGE_ERROR, 0, "--out is missing: name a folder for the results");
  return *error == NULL;
}

static void
set_commands (Run *self)
{
  for (guint i = 0; i < self->study->rows->len; i++)
    {
      VgStudyRow *row = self->study->rows->pdata[i];
      g_autoptr (GPtrArray) words = make_words (self, row);

      row->command = vg_shell_quote_command ("run", (int) words->len - 1, (char **) words->pdata);
    }
}

gboolean
vg_command_is_study (int argc, char **argv)
{
  return find_list (argc, argv) != NULL;
}

int
vg_command_study (int argc, char **argv)
{
  Run self = { 0 };
  g_autoptr (GError) error = NULL;
  int status = VG_EXIT_DONE;

  if (vg_run_connect (&self.ranks, &error) && load (&self, argc, argv, &error) &&
      prepare_folder (&self, &error))
    set_commands (&self);
  if (error != NULL || !run_rows (&self, &error))
    status = vg_run_fail (self.ranks, error);
  else if (self.ranks != NULL)
    self.ranks->finish ();
  if (error == NULL && self.failed > 0)
    status = VG_EXIT_FAILED;
  g_clear_pointer (&self.arguments, vg_arguments_free);
  g_clear_pointer (&self.study, vg_study_free);
  return status;
}
