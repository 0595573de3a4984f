/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-record-panel.h"
#include "app/pipeline/vg-pipeline.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

#define BEFORE "record-before"
#define FORMAT "record-format"

struct _VgRecordPanel
{
  VgBin parent_instance;
  VgSettings *settings;
  GtkWidget *before, *format;
};

G_DEFINE_FINAL_TYPE (VgRecordPanel, vg_record_panel, VG_TYPE_BIN)

enum { TIFF, RAW };

int
vg_record_seconds_before (VgSettings *settings)
{
  return vg_settings_get_int (settings, BEFORE, 0, 0, VG_LOOK_BACK_S);
}

static int
get_format (VgSettings *settings)
{
  return vg_settings_get_int (settings, FORMAT, TIFF, TIFF, RAW);
}

const char *
vg_record_suffix (VgSettings *settings)
{
  return get_format (settings) == RAW ? "-recording.raw" : "-recording.tif";
}

static void
on_before (VgRecordPanel *self)
{
  vg_settings_set_int (self->settings, BEFORE,
                       gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->before)));
}

static void
on_format (VgRecordPanel *self)
{
  vg_settings_set_int (self->settings, FORMAT,
                       (int) gtk_drop_down_get_selected (GTK_DROP_DOWN (self->format)));
}

static void
vg_record_panel_dispose (GObject *object)
{
  g_clear_object (&VG_RECORD_PANEL (object)->settings);
  G_OBJECT_CLASS (vg_record_panel_parent_class)->dispose (object);
}

static void
vg_record_panel_class_init (VgRecordPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_record_panel_dispose;
}

static void
vg_record_panel_init (VgRecordPanel *self)
{
  static const char *const formats[] = { N_ ("BigTIFF (.tif)"), N_ ("Raw with index (.raw)"),
                                         NULL };
  GtkWidget *group = vg_group_new (NULL, _ ("Recording"));

  self->before = vg_number_entry_new (0, VG_LOOK_BACK_S, 1, TRUE);
  self->format = vg_choice_new (formats);
  vg_box_add_line (
      group, _ ("Seconds before the start"), self->before, _ ("Seconds before the start"),
      _ ("A recording begins this many seconds before you choose Record. The frames come "
         "from the memory for looking back."));
  vg_box_add_line (group, _ ("File format"), self->format, _ ("File format of recordings"),
                   _ ("Proposed ending of the file name. The ending that you save with sets the "
                      "format. A raw file has only samples; a text file beside it is its index."));
  gtk_widget_set_parent (group, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_record_panel_new (VgSettings *settings)
{
  VgRecordPanel *self = g_object_new (VG_TYPE_RECORD_PANEL, NULL);

  self->settings = g_object_ref (settings);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->before), vg_record_seconds_before (settings));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->format), (guint) get_format (settings));
  vg_connect (self->before, "value-changed", on_before, self);
  vg_connect (self->format, "notify::selected", on_format, self);
  return GTK_WIDGET (self);
}
