/* SPDX-License-Identifier: MIT */
/* Regions of interest: geometry and text. */
#include "kernels/base/vg-region.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

#define COORDINATE_MAX 1e9
#define FORMS "rect:X,Y,W,H, ellipse:CX,CY,RX,RY or polygon:X,Y;X,Y;X,Y"

int
vg_region_crossings (const VgRegion *self, double y, double *crossings)
{
  int n = 0;

  for (int i = 0, j = self->n_points - 1; i < self->n_points; j = i++)
    if ((self->y[i] > y) != (self->y[j] > y))
      crossings[n++] = self->x[i] +
                       (self->x[j] - self->x[i]) * ((y - self->y[i]) / (self->y[j] - self->y[i]));
  return n;
}

static gboolean
polygon_contains (const VgRegion *self, double x, double y)
{
  double crossings[VG_REGION_MAX_POINTS];
  int n = vg_region_crossings (self, y, crossings);
  gboolean inside = FALSE;

  for (int i = 0; i < n; i++)
    inside ^= crossings[i] > x;
  return inside;
}

gboolean
vg_region_contains (const VgRegion *self, double x, double y)
{
  double u, v;

  switch (self->kind)
    {
    case VG_REGION_RECTANGLE:
      return x >= MIN (self->x[0], self->x[1]) && x < MAX (self->x[0], self->x[1]) &&
             y >= MIN (self->y[0], self->y[1]) && y < MAX (self->y[0], self->y[1]);
    case VG_REGION_ELLIPSE:
      u = (x - self->x[0]) / self->x[1];
      v = (y - self->y[0]) / self->y[1];
      return u * u + v * v <= 1;
    case VG_REGION_POLYGON:
      return polygon_contains (self, x, y);
    case VG_REGION_NONE:
    default:
      return FALSE;
    }
}

/* Pixels 0..SIZE-1 whose centre is in LOW..HIGH. */
static gboolean
clip (double low, double high, int size, int *first, int *end)
{
  double a = ceil (low - 0.5), b = floor (high - 0.5) + 1;

  if (!(a < size) || !(b > 0) || !(a < b))
    return FALSE;
  *first = (int) MAX (a, 0);
  *end = (int) MIN (b, size);
  return TRUE;
}

gboolean
vg_region_bounds (const VgRegion *self, int width, int height, int *x0, int *y0, int *x1, int *y1)
{
  double low[2], high[2];

  if (self->kind == VG_REGION_NONE || self->n_points < 2)
    return FALSE;
  if (self->kind == VG_REGION_ELLIPSE)
    {
      low[0] = self->x[0] - fabs (self->x[1]);
      high[0] = self->x[0] + fabs (self->x[1]);
      low[1] = self->y[0] - fabs (self->y[1]);
      high[1] = self->y[0] + fabs (self->y[1]);
    }
  else
    {
      low[0] = high[0] = self->x[0];
      low[1] = high[1] = self->y[0];
      for (int i = 1; i < self->n_points; i++)
        {
          low[0] = MIN (low[0], self->x[i]);
          high[0] = MAX (high[0], self->x[i]);
          low[1] = MIN (low[1], self->y[i]);
          high[1] = MAX (high[1], self->y[i]);
        }
    }
  return clip (low[0], high[0], width, x0, x1) && clip (low[1], high[1], height, y0, y1);
}

static gboolean
skip (const char **cursor, char c)
{
  while (g_ascii_isspace (**cursor))
    (*cursor)++;
  if (**cursor != c)
    return FALSE;
  (*cursor)++;
  return TRUE;
}

/* Pairs "a,b" with SEPARATOR between them; how many, or -1. */
static int
read_pairs (const char **cursor, char separator, double *x, double *y, int max)
{
  int n = 0;

  do
    {
      if (n == max)
        return -1;
      if (!vg_text_read_number (cursor, &x[n]) || !skip (cursor, ',') ||
          !vg_text_read_number (cursor, &y[n]))
        return -1;
      if (fabs (x[n]) > COORDINATE_MAX || fabs (y[n]) > COORDINATE_MAX)
        return -1;
      n++;
    }
  while (skip (cursor, separator));
  return n;
}

static gboolean
read_slice (const char **cursor, int *slice)
{
  double value;

  if (!skip (cursor, '@'))
    return TRUE;
  if (!vg_text_read_number (cursor, &value) || value < 0 || value > G_MAXINT ||
      value != floor (value))
    return FALSE;
  *slice = (int) value;
  return TRUE;
}

/* The shape named by the text before ':', NULL when there is none. */
static const char *
read_shape (const char **cursor)
{
  static const char *const shapes[] = { "rect", "corners", "ellipse", "polygon" };

  while (g_ascii_isspace (**cursor))
    (*cursor)++;
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    {
      gsize length = strlen (shapes[i]);

      if (g_ascii_strncasecmp (*cursor, shapes[i], length) == 0 && (*cursor)[length] == ':')
        {
          *cursor += length + 1;
          return shapes[i];
        }
    }
  return NULL;
}

