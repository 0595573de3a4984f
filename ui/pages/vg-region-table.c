/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-region-table.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include <string.h>
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-text.h"
#include "ui/common/vg-number-format.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-plot-axis.h"
#include "ui/common/vg-widgets.h"

enum {
  COLOR,
  NAME,
  AREA,
  MEAN,
  SD,
  MEDIAN,
  MIN_VALUE,
  MAX_VALUE,
  BASELINE,
  COUNT,
  DELETE,
  N_COLUMNS
};

struct _VgRegionTable
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *box, *head, *caption, *grid, *empty;
  GPtrArray *names; /* of the name entries */
  GArray *rows;     /* of VgRegionResult, as shown; empty: none yet */
  char *title;      /* "Flow index (1/s)": of the shown map */
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
  g_ptr_array_add (self->names, name);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (color), 12);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (color), 12);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (color), draw_color, self, NULL);
  gtk_widget_set_valign (color, GTK_ALIGN_CENTER);
  attach (self, color, COLOR, i);
  attach (self, name, NAME, i);
  for (int column = AREA; column <= COUNT; column++)
    {
      GtkWidget *cell = g_object_new (GTK_TYPE_LABEL, "label", column >= BASELINE ? "" : "–",
                                      "xalign", 1.0, NULL);
      gtk_widget_add_css_class (cell, "numeric");
      attach (self, cell, column, i);
    }
  g_signal_connect (gone, "clicked", G_CALLBACK (on_delete), self);
  attach (self, gone, DELETE, i);
}

static const struct
{
  int column;
  const char *title, *help;
} headings[] = {
  { NAME, N_ ("Region"), N_ ("Click a name to change it") },
  { AREA, N_ ("Area (px)"), N_ ("Pixels whose centre lies inside") },
  { MEAN, N_ ("Mean"), N_ ("Mean of the shown map in the region") },
  { SD, N_ ("SD"), N_ ("Standard deviation, n − 1") },
  { MEDIAN, N_ ("Median"), N_ ("Half of the values are smaller, half are larger") },
  { MIN_VALUE, N_ ("Minimum"), N_ ("Smallest value") },
  { MAX_VALUE, N_ ("Maximum"), N_ ("Largest value") },
  /* xgettext:no-c-format */
  { BASELINE, N_ ("% of baseline"), N_ ("Mean of the map that is in per cent of the baseline") },
  { COUNT, N_ ("With a value"), N_ ("Pixels that have a value") },
};

