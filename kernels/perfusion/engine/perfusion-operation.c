/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"
#include "kernels/perfusion/fit/perfusion-output.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/perfusion/vessels/perfusion-find.h"
#include <glib/gi18n.h>
/* Liver perfusion: its parameter and output tables.  Wang and Cao, Phys. Med.
 * Biol. 57 (2012); models and solvers are in docs/perfusion.md. */

#define P VgPerfusionParams
#define MRI (1 << VG_PERFUSION_SIGNAL_LINEAR | 1 << VG_PERFUSION_SIGNAL_GRADIENT_ECHO)
#define ECHO (1 << VG_PERFUSION_SIGNAL_GRADIENT_ECHO)
#define CT (1 << VG_PERFUSION_SIGNAL_CT)
#define PAPER VG_INIT ("solver", 1 << VG_PERFUSION_SOLVER_PAPER)
#define DEFAULT VG_INIT ("solver", 1 << VG_PERFUSION_SOLVER_DEFAULT)
#define COMPARTMENT VG_INIT ("model", 1 << VG_PERFUSION_COMPARTMENT)

static const char *const models[] = { "compartment", "extended_tofts", "patlak",
                                      "uptake",      "exchange",       NULL };
static const char *const model_labels[] = {
  "One compartment",        "Extended Tofts",           "Patlak",
  "Two-compartment uptake", "Two-compartment exchange", NULL
};
static const char *const inputs[] = { "dual", "artery", NULL };
static const char *const input_labels[] = { "Artery and portal vein", "Artery alone", NULL };
static const char *const populations[] = { "parker", "georgiou", "orton", "rat", "mouse", NULL };
static const char *const population_labels[] = { "Parker 2006",          "Georgiou 2019",
                                                 "Orton 2008",           "Rat, McGrath 2009",
                                                 "Mouse, Checkley 2003", NULL };
static const char *const arrivals[] = { "given", "tissue", "artery", NULL };
static const char *const arrival_labels[] = { "Given", "Fitted to the tissue",
                                              "Fitted to the artery", NULL };
static const char *const delays[] = { "free", "shared", "none", NULL };
static const char *const delay_labels[] = { "Fitted for each input", "One for both", "None", NULL };
static const char *const signals[] = { "linear", "gradient_echo", "ct", "concentration", NULL };
static const char *const signal_labels[] = { "MRI, linear", "MRI, spoiled gradient echo", "CT",
                                             "Concentration", NULL };
static const char *const solvers[] = { "default", "paper", NULL };
static const char *const solver_labels[] = { "Dictionary and projection", "Nelder-Mead (2012)",
                                             NULL };
static const char *const convolutions[] = { "block", "fft", "recursion", "trapezoid", NULL };
static const char *const convolution_labels[] = { "Block-FFT", "Padded FFT", "Recursion",
                                                  "Recursion, trapezoids", NULL };

static const char *const rate_units[] = { "per_100g", "per_ml", "per_s", NULL };
static const char *const rate_unit_labels[] = { "By weight, ml/100g/min", "By volume, ml/ml/min",
                                                "Per second, 1/s", NULL };
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
static const char *const statuses[] = { "Outside",        "Fitted",
                                        "At a bound",     "Not converged",
                                        "No enhancement", "Not a number",
                                        "Impossible",     NULL };

static const char *const rate_unit_names[] = { "ml/100g/min", "ml/ml/min", "1/s" };
static const VgUnitChoice rates = { "rate_unit", rate_unit_names };
static const char *const concentration_units[] = { [VG_PERFUSION_SIGNAL_LINEAR] = "mM",
                                                   [VG_PERFUSION_SIGNAL_GRADIENT_ECHO] = "mM",
                                                   [VG_PERFUSION_SIGNAL_CT] = "mg/ml",
                                                   [VG_PERFUSION_SIGNAL_CONCENTRATION] = "" };
static const VgUnitChoice concentrations = { "signal", concentration_units };
static const char *const area_units[] = { [VG_PERFUSION_SIGNAL_LINEAR] = "mM s",
                                          [VG_PERFUSION_SIGNAL_GRADIENT_ECHO] = "mM s",
                                          [VG_PERFUSION_SIGNAL_CT] = "mg s/ml",
                                          [VG_PERFUSION_SIGNAL_CONCENTRATION] = "" };
