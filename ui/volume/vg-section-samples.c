/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-section-samples.h"
#include "kernels/shared/vg-underlay.h"

void
vg_section_samples_clear (VgSectionSamples *self)
{
  g_free (self->map);
  g_free (self->light);
  g_free (self->grey);
  g_free (self->under);
  g_free (self->mask);
  *self = (VgSectionSamples){ .room = 0 };
}

static gboolean
make_room (VgSectionSamples *self, gsize n)
{
  if (n <= self->room)
    return TRUE;
  vg_section_samples_clear (self);
  self->map = g_try_new (float, n);
  self->light = g_try_new (float, n);
  self->grey = g_try_new (float, n);
  self->under = g_try_malloc_n (n, 4);
  self->mask = g_try_malloc (n);
  if (self->map && self->light && self->grey && self->under && self->mask)
    self->room = n;
  return self->room > 0;
}

gboolean
vg_section_samples_take (VgSectionSamples *self, const VgSection *section, const VgVolumeGrid *grid,
                         const int at[3], const VgVolumeLook *look, const guint8 *mask)
{
  gsize n = (gsize) grid->size[section->axis[0]] * (gsize) grid->size[section->axis[1]];

  if (!make_room (self, n))
    return FALSE;
  vg_section_copy (section, grid, at, sizeof (float), look->map, self->map);
  if (look->light != NULL)
    vg_section_copy (section, grid, at, sizeof (float), look->light, self->light);
  if (look->under != NULL)
    vg_section_copy (section, grid, at, 4, look->under, self->under);
  if (mask != NULL)
    vg_section_copy (section, grid, at, 1, mask, self->mask);
  if (look->grey == NULL)
    return TRUE;
  vg_section_copy (section, grid, at, sizeof (float), look->grey, self->grey);
  vg_underlay_apply_window (look->window, self->grey, n, self->under);
  return TRUE;
}
