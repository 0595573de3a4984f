/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/dicom/vg-dicom-decoder.h"
/* Reads DICOM files behind a fence (io/fence), one at a time.  What a file says of itself is
 * checked here: numbers are in their ranges, and texts are ASCII in one line. */
G_BEGIN_DECLS

typedef struct _VgDicomReader VgDicomReader;

VgDicomReader *vg_dicom_reader_new (void);
void vg_dicom_reader_free (VgDicomReader *self);
/* In errors VG_IO_ERROR_FORMAT is a reason, such as "it is not a DICOM file", and any other is a
 * sentence, which is not about the file. */

/* Opens PATH in the place of the file before; the result is valid until the next call.  NULL and an
 * error.  If it has no frame, `why` is not empty.  What a file cannot be read for is kept: it is
 * not tried again. */
const VgDicomHead *vg_dicom_reader_open (VgDicomReader *self, const char *path, GError **error);
/* Describes N frames of the open file from frame FIRST on.  FALSE and an error. */
gboolean vg_dicom_reader_describe (VgDicomReader *self, int first, guint n, VgDicomFrame *frames,
                                   GError **error);
/* Reads the N samples of frame INDEX of the file PATH without rescaling them, after opening it
 * unless it is open.  FALSE and an error. */
gboolean vg_dicom_reader_read (VgDicomReader *self, const char *path, int index, float *samples,
                               gsize n, GError **error);
/* The names in the open file, a DICOMDIR, with '\\' between folders (g_strfreev).  NULL and an
 * error. */
char **vg_dicom_reader_list (VgDicomReader *self, GError **error);
/* Patient and study of the open file, whose texts are valid UTF-8 in one line.  FALSE and an error.
 */
gboolean vg_dicom_reader_ask_patient (VgDicomReader *self, VgDicomPatient *patient, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgDicomReader, vg_dicom_reader_free)

G_END_DECLS
