/* SPDX-License-Identifier: MIT */
/* Opening a file or a pipe: by its content, as a whole slide, or as raw frames. */
#include "io/source/vg-source-private.h"
#include "io/nifti/vg-nifti-pair.h"
#include "io/vg-formats.h"
#include "io/vg-zip.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

gboolean
vg_file_is_raw (const char *path, gint64 *size)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  g_autofree char *header = vg_nifti_pair_header (path), *index = vg_recorded_index (path);
  int fd = vg_open_regular (path, size);
  gboolean raw = FALSE;
  gssize n;

  if (fd < 0)
    return FALSE;
  if (header == NULL && index == NULL && (n = vg_pread_all (fd, head, sizeof head, 0)) > 0)
    raw = vg_format_find (head, (gsize) n, *size) == NULL &&
          !vg_format_is_foreign (head, (gsize) n) && !vg_curve_detect (fd, *size);
  close (fd);
  return raw;
}

/* FILE has the samples of a pair: opens PATH, which describes them and has FORMAT, instead. */
static VgSource *
open_beside (const VgSourceFile *file, const char *path, const VgFormat *format, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);
  VgSourceFile header = *file;
  struct stat status;

  close (file->fd);
  if (!file->options->own && !vg_format_is_on (format->id, name, error))
    return NULL;
  header.fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  header.name = name;
  header.path = path;
  if (header.fd >= 0 && fstat (header.fd, &status) == 0)
    {
      header.size = status.st_size;
      return format->open (&header, error);
    }
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open \"%s\": %s", path,
               g_strerror (errno));
  if (header.fd >= 0)
    close (header.fd);
  return NULL;
}

/* Opens a decay or a table of curves.  Without an operation that needs one of them, a table has
 * three columns or more.  NULL without an error: the file is neither. */
static VgSource *
open_text (const VgSourceFile *file, GError **error)
{
  const VgSourceOptions *options = file->options;
  gboolean any = !options->bins && !options->channels;
  VgSource *table = NULL;
  g_autoptr (GError) why = NULL;
  guint columns;

  if ((options->curves || any) && vg_table_detect (file->fd, &columns) &&
      (options->curves || columns > 2))
    {
      table = vg_table_source_new (file, &why);
      if (why != NULL &&
          (options->curves ||
           (!options->in_series && g_error_matches (why, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED))))
        {
          g_propagate_error (error, g_steal_pointer (&why));
          return NULL;
        }
      if (table != NULL)
        return table;
    }
  return vg_curve_source_new (file->fd, file->name, file->size);
}

static VgSource *
open_by_content (const VgSourceFile *file, GError **error)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gssize length = vg_pread_all (file->fd, head, sizeof head, 0);
  gsize n = (gsize) MAX (length, 0);
  const VgFormat *format = vg_format_find (head, n, file->size);
  g_autofree char *header = vg_nifti_pair_header (file->path),
                  *index = vg_recorded_index (file->path);
  g_autoptr (GError) failure = NULL;
  VgSource *source = NULL;

  if (header != NULL)
    return open_beside (file, header, &vg_nifti_format, error);
  if (index != NULL)
    return open_beside (file, index, &vg_recorded_format, error);
  if (length > 0 && format != NULL && format->open != NULL)
    {
      if (file->options->own || vg_format_is_on (format->id, file->name, error))
        return format->open (file, error);
      close (file->fd);
      return NULL;
    }
  if (length < 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot read \"%s\": %s", file->name,
                 g_strerror (errno));
  else if (length == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\" is empty; copy or export it again",
                 file->name);
  else if (!vg_format_is_foreign (head, n))
    source = open_text (file, &failure);
  if (failure != NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  else if (length > 0 && source == NULL)
    vg_format_refuse (file->name, head, n, file->size, error);
  close (file->fd);
  return source;
}

/* Opens the data file in an archive.  An archive in an archive is refused. */
static VgSource *
open_archive (const VgSourceFile *file, GError **error)
{
  g_autofree char *entry = NULL, *name = NULL, *details = NULL;
  guint64 limit = (guint64) (1e9 * file->read_options->unpack_gb);
  VgSourceFile inside = *file;
  struct stat status = { .st_size = 0 };
  VgSource *source;

  inside.fd = vg_format_is_on (vg_zip_format.id, file->name, error)
                  ? vg_zip_extract (file->fd, file->name, file->size, limit, &entry, error)
                  : -1;
  close (file->fd);
  if (inside.fd < 0)
    return NULL;
  fstat (inside.fd, &status);
  name = g_strdup_printf ("%s in %s", entry, file->name);
  inside.name = inside.path = name;
  inside.size = status.st_size;
  source = open_by_content (&inside, error);
  if (source)
    {
      source->info.readings |= VG_READ_OPTIONS_UNPACK;
      details = source->details;
      source->details = g_strdup_printf ("%s%sRead from a ZIP archive.", details ? details : "",
                                         details ? "\n" : "");
    }
  return source;
}

