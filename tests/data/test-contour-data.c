/* SPDX-License-Identifier: MIT */
/* Real crops of H&E with their truth, when they are there: one click per
 * nucleus, and automatic seeds, against watershed from the same seeds. */
#include "../golden/contour-fixture.h"
#include "contour-mask.h"
#include "vg-source.h"

static const char *const names[] = { "dsb01", "dsb02", "dsb03", "dsb04", "dsb05", "dsb06", "monu01", "monu02", "monu03", "monu04" };

static VgImage *
load (const char *name, const char *ending, gboolean colour)
{
  const char *root = g_getenv ("VIVOGRAPH_DATA");
  g_autofree char *file = g_strconcat (name, ending, NULL), *path = g_build_filename (root != NULL ? root : "none", "contour", file, NULL);

  return vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions) { .colour = colour }, NULL);
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

/* Scores of the contours, and of the watershed from the same seeds. */
static void
score (const char *name, gboolean clicks, VgContourMetrics *contour, VgContourMetrics *watershed)
{
  g_autoptr (VgImage) image = load (name, ".tif", TRUE), labels = load (name, "_label.tif", FALSE);
  g_autoptr (GPtrArray) truth = vg_contour_masks_of_file (labels, &image->info, NULL, NULL);
  g_autoptr (GPtrArray) found = NULL, cut = NULL;
  g_autofree gint32 *areas = NULL;
  VgInputFile files[] = { { "seeds", labels } };
  VgContourParams params = contour_params ();
  VgContourRun *run;

  params.radius_px = clicks ? (float) median_radius (truth) : 0.0f;
  if (clicks)   /* every click is meant */
    params.smallest = params.contrast = 0.0f;
  run = vg_contour_run_new (&(VgContext) { .params = &params, .info = &image->info, .image = image, .files = files, .n_files = clicks ? 1 : 0 },
                            NULL);
  g_assert_nonnull (run);
  vg_contour_run_finish (run);
  found = vg_contour_masks_of_scene (run->scene);
  vg_contour_metrics (found, truth, image->info.width, image->info.height, contour);
  areas = vg_contour_watershed (run->foreground, (const VgContourPoint *) (const void *) run->wanted->data, run->wanted->len);
  cut = vg_contour_masks_of_labels (areas, image->info.width, image->info.height);
  vg_contour_metrics (cut, truth, image->info.width, image->info.height, watershed);
  g_test_message ("%s: R %.1f, AJI %.3f F1 %.3f Dice %.3f overlaps %.2f (watershed %.3f %.3f)", name, run->scene->radius, contour->aji,
                  contour->f1, contour->dice, contour->overlap_resolved, watershed->aji, watershed->f1);
  vg_contour_run_free (run);
}

static void
means (gboolean clicks, double *aji, double *f1, gboolean above_each)
{
  *aji = *f1 = 0.0;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      VgContourMetrics contour, watershed;

      score (names[i], clicks, &contour, &watershed);
      *aji += contour.aji / G_N_ELEMENTS (names);
      *f1 += contour.f1 / G_N_ELEMENTS (names);
      if (above_each)
        g_assert_cmpfloat (contour.aji, >, watershed.aji);
    }
  g_test_message ("mean of ten: AJI %.4f, F1 %.4f", *aji, *f1);
}

static void
test_clicks (void)
{
  double aji, f1;

  means (TRUE, &aji, &f1, TRUE);
  g_assert_cmpfloat (aji, >=, 0.66);
  g_assert_cmpfloat (f1, >=, 0.83);
}

static void
test_automatic (void)
{
  double aji, f1;

  means (FALSE, &aji, &f1, FALSE);
  g_assert_cmpfloat (aji, >=, 0.56);
  g_assert_cmpfloat (f1, >=, 0.66);
}

int
main (int argc, char **argv)
{
  g_autoptr (VgImage) first = NULL;

  g_test_init (&argc, &argv, NULL);
  first = load (names[0], ".tif", TRUE);
  if (first == NULL)
    {
      g_print ("1..0 # SKIP VIVOGRAPH_DATA has no contour folder\n");
      return 77;
    }
  g_test_add_func ("/data/contour/clicks", test_clicks);
  g_test_add_func ("/data/contour/automatic", test_automatic);
  return g_test_run ();
}
