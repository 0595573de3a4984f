/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-metrics.h"
#include "kernels/contour/shapes/contour-mask.h"
#include <math.h>
#include <string.h>
/* AJI: Kumar et al., IEEE TMI 36, 1550 (2017); panoptic quality: Kirillov et
 * al., CVPR 2019; overlap resolved: Ali and Madabhushi 2012. */

/* Fraction of the true objects that may lie outside the image. */
#define MOST_BEYOND 0.1

/* A true and a found object with pixels in common. */
typedef struct
{
  guint truth, found;
  double common, iou;
} Pair;

static GArray *
find_pairs (const GPtrArray *found, const GPtrArray *truth)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint t = 0; t < truth->len; t++)
    for (guint f = 0; f < found->len; f++)
      {
        const VgContourMask *a = vg_contour_mask_at (truth, t), *b = vg_contour_mask_at (found, f);
        Pair pair = { t, f, 0.0, 0.0 };

        if (!vg_contour_boxes_meet (&a->box, &b->box, 0))
          continue;
        pair.common = (double) vg_contour_mask_common (a, b);
        pair.iou = pair.common / ((double) (a->area + b->area) - pair.common);
        if (pair.common > 0.0)
          g_array_append_val (pairs, pair);
      }
  return pairs;
}

/* For every true object the best found one; found objects that are left count as errors. */
static double
aggregated_jaccard (const GPtrArray *found, const GPtrArray *truth, const GArray *pairs)
{
  g_autofree gboolean *used = g_new0 (gboolean, found->len + 1);
  double common = 0.0, all = 0.0;
  guint k = 0;

  for (guint t = 0; t < truth->len; t++)
    {
      const Pair *best = NULL;

      for (; k < pairs->len && g_array_index (pairs, Pair, k).truth == t; k++)
        if (best == NULL || g_array_index (pairs, Pair, k).iou > best->iou)
          best = &g_array_index (pairs, Pair, k);
      all += (double) vg_contour_mask_at (truth, t)->area;
      if (best == NULL)
        continue;
      common += best->common;
      all += (double) vg_contour_mask_at (found, best->found)->area - best->common;
      used[best->found] = TRUE;
    }
  for (guint f = 0; f < found->len; f++)
    all += used[f] ? 0.0 : (double) vg_contour_mask_at (found, f)->area;
  return all > 0.0 ? common / all : NAN;
}

static int
by_iou (gconstpointer a, gconstpointer b)
{
  const Pair *p = a, *q = b;

  if (p->iou != q->iou)
    return p->iou > q->iou ? -1 : 1;
  return p->truth != q->truth ? (p->truth < q->truth ? -1 : 1)
                              : (p->found > q->found) - (p->found < q->found);
}

static gboolean
is_border (const VgContourMask *mask, int x, int y)
{
  return vg_contour_mask_has (mask, x, y) &&
         !(vg_contour_mask_has (mask, x - 1, y) && vg_contour_mask_has (mask, x + 1, y) &&
           vg_contour_mask_has (mask, x, y - 1) && vg_contour_mask_has (mask, x, y + 1));
}

static GArray *
border (const VgContourMask *mask)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));

  for (int y = mask->box.y; y < mask->box.y + mask->box.height; y++)
    for (int x = mask->box.x; x < mask->box.x + mask->box.width; x++)
      if (is_border (mask, x, y))
        {
          VgContourPoint point = { x, y };

          g_array_append_val (points, point);
        }
  return points;
}

/* The largest distance of a point of A to the nearest of B. */
static double
one_sided (const GArray *a, const GArray *b)
{
  double most = 0.0;

  for (guint i = 0; i < a->len; i++)
    {
      const VgContourPoint *p = &g_array_index (a, VgContourPoint, i);
      double least = INFINITY;

      for (guint k = 0; k < b->len && least > most; k++)
        {
          const VgContourPoint *q = &g_array_index (b, VgContourPoint, k);

          least = MIN (least, (p->x - q->x) * (p->x - q->x) + (p->y - q->y) * (p->y - q->y));
        }
      most = MAX (most, least);
    }
  return most;
}

static double
hausdorff (const VgContourMask *a, const VgContourMask *b)
{
  g_autoptr (GArray) p = border (a), q = border (b);

  return sqrt (MAX (one_sided (p, q), one_sided (q, p)));
}

