/* SPDX-License-Identifier: MIT */
/* Exporting maps, and the command and the text that describe them. */
#include "ui/window/vg-window-private.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include "app/export/vg-methods-text.h"
#include "app/export/vg-run-command.h"
#include "app/session/vg-settings-file.h"
#include "io/dicom/vg-dicom-module.h"
#include "io/dicom/vg-dicom-scan.h"
#include "io/dicom/vg-dicom-writer.h"
#include "io/live/vg-live.h"
#include "io/source/vg-source.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-text.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/export/vg-export-dialog.h"

/* ---- the command and the text ---- */

/* The frame on the screen, from 1; 0: the source cannot be read again, or has no frames. */
static gint64
get_frame (VgWindow *self)
{
  const char *first = vg_session_get_inputs (self->session)[0];
  gboolean is_stream = vg_session_get_operation (self->session)->input.kind == VG_INPUT_STREAM;

  return is_stream && first != NULL && strcmp (first, "-") != 0 && self->result != NULL
             ? self->result->frame_index + 1
             : 0;
}

static char *
make_command (gpointer data, const char *folder, const VgExportOptions *options)
{
  VgWindow *self = data;
  g_autofree char *command = vg_run_command_new (self->session, folder, options);
  const char *device = vg_pipeline_get_device (self->pipeline);

  return vg_run_command_finish (
      command,
      device == NULL || g_str_has_prefix (device, "CPU") ? VG_BACKEND_CPU : VG_BACKEND_CUDA,
      get_frame (self));
}

static void
copy_text (VgWindow *self, const char *text, const char *message)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  vg_window_message (self, FALSE, message);
}

/* The opened file; NULL: the data come from elsewhere, such as from a camera, whose address is no
 * file name. */
static const char *
get_file (VgWindow *self)
{
  const char *input = vg_session_get_inputs (self->session)[0];

  return input != NULL && strcmp (input, "-") != 0 && !vg_live_is_address (input) ? input : NULL;
}

char *
vg_window_name_output (VgWindow *self, const char *suffix)
{
  const char *file = get_file (self);
  g_autofree char *base = file == NULL ? g_strdup (vg_session_get_operation (self->session)->id)
                          : g_file_test (file, G_FILE_TEST_IS_DIR) ? g_path_get_basename (file)
                                                                   : vg_text_file_stem (file);

  return g_strconcat (base, suffix, NULL);
}

