/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "io/photon/vg-ptu-records.h"
/* One frame of a scan: the start and end of its lines, and the decays of its pixels. */
G_BEGIN_DECLS

typedef struct
{
  const VgPtuHeader *header;
  guint64 *start, *stop; /* of each line, in laser pulses; equal for a missing line */
  guint detector;
  gint64 bins;
} VgPtuImage;

void vg_ptu_image_init (VgPtuImage *self, const VgPtuHeader *header, guint detector, gint64 bins);
void vg_ptu_image_clear (VgPtuImage *self);
/* Adds the photons of the frame that begins at PLACE to PAGES: bins * height * width samples of
 * TYPE, VG_U16 or VG_U32.  A saturated sample does not overflow. */
void vg_ptu_image_add (VgPtuImage *self, VgPtuRecords *records, const VgPtuPlace *place,
                       VgType type, void *pages);

G_END_DECLS