static VgSource *
open_regular (const VgSourceFile *file, GError **error)
{
  guint8 head[4];
  gssize n = vg_pread_all (file->fd, head, sizeof head, 0);

  return n > 0 && vg_zip_format.detect (head, (gsize) n, file->size)
             ? open_archive (file, error)
             : open_by_content (file, error);
}

/* Opens a whole slide; also, with the other readers, a pyramid that OpenSlide recognises and cannot
 * read. */
static VgSource *
open_slide_or_regular (const VgSourceFile *file, GError **error)
{
  g_autoptr (GError) slide_error = NULL;
  VgSource *source = file->options->colour ? vg_slide_source_open (file, &slide_error) : NULL;

  if (source || g_error_matches (slide_error, VG_USAGE_ERROR, 0))
    close (file->fd);
  if (source)
    return source;
  if (!g_error_matches (slide_error, VG_USAGE_ERROR, 0))
    source = open_regular (file, slide_error ? NULL : error);
  if (!source && slide_error)
    g_propagate_error (error, g_steal_pointer (&slide_error));
  return source;
}

/* MODE is that of the file's status. */
static VgSource *
open_descriptor (const VgSourceFile *file, mode_t mode, GError **error)
{
  if (S_ISDIR (mode))
    return vg_dicom_source_open (file, error);
  /* also files in /proc and the like, some of which never end */
  if (S_ISREG (mode) && file->size == 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "\"%s\" is empty; copy or export it again",
                 file->name);
  else if (file->read_options->geometry)
    return vg_raw_source_open (file->fd, file->name, file->read_options, error);
  else if (S_ISREG (mode) && !g_str_equal (file->path, "-"))
    return open_slide_or_regular (file, error);
  else
    g_set_error (
        error, VG_USAGE_ERROR, 0,
        "%s has raw frames without their size; add --geometry, such as --geometry 1392x1040:u16",
        file->name);
  close (file->fd);
  return NULL;
}

/* INPUT begins as the address of a live source does, such as "shm:". */
static gboolean
looks_like_address (const char *input)
{
  const gsize scheme = strspn (input, "abcdefghijklmnopqrstuvwxyz-");

  return scheme > 1 && input[scheme] == ':';
}

VgSource *
vg_source_open (const char *path, const VgSourceOptions *options, GError **error)
{
  static const VgSourceOptions no_options = { 0 };
  g_autofree char *text = NULL, *input = vg_source_split_path (path, options, &text);
  gboolean standard_input = g_str_equal (input, "-");
  g_autofree char *name = standard_input ? g_strdup ("standard input")
                                         : g_filename_display_basename (input);
  g_auto (VgReadOptions) read_options = { 0 };
  VgSourceFile file = { .name = name,
                        .path = input,
                        .options = options ? options : &no_options,
                        .read_options = &read_options };
  g_autoptr (VgSource) source = NULL;
  struct stat status;

  if (!vg_read_options_parse (&read_options, text, error))
    return NULL;
  if (standard_input)
    file.fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  else
    /* not blocking: a named pipe that nobody writes to must not hang here */
    file.fd = open (input, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file.fd < 0 || fstat (file.fd, &status) < 0)
    {
      int code = errno;

      if (code == ENOENT && looks_like_address (input))
        g_set_error (
            error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
            "\"%s\" is neither a file nor the address of a live source; write shm:NAME, "
            "watch:FOLDER, igtl://HOST:PORT, igtl-listen://PORT, gst:PIPELINE, camera:ID or "
            "test:speckle",
            input);
      else if (code == ENOENT)
        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                     "\"%s\" was not found. It may have been moved or deleted.", input);
      else
        g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open \"%s\": %s",
                     standard_input ? name : input, g_strerror (code));
      if (file.fd >= 0)
        close (file.fd);
      return NULL;
    }
  file.size = status.st_size;
  source = open_descriptor (&file, status.st_mode, error);
  return source && vg_source_apply_read_options (source, &read_options, file.options->in_series,
                                                 error)
             ? g_steal_pointer (&source)
             : NULL;
}
