/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-camera.h"
#include <string.h>
#include "app/input/vg-frame-look.h"
#include "io/live/vg-live.h"
#include "ui/camera/vg-camera-panel.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/layers/vg-tint-layer.h"

enum { MARKED_PX = 1024 };

struct _VgCamera
{
  GObject parent_instance;
  GtkWidget *status, *panel, *tint;
  gboolean recording;
  gboolean tinted;   /* `tint` shows saturated pixels */
  GHashTable *names; /* by device */
  char *address;     /* of the source, with the settings that were changed since it was opened */
  char *confirmed;   /* the same with the values that the source confirmed, without commands */
  char *new_setting; /* with which the source is being opened again; NULL: it is not */
  char *refusal;     /* why a setting was refused, until the panel can show it; NULL: nothing */
  char *lost;        /* the sentence of "lost"; NULL: the source delivers */
  double exposure_ms, frame_interval_s; /* as "timing" reported them last */
  guint opened;                         /* number of the opening (vg_pipeline_get_opened) */
  guint reported;                       /* VgLiveStatus.said of the newest reported sentence */
};

G_DEFINE_FINAL_TYPE (VgCamera, vg_camera, G_TYPE_OBJECT)

static void
show_status (VgCamera *self, const VgLiveStatus *status)
{
  static const char *const texts[] = { [VG_LIVE_CONNECTED] = N_ ("Connected"),
                                       [VG_LIVE_WAITING] = N_ ("Waiting for the source"),
                                       [VG_LIVE_ENDED] = N_ ("Source ended") };
  const char *text = _ (texts[status->state]);

  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->status)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->status), text);
  if (status->state == VG_LIVE_WAITING)
    gtk_widget_add_css_class (self->status, "warning");
  else
    gtk_widget_remove_css_class (self->status, "warning");
  vg_widget_answer (self->status, *status->sentence != '\0' ? status->sentence : NULL);
}

/* Reports each change of the status once. */
static void
report_change (VgCamera *self, const VgLiveStatus *status)
{
  g_autofree char *before = NULL;

  if (status->said == self->reported)
    return;
  self->reported = status->said;
  if (status->state == VG_LIVE_WAITING)
    {
      g_free (self->lost);
      self->lost = g_strdup (status->sentence);
      g_signal_emit_by_name (self, "lost", self->lost);
    }
  else if (self->lost != NULL)
    {
      before = g_steal_pointer (&self->lost);
      g_signal_emit_by_name (self, "back", before, status->sentence);
    }
}

/* ---- settings ---- */

static void
on_set (VgCamera *self, const char *setting, gboolean reopens)
{
  g_autofree char *refusal = NULL;
  char *address;

  if (self->address == NULL)
    return;
  if (reopens && self->recording)
    {
      refusal = g_strdup_printf (_ ("%s opens the camera again, which would end the recording. "
                                    "Stop the recording first."),
                                 setting);
      vg_camera_panel_refuse (VG_CAMERA_PANEL (self->panel), refusal);
      return;
    }
  address = vg_live_address_with (self->address, setting);
  vg_camera_panel_refuse (VG_CAMERA_PANEL (self->panel), NULL);
  if (reopens)
    {
      g_free (self->new_setting);
      self->new_setting = g_strdup (setting);
      g_signal_emit_by_name (self, "reopen", address);
      g_free (address);
      return;
    }
  g_free (self->address);
  self->address = address;
  g_signal_emit_by_name (self, "set", setting);
}

/* The source cannot be opened with the new setting: opens it with those before. */
static void
restore_settings (VgCamera *self)
{
  g_autofree char *address = g_strdup (self->address);

  g_free (self->refusal);
  self->refusal = g_strdup_printf (_ ("The camera refused %s. It keeps its earlier settings."),
                                   self->new_setting);
  g_clear_pointer (&self->new_setting, g_free);
  g_signal_emit_by_name (self, "reopen", address);
}

/* The address of the source with the settings of `address`, as FEATURES has them; owned. */
static char *
confirm (const VgCamera *self, const VgFeatures *features)
{
  char *address = vg_live_address_device (self->address);
  g_auto (GStrv) settings = g_strsplit (self->address + strlen (address), " ", -1);

  for (guint i = 0; settings[i] != NULL; i++)
    {
      const char *given = settings[i] + (settings[i][0] == '#');
      g_autofree char *name = vg_setting_name (given), *setting = NULL, *before = NULL;
      const VgFeature *feature = name != NULL ? vg_features_find (features, name) : NULL;

      if (name == NULL || (feature != NULL && feature->kind == VG_FEATURE_COMMAND))
        continue;
      before = g_steal_pointer (&address);
      setting = feature != NULL && feature->value != NULL && *feature->value != '\0'
                    ? g_strdup_printf ("%s=%s", name, feature->value)
                    : g_strdup (given);
      address = vg_live_address_with (before, setting);
    }
  return address;
}

static void
note_settings (VgCamera *self, const VgFeatures *features)
{
  g_autofree char *before = self->confirmed;

  self->confirmed = confirm (self, features);
  if (before != NULL && !g_str_equal (before, self->confirmed))
    g_signal_emit_by_name (self, "settings", self->confirmed);
}

