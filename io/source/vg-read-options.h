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
} VgReadOptions;

/* Bits of VgImageInfo.readings: which settings a file has a use for. */
typedef enum {
  VG_READ_OPTIONS_CHANNEL = 1 << 0,
  VG_READ_OPTIONS_PAGES = 1 << 1,
  VG_READ_OPTIONS_SUM_FRAMES = 1 << 2,
  VG_READ_OPTIONS_LEVEL = 1 << 3,
  VG_READ_OPTIONS_REGION = 1 << 4,
  VG_READ_OPTIONS_UNPACK = 1 << 5,
  VG_READ_OPTIONS_PIXEL = 1 << 6,
  VG_READ_OPTIONS_FRAME_INTERVAL = 1 << 7,
} VgReadOptionsBits;

extern const VgParamTable vg_read_options_table; /* entry i is bit i */

void vg_read_options_init (VgReadOptions *self); /* the defaults */
void vg_read_options_clear (VgReadOptions *self);
/* Fills *SELF, whatever was in it; VG_USAGE_ERROR leaves the defaults. */
gboolean vg_read_options_parse (VgReadOptions *self, const char *text, GError **error);
gboolean vg_read_options_is_default (const VgReadOptions *self, const VgParam *param);
/* NULL when all is default. */
char *vg_read_options_format (const VgReadOptions *self);
/* TEXT with one setting changed; NULL when all is default then. */
char *vg_read_options_set (const char *text, const VgParam *param, const char *value,
                           GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgReadOptions, vg_read_options_clear)

G_END_DECLS
