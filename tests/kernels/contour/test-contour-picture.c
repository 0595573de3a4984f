/* SPDX-License-Identifier: MIT */
/* What is told of a stained picture with one nucleus, its channels and radii, and how far the work
 * has come. */
#include "kernels/contour/engine/contour-nucleus.h"
#include "kernels/contour/model/contour-grey.h"
#include "kernels/contour/shapes/contour-outline.h"
#include "tests/kernels/contour/support/contour-stained.h"

/* Of the watershed to compare with: a seed at a nucleus's edge cuts no hole into it, and the other
 * keeps its number. */
static void
test_watershed (void)
{
  static const double seeds[] = { 47, 41, 47, 50 };
  g_autoptr (VgImage) image = contour_stained (3, 14);
  VgContourParams params = contour_params ();
  VgTable *table = vg_table_new (2, 2);
  guint holes = 0, inside = 0;
  VgContourRun *run;
  VgPlane plane;

  memcpy (table->values, seeds, sizeof seeds);
  params.seeding = VG_CONTOUR_SEEDS_GIVEN;
  params.radius_px = 12.0f;
  params.added = table;
  run = contour_finish (image, &params);
  g_assert_cmpuint (run->wanted->len, ==, 2);
  g_assert_true (vg_contour_run_plane (run, VG_CONTOUR_OUTPUT_WATERSHED, &plane, NULL));
  for (int i = 0; i < CONTOUR_SIDE * CONTOUR_SIDE; i++)
    {
      inside += ((const float *) plane.data)[i] == 2.0f;
      holes += run->foreground->mask[i] && ((const float *) plane.data)[i] == 0.0f;
    }
  g_test_message ("%u inside, %u in holes", inside, holes);
  g_assert_cmpuint (holes, ==, 0);
  g_assert_cmpuint (inside, >, 400);
  vg_contour_run_free (run);
  vg_table_free (table);
}

/* The mean density of a nucleus is that of its pixels, however they are stretched for the
 * evolution. */
static void
test_density (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 13), grey = contour_stained (1, 13);
  VgImage *const images[] = { image, grey };

  for (int k = 0; k < 2; k++)
    {
      VgContourParams params = contour_params ();
      g_autofree char *text = NULL;
      VgContourRun *run;

      params.seeding = VG_CONTOUR_SEEDS_AUTOMATIC;
      params.radius_px = 12.0f;
      run = contour_finish (images[k], &params);
      text = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_OBJECTS, NULL, NULL);
      g_assert_cmpint (strstr (text, ",mean_od,") != NULL, ==, k == 0);
      if (k == 0)
        {
          g_auto (GStrv) lines = g_strsplit (text, "\n", 3), names = g_strsplit (lines[0], ",", -1),
                         cells = g_strsplit (lines[1], ",", -1);
          const VgContourObject *object = vg_contour_scene_object (run->scene, 0);
          double sum = 0.0, n = 0.0;
          guint column = 0;

          for (int i = 0; i < CONTOUR_SIDE * CONTOUR_SIDE; i++)
            if (contour_has (object, i % CONTOUR_SIDE, i / CONTOUR_SIDE))
              {
                const guint8 *rgb = (const guint8 *) image->data + 3 * (gsize) i;
                double od[3];

                for (int c = 0; c < 3; c++)
                  od[c] = -log10 ((rgb[c] + 1.0) / 256.0);
                sum += (run->scale.row[0] * od[0] + run->scale.row[1] * od[1] +
                        run->scale.row[2] * od[2]);
                n++;
              }
          while (!g_str_equal (names[column], "mean_od"))
            column++;
          g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[column], NULL), sum / n, 2e-4);
        }
      vg_contour_run_free (run);
    }
}

/* Every radius down to the least one there is. */
static void
test_radii (void)
{
  static const float radii[] = { 1e-30f, 0.01f, 0.3f, 0.56f, 1.0f, VG_CONTOUR_MAX_RADIUS };
  g_autoptr (VgImage) image = contour_stained (3, 6);
  VgContourParams params = contour_params ();

  params.iterations = 10;
  for (guint k = 0; k < G_N_ELEMENTS (radii); k++)
    {
      gsize host, device;

      params.radius_px = radii[k];
      vg_contour_memory (&params, &image->info, &host, &device);
      g_assert_cmpuint (host, >, CONTOUR_SIDE * CONTOUR_SIDE);
      vg_contour_run_free (contour_finish (image, &params));
    }
}