/* Also for root, who may write where the owner has forbidden it. */
static gboolean
is_writable (const char *folder)
{
  GStatBuf status;

  return g_access (folder, W_OK) == 0 && g_stat (folder, &status) == 0 &&
         (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0;
}

/* A folder that does not exist yet, beside the opened file or, if nothing can be written there, in
 * the folder of the last choice. */
static char *
propose_folder (VgWindow *self)
{
  const char *file = get_file (self);
  g_autofree char *parent = file != NULL ? g_path_get_dirname (file) : NULL,
                  *name = vg_window_name_output (self, "-maps");

  if (parent == NULL || !is_writable (parent))
    {
      g_free (parent);
      parent = vg_settings_get_string (self->settings, "folder");
    }
  if (parent == NULL || !is_writable (parent))
    {
      g_free (parent);
      parent = g_strdup (g_get_home_dir ());
    }
  for (int i = 1;; i++)
    {
      g_autofree char *folder = i == 1 ? g_strdup_printf ("%s/%s", parent, name)
                                       : g_strdup_printf ("%s/%s-%d", parent, name, i);

      if (!g_file_test (folder, G_FILE_TEST_EXISTS))
        return g_canonicalize_filename (folder, NULL);
    }
}

void
vg_window_copy_command (VgWindow *self)
{
  g_autofree char *folder = propose_folder (self), *command = make_command (self, folder, NULL);

  copy_text (self, command, _ ("Copied the command that computes these maps"));
}

void
vg_window_copy_methods (VgWindow *self)
{
  g_autofree char *text = vg_methods_text_new (self->session,
                                               vg_pipeline_get_device (self->pipeline));

  copy_text (self, text, _ ("Copied a text for the methods section of a paper"));
}

/* ---- the export ---- */

/* What is exported of OPERATION.  DIALOG, hidden, asked for it.  UNLISTED: files that no earlier
 * export wrote may be replaced. */
typedef struct
{
  VgWindow *window;
  GtkWidget *dialog;
  const VgOperation *operation;
  char *path;
  VgExportOptions *options;
  gboolean session, unlisted;
} Export;

static void export_to (Export *export);

/* The dialog has the answers for a view, and the user may be in another one by now. */
static gboolean
is_of_view (const Export *self)
{
  return self->operation == vg_session_get_operation (self->window->session);
}

static void
free_export (Export *self)
{
  g_object_unref (self->dialog); /* before its parent */
  g_object_unref (self->window);
  g_free (self->path);
  vg_export_options_free (self->options);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, free_export)

static Export *
copy_export (const Export *from)
{
  Export *self = g_new (Export, 1);

  *self = *from;
  g_object_ref (self->window);
  g_object_ref (self->dialog);
  self->path = g_strdup (from->path);
  self->options = vg_export_options_copy (from->options);
  return self;
}

static void
on_replace_answer (GtkDialog *dialog, int response, Export *export)
{
  VgWindow *self = export->window;

  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_ACCEPT && self->pipeline != NULL && is_of_view (export))
    export_to (export);
  else if (response == GTK_RESPONSE_NO)
    vg_export_dialog_again (VG_EXPORT_DIALOG (export->dialog), NULL);
  else
    gtk_window_destroy (GTK_WINDOW (export->dialog));
}

/* Asks whether EXPORT may replace the results of an earlier one or, if
 * UNLISTED is not NULL, the files that this text names. */
static void
ask_replace (const Export *export, const char *unlisted)
{
  static const struct
  {
    const char *text, *name; /* the name as assistive tools tell it: without the mnemonic */
    int response;
  } answers[] = {
    { N_ ("_Cancel"), N_ ("Cancel"), GTK_RESPONSE_CANCEL },
    { N_ ("Choose _Another Folder…"), N_ ("Choose Another Folder…"), GTK_RESPONSE_NO },
    { N_ ("_Replace"), N_ ("Replace"), GTK_RESPONSE_ACCEPT },
  };
  g_autofree char *name = g_path_get_basename (export->path);
  Export *again = copy_export (export);
  GtkWidget *dialog = gtk_message_dialog_new (
      GTK_WINDOW (export->window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
      GTK_MESSAGE_QUESTION, GTK_BUTTONS_NONE, _ ("Replace files in “%s”?"), name);

  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog), "%s",
      unlisted != NULL ? unlisted
                       : _ ("The folder contains an earlier export. Its results are replaced when "
                            "the new ones are complete."));
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    vg_widget_describe (
        gtk_dialog_add_button (GTK_DIALOG (dialog), _ (answers[i].text), answers[i].response),
        _ (answers[i].name), NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  again->unlisted = unlisted != NULL;
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_replace_answer), again,
                         (GClosureNotify) (void (*) (void)) free_export, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* Saves the session beside the results; FALSE: that was reported. */
static gboolean
save_session (VgWindow *self, const Export *export)
{
  g_autofree char *path = g_build_filename (export->path, "session.vivograph", NULL),
                  *text = vg_session_to_text_in (self->session, export->path);
  g_autoptr (GError) error = NULL;

  if (!export->session || vg_write_bytes (path, text, strlen (text), &error))
    return TRUE;
  vg_window_message (self, TRUE, error->message);
  return FALSE;
}

