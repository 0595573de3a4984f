/* SPDX-License-Identifier: MIT */
/* Overlap with an exactly known truth: recorded nuclei (2018 Data Science Bowl, CC0) are cut out
 * with their true masks and laid over each other in pairs, so that light passes through both: their
 * optical densities add up.  What is tested: precision and recall of the area that two nuclei
 * cover, beside a watershed from the same seeds, which has no such area. */
#include "tests/kernels/contour/support/contour-fixture.h"
#include "tests/support/data-file.h"
#include "io/source/vg-source.h"

enum { FIRST = 3, LAST = 6, PAIRS_ACROSS = 4, GAP = 2, MARGIN = 1, LEAST_AREA = 60 };

/* A nucleus cut out of an image: what it absorbs beyond its surroundings. */
typedef struct
{
  int width, height; /* with a margin of MARGIN pixels */
  guint8 *inside;
  float *density; /* natural, three values for each pixel */
  int area;
} Cut;

typedef struct
{
  GPtrArray *cuts; /* of Cut */
  double ground[3], noise[3];
} Tissue;

static void
cut_free (gpointer data)
{
  Cut *cut = data;

  g_free (cut->inside);
  g_free (cut->density);
  g_free (cut);
}

static double
density_of (const VgImage *image, int x, int y, int channel)
{
  const guint8 *samples = image->data;

  return -log (
      (samples[((gsize) y * (gsize) image->info.width + (gsize) x) * (gsize) image->info.channels +
               (gsize) channel] +
       1.0) /
      256.0);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
quantile (GArray *values, double share)
{
  qsort (values->data, values->len, sizeof (double), compare_doubles);
  return g_array_index (values, double, (guint) (share * (values->len - 1)));
}

/* A pixel of MASK lies within REACH of (X, Y). */
static gboolean
is_near (const VgContourMask *mask, int x, int y, int reach)
{
  for (int dy = -reach; dy <= reach; dy++)
    for (int dx = -reach; dx <= reach; dx++)
      if (dx * dx + dy * dy <= reach * reach && vg_contour_mask_has (mask, x + dx, y + dy))
        return TRUE;
  return FALSE;
}

/* Cuts out the nucleus MASK if it is whole and stands alone. */
static Cut *
cut_out (const VgImage *image, const gint32 *labels, const VgContourMask *mask)
{
  const int width = image->info.width, height = image->info.height, reach = MARGIN + GAP,
            x0 = mask->box.x - MARGIN, y0 = mask->box.y - MARGIN;
  g_autoptr (GPtrArray) ring = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  double ground[3];
  Cut *cut;

  if (mask->area < LEAST_AREA || mask->box.x < reach || mask->box.y < reach ||
      mask->box.x + mask->box.width + reach > width ||
      mask->box.y + mask->box.height + reach > height)
    return NULL;
  for (int c = 0; c < 3; c++)
    g_ptr_array_add (ring, g_array_new (FALSE, FALSE, sizeof (double)));
  for (int y = mask->box.y - reach; y < mask->box.y + mask->box.height + reach; y++)
    for (int x = mask->box.x - reach; x < mask->box.x + mask->box.width + reach; x++)
      {
        gint32 label = labels[y * width + x];

        if (label != 0 && label != (gint32) mask->number && is_near (mask, x, y, GAP))
          return NULL;
        for (int c = 0; c < 3 && label == 0; c++)
          {
            double value = density_of (image, x, y, c);

            g_array_append_val ((GArray *) ring->pdata[c], value);
          }
      }
  for (int c = 0; c < 3; c++)
    ground[c] = quantile (ring->pdata[c], 0.3);
  cut = g_new0 (Cut, 1);
  cut->width = mask->box.width + 2 * MARGIN;
  cut->height = mask->box.height + 2 * MARGIN;
  cut->area = (int) mask->area;
  cut->inside = g_new0 (guint8, cut->width * cut->height);
  cut->density = g_new0 (float, 3 * cut->width * cut->height);
  for (int y = 0; y < cut->height; y++)
    for (int x = 0; x < cut->width; x++)
      {
        gboolean near = is_near (mask, x0 + x, y0 + y, MARGIN);

        cut->inside[y * cut->width + x] = vg_contour_mask_has (mask, x0 + x, y0 + y);
        for (int c = 0; c < 3 && near; c++)
          cut->density[3 * (y * cut->width + x) + c] = (float) MAX (
              density_of (image, x0 + x, y0 + y, c) - ground[c], 0.0);
      }
  return cut;
}

/* NULL: the recording is missing. */
static Tissue *
load_tissue (int number)
{
  g_autofree char *name = g_strdup_printf ("dsb%02d.tif", number),
                  *label_name = g_strdup_printf ("dsb%02d_label.tif", number),
                  *path = data_file ("contour", name),
                  *label_path = data_file ("contour", label_name);
  g_autoptr (VgImage) image = NULL, file = NULL;
  g_autofree gint32 *labels = NULL;
  g_autoptr (GPtrArray) masks = NULL;
  Tissue *tissue;

  if (path == NULL || label_path == NULL)
    return NULL;
  image = vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions){ .colour = TRUE }, NULL);
  file = vg_image_load (label_path, VG_FILE_IMAGE, &(VgSourceOptions){ .colour = FALSE }, NULL);
  g_assert_true (image != NULL && image->info.type == VG_U8 && image->info.channels >= 3);
  labels = vg_contour_labels_of_file (file, image->info.width, image->info.height, NULL);
  masks = vg_contour_masks_of_labels (labels, image->info.width, image->info.height, NULL);
  tissue = g_new0 (Tissue, 1);
  tissue->cuts = g_ptr_array_new_with_free_func (cut_free);
  for (guint i = 0; i < masks->len; i++)
    {
      Cut *cut = cut_out (image, labels, vg_contour_mask_at (masks, i));

      if (cut != NULL)
        g_ptr_array_add (tissue->cuts, cut);
    }
  for (int c = 0; c < 3; c++)
    {
      g_autoptr (GArray) values = g_array_new (FALSE, FALSE, sizeof (double));

      for (int i = 0; i < image->info.width * image->info.height; i++)
        if (labels[i] == 0)
          {
            double value = density_of (image, i % image->info.width, i / image->info.width, c);

            g_array_append_val (values, value);
          }
      tissue->ground[c] = quantile (values, 0.3);
      tissue->noise[c] = 0.3 * (quantile (values, 0.5) - quantile (values, 0.16));
    }
  return tissue;
}

