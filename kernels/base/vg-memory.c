/* SPDX-License-Identifier: MIT */
/* Available memory: MemAvailable of /proc/meminfo, and what is left of the
 * control group's limit (cgroup v2). */
#include "kernels/base/vg-memory.h"
#include "kernels/base/vg-error.h"
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static gboolean
read_bytes (const char *path, const char *key, guint64 unit, guint64 *bytes)
{
  g_autofree char *text = NULL;
  const char *start;
  char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  start = strstr (text, key);
  if (start == NULL)
    return FALSE;
  start += strlen (key);
  *bytes = g_ascii_strtoull (start, &end, 10) * unit;
  return end != start;
}

gsize
vg_memory_available (void)
{
  guint64 available = G_MAXSIZE, limit, used, cache;

  if (!read_bytes ("/proc/meminfo", "MemAvailable:", 1024, &available))
    available = G_MAXSIZE;
  if (read_bytes ("/sys/fs/cgroup/memory.max", "", 1, &limit) &&
      read_bytes ("/sys/fs/cgroup/memory.current", "", 1, &used))
    {
      /* the system frees the container's file cache on demand */
      if (read_bytes ("/sys/fs/cgroup/memory.stat", "\ninactive_file ", 1, &cache))
        used -= MIN (used, cache);
      available = MIN (available, limit > used ? limit - used : 0);
    }
  return (gsize) MIN (available, G_MAXSIZE);
}

gboolean
vg_memory_check (gsize bytes, const char *what, GError **error)
{
  const gsize unchecked = 1 << 20;
  g_autofree char *need = NULL, *have = NULL;
  gsize available;

  if (bytes < unchecked)
    return TRUE;
  available = vg_memory_available ();
  if (bytes <= available)
    return TRUE;
  need = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  have = g_format_size_full (available, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "%s would take %s of memory, but only %s is free; use fewer or smaller frames, or "
               "close other programs",
               what, need, have);
  return FALSE;
}

void
vg_memory_return_planes (void)
{
#ifdef M_MMAP_THRESHOLD
  mallopt (M_MMAP_THRESHOLD, 1 << 20);
#endif
}

void
vg_memory_gather (void *to, const void *from, gsize pitch, gsize row, gsize at, gsize bytes)
{
  const gsize piece = 256 * 1024;

#pragma omp parallel for
  for (gsize start = 0; start < bytes; start += piece)
    for (gsize i = start, end = MIN (start + piece, bytes); i < end;)
      {
        /* a piece may cross the end of a row */
        gsize in_row = (at + i) % row, length = MIN (end - i, row - in_row);

        memcpy ((guint8 *) to + i, (const guint8 *) from + (at + i) / row * pitch + in_row, length);
        i += length;
      }
}
