/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"
#include "kernels/base/vg-random.h"
#include "kernels/lifetime/synthetic/lifetime-cells.h"
#include "kernels/lifetime/model/lifetime-formula.h"
#include "kernels/base/vg-error.h"
#include <string.h>

#define BIN_NS 0.1
#define INTERVAL_S 0.1

const double vg_lifetime_bar_ns[VG_LIFETIME_BARS] = { 2.0, 2.5, 3.0, 4.0 };
const double vg_lifetime_bar_fraction[VG_LIFETIME_BARS] = { 0.8, 0.6, 0.4, 0.2 };
/* of the parts of a cell */
static const double part_ns[VG_LIFETIME_PARTS] = { 2.4, 2.4, 2.4, 3.1, 1.6 };
static const double part_fraction[VG_LIFETIME_PARTS] = { 0.6, 0.6, 0.6, 0.3, 0.8 };

void
vg_lifetime_dice_init (VgLifetimeDice *self, const double *probability, int bins)
{
  g_autofree double *share = g_new (double, bins);
  g_autofree int *small = g_new (int, bins), *large = g_new (int, bins);
  int n_small = 0, n_large = 0;
  double sum = 0.0;

  self->bins = bins;
  self->limit = g_new (guint32, bins);
  self->other = g_new (int, bins);
  for (int j = 0; j < bins; j++)
    sum += probability[j];
  for (int j = 0; j < bins; j++)
    {
      share[j] = probability[j] / sum * bins;
      if (share[j] < 1.0)
        small[n_small++] = j;
      else
        large[n_large++] = j;
    }
  while (n_small > 0 && n_large > 0)
    {
      int a = small[--n_small], b = large[n_large - 1];

      self->limit[a] = (guint32) (share[a] * 4294967295.0);
      self->other[a] = b;
      share[b] -= 1.0 - share[a];
      if (share[b] < 1.0)
        small[n_small++] = large[--n_large];
    }
  while (n_small + n_large > 0)
    {
      int j = n_small > 0 ? small[--n_small] : large[--n_large];

      self->limit[j] = G_MAXUINT32;
      self->other[j] = j;
    }
}

void
vg_lifetime_dice_clear (VgLifetimeDice *self)
{
  g_clear_pointer (&self->limit, g_free);
  g_clear_pointer (&self->other, g_free);
}

void
vg_lifetime_dice_throw (const VgLifetimeDice *self, guint64 key, int photons, guint16 *counts)
{
  for (int i = 0; i < photons; i++)
    {
      guint64 h = vg_random_bits (key + (guint64) i);
      int cell = (int) (((h >> 32) * (guint64) self->bins) >> 32);

      counts[(guint32) h <= self->limit[cell] ? cell : self->other[cell]]++;
    }
}

int
vg_lifetime_poisson (double mean, guint64 key)
{
  double product = 1.0, limit;
  int n = 0;

  if (mean > 50.0)
    {
      double z = sqrt (-2.0 * log (vg_random_uniform_open (key))) *
                 cos (2.0 * G_PI * vg_random_uniform_open (key + 1));

      return (int) MAX (rint (mean + sqrt (mean) * z), 0.0);
    }
  limit = exp (-mean);
  for (; (product *= vg_random_uniform_open (key)) > limit; n++)
    key = vg_random_bits (key);
  return n;
}

void
vg_lifetime_add_decay (double *probability, int bins, double h, double amplitude, double tau)
{
  for (int j = 0; j < bins; j++)
    probability[j] += -amplitude * tau * exp (-j * h / tau) * expm1 (-h / tau);
}

typedef struct
{
  int width, height;
  gboolean live, bi;
  guint64 seed;
  double rate;
  const double *ns, *fraction; /* of each kind of pixel */
  int n_kinds;
  VgLifetimeDice dice[VG_LIFETIME_PARTS];
  guint8 *kind;
  float *brightness;  /* mean photons of a frame in each pixel */
  guint16 *gathered;  /* live: photon counters */
  gint64 first, last; /* live: the first and the last frame in `gathered` */
  gint64 window;      /* live: frames whose photons are accumulated; 0: all */
} Synthetic;

static void
settings (const VgSyntheticSize *size, void *data)
{
  VgLifetimeParams *params = data;

  params->bin_width_ns = (float) BIN_NS;
  params->period_ns = 0.0f;
}

static void
synthetic_close (gpointer data)
{
  Synthetic *self = data;

  for (int i = 0; i < self->n_kinds; i++)
    vg_lifetime_dice_clear (&self->dice[i]);
  g_free (self->kind);
  g_free (self->brightness);
  g_free (self->gathered);
  g_free (self);
}

static gsize
count_samples (const Synthetic *self)
{
  return (gsize) self->width * (gsize) self->height * VG_LIFETIME_SYNTHETIC_BINS;
}

