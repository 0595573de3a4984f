/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
G_BEGIN_DECLS

/* The setting that TEXT, a sentence, names first by its label in any case (the
 * longest at one place), of those that are shown with PARAMS; NULL: none. */
const VgParam *vg_named_param (const VgParamTable *table, const void *params, const char *text);

G_END_DECLS
