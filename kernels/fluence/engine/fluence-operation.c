/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/engine/fluence-engine.h"
#include "kernels/fluence/engine/fluence-run.h"
#include "kernels/fluence/model/fluence-names.h"
#include <math.h>
#include <string.h>
/* Monte Carlo light transport: its parameter and output tables.  Alerstam et
 * al., Biomed. Opt. Express 1, 658 (2010); the physics is in docs/fluence.md. */

#define P VgFluenceParams

static const char *const stops[] = { "photons", "time", "error", NULL };
static const char *const stop_labels[] = { "Photon packets", "Time", "Relative error", NULL };
static const char *const beams[] = { "pencil", "flat", "gaussian", "ring", "point", NULL };
static const char *const beam_labels[] = { "Pencil", "Flat disc",           "Gaussian",
                                           "Ring",   "Point in the tissue", NULL };

static const char *const grids[] = { "fits", "set", NULL };
static const char *const grid_labels[] = { "Fits the tissue", "Set by hand", NULL };

static const VgColumn layer_columns[] = {
  { "n", "Refractive index", "", 1.4, 0.1, 10 },
  { "mua", "Absorption", "1/cm", 1, 0, 1e7, "\302\265a" },
  { "mus", "Scattering", "1/cm", 100, 0, 1e7, "\302\265s" },
  { "g", "Anisotropy", "", 0.9, -1, 1 },
  { "d", "Thickness", "cm", 0.1, 0, 1e9 },
  { NULL },
};

static const VgPreset layer_presets[] = {
  { "skin_600nm", "Skin, seven layers, 600 nm",
    "Meglinski and Matcher (2002), as in GPU-MCML's validation",
    "1.53,0.2,1000,0.9,0.002;1.34,0.15,400,0.85,0.008;1.4,0.7,300,0.8,0.01;1.39,1,350,0.9,0.008;"
    "1.4,0.7,200,0.76,0.162;1.39,1,350,0.95,0.02;1.44,0.3,150,0.8,0.59" },
  { "intralipid_10_percent_460nm", "Intralipid 10 %, 460 nm, 1 cm",
    "Alerstam et al., Biomed. Opt. Express 1, 658 (2010)", "1.33,0.015,707.7,0.87,1" },
  { "mcml_sample", "MCML's sample, three layers", "Wang and Jacques, manual of MCML (1992)",
    "1.37,1,100,0.9,0.1;1.37,1,10,0,0.1;1.37,2,10,0.7,0.2" },
  { "van_de_hulst_slab", "Van de Hulst's slab",
    "van de Hulst, Multiple Light Scattering (1980), table 35", "1,10,90,0.75,0.02" },
  { "head_neurophotonics_2014", "Head: scalp, skull, fluid, brain",
    "Coefficients from Neurophotonics 1, 025001 (2014), table 1; thicknesses and refractive "
    "indices are round numbers",
    "1.4,0.17,78,0.89,0.3;1.4,0.116,78,0.89,0.7;1.33,0.04,0.09,0.89,0.2;1.4,0.178,91,0.89,1e8" },
  { "liver_635nm_marchesini_1989", "Liver, 635 nm",
    "Marchesini et al., Appl. Opt. 28, 2318 (1989); refractive index 1.38 assumed",
    "1.38,2.3,313,0.68,1e8" },
  { NULL },
};

static char **
name_layers (const void *params)
{
  return vg_fluence_names_get (params);
}

