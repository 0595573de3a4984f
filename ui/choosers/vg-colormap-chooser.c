/* SPDX-License-Identifier: MIT */
#include "ui/choosers/vg-colormap-chooser.h"
#include "ui/words/vg-translation.h"
#include "kernels/shared/vg-colormap.h"
#include "ui/common/vg-widgets.h"

#define RAINBOW "turbo"

enum { SWATCH_WIDTH = 96, SWATCH_HEIGHT = 14 };

struct _VgColormapChooser
{
  VgBin parent_instance;
  GtkWidget *box, *drop_down, *rainbow;
  char standard[32]; /* the map that the button Rainbow goes back to */
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgColormapChooser, vg_colormap_chooser, VG_TYPE_BIN)

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const VgColormap *map = g_object_get_data (G_OBJECT (area), "vg-colormap");

  for (int x = 0; map && x < width; x++)
    {
      const guint8 *rgb = map->rgb[x * 255 / MAX (width - 1, 1)];
      cairo_set_source_rgb (cr, rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0);
      cairo_rectangle (cr, x, 0, 1, height);
      cairo_fill (cr);
    }
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *swatch = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), SWATCH_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), SWATCH_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, NULL, NULL);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), vg_label_new (NULL, NULL));
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  guint n;
  const VgColormap *maps = vg_colormaps (&n), *map = NULL;
  GtkWidget *swatch = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  const char *title = gtk_string_object_get_string (gtk_list_item_get_item (item));

  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (maps[i].title, title) == 0)
      map = &maps[i];
  g_object_set_data (G_OBJECT (swatch), "vg-colormap", (gpointer) map);
  gtk_widget_queue_draw (swatch);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_next_sibling (swatch)), title);
}

static void
on_selected (VgColormapChooser *self)
{
  guint n, i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->drop_down));
  const VgColormap *maps = vg_colormaps (&n);

  if (!self->syncing && i < n)
    g_signal_emit_by_name (self, "chosen", maps[i].id);
}

/* Rainbow colours are what some fields are used to, though they are neither even nor told apart by
 * everyone: one click away, and back. */
static void
on_rainbow (VgColormapChooser *self)
{
  if (!self->syncing)
    g_signal_emit_by_name (self, "chosen",
                           gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->rainbow))
                               ? RAINBOW
                               : self->standard);
}

void
vg_colormap_chooser_set (VgColormapChooser *self, const char *id, const char *standard)
{
  guint n;
  const VgColormap *maps = vg_colormaps (&n);

  self->syncing = TRUE;
  for (guint i = 0; i < n; i++)
    if (g_strcmp0 (maps[i].id, id) == 0)
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->drop_down), i);
  g_strlcpy (self->standard, standard != NULL ? standard : "viridis", sizeof self->standard);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->rainbow), g_strcmp0 (id, RAINBOW) == 0);
  self->syncing = FALSE;
}

static void
vg_colormap_chooser_class_init (VgColormapChooserClass *class)
{
  vg_signal_new (VG_TYPE_COLORMAP_CHOOSER, "chosen", 1, G_TYPE_STRING);
}

static void
vg_colormap_chooser_init (VgColormapChooser *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  GtkStringList *titles = gtk_string_list_new (NULL);
  guint n;
  const VgColormap *maps = vg_colormaps (&n);

  for (guint i = 0; i < n; i++)
    gtk_string_list_append (titles, maps[i].title);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  self->drop_down = gtk_drop_down_new (G_LIST_MODEL (titles), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (self->drop_down), factory);
  vg_widget_describe (self->drop_down, _ ("Colour map"), _ ("Colours of the shown map"));
  g_signal_connect_swapped (self->drop_down, "notify::selected", G_CALLBACK (on_selected), self);
  gtk_widget_set_hexpand (self->drop_down, TRUE);
  self->rainbow = gtk_toggle_button_new_with_label (_ ("Rainbow"));
  vg_widget_describe (
      self->rainbow, _ ("Rainbow"),
      _ ("Turbo colours: equal differences look unequal, and colour-blind people cannot "
         "distinguish some colours. Click again for the usual colours of this map."));
  g_signal_connect_swapped (self->rainbow, "toggled", G_CALLBACK (on_rainbow), self);
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (self->box), self->drop_down);
  gtk_box_append (GTK_BOX (self->box), self->rainbow);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
vg_colormap_chooser_new (void)
{
  return g_object_new (VG_TYPE_COLORMAP_CHOOSER, NULL);
}
