/* SPDX-License-Identifier: MIT */
/* Becker & Hickl's photon streams (FIFO files of SPC-130, 140, 150, 160, 180 and 830): records of
 * four bytes, the first of which gives the unit of time.  The file contains neither the bin width,
 * which comes from the .set file beside it, nor the size of an image, which the markers give. */
#include "io/photon/vg-photon-source.h"
#include "io/source/vg-bytes.h"
#include "kernels/base/vg-error.h"
#include <errno.h>
#include <math.h>
#include <string.h>

enum {
  RECORD = 4,
  CONVERTER_BINS = 4096,
  IMAGE_DROPPED_BITS = 4, /* 256 time bins, as SPCM makes them */
  LEAST_RECORDS = 16,     /* after the first, to recognise a file */
  MAX_SIDE = 65535,
  MAX_SET_BYTES = 1 << 20,
  LATEST_FRAME_S = 60, /* without a complete frame for so long, a stream that grows is refused */
  PIXEL = 1,           /* the markers, as SPCM sets them */
  LINE = 2,
  FRAME = 4,
};

/* The unit of time from the first record, s; 0: the record gives none. */
static double
tick_of (guint32 first)
{
  guint tenths_ns = first & 0xffffff;

  return first >> 31 && tenths_ns >= 10 && tenths_ns <= 100000 ? 1e-10 * tenths_ns : 0;
}

/* There is no magic number.  The first record must have its bit set and a plausible unit of time,
 * and the time of the others must not decrease unless its counter overflows. */
static gboolean
spc_detect (const guint8 *head, gsize length, gint64 size)
{
  guint last = 0;

  if (length < RECORD * (1 + LEAST_RECORDS) || tick_of (vg_get_u32 (head)) == 0)
    return FALSE;
  for (gsize at = RECORD; at + RECORD <= length; at += RECORD)
    {
      guint32 record = vg_get_u32 (head + at);
      gboolean overflow = record >> 30 & 1;
      gboolean counts = overflow && record >> 31 && !(record >> 28 & 1);

      if (!overflow && (record & 0xfff) < last)
        return FALSE;
      last = counts ? 0 : record & 0xfff;
    }
  return TRUE;
}

static gboolean
refuse_memory (const char *name, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
               "there is not enough memory to read \"%s\"; close other programs", name);
  return FALSE;
}

/* ---- the size of the image ---- */

typedef struct
{
  /* number of lines of each width, of complete frames of each height */
  guint32 widths[MAX_SIDE + 1], heights[MAX_SIDE + 1];
  gint64 pixels, lines; /* in the current line and frame */
  gint64 first_lines;   /* before the first frame marker */
  guint64 last_pixel, all_lines, frames, complete_frames, gaps_n;
  guint64 first_frame; /* time of its marker; 0: there is none */
  guint64 end;         /* time of the last photon or marker */
  double gaps_sum;     /* of the gaps_n intervals between the pixels of a line, ticks */
} Markers;

static int
most_common (const guint32 *counts)
{
  int best = 0;

  for (int i = 1; i <= MAX_SIDE; i++)
    if (counts[i] > counts[best])
      best = i;
  return best;
}

static void
end_line (Markers *self)
{
  if (self->pixels > 0)
    self->widths[MIN (self->pixels, MAX_SIDE)]++;
  self->pixels = 0;
}

static void
add_markers (Markers *self, guint markers, guint64 time)
{
  if (markers & (FRAME | LINE))
    end_line (self);
  if (markers & FRAME)
    {
      if (self->frames++ == 0)
        {
          self->first_lines = self->lines;
          self->first_frame = time;
        }
      else if (self->lines > 0)
        {
          self->heights[MIN (self->lines, MAX_SIDE)]++;
          self->complete_frames++;
        }
      self->lines = 0;
    }
  self->lines += (markers & LINE) != 0;
  self->all_lines += (markers & LINE) != 0;
  if (!(markers & PIXEL))
    return;
  if (self->pixels++ > 0)
    {
      self->gaps_sum += (double) (time - self->last_pixel);
      self->gaps_n++;
    }
  self->last_pixel = time;
}