static const VgParam params[] = {
  VG_TABLE_PARAM (P, layers, .label = "Layers", .group = "Tissue", .table.columns = layer_columns,
                  .table.presets = layer_presets, .table.max_rows = VG_FLUENCE_MAX_LAYERS,
                  .table.row_names = name_layers, .table.stack.column = "d",
                  .table.stack.endless = VG_FLUENCE_DEEP_CM,
                  .help = "Layers from the top: n, \302\265a and \302\265s in 1/cm, g, thickness "
                          "in cm. 1e8 cm is a half-space; \302\265a = \302\265s = 0 is clear."),
  VG_DOUBLE_PARAM (P, n_above, .label = "Refractive index above", .group = "Tissue", .def = 1,
                   .min = 0.1, .max = 10, .slider.min = 1, .slider.max = 2, .slider.step = 0.01,
                   .help = "Refractive index of the medium above the tissue; 1 is air."),
  VG_DOUBLE_PARAM (P, n_below, .label = "Refractive index below", .group = "Tissue", .def = 1,
                   .min = 0.1, .max = 10, .slider.min = 1, .slider.max = 2, .slider.step = 0.01,
                   .help = "Refractive index of the medium below the tissue; 1 is air."),
  VG_CHOICE_PARAM (P, beam, .label = "Beam", .group = "Light source", .choices = beams,
                   .choice_labels = beam_labels, .max = VG_FLUENCE_POINT,
                   .help = "An infinitely thin (pencil), flat, Gaussian or ring beam from above, "
                           "or a point source in the tissue."),
  VG_DOUBLE_PARAM (P, beam_radius_cm, .label = "Beam radius", .unit = "cm", .group = "Light source",
                   .def = 0.1, .min = 1e-6, .max = 1e4, .slider.min = 1e-3, .slider.max = 2,
                   .slider.log_scale = TRUE,
                   .shown_when = { "beam", 1 << VG_FLUENCE_FLAT | 1 << VG_FLUENCE_GAUSSIAN |
                                               1 << VG_FLUENCE_RING },
                   .help = "Radius of a flat beam or a ring; for a Gaussian beam, where the "
                           "irradiance is 1/e\302\262 of that at the centre."),
  VG_DOUBLE_PARAM (P, source_depth_cm, .label = "Source depth", .unit = "cm",
                   .group = "Light source", .def = 0.1, .min = 0, .max = 1e6, .slider.max = 2,
                   .slider.step = 0.01, .shown_when = { "beam", 1 << VG_FLUENCE_POINT },
                   .help = "Depth of the point source in the tissue."),
  VG_DOUBLE_PARAM (P, power_mw, .label = "Power", .unit = "mW", .group = "Light source", .def = 1,
                   .min = 1e-9, .max = 1e9, .slider.min = 1e-3, .slider.max = 1e4,
                   .slider.log_scale = TRUE,
                   .help = "Power of the light source. The maps are proportional to it."),
  VG_CHOICE_PARAM (P, stop, .label = "End of run", .group = "Run", .choices = stops,
                   .choice_labels = stop_labels, .max = VG_FLUENCE_STOP_ERROR,
                   .help = "The run ends at a number of photon packets, after a time, or at a "
                           "relative error. The number of packets always limits it."),
  VG_DOUBLE_PARAM (P, photons, .label = "Photons", .group = "Run", .def = 1e7, .min = 1,
                   .max = 1e12, .slider.min = 1e4, .slider.max = 1e10, .slider.log_scale = TRUE,
                   .help = "Maximum number of photon packets. Four times as many halve the error."),
  VG_DOUBLE_PARAM (P, time_limit_s, .label = "Time limit", .unit = "s", .group = "Run", .def = 10,
                   .min = 1e-3, .max = 1e6, .slider.min = 0.1, .slider.max = 3600,
                   .slider.log_scale = TRUE, .shown_when = { "stop", 1 << VG_FLUENCE_STOP_TIME },
                   .help = "Time for which photon packets are traced."),
  VG_DOUBLE_PARAM (P, target_error, .label = "Relative error", .unit = "%", .group = "Run",
                   .def = 2, .min = 1e-3, .max = 100, .slider.min = 0.1, .slider.max = 20,
                   .slider.log_scale = TRUE, .shown_when = { "stop", 1 << VG_FLUENCE_STOP_ERROR },
                   .help = "Relative error of the fluence rate, or without maps of the "
                           "reflectance, at which the run ends."),
  VG_INT_PARAM (P, seed, .label = "Seed", .group = "Run", .def = 1, .min = 0, .max = G_MAXINT,
                .slider.max = 1000, .slider.step = 1,
                .help = "Chooses the random numbers. The same seed gives the same result on any "
                        "number of threads or GPUs."),
  VG_BOOL_PARAM (P, reflectance_only, .label = "Reflectance only", .group = "Run",
                 .help = "Computes no maps, so that reflectance and transmittance take less time."),
  VG_CHOICE_PARAM (P, grid, .label = "Bin sizes", .group = "Grid", .choices = grids,
                   .choice_labels = grid_labels, .max = VG_FLUENCE_GRID_SET,
                   .help = "Fits the tissue: bins follow the depth of the layers. Opening a file "
                           "or editing a bin sets them by hand."),
  VG_DOUBLE_PARAM (P, dz_cm, .label = "Bin depth", .unit = "cm", .group = "Grid", .def = 0.005,
                   .min = 1e-9, .max = 1e6, .slider.min = 1e-5, .slider.max = 1,
                   .slider.log_scale = TRUE, .help = "Size of a bin in depth."),
  VG_DOUBLE_PARAM (P, dr_cm, .label = "Bin radius", .unit = "cm", .group = "Grid", .def = 0.005,
                   .min = 1e-9, .max = 1e6, .slider.min = 1e-5, .slider.max = 1,
                   .slider.log_scale = TRUE, .help = "Size of a bin in radius."),
  VG_INT_PARAM (P, nz, .label = "Depth bins", .group = "Grid", .def = 160, .min = 1,
                .max = VG_FLUENCE_MAX_BINS, .slider.min = 10, .slider.max = 1000, .slider.step = 1,
                .help = "Number of bins in depth. Light below the map still counts in the totals."),
  VG_INT_PARAM (
      P, nr, .label = "Radius bins", .group = "Grid", .def = 160, .min = 1,
      .max = VG_FLUENCE_MAX_BINS, .slider.min = 10, .slider.max = 1000, .slider.step = 1,
      .help = "Number of bins in radius. Light outside the map still counts in the totals."),
  VG_INT_PARAM (P, na, .label = "Angle bins", .group = "Grid", .def = 30, .min = 1,
                .max = VG_FLUENCE_MAX_ANGLES, .slider.max = 90, .slider.step = 1, .slider.min = 1,
                .help = "Number of bins of the exit angle between 0 and 90 degrees."),
  VG_BOOL_PARAM (P, time_resolved, .label = "Time gates", .group = "Time", .advanced = TRUE,
                 .help = "Also sorts the light that leaves the tissue by exit time."),
  VG_INT_PARAM (
      P, gates, .label = "Gates", .group = "Time", .advanced = TRUE, .def = 200, .min = 1,
      .max = VG_FLUENCE_MAX_GATES, .slider.step = 1, .slider.min = 1, .slider.max = 1000,
      .shown_when = { "time_resolved", 2 },
      .help = "Number of time gates of equal length. One more gate collects later light."),
  VG_DOUBLE_PARAM (P, gate_ps, .label = "Gate length", .unit = "ps", .group = "Time",
                   .advanced = TRUE, .def = 10, .min = 1e-3, .max = 1e6, .slider.min = 0.1,
                   .slider.max = 1000, .slider.log_scale = TRUE,
                   .shown_when = { "time_resolved", 2 }, .help = "Length of one time gate."),
  VG_BOOL_PARAM (P, compare, .label = "Comparison with earlier run", .group = "Comparison",
                 .advanced = TRUE,
                 .help = "Adds the maps of an earlier run, the difference and the ratio."),
  VG_FILE_PARAM (P, reference_file, .label = "Earlier run", .group = "Comparison", .advanced = TRUE,
                 .file.kinds = VG_FILE_TEXT, .shown_when = { "compare", 2 },
                 .help = "An .mco file of Vivograph, MCML or GPU-MCML, with the same grid."),
};

