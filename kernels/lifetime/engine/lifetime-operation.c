/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/engine/lifetime-engine.h"
#include "kernels/lifetime/engine/lifetime-guides.h"
#include "kernels/lifetime/engine/lifetime-limits.h"
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
                                             "Rapid determination (gates)",
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
static const char *const sharing_labels[] = { "Of each pixel", "Shared by 32 neighbours",
                                              "Shared by the image", NULL };
static const char *const weights[] = { "counts", "model", NULL };
static const char *const weight_labels[] = { "Counts (Neyman, reads low)", "Model (Pearson)",
                                             NULL };
static const char *const offsets[] = { "given", "fitted", "before", NULL };
static const char *const offset_labels[] = { "Background as set", "Fitted",
                                             "From the bins before the pulse", NULL };
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
                   .help = "How a decay becomes a lifetime. Centre of mass is as precise as the "
                           "best fit of one lifetime without background."),
  VG_BOOL_PARAM (P, window_correction, .label = "Correct for truncation", .group = "Method",
                 .def = TRUE, .shown_when = { "method", CMM | BCMM },
                 .help = "Account for photons that come after the last bin and for the width of a "
                         "bin; off gives the paper's form, which reads low for long lifetimes."),
  VG_CHOICE_PARAM (P, iem_form, .label = "Integral", .group = "Method", .choices = iem_forms,
                   .choice_labels = iem_form_labels, .max = VG_LIFETIME_IEM_SIMPSON,
                   .shown_when = { "method", IEM },
                   .help = "How the area under the decay is taken: exactly for an exponential in "
                           "gates, or by Simpson's rule as in the paper."),
  VG_FLOAT_PARAM (P, iem_gate_ns, .label = "Gate", .unit = "ns", .group = "Method", .def = 1.6f,
                  .min = 1e-6, .max = 1e6, .slider.min = 0.05, .slider.max = 10,
                  .slider.log_scale = TRUE, .shown_when = { "method", IEM },
                  .help = "Bins are added to gates of this width first; wide gates need far fewer "
                          "photons, about half the lifetime is best."),
  VG_CHOICE_PARAM (
      P, rld_gates, .label = "Gates", .group = "Method", .choices = rld_gates,
      .choice_labels = rld_gate_labels, .max = VG_LIFETIME_RLD_THREE,
      .shown_when = { "method", RLD },
      .help = "Two gates need fewer photons; three are not moved by a constant background."),
  VG_FLOAT_PARAM (P, rld_gate_ns, .label = "Gate", .unit = "ns", .group = "Method", .def = 6.4f,
                  .min = 1e-6, .max = 1e6, .slider.min = 0.05, .slider.max = 20,
                  .slider.log_scale = TRUE, .shown_when = { "method", RLD },
                  .help = "Width of each gate, cut to what fits into the range; about twice the "
                          "lifetime is best."),
  VG_INT_PARAM (P, harmonic, .label = "Harmonic", .group = "Method", .def = 1, .min = 1,
                .max = VG_LIFETIME_MAX_HARMONIC, .slider.step = 1,
                .help = "Multiple of the laser's repetition rate at which phasors are taken; "
                        "higher ones suit short lifetimes."),
  VG_CHOICE_PARAM (P, phasor_form, .label = "Lifetime from", .group = "Method",
                   .choices = phasor_forms, .choice_labels = phasor_form_labels,
                   .max = VG_LIFETIME_BY_MODULATION, .shown_when = { "method", PHASOR },
                   .help = "Read the lifetime off the phasor's angle or off its length; they "
                           "differ where there is more than one lifetime."),
  VG_BOOL_PARAM (P, fix_long, .label = "Long lifetime is known", .group = "Method", .def = TRUE,
                 .shown_when = { "method", BCMM },
                 .help = "Keep the long lifetime at its value, such as that of a donor without "
                         "acceptor; the other results need far fewer photons."),
  VG_FLOAT_PARAM (P, long_lifetime_ns, .label = "Long lifetime", .unit = "ns", .group = "Method",
                  .def = 2.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.1, .slider.max = 10,
                  .slider.log_scale = TRUE, .shown_when = { "method", BI },
                  .help = "The known long lifetime; the bi-exponential phasor always needs it."),
  VG_BOOL_PARAM (P, fix_short, .label = "Short lifetime is known", .group = "Method",
                 .shown_when = { "method", BI },
                 .help = "Keep the short lifetime at its value too, so that only the share of each "
                         "is left to find."),
  VG_FLOAT_PARAM (P, short_lifetime_ns, .label = "Short lifetime", .unit = "ns", .group = "Method",
                  .def = 0.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.05, .slider.max = 5,
                  .slider.log_scale = TRUE, .shown_when = { "fix_short", 1 << TRUE },
                  .help = "The known short lifetime."),
  VG_CHOICE_PARAM (P, sharing, .label = "Lifetimes", .group = "Method", .choices = sharings,
                   .choice_labels = sharing_labels, .max = VG_LIFETIME_SHARE_IMAGE,
                   .shown_when = { "method", EXPONENTIALS },
                   .help = "Whether each pixel has lifetimes of its own, or pixels share them and "
                           "differ in their amplitudes, which then need far fewer photons."),
  VG_CHOICE_PARAM (P, weights, .label = "Weights", .group = "Method", .choices = weights,
                   .choice_labels = weight_labels, .def = VG_LIFETIME_WEIGHTS_MODEL,
                   .max = VG_LIFETIME_WEIGHTS_MODEL, .shown_when = { "method", LSM | LSM_BI },
                   .help = "How squared residuals are weighted. The model gives the maximum "
                           "likelihood fit. Counts, used in most papers, make lifetimes read 7 to "
                           "10 % low at 1500 photons, and lower with fewer."),
  VG_CHOICE_PARAM (
      P, offset, .label = "Offset", .group = "Method", .choices = offsets,
      .choice_labels = offset_labels, .max = VG_LIFETIME_OFFSET_BEFORE,
      .shown_when = { "method", FITS },
      .help = "The constant under a pixel's decay: the background set below, where 0 is none; "
              "fitted with the lifetimes; or the mean of the pixel's bins before the pulse rises, "
              "as other programs fix it, less what earlier pulses left there where they count."),
  VG_BOOL_PARAM (P, know_1, .label = "First lifetime is known", .group = "Method", .advanced = TRUE,
                 .shown_when = { "method", EXPONENTIALS },
                 .help = "Keep the first lifetime at its value instead of fitting it."),
  VG_FLOAT_PARAM (P, known_1_ns, .label = "First lifetime", .unit = "ns", .group = "Method",
                  .advanced = TRUE, .def = 0.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.05,
                  .slider.max = 10, .slider.log_scale = TRUE, .shown_when = { "know_1", 1 << TRUE },
                  .help = "The known first lifetime."),
  VG_BOOL_PARAM (
      P, know_2, .label = "Second lifetime is known", .group = "Method", .advanced = TRUE,
      .shown_when = { "method", SEVERAL },
      .help = "Keep the second lifetime at its value, such as that of a donor without acceptor."),
  VG_FLOAT_PARAM (P, known_2_ns, .label = "Second lifetime", .unit = "ns", .group = "Method",
                  .advanced = TRUE, .def = 2.5f, .min = 1e-3, .max = 1e5, .slider.min = 0.05,
                  .slider.max = 10, .slider.log_scale = TRUE, .shown_when = { "know_2", 1 << TRUE },
                  .help = "The known second lifetime."),
  VG_BOOL_PARAM (P, know_3, .label = "Third lifetime is known", .group = "Method", .advanced = TRUE,
                 .shown_when = { "method", MLE_TRI },
                 .help = "Keep the third lifetime at its value instead of fitting it."),
  VG_FLOAT_PARAM (P, known_3_ns, .label = "Third lifetime", .unit = "ns", .group = "Method",
                  .advanced = TRUE, .def = 5.0f, .min = 1e-3, .max = 1e5, .slider.min = 0.05,
                  .slider.max = 20, .slider.log_scale = TRUE, .shown_when = { "know_3", 1 << TRUE },
                  .help = "The known third lifetime."),
  VG_INT_PARAM (P, bin, .label = "Binning", .unit = "px", .group = "Pixels", .min = 0,
                .max = VG_LIFETIME_MAX_BINNING, .slider.step = 1,
                .help = "Pixels on each side whose photons are added: 2 sums 5 x 5 pixels into "
                        "each. The intensity keeps its detail."),
  VG_FLOAT_PARAM (
      P, threshold, .label = "Minimum photons", .group = "Pixels", .def = 10, .min = 0, .max = 1e12,
      .slider.max = 1000, .slider.step = 1,
      .help = "Pixels with fewer photons in the fit range, after binning, get no lifetime."),
  VG_FLOAT_PARAM (P, background, .label = "Background", .unit = "counts/bin", .group = "Pixels",
                  .min = 0, .max = 1e9, .slider.max = 10, .slider.step = 0.01,
                  .help = "Counts in each bin of each pixel that are no fluorescence, such as dark "
                          "counts; they are taken off."),
  VG_FLOAT_PARAM (P, bin_width_ns, .label = "Bin width", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e4, .slider.min = 1e-3, .slider.max = 1, .slider.log_scale = TRUE,
                  .help = "Width of a time bin; taken from the file when it says so. All lifetimes "
                          "scale with it. 0: not known, and 0.1 ns is taken."),
  VG_FLOAT_PARAM (P, period_ns, .label = "Laser period", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e6, .slider.max = 100, .slider.step = 0.01,
                  .help = "Time from pulse to pulse, 12.5 ns at 80 MHz; it sets the phasor's "
                          "frequency and may be longer than the window. 0 takes the window."),
  VG_CHOICE_PARAM (P, range, .label = "Fit range", .group = "Time", .choices = ranges,
                   .choice_labels = range_labels, .max = VG_LIFETIME_RANGE_MANUAL,
                   .help = "Find where the pulse is over and where the data end, or say so; "
                           "phasors always use the whole window."),
  VG_FLOAT_PARAM (
      P, fit_start_ns, .label = "Start", .unit = "ns", .group = "Time", .min = 0, .max = 1e6,
      .slider.max = 25, .slider.step = 0.01,
      .shown_when = { "range", 1 << VG_LIFETIME_RANGE_MANUAL },
      .help = "Where the fit begins, after the pulse; before it when there is an instrument "
              "response. 0 finds it, or takes the whole window when the end is 0 too."),
  VG_FLOAT_PARAM (P, fit_end_ns, .label = "End", .unit = "ns", .group = "Time", .min = 0,
                  .max = 1e6, .slider.max = 100, .slider.step = 0.01,
                  .shown_when = { "range", 1 << VG_LIFETIME_RANGE_MANUAL },
                  .help = "Where the fit ends. 0 finds where the data end, or takes the whole "
                          "window when the start is 0 too."),
  VG_FILE_PARAM (
      P, irf, .label = "Measured response", .group = "Response", .file.kinds = VG_FILE_IMAGE,
      .file.or_region = TRUE, .file.brightest_channel = TRUE,
      .help = "How the instrument sees an infinitely short decay: a recording of scattered light "
              "or of a reference dye, or a region of this image that shows one. Of a file with "
              "several channels the fullest is taken, or the one named as FILE#channel=2."),
  VG_FLOAT_PARAM (
      P, irf_lifetime_ns, .label = "Dye's lifetime", .unit = "ns", .group = "Response", .min = 0,
      .max = 1000, .slider.max = 10, .slider.step = 0.01,
      .help = "Known lifetime of the reference dye that was measured; 0 for scattered light."),
  VG_FLOAT_PARAM (P, irf_cut, .label = "Cut below", .unit = "%", .group = "Response", .min = 0,
                  .max = 50, .slider.max = 5, .slider.step = 0.1,
                  .help = "Where a measured response falls below this part of its peak it ends: "
                          "dark counts and the glow behind a pulse are left out. 0 keeps all; a "
                          "dye's is cut where its noise begins."),
  VG_CHOICE_PARAM (P, irf_model, .label = "If none is measured", .group = "Response",
                   .choices = irfs, .choice_labels = irf_labels, .max = VG_LIFETIME_IRF_ESTIMATED,
                   .help = "The response to take where none is measured. Needed for short "
                           "lifetimes, and to calibrate phasors; without any the tail is used."),
  VG_FLOAT_PARAM (P, irf_fwhm_ns, .label = "Width", .unit = "ns", .group = "Response", .def = 0.25f,
                  .min = 1e-6, .max = 1e4, .slider.min = 0.01, .slider.max = 2,
                  .slider.log_scale = TRUE,
                  .shown_when = { "irf_model", 1 << VG_LIFETIME_IRF_GAUSSIAN },
                  .help = "Full width of the Gaussian at half its height; its place is found by a "
                          "fit of the image's decay."),
  VG_CHOICE_PARAM (
      P, irf_shift_by, .label = "Shift", .group = "Response", .choices = shifts,
      .choice_labels = shift_labels, .max = VG_LIFETIME_SHIFT_FITTED,
      .help = "How far the response is moved against the data: by hand, or where a fit of the "
              "whole image's decay, with as many lifetimes as the method has, deviates least."),
  VG_FLOAT_PARAM (P, irf_shift_ns, .label = "Shift by", .unit = "ns", .group = "Response",
                  .min = -1000, .max = 1000, .slider.min = -1, .slider.max = 1,
                  .slider.step = 0.001,
                  .shown_when = { "irf_shift_by", 1 << VG_LIFETIME_SHIFT_BY_HAND },
                  .help = "Moves the response to later times against the data."),
  VG_BOOL_PARAM (P, earlier_pulses, .label = "Earlier pulses", .group = "Response", .def = TRUE,
                 .shown_when = { "method", FITS & ~STRETCHED },
                 .help = "Fits behind a response count what earlier pulses left over, a laser "
                         "period ago and more. Off: each pulse is alone, as in programs that put "
                         "what they leave into the offset."),
  VG_CHOICE_PARAM (P, phasor_filter, .label = "Filter phasors", .group = "Phasor plot",
                   .choices = filters, .choice_labels = filter_labels,
                   .max = VG_LIFETIME_FILTER_WAVELET,
                   .help = "Take noise out of phasors, and of lifetimes found by phasor, and leave "
                           "the intensity's detail: the median of neighbours, or wavelets that "
                           "keep what the photons prove."),
  VG_INT_PARAM (P, median_radius, .label = "Median radius", .unit = "px", .group = "Phasor plot",
                .def = 1, .min = 1, .max = VG_LIFETIME_MAX_MEDIAN, .slider.step = 1,
                .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_MEDIAN },
                .help = "Pixels on each side: 1 takes the median of 3 x 3."),
  VG_INT_PARAM (P, median_passes, .label = "Median passes", .group = "Phasor plot", .def = 1,
                .min = 1, .max = 10, .slider.step = 1,
                .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_MEDIAN },
                .help = "How often the median is taken, one after the other."),
  VG_INT_PARAM (P, wavelet_levels, .label = "Wavelet levels", .group = "Phasor plot", .def = 3,
                .min = 1, .max = VG_LIFETIME_MAX_WAVELET, .slider.step = 1,
                .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_WAVELET },
                .help = "The coarsest of them averages over 2 to this power pixels."),
  VG_FLOAT_PARAM (P, wavelet_threshold, .label = "Wavelet threshold", .group = "Phasor plot",
                  .def = 2, .min = 0, .max = 100, .slider.max = 5, .slider.step = 0.1,
                  .shown_when = { "phasor_filter", 1 << VG_LIFETIME_FILTER_WAVELET },
                  .help = "Differences between neighbours are kept beyond this many standard "
                          "deviations of the photons' noise."),
  VG_CHOICE_PARAM (
      P, guide, .label = "Drawn over the plot", .group = "Phasor plot", .choices = guides,
      .choice_labels = guide_labels, .max = VG_LIFETIME_GUIDE_FRET,
      .help = "Beside the semicircle of single lifetimes: the line between two, with shares of the "
              "photons, or the path of a donor whose energy goes to an acceptor."),
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
                  .help = "Of the donor without an acceptor."),
  VG_FLOAT_PARAM (
      P, fret_efficiency, .label = "Efficiency", .unit = "%", .group = "Phasor plot", .def = 50,
      .min = 0, .max = 100, .slider.step = 0.5,
      .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
      .help = "Energy transfer that is marked on the path: move it onto the data to read it off."),
  VG_FLOAT_PARAM (P, fret_share, .label = "Donors that transfer", .unit = "%",
                  .group = "Phasor plot", .def = 100, .min = 0, .max = 100, .slider.step = 0.5,
                  .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
                  .help = "The others shine on with the donor's lifetime."),
  VG_FLOAT_PARAM (P, fret_background, .label = "Background", .unit = "%", .group = "Phasor plot",
                  .def = 0, .min = 0, .max = 100, .slider.step = 0.5,
                  .shown_when = { "guide", 1 << VG_LIFETIME_GUIDE_FRET },
                  .help = "Light without a lifetime, which lies at the origin, as part of what the "
                          "donors alone would give."),
  VG_TABLE_PARAM (P, cursors, .label = "Cursors", .group = "Phasor plot",
                  .table.columns = cursor_columns, .table.max_rows = VG_LIFETIME_MAX_CURSORS,
                  .help = "Ellipses of the phasor plot; pixels whose phasor lies within take their "
                          "colour. Draw and drag them in the plot."),
  VG_FLOAT_PARAM (P, sample_photon_rate, .label = "Photon rate of sample data", .unit = "photons/s",
                  .group = "Sample data", .advanced = TRUE, .def = 5e6f, .min = 1, .max = 1e9,
                  .slider.min = 1e4, .slider.max = 1e8, .slider.log_scale = TRUE,
                  .help = "How fast the built-in live data gather photons; it takes effect when "
                          "they are opened."),
  VG_FLOAT_PARAM (
      P, sample_window_s, .label = "Photons are kept for", .unit = "s", .group = "Sample data",
      .advanced = TRUE, .min = 0, .max = 1000, .slider.max = 60, .slider.step = 0.1,
      .help = "The built-in live data forget older photons, as for a sample that changes; 0 keeps "
              "all, so that the image gets ever better. It takes effect when they are opened."),
};

