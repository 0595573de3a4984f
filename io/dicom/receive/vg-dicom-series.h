/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* The series that arrives, in a folder that may hold others. */
G_BEGIN_DECLS

/* The path of an image in FOLDER, owned; to open it is to open its series.  It is the series with
 * the most frames in the files NAMES (set of char *), which were received, however many frames the
 * others have.  BEFORE: the path found earlier, or NULL; it is found again unless another series
 * has more frames by now.  NULL and VG_IO_ERROR: no received image can be read. */
char *vg_dicom_find_series (const char *folder, GHashTable *names, const char *before,
                            GError **error);

G_END_DECLS
