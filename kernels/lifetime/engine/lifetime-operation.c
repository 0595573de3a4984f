/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-engine.h"
#include "kernels/lifetime/engine/lifetime-guides.h"
#include "kernels/lifetime/engine/lifetime-checks.h"
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"
#include "kernels/lifetime/engine/lifetime-view.h"
/* Fluorescence lifetime: its parameter and output tables.  The formulas are in
 * docs/lifetime.md. */

#define P VgLifetimeParams
#define CMM (1 << VG_LIFETIME_CMM)
#define IEM (1 << VG_LIFETIME_IEM)
#define RLD (1 << VG_LIFETIME_RLD)
#define PHASOR (1 << VG_LIFETIME_PHASOR)
#define PHASOR_BI (1 << VG_LIFETIME_PHASOR_TWO)
#define BCMM (1 << VG_LIFETIME_BCMM)
#define BI (PHASOR_BI | BCMM)
#define MLE (1 << VG_LIFETIME_MLE)
#define MLE_BI (1 << VG_LIFETIME_MLE_TWO)
#define MLE_TRI (1 << VG_LIFETIME_MLE_THREE)
#define STRETCHED (1 << VG_LIFETIME_MLE_STRETCHED)
#define LSM (1 << VG_LIFETIME_LSM)
#define LSM_BI (1 << VG_LIFETIME_LSM_TWO)
#define SEVERAL (MLE_BI | MLE_TRI | LSM_BI)
#define EXPONENTIALS (MLE | LSM | SEVERAL)
#define FITS (EXPONENTIALS | STRETCHED)

static const char *const methods[] = { "cmm",  "iem",    "rld",    "phasor",  "phasor_bi",
                                       "bcmm", "mle",    "mle_bi", "mle_tri", "mle_stretched",
                                       "lsm",  "lsm_bi", NULL };
static const char *const method_labels[] = { "Centre of mass",
                                             "Integral extraction",
                                             "Gates (rapid determination)",
                                             "Phasor",
                                             "Phasor, two lifetimes",
                                             "Centre of mass, two lifetimes",
                                             "Fit (maximum likelihood)",
                                             "Fit, two lifetimes",
                                             "Fit, three lifetimes",
                                             "Fit, stretched exponential",
                                             "Least squares",
                                             "Least squares, two lifetimes",
                                             NULL };
static const char *const sharings[] = { "pixel", "segment", "image", NULL };
static const char *const sharing_labels[] = { "Separate in each pixel", "Shared by 32 neighbours",
                                              "Shared by the image", NULL };
static const char *const weights[] = { "counts", "model", NULL };
static const char *const weight_labels[] = { "From counts (Neyman, reads low)",
                                             "From model (Pearson)", NULL };
static const char *const offsets[] = { "given", "fitted", "before", NULL };
static const char *const offset_labels[] = { "Background as set", "Fitted", "Bins before the pulse",
                                             NULL };
static const char *const iem_forms[] = { "exact", "simpson", NULL };
static const char *const iem_form_labels[] = { "Exact for gates", "Simpson's rule (paper)", NULL };
static const char *const rld_gates[] = { "two", "three", NULL };
static const char *const rld_gate_labels[] = { "Two", "Three, free of background", NULL };
static const char *const phasor_forms[] = { "phase", "modulation", NULL };
static const char *const phasor_form_labels[] = { "Phase", "Modulation", NULL };
static const char *const ranges[] = { "auto", "manual", NULL };
static const char *const range_labels[] = { "Found in the data", "Set by hand", NULL };
static const char *const irfs[] = { "none", "gaussian", "edge", "estimated", NULL };
static const char *const irf_labels[] = { "None", "Gaussian", "From the rising edge",
                                          "Estimated with the decay", NULL };

static const char *const shifts[] = { "hand", "fitted", NULL };
static const char *const shift_labels[] = { "By hand", "Fitted to the whole image", NULL };
static const char *const filters[] = { "none", "median", "wavelet", NULL };
static const char *const filter_labels[] = { "None", "Median", "Wavelet (after pawFLIM)", NULL };
static const char *const guides[] = { "none", "mixture", "fret", NULL };
static const char *const guide_labels[] = { "Semicircle only", "Mixture of two lifetimes",
                                            "Energy transfer (FRET)", NULL };
