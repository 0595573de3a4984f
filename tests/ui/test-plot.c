/* SPDX-License-Identifier: MIT */
/* Plots without a window: decimation, read-out, files. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include "ui/plot/vg-plane-scene.h"
#include "ui/plot/vg-plot-export.h"
#include "ui/plot/vg-plot-scene.h"

/* A peak one sample wide among a million is still drawn. */
static void
test_decimation_keeps_peaks (void)
{
  enum { N = 1000000, W = 200, H = 100 };
  VgCurves *curves = vg_curves_new ("t", "x", "s", "y", "");
  VgSeries *series = vg_curves_add (curves, "a", VG_SERIES_LINE, N);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  VgPlotAxis x = { 0, N, FALSE, 0, W }, y = { 0, 1, FALSE, H, 0 };
  const guchar *pixels;
  int top = H;

  for (int i = 0; i < N; i++)
    series->x[i] = i;
  series->y[N / 2] = 1;
  vg_plot_layer_draw (series, &x, &y, (VgPlotColor){ 1, 1, 1 }, cr);
  cairo_surface_flush (surface);
  pixels = cairo_image_surface_get_data (surface);
  for (int row = H - 1; row >= 0; row--)
    for (int column = 0; column < W; column++)
      if (pixels[row * cairo_image_surface_get_stride (surface) + 4 * column] > 60)
        top = MIN (top, row);
  g_assert_cmpint (top, <=, 2);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  vg_curves_free (curves);
}

/* The blue of the pixel in the middle of a gap of a level line of N samples, white on black. */
static int
gap_shade (int n)
{
  enum { W = 200, H = 100 };
  VgCurves *curves = vg_curves_new ("t", "x", "s", "y", "");
  VgSeries *series = vg_curves_add (curves, "a", VG_SERIES_LINE, n);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  VgPlotAxis x = { 0, n, FALSE, 0, W }, y = { 0, 2, FALSE, H, 0 };
  int shade;

  for (int i = 0; i < n; i++)
    {
      series->x[i] = i < n / 4 ? i : 3 * n / 4 + i / 4;
      series->y[i] = i == n / 4 ? NAN : 1;
    }
  vg_plot_layer_draw (series, &x, &y, (VgPlotColor){ 1, 1, 1 }, cr);
  cairo_surface_flush (surface);
  shade = cairo_image_surface_get_data (
      surface)[H / 2 * cairo_image_surface_get_stride (surface) + 4 * (W / 2)];
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  vg_curves_free (curves);
  return shade;
}

/* A missing value breaks the line, however many samples there are. */
static void
test_gaps (void)
{
  g_assert_cmpint (gap_shade (40), ==, 0);
  g_assert_cmpint (gap_shade (100000), ==, 0);
}

/* The blue of a pixel of one series of white on black, 1 +- 0.2 with an error only at some samples.
 */
static int
error_shade (VgSeriesStyle style, double at_x, double at_y)
{
  enum { N = 101, W = 200, H = 100 };
  VgCurves *curves = vg_curves_new ("t", "x", "s", "y", "");
  VgSeries *series = vg_curves_add (curves, "a", style, N);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  VgPlotAxis x = { 0, N - 1, FALSE, 0, W }, y = { 0, 2, FALSE, H, 0 };
  int column = (int) vg_plot_axis_to_pixel (&x, at_x), row = (int) vg_plot_axis_to_pixel (&y, at_y),
      shade;

  series->error = g_new (double, N);
  for (int i = 0; i < N; i++)
    {
      series->x[i] = i;
      series->y[i] = 1;
      series->error[i] = i < 50 || i > 80 ? 0.4 : NAN;
    }
  vg_plot_layer_draw (series, &x, &y, (VgPlotColor){ 1, 1, 1 }, cr);
  cairo_surface_flush (surface);
  shade = cairo_image_surface_get_data (
      surface)[row * cairo_image_surface_get_stride (surface) + 4 * column];
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  vg_curves_free (curves);
  return shade;
}

