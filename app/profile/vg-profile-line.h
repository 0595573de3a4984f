/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* A straight line in an image, along which values are read. */
G_BEGIN_DECLS

enum { VG_PROFILE_MOST_WIDTH = 101 };

typedef struct
{
  double x[2], y[2]; /* ends, px of the image: pixel i covers i to i + 1 */
  int slice;         /* from 0 */
  int width; /* px across the line over which values are averaged, 1 to VG_PROFILE_MOST_WIDTH */
} VgProfileLine;

/* Reads X0,Y0,X1,Y1[,WIDTH][@SLICE], with WIDTH 1 and SLICE 0 if they are left out.  FALSE with a
 * usage error, and SELF unchanged, if TEXT is not a line, or its length is 0. */
gboolean vg_profile_line_parse (VgProfileLine *self, const char *text, GError **error);

G_END_DECLS
