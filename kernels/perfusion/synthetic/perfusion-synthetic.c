/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"
#include "kernels/base/vg-random.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/base/vg-memory.h"
#include <string.h>
/* Synthetic curves of one compartment as MRI signal with noise.  Inflows, outflow and delays vary
 * over the image.  The noise of a voxel depends only on its position, the frame and the seed. */

#define STEP_S 2.5
#define ONSET_S 10.0
#define HAEMATOCRIT 0.42
#define R1 4.5
#define T1_S 0.7
#define T1_BLOOD_S 1.5
#define NOISE_MM 0.01
enum { FRAMES = 48, SLICES = 3, VESSEL = 3 };

typedef struct
{
  int width, height, n;
  gsize voxels;
  guint64 seed;
  VgPerfusionProblem *problem;
  float *samples; /* n frames */
} Phantom;

static void
settings (const VgSyntheticSize *size, void *data)
{
  VgPerfusionParams *params = data;

  g_free (params->artery);
  g_free (params->portal);
  params->artery = g_strdup_printf ("rect:0,0,%d,%d", VESSEL, VESSEL);
  params->portal = g_strdup_printf ("rect:0,0,%d,%d@1", VESSEL, VESSEL);
  params->signal = VG_PERFUSION_SIGNAL_LINEAR;
  params->haematocrit = (float) HAEMATOCRIT;
  params->relaxivity = (float) R1;
  params->t1_ms = (float) (T1_S * 1000);
  params->t1_blood_ms = (float) (T1_BLOOD_S * 1000);
  params->frame_interval_s = (float) STEP_S;
}

static gboolean
is_vessel (int x, int y, int slice)
{
  return slice < 2 && x < VESSEL && y < VESSEL;
}

/* The true ka, kp, kl in ml/100 g/min and delays in s. */
static void
truth_at (const Phantom *self, int x, int y, int slice, double *value)
{
  double u = (x + 0.5) / self->width, v = (y + 0.5) / self->height, w = (double) slice / SLICES;
  double far = hypot (u - 0.62 - 0.05 * w, v - 0.45) / 0.17, tumour = far < 1 ? 1 : 0;

  value[VG_PERFUSION_OUTPUT_KA] = 20 + 12 * u + 70 * tumour;
  value[VG_PERFUSION_OUTPUT_KP] = (110 + 30 * sin (3 * v + w)) * (1 - 0.75 * tumour);
  value[VG_PERFUSION_OUTPUT_KL] = 380 + 120 * v + 200 * tumour;
  value[VG_PERFUSION_OUTPUT_TAU_A] = 0.5 + 2 * u;
  value[VG_PERFUSION_OUTPUT_TAU_P] = 1 + 2 * v;
}

/* An approximately normal variate, from a hash of its index. */
static double
noise (guint64 seed, guint64 place)
{
  guint64 h = (seed + 1) * 0x9e3779b97f4a7c15u + place * 0xbf58476d1ce4e5b9u;
  double sum = -2;

  for (int i = 0; i < 4; i++)
    {
      h = vg_random_mix (h);
      sum += (double) (h >> 11) / 9007199254740992.0;
    }
  return sum * sqrt (3);
}

static void
fill_voxel (Phantom *self, int x, int y, int slice)
{
  gsize at = ((gsize) slice * (gsize) self->height + (gsize) y) * (gsize) self->width + (gsize) x;
  double truth[5], a[FRAMES], p[FRAMES],
      before = 300 + 100.0 * y / self->height + 40.0 * x / self->width;
  gboolean vessel = is_vessel (x, y, slice);

  truth_at (self, x, y, slice, truth);
  if (!vessel)
    {
      vg_perfusion_curve (self->problem, self->problem->artery, VG_PERFUSION_EXPONENTIAL,
                          truth[2] / VG_PERFUSION_RATE, truth[3], a, NULL, NULL);
      vg_perfusion_curve (self->problem, self->problem->portal, VG_PERFUSION_EXPONENTIAL,
                          truth[2] / VG_PERFUSION_RATE, truth[4], p, NULL, NULL);
    }
  for (int i = 0; i < self->n; i++)
    {
      double c = vessel ? (slice == 0 ? self->problem->artery[i] : self->problem->portal[i]) *
                              (1 - HAEMATOCRIT)
                        : (truth[0] * a[i] + truth[1] * p[i]) / VG_PERFUSION_RATE;

      c += NOISE_MM * noise (self->seed, (guint64) i * self->voxels + at);
      self->samples[(gsize) i * self->voxels + at] =
          (float) (before * (1 + c * R1 * (vessel ? T1_BLOOD_S : T1_S)));
    }
}

