/* SPDX-License-Identifier: MIT */
/* Which spatial kernel does the work: by sample type, radius, and whether the
 * samples' bits let all sums stay in 32 bits. */
#include "flow-spatial.cuh"

/* The largest sample for which D <= (n max / 2)^2 stays below 2^32. */
static unsigned
narrow_max (int radius)
{
  return 131071u / ((2 * radius + 1) * (2 * radius + 1));
}

static void
fill_factors (FlowSpatial *p, int radius)
{
  int side = 2 * radius + 1;

  for (int down = 1; down <= side; down++)
    for (int across = 1; across <= side; across++)
      {
        double n = p->zero_edges ? side * side : down * across;
        int i = (down - 1) * side + across - 1;
        p->contrast_factor[i] = n > 1 ? (float) sqrt (n / (n - 1)) : VG_FLOW_NAN;
        p->index_factor[i] = n > 1 ? (float) (p->finish.scale * (n - 1) / n) : VG_FLOW_NAN;
      }
}

template <typename T, int R, int ROWS, bool NARROW, bool KEEP>
static void
launch (const FlowSpatial &p, int warps, cudaStream_t stream)
{
  int rows = ROWS * warps;
  dim3 grid ((p.ring.height - 1) / rows + 1, (p.ring.width - 1) / (32 * FLOW_COLUMNS) + 1);

  flow_spatial_kernel<T, R, ROWS, NARROW, KEEP><<<grid, dim3 (32, warps), 0, stream>>> (p);
}

/* Small windows keep their rows in registers; short strips where long ones
 * would leave multiprocessors idle. */
template <typename T, int R, bool NARROW>
static void
launch_radius (const FlowSpatial &p, int multiprocessors, cudaStream_t stream)
{
  gsize strips = ((gsize) p.ring.width + 127) / 128 * (((gsize) p.ring.height + 7) / 8);

  if constexpr (R > 2)
    launch<T, R, 16, NARROW, false> (p, 2, stream);
  else if (strips < (gsize) multiprocessors * 16)
    launch<T, R, 4, NARROW, true> (p, 2, stream);
  else
    launch<T, R, 8, NARROW, true> (p, 2, stream);
}

template <typename T, bool NARROW>
static void
launch_type (const FlowSpatial &p, int radius, int multiprocessors, cudaStream_t stream)
{
  switch (radius)
    {
    case 1: launch_radius<T, 1, NARROW> (p, multiprocessors, stream); break;
    case 2: launch_radius<T, 2, NARROW> (p, multiprocessors, stream); break;
    default: break;
    }
  if constexpr (sizeof (T) == 1 || !NARROW)   /* 16-bit samples have no narrow form beyond */
    switch (radius)
      {
      case 3: launch_radius<T, 3, NARROW> (p, multiprocessors, stream); break;
      case 4: launch_radius<T, 4, NARROW> (p, multiprocessors, stream); break;
      case 5: launch_radius<T, 5, NARROW> (p, multiprocessors, stream); break;
      case 6: launch_radius<T, 6, NARROW> (p, multiprocessors, stream); break;
      case 7: launch_radius<T, 7, NARROW> (p, multiprocessors, stream); break;
      default: break;
      }
}

gboolean
flow_spatial_plan (const FlowState *self, FlowSpatial *p, gboolean *narrow)
{
  int radius = self->params.radius;
  double level = self->ring.level;

  if (self->params.method != VG_FLOW_SPATIAL || radius > FLOW_FAST_RADIUS || self->ring.dark != NULL
      || level != rint (level) || fabs (level) > 65535 || (self->info.type != VG_U8 && self->info.type != VG_U16)
      || self->width > 65535 * 32 * FLOW_COLUMNS)
    return FALSE;
  unsigned largest = self->info.type == VG_U8 ? 255 : narrow_max (radius);
  int bits = self->info.significant_bits;
  *narrow = self->info.type == VG_U8 || (radius <= 2 && bits > 0 && bits < 16 && (1u << bits) - 1 <= largest);
  p->ring = self->ring;
  p->finish = flow_finish (self, TRUE);
  p->slot = flow_slot (self, self->n_frames - 1);
  p->dark = (int) level;
  p->dark_sum = p->dark * (2 * radius + 1) * (2 * radius + 1);
  p->saturation = self->ring.saturation < 4294967295.0 ? (unsigned) ceil (self->ring.saturation) : G_MAXUINT;
  p->limit = *narrow ? MIN (p->saturation, largest + 1) : p->saturation;
  p->zero_edges = self->params.edges == VG_FLOW_EDGES_ZERO;
  p->vectors = self->width % FLOW_COLUMNS == 0;
  fill_factors (p, radius);
  return TRUE;
}

gboolean
flow_spatial (FlowState *self, gboolean *done, GError **error)
{
  FlowSpatial p;
  gboolean narrow;

  *done = flow_spatial_plan (self, &p, &narrow);
  if (!*done)
    return TRUE;
  if (self->info.type == VG_U8)
    launch_type<guint8, true> (p, self->params.radius, self->multiprocessors, self->compute);
  else if (narrow)
    launch_type<guint16, true> (p, self->params.radius, self->multiprocessors, self->compute);
  else
    launch_type<guint16, false> (p, self->params.radius, self->multiprocessors, self->compute);
  return vg_cuda_launched ("flow_spatial_kernel", error);
}
