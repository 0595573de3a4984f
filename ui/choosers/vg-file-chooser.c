/* SPDX-License-Identifier: MIT */
#include "ui/choosers/vg-file-chooser.h"
#include "ui/words/vg-translation.h"

static struct
{
  GtkFileChooserNative *dialog;
  GtkWidget *asker; /* NULL: nobody waits for an answer */
  VgFilesChosen chosen;
} question_now;

static void
on_asker_gone (gpointer data, GObject *asker)
{
  question_now.asker = NULL;
  gtk_native_dialog_hide (GTK_NATIVE_DIALOG (question_now.dialog));
  gtk_native_dialog_set_transient_for (GTK_NATIVE_DIALOG (question_now.dialog), NULL);
}

/* Takes the asker. */
static GtkWidget *
end_question (void)
{
  GtkWidget *asker = g_steal_pointer (&question_now.asker);

  if (asker != NULL)
    g_object_weak_unref (G_OBJECT (asker), on_asker_gone, NULL);
  gtk_native_dialog_set_transient_for (GTK_NATIVE_DIALOG (question_now.dialog), NULL);
  return asker;
}

/* FALSE: some of FILES have no path, because they are in a network folder or on a phone. */
static gboolean
are_local (GListModel *files)
{
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      g_autofree char *path = g_file_get_path (file);

      if (path == NULL)
        return FALSE;
    }
  return TRUE;
}

static void
show_not_local (GtkWidget *asker)
{
  GtkWidget *dialog = gtk_message_dialog_new (
      GTK_WINDOW (gtk_widget_get_root (asker)), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT,
      GTK_MESSAGE_ERROR, GTK_BUTTONS_CLOSE, "%s", _ ("This is not a file on this computer"));

  gtk_message_dialog_format_secondary_text (
      GTK_MESSAGE_DIALOG (dialog), "%s",
      _ ("Copy files to this computer before you open them, and save to a folder on it."));
  g_signal_connect (dialog, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_response (GtkNativeDialog *dialog, int response)
{
  g_autoptr (GListModel) files = response == GTK_RESPONSE_ACCEPT
                                     ? gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog))
                                     : NULL;
  GtkWidget *asker = end_question ();

  if (asker == NULL || files == NULL || g_list_model_get_n_items (files) == 0)
    return;
  if (are_local (files))
    question_now.chosen (asker, files);
  else
    show_not_local (asker);
}

/* Filters live as long as the dialog, which keeps a pointer to the one in use and no reference. */
static GtkFileFilter *
get_filter (const char *name, const char *suffixes)
{
  g_auto (GStrv) endings = NULL;
  static GHashTable *filters = NULL;
  GtkFileFilter *filter;

  if (filters == NULL)
    filters = g_hash_table_new (g_str_hash, g_str_equal);
  filter = g_hash_table_lookup (filters, name);
  if (filter != NULL)
    return filter;
  filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, name);
  if (suffixes == NULL)
    gtk_file_filter_add_pattern (filter, "*");
  endings = g_strsplit (suffixes != NULL ? suffixes : "", " ", -1);
  for (guint i = 0; endings[i] != NULL; i++)
    gtk_file_filter_add_suffix (filter, endings[i]);
  g_hash_table_insert (filters, g_strdup (name), filter);
  return filter;
}

/* GTK 4.8 gives up a reference too many to a filter that it removes; ours are never freed. */
static void
set_filters (GtkFileChooser *chooser, const VgFileQuestion *question)
{
  static GtkFileFilter *now[VG_MOST_FILE_GROUPS + 1];
  guint n = MIN (question->n_kinds, VG_MOST_FILE_GROUPS);

  for (guint i = 0; i < G_N_ELEMENTS (now); i++)
    if (now[i] != NULL)
      gtk_file_chooser_remove_filter (chooser, g_object_ref (now[i]));
  for (guint i = 0; i < G_N_ELEMENTS (now); i++)
    now[i] = i < n    ? get_filter (question->kinds[i].name, question->kinds[i].suffixes)
             : i == n ? get_filter (_ ("All files"), NULL)
                      : NULL;
  for (guint i = 0; i <= n; i++)
    gtk_file_chooser_add_filter (chooser, now[i]);
  gtk_file_chooser_set_filter (chooser, now[0]);
}

