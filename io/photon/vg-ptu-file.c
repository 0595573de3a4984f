/* SPDX-License-Identifier: MIT */
/* PicoQuant's unified tag format: eight bytes of magic, eight of version,
 * then tags of 48 bytes (name, index, type, value), some with a payload whose
 * length is their value, until Header_End. */
#include "io/photon/vg-photon-source.h"
#include "io/source/vg-bytes.h"
#include "kernels/base/vg-error.h"
#include <math.h>

enum {
  MAGIC = 16,
  TAG = 48,
  MAX_TAGS = 100000,
  MAX_SIDE = 65535,
  TYPE_DOUBLE = 0x20000008,
  TYPE_ANSI = 0x4001FFFF,
  TYPE_WIDE = 0x4002FFFF,
  TYPE_DOUBLES = 0x2001FFFF,
  SUBMODE_IMAGE = 3,
};
static const guint type_blob = 0xFFFFFFFF;

/* Values of tags that are combined after the last tag. */
typedef struct
{
  gint64 mode, submode, width, height, line_start, line_stop, frame, sine, announced;
} Tags;

static gboolean
ptu_detect (const guint8 *head, gsize length, gint64 size)
{
  return length >= 8 && memcmp (head, "PQTTTR\0\0", 8) == 0;
}

static double
positive (double value)
{
  return isfinite (value) && value > 0 ? value : 0;
}

/* The bit of a marker, which files number from 1. */
static guint
marker_bit (gint64 number)
{
  return number >= 1 && number <= 15 ? 1u << (number - 1) : 0;
}

static void
set_number (VgPhotonHeader *self, Tags *tags, const char *id, gint64 whole, double real)
{
  const struct
  {
    const char *id;
    gint64 *value;
  } wholes[] = {
    { "Measurement_Mode", &tags->mode },
    { "Measurement_SubMode", &tags->submode },
    { "ImgHdr_PixX", &tags->width },
    { "ImgHdr_PixY", &tags->height },
    { "ImgHdr_LineStart", &tags->line_start },
    { "ImgHdr_LineStop", &tags->line_stop },
    { "ImgHdr_Frame", &tags->frame },
    { "ImgHdr_SinCorrection", &tags->sine },
    { "TTResult_NumberOfRecords", &tags->announced },
  };
  const struct
  {
    const char *id;
    double *value, scale;
  } reals[] = {
    { "MeasDesc_Resolution", &self->bin_s, 1 },
    { "MeasDesc_GlobalResolution", &self->period_s, 1 },
    { "ImgHdr_PixResol", &self->pixel_um, 1 },
    { "ImgHdr_TimePerPixel", &self->pixel_time_s, 1e-3 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (wholes); i++)
    if (strcmp (id, wholes[i].id) == 0)
      *wholes[i].value = whole;
  for (guint i = 0; i < G_N_ELEMENTS (reals); i++)
    if (strcmp (id, reals[i].id) == 0)
      *reals[i].value = positive (real) * reals[i].scale;
  if (strcmp (id, "TTResultFormat_TTTRRecType") == 0)
    self->record_type = (guint) whole;
  if (strcmp (id, "ImgHdr_BiDirect") == 0)
    self->bidirectional = whole != 0;
}

/* Reads the name of the instrument from the payload of its tag. */
static void
set_text (VgPhotonHeader *self, int fd, const char *id, gint64 at, gint64 length)
{
  char text[sizeof self->instrument] = "";

  if (strcmp (id, "HW_Type") != 0 ||
      vg_pread_all (fd, text, (gsize) MIN (length, (gint64) sizeof text - 1), at) < 0)
    return;
  g_strlcpy (self->instrument, g_str_is_ascii (text) ? text : "", sizeof self->instrument);
  g_strdelimit (self->instrument, "\r\n\t\33", ' ');
}

static gboolean
fail (const char *name, const char *why, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\", a PicoQuant PTU file, %s. It is damaged or cut short; copy it again.", name,
               why);
  return FALSE;
}

