/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/perfusion/model/perfusion-problem.h"
/* The table of the maps of liver perfusion. */

/* A choice of the best model has the maps of all. */
#define BEST (1 << VG_PERFUSION_BEST)
#define COMPARTMENT VG_INIT ("model", BEST | 1 << VG_PERFUSION_COMPARTMENT)
#define CHOICE VG_INIT ("model", BEST)
#define RESPONSE VG_INIT ("model", 1 << VG_PERFUSION_DECONVOLUTION)
#define MOVED                                                                                      \
  VG_INIT ("motion", 1 << VG_PERFUSION_MOTION_VOLUME | 1 << VG_PERFUSION_MOTION_SLICES |           \
                         1 << VG_PERFUSION_MOTION_DEFORMATION)
#define DEFORMED VG_INIT ("motion", 1 << VG_PERFUSION_MOTION_DEFORMATION)
#define MAPPED VG_INIT ("t1_series", 1 << TRUE, &no_map)
static const VgCondition mri = VG_INIT ("signal", 1 << VG_PERFUSION_SIGNAL_LINEAR |
                                                      1 << VG_PERFUSION_SIGNAL_GRADIENT_ECHO |
                                                      1 << VG_PERFUSION_SIGNAL_SATURATION);
static const VgCondition no_map = VG_INIT ("t1_file", 1 << FALSE, &mri);
static const VgCondition dual = VG_INIT ("inputs", 1);

/* In the order of VG_PERFUSION_BOUND_* and VG_PERFUSION_UNDETERMINED_*. */
static const char *const bounds[] = { "None",
                                      "Arterial inflow is 0",
                                      "Portal inflow is 0",
                                      "Transfer constant is 0",
                                      "Plasma volume is 0",
                                      "Permeability is 0",
                                      "Permeability unbounded",
                                      "One compartment suffices",
                                      "Rate at its minimum",
                                      "Rate at its maximum",
                                      "Arterial fraction is 0",
                                      "Arterial fraction is 1",
                                      "Arterial delay at its minimum",
                                      "Arterial delay at its maximum",
                                      "Portal delay at its minimum",
                                      "Portal delay at its maximum",
                                      NULL };
static const char *const undetermined[] = { "None",
                                            "Permeability",
                                            "Permeability and volumes",
                                            "Flow, permeability and volumes",
                                            "Volumes",
                                            "Arterial fraction",
                                            "Arterial delay",
                                            "Portal delay",
                                            "Both delays",
                                            NULL };
G_STATIC_ASSERT (G_N_ELEMENTS (bounds) == VG_PERFUSION_N_BOUNDS + 1);
G_STATIC_ASSERT (G_N_ELEMENTS (undetermined) == VG_PERFUSION_N_UNDETERMINED + 1);
static const char *const statuses[] = { "Outside",       "Fitted",         "At a bound",
                                        "Not converged", "No enhancement", "Not a number",
                                        "Impossible",    "Not determined", NULL };
static const char *const preferred[] = {
  "None",   "One compartment",        "Extended Tofts",
  "Patlak", "Two-compartment uptake", "Two-compartment exchange",
  NULL
};

static const char *const rate_unit_names[] = { "ml/100g/min", "ml/ml/min", "1/s" };
static const VgUnitChoice rates = { "rate_unit", rate_unit_names };
static const char *const concentration_units[] = {
  [VG_PERFUSION_SIGNAL_LINEAR] = "mM",     [VG_PERFUSION_SIGNAL_GRADIENT_ECHO] = "mM",
  [VG_PERFUSION_SIGNAL_SATURATION] = "mM", [VG_PERFUSION_SIGNAL_CT] = "mg/ml",
  [VG_PERFUSION_SIGNAL_HU] = "HU",         [VG_PERFUSION_SIGNAL_CONCENTRATION] = ""
};
static const VgUnitChoice concentrations = { "signal", concentration_units };
static const char *const area_units[] = {
  [VG_PERFUSION_SIGNAL_LINEAR] = "mM s",     [VG_PERFUSION_SIGNAL_GRADIENT_ECHO] = "mM s",
  [VG_PERFUSION_SIGNAL_SATURATION] = "mM s", [VG_PERFUSION_SIGNAL_CT] = "mg s/ml",
  [VG_PERFUSION_SIGNAL_HU] = "HU s",         [VG_PERFUSION_SIGNAL_CONCENTRATION] = ""
};
static const VgUnitChoice areas = { "signal", area_units };
static const char *const slope_units[] = {
  [VG_PERFUSION_SIGNAL_LINEAR] = "mM/s",     [VG_PERFUSION_SIGNAL_GRADIENT_ECHO] = "mM/s",
  [VG_PERFUSION_SIGNAL_SATURATION] = "mM/s", [VG_PERFUSION_SIGNAL_CT] = "mg/ml/s",
  [VG_PERFUSION_SIGNAL_HU] = "HU/s",         [VG_PERFUSION_SIGNAL_CONCENTRATION] = ""
};
static const VgUnitChoice slopes = { "signal", slope_units };

