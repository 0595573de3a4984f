/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-theatre-bar.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

#define MOST_ALARM 1e9

struct _VgTheatreBar
{
  GtkBox parent_instance;
  GtkWidget *run, *baseline, *mark, *record, *region, *mirror, *alarm_box, *alarm, *unit;
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgTheatreBar, vg_theatre_bar, GTK_TYPE_BOX)

static void
set_face (GtkWidget *button, const char *icon, const char *text)
{
  GtkWidget *box = gtk_button_get_child (GTK_BUTTON (button));
  GtkWidget *image = gtk_widget_get_first_child (box), *label = gtk_widget_get_next_sibling (image);

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) == 0)
    return;
  gtk_image_set_from_icon_name (GTK_IMAGE (image), icon);
  gtk_label_set_text (GTK_LABEL (label), text);
  vg_widget_describe (button, text, NULL);
}

static GtkWidget *
button_new (GtkWidget *button, const char *action, const char *icon, const char *text,
            const char *help)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_append (GTK_BOX (box), gtk_image_new ());
  gtk_box_append (GTK_BOX (box), gtk_label_new (NULL));
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  set_face (button, icon, text);
  vg_widget_set_tooltip (button, help);
  return button;
}

static void
on_alarm (VgTheatreBar *self)
{
  if (!self->syncing)
    g_signal_emit_by_name (self, "alarm",
                           gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->alarm)));
}

static void
build_alarm (VgTheatreBar *self)
{
  GtkWidget *name = gtk_label_new_with_mnemonic (_ ("_Alarm below"));

  self->alarm = vg_number_entry_new (0, MOST_ALARM, 1, FALSE);
  vg_number_entry_set_word (self->alarm, _ ("Off"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (name), self->alarm);
  vg_widget_describe (self->alarm, _ ("Alarm below"),
                      _ ("The number turns red below this value. 0 is no alarm"));
  g_signal_connect_swapped (self->alarm, "value-changed", G_CALLBACK (on_alarm), self);
  self->unit = gtk_label_new (NULL);
  self->alarm_box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_box_append (GTK_BOX (self->alarm_box), name);
  gtk_box_append (GTK_BOX (self->alarm_box), self->alarm);
  gtk_box_append (GTK_BOX (self->alarm_box), self->unit);
}

static void
vg_theatre_bar_class_init (VgTheatreBarClass *class)
{
  vg_signal_new (VG_TYPE_THEATRE_BAR, "alarm", 1, G_TYPE_DOUBLE);
}

static void
vg_theatre_bar_init (VgTheatreBar *self)
{
  GtkWidget *leave;

  gtk_box_set_spacing (GTK_BOX (self), 12);
  gtk_widget_add_css_class (GTK_WIDGET (self), "vg-theatre-bar");
  self->run = button_new (gtk_button_new (), "win.play-pause", "media-playback-start-symbolic",
                          C_ ("button", "Run"), _ ("Pause or resume (Space)"));
  self->baseline = button_new (gtk_button_new (), "win.baseline", "go-home-symbolic",
                               _ ("Baseline"), _ ("The present flow is 100 % (Ctrl+B)"));
  self->mark = button_new (gtk_button_new (), "win.mark", "bookmark-new-symbolic", _ ("Mark"),
                           _ ("Mark this moment in the time courses (Ctrl+M)"));
  self->record = button_new (gtk_toggle_button_new (), "win.record", "media-record-symbolic",
                             _ ("Record"), _ ("Record every frame to a file (Ctrl+R)"));
  gtk_widget_add_css_class (self->record, "vg-record");
  leave = button_new (gtk_button_new (), "win.theatre", "view-restore-symbolic", _ ("Leave"),
                      _ ("Leave theatre mode (Escape)"));
  self->region = button_new (gtk_button_new (), "win.next-region", "go-next-symbolic",
                             _ ("Next Region"), _ ("Show the number of the next region (N)"));
  self->mirror = button_new (gtk_toggle_button_new (), "win.mirror", "video-display-symbolic",
                             _ ("Mirror"),
                             _ ("Show the image and the number on the second screen (Ctrl+F11)"));
  build_alarm (self);
  gtk_box_append (GTK_BOX (self), self->run);
  gtk_box_append (GTK_BOX (self), self->baseline);
  gtk_box_append (GTK_BOX (self), self->mark);
  gtk_box_append (GTK_BOX (self), self->record);
  gtk_box_append (GTK_BOX (self), self->region);
  gtk_box_append (GTK_BOX (self), self->alarm_box);
  gtk_box_append (GTK_BOX (self), self->mirror);
  gtk_box_append (GTK_BOX (self), leave);
  vg_theatre_bar_set_alarm (self, 0, NULL);
}

GtkWidget *
vg_theatre_bar_new (void)
{
  return g_object_new (VG_TYPE_THEATRE_BAR, "accessible-role", GTK_ACCESSIBLE_ROLE_TOOLBAR, NULL);
}

void
vg_theatre_bar_set_state (VgTheatreBar *self, const VgTheatreState *state)
{
  gboolean recording = state->shown.recording != NULL;

  set_face (self->run,
            state->running ? "media-playback-pause-symbolic" : "media-playback-start-symbolic",
            state->running ? _ ("Pause") : C_ ("button", "Run"));
  gtk_widget_set_visible (self->baseline, state->has_baseline);
  gtk_widget_set_visible (self->mark, state->has_baseline);
  set_face (self->record, recording ? "media-playback-stop-symbolic" : "media-record-symbolic",
            recording ? _ ("Stop") : _ ("Record"));
  gtk_widget_set_visible (self->record, state->can_record || recording);
  gtk_widget_set_visible (self->region, state->can_choose);
  gtk_widget_set_visible (self->mirror, state->can_mirror);
}

void
vg_theatre_bar_set_alarm (VgTheatreBar *self, double alarm, const char *unit)
{
  gtk_widget_set_visible (self->alarm_box, unit != NULL);
  if (unit == NULL)
    return;
  self->syncing = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->alarm), alarm);
  self->syncing = FALSE;
  gtk_label_set_text (GTK_LABEL (self->unit), unit);
}
