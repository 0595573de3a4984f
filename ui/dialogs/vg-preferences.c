/* SPDX-License-Identifier: MIT */
/* Choices are stored under the keys that the theme follower and the window
 * listen to. */
#include "ui/dialogs/vg-preferences.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { MARGIN_PX = 18, WIDTH_PX = 220, MOST_CHOICES = 7 };

/* A preference as it was before a change. */
typedef struct
{
  char *key, *before;
} Change;

struct _VgPreferences
{
  GtkWindow parent_instance;
  VgSettings *settings;
  GtkWidget *box, *folder, *no_folder, *undo;
  GHashTable *choices; /* GtkDropDown, by the key of the preference */
  GQueue changes;      /* of Change, the newest first */
};

G_DEFINE_FINAL_TYPE (VgPreferences, vg_preferences, GTK_TYPE_WINDOW)

/* A row begins a group if it has a title; the group without a title is folded away. */
typedef struct
{
  const char *group, *key, *label, *name, *help;
  const char *choices[MOST_CHOICES];
} Row;

static const Row rows[] = {
  { N_ ("Start"),
    "start",
    N_ ("_Begin with"),
    N_ ("Begin with"),
    N_ ("What the window shows at first when no file is given"),
    { N_ ("Sample data"), N_ ("Last session"), N_ ("Nothing") } },
  { NULL,
    "language",
    N_ ("_Language, from the next start"),
    N_ ("Language"),
    N_ ("Language of the window, from the next start"),
    { N_ ("System"), "English", "Deutsch" } },
  { N_ ("Appearance"),
    "theme",
    N_ ("_Theme"),
    N_ ("Theme"),
    N_ ("Light or dark window"),
    { N_ ("System"), N_ ("Light"), N_ ("Dark") } },
  { NULL,
    "ground",
    N_ ("_Around the image"),
    N_ ("Around the image"),
    N_ ("Grey around the image"),
    { N_ ("Dark"), N_ ("Black"), N_ ("Grey") } },
  { NULL,
    "colormap",
    N_ ("_Colour map"),
    N_ ("Colour map of all maps"),
    N_ ("Colour map of all maps for which you have chosen none. Cividis looks alike with every "
        "kind "
        "of colour vision. Differences and labels keep their own."),
    { N_ ("As the map suggests"), "Viridis", "Magma", "Inferno", N_ ("Cividis (colour-blind safe)"),
      N_ ("Grey") } },
  { N_ ("Numbers"),
    "figures",
    N_ ("Significant _digits"),
    N_ ("Significant digits"),
    N_ ("Of numbers in the window; files have all digits"),
    { "4", "3", "5", "6" } },
  { NULL,
    "length-unit",
    N_ ("Length _unit"),
    N_ ("Length unit of all views"),
    N_ ("Unit of axes, positions, lengths and coefficients in every view"),
    { N_ ("From file"), "µm", "mm", "cm" } },
  { N_ ("Files"),
    "autosave",
    N_ ("_Save sessions"),
    N_ ("Save sessions"),
    N_ ("When a session that has a file is saved"),
    { N_ ("By hand"), N_ ("After each change"), N_ ("Every five minutes") } },
  { "",
    "backend",
    N_ ("P_rocessor"),
    N_ ("Processor"),
    N_ ("Processor for computing; changing it restarts the source"),
    { N_ ("Automatic"), N_ ("CPU"), N_ ("CUDA GPU") } },
  { NULL,
    "display",
    N_ ("R_endering"),
    N_ ("Rendering"),
    N_ ("How maps reach the screen: directly on the GPU, or through the computer's memory"),
    { N_ ("Automatic"), N_ ("GPU interop"), N_ ("Host memory") } },
};

static void
change_free (gpointer data)
{
  Change *change = data;

  g_free (change->key);
  g_free (change->before);
  g_free (change);
}

