/* SPDX-License-Identifier: MIT */
#include "kernels/contour/seeds/contour-seeds.h"
#include "kernels/contour/seeds/contour-area.h"
#include "kernels/contour/seeds/contour-areas.h"
#include "kernels/contour/model/contour-filter.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/base/vg-sort.h"
#include <math.h>
#include <string.h>
/* Laplacian of Gaussian over scales: Lindeberg, IJCV 30, 79 (1998); radial
 * symmetry by votes along the gradient: Loy and Zelinsky, IEEE PAMI 25, 959
 * (2003); peaks of the distance inside the foreground as the watershed of the
 * paper's predecessor takes them. */

#define FIRST_RADIUS 6.0f /* initial value of an unknown radius, px */
#define SMOOTH_DISTANCE 1.5
/* Least distance of two seeds, in radii. */
#define APART 1.0
/* Fraction of the stained area in parts smaller than a typical nucleus; by
 * area, so that debris hardly counts. */
#define TYPICAL_SHARE 0.35
/* Iterations that estimate the radius. */
enum { ROUNDS = 3 };

static gboolean
threshold (VgContourForeground *self, const float *grey, float radius,
           const VgContourForeground *like)
{
  gsize n = (gsize) self->width * (gsize) self->height, inside = 0;
  double in = 0.0, out = 0.0;

  self->level = like != NULL ? like->level : vg_contour_otsu (grey, n);
  for (gsize i = 0; i < n; i++)
    {
      self->mask[i] = grey[i] > self->level;
      inside += self->mask[i];
      *(self->mask[i] ? &in : &out) += grey[i];
    }
  if (like != NULL)
    self->contrast = like->contrast;
  else
    self->contrast = inside > 0 && inside < n
                         ? (float) (in / (double) inside - out / (double) (n - inside))
                         : 0.0f;
  return vg_contour_clean (self->mask, self->width, self->height, (int) (G_PI * radius * radius),
                           (int) (0.3 * G_PI * radius * radius));
}

/* The distance inside the foreground, smoothed a little; NULL: no memory. */
static float *
inner_distance (const VgContourForeground *self)
{
  g_autofree float *distance = g_try_new (float, (gsize) self->width *(gsize) self->height);

  return distance != NULL &&
                 vg_contour_distance (self->mask, distance, self->width, self->height) &&
                 vg_contour_gaussian (distance, self->width, self->height, SMOOTH_DISTANCE)
             ? g_steal_pointer (&distance)
             : NULL;
}

double
vg_contour_typical_radius (double *areas, guint n)
{
  double all = 0.0, below = 0.0;
  guint typical = 0;

  vg_sort_doubles (areas, n);
  for (guint k = 0; k < n; k++)
    all += areas[k];
  for (; typical + 1 < n && below + areas[typical] < TYPICAL_SHARE * all; typical++)
    below += areas[typical];
  return sqrt (areas[typical] / G_PI);
}

/* Replaces *RADIUS by that of a disc with the area of a typical part of the foreground.  FALSE: no
 * memory. */
static gboolean
measure_radius (const VgContourForeground *self, float *radius)
{
  gsize n = (gsize) self->width * (gsize) self->height;
  g_autofree float *distance = inner_distance (self);
  g_autofree gint32 *labels = g_try_new0 (gint32, n);
  g_autoptr (GArray) peaks = distance == NULL ? NULL
                                              : vg_contour_peaks (distance, self->width,
                                                                  self->height, 1.0f, *radius);
  g_autofree double *areas = peaks == NULL ? NULL : g_try_new0 (double, peaks->len + 1);

  if (labels == NULL || areas == NULL)
    return FALSE;
  if (peaks->len == 0)
    return TRUE;
  for (guint k = 0; k < peaks->len; k++)
    {
      const VgContourPeak *peak = &g_array_index (peaks, VgContourPeak, k);

      labels[(gsize) peak->y * (gsize) self->width + (gsize) peak->x] = (gint32) k + 1;
    }
  if (!vg_contour_flood (distance, self->mask, labels, self->width, self->height))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (labels[i] > 0)
      areas[labels[i] - 1] += 1.0;
  *radius = (float) vg_contour_typical_radius (areas, peaks->len);
  return TRUE;
}

