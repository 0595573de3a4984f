/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/cli/vg-arguments.h"
#include "app/cli/vg-command-line.h"
/* One command of the command line, and what the commands share.  ARGV begins
 * after the command's name; the result is an exit status. */
G_BEGIN_DECLS

typedef struct
{
  const char *name, *usage, *summary;
  const VgOption *options;
  guint n_options;
  /* One of the two.  RUN parses the arguments itself and returns an exit status. */
  gboolean (*print) (const VgArguments *arguments, VgDisplayBench display_bench, GError **error);
  int (*run) (int argc, char **argv);
} VgCommand;

extern const VgCommand vg_command_run, vg_command_demo, vg_command_bench, vg_command_describe,
    vg_command_info, vg_command_devices, vg_command_record;

/* The options that say how a file is read (vg-read-options.h), of every command that reads one. */
#define VG_READ_OPTIONS_OPTIONS                                                                    \
  { "geometry", "WxH:TYPE", "size and type of raw frames, such as 1392x1040:u16" },                \
      { "channel", "N",                                                                            \
        "detector channel or data block to read, from 1 (default: the one with the most photons; " \
        "in images, the first)" },                                                                 \
      { "pages", "file|bins|slices|frames", "what the pages of a stack are" },                     \
      { "sum-frames", "N", "scans of a photon stream that make one image; 0: all (the default)" }, \
      { "level", "N", "resolution of a whole slide, 0: the finest (the default)" },                \
      { "region", "X,Y,W,H",                                                                       \
        "region of a whole slide, in pixels of level 0; run accepts the option several times" },   \
      { "unpack-gb", "N", "size limit of a file unpacked from a ZIP archive, GB (default 1)" },    \
      { "pixel-um", "SIZE", "width and height of a pixel, um; replaces the value in the file" },   \
      { "frame-interval-ms", "TIME",                                                               \
        "time from frame to frame, ms; replaces the value in the file" },                          \
  {                                                                                                \
    "series", "N|UID", "DICOM series to read: its number in the list that info prints, or its UID" \
  }
/* Options of commands that read a stream. */
#define VG_LIMIT_OPTIONS                                                                           \
  { "max-frames", "N", "end the stream after N frames (default: at its end)" },                    \
  {                                                                                                \
    "seconds", "S", "end a live source after S seconds"                                            \
  }
/* Options of commands that open a camera. */
#define VG_CAMERA_OPTION                                                                           \
  {                                                                                                \
    "camera-set", "SETTINGS",                                                                      \
        "settings of a camera, such as \"ExposureTime=5000 PixelFormat=Mono12\""                   \
  }
/* Of what opens sample data. */
#define VG_SAMPLE_OPTION                                                                           \
  {                                                                                                \
    "sample", "ID", "which of the sample data, as listed by vivograph describe"                    \
  }
/* The options of the window, which is started without a command. */
const VgOption *vg_command_window_options (guint *n);
/* All commands, as --help lists them. */
const VgCommand *const *vg_commands (guint *n);
/* Sets *TEXT, owned, to READ_OPTIONS (of a session, or NULL) with the changes that the options
 * make; NULL: the defaults. */
gboolean vg_command_read_options (const VgArguments *arguments, const char *read_options,
                                  char **text, GError **error);

/* Sets *ADDRESS, owned, to INPUT with the settings of VG_CAMERA_OPTION; without them, to INPUT. */
gboolean vg_command_set_camera (const VgArguments *arguments, const char *input, char **address,
                                GError **error);
/* Parses TEXT, the value of OPTION, as seconds above 0 and up to MOST. */
gboolean vg_command_parse_seconds (const char *option, const char *text, double most,
                                   double *seconds, GError **error);
/* Reads the limits that VG_LIMIT_OPTIONS name; 0: none is given. */
gboolean vg_command_limits (const VgArguments *arguments, gint64 *max_frames, double *seconds,
                            GError **error);

/* One line on stderr; the exit status its domain stands for. */
int vg_command_fail (const GError *error);
/* Appends the N OPTIONS with their help, one per line. */
void vg_command_append_options (GString *text, const VgOption *options, guint n);
/* Usage, options and, for an operation, its parameters, on stdout. */
void vg_command_help (const VgCommand *command, const VgOperation *operation);
/* The operation called ID; NULL and VG_USAGE_ERROR with the list of operations. */
const VgOperation *vg_command_find_operation (const char *id, GError **error);
/* The operation that the only plain argument of COMMAND names, NULL without one: all.  FALSE: an
 * error. */
gboolean vg_command_take_operation (const VgCommand *command, const VgArguments *arguments,
                                    const VgOperation **operation, GError **error);
/* Ids of all operations, NULL-terminated; free the array only. */
const char **vg_command_operation_ids (void);

/* The page of docs/operations, and the same as plain text and JSON. */
char *vg_describe_markdown (const VgOperation *operation);
char *vg_describe_text (const VgOperation *operation);
char *vg_describe_json (const VgOperation *operation);
/* docs/vivograph.1, the manual page of the whole program. */
char *vg_describe_man (void);
/* The parameters alone, as --help shows them. */
void vg_describe_append_parameters (GString *text, const VgOperation *operation);

/* "Intel Xeon ..., 8 threads, AVX2"; owned. */
char *vg_command_cpu_name (void);

G_END_DECLS
