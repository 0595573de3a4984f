/* SPDX-License-Identifier: MIT */
#include "io/source/vg-resolution.h"
#include <math.h>

/* Pixels per centimetre: finer than any print. */
static const double least = 1000, most = 1e7;

void
vg_resolution_set_scale (VgImageInfo *info, double x, double y, GString *notes)
{
  if (!isnormal (x) || !isnormal (y) || x <= 0 || y <= 0)
    return;
  if (x > least && x < most && y > least && y < most)
    {
      info->pixel_size[0] = 1e4 / x;
      info->pixel_size[1] = 1e4 / y;
      g_strlcpy (info->pixel_unit, "µm", sizeof info->pixel_unit);
    }
  else
    g_string_append_printf (notes, "The file's %.5g dpi is a print size; no scale is used.\n",
                            2.54 * x);
}
