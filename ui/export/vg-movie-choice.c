/* SPDX-License-Identifier: MIT */
/* The rest of the line can be changed when a movie is wanted. */
#include "ui/export/vg-movie-choice.h"
#include <math.h>
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgMovieChoice
{
  GtkWidget parent_instance;
  GtkWidget *line, *wanted, *format, *quality, *more, *first, *last, *fps, *extent, *note;
  gint64 frames;
  double interval_s;
  int size[2]; /* of a map */
  double limits[2];
};

enum { GAP_PX = 6, QUALITY_PX = 106 };

G_DEFINE_FINAL_TYPE (VgMovieChoice, vg_movie_choice, GTK_TYPE_WIDGET)

static const char *const endings[] = { "webm", "mp4", "avi" };
/* in the order of the list */
static const VgMovieQuality qualities[] = { VG_MOVIE_HIGH, VG_MOVIE_MEDIUM, VG_MOVIE_SMALL };

static int
read_whole (GtkWidget *entry)
{
  return gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (entry));
}

static double
get_fps (VgMovieChoice *self)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->fps));
}

static const char *
get_ending (VgMovieChoice *self)
{
  guint format = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->format));

  return endings[MIN (format, G_N_ELEMENTS (endings) - 1)];
}

static VgMovieQuality
get_quality (VgMovieChoice *self)
{
  guint quality = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->quality));

  return qualities[MIN (quality, G_N_ELEMENTS (qualities) - 1)];
}

VgMovieOptions *
vg_movie_choice_get (VgMovieChoice *self, const char *folder)
{
  VgMovieOptions *options;
  g_autofree char *name = NULL;

  if (!gtk_check_button_get_active (GTK_CHECK_BUTTON (self->wanted)))
    return NULL;
  options = g_new0 (VgMovieOptions, 1);
  name = g_strconcat ("movie.", get_ending (self), NULL);
  options->path = g_build_filename (folder, name, NULL);
  if (get_fps (self) != vg_movie_usual_fps (self->interval_s))
    options->fps = get_fps (self);
  if (self->first != NULL)
    {
      options->first = MIN (read_whole (self->first), read_whole (self->last));
      options->last = MAX (read_whole (self->first), read_whole (self->last));
    }
  if (options->first <= 1 && options->last == self->frames)
    options->first = options->last = 0;
  options->quality = get_quality (self);
  options->limits[0] = self->limits[0];
  options->limits[1] = self->limits[1];
  return options;
}

/* "2 min 5 s"; owned. */
static char *
describe_length (double seconds)
{
  const int whole = (int) round (seconds);

  return seconds < 100 ? g_strdup_printf (_ ("%.3g s"), seconds)
                       : g_strdup_printf (_ ("%d min %d s"), whole / 60, whole % 60);
}

/* How long the movie plays and how fast; owned. */
static char *
describe_time (VgMovieChoice *self, gint64 n)
{
  const double fps = get_fps (self), speed = fps * self->interval_s;
  g_autofree char *length = describe_length ((double) n / fps);

  if (!(speed > 0))
    return g_strdup_printf (_ ("%s long"), length);
  if (fabs (speed - 1) < 0.02)
    return g_strdup_printf (_ ("%s long, in real time"), length);
  return g_strdup_printf (_ ("%s long, %.3g times as fast as recorded"), length, speed);
}

/* The text stays in its place while no movie is wanted, so that nothing moves. */
static void
show_extent (VgMovieChoice *self)
{
  const gboolean wanted = gtk_check_button_get_active (GTK_CHECK_BUTTON (self->wanted));
  const gint64 n = self->first != NULL
                       ? ABS (read_whole (self->last) - read_whole (self->first)) + 1
                       : 0;
  g_autofree char *time = NULL, *size = NULL, *text = NULL;

  gtk_widget_set_visible (self->extent, n > 0);
  gtk_widget_set_visible (self->note, n > 0);
  gtk_widget_set_sensitive (self->extent, wanted);
  gtk_widget_set_sensitive (self->note, wanted);
  if (n == 0)
    return;
  time = describe_time (self, n);
  size = g_format_size ((guint64) vg_movie_estimate_bytes (get_ending (self), get_quality (self), n,
                                                           self->size[0], self->size[1]));
  text = g_strdup_printf (_ ("%s, about %s"), time, size);
  gtk_label_set_text (GTK_LABEL (self->extent), text);
}

static void
on_changed (VgMovieChoice *self)
{
  gtk_widget_set_sensitive (self->more,
                            gtk_check_button_get_active (GTK_CHECK_BUTTON (self->wanted)));
  show_extent (self);
  g_signal_emit_by_name (self, "changed");
}

