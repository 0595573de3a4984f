/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Isolines over a coloured picture, as the fragment shader draws them: for
 * preview.png and where there is no OpenGL. */
G_BEGIN_DECLS

typedef struct
{
  const double *levels;
  int n_levels;
  gboolean log_scale;      /* distances are measured in decades */
} VgIsolines;

/* FIELD: the values at the middles of WIDTH x HEIGHT pixels, NaN: none. */
void vg_isolines_draw (const VgIsolines *self, const float *field, int width, int height, guint8 *rgba);

G_END_DECLS
