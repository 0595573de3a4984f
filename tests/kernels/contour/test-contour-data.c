/* SPDX-License-Identifier: MIT */
/* Real crops of H&E with their truth: one click per nucleus, and automatic seeds, against watershed
 * from the same seeds, with both forces; the learned force also on grey and on fluorescence. */
#include "tests/kernels/contour/support/contour-fixture.h"
#include "kernels/contour/shapes/contour-mask.h"
#include "tests/support/data-file.h"
#include "io/source/vg-source.h"

/* The first six are in tests/data. */
static const char *const names[] = { "dsb01", "dsb02",  "dsb03",  "dsb04",  "dsb05",
                                     "dsb06", "monu01", "monu02", "monu03", "monu04" };

static VgImage *
load (const char *name, const char *ending, gboolean colour)
{
  g_autofree char *file = g_strconcat (name, ending, NULL), *path = data_file ("contour", file);

  return path == NULL
             ? NULL
             : vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions){ .colour = colour }, NULL);
}

static int
by_size (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
median_radius (const GPtrArray *truth)
{
  g_autofree double *radii = g_new (double, truth->len);

  for (guint i = 0; i < truth->len; i++)
    radii[i] = sqrt ((double) vg_contour_mask_at (truth, i)->area / G_PI);
  qsort (radii, truth->len, sizeof *radii, by_size);
  return radii[truth->len / 2];
}

/* What the mean over crops is to reach. */
typedef struct
{
  guint n;         /* of the names, the first */
  gboolean clicks; /* a seed in each true nucleus, and better than the watershed on every crop */
  int force;
  double aji, f1, pq;
  double least; /* AJI of each crop */
  gboolean grey;
} Bar;

/* The image as its mean of red, green and blue. */
static VgImage *
as_grey (const VgImage *image)
{
  VgImageInfo info = vg_image_info_grey (VG_F32, image->info.width, image->info.height);
  VgImage *grey = vg_image_new (&info, "grey", NULL);
  gsize step = (gsize) image->info.channels;

  for (gsize i = 0; i < (gsize) info.width * (gsize) info.height; i++)
    ((float *) grey->data)[i] = (float) (vg_image_sample (image, step * i) +
                                         vg_image_sample (image, step * i + 1) +
                                         vg_image_sample (image, step * i + 2)) /
                                3.0f;
  return grey;
}

/* Scores of the contours, and of the watershed from the same seeds. */
static void
score (const char *name, const char *ending, const Bar *bar, VgContourMetrics *contour,
       VgContourMetrics *watershed)
{
  g_autofree char *label_ending = g_strconcat ("_label", ending, NULL);
  const gboolean clicks = bar->clicks;
  g_autoptr (VgImage) colour = load (name, ending, TRUE), labels = load (name, label_ending, FALSE),
                      image = bar->grey ? as_grey (colour) : vg_image_ref (colour);
  g_autoptr (VgContourTruth) truth = vg_contour_truth_of_file (labels, &image->info, NULL);
  g_autoptr (GPtrArray) found = NULL, cut = NULL;
  g_autofree gint32 *areas = NULL;
  VgInputFile files[] = { { "seeds", labels } };
  VgContourParams params = contour_params ();
  VgContourRun *run;

  params.force = bar->force;
  if (bar->force == VG_CONTOUR_FORCE_LEARNED)
    params.smallest = 0.05f;
  params.radius_px = clicks ? (float) median_radius (truth->masks) : 0.0f;
  if (clicks) /* every click is meant */
    params.smallest = params.contrast = 0.0f;
  run = vg_contour_run_new (&(VgContext){ .params = &params,
                                          .info = &image->info,
                                          .image = image,
                                          .files = files,
                                          .n_files = clicks ? 1 : 0 },
                            NULL);
  g_assert_nonnull (run);
  contour_run_to_end (run);
  /* none that had iterations left has stopped at the edge of its tile */
  g_assert_false (vg_contour_scene_wants_to_grow (run->scene));
  found = vg_contour_masks_of_scene (run->scene);
  vg_contour_metrics (found, truth, 2, contour, NULL, NULL);
  areas = vg_contour_watershed (
      run->foreground, (const VgContourPoint *) (const void *) run->wanted->data, run->wanted->len);
  cut = vg_contour_masks_of_labels (areas, image->info.width, image->info.height, NULL);
  vg_contour_metrics (cut, truth, 2, watershed, NULL, NULL);
  g_test_message ("%s: R %.1f, AJI %.3f F1 %.3f Dice %.3f overlaps %.2f (watershed %.3f %.3f)",
                  name, run->scene->radius, contour->aji, contour->f1, contour->dice,
                  contour->overlap_resolved, watershed->aji, watershed->f1);
  vg_contour_run_free (run);
}

static void
test_bar (gconstpointer data)
{
  const Bar *bar = data;
  double aji = 0.0, f1 = 0.0, pq = 0.0;
  g_autofree char *last = data_file ("contour",
                                     bar->n == 6 ? "dsb06_label.tif" : "monu04_label.tif");

  if (last == NULL)
    return;
  for (guint i = 0; i < bar->n; i++)
    {
      VgContourMetrics contour, watershed;

      score (names[i], ".tif", bar, &contour, &watershed);
      aji += contour.aji / bar->n;
      f1 += contour.f1 / bar->n;
      pq += contour.pq / bar->n;
      g_assert_cmpfloat (contour.aji, >=, bar->least);
      if (bar->clicks)
        g_assert_cmpfloat (contour.aji, >, watershed.aji);
    }
  g_test_message ("mean of %u: AJI %.4f, F1 %.4f, PQ %.4f", bar->n, aji, f1, pq);
  g_assert_cmpfloat (aji, >=, bar->aji);
  g_assert_cmpfloat (f1, >=, bar->f1);
  g_assert_cmpfloat (pq, >=, bar->pq);
}

/* Fluorescence, of which the network has seen other pictures. */
static void
test_fluorescence (void)
{
  const Bar bar = { .force = VG_CONTOUR_FORCE_LEARNED };
  double aji = 0.0;

  for (int i = 1; i <= 6; i++)
    {
      g_autofree char *name = g_strdup_printf ("fluo%02d", i);
      VgContourMetrics contour, watershed;

      score (name, ".png", &bar, &contour, &watershed);
      aji += contour.aji / 6.0;
    }
  g_test_message ("mean of 6: AJI %.4f", aji);
  g_assert_cmpfloat (aji, >=, 0.80);
}

/* ---- A perfect user ---- */

static VgTable *
table_of (const GArray *points)
{
  VgTable *table = points->len > 0 ? vg_table_new ((int) points->len, 2) : NULL;

  if (table != NULL)
    memcpy (table->values, points->data, points->len * sizeof (VgContourPoint));
  return table;
}

/* A pixel of MASK: the one of its centroid, or its first. */
static VgContourPoint
inside_of (const VgContourMask *mask)
{
  VgContourPoint p = vg_contour_mask_centroid (mask);
  gsize i = 0;

  if (vg_contour_mask_has (mask, (int) p.x, (int) p.y))
    return p;
  while (!mask->bits[i])
    i++;
  return (VgContourPoint){ mask->box.x + (double) (i % (gsize) mask->box.width) + 0.5,
                           mask->box.y + (double) (i / (gsize) mask->box.width) + 0.5 };
}

/* The true nucleus without a match and without a click that shares most pixels with a contour
 * without a match; -1: all have one. */
static int
next_click (const VgContourTruth *truth, const VgOutlineLook *looks, const gboolean *clicked,
            const GPtrArray *found, const VgContourVerdict *verdicts)
{
  gint64 most = -1;
  int next = -1;

  for (guint t = 0; t < truth->masks->len; t++)
    {
      gint64 shared = 0;

      if (looks[t] == VG_OUTLINE_TRUE || clicked[t])
        continue;
      for (guint i = 0; i < found->len; i++)
        if (verdicts[i].look != VG_OUTLINE_CORRECT)
          shared = MAX (shared, vg_contour_mask_common (vg_contour_mask_at (found, i),
                                                        vg_contour_mask_at (truth->masks, t)));
      if (shared > most)
        {
          most = shared;
          next = (int) t;
        }
    }
  return next;
}

/* P lies in the triangle of A, B and C. */
static gboolean
in_triangle (VgContourPoint p, VgContourPoint a, VgContourPoint b, VgContourPoint c)
{
  double u = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x),
         v = (c.x - b.x) * (p.y - b.y) - (c.y - b.y) * (p.x - b.x),
         w = (a.x - c.x) * (p.y - c.y) - (a.y - c.y) * (p.x - c.x);

  return (u >= 0.0 && v >= 0.0 && w >= 0.0) || (u <= 0.0 && v <= 0.0 && w <= 0.0);
}