static void
tissue_free (Tissue *self)
{
  g_ptr_array_unref (self->cuts);
  g_free (self);
}

/* ---- Composites ---- */

typedef struct
{
  int side;
  double *density;  /* three values for each pixel */
  GPtrArray *masks; /* of VgContourMask: the truth */
} Scene;

static int
common_of (const Cut *a, const Cut *b, int dx, int dy)
{
  int n = 0;

  for (int y = 0; y < a->height; y++)
    for (int x = 0; x < a->width; x++)
      n += a->inside[y * a->width + x] && x - dx >= 0 && y - dy >= 0 && x - dx < b->width &&
           y - dy < b->height && b->inside[(y - dy) * b->width + x - dx];
  return n;
}

static void
put (Scene *self, const Cut *cut, int x0, int y0)
{
  VgContourMask *mask = g_new0 (VgContourMask, 1);

  mask->box = (VgContourBox){ x0, y0, cut->width, cut->height };
  mask->bits = g_memdup2 (cut->inside, (gsize) cut->width * (gsize) cut->height);
  mask->area = cut->area;
  mask->number = self->masks->len + 1;
  g_ptr_array_add (self->masks, mask);
  for (int y = 0; y < cut->height; y++)
    for (int x = 0; x < cut->width; x++)
      for (int c = 0; c < 3; c++)
        self->density[3 * ((y0 + y) * self->side + x0 + x) + c] +=
            (double) cut->density[3 * (y * cut->width + x) + c];
}

/* The place of B beside A, in a direction by chance, at which the common part of the smaller one is
 * nearest to SHARE. */
