/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/movie/vg-movie-options.h"
#include "kernels/base/vg-plane.h"
/* A line with the choice of a movie, its format, frames and frame rate, and below it how long and
 * how large the movie will be. */
G_BEGIN_DECLS

#define VG_TYPE_MOVIE_CHOICE (vg_movie_choice_get_type ())
G_DECLARE_FINAL_TYPE (VgMovieChoice, vg_movie_choice, VG, MOVIE_CHOICE, GtkWidget)
/* signal "changed" () */

/* FRAMES: of the data; -1: not known.  INTERVAL_S: between them; 0: not known.  SHOWN: a map of the
 * movie.  LIMITS: of the colours. */
GtkWidget *vg_movie_choice_new (gint64 frames, double interval_s, const VgPlane *shown,
                                const double limits[2]);
/* The movie in FOLDER that is wanted, owned; NULL: none. */
VgMovieOptions *vg_movie_choice_get (VgMovieChoice *self, const char *folder);

G_END_DECLS