static const VgUnitChoice areas = { "signal", area_units };
static const char *const slope_units[] = { [VG_PERFUSION_SIGNAL_LINEAR] = "mM/s",
                                           [VG_PERFUSION_SIGNAL_GRADIENT_ECHO] = "mM/s",
                                           [VG_PERFUSION_SIGNAL_CT] = "mg/ml/s",
                                           [VG_PERFUSION_SIGNAL_CONCENTRATION] = "" };
static const VgUnitChoice slopes = { "signal", slope_units };

static const VgColumn angle_columns[] = { { "angle", "Angle", "\302\260", 10, 0.01, 180 },
                                          { NULL } };
static const VgColumn weight_columns[] = {
  { "frame", "Frame", "", 1, 1, VG_PERFUSION_MAX_FRAMES },
  { "weight", "Weight", "", 0, 0, 1e6 },
  { NULL },
};

static const VgParam params[] = {
  VG_FILE_PARAM (P, artery, .file.rgb = VG_PERFUSION_ARTERY_RGB, .per_dataset = TRUE,
                 .label = "Artery", .group = "Inputs", .file.kinds = VG_FILE_IMAGE | VG_FILE_TEXT,
                 .file.or_region = VG_FILE_REGION,
                 .help = "The aorta: a region, a mask image, or a table of times and "
                         "concentrations. If empty, a population AIF is used."),
  VG_FILE_PARAM (P, portal, .file.rgb = VG_PERFUSION_PORTAL_RGB, .per_dataset = TRUE,
                 .label = "Portal vein", .group = "Inputs",
                 .file.kinds = VG_FILE_IMAGE | VG_FILE_TEXT, .file.or_region = VG_FILE_REGION,
                 .shown_when = { "inputs", 1 },
                 .help = "The portal vein, chosen like the artery. If empty, its curve is the AIF "
                         "convolved with the response of the gut."),
  VG_FILE_PARAM (P, input_tables, .label = "Input tables", .group = "Inputs",
                 .file.kinds = VG_FILE_TEXT, .file.multiple = TRUE, .advanced = TRUE,
                 .help = "Tables of time and concentration, such as input_curves.csv. Their "
                         "average is used if the artery or the portal vein (third column) is "
                         "empty."),
  VG_FILE_PARAM (P, mask, .per_dataset = TRUE, .label = "Liver", .group = "Inputs",
                 .file.kinds = VG_FILE_IMAGE, .file.or_region = VG_FILE_REGION_COLUMN,
                 .help = "The voxels to fit: a mask image, or a region that applies to every "
                         "slice. If empty, all voxels are fitted."),
  VG_FLOAT_PARAM (P, threshold, .label = "Threshold", .group = "Inputs", .min = -1e9, .max = 1e9,
                  .slider.max = 1000, .slider.step = 0.01,
                  .help = "Excludes voxels whose mean over time is below this value, in the unit "
                          "of the data; 0 excludes none."),
  VG_CHOICE_PARAM (P, population, .label = "Population AIF", .group = "Inputs",
                   .choices = populations, .choice_labels = population_labels,
                   .max = VG_PERFUSION_N_POPULATIONS - 1,
                   .help = "The AIF from the literature that is used if the artery is empty."),
  VG_FLOAT_PARAM (
      P, dose, .label = "Dose", .unit = "mmol/kg", .group = "Inputs", .min = 0, .max = 10,
      .slider.max = 0.5, .slider.step = 0.01, .zero = "As published",
      .help = "Dose of contrast agent per body weight. The population AIF is multiplied "
              "by its ratio to the dose of the publication."),
  VG_CHOICE_PARAM (P, arrival, .label = "Arrival time", .group = "Inputs", .choices = arrivals,
                   .choice_labels = arrival_labels, .max = VG_PERFUSION_ARRIVAL_ARTERY,
                   .help = "Bolus arrival time of the population AIF: given, or fitted to the "
                           "mean curve of the fitted voxels or of the artery. After a fit, this "
                           "AIF replaces the artery."),
  VG_FLOAT_PARAM (
      P, arrival_s, .label = "Bolus arrival time", .unit = "s", .group = "Inputs", .def = 10,
      .min = 0, .max = 600, .slider.max = 60, .slider.step = 0.1,
      .shown_when = { "arrival", 1 << VG_PERFUSION_ARRIVAL_GIVEN },
      .help = "Bolus arrival time of the population AIF; ignored if the artery is given."),
  VG_FLOAT_PARAM (
      P, haematocrit, .label = "Haematocrit", .group = "Inputs", .def = 0.42f, .min = 0, .max = 0.9,
      .slider.step = 0.01,
      .help = "Fraction of the blood volume taken up by cells. Vessel signals and the population "
              "AIF are divided by 1 minus it; measured concentrations are not."),
  VG_CHOICE_PARAM (P, model, .label = "Model", .group = "Model", .choices = models,
                   .choice_labels = model_labels, .max = VG_PERFUSION_EXCHANGE,
                   .help = "Tissue model: one compartment (Tofts, with the artery alone), or a "
                           "model with a plasma compartment."),
  VG_CHOICE_PARAM (P, inputs, .label = "Inputs", .group = "Model", .choices = inputs,
                   .choice_labels = input_labels, .max = 1,
                   .help = "The liver has an arterial and a portal venous input; other organs have "
                           "an arterial input alone."),
  VG_CHOICE_PARAM (P, delays, .label = "Transit delays", .group = "Model", .choices = delays,
                   .choice_labels = delay_labels, .max = VG_PERFUSION_DELAYS_NONE,
                   .help = "Transit time from the measured inputs to the tissue: fitted for each "
                           "input, one for both, or none."),
  VG_CHOICE_PARAM (P, signal, .per_dataset = TRUE, .label = "Signal model", .group = "Signal",
                   .choices = signals, .choice_labels = signal_labels,
                   .max = VG_PERFUSION_SIGNAL_CONCENTRATION,
                   .help = "What the samples are: MRI signal, CT numbers or concentrations."),
  VG_FLOAT_PARAM (P, relaxivity, .label = "Relaxivity", .unit = "1/mM/s", .group = "Signal",
                  .def = 4.5f, .min = 0.1, .max = 100, .slider.min = 0.1, .slider.max = 20,
                  .slider.step = 0.1, .shown_when = { "signal", MRI },
                  .help = "Increase of the relaxation rate R1 per mM of contrast agent."),
  VG_FLOAT_PARAM (P, t1_ms, .label = "Tissue T1", .unit = "ms", .group = "Signal", .def = 700,
                  .min = 1, .max = 1e5, .slider.min = 100, .slider.max = 3000, .slider.step = 10,
                  .shown_when = { "signal", MRI },
                  .help = "T1 of tissue before the bolus, where no T1 map gives it."),
  VG_FLOAT_PARAM (
      P, t1_blood_ms, .label = "Blood T1", .unit = "ms", .group = "Signal", .def = 1500, .min = 1,
      .max = 1e5, .slider.min = 500, .slider.max = 3000, .slider.step = 10,
      .shown_when = { "signal", MRI },
      .help = "T1 of blood before the bolus, for the curves of artery and portal vein."),
  VG_FILE_PARAM (P, t1_file, .per_dataset = TRUE, .label = "T1 map", .group = "Signal",
                 .file.kinds = VG_FILE_IMAGE, .shown_when = { "signal", MRI },
                 .help = "T1 of every voxel before the bolus: an image of the same size, in ms, or "
                         "in s if its median is below 20."),
  VG_FILE_PARAM (P, flip_angle_file, .per_dataset = TRUE, .label = "Flip-angle series",
                 .group = "Signal", .file.kinds = VG_FILE_IMAGE, .file.multiple = TRUE,
                 .shown_when = { "signal", MRI },
                 .help = "Images at several flip angles and one repetition time, to estimate T1: "
                         "one file, or one file per angle."),
  VG_TABLE_PARAM (P, flip_angles, .per_dataset = TRUE, .label = "Flip angles", .group = "Signal",
                  .table.columns = angle_columns, .table.max_rows = 32,
                  .shown_when = { "signal", MRI },
                  .help = "Angles of the flip-angle series, in the order of its frames. If empty, "
                          "they come from files beside it (.json, .xtr)."),
  VG_FLOAT_PARAM (P, repetition_ms, .per_dataset = TRUE, .label = "Repetition time", .unit = "ms",
                  .group = "Signal", .def = 4, .min = 0.01, .max = 1e5, .slider.min = 1,
                  .slider.max = 50, .slider.step = 0.1, .shown_when = { "signal", MRI },
                  .help = "TR of the gradient echo. A flip-angle series uses the TR in the files "
                          "beside it, if they give one."),
  VG_FLOAT_PARAM (P, flip_deg, .per_dataset = TRUE, .label = "Flip angle", .unit = "\302\260",
                  .group = "Signal", .def = 15, .min = 0.1, .max = 179, .slider.min = 1,
                  .slider.max = 90, .slider.step = 1, .shown_when = { "signal", ECHO },
                  .help = "Flip angle of the contrast series."),
  VG_FLOAT_PARAM (P, hu_per_mg_ml, .label = "HU per mg/ml", .group = "Signal", .def = 25,
                  .min = 0.1, .max = 1000, .slider.min = 1, .slider.max = 60, .slider.step = 1,
                  .shown_when = { "signal", CT },
                  .help = "Increase of the CT number per mg/ml of iodine."),
  VG_INT_PARAM (P, baseline_first, .per_dataset = TRUE, .label = "First baseline frame",
                .group = "Signal", .def = 1, .min = 1, .max = VG_PERFUSION_MAX_FRAMES,
                .slider.min = 1, .slider.max = 100, .slider.step = 1,
                .shown_when = { "signal", MRI | CT },
                .help = "Number of the first frame before the bolus, counted from 1."),
  VG_INT_PARAM (
      P, baseline_last, .per_dataset = TRUE, .label = "Last baseline frame", .group = "Signal",
      .min = 0, .max = VG_PERFUSION_MAX_FRAMES, .slider.max = 100, .slider.step = 1,
      .shown_when = { "signal", MRI | CT }, .zero = "Automatic",
      .help = "Number of the last frame before the bolus; 0 finds it from the measured input."),
  VG_FLOAT_PARAM (P, frame_interval_s, .per_dataset = TRUE, .label = "Frame interval", .unit = "s",
                  .group = "Frames", .min = 0, .max = 3600, .slider.max = 20, .slider.step = 0.01,
                  .auto_metric = "frame_interval_s", .zero = "From file",
                  .help = "Time between frames; 0 uses the times in the file. Check them: many "
                          "files give the repetition time instead."),
  VG_FILE_PARAM (P, times_file, .per_dataset = TRUE, .label = "Frame times", .group = "Frames",
                 .file.kinds = VG_FILE_TEXT,
                 .help = "Text file with the time of each frame in s, one per line, for frames "
                         "that are not evenly spaced."),
  VG_TABLE_PARAM (P, frame_weights, .per_dataset = TRUE, .label = "Frame weights",
                  .group = "Frames", .table.columns = weight_columns,
                  .table.max_rows = VG_PERFUSION_MAX_FRAMES, .advanced = TRUE,
                  .help = "Weights of single frames; all others have 1. A frame with weight 0, "
                          "such as one with motion, is ignored."),
  VG_CHOICE_PARAM (P, solver, .label = "Solver", .group = "Fit", .choices = solvers,
                   .choice_labels = solver_labels, .max = VG_PERFUSION_SOLVER_PAPER,
                   .help = "The default finds the minimum from any initial value. The solver of "
                           "the 2012 paper is for comparison, with one compartment only."),
  VG_CHOICE_PARAM (P, convolution, .label = "Convolution", .group = "Fit", .advanced = TRUE,
                   .choices = convolutions, .choice_labels = convolution_labels,
                   .max = VG_PERFUSION_CONVOLUTION_TRAPEZOID, .shown_when = PAPER,
                   .help = "Convolution in the paper's solver. The first three sum rectangles and "
                           "give the same result; the last sums trapezoids."),
  VG_INT_PARAM (P, starts, .label = "Initial values", .group = "Fit", .def = 2, .min = 1, .max = 2,
                .slider.step = 1, .advanced = TRUE, .shown_when = DEFAULT,
                .help = "Number of initial values taken from the dictionary. A second one finds "
                        "the minimum slightly more often."),
  VG_INT_PARAM (P, iterations, .label = "Iterations", .group = "Fit", .def = 60, .min = 1,
                .max = 1000, .slider.min = 1, .slider.max = 200, .slider.step = 1, .advanced = TRUE,
                .shown_when = DEFAULT,
                .help = "Maximum number of steps per initial value. One compartment takes 10, "
                        "two-compartment exchange up to 60."),
  VG_FLOAT_PARAM (P, tolerance, .label = "Tolerance", .group = "Fit", .def = 3e-4f, .min = 1e-12,
                  .max = 0.1, .slider.min = 1e-9, .slider.max = 1e-2, .slider.log_scale = TRUE,
                  .advanced = TRUE, .shown_when = DEFAULT,
                  .help = "The fit ends when a step is predicted to lower the sum of squares by "
                          "less than this fraction."),
  VG_FLOAT_PARAM (P, kl_max, .label = "Maximum outflow", .unit = "ml/100g/min", .group = "Fit",
                  .def = 3000, .min = 1, .max = 60000, .slider.min = 100, .slider.max = 6000,
                  .slider.step = 10, .advanced = TRUE, .shown_when = DEFAULT,
                  .help = "Upper bound of kl. The faster rate of the exchange model may reach "
                          "eight times this value."),
  VG_FLOAT_PARAM (P, delay_min_s, .label = "Minimum delay", .unit = "s", .group = "Fit", .def = 0,
                  .min = -60, .max = 0, .slider.min = -20, .slider.max = 0, .slider.step = 0.5,
                  .advanced = TRUE, .shown_when = DEFAULT,
                  .help = "Lower bound of the delays; negative if an input was measured further "
                          "downstream than the tissue."),
  VG_FLOAT_PARAM (P, delay_max_s, .label = "Maximum delay", .unit = "s", .group = "Fit", .def = 10,
                  .min = 0.1, .max = 120, .slider.min = 1, .slider.max = 40, .slider.step = 0.5,
                  .advanced = TRUE, .shown_when = DEFAULT, .help = "Upper bound of the delays."),
  VG_CHOICE_PARAM (P, rate_unit, .label = "Unit of rates", .group = "Result", .choices = rate_units,
                   .choice_labels = rate_unit_labels, .max = VG_PERFUSION_UNIT_PER_S,
                   .help = "Unit of inflows and other rates, on the screen and in files. A change "
                           "needs no new fit."),
  VG_FLOAT_PARAM (
      P, density,
      .label = "Tissue density", .unit = "g/ml", .group = "Result", .def = 1, .min = 0.1, .max = 10,
      .slider.min = 0.8, .slider.max = 1.2, .slider.step = 0.01,
      .shown_when = { "rate_unit", 1 << VG_PERFUSION_UNIT_PER_100G },
      .help = "Converts tissue volume to weight. Liver has 1.04 to 1.07 g/ml; most papers use 1."),
};

