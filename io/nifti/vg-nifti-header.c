/* SPDX-License-Identifier: MIT */
/* After nifti1.h and nifti2.h of the NIfTI data format working group. */
#include "io/nifti/vg-nifti-header.h"
#include "io/source/vg-inflate.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

typedef struct
{
  const guint8 *bytes;
  gboolean big; /* most significant byte first */
  gboolean two; /* NIfTI-2 */
} Fields;

/* A signed integer of SIZE bytes. */
static gint64
get_integer (const Fields *fields, gsize at, gsize size)
{
  guint64 value = 0;

  for (gsize i = 0; i < size; i++)
    value = value << 8 | fields->bytes[at + (fields->big ? i : size - 1 - i)];
  return (gint64) (value << (64 - 8 * size)) >> (64 - 8 * size);
}

/* A float of NIfTI-1, a double of NIfTI-2. */
static double
get_real (const Fields *fields, gsize at)
{
  guint64 bits = (guint64) get_integer (fields, at, fields->two ? 8 : 4);
  guint32 half = (guint32) bits;
  double wide;
  float narrow;

  memcpy (&wide, &bits, sizeof wide);
  memcpy (&narrow, &half, sizeof narrow);
  return fields->two ? wide : (double) narrow;
}

gsize
vg_nifti_header_size (const guint8 bytes[4])
{
  for (int big = 0; big < 2; big++)
    {
      gint64 size = get_integer (&(Fields){ bytes, big, FALSE }, 0, 4);

      if (size == VG_NIFTI_1_BYTES || size == VG_NIFTI_2_BYTES)
        return (gsize) size;
    }
  return 0;
}

gboolean
vg_nifti_detect (const guint8 *head, gsize length, gint64 size)
{
  gsize header = length >= 8 ? vg_nifti_header_size (head) : 0;

  if (header == VG_NIFTI_2_BYTES)
    return memcmp (head + 4, "n+2", 3) == 0 || memcmp (head + 4, "ni2", 3) == 0;
  /* "ni1" and Analyze's 'r' for a regular volume: told apart when it is opened */
  return vg_is_gzip (head, length) || (header == VG_NIFTI_1_BYTES && length >= VG_NIFTI_1_BYTES &&
                                       (head[344] == 'n' || head[38] == 'r'));
}

static gboolean
refuse (GError **error, VgIoError code, const char *name, const char *why)
{
  g_set_error (error, VG_IO_ERROR, code, "%s %s", name, why);
  return FALSE;
}

/* NIfTI-1 has "n+1" or, as a pair, "ni1" at its end; NIfTI-2 likewise, and line
 * ends that a transfer as text would change; Analyze has 'r' for a regular volume. */
static gboolean
check_magic (VgNiftiHeader *self, const Fields *fields, const char *name, GError **error)
{
  const guint8 *magic = fields->bytes + (fields->two ? 4 : 344);
  gboolean named = magic[0] == 'n' && (magic[1] == '+' || magic[1] == 'i') &&
                   magic[2] == (fields->two ? '2' : '1');

  self->pair = !named || magic[1] == 'i';
  if (named && memcmp (magic + 3, "\0\r\n\032\n", fields->two ? 5 : 1) == 0)
    return TRUE;
  if (named && fields->two)
    return refuse (error, VG_IO_ERROR_FORMAT, name,
                   "was changed when it was copied as text; copy it again as binary");
  self->version = 0;
  self->pair = TRUE;
  if (!fields->two && fields->bytes[38] == 'r')
    return TRUE;
  return refuse (error, VG_IO_ERROR_FORMAT, name,
                 "begins like NIfTI or Analyze, but is neither; it is damaged, so copy it again");
}

