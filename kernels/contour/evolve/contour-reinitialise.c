/* SPDX-License-Identifier: MIT */
#include "kernels/contour/evolve/contour-scene.h"
/* Signed distance from the front between pixels: every pixel beside the front
 * has its foot on it; a pixel takes the nearest foot of its column (two sweeps),
 * then the nearest of the columns within the band (as separable transforms do;
 * the foot's own place is used, not its pixel's). */

enum { RUN = 64 }; /* pixels of a row that are looked at together */

/* Sets BESIDE of N pixels that have neighbours on all sides; returns 0 if none is beside the
 * front. */
VG_SIMD static int
find_beside (const float *restrict up, const float *restrict row, const float *restrict down,
             gint32 *restrict beside, int n)
{
  gint32 found = 0;

#pragma omp simd reduction(| : found)
  for (int x = 0; x < n; x++)
    {
      beside[x] = vg_contour_is_beside (row[x], up[x - 1], up[x], up[x + 1], row[x - 1], row[x + 1],
                                        down[x - 1], down[x], down[x + 1]);
      found |= beside[x];
    }
  return found;
}

/* The foot of pixel X of the tile, which is AT its own place, and the distance to it, if the pixel
 * is beside the front. */
static void
find_foot (const float *up, const float *row, const float *down, int x, int right, float at,
           float y, float *fx, float *fy, float *own)
{
  const int l = x > 0 ? x - 1 : x, r = x < right ? x + 1 : x;
  float dx, dy;

  if (!vg_contour_is_beside (row[x], up[l], up[x], up[r], row[l], row[r], down[l], down[x],
                             down[r]))
    return;
  if (vg_contour_foot (row[x], row[l], row[r], up[x], down[x], &dx, &dy))
    *own = sqrtf (dx * dx + dy * dy);
  *fx = at + dx;
  *fy = y + dy;
}

/* The feet, relative to the corner of BOX, of the pixels beside the front, and
 * the distance to them. */
static void
find_feet (const VgContourObject *object, const VgContourBox *box, float *restrict fx,
           float *restrict fy, float *restrict own)
{
  const int stride = object->tile.width, bottom = object->tile.height - 1, right = stride - 1;

  for (int y = 0; y < box->height; y++, fx += box->width, fy += box->width, own += box->width)
    {
      int ty = box->y + y;
      const float *row = object->phi + (gsize) ty * (gsize) stride,
                  *up = ty > 0 ? row - stride : row;
      const float *down = ty < bottom ? row + stride : row;

      for (int x = 0; x < box->width; x++)
        fx[x] = fy[x] = own[x] = VG_CONTOUR_FAR;
      for (int x0 = 0; x0 < box->width; x0 += RUN)
        {
          const int n = MIN (RUN, box->width - x0), from = box->x + x0;
          gint32 beside[RUN];

          /* the tile's edge has no neighbours on one side */
          if (from > 0 && from + n <= right &&
              find_beside (up + from, row + from, down + from, beside, n) == 0)
            continue;
          for (int k = 0; k < n; k++)
            if (from == 0 || from + n > right || beside[k])
              find_foot (up, row, down, from + k, right, (float) (x0 + k), (float) y, &fx[x0 + k],
                         &fy[x0 + k], &own[x0 + k]);
        }
    }
}

/* Row Y takes from a neighbour row what is nearer. */
VG_SIMD static void
sweep_row (float *restrict fx, float *restrict fy, const float *restrict gx,
           const float *restrict gy, int y, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      float ax = fx[x] - (float) x, ay = fy[x] - (float) y, bx = gx[x] - (float) x,
            by = gy[x] - (float) y;
      int nearer = bx * bx + by * by < ax * ax + ay * ay;

      fx[x] = nearer ? gx[x] : fx[x];
      fy[x] = nearer ? gy[x] : fy[x];
    }
}

/* Squared distance of the pixels of row Y to the feet SHIFT columns on. */
VG_SIMD static void
row_distance (float *restrict square, const float *restrict fx, const float *restrict fy, int shift,
              int y, int from, int to)
{
#pragma omp simd
  for (int x = from; x < to; x++)
    {
      float dx = fx[x + shift] - (float) x, dy = fy[x + shift] - (float) y, d = dx * dx + dy * dy;

      square[x] = d < square[x] ? d : square[x];
    }
}

/* Pixels next to the other side are as far as their own foot, whatever is nearer: so
 * the front stays where it is.  None is beyond the band. */
VG_SIMD static void
set_row (float *restrict phi, const float *restrict square, const float *restrict own, float band,
         int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      float d = own[x] < VG_CONTOUR_FAR ? own[x] : sqrtf (square[x]);

      d = d < band ? d : band;
      phi[x] = phi[x] > 0.0f ? d : -d;
    }
}

