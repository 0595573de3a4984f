/* SPDX-License-Identifier: MIT */
/* Where picture, plots and side pane are in windows of several sizes, and which pages of plots are
 * in sight. */
#include "ui/pages/vg-page-slots.h"
#include "ui/panes/vg-panes.h"
#include <glib/gstdio.h>

enum { WIDTH = 1260, HEIGHT = 640 };

typedef struct
{
  GtkWidget *window, *picture, *plots, *side;
  VgPanes *panes;
} Fixture;

static GtkWidget *
box_new (int width, int height)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_set_size_request (box, width, height);
  return box;
}

static gboolean
count_frame (GtkWidget *window, GdkFrameClock *clock, gpointer frames)
{
  ++*(int *) frames;
  return G_SOURCE_CONTINUE;
}

/* Until nothing is laid out any more, which takes a few frames however slow the machine is. */
static void
settle (void)
{
  g_autoptr (GtkWindow) window = g_list_model_get_item (gtk_window_get_toplevels (), 0);
  int frames = 0;
  guint tick = gtk_widget_add_tick_callback (GTK_WIDGET (window), count_frame, &frames, NULL);

  while (frames < 10)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_remove_tick_callback (GTK_WIDGET (window), tick);
}

static void
resize (GtkWidget *window, int width, int height)
{
  GtkWidget *child = gtk_window_get_child (GTK_WINDOW (window));

  gtk_window_set_default_size (GTK_WINDOW (window), width, height);
  while (gtk_widget_get_width (child) != width || gtk_widget_get_height (child) != height)
    g_main_context_iteration (NULL, TRUE);
  settle ();
}

static void
begin (Fixture *self, VgSettings *settings)
{
  self->window = gtk_window_new ();
  self->picture = box_new (300, 180);
  self->plots = box_new (200, 150);
  self->side = box_new (300, 200);
  self->panes = VG_PANES (vg_panes_new ());
  vg_panes_set_picture (self->panes, self->picture);
  vg_panes_set_plots (self->panes, self->plots);
  vg_panes_set_side (self->panes, self->side);
  if (settings != NULL)
    vg_panes_restore (self->panes, settings);
  vg_panes_set_shape (self->panes, &(VgPanesShape){ 1, 160, 90 });
  gtk_window_set_child (GTK_WINDOW (self->window), GTK_WIDGET (self->panes));
  gtk_window_set_decorated (GTK_WINDOW (self->window), FALSE);
  gtk_window_present (GTK_WINDOW (self->window));
  resize (self->window, WIDTH, HEIGHT);
}

static void
end (Fixture *self)
{
  gtk_window_destroy (GTK_WINDOW (self->window));
}

static graphene_rect_t
bounds (Fixture *self, GtkWidget *widget)
{
  graphene_rect_t found;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (self->panes), &found));
  return found;
}

/* Plots are where they leave the image larger. */
static void
test_shape (void)
{
  Fixture self;
  graphene_rect_t picture, plots, side;

  begin (&self, NULL);
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_RIGHT);
  picture = bounds (&self, self.picture);
  plots = bounds (&self, self.plots);
  side = bounds (&self, self.side);
  g_assert_cmpfloat (plots.origin.x, >=, picture.size.width);
  g_assert_cmpfloat (side.origin.x, >=, plots.origin.x + plots.size.width);
  g_assert_cmpfloat (plots.size.width, ==, 280);
  g_assert_cmpfloat (side.size.width, ==, 330);
  g_assert_cmpfloat (side.size.height, ==, HEIGHT);
  /* an image of this width is as high as the window: the plots get the rest */
  vg_panes_set_shape (self.panes, &(VgPanesShape){ 0.8, 160, 90 });
  settle ();
  picture = bounds (&self, self.picture);
  g_assert_cmpfloat_with_epsilon (picture.size.width, 160 + 0.8 * (HEIGHT - 90), 2);
  vg_panes_set_shape (self.panes, &(VgPanesShape){ 3, 160, 90 });
  settle ();
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_BELOW);
  picture = bounds (&self, self.picture);
  plots = bounds (&self, self.plots);
  g_assert_cmpfloat (plots.origin.y, >=, picture.size.height);
  g_assert_cmpfloat (plots.size.width, ==, picture.size.width);
  /* as much as an image of this width and the handle leave */
  g_assert_cmpfloat_with_epsilon (plots.size.height, HEIGHT - 90 - (picture.size.width - 160) / 3,
                                  8);
  /* and at least what a curve needs */
  vg_panes_set_shape (self.panes, &(VgPanesShape){ 2.5, 160, 90 });
  settle ();
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_BELOW);
  g_assert_cmpfloat (bounds (&self, self.plots).size.height, ==, 260);
  /* unless the user chose */
  vg_panes_choose_plots (self.panes, "right");
  settle ();
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_RIGHT);
  end (&self);
}