/* Alpha is no stain: the same plane and contour as without. */
static void
test_alpha (void)
{
  g_autoptr (VgImage) plain = contour_stained (3, 4), alpha = contour_stained (4, 4);
  static const int stains[] = { VG_CONTOUR_HAEMATOXYLIN, VG_CONTOUR_MACENKO_1, VG_CONTOUR_RED,
                                VG_CONTOUR_GREY };
  VgContourParams params = contour_params ();
  VgContourRun *run;

  for (guint k = 0; k < G_N_ELEMENTS (stains); k++)
    {
      g_autofree float *a = NULL, *b = NULL;

      params.stain = stains[k];
      a = vg_contour_grey (plain, &params, NULL, NULL);
      b = vg_contour_grey (alpha, &params, NULL, NULL);
      g_assert_cmpmem (a, CONTOUR_SIDE * CONTOUR_SIDE * sizeof *a, b,
                       CONTOUR_SIDE * CONTOUR_SIDE * sizeof *b);
    }
  params.stain = VG_CONTOUR_HAEMATOXYLIN;
  run = contour_finish (alpha, &params);
  contour_check_nucleus (run);
  vg_contour_run_free (run);
}

/* What is done counts as done, also when a setting lets the contours go on for longer. */
static void
test_progress (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 5);
  VgContourParams params = contour_params ();
  VgContourRun *run;

  params.iterations = 1000;
  params.tolerance_px = 0.0f;
  run = vg_contour_run_new (&(VgContext){ .params = &params, .info = &image->info, .image = image },
                            NULL);
  g_assert_cmpfloat (vg_contour_run_progress (run), ==, 0.0);
  vg_contour_scene_iterate (run->scene, 20);
  vg_contour_run_end_step (run, NULL);
  g_assert_cmpfloat_with_epsilon (vg_contour_run_progress (run), 0.02, 1e-9);
  params.curvature *= 2.0f;
  g_assert_true (vg_contour_run_update (run, &params));
  g_assert_cmpfloat_with_epsilon (vg_contour_run_progress (run), 20.0 / 1020.0, 1e-9);
  contour_run_to_end (run);
  g_assert_cmpfloat (vg_contour_run_progress (run), ==, 1.0);
  params.curvature *= 2.0f;
  g_assert_true (vg_contour_run_update (run, &params));
  g_assert_cmpfloat (vg_contour_run_progress (run), ==, 0.0);
  vg_contour_run_free (run);
}

/* A grey picture of SIDE: ellipses in rows and columns, GREY inside, and what is about them. */
enum { GREY_SIDE = 240 };
static VgImage *
grid_of (VgType type, int channels, double apart, double nucleus, double about)
{
  const VgImageInfo info = { .width = GREY_SIDE,
                             .height = GREY_SIDE,
                             .channels = channels,
                             .frames = 1,
                             .slices = 1,
                             .bins = 1,
                             .type = type };
  VgImage *image = vg_image_new (&info, "grid", NULL);
  GRand *rand = g_rand_new_with_seed (5);

  for (int i = 0; i < GREY_SIDE * GREY_SIDE; i++)
    {
      double dx = fmod (i % GREY_SIDE, apart) - apart / 2.0,
             dy = fmod (i / GREY_SIDE, apart) - apart / 2.0;
      double value = (hypot (dx, dy * 1.1) < 11.0 ? nucleus : about) + 0.02 * contour_normal (rand);

      for (int c = 0; c < channels; c++)
        {
          int sample = (int) CLAMP (255.0 * (c == 0 ? value : 0.5 + 0.5 * value), 0.0, 255.0);

          if (type == VG_U8)
            ((guint8 *) image->data)[i * channels + c] = (guint8) sample;
          else
            ((guint16 *) image->data)[i * channels + c] = (guint16) (257 * sample);
        }
    }
  g_rand_free (rand);
  return image;
}

/* Nuclei that take two thirds of a picture still are what is dark in transmitted light; apart, also
 * what is bright in fluorescence. */
static void
test_polarity (void)
{
  static const double apart[] = { 24, 28, 40, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (apart); i++)
    for (int dark = i < 2; dark < 2; dark++)
      {
        g_autoptr (VgImage) image = dark ? grid_of (VG_U8, 1, apart[i], 0.45, 0.8)
                                         : grid_of (VG_U8, 1, apart[i], 0.7, 0.05);
        VgContourParams params = contour_params ();
        VgContourScale scale = { .known = FALSE };
        g_autofree float *plane = NULL;

        params.stain = VG_CONTOUR_GREY;
        plane = vg_contour_grey (image, &params, &scale, NULL);
        g_test_message ("%g apart, %s: told %s%s", apart[i], dark ? "dark" : "bright",
                        scale.dark ? "dark" : "bright", scale.doubtful ? ", in doubt" : "");
        g_assert_cmpint (scale.dark, ==, dark);
      }
}

