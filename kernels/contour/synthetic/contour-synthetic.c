/* SPDX-License-Identifier: MIT */
#include "kernels/contour/engine/contour-engine.h"
#include "kernels/contour/model/contour-memory.h"
#include "kernels/contour/model/contour-params.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-random.h"
#include <math.h>
#include <string.h>
/* A phantom: ellipses, some of which overlap, with the optical densities of haematoxylin on eosin
 * and with noise. */

#define RADIUS 10.0
#define PITCH 25.0  /* of the nuclei's grid */
#define NUCLEUS 0.9 /* optical density of one nucleus along its stain */
#define GROUND 0.12
#define NOISE 0.03
static const double haematoxylin[3] = { 0.65, 0.70, 0.29 }, eosin[3] = { 0.07, 0.99, 0.11 };

typedef struct
{
  double x, y, a, b, cosine, sine;
} Ellipse;

typedef struct
{
  int width, height;
  GArray *ellipses;
  guint64 seed;
} Phantom;

static void
settings (const VgSyntheticSize *size, void *data)
{
  VgContourParams *params = data;

  params->radius_px = (float) RADIUS;
}

static void
phantom_close (gpointer data)
{
  Phantom *self = data;

  g_array_unref (self->ellipses);
  g_free (self);
}

/* One nucleus in most places of a grid; every fifth has a second beside it. */
static void
place (Phantom *self)
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
            Ellipse e = { x + 3.0 * (vg_random_uniform (key + 4) - 0.5) + shift * cos (way),
                          y + 3.0 * (vg_random_uniform (key + 5) - 0.5) + shift * sin (way),
                          size * sqrt (ratio),
                          size / sqrt (ratio),
                          cos (turn),
                          sin (turn) };

            g_array_append_val (self->ellipses, e);
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
                   "the picture cannot be %dx%d; choose 1 to 32768 pixels a side", size->width,
                   size->height);
      return NULL;
    }
  self = g_new0 (Phantom, 1);
  self->width = size->width;
  self->height = size->height;
  self->seed = size->seed;
  self->ellipses = g_array_new (FALSE, FALSE, sizeof (Ellipse));
  place (self);
  *info = vg_image_info_grey (VG_U8, size->width, size->height);
  info->channels = 3;
  info->significant_bits = 8;
  info->pixel_size[0] = info->pixel_size[1] = 0.5;
  g_strlcpy (info->pixel_unit, "\302\265m", sizeof info->pixel_unit);
  return self;
}

static double
ellipse_value (const Ellipse *e, double x, double y)
{
  double dx = x - e->x, dy = y - e->y, u = e->cosine * dx + e->sine * dy,
         v = e->cosine * dy - e->sine * dx;

  return u * u / (e->a * e->a) + v * v / (e->b * e->b);
}

/* Adds 1 to the samples inside the ellipse; edges are as sharp as a pixel. */
static void
stamp (const Phantom *self, const Ellipse *e, float *plane)
{
  for (int y = MAX ((int) (e->y - e->a) - 2, 0);
       y <= MIN ((int) (e->y + e->a) + 2, self->height - 1); y++)
    for (int x = MAX ((int) (e->x - e->a) - 2, 0);
         x <= MIN ((int) (e->x + e->a) + 2, self->width - 1); x++)
      plane[(gsize) y * (gsize) self->width + (gsize) x] += ellipse_value (e, x + 0.5, y + 0.5) <=
                                                            1.0;
}

static void
add_counts (const Phantom *self, float *plane)
{
  for (guint i = 0; i < self->ellipses->len; i++)
    stamp (self, &g_array_index (self->ellipses, Ellipse, i), plane);
}

static gboolean
phantom_read (gpointer data, gint64 index, void *frame, GError **error)
{
  const Phantom *self = data;
  g_autofree float *count = g_try_new0 (float, (gsize) self->width *(gsize) self->height);
  guint8 *out = frame;

  (void) index;
  if (count == NULL)
    return vg_contour_no_memory (self->width, self->height, error);
  add_counts (self, count);
  for (gsize i = 0; i < (gsize) self->width * (gsize) self->height; i++)
    for (int c = 0; c < 3; c++)
      {
        guint64 key = vg_random_bits (self->seed) + 64 * i + 16 * (guint64) c;
        /* variance 1/3 */
        double noise = vg_random_uniform (key) + vg_random_uniform (key + 1) +
                       vg_random_uniform (key + 2) + vg_random_uniform (key + 3) - 2.0;
        double density = NUCLEUS * MIN (count[i], 1.3f) * haematoxylin[c] + GROUND * eosin[c] +
                         NOISE * sqrt (3.0) * noise;

        out[3 * i + (gsize) c] = (guint8) CLAMP (256.0 * exp (-density) - 1.0 + 0.5, 0.0, 255.0);
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
    add_counts (self, image->data);
  return image;
}

static const VgSample samples[] = {
  { "lattice", "Lattice",
    "Elliptic nuclei on a grid, some of which overlap, with the colours of haematoxylin and "
    "eosin." },
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
};