static void
find_place (const Cut *a, const Cut *b, double share, GRand *rand, int *dx, int *dy)
{
  const double angle = g_rand_double_range (rand, 0.0, 2.0 * G_PI),
               ax = 0.5 * (a->width - b->width), ay = 0.5 * (a->height - b->height);
  double best = INFINITY;

  for (double r = 0.0; r < a->width + a->height + b->width + b->height; r += 0.5)
    {
      int x = (int) round (ax + r * cos (angle)), y = (int) round (ay + r * sin (angle));
      double off = fabs ((double) common_of (a, b, x, y) / MIN (a->area, b->area) - share);

      if (off >= best)
        continue;
      best = off;
      *dx = x;
      *dy = y;
    }
}

static VgImage *
compose (const Tissue *tissue, guint32 seed, double low, double high, Scene *scene)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  VgImageInfo info = { .type = VG_U8, .channels = 3, .bins = 1, .slices = 1, .frames = 1 };
  VgImage *image;
  int cell = 0;

  for (guint i = 0; i < tissue->cuts->len; i++)
    {
      const Cut *cut = tissue->cuts->pdata[i];

      cell = MAX (cell, MAX (cut->width, cut->height));
    }
  cell = 2 * cell;
  scene->side = PAIRS_ACROSS * cell;
  scene->density = g_new0 (double, 3 * scene->side * scene->side);
  scene->masks = g_ptr_array_new_with_free_func (vg_contour_mask_free);
  for (int k = 0; k < PAIRS_ACROSS * PAIRS_ACROSS; k++)
    {
      const Cut *a = tissue->cuts->pdata[g_rand_int_range (rand, 0, (gint32) tissue->cuts->len)],
                *b = tissue->cuts->pdata[g_rand_int_range (rand, 0, (gint32) tissue->cuts->len)];
      int dx = 0, dy = 0, x0 = k % PAIRS_ACROSS * cell, y0 = k / PAIRS_ACROSS * cell;

      find_place (a, b, g_rand_double_range (rand, low, high), rand, &dx, &dy);
      /* both in the middle of the cell */
      x0 += (cell - MAX (a->width, dx + b->width) - MIN (dx, 0)) / 2;
      y0 += (cell - MAX (a->height, dy + b->height) - MIN (dy, 0)) / 2;
      put (scene, a, x0, y0);
      put (scene, b, x0 + dx, y0 + dy);
    }
  info.width = info.height = scene->side;
  image = vg_image_new (&info, "composite", NULL);
  for (int i = 0; i < 3 * scene->side * scene->side; i++)
    {
      double density = scene->density[i] + tissue->ground[i % 3] +
                       tissue->noise[i % 3] * contour_normal (rand);

      ((guint8 *) image->data)[i] = (guint8) CLAMP (256.0 * exp (-density) - 0.5, 0.0, 255.0);
    }
  return image;
}

/* ---- Scores ---- */

/* Pixels that at least two nuclei cover: found, true, and both. */
typedef struct
{
  double found, true, both, f1, aji, matched, nuclei;
} Sum;

static guint8 *
count_cover (const GPtrArray *masks, int side)
{
  guint8 *cover = g_new0 (guint8, side * side);

  for (guint i = 0; i < masks->len; i++)
    {
      const VgContourMask *mask = vg_contour_mask_at (masks, i);

      for (int y = 0; y < mask->box.height; y++)
        for (int x = 0; x < mask->box.width; x++)
          cover[(mask->box.y + y) * side + mask->box.x + x] =
              (guint8) (cover[(mask->box.y + y) * side + mask->box.x + x] +
                        mask->bits[y * mask->box.width + x]);
    }
  return cover;
}

static void
add_score (Sum *sum, const Scene *scene, const GPtrArray *found, const VgContourTruth *truth)
{
  g_autofree guint8 *is = count_cover (found, scene->side),
                    *should = count_cover (scene->masks, scene->side);
  VgContourMetrics metrics;

  for (int i = 0; i < scene->side * scene->side; i++)
    {
      sum->found += is[i] > 1;
      sum->true += should[i] > 1;
      sum->both += is[i] > 1 && should[i] > 1;
    }
  g_assert_true (vg_contour_metrics (found, truth, 1, &metrics, NULL, NULL));
  sum->f1 += metrics.f1 / (LAST - FIRST + 1);
  sum->aji += metrics.aji / (LAST - FIRST + 1);
  sum->matched += metrics.matched;
  sum->nuclei += scene->masks->len;
}

