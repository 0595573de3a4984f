/* SPDX-License-Identifier: MIT */
#include "kernels/contour/synthetic/contour-synthetic.h"
#include "kernels/contour/synthetic/contour-tissue.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/model/contour-params.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-random.h"
#include <math.h>
#include <string.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* Phantoms: nuclei, some of which overlap, with the optical densities of haematoxylin and eosin and
 * with noise. */

#define RADIUS 10.0 /* of the lattice's nuclei */
#define TISSUE_RADIUS 8.5
#define PITCH 25.0       /* of the lattice */
#define NUCLEUS 0.9      /* optical density of one nucleus along its stain */
#define MOST_NUCLEI 1.3f /* on top of each other, of the density */
#define GROUND 0.12
#define NOISE 0.03
static const double haematoxylin[3] = { 0.65, 0.70, 0.29 }, eosin[3] = { 0.07, 0.99, 0.11 };

typedef struct
{
  int width, height;
  GArray *nuclei;          /* VgContourNucleus */
  VgContourTissue *tissue; /* NULL: a lattice */
  guint64 seed;
} Phantom;

static void
settings (const VgSyntheticSize *size, void *data)
{
  VgContourParams *params = data;

  params->radius_px = (float) (size->sample == VG_CONTOUR_SAMPLE_LATTICE ? RADIUS : TISSUE_RADIUS);
}

static void
phantom_close (gpointer data)
{
  Phantom *self = data;

  g_array_unref (self->nuclei);
  vg_contour_tissue_free (self->tissue);
  g_free (self);
}

/* One nucleus in most places of a grid; every fifth has a second beside it. */
static void
place_lattice (Phantom *self)
{
  guint64 key = self->seed * 1000003;

  for (double y = PITCH / 2; y < self->height; y += PITCH)
    for (double x = PITCH / 2; x < self->width; x += PITCH, key += 16)
      {
        double ratio = 1.1 + 0.5 * vg_random_uniform (key),
               size = RADIUS * (0.85 + 0.25 * vg_random_uniform (key + 1)),
               angle = G_PI * vg_random_uniform (key + 2);
        int n = vg_random_uniform (key + 3) < 0.15 ? 0 : vg_random_uniform (key + 3) < 0.8 ? 1 : 2;

        for (int k = 0; k < n; k++)
          {
            double turn = angle + k * 1.1, shift = n == 2 ? (k - 0.5) * 1.35 * size : 0.0,
                   way = angle + 1.3;
            VgContourNucleus nucleus = {
              x + 3.0 * (vg_random_uniform (key + 4) - 0.5) + shift * cos (way),
              y + 3.0 * (vg_random_uniform (key + 5) - 0.5) + shift * sin (way),
              size * sqrt (ratio),
              size / sqrt (ratio),
              cos (turn),
              sin (turn),
              0.0,
              1.0
            };

            g_array_append_val (self->nuclei, nucleus);
          }
      }
}

static gpointer
phantom_open (const void *params, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  Phantom *self;

  (void) params;
  if (size->width < 1 || size->height < 1 || size->width > 32768 || size->height > 32768)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the sample data cannot be %dx%d; choose 1 to 32768 pixels per side",
                   size->width, size->height);
      return NULL;
    }
  self = g_new0 (Phantom, 1);
  self->width = size->width;
  self->height = size->height;
  self->seed = size->seed;
  if (size->sample == VG_CONTOUR_SAMPLE_LATTICE)
    {
      self->nuclei = g_array_new (FALSE, FALSE, sizeof (VgContourNucleus));
      place_lattice (self);
    }
  else
    {
      self->tissue = vg_contour_tissue_new (self->width, self->height, self->seed);
      self->nuclei = g_array_ref (vg_contour_tissue_get_nuclei (self->tissue));
    }
  *info = vg_image_info_grey (VG_U8, size->width, size->height);
  info->channels = 3;
  info->significant_bits = 8;
  info->pixel_size[0] = info->pixel_size[1] = 0.5;
  g_strlcpy (info->pixel_unit, "\302\265m", sizeof info->pixel_unit);
  return self;
}

/* What nucleus I adds to the pixel with its centre at (X, Y). */
typedef float (*Amount) (const Phantom *self, guint i, double x, double y);

/* Counts nuclei: a pixel is inside a nucleus if its centre is. */
static float
count_of (const Phantom *self, guint i, double x, double y)
{
  const VgContourNucleus *nucleus = &g_array_index (self->nuclei, VgContourNucleus, i);

  return vg_contour_nucleus_value (nucleus, x, y) <= 1.0;
}

