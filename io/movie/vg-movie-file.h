/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/movie/vg-movie-module.h"
/* A movie that appears complete or not at all: it is written under a temporary name in the same
 * folder.  The module of GStreamer encodes it; freeing it without a commit leaves an earlier file
 * as it was. */
G_BEGIN_DECLS

/* The format that the ending of PATH names: .webm, .mp4 or .avi.  VG_USAGE_ERROR: another. */
gboolean vg_movie_format_of (const char *path, VgMovieFormat *format, GError **error);

typedef struct _VgMovieFile VgMovieFile;

/* Checks that there are a module and an encoder, and that the folder can be written to. */
VgMovieFile *vg_movie_file_new (const char *path, GError **error);
/* Begins with frames of WIDTH x HEIGHT pixels, both even; what was added before is discarded. */
gboolean vg_movie_file_start (VgMovieFile *self, int width, int height, double fps,
                              VgMovieQuality quality, GError **error);
/* Adds a frame of RGBA, top row first. */
gboolean vg_movie_file_add (VgMovieFile *self, const guint8 *rgba, GError **error);
/* Completes the movie under its temporary name. */
gboolean vg_movie_file_finish (VgMovieFile *self, GError **error);
/* Gives it its name, after it is finished. */
gboolean vg_movie_file_commit (VgMovieFile *self, GError **error);
void vg_movie_file_free (VgMovieFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgMovieFile, vg_movie_file_free)

G_END_DECLS
