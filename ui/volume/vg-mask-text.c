/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-mask-text.h"
#include <math.h>
#include <string.h>
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"

char *
vg_mask_describe (const VgMask *mask, const VgVolumeGrid *grid, const float *map, const char *unit)
{
  gsize n = mask != NULL ? vg_mask_count (mask) : 0;
  const double *step = grid->step;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *count = vg_format_number ((double) n);
  double mean, sd;

  g_string_printf (text, ngettext ("%s voxel", "%s voxels", (gulong) n), count);
  if (n > 0 && strcmp (grid->unit, "mm") == 0)
    {
      g_autofree char *volume = vg_format_number ((double) n * step[0] * step[1] * step[2] * 1e-3);

      g_string_append_printf (text, ", %s ml", volume);
    }
  if (n > 0 && map != NULL && vg_mask_measure (mask, map, &mean, &sd))
    {
      g_autofree char *value = vg_format_with_error (mean, n > 1 ? sd : NAN);

      g_string_append_printf (text, _ ("; mean ± SD %s %s"), value, unit != NULL ? unit : "");
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
