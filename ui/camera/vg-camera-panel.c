/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-camera-panel.h"
#include <math.h>
#include <string.h>
#include "ui/camera/vg-feature-list.h"
#include "ui/camera/vg-feature-row.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

#define MUCH 0.001 /* a fraction of saturated pixels that is worth a warning */

struct _VgCameraPanel
{
  VgBin parent_instance;
  gboolean cautions; /* of the settings that are shown */
  GtkWidget *group, *rows, *refused, *saturated, *focus, *mark;
  GtkWidget *list; /* window with all settings; NULL: it is closed */
  VgFeatures *features;
  double best; /* focus since the camera was opened */
};

G_DEFINE_FINAL_TYPE (VgCameraPanel, vg_camera_panel, VG_TYPE_BIN)

/* Why the camera does not take SETTING; owned.  NULL: it may. */
static char *
check (const VgCameraPanel *self, const char *setting)
{
  g_autofree char *name = vg_setting_name (setting), *range = NULL;
  const VgFeature *feature = name != NULL && self->features != NULL
                                 ? vg_features_find (self->features, name)
                                 : NULL;

  if (feature == NULL || vg_feature_accepts (feature, strchr (setting, '=') + 1))
    return NULL;
  range = vg_feature_describe_range (feature);
  return g_strdup_printf (_ ("The camera does not accept %s; it accepts %s."), setting, range);
}

/* A setting that opens the camera again is checked before, because that ends its time courses. */
static void
on_set (VgCameraPanel *self, const char *setting, gboolean reopens)
{
  g_autofree char *refusal = reopens ? check (self, setting) : NULL;

  if (refusal != NULL)
    vg_camera_panel_refuse (self, refusal);
  else
    g_signal_emit_by_name (self, "set", setting, reopens);
}

/* ---- all settings ---- */

static void
on_list_gone (VgCameraPanel *self)
{
  self->list = NULL;
}

static void
on_all (VgCameraPanel *self)
{
  if (self->list == NULL)
    {
      self->list = vg_feature_list_new (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))));
      vg_connect (self->list, "set", on_set, self);
      vg_connect (self->list, "destroy", on_list_gone, self);
      vg_feature_list_update (VG_FEATURE_LIST (self->list), self->features);
    }
  gtk_window_present (GTK_WINDOW (self->list));
}

/* ---- the common ones ---- */

static GtkWidget *
find_row (VgCameraPanel *self, const char *name)
{
  GtkWidget *row = gtk_widget_get_first_child (self->rows);

  while (row != NULL && !g_str_equal (vg_feature_row_get_name (VG_FEATURE_ROW (row)), name))
    row = gtk_widget_get_next_sibling (row);
  return row;
}

static void
add_row (VgCameraPanel *self, const VgFeature *feature)
{
  GtkWidget *row = vg_feature_row_new (feature);

  vg_connect (row, "set", on_set, self);
  gtk_box_append (GTK_BOX (self->rows), row);
}

static void
clear_rows (VgCameraPanel *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), row);
}

static void
show_features (VgCameraPanel *self)
{
  for (guint i = 0; i < self->features->items->len; i++)
    {
      const VgFeature *feature = self->features->items->pdata[i];
      GtkWidget *row = feature->common ? find_row (self, feature->name) : NULL;

      if (row != NULL)
        vg_feature_row_update (VG_FEATURE_ROW (row), feature);
      else if (feature->common)
        add_row (self, feature);
    }
  if (self->list != NULL)
    vg_feature_list_update (VG_FEATURE_LIST (self->list), self->features);
}

void
vg_camera_panel_update (VgCameraPanel *self, VgFeatures *features)
{
  gtk_widget_set_visible (GTK_WIDGET (self), features != NULL);
  if (features == self->features)
    {
      if (features != NULL)
        show_features (self); /* what was left alone while the user changed it */
      return;
    }
  if (features != NULL)
    vg_features_ref (features);
  g_clear_pointer (&self->features, vg_features_unref);
  self->features = features;
  if (features != NULL)
    {
      show_features (self);
      if (features->refused != NULL || features->caution != NULL || self->cautions)
        vg_camera_panel_refuse (self,
                                features->refused != NULL ? features->refused : features->caution);
      self->cautions = features->caution != NULL;
      return;
    }
  clear_rows (self);
  self->best = 0;
  vg_camera_panel_refuse (self, NULL);
  if (self->list != NULL)
    gtk_window_destroy (GTK_WINDOW (self->list));
}

