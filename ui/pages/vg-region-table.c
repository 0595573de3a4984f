/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-region-table.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

enum { COLOR, NAME, AREA, MEAN, SD, MIN_VALUE, MAX_VALUE, COUNT, DELETE, N_COLUMNS };

struct _VgRegionTable
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *box, *grid, *empty;
  GPtrArray *names; /* of the name entries */
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgRegionTable, vg_region_table, VG_TYPE_BIN)

static int
index_of (GtkWidget *widget)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (widget), "vg-index"));
}

/* A file that is dropped here is one of regions, not a recording. */
static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, VgRegionTable *self)
{
  GSList *files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autofree char *path = files != NULL ? g_file_get_path (files->data) : NULL;

  g_slist_free (files);
  return path != NULL &&
         gtk_widget_activate_action (GTK_WIDGET (self), "win.import-regions", "s", path);
}

static void
on_name (GtkWidget *entry, VgRegionTable *self)
{
  int i = index_of (entry);

  if (self->syncing || i >= (int) vg_session_get_n_regions (self->session))
    return;
  vg_session_rename_region (self->session, i, gtk_editable_get_text (GTK_EDITABLE (entry)));
  vg_session_commit_later (self->session, "Region name");
}

static void
on_delete (GtkWidget *button, VgRegionTable *self)
{
  vg_session_commit_waiting (self->session);
  vg_session_remove_region (self->session, index_of (button));
  vg_session_commit (self->session, "Region removal");
}

static void
on_focus (GtkEventControllerFocus *focus, VgRegionTable *self)
{
  vg_session_select_region (
      self->session, index_of (gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (focus))));
}

static void
draw_color (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  VgRegionTable *self = data;
  int i = index_of (GTK_WIDGET (area));
  const VgNamedRegion *region = i < (int) vg_session_get_n_regions (self->session)
                                    ? vg_session_get_region (self->session, i)
                                    : NULL;

  if (region == NULL)
    return;
  cairo_set_source_rgb (cr, region->rgb[0] / 255.0, region->rgb[1] / 255.0, region->rgb[2] / 255.0);
  cairo_arc (cr, width / 2.0, height / 2.0, MIN (width, height) / 2.0, 0, 2 * G_PI);
  cairo_fill (cr);
}

static void
attach (VgRegionTable *self, GtkWidget *widget, int column, int i)
{
  g_object_set_data (G_OBJECT (widget), "vg-index", GINT_TO_POINTER (i));
  gtk_grid_attach (GTK_GRID (self->grid), widget, column, i + 1, 1, 1);
}

static void
add_row (VgRegionTable *self, int i)
{
  GtkWidget *name = gtk_entry_new (), *color = gtk_drawing_area_new ();
  GtkWidget *gone = vg_icon_button_new ("edit-delete-symbolic", _ ("Delete this region"));
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_entry_set_has_frame (GTK_ENTRY (name), FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (name), 12);
  gtk_widget_set_hexpand (name, TRUE);
  vg_widget_describe (name, _ ("Name of the region"), NULL);
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus), self);
  gtk_widget_add_controller (name, focus);
  g_signal_connect (name, "changed", G_CALLBACK (on_name), self);
  g_ptr_array_add (self->names, name);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (color), 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (color), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (color), draw_color, self, NULL);
  gtk_widget_set_valign (color, GTK_ALIGN_CENTER);
  attach (self, color, COLOR, i);
  attach (self, name, NAME, i);
  for (int column = AREA; column <= COUNT; column++)
    {
      GtkWidget *cell = g_object_new (GTK_TYPE_LABEL, "label", "–", "xalign", 1.0, "width-chars", 8,
                                      NULL);
      gtk_widget_add_css_class (cell, "numeric");
      attach (self, cell, column, i);
    }
  g_signal_connect (gone, "clicked", G_CALLBACK (on_delete), self);
  attach (self, gone, DELETE, i);
}

static void
add_headings (VgRegionTable *self)
{
  static const struct
  {
    int column;
    const char *title, *help;
  } headings[] = {
    { NAME, "Region", "Click a name to change it" },
    { AREA, "Area, px", "Pixels whose centre lies inside" },
    { MEAN, "Mean", "Mean of the shown map over the region" },
    { SD, "SD", "Standard deviation, n − 1" },
    { MIN_VALUE, "Min", "Smallest value" },
    { MAX_VALUE, "Max", "Largest value" },
    { COUNT, "n", "Pixels that have a value" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    {
      GtkWidget *label = vg_label_new (headings[i].title, "dim-label");
      gtk_label_set_xalign (GTK_LABEL (label), headings[i].column == NAME ? 0 : 1);
      vg_widget_set_tooltip (label, headings[i].help);
      gtk_grid_attach (GTK_GRID (self->grid), label, headings[i].column, 0, 1, 1);
    }
}

static void
rebuild (VgRegionTable *self, guint n)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)))
    gtk_grid_remove (GTK_GRID (self->grid), child);
  g_ptr_array_set_size (self->names, 0);
  add_headings (self);
  for (guint i = 0; i < n; i++)
    add_row (self, (int) i);
  gtk_widget_set_visible (self->grid, n > 0);
  gtk_widget_set_visible (self->empty, n == 0);
}

