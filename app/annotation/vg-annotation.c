/* SPDX-License-Identifier: MIT */
#include "app/annotation/vg-annotation.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"

#define SHAFT 0.09 /* half the width of an arrow's line, in sizes */
#define HEAD 0.9   /* length of its head */
#define WING 0.38  /* half the width of its head */

VgAnnotation *
vg_annotation_copy (const VgAnnotation *self)
{
  VgAnnotation *copy = g_memdup2 (self, sizeof *self);

  copy->text = g_strdup (self->text);
  return copy;
}

void
vg_annotation_free (gpointer data)
{
  VgAnnotation *self = data;

  g_free (self->text);
  g_free (self);
}

gboolean
vg_annotation_equal (const VgAnnotation *a, const VgAnnotation *b)
{
  int n = a->kind == VG_ANNOTATION_ARROW ? 2 : 1;

  for (int i = 0; i < n; i++)
    if (a->x[i] != b->x[i] || a->y[i] != b->y[i])
      return FALSE;
  return a->kind == b->kind && a->slice == b->slice && a->size == b->size &&
         memcmp (a->rgb, b->rgb, sizeof a->rgb) == 0 && g_strcmp0 (a->text, b->text) == 0;
}

gboolean
vg_annotation_is_valid (const VgAnnotation *self)
{
  int n = self->kind == VG_ANNOTATION_ARROW ? 2 : 1;

  for (int i = 0; i < n; i++)
    if (!(fabs (self->x[i]) <= 1e9) || !(fabs (self->y[i]) <= 1e9))
      return FALSE;
  if (!(self->size > 0 && self->size <= VG_ANNOTATION_MOST_SIZE) || self->slice < 0)
    return FALSE;
  return self->kind == VG_ANNOTATION_ARROW ? self->x[0] != self->x[1] || self->y[0] != self->y[1]
                                           : self->text != NULL && *self->text != '\0';
}

gboolean
vg_annotation_set_text (VgAnnotation *self, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  char *end = valid;

  while (*end != '\0' && !g_unichar_iscntrl (g_utf8_get_char (end)) &&
         g_utf8_next_char (end) - valid <= VG_ANNOTATION_BYTES)
    end = g_utf8_next_char (end);
  *end = '\0';
  g_strstrip (valid);
  if (*valid == '\0')
    return FALSE;
  g_free (self->text);
  self->text = g_steal_pointer (&valid);
  return TRUE;
}

/* ---- as text ---- */

static gboolean
read_numbers (const char **at, int n, double *values)
{
  for (int i = 0; i < n; i++)
    {
      char *end;

      values[i] = g_ascii_strtod (*at, &end);
      if (end == *at || !isfinite (values[i]) || (i + 1 < n && *end != ','))
        return FALSE;
      *at = end + (i + 1 < n);
    }
  return TRUE;
}

/* "@2": slices are counted from 0. */
static gboolean
read_slice (const char **at, int *slice)
{
  char *end;
  gint64 value;

  if (**at != '@')
    return TRUE;
  value = g_ascii_strtoll (*at + 1, &end, 10);
  if (!g_ascii_isdigit ((*at)[1]) || value > G_MAXINT32)
    return FALSE;
  *slice = (int) value;
  *at = end;
  return TRUE;
}

static gboolean
read_color (const char **at, guint8 rgb[3])
{
  if (**at != '#')
    return FALSE;
  for (int i = 0; i < 6; i++)
    {
      int digit = g_ascii_xdigit_value ((*at)[1 + i]);

      if (digit < 0)
        return FALSE;
      rgb[i / 2] = (guint8) (i % 2 == 0 ? 16 * digit : rgb[i / 2] + digit);
    }
  *at += 7;
  return TRUE;
}

static gboolean
read_all (VgAnnotation *self, const char *at)
{
  gboolean arrow = g_str_has_prefix (at, "arrow:");
  double values[4];

  if (!arrow && !g_str_has_prefix (at, "text:"))
    return FALSE;
  self->kind = arrow ? VG_ANNOTATION_ARROW : VG_ANNOTATION_TEXT;
  at = strchr (at, ':') + 1;
  if (!read_numbers (&at, arrow ? 4 : 2, values) || !read_slice (&at, &self->slice) || *at++ != ' ')
    return FALSE;
  self->x[0] = values[0];
  self->y[0] = values[1];
  self->x[1] = arrow ? values[2] : 0;
  self->y[1] = arrow ? values[3] : 0;
  if (!read_numbers (&at, 1, &self->size) || *at++ != ' ' || !read_color (&at, self->rgb))
    return FALSE;
  if (arrow)
    return *at == '\0';
  return *at == ' ' && vg_annotation_set_text (self, at + 1);
}

