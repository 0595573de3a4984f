/* SPDX-License-Identifier: MIT */
#include "kernels/flow/engine/flow-engine.h"
#include "kernels/flow/engine/flow-parts.h"
#include "kernels/flow/model/flow-checks.h"
#include "kernels/flow/model/flow-params.h"
#include "kernels/flow/synthetic/flow-synthetic.h"
#include "kernels/core/vg-operation.h"
/* Laser-speckle flow: its parameter and output tables.  Yang, Cuccia and
 * Choi, J. Biomed. Opt. 16, 016009 (2011); the models are in docs/flow.md. */

#define P VgFlowParams
#define TEMPORAL (1 << VG_FLOW_TEMPORAL)
#define SPATIO_TEMPORAL (1 << VG_FLOW_SPATIO_TEMPORAL)
#define MOVED (1 << VG_FLOW_MOTION_TRANSLATION | 1 << VG_FLOW_MOTION_RIGID)
#define SPATIAL (1 << VG_FLOW_SPATIAL)

static const char *const methods[] = { "spatial", "temporal", "spatio_temporal", NULL };
static const char *const method_labels[] = { "Spatial", "Temporal", "Spatio-temporal", NULL };
static const char *const edges[] = { "shrink", "zero", NULL };
static const char *const edge_labels[] = { "Shrink the window", "Zeros outside", NULL };
static const char *const models[] = { "fercher_briers", "bandyopadhyay", "lorentzian", "gaussian",
                                      NULL };
static const char *const model_labels[] = { "Fercher-Briers (asymptote)",
                                            "Bandyopadhyay (asymptote)", "Lorentzian (exact)",
                                            "Gaussian (exact)", NULL };
static const char *const statics[] = { "none", "global", "measured", NULL };
static const char *const static_labels[] = { "None", "Same everywhere", "Measured per pixel",
                                             NULL };
static const char *const biases[] = { "keep", "correct", "included", NULL };
static const char *const bias_labels[] = { "As measured", "Corrected", "In the coherence factor",
                                           NULL };
static const char *const nonfinites[] = { "stop", "mask", NULL };
static const char *const nonfinite_labels[] = { "Stop with an error", "Exclude these windows",
                                                NULL };

static const char *const motions[] = { "none", "translation", "rigid", NULL };
static const char *const motion_labels[] = { "None", "Translation", "Translation and rotation",
                                             NULL };
static const char *const references[] = { "first", "mean", NULL };
static const char *const reference_labels[] = { "First frame", "Mean of the frames", NULL };

static const VgColumn exposure_columns[] = {
  { .id = "exposure", .label = "Exposure time", .unit = "ms", .def = 5, .min = 1e-3, .max = 1e5 },
  { NULL },
};

