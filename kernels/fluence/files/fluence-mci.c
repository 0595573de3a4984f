/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/files/fluence-lines.h"
#include "kernels/fluence/model/fluence-medium.h"
#include "kernels/fluence/model/fluence-names.h"
#include "kernels/fluence/files/fluence-report.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>
/* Reads .mci files of MCML 1.2.2 and GPU-MCML: data lines in a fixed order, for one or several
 * runs. */

typedef struct
{
  char name[VG_FLUENCE_NAME];
  char *path; /* the name as written in the file */
  int name_line, grid_line;
  int *lines; /* line numbers of the medium above, the layers, the medium below */
  double photons, dz, dr, n_above, n_below;
  int nz, nr, na;
  VgTable *layers;
  char **comments; /* comment of each layer */
} Run;

static void
run_free (gpointer data)
{
  Run *self = data;

  vg_table_free (self->layers);
  g_free (self->path);
  g_free (self->lines);
  g_strfreev (self->comments);
  g_free (self);
}

/* Each run must have its own output file.  The same name in different folders is allowed, as each
 * run is exported to its own folder. */
static gboolean
read_name (VgFluenceLines *lines, Run *run, GHashTable *names, GError **error)
{
  const Run *other;

  if (!vg_fluence_lines_need (lines, "the output file's name", error) ||
      !vg_fluence_lines_name (lines, run->name, &run->path, error))
    return FALSE;
  run->name_line = lines->number;
  other = g_hash_table_lookup (names, run->path);
  if (other != NULL)
    return vg_fluence_lines_fail (
        lines, error,
        "the output file %s is also that of line %d; use a different one for each run", run->name,
        other->name_line);
  g_hash_table_insert (names, run->path, run);
  return TRUE;
}

static gboolean
whole (const VgFluenceLines *lines, double value, double most, const char *what, GError **error)
{
  if (value >= 1.0 && value <= most && value == floor (value))
    return TRUE;
  return vg_fluence_lines_fail (
      lines, error, "%s is %.10g; it must be a whole number from 1 to %.10g", what, value, most);
}

static gboolean
read_grid (VgFluenceLines *lines, Run *run, GError **error)
{
  double size[2], count[3], photons;

  if (!vg_fluence_lines_need (lines, "the number of photons", error) ||
      !vg_fluence_lines_numbers (lines, &photons, 1, "the number of photons", error) ||
      !whole (lines, photons, 1e12, "the number of photons", error) ||
      !vg_fluence_lines_need (lines, "dz and dr", error) ||
      !vg_fluence_lines_numbers (lines, size, 2, "the line of dz and dr", error))
    return FALSE;
  if (!(size[0] >= 1e-9 && size[0] <= 1e6 && size[1] >= 1e-9 && size[1] <= 1e6))
    return vg_fluence_lines_fail (lines, error,
                                  "dz and dr are %.10g and %.10g cm; both must be 1e-9 to 1e6 cm",
                                  size[0], size[1]);
  if (!vg_fluence_lines_need (lines, "nz, nr and na", error) ||
      !vg_fluence_lines_numbers (lines, count, 3, "the line of nz, nr and na", error) ||
      !whole (lines, count[0], VG_FLUENCE_MAX_BINS, "nz", error) ||
      !whole (lines, count[1], VG_FLUENCE_MAX_BINS, "nr", error) ||
      !whole (lines, count[2], VG_FLUENCE_MAX_ANGLES, "na", error))
    return FALSE;
  if ((count[0] + 1.0) * (count[1] + 1.0) > VG_FLUENCE_MAX_CELLS)
    return vg_fluence_lines_fail (
        lines, error,
        "%.0f x %.0f bins (nz x nr) are more than the maximum of %d; use fewer, larger bins",
        count[0], count[1], VG_FLUENCE_MAX_CELLS);
  if (count[2] * (count[1] + 1.0) > VG_FLUENCE_MAX_EXITS)
    return vg_fluence_lines_fail (lines, error,
                                  "%.0f radii x %.0f angles (nr x na) are more than the maximum of "
                                  "%d; use fewer, larger bins",
                                  count[1], count[2], VG_FLUENCE_MAX_EXITS);
  run->grid_line = lines->number;
  run->photons = photons;
  run->dz = size[0];
  run->dr = size[1];
  run->nz = (int) count[0];
  run->nr = (int) count[1];
  run->na = (int) count[2];
  return TRUE;
}

static gboolean
read_layer (VgFluenceLines *lines, Run *run, int l, GError **error)
{
  double *v = run->layers->values + l * VG_FLUENCE_COLUMNS;
  g_autofree char *what = g_strdup_printf ("layer %d of %d (n, mua, mus, g, d)", l + 1,
                                           run->layers->rows);

  if (!vg_fluence_lines_need (lines, what, error))
    return FALSE;
  if (vg_fluence_lines_count (lines) == 1 && strcspn (lines->line, " \t") == strlen (lines->line))
    return vg_fluence_lines_fail (
        lines, error,
        "there is one number instead of %s; the order is: medium above, all layers, medium below",
        what);
  run->lines[l + 1] = lines->number;
  run->comments[l] = g_strdup (lines->comment);
  return vg_fluence_lines_layer (lines, v, what, error);
}

