/* SPDX-License-Identifier: MIT */
/* Automatic limits would change with every frame, so they are taken from the first frames together,
 * which are held until then. */
#include "app/movie/vg-movie.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include "app/figure/vg-map-figure.h"
#include "app/movie/vg-movie-moment.h"
#include "app/session/vg-display.h"
#include "io/movie/vg-movie-file.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include "kernels/tables/vg-curves.h"

#define PAGE_MM 160.0 /* width of the drawn page, by which the size of its text is chosen */

#define MARK_S 2.0 /* time for which a mark is shown */

enum { MARK_BYTES = 49 };
enum { HELD = 32, HELD_BYTES = 1 << 28, MOST_ROWS = 4096 };

struct _VgMovie
{
  VgMovieOptions *options;
  const VgMovieScene *scene;
  const VgOperation *operation;
  VgMovieFile *file;
  VgOutput output;   /* with the unit of these settings */
  VgDisplay display; /* with fixed limits once `fixed` */
  gboolean fixed;
  GPtrArray *held; /* of VgMovieMoment */
  gsize held_bytes;
  int columns, rows; /* 0: not started */
  double fps;
  gint64 steps, frames; /* seen; added */
  VgUnderlay *still;    /* under every step of an evolution; NULL: none yet */
  double underlay_limits[2];
  gboolean has_underlay_limits;
  double marked_s;  /* frame time up to which marks were shown; NaN: none yet */
  char *mark;       /* text of the mark that is shown now, or NULL */
  gint64 mark_left; /* frames for which it will still be shown */
  gint64 start_us;  /* of a live source: the time stamp of its first frame, us; -1: none yet */
};

/* ---- begin and end ---- */

/* The display of the map, by default as the window shows it at first. */
static void
reset_display (VgMovie *self)
{
  const VgMovieScene *scene = self->scene;
  const double *limits = self->options->limits;

  if (scene->display != NULL)
    self->display = *scene->display;
  else
    {
      g_autoptr (VgSession) fresh = vg_session_new (self->operation);

      self->display = *vg_session_get_display_of (fresh, scene->output);
    }
  if (limits[1] > limits[0])
    {
      self->display.auto_limits = FALSE;
      self->display.low = limits[0];
      self->display.high = limits[1];
    }
  self->fixed = !self->display.auto_limits || self->output.kind == VG_OUTPUT_LABELS;
}

/* The movie must not replace what it is made of. */
static gboolean
check_inputs (const char *path, const char *const *inputs, GError **error)
{
  struct stat own, other;

  for (guint i = 0; inputs != NULL && inputs[i] != NULL && stat (path, &own) == 0; i++)
    if (stat (inputs[i], &other) == 0 && own.st_dev == other.st_dev && own.st_ino == other.st_ino)
      {
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "the movie would replace its input \"%s\"; choose another name", path);
        return FALSE;
      }
  return TRUE;
}

VgMovie *
vg_movie_new (const VgMovieOptions *options, const VgMovieScene *scene,
              const VgOperation *operation, const char *const *inputs, GError **error)
{
  g_autoptr (VgMovieFile) file = check_inputs (options->path, inputs, error)
                                     ? vg_movie_file_new (options->path, error)
                                     : NULL;
  VgMovie *self;

  if (file == NULL)
    return NULL;
  self = g_new0 (VgMovie, 1);
  self->options = vg_movie_options_copy (options);
  self->scene = scene;
  self->operation = operation;
  self->output = operation->outputs[scene->output];
  self->file = g_steal_pointer (&file);
  self->held = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_movie_moment_free);
  vg_movie_restart (self);
  return self;
}

void
vg_movie_free (VgMovie *self)
{
  if (self == NULL)
    return;
  vg_movie_file_free (self->file);
  g_ptr_array_unref (self->held);
  g_clear_pointer (&self->still, vg_underlay_unref);
  g_free (self->mark);
  vg_movie_options_free (self->options);
  g_free (self);
}

