/* SPDX-License-Identifier: MIT */
/* Zoom and pan, regions under the hand, and what axes say; no window. */
#include <math.h>
#include <string.h>
#include "ui/common/vg-widgets.h"
#include "ui/layers/vg-axes-layer.h"
#include "ui/picture/vg-region-drawing.h"
#include "ui/common/vg-number-format.h"
#include "ui/volume/vg-section-regions.h"

static const VgExtent extent = { 0, 640, 480 };
static const VgViewport viewport = { .width = 501,
                                     .height = 333,
                                     .scale = 2,
                                     .margin_left = 10,
                                     .margin_right = 70,
                                     .margin_top = 10,
                                     .margin_bottom = 10 };

static void
test_transform (void)
{
  VgView view = { .zoom = 0 };
  VgViewTransform transform;
  double x, y, image_x, image_y;

  vg_view_transform_init (&transform, &view, &extent, &viewport);
  g_assert_cmpfloat_with_epsilon (transform.zoom, (333 - 20) * 2 / 480., 1e-12);
  /* fitted beside the right margin */
  vg_view_transform_to_widget (&transform, 320, 240, &x, &y);
  g_assert_cmpfloat_with_epsilon (x, (501 - 60) / 2., 0.51);
  g_assert_cmpfloat_with_epsilon (y, 333 / 2., 0.51);
  g_assert_cmpfloat (transform.origin_x, ==, round (transform.origin_x));

  for (double zoom = 0.5; zoom < 100; zoom *= 1.7)
    {
      vg_view_zoom_at (&view, &transform, &extent, &viewport, 200, 150, zoom);
      vg_view_transform_to_image (&transform, 200, 150, &image_x, &image_y);
      vg_view_transform_init (&transform, &view, &extent, &viewport);
      g_assert_cmpfloat_with_epsilon (transform.zoom, zoom, 1e-9);
      vg_view_transform_to_widget (&transform, image_x, image_y, &x, &y);
      /* a device pixel is half a widget pixel */
      g_assert_cmpfloat_with_epsilon (x, 200, 0.5);
      g_assert_cmpfloat_with_epsilon (y, 150, 0.5);
    }
  vg_view_zoom_at (&view, &transform, &extent, &viewport, 200, 150, 1e9);
  g_assert_cmpfloat (view.zoom, <=, 256);
  vg_view_zoom_at (&view, &transform, &extent, &viewport, 200, 150, 0);
  g_assert_cmpfloat (view.zoom, >, 0.1);

  vg_view_transform_init (&transform, &view, &extent, &viewport);
  vg_view_pan (&view, &transform, &extent, &viewport, 1e6, -1e6); /* the picture stays in sight */
  g_assert_cmpfloat (view.center_x, ==, 0);
  g_assert_cmpfloat (view.center_y, ==, 480);
}

