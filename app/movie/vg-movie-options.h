/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/movie/vg-movie-module.h"
/* What the user chooses of a movie. */
G_BEGIN_DECLS

enum { VG_MOVIE_LEAST_WIDTH = 160, VG_MOVIE_MOST_WIDTH = 3840 };
enum { VG_MOVIE_MOST_FPS = 120, VG_MOVIE_MOST_USUAL_FPS = 60 };
#define VG_MOVIE_LEAST_FPS 0.1

typedef struct
{
  char *path;         /* .webm, .mp4 or .avi */
  double fps;         /* 0: vg_movie_usual_fps */
  int width;          /* px; 0: vg_movie_usual_width */
  gint64 first, last; /* frames, or steps of an evolution, from 1; 0: all */
  double limits[2];   /* of the colours; both 0: those of the display */
  VgMovieQuality quality;
} VgMovieOptions;

/* The frame rate at which frames taken INTERVAL_S apart play in real time, but from 1 to 60;
 * INTERVAL_S 0 (not known): 10. */
double vg_movie_usual_fps (double interval_s);
/* 1280, 960 or 640 px, by the quality. */
int vg_movie_usual_width (VgMovieQuality quality);
/* An estimate of the bytes of a movie of N frames of a map of WIDTH x HEIGHT, right within 30 % for
 * the flow of the simulated camera, of a recording and of the sample data.  ENDING: of the file;
 * that of MP4 depends on the encoder, and is not known. */
double vg_movie_estimate_bytes (const char *ending, VgMovieQuality quality, gint64 n, int width,
                                int height);
/* SELF may be NULL. */
VgMovieOptions *vg_movie_options_copy (const VgMovieOptions *self);
void vg_movie_options_free (VgMovieOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMovieOptions, vg_movie_options_free)

/* Reads "25" or "12.5"; VG_USAGE_ERROR: it is no frame rate. */
gboolean vg_movie_options_set_fps (VgMovieOptions *self, const char *text, GError **error);
/* Reads "10-200", "10-" or "-200". */
gboolean vg_movie_options_set_frames (VgMovieOptions *self, const char *text, GError **error);
/* Reads "high", "medium" or "small". */
gboolean vg_movie_options_set_quality (VgMovieOptions *self, const char *text, GError **error);
/* Reads "0,12.5". */
gboolean vg_movie_options_set_limits (VgMovieOptions *self, const char *text, GError **error);
/* The options of `run` for the same, NULL-terminated, owned: "--movie", "/tmp/a.webm" and so on. */
char **vg_movie_options_to_words (const VgMovieOptions *self);

G_END_DECLS
