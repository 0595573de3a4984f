/* SPDX-License-Identifier: MIT */
/* The arguments of `run` and `demo` that are no parameters: sample data, inputs, frames, regions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "app/cli/vg-command-run-private.h"
#include "app/annotation/vg-annotation.h"
#include "app/export/vg-region-log.h"
#include "app/figure/vg-map-figure.h"
#include "app/reading/vg-compared-run.h"
#include "app/region/vg-region-file.h"
#include "app/compute/vg-work.h"
#include "io/dicom/vg-dicom-module.h"
#include "io/live/vg-live.h"
#include "io/movie/vg-movie-file.h"
#include "kernels/base/vg-text.h"

/* "512x512" or "512x512x100". */
static gboolean
read_size (const char *text, VgSyntheticSize *size)
{
  gint64 metrics[3] = { 0, 0, size->frames };
  const char *at = text;

  for (int i = 0; i < 3; i++)
    {
      char *end;

      if (!g_ascii_isdigit (*at))
        return FALSE;
      metrics[i] = g_ascii_strtoll (at, &end, 10);
      if (metrics[i] < 1 || metrics[i] > (i < 2 ? 65535 : G_MAXINT32))
        return FALSE;
      if (*end == '\0' && i > 0)
        {
          size->width = (int) metrics[0];
          size->height = (int) metrics[1];
          size->frames = metrics[2];
          return TRUE;
        }
      if (*end != 'x')
        return FALSE;
      at = end + 1;
    }
  return FALSE;
}

gboolean
vg_run_set_size (VgRun *self, GError **error)
{
  const char *text = vg_arguments_get (self->arguments, "size");
  gint64 seed;

  self->size = self->operation->synthetic->batch;
  seed = (gint64) self->size.seed;
  if (text != NULL && !read_size (text, &self->size))
    {
      g_autofree char *quoted = vg_text_quote (text);

      g_set_error (error, VG_USAGE_ERROR, 0,
                   "--size is %s; give width and height from 1 to 65535, and frames if you like, "
                   "such as 512x512 or 512x512x100",
                   quoted);
      return FALSE;
    }
  if (!vg_arguments_get_integer (self->arguments, "seed", 0, G_MAXINT64, &seed, error))
    return FALSE;
  self->size.seed = (guint64) seed;
  return vg_operation_choose_sample (self->operation, vg_arguments_get (self->arguments, "sample"),
                                     &self->size, error);
}

/* How many files the operation takes. */
gboolean
vg_run_check_inputs (VgRun *self, const char *const *inputs, GError **error)
{
  const VgOperation *operation = self->operation;
  int n = (int) g_strv_length ((char **) inputs);

  if (n < operation->input.files[0])
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "%s needs %d input file%s, got %d; name them after the operation", operation->id,
                 operation->input.files[0], operation->input.files[0] == 1 ? "" : "s", n);
  else if (operation->input.files[1] >= 0 && n > operation->input.files[1])
    g_set_error (error, VG_USAGE_ERROR, 0, "%s takes at most %d input file%s, got %d",
                 operation->id, operation->input.files[1],
                 operation->input.files[1] == 1 ? "" : "s", n);
  else
    return TRUE;
  return FALSE;
}

gboolean
vg_run_check_run (VgRun *self, const char *const *inputs, GError **error)
{
  if (!vg_arguments_get_integer (self->arguments, "run", 1, 1000000, &self->run, error))
    return FALSE;
  if (self->run == 0 || (self->operation->import != NULL && inputs[0] != NULL))
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0, "--run chooses among the runs of a settings file; %s",
               self->operation->import == NULL ? "this operation reads none" : "name one");
  return FALSE;
}

gboolean
vg_run_check_find (VgRun *self, GError **error)
{
  if (vg_arguments_get (self->arguments, "find-regions") == NULL || self->operation->find != NULL)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "--find-regions has no effect on %s, which finds no regions; omit the option",
               self->operation->id);
  return FALSE;
}

gboolean
vg_run_check_at_frame (VgRun *self, GError **error)
{
  if (!vg_arguments_get_integer (self->arguments, "at-frame", 1, G_MAXINT32, &self->at_frame,
                                 error))
    return FALSE;
  if (self->at_frame == 0 || self->operation->input.kind == VG_INPUT_STREAM)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "--at-frame chooses a frame of a stream; %s has one set of maps, so omit the option",
               self->operation->id);
  return FALSE;
}

gboolean
vg_run_check_limits (VgRun *self, GError **error)
{
  if (self->command != &vg_command_run)
    return TRUE;
  if (!vg_command_limits (self->arguments, &self->max_frames, &self->seconds, error))
    return FALSE;
  if ((self->max_frames == 0 && !(self->seconds > 0)) ||
      self->operation->input.kind == VG_INPUT_STREAM || vg_run_receives (self))
    return TRUE;
  g_set_error (
      error, VG_USAGE_ERROR, 0,
      "--max-frames and --seconds end a stream, but %s reads a complete data set; omit them",
      self->operation->id);
  return FALSE;
}

