/* SPDX-License-Identifier: MIT */
#include "ui/scatter/vg-scatter-note.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"

/* "Lifetime 2.31 ± 0.12 ns" */
static char *
describe_mean (const VgScatterSummary *summary, int k, const char *name, const char *unit)
{
  g_autofree char *value = vg_format_with_error (summary->mean[k], summary->sd[k]);

  return g_strchomp (g_strdup_printf ("%s %s %s", name, value, unit));
}

static char *
describe_inside (const VgScatter *scatter, gboolean objects, const char *const names[2],
                 const char *const units[2])
{
  g_autofree char *n = vg_format_number ((double) scatter->inside.n),
                  *all = vg_format_number ((double) scatter->all.n),
                  *percent = vg_format_number (100.0 * (double) scatter->inside.n /
                                               (double) MAX (scatter->all.n, 1));
  g_autofree char *x = describe_mean (&scatter->inside, 0, names[0], units[0]),
                  *y = describe_mean (&scatter->inside, 1, names[1], units[1]);

  if (scatter->inside.n == 0)
    return g_strdup_printf (objects ? _ ("None of the %s objects is inside the lasso.")
                                    : _ ("None of the %s pixels is inside the lasso."),
                            all);
  return g_strdup_printf (
      objects ? _ ("%s of %s objects (%s %%) are inside the lasso. Mean ± SD: %s; %s.")
              : _ ("%s of %s pixels (%s %%) are inside the lasso. Mean ± SD: %s; %s."),
      n, all, percent, x, y);
}

static char *
describe_all (const VgScatter *scatter, gboolean objects)
{
  g_autofree char *all = vg_format_number ((double) scatter->all.n),
                  *outside = vg_format_number ((double) scatter->outside);

  if (scatter->outside > 0)
    return g_strdup_printf (
        objects ? _ ("%s objects, %s of them outside the axes; correlation %.2f. Draw a lasso to "
                     "select objects.")
                : _ ("%s pixels, %s of them outside the axes; correlation %.2f. Draw a lasso to "
                     "select pixels."),
        all, outside, scatter->all.correlation);
  return g_strdup_printf (objects
                              ? _ ("%s objects; correlation %.2f. Draw a lasso to select objects.")
                              : _ ("%s pixels; correlation %.2f. Draw a lasso to select pixels."),
                          all, scatter->all.correlation);
}

char *
vg_scatter_note (const VgScatter *scatter, gboolean objects, const char *const names[2],
                 const char *const units[2])
{
  return scatter->tint != NULL ? describe_inside (scatter, objects, names, units)
                               : describe_all (scatter, objects);
}
