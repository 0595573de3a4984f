/* SPDX-License-Identifier: MIT */
/* The photons of one detector become a decay per pixel.  The frames of the scan are summed or read
 * one by one.  Opening reads all records once, to find the detectors with photons and the start of
 * each frame. */
#include "io/photon/vg-photon-source.h"
#include "io/photon/vg-photon-image.h"
#include "kernels/base/vg-error.h"
#include <math.h>

typedef struct
{
  VgPhotonPlace place;
  guint64 time;
} Frame;

typedef struct
{
  VgSource parent;
  VgPhotonHeader header;
  VgPhotonRecords records;
  VgPhotonImage image;
  GArray *frames; /* Frame */
  /* photons outside and inside of lines; within the laser period and later */
  guint64 photons[VG_PHOTON_DETECTORS][2][2];
  guint largest_dtime;
  guint64 end;      /* time of the last photon or marker */
  gint64 per_image; /* frames that are summed */
} VgPhotonSource;

static gboolean
photon_read (VgSource *source, gint64 index, void *pages, GError **error)
{
  VgPhotonSource *self = (VgPhotonSource *) source;
  gint64 first = index * self->per_image,
         end = MIN (first + self->per_image, (gint64) self->frames->len);

  memset (pages, 0, vg_image_info_frame_bytes (&source->info));
  for (gint64 i = first; i < end; i++)
    vg_photon_image_add (&self->image, &self->records,
                         &g_array_index (self->frames, Frame, i).place, source->info.type, pages);
  return vg_photon_records_check (&self->records, source->name, error);
}

static void
photon_clear (VgSource *source)
{
  VgPhotonSource *self = (VgPhotonSource *) source;

  vg_photon_records_clear (&self->records);
  vg_photon_image_clear (&self->image);
  g_array_unref (self->frames);
}

static const VgSourceClass photon_class = { .read = photon_read, .clear = photon_clear };

/* Time bins of a decay; 0: the file does not give them. */
static gint64
known_bins (const VgPhotonHeader *header)
{
  double ratio = header->bin_s > 0 && header->period_s > 0
                     ? round (header->period_s / header->bin_s)
                     : 0;

  if (header->bins > 0)
    return header->bins;
  return ratio >= 1 && ratio <= vg_photon_records_bins (header->record_type) ? (gint64) ratio : 0;
}

/* Reads all records once; returns the number of lines of the first frame.  Of a stream that is
 * GROWING, a scan that begins late is ignored, because the image cannot change any more. */
static gint64
scan_records (VgPhotonSource *self, gboolean growing)
{
  Frame frame = { .time = 0 };
  gint64 first_lines = 0, bins = known_bins (&self->header);
  gboolean image = self->header.image;
  gboolean pending = FALSE; /* a frame has ended, and no line of the next has begun */
  VgPhotonScan scan;
  VgPhotonEvent event;
  VgPhotonPlace place;

  vg_photon_scan_init (&scan, &self->header);
  g_array_append_val (self->frames, frame);
  while (vg_photon_records_next (&self->records, &event, &place))
    {
      guint bits;

      self->end = event.time;
      image &= !growing || first_lines > 0 || scan.due ||
               !vg_photon_is_late (&self->header, event.time);
      if (!event.marker)
        {
          self->photons[event.detector][scan.open][bins > 0 && event.dtime >= bins]++;
          self->largest_dtime = MAX (self->largest_dtime, event.dtime);
          continue;
        }
      bits = image ? vg_photon_scan_marker (&scan, event.markers) : 0;
      if (bits & VG_SCAN_FRAME_BEGIN)
        {
          frame = (Frame){ place, event.time };
          pending = TRUE;
        }
      /* a frame counts from its first line, because frame markers may also stand at its end */
      if ((bits & VG_SCAN_LINE_BEGIN) && pending)
        {
          g_array_append_val (self->frames, frame);
          pending = FALSE;
        }
      if ((bits & VG_SCAN_LINE_BEGIN) && self->frames->len == 1)
        {
          first_lines = scan.line + 1;
          if (scan.line == 0)
            g_array_index (self->frames, Frame, 0).time = event.time;
        }
    }
  return first_lines;
}

