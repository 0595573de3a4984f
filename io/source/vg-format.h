/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/source/vg-source.h"
/* What a reader says of its file format.  Each reader defines one VgFormat; io/vg-formats.c lists
 * them all. */
G_BEGIN_DECLS

/* Bytes from the start of a file that show its format. */
enum { VG_FORMAT_HEAD_BYTES = 4096 };

/* A regular file that a reader is asked to open. */
typedef struct
{
  int fd;           /* at position 0; the reader owns it, also when opening fails */
  const char *name; /* for messages */
  const char *path; /* for the files beside it */
  gint64 size;      /* bytes */
  const VgSourceOptions *options;
  const VgReadOptions *read_options;
} VgSourceFile;

typedef struct
{
  const char *id; /* for vg_format_is_on */
  const char *name;
  const char *suffixes[4]; /* in lower case, NULL at the end; used to choose a file in an archive */
  /* Whether a file of SIZE bytes that begins with the LENGTH bytes HEAD is in this format. */
  gboolean (*detect) (const guint8 *head, gsize length, gint64 size);
  /* In place of `detect` for a format without a magic number: the size of the file, in bytes, that
   * the header gives; 0: it is no header of this format. */
  gint64 (*promised_bytes) (const guint8 *head, gsize length);
  /* NULL: an archive, from which a file is extracted first. */
  VgSource *(*open) (const VgSourceFile *file, GError **error);
} VgFormat;

extern const VgFormat vg_zip_format, vg_tiff_format, vg_nifti_format, vg_ptu_format, vg_sdt_format,
    vg_spc_format, vg_png_format, vg_jpeg_format, vg_rls_format, vg_pqbin_format, vg_foil_format,
    vg_dicom_format, vg_nrrd_format, vg_recorded_format;

/* Whether files of the format ID may be opened; "slide" stands for what only OpenSlide reads.  The
 * environment variable VIVOGRAPH_FORMATS lists the only formats that may be opened, such as
 * "tiff,nifti", or those that may not, such as "-dicom,-slide"; if it is not set, all may.  FALSE
 * and an error for the file NAME: the format is off, or the list has a mistake. */
gboolean vg_format_is_on (const char *id, const char *name, GError **error);

/* Sets the error for the file NAME that is known to be IS, "an NRRD volume", and is not read;
 * ADVICE is a sentence. */
void vg_format_refuse_as (const char *name, const char *is, const char *advice, GError **error);

G_END_DECLS
