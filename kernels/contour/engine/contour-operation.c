/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/engine/contour-run.h"
#include "kernels/contour/engine/contour-calibration.h"
#include "kernels/contour/synthetic/contour-synthetic.h"
/* Overlapping nuclei by level sets: the parameter and output tables.  Ali and
 * Madabhushi, J. Pathol. Inform. 2, S13 (2011); the model is in docs/contour.md. */

#define P VgContourParams
#define STAINS_LEFT_OUT                                                                            \
  (1 << VG_CONTOUR_RED | 1 << VG_CONTOUR_GREEN | 1 << VG_CONTOUR_BLUE | 1 << VG_CONTOUR_GREY)
#define DETECTORS                                                                                  \
  (1 << VG_CONTOUR_SEEDS_AUTOMATIC | 1 << VG_CONTOUR_SEEDS_LOG | 1 << VG_CONTOUR_SEEDS_RADIAL |    \
   1 << VG_CONTOUR_SEEDS_WATERSHED)

static const char *const channels[] = { "haematoxylin", "eosin", "dab",  "macenko_1", "macenko_2",
                                        "red",          "green", "blue", "grey",      NULL };
static const char *const channel_labels[] = {
  "Haematoxylin", "Eosin", "DAB", "Haematoxylin (Macenko)", "Eosin (Macenko)", "Red", "Green",
  "Blue",         "Grey",  NULL
};
static const char *const polarities[] = { "automatic", "bright", "dark", NULL };
static const char *const polarity_labels[] = { "Automatic", "Bright nuclei", "Dark nuclei", NULL };
static const char *const seedings[] = { "automatic", "log", "radial", "watershed", "given", NULL };
static const char *const seeding_labels[] = { "Automatic",       "Laplacian of Gaussian",
                                              "Radial symmetry", "Watershed",
                                              "Given only",      NULL };
static const char *const forces[] = { "learned", "classical", NULL };
static const char *const force_labels[] = { "Learned", "Classical", NULL };
static const char *const means[] = { "local", "global", NULL };
static const char *const mean_labels[] = { "Around each nucleus", "Of the whole image", NULL };
static const char *const steps[] = { "adaptive", "fixed", NULL };
static const char *const step_labels[] = { "Adaptive", "Fixed", NULL };
static const char *const grids[] = { "tiles", "full", NULL };
static const char *const grid_labels[] = { "A tile per nucleus", "The whole image", NULL };
static const char *const matters[] = { "Glass", "Tissue", "Pen ink", "Fold or keratin", NULL };
static const VgColumn point_columns[] = {
  { "x", "X", "px", 0, -1e7, 1e7 },
  { "y", "Y", "px", 0, -1e7, 1e7 },
  { NULL },
};

