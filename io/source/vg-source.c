/* SPDX-License-Identifier: MIT */
/* Opening by content, and the calls that every source shares: argument
 * checks, end of the stack, reading whole blocks. */
#include "io/nifti/vg-nifti-pair.h"
#include "io/source/vg-source-private.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "io/frames/vg-bare.h"

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
               "%s: a frame of %dx%d with %" G_GINT64_FORMAT
               " pages is more than the 4 GiB that can be read at once; "
               "crop or bin it, or check the size that was given",
               name, info->width, info->height, info->bins * info->slices);
  return 0;
}

gboolean
vg_source_check_claim (const VgImageInfo *info, gint64 size, const char *name, GError **error)
{
  const double most = 5000; /* beyond what deflate, LZW and JPEG reach */
  gsize bytes = vg_source_frame_bytes (info, name, error);

  if (bytes == 0 || bytes < (64 << 20) || (double) bytes <= most * (double) size)
    return bytes > 0;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "%s claims a frame of %" G_GSIZE_FORMAT " bytes in a file of %" G_GINT64_FORMAT
               "; it is damaged",
               name, bytes, size);
  return FALSE;
}

gboolean
vg_source_next_by_read (VgSource *self, gint64 *position, void *frame, guint64 *id, double *time_s,
                        GError **error)
{
  g_autoptr (GError) local = NULL;

  if (*position >= self->info.frames)
    return FALSE;
  if (!vg_source_read (self, *position, frame, &local))
    {
      *position += g_error_matches (local, VG_IO_ERROR, VG_IO_ERROR_FRAME);
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  *id = (guint64) *position;
  *time_s = self->times_s ? self->times_s[*position]
                          : (double) *position * self->info.frame_interval_s;
  (*position)++;
  return TRUE;
}

gboolean
vg_source_take_channel (VgSource *self, const VgReadOptions *read_options, guint available,
                        guint brightest_channel, GError **error)
{
  if (read_options->channel > 0 && (guint) read_options->channel > available)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "%s has %u channel%s, and --channel is %d; choose from 1 to %u", self->name,
                   available, available == 1 ? "" : "s", read_options->channel, available);
      return FALSE;
    }
  self->info.channel = available < 2                     ? 0
                       : read_options->channel > 0       ? read_options->channel
                       : read_options->brightest_channel ? (int) brightest_channel
                                                         : 1;
  self->info.channels_available = available > 1 ? (int) available : 0;
  if (read_options->channel == 0 && self->info.channel > 1 && self->caution == NULL)
    self->caution = g_strdup_printf ("Channel %u of %u in %s is read because it has the most "
                                     "photons. Choose another in the group File, or with --channel",
                                     brightest_channel, available, self->name);
  return TRUE;
}

guint
vg_source_channel (const VgSource *self)
{
  return (guint) MAX (self->info.channel, 1) - 1;
}

/* A setting that would do nothing is a mistake. */
static gboolean
check_reading (const VgSource *source, const VgReadOptions *read_options, GError **error)
{
  for (guint i = 0; i < vg_read_options_table.n_items; i++)
    {
      const VgParam *param = &vg_read_options_table.items[i];
      g_autofree char *option = NULL;

      /* the first channel of a file that has one is that */
      if (vg_read_options_is_default (read_options, param) || (source->info.readings & 1u << i) ||
          (1u << i == VG_READ_OPTIONS_CHANNEL && read_options->channel == 1))
        continue;
      option = vg_param_option_name (param);
      g_set_error (error, VG_USAGE_ERROR, 0, "--%s means nothing for %s (%s); leave it out", option,
                   source->name, source->format);
      return FALSE;
    }
  return TRUE;
}

gboolean
vg_file_is_bare (const char *path, gint64 *size)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  guint8 head[VG_FORMAT_HEAD_BYTES];
  struct stat status = { .st_size = 0 };
  g_autofree char *header = vg_nifti_pair_header (path);
  VgSource *curve = NULL;
  gboolean bare = FALSE;
  gssize n;

  if (fd < 0)
    return FALSE;
  if (header == NULL && fstat (fd, &status) == 0 && S_ISREG (status.st_mode) &&
      (n = vg_pread_all (fd, head, sizeof head, 0)) > 0)
    bare = vg_format_detect (head, (gsize) n, status.st_size) == VG_FORMAT_UNKNOWN &&
           !vg_format_is_foreign (head, (gsize) n) &&
           !(curve = vg_curve_source_open (fd, path, status.st_size));
  *size = status.st_size;
  if (curve)
    vg_source_close (curve); /* and the descriptor */
  else
    close (fd);
  return bare;
}

