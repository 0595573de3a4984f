/* SPDX-License-Identifier: MIT */
/* In the program vivograph-decode of test-fence, and in the test itself. */
#include "tests/io/fence-decoder.h"
#include "kernels/base/vg-error.h"
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 1 << 30 };

void
fence_decoder_fill (gint64 seed, guint8 *bytes, gsize length)
{
  guint32 state = (guint32) seed;

  for (gsize i = 0; i < length; i++)
    {
      state = state * 1664525 + 1013904223;
      bytes[i] = (guint8) (state >> 24);
    }
}

static gpointer
decoder_open (const char *path, gpointer facts, GError **error)
{
  volatile guint64 turns = 0;

  if (g_str_equal (path, "crash"))
    abort ();
  while (g_str_equal (path, "slow"))
    turns++;
  if (g_str_equal (path, "wrong"))
    g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "it is wrong");
  if (!g_str_equal (path, "good"))
    return NULL;
  ((FenceFacts *) facts)->fact = FENCE_FACT;
  return g_strdup (path);
}

static void
try_to_escape (pid_t parent, guint8 *done)
{
  char *const argv[] = { "true", NULL };
  int own = open ("/proc/self/exe", O_RDONLY);
  struct clone_args clone = { .exit_signal = SIGCHLD };
  long children[] = { fork (), syscall (SYS_clone3, &clone, sizeof clone) };

  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    if (children[i] == 0)
      _exit (0);
  *done++ = children[0] > 0;
  *done++ = children[1] > 0;
  *done++ = open ("fence-escape", O_WRONLY | O_CREAT, 0600) >= 0;
  *done++ = open ("fence-escape", O_RDWR) >= 0;
  *done++ = open ("fence-escape", O_RDONLY | O_CREAT, 0600) >= 0;
  *done++ = open ("fence-escape", O_RDONLY | O_TRUNC) >= 0;
  *done++ = creat ("fence-escape", 0600) >= 0;
  *done++ = mkdir ("fence-escape-folder", 0700) == 0;
  *done++ = unlink ("fence-escape") == 0;
  *done++ = rename ("fence-escape", "fence-escaped") == 0;
  *done++ = socket (AF_INET, SOCK_STREAM, 0) >= 0;
  *done++ = socket (AF_UNIX, SOCK_STREAM, 0) >= 0;
  *done++ = kill (parent, 0) == 0;
  *done++ = fcntl (own, F_SETFL, O_ASYNC) == 0;
  *done++ = fcntl (own, F_SETOWN, parent) == 0;
  *done++ = ptrace (PTRACE_TRACEME, 0, NULL, NULL) == 0;
  *done++ = execv ("/bin/true", argv) == 0 || own < 0;
}

static gpointer
fill (gpointer answer)
{
  GByteArray *bytes = answer;

  fence_decoder_fill (1, bytes->data, bytes->len);
  return bytes;
}

static gboolean
decoder_read (gpointer file, const gint64 numbers[VG_DECODER_NUMBERS], gpointer result,
              gsize length, GError **error)
{
  const pid_t own = getpid ();
  volatile guint64 turns = 0;

  switch (numbers[0])
    {
    case FENCE_ANSWER:
      fence_decoder_fill (numbers[1], result, length);
      memcpy ((guint8 *) result + length - sizeof own, &own, sizeof own);
      return TRUE;
    case FENCE_THREAD:
      g_thread_join (g_thread_new ("filler", fill, &(GByteArray){ result, (guint) length }));
      return TRUE;
    case FENCE_CRASH:
      abort ();
    case FENCE_SPIN:
      for (;;)
        turns++;
    case FENCE_TOO_MUCH:
      g_free (g_malloc (2 * (gsize) LIMIT));
      return TRUE;
    case FENCE_ESCAPE:
      try_to_escape ((pid_t) numbers[1], result);
      return TRUE;
    default:
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "it is spoilt");
      return FALSE;
    }
}

const VgDecoder fence_decoder = {
  .name = "test",
  .facts = sizeof (FenceFacts),
  .seconds = 60,
  .memory = LIMIT,
  .open = decoder_open,
  .read = decoder_read,
  .close = g_free,
};
