/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-kymograph-view.h"
#include "app/figure/vg-map-picture.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { LEAST_PX = 120, LONGEST = 1024 };

struct _VgKymographView
{
  VgBin parent_instance;
  GtkWidget *box, *picture, *label;
  gint64 shown; /* rows that had been added when it was drawn last */
};

G_DEFINE_FINAL_TYPE (VgKymographView, vg_kymograph_view, VG_TYPE_BIN)

/* NULL: there is no memory. */
static GdkTexture *
make_texture (const VgPlane *plane, const VgOutput *output, const VgDisplay *display)
{
  VgMapView view = { .output = output, .plane = plane, .display = display, .longest = LONGEST };
  g_auto (VgMapPicture) picture = { 0 };
  g_autoptr (GBytes) bytes = NULL;

  if (!vg_map_picture_draw (&picture, &view, NULL))
    return NULL;
  bytes = g_bytes_new (picture.rgba, (gsize) picture.width * (gsize) picture.height * 4);
  return gdk_memory_texture_new (picture.width, picture.height, GDK_MEMORY_R8G8B8A8, bytes,
                                 (gsize) picture.width * 4);
}

static void
show_text (VgKymographView *self, const VgKymographExtent *extent)
{
  g_autofree char *text = g_strdup_printf (
      _ ("Distance to the right: 0 to %.4g %s. Time downwards: %.1f to %.1f s."), extent->length,
      extent->unit, extent->time_s[0], extent->time_s[1]);

  gtk_label_set_text (GTK_LABEL (self->label), text);
}

void
vg_kymograph_view_show (VgKymographView *self, VgKymograph *kymograph, const VgOutput *output,
                        const VgDisplay *display)
{
  gint64 added = kymograph != NULL ? vg_kymograph_get_added (kymograph) : 0;
  g_autoptr (GdkTexture) texture = NULL;
  g_autofree float *owned = NULL;
  VgKymographExtent extent;
  VgPlane plane;

  if (added > 0 && added == self->shown)
    return;
  self->shown = added;
  if (added > 0 && vg_kymograph_get_plane (kymograph, &plane, &extent, &owned))
    texture = make_texture (&plane, output, display);
  gtk_widget_set_visible (self->box, texture != NULL);
  gtk_picture_set_paintable (GTK_PICTURE (self->picture), GDK_PAINTABLE (texture));
  if (texture != NULL)
    show_text (self, &extent);
}

static void
vg_kymograph_view_class_init (VgKymographViewClass *class)
{
}

static void
vg_kymograph_view_init (VgKymographView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->picture = gtk_picture_new ();
  gtk_picture_set_content_fit (GTK_PICTURE (self->picture), GTK_CONTENT_FIT_FILL);
  gtk_widget_set_size_request (self->picture, -1, LEAST_PX);
  vg_widget_describe (self->picture, _ ("Kymograph"),
                      _ ("The values along the line, a row for each map"));
  self->label = vg_label_new ("", "dim-label");
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_box_append (GTK_BOX (self->box), self->picture);
  gtk_box_append (GTK_BOX (self->box), self->label);
  gtk_widget_set_visible (self->box, FALSE);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_kymograph_view_new (void)
{
  return g_object_new (VG_TYPE_KYMOGRAPH_VIEW, NULL);
}
