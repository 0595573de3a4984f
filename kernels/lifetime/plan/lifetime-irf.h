/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/base/vg-image.h"
/* Decays summed over pixels and their properties: pulse onset, tail, and the instrument response
 * function (IRF). */
G_BEGIN_DECLS

/* Counts in N time bins of H ns; 0: the bin width of the data.  Owns its counts. */
typedef struct
{
  double *counts;
  int n;
  double h;
  int channel, channels; /* of its file, 1-based; 0: the file has no channels */
} VgLifetimeCurve;

void vg_lifetime_curve_clear (VgLifetimeCurve *self);

/* Sums all pixels of IMAGE, a file parameter, in each time bin or page.  Returns FALSE with an
 * error if there are no counts. */
gboolean vg_lifetime_curve_load (VgLifetimeCurve *self, const VgImage *image, GError **error);

/* The tail of a decay of N bins, [*START, *END): from the end of the rise to the last bin that
 * the electronics fill. */
void vg_lifetime_find_tail (const double *decay, int n, int *start, int *end);
/* Bins before the pulse that are needed to measure the background there. */
enum { VG_LIFETIME_MIN_BEFORE = 6 };

int vg_lifetime_find_peak (const double *values, int n);
/* a tenth of the smallest value for many counts, a hundredth for few */
int vg_lifetime_rise_from (const double *decay, int peak, double least);
/* The first bin of the rise to the peak above a tenth of the way from the fewest counts before
 * it; 0 if the decay rises by less than half. */
int vg_lifetime_find_tenth (const double *decay, int n);
/* The mean counts of the bins before the pulse, [*FIRST, *END), from the first bin that the
 * electronics fill to the foot of the rise; 0 in all three if there are too few bins. */
double vg_lifetime_find_foot (const double *decay, int n, int *first, int *end);
/* The pulse onset: the bin in which the decay begins to rise; 0 if it lies before the window. */
int vg_lifetime_find_onset (const double *decay, int n);

/* An estimate of the lifetime of the tail, in bins; 0 if the tail does not fall. */
double vg_lifetime_tail_lifetime (const double *decay, int n);

/* A Gaussian pulse of width SIGMA at CENTRE, convolved with an exponential TAIL; all in bins. */
typedef struct
{
  double centre, sigma, tail;
} VgLifetimePulse;

/* Estimates the pulse from a decay of N bins with up to two lifetimes and a background.  PERIOD
 * is the laser period in bins.  Returns FALSE if the decay does not rise within the window. */
gboolean vg_lifetime_pulse_estimate (VgLifetimePulse *self, const double *decay, int n,
                                     double period);
/* The pulse's fraction in each of N bins, delayed by SHIFT bins. */
void vg_lifetime_pulse_bins (const VgLifetimePulse *self, double shift, int n, double *bins);

/* The IRF in N bins of H ns, with a sum of 1, newly allocated; *MEAN is its mean time in bins.
 * DECAY: the decay of the data, not used for MEASURED and ESTIMATED.  MEASURED: the curve of the
 * file or region.  PULSE: the estimated pulse, or NULL; a Gaussian is placed at its mean time, or
 * at the rising edge without it.  Returns NULL if the data contain no IRF. */
double *vg_lifetime_irf_new (const VgLifetimeParams *params, const double *decay, int n, double h,
                             const VgLifetimeCurve *measured, const VgLifetimePulse *pulse,
                             double *mean);

G_END_DECLS
