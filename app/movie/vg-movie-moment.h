/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/figure/vg-work-view.h"
#include "app/movie/vg-movie.h"
/* One frame of a movie before it is drawn: copies of its map and of what lies under and over it. */
G_BEGIN_DECLS

typedef struct
{
  VgWorkView view;
  VgPlane plane, brightness; /* brightness: width 0: the map is not dimmed */
  float *values, *brightness_values, *label_values;
  float *outline_values[2]; /* of the objects, and of those that they are compared with */
  VgOutline *outline_items[2];
  char *label; /* "1.25 s", or "Frame 12" */
} VgMovieMoment;

/* The newest map of WORK that SPEC names.  NULL without an error: there is none. */
VgMovieMoment *vg_movie_moment_new (VgWork *work, const VgWorkViewSpec *spec, GError **error);
void vg_movie_moment_free (VgMovieMoment *self);
gsize vg_movie_moment_bytes (const VgMovieMoment *self);

/* Sets the limits of DISPLAY, which are automatic, to those of all MOMENTS (VgMovieMoment) of
 * OUTPUT together.  FALSE: no memory. */
gboolean vg_movie_moments_fix_limits (GPtrArray *moments, const VgOutput *output,
                                      VgDisplay *display, GError **error);

G_END_DECLS