#define RATE "ml/100g/min", .unit_choice = &rates
#define PLASMA VG_INIT ("model", 1 << VG_PERFUSION_UPTAKE | 1 << VG_PERFUSION_EXCHANGE)
#define DUAL VG_INIT ("inputs", 1)
static const VgCondition dual = DUAL;
#define DUAL_COMPARTMENT VG_INIT ("model", 1 << VG_PERFUSION_COMPARTMENT, &dual)
#define LEAK VG_INIT ("model", 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_PATLAK)
#define BLOOD                                                                                      \
  VG_INIT ("model", 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_PATLAK |                  \
                        1 << VG_PERFUSION_UPTAKE | 1 << VG_PERFUSION_EXCHANGE)
#define SPACE VG_INIT ("model", 1 << VG_PERFUSION_EXTENDED_TOFTS | 1 << VG_PERFUSION_EXCHANGE)

static const VgOutput outputs[VG_PERFUSION_N_OUTPUTS] = {
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
                                  .hints.colormap = "cividis", .shown_when = DUAL },
  [VG_PERFUSION_OUTPUT_TOTAL_INFLOW] = { "total_inflow", "Total inflow",
                                         "Sum of arterial and portal inflow.", RATE,
                                         .hints.colormap = "inferno", .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_ARTERIAL_FRACTION] = { "arterial_fraction", "Arterial fraction",
                                              "Percentage of the inflow that comes from the "
                                              "artery.",
                                              "%", .hints.colormap = "viridis",
                                              .shown_when = DUAL },
  [VG_PERFUSION_OUTPUT_DISTRIBUTION_VOLUME] = { "distribution_volume", "Distribution volume",
                                                "Fraction of the tissue volume that contrast agent "
                                                "enters: inflow divided by outflow rate.",
                                                "ml/ml", .hints.colormap = "viridis",
                                                .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_MEAN_TRANSIT_TIME] = { "mean_transit_time", "Mean transit time",
                                              "Mean residence time of the contrast agent, 1 / kl.",
                                              "s", .hints.colormap = "viridis",
                                              .shown_when = COMPARTMENT },
  [VG_PERFUSION_OUTPUT_KTRANS] = { "ktrans", "Transfer constant Ktrans",
                                   "Rate of leakage from plasma to the interstitium.", RATE,
                                   .hints.colormap = "inferno", .shown_when = LEAK },
  [VG_PERFUSION_OUTPUT_PLASMA_FLOW] = { "plasma_flow", "Plasma flow Fp",
                                        "Flow of blood plasma into the tissue.", RATE,
                                        .hints.colormap = "inferno", .shown_when = PLASMA },
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
                                        .hints.colormap = "magma" },
  [VG_PERFUSION_OUTPUT_TAU_P_ERROR] = { "tau_p_error", "Error of portal delay",
                                        "Standard error of the fit.", "s",
                                        .hints.colormap = "magma", .shown_when = DUAL },
  [VG_PERFUSION_OUTPUT_KTRANS_ERROR] = { "ktrans_error", "Error of transfer constant",
                                         "Standard error of the fit.", RATE,
                                         .hints.colormap = "magma", .shown_when = LEAK },
  [VG_PERFUSION_OUTPUT_PLASMA_FLOW_ERROR] = { "plasma_flow_error", "Error of plasma flow",
                                              "Standard error of the fit.", RATE,
                                              .hints.colormap = "magma", .shown_when = PLASMA },
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
                                   "a negative rate or a delay longer than the series.",
                                   "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                   .hints.categories = statuses },
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
  [VG_PERFUSION_OUTPUT_INPUTS] = { "input_curves", "Input curves",
                                   "Times and the input curves as used: artery and portal vein.",
                                   "", .kind = VG_OUTPUT_TEXT },
};

