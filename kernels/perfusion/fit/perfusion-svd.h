/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
G_BEGIN_DECLS

/* Decomposes the matrix A of ROWS x COLUMNS, stored by columns, into U S V' by rotations of pairs
 * of columns (Hestenes, J. Soc. Ind. Appl. Math. 6, 51, 1958).  Singular values down to 1e-12 of
 * the largest are found to nearly full relative precision.  A receives U, SIGMA the COLUMNS
 * singular values in decreasing order, V the COLUMNS x COLUMNS right vectors by columns.  The
 * column of U of a singular value 0 is 0. */
void vg_perfusion_svd (double *a, int rows, int columns, double *sigma, double *v);

G_END_DECLS
