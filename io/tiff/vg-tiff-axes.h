/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-read-options.h"
/* The axes of a TIFF stack, as its ImageDescription gives them: OME-XML, ImageJ hyperstacks or
 * JSON. The text is not trusted: axes whose product is not the number of pages are ignored with a
 * note. */
G_BEGIN_DECLS

typedef enum { VG_TIFF_BIN, VG_TIFF_SLICE, VG_TIFF_FRAME, VG_TIFF_N_AXES } VgTiffAxis;

typedef struct
{
  gint64 size[VG_TIFF_N_AXES];   /* the product is the number of pages */
  gint64 stride[VG_TIFF_N_AXES]; /* pages from one step to the next */
  double pixel_size[3];          /* in pixel_unit; 0: not given */
  char pixel_unit[8];
  /* pixel_unit per unit of the resolution tags; 0: the text gives no unit for them */
  double resolution_scale;
  double frame_interval_s, exposure_ms;
  int significant_bits; /* 0: not given */
  /* number of pages according to the text, behind one directory or many; 0: not given */
  gint64 images;
  /* an axis of which one step is read: neither time bins nor slices nor frames */
  gint64 channels, channel_stride;
  gboolean described;  /* the axes come from the text */
  gboolean decay;      /* the bins are the time bins of a decay */
  double bin_width_ns; /* 0: not given */
  gboolean cut;        /* pages are missing at the end */
  /* each page gives its frame number and frame time: a recording of this program */
  gboolean stamped;
} VgTiffAxes;

/* Sets the axes of a file of PAGES pages with SAMPLES per pixel from DESCRIPTION, which may be
 * NULL. CUT: the file was cut short, so only its complete frames count.  Remarks are appended to
 * NOTES, one per line. */
void vg_tiff_axes_parse (VgTiffAxes *self, const char *description, gint64 pages, gboolean cut,
                         guint samples, GString *notes);
/* Frame number and frame time in seconds of a page of a recording; FALSE: it has none. */
gboolean vg_tiff_axes_stamp (const char *description, guint64 *frame, double *time_s);
/* Changes the meaning of the axes to that of READ_OPTIONS.  BINS: pages without a meaning are time
 * bins, and so is the time axis.  CHANNELS: one of the channels is read unless they are a decay. */
void vg_tiff_axes_choose (VgTiffAxes *self, const VgReadOptions *read_options, gboolean bins,
                          gboolean channels, GString *notes);
/* The length unit that TEXT names and the factor to it ("inch": "mm", 25.4); FALSE: none. */
gboolean vg_tiff_length_unit (const char *text, char unit[8], double *scale);

G_END_DECLS