static void
follow (VgRegionTable *self)
{
  guint n = vg_session_get_n_regions (self->session);

  self->syncing = TRUE;
  if (n != self->names->len || n == 0)
    rebuild (self, n);
  for (guint i = 0; i < n; i++)
    {
      const VgNamedRegion *region = vg_session_get_region (self->session, i);
      GtkWidget *entry = g_ptr_array_index (self->names, i);
      if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), region->name) != 0)
        gtk_editable_set_text (GTK_EDITABLE (entry), region->name ? region->name : "");
      if (region->selected)
        gtk_widget_add_css_class (entry, "vg-selected");
      else
        gtk_widget_remove_css_class (entry, "vg-selected");
      gtk_widget_queue_draw (gtk_grid_get_child_at (GTK_GRID (self->grid), COLOR, (int) i + 1));
    }
  self->syncing = FALSE;
}

static void
set_cell (VgRegionTable *self, int i, int column, double value)
{
  g_autofree char *text = column == AREA || column == COUNT ? g_strdup_printf ("%.0f", value)
                                                            : vg_format_number (value);
  GtkWidget *cell = gtk_grid_get_child_at (GTK_GRID (self->grid), column, i + 1);

  gtk_label_set_text (GTK_LABEL (cell), text);
}

void
vg_region_table_set_result (VgRegionTable *self, const VgResult *result, gboolean current)
{
  if (result == NULL || !current || result->n_regions != self->names->len)
    return;
  for (guint i = 0; i < result->n_regions; i++)
    {
      const VgRegionStatistics *s = &result->regions[i].statistics;
      set_cell (self, i, AREA, (double) (s->valid + s->invalid));
      set_cell (self, i, MEAN, s->valid ? s->mean : NAN);
      set_cell (self, i, SD, s->valid > 1 ? s->sd : NAN);
      set_cell (self, i, MIN_VALUE, s->valid ? s->min : NAN);
      set_cell (self, i, MAX_VALUE, s->valid ? s->max : NAN);
      set_cell (self, i, COUNT, (double) s->valid);
    }
}

static void
on_changed (VgRegionTable *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_REGIONS))
    follow (self);
}

static void
vg_region_table_finalize (GObject *object)
{
  VgRegionTable *self = VG_REGION_TABLE (object);

  g_clear_pointer (&self->names, g_ptr_array_unref);
  G_OBJECT_CLASS (vg_region_table_parent_class)->finalize (object);
}

static void
vg_region_table_class_init (VgRegionTableClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_region_table_finalize;
}

static void
vg_region_table_init (VgRegionTable *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkWidget *import;

  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  self->names = g_ptr_array_new ();
  self->scroller = gtk_scrolled_window_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 12, "row-spacing", 2, NULL);
  gtk_widget_add_css_class (self->box, "vg-table");
  self->empty = g_object_new (
      GTK_TYPE_LABEL, "vexpand", TRUE, "wrap", TRUE, "justify", GTK_JUSTIFY_CENTER, "label",
      _ ("No regions yet. Choose the rectangle, ellipse or polygon tool above "
         "the picture and draw one, or import a list or a label mask."),
      NULL);
  gtk_widget_add_css_class (self->empty, "dim-label");
  gtk_box_append (GTK_BOX (self->box), self->grid);
  gtk_box_append (GTK_BOX (self->box), self->empty);
  import = g_object_new (GTK_TYPE_BUTTON, "label", _ ("Import Regions…"), "halign",
                         GTK_ALIGN_CENTER, "margin-top", 6, "margin-bottom", 6, "action-name",
                         "win.import-regions", "action-target", g_variant_new_string (""), NULL);
  vg_widget_describe (
      import, _ ("Import regions"),
      _ ("Import regions from a text list (rect:10,20,30,40 cell) or a label mask (an "
         "image with one number per object)"));
  gtk_box_append (GTK_BOX (self->box), import);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->box);
  vg_widget_describe (self->scroller, _ ("Regions"), NULL);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
vg_region_table_new (VgSession *session)
{
  VgRegionTable *self = g_object_new (VG_TYPE_REGION_TABLE, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  return GTK_WIDGET (self);
}
