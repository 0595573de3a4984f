/* SPDX-License-Identifier: MIT */
/* Opening, saving and exporting: dialogs and drops. */
#include "ui/window/vg-window-private.h"
#include "ui/words/vg-translation.h"
#include <string.h>
#include "ui/camera/vg-record-panel.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-recent.h"
#include "ui/welcome/vg-drop-sign.h"
#include "ui/volume/vg-mask-panel.h"
#include "app/compute/vg-file-series.h"
#include "io/dicom/receive/vg-dicom-receiver.h"
#include "io/live/vg-live.h"
#include "io/write/vg-output-file.h"

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

  if (question.folder == NULL || *question.folder == '\0')
    question.folder = folder;
  self->chosen = chosen;
  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_chosen);
}

/* Asks for one file or folder; SUFFIX, or NULL, ends the name that is proposed. */
static void
choose_one (VgWindow *self, GtkFileChooserAction action, const char *title, const char *accept,
            const char *suffix, Chosen chosen)
{
  g_autofree char *name = suffix != NULL ? vg_window_name_output (self, suffix) : NULL;

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
  if (n == 1 && vg_dicom_receiver_is_address (files[0]))
    {
      vg_window_receive (self, files[0]);
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
  if (!vg_opening_open_files (self->opening, files, read_options, &error))
    {
      vg_window_message (self, TRUE, error->message);
      return;
    }
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

void
vg_window_choose_folder (VgWindow *self)
{
  choose_one (self, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("Open Folder"), _ ("_Open"), NULL,
              open_chosen);
}

static void
session_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_window_open_session (self, path);
}

/* Of the files of all views, and of sessions. */
static char *
join_suffixes (void)
{
  GString *text = g_string_new ("vivograph");
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (operations[i]->input.suffixes != NULL)
      g_string_append_printf (text, " %s", operations[i]->input.suffixes);
  return g_string_free (text, FALSE);
}

void
vg_window_choose_open (VgWindow *self, gboolean session)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const char *input = vg_session_get_inputs (self->session)[0];
  g_autofree char *all = join_suffixes (),
                  *folder = input != NULL && *input != '-' && !vg_live_is_address (input)
                                ? g_path_get_dirname (input)
                                : NULL,
                  *own = g_strdup_printf (_ ("Files for %s"), vg_translate (operation->title));
  const VgFileGroup kinds[] = { { own, operation->input.suffixes }, { _ ("All formats"), all } },
                    sessions = { _ ("Sessions"), "vivograph" };

  choose (self,
          (VgFileQuestion){ .title = session ? _ ("Open Session") : _ ("Open"),
                            .accept = _ ("_Open"),
                            .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                            .multiple = !session,
                            .folder = folder,
                            .kinds = session ? &sessions : kinds,
                            .n_kinds = session ? 1 : G_N_ELEMENTS (kinds) },
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
  GtkWidget *overlay = gtk_overlay_new ();

  g_object_ref (self->box);
  gtk_window_set_child (GTK_WINDOW (self), overlay);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->box);
  g_object_unref (self->box);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), vg_drop_sign_new (drop, self->session));
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

/* ---- the image ---- */

static void
screenshot_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = vg_viewer_capture (self->viewer, &error);
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

/* ---- the mask of a volume ---- */

static VgMaskPanel *
get_mask (VgWindow *self)
{
  return VG_MASK_PANEL (vg_sections_get_mask (vg_viewer_get_sections (self->viewer)));
}

static void
mask_opened (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_mask_panel_open (get_mask (self), path);
}

static void
mask_saved (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_mask_panel_save (get_mask (self), path);
}

void
vg_window_choose_mask (VgWindow *self, gboolean save)
{
  if (save)
    choose_one (self, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save Mask"), _ ("_Save"), "-mask.nii.gz",
                mask_saved);
  else
    choose_one (self, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Open Mask"), _ ("_Open"), NULL,
                mask_opened);
}

/* ---- record ---- */

static void
record_chosen (VgWindow *self, GListModel *files)
{
  g_autofree char *path = first_path (files);

  vg_record_bar_start (VG_RECORD_BAR (self->record.bar), path, self->record.from_us);
}

void
vg_window_choose_record (VgWindow *self)
{
  g_autofree char *folder = vg_settings_get_string (self->settings, "recordings"),
                  *name = vg_window_name_output (self, vg_record_suffix (self->settings));
  const int before_s = vg_record_seconds_before (self->settings);

  /* the seconds end now, not when the file has its name */
  self->record.from_us = before_s > 0 ? g_get_monotonic_time () - before_s * (gint64) G_USEC_PER_SEC
                                      : G_MAXINT64;
  choose (self,
          (VgFileQuestion){ .title = _ ("Record"),
                            .accept = _ ("_Record"),
                            .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                            .name = name,
                            .folder = folder },
          record_chosen);
}
