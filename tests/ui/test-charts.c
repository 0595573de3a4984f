/* SPDX-License-Identifier: MIT */
/* When the plots ask for curves again: never for what does not change them. */
#include "tests/support/ui/window-fixture.h"
#include "tests/support/app/pipeline-watch.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-turn-box.h"
#include "ui/pages/vg-charts-private.h"
#include "ui/pages/vg-page-caution.h"
#include "app/reading/vg-region-sums.h"
#include "ui/pages/vg-region-table.h"
#include <math.h>
#include <string.h>

/* The session's view of another place, or of what CHANGE says. */
static void
look (GtkWidget *charts, VgSession *session, Watch *watch, void (*change) (VgView *view))
{
  VgView view = *vg_session_get_view (session);

  change (&view);
  vg_session_set_view (session, &view);
  vg_charts_refresh (VG_CHARTS (charts));
  g_assert_true (watch_settle (watch));
}

static void
zoom (VgView *view)
{
  view->zoom = view->zoom > 0 ? 1.1 * view->zoom : 1;
  view->center_x += 0.25;
}

static void
page_down (VgView *view)
{
  view->slice++;
}

static void
choose_unit (VgView *view)
{
  view->length_unit = (view->length_unit + 1) % 2;
}

static void
test_asked (void)
{
  FakeSource source = { .width = 4, .height = 4, .frames = 3 };
  g_autofree FakeParams *params = fake_params ();
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  GtkWidget *charts = vg_charts_new (session), *window = gtk_window_new ();
  Watch watch;
  int asked;

  watch_play (&watch, fake_pipeline (&source), params);
  gtk_window_set_child (GTK_WINDOW (window), charts);
  gtk_window_present (GTK_WINDOW (window));
  vg_charts_set_pipeline (VG_CHARTS (charts), watch.pipeline);
  while (!gtk_widget_get_mapped (charts))
    g_main_context_iteration (NULL, TRUE);
  vg_charts_choose_pixel (VG_CHARTS (charts), 1, 1);
  vg_charts_refresh (VG_CHARTS (charts));
  g_assert_true (watch_settle (&watch));
  asked = fake_calls ().samples;
  g_assert_cmpint (asked, ==, 1);
  for (int i = 0; i < 20; i++)
    look (charts, session, &watch, zoom);
  g_assert_cmpint (fake_calls ().samples, ==, asked);
  look (charts, session, &watch, page_down);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 1);
  look (charts, session, &watch, choose_unit);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 2);
  vg_session_set_number (session, vg_params_find (&fake_stream.params, "gain"), 2);
  look (charts, session, &watch, zoom);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 3);
  vg_charts_set_result (VG_CHARTS (charts), watch.last, TRUE);
  look (charts, session, &watch, zoom);
  g_assert_cmpint (fake_calls ().samples, ==, asked + 4);
  vg_charts_set_pipeline (VG_CHARTS (charts), NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  watch_end (&watch);
}

/* A session that comes with a selected region comes with its curves. */
static void
test_restored (void)
{
  static const char text[] =
      "[session]\nversion=1\noperation=lifetime\n[lifetime]\ninputs=/data/a.sdt;\n"
      "[lifetime region 1]\nname=Cell\nshape=rect:1,1,5,5\n[lifetime region "
      "2]\nname=Ground\nshape=rect:6,6,9,9\nselected=true\n";
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("lifetime"));
  GtkWidget *widget = g_object_ref_sink (vg_charts_new (session));
  VgCharts *charts = VG_CHARTS (widget);

  g_assert_cmpint (charts->region, ==, -1);
  g_assert_true (vg_session_from_text (session, text, strlen (text), NULL));
  g_assert_cmpint (charts->region, ==, 1);
  g_object_unref (widget);
}

/* The page in sight, by its id. */
static const char *
seen (VgCharts *charts)
{
  return vg_charts_name_page (charts, vg_page_slots_get (charts->slots, 0));
}

