/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* Small things that many widgets need. */
G_BEGIN_DECLS

/* Accessible name, and tooltip with the accessible description when HELP. */
void vg_widget_describe (GtkWidget *widget, const char *name, const char *help);
/* TEXT (NULL: none) as the tooltip.  GTK begins the wait for the tooltip of any control anew
 * whenever one is set, so that those set a few times a second are never seen: only another text is
 * set.  Text that changes often is vg_widget_answer's. */
void vg_widget_set_tooltip (GtkWidget *widget, const char *text);
/* The same for TEXT that changes at any time: it is told when it is asked for, and setting it
 * disturbs no tooltip. */
void vg_widget_answer (GtkWidget *widget, const char *text);
/* LABEL's tooltip is what it says, as long as that is cut short and LABEL has no other one. */
void vg_label_show_whole (GtkWidget *label);
/* The wheel over WIDGET (a scale, a spin button) scrolls the pane that it is in, and leaves its
 * value. */
void vg_widget_leave_wheel (GtkWidget *widget);
/* A flat button with an icon, a tooltip and an accessible name. */
GtkWidget *vg_icon_button_new (const char *icon, const char *name);
/* Of a new dialog: TITLE in a header bar, as the main window has one.  Its button, Escape and
 * Ctrl+W close the dialog. */
void vg_dialog_set_title (GtkWindow *dialog, const char *title);
/* A button without text as yet; where there is little room its text takes more lines. */
GtkWidget *vg_wrapping_button_new (void);
/* A label that starts at the left and gives way when space is short; its tooltip is then all of it.
 */
GtkWidget *vg_label_new (const char *text, const char *css_class);
/* Of TEXTS, a GtkStringList that is taken, or NULL; what is chosen gives way when space is short.
 */
GtkWidget *vg_drop_down_new (GListModel *texts);
/* Of TEXTS, which end with NULL and are translated. */
GtkWidget *vg_choice_new (const char *const *texts);
/* TEXTS, ended by NULL, are its lines from now on; the same ones leave what is chosen. */
void vg_drop_down_set_texts (GtkWidget *self, const char *const *texts);
/* A line with a label (TEXT, with a mnemonic) at the left and CONTROL at the
 * right, which gets NAME and HELP; HELP NULL: it has its own. */
GtkWidget *vg_line_new (const char *text, GtkWidget *control, const char *name, const char *help);
/* Appends such a line to BOX. */
void vg_box_add_line (GtkWidget *box, const char *text, GtkWidget *control, const char *name,
                      const char *help);
/* A group of lines under the heading TITLE, appended to BOX unless that is NULL. */
GtkWidget *vg_group_new (GtkWidget *box, const char *title);
/* A switch that calls CHANGED (DATA). */
GtkWidget *vg_switch_new (GCallback changed, gpointer data);
/* The control that the label's mnemonic focuses; it keeps its own accessible name. */
void vg_label_set_target (GtkWidget *label, GtkWidget *target);
/* "Exposure, ms" */
char *vg_name_with_unit (const char *label, const char *unit);
/* TEXT as a sentence: its first letter is a capital. */
char *vg_sentence (const char *text);
/* An entry for numbers that shows 6 significant digits and takes both decimal
 * separators; WHOLE: integers only.  The arrow keys change the value, and so does the wheel while
 * the entry has the focus. */
GtkWidget *vg_number_entry_new (double min, double max, double step, gboolean whole);
/* WORD stands for the value 0, and may be typed; NULL: none. */
void vg_number_entry_set_word (GtkWidget *entry, const char *word);
/* The infinity sign stands for values from FROM on; it or "inf" may be typed for VALUE. */
void vg_number_entry_set_endless (GtkWidget *entry, double from, double value);
/* CHILD stands inside the entry, after what it holds. */
void vg_number_entry_add (GtkWidget *entry, GtkWidget *child);

G_END_DECLS
