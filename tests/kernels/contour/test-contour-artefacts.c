/* SPDX-License-Identifier: MIT */
/* The mask of tissue and artefacts: how much of pen ink, folds and keratin it finds in pictures in
 * which their places are known exactly, and how much else; that it finds none in clean tissue; and
 * what it does to the nuclei. */
#include "tests/kernels/contour/support/contour-stained.h"
#include "kernels/contour/model/contour-artefacts.h"
#include "kernels/contour/synthetic/contour-synthetic.h"
#include "tests/support/data-file.h"
#include "io/source/vg-source.h"

enum { SIDE = 800, PICTURES = 2 };
#define PHANTOM_RADIUS 8.5f
#define SLIDE_RADIUS 7.0f

typedef enum { GREEN_INK, BLUE_INK, BLACK_INK, FOLD_2, FOLD_3, KERATIN, KINDS } Kind;

static const char *const names[] = { "green ink",        "blue ink",         "black ink",
                                     "fold of 2 layers", "fold of 3 layers", "keratin" };

/* Natural optical densities in red, green and blue.  Inks are those of felt pens on glass; keratin
 * is as dense as in the recorded slide. */
static const double inks[][3] = { { 1.9, 0.75, 1.1 }, { 2.0, 1.5, 0.45 }, { 2.2, 2.1, 2.0 } },
                    keratin[3] = { 1.17, 2.0, 1.19 };

static VgImage *
phantom (guint64 seed)
{
  VgSyntheticSize size = { SIDE, SIDE, 1, seed, VG_CONTOUR_SAMPLE_TISSUE };
  VgImageInfo info;
  gpointer source = vg_contour_synthetic.open (NULL, &size, &info, NULL);
  VgImage *image = vg_image_new (&info, "tissue", NULL);

  g_assert_true (vg_contour_synthetic.read (source, 0, image->data, NULL));
  vg_contour_synthetic.close (source);
  return image;
}

/* A part of the slide in tests/data, or NULL. */
static VgImage *
slide (int x, int y)
{
  g_autofree char *path = data_file ("contour", "CMU-1-Small-Region.svs");
  VgImageInfo info = vg_image_info_grey (VG_U8, SIDE, SIDE);
  VgSource *source = path != NULL
                         ? vg_source_open (path, &(VgSourceOptions){ .colour = TRUE }, NULL)
                         : NULL;
  VgImage *image;

  info.channels = 3;
  if (source == NULL)
    return NULL;
  image = vg_image_new (&info, "slide", NULL);
  g_assert_true (vg_source_read_region (source, 0, x, y, SIDE, SIDE, image->data, NULL));
  vg_source_close (source);
  return image;
}

/* ---- Made artefacts ---- */

static double
density_of (const VgImage *image, int x, int y, int c)
{
  static double densities[256];

  if (densities[0] == 0.0)
    for (int i = 0; i < 256; i++)
      densities[i] = -log ((i + 1.0) / 256.0);
  return densities[((const guint8 *) image->data)[3 * (y * SIDE + x) + c]];
}

/* A wavy band through the picture; *ACROSS: the distance from its middle, *ALONG: along it. */
typedef struct
{
  double x, y, cosine, sine, width, wave;
} Band;

static Band
new_band (GRand *rand, double radius, double least, double most)
{
  double angle = G_PI * g_rand_double (rand),
         width = radius * g_rand_double_range (rand, least, most);

  return (Band){ SIDE * g_rand_double_range (rand, 0.3, 0.7),
                 SIDE * g_rand_double_range (rand, 0.3, 0.7),
                 cos (angle),
                 sin (angle),
                 width,
                 0.4 * width };
}

static gboolean
is_in (const Band *band, int x, int y, double *across, double *along)
{
  double dx = x + 0.5 - band->x, dy = y + 0.5 - band->y;

  *along = band->cosine * dx + band->sine * dy;
  *across = band->cosine * dy - band->sine * dx + band->wave * sin (*along / (4.0 * band->width));
  return fabs (*across) < 0.5 * band->width;
}

/* A place whose tissue lies on top of that at (X, Y). */
static double
folded (const VgImage *image, int x, int y, int c, int layers, int shift)
{
  double sum = density_of (image, x, y, c);

  for (int k = 1; k < layers; k++)
    sum += density_of (image, (x + k * shift) % SIDE,
                       k % 2 ? (SIDE - 1 - y + shift) % SIDE : (y + 3 * shift) % SIDE, c);
  return sum;
}