/* A convex loop about the centroids CHOSEN and a NEW one encloses that of a correct contour. */
static gboolean
spoils (const GArray *chosen, VgContourPoint new, const GPtrArray *found,
        const VgContourVerdict *verdicts)
{
  for (guint i = 0; i < found->len; i++)
    {
      VgContourPoint p = vg_contour_mask_centroid (vg_contour_mask_at (found, i));

      if (verdicts[i].look != VG_OUTLINE_CORRECT)
        continue;
      for (guint a = 0; a < chosen->len; a++)
        for (guint b = a + 1; b < chosen->len; b++)
          if (in_triangle (p, g_array_index (chosen, VgContourPoint, a),
                           g_array_index (chosen, VgContourPoint, b), new))
            return TRUE;
    }
  return FALSE;
}

/* The largest set of contours without a match that a convex loop encloses, without a correct one,
 * if it grows from one of them to its next neighbours: indices of FOUND, new. */
static GArray *
next_loop (const GPtrArray *found, const VgContourVerdict *verdicts)
{
  GArray *best = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint first = 0; first < found->len; first++)
    {
      g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (VgContourPoint)),
                         members = g_array_new (FALSE, FALSE, sizeof (guint));
      g_autofree gboolean *tried = g_new0 (gboolean, found->len);
      VgContourPoint start = vg_contour_mask_centroid (vg_contour_mask_at (found, first));

      for (;;)
        {
          double least = INFINITY;
          guint nearest = found->len;
          VgContourPoint at = { 0.0, 0.0 };

          for (guint i = 0; i < found->len; i++)
            {
              VgContourPoint p = vg_contour_mask_centroid (vg_contour_mask_at (found, i));

              if (verdicts[i].look == VG_OUTLINE_CORRECT || tried[i] ||
                  hypot (p.x - start.x, p.y - start.y) >= least)
                continue;
              least = hypot (p.x - start.x, p.y - start.y);
              nearest = i;
              at = p;
            }
          if (nearest == found->len || verdicts[first].look == VG_OUTLINE_CORRECT ||
              spoils (chosen, at, found, verdicts))
            break;
          tried[nearest] = TRUE;
          g_array_append_val (chosen, at);
          g_array_append_val (members, nearest);
        }
      if (members->len > best->len)
        {
          g_array_unref (best);
          best = g_steal_pointer (&members);
        }
    }
  return best;
}

