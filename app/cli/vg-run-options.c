/* SPDX-License-Identifier: MIT */
#include "app/cli/vg-command-run-private.h"
/* The options of `run` and `demo`. */

#define VG_AT_FRAME_OPTION                                                                         \
  {                                                                                                \
    "at-frame", "N", "write the maps of frame N of a stream only, from 1 (default: all)"           \
  }

#define VG_FORMAT_OPTIONS                                                                          \
  { "format", "LIST",                                                                              \
    "formats of the maps: tiff, nifti, nrrd, dicom, csv, png, separated by commas (default: "      \
    "tiff, and nifti if the input is a volume with a placement)" },                                \
  {                                                                                                \
    "dicom-anonymous", NULL,                                                                       \
        "leave patient, study, dates and references out of the DICOM files and the report"         \
  }

#define VG_FIGURE_OPTIONS                                                                          \
  { "figure", "LIST",                                                                              \
    "also write a figure of the first map, or of the map that the session shows, with colour "     \
    "bar, scale bar and regions: png, svg, pdf, separated by commas" },                            \
      { "figure-mm", "N", "width of the figure, mm (default: 85)" },                               \
      { "figure-dpi", "N", "dots per inch of figure.png (default: 300)" },                         \
      { "figure-slice", "N",                                                                       \
        "slice of a volume that the figure and the report show, counted from 1" },                 \
  {                                                                                                \
    "report", NULL,                                                                                \
        "also write report.html: maps, curves, results, regions, settings, warnings, provenance"   \
  }

#define VG_MOVIE_OPTIONS                                                                           \
  { "movie", "FILE",                                                                               \
    "also write a movie of the first map, or of the session's: of the frames of a recording, of "  \
    "the steps of an evolution, or over the frames of a series; .webm, .mp4 or .avi; without "     \
    "--out, only the movie" },                                                                     \
      { "movie-fps", "N",                                                                          \
        "frames per second of the movie (default: as recorded, but from 1 to 60; 10 if not "       \
        "known)" },                                                                                \
      { "movie-width", "N",                                                                        \
        "width of the movie, px (default, by the quality: 1280, 960 or 640)" },                    \
      { "movie-quality", "high|medium|small",                                                      \
        "quality of the movie; a smaller file has less fine grain (default: medium)" },            \
      { "movie-frames", "A-B", "first and last frame or step of the movie, from 1" },              \
  {                                                                                                \
    "movie-limits", "LOW,HIGH",                                                                    \
        "values with the first and the last colour (default: the session's, or those of the "      \
        "first maps)"                                                                              \
  }

#define VG_ANNOTATIONS_OPTION                                                                      \
  {                                                                                                \
    "annotations", "LINES",                                                                        \
        "arrows and texts over figures, report and movie: a line each, such as arrow:10,20,30,40 " \
        "14 #ffd91a, or text:10,20 14 #ffd91a Vessel; replaces the session's"                      \
  }

#define VG_ROIS_OPTION                                                                             \
  {                                                                                                \
    "rois", "FILE",                                                                                \
        "regions to average in regions.csv: a text file with one region per line "                 \
        "(rect:10,20,30,40 cell), or these lines, separated by semicolons; or a label image, "     \
        "a volume of labels (NIfTI mask) or a DICOM segmentation. They replace the session's "     \
        "regions"                                                                                  \
  }

#define VG_PROFILE_OPTION                                                                          \
  {                                                                                                \
    "profile", "LINE",                                                                             \
        "also write profile.csv, the values of the last maps along a line: X0,Y0,X1,Y1, "          \
        "optionally with a width in px and a slice counted from 0, as in 10,20,80,20,3@0"          \
  }

#define VG_SEND_OPTION                                                                             \
  {                                                                                                \
    "send", "ADDRESS",                                                                             \
        "also send the first map, or the session's, with means of the regions and settings by "    \
        "OpenIGTLink: igtl://HOST:PORT connects, igtl-listen://PORT lets programs connect; "       \
        "without --out, maps are only sent"                                                        \
  }

#define VG_COURSE_OPTIONS                                                                          \
  { "kymograph", "LINE",                                                                           \
    "also write kymograph.tif, the values of the first map, or the session's, along a line with "  \
    "a row for each frame, and vessel.csv, the diameter of the vessel that it crosses" },          \
      { "events", "TIMES",                                                                         \
        "also write events.csv, the means of the regions averaged around events: T1,T2,... in s, " \
        "optionally with the seconds before and after each, as in 10,40,70:5,20" },                \
  {                                                                                                \
    "alarm", "LIMIT",                                                                              \
        "report when the mean of a region falls below LIMIT, in the unit of the first map or of "  \
        "the session's map, and write alarms.csv"                                                  \
  }

