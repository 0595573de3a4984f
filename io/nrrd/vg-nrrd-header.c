/* SPDX-License-Identifier: MIT */
#include "io/nrrd/vg-nrrd-header.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-text.h"
#include <math.h>
#include <string.h>

enum { MOST_AXES = 4, MOST_TIMES = 1 << 20 };

/* The fields of a header that are used, as text; NULL: absent. */
typedef struct
{
  const char *type, *dimension, *sizes, *encoding, *endian, *space, *directions, *origin, *spacings,
      *units, *kinds, *file, *byte_skip, *line_skip, *labels, *label_tag, *label_unit, *values;
} Fields;

static const struct
{
  const char *name;
  gsize offset;
} field_names[] = {
  { "type", G_STRUCT_OFFSET (Fields, type) },
  { "dimension", G_STRUCT_OFFSET (Fields, dimension) },
  { "sizes", G_STRUCT_OFFSET (Fields, sizes) },
  { "encoding", G_STRUCT_OFFSET (Fields, encoding) },
  { "endian", G_STRUCT_OFFSET (Fields, endian) },
  { "space", G_STRUCT_OFFSET (Fields, space) },
  { "space directions", G_STRUCT_OFFSET (Fields, directions) },
  { "space origin", G_STRUCT_OFFSET (Fields, origin) },
  { "spacings", G_STRUCT_OFFSET (Fields, spacings) },
  { "units", G_STRUCT_OFFSET (Fields, units) },
  { "kinds", G_STRUCT_OFFSET (Fields, kinds) },
  { "data file", G_STRUCT_OFFSET (Fields, file) },
  { "datafile", G_STRUCT_OFFSET (Fields, file) },
  { "byte skip", G_STRUCT_OFFSET (Fields, byte_skip) },
  { "byteskip", G_STRUCT_OFFSET (Fields, byte_skip) },
  { "line skip", G_STRUCT_OFFSET (Fields, line_skip) },
  { "lineskip", G_STRUCT_OFFSET (Fields, line_skip) },
  /* what 3D Slicer writes of a series of volumes */
  { "MultiVolume.FrameLabels", G_STRUCT_OFFSET (Fields, labels) },
  { "MultiVolume.FrameIdentifyingDICOMTagName", G_STRUCT_OFFSET (Fields, label_tag) },
  { "MultiVolume.FrameIdentifyingDICOMTagUnits", G_STRUCT_OFFSET (Fields, label_unit) },
  { "axis 0 index values", G_STRUCT_OFFSET (Fields, values) },
};

static const struct
{
  const char *names;
  VgNrrdType type;
  gsize bytes;
} types[] = {
  { "|signed char|int8|int8_t|", VG_NRRD_I8, 1 },
  { "|uchar|unsigned char|uint8|uint8_t|", VG_NRRD_U8, 1 },
  { "|short|short int|signed short|signed short int|int16|int16_t|", VG_NRRD_I16, 2 },
  { "|ushort|unsigned short|unsigned short int|uint16|uint16_t|", VG_NRRD_U16, 2 },
  { "|int|signed int|int32|int32_t|", VG_NRRD_I32, 4 },
  { "|uint|unsigned int|uint32|uint32_t|", VG_NRRD_U32, 4 },
  { "|longlong|long long|long long int|signed long long|int64|int64_t|", VG_NRRD_I64, 8 },
  { "|ulonglong|unsigned long long|unsigned long long int|uint64|uint64_t|", VG_NRRD_U64, 8 },
  { "|float|", VG_NRRD_F32, 4 },
  { "|double|", VG_NRRD_F64, 8 },
};

gboolean
vg_nrrd_detect (const guint8 *head, gsize length, gint64 size)
{
  return length >= 9 && memcmp (head, "NRRD000", 7) == 0 && head[7] >= '1' && head[7] <= '5' &&
         (head[8] == '\n' || head[8] == '\r');
}

