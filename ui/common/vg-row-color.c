/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-row-color.h"
#include <math.h>

/* Hues a golden section apart: those of neighbours are far from each other, however many rows there
 * are. */
GdkRGBA
vg_row_color (int row)
{
  GdkRGBA color = { .alpha = 1 };

  gtk_hsv_to_rgb ((float) fmod (0.56 + row * 0.6180339887, 1), 0.6f, 0.95f, &color.red,
                  &color.green, &color.blue);
  return color;
}
