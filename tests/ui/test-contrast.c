/* SPDX-License-Identifier: MIT */
/* Text stands out from its ground by at least 4.5 to 1, in the light and the dark theme, measured
 * in what GTK draws. */
#include <gtk/gtk.h>
#include <math.h>

/* Of the generated vivograph-resources.h, which is not built before this file. */
GResource *vg_resources_get_resource (void);

#define LEAST 4.5
#define TEXT "\342\226\210\342\226\210MM"

enum { GROUND_PX = 12 };

/* OVER_DARK and OVER_LIGHT: in a box above an image. */
typedef enum {
  IN_BOX,
  OVER_DARK,
  OVER_LIGHT,
  IN_SELECTED_ROW,
  IN_BUTTON,
  IN_BANNER_BUTTON,
  IN_HEADING
} Place;

typedef struct
{
  Place place;
  const char *ground, *text; /* style classes, parted by blanks */
} Case;

static const Case cases[] = {
  { IN_BOX, "", "" },
  { IN_BOX, "", "dim-label" },
  { IN_BOX, "", "dim-label caption" },
  { IN_BOX, "", "error" },
  { IN_BOX, "", "warning" },
  { IN_BOX, "", "vg-good" },
  { IN_BOX, "vg-status", "dim-label" },
  { IN_BOX, "vg-status", "numeric" },
  { IN_BOX, "vg-card", "" },
  { IN_BOX, "vg-card", "dim-label" },
  { OVER_DARK, "vg-banner notice", "" },
  { OVER_LIGHT, "vg-banner notice", "" },
  { OVER_DARK, "vg-banner warning", "" },
  { OVER_LIGHT, "vg-banner warning", "" },
  { OVER_DARK, "vg-banner error", "" },
  { OVER_LIGHT, "vg-banner error", "" },
  { OVER_LIGHT, "vg-reading", "" },
  { OVER_LIGHT, "vg-reading", "dim-label" },
  { OVER_LIGHT, "vg-compare", "" },
  { OVER_LIGHT, "vg-theatre-bar", "" },
  { IN_SELECTED_ROW, "", "" },
  { IN_SELECTED_ROW, "", "dim-label" },
  { IN_BUTTON, "", "" },
  { IN_BUTTON, "suggested-action", "" },
  { IN_BANNER_BUTTON, "vg-banner notice", "" },
  { IN_BANNER_BUTTON, "vg-banner warning", "" },
  { IN_BANNER_BUTTON, "vg-banner error", "" },
  { IN_HEADING, "data-table", "" },
  { IN_HEADING, "vg-objects", "" },
};

static void
add_classes (GtkWidget *widget, const char *classes)
{
  g_auto (GStrv) names = g_strsplit (classes, " ", -1);

  for (guint i = 0; names[i] != NULL; i++)
    if (*names[i] != '\0')
      gtk_widget_add_css_class (widget, names[i]);
}

static GtkWidget *
find_label (GtkWidget *root)
{
  GtkWidget *found = GTK_IS_LABEL (root) ? root : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child);
  return found;
}

/* The heading of the column of a table, which is CHILD. */
static GtkWidget *
heading_new (const Case *it, GtkWidget **child)
{
  GtkColumnViewColumn *column = gtk_column_view_column_new (TEXT,
                                                            gtk_signal_list_item_factory_new ());

  *child = gtk_column_view_new (NULL);
  add_classes (*child, it->ground);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (*child), column);
  g_object_unref (column);
  return find_label (gtk_widget_get_first_child (*child));
}

/* A label on its ground, in CHILD. */
static GtkWidget *
label_new (const Case *it, GtkWidget **child)
{
  GtkWidget *label, *box;

  if (it->place == IN_HEADING)
    return heading_new (it, child);
  if (it->place == IN_BANNER_BUTTON)
    {
      GtkWidget *button = gtk_button_new_with_label (TEXT);

      gtk_widget_add_css_class (button, "flat");
      *child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      add_classes (*child, it->ground);
      gtk_box_append (GTK_BOX (*child), button);
      return find_label (button);
    }
  label = gtk_label_new (TEXT);
  add_classes (label, it->text);
  if (it->place == IN_BUTTON)
    {
      *child = gtk_button_new ();
      gtk_button_set_child (GTK_BUTTON (*child), label);
      add_classes (*child, it->ground);
      return label;
    }
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_object_set (label, "margin-start", GROUND_PX, "margin-end", GROUND_PX, "margin-top", GROUND_PX,
                "margin-bottom", GROUND_PX, NULL);
  add_classes (box, it->ground);
  gtk_box_append (GTK_BOX (box), label);
  *child = box;
  if (it->place == OVER_DARK || it->place == OVER_LIGHT)
    {
      *child = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      gtk_widget_add_css_class (*child, it->place == OVER_DARK ? "over-dark" : "over-light");
      gtk_box_append (GTK_BOX (*child), box);
    }
  if (it->place == IN_SELECTED_ROW)
    {
      *child = gtk_list_box_new ();
      gtk_list_box_append (GTK_LIST_BOX (*child), box);
      gtk_list_box_select_row (GTK_LIST_BOX (*child),
                               gtk_list_box_get_row_at_index (GTK_LIST_BOX (*child), 0));
    }
  return label;
}