static const char *
read_region (VgRegion *self, const char *cursor)
{
  const char *shape = read_shape (&cursor), *plain = cursor;
  double first;
  gboolean polygon = g_strcmp0 (shape, "polygon") == 0;

  if (shape == NULL && vg_text_read_number (&plain, &first))
    shape = "rect";
  if (shape == NULL)
    return "it names no shape";
  self->n_points = read_pairs (&cursor, polygon ? ';' : ',', self->x, self->y,
                               polygon ? VG_REGION_MAX_POINTS : 2);
  if (self->n_points < 0)
    return polygon ? "it needs 3 to 256 points of two numbers"
                   : "it needs four numbers of at most 1e9";
  if (polygon ? self->n_points < 3 : self->n_points != 2)
    return polygon ? "a polygon has at least 3 points" : "it needs four numbers";
  if (!read_slice (&cursor, &self->slice))
    return "the number of a slice must follow @";
  if (!vg_text_at_end (cursor))
    return "there is text after it";
  self->kind = polygon                          ? VG_REGION_POLYGON
               : g_str_equal (shape, "ellipse") ? VG_REGION_ELLIPSE
                                                : VG_REGION_RECTANGLE;
  if ((g_str_equal (shape, "rect") || g_str_equal (shape, "ellipse")) &&
      !(self->x[1] > 0 && self->y[1] > 0))
    return g_str_equal (shape, "rect") ? "width and height must be above 0"
                                       : "both radii must be above 0";
  if (g_str_equal (shape, "rect"))
    {
      self->x[1] += self->x[0];
      self->y[1] += self->y[0];
    }
  return NULL;
}

gboolean
vg_region_parse (VgRegion *self, const char *text, GError **error)
{
  VgRegion region = { 0 };
  const char *problem = read_region (&region, text);

  if (problem != NULL)
    {
      g_autofree char *quoted = vg_text_quote (text);

      g_set_error (error, VG_USAGE_ERROR, 0, "%s is not a region: %s; write " FORMS, quoted,
                   problem);
      return FALSE;
    }
  *self = region;
  return TRUE;
}

static void
append_pair (GString *string, double a, double b, char end)
{
  vg_text_append_number (string, a);
  g_string_append_c (string, ',');
  vg_text_append_number (string, b);
  if (end != '\0')
    g_string_append_c (string, end);
}

static void
append_rectangle (GString *string, const VgRegion *self)
{
  double w = self->x[1] - self->x[0], h = self->y[1] - self->y[0];
  gboolean exact = w > 0 && h > 0 && self->x[0] + w == self->x[1] && self->y[0] + h == self->y[1];

  g_string_append (string, exact ? "rect:" : "corners:");
  append_pair (string, self->x[0], self->y[0], ',');
  append_pair (string, exact ? w : self->x[1], exact ? h : self->y[1], '\0');
}

gboolean
vg_region_is_meant (const char *text)
{
  return g_str_has_prefix (text, "rect:") || g_str_has_prefix (text, "corners:") ||
         g_str_has_prefix (text, "ellipse:") || g_str_has_prefix (text, "polygon:");
}

char *
vg_region_format (const VgRegion *self)
{
  GString *string = g_string_new (NULL);

  switch (self->kind)
    {
    case VG_REGION_RECTANGLE:
      append_rectangle (string, self);
      break;
    case VG_REGION_ELLIPSE:
      g_string_append (string, "ellipse:");
      append_pair (string, self->x[0], self->y[0], ',');
      append_pair (string, self->x[1], self->y[1], '\0');
      break;
    case VG_REGION_POLYGON:
      g_string_append (string, "polygon:");
      for (int i = 0; i < self->n_points; i++)
        append_pair (string, self->x[i], self->y[i], i + 1 < self->n_points ? ';' : '\0');
      break;
    case VG_REGION_NONE:
    default:
      break;
    }
  if (self->kind != VG_REGION_NONE && self->slice > 0)
    g_string_append_printf (string, "@%d", self->slice);
  return g_string_free (string, FALSE);
}

gboolean
vg_region_has_text (const VgRegion *self, const char *text)
{
  const char *cursor = vg_region_is_meant (text) ? strchr (text, ':') + 1 : NULL;
  g_autofree char *own = NULL;
  double x, y;

  /* another shape, or another first point: the usual case, and quick */
  if (cursor == NULL || !vg_text_read_number (&cursor, &x) || x != self->x[0] ||
      !skip (&cursor, ',') || !vg_text_read_number (&cursor, &y) || y != self->y[0])
    return FALSE;
  own = vg_region_format (self);
  return strcmp (own, text) == 0;
}

gboolean
vg_region_equal (const VgRegion *a, const VgRegion *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (a->kind != b->kind || a->slice != b->slice || a->n_points != b->n_points)
    return FALSE;
  for (int i = 0; i < a->n_points; i++)
    if (a->x[i] != b->x[i] || a->y[i] != b->y[i])
      return FALSE;
  return TRUE;
}