static const VgParam params[] = {
  VG_CHOICE_PARAM (P, stain, .label = "Stain", .group = "Image", .choices = channels,
                   .choice_labels = channel_labels, .max = VG_CONTOUR_GREY,
                   .help = "Stain or colour channel that shows the nuclei. Macenko estimates the "
                           "stain colours. Grey images are used as they are."),
  VG_CHOICE_PARAM (P, polarity, .label = "Polarity", .group = "Image", .choices = polarities,
                   .choice_labels = polarity_labels, .max = VG_CONTOUR_POLARITY_DARK,
                   .advanced = TRUE, .shown_when = { "stain", STAINS_LEFT_OUT },
                   .help = "Whether nuclei are brighter or darker than their surroundings, for a "
                           "channel that is not a stain."),
  VG_FLOAT_PARAM (
      P, smoothing_px, .label = "Smoothing", .unit = "px", .group = "Image", .def = 0, .min = 0,
      .max = 20, .slider.max = 5, .slider.min = 0, .slider.step = 0.1f, .advanced = TRUE,
      .zero = "Automatic",
      .help = "Standard deviation of a Gaussian filter; 0: a tenth of the radius, at least 1 px."),
  VG_FLOAT_PARAM (P, radius_px, .label = "Radius", .unit = "px", .group = "Seeds", .def = 0,
                  .min = 0, .max = VG_CONTOUR_MAX_RADIUS, .slider.min = 0, .slider.max = 60,
                  .slider.step = 0.5f, .auto_metric = "radius_px",
                  .help = "Radius of a typical nucleus; 0 measures it. Seeds, sizes and weights "
                          "scale with it."),
  VG_CHOICE_PARAM (P, seeding, .label = "Seed detection", .group = "Seeds", .choices = seedings,
                   .choice_labels = seeding_labels, .max = VG_CONTOUR_SEEDS_GIVEN,
                   .help = "How seeds are found, unless there is a seed file. Automatic uses the "
                           "areas that look most like a nucleus."),
  VG_FLOAT_PARAM (P, sensitivity, .label = "Sensitivity", .group = "Seeds", .def = 0.5, .min = 0,
                  .max = 1, .slider.step = 0.01f, .shown_when = { "seeding", DETECTORS },
                  .help = "Higher values find fainter nuclei, lower values only the clearest."),
  VG_FILE_PARAM (
      P, seeds, .per_dataset = TRUE, .label = "Seed file", .group = "Seeds",
      .file.kinds = VG_FILE_IMAGE | VG_FILE_TEXT,
      .help = "Points or polygons as GeoJSON in pixels, or a label image; each gives one seed."),
  VG_TABLE_PARAM (
      P, added, .per_dataset = TRUE, .label = "Added seeds", .group = "Seeds",
      .table.columns = point_columns, .table.max_rows = 65536, .table.points = VG_POINTS_SET,
      .help = "Positions of seeds added by hand, with the point tool or in this table."),
  VG_TABLE_PARAM (
      P, removed, .per_dataset = TRUE, .label = "Removed seeds", .group = "Seeds",
      .table.columns = point_columns, .table.max_rows = 65536, .table.points = VG_POINTS_TAKEN_OUT,
      .help = "Positions at which the nearest automatic seed within half a radius is removed."),
  VG_CHOICE_PARAM (P, force, .label = "Force", .group = "Forces", .choices = forces,
                   .choice_labels = force_labels, .max = VG_CONTOUR_FORCE_CLASSICAL,
                   .help = "Learned: contours evolve on a map of nuclei from a trained network. "
                           "Classical: contours evolve on the stain."),
  VG_FLOAT_PARAM (P, region_weight, .label = "Region weight", .group = "Forces", .def = 1, .min = 0,
                  .max = 10, .slider.max = 4, .slider.min = 0, .slider.step = 0.05f,
                  .help = "Weight of the difference between nucleus and surroundings."),
  VG_FLOAT_PARAM (
      P, lambda_in, .label = "Inside weight", .group = "Forces", .def = 1, .min = 0, .max = 10,
      .slider.max = 4, .slider.min = 0, .slider.step = 0.05f,
      .help = "Weight of inside pixels that differ from the nucleus: they push the contour in."),
  VG_FLOAT_PARAM (
      P, lambda_out, .label = "Outside weight", .group = "Forces", .def = 1, .min = 0, .max = 10,
      .slider.max = 4, .slider.min = 0, .slider.step = 0.05f,
      .help = "Weight of pixels that differ from the surroundings: they pull the contour out."),
  VG_FLOAT_PARAM (P, prior_weight, .label = "Shape prior", .group = "Forces", .def = 0.005f,
                  .min = 0, .max = 2, .slider.max = 0.2, .slider.min = 0, .slider.step = 0.001f,
                  .help = "Weight of the elliptical shape prior, which carries contours through "
                          "overlaps; for a radius of 10 px."),
  VG_FLOAT_PARAM (
      P, curvature, .label = "Smoothness", .group = "Forces", .def = 0.01f, .min = 0, .max = 2,
      .slider.max = 0.5, .slider.min = 0, .slider.step = 0.005f,
      .help = "Weight of the curvature, which straightens a contour; for a radius of 10 px."),
  VG_FLOAT_PARAM (P, overlap_penalty, .label = "Overlap penalty", .group = "Forces", .def = 0.02f,
                  .min = 0, .max = 2, .slider.max = 0.5, .slider.min = 0, .slider.step = 0.005f,
                  .help = "0 lets nuclei overlap; from about 0.15 they share walls instead."),
  VG_CHOICE_PARAM (P, means, .label = "Mean intensities", .group = "Forces", .choices = means,
                   .choice_labels = mean_labels, .max = VG_CONTOUR_MEANS_GLOBAL, .advanced = TRUE,
                   .help = "Where mean intensities come from: around each nucleus, or the whole "
                           "image as in the paper."),
  VG_INT_PARAM (P, iterations, .label = "Iterations", .group = "Evolution", .def = 150, .min = 0,
                .max = 100000, .slider.min = 10, .slider.max = 2000, .slider.step = 10,
                .help = "Maximum number of iterations since a contour's last change. Converged "
                        "contours stop earlier."),
  VG_FLOAT_PARAM (P, tolerance_px, .label = "Convergence threshold", .unit = "px",
                  .group = "Evolution", .def = 0.05f, .min = 0, .max = 10, .slider.max = 0.5,
                  .slider.min = 0, .slider.step = 0.005f, .advanced = TRUE,
                  .help = "A contour has converged when its mean displacement between "
                          "reinitialisations stays below this."),
  VG_CHOICE_PARAM (P, step_rule, .label = "Time step", .group = "Evolution", .choices = steps,
                   .choice_labels = step_labels, .max = VG_CONTOUR_STEP_FIXED, .advanced = TRUE,
                   .help = "Adaptive: the fastest point of each contour moves by the step length. "
                           "Fixed: as in the paper."),
  VG_FLOAT_PARAM (P, step_px, .label = "Step length", .unit = "px", .group = "Evolution",
                  .def = 0.9f, .min = 0.01, .max = 1, .slider.step = 0.01f, .advanced = TRUE,
                  .shown_when = { "step_rule", 1 << VG_CONTOUR_STEP_ADAPTIVE },
                  .help = "Distance that the fastest point of a contour moves in one iteration."),
  VG_FLOAT_PARAM (P, time_step, .label = "Fixed time step", .group = "Evolution", .def = 0.5f,
                  .min = 0.001, .max = 100, .slider.min = 0.01, .slider.max = 50,
                  .slider.log_scale = TRUE, .advanced = TRUE,
                  .shown_when = { "step_rule", 1 << VG_CONTOUR_STEP_FIXED },
                  .help = "One step for all contours. If it is too large, contours become rough."),
  VG_INT_PARAM (P, reinit_period, .label = "Reinitialise every", .unit = "iterations",
                .group = "Evolution", .def = 10, .min = 1, .max = 1000, .slider.max = 100,
                .slider.min = 1, .slider.step = 1, .advanced = TRUE,
                .help = "Iterations between two reinitialisations of the level sets. Convergence "
                        "is tested at the same time."),
  VG_CHOICE_PARAM (P, grid, .label = "Grid", .group = "Evolution", .choices = grids,
                   .choice_labels = grid_labels, .max = VG_CONTOUR_GRID_FULL, .advanced = TRUE,
                   .help = "A small tile for each nucleus, or the whole image for each of at most "
                           "16 nuclei, as in the paper."),
  VG_INT_PARAM (P, iterations_shown, .label = "Iterations per image", .group = "Evolution",
                .def = 2, .min = 0, .max = 10000, .slider.max = 20, .slider.min = 0,
                .slider.step = 1, .zero = "No limit",
                .help = "Iterations per image; 60 images are shown per second. 0: as fast as "
                        "possible. It changes the speed, not the result."),
  VG_ACTION_PARAM (P, restart, .label = "Restart", .group = "Evolution",
                   .help = "Restart all contours from their seeds."),
  VG_FLOAT_PARAM (P, smallest, .label = "Minimum size", .group = "Result", .def = 0.05f, .min = 0,
                  .max = 1, .slider.step = 0.01f,
                  .help = "Removes nuclei smaller than this fraction of a typical nucleus."),
  VG_FLOAT_PARAM (
      P, contrast, .label = "Minimum contrast", .group = "Result", .def = 0.1f, .min = 0, .max = 1,
      .slider.step = 0.01f,
      .help = "Removes nuclei whose stain exceeds that of their surroundings by less than this."),
  VG_FLOAT_PARAM (P, largest, .label = "Maximum size", .group = "Result", .def = 0, .min = 0,
                  .max = 100, .slider.min = 0, .slider.max = 10, .slider.step = 0.1f,
                  .zero = "No limit",
                  .help = "Removes nuclei larger than this number of typical nuclei; 0 keeps all."),
  VG_FLOAT_PARAM (P, solidity, .label = "Minimum solidity", .group = "Result", .def = 0, .min = 0,
                  .max = 1, .slider.step = 0.01f,
                  .help = "Removes nuclei of lower solidity (area / area of the convex hull), such "
                          "as folds; 0 keeps all."),
  VG_BOOL_PARAM (P, artefacts, .label = "Leave out artefacts", .group = "Result", .def = TRUE,
                 .help = "Removes nuclei in pen ink, folds and keratin, as shown by the map "
                         "Artefacts. Seeds added by hand stay."),
  VG_BOOL_PARAM (P, positivity, .label = "DAB positivity", .group = "Result",
                 .help = "For sections with haematoxylin and DAB: classifies nuclei by their mean "
                         "optical density of DAB, and counts them."),
  VG_FLOAT_PARAM (
      P, weak_od, .label = "Threshold 1+", .unit = "OD", .group = "Result", .def = 0.2f, .min = 0,
      .max = 5, .slider.min = 0, .slider.max = 1.5, .slider.step = 0.01f,
      .shown_when = { "positivity", 1 << TRUE },
      .help = "Mean optical density of DAB (base 10) from which a nucleus is positive."),
  VG_FLOAT_PARAM (P, moderate_od, .label = "Threshold 2+", .unit = "OD", .group = "Result",
                  .def = 0.4f, .min = 0, .max = 5, .slider.min = 0, .slider.max = 1.5,
                  .slider.step = 0.01f, .shown_when = { "positivity", 1 << TRUE },
                  .help = "Mean optical density of DAB from which a nucleus is 2+."),
  VG_FLOAT_PARAM (P, strong_od, .label = "Threshold 3+", .unit = "OD", .group = "Result",
                  .def = 0.6f, .min = 0, .max = 5, .slider.min = 0, .slider.max = 1.5,
                  .slider.step = 0.01f, .shown_when = { "positivity", 1 << TRUE },
                  .help = "Mean optical density of DAB from which a nucleus is 3+."),
  VG_FILE_PARAM (P, truth, .per_dataset = TRUE, .label = "Truth", .group = "Result",
                 .file.kinds = VG_FILE_IMAGE | VG_FILE_TEXT,
                 .help = "Ground truth: a label image or GeoJSON polygons. Its outlines are drawn "
                         "over the image; nuclei are scored and coloured by verdict."),
};

