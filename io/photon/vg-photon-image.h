/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "io/photon/vg-photon-records.h"
/* One frame of a scan: the start and end of its lines, and the decays of its pixels. */
G_BEGIN_DECLS

typedef struct
{
  const VgPhotonHeader *header;
  guint64 *start, *stop; /* of each line, in laser pulses; equal for a missing line */
  guint detector;
  gint64 bins;
} VgPhotonImage;

void vg_photon_image_init (VgPhotonImage *self, const VgPhotonHeader *header, guint detector,
                           gint64 bins);
void vg_photon_image_clear (VgPhotonImage *self);
/* Adds the photons of the frame that begins at PLACE to PAGES: bins * height * width samples of
 * TYPE, VG_U16 or VG_U32.  A saturated sample does not overflow. */
void vg_photon_image_add (VgPhotonImage *self, VgPhotonRecords *records, const VgPhotonPlace *place,
                          VgType type, void *pages);

G_END_DECLS
