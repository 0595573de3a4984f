/* SPDX-License-Identifier: MIT */
/* Follows the chain of TIFF directories (TIFF 6.0 section 2; BigTIFF) without libtiff, which would
 * read all of them again for every page it seeks. */
#include "io/tiff/vg-tiff-index.h"
#include "kernels/base/vg-error.h"
#include "io/source/vg-source-private.h"
#include <string.h>
#include <sys/stat.h>

enum {
  BLOCK = 1024, /* bytes that hold an ordinary directory */
  MAX_ENTRIES = 4096,
  TAG_SUBFILE = 254,
  TAG_OLD_SUBFILE = 255,
  TAG_WIDTH = 256,
  TAG_HEIGHT = 257,
  TAG_BITS = 258,
  TAG_SAMPLES = 277,
  TAG_FORMAT = 339,
  TAG_TILE_WIDTH = 322,
  TAG_NDPI = 65420,
  TAG_DESCRIPTION = 270,
  TAG_STRIP_OFFSETS = 273,
  TAG_STRIP_BYTES = 279,
  TAG_TILE_OFFSETS = 324,
  TAG_TILE_BYTES = 325,
  MOST_PIECES = 1 << 20, /* strips or tiles of a page that are checked */
  SUBFILE_REDUCED = 1,
  SUBFILE_MASK = 4,
  OLD_SUBFILE_REDUCED = 2,
};

/* A directory while it is parsed. */
typedef struct
{
  VgTiffShape shape;
  guint64 next;
  gboolean page;   /* neither a thumbnail nor a mask */
  gboolean beyond; /* it lies behind the end of the file, or was never written */
} Directory;

/* The bytes of a directory. */
typedef struct
{
  guint8 block[BLOCK];
  guint8 *longer; /* or NULL */
  const guint8 *entries;
  guint64 n;
  const guint8 *link;
} DirectoryBytes;