/* Where the sections across the slices cross a region. */
static void
test_spans (void)
{
  static const struct
  {
    int axis[3], at[3];
    const char *region;
    guint n;
    double spans[4];
  } cases[] = {
    { { 0, 2, 1 }, { 4, 3, 0 }, "rect:2,1,5,4", 2, { 2, 7 } },
    { { 0, 2, 1 }, { 4, 6, 0 }, "rect:2,1,5,4", 0, { 0 } },
    { { 1, 2, 0 }, { 4, 6, 0 }, "rect:2,1,5,4", 2, { 1, 5 } },
    { { 0, 2, 1 }, { 0, 5, 0 }, "polygon:1,1;9,1;9,7;7,7;7,3;3,3;3,7;1,7", 4, { 1, 3, 7, 9 } },
    { { 1, 2, 0 }, { 8, 0, 0 }, "rect:6,2,9,20", 2, { 2, 8 } }, /* up to the edge */
  };
  const VgVolumeGrid grid = { .size = { 10, 8, 4 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgSection section = { .kind = VG_SECTION_CORONAL };
      const VgSectionPlace place = { .section = &section, .grid = &grid, .at = cases[i].at };
      g_autoptr (GArray) spans = NULL;
      VgRegion region;

      memcpy (section.axis, cases[i].axis, sizeof section.axis);
      g_assert_true (vg_region_parse (&region, cases[i].region, NULL));
      spans = vg_section_region_spans (&place, &region);
      g_assert_cmpuint (spans->len, ==, cases[i].n);
      for (guint k = 0; k < spans->len; k++)
        g_assert_cmpfloat (g_array_index (spans, double, k), ==, cases[i].spans[k]);
    }
}

/* A slice seen the other way round: its corners change sides, and places come back. */
static void
test_turned (void)
{
  VgView view = { .zoom = 0 };
  VgViewTransform straight, turned;
  double x0, y0, x1, y1, image_x, image_y;

  vg_view_transform_init (&straight, &view, &extent, &viewport);
  for (int way = 1; way < 8; way++)
    {
      turned = straight;
      turned.swapped = way >> 2;
      turned.turn_x = way & 1 ? extent.right : 0;
      turned.turn_y = way & 2 ? extent.bottom : 0;
      vg_view_transform_to_widget (&straight, 0, 0, &x0, &y0);
      vg_view_transform_to_widget (&turned, way & 1 ? 640 : 0, way & 2 ? 480 : 0, &x1, &y1);
      g_assert_cmpfloat_with_epsilon (x0, x1, 1e-9);
      g_assert_cmpfloat_with_epsilon (y0, y1, 1e-9);
      vg_view_transform_to_image (&turned, 111, 77, &image_x, &image_y);
      vg_view_transform_to_widget (&turned, image_x, image_y, &x1, &y1);
      g_assert_cmpfloat_with_epsilon (x1, 111, 1e-9);
      g_assert_cmpfloat_with_epsilon (y1, 77, 1e-9);
    }
}

/* Pixels 0.01 wide and 0.002 high: as much of the body in a screen pixel along both axes. */
static void
test_proportions (void)
{
  VgPlane plane = { .width = 200, .height = 500, .mirrored = TRUE, .pixel_size = { 0.01, 0.002 } };
  VgExtent wide = vg_extent_of_plane (&plane);
  VgView view = { .zoom = 0 };
  VgViewTransform transform;
  double x0, y0, x1, y1, image_x, image_y;

  vg_extent_set_proportions (&wide, &plane);
  for (int step = 0; step < 3; step++)
    {
      vg_view_transform_init (&transform, &view, &wide, &viewport);
      vg_view_transform_to_widget (&transform, 0, 0, &x0, &y0);
      vg_view_transform_to_widget (&transform, 100, 500, &x1, &y1); /* 1 and 1 */
      g_assert_cmpfloat_with_epsilon (x1 - x0, y1 - y0, 1e-9);
      if (step == 0)
        /* 4 wide fill the width */
        g_assert_cmpfloat_with_epsilon (x1 - x0, (501 - 20 - 60) / 4., 1e-9);
      vg_view_transform_to_image (&transform, 200, 150, &image_x, &image_y);
      vg_view_zoom_at (&view, &transform, &wide, &viewport, 200, 150, 3 * (step + 1));
      vg_view_transform_init (&transform, &view, &wide, &viewport);
      vg_view_transform_to_widget (&transform, image_x, image_y, &x1, &y1);
      g_assert_cmpfloat_with_epsilon (x1, 200, 0.5);
      g_assert_cmpfloat_with_epsilon (y1, 150, 0.5);
    }
  plane.pixel_size[1] = 0.0004; /* 25 times: a thread */
  vg_extent_set_proportions (&wide, &plane);
  g_assert_cmpfloat (wide.aspect, ==, 1);
  plane.pixel_size[0] = plane.pixel_size[1] = 0;
  vg_extent_set_proportions (&wide, &plane);
  g_assert_cmpfloat (wide.aspect, ==, 1);
}

static void
assert_region (VgSession *session, guint i, const char *text)
{
  g_autofree char *got = NULL;

  g_assert_cmpuint (vg_session_get_n_regions (session), >, i);
  got = vg_region_format (&vg_session_get_region (session, i)->region);
  g_assert_cmpstr (got, ==, text);
}

static void
drag (VgRegionDrawing *drawing, double x0, double y0, double x1, double y1)
{
  VgPoint from = { x0, y0 }, to = { x1, y1 };

  g_assert_true (vg_region_drawing_press (drawing, from, 3));
  vg_region_drawing_drag (drawing, (VgPoint){ (x0 + x1) / 2, (y0 + y1) / 2 }, FALSE);
  vg_region_drawing_drag (drawing, to, FALSE);
  vg_region_drawing_release (drawing, to, 3, TRUE, 1);
}

static void
click (VgRegionDrawing *drawing, double x, double y, int n_press)
{
  VgPoint at = { x, y };

  vg_region_drawing_press (drawing, at, 3);
  vg_region_drawing_release (drawing, at, 3, FALSE, n_press);
}

static void
test_drawing (void)
{
  guint n;
  g_autoptr (VgSession) session = vg_session_new (vg_operations (&n)[0]);
  g_autoptr (VgRegionDrawing) drawing = vg_region_drawing_new (session);

  vg_region_drawing_set_extent (drawing, &extent, 0);
  /* the hand tool pans */
  g_assert_false (vg_region_drawing_press (drawing, (VgPoint){ 5, 5 }, 3));

  vg_region_drawing_set_tool (drawing, VG_TOOL_RECTANGLE);
  drag (drawing, 200.2, 150.4, 100.3, 50.1);
  assert_region (session, 0, "rect:100,50,100,100");
  drag (drawing, 150, 100, 160, 95); /* inside the selected one: moves it */
  assert_region (session, 0, "rect:110,45,100,100");
  drag (drawing, 210, 145, 230, 155); /* its lower right handle */
  assert_region (session, 0, "rect:110,45,120,110");
  drag (drawing, 110, 100, 240, 300); /* its left edge, beyond the right one */
  assert_region (session, 0, "rect:230,45,10,110");
  /* inside it, though the handles of both edges are in reach */
  drag (drawing, 235, 100, 239, 101);
  assert_region (session, 0, "rect:234,46,10,110");
  drag (drawing, 239, 101, 235, 100);
  drag (drawing, 600, 400, 900, 900); /* ends at the border */
  assert_region (session, 1, "rect:600,400,40,80");
  click (drawing, 20, 20, 1);
  g_assert_cmpint (vg_region_drawing_get_selected (drawing), ==, -1);
  click (drawing, 235, 60, 1);
  g_assert_cmpint (vg_region_drawing_get_selected (drawing), ==, 0);
  g_assert_true (vg_region_drawing_nudge (drawing, 1, -1, FALSE));
  assert_region (session, 0, "rect:231,44,10,110");
  g_assert_true (vg_region_drawing_remove (drawing));
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 1);
  vg_session_undo (session);
  vg_session_undo (session);
  assert_region (session, 0, "rect:230,45,10,110");
}

