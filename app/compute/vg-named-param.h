/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/core/vg-param.h"
G_BEGIN_DECLS

/* The parameter that the message TEXT names first, so that the window can lead to it.  TEXT has its
 * label, in upper or lower case, but not as a part of another term ("laser pulse"); of labels that
 * begin at one place the longest counts.  Only parameters that are shown with PARAMS are found.
 * NULL: TEXT names none. */
const VgParam *vg_named_param (const VgParamTable *table, const void *params, const char *text);

/* TEXT, owned, with the ids of the parameters that it names by their labels, for callers who set
 * them by id: "set Method to Spatial" becomes "set method to spatial".  A label counts if it is
 * written as in TABLE and begins with no small letter; that of a choice, if it also follows the
 * label of its parameter. */
char *vg_named_param_use_ids (const VgParamTable *table, const char *text);

G_END_DECLS