static const VgParam params[] = {
  VG_CHOICE_PARAM (P, method, .label = "Method", .group = "Contrast", .choices = methods,
                   .choice_labels = method_labels, .max = VG_FLOW_SPATIO_TEMPORAL,
                   .help = "Samples of a window: neighbouring pixels (fastest), one pixel over "
                           "time (finest detail), or both (least noise)."),
  VG_INT_PARAM (P, radius, .label = "Radius", .unit = "px", .group = "Contrast", .def = 2, .min = 1,
                .max = VG_FLOW_MAX_RADIUS, .slider.step = 1,
                .shown_when = { "method", SPATIAL | SPATIO_TEMPORAL },
                .help = "Half the window: 2 gives 5 x 5 pixels. A larger window is less noisy but "
                        "blurs small vessels."),
  VG_INT_PARAM (P, frames, .label = "Frames", .group = "Contrast", .def = 25, .min = 2,
                .max = VG_FLOW_MAX_FRAMES, .slider.step = 1, .slider.min = 2, .slider.max = 100,
                .shown_when = { "method", TEMPORAL | SPATIO_TEMPORAL },
                .help = "Number of successive frames in a window. More frames reduce noise but "
                        "respond more slowly."),
  VG_INT_PARAM (P, average, .label = "Average", .unit = "maps", .group = "Contrast", .def = 1,
                .min = 1, .max = VG_FLOW_MAX_AVERAGE, .slider.step = 1, .slider.min = 1,
                .slider.max = 32,
                .help = "Number of successive maps over which K\302\262 is averaged."),
  VG_CHOICE_PARAM (P, edges, .label = "Edges", .group = "Contrast", .advanced = TRUE,
                   .choices = edges, .choice_labels = edge_labels, .max = VG_FLOW_EDGES_ZERO,
                   .shown_when = { "method", SPATIAL | SPATIO_TEMPORAL },
                   .help = "At the border of the image, use only the pixels that exist, or count "
                           "zeros outside as the 2011 paper did."),
  VG_FLOAT_PARAM (
      P, exposure_ms, .label = "Exposure time", .unit = "ms", .group = "Flow", .def = 10,
      .min = 1e-3, .max = 1e5, .slider.min = 0.1, .slider.max = 100, .slider.log_scale = TRUE,
      .help = "Exposure time of the camera. Flow index and correlation time depend on it."),
  VG_TABLE_PARAM (
      P, exposures, .label = "Exposures", .group = "Flow", .table.columns = exposure_columns,
      .table.max_rows = 32,
      .help = "Exposure times of successive frames, if the camera changes them in a "
              "cycle; the first frame has the first. Correlation time, coherence factor "
              "and dynamic fraction are then fitted to them. Empty: one exposure time."),
  VG_INT_PARAM (P, cycles, .label = "Cycles", .group = "Flow", .def = 10, .min = 1, .max = 1000,
                .slider.min = 1, .slider.max = 100, .slider.step = 1,
                .shown_when = { "exposures", 1 << TRUE },
                .help = "Number of cycles of exposures over which K\302\262 is averaged."),
  VG_CHOICE_PARAM (P, model, .label = "Model", .group = "Flow", .choices = models,
                   .choice_labels = model_labels, .def = VG_FLOW_LORENTZIAN,
                   .max = VG_FLOW_GAUSSIAN,
                   .help = "Lorentzian for disordered, Gaussian for ordered motion. The two "
                           "asymptotes hold for fast flow only."),
  VG_FLOAT_PARAM (P, beta, .label = "Coherence factor", .group = "Flow", .def = 1, .min = 0.01,
                  .max = 1, .slider.step = 0.01,
                  .help = "K\302\262 of a static target, measured with the same window; 1 for an "
                          "ideal instrument."),
  VG_CHOICE_PARAM (P, window_bias, .label = "Window bias", .group = "Flow", .choices = biases,
                   .choice_labels = bias_labels, .max = VG_FLOW_WINDOW_INCLUDED,
                   .shown_when = { "method", SPATIAL | SPATIO_TEMPORAL },
                   .help = "Small windows contain few speckles, so correlation times read low. "
                           "Corrected compensates for this, using the measured speckle size. If "
                           "the coherence factor was measured with the same window, choose In the "
                           "coherence factor."),
  VG_CHOICE_PARAM (P, static_scattering, .label = "Static scattering", .group = "Flow",
                   .choices = statics, .choice_labels = static_labels,
                   .max = VG_FLOW_STATIC_MEASURED,
                   .help = "Light scattered by static tissue, such as the skull, raises contrast: "
                           "ignore it, set its fraction, or measure it."),
  VG_FLOAT_PARAM (P, dynamic_fraction, .label = "Dynamic fraction", .group = "Flow", .def = 0.8f,
                  .min = 0.05, .max = 1, .slider.step = 0.01,
                  .shown_when = { "static_scattering", 1 << VG_FLOW_STATIC_GLOBAL },
                  .help = "Fraction of the light scattered by moving blood cells; 1 means no "
                          "static scattering."),
  VG_ACTION_PARAM (P, set_baseline, .label = "Set baseline", .group = "Baseline",
                   .help = "Make the current flow 100 % of relative flow."),
  VG_INT_PARAM (P, baseline_frames, .label = "Baseline length", .unit = "maps", .group = "Baseline",
                .min = 0, .max = VG_FLOW_MAX_BASELINE, .slider.step = 1, .slider.max = 200,
                .auto_metric = "baseline_maps",
                .help = "Number of maps in the baseline. 0: one second, or 25 maps if the frame "
                        "interval is unknown."),
  VG_BOOL_PARAM (P, calibrated, .label = "Calibrated perfusion", .group = "Baseline",
                 .help = "Adds a map of the flow index between two measured values: 0 % without "
                         "flow, 100 % at the reference."),
  VG_FLOAT_PARAM (
      P, zero_index, .label = "Zero flow index", .unit = "1/s", .group = "Baseline", .min = 0,
      .max = 1e9, .slider.max = 1000, .slider.step = 1, .shown_when = { "calibrated", 1 << TRUE },
      .slider.mean_of = "flow_index",
      .help = "Mean flow index of a region while its blood stands still, such as during "
              "occlusion, or of a static target."),
  VG_FLOAT_PARAM (P, reference_index, .label = "Reference flow index", .unit = "1/s",
                  .group = "Baseline", .def = 1000, .min = 0, .max = 1e9, .slider.min = 10,
                  .slider.max = 1e5, .slider.log_scale = TRUE, .slider.mean_of = "flow_index",
                  .shown_when = { "calibrated", 1 << TRUE },
                  .help = "Mean flow index that counts as 100 %, such as at rest or of a "
                          "calibration fluid, with the same settings."),
  VG_CHOICE_PARAM (P, motion, .label = "Motion correction", .group = "Motion", .choices = motions,
                   .choice_labels = motion_labels, .max = VG_FLOW_MOTION_RIGID,
                   .help = "Moves each frame back to where the tissue was in the reference frame. "
                           "The frames need structure that moves with the tissue, such as hair, "
                           "marks or dark vessels."),
  VG_CHOICE_PARAM (P, motion_reference, .label = "Reference", .group = "Motion",
                   .choices = references, .choice_labels = reference_labels,
                   .max = VG_FLOW_REFERENCE_MEAN, .shown_when = { "motion", MOVED },
                   .help = "What frames are compared with: the first frame, or the mean of the "
                           "frames so far, which has less noise."),
  VG_BOOL_PARAM (P, pulse, .label = "Pulse", .group = "Pulse",
                 .help = "Finds the pulse rate and averages the beats of each pixel. It needs the "
                         "frame interval, and at least four frames per beat."),
  VG_FLOAT_PARAM (P, rate_min, .label = "Lowest rate", .unit = "1/min", .group = "Pulse", .def = 40,
                  .min = 5, .max = 1500, .slider.min = 20, .slider.max = 600, .slider.step = 1,
                  .shown_when = { "pulse", 1 << TRUE },
                  .help = "Lower end of the range in which the pulse is looked for. Keep it above "
                          "the rate of breathing."),
  VG_FLOAT_PARAM (P, rate_max, .label = "Highest rate", .unit = "1/min", .group = "Pulse",
                  .def = 200, .min = 5, .max = 1500, .slider.min = 20, .slider.max = 800,
                  .slider.step = 1, .shown_when = { "pulse", 1 << TRUE },
                  .help = "Upper end of the range; 200 for humans, 700 for rodents."),
  VG_INT_PARAM (P, beats, .label = "Beats", .group = "Pulse", .def = 20, .min = 1, .max = 1000,
                .slider.min = 1, .slider.max = 60, .slider.step = 1,
                .shown_when = { "pulse", 1 << TRUE },
                .help = "Number of beats over which the averaged beat extends; earlier beats have "
                        "less weight."),
  VG_FLOAT_PARAM (P, dark_level, .label = "Dark level", .unit = "DN", .group = "Camera", .min = 0,
                  .max = 1e9, .slider.max = 256, .slider.step = 1,
                  .help = "Grey level of the camera with the lens covered; it is subtracted from "
                          "every sample."),
  VG_FILE_PARAM (P, dark_file, .label = "Dark frame", .group = "Camera",
                 .file.kinds = VG_FILE_IMAGE,
                 .help = "Image or stack recorded with the lens covered; a stack is averaged. It "
                         "replaces the dark level."),
  VG_FLOAT_PARAM (P, gain_dn_per_e, .label = "Gain", .unit = "DN/e-", .group = "Camera", .min = 0,
                  .max = 1e4, .slider.max = 2, .slider.step = 0.01, .zero = "Not corrected",
                  .help = "Grey levels per electron, from the camera's data sheet, to correct for "
                          "photon noise; 0: no correction."),
  VG_FLOAT_PARAM (P, read_noise_dn, .label = "Read noise", .unit = "DN", .group = "Camera",
                  .min = 0, .max = 1e6, .slider.max = 20, .slider.step = 0.1,
                  .zero = "Not corrected",
                  .help = "Standard deviation of a dark frame, to correct for the camera's own "
                          "noise; 0: no correction."),
  VG_BOOL_PARAM (P, quantisation, .label = "Quantisation noise", .group = "Camera",
                 .advanced = TRUE,
                 .help = "Also corrects for rounding to whole grey levels, which matters for dark "
                         "8-bit images."),
  VG_BOOL_PARAM (P, mask_saturated, .label = "Saturation mask", .group = "Camera",
                 .help = "Excludes windows that contain a saturated pixel, where flow would be "
                         "overestimated."),
  VG_DOUBLE_PARAM (
      P, saturation_level, .label = "Saturation level", .unit = "DN", .group = "Camera",
      .advanced = TRUE, .min = 0, .max = 4294967295.0, .slider.max = 65535, .slider.step = 1,
      .zero = "Automatic",
      .help = "Grey level from which a pixel counts as saturated; 0: the camera's largest value."),
  VG_CHOICE_PARAM (P, nonfinite, .label = "Invalid samples", .group = "Camera", .advanced = TRUE,
                   .choices = nonfinites, .choice_labels = nonfinite_labels,
                   .max = VG_FLOW_NONFINITE_MASK,
                   .help = "What to do with samples of float images that are NaN or infinite."),
};

