/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/vessels/perfusion-vessels.h"
#include <string.h>
/* Region growing by the similarity of curves: a voxel belongs to a vessel if its curve is that of
 * the vessel times a factor, within the noise.  The factor is the fraction of the voxel that the
 * vessel fills. */

#define SHAPE 0.2        /* largest difference of shape, as a part of the curve */
#define NOISE 1.5        /* and of noise, in its standard deviations */
#define LEAST_HEIGHT 0.5 /* a voxel that is filled by half belongs to the vessel */
#define MOST_HEIGHT 2.0
#define EDGE 0.15         /* deviation of the height of an edge voxel with other tissue */
#define LEAST_CONTRAST 5. /* peak of the seed in standard deviations of its noise */
enum { ROUNDS = 3, BLOCK = 1 << 14, OUTSIDE = 0, INSIDE = 1, ON_EDGE = 2 };

typedef struct
{
  const VgPerfusionVoxels *voxels;
  int width, height, slices;
  guint8 *member;
  float *scale; /* per voxel, of the members: their height relative to the curve */
  gsize *queue; /* the members */
  gsize n, most;
  double *own; /* the curve of one voxel */
} Growth;

/* Whether the curve of VOXEL is CURVE times *SCALE. */
static gboolean
is_alike (const Growth *self, gsize voxel, const double *curve, double *scale)
{
  double product = 0, square = 0, rest = 0, noise = (double) self->voxels->noise[voxel];
  int n = self->voxels->n;

  if (!vg_perfusion_voxels_read (self->voxels, voxel, self->own))
    return FALSE;
  for (int i = 0; i < n; i++)
    {
      product += self->own[i] * curve[i];
      square += curve[i] * curve[i];
    }
  *scale = product / square;
  if (!(*scale >= LEAST_HEIGHT && *scale <= MOST_HEIGHT))
    return FALSE;
  for (int i = 0; i < n; i++)
    rest += (self->own[i] - *scale * curve[i]) * (self->own[i] - *scale * curve[i]);
  return rest <= SHAPE * SHAPE * *scale * *scale * square + NOISE * NOISE * noise * noise * n;
}

static void
visit (Growth *self, int x, int y, int z, const double *curve)
{
  gsize voxel;
  double scale;

  if (x < 0 || y < 0 || z < 0 || x >= self->width || y >= self->height || z >= self->slices ||
      self->n >= self->most)
    return;
  voxel = ((gsize) z * (gsize) self->height + (gsize) y) * (gsize) self->width + (gsize) x;
  if (self->member[voxel] || !is_alike (self, voxel, curve, &scale))
    return;
  self->member[voxel] = INSIDE;
  self->scale[voxel] = (float) scale;
  self->queue[self->n++] = voxel;
}

/* Collects the voxels that are connected with SEED and whose curves are similar to CURVE.  A voxel
 * has four neighbours in its slice and nine in each adjacent slice, because vessels are oblique and
 * slices thick.  FALSE and an error: stopped. */
static gboolean
flood (Growth *self, gsize seed, const double *curve, GError **error)
{
  gsize area = (gsize) self->width * (gsize) self->height;
  double scale = 1;

  for (gsize i = 0; i < self->n; i++)
    self->member[self->queue[i]] = OUTSIDE;
  self->n = 0;
  self->member[seed] = INSIDE;
  is_alike (self, seed, curve, &scale);
  self->scale[seed] = (float) scale;
  self->queue[self->n++] = seed;
  for (gsize i = 0; i < self->n; i++)
    {
      int z = (int) (self->queue[i] / area),
          y = (int) (self->queue[i] % area / (gsize) self->width),
          x = (int) (self->queue[i] % (gsize) self->width);

      if (i % BLOCK == 0 && vg_perfusion_voxels_stopped (self->voxels, error))
        return FALSE;
      visit (self, x - 1, y, z, curve);
      visit (self, x + 1, y, z, curve);
      visit (self, x, y - 1, z, curve);
      visit (self, x, y + 1, z, curve);
      for (int k = 0; k < 18; k++)
        visit (self, x + k % 3 - 1, y + k / 3 % 3 - 1, z + (k < 9 ? -1 : 1), curve);
    }
  return TRUE;
}

/* Whether all four neighbours in the slice are members. */
static gboolean
is_interior (const Growth *self, gsize voxel)
{
  gsize width = (gsize) self->width, x = voxel % width, y = voxel / width % (gsize) self->height;

  return x > 0 && x + 1 < width && y > 0 && y + 1 < (gsize) self->height &&
         self->member[voxel - 1] && self->member[voxel + 1] && self->member[voxel - width] &&
         self->member[voxel + width];
}

