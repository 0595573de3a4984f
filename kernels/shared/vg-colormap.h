/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Colour maps as tables of 256 RGB triples, and the one formula that turns a
 * value into a colour: the shader, preview.png and the colour bar agree. */
G_BEGIN_DECLS

typedef struct
{
  const char *id, *title;
  const guint8 (*rgb)[3]; /* 256 */
  gboolean diverging;
} VgColormap;

const VgColormap *vg_colormaps (guint *n);
const VgColormap *vg_colormap_find (const char *id); /* NULL: no such map */
/* The colour of label I (0: none, a grey) in the map "categories" with limits 0 and 15. */
void vg_colormap_category (guint i, guint8 rgb[3]);

typedef struct
{
  const VgColormap *colormap;
  double low, high; /* low > high: reversed */
  double gamma;     /* 1: straight */
  gboolean log_scale;
  guint8 invalid_rgb[3]; /* NaN and infinite */
} VgColoring;

/* LOW and HIGH as vg-coloring-formula.h takes them: for a log scale their
 * natural logarithms, a limit that is not above 0 replaced by a millionth of
 * the other.  The shader gets these as uniforms. */
void vg_coloring_limits (const VgColoring *self, double *low, double *high);
/* Position on the map, 0..1, or NaN for what is NaN or infinite. */
double vg_coloring_position (const VgColoring *self, double value);
/* N samples to RGBA. */
void vg_coloring_apply (const VgColoring *self, const float *values, gsize n, guint8 *rgba);
/* Dims N pixels by LIGHT: black from LOW down and where there is no value,
 * as they are from HIGH on. */
void vg_coloring_dim (guint8 *rgba, const float *light, gsize n, double low, double high);

G_END_DECLS
