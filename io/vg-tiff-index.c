/* SPDX-License-Identifier: MIT */
/* Walks the chain of TIFF directories (TIFF 6.0 section 2; BigTIFF) without
 * libtiff, which would visit all of them again for every page it seeks. */
#include "vg-tiff-index.h"
#include "vg-error.h"
#include "vg-source-private.h"
#include <string.h>
#include <sys/stat.h>

enum
{
  BLOCK = 1024,            /* holds an ordinary directory whole */
  MAX_ENTRIES = 4096,
  TAG_SUBFILE = 254, TAG_OLD_SUBFILE = 255, TAG_WIDTH = 256, TAG_HEIGHT = 257, TAG_BITS = 258, TAG_SAMPLES = 277,
  TAG_FORMAT = 339,
  SUBFILE_REDUCED = 1, SUBFILE_MASK = 4, OLD_SUBFILE_REDUCED = 2,
};

/* One directory while it is looked at. */
typedef struct
{
  VgTiffShape shape;
  guint64 next;
  gboolean page;           /* not a thumbnail, not a mask */
} Directory;

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

/* The first value of an entry of an integer type; 0 when there is none. */
static guint64
first_value (const VgTiffIndex *self, int fd, const guint8 *entry)
{
  static const guint8 type_sizes[] = { 0, 1, 0, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 8 };
  guint64 type = get_number (self, entry + 2, 2);
  guint64 count = get_number (self, entry + 4, self->big ? 8 : 4);
  gsize inline_bytes = self->big ? 8 : 4, size = type < G_N_ELEMENTS (type_sizes) ? type_sizes[type] : 0;
  const guint8 *value = entry + (self->big ? 12 : 8);
  guint8 elsewhere[8];
  guint64 at;

  if (size == 0 || count == 0)
    return 0;
  if (count <= inline_bytes / size)
    return get_number (self, value, size);
  at = get_number (self, value, inline_bytes);
  if (at > (guint64) self->file_size || vg_pread_all (fd, elsewhere, size, (gint64) at) != (gssize) size)
    return 0;
  return get_number (self, elsewhere, size);
}

static void
take_entry (const VgTiffIndex *self, int fd, const guint8 *entry, Directory *directory)
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
    case TAG_WIDTH: directory->shape.width = first_value (self, fd, entry); break;
    case TAG_HEIGHT: directory->shape.height = first_value (self, fd, entry); break;
    case TAG_BITS: directory->shape.bits = (guint) first_value (self, fd, entry); break;
    case TAG_SAMPLES: directory->shape.samples = (guint) first_value (self, fd, entry); break;
    case TAG_FORMAT: directory->shape.format = (guint) first_value (self, fd, entry); break;
    default: break;
    }
}

static gboolean
read_directory (const VgTiffIndex *self, int fd, guint64 offset, Directory *directory)
{
  gsize count_size = self->big ? 8 : 2, entry_size = self->big ? 20 : 12, link_size = self->big ? 8 : 4;
  guint8 block[BLOCK];
  g_autofree guint8 *longer = NULL;
  const guint8 *bytes = block;
  gsize needed;
  guint64 entries;
  gssize got;

  if (offset > (guint64) self->file_size
      || (got = vg_pread_all (fd, block, sizeof block, (gint64) offset)) < (gssize) count_size)
    return FALSE;
  entries = get_number (self, block, count_size);
  if (entries == 0 || entries > MAX_ENTRIES)
    return FALSE;
  needed = count_size + (gsize) entries * entry_size + link_size;
  if (needed > sizeof block)
    {
      bytes = longer = g_malloc (needed);
      got = vg_pread_all (fd, longer, needed, (gint64) offset);
    }
  if (got < (gssize) needed)
    return FALSE;
  *directory = (Directory) { .shape = { .bits = 1, .format = 1, .samples = 1 }, .page = TRUE };
  for (guint64 i = 0; i < entries; i++)
    take_entry (self, fd, bytes + count_size + i * entry_size, directory);
  directory->next = get_number (self, bytes + needed - link_size, link_size);
  return TRUE;
}

static gboolean
check_shape (const VgTiffIndex *self, const VgTiffShape *shape, const char *name, GError **error)
{
  const VgTiffShape *first = &self->shape;

  if (shape->width != first->width || shape->height != first->height)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "page %u of %s is %" G_GUINT64_FORMAT "x%" G_GUINT64_FORMAT ", the first was %" G_GUINT64_FORMAT
                 "x%" G_GUINT64_FORMAT "; export all pages at one size", self->offsets->len + 1, name, shape->width,
                 shape->height, first->width, first->height);
  else if (shape->bits != first->bits || shape->format != first->format || shape->samples != first->samples)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "page %u of %s has %u sample%s of %u bits per pixel, the first had %u of %u; export all pages as one type",
                 self->offsets->len + 1, name, shape->samples, shape->samples == 1 ? "" : "s", shape->bits,
                 first->samples, first->bits);
  else
    return TRUE;
  return FALSE;
}

/* The file header: byte order, kind, where the first directory is; 0: not TIFF. */
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

static gboolean
walk (VgTiffIndex *self, int fd, const char *name, GError **error)
{
  guint64 offset = read_header (self, fd), landmark = 0, steps = 0, lap = 1;
  Directory directory;

  while (offset != 0)
    {
      /* Brent's cycle finder: a chain that bites its tail meets the landmark */
      if (offset == landmark || !read_directory (self, fd, offset, &directory))
        {
          g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                       "%s is damaged or cut short: the directory of page %u %s; copy or export it again", name,
                       self->offsets->len + 1, offset == landmark ? "leads back to an earlier one" : "cannot be read");
          return FALSE;
        }
      if (++steps == lap)
        {
          landmark = offset;
          steps = 0;
          lap *= 2;
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

VgTiffIndex *
vg_tiff_index_new (int fd, const char *name, GError **error)
{
  g_autoptr (VgTiffIndex) self = g_new0 (VgTiffIndex, 1);
  struct stat status;

  self->offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->file_size = fstat (fd, &status) == 0 ? status.st_size : 0;
  if (!walk (self, fd, name, error))
    return NULL;
  if (self->offsets->len == 0)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "%s is a TIFF file without a page; %s", name,
                   self->skipped ? "it holds only reduced copies or masks" : "export it again");
      return NULL;
    }
  return g_steal_pointer (&self);
}

void
vg_tiff_index_free (VgTiffIndex *self)
{
  g_array_unref (self->offsets);
  g_free (self);
}