/* Removes the seed of a contour. */
static void
delete_seed (const VgContourMask *mask, GArray *added, GArray *removed)
{
  const VgContourPoint seed = { mask->object->seed_x, mask->object->seed_y };

  for (guint k = 0; k < added->len; k++)
    if (memcmp (&g_array_index (added, VgContourPoint, k), &seed, sizeof seed) == 0)
      {
        g_array_remove_index (added, k);
        return;
      }
  g_array_append_val (removed, seed);
}

/* Deletes contours with loops and adds clicks until F1 is at least 0.95.  Adds to the sums of
 * operations and of what was wrong before (contours and true nuclei without a match), and to that
 * of F1. */
static void
correct (const char *name, double *operations, double *wrong, double *f1)
{
  g_autoptr (VgImage) image = load (name, ".tif", TRUE), labels = load (name, "_label.tif", FALSE);
  g_autoptr (VgContourTruth) truth = vg_contour_truth_of_file (labels, &image->info, NULL);
  g_autofree VgOutlineLook *looks = g_new (VgOutlineLook, truth->masks->len);
  g_autofree gboolean *clicked = g_new0 (gboolean, truth->masks->len);
  g_autoptr (GArray) added = g_array_new (FALSE, FALSE, sizeof (VgContourPoint)),
                     removed = g_array_new (FALSE, FALSE, sizeof (VgContourPoint));
  VgContourParams params = contour_params ();
  VgContourMetrics score = { 0 };
  guint done = 0, before = 0;
  VgContourRun *run;

  params.force = VG_CONTOUR_FORCE_LEARNED;
  params.smallest = 0.05f;
  run = vg_contour_run_new (&(VgContext){ .params = &params, .info = &image->info, .image = image },
                            NULL);
  g_assert_nonnull (run);
  for (;; done++)
    {
      g_autoptr (GPtrArray) found = NULL;
      g_autofree VgContourVerdict *verdicts = NULL;
      g_autoptr (GArray) loop = NULL;
      int click;

      contour_run_to_end (run);
      found = vg_contour_masks_of_scene (run->scene);
      verdicts = g_new (VgContourVerdict, found->len + 1);
      vg_contour_metrics (found, truth, 2, &score, verdicts, looks);
      if (done == 0)
        before = found->len + truth->masks->len - 2 * score.matched;
      if (score.f1 >= 0.95)
        break;
      click = next_click (truth, looks, clicked, found, verdicts);
      loop = next_loop (found, verdicts);
      if (click >= 0 && loop->len < 2)
        {
          VgContourPoint at = inside_of (vg_contour_mask_at (truth->masks, (guint) click));

          g_array_append_val (added, at);
          clicked[click] = TRUE;
        }
      else if (loop->len == 0)
        break;
      else
        for (guint k = 0; k < loop->len; k++)
          delete_seed (vg_contour_mask_at (found, g_array_index (loop, guint, k)), added, removed);
      vg_table_free (params.added);
      vg_table_free (params.removed);
      params.added = table_of (added);
      params.removed = table_of (removed);
      g_assert_true (vg_contour_run_update (run, &params));
    }
  g_test_message ("%s: %u operations for %u wrong nuclei, F1 %.3f", name, done, before, score.f1);
  *operations += done;
  *wrong += before;
  *f1 += score.f1;
  vg_table_free (params.added);
  vg_table_free (params.removed);
  vg_contour_run_free (run);
}