/* A line stands out of its error; a sample without one has none. */
static void
test_errors (void)
{
  int band = error_shade (VG_SERIES_LINE, 25.2, 1.2);

  g_assert_cmpint (band, >, 40);
  g_assert_cmpint (band, <, 110);
  g_assert_cmpint (error_shade (VG_SERIES_LINE, 25.2, 0.8), ==, band);
  g_assert_cmpint (error_shade (VG_SERIES_LINE, 25.2, 1), >, 150);
  g_assert_cmpint (error_shade (VG_SERIES_LINE, 25.2, 1.5), ==, 0);
  g_assert_cmpint (error_shade (VG_SERIES_LINE, 75.2, 1.2), ==, 0);
  g_assert_cmpint (error_shade (VG_SERIES_LINE, 75.2, 1), >, 150);
  g_assert_cmpint (error_shade (VG_SERIES_LINE, 90.2, 1.2), ==, band);
  g_assert_cmpint (error_shade (VG_SERIES_POINTS, 25, 1.2), >, 100);
  g_assert_cmpint (error_shade (VG_SERIES_POINTS, 75, 1.2), ==, 0);
}

static VgCurves *
ramp (void)
{
  VgCurves *curves = vg_curves_new ("Ramp", "Time", "s", "Value", "");
  VgSeries *series = vg_curves_add (curves, "Hand", VG_SERIES_LINE, 11);

  for (int i = 0; i <= 10; i++)
    {
      series->x[i] = i;
      series->y[i] = i < 5 ? 2 : 3;
    }
  return curves;
}

static void
test_readout (void)
{
  g_autoptr (VgCurves) curves = ramp ();
  const double without[] = { -1.5, 8.3, 12 }; /* before, at a missing value, behind */
  VgPlotScene scene;
  g_autofree char *plain = NULL;

  vg_plot_scene_init (&scene);
  scene.curves = curves;
  scene.cursor = 7.2;
  plain = vg_plot_scene_read (&scene, 0);
  g_assert_cmpstr (plain, ==, "Hand: 3");
  ((VgSeries *) curves->series->pdata[0])->y[8] = NAN;
  for (guint i = 0; i < G_N_ELEMENTS (without); i++)
    {
      g_autofree char *none = NULL;

      scene.cursor = without[i];
      none = vg_plot_scene_read (&scene, 0);
      g_assert_cmpstr (none, ==, "Hand: –");
    }
}

