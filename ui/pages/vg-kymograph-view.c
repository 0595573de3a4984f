/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-kymograph-view.h"
#include <string.h>
#include "app/figure/vg-map-picture.h"
#include "io/write/vg-output-file.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { LEAST_PX = 120, LONGEST = 1024 };

struct _VgKymographView
{
  VgBin parent_instance;
  GtkWidget *box, *picture, *label;
  gint64 shown; /* rows that had been added when it was drawn last */
  /* what is shown, for saving; NULL: nothing */
  VgKymograph *kymograph;
  const VgOutput *output;
  VgDisplay display;
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

/* --- saving --- */

/* Saves the image if PATH ends in .png, otherwise the values. */
static gboolean
save (VgKymographView *self, const char *path, GError **error)
{
  g_autofree char *csv = NULL;
  g_autofree float *owned = NULL;
  g_auto (VgMapPicture) picture = { 0 };
  const char *ending = strrchr (path, '.');
  VgPlane plane;
  const VgMapView view = { .output = self->output, .plane = &plane, .display = &self->display };

  if (ending == NULL || g_ascii_strcasecmp (ending, ".png") != 0)
    {
      csv = vg_kymograph_to_csv (self->kymograph, TRUE);
      return vg_write_bytes (path, csv, strlen (csv), error);
    }
  return vg_kymograph_get_plane (self->kymograph, &plane, NULL, &owned) &&
         vg_map_picture_draw (&picture, &view, error) &&
         vg_write_png_described (path, picture.rgba, picture.width, picture.height,
                                 gtk_label_get_text (GTK_LABEL (self->label)), 0, error);
}

static void
on_saved (gpointer asker, GListModel *files)
{
  VgKymographView *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file), *text = NULL;
  g_autoptr (GError) error = NULL;

  /* it may have been removed or begun anew while the dialog was open */
  if (self->kymograph == NULL || vg_kymograph_get_added (self->kymograph) == 0)
    text = g_strdup (
        _ ("The kymograph is no longer shown, so nothing was saved; draw the line again"));
  else if (!save (self, path, &error))
    text = g_strdup (error->message);
  if (text != NULL)
    g_signal_emit_by_name (self, "message", TRUE, text);
  else
    {
      text = g_strdup_printf (_ ("Saved \"%s\""), path);
      g_signal_emit_by_name (self, "message", FALSE, text);
    }
}

static void
on_save (VgKymographView *self)
{
  const VgFileQuestion question = { .title = _ ("Save the kymograph: .csv or .png"),
                                    .accept = "_Save",
                                    .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                    .name = "kymograph.csv" };

  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_saved);
}

/* --- showing --- */

static void
show_text (VgKymographView *self, const VgKymographExtent *extent)
{
  g_autofree char *length = vg_format_number (extent->length);
  g_autofree char *text = g_strdup_printf (
      _ ("Distance to the right: 0 to %s %s. Time downwards: %.1f to %.1f s."), length,
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
  g_clear_pointer (&self->kymograph, vg_kymograph_unref);
  if (kymograph != NULL)
    self->kymograph = vg_kymograph_ref (kymograph);
  self->output = output;
  self->display = *display;
  if (added > 0 && vg_kymograph_get_plane (kymograph, &plane, &extent, &owned))
    texture = make_texture (&plane, output, display);
  gtk_widget_set_visible (self->box, texture != NULL);
  gtk_picture_set_paintable (GTK_PICTURE (self->picture), GDK_PAINTABLE (texture));
  if (texture != NULL)
    show_text (self, &extent);
}

static void
vg_kymograph_view_finalize (GObject *object)
{
  vg_kymograph_unref (VG_KYMOGRAPH_VIEW (object)->kymograph);
  G_OBJECT_CLASS (vg_kymograph_view_parent_class)->finalize (object);
}

static void
vg_kymograph_view_class_init (VgKymographViewClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_kymograph_view_finalize;
  vg_signal_new (VG_TYPE_KYMOGRAPH_VIEW, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_kymograph_view_init (VgKymographView *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6),
            *button = vg_icon_button_new (
                "document-save-symbolic",
                _ ("Save the kymograph as a table (.csv) or an image (.png)"));

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->picture = gtk_picture_new ();
  gtk_picture_set_content_fit (GTK_PICTURE (self->picture), GTK_CONTENT_FIT_FILL);
  gtk_widget_set_size_request (self->picture, -1, LEAST_PX);
  vg_widget_describe (self->picture, _ ("Kymograph"),
                      _ ("The values along the line, a row for each map"));
  self->label = vg_label_new ("", "dim-label");
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_box_append (GTK_BOX (self->box), self->picture);
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_widget_add_css_class (button, "vg-compact");
  gtk_box_append (GTK_BOX (row), self->label);
  gtk_box_append (GTK_BOX (row), button);
  gtk_box_append (GTK_BOX (self->box), row);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_save), self);
  gtk_widget_set_visible (self->box, FALSE);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_kymograph_view_new (void)
{
  return g_object_new (VG_TYPE_KYMOGRAPH_VIEW, NULL);
}
