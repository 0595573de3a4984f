/* SPDX-License-Identifier: MIT */
/* What the window tells beside the picture, from made-up numbers: grave ones in a banner, the
 * others in lines. */
#include <math.h>
#include "tests/support/ui/window-fixture.h"
#include "ui/common/vg-fit-box.h"
#include "ui/panels/vg-cautions.h"
#include "ui/panels/vg-limits-panel.h"
#include "ui/panels/vg-results-panel.h"
#include "ui/bars/vg-status-bar.h"
#include "ui/window/vg-output-choice.h"

GResource *vg_resources_get_resource (void); /* of the file that is made of them */

/* A mapped label or button that shows TEXT. */
static GtkWidget *
find (GtkWidget *root, const char *text)
{
  const char *own = GTK_IS_BUTTON (root) ? gtk_widget_get_tooltip_text (root) : NULL;

  if (!gtk_widget_get_visible (root) ||
      (GTK_IS_REVEALER (root) && !gtk_revealer_get_reveal_child (GTK_REVEALER (root))))
    return NULL;
  if (GTK_IS_BUTTON (root) && own == NULL)
    own = gtk_button_get_label (GTK_BUTTON (root));
  if (GTK_IS_LABEL (root))
    own = gtk_label_get_text (GTK_LABEL (root));
  if (g_strcmp0 (own, text) == 0)
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, text);
      if (found)
        return found;
    }
  return NULL;
}

static VgMetrics *
some_numbers (gboolean late, gboolean far, gboolean noisy)
{
  VgMetrics *metrics = vg_metrics_new ();

  vg_metrics_add (metrics, "voxels", "Voxels", "", 100, "this is small");
  vg_metrics_add (metrics, "late_s", "Late", "s", late ? 7 : 0, late ? "it is late" : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE | VG_NUMBER_QUIET);
  vg_metrics_add (metrics, "far_mm", "Far", "mm", far ? 9 : 0,
                  far ? "\303\241 file lies elsewhere" : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE);
  vg_metrics_add (metrics, "noise", "Noise", "", noisy ? 3 : 0, noisy ? "it is noise" : NULL);
  vg_metrics_mark (metrics, VG_NUMBER_GRAVE | VG_NUMBER_QUIET);
  return metrics;
}

static void
set (GtkWidget *cautions, gboolean late, gboolean far, gboolean noisy)
{
  g_autoptr (VgMetrics) metrics = some_numbers (late, far, noisy);

  vg_cautions_set (VG_CAUTIONS (cautions), metrics);
}

static void
close_it (GtkWidget *cautions)
{
  g_signal_emit_by_name (find (cautions, "Close this message"), "clicked");
}

static void
on_more (int *asked)
{
  (*asked)++;
}

/* One at a time, the first; each closed for itself, and again only when it has been gone. */
static char *
way (gpointer data, const VgMetric *caution)
{
  return strstr (caution->advice, "noise") != NULL ? g_strdup (data) : NULL;
}

