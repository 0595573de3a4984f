/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/base/vg-image.h"
/* Decays summed over pixels, and what is read off them: where the pulse and
 * the end of the data are, and the instrument's response. */
G_BEGIN_DECLS

/* Counts by bin; H: width of a bin, ns; 0: that of the data.  Owns its counts. */
typedef struct
{
  double *counts;
  int n;
  double h;
  int channel, channels; /* of its file, from 1; 0: no choice */
} VgLifetimeCurve;

void vg_lifetime_curve_clear (VgLifetimeCurve *self);

/* All pixels of IMAGE (a FILE parameter) added up, bins or pages in order;
 * FALSE: nothing to use. */
gboolean vg_lifetime_curve_load (VgLifetimeCurve *self, const VgImage *image, GError **error);

/* The tail of a decay of N bins: from where the rise is over to the last bin
 * that the electronics fill. */
void vg_lifetime_find_tail (const double *decay, int n, int *start, int *end);
enum { VG_LIFETIME_LEAST_BEFORE = 6 }; /* bins before the pulse, to say what is counted there */

int vg_lifetime_find_peak (const double *values, int n);
/* The first bin of the rise to PEAK that has more than LEAST; 0: it does not come up from less. */
int vg_lifetime_rise_from (const double *decay, int peak, double least);
/* The first bin of the rise to the peak that is a tenth of the way up from the least counts before
 * it; 0: the decay does not come up by half. */
int vg_lifetime_find_tenth (const double *decay, int n);
/* The mean counts of the bins before the pulse, [*FIRST, *END), between those that the electronics
 * leave empty and its foot; all 0: too few. */
double vg_lifetime_find_foot (const double *decay, int n, int *first, int *end);
/* The bin in which the pulse begins to rise from its foot; 0 when it lies before the window. */
int vg_lifetime_find_rise (const double *decay, int n);

/* Roughly the lifetime of the tail, in bins; 0: it does not fall. */
double vg_lifetime_tail_lifetime (const double *decay, int n);

/* A pulse of Gaussian width SIGMA at CENTRE with an exponential TAIL behind it, all in bins. */
typedef struct
{
  double centre, sigma, tail;
} VgLifetimePulse;

/* Finds the pulse in a decay of N bins with up to two lifetimes and a background; PERIOD of the
 * laser in bins. FALSE: the decay does not rise within the window. */
gboolean vg_lifetime_pulse_estimate (VgLifetimePulse *self, const double *decay, int n,
                                     double period);
/* Its share in each of N bins, SHIFT bins later. */
void vg_lifetime_pulse_bins (const VgLifetimePulse *self, double shift, int n, double *bins);

/* The response in N bins of H ns, of sum 1, newly allocated; *MEAN: its mean
 * time in bins.  DECAY: of the data (not for MEASURED, ESTIMATED); MEASURED: the curve of
 * the file or region; PULSE: what was estimated, or NULL; a Gaussian
 * is put at its mean time, which knows of two lifetimes, else at that of the rising edge.  NULL:
 * there is none in these data. */
double *vg_lifetime_irf_new (const VgLifetimeParams *params, const double *decay, int n, double h,
                             const VgLifetimeCurve *measured, const VgLifetimePulse *pulse,
                             double *mean);

G_END_DECLS
