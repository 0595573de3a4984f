/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-region-table.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "io/write/vg-output-file.h"
#include "ui/common/vg-number-format.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-plot-axis.h"
#include "ui/common/vg-widgets.h"
#include "ui/pages/vg-region-columns.h"

enum { LEAST_PX = 104, BAR_PX = 14 };
enum { PART = 8, PAUSE_MS = 10 }; /* rows that are added at a time, and the time between */

struct _VgRegionTable
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *box, *head, *caption, *grid, *empty;
  GPtrArray *names; /* of the name entries: of all rows that there are now */
  guint n_regions;  /* of the session */
  GPtrArray *cells; /* of these rows, in the order of VgRegionColumn */
  guint adding_id;  /* adds or removes the other rows, a few at a time */
  GArray *rows;     /* of VgRegionRow, as shown; empty: none yet */
  char *title;      /* "Flow index (1/s)": of the shown map */
  gboolean voxels;  /* it is a volume */
  int output;       /* the map that the rows are of */
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
  vg_session_commit_later (self->session, _ ("Region name"));
}

/* The keys are the picture's again. */
static void
leave_name (GtkWidget *entry)
{
  gtk_widget_activate_action (entry, "win.focus-image", NULL);
}

static void
on_delete (GtkWidget *button, VgRegionTable *self)
{
  vg_session_commit_waiting (self->session);
  vg_session_remove_region (self->session, index_of (button));
  vg_session_commit (self->session, _ ("Region removal"));
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
  g_ptr_array_add (self->cells, widget);
}

static void
add_row (VgRegionTable *self, int i)
{
  GtkWidget *name = gtk_entry_new (), *color = gtk_drawing_area_new ();
  GtkWidget *gone = vg_icon_button_new ("edit-delete-symbolic", _ ("Delete this region"));
  GtkEventController *focus = gtk_event_controller_focus_new ();

  gtk_entry_set_has_frame (GTK_ENTRY (name), FALSE);
  gtk_editable_set_width_chars (GTK_EDITABLE (name), 10);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (name), 24);
  vg_widget_describe (name, _ ("Name of the region"), NULL);
  g_signal_connect (focus, "enter", G_CALLBACK (on_focus), self);
  gtk_widget_add_controller (name, focus);
  g_signal_connect (name, "changed", G_CALLBACK (on_name), self);
  g_signal_connect (name, "activate", G_CALLBACK (leave_name), NULL);
  g_ptr_array_add (self->names, name);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (color), 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (color), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (color), draw_color, self, NULL);
  gtk_widget_set_valign (color, GTK_ALIGN_CENTER);
  attach (self, color, VG_REGION_COLOR, i);
  attach (self, name, VG_REGION_NAME, i);
  for (int column = VG_REGION_NAME + 1; column <= VG_REGION_COUNT; column++)
    {
      GtkWidget *cell = g_object_new (GTK_TYPE_LABEL, "label",
                                      vg_region_column_is_optional (column) ? "" : "–", "xalign",
                                      1.0, NULL);
      gtk_widget_add_css_class (cell, "numeric");
      attach (self, cell, column, i);
    }
  g_signal_connect (gone, "clicked", G_CALLBACK (on_delete), self);
  attach (self, gone, VG_REGION_DELETE, i);
}

static void
add_headings (VgRegionTable *self)
{
  for (int column = VG_REGION_NAME; column <= VG_REGION_COUNT; column++)
    {
      /* whole in a narrow pane too, where the table scrolls */
      GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "label",
                                       vg_region_column_title (column, self->voxels), "xalign",
                                       column == VG_REGION_NAME ? 0.0 : 1.0, NULL);

      gtk_widget_add_css_class (label, "dim-label");
      vg_widget_set_tooltip (label, vg_region_column_help (column, self->voxels));
      gtk_grid_attach (GTK_GRID (self->grid), label, column, 0, 1, 1);
    }
}

/* The grid itself would look through all of its children. */
static GtkWidget *
cell_at (VgRegionTable *self, int column, guint i)
{
  return self->cells->pdata[i * VG_REGION_N_COLUMNS + (guint) column];
}

static void
show_region (VgRegionTable *self, guint i)
{
  const VgNamedRegion *region = vg_session_get_region (self->session, i);
  GtkWidget *entry = g_ptr_array_index (self->names, i);

  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (entry)), region->name) != 0)
    gtk_editable_set_text (GTK_EDITABLE (entry), region->name ? region->name : "");
  if (region->selected)
    gtk_widget_add_css_class (entry, "vg-selected");
  else
    gtk_widget_remove_css_class (entry, "vg-selected");
  gtk_widget_queue_draw (cell_at (self, VG_REGION_COLOR, i));
}

/* The numbers of other regions do not stay beside these names. */
static void
forget_numbers (VgRegionTable *self)
{
  g_array_set_size (self->rows, 0);
  for (guint i = 0; i < self->names->len; i++)
    for (int column = VG_REGION_NAME + 1; column <= VG_REGION_COUNT; column++)
      gtk_label_set_text (GTK_LABEL (cell_at (self, column, i)),
                          vg_region_column_is_optional (column) ? "" : "–");
}

