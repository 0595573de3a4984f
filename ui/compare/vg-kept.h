/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/compute/vg-reference.h"
/* Results that are kept to compare later ones with: up to four of each operation, in the order in
 * which they were kept.  Main thread only; no window is needed. */
G_BEGIN_DECLS

enum { VG_KEPT_MOST = 4 };

typedef struct _VgKept VgKept;

VgKept *vg_kept_new (void);
void vg_kept_free (VgKept *self);
/* The number of results of OPERATION. */
int vg_kept_count (const VgKept *self, const VgOperation *operation);
/* Adds REFERENCE, which is taken.  INPUT: its first file; NULL: sample data.  TIME: for its name,
 * such as "17:05:40".  Returns its place, or -1 if four are kept, and nothing is replaced. */
int vg_kept_add (VgKept *self, VgReference *reference, const char *input, const char *time);
void vg_kept_remove (VgKept *self, const VgOperation *operation, int i);
/* Borrowed; NULL: there is none at this place. */
VgReference *vg_kept_get (const VgKept *self, const VgOperation *operation, int i);
/* Its own values of what differs from PARAMS and INPUT: "Kept: Radius 2 px, Method Spatial", of at
 * most two parameters by name; when it was kept if nothing does; owned. */
char *vg_kept_get_name (const VgKept *self, const VgOperation *operation, int i, const void *params,
                        const char *input);
/* When it was kept, and a line for each parameter that differs from PARAMS: "Radius 2 → 4 px";
 * owned. */
char *vg_kept_get_changes (const VgKept *self, const VgOperation *operation, int i,
                           const void *params);
/* Output OUTPUT of it to show, owned by the list; NULL: it has none. */
VgResult *vg_kept_get_result (VgKept *self, const VgOperation *operation, int i, int output);
/* Finds which results of the operation of RESULT can be compared with it, whose unit PARAMS decide;
 * TRUE: others than before. */
gboolean vg_kept_fit (VgKept *self, const VgResult *result, const void *params);
/* Why it cannot be compared with the RESULT of vg_kept_fit, borrowed; NULL: it can. */
const char *vg_kept_get_misfit (const VgKept *self, const VgOperation *operation, int i);

G_END_DECLS
