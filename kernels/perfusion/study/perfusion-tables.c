/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/base/vg-text.h"
#include <string.h>
/* Input curves from tables: of one, or the average of several. */

/* The unit in brackets behind the first curve's name in the heading, such as "mM" in
 * "time_s,artery [mM]"; NULL: there is none.  Owned. */
static char *
find_unit (const VgImage *file)
{
  const char *line = file->text, *end, *open, *close;

  while (*line == '#' || *line == '\n' || *line == '\r')
    line += strcspn (line, "\n") + (line[strcspn (line, "\n")] != '\0');
  end = line + strcspn (line, "\n");
  line += strcspn (line, ",;\t\n");
  open = memchr (line, '[', (gsize) (end - line));
  close = open != NULL ? memchr (open, ']', (gsize) (end - open)) : NULL;
  return close != NULL ? g_strstrip (g_strndup (open + 1, (gsize) (close - open) - 1)) : NULL;
}

/* The unit that the table states must be that of the data, if both are known. */
static gboolean
check_unit (const VgPerfusionStudy *self, const VgImage *file, GError **error)
{
  const char *own = vg_perfusion_concentration_unit (self->params->signal);
  g_autofree char *unit = find_unit (file), *quoted = NULL;

  if (unit == NULL || *unit == '\0' || *own == '\0' || g_str_equal (unit, own))
    return TRUE;
  quoted = vg_text_quote (unit);
  g_set_error (
      error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
      "\"%s\" has concentrations in %s, but those of the data are in %s; convert the table",
      file->name, quoted, own);
  return FALSE;
}

gboolean
vg_perfusion_read_curve (const VgPerfusionStudy *self, const VgImage *file, gboolean portal,
                         double *curve, GError **error)
{
  int rows, columns, at = 0;
  g_autofree double *table = vg_perfusion_read_table (file, &rows, &columns, error);

  if (table == NULL || !check_unit (self, file, error))
    return FALSE;
  if (rows < 2)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has only one row, which is not a curve; write one row per frame: its "
                   "time in s and the concentration",
                   file->name);
      return FALSE;
    }
  for (int i = 1; columns > 1 && i < rows; i++)
    if (!(table[i * columns] > table[(i - 1) * columns]))
      {
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                     "the times in \"%s\" do not increase in row %d; sort the table", file->name,
                     i + 1);
        return FALSE;
      }
  if (columns > 1 && (table[0] > self->begin_s + self->times_s[self->n - 1] ||
                      table[(rows - 1) * columns] < self->begin_s))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" covers %g to %g s, but the series lasts from %g to %g s; give both "
                   "times from the same origin",
                   file->name, table[0], table[(rows - 1) * columns], self->begin_s,
                   self->begin_s + self->times_s[self->n - 1]);
      return FALSE;
    }
  if (columns == 1 && rows != self->n)
    {
      g_set_error (
          error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
          "\"%s\" has %d values, but the data have %d frames; add a column with the times in s",
          file->name, rows, self->n);
      return FALSE;
    }
  for (int i = 0; i < self->n; i++)
    {
      const double *row;
      int column = columns == 1 ? 0 : portal && columns > 2 ? 2 : 1;
      double t = self->times_s[i] + self->begin_s;

      /* Subtract begin_s, as for the frame times: adding it to them could miss equal times by
       * rounding. */
      while (columns > 1 && at < rows && table[at * columns] - self->begin_s <= self->times_s[i])
        at++;
      row = table + MAX (at - 1, 0) * columns;
      if (columns == 1)
        curve[i] = table[i];
      else if (at == 0)
        curve[i] = 0;
      else if (at == rows)
        curve[i] = row[column];
      else
        curve[i] = row[column] +
                   (row[columns + column] - row[column]) * (t - row[0]) / (row[columns] - row[0]);
    }
  return TRUE;
}

typedef struct
{
  const char *name;
  char *unit;
  int columns;
  double begin, end;
} Part;