#define VG_STUDY_OPTIONS                                                                           \
  { "list", "FILE",                                                                                \
    "a study: a table with one row for each run, in CSV; the columns are file, name, operation "   \
    "and any options and parameters; each row has a folder of its own, and results.csv has all" }, \
      { "resume", NULL, "with --list: compute only rows that are not done or have changed" },      \
      { "force", NULL, "with --list: compute all rows again, and replace their results" },         \
  {                                                                                                \
    "part", "I/N", "with --list: compute part I of N of the rows, for processes side by side"      \
  }

#define VG_COMPARE_OPTION                                                                          \
  {                                                                                                \
    "compare", "RUN",                                                                              \
        "also write comparison.csv: the fits of the regions beside those of the regions with the " \
        "same names in another run, and the change with its standard error; RUN is the folder of " \
        "that run, or its summary.json"                                                            \
  }

static const VgOption run_options[] = {
  { "out", "DIR", "folder for the maps, summary.json and preview.png" },
  { "backend", "auto|cpu|cuda", "where to compute; auto uses a GPU if there is one" },
  { "threads", "N", "processor threads; 0: all (the default)" },
  { "session", "FILE", "operation, inputs, parameters and regions of a saved session" },
  VG_READ_OPTIONS_OPTIONS,
  { "tile", "N",
    "side of the tiles of a whole slide, px; by default 3072, with a GPU 2048, and less if memory "
    "is short; the number of nuclei can depend on it, because tiles cut them differently" },
  { "overlap", "N", "width of the halo around each tile, px; by default the operation chooses it" },
  { "find-regions", NULL,
    "find regions that are not given, such as vessels, in the data; an uncertain region is not "
    "used, and a note says why" },
  { "each-region", NULL,
    "analyse the box around each region of the session or of --rois as a slide region of its own, "
    "and join their results" },
  { "in-one-piece", NULL, "compute a slide region in one piece, as the window does" },
  VG_AT_FRAME_OPTION,
  VG_LIMIT_OPTIONS,
  VG_CAMERA_OPTION,
  VG_ROIS_OPTION,
  VG_COMPARE_OPTION,
  VG_PROFILE_OPTION,
  VG_COURSE_OPTIONS,
  VG_FORMAT_OPTIONS,
  VG_FIGURE_OPTIONS,
  VG_MOVIE_OPTIONS,
  VG_SEND_OPTION,
  VG_ANNOTATIONS_OPTION,
  { "gzip", NULL,
    "compress text results with gzip, as in contours.geojson.gz; seed and truth files may be "
    "compressed too" },
  { "strict", NULL,
    "write nothing if a frame cannot be read or a stream ends early; by default the maps of the "
    "other frames are kept" },
  { "run", "N", "number of the run to compute in a file with several runs, from 1 (default: all)" },
  VG_STUDY_OPTIONS,
};

static const VgOption demo_options[] = {
  { "out", "DIR", "folder for the maps, the ground truth, summary.json and preview.png" },
  { "backend", "auto|cpu|cuda", "where to compute; auto uses a GPU if there is one" },
  { "threads", "N", "processor threads; 0: all (the default)" },
  { "size", "WxH[xN]", "width, height and number of frames of the synthetic data" },
  { "seed", "S", "seed of the synthetic noise; the same seed gives the same files" },
  VG_AT_FRAME_OPTION,
  VG_ROIS_OPTION,
  VG_PROFILE_OPTION,
  VG_COURSE_OPTIONS,
  VG_FORMAT_OPTIONS,
  VG_FIGURE_OPTIONS,
  VG_MOVIE_OPTIONS,
  VG_ANNOTATIONS_OPTION,
  VG_SAMPLE_OPTION,
};

const VgCommand vg_command_run = {
  "run",
  "OPERATION INPUT... --out DIR [--PARAMETER VALUE]...",
  "Compute all maps of the inputs and write them.",
  run_options,
  G_N_ELEMENTS (run_options),
  .run = vg_run_command,
};

const VgCommand vg_command_demo = {
  "demo",
  "OPERATION --out DIR [--PARAMETER VALUE]...",
  "Do the same with sample data, and write the ground truth beside the maps.",
  demo_options,
  G_N_ELEMENTS (demo_options),
  .run = vg_run_demo,
};
