/* SPDX-License-Identifier: MIT */
/* `info`: what a file holds, and what had to be assumed about it. */
#include <stdio.h>
#include "app/cli/vg-command.h"
#include "app/record/vg-recorder.h"
#include "app/staging/vg-manifest.h"
#include "app/session/vg-settings-file.h"
#include "io/source/vg-source.h"

static const VgOption options[] = {
  VG_READ_OPTIONS_OPTIONS,
};

static void
print_marks (const GArray *marks)
{
  for (guint i = 0; marks != NULL && i < marks->len; i++)
    {
      const VgCurveMark *mark = &g_array_index (marks, VgCurveMark, i);

      printf ("%s%.3f s: %s\n", i == 0 ? "marks:     " : "           ", mark->x, mark->label);
    }
}

/* When the connection was lost while SOURCE was recorded. */
static void
print_outages (const VgSource *source)
{
  double at_s = 0, length_s = 0;
  g_autofree char *text = NULL;
  guint n = 0;

  for (guint k = 0; source->times_s != NULL && source->outages != NULL && k < source->outages->len;
       k++)
    {
      const gint64 i = g_array_index (source->outages, gint64, k);

      if (i < 1)
        continue; /* before the first frame */
      at_s = n++ == 0 ? source->times_s[i - 1] : at_s;
      length_s += source->times_s[i] - source->times_s[i - 1];
    }
  if (n == 0)
    return;
  text = vg_outages_to_text (n, at_s, length_s);
  printf ("gaps:      %s\n", text);
}

static void
print_source (const VgSource *source)
{
  const VgImageInfo *info = &source->info;
  g_autofree char *line = vg_image_info_to_string (info);

  printf ("file:      %s\nformat:    %s\nholds:     %s\n", source->name, source->format, line);
  if (info->pixel_size[0] > 0)
    {
      printf ("pixel:     %g x %g", info->pixel_size[0], info->pixel_size[1]);
      if (info->pixel_size[2] > 0)
        printf (" x %g", info->pixel_size[2]);
      printf (" %s\n", info->pixel_unit);
    }
  if (info->frame_interval_s > 0)
    printf ("interval:  %g s\n", info->frame_interval_s);
  else if (info->slices > 1 && info->frames > 1)
    printf ("interval:  not known; set the frame interval, or name a file with the frame times\n");
  if (info->slices > 1 && info->frames > 1 && !info->ct &&
      !(info->repetition_ms > 0 && info->flip_deg > 0))
    printf ("pulses:    repetition time, flip angle or both are not known; for MR images, set the "
            "signal model and both\n");
  if (source->times_s != NULL && info->frames > 1)
    printf ("times:     recorded for each frame, %g s from the first to the last\n",
            source->times_s[info->frames - 1] - source->times_s[0]);
  print_outages (source);
  print_marks (source->marks);
  if (info->exposure_ms > 0)
    printf ("exposure:  %g ms\n", info->exposure_ms);
  if (info->bin_width_ns > 0)
    printf ("bins:      %" G_GINT64_FORMAT " of %.7g ns, %.6g ns in all\n", info->bins,
            info->bin_width_ns, (double) info->bins * info->bin_width_ns);
  else if (info->bins > 1)
    printf ("bins:      %" G_GINT64_FORMAT "; their width is not in the file: set it\n",
            info->bins);
  if (info->period_ns > 0)
    printf ("period:    %.7g ns\n", info->period_ns);
  if (info->channels_available > 1)
    printf ("channel:   %d of %d\n", info->channel, info->channels_available);
  if (source->details != NULL)
    {
      g_auto (GStrv) lines = g_strsplit (source->details, "\n", -1);

      for (guint i = 0; lines[i] != NULL; i++)
        if (*lines[i] != '\0')
          printf ("%s%s\n", i == 0 ? "details:   " : "           ", lines[i]);
    }
}

