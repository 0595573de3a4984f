/* SPDX-License-Identifier: MIT */
/* Selects the kernel of flow-spatial.cuh by sample type, radius, and whether all sums fit 32 bits
 * with the samples' number of bits. */
#include "kernels/flow/contrast/flow-spatial.cuh"

/* Small windows keep their rows in registers, four rows a strip: measured fastest at every
 * size (docs/performance.md).  The last number bounds the registers. */
template <typename T, int R, bool NARROW>
static void
launch_radius (const FlowSpatial &p, cudaStream_t stream)
{
  if constexpr (R > 2)
    flow_spatial_launch<T, R, 16, NARROW, false, 2, 8> (p, stream);
  else
    flow_spatial_launch<T, R, 4, NARROW, true, 2, NARROW ? 1 : 12> (p, stream);
}

template <typename T, bool NARROW>
static void
launch_type (const FlowSpatial &p, int radius, cudaStream_t stream)
{
  switch (radius)
    {
    case 1:
      launch_radius<T, 1, NARROW> (p, stream);
      break;
    case 2:
      launch_radius<T, 2, NARROW> (p, stream);
      break;
    default:
      break;
    }
  if constexpr (sizeof (T) == 1 ||
                !NARROW) /* larger windows of 16-bit samples do not fit 32 bits */
    switch (radius)
      {
      case 3:
        launch_radius<T, 3, NARROW> (p, stream);
        break;
      case 4:
        launch_radius<T, 4, NARROW> (p, stream);
        break;
      case 5:
        launch_radius<T, 5, NARROW> (p, stream);
        break;
      case 6:
        launch_radius<T, 6, NARROW> (p, stream);
        break;
      case 7:
        launch_radius<T, 7, NARROW> (p, stream);
        break;
      default:
        break;
      }
}

static gboolean
plan (const FlowState *self, FlowSpatial *p, gboolean *narrow)
{
  int radius = self->params.radius;
  double level = self->ring.level;

  if (self->params.method != VG_FLOW_SPATIAL || radius > FLOW_FAST_RADIUS ||
      self->ring.dark != NULL || level != rint (level) || fabs (level) > 65535 ||
      (self->info.type != VG_U8 && self->info.type != VG_U16) ||
      self->width > 65535 * 32 * FLOW_COLUMNS)
    return FALSE;
  unsigned largest = self->info.type == VG_U8 ? 255 : flow_narrow_max (radius);
  int bits = self->info.significant_bits;
  *narrow = self->info.type == VG_U8 ||
            (radius <= 2 && bits > 0 && bits < 16 && (1u << bits) - 1 <= largest);
  p->ring = self->ring;
  p->finish = flow_finish (self, TRUE);
  p->slot = flow_slot (self, self->n_frames - 1);
  p->dark = (int) level;
  p->dark_sum = p->dark * (2 * radius + 1) * (2 * radius + 1);
  p->full_scale = flow_whole_level (self->ring.full_scale);
  p->saturation = flow_whole_level (self->ring.saturation);
  p->limit = *narrow ? MIN (p->full_scale, largest + 1) : p->full_scale;
  p->zero_edges = self->params.edges == VG_FLOW_EDGES_ZERO;
  p->vectors = self->width % FLOW_COLUMNS == 0;
  flow_spatial_fill_factors (p, radius);
  return TRUE;
}

gboolean
flow_spatial (FlowState *self, gboolean *done, GError **error)
{
  FlowSpatial p;
  gboolean narrow;

  *done = plan (self, &p, &narrow);
  if (!*done)
    return TRUE;
  if (self->info.type == VG_U8)
    launch_type<guint8, true> (p, self->params.radius, self->compute);
  else if (narrow)
    launch_type<guint16, true> (p, self->params.radius, self->compute);
  else
    launch_type<guint16, false> (p, self->params.radius, self->compute);
  return vg_cuda_launched ("flow_spatial_kernel", error);
}
