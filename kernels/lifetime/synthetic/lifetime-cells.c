/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/synthetic/lifetime-cells.h"
#include "kernels/base/vg-random.h"
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* Cells stand on a grid with gaps.  The outline of a cell is a circle with a few waves, drawn out
 * to one or two tips; where two cells meet they share a border.  Lengths are in units of the
 * picture's side. */

#define SIZE 0.125
#define RIM 0.0075 /* width of a membrane */
enum { SIDE = 4, WAVES = 4, SPOTS = 8, SEED = 4, MOST_CELLS = SIDE * SIDE };

typedef struct
{
  double x, y, size, wave[WAVES], phase[WAVES];
  double nucleus_x, nucleus_y, nucleus_a, nucleus_b, nucleus_cosine, nucleus_sine;
  struct
  {
    double x, y, r;
  } spots[SPOTS]; /* the first two are nucleoli, the others vesicles */
  double gain;
} Cell;

typedef struct
{
  Cell cells[MOST_CELLS];
  int n;
} Field;

/* Between -1 and 1. */
static double
either (guint64 key)
{
  return 2.0 * vg_random_uniform (key) - 1.0;
}

/* The radius of the outline in direction ANGLE. */
static double
outline (const Cell *self, double angle)
{
  double r = 1.0;

  for (int i = 0; i < WAVES; i++)
    r += self->wave[i] * cos ((i + 2) * angle + self->phase[i]);
  return self->size * r;
}

static void
place_cell (Cell *self, double x, double y, guint64 key)
{
  static const double height[WAVES] = { 0.24, 0.15, 0.09, 0.05 };
  double turn = G_PI * vg_random_uniform (key + 3);

  self->x = x;
  self->y = y;
  self->size = SIZE * (1.0 + 0.16 * either (key));
  self->gain = 0.8 + 0.5 * vg_random_uniform (key + 1);
  for (int i = 0; i < WAVES; i++)
    {
      self->wave[i] = height[i] * (0.6 + 0.4 * vg_random_uniform (key + 10 + (guint64) i));
      self->phase[i] = 2.0 * G_PI * vg_random_uniform (key + 20 + (guint64) i);
    }
  self->nucleus_x = x + 0.18 * self->size * either (key + 4);
  self->nucleus_y = y + 0.18 * self->size * either (key + 5);
  self->nucleus_a = self->size * (0.4 + 0.06 * vg_random_uniform (key + 6));
  self->nucleus_b = self->nucleus_a * (0.68 + 0.2 * vg_random_uniform (key + 7));
  self->nucleus_cosine = cos (turn);
  self->nucleus_sine = sin (turn);
  for (int i = 0; i < SPOTS; i++)
    {
      double angle = 2.0 * G_PI * vg_random_uniform (key + 30 + (guint64) i) + G_PI * i,
             far = vg_random_uniform (key + 40 + (guint64) i);
      double r = i < 2 ? self->nucleus_b * (0.25 + 0.3 * far)
                       : outline (self, angle) * (0.55 + 0.3 * far);

      self->spots[i].x = (i < 2 ? self->nucleus_x : x) + r * cos (angle);
      self->spots[i].y = (i < 2 ? self->nucleus_y : y) + r * sin (angle);
      self->spots[i].r = i < 2 ? self->nucleus_b * (0.2 + 0.1 * far) : RIM * (0.7 + 0.08 * i);
    }
}

static void
place (Field *self)
{
  self->n = 0;
  for (int i = 0; i < MOST_CELLS; i++)
    {
      guint64 key = (guint64) SEED * 100000 + 1000 * (guint64) i;
      int row = i / SIDE;
      double x = (i % SIDE + 0.5 + (row % 2 ? 0.22 : -0.22) + 0.2 * either (key + 90)) / SIDE,
             y = (row + 0.5 + 0.2 * either (key + 91)) / SIDE;

      if (i != 5 && i != 10)
        place_cell (&self->cells[self->n++], x, y, key);
    }
}

