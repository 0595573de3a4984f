/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Threads of this process, as Linux counts them. */
static inline int
count_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  int n = 0;

  while (tasks != NULL && g_dir_read_name (tasks) != NULL)
    n++;
  return n;
}