static gboolean
set_type (VgNiftiHeader *self, const Fields *fields, const char *name, GError **error)
{
  static const struct
  {
    VgNiftiType type;
    gsize bytes;
    const char *name;
  } types[] = {
    { VG_NIFTI_U8, 1, "uint8" },    { VG_NIFTI_I16, 2, "int16" },   { VG_NIFTI_I32, 4, "int32" },
    { VG_NIFTI_F32, 4, "float32" }, { VG_NIFTI_F64, 8, "float64" }, { VG_NIFTI_RGB, 3, "RGB" },
    { VG_NIFTI_I8, 1, "int8" },     { VG_NIFTI_U16, 2, "uint16" },  { VG_NIFTI_U32, 4, "uint32" },
    { VG_NIFTI_I64, 8, "int64" },   { VG_NIFTI_U64, 8, "uint64" },  { VG_NIFTI_RGBA, 4, "RGBA" },
  };
  int type = (int) get_integer (fields, fields->two ? 12 : 70, 2);
  g_autofree char *why = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if ((int) types[i].type == type)
      {
        self->type = types[i].type;
        self->sample_bytes = types[i].bytes;
        self->type_name = types[i].name;
        return TRUE;
      }
  if (type == 32 || type == 1792 || type == 2048)
    why = g_strdup ("contains complex numbers; save their magnitude and open that file");
  else
    why = g_strdup_printf ("has samples of type %d, which cannot be read; save it as 32-bit float",
                           type);
  return refuse (error, VG_IO_ERROR_UNSUPPORTED, name, why);
}

/* x, y, z, t and what is beyond; an axis of 0 is one that is not there. */
static gboolean
set_extent (VgNiftiHeader *self, const Fields *fields, const char *name, GError **error)
{
  gsize at = fields->two ? 16 : 40, size = fields->two ? 8 : 2;
  gint64 axes = get_integer (fields, at, size), extent[8] = { 0, 1, 1, 1, 1, 1, 1, 1 };
  guint64 volume = self->sample_bytes, all;
  gboolean good = axes >= 1 && axes <= 7;

  for (gint64 i = 1; good && i <= axes; i++)
    {
      extent[i] = get_integer (fields, at + (gsize) i * size, size);
      good = extent[i] >= (i == 1) && extent[i] <= G_MAXINT32;
      extent[i] = MAX (extent[i], 1);
    }
  for (int i = 1; good && i <= 3; i++)
    good = g_uint64_checked_mul (&volume, volume, (guint64) extent[i]);
  all = volume;
  for (int i = 4; good && i <= 7; i++)
    good = g_uint64_checked_mul (&all, all, (guint64) extent[i]) && all <= G_MAXINT64 / 2;
  if (!good)
    return refuse (error, VG_IO_ERROR_FORMAT, name,
                   "declares an impossible size; it is damaged, so copy it again");
  self->width = extent[1];
  self->height = extent[2];
  self->slices = extent[3];
  self->frames = extent[4];
  self->channels = extent[5] * extent[6] * extent[7];
  self->volume_bytes = (gint64) volume;
  self->bytes = (gint64) all;
  return TRUE;
}

static gboolean
set_offset (VgNiftiHeader *self, const Fields *fields, const char *name, GError **error)
{
  double offset = fields->two ? (double) get_integer (fields, 168, 8) : get_real (fields, 108);
  gint64 least = self->pair ? 0 : fields->two ? VG_NIFTI_2_BYTES + 4 : VG_NIFTI_1_BYTES + 4;

  self->first = least;
  if (offset == 0) /* some programs leave it so */
    return TRUE;
  if (!(offset >= (double) least && offset <= 1e15 && offset == floor (offset)))
    return refuse (error, VG_IO_ERROR_FORMAT, name,
                   "declares an impossible start of its samples; it is damaged, so copy it again");
  self->first = (gint64) offset;
  return TRUE;
}