static void
run_scene (const Tissue *tissue, guint32 seed, double low, double high, gboolean clicks,
           Sum *contours, Sum *watershed)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgContourTruth) truth = NULL;
  g_autoptr (GPtrArray) found = NULL, cut = NULL;
  g_autofree gint32 *areas = NULL;
  VgTable *points = NULL;
  g_autoptr (VgImage) image = NULL;
  VgContourRun *run;
  Scene scene;

  image = compose (tissue, seed, low, high, &scene);
  truth = vg_contour_truth_new (g_ptr_array_ref (scene.masks), 0, scene.side, scene.side, NULL);
  g_assert_nonnull (truth);
  params.force = VG_CONTOUR_FORCE_LEARNED;
  params.smallest = 0.05f;
  if (clicks)
    {
      points = vg_table_new ((int) scene.masks->len, 2);
      for (guint i = 0; i < scene.masks->len; i++)
        {
          VgContourPoint centre = vg_contour_mask_centroid (vg_contour_mask_at (scene.masks, i));

          points->values[2 * i] = centre.x;
          points->values[2 * i + 1] = centre.y;
        }
      params.seeding = VG_CONTOUR_SEEDS_GIVEN;
      params.added = points;
    }
  run = vg_contour_run_new (&(VgContext){ .params = &params, .info = &image->info, .image = image },
                            NULL);
  g_assert_nonnull (run);
  g_assert_true (contour_run_to_end (run));
  found = vg_contour_masks_of_scene (run->scene);
  add_score (contours, &scene, found, truth);
  areas = vg_contour_watershed (
      run->foreground, (const VgContourPoint *) (const void *) run->wanted->data, run->wanted->len);
  cut = vg_contour_masks_of_labels (areas, scene.side, scene.side, NULL);
  add_score (watershed, &scene, cut, truth);
  vg_contour_run_free (run);
  g_ptr_array_unref (scene.masks);
  g_free (scene.density);
  vg_table_free (points);
}

/* What is to be reached, of pairs whose common part is LOW to HIGH of the smaller nucleus. */
typedef struct
{
  const char *name;
  double low, high;
  gboolean clicks;
  double precision, recall, f1;
} Bar;

static void
test_bar (gconstpointer data)
{
  const Bar *bar = data;
  Sum contours = { 0 }, watershed = { 0 };

  for (int i = FIRST; i <= LAST; i++)
    {
      Tissue *tissue = load_tissue (i);

      if (tissue == NULL)
        return;
      g_test_message ("dsb%02d: %u nuclei stand alone", i, tissue->cuts->len);
      g_assert_cmpuint (tissue->cuts->len, >=, 2);
      run_scene (tissue, (guint32) i, bar->low, bar->high, bar->clicks, &contours, &watershed);
      tissue_free (tissue);
    }
  g_test_message ("%s: area covered twice: precision %.3f, recall %.3f; %.0f of %.0f nuclei, F1 "
                  "%.3f, AJI %.3f (watershed: recall %.3f, %.0f nuclei, F1 %.3f, AJI %.3f)",
                  bar->name, contours.both / contours.found, contours.both / contours.true,
                  contours.matched, contours.nuclei, contours.f1, contours.aji,
                  watershed.both / watershed.true, watershed.matched, watershed.f1, watershed.aji);
  g_assert_cmpfloat (watershed.found, ==, 0.0);
  g_assert_cmpfloat (contours.both / contours.found, >=, bar->precision);
  g_assert_cmpfloat (contours.both / contours.true, >=, bar->recall);
  g_assert_cmpfloat (contours.f1, >=, bar->f1);
  g_assert_cmpfloat (contours.f1, >, watershed.f1);
}

int
main (int argc, char **argv)
{
  static const Bar bars[] = {
    { "automatic", 0.1, 0.4, FALSE, 0.6, 0.22, 0.87 },
    { "a click in each nucleus", 0.1, 0.4, TRUE, 0.43, 0.2, 0.89 },
  };

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/data/overlap/automatic", &bars[0], test_bar);
  g_test_add_data_func ("/data/overlap/clicks", &bars[1], test_bar);
  return g_test_run ();
}