static void
report (VgWindow *self, const Export *export, guint n_maps)
{
  g_autofree char *name = g_path_get_basename (export->path), *text = NULL,
                  *texts = is_of_view (export) ? vg_export_dialog_list_texts (self->session) : NULL,
                  *whole = NULL;

  if (n_maps > 0)
    text = g_strdup_printf (
        ngettext ("Exported %u map into “%s”.", "Exported %u maps into “%s”.", n_maps), n_maps,
        name);
  else
    text = g_strdup_printf (_ ("Exported the results into “%s”, without a map."), name);
  whole = texts != NULL ? g_strdup_printf (_ ("%s Also: %s."), text, texts) : NULL;
  vg_window_show_exported (self, export->path, export->options->report,
                           whole != NULL ? whole : text);
  if (export->options->movie != NULL)
    vg_window_film (self, export->path, export->options);
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Export) export = data;
  VgWindow *self = export->window;
  g_autoptr (GError) error = NULL;
  g_autofree guint *n_maps = vg_pipeline_query_finish (VG_PIPELINE (source), result, &error);
  gboolean cancelled;

  if (self->pipeline == NULL)
    {
      gtk_window_destroy (GTK_WINDOW (export->dialog));
      return;
    }
  g_clear_object (&self->writing.exporting);
  cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (is_of_view (export) && g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    ask_replace (export, error->message);
  else if (is_of_view (export) && n_maps == NULL && !cancelled)
    vg_export_dialog_again (VG_EXPORT_DIALOG (export->dialog), vg_translate (error->message));
  else
    {
      gtk_window_destroy (GTK_WINDOW (export->dialog));
      if (n_maps == NULL)
        vg_window_message (self, !cancelled, error->message);
      else if (save_session (self, export))
        report (self, export, *n_maps);
    }
  vg_window_show_state (self);
  vg_window_end_writing (self, n_maps != NULL);
}

/* Gives the report the time course of the regions, by their names: of the shown map, or else of the
 * first that has one. */
static void
add_courses (VgWindow *self, VgExportOptions *options)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  int output = vg_session_get_view (self->session)->output;
  VgCurves *course = vg_pipeline_time_course (self->pipeline, output);

  for (int i = 0; course == NULL && i < (int) operation->n_outputs; i++)
    course = vg_pipeline_time_course (self->pipeline, i);
  g_clear_pointer (&options->courses, g_ptr_array_unref);
  if (course == NULL)
    return;
  for (guint i = 0; i < MIN (course->series->len, vg_session_get_n_regions (self->session)); i++)
    {
      VgSeries *series = course->series->pdata[i];

      g_free (series->name);
      series->name = g_strdup (vg_session_get_region (self->session, i)->name);
    }
  options->courses = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_curves_free);
  g_ptr_array_add (options->courses, course);
}

static void
add_marks (VgWindow *self, VgExportOptions *options)
{
  g_clear_pointer (&options->marks, g_array_unref);
  options->marks = vg_pipeline_get_marks (self->pipeline, FALSE);
}

static void
export_to (Export *export)
{
  VgWindow *self = export->window;
  g_autofree const VgNamedRegion **regions = NULL;
  g_autofree char *command = vg_run_command_new (self->session, export->path, export->options);
  g_autoptr (GPtrArray) notes = NULL;
  const VgView *view = vg_session_get_view (self->session);

  vg_banner_hide (VG_BANNER (self->banner)); /* with what an earlier export said */
  vg_session_commit_waiting (self->session);
  g_clear_object (&self->writing.exporting);
  self->writing.exporting = g_cancellable_new ();
  /* the preview shows an output, not a comparison */
  vg_pipeline_set_display (self->pipeline, vg_session_get_display_of (self->session, view->output),
                           view->as_stored);
  regions = vg_session_list_regions (self->session);
  notes = vg_settings_file_notes (
      vg_session_get_operation (self->session), vg_session_get_inputs (self->session),
      vg_session_get_run (self->session), vg_session_get_params (self->session));
  add_courses (self, export->options);
  add_marks (self, export->options);
  vg_window_begin_writing (self);
  vg_pipeline_query_async (self->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_EXPORT,
                                       .folder = export->path,
                                       .options = export->options,
                                       .command = command,
                                       .replace = export->unlisted,
                                       .regions = regions,
                                       .notes = notes },
                           self->writing.exporting, on_exported, copy_export (export));
  vg_window_show_state (self);
}

