/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
/* Read options: how a file is read that lacks metadata or holds more than one image.  They are a
 * table of parameters, so that the command line, the session and the window offer the same options
 * with the same words.
 *
 * The program passes them on as text: "channel=2 pages=bins" for the options that differ from their
 * defaults, "series=1.2.840.113619.2.5" for a series by its UID, "segment=2" or "segment=Portal
 * vein" for a segment of a DICOM segmentation, "sample=grid" for one of the samples of synthetic
 * data, and the geometry of raw frames as it is ("1392x1040:u16").  NULL and "" mean the defaults.
 */
G_BEGIN_DECLS

/* The meaning of the pages of a stack. */
typedef enum {
  VG_PAGES_FILE, /* the meaning that the file states */
  VG_PAGES_BINS,
  VG_PAGES_SLICES,
  VG_PAGES_FRAMES,
} VgPages;

typedef struct
{
  int channel;    /* from 1; 0: the user chose none */
  int pages;      /* VgPages */
  int sum_frames; /* scans of a photon stream that are summed to one image; 0: all */
  int level;      /* of a whole slide; 0 is the finest */
  VgRegion
      *region;    /* slide region, a rectangle in pixels of level 0, owned; NULL: the whole slide */
  int unpack_gb;  /* size limit of a file unpacked from an archive, GB */
  float pixel_um; /* width and height of a pixel, of level 0 of a slide, µm; 0: as in the file */
  float frame_interval_ms; /* 0: as in the file */
  int series;              /* of DICOM files, in the order of their list; 0: the default */
  /* not in the table, owned */
  char *geometry;   /* of raw frames; NULL: none */
  char *sample;     /* of synthetic data (VgSample.id); NULL: the first */
  char *series_uid; /* of a DICOM series, in place of its number; NULL: none */
  char *segment;    /* number or label of one in a DICOM segmentation; NULL: none */
} VgReadOptions;

/* Bits of VgImageInfo.readings: the options that a file has a use for. */
typedef enum {
  VG_READ_OPTIONS_CHANNEL = 1 << 0,
  VG_READ_OPTIONS_PAGES = 1 << 1,
  VG_READ_OPTIONS_SUM_FRAMES = 1 << 2,
  VG_READ_OPTIONS_LEVEL = 1 << 3,
  VG_READ_OPTIONS_REGION = 1 << 4,
  VG_READ_OPTIONS_UNPACK = 1 << 5,
  VG_READ_OPTIONS_PIXEL = 1 << 6,
  VG_READ_OPTIONS_FRAME_INTERVAL = 1 << 7,
  VG_READ_OPTIONS_SERIES = 1 << 8,
} VgReadOptionsBits;

extern const VgParamTable vg_read_options_table; /* entry i belongs to bit i */

void vg_read_options_init (VgReadOptions *self); /* the defaults */
void vg_read_options_clear (VgReadOptions *self);
/* Initialises SELF from TEXT; after VG_USAGE_ERROR SELF has the defaults. */
gboolean vg_read_options_parse (VgReadOptions *self, const char *text, GError **error);
gboolean vg_read_options_is_default (const VgReadOptions *self, const VgParam *param);
/* Sets the UID of a series; FALSE and VG_USAGE_ERROR: it is not a UID. */
gboolean vg_read_options_set_uid (VgReadOptions *self, const char *uid, GError **error);
/* SELF as text, owned; NULL: all options have their defaults. */
char *vg_read_options_format (const VgReadOptions *self);
/* TEXT with PARAM set to VALUE, owned; NULL: an error, or all options have their defaults. */
char *vg_read_options_set (const char *text, const VgParam *param, const char *value,
                           GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgReadOptions, vg_read_options_clear)

G_END_DECLS
