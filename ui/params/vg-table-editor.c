/* SPDX-License-Identifier: MIT */
/* The grid is built anew when other rows are shown, and otherwise only takes
 * new values, so that the focus stays where the user types.  Of a long table
 * it shows a part: thousands of entries would take seconds to build. */
#include "ui/params/vg-table-editor.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-widgets.h"
#include "ui/params/vg-preset-chooser.h"
#include "ui/params/vg-row-ground.h"

struct _VgTableEditor
{
  VgEditor parent_instance;
  GtkWidget *box, *scroller, *grid, *add, *presets;
  GtkWidget *part, *from, *to; /* which rows of a long table are shown */
  GPtrArray *cells;            /* of the entries, row by row */
  GPtrArray *names;            /* labels above the shown rows */
  GPtrArray *grounds;          /* of the shown rows, if they lie in the image: the chosen one's */
  int chosen;                  /* row that lies in the image, from 1; 0: none */
  int columns, rows;           /* of the table; -1: build the grid anew */
  int first, shown;            /* rows in the grid */
};

enum { MOST_SHOWN = 16, MOST_DIGITS = 8 };

#define MOST_ENDLESS 10 /* times the least thickness without an end, which rounding may reduce */

G_DEFINE_FINAL_TYPE (VgTableEditor, vg_table_editor, VG_TYPE_EDITOR)

static int
row_limit (const VgParam *param)
{
  return param->table.max_rows > 0 ? param->table.max_rows : 1000;
}

static VgTable *
current (VgTableEditor *self)
{
  g_autofree char *text = vg_param_format (vg_editor_get_param (VG_EDITOR (self)),
                                           vg_editor_get_params (VG_EDITOR (self)));
  VgTable *table = text && *text ? vg_table_parse (text, self->columns, NULL) : NULL;

  return table ? table : vg_table_new (0, self->columns);
}

static void
take (VgTableEditor *self, const VgTable *table)
{
  g_autofree char *text = vg_table_format (table);

  vg_editor_set_text (VG_EDITOR (self), text);
}

/* What the values of a column are multiplied with to be shown. */
static double
factor_of (VgTableEditor *self, int column)
{
  double factor;

  vg_editor_convert (VG_EDITOR (self),
                     vg_editor_get_param (VG_EDITOR (self))->table.columns[column].unit, &factor);
  return factor;
}

/* "Absorption, 1/cm" in the shown unit. */
static char *
column_name (VgTableEditor *self, int column)
{
  const VgColumn *c = &vg_editor_get_param (VG_EDITOR (self))->table.columns[column];
  double factor;

  return vg_name_with_unit (vg_translate (c->label),
                            vg_editor_convert (VG_EDITOR (self), c->unit, &factor));
}

static void
on_cell (GtkSpinButton *cell, VgTableEditor *self)
{
  guint i;
  VgTable *table;

  if (vg_editor_is_syncing (VG_EDITOR (self)) || !g_ptr_array_find (self->cells, cell, &i))
    return;
  table = current (self);
  i += (guint) (self->first * self->columns);
  if ((int) i < table->rows * table->columns)
    {
      table->values[i] = vg_editor_stored (gtk_spin_button_get_value (cell),
                                           factor_of (self, (int) i % self->columns));
      take (self, table);
    }
  vg_table_free (table);
}

static void
copy_row (VgTable *to, int to_row, const VgTable *from, int from_row)
{
  memcpy (to->values + to_row * to->columns, from->values + from_row * from->columns,
          to->columns * sizeof (double));
}

static void
on_add (VgTableEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  VgTable *table = current (self), *longer;

  if (table->rows < row_limit (param))
    {
      longer = vg_table_new (table->rows + 1, self->columns);
      for (int row = 0; row < table->rows; row++)
        copy_row (longer, row, table, row);
      if (table->rows > 0)
        copy_row (longer, table->rows, table, table->rows - 1);
      else
        for (int column = 0; column < self->columns; column++)
          longer->values[column] = param->table.columns[column].def;
      take (self, longer);
      vg_table_free (longer);
    }
  vg_table_free (table);
}

static int
row_of (GtkWidget *button)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "vg-row"));
}

static void
on_remove (GtkWidget *button, VgTableEditor *self)
{
  VgTable *table = current (self);
  int gone = row_of (button);

  if (gone < table->rows)
    {
      VgTable *shorter = vg_table_new (table->rows - 1, self->columns);
      for (int row = 0; row < shorter->rows; row++)
        copy_row (shorter, row, table, row < gone ? row : row + 1);
      take (self, shorter);
      vg_table_free (shorter);
    }
  vg_table_free (table);
}

