/* SPDX-License-Identifier: MIT */
#include "kernels/fluence/files/fluence-lines.h"
#include "kernels/fluence/files/fluence-report.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>
/* Reads .mco files of MCML, GPU-MCML and this program.  Each section begins with a line with its
 * keyword; sections may be in any order, and line breaks between numbers are ignored. */

static gboolean
read_count (VgFluenceLines *lines, double *values, int n, const char *what, double most,
            GError **error)
{
  if (!vg_fluence_lines_need (lines, what, error) ||
      !vg_fluence_lines_numbers (lines, values, n, what, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (!(values[i] > 0.0 && values[i] <= most))
      return vg_fluence_lines_fail (
          lines, error, "%s is %.10g; it must be above 0 and at most %.10g", what, values[i], most);
  return TRUE;
}

/* Reads the settings of the section InParm, in the order of an .mci file. */
static VgFluenceReport *
read_inputs (VgFluenceLines *lines, GError **error)
{
  double photons, size[2], bins[3], count, n_above, n_below;
  char name[VG_FLUENCE_NAME];
  g_autofree char *path = NULL;
  VgTable *layers;
  VgFluenceReport *self = NULL;
  gboolean ok = TRUE;

  if (!vg_fluence_lines_need (lines, "the output file's name", error) ||
      !vg_fluence_lines_name (lines, name, &path, error) ||
      !read_count (lines, &photons, 1, "the number of photons", 1e12, error) ||
      !read_count (lines, size, 2, "the line of dz and dr", 1e6, error) ||
      !read_count (lines, bins, 3, "the line of nz, nr and na", VG_FLUENCE_MAX_BINS, error) ||
      !read_count (lines, &count, 1, "the number of layers", VG_FLUENCE_MAX_LAYERS, error) ||
      !read_count (lines, &n_above, 1, "the refractive index above", 10.0, error))
    return NULL;
  if (bins[0] < 1.0 || bins[1] < 1.0 || bins[2] < 1.0 || bins[2] > VG_FLUENCE_MAX_ANGLES ||
      count < 1.0 || bins[0] * bins[1] > VG_FLUENCE_MAX_CELLS || size[0] < 1e-9 || size[1] < 1e-9 ||
      photons < 1.0 || n_above < 0.1)
    {
      vg_fluence_lines_fail (
          lines, error, "a grid of %.10g x %.10g x %.10g bins with %.10g layers cannot be used",
          bins[0], bins[1], bins[2], count);
      return NULL;
    }
  layers = vg_table_new ((int) count, VG_FLUENCE_COLUMNS);
  for (int l = 0; l < layers->rows && ok; l++)
    ok = vg_fluence_lines_need (lines, "a layer", error) &&
         vg_fluence_lines_layer (lines, layers->values + l * VG_FLUENCE_COLUMNS, "a layer", error);
  ok = ok && read_count (lines, &n_below, 1, "the refractive index below", 10.0, error);
  if (ok)
    self = vg_fluence_report_new (layers, (int) bins[0], (int) bins[1], (int) bins[2], FALSE,
                                  error);
  vg_table_free (layers);
  if (self == NULL)
    return NULL;
  g_strlcpy (self->name, name, sizeof self->name);
  self->photons = floor (photons);
  self->dz = size[0];
  self->dr = size[1];
  self->n_above = n_above;
  self->n_below = n_below;
  return self;
}

/* Far above any fraction of the light per volume of the smallest bin, and far below overflow. */
static const double most_value = 1e100;

/* N numbers, from the lines behind a keyword. */
static gboolean
read_values (VgFluenceLines *lines, const char *key, double *values, gsize n, GError **error)
{
  gsize i = 0;

  while (i < n)
    {
      const char *cursor;

      if (!vg_fluence_lines_next (lines))
        return vg_fluence_lines_fail (lines, error,
                                      "the file ends after %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                                      " numbers of %s",
                                      i, n, key);
      for (cursor = lines->line; i < n && vg_text_read_number (&cursor, &values[i]); i++)
        if (!(values[i] >= 0.0 && values[i] <= most_value))
          return vg_fluence_lines_fail (lines, error,
                                        "number %" G_GSIZE_FORMAT
                                        " of %s is %.6g, but it must be from 0 to %.0g",
                                        i + 1, key, values[i], most_value);
      if (!vg_text_at_end (cursor))
        {
          g_autofree char *quoted = vg_text_quote (cursor);

          return vg_fluence_lines_fail (lines, error,
                                        "%s should have %" G_GSIZE_FORMAT
                                        " numbers; after %" G_GSIZE_FORMAT " comes %s",
                                        key, n, i, quoted);
        }
    }
  return TRUE;
}

static gboolean
is_key (const char *line, const char *key)
{
  gsize n = strlen (key);

  return strncmp (line, key, n) == 0 && (line[n] == '\0' || g_ascii_isspace (line[n]));
}

/* The section that begins on this line, if one does. */
static gboolean
read_section (VgFluenceLines *lines, VgFluenceReport *self, guint *seen, GError **error)
{
  gsize nz = (gsize) self->nz, nr = (gsize) self->nr, na = (gsize) self->na;
  double totals[4];
  const struct
  {
    const char *key;
    double *values;
    gsize n;
  } sections[] = {
    { "RAT", totals, 4 },
    { "A_l", self->a_l, (gsize) self->layers->rows },
    { "A_z", self->a_z, nz },
    { "Rd_r", self->rd_r, nr },
    { "Rd_a", self->rd_a, na },
    { "Tt_r", self->tt_r, nr },
    { "Tt_a", self->tt_a, na },
    { "A_rz", self->a_rz, nr * nz },
    { "Rd_ra", self->rd_ra, nr * na },
    { "Tt_ra", self->tt_ra, nr * na },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (is_key (lines->line, sections[i].key))
      {
        if (!read_values (lines, sections[i].key, sections[i].values, sections[i].n, error))
          return FALSE;
        *seen |= 1u << i;
        if (i > 0)
          break;
        if (!(totals[0] + totals[1] + totals[2] + totals[3] <= 1.02))
          return vg_fluence_lines_fail (lines, error,
                                        "RAT has %.6g, %.6g, %.6g and %.6g of the "
                                        "light, which add up to more than 1",
                                        totals[0], totals[1], totals[2], totals[3]);
        self->specular = totals[0];
        self->reflectance = totals[1];
        self->absorbed = totals[2];
        self->transmittance = totals[3];
        break;
      }
  return TRUE;
}

/* Quantities that the file does not contain are NaN. */
static void
clear_sections (VgFluenceReport *self)
{
  gsize nr = (gsize) self->nr, na = (gsize) self->na;
  const struct
  {
    double *values;
    gsize n;
  } sections[] = {
    { self->a_l, (gsize) self->layers->rows },
    { self->a_z, (gsize) self->nz },
    { self->rd_r, nr },
    { self->rd_a, na },
    { self->tt_r, nr },
    { self->tt_a, na },
    { self->rd_ra, nr * na },
    { self->tt_ra, nr * na },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    for (gsize k = 0; k < sections[i].n; k++)
      sections[i].values[k] = NAN;
}

/* An unknown word ends the reading: later versions may write more. */
gboolean
vg_fluence_read_light (const char *text, gsize length, int *beam, double *cm, double *power_mw)
{
  const char *line = g_strstr_len (text, (gssize) length, "\n# " VG_FLUENCE_LIGHT);
  const char *cursor = line != NULL ? line + strlen ("\n# " VG_FLUENCE_LIGHT) : NULL;
  gsize left = line != NULL ? length - (gsize) (cursor - text) : 0;
  g_autofree char *words = g_strndup (cursor != NULL ? cursor : "", MIN (left, 200));

  for (int kind = VG_FLUENCE_PENCIL; kind <= VG_FLUENCE_POINT; kind++)
    {
      double size = 0.0, power;

      cursor = words;
      if (!g_str_has_prefix (cursor, vg_fluence_light_words[kind]))
        continue;
      cursor += strlen (vg_fluence_light_words[kind]);
      if (kind != VG_FLUENCE_PENCIL &&
          (!vg_text_read_number (&cursor, &size) || !g_str_has_prefix (cursor, " cm")))
        return FALSE;
      cursor += kind != VG_FLUENCE_PENCIL ? strlen (" cm") : 0;
      if (*cursor++ != ',' || !vg_text_read_number (&cursor, &power) ||
          !g_str_has_prefix (cursor, " mW"))
        return FALSE;
      *beam = kind;
      *cm = size;
      *power_mw = power;
      return TRUE;
    }
  return FALSE;
}

VgFluenceReport *
vg_fluence_mco_read (const char *name, const char *text, gsize length, GError **error)
{
  const guint needed = 1u << 0 | 1u << 7; /* totals and the map */
  g_autoptr (VgFluenceReport) self = NULL;
  VgFluenceLines lines;
  guint seen = 0;
  gboolean ok = TRUE;

  vg_fluence_lines_init (&lines, name, text, length);
  while (self == NULL && ok)
    {
      ok = vg_fluence_lines_need (&lines, "InParm", error);
      if (ok && is_key (lines.line, "InParm"))
        {
          self = read_inputs (&lines, error);
          ok = self != NULL;
        }
    }
  if (ok)
    {
      clear_sections (self);
      self->clamped = g_strstr_len (text, (gssize) length, VG_FLUENCE_WRITTEN) == NULL;
      if (!self->clamped)
        vg_fluence_read_light (text, length, &self->beam, &self->beam_cm, &self->power_mw);
    }
  while (ok && vg_fluence_lines_next (&lines))
    ok = read_section (&lines, self, &seen, error);
  if (ok && (seen & needed) != needed)
    ok = vg_fluence_lines_fail (&lines, error, "the file has no %s section",
                                seen & 1u ? "A_rz" : "RAT");
  vg_fluence_lines_clear (&lines);
  return ok ? g_steal_pointer (&self) : NULL;
}