static double
linear (int byte)
{
  double x = byte / 255.0;

  return x <= 0.04045 ? x / 12.92 : pow ((x + 0.055) / 1.055, 2.4);
}

/* Relative luminance, as WCAG 2 defines it. */
static double
luminance (cairo_surface_t *surface, int x, int y)
{
  const guchar *pixel = cairo_image_surface_get_data (surface) +
                        y * cairo_image_surface_get_stride (surface) + 4 * x;

  return 0.0722 * linear (pixel[0]) + 0.7152 * linear (pixel[1]) + 0.2126 * linear (pixel[2]);
}

static double
ratio (double a, double b)
{
  return (MAX (a, b) + 0.05) / (MIN (a, b) + 0.05);
}

static cairo_surface_t *
paint (GtkWidget *window)
{
  int width = gtk_widget_get_width (window), height = gtk_widget_get_height (window);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (window);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  GskRenderNode *node;

  gdk_paintable_snapshot (paintable, GDK_SNAPSHOT (snapshot), width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  g_assert_nonnull (node);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Between the ground left of the text and the pixel of the text that differs most from it. */
static double
measure (GtkWidget *window, GtkWidget *label)
{
  cairo_surface_t *surface = paint (window);
  graphene_rect_t place;
  double ground, best = 1;
  int x0, y0;

  g_assert_true (gtk_widget_compute_bounds (label, window, &place));
  x0 = (int) place.origin.x;
  y0 = (int) (place.origin.y + place.size.height / 2);
  ground = luminance (surface, x0 - 3, y0);
  for (int y = y0 - 4; y < y0 + 4; y++)
    for (int x = x0; x < x0 + (int) place.size.width; x++)
      best = MAX (best, ratio (ground, luminance (surface, x, y)));
  cairo_surface_destroy (surface);
  return best;
}

static double
contrast_of (const Case *it)
{
  GtkWidget *window = gtk_window_new (), *child = NULL, *label = label_new (it, &child);
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  double found;

  gtk_window_set_child (GTK_WINDOW (window), child);
  gtk_window_set_default_size (GTK_WINDOW (window), 240, 120);
  gtk_window_present (GTK_WINDOW (window));
  while (gtk_widget_get_width (label) == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  for (int i = 0; i < 50; i++) /* the styles have changed to their final colours */
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  found = measure (window, label);
  gtk_window_destroy (GTK_WINDOW (window));
  return found;
}

static void
test_theme (gconstpointer dark)
{
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme",
                GPOINTER_TO_INT (dark), "gtk-enable-animations", FALSE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      double found = contrast_of (&cases[i]);

      g_test_message ("%d \"%s\" \"%s\": %.2f to 1", (int) cases[i].place, cases[i].ground,
                      cases[i].text, found);
      if (found < LEAST)
        g_test_fail ();
    }
}

static void
add_provider (GtkCssProvider *provider)
{
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkCssProvider) provider = NULL, images = NULL;

  g_test_init (&argc, &argv, NULL);
  gtk_init ();
  g_resources_register (vg_resources_get_resource ());
  provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, "/org/vivograph/Vivograph/vivograph.css");
  images = gtk_css_provider_new ();
  gtk_css_provider_load_from_data (
      images, ".over-dark { background: #000000; } .over-light { background: #ffffff; }", -1);
  add_provider (provider);
  add_provider (images);
  g_test_add_data_func ("/contrast/light", GINT_TO_POINTER (FALSE), test_theme);
  g_test_add_data_func ("/contrast/dark", GINT_TO_POINTER (TRUE), test_theme);
  return g_test_run ();
}
