/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A reader of files with a library that is not ours.  io/fence runs it in a process of its own. */
G_BEGIN_DECLS

enum { VG_DECODER_NUMBERS = 6 };

typedef struct
{
  const char *name;
  gsize facts;   /* bytes that describe an opened file */
  int seconds;   /* that a call may take */
  gint64 memory; /* address space, bytes */
  /* Opens the file PATH and fills FACTS, which is zero before.  NULL without an error: it is no
   * file of this decoder.  The message of an error is a reason, not a sentence. */
  gpointer (*open) (const char *path, gpointer facts, GError **error);
  /* Fills LENGTH bytes of RESULT with what NUMBERS ask for.  After an error, the next call may
   * succeed. */
  gboolean (*read) (gpointer file, const gint64 numbers[VG_DECODER_NUMBERS], gpointer result,
                    gsize length, GError **error);
  void (*close) (gpointer file);
} VgDecoder;

G_END_DECLS
