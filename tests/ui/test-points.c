/* SPDX-License-Identifier: MIT */
/* Points set by hand and rows of objects, without a window. */
#include <math.h>
#include "ui/inspect/vg-object-listing.h"
#include "ui/layers/vg-label-places.h"
#include "ui/pages/vg-object-list.h"
#include "ui/picture/vg-point-drawing.h"

static const VgOperation *
find_operation (void)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (vg_operation_find_objects (operations[i]) >= 0)
      return operations[i];
  g_assert_not_reached ();
}

static const VgTable *
table (VgSession *session, VgPoints kind)
{
  return vg_point_drawing_table (session, vg_point_drawing_find (session, kind));
}

static void
expect (VgSession *session, VgPoints kind, int row, double x, double y)
{
  const VgTable *points = table (session, kind);

  g_assert_nonnull (points);
  g_assert_cmpint (row, <, points->rows);
  g_assert_cmpfloat_with_epsilon (points->values[row * points->columns], x, 1e-9);
  g_assert_cmpfloat_with_epsilon (points->values[row * points->columns + 1], y, 1e-9);
}

static void
test_points (void)
{
  g_autoptr (VgSession) session = vg_session_new (find_operation ());
  g_autoptr (VgPointDrawing) drawing = vg_point_drawing_new (session);

  vg_point_drawing_set_extent (drawing, &(VgExtent){ 0, 100, 80, 0 });
  g_assert_false (vg_point_drawing_add (drawing, (VgPoint){ 100, 10 })); /* outside */
  g_assert_false (vg_point_drawing_remove (drawing));
  g_assert_true (vg_point_drawing_add (drawing, (VgPoint){ 10.04, 20.06 }));
  g_assert_true (vg_point_drawing_add (drawing, (VgPoint){ 50, 60 }));
  expect (session, VG_POINTS_SET, 0, 10.0, 20.1);
  expect (session, VG_POINTS_SET, 1, 50, 60);

  /* a drag keeps the distance from the pointer, stays inside, and is one step back */
  g_assert_false (vg_point_drawing_press (drawing, (VgPoint){ 30, 30 }, 3));
  g_assert_true (vg_point_drawing_press (drawing, (VgPoint){ 51, 61 }, 3));
  vg_point_drawing_drag (drawing, (VgPoint){ 71, 41 });
  vg_point_drawing_drag (drawing, (VgPoint){ 400, 31 });
  vg_point_drawing_release (drawing, TRUE);
  expect (session, VG_POINTS_SET, 1, 100, 30);
  vg_session_undo (session);
  expect (session, VG_POINTS_SET, 1, 50, 60);
  vg_session_redo (session);
  expect (session, VG_POINTS_SET, 1, 100, 30);

  g_assert_true (vg_point_drawing_select_next (drawing, 1));
  g_assert_true (vg_point_drawing_nudge (drawing, 1, -1));
  g_assert_true (vg_point_drawing_remove (drawing));
  g_assert_cmpint (table (session, VG_POINTS_SET)->rows, ==, 1);
  g_assert_null (vg_point_drawing_get_selected (drawing).param);
}

/* What a card says of an object: "Cell 3|Area 310.2 px|...". */
static char *
told (VgObjectRow *row, const VgObjectColumn *columns)
{
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *name = vg_object_row_add_cells (row, columns, cells);
  GString *text = g_string_new (name);

  for (guint i = 0; i < cells->len; i += 2)
    g_string_append_printf (text, "|%s %s", (char *) cells->pdata[i], (char *) cells->pdata[i + 1]);
  return g_string_free (text, FALSE);
}

/* What was set goes from its table, what was found goes into the other. */
static void
test_take_out (void)
{
  g_autoptr (VgSession) session = vg_session_new (find_operation ());
  g_autoptr (VgPointDrawing) drawing = vg_point_drawing_new (session);

  vg_point_drawing_set_extent (drawing, &(VgExtent){ 0, 100, 80, 0 });
  g_assert_true (vg_point_drawing_add (drawing, (VgPoint){ 10, 20 }));
  g_assert_true (vg_point_drawing_take_out (drawing, (VgPoint){ 70.25, 33.5 }));
  expect (session, VG_POINTS_TAKEN_OUT, 0, 70.25, 33.5);
  g_assert_cmpint (table (session, VG_POINTS_SET)->rows, ==, 1);
  g_assert_true (vg_point_drawing_take_out (drawing, (VgPoint){ 10, 20 }));
  g_assert_null (table (session, VG_POINTS_SET));
  g_assert_cmpint (table (session, VG_POINTS_TAKEN_OUT)->rows, ==, 1);
  vg_session_undo (session);
  vg_session_undo (session);
  g_assert_null (table (session, VG_POINTS_TAKEN_OUT));
  expect (session, VG_POINTS_SET, 0, 10, 20);
}