static void
note_gaps (VgPhotonSource *self, GString *notes)
{
  if (self->records.gaps == 0)
    return;
  g_string_append_printf (notes, "Photons were lost %" G_GUINT64_FORMAT " times.\n",
                          self->records.gaps);
  if (self->parent.caution == NULL)
    self->parent.caution = g_strdup_printf (
        "\"%s\" says that the instrument lost photons %" G_GUINT64_FORMAT
        " times, because its buffer was full. Record with a lower count rate.",
        self->parent.name, self->records.gaps);
}

/* Corrects the size of the image by the lines and frames that were found.  FALSE and an error: it
 * is not known yet, or a read failed. */
static gboolean
set_scan (VgPhotonSource *self, const VgSourceFile *file, GString *notes, GError **error)
{
  gboolean growing = file->options->growing;
  gint64 lines = scan_records (self, growing);

  if (!vg_photon_records_check (&self->records, file->name, error))
    return FALSE;
  note_gaps (self, notes);
  if (self->header.image && lines == 0 && growing && !vg_photon_is_late (&self->header, self->end))
    return vg_photon_wait_for (file->name, "line marker", error);
  if (self->header.image && lines == 0)
    {
      self->header.image = FALSE;
      self->header.width = self->header.height = 1;
      g_array_set_size (self->frames, 1);
      g_string_append_printf (notes,
                              "There are no line markers%s, so all photons form one decay.\n",
                              growing ? " in the first 2 s" : "");
    }
  else if (!self->header.image)
    g_string_append (notes, "Not recorded as an image, so all photons form one decay.\n");
  else if (lines < self->header.height && self->frames->len > 1)
    {
      g_array_remove_index (self->frames, 0);
      g_string_append_printf (notes,
                              "The first frame has only its last %" G_GINT64_FORMAT
                              " lines, so it is ignored.\n",
                              lines);
    }
  if (self->header.image || !growing || file->read_options->sum_frames == 0)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
               "\"%s\" is one decay without scans; omit --sum-frames", file->name);
  return FALSE;
}

static guint64
count_photons (const VgPhotonSource *self, guint detector)
{
  const guint64 (*counts)[2] = self->photons[detector];

  return counts[0][0] + counts[0][1] + counts[1][0] + counts[1][1];
}

/* "channel 1: detector 1, 722402 photons, 34 of them left out: after the laser's period" */
static void
note_channel (const VgPhotonSource *self, guint channel, guint detector, GString *notes)
{
  const guint64 (*counts)[2] = self->photons[detector];
  guint64 outside = self->header.image ? counts[0][0] + counts[0][1] : 0;
  guint64 late = counts[1][1] + (self->header.image ? 0 : counts[0][1]);

  g_string_append_printf (notes, "Channel %u: detector %u, %" G_GUINT64_FORMAT " photons", channel,
                          detector, count_photons (self, detector));
  if (outside > 0)
    g_string_append_printf (notes, ", %" G_GUINT64_FORMAT " of them ignored (outside the lines)",
                            outside);
  if (late > 0)
    g_string_append_printf (
        notes, ", %" G_GUINT64_FORMAT " of them ignored (after the laser period)", late);
  g_string_append_c (notes, '\n');
}

/* The detectors with photons are the channels; sets *DETECTOR to the one that is read. */
static gboolean
set_detector (VgPhotonSource *self, const VgSourceFile *file, guint *detector, GString *notes,
              GError **error)
{
  guint seen[VG_PHOTON_DETECTORS], n = 0, brightest_channel = 0;

  for (guint i = 0; i < VG_PHOTON_DETECTORS; i++)
    if (count_photons (self, i) > 0)
      seen[n++] = i;
  if (n == 0)
    {
      seen[n++] = 0;
      g_string_append (notes, "The file has no photons.\n");
    }
  self->parent.info.readings = n > 1 ? VG_READ_OPTIONS_CHANNEL : 0;
  for (guint i = 1; i < n; i++)
    if (count_photons (self, seen[i]) > count_photons (self, seen[brightest_channel]))
      brightest_channel = i;
  if (!vg_source_set_channel (&self->parent, file, n, brightest_channel + 1, error))
    return FALSE;
  for (guint i = 0; i < n && count_photons (self, seen[i]) > 0; i++)
    note_channel (self, i + 1, seen[i], notes);
  *detector = seen[vg_source_channel (&self->parent)];
  return TRUE;
}

