/* SPDX-License-Identifier: MIT */
#pragma once
#include <math.h>
#include "kernels/lifetime/model/lifetime-params.h"
#include "kernels/base/vg-scalar.h"
/* What lifetimes are found from: a pixel's sums and what turns them into values, for gcc
 * and nvcc alike (docs/lifetime.md).
 *
 * Bins of width h, N_j photons in bin j of the n bins of the fit range, r =
 * exp (-h / tau).  A pixel's sums are linear in its histogram, so they are
 * binned over pixels and freed of a constant background after they are made.
 * Wu, Nowotny, Chen and Li, J. Biomed. Opt. 21, 017001 (2016), and docs/lifetime.md
 * for what is exact where the paper is not. */

#define VG_LIFETIME_NAN (__builtin_nanf (""))

/* The planes of sums.  First photons before a bin: bins are added one after the
 * other and what has come together at an event's bin is stored. */
enum {
  VG_LIFETIME_SUM_TOTAL,     /* all bins of the window */
  VG_LIFETIME_SUM_TO_START,  /* before the fit range */
  VG_LIFETIME_SUM_TO_SECOND, /* before its second bin */
  VG_LIFETIME_SUM_TO_END,    /* before its end */
  VG_LIFETIME_SUM_IEM_FIRST, /* before the second gate of the integral */
  VG_LIFETIME_SUM_IEM_LAST,  /* before its last gate */
  VG_LIFETIME_SUM_IEM_END,   /* before the end of its last gate */
  VG_LIFETIME_SUM_GATE_1,    /* before the end of each gate of RLD */
  VG_LIFETIME_SUM_GATE_2,
  VG_LIFETIME_SUM_GATE_3,
  VG_LIFETIME_N_EVENTS,
  /* weighted by bin */
  VG_LIFETIME_SUM_COS = VG_LIFETIME_N_EVENTS,
  VG_LIFETIME_SUM_SIN,
  VG_LIFETIME_SUM_TIME, /* j, in bins from the start of the range */
  VG_LIFETIME_SUM_IEM,  /* Simpson weights of the gates */
  VG_LIFETIME_SUM_B0,   /* Simpson weights C_j, C_j j, C_j j^2 / 2 of the bins */
  VG_LIFETIME_SUM_B1,
  VG_LIFETIME_SUM_B2,
  VG_LIFETIME_SUM_BAD, /* 1: a saturated sample, else 0 */
  VG_LIFETIME_N_SUMS,
  VG_LIFETIME_N_WEIGHTS = VG_LIFETIME_SUM_BAD - VG_LIFETIME_N_EVENTS,
};

/* Nodes of the table that inverts the centre of mass. */
enum { VG_LIFETIME_CMM_CELLS = 1024 };

/* All that turns a pixel's sums into values; made once per frame by the plan. */
typedef struct
{
  VgLifetimeParams params;
  int width, height;
  int bins;               /* of the fit range */
  double h;               /* bin width, ns */
  double omega;           /* 2 pi harmonic / period, 1/ns */
  gboolean calibrated;    /* there is a response */
  gboolean irf;           /* and it lies in the fit range */
  double irf_g, irf_s;    /* its phasor; without one: 1, 0 */
  double origin;          /* with `irf`: its mean time in bins from the start of the range */
  int iem_gate, rld_gate; /* bins */
  double background;      /* counts in a bin of a pixel */
  double ones[VG_LIFETIME_N_SUMS]; /* the sums of a histogram of ones */
  const double *table;             /* VG_LIFETIME_CMM_CELLS + 1 */
  const float *phasor;             /* of every pixel, filtered: G, then S; NULL: from the sums */
} VgLifetimeFinish;

typedef enum {
  VG_LIFETIME_FITTED,
  VG_LIFETIME_DARK,
  VG_LIFETIME_SATURATED,
  VG_LIFETIME_FAILED,
  VG_LIFETIME_N_STATUS
} VgLifetimeStatus;

/* What a pixel's decay is found to be. */
typedef struct
{
  double lifetime, lifetime_1, lifetime_2, fraction;
} VgLifetimeValue;

VG_SCALAR int
vg_lifetime_is_bi (int method)
{
  return method == VG_LIFETIME_PHASOR_BI || method == VG_LIFETIME_BCMM;
}

/* Pixels added into pixel (x, y). */
VG_SCALAR int
vg_lifetime_window_pixels (int x, int y, int width, int height, int binning)
{
  int x0 = x > binning ? x - binning : 0, x1 = x + binning < width ? x + binning : width - 1;
  int y0 = y > binning ? y - binning : 0, y1 = y + binning < height ? y + binning : height - 1;

  return (x1 - x0 + 1) * (y1 - y0 + 1);
}