static void
test_cautions (void)
{
  GtkWidget *cautions = g_object_ref_sink (vg_cautions_new ());
  int asked = 0;

  g_signal_connect_swapped (cautions, "more", G_CALLBACK (on_more), &asked);
  set (cautions, FALSE, FALSE, FALSE);
  g_assert_null (find (cautions, "Close this message"));
  set (cautions, TRUE, TRUE, TRUE);
  g_assert_nonnull (find (cautions, "It is late"));
  g_assert_null (find (cautions, "This is small"));
  g_signal_emit_by_name (find (cautions, "and 2 more"), "clicked");
  g_assert_cmpint (asked, ==, 1);
  close_it (cautions);
  g_assert_nonnull (find (cautions, "\303\201 file lies elsewhere"));
  g_assert_nonnull (find (cautions, "and 1 more"));
  set (cautions, TRUE, FALSE, TRUE);
  g_assert_nonnull (find (cautions, "It is noise"));
  g_assert_null (find (cautions, "and 1 more"));
  g_assert_true (vg_cautions_close (VG_CAUTIONS (cautions)));
  g_assert_false (vg_cautions_close (VG_CAUTIONS (cautions)));
  set (cautions, TRUE, FALSE, TRUE);
  g_assert_null (find (cautions, "Close this message"));
  set (cautions, FALSE, FALSE, TRUE);
  set (cautions, TRUE, FALSE, TRUE);
  g_assert_nonnull (find (cautions, "It is late"));
  vg_cautions_set (VG_CAUTIONS (cautions), NULL);
  g_assert_null (find (cautions, "Close this message"));
  set (cautions, FALSE, FALSE, TRUE);
  g_assert_nonnull (find (cautions, "It is noise"));
  /* unfinished work with other settings: what it does not measure cannot hold */
  {
    g_autoptr (VgMetrics) other = vg_metrics_new ();

    vg_metrics_add (other, "noise", "Noise", "", 0, NULL);
    vg_cautions_keep (VG_CAUTIONS (cautions), other);
    g_assert_nonnull (find (cautions, "It is noise"));
    set (cautions, TRUE, FALSE, TRUE);
    vg_cautions_keep (VG_CAUTIONS (cautions), other);
    g_assert_null (find (cautions, "It is late"));
    g_assert_nonnull (find (cautions, "It is noise"));
    set (cautions, FALSE, FALSE, TRUE);
  }
  /* the only one leads to where it says */
  vg_cautions_set_way (VG_CAUTIONS (cautions), way, "Threshold");
  set (cautions, FALSE, TRUE, TRUE);
  g_assert_null (vg_cautions_get_only (VG_CAUTIONS (cautions)));
  g_assert_null (find (cautions, "Threshold"));
  set (cautions, FALSE, FALSE, TRUE);
  g_assert_cmpstr (vg_cautions_get_only (VG_CAUTIONS (cautions))->advice, ==, "it is noise");
  g_signal_emit_by_name (find (cautions, "Threshold"), "clicked");
  g_assert_cmpint (asked, ==, 2);
  g_assert_finalize_object (cautions);
}

/* A 0 that is no news stands nowhere; with advice, or other than 0, it does.  One from below is 0.
 */
static void
test_quiet (void)
{
  g_autoptr (VgMetrics) quiet = some_numbers (FALSE, FALSE, FALSE),
                        loud = some_numbers (TRUE, FALSE, FALSE), below = vg_metrics_new ();
  GtkWidget *bar = g_object_ref_sink (vg_status_bar_new ()),
            *panel = g_object_ref_sink (vg_results_panel_new (NULL, "Results"));

  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), quiet);
  vg_results_panel_set (VG_RESULTS_PANEL (panel), quiet);
  g_assert_null (find (bar, "Late 0 s"));
  g_assert_null (find (panel, "Late"));
  g_assert_nonnull (find (bar, "Far 0 mm"));
  g_assert_nonnull (find (panel, "Far"));
  vg_metrics_add (below, "shift", "Shift", "px", -0.0, NULL);
  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), below);
  vg_results_panel_set (VG_RESULTS_PANEL (panel), below);
  g_assert_nonnull (find (bar, "Shift 0 px"));
  g_assert_nonnull (find (panel, "0 px"));
  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), loud);
  vg_results_panel_set (VG_RESULTS_PANEL (panel), loud);
  g_assert_nonnull (find (bar, "Late 7 s"));
  g_assert_nonnull (find (panel, "Late"));
  g_assert_finalize_object (bar);
  g_assert_finalize_object (panel);
}

/* The sign leads to the words. */
static void
test_advice (void)
{
  g_autoptr (VgMetrics) metrics = some_numbers (FALSE, FALSE, FALSE);
  GtkWidget *bar = g_object_ref_sink (vg_status_bar_new ());
  int asked = 0;

  g_signal_connect_swapped (bar, "advice", G_CALLBACK (on_more), &asked);
  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), metrics);
  g_signal_emit_by_name (gtk_widget_get_prev_sibling (find (bar, "Voxels 100")), "clicked");
  g_assert_cmpint (asked, ==, 1);
  g_assert_finalize_object (bar);
}