/* The hand moves a large region at its outline, a small one anywhere. */
static void
test_hand (void)
{
  guint n;
  g_autoptr (VgSession) session = vg_session_new (vg_operations (&n)[0]);
  g_autoptr (VgRegionDrawing) drawing = vg_region_drawing_new (session);

  vg_region_drawing_set_extent (drawing, &extent, 0);
  vg_region_drawing_set_tool (drawing, VG_TOOL_RECTANGLE);
  drag (drawing, 100, 50, 200, 150);
  vg_region_drawing_set_tool (drawing, VG_TOOL_PAN);
  g_assert_false (vg_region_drawing_press (drawing, (VgPoint){ 150, 100 }, 3));
  g_assert_null (vg_region_drawing_cursor (drawing, (VgPoint){ 150, 100 }, 3));
  g_assert_cmpstr (vg_region_drawing_cursor (drawing, (VgPoint){ 130, 51 }, 3), ==, "move");
  drag (drawing, 130, 51, 140, 46);
  assert_region (session, 0, "rect:110,45,100,100");
  vg_region_drawing_set_tool (drawing, VG_TOOL_RECTANGLE);
  drag (drawing, 300, 300, 330, 330);
  vg_region_drawing_set_tool (drawing, VG_TOOL_PAN);
  drag (drawing, 310, 310, 312, 305);
  assert_region (session, 1, "rect:302,295,30,30");
}

