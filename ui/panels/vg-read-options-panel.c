/* SPDX-License-Identifier: MIT */
#include "ui/panels/vg-read-options-panel.h"
#include <string.h>
#include "ui/words/vg-translation.h"
#include "io/source/vg-read-options.h"
#include "ui/panels/vg-slide-overview.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-widgets.h"

/* More channels than this are typed, not chosen from a list. */
enum { MAX_LISTED = 64, MAX_LINES = 4 };

struct _VgReadOptionsPanel
{
  VgBin parent_instance;
  GtkWidget *box, *lines, *details, *overview;
  GtkWidget *parts;    /* buttons below the overview */
  GPtrArray *controls; /* of the lines */
  VgImageInfo info;
  char *read_options; /* of what is open */
  char **series;      /* what each series of the files is, ended by NULL */
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgReadOptionsPanel, vg_read_options_panel, VG_TYPE_BIN)

static const VgParam *
param_of (GtkWidget *control)
{
  return g_object_get_data (G_OBJECT (control), "vg-param");
}

static void
choose (VgReadOptionsPanel *self, const VgParam *param, double value)
{
  g_auto (VgReadOptions) read_options = { 0 };
  g_autofree char *text = NULL;

  if (self->syncing || !vg_read_options_parse (&read_options, self->read_options, NULL))
    return;
  vg_param_set_number (param, &read_options, value);
  text = vg_read_options_format (&read_options);
  if (g_strcmp0 (text, self->read_options) != 0)
    g_signal_emit_by_name (self, "changed", text);
}

/* A region is text; one that can not be read stays in the entry, marked. */
static void
on_text (VgReadOptionsPanel *self, GtkWidget *entry)
{
  g_autofree char *text = vg_read_options_set (self->read_options, param_of (entry),
                                               gtk_editable_get_text (GTK_EDITABLE (entry)), NULL);
  gboolean good = text || *gtk_editable_get_text (GTK_EDITABLE (entry)) == '\0';

  if (good)
    gtk_widget_remove_css_class (entry, "error");
  else
    gtk_widget_add_css_class (entry, "error");
  if (good && !self->syncing && g_strcmp0 (text, self->read_options) != 0)
    g_signal_emit_by_name (self, "changed", text);
}

static void
on_selected (VgReadOptionsPanel *self, GParamSpec *spec, GtkWidget *list)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (list));
  const VgParam *param = param_of (list);

  if (selected != GTK_INVALID_LIST_POSITION)
    choose (self, param, param->kind == VG_PARAM_CHOICE ? selected : 1 + selected);
}

static void
on_typed (VgReadOptionsPanel *self, GtkWidget *entry)
{
  choose (self, param_of (entry), gtk_spin_button_get_value (GTK_SPIN_BUTTON (entry)));
}

static void
on_part (VgReadOptionsPanel *self, const char *region, int level)
{
  g_autofree char *number = g_strdup_printf ("%d", level), *leveled = NULL, *text = NULL;

  leveled = vg_read_options_set (self->read_options,
                                 vg_params_find (&vg_read_options_table, "level"), number, NULL);
  text = vg_read_options_set (leveled, vg_params_find (&vg_read_options_table, "region"), region,
                              NULL);
  if (text && g_strcmp0 (text, self->read_options) != 0)
    g_signal_emit_by_name (self, "changed", text);
}

/* A drop-down of the choices, or of the channels or series that there are. */
static GtkWidget *
list_new (VgReadOptionsPanel *self, guint bit, const VgParam *param)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkWidget *list;

  if (param->kind == VG_PARAM_CHOICE)
    for (guint i = 0; param->choices[i]; i++)
      gtk_string_list_append (names, param->choice_labels ? vg_translate (param->choice_labels[i])
                                                          : param->choices[i]);
  else if (bit == VG_READ_OPTIONS_SERIES)
    for (guint i = 0; self->series[i] != NULL; i++)
      {
        g_autofree char *name = g_strdup_printf ("%u: %s", i + 1, self->series[i]);

        gtk_string_list_append (names, name);
      }
  else
    for (int i = 1; i <= self->info.channels_available; i++)
      {
        g_autofree char *name = g_strdup_printf ("%d of %d", i, self->info.channels_available);

        gtk_string_list_append (names, name);
      }
  list = vg_drop_down_new (G_LIST_MODEL (g_steal_pointer (&names)));
  vg_connect (list, "notify::selected", on_selected, self);
  return list;
}