#define LIFETIME(i, l, h, ...) VG_INIT (i, l, h, "ns", .hints.colormap = "turbo", __VA_ARGS__)
static const VgOutput outputs[VG_LIFETIME_N_OUTPUTS] = {
  [VG_LIFETIME_OUTPUT_LIFETIME] = LIFETIME (
      "lifetime", "Lifetime", "Fluorescence lifetime; of two lifetimes the mean by amplitude.",
      .time_course = TRUE),
  [VG_LIFETIME_OUTPUT_INTENSITY] = { "intensity", "Photons",
                                     "All photons of a pixel, without binning.", "photons",
                                     .hints.colormap = "gray", .time_course = TRUE },
  [VG_LIFETIME_OUTPUT_LIFETIME_1] = LIFETIME (
      "lifetime_1", "Short lifetime", "The shortest of several lifetimes.", .time_course = TRUE,
      .shown_when = { "method", BI | SEVERAL }),
  [VG_LIFETIME_OUTPUT_LIFETIME_2] = LIFETIME (
      "lifetime_2", "Long lifetime", "The longer of two lifetimes, the second of three.",
      .time_course = TRUE, .shown_when = { "method", BI | SEVERAL }),
  [VG_LIFETIME_OUTPUT_FRACTION] = { "fraction", "Share of the short lifetime",
                                    "Share of the amplitude that decays with the short lifetime; "
                                    "of donors, those that transfer energy.",
                                    "", .hints.colormap = "viridis", .time_course = TRUE,
                                    .shown_when = { "method", BI | SEVERAL } },
  [VG_LIFETIME_OUTPUT_WEIGHTED] = LIFETIME ("intensity_weighted_lifetime",
                                            "Mean lifetime by intensity",
                                            "Mean of the lifetimes, each by the photons it gives.",
                                            .shown_when = { "method", BI | SEVERAL | STRETCHED }),
  [VG_LIFETIME_OUTPUT_AMPLITUDE] = { "amplitude", "Amplitude",
                                     "Height of the decay at its beginning, of the binned pixel.",
                                     "counts/bin", .hints.colormap = "inferno",
                                     .time_course = TRUE },
  [VG_LIFETIME_OUTPUT_ERROR] = { "lifetime_error", "Standard error",
                                 "Standard deviation of the lifetime that its photons allow; of "
                                 "several lifetimes, of the shortest, of a stretched exponential, "
                                 "of its mean.",
                                 "ns", .hints.colormap = "magma",
                                 .shown_when = { "method", CMM | FITS } },
  [VG_LIFETIME_OUTPUT_PHASOR_G] = { "phasor_g", "Phasor G",
                                    "Cosine part of the decay at the chosen harmonic, calibrated "
                                    "by the response.",
                                    "", .hints.colormap = "viridis" },
  [VG_LIFETIME_OUTPUT_PHASOR_S] = { "phasor_s", "Phasor S",
                                    "Sine part of the decay at the chosen harmonic, calibrated by "
                                    "the response.",
                                    "", .hints.colormap = "viridis" },
  [VG_LIFETIME_OUTPUT_DENSITY] = { "phasor_density", "Phasor plot",
                                   "How many pixels have a phasor: G from -1 to 1 to the right, S "
                                   "upwards.",
                                   "pixels", .hints.colormap = "viridis", .hints.log_scale = TRUE,
                                   .view_only = TRUE, .hints.axes = { "G", "S" } },
  [VG_LIFETIME_OUTPUT_LIFETIME_3] = LIFETIME (
      "lifetime_3", "Third lifetime", "The longest of three lifetimes.", .time_course = TRUE,
      .shown_when = { "method", MLE_TRI }),
  [VG_LIFETIME_OUTPUT_FRACTION_2] = { "fraction_2", "Share of the second lifetime",
                                      "Share of the amplitude that decays with the second of three "
                                      "lifetimes.",
                                      "", .hints.colormap = "viridis", .time_course = TRUE,
                                      .shown_when = { "method", MLE_TRI } },
  [VG_LIFETIME_OUTPUT_OFFSET] = { "offset", "Offset",
                                  "Constant background of the fit, of the binned pixel.",
                                  "counts/bin", .hints.colormap = "viridis",
                                  .shown_when = { "method", FITS } },
  [VG_LIFETIME_OUTPUT_EXPONENT] = { "stretching_exponent", "Stretching exponent",
                                    "Below 1 the decay is a mixture of lifetimes, the broader the "
                                    "lower.",
                                    "", .hints.colormap = "viridis", .time_course = TRUE,
                                    .shown_when = { "method", STRETCHED } },
  [VG_LIFETIME_OUTPUT_DEVIANCE] = { "deviance", "Deviance",
                                    "What the fit makes least: the deviance of Poisson counts, or "
                                    "weighted squares; about the number of bins when the model is "
                                    "right.",
                                    "", .hints.colormap = "magma", .time_course = TRUE,
                                    .shown_when = { "method", FITS } },
  [VG_LIFETIME_OUTPUT_ERROR_2] = { "lifetime_2_error", "Standard error of the second",
                                   "Standard deviation of the second lifetime that its photons "
                                   "allow.",
                                   "ns", .hints.colormap = "magma",
                                   .shown_when = { "method", SEVERAL } },
  [VG_LIFETIME_OUTPUT_FRACTION_ERROR] = { "fraction_error", "Standard error of the share",
                                          "Standard deviation of the short lifetime's share that "
                                          "the photons allow.",
                                          "", .hints.colormap = "magma",
                                          .shown_when = { "method", SEVERAL } },
  [VG_LIFETIME_OUTPUT_ERROR_3] = { "lifetime_3_error", "Standard error of the third",
                                   "Standard deviation of the third lifetime that its photons "
                                   "allow.",
                                   "ns", .hints.colormap = "magma",
                                   .shown_when = { "method", MLE_TRI } },
  [VG_LIFETIME_OUTPUT_FRACTION_2_ERROR] = { "fraction_2_error",
                                            "Standard error of the second's share",
                                            "Standard deviation of the second lifetime's share "
                                            "that the photons allow.",
                                            "", .hints.colormap = "magma",
                                            .shown_when = { "method", MLE_TRI } },
  [VG_LIFETIME_OUTPUT_TIME_CONSTANT] = LIFETIME (
      "time_constant", "Time constant", "Of the stretched exponential: when it has fallen to 1/e.",
      .time_course = TRUE, .shown_when = { "method", STRETCHED }),
  [VG_LIFETIME_OUTPUT_CURSOR] = { "phasor_cursor", "Phasor cursors",
                                  "Which cursor of the phasor plot holds the pixel's phasor, from "
                                  "1; 0: none.",
                                  "", .kind = VG_OUTPUT_LABELS, .hints.colormap = "categories",
                                  .hints.limits = { 0, VG_LIFETIME_MAX_CURSORS },
                                  .shown_when = { "cursors", 1 << TRUE } },
};

