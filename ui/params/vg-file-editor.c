/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-file-editor.h"
#include "ui/words/vg-translation.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/params/vg-region-editor.h"
#include "ui/common/vg-widgets.h"

struct _VgFileEditor
{
  VgEditor parent_instance;
  GtkWidget *choose, *label, *region, *clear;
};

G_DEFINE_FINAL_TYPE (VgFileEditor, vg_file_editor, VG_TYPE_EDITOR)

/* FILES (GFile) become the setting; FALSE: none has a name here. */
static gboolean
take_files (VgFileEditor *self, GListModel *files)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) names = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      g_autofree char *path = g_file_get_path (file);

      if (path)
        g_strv_builder_add (builder, path);
    }
  names = g_strv_builder_end (builder);
  text = vg_param_join_files (vg_editor_get_param (VG_EDITOR (self)), (const char *const *) names);
  if (*text)
    vg_editor_set_text (VG_EDITOR (self), text);
  return *text != '\0';
}

static void
on_chosen (gpointer asker, GListModel *files)
{
  take_files (asker, files);
}

static void
on_choose (VgFileEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  const VgFileQuestion question = { .title = param->label,
                                    .accept = "_Open",
                                    .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                    .multiple = param->file.multiple };

  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_chosen);
}

static void
on_clear (VgFileEditor *self)
{
  vg_editor_set_text (VG_EDITOR (self), "");
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, VgFileEditor *self)
{
  g_autoptr (GListStore) files = g_list_store_new (G_TYPE_FILE);

  for (GSList *file = g_value_get_boxed (value); file; file = file->next)
    if (g_list_model_get_n_items (G_LIST_MODEL (files)) == 0 ||
        vg_editor_get_param (VG_EDITOR (self))->file.multiple)
      g_list_store_append (files, file->data);
  return take_files (self, G_LIST_MODEL (files));
}

static void
vg_file_editor_build (VgEditor *editor)
{
  VgFileEditor *self = VG_FILE_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  self->choose = gtk_button_new ();
  self->label = g_object_new (GTK_TYPE_LABEL, "ellipsize", PANGO_ELLIPSIZE_START, NULL);
  gtk_button_set_child (GTK_BUTTON (self->choose), self->label);
  gtk_widget_set_hexpand (self->choose, TRUE);
  vg_widget_describe (self->choose, vg_editor_get_name (editor), vg_translate (param->help));
  self->clear = vg_icon_button_new ("edit-clear-symbolic", _ ("No file"));
  gtk_box_append (GTK_BOX (box), self->choose);
  if (param->file.or_region)
    {
      self->region = vg_region_editor_button (editor);
      gtk_box_append (GTK_BOX (box), self->region);
    }
  gtk_box_append (GTK_BOX (box), self->clear);
  g_signal_connect_swapped (self->choose, "clicked", G_CALLBACK (on_choose), self);
  g_signal_connect_swapped (self->clear, "clicked", G_CALLBACK (on_clear), self);
  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (box, GTK_EVENT_CONTROLLER (drop));
  vg_editor_set_body (editor, box);
  vg_editor_set_focus (editor, self->choose);
}

/* The name of the region that the setting is, or NULL. */
static const char *
region_name (VgEditor *editor)
{
  VgSession *session = vg_editor_get_session (editor);

  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    {
      const VgNamedRegion *region = vg_session_get_region (session, i);

      if (vg_session_param_is_region (vg_editor_get_param (editor), vg_editor_get_params (editor),
                                      &region->region))
        return region->name;
    }
  return NULL;
}

/* "FA_1.hdr and 2 more"; NULL: it is one file. */
static char *
describe_several (const VgParam *param, const char *text)
{
  g_auto (GStrv) names = vg_param_split_files (param, text);
  guint n = g_strv_length (names);
  g_autofree char *first = n > 1 ? g_filename_display_basename (names[0]) : NULL;

  return n > 1 ? g_strdup_printf (_ ("%s and %u more"), first, n - 1) : NULL;
}

static void
vg_file_editor_sync (VgEditor *editor)
{
  VgFileEditor *self = VG_FILE_EDITOR (editor);
  g_autofree char *path = vg_param_format (vg_editor_get_param (editor),
                                           vg_editor_get_params (editor));
  const char *name = region_name (editor);
  g_autofree char *followed = name ? g_strdup_printf (_ ("Region “%s”"), name)
                                   : describe_several (vg_editor_get_param (editor),
                                                       path ? path : "");
  gboolean set = path && *path;

  gtk_label_set_text (GTK_LABEL (self->label), followed ? followed
                                               : set    ? path
                                               : vg_editor_get_param (editor)->file.multiple
                                                   ? _ ("Choose files…")
                                                   : _ ("Choose a file…"));
  vg_widget_set_tooltip (self->choose,
                         set ? path : vg_translate (vg_editor_get_param (editor)->help));
  if (self->region)
    vg_region_editor_sync_button (self->region, editor);
  gtk_widget_set_sensitive (self->clear, set);
}

static void
vg_file_editor_class_init (VgFileEditorClass *class)
{
  VG_EDITOR_CLASS (class)->below = TRUE;
  VG_EDITOR_CLASS (class)->build = vg_file_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_file_editor_sync;
}

static void
vg_file_editor_init (VgFileEditor *self)
{
}
