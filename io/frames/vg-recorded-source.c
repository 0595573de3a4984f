/* SPDX-License-Identifier: MIT */
/* Raw recordings of this program: bare frames, and beside them an index (vg-raw-frames.c) that is
 * read line by line, up to the last line and the last frame that are complete. */
#include "io/source/vg-source-private.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/source/vg-marks.h"
#include "io/tiff/vg-tiff-axes.h"
#include "io/tiff/vg-tiff-stamps.h"
#include "io/write/vg-frame-file.h"

typedef struct
{
  VgImageInfo info;
  gboolean swap;
  char *first;           /* line of the first frame */
  GArray *ids, *times_s; /* of guint64, of double */
  GArray *marks;         /* of VgCurveMark; NULL: none */
  GArray *outages;       /* of gint64; NULL: none */
  GArray *exposures;     /* of double; NULL: none */
} Index;

static gboolean
recorded_detect (const guint8 *head, gsize length, gint64 size)
{
  static const char begin[] = VG_RAW_INDEX_BEGIN;

  return length >= sizeof begin && memcmp (head, begin, sizeof begin - 1) == 0;
}

/* The number after NAME; -1: there is none between 1 and G_MAXINT. */
static gint64
find_number (const char *line, const char *name)
{
  g_autofree char *key = g_strdup_printf ("\"%s\": ", name);
  const char *at = strstr (line, key);
  char *end = NULL;
  gint64 value = at != NULL ? g_ascii_strtoll (at + strlen (key), &end, 10) : 0;

  return at != NULL && end > at + strlen (key) && value >= 1 && value <= G_MAXINT ? value : -1;
}

static gboolean
parse_type (const char *line, Index *self)
{
  static const struct
  {
    const char *name;
    VgType type;
  } types[] = { { "u1", VG_U8 }, { "u2", VG_U16 }, { "u4", VG_U32 }, { "f4", VG_F32 } };
  const char *at = strstr (line, "\"dtype\": \"");

  if (at == NULL || strlen (at) < 14)
    return FALSE;
  at += 10;
  self->swap = *at == (G_BYTE_ORDER == G_LITTLE_ENDIAN ? '>' : '<');
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (strchr ("<>|", *at) != NULL && strncmp (at + 1, types[i].name, 2) == 0 && at[3] == '"')
      {
        self->info.type = types[i].type;
        self->info.significant_bits = 8 * (int) vg_type_size (types[i].type);
        return TRUE;
      }
  return FALSE;
}

/* The first line, which is about the file. */
static gboolean
parse_file (const char *line, Index *self)
{
  const gint64 channels = find_number (line, "channels");

  self->info.width = (int) find_number (line, "width");
  self->info.height = (int) find_number (line, "height");
  self->info.channels = (int) channels;
  self->info.bins = (int) find_number (line, "bins");
  self->info.slices = (int) find_number (line, "slices");
  return self->info.width > 0 && self->info.height > 0 &&
         (channels == 1 || channels == 3 || channels == 4) && self->info.bins > 0 &&
         self->info.slices > 0 && parse_type (line, self);
}

/* Reads a line, and keeps at most VG_MARKS_TEXT_BYTES of it in LINE.  FALSE: no complete line is
 * left. */
static gboolean
read_line (FILE *file, GString *line)
{
  int c;

  g_string_truncate (line, 0);
  while ((c = getc (file)) != EOF && c != '\n')
    if (line->len + 1 < VG_MARKS_TEXT_BYTES)
      g_string_append_c (line, (char) c);
  return c == '\n';
}

/* Reads the lines of at most MOST frames.  FALSE: they are no index. */
static gboolean
read_frames (FILE *file, gsize frame_bytes, gint64 most, Index *self)
{
  g_autoptr (GString) line = g_string_new (NULL);

  for (gint64 i = 0; i < most && read_line (file, line); i++)
    {
      const char *offset = strstr (line->str, "\"offset\": ");
      guint64 id;
      double time_s;

      if (!vg_tiff_axes_stamp (line->str, &id, &time_s) || offset == NULL ||
          g_ascii_strtoull (offset + 10, NULL, 10) != (guint64) i * frame_bytes)
        return FALSE;
      if (i == 0)
        self->first = g_strdup (line->str);
      vg_marks_read (&self->marks, line->str);
      vg_outages_read (&self->outages, i, line->str);
      vg_exposures_read (&self->exposures, i, line->str);
      g_array_append_val (self->ids, id);
      g_array_append_val (self->times_s, time_s);
    }
  return TRUE;
}

/* What the line of the first frame says of all of them. */
static void
adopt_first (Index *self, GString *notes)
{
  VgTiffAxes axes;

  vg_tiff_axes_parse (&axes, self->first, self->info.bins * self->info.slices, FALSE, 1, notes);
  self->info.frame_interval_s = axes.frame_interval_s;
  self->info.exposure_ms = axes.exposure_ms;
  if (axes.significant_bits > 0 && self->info.type != VG_F32)
    self->info.significant_bits = MIN (axes.significant_bits, self->info.significant_bits);
  self->info.pixel_size[0] = axes.pixel_size[0];
  self->info.pixel_size[1] = axes.pixel_size[1];
  if (axes.pixel_size[0] > 0)
    memcpy (self->info.pixel_unit, axes.pixel_unit,
            MIN (sizeof axes.pixel_unit, sizeof self->info.pixel_unit));
}

