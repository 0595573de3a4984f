/* SPDX-License-Identifier: MIT */
#pragma once
#include "app/session/vg-session.h"
/* The sizes of the data that were opened last, one for each operation. */
G_BEGIN_DECLS

/* The size of data, on which regions and zoom depend. */
typedef struct
{
  int width, height, slices; /* width and height in px */
} VgDataSize;

typedef struct _VgKnownSizes VgKnownSizes;

VgKnownSizes *vg_known_sizes_new (void);
void vg_known_sizes_free (VgKnownSizes *self);
/* Stores the size of the opened data, which SESSION has adopted. */
void vg_known_sizes_note (VgKnownSizes *self, VgSession *session, const VgDataSize *size);
/* The size of the inputs of SESSION; width 0: it is not known. */
VgDataSize vg_known_sizes_find (const VgKnownSizes *self, VgSession *session);

G_END_DECLS
