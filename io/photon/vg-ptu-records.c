/* SPDX-License-Identifier: MIT */
/* Bits of a T3 record, from the highest:
 *   PicoHarp                      4 detector, 12 dtime, 16 pulses
 *   HydraHarp, TimeHarp, others   1 special, 6 detector, 15 dtime, 10 pulses
 * A special record is a marker or an overflow of the pulse counter. */
#include "io/photon/vg-ptu-records.h"
#include "io/source/vg-bytes.h"
#include "io/source/vg-source-private.h"

enum {
  PICOHARP = 0x00010303,
  HYDRAHARP_1 = 0x00010304,
  HYDRAHARP_2 = 0x01010304,
  TIMEHARP_N = 0x00010305,
  TIMEHARP_P = 0x00010306,
  GENERIC = 0x00010307,
  BLOCK_RECORDS = 16384,
};

gboolean
vg_ptu_records_known (guint record_type)
{
  return record_type == PICOHARP || record_type == HYDRAHARP_1 || record_type == HYDRAHARP_2 ||
         record_type == TIMEHARP_N || record_type == TIMEHARP_P || record_type == GENERIC;
}

guint
vg_ptu_records_bins (guint record_type)
{
  return record_type == PICOHARP ? 1u << 12 : 1u << 15;
}

void
vg_ptu_records_init (VgPtuRecords *self, int fd, const VgPtuHeader *header)
{
  *self = (VgPtuRecords){ .fd = fd, .header = header, .block = g_malloc (4 * BLOCK_RECORDS) };
}

void
vg_ptu_records_clear (VgPtuRecords *self)
{
  g_clear_pointer (&self->block, g_free);
}

void
vg_ptu_records_seek (VgPtuRecords *self, const VgPtuPlace *place)
{
  self->place = *place;
}

static gboolean
next_record (VgPtuRecords *self, guint32 *record)
{
  const VgPtuHeader *header = self->header;
  gint64 at = self->place.record;

  if (at >= header->records)
    return FALSE;
  if (at < self->held_from || at >= self->held_from + self->held)
    {
      gsize wanted = 4 * (gsize) MIN (header->records - at, BLOCK_RECORDS);
      gssize got = vg_pread_all (self->fd, self->block, wanted, header->data + 4 * at);

      self->held_from = at;
      self->held = MAX (got, 0) / 4;
      if (self->held == 0)
        return FALSE;
    }
  *record = vg_get_u32 (self->block + 4 * (at - self->held_from));
  self->place.record++;
  return TRUE;
}

/* FALSE: the record is an overflow of the pulse counter. */
static inline gboolean
decode_picoharp (VgPtuRecords *self, guint32 record, VgPtuEvent *event)
{
  guint detector = record >> 28, dtime = record >> 16 & 0xfff;

  *event = (VgPtuEvent){ .detector = detector,
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
decode_hydraharp (VgPtuRecords *self, guint32 record, VgPtuEvent *event)
{
  guint detector = record >> 25 & 63, pulses = record & 1023;

  *event = (VgPtuEvent){ .detector = detector,
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

gboolean
vg_ptu_records_next (VgPtuRecords *self, VgPtuEvent *event, VgPtuPlace *place)
{
  gboolean picoharp = self->header->record_type == PICOHARP;
  VgPtuPlace before;
  guint32 record;

  do
    {
      before = self->place;
      if (!next_record (self, &record))
        return FALSE;
    }
  while (
      !(picoharp ? decode_picoharp (self, record, event) : decode_hydraharp (self, record, event)));
  if (place)
    *place = before;
  return TRUE;
}

void
vg_ptu_scan_init (VgPtuScan *self, const VgPtuHeader *header)
{
  *self = (VgPtuScan){ .header = header, .line = -1 };
}

guint
vg_ptu_scan_marker (VgPtuScan *self, guint markers)
{
  const VgPtuHeader *header = self->header;
  gboolean begins = (markers & header->line_start) != 0, turns;
  guint bits = 0;

  if (self->open && (markers & header->line_stop))
    {
      self->open = FALSE;
      bits |= VG_PTU_LINE_END;
    }
  /* without a frame marker, a frame ends with its last line */
  turns = header->frame ? (markers & header->frame) != 0
                        : begins && self->line + 1 >= header->height;
  if (turns && self->line >= 0)
    {
      self->line = -1;
      self->open = FALSE;
      bits |= VG_PTU_FRAME_BEGIN;
    }
  if (begins)
    {
      self->line++;
      self->open = TRUE;
      bits |= VG_PTU_LINE_BEGIN;
    }
  return bits;
}
