/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-read-options.h"
/* What an ImageDescription says of the pages behind it: OME-XML, ImageJ
 * hyperstacks, or JSON.  Nothing in it is trusted: axes that do not account
 * for the pages at hand are dropped with a note. */
G_BEGIN_DECLS

typedef enum { VG_TIFF_BIN, VG_TIFF_SLICE, VG_TIFF_FRAME, VG_TIFF_N_AXES } VgTiffAxis;

typedef struct
{
  gint64 size[VG_TIFF_N_AXES];   /* the product is the number of pages */
  gint64 stride[VG_TIFF_N_AXES]; /* pages of the file from one to the next */
  double pixel_size[3];          /* 0: not said */
  char pixel_unit[8];
  /* pixel_unit per unit of the resolution tags, where the text gives their unit; else 0 */
  double resolution_scale;
  double frame_interval_s, exposure_ms;
  int significant_bits; /* 0: not said */
  /* pages that are said to be there, behind one directory or many; 0: not said */
  gint64 images;
  /* to choose from: an axis that is neither bins nor slices nor frames */
  gint64 channels, channel_stride;
  gboolean described;  /* the text named axes that are taken over */
  gboolean decay;      /* the bins are a decay's, by the file's word */
  double bin_width_ns; /* 0: not said */
  gboolean cut;        /* pages are missing at the end */
  /* every page says which frame it is and when it was taken: a recording of this program */
  gboolean stamped;
} VgTiffAxes;

/* PAGES with SAMPLES per pixel each; CUT: there were more, and the frames that are whole are
 * counted.  Lines of remarks go to NOTES. */
void vg_tiff_axes_parse (VgTiffAxes *self, const char *description, gint64 pages, gboolean cut,
                         guint samples, GString *notes);
/* What a page of a recording says of itself; FALSE: nothing. */
gboolean vg_tiff_axes_stamp (const char *description, guint64 *frame, double *time_s);
/* Turns the axes as READING says; BINS: pages that the file says nothing
 * about are time bins, and where the file names axes its time axis is.
 * CHANNELS: what the file calls channels, and does not call a decay, is chosen from. */
void vg_tiff_axes_choose (VgTiffAxes *self, const VgReadOptions *read_options, gboolean bins,
                          gboolean channels, GString *notes);
/* The short name of a unit of length and what it is multiplied by; FALSE: not one. */
gboolean vg_tiff_length_unit (const char *text, char unit[8], double *scale);

G_END_DECLS
