/* SPDX-License-Identifier: MIT */
/* Figures: sizes on the page, colours, text that stays text, and ticks. */
#include "app/figure/vg-curves-figure.h"
#include "app/figure/vg-map-figure.h"
#include "app/figure/vg-ticks.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

enum { W = 40, H = 30 };

static float samples[W * H];
static const VgOutput output = { "map", "Map of \"A\" & <B>", "A map.", "1/s" };
static const VgDisplay display = {
  .colormap = "viridis", .low = 0, .high = W - 1, .gamma = 1, .invalid_rgb = { 1, 2, 3 }
};
static const VgPlane plane = {
  .data = samples, .width = W, .height = H, .slices = 1, .pixel_size = { 20, 20 }, .unit = "µm"
};
static const VgMapView view = { .output = &output, .plane = &plane, .display = &display };

static VgFigure *
make (const VgMapView *map, double width_mm, const VgNamedRegion *const *regions)
{
  const VgMapFigureSpec spec = { .width_mm = width_mm,
                                 .description = "\xff a \"command\" & <more>",
                                 .regions = regions };
  g_autoptr (GError) error = NULL;
  VgFigure *figure;

  for (int i = 0; i < W * H; i++)
    samples[i] = (float) (i % W);
  figure = vg_map_figure_new (map, &spec, &error);
  g_assert_no_error (error);
  return figure;
}

static const VgFigureItem *
find_text (const VgFigure *figure, const char *text)
{
  for (guint i = 0; i < figure->items->len; i++)
    {
      const VgFigureItem *item = &g_array_index (figure->items, VgFigureItem, i);

      if (item->kind == VG_FIGURE_TEXT && g_str_equal (item->text, text))
        return item;
    }
  return NULL;
}

/* The width is that on paper, the scale bar is as long as it says, and the legend has the unit. */
static void
test_page (void)
{
  g_autoptr (VgFigure) figure = make (&view, 85, NULL);
  const VgFigureItem *image = &g_array_index (figure->items, VgFigureItem, 0), *bar;

  g_assert_cmpfloat_with_epsilon (figure->width, 85 * 72 / 25.4, 1e-6);
  g_assert_cmpint (image->kind, ==, VG_FIGURE_IMAGE);
  g_assert_cmpfloat_with_epsilon (image->height / image->width, (double) H / W, 1e-9);
  g_assert_nonnull (find_text (figure, output.label));
  g_assert_nonnull (find_text (figure, "1/s"));
  g_assert_nonnull (find_text (figure, "20"));
  g_assert_nonnull (find_text (figure, "200 µm"));
  bar = &g_array_index (figure->items, VgFigureItem, figure->items->len - 1);
  g_assert_cmpfloat_with_epsilon (bar->points[2] - bar->points[0], image->width * 200 / (W * 20),
                                  1e-6);
}

/* A pixel of the PNG has the colour of its sample. */
static void
test_pixels (void)
{
  g_autoptr (VgFigure) figure = make (&view, 60, NULL);
  const VgFigureItem *image = &g_array_index (figure->items, VgFigureItem, 0);
  g_autoptr (GError) error = NULL, many = NULL;
  int columns, rows;
  g_autofree guint8 *rgba = vg_figure_to_rgba (figure, 254, &columns, &rows, &error);

  g_assert_no_error (error);
  g_assert_cmpint (columns, ==, 600);
  for (int x = 0; x < W; x += 7)
    {
      int at[] = { (int) ((image->x + (x + 0.5) / W * image->width) * 254 / 72),
                   (int) ((image->y + 0.5 * image->height) * 254 / 72) };
      const VgColormap *map = vg_colormap_find ("viridis");
      const guint8 *want = map->rgb[(int) lround (255.0 * x / (W - 1))];

      for (int k = 0; k < 3; k++)
        g_assert_cmpint (
            ABS (rgba[((gsize) at[1] * (gsize) columns + (gsize) at[0]) * 4 + (gsize) k] - want[k]),
            <=, 2);
    }
  g_assert_null (vg_figure_to_rgba (figure, 1e5, &columns, &rows, &many));
  g_assert_error (many, VG_USAGE_ERROR, 0);
}