/* The results of an earlier export are replaced only if the user agrees; for other files the export
 * asks when it knows the names of its own. */
static void
on_chosen (VgExportDialog *dialog, VgWindow *self)
{
  g_autofree char *path = vg_export_dialog_get_folder (dialog), *parent = g_path_get_dirname (path),
                  *summary = g_build_filename (path, "summary.json", NULL);
  g_autoptr (VgExportOptions) options = vg_export_dialog_get_options (dialog);
  Export export = { .window = self,
                    .dialog = GTK_WIDGET (dialog),
                    .operation = vg_session_get_operation (self->session),
                    .path = path,
                    .options = options,
                    .session = vg_export_dialog_wants_session (dialog) };

  vg_settings_set_string (self->settings, "folder", parent);
  vg_settings_set_int (self->settings, "report", options->report);
  if (g_file_test (summary, G_FILE_TEST_EXISTS))
    ask_replace (&export, NULL);
  else
    export_to (&export);
}

/* Whether an export writes NIfTI unless the user chooses otherwise. */
static gboolean
is_volume (VgWindow *self)
{
  VgImageInfo info;

  return vg_pipeline_get_info (self->pipeline, &info) && vg_nifti_can_write (&info) &&
         vg_placement_is_of (&info, &self->result->plane);
}

static gboolean
has_dicom (VgWindow *self)
{
  VgImageInfo info;

  return vg_pipeline_get_info (self->pipeline, &info) && vg_dicom_module_get (NULL) != NULL &&
         vg_dicom_writer_accepts (&info, NULL);
}

/* Whether the images come from DICOM files: a folder, a file, or a scanner. */
static gboolean
is_dicom (VgWindow *self)
{
  const char *const *inputs = vg_session_get_inputs (self->session);
  g_autofree char *read_options = NULL,
                  *path = inputs != NULL && inputs[0] != NULL
                              ? vg_source_split_path (inputs[0], NULL, &read_options)
                              : NULL;

  return path != NULL && (g_str_has_prefix (path, "dicom-listen:") ||
                          g_file_test (path, G_FILE_TEST_IS_DIR) || vg_dicom_is_file (path));
}

/* REPORT: the report is selected. */
static void
choose (VgWindow *self, gboolean report)
{
  g_autofree char *folder = propose_folder (self);
  VgExportComparison *comparison = vg_compare_bar_get_comparison (VG_COMPARE_BAR (self->compare));
  double limits[2], interval_s;
  const gint64 frames = vg_window_count_film (self, limits, &interval_s);
  const VgExportProposal proposal = { .folder = folder,
                                      .shown = &self->result->plane,
                                      .frames = frames,
                                      .interval_s = interval_s,
                                      .limits = limits,
                                      .is_volume = is_volume (self),
                                      .has_dicom = is_volume (self) && has_dicom (self),
                                      .is_dicom = is_dicom (self),
                                      .report = report,
                                      .compared = vg_compare_bar_get_reference (
                                                      VG_COMPARE_BAR (self->compare)) != NULL,
                                      .comparison = comparison,
                                      .command = make_command };
  GtkWidget *dialog = vg_export_dialog_new (GTK_WINDOW (self), self->session, &proposal);

  vg_export_comparison_free (comparison);
  g_signal_connect_object (dialog, "chosen", G_CALLBACK (on_chosen), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
vg_window_choose_export (VgWindow *self)
{
  choose (self, vg_settings_get_int (self->settings, "report", 0, 0, 1) != 0);
}

void
vg_window_choose_report (VgWindow *self)
{
  choose (self, TRUE);
}