static GtkWidget *
entry_new (VgReadOptionsPanel *self, guint bit, const VgParam *param)
{
  double max = bit == VG_READ_OPTIONS_CHANNEL  ? self->info.channels_available
               : bit == VG_READ_OPTIONS_SERIES ? MAX (self->info.series_available, 1)
                                               : param->max;
  GtkWidget *entry;

  if (param->kind == VG_PARAM_REGION)
    {
      entry = gtk_entry_new ();
      gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("All of it"));
      vg_connect (entry, "activate", on_text, self);
      return entry;
    }
  entry = vg_number_entry_new (param->min, max, param->kind == VG_PARAM_FLOAT ? 0.1 : 1,
                               param->kind != VG_PARAM_FLOAT);
  vg_connect (entry, "value-changed", on_typed, self);
  return entry;
}

static void
add_line (VgReadOptionsPanel *self, guint bit, const VgParam *param)
{
  gboolean listed = param->kind == VG_PARAM_CHOICE ||
                    (bit == VG_READ_OPTIONS_CHANNEL &&
                     self->info.channels_available <= MAX_LISTED) ||
                    (bit == VG_READ_OPTIONS_SERIES && *self->series != NULL &&
                     g_strv_length (self->series) <= MAX_LISTED);
  GtkWidget *control = listed ? list_new (self, bit, param) : entry_new (self, bit, param);

  g_autofree char *name = vg_name_with_unit (vg_translate (param->label), param->unit);

  g_object_set_data (G_OBJECT (control), "vg-param", (gpointer) param);
  g_ptr_array_add (self->controls, control);
  vg_box_add_line (self->lines, name, control, name, vg_translate (param->help));
}

static void
build (VgReadOptionsPanel *self)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->controls, 0);
  while ((child = gtk_widget_get_first_child (self->lines)))
    gtk_box_remove (GTK_BOX (self->lines), child);
  for (guint i = 0; i < vg_read_options_table.n_items; i++)
    if (self->info.readings & 1u << i)
      add_line (self, 1u << i, &vg_read_options_table.items[i]);
}

/* The first lines; all of them as the tooltip. */
static void
show_details (VgReadOptionsPanel *self, const char *details)
{
  const char *all = vg_translate (details != NULL ? details : "");
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);
  guint n = g_strv_length (lines);
  g_autofree char *text = NULL;

  if (n > MAX_LINES)
    {
      for (guint i = MAX_LINES; i < n; i++)
        g_clear_pointer (&lines[i], g_free);
      text = g_strjoinv ("\n", lines);
    }
  gtk_label_set_text (GTK_LABEL (self->details), text ? text : all);
  vg_widget_set_tooltip (self->details, text ? all : NULL);
  gtk_widget_set_visible (self->details, details != NULL);
}

/* What 0 stands for in the entry of PARAM: "From file (0.5 µm)"; NULL: the number 0. */
static char *
word_of_zero (VgReadOptionsPanel *self, const VgParam *param)
{
  const VgImageInfo *info = &self->info;
  guint bit = 1u << (param - vg_read_options_table.items);
  double um[2], value = 0;
  g_autofree char *number = NULL;

  if (bit == VG_READ_OPTIONS_PIXEL)
    value = vg_image_info_pixel_um (info, um) ? um[0] / MAX (info->downsample, 1) : 0;
  else if (bit == VG_READ_OPTIONS_FRAME_INTERVAL)
    value = 1000.0 * info->frame_interval_s;
  else
    return NULL;
  if (!(value > 0))
    return g_strdup (_ ("Not known"));
  number = vg_format_number (value);
  return g_strdup_printf ("%s (%s)", info->frames < 0 ? _ ("Source") : _ ("From file"), number);
}

void
vg_read_options_panel_reset (VgReadOptionsPanel *self)
{
  g_auto (VgReadOptions) read_options = { 0 };

  vg_read_options_parse (&read_options, self->read_options, NULL);
  self->syncing = TRUE;
  for (guint i = 0; i < self->controls->len; i++)
    {
      GtkWidget *control = self->controls->pdata[i];
      const VgParam *param = param_of (control);
      double value = vg_param_get_number (param, &read_options);

      /* not chosen: the one that was taken */
      if (param == &vg_read_options_table.items[0] && value < 1)
        value = MAX (self->info.channel, 1);
      else if (g_str_equal (param->id, "series") && value < 1)
        value = MAX (self->info.series, 1);
      if (GTK_IS_DROP_DOWN (control))
        gtk_drop_down_set_selected (GTK_DROP_DOWN (control),
                                    (guint) (param->kind == VG_PARAM_CHOICE ? value : value - 1));
      else if (param->kind == VG_PARAM_REGION)
        {
          g_autofree char *region = vg_param_format (param, &read_options);

          gtk_editable_set_text (GTK_EDITABLE (control), region);
          gtk_widget_remove_css_class (control, "error");
        }
      else
        {
          g_autofree char *word = word_of_zero (self, param);

          vg_number_entry_set_word (control, word);
          gtk_editable_set_width_chars (GTK_EDITABLE (control),
                                        word != NULL ? (int) g_utf8_strlen (word, -1) : 7);
          gtk_spin_button_set_value (GTK_SPIN_BUTTON (control), value);
        }
    }
  self->syncing = FALSE;
}