/* Opens the samples at FD, which is taken. */
static VgSource *
open_samples (int fd, const char *name, Index *self, const VgReadOptions *read_options,
              GError **error)
{
  const VgLayout layout = { .stride = (gint64) vg_image_info_frame_bytes (&self->info),
                            .swap = self->swap };
  g_autoptr (GString) notes = g_string_new (NULL);
  double *times_s = (double *) (gpointer) self->times_s->data, interval_s = 0;
  guint64 missing = 0;
  const gint64 n = self->times_s->len;
  gboolean timed;
  VgSource *source;

  self->info.frames = n;
  adopt_first (self, notes);
  timed = vg_stamps_check ((const guint64 *) (gpointer) self->ids->data, times_s, n, &interval_s,
                           &self->marks, &missing, notes);
  if (timed && self->info.frame_interval_s <= 0)
    self->info.frame_interval_s = interval_s;
  if (notes->len > 0)
    g_string_truncate (notes, notes->len - 1);
  source = vg_layout_source_new (fd, name, "raw recording", &self->info, &layout,
                                 notes->len > 0 ? g_strdup (notes->str) : NULL, read_options,
                                 error);
  if (source != NULL && timed && source->info.frames == n)
    {
      source->times_s = g_memdup2 (times_s, (gsize) n * sizeof *times_s);
      source->missing = missing;
      source->marks = g_steal_pointer (&self->marks);
      source->outages = g_steal_pointer (&self->outages);
      source->exposures = g_steal_pointer (&self->exposures);
    }
  return source;
}

/* Reads the index FILE of the samples PATH. */
static VgSource *
read_index (FILE *file, const char *path, const VgReadOptions *read_options, Index *self,
            GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);
  gint64 size;
  int fd = vg_open_regular (path, &size);
  g_autoptr (GString) line = g_string_new (NULL);
  gsize frame_bytes;
  gint64 whole, lines;
  VgSource *source;

  if (fd < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "\"%s\" was not found beside its index; move both files to one folder", name);
      return NULL;
    }
  if (!read_line (file, line) || !parse_file (line->str, self))
    goto broken;
  frame_bytes = vg_source_frame_bytes (&self->info, name, error);
  if (frame_bytes == 0)
    {
      close (fd);
      return NULL;
    }
  whole = size / (gint64) frame_bytes;
  if (!read_frames (file, frame_bytes, whole, self))
    goto broken;
  lines = self->ids->len;
  if (lines == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\" contains no whole frame", name);
      close (fd);
      return NULL;
    }
  source = open_samples (fd, name, self, read_options, error);
  if (source != NULL && lines == whole && read_line (file, line))
    {
      source->cut = TRUE;
      source->caution = g_strdup_printf (
          "\"%s\" is cut short: its first %" G_GINT64_FORMAT " frames are read.", name, lines);
    }
  return source;

broken:
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "the index of \"%s\" is damaged. Read the samples with --geometry, such as "
               "--geometry 1392x1040:u16.",
               name);
  close (fd);
  return NULL;
}

static VgSource *
recorded_open (const VgSourceFile *file, GError **error)
{
  Index index = { .info = { .channels = 1, .bins = 1, .slices = 1 } };
  FILE *lines = NULL;
  VgSource *source = NULL;

  if (!g_str_has_suffix (file->path, VG_RAW_INDEX_SUFFIX))
    g_set_error (
        error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
        "\"%s\" is the index of a raw recording; give it the name of the recording and the "
        "ending " VG_RAW_INDEX_SUFFIX,
        file->name);
  else if ((lines = fdopen (file->fd, "r")) == NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot read \"%s\": %s", file->name,
                 g_strerror (errno));
  if (lines == NULL)
    {
      close (file->fd);
      return NULL;
    }
  index.ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  index.times_s = g_array_new (FALSE, FALSE, sizeof (double));
  {
    g_autofree char *path = g_strndup (file->path,
                                       strlen (file->path) - strlen (VG_RAW_INDEX_SUFFIX));

    source = read_index (lines, path, file->read_options, &index, error);
  }
  g_array_unref (index.ids);
  g_array_unref (index.times_s);
  g_clear_pointer (&index.marks, g_array_unref);
  g_clear_pointer (&index.outages, g_array_unref);
  g_clear_pointer (&index.exposures, g_array_unref);
  g_free (index.first);
  fclose (lines);
  return source;
}

char *
vg_recorded_index (const char *path)
{
  g_autofree char *index = vg_raw_index_path (path);
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gint64 size;
  gssize n = vg_read_head (index, head, &size);

  return n > 0 && recorded_detect (head, (gsize) n, size) ? g_steal_pointer (&index) : NULL;
}

const VgFormat vg_recorded_format = { .id = "raw-recording",
                                      .name = "index of a raw recording",
                                      .suffixes = { VG_RAW_INDEX_SUFFIX, NULL },
                                      .detect = recorded_detect,
                                      .open = recorded_open };