/* The stain of the tissue's nuclei, with soft edges, in units of the average nucleus. */
static float
stain_of (const Phantom *self, guint i, double x, double y)
{
  const VgContourNucleus *nucleus = &g_array_index (self->nuclei, VgContourNucleus, i);
  double value = vg_contour_nucleus_value (nucleus, x, y),
         edge = 0.5 + 0.4 * (1.0 - sqrt (value)) * MIN (nucleus->a, nucleus->b);

  if (edge <= 0.0)
    return 0;
  return (float) (MIN (edge, 1.0) * nucleus->stain *
                  vg_contour_tissue_chromatin (x, y, value, self->seed + i));
}

static void
add_nuclei (const Phantom *self, Amount amount, float *plane)
{
  for (guint i = 0; i < self->nuclei->len; i++)
    {
      const VgContourNucleus *nucleus = &g_array_index (self->nuclei, VgContourNucleus, i);
      double reach = 1.1 * MAX (nucleus->a, nucleus->b);
      int x0 = MAX ((int) (nucleus->x - reach) - 2, 0),
          y0 = MAX ((int) (nucleus->y - reach) - 2, 0),
          x1 = MIN ((int) (nucleus->x + reach) + 3, self->width),
          y1 = MIN ((int) (nucleus->y + reach) + 3, self->height);

      for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
          plane[(gsize) y * (gsize) self->width + (gsize) x] += amount (self, i, x + 0.5, y + 0.5);
    }
}

/* The optical density of pixel (X, Y), with STAIN nuclei on top of each other, in channel C. */
static void
find_density (const Phantom *self, int x, int y, double stain, double *density)
{
  double nucleus = NUCLEUS * MIN (stain, MOST_NUCLEI), ground = GROUND, blue = 0.0;

  if (self->tissue != NULL)
    {
      vg_contour_tissue_ground (self->tissue, x + 0.5, y + 0.5, &ground, &blue);
      ground *= MAX (1.0 - 0.5 * stain, 0.4);
    }
  for (int c = 0; c < 3; c++)
    density[c] = (nucleus + blue) * haematoxylin[c] + ground * eosin[c];
}

static gboolean
phantom_read (gpointer data, gint64 index, void *frame, GError **error)
{
  const Phantom *self = data;
  g_autofree float *stain = g_try_new0 (float, (gsize) self->width *(gsize) self->height);
  guint8 *out = frame;

  (void) index;
  if (stain == NULL)
    return vg_contour_no_memory (self->width, self->height, error);
  add_nuclei (self, self->tissue != NULL ? stain_of : count_of, stain);
#pragma omp parallel for schedule(dynamic, 8) if (self->tissue != NULL)
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      {
        gsize i = (gsize) y * (gsize) self->width + (gsize) x;
        double density[3];

        find_density (self, x, y, stain[i], density);
        for (int c = 0; c < 3; c++)
          {
            guint64 key = vg_random_bits (self->seed) + 64 * i + 16 * (guint64) c;
            /* variance 1/3 */
            double noise = vg_random_uniform (key) + vg_random_uniform (key + 1) +
                           vg_random_uniform (key + 2) + vg_random_uniform (key + 3) - 2.0;

            out[3 * i + (gsize) c] = (guint8) CLAMP (
                256.0 * exp (-(density[c] + NOISE * sqrt (3.0) * noise)) - 1.0 + 0.5, 0.0, 255.0);
          }
      }
  return TRUE;
}

/* How many nuclei lie over each pixel. */
static VgImage *
phantom_truth (gpointer data, guint i, GError **error)
{
  const Phantom *self = data;
  VgImageInfo info = vg_image_info_grey (VG_F32, self->width, self->height);
  VgImage *image = i == VG_CONTOUR_OUTPUT_OVERLAP ? vg_image_new (&info, "truth", error) : NULL;

  if (image != NULL)
    add_nuclei (self, count_of, image->data);
  return image;
}

static const VgSample samples[] = {
  [VG_CONTOUR_SAMPLE_TISSUE] = { "tissue", "Tissue",
                                 "Glands and stroma with haematoxylin and eosin: nuclei in rings, "
                                 "along fibres and in dense groups, some of which overlap." },
  [VG_CONTOUR_SAMPLE_LATTICE] = { "lattice", "Lattice",
                                  "Elliptic nuclei on a grid, some of which overlap, with the "
                                  "colours of haematoxylin and eosin." },
  { NULL },
};

const VgSynthetic vg_contour_synthetic = {
  .samples = samples,
  .live = { 512, 512, 1, 1 },
  .batch = { 384, 320, 1, 1 },
  .settings = settings,
  .open = phantom_open,
  .read = phantom_read,
  .truth = phantom_truth,
  .close = phantom_close,
  .tolerance = 0.01,
  .agreement = 1e-6, /* of the learned force: GPUs sum the network in another order */
};
