/* SPDX-License-Identifier: MIT */
/* The comparison with a ground truth: verdicts and scores of small cases worked out by hand, and of
 * random scenes against a count of every pixel. */
#include <math.h>
#include <string.h>
#include <time.h>
#include "kernels/contour/shapes/contour-metrics.h"

enum { W = 60, H = 40, MOST = 24 };

/* x, y, width, height */
typedef int Rectangle[4];

static GPtrArray *
masks_of (const Rectangle *rectangles, guint n)
{
  GPtrArray *masks = g_ptr_array_new_with_free_func (vg_contour_mask_free);

  for (guint i = 0; i < n; i++)
    {
      const int *r = rectangles[i];
      VgContourMask *mask = g_new0 (VgContourMask, 1);

      mask->box = (VgContourBox){ r[0], r[1], r[2], r[3] };
      mask->area = (gint64) r[2] * r[3];
      mask->number = 10 * (i + 1);
      mask->bits = g_malloc (mask->area);
      memset (mask->bits, 1, mask->area);
      g_ptr_array_add (masks, mask);
    }
  return masks;
}

/* ---- By hand ---- */

typedef struct
{
  const char *name;
  Rectangle truth[4], found[4];
  guint n_truth, n_found;
  VgOutlineLook of_truth[4], of_found[4];
  guint numbers[4];
  double aji, f1, pq, dice;
} Case;

#define SQUARE(x, y)                                                                               \
  {                                                                                                \
    x, y, 10, 10                                                                                   \
  }

static const Case cases[] = {
  { "the same",
    { SQUARE (5, 5), SQUARE (30, 5) },
    { SQUARE (30, 5), SQUARE (5, 5) },
    2,
    2,
    { VG_OUTLINE_TRUE, VG_OUTLINE_TRUE },
    { VG_OUTLINE_CORRECT, VG_OUTLINE_CORRECT },
    { 20, 10 },
    1,
    1,
    1,
    1 },
  { "half of it: just a match",
    { SQUARE (5, 5) },
    { { 5, 5, 10, 5 } },
    1,
    1,
    { VG_OUTLINE_TRUE },
    { VG_OUTLINE_CORRECT },
    { 10 },
    0.5,
    1,
    0.5,
    2.0 * 50 / 150 },
  /* 40 of 100 in common: no match, and alone it is neither split nor merged */
  { "too small",
    { SQUARE (5, 5) },
    { { 5, 5, 10, 4 } },
    1,
    1,
    { VG_OUTLINE_MISSED },
    { VG_OUTLINE_FALSE },
    { 0 },
    0.4,
    0,
    0,
    2.0 * 40 / 140 },
  /* both true ones have the same best, which counts twice: (100 + 100) / 2 x 240 */
  { "merged",
    { SQUARE (5, 5), SQUARE (19, 5) },
    { { 5, 5, 24, 10 } },
    2,
    1,
    { VG_OUTLINE_MERGED, VG_OUTLINE_MERGED },
    { VG_OUTLINE_MERGED },
    { 10 },
    200.0 / 480,
    0,
    0,
    2.0 * 200 / 440 },
  /* the best is 40 of 100, the other two are added: 40 / 180 */
  { "split",
    { SQUARE (5, 5) },
    { { 5, 5, 10, 4 }, { 5, 9, 10, 3 }, { 5, 12, 10, 5 } },
    1,
    3,
    { VG_OUTLINE_SPLIT },
    { VG_OUTLINE_SPLIT, VG_OUTLINE_SPLIT, VG_OUTLINE_SPLIT },
    { 10, 10, 10 },
    40.0 / 180,
    0,
    0,
    2.0 * 100 / 220 },
  /* the larger part matches, 60 of 100; the other one is a part of the same */
  { "a match and a part",
    { SQUARE (5, 5) },
    { { 5, 5, 10, 6 }, { 5, 11, 10, 4 } },
    1,
    2,
    { VG_OUTLINE_TRUE },
    { VG_OUTLINE_CORRECT, VG_OUTLINE_SPLIT },
    { 10, 10 },
    60.0 / 140,
    2.0 / 3,
    0.6 / 1.5,
    1 },
  /* 100 of 140; the small one lies in the same nucleus */
  { "a match that swallows",
    { SQUARE (5, 5), { 15, 5, 4, 10 } },
    { { 5, 5, 14, 10 } },
    2,
    1,
    { VG_OUTLINE_TRUE, VG_OUTLINE_MERGED },
    { VG_OUTLINE_CORRECT },
    { 10 },
    140.0 / 280,
    2.0 / 3,
    100.0 / 140 / 1.5,
    1 },
  { "elsewhere",
    { SQUARE (5, 5) },
    { SQUARE (30, 5), SQUARE (30, 20) },
    1,
    2,
    { VG_OUTLINE_MISSED },
    { VG_OUTLINE_FALSE, VG_OUTLINE_FALSE },
    { 0, 0 },
    0,
    0,
    0,
    0 },
  /* two true ones share 40 of their 100 pixels each: each has a match of its own */
  { "overlap",
    { SQUARE (5, 5), { 11, 5, 10, 10 } },
    { SQUARE (5, 5), { 11, 5, 10, 10 } },
    2,
    2,
    { VG_OUTLINE_TRUE, VG_OUTLINE_TRUE },
    { VG_OUTLINE_CORRECT, VG_OUTLINE_CORRECT },
    { 10, 20 },
    1,
    1,
    1,
    1 },
};