static void
on_up (GtkWidget *button, VgTableEditor *self)
{
  VgTable *table = current (self), *moved = vg_table_copy (table);
  int row = row_of (button);

  if (row > 0 && row < table->rows)
    {
      copy_row (moved, row - 1, table, row);
      copy_row (moved, row, table, row - 1);
      take (self, moved);
    }
  vg_table_free (moved);
  vg_table_free (table);
}

static GtkWidget *
row_button (VgTableEditor *self, int row, const char *icon, const char *name, GCallback callback)
{
  GtkWidget *button = vg_icon_button_new (icon, name);

  gtk_widget_add_css_class (button, "vg-reset");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_object_set_data (G_OBJECT (button), "vg-row", GINT_TO_POINTER (row));
  g_signal_connect (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
cell_new (const VgColumn *column, double factor, const VgStack *stack)
{
  double min = factor * column->min, max = factor * column->max;
  GtkWidget *cell = vg_number_entry_new (min, max, (max - min) / 1000, FALSE);

  if (g_strcmp0 (stack->column, column->id) == 0)
    vg_number_entry_set_endless (cell, factor * stack->endless,
                                 factor * MOST_ENDLESS * stack->endless);
  gtk_widget_add_css_class (cell, "vg-cell");
  gtk_widget_set_hexpand (cell, TRUE);
  return cell;
}

static GtkWidget *
heading_new (VgTableEditor *self, int i)
{
  const VgColumn *column = &vg_editor_get_param (VG_EDITOR (self))->table.columns[i];
  double factor;
  const char *unit = vg_editor_convert (VG_EDITOR (self), column->unit, &factor);
  g_autofree char *label = column_name (self, i);
  const char *symbol = column->symbol != NULL ? column->symbol : column->id;
  g_autofree char *text = unit && *unit ? g_strdup_printf ("%s\n%s", symbol, unit)
                                        : g_strdup (symbol);
  GtkWidget *heading = vg_label_new (text, "caption");

  gtk_widget_set_valign (heading, GTK_ALIGN_END);
  vg_widget_describe (heading, text, label);
  return heading;
}

/* Who edits a row sees where it lies. */
static void
on_enter (GtkEventController *controller, VgTableEditor *self)
{
  VgSession *session = vg_editor_get_session (VG_EDITOR (self));
  VgView view = *vg_session_get_view (session);
  guint i;

  if (!g_ptr_array_find (self->cells, gtk_event_controller_get_widget (controller), &i))
    return;
  view.row = self->first + (int) i / self->columns + 1;
  vg_session_set_view (session, &view);
}

/* And then sees the map as it is. */
static void
on_leave (GtkEventController *controller, VgTableEditor *self)
{
  VgSession *session = vg_editor_get_session (VG_EDITOR (self));
  VgView view = *vg_session_get_view (session);

  if (vg_editor_is_syncing (VG_EDITOR (self)) || gtk_widget_in_destruction (GTK_WIDGET (self)))
    return;
  view.row = 0;
  vg_session_set_view (session, &view);
}

static void
add_row (VgTableEditor *self, int row)
{
  g_autofree char *up = g_strdup_printf (_ ("Move row %d up"), row + 1),
                  *remove = g_strdup_printf (_ ("Remove row %d"), row + 1);
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  int line = 2 * (row - self->first) + 2;
  GtkWidget *above = vg_label_new (NULL, "caption");

  if (param->table.stack.column != NULL)
    g_ptr_array_add (self->grounds,
                     vg_row_ground_new (GTK_GRID (self->grid), row, line - 1, self->columns + 3));
  gtk_widget_add_css_class (above, "dim-label");
  g_ptr_array_add (self->names, above);
  gtk_grid_attach (GTK_GRID (self->grid), above, 1, line - 1, self->columns, 1);
  for (int column = 0; column < self->columns; column++)
    {
      const VgColumn *c = &param->table.columns[column];
      g_autofree char *label = column_name (self, column);
      g_autofree char *name = g_strdup_printf (_ ("Row %d, %s"), row + 1, label);
      GtkWidget *cell = cell_new (c, factor_of (self, column), &param->table.stack);
      GtkEventController *focus;

      vg_widget_describe (cell, name, vg_translate (param->help));
      g_signal_connect (cell, "value-changed", G_CALLBACK (on_cell), self);
      g_ptr_array_add (self->cells, cell);
      gtk_grid_attach (GTK_GRID (self->grid), cell, column + 1, line, 1, 1);
      if (param->table.stack.column == NULL)
        continue;
      focus = gtk_event_controller_focus_new ();
      g_signal_connect (focus, "enter", G_CALLBACK (on_enter), self);
      g_signal_connect (focus, "leave", G_CALLBACK (on_leave), self);
      gtk_widget_add_controller (cell, focus);
    }
  gtk_grid_attach (GTK_GRID (self->grid),
                   row_button (self, row, "go-up-symbolic", up, G_CALLBACK (on_up)),
                   self->columns + 1, line, 1, 1);
  gtk_grid_attach (GTK_GRID (self->grid),
                   row_button (self, row, "list-remove-symbolic", remove, G_CALLBACK (on_remove)),
                   self->columns + 2, line, 1, 1);
}

/* SHOWN rows from FIRST on. */
static void
rebuild (VgTableEditor *self, int first, int shown)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->grid)))
    gtk_grid_remove (GTK_GRID (self->grid), child);
  g_ptr_array_set_size (self->cells, 0);
  g_ptr_array_set_size (self->names, 0);
  g_ptr_array_set_size (self->grounds, 0);
  self->first = first;
  self->shown = shown;
  for (int column = 0; column < self->columns && shown > 0; column++)
    gtk_grid_attach (GTK_GRID (self->grid), heading_new (self, column), column + 1, 0, 1, 1);
  for (int row = first; row < first + shown; row++)
    add_row (self, row);
}