/* Amber only where the maps are likely to be wrong; other advice has a neutral icon. */
static void
test_amber (void)
{
  g_autoptr (VgMetrics) metrics = some_numbers (TRUE, FALSE, FALSE);
  GtkWidget *bar = g_object_ref_sink (vg_status_bar_new ()), *icon;

  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), metrics);
  icon = gtk_widget_get_prev_sibling (find (bar, "Late 7 s"));
  g_assert_true (gtk_widget_get_visible (icon));
  g_assert_true (gtk_widget_has_css_class (icon, "warning"));
  icon = gtk_widget_get_prev_sibling (find (bar, "Voxels 100"));
  g_assert_true (gtk_widget_get_visible (icon));
  g_assert_false (gtk_widget_has_css_class (icon, "warning"));
  icon = gtk_widget_get_prev_sibling (find (bar, "Far 0 mm"));
  g_assert_false (gtk_widget_get_visible (icon));
  g_assert_finalize_object (bar);
}

static void
on_go_to (const VgParam **wanted, const VgParam *param)
{
  *wanted = param;
}

static GtkWidget *
find_key (GtkWidget *panel, const char *text)
{
  GtkWidget *label = find (panel, text);

  while (label != NULL && !gtk_widget_has_css_class (label, "vg-key"))
    label = gtk_widget_get_next_sibling (label);
  return label;
}

/* A report: the operation's key number large, wherever it stands among the others, warnings that
 * lead to the setting they name, and a table. */
static void
test_report (void)
{
  VgSession *session = vg_session_new (vg_operation_find ("flow"));
  GtkWidget *panel = g_object_ref_sink (vg_results_panel_new (session, "Results")), *key;
  g_autoptr (VgMetrics) metrics = vg_metrics_new (), unknown = vg_metrics_new ();
  const VgParam *wanted = NULL;

  g_signal_connect_swapped (panel, "go-to", G_CALLBACK (on_go_to), &wanted);
  vg_metrics_add (metrics, "frames", "Frames", "", 32, NULL);
  vg_metrics_add (metrics, "mean_contrast", "Mean contrast", "1", 12.34567, NULL);
  vg_metrics_add (metrics, "other", "Other", "", 3, "Raise the exposure time of the camera");
  vg_metrics_add (metrics, "third", "Third", "", 4, "This names nothing");
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  key = find_key (panel, "12.35 1");
  g_assert_true (gtk_widget_get_visible (key));
  g_assert_null (find_key (panel, "32"));
  g_assert_nonnull (find (panel, "This names nothing"));
  g_signal_emit_by_name (find (panel, "Exposure time"), "clicked");
  g_assert_nonnull (wanted);
  g_assert_cmpstr (wanted->id, ==, "exposure_ms");
  g_assert_true (gtk_widget_get_visible (find (panel, "Copy all numbers, errors and units as "
                                                      "comma-separated values")));
  vg_results_panel_set_number (
      VG_RESULTS_PANEL (panel),
      &(VgKeyNumber){ .name = (char *) "Lifetime, median", .unit = "ns", .value = 2.5 });
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  key = find_key (panel, "2.50 ns"); /* the map's in place of the metric */
  g_assert_true (gtk_widget_get_visible (key));
  g_assert_nonnull (find (panel, "Lifetime, median"));
  vg_results_panel_set_number (VG_RESULTS_PANEL (panel),
                               &(VgKeyNumber){ .name = (char *) "Lifetime",
                                               .unit = "ns",
                                               .help = "Fluorescence lifetime.",
                                               .with_spread = (char *) "2.50 \302\261 0.21",
                                               .statistic = (char *) "Mean of pixels",
                                               .value = 2.5 });
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  key = find_key (panel, "2.50 \302\261 0.21 ns");
  g_assert_nonnull (find (panel, "Lifetime\nMean of pixels"));
  vg_results_panel_set_number (
      VG_RESULTS_PANEL (panel),
      &(VgKeyNumber){ .name = (char *) "Lifetime, median", .unit = "ns", .value = NAN });
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  g_assert_false (gtk_widget_get_visible (key)); /* no other number, which would be gone at once */
  vg_results_panel_set_number (VG_RESULTS_PANEL (panel), NULL);
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  key = find_key (panel, "12.35 1");
  g_assert_nonnull (key);
  vg_metrics_add (unknown, "mean_contrast", "Mean contrast", "1", NAN, NULL);
  vg_results_panel_set (VG_RESULTS_PANEL (panel), unknown);
  g_assert_false (gtk_widget_get_visible (key));
  vg_results_panel_set (VG_RESULTS_PANEL (panel), NULL);
  g_assert_nonnull (find (panel, "No numbers yet."));
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
}

