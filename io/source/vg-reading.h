/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
/* How a file is read where it does not say, or where it holds more than one
 * thing.  A table like an operation's, so that the command line, the session
 * and the window all offer the same settings with the same words.
 *
 * On its way through the program it is a text: the settings that differ from
 * the defaults as "channel=2 pages=bins", and the geometry of bare frames as
 * it is ("1392x1040:u16").  NULL and "" are the defaults. */
G_BEGIN_DECLS

/* What the pages of a stack are. */
typedef enum {
  VG_PAGES_FILE, /* as the file says */
  VG_PAGES_BINS,
  VG_PAGES_SLICES,
  VG_PAGES_FRAMES,
} VgPages;

typedef struct
{
  int channel;      /* from 1; 0: not chosen */
  int pages;        /* VgPages */
  int sum_frames;   /* frames of a scan that make one image; 0: all */
  int level;        /* of a picture in several resolutions; 0 is the finest */
  VgRegion *region; /* rectangle in pixels of level 0, owned; NULL: all of it */
  int unpack_gb;    /* most that a file in an archive may take unpacked */
  float pixel_um;   /* width and height of a pixel, of level 0 of a slide; 0: as the file says */
  float frame_interval_ms; /* from frame to frame; 0: as the file says */
  char *geometry;          /* owned; NULL: none; not in the table */
  /* VgSourceOptions.fullest on its way to the reader; not in the table, not in the text */
  gboolean fullest;
} VgReading;

/* Bits of VgImageInfo.readings: which settings a file has a use for. */
typedef enum {
  VG_READING_CHANNEL = 1 << 0,
  VG_READING_PAGES = 1 << 1,
  VG_READING_SUM_FRAMES = 1 << 2,
  VG_READING_LEVEL = 1 << 3,
  VG_READING_REGION = 1 << 4,
  VG_READING_UNPACK = 1 << 5,
  VG_READING_PIXEL = 1 << 6,
  VG_READING_FRAME_INTERVAL = 1 << 7,
} VgReadingBits;

extern const VgParamTable vg_reading_table; /* entry i is bit i */

void vg_reading_init (VgReading *self); /* the defaults */
void vg_reading_clear (VgReading *self);
/* Fills *SELF, whatever was in it; VG_USAGE_ERROR leaves the defaults. */
gboolean vg_reading_parse (VgReading *self, const char *text, GError **error);
gboolean vg_reading_is_default (const VgReading *self, const VgParam *param);
/* NULL when all is default. */
char *vg_reading_format (const VgReading *self);
/* TEXT with one setting changed; NULL when all is default then. */
char *vg_reading_set (const char *text, const VgParam *param, const char *value, GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgReading, vg_reading_clear)

G_END_DECLS