/* IMAGE with an artefact; MASK is 1 inside it. */
static VgImage *
spoil (const VgImage *image, Kind kind, double radius, guint seed, guint8 *mask)
{
  GRand *rand = g_rand_new_with_seed (seed);
  Band band = kind <= BLACK_INK ? new_band (rand, radius, 8.0, 20.0)
              : kind < KERATIN  ? new_band (rand, radius, 6.0, 14.0)
                                : new_band (rand, radius, 6.0, 16.0);
  double strength = kind <= BLACK_INK ? g_rand_double_range (rand, 0.6, 1.2)
                                      : g_rand_double_range (rand, 0.85, 1.15);
  VgImage *spoilt = vg_image_new (&image->info, "spoilt", NULL);
  guint8 *out = spoilt->data;

  memcpy (out, image->data, 3 * SIDE * SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      int x = i % SIDE, y = i / SIDE;
      double across, along, noise;

      mask[i] = is_in (&band, x, y, &across, &along);
      noise = mask[i] ? contour_normal (rand) : 0.0;
      for (int c = 0; c < 3 && mask[i]; c++)
        {
          double density = density_of (image, x, y, c);

          if (kind <= BLACK_INK)
            density += inks[kind][c] * strength * CLAMP (1.0 + 0.2 * noise, 0.4, 1.6);
          else if (kind < KERATIN)
            density = folded (image, x, y, c, kind == FOLD_2 ? 2 : 3, (int) (6.0 * radius));
          else
            density = keratin[c] * strength *
                      (1.0 + 0.2 * sin (4.0 * across / radius + sin (along / (3.0 * radius))) +
                       0.08 * noise);
          out[3 * i + c] = (guint8) CLAMP (256.0 * exp (-density) - 0.5, 0.0, 255.0);
        }
    }
  g_rand_free (rand);
  return spoilt;
}

/* ---- Sensitivity and specificity ---- */

static VgContourArtefacts *
find (const VgImage *image, float radius)
{
  VgContourScale scale = { .full = 255.0 };

  return vg_contour_artefacts_new (image, radius, 0, 0, &scale);
}

/* Adds the pixels of IMAGE inside and outside MASK, and those of each that count as an artefact. */
static void
compare (const VgImage *image, float radius, const guint8 *mask, double pixels[2], double found[2])
{
  g_autoptr (VgContourArtefacts) artefacts = find (image, radius);

  for (int i = 0; i < SIDE * SIDE; i++)
    {
      pixels[mask[i]]++;
      found[mask[i]] += vg_contour_artefacts_at (artefacts, i % SIDE, i / SIDE) >= VG_CONTOUR_INK;
    }
}

/* What the mean over pictures is to reach. */
typedef struct
{
  double sensitivity, specificity;
} Bar;

static void
measure (const char *what, VgImage *const *images, guint n, float radius, const Bar *bars)
{
  g_autofree guint8 *mask = g_malloc (SIDE * SIDE);

  for (int kind = 0; kind < KINDS; kind++)
    {
      double pixels[2] = { 0.0, 0.0 }, found[2] = { 0.0, 0.0 };

      for (guint k = 0; k < n * PICTURES; k++)
        {
          g_autoptr (VgImage) image = spoil (images[k % n], kind, radius, 100 + k, mask);

          compare (image, radius, mask, pixels, found);
        }
      g_test_message ("%s, %s: sensitivity %.3f, specificity %.4f", what, names[kind],
                      found[1] / pixels[1], 1.0 - found[0] / pixels[0]);
      g_assert_cmpfloat (found[1] / pixels[1], >=, bars[kind].sensitivity);
      g_assert_cmpfloat (1.0 - found[0] / pixels[0], >=, bars[kind].specificity);
    }
}

static void
test_phantom (void)
{
  static const Bar bars[KINDS] = { { 0.98, 0.99 }, { 0.97, 0.99 }, { 0.97, 0.99 },
                                   { 0.1, 0.999 }, { 0.8, 0.99 },  { 0.97, 0.98 } };
  g_autoptr (VgImage) a = phantom (1), b = phantom (2);

  measure ("phantom", (VgImage *[]){ a, b }, 2, PHANTOM_RADIUS, bars);
}

/* Two parts of the recorded slide, with what they have of keratin. */
static void
test_recorded (void)
{
  static const Bar bars[KINDS] = { { 0.98, 0.98 }, { 0.74, 0.985 }, { 0.74, 0.985 },
                                   { 0.25, 0.99 }, { 0.8, 0.985 },  { 0.75, 0.99 } };
  g_autoptr (VgImage) a = slide (600, 2100), b = slide (1150, 2100);

  if (a != NULL)
    measure ("recorded", (VgImage *[]){ a, b }, 2, SLIDE_RADIUS, bars);
}

/* ---- Clean tissue ---- */

