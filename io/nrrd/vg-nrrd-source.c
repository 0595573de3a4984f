/* SPDX-License-Identifier: MIT */
/* NRRD volumes and series of volumes, raw or in gzip, with the samples behind the header or in a
 * file beside it.  Samples in order of volumes are read block by block; a series whose samples
 * follow each other voxel by voxel, as 3D Slicer writes it, is sorted in memory once. */
#include "io/nrrd/vg-nrrd-header.h"
#include "io/source/vg-inflate.h"
#include "io/source/vg-source-private.h"
#include "kernels/base/vg-memory.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Bytes; a multiple of all sample sizes. */
enum { BLOCK = 48 << 10 };

typedef struct
{
  VgSource parent;
  VgNrrdHeader header;
  gint64 size;  /* of the file of the samples */
  gint64 first; /* offset of the samples, bytes */
  VgInflate *stream;
  gint64 at;     /* position of the stream in the samples, bytes */
  float *sorted; /* all samples of an interleaved series, by volume; NULL: not read yet */
  guint8 block[BLOCK];
} VgNrrdSource;

#define CONVERT(type)                                                                              \
  for (gsize i = 0; i < n; i++)                                                                    \
  to[i * stride] = (float) ((const type *) from)[i]

/* Converts N samples to every STRIDE-th element of TO. */
static void
convert (const VgNrrdHeader *header, void *from, gsize n, float *to, gsize stride)
{
  if (header->swap)
    vg_swap_samples (from, n, header->sample_bytes);
  switch (header->type)
    {
    case VG_NRRD_I8:
      CONVERT (gint8);
      break;
    case VG_NRRD_U8:
      CONVERT (guint8);
      break;
    case VG_NRRD_I16:
      CONVERT (gint16);
      break;
    case VG_NRRD_U16:
      CONVERT (guint16);
      break;
    case VG_NRRD_I32:
      CONVERT (gint32);
      break;
    case VG_NRRD_U32:
      CONVERT (guint32);
      break;
    case VG_NRRD_I64:
      CONVERT (gint64);
      break;
    case VG_NRRD_U64:
      CONVERT (guint64);
      break;
    case VG_NRRD_F32:
      CONVERT (float);
      break;
    case VG_NRRD_F64:
    default:
      CONVERT (double);
      break;
    }
}

/* Reads the next LENGTH bytes of the samples from AT on, which only grows for gzip. */
static gboolean
read_bytes (VgNrrdSource *self, gint64 at, gsize length, GError **error)
{
  if (self->stream == NULL || self->at > at)
    {
      g_clear_pointer (&self->stream, vg_inflate_free);
      self->stream = vg_inflate_new (self->parent.fd, self->parent.name, self->first, self->size,
                                     VG_PACKED_GZIP);
      self->at = 0;
    }
  while (self->at < at)
    {
      gsize n = (gsize) MIN (at - self->at, BLOCK);

      if (!vg_inflate_read (self->stream, self->block, n, error))
        return FALSE;
      self->at += (gint64) n;
    }
  if (!vg_inflate_read (self->stream, self->block, length, error))
    return FALSE;
  self->at += (gint64) length;
  return TRUE;
}

static gboolean
read_block (VgNrrdSource *self, gint64 at, gsize length, GError **error)
{
  gssize n;

  if (self->header.packed)
    {
      if (read_bytes (self, at, length, error))
        return TRUE;
      g_clear_pointer (&self->stream, vg_inflate_free);
      return FALSE;
    }
  n = vg_pread_all (self->parent.fd, self->block, length, self->first + at);
  if (n == (gssize) length)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "cannot read \"%s\": %s; copy it again",
               self->parent.name, n < 0 ? g_strerror (errno) : "it ends inside its data");
  return FALSE;
}

/* Reads N samples from sample FIRST on. */
static gboolean
read_samples (VgNrrdSource *self, gint64 first, gsize n, float *to, GError **error)
{
  gsize size = self->header.sample_bytes;

  for (gsize done = 0; done < n;)
    {
      gsize count = MIN (n - done, BLOCK / size);

      if (!read_block (self, (first + (gint64) done) * (gint64) size, count * size, error))
        return FALSE;
      convert (&self->header, self->block, count, to + done, 1);
      done += count;
    }
  return TRUE;
}

static gboolean
fail_memory (VgNrrdSource *self, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "\"%s\" is too large for the free memory; crop it, or save each volume as a file",
               self->parent.name);
  return FALSE;
}

/* Sorts an interleaved series by volume. */
static gboolean
sort_samples (VgNrrdSource *self, GError **error)
{
  gsize frames = (gsize) self->header.frames, size = self->header.sample_bytes,
        all = (gsize) self->header.bytes / size, voxels = all / frames;
  float *sorted = vg_memory_check (all * sizeof (float), self->parent.name, NULL)
                      ? g_try_new0 (float, all)
                      : NULL;
  g_autofree float *piece = g_try_new (float, BLOCK);
  gboolean ok = sorted != NULL && piece != NULL;

  if (!ok)
    fail_memory (self, error);
  for (gsize done = 0; ok && done < all;)
    {
      gsize n = MIN (all - done, BLOCK / size);

      ok = read_samples (self, (gint64) done, n, piece, error);
      for (gsize i = 0; ok && i < n; i++)
        sorted[(done + i) % frames * voxels + (done + i) / frames] = piece[i];
      done += n;
    }
  if (ok)
    self->sorted = sorted;
  else
    g_free (sorted);
  return ok;
}

