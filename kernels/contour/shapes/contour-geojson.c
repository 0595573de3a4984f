/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-geojson.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>
/* A reader in one pass: values that mean nothing here are checked and skipped,
 * "coordinates" are kept with the depth of their brackets until the type of
 * their geometry is known. */

enum { MOST_DEPTH = 100 };
#define MOST_COORDINATE 1e7

typedef struct
{
  const char *name, *start, *at, *end;
  int depth;
  VgContourGeometry *geometry;
  GError *error;
} Reader;

/* Coordinates of one geometry; nesting 0: a position, 1: a list of them... */
typedef struct
{
  VgContourShape *shape;
  int nesting; /* -1: none yet */
} Coordinates;

static gboolean
fail (Reader *self, const char *what)
{
  int line = 1;

  if (self->error != NULL)
    return FALSE;
  for (const char *p = self->start; p < self->at; p++)
    line += *p == '\n';
  g_set_error (&self->error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\", line %d: %s; choose GeoJSON points or polygons in pixels", self->name, line,
               what);
  return FALSE;
}

static char
peek (Reader *self)
{
  while (self->at < self->end && strchr (" \t\r\n", *self->at) != NULL && *self->at != '\0')
    self->at++;
  return self->at < self->end ? *self->at : '\0';
}

static gboolean
expect (Reader *self, char c)
{
  if (peek (self) != c)
    return fail (self, c == ':'   ? "a colon is missing"
                       : c == '"' ? "a name in quotes is missing"
                                  : "a bracket is missing");
  self->at++;
  return TRUE;
}

/* The text between the quotes, escapes as they are; *TEXT may be NULL. */
static gboolean
read_string (Reader *self, const char **text, gsize *length)
{
  const char *begin;

  if (!expect (self, '"'))
    return FALSE;
  begin = self->at;
  while (self->at < self->end && *self->at != '"')
    {
      if ((guchar) *self->at < 0x20)
        return fail (self, "a text contains a control character");
      self->at += *self->at == '\\' ? 2 : 1;
    }
  if (self->at >= self->end)
    {
      self->at = self->end;
      return fail (self, "a text does not end");
    }
  if (text != NULL)
    {
      *text = begin;
      *length = (gsize) (self->at - begin);
    }
  self->at++;
  return TRUE;
}

static gboolean
read_number (Reader *self, double *value)
{
  const char *cursor;

  peek (self);
  cursor = self->at;
  if (cursor >= self->end || (!g_ascii_isdigit (*cursor) && *cursor != '-') ||
      !vg_text_read_number (&cursor, value) || cursor > self->end)
    return fail (self, "a number is missing or too large");
  self->at = cursor;
  return TRUE;
}

static gboolean
deeper (Reader *self)
{
  return ++self->depth <= MOST_DEPTH || fail (self, "brackets are nested too deep");
}

static gboolean
read_word (Reader *self)
{
  /* the last three are no JSON: QuPath writes them for measurements that it could not make */
  static const char *const words[] = { "true", "false", "null", "NaN", "Infinity", "-Infinity" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      if ((gsize) (self->end - self->at) >= n && memcmp (self->at, words[i], n) == 0)
        {
          self->at += n;
          return TRUE;
        }
    }
  return fail (self, "this is not JSON");
}

/* After a value in brackets: TRUE and *MORE, or an error. */
static gboolean
read_comma (Reader *self, char close, gboolean *more)
{
  char c = peek (self);

  if (c != ',' && c != close)
    return fail (self, "a comma or a bracket is missing");
  self->at++;
  *more = c == ',';
  return TRUE;
}

static gboolean
skip_value (Reader *self)
{
  char c = peek (self), close = c == '{' ? '}' : ']';
  double number;
  gboolean more = TRUE;

  if (c == '"')
    return read_string (self, NULL, NULL);
  if (c != '{' && c != '[')
    return g_ascii_isalpha (c) || (c == '-' && self->at + 1 < self->end && self->at[1] == 'I')
               ? read_word (self)
               : read_number (self, &number);
  self->at++;
  if (!deeper (self))
    return FALSE;
  if (peek (self) == close)
    {
      self->at++;
      more = FALSE;
    }
  while (more)
    if ((c == '{' && (!read_string (self, NULL, NULL) || !expect (self, ':'))) ||
        !skip_value (self) || !read_comma (self, close, &more))
      return FALSE;
  self->depth--;
  return TRUE;
}