/* RADIUS 0: it is estimated. */
static gboolean
look (VgContourForeground *self, const float *grey, float radius, const VgContourForeground *like,
      const VgContext *context)
{
  self->radius = radius > 0.0f ? radius : FIRST_RADIUS;
  if (!threshold (self, grey, self->radius, like))
    return FALSE;
  for (int i = 0; i < ROUNDS && radius <= 0.0f && !vg_context_is_stopped (context); i++)
    {
      vg_context_report (context, VG_CONTOUR_FOREGROUND_SHARE * i / ROUNDS);
      if (!measure_radius (self, &self->radius))
        return FALSE;
      self->radius = CLAMP (self->radius, 2.0f, 60.0f);
      if (!threshold (self, grey, self->radius, NULL))
        return FALSE;
    }
  if (like == NULL)
    return vg_contour_texture (grey, self, &self->texture);
  self->texture = like->texture;
  return TRUE;
}

VgContourForeground *
vg_contour_foreground_new (const float *grey, int width, int height, float radius,
                           const VgContourForeground *like, const VgContext *context,
                           GError **error)
{
  VgContourForeground *self = g_new0 (VgContourForeground, 1);

  self->width = width;
  self->height = height;
  self->mask = g_try_malloc ((gsize) width * (gsize) height);
  if (self->mask != NULL &&
      look (self, grey, radius <= 0.0f && like != NULL ? like->radius : radius, like, context))
    return self;
  vg_contour_no_memory (width, height, error);
  vg_contour_foreground_free (self);
  return NULL;
}

void
vg_contour_foreground_free (VgContourForeground *self)
{
  if (self == NULL)
    return;
  g_free (self->mask);
  g_free (self);
}

/* ---- Detectors ---- */

/* Removes peaks outside the foreground; NULL for NULL. */
static GArray *
on_foreground (GArray *peaks, const VgContourForeground *foreground)
{
  guint n = 0;

  if (peaks == NULL)
    return NULL;
  for (guint k = 0; k < peaks->len; k++)
    {
      VgContourPeak peak = g_array_index (peaks, VgContourPeak, k);

      if (foreground->mask[(gsize) peak.y * (gsize) foreground->width + (gsize) peak.x])
        g_array_index (peaks, VgContourPeak, n++) = peak;
    }
  g_array_set_size (peaks, n);
  return peaks;
}

/* The largest response over scales; 1 for a disc of the right radius.  NULL: no memory. */
static float *
log_plane (const float *grey, const VgContourForeground *foreground)
{
  static const double scales[] = { 0.7, 0.85, 1.0 };
  int width = foreground->width, height = foreground->height;
  gsize n = (gsize) width * (gsize) height;
  g_autofree float *best = g_try_new (float, n), *blurred = g_try_new (float, n);

  if (best == NULL || blurred == NULL)
    return NULL;
  for (guint s = 0; s < G_N_ELEMENTS (scales); s++)
    {
      double sigma = scales[s] * foreground->radius / G_SQRT2;
      /* at the centre of a disc of unit contrast 2 / e for sigma = R / sqrt 2 */
      float scale = (float) (sigma * sigma * G_E / 2.0) / MAX (foreground->contrast, 1e-6f);

      memcpy (blurred, grey, n * sizeof *blurred);
      if (!vg_contour_gaussian (blurred, width, height, sigma))
        return NULL;
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          {
            const float *row = blurred + (gsize) y * (gsize) width;
            float up = y > 0 ? row[x - width] : row[x],
                  down = y + 1 < height ? row[x + width] : row[x];
            float left = x > 0 ? row[x - 1] : row[x], right = x + 1 < width ? row[x + 1] : row[x];
            float value = scale * (4.0f * row[x] - up - down - left - right);
            gsize i = (gsize) y * (gsize) width + (gsize) x;

            best[i] = s == 0 || value > best[i] ? value : best[i];
          }
    }
  return g_steal_pointer (&best);
}