static void show_numbers (VgRegionTable *self);

/* Adds or removes a few rows; TRUE: there is more to do. */
static gboolean
even_out (VgRegionTable *self)
{
  guint n = vg_session_get_n_regions (self->session), end = MIN (n, self->names->len + PART);

  self->syncing = TRUE;
  for (int k = 0; k < PART && self->names->len > n; k++)
    {
      gtk_grid_remove_row (GTK_GRID (self->grid), (int) self->names->len);
      g_ptr_array_set_size (self->names, (int) self->names->len - 1);
      g_ptr_array_set_size (self->cells, (int) (self->names->len * VG_REGION_N_COLUMNS));
    }
  while (self->names->len < end)
    {
      add_row (self, (int) self->names->len);
      show_region (self, self->names->len - 1);
    }
  self->syncing = FALSE;
  return self->names->len != n;
}

static gboolean
on_add (gpointer data)
{
  VgRegionTable *self = data;

  if (even_out (self))
    return G_SOURCE_CONTINUE;
  self->adding_id = 0;
  show_numbers (self);
  return G_SOURCE_REMOVE;
}

static void
follow (VgRegionTable *self)
{
  guint n = vg_session_get_n_regions (self->session);

  if (n != self->n_regions)
    forget_numbers (self);
  self->n_regions = n;
  self->syncing = TRUE;
  for (guint i = 0; i < MIN (self->names->len, n); i++)
    show_region (self, i);
  self->syncing = FALSE;
  if (even_out (self) && self->adding_id == 0)
    self->adding_id = g_timeout_add (PAUSE_MS, on_add, self);
  gtk_widget_set_visible (self->head, n > 0);
  gtk_widget_set_visible (self->grid, n > 0);
  gtk_widget_set_visible (self->empty, n == 0);
}

/* As many decimals in all cells as give the largest four figures. */
static void
show_column (VgRegionTable *self, int column)
{
  gboolean counts = column == VG_REGION_AREA || column == VG_REGION_COUNT,
           empty = !vg_region_column_is_needed (column, self->rows);
  GtkWidget *heading = gtk_grid_get_child_at (GTK_GRID (self->grid), column, 0);
  double largest = 0;
  int decimals;

  for (guint i = 0; i < self->rows->len; i++)
    largest = fmax (largest, fabs (vg_region_column_value (column, self->rows, i)));
  decimals = counts ? 0 : vg_format_decimals (largest);
  gtk_label_set_text (GTK_LABEL (heading),
                      empty ? "" : vg_region_column_title (column, self->voxels));
  vg_widget_set_tooltip (heading, vg_region_column_help (column, self->voxels));
  for (guint i = 0; i < MIN (self->rows->len, self->names->len); i++)
    {
      g_autofree char *text = vg_region_column_text (column, self->rows, i, decimals);

      gtk_label_set_text (GTK_LABEL (cell_at (self, column, i)), empty ? "" : text);
    }
}

static void
show_numbers (VgRegionTable *self)
{
  for (int column = VG_REGION_NAME + 1; column <= VG_REGION_COUNT && self->rows->len > 0; column++)
    show_column (self, column);
}

/* What the numbers are of; as it was while the picture shows another map than was chosen. */
static void
show_caption (VgRegionTable *self, const VgResult *result)
{
  const VgView *view = vg_session_get_view (self->session);
  const VgOutput *output = vg_session_get_output (self->session);
  g_autofree char *text = NULL;

  if (result->operation != vg_session_get_operation (self->session) ||
      result->output != view->output || result->compare != (VgCompare) view->compare)
    return;
  g_free (self->title);
  self->title = vg_plot_axis_title (output->label, output->unit);
  text = result->compare == VG_COMPARE_DIFFERENCE
             ? g_strdup_printf (_ ("Differences, not values: %s"), self->title)
         : result->compare == VG_COMPARE_RATIO
             ? g_strdup_printf (_ ("Ratios, not values: %s"), self->title)
             : g_strdup (self->title);
  gtk_label_set_text (GTK_LABEL (self->caption), text);
}

void
vg_region_table_set_result (VgRegionTable *self, const VgResult *result, gboolean current)
{
  if (result != NULL && result->input_only) /* those of the data before do not stay */
    forget_numbers (self);
  if (result == NULL || result->input_only || !current || result->n_regions != self->n_regions)
    return;
  self->voxels = result->plane.slices > 1;
  if (self->rows->len != result->n_regions || self->output != result->output)
    g_array_set_size (self->rows, 0); /* the fits are of other regions, or of another map */
  self->output = result->output;
  for (guint i = 0; i < result->n_regions; i++)
    {
      const VgRegionRow row = { .fitted = { NAN, NAN, NAN, NAN } };

      if (i == self->rows->len)
        g_array_append_val (self->rows, row);
      g_array_index (self->rows, VgRegionRow, i).measured = result->regions[i];
    }
  show_numbers (self);
  show_caption (self, result);
}

int
vg_region_table_get_output (VgRegionTable *self)
{
  return self->rows->len > 0 ? self->output : -1;
}