static void
vg_movie_choice_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (vg_movie_choice_parent_class)->dispose (object);
}

static void
vg_movie_choice_class_init (VgMovieChoiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_movie_choice_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "changed", 0);
}

static void
vg_movie_choice_init (VgMovieChoice *self)
{
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              GAP_PX);
  self->line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP_PX);
  self->extent = vg_label_new (NULL, "dim-label");
  self->note = vg_label_new (_ ("Every frame is computed and drawn again; the bar below the image "
                                "shows the time left."),
                             "dim-label");
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_label_set_ellipsize (GTK_LABEL (self->note), PANGO_ELLIPSIZE_NONE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->note), 1); /* as wide as the line above */
}

/* A number from LEAST to MOST; WHOLE: without decimals. */
static GtkWidget *
add_number (VgMovieChoice *self, double least, double most, gboolean whole, double value,
            const char *name, const char *help)
{
  GtkWidget *entry = vg_number_entry_new (least, most, 1, whole);

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 6);
  gtk_widget_add_css_class (entry, "vg-narrow");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (entry), value);
  vg_widget_describe (entry, name, help);
  g_signal_connect_swapped (entry, "value-changed", G_CALLBACK (on_changed), self);
  gtk_box_append (GTK_BOX (self->more), entry);
  return entry;
}

static void
add_frames (VgMovieChoice *self)
{
  double n = (double) self->frames;

  self->first = add_number (self, 1, n, TRUE, 1, _ ("First frame of the movie"), NULL);
  gtk_box_append (GTK_BOX (self->more), vg_label_new (_ ("to"), NULL));
  self->last = add_number (self, 1, n, TRUE, n, _ ("Last frame of the movie"), NULL);
}

GtkWidget *
vg_movie_choice_new (gint64 frames, double interval_s, const VgPlane *shown, const double limits[2])
{
  static const char *const names[] = { "WebM", "MP4", "AVI", NULL };
  const char *const levels[] = { _ ("High"), _ ("Medium"), _ ("Small"), NULL };
  VgMovieChoice *self = g_object_new (VG_TYPE_MOVIE_CHOICE, NULL);

  self->frames = frames;
  self->interval_s = interval_s;
  self->size[0] = shown->width;
  self->size[1] = shown->height;
  self->limits[0] = limits[0];
  self->limits[1] = limits[1];
  self->wanted = gtk_check_button_new_with_label (_ ("Movie"));
  vg_widget_set_tooltip (self->wanted, frames > 0
                                           ? _ ("The map of every frame, with colour bar, scale "
                                                "bar and time")
                                           : _ ("Every step on the way to the result"));
  gtk_widget_set_hexpand (self->wanted, TRUE);
  self->more = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP_PX);
  gtk_widget_set_sensitive (self->more, FALSE);
  self->format = gtk_drop_down_new_from_strings (names);
  vg_widget_describe (self->format, _ ("Format of the movie"),
                      _ ("WebM plays everywhere; MP4 needs an encoder; AVI opens in ImageJ"));
  g_signal_connect_swapped (self->format, "notify::selected", G_CALLBACK (on_changed), self);
  gtk_box_append (GTK_BOX (self->more), self->format);
  self->quality = gtk_drop_down_new_from_strings (levels);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->quality), 1);
  vg_widget_describe (self->quality, _ ("Quality of the movie"),
                      _ ("High keeps fine grain; Small smooths it for a small file"));
  g_signal_connect_swapped (self->quality, "notify::selected", G_CALLBACK (on_changed), self);
  gtk_widget_set_size_request (self->quality, QUALITY_PX, -1); /* the words differ in width */
  gtk_box_append (GTK_BOX (self->more), self->quality);
  if (frames > 1)
    add_frames (self);
  self->fps = add_number (self, VG_MOVIE_LEAST_FPS, VG_MOVIE_MOST_FPS, FALSE,
                          vg_movie_usual_fps (interval_s), _ ("Frames per second of the movie"),
                          NULL);
  gtk_box_append (GTK_BOX (self->more), vg_label_new (_ ("frames/s"), NULL));
  g_signal_connect_swapped (self->wanted, "toggled", G_CALLBACK (on_changed), self);
  gtk_box_append (GTK_BOX (self->line), self->wanted);
  gtk_box_append (GTK_BOX (self->line), self->more);
  gtk_widget_set_parent (self->line, GTK_WIDGET (self));
  gtk_widget_set_parent (self->extent, GTK_WIDGET (self));
  gtk_widget_set_parent (self->note, GTK_WIDGET (self));
  show_extent (self);
  return GTK_WIDGET (self);
}