static const VgOutputRole roles[] = {
  { VG_ROLE_ERROR, "ka", "ka_error" },
  { VG_ROLE_ERROR, "kp", "kp_error" },
  { VG_ROLE_ERROR, "kl", "kl_error" },
  { VG_ROLE_ERROR, "tau_a", "tau_a_error" },
  { VG_ROLE_ERROR, "tau_p", "tau_p_error" },
  { VG_ROLE_ERROR, "ktrans", "ktrans_error" },
  { VG_ROLE_ERROR, "plasma_flow", "plasma_flow_error" },
  { VG_ROLE_ERROR, "permeability", "permeability_error" },
  { VG_ROLE_ERROR, "plasma_volume", "plasma_volume_error" },
  { VG_ROLE_ERROR, "interstitial_volume", "interstitial_volume_error" },
  { VG_ROLE_LIMITS_MASK, NULL, "status" },
  { VG_ROLE_AGAINST, "total_inflow", "arterial_fraction" },
  { 0 },
};

static const VgPlot plots[] = {
  { "inputs", "Input curves" },
};

static const VgFind find = {
  vg_perfusion_find_inputs,
  N_ ("Find Vessels and Liver"),
  N_ ("Find the artery (aorta), the portal vein and the liver by their enhancement, unless they "
      "are "
      "marked"),
};

