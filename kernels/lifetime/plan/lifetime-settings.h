/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-image.h"
#include "kernels/lifetime/model/lifetime-params.h"
/* What the settings mean before the data are inspected: the outputs of each fit, the parts of a
 * decay that each method uses, the bin width and the laser period. */
G_BEGIN_DECLS

/* Outputs that a fit finds: bit i for output i. */
#define VG_LIFETIME_BIT(output) (1u << VG_LIFETIME_OUTPUT_##output)
#define VG_LIFETIME_FINDS_ONE                                                                      \
  (VG_LIFETIME_BIT (LIFETIME) | VG_LIFETIME_BIT (AMPLITUDE) | VG_LIFETIME_BIT (OFFSET) |           \
   VG_LIFETIME_BIT (DEVIANCE) | VG_LIFETIME_BIT (ERROR))
#define VG_LIFETIME_FINDS_TWO                                                                      \
  (VG_LIFETIME_FINDS_ONE | VG_LIFETIME_BIT (LIFETIME_1) | VG_LIFETIME_BIT (LIFETIME_2) |           \
   VG_LIFETIME_BIT (FRACTION) | VG_LIFETIME_BIT (WEIGHTED) | VG_LIFETIME_BIT (ERROR_1) |           \
   VG_LIFETIME_BIT (ERROR_2) | VG_LIFETIME_BIT (FRACTION_ERROR) |                                  \
   VG_LIFETIME_BIT (WEIGHTED_ERROR))
#define VG_LIFETIME_FINDS_THREE                                                                    \
  (VG_LIFETIME_FINDS_TWO | VG_LIFETIME_BIT (LIFETIME_3) | VG_LIFETIME_BIT (FRACTION_2) |           \
   VG_LIFETIME_BIT (ERROR_3) | VG_LIFETIME_BIT (FRACTION_2_ERROR))
#define VG_LIFETIME_FINDS_STRETCHED                                                                \
  (VG_LIFETIME_FINDS_ONE | VG_LIFETIME_BIT (TIME_CONSTANT) | VG_LIFETIME_BIT (WEIGHTED) |          \
   VG_LIFETIME_BIT (EXPONENT))

/* A method that fits exponentials to decays. */
typedef struct
{
  int terms; /* number of exponentials */
  gboolean stretched;
  gboolean squares; /* least squares, not maximum likelihood */
  guint32 finds;    /* VG_LIFETIME_FINDS_... */
} VgLifetimeFitModel;

/* The model of METHOD (VgLifetimeMethod); NULL if the method is not a fit. */
const VgLifetimeFitModel *vg_lifetime_fit_model (int method);
/* The outputs that a fit with METHOD computes, bit i for output i; 0 if the method is not a fit. */
guint32 vg_lifetime_fit_finds (int method);
/* The plane of the fit (VG_LIFETIME_FIT_...) that holds OUTPUT; -1 if no plane does. */
int vg_lifetime_fit_plane_of (int output);

/* Whether the method models the decay from its pulse onset, so that the IRF matters.  The other
 * methods use the tail alone. */
gboolean vg_lifetime_uses_onset (const VgLifetimeParams *params);
/* Whether a manual fit range gives one end only, so that the other is estimated. */
gboolean vg_lifetime_finds_other_end (const VgLifetimeParams *params);
/* Whether the plan depends on the decay of the whole image. */
gboolean vg_lifetime_plan_needs_decay (const VgLifetimeParams *params);

/* Whether the metadata give a plausible bin width. */
gboolean vg_lifetime_has_bin_width (const VgImageInfo *info);
/* Whether the metadata give a plausible laser period. */
gboolean vg_lifetime_has_period (const VgImageInfo *info);
/* The bin width that is used, ns: the setting, or VG_LIFETIME_BIN_WIDTH_NS if it is 0. */
double vg_lifetime_bin_width (const VgLifetimeParams *params);
/* The laser period in bins, at least BINS, the bins of the window.  Without previous pulses it is
 * so long that no photon remains from them. */
int vg_lifetime_fitting_period (const VgLifetimeParams *params, int bins);

G_END_DECLS
