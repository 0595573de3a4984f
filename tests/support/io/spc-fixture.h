/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Becker & Hickl's photon streams as SPCM writes them, with known counts. */
G_BEGIN_DECLS

enum { SPC_BINS = 256, SPC_CONVERTER_BINS = 4096 };

typedef struct
{
  int width, height, frames;
  gboolean no_pixels, no_frames; /* without their markers */
  gboolean end_frames;           /* frames have their marker at the end */
  guint detectors[2];            /* that see photons */
  int photons_per_line;
  guint pixel_ticks, back_ticks; /* length of a pixel, and of the way back to the next line */
  int gaps;                      /* records that report lost photons */
} SpcVariant;

/* Two frames of 7 x 5 pixels, which tests change. */
SpcVariant fixture_spc_variant (void);
/* The first record: a tick is TENTHS_NS times 0.1 ns. */
GByteArray *fixture_spc_header (guint tenths_ns);
/* Records at TIME; *LAST is the time of the record before. */
void fixture_spc_photon (GByteArray *bytes, guint64 *last, guint64 time, guint detector,
                         guint dtime);
void fixture_spc_marker (GByteArray *bytes, guint64 *last, guint64 time, guint markers);
/* Ticks of 2.5 ns.  *COUNTS: 2 detectors * frames * SPC_BINS * height * width. */
GByteArray *fixture_spc (const SpcVariant *variant, guint32 seed, guint32 **counts);
/* The settings beside a stream whose converter measures WINDOW_S. */
GByteArray *fixture_spc_settings (double window_s);

G_END_DECLS