void
vg_region_table_set_fitted (VgRegionTable *self, const GArray *fitted, int output)
{
  if (fitted->len != self->rows->len || output != self->output)
    return;
  for (guint i = 0; i < fitted->len; i++)
    g_array_index (self->rows, VgRegionRow, i).fitted = g_array_index (fitted, VgRegionFitted, i);
  for (int column = VG_REGION_FIT; column <= VG_REGION_FIT_CHANGE && fitted->len > 0; column++)
    show_column (self, column);
}

/* ---- copying and saving ---- */

char *
vg_region_table_to_text (VgRegionTable *self, const char *between)
{
  return vg_region_columns_write (self->session, self->rows, self->title, self->voxels, between);
}

static void
on_copy (VgRegionTable *self)
{
  g_autofree char *text = vg_region_table_to_text (self, "\t");

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  g_signal_emit_by_name (self, "message", FALSE, _ ("The table was copied"));
}

static void
on_saved (gpointer asker, GListModel *files)
{
  VgRegionTable *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file), *csv = vg_region_table_to_text (self, ","),
                  *said = NULL;
  g_autoptr (GError) error = NULL;

  if (path == NULL)
    return;
  if (vg_write_bytes (path, csv, strlen (csv), &error))
    said = g_strdup_printf (_ ("Saved \"%s\""), path);
  g_signal_emit_by_name (self, "message", said == NULL, said != NULL ? said : error->message);
}

static void
on_save (VgRegionTable *self)
{
  vg_file_chooser_ask (GTK_WIDGET (self),
                       &(VgFileQuestion){ .title = _ ("Save the Table"),
                                          .accept = "_Save",
                                          .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                          .name = "regions.csv" },
                       on_saved);
}

static GtkWidget *
make_head (VgRegionTable *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *copy = vg_icon_button_new ("edit-copy-symbolic", _ ("Copy the table"));
  GtkWidget *save = vg_icon_button_new ("document-save-symbolic", _ ("Save the table"));

  self->caption = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "hexpand", TRUE, NULL);
  gtk_widget_add_css_class (self->caption, "heading");
  gtk_widget_add_css_class (head, "vg-compact");
  gtk_box_append (GTK_BOX (head), self->caption);
  gtk_box_append (GTK_BOX (head), copy);
  gtk_box_append (GTK_BOX (head), save);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (on_copy), self);
  g_signal_connect_swapped (save, "clicked", G_CALLBACK (on_save), self);
  return head;
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

  g_clear_handle_id (&self->adding_id, g_source_remove);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_clear_pointer (&self->cells, g_ptr_array_unref);
  g_array_unref (self->rows);
  g_free (self->title);
  G_OBJECT_CLASS (vg_region_table_parent_class)->finalize (object);
}

static void
vg_region_table_class_init (VgRegionTableClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_region_table_finalize;
  vg_signal_new (VG_TYPE_REGION_TABLE, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_region_table_init (VgRegionTable *self)
{
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkWidget *import, *across = gtk_scrolled_window_new ();

  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  self->names = g_ptr_array_new ();
  self->cells = g_ptr_array_new ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (VgRegionRow));
  self->scroller = gtk_scrolled_window_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 12, "row-spacing", 2, NULL);
  gtk_widget_add_css_class (self->box, "vg-table");
  self->empty = g_object_new (GTK_TYPE_LABEL, "vexpand", TRUE, "wrap", TRUE, "justify",
                              GTK_JUSTIFY_CENTER, "label",
                              _ ("No regions yet. Choose the rectangle, ellipse or polygon tool "
                                 "above the image and draw one, or import a list or a label mask."),
                              NULL);
  gtk_widget_add_css_class (self->empty, "dim-label");
  add_headings (self);
  self->head = make_head (self);
  gtk_box_append (GTK_BOX (self->box), self->head);
  /* The numbers alone scroll sideways, so that all else is as wide as the page.  GTK keeps no room
   * for the bar. */
  gtk_widget_set_margin_bottom (self->grid, BAR_PX);
  g_object_set (across, "child", self->grid, "vscrollbar-policy", GTK_POLICY_NEVER,
                "overlay-scrolling", FALSE, NULL);
  gtk_box_append (GTK_BOX (self->box), across);
  gtk_box_append (GTK_BOX (self->box), self->empty);
  import = g_object_new (GTK_TYPE_BUTTON, "label", _ ("Import Regions…"), "halign", GTK_ALIGN_START,
                         "margin-top", 6, "margin-bottom", 6, "action-name", "win.import-regions",
                         "action-target", g_variant_new_string (""), NULL);
  vg_widget_describe (
      import, _ ("Import regions"),
      _ ("Import regions from a text list (rect:10,20,30,40 cell), a label image or a volume of "
         "labels (one number per object), or a DICOM segmentation"));
  gtk_box_append (GTK_BOX (self->box), import);
  /* a few rows are seen where another plot stands below */
  g_object_set (self->scroller, "child", self->box, "hscrollbar-policy", GTK_POLICY_NEVER,
                "min-content-height", LEAST_PX, "max-content-height", 2 * LEAST_PX,
                "propagate-natural-height", TRUE, NULL);
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
