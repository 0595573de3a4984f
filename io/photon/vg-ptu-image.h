/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "io/photon/vg-ptu-records.h"
/* One frame of a scan: when each of its lines began and ended, and its
 * photons as histograms. */
G_BEGIN_DECLS

typedef struct
{
  const VgPtuHeader *header;
  guint64 *start, *stop; /* per line, in laser pulses; equal: no such line */
  guint detector;
  gint64 bins;
} VgPtuImage;

void vg_ptu_image_init (VgPtuImage *self, const VgPtuHeader *header, guint detector, gint64 bins);
void vg_ptu_image_clear (VgPtuImage *self);
/* Adds the photons of the frame that begins at PLACE to PAGES, bins * height *
 * width samples of TYPE (u16 or u32); a full sample stays full. */
void vg_ptu_image_add (VgPtuImage *self, VgPtuRecords *records, const VgPtuPlace *place,
                       VgType type, void *pages);

G_END_DECLS