/* Pairs above one half, each object in one; sets f1, pq, hausdorff. */
static void
match (const GPtrArray *found, const GPtrArray *truth, GArray *pairs, gboolean *has,
       VgContourMetrics *metrics)
{
  g_autofree gboolean *used = g_new0 (gboolean, found->len + 1);
  double sum = 0.0, distance = 0.0, both = 0.5 * (double) (found->len + truth->len);

  g_array_sort (pairs, by_iou);
  for (guint k = 0; k < pairs->len; k++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, k);

      if (!(pair->iou > 0.5) || has[pair->truth] || used[pair->found])
        continue;
      has[pair->truth] = used[pair->found] = TRUE;
      metrics->matched++;
      sum += pair->iou;
      distance += hausdorff (vg_contour_mask_at (truth, pair->truth),
                             vg_contour_mask_at (found, pair->found));
    }
  metrics->f1 = both > 0.0 ? metrics->matched / both : NAN;
  metrics->pq = both > 0.0 ? sum / both : NAN;
  metrics->hausdorff_px = metrics->matched > 0 ? distance / metrics->matched : NAN;
}

static double
resolved (const GPtrArray *truth, const gboolean *has)
{
  guint pairs = 0, good = 0;

  for (guint a = 0; a < truth->len; a++)
    for (guint b = a + 1; b < truth->len; b++)
      if (vg_contour_boxes_meet (&vg_contour_mask_at (truth, a)->box,
                                 &vg_contour_mask_at (truth, b)->box, 2) &&
          vg_contour_mask_touches (vg_contour_mask_at (truth, a), vg_contour_mask_at (truth, b), 2))
        {
          pairs++;
          good += has[a] && has[b];
        }
  return pairs > 0 ? (double) good / pairs : NAN;
}

static guint8 *
draw (const GPtrArray *masks, int width, int height)
{
  guint8 *plane = g_try_malloc0 ((gsize) width * (gsize) height);

  for (guint i = 0; i < masks->len && plane != NULL; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (masks, i);

      for (int y = 0; y < mask->box.height; y++)
        for (int x = 0; x < mask->box.width; x++)
          plane[(gsize) (mask->box.y + y) * (gsize) width + (gsize) (mask->box.x + x)] |=
              mask->bits[(gsize) y * (gsize) mask->box.width + (gsize) x];
    }
  return plane;
}

gboolean
vg_contour_metrics (const GPtrArray *found, const GPtrArray *truth, int width, int height,
                    VgContourMetrics *metrics)
{
  g_autofree guint8 *a = draw (found, width, height), *b = draw (truth, width, height);
  g_autofree gboolean *has = g_new0 (gboolean, truth->len + 1);
  g_autoptr (GArray) pairs = find_pairs (found, truth);
  double n_found = 0.0, n_truth = 0.0, common = 0.0;

  if (a == NULL || b == NULL)
    return FALSE;
  memset (metrics, 0, sizeof *metrics);
  for (gsize i = 0; i < (gsize) width * (gsize) height; i++)
    {
      n_found += a[i];
      n_truth += b[i];
      common += a[i] & b[i];
    }
  metrics->dice = n_found + n_truth > 0.0 ? 2.0 * common / (n_found + n_truth) : NAN;
  metrics->sensitivity = n_truth > 0.0 ? common / n_truth : NAN;
  metrics->ppv = n_found > 0.0 ? common / n_found : NAN;
  metrics->aji = aggregated_jaccard (found, truth, pairs);
  match (found, truth, pairs, has, metrics);
  metrics->overlap_resolved = resolved (truth, has);
  return TRUE;
}

void
vg_contour_metrics_add (const VgContourMetrics *self, guint true_objects, guint beyond,
                        VgMetrics *metrics)
{
  g_autofree char *advice = beyond <= MOST_BEYOND * (true_objects + beyond)
                                ? NULL
                                : g_strdup_printf (
                                      "%u of %u objects of the ground truth lie outside the image. "
                                      "Check that the file belongs to this image.",
                                      beyond, true_objects + beyond);

  vg_metrics_add (metrics, "true_objects", "Objects in the ground truth", "", true_objects, advice);
  vg_metrics_add (metrics, "dice", "Dice", "", self->dice, NULL);
  vg_metrics_add (metrics, "aji", "Aggregated Jaccard index", "", self->aji, NULL);
  vg_metrics_add (metrics, "f1", "F1 score at 0.5", "", self->f1, NULL);
  vg_metrics_add (metrics, "pq", "Panoptic quality", "", self->pq, NULL);
  vg_metrics_add (metrics, "sensitivity", "Sensitivity", "", self->sensitivity, NULL);
  vg_metrics_add (metrics, "ppv", "Positive predictive value", "", self->ppv, NULL);
  vg_metrics_add (metrics, "overlap_resolved", "Resolved overlaps", "", self->overlap_resolved,
                  NULL);
  vg_metrics_add (metrics, "hausdorff_px", "Hausdorff distance", "px", self->hausdorff_px, NULL);
}