static void
print_value (const VgParam *param, const void *params)
{
  g_autofree char *value = vg_param_format (param, params);
  VgTable *const *table = (VgTable *const *) ((const char *) params + param->offset);

  if (param->kind != VG_PARAM_TABLE)
    {
      printf ("  %-19s %s%s%s\n", param->label, value, param->unit != NULL ? " " : "",
              param->unit != NULL ? param->unit : "");
      return;
    }
  printf ("  %-19s %d:", param->label, *table != NULL ? (*table)->rows : 0);
  for (const VgColumn *column = param->table.columns; column->id != NULL; column++)
    printf (" %s%s%s%s", column->id, *column->unit != '\0' ? " [" : "", column->unit,
            *column->unit != '\0' ? "]" : "");
  putchar ('\n');
  for (int row = 0; *table != NULL && row < (*table)->rows; row++)
    {
      printf ("  %19d", row + 1);
      for (int c = 0; c < (*table)->columns; c++)
        printf (" %10g", (*table)->values[row * (*table)->columns + c]);
      putchar ('\n');
    }
}

/* The runs of a settings text: all that they would run with, and what looks odd. */
static gboolean
print_settings (const char *path, const VgOperation *operation, GError **error)
{
  const VgParamTable *table = &operation->params;
  const char *const inputs[] = { path, NULL };
  void *defaults = vg_params_new (table);
  g_autoptr (GPtrArray) runs = vg_settings_file_load (operation, inputs, defaults, error);

  if (runs != NULL)
    printf ("file:      %s\nformat:    settings of %s\n", path, operation->id);
  for (guint k = 0; runs != NULL && k < runs->len; k++)
    {
      const VgSettingsRun *run = runs->pdata[k];

      printf ("run:       %u of %u%s%s\n", k + 1, runs->len, run->name != NULL ? ", " : "",
              run->name != NULL ? run->name : "");
      for (guint i = 0; i < table->n_items; i++)
        if (vg_param_is_shown (table, &table->items[i], run->params))
          print_value (&table->items[i], run->params);
      for (guint i = 0; i < run->notes->len; i++)
        printf ("note:      %s\n", (const char *) run->notes->pdata[i]);
    }
  vg_params_free (table, defaults);
  return runs != NULL;
}

/* A folder: whether the results in it belong together. */
static gboolean
print_results (const char *path, GError **error)
{
  g_autofree char *text = NULL;

  if (!vg_manifest_check (path, &text, error))
    return FALSE;
  printf ("folder:    %s\n%s", path, text);
  return TRUE;
}

static gboolean
is_of_results (const char *path)
{
  g_autofree char *summary = g_build_filename (path, "summary.json", NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR) && g_file_test (summary, G_FILE_TEST_EXISTS);
}

static gboolean
print_file (const char *path, const VgSourceOptions *open, GError **error)
{
  const VgOperation *operation = vg_settings_file_find (path);
  g_autoptr (VgSource) source = NULL;

  if (operation != NULL)
    return print_settings (path, operation, error);
  if (is_of_results (path))
    return print_results (path, error);
  source = vg_source_open (path, open, error);
  if (source == NULL)
    return FALSE;
  print_source (source);
  return TRUE;
}

/* Goes on after a file that cannot be read.  The errors of all but the last one are printed. */
static gboolean
print_files (const char *const *paths, const VgSourceOptions *open, GError **error)
{
  g_autoptr (GError) last = NULL;
  const char *between = "";

  for (; *paths != NULL; paths++)
    {
      GError *failure = NULL;

      fputs (between, stdout);
      between = "\n";
      if (print_file (*paths, open, &failure))
        continue;
      if (last != NULL)
        vg_command_fail (last);
      g_clear_error (&last);
      last = failure;
      between = "";
    }
  if (last == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&last));
  return FALSE;
}

static gboolean
print_info (const VgArguments *arguments, VgDisplayBench display_bench, GError **error)
{
  g_autofree char *read_options = NULL;
  /* with --channel, channels are not read as bins */
  VgSourceOptions open = { .colour = TRUE,
                           .brightest_channel = TRUE,
                           .channels = vg_arguments_get (arguments, "channel") != NULL };
  const char *const *plain = (const char *const *) arguments->plain->pdata;

  if (!vg_command_read_options (arguments, NULL, &read_options, error))
    return FALSE;
  open.read_options = read_options;
  if (plain[0] == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0, "info needs a file");
      return FALSE;
    }
  return print_files (plain, &open, error);
}

const VgCommand vg_command_info = {
  "info",
  "FILE... [OPTION...]",
  "Show what a file contains, or check that all results in a folder come from one run.",
  options,
  G_N_ELEMENTS (options),
  print_info,
};
