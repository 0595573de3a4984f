/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/lifetime/model/lifetime-formula.h"
#include "kernels/lifetime/plan/lifetime-irf.h"
#include "kernels/lifetime/plan/lifetime-settings.h"
/* The quantities that follow from settings and data before any pixel is computed: bins of the fit
 * range and of the gates, the weight of each bin in each sum, the IRF.  Both engines use it; it
 * is in host memory. */
G_BEGIN_DECLS

/* Floats of a bin: VG_LIFETIME_N_WEIGHTS weights, then 1 if an event precedes the bin. */
enum { VG_LIFETIME_WEIGHT_STRIDE = 8 };

/* Before bin `bin` is added, sum `sum` is set to the photons so far. */
typedef struct
{
  int bin, sum;
} VgLifetimeEvent;

typedef struct
{
  int bins, start, end; /* bins of the time window; first bin and end of the fit range */
  double pixels;        /* of all slices */
  double h, period_ns;
  double file_width_ns, file_period_ns; /* from the metadata; 0: not given */
  gboolean assumed_width; /* Neither the metadata nor the settings give the bin width. */
  /* `bins` values with a sum of 1, or NULL.  It is the pulse as it would be recorded itself, so
   * that a decay is (1-r)/2 (c_j + c_{j-1}) with c_j = r c_{j-1} + irf_j. */
  double *irf;
  VgLifetimePulse pulse; /* estimated from `seen`, valid if `have_pulse` */
  gboolean have_pulse;
  double *seen, seen_period; /* the decay of the last estimate, and its laser period */
  double irf_mean;           /* in bins from the start of the window */
  /* The input of the last fit of the shift, and its result (lifetime-shift.h). */
  GBytes *shift_key;
  double shift_ns;
  /* The shift could not be fitted because the data do not rise. */
  gboolean lacks_shift;
  VgLifetimeEvent events[VG_LIFETIME_N_EVENTS]; /* in the order of their bins */
  float *weights;          /* bins x VG_LIFETIME_WEIGHT_STRIDE, the first for VG_LIFETIME_SUM_COS */
  double *table;           /* for the centre of mass */
  gboolean table_changed;  /* by the last vg_lifetime_plan_make */
  VgLifetimeFinish finish; /* its table is in host memory */
  /* Why a fit with these settings is impossible; NULL if it is possible or the method is not a
   * fit. */
  char *problem;
  gboolean lacks_irf;   /* An IRF was requested, but these data contain none. */
  gboolean outside_irf; /* The IRF lies outside the time window. */
  gboolean late_irf;    /* The IRF peaks after the decay. */
  int irf_bins;         /* of the measured IRF, if it has no bin width of its own; else 0 */
  int irf_channel, irf_channels; /* channel of the measured IRF's file, 1-based; 0: no channels */
  /* The fraction of the photons near the pulse onset that no decay with this IRF explains; NaN:
   * no onset. */
  double irf_unexplained;
  /* There is no IRF, and the time of the pulse rotates the phasors. */
  gboolean raw_phasors;
  double pulse_ns; /* the time of the pulse if raw_phasors */
  /* The bins before the foot of the rise; 0, 0 if they are too few or were not inspected. */
  int before_first, before_end;
  /* The counts per bin and pixel there; 0 if the decay was not inspected. */
  double before_pulse;
  /* The part of them that previous pulses do not explain, as a fraction of the peak. */
  double before_share;
} VgLifetimePlan;

/* Computes the plan.  DECAY: photons of all pixels in each bin, or NULL if
 * vg_lifetime_plan_needs_decay is FALSE.  MEASURED: the measured IRF, or NULL.  Returns TRUE if
 * the weights changed, so that the sums must be computed again. */
gboolean vg_lifetime_plan_make (VgLifetimePlan *self, const VgLifetimeParams *params,
                                const VgImageInfo *info, const double *decay,
                                const VgLifetimeCurve *measured);
void vg_lifetime_plan_clear (VgLifetimePlan *self);

G_END_DECLS