/* The other half of a pair was named. */
static VgSource *
open_header (const char *path, const VgSourceOptions *options, const VgReadOptions *read_options,
             GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;

  if (fd >= 0 && fstat (fd, &status) == 0)
    return vg_nifti_source_open (fd, name, path, status.st_size, options, read_options, error);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open %s: %s", path,
               g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return NULL;
}

/* Regular file without a geometry: which format is it? */
static VgSource *
open_by_content (int fd, const char *name, const char *path, gint64 size,
                 const VgSourceOptions *options, const VgReadOptions *read_options, GError **error)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gssize length = vg_pread_all (fd, head, sizeof head, 0);
  gsize n = (gsize) MAX (length, 0);
  g_autofree char *header = vg_nifti_pair_header (path);
  gboolean colour = options && options->colour;
  VgSource *source;

  if (header != NULL)
    {
      close (fd);
      return open_header (header, options, read_options, error);
    }
  if (length <= 0)
    {
      if (length < 0)
        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot read %s: %s", name,
                     g_strerror (errno));
      else
        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "%s is empty; copy or export it again",
                     name);
      close (fd);
      return NULL;
    }
  switch (vg_format_detect (head, n, size))
    {
    case VG_FORMAT_TIFF:
      return vg_tiff_source_open (fd, name, options, read_options, error);
    case VG_FORMAT_NIFTI:
      return vg_nifti_source_open (fd, name, path, size, options, read_options, error);
    case VG_FORMAT_PTU:
      return vg_ptu_source_open (fd, name, size, read_options, error);
    case VG_FORMAT_SDT:
      return vg_sdt_source_open (fd, name, size, read_options, error);
    case VG_FORMAT_RLS:
      return vg_rls_source_open (fd, name, size, read_options, error);
    case VG_FORMAT_PQBIN:
      return vg_pqbin_source_open (fd, name, size, error);
    case VG_FORMAT_FOIL:
      return vg_foil_source_open (fd, name, read_options, error);
    case VG_FORMAT_PNG:
      return vg_png_source_open (fd, name, size, colour, error);
    case VG_FORMAT_JPEG:
      return vg_jpeg_source_open (fd, name, size, colour, error);
    case VG_FORMAT_ZIP:
    case VG_FORMAT_UNKNOWN:
    default:
      break;
    }
  if (!vg_format_is_foreign (head, n) && (source = vg_curve_source_open (fd, name, size)))
    return source;
  vg_format_refuse (name, head, n, size, error);
  close (fd);
  return NULL;
}

/* An archive is taken for the file in it; an archive in an archive is not. */
static VgSource *
open_regular (int fd, const char *name, const char *path, gint64 size,
              const VgSourceOptions *options, const VgReadOptions *read_options, GError **error)
{
  guint8 head[4];
  g_autofree char *entry = NULL, *full = NULL, *details = NULL;
  struct stat status = { .st_size = 0 };
  VgSource *source;
  int inside;

  if (vg_pread_all (fd, head, sizeof head, 0) != sizeof head || !vg_zip_detect (head, sizeof head))
    return open_by_content (fd, name, path, size, options, read_options, error);
  inside = vg_zip_extract (fd, name, size, (guint64) (1e9 * read_options->unpack_gb), &entry,
                           error);
  close (fd);
  if (inside < 0)
    return NULL;
  fstat (inside, &status);
  full = g_strdup_printf ("%s in %s", entry, name);
  source = open_by_content (inside, full, full, status.st_size, options, read_options, error);
  if (source)
    {
      source->info.readings |= VG_READ_OPTIONS_UNPACK;
      details = source->details;
      source->details = g_strdup_printf ("%s%sread from the ZIP archive", details ? details : "",
                                         details ? "\n" : "");
    }
  return source;
}

char *
vg_source_split_path (const char *path, const VgSourceOptions *options, char **read_options)
{
  const char *hash = strrchr (path, '#'), *given = options ? options->read_options : NULL;
  g_autofree char *file = hash ? g_strndup (path, (gsize) (hash - path)) : NULL;

  if (!file || g_file_test (path, G_FILE_TEST_EXISTS) || !g_file_test (file, G_FILE_TEST_EXISTS))
    {
      *read_options = g_strdup (given);
      return g_strdup (path);
    }
  *read_options = given ? g_strjoin (" ", given, hash + 1, NULL) : g_strdup (hash + 1);
  return g_steal_pointer (&file);
}

/* A slide, or what the file is to the other readers: also a pyramid that
 * OpenSlide knows of and can not read, when they can. */
