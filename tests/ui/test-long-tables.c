/* SPDX-License-Identifier: MIT */
/* A table of 100,000 objects and tables of 100 and 256 regions leave the main loop free: no turn of
 * it takes more than a quarter of a second of processor time, which a busy machine does not change
 * much; a usual machine needs a fifth of that. */
#include <gtk/gtk.h>
#include <math.h>
#include <time.h>
#include "ui/pages/vg-object-table.h"
#include "ui/pages/vg-region-table.h"
#include "ui/pages/vg-row-list.h"

enum { N_OBJECTS = 100000, MOST_MS = 250, REST_MS = 400 };

static double
processor_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * (double) now.tv_sec + 1e-6 * (double) now.tv_nsec;
}

/* Runs CHANGE (DATA) and the main loop until nothing happens any more; WHAT names it.  No turn may
 * take longer than MOST_MS. */
static void
watch (const char *what, void (*change) (gpointer data), gpointer data)
{
  gint64 rest = g_get_monotonic_time () + 1000 * REST_MS;
  double begin = processor_ms (), longest;

  change (data);
  longest = processor_ms () - begin;
  while (g_get_monotonic_time () < rest)
    {
      double took;

      begin = processor_ms ();
      g_main_context_iteration (NULL, FALSE);
      took = processor_ms () - begin;
      longest = fmax (longest, took);
      if (took > 1)
        rest = g_get_monotonic_time () + 1000 * REST_MS;
      else
        g_usleep (1000);
    }
  g_test_message ("%s: %.0f ms", what, longest);
  if (longest > MOST_MS)
    g_error ("%s holds the main loop up for %.0f ms", what, longest);
}

static GtkWidget *
show (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 900, 500);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  while (gtk_widget_get_width (widget) == 0 || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, TRUE);
  return window;
}

/* ---- objects ---- */

/* Of contour, whose objects have the most columns. */
static const VgObjectColumn *
get_columns (void)
{
  return vg_operation_find ("contour")->objects->columns;
}

static GPtrArray *
make_rows (int size)
{
  const VgObjectColumn *columns = get_columns ();
  GString *text = g_string_new (columns[0].id);
  GPtrArray *rows;

  for (guint k = 1; columns[k].id != NULL; k++)
    g_string_append_printf (text, ",%s", columns[k].id);
  for (int i = 1; i <= N_OBJECTS; i++)
    {
      g_string_append_printf (text, "\n%d", i);
      for (int k = 1; columns[k].id != NULL; k++)
        g_string_append_printf (text, ",%d.%d", size * ((i * 7919) % 4001), (i + k) % 10);
    }
  rows = vg_object_rows_parse (text->str, columns);
  g_assert_cmpuint (rows->len, ==, N_OBJECTS);
  g_string_free (text, TRUE);
  return rows;
}

typedef struct
{
  GtkWidget *table;
  GPtrArray *rows;
  GArray *decimals;
} Objects;

static void
set_rows (gpointer data)
{
  const Objects *objects = data;

  vg_object_table_set_rows (VG_OBJECT_TABLE (objects->table), objects->rows, objects->decimals, 0);
}

static void
choose_last (gpointer data)
{
  const Objects *objects = data;

  vg_object_table_select (VG_OBJECT_TABLE (objects->table), N_OBJECTS);
}

static GtkWidget *
find_view (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_COLUMN_VIEW (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_view (child);
  return found;
}

static void
sort_by_sixth (gpointer data)
{
  const Objects *objects = data;
  GtkColumnView *view = GTK_COLUMN_VIEW (find_view (objects->table));
  GListModel *all = gtk_column_view_get_columns (view);

  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, 5);

  gtk_column_view_sort_by_column (view, column, GTK_SORT_DESCENDING);
}

/* Whether a column that is shown, that at PLACE or any (-1), has TITLE. */
static gboolean
has_heading (const Objects *objects, int place, const char *title)
{
  GListModel *all = gtk_column_view_get_columns (GTK_COLUMN_VIEW (find_view (objects->table)));

  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);

      if ((place < 0 || place == (int) i) && gtk_column_view_column_get_visible (column) &&
          g_str_equal (gtk_column_view_column_get_title (column), title))
        return TRUE;
    }
  return FALSE;
}

