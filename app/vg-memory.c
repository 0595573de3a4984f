/* SPDX-License-Identifier: MIT */
/* How much memory is left: the system's MemAvailable, or what the control
 * group of a container leaves, whichever is less. */
#include "vg-work-private.h"

/* The first whole number after LABEL in a small text file. */
static gboolean
read_number (const char *path, const char *label, guint64 *value)
{
  g_autofree char *text = NULL;
  const char *at;
  char *end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  at = strstr (text, label);
  if (at == NULL)
    return FALSE;
  at += strlen (label);
  *value = g_ascii_strtoull (at, &end, 10);
  return end != at;
}

gsize
vg_memory_available (void)
{
  guint64 available = G_MAXSIZE, limit, used, number;

  if (read_number ("/proc/meminfo", "MemAvailable:", &number))
    available = number * 1024;
  if (read_number ("/sys/fs/cgroup/memory.max", "", &limit)
      && read_number ("/sys/fs/cgroup/memory.current", "", &used))
    available = MIN (available, limit > used ? limit - used : 0);
  return MIN (available, G_MAXSIZE);
}
