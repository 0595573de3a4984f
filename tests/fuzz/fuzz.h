/* SPDX-License-Identifier: MIT */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <glib.h>
/* A fuzz target: libFuzzer calls it through fuzz-main.c when built with
 * -Dfuzz=true; else the runner there calls it with the corpus and with
 * mutations of it from a fixed seed. */
G_BEGIN_DECLS

void fuzz_one (const guint8 *data, gsize length);

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

G_END_DECLS