/* Whether MARKERS suffice for the size of the image, if no others were to come. */
static gboolean
is_settled (const VgPhotonHeader *self, const Markers *markers)
{
  return markers->complete_frames > 0 ||
         (markers->all_lines == 0 && vg_photon_is_late (self, markers->end));
}

/* Says why the size of the image of a stream that grows is not known yet, or never will be. */
static gboolean
refuse_growing (const VgPhotonHeader *self, const Markers *markers, const char *name,
                GError **error)
{
  if (markers->all_lines == 0)
    return vg_photon_wait_for (name, "line marker", error);
  if (self->tick_s * ((double) markers->end - (double) markers->first_frame) < LATEST_FRAME_S)
    return vg_photon_wait_for (name, markers->frames ? "second frame marker" : "frame marker",
                               error);
  g_set_error (
      error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
      "\"%s\" has lines but no complete frame within %d s, so it cannot be read while it "
      "grows; open it without \"watch:\" when the recording has ended, or record with frame "
      "markers",
      name, LATEST_FRAME_S);
  return FALSE;
}

/* Sets the height to the most frequent number of lines in a complete frame, else in the longer part
 * of one, and the width to the most frequent number of pixels in a line. */
static void
set_size (VgPhotonHeader *self, const Markers *markers, GString *notes)
{
  int width, height = most_common (markers->heights);

  if (height == 0)
    height = (int) MIN (MAX (markers->lines, markers->first_lines), MAX_SIDE);
  width = most_common (markers->widths);
  if (width == 0)
    width = (int) MIN (markers->pixels, MAX_SIDE);
  self->image = height > 0;
  if (!self->image)
    return;
  if (width > 0)
    {
      self->pixel = PIXEL;
      self->pixel_time_s = markers->gaps_n > 0
                               ? self->tick_s * markers->gaps_sum / (double) markers->gaps_n
                               : 0;
    }
  else
    g_string_append (notes, "There are no pixel markers, so a line has as many pixels as the image "
                            "has lines, and lasts until the next one.\n");
  self->width = width > 0 ? width : height;
  self->height = height;
  self->line_start = LINE;
  self->frame = markers->frames > 0 ? FRAME : 0;
}

/* Of a stream that grows, only its first records decide, so that the size stays. */
static gboolean
read_markers (VgPhotonHeader *self, const VgSourceFile *file, GString *notes, GError **error)
{
  gboolean growing = file->options->growing;
  g_autofree Markers *markers = g_try_new0 (Markers, 1);
  VgPhotonRecords records;
  VgPhotonEvent event;

  if (markers == NULL)
    return refuse_memory (file->name, error);
  vg_photon_records_init (&records, file->fd, self);
  while (vg_photon_records_next (&records, &event, NULL))
    {
      markers->end = event.time;
      if (growing && is_settled (self, markers))
        break;
      if (event.marker)
        add_markers (markers, event.markers, event.time);
    }
  vg_photon_records_clear (&records);
  if (!vg_photon_records_check (&records, file->name, error))
    return FALSE;
  if (growing && !is_settled (self, markers))
    return refuse_growing (self, markers, file->name, error);
  set_size (self, markers, notes);
  if (growing && !self->image)
    g_string_append (notes, "There are no line markers in the first 2 s.\n");
  return TRUE;
}

/* ---- the width of a time bin ---- */

/* The number after "[NAME,F," or "[NAME,I," in TEXT; NaN: there is none. */
static double
find_setting (const char *text, gsize length, const char *name)
{
  for (const char *kind = "FI"; *kind != '\0'; kind++)
    {
      g_autofree char *key = g_strdup_printf ("[%s,%c,", name, *kind);
      const char *found = memmem (text, length, key, strlen (key));

      if (found != NULL)
        return g_ascii_strtod (found + strlen (key), NULL);
    }
  return NAN;
}