static const char *const cursor_names[VG_LIFETIME_MAX_CURSORS + 2] = {
  "No cursor", "Cursor 1",  "Cursor 2",  "Cursor 3",  "Cursor 4",  "Cursor 5",
  "Cursor 6",  "Cursor 7",  "Cursor 8",  "Cursor 9",  "Cursor 10", "Cursor 11",
  "Cursor 12", "Cursor 13", "Cursor 14", "Cursor 15",
};
static const VgColumn cursor_columns[] = {
  { "g", "G", "", 0.5, -1, 2 },
  { "s", "S", "", 0.3, -1, 2 },
  { "a", "First radius", "", 0.06, 1e-3, 2 },
  { "b", "Second radius", "", 0.06, 1e-3, 2 },
  { "angle", "Angle", "\302\260", 0, -180, 180 },
  { NULL },
};

static const VgParam params[] = {
  VG_CHOICE_PARAM (P, method, .label = "Method", .group = "Method", .choices = methods,
                   .choice_labels = method_labels, .max = VG_LIFETIME_LSM_TWO,
                   .help = "How lifetimes are computed. For one lifetime without background, the "
                           "centre of mass is as precise as a fit."),
  VG_BOOL_PARAM (P, window_correction, .label = "Correct for truncation", .group = "Method",
                 .def = TRUE, .shown_when = { "method", CMM | BCMM },
                 .help = "Corrects for photons after the last bin and for the bin width. Off: the "
                         "paper's form; long lifetimes read low."),
  VG_CHOICE_PARAM (P, iem_form, .label = "Integral", .group = "Method", .choices = iem_forms,
                   .choice_labels = iem_form_labels, .max = VG_LIFETIME_IEM_SIMPSON,
                   .shown_when = { "method", IEM },
                   .help = "Area under the decay: exact for an exponential in gates, or Simpson's "
                           "rule as in the paper."),
  VG_FLOAT_PARAM (P, iem_gate_ns, .label = "Gate width", .unit = "ns", .group = "Method",
                  .def = 1.6f, .min = 1e-6, .max = 1e6, .slider.min = 0.05, .slider.max = 10,
                  .slider.log_scale = TRUE, .shown_when = { "method", IEM },
                  .help = "Bins are first summed into gates of this width. About half the lifetime "
                          "needs the fewest photons."),
  VG_CHOICE_PARAM (
      P, rld_gates, .label = "Gates", .group = "Method", .choices = rld_gates,
      .choice_labels = rld_gate_labels, .max = VG_LIFETIME_RLD_THREE,
      .shown_when = { "method", RLD },
      .help = "Two gates need fewer photons; three are independent of a constant background."),
  VG_FLOAT_PARAM (
      P, rld_gate_ns, .label = "Gate width", .unit = "ns", .group = "Method", .def = 6.4f,
      .min = 1e-6, .max = 1e6, .slider.min = 0.05, .slider.max = 20, .slider.log_scale = TRUE,
      .shown_when = { "method", RLD },
      .help = "Width of each gate, limited by the fit range; about twice the lifetime is best."),
  VG_INT_PARAM (P, harmonic, .label = "Harmonic", .group = "Method", .def = 1, .min = 1,
                .max = VG_LIFETIME_MAX_HARMONIC, .slider.step = 1,
                .help = "Multiple of the repetition rate at which phasors are computed; higher "
                        "harmonics suit short lifetimes."),
  VG_CHOICE_PARAM (P, phasor_form, .label = "Lifetime from", .group = "Method",
                   .choices = phasor_forms, .choice_labels = phasor_form_labels,
                   .max = VG_LIFETIME_BY_MODULATION, .shown_when = { "method", PHASOR },
                   .help = "Lifetime from the angle (phase) or the length (modulation) of the "
                           "phasor; they differ for several lifetimes."),
  VG_BOOL_PARAM (P, fix_long, .label = "Known long lifetime", .group = "Method", .def = TRUE,
                 .shown_when = { "method", BCMM },
                 .help = "Fixes the long lifetime, such as that of a donor without acceptor; the "
                         "other results need far fewer photons."),
  VG_FLOAT_PARAM (P, long_lifetime_ns, .label = "Long lifetime", .unit = "ns", .group = "Method",
                  .def = 2.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.1, .slider.max = 10,
                  .slider.log_scale = TRUE, .shown_when = { "method", BI },
                  .help = "The known long lifetime. The phasor of two lifetimes always needs it."),
  VG_BOOL_PARAM (P, fix_short, .label = "Known short lifetime", .group = "Method",
                 .shown_when = { "method", BI },
                 .help = "Fixes the short lifetime too, so that only the fraction is unknown."),
  VG_FLOAT_PARAM (P, short_lifetime_ns, .label = "Short lifetime", .unit = "ns", .group = "Method",
                  .def = 0.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.05, .slider.max = 5,
                  .slider.log_scale = TRUE, .shown_when = { "fix_short", 1 << TRUE },
                  .help = "The known short lifetime."),
  VG_CHOICE_PARAM (P, sharing, .label = "Lifetimes", .group = "Method", .choices = sharings,
                   .choice_labels = sharing_labels, .max = VG_LIFETIME_SHARE_IMAGE,
                   .shown_when = { "method", EXPONENTIALS },
                   .help = "Lifetimes of each pixel, or a global fit, in which pixels share "
                           "lifetimes and need far fewer photons."),
  VG_CHOICE_PARAM (
      P, weights, .label = "Weights", .group = "Method", .choices = weights,
      .choice_labels = weight_labels, .def = VG_LIFETIME_WEIGHTS_MODEL,
      .max = VG_LIFETIME_WEIGHTS_MODEL, .shown_when = { "method", LSM | LSM_BI },
      .help = "Weights from the model give the maximum likelihood fit. Weights from the counts, "
              "used in most papers, make lifetimes read 7 to 10 % low at 1500 photons."),
  VG_CHOICE_PARAM (P, offset, .label = "Offset", .group = "Method", .choices = offsets,
                   .choice_labels = offset_labels, .max = VG_LIFETIME_OFFSET_BEFORE,
                   .shown_when = { "method", FITS },
                   .help = "Constant part of the decay: the background as set, a fit parameter, or "
                           "the mean of each pixel's bins before the pulse."),
  VG_BOOL_PARAM (P, know_1, .label = "Known first lifetime", .group = "Method", .advanced = TRUE,
                 .shown_when = { "method", EXPONENTIALS },
                 .help = "Fixes the first lifetime at its value instead of fitting it."),
  VG_FLOAT_PARAM (P, known_1_ns, .label = "First lifetime", .unit = "ns", .group = "Method",
                  .advanced = TRUE, .def = 0.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.05,
                  .slider.max = 10, .slider.log_scale = TRUE, .shown_when = { "know_1", 1 << TRUE },
                  .help = "The known first lifetime."),
  VG_BOOL_PARAM (
      P, know_2, .label = "Known second lifetime", .group = "Method", .advanced = TRUE,
      .shown_when = { "method", SEVERAL },
      .help = "Fixes the second lifetime at its value, such as that of a donor without acceptor."),
  VG_FLOAT_PARAM (P, known_2_ns, .label = "Second lifetime", .unit = "ns", .group = "Method",
                  .advanced = TRUE, .def = 2.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.05,
                  .slider.max = 10, .slider.log_scale = TRUE, .shown_when = { "know_2", 1 << TRUE },
                  .help = "The known second lifetime."),
  VG_BOOL_PARAM (P, know_3, .label = "Known third lifetime", .group = "Method", .advanced = TRUE,
                 .shown_when = { "method", MLE_TRI },
                 .help = "Fixes the third lifetime at its value instead of fitting it."),
  VG_FLOAT_PARAM (P, known_3_ns, .label = "Third lifetime", .unit = "ns", .group = "Method",
                  .advanced = TRUE, .def = 5.0f, .min = 1e-3, .max = 1e5, .slider.min = 0.05,
                  .slider.max = 20, .slider.log_scale = TRUE, .shown_when = { "know_3", 1 << TRUE },
                  .help = "The known third lifetime."),
  VG_INT_PARAM (P, bin, .label = "Pixel binning", .unit = "px", .group = "Pixels", .min = 0,
                .max = VG_LIFETIME_MAX_BINNING, .slider.step = 1,
                .help = "Neighbours on each side whose photons are added: 2 sums 5 x 5 pixels. The "
                        "intensity stays unbinned."),
  VG_FLOAT_PARAM (
      P, threshold, .label = "Minimum photons", .group = "Pixels", .def = 10, .min = 0, .max = 1e12,
      .slider.max = 1000, .slider.step = 1,
      .help = "Pixels with fewer photons in the fit range, after binning, have missing values."),
  VG_FLOAT_PARAM (P, background, .label = "Background", .unit = "counts/bin", .group = "Pixels",
                  .min = 0, .max = 1e9, .slider.max = 10, .slider.step = 0.01,
                  .help = "Counts in each bin of each pixel that are not fluorescence, such as "
                          "dark counts; they are subtracted."),
  VG_FLOAT_PARAM (P, bin_width_ns, .label = "Bin width", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e4, .slider.min = 1e-3, .slider.max = 1, .slider.log_scale = TRUE,
                  .auto_metric = "bin_width_ns",
                  .help = "Width of a time bin, from the file if it gives one. All lifetimes scale "
                          "with it. 0: unknown, 0.1 ns is assumed."),
  VG_FLOAT_PARAM (P, period_ns, .label = "Laser period", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e6, .slider.max = 100, .slider.step = 0.01, .auto_metric = "period_ns",
                  .help = "Time between laser pulses; 12.5 ns at a repetition rate of 80 MHz. "
                          "Phasors depend on it. 0: the time window."),
  VG_CHOICE_PARAM (P, range, .label = "Fit range", .group = "Time", .choices = ranges,
                   .choice_labels = range_labels, .max = VG_LIFETIME_RANGE_MANUAL,
                   .help = "Time bins that the methods use, found in the data or set. Phasors "
                           "always use the whole time window."),
  VG_FLOAT_PARAM (P, fit_start_ns, .label = "Start", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e6, .slider.max = 25, .slider.step = 0.01,
                  .shown_when = { "range", 1 << VG_LIFETIME_RANGE_MANUAL },
                  .auto_metric = "fit_start_ns",
                  .help = "Start of the fit range: after the pulse, or before it with an IRF. 0 "
                          "finds it; both 0: the whole time window."),
  VG_FLOAT_PARAM (P, fit_end_ns, .label = "End", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e6, .slider.max = 100, .slider.step = 0.01,
                  .shown_when = { "range", 1 << VG_LIFETIME_RANGE_MANUAL },
                  .auto_metric = "fit_end_ns",
                  .help = "End of the fit range. 0 finds it; both 0: the whole time window."),
  VG_FILE_PARAM (
      P, irf, .label = "Measured IRF", .group = "Instrument response", .file.kinds = VG_FILE_IMAGE,
      .file.or_region = VG_FILE_REGION, .file.brightest_channel = TRUE,
      .help = "Recording of scattered light or of a reference dye, or a region of this image that "
              "shows it. FILE#channel=2 chooses a channel; otherwise the brightest is used."),
  VG_FLOAT_PARAM (P, irf_lifetime_ns, .label = "Reference dye lifetime", .unit = "ns",
                  .group = "Instrument response", .min = 0, .max = 1000, .slider.max = 10,
                  .slider.step = 0.01, .zero = "Scattered light",
                  .help = "Known lifetime of the reference dye, in ns; 0 for scattered light."),
  VG_FLOAT_PARAM (P, irf_cut, .label = "IRF cut-off", .unit = "%", .group = "Instrument response",
                  .min = 0, .max = 50, .slider.max = 5, .slider.step = 0.1, .zero = "Automatic",
                  .help = "A measured IRF is cut where it falls below this percentage of its peak. "
                          "0 keeps all of it; a reference dye is cut at its noise."),
  VG_CHOICE_PARAM (P, irf_model, .label = "IRF model", .group = "Instrument response",
                   .choices = irfs, .choice_labels = irf_labels, .max = VG_LIFETIME_IRF_ESTIMATED,
                   .help = "IRF to use if none is measured. Short lifetimes and calibrated phasors "
                           "need one. None: only the tail is used."),
  VG_FLOAT_PARAM (P, irf_fwhm_ns, .label = "Width", .unit = "ns", .group = "Instrument response",
                  .def = 0.25f, .min = 1e-6, .max = 1e4, .slider.min = 0.01, .slider.max = 2,
                  .slider.log_scale = TRUE,
                  .shown_when = { "irf_model", 1 << VG_LIFETIME_IRF_GAUSSIAN },
                  .help = "Full width at half maximum of the Gaussian. A fit of the image's decay "
                          "gives its position."),
  VG_CHOICE_PARAM (P, irf_shift_by, .label = "IRF shift", .group = "Instrument response",
                   .choices = shifts, .choice_labels = shift_labels,
                   .max = VG_LIFETIME_SHIFT_FITTED,
                   .help = "IRF shift: set by hand, or fitted to the decay of the whole image with "
                           "as many lifetimes as the method has."),
  VG_FLOAT_PARAM (
      P, irf_shift_ns, .label = "Shift", .unit = "ns", .group = "Instrument response", .min = -1000,
      .max = 1000, .slider.min = -1, .slider.max = 1, .slider.step = 0.001,
      .shown_when = { "irf_shift_by", 1 << VG_LIFETIME_SHIFT_BY_HAND },
      .help = "Moves the IRF to later times, in ns; negative values move it to earlier times."),
  VG_BOOL_PARAM (P, earlier_pulses, .label = "Previous pulses", .group = "Instrument response",
                 .def = TRUE, .shown_when = { "method", FITS & ~STRETCHED },
                 .help = "Fits with an IRF include photons excited by previous pulses. Off: the "
                         "offset contains those photons."),
  VG_CHOICE_PARAM (P, phasor_filter, .label = "Phasor filter", .group = "Phasor plot",
                   .choices = filters, .choice_labels = filter_labels,
                   .max = VG_LIFETIME_FILTER_WAVELET,
                   .help = "Reduces the noise of phasors and of lifetimes from phasors: median of "
                           "neighbours, or wavelets."),
  VG_INT_PARAM (P, median_radius, .label = "Median radius", .unit = "px", .group = "Phasor plot",
                .def = 1, .min = 1, .max = VG_LIFETIME_MAX_MEDIAN, .slider.step = 1,
                .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_MEDIAN },
                .help = "Neighbours on each side: 1 gives the median of 3 x 3 pixels."),
  VG_INT_PARAM (P, median_passes, .label = "Median passes", .group = "Phasor plot", .def = 1,
                .min = 1, .max = 10, .slider.step = 1,
                .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_MEDIAN },
                .help = "Number of times that the median filter is applied."),
  VG_INT_PARAM (P, wavelet_levels, .label = "Wavelet levels", .group = "Phasor plot", .def = 3,
                .min = 1, .max = VG_LIFETIME_MAX_WAVELET, .slider.step = 1,
                .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_WAVELET },
                .help = "Number of levels N. The coarsest averages over 2^N pixels on a side."),
  VG_FLOAT_PARAM (P, wavelet_threshold, .label = "Wavelet threshold", .group = "Phasor plot",
                  .def = 2, .min = 0, .max = 100, .slider.max = 5, .slider.step = 0.1,
                  .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_WAVELET },
                  .help = "Differences between neighbours are kept above this number of standard "
                          "deviations of the photon noise."),
  VG_CHOICE_PARAM (P, guide, .label = "Guide", .group = "Phasor plot", .choices = guides,
                   .choice_labels = guide_labels, .max = VG_LIFETIME_GUIDE_FRET,
                   .help = "Drawn with the universal semicircle: the line of mixtures of two "
                           "lifetimes, or the path of a FRET donor."),
  VG_FLOAT_PARAM (P, guide_1_ns, .label = "First component", .unit = "ns", .group = "Phasor plot",
                  .def = 0.4f, .min = 0, .max = 1e5, .slider.max = 10, .slider.step = 0.01,
                  .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_MIXTURE },
                  .help = "Lifetime at one end of the line, such as that of free NADH."),
  VG_FLOAT_PARAM (P, guide_2_ns, .label = "Second component", .unit = "ns", .group = "Phasor plot",
                  .def = 3.4f, .min = 0, .max = 1e5, .slider.max = 10, .slider.step = 0.01,
                  .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_MIXTURE },
                  .help = "Lifetime at the other end of the line, such as that of bound NADH."),
  VG_FLOAT_PARAM (P, donor_ns, .label = "Donor lifetime", .unit = "ns", .group = "Phasor plot",
                  .def = 3, .min = 1e-3, .max = 1e5, .slider.min = 0.1, .slider.max = 10,
                  .slider.step = 0.01, .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
                  .help = "Lifetime of the donor without an acceptor."),
  VG_FLOAT_PARAM (P, fret_efficiency, .label = "FRET efficiency", .unit = "%",
                  .group = "Phasor plot", .def = 50, .min = 0, .max = 100, .slider.step = 0.5,
                  .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
                  .help = "Transfer efficiency marked on the path. Move the mark onto the data to "
                          "read their efficiency."),
  VG_FLOAT_PARAM (
      P, fret_share, .label = "FRET donors", .unit = "%", .group = "Phasor plot", .def = 100,
      .min = 0, .max = 100, .slider.step = 0.5,
      .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
      .help = "Percentage of donors that transfer energy. The others keep the donor lifetime."),
  VG_FLOAT_PARAM (P, fret_background, .label = "Background", .unit = "%", .group = "Phasor plot",
                  .def = 0, .min = 0, .max = 100, .slider.step = 0.5,
                  .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
                  .help = "Light without a lifetime (at the origin), as a percentage of the light "
                          "of the donors alone."),
  VG_TABLE_PARAM (P, cursors, .label = "Cursors", .group = "Phasor plot",
                  .table.columns = cursor_columns, .table.max_rows = VG_LIFETIME_MAX_CURSORS,
                  .help = "Ellipses in the phasor plot that colour the pixels inside them. Draw "
                          "and drag them in the plot."),
  VG_FLOAT_PARAM (P, sample_photon_rate, .label = "Photon rate", .unit = "photons/s",
                  .group = "Sample data", .advanced = TRUE, .def = 5e6f, .min = 1, .max = 1e9,
                  .slider.min = 1e4, .slider.max = 1e8, .slider.log_scale = TRUE,
                  .help = "Photon rate of the live sample data. A change takes effect when they "
                          "are next opened."),
  VG_FLOAT_PARAM (P, sample_window_s, .label = "Integration time", .unit = "s",
                  .group = "Sample data", .advanced = TRUE, .min = 0, .max = 1000, .slider.max = 60,
                  .slider.step = 0.1, .zero = "No limit",
                  .help = "Time for which the live sample data keep photons; 0 keeps all. A change "
                          "takes effect when they are next opened."),
};