/* Bins of a 2 or 5 or 10 that cover DEPTH with some 250 of them. */
static double
round_bin (double depth)
{
  static const double steps[] = { 1.0, 2.0, 5.0, 10.0 };
  double raw = depth / 250.0, decade = pow (10.0, floor (log10 (raw)));

  for (guint i = 0; i < G_N_ELEMENTS (steps) - 1; i++)
    if (raw <= steps[i] * decade * (1.0 + 1e-9))
      return steps[i] * decade;
  return 10.0 * decade;
}

/* The map is as wide as it is deep to each side.  Unless ANEW, one that shows the tissue well
 * stays, so that maps before and after an edit of a coefficient can be compared. */
static void
fit_grid (VgFluenceParams *p, gboolean anew)
{
  const double slack = 1.5, cut = 1.02;
  gboolean endless;
  double depth = vg_fluence_depth (p, &endless), shown = p->nz * p->dz_cm;

  if (!(depth > 1e-6 && depth < VG_FLUENCE_DEEP_CM) ||
      (!anew && depth <= (endless ? slack : cut) * shown && depth * slack >= shown))
    return;
  p->dz_cm = round_bin (depth);
  p->nz = (int) ceil (depth / p->dz_cm * (1.0 - 1e-9));
  p->dr_cm = p->dz_cm;
  p->nr = p->nz;
}

