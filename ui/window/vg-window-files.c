/* SPDX-License-Identifier: MIT */
/* Opening, saving and exporting: dialogs and drops. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include <string.h>
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-recent.h"
#include "app/compute/vg-file-series.h"
#include "app/export/vg-run-command.h"
#include "io/write/vg-output-file.h"
#include "app/session/vg-settings-file.h"

static const char SESSION_SUFFIX[] = ".vivograph";

typedef void (*Chosen) (VgWindow *self, GListModel *files);

static char *
first_path (GListModel *files)
{
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);

  return g_file_get_path (file);
}

static void
on_chosen (gpointer asker, GListModel *files)
{
  VgWindow *self = asker;
  g_autofree char *folder = vg_file_chooser_get_folder ();

  if (folder)
    vg_settings_set_string (self->settings, "folder", folder);
  self->chosen (self, files);
}

/* Opens the file dialog in the folder of the last choice. */
static void
choose (VgWindow *self, VgFileQuestion question, Chosen chosen)
{
  g_autofree char *folder = vg_settings_get_string (self->settings, "folder");

  question.folder = folder;
  self->chosen = chosen;
  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_chosen);
}

static char *
suggest_name (VgWindow *self, const char *suffix)
{
  const char *input = vg_session_get_inputs (self->session)[0];
  g_autofree char *base = input && strcmp (input, "-") != 0
                              ? g_path_get_basename (input)
                              : g_strdup (vg_session_get_operation (self->session)->id);
  char *dot = strrchr (base, '.');

  if (dot && dot > base)
    *dot = '\0';
  return g_strconcat (base, suffix, NULL);
}

/* Asks for one file or folder; SUFFIX, or NULL, ends the name that is proposed. */
static void
choose_one (VgWindow *self, GtkFileChooserAction action, const char *title, const char *accept,
            const char *suffix, Chosen chosen)
{
  g_autofree char *name = suffix != NULL ? suggest_name (self, suffix) : NULL;

  choose (self, (VgFileQuestion){ title, accept, action, .name = name }, chosen);
}

/* ---- open ---- */

void
vg_window_open_files (VgWindow *self, const char *const *files, const char *read_options)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  g_autoptr (GError) error = NULL;
  guint n = files ? g_strv_length ((char **) files) : 0;

  if (n == 1 && g_str_has_suffix (files[0], SESSION_SUFFIX))
    {
      vg_window_open_session (self, files[0]);
      return;
    }
  if (n > 0 && operation->input.files[1] >= 0 && (int) n > operation->input.files[1])
    {
      g_autofree char *text = g_strdup_printf (
          _ ("%u files were chosen, but %s accepts %d. Open fewer at once."), n,
          vg_translate (operation->title), operation->input.files[1]);
      vg_window_message (self, TRUE, text);
      return;
    }
  for (guint i = 0; i < n; i++)
    if (strcmp (files[i], "-") != 0)
      vg_recent_add (files[i]);
  if (!vg_opening_open_files (self->opening, files, read_options, &error))
    vg_window_message (self, TRUE, error->message);
}

static void
open_chosen (VgWindow *self, GListModel *files)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) paths = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      g_autofree char *path = g_file_get_path (file);
      if (path)
        g_strv_builder_add (builder, path);
    }
  paths = g_strv_builder_end (builder);
  vg_file_series_sort (paths); /* dropped or listed by date they come in another order */
  if (paths[0])
    vg_window_open_files (self, (const char *const *) paths, NULL);
  else
    vg_window_message (self, TRUE, _ ("Copy the file to this computer first."));
}

static void
session_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_window_open_session (self, path);
}

void
vg_window_choose_open (VgWindow *self, gboolean session)
{
  static const char *const recordings[] = { "tif", "tiff", "nii", "nii.gz", "sdt",
                                            "ptu", "bin",  "zip", NULL };
  static const char *const sessions[] = { "vivograph", NULL };

  choose (self,
          (VgFileQuestion){ .title = session ? _ ("Open Session") : _ ("Open"),
                            .accept = _ ("_Open"),
                            .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                            .multiple = !session,
                            .kind = session ? _ ("Sessions") : _ ("Recordings"),
                            .suffixes = session ? sessions : recordings,
                            .kind_first = session },
          session ? session_chosen : open_chosen);
}

static void
regions_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_window_import_regions (self, path);
}

void
vg_window_choose_regions (VgWindow *self)
{
  choose_one (self, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Import Regions"), _ ("_Import"), NULL,
              regions_chosen);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, VgWindow *self)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);
  GSList *list = gdk_file_list_get_files (g_value_get_boxed (value));

  for (GSList *l = list; l; l = l->next)
    g_list_store_append (files, l->data);
  g_slist_free (list);
  open_chosen (self, G_LIST_MODEL (files));
  return TRUE;
}

void
vg_window_accept_drops (VgWindow *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
}

/* ---- save ---- */

/* Sessions are recognised by their suffix.  NULL: the file with the suffix exists, and the dialog
 * has not asked whether it may be replaced. */
static char *
with_session_suffix (const char *path)
{
  g_autofree char *whole = g_str_has_suffix (path, SESSION_SUFFIX)
                               ? NULL
                               : g_strconcat (path, SESSION_SUFFIX, NULL);

  if (whole == NULL)
    return g_strdup (path);
  return g_file_test (whole, G_FILE_TEST_EXISTS) ? NULL : g_steal_pointer (&whole);
}

