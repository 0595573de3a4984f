/* SPDX-License-Identifier: MIT */
/* A GtkColumnView over a sorted list store; new rows take the place of the
 * old ones, so that the view keeps its place. */
#include "ui/pages/vg-object-table.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-widgets.h"

struct _VgObjectTable
{
  VgBin parent_instance;
  GtkWidget *stack, *view;
  GListStore *rows;
  GtkSingleSelection *selection;
  const VgObjectColumn *columns;
  GArray *decimals;   /* int for each column */
  GPtrArray *filling; /* rows that take the place of those in view, a part at a time; or NULL */
  guint filled, filling_id;
  guint wanted; /* object to be selected then, 0: none */
  gboolean syncing;
};

enum { PART = 2000 }; /* rows that a turn of the main loop takes */

G_DEFINE_FINAL_TYPE (VgObjectTable, vg_object_table, VG_TYPE_BIN)

static guint
column_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "vg-column"));
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = g_object_new (GTK_TYPE_LABEL, "xalign", 1.0, NULL);

  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, VgObjectTable *self)
{
  VgObjectRow *row = gtk_list_item_get_item (item);
  guint column = column_of (factory);
  double value = vg_object_row_get_value (row, column);
  g_autofree char *text = isnan (value) || column == VG_OBJECT_NUMBER
                              ? g_strdup (vg_object_row_get_text (row, column))
                              : vg_format_fixed (value,
                                                 column < self->decimals->len
                                                     ? g_array_index (self->decimals, int, column)
                                                     : 0);

  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), text);
}

/* Numbers before texts; of equals the lower object number. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  VgObjectRow *p = (gpointer) a, *q = (gpointer) b;
  guint column = GPOINTER_TO_UINT (data);
  double x = vg_object_row_get_value (p, column), y = vg_object_row_get_value (q, column);

  if (isnan (x) != isnan (y))
    return isnan (x) ? 1 : -1;
  if (!isnan (x) && x != y)
    return x < y ? -1 : 1;
  x = vg_object_row_get_number (p);
  y = vg_object_row_get_number (q);
  return x < y ? -1 : x > y;
}

static void
add_column (VgObjectTable *self, guint i)
{
  const VgObjectColumn *column = &self->columns[i];
  g_autofree char *title = vg_name_with_unit (vg_translate (column->label),
                                              column->unit ? column->unit : "");
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *view_column;
  g_autoptr (GtkSorter)
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (i), NULL));

  g_object_set_data (G_OBJECT (factory), "vg-column", GUINT_TO_POINTER (i));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  view_column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
  g_object_unref (view_column);
}

static gboolean
is_brief (const VgObjectColumn *columns, guint i)
{
  for (guint k = 0; columns[i].of != NULL && columns[k].id != NULL; k++)
    if (g_str_equal (columns[k].id, columns[i].of))
      return columns[k].brief;
  return columns[i].brief;
}

/* Whole numbers have none; others as many as give the largest of the column four figures. */
static void
find_decimals (VgObjectTable *self, GPtrArray *rows)
{
  guint n = 0;
  double *largest;
  gboolean *broken;

  while (self->columns != NULL && self->columns[n].id != NULL)
    n++;
  largest = g_newa0 (double, n + 1);
  broken = g_newa0 (gboolean, n + 1);
  for (guint i = 0; i < rows->len; i++)
    for (guint column = 0; column < n; column++)
      {
        double value = vg_object_row_get_value (rows->pdata[i], column);

        if (!isfinite (value))
          continue;
        largest[column] = fmax (largest[column], fabs (value));
        broken[column] |= value != floor (value);
      }
  g_array_set_size (self->decimals, 0);
  for (guint column = 0; column < n; column++)
    {
      int decimals = broken[column] ? vg_format_decimals (largest[column]) : 0;

      g_array_append_val (self->decimals, decimals);
    }
}

/* What the text may leave out is not shown where it did. */
static void
hide_absent (VgObjectTable *self, GPtrArray *rows)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  for (guint i = 0; i < g_list_model_get_n_items (columns) && rows->len > 0; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      guint k = column_of (gtk_column_view_column_get_factory (column));

      gtk_column_view_column_set_visible (column,
                                          self->columns[k].of == NULL ||
                                              *vg_object_row_get_text (rows->pdata[0], k) != '\0');
    }
}

static void
stop_filling (VgObjectTable *self)
{
  g_clear_handle_id (&self->filling_id, g_source_remove);
  g_clear_pointer (&self->filling, g_ptr_array_unref);
}

void
vg_object_table_set_columns (VgObjectTable *self, const VgObjectColumn *columns)
{
  GListModel *present;

  if (self->columns == columns)
    return;
  stop_filling (self);
  present = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  self->syncing = TRUE;
  g_list_store_remove_all (self->rows);
  while (g_list_model_get_n_items (present) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (present, 0);
      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), column);
    }
  self->columns = columns;
  for (int rest = 0; rest < 2; rest++) /* first what is told beside the pointer too */
    for (guint i = 0; columns != NULL && columns[i].id != NULL; i++)
      if (is_brief (columns, i) != rest)
        add_column (self, i);
  self->syncing = FALSE;
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "empty");
}

