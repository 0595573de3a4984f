/* SPDX-License-Identifier: MIT */
#include "ui/camera/vg-camera.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgCamera
{
  GObject parent_instance;
  GtkWidget *status;
  guint opened, said; /* of the opening and the sentence that were seen last */
  char *lost;         /* the sentence of "lost"; NULL: the source delivers */
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

/* Says once what has changed. */
static void
tell (VgCamera *self, const VgLiveStatus *status)
{
  g_autofree char *before = NULL;

  if (status->said == self->said)
    return;
  self->said = status->said;
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

void
vg_camera_update (VgCamera *self, VgPipeline *pipeline)
{
  VgLiveStatus status;
  gboolean live = vg_pipeline_get_live (pipeline, &status);
  guint opened = vg_pipeline_get_opened (pipeline);

  if (opened != self->opened)
    {
      self->opened = opened;
      self->said = 0;
      g_clear_pointer (&self->lost, g_free);
    }
  gtk_widget_set_visible (self->status, live);
  if (!live)
    return;
  show_status (self, &status);
  tell (self, &status);
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
  g_clear_pointer (&self->lost, g_free);
  G_OBJECT_CLASS (vg_camera_parent_class)->dispose (object);
}

static void
vg_camera_class_init (VgCameraClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_camera_dispose;
  vg_signal_new (G_TYPE_FROM_CLASS (class), "lost", 1, G_TYPE_STRING);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "back", 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
vg_camera_init (VgCamera *self)
{
  self->status = g_object_ref_sink (vg_label_new (NULL, "vg-source"));
  gtk_widget_set_visible (self->status, FALSE);
}

VgCamera *
vg_camera_new (void)
{
  return g_object_new (VG_TYPE_CAMERA, NULL);
}
