/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-formula.h"
#include "kernels/lifetime/plan/lifetime-irf.h"
#include "kernels/lifetime/plan/lifetime-settings.h"
/* What settings and data come to before a pixel is looked at: bins of the fit
 * range and of the gates, the weight of each bin in each sum, the instrument's
 * response.  One for both engines; plain host memory. */
G_BEGIN_DECLS

/* floats of a bin: VG_LIFETIME_N_WEIGHTS, and 1 where an event comes first */
enum { VG_LIFETIME_WEIGHT_STRIDE = 8 };

/* Before bin `bin` is added, the photons so far are sum `sum`. */
typedef struct
{
  int bin, sum;
} VgLifetimeEvent;

typedef struct
{
  int bins, start, end; /* of the window; of the fit range */
  double pixels;        /* of all slices */
  double h, period_ns;
  double said_width_ns, said_period_ns; /* by the data; 0: they do not say */
  gboolean assumed_width; /* neither the data nor the settings say how wide bins are */
  double *irf; /* `bins` values of sum 1, or NULL: the pulse as it would be recorded itself, so that
                  a decay is (1-r)/2 (c_j + c_{j-1}), c_j = r c_{j-1} + irf_j */
  VgLifetimePulse pulse; /* estimated from `seen`, unless that has no rise */
  gboolean have_pulse;
  double *seen, seen_period; /* the decay of the last estimate */
  double irf_mean;           /* bins from the window's start */
  /* what the shift was last fitted to, and what was found (lifetime-shift.h) */
  GBytes *shift_key;
  double shift_ns;
  gboolean lacks_shift;                         /* it was to be fitted, and the data do not rise */
  VgLifetimeEvent events[VG_LIFETIME_N_EVENTS]; /* by bin */
  float *weights;          /* bins x VG_LIFETIME_WEIGHT_STRIDE, from VG_LIFETIME_SUM_COS on */
  double *table;           /* of the centre of mass */
  gboolean table_changed;  /* by the last make */
  VgLifetimeFinish finish; /* its table is the host's */
  /* why nothing can be fitted with these settings; NULL: it can, or the method is no fit */
  char *problem;
  gboolean lacks_irf;            /* one is asked for, and these data show none */
  gboolean outside_irf;          /* there is one, and it lies outside the window */
  gboolean late_irf;             /* it has its peak behind the decay's */
  int irf_channel, irf_channels; /* of the measured one's file, from 1; 0: no choice */
  /* the share of the photons about the rise that come when no decay behind this response lets them;
   * NaN: no rise */
  double irf_misfit;
  /* the decay was looked at, and without a response the pulse turns phasors */
  gboolean raw_phasors;
  double pulse_ns; /* with raw phasors: when it comes */
  /* bins before its foot, where the decay was looked at and has enough of them; else 0, 0 */
  int before_first, before_end;
  /* counts in a bin of a pixel there, where the decay was looked at and shows some; else 0 */
  double before_pulse;
  /* and what of them is not left over from the pulse before, of the peak */
  double before_share;
} VgLifetimePlan;

/* DECAY: photons of all pixels by bin, or NULL when not needed; MEASURED: the
 * measured response or NULL.  TRUE: the sums are of other weights than
 * before and have to be made again. */
gboolean vg_lifetime_plan_make (VgLifetimePlan *self, const VgLifetimeParams *params,
                                const VgImageInfo *info, const double *decay,
                                const VgLifetimeCurve *measured);
void vg_lifetime_plan_clear (VgLifetimePlan *self);

/* Weights of N equidistant samples whose weighted sum is the integral, in steps:
 * Simpson's, with the 3/8 rule at the end of an even number. */
void vg_lifetime_simpson (double *weights, int n);

G_END_DECLS
