/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Tells the kind of a file from its first bytes.  One list, for all code that has to know before it
 * opens a file. */
G_BEGIN_DECLS

/* Bytes from the start of a file by which its format is told. */
enum { VG_FORMAT_HEAD_BYTES = 4096 };

typedef enum {
  VG_FORMAT_UNKNOWN, /* may still be a decay as text */
  VG_FORMAT_TIFF,
  VG_FORMAT_NIFTI,
  VG_FORMAT_PTU,
  VG_FORMAT_SDT,
  VG_FORMAT_RLS,
  VG_FORMAT_PQBIN,
  VG_FORMAT_FOIL,
  VG_FORMAT_PNG,
  VG_FORMAT_JPEG,
  VG_FORMAT_ZIP,
} VgFormat;

/* SIZE: bytes of the whole file. */
VgFormat vg_format_detect (const guint8 *head, gsize length, gint64 size);
/* Whether the content is of a known format that this program does not read. */
gboolean vg_format_is_foreign (const guint8 *head, gsize length);
/* Sets the error for a file that is none of those: what it is, by its content
 * or the ending of NAME, and what to export it as.  VG_IO_ERROR_UNKNOWN where
 * neither tells: the file may be bare frames. */
void vg_format_refuse (const char *name, const guint8 *head, gsize length, gint64 size,
                       GError **error);

/* The same for a file that is known to be IS, "an NRRD volume"; WAY_OUT is a sentence. */
void vg_format_refuse_as (const char *name, const char *is, const char *way_out, GError **error);

G_END_DECLS