void
vg_camera_panel_refuse (VgCameraPanel *self, const char *text)
{
  const char *shown = text != NULL ? vg_translate (text) : "";

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->refused)), shown) != 0)
    gtk_label_set_text (GTK_LABEL (self->refused), shown);
  gtk_widget_set_visible (self->refused, text != NULL);
}

/* ---- what the frames are like ---- */

static void
show_figure (GtkWidget *label, const char *text, gboolean wrong)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text) != 0)
    gtk_label_set_text (GTK_LABEL (label), text);
  if (wrong)
    gtk_widget_add_css_class (label, "warning");
  else
    gtk_widget_remove_css_class (label, "warning");
}

void
vg_camera_panel_set_look (VgCameraPanel *self, double saturated, double focus)
{
  g_autofree char *share = NULL, *sharp = NULL;

  if (!isfinite (saturated))
    return;
  self->best = isfinite (focus) ? fmax (self->best, focus) : self->best;
  share = g_strdup_printf (_ ("%.2f %%"), 100 * saturated);
  sharp = g_strdup_printf (_ ("%.3g, %.0f %% of the best"), isfinite (focus) ? focus : 0,
                           self->best > 0 && isfinite (focus) ? 100 * focus / self->best : 0);
  show_figure (self->saturated, share, saturated > MUCH);
  show_figure (self->focus, sharp, FALSE);
}

gboolean
vg_camera_panel_marks_saturated (VgCameraPanel *self)
{
  return gtk_widget_get_visible (GTK_WIDGET (self)) &&
         gtk_switch_get_active (GTK_SWITCH (self->mark));
}

/* ---- the widget ---- */

static void
vg_camera_panel_dispose (GObject *object)
{
  VgCameraPanel *self = VG_CAMERA_PANEL (object);

  if (self->list != NULL)
    gtk_window_destroy (GTK_WINDOW (self->list));
  g_clear_pointer (&self->features, vg_features_unref);
  G_OBJECT_CLASS (vg_camera_panel_parent_class)->dispose (object);
}

static void
vg_camera_panel_class_init (VgCameraPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_camera_panel_dispose;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "set", 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
}

static void
add_figure (VgCameraPanel *self, const char *name, GtkWidget *value, const char *help)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = vg_label_new (name, NULL);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), value);
  vg_widget_set_tooltip (line, help);
  gtk_box_append (GTK_BOX (self->group), line);
}

static void
vg_camera_panel_init (VgCameraPanel *self)
{
  GtkWidget *all = gtk_button_new_with_label (_ ("All Settings…"));

  self->group = vg_group_new (NULL, _ ("Live camera"));
  self->rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->refused = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "visible", FALSE,
                                NULL);
  gtk_widget_add_css_class (self->refused, "warning");
  self->saturated = vg_label_new (NULL, "numeric");
  self->focus = vg_label_new (NULL, "numeric");
  self->mark = gtk_switch_new ();
  gtk_box_append (GTK_BOX (self->group), self->rows);
  gtk_box_append (GTK_BOX (self->group), self->refused);
  add_figure (self, _ ("Saturated pixels"), self->saturated,
              _ ("Percentage of the newest frame's pixels that are at the camera's largest "
                 "value"));
  add_figure (self, _ ("Focus"), self->focus,
              _ ("Squared differences of neighbouring pixels over the squared mean of the newest "
                 "frame: larger is sharper"));
  vg_box_add_line (self->group, _ ("Mark saturated pixels"), self->mark,
                   _ ("Mark saturated pixels"), _ ("Shows them in red over the image"));
  gtk_box_append (GTK_BOX (self->group), all);
  vg_connect (all, "clicked", on_all, self);
  gtk_widget_set_parent (self->group, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_camera_panel_new (void)
{
  return g_object_new (VG_TYPE_CAMERA_PANEL, NULL);
}
