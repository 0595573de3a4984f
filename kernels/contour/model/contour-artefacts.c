/* SPDX-License-Identifier: MIT */
#include "kernels/contour/model/contour-artefacts.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-stain.h"
#include <math.h>
/* A cell has the natural optical density of its mean light in red, green and blue.  Everything else
 * is local: means over windows of cells, thresholds and openings, so that tiles give the same
 * result as the whole.  Thresholds of ink: docs/internals/contour.md. */

enum {
  FINE = 1,   /* reach of the window for colours, in cells */
  COARSE = 4, /* and of that for density: it averages nuclei and their surroundings */
  INK_OPENING = 1,
  DENSE_OPENING = 3,
};
#define CELL_RADII 0.5
/* Density, as a sum of three channels, by which tissue exceeds glass, which is at most that dense
 */
#define TISSUE 0.2f
#define MOST_GLASS 0.3f
/* Median density above which light was not transmitted through most of the image. */
#define TRANSMITTED 3.0f
/* Tissue, in squared radii, from which its typical density is known. */
#define ENOUGH 2000.0
#define LEAST_EOSIN 0.08f

typedef struct
{
  int width, height; /* cells */
  float *rgb[3];
} Cells;

static void
cells_clear (Cells *self)
{
  for (int c = 0; c < 3; c++)
    g_clear_pointer (&self->rgb[c], g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Cells, cells_clear)

/* ---- Cells ---- */

/* Adds N pixels from pixel I on to SUMS; missing values count as full light. */
static void
add_pixels (const VgImage *image, const VgContourScale *scale, gsize i, int n, double sums[3])
{
  const gsize step = (gsize) image->info.channels;

  if (image->info.type == VG_U8)
    {
      const guint8 *p = (const guint8 *) image->data + step * i;
      guint whole[3] = { 0, 0, 0 };

      for (int k = 0; k < n; k++, p += step)
        for (int c = 0; c < 3; c++)
          whole[c] += p[c];
      for (int c = 0; c < 3; c++)
        sums[c] += whole[c];
      return;
    }
  for (int k = 0; k < n; k++)
    for (gsize c = 0; c < 3; c++)
      {
        double value = vg_image_sample (image, step * (i + (gsize) k) + c);

        sums[c] += isfinite (value) ? MAX (value - scale->zero, 0.0) : scale->full;
      }
}

static void
fill_cell (const VgContourArtefacts *grid, const VgImage *image, const VgContourScale *scale,
           int cx, int cy, Cells *cells)
{
  const double one = scale->full / 255.0;
  const int x0 = MAX (cx * grid->cell - grid->x, 0), y0 = MAX (cy * grid->cell - grid->y, 0),
            x1 = MIN ((cx + 1) * grid->cell - grid->x, image->info.width),
            y1 = MIN ((cy + 1) * grid->cell - grid->y, image->info.height);
  double sums[3] = { 0.0, 0.0, 0.0 };

  for (int y = y0; y < y1; y++)
    add_pixels (image, scale, (gsize) y * (gsize) image->info.width + (gsize) x0, x1 - x0, sums);
  for (int c = 0; c < 3; c++)
    cells->rgb[c][(gsize) cy * (gsize) cells->width + (gsize) cx] = (float) MAX (
        -log ((sums[c] / ((double) (x1 - x0) * (y1 - y0)) + one) / (scale->full + one)), 0.0);
}

/* FALSE: no memory. */
static gboolean
cells_init (Cells *self, const VgContourArtefacts *grid, const VgImage *image,
            const VgContourScale *scale)
{
  *self = (Cells){ grid->width, grid->height, { NULL, NULL, NULL } };
  for (int c = 0; c < 3; c++)
    if ((self->rgb[c] = g_try_new (float, (gsize) grid->width *(gsize) grid->height)) == NULL)
      return FALSE;
#pragma omp parallel for schedule(static)
  for (int cy = 0; cy < grid->height; cy++)
    for (int cx = 0; cx < grid->width; cx++)
      fill_cell (grid, image, scale, cx, cy, self);
  return TRUE;
}

/* ---- Windows ---- */

/* The mean, the smallest or the largest value of a window. */
typedef enum { MEAN, LEAST, MOST } Summary;

static float
summarise (const float *first, gsize stride, int n, Summary how)
{
  float value = *first;

  for (int k = 1; k < n; k++)
    {
      float next = first[(gsize) k * stride];

      value = how == MEAN ? value + next : how == LEAST ? MIN (value, next) : MAX (value, next);
    }
  return how == MEAN ? value / (float) n : value;
}

/* Replaces each cell by the summary of a square window that reaches REACH cells to each side,
 * within the image.  FALSE: no memory. */
static gboolean
filter (float *plane, int width, int height, int reach, Summary how)
{
  g_autofree float *rows = g_try_new (float, (gsize) width *(gsize) height);

  if (rows == NULL)
    return FALSE;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        int from = MAX (x - reach, 0), to = MIN (x + reach, width - 1);
        gsize row = (gsize) y * (gsize) width;

        rows[row + (gsize) x] = summarise (plane + row + from, 1, to - from + 1, how);
      }
#pragma omp parallel for schedule(static)
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        int from = MAX (y - reach, 0), to = MIN (y + reach, height - 1);

        plane[(gsize) y * (gsize) width + (gsize) x] = summarise (
            rows + (gsize) from * (gsize) width + x, (gsize) width, to - from + 1, how);
      }
  return TRUE;
}