/* Marks the edge voxels that contain other tissue.  Returns TRUE if the vessel has no interior. */
static gboolean
check_edges (Growth *self)
{
  double sum = 0;
  gsize interior = 0;

  for (gsize i = 0; i < self->n; i++)
    if (is_interior (self, self->queue[i]))
      {
        sum += (double) self->scale[self->queue[i]];
        interior++;
      }
  if (interior == 0)
    return TRUE;
  sum /= (double) interior;
  for (gsize i = 0; i < self->n; i++)
    if (!is_interior (self, self->queue[i]) &&
        fabs ((double) self->scale[self->queue[i]] - sum) > EDGE * sum)
      self->member[self->queue[i]] = ON_EDGE;
  return FALSE;
}

/* The mean enhancement of the members that are not on the edge. */
static void
average (Growth *self, double *curve)
{
  gsize used = 0;

  memset (curve, 0, sizeof *curve * (gsize) self->voxels->n);
  for (gsize i = 0; i < self->n; i++)
    if (self->member[self->queue[i]] == INSIDE &&
        vg_perfusion_voxels_read (self->voxels, self->queue[i], self->own))
      {
        for (int k = 0; k < self->voxels->n; k++)
          curve[k] += self->own[k];
        used++;
      }
  for (int k = 0; k < self->voxels->n; k++)
    curve[k] /= (double) used;
}

static VgPerfusionGrown *
finish (Growth *self, double *curve, gboolean thin)
{
  VgPerfusionGrown *grown = g_new0 (VgPerfusionGrown, 1);
  gsize area = (gsize) self->width * (gsize) self->height, last = G_MAXSIZE;
  gsize voxels = area * (gsize) self->slices;

  grown->thin = thin;
  grown->bounded = self->n >= self->most;
  grown->curve = g_memdup2 (curve, sizeof *curve * (gsize) self->voxels->n);
  grown->peak = vg_perfusion_curve_peak (self->voxels, curve, &grown->half_s);
  for (gsize i = 0; i < voxels; i++)
    if (self->member[i] == INSIDE)
      {
        grown->inside++;
        grown->base += (double) self->voxels->base[i];
        grown->slices += i / area != last;
        last = i / area;
      }
  grown->base /= (double) grown->inside;
  grown->edge = self->n - grown->inside;
  grown->member = g_steal_pointer (&self->member);
  return grown;
}

/* MEMBER, all 0, is taken. */
static Growth
growth_of (const VgPerfusionVoxels *voxels, guint8 *member)
{
  const VgImageInfo *info = &voxels->study->image->info;

  return (Growth){ .voxels = voxels,
                   .width = info->width,
                   .height = info->height,
                   .slices = (int) info->slices,
                   .member = member,
                   .scale = voxels->values,
                   .queue = voxels->queue,
                   .most = voxels->study->voxels,
                   .own = g_new (double, voxels->n) };
}

VgPerfusionGrown *
vg_perfusion_grow (const VgPerfusionVoxels *voxels, gsize seed, gsize most, GError **error)
{
  gsize all = voxels->study->voxels;
  g_autofree double *curve = g_new (double, voxels->n);
  VgPerfusionGrown *grown = NULL;
  guint8 *member;
  Growth self;

  if (seed >= all || !vg_perfusion_voxels_read (voxels, seed, curve) ||
      !(voxels->peak[seed] > (float) LEAST_CONTRAST * voxels->noise[seed]))
    return NULL;
  member = vg_perfusion_voxels_alloc (voxels, all, error);
  if (member == NULL)
    return NULL;
  self = growth_of (voxels, member);
  self.most = CLAMP (most, 1, all);
  for (int round = 0; round < ROUNDS && flood (&self, seed, curve, error); round++)
    {
      gboolean thin = check_edges (&self);

      average (&self, curve);
      if (round == ROUNDS - 1)
        grown = finish (&self, curve, thin);
    }
  g_free (self.member);
  g_free (self.own);
  return grown;
}

VgPerfusionGrown *
vg_perfusion_grown_new (const VgPerfusionVoxels *voxels, guint8 *member)
{
  g_autofree double *curve = g_new (double, voxels->n);
  g_autoptr (VgPerfusionGrown) grown = NULL;
  Growth self = growth_of (voxels, member);

  for (gsize i = 0; i < voxels->study->voxels; i++)
    {
      member[i] = member[i] && isfinite (voxels->base[i]);
      if (member[i])
        self.queue[self.n++] = i;
    }
  if (self.n > 0)
    {
      average (&self, curve);
      grown = finish (&self, curve, FALSE);
    }
  g_free (self.member);
  g_free (self.own);
  return grown != NULL && grown->peak > 0 ? g_steal_pointer (&grown) : NULL;
}

void
vg_perfusion_grown_free (VgPerfusionGrown *self)
{
  if (self == NULL)
    return;
  g_free (self->member);
  g_free (self->curve);
  g_free (self);
}
