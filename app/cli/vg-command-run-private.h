/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/cli/vg-command.h"
#include "app/compute/vg-work.h"
#include "app/export/vg-export-options.h"
#include "app/movie/vg-movie-options.h"
#include "app/session/vg-session.h"
/* One call of `run` or `demo`, and how its arguments are read. */
G_BEGIN_DECLS

/* The arguments of one call of run or demo. */
typedef struct
{
  const VgCommand *command;
  VgArguments *arguments;
  VgSession *session; /* NULL: none */
  const VgOperation *operation;
  void *params;
  VgOrigin *origins;
  gboolean *changed; /* on the command line */
  VgSyntheticSize size;
  VgBackend backend;
  gint64 threads, run, tile, overlap, at_frame, max_frames;
  double seconds;
  char *words; /* the command, for the provenance */
  VgExportOptions *options;
  char *read_options;
  char **slide_regions; /* the read options of each slide region; NULL: there are not several */
  /* of a row of a study, which reports nothing; NULL: signals cancel the run */
  GCancellable *cancellable;
  const VgRanks *ranks; /* that share the run; NULL: this process alone */
} VgRun;

/* vg-command-run.c */
int vg_run_command (int argc, char **argv);
int vg_run_demo (int argc, char **argv);
/* The command `run` with these words, for a row of a study. */
gboolean vg_run_quietly (int argc, char **argv, GCancellable *cancellable, GError **error);

/* vg-run-ranks.c */
/* Sets *RANKS to those of this process (vg-ranks.h). */
gboolean vg_run_connect (const VgRanks **ranks, GError **error);
/* Reports ERROR and ends all RANKS (or NULL); the exit status. */
int vg_run_fail (const VgRanks *ranks, const GError *error);

/* vg-command-study.c: `run --list` */
gboolean vg_command_is_study (int argc, char **argv);
int vg_command_study (int argc, char **argv);

/* vg-run-receive.c */
/* Whether the first input is an address at which DICOM images are received. */
gboolean vg_run_receives (VgRun *self);
/* Receives images at ADDRESS until the limits of the run, or until nothing comes any more. *PATH,
 * owned, or NULL: an image of the series that arrived. */
gboolean vg_run_receive (VgRun *self, const char *address, char **path, GError **error);

/* vg-run-slide-regions.c */
/* Sets `slide_regions` if --region is given several times or --each-region is given; the regions
 * must not overlap. */
gboolean vg_run_take_slide_regions (VgRun *self, const char *const *inputs, GError **error);

/* vg-run-arguments.c: FALSE is an error */
/* The size and the noise of sample data. */
gboolean vg_run_set_size (VgRun *self, GError **error);
/* How many files the operation takes. */
gboolean vg_run_check_inputs (VgRun *self, const char *const *inputs, GError **error);
gboolean vg_run_check_run (VgRun *self, const char *const *inputs, GError **error);
gboolean vg_run_check_find (VgRun *self, GError **error);
gboolean vg_run_check_at_frame (VgRun *self, GError **error);
gboolean vg_run_check_limits (VgRun *self, GError **error);
/* Reads the regions to average.  Those of a segmentation are placed on the grid of INPUTS.  *NAMED
 * owns what *REGIONS borrows; NULL: nothing. */
gboolean vg_run_take_regions (VgRun *self, const char *const *inputs, const char *read_options,
                              GPtrArray **named, const VgNamedRegion ***regions, int size[2],
                              GError **error);
/* Sets `options`, all that is known of them before there are data: the formats of the maps, how the
 * session displays them, the movie.  --events and --alarm need regions and a folder. */
gboolean vg_run_take_options (VgRun *self, GError **error);
/* Whether the regions to average can be read, before there are data to place them on. */
gboolean vg_run_check_regions (VgRun *self, GError **error);
/* The session and the file of regions, for the provenance; owned. */
char **vg_run_list_settings_files (VgRun *self);

G_END_DECLS