static void
test_by_hand (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *it = &cases[i];
      g_autoptr (GPtrArray) found = masks_of (it->found, it->n_found);
      g_autoptr (VgContourTruth)
          truth = vg_contour_truth_new (masks_of (it->truth, it->n_truth), 0, W, H, NULL);
      VgContourVerdict verdicts[4];
      VgOutlineLook looks[4];
      VgContourMetrics m;

      g_test_message ("%s", it->name);
      g_assert_true (vg_contour_metrics (found, truth, 1, &m, verdicts, looks));
      for (guint k = 0; k < it->n_truth; k++)
        g_assert_cmpint (looks[k], ==, it->of_truth[k]);
      for (guint k = 0; k < it->n_found; k++)
        {
          g_assert_cmpint (verdicts[k].look, ==, it->of_found[k]);
          g_assert_cmpuint (verdicts[k].number, ==, it->numbers[k]);
        }
      g_assert_cmpfloat_with_epsilon (m.aji, it->aji, 1e-12);
      g_assert_cmpfloat_with_epsilon (m.f1, it->f1, 1e-12);
      g_assert_cmpfloat_with_epsilon (m.pq, it->pq, 1e-12);
      g_assert_cmpfloat_with_epsilon (m.dice, it->dice, 1e-12);
    }
}

/* ---- Every pixel ---- */

typedef struct
{
  gboolean in[MOST][W * H]; /* a plane for each object */
  guint n;
} Planes;

static void
fill (Planes *planes, const GPtrArray *masks)
{
  planes->n = masks->len;
  for (guint i = 0; i < masks->len; i++)
    for (int k = 0; k < W * H; k++)
      planes->in[i][k] = vg_contour_mask_has (vg_contour_mask_at (masks, i), k % W, k / W);
}

static int
area_of (const Planes *planes, guint i)
{
  int n = 0;

  for (int k = 0; k < W * H; k++)
    n += planes->in[i][k];
  return n;
}

static int
common_of (const Planes *a, guint i, const Planes *b, guint j)
{
  int n = 0;

  for (int k = 0; k < W * H; k++)
    n += a->in[i][k] && b->in[j][k];
  return n;
}

static double
iou_of (const Planes *a, guint i, const Planes *b, guint j)
{
  int common = common_of (a, i, b, j);

  return (double) common / (area_of (a, i) + area_of (b, j) - common);
}

static double
brute_aji (const Planes *truth, const Planes *found)
{
  gboolean used[MOST] = { FALSE };
  double common = 0, all = 0;

  for (guint t = 0; t < truth->n; t++)
    {
      int best = -1;

      for (guint f = 0; f < found->n; f++)
        if (common_of (truth, t, found, f) > 0 &&
            (best < 0 || iou_of (truth, t, found, f) > iou_of (truth, t, found, (guint) best)))
          best = (int) f;
      if (best >= 0)
        used[best] = TRUE;
      for (int k = 0; k < W * H; k++)
        {
          gboolean other = best >= 0 && found->in[best][k];

          common += truth->in[t][k] && other;
          all += truth->in[t][k] || other;
        }
    }
  for (guint f = 0; f < found->n; f++)
    all += used[f] ? 0 : area_of (found, f);
  return common / all;
}

static double
brute_dice (const Planes *truth, const Planes *found)
{
  double both = 0, sum = 0;

  for (int k = 0; k < W * H; k++)
    {
      gboolean a = FALSE, b = FALSE;

      for (guint t = 0; t < truth->n; t++)
        a |= truth->in[t][k];
      for (guint f = 0; f < found->n; f++)
        b |= found->in[f][k];
      both += a && b;
      sum += a + b;
    }
  return 2 * both / sum;
}

