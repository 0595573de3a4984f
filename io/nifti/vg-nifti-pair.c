/* SPDX-License-Identifier: MIT */
#include "io/nifti/vg-nifti-pair.h"
#include "io/nifti/vg-nifti-header.h"
#include "io/source/vg-source-private.h"
#include <string.h>

static const char *const headers[] = { ".hdr", ".hdr.gz", ".HDR", ".HDR.GZ" };
static const char *const halves[] = { ".img", ".img.gz", ".IMG", ".IMG.GZ" };

/* PATH without its ending, owned; NULL: it has none of ENDINGS. */
static char *
get_stem (const char *path, const char *const endings[4])
{
  for (int i = 0; i < 4; i++)
    if (g_str_has_suffix (path, endings[i]))
      return g_strndup (path, strlen (path) - strlen (endings[i]));
  return NULL;
}

static gboolean
is_pair_header (const char *path)
{
  guint8 head[VG_FORMAT_HEAD_BYTES];
  gint64 size;
  gssize n = vg_read_head (path, head, &size);

  /* the content of a gzip file shows only when it is opened */
  return n > 0 && vg_nifti_detect (head, (gsize) n, size) &&
         !(n >= VG_NIFTI_1_BYTES && memcmp (head + 344, "n+1", 4) == 0) &&
         memcmp (head + 4, "n+2", 3) != 0;
}

char *
vg_nifti_pair_header (const char *path)
{
  g_autofree char *stem = get_stem (path, halves);

  for (int i = 0; stem != NULL && i < 4; i++)
    {
      g_autofree char *header = g_strconcat (stem, headers[i], NULL);

      if (is_pair_header (header))
        return g_steal_pointer (&header);
    }
  return NULL;
}

int
vg_nifti_pair_open (const char *path, const char *name, gint64 *size, GError **error)
{
  g_autofree char *stem = get_stem (path, headers), *short_stem = get_stem (name, headers);

  for (int i = 0; stem != NULL && i < 4; i++)
    {
      g_autofree char *half = g_strconcat (stem, halves[i], NULL);
      int fd = vg_open_regular (half, size);

      if (fd >= 0)
        return fd;
    }
  if (stem != NULL && short_stem != NULL)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                 "\"%s\" is the header of a pair, but \"%s.img\" (or .img.gz) is missing beside "
                 "it; put both into one folder",
                 name, short_stem);
  else
    g_set_error (
        error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
        "\"%s\" is the header of a pair of .hdr and .img, but has another name; rename both files",
        name);
  return -1;
}
