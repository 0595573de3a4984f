/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-host-copy.h"
#include "app/session/vg-display.h"
#include "kernels/base/vg-memory.h"

const float *
vg_host_copy_take (VgHostCopy *self, int i, const VgPlane *plane, const VgCuda *cuda,
                   GError **error)
{
  VgPlane whole = vg_display_get_volume (plane);
  gsize n = (gsize) plane->width * (gsize) plane->height * (gsize) MAX (plane->slices, 1);

  if (plane->place == VG_HOST)
    return plane->data;
  if (cuda == NULL)
    return NULL;
  if (self->memory[i] == NULL || self->room[i] != n)
    {
      g_clear_pointer (&self->memory[i], g_free);
      if (!vg_memory_check (n * sizeof (float), "a copy of the map for the three planes", error))
        return NULL;
      self->memory[i] = g_try_new (float, n);
      self->room[i] = n;
    }
  return self->memory[i] != NULL && cuda->download (&whole, self->memory[i], error)
             ? self->memory[i]
             : NULL;
}

void
vg_host_copy_clear (VgHostCopy *self)
{
  for (int i = 0; i < VG_HOST_COPIES; i++)
    g_clear_pointer (&self->memory[i], g_free);
}
