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
  g_assert_cmpfloat (aji, >=, 0.78);
}

int
main (int argc, char **argv)
{
  static const Bar bars[] = {
    { 6, TRUE, VG_CONTOUR_FORCE_CLASSICAL, 0.66, 0.83, 0.0, 0.0, FALSE },
    { 6, FALSE, VG_CONTOUR_FORCE_CLASSICAL, 0.56, 0.66, 0.0, 0.0, FALSE },
    { 10, TRUE, VG_CONTOUR_FORCE_CLASSICAL, 0.66, 0.83, 0.0, 0.0, FALSE },
    { 10, FALSE, VG_CONTOUR_FORCE_CLASSICAL, 0.56, 0.66, 0.0, 0.0, FALSE },
    { 6, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.73, 0.86, 0.69, 0.65, FALSE },
    { 10, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.68, 0.825, 0.65, 0.52, FALSE },
    { 10, TRUE, VG_CONTOUR_FORCE_LEARNED, 0.75, 0.91, 0.71, 0.66, FALSE },
    { 6, FALSE, VG_CONTOUR_FORCE_LEARNED, 0.69, 0.83, 0.67, 0.62, TRUE },
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
  g_test_add_func ("/data/contour/learned/fluorescence", test_fluorescence);
  return g_test_run ();
}
