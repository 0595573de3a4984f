/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-reader.h"
/* Finds the frames of the DICOM files in a folder, or of those that a DICOMDIR lists. */
G_BEGIN_DECLS

/* Limits of a scan: the number of files and of frames, and the depth of folders in folders. */
enum {
  VG_DICOM_MOST_FILES = VG_DICOM_MOST_NAMES,
  VG_DICOM_MOST_FRAMES = 400000,
  VG_DICOM_MOST_DEPTH = 12
};

typedef struct
{
  char *folder;     /* where the files are */
  GPtrArray *files; /* names of the files with frames, in order */
  GArray *frames;   /* VgDicomFrame; each tile of a mosaic is a frame */
  guint unreadable; /* DICOM files that were left out */
  char *why;        /* the first of them, and why; or NULL */
  guint outside;    /* files that a DICOMDIR lists outside its folder */
  guint absent;     /* files that a DICOMDIR lists and that do not exist */
  gboolean full;    /* a limit of the scan was reached */
} VgDicomScan;

/* Scans PATH with READER: a folder with its folders; a DICOMDIR; or a file, with the others of its
 * folder if BESIDE.  NULL and an error: the module is missing, there is no frame, or nothing
 * can be read at present. */
VgDicomScan *vg_dicom_scan_new (VgDicomReader *reader, const char *path, gboolean beside,
                                GError **error);
void vg_dicom_scan_free (VgDicomScan *self);
/* The files that a source of the DICOM file or DICOMDIR PATH looks at (char *), in order: those of
 * its folder, or those that it lists; NULL: PATH is neither, or the module is missing. */
GPtrArray *vg_dicom_list_files (const char *path);
/* Whether a file that begins with the LENGTH bytes HEAD may be DICOM, with its preamble of 128
 * bytes or without; SIZE is not needed. */
gboolean vg_dicom_detect (const guint8 *head, gsize length, gint64 size);
/* Whether the file PATH begins so. */
gboolean vg_dicom_is_file (const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgDicomScan, vg_dicom_scan_free)

G_END_DECLS
