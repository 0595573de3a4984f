/* SPDX-License-Identifier: MIT */
#include "app/movie/vg-movie-options.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

double
vg_movie_usual_fps (double interval_s)
{
  return interval_s > 0 ? CLAMP (1 / interval_s, 1, VG_MOVIE_MOST_USUAL_FPS) : 10;
}

int
vg_movie_usual_width (VgMovieQuality quality)
{
  static const int widths[VG_MOVIE_N_QUALITIES] = {
    [VG_MOVIE_HIGH] = 1280, [VG_MOVIE_MEDIUM] = 960, [VG_MOVIE_SMALL] = 640
  };

  return widths[quality];
}

double
vg_movie_estimate_bytes (const char *ending, VgMovieQuality quality, gint64 n, int width,
                         int height)
{
  /* bytes per pixel of the movie and per pixel of the map, whose grain is new in each frame */
  static const double webm[VG_MOVIE_N_QUALITIES][2] = { [VG_MOVIE_HIGH] = { 0.06, 0.385 },
                                                        [VG_MOVIE_MEDIUM] = { 0.034, 0.13 },
                                                        [VG_MOVIE_SMALL] = { 0.043, 0.045 } },
                      avi[VG_MOVIE_N_QUALITIES][2] = { [VG_MOVIE_HIGH] = { 0.294, 0.84 },
                                                       [VG_MOVIE_MEDIUM] = { 0.262, 0.214 },
                                                       [VG_MOVIE_SMALL] = { 0.24, 0.017 } };
  const double *bytes = g_str_equal (ending, "avi") ? avi[quality] : webm[quality],
               columns = vg_movie_usual_width (quality),
               rows = MIN (columns * 0.9 * height / MAX (width, 1) + 56, 4096);

  return (bytes[0] * columns * rows + bytes[1] * MIN ((double) width * height, columns * rows)) *
         (double) n;
}

VgMovieOptions *
vg_movie_options_copy (const VgMovieOptions *self)
{
  VgMovieOptions *copy = self != NULL ? g_memdup2 (self, sizeof *self) : NULL;

  if (copy != NULL)
    copy->path = g_strdup (self->path);
  return copy;
}

void
vg_movie_options_free (VgMovieOptions *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self);
}

static gboolean
refuse (const char *option, const char *text, const char *advice, GError **error)
{
  g_autofree char *quoted = vg_text_quote (text);

  g_set_error (error, VG_USAGE_ERROR, 0, "%s is %s; %s", option, quoted, advice);
  return FALSE;
}

gboolean
vg_movie_options_set_fps (VgMovieOptions *self, const char *text, GError **error)
{
  char *end;
  double fps = g_ascii_strtod (text, &end);

  if (end == text || *end != '\0' || !(fps >= VG_MOVIE_LEAST_FPS && fps <= VG_MOVIE_MOST_FPS))
    return refuse ("--movie-fps", text, "give frames per second from 0.1 to 120", error);
  self->fps = fps;
  return TRUE;
}

/* An empty TEXT is 0. */
static gboolean
read_frame (const char *text, const char *end, gint64 *frame)
{
  char *stop;

  *frame = 0;
  if (text == end)
    return TRUE;
  if (!g_ascii_isdigit (*text))
    return FALSE;
  *frame = g_ascii_strtoll (text, &stop, 10);
  return stop == end && *frame >= 1 && *frame <= G_MAXINT32;
}

gboolean
vg_movie_options_set_frames (VgMovieOptions *self, const char *text, GError **error)
{
  const char *dash = strchr (text, '-');
  gint64 first, last;

  if (dash == NULL || !read_frame (text, dash, &first) ||
      !read_frame (dash + 1, text + strlen (text), &last) || (last > 0 && last < first))
    return refuse ("--movie-frames", text,
                   "give the first and the last frame from 1, such as 10-200, 10- or -200", error);
  self->first = first;
  self->last = last;
  return TRUE;
}

gboolean
vg_movie_options_set_limits (VgMovieOptions *self, const char *text, GError **error)
{
  char *comma, *end;
  double low = g_ascii_strtod (text, &comma), high;

  if (comma == text || *comma != ',')
    return refuse ("--movie-limits", text, "give two values, such as 0,12.5", error);
  high = g_ascii_strtod (comma + 1, &end);
  if (end == comma + 1 || *end != '\0' || !isfinite (low) || !isfinite (high) || !(high > low))
    return refuse ("--movie-limits", text, "give two values, the lower one first, such as 0,12.5",
                   error);
  self->limits[0] = low;
  self->limits[1] = high;
  return TRUE;
}

static const char *const qualities[VG_MOVIE_N_QUALITIES] = {
  [VG_MOVIE_HIGH] = "high", [VG_MOVIE_MEDIUM] = "medium", [VG_MOVIE_SMALL] = "small"
};

gboolean
vg_movie_options_set_quality (VgMovieOptions *self, const char *text, GError **error)
{
  for (int i = 0; i < VG_MOVIE_N_QUALITIES; i++)
    if (g_str_equal (text, qualities[i]))
      {
        self->quality = (VgMovieQuality) i;
        return TRUE;
      }
  return refuse ("--movie-quality", text, "give high, medium or small", error);
}

static void
add_number (GStrvBuilder *words, const char *option, const char *format, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_strv_builder_add (words, option);
  g_strv_builder_add (words, g_ascii_formatd (text, sizeof text, format, value));
}

char **
vg_movie_options_to_words (const VgMovieOptions *self)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();

  g_strv_builder_add_many (words, "--movie", self->path, NULL);
  if (self->fps > 0)
    add_number (words, "--movie-fps", "%.15g", self->fps);
  if (self->width > 0)
    add_number (words, "--movie-width", "%.0f", self->width);
  if (self->quality != VG_MOVIE_MEDIUM)
    g_strv_builder_add_many (words, "--movie-quality", qualities[self->quality], NULL);
  if (self->first > 1 || self->last > 0)
    {
      g_autofree char *first = self->first > 1 ? g_strdup_printf ("%" G_GINT64_FORMAT, self->first)
                                               : g_strdup ("1"),
                      *last = self->last > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT, self->last)
                                             : g_strdup (""),
                      *both = g_strconcat (first, "-", last, NULL);

      g_strv_builder_add_many (words, "--movie-frames", both, NULL);
    }
  if (self->limits[1] > self->limits[0])
    {
      char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *both = g_strconcat (
          "--movie-limits=", g_ascii_formatd (low, sizeof low, "%.9g", self->limits[0]), ",",
          g_ascii_formatd (high, sizeof high, "%.9g", self->limits[1]), NULL);

      g_strv_builder_add (words, both);
    }
  return g_strv_builder_end (words);
}