static void
phantom_close (gpointer data)
{
  Phantom *self = data;

  vg_perfusion_problem_free (self->problem);
  g_free (self->samples);
  g_free (self);
}

static VgPerfusionProblem *
make_problem (void)
{
  VgPerfusionBounds bounds = vg_perfusion_bounds_default ();
  double times[FRAMES], artery[FRAMES], portal[FRAMES];

  for (int i = 0; i < FRAMES; i++)
    {
      times[i] = i * STEP_S;
      artery[i] = vg_perfusion_population_artery (times[i] - ONSET_S) / (1 - HAEMATOCRIT);
    }
  vg_perfusion_disperse (FRAMES, times, artery, portal);
  return vg_perfusion_problem_new (VG_PERFUSION_COMPARTMENT, FRAMES, times, artery, portal, NULL,
                                   &bounds);
}

static gpointer
phantom_open (const void *params, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  Phantom *self = g_new0 (Phantom, 1);
  gsize bytes;

  (void) params;
  self->width = size->width;
  self->height = size->height;
  self->n = (int) CLAMP (size->frames, 3, FRAMES);
  self->seed = size->seed;
  self->voxels = (gsize) size->width * (gsize) size->height * SLICES;
  *info = (VgImageInfo){ .type = VG_F32,
                         .width = size->width,
                         .height = size->height,
                         .channels = 1,
                         .bins = 1,
                         .slices = SLICES,
                         .frames = self->n,
                         .significant_bits = 32,
                         .pixel_size = { 2, 2, 4 },
                         .pixel_unit = "mm",
                         .frame_interval_s = STEP_S };
  if (!g_size_checked_mul (&bytes, self->voxels, sizeof (float) * (gsize) self->n) ||
      !vg_memory_check (bytes, "the liver of the demonstration", error) ||
      (self->samples = g_try_malloc (bytes)) == NULL)
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                     "no memory for a liver of %dx%d", size->width, size->height);
      phantom_close (self);
      return NULL;
    }
  self->problem = make_problem ();
#pragma omp parallel for schedule(dynamic, 8)
  for (int row = 0; row < self->height * SLICES; row++)
    for (int x = 0; x < self->width; x++)
      fill_voxel (self, x, row % self->height, row / self->height);
  return self;
}

static gboolean
phantom_read (gpointer data, gint64 index, void *frame, GError **error)
{
  const Phantom *self = data;

  (void) error;
  memcpy (frame, self->samples + (gsize) (index % self->n) * self->voxels,
          sizeof (float) * self->voxels);
  return TRUE;
}

static VgImage *
phantom_truth (gpointer data, guint output, GError **error)
{
  const Phantom *self = data;
  VgImageInfo info = { .type = VG_F32,
                       .width = self->width,
                       .height = self->height,
                       .channels = 1,
                       .bins = 1,
                       .slices = SLICES,
                       .frames = 1 };
  VgImage *image;
  float *to;

  if (output > VG_PERFUSION_OUTPUT_TAU_P ||
      (image = vg_image_new (&info, "the liver's truth", error)) == NULL)
    return NULL;
  to = image->data;
  for (int z = 0; z < SLICES; z++)
    for (int y = 0; y < self->height; y++)
      for (int x = 0; x < self->width; x++)
        {
          double value[5];

          truth_at (self, x, y, z, value);
          *to++ = is_vessel (x, y, z) ? NAN : (float) value[output];
        }
  return image;
}

static const VgSample samples[] = {
  { "ellipse", "Ellipse",
    "A round tumour in smoothly varying liver. The aorta and the portal vein are squares in a "
    "corner of the first and the second slice." },
  { NULL },
};

const VgSynthetic vg_perfusion_phantom = {
  .samples = samples,
  .live = { 128, 104, FRAMES, 1 },
  .batch = { 128, 104, FRAMES, 1 },
  .settings = settings,
  .open = phantom_open,
  .read = phantom_read,
  .truth = phantom_truth,
  .close = phantom_close,
  .tolerance = 0.1,
  .agreement = 0.02,
};
