/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-scan.h"
#include "io/source/vg-source-private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Frames that are described at once. */
enum { FRAMES_AT_ONCE = 4096 };

/* ---- files ---- */

/* Whether the elements at HEAD are in implicit VR: a short value of group 2 or 8, and behind it a
 * later element of the same group. */
static gboolean
begins_implicitly (const guint8 *head, gsize length)
{
  gsize next = 8 + (gsize) head[4];

  return head[4] <= 64 && head[5] == 0 && head[6] == 0 && head[7] == 0 && next + 8 <= length &&
         head[next] == head[0] && head[next + 1] == 0 && head[next + 2] > head[2] &&
         head[next + 6] == 0 && head[next + 7] == 0;
}

gboolean
vg_dicom_detect (const guint8 *head, gsize length, gint64 size)
{
  if (length >= 132 && memcmp (head + 128, "DICM", 4) == 0)
    return TRUE;
  /* without a preamble the first element is of group 2 or 8 */
  if (length < 12 || (head[0] != 2 && head[0] != 8) || head[1] != 0 || head[3] != 0)
    return FALSE;
  return (g_ascii_isupper (head[4]) && g_ascii_isupper (head[5]) && head[7] == 0) ||
         begins_implicitly (head, length);
}

gboolean
vg_dicom_is_file (const char *path)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gint64 size;
  gssize n = vg_read_head (path, head, &size);

  return n > 0 && vg_dicom_detect (head, (gsize) n, size);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Adds the files of FOLDER, and of its folders down to DEPTH; links to folders are not followed.
 * Hidden files are left out: other programs keep their own data in them, and they may be
 * incomplete.
 */
static void
list_folder (const char *folder, int depth, GPtrArray *paths, gboolean *full)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL && names->len < VG_DICOM_MOST_FILES)
    if (name[0] != '.')
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len && !*full; i++)
    {
      g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
      struct stat status;

      if (lstat (path, &status) != 0)
        continue;
      if (S_ISDIR (status.st_mode) && depth > 0)
        list_folder (path, depth - 1, paths, full);
      else if (!S_ISDIR (status.st_mode) && stat (path, &status) == 0 && S_ISREG (status.st_mode))
        {
          *full = paths->len >= VG_DICOM_MOST_FILES;
          if (!*full)
            g_ptr_array_add (paths, g_steal_pointer (&path));
        }
    }
}

/* ---- frames ---- */

static void
leave_out (VgDicomScan *self, const char *path, const char *reason)
{
  g_autofree char *name = g_filename_display_basename (path);

  self->unreadable++;
  if (self->why == NULL)
    self->why = g_strdup_printf ("\"%s\": %s", name, reason);
}

/* Adds a frame, or the tiles of a mosaic, which are in rows of equal number. */
static void
add_frame (VgDicomScan *self, const VgDicomFrame *frame)
{
  VgDicomFrame tile = *frame;
  int side = (int) ceil (sqrt ((double) frame->samples.tiles));
  gboolean whole = side < 2 || frame->width % side != 0 || frame->height % side != 0;
  guint n = whole ? 1 : (guint) frame->samples.tiles;

  self->full |= self->frames->len + n > VG_DICOM_MOST_FRAMES;
  if (self->full)
    return;
  if (whole)
    {
      g_array_append_val (self->frames, tile);
      return;
    }
  tile.width /= side;
  tile.height /= side;
  for (tile.tile = 0; tile.tile < frame->samples.tiles; tile.tile++)
    g_array_append_val (self->frames, tile);
}

