/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/base/vg-scalar.h"
/* The sums of a pixel and the constants that convert them to values, for gcc and nvcc
 * (docs/lifetime.md).
 *
 * Bins have width h, N_j is the photons in bin j of the n bins of the fit range, and r = exp (-h
 * / tau).  A pixel's sums are linear in its decay, so pixel binning and background subtraction
 * can follow.  Wu, Nowotny, Chen and Li, J. Biomed. Opt. 21, 017001 (2016); docs/lifetime.md
 * describes the differences. */

#define VG_LIFETIME_NAN (__builtin_nanf (""))

/* The planes of sums.  The first ones are photons before a bin: bins are added in order, and the
 * sum so far is stored at each event's bin. */
enum {
  VG_LIFETIME_SUM_TOTAL,     /* all bins of the window */
  VG_LIFETIME_SUM_TO_START,  /* before the fit range */
  VG_LIFETIME_SUM_TO_SECOND, /* before its second bin */
  VG_LIFETIME_SUM_TO_END,    /* before its end */
  VG_LIFETIME_SUM_IEM_FIRST, /* before the second gate of the integral */
  VG_LIFETIME_SUM_IEM_LAST,  /* before its last gate */
  VG_LIFETIME_SUM_IEM_END,   /* before the end of its last gate */
  VG_LIFETIME_SUM_GATE_1,    /* before the end of each gate of the rapid determination */
  VG_LIFETIME_SUM_GATE_2,
  VG_LIFETIME_SUM_GATE_3,
  VG_LIFETIME_N_EVENTS,
  /* Sums weighted by bin. */
  VG_LIFETIME_SUM_COS = VG_LIFETIME_N_EVENTS,
  VG_LIFETIME_SUM_SIN,
  VG_LIFETIME_SUM_TIME, /* j, in bins from the start of the range */
  VG_LIFETIME_SUM_IEM,  /* Simpson weights of the gates */
  VG_LIFETIME_SUM_B0,   /* Simpson weights C_j, C_j j, C_j j^2 / 2 of the bins */
  VG_LIFETIME_SUM_B1,
  VG_LIFETIME_SUM_B2,
  VG_LIFETIME_SUM_BAD, /* 1 if a sample is saturated, else 0 */
  VG_LIFETIME_N_SUMS,
  VG_LIFETIME_N_WEIGHTS = VG_LIFETIME_SUM_BAD - VG_LIFETIME_N_EVENTS,
};

/* Nodes of the table that inverts the centre of mass. */
enum { VG_LIFETIME_CMM_CELLS = 1024 };

/* The constants that convert a pixel's sums to values; the plan computes them once per frame. */
typedef struct
{
  VgLifetimeParams params;
  int width, height;
  int bins;                        /* of the fit range */
  double h;                        /* bin width, ns */
  double omega;                    /* 2 pi harmonic / period, 1/ns */
  gboolean calibrated;             /* There is an IRF. */
  gboolean irf;                    /* The IRF lies in the fit range. */
  double irf_g, irf_s;             /* phasor of the IRF; 1, 0 without one */
  double origin;                   /* if `irf`: its mean time in bins from the start of the range */
  int iem_gate, rld_gate;          /* widths of the gates, bins */
  double background;               /* counts per bin and pixel */
  double ones[VG_LIFETIME_N_SUMS]; /* the sums of a decay with 1 count in each bin */
  const double *table;             /* VG_LIFETIME_CMM_CELLS + 1 */
  /* filtered phasors of all pixels, G then S; NULL: compute them from the sums */
  const float *phasor;
} VgLifetimeFinish;

typedef enum {
  VG_LIFETIME_FITTED,
  VG_LIFETIME_DARK,
  VG_LIFETIME_SATURATED,
  VG_LIFETIME_FAILED,
  VG_LIFETIME_N_STATUS
} VgLifetimeStatus;

/* The result in one pixel. */
typedef struct
{
  double lifetime, lifetime_1, lifetime_2, fraction;
} VgLifetimeValue;

VG_SCALAR int
vg_lifetime_is_biexponential (int method)
{
  return method == VG_LIFETIME_PHASOR_TWO || method == VG_LIFETIME_BCMM;
}

/* The number of pixels that are binned into pixel (x, y). */
VG_SCALAR int
vg_lifetime_window_pixels (int x, int y, int width, int height, int binning)
{
  int x0 = x > binning ? x - binning : 0, x1 = x + binning < width ? x + binning : width - 1;
  int y0 = y > binning ? y - binning : 0, y1 = y + binning < height ? y + binning : height - 1;

  return (x1 - x0 + 1) * (y1 - y0 + 1);
}
