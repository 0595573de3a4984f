/* SPDX-License-Identifier: MIT */
#include "kernels/contour/synthetic/contour-tissue.h"
#include "kernels/base/vg-random.h"
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* Every second field of a chessboard has a gland.  Fibres are the level lines of a smooth function,
 * which near a gland is the distance to it, so that they run round it. */

#define FIELD 256.0 /* of the chessboard */
#define GLAND 88.0  /* radius */
#define REACH 1.9   /* fibres run round a gland up to this multiple of its radius */
#define BORDER 1.1  /* nuclei of the stroma begin at this multiple */
#define PITCH 25.0  /* of the stroma's nuclei */
#define LUMEN 0.46  /* radius of a gland's lumen, relative to the gland */
#define BASE 0.8    /* of the ring of its nuclei */

typedef struct
{
  double x, y, radius, wave[2], phase[2]; /* radius 0: the field has no gland */
} Gland;

struct _VgContourTissue
{
  int width, height;
  int columns, rows; /* fields, with one more round the picture */
  Gland *glands;
  GArray *nuclei;
  guint64 seed;
};

/* Where a pixel is. */
typedef struct
{
  const Gland *gland; /* the nearest; NULL: none is near */
  double far;         /* distance from its middle, relative to its outline */
} Place;

/* Between -1 and 1. */
static double
either (guint64 key)
{
  return 2.0 * vg_random_uniform (key) - 1.0;
}

static guint64
key_of (guint64 seed, int column, int row)
{
  return vg_random_bits (seed + 977) + (guint64) row * 1000003 + (guint64) column * 1009;
}

static void
init_gland (Gland *self, int column, int row, guint64 seed)
{
  guint64 key = key_of (seed, column, row);

  if ((column + row) % 2 != 0)
    return;
  self->x = FIELD * (column + 0.5 + 0.1 * either (key));
  self->y = FIELD * (row + 0.5 + 0.1 * either (key + 1));
  self->radius = GLAND * (1.0 + 0.1 * either (key + 2));
  for (guint64 i = 0; i < 2; i++)
    {
      self->wave[i] = (i == 0 ? 0.16 : 0.08) * (0.5 + 0.5 * vg_random_uniform (key + 3 + 2 * i));
      self->phase[i] = 2.0 * G_PI * vg_random_uniform (key + 4 + 2 * i);
    }
}

/* The radius of GLAND in direction ANGLE. */
static double
outline (const Gland *gland, double angle)
{
  return gland->radius * (1.0 + gland->wave[0] * cos (2.0 * angle + gland->phase[0]) +
                          gland->wave[1] * cos (3.0 * angle + gland->phase[1]));
}

static Place
find_place (const VgContourTissue *self, double x, double y)
{
  Place place = { NULL, G_MAXDOUBLE };
  int column = (int) floor (x / FIELD) + 1, row = (int) floor (y / FIELD) + 1;

  for (int k = MAX (row - 1, 0); k <= MIN (row + 1, self->rows - 1); k++)
    for (int i = MAX (column - 1, 0); i <= MIN (column + 1, self->columns - 1); i++)
      {
        const Gland *gland = &self->glands[k * self->columns + i];
        double dx = x - gland->x, dy = y - gland->y, far = sqrt (dx * dx + dy * dy);

        if (far >= 1.3 * REACH * gland->radius)
          continue;
        far /= outline (gland, atan2 (dy, dx));
        if (far < place.far)
          place = (Place){ gland, far };
      }
  return place;
}

static double
find_distant_level (double x, double y)
{
  return 0.75 * y + 0.35 * x;
}

/* The fibres' function at (X, Y). */
static double
find_level (const VgContourTissue *self, double x, double y, const Place *place)
{
  double level = find_distant_level (x, y) +
                 130.0 * vg_random_smooth (x / 170.0, y / 170.0, self->seed + 11) +
                 26.0 * vg_random_smooth (x / 45.0, y / 45.0, self->seed + 12),
         part;

  if (place->gland == NULL)
    return level;
  part = CLAMP ((REACH - place->far) / (REACH - 1.0), 0.0, 1.0);
  part = part * part * (3.0 - 2.0 * part);
  return level + part * (find_distant_level (place->gland->x, place->gland->y) + 78.0 +
                         GLAND * (place->far - 1.0) - level);
}

/* The direction of the fibres. */
static double
find_direction (const VgContourTissue *self, double x, double y)
{
  double around[4];

  for (int i = 0; i < 4; i++)
    {
      double u = x + (i == 0) - (i == 1), v = y + (i == 2) - (i == 3);
      Place place = find_place (self, u, v);

      around[i] = find_level (self, u, v, &place);
    }
  return atan2 (around[2] - around[3], around[0] - around[1]) + G_PI / 2.0;
}

double
vg_contour_nucleus_value (const VgContourNucleus *self, double x, double y)
{
  double dx = x - self->x, dy = y - self->y, u = (self->cosine * dx + self->sine * dy) / self->a,
         v = (self->cosine * dy - self->sine * dx) / self->b, value = u * u + v * v, cosine;

  if (self->wave == 0.0 || value < 1e-6)
    return value;
  cosine = u / sqrt (value);
  return value / (1.0 + self->wave * (4.0 * cosine * cosine - 3.0) * cosine);
}

/* Nuclei that the picture does not reach are left out. */
static void
add (VgContourTissue *self, double x, double y, double a, double b, double angle, guint64 key)
{
  VgContourNucleus nucleus = { .x = x,
                               .y = y,
                               .a = a,
                               .b = b,
                               .cosine = cos (angle),
                               .sine = sin (angle),
                               .wave = 0.16 * either (key),
                               .stain = 1.0 + 0.2 * either (key + 1) };

  if (x > -a && y > -a && x < self->width + a && y < self->height + a)
    g_array_append_val (self->nuclei, nucleus);
}