void
vg_nrrd_header_clear (VgNrrdHeader *self)
{
  g_clear_pointer (&self->file, g_free);
  g_clear_pointer (&self->times_s, g_array_unref);
}

static gboolean
refuse (GError **error, VgIoError code, const char *name, const char *what, const char *advice)
{
  g_set_error (error, VG_IO_ERROR, code, "\"%s\" %s; %s", name, what, advice);
  return FALSE;
}

/* Points FIELDS into LINES, which are cut at the ends of the names. */
static void
find_fields (Fields *fields, char **lines)
{
  for (; *lines != NULL; lines++)
    {
      char *colon = strchr (*lines, ':');

      if (colon == NULL || **lines == '#')
        continue;
      *colon = '\0';
      colon += 1 + (colon[1] == '=');
      for (guint i = 0; i < G_N_ELEMENTS (field_names); i++)
        if (g_ascii_strcasecmp (g_strstrip (*lines), field_names[i].name) == 0)
          G_STRUCT_MEMBER (const char *, fields, field_names[i].offset) = g_strstrip (colon);
    }
}

/* ---- samples ---- */

static gboolean
set_type (VgNrrdHeader *self, const Fields *fields, const char *name, GError **error)
{
  g_autofree char *wanted = g_strdup_printf ("|%s|", fields->type != NULL ? fields->type : "");
  gboolean big = g_strcmp0 (fields->endian, "big") == 0;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strstr (types[i].names, wanted) != NULL && strlen (wanted) > 2)
      {
        self->type = types[i].type;
        self->sample_bytes = types[i].bytes;
        self->swap = types[i].bytes > 1 && fields->endian != NULL &&
                     big != (G_BYTE_ORDER == G_BIG_ENDIAN);
        return TRUE;
      }
  return refuse (error, VG_IO_ERROR_UNSUPPORTED, name,
                 "has samples of a type that is not supported",
                 "save it with samples of type float");
}

static gboolean
set_encoding (VgNrrdHeader *self, const Fields *fields, const char *name, GError **error)
{
  const char *encoding = fields->encoding != NULL ? fields->encoding : "";
  gint64 skip = fields->byte_skip != NULL ? g_ascii_strtoll (fields->byte_skip, NULL, 10) : 0;

  self->packed = g_str_equal (encoding, "gzip") || g_str_equal (encoding, "gz");
  if (!self->packed && !g_str_equal (encoding, "raw"))
    return refuse (error, VG_IO_ERROR_UNSUPPORTED, name, "is neither raw nor compressed with gzip",
                   "save it in one of these encodings, for example with 3D Slicer");
  if (skip < -1 || (skip != 0 && self->packed) ||
      (fields->line_skip != NULL && g_ascii_strtoll (fields->line_skip, NULL, 10) != 0))
    return refuse (error, VG_IO_ERROR_UNSUPPORTED, name,
                   "uses a line skip, or a byte skip with compression",
                   "save it again, for example in 3D Slicer");
  self->skip = skip;
  if (fields->file == NULL)
    return TRUE;
  if (g_str_has_prefix (fields->file, "LIST") || strchr (fields->file, '%') != NULL)
    return refuse (error, VG_IO_ERROR_UNSUPPORTED, name, "has its samples in several files",
                   "save it as one file, for example in 3D Slicer");
  if (*fields->file == '\0' || g_path_is_absolute (fields->file) ||
      strstr (fields->file, "..") != NULL || !g_utf8_validate (fields->file, -1, NULL))
    return refuse (error, VG_IO_ERROR_FORMAT, name, "names a file of samples outside its folder",
                   "put both files into one folder and correct \"data file\"");
  self->file = g_strdup (fields->file);
  return TRUE;
}

/* ---- axes ---- */

/* Whether the kind of axis AXIS is one over which volumes follow each other. */
static gboolean
is_of_frames (char **kinds, int axis)
{
  static const char *const names[] = { "time", "list", "vector", NULL };

  return kinds != NULL && (int) g_strv_length (kinds) > axis &&
         g_strv_contains (names, kinds[axis]);
}

