/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Finds the operation that accepts a file. */
G_BEGIN_DECLS

/* The one registered operation that suits the data in PATHS (VgOperation.input),
 * by the first of them; NULL: PRESENT suits them, none does, several do, or it
 * can't be opened.  Reads headers only, which may take its time: call it on a
 * thread. */
const VgOperation *vg_suitable_operation (const char *const *paths, const char *read_options,
                                          const VgOperation *present);

G_END_DECLS