/* How far inside the ellipse of the nucleus: 1 at its middle, 0 at its border. */
static double
depth_in_nucleus (const Cell *cell, double u, double v)
{
  double dx = u - cell->nucleus_x, dy = v - cell->nucleus_y,
         a = (cell->nucleus_cosine * dx + cell->nucleus_sine * dy) / cell->nucleus_a,
         b = (cell->nucleus_cosine * dy - cell->nucleus_sine * dx) / cell->nucleus_b;

  return 1.0 - sqrt (a * a + b * b);
}

/* Whether (U, V) is in one of the spots FROM to TO. */
static gboolean
is_spot (const Cell *cell, double u, double v, int from, int to)
{
  for (int i = from; i < to; i++)
    {
      double dx = u - cell->spots[i].x, dy = v - cell->spots[i].y;

      if (dx * dx + dy * dy < cell->spots[i].r * cell->spots[i].r)
        return TRUE;
    }
  return FALSE;
}

/* The cell at (U, V), or NULL, and how far its border is. */
static const Cell *
find_cell (const Field *self, double u, double v, double *border)
{
  const Cell *found = NULL;
  double best = 1.0, second = 1.0;

  for (int i = 0; i < self->n; i++)
    {
      const Cell *cell = &self->cells[i];
      double dx = u - cell->x, dy = v - cell->y, far = dx * dx + dy * dy, share;

      if (far > 4.0 * cell->size * cell->size)
        continue;
      share = sqrt (far) / outline (cell, atan2 (dy, dx));
      if (share < best)
        {
          second = best;
          best = share;
          found = cell;
        }
      else if (share < second)
        second = share;
    }
  *border = found ? (second < 1.0 ? 0.5 : 1.0) * (second - best) * found->size : 0.0;
  return found;
}

static VgLifetimePart
draw_pixel (const Field *field, double u, double v, float *brightness)
{
  double border, nucleus, light;
  const Cell *cell = find_cell (field, u, v, &border);
  /* fibres and grains */
  double fine = vg_random_smooth ((u + 0.3 * v) * 90, (v - 0.2 * u + 1.0) * 90, 17),
         coarse = vg_random_smooth (u * 24, v * 24, 29);

  *brightness = 0.01f;
  if (cell == NULL)
    return VG_LIFETIME_MEDIUM;
  if (border < RIM)
    {
      *brightness = (float) (cell->gain * (0.7 + 0.5 * coarse));
      return VG_LIFETIME_MEMBRANE;
    }
  nucleus = depth_in_nucleus (cell, u, v);
  if (nucleus > 0.0)
    {
      light = 0.32 + 0.12 * coarse + (is_spot (cell, u, v, 0, 2) ? 0.3 : 0.0);
      *brightness = (float) (cell->gain * light);
      return VG_LIFETIME_NUCLEUS;
    }
  if (is_spot (cell, u, v, 2, SPOTS))
    {
      *brightness = (float) (1.7 * cell->gain);
      return VG_LIFETIME_VESICLE;
    }
  /* a cell is thickest beside its nucleus */
  light = 0.25 + 0.75 / (1.0 + 3.0 * nucleus * nucleus);
  *brightness = (float) (cell->gain * light * (0.45 + 0.55 * coarse + 0.5 * fine * fine));
  return VG_LIFETIME_CYTOPLASM;
}

void
vg_lifetime_cells_draw (int width, int height, guint8 *part, float *brightness)
{
  g_autofree Field *field = g_new (Field, 1);

  place (field);
#pragma omp parallel for schedule(dynamic, 8)
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        gsize i = (gsize) y * (gsize) width + (gsize) x;

        part[i] = (guint8) draw_pixel (field, (x + 0.5) / width, (y + 0.5) / height,
                                       &brightness[i]);
      }
}