static char **
split (const char *text)
{
  char **words = g_strsplit_set (text, " \t", 64);
  guint n = 0;

  for (guint i = 0; words[i] != NULL; i++)
    {
      char *word = words[i];

      words[i] = NULL;
      if (*word != '\0')
        words[n++] = word;
      else
        g_free (word);
    }
  return words;
}

/* Sets the extents; *FIRST receives the number of the axis x. */
static gboolean
set_extents (VgNrrdHeader *self, const Fields *fields, int *first, const char *name, GError **error)
{
  g_auto (GStrv) sizes = split (fields->sizes != NULL ? fields->sizes : ""),
                 kinds = fields->kinds != NULL ? split (fields->kinds) : NULL;
  int axes = fields->dimension != NULL ? (int) g_ascii_strtoll (fields->dimension, NULL, 10) : 0;
  gint64 extent[MOST_AXES + 1] = { 1, 1, 1, 1, 1 };
  guint64 bytes = self->sample_bytes;

  if (axes < 2 || axes > MOST_AXES || (int) g_strv_length (sizes) != axes)
    return refuse (error, VG_IO_ERROR_UNSUPPORTED, name, "does not have 2 to 4 axes",
                   "save one volume, or one series of volumes");
  for (int i = 0; i < axes; i++)
    {
      extent[i] = g_ascii_strtoll (sizes[i], NULL, 10);
      if (extent[i] < 1 || extent[i] > 65535 ||
          !g_uint64_checked_mul (&bytes, bytes, (guint64) extent[i]) || bytes > G_MAXINT64 / 2)
        return refuse (error, VG_IO_ERROR_FORMAT, name, "declares an impossible size",
                       "it is damaged, so copy it again");
    }
  for (int i = 0; i < axes; i++)
    if (kinds != NULL && (int) g_strv_length (kinds) > i &&
        (strstr (kinds[i], "color") != NULL || strstr (kinds[i], "matrix") != NULL))
      return refuse (error, VG_IO_ERROR_UNSUPPORTED, name, "contains colours or matrices",
                     "save it as a grey image");
  self->interleaved = is_of_frames (kinds, 0) && axes > 2;
  *first = self->interleaved;
  self->width = extent[*first];
  self->height = extent[*first + 1];
  self->slices = extent[*first + 2];
  self->frames = self->interleaved ? extent[0] : extent[3];
  if (!self->interleaved && axes == 3 && is_of_frames (kinds, 2))
    {
      self->frames = self->slices;
      self->slices = 1;
    }
  self->bytes = (gint64) bytes;
  return TRUE;
}

/* ---- place ---- */

/* Reads "(1,0,0)" at *CURSOR; FALSE: there is no such vector. */
static gboolean
read_vector (const char **cursor, double vector[3])
{
  const char *at = *cursor;

  while (*at == ' ')
    at++;
  if (*at++ != '(')
    return FALSE;
  for (int i = 0; i < 3; i++)
    {
      if (!vg_text_read_number (&at, &vector[i]) || fabs (vector[i]) > 1e6)
        return FALSE;
      while (*at == ' ')
        at++;
      if (*at++ != (i < 2 ? ',' : ')'))
        return FALSE;
    }
  *cursor = at;
  return TRUE;
}

/* The factors that turn a space's axes into right, anterior and superior; FALSE: another space. */
static gboolean
find_space (const char *space, double sign[3])
{
  static const struct
  {
    const char *names;
    double sign[3];
  } spaces[] = {
    { "|right-anterior-superior|RAS|", { 1, 1, 1 } },
    { "|left-anterior-superior|LAS|", { -1, 1, 1 } },
    { "|left-posterior-superior|LPS|", { -1, -1, 1 } },
  };
  g_autofree char *wanted = g_strdup_printf ("|%s|", space != NULL ? space : "");

  for (guint i = 0; i < G_N_ELEMENTS (spaces); i++)
    if (strstr (spaces[i].names, wanted) != NULL && strlen (wanted) > 2)
      {
        memcpy (sign, spaces[i].sign, sizeof spaces[i].sign);
        return TRUE;
      }
  return FALSE;
}