static const VgMemory memory = { vg_perfusion_memory, NULL };

const VgOperation vg_perfusion_operation = {
  .id = "perfusion",
  .title = "Perfusion",
  .summary = "Liver perfusion from a contrast series with two inputs: inflows, outflow, delays and "
             "their errors in every voxel.",
  .citation = "H. Wang, Y. Cao, GPU-accelerated voxelwise hepatic perfusion quantification, Phys. "
              "Med. Biol. 57, 5601 (2012)",
  .input = { .kind = VG_INPUT_DATASET,
             .files = { 1, -1 },
             .channels = { 1, 1 },
             .bins = { 0, 1 },
             .slices = { 2, 0 },
             .frames = { 2, 0 },
             .curves = TRUE,
             .placed_is_volume = TRUE,
             .formats = "series of volumes: DICOM, NIfTI, NRRD, Analyze, TIFF; tables of curves",
             .suffixes = "dcm ima nii nii.gz hdr img nrrd nhdr tif tiff csv tsv txt zip" },
  .params = { params, G_N_ELEMENTS (params), sizeof (VgPerfusionParams) },
  .outputs = outputs,
  .n_outputs = VG_PERFUSION_N_OUTPUTS,
  .roles = roles,
  .plots = plots,
  .n_plots = G_N_ELEMENTS (plots),
  .view = { .first_output = VG_PERFUSION_OUTPUT_TOTAL_INFLOW,
            .opacity = 0.7,
            .keeps_last_map = TRUE,
            .compare_param = "solver",
            .key_metric = "voxels" },
  .cpu = &vg_perfusion_cpu_engine,
  .synthetic = &vg_perfusion_phantom,
  .validate = vg_perfusion_validate,
  .adopt = vg_perfusion_adopt,
  .memory = &memory,
  .find = &find,
};
