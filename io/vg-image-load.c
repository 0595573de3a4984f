/* SPDX-License-Identifier: MIT */
/* Loads whole data sets: all frames of a source in one block, or a text file. */
#include "io/source/vg-inflate.h"
#include "io/nifti/vg-nifti-pair.h"
#include "io/source/vg-source-private.h"
#include "io/vg-formats.h"
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tables and settings are small; anything larger is the wrong file. */
enum { MAX_TEXT_BYTES = 256 << 20, FIRST_ROOM = 64 << 10 };
/* Pixels of the largest slide that is loaded as a whole; side of the region of a larger one. */
enum { MOST_PIXELS = 16 << 20, USUAL_PART = 2048 };

/* The line of TEXT, counted from 1, that contains PLACE. */
static int
line_of (const char *text, const char *place)
{
  int line = 1;

  for (const char *c = text; c < place; c++)
    line += *c == '\n';
  return line;
}

/* A stream of the file, inflated from gzip; NULL: it is not compressed with gzip. */
static VgInflate *
open_gzip (const char *path, int *fd)
{
  guint8 head[2];
  gint64 size;

  *fd = vg_open_regular (path, &size);
  if (*fd >= 0 && vg_pread_all (*fd, head, sizeof head, 0) == sizeof head && head[0] == 0x1f &&
      head[1] == 0x8b)
    return vg_inflate_new (*fd, path, 0, size, VG_PACKED_GZIP);
  if (*fd >= 0)
    close (*fd);
  return NULL;
}

/* Reads the whole stream as a string, up to MAX_TEXT_BYTES, because a few bytes of gzip may expand
 * to gigabytes. */
static char *
unpack (VgInflate *stream, const char *path, gsize *length, GError **error)
{
  g_autofree char *text = NULL;
  gsize room = 0;

  for (*length = 0; *length == room;)
    {
      char *grown = room >= MAX_TEXT_BYTES ? NULL : g_try_realloc (text, 2 * room + FIRST_ROOM + 1);
      gssize n;

      if (grown == NULL)
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                       "\"%s\" is too large for a text file, or for the free memory; choose the "
                       "text file itself",
                       path);
          return NULL;
        }
      text = grown;
      room = 2 * room + FIRST_ROOM;
      n = vg_inflate_some (stream, text + *length, room - *length, error);
      if (n < 0)
        return NULL;
      *length += (gsize) n;
    }
  text[*length] = '\0';
  return g_steal_pointer (&text);
}

/* Reads a text compressed with gzip; TRUE with *TEXT NULL: the file is not compressed. */
static gboolean
read_gzip (const char *path, char **text, gsize *length, GError **error)
{
  int fd;
  VgInflate *stream = open_gzip (path, &fd);

  if (stream == NULL)
    return TRUE;
  *text = unpack (stream, path, length, error);
  vg_inflate_free (stream);
  close (fd);
  return *text != NULL;
}

static VgImage *
load_text (const char *path, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL;
  g_autofree char *name = g_filename_display_basename (path);
  const char *zero = NULL;
  gsize length;
  struct stat status;

  /* files in /proc and the like have no size, and some never end */
  if (stat (path, &status) == 0 && (!S_ISREG (status.st_mode) || status.st_size > MAX_TEXT_BYTES))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" is %s; choose the text file itself", path,
                 S_ISREG (status.st_mode) ? "too large for a text file" : "not a regular file");
  else if (stat (path, &status) == 0 && status.st_size == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\" is empty; copy or save it again",
                 path);
  else if (!read_gzip (path, &text, &length, error))
    return NULL;
  else if (text == NULL && !g_file_get_contents (path, &text, &length, &reason))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open the text file: %s",
                 reason->message);
  else if ((zero = memchr (text, '\0', length)) != NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\", line %d has a zero byte, so this is not a text file; save it as plain "
                 "text, or a table as CSV",
                 path, line_of (text, zero));
  else
    return vg_image_new_text (g_steal_pointer (&text), length, name);
  return NULL;
}

