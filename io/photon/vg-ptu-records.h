/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/photon/vg-ptu-header.h"
/* The T3 records of a .ptu file in their order, and the position in the scan that their markers
 * give. */
G_BEGIN_DECLS

enum { VG_PTU_DETECTORS = 64 };

typedef struct
{
  gboolean marker;
  guint markers;         /* bits */
  guint detector, dtime; /* of a photon: 0 to 63; time bins since the laser pulse */
  guint64 time;          /* laser pulses since the start of the recording */
} VgPtuEvent;

/* A position in the records to which the reader can return. */
typedef struct
{
  gint64 record;
  guint64 overflow; /* laser pulses counted before the last overflow of the pulse counter */
} VgPtuPlace;

typedef struct
{
  int fd;
  const VgPtuHeader *header;
  VgPtuPlace place;       /* of the next record */
  gint64 held_from, held; /* records in the block */
  guint8 *block;
} VgPtuRecords;

gboolean vg_ptu_records_known (guint record_type);
/* The number of time bins that a record can represent. */
guint vg_ptu_records_bins (guint record_type);
void vg_ptu_records_init (VgPtuRecords *self, int fd, const VgPtuHeader *header);
void vg_ptu_records_clear (VgPtuRecords *self);
void vg_ptu_records_seek (VgPtuRecords *self, const VgPtuPlace *place);
/* Reads the next photon or marker, and its position into PLACE, which may be NULL.  FALSE: the file
 * has ended. */
gboolean vg_ptu_records_next (VgPtuRecords *self, VgPtuEvent *event, VgPtuPlace *place);

typedef enum {
  VG_PTU_LINE_END = 1,
  VG_PTU_FRAME_BEGIN = 2, /* of a new frame */
  VG_PTU_LINE_BEGIN = 4,
} VgPtuScanBits;

/* The position in the scan, which follows the markers. */
typedef struct
{
  const VgPtuHeader *header;
  gint64 line;   /* in the frame; -1 before the first line; may exceed the height */
  gboolean open; /* the line has not ended */
} VgPtuScan;

void vg_ptu_scan_init (VgPtuScan *self, const VgPtuHeader *header);
/* The changes that a marker causes: VgPtuScanBits, which happen in the order of the bits. */
guint vg_ptu_scan_marker (VgPtuScan *self, guint markers);

G_END_DECLS
