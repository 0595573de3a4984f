/* SPDX-License-Identifier: MIT */
#include "kernels/lifetime/synthetic/lifetime-synthetic.h"
#include "kernels/base/vg-random.h"
#include "kernels/lifetime/model/lifetime-formula.h"
#include "kernels/base/vg-error.h"
#include <string.h>

#define BIN_NS 0.1
#define INTERVAL_S 0.1

const double vg_lifetime_bar_ns[VG_LIFETIME_BARS] = { 2.0, 2.5, 3.0, 4.0 };
const double vg_lifetime_bar_fraction[VG_LIFETIME_BARS] = { 0.8, 0.6, 0.4, 0.2 };

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
  VgLifetimeDice dice[VG_LIFETIME_BARS];
  float *brightness;  /* live: photons per pixel and frame */
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

  for (int i = 0; i < VG_LIFETIME_BARS; i++)
    vg_lifetime_dice_clear (&self->dice[i]);
  g_free (self->brightness);
  g_free (self->gathered);
  g_free (self);
}

static gsize
count_samples (const Synthetic *self)
{
  return (gsize) self->width * (gsize) self->height * VG_LIFETIME_SYNTHETIC_BINS;
}

/* Live: round cells on a dim background, RATE photons per second in all. */
static gboolean
light_up (Synthetic *self)
{
  gsize n = (gsize) self->width * (gsize) self->height;
  double sum = 0.0;

  self->brightness = g_try_new (float, n);
  self->gathered = g_try_new0 (guint16, count_samples (self));
  if (self->brightness == NULL || self->gathered == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      double x = ((double) (i % (gsize) self->width) + 0.5) / self->width,
             y = ((double) (i / (gsize) self->width) + 0.5) / self->height;
      double cell = sin (8.0 * G_PI * x) * sin (6.0 * G_PI * y);

      self->brightness[i] = (float) (0.1 + cell * cell);
      sum += self->brightness[i];
    }
  for (gsize i = 0; i < n; i++)
    self->brightness[i] *= (float) (self->rate * INTERVAL_S / sum);
  self->last = -1;
  return TRUE;
}

static gpointer
synthetic_open (const void *data, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  const VgLifetimeParams *params = data;
  Synthetic *self;

  if (size->width < 1 || size->height < 1 || size->width > 8192 || size->height > 8192)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the sample data cannot be %dx%d; choose 1 to 8192 pixels a side", size->width,
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
  for (int i = 0; i < VG_LIFETIME_BARS; i++)
    {
      double probability[VG_LIFETIME_SYNTHETIC_BINS] = { 0.0 }, f = vg_lifetime_bar_fraction[i];

      vg_lifetime_add_decay (probability, VG_LIFETIME_SYNTHETIC_BINS, BIN_NS,
                             self->bi ? 1.0 - f : 1.0,
                             self->bi ? VG_LIFETIME_BAR_LONG_NS : vg_lifetime_bar_ns[i]);
      if (self->bi)
        vg_lifetime_add_decay (probability, VG_LIFETIME_SYNTHETIC_BINS, BIN_NS, f,
                               VG_LIFETIME_BAR_SHORT_NS);
      vg_lifetime_dice_init (&self->dice[i], probability, VG_LIFETIME_SYNTHETIC_BINS);
    }
  if (self->live && !light_up (self))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "no memory for sample data of %dx%d; make them smaller", self->width,
                   self->height);
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
      int photons = vg_lifetime_poisson (
          self->live ? self->brightness[i] : VG_LIFETIME_SYNTHETIC_PHOTONS, own);

      if (photons == 0)
        continue;
      memset (counts, 0, sizeof counts);
      vg_lifetime_dice_throw (&self->dice[vg_lifetime_bar (x, self->width)], vg_random_bits (own),
                              photons, counts);
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
truth_value (const Synthetic *self, guint output, int bar)
{
  double f = vg_lifetime_bar_fraction[bar], a = VG_LIFETIME_BAR_SHORT_NS,
         b = VG_LIFETIME_BAR_LONG_NS;
  double mean = self->bi ? f * a + (1.0 - f) * b : vg_lifetime_bar_ns[bar];

  switch (output)
    {
    case VG_LIFETIME_OUTPUT_LIFETIME:
      return mean;
    case VG_LIFETIME_OUTPUT_INTENSITY:
      return VG_LIFETIME_SYNTHETIC_PHOTONS;
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
    ((float *) image->data)[i] = (float) truth_value (
        self, output, vg_lifetime_bar ((int) (i % (gsize) self->width), self->width));
  return image;
}

static const VgSample samples[] = {
  { "grid", "Grid",
    "Four vertical bars of known lifetimes. Live, photons arrive in a grid of round cells." },
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