/* The same picture in 16 bits is the same to the last bit, as a stain and as a channel. */
static void
test_bits (void)
{
  static const int channels[] = { VG_CONTOUR_HAEMATOXYLIN, VG_CONTOUR_EOSIN, VG_CONTOUR_RED,
                                  VG_CONTOUR_GREY };

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    {
      g_autoptr (VgImage) few = grid_of (VG_U8, 3, 40, 0.3, 0.8),
                          many = grid_of (VG_U16, 3, 40, 0.3, 0.8);
      VgContourParams params = contour_params ();
      g_autofree float *a = NULL, *b = NULL;

      params.stain = channels[i];
      a = vg_contour_grey (few, &params, NULL, NULL);
      b = vg_contour_grey (many, &params, NULL, NULL);
      g_assert_cmpmem (a, sizeof *a * GREY_SIDE * GREY_SIDE, b, sizeof *b * GREY_SIDE * GREY_SIDE);
    }
}

/* GeoJSON: a name for each nucleus, the same in each export, and no more corners than a quarter of
 * a pixel needs. */
static void
test_outline (void)
{
  g_autoptr (VgImage) image = contour_stained (3, 13);
  VgContourParams params = contour_params ();
  VgContourPoint ring[200];
  gboolean kept[200];
  g_autofree char *first = NULL, *again = NULL, *uuid = NULL;
  const char *id;
  guint n = 0, corners = 0;
  VgContourRun *run;

  for (int i = 0; i < 200; i++)
    ring[i] = (VgContourPoint){ 50.0 + 20.0 * cos (i * G_PI / 100.0),
                                50.0 + 14.0 * sin (i * G_PI / 100.0) };
  vg_contour_simplify (ring, 200, 0.25, kept);
  for (int i = 0, last = 0; i <= 200; i++)
    if (kept[i % 200])
      {
        const VgContourPoint *a = &ring[last], *b = &ring[i % 200];
        double length = hypot (b->x - a->x, b->y - a->y);

        for (int k = last; k < i; k++)
          g_assert_cmpfloat (length > 0.0 ? fabs ((ring[k].x - a->x) * (b->y - a->y) -
                                                  (ring[k].y - a->y) * (b->x - a->x)) /
                                                length
                                          : 0.0,
                             <=, 0.25 + 1e-9);
        last = i;
        n++;
      }
  g_assert_cmpuint (n, >, 8);
  g_assert_cmpuint (n, <, 40);
  params.radius_px = 12.0f;
  run = contour_finish (image, &params);
  first = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_CONTOURS, NULL, NULL);
  again = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_CONTOURS, NULL, NULL);
  g_assert_cmpstr (first, ==, again);
  id = strstr (first, "\"id\": \"");
  g_assert_nonnull (id);
  uuid = g_strndup (id + 7, 36);
  g_assert_true (g_uuid_string_is_valid (uuid));
  for (const char *at = first; (at = strstr (at, "], [")) != NULL; at++)
    corners++;
  g_test_message ("%u corners", corners);
  g_assert_cmpuint (corners, <, 40);
  vg_contour_run_free (run);
}

/* The cell in column K of the first row of TABLE. */
static double
cell_of (const char *table, int k)
{
  const char *at = strchr (table, '\n') + 1;

  while (k-- > 0)
    at = strchr (at, ',') + 1;
  return g_ascii_strtod (at, NULL);
}

/* A map of a measure has the value of the table at all pixels of a nucleus, and NaN elsewhere; maps
 * of other measures share its memory. */
