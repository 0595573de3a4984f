/* SPDX-License-Identifier: MIT */
/* NIfTI volumes and series of volumes, plain or in gzip.  A frame is converted to floats block by
 * block, so memory holds one frame.  Compressed frames that are read in order are inflated in one
 * pass; any other order inflates the file from its start again. */
#include "io/source/vg-inflate.h"
#include "io/nifti/vg-nifti-header.h"
#include "io/nifti/vg-nifti-pair.h"
#include "io/nifti/vg-nifti-sidecar.h"
#include "io/source/vg-source-private.h"
#include <errno.h>
#include <math.h>
#include <unistd.h>

/* Bytes; a multiple of all sample sizes: 1, 2, 3, 4 and 8. */
enum { BLOCK = 48 << 10 };

/* Frame intervals outside these bounds are not believed. */
static const double shortest_s = 0.1, longest_s = 600;

typedef struct
{
  VgSource parent;
  VgNiftiHeader header;
  gint64 size; /* of the file */
  gboolean packed;
  VgInflate *stream;  /* of a compressed file; NULL: to be opened again */
  gint64 at;          /* position of the stream, bytes */
  gint64 frame_bytes; /* of a stored frame */
  gint64 first;       /* offset of the first sample of the channel, bytes */
  guint8 block[BLOCK];
} VgNiftiSource;

/* Moves the stream to OFFSET. */
static gboolean
seek (VgNiftiSource *self, gint64 offset, GError **error)
{
  if (self->stream && self->at > offset)
    g_clear_pointer (&self->stream, vg_inflate_free);
  if (!self->stream)
    {
      self->stream = vg_inflate_new (self->parent.fd, self->parent.name, 0, self->size,
                                     VG_PACKED_GZIP);
      self->at = 0;
    }
  while (self->at < offset)
    {
      gsize n = (gsize) MIN (offset - self->at, BLOCK);

      if (!vg_inflate_read (self->stream, self->block, n, error))
        return FALSE;
      self->at += (gint64) n;
    }
  return TRUE;
}

/* Reads LENGTH bytes at OFFSET. */
static gboolean
read_bytes (VgNiftiSource *self, gint64 offset, void *bytes, gsize length, GError **error)
{
  gssize n;

  if (self->packed)
    {
      if (seek (self, offset, error) && vg_inflate_read (self->stream, bytes, length, error))
        {
          self->at += (gint64) length;
          return TRUE;
        }
      g_clear_pointer (&self->stream, vg_inflate_free);
      return FALSE;
    }
  n = vg_pread_all (self->parent.fd, bytes, length, offset);
  if (n == (gssize) length)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "cannot read \"%s\": %s; copy it again",
               self->parent.name, n < 0 ? g_strerror (errno) : "it ends inside its data");
  return FALSE;
}

#define CONVERT(type)                                                                              \
  for (gsize i = 0; i < n; i++)                                                                    \
  to[i] = (float) (header->slope * (double) ((const type *) from)[i] + header->intercept)

static void
convert (const VgNiftiHeader *header, void *from, gsize n, float *to)
{
  if (header->swap)
    vg_swap_samples (from, n, header->sample_bytes);
  switch (header->type)
    {
    case VG_NIFTI_U8:
      CONVERT (guint8);
      break;
    case VG_NIFTI_I8:
      CONVERT (gint8);
      break;
    case VG_NIFTI_U16:
      CONVERT (guint16);
      break;
    case VG_NIFTI_I16:
      CONVERT (gint16);
      break;
    case VG_NIFTI_U32:
      CONVERT (guint32);
      break;
    case VG_NIFTI_I32:
      CONVERT (gint32);
      break;
    case VG_NIFTI_U64:
      CONVERT (guint64);
      break;
    case VG_NIFTI_I64:
      CONVERT (gint64);
      break;
    case VG_NIFTI_F32:
      CONVERT (float);
      break;
    case VG_NIFTI_F64:
      CONVERT (double);
      break;
    case VG_NIFTI_RGB:
    case VG_NIFTI_RGBA:
      g_assert_not_reached ();
    }
}

static gboolean
is_zero (const void *bytes, gsize length)
{
  return *(const guint8 *) bytes == 0 &&
         memcmp (bytes, (const guint8 *) bytes + 1, length - 1) == 0;
}

