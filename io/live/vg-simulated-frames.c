/* SPDX-License-Identifier: MIT */
#include "io/live/vg-simulated-frames.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-random.h"

enum { GRAIN = 256, LEVELS = 16, SMOOTHINGS = 2, VESSELS = 4 };

#define TISSUE_MS 12.0  /* correlation time where no vessel is */
#define VESSEL_MS 0.5   /* in the middle of a vessel */
#define BEATS_PER_S 1.2 /* of the pulse in the vessels */
#define PULSE 0.15      /* its depth */
#define COHERENCE 0.6   /* K² of a static target */
#define FILLED 0.1      /* of the full scale, at an exposure of 5 ms and without gain */
#define FILLED_MS 5.0
#define ELECTRONS 10000.0 /* of a pixel at the full scale */

struct _VgSimulatedFrames
{
  float grain[GRAIN][GRAIN]; /* speckle of mean 0 and variance 1 */
  double defocus_px;         /* of `grain`; negative: not made yet */
  guint8 *level; /* of every pixel of the sensor: 0 tissue, LEVELS - 1 the middle of a vessel */
};

/* --- speckle --- */

static void
smooth (float (*field)[GRAIN], gboolean across)
{
  static const int mask = GRAIN - 1;
  float line[GRAIN];

  for (int k = 0; k < GRAIN; k++)
    {
      for (int i = 0; i < GRAIN; i++)
        line[i] = across ? field[k][i] : field[i][k];
      for (int i = 0; i < GRAIN; i++)
        *(across ? &field[k][i] : &field[i][k]) = line[(i - 1) & mask] + 2 * line[i] +
                                                  line[(i + 1) & mask];
    }
}

static void
fill_gaussian (float (*field)[GRAIN], guint64 key)
{
  for (int i = 0; i < GRAIN * GRAIN; i++)
    {
      guint64 k = key + 2 * (guint64) i;

      field[i / GRAIN][i % GRAIN] = (float) (sqrt (-2 * log (vg_random_uniform_open (k))) *
                                             cos (2 * G_PI * vg_random_uniform (k + 1)));
    }
}

static void
normalise (float (*field)[GRAIN])
{
  const int n = GRAIN * GRAIN;
  double sum = 0, squares = 0, mean, spread;

  for (int i = 0; i < n; i++)
    sum += field[i / GRAIN][i % GRAIN];
  mean = sum / n;
  for (int i = 0; i < n; i++)
    squares += pow (field[i / GRAIN][i % GRAIN] - mean, 2);
  spread = sqrt (squares / n);
  for (int i = 0; i < n; i++)
    field[i / GRAIN][i % GRAIN] = (float) ((field[i / GRAIN][i % GRAIN] - mean) / spread);
}

/* Intensity of a smoothed complex Gaussian field; out of focus the grains are larger. */
static void
make_grain (VgSimulatedFrames *self, double defocus_px)
{
  float (*part)[GRAIN] = g_malloc (sizeof self->grain);
  int n = SMOOTHINGS + (int) (defocus_px * defocus_px * 2);

  memset (self->grain, 0, sizeof self->grain);
  for (guint k = 0; k < 2; k++)
    {
      fill_gaussian (part, (guint64) (k + 1) << 40);
      for (int i = 0; i < n; i++)
        {
          smooth (part, TRUE);
          smooth (part, FALSE);
          normalise (part); /* so that many rounds do not overflow */
        }
      for (int i = 0; i < GRAIN * GRAIN; i++)
        self->grain[i / GRAIN][i % GRAIN] += part[i / GRAIN][i % GRAIN] *
                                             part[i / GRAIN][i % GRAIN];
    }
  normalise (self->grain);
  self->defocus_px = defocus_px;
  g_free (part);
}

/* --- vessels --- */

/* Height of the middle of vessel I at X, and half its width, px of the sensor. */
static double
vessel_at (int i, double x, double *half)
{
  static const struct
  {
    double y, slope, wave, length, half;
  } vessels[VESSELS] = { { 300, 0.25, 40, 330, 26 },
                         { 620, -0.18, 55, 420, 34 },
                         { 830, 0.05, 25, 260, 14 },
                         { 140, 0.10, 30, 300, 10 } };

  *half = vessels[i].half;
  return vessels[i].y + vessels[i].slope * (x - VG_SIMULATED_WIDTH / 2) +
         vessels[i].wave * sin (2 * G_PI * x / vessels[i].length);
}