static void
directory_bytes_clear (DirectoryBytes *self)
{
  g_clear_pointer (&self->longer, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (DirectoryBytes, directory_bytes_clear)

static guint64
get_number (const VgTiffIndex *self, const guint8 *bytes, gsize size)
{
  guint16 v16;
  guint32 v32;
  guint64 v64;

  if (size == 1)
    return bytes[0];
  if (size == 2)
    {
      memcpy (&v16, bytes, 2);
      return self->swap ? GUINT16_SWAP_LE_BE (v16) : v16;
    }
  if (size == 4)
    {
      memcpy (&v32, bytes, 4);
      return self->swap ? GUINT32_SWAP_LE_BE (v32) : v32;
    }
  memcpy (&v64, bytes, 8);
  return self->swap ? GUINT64_SWAP_LE_BE (v64) : v64;
}

/* Bytes of a value of the entry's type; 0: the type is unknown, or no integer where INTEGER asks
 * for one. */
static gsize
value_size (const VgTiffIndex *self, const guint8 *entry, gboolean integer)
{
  static const guint8 sizes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8 };
  const guint32 integers = 1u << 1 | 1u << 3 | 1u << 4 | 1u << 13 | 1u << 16;
  guint64 type = get_number (self, entry + 2, 2);

  return type < G_N_ELEMENTS (sizes) && (!integer || (integers >> type & 1)) ? sizes[type] : 0;
}

/* Reads up to MOST of the COUNT values of SIZE bytes of ENTRY; *N is their number.  NULL: they lie
 * behind the end of the file, or there is no memory for them. */
static guint8 *
read_values (const VgTiffIndex *self, int fd, const guint8 *entry, gsize size, guint64 most,
             guint64 *n)
{
  guint64 count = get_number (self, entry + 4, self->big ? 8 : 4), at;
  gsize inline_bytes = self->big ? 8 : 4;
  const guint8 *value = entry + (self->big ? 12 : 8);
  g_autofree guint8 *values = NULL;

  *n = MIN (count, most);
  if (*n == 0 || size == 0)
    return NULL;
  if (count <= inline_bytes / size)
    return g_memdup2 (value, (gsize) *n * size);
  at = get_number (self, value, inline_bytes);
  if (at > (guint64) self->file_size || *n > ((guint64) self->file_size - at) / size)
    return NULL;
  values = g_try_malloc ((gsize) *n * size);
  if (values == NULL ||
      vg_pread_all (fd, values, (gsize) *n * size, (gint64) at) != (gssize) ((gsize) *n * size))
    return NULL;
  return g_steal_pointer (&values);
}

/* The first value of an entry of an integer type, or 0. */
static guint64
first_value (const VgTiffIndex *self, int fd, const guint8 *entry)
{
  gsize size = value_size (self, entry, TRUE);
  guint64 n;
  g_autofree guint8 *value = read_values (self, fd, entry, size, 1, &n);

  return value ? get_number (self, value, size) : 0;
}

static void
parse_entry (const VgTiffIndex *self, int fd, const guint8 *entry, Directory *directory)
{
  switch (get_number (self, entry, 2))
    {
    case TAG_SUBFILE:
      if (first_value (self, fd, entry) & (SUBFILE_REDUCED | SUBFILE_MASK))
        directory->page = FALSE;
      break;
    case TAG_OLD_SUBFILE:
      if (first_value (self, fd, entry) == OLD_SUBFILE_REDUCED)
        directory->page = FALSE;
      break;
    case TAG_WIDTH:
      directory->shape.width = first_value (self, fd, entry);
      break;
    case TAG_HEIGHT:
      directory->shape.height = first_value (self, fd, entry);
      break;
    case TAG_BITS:
      directory->shape.bits = (guint) first_value (self, fd, entry);
      break;
    case TAG_SAMPLES:
      directory->shape.samples = (guint) first_value (self, fd, entry);
      break;
    case TAG_FORMAT:
      directory->shape.format = (guint) first_value (self, fd, entry);
      break;
    default:
      break;
    }
}

/* FALSE: there is no directory at OFFSET; *BEYOND: because the file ends before, or nothing was
 * written there. */
static gboolean
read_bytes (const VgTiffIndex *self, int fd, guint64 offset, DirectoryBytes *bytes,
            gboolean *beyond)
{
  gsize count_size = self->big ? 8 : 2, entry_size = self->big ? 20 : 12,
        link_size = self->big ? 8 : 4;
  const guint8 *at = bytes->block;
  gssize got = -1;
  gsize needed;

  *beyond = offset + count_size > (guint64) self->file_size;
  if (offset > (guint64) self->file_size ||
      (got = vg_pread_all (fd, bytes->block, sizeof bytes->block, (gint64) offset)) <
          (gssize) count_size)
    return FALSE;
  bytes->n = get_number (self, bytes->block, count_size);
  *beyond = bytes->n == 0;
  if (bytes->n == 0 || bytes->n > MAX_ENTRIES)
    return FALSE;
  needed = count_size + (gsize) bytes->n * entry_size + link_size;
  *beyond = offset + needed > (guint64) self->file_size;
  if (needed > sizeof bytes->block)
    {
      at = bytes->longer = g_malloc (needed);
      got = vg_pread_all (fd, bytes->longer, needed, (gint64) offset);
    }
  if (got < (gssize) needed)
    return FALSE;
  bytes->entries = at + count_size;
  bytes->link = at + needed - link_size;
  return TRUE;
}

static gboolean
read_directory (const VgTiffIndex *self, int fd, guint64 offset, Directory *directory)
{
  gsize entry_size = self->big ? 20 : 12;
  g_auto (DirectoryBytes) bytes = { .longer = NULL };

  *directory = (Directory){ .shape = { .bits = 1, .format = 1, .samples = 1 }, .page = TRUE };
  if (!read_bytes (self, fd, offset, &bytes, &directory->beyond))
    return FALSE;
  for (guint64 i = 0; i < bytes.n; i++)
    parse_entry (self, fd, bytes.entries + i * entry_size, directory);
  directory->next = get_number (self, bytes.link, self->big ? 8 : 4);
  return TRUE;
}

/* --- values of an entry --- */

static const guint8 *
find_entry (const VgTiffIndex *self, const DirectoryBytes *bytes, guint tag)
{
  for (guint64 i = 0; i < bytes->n; i++)
    if (get_number (self, bytes->entries + i * (self->big ? 20 : 12), 2) == tag)
      return bytes->entries + i * (self->big ? 20 : 12);
  return NULL;
}

gboolean
vg_tiff_index_read_description (const VgTiffIndex *self, int fd, guint i, char *text, gsize size)
{
  g_auto (DirectoryBytes) bytes = { .longer = NULL };
  g_autofree guint8 *values = NULL;
  gboolean beyond;
  const guint8 *entry;
  guint64 n;

  if (!read_bytes (self, fd, g_array_index (self->offsets, guint64, i), &bytes, &beyond) ||
      !(entry = find_entry (self, &bytes, TAG_DESCRIPTION)) ||
      !(values = read_values (self, fd, entry, 1, size - 1, &n)))
    return FALSE;
  memcpy (text, values, (gsize) n);
  text[n] = '\0';
  return TRUE;
}

/* Whether the values of all entries of the directory lie within the file. */
static gboolean
has_values (const VgTiffIndex *self, const DirectoryBytes *bytes)
{
  gsize inline_bytes = self->big ? 8 : 4;

  for (guint64 i = 0; i < bytes->n; i++)
    {
      const guint8 *entry = bytes->entries + i * (self->big ? 20 : 12);
      guint64 count = get_number (self, entry + 4, inline_bytes),
              size = value_size (self, entry, FALSE),
              at = get_number (self, entry + (self->big ? 12 : 8), inline_bytes);

      if (size > 0 && count > inline_bytes / size &&
          (at > (guint64) self->file_size || count > ((guint64) self->file_size - at) / size))
        return FALSE;
    }
  return TRUE;
}

/* Whether all strips or tiles of the page at OFFSET lie within the file. */
static gboolean
is_whole (const VgTiffIndex *self, int fd, guint64 offset)
{
  static const guint kinds[][2] = { { TAG_STRIP_OFFSETS, TAG_STRIP_BYTES },
                                    { TAG_TILE_OFFSETS, TAG_TILE_BYTES } };
  g_auto (DirectoryBytes) bytes = { .longer = NULL };
  gboolean beyond;

  if (!read_bytes (self, fd, offset, &bytes, &beyond) || !has_values (self, &bytes))
    return FALSE;
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    {
      const guint8 *where = find_entry (self, &bytes, kinds[k][0]),
                   *lengths = find_entry (self, &bytes, kinds[k][1]);
      gsize where_size = where ? value_size (self, where, TRUE) : 0,
            length_size = lengths ? value_size (self, lengths, TRUE) : 0;
      guint64 n_where = 0, n_lengths = 0;
      g_autofree guint8 *offsets = where_size ? read_values (self, fd, where, where_size,
                                                             MOST_PIECES, &n_where)
                                              : NULL;
      g_autofree guint8 *sizes = length_size ? read_values (self, fd, lengths, length_size,
                                                            MOST_PIECES, &n_lengths)
                                             : NULL;

      if ((where_size && !offsets && n_where > 0) || (length_size && !sizes && n_lengths > 0))
        return FALSE; /* the lists of strips lie behind the end of the file */
      for (guint64 i = 0; offsets && sizes && i < MIN (n_where, n_lengths); i++)
        {
          guint64 at = get_number (self, offsets + i * where_size, where_size),
                  length = get_number (self, sizes + i * length_size, length_size);

          if (at > (guint64) self->file_size || length > (guint64) self->file_size - at)
            return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_shape (const VgTiffIndex *self, const VgTiffShape *shape, const char *name, GError **error)
{
  const VgTiffShape *first = &self->shape;

  if (shape->width != first->width || shape->height != first->height)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "page %u of \"%s\" is %" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT
                 ", but the first is %" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT
                 "; export all pages with one size",
                 self->offsets->len + 1, name, shape->width, shape->height, first->width,
                 first->height);
  else if (shape->bits != first->bits || shape->format != first->format ||
           shape->samples != first->samples)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "page %u of \"%s\" has %u sample%s of %u bits per pixel, but the first has %u of "
                 "%u; export all pages with one type",
                 self->offsets->len + 1, name, shape->samples, shape->samples == 1 ? "" : "s",
                 shape->bits, first->samples, first->bits);
  else
    return TRUE;
  return FALSE;
}

/* Reads byte order and version; the offset of the first directory, or 0: the file is no TIFF. */
static guint64
read_header (VgTiffIndex *self, int fd)
{
  guint8 head[16] = { 0 };
  guint64 version;

  if (vg_pread_all (fd, head, sizeof head, 0) < 8)
    return 0;
  self->swap = (head[0] == 'M') == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  version = get_number (self, head + 2, 2);
  self->big = version == 43;
  if (version != 42 && version != 43)
    return 0;
  return self->big ? get_number (self, head + 8, 8) : get_number (self, head + 4, 4);
}

/* Brent's cycle detection: a cyclic chain of directories reaches the landmark again. */
typedef struct
{
  guint64 landmark, steps, lap;
} Chain;

static gboolean
leads_back (Chain *self, guint64 offset)
{
  if (offset == self->landmark)
    return TRUE;
  if (self->steps++ == self->lap)
    {
      self->landmark = offset;
      self->steps = 0;
      self->lap = 2 * self->lap + 1;
    }
  return FALSE;
}

static gboolean
walk (VgTiffIndex *self, int fd, const char *name, GError **error)
{
  guint64 offset = read_header (self, fd);
  Chain chain = { .landmark = 0 };
  Directory directory;

  while (offset != 0)
    {
      gboolean back = leads_back (&chain, offset);

      if (back || !read_directory (self, fd, offset, &directory))
        {
          self->cut = !back && directory.beyond && self->offsets->len > 0;
          if (self->cut)
            return TRUE;
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                       "\"%s\" is damaged or cut short: the directory of page %u %s; copy or "
                       "export it again",
                       name, self->offsets->len + 1,
                       back ? "leads back to an earlier one" : "cannot be read");
          return FALSE;
        }
      if (!directory.page)
        self->skipped++;
      else
        {
          if (self->offsets->len == 0)
            self->shape = directory.shape;
          else if (!check_shape (self, &directory.shape, name, error))
            return FALSE;
          g_array_append_val (self->offsets, offset);
        }
      offset = directory.next;
    }
  return TRUE;
}

/* Keeps the pages before the first incomplete one, at least one page. */
static void
leave_out_cut (VgTiffIndex *self, int fd)
{
  while (self->offsets->len > 1 &&
         !is_whole (self, fd, g_array_index (self->offsets, guint64, self->offsets->len - 1)))
    {
      g_array_set_size (self->offsets, self->offsets->len - 1);
      self->cut = TRUE;
    }
}

VgTiffIndex *
vg_tiff_index_new (int fd, const char *name, GError **error)
{
  g_autoptr (VgTiffIndex) self = g_new0 (VgTiffIndex, 1);
  struct stat status;

  self->offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->file_size = fstat (fd, &status) == 0 ? status.st_size : 0;
  if (!walk (self, fd, name, error))
    return NULL;
  leave_out_cut (self, fd);
  if (self->offsets->len == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" is a TIFF file without pages; %s", name,
                   self->skipped ? "it has only reduced copies or masks" : "export it again");
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* A file of Hamamatsu beyond 4 GB is no BigTIFF, but has its offsets. */
static gboolean
is_large_ndpi (const VgTiffIndex *self, int fd)
{
  g_auto (DirectoryBytes) bytes = { .longer = NULL };
  guint8 offset[8];
  gboolean beyond;

  return !self->big && self->file_size > G_MAXUINT32 &&
         vg_pread_all (fd, offset, sizeof offset, 4) == sizeof offset &&
         read_bytes (self, fd, get_number (self, offset, sizeof offset), &bytes, &beyond) &&
         find_entry (self, &bytes, TAG_NDPI) != NULL;
}

gboolean
vg_tiff_index_may_be_slide (int fd, gint64 size)
{
  VgTiffIndex self = { .file_size = size };
  guint64 first = read_header (&self, fd), offset = first;
  Chain chain = { .landmark = 0 };

  if (is_large_ndpi (&self, fd))
    return TRUE;
  while (offset != 0 && !leads_back (&chain, offset))
    {
      g_auto (DirectoryBytes) bytes = { .longer = NULL };
      gboolean beyond;

      if (!read_bytes (&self, fd, offset, &bytes, &beyond))
        return FALSE;
      if (find_entry (&self, &bytes, TAG_TILE_WIDTH) != NULL ||
          (offset == first && find_entry (&self, &bytes, TAG_NDPI) != NULL))
        return TRUE;
      offset = get_number (&self, bytes.link, self.big ? 8 : 4);
    }
  return FALSE;
}

void
vg_tiff_index_free (VgTiffIndex *self)
{
  g_array_unref (self->offsets);
  g_free (self);
}