/* ---- Coordinates ---- */

static gboolean
read_position (Reader *self, Coordinates *coordinates)
{
  double values[2] = { 0 }, more_value;
  VgContourPoint point;
  gboolean more = TRUE;
  int n = 0;

  for (; more; n++)
    if (!read_number (self, n < 2 ? &values[n] : &more_value) || !read_comma (self, ']', &more))
      return FALSE;
  if (n < 2)
    return fail (self, "a position has no y");
  if (fabs (values[0]) > MOST_COORDINATE || fabs (values[1]) > MOST_COORDINATE)
    return fail (self, "a coordinate is beyond 10 million pixels");
  point = (VgContourPoint){ values[0], values[1] };
  g_array_append_val (coordinates->shape->points, point);
  return TRUE;
}

void
vg_contour_shape_end_ring (VgContourShape *self)
{
  guint start = vg_contour_shape_ring_start (self, self->ring_ends->len);
  const VgContourPoint *p = &g_array_index (self->points, VgContourPoint, 0);
  guint n = self->points->len;

  if (n > start + 1 && p[start].x == p[n - 1].x && p[start].y == p[n - 1].y)
    g_array_set_size (self->points, --n);
  g_array_append_val (self->ring_ends, n);
}

/* *NESTING: of what was read; -1: an empty list. */
static gboolean
read_coordinates (Reader *self, Coordinates *coordinates, int *nesting)
{
  gboolean more = TRUE;

  *nesting = -1;
  if (!expect (self, '[') || !deeper (self))
    return FALSE;
  if (peek (self) == ']')
    {
      self->at++;
      self->depth--;
      return TRUE;
    }
  if (peek (self) != '[')
    {
      *nesting = 0;
      self->depth--;
      return read_position (self, coordinates);
    }
  while (more)
    {
      int inner;

      if (!read_coordinates (self, coordinates, &inner) || !read_comma (self, ']', &more))
        return FALSE;
      if (inner >= 0 && *nesting >= 0 && *nesting != inner + 1)
        return fail (self, "positions and lists of them are mixed");
      if (inner >= 0)
        *nesting = inner + 1;
    }
  self->depth--;
  if (*nesting == 1)
    vg_contour_shape_end_ring (coordinates->shape);
  if (*nesting == 2)
    g_array_append_val (coordinates->shape->polygon_ends, coordinates->shape->ring_ends->len);
  return TRUE;
}

/* ---- Geometries ---- */

static gboolean
keep_geometry (Reader *self, Coordinates *coordinates, const char *type, gsize length)
{
  static const struct
  {
    const char *type;
    int nesting;
  } kinds[] = { { "Point", 0 },           { "MultiPoint", 1 }, { "LineString", 1 },
                { "MultiLineString", 2 }, { "Polygon", 2 },    { "MultiPolygon", 3 } };
  VgContourGeometry *geometry = self->geometry;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      if (strlen (kinds[i].type) != length || memcmp (kinds[i].type, type, length) != 0)
        continue;
      if (coordinates->nesting < 0)
        return TRUE; /* an empty geometry */
      if (coordinates->nesting != kinds[i].nesting)
        return fail (self, "the coordinates are not nested as the geometry's type requires");
      if (i < 2)
        g_array_append_vals (geometry->points, coordinates->shape->points->data,
                             coordinates->shape->points->len);
      else if (i < 4)
        geometry->lines++;
      else
        g_ptr_array_add (geometry->shapes, g_steal_pointer (&coordinates->shape));
      return TRUE;
    }
  return fail (self, "a geometry's type is unknown");
}

static gboolean read_objects (Reader *self);

static gboolean
is_key (const char *key, gsize length, const char *wanted)
{
  return strlen (wanted) == length && memcmp (key, wanted, length) == 0;
}

/* What an object's members said. */
typedef struct
{
  Coordinates coordinates;
  gboolean has; /* coordinates */
  const char *type;
  gsize type_length;
  gboolean nucleus;           /* it is a cell of QuPath's with a nucleus of its own: */
  guint points[2], shapes[2]; /* then these, of the whole cell, go */
} Object;