#define RATE "ml/100g/min", .unit_choice = &rates
#define PLASMA VG_INIT ("model", BEST | 1 << VG_PERFUSION_UPTAKE | 1 << VG_PERFUSION_EXCHANGE)
#define FLOW                                                                                       \
  VG_INIT ("model", BEST | 1 << VG_PERFUSION_UPTAKE | 1 << VG_PERFUSION_EXCHANGE |                 \
                        1 << VG_PERFUSION_DECONVOLUTION)
#define VOLUME                                                                                     \
  VG_INIT ("model", BEST | 1 << VG_PERFUSION_COMPARTMENT | 1 << VG_PERFUSION_DECONVOLUTION)
#define FITTED_MODELS (BEST | ((1 << VG_PERFUSION_DECONVOLUTION) - 1))
#define DUAL_FIT VG_INIT ("model", FITTED_MODELS, &dual)
#define DELAY_ERROR VG_INIT ("model", FITTED_MODELS)
#define DUAL_COMPARTMENT VG_INIT ("model", BEST | 1 << VG_PERFUSION_COMPARTMENT, &dual)
#define LEAK VG_INIT ("model", BEST | 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_PATLAK)
#define BLOOD                                                                                      \
  VG_INIT ("model", BEST | 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_PATLAK |           \
                        1 << VG_PERFUSION_UPTAKE | 1 << VG_PERFUSION_EXCHANGE)
#define SPACE                                                                                      \
  VG_INIT ("model", BEST | 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_EXCHANGE)