/* Crops for scores, with about the radius that is measured in each; the last four may be missing.
 */
static void
test_clean (void)
{
  static const struct
  {
    const char *name;
    float radius;
  } crops[] = { { "dsb01", 22 }, { "dsb02", 26 }, { "dsb03", 8 },   { "dsb04", 27 },
                { "dsb05", 13 }, { "dsb06", 12 }, { "monu01", 10 }, { "monu02", 12 },
                { "monu03", 9 }, { "monu04", 13 } };

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++)
    {
      g_autofree char *file = g_strconcat (crops[i].name, ".tif", NULL),
                      *path = data_file_find ("contour", file);
      g_autoptr (VgImage) image = NULL;

      if (path == NULL)
        continue;
      image = vg_image_load (path, VG_FILE_IMAGE, &(VgSourceOptions){ .colour = TRUE }, NULL);
      for (float part = 0.8f; part < 1.3f; part += 0.2f)
        {
          g_autoptr (VgContourArtefacts) artefacts = find (image, part * crops[i].radius);
          gint64 pixels[VG_CONTOUR_MATTERS] = { 0 };

          g_assert_nonnull (artefacts->matters);
          vg_contour_artefacts_count (artefacts, 0, 0, image->info.width, image->info.height,
                                      pixels);
          g_test_message ("%s: %.3f of the pixels are tissue", crops[i].name,
                          (double) pixels[VG_CONTOUR_TISSUE] /
                              ((double) image->info.width * image->info.height));
          g_assert_cmpint (pixels[VG_CONTOUR_INK], ==, 0);
          g_assert_cmpint (pixels[VG_CONTOUR_DENSE], ==, 0);
        }
    }
}

/* Inside a tile, cells are those of the whole image. */
static void
test_tile (void)
{
  enum { X = 231, Y = 177, TILE = 500, MARGIN = 60 };
  g_autofree guint8 *mask = g_malloc (SIDE * SIDE);
  g_autoptr (VgImage) clean = phantom (4), image = spoil (clean, GREEN_INK, 8.5, 5, mask),
                      tile = NULL;
  VgImageInfo info = image->info;
  VgContourScale scale = { .full = 255.0 };
  g_autoptr (VgContourArtefacts) whole = vg_contour_artefacts_new (image, 8.5f, 0, 0, &scale),
                                 part = NULL;
  int ink = 0;

  info.width = info.height = TILE;
  tile = vg_image_new (&info, "tile", NULL);
  for (int y = 0; y < TILE; y++)
    memcpy ((guint8 *) tile->data + 3 * y * TILE,
            (const guint8 *) image->data + 3 * ((y + Y) * SIDE + X), 3 * TILE);
  part = vg_contour_artefacts_new (tile, 8.5f, X, Y, &scale);
  for (int y = MARGIN; y < TILE - MARGIN; y++)
    for (int x = MARGIN; x < TILE - MARGIN; x++)
      {
        VgContourMatter matter = vg_contour_artefacts_at (part, x, y);

        g_assert_cmpint (matter, ==, vg_contour_artefacts_at (whole, x + X, y + Y));
        ink += matter == VG_CONTOUR_INK;
      }
  g_assert_cmpint (ink, >, 1000);
}

/* ---- Nuclei ---- */

static double
value_of (VgContourRun *run, const char *id)
{
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  const VgMetric *metric;

  g_assert_true (vg_contour_run_results (run, metrics, NULL));
  metric = vg_metrics_find (metrics, id);
  return metric != NULL ? metric->value : NAN;
}

/* The objects with more than half of their pixels in ink; *FIRST: one of them. */
static guint
count_spoilt (const VgContourRun *run, const VgContourObject **first)
{
  guint n = 0;

  for (guint i = 0; i < run->scene->objects->len; i++)
    {
      const VgContourObject *object = vg_contour_scene_object (run->scene, i);
      int inside = 0, ink = 0;

      for (int k = 0; k < object->tile.width * object->tile.height; k++)
        if (object->phi[k] > 0.0f)
          {
            inside++;
            ink += vg_contour_artefacts_at (run->artefacts, object->tile.x + k % object->tile.width,
                                            object->tile.y + k / object->tile.width) ==
                   VG_CONTOUR_INK;
          }
      if (2 * ink <= inside)
        continue;
      *first = object;
      n++;
    }
  return n;
}

