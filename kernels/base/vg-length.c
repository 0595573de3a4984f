/* SPDX-License-Identifier: MIT */
/* Factors are ratios of whole numbers of nanometres, so that 0.1 cm is 1 mm
 * and not a little less. */
#include "kernels/base/vg-length.h"
#include <string.h>

const char *const vg_length_ids[] = { "own", "um", "mm", "cm", NULL };

static const struct
{
  const char *unit, *inverse;
  double nanometres;
} lengths[] = {
  { NULL, NULL, 0 }, /* in the order of VgLength */
  { "µm", "1/µm", 1e3 }, { "mm", "1/mm", 1e6 }, { "cm", "1/cm", 1e7 },
  { "um", "1/um", 1e3 }, { "nm", "1/nm", 1 },   { "m", "1/m", 1e9 },
};

/* 0: no length. */
static guint
find (const char *unit, gboolean *inverse)
{
  for (guint i = 1; unit != NULL && i < G_N_ELEMENTS (lengths); i++)
    {
      *inverse = strcmp (unit, lengths[i].inverse) == 0;
      if (*inverse || strcmp (unit, lengths[i].unit) == 0)
        return i;
    }
  return 0;
}

gboolean
vg_length_is_unit (const char *unit)
{
  gboolean inverse;

  return find (unit, &inverse) != 0;
}

const char *
vg_length_convert (const char *unit, VgLength length, double *factor)
{
  gboolean inverse = FALSE;
  guint own = find (unit, &inverse);
  double from, to;

  *factor = 1;
  if (own == 0 || length <= VG_LENGTH_OWN || length > VG_LENGTH_CM ||
      (inverse && length == VG_LENGTH_UM)) /* coefficients per micrometre are hard to read */
    return unit;
  from = lengths[inverse ? length : own].nanometres;
  to = lengths[inverse ? own : length].nanometres;
  *factor = from / to;
  return inverse ? lengths[length].inverse : lengths[length].unit;
}

VgLength
vg_length_choose (const char *unit, double reach)
{
  gboolean inverse = FALSE;
  guint own = find (unit, &inverse);
  VgLength chosen = VG_LENGTH_OWN;

  if (own == 0 || inverse || !(reach >= 1000))
    return VG_LENGTH_OWN;
  for (VgLength length = VG_LENGTH_UM; length <= VG_LENGTH_CM; length++)
    if (lengths[length].nanometres > lengths[own].nanometres)
      {
        chosen = length;
        if (reach * lengths[own].nanometres / lengths[length].nanometres < 1000)
          break;
      }
  return chosen;
}

VgLength
vg_length_tell (const char *unit, double length)
{
  gboolean inverse = FALSE;
  const guint own = find (unit, &inverse);
  const double nanometres = length * lengths[own].nanometres;

  if (own == 0 || inverse || (lengths[own].nanometres < 1e3 && nanometres < 1e3))
    return VG_LENGTH_OWN;
  return nanometres < 1e6 ? VG_LENGTH_UM : VG_LENGTH_MM;
}