const VgOutput vg_perfusion_outputs[VG_PERFUSION_N_OUTPUTS] = {
  [VG_PERFUSION_OUTPUT_KA] = { "ka", "Arterial inflow",
                               "Plasma inflow from the hepatic artery; with the artery alone, "
                               "Ktrans of the Tofts model.",
                               RATE, .hints.colormap = "inferno", .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_KP] = { "kp", "Portal inflow", "Plasma inflow from the portal vein.", RATE,
                               .hints.colormap = "inferno", .shown_when = DUAL_COMPARTMENT },
  [VG_PERFUSION_OUTPUT_KL] = { "kl", "Outflow rate",
                               "Rate at which contrast agent leaves the tissue; kep of the Tofts "
                               "model.",
                               RATE, .hints.colormap = "viridis", .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_TAU_A] = { "tau_a", "Arterial delay",
                                  "Transit time from the measured artery to the tissue.", "s",
                                  .hints.colormap = "cividis" },
  [VG_PERFUSION_OUTPUT_TAU_P] = { "tau_p", "Portal delay",
                                  "Transit time from the measured portal vein to the tissue.", "s",
                                  .hints.colormap = "cividis", .shown_when = DUAL_FIT },
  [VG_PERFUSION_OUTPUT_TOTAL_INFLOW] = { "total_inflow", "Total inflow",
                                         "Sum of arterial and portal inflow.", RATE,
                                         .hints.colormap = "inferno", .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION] = { "arterial_fraction", "Arterial fraction",
                                              "Percentage of the inflow that comes from the "
                                              "artery.",
                                              "%", .hints.colormap = "viridis",
                                              .shown_when = DUAL_FIT },
  [VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME] = { "distribution_volume", "Distribution volume",
                                                "Fraction of the tissue volume that contrast agent "
                                                "enters: inflow divided by outflow rate, or the "
                                                "integral of the impulse response.",
                                                "ml/ml", .hints.colormap = "viridis",
                                                .shown_when = VOLUME },
  [VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME] = { "mean_transit_time", "Mean transit time",
                                              "Mean residence time of the contrast agent: 1 / kl, "
                                              "or volume divided by flow.",
                                              "s", .hints.colormap = "viridis",
                                              .shown_when = VOLUME },
  [VG_PERFUSION_OUTPUT_TMAX] = { "tmax", "Time to maximum Tmax",
                                 "Time from the input to the maximum of the impulse response.", "s",
                                 .hints.colormap = "cividis", .shown_when = RESPONSE },
  [VG_PERFUSION_OUTPUT_LEVEL] = { "regularisation", "Regularisation",
                                  "Limit of the singular values that was used, as a percentage of "
                                  "the largest.",
                                  "%", .hints.colormap = "viridis", .shown_when = RESPONSE },
  [VG_PERFUSION_OUTPUT_KTRANS] = { "ktrans", "Transfer constant Ktrans",
                                   "Rate of leakage from plasma to the interstitium.", RATE,
                                   .hints.colormap = "inferno", .shown_when = LEAK },
  [VG_PERFUSION_OUTPUT_PLASMA_FLOW] = { "plasma_flow", "Plasma flow Fp",
                                        "Flow of blood plasma into the tissue; by "
                                        "deconvolution, the maximum of the impulse response.",
                                        RATE, .hints.colormap = "inferno", .shown_when = FLOW },
  [VG_PERFUSION_OUTPUT_PERMEABILITY] = { "permeability", "Permeability-surface product PS",
                                         "Rate of exchange between plasma and the interstitium.",
                                         RATE, .hints.colormap = "inferno", .shown_when = PLASMA },
  [VG_PERFUSION_OUTPUT_VP] = { "plasma_volume", "Plasma volume vp",
                               "Fraction of the tissue volume that is blood plasma.", "ml/ml",
                               .hints.colormap = "viridis", .shown_when = BLOOD },
  [VG_PERFUSION_OUTPUT_VE] = { "interstitial_volume", "Interstitial volume ve",
                               "Fraction of the tissue volume that lies between cells.", "ml/ml",
                               .hints.colormap = "viridis", .shown_when = SPACE },
  [VG_PERFUSION_OUTPUT_RESIDUAL] = { "residual", "Residual",
                                     "Root mean square of the residuals, in the unit of "
                                     "concentration.",
                                     "", .unit_choice = &concentrations,
                                     .hints.colormap = "magma" },
  [VG_PERFUSION_OUTPUT_R2] = { "r2", "R\302\262",
                               "Fraction of the curve's variance that the fit explains.", "",
                               .hints.colormap = "viridis" },
  [VG_PERFUSION_OUTPUT_INITIAL_AREA] = { "iauc60", "Initial area IAUC60",
                                         "Area under the concentration curve in the 60 s after the "
                                         "last baseline frame. It needs no model.",
                                         "", .unit_choice = &areas, .hints.colormap = "inferno" },
  [VG_PERFUSION_OUTPUT_PEAK] = { "peak_enhancement", "Peak enhancement",
                                 "Highest concentration after the baseline.", "",
                                 .unit_choice = &concentrations, .hints.colormap = "inferno" },
  [VG_PERFUSION_OUTPUT_TIME_TO_PEAK] = { "time_to_peak", "Time to peak",
                                         "Time from the last baseline frame to the highest "
                                         "concentration.",
                                         "s", .hints.colormap = "cividis" },
  [VG_PERFUSION_OUTPUT_WASH_IN] = { "wash_in_slope", "Wash-in slope",
                                    "Steepest rise of the concentration between two successive "
                                    "frames up to the peak.",
                                    "", .unit_choice = &slopes, .hints.colormap = "inferno" },
  [VG_PERFUSION_OUTPUT_WASHOUT] = { "washout", "Washout",
                                    "Decrease of the concentration from the peak to the last "
                                    "frame, as a percentage of the peak.",
                                    "%", .hints.colormap = "viridis" },
  [VG_PERFUSION_OUTPUT_KA_ERROR] = { "ka_error", "Error of arterial inflow",
                                     "Standard error of the fit.", RATE, .hints.colormap = "magma",
                                     .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_KP_ERROR] = { "kp_error", "Error of portal inflow",
                                     "Standard error of the fit.", RATE, .hints.colormap = "magma",
                                     .shown_when = DUAL_COMPARTMENT },
  [VG_PERFUSION_OUTPUT_KL_ERROR] = { "kl_error", "Error of outflow rate",
                                     "Standard error of the fit.", RATE, .hints.colormap = "magma",
                                     .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_TAU_A_ERROR] = { "tau_a_error", "Error of arterial delay",
                                        "Standard error of the fit.", "s",
                                        .hints.colormap = "magma", .shown_when = DELAY_ERROR },
  [VG_PERFUSION_OUTPUT_TAU_P_ERROR] = { "tau_p_error", "Error of portal delay",
                                        "Standard error of the fit.", "s",
                                        .hints.colormap = "magma", .shown_when = DUAL_FIT },
  [VG_PERFUSION_OUTPUT_TOTAL_INFLOW_ERROR] = { "total_inflow_error", "Error of total inflow",
                                               "Standard error of the fit.", RATE,
                                               .hints.colormap = "magma",
                                               .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION_ERROR] = { "arterial_fraction_error",
                                                    "Error of arterial fraction",
                                                    "Standard error of the fit, in percentage "
                                                    "points.",
                                                    "%", .hints.colormap = "magma",
                                                    .shown_when = DUAL_FIT },
  [VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME_ERROR] = { "distribution_volume_error",
                                                      "Error of distribution volume",
                                                      "Standard error of the fit.", "ml/ml",
                                                      .hints.colormap = "magma",
                                                      .shown_when = VOLUME },
  [VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME_ERROR] = { "mean_transit_time_error",
                                                    "Error of mean transit time",
                                                    "Standard error of the fit.", "s",
                                                    .hints.colormap = "magma",
                                                    .shown_when = VOLUME },
  [VG_PERFUSION_OUTPUT_KTRANS_ERROR] = { "ktrans_error", "Error of transfer constant",
                                         "Standard error of the fit.", RATE,
                                         .hints.colormap = "magma", .shown_when = LEAK },
  [VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR] = { "plasma_flow_error", "Error of plasma flow",
                                              "Standard error of the fit.", RATE,
                                              .hints.colormap = "magma", .shown_when = FLOW },
  [VG_PERFUSION_OUTPUT_PERMEABILITY_ERROR] = { "permeability_error", "Error of permeability",
                                               "Standard error of the fit.", RATE,
                                               .hints.colormap = "magma", .shown_when = PLASMA },
  [VG_PERFUSION_OUTPUT_VP_ERROR] = { "plasma_volume_error", "Error of plasma volume",
                                     "Standard error of the fit.", "ml/ml",
                                     .hints.colormap = "magma", .shown_when = BLOOD },
  [VG_PERFUSION_OUTPUT_VE_ERROR] = { "interstitial_volume_error", "Error of interstitial volume",
                                     "Standard error of the fit.", "ml/ml",
                                     .hints.colormap = "magma", .shown_when = SPACE },
  [VG_PERFUSION_OUTPUT_STATUS] = { "status", "Status",
                                   "0 outside, 1 fitted, 2 at a bound (a delay there counts as "
                                   "fitted), 3 not converged, 4 no enhancement, 5 not a number, 6 "
                                   "a negative rate or a delay longer than the series, 7 fitted, "
                                   "but a parameter is not determined.",
                                   "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                   .hints.categories = statuses },
  [VG_PERFUSION_OUTPUT_MODEL] = { "preferred_model", "Preferred model",
                                  "The model with the lowest AICc among those that pass the F "
                                  "tests.",
                                  "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                  .hints.categories = preferred, .shown_when = CHOICE },
  [VG_PERFUSION_OUTPUT_WEIGHT] = { "model_weight", "Akaike weight",
                                   "Evidence for the preferred model as a percentage of that for "
                                   "all models.",
                                   "%", .hints.colormap = "viridis", .shown_when = CHOICE },
  [VG_PERFUSION_OUTPUT_CHANCE] = { "f_test", "F test",
                                   "Probability that noise alone improves the fit this much over "
                                   "a simpler model (p-value); the largest of several.",
                                   "", .hints.colormap = "magma", .shown_when = CHOICE },
  [VG_PERFUSION_OUTPUT_BOUND] = { "at_bound", "At a bound",
                                  "The fit parameter that ended at a bound: a flow, volume or "
                                  "rate, the arterial fraction, or a delay.",
                                  "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                  .hints.categories = bounds },
  [VG_PERFUSION_OUTPUT_UNDETERMINED] = { "not_determined", "Not determined",
                                         "Fit parameters that the data do not determine. Their "
                                         "maps have missing values there.",
                                         "", .kind = VG_OUTPUT_LABELS,
                                         .hints.colormap = "categories",
                                         .hints.categories = undetermined },
  [VG_PERFUSION_OUTPUT_SIGNAL] = { "signal", "Mean signal",
                                   "Mean of each voxel's samples over time, for orientation.", "",
                                   .hints.colormap = "gray", .view_only = TRUE,
                                   .hints.hide_underlay = TRUE },
  [VG_PERFUSION_OUTPUT_T1] = { "t1", "T1 before contrast",
                               "T1 computed from the T1 series. Missing where the series does not "
                               "determine it.",
                               "ms", .hints.colormap = "viridis", .shown_when = MAPPED },
  [VG_PERFUSION_OUTPUT_T1_ERROR] = { "t1_error", "Error of T1", "Standard error of the fit.", "ms",
                                     .hints.colormap = "magma", .shown_when = MAPPED },
  [VG_PERFUSION_OUTPUT_MOTION_BEFORE] = { "motion_before", "Motion, before correction",
                                          "Root mean square difference of the series from a model "
                                          "with a few time courses, without motion correction.",
                                          "", .hints.colormap = "magma", .shown_when = MOVED },
  [VG_PERFUSION_OUTPUT_MOTION_AFTER] = { "motion_after", "Motion, after correction",
                                         "The same difference after motion correction. Where it "
                                         "has not fallen, the tissue moves in a way that the "
                                         "correction cannot follow.",
                                         "", .hints.colormap = "magma", .shown_when = MOVED },
  [VG_PERFUSION_OUTPUT_JACOBIAN_MIN] = { "jacobian_min", "Jacobian, minimum",
                                         "Smallest Jacobian determinant of the deformation over "
                                         "all frames. At 0.8 the tissue is compressed to 80 % of "
                                         "its volume in the model; 0 or less would be folding.",
                                         "", .hints.colormap = "viridis", .shown_when = DEFORMED },
  [VG_PERFUSION_OUTPUT_JACOBIAN_MAX] = { "jacobian_max", "Jacobian, maximum",
                                         "Largest Jacobian determinant of the deformation over "
                                         "all frames. At 1.2 the tissue is expanded to 120 % of "
                                         "its volume in the model.",
                                         "", .hints.colormap = "viridis", .shown_when = DEFORMED },
  [VG_PERFUSION_OUTPUT_INPUTS] = { "input_curves", "Input curves",
                                   "Times and the input curves as used: artery and portal vein.",
                                   "", .kind = VG_OUTPUT_TEXT },
  [VG_PERFUSION_OUTPUT_MOTION] = { "motion", "Displacement",
                                   "The displacement that was corrected in each frame, its "
                                   "standard error, and the frames that were left out.",
                                   "", .kind = VG_OUTPUT_TEXT, .shown_when = MOVED },
};

const VgOutputRole vg_perfusion_roles[] = {
  { VG_ROLE_ERROR, "ka", "ka_error" },
  { VG_ROLE_ERROR, "kp", "kp_error" },
  { VG_ROLE_ERROR, "kl", "kl_error" },
  { VG_ROLE_ERROR, "tau_a", "tau_a_error" },
  { VG_ROLE_ERROR, "tau_p", "tau_p_error" },
  { VG_ROLE_ERROR, "total_inflow", "total_inflow_error" },
  { VG_ROLE_ERROR, "arterial_fraction", "arterial_fraction_error" },
  { VG_ROLE_ERROR, "distribution_volume", "distribution_volume_error" },
  { VG_ROLE_ERROR, "mean_transit_time", "mean_transit_time_error" },
  { VG_ROLE_ERROR, "ktrans", "ktrans_error" },
  { VG_ROLE_ERROR, "plasma_flow", "plasma_flow_error" },
  { VG_ROLE_ERROR, "permeability", "permeability_error" },
  { VG_ROLE_ERROR, "plasma_volume", "plasma_volume_error" },
  { VG_ROLE_ERROR, "t1", "t1_error" },
  { VG_ROLE_ERROR, "interstitial_volume", "interstitial_volume_error" },
  { VG_ROLE_LIMITS_MASK, NULL, "status" },
  { VG_ROLE_BOUND, NULL, "at_bound" },
  { VG_ROLE_AGAINST, "total_inflow", "arterial_fraction" },
  { 0 },
};