static void
test_user (void)
{
  g_autofree char *last = data_file ("contour", "monu04_label.tif");
  double operations = 0.0, wrong = 0.0, f1 = 0.0;

  if (last == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    correct (names[i], &operations, &wrong, &f1);
  f1 /= G_N_ELEMENTS (names);
  g_test_message ("%.0f operations for %.0f wrong nuclei, mean F1 %.3f", operations, wrong, f1);
  g_assert_cmpfloat (operations, <=, 0.5 * wrong);
  g_assert_cmpfloat (f1, >=, 0.95);
}

int
main (int argc, char **argv)
{
  static const Bar bars[] = {
    { 6, TRUE, VG_CONTOUR_FORCE_CLASSICAL, 0.66, 0.80, 0.0, 0.0, FALSE },
    { 6, FALSE, VG_CONTOUR_FORCE_CLASSICAL, 0.56, 0.66, 0.0, 0.0, FALSE },
    { 10, TRUE, VG_CONTOUR_FORCE_CLASSICAL, 0.66, 0.83, 0.0, 0.0, FALSE },
    { 10, FALSE, VG_CONTOUR_FORCE_CLASSICAL, 0.56, 0.66, 0.0, 0.0, FALSE },
    { 6, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.73, 0.86, 0.69, 0.65, FALSE },
    { 10, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.68, 0.83, 0.65, 0.52, FALSE },
    { 10, TRUE, VG_CONTOUR_FORCE_LEARNED, 0.75, 0.91, 0.71, 0.66, FALSE },
    { 6, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.69, 0.83, 0.67, 0.62, TRUE },
    { 10, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.62, 0.77, 0.61, 0.35, TRUE },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/data/contour/six/clicks", &bars[0], test_bar);
  g_test_add_data_func ("/data/contour/six/automatic", &bars[1], test_bar);
  g_test_add_data_func ("/data/contour/ten/clicks", &bars[2], test_bar);
  g_test_add_data_func ("/data/contour/ten/automatic", &bars[3], test_bar);
  g_test_add_data_func ("/data/contour/learned/six/automatic", &bars[4], test_bar);
  g_test_add_data_func ("/data/contour/learned/ten/automatic", &bars[5], test_bar);
  g_test_add_data_func ("/data/contour/learned/ten/clicks", &bars[6], test_bar);
  g_test_add_data_func ("/data/contour/learned/six/grey", &bars[7], test_bar);
  g_test_add_data_func ("/data/contour/learned/ten/grey", &bars[8], test_bar);
  g_test_add_func ("/data/contour/learned/fluorescence", test_fluorescence);
  g_test_add_func ("/data/contour/learned/user", test_user);
  return g_test_run ();
}
