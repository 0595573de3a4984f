/* SPDX-License-Identifier: MIT */
/* Raw frames, whose size the user gives, from a pipe or a regular file.  The geometry is
 *
 *   WIDTHxHEIGHT:TYPE[le|be][@OFFSET][+GAP]     1392x1040:u16
 *
 * TYPE is u8, u16, u32 or f32, in the byte order of this machine unless given.  OFFSET bytes
 * precede all frames, GAP bytes precede each frame. */
#include "io/source/vg-source-private.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  VgSource parent;
  int cancel_fd;
  gsize frame_bytes;
  guint64 offset, gap;
  gboolean swap;
  guint64 frames;  /* complete frames so far */
  gint64 first_us; /* arrival of the first frame, monotonic time */
} VgRawSource;

typedef struct
{
  VgImageInfo info;
  guint64 offset, gap;
  gboolean swap;
} VgGeometry;

/* Parses the digits at *TEXT and moves it behind them; FALSE: no digits, or a value above MAX.  Too
 * many digits give G_MAXUINT64, which exceeds every MAX.  errno is not checked, because GLib may
 * change it when it sets up its locale. */
static gboolean
parse_count (const char **text, guint64 max, guint64 *value)
{
  char *end;

  if (!g_ascii_isdigit (**text))
    return FALSE;
  *value = g_ascii_strtoull (*text, &end, 10);
  *text = end;
  return *value <= max;
}

static gboolean
parse_type (const char **text, VgGeometry *geometry)
{
  static const struct
  {
    const char *id;
    VgType type;
  } types[] = {
    { "u8", VG_U8 },
    { "u16", VG_U16 },
    { "u32", VG_U32 },
    { "f32", VG_F32 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    if (g_str_has_prefix (*text, types[i].id))
      {
        *text += strlen (types[i].id);
        geometry->info.type = types[i].type;
        geometry->info.significant_bits = 8 * (int) vg_type_size (types[i].type);
        if (g_str_has_prefix (*text, "le") || g_str_has_prefix (*text, "be"))
          {
            geometry->swap = ((*text)[0] == 'b') == (G_BYTE_ORDER == G_LITTLE_ENDIAN) &&
                             types[i].type != VG_U8;
            *text += 2;
          }
        return TRUE;
      }
  return FALSE;
}

static gboolean
parse_geometry (const char *text, VgGeometry *geometry, GError **error)
{
  const char *at = text;
  guint64 width = 0, height = 0;
  gboolean good;

  *geometry = (VgGeometry){ .info = { .channels = 1, .bins = 1, .slices = 1, .frames = -1 } };
  good = parse_count (&at, G_MAXINT, &width) && *at++ == 'x' &&
         parse_count (&at, G_MAXINT, &height) && *at++ == ':' && parse_type (&at, geometry) &&
         width > 0 && height > 0;
  if (good && *at == '@')
    good = (at++, parse_count (&at, G_GUINT64_CONSTANT (1) << 48, &geometry->offset));
  if (good && *at == '+')
    good = (at++, parse_count (&at, G_GUINT64_CONSTANT (1) << 30, &geometry->gap));
  if (!good || *at)
    {
      g_autofree char *shown = g_strescape (text, NULL);

      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the geometry \"%.60s\" is not WIDTHxHEIGHT:TYPE with the type u8, u16, u32 or "
                   "f32, and le or be; write it like 1392x1040:u16",
                   shown);
      return FALSE;
    }
  geometry->info.width = (int) width;
  geometry->info.height = (int) height;
  return TRUE;
}

/* Waits until bytes can be read or the stream has ended; FALSE: cancelled. */
static gboolean
wait_for_bytes (VgRawSource *self)
{
  struct pollfd fds[2] = { { .fd = self->parent.fd, .events = POLLIN },
                           { .fd = self->cancel_fd, .events = POLLIN } };

  while (poll (fds, 2, -1) < 0)
    if (errno != EINTR)
      break;
  return fds[1].revents == 0;
}

typedef enum { READ_COMPLETE, READ_END, READ_CANCELLED, READ_FAILED } ReadStatus;

/* Reads LENGTH bytes into BUFFER; *DONE is the number of bytes read. */
static ReadStatus
read_bytes (VgRawSource *self, void *buffer, gsize length, gsize *done)
{
  *done = 0;
  while (*done < length)
    {
      gssize n;

      if (!wait_for_bytes (self))
        return READ_CANCELLED;
      n = read (self->parent.fd, (char *) buffer + *done, length - *done);
      if (n < 0 && errno != EINTR && errno != EAGAIN)
        return READ_FAILED;
      if (n == 0)
        return READ_END;
      if (n > 0)
        *done += (gsize) n;
    }
  return READ_COMPLETE;
}

static ReadStatus
skip_bytes (VgRawSource *self, guint64 length, gsize *done)
{
  char scratch[4096];
  ReadStatus status = READ_COMPLETE;
  gsize n = 0;

  for (*done = 0; status == READ_COMPLETE && length > 0; length -= n)
    {
      status = read_bytes (self, scratch, (gsize) MIN (length, sizeof scratch), &n);
      *done += n;
    }
  return status;
}

static gboolean
stream_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgRawSource *self = (VgRawSource *) source;
  gsize before = 0, gap = 0, done = 0;
  ReadStatus status = READ_COMPLETE;

  if (self->frames == 0)
    status = skip_bytes (self, self->offset, &before);
  if (status == READ_COMPLETE)
    status = skip_bytes (self, self->gap, &gap);
  if (status == READ_COMPLETE)
    status = read_bytes (self, frame, self->frame_bytes, &done);
  if (status == READ_FAILED)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
                 "reading \"%s\" failed in frame %" G_GUINT64_FORMAT ": %s", source->name,
                 self->frames + 1, g_strerror (errno));
  else if (status == READ_END && before + gap + done > 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
                 "\"%s\" ended after %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                 " bytes of frame %" G_GUINT64_FORMAT
                 "; check that the geometry matches the camera",
                 source->name, done, self->frame_bytes, self->frames + 1);
  if (status != READ_COMPLETE)
    return FALSE;
  if (self->swap)
    vg_swap_samples (frame, self->frame_bytes / vg_type_size (source->info.type),
                     vg_type_size (source->info.type));
  if (self->frames == 0)
    self->first_us = g_get_monotonic_time ();
  *time_s = (double) (g_get_monotonic_time () - self->first_us) * 1e-6;
  *id = self->frames++;
  return TRUE;
}

