/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Memory that is really there: on Linux an allocation far beyond it succeeds
 * and the process is killed when it writes, so ask first. */
G_BEGIN_DECLS

/* Bytes that can be taken without swapping, the container's limit included;
 * G_MAXSIZE when the system does not say. */
gsize vg_memory_available (void);
/* FALSE and VG_OPERATION_ERROR_MEMORY when BYTES for WHAT ("the 500 frames of
 * a.tif") are more than that. */
gboolean vg_memory_check (gsize bytes, const char *what, GError **error);

G_END_DECLS