/* The button of a warning does what it says, and can be undone; what is done is offered no more. */
static void
test_remedy (void)
{
  VgSession *session = vg_session_new (vg_operation_find ("flow"));
  const VgParamTable *table = &vg_operation_find ("flow")->params;
  const VgParam *exposure = vg_params_find (table, "exposure_ms"),
                *bias = vg_params_find (table, "window_bias"),
                *baseline = vg_params_find (table, "baseline_frames");
  GtkWidget *panel = g_object_ref_sink (vg_results_panel_new (session, "Results"));
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();

  vg_metrics_add (metrics, "a", "A", "", 1, "It is blurred");
  vg_metrics_propose (metrics, "exposure_ms", 12.5);
  vg_metrics_add (metrics, "b", "B", "", 1, "It reads low");
  vg_metrics_propose (metrics, "window_bias", 1);
  vg_metrics_add (metrics, "c", "C", "", 1, NULL);
  vg_metrics_propose (metrics, "radius", 9);
  vg_session_set_number (session, baseline, 7);
  vg_metrics_add (metrics, "d", "D", "", 1, "It is short");
  vg_metrics_propose (metrics, "baseline_frames", 0);
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  g_signal_emit_by_name (find (panel, "Set Exposure time to 12.5 ms"), "clicked");
  g_assert_cmpfloat (vg_param_get_number (exposure, vg_session_get_params (session)), ==, 12.5);
  g_signal_emit_by_name (find (panel, "Set Window bias to Corrected"), "clicked");
  g_assert_cmpfloat (vg_param_get_number (bias, vg_session_get_params (session)), ==, 1);
  g_assert_nonnull (find (panel, "Set Baseline length to Automatic"));
  g_assert_null (find (panel, "Set Radius to 9 px"));
  vg_results_panel_set (VG_RESULTS_PANEL (panel), metrics);
  g_assert_null (find (panel, "Set Exposure time to 12.5 ms"));
  vg_session_undo (session);
  g_assert_cmpfloat (vg_param_get_number (bias, vg_session_get_params (session)), ==, 0);
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
}

/* Numbers of objects have no limits to choose. */
static void
test_labels (void)
{
  static const VgOutput outputs[] = {
    { .id = "map", .label = "Map" }, { .id = "labels", .label = "Labels", .kind = VG_OUTPUT_LABELS }
  };
  const VgOperation operation = { .id = "made_up",
                                  .title = "Made up",
                                  .params = { NULL, 0, sizeof (int) },
                                  .outputs = outputs,
                                  .n_outputs = 2 };
  VgSession *session = vg_session_new (&operation);
  GtkWidget *panel = g_object_ref_sink (vg_limits_panel_new (session));
  VgView view = *vg_session_get_view (session);

  g_assert_true (gtk_widget_get_visible (panel));
  view.output = 1;
  vg_session_set_view (session, &view);
  g_assert_false (gtk_widget_get_visible (panel));
  view.output = 0;
  vg_session_set_view (session, &view);
  g_assert_true (gtk_widget_get_visible (panel));
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
}