/* Dark pixels of the column of x in the picture of CURVES, between the curve and the label. */
static int
count_dark (const VgCurves *curves, double x)
{
  enum { W = 400, H = 200 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  int column, stride = cairo_image_surface_get_stride (surface), dark = 0;
  VgPlotScene scene;
  VgPlotBox box;

  vg_plot_scene_init (&scene);
  scene.curves = curves;
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  vg_plot_scene_draw (&scene, cr, W, H);
  cairo_surface_flush (surface);
  box = vg_plot_scene_get_box (&scene, W, H);
  column = (int) vg_plot_axis_to_pixel (&scene.x, x);
  for (int row = (int) (box.y + 0.3 * box.height); row < (int) (box.y + 0.9 * box.height); row++)
    dark += cairo_image_surface_get_data (surface)[row * stride + 4 * column] < 120;
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return dark;
}

/* Marks are seen where they belong, and nowhere else. */
static void
test_marks (void)
{
  g_autoptr (VgCurves) curves = ramp ();
  int without = count_dark (curves, 3.3);

  vg_curves_mark (curves, 3.3, "Set baseline");
  vg_curves_mark (curves, 99, "Set baseline"); /* out of sight */
  g_assert_cmpint (count_dark (curves, 3.3), >, without + 30);
  g_assert_cmpint (count_dark (curves, 6.3), <, 10);
}

/* How many changes between dark and light there are along the vertical line at X of SCENE. */
static int
count_breaks (VgPlotScene *scene, double x)
{
  enum { W = 400, H = 200 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  VgPlotBox box;
  const guint8 *pixels;
  gboolean dark = FALSE;
  int breaks = 0, column;

  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  vg_plot_scene_draw (scene, cr, W, H);
  cairo_surface_flush (surface);
  pixels = cairo_image_surface_get_data (surface);
  box = vg_plot_scene_get_box (scene, W, H);
  column = (int) floor (vg_plot_axis_to_pixel (&scene->x, x));
  for (int row = (int) box.y + 2; row < (int) (box.y + box.height) - 8; row++)
    {
      const gboolean now = pixels[row * cairo_image_surface_get_stride (surface) + 4 * column] <
                           190;

      breaks += now != dark;
      dark = now;
    }
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return breaks;
}

/* The line of the moment in view is unbroken, and that of a mark is not. */
static void
test_moment_line (void)
{
  g_autoptr (VgCurves) curves = ramp ();
  const VgSeries *series = curves->series->pdata[0];
  const double end = series->x[series->n - 1], mark = end / 4, moment = end / 2;
  VgPlotScene scene;

  vg_plot_scene_init (&scene);
  scene.curves = curves;
  vg_curves_mark (curves, mark, "cuff");
  vg_plot_scene_set_moment (&scene, moment);
  g_assert_cmpint (count_breaks (&scene, mark), >, 10);
  g_assert_cmpint (count_breaks (&scene, moment), <, 4);
}

/* The moment in view is marked where later ones are known. */
static void
test_moment (void)
{
  g_autoptr (VgCurves) curves = ramp ();
  const VgSeries *series = curves->series->pdata[0];
  double end = series->x[series->n - 1];
  VgPlotScene scene;

  vg_plot_scene_init (&scene);
  scene.curves = curves;
  vg_plot_scene_set_moment (&scene, end / 2);
  g_assert_cmpfloat (scene.frame, ==, end / 2);
  vg_plot_scene_set_moment (&scene, end);
  g_assert_true (isnan (scene.frame));
}

static void
test_files (void)
{
  const struct
  {
    const char *ending, *magic;
  } kinds[] = { { ".csv", "" }, { ".png", "\x89PNG" }, { ".svg", "<?xml" }, { ".pdf", "%PDF" } };
  g_autofree char *folder = g_dir_make_tmp ("vivograph-plot-XXXXXX", NULL);
  g_autoptr (VgCurves) curves = ramp ();
  g_autoptr (GError) error = NULL;
  VgPlotScene scene;

  vg_plot_scene_init (&scene);
  scene.curves = curves;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_strconcat (folder, "/plot", kinds[i].ending, NULL);
      g_autofree char *bytes = NULL;
      gsize length = 0;
      g_assert_true (vg_plot_export (&scene, path, 400, 200, &error));
      g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
      g_assert_cmpuint (length, >, 40);
      g_assert_cmpmem (bytes, strlen (kinds[i].magic), kinds[i].magic, strlen (kinds[i].magic));
      g_unlink (path);
    }
  g_assert_false (vg_plot_export (&scene, "plot.unknown", 400, 200, &error));
  g_assert_nonnull (error);
  g_rmdir (folder);
}

/* One sample between two gaps is seen; the numbers of an axis and its title are side by side; a
 * long title has room. */
static void
test_alone_and_margin (void)
{
  enum { W = 400, H = 200 };
  VgPlotScene scene;
  VgCurves *curves = vg_curves_new ("t", "x", "s", "y", "");
  VgSeries *series = vg_curves_add (curves, "a", VG_SERIES_LINE, 3);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  double narrow, height;
  VgPlotBox box;
  const guchar *pixel;

  for (int i = 0; i < 3; i++)
    {
      series->x[i] = i;
      series->y[i] = i == 1 ? 1 : NAN;
    }
  vg_plot_scene_init (&scene);
  scene.curves = curves;
  vg_plot_scene_draw (&scene, cr, W, H);
  cairo_surface_flush (surface);
  box = vg_plot_scene_get_box (&scene, W, H);
  pixel = cairo_image_surface_get_data (surface) +
          (int) vg_plot_axis_to_pixel (&scene.y, 1) * cairo_image_surface_get_stride (surface) +
          4 * (int) vg_plot_axis_to_pixel (&scene.x, 1);
  g_assert_cmpint (pixel[0], >, 100); /* the first series is blue */
  narrow = box.x;
  for (int i = 0; i < 3; i++)
    series->y[i] = 0.00012345 + 1e-8 * i;
  vg_plot_scene_draw (&scene, cr, W, H);
  g_assert_cmpfloat (vg_plot_scene_get_box (&scene, W, H).x, >, narrow + 5);
  height = vg_plot_scene_get_box (&scene, W, H).height;
  scene.titled = TRUE; /* short, and then one that takes two lines */
  vg_plot_scene_draw (&scene, cr, W, H);
  g_assert_cmpfloat (vg_plot_scene_get_box (&scene, W, H).height, ==, height);
  g_free (curves->title);
  curves->title = g_strdup ("a title of many words, which go on and on until no line of this plot "
                            "has a place for all of them");
  vg_plot_scene_draw (&scene, cr, W, H);
  g_assert_cmpfloat (vg_plot_scene_get_box (&scene, W, H).height, <, height - 10);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  vg_curves_free (curves);
}

/* Inked pixels in the outermost two columns and rows of a picture in a font of FONT_PX. */
static int
count_cut (int font_px, int width, int height)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Contrast model", "Exposure / correlation time", "",
                                               "Fluence rate", "mW/cm²");
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans");
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  VgPlotScene scene;
  int cut = 0;

  for (int k = 0; k < 3; k++)
    {
      VgSeries *series = vg_curves_add (curves, "A region's name", VG_SERIES_LINE, 2);

      series->x[1] = 100000;
      series->y[1] = -98765.4 * k;
    }
  pango_font_description_set_absolute_size (font, font_px * PANGO_SCALE);
  vg_plot_scene_init (&scene);
  scene.curves = curves;
  scene.font = font;
  scene.titled = TRUE;
  scene.cursor = 99999;
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  vg_plot_scene_draw (&scene, cr, width, height);
  cairo_surface_flush (surface);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2)
        cut += cairo_image_surface_get_data (
                   surface)[y * cairo_image_surface_get_stride (surface) + 4 * x] < 200;
  g_assert_cmpfloat (vg_plot_scene_get_box (&scene, width, height).height, >, 0.3 * height);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return cut;
}