static VgSource *
open_regular_or_slide (int fd, const struct stat *status, const char *name, const char *path,
                       const VgSourceOptions *options, const VgReadOptions *read_options,
                       GError **error)
{
  g_autoptr (GError) slide_error = NULL;
  VgSource *source = options && options->colour
                         ? vg_slide_source_open (path, name, read_options, &slide_error)
                         : NULL;

  if (source || g_error_matches (slide_error, VG_USAGE_ERROR, 0))
    close (fd);
  if (source)
    return source;
  if (!g_error_matches (slide_error, VG_USAGE_ERROR, 0))
    source = open_regular (fd, name, path, status->st_size, options, read_options,
                           slide_error ? NULL : error);
  if (!source && slide_error)
    g_propagate_error (error, g_steal_pointer (&slide_error));
  return source;
}

/* FD is the source's, also when it fails. */
static VgSource *
open_descriptor (int fd, const struct stat *status, const char *name, const char *path,
                 const VgSourceOptions *options, const VgReadOptions *read_options, GError **error)
{
  if (S_ISDIR (status->st_mode))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "%s is a folder; name a file in it", path);
  /* also files in /proc and the like, some of which never end */
  else if (S_ISREG (status->st_mode) && status->st_size == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "%s is empty; copy or export it again",
                 name);
  else if (read_options->geometry)
    return vg_raw_source_open (fd, name, read_options, error);
  else if (S_ISREG (status->st_mode) && !g_str_equal (path, "-"))
    return open_regular_or_slide (fd, status, name, path, options, read_options, error);
  else
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "%s carries bare frames and does not say their size; add --geometry, such as "
                 "--geometry 1392x1040:u16",
                 name);
  close (fd);
  return NULL;
}

/* What was typed goes over what the file says. */
static void
take_scales (VgSource *source, const VgReadOptions *read_options, gboolean in_series)
{
  VgImageInfo *info = &source->info;
  double um[2], pixel_um = read_options->pixel_um * (info->downsample > 0 ? info->downsample : 1);

  if (!info->placement.known)
    info->readings |= VG_READ_OPTIONS_PIXEL;
  if (info->frames != 1 || in_series)
    info->readings |= VG_READ_OPTIONS_FRAME_INTERVAL;
  if (pixel_um > 0 && !info->placement.known)
    {
      /* slices keep their distance, in the same unit */
      info->pixel_size[2] *= vg_image_info_pixel_um (info, um) ? um[0] / info->pixel_size[0] : 0;
      info->pixel_size[0] = info->pixel_size[1] = pixel_um;
      g_strlcpy (info->pixel_unit, "\302\265m", sizeof info->pixel_unit);
    }
  if (read_options->frame_interval_ms > 0 && info->readings & VG_READ_OPTIONS_FRAME_INTERVAL)
    {
      info->frame_interval_s = read_options->frame_interval_ms / 1000.0;
      info->frame_interval_claimed_s = 0;
      g_clear_pointer (&source->times_s, g_free);
    }
}

VgSource *
vg_source_open (const char *path, const VgSourceOptions *options, GError **error)
{
  g_autofree char *text = NULL, *file = vg_source_split_path (path, options, &text);
  gboolean standard_input = g_str_equal (file, "-");
  g_autofree char *name = standard_input ? g_strdup ("standard input")
                                         : g_filename_display_basename (file);
  g_auto (VgReadOptions) read_options = { 0 };
  g_autoptr (VgSource) source = NULL;
  struct stat status;
  int fd;

  if (!vg_read_options_parse (&read_options, text, error))
    return NULL;
  read_options.brightest_channel = options && options->brightest_channel;
  if (standard_input)
    fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  else
    /* not blocking: a named pipe that nobody writes to must not hang here */
    fd = open (file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0 || fstat (fd, &status) < 0)
    {
      int code = errno;

      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open %s: %s",
                   standard_input ? name : file, g_strerror (code));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  source = open_descriptor (fd, &status, name, file, options, &read_options, error);
  if (source)
    take_scales (source, &read_options, options && options->in_series);
  return source && check_reading (source, &read_options, error) ? g_steal_pointer (&source) : NULL;
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
                   "%s has no frame %" G_GINT64_FORMAT "; it holds %" G_GINT64_FORMAT, self->name,
                   index + 1, self->info.frames);
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
  g_free (self->caution);
  g_free (self->times_s);
  g_clear_pointer (&self->holes, g_array_unref);
  self->class->close (self);
}

void
vg_source_take_times (VgSource *self, double *times_s)
{
  gint64 n = self->info.frames;

  g_free (self->times_s);
  self->times_s = times_s;
  self->info.frame_interval_s = (times_s[n - 1] - times_s[0]) / (double) (n - 1);
  self->info.frame_interval_claimed_s = 0;
}