/* Sets the preference KEY, and remembers what it was. */
static void
set (VgPreferences *self, const char *key, const char *value)
{
  Change *change = g_new (Change, 1);

  *change = (Change){ g_strdup (key), vg_settings_get_string (self->settings, key) };
  g_queue_push_head (&self->changes, change);
  vg_settings_set_string (self->settings, key, value);
  gtk_widget_set_sensitive (self->undo, TRUE);
}

/* What is shown is what counts, also where nothing was ever chosen. */
static int
get (VgPreferences *self, const char *key, const Row *row)
{
  return vg_settings_get_int (self->settings, key, 0, 0,
                              (int) g_strv_length ((char **) row->choices) - 1);
}

static void
on_selected (GtkDropDown *drop_down, GParamSpec *pspec, VgPreferences *self)
{
  const Row *row = g_object_get_data (G_OBJECT (drop_down), "vg-row");
  guint chosen = gtk_drop_down_get_selected (drop_down);
  g_autofree char *value = g_strdup_printf ("%u", chosen);

  if (self->settings != NULL && (int) chosen != get (self, row->key, row))
    set (self, row->key, value);
}

/* ---- the recordings' folder ---- */

static void
show_folder (VgPreferences *self)
{
  g_autofree char *path = vg_settings_get_string (self->settings, "recordings"),
                  *name = path != NULL && *path != '\0' ? g_filename_display_basename (path) : NULL;

  gtk_button_set_label (GTK_BUTTON (self->folder), name != NULL ? name : _ ("Choose a Folder…"));
  gtk_widget_set_sensitive (self->no_folder, name != NULL);
}

static void
on_folder_chosen (gpointer asker, GListModel *files)
{
  VgPreferences *self = asker;
  g_autoptr (GFile) folder = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (folder);

  if (path == NULL)
    return;
  set (self, "recordings", path);
  show_folder (self);
}

static void
on_folder (VgPreferences *self)
{
  vg_file_chooser_ask (GTK_WIDGET (self),
                       &(VgFileQuestion){ .title = _ ("Folder of Recordings"),
                                          .accept = _ ("_Choose"),
                                          .action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER },
                       on_folder_chosen);
}

static void
on_no_folder (VgPreferences *self)
{
  set (self, "recordings", "");
  show_folder (self);
}

/* ---- undo ---- */

static void
on_undo (VgPreferences *self)
{
  Change *change = g_queue_pop_head (&self->changes);
  GtkWidget *choice = change != NULL ? g_hash_table_lookup (self->choices, change->key) : NULL;

  if (change == NULL)
    return;
  vg_settings_set_string (self->settings, change->key,
                          change->before != NULL ? change->before : "");
  if (choice != NULL)
    gtk_drop_down_set_selected (
        GTK_DROP_DOWN (choice),
        (guint) get (self, change->key, g_object_get_data (G_OBJECT (choice), "vg-row")));
  show_folder (self);
  gtk_widget_set_sensitive (self->undo, !g_queue_is_empty (&self->changes));
  change_free (change);
}

static gboolean
on_undo_key (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  on_undo (VG_PREFERENCES (widget));
  return TRUE;
}

static void
add_folder (VgPreferences *self, GtkWidget *group)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->folder = gtk_button_new_with_label ("");
  self->no_folder = vg_icon_button_new ("vg-reset-symbolic", _ ("No folder of recordings"));
  gtk_widget_set_hexpand (self->folder, TRUE);
  gtk_widget_set_size_request (line, WIDTH_PX, -1);
  gtk_box_append (GTK_BOX (line), self->folder);
  gtk_box_append (GTK_BOX (line), self->no_folder);
  g_signal_connect_swapped (self->folder, "clicked", G_CALLBACK (on_folder), self);
  g_signal_connect_swapped (self->no_folder, "clicked", G_CALLBACK (on_no_folder), self);
  vg_box_add_line (group, _ ("Rec_ordings"), line, _ ("Folder of recordings"), NULL);
  vg_widget_describe (self->folder, _ ("Folder of recordings"),
                      _ ("Folder in which recordings are saved unless you choose another"));
  show_folder (self);
}