/* The text of the .set file PATH, *LENGTH bytes; "": there is no such file.  NULL and an error: it
 * cannot be read. */
static char *
read_settings (const char *path, gsize *length, GError **error)
{
  g_autofree char *name = g_path_get_basename (path), *text = NULL;
  gint64 size;
  int fd = vg_open_regular (path, &size);
  gssize n = 0;

  size = MIN (size, MAX_SET_BYTES);
  text = g_try_malloc ((gsize) size + 1);
  if (text != NULL && fd >= 0)
    n = vg_pread_all (fd, text, (gsize) size, 0);
  if (text == NULL)
    refuse_memory (name, error);
  else if (n < 0)
    vg_photon_refuse_read (name, errno, error);
  if (fd >= 0)
    close (fd);
  if (text == NULL || n < 0)
    return NULL;
  text[n] = '\0';
  *length = (gsize) n;
  return g_steal_pointer (&text);
}

/* Sets *WINDOW to the longest time that the converter measures, s; 0: no .set file gives it. */
static gboolean
read_window (const char *path, double *window, char **set_name, GError **error)
{
  static const char *const endings[] = { ".set", ".SET" };
  gsize stem = strlen (path) - (g_str_has_suffix (path, ".spc") || g_str_has_suffix (path, ".SPC")
                                    ? strlen (".spc")
                                    : 0);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *beside = g_strdup_printf ("%.*s%s", (int) stem, path, endings[i]);
      gsize n = 0;
      g_autofree char *text = read_settings (beside, &n, error);

      if (text == NULL)
        return FALSE;
      *window = find_setting (text, n, "SP_TAC_TC") * find_setting (text, n, "SP_ADC_RE");
      if (!(*window > 0))
        *window = find_setting (text, n, "SP_TAC_R") / find_setting (text, n, "SP_TAC_G");
      if (*window > 1e-12 && *window < 1)
        {
          *set_name = g_path_get_basename (beside);
          return TRUE;
        }
    }
  *window = 0;
  return TRUE;
}

static gboolean
read_header (VgPhotonHeader *self, const VgSourceFile *file, GString *notes, GError **error)
{
  g_autofree char *set_name = NULL;
  guint8 first[RECORD];
  gssize n = vg_pread_all (file->fd, first, RECORD, 0);
  double window = 0;

  *self = (VgPhotonHeader){ .record_type = VG_PHOTON_SPC, .width = 1, .height = 1 };
  if (n != RECORD)
    {
      vg_photon_refuse_read (file->name, n < 0 ? errno : 0, error);
      return FALSE;
    }
  self->tick_s = tick_of (vg_get_u32 (first));
  self->data = RECORD;
  self->records = file->size / RECORD - 1;
  g_string_append_printf (notes, "Becker & Hickl, %" G_GINT64_FORMAT " records.\n", self->records);
  if (!read_markers (self, file, notes, error) ||
      (file->path != NULL && !read_window (file->path, &window, &set_name, error)))
    return FALSE;
  self->dropped_bits = self->image ? IMAGE_DROPPED_BITS : 0;
  self->bins = CONVERTER_BINS >> self->dropped_bits;
  self->bin_s = window / (double) self->bins;
  if (set_name != NULL)
    g_string_append_printf (notes, "Bin width: from \"%s\".\n", set_name);
  return TRUE;
}

static VgSource *
spc_open (const VgSourceFile *file, GError **error)
{
  return vg_photon_source_open (file, "Becker & Hickl SPC", read_header, error);
}

const VgFormat vg_spc_format = { .id = "spc",
                                 .name = "Becker & Hickl SPC",
                                 .suffixes = { ".spc" },
                                 .detect = spc_detect,
                                 .open = spc_open };
