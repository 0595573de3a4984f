/* SPDX-License-Identifier: MIT */
/* One file out of a ZIP archive (APPNOTE 4.3.12, 4.3.16), by its directory;
 * no ZIP64, no encryption. */
#include "vg-bytes.h"
#include "vg-inflate.h"
#include "vg-source-private.h"
#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { END_RECORD = 22, MAX_COMMENT = 65535, ENTRY = 46, MAX_ENTRIES = 65535, BLOCK = 64 << 10 };

typedef struct
{
  guint64 packed, unpacked;
  gint64 header;           /* of the entry itself */
  char *name;
} Entry;

gboolean
vg_zip_detect (const guint8 *head, gsize length)
{
  return length >= 4 && memcmp (head, "PK\3\4", 4) == 0;
}

static gboolean
fail (const char *name, const char *why, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "%s, a ZIP archive, %s; unpack it and open the file that was in it", name, why);
  return FALSE;
}

/* The directory: its place and number of entries, from the last record of the file. */
static gboolean
find_directory (int fd, gint64 size, gint64 *directory, guint *entries)
{
  gsize length = (gsize) MIN (size, END_RECORD + MAX_COMMENT);
  g_autofree guint8 *tail = g_malloc (length);

  if (length < END_RECORD || vg_pread_all (fd, tail, length, size - (gint64) length) != (gssize) length)
    return FALSE;
  for (gsize at = length - END_RECORD + 1; at-- > 0;)
    if (memcmp (tail + at, "PK\5\6", 4) == 0)
      {
        *entries = vg_get_u16 (tail + at + 10);
        *directory = vg_get_u32 (tail + at + 16);
        return TRUE;
      }
  return FALSE;
}

static gboolean
is_data_name (const char *name)
{
  static const char *const ends[] = { ".sdt", ".ptu", ".bin", ".tif", ".tiff", ".rls" };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (lower, ends[i]) && !strstr (name, "__MACOSX"))
      return TRUE;
  return FALSE;
}

/* The entry at *AT, which moves behind it. */
static gboolean
read_entry (int fd, gint64 *at, Entry *entry)
{
  guint8 bytes[ENTRY];
  gsize length;
  g_autofree char *name = NULL;

  if (vg_pread_all (fd, bytes, ENTRY, *at) != ENTRY || memcmp (bytes, "PK\1\2", 4) != 0)
    return FALSE;
  length = vg_get_u16 (bytes + 28);
  name = g_malloc0 (length + 1);
  if (vg_pread_all (fd, name, length, *at + ENTRY) != (gssize) length)
    return FALSE;
  *at += ENTRY + (gint64) length + vg_get_u16 (bytes + 30) + vg_get_u16 (bytes + 32);
  *entry = (Entry) { vg_get_u32 (bytes + 20), vg_get_u32 (bytes + 24), vg_get_u32 (bytes + 42),
                     g_utf8_make_valid (name, -1) };
  g_strdelimit (entry->name, "\r\n\t\33", ' ');
  return TRUE;
}

static gboolean
find_entry (int fd, const char *name, gint64 size, Entry *found, GError **error)
{
  gint64 at;
  guint entries;

  *found = (Entry) { .name = NULL };
  if (!find_directory (fd, size, &at, &entries))
    return fail (name, "has no directory (cut short?)", error);
  for (guint i = 0; i < MIN (entries, MAX_ENTRIES); i++)
    {
      Entry entry;

      if (!read_entry (fd, &at, &entry))
        break;
      if (entry.unpacked > 0 && (!found->name || is_data_name (entry.name)))
        {
          g_free (found->name);
          *found = entry;
          if (is_data_name (entry.name))
            return TRUE;
        }
      else
        g_free (entry.name);
    }
  return found->name || fail (name, "holds no file", error);
}

/* An entry that cannot be what it says, or would fill the disk, is not begun. */
static gboolean
check_entry (int fd, const Entry *entry, const char *name, gint64 size, gint64 *data, gboolean *deflated,
             GError **error)
{
  struct statvfs disk;

  if (!vg_zip_local_header (fd, entry->header, data, deflated) || *data > size
      || entry->packed > (guint64) (size - *data))
    return fail (name, "holds its file in a form that cannot be read here, or is cut short", error);
  if (entry->unpacked > (*deflated ? VG_DEFLATE_MAX_RATIO * entry->packed + 64 : entry->packed)
      || entry->unpacked >= G_MAXUINT32)
    return fail (name, "announces more than its bytes can hold", error);
  if (statvfs (g_get_tmp_dir (), &disk) != 0 || entry->unpacked <= (guint64) disk.f_bavail * disk.f_frsize)
    return TRUE;
  return fail (name, "is too large for the space left in the temporary folder", error);
}

static gboolean
copy (VgInflate *stream, guint64 length, int to, GError **error)
{
  g_autofree guint8 *block = g_malloc (BLOCK);

  while (length > 0)
    {
      gsize n = (gsize) MIN (length, BLOCK);

      if (!vg_inflate_read (stream, block, n, error))
        return FALSE;
      for (gsize done = 0; done < n;)
        {
          gssize written = write (to, block + done, n - done);

          if (written < 0 && errno == EINTR)
            continue;
          if (written <= 0)
            {
              g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot unpack to %s: %s; free some space there",
                           g_get_tmp_dir (), g_strerror (errno));
              return FALSE;
            }
          done += (gsize) written;
        }
      length -= n;
    }
  return TRUE;
}

int
vg_zip_extract (int fd, const char *name, gint64 size, char **entry_name, GError **error)
{
  g_autoptr (VgInflate) stream = NULL;
  g_autoptr (GError) reason = NULL;
  g_autofree char *path = NULL;
  Entry entry;
  gint64 data;
  gboolean deflated;
  int to = -1;

  *entry_name = NULL;
  if (!find_entry (fd, name, size, &entry, error))
    return -1;
  *entry_name = entry.name;
  if (!check_entry (fd, &entry, name, size, &data, &deflated, error))
    return -1;
  to = g_file_open_tmp ("vivograph-XXXXXX", &path, &reason);
  if (to < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot unpack %s: %s", name, reason->message);
      return -1;
    }
  unlink (path);
  stream = vg_inflate_new (fd, name, data, data + (gint64) entry.packed, deflated ? VG_PACKED_DEFLATE : VG_PACKED_NOT);
  if (copy (stream, entry.unpacked, to, error)
      && (vg_inflate_at_end (stream) || fail (name, "inflates to more than it announces", error)))
    return to;
  close (to);
  return -1;
}