/* The folder in which the dialog begins; NULL: the one that it shows.  A dialog that listed recent
 * files must show a folder before it saves.  Otherwise GTK 4.8 offers no way to a folder, and ends
 * the program when a recent file is clicked. */
static GFile *
get_start (const VgFileQuestion *question)
{
  g_autofree char *now = vg_file_chooser_get_folder ();

  if (question->folder != NULL && g_file_test (question->folder, G_FILE_TEST_IS_DIR))
    return g_file_new_for_path (question->folder);
  if (question->action == GTK_FILE_CHOOSER_ACTION_OPEN || now != NULL)
    return NULL;
  return g_file_new_for_path (".");
}

/* Enter must not replace a file.  GTK proposes to replace it in its question, which the dialog
 * opens as a window of its own. */
static void
on_question (GtkDialog *dialog)
{
  GtkWidget *cancel = gtk_dialog_get_widget_for_response (dialog, GTK_RESPONSE_CANCEL);
  GtkWindow *parent = gtk_window_get_transient_for (GTK_WINDOW (dialog));

  if (cancel == NULL || !GTK_IS_FILE_CHOOSER (parent))
    return;
  gtk_dialog_set_default_response (dialog, GTK_RESPONSE_CANCEL);
  gtk_widget_grab_focus (cancel);
}

static void
on_windows (GListModel *windows, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (GTK_IS_MESSAGE_DIALOG (window))
        g_signal_connect_after (window, "map", G_CALLBACK (on_question), NULL);
    }
}

void
vg_file_chooser_ask (GtkWidget *asker, const VgFileQuestion *question, VgFilesChosen chosen)
{
  g_autoptr (GFile) folder = NULL;
  GtkFileChooser *chooser;

  if (question_now.dialog == NULL)
    {
      question_now.dialog = gtk_file_chooser_native_new (question->title, NULL, question->action,
                                                         question->accept, _ ("_Cancel"));
      gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (question_now.dialog), TRUE);
      g_signal_connect (question_now.dialog, "response", G_CALLBACK (on_response), NULL);
      g_signal_connect (gtk_window_get_toplevels (), "items-changed", G_CALLBACK (on_windows),
                        NULL);
    }
  /* the answer to what was asked before is not waited for any more */
  if (question_now.asker != NULL)
    {
      end_question ();
      gtk_native_dialog_hide (GTK_NATIVE_DIALOG (question_now.dialog));
    }
  chooser = GTK_FILE_CHOOSER (question_now.dialog);
  question_now.asker = asker;
  question_now.chosen = chosen;
  g_object_weak_ref (G_OBJECT (asker), on_asker_gone, NULL);
  gtk_native_dialog_set_title (GTK_NATIVE_DIALOG (question_now.dialog), question->title);
  gtk_native_dialog_set_transient_for (GTK_NATIVE_DIALOG (question_now.dialog),
                                       GTK_WINDOW (gtk_widget_get_root (asker)));
  gtk_file_chooser_native_set_accept_label (question_now.dialog, question->accept);
  gtk_file_chooser_set_select_multiple (chooser, FALSE); /* which saving refuses */
  gtk_file_chooser_set_action (chooser, question->action);
  gtk_file_chooser_set_select_multiple (chooser, question->multiple);
  set_filters (chooser, question);
  folder = get_start (question);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, folder, NULL);
  if (question->name != NULL)
    gtk_file_chooser_set_current_name (chooser, question->name);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (question_now.dialog));
}

char *
vg_file_chooser_get_folder (void)
{
  g_autoptr (GFile)
      folder = question_now.dialog
                   ? gtk_file_chooser_get_current_folder (GTK_FILE_CHOOSER (question_now.dialog))
                   : NULL;

  return folder ? g_file_get_path (folder) : NULL;
}

GtkNativeDialog *
vg_file_chooser_get_dialog (void)
{
  return (GtkNativeDialog *) question_now.dialog;
}