static const VgCondition one_exposure = { "exposures", 1 << FALSE };

static const VgOutput outputs[VG_FLOW_N_OUTPUTS] = {
  [VG_FLOW_OUTPUT_CONTRAST] = { "contrast", "Speckle contrast",
                                "Standard deviation divided by mean, after corrections; low where "
                                "blood flows fast.",
                                "", .hints.colormap = "gray", .time_course = TRUE,
                                .mixing_power = 2 },
  [VG_FLOW_OUTPUT_FLOW_INDEX] = { "flow_index", "Flow index",
                                  "Speckle flow index, 1 / (2 T K\302\262); it grows with the "
                                  "speed of the blood.",
                                  "1/s", .hints.colormap = "inferno", .hints.log_scale = TRUE,
                                  .time_course = TRUE, .mixing_power = -1 },
  [VG_FLOW_OUTPUT_CORRELATION_TIME] = { "correlation_time", "Correlation time",
                                        "Time over which the speckle pattern decorrelates, by the "
                                        "chosen model.",
                                        "ms", .hints.colormap = "viridis", .hints.log_scale = TRUE,
                                        .time_course = TRUE },
  [VG_FLOW_OUTPUT_RELATIVE_FLOW] = { "relative_flow", "Relative flow",
                                     "Flow index as a percentage of the baseline.", "%",
                                     .hints.colormap = "coolwarm", .hints.diverging = TRUE,
                                     .hints.centre = 100, .time_course = TRUE, .mixing_power = -1,
                                     .shown_when = { "exposures", 1 << FALSE } },
  [VG_FLOW_OUTPUT_STATIC_FRACTION] = { "static_fraction", "Static fraction",
                                       "Fraction of the light scattered by static tissue, from the "
                                       "correlation of successive frames.",
                                       "", .hints.colormap = "cividis" },
  [VG_FLOW_OUTPUT_INTENSITY] = { "intensity", "Raw speckle",
                                 "The camera's frame after subtraction of the dark level.", "DN",
                                 .hints.colormap = "gray", .view_only = TRUE },
  [VG_FLOW_OUTPUT_MOTION] = { "motion", "Motion",
                              "Displacement and rotation of each frame against the reference "
                              "frame.",
                              "", .kind = VG_OUTPUT_TEXT, .shown_when = { "motion", MOVED } },
  [VG_FLOW_OUTPUT_PULSATILITY] = { "pulsatility", "Pulsatility index",
                                   "Highest minus lowest flow of the averaged beat, divided by its "
                                   "mean; 0 where no pulse is above the noise.",
                                   "", .hints.colormap = "inferno",
                                   .shown_when = { "pulse", 1 << TRUE } },
  [VG_FLOW_OUTPUT_RESISTANCE] = { "resistance", "Resistance index",
                                  "Highest minus lowest flow of the averaged beat, divided by the "
                                  "highest.",
                                  "", .hints.colormap = "inferno",
                                  .shown_when = { "pulse", 1 << TRUE } },
  [VG_FLOW_OUTPUT_BEAT] = { "beat", "Averaged beat",
                            "Flow of the whole image over the averaged beat.", "",
                            .kind = VG_OUTPUT_TEXT, .shown_when = { "pulse", 1 << TRUE } },
  [VG_FLOW_OUTPUT_FIT_TAU] = { "fit_correlation_time", "Fitted correlation time",
                               "Correlation time that explains the contrast at all exposures.",
                               "ms", .hints.colormap = "viridis", .hints.log_scale = TRUE,
                               .shown_when = { "exposures", 1 << TRUE } },
  [VG_FLOW_OUTPUT_FIT_BETA] = { "fit_coherence_factor", "Fitted coherence factor",
                                "Coherence factor from the contrast at all exposures.", "",
                                .hints.colormap = "cividis",
                                .shown_when = { "exposures", 1 << TRUE } },
  [VG_FLOW_OUTPUT_FIT_RHO] = { "fit_dynamic_fraction", "Fitted dynamic fraction",
                               "Fraction of the light scattered by moving blood cells, from the "
                               "contrast at all exposures.",
                               "", .hints.colormap = "cividis",
                               .shown_when = { "exposures", 1 << TRUE } },
  [VG_FLOW_OUTPUT_PERFUSION] = { "perfusion", "Calibrated perfusion",
                                 "Flow index between the zero and the reference of the "
                                 "calibration.",
                                 "%", .hints.colormap = "inferno",
                                 .shown_when = { "calibrated", 1 << TRUE, &one_exposure } },
};