void
vg_movie_restart (VgMovie *self)
{
  g_ptr_array_set_size (self->held, 0);
  self->held_bytes = 0;
  self->columns = self->rows = 0;
  self->steps = self->frames = 0;
  self->has_underlay_limits = FALSE;
  g_clear_pointer (&self->still, vg_underlay_unref);
  self->start_us = -1;
  self->marked_s = NAN;
  self->mark_left = 0;
  reset_display (self);
}

gboolean
vg_movie_accepts (VgMovie *self, VgWork *work, GError **error)
{
  const VgImageInfo *info = vg_work_get_info (work);

  if (self->operation->view.step_param != NULL || (info != NULL && info->frames != 1))
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "there is no movie: %s has one set of maps, and its data have no frames; omit the "
               "movie, or save a figure",
               self->operation->id);
  return FALSE;
}

gboolean
vg_movie_ends_before (VgMovie *self, gint64 index)
{
  return self->options->last > 0 && index >= self->options->last;
}

gint64
vg_movie_get_frames (VgMovie *self)
{
  return self->frames + self->held->len;
}

/* ---- one frame ---- */

static double
choose_fps (VgMovie *self, const VgImageInfo *info)
{
  const gboolean is_stream = self->operation->input.kind == VG_INPUT_STREAM && info != NULL;

  return self->options->fps > 0 ? self->options->fps
                                : vg_movie_usual_fps (is_stream ? info->frame_interval_s : 0);
}

/* RGBA, COLUMNS x ROWS of it, on a white page of the movie's size. */
static guint8 *
fit (const VgMovie *self, const guint8 *rgba, int columns, int rows)
{
  gsize line = (gsize) self->columns * 4;
  guint8 *page = g_try_malloc (line * (gsize) self->rows);

  if (page == NULL)
    return NULL;
  memset (page, 255, line * (gsize) self->rows);
  for (int y = 0; y < MIN (rows, self->rows); y++)
    memcpy (page + line * (gsize) y, rgba + (gsize) columns * 4 * (gsize) y,
            (gsize) MIN (columns, self->columns) * 4);
  return page;
}

static guint8 *
draw_page (VgMovie *self, const VgMovieMoment *moment, int *columns, int *rows, GError **error)
{
  const VgMapFigureSpec spec = { .width_mm = PAGE_MM,
                                 .stamp = moment->label,
                                 .regions = self->scene->regions };
  g_autoptr (VgFigure) figure = vg_map_figure_new (&moment->view.map, &spec, error);
  double width = self->options->width > 0 ? self->options->width
                                          : vg_movie_usual_width (self->options->quality),
         dpi;

  if (figure == NULL)
    return NULL;
  dpi = 72 * width / figure->width;
  if (figure->height * dpi / 72 > MOST_ROWS)
    dpi = 72 * MOST_ROWS / figure->height;
  return vg_figure_to_rgba (figure, dpi, columns, rows, error);
}

/* Draws MOMENT, which is taken, and adds it. */
static gboolean
add (VgMovie *self, VgMovieMoment *moment, GError **error)
{
  g_autofree guint8 *rgba = NULL, *page = NULL;
  int columns, rows;

  rgba = draw_page (self, moment, &columns, &rows, error);
  vg_movie_moment_free (moment);
  if (rgba == NULL)
    return FALSE;
  if (self->columns == 0)
    {
      self->columns = columns + (columns & 1);
      self->rows = rows + (rows & 1);
      if (!vg_movie_file_start (self->file, self->columns, self->rows, self->fps,
                                self->options->quality, error))
        return FALSE;
    }
  page = fit (self, rgba, columns, rows);
  if (page == NULL)
    return vg_map_picture_set_no_memory (error);
  self->frames++;
  return vg_movie_file_add (self->file, page, error);
}