#define LIFETIME(i, l, h, ...) VG_INIT (i, l, h, "ns", .hints.colormap = "viridis", __VA_ARGS__)
static const VgOutput outputs[VG_LIFETIME_N_OUTPUTS] = {
  [VG_LIFETIME_OUTPUT_LIFETIME] = LIFETIME (
      "lifetime", "Lifetime",
      "Fluorescence lifetime; of several lifetimes, the amplitude-weighted mean.",
      .exactly = { { "method", BI | SEVERAL | STRETCHED }, "Amplitude-weighted lifetime" },
      .time_course = TRUE),
  [VG_LIFETIME_OUTPUT_INTENSITY] = { "intensity", "Photons",
                                     "All photons of a pixel, without binning.", "photons",
                                     .hints.colormap = "gray", .time_course = TRUE },
  [VG_LIFETIME_OUTPUT_LIFETIME_1] = LIFETIME (
      "lifetime_1", "Short lifetime", "The shortest of several lifetimes.", .time_course = TRUE,
      .shown_when = { "method", BI | SEVERAL }),
  [VG_LIFETIME_OUTPUT_LIFETIME_2] = LIFETIME (
      "lifetime_2", "Long lifetime",
      "The longer of two lifetimes, or the second of three lifetimes.", .time_course = TRUE,
      .shown_when = { "method", BI | SEVERAL }),
  [VG_LIFETIME_OUTPUT_FRACTION] = { "fraction", "Amplitude fraction",
                                    "Fraction of the amplitude that decays with the short "
                                    "lifetime; for FRET, the fraction of donors that transfer "
                                    "energy.",
                                    "", .hints.colormap = "viridis", .time_course = TRUE,
                                    .shown_when = { "method", BI | SEVERAL } },
  [VG_LIFETIME_OUTPUT_WEIGHTED] = LIFETIME (
      "intensity_weighted_lifetime", "Intensity-weighted lifetime",
      "Mean of the lifetimes, weighted by the photons of each.",
      .shown_when = { "method", BI | SEVERAL | STRETCHED }),
  [VG_LIFETIME_OUTPUT_AMPLITUDE] = { "amplitude", "Amplitude",
                                     "Amplitude at the start of the decay of the binned pixel.",
                                     "counts/bin", .hints.colormap = "inferno",
                                     .time_course = TRUE },
  [VG_LIFETIME_OUTPUT_ERROR] = { "lifetime_error", "Standard error",
                                 "Standard error of the lifetime, or of the amplitude-weighted "
                                 "mean of several lifetimes or of a stretched exponential.",
                                 "ns", .hints.colormap = "magma",
                                 .shown_when = { "method", CMM | FITS } },
  [VG_LIFETIME_OUTPUT_PHASOR_G] = { "phasor_g", "Phasor G",
                                    "Cosine transform of the decay at the chosen harmonic, "
                                    "calibrated by the IRF.",
                                    "", .hints.colormap = "viridis" },
  [VG_LIFETIME_OUTPUT_PHASOR_S] = { "phasor_s", "Phasor S",
                                    "Sine transform of the decay at the chosen harmonic, "
                                    "calibrated by the IRF.",
                                    "", .hints.colormap = "viridis" },
  [VG_LIFETIME_OUTPUT_DENSITY] = { "phasor_density", "Phasor plot",
                                   "Number of pixels at each phasor: G from -1 to 1 to the right, "
                                   "S upwards.",
                                   "pixels", .hints.colormap = "viridis", .hints.log_scale = TRUE,
                                   .view_only = TRUE, .hints.axes = { "G", "S" } },
  [VG_LIFETIME_OUTPUT_LIFETIME_3] = LIFETIME (
      "lifetime_3", "Third lifetime", "The longest of three lifetimes.", .time_course = TRUE,
      .shown_when = { "method", MLE_TRI }),
  [VG_LIFETIME_OUTPUT_FRACTION_2] = { "fraction_2", "Second amplitude fraction",
                                      "Fraction of the amplitude that decays with the second of "
                                      "three lifetimes.",
                                      "", .hints.colormap = "viridis", .time_course = TRUE,
                                      .shown_when = { "method", MLE_TRI } },
  [VG_LIFETIME_OUTPUT_OFFSET] = { "offset", "Offset",
                                  "Constant part of the model, in counts per bin of the binned "
                                  "pixel.",
                                  "counts/bin", .hints.colormap = "viridis",
                                  .shown_when = { "method", FITS } },
  [VG_LIFETIME_OUTPUT_EXPONENT] = { "stretching_exponent", "Stretching exponent",
                                    "Exponent of the stretched exponential. Below 1 the decay is a "
                                    "mixture of lifetimes; lower is broader.",
                                    "", .hints.colormap = "viridis", .time_course = TRUE,
                                    .shown_when = { "method", STRETCHED } },
  [VG_LIFETIME_OUTPUT_DEVIANCE] = { "deviance", "Deviance",
                                    "Goodness of fit: Poisson deviance or chi-squared. For a good "
                                    "fit it is about the number of fitted bins.",
                                    "", .hints.colormap = "magma", .time_course = TRUE,
                                    .shown_when = { "method", FITS } },
  [VG_LIFETIME_OUTPUT_ERROR_2] = { "lifetime_2_error", "Standard error of the second lifetime",
                                   "Standard error of the second lifetime, from its photons.", "ns",
                                   .hints.colormap = "magma", .shown_when = { "method", SEVERAL } },
  [VG_LIFETIME_OUTPUT_FRACTION_ERROR] = { "fraction_error",
                                          "Standard error of the amplitude fraction",
                                          "Standard error of the amplitude fraction of the short "
                                          "lifetime.",
                                          "", .hints.colormap = "magma",
                                          .shown_when = { "method", SEVERAL } },
  [VG_LIFETIME_OUTPUT_ERROR_3] = { "lifetime_3_error", "Standard error of the third lifetime",
                                   "Standard error of the third lifetime, from its photons.", "ns",
                                   .hints.colormap = "magma", .shown_when = { "method", MLE_TRI } },
  [VG_LIFETIME_OUTPUT_FRACTION_2_ERROR] = { "fraction_2_error",
                                            "Standard error of the second fraction",
                                            "Standard error of the amplitude fraction of the "
                                            "second lifetime.",
                                            "", .hints.colormap = "magma",
                                            .shown_when = { "method", MLE_TRI } },
  [VG_LIFETIME_OUTPUT_ERROR_1] = { "lifetime_1_error", "Standard error of the short lifetime",
                                   "Standard error of the shortest of several lifetimes.", "ns",
                                   .hints.colormap = "magma", .shown_when = { "method", SEVERAL } },
  [VG_LIFETIME_OUTPUT_WEIGHTED_ERROR] = { "intensity_weighted_lifetime_error",
                                          "Standard error, intensity-weighted",
                                          "Standard error of the intensity-weighted mean of the "
                                          "lifetimes.",
                                          "ns", .hints.colormap = "magma",
                                          .shown_when = { "method", SEVERAL } },
  [VG_LIFETIME_OUTPUT_PHOTONS_FITTED] = { "photons_fitted", "Photons in the fit range",
                                          "Photons in the fit range from which the results of a "
                                          "pixel are computed, including those of binned "
                                          "neighbours.",
                                          "photons", .hints.colormap = "gray",
                                          .shown_when = { "method",
                                                          CMM | IEM | RLD | BCMM | FITS } },
  [VG_LIFETIME_OUTPUT_TIME_CONSTANT] = LIFETIME (
      "time_constant", "Time constant",
      "Time after which the stretched exponential has fallen to 1/e.", .time_course = TRUE,
      .shown_when = { "method", STRETCHED }),
  [VG_LIFETIME_OUTPUT_CURSOR] = { "phasor_cursor", "Phasor cursors",
                                  "Number of the phasor cursor that contains the pixel's phasor; "
                                  "0: none.",
                                  "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                  .hints.limits = { 0, VG_LIFETIME_MAX_CURSORS },
                                  .hints.categories = cursor_names,
                                  .shown_when = { "cursors", 1 << TRUE } },
};