static gboolean
has_changed (const gboolean *changed, gsize offset) /* VG_CHANGED_TO_PRESET too */
{
  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    if (params[i].offset == offset)
      return changed[i];
  return FALSE;
}

/* A preset that was chosen brings its map, and air around it, also where a
 * file had set others; values that happen to be a preset's don't. */
static void
on_params_changed (void *data, const gboolean *changed)
{
  VgFluenceParams *p = data;
  gboolean bins = has_changed (changed, G_STRUCT_OFFSET (P, dz_cm)) ||
                  has_changed (changed, G_STRUCT_OFFSET (P, dr_cm)) ||
                  has_changed (changed, G_STRUCT_OFFSET (P, nz)) ||
                  has_changed (changed, G_STRUCT_OFFSET (P, nr));
  gboolean layers = has_changed (changed, G_STRUCT_OFFSET (P, layers)),
           preset = layers == VG_CHANGED_TO_PRESET;

  if (bins)
    p->grid = VG_FLUENCE_GRID_SET;
  if (preset)
    {
      if (!bins)
        p->grid = VG_FLUENCE_GRID_FITS;
      if (!has_changed (changed, G_STRUCT_OFFSET (P, n_above)))
        p->n_above = 1.0;
      if (!has_changed (changed, G_STRUCT_OFFSET (P, n_below)))
        p->n_below = 1.0;
    }
  if (p->grid == VG_FLUENCE_GRID_FITS &&
      (layers || has_changed (changed, G_STRUCT_OFFSET (P, grid))))
    fit_grid (p, preset || has_changed (changed, G_STRUCT_OFFSET (P, grid)));
}

static void
pixel_size (const void *data, double size[2])
{
  const VgFluenceParams *p = data;

  size[0] = p->dr_cm;
  size[1] = p->dz_cm;
}

#define MAPS VG_INIT ("reflectance_only", 1)
#define AXES VG_INIT ("r", "z")
#define COMPARED VG_INIT ("compare", 2)