static GArray *
find_log (const float *grey, const VgContourForeground *foreground, float sensitivity)
{
  g_autofree float *plane = log_plane (grey, foreground);

  return plane == NULL
             ? NULL
             : on_foreground (vg_contour_peaks (plane, foreground->width, foreground->height,
                                                1.2f * (1.0f - sensitivity),
                                                APART * foreground->radius),
                              foreground);
}

/* Every border pixel votes for the centres that its gradient points to. */
static GArray *
find_radial (const float *grey, const VgContourForeground *foreground, float sensitivity)
{
  int width = foreground->width, height = foreground->height,
      first = MAX (1, (int) (0.5f * foreground->radius));
  int last = MAX (first, (int) ceilf (1.1f * foreground->radius));
  gsize n = (gsize) width * (gsize) height;
  g_autofree float *votes = g_try_new0 (float, n);
  float least = 0.05f * foreground->contrast, most = 0.3f * foreground->contrast;

  if (votes == NULL)
    return NULL;
  for (int y = 1; y + 1 < height; y++)
    for (int x = 1; x + 1 < width; x++)
      {
        const float *p = grey + (gsize) y * (gsize) width + (gsize) x;
        float gx = 0.5f * (p[1] - p[-1]), gy = 0.5f * (p[width] - p[-width]),
              size = sqrtf (gx * gx + gy * gy);

        if (size < least || size <= 0.0f)
          continue;
        for (int r = first; r <= last; r++)
          {
            int u = (int) lrintf ((float) x + gx / size * (float) r),
                v = (int) lrintf ((float) y + gy / size * (float) r);

            if (u >= 0 && v >= 0 && u < width && v < height)
              votes[(gsize) v * (gsize) width + (gsize) u] += MIN (size, most) / (float) r;
          }
      }
  if (!vg_contour_gaussian (votes, width, height, 0.25 * foreground->radius))
    return NULL;
  /* 2 pi border pixels per radius, each of a third of the contrast, spread over the blur's area */
  return on_foreground (
      vg_contour_peaks (votes, width, height,
                        (1.0f - sensitivity) * 0.3f * most * 6.2832f /
                            (float) (2.0 * G_PI * 0.0625 * foreground->radius * foreground->radius),
                        APART * foreground->radius),
      foreground);
}

static GArray *
find_watershed (const VgContourForeground *foreground)
{
  g_autofree float *distance = inner_distance (foreground);

  return distance == NULL
             ? NULL
             : vg_contour_peaks (distance, foreground->width, foreground->height,
                                 0.3f * foreground->radius, APART * foreground->radius);
}

GArray *
vg_contour_seeds (const float *grey, const VgContourForeground *foreground, int seeding,
                  float sensitivity, const VgContext *context, gint32 **areas)
{
  *areas = NULL;
  switch (seeding)
    {
    case VG_CONTOUR_SEEDS_LOG:
      return find_log (grey, foreground, sensitivity);
    case VG_CONTOUR_SEEDS_RADIAL:
      return find_radial (grey, foreground, sensitivity);
    case VG_CONTOUR_SEEDS_WATERSHED:
      return find_watershed (foreground);
    default:
      return vg_contour_areas (grey, foreground, sensitivity, context, areas);
    }
}

gint32 *
vg_contour_watershed (const VgContourForeground *foreground, const VgContourPoint *seeds, guint n)
{
  g_autofree gint32 *labels = g_try_new0 (gint32,
                                          (gsize) foreground->width * (gsize) foreground->height);
  g_autofree float *distance = inner_distance (foreground);

  if (labels == NULL || distance == NULL)
    return NULL;

  for (guint k = 0; k < n; k++)
    if (seeds[k].x >= 0.0 && seeds[k].y >= 0.0 && seeds[k].x < foreground->width &&
        seeds[k].y < foreground->height)
      labels[(gsize) seeds[k].y * (gsize) foreground->width + (gsize) seeds[k].x] = (gint32) k + 1;
  return vg_contour_flood (distance, foreground->mask, labels, foreground->width,
                           foreground->height)
             ? g_steal_pointer (&labels)
             : NULL;
}