static const VgOutputRole roles[] = {
  { VG_ROLE_ERROR, "lifetime", "lifetime_error" },
  { VG_ROLE_ERROR, "lifetime_1", "lifetime_1_error" },
  { VG_ROLE_ERROR, "lifetime_2", "lifetime_2_error" },
  { VG_ROLE_ERROR, "fraction", "fraction_error" },
  { VG_ROLE_ERROR, "intensity_weighted_lifetime", "intensity_weighted_lifetime_error" },
  { VG_ROLE_AGAINST, "lifetime", "intensity" },
  { VG_ROLE_BRIGHTNESS, "lifetime", "intensity" },
  { VG_ROLE_BRIGHTNESS, "lifetime_1", "intensity" },
  { VG_ROLE_BRIGHTNESS, "lifetime_2", "intensity" },
  { VG_ROLE_BRIGHTNESS, "fraction", "intensity" },
  { VG_ROLE_BRIGHTNESS, "intensity_weighted_lifetime", "intensity" },
  { VG_ROLE_BRIGHTNESS, "lifetime_3", "intensity" },
  { VG_ROLE_BRIGHTNESS, "fraction_2", "intensity" },
  { VG_ROLE_BRIGHTNESS, "stretching_exponent", "intensity" },
  { VG_ROLE_BRIGHTNESS, "time_constant", "intensity" },
  { VG_ROLE_BRIGHTNESS, "phasor_cursor", "intensity" },
  { 0 },
};

