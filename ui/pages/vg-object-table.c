/* SPDX-License-Identifier: MIT */
/* A GtkColumnView over a sorted list.  New rows replace all old ones at once, and the view keeps
 * its place. */
#include "ui/pages/vg-object-table.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-widgets.h"
#include "ui/pages/vg-row-list.h"

struct _VgObjectTable
{
  VgBin parent_instance;
  GtkWidget *stack, *view, *note;
  VgRowList *rows;
  GtkSingleSelection *selection;
  const VgObjectColumn *columns;
  GPtrArray *all;      /* rows, of which the list may have the first ones only; NULL: none */
  guint growing_id;    /* adds the others */
  guint wanted;        /* object to be selected once they are there, 0: none */
  GArray *decimals;    /* int for each column */
  GHashTable *bound;   /* cells (GtkListItem) with their column */
  GHashTable *pending; /* those of them whose text is not set yet */
  guint showing_id;    /* sets them */
  gboolean syncing;
};

enum {
  LEAST_CHARS = 5,
  CHARS = 9,
  PART = 10,
  MOST_WIDGETS = 240,
  TURN_US = 8000,
  SHOW_PRIORITY = GDK_PRIORITY_REDRAW + 5 /* pictures go first */
};

G_DEFINE_FINAL_TYPE (VgObjectTable, vg_object_table, VG_TYPE_BIN)

static guint
column_of (gpointer object)
{
  return GPOINTER_TO_UINT (g_object_get_data (object, "vg-column"));
}

/* The text of an inscription does not change its size, so that new texts in all cells of the view,
 * which sorting many rows sets again and again, lay nothing out. */
static void
on_setup (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = g_object_new (GTK_TYPE_INSCRIPTION, "xalign", 1.0, "min-chars", LEAST_CHARS,
                                   "nat-chars", CHARS, NULL);

  gtk_widget_add_css_class (label, "numeric");
  gtk_list_item_set_child (item, label);
}

static void
show_cell (VgObjectTable *self, GtkListItem *item, guint column)
{
  VgObjectRow *row = vg_row_place_get (gtk_list_item_get_item (item));
  double value = vg_object_row_get_value (row, column);
  g_autofree char *text = isnan (value) || column == VG_OBJECT_NUMBER
                              ? g_strdup (vg_object_row_get_words (row, column))
                              : vg_format_fixed (value,
                                                 column < self->decimals->len
                                                     ? g_array_index (self->decimals, int, column)
                                                     : 0);

  gtk_inscription_set_text (GTK_INSCRIPTION (gtk_list_item_get_child (item)), text);
}

/* Thousands of cells change at once: a few milliseconds of them, and then others have their turn.
 */
static gboolean
on_show (gpointer data)
{
  VgObjectTable *self = data;
  gint64 end = g_get_monotonic_time () + TURN_US;
  GHashTableIter iter;
  gpointer item, column;

  g_hash_table_iter_init (&iter, self->pending);
  while (g_get_monotonic_time () < end && g_hash_table_iter_next (&iter, &item, &column))
    {
      show_cell (self, item, GPOINTER_TO_UINT (column));
      g_hash_table_iter_remove (&iter);
    }
  if (g_hash_table_size (self->pending) > 0)
    return G_SOURCE_CONTINUE;
  self->showing_id = 0;
  return G_SOURCE_REMOVE;
}

static void
show_later (VgObjectTable *self)
{
  if (self->showing_id == 0)
    self->showing_id = g_idle_add_full (SHOW_PRIORITY, on_show, self, NULL);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item, VgObjectTable *self)
{
  if (self->pending == NULL)
    return; /* the table goes away */
  g_hash_table_insert (self->bound, item, GUINT_TO_POINTER (column_of (factory)));
  g_hash_table_insert (self->pending, item, GUINT_TO_POINTER (column_of (factory)));
  show_later (self);
}

static void
on_unbind (GtkListItemFactory *factory, GtkListItem *item, VgObjectTable *self)
{
  if (self->pending == NULL)
    return;
  g_hash_table_remove (self->bound, item);
  g_hash_table_remove (self->pending, item);
}