/* A row of a table has the whole line, which stays as high. */
static void
test_long_row (void)
{
  const char *text = "x 161, y 104: Nucleus 26: area 489 px\302\262, long axis 27 px, short axis "
                     "23 px, mean stain 0.62";
  g_autoptr (VgMetrics) metrics = some_numbers (TRUE, TRUE, TRUE);
  GtkWidget *window = gtk_window_new (), *bar = vg_status_bar_new (), *row;
  int height, without;

  gtk_window_set_child (GTK_WINDOW (window), bar);
  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 60);
  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), metrics);
  vg_status_bar_set_device (VG_STATUS_BAR (bar), "a processor", FALSE, NULL);
  vg_status_bar_set_probe (VG_STATUS_BAR (bar), text);
  gtk_window_present (GTK_WINDOW (window));
  row = find (bar, text);
  g_assert_nonnull (row);
  while (gtk_widget_get_width (row) == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (row))));
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  vg_status_bar_set_probe (VG_STATUS_BAR (bar), "");
  gtk_widget_measure (bar, GTK_ORIENTATION_VERTICAL, -1, NULL, &without, NULL, NULL);
  g_assert_cmpint (without, ==, height);
  g_assert_cmpint (height, <=, 28);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The button says device and speed, its popover all; amber are bad data, and frames that a
 * recording loses. */
static void
test_performance (void)
{
  GtkWidget *bar = g_object_ref_sink (vg_status_bar_new ()), *dot = find (bar, "\342\227\217");
  VgPipelineCounts counts = { .sent = 10,
                              .shown = 4,
                              .superseded = 4,
                              .lost = 2,
                              .results_per_s = 25,
                              .latency_p50_ms = 7,
                              .latency_p99_ms = 21 };
  const VgResponse none = { 0 };

  vg_status_bar_set_device (VG_STATUS_BAR (bar), NULL, TRUE, NULL);
  g_assert_nonnull (find (bar, "Preparing the map"));
  vg_status_bar_set_device (VG_STATUS_BAR (bar), NULL, FALSE, NULL);
  g_assert_nonnull (find (bar, "Idle"));
  vg_status_bar_set_device (VG_STATUS_BAR (bar), "CPU, 2 threads", FALSE, "software rendering");
  g_assert_nonnull (find (bar, "CPU"));
  vg_status_bar_set_counts (VG_STATUS_BAR (bar), &counts, 8, &none, FALSE);
  g_assert_nonnull (find (bar, "CPU")); /* at rest, whatever the speed was */
  vg_status_bar_set_device (VG_STATUS_BAR (bar), "CPU, 2 threads", TRUE, "software rendering");
  g_assert_nonnull (find (bar, "CPU \302\267 25 maps/s"));
  g_assert_false (gtk_widget_has_css_class (dot, "warning"));
  vg_status_bar_set_counts (VG_STATUS_BAR (bar), &counts, 8, &none, TRUE);
  g_assert_true (gtk_widget_has_css_class (dot, "warning"));
  counts.lost = 0;
  vg_status_bar_set_counts (VG_STATUS_BAR (bar), &counts, 8, &none, TRUE);
  g_assert_false (gtk_widget_has_css_class (dot, "warning"));
  counts.bad = 2;
  vg_status_bar_set_counts (VG_STATUS_BAR (bar), &counts, 8, &none, FALSE);
  g_assert_true (gtk_widget_has_css_class (dot, "warning"));
  g_assert_finalize_object (bar);
}

/* What has no value yet leaves its place to others, unless it has advice; no frames, no counts of
 * them. */
