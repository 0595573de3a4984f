/* SPDX-License-Identifier: MIT */
/* Extracts one file of a ZIP archive (APPNOTE 4.3.12, 4.3.16) by its directory, without ZIP64 and
 * encryption.  The first bytes of a file show whether its format is read before it is unpacked, so
 * that a small archive of zeros does not fill the disk. */
#include "io/vg-zip.h"
#include "io/source/vg-bytes.h"
#include "io/source/vg-inflate.h"
#include "io/source/vg-source-private.h"
#include "io/vg-formats.h"
#include <errno.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { END_RECORD = 22, MAX_COMMENT = 65535, ENTRY = 46, MAX_ENTRIES = 65535, BLOCK = 32 << 10 };
/* Number of files whose first bytes are checked; largest file that is unpacked to see whether it is
 * a decay as text. */
enum { MAX_LOOKS = 256, MAX_TEXT_BYTES = 4 << 20 };

typedef struct
{
  guint64 packed, unpacked;
  gint64 header; /* offset of the local header */
  gint64 data;   /* offset of the compressed bytes */
  gboolean deflated;
  char *name;
} Entry;

static gboolean
fail (const char *name, const char *why, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "\"%s\", a ZIP archive, %s; unpack it and open the file inside", name, why);
  return FALSE;
}

/* Finds the offset and the number of entries of the directory in the last record of the file. */
static gboolean
find_directory (int fd, gint64 size, gint64 *directory, guint *entries)
{
  gsize length = (gsize) MIN (size, END_RECORD + MAX_COMMENT);
  guint8 tail[END_RECORD + MAX_COMMENT];

  if (length < END_RECORD ||
      vg_pread_all (fd, tail, length, size - (gint64) length) != (gssize) length)
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
  return vg_format_has_suffix (name) && !strstr (name, "__MACOSX");
}

/* Reads the directory entry at *AT and moves *AT behind it. */
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
  *entry = (Entry){ .packed = vg_get_u32 (bytes + 20),
                    .unpacked = vg_get_u32 (bytes + 24),
                    .header = vg_get_u32 (bytes + 42),
                    .name = g_utf8_make_valid (name, -1) };
  g_strdelimit (entry->name, "\r\n\t\33", ' ');
  return TRUE;
}

/* Finds the first entry that SUITS accepts and whose name has the suffix of a data file, else the
 * first that SUITS accepts. */
static gboolean
find_entry (int fd, const char *name, gint64 size, guint limit,
            gboolean (*suits) (int fd, gint64 size, Entry *entry), Entry *found, GError **error)
{
  gint64 at;
  guint entries;

  *found = (Entry){ .name = NULL };
  if (!find_directory (fd, size, &at, &entries))
    return fail (name, "has no directory (cut short?)", error);
  for (guint i = 0; i < MIN (entries, limit); i++)
    {
      Entry entry;

      if (!read_entry (fd, &at, &entry))
        break;
      if (entry.unpacked > 0 && (!found->name || is_data_name (entry.name)) &&
          suits (fd, size, &entry))
        {
          g_free (found->name);
          *found = entry;
          if (is_data_name (entry.name))
            return TRUE;
        }
      else
        g_free (entry.name);
    }
  return found->name != NULL;
}

/* Finds the bytes of the entry; FALSE: they are not within the file. */
static gboolean
locate (int fd, gint64 size, Entry *entry)
{
  return vg_zip_local_header (fd, entry->header, &entry->data, &entry->deflated) &&
         entry->data <= size && entry->packed <= (guint64) (size - entry->data);
}

static VgInflate *
open_entry (int fd, const char *name, const Entry *entry)
{
  return vg_inflate_new (fd, name, entry->data, entry->data + (gint64) entry->packed,
                         entry->deflated ? VG_PACKED_DEFLATE : VG_PACKED_NONE);
}

/* Reads the first bytes of the entry; their number, or 0: they cannot be read. */
static gsize
read_head (int fd, gint64 size, Entry *entry, guint8 head[VG_FORMAT_HEAD_BYTES])
{
  g_autoptr (VgInflate) stream = NULL;
  gsize n = (gsize) MIN (entry->unpacked, VG_FORMAT_HEAD_BYTES);

  if (!locate (fd, size, entry))
    return 0;
  stream = open_entry (fd, entry->name, entry);
  return vg_inflate_read (stream, head, n, NULL) ? n : 0;
}

static gboolean
is_known (int fd, gint64 size, Entry *entry)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gsize n = read_head (fd, size, entry, head);
  const VgFormat *format = vg_format_find (head, n, (gint64) entry->unpacked);

  return n > 0 && format != NULL && format->open != NULL;
}