static void
test_hidden (void)
{
  Fixture self;
  float all, beside;

  begin (&self, NULL);
  beside = bounds (&self, self.picture).size.width;
  vg_panes_switch_plots (self.panes);
  settle ();
  g_assert_false (gtk_widget_get_visible (self.plots));
  g_assert_cmpstr (vg_panes_get_choice (self.panes), ==, "hidden");
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, ==, beside + 280);
  vg_panes_show_side (self.panes, FALSE);
  settle ();
  all = bounds (&self, self.picture).size.width;
  g_assert_cmpfloat (all, ==, beside + 280 + 330);
  /* alone, it has what the edges of the hidden panes took */
  vg_panes_set_mode (self.panes, VG_PANES_PICTURE);
  settle ();
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, ==, WIDTH);
  vg_panes_set_mode (self.panes, VG_PANES_ALL);
  vg_panes_switch_plots (self.panes);
  vg_panes_show_side (self.panes, TRUE);
  settle ();
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, ==, beside);
  g_assert_cmpstr (vg_panes_get_choice (self.panes), ==, "automatic");
  /* the picture alone, and all that was there again */
  vg_panes_set_mode (self.panes, VG_PANES_PICTURE);
  settle ();
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, ==, WIDTH);
  g_assert_false (gtk_widget_get_visible (self.side) || gtk_widget_get_visible (self.plots));
  vg_panes_set_mode (self.panes, VG_PANES_ALL);
  settle ();
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, ==, beside);
  end (&self);
}

/* The side pane of a narrow window lies over the picture, without another parent. */
static void
test_narrow (void)
{
  Fixture self;
  graphene_rect_t before, side;

  begin (&self, NULL);
  resize (self.window, 900, 600);
  g_assert_true (vg_panes_is_narrow (self.panes));
  g_assert_false (vg_panes_is_side_shown (self.panes));
  before = bounds (&self, self.picture);
  vg_panes_show_side (self.panes, TRUE);
  settle ();
  side = bounds (&self, self.side);
  g_assert_true (gtk_widget_get_parent (self.side) == GTK_WIDGET (self.panes));
  g_assert_true (gtk_widget_get_mapped (self.side));
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, ==, before.size.width);
  g_assert_cmpfloat (side.origin.x + side.size.width, ==, 900);
  resize (self.window, WIDTH, HEIGHT);
  g_assert_false (vg_panes_is_narrow (self.panes));
  g_assert_true (vg_panes_is_side_shown (self.panes));
  /* too small for plots beside the picture or below it */
  resize (self.window, 480, 320);
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_HIDDEN);
  g_assert_cmpstr (vg_panes_get_choice (self.panes), ==, "automatic");
  end (&self);
}

/* Plots that need much, as those with large text, leave the image its share of the window. */
static void
test_share (void)
{
  Fixture self;

  begin (&self, NULL);
  gtk_widget_set_size_request (self.plots, 520, 400);
  resize (self.window, 1000, 600);
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_RIGHT);
  gtk_widget_set_size_request (self.plots, 650, 400);
  settle ();
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_HIDDEN);
  g_assert_cmpfloat (bounds (&self, self.picture).size.width, >=, 980);
  vg_panes_choose_plots (self.panes, "right"); /* the user wants them */
  settle ();
  g_assert_cmpint (vg_panes_get_place (self.panes), ==, VG_PLOTS_RIGHT);
  end (&self);
}

