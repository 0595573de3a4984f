/* SPDX-License-Identifier: MIT */
#include "kernels/contour/seeds/contour-area.h"
#include "kernels/contour/model/contour-filter.h"
#include <math.h>
#include <string.h>
/* How much an area resembles a nucleus: an ellipse with a sharp border, more
 * stained than its surroundings and of about the typical size. */

/* Intersection over union with the ellipse at which the likeness is least, and full. */
#define WORST_FIT 0.7f
#define BEST_FIT 0.9f
/* Fraction of the likeness that a ragged area has, since it may be a nucleus. */
#define RAGGED 0.1f
/* Widths of the log-normal weight of the area: to choose among areas at a position, and to accept
 * one. */
#define SIZE_SPREAD 0.7f
#define SIZE_ADMITTED 1.0f
/* An area that the image's edge cuts counts as larger, up to a typical one. */
#define CUT_AREA 2.0
#define RING_RADII 0.35f /* width of the ring around an area that its contrast is compared with */
#define RING_SHARE 0.25  /* quantile of the ring, because neighbours are no background */
/* Limits of the background's texture, in contrasts per radius. */
#define LEAST_TEXTURE 0.1f
#define MOST_TEXTURE 0.6f
enum { BINS = 256 };

typedef struct
{
  double area, x, y, inside, gradient; /* x, y: of the centroid, from the box's corner */
  int border, in_ellipse;
  int left, right, top, bottom;
} Sums;

static float *
gradient_of (const float *grey, int width, int height)
{
  float *gradient = g_try_new (float, (gsize) width *(gsize) height);

  if (gradient == NULL)
    return NULL;
#pragma omp parallel for schedule(static)
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      {
        const float *row = grey + (gsize) y * (gsize) width;
        int l = MAX (x - 1, 0), r = MIN (x + 1, width - 1), up = y > 0 ? -width : 0,
            down = y + 1 < height ? width : 0;
        float dx = (row[r] - row[l]) / (float) MAX (r - l, 1);
        float dy = (row[x + down] - row[x + up]) / (float) MAX ((down - up) / width, 1);

        gradient[(gsize) y * (gsize) width + (gsize) x] = sqrtf (dx * dx + dy * dy);
      }
  return gradient;
}