/* ---- rows ---- */

static GtkWidget *
control_new (VgPreferences *self, const Row *row)
{
  GtkWidget *drop_down = vg_choice_new (row->choices);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), (guint) get (self, row->key, row));
  g_object_set_data (G_OBJECT (drop_down), "vg-row", (gpointer) row);
  g_hash_table_insert (self->choices, (gpointer) row->key, drop_down);
  gtk_widget_set_size_request (drop_down, WIDTH_PX, -1);
  g_signal_connect (drop_down, "notify::selected", G_CALLBACK (on_selected), self);
  return drop_down;
}

/* The group of processor and rendering, which few need. */
static GtkWidget *
folded_new (VgPreferences *self)
{
  GtkWidget *expander = gtk_expander_new (_ ("Advanced")),
            *group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_widget_set_margin_top (group, 6);
  vg_widget_describe (expander, _ ("Advanced"), NULL);
  gtk_expander_set_child (GTK_EXPANDER (expander), group);
  gtk_box_append (GTK_BOX (self->box), expander);
  return group;
}

static void
add_rows (VgPreferences *self)
{
  GtkWidget *group = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const Row *row = &rows[i];

      if (row->group != NULL)
        group = *row->group != '\0' ? vg_group_new (self->box, _ (row->group)) : folded_new (self);
      vg_box_add_line (group, _ (row->label), control_new (self, row), _ (row->name),
                       _ (row->help));
      if (g_str_equal (row->key, "autosave"))
        add_folder (self, group);
    }
}

static void
add_undo (VgPreferences *self)
{
  self->undo = gtk_button_new_with_mnemonic (_ ("_Undo"));
  vg_widget_describe (self->undo, _ ("Undo the last change of a preference"),
                      _ ("Take back the last change (Ctrl+Z)"));
  gtk_widget_set_halign (self->undo, GTK_ALIGN_END);
  gtk_widget_set_sensitive (self->undo, FALSE);
  vg_connect (self->undo, "clicked", on_undo, self);
  gtk_box_append (GTK_BOX (self->box), self->undo);
}

static void
vg_preferences_dispose (GObject *object)
{
  VgPreferences *self = VG_PREFERENCES (object);

  g_clear_object (&self->settings);
  g_clear_pointer (&self->choices, g_hash_table_unref);
  g_queue_clear_full (&self->changes, change_free);
  G_OBJECT_CLASS (vg_preferences_parent_class)->dispose (object);
}

static void
vg_preferences_class_init (VgPreferencesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_preferences_dispose;
  gtk_widget_class_add_binding (GTK_WIDGET_CLASS (class), GDK_KEY_z, GDK_CONTROL_MASK, on_undo_key,
                                NULL);
}

static void
vg_preferences_init (VgPreferences *self)
{
  g_queue_init (&self->changes);
  self->choices = g_hash_table_new (g_str_hash, g_str_equal);
  self->box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 12,
                            "margin-top", MARGIN_PX, "margin-bottom", MARGIN_PX, "margin-start",
                            MARGIN_PX, "margin-end", MARGIN_PX, NULL);
  vg_dialog_set_title (GTK_WINDOW (self), _ ("Preferences"));
  gtk_window_set_resizable (GTK_WINDOW (self), FALSE);
  gtk_window_set_child (GTK_WINDOW (self), self->box);
}

GtkWidget *
vg_preferences_new (GtkWindow *parent, VgSettings *settings)
{
  VgPreferences *self = g_object_new (VG_TYPE_PREFERENCES, "transient-for", parent,
                                      "destroy-with-parent", TRUE, NULL);

  self->settings = g_object_ref (settings);
  add_rows (self);
  add_undo (self);
  return GTK_WIDGET (self);
}
