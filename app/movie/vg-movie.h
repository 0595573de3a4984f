/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-work.h"
#include "app/movie/vg-movie-options.h"
#include "app/session/vg-session.h"
/* A movie of one map: of the frames of a stream, of the steps of an evolution, or over the frames
 * of a data set, each with title, colour bar, scale bar and time.  All frames have the same colour
 * limits. */
G_BEGIN_DECLS

/* Which map, and how it is drawn. */
typedef struct
{
  int output;                   /* index */
  const VgDisplay *display;     /* NULL: as the window shows it at first */
  int slice;                    /* of a volume */
  gboolean as_stored;           /* rows and columns are as in the file */
  const GPtrArray *annotations; /* of VgAnnotation; NULL: none */
  const GArray *marks; /* of VgCurveMark, x in s: each is shown for 2 s of the movie; NULL: none */
  const VgNamedRegion *const *regions; /* NULL-terminated, in the plane's pixels; NULL: none */
} VgMovieScene;

typedef struct _VgMovie VgMovie;

/* Checks that the movie can be written, before anything is computed.  SCENE and what it points to
 * are borrowed.  INPUTS (or NULL) are not replaced. */
VgMovie *vg_movie_new (const VgMovieOptions *options, const VgMovieScene *scene,
                       const VgOperation *operation, const char *const *inputs, GError **error);
/* FALSE and an error: WORK, which is prepared, has no more than one frame. */
gboolean vg_movie_accepts (VgMovie *self, VgWork *work, GError **error);
/* Discards the frames so far. */
void vg_movie_restart (VgMovie *self);
/* Whether no frame after frame INDEX, from 0, is needed. */
gboolean vg_movie_ends_before (VgMovie *self, gint64 index);

/* Adds the newest map of WORK, of frame FRAME; NULL: the next step of an evolution.  Nothing is
 * added if the user left it out, if there is no map, or if the GPU fails, which changes the
 * generation of WORK. */
gboolean vg_movie_add (VgMovie *self, VgWork *work, VgFrame *frame, GError **error);
/* Adds the map over each frame of the data set of WORK.  CANCELLABLE may be NULL. */
gboolean vg_movie_add_series (VgMovie *self, VgWork *work, GCancellable *cancellable,
                              GError **error);
gint64 vg_movie_get_frames (VgMovie *self);

/* Completes the movie under a temporary name; then commit gives it its name. */
gboolean vg_movie_finish (VgMovie *self, GError **error);
gboolean vg_movie_commit (VgMovie *self, GError **error);
/* Without a commit nothing stays. */
void vg_movie_free (VgMovie *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMovie, vg_movie_free)

G_END_DECLS
