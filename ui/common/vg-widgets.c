/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-widgets.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>

static void
set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_object_set_data_full (G_OBJECT (widget), "vg-name", g_strdup (name), g_free);
  /* Or the text of a label beside it would be read a second time. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

void
vg_widget_describe (GtkWidget *widget, const char *name, const char *help)
{
  set_name (widget, name);
  /* The focus of these is on a button inside. */
  if ((GTK_IS_DROP_DOWN (widget) || GTK_IS_COLOR_BUTTON (widget)) &&
      GTK_IS_BUTTON (gtk_widget_get_first_child (widget)))
    set_name (gtk_widget_get_first_child (widget), name);
  if (help == NULL || *help == '\0')
    return;
  vg_widget_set_tooltip (widget, help);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  help, -1);
}

void
vg_widget_set_tooltip (GtkWidget *widget, const char *text)
{
  const char *wanted = text != NULL && *text != '\0' ? text : NULL;
  gboolean shown = gtk_widget_get_visible (widget) && gtk_widget_get_root (widget) == NULL;

  if (g_strcmp0 (wanted, gtk_widget_get_tooltip_text (widget)) == 0)
    return;
  /* For a visible widget GTK asks the display where the pointer is, and waits for the answer, also
   * if the widget is in no window yet. */
  if (shown)
    gtk_widget_set_visible (widget, FALSE);
  gtk_widget_set_tooltip_text (widget, wanted);
  if (shown)
    gtk_widget_set_visible (widget, TRUE);
}

static gboolean
on_query_answer (GtkWidget *widget, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip)
{
  const char *text = g_object_get_data (G_OBJECT (widget), "vg-answer");

  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

void
vg_widget_answer (GtkWidget *widget, const char *text)
{
  if (g_signal_handler_find (widget, G_SIGNAL_MATCH_FUNC, 0, 0, NULL, on_query_answer, NULL) == 0)
    {
      gtk_widget_set_has_tooltip (widget, TRUE);
      g_signal_connect (widget, "query-tooltip", G_CALLBACK (on_query_answer), NULL);
    }
  if (g_strcmp0 (text, g_object_get_data (G_OBJECT (widget), "vg-answer")) != 0)
    g_object_set_data_full (G_OBJECT (widget), "vg-answer", g_strdup (text), g_free);
}

static gboolean
on_query_whole (GtkWidget *label, int x, int y, gboolean by_keyboard, GtkTooltip *tooltip)
{
  if (gtk_widget_get_tooltip_text (label) != NULL ||
      g_object_get_data (G_OBJECT (label), "vg-answer") != NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, gtk_label_get_text (GTK_LABEL (label)));
  return pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label)));
}

void
vg_label_show_whole (GtkWidget *label)
{
  gtk_widget_set_has_tooltip (label, TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (on_query_whole), NULL);
}

/* Whether the wheel over WIDGET changes its value. */
static void
take_wheel (GtkWidget *widget, gboolean take)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
        gtk_event_controller_set_propagation_phase (controller,
                                                    take ? GTK_PHASE_BUBBLE : GTK_PHASE_NONE);
    }
}

void
vg_widget_leave_wheel (GtkWidget *widget)
{
  take_wheel (widget, FALSE);
}

GtkWidget *
vg_icon_button_new (const char *icon, const char *name)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  vg_widget_describe (button, name, NULL);
  vg_widget_set_tooltip (button, name);
  return button;
}

void
vg_dialog_set_title (GtkWindow *dialog, const char *title)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_shortcut_controller_add_shortcut (
      GTK_SHORTCUT_CONTROLLER (keys),
      gtk_shortcut_new (gtk_shortcut_trigger_parse_string ("Escape|<Control>w"),
                        gtk_named_action_new ("window.close")));
  gtk_widget_add_controller (GTK_WIDGET (dialog), keys);
  gtk_window_set_titlebar (dialog, gtk_header_bar_new ());
  gtk_window_set_title (dialog, title);
}

GtkWidget *
vg_wrapping_button_new (void)
{
  GtkWidget *button = gtk_button_new_with_label (""),
            *label = gtk_button_get_child (GTK_BUTTON (button));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  return button;
}

GtkWidget *
vg_label_new (const char *text, const char *css_class)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label", text, "xalign", 0.0, "ellipsize",
                                   PANGO_ELLIPSIZE_END, NULL);

  vg_label_show_whole (label);
  if (css_class)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

static void
set_up_line (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, vg_label_new (NULL, NULL));
}

static void
show_line (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)),
                      gtk_string_object_get_string (gtk_list_item_get_item (item)));
}

