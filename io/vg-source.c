/* SPDX-License-Identifier: MIT */
/* Opening by content, and the calls that every source shares: argument
 * checks, end of the stack, reading whole blocks. */
#include "vg-source-private.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 64 };

gssize
vg_pread_all (int fd, void *buffer, gsize length, gint64 offset)
{
  gsize done = 0;

  while (done < length)
    {
      gssize n = pread (fd, (char *) buffer + done, length - done, offset + (gint64) done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -1;
      if (n == 0)
        break;
      done += (gsize) n;
    }
  return (gssize) done;
}

void
vg_swap_samples (void *samples, gsize n, gsize size)
{
  if (size == 2)
    for (guint16 *p = samples, *end = p + n; p < end; p++)
      *p = GUINT16_SWAP_LE_BE (*p);
  else if (size == 4)
    for (guint32 *p = samples, *end = p + n; p < end; p++)
      *p = GUINT32_SWAP_LE_BE (*p);
  else if (size == 8)
    for (guint64 *p = samples, *end = p + n; p < end; p++)
      *p = GUINT64_SWAP_LE_BE (*p);
}

gsize
vg_source_frame_bytes (const VgImageInfo *info, const char *name, GError **error)
{
  gsize bytes = vg_image_info_frame_bytes (info);

  if (bytes > 0 && bytes <= VG_SOURCE_MAX_FRAME_BYTES)
    return bytes;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
               "%s: a frame of %dx%d with %" G_GINT64_FORMAT " pages is more than the 4 GiB that can be read at once; "
               "crop or bin it, or check the size that was given", name, info->width, info->height,
               info->bins * info->slices);
  return 0;
}

gboolean
vg_source_next_by_read (VgSource *self, gint64 *position, void *frame, guint64 *id, double *time_s, GError **error)
{
  if (*position >= self->info.frames || !vg_source_read (self, *position, frame, error))
    return FALSE;
  *id = (guint64) *position;
  *time_s = (double) *position * self->info.frame_interval_s;
  (*position)++;
  return TRUE;
}

/* Regular file without a geometry: which format is it? */
static VgSource *
open_by_content (int fd, const char *name, gint64 size, const VgSourceOptions *options, GError **error)
{
  guint8 head[HEAD_BYTES];
  gssize length = vg_pread_all (fd, head, sizeof head, 0);

  if (length < 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot read %s: %s", name, g_strerror (errno));
  else if (length == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "%s is empty; was it copied or exported to the end?", name);
  else if (vg_tiff_detect (head, (gsize) length))
    return vg_tiff_source_open (fd, name, options && options->colour, error);
  else if (vg_rls_detect (head, (gsize) length, size))
    return vg_rls_source_open (fd, name, size, error);
  else if (vg_foil_detect (head, (gsize) length, size))
    return vg_foil_source_open (fd, name, error);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "%s is neither TIFF, RLS nor FOIL raw%s; for bare frames give their size, such as "
                 "--geometry 1392x1040:u16", name,
                 vg_foil_is_short (head, (gsize) length, size) ? " (or is FOIL raw that was cut short)" : "");
  close (fd);
  return NULL;
}

VgSource *
vg_source_open (const char *path, const VgSourceOptions *options, GError **error)
{
  const char *geometry = options ? options->geometry : NULL;
  gboolean standard_input = g_str_equal (path, "-");
  g_autofree char *name = standard_input ? g_strdup ("standard input") : g_filename_display_basename (path);
  struct stat status;
  int fd;

  if (standard_input)
    fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  else
    /* not blocking: a named pipe that nobody writes to must not hang here */
    fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &status) < 0)
    {
      int code = errno;

      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open %s: %s", standard_input ? name : path,
                   g_strerror (code));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  if (S_ISDIR (status.st_mode))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "%s is a folder; name a file in it", path);
      close (fd);
      return NULL;
    }
  if (geometry)
    return vg_raw_source_open (fd, name, geometry, error);
  if (S_ISREG (status.st_mode) && !standard_input)
    return open_by_content (fd, name, status.st_size, options, error);
  g_set_error (error, VG_USAGE_ERROR, 0,
               "%s carries bare frames and does not say their size; add --geometry, such as --geometry 1392x1040:u16",
               name);
  close (fd);
  return NULL;
}

gboolean
vg_source_read (VgSource *self, gint64 index, void *frame, GError **error)
{
  if (!self->class->read || self->info.frames < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "%s is live: its frames can only be taken as they come", self->name);
      return FALSE;
    }
  if (index < 0 || index >= self->info.frames)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "%s has no frame %" G_GINT64_FORMAT "; it holds %" G_GINT64_FORMAT, self->name, index + 1,
                   self->info.frames);
      return FALSE;
    }
  return self->class->read (self, index, frame, error);
}

gboolean
vg_source_next (VgSource *self, void *frame, guint64 *id, double *time_s, GError **error)
{
  return self->class->next (self, frame, id, time_s, error);
}

void
vg_source_cancel (VgSource *self)
{
  if (self->class->cancel)
    self->class->cancel (self);
}

void
vg_source_close (VgSource *self)
{
  if (!self)
    return;
  g_free (self->name);
  g_free (self->format);
  g_free (self->details);
  self->class->close (self);
}
