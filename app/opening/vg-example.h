/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-operation.h"
/* Where the recordings that come with the program are. */
G_BEGIN_DECLS

/* The full name of the file of SELF, owned, in the folder of installed data or in the source tree;
 * NULL: it is in neither. */
char *vg_example_find (const VgExample *self);

G_END_DECLS
