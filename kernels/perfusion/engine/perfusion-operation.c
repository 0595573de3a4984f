/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/perfusion/model/perfusion-t1.h"
#include "kernels/perfusion/vessels/perfusion-find.h"
#include <glib/gi18n.h>
/* Liver perfusion: its parameter table.  Wang and Cao, Phys. Med.
 * Biol. 57 (2012); models and solvers are in docs/perfusion.md. */

#define P VgPerfusionParams
#define MRI                                                                                        \
  (1 << VG_PERFUSION_SIGNAL_LINEAR | 1 << VG_PERFUSION_SIGNAL_GRADIENT_ECHO |                      \
   1 << VG_PERFUSION_SIGNAL_SATURATION)
#define ECHO (1 << VG_PERFUSION_SIGNAL_GRADIENT_ECHO)
#define SATURATION (1 << VG_PERFUSION_SIGNAL_SATURATION)
#define IODINE (1 << VG_PERFUSION_SIGNAL_CT)
#define CT (IODINE | 1 << VG_PERFUSION_SIGNAL_HU)
#define PAPER VG_INIT ("solver", 1 << VG_PERFUSION_SOLVER_PAPER)
#define DEFAULT VG_INIT ("solver", 1 << VG_PERFUSION_SOLVER_DEFAULT)

#define RESPONSE VG_INIT ("model", 1 << VG_PERFUSION_DECONVOLUTION)
#define DUAL VG_INIT ("inputs", 1)
static const VgCondition dual = DUAL;
#define DUAL_RESPONSE VG_INIT ("model", 1 << VG_PERFUSION_DECONVOLUTION, &dual)

static const char *const models[] = { "compartment", "extended_tofts", "patlak", "uptake",
                                      "exchange",    "deconvolution",  "best",   NULL };
static const char *const model_labels[] = {
  "One compartment",          "Extended Tofts", "Patlak",      "Two-compartment uptake",
  "Two-compartment exchange", "Deconvolution",  "Best of all", NULL
};
static const char *const regularisations[] = { "tikhonov", "truncated", NULL };
static const char *const regularisation_labels[] = { "Tikhonov", "Truncated SVD", NULL };
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
static const char *const signals[] = { "linear", "gradient_echo", "saturation", "ct",
                                       "hu",     "concentration", NULL };
static const char *const signal_labels[] = { "MRI, linear",
                                             "MRI, spoiled gradient echo",
                                             "MRI, saturation recovery",
                                             "CT, iodine in mg/ml",
                                             "CT, enhancement in HU",
                                             "Concentration",
                                             NULL };
static const char *const t1_methods[] = { "auto",        "flip_angles", "inversion",
                                          "look_locker", "saturation",  NULL };
static const char *const t1_method_labels[] = { "Automatic",           "Flip angles",
                                                "Inversion recovery",  "Look-Locker",
                                                "Saturation recovery", NULL };
static const char *const b1_units[] = { "percent", "fraction", NULL };
static const char *const b1_unit_labels[] = { "Per cent", "Fraction", NULL };
static const char *const solvers[] = { "default", "paper", NULL };
static const char *const solver_labels[] = { "Dictionary and projection", "Nelder-Mead (2012)",
                                             NULL };
static const char *const convolutions[] = { "block", "fft", "recursion", "trapezoid", NULL };
static const char *const convolution_labels[] = { "Block-FFT", "Padded FFT", "Recursion",
                                                  "Recursion, trapezoids", NULL };

static const char *const motions[] = { "off", "volume", "slices", "deformation", NULL };
static const char *const motion_labels[] = { "Off", "Whole volume", "Each slice",
                                             "Free-form deformation", NULL };
static const char *const rate_units[] = { "per_100g", "per_ml", "per_s", NULL };
static const char *const rate_unit_labels[] = { "By weight, ml/100g/min", "By volume, ml/ml/min",
                                                "Per second, 1/s", NULL };
static const VgColumn angle_columns[] = { { "angle", "Angle", "\302\260", 10, 0.01, 180 },
                                          { NULL } };
static const VgColumn time_columns[] = { { "time", "Time", "ms", 100, 0.01, 1e5 }, { NULL } };
static const VgColumn weight_columns[] = {
  { "frame", "Frame", "", 1, 1, VG_PERFUSION_MAX_FRAMES },
  { "weight", "Weight", "", 0, 0, 1e6 },
  { NULL },
};