/* Sizes that the user gave are the same after any number of starts and windows. */
static void
test_sizes (void)
{
  const char *folder = g_get_user_config_dir ();
  g_autofree char *file = g_build_filename (folder, "vivograph", "window.ini", NULL);
  g_autofree char *place = g_path_get_dirname (file);

  g_mkdir_with_parents (place, 0700);
  g_file_set_contents (file, "[window]\nside-width=371\nplots-width=313\nplots-height=263\n", -1,
                       NULL);
  for (int start = 0; start < 5; start++)
    {
      g_autoptr (VgSettings) settings = vg_settings_new ();
      Fixture self;

      begin (&self, settings);
      g_assert_cmpfloat (bounds (&self, self.side).size.width, ==, 371);
      g_assert_cmpfloat (bounds (&self, self.plots).size.width, ==, 313);
      resize (self.window, 1150 + 17 * start, 800);
      vg_panes_choose_plots (self.panes, "below");
      settle ();
      g_assert_cmpfloat (bounds (&self, self.plots).size.height, ==, 263);
      resize (self.window, 900, 700);
      vg_panes_choose_plots (self.panes, "automatic");
      settle ();
      vg_panes_remember (self.panes, settings);
      g_assert_cmpint (vg_settings_get_int (settings, "side-width", 0, 0, 4096), ==, 371);
      g_assert_cmpint (vg_settings_get_int (settings, "plots-width", 0, 0, 4096), ==, 313);
      g_assert_cmpint (vg_settings_get_int (settings, "plots-height", 0, 0, 4096), ==, 263);
      end (&self);
    }
  g_unlink (file);
  g_rmdir (place);
  g_rmdir (folder);
}

/* Two pages where there is room, each another one. */
static void
test_pages (void)
{
  GtkWidget *window = gtk_window_new (), *pages[3];
  VgPageSlots *slots = VG_PAGE_SLOTS (vg_page_slots_new ());

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    vg_page_slots_add (slots, pages[i] = box_new (120, 100), "Page");
  g_assert_true (vg_page_slots_get (slots, 0) == pages[0]);
  g_assert_true (vg_page_slots_get (slots, 1) == pages[1]);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (slots));
  gtk_window_set_decorated (GTK_WINDOW (window), FALSE);
  gtk_window_present (GTK_WINDOW (window));
  resize (window, 300, 800);
  g_assert_cmpint (vg_page_slots_count (slots), ==, 2);
  g_assert_true (gtk_widget_get_mapped (pages[0]) && gtk_widget_get_mapped (pages[1]));
  g_assert_false (gtk_widget_get_mapped (pages[2]));
  /* that of the other slot changes places */
  vg_page_slots_set (slots, 0, pages[1]);
  g_assert_true (vg_page_slots_get (slots, 0) == pages[1]);
  g_assert_true (vg_page_slots_get (slots, 1) == pages[0]);
  /* another one stands for one that is hidden, and none for one that is gone */
  gtk_widget_set_visible (pages[1], FALSE);
  g_assert_true (vg_page_slots_get (slots, 0) == pages[2]);
  vg_page_slots_remove (slots, pages[2]);
  g_assert_true (vg_page_slots_get (slots, 0) == NULL);
  g_assert_true (vg_page_slots_get (slots, 1) == pages[0]);
  gtk_widget_set_visible (pages[1], TRUE);
  g_assert_true (vg_page_slots_get (slots, 0) == pages[1]);
  resize (window, 300, 250);
  g_assert_cmpint (vg_page_slots_count (slots), ==, 1);
  g_assert_true (gtk_widget_get_mapped (pages[1]));
  g_assert_false (gtk_widget_get_mapped (pages[0]));
  resize (window, 1000, 250);
  g_assert_cmpint (vg_page_slots_count (slots), ==, 2);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("vivograph-panes-XXXXXX", NULL);

  g_setenv ("XDG_CONFIG_HOME", folder, TRUE);
  g_test_init (&argc, &argv, NULL);
  if (!gtk_init_check ())
    {
      g_printerr ("skipped: no display\n");
      return 77;
    }
  g_test_add_func ("/panes/shape", test_shape);
  g_test_add_func ("/panes/hidden", test_hidden);
  g_test_add_func ("/panes/narrow", test_narrow);
  g_test_add_func ("/panes/share", test_share);
  g_test_add_func ("/panes/sizes", test_sizes);
  g_test_add_func ("/panes/pages", test_pages);
  return g_test_run ();
}