/* Adds the N frames of the open file.  FALSE and an error: they cannot be described. */
static gboolean
add_frames (VgDicomScan *self, VgDicomReader *reader, const VgDicomFrame *first, int n,
            GError **error)
{
  g_autofree VgDicomFrame *several = n > 1 ? g_new (VgDicomFrame, MIN (n, FRAMES_AT_ONCE)) : NULL;
  guint before = self->frames->len;

  self->full |= before + (guint) n > VG_DICOM_MOST_FRAMES;
  for (int i = 0; i < n && !self->full; i++)
    {
      VgDicomFrame frame = *first;

      if (n > 1 && i % FRAMES_AT_ONCE == 0 &&
          !vg_dicom_reader_describe (reader, i, (guint) MIN (n - i, FRAMES_AT_ONCE), several,
                                     error))
        {
          g_array_set_size (self->frames, before);
          return FALSE;
        }
      if (n > 1)
        frame = several[i % FRAMES_AT_ONCE];
      frame.file = self->files->len;
      add_frame (self, &frame);
    }
  return TRUE;
}

/* FALSE and an error, which is not about the file: nothing can be read at present. */
static gboolean
add_file (VgDicomScan *self, VgDicomReader *reader, const char *path, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const VgDicomHead *head = vg_dicom_reader_open (reader, path, &failure);
  VgDicomFrame first;

  if (head != NULL && head->frames == 0)
    leave_out (self, path, head->why);
  else if (head != NULL)
    {
      first = head->first;
      if (add_frames (self, reader, &first, head->frames, &failure))
        g_ptr_array_add (self->files, g_strdup (path));
    }
  if (failure == NULL)
    return TRUE;
  if (!g_error_matches (failure, VG_IO_ERROR, VG_IO_ERROR_FORMAT))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  leave_out (self, path, failure->message);
  return TRUE;
}

/* ---- DICOMDIR ---- */

/* The path below FOLDER of a name of a DICOMDIR, or of it in lower case, which some writers of
 * discs leave; NULL and *OUTSIDE: it leads out of the folder. */
static char *
find_listed (const char *folder, const char *name, gboolean *outside)
{
  g_auto (GStrv) parts = g_strsplit (name, "\\", -1);
  g_autofree char *base = realpath (folder, NULL), *slashed = NULL;

  *outside = TRUE;
  for (guint i = 0; parts[i] != NULL; i++)
    if (*parts[i] == '\0' || strchr (parts[i], '/') != NULL || g_str_equal (parts[i], ".") ||
        g_str_equal (parts[i], ".."))
      return NULL;
  *outside = FALSE;
  slashed = g_strjoinv ("/", parts);
  for (int lower = 0; lower < 2 && base != NULL; lower++)
    {
      g_autofree char *spelled = lower ? g_ascii_strdown (slashed, -1) : g_strdup (slashed);
      g_autofree char *path = g_build_filename (folder, spelled, NULL);
      g_autofree char *real = realpath (path, NULL);

      if (real == NULL)
        continue;
      *outside = !g_str_has_prefix (real, base) || real[strlen (base)] != '/';
      return *outside ? NULL : g_steal_pointer (&path);
    }
  return NULL;
}

/* Adds the files that a DICOMDIR lists; FALSE: PATH is none. */
static gboolean
list_directory (VgDicomScan *self, VgDicomReader *reader, const char *path, GPtrArray *paths)
{
  const VgDicomHead *head = vg_dicom_reader_open (reader, path, NULL);
  g_auto (GStrv) names = head != NULL && head->names >= 0 ? vg_dicom_reader_list (reader, NULL)
                                                          : NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      gboolean outside;
      char *found = find_listed (self->folder, names[i], &outside);

      self->outside += outside;
      self->absent += found == NULL && !outside;
      if (found != NULL)
        g_ptr_array_add (paths, found);
    }
  return names != NULL;
}

/* ---- scan ---- */

/* Adds the file PATH that the user named, unless it is there: it may be hidden, or behind those
 * that fill the list. */
static void
add_named (VgDicomScan *self, const char *path, GPtrArray *paths)
{
  g_autofree char *base = g_path_get_basename (path),
                  *spelled = g_build_filename (self->folder, base, NULL);

  if (!g_ptr_array_find_with_equal_func (paths, spelled, g_str_equal, NULL))
    g_ptr_array_insert (paths, 0, g_steal_pointer (&spelled));
}