/* Reads the regions in PATH, a list or a file; segmentations and volumes need the grid of the data.
 */
static GPtrArray *
load_regions (VgRun *self, const char *path, const char *const *inputs, const char *read_options,
              int size[2], char **note, GError **error)
{
  g_autoptr (VgSource) source = NULL;
  /* standard input can be read only once */
  gboolean list = vg_region_file_is_list (path),
           placed = !list && inputs != NULL && inputs[0] != NULL &&
                    !vg_live_is_address (inputs[0]) && strcmp (inputs[0], "-") != 0 &&
                    vg_region_file_needs_data (path);

  if (list)
    return vg_region_file_parse (path, error);
  if (placed)
    source = vg_work_open_source (self->operation, self->params, inputs, read_options, NULL, error);
  if (placed && source == NULL)
    return NULL;
  return vg_region_file_load (path, VG_REGION_FILE_MOST, source != NULL ? &source->info : NULL,
                              size, note, error);
}

gboolean
vg_run_take_regions (VgRun *self, const char *const *inputs, const char *read_options,
                     GPtrArray **named, const VgNamedRegion ***regions, int size[2], GError **error)
{
  g_autofree char *note = NULL;
  const char *path = vg_arguments_get (self->arguments, "rois");

  *regions = NULL;
  *named = NULL;
  if (path == NULL)
    *regions = self->session != NULL ? vg_session_list_regions (self->session)
                                     : g_new0 (const VgNamedRegion *, 1);
  if (path != NULL)
    *named = load_regions (self, path, inputs, read_options, size, &note, error);
  if (note != NULL)
    fprintf (stderr, "vivograph: %s\n", vg_text_clean (note));
  if (*named != NULL)
    {
      *regions = g_new0 (const VgNamedRegion *, (*named)->len + 1);
      memcpy (*regions, (*named)->pdata, (*named)->len * sizeof **regions);
    }
  return *regions != NULL;
}

gboolean
vg_run_check_regions (VgRun *self, GError **error)
{
  const char *path = vg_arguments_get (self->arguments, "rois");
  g_autoptr (GPtrArray) named = NULL;
  g_autofree char *note = NULL;
  int size[2];

  /* a pipe can be read only once */
  if (path == NULL || strcmp (path, "-") == 0 ||
      (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR)))
    return TRUE;
  named = load_regions (self, path, NULL, NULL, size, &note, error);
  return named != NULL;
}

static gboolean
parse_alarm (const char *text, double *limit, GError **error)
{
  char *end = NULL;
  g_autofree char *quoted = NULL;

  *limit = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0' && *limit > 0 && isfinite (*limit))
    return TRUE;
  quoted = vg_text_quote (text);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "--alarm is %s; give a number above 0, in the unit of the map", quoted);
  return FALSE;
}

/* Checks the options of DICOM before anything is computed. */
static gboolean
check_dicom (const VgExportOptions *options, GError **error)
{
  gboolean wanted = (options->formats & VG_FORMAT_DICOM) != 0;
  const char *reason = NULL;

  if (wanted && vg_dicom_module_get (&reason) == NULL)
    g_set_error (error, VG_USAGE_ERROR, 0, "--format names dicom, but %s", reason);
  else if (!wanted && !options->report && options->dicom_anonymous)
    g_set_error_literal (error, VG_USAGE_ERROR, 0,
                         "--dicom-anonymous has no effect; add --format dicom or --report");
  else
    return TRUE;
  return FALSE;
}

/* The formats of the maps, and how the session displays them; owned. */
static VgExportOptions *
take_formats (VgRun *self, GError **error)
{
  g_autoptr (VgExportOptions) options = vg_export_options_copy (NULL);
  const char *formats = vg_arguments_get (self->arguments, "format"),
             *figures = vg_arguments_get (self->arguments, "figure"),
             *profile = vg_arguments_get (self->arguments, "profile"),
             *kymograph = vg_arguments_get (self->arguments, "kymograph"),
             *events = vg_arguments_get (self->arguments, "events"),
             *alarm = vg_arguments_get (self->arguments, "alarm"),
             *compared = vg_arguments_get (self->arguments, "compare"),
             *annotations = vg_arguments_get (self->arguments, "annotations");
  gint64 mm = 0, dpi = 0, slice = 0;

  if (formats != NULL && !vg_export_options_set_formats (options, formats, error))
    return NULL;
  options->dicom_anonymous = vg_arguments_get (self->arguments, "dicom-anonymous") != NULL;
  options->report = vg_arguments_get (self->arguments, "report") != NULL;
  if (!check_dicom (options, error))
    return NULL;
  if (figures != NULL && !vg_export_options_set_figures (options, figures, error))
    return NULL;
  if (!vg_arguments_get_integer (self->arguments, "figure-mm", VG_FIGURE_LEAST_MM,
                                 VG_FIGURE_MOST_MM, &mm, error) ||
      !vg_arguments_get_integer (self->arguments, "figure-dpi", VG_FIGURE_LEAST_DPI,
                                 VG_FIGURE_MOST_DPI, &dpi, error) ||
      !vg_arguments_get_integer (self->arguments, "figure-slice", 1, G_MAXINT32, &slice, error))
    return NULL;
  options->figure_mm = (int) mm;
  options->figure_dpi = (int) dpi;
  options->slice = slice > 0               ? (int) slice - 1
                   : self->session != NULL ? vg_session_get_view (self->session)->slice
                                           : -1;
  if (profile != NULL && !vg_profile_line_parse (&options->profile, profile, error))
    {
      g_prefix_error_literal (error, "--profile: ");
      return NULL;
    }
  if (kymograph != NULL && !vg_profile_line_parse (&options->kymograph, kymograph, error))
    {
      g_prefix_error_literal (error, "--kymograph: ");
      return NULL;
    }
  if (events != NULL &&
      (options->events = vg_event_average_parse (events, &options->around_events, error)) == NULL)
    {
      g_prefix_error_literal (error, "--events: ");
      return NULL;
    }
  if (alarm != NULL && !parse_alarm (alarm, &options->alarm, error))
    return NULL;
  options->compared_run = g_strdup (compared);
  if (compared != NULL && !vg_compared_run_check (compared, self->operation, error))
    {
      g_prefix_error_literal (error, "--compare: ");
      return NULL;
    }
  if (self->session != NULL)
    vg_export_options_set_displays (options, self->session);
  if (annotations != NULL)
    {
      g_clear_pointer (&options->annotations, g_ptr_array_unref);
      options->annotations = vg_annotations_parse (annotations, error);
      if (options->annotations == NULL)
        {
          g_prefix_error_literal (error, "--annotations: ");
          return NULL;
        }
    }
  return g_steal_pointer (&options);
}