/* The switch moves no contour, and a seed added by hand stays. */
static void
test_nuclei (void)
{
  g_autofree guint8 *mask = g_malloc (SIDE * SIDE);
  g_autoptr (VgImage) clean = phantom (6), image = spoil (clean, GREEN_INK, 8.5, 7, mask);
  VgTable *added = vg_table_new (1, 2);
  VgContourParams params = contour_params ();
  const VgContourObject *first = NULL;
  VgContourRun *run;
  guint64 iterations;
  guint all, kept;

  params.radius_px = 8.5f;
  g_assert_true (params.artefacts);
  run = contour_finish (image, &params);
  iterations = run->scene->iteration;
  kept = run->scene->objects->len;
  g_assert_cmpuint (kept, >, 100);
  g_assert_cmpuint (count_spoilt (run, &first), ==, 0);
  g_assert_cmpfloat (value_of (run, "spoilt"), >, 10);
  params.artefacts = FALSE;
  g_assert_true (vg_contour_run_update (run, &params));
  g_assert_true (run->standing.finished);
  g_assert_cmpuint (run->scene->iteration, ==, iterations);
  all = run->scene->objects->len;
  g_assert_cmpuint (count_spoilt (run, &first), ==, all - kept);
  g_assert_cmpuint (all, >, kept + 10);
  g_assert_cmpfloat (value_of (run, "spoilt"), ==, 0);
  added->values[0] = first->seed_x;
  added->values[1] = first->seed_y;
  params.artefacts = TRUE;
  g_assert_true (vg_contour_run_update (run, &params));
  g_assert_cmpuint (run->scene->objects->len, ==, kept);
  params.added = added;
  g_assert_true (vg_contour_run_update (run, &params));
  contour_run_to_end (run);
  g_assert_cmpuint (count_spoilt (run, &first), ==, 1);
  g_assert_true (first->seed_x == added->values[0] && first->seed_y == added->values[1]);
  vg_table_free (added);
  vg_contour_run_free (run);
}

/* The map has the numbers of the matters, and the areas are those of the map. */
static void
test_map (void)
{
  static const char *const areas[] = { NULL, "tissue_area", "ink_area", "dense_area" };
  VgContourParams params = contour_params ();
  g_autofree guint8 *mask = g_malloc (SIDE * SIDE);
  g_autoptr (VgImage) clean = phantom (8), image = spoil (clean, BLACK_INK, 8.5, 9, mask),
                      grey = contour_stained (1, 3);
  double pixels[VG_CONTOUR_MATTERS] = { 0 };
  VgContourRun *run;
  VgPlane plane;

  params.radius_px = 8.5f;
  run = contour_finish (image, &params);
  g_assert_true (vg_contour_run_plane (run, VG_CONTOUR_OUTPUT_ARTEFACTS, &plane, NULL));
  g_assert_cmpint (plane.width, ==, SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    {
      int matter = (int) ((const float *) plane.data)[i];

      g_assert_true (matter >= 0 && matter < VG_CONTOUR_MATTERS);
      pixels[matter]++;
    }
  g_assert_cmpfloat (pixels[VG_CONTOUR_TISSUE], >, pixels[VG_CONTOUR_INK]);
  g_assert_cmpfloat (pixels[VG_CONTOUR_INK], >, 10000);
  for (int m = VG_CONTOUR_TISSUE; m < VG_CONTOUR_MATTERS; m++)
    g_assert_cmpfloat (value_of (run, areas[m]), ==, pixels[m]);
  g_assert_cmpfloat (fabs (value_of (run, "tissue_area_mm2") / (pixels[1] * 0.25e-6) - 1.0), <,
                     1e-9);
  /* per area of tissue, not of glass and ink */
  g_assert_cmpuint (run->scene->objects->len, >, 0);
  g_assert_cmpfloat_with_epsilon (value_of (run, "nuclei_per_tissue_mm2") * pixels[1] * 0.25e-6,
                                  run->scene->objects->len, 1e-6);
  g_assert_cmpfloat_with_epsilon (value_of (run, "nuclei_per_tissue_mm2_error") * pixels[1] *
                                      0.25e-6,
                                  sqrt (run->scene->objects->len), 1e-6);
  vg_contour_run_free (run);
  run = contour_finish (grey, &params);
  g_assert_false (vg_contour_run_plane (run, VG_CONTOUR_OUTPUT_ARTEFACTS, &plane, NULL));
  g_assert_cmpfloat (value_of (run, "ink_area"), ==, 0);
  vg_contour_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/artefacts/phantom", test_phantom);
  g_test_add_func ("/contour/artefacts/recorded", test_recorded);
  g_test_add_func ("/contour/artefacts/clean", test_clean);
  g_test_add_func ("/contour/artefacts/tile", test_tile);
  g_test_add_func ("/contour/artefacts/nuclei", test_nuclei);
  g_test_add_func ("/contour/artefacts/map", test_map);
  return g_test_run ();
}