static gboolean
nifti_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgNiftiSource *self = (VgNiftiSource *) source;
  gint64 from = self->first + index * self->frame_bytes;

  if (source->info.channels > 1)
    return read_bytes (self, from, frame, (gsize) self->frame_bytes, error);
  for (gint64 done = 0; done < self->frame_bytes;)
    {
      gsize length = (gsize) MIN (self->frame_bytes - done, BLOCK),
            size = self->header.sample_bytes;
      float *to = (float *) frame + done / (gint64) size;

      if (!read_bytes (self, from + done, self->block, length, error))
        return FALSE;
      /* zeros are not written again, because new memory is zero and takes no space until it is
       * written: a few bytes of gzip may expand to gigabytes of zeros */
      if (self->header.intercept != 0 || !is_zero (self->block, length) ||
          !is_zero (to, length / size * sizeof (float)))
        convert (&self->header, self->block, length / size, to);
      done += (gint64) length;
    }
  return TRUE;
}

static void
nifti_clear (VgSource *source)
{
  vg_inflate_free (((VgNiftiSource *) source)->stream);
}

static const VgSourceClass nifti_class = { .read = nifti_read, .clear = nifti_clear };

static gboolean
read_header (VgNiftiSource *self, GError **error)
{
  const char *name = self->parent.name;
  guint8 bytes[VG_NIFTI_2_BYTES];
  gsize size;

  if (!read_bytes (self, 0, bytes, 4, error))
    return FALSE;
  size = vg_nifti_header_size (bytes);
  if (size == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" is compressed with gzip, but does not contain NIfTI; unpack it and open "
                   "the file inside",
                   name);
      return FALSE;
    }
  return read_bytes (self, 4, bytes + 4, size - 4, error) &&
         vg_nifti_header_parse (&self->header, bytes, name, error);
}

/* Of a pair, opens the file of the samples in place of the header. */
static gboolean
go_to_data (VgNiftiSource *self, const char *file, GError **error)
{
  guint8 head[3];
  int fd = -1;

  if (!self->header.pair)
    return TRUE;
  fd = vg_nifti_pair_open (file, self->parent.name, &self->size, error);
  if (fd < 0)
    return FALSE;
  close (self->parent.fd);
  self->parent.fd = fd;
  g_clear_pointer (&self->stream, vg_inflate_free);
  self->packed = vg_pread_all (fd, head, sizeof head, 0) == sizeof head &&
                 vg_is_gzip (head, sizeof head);
  return TRUE;
}

/* Checks that the file can contain all samples that the header gives. */
static gboolean
check_length (VgNiftiSource *self, GError **error)
{
  const VgNiftiHeader *header = &self->header;
  gint64 needed = header->first + header->bytes;

  if (needed <= self->size || (self->packed && needed / VG_DEFLATE_MAX_RATIO <= self->size))
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" is cut short: its %" G_GINT64_FORMAT
               " bytes%s cannot contain the %" G_GINT64_FORMAT " that it declares; copy it again",
               self->parent.name, self->size, self->packed ? " of gzip" : "", needed);
  return FALSE;
}

static gboolean
set_samples (VgNiftiSource *self, gboolean colour, GError **error)
{
  VgImageInfo *info = &self->parent.info;

  info->type = VG_F32;
  info->channels = 1;
  if (self->header.type != VG_NIFTI_RGB && self->header.type != VG_NIFTI_RGBA)
    return TRUE;
  if (!colour)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" is a colour image, but a grey one is needed; convert it to grey",
                   self->parent.name);
      return FALSE;
    }
  info->type = VG_U8;
  info->significant_bits = 8;
  info->channels = (int) self->header.sample_bytes;
  return TRUE;
}

/* Makes the pages slices, frames or time bins, as the read options ask for. */
static void
set_pages (VgNiftiSource *self, const VgReadOptions *read_options)
{
  VgImageInfo *info = &self->parent.info;
  gint64 pages = info->slices * info->frames;

  if (pages < 2 || (info->slices > 1 && info->frames > 1))
    return;
  info->readings |= VG_READ_OPTIONS_PAGES;
  if (read_options->pages == VG_PAGES_FILE ||
      (read_options->pages == VG_PAGES_SLICES && info->slices > 1) ||
      (read_options->pages == VG_PAGES_FRAMES && info->frames > 1))
    return;
  info->bins = read_options->pages == VG_PAGES_BINS ? pages : 1;
  info->slices = read_options->pages == VG_PAGES_SLICES ? pages : 1;
  info->frames = read_options->pages == VG_PAGES_FRAMES ? pages : 1;
  info->frame_interval_s = info->frame_interval_claimed_s = 0;
  info->placement = (VgPlacement){ .known = FALSE };
}