static gboolean
read_tags (VgPhotonHeader *self, Tags *tags, int fd, const char *name, gint64 size, GError **error)
{
  gint64 at = MAGIC;

  for (int i = 0; i < MAX_TAGS; i++)
    {
      guint8 tag[TAG];
      char id[33];
      guint type;
      gint64 value;
      double real;

      if (vg_pread_all (fd, tag, TAG, at) != TAG)
        return fail (name, "ends inside its header", error);
      memcpy (id, tag, 32);
      id[32] = '\0';
      type = vg_get_u32 (tag + 36);
      value = (gint64) vg_get_u64 (tag + 40);
      at += TAG;
      if (strcmp (id, "Header_End") == 0)
        {
          self->data = at;
          return TRUE;
        }
      if (type == TYPE_ANSI || type == TYPE_WIDE || type == TYPE_DOUBLES || type == type_blob)
        {
          if (value < 0 || value > size - at)
            return fail (name, "has a tag that is longer than the file", error);
          set_text (self, fd, id, at, value);
          at += value;
          continue;
        }
      real = type == TYPE_DOUBLE ? vg_get_f64 (tag + 40) : (double) value;
      if (type == TYPE_DOUBLE)
        value = isfinite (real) && fabs (real) < 1e15 ? (gint64) real : 0;
      set_number (self, tags, id, value, real);
    }
  return fail (name, "has a header without an end", error);
}

static gboolean
check_mode (const VgPhotonHeader *self, const Tags *tags, const char *name, GError **error)
{
  if (tags->mode == 2 || (self->record_type >> 8 & 0xff) == 2)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" was recorded in T2 mode, so its photons have no time since the laser "
                 "pulse and there is no decay. Record in T3 mode with the laser as sync.",
                 name);
  else if (!vg_photon_records_known (self->record_type))
    g_set_error (
        error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
        "\"%s\" has records of type 0x%08x, which Vivograph cannot read. It reads T3 records of "
        "PicoHarp, HydraHarp, TimeHarp and MultiHarp. Export the file as a decay image.",
        name, self->record_type);
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_header (VgPhotonHeader *self, const VgSourceFile *file, GString *notes, GError **error)
{
  Tags tags = { .mode = 3 };
  gint64 announced;

  *self = (VgPhotonHeader){ .records = 0 };
  if (!read_tags (self, &tags, file->fd, file->name, file->size, error) ||
      !check_mode (self, &tags, file->name, error))
    return FALSE;
  self->tick_s = self->period_s;
  self->records = (file->size - self->data) / 4;
  announced = tags.announced;
  /* a recording that was broken off announces none, or more than there are: all that is there
   * counts */
  if (announced > self->records)
    self->announced = announced;
  else if (announced > 0)
    self->records = announced;
  self->line_start = marker_bit (tags.line_start);
  self->line_stop = marker_bit (tags.line_stop);
  self->frame = marker_bit (tags.frame);
  if (self->line_stop == self->line_start)
    self->line_stop = 0;
  self->sine = tags.sine > 0 && tags.sine <= 100 ? (double) tags.sine / 100 : 0;
  self->image = tags.submode == SUBMODE_IMAGE && tags.width >= 1 && tags.width <= MAX_SIDE &&
                tags.height >= 1 && tags.height <= MAX_SIDE && self->line_start != 0;
  self->width = self->image ? (int) tags.width : 1;
  self->height = self->image ? (int) tags.height : 1;
  g_string_append_printf (notes, "%s%sT3 records of type 0x%08x: %" G_GINT64_FORMAT ".\n",
                          self->instrument, *self->instrument ? ", " : "", self->record_type,
                          self->records);
  return TRUE;
}

static VgSource *
ptu_open (const VgSourceFile *file, GError **error)
{
  return vg_photon_source_open (file, "PicoQuant PTU", read_header, error);
}

const VgFormat vg_ptu_format = { .id = "ptu",
                                 .name = "PicoQuant PTU",
                                 .suffixes = { ".ptu" },
                                 .detect = ptu_detect,
                                 .open = ptu_open };
