/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-level-panel.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/volume/vg-level-drag.h"

struct _VgLevelPanel
{
  VgBin parent_instance;
  VgSession *session;
  VgUnderlay *underlay; /* NULL: none */
  GtkWidget *box, *preset, *level, *width;
  gboolean ct, syncing;
};

G_DEFINE_FINAL_TYPE (VgLevelPanel, vg_level_panel, VG_TYPE_BIN)

enum { AUTOMATIC, CUSTOM, FIRST_PRESET };

/* In CT numbers, as radiologists use them. */
static const struct
{
  const char *name;
  double level, width;
} presets[] = {
  { N_ ("Abdomen"), 40, 400 }, { N_ ("Liver"), 80, 150 },  { N_ ("Vessels"), 300, 600 },
  { N_ ("Lung"), -600, 1500 }, { N_ ("Bone"), 400, 1800 }, { N_ ("Brain"), 40, 80 },
};

static guint
find_preset (VgLevelPanel *self, const VgDisplay *display)
{
  if (!(display->width > 0))
    return AUTOMATIC;
  for (guint i = 0; i < G_N_ELEMENTS (presets) && self->ct; i++)
    if (presets[i].level == display->level && presets[i].width == display->width)
      return FIRST_PRESET + i;
  return CUSTOM;
}

static void
list_presets (VgLevelPanel *self)
{
  const char *texts[FIRST_PRESET + G_N_ELEMENTS (presets) + 1] = { _ ("Automatic"), _ ("Custom") };

  self->ct = self->underlay != NULL && self->underlay->ct;
  for (guint i = 0; i < G_N_ELEMENTS (presets) && self->ct; i++)
    texts[FIRST_PRESET + i] = _ (presets[i].name);
  vg_drop_down_set_texts (self->preset, texts);
}

static void
follow (VgLevelPanel *self)
{
  const VgDisplay *display = vg_session_get_display (self->session);
  double level, width;
  gboolean shown = display->underlay &&
                   vg_level_get (self->session, self->underlay, &level, &width);

  gtk_widget_set_visible (GTK_WIDGET (self), shown);
  if (!shown)
    return;
  self->syncing = TRUE;
  list_presets (self);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->preset), find_preset (self, display));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->level), level);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->width), width);
  self->syncing = FALSE;
}

static void
set (VgLevelPanel *self, double level, double width)
{
  vg_level_set (self->session, level, width);
  vg_session_commit_later (self->session, _ ("Window level and width"));
}

static void
on_number (VgLevelPanel *self)
{
  if (!self->syncing)
    set (self, gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->level)),
         gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->width)));
}

static void
on_preset (VgLevelPanel *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->preset));

  if (self->syncing || i == GTK_INVALID_LIST_POSITION)
    return;
  if (i == AUTOMATIC)
    set (self, 0, 0);
  else if (i == CUSTOM)
    on_number (self);
  else if (i - FIRST_PRESET < G_N_ELEMENTS (presets))
    set (self, presets[i - FIRST_PRESET].level, presets[i - FIRST_PRESET].width);
}

static void
on_reset (VgLevelPanel *self)
{
  set (self, 0, 0);
}

static void
on_changed (VgLevelPanel *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_VIEW))
    follow (self);
}

void
vg_level_panel_set_underlay (VgLevelPanel *self, VgUnderlay *underlay)
{
  if (underlay == self->underlay)
    return;
  if (underlay != NULL)
    vg_underlay_ref (underlay);
  g_clear_pointer (&self->underlay, vg_underlay_unref);
  self->underlay = underlay;
  if (!gtk_widget_has_focus (gtk_widget_get_first_child (self->level)) &&
      !gtk_widget_has_focus (gtk_widget_get_first_child (self->width)))
    follow (self); /* else a number being typed would be written over */
}

/* ---- layout ---- */

static void
build (VgLevelPanel *self)
{
  GtkWidget *reset = vg_icon_button_new ("vg-reset-symbolic", _ ("Reset Level and Width"));

  self->preset = vg_drop_down_new (NULL);
  self->level = vg_number_entry_new (-1e30, 1e30, 1, FALSE);
  self->width = vg_number_entry_new (1e-30, 1e30, 1, FALSE);
  vg_number_entry_add (self->width, reset);
  g_signal_connect_swapped (self->preset, "notify::selected", G_CALLBACK (on_preset), self);
  g_signal_connect_swapped (self->level, "value-changed", G_CALLBACK (on_number), self);
  g_signal_connect_swapped (self->width, "value-changed", G_CALLBACK (on_number), self);
  g_signal_connect_swapped (reset, "clicked", G_CALLBACK (on_reset), self);
  vg_box_add_line (self->box, _ ("Preset"), self->preset, _ ("Window preset"),
                   _ ("Window level and width of the input for a kind of tissue"));
  vg_box_add_line (self->box, _ ("Level"), self->level, _ ("Window level"),
                   _ ("Value in the middle between black and white; drag up or down over the image "
                      "with the right button"));
  vg_box_add_line (self->box, _ ("Width"), self->width, _ ("Window width"),
                   _ ("Range of values from black to white; drag to the left or right over the "
                      "image with the right button"));
}

static void
vg_level_panel_dispose (GObject *object)
{
  g_clear_pointer (&VG_LEVEL_PANEL (object)->underlay, vg_underlay_unref);
  G_OBJECT_CLASS (vg_level_panel_parent_class)->dispose (object);
}

static void
vg_level_panel_class_init (VgLevelPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_level_panel_dispose;
}

static void
vg_level_panel_init (VgLevelPanel *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  self->syncing = TRUE;
  build (self);
  self->syncing = FALSE;
}

GtkWidget *
vg_level_panel_new (VgSession *session)
{
  VgLevelPanel *self = g_object_new (VG_TYPE_LEVEL_PANEL, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_changed, self);
  return GTK_WIDGET (self);
}