static void
test_rows (void)
{
  static const VgObjectColumn columns[] = {
    { "id", "Cell", NULL, TRUE },
    { "seed_x", "Seed x", "px", FALSE },
    { "seed_y", "Seed y", "px", FALSE },
    { "x", "x", "px", FALSE },
    { "y", "y", "px", FALSE },
    { "area", "Area", "px", TRUE },
    { "area_um", "Area", "um", FALSE, "area" },
    { "partners", "Overlaps", NULL, TRUE },
    { NULL },
  };
  const char *text = "id,seed_x,seed_y,x,y,area,partners\n3,1,2,1.5,2.5,310.25,4 "
                     "7\n\n-1,1,2,3,4,5,6\nnonsense\n9,1,2\n"
                     "4,5,6,7,8,nan,,too,many,cells\n99999999999,1,2,3,4,5,6\n";
  const char *both = "id,seed_x,seed_y,x,y,area,area_um,partners\n5,1,2,3,4,1052.3,77.45,\n";
  g_autoptr (GPtrArray) scaled = vg_object_rows_parse (both, columns);
  g_autofree char *with_twin = NULL;
  g_autoptr (GPtrArray) rows = vg_object_rows_parse (text, columns),
                        none = vg_object_rows_parse ("", columns);
  g_autofree char *first = NULL, *second = NULL;

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpuint (rows->len, ==, 2);
  first = told (rows->pdata[0], columns);
  second = told (rows->pdata[1], columns);
  g_assert_cmpstr (first, ==,
                   "Cell 3|Seed x 1 px|Seed y 2 px|x 1.5 px|y 2.5 px|Area 310.2 px|"
                   "Overlaps 4 7");
  g_assert_cmpuint (vg_object_row_get_number (rows->pdata[1]), ==, 4);
  g_assert_cmpstr (second, ==, "Cell 4|Seed x 5 px|Seed y 6 px|x 7 px|y 8 px|Area nan px");
  g_assert_cmpstr (vg_object_row_get_text (rows->pdata[1], 50), ==, "");
  g_assert_true (isnan (vg_object_row_get_value (rows->pdata[0], 7)));
  g_assert_cmpuint (scaled->len, ==, 1);
  with_twin = told (scaled->pdata[0], columns);
  g_assert_true (g_str_has_suffix (with_twin, "|Area 77.45 um"));
}

/* Labels of regions on one spot lie off each other and within the view, as long as there is room.
 */
static void
test_labels (void)
{
  const graphene_rect_t view = GRAPHENE_RECT_INIT (0, 0, 300, 200),
                        shape = GRAPHENE_RECT_INIT (100, 80, 20, 20);
  const graphene_rect_t corner = GRAPHENE_RECT_INIT (290, 0, 9, 9),
                        all = GRAPHENE_RECT_INIT (-50, -50, 900, 900);
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (graphene_rect_t));

  for (guint i = 0; i < 4; i++)
    {
      graphene_rect_t place = vg_label_places_take (taken, &view, &shape, 100, 60, 16);

      g_assert_true (graphene_rect_contains_rect (&view, &place));
      for (guint k = 0; k < i; k++)
        g_assert_false (
            graphene_rect_intersection (&g_array_index (taken, graphene_rect_t, k), &place, NULL));
      if (i == 0)
        g_assert_cmpfloat (place.origin.y + place.size.height, <, 80);
    }
  for (guint i = 0; i < 2; i++)
    {
      graphene_rect_t place = vg_label_places_take (taken, &view, i == 0 ? &corner : &all,
                                                    i == 0 ? 290 : -50, 60, 16);

      g_assert_true (graphene_rect_contains_rect (&view, &place));
    }
}

/* The density of all objects is one of the image, glass and all, and says so. */
static void
test_listing (void)
{
  static const VgObjectColumn columns[] = {
    { "id", "Id", NULL, FALSE },         { "seed_x", "Seed x", "px", FALSE },
    { "seed_y", "Seed y", "px", FALSE }, { "x", "x", "px", FALSE },
    { "y", "y", "px", FALSE },           { NULL },
  };
  VgImageInfo info = vg_image_info_grey (VG_U8, 1000, 500);
  g_autoptr (VgSession) session = vg_session_new (find_operation ());
  VgObjectListing *listing;

  info.pixel_size[0] = info.pixel_size[1] = 2;
  g_strlcpy (info.pixel_unit, "\302\265m", sizeof info.pixel_unit);
  listing = vg_object_listing_new (g_strdup ("id,seed_x,seed_y,x,y\n1,1,2,3,4\n2,5,6,7,8\n"),
                                   columns, session, &info);
  vg_object_listing_read (listing);
  g_assert_cmpstr (listing->note, ==, "2 objects, 1 per mm\302\262 of the image");
  vg_object_listing_free (listing);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/points/set-drag-remove", test_points);
  g_test_add_func ("/points/take-out", test_take_out);
  g_test_add_func ("/objects/rows", test_rows);
  g_test_add_func ("/objects/listing", test_listing);
  g_test_add_func ("/labels/places", test_labels);
  return g_test_run ();
}