static gboolean
brute_border (const gboolean *in, int k)
{
  int x = k % W, y = k / W;

  return in[k] && (x == 0 || y == 0 || x == W - 1 || y == H - 1 || !in[k - 1] || !in[k + 1] ||
                   !in[k - W] || !in[k + W]);
}

static double
brute_distance (const gboolean *a, const gboolean *b)
{
  double most = 0;

  for (int k = 0; k < W * H; k++)
    {
      double least = INFINITY;

      for (int l = 0; l < W * H && brute_border (a, k); l++)
        if (brute_border (b, l))
          least = MIN (least, hypot (k % W - l % W, k / W - l / W));
      most = MAX (most, isinf (least) ? 0 : least);
    }
  return most;
}

/* Matches are looked for again and again, the best first, among those that are left. */
static void
brute_match (const Planes *truth, const Planes *found, int of_truth[MOST], VgContourMetrics *m)
{
  gboolean used[MOST] = { FALSE };
  double sum = 0, distance = 0;

  for (guint t = 0; t < truth->n; t++)
    of_truth[t] = -1;
  for (;;)
    {
      double best = 0;
      guint a = 0, b = 0;

      for (guint t = 0; t < truth->n; t++)
        for (guint f = 0; f < found->n; f++)
          if (of_truth[t] < 0 && !used[f] && iou_of (truth, t, found, f) > best)
            {
              best = iou_of (truth, t, found, f);
              a = t;
              b = f;
            }
      if (best < 0.5)
        break;
      of_truth[a] = (int) b;
      used[b] = TRUE;
      m->matched++;
      sum += best;
      distance += MAX (brute_distance (truth->in[a], found->in[b]),
                       brute_distance (found->in[b], truth->in[a]));
    }
  m->f1 = 2.0 * m->matched / (truth->n + found->n);
  m->pq = sum / (0.5 * (truth->n + found->n));
  m->hausdorff_px = m->matched > 0 ? distance / m->matched : NAN;
}

static void
check_verdicts (const Planes *truth, const Planes *found, const int of_truth[MOST],
                const VgContourVerdict *verdicts, const VgOutlineLook *looks)
{
  guint over[MOST] = { 0 }, within[MOST] = { 0 };
  gboolean used[MOST] = { FALSE };

  for (guint t = 0; t < truth->n; t++)
    for (guint f = 0; f < found->n; f++)
      {
        int common = common_of (truth, t, found, f);

        over[f] += common > 0 && 2 * common >= area_of (truth, t);
        within[t] += common > 0 && 2 * common >= area_of (found, f);
        used[f] |= of_truth[t] == (int) f;
      }
  for (guint t = 0; t < truth->n; t++)
    {
      gboolean merged = FALSE;

      for (guint f = 0; f < found->n; f++)
        merged |= over[f] > 1 && 2 * common_of (truth, t, found, f) >= area_of (truth, t);
      g_assert_cmpint (looks[t], ==,
                       of_truth[t] >= 0 ? VG_OUTLINE_TRUE
                       : merged         ? VG_OUTLINE_MERGED
                       : within[t] > 1  ? VG_OUTLINE_SPLIT
                                        : VG_OUTLINE_MISSED);
    }
  for (guint f = 0; f < found->n; f++)
    {
      gboolean split = FALSE;

      for (guint t = 0; t < truth->n; t++)
        split |= within[t] > 1 && 2 * common_of (truth, t, found, f) >= area_of (found, f);
      g_assert_cmpint (verdicts[f].look, ==,
                       used[f]       ? VG_OUTLINE_CORRECT
                       : over[f] > 1 ? VG_OUTLINE_MERGED
                       : split       ? VG_OUTLINE_SPLIT
                                     : VG_OUTLINE_FALSE);
      g_assert_cmpint (verdicts[f].number > 0, ==, verdicts[f].look != VG_OUTLINE_FALSE);
    }
}

static void
set_random (GRand *random, Rectangle *r)
{
  (*r)[2] = g_rand_int_range (random, 2, 17);
  (*r)[3] = g_rand_int_range (random, 2, 17);
  (*r)[0] = g_rand_int_range (random, 0, W - (*r)[2] + 1);
  (*r)[1] = g_rand_int_range (random, 0, H - (*r)[3] + 1);
}

/* Objects of any size, which overlap in both; many found ones are true ones that have moved, so
 * that there are matches too. */