static void
add_headings (VgRegionTable *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    {
      GtkWidget *label = vg_label_new (_ (headings[i].title), "dim-label");
      gtk_label_set_xalign (GTK_LABEL (label), headings[i].column == NAME ? 0 : 1);
      vg_widget_set_tooltip (label, _ (headings[i].help));
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
  g_array_set_size (self->rows, 0);
  add_headings (self);
  for (guint i = 0; i < n; i++)
    add_row (self, (int) i);
  gtk_widget_set_visible (self->head, n > 0);
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

/* NaN: there is none. */
static double
get_value (const VgRegionResult *region, int column)
{
  const VgRegionStatistics *row = &region->statistics;

  switch (column)
    {
    case AREA:
      return (double) (row->valid + row->invalid);
    case COUNT:
      return (double) row->valid;
    case MEAN:
      return row->valid ? row->mean : NAN;
    case SD:
      return row->valid > 1 ? row->sd : NAN;
    case MEDIAN:
      return row->valid ? row->median : NAN;
    case MIN_VALUE:
      return row->valid ? row->min : NAN;
    case MAX_VALUE:
      return row->valid ? row->max : NAN;
    default:
      return region->of_baseline;
    }
}

/* Whether a column tells anything: pixels with a value only where some have none. */
static gboolean
is_needed (VgRegionTable *self, int column)
{
  gboolean needed = column != BASELINE && column != COUNT;

  for (guint i = 0; i < self->rows->len && !needed; i++)
    {
      const VgRegionResult *row = &g_array_index (self->rows, VgRegionResult, i);

      needed = column == COUNT ? row->statistics.invalid > 0 : isfinite (row->of_baseline);
    }
  return needed;
}

/* As many decimals in all cells as give the largest four figures. */
static void
show_column (VgRegionTable *self, int column)
{
  gboolean counts = column == AREA || column == COUNT, empty = !is_needed (self, column);
  double largest = 0;
  int decimals;

  for (guint i = 0; i < self->rows->len; i++)
    largest = fmax (largest,
                    fabs (get_value (&g_array_index (self->rows, VgRegionResult, i), column)));
  decimals = counts ? 0 : vg_format_decimals (largest);
  gtk_label_set_text (GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (self->grid), column, 0)),
                      empty ? "" : _ (headings[column - NAME].title));
  for (guint i = 0; i < self->rows->len; i++)
    {
      g_autofree char *text = vg_format_fixed (
          get_value (&g_array_index (self->rows, VgRegionResult, i), column), decimals);

      gtk_label_set_text (
          GTK_LABEL (gtk_grid_get_child_at (GTK_GRID (self->grid), column, (int) i + 1)),
          empty ? "" : text);
    }
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
  if (result == NULL || !current || result->n_regions != self->names->len)
    return;
  g_array_set_size (self->rows, 0);
  for (guint i = 0; i < result->n_regions; i++)
    g_array_append_val (self->rows, result->regions[i]);
  for (int column = AREA; column <= COUNT && self->rows->len > 0; column++)
    show_column (self, column);
  show_caption (self, result);
}

/* ---- copying and saving ---- */

/* The table as text, with BETWEEN between the cells. */
static char *
write_text (VgRegionTable *self, const char *between)
{
  GString *text = g_string_new (NULL);

  for (int column = NAME; column <= COUNT; column++)
    {
      g_autofree char *title = column < MEAN || column >= BASELINE
                                   ? g_strdup (column == COUNT ? _ ("With a value (px)")
                                                               : _ (headings[column - NAME].title))
                                   : g_strdup_printf (_ ("%s of %s"),
                                                      _ (headings[column - NAME].title),
                                                      self->title ? self->title : "");

      if (!is_needed (self, column))
        continue;
      g_string_append (text, column > NAME ? between : "");
      vg_text_append_cell (text, title);
    }
  g_string_append_c (text, '\n');
  for (guint i = 0; i < self->rows->len; i++)
    {
      vg_text_append_cell (text, gtk_editable_get_text (GTK_EDITABLE (self->names->pdata[i])));
      for (int column = AREA; column <= COUNT; column++)
        {
          char digits[G_ASCII_DTOSTR_BUF_SIZE] = "";
          double value = get_value (&g_array_index (self->rows, VgRegionResult, i), column);

          if (!is_needed (self, column))
            continue;
          if (isfinite (value))
            g_ascii_formatd (digits, sizeof digits, "%.9g", value);
          g_string_append_printf (text, "%s%s", between, digits);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

char *
vg_region_table_to_text (VgRegionTable *self, const char *between)
{
  return write_text (self, between);
}

static void
on_copy (VgRegionTable *self)
{
  g_autofree char *text = write_text (self, "\t");

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  g_signal_emit_by_name (self, "message", FALSE, _ ("The table was copied"));
}

static void
on_saved (gpointer asker, GListModel *files)
{
  VgRegionTable *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file), *csv = write_text (self, ","), *said = NULL;
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

  g_clear_pointer (&self->names, g_ptr_array_unref);
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
  GtkWidget *import;

  g_signal_connect (drop, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  self->names = g_ptr_array_new ();
  self->rows = g_array_new (FALSE, FALSE, sizeof (VgRegionResult));
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
  self->head = make_head (self);
  gtk_box_append (GTK_BOX (self->box), self->head);
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