static const VgOutputRole roles[] = {
  { VG_ROLE_BASELINE, NULL, "relative_flow" },
  { VG_ROLE_NUMERATOR, "relative_flow", "flow_index" },
  { VG_ROLE_AGAINST, "flow_index", "intensity" },
  { 0 },
};

static const VgPlot plots[] = {
  { "contrast_histogram", "Distribution of contrast" },
  { "contrast_model", "Contrast model" },
  { "motion", "Motion", .needs = { "motion", MOVED } },
  { "beat", "Averaged beat", .needs = { "pulse", 1 << TRUE } },
  { "rate", "Pulse rate", .needs = { "pulse", 1 << TRUE } },
};

static const VgMemory memory = { vg_flow_parts_memory, NULL };

static const char *const over_time[] = { "method=spatio_temporal", "frames=100", NULL };

static const VgExample examples[] = {
  { "flow/pylsci_spatial.tif", "Fingertip",
    "One speckle image of a fingertip, 1280 x 1024 pixels: spatial contrast shows its vessels.",
    "pylsci, GitHub pkeilbach/pylsci", "MIT" },
  { "flow/pylsci_temporal_000-499.tif", "Fingertip, 500 Frames",
    "64 x 64 pixels of a fingertip. Spatio-temporal contrast over 100 frames shows a vessel.",
    "pylsci, GitHub pkeilbach/pylsci", "MIT", over_time },
  { NULL },
};

