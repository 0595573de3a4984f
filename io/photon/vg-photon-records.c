/* SPDX-License-Identifier: MIT */
/* Bits of a record, from the highest:
 *   PicoHarp (T3)                     4 detector, 12 dtime, 16 pulses
 *   HydraHarp, TimeHarp, others (T3)  1 special, 6 detector, 15 dtime, 10 pulses
 *   Becker & Hickl                    1 invalid, 1 overflow, 1 gap, 1 marker, 12 converter,
 *                                     4 detector or markers, 12 ticks
 * A special record is a marker or an overflow of the counter. */
#include "io/photon/vg-photon-records.h"
#include "io/source/vg-bytes.h"
#include "io/source/vg-source-private.h"
#include "kernels/base/vg-error.h"
#include <errno.h>

enum {
  PICOHARP = 0x00010303,
  HYDRAHARP_1 = 0x00010304,
  HYDRAHARP_2 = 0x01010304,
  TIMEHARP_N = 0x00010305,
  TIMEHARP_P = 0x00010306,
  GENERIC = 0x00010307,
  BLOCK_RECORDS = 8192,
};

gboolean
vg_photon_records_known (guint record_type)
{
  return record_type == PICOHARP || record_type == HYDRAHARP_1 || record_type == HYDRAHARP_2 ||
         record_type == TIMEHARP_N || record_type == TIMEHARP_P || record_type == GENERIC;
}

guint
vg_photon_records_bins (guint record_type)
{
  return record_type == PICOHARP || record_type == VG_PHOTON_SPC ? 1u << 12 : 1u << 15;
}

void
vg_photon_records_init (VgPhotonRecords *self, int fd, const VgPhotonHeader *header)
{
  *self = (VgPhotonRecords){ .fd = fd, .header = header, .block = g_malloc (4 * BLOCK_RECORDS) };
}

void
vg_photon_records_clear (VgPhotonRecords *self)
{
  g_clear_pointer (&self->block, g_free);
}

void
vg_photon_records_seek (VgPhotonRecords *self, const VgPhotonPlace *place)
{
  self->place = *place;
  self->gaps = 0;
}

static gboolean
next_record (VgPhotonRecords *self, guint32 *record)
{
  const VgPhotonHeader *header = self->header;
  gint64 at = self->place.record;

  if (self->failed || at >= header->records)
    return FALSE;
  if (at < self->held_from || at >= self->held_from + self->held)
    {
      gsize wanted = 4 * (gsize) MIN (header->records - at, BLOCK_RECORDS);
      gssize got = vg_pread_all (self->fd, self->block, wanted, header->data + 4 * at);

      self->failed = got < (gssize) wanted;
      self->code = got < 0 ? errno : 0;
      self->held_from = at;
      self->held = self->failed ? 0 : (gint64) wanted / 4;
      if (self->failed)
        return FALSE;
    }
  *record = vg_get_u32 (self->block + 4 * (at - self->held_from));
  self->place.record++;
  return TRUE;
}

/* FALSE: the record is an overflow of the pulse counter. */
static inline gboolean
decode_picoharp (VgPhotonRecords *self, guint32 record, VgPhotonEvent *event)
{
  guint detector = record >> 28, dtime = record >> 16 & 0xfff;

  *event = (VgPhotonEvent){ .detector = detector,
                            .dtime = dtime,
                            .time = self->place.overflow + (record & 0xffff) };
  if (detector != 15)
    return TRUE;
  if (dtime == 0)
    {
      self->place.overflow += 65536;
      return FALSE;
    }
  event->marker = TRUE;
  event->markers = dtime & 15;
  return event->markers != 0;
}

static inline gboolean
decode_hydraharp (VgPhotonRecords *self, guint32 record, VgPhotonEvent *event)
{
  guint detector = record >> 25 & 63, pulses = record & 1023;

  *event = (VgPhotonEvent){ .detector = detector,
                            .dtime = record >> 10 & 0x7fff,
                            .time = self->place.overflow + pulses };
  if (record >> 31 == 0)
    return TRUE;
  if (detector == 63)
    {
      guint turns = self->header->record_type == HYDRAHARP_1 || pulses == 0 ? 1 : pulses;

      self->place.overflow += G_GUINT64_CONSTANT (1024) * turns;
      return FALSE;
    }
  event->marker = TRUE;
  event->markers = detector & 15;
  return detector >= 1 && detector <= 15;
}

