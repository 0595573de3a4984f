/* SPDX-License-Identifier: MIT */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
/* Makes one call of the CUDA module fail.  The variables are those of inject.c:
 *   VG_FAULT_CALL   cuda-memory (a call that allocates), cuda-launch (any call; the next ones work)
 *                   or cuda-lost (any call, and all that follow)
 *   VG_FAULT_AT     number of the call, from 1
 *   VG_FAULT_LOG    log file: "at CALL" names the failed call, "count N" the number of such calls
 */

typedef enum { FAULT_NONE, FAULT_MEMORY, FAULT_LAUNCH, FAULT_LOST } Fault;

static const char *const fault_names[] = { "", "cuda-memory", "cuda-launch", "cuda-lost" };
static long fault_count;

static void
fault_tell (const char *what, const char *text)
{
  const char *path = getenv ("VG_FAULT_LOG");
  int fd = path != NULL ? open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;

  if (fd < 0)
    return;
  dprintf (fd, "%s %s\n", what, text);
  close (fd);
}

/* The fault of this call, which may fail for want of memory if it ALLOCATES. */
static Fault
fault_of (const char *call, int allocates)
{
  const char *kind = getenv ("VG_FAULT_CALL"), *which = getenv ("VG_FAULT_AT");
  int fault = FAULT_LOST;
  long n;

  if (kind == NULL || which == NULL)
    return FAULT_NONE;
  while (fault > FAULT_NONE && strcmp (kind, fault_names[fault]) != 0)
    fault--;
  if (fault == FAULT_NONE || (fault == FAULT_MEMORY && !allocates))
    return FAULT_NONE;
  n = __sync_add_and_fetch (&fault_count, 1);
  if (n == atol (which))
    fault_tell ("at", call);
  return n == atol (which) || (fault == FAULT_LOST && n > atol (which)) ? (Fault) fault
                                                                        : FAULT_NONE;
}

__attribute__ ((destructor)) static void
fault_tell_count (void)
{
  char text[32];

  snprintf (text, sizeof text, "%ld", fault_count);
  fault_tell ("count", text);
}
