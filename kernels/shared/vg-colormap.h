/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Colour maps as tables of 256 RGB triples, and the formula from value to colour that the shader,
 * preview.png and the colour bar share. */
G_BEGIN_DECLS

typedef struct
{
  const char *id, *title;
  const guint8 (*rgb)[3]; /* 256 */
  gboolean diverging;
} VgColormap;

const VgColormap *vg_colormaps (guint *n);
const VgColormap *vg_colormap_find (const char *id); /* NULL: no such map */
/* Colour of label I (0: background, grey) in the map "categories" with limits 0 and 15. */
void vg_colormap_category (guint i, guint8 rgb[3]);

typedef struct
{
  const VgColormap *colormap;
  double low, high; /* low > high: reversed */
  double gamma;     /* 1: linear */
  gboolean log_scale;
  guint8 invalid_rgb[3]; /* colour of missing values */
} VgColoring;

/* Limits for vg_coloring_formula: for a log scale their natural logarithms, with a limit that is
 * not positive replaced by a millionth of the other. */
void vg_coloring_limits (const VgColoring *self, double *low, double *high);
/* Position on the map, 0 to 1; NaN for values that are not finite. */
double vg_coloring_position (const VgColoring *self, double value);
/* Converts N samples to RGBA. */
void vg_coloring_apply (const VgColoring *self, const float *values, gsize n, guint8 *rgba);
/* Dims N pixels by LIGHT: black up to LOW and where LIGHT is missing, unchanged from HIGH on. */
void vg_coloring_dim (guint8 *rgba, const float *light, gsize n, double low, double high);

G_END_DECLS