const VgOperation vg_flow_operation = {
  .id = "flow",
  .title = "Flow",
  .summary = "Blood flow from laser speckle: contrast, flow index, correlation time and relative "
             "flow of every frame.",
  .citation = "O. Yang, D. Cuccia, B. Choi, Real-time blood flow visualization using the graphics "
              "processing unit, J. Biomed. Opt. 16, 016009 (2011)",
  .input = { .kind = VG_INPUT_STREAM,
             .files = { 1, -1 },
             .channels = { 1, 1 },
             .bins = { 0, 1 },
             .slices = { 0, 1 },
             .placed_is_volume = TRUE,
             .formats = "TIFF stacks, image series, RLS and FOIL recordings, raw frames",
             .suffixes = "tif tiff png jpg jpeg rls raw bin dat zip",
             .history = vg_flow_history,
             .exposure_cycle = { "exposures", 1 << TRUE } },
  .params = { params, G_N_ELEMENTS (params), sizeof (VgFlowParams) },
  .outputs = outputs,
  .n_outputs = VG_FLOW_N_OUTPUTS,
  .roles = roles,
  .plots = plots,
  .n_plots = G_N_ELEMENTS (plots),
  .view = { .first_output = VG_FLOW_OUTPUT_FLOW_INDEX, .key_metric = "mean_contrast" },
  .cpu = &vg_flow_cpu_engine,
  .synthetic = &vg_flow_phantom,
  .validate = vg_flow_validate,
  .adopt = vg_flow_adopt,
  .memory = &memory,
  .examples = examples,
};