/* Nothing of a plot reaches its edge, in a narrow column and with large text either. */
static void
test_texts_fit (void)
{
  g_assert_cmpint (count_cut (13, 380, 300), ==, 0);
  g_assert_cmpint (count_cut (20, 380, 300), ==, 0);
  g_assert_cmpint (count_cut (26, 380, 500), ==, 0);
  g_assert_cmpint (count_cut (13, 900, 150), ==, 0);
  g_assert_cmpint (count_cut (13, 240, 150), ==, 0);
}

/* A plot of SERIES lines in a narrow column of H px, as text and lines; freed by the caller. */
static GBytes *
paint_narrow_in (int H, const char *title, int series, VgPlotBox *box)
{
  enum { W = 240 };
  g_autoptr (VgCurves) curves = vg_curves_new (title, "Time", "ns", "Photons", "");
  g_autoptr (PangoFontDescription) font = pango_font_description_from_string ("Sans 9");
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, W, H);
  cairo_t *cr = cairo_create (surface);
  VgPlotScene scene;
  GBytes *bytes;

  for (int k = 0; k < series; k++)
    {
      VgSeries *line = vg_curves_add (curves, "Long name", VG_SERIES_LINE, 2);

      line->x[1] = 10;
      line->y[1] = 1 + k;
    }
  vg_plot_scene_init (&scene);
  scene.curves = curves;
  scene.font = font;
  scene.titled = TRUE;
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_paint (cr);
  vg_plot_scene_draw (&scene, cr, W, H);
  cairo_surface_flush (surface);
  *box = vg_plot_scene_get_box (&scene, W, H);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface),
                       (gsize) cairo_image_surface_get_stride (surface) * H);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  return bytes;
}

