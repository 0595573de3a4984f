/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-preset-chooser.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgPresetChooser
{
  VgBin parent_instance;
  VgEditor *editor; /* not owned: it owns this */
  GtkWidget *drop_down, *source;
  GtkStringList *names;
};

G_DEFINE_FINAL_TYPE (VgPresetChooser, vg_preset_chooser, VG_TYPE_BIN)

/* In the list a preset stands with its source below. */
static void
on_setup_preset (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *title = vg_label_new ("", NULL),
            *source = vg_label_new ("", "caption");

  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_NONE);
  gtk_box_append (GTK_BOX (box), title);
  gtk_widget_add_css_class (source, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (source), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (GTK_LABEL (source), TRUE);
  /* the list is as wide as its labels must be */
  gtk_label_set_width_chars (GTK_LABEL (source), 34);
  gtk_label_set_max_width_chars (GTK_LABEL (source), 44);
  gtk_box_append (GTK_BOX (box), source);
  gtk_list_item_set_child (item, box);
}

static void
on_bind_preset (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const VgParam *param = data;
  guint i = gtk_list_item_get_position (item);
  GtkWidget *title = gtk_widget_get_first_child (gtk_list_item_get_child (item)),
            *source = gtk_widget_get_next_sibling (title);

  gtk_label_set_text (GTK_LABEL (title),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
  gtk_label_set_text (GTK_LABEL (source), i > 0 ? param->table.presets[i - 1].source : "");
  gtk_widget_set_visible (source, i > 0);
}

static guint
selected_preset (VgPresetChooser *self)
{
  return gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop_down));
}

static void
show_source (VgPresetChooser *self)
{
  const VgParam *param = vg_editor_get_param (self->editor);
  guint selected = selected_preset (self);
  const char *source = selected == 0 || selected == GTK_INVALID_LIST_POSITION
                           ? NULL
                           : param->table.presets[selected - 1].source;

  gtk_label_set_text (GTK_LABEL (self->source), source != NULL ? source : "");
  gtk_widget_set_visible (self->source, source != NULL);
  vg_widget_set_tooltip (self->drop_down,
                         source != NULL ? source : _ ("Fill the table with known values"));
}

/* The preset that the table is; 0, the heading, for none. */
static guint
find_preset (VgPresetChooser *self)
{
  const VgParam *param = vg_editor_get_param (self->editor);
  const VgTable *table = *(VgTable *const *) ((const char *) vg_editor_get_params (self->editor) +
                                              param->offset);

  for (guint i = 0; table != NULL && param->table.presets[i].id; i++)
    {
      VgTable *known = vg_table_parse (param->table.presets[i].text, table->columns, NULL);
      gboolean same = known && vg_table_equal (known, table);

      vg_table_free (known);
      if (same)
        return i + 1;
    }
  return 0;
}

/* The row that was chosen is of another table now. */
static void
leave_row (VgSession *session)
{
  VgView view = *vg_session_get_view (session);

  view.row = 0;
  vg_session_set_view (session, &view);
}

static void
on_selected (VgPresetChooser *self)
{
  const VgParam *param = vg_editor_get_param (self->editor);
  guint selected = selected_preset (self), present;

  show_source (self);
  if (vg_editor_is_syncing (self->editor) || selected == GTK_INVALID_LIST_POSITION)
    return;
  present = find_preset (self);
  if (selected == 0) /* the heading is no choice */
    gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), present);
  if (selected == 0 || selected == present)
    return;
  /* by its name: what else it brings follows */
  vg_editor_set_text (self->editor, param->table.presets[selected - 1].id);
  leave_row (vg_editor_get_session (self->editor));
}

/* What stands in place of a preset: the values are those of the file, or the user's. */
static const char *
find_heading (VgPresetChooser *self, guint preset)
{
  const VgParam *param = vg_editor_get_param (self->editor);
  VgSession *session = vg_editor_get_session (self->editor);

  if (preset > 0)
    return _ ("Presets");
  return vg_session_get_inputs (session)[0] != NULL &&
                 vg_param_equal (param, vg_editor_get_params (self->editor),
                                 vg_session_get_given (session))
             ? _ ("From the file")
             : _ ("Edited");
}

void
vg_preset_chooser_sync (VgPresetChooser *self)
{
  guint preset = find_preset (self);
  const char *const heading[] = { find_heading (self, preset), NULL };

  if (!g_str_equal (gtk_string_list_get_string (self->names, 0), heading[0]))
    gtk_string_list_splice (self->names, 0, 1, heading);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), preset);
}

GtkWidget *
vg_preset_chooser_get_source (VgPresetChooser *self)
{
  return self->source;
}

static void
vg_preset_chooser_dispose (GObject *object)
{
  g_clear_object (&VG_PRESET_CHOOSER (object)->source);
  G_OBJECT_CLASS (vg_preset_chooser_parent_class)->dispose (object);
}

static void
vg_preset_chooser_class_init (VgPresetChooserClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_preset_chooser_dispose;
}

static void
vg_preset_chooser_init (VgPresetChooser *self)
{
  self->source = g_object_ref_sink (vg_label_new ("", "caption"));
  gtk_widget_add_css_class (self->source, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->source), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_wrap (GTK_LABEL (self->source), TRUE);
}

GtkWidget *
vg_preset_chooser_new (VgEditor *editor)
{
  VgPresetChooser *self = g_object_new (VG_TYPE_PRESET_CHOOSER, NULL);
  const VgParam *param = vg_editor_get_param (editor);
  GtkStringList *names = gtk_string_list_new (NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  self->editor = editor;
  self->names = names;
  gtk_string_list_append (names, _ ("Presets"));
  for (const VgPreset *preset = param->table.presets; preset->id; preset++)
    gtk_string_list_append (names, vg_translate (preset->label));
  self->drop_down = gtk_drop_down_new (G_LIST_MODEL (names), NULL); /* which owns them */
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup_preset), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind_preset), (gpointer) param);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (self->drop_down), factory);
  vg_widget_describe (self->drop_down, _ ("Presets"), _ ("Fill the table with known values"));
  g_signal_connect_swapped (self->drop_down, "notify::selected", G_CALLBACK (on_selected), self);
  gtk_widget_set_parent (self->drop_down, GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