static void
set_place (VgNrrdHeader *self, const Fields *fields, int first)
{
  const char *directions = fields->directions, *origin = fields->origin;
  double sign[3], vector[3];

  if (directions == NULL || origin == NULL || !find_space (fields->space, sign))
    return;
  if (first == 1)
    {
      directions = strstr (directions, "none");
      directions = directions != NULL ? directions + 4 : "";
    }
  for (int axis = 0; axis < 3; axis++)
    {
      if (!read_vector (&directions, vector))
        return;
      for (int i = 0; i < 3; i++)
        self->matrix[i][axis] = sign[i] * vector[i];
      self->size[axis] = sqrt (vector[0] * vector[0] + vector[1] * vector[1] +
                               vector[2] * vector[2]);
    }
  if (!read_vector (&origin, vector))
    return;
  for (int i = 0; i < 3; i++)
    self->matrix[i][3] = sign[i] * vector[i];
  self->placed = self->in_mm = self->size[0] > 0 && self->size[1] > 0 && self->size[2] > 0;
}

/* The distances of samples where no directions are given. */
static void
set_spacings (VgNrrdHeader *self, const Fields *fields, int first)
{
  g_auto (GStrv) words = split (fields->spacings != NULL ? fields->spacings : ""),
                 units = split (fields->units != NULL ? fields->units : "");

  self->in_mm = (int) g_strv_length (units) >= first + 3;
  for (int axis = 0; axis < 3 && self->in_mm; axis++)
    self->in_mm = g_str_equal (units[axis + first], "\"mm\"");
  for (int axis = 0; axis < 3 && axis + first < (int) g_strv_length (words); axis++)
    {
      const char *word = words[axis + first];
      double size;

      if (vg_text_read_number (&word, &size) && fabs (size) > 1e-9 && fabs (size) < 1e9)
        self->size[axis] = fabs (size);
    }
}

/* Whether the labels of the frames are times, and not flip angles or echo times. */
static gboolean
has_time_labels (const Fields *fields)
{
  const char *unit = fields->label_unit != NULL ? fields->label_unit : "s";

  return fields->labels != NULL && g_strcmp0 (fields->label_tag, "EchoTime") != 0 &&
         (g_str_equal (unit, "s") || g_str_equal (unit, "ms"));
}

/* The times of the frames, "0,2.5,5" or "0 2.5 5"; none if they do not increase. */
static void
set_times (VgNrrdHeader *self, const Fields *fields)
{
  const gboolean labelled = has_time_labels (fields);
  const char *text = labelled ? fields->labels : fields->values;
  double scale = labelled && g_strcmp0 (fields->label_unit, "ms") == 0 ? 1e-3 : 1;
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  double value, last = -INFINITY;

  while (text != NULL && times->len < MOST_TIMES && vg_text_read_number (&text, &value))
    {
      value *= scale;
      if (!(value > last))
        return;
      g_array_append_val (times, value);
      last = value;
      text += *text == ',';
    }
  if (text != NULL && *text == '\0' && times->len == self->frames && self->frames > 1)
    self->times_s = g_steal_pointer (&times);
}

gboolean
vg_nrrd_header_parse (VgNrrdHeader *self, const char *text, const char *name, GError **error)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Fields fields = { NULL };
  int first;

  *self = (VgNrrdHeader){ .skip = 0 };
  find_fields (&fields, lines);
  if (!set_type (self, &fields, name, error) || !set_encoding (self, &fields, name, error) ||
      !set_extents (self, &fields, &first, name, error))
    return FALSE;
  set_place (self, &fields, first);
  if (!self->placed)
    set_spacings (self, &fields, first);
  set_times (self, &fields);
  return TRUE;
}