/* A measure of the nuclei as a map. */
#define MEASURE(i, l, h, ...) VG_INIT (i, l, h, __VA_ARGS__, .view_only = TRUE)

static const VgOutput outputs[VG_CONTOUR_N_OUTPUTS] = {
  [VG_CONTOUR_OUTPUT_LABELS] = { "labels", "Contours",
                                 "Outlines of the nuclei. The file has the number of the nucleus "
                                 "at each pixel (if several overlap, of the one in which the pixel "
                                 "lies deepest).",
                                 "", .kind = VG_OUTPUT_LABELS, .hints.instance = "Nucleus",
                                 .hints.colormap = "viridis" },
  [VG_CONTOUR_OUTPUT_OVERLAP] = { "overlap", "Overlap", "Number of nuclei that cover each pixel.",
                                  "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "inferno" },
  [VG_CONTOUR_OUTPUT_STAIN] = { "stain", "Stain",
                                "The chosen stain or channel, scaled and smoothed. With the "
                                "classical force, contours evolve on it.",
                                "", .hints.colormap = "gray", .view_only = TRUE,
                                .hints.hide_underlay = TRUE },
  [VG_CONTOUR_OUTPUT_WATERSHED] = { "watershed", "Watershed",
                                    "For comparison: the stained area divided by a watershed from "
                                    "the same seeds.",
                                    "", .kind = VG_OUTPUT_LABELS, .hints.instance = "Nucleus",
                                    .hints.colormap = "viridis", .view_only = TRUE,
                                    .hints.hide_underlay = TRUE },
  [VG_CONTOUR_OUTPUT_ARTEFACTS] = { "artefacts", "Artefacts",
                                    "Where the image shows glass, tissue, pen ink, and folds or "
                                    "keratin. For colour images in transmitted light.",
                                    "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                    .hints.categories = matters },
  [VG_CONTOUR_OUTPUT_AREA] = MEASURE ("area", "Area of nuclei", "Area of each nucleus, in pixels.",
                                      "px\302\262"),
  [VG_CONTOUR_OUTPUT_LONG_AXIS] = MEASURE (
      "long_axis", "Long axis of nuclei",
      "Long axis of the ellipse with the same moments as the nucleus, in pixels.", "px"),
  [VG_CONTOUR_OUTPUT_ECCENTRICITY] = MEASURE (
      "eccentricity", "Eccentricity of nuclei",
      "Eccentricity of the ellipse with the same moments as the nucleus: 0 is a circle.", ""),
  [VG_CONTOUR_OUTPUT_MEAN_STAIN] = MEASURE ("mean_stain", "Mean stain of nuclei",
                                            "Mean of the map Stain in each nucleus.", ""),
  [VG_CONTOUR_OUTPUT_MEAN_OD] = MEASURE ("mean_od", "Mean optical density of nuclei",
                                         "Mean optical density of the stain in each nucleus, to "
                                         "base 10. For colour images in transmitted light.",
                                         "OD"),
  [VG_CONTOUR_OUTPUT_HAEMATOXYLIN] = MEASURE (
      "haematoxylin", "Haematoxylin of nuclei",
      "Mean optical density of haematoxylin in each nucleus, to base 10.", "OD",
      .shown_when = { "positivity", 1 << TRUE }),
  [VG_CONTOUR_OUTPUT_DAB] = MEASURE ("dab", "DAB of nuclei",
                                     "Mean optical density of DAB in each nucleus, to base 10.",
                                     "OD", .shown_when = { "positivity", 1 << TRUE }),
  [VG_CONTOUR_OUTPUT_DOUBT] = MEASURE (
      "doubt", "Doubt about outlines",
      "How likely the outline of each nucleus is to be wrong, from 0 to 1.", ""),
  [VG_CONTOUR_OUTPUT_CONTOURS] = { "contours", "Outlines for QuPath (GeoJSON)",
                                   "Outline of every nucleus as GeoJSON in pixels; QuPath imports "
                                   "it.",
                                   "", .kind = VG_OUTPUT_TEXT },
  [VG_CONTOUR_OUTPUT_OBJECTS] = { "objects", "Table of nuclei",
                                  "Position, size, shape, stain and overlaps of every nucleus.", "",
                                  .kind = VG_OUTPUT_TEXT },
};

static const VgOutputRole roles[] = {
  { VG_ROLE_OUTLINES, NULL, "watershed" },
  { VG_ROLE_AGAINST, "area", "mean_stain" },
  { VG_ROLE_OBJECTS, "area", "labels" },
  { VG_ROLE_OBJECTS, "long_axis", "labels" },
  { VG_ROLE_OBJECTS, "eccentricity", "labels" },
  { VG_ROLE_OBJECTS, "mean_stain", "labels" },
  { VG_ROLE_OBJECTS, "mean_od", "labels" },
  { VG_ROLE_OBJECTS, "haematoxylin", "labels" },
  { VG_ROLE_OBJECTS, "dab", "labels" },
  { VG_ROLE_OBJECTS, "doubt", "labels" },
  { 0 },
};

static const VgObjects objects = { "labels", "objects", vg_contour_columns, "doubt" };

static const VgPlot plots[] = {
  { "energy", "Energy" },
  { "moving", "Moving contours" },
};

static const VgMemory memory = { vg_contour_memory, NULL };

static const VgExample examples[] = {
  { "contour/dsb01.tif", "Stained Tissue",
    "A section with haematoxylin and eosin: few large nuclei, some of which touch.",
    "2018 Data Science Bowl", "CC0" },
  { "contour/dsb03.tif", "Stained Tissue, Crowded",
    "A section with haematoxylin and eosin: many small nuclei of uneven stain.",
    "2018 Data Science Bowl", "CC0" },
  { "contour/fluo01.png", "Fluorescent Nuclei",
    "Bright nuclei on a dark ground: the view finds the polarity by itself.",
    "2018 Data Science Bowl", "CC0" },
  { "contour/CMU-1-Small-Region.svs", "Slide",
    "A region of a whole slide: zoom in, and analyse the part that is shown.",
    "OpenSlide's freely distributable test data", "CC0" },
  { NULL },
};

const VgOperation vg_contour_operation = {
  .id = "contour",
  .title = "Contour",
  .summary = "Outlines of overlapping nuclei in histology, by one level set with a shape prior for "
             "each nucleus.",
  .citation = "S. Ali, A. Madabhushi, An integrated region-, boundary-, shape-based active contour "
              "for multiple object overlap resolution in histological imagery, IEEE Trans. Med. "
              "Imaging 31, 1448 (2012); GPU form in J. Pathol. Inform. 2, S13 (2011)",
  .input = { .kind = VG_INPUT_DATASET,
             .files = { 1, 1 },
             .channels = { 0, G_MAXINT64 },
             .bins = { 0, 1 },
             .slices = { 0, 1 },
             .frames = { 1, 1 },
             .formats = "TIFF, PNG, JPEG and whole-slide images (.svs, .ndpi, .mrxs and others)",
             .suffixes = "tif tiff png jpg jpeg svs ndpi mrxs scn vms bif zip" },
  .params = { params, G_N_ELEMENTS (params), sizeof (VgContourParams) },
  .outputs = outputs,
  .n_outputs = VG_CONTOUR_N_OUTPUTS,
  .roles = roles,
  .plots = plots,
  .n_plots = G_N_ELEMENTS (plots),
  .view = { .opacity = 0.15,
            .step_param = "iterations_shown",
            .first_page = "objects",
            .key_metric = "objects" },
  .cpu = &vg_contour_cpu_engine,
  .synthetic = &vg_contour_synthetic,
  .memory = &memory,
  .tiled = &vg_contour_tiled,
  .objects = &objects,
  .examples = examples,
};
