/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Reads the records of a photon stream in order, and follows the position in the scan that their
 * markers give. */
G_BEGIN_DECLS

/* The type of Becker & Hickl's records; the other types are the numbers in PicoQuant's files. */
#define VG_PHOTON_SPC 0xffff0001u

/* The properties of a file that a reader needs to make an image of decays from its records. */
typedef struct
{
  guint record_type;
  guint dropped_bits;   /* lowest bits of dtime that are dropped */
  gint64 data, records; /* offset of the records, bytes; their number */
  gint64 announced;     /* number of records by the header, if the file is cut short; else 0 */
  gboolean image;
  int width, height;
  guint pixel, line_start, line_stop, frame; /* marker bits; 0: no such marker */
  gboolean bidirectional;
  /* fraction of the amplitude that a sinusoidal scan uses; 0: a linear scan */
  double sine;
  double pixel_um, pixel_time_s;
  gint64 bins;                    /* time bins of a decay; 0: those of the laser period */
  double bin_s, period_s, tick_s; /* bin width, laser period, unit of VgPhotonEvent.time; 0: not in
                                     the file */
  char instrument[24];
} VgPhotonHeader;

enum {
  VG_PHOTON_DETECTORS = 64,
  VG_PHOTON_LATEST_LINE_S = 2, /* without a line for so long, a stream that grows is no scan */
};

typedef struct
{
  gboolean marker;
  guint markers;         /* bits */
  guint detector, dtime; /* of a photon: 0 to 63; time bins since the laser pulse */
  guint64 time;          /* laser pulses, or ticks of the clock, since the start of the recording */
} VgPhotonEvent;

/* A position in the records to which the reader can return. */
typedef struct
{
  gint64 record;
  guint64 overflow; /* of VgPhotonEvent.time, before the last overflow of its counter */
} VgPhotonPlace;

typedef struct
{
  int fd;
  const VgPhotonHeader *header;
  VgPhotonPlace place;    /* of the next record */
  gint64 held_from, held; /* records in the block */
  guint8 *block;
  guint64 gaps;    /* records that report lost photons, since _init or _seek */
  gboolean failed; /* a read failed, since _init or _check */
  int code;        /* its errno; 0: the file had become shorter */
} VgPhotonRecords;

gboolean vg_photon_records_known (guint record_type);
/* The number of time bins that a record can represent. */
guint vg_photon_records_bins (guint record_type);
void vg_photon_records_init (VgPhotonRecords *self, int fd, const VgPhotonHeader *header);
void vg_photon_records_clear (VgPhotonRecords *self);
void vg_photon_records_seek (VgPhotonRecords *self, const VgPhotonPlace *place);
/* Reads the next photon or marker, and its position into PLACE, which may be NULL.  FALSE: the file
 * has ended, or cannot be read, as vg_photon_records_check says. */
gboolean vg_photon_records_next (VgPhotonRecords *self, VgPhotonEvent *event, VgPhotonPlace *place);
/* FALSE and an error for the file NAME: a read failed since _init or the last check. */
gboolean vg_photon_records_check (VgPhotonRecords *self, const char *name, GError **error);
/* Sets the error for the file NAME, a read of which failed with errno CODE; 0: because the file has
 * become shorter. */
void vg_photon_refuse_read (const char *name, int code, GError **error);

typedef enum {
  VG_SCAN_LINE_END = 1,
  VG_SCAN_FRAME_BEGIN = 2, /* of a new frame */
  VG_SCAN_LINE_BEGIN = 4,
} VgScanBits;

/* The position in the scan, which follows the markers. */
typedef struct
{
  const VgPhotonHeader *header;
  gint64 line;   /* in the frame; -1 before the first line; may exceed the height */
  gboolean open; /* the line has not ended */
  gboolean due;  /* a line begins with the next pixel */
} VgPhotonScan;

void vg_photon_scan_init (VgPhotonScan *self, const VgPhotonHeader *header);
/* Whether a stream that grows and has had no line before TIME is no scan. */
gboolean vg_photon_is_late (const VgPhotonHeader *header, guint64 time);
/* FALSE and VG_IO_ERROR_LATER: the size of the image is known once NAME, a stream that grows, has a
 * MARKER, "line marker". */
gboolean vg_photon_wait_for (const char *name, const char *marker, GError **error);
/* The changes that a marker causes: VgScanBits, in the order in which they happen. */
guint vg_photon_scan_marker (VgPhotonScan *self, guint markers);

G_END_DECLS
