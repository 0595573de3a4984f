/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
/* The frames of the simulated camera: laser speckle over tissue with vessels in which blood moves,
 * blurred as by the exposure, with shot noise and saturation.
 *
 * The speckle contrast of a pixel with the correlation time c is that of Lorentzian dynamics,
 * K² = (exp (-2x) - 1 + 2x) / (2x²) with x = exposure / c (R. Bandyopadhyay et al., Rev. Sci.
 * Instrum. 76, 093110, 2005, eq. 12). */
G_BEGIN_DECLS

enum { VG_SIMULATED_WIDTH = 1280, VG_SIMULATED_HEIGHT = 1024 }; /* of the sensor, px */

typedef struct
{
  int x, y, width, height; /* of the sensor that is read, px */
  int binning;             /* sensor pixels along each axis of a frame's pixel */
  int bits;                /* 8: VG_U8; else VG_U16 */
  double exposure_ms, gain_db, defocus_px;
  gboolean occluded; /* blood in the vessels stands still */
} VgSimulatedView;

typedef struct _VgSimulatedFrames VgSimulatedFrames;

VgSimulatedFrames *vg_simulated_frames_new (void);
void vg_simulated_frames_free (VgSimulatedFrames *self);
/* Size and type of the frames of VIEW. */
VgImageInfo vg_simulated_info (const VgSimulatedView *view);
/* Draws frame NUMBER, at TIME_S, into FRAME, of the size of vg_simulated_info.  FADED: how far an
 * occlusion has gone, from 0 to 1. */
void vg_simulated_frames_draw (VgSimulatedFrames *self, const VgSimulatedView *view, guint64 number,
                               double time_s, double faded, void *frame);

G_END_DECLS