static const VgOutputRole roles[] = {
  { VG_ROLE_ERROR, "lifetime_1", "lifetime_error" },
  { VG_ROLE_ERROR, "lifetime_2", "lifetime_2_error" },
  { VG_ROLE_ERROR, "fraction", "fraction_error" },
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
  [VG_LIFETIME_PLOT_PHASOR] = { "phasor", "Phasor", .plane = &phasor_plane },
};

static const VgMemory memory = { vg_lifetime_memory, NULL };

const VgOperation vg_lifetime_operation = {
  .id = "lifetime",
  .title = "Lifetime",
  .summary = "Fluorescence lifetime of every pixel from photon counts in time bins, by moments, "
             "gates, phasors and fits.",
  .citation = "G. Wu, T. Nowotny, Y. Chen, D. Li, GPU acceleration of time-domain fluorescence "
              "lifetime imaging, J. Biomed. Opt. 21, 017001 (2016)",
  .input = { .kind = VG_INPUT_STREAM, .files = { 1, -1 }, .channels = { 1, 1 }, .bins = { 2, 0 } },
  .params = { params, G_N_ELEMENTS (params), sizeof (VgLifetimeParams) },
  .outputs = outputs,
  .n_outputs = VG_LIFETIME_N_OUTPUTS,
  .roles = roles,
  .plots = plots,
  .n_plots = G_N_ELEMENTS (plots),
  .view = { .first_output = VG_LIFETIME_OUTPUT_LIFETIME },
  .cpu = &vg_lifetime_cpu_engine,
  .synthetic = &vg_lifetime_synthetic,
  .validate = vg_lifetime_validate,
  .adopt = vg_lifetime_adopt,
  .memory = &memory,
  .on_params_changed = vg_lifetime_follow,
  .overlay = vg_lifetime_guides,
};
