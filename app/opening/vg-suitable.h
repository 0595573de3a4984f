/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/core/vg-operation.h"
/* Finds the operation that files belong to. */
G_BEGIN_DECLS

/* The one registered operation whose input specification accepts the data in PATHS, by the header
 * of the first file.  NULL: PRESENT, the operation that is preferred, accepts them, or none does,
 * or several do, or the file cannot be opened.  Large files open slowly: call it on a thread. */
const VgOperation *vg_suitable_operation (const char *const *paths, const char *read_options,
                                          const VgOperation *present);

/* The same on a thread, for as many files as the operation allows.  FAILURE: why PRESENT cannot
 * open them, or NULL: not tried. */
void vg_suitable_operation_async (gpointer source, const char *const *paths,
                                  const char *read_options, const VgOperation *present,
                                  const GError *failure, GCancellable *cancellable,
                                  GAsyncReadyCallback callback);
/* PATHS and READ_OPTIONS of the search are valid as long as RESULT.  NULL without an error: none
 * was found, and PRESENT was not tried.  NULL and an error: G_IO_ERROR_CANCELLED, or FAILURE. */
const VgOperation *vg_suitable_operation_finish (GAsyncResult *result, const char *const **paths,
                                                 const char **read_options, GError **error);

G_END_DECLS
