/* SPDX-License-Identifier: MIT */
#pragma once
#include "tests/kernels/contour/support/contour-fixture.h"
/* A stained picture with one nucleus in it. */

enum { CONTOUR_SIDE = 97 };
extern const ContourEllipse contour_nucleus;

/* A blue-violet nucleus on pink, noisy; the fourth channel is noise. */
VgImage *contour_stained (int channels, guint seed);
/* A run with PARAMS to its end. */
VgContourRun *contour_finish (VgImage *image, VgContourParams *params);
/* RUN has the nucleus and nothing else. */
void contour_check_nucleus (const VgContourRun *run);