/* Draws what is held, with the limits of all of it. */
static gboolean
settle (VgMovie *self, GError **error)
{
  if (self->held->len > 0 && !self->fixed &&
      !vg_movie_moments_fix_limits (self->held, &self->output, &self->display, error))
    return FALSE;
  self->fixed = self->fixed || self->held->len > 0;
  while (self->held->len > 0)
    if (!add (self, g_ptr_array_steal_index (self->held, 0), error))
      return FALSE;
  self->held_bytes = 0;
  return TRUE;
}

/* Takes MOMENT. */
static gboolean
hold (VgMovie *self, VgMovieMoment *moment, GError **error)
{
  if (self->fixed)
    return add (self, moment, error);
  g_ptr_array_add (self->held, moment);
  self->held_bytes += vg_movie_moment_bytes (moment);
  return (self->held->len < HELD && self->held_bytes < HELD_BYTES) || settle (self, error);
}

/* ---- what is taken ---- */

/* The frame of INFO at DATA, which lies under the map, with the limits of the first one.  NULL:
 * no memory. */
static VgUnderlay *
make_underlay (VgMovie *self, const VgImageInfo *info, const void *data, GError **error)
{
  if (!self->has_underlay_limits && !vg_display_get_window (&self->display, self->underlay_limits))
    vg_underlay_limits (info, data, 1, self->underlay_limits);
  self->has_underlay_limits = TRUE;
  return vg_underlay_new (info, data, 1, self->underlay_limits, error);
}

/* "0.48 s", or "Frame 12" if the times are not known. */
static char *
describe_time (double seconds, double interval, gint64 number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (!(interval > 0) || !isfinite (seconds))
    return g_strdup_printf ("Frame %" G_GINT64_FORMAT, number);
  g_ascii_formatd (text, sizeof text,
                   interval < 0.01 ? "%.3f"
                   : interval < 1  ? "%.2f"
                                   : "%.1f",
                   seconds);
  return g_strdup_printf ("%s s", text);
}

static char *
describe_frame (VgMovie *self, const VgFrame *frame)
{
  double seconds = frame->time_s, interval = frame->info->frame_interval_s;

  if (frame->info->frames < 0)
    {
      if (self->start_us < 0)
        self->start_us = frame->time_us;
      seconds = (double) (frame->time_us - self->start_us) * 1e-6;
      interval = 0.02;
    }
  else if (interval <= 0 && seconds > 0 && frame->index > 0)
    interval = seconds / (double) frame->index;
  return describe_time (seconds, interval, frame->index + 1);
}

/* LABEL with the mark that is shown in the frame at TIME_S, owned.  Takes LABEL. */
static char *
add_mark (VgMovie *self, char *label, double time_s)
{
  const double from_s = isfinite (self->marked_s) ? self->marked_s : time_s - MARK_S;
  char *text = vg_curve_marks_between (self->scene->marks, from_s, time_s), *whole;
  char line[MARK_BYTES];

  self->marked_s = time_s;
  if (text != NULL)
    {
      vg_text_copy (line, sizeof line, text);
      g_free (text);
      g_free (self->mark);
      self->mark = g_strdup (line);
      self->mark_left = MAX ((gint64) (MARK_S * self->fps), 1);
    }
  if (self->mark_left <= 0)
    return label;
  self->mark_left--;
  whole = g_strdup_printf ("%s  %s", label, self->mark);
  g_free (label);
  return whole;
}

static gboolean
is_wanted (const VgMovie *self, gint64 number)
{
  return number >= self->options->first &&
         (self->options->last == 0 || number <= self->options->last);
}