static void
show_features (VgCamera *self, VgPipeline *pipeline)
{
  g_autoptr (VgFeatures) features = vg_pipeline_get_features (pipeline);
  gboolean changed;

  vg_camera_panel_update (VG_CAMERA_PANEL (self->panel), features);
  if (features == NULL)
    return;
  if (self->address != NULL)
    note_settings (self, features);
  changed = features->exposure_ms != self->exposure_ms ||
            features->frame_interval_s != self->frame_interval_s;
  self->exposure_ms = features->exposure_ms;
  self->frame_interval_s = features->frame_interval_s;
  if (changed)
    g_signal_emit_by_name (self, "timing", features->exposure_ms, features->frame_interval_s);
}

/* ---- frames ---- */

static void
mark_saturated (VgCamera *self, const VgFrame *frame)
{
  int width, height;
  guint8 *pixels = vg_frame_saturated_pixels (frame, MARKED_PX, &width, &height);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (pixels != NULL)
    {
      bytes = g_bytes_new_take (pixels, 4 * (gsize) width * (gsize) height);
      texture = gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8, bytes,
                                        4 * (gsize) width);
    }
  vg_tint_layer_set_texture (VG_TINT_LAYER (self->tint), texture);
  self->tinted = TRUE;
}

static void
inspect_frame (VgCamera *self, VgPipeline *pipeline)
{
  gboolean shown = gtk_widget_get_visible (self->panel);
  g_autoptr (VgFrame) frame = shown ? vg_pipeline_get_newest (pipeline) : NULL;
  VgFrameLook look;

  if (frame != NULL)
    {
      look = vg_frame_look (frame);
      vg_camera_panel_set_look (VG_CAMERA_PANEL (self->panel), look.saturated, look.focus);
    }
  if (frame != NULL && self->tint != NULL &&
      vg_camera_panel_marks_saturated (VG_CAMERA_PANEL (self->panel)))
    mark_saturated (self, frame);
  else if (self->tinted && self->tint != NULL)
    {
      vg_tint_layer_set_texture (VG_TINT_LAYER (self->tint), NULL);
      self->tinted = FALSE;
    }
}

/* ---- the source ---- */

/* Another source is in use. */
static void
begin (VgCamera *self, guint opened, const char *address)
{
  self->opened = opened;
  self->reported = 0;
  g_clear_pointer (&self->new_setting, g_free);
  self->exposure_ms = self->frame_interval_s = 0;
  g_clear_pointer (&self->lost, g_free);
  g_free (self->address);
  self->address = g_strdup (address);
  g_clear_pointer (&self->confirmed, g_free);
  vg_camera_panel_update (VG_CAMERA_PANEL (self->panel), NULL);
}

void
vg_camera_update (VgCamera *self, VgPipeline *pipeline, const char *address, gboolean opening,
                  gboolean recording)
{
  VgLiveStatus status;
  gboolean live = vg_pipeline_get_live (pipeline, &status);
  guint opened = vg_pipeline_get_opened (pipeline);

  self->recording = recording;
  if (opened != self->opened && opening)
    return; /* ADDRESS is still that of the source before */
  if (opened != self->opened)
    begin (self, opened, address);
  else if (self->new_setting != NULL && !opening && vg_pipeline_has_ended (pipeline))
    restore_settings (self);
  gtk_widget_set_visible (self->status, live);
  if (live)
    show_status (self, &status);
  if (live && !opening) /* else the source is being left */
    report_change (self, &status);
  show_features (self, pipeline);
  inspect_frame (self, pipeline);
  if (self->refusal != NULL && gtk_widget_get_visible (self->panel))
    {
      vg_camera_panel_refuse (VG_CAMERA_PANEL (self->panel), self->refusal);
      g_clear_pointer (&self->refusal, g_free);
    }
}

void
vg_camera_note_name (VgCamera *self, const char *address, const char *name)
{
  g_hash_table_insert (self->names, vg_live_address_device (address), g_strdup (name));
}

const char *
vg_camera_find_name (VgCamera *self, const char *address)
{
  g_autofree char *device = vg_live_address_device (address);

  return g_hash_table_lookup (self->names, device);
}

GtkWidget *
vg_camera_get_panel (VgCamera *self)
{
  return self->panel;
}

void
vg_camera_set_tint (VgCamera *self, GtkWidget *tint)
{
  g_set_object (&self->tint, tint);
}

GtkWidget *
vg_camera_get_status (VgCamera *self)
{
  return self->status;
}

static void
vg_camera_dispose (GObject *object)
{
  VgCamera *self = VG_CAMERA (object);

  g_clear_object (&self->status);
  g_clear_object (&self->panel);
  g_clear_object (&self->tint);
  g_clear_pointer (&self->names, g_hash_table_unref);
  g_clear_pointer (&self->address, g_free);
  g_clear_pointer (&self->confirmed, g_free);
  g_clear_pointer (&self->refusal, g_free);
  g_clear_pointer (&self->new_setting, g_free);
  g_clear_pointer (&self->lost, g_free);
  G_OBJECT_CLASS (vg_camera_parent_class)->dispose (object);
}

static void
vg_camera_class_init (VgCameraClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_camera_dispose;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "lost", 1, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "back", 2, G_TYPE_STRING, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "set", 1, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "settings", 1, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "reopen", 1, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "timing", 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
vg_camera_init (VgCamera *self)
{
  self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->status = g_object_ref_sink (vg_label_new (NULL, "vg-source"));
  gtk_widget_set_visible (self->status, FALSE);
  self->panel = g_object_ref_sink (vg_camera_panel_new ());
  vg_connect (self->panel, "set", on_set, self);
}

VgCamera *
vg_camera_new (void)
{
  return g_object_new (VG_TYPE_CAMERA, NULL);
}