static gboolean
read_medium (VgFluenceLines *lines, double *n, const char *what, GError **error)
{
  if (!vg_fluence_lines_need (lines, what, error) ||
      !vg_fluence_lines_numbers (lines, n, 1, what, error))
    return FALSE;
  if (vg_fluence_lines_count (lines) >= VG_FLUENCE_COLUMNS)
    return vg_fluence_lines_fail (
        lines, error,
        "there is a layer instead of %s; the order is: medium above, all layers, medium below",
        what);
  if (!(*n >= 0.1 && *n <= 10.0))
    return vg_fluence_lines_fail (lines, error, "%s is %.10g; the range is 0.1 to 10", what, *n);
  return TRUE;
}

static gboolean
read_layers (VgFluenceLines *lines, Run *run, GError **error)
{
  double count;

  if (!vg_fluence_lines_need (lines, "the number of layers", error) ||
      !vg_fluence_lines_numbers (lines, &count, 1, "the number of layers", error) ||
      !whole (lines, count, VG_FLUENCE_MAX_LAYERS, "the number of layers", error) ||
      !read_medium (lines, &run->n_above, "the refractive index of the medium above", error))
    return FALSE;
  run->lines = g_new0 (int, (gsize) count + 2);
  run->lines[0] = lines->number;
  run->comments = g_new0 (char *, (gsize) count + 1);
  run->layers = vg_table_new ((int) count, VG_FLUENCE_COLUMNS);
  for (int l = 0; l < run->layers->rows; l++)
    if (!read_layer (lines, run, l, error))
      return FALSE;
  if (!read_medium (lines, &run->n_below, "the refractive index of the medium below", error))
    return FALSE;
  run->lines[run->layers->rows + 1] = lines->number;
  return TRUE;
}

static gboolean
read_run (VgFluenceLines *lines, GPtrArray *runs, GHashTable *names, int count, GError **error)
{
  Run *run = g_new0 (Run, 1);
  g_autoptr (GError) why = NULL;

  g_ptr_array_add (runs, run);
  if (read_name (lines, run, names, &why) && read_grid (lines, run, &why) &&
      read_layers (lines, run, &why))
    return TRUE;
  if (count > 1)
    g_set_error (error, why->domain, why->code, "%s (run %u of %d)", why->message, runs->len,
                 count);
  else
    g_propagate_error (error, g_steal_pointer (&why));
  return FALSE;
}

/* *REST: a note about lines after the last run, owned by the caller. */
static GPtrArray *
read_runs (VgFluenceLines *lines, char **rest, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (run_free);
  double version, count;

  if (!vg_fluence_lines_need (lines, "the file version of an MCML input", error))
    return NULL;
  if (g_ascii_strncasecmp (lines->line, "mcmli2", 6) == 0)
    {
      vg_fluence_lines_fail (
          lines, error, "this is a file for MCML 2, which uses keywords; save it as version 1.0");
      return NULL;
    }
  if (!vg_fluence_lines_numbers (lines, &version, 1, "the file version of an MCML input", error) ||
      !vg_fluence_lines_need (lines, "the number of runs", error) ||
      !vg_fluence_lines_numbers (lines, &count, 1, "the number of runs", error) ||
      !whole (lines, count, 10000.0, "the number of runs", error))
    return NULL;
  for (int i = 0; i < (int) count; i++)
    if (!read_run (lines, runs, names, (int) count, error))
      return NULL;
  if (vg_fluence_lines_next (lines))
    *rest = g_strdup_printf (
        "\"%s\", line %d: the text after run %d, the last that the file declares, is ignored",
        lines->name, lines->number, (int) count);
  return g_steal_pointer (&runs);
}

static void
adopt_report (const char *name, const VgFluenceReport *report, VgFluenceParams *params)
{
  vg_table_free (params->layers);
  params->layers = vg_table_copy (report->layers);
  params->n_above = report->n_above;
  params->n_below = report->n_below;
  params->grid = VG_FLUENCE_GRID_SET;
  params->dz_cm = report->dz;
  params->dr_cm = report->dr;
  params->nz = report->nz;
  params->nr = report->nr;
  params->na = report->na;
  params->photons = report->photons;
  if (!report->clamped) /* written by this program, with the light source */
    {
      params->beam = report->beam;
      params->power_mw = report->power_mw;
      if (report->beam == VG_FLUENCE_POINT)
        params->source_depth_cm = report->beam_cm;
      else if (report->beam != VG_FLUENCE_PENCIL)
        params->beam_radius_cm = report->beam_cm;
    }
  params->compare = TRUE;
  g_free (params->reference_file);
  params->reference_file = g_strdup (name);
  g_strlcpy (params->name, report->name, sizeof params->name);
  params->n_layer_names = 0;
}