/* An invalid record that is not a marker is a photon outside the range of the converter.  With the
 * overflow bit, its low bits count overflows instead.  The converter measures the time until the
 * next laser pulse (The bh TCSPC Handbook, chapter "Data file structure", FIFO files of SPC-130 to
 * SPC-180). */
static inline gboolean
decode_spc (VgPhotonRecords *self, guint32 record, VgPhotonEvent *event)
{
  gboolean invalid = record >> 31 & 1, overflow = record >> 30 & 1, marker = record >> 28 & 1;

  self->gaps += record >> 29 & 1;
  if (overflow)
    self->place.overflow += G_GUINT64_CONSTANT (4096) *
                            (invalid && !marker ? record & 0xfffffff : 1);
  *event = (VgPhotonEvent){ .marker = marker, .time = self->place.overflow + (record & 0xfff) };
  if (marker)
    event->markers = record >> 12 & 15;
  else
    {
      event->detector = record >> 12 & 15;
      event->dtime = (4095 - (record >> 16 & 0xfff)) >> self->header->dropped_bits;
    }
  return marker ? event->markers != 0 : !invalid;
}

/* FALSE: the record only advances the time. */
static inline gboolean
decode (VgPhotonRecords *self, guint32 record, VgPhotonEvent *event)
{
  switch (self->header->record_type)
    {
    case PICOHARP:
      return decode_picoharp (self, record, event);
    case VG_PHOTON_SPC:
      return decode_spc (self, record, event);
    default:
      return decode_hydraharp (self, record, event);
    }
}

gboolean
vg_photon_records_next (VgPhotonRecords *self, VgPhotonEvent *event, VgPhotonPlace *place)
{
  VgPhotonPlace before;
  guint32 record;

  do
    {
      before = self->place;
      if (!next_record (self, &record))
        return FALSE;
    }
  while (!decode (self, record, event));
  if (place)
    *place = before;
  return TRUE;
}

/* A failing disk may lose one frame; a file that became shorter has lost all later frames. */
void
vg_photon_refuse_read (const char *name, int code, GError **error)
{
  g_set_error (error, VG_IO_ERROR, code == EIO ? VG_IO_ERROR_FRAME : VG_IO_ERROR_FORMAT,
               "cannot read \"%s\": %s", name,
               code != 0 ? g_strerror (code) : "the file has become shorter since it was opened");
}

gboolean
vg_photon_records_check (VgPhotonRecords *self, const char *name, GError **error)
{
  if (!self->failed)
    return TRUE;
  self->failed = FALSE;
  vg_photon_refuse_read (name, self->code, error);
  return FALSE;
}

gboolean
vg_photon_is_late (const VgPhotonHeader *header, guint64 time)
{
  return header->tick_s * (double) time >= VG_PHOTON_LATEST_LINE_S;
}

gboolean
vg_photon_wait_for (const char *name, const char *marker, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER,
               "\"%s\" has no %s yet; if the recording has ended, open it without \"watch:\"", name,
               marker);
  return FALSE;
}

void
vg_photon_scan_init (VgPhotonScan *self, const VgPhotonHeader *header)
{
  *self = (VgPhotonScan){ .header = header, .line = -1 };
}

guint
vg_photon_scan_marker (VgPhotonScan *self, guint markers)
{
  const VgPhotonHeader *header = self->header;
  gboolean begins = (markers & header->line_start) != 0, turns;
  guint bits = 0;

  /* if pixels have markers, a line begins with its first pixel */
  if (header->pixel)
    {
      self->due |= begins;
      begins = self->due && (markers & header->pixel);
      self->due &= !begins;
    }
  if (self->open && (markers & header->line_stop))
    {
      self->open = FALSE;
      bits |= VG_SCAN_LINE_END;
    }
  /* without a frame marker, a frame ends with its last line */
  turns = header->frame ? (markers & header->frame) != 0
                        : begins && self->line + 1 >= header->height;
  if (turns && self->line >= 0)
    {
      self->line = -1;
      self->open = FALSE;
      bits |= VG_SCAN_FRAME_BEGIN;
    }
  if (begins)
    {
      self->line++;
      self->open = TRUE;
      bits |= VG_SCAN_LINE_BEGIN;
    }
  return bits;
}