gboolean
vg_contour_texture (const float *grey, const VgContourForeground *foreground, float *texture)
{
  gsize n = (gsize) foreground->width * (gsize) foreground->height, count = 0;
  g_autofree guint8 *free_part = g_try_malloc (n);
  g_autofree float *distance = g_try_new (float, n),
                   *gradient = gradient_of (grey, foreground->width, foreground->height);
  float unit = foreground->contrast / foreground->radius, median = 0.0f;

  if (free_part == NULL || distance == NULL || gradient == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    free_part[i] = !foreground->mask[i];
  if (!vg_contour_distance (free_part, distance, foreground->width, foreground->height))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (distance[i] > RING_RADII * foreground->radius)
      gradient[count++] = gradient[i];
  if (count > 0)
    median = vg_contour_percentile (gradient, count, 0.5);
  *texture = CLAMP (median, LEAST_TEXTURE * unit, MOST_TEXTURE * unit);
  return TRUE;
}

gboolean
vg_contour_look_init (VgContourLook *self, const float *grey, const VgContourForeground *foreground)
{
  *self = (VgContourLook){
    .grey = grey,
    .width = foreground->width,
    .height = foreground->height,
    .radius = foreground->radius,
    .contrast = foreground->contrast,
    .typical = G_PI * foreground->radius * foreground->radius,
    .gradient = gradient_of (grey, foreground->width, foreground->height),
    .texture = foreground->texture,
  };
  return self->gradient != NULL;
}

void
vg_contour_look_clear (VgContourLook *self)
{
  g_clear_pointer (&self->gradient, g_free);
}

void
vg_contour_area_free (VgContourArea *self)
{
  if (self == NULL)
    return;
  g_free (self->bits);
  g_free (self);
}

gboolean
vg_contour_area_is_whole (const VgContourArea *self)
{
  return self->fit >= BEST_FIT;
}

/* ---- Sums over an area ---- */

static Sums
sum_area (const VgContourLook *self, const gint32 *labels, const VgContourPart *box, gint32 label)
{
  Sums s = { .area = (double) box->size,
             .left = box->left,
             .right = box->right - 1,
             .top = box->top,
             .bottom = box->bottom - 1 };
  int width = self->width, height = self->height;

  for (int y = box->top; y < box->bottom; y++)
    for (int x = box->left; x < box->right; x++)
      {
        gsize i = (gsize) y * (gsize) width + (gsize) x;

        if (labels[i] != label)
          continue;
        s.inside += self->grey[i];
        if ((x > 0 && labels[i - 1] != label) || (x + 1 < width && labels[i + 1] != label) ||
            (y > 0 && labels[i - (gsize) width] != label) ||
            (y + 1 < height && labels[i + (gsize) width] != label))
          {
            s.border++;
            s.gradient += self->gradient[i];
          }
      }
  return s;
}

/* The area of the ellipse with the same moments; counts the area's pixels
 * inside it.  Coordinates start at the box, so that rounding does not depend on
 * the position. */
static double
fit_ellipse (Sums *s, const VgContourArea *area)
{
  double xx = 0.0, xy = 0.0, yy = 0.0, det;

  for (int j = 0; j < area->box.height; j++)
    for (int i = 0; i < area->box.width; i++)
      if (area->bits[j * area->box.width + i])
        {
          s->x += i;
          s->y += j;
          xx += (double) i * i;
          xy += (double) i * j;
          yy += (double) j * j;
        }
  s->x /= s->area;
  s->y /= s->area;
  xx = xx / s->area - s->x * s->x + 1.0 / 12.0;
  yy = yy / s->area - s->y * s->y + 1.0 / 12.0;
  xy = xy / s->area - s->x * s->y;
  det = MAX (xx * yy - xy * xy, 1e-9);
  for (int j = 0; j < area->box.height; j++)
    for (int i = 0; i < area->box.width; i++)
      {
        double dx = i - s->x, dy = j - s->y;

        if (area->bits[j * area->box.width + i])
          s->in_ellipse += yy * dx * dx - 2.0 * xy * dx * dy + xx * dy * dy <= 4.0 * det;
      }
  return 4.0 * G_PI * sqrt (det);
}

/* The pixel inside that is nearest to the centroid, which is from the box's corner. */
static void
place_point (VgContourArea *area, double x, double y)
{
  double least = INFINITY;

  for (int j = 0; j < area->box.height; j++)
    for (int i = 0; i < area->box.width; i++)
      {
        double dx = i - x, dy = j - y, d = dx * dx + dy * dy;

        if (!area->bits[j * area->box.width + i] || d >= least)
          continue;
        least = d;
        area->x = (float) (area->box.x + i) + 0.5f;
        area->y = (float) (area->box.y + j) + 0.5f;
      }
}

/* A low quantile of the grey values in the ring around an area.  FALSE: no memory. */
static gboolean
ring_grey (const VgContourLook *self, const VgContourArea *area, float *grey_there)
{
  int by = MAX (2, (int) lrintf (RING_RADII * self->radius)), counts[BINS] = { 0 }, n = 0,
      below = 0, k = 0;
  VgContourBox ring = vg_contour_ring (&area->box, by, self->width, self->height);
  gsize size = (gsize) ring.width * (gsize) ring.height;
  g_autofree guint8 *outside = g_try_malloc (size);
  g_autofree float *distance = g_try_new (float, size);

  if (outside == NULL || distance == NULL)
    return FALSE;
  memset (outside, 1, size);
  for (int y = 0; y < area->box.height; y++)
    for (int x = 0; x < area->box.width; x++)
      if (area->bits[y * area->box.width + x])
        outside[(gsize) (area->box.y - ring.y + y) * (gsize) ring.width +
                (gsize) (area->box.x - ring.x + x)] = 0;
  if (!vg_contour_distance (outside, distance, ring.width, ring.height))
    return FALSE;
  for (int y = 0; y < ring.height; y++)
    for (int x = 0; x < ring.width; x++)
      {
        float d = distance[(gsize) y * (gsize) ring.width + (gsize) x];
        float grey = self->grey[(gsize) (ring.y + y) * (gsize) self->width + (gsize) (ring.x + x)];

        if (d <= 1.0f || d > (float) by)
          continue;
        counts[CLAMP ((int) (grey * BINS), 0, BINS - 1)]++;
        n++;
      }
  while (n > 0 && below + counts[k] <= RING_SHARE * n)
    below += counts[k++];
  *grey_there = n > 0 ? ((float) k + 0.5f) / BINS : 0.0f;
  return TRUE;
}

static float
size_weight (double relative, float spread)
{
  float l = logf ((float) relative) / spread;

  return expf (-0.5f * l * l);
}

static gboolean
judge (const VgContourLook *self, VgContourArea *area, Sums *s)
{
  double ellipse = fit_ellipse (s, area), relative = s->area / self->typical;
  float gradient = (float) (s->gradient / MAX (s->border, 1)), about, contrast, shape;

  if (!ring_grey (self, area, &about))
    return FALSE;
  contrast = MAX ((float) (s->inside / s->area) - about, 0.0f);
  if (relative < 1.0 &&
      (s->left == 0 || s->top == 0 || s->right + 1 == self->width || s->bottom + 1 == self->height))
    relative = MIN (CUT_AREA * relative, 1.0);
  area->fit = (float) (s->in_ellipse / (s->area + ellipse - s->in_ellipse));
  shape = CLAMP ((area->fit - WORST_FIT) / (BEST_FIT - WORST_FIT), RAGGED, 1.0f);
  area->likeness = shape * gradient * contrast * size_weight (relative, SIZE_SPREAD) *
                   self->radius / (self->contrast * self->contrast);
  /* relative to the background's gradient, and its change over a radius */
  area->admission = sqrtf (shape) * (gradient / self->texture) *
                    (contrast / (self->texture * self->radius)) *
                    size_weight (relative, SIZE_ADMITTED);
  return TRUE;
}

void
vg_contour_areas_free (VgContourArea **areas, int n)
{
  for (int i = 0; i < n && areas != NULL; i++)
    vg_contour_area_free (areas[i]);
  g_free (areas);
}

VgContourArea **
vg_contour_areas_measure (const VgContourLook *self, const gint32 *labels,
                          const VgContourPart *boxes, int n, const gint32 *wanted)
{
  VgContourArea **areas = g_try_new0 (VgContourArea *, n + 1);
  gboolean good = areas != NULL;

  for (int k = 1; k <= n && good; k++)
    {
      double size = (double) boxes[k - 1].size;
      VgContourArea *area;
      Sums s;

      if (wanted[k - 1] == 0 || size < VG_CONTOUR_LEAST_AREA * self->typical ||
          size > VG_CONTOUR_MOST_AREA * self->typical)
        continue;
      s = sum_area (self, labels, &boxes[k - 1], k);
      area = areas[k - 1] = g_new0 (VgContourArea, 1);
      area->box = (VgContourBox){ s.left, s.top, s.right - s.left + 1, s.bottom - s.top + 1 };
      area->area = s.area;
      area->bits = g_try_malloc ((gsize) area->box.width * (gsize) area->box.height);
      good = area->bits != NULL;
      for (int y = 0; y < area->box.height && good; y++)
        for (int x = 0; x < area->box.width; x++)
          area->bits[y * area->box.width + x] =
              labels[(gsize) (area->box.y + y) * (gsize) self->width + (gsize) (area->box.x + x)] ==
              k;
      good = good && judge (self, area, &s);
      if (good)
        place_point (area, s.x, s.y);
    }
  if (good)
    return areas;
  vg_contour_areas_free (areas, n);
  return NULL;
}