static guint
selected_number (VgObjectTable *self)
{
  VgObjectRow *row = gtk_single_selection_get_selected_item (self->selection);

  return row != NULL ? vg_object_row_get_number (row) : 0;
}

static guint
find (VgObjectTable *self, guint number)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; number > 0 && i < n; i++)
    {
      g_autoptr (VgObjectRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (vg_object_row_get_number (row) == number)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

/* The next rows; TRUE: there are more. */
static gboolean
fill (VgObjectTable *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
        part = MIN (PART, self->filling->len - self->filled),
        old = MIN (n - self->filled, self->filled + part == self->filling->len ? n : part);

  self->syncing = TRUE;
  g_list_store_splice (self->rows, self->filled, old, self->filling->pdata + self->filled, part);
  self->filled += part;
  if (self->filled == self->filling->len)
    gtk_single_selection_set_selected (self->selection, find (self, self->wanted));
  self->syncing = FALSE;
  return self->filled < self->filling->len;
}

static gboolean
on_fill (gpointer data)
{
  VgObjectTable *self = data;

  if (fill (self))
    return G_SOURCE_CONTINUE;
  self->filling_id = 0;
  stop_filling (self);
  return G_SOURCE_REMOVE;
}

void
vg_object_table_set_rows (VgObjectTable *self, GPtrArray *rows, guint selected)
{
  stop_filling (self);
  hide_absent (self, rows);
  find_decimals (self, rows);
  self->filling = g_ptr_array_ref (rows);
  self->filled = 0;
  self->wanted = selected;
  if (fill (self))
    self->filling_id = g_idle_add (on_fill, self);
  else
    stop_filling (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), rows->len > 0 ? "rows" : "empty");
}

/* By the action of the list inside the view: GTK 4.8 has no other way. */
static void
scroll_to (VgObjectTable *self, guint at)
{
  for (GtkWidget *child = gtk_widget_get_first_child (self->view); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_LIST_VIEW (child))
      gtk_widget_activate_action (child, "list.scroll-to-item", "u", at);
}

void
vg_object_table_select (VgObjectTable *self, guint number)
{
  guint at = find (self, number);

  self->wanted = number;
  self->syncing = TRUE;
  gtk_single_selection_set_selected (self->selection, at);
  self->syncing = FALSE;
  if (at != GTK_INVALID_LIST_POSITION)
    scroll_to (self, at);
}

static void
on_selected (VgObjectTable *self)
{
  if (!self->syncing)
    g_signal_emit_by_name (self, "chosen", selected_number (self));
}

static void
on_activate (VgObjectTable *self, guint position)
{
  g_autoptr (VgObjectRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (row != NULL)
    g_signal_emit_by_name (self, "activated", vg_object_row_get_number (row));
}

static void
vg_object_table_dispose (GObject *object)
{
  VgObjectTable *self = VG_OBJECT_TABLE (object);

  self->syncing = TRUE;
  stop_filling (self);
  g_clear_object (&self->rows);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->decimals, g_array_unref);
  G_OBJECT_CLASS (vg_object_table_parent_class)->dispose (object);
}

static void
vg_object_table_class_init (VgObjectTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_object_table_dispose;
  vg_signal_new (VG_TYPE_OBJECT_TABLE, "chosen", 1, G_TYPE_UINT);
  vg_signal_new (VG_TYPE_OBJECT_TABLE, "activated", 1, G_TYPE_UINT);
}

static void
vg_object_table_init (VgObjectTable *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *empty = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "justify", GTK_JUSTIFY_CENTER,
                                   "label",
                                   _ ("No objects yet. They appear here as they are found."), NULL);
  GtkSortListModel *sorted;

  self->decimals = g_array_new (FALSE, FALSE, sizeof (int));
  self->rows = g_list_store_new (VG_TYPE_OBJECT_ROW);
  self->view = gtk_column_view_new (NULL);
  sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (g_object_ref (self->rows)),
      g_object_ref (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view))));
  gtk_sort_list_model_set_incremental (sorted, TRUE); /* of many rows a part at a time */
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_column_view_set_model (GTK_COLUMN_VIEW (self->view), GTK_SELECTION_MODEL (self->selection));
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_widget_add_css_class (self->view, "vg-objects");
  vg_connect (self->selection, "notify::selected-item", on_selected, self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  vg_widget_describe (self->view, _ ("Table of objects"), NULL);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->view);
  gtk_widget_add_css_class (empty, "dim-label");
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), empty, "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), scroller, "rows");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
}

GtkWidget *
vg_object_table_new (void)
{
  return g_object_new (VG_TYPE_OBJECT_TABLE, NULL);
}