GtkWidget *
vg_drop_down_new (GListModel *texts)
{
  GtkWidget *self = gtk_drop_down_new (texts, NULL);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (set_up_line), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (show_line), NULL);
  /* the open list has room */
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (self),
                                  gtk_drop_down_get_factory (GTK_DROP_DOWN (self)));
  gtk_drop_down_set_factory (GTK_DROP_DOWN (self), factory);
  return self;
}

static gboolean
has_texts (GListModel *model, const char *const *texts)
{
  guint n = g_strv_length ((char **) texts);

  if (model == NULL || g_list_model_get_n_items (model) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal (gtk_string_list_get_string (GTK_STRING_LIST (model), i), texts[i]))
      return FALSE;
  return TRUE;
}

void
vg_drop_down_set_texts (GtkWidget *self, const char *const *texts)
{
  g_autoptr (GtkStringList) list = NULL;

  if (has_texts (gtk_drop_down_get_model (GTK_DROP_DOWN (self)), texts))
    return;
  list = gtk_string_list_new (texts);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self), G_LIST_MODEL (list));
}

void
vg_label_set_target (GtkWidget *label, GtkWidget *target)
{
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), target);
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (target), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

char *
vg_name_with_unit (const char *label, const char *unit)
{
  gboolean told = unit && g_ascii_strcasecmp (label, vg_translate (unit)) == 0; /* "Photons" */

  return unit && *unit && !told ? g_strdup_printf ("%s, %s", label, vg_translate (unit))
                                : g_strdup (label);
}

char *
vg_sentence (const char *text)
{
  char letter[8] = "";

  if (*text == '\0')
    return g_strdup (text);
  g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (text)), letter);
  return g_strconcat (letter, g_utf8_next_char (text), NULL);
}

/* From what value on SPIN shows infinity, and for what value this may be typed. */
typedef struct
{
  double from, value;
} Endless;

#define INFINITY_SIGN "\342\210\236"

/* What SPIN shows for its value. */
static char *
entry_text (GtkSpinButton *spin)
{
  const char *word = g_object_get_data (G_OBJECT (spin), "vg-word");
  int digits = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (spin), "vg-digits"));
  double value = gtk_spin_button_get_value (spin);
  const Endless *endless = g_object_get_data (G_OBJECT (spin), "vg-endless");

  if (value == 0 && word != NULL)
    return g_strdup (word);
  if (endless != NULL && value >= endless->from)
    return g_strdup (INFINITY_SIGN);
  if (value == round (value) && fabs (value) < 1e10)
    return g_strdup_printf ("%.0f", value + 0.0); /* -0 is 0 */
  return g_strdup_printf ("%.*g", digits, value);
}

static gboolean
on_output (GtkSpinButton *spin)
{
  g_autofree char *text = entry_text (spin);

  if (g_strcmp0 (text, gtk_editable_get_text (GTK_EDITABLE (spin))) != 0)
    gtk_editable_set_text (GTK_EDITABLE (spin), text);
  g_object_set_data_full (G_OBJECT (spin), "vg-shown", g_steal_pointer (&text), g_free);
  return TRUE;
}

/* GTK takes the nearest value in the range, which a message of the window says. */
static void
tell_range (GtkSpinButton *spin, double typed)
{
  const char *name = g_object_get_data (G_OBJECT (spin), "vg-name");
  double min, max;
  g_autofree char *text = NULL;

  gtk_spin_button_get_range (spin, &min, &max);
  if (typed >= min && typed <= max)
    return;
  text = g_strdup_printf (_ ("%s: %.6g is not in the range %.6g to %.6g, so %.6g was set."),
                          name != NULL ? name : "", typed, min, max, CLAMP (typed, min, max));
  gtk_widget_activate_action (GTK_WIDGET (spin), "win.tell", "s", text);
}

static int
on_input (GtkSpinButton *spin, double *value)
{
  g_autofree char *text = g_strdup (gtk_editable_get_text (GTK_EDITABLE (spin)));
  const char *word = g_object_get_data (G_OBJECT (spin), "vg-word");
  const Endless *endless = g_object_get_data (G_OBJECT (spin), "vg-endless");
  double shown = gtk_spin_button_get_value (spin);
  char *end;

  /* Untouched text keeps the digits that are not shown. */
  if (g_strcmp0 (text, g_object_get_data (G_OBJECT (spin), "vg-shown")) == 0)
    {
      *value = shown;
      return TRUE;
    }
  g_strdelimit (text, ",", '.');
  *value = g_ascii_strtod (g_strstrip (text), &end);
  if (*end == '\0' && end != text && isfinite (*value))
    {
      tell_range (spin, *value);
      return TRUE;
    }
  if (endless != NULL &&
      (g_str_equal (text, INFINITY_SIGN) || (end != text && *value > G_MAXDOUBLE)))
    {
      *value = endless->value;
      return TRUE;
    }
  *value = 0;
  if (word != NULL && *text != '\0' && g_ascii_strncasecmp (text, word, strlen (text)) == 0)
    return TRUE;
  *value = shown; /* GTK takes it all the same: what is no number leaves what was there */
  return GTK_INPUT_ERROR;
}