/* Whether PART can be averaged with FIRST. */
static gboolean
check_part (const Part *first, const Part *part, GError **error)
{
  double span = MAX (first->end - first->begin, part->end - part->begin);
  char *units[2] = { NULL, NULL };

  if (part->columns < 2)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" has no times, so it cannot be averaged; add a column with the times in s",
                 part->name);
  else if ((part->columns > 2) != (first->columns > 2))
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" has a curve of the portal vein, but \"%s\" has none; average tables with "
                 "the same columns",
                 part->columns > 2 ? part->name : first->name,
                 part->columns > 2 ? first->name : part->name);
  else if (part->unit != NULL && first->unit != NULL && !g_str_equal (part->unit, first->unit))
    {
      units[0] = vg_text_quote (first->unit);
      units[1] = vg_text_quote (part->unit);
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has concentrations in %s, but \"%s\" in %s; convert one of them",
                   first->name, units[0], part->name, units[1]);
    }
  else if (fabs (part->begin - first->begin) > 0.1 * span ||
           fabs (part->end - first->end) > 0.1 * span)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "\"%s\" covers %g to %g s, but \"%s\" %g to %g s; average tables "
                 "with the same time range",
                 first->name, first->begin, first->end, part->name, part->begin, part->end);
  else
    return TRUE;
  g_free (units[0]);
  g_free (units[1]);
  return FALSE;
}

/* Describes the table FILE and adds its curves at the frames to SUMS. */
static gboolean
add_part (const VgPerfusionStudy *self, const VgImage *file, Part *part, double *sums[2],
          GError **error)
{
  int rows;
  g_autofree double *table = vg_perfusion_read_table (file, &rows, &part->columns, error),
                    *curve = g_new (double, self->n);

  if (table == NULL)
    return FALSE;
  part->name = file->name;
  part->unit = find_unit (file);
  part->begin = table[0];
  part->end = table[(rows - 1) * part->columns];
  for (int which = 0; which < (part->columns > 2 ? 2 : 1); which++)
    {
      if (part->columns > 1 && !vg_perfusion_read_curve (self, file, which == 1, curve, error))
        return FALSE;
      for (int i = 0; i < self->n; i++)
        sums[which][i] += curve[i];
    }
  return TRUE;
}

/* The texts of several files are in one, with form feeds between them and their names beside. */
static GPtrArray *
split_files (const VgImage *file)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_image_unref);
  g_auto (GStrv) texts = file->names != NULL ? g_strsplit (file->text, "\f", -1) : NULL;
  guint names = file->names != NULL ? g_strv_length (file->names) : 0;

  if (texts == NULL)
    g_ptr_array_add (parts, vg_image_ref ((VgImage *) file));
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    g_ptr_array_add (parts, vg_image_new_text (g_strdup (texts[i]), strlen (texts[i]),
                                               i < names ? file->names[i] : file->name));
  return parts;
}

gboolean
vg_perfusion_read_averages (VgPerfusionStudy *self, GError **error)
{
  const VgImage *file = vg_perfusion_study_file (self, "input_tables");
  g_autoptr (GPtrArray) files = NULL;
  g_autofree Part *parts = NULL;
  g_autofree double *artery = NULL, *portal = NULL;
  gboolean dual = self->params->inputs == 0, good = TRUE;

  self->averaged = 0;
  if (file == NULL || file->text == NULL ||
      (self->artery != NULL && (!dual || self->portal != NULL)))
    return TRUE;
  files = split_files (file);
  parts = g_new0 (Part, files->len);
  artery = g_new0 (double, self->n);
  portal = g_new0 (double, self->n);
  for (guint i = 0; i < files->len && good; i++)
    good = add_part (self, files->pdata[i], &parts[i], (double *[]){ artery, portal }, error) &&
           check_part (&parts[0], &parts[i], error);
  for (int i = 0; i < self->n; i++)
    {
      artery[i] /= files->len;
      portal[i] /= files->len;
    }
  for (guint i = 0; i < files->len; i++)
    g_free (parts[i].unit);
  if (!good)
    return FALSE;
  if (self->artery == NULL)
    {
      self->artery = g_steal_pointer (&artery);
      self->averaged = files->len;
    }
  if (dual && self->portal == NULL && parts[0].columns > 2)
    {
      self->portal = g_steal_pointer (&portal);
      self->averaged = files->len;
    }
  return TRUE;
}
