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

/* What WORK returns in a thread of its own.  The kernel lists a thread, and the helpers that it
 * started, for a moment after it was joined: waits until they are gone, at most 10 s. */
static inline gpointer
run_alone (GThreadFunc work, gpointer data)
{
  int before = count_threads ();
  gpointer result = g_thread_join (g_thread_new ("alone", work, data));

  for (int i = 0; i < 1000 && count_threads () > before; i++)
    g_usleep (10000);
#ifndef __clang__ /* whose OpenMP library keeps its threads for other work */
  g_assert_cmpint (count_threads (), ==, before);
#endif
  return result;
}
