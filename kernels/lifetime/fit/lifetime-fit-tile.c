/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/fit/lifetime-fit-cpu.h"
/* Loads pixels of any sample type into float lanes, bin by bin. */

#define LOAD(name, type)                                                                           \
  VG_SIMD static void load_run_##name (VgLanes *tile, const type *samples, gsize stride,           \
                                       int first, int end)                                         \
  {                                                                                                \
    for (int j = first; j < end; j++)                                                              \
      {                                                                                            \
        const type *in = samples + (gsize) j * stride;                                             \
        float *out = (float *) &tile[j];                                                           \
        _Pragma ("omp simd") for (int i = 0; i < VG_N_LANES; i++) out[i] = (float) in[i];          \
      }                                                                                            \
  }                                                                                                \
  static void load_##name (VgLanes *tile, const VgLifetimeCube *cube, const gsize *pixel,          \
                           int first, int end)                                                     \
  {                                                                                                \
    const type *samples = cube->samples;                                                           \
    if (pixel[VG_N_LANES - 1] - pixel[0] == VG_N_LANES - 1 && cube->pixel_stride == 1)             \
      {                                                                                            \
        load_run_##name (tile, samples + pixel[0], cube->bin_stride, first, end);                  \
        return;                                                                                    \
      }                                                                                            \
    for (int j = first; j < end; j++)                                                              \
      for (int i = 0; i < VG_N_LANES; i++)                                                         \
        ((float *) &tile[j])[i] = (float)                                                          \
            samples[(gsize) j * cube->bin_stride + pixel[i] * cube->pixel_stride];                 \
  }
#define FILL(name, type)                                                                           \
  static void fill_##name (VgLanes *tile, const VgLifetimeCube *cube, gsize pixel, int lane,       \
                           int first, int end)                                                     \
  {                                                                                                \
    const type *in = (const type *) cube->samples + pixel * cube->pixel_stride;                    \
    for (int j = first; j < end; j++)                                                              \
      ((float *) &tile[j])[lane] = (float) in[(gsize) j * cube->bin_stride];                       \
  }
LOAD (u8, guint8)
LOAD (u16, guint16)
LOAD (u32, guint32)
LOAD (f32, float)
FILL (u8, guint8)
FILL (u16, guint16)
FILL (u32, guint32)
FILL (f32, float)
#undef LOAD
#undef FILL

static void
load_all (VgLifetimeTile *self, const VgLifetimeCube *cube, int first, int end)
{
  switch (cube->type)
    {
    case VG_U8:
      load_u8 (self->samples, cube, self->pixel, first, end);
      break;
    case VG_U16:
      load_u16 (self->samples, cube, self->pixel, first, end);
      break;
    case VG_U32:
      load_u32 (self->samples, cube, self->pixel, first, end);
      break;
    case VG_F32:
      load_f32 (self->samples, cube, self->pixel, first, end);
      break;
    }
}

void
vg_lifetime_tile_load (VgLifetimeTile *self, const VgLifetimeCube *cube, int first, int end)
{
  for (int i = 0; i < VG_N_LANES; i++)
    {
      self->there[i] = i < self->n ? -1 : 0;
      if (i >= self->n)
        self->pixel[i] = self->pixel[self->n - 1];
      self->area[i] = cube->area != NULL ? cube->area[self->pixel[i]] : 1.0f;
    }
  load_all (self, cube, first, end);
}

void
vg_lifetime_tile_fill (VgLifetimeTile *self, const VgLifetimeCube *cube, const VgMask *which,
                       int first, int end)
{
  for (int i = 0; i < VG_N_LANES; i++)
    if (which == NULL || (*which)[i])
      self->area[i] = cube->area != NULL ? cube->area[self->pixel[i]] : 1.0f;
  if (which == NULL)
    {
      load_all (self, cube, first, end);
      return;
    }
  for (int i = 0; i < VG_N_LANES; i++)
    if ((*which)[i])
      switch (cube->type)
        {
        case VG_U8:
          fill_u8 (self->samples, cube, self->pixel[i], i, first, end);
          break;
        case VG_U16:
          fill_u16 (self->samples, cube, self->pixel[i], i, first, end);
          break;
        case VG_U32:
          fill_u32 (self->samples, cube, self->pixel[i], i, first, end);
          break;
        case VG_F32:
          fill_f32 (self->samples, cube, self->pixel[i], i, first, end);
          break;
        }
}

void
vg_lifetime_tile_store (const VgLifetimeTile *self, const VgLanes *planes, VgLifetimeFitMaps *maps)
{
  for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
    if (maps->plane[k] != NULL)
      for (int i = 0; i < self->n; i++)
        maps->plane[k][self->pixel[i]] = planes[k][i];
}

void
vg_lifetime_tile_store_lane (const VgLifetimeTile *self, int lane, const VgLanes *planes,
                             VgLifetimeFitMaps *maps)
{
  for (int k = 0; k < VG_LIFETIME_FIT_N_PLANES; k++)
    if (maps->plane[k] != NULL)
      maps->plane[k][self->pixel[lane]] = planes[k][lane];
}