static void
test_measures (void)
{
  static const struct
  {
    guint output;
    int column;
  } measures[] = { { VG_CONTOUR_OUTPUT_AREA, 5 },        { VG_CONTOUR_OUTPUT_LONG_AXIS, 7 },
                   { VG_CONTOUR_OUTPUT_AREA, 5 },        { VG_CONTOUR_OUTPUT_ECCENTRICITY, 9 },
                   { VG_CONTOUR_OUTPUT_MEAN_STAIN, 11 }, { VG_CONTOUR_OUTPUT_MEAN_OD, 12 },
                   { VG_CONTOUR_OUTPUT_DOUBT, 14 } };
  g_autoptr (VgImage) image = contour_stained (3, 13);
  const int n = image->info.width * image->info.height;
  VgContourParams params = contour_params ();
  g_autofree char *table = NULL, *again = NULL;
  g_autofree float *labels = NULL;
  const GPtrArray *nuclei;
  VgContourRun *run;
  VgPlane plane;

  params.radius_px = 12.0f;
  run = contour_finish (image, &params);
  nuclei = vg_contour_run_nuclei (run, NULL);
  table = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_OBJECTS, NULL, NULL);
  g_test_message ("%s", table);
  g_assert_true (vg_contour_run_plane (run, VG_CONTOUR_OUTPUT_LABELS, &plane, NULL));
  labels = g_memdup2 (plane.data, sizeof (float) * (gsize) n);
  for (guint k = 0; k < G_N_ELEMENTS (measures); k++)
    {
      guint inside = 0;

      g_assert_true (vg_contour_run_plane (run, measures[k].output, &plane, NULL));
      for (int i = 0; i < n; i++)
        {
          g_assert_true ((labels[i] > 0.0f) == !isnan (plane.data[i]));
          if (labels[i] == (float) cell_of (table, 0))
            {
              g_assert_cmpfloat_with_epsilon (plane.data[i], cell_of (table, measures[k].column),
                                              1e-3 * fabs ((double) plane.data[i]) + 1e-4);
              inside++;
            }
        }
      g_assert_cmpuint (inside, >, 100);
    }
  g_assert_false (vg_contour_run_plane (run, VG_CONTOUR_OUTPUT_DAB, &plane, NULL));
  /* they are measured once, until the contours change */
  g_free (vg_contour_run_text (run, VG_CONTOUR_OUTPUT_CONTOURS, NULL, NULL));
  again = vg_contour_run_text (run, VG_CONTOUR_OUTPUT_OBJECTS, NULL, NULL);
  g_assert_cmpstr (again, ==, table);
  g_assert_true (vg_contour_run_nuclei (run, NULL) == nuclei);
  g_assert_cmpuint (nuclei->len, ==, run->scene->objects->len);
  params.contrast = 0.9f;
  g_assert_true (vg_contour_run_update (run, &params));
  nuclei = vg_contour_run_nuclei (run, NULL);
  g_assert_cmpuint (nuclei->len, ==, run->scene->objects->len);
  vg_contour_run_free (run);
}

/* A smear: nine pale cells of radius 48 with a dark nucleus of radius 9.  A threshold finds the
 * cells. */
static VgImage *
smear (void)
{
  const VgImageInfo info = vg_image_info_grey (VG_U8, 384, 384);
  VgImage *image = vg_image_new (&info, "smear", NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  guint8 *samples = image->data;

  for (int y = 0; y < info.height; y++)
    for (int x = 0; x < info.width; x++)
      {
        double cell = hypot (x % 128 - 64.0, y % 128 - 64.0),
               nucleus = hypot (x % 128 - 70.0, 1.15 * (y % 128 - 60.0));

        samples[y * info.width + x] = (guint8) (232.0 - 42.0 * CLAMP (48.0 - cell, 0.0, 1.0) -
                                                95.0 * CLAMP (0.5 * (10.0 - nucleus), 0.0, 1.0) +
                                                g_rand_double_range (rand, -4.0, 4.0));
      }
  return image;
}

static void
test_smear (void)
{
  g_autoptr (VgImage) image = smear ();
  VgContourParams params = contour_params ();
  VgContourRun *run;

  params.force = VG_CONTOUR_FORCE_LEARNED;
  params.seeding = VG_CONTOUR_SEEDS_AUTOMATIC;
  params.radius_px = 0.0f;
  run = vg_contour_run_new (&(VgContext){ .params = &params, .info = &image->info, .image = image },
                            NULL);
  g_assert_nonnull (run);
  g_test_message ("radius %.1f px, %u seeds", (double) run->foreground->radius, run->base->len);
  g_assert_cmpfloat (run->foreground->radius, >, 7.0f);
  g_assert_cmpfloat (run->foreground->radius, <, 11.0f);
  g_assert_cmpuint (run->base->len, ==, 9);
  vg_contour_run_free (run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/picture/watershed", test_watershed);
  g_test_add_func ("/contour/picture/density", test_density);
  g_test_add_func ("/contour/picture/radii", test_radii);
  g_test_add_func ("/contour/picture/alpha", test_alpha);
  g_test_add_func ("/contour/picture/progress", test_progress);
  g_test_add_func ("/contour/picture/polarity", test_polarity);
  g_test_add_func ("/contour/picture/smear", test_smear);
  g_test_add_func ("/contour/picture/bits", test_bits);
  g_test_add_func ("/contour/picture/outline", test_outline);
  g_test_add_func ("/contour/picture/measures", test_measures);
  return g_test_run ();
}