/* Bars; live, with round cells on a dim background. */
static void
draw_grid (Synthetic *self)
{
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      {
        gsize i = (gsize) y * (gsize) self->width + (gsize) x;
        double cell = sin (8.0 * G_PI * ((x + 0.5) / self->width)) *
                      sin (6.0 * G_PI * ((y + 0.5) / self->height));

        self->kind[i] = (guint8) vg_lifetime_bar (x, self->width);
        self->brightness[i] = self->live ? (float) (0.1 + cell * cell) : 1.0f;
      }
}

/* The picture of SAMPLE.  Live it has RATE photons per second in all. */
static gboolean
light_up (Synthetic *self, int sample)
{
  gsize n = (gsize) self->width * (gsize) self->height;
  double photons, sum = 0.0;

  self->kind = g_try_malloc (n);
  self->brightness = g_try_new (float, n);
  self->gathered = self->live ? g_try_new0 (guint16, count_samples (self)) : NULL;
  if (self->kind == NULL || self->brightness == NULL || (self->live && self->gathered == NULL))
    return FALSE;
  if (sample == VG_LIFETIME_SAMPLE_GRID)
    draw_grid (self);
  else
    vg_lifetime_cells_draw (self->width, self->height, self->kind, self->brightness);
  for (gsize i = 0; i < n; i++)
    sum += self->brightness[i];
  photons = self->live ? self->rate * INTERVAL_S
                       : (double) VG_LIFETIME_SYNTHETIC_PHOTONS * (double) n;
  for (gsize i = 0; i < n; i++)
    self->brightness[i] *= (float) (photons / sum);
  self->last = -1;
  return TRUE;
}

static void
choose_lifetimes (Synthetic *self, int sample)
{
  gboolean grid = sample == VG_LIFETIME_SAMPLE_GRID;

  self->ns = grid ? vg_lifetime_bar_ns : part_ns;
  self->fraction = grid ? vg_lifetime_bar_fraction : part_fraction;
  self->n_kinds = grid ? (int) VG_LIFETIME_BARS : (int) VG_LIFETIME_PARTS;
}

static gpointer
synthetic_open (const void *data, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  const VgLifetimeParams *params = data;
  Synthetic *self;

  if (size->width < 1 || size->height < 1 || size->width > 8192 || size->height > 8192)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the sample data cannot be %dx%d; choose 1 to 8192 pixels per side", size->width,
                   size->height);
      return NULL;
    }
  self = g_new0 (Synthetic, 1);
  self->width = size->width;
  self->height = size->height;
  self->live = size->frames < 0;
  self->seed = size->seed;
  self->rate = params->sample_photon_rate;
  self->window = params->sample_window_s > 0.0f
                     ? MAX ((gint64) rint (params->sample_window_s / INTERVAL_S), 1)
                     : 0;
  self->bi = vg_lifetime_is_biexponential (params->method) ||
             params->method == VG_LIFETIME_MLE_TWO || params->method == VG_LIFETIME_MLE_THREE ||
             params->method == VG_LIFETIME_LSM_TWO;
  choose_lifetimes (self, size->sample);
  for (int i = 0; i < self->n_kinds; i++)
    {
      double probability[VG_LIFETIME_SYNTHETIC_BINS] = { 0.0 }, f = self->fraction[i];

      vg_lifetime_add_decay (probability, VG_LIFETIME_SYNTHETIC_BINS, BIN_NS,
                             self->bi ? 1.0 - f : 1.0,
                             self->bi ? VG_LIFETIME_BAR_LONG_NS : self->ns[i]);
      if (self->bi)
        vg_lifetime_add_decay (probability, VG_LIFETIME_SYNTHETIC_BINS, BIN_NS, f,
                               VG_LIFETIME_BAR_SHORT_NS);
      vg_lifetime_dice_init (&self->dice[i], probability, VG_LIFETIME_SYNTHETIC_BINS);
    }
  if (!light_up (self, size->sample))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for sample data of %dx%d; make them smaller",
                   self->width, self->height);
      synthetic_close (self);
      return NULL;
    }
  *info = (VgImageInfo){ .type = VG_U16,
                         .width = self->width,
                         .height = self->height,
                         .channels = 1,
                         .bins = VG_LIFETIME_SYNTHETIC_BINS,
                         .slices = 1,
                         .frames = size->frames,
                         .significant_bits = 16,
                         .pixel_size = { 0.5, 0.5, 0.0 },
                         .pixel_unit = "\302\265m",
                         .frame_interval_s = INTERVAL_S,
                         .gathers = self->live,
                         .bin_width_ns = BIN_NS,
                         .period_ns = BIN_NS * VG_LIFETIME_SYNTHETIC_BINS };
  return self;
}

/* Adds the photons of frame INDEX in row Y to FRAME, or removes them.  A saturated counter stays
 * saturated. */