static const VgOutput outputs[VG_FLUENCE_N_OUTPUTS] = {
  [VG_FLUENCE_OUTPUT_FLUENCE] = { "fluence", "Fluence rate",
                                  "Light power incident on a small sphere, divided by its "
                                  "cross-section. Clear layers have missing values.",
                                  "mW/cm\302\262", .hints.colormap = "inferno",
                                  .hints.log_scale = TRUE, .hints.decades = TRUE,
                                  .hints.axes = AXES, .shown_when = MAPS },
  [VG_FLUENCE_OUTPUT_ABSORPTION] = { "absorption", "Absorbed power density",
                                     "Absorbed power per volume; it becomes heat.", "mW/cm\302\263",
                                     .hints.colormap = "magma", .hints.log_scale = TRUE,
                                     .hints.decades = TRUE, .hints.axes = AXES,
                                     .shown_when = MAPS },
  [VG_FLUENCE_OUTPUT_RELATIVE_ERROR] = { "relative_error", "Relative error",
                                         "Standard error of the fluence rate divided by its value, "
                                         "from batches of photon packets.",
                                         "%", .hints.colormap = "viridis", .hints.log_scale = TRUE,
                                         .hints.axes = AXES, .shown_when = MAPS },
  [VG_FLUENCE_OUTPUT_OLD_FLUENCE] = { "reference_fluence", "Earlier fluence rate",
                                      "Fluence rate of the earlier run: absorbed power density "
                                      "divided by \302\265a, where \302\265a is not 0.",
                                      "mW/cm\302\262", .hints.colormap = "inferno",
                                      .hints.log_scale = TRUE, .hints.decades = TRUE,
                                      .hints.axes = AXES, .shown_when = COMPARED },
  [VG_FLUENCE_OUTPUT_REFERENCE] = { "reference", "Earlier run",
                                    "Absorbed power density of the earlier run.", "mW/cm\302\263",
                                    .hints.colormap = "magma", .hints.log_scale = TRUE,
                                    .hints.decades = TRUE, .hints.axes = AXES,
                                    .shown_when = COMPARED },
  [VG_FLUENCE_OUTPUT_DIFFERENCE] = { "difference", "Difference",
                                     "Absorbed power density minus that of the earlier run.",
                                     "mW/cm\302\263", .hints.colormap = "coolwarm",
                                     .hints.diverging = TRUE, .hints.axes = AXES,
                                     .shown_when = COMPARED },
  [VG_FLUENCE_OUTPUT_RATIO] = { "ratio", "Ratio",
                                "Absorbed power density divided by that of the earlier run.", "",
                                .hints.colormap = "coolwarm", .hints.diverging = TRUE,
                                .hints.centre = 1, .hints.axes = AXES, .shown_when = COMPARED },
  [VG_FLUENCE_OUTPUT_MCO] = { "mco", "Results as text",
                              "All results in MCML's format, for CONV and other programs.", "",
                              .kind = VG_OUTPUT_TEXT },
  [VG_FLUENCE_OUTPUT_GATES] = { "time_gates", "Exit light vs time",
                                "Light that leaves the tissue in each time gate, as a table.", "",
                                .kind = VG_OUTPUT_TEXT, .shown_when = { "time_resolved", 2 } },
  [VG_FLUENCE_OUTPUT_EXITANCE] = { "exitance", "Exit light vs radius",
                                   "Power per area that leaves under a flat or Gaussian beam, with "
                                   "standard error, as a table.",
                                   "", .kind = VG_OUTPUT_TEXT,
                                   .shown_when = { "beam", 1 << VG_FLUENCE_FLAT |
                                                               1 << VG_FLUENCE_GAUSSIAN } },
  [VG_FLUENCE_OUTPUT_MCI] = { "mci", "Settings as text",
                              "The settings as settings.mci, an input file for MCML and GPU-MCML.",
                              "", .kind = VG_OUTPUT_TEXT },
};

static const VgOutputRole roles[] = {
  { VG_ROLE_ERROR, "fluence", "relative_error" },
  { VG_ROLE_ERROR, "absorption", "relative_error" },
  { VG_ROLE_AGAINST, "fluence", "relative_error" },
  { VG_ROLE_FILE, "reference_fluence", "reference_file" },
  { VG_ROLE_FILE, "reference", "reference_file" },
  { 0 },
};

static const VgPlot plots[] = {
  { "axis", "Fluence on the axis", .needs = MAPS },
  { "layers", "Absorbed by layer" },
  { "radius", "Exit light vs radius" },
  { "angle", "Exit light vs angle" },
  { "time", "Exit time", .needs = { "time_resolved", 2 } },
};

