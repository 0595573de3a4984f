/* SPDX-License-Identifier: MIT */
/* The middle of the window by itself: its pages, the three planes in place of the image, and what
 * stays when the image view is made anew. */
#include <math.h>
#include "ui/viewer/vg-viewer.h"
#include "app/compute/vg-result-pool.h"
#include "ui/common/vg-widgets.h"
#include "ui/picture/vg-picture.h"

GResource *vg_resources_get_resource (void); /* of the file that is made of them */

enum { SIDE = 16, SLICES = 3 };

typedef struct
{
  VgSession *session;
  VgViewer *viewer;
  GtkWidget *window, *over, *empty;
  VgResultPool *pool;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->session = vg_session_new (vg_operation_find ("perfusion"));
  self->viewer = vg_viewer_new (self->session, VG_DISPLAY_AUTO);
  self->over = gtk_label_new ("over");
  self->empty = gtk_label_new ("empty");
  self->window = gtk_window_new ();
  self->pool = vg_result_pool_new ();
  vg_viewer_add_over (self->viewer, self->over);
  vg_viewer_set_empty (self->viewer, self->empty);
  gtk_window_set_default_size (GTK_WINDOW (self->window), 600, 400);
  gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->viewer));
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
wait_until_mapped (GtkWidget *widget)
{
  while (!gtk_widget_get_mapped (widget))
    g_main_context_iteration (NULL, TRUE);
}

static GtkWidget *
get_image (Fixture *self)
{
  return GTK_WIDGET (vg_viewer_get_image (self->viewer));
}

static void
set_planes (Fixture *self, gboolean planes)
{
  VgView view = *vg_session_get_view (self->session);

  view.volume.planes = planes;
  vg_session_set_view (self->session, &view);
}

static void
show (Fixture *self, VgResult *result)
{
  vg_image_view_show (vg_viewer_get_image (self->viewer), result);
  vg_sections_show (vg_viewer_get_sections (self->viewer), result, NULL);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  show (self, NULL);
  gtk_window_destroy (GTK_WINDOW (self->window));
  g_object_unref (self->session);
  vg_result_pool_unref (self->pool);
}

/* A volume in the session's operation, shown. */
static void
show_volume (Fixture *self)
{
  static float values[SIDE * SIDE * SLICES];
  VgPlane plane = { .data = values, .width = SIDE, .height = SIDE, .slices = SLICES };
  VgResult *result;

  for (int i = 0; i < SIDE * SIDE * SLICES; i++)
    values[i] = (float) i;
  result = vg_result_pool_copy (self->pool, &plane, NULL, NULL);
  result->operation = vg_session_get_operation (self->session);
  result->output = vg_session_get_view (self->session)->output;
  show (self, result);
  vg_result_unref (result);
}

static void
test_pages (Fixture *self, gconstpointer data)
{
  wait_until_mapped (get_image (self));
  g_assert_true (gtk_widget_get_mapped (self->over));
  g_assert_false (gtk_widget_get_mapped (self->empty));
  vg_viewer_show_page (self->viewer, VG_VIEWER_EMPTY);
  wait_until_mapped (self->empty);
  g_assert_false (gtk_widget_get_mapped (self->over));
  vg_viewer_show_page (self->viewer, VG_VIEWER_NO_MAP);
  g_assert_false (gtk_widget_get_mapped (self->empty));
  g_assert_false (gtk_widget_get_mapped (get_image (self)));
  vg_viewer_show_page (self->viewer, VG_VIEWER_IMAGE);
  wait_until_mapped (get_image (self));
  g_assert_true (gtk_widget_get_mapped (self->over));
}

/* Another display path makes the image view anew, and nothing else. */
static void
test_display_path (Fixture *self, gconstpointer data)
{
  GtkWidget *before = g_object_ref (get_image (self));

  vg_viewer_show_page (self->viewer, VG_VIEWER_EMPTY);
  vg_viewer_set_display_path (self->viewer, VG_DISPLAY_HOST);
  g_assert_true (get_image (self) != before);
  g_assert_null (gtk_widget_get_parent (before));
  wait_until_mapped (self->empty);
  vg_viewer_show_page (self->viewer, VG_VIEWER_IMAGE);
  wait_until_mapped (get_image (self));
  g_assert_true (gtk_widget_get_mapped (self->over));
  g_object_unref (before);
}

/* The planes hide the image, also one that is made while they are shown, and zoom in its place. */
static void
test_planes (Fixture *self, gconstpointer data)
{
  VgSections *sections = vg_viewer_get_sections (self->viewer);
  double zoom;

  wait_until_mapped (get_image (self));
  show_volume (self);
  g_assert_false (vg_sections_is_shown (sections));
  while (!(vg_image_view_get_zoom (vg_viewer_get_image (self->viewer)) > 0))
    g_main_context_iteration (NULL, TRUE);
  zoom = vg_image_view_get_zoom (vg_viewer_get_image (self->viewer));
  set_planes (self, TRUE);
  g_assert_true (vg_sections_is_shown (sections));
  g_assert_false (gtk_widget_get_child_visible (get_image (self)));
  vg_viewer_zoom (self->viewer, 2);
  g_assert_cmpfloat (vg_image_view_get_zoom (vg_viewer_get_image (self->viewer)), ==, zoom);
  vg_viewer_set_display_path (self->viewer, VG_DISPLAY_HOST);
  show_volume (self);
  g_assert_true (vg_sections_is_shown (sections));
  g_assert_false (gtk_widget_get_child_visible (get_image (self)));
  set_planes (self, FALSE);
  g_assert_false (vg_sections_is_shown (sections));
  wait_until_mapped (get_image (self));
  while (!(vg_image_view_get_zoom (vg_viewer_get_image (self->viewer)) > 0))
    g_main_context_iteration (NULL, TRUE);
  vg_viewer_zoom (self->viewer, 2);
  g_assert_cmpfloat_with_epsilon (vg_image_view_get_zoom (vg_viewer_get_image (self->viewer)),
                                  2 * zoom, 1e-6 * zoom);
  vg_viewer_zoom (self->viewer, 0);
  g_assert_cmpfloat (vg_image_view_get_zoom (vg_viewer_get_image (self->viewer)), ==, zoom);
}

