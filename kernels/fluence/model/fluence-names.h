/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-params.h"
/* What layers are called: by the comments of an .mci file, or by a preset. */
G_BEGIN_DECLS

/* Takes the comment COMMENT (not NULL) of layer L, 0-based, of the file's layers for its name, if
 * it is one. */
void vg_fluence_names_add (VgFluenceParams *params, int l, const char *comment);
/* The names of all layers, of ROWS strings and NULL; "" has none.  They go
 * along with a layer that is moved, and stay with one that is edited while its
 * neighbours are what they were. */
char **vg_fluence_names_get (const VgFluenceParams *params);

G_END_DECLS
