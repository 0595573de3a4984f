/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/photon/vg-ptu-header.h"
/* The T3 records of a .ptu file, one after the other, and what their markers
 * mean for the scan. */
G_BEGIN_DECLS

enum { VG_PTU_DETECTORS = 64 };

typedef struct
{
  gboolean marker;
  guint markers;         /* bits */
  guint detector, dtime; /* of a photon: 0..63, and bins since the laser pulse */
  guint64 time;          /* laser pulses since the start */
} VgPtuEvent;

/* A place in the stream to come back to. */
typedef struct
{
  gint64 record;
  guint64 overflow; /* pulses before the counter in the records */
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
/* The largest time since the pulse that a record can carry, plus 1. */
guint vg_ptu_records_bins (guint record_type);
void vg_ptu_records_init (VgPtuRecords *self, int fd, const VgPtuHeader *header);
void vg_ptu_records_clear (VgPtuRecords *self);
void vg_ptu_records_seek (VgPtuRecords *self, const VgPtuPlace *place);
/* The next photon or marker; *PLACE, if not NULL, is where it was.  FALSE: the end. */
gboolean vg_ptu_records_next (VgPtuRecords *self, VgPtuEvent *event, VgPtuPlace *place);

typedef enum {
  VG_PTU_LINE_END = 1,
  VG_PTU_FRAME_BEGIN = 2, /* another one than before */
  VG_PTU_LINE_BEGIN = 4,
} VgPtuScanBits;

/* Where in the scan: follows the markers of one frame or many. */
typedef struct
{
  const VgPtuHeader *header;
  gint64 line;   /* of the frame; -1: before its first.  May go beyond the height */
  gboolean open; /* inside a line */
} VgPtuScan;

void vg_ptu_scan_init (VgPtuScan *self, const VgPtuHeader *header);
/* What a marker changed: VgPtuScanBits, in the order of the bits. */
guint vg_ptu_scan_marker (VgPtuScan *self, guint markers);

G_END_DECLS