static const VgPlaneSpec phasor_plane = { .output = "phasor_density",
                                          .points = { "phasor_g", "phasor_s" },
                                          .ellipses = "cursors",
                                          .selection = "phasor_cursor" };

static const VgPlot plots[VG_LIFETIME_N_PLOTS] = {
  [VG_LIFETIME_PLOT_LIFETIMES] = { "lifetime_histogram", "Distribution of lifetimes" },
  [VG_LIFETIME_PLOT_DECAY] = { "decay", "Image decay" },
  [VG_LIFETIME_PLOT_PHASOR] = { "phasor", "Phasor", .plane = &phasor_plane, .caution = "pulse_ns" },
};

static const VgMemory memory = { vg_lifetime_memory, NULL };

static const VgPlaneHints plane = { .overlay = vg_lifetime_guides };

const VgOperation vg_lifetime_operation = {
  .id = "lifetime",
  .title = "Lifetime",
  .summary = "Fluorescence lifetime of every pixel from photon counts in time bins, by moments, "
             "gates, phasors and fits.",
  .citation = "G. Wu, T. Nowotny, Y. Chen, D. Li, GPU acceleration of time-domain fluorescence "
              "lifetime imaging, J. Biomed. Opt. 21, 017001 (2016)",
  .input = { .kind = VG_INPUT_STREAM,
             .files = { 1, -1 },
             .channels = { 1, 1 },
             .bins = { 2, 0 },
             .formats = "Becker & Hickl .sdt, PicoQuant .ptu and .bin, TIFF stacks of time bins, "
                        "decays as text",
             .suffixes = "sdt ptu bin tif tiff txt csv asc dat zip" },
  .params = { params, G_N_ELEMENTS (params), sizeof (VgLifetimeParams) },
  .outputs = outputs,
  .n_outputs = VG_LIFETIME_N_OUTPUTS,
  .roles = roles,
  .plots = plots,
  .n_plots = G_N_ELEMENTS (plots),
  .view = { .first_output = VG_LIFETIME_OUTPUT_LIFETIME, .key_metric = "pixels_fitted" },
  .cpu = &vg_lifetime_cpu_engine,
  .synthetic = &vg_lifetime_synthetic,
  .validate = vg_lifetime_validate,
  .adopt = vg_lifetime_adopt,
  .memory = &memory,
  .on_params_changed = vg_lifetime_follow,
  .plane = &plane,
};