/* The paths of the DICOM files that PATH stands for (char *).  *FULL: there are more. */
static GPtrArray *
list_paths (VgDicomScan *self, VgDicomReader *reader, const char *path, gboolean beside,
            gboolean *full)
{
  gboolean folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autoptr (GPtrArray) listed = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);

  *full = FALSE;
  if (folder)
    list_folder (path, VG_DICOM_MOST_DEPTH, listed, full);
  else if (!list_directory (self, reader, path, listed))
    {
      if (beside)
        list_folder (self->folder, 0, listed, full);
      add_named (self, path, listed);
    }
  for (guint i = 0; i < listed->len; i++)
    if (vg_dicom_is_file (listed->pdata[i]) &&
        !(folder && g_str_has_suffix (listed->pdata[i], "/DICOMDIR")))
      g_ptr_array_add (paths, g_strdup (listed->pdata[i]));
  return paths;
}

GPtrArray *
vg_dicom_list_files (const char *path)
{
  const char *absent;
  g_autoptr (VgDicomReader) reader = vg_dicom_is_file (path) &&
                                             vg_format_is_on (vg_dicom_format.id, path, NULL) &&
                                             vg_dicom_module_is_there (&absent)
                                         ? vg_dicom_reader_new ()
                                         : NULL;
  g_autofree char *folder = g_path_get_dirname (path);
  VgDicomScan scan = { .folder = folder };
  gboolean full;

  return reader != NULL ? list_paths (&scan, reader, path, TRUE, &full) : NULL;
}

/* The name of a compressed file in the folder PATH, owned; NULL: there is none. */
static char *
find_compressed (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (g_str_has_suffix (name, ".gz") || g_str_has_suffix (name, ".bz2") ||
        g_str_has_suffix (name, ".xz"))
      return g_filename_display_name (name);
  return NULL;
}

static gboolean
check_found (const VgDicomScan *self, const char *path, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path), *packed = NULL;

  if (self->frames->len > 0)
    return TRUE;
  packed = find_compressed (path);
  if (self->outside > 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" lists %u files outside its folder, which are not opened; open the folder "
                 "that contains the images",
                 name, self->outside);
  else if (self->absent > 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                 "\"%s\" lists %u files that do not exist; copy the complete disc", name,
                 self->absent);
  else if (self->unreadable > 0)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" contains no readable DICOM image; %u %s left out, such as %s", name,
                 self->unreadable, self->unreadable == 1 ? "file was" : "files were", self->why);
  else if (packed != NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "\"%s\" contains no DICOM image, but compressed files such as \"%s\"; unpack "
                 "them first",
                 name, packed);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                 "\"%s\" is a folder without DICOM images; choose another folder, or a file in it",
                 path);
  return FALSE;
}

VgDicomScan *
vg_dicom_scan_new (VgDicomReader *reader, const char *path, gboolean beside, GError **error)
{
  const char *reason = NULL;
  gboolean folder = g_file_test (path, G_FILE_TEST_IS_DIR);
  g_autoptr (VgDicomScan) self = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  g_autofree char *name = g_filename_display_basename (path);
  gboolean full;

  if (!vg_dicom_module_is_there (&reason))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED, "\"%s\" is a %s: %s", name,
                   folder ? "folder" : "DICOM file", reason);
      return NULL;
    }
  self = g_new0 (VgDicomScan, 1);
  self->folder = folder ? g_strdup (path) : g_path_get_dirname (path);
  self->files = g_ptr_array_new_with_free_func (g_free);
  self->frames = g_array_new (FALSE, FALSE, sizeof (VgDicomFrame));
  paths = list_paths (self, reader, path, beside, &full);
  for (guint i = 0; i < paths->len && !self->full; i++)
    if (!add_file (self, reader, paths->pdata[i], error))
      return NULL;
  self->full |= full;
  return check_found (self, path, error) ? g_steal_pointer (&self) : NULL;
}

void
vg_dicom_scan_free (VgDicomScan *self)
{
  if (self == NULL)
    return;
  g_free (self->folder);
  g_free (self->why);
  g_ptr_array_unref (self->files);
  g_array_unref (self->frames);
  g_free (self);
}
