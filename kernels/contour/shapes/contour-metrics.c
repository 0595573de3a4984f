/* SPDX-License-Identifier: MIT */
#include "kernels/contour/shapes/contour-metrics.h"
#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
/* AJI: Kumar et al., IEEE TMI 36, 1550 (2017); panoptic quality: Kirillov et
 * al., CVPR 2019; overlap resolved: Ali and Madabhushi 2012. */

/* Fraction of the true objects that may lie outside the image. */
#define MOST_BEYOND 0.1
#define LEAST_IOU 0.5 /* of a match */

/* A true and a found object with pixels in common. */
typedef struct
{
  guint truth, found;
  double common, iou;
} Pair;

/* Pairs by found object, then by true one. */
static GArray *
find_pairs (const GPtrArray *found, const VgContourTruth *truth)
{
  GArray *pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  g_autoptr (GArray) near = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint f = 0; f < found->len; f++)
    {
      const VgContourMask *b = vg_contour_mask_at (found, f);

      vg_contour_places_find (&truth->places, &b->box, near);
      for (guint k = 0; k < near->len; k++)
        {
          guint t = g_array_index (near, guint, k);
          const VgContourMask *a = vg_contour_mask_at (truth->masks, t);
          Pair pair = { t, f, (double) vg_contour_mask_common (a, b), 0.0 };

          pair.iou = pair.common / ((double) (a->area + b->area) - pair.common);
          if (pair.common > 0.0)
            g_array_append_val (pairs, pair);
        }
    }
  return pairs;
}

static const Pair *
pair_at (const GArray *pairs, guint k)
{
  return &g_array_index (pairs, Pair, k);
}