static GBytes *
paint_narrow (const char *title, int series, VgPlotBox *box)
{
  return paint_narrow_in (200, title, series, box);
}

/* A title without room loses its last clauses, not the end of a word, and all of three series have
 * their names. */
static void
test_narrow (void)
{
  VgPlotBox box, other;
  g_autoptr (GBytes)
      whole = paint_narrow (
          "Decay of (228, 92): 1.599 ± 0.040 ns, 1577 photons, and more words than "
          "two lines of this plot have room for, however they are set",
          3, &box),
      part = paint_narrow ("Decay of (228, 92): 1.599 ± 0.040 ns, 1577 photons", 3, &other),
      four = NULL, sixteen = NULL, low = NULL, untitled = NULL;

  g_assert_true (g_bytes_equal (whole, part));
  four = paint_narrow ("t", 4, &box);
  g_assert_cmpfloat (box.y, >=, other.y);
  sixteen = paint_narrow ("t", 16, &other); /* what has no place is counted */
  g_assert_cmpfloat (other.y, ==, box.y);
  g_assert_cmpfloat (other.height, >, 60);
  g_assert_false (g_bytes_equal (four, sixteen));
  low = paint_narrow_in (100, "Voxel 57, 23, slice 1", 1,
                         &box); /* the data come before the title */
  untitled = paint_narrow_in (100, "", 1, &other);
  g_assert_true (g_bytes_equal (low, untitled));
}

/* Shows AREA, and returns how many pixels of the widget a unit has. */
static double
show_area (VgPlaneScene *scene, const VgExtent *area, int width, int height, VgView *view)
{
  const VgViewport viewport = { .width = width,
                                .height = height,
                                .scale = 1,
                                .margin_left = 12,
                                .margin_right = 12,
                                .margin_top = 12,
                                .margin_bottom = 12 };

  vg_view_show_area (view, area, &viewport);
  vg_view_transform_init (&scene->transform, view, area, &viewport);
  return vg_plane_scene_get_scale (scene);
}

/* A fit shows all guides of a plane, and stays when an ellipse is drawn in it; a zoom to the data
 * is closer.  Data far away make the guides only a little smaller, and are shown on request. */