static void
test_polygon (void)
{
  guint n;
  g_autoptr (VgSession) session = vg_session_new (vg_operations (&n)[0]);
  g_autoptr (VgRegionDrawing) drawing = vg_region_drawing_new (session);

  vg_region_drawing_set_extent (drawing, &extent, 0);
  vg_region_drawing_set_tool (drawing, VG_TOOL_POLYGON);
  click (drawing, 10, 10, 1);
  click (drawing, 60, 12, 1);
  click (drawing, 99, 99, 1);
  g_assert_true (vg_region_drawing_remove (drawing)); /* takes back the last vertex */
  click (drawing, 40, 50, 1);
  click (drawing, 40, 50, 2); /* the double click's second half */
  assert_region (session, 0, "polygon:10,10;60,12;40,50");
  g_assert_null (vg_region_drawing_get_draft (drawing));

  vg_region_drawing_cancel (drawing); /* drops the selection */
  click (drawing, 300, 300, 1);
  click (drawing, 350, 300, 1);
  g_assert_true (vg_region_drawing_cancel (drawing));
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 1);
  for (int i = 0; i < VG_REGION_MAX_POINTS + 20; i++) /* full: closes by itself */
    click (drawing, 320 + 150 * cos (i * 0.02), 240 + 150 * sin (i * 0.02), 1);
  g_assert_cmpuint (vg_session_get_n_regions (session), ==, 2);

  vg_region_drawing_cancel (drawing);
  vg_region_drawing_cancel (drawing);
  vg_region_drawing_set_tool (drawing, VG_TOOL_ELLIPSE);
  g_assert_true (vg_region_drawing_add_at (drawing, (VgPoint){ 320, 240 }, 40));
  assert_region (session, 2, "ellipse:320,240,20,20");
  vg_region_drawing_set_extent (drawing, &extent, 1); /* another slice: not there */
  g_assert_cmpint (vg_region_drawing_get_selected (drawing), ==, -1);
}

/* The plane is a part of a slide that goes on about it: fitted is the slide, and
 * regions are drawn anywhere on it. */
static void
test_slide (void)
{
  const VgExtent slide = {
    .left = -1000, .right = 3000, .top = -500, .bottom = 2500, .slide = TRUE
  };
  VgView view = { .zoom = 0 };
  VgViewTransform transform;
  guint n;
  g_autoptr (VgSession) session = vg_session_new (vg_operations (&n)[0]);
  g_autoptr (VgRegionDrawing) drawing = vg_region_drawing_new (session);
  double x, y;

  vg_view_transform_init (&transform, &view, &slide, &viewport);
  g_assert_cmpfloat_with_epsilon (transform.zoom, (333 - 20) * 2 / 3000., 1e-12);
  vg_view_transform_to_widget (&transform, 1000, 1000, &x, &y); /* its middle */
  g_assert_cmpfloat_with_epsilon (x, (501 - 60) / 2., 0.51);
  g_assert_cmpfloat_with_epsilon (y, 333 / 2., 0.51);
  vg_view_zoom_at (&view, &transform, &slide, &viewport, 200, 150, 1);
  vg_view_transform_init (&transform, &view, &slide, &viewport);
  vg_view_pan (&view, &transform, &slide, &viewport, 1e6, 1e6);
  g_assert_cmpfloat (view.center_x, ==, -1000);
  g_assert_cmpfloat (view.center_y, ==, -500);
  vg_region_drawing_set_extent (drawing, &slide, 0);
  vg_region_drawing_set_tool (drawing, VG_TOOL_RECTANGLE);
  drag (drawing, -1200, -300, -900, -200);
  assert_region (session, 0, "rect:-1000,-300,100,100");
  drag (drawing, 2900, 2400, 3100, 2600);
  assert_region (session, 1, "rect:2900,2400,100,100");
}