VgAnnotation *
vg_annotation_parse (const char *line, GError **error)
{
  g_autoptr (VgAnnotation) self = g_new0 (VgAnnotation, 1);
  g_autofree char *quoted = NULL;

  if (read_all (self, line) && vg_annotation_is_valid (self))
    return g_steal_pointer (&self);
  quoted = vg_text_quote (line);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%s is not an annotation; write it like arrow:10,20,30,40 14 #ffd91a or "
               "text:10,20 14 #ffd91a Vessel",
               quoted);
  return NULL;
}

/* The shortest text that gives the same bits. */
static void
add_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (buffer, sizeof buffer, "%.15g", value);
  if (g_ascii_strtod (buffer, NULL) != value)
    g_ascii_dtostr (buffer, sizeof buffer, value);
  g_string_append (text, buffer);
}

char *
vg_annotation_format (const VgAnnotation *self)
{
  gboolean arrow = self->kind == VG_ANNOTATION_ARROW;
  g_autoptr (GString) text = g_string_new (arrow ? "arrow:" : "text:");

  for (int i = 0; i < (arrow ? 2 : 1); i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      add_number (text, self->x[i]);
      g_string_append_c (text, ',');
      add_number (text, self->y[i]);
    }
  if (self->slice > 0)
    g_string_append_printf (text, "@%d", self->slice);
  g_string_append_c (text, ' ');
  add_number (text, self->size);
  g_string_append_printf (text, " #%02x%02x%02x", self->rgb[0], self->rgb[1], self->rgb[2]);
  if (!arrow)
    g_string_append_printf (text, " %s", self->text);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

GPtrArray *
vg_annotations_parse (const char *lines, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (vg_annotation_free);
  g_auto (GStrv) each = g_strsplit (lines, "\n", -1);

  for (guint i = 0; each[i] != NULL; i++)
    {
      VgAnnotation *annotation;

      if (*g_strstrip (each[i]) == '\0')
        continue;
      annotation = all->len < VG_ANNOTATION_MOST ? vg_annotation_parse (each[i], error) : NULL;
      if (annotation == NULL && all->len >= VG_ANNOTATION_MOST)
        g_set_error (error, VG_USAGE_ERROR, 0, "there are more than %d annotations; leave some out",
                     VG_ANNOTATION_MOST);
      if (annotation == NULL)
        return NULL;
      g_ptr_array_add (all, annotation);
    }
  return g_steal_pointer (&all);
}

char *
vg_annotations_format (const GPtrArray *annotations)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < annotations->len; i++)
    {
      g_autofree char *line = vg_annotation_format (annotations->pdata[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", line);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- shape ---- */

void
vg_annotation_outline (const double tail[2], const double tip[2], double size,
                       double points[2 * VG_ANNOTATION_POINTS])
{
  double length = MAX (hypot (tip[0] - tail[0], tip[1] - tail[1]), 1e-9);
  double along[2] = { (tip[0] - tail[0]) / length, (tip[1] - tail[1]) / length };
  /* a short arrow is smaller in all its parts, so that its head is never longer than it */
  double unit = MIN (size, length / HEAD), neck = length - HEAD * unit;
  const double at[VG_ANNOTATION_POINTS][2] = {
    { 0, -SHAFT * unit },  { neck, -SHAFT * unit }, { neck, -WING * unit }, { length, 0 },
    { neck, WING * unit }, { neck, SHAFT * unit },  { 0, SHAFT * unit },
  };

  for (int i = 0; i < VG_ANNOTATION_POINTS; i++)
    {
      points[2 * i] = tail[0] + at[i][0] * along[0] - at[i][1] * along[1];
      points[2 * i + 1] = tail[1] + at[i][0] * along[1] + at[i][1] * along[0];
    }
}