/* The newest map over UNDERLAY (or NULL), with STAMP, which is taken. */
static gboolean
add_moment (VgMovie *self, VgWork *work, VgUnderlay *underlay, char *label, GError **error)
{
  guint index = (guint) self->scene->output;
  const VgWorkViewSpec spec = { .output = &self->output,
                                .index = index,
                                .display = &self->display,
                                .underlay = underlay != NULL ? underlay : self->still,
                                .as_stored = self->scene->as_stored };
  GError *local = NULL;
  VgMovieMoment *moment;

  self->output.label = vg_operation_output_label (self->operation, index,
                                                  vg_work_get_params (work));
  self->output.unit = vg_operation_output_unit (self->operation, index, vg_work_get_params (work));
  moment = vg_movie_moment_new (work, &spec, &local);
  if (moment == NULL)
    {
      g_free (label);
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  moment->label = label;
  if (self->operation->input.kind == VG_INPUT_DATASET && underlay == NULL && self->still == NULL &&
      moment->view.underlay != NULL)
    self->still = vg_underlay_ref (moment->view.underlay);
  if (vg_work_view_takes_annotations (work, &moment->plane))
    moment->view.map.annotations = self->scene->annotations;
  moment->view.map.slice = CLAMP (self->scene->slice, 0, MAX (moment->plane.slices, 1) - 1);
  return hold (self, moment, error);
}

gboolean
vg_movie_add (VgMovie *self, VgWork *work, VgFrame *frame, GError **error)
{
  gint64 number = frame != NULL ? frame->index + 1 : ++self->steps;
  g_autoptr (VgUnderlay) underlay = NULL;
  GError *local = NULL;
  VgPlane plane;

  if (!is_wanted (self, number))
    return TRUE;
  self->fps = choose_fps (self, vg_work_get_info (work));
  if (frame != NULL && self->display.underlay &&
      vg_work_output (work, (guint) self->scene->output, &plane, &local) &&
      vg_underlay_fits (frame->info, &plane))
    underlay = make_underlay (self, frame->info, frame->data, &local);
  if (local != NULL)
    return vg_work_recover (work, local, error);
  return add_moment (self, work, underlay,
                     frame != NULL ? add_mark (self, describe_frame (self, frame), frame->time_s)
                                   : g_strdup_printf ("Step %" G_GINT64_FORMAT, number),
                     error);
}

gboolean
vg_movie_add_series (VgMovie *self, VgWork *work, GCancellable *cancellable, GError **error)
{
  const VgImage *image = vg_work_get_series (work);
  const VgImageInfo *info = &image->info;
  const double *times_s = vg_work_get_image (work)->times_s;
  gsize bytes = vg_image_info_frame_bytes (info);
  guint generation = vg_work_get_generation (work);

  self->fps = choose_fps (self, info);
  self->display.underlay = self->has_underlay_limits = TRUE;
  if (!vg_display_get_window (&self->display, self->underlay_limits))
    vg_underlay_limits (info, image->data, info->frames, self->underlay_limits);
  for (gint64 i = 0; i < info->frames && vg_work_get_generation (work) == generation; i++)
    {
      g_autoptr (VgUnderlay) underlay = NULL;
      double interval = info->frame_interval_s;
      double seconds = times_s != NULL ? times_s[i] : (double) i * interval;

      if (!is_wanted (self, i + 1))
        continue;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (times_s != NULL && info->frames > 1)
        interval = fabs (times_s[1] - times_s[0]);
      underlay = make_underlay (self, info, (const char *) image->data + bytes * (gsize) i, error);
      if (underlay == NULL ||
          !add_moment (self, work, underlay, describe_time (seconds, interval, i + 1), error) ||
          !settle (self, error)) /* all have the same map */
        return FALSE;
    }
  return TRUE;
}

gboolean
vg_movie_finish (VgMovie *self, GError **error)
{
  if (!settle (self, error))
    return FALSE;
  if (self->frames > 0)
    return vg_movie_file_finish (self->file, error);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "there is no map for the movie \"%s\" among the frames that were chosen; choose "
               "other frames, or another map",
               self->options->path);
  return FALSE;
}

gboolean
vg_movie_commit (VgMovie *self, GError **error)
{
  return vg_movie_file_commit (self->file, error);
}