static const VgCondition mri = { "signal", MRI };

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
                   .choice_labels = model_labels, .max = VG_PERFUSION_BEST,
                   .help = "Tissue model: one compartment (Tofts, with the artery alone), a "
                           "model with a plasma compartment, none (deconvolution), or in each "
                           "voxel the one that the data prefer."),
  VG_FLOAT_PARAM (P, significance, .label = "Significance level", .group = "Model", .def = 0.01f,
                  .min = 0, .max = 1, .slider.max = 0.1, .slider.step = 0.005,
                  .shown_when = VG_INIT ("model", 1 << VG_PERFUSION_BEST),
                  .help = "A model with more parameters is preferred only if an F test rejects the "
                          "simpler ones at this level. 1 uses AICc alone."),
  VG_CHOICE_PARAM (P, inputs, .label = "Inputs", .group = "Model", .choices = inputs,
                   .choice_labels = input_labels, .max = 1,
                   .help = "The liver has an arterial and a portal venous input; other organs have "
                           "an arterial input alone."),
  VG_CHOICE_PARAM (P, delays, .label = "Transit delays", .group = "Model", .choices = delays,
                   .choice_labels = delay_labels, .max = VG_PERFUSION_DELAYS_NONE,
                   .help = "Transit time from the measured inputs to the tissue: fitted for each "
                           "input, one for both, or none."),
  VG_CHOICE_PARAM (P, regularisation, .label = "Regularisation", .group = "Model",
                   .choices = regularisations, .choice_labels = regularisation_labels,
                   .max = VG_PERFUSION_TRUNCATED_SVD, .shown_when = RESPONSE,
                   .help = "How deconvolution suppresses noise: Tikhonov prefers smooth impulse "
                           "responses, truncated SVD leaves out small singular values."),
  VG_FLOAT_PARAM (P, singular_percent, .label = "Singular value limit", .unit = "%",
                  .group = "Model", .min = 0, .max = 100, .slider.max = 40, .slider.step = 0.5,
                  .shown_when = RESPONSE, .zero = "By cross-validation",
                  .help = "Singular values below this percentage of the largest are damped "
                          "(Tikhonov) or left out (truncated SVD). Usual are 0.1 to 1 % with "
                          "Tikhonov and 5 to 20 % with truncated SVD. 0 chooses the limit in each "
                          "voxel."),
  VG_FLOAT_PARAM (P, artery_percent, .label = "Arterial part of the input", .unit = "%",
                  .group = "Model", .def = 25, .min = 0, .max = 100, .slider.max = 100,
                  .slider.step = 1, .shown_when = DUAL_RESPONSE,
                  .help = "Deconvolution has one input: a mixture of artery and portal vein with "
                          "this percentage of the artery."),
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
  VG_FILE_PARAM (P, t1_series, .per_dataset = TRUE, .label = "T1 series", .group = "Signal",
                 .file.kinds = VG_FILE_IMAGE, .file.multiple = TRUE,
                 .shown_when = { "signal", MRI },
                 .help = "Images before contrast at several flip angles, inversion times or "
                         "saturation delays, from which T1 is computed: one file, or one for each "
                         "image."),
  VG_CHOICE_PARAM (P, t1_method, .per_dataset = TRUE, .label = "T1 method", .group = "Signal",
                   .choices = t1_methods, .choice_labels = t1_method_labels,
                   .max = VG_PERFUSION_T1_SATURATION, .shown_when = { "t1_series", 2, &mri },
                   .help = "How the T1 series was recorded. Automatic: inversion recovery if "
                           "inversion times are known, else flip angles."),
  VG_TABLE_PARAM (P, flip_angles, .per_dataset = TRUE, .label = "Flip angles", .group = "Signal",
                  .table.columns = angle_columns, .table.max_rows = 64,
                  .shown_when = { "t1_series", 2, &mri },
                  .help = "Angles of the T1 series, in the order of its frames. If empty, they "
                          "come from the files or from files beside them (.json, .xtr)."),
  VG_TABLE_PARAM (P, t1_times, .per_dataset = TRUE, .label = "T1 times", .group = "Signal",
                  .table.columns = time_columns, .table.max_rows = 64,
                  .shown_when = { "t1_series", 2, &mri },
                  .help = "Inversion times or saturation delays of the T1 series, in the order of "
                          "its frames. If empty, they come from the files."),
  VG_FILE_PARAM (P, b1_file, .per_dataset = TRUE, .label = "B1 map", .group = "Signal",
                 .file.kinds = VG_FILE_IMAGE, .shown_when = { "signal", MRI },
                 .help = "Actual flip angle of every voxel relative to the nominal one: an image "
                         "of the same size. It corrects T1 and concentration."),
  VG_CHOICE_PARAM (P, b1_unit, .per_dataset = TRUE, .label = "Unit of B1", .group = "Signal",
                   .choices = b1_units, .choice_labels = b1_unit_labels,
                   .max = VG_PERFUSION_B1_FRACTION, .shown_when = { "b1_file", 2, &mri },
                   .help = "Whether the B1 map is 100 (per cent) or 1 (fraction) where the flip "
                           "angle is the nominal one."),
  VG_FLOAT_PARAM (P, repetition_ms, .per_dataset = TRUE, .label = "Repetition time", .unit = "ms",
                  .group = "Signal", .def = 4, .min = 0.01, .max = 1e5, .slider.min = 1,
                  .slider.max = 50, .slider.step = 0.1, .shown_when = { "signal", MRI },
                  .help = "TR of the gradient echo. A T1 series at several flip angles uses the TR "
                          "in its own files, if they give one."),
  VG_FLOAT_PARAM (P, flip_deg, .per_dataset = TRUE, .label = "Flip angle", .unit = "\302\260",
                  .group = "Signal", .def = 15, .min = 0.1, .max = 179, .slider.min = 1,
                  .slider.max = 90, .slider.step = 1, .shown_when = { "signal", ECHO },
                  .help = "Flip angle of the contrast series."),
  VG_FLOAT_PARAM (P, saturation_ms, .per_dataset = TRUE, .label = "Saturation delay", .unit = "ms",
                  .group = "Signal", .def = 100, .min = 0.1, .max = 1e5, .slider.min = 10,
                  .slider.max = 1000, .slider.step = 1, .shown_when = { "signal", SATURATION },
                  .help = "Time from the saturation pulse to the centre of k-space in the contrast "
                          "series."),
  VG_FLOAT_PARAM (P, echo_ms, .per_dataset = TRUE, .label = "Echo time", .unit = "ms",
                  .group = "Signal", .min = 0, .max = 1e4, .slider.max = 20, .slider.step = 0.1,
                  .zero = "Unknown", .shown_when = { "signal", MRI },
                  .help = "TE of the contrast series, to check how much signal the artery loses "
                          "to T2* decay."),
  VG_FLOAT_PARAM (P, hu_per_mg_ml, .label = "HU per mg/ml", .group = "Signal", .def = 25,
                  .min = 0.1, .max = 1000, .slider.min = 1, .slider.max = 60, .slider.step = 1,
                  .shown_when = { "signal", IODINE },
                  .help = "Increase of the CT number per mg/ml of iodine."),
  VG_INT_PARAM (P, baseline_first, .per_dataset = TRUE, .label = "First baseline frame",
                .group = "Signal", .def = 1, .min = 1, .max = VG_PERFUSION_MAX_FRAMES,
                .slider.min = 1, .slider.max = 100, .slider.step = 1,
                .shown_when = { "signal", MRI | CT },
                .help = "Number of the first frame before the bolus, counted from 1."),
  VG_INT_PARAM (
      P, baseline_last, .per_dataset = TRUE, .label = "Last baseline frame",
      .group = "Signal", .min = 0, .max = VG_PERFUSION_MAX_FRAMES, .slider.max = 100,
      .slider.step = 1, .shown_when = { "signal", MRI | CT }, .zero = "Automatic",
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
  VG_CHOICE_PARAM (
      P, motion, .label = "Motion correction", .group = "Frames", .choices = motions,
      .choice_labels = motion_labels, .max = VG_PERFUSION_MOTION_DEFORMATION,
      .help = "Moves each frame to where it agrees best with the others: the volume as "
              "a whole, each slice in its plane, or the volume and then a smooth "
              "deformation. Frames that then still do not agree are left out of the fit."),
  VG_FLOAT_PARAM (P, motion_spacing_mm, .label = "Control point spacing", .unit = "mm",
                  .group = "Frames", .def = 20, .min = 5, .max = 500, .slider.min = 10,
                  .slider.max = 60, .slider.step = 1, .advanced = TRUE,
                  .shown_when = { "motion", 1 << VG_PERFUSION_MOTION_DEFORMATION },
                  .help = "Distance between the control points of the deformation, in voxels if "
                          "their size is not known. Closer points follow finer deformations, but "
                          "also more noise."),
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
                  .help = "Upper bound of kl. The rate of the uptake model, and the faster rate of "
                          "the exchange model, may reach eight times this value."),
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

static const VgPlot plots[] = {
  { "inputs", "Input curves" },
  { "motion", "Displacement",
    .needs = VG_INIT ("motion", 1 << VG_PERFUSION_MOTION_VOLUME | 1 << VG_PERFUSION_MOTION_SLICES |
                                    1 << VG_PERFUSION_MOTION_DEFORMATION) },
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
  .outputs = vg_perfusion_outputs,
  .n_outputs = VG_PERFUSION_N_OUTPUTS,
  .roles = vg_perfusion_roles,
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
  .on_params_changed = vg_perfusion_follow,
  .memory = &memory,
  .find = &find,
};