/* A column is as wide as its longest number wants: in µm there are many digits. */
static void
fit_column (VgTableEditor *self, int column)
{
  int width = 4;

  for (guint i = (guint) column; i < self->cells->len; i += (guint) self->columns)
    width = MAX (width, (int) strlen (gtk_editable_get_text (g_ptr_array_index (self->cells, i))));
  width = MIN (width, MOST_DIGITS);
  for (guint i = (guint) column; i < self->cells->len; i += (guint) self->columns)
    {
      gtk_editable_set_width_chars (g_ptr_array_index (self->cells, i), width);
      gtk_editable_set_max_width_chars (g_ptr_array_index (self->cells, i), MAX (width, 5));
    }
}

/* "5 dermis" above the row of that layer. */
static void
show_names (VgTableEditor *self)
{
  const VgParam *param = vg_editor_get_param (VG_EDITOR (self));
  g_auto (GStrv) names = param->table.row_names != NULL
                             ? param->table.row_names (vg_editor_get_params (VG_EDITOR (self)))
                             : NULL;
  guint n = names != NULL ? g_strv_length (names) : 0;

  for (guint i = 0; i < self->names->len; i++)
    {
      guint row = (guint) self->first + i;
      const char *name = row < n ? names[row] : "";
      g_autofree char *text = g_strdup_printf ("%u %s", row + 1, name);

      gtk_label_set_text (GTK_LABEL (self->names->pdata[i]), text);
      gtk_widget_set_visible (self->names->pdata[i], *name != '\0');
    }
}

static void
fill (VgTableEditor *self, const VgTable *table)
{
  const double *values = table->values + self->first * self->columns;

  for (guint i = 0; i < self->cells->len; i++)
    gtk_spin_button_set_value (g_ptr_array_index (self->cells, i),
                               factor_of (self, (int) i % self->columns) * values[i]);
  for (int column = 0; column < self->columns; column++)
    fit_column (self, column);
  show_names (self);
}

/* Says which rows are shown, when that is not all. */
static void
show_part (VgTableEditor *self)
{
  g_autofree char *text = g_strdup_printf (_ ("to %d of %d"), self->first + self->shown,
                                           self->rows);

  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->from), 1, MAX (self->rows - MOST_SHOWN + 1, 1));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->from), self->first + 1);
  gtk_label_set_text (GTK_LABEL (self->to), text);
  gtk_widget_set_visible (self->part, self->rows > self->shown);
}

static void
show_chosen (VgTableEditor *self)
{
  for (guint i = 0; i < self->grounds->len; i++)
    vg_row_ground_set_chosen (self->grounds->pdata[i], self->first + (int) i + 1 == self->chosen);
}

/* A row that was chosen in the image comes into sight. */
static void
on_session_changed (VgTableEditor *self, guint flags)
{
  int row = vg_session_get_view (vg_editor_get_session (VG_EDITOR (self)))->row;

  if ((flags & VG_CHANGED_VIEW) == 0 || row == self->chosen)
    return;
  self->chosen = row;
  if (row > 0 && row <= self->rows && (row <= self->first || row > self->first + self->shown))
    {
      self->first = CLAMP (row - 1 - MOST_SHOWN / 2, 0, self->rows - self->shown);
      self->rows = -1;
      vg_editor_sync (VG_EDITOR (self));
    }
  show_chosen (self);
  if (row > self->first && row <= self->first + (int) self->grounds->len)
    vg_row_ground_scroll_to (self->grounds->pdata[row - 1 - self->first]);
}