/* The tall nuclei of a gland stand in a ring, some of them in a second row. */
static void
place_ring (VgContourTissue *self, const Gland *gland, guint64 key)
{
  double angle = 0.0;

  for (int i = 0; angle < 2.0 * G_PI - 0.1; i++, key += 16)
    {
      double r = outline (gland, angle),
             at = r * (BASE + 0.05 * either (key)) - (i % 5 == 4 ? 13.0 : 0.0),
             size = 1.0 + 0.15 * either (key + 1), a = 10.5 * size,
             b = 6.6 * size * (1.0 + 0.1 * either (key + 2));

      add (self, gland->x + at * cos (angle), gland->y + at * sin (angle), a, b,
           angle + 0.25 * either (key + 3), key + 4);
      angle += (i % 5 == 4 || i % 5 == 3 ? 9.0 : 15.0 + 2.0 * either (key + 6)) / (BASE * r);
    }
}

/* A nucleus of the stroma: a fibroblast along the fibres, or in places lymphocytes, alone, in pairs
 * and in triplets. */
static void
place_stroma (VgContourTissue *self, double x, double y, guint64 key)
{
  double angle, size = 1.0 + 0.14 * either (key);
  gboolean round = vg_random_smooth (x / 85.0, y / 85.0, self->seed + 21) > 0.57;
  int n = 1;

  if (find_place (self, x, y).far < BORDER || vg_random_uniform (key + 1) > (round ? 0.95 : 0.6))
    return;
  angle = find_direction (self, x, y) + 0.3 * either (key + 2);
  if (!round)
    {
      double slim = vg_random_uniform (key + 3);

      add (self, x, y, (14.0 - 4.0 * slim) * size, (4.8 + 2.4 * slim) * size, angle, key + 4);
      return;
    }
  n += (vg_random_uniform (key + 6) < 0.22) + (vg_random_uniform (key + 6) < 0.06);
  for (int i = 0; i < n; i++)
    {
      double ratio = 1.0 + 0.14 * vg_random_uniform (key + 7 + (guint64) i), way = angle + 2.1 * i,
             shift = n > 1 ? 7.0 * size : 0.0;

      add (self, x + shift * cos (way), y + shift * sin (way), 7.6 * size * ratio,
           7.6 * size / ratio, way, key + 10 + 2 * (guint64) i);
    }
}

VgContourTissue *
vg_contour_tissue_new (int width, int height, guint64 seed)
{
  VgContourTissue *self = g_new0 (VgContourTissue, 1);

  self->width = width;
  self->height = height;
  self->seed = seed;
  self->columns = (int) (width / FIELD) + 3;
  self->rows = (int) (height / FIELD) + 3;
  self->glands = g_new0 (Gland, self->columns * self->rows);
  self->nuclei = g_array_new (FALSE, FALSE, sizeof (VgContourNucleus));
  for (int row = 0; row < self->rows; row++)
    for (int column = 0; column < self->columns; column++)
      {
        Gland *gland = &self->glands[row * self->columns + column];

        init_gland (gland, column - 1, row - 1, seed);
        if (gland->radius > 0.0)
          place_ring (self, gland, key_of (seed + 1, column, row));
      }
  for (int row = 0; row * PITCH < height; row++)
    for (int column = 0; column * PITCH < width; column++)
      {
        guint64 key = key_of (seed + 2, column, row);

        place_stroma (self,
                      PITCH * (column + 0.5 + (row % 2 ? 0.25 : -0.25) + 0.22 * either (key + 30)),
                      PITCH * (row + 0.5 + 0.22 * either (key + 31)), key);
      }
  return self;
}

void
vg_contour_tissue_free (VgContourTissue *self)
{
  if (self == NULL)
    return;
  g_free (self->glands);
  g_array_unref (self->nuclei);
  g_free (self);
}

GArray *
vg_contour_tissue_get_nuclei (const VgContourTissue *self)
{
  return self->nuclei;
}

void
vg_contour_tissue_ground (const VgContourTissue *self, double x, double y, double *eosin,
                          double *haematoxylin)
{
  Place place = find_place (self, x, y);
  double level, fibre, gap, fine;

  *haematoxylin = 0.0;
  *eosin = 0.015;
  if (place.far < LUMEN)
    return;
  fine = vg_random_smooth (x / 3.0, y / 3.0, self->seed + 31) - 0.5;
  if (place.far < 1.0)
    {
      /* cells: bluish at their base, pale where mucus gathers at their top */
      double top = CLAMP ((BASE - place.far) / (BASE - LUMEN), 0.0, 1.0);

      *eosin = 0.3 - 0.12 * top + 0.1 * fine + (place.far < LUMEN + 0.03 ? 0.15 : 0.0);
      *haematoxylin = 0.13 * (1.0 - top);
      return;
    }
  level = find_level (self, x, y, &place);
  fibre = vg_random_smooth (level / 3.4, (x - 0.4 * y) / 38.0, self->seed + 32);
  gap = vg_random_smooth (level / 13.0, (x - 0.4 * y) / 75.0, self->seed + 33);
  *eosin = 0.2 + 0.34 * fibre * fibre + 0.08 * fine;
  if (place.far < 1.05)
    *eosin += 0.12;
  else if (gap > 0.7)
    *eosin *= MAX (1.0 - 12.0 * (gap - 0.7), 0.08);
}

double
vg_contour_tissue_chromatin (double x, double y, double value, guint64 seed)
{
  double clump = vg_random_smooth (x / 2.6, y / 2.6, seed + 41);

  /* a dark rim, as the nuclear membrane has */
  return 0.78 + 0.36 * clump + (value > 0.6 ? 0.12 : 0.0);
}