/* Extent of the pixels inside, in the tile; width 0: none. */
static VgContourBox
inside_extent (const VgContourObject *object, const VgContourBox *box)
{
  int left = G_MAXINT, right = -1, top = G_MAXINT, bottom = -1;

  for (int y = box->y; y < box->y + box->height; y++)
    {
      const float *row = object->phi + (gsize) y * (gsize) object->tile.width;
      int x = box->x, end = box->x + box->width;

      while (x < end && row[x] <= 0.0f)
        x++;
      if (x == end)
        continue;
      left = MIN (left, x);
      while (row[end - 1] <= 0.0f)
        end--;
      right = MAX (right, end - 1);
      top = MIN (top, y);
      bottom = y;
    }
  return right < 0 ? (VgContourBox){ 0 }
                   : (VgContourBox){ left, top, right - left + 1, bottom - top + 1 };
}

/* An object within two pixels of its tile's edge wants a larger one, unless
 * the image ends there. */
static gboolean
is_outgrown (const VgContourObject *object, const VgContourBox *inside, int width, int height)
{
  const VgContourBox *tile = &object->tile;

  return (inside->x < 2 && tile->x > 0) || (inside->y < 2 && tile->y > 0) ||
         (inside->x + inside->width > tile->width - 2 && tile->x + tile->width < width) ||
         (inside->y + inside->height > tile->height - 2 && tile->y + tile->height < height);
}

static void
clear_outside (VgContourObject *object, const VgContourBox *old, const VgContourBox *box,
               float band)
{
  for (int y = old->y; y < old->y + old->height; y++)
    for (int x = old->x; x < old->x + old->width; x++)
      if (x < box->x || x >= box->x + box->width || y < box->y || y >= box->y + box->height)
        object->phi[(gsize) y * (gsize) object->tile.width + (gsize) x] = -band;
}

VgContourBox
vg_contour_reinitialise (VgContourObject *object, float band, gboolean full, int width, int height,
                         float *scratch)
{
  const VgContourBox old = object->state.box;
  VgContourBox inside = inside_extent (object, &old), box, both = old;
  int reach = (int) band;
  float *fx = scratch, *fy, *own, *square;
  gsize n;

  object->state.outgrown = inside.width > 0 && is_outgrown (object, &inside, width, height);
  if (inside.width == 0)
    {
      object->state.box = (VgContourBox){ 0 };
      clear_outside (object, &old, &object->state.box, band);
      return old;
    }
  box = full ? (VgContourBox){ 0, 0, object->tile.width, object->tile.height }
             : vg_contour_ring (&inside, reach, object->tile.width, object->tile.height);
  n = (gsize) box.width * (gsize) box.height;
  fy = fx + n;
  own = fy + n;
  square = own + n;
  find_feet (object, &box, fx, fy, own);
  for (int y = 1; y < box.height; y++)
    sweep_row (fx + (gsize) y * (gsize) box.width, fy + (gsize) y * (gsize) box.width,
               fx + (gsize) (y - 1) * (gsize) box.width, fy + (gsize) (y - 1) * (gsize) box.width,
               y, box.width);
  for (int y = box.height - 2; y >= 0; y--)
    sweep_row (fx + (gsize) y * (gsize) box.width, fy + (gsize) y * (gsize) box.width,
               fx + (gsize) (y + 1) * (gsize) box.width, fy + (gsize) (y + 1) * (gsize) box.width,
               y, box.width);
  for (int y = 0; y < box.height; y++)
    {
      const float *rx = fx + (gsize) y * (gsize) box.width,
                  *ry = fy + (gsize) y * (gsize) box.width;

      for (int x = 0; x < box.width; x++)
        square[x] = band * band;
      for (int shift = -reach; shift <= reach; shift++)
        row_distance (square, rx, ry, shift, y, MAX (0, -shift),
                      MIN (box.width, box.width - shift));
      set_row (object->phi + (gsize) (box.y + y) * (gsize) object->tile.width + (gsize) box.x,
               square, own + (gsize) y * (gsize) box.width, band, box.width);
    }
  clear_outside (object, &old, &box, band);
  object->state.box = box;
  object->state.pose.x += (float) (old.x - box.x);
  object->state.pose.y += (float) (old.y - box.y);
  both.x = MIN (old.x, box.x);
  both.y = MIN (old.y, box.y);
  both.width = MAX (old.x + old.width, box.x + box.width) - both.x;
  both.height = MAX (old.y + old.height, box.y + box.height) - both.y;
  return both;
}
