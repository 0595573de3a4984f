/* SPDX-License-Identifier: MIT */
#pragma once
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <glib.h>
/* A fuzz target: libFuzzer calls it through fuzz-main.c when built with
 * -Dfuzz=true; else the runner there calls it with the corpus and with
 * mutations of it from a fixed seed. */
G_BEGIN_DECLS

void fuzz_one (const guint8 *data, gsize length);

/* An empty folder for the files of one input, in memory if possible.  The target removes its files;
 * the folder is removed when the program ends. */
const char *fuzz_folder (void);

/* Ends the program unless CONDITION holds.  g_assert can be compiled out, and libFuzzer keeps the
 * input after abort but not after the trap of g_error. */
static inline void
fuzz_require (gboolean condition, const char *what)
{
  if (condition)
    return;
  fprintf (stderr, "fuzz: %s\n", what);
  abort ();
}

/* ERROR is that of a reader, which has REFUSED its input or not. */
static inline void
fuzz_require_message (gboolean refused, const GError *error)
{
  fuzz_require (refused == (error != NULL), "refuses without saying why, or takes with an error");
  if (error == NULL ||
      (strchr (error->message, '\n') == NULL && g_utf8_validate (error->message, -1, NULL)))
    return;
  fprintf (stderr, "fuzz: %s\n", error->message);
  fuzz_require (FALSE, "says why in more than a line, or not in UTF-8");
}

/* Writes a file, without a flush. */
static inline void
fuzz_put_file (const char *path, const void *data, gsize length)
{
  int fd = open (path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);

  fuzz_require (fd >= 0 && write (fd, data, length) == (gssize) length, "cannot write a file");
  close (fd);
}

G_END_DECLS