/* Names in any script are text in SVG, and what is not allowed in XML is not in it. */
static void
test_svg (void)
{
  const VgNamedRegion region = {
    .name = (char *) "Gefäß <1> & 血管\x01",
    .region = { .kind = VG_REGION_ELLIPSE, .n_points = 2, .x = { 20, 5 }, .y = { 15, 4 } },
    .rgb = { 255, 128, 0 }
  };
  const VgNamedRegion *const regions[] = { &region, NULL };
  g_autoptr (VgFigure) figure = make (&view, 85, regions);
  g_autofree char *svg = vg_figure_to_svg (figure, TRUE), *inner = vg_figure_to_svg (figure, FALSE);
  GMarkupParser nothing = { NULL };
  g_autoptr (GMarkupParseContext) parser = g_markup_parse_context_new (&nothing, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_markup_parse_context_parse (parser, svg, -1, &error));
  g_assert_true (g_markup_parse_context_end_parse (parser, &error));
  g_assert_no_error (error);
  g_assert_nonnull (strstr (svg, ">Gefäß &lt;1&gt; &amp; 血管 </text>"));
  g_assert_nonnull (strstr (svg, ">Map of &quot;A&quot; &amp; &lt;B&gt;</text>"));
  g_assert_nonnull (strstr (svg, "stroke=\"#ff8000\""));
  g_assert_nonnull (strstr (svg, "width=\"85mm\""));
  g_assert_nonnull (strstr (svg, "a &quot;command&quot; &amp; &lt;more&gt;</desc>"));
  g_assert_null (strstr (inner, "<?xml"));
}

static void
test_pdf (void)
{
  g_autoptr (VgFigure) figure = make (&view, 85, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) pdf = vg_figure_to_pdf (figure, &error);
  gsize length;
  const char *bytes;

  g_assert_no_error (error);
  bytes = g_bytes_get_data (pdf, &length);
  g_assert_cmpuint (length, >, 1000);
  g_assert_true (g_str_has_prefix (bytes, "%PDF-"));
  g_assert_nonnull (memmem (bytes, length, "/Font", 5)); /* text is text */
}

/* A region lies where its pixels are, also where the picture is turned. */
static void
test_place (void)
{
  VgOrientation way = { .turned = { TRUE, FALSE }, .swapped = TRUE };
  VgMapView turned = view;
  g_auto (VgMapPicture) picture = { 0 };
  double at[2];

  turned.orientation = &way;
  g_assert_true (vg_map_picture_draw (&picture, &turned, NULL));
  vg_map_picture_place (&picture, &turned, 10, 5, at);
  g_assert_cmpfloat_with_epsilon (at[0] / picture.width, 5.0 / H, 1e-9);
  g_assert_cmpfloat_with_epsilon (at[1] / picture.height, 1 - 10.0 / W, 1e-9);
}

static void
check_ticks (double low, double high, gboolean log_scale, guint wanted, const char *labels)
{
  VgTick ticks[VG_TICKS_MOST];
  guint n = vg_ticks_make (low, high, log_scale, wanted, ticks);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "", ticks[i].label);
  g_assert_cmpstr (text->str, ==, labels);
}

static void
test_ticks (void)
{
  check_ticks (0, 1, FALSE, 4, "0.0 0.2 0.4 0.6 0.8 1.0");
  check_ticks (1, 0, FALSE, 4, "0.0 0.2 0.4 0.6 0.8 1.0");
  check_ticks (-0.3, 0.3, FALSE, 2, "-0.2 0.0 0.2");
  check_ticks (1, 1000, TRUE, 5, "1 10 100 1000");
  check_ticks (3, 8, TRUE, 4, "3 4 5 6 7 8");
  check_ticks (2, 2, FALSE, 4, "");
  check_ticks (NAN, 2, FALSE, 4, "");
  check_ticks (0, INFINITY, FALSE, 4, "");
}

/* The marks of a time course are in its figure; a text that would cover the one before is in the
 * next line.  A fourth text in one place is not there, nor is a mark outside the axis. */
static void
test_marks (void)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Flow", "Time", "s", "Flow index", "1/s");
  VgSeries *series = vg_curves_add (curves, "Region 1", VG_SERIES_LINE, 11);
  g_autoptr (VgFigure) figure = NULL;
  g_autofree char *svg = NULL;

  for (int i = 0; i < series->n; i++)
    {
      series->x[i] = i;
      series->y[i] = i % 3;
    }
  vg_curves_mark (curves, 2, "cuff closed");
  vg_curves_mark (curves, 2.1, "cuff opened");
  vg_curves_mark (curves, 2.2, "moved");
  vg_curves_mark (curves, 2.3, "too many");
  vg_curves_mark (curves, 8, "open");
  vg_curves_mark (curves, 50, "later");
  figure = vg_curves_figure_new (curves, 100, 62);
  g_assert_nonnull (figure);
  svg = vg_figure_to_svg (figure, FALSE);
  g_assert_nonnull (strstr (svg, "cuff closed"));
  g_assert_nonnull (strstr (svg, ">open<"));
  g_assert_nonnull (strstr (svg, "cuff opened"));
  g_assert_nonnull (strstr (svg, ">moved<"));
  g_assert_null (strstr (svg, "too many"));
  g_assert_null (strstr (svg, "later"));
}