void
vg_read_options_panel_set (VgReadOptionsPanel *self, const char *path, const VgImageInfo *info,
                           const char *read_options, const char *details, const char *const *series)
{
  const VgImageInfo none = { .width = 0 };
  const VgImageInfo *now = info ? info : &none;
  g_auto (VgReadOptions) now_read = { 0 };
  static const char *const nothing[] = { NULL };
  gboolean same = now->readings == self->info.readings &&
                  now->channels_available == self->info.channels_available &&
                  now->series_available == self->info.series_available &&
                  g_strv_equal (series != NULL ? series : nothing,
                                (const char *const *) self->series);

  self->info = *now;
  g_strfreev (self->series);
  self->series = g_strdupv ((char **) (series != NULL ? series : nothing));
  g_free (self->read_options);
  self->read_options = g_strdup (read_options);
  /* the same settings keep their widgets, and so the focus */
  self->syncing = TRUE;
  if (!same)
    build (self);
  vg_read_options_panel_reset (self);
  show_details (self, details);
  vg_read_options_parse (&now_read, read_options, NULL);
  vg_slide_overview_set (VG_SLIDE_OVERVIEW (self->overview), path, info, now_read.level);
  gtk_widget_set_visible (self->parts, path && now->downsample > 0);
  gtk_widget_set_visible (GTK_WIDGET (self), self->info.readings != 0 || details != NULL);
}

void
vg_read_options_panel_set_shown (VgReadOptionsPanel *self, const double shown[4])
{
  vg_slide_overview_set_shown (VG_SLIDE_OVERVIEW (self->overview), shown);
}

static void
vg_read_options_panel_finalize (GObject *object)
{
  g_free (VG_READ_OPTIONS_PANEL (object)->read_options);
  g_strfreev (VG_READ_OPTIONS_PANEL (object)->series);
  g_ptr_array_unref (VG_READ_OPTIONS_PANEL (object)->controls);
  G_OBJECT_CLASS (vg_read_options_panel_parent_class)->finalize (object);
}

static void
vg_read_options_panel_class_init (VgReadOptionsPanelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_read_options_panel_finalize;
  vg_signal_new (VG_TYPE_READ_OPTIONS_PANEL, "changed", 1, G_TYPE_STRING);
}

/* Appends a button that chooses the slide region. */
static void
add_part (VgReadOptionsPanel *self, const char *label, const char *help, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_hexpand (button, TRUE);
  vg_widget_describe (button, label, help);
  gtk_box_append (GTK_BOX (self->parts), button);
}

static void
vg_read_options_panel_init (VgReadOptionsPanel *self)
{
  self->controls = g_ptr_array_new ();
  self->series = g_new0 (char *, 1);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->details = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "selectable", TRUE,
                                "can-focus", FALSE, NULL);
  gtk_widget_add_css_class (self->details, "caption");
  gtk_widget_add_css_class (self->details, "dim-label");
  gtk_box_append (GTK_BOX (self->box), vg_label_new (_ ("File"), "heading"));
  self->overview = vg_slide_overview_new ();
  g_signal_connect_swapped (self->overview, "chosen", G_CALLBACK (on_part), self);
  gtk_box_append (GTK_BOX (self->box), self->overview);
  self->parts = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->parts, "linked");
  add_part (self, _ ("Analyse View"), _ ("Analyse the visible part of the slide (W)"),
            "win.part-shown");
  add_part (self, _ ("Analyse Region"), _ ("Analyse the box around the selected region (Shift+W)"),
            "win.part-region");
  gtk_widget_set_visible (self->parts, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->parts);
  gtk_box_append (GTK_BOX (self->box), self->lines);
  gtk_box_append (GTK_BOX (self->box), self->details);
  gtk_widget_add_css_class (self->box, "vg-file");
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_read_options_panel_new (void)
{
  return g_object_new (VG_TYPE_READ_OPTIONS_PANEL, NULL);
}