/* The rows of all cells are others. */
static void
show_cells (VgObjectTable *self)
{
  GHashTableIter iter;
  gpointer item, column;

  g_hash_table_iter_init (&iter, self->bound);
  while (g_hash_table_iter_next (&iter, &item, &column))
    g_hash_table_insert (self->pending, item, column);
  show_later (self);
}

/* Numbers before texts; of equals the lower object number. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  VgObjectRow *p = vg_row_place_get ((gpointer) a), *q = vg_row_place_get ((gpointer) b);
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

/* NAME with its unit joined to the last word, so that a heading needs no further line, which GTK
 * would cut off; owned. */
static char *
keep_unit (const char *name)
{
  const char *comma = g_strrstr (name, ", ");

  return comma == NULL ? g_strdup (name)
                       : g_strdup_printf ("%.*s,\302\240%s", (int) (comma - name), name, comma + 2);
}

static void
add_column (VgObjectTable *self, guint i)
{
  const VgObjectColumn *column = &self->columns[i];
  g_autofree char *name = vg_name_with_unit (vg_translate (column->label),
                                             column->unit ? column->unit : ""),
                  *title = keep_unit (name);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *view_column;
  g_autoptr (GtkSorter)
      sorter = GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (i), NULL));

  g_object_set_data (G_OBJECT (factory), "vg-column", GUINT_TO_POINTER (i));
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (on_unbind), self);
  view_column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), view_column);
  g_object_unref (view_column);
}

/* The words of a heading stand below each other, so that more columns fit beside each other. */
static void
narrow_headings (GtkWidget *widget)
{
  const int chars = 10;

  if (GTK_IS_LABEL (widget))
    g_object_set (widget, "wrap", TRUE, "max-width-chars", chars, NULL);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    narrow_headings (child);
}

static gboolean
is_brief (const VgObjectColumn *columns, guint i)
{
  for (guint k = 0; columns[i].of != NULL && columns[k].id != NULL; k++)
    if (g_str_equal (columns[k].id, columns[i].of))
      return columns[k].brief;
  return columns[i].brief;
}

/* The number comes first, then the doubt, which decides what is looked at, and what is told beside
 * the pointer too. */
enum { N_RANKS = 4 };
static int
rank_of (const VgObjects *objects, guint i)
{
  return i == VG_OBJECT_NUMBER                                     ? 0
         : g_strcmp0 (objects->columns[i].id, objects->doubt) == 0 ? 1
         : is_brief (objects->columns, i)                          ? 2
                                                                   : 3;
}

/* Whether ROW has the length or area of column I in a unit other than px too. */
static gboolean
has_twin (const VgObjectColumn *columns, VgObjectRow *row, guint i)
{
  for (guint k = 0; columns[i].unit != NULL && columns[k].id != NULL; k++)
    if (g_strcmp0 (columns[k].of, columns[i].id) == 0 && *vg_object_row_get_text (row, k) != '\0')
      return TRUE;
  return FALSE;
}

/* Whether a row has text in column I. */
static gboolean
is_used (GPtrArray *rows, guint i)
{
  for (guint k = 0; k < rows->len; k++)
    if (*vg_object_row_get_text (rows->pdata[k], i) != '\0')
      return TRUE;
  return FALSE;
}

/* What the text may leave out is not shown where it did, and nothing in two units. */
static void
hide_absent (VgObjectTable *self, GPtrArray *rows)
{
  GListModel *columns = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  for (guint i = 0; i < g_list_model_get_n_items (columns) && rows->len > 0; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (columns, i);
      guint k = column_of (gtk_column_view_column_get_factory (column));

      gtk_column_view_column_set_visible (
          column,
          ((self->columns[k].of == NULL && !self->columns[k].optional) || is_used (rows, k)) &&
              !has_twin (self->columns, rows->pdata[0], k));
    }
}

static void
stop_growing (VgObjectTable *self)
{
  g_clear_handle_id (&self->growing_id, g_source_remove);
  g_clear_pointer (&self->all, g_ptr_array_unref);
}