static void
draw_vessels (guint8 *level)
{
  for (int x = 0; x < VG_SIMULATED_WIDTH; x++)
    for (int i = 0; i < VESSELS; i++)
      {
        double half, middle = vessel_at (i, x, &half);

        for (int y = MAX ((int) (middle - half), 0);
             y < MIN ((int) (middle + half) + 1, VG_SIMULATED_HEIGHT); y++)
          {
            /* the profile of a laminar stream */
            double part = 1 - pow ((y - middle) / half, 2);
            guint8 *at = &level[y * VG_SIMULATED_WIDTH + x];

            *at = (guint8) MAX (*at, (LEVELS - 1) * MAX (part, 0));
          }
      }
}

VgSimulatedFrames *
vg_simulated_frames_new (void)
{
  VgSimulatedFrames *self = g_new0 (VgSimulatedFrames, 1);

  self->defocus_px = -1;
  self->level = g_malloc0 (VG_SIMULATED_WIDTH * VG_SIMULATED_HEIGHT);
  draw_vessels (self->level);
  return self;
}

void
vg_simulated_frames_free (VgSimulatedFrames *self)
{
  if (self == NULL)
    return;
  g_free (self->level);
  g_free (self);
}

VgImageInfo
vg_simulated_info (const VgSimulatedView *view)
{
  VgImageInfo info = vg_image_info_grey (view->bits == 8 ? VG_U8 : VG_U16,
                                         view->width / view->binning, view->height / view->binning);

  info.frames = -1;
  info.significant_bits = view->bits;
  info.exposure_ms = view->exposure_ms;
  info.pixel_size[0] = info.pixel_size[1] = 5.0 * view->binning;
  g_strlcpy (info.pixel_unit, "µm", sizeof info.pixel_unit);
  return info;
}

/* --- frames --- */

/* The speckle contrast of each level. */
static void
find_contrasts (const VgSimulatedView *view, double time_s, double faded, double contrast[LEVELS])
{
  double beat = 1 + PULSE * sin (2 * G_PI * BEATS_PER_S * time_s);

  for (int i = 0; i < LEVELS; i++)
    {
      double share = (double) i / (LEVELS - 1), rate = share * beat * (1 - faded) / VESSEL_MS;
      double x = view->exposure_ms * (1 / TISSUE_MS + rate), square;

      square = x > 1e-4 ? (exp (-2 * x) - 1 + 2 * x) / (2 * x * x) : 1;
      /* the mean of a binned pixel's grains varies less */
      contrast[i] = sqrt (COHERENCE * square) / sqrt (view->binning);
    }
}

static void
draw_row (VgSimulatedFrames *self, const VgSimulatedView *view, int row, guint64 key,
          const float *gain, double level, void *frame)
{
  const int width = view->width / view->binning, most = (1 << view->bits) - 1,
            y = view->y + row * view->binning;
  const guint8 *kinds = self->level + (gsize) y * VG_SIMULATED_WIDTH + view->x;
  const guint64 bits = vg_random_bits (key);
  const float *grain = self->grain[((guint64) row + (bits & 0xffff)) % GRAIN];
  const guint shift = (guint) (bits >> 20) % GRAIN;
  const float shot = (float) sqrt (level * most / ELECTRONS);
  guint64 noise = vg_random_mix (key ^ (guint64) row);

  for (int x = 0; x < width; x++)
    {
      float mean = (float) level *
                   (1 + gain[kinds[x * view->binning]] * grain[(shift + x) % GRAIN]);
      float value;

      noise = noise * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407u;
      value = CLAMP (mean + shot * ((float) (noise >> 40) * 0x1p-23f - 1) + 0.5f, 0, (float) most);
      if (view->bits == 8)
        ((guint8 *) frame)[(gsize) row * (gsize) width + (gsize) x] = (guint8) value;
      else
        ((guint16 *) frame)[(gsize) row * (gsize) width + (gsize) x] = (guint16) value;
    }
}

void
vg_simulated_frames_draw (VgSimulatedFrames *self, const VgSimulatedView *view, guint64 number,
                          double time_s, double faded, void *frame)
{
  const double most = (1 << view->bits) - 1;
  double contrast[LEVELS], level;
  float gain[LEVELS];

  if (self->defocus_px != view->defocus_px)
    make_grain (self, view->defocus_px);
  find_contrasts (view, time_s, faded, contrast);
  for (int i = 0; i < LEVELS; i++)
    gain[i] = (float) contrast[i];
  level = most * FILLED * view->exposure_ms / FILLED_MS * pow (10, view->gain_db / 20);
  for (int row = 0; row < view->height / view->binning; row++)
    /* all rows of a frame lie in one pattern, which moves from frame to frame */
    draw_row (self, view, row, number * 2, gain, level, frame);
}