static void
on_entry_focus (GtkEventControllerFocus *focus)
{
  take_wheel (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (focus)),
              gtk_event_controller_focus_contains_focus (focus));
}

/* After the number was taken. */
static void
on_entered (GtkWidget *spin)
{
  gtk_widget_activate_action (spin, "win.focus-image", NULL);
}

GtkWidget *
vg_number_entry_new (double min, double max, double step, gboolean whole)
{
  GtkAdjustment *adjustment = gtk_adjustment_new (min, min, max, step, 10 * step, 0);
  GtkWidget *spin = gtk_spin_button_new (adjustment, 1, whole ? 0 : 12);
  GtkEventController *focus = gtk_event_controller_focus_new ();

  for (GtkWidget *child = gtk_widget_get_first_child (spin); child;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child)) /* the arrow keys do the same, and the place is the number's */
      gtk_widget_set_visible (child, FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (spin), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (spin), 9);
  gtk_editable_set_alignment (GTK_EDITABLE (spin), 1);
  vg_widget_leave_wheel (spin);
  g_object_set_data (G_OBJECT (spin), "vg-digits", GINT_TO_POINTER (whole ? 12 : 6));
  g_signal_connect (spin, "output", G_CALLBACK (on_output), NULL);
  g_signal_connect (spin, "input", G_CALLBACK (on_input), NULL);
  g_signal_connect_object (gtk_editable_get_delegate (GTK_EDITABLE (spin)), "activate",
                           G_CALLBACK (on_entered), spin, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect (focus, "notify::contains-focus", G_CALLBACK (on_entry_focus), NULL);
  gtk_widget_add_controller (spin, focus);
  on_output (GTK_SPIN_BUTTON (spin));
  return spin;
}

void
vg_number_entry_set_word (GtkWidget *spin, const char *word)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));
  gboolean untouched = g_strcmp0 (text, g_object_get_data (G_OBJECT (spin), "vg-shown")) == 0;

  if (g_strcmp0 (word, g_object_get_data (G_OBJECT (spin), "vg-word")) == 0)
    return;
  g_object_set_data_full (G_OBJECT (spin), "vg-word", g_strdup (word), g_free);
  if (untouched)
    on_output (GTK_SPIN_BUTTON (spin));
}

void
vg_number_entry_set_endless (GtkWidget *spin, double from, double value)
{
  const Endless endless = { from, value };

  g_object_set_data_full (G_OBJECT (spin), "vg-endless", g_memdup2 (&endless, sizeof endless),
                          g_free);
  on_output (GTK_SPIN_BUTTON (spin));
}

void
vg_number_entry_add (GtkWidget *spin, GtkWidget *child)
{
  gtk_widget_insert_before (child, spin, NULL);
  g_signal_connect_object (spin, "destroy", G_CALLBACK (gtk_widget_unparent), child,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
vg_choice_new (const char *const *texts)
{
  GtkStringList *list = gtk_string_list_new (NULL);

  for (int i = 0; texts[i] != NULL; i++)
    gtk_string_list_append (list, vg_translate (texts[i]));
  return gtk_drop_down_new (G_LIST_MODEL (list), NULL);
}

GtkWidget *
vg_line_new (const char *text, GtkWidget *control, const char *name, const char *help)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = vg_label_new (NULL, NULL);

  gtk_label_set_text_with_mnemonic (GTK_LABEL (label), text);
  vg_label_set_target (label, control);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (control, GTK_ALIGN_CENTER);
  vg_widget_describe (control, name, help);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), control);
  return line;
}

void
vg_box_add_line (GtkWidget *box, const char *text, GtkWidget *control, const char *name,
                 const char *help)
{
  gtk_box_append (GTK_BOX (box), vg_line_new (text, control, name, help));
}

GtkWidget *
vg_group_new (GtkWidget *box, const char *title)
{
  GtkWidget *group = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);

  gtk_widget_add_css_class (group, "vg-group");
  gtk_box_append (GTK_BOX (group), vg_label_new (title, "heading"));
  if (box != NULL)
    gtk_box_append (GTK_BOX (box), group);
  return group;
}

GtkWidget *
vg_switch_new (GCallback changed, gpointer data)
{
  GtkWidget *widget = gtk_switch_new ();

  g_signal_connect_swapped (widget, "notify::active", changed, data);
  return widget;
}
