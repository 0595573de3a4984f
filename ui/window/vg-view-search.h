/* SPDX-License-Identifier: MIT */
#pragma once
#include <gio/gio.h>
#include "kernels/core/vg-operation.h"
/* Finds the view that files belong to by their headers.  A thread reads them, because large files
 * are slow to open. */
G_BEGIN_DECLS

/* PRESENT: the view that is preferred.  FAILURE: why that cannot open INPUTS, or NULL: not tried.
 */
void vg_view_search_async (gpointer source, const char *const *inputs, const char *read_options,
                           const VgOperation *present, const GError *failure,
                           GCancellable *cancellable, GAsyncReadyCallback callback);
/* The operation found, INPUTS and READ_OPTIONS of the search, which are valid as long as RESULT.
 * NULL without an error: none was found, and the present view has not been tried; NULL and an
 * error: G_IO_ERROR_CANCELLED, or FAILURE. */
const VgOperation *vg_view_search_finish (GAsyncResult *result, const char *const **inputs,
                                          const char **read_options, GError **error);

G_END_DECLS
