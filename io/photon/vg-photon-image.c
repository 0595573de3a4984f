/* SPDX-License-Identifier: MIT */
/* The pixel of a photon is known only when its line has ended, so the records of a frame are read
 * twice: first for the lines, then for the photons.  Memory holds two numbers per line, whatever
 * the file contains. */
#include "io/photon/vg-photon-image.h"
#include <math.h>

void
vg_photon_image_init (VgPhotonImage *self, const VgPhotonHeader *header, guint detector,
                      gint64 bins)
{
  gsize lines = (gsize) header->height;

  *self = (VgPhotonImage){ .header = header,
                           .detector = detector,
                           .bins = bins,
                           .start = g_new0 (guint64, lines),
                           .stop = g_new0 (guint64, lines) };
}

void
vg_photon_image_clear (VgPhotonImage *self)
{
  g_clear_pointer (&self->start, g_free);
  g_clear_pointer (&self->stop, g_free);
}

/* Sets the ends of lines without an end marker: as long as a complete line, else as long as the
 * header gives, but not beyond the start of the next line. */
static void
complete_lines (VgPhotonImage *self, gint64 lines, guint64 typical, guint64 end)
{
  const VgPhotonHeader *header = self->header;
  double said = header->tick_s > 0 ? header->pixel_time_s * header->width / header->tick_s : 0;

  if (typical == 0 && said >= 1 && said < 1e15)
    typical = (guint64) (said + 0.5);
  for (gint64 i = 0; i < lines; i++)
    if (self->stop[i] == 0)
      {
        guint64 next = i + 1 < lines ? self->start[i + 1] : end + 1;

        next = MAX (next, self->start[i]);
        self->stop[i] = typical > 0
                            ? MIN (self->start[i] + typical, i + 1 < lines ? next : G_MAXUINT64)
                            : next;
      }
}

static void
find_lines (VgPhotonImage *self, VgPhotonRecords *records, const VgPhotonPlace *place)
{
  gint64 height = self->header->height, lines = 0;
  guint64 typical = 0, end = 0;
  VgPhotonScan scan;
  VgPhotonEvent event;

  memset (self->start, 0, (gsize) height * sizeof *self->start);
  memset (self->stop, 0, (gsize) height * sizeof *self->stop);
  vg_photon_scan_init (&scan, self->header);
  vg_photon_records_seek (records, place);
  while (vg_photon_records_next (records, &event, NULL))
    {
      gint64 line = scan.line;
      guint bits = event.marker ? vg_photon_scan_marker (&scan, event.markers) : 0;

      end = event.time;
      if ((bits & VG_SCAN_LINE_END) && line < height)
        {
          self->stop[line] = MAX (event.time, self->start[line] + 1);
          typical = self->stop[line] - self->start[line];
        }
      if (bits & VG_SCAN_FRAME_BEGIN)
        break;
      if ((bits & VG_SCAN_LINE_BEGIN) && scan.line < height)
        {
          self->start[scan.line] = event.time;
          lines = scan.line + 1;
        }
    }
  complete_lines (self, lines, typical, end);
}

/* The pixel of a photon at the fraction U (0 to 1) of its line. */
static gint64
pixel_at (const VgPhotonHeader *header, guint64 since, guint64 length)
{
  double u, x;

  if (header->sine == 0)
    return since <= G_MAXUINT64 / (guint64) header->width
               ? (gint64) (since * (guint64) header->width / length)
               : -1;
  u = ((double) since + 0.5) / (double) length;
  x = sin (asin (header->sine) * (2 * u - 1)) / header->sine;
  return (gint64) floor (0.5 * (x + 1) * header->width);
}

static void
count (VgType type, void *pages, gsize at)
{
  if (type == VG_U32)
    ((guint32 *) pages)[at] += ((guint32 *) pages)[at] < G_MAXUINT32;
  else
    ((guint16 *) pages)[at] += ((guint16 *) pages)[at] < G_MAXUINT16;
}

static void
place_photon (const VgPhotonImage *self, const VgPhotonEvent *event, gint64 line, VgType type,
              void *pages)
{
  const VgPhotonHeader *header = self->header;
  gint64 width = header->width, x;

  if (event->detector != self->detector || event->dtime >= self->bins || line >= header->height ||
      event->time < self->start[line] || event->time >= self->stop[line])
    return;
  x = pixel_at (header, event->time - self->start[line], self->stop[line] - self->start[line]);
  if (x < 0 || x >= width)
    return;
  if (header->bidirectional && (line & 1))
    x = width - 1 - x;
  count (type, pages, (gsize) ((event->dtime * (gint64) header->height + line) * width + x));
}

/* Adds all photons of a file without an image. */
static void
add_decay (const VgPhotonImage *self, VgPhotonRecords *records, const VgPhotonPlace *place,
           VgType type, void *pages)
{
  VgPhotonEvent event;

  vg_photon_records_seek (records, place);
  while (vg_photon_records_next (records, &event, NULL))
    if (!event.marker && event.detector == self->detector && event.dtime < self->bins)
      count (type, pages, event.dtime);
}

void
vg_photon_image_add (VgPhotonImage *self, VgPhotonRecords *records, const VgPhotonPlace *place,
                     VgType type, void *pages)
{
  VgPhotonScan scan;
  VgPhotonEvent event;

  if (!self->header->image)
    {
      add_decay (self, records, place, type, pages);
      return;
    }
  find_lines (self, records, place);
  vg_photon_scan_init (&scan, self->header);
  vg_photon_records_seek (records, place);
  while (vg_photon_records_next (records, &event, NULL))
    if (event.marker)
      {
        if (vg_photon_scan_marker (&scan, event.markers) & VG_SCAN_FRAME_BEGIN)
          return;
      }
    else if (scan.open)
      place_photon (self, &event, scan.line, type, pages);
}