/* Whether --events and --alarm have the regions and the folder that they need. */
static gboolean
check_courses (VgRun *self, const VgExportOptions *options, GError **error)
{
  gboolean has_regions = vg_arguments_get (self->arguments, "rois") != NULL ||
                         (self->session != NULL && vg_session_get_n_regions (self->session) > 0);
  const char *option = options->events != NULL ? "--events" : options->alarm > 0 ? "--alarm" : NULL;

  if (option != NULL && !vg_region_log_has_means (self->operation))
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "%s has no effect with the operation %s, which has no map to average; omit the "
                 "option",
                 option, self->operation->id);
  else if (option != NULL && !has_regions)
    g_set_error (error, VG_USAGE_ERROR, 0, "%s needs regions; give them with --rois", option);
  else if (options->alarm > 0 && vg_arguments_get (self->arguments, "out") == NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "--alarm writes alarms.csv; name a folder for it with --out");
  else
    return TRUE;
  return FALSE;
}

/* Sets *MOVIE, owned; NULL: none is wanted. */
static gboolean
take_movie (VgRun *self, VgMovieOptions **movie, GError **error)
{
  static const struct
  {
    const char *name;
    gboolean (*set) (VgMovieOptions *options, const char *text, GError **error);
  } texts[] = { { "movie-fps", vg_movie_options_set_fps },
                { "movie-frames", vg_movie_options_set_frames },
                { "movie-limits", vg_movie_options_set_limits },
                { "movie-quality", vg_movie_options_set_quality } };
  g_autoptr (VgMovieOptions) options = g_new0 (VgMovieOptions, 1);
  const char *path = vg_arguments_get (self->arguments, "movie"),
             *alone = vg_arguments_get (self->arguments, "movie-width") != NULL ? "movie-width"
                                                                                : NULL;
  VgMovieFormat format;
  gint64 width = 0;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      const char *text = vg_arguments_get (self->arguments, texts[i].name);

      if (text != NULL && !texts[i].set (options, text, error))
        return FALSE;
      alone = text != NULL ? texts[i].name : alone;
    }
  if (!vg_arguments_get_integer (self->arguments, "movie-width", VG_MOVIE_LEAST_WIDTH,
                                 VG_MOVIE_MOST_WIDTH, &width, error))
    return FALSE;
  if (path == NULL && alone != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "--%s needs a movie; name one with --movie, or omit the option", alone);
  if (path == NULL)
    return alone == NULL;
  if (!vg_movie_format_of (path, &format, error))
    return FALSE;
  options->path = g_strdup (path);
  options->width = (int) width;
  *movie = g_steal_pointer (&options);
  return TRUE;
}

gboolean
vg_run_take_options (VgRun *self, GError **error)
{
  self->options = take_formats (self, error);
  return self->options != NULL && take_movie (self, &self->options->movie, error) &&
         check_courses (self, self->options, error);
}

/* The session and the file of regions, for the provenance. */
char **
vg_run_list_settings_files (VgRun *self)
{
  static const char *const options[] = { "session", "rois" };
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const char *given = vg_arguments_get (self->arguments, options[i]);
      g_autofree char *read_options = NULL,
                      *path = given != NULL ? vg_source_split_path (given, NULL, &read_options)
                                            : NULL;

      if (path != NULL && g_file_test (path, G_FILE_TEST_EXISTS))
        g_strv_builder_add (files, path);
    }
  return g_strv_builder_end (files);
}