static void
save_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *named = first_path (files), *path = with_session_suffix (named), *text = NULL;

  if (path != NULL)
    vg_window_save_as (self, path);
  else
    {
      text = g_strdup_printf (
          _ ("\"%s%s\" already exists. Choose it to replace it, or another name."), named,
          SESSION_SUFFIX);
      vg_window_message (self, TRUE, text);
    }
}

void
vg_window_choose_save (VgWindow *self)
{
  choose_one (self, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save Session"), _ ("_Save"), SESSION_SUFFIX,
              save_chosen);
}

/* ---- export ---- */

/* A folder to export into.  UNLISTED: files that no earlier export wrote may be replaced. */
typedef struct
{
  VgWindow *window;
  char *path;
  gboolean unlisted;
} Export;

static void export_to (VgWindow *self, const char *path, gboolean unlisted);

static void
free_export (Export *self)
{
  g_object_unref (self->window);
  g_free (self->path);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Export, free_export)

static Export *
new_export (VgWindow *window, const char *path, gboolean unlisted)
{
  Export *self = g_new (Export, 1);

  *self = (Export){ g_object_ref (window), g_strdup (path), unlisted };
  return self;
}

static void
on_replace_answer (GtkDialog *dialog, int response, Export *export)
{
  VgWindow *self = export->window;

  gtk_window_destroy (GTK_WINDOW (dialog));
  if (response == GTK_RESPONSE_ACCEPT && self->pipeline != NULL)
    export_to (self, export->path, export->unlisted);
  else if (response == GTK_RESPONSE_NO)
    vg_window_choose_export (self);
}

/* Asks whether an export into the folder PATH may replace the results of an earlier one or, if
 * UNLISTED is not NULL, the files that this text names. */
static void
ask_replace (VgWindow *self, const char *path, const char *unlisted)
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
  g_autofree char *name = g_path_get_basename (path);
  GtkWidget *dialog = gtk_message_dialog_new (
      GTK_WINDOW (self), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
      GTK_BUTTONS_NONE, _ ("Replace files in “%s”?"), name);

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
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_replace_answer),
                         new_export (self, path, unlisted != NULL),
                         (GClosureNotify) (void (*) (void)) free_export, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Export) export = data;
  VgWindow *self = export->window;
  g_autoptr (GError) error = NULL;
  g_autofree guint *n_maps = vg_pipeline_query_finish (VG_PIPELINE (source), result, &error);
  gboolean exported = n_maps != NULL, asks = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS);

  if (self->pipeline == NULL)
    return;
  g_clear_object (&self->writing.exporting);
  if (asks)
    ask_replace (self, export->path, error->message);
  else
    vg_window_message (
        self, !exported && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED),
        !exported ? error->message
        : *n_maps > 0
            ? _ ("Exported the maps, summary.json and preview.png")
            : _ ("Exported summary.json with the numbers; these settings produce no map"));
  vg_window_show_state (self);
  vg_window_end_writing (self, exported);
}

static void
export_to (VgWindow *self, const char *path, gboolean unlisted)
{
  g_autofree const VgNamedRegion **regions = NULL;
  g_autofree char *command = vg_run_command_new (self->session, path);
  g_autoptr (GPtrArray) notes = NULL;
  gboolean compared;

  vg_session_commit_waiting (self->session);
  g_clear_object (&self->writing.exporting);
  self->writing.exporting = g_cancellable_new ();
  /* the preview shows an output, not a comparison */
  compared = vg_session_get_view (self->session)->compare != VG_COMPARE_OFF;
  vg_pipeline_set_display (self->pipeline, compared ? NULL : vg_session_get_display (self->session),
                           vg_session_get_view (self->session)->as_stored);
  regions = vg_session_list_regions (self->session);
  notes = vg_settings_file_notes (
      vg_session_get_operation (self->session), vg_session_get_inputs (self->session),
      vg_session_get_run (self->session), vg_session_get_params (self->session));
  vg_window_begin_writing (self);
  vg_pipeline_query_async (self->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_EXPORT,
                                       .folder = path,
                                       .command = command,
                                       .replace = unlisted,
                                       .regions = regions,
                                       .notes = notes },
                           self->writing.exporting, on_exported, new_export (self, path, unlisted));
  vg_window_show_state (self);
}

/* The results of an earlier export are replaced only if the user agrees; for other files the export
 * asks when it knows the names of its own. */
static void
export_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);
  g_autofree char *summary = g_build_filename (path, "summary.json", NULL);

  if (g_file_test (summary, G_FILE_TEST_EXISTS))
    ask_replace (self, path, NULL);
  else
    export_to (self, path, FALSE);
}

void
vg_window_choose_export (VgWindow *self)
{
  choose_one (self, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("Export Maps"), _ ("_Export"), NULL,
              export_chosen);
}

static void
screenshot_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = vg_image_view_capture (VG_IMAGE_VIEW (self->image), &error);
  g_autoptr (GBytes) png = texture ? gdk_texture_save_to_png_bytes (texture) : NULL;

  if (png && vg_write_bytes (path, g_bytes_get_data (png, NULL), g_bytes_get_size (png), &error))
    text = g_strdup_printf (_ ("Saved the image as \"%s\""), path);
  vg_window_message (self, text == NULL,
                     text    ? text
                     : error ? error->message
                             : _ ("There is no image to save."));
}

void
vg_window_choose_screenshot (VgWindow *self)
{
  choose_one (self, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save Image"), _ ("_Save"), ".png",
              screenshot_chosen);
}

/* ---- record ---- */

static void
record_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_record_bar_start (VG_RECORD_BAR (self->record_bar), path);
}

void
vg_window_choose_record (VgWindow *self)
{
  choose_one (self, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Record"), _ ("_Record"), "-recording.tif",
              record_chosen);
}