/* The number of time bins in a laser period; later photons do not belong to the decay. */
static gint64
count_bins (const VgPhotonSource *self, GString *notes)
{
  const VgPhotonHeader *header = &self->header;

  if (header->bin_s == 0)
    g_string_append (notes, "Bin width: not in the file.\n");
  if (header->period_s == 0)
    g_string_append (notes, "Laser period: not in the file.\n");
  if (known_bins (header) > 0)
    return known_bins (header);
  g_string_append_printf (notes, "The decay ends at the latest photon.\n");
  return (gint64) self->largest_dtime + 1;
}

static void
set_frames (VgPhotonSource *self, const VgReadOptions *read_options, GString *notes)
{
  VgImageInfo *info = &self->parent.info;
  gint64 n = self->frames->len;
  const Frame *first = &g_array_index (self->frames, Frame, 0),
              *last = &g_array_index (self->frames, Frame, n - 1);

  self->per_image = read_options->sum_frames > 0 ? MIN (read_options->sum_frames, n) : n;
  info->frames = (n + self->per_image - 1) / self->per_image;
  if (n == 1)
    return;
  info->readings |= VG_READ_OPTIONS_SUM_FRAMES;
  if (last->time > first->time)
    info->frame_interval_s = (double) (last->time - first->time) / (double) (n - 1) *
                             self->header.tick_s * (double) self->per_image;
  g_string_append_printf (
      notes, "%" G_GINT64_FORMAT " scans; %" G_GINT64_FORMAT " are summed to one image%s.\n", n,
      self->per_image, n % self->per_image ? ", fewer in the last image" : "");
}

static void
note_header (VgPhotonSource *self, GString *notes)
{
  const VgPhotonHeader *header = &self->header;

  if (header->announced > 0)
    {
      g_string_append_printf (notes,
                              "The file is cut short; it declares %" G_GINT64_FORMAT " records.\n",
                              header->announced);
      self->parent.cut = TRUE;
      self->parent.caution = g_strdup_printf (
          "\"%s\" is cut short: it declares %" G_GINT64_FORMAT " records and has %" G_GINT64_FORMAT
          ", so photons are missing. Copy it again, unless the recording was interrupted.",
          self->parent.name, header->announced, header->records);
    }
  if (header->bidirectional)
    g_string_append (notes, "Bidirectional scan: every other line is reversed.\n");
  if (header->sine > 0)
    g_string_append_printf (notes,
                            "Sinusoidal scan over %g %% of the amplitude: pixels are corrected.\n",
                            100 * header->sine);
}

static void
set_info (VgPhotonSource *self)
{
  VgImageInfo *info = &self->parent.info;
  const VgPhotonHeader *header = &self->header;

  /* the counts of a pixel fit into 16 bits, those of a file without an image do not */
  info->type = header->image ? VG_U16 : VG_U32;
  info->significant_bits = 8 * (int) vg_type_size (info->type);
  info->width = header->width;
  info->height = header->height;
  info->bin_width_ns = 1e9 * header->bin_s;
  info->period_ns = 1e9 * header->period_s;
  if (header->pixel_um > 0 && header->image)
    {
      info->pixel_size[0] = info->pixel_size[1] = header->pixel_um;
      g_strlcpy (info->pixel_unit, "µm", sizeof info->pixel_unit);
    }
}

VgSource *
vg_photon_source_open (const VgSourceFile *file, const char *format, VgPhotonReadHeader read_header,
                       GError **error)
{
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgPhotonSource), &photon_class, file->name, format, file->fd);
  VgPhotonSource *self = (VgPhotonSource *) source;
  g_autoptr (GString) notes = g_string_new (NULL);
  guint detector;

  self->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  if (!read_header (&self->header, file, notes, error))
    return NULL;
  vg_photon_records_init (&self->records, file->fd, &self->header);
  note_header (self, notes);
  if (!set_scan (self, file, notes, error) || !set_detector (self, file, &detector, notes, error))
    return NULL;
  set_info (self);
  source->info.bins = count_bins (self, notes);
  set_frames (self, file->read_options, notes);
  if (!vg_source_frame_bytes (&source->info, file->name, error))
    return NULL;
  vg_photon_image_init (&self->image, &self->header, detector, source->info.bins);
  source->details = g_strndup (notes->str, notes->len - 1);
  return g_steal_pointer (&source);
}