void
vg_object_table_set_columns (VgObjectTable *self, const VgObjects *objects)
{
  const VgObjectColumn *columns = objects != NULL ? objects->columns : NULL;
  GListModel *present;

  if (self->columns == columns)
    return;
  present = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));
  self->syncing = TRUE;
  stop_growing (self);
  vg_row_list_set (self->rows, NULL, 0);
  while (g_list_model_get_n_items (present) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (present, 0);
      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), column);
    }
  self->columns = columns;
  for (int rank = 0; rank < N_RANKS; rank++)
    for (guint i = 0; columns != NULL && columns[i].id != NULL; i++)
      if (rank_of (objects, i) == rank)
        add_column (self, i);
  narrow_headings (gtk_widget_get_first_child (self->view));
  self->syncing = FALSE;
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "empty");
}

static guint
selected_number (VgObjectTable *self)
{
  VgRowPlace *place = gtk_single_selection_get_selected_item (self->selection);

  return place != NULL ? vg_object_row_get_number (vg_row_place_get (place)) : 0;
}

static guint
find (VgObjectTable *self, guint number)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));

  for (guint i = 0; number > 0 && i < n; i++)
    {
      g_autoptr (VgRowPlace) place = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (vg_object_row_get_number (vg_row_place_get (place)) == number)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

/* A view makes the widgets of its first 200 rows, wherever it is: a few rows at a time until it has
 * them.  TRUE: there are more. */
static gboolean
grow (VgObjectTable *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rows));
  guint part = n < MOST_WIDGETS ? n + PART : self->all->len;

  self->syncing = TRUE;
  vg_row_list_set (self->rows, self->all, part);
  show_cells (self);
  gtk_sorter_changed (gtk_column_view_get_sorter (GTK_COLUMN_VIEW (self->view)),
                      GTK_SORTER_CHANGE_DIFFERENT);
  if (part >= self->all->len)
    gtk_single_selection_set_selected (self->selection, find (self, self->wanted));
  self->syncing = FALSE;
  return part < self->all->len;
}

static gboolean
on_grow (gpointer data)
{
  VgObjectTable *self = data;

  if (grow (self))
    return G_SOURCE_CONTINUE;
  self->growing_id = 0;
  return G_SOURCE_REMOVE;
}

void
vg_object_table_set_rows (VgObjectTable *self, GPtrArray *rows, GArray *decimals, guint selected)
{
  hide_absent (self, rows);
  g_array_ref (decimals);
  g_array_unref (self->decimals);
  self->decimals = decimals;
  stop_growing (self);
  self->all = g_ptr_array_ref (rows);
  self->wanted = selected;
  if (grow (self))
    self->growing_id = g_idle_add (on_grow, self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), rows->len > 0 ? "rows" : "empty");
}

void
vg_object_table_set_note (VgObjectTable *self, const char *note)
{
  gtk_label_set_text (GTK_LABEL (self->note), note != NULL ? note : "");
  gtk_widget_set_visible (self->note, note != NULL);
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
  g_autoptr (VgRowPlace) place = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (place != NULL)
    g_signal_emit_by_name (self, "activated", vg_object_row_get_number (vg_row_place_get (place)));
}

static void
vg_object_table_dispose (GObject *object)
{
  VgObjectTable *self = VG_OBJECT_TABLE (object);

  self->syncing = TRUE;
  stop_growing (self);
  g_clear_handle_id (&self->showing_id, g_source_remove);
  g_clear_pointer (&self->pending, g_hash_table_unref);
  g_clear_pointer (&self->bound, g_hash_table_unref);
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
  GtkWidget *scroller = gtk_scrolled_window_new (),
            *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *empty = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "justify", GTK_JUSTIFY_CENTER,
                                   "label",
                                   _ ("No objects yet. They appear here as they are found."), NULL);
  GtkSortListModel *sorted;

  self->decimals = g_array_new (FALSE, FALSE, sizeof (int));
  self->bound = g_hash_table_new (NULL, NULL);
  self->pending = g_hash_table_new (NULL, NULL);
  self->rows = vg_row_list_new ();
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
  gtk_widget_set_vexpand (self->stack, TRUE);
  self->note = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, "visible", FALSE, NULL);
  gtk_widget_add_css_class (self->note, "vg-plot-note");
  gtk_box_append (GTK_BOX (box), self->stack);
  gtk_box_append (GTK_BOX (box), self->note);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
}

GtkWidget *
vg_object_table_new (void)
{
  return g_object_new (VG_TYPE_OBJECT_TABLE, NULL);
}
