/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* What the program and the module that encodes movies share.  The module exports vg_movie_module.
 */
G_BEGIN_DECLS

enum { VG_MOVIE_ABI = 2 };

typedef enum {
  VG_MOVIE_WEBM, /* VP8 */
  VG_MOVIE_MP4,  /* H.264 */
  VG_MOVIE_AVI,  /* Motion JPEG */
} VgMovieFormat;

/* Constant over the movie, so that its size depends on what it shows. */
typedef enum {
  VG_MOVIE_MEDIUM, /* good to look at */
  VG_MOVIE_HIGH,   /* fine grain stays */
  VG_MOVIE_SMALL,  /* fine grain is smoothed */
  VG_MOVIE_N_QUALITIES
} VgMovieQuality;

typedef struct
{
  const char *path; /* that is written */
  const char *name; /* of the movie, for messages */
  VgMovieFormat format;
  VgMovieQuality quality;
  int width, height; /* even */
  double fps;
} VgMovieTarget;

typedef struct
{
  int abi; /* VG_MOVIE_ABI */
  /* Whether an encoder of FORMAT is installed; else VG_USAGE_ERROR that names its package. */
  gboolean (*check) (VgMovieFormat format, GError **error);
  gpointer (*open) (const VgMovieTarget *target, GError **error);
  /* Adds width * height pixels of RGBA, which are copied.  It waits for the encoder. */
  gboolean (*add) (gpointer movie, const guint8 *rgba, GError **error);
  gboolean (*finish) (gpointer movie, GError **error);
  void (*free) (gpointer movie);
} VgMovieModule;

G_END_DECLS