static void
test_objects (void)
{
  g_autoptr (GPtrArray) first = make_rows (1), second = make_rows (2);
  g_autoptr (GArray) decimals = vg_object_rows_find_decimals (first, get_columns ());
  Objects objects = { vg_object_table_new (), first, decimals };
  GtkWidget *window = show (objects.table);
  GtkSelectionModel *model;
  g_autoptr (VgRowPlace) place = NULL;

  vg_object_table_set_columns (VG_OBJECT_TABLE (objects.table),
                               vg_operation_find ("contour")->objects);
  watch ("the first rows", set_rows, &objects);
  g_assert_true (has_heading (&objects, 1, "Doubt")); /* where it is seen at once */
  g_assert_true (has_heading (&objects, -1, "Area,\302\240\302\265m\302\262"));
  g_assert_false (has_heading (&objects, -1, "Area,\302\240px\302\262")); /* not in two units */
  model = gtk_column_view_get_model (GTK_COLUMN_VIEW (find_view (objects.table)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, N_OBJECTS);
  watch ("the last object", choose_last, &objects);
  objects.rows = second;
  watch ("other rows", set_rows, &objects);
  watch ("sorting", sort_by_sixth, &objects);
  place = g_list_model_get_item (G_LIST_MODEL (model), 0);
  g_assert_cmpfloat (vg_object_row_get_value (vg_row_place_get (place), 5), >=,
                     8000); /* the most */
  objects.rows = first;
  watch ("other rows, sorted", set_rows, &objects);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, N_OBJECTS);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- regions ---- */

typedef struct
{
  VgSession *session;
  GtkWidget *table;
  guint n;
  double mean;
} Regions;

static void
add_regions (gpointer data)
{
  const Regions *regions = data;
  g_autoptr (GPtrArray) named = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < regions->n; i++)
    {
      VgNamedRegion *region = g_new0 (VgNamedRegion, 1);

      region->name = "cell";
      region->region = (VgRegion){
        .kind = VG_REGION_RECTANGLE, .n_points = 2, .x = { i, i + 1 }, .y = { 0, 5 }
      };
      g_ptr_array_add (named, region);
    }
  g_assert_cmpuint (vg_session_add_regions (regions->session, named), ==, regions->n);
  vg_session_commit (regions->session, "Import");
}

static void
set_numbers (gpointer data)
{
  const Regions *regions = data;
  const VgView *view = vg_session_get_view (regions->session);
  g_autofree VgRegionResult *rows = g_new0 (VgRegionResult, regions->n);
  VgResult result = { .operation = vg_session_get_operation (regions->session),
                      .output = view->output,
                      .n_regions = regions->n,
                      .regions = rows };

  for (guint i = 0; i < regions->n; i++)
    {
      rows[i].statistics.valid = 5;
      rows[i].statistics.mean = rows[i].statistics.median = regions->mean + i;
      rows[i].statistics.max = 2 * rows[i].statistics.mean;
      rows[i].of_baseline = rows[i].kept = NAN;
    }
  vg_region_table_set_result (VG_REGION_TABLE (regions->table), &result, TRUE);
}

static void
undo (gpointer data)
{
  vg_session_undo (((const Regions *) data)->session);
}

static void
test_regions (gconstpointer n)
{
  guint n_operations;
  VgSession *session = vg_session_new (vg_operations (&n_operations)[0]);
  Regions regions = { session, vg_region_table_new (session), GPOINTER_TO_UINT (n), 1 };
  GtkWidget *window = show (regions.table);
  g_autofree char *text = NULL;

  watch ("new regions", add_regions, &regions);
  watch ("their numbers", set_numbers, &regions);
  regions.mean = 1e3;
  watch ("other numbers", set_numbers, &regions);
  text = vg_region_table_to_text (VG_REGION_TABLE (regions.table), ",");
  g_assert_nonnull (strstr (text, "\"cell\",1000,"));
  watch ("undo", undo, &regions);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    return 77;
  g_test_add_func ("/long-tables/objects", test_objects);
  g_test_add_data_func ("/long-tables/regions", GUINT_TO_POINTER (100), test_regions);
  g_test_add_data_func ("/long-tables/many-regions", GUINT_TO_POINTER (256), test_regions);
  return g_test_run ();
}