static void
check_axes (VgLength length, int width, const char *want)
{
  const VgAxes axes = {
    .plane = { .width = width,
               .height = 50,
               .origin = { 5, 5 },
               .pixel_size = { 10, 10 },
               .unit = "µm" },
    .extent = { .right = width, .bottom = 50 },
    .axes = TRUE,
    .names = { "x", "y" },
    .length = length,
  };
  g_autofree char *said = vg_axes_describe (&axes, NULL);

  g_assert_cmpstr (said, ==, want);
}

/* 10 mm, not 10000 µm, along both axes, unless a unit was chosen. */
static void
test_axes (void)
{
  check_axes (VG_LENGTH_OWN, 1000, "Axes: x (mm) 0 to 10; y (mm) 0 to 0.5");
  check_axes (VG_LENGTH_OWN, 99, "Axes: x (µm) 0 to 990; y (µm) 0 to 500");
  check_axes (VG_LENGTH_UM, 1000, "Axes: x (µm) 0 to 10 000; y (µm) 0 to 500");
  check_axes (VG_LENGTH_CM, 1000, "Axes: x (cm) 0 to 1; y (cm) 0 to 0.05");
}

/* Numbers as they are read aloud. */
static void
test_words (void)
{
  static const struct
  {
    double value;
    const char *want;
  } cases[] = {
    { 20000, "20 000" },
    { 2500, "2500" },
    { -1234567.9, "-1 234 568" },
    { 100000, "100 000" },
    { 0.12346, "0.1235" },
    { 2.5, "2.5" },
    { 0, "0" },
    { -3, "-3" },
    { 999999999999.0, "999 999 999 999" },
    { 1e12, "1e+12" },
    { NAN, "–" },
    { 0.0001, "0.0001" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = vg_format_words (cases[i].value);

      g_assert_cmpstr (text, ==, cases[i].want);
    }
}

/* Four figures, counts whole, thousands apart; in a line that changes zeros stay. */
static void
test_numbers (void)
{
  static const struct
  {
    double value;
    const char *number, *steady;
  } cases[] = {
    { 4.69499, "4.695", "4.695" },
    { 24.7, "24.7", "24.70" },
    { 0.99999, "1", "1.000" },
    { 313.899, "313.9", "313.9" },
    { 15001144, "15\342\200\257001\342\200\257144", "15\342\200\257001\342\200\257144" },
    { -43896.4, "-43\342\200\257896", "-43\342\200\257896" },
    { 1234.5, "1234", "1234" },
    { 0.0414376, "0.04144", "0.04144" },
    { -0.0, "0", "0" },
    { NAN, "–", "–" },
    { 0.00054, "0.00054", "0.0005400" }, /* alike, and with an exponent from the same size on */
    { -0.000054, "-5.4×10⁻⁵", "-5.400×10⁻⁵" },
    { 1e-10, "10⁻¹⁰", "1.000×10⁻¹⁰" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *number = vg_format_number (cases[i].value),
                      *steady = vg_format_steady (cases[i].value, "px");

      g_assert_cmpstr (number, ==, cases[i].number);
      g_assert_cmpstr (steady, ==, cases[i].steady);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view/transform", test_transform);
  g_test_add_func ("/view/turned", test_turned);
  g_test_add_func ("/view/spans", test_spans);
  g_test_add_func ("/view/proportions", test_proportions);
  g_test_add_func ("/view/drawing", test_drawing);
  g_test_add_func ("/view/hand", test_hand);
  g_test_add_func ("/view/polygon", test_polygon);
  g_test_add_func ("/view/slide", test_slide);
  g_test_add_func ("/view/axes", test_axes);
  g_test_add_func ("/view/words", test_words);
  g_test_add_func ("/view/numbers", test_numbers);
  return g_test_run ();
}