/* Adds hints as notes: the values may be intended, so the run continues. */
static void
add_hints (const char *name, const Run *run, const VgFluenceParams *params, GPtrArray *notes)
{
  g_autoptr (GPtrArray) hints = vg_fluence_hints (params);

  for (guint i = 0; i < hints->len; i++)
    {
      const VgFluenceHint *hint = hints->pdata[i];

      g_ptr_array_add (notes,
                       g_strdup_printf ("\"%s\", line %d: %s", name,
                                        hint->place < 0 ? run->grid_line : run->lines[hint->place],
                                        hint->text));
    }
}

/* The line of TEXT with the light source; 0: there is none. */
static int
find_light_line (const char *text, gsize length)
{
  const char *comment = g_strstr_len (text, (gssize) length, "\n# " VG_FLUENCE_LIGHT);
  int line = 0;

  for (const char *at = text; comment != NULL && at <= comment; at++)
    line += *at == '\n';
  return line > 0 ? line + 1 : 0;
}

/* Checks all values of a file against the ranges of the settings.  Those of its data lines were
 * checked when they were read, unlike the light source, which a comment has. */
static gboolean
check_ranges (const char *name, const char *text, gsize length, VgFluenceParams *params,
              GError **error)
{
  const VgParamTable *table = &vg_fluence_operation.params;

  for (guint i = 0; i < table->n_items; i++)
    {
      g_autofree char *value = vg_param_format (&table->items[i], params);
      g_autoptr (GError) why = NULL;

      if (vg_param_parse (&table->items[i], params, value, &why))
        continue;
      if (find_light_line (text, length) > 0)
        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\", line %d: %s", name,
                     find_light_line (text, length), why->message);
      else
        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\": %s", name, why->message);
      return FALSE;
    }
  return TRUE;
}

/* Copies the light source, which the format lacks, from a comment that this program wrote. */
static void
adopt_light (const char *text, gsize length, VgFluenceParams *params)
{
  double cm;

  if (!vg_fluence_read_light (text, length, &params->beam, &cm, &params->power_mw))
    return;
  if (params->beam == VG_FLUENCE_POINT)
    params->source_depth_cm = cm;
  else if (params->beam != VG_FLUENCE_PENCIL)
    params->beam_radius_cm = cm;
}

/* Replaces settings by those of the file. */
static void
adopt_run (const Run *run, VgFluenceParams *params)
{
  vg_table_free (params->layers);
  params->layers = vg_table_copy (run->layers);
  params->n_above = run->n_above;
  params->n_below = run->n_below;
  params->grid = VG_FLUENCE_GRID_SET;
  params->dz_cm = run->dz;
  params->dr_cm = run->dr;
  params->nz = run->nz;
  params->nr = run->nr;
  params->na = run->na;
  params->photons = run->photons;
  g_strlcpy (params->name, run->name, sizeof params->name);
  params->n_layer_names = 0;
  for (int l = 0; l < run->layers->rows; l++)
    vg_fluence_names_add (params, l, run->comments[l]);
}

static GPtrArray *
read_old_result (const char *name, const char *text, gsize length, const void *params,
                 GError **error)
{
  g_autoptr (VgFluenceReport) report = vg_fluence_mco_read (name, text, length, error);
  g_autoptr (GPtrArray) adopted = g_ptr_array_new_with_free_func (vg_settings_run_free);
  VgSettingsRun *run;

  if (report == NULL)
    return NULL;
  run = vg_settings_run_new (&vg_fluence_operation.params, params, report->name);
  g_ptr_array_add (adopted, run);
  adopt_report (name, report, run->params);
  return check_ranges (name, text, length, run->params, error) ? g_steal_pointer (&adopted) : NULL;
}

GPtrArray *
vg_fluence_read_settings (const char *name, const char *text, gsize length, const void *params,
                          GError **error)
{
  VgFluenceLines lines;
  g_autoptr (GPtrArray) runs = NULL,
                        adopted = g_ptr_array_new_with_free_func (vg_settings_run_free);
  g_autofree char *rest = NULL;
  gboolean old;

  vg_fluence_lines_init (&lines, name, text, length);
  old = vg_fluence_lines_next (&lines) && (lines.line[0] == 'A' || lines.line[0] == 'B') &&
        g_ascii_isdigit (lines.line[1]);
  vg_fluence_lines_clear (&lines);
  if (old)
    return read_old_result (name, text, length, params, error);
  vg_fluence_lines_init (&lines, name, text, length);
  runs = read_runs (&lines, &rest, error);
  vg_fluence_lines_clear (&lines);
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    {
      const Run *run = runs->pdata[i];
      VgSettingsRun *settings = vg_settings_run_new (&vg_fluence_operation.params, params,
                                                     run->name);

      g_ptr_array_add (adopted, settings);
      adopt_run (run, settings->params);
      adopt_light (text, length, settings->params);
      if (!check_ranges (name, text, length, settings->params, error))
        return NULL;
      if (rest != NULL)
        g_ptr_array_add (settings->notes, g_strdup (rest));
      add_hints (name, run, settings->params, settings->notes);
    }
  return runs != NULL ? g_steal_pointer (&adopted) : NULL;
}
