/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* Lifetime files as their instruments write them, with counts that are known.
 * Bytes are little endian whatever the machine. */
G_BEGIN_DECLS

void fixture_put (GByteArray *bytes, gsize at, guint64 value, gsize size);
void fixture_put_float (GByteArray *bytes, gsize at, float value);
void fixture_add (GByteArray *bytes, guint64 value, gsize size);
/* The bytes as a file, without waiting for the disk. */
void fixture_write (const char *path, const GByteArray *bytes);
/* Opens and reads BYTES as the file PATH, N times with one byte changed at random: every other time
 * one of the first HEAD bytes.  READ_OPTIONS apply every other time, too.  A file that is refused
 * gives a proper message; one that is opened can be read if it is READABLE, else there may be a
 * message. */
void fixture_mutate (const char *path, GByteArray *bytes, gsize head, const char *read_options,
                     gboolean readable, int n);

/* --- Becker & Hickl .sdt --- */

typedef enum { SDT_PLAIN, SDT_DEFLATED, SDT_STORED } SdtPacking;

typedef struct
{
  guint revision;           /* of the format, the low four bits */
  guint description_length; /* 203, 512, ... */
  guint content, type;      /* bits 4 to 7, and 8 to 11, of the block's type */
  SdtPacking packing;
  const char *entry; /* name in the block's archive */
  int blocks;
  int scan[4], image[4]; /* x, y, rx, ry in the description */
  int stored[2];         /* the size that is written, x and y */
  int routed;            /* channels in a block */
  int bins;
  float tac_range_s;
  int tac_gain;
  float sync_rate;
} SdtVariant;

/* One block of 7 x 5 pixels with 64 bins: the base that tests change. */
SdtVariant fixture_sdt_variant (void);
/* *VALUES: blocks * routed * y * x * bins counts, as stored. */
GByteArray *fixture_sdt (const SdtVariant *variant, guint32 seed, double **values);

/* --- PicoQuant .ptu --- */

typedef enum { PTU_FRAME_FIRST, PTU_FRAME_LAST, PTU_FRAME_NONE } PtuFrames;

typedef struct
{
  guint record_type;
  int width, height, frames;
  PtuFrames markers; /* where the frame's marker stands */
  gboolean bidirectional, no_last_stop, no_stops;
  int extra_lines;    /* after the frame's last */
  guint detectors[2]; /* that see photons */
  double bin_s, period_s;
  int photons_per_line;
  guint line_syncs; /* laser pulses in a line */
} PtuVariant;

PtuVariant fixture_ptu_variant (guint record_type);
/* Header with the tags of a scan, without Header_End. */
GByteArray *fixture_ptu_header (const PtuVariant *variant);
void fixture_ptu_tag (GByteArray *bytes, const char *id, guint type, guint64 value);
void fixture_ptu_real (GByteArray *bytes, const char *id, double value);
/* A record at TIME; *OVERFLOW is where the counter stands. */
void fixture_ptu_photon (GByteArray *bytes, guint record_type, guint64 *overflow, guint64 time,
                         guint detector, guint dtime);
void fixture_ptu_marker (GByteArray *bytes, guint record_type, guint64 *overflow, guint64 time,
                         guint markers);
/* *COUNTS: 2 detectors * frames * bins * height * width. */
GByteArray *fixture_ptu (const PtuVariant *variant, guint32 seed, guint32 **counts);
int fixture_ptu_bins (const PtuVariant *variant);

/* --- others --- */

/* PicoQuant .bin with counts (x, y, bin) = their place modulo 251. */
GByteArray *fixture_pqbin (int width, int height, int bins, float bin_ns);
/* A ZIP archive of files (name, bytes, ..., NULL), deflated or stored. */
GByteArray *fixture_zip (gboolean deflated, ...) G_GNUC_NULL_TERMINATED;
/* Raw deflate of bytes. */
GByteArray *fixture_deflate (const guint8 *bytes, gsize length);

G_END_DECLS