/* Opens a source; of a slide that is too large to be loaded as a whole, its central region. */
static VgSource *
open_part (const char *path, const VgSourceOptions *options, GError **error)
{
  VgSource *source = vg_source_open (path, options, error);
  g_autofree char *region = NULL, *read_options = NULL, *text = NULL, *details = NULL;
  const VgImageInfo *info = source ? &source->info : NULL;
  VgSourceOptions part = { 0 };
  double side;

  if (!source || !source->pyramid || (gint64) info->width * info->height <= MOST_PIXELS)
    return source;
  side = USUAL_PART * info->downsample;
  region = g_strdup_printf (
      "%.0f,%.0f,%.0f,%.0f",
      MAX (info->origin[0] + 0.5 * (info->width * info->downsample - side), 0),
      MAX (info->origin[1] + 0.5 * (info->height * info->downsample - side), 0), side, side);
  text = g_strdup (options ? options->read_options : NULL);
  read_options = vg_read_options_set (text, vg_params_find (&vg_read_options_table, "region"),
                                      region, error);
  vg_source_close (source);
  part = options ? *options : part;
  part.read_options = read_options;
  source = read_options ? vg_source_open (path, &part, error) : NULL;
  if (source)
    {
      details = source->details;
      source->details = g_strdup_printf (
          "The middle of the slide is read. Choose another slide region.\n%s",
          details ? details : "");
    }
  return source;
}

static VgImage *
load_image (const char *path, const VgSourceOptions *options, GError **error)
{
  g_autoptr (VgSource) source = open_part (path, options, error);
  g_autoptr (VgImage) image = NULL;
  gsize numbers_bytes, frame_bytes;

  if (!source)
    return NULL;
  if (source->info.frames < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" is a stream, but a whole data set is needed; save it to a file first",
                   source->name);
      return NULL;
    }
  if (!vg_source_check_whole (source, error))
    return NULL;
  image = vg_image_new (&source->info, source->name, error);
  if (!image)
    return NULL;
  numbers_bytes = (gsize) source->info.frames * sizeof (double);
  image->details = g_strdup (source->details);
  image->series = g_strdupv (source->series);
  image->caution = g_strdup (source->caution);
  image->cut = source->cut;
  image->times_s = g_memdup2 (source->times_s, source->times_s ? numbers_bytes : 0);
  image->flips_deg = g_memdup2 (source->flips_deg, source->flips_deg ? numbers_bytes : 0);
  image->inversions_ms = g_memdup2 (source->inversions_ms,
                                    source->inversions_ms ? numbers_bytes : 0);
  image->names = g_strdupv (source->names);
  frame_bytes = vg_image_info_frame_bytes (&source->info);
  for (gint64 frame = 0; frame < source->info.frames; frame++)
    if (!vg_source_read (source, frame, (guint8 *) image->data + (gsize) frame * frame_bytes,
                         error))
      return NULL;
  if (source->pyramid && image->caution == NULL)
    image->caution = vg_source_describe_holes (source, source->pyramid->level, source->holes,
                                               (gint64) source->info.width * source->info.height);
  return g_steal_pointer (&image);
}

/* Whether the file is a text in gzip: a NIfTI header in gzip has zero bytes at its beginning. */
static gboolean
is_packed_text (const char *path)
{
  guint8 head[4];
  int fd;
  VgInflate *stream = open_gzip (path, &fd);
  gssize n = stream == NULL ? -1 : vg_inflate_some (stream, head, sizeof head, NULL);
  gboolean text = n > 0;

  for (gssize i = 0; i < n; i++)
    text = text && head[i] >= '\t';
  if (stream == NULL)
    return FALSE;
  vg_inflate_free (stream);
  close (fd);
  return text;
}

/* Whether the first bytes of the file show an image format. */
static gboolean
looks_like_image (const char *path)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gint64 size;
  g_autofree char *read_options = NULL, *file = vg_source_split_path (path, NULL, &read_options);
  g_autofree char *header = vg_nifti_pair_header (file);
  gssize length = vg_read_head (header != NULL ? header : file, head, &size);

  return length > 0 && vg_format_find (head, (gsize) length, size) != NULL;
}

VgImage *
vg_image_load (const char *path, guint kinds, const VgSourceOptions *options, GError **error)
{
  gboolean image = kinds & VG_FILE_IMAGE, text = kinds & VG_FILE_TEXT;

  if (text && (!image || !((options && options->read_options) ||
                           (looks_like_image (path) && !is_packed_text (path)))))
    return load_text (path, error);
  return load_image (path, options, error);
}
