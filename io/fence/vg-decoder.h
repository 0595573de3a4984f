/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A decoder of files that calls a third-party library.  io/fence runs it in its own process. */
G_BEGIN_DECLS

enum { VG_DECODER_NUMBERS = 6 };

typedef struct
{
  const char *name;
  gsize facts;   /* size of the description of an open file, bytes */
  int seconds;   /* time limit of a call */
  gint64 memory; /* limit of the address space, bytes */
  /* Opens the file PATH and fills FACTS, which is zero before.  NULL without an error: it is no
   * file of this decoder.  The message of an error is a reason, not a sentence. */
  gpointer (*open) (const char *path, gpointer facts, GError **error);
  /* Fills LENGTH bytes of RESULT with what NUMBERS ask for.  After an error, the next call may
   * succeed. */
  gboolean (*read) (gpointer file, const gint64 numbers[VG_DECODER_NUMBERS], gpointer result,
                    gsize length, GError **error);
  void (*close) (gpointer file);
} VgDecoder;

/* Reads DICOM files with the module of DCMTK: io/dicom/vg-dicom-decoder.h. */
extern const VgDecoder vg_dicom_decoder;

G_END_DECLS
