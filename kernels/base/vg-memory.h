/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Checks of available memory.  Linux grants larger allocations and kills the process when it writes
 * to them, so large ones are checked first. */
G_BEGIN_DECLS

/* Bytes that may be allocated without swap, within the container's limit; G_MAXSIZE: unknown. */
gsize vg_memory_available (void);
/* FALSE with VG_OPERATION_ERROR_MEMORY if BYTES exceed that.  WHAT names them in the message: "the
 * 500 frames of a.tif".  Less than 1 MiB is always granted, because the question takes 20 us. */
gboolean vg_memory_check (gsize bytes, const char *what, GError **error);
/* From now on the C library returns blocks of 1 MiB and more to the system as soon as they are
 * free. Else each thread would keep planes that it has freed. */
void vg_memory_return_planes (void);
/* Copies BYTES bytes with several threads.  FROM has rows of ROW bytes that begin PITCH bytes
 * apart.  The copy leaves out the gaps, and begins at byte AT of the rows without gaps. */
void vg_memory_gather (void *to, const void *from, gsize pitch, gsize row, gsize at, gsize bytes);

G_END_DECLS