/* ---- The demo: van de Hulst's slab, whose answer is known exactly ---- */

static void
demo_settings (const VgSyntheticSize *size, void *data)
{
  VgFluenceParams *p = data;

  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    if (g_str_equal (params[i].id, "layers"))
      vg_param_parse (&params[i], p, "van_de_hulst_slab", NULL);
  p->dz_cm = 0.0005;
  p->dr_cm = 0.0025;
  p->nz = 40;
  p->nr = 48;
  p->photons = 2e5;
  p->stop = VG_FLUENCE_STOP_ERROR;
  p->target_error = 8.0;
  p->time_limit_s = 0.05;
}

static gpointer
demo_open (const void *data, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  (void) data, (void) size, (void) error;
  memset (info, 0, sizeof *info);
  return g_new0 (char, 1);
}

static gboolean
demo_read (gpointer self, gint64 index, void *frame, GError **error)
{
  (void) self, (void) index, (void) frame, (void) error;
  return TRUE;
}

static const VgSample samples[] = {
  { "slab", "Slab",
    "A scattering slab whose reflectance and transmittance are known from tables." },
  { NULL },
};

const VgSynthetic vg_fluence_demo = {
  .samples = samples,
  .live = { 48, 40, 1, 1 },
  .batch = { 48, 40, 1, 1 },
  .settings = demo_settings,
  .open = demo_open,
  .read = demo_read,
  .close = g_free,
  .agreement = -1,
};

static const VgMemory memory = { vg_fluence_memory, "fewer, larger bins" };
static const char *const suffixes[] = { ".mci", ".mco", NULL };
static const VgImport import = { vg_fluence_read_settings, suffixes };

static const VgExample examples[] = {
  { "fluence/inputs/skin_1M.mci", "Skin",
    "Seven layers of human skin in a settings file of MCML, with 1 million photon packets.",
    "Written for Vivograph", "MIT" },
  { "fluence/inputs/two_layer.mci", "Two Layers",
    "Two layers of different refractive index on glass, in a settings file of MCML.",
    "Written for Vivograph", "MIT" },
  { "fluence/ref_cpu/mcml_sample.mco", "Three Layers, Compared",
    "A result of MCML 1.2.2, which the view computes again and compares with its own.",
    "Computed with MCML 1.2.2 for Vivograph", "MIT" },
  { NULL },
};

static const VgPlaneHints plane = { .overlay = vg_fluence_overlay, .pixel_size = pixel_size };

const VgOperation vg_fluence_operation = {
  .id = "fluence",
  .title = "Fluence",
  .summary = "Light in layered tissue by Monte Carlo simulation: fluence rate, absorption, "
             "reflectance and transmittance.",
  .citation = "E. Alerstam, W. C. Y. Lo, T. D. Han, J. Rose, S. Andersson-Engels, L. Lilge, "
              "Next-generation acceleration and code optimization for light transport in turbid "
              "media using GPUs, Biomed. Opt. Express 1, 658 (2010)",
  .input = { .kind = VG_INPUT_NONE,
             .files = { 0, -1 },
             .formats = "MCML settings (.mci)",
             .suffixes = "mci" },
  .params = { params, G_N_ELEMENTS (params), sizeof (VgFluenceParams) },
  .outputs = outputs,
  .n_outputs = VG_FLUENCE_N_OUTPUTS,
  .roles = roles,
  .plots = plots,
  .n_plots = G_N_ELEMENTS (plots),
  .view = { .key_metric = "diffuse_reflectance" },
  .cpu = &vg_fluence_cpu_engine,
  .synthetic = &vg_fluence_demo,
  .validate = vg_fluence_validate,
  .on_params_changed = on_params_changed,
  .plane = &plane,
  .memory = &memory,
  .import = &import,
  .examples = examples,
};
