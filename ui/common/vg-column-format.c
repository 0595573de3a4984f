/* SPDX-License-Identifier: MIT */
#include "ui/common/vg-column-format.h"
#include <math.h>

enum { MOST = 7 };

int
vg_format_decimals (double largest)
{
  if (!(largest > 0) || !isfinite (largest))
    return 0;
  return CLAMP (3 - (int) floor (log10 (largest)), 0, MOST);
}

char *
vg_format_fixed (double value, int decimals)
{
  if (!isfinite (value))
    return g_strdup ("–");
  if (fabs (value) >= 1e9 || (decimals == MOST && value != 0 && fabs (value) < 1e-4))
    return g_strdup_printf ("%.3e", value);
  return g_strdup_printf ("%.*f", decimals, value + 0.0); /* -0 is 0 */
}