static void
set_scale (VgNiftiHeader *self, const Fields *fields)
{
  if (self->version == 0)
    {
      double scale = get_real (fields, 112);

      self->slope = 1;
      self->unused_scale = isfinite (scale) && fabs (scale) > 1e-30 && scale != 1 ? scale : 0;
      return;
    }
  self->slope = get_real (fields, fields->two ? 176 : 112);
  self->intercept = get_real (fields, fields->two ? 184 : 116);
  /* a slope of 0 means that there is none */
  if (!isfinite (self->slope) || self->slope == 0)
    {
      self->slope = 1;
      self->intercept = 0;
    }
  if (!isfinite (self->intercept))
    self->intercept = 0;
}

/* The shortest decimal number that a float stands for: 2.37, not 2.3699998856. */
static double
shortest (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 6; digits < 9; digits++)
    {
      char format[8];
      double decimal;

      g_snprintf (format, sizeof format, "%%.%dg", digits);
      decimal = g_ascii_strtod (g_ascii_formatd (text, sizeof text, format, value), NULL);
      if ((float) decimal == (float) value)
        return decimal;
    }
  return value;
}

static void
set_units (VgNiftiHeader *self, const Fields *fields)
{
  gint64 units = fields->two          ? get_integer (fields, 500, 4)
                 : self->version == 0 ? 0
                                      : fields->bytes[123];
  double interval = get_real (fields, fields->two ? 104 + 4 * 8 : 76 + 4 * 4), scale = 0;

  switch (units & 0x38)
    {
    case 0:
    case 8:
      scale = 1;
      break;
    case 16:
      scale = 1e-3;
      break;
    case 24:
      scale = 1e-6;
      break;
    default:
      break; /* a frequency: no time */
    }
  if (!fields->two && isfinite (interval))
    interval = shortest (interval);
  self->interval_unit = (units & 0x38) != 0;
  self->interval_s = isfinite (interval) && self->frames > 1 ? interval * scale : 0;
  self->placement.unit = (units & 7) <= 3 ? (int) (units & 7) : 0;
}

static double
get_finite (const Fields *fields, gsize at)
{
  double value = get_real (fields, at);

  return isfinite (value) ? value : 0;
}

/* Analyze knows the voxel's size, and nothing of the body. */
static void
set_placement (VgPlacement *self, const Fields *fields, gboolean analyze)
{
  gsize real = fields->two ? 8 : 4, pixdim = fields->two ? 104 : 76,
        quatern = fields->two ? 352 : 256, srow = fields->two ? 400 : 280;

  self->known = TRUE;
  for (gsize i = 0; i < 4; i++)
    self->pixdim[i] = get_finite (fields, pixdim + i * real);
  if (analyze)
    return;
  self->qform_code = (int) get_integer (fields, fields->two ? 344 : 252, fields->two ? 4 : 2);
  self->sform_code = (int) get_integer (fields, fields->two ? 348 : 254, fields->two ? 4 : 2);
  for (gsize i = 0; i < 3; i++)
    {
      self->quatern[i] = get_finite (fields, quatern + i * real);
      self->offset[i] = get_finite (fields, quatern + (3 + i) * real);
      for (gsize k = 0; k < 4; k++)
        self->srow[i][k] = get_finite (fields, srow + (4 * i + k) * real);
    }
}

gboolean
vg_nifti_header_parse (VgNiftiHeader *self, const guint8 *bytes, const char *name, GError **error)
{
  gsize size = vg_nifti_header_size (bytes);
  Fields fields = { bytes, FALSE, size == VG_NIFTI_2_BYTES };

  *self = (VgNiftiHeader){ .version = fields.two ? 2 : 1 };
  fields.big = get_integer (&fields, 0, 4) != (gint64) size;
  self->swap = fields.big != (G_BYTE_ORDER == G_BIG_ENDIAN);
  if (!check_magic (self, &fields, name, error) || !set_type (self, &fields, name, error) ||
      !set_extent (self, &fields, name, error) || !set_offset (self, &fields, name, error))
    return FALSE;
  set_scale (self, &fields);
  set_units (self, &fields);
  set_placement (&self->placement, &fields, self->version == 0);
  return TRUE;
}