static void
test_numbers (void)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  g_autoptr (GtkWidget) bar = g_object_ref_sink (vg_status_bar_new ());
  VgPipelineCounts counts = { 0 };
  VgResponse response = { 0 };

  vg_metrics_add (numbers, "error", "Error of the map", "%", NAN, NULL);
  vg_metrics_add (numbers, "sum", "Sum", "", NAN, "nothing was computed");
  vg_metrics_add (numbers, "photons", "Photons", "", 1200, NULL);
  vg_metrics_add (numbers, "balance", "Balance", "", 0.9999999, NULL);
  vg_metrics_add (numbers, "less", "Less", "", 0.99992, NULL);
  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), numbers);
  g_assert_true (window_tells (bar, "Balance 1.000") && !window_tells (bar, "Balance 1.0000"));
  g_assert_true (window_tells (bar, "Less 0.9999"));
  g_assert_false (window_tells (bar, "Error of the map"));
  g_assert_true (window_tells (bar, "Sum"));
  g_assert_true (window_tells (bar, "Photons 1200"));
  vg_status_bar_set_counts (VG_STATUS_BAR (bar), &counts, 0, &response, FALSE);
  g_assert_false (window_tells (bar, "read = "));
  counts.sent = 1;
  vg_status_bar_set_counts (VG_STATUS_BAR (bar), &counts, 0, &response, FALSE);
  g_assert_true (window_tells (bar, "1 frame read = 0 shown + 0 superseded"));
}

/* How many of the labels are shown, and in how many lines. */
static int
count_shown (GtkWidget *box, int *lines)
{
  int shown = 0, y = -1;

  *lines = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (box); child;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_child_visible (child))
      {
        graphene_rect_t bounds;

        shown++;
        g_assert_true (gtk_widget_compute_bounds (child, box, &bounds));
        *lines += bounds.origin.y > y;
        y = (int) bounds.origin.y;
        g_assert_cmpfloat (bounds.origin.x + bounds.size.width, <=, gtk_widget_get_width (box));
      }
  return shown;
}

