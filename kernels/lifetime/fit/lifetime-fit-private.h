/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/fit/lifetime-fit.h"
#include "kernels/base/vg-scalar.h"
G_BEGIN_DECLS

/* Whether the mean arrival time alone determines the lifetime: one free exponential without IRF
 * and offset, by least deviance. */
static inline gboolean
vg_lifetime_fit_is_sufficient (const VgLifetimeFit *self)
{
  return !self->stretched && self->terms == 1 && self->irf == NULL && !self->free_offset &&
         self->offset == 0.0f && !self->fixed[0] && self->estimator != VG_LIFETIME_NEYMAN;
}

/* The number of segments in a row of WIDTH pixels, and the first pixel of a segment.  Segments
 * differ in length by one pixel at most. */
VG_SCALAR gsize
vg_lifetime_segments (gsize width)
{
  return (width + 31) / 32;
}

VG_SCALAR gsize
vg_lifetime_segment_start (gsize width, gsize i)
{
  return width * i / vg_lifetime_segments (width);
}

G_END_DECLS