/* Whether the entry may be a decay as text, which only the whole file shows. */
static gboolean
is_small (int fd, gint64 size, Entry *entry)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gsize n = read_head (fd, size, entry, head);

  return entry->unpacked <= MAX_TEXT_BYTES && !vg_format_is_foreign (head, n) &&
         !vg_zip_format.detect (head, n, (gint64) entry->unpacked);
}

static gboolean
is_any (int fd, gint64 size, Entry *entry)
{
  return TRUE;
}

/* Whether the compressed bytes can expand to the claimed number of bytes. */
static gboolean
is_possible (const Entry *entry)
{
  return entry->unpacked <=
             (entry->deflated ? VG_DEFLATE_MAX_RATIO * entry->packed + 64 : entry->packed) &&
         entry->unpacked < G_MAXUINT32;
}

/* Finds the entry to unpack.  If none can be read, the error is about the one that has the suffix
 * of a data file. */
static gboolean
choose_entry (int fd, const char *name, gint64 size, Entry *found, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *full = NULL;
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gsize n;

  if (find_entry (fd, name, size, MAX_LOOKS, is_known, found, &local) ||
      (local == NULL && find_entry (fd, name, size, MAX_LOOKS, is_small, found, &local)))
    {
      if (locate (fd, size, found))
        return TRUE;
      g_clear_pointer (&found->name, g_free);
      return fail (name, "contains its file in a form that cannot be read, or is cut short", error);
    }
  if (local != NULL || !find_entry (fd, name, size, MAX_ENTRIES, is_any, found, &local))
    {
      if (local == NULL)
        return fail (name, "contains no file", error);
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  full = g_strdup_printf ("%s in %s", found->name, name);
  n = read_head (fd, size, found, head);
  if (n > 0 && !is_possible (found))
    fail (name, "declares more data than its bytes can contain", error);
  else if (n == 0)
    fail (name, "contains its file in a form that cannot be read, or is cut short", error);
  else
    vg_format_refuse (full, head, n, (gint64) found->unpacked, error);
  g_clear_pointer (&found->name, g_free);
  return FALSE;
}

/* Refuses an entry whose size is impossible, above the limit, or above the free space. */
static gboolean
check_entry (const Entry *entry, const char *name, guint64 limit, GError **error)
{
  g_autofree char *takes = g_format_size (entry->unpacked), *most = NULL;
  struct statvfs disk;
  guint64 room;

  if (!is_possible (entry))
    return fail (name, "declares more data than its bytes can contain", error);
  room = statvfs (g_get_tmp_dir (), &disk) == 0 ? (guint64) disk.f_bavail * disk.f_frsize
                                                : G_MAXUINT64;
  if (entry->unpacked <= MIN (limit, room))
    return TRUE;
  most = g_format_size (MIN (limit, room));
  if (limit < room)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "\"%s\" in \"%s\" takes %s unpacked, above the limit of %s; unpack it and open "
                 "the file itself, or raise Unpacking limit",
                 entry->name, name, takes, most);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                 "\"%s\" in \"%s\" takes %s unpacked, but %s has only %s left; free some space "
                 "there, or set TMPDIR to a folder with more space",
                 entry->name, name, takes, g_get_tmp_dir (), most);
  return FALSE;
}

static gboolean
copy (VgInflate *stream, guint64 length, int to, GError **error)
{
  guint8 block[BLOCK];

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
              g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                           "cannot unpack to \"%s\": %s; free some space there", g_get_tmp_dir (),
                           g_strerror (errno));
              return FALSE;
            }
          done += (gsize) written;
        }
      length -= n;
    }
  return TRUE;
}

int
vg_zip_extract (int fd, const char *name, gint64 size, guint64 limit, char **entry_name,
                GError **error)
{
  g_autoptr (VgInflate) stream = NULL;
  g_autoptr (GError) reason = NULL;
  g_autofree char *path = NULL;
  Entry entry;
  int to = -1;

  *entry_name = NULL;
  if (!choose_entry (fd, name, size, &entry, error))
    return -1;
  *entry_name = entry.name;
  if (!check_entry (&entry, name, limit, error))
    return -1;
  to = g_file_open_tmp ("vivograph-XXXXXX", &path, &reason);
  if (to < 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot unpack \"%s\": %s", name,
                   reason->message);
      return -1;
    }
  unlink (path);
  stream = open_entry (fd, name, &entry);
  /* libtiff reads from the current position of the descriptor */
  if (copy (stream, entry.unpacked, to, error) &&
      (vg_inflate_at_end (stream) || fail (name, "unpacks to more than it declares", error)) &&
      (lseek (to, 0, SEEK_SET) == 0 || fail (name, "cannot be unpacked", error)))
    return to;
  close (to);
  return -1;
}