/* Of what does not fit the first are seen; an error stands beside its value elsewhere. */
static void
test_lines (void)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();
  GtkWidget *bar = vg_status_bar_new (), *window = gtk_window_new (),
            *box = vg_fit_box_new (10, 2 + 1), *rest;
  int widths[3], height, lines;

  vg_metrics_add (numbers, "part", "Part", "", 0.5, NULL);
  vg_metrics_add (numbers, "part_error", "Error of the part", "", 0.1, NULL);
  vg_metrics_add (numbers, "area_px", "Area", "px\302\262", 400, NULL);
  vg_metrics_add (numbers, "area_um", "Area", "\302\265m\302\262", 100, NULL);
  vg_status_bar_set_numbers (VG_STATUS_BAR (bar), numbers);
  g_assert_true (window_tells (bar, "Part 0.5"));
  g_assert_false (window_tells (bar, "Error of the part"));
  g_assert_false (window_tells (bar, "Area 400"));
  g_assert_true (window_tells (bar, "Area 100"));
  g_object_ref_sink (bar);
  g_object_unref (bar);

  gtk_window_set_child (GTK_WINDOW (window), box);
  for (int i = 0; i < 3; i++)
    {
      GtkWidget *label = gtk_label_new ("a number of some width");

      vg_fit_box_append (VG_FIT_BOX (box), label);
      gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &widths[i], NULL, NULL);
    }
  gtk_widget_realize (window);
  gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  gtk_widget_size_allocate (box, &(GtkAllocation){ 0, 0, 3 * widths[0] + 20, height }, -1);
  g_assert_true (count_shown (box, &lines) == 3 && lines == 1);
  gtk_widget_size_allocate (box, &(GtkAllocation){ 0, 0, 3 * widths[0] + 19, height }, -1);
  g_assert_true (count_shown (box, &lines) == 2 && lines == 1);
  gtk_widget_size_allocate (box, &(GtkAllocation){ 0, 0, widths[0] - 1, height }, -1);
  g_assert_true (count_shown (box, &lines) == 0);
  rest = gtk_label_new ("what may be cut short, and gives way to all of the numbers");
  gtk_label_set_ellipsize (GTK_LABEL (rest), PANGO_ELLIPSIZE_MIDDLE);
  vg_fit_box_set_rest (VG_FIT_BOX (box), rest);
  gtk_widget_size_allocate (box, &(GtkAllocation){ 0, 0, 3 * widths[0] + 230, height }, -1);
  g_assert_cmpint (gtk_widget_get_width (rest), ==, 200); /* less three gaps */
  gtk_widget_size_allocate (box, &(GtkAllocation){ 0, 0, 3 * widths[0] + 60, height }, -1);
  /* all numbers, which leave the text too little */
  g_assert_true (count_shown (box, &lines) == 3 && !gtk_widget_get_child_visible (rest));
  gtk_widget_size_allocate (box, &(GtkAllocation){ 0, 0, 90, height }, -1);
  g_assert_true (count_shown (box, &lines) == 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_shown (VgSession *session, int output)
{
  return vg_operation_output_is_shown (vg_session_get_operation (session), (guint) output,
                                       vg_session_get_params (session));
}

/* OUTPUT is hidden while PARAM is VALUE, if it depends on that: another one takes its place, and it
 * returns when that one is hidden. */
static guint
hide_and_return (const VgOperation *operation, const VgParam *param, double value, int output)
{
  g_autoptr (VgSession) session = vg_session_new (operation);
  VgOutputChoice *choice = vg_output_choice_new ();
  VgView view = *vg_session_get_view (session);
  guint hidden = 0;

  view.output = output;
  vg_session_set_view (session, &view);
  vg_output_choice_update (choice, session);
  g_assert_cmpint (vg_session_get_view (session)->output, ==, output);
  vg_session_set_number (session, param, value);
  hidden = !is_shown (session, output);
  vg_output_choice_update (choice, session);
  g_assert_true (is_shown (session, vg_session_get_view (session)->output));
  g_assert_cmpint (vg_session_get_view (session)->output == output, ==, !hidden);
  vg_session_set_number (session, param, param->def);
  if (is_shown (session, output) && !is_shown (session, vg_session_get_view (session)->output))
    {
      vg_output_choice_update (choice, session);
      g_assert_cmpint (vg_session_get_view (session)->output, ==, output);
    }
  vg_output_choice_free (choice);
  return hidden;
}

static void
test_output_choice (void)
{
  guint n, hidden = 0;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    for (guint p = 0; p < operations[i]->params.n_items; p++)
      for (guint output = 0; output < operations[i]->n_outputs; output++)
        {
          const VgOperation *operation = operations[i];
          const VgParam *param = &operation->params.items[p];
          g_autoptr (VgSession) session = vg_session_new (operation);

          if (param->choices == NULL || operation->outputs[output].kind == VG_OUTPUT_TEXT ||
              !is_shown (session, (int) output))
            continue;
          for (int value = 0; param->choices[value] != NULL; value++)
            hidden += hide_and_return (operation, param, value, (int) output);
        }
  g_assert_cmpuint (hidden, >, 0);
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkCssProvider) css = NULL;

  gtk_test_init (&argc, &argv, NULL);
  g_resources_register (vg_resources_get_resource ());
  css = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (css, "/org/vivograph/Vivograph/vivograph.css");
  gtk_style_context_add_provider_for_display (gdk_display_get_default (), GTK_STYLE_PROVIDER (css),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_test_add_func ("/status/cautions", test_cautions);
  g_test_add_func ("/status/quiet", test_quiet);
  g_test_add_func ("/status/advice", test_advice);
  g_test_add_func ("/status/amber", test_amber);
  g_test_add_func ("/status/report", test_report);
  g_test_add_func ("/status/remedy", test_remedy);
  g_test_add_func ("/status/labels", test_labels);
  g_test_add_func ("/status/long-row", test_long_row);
  g_test_add_func ("/status/performance", test_performance);
  g_test_add_func ("/status/numbers", test_numbers);
  g_test_add_func ("/status/lines", test_lines);
  g_test_add_func ("/status/output-choice", test_output_choice);
  return g_test_run ();
}