/* Small steps leave the fit, and a step that comes near to it reaches it.  A zoom that is asked for
 * is set, however near to the fit it is. */
static void
test_zoom (Fixture *self, gconstpointer data)
{
  VgImageView *image = vg_viewer_get_image (self->viewer);
  double fit;

  wait_until_mapped (get_image (self));
  show_volume (self);
  while (!(vg_image_view_get_zoom (image) > 0))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (vg_image_view_is_fitted (image));
  fit = vg_image_view_get_zoom (image);
  for (int i = 1; i <= 30; i++)
    {
      vg_viewer_zoom (self->viewer, 1.001);
      g_assert_false (vg_image_view_is_fitted (image));
      g_assert_cmpfloat_with_epsilon (vg_image_view_get_zoom (image), fit * pow (1.001, i), 1e-9);
    }
  for (int i = 30; i > 10; i--)
    {
      g_assert_false (vg_image_view_is_fitted (image));
      vg_viewer_zoom (self->viewer, 1 / 1.001);
    }
  vg_viewer_zoom (self->viewer, 1 / 1.001);
  g_assert_true (vg_image_view_is_fitted (image));
  for (int i = 0; i < 2; i++)
    {
      vg_image_view_zoom_to (image, fit * 1.003);
      g_assert_false (vg_image_view_is_fitted (image));
      g_assert_cmpfloat_with_epsilon (vg_image_view_get_zoom (image), fit * 1.003, 1e-9);
    }
}

/* What lies over the lower edge covers nothing of a fitted image, and moves nothing else. */
static void
test_foot (Fixture *self, gconstpointer data)
{
  enum { FOOT = 300 };
  VgImageView *image = vg_viewer_get_image (self->viewer);
  int across, down, down_with_foot;
  double fit;

  wait_until_mapped (get_image (self));
  show_volume (self);
  while (!(vg_image_view_get_zoom (image) > 0))
    g_main_context_iteration (NULL, TRUE);
  fit = vg_image_view_get_zoom (image);
  vg_image_view_get_margins (image, &across, &down);
  vg_image_view_set_foot (image, FOOT);
  while (!(vg_image_view_get_zoom (image) < fit))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (vg_image_view_is_fitted (image));
  g_assert_cmpfloat (SIDE * vg_image_view_get_zoom (image), <=,
                     gtk_widget_get_height (GTK_WIDGET (image)) - FOOT);
  vg_image_view_get_margins (image, &across, &down_with_foot);
  g_assert_cmpint (down_with_foot, ==, down);
  vg_image_view_set_foot (image, 0);
  while (vg_image_view_get_zoom (image) < fit)
    g_main_context_iteration (NULL, TRUE);
}

/* A text that is cut short has all of it as its tooltip, unless it has another one. */
static void
test_whole_text (Fixture *self, gconstpointer data)
{
  GtkWidget *label = vg_label_new ("a description that is longer than its place in a list", NULL);
  GtkTooltip *tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean has_tooltip;

  for (int cut = 1; cut >= 0; cut--)
    {
      gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (label, &(GtkAllocation){ 0, 0, cut ? 80 : 2000, 20 }, -1);
      g_assert_true (gtk_widget_get_has_tooltip (label));
      g_signal_emit_by_name (label, "query-tooltip", 1, 1, FALSE, tooltip, &has_tooltip);
      g_assert_cmpint (has_tooltip, ==, cut);
    }
  gtk_widget_size_allocate (label, &(GtkAllocation){ 0, 0, 80, 20 }, -1);
  vg_widget_answer (label, NULL);
  g_signal_emit_by_name (label, "query-tooltip", 1, 1, FALSE, tooltip, &has_tooltip);
  g_assert_true (has_tooltip);
  g_object_unref (tooltip);
  g_object_ref_sink (label);
  g_object_unref (label);
}

int
main (int argc, char **argv)
{
  if (!gtk_init_check ())
    {
      g_print ("1..0 # SKIP no display\n");
      return 77;
    }
  g_test_init (&argc, &argv, NULL);
  g_resources_register (vg_resources_get_resource ());
  g_test_add ("/viewer/pages", Fixture, NULL, set_up, test_pages, tear_down);
  g_test_add ("/viewer/display-path", Fixture, NULL, set_up, test_display_path, tear_down);
  g_test_add ("/viewer/planes", Fixture, NULL, set_up, test_planes, tear_down);
  g_test_add ("/viewer/zoom", Fixture, NULL, set_up, test_zoom, tear_down);
  g_test_add ("/viewer/foot", Fixture, NULL, set_up, test_foot, tear_down);
  g_test_add ("/viewer/whole-text", Fixture, NULL, set_up, test_whole_text, tear_down);
  return g_test_run ();
}