static void
test_plane_view (void)
{
  enum { SIDE = 64, MARGIN = 12, W_PX = 900, H_PX = 250 };
  g_autofree float *values = g_new0 (float, SIDE *SIDE);
  VgEllipse ellipse = { .x = 0.4, .y = 0.3, .a = 0.1, .b = 0.1 };
  VgResult result = { .plane = { .data = values,
                                 .width = SIDE,
                                 .height = SIDE,
                                 .pixel_size = { 2.0 / SIDE, -2.0 / SIDE },
                                 .origin = { -1, 1 } },
                      .overlay = vg_overlay_new () };
  VgPlotPlane plot = { .result = &result };
  VgPlaneScene scene = {
    .plot = &plot, .ellipses = &ellipse, .selected = -1, .pointer = { NAN, NAN }
  };
  VgView view = { .zoom = 0 };
  VgExtent area;
  double scale, x0, y0, x1, y1;

  values[20 * SIDE + 40] = 5;
  vg_overlay_line (result.overlay, 0, 0, 1, 0.5, NULL);
  result.overlay->accent = TRUE;
  vg_overlay_point (result.overlay, 0.5, 0.5, "chosen");
  g_assert_true (g_array_index (result.overlay->items, VgOverlayItem, 1).accent &&
                 !g_array_index (result.overlay->items, VgOverlayItem, 0).accent);
  area = vg_plane_scene_get_fit (&scene);
  show_area (&scene, &area, H_PX, W_PX, &view);
  vg_plane_scene_to_widget (&scene, -0.1, 0, &x0, &y0);
  vg_plane_scene_to_widget (&scene, 1.1, 0.5, &x1, &y1);
  g_assert_cmpfloat (x1 - x0, >, 0.7 * (H_PX - 2 * MARGIN));
  scale = show_area (&scene, &area, W_PX, H_PX, &view);
  vg_plane_scene_to_widget (&scene, -0.1, 0, &x0, &y0);
  vg_plane_scene_to_widget (&scene, 1.1, 0.5, &x1, &y1);
  g_assert_true (x0 >= MARGIN && x1 <= W_PX - MARGIN && y1 >= MARGIN - 1 &&
                 y0 <= H_PX - MARGIN + 1);
  g_assert_cmpfloat (y0 - y1, >, 0.8 * (H_PX - 2 * MARGIN));
  scene.n_ellipses = 1;
  area = vg_plane_scene_get_fit (&scene);
  g_assert_cmpfloat (show_area (&scene, &area, W_PX, H_PX, &view), ==, scale);
  ellipse.x = -0.8; /* one that would not be seen */
  area = vg_plane_scene_get_fit (&scene);
  g_assert_cmpfloat (show_area (&scene, &area, W_PX, H_PX, &view) * (area.right - area.left) *
                         result.plane.pixel_size[0],
                     <=, W_PX - 2 * MARGIN);
  g_assert_cmpfloat (vg_plane_position (&result.plane, 0, area.left), <=, -0.9);
  g_assert_true (vg_plane_scene_get_data (&scene, &area));
  g_assert_cmpfloat (show_area (&scene, &area, W_PX, H_PX, &view), >, 3 * scale);
  g_assert_cmpfloat_with_epsilon (view.center_x, 40.5, 1e-9);
  scene.n_ellipses = 0;
  g_assert_cmpfloat (vg_plane_scene_get_outside (&scene), ==, 0);
  values[63 * SIDE] = 15; /* at -1, -1 */
  g_assert_cmpfloat (vg_plane_scene_get_outside (&scene), ==, 0.75);
  area = vg_plane_scene_get_fit (&scene);
  g_assert_cmpfloat (vg_plane_position (&result.plane, 0, area.left), >=, -0.2);
  g_assert_cmpfloat (vg_plane_position (&result.plane, 0, area.right), >=, 1);
  g_assert_cmpfloat (vg_plane_position (&result.plane, 1, area.bottom), >=, -0.2);
  area = vg_plane_scene_get_all (&scene);
  g_assert_cmpfloat (vg_plane_position (&result.plane, 0, area.left), <=, -1);
  g_assert_cmpfloat (vg_plane_position (&result.plane, 1, area.bottom), <=, -1);
  vg_overlay_free (result.overlay);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/plane-view", test_plane_view);
  g_test_add_func ("/plot/texts-fit", test_texts_fit);
  g_test_add_func ("/plot/narrow", test_narrow);
  g_test_add_func ("/plot/decimation-keeps-peaks", test_decimation_keeps_peaks);
  g_test_add_func ("/plot/gaps", test_gaps);
  g_test_add_func ("/plot/errors", test_errors);
  g_test_add_func ("/plot/readout", test_readout);
  g_test_add_func ("/plot/marks", test_marks);
  g_test_add_func ("/plot/moment", test_moment);
  g_test_add_func ("/plot/moment-line", test_moment_line);
  g_test_add_func ("/plot/files", test_files);
  g_test_add_func ("/plot/alone-and-margin", test_alone_and_margin);
  return g_test_run ();
}