static void
set_interval (VgNiftiSource *self, GString *notes)
{
  VgImageInfo *info = &self->parent.info;
  double interval = self->header.interval_s;

  if (info->frames < 2)
    return;
  if (interval == 0)
    g_string_append (notes, "Frame interval: not in the file.\n");
  else if (!(interval >= shortest_s && interval <= longest_s))
    {
      info->frame_interval_claimed_s = interval;
      g_string_append_printf (
          notes,
          "The file gives a frame interval of %g s, which cannot be right and is not used%s.\n",
          interval,
          interval > 0 && interval < shortest_s ? "; it is probably the repetition time" : "");
    }
  else
    {
      info->frame_interval_s = interval;
      g_string_append_printf (notes, "Frame interval: %g s, from the file.\n", interval);
      if (!self->header.interval_unit)
        g_string_append (notes, "Unit of time: not in the file; s is assumed.\n");
      if (interval == 1)
        g_string_append (
            notes, "Some programs write 1 s if they do not know the frame interval. Check the "
                   "frame interval.\n");
    }
}

static void
set_scale (VgNiftiSource *self, GString *notes)
{
  static const char *const units[] = { "mm", "m", "mm", "µm" };
  VgImageInfo *info = &self->parent.info;
  const VgPlacement *placement = &self->header.placement;

  if (placement->pixdim[1] > 0 && placement->pixdim[2] > 0)
    {
      for (int i = 0; i < 3; i++)
        info->pixel_size[i] = MAX (placement->pixdim[i + 1], 0);
      g_strlcpy (info->pixel_unit, units[placement->unit], sizeof info->pixel_unit);
      if (placement->unit == 0)
        g_string_append (notes, "Unit of length: not in the file; mm is assumed.\n");
    }
  if (self->header.unused_scale != 0)
    g_string_append_printf (
        notes, "%g, where some programs write a scale that Analyze does not define, is ignored.\n",
        self->header.unused_scale);
  if (self->header.slope != 1 || self->header.intercept != 0)
    g_string_append_printf (notes, "Values are %g x sample %c %g, from the file.\n",
                            self->header.slope, self->header.intercept < 0 ? '-' : '+',
                            fabs (self->header.intercept));
  if (placement->qform_code <= 0 && placement->sform_code <= 0)
    g_string_append (notes, "Position in the patient: not in the file.\n");
}

static gboolean
parse_header (VgNiftiSource *self, const VgSourceFile *file, GError **error)
{
  VgImageInfo *info = &self->parent.info;
  const VgNiftiHeader *header = &self->header;
  g_autoptr (GString) notes = g_string_new (NULL);
  gint64 per_channel = header->frames * header->volume_bytes;

  if (!check_length (self, error) || !set_samples (self, file->options->colour, error))
    return FALSE;
  info->width = (int) header->width;
  info->height = (int) header->height;
  info->slices = header->slices;
  info->frames = header->frames;
  info->placement = header->placement;
  info->readings = header->channels > 1 ? VG_READ_OPTIONS_CHANNEL : 0;
  if (!vg_source_set_channel (&self->parent, file, (guint) MIN (header->channels, 65535), 1, error))
    return FALSE;
  self->first = header->first + vg_source_channel (&self->parent) * per_channel;
  set_interval (self, notes);
  set_scale (self, notes);
  set_pages (self, file->read_options);
  self->frame_bytes = per_channel / info->frames;
  self->parent.format = g_strdup_printf ("%s%s, %s%s",
                                         header->version == 0   ? "Analyze 7.5"
                                         : header->version == 1 ? "NIfTI-1"
                                                                : "NIfTI-2",
                                         header->version > 0 && header->pair ? " pair" : "",
                                         header->type_name, self->packed ? ", gzip" : "");
  self->parent.details = notes->len ? g_strndup (notes->str, notes->len - 1) : NULL;
  return vg_source_frame_bytes (info, self->parent.name, error) > 0;
}

static VgSource *
nifti_open (const VgSourceFile *file, GError **error)
{
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgNiftiSource), &nifti_class, file->name, NULL, file->fd);
  VgNiftiSource *self = (VgNiftiSource *) source;
  guint8 head[3];

  self->size = file->size;
  self->packed = vg_pread_all (file->fd, head, sizeof head, 0) == sizeof head &&
                 vg_is_gzip (head, sizeof head);
  if (!read_header (self, error) || !go_to_data (self, file->path, error) ||
      !parse_header (self, file, error))
    return NULL;
  if (source->info.bins == 1)
    vg_nifti_read_sidecar (source, file->path, shortest_s, longest_s);
  return g_steal_pointer (&source);
}

const VgFormat vg_nifti_format = { .id = "nifti",
                                   .name = "NIfTI",
                                   .suffixes = { ".nii", ".nii.gz" },
                                   .detect = vg_nifti_detect,
                                   .open = nifti_open };