static gboolean
nrrd_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgNrrdSource *self = (VgNrrdSource *) source;
  gsize n = vg_image_info_frame_bytes (&source->info) / sizeof (float);

  if (!self->header.interleaved)
    return read_samples (self, index * (gint64) n, n, frame, error);
  if (self->sorted == NULL && !sort_samples (self, error))
    return FALSE;
  memcpy (frame, self->sorted + (gsize) index * n, n * sizeof (float));
  return TRUE;
}

static void
nrrd_clear (VgSource *source)
{
  VgNrrdSource *self = (VgNrrdSource *) source;

  vg_inflate_free (self->stream);
  vg_nrrd_header_clear (&self->header);
  g_free (self->sorted);
}

static const VgSourceClass nrrd_class = { .read = nrrd_read, .clear = nrrd_clear };

/* Reads and parses the header, which ends with an empty line or with the file. */
static gboolean
read_header (VgNrrdSource *self, GError **error)
{
  gsize room = (gsize) MIN (self->size, VG_NRRD_MOST_HEADER);
  g_autofree char *text = g_try_malloc0 (room + 1);
  const char *end = NULL, *line = text;
  gssize n;

  if (text == NULL)
    return fail_memory (self, error);
  n = vg_pread_all (self->parent.fd, text, room, 0);
  /* the samples behind the header may have zeros */
  while (n > 0 && end == NULL && (line = memchr (line, '\n', (gsize) (text + n - line))) != NULL)
    {
      line++;
      if (line < text + n && (*line == '\n' || (*line == '\r' && line[1] == '\n')))
        end = line + 1 + (*line == '\r');
    }
  if (end == NULL && n >= VG_NRRD_MOST_HEADER)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "the header of \"%s\" has no end; the file is damaged, so copy it again",
                   self->parent.name);
      return FALSE;
    }
  self->first = end != NULL ? end - text : MAX (n, 0);
  text[self->first] = '\0';
  g_strdelimit (text, "\r", '\n');
  return vg_nrrd_header_parse (&self->header, text, self->parent.name, error);
}

/* Opens the file of the samples in place of a header without any. */
static gboolean
go_to_data (VgNrrdSource *self, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path), *data = NULL;
  int fd;

  if (self->header.file == NULL)
    return TRUE;
  data = g_build_filename (folder, self->header.file, NULL);
  fd = vg_open_regular (data, &self->size);
  if (fd < 0)
    {
      g_set_error (
          error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
          "\"%s\" has its samples in \"%s\", which is not in the same folder; copy both files",
          self->parent.name, self->header.file);
      return FALSE;
    }
  close (self->parent.fd);
  self->parent.fd = fd;
  self->first = 0;
  return TRUE;
}

/* Checks that the file can contain all samples, and finds the first. */
static gboolean
find_samples (VgNrrdSource *self, GError **error)
{
  const VgNrrdHeader *header = &self->header;
  gint64 left;

  self->first = header->skip < 0 ? self->size - header->bytes
                                 : self->first + MIN (header->skip, self->size);
  left = self->size - self->first;
  if (self->first >= 0 && left > 0 &&
      (header->bytes <= left || (header->packed && header->bytes / VG_DEFLATE_MAX_RATIO <= left)))
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" is truncated: its samples should have %" G_GINT64_FORMAT
               " bytes; copy it again",
               self->parent.name, header->bytes);
  return FALSE;
}

static void
set_info (VgNrrdSource *self)
{
  VgImageInfo *info = &self->parent.info;
  const VgNrrdHeader *header = &self->header;

  info->type = VG_F32;
  info->width = (int) header->width;
  info->height = (int) header->height;
  info->slices = header->slices;
  info->frames = header->frames;
  if (header->size[0] > 0 && header->size[1] > 0 && header->in_mm)
    {
      memcpy (info->pixel_size, header->size, sizeof header->size);
      g_strlcpy (info->pixel_unit, "mm", sizeof info->pixel_unit);
    }
  if (header->placed)
    {
      info->placement = (VgPlacement){ .known = TRUE, .sform_code = 1, .unit = 2 };
      info->placement.pixdim[0] = 1;
      memcpy (info->placement.pixdim + 1, header->size, sizeof header->size);
      memcpy (info->placement.srow, header->matrix, sizeof header->matrix);
    }
  self->parent.format = g_strdup_printf ("NRRD%s%s", header->packed ? ", gzip" : "",
                                         header->interleaved ? ", time first" : "");
  if (header->times_s != NULL)
    {
      self->parent.details = g_strdup_printf (
          "Frame times: %g to %g s, from the header.", g_array_index (header->times_s, double, 0),
          g_array_index (header->times_s, double, header->times_s->len - 1));
      vg_source_set_times (
          &self->parent, g_memdup2 (header->times_s->data, header->times_s->len * sizeof (double)));
    }
  else if (header->frames > 1)
    self->parent.details = g_strdup ("Frame interval: not in the file.");
}

static VgSource *
nrrd_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgNrrdSource), &nrrd_class, file->name, NULL, file->fd);
  VgNrrdSource *self = (VgNrrdSource *) source;

  self->size = file->size;
  if (!read_header (self, error) || !go_to_data (self, file->path, error) ||
      !find_samples (self, error))
    return NULL;
  set_info (self);
  return vg_source_frame_bytes (&source->info, source->name, error) > 0 ? g_steal_pointer (&source)
                                                                        : NULL;
}

const VgFormat vg_nrrd_format = { .id = "nrrd",
                                  .name = "NRRD",
                                  .suffixes = { ".nrrd", ".nhdr" },
                                  .detect = vg_nrrd_detect,
                                  .open = nrrd_open };