static void
add_row (const Synthetic *self, gint64 index, int y, gboolean away, guint16 *frame)
{
  gsize page = (gsize) self->width * (gsize) self->height;
  guint64 key = vg_random_bits (self->seed ^ vg_random_bits ((guint64) index + 1));
  guint16 counts[VG_LIFETIME_SYNTHETIC_BINS];

  for (int x = 0; x < self->width; x++)
    {
      gsize i = (gsize) y * (gsize) self->width + (gsize) x;
      guint64 own = vg_random_bits (key ^ vg_random_bits (i));
      int photons = vg_lifetime_poisson (self->brightness[i], own);

      if (photons == 0)
        continue;
      memset (counts, 0, sizeof counts);
      vg_lifetime_dice_throw (&self->dice[self->kind[i]], vg_random_bits (own), photons, counts);
      for (int j = 0; j < VG_LIFETIME_SYNTHETIC_BINS; j++)
        if (counts[j] > 0)
          {
            guint16 *sample = frame + (gsize) j * page + i;

            if (!away)
              *sample = (guint16) MIN (*sample + counts[j], G_MAXUINT16);
            else if (*sample < G_MAXUINT16)
              *sample = (guint16) (*sample - counts[j]);
          }
    }
}

static void
add_frame (const Synthetic *self, gint64 index, gboolean away, guint16 *frame)
{
#pragma omp parallel for schedule(dynamic, 4)
  for (int y = 0; y < self->height; y++)
    add_row (self, index, y, away, frame);
}

static gboolean
synthetic_read (gpointer data, gint64 index, void *frame, GError **error)
{
  Synthetic *self = data;
  gint64 first = self->window > 0 ? MAX (index - self->window + 1, 0) : 0;

  if (!self->live)
    {
      memset (frame, 0, sizeof (guint16) * count_samples (self));
      add_frame (self, index, FALSE, frame);
      return TRUE;
    }
  if (self->last > index || self->last < first)
    {
      memset (self->gathered, 0, sizeof (guint16) * count_samples (self));
      self->last = first - 1;
      self->first = first;
    }
  while (self->last < index)
    {
      add_frame (self, ++self->last, FALSE, self->gathered);
      if (self->window > 0 && self->last - self->window >= self->first)
        add_frame (self, self->last - self->window, TRUE, self->gathered);
    }
  memcpy (frame, self->gathered, sizeof (guint16) * count_samples (self));
  return TRUE;
}

static double
truth_value (const Synthetic *self, guint output, gsize i)
{
  int kind = self->kind[i];
  double f = self->fraction[kind], a = VG_LIFETIME_BAR_SHORT_NS, b = VG_LIFETIME_BAR_LONG_NS;
  double mean = self->bi ? f * a + (1.0 - f) * b : self->ns[kind];

  switch (output)
    {
    case VG_LIFETIME_OUTPUT_LIFETIME:
      return mean;
    case VG_LIFETIME_OUTPUT_INTENSITY:
      return self->brightness[i];
    case VG_LIFETIME_OUTPUT_LIFETIME_1:
      return self->bi ? a : NAN;
    case VG_LIFETIME_OUTPUT_LIFETIME_2:
      return self->bi ? b : NAN;
    case VG_LIFETIME_OUTPUT_FRACTION:
      return self->bi ? f : NAN;
    case VG_LIFETIME_OUTPUT_WEIGHTED:
      return self->bi ? (f * a * a + (1.0 - f) * b * b) / mean : NAN;
    default:
      return NAN;
    }
}

static VgImage *
synthetic_truth (gpointer data, guint output, GError **error)
{
  const Synthetic *self = data;
  VgImageInfo info = { .type = VG_F32,
                       .width = self->width,
                       .height = self->height,
                       .channels = 1,
                       .bins = 1,
                       .slices = 1,
                       .frames = 1 };
  VgImage *image;

  if (self->live || isnan (truth_value (self, output, 0)))
    return NULL;
  image = vg_image_new (&info, "truth", error);
  for (gsize i = 0; image != NULL && i < (gsize) self->width * (gsize) self->height; i++)
    ((float *) image->data)[i] = (float) truth_value (self, output, i);
  return image;
}

static const VgSample samples[] = {
  [VG_LIFETIME_SAMPLE_CELLS] = { "cells", "Cells",
                                 "Cells on a cover slip: 2.4 ns in cytoplasm and membranes, 3.1 ns "
                                 "in nuclei, 1.6 ns in "
                                 "vesicles. Live, their photons arrive one by one." },
  [VG_LIFETIME_SAMPLE_GRID] = { "grid", "Grid",
                                "Four vertical bars of known lifetimes. Live, photons arrive in a "
                                "grid of round cells." },
  { NULL },
};

const VgSynthetic vg_lifetime_synthetic = {
  .samples = samples,
  .live = { 256, 256, -1, 1 },
  .batch = { 128, 128, 1, 1 },
  .settings = settings,
  .open = synthetic_open,
  .read = synthetic_read,
  .truth = synthetic_truth,
  .close = synthetic_close,
  .tolerance = 0.01,
  .agreement = 1e-4, /* of the fits; the GPU tests hold the other methods to it in all samples */
};