/* For every true object the best found one; found objects that are left count as errors. */
static double
aggregated_jaccard (const GPtrArray *found, const GPtrArray *truth, const GArray *pairs)
{
  g_autofree const Pair **best = g_new0 (const Pair *, truth->len + 1);
  g_autofree gboolean *used = g_new0 (gboolean, found->len + 1);
  double common = 0.0, all = 0.0;

  for (guint k = 0; k < pairs->len; k++)
    {
      const Pair *pair = pair_at (pairs, k);

      if (best[pair->truth] == NULL || pair->iou > best[pair->truth]->iou)
        best[pair->truth] = pair;
    }
  for (guint t = 0; t < truth->len; t++)
    {
      all += (double) vg_contour_mask_at (truth, t)->area;
      if (best[t] == NULL)
        continue;
      common += best[t]->common;
      all += (double) vg_contour_mask_at (found, best[t]->found)->area - best[t]->common;
      used[best[t]->found] = TRUE;
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

/* ---- Hausdorff distance ---- */

/* The border pixels of a mask, row by row. */
typedef struct
{
  int *columns;
  guint *starts; /* of each row of the box, and the number of all */
  int y, rows;
} Border;

/* Whether none of eight pixels from X on is at the border: each is outside, or all around it are
 * inside. */
static gboolean
is_inside8 (const guint8 *row, int x, int y, int width, int height)
{
  return x > 0 && x + 9 <= width && y > 0 && y + 1 < height &&
         (vg_contour_load8 (row + x) &
          ~(vg_contour_load8 (row + x - 1) & vg_contour_load8 (row + x + 1) &
            vg_contour_load8 (row + x - width) & vg_contour_load8 (row + x + width))) == 0;
}

static void
border_init (Border *self, const VgContourMask *mask)
{
  const int width = mask->box.width, height = mask->box.height;
  guint n = 0;

  self->columns = g_new (int, mask->area + 1);
  self->starts = g_new (guint, height + 1);
  self->y = mask->box.y;
  self->rows = height;
  for (int y = 0; y < height; y++)
    {
      const guint8 *row = mask->bits + (gsize) y * (gsize) width;

      self->starts[y] = n;
      for (int x = 0; x < width; x++)
        if (is_inside8 (row, x, y, width, height))
          x += 7;
        else if (row[x] && !(y > 0 && y + 1 < height && x > 0 && x + 1 < width && row[x - 1] &&
                             row[x + 1] && row[x - width] && row[x + width]))
          self->columns[n++] = mask->box.x + x;
    }
  self->starts[height] = n;
}

static void
border_clear (Border *self)
{
  g_free (self->columns);
  g_free (self->starts);
}

/* Lowers LEAST to the smallest squared distance of X from the pixels of row Y, which is DY away. */
static gint64
nearest_in_row (const Border *self, int y, int x, gint64 dy, gint64 least)
{
  if (y < self->y || y >= self->y + self->rows)
    return least;
  for (guint k = self->starts[y - self->y]; k < self->starts[y - self->y + 1]; k++)
    {
      gint64 dx = self->columns[k] - x;

      least = MIN (least, dx * dx + dy * dy);
      if (dx >= 0) /* the others are further away */
        break;
    }
  return least;
}

/* The largest of MOST and of the squared distances of the pixels of A from the nearest pixel of B.
 * The rows of B are visited from that of the pixel outwards. */
static gint64
one_sided (const Border *a, const Border *b, gint64 most)
{
  for (int row = 0; row < a->rows; row++)
    for (guint k = a->starts[row]; k < a->starts[row + 1]; k++)
      {
        int x = a->columns[k], y = a->y + row,
            away = MAX (abs (y - b->y), abs (y - (b->y + b->rows - 1)));
        gint64 least = nearest_in_row (b, y, x, 0, G_MAXINT64);

        for (gint64 dy = 1; dy <= away && dy * dy < least && least > most; dy++)
          {
            least = nearest_in_row (b, y - (int) dy, x, dy, least);
            least = nearest_in_row (b, y + (int) dy, x, dy, least);
          }
        most = MAX (most, least);
      }
  return most;
}

static double
hausdorff (const VgContourMask *a, const VgContourMask *b)
{
  Border p, q;
  gint64 most;

  border_init (&p, a);
  border_init (&q, b);
  most = one_sided (&q, &p, one_sided (&p, &q, 0));
  border_clear (&p);
  border_clear (&q);
  return sqrt ((double) most);
}

/* ---- Matches ---- */

/* The verdicts on objects of both kinds; `matches` has their pairs. */
typedef struct
{
  VgContourVerdict *found;
  VgOutlineLook *truth;
  GArray *matches; /* of Pair */
} Verdicts;

static void
match (Verdicts *self, const VgContourTruth *truth, const GArray *pairs)
{
  guint n = 0;

  for (guint k = 0; k < pairs->len; k++)
    if (pair_at (pairs, k)->iou >= LEAST_IOU)
      g_array_append_vals (self->matches, pair_at (pairs, k), 1);
  g_array_sort (self->matches, by_iou);
  for (guint k = 0; k < self->matches->len; k++)
    {
      const Pair pair = *pair_at (self->matches, k);
      VgContourVerdict *found = &self->found[pair.found];
      VgOutlineLook *look = &self->truth[pair.truth];

      if (*look == VG_OUTLINE_TRUE || found->look == VG_OUTLINE_CORRECT)
        continue;
      *look = VG_OUTLINE_TRUE;
      *found = (VgContourVerdict){ VG_OUTLINE_CORRECT,
                                   vg_contour_mask_at (truth->masks, pair.truth)->number };
      g_array_index (self->matches, Pair, n++) = pair;
    }
  g_array_set_size (self->matches, n);
}

static gboolean
is_half (const Pair *pair, const VgContourMask *mask)
{
  return 2.0 * pair->common >= (double) mask->area;
}

/* Says of the objects without a match what they are. */
static void
explain (Verdicts *self, const GPtrArray *found, const VgContourTruth *truth, const GArray *pairs)
{
  /* how many true ones a found one is over, and how many found ones lie in a true one */
  g_autofree guint *over = g_new0 (guint, found->len + 1),
                   *within = g_new0 (guint, truth->masks->len + 1);
  g_autofree double *most = g_new0 (double, found->len + 1);

  for (guint k = 0; k < pairs->len; k++)
    {
      const Pair *pair = pair_at (pairs, k);

      over[pair->found] += is_half (pair, vg_contour_mask_at (truth->masks, pair->truth));
      within[pair->truth] += is_half (pair, vg_contour_mask_at (found, pair->found));
    }
  for (guint k = 0; k < pairs->len; k++)
    {
      const Pair *pair = pair_at (pairs, k);
      const VgContourMask *mask = vg_contour_mask_at (truth->masks, pair->truth);
      VgContourVerdict *verdict = &self->found[pair->found];
      VgOutlineLook *look = &self->truth[pair->truth];
      gboolean merged = over[pair->found] > 1 && is_half (pair, mask),
               split = within[pair->truth] > 1 &&
                       is_half (pair, vg_contour_mask_at (found, pair->found));

      if (*look != VG_OUTLINE_TRUE && (merged || (split && *look != VG_OUTLINE_MERGED)))
        *look = merged ? VG_OUTLINE_MERGED : VG_OUTLINE_SPLIT;
      if (verdict->look == VG_OUTLINE_CORRECT || !(merged || split) ||
          (verdict->look == VG_OUTLINE_MERGED && !merged) ||
          ((verdict->look == VG_OUTLINE_MERGED) == merged && pair->common <= most[pair->found]))
        continue;
      most[pair->found] = pair->common;
      *verdict = (VgContourVerdict){ merged ? VG_OUTLINE_MERGED : VG_OUTLINE_SPLIT, mask->number };
    }
}

static double
resolved (const VgContourTruth *truth, const VgOutlineLook *looks)
{
  guint good = 0;

  for (guint k = 0; k < truth->touching->len; k++)
    {
      const VgContourTouch *touch = &g_array_index (truth->touching, VgContourTouch, k);

      good += looks[touch->a] == VG_OUTLINE_TRUE && looks[touch->b] == VG_OUTLINE_TRUE;
    }
  return truth->touching->len > 0 ? (double) good / truth->touching->len : NAN;
}

/* ---- Pixels ---- */

/* Marks N pixels BITS in ROW, and adds the fresh ones and those of them that are true. */
static void
mark_row (guint8 *row, const guint8 *bits, int n, gint64 *n_found, gint64 *common)
{
  int x = 0;

  for (; x + 8 <= n; x += 8)
    {
      guint64 now = vg_contour_load8 (row + x), own = vg_contour_load8 (bits + x),
              fresh = own & ~(now >> 1);

      *n_found += vg_contour_sum8 (fresh);
      *common += vg_contour_sum8 (fresh & now);
      now |= own << 1;
      memcpy (row + x, &now, sizeof now);
    }
  for (; x < n; x++)
    {
      guint8 fresh = bits[x] & (guint8) ~(row[x] >> 1);

      *n_found += fresh;
      *common += fresh & row[x];
      row[x] |= (guint8) (bits[x] << 1);
    }
}

static void
clear_row (guint8 *row, int n)
{
  int x = 0;

  for (; x + 8 <= n; x += 8)
    {
      guint64 now = vg_contour_load8 (row + x) & VG_CONTOUR_ONES;

      memcpy (row + x, &now, sizeof now);
    }
  for (; x < n; x++)
    row[x] &= 1;
}

/* Counts the pixels of the found objects and those of them in true ones. */
static void
count_pixels (const GPtrArray *found, const VgContourTruth *truth, double *n_found, double *common)
{
  gint64 n = 0, both = 0;

  for (int clear = 0; clear < 2; clear++)
    for (guint f = 0; f < found->len; f++)
      {
        const VgContourMask *mask = vg_contour_mask_at (found, f);

        for (int y = 0; y < mask->box.height; y++)
          {
            guint8 *row = truth->covered + (gsize) (mask->box.y + y) * (gsize) truth->width +
                          (gsize) mask->box.x;

            if (clear)
              clear_row (row, mask->box.width);
            else
              mark_row (row, mask->bits + (gsize) y * (gsize) mask->box.width, mask->box.width, &n,
                        &both);
          }
      }
  *n_found = (double) n;
  *common = (double) both;
}

static void
measure (VgContourMetrics *self, const GPtrArray *found, const VgContourTruth *truth,
         const GArray *pairs, const Verdicts *verdicts, int threads)
{
  double n_found, common, n_truth = (double) truth->area, sum = 0.0,
                          both = 0.5 * (double) (found->len + truth->masks->len);
  g_autofree double *distances = g_new (double, verdicts->matches->len + 1);

  memset (self, 0, sizeof *self);
  count_pixels (found, truth, &n_found, &common);
  self->dice = n_found + n_truth > 0.0 ? 2.0 * common / (n_found + n_truth) : NAN;
  self->sensitivity = n_truth > 0.0 ? common / n_truth : NAN;
  self->ppv = n_found > 0.0 ? common / n_found : NAN;
  self->aji = aggregated_jaccard (found, truth->masks, pairs);
  self->matched = verdicts->matches->len;
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads)
  for (guint k = 0; k < verdicts->matches->len; k++)
    {
      const Pair *pair = pair_at (verdicts->matches, k);

      distances[k] = hausdorff (vg_contour_mask_at (truth->masks, pair->truth),
                                vg_contour_mask_at (found, pair->found));
    }
  self->hausdorff_px = self->matched > 0 ? 0.0 : NAN;
  for (guint k = 0; k < self->matched; k++)
    {
      sum += pair_at (verdicts->matches, k)->iou;
      self->hausdorff_px += distances[k] / self->matched;
    }
  self->f1 = both > 0.0 ? self->matched / both : NAN;
  self->pq = both > 0.0 ? sum / both : NAN;
  self->overlap_resolved = resolved (truth, verdicts->truth);
  for (guint f = 0; f < found->len; f++)
    self->of_found[verdicts->found[f].look]++;
  for (guint t = 0; t < truth->masks->len; t++)
    self->of_truth[verdicts->truth[t]]++;
}

gboolean
vg_contour_metrics (const GPtrArray *found, const VgContourTruth *truth, int threads,
                    VgContourMetrics *metrics, VgContourVerdict *verdicts, VgOutlineLook *looks)
{
  const guint n_found = found->len, n_truth = truth->masks->len;
  g_autofree VgContourVerdict *own = g_try_new (VgContourVerdict, n_found + 1);
  g_autofree VgOutlineLook *own_looks = g_try_new (VgOutlineLook, n_truth + 1);
  g_autoptr (GArray) pairs = NULL, matches = g_array_new (FALSE, FALSE, sizeof (Pair));
  Verdicts all = { verdicts != NULL ? verdicts : own, looks != NULL ? looks : own_looks, matches };

  if (own == NULL || own_looks == NULL)
    return FALSE;
  for (guint f = 0; f < n_found; f++)
    all.found[f] = (VgContourVerdict){ VG_OUTLINE_FALSE, 0 };
  for (guint t = 0; t < n_truth; t++)
    all.truth[t] = VG_OUTLINE_MISSED;
  pairs = find_pairs (found, truth);
  match (&all, truth, pairs);
  explain (&all, found, truth, pairs);
  if (metrics != NULL)
    measure (metrics, found, truth, pairs, &all, MAX (threads, 1));
  return TRUE;
}

/* The first four add up to the found objects, the first and the last three to the true ones. */
static void
add_counts (const VgContourMetrics *self, VgMetrics *metrics)
{
  const struct
  {
    const char *id, *label;
    guint n;
  } counts[] = {
    { "correct", N_ ("Correct nuclei"), self->matched },
    { "false", N_ ("False nuclei"), self->of_found[VG_OUTLINE_FALSE] },
    { "merging", N_ ("Merged nuclei"), self->of_found[VG_OUTLINE_MERGED] },
    { "parts", N_ ("Parts of split nuclei"), self->of_found[VG_OUTLINE_SPLIT] },
    { "true_missed", N_ ("Missed true nuclei"), self->of_truth[VG_OUTLINE_MISSED] },
    { "true_merged", N_ ("Merged true nuclei"), self->of_truth[VG_OUTLINE_MERGED] },
    { "true_split", N_ ("Split true nuclei"), self->of_truth[VG_OUTLINE_SPLIT] },
  };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    vg_metrics_add (metrics, counts[i].id, counts[i].label, "", counts[i].n, NULL);
}

void
vg_contour_metrics_add (const VgContourMetrics *self, guint true_objects, guint beyond,
                        VgMetrics *metrics)
{
  g_autofree char *advice = beyond <= MOST_BEYOND * (true_objects + beyond)
                                ? NULL
                                : g_strdup_printf (
                                      "%u of %u objects of the ground truth lie outside the image. "
                                      "Check that it belongs to this image.",
                                      beyond, true_objects + beyond);

  vg_metrics_add (metrics, "true_objects", "Objects in the ground truth", "", true_objects, advice);
  add_counts (self, metrics);
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