static gboolean
read_cell (Reader *self, Object *object)
{
  const VgContourGeometry *geometry = self->geometry;

  object->points[0] = geometry->points->len;
  object->shapes[0] = geometry->shapes->len;
  if (!read_objects (self))
    return FALSE;
  object->points[1] = geometry->points->len;
  object->shapes[1] = geometry->shapes->len;
  return TRUE;
}

static gboolean
read_nucleus (Reader *self, Object *object)
{
  guint before = self->geometry->shapes->len;

  if (!read_objects (self))
    return FALSE;
  object->nucleus |= self->geometry->shapes->len > before;
  return TRUE;
}

static void
drop_cell (Reader *self, const Object *object)
{
  if (!object->nucleus)
    return;
  if (object->points[1] > object->points[0])
    g_array_remove_range (self->geometry->points, object->points[0],
                          object->points[1] - object->points[0]);
  if (object->shapes[1] > object->shapes[0])
    g_ptr_array_remove_range (self->geometry->shapes, object->shapes[0],
                              object->shapes[1] - object->shapes[0]);
}

/* A member of an object; its type stays where it was for others. */
static gboolean
read_member (Reader *self, Object *object)
{
  const char *key;
  gsize length;

  if (!read_string (self, &key, &length) || !expect (self, ':'))
    return FALSE;
  if (is_key (key, length, "type") && peek (self) == '"')
    return read_string (self, &object->type, &object->type_length);
  if (is_key (key, length, "coordinates"))
    {
      if (object->has)
        return fail (self, "a geometry has coordinates twice");
      object->has = TRUE;
      return read_coordinates (self, &object->coordinates, &object->coordinates.nesting);
    }
  if (is_key (key, length, "nucleusGeometry") && peek (self) == '{')
    return read_nucleus (self, object);
  if (is_key (key, length, "geometry") && (peek (self) == '[' || peek (self) == '{'))
    return read_cell (self, object);
  if ((is_key (key, length, "features") || is_key (key, length, "geometries")) &&
      (peek (self) == '[' || peek (self) == '{'))
    return read_objects (self);
  return skip_value (self);
}

/* An object of GeoJSON, or a list of them. */
static gboolean
read_objects (Reader *self)
{
  Object object = { .coordinates = { NULL, -1 } };
  gboolean more = TRUE, list = peek (self) == '[', ok = TRUE;
  char close = list ? ']' : '}';

  if ((!list && peek (self) != '{') || !deeper (self))
    return fail (self, "this is not GeoJSON");
  self->at++;
  if (peek (self) == close)
    {
      self->at++;
      more = FALSE;
    }
  if (!list)
    object.coordinates.shape = vg_contour_shape_new ();
  while (more && ok)
    ok = (list ? read_objects (self) : read_member (self, &object)) &&
         read_comma (self, close, &more);
  if (ok)
    drop_cell (self, &object);
  if (ok && object.has)
    ok = object.type != NULL
             ? keep_geometry (self, &object.coordinates, object.type, object.type_length)
             : fail (self, "a geometry has no type");
  self->depth--;
  g_clear_pointer (&object.coordinates.shape, vg_contour_shape_free);
  return ok;
}

VgContourGeometry *
vg_contour_geojson_read (const char *name, const char *text, gsize length, GError **error)
{
  VgContourGeometry *geometry = g_new0 (VgContourGeometry, 1);
  Reader reader = {
    .name = name, .start = text, .at = text, .end = text + length, .geometry = geometry
  };

  geometry->points = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  geometry->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_contour_shape_free);
  if (length >= 3 && memcmp (text, "\357\273\277", 3) == 0)
    reader.at += 3;
  if (read_objects (&reader) && peek (&reader) != '\0')
    fail (&reader, "there is more after the end");
  if (reader.error == NULL)
    return geometry;
  g_propagate_error (error, reader.error);
  vg_contour_geometry_free (geometry);
  return NULL;
}

void
vg_contour_geometry_free (VgContourGeometry *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->points);
  g_ptr_array_unref (self->shapes);
  g_free (self);
}

VgContourShape *
vg_contour_shape_new (void)
{
  VgContourShape *self = g_new0 (VgContourShape, 1);

  self->points = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  self->ring_ends = g_array_new (FALSE, FALSE, sizeof (guint));
  self->polygon_ends = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

void
vg_contour_shape_free (VgContourShape *self)
{
  g_array_unref (self->points);
  g_array_unref (self->ring_ends);
  g_array_unref (self->polygon_ends);
  g_free (self);
}