/* The sum of three channels, each times its WEIGHT, in windows of reach COARSE; NULL: no memory. */
static float *
weigh (const Cells *cells, const double weights[3])
{
  const gsize n = (gsize) cells->width * (gsize) cells->height;
  g_autofree float *plane = g_try_new (float, n);

  for (gsize i = 0; i < n && plane != NULL; i++)
    plane[i] = (float) (weights[0] * cells->rgb[0][i] + weights[1] * cells->rgb[1][i] +
                        weights[2] * cells->rgb[2][i]);
  return plane != NULL && filter (plane, cells->width, cells->height, COARSE, MEAN)
             ? g_steal_pointer (&plane)
             : NULL;
}

/* What classification reads. */
typedef struct
{
  Cells fine;             /* means in windows of reach FINE */
  float *density, *eosin; /* in windows of reach COARSE */
} Means;

static void
means_clear (Means *self)
{
  cells_clear (&self->fine);
  g_clear_pointer (&self->density, g_free);
  g_clear_pointer (&self->eosin, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Means, means_clear)

static gboolean
means_init (Means *self, const VgContourArtefacts *grid, const VgImage *image,
            const VgContourScale *scale)
{
  static const double all[3] = { 1.0, 1.0, 1.0 };
  double rows[2][3];

  *self = (Means){ .density = NULL };
  vg_contour_stain_pair (VG_CONTOUR_EOSIN, rows);
  if (!cells_init (&self->fine, grid, image, scale) ||
      (self->density = weigh (&self->fine, all)) == NULL ||
      (self->eosin = weigh (&self->fine, rows[1])) == NULL)
    return FALSE;
  for (int c = 0; c < 3; c++)
    if (!filter (self->fine.rgb[c], grid->width, grid->height, FINE, MEAN))
      return FALSE;
  return TRUE;
}

static float
density_at (const Cells *cells, gsize i)
{
  return cells->rgb[0][i] + cells->rgb[1][i] + cells->rgb[2][i];
}

/* ---- What is typical ---- */

/* In haematoxylin, eosin and DAB, green absorbs more than red and, except in DAB, than blue.  Inks
 * of blue and green absorb more red, black ink absorbs all alike.  Red ink looks like blood. */
static gboolean
is_ink (const Means *means, gsize i, const VgContourTypical *typical)
{
  const float r = means->fine.rgb[0][i], g = means->fine.rgb[1][i], b = means->fine.rgb[2][i],
              density = r + g + b;

  return (density > 0.8f && r > g * MAX (1.15f, 1.6f * typical->red)) ||
         (density > 2.0f && r > g * MAX (0.9f, 1.35f * typical->red)) ||
         (density > 1.8f && r > 0.8f * g && b > 0.7f * g);
}

/* Medians over the tissue without ink.  FALSE: no memory. */
static gboolean
find_typical (const VgContourArtefacts *grid, const Means *means, float radius,
              VgContourTypical *typical)
{
  const gsize n = (gsize) grid->width * (gsize) grid->height;
  const VgContourTypical any = { .red = 0.0f };
  float *const medians[] = { &typical->density, &typical->eosin, &typical->red };
  g_autofree float *values = g_try_new (float, n);
  float least;

  if (values == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    values[i] = density_at (&means->fine, i);
  *typical = (VgContourTypical){ .known = TRUE };
  typical->transmitted = vg_contour_percentile (values, n, 0.5) < TRANSMITTED;
  typical->glass = MIN (vg_contour_percentile (values, n, 0.01), MOST_GLASS);
  least = typical->glass + TISSUE;
  for (int k = 0; k < 3; k++)
    {
      gsize tissue = 0;

      for (gsize i = 0; i < n; i++)
        if ((k < 2 ? means->density[i] : density_at (&means->fine, i)) > least &&
            !is_ink (means, i, &any))
          values[tissue++] = k == 0   ? means->density[i]
                             : k == 1 ? means->eosin[i]
                                      : means->fine.rgb[0][i] / MAX (means->fine.rgb[1][i], 1e-3f);
      *medians[k] = tissue > 0 ? vg_contour_percentile (values, tissue, 0.5) : 0.0f;
      if (k == 0)
        typical->enough = (double) tissue * grid->cell * grid->cell >= ENOUGH * radius * radius;
    }
  return TRUE;
}

static VgContourArtefacts *
new_grid (const VgImage *image, float radius, int x, int y)
{
  VgContourArtefacts *self = g_new0 (VgContourArtefacts, 1);

  self->cell = MAX ((int) round (CELL_RADII * radius), 2);
  self->x = x % self->cell;
  self->y = y % self->cell;
  self->width = (self->x + image->info.width + self->cell - 1) / self->cell;
  self->height = (self->y + image->info.height + self->cell - 1) / self->cell;
  return self;
}

gboolean
vg_contour_artefacts_calibrate (const VgImage *image, float radius, VgContourScale *scale)
{
  g_autoptr (VgContourArtefacts) grid = new_grid (image, radius, 0, 0);
  g_auto (Means) means = { .density = NULL };

  if (image->info.channels >= 3)
    return means_init (&means, grid, image, scale) &&
           find_typical (grid, &means, radius, &scale->typical);
  scale->typical = (VgContourTypical){ .known = TRUE };
  return TRUE;
}

/* ---- Classes ---- */

static gboolean
is_dense (const Means *means, gsize i, const VgContourTypical *typical)
{
  return typical->enough && typical->eosin > LEAST_EOSIN &&
         means->density[i] > 1.9f * typical->density && means->eosin[i] > 1.4f * typical->eosin;
}

/* Sets the cells that FIND names, without spots that a square of 2 REACH + 1 cells does not fit
 * into.  FALSE: no memory. */
static gboolean
mark (VgContourArtefacts *self, const Means *means, const VgContourTypical *typical,
      gboolean (*find) (const Means *means, gsize i, const VgContourTypical *typical), int reach,
      VgContourMatter matter)
{
  const gsize n = (gsize) self->width * (gsize) self->height;
  g_autofree float *found = g_try_new (float, n);

  if (found == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    found[i] = find (means, i, typical) ? 1.0f : 0.0f;
  if (!filter (found, self->width, self->height, reach, LEAST) ||
      !filter (found, self->width, self->height, reach, MOST))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (found[i] > 0.0f)
      self->matters[i] = (guint8) matter;
  return TRUE;
}

/* FALSE: no memory. */
static gboolean
classify (VgContourArtefacts *self, const VgImage *image, float radius, VgContourScale *scale)
{
  const gsize n = (gsize) self->width * (gsize) self->height;
  VgContourTypical *typical = &scale->typical;
  g_auto (Means) means = { .density = NULL };

  if (!means_init (&means, self, image, scale) ||
      (!typical->known && !find_typical (self, &means, radius, typical)))
    return FALSE;
  if (!typical->transmitted)
    return TRUE;
  self->matters = g_try_new (guint8, n);
  if (self->matters == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    self->matters[i] = density_at (&means.fine, i) > typical->glass + TISSUE ? VG_CONTOUR_TISSUE
                                                                             : VG_CONTOUR_GLASS;
  return mark (self, &means, typical, is_dense, DENSE_OPENING, VG_CONTOUR_DENSE) &&
         mark (self, &means, typical, is_ink, INK_OPENING, VG_CONTOUR_INK);
}

VgContourArtefacts *
vg_contour_artefacts_new (const VgImage *image, float radius, int x, int y, VgContourScale *scale)
{
  g_autoptr (VgContourArtefacts) self = new_grid (image, radius, x, y);

  return image->info.channels < 3 || classify (self, image, radius, scale) ? g_steal_pointer (&self)
                                                                           : NULL;
}

void
vg_contour_artefacts_free (VgContourArtefacts *self)
{
  if (self == NULL)
    return;
  g_free (self->matters);
  g_free (self);
}

void
vg_contour_artefacts_draw (const VgContourArtefacts *self, int x, int y, int width, int height,
                           float *plane, gsize stride)
{
#pragma omp parallel for schedule(static)
  for (int v = 0; v < height; v++)
    for (int u = 0; u < width; u++)
      plane[(gsize) v * stride + (gsize) u] = (float) vg_contour_artefacts_at (self, x + u, y + v);
}

void
vg_contour_artefacts_count (const VgContourArtefacts *self, int x, int y, int width, int height,
                            gint64 counts[VG_CONTOUR_MATTERS])
{
  const int x0 = x + self->x, y0 = y + self->y;

  for (int cy = y0 / self->cell; cy * self->cell < y0 + height; cy++)
    for (int cx = x0 / self->cell; cx * self->cell < x0 + width; cx++)
      {
        int left = MAX (cx * self->cell, x0), top = MAX (cy * self->cell, y0),
            right = MIN ((cx + 1) * self->cell, x0 + width),
            bottom = MIN ((cy + 1) * self->cell, y0 + height);

        counts[vg_contour_artefacts_at (self, left - self->x, top - self->y)] += (gint64) (right -
                                                                                           left) *
                                                                                 (bottom - top);
      }
}