static void
check_scene (guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint n_truth = (guint) g_rand_int_range (random, 1, 14),
        n_found = (guint) g_rand_int_range (random, 1, 14);
  Rectangle a[MOST], b[MOST];
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (VgContourTruth) truth = NULL;
  g_autofree Planes *in_truth = g_new0 (Planes, 1), *in_found = g_new0 (Planes, 1);
  VgContourVerdict verdicts[MOST];
  VgOutlineLook looks[MOST];
  VgContourMetrics m, brute = { 0 };
  int of_truth[MOST];

  for (guint i = 0; i < n_truth; i++)
    set_random (random, &a[i]);
  for (guint i = 0; i < n_found; i++)
    {
      set_random (random, &b[i]);
      if (i < n_truth && g_rand_boolean (random))
        for (int k = 0; k < 2; k++)
          {
            int moved = a[i][k] + g_rand_int_range (random, -3, 4);

            b[i][2 + k] = a[i][2 + k];
            b[i][k] = CLAMP (moved, 0, (k == 0 ? W : H) - b[i][2 + k]);
          }
    }
  found = masks_of (b, n_found);
  truth = vg_contour_truth_new (masks_of (a, n_truth), 0, W, H, NULL);
  fill (in_truth, truth->masks);
  fill (in_found, found);
  for (int again = 0; again < 2; again++) /* a score leaves nothing behind */
    g_assert_true (vg_contour_metrics (found, truth, 1 + again, &m, verdicts, looks));
  brute_match (in_truth, in_found, of_truth, &brute);
  g_assert_cmpuint (m.matched, ==, brute.matched);
  g_assert_cmpfloat_with_epsilon (m.f1, brute.f1, 1e-12);
  g_assert_cmpfloat_with_epsilon (m.pq, brute.pq, 1e-12);
  g_assert_cmpfloat_with_epsilon (m.aji, brute_aji (in_truth, in_found), 1e-12);
  g_assert_cmpfloat_with_epsilon (m.dice, brute_dice (in_truth, in_found), 1e-12);
  if (m.matched > 0)
    g_assert_cmpfloat_with_epsilon (m.hausdorff_px, brute.hausdorff_px, 1e-9);
  check_verdicts (in_truth, in_found, of_truth, verdicts, looks);
  g_assert_cmpuint (m.of_found[VG_OUTLINE_CORRECT] + m.of_found[VG_OUTLINE_FALSE] +
                        m.of_found[VG_OUTLINE_MERGED] + m.of_found[VG_OUTLINE_SPLIT],
                    ==, n_found);
  g_assert_cmpuint (m.of_truth[VG_OUTLINE_TRUE] + m.of_truth[VG_OUTLINE_MISSED] +
                        m.of_truth[VG_OUTLINE_MERGED] + m.of_truth[VG_OUTLINE_SPLIT],
                    ==, n_truth);
}

static void
test_brute (void)
{
  for (guint32 seed = 0; seed < 60; seed++)
    check_scene (seed);
}

/* ---- Time ---- */

/* Processor time of this thread, ms. */
static double
now_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double) now.tv_sec * 1e3 + (double) now.tv_nsec * 1e-6;
}

/* 500 nuclei in 1000 x 1000 pixels; only told of, since machines differ. */
static void
test_time (void)
{
  g_autofree gint32 *labels = g_new0 (gint32, 1000 * 1000);
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (VgContourTruth) truth = NULL;
  VgContourMetrics m;
  double best = INFINITY;

  for (int i = 0; i < 500; i++)
    for (int y = 0; y < 26; y++)
      for (int x = 0; x < 26; x++)
        if (hypot (x - 12.5, y - 12.5) < 13)
          labels[(i / 25 * 48 + y) * 1000 + i % 25 * 39 + x] = i + 1;
  truth = vg_contour_truth_new (vg_contour_masks_of_labels (labels, 1000, 1000, NULL), 0, 1000,
                                1000, NULL);
  found = vg_contour_masks_of_labels (labels, 1000, 1000, NULL);
  for (int i = 0; i < 500; i++) /* most lie a little beside */
    ((VgContourMask *) found->pdata[i])->box.x += i % 4;
  for (int i = 0; i < 10; i++)
    {
      double began = now_ms ();

      g_assert_true (vg_contour_metrics (found, truth, 1, &m, NULL, NULL));
      best = MIN (best, now_ms () - began);
    }
  g_assert_cmpuint (m.matched, ==, 500);
  g_assert_cmpfloat_with_epsilon (m.hausdorff_px, 1.5, 1e-9);
  g_test_message ("500 nuclei: %.2f ms", best);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/score/by-hand", test_by_hand);
  g_test_add_func ("/contour/score/brute", test_brute);
  g_test_add_func ("/contour/score/time", test_time);
  return g_test_run ();
}
