/* SPDX-License-Identifier: MIT */
/* Frames of one size at regular positions in a file: raw frames, FOIL raw, RLS, and TIFF stacks
 * whose pages follow a single directory. */
#include "io/source/vg-source-private.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  VgSource parent;
  VgLayout layout;
  gsize stored_bytes; /* of a frame in the file */
  gint64 stored;      /* stored frames in a frame of the source, as its time bins or slices */
  void *columns;      /* buffer for a stored frame that is transposed; or NULL */
} VgLayoutSource;

gint64
vg_layout_frames (const VgLayout *layout, gsize frame_bytes, gint64 size)
{
  if (size < layout->first || size - layout->first < (gint64) frame_bytes)
    return 0;
  /* the gap after the last frame may be missing */
  return 1 + (size - layout->first - (gint64) frame_bytes) / layout->stride;
}

static void
transpose (const void *columns, void *rows, const VgImageInfo *info)
{
  gsize width = (gsize) info->width, height = (gsize) info->height;

  for (gsize y = 0; y < height; y++)
    for (gsize x = 0; x < width; x++)
      if (info->type == VG_U8)
        ((guint8 *) rows)[y * width + x] = ((const guint8 *) columns)[x * height + y];
      else
        ((guint16 *) rows)[y * width + x] = ((const guint16 *) columns)[x * height + y];
}

static gboolean
read_stored (VgLayoutSource *self, gint64 index, void *frame, GError **error)
{
  VgSource *source = &self->parent;
  void *target = self->columns ? self->columns : frame;
  gsize bytes = self->stored_bytes;
  gssize n = vg_pread_all (source->fd, target, bytes,
                           self->layout.first + index * self->layout.stride);

  if (n != (gssize) bytes)
    {
      /* a failing disk may lose one frame; a file that became shorter has lost all later frames */
      g_set_error (error, VG_IO_ERROR,
                   n < 0 && errno == EIO ? VG_IO_ERROR_FRAME : VG_IO_ERROR_FORMAT,
                   "cannot read frame %" G_GINT64_FORMAT " of \"%s\": %s", index + 1, source->name,
                   n < 0 ? g_strerror (errno) : "the file has become shorter since it was opened");
      return FALSE;
    }
  if (self->layout.swap)
    vg_swap_samples (target, bytes / vg_type_size (source->info.type),
                     vg_type_size (source->info.type));
  if (self->columns)
    transpose (self->columns, frame, &source->info);
  return TRUE;
}

static gboolean
layout_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgLayoutSource *self = (VgLayoutSource *) source;

  for (gint64 i = 0; i < self->stored; i++)
    if (!read_stored (self, index * self->stored + i,
                      (guint8 *) frame + (gsize) i * self->stored_bytes, error))
      return FALSE;
  return TRUE;
}

static void
layout_clear (VgSource *source)
{
  g_free (((VgLayoutSource *) source)->columns);
}

static const VgSourceClass layout_class = { .read = layout_read, .clear = layout_clear };

/* Makes frames of one page the time bins or slices of a single frame; returns their number. */
static gint64
regroup (VgImageInfo *info, const VgReadOptions *read_options)
{
  gint64 n = info->frames;

  if (!read_options || n < 2 || info->bins != 1 || info->slices != 1)
    return 1;
  info->readings |= VG_READ_OPTIONS_PAGES;
  if (read_options->pages != VG_PAGES_BINS && read_options->pages != VG_PAGES_SLICES)
    return 1;
  *(read_options->pages == VG_PAGES_BINS ? &info->bins : &info->slices) = n;
  info->frames = 1;
  info->frame_interval_s = 0;
  return n;
}

/* Checks that the file has all frames of INFO. */
static gboolean
check_length (int fd, const char *name, const VgImageInfo *info, const VgLayout *layout,
              gsize frame_bytes, GError **error)
{
  struct stat status;
  gint64 whole;

  if (fstat (fd, &status) < 0)
    status.st_size = 0;
  whole = vg_layout_frames (layout, frame_bytes, status.st_size);
  if (info->frames >= 1 && whole >= info->frames)
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\" is cut short: its %" G_GINT64_FORMAT " bytes contain %" G_GINT64_FORMAT
               " whole frames of %dx%d, but the file declares %" G_GINT64_FORMAT ". Copy it again.",
               name, (gint64) status.st_size, whole, info->width, info->height, info->frames);
  return FALSE;
}

VgSource *
vg_layout_source_new (int fd, const char *name, const char *format, const VgImageInfo *info,
                      const VgLayout *layout, char *details, const VgReadOptions *read_options,
                      GError **error)
{
  gsize stored_bytes = vg_source_frame_bytes (info, name, error);
  g_autofree char *owned_details = details;
  g_autofree void *columns = NULL;
  VgImageInfo regrouped = *info;
  gint64 stored = regroup (&regrouped, read_options);
  VgSource *source;
  VgLayoutSource *self;

  if (stored_bytes == 0 || !check_length (fd, name, info, layout, stored_bytes, error) ||
      !vg_source_frame_bytes (&regrouped, name, error))
    goto fail;
  if (layout->transpose && !(columns = g_try_malloc (stored_bytes)))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "there is not enough memory for a frame of \"%s\", %dx%d", name, info->width,
                   info->height);
      goto fail;
    }
  source = vg_source_new (sizeof (VgLayoutSource), &layout_class, name, format, fd);
  source->info = regrouped;
  source->details = g_steal_pointer (&owned_details);
  self = (VgLayoutSource *) source;
  self->layout = *layout;
  self->stored_bytes = stored_bytes;
  self->stored = stored;
  self->columns = g_steal_pointer (&columns);
  return source;

fail:
  close (fd);
  return NULL;
}
