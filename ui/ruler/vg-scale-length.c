/* SPDX-License-Identifier: MIT */
#include "ui/ruler/vg-scale-length.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>

static const double um[] = { 1e-3, 1, 1e3, 25400 };
static const double least_um = 1e-6, most_um = 1e6; /* of a pixel, as the read option takes it */

const char *const vg_scale_units[] = { "nm", "µm", "mm", "in", NULL };

double
vg_scale_read (const char *text, guint unit, double n_pixels, char **why)
{
  g_autofree char *plain = g_strdup (text);
  char *end;
  double length, pixel;

  g_strdelimit (g_strstrip (plain), ",", '.');
  length = g_ascii_strtod (plain, &end);
  pixel = n_pixels > 0 && unit < G_N_ELEMENTS (um) ? length * um[unit] / n_pixels : 0;
  if (*plain == '\0')
    *why = g_strdup (_ ("Type how long the line is."));
  else if (*end != '\0' || !isfinite (length))
    *why = g_strdup_printf (_ ("“%s” is not a number. Type one such as 50."), text);
  else if (!(length > 0))
    *why = g_strdup (_ ("A length is greater than 0. Type how long the line is."));
  else if (!(pixel >= least_um && pixel <= most_um))
    *why = g_strdup (_ ("A pixel would be smaller than 1 pm or larger than 1 m. Check the unit."));
  else
    return pixel;
  return 0;
}