/* Other rows of the same table. */
static void
on_from (VgTableEditor *self)
{
  VgTable *table;
  int first = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->from)) - 1;

  if (vg_editor_is_syncing (VG_EDITOR (self)) || first == self->first)
    return;
  table = current (self);
  self->first = CLAMP (first, 0, MAX (table->rows - MOST_SHOWN, 0));
  self->rows = -1;
  vg_table_free (table);
  vg_editor_sync (VG_EDITOR (self));
}

/* A row that was added is seen: the last ones are shown. */
static void
vg_table_editor_sync (VgEditor *editor)
{
  VgTableEditor *self = VG_TABLE_EDITOR (editor);
  VgTable *table = current (self);
  int shown = MIN (table->rows, MOST_SHOWN), last = table->rows - shown;
  int first = self->rows >= 0 && table->rows > self->rows ? last : MIN (self->first, last);

  if (self->rows < 0 || shown != self->shown || first != self->first)
    rebuild (self, first, shown);
  self->rows = table->rows;
  fill (self, table);
  show_part (self);
  show_chosen (self);
  if (self->presets)
    vg_preset_chooser_sync (VG_PRESET_CHOOSER (self->presets));
  gtk_widget_set_visible (self->scroller, table->rows > 0);
  gtk_widget_set_sensitive (self->add, table->rows < row_limit (vg_editor_get_param (editor)));
  vg_table_free (table);
}

/* Heads, names and ranges of the cells are all others. */
static void
vg_table_editor_rescale (VgEditor *editor)
{
  VG_TABLE_EDITOR (editor)->rows = -1;
}

static GtkWidget *
part_new (VgTableEditor *self)
{
  self->part = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->from = vg_number_entry_new (1, 2, MOST_SHOWN, TRUE);
  self->to = vg_label_new ("", NULL);
  vg_widget_describe (self->from, _ ("First row shown"), _ ("Part of a long table to show"));
  gtk_box_append (GTK_BOX (self->part), vg_label_new (_ ("Rows"), NULL));
  gtk_box_append (GTK_BOX (self->part), self->from);
  gtk_box_append (GTK_BOX (self->part), self->to);
  g_signal_connect_swapped (self->from, "value-changed", G_CALLBACK (on_from), self);
  return self->part;
}

static void
vg_table_editor_build (VgEditor *editor)
{
  VgTableEditor *self = VG_TABLE_EDITOR (editor);
  const VgParam *param = vg_editor_get_param (editor);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  while (param->table.columns[self->columns].id)
    self->columns++;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->grid = g_object_new (GTK_TYPE_GRID, "column-spacing", 4, "row-spacing", 4, NULL);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->grid);
  self->add = gtk_button_new_with_label (_ ("Add Row"));
  vg_widget_describe (self->add, _ ("Add a row"), vg_translate (param->help));
  gtk_box_append (GTK_BOX (bar), self->add);
  if (param->table.presets)
    gtk_box_append (GTK_BOX (self->box), (self->presets = vg_preset_chooser_new (editor)));
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  gtk_box_append (GTK_BOX (self->box), part_new (self));
  gtk_box_append (GTK_BOX (self->box), bar);
  if (param->table.presets)
    gtk_box_append (GTK_BOX (self->box),
                    vg_preset_chooser_get_source (VG_PRESET_CHOOSER (self->presets)));
  g_signal_connect_swapped (self->add, "clicked", G_CALLBACK (on_add), self);
  if (param->table.stack.column != NULL)
    vg_connect (vg_editor_get_session (editor), "changed", on_session_changed, self);
  vg_editor_set_body (editor, self->box);
  vg_editor_set_focus (editor, self->add);
}

static void
vg_table_editor_finalize (GObject *object)
{
  g_ptr_array_unref (VG_TABLE_EDITOR (object)->grounds);
  g_ptr_array_unref (VG_TABLE_EDITOR (object)->cells);
  g_ptr_array_unref (VG_TABLE_EDITOR (object)->names);
  G_OBJECT_CLASS (vg_table_editor_parent_class)->finalize (object);
}

static void
vg_table_editor_class_init (VgTableEditorClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_table_editor_finalize;
  VG_EDITOR_CLASS (class)->below = TRUE;
  VG_EDITOR_CLASS (class)->build = vg_table_editor_build;
  VG_EDITOR_CLASS (class)->sync = vg_table_editor_sync;
  VG_EDITOR_CLASS (class)->rescale = vg_table_editor_rescale;
}

static void
vg_table_editor_init (VgTableEditor *self)
{
  self->cells = g_ptr_array_new ();
  self->names = g_ptr_array_new ();
  self->grounds = g_ptr_array_new ();
  self->rows = -1;
}