/* The number of pieces of a line of N points, of which point MISSING (-1: none) is a gap. */
static guint
count_pieces (int n, int missing)
{
  g_autoptr (VgCurves) curves = vg_curves_new ("Flow", "Time", "s", "Flow index", "1/s");
  VgSeries *series = vg_curves_add (curves, "Region 1", VG_SERIES_LINE, n);
  g_autoptr (VgFigure) figure = NULL;
  g_autofree char *svg = NULL;
  g_auto (GStrv) parts = NULL;

  for (int i = 0; i < n; i++)
    {
      series->x[i] = i;
      series->y[i] = i == missing ? NAN : i % 3;
    }
  figure = vg_curves_figure_new (curves, 100, 62);
  svg = vg_figure_to_svg (figure, FALSE);
  parts = g_strsplit (svg, "stroke=\"#0072b2\"", -1);
  return g_strv_length (parts) - 1;
}

/* A gap stays even if not every point is drawn. */
static void
test_gap (void)
{
  g_assert_cmpuint (count_pieces (20, -1), ==, 1);
  g_assert_cmpuint (count_pieces (20, 7), ==, 2);
  g_assert_cmpuint (count_pieces (50000, -1), ==, 1);
  for (int missing = 20001; missing < 20013; missing++)
    g_assert_cmpuint (count_pieces (50000, missing), ==, 2);
}

static int
count_images (const VgFigure *figure)
{
  int n = 0;

  for (guint i = 0; i < figure->items->len; i++)
    n += g_array_index (figure->items, VgFigureItem, i).kind == VG_FIGURE_IMAGE;
  return n;
}

/* A kept map has the colours of the present one, beside it or at the left of the line. */
static void
test_beside (void)
{
  static float kept_samples[W * H];
  static const char *const names[] = { "Kept: before", "Now", NULL };
  const VgPlane kept_plane = { .data = kept_samples,
                               .width = W,
                               .height = H,
                               .slices = 1,
                               .pixel_size = { 20, 20 },
                               .unit = "µm" };
  VgDisplay automatic = display;
  VgMapView now = view, kept = view;
  VgMapFigureSpec spec = { .width_mm = 85, .beside = &kept, .n_beside = 1, .names = names };
  g_autoptr (VgFigure) alone = make (&view, 85, NULL), side = NULL, wiped = NULL;
  const VgFigureItem *images[3];
  g_autoptr (GError) error = NULL;

  automatic.auto_limits = TRUE;
  automatic.auto_high_percent = 100;
  now.display = kept.display = &automatic;
  kept.plane = &kept_plane;
  for (int i = 0; i < W * H; i++)
    kept_samples[i] = samples[i] / 4;
  side = vg_map_figure_new (&now, &spec, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_images (side), ==, count_images (alone) + 1);
  g_assert_nonnull (find_text (side, "Kept: before"));
  g_assert_nonnull (find_text (side, "Now"));
  for (int k = 0; k < 2; k++)
    images[k] = &g_array_index (side->items, VgFigureItem, k);
  g_assert_cmpint (images[0]->columns, ==, images[1]->columns);
  /* a quarter of the values is darker in the same limits */
  g_assert_cmpint (memcmp (images[0]->rgba + 4 * (images[0]->columns - 1),
                           images[1]->rgba + 4 * (images[1]->columns - 1), 4),
                   !=, 0);
  spec.wipe = 0.25;
  wiped = vg_map_figure_new (&now, &spec, &error);
  g_assert_no_error (error);
  g_assert_cmpint (count_images (wiped), ==, count_images (alone));
  images[2] = &g_array_index (wiped->items, VgFigureItem, 0);
  g_assert_cmpmem (images[2]->rgba, (gsize) images[2]->columns, images[0]->rgba,
                   (gsize) images[2]->columns); /* a quarter of the row, in bytes */
  g_assert_cmpmem (images[2]->rgba + images[2]->columns, 3 * (gsize) images[2]->columns,
                   images[1]->rgba + images[2]->columns, 3 * (gsize) images[2]->columns);
}

/* Micrometres below 1 mm, millimetres from there on, whatever the unit of the data. */
static void
test_lengths (void)
{
  static const struct
  {
    double length;
    const char *unit, *told;
  } cases[] = { { 200, "\302\265m", "200 \302\265m" },
                { 2000, "\302\265m", "2 mm" },
                { 0.5, "mm", "500 \302\265m" },
                { 200, "mm", "200 mm" },
                { 5, "cm", "50 mm" },
                { 50, "px", "50 px" } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *told = vg_ticks_describe_length (cases[i].length, cases[i].unit);

      g_assert_cmpstr (told, ==, cases[i].told);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/page", test_page);
  g_test_add_func ("/figure/pixels", test_pixels);
  g_test_add_func ("/figure/svg", test_svg);
  g_test_add_func ("/figure/pdf", test_pdf);
  g_test_add_func ("/figure/place", test_place);
  g_test_add_func ("/figure/ticks", test_ticks);
  g_test_add_func ("/figure/marks", test_marks);
  g_test_add_func ("/figure/gap", test_gap);
  g_test_add_func ("/figure/beside", test_beside);
  g_test_add_func ("/figure/lengths", test_lengths);
  return g_test_run ();
}
