/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/fluence/model/fluence-params.h"
/* Names of layers, from the comments of an .mci file or from a preset. */
G_BEGIN_DECLS

/* Adds COMMENT, from the file's line of layer L (0-based), as that layer's name, unless it has no
 * letters. */
void vg_fluence_names_add (VgFluenceParams *params, int l, const char *comment);
/* Names of all layers, ended by NULL and owned by the caller; "" for a layer without one.  A layer
 * keeps its name when it is moved, and when it is edited while others are unchanged. */
char **vg_fluence_names_get (const VgFluenceParams *params);

G_END_DECLS