/* The eventfd is never read, so every later wait returns at once too. */
static void
stream_cancel (VgSource *source)
{
  eventfd_write (((VgRawSource *) source)->cancel_fd, 1);
}

static void
stream_clear (VgSource *source)
{
  close (((VgRawSource *) source)->cancel_fd);
}

static const VgSourceClass stream_class = { .next = stream_next,
                                            .cancel = stream_cancel,
                                            .clear = stream_clear };

static VgSource *
open_stream (int fd, const char *name, const VgGeometry *geometry, gsize frame_bytes,
             GError **error)
{
  int cancel_fd = eventfd (0, EFD_CLOEXEC);
  VgSource *source;
  VgRawSource *self;

  if (cancel_fd < 0 || isatty (fd))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot read frames from \"%s\": %s", name,
                   cancel_fd < 0
                       ? g_strerror (errno)
                       : "it is a terminal; connect the output of a camera program to it");
      if (cancel_fd >= 0)
        close (cancel_fd);
      close (fd);
      return NULL;
    }
  source = vg_source_new (sizeof (VgRawSource), &stream_class, name, "raw stream", fd);
  source->info = geometry->info;
  self = (VgRawSource *) source;
  self->cancel_fd = cancel_fd;
  self->frame_bytes = frame_bytes;
  self->offset = geometry->offset;
  self->gap = geometry->gap;
  self->swap = geometry->swap;
  return source;
}

static VgSource *
open_file (int fd, const char *name, const VgGeometry *geometry, gsize frame_bytes, gint64 size,
           const VgReadOptions *read_options, GError **error)
{
  VgImageInfo info = geometry->info;
  gint64 start = MAX (lseek (fd, 0, SEEK_CUR), 0) + (gint64) geometry->offset;
  VgLayout layout = { .first = start + (gint64) geometry->gap,
                      .stride = (gint64) (frame_bytes + geometry->gap),
                      .swap = geometry->swap };
  gint64 rest;

  info.frames = vg_layout_frames (&layout, frame_bytes, size);
  rest = size - start - info.frames * layout.stride;
  if (info.frames == 0 || rest != 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" ends after %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                   " bytes of frame %" G_GINT64_FORMAT
                   ". Check the geometry, and whether the recording was cut short.",
                   name, MAX (rest, 0), layout.stride, info.frames + 1);
      close (fd);
      return NULL;
    }
  return vg_layout_source_new (fd, name, "raw frames", &info, &layout, NULL, read_options, error);
}

VgSource *
vg_raw_source_open (int fd, const char *name, const VgReadOptions *read_options, GError **error)
{
  VgGeometry geometry;
  struct stat status;
  gsize frame_bytes;

  if (!parse_geometry (read_options->geometry, &geometry, error) ||
      !(frame_bytes = vg_source_frame_bytes (&geometry.info, name, error)))
    {
      close (fd);
      return NULL;
    }
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode))
    return open_file (fd, name, &geometry, frame_bytes, status.st_size, read_options, error);
  return open_stream (fd, name, &geometry, frame_bytes, error);
}
