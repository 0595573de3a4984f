/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* Test files written with libtiff, of any kind, with samples that are known. */
G_BEGIN_DECLS

typedef struct
{
  int width, height, pages, samples;
  guint bits, format; /* as in the tags */
  guint compression;  /* 0: none */
  guint photometric;  /* 0: min-is-white; most want PHOTOMETRIC_MINISBLACK */
  gboolean separate, big, other_endian;
  guint tile;           /* side, a multiple of 16; 0: strips */
  guint rows_per_strip; /* 0: all rows */
  guint predictor;      /* 0: none */
  const char *description;
  double resolution; /* 0: none */
  guint resolution_unit;
} TiffVariant;

/* A folder that is removed with all its files. */
char *fixture_folder (void);
void fixture_remove_folder (char *folder);
/* Without the flush of g_file_set_contents: damage makes thousands. */
void fixture_put_file (const char *path, const void *bytes, gsize length);
/* One grey page, 16-bit, uncompressed: the base that tests change. */
TiffVariant fixture_variant (int width, int height, int pages);
/* Writes it; returns the values, pages * height * width * samples. */
double *fixture_write_tiff (const char *path, const TiffVariant *variant, guint32 seed);
/* Sample I of a frame as a number. */
double fixture_sample (const VgImageInfo *info, const void *frame, gsize i);
/* Opens, or fails the test with the message. */
VgSource *fixture_open (const char *path, gboolean colour);
/* Opens and reads all frames; the error, or NULL when all went well. */
GError *fixture_read_all (const char *path, const VgSourceOptions *options);
/* An error's message is one line of text that has WHAT in it. */
void fixture_assert_message (const GError *error, const char *what);

G_END_DECLS