static GtkWidget *
present (GtkWidget *charts)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_child (GTK_WINDOW (window), charts);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (charts))
    g_main_context_iteration (NULL, TRUE);
  return window;
}

/* Each view begins with a page that shows something, and keeps the one that was chosen in it. */
static void
test_first_page (void)
{
  const VgOperation *lifetime = vg_operation_find ("lifetime"),
                    *contour = vg_operation_find ("contour");
  g_autoptr (VgSession) session = vg_session_new (contour);
  GtkWidget *widget = vg_charts_new (session), *window = present (widget);
  VgCharts *charts = VG_CHARTS (widget);

  g_assert_cmpstr (seen (charts), ==, "objects");
  vg_session_set_operation (session, lifetime);
  g_assert_cmpstr (seen (charts), ==, lifetime->plots[0].id);
  vg_charts_go_to_page (charts, charts->pixel);
  g_assert_cmpstr (vg_session_get_view (session)->pages[0], ==, "pixel");
  vg_session_set_operation (session, contour);
  g_assert_cmpstr (seen (charts), ==, "objects");
  vg_session_set_operation (session, lifetime);
  g_assert_cmpstr (seen (charts), ==, "pixel");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The page of curves is not empty before a pixel was clicked: it shows a typical one, and a click
 * takes its place. */
static void
test_guess (void)
{
  enum { SIDE = 64 };
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  GtkWidget *widget = vg_charts_new (session), *window = present (widget);
  VgCharts *charts = VG_CHARTS (widget);
  g_autofree float *values = g_new0 (float, SIDE *SIDE);
  VgResult result = { .operation = &fake_stream,
                      .plane = { .data = values, .width = SIDE, .height = SIDE, .slices = 1 } };

  values[21 * SIDE + 41] = 5;
  values[31 * SIDE + 11] = NAN;
  vg_charts_set_result (charts, &result, TRUE);
  g_assert_true (charts->has_guess && !charts->has_pixel);
  g_assert_cmpfloat (charts->pixel_x, ==, 41.5);
  g_assert_cmpfloat (charts->pixel_y, ==, 21.5);
  vg_charts_choose_pixel (charts, 3, 4);
  vg_charts_set_result (charts, &result, TRUE);
  g_assert_cmpfloat (charts->pixel_x, ==, 3);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A map in which no pixel was found is asked for again after the last step, or with other settings,
 * and not for each step. */
static void
test_no_guess (void)
{
  static const VgOutputRole roles[] = { { VG_ROLE_LIMITS_MASK, "value", "number" }, { 0 } };
  FakeSource source = { .width = 4, .height = 4, .frames = 3 };
  g_autofree FakeParams *params = fake_params ();
  static VgOperation operation;
  g_autoptr (VgSession) session = NULL;
  g_autofree float *values = g_new0 (float, 16);
  VgResult result = { .operation = &operation,
                      .plane = { .data = values, .width = 4, .height = 4, .slices = 1 } };
  GtkWidget *widget, *window;
  VgCharts *charts;
  Watch watch;

  operation = fake_stream;
  operation.roles = roles;
  session = vg_session_new (&operation);
  widget = vg_charts_new (session);
  window = present (widget);
  charts = VG_CHARTS (widget);
  watch_play (&watch, fake_pipeline (&source), params);
  vg_charts_set_pipeline (charts, watch.pipeline);
  vg_charts_guess_pixel (charts, &result);
  g_assert_nonnull (charts->guessing);
  g_assert_cmpint (charts->none_of, ==, 0);
  g_clear_object (&charts->guessing); /* the answer, that there is none, is not waited for */
  vg_charts_guess_pixel (charts, &result);
  g_assert_null (charts->guessing);
  result.final = TRUE;
  vg_charts_guess_pixel (charts, &result);
  g_assert_nonnull (charts->guessing);
  g_clear_object (&charts->guessing);
  vg_charts_guess_pixel (charts, &result);
  g_assert_null (charts->guessing);
  vg_session_set_number (session, vg_params_find (&operation.params, "gain"), 2);
  vg_charts_guess_pixel (charts, &result);
  g_assert_nonnull (charts->guessing);
  g_assert_true (watch_settle (&watch));
  vg_charts_set_pipeline (charts, NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  watch_end (&watch);
}

/* The label with TEXT in or below WIDGET; NULL: there is none. */
static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_label (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* The fits of the mean curves and their change come first, each with its standard error. */
static void
check_fits (GtkWidget *table)
{
  const VgRegionFitted fits[] = { { 74.5, 8.3, 71.25, 1.5 }, { NAN, NAN, NAN, NAN } };
  g_autoptr (GArray) fitted = g_array_new (FALSE, FALSE, sizeof (VgRegionFitted));
  g_autofree char *text = NULL, *other = NULL;
  g_auto (GStrv) cells = NULL;
  int output = vg_region_table_get_output (VG_REGION_TABLE (table));

  g_array_append_vals (fitted, fits, G_N_ELEMENTS (fits));
  vg_region_table_set_fitted (VG_REGION_TABLE (table), fitted, output + 1);
  other = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_null (strstr (other, "74.5"));
  vg_region_table_set_fitted (VG_REGION_TABLE (table), fitted, output);
  text = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_true (g_str_has_prefix (
      text,
      "\"Region\",\"Fit of Lifetime (ns)\",\"Standard error\",\"Kept fit of Lifetime (ns)\","
      "\"Standard error\",\"Change of the fit of Lifetime (ns)\",\"Standard error\",\"Mean "));
  g_assert_nonnull (strstr (text, "\n\"Cell\",74.5,8.3,71.25,1.5,3.25,8.43445315,"));
  g_assert_nonnull (strstr (text, "\n\"Ground\",,,,,,,"));
  g_assert_nonnull (find_label (table, "74.5 ± 8.3"));
  g_assert_nonnull (find_label (table, "71.2 ± 1.5"));
  g_assert_nonnull (find_label (table, "3.2 ± 8.4"));
  /* a map that only the kept model has: the column of the fit stays first */
  for (guint i = 0; i < fitted->len; i++)
    g_array_index (fitted, VgRegionFitted, i).value = NAN;
  vg_region_table_set_fitted (VG_REGION_TABLE (table), fitted, output);
  g_free (text);
  text = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_true (g_str_has_prefix (text,
                                   "\"Region\",\"Fit of Lifetime (ns)\",\"Standard error\","
                                   "\"Kept fit of Lifetime (ns)\",\"Standard error\",\"Mean "));
  g_assert_nonnull (find_label (table, "Fit ± SE"));
  g_assert_nonnull (find_label (table, "Kept fit ± SE"));
}

/* Numbers of a column have the same decimals; pixels with a value are told only where some have
 * none; what is copied has the map's name and unit. */
static void
test_table (void)
{
  static const char text[] =
      "[session]\nversion=1\noperation=lifetime\n[lifetime]\ninputs=/data/a.sdt;\n"
      "[lifetime region 1]\nname=Cell\nshape=rect:1,1,5,5\n[lifetime region "
      "2]\nname=Ground\nshape=rect:6,6,9,9\n";
  g_autoptr (VgSession) session = vg_session_new (vg_operation_find ("lifetime"));
  VgRegionResult regions[2] = {
    { { .mean = 2.5,
        .sd = 0.25,
        .q25 = 2.125,
        .median = 2.25,
        .q75 = 2.375,
        .min = 2,
        .max = 12.125,
        .valid = 16 },
      NAN,
      NAN },
    { { .mean = 3.125,
        .sd = 0.5,
        .q25 = 3,
        .median = 3,
        .q75 = 3.5,
        .min = 3,
        .max = 4,
        .valid = 9 },
      NAN,
      NAN },
  };
  VgResult result = { .regions = regions, .n_regions = 2 };
  GtkWidget *table;
  g_autofree char *whole = NULL, *gaps = NULL, *relative = NULL, *changes = NULL, *voxels = NULL,
                  *power = NULL, *none = NULL;
  int width;

  g_assert_true (vg_session_from_text (session, text, strlen (text), NULL));
  table = g_object_ref_sink (vg_region_table_new (session));
  result.operation = vg_session_get_operation (session);
  result.output = vg_session_get_view (session)->output;
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  whole = vg_region_table_to_text (VG_REGION_TABLE (table), "\t");
  g_assert_cmpstr (whole, ==,
                   "\"Region\"\t\"Mean of Lifetime (ns)\"\t\"SD of Lifetime (ns)\"\t"
                   "\"Median of Lifetime (ns)\"\t\"Q1 of Lifetime (ns)\"\t"
                   "\"Q3 of Lifetime (ns)\"\t\"Minimum of Lifetime (ns)\"\t"
                   "\"Maximum of Lifetime (ns)\"\t\"Area (px)\"\n"
                   "\"Cell\"\t2.5\t0.25\t2.25\t2.125\t2.375\t2\t12.125\t16\n"
                   "\"Ground\"\t3.125\t0.5\t3\t3\t3.5\t3\t4\t9\n");
  regions[1].statistics.invalid = 3;
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  gaps = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_nonnull (strstr (gaps, "\"With a value (px)\""));
  g_assert_nonnull (strstr (gaps, "\"Ground\",3.125,0.5,3,3,3.5,3,4,12,9\n"));
  regions[1].statistics.invalid = 0;
  /* of a volume, voxels and ml */
  regions[0].volume_ml = 0.25;
  result.plane.slices = 3;
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  voxels = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_nonnull (strstr (voxels, ",\"Voxels\",\"Volume (ml)\"\n\"Cell\",2.5,"));
  g_assert_nonnull (strstr (voxels, ",12.125,16,0.25\n"));
  regions[0].power_mw = 0.125;
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  power = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_nonnull (strstr (power, ",\"Power (mW)\",\"SD of "));
  g_assert_nonnull (strstr (power, "\n\"Cell\",2.5,0.125,"));
  regions[0].volume_ml = regions[0].power_mw = NAN;
  result.plane.slices = 1;
  regions[0].of_baseline = 34;
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  relative = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_nonnull (strstr (
      relative,
      ",\"% of baseline\",\"Area (px)\"\n\"Cell\",2.5,0.25,2.25,2.125,2.375,2,12.125,34,16\n"
      "\"Ground\",3.125,0.5,3,3,3.5,3,4,,9\n"));
  regions[0].of_baseline = NAN;
  regions[0].kept = 2; /* the numbers are differences */
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  changes = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_nonnull (strstr (changes, ",\"Kept\",\"Change (%)\",\"SD of Lifetime (ns)\","));
  g_assert_nonnull (strstr (changes, "\"Cell\",2.5,2,125,0.25,2.25,2.125,2.375,2,12.125,16\n"
                                     "\"Ground\",3.125,,,0.5,3,3,3.5,3,4,9\n"));
  regions[0].kept = NAN;
  check_fits (table);
  /* the numbers do not stay when other data cannot be computed */
  result.input_only = TRUE;
  vg_region_table_set_result (VG_REGION_TABLE (table), &result, TRUE);
  none = vg_region_table_to_text (VG_REGION_TABLE (table), ",");
  g_assert_null (strstr (none, "2.5"));
  /* in a narrow pane the numbers scroll, and all else fits */
  gtk_widget_measure (table, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  g_assert_cmpint (width, <, 260);
  g_object_unref (table);
}

static void
check_number (double value, int decimals, const char *want)
{
  g_autofree char *text = vg_format_fixed (value, decimals);

  g_assert_cmpstr (text, ==, want);
}

static void
test_decimals (void)
{
  g_autofree char *quartiles = NULL, *position = NULL;

  g_assert_cmpint (vg_format_decimals (24.71), ==, 2);
  g_assert_cmpint (vg_format_decimals (12345), ==, 0);
  g_assert_cmpint (vg_format_decimals (0.04143), ==, 5);
  g_assert_cmpint (vg_format_decimals (0), ==, 0);
  check_number (0.7, 2, "0.70");
  check_number (-0.0, 1, "0.0");
  check_number (NAN, 2, "–");
  check_number (2e12, 0, "2.000×10¹²");
  g_assert_cmpstr (vg_format_unit ("maps", 1), ==, "map");
  g_assert_cmpstr (vg_format_unit ("maps", 8), ==, "maps");
  g_assert_cmpstr (vg_format_unit ("ms", 1), ==, "ms");
  g_assert_cmpstr (vg_format_unit (NULL, 1), ==, "");
  quartiles = vg_format_with_quartiles (8.04, 5.21, 14.18);
  g_assert_cmpstr (quartiles, ==, "8.0 (5.2 to 14.2)");
  position = vg_format_number (10040);
  g_assert_cmpstr (position, ==, "10\342\200\257040");
  check_number (12345.6, 0, "12\342\200\257346");
}

/* The other child leaves its place beside the main one when that gets narrow. */
static void
test_turn (void)
{
  GtkWidget *main = gtk_label_new (NULL), *side = gtk_label_new (NULL),
            *box = g_object_ref_sink (vg_turn_box_new (main, side));
  int minimum, natural;

  gtk_widget_set_size_request (main, 200, 90);
  gtk_widget_set_size_request (side, 270, 120);
  gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (minimum, ==, 270);
  gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, 900, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 120);
  gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, 400, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 90);
  gtk_widget_allocate (box, 400, 800, -1, NULL);
  g_assert_cmpint (gtk_widget_get_width (main), ==, 400);
  g_assert_cmpint (gtk_widget_get_height (main), ==, 680);
  gtk_widget_allocate (box, 400, 200, -1, NULL); /* not both: the plot stays whole */
  g_assert_cmpint (gtk_widget_get_height (main), ==, 200);
  g_assert_false (gtk_widget_get_child_visible (side));
  gtk_widget_allocate (box, 900, 150, -1, NULL);
  g_assert_cmpint (gtk_widget_get_width (main), ==, 630);
  gtk_widget_set_visible (side, FALSE);
  gtk_widget_allocate (box, 300, 150, -1, NULL);
  g_assert_cmpint (gtk_widget_get_height (main), ==, 150);
  g_object_unref (box);
}

/* A long warning over a low plot does not widen the window. */
static void
test_caution (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  GtkWidget *caution = g_object_ref_sink (vg_page_caution_new (session));
  g_autoptr (GString) text = g_string_new (NULL);
  VgMetric metric = { .id = "turned", .label = "Turned", .unit = "" };
  int minimum;

  while (text->len < 400)
    g_string_append (text, "The phasors are rotated. ");
  metric.advice = text->str;
  vg_page_caution_set (VG_PAGE_CAUTION (caution), &metric);
  gtk_widget_measure (caution, GTK_ORIENTATION_HORIZONTAL, 60, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <, 300);
  g_object_unref (caution);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/charts/asked", test_asked);
  g_test_add_func ("/charts/restored", test_restored);
  g_test_add_func ("/charts/first-page", test_first_page);
  g_test_add_func ("/charts/guess", test_guess);
  g_test_add_func ("/charts/no-guess", test_no_guess);
  g_test_add_func ("/charts/table", test_table);
  g_test_add_func ("/charts/decimals", test_decimals);
  g_test_add_func ("/charts/turn", test_turn);
  g_test_add_func ("/charts/caution", test_caution);
  return g_test_run ();
}
