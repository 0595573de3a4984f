/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"
#include "kernels/perfusion/synthetic/perfusion-abdomen.h"
#include "kernels/base/vg-random.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/motion/perfusion-motion.h"
#include "kernels/perfusion/model/perfusion-population.h"
#include "kernels/perfusion/model/perfusion-problem.h"
#include "kernels/base/vg-memory.h"
#include <glib/gi18n.h>
#include <string.h>
/* Synthetic curves of one compartment as MRI signal with noise.  Inflows, outflow and delays vary
 * over the image.  The noise of a voxel depends only on its position, the frame and the seed.  In
 * the ellipse it is the same in concentration, in the abdomen in signal. */

#define STEP_S 2.5
#define ONSET_S 10.0
#define HAEMATOCRIT 0.42
#define R1 4.5
#define T1_S 0.7
#define T1_BLOOD_S 1.5
#define NOISE_MM 0.01
#define NOISE_SIGNAL (NOISE_MM * R1 * T1_S * 350)
enum { FRAMES = 48, SLICES = VG_PERFUSION_ABDOMEN_SLICES, VESSEL = 3 };
/* The breathing abdomen moves by eighths of a pixel, BREATH_MM from peak to peak. */
#define BREATH_MM 10.0
#define BREATH_S 4.3
#define LARGEST_MM 6.0 /* with larger pixels the abdomen has no organs and does not move */
enum { FINE = 8 };
enum { RATES = VG_PERFUSION_OUTPUT_TAU_P + 1 };
G_STATIC_ASSERT ((int) RATES == (int) VG_PERFUSION_ABDOMEN_VALUES);

typedef struct
{
  int width, height, n, sample;
  gsize voxels;
  guint64 seed;
  VgPerfusionProblem *problem;
  /* mM, of the tissues whose rates are the same everywhere; the liver's are not */
  double curves[VG_PERFUSION_TISSUES][FRAMES];
  float *samples; /* n frames */
} Phantom;

static void
settings (const VgSyntheticSize *size, void *data)
{
  VgPerfusionParams *params = data;
  gboolean ellipse = size->sample == VG_PERFUSION_SAMPLE_ELLIPSE;

  g_free (params->artery);
  g_free (params->portal);
  g_free (params->mask);
  params->artery = ellipse ? g_strdup_printf ("rect:0,0,%d,%d", VESSEL, VESSEL)
                           : vg_perfusion_abdomen_region (VG_PERFUSION_ARTERY, size->width,
                                                          size->height);
  params->portal = ellipse ? g_strdup_printf ("rect:0,0,%d,%d@1", VESSEL, VESSEL)
                           : vg_perfusion_abdomen_region (VG_PERFUSION_PORTAL, size->width,
                                                          size->height);
  params->mask = ellipse
                     ? NULL
                     : vg_perfusion_abdomen_region (VG_PERFUSION_LIVER, size->width, size->height);
  params->motion = size->sample == VG_PERFUSION_SAMPLE_BREATHING ? VG_PERFUSION_MOTION_SLICES
                                                                 : VG_PERFUSION_MOTION_OFF;
  params->signal = VG_PERFUSION_SIGNAL_LINEAR;
  params->signal_origin = VG_PERFUSION_SIGNAL_CHOSEN;
  params->haematocrit = (float) HAEMATOCRIT;
  params->relaxivity = (float) R1;
  params->t1_ms = (float) (T1_S * 1000);
  params->t1_blood_ms = (float) (T1_BLOOD_S * 1000);
  params->frame_interval_s = (float) STEP_S;
}

static char *
mark (const VgSyntheticSize *size, guint i, const char **name)
{
  if (size->sample == VG_PERFUSION_SAMPLE_ELLIPSE || i > 0)
    return NULL;
  *name = N_ ("Lesion");
  return vg_perfusion_abdomen_region (VG_PERFUSION_LESION, size->width, size->height);
}

/* ---- The two samples ---- */

static double
t1_s (VgPerfusionTissue tissue)
{
  return tissue == VG_PERFUSION_ARTERY || tissue == VG_PERFUSION_PORTAL ? T1_BLOOD_S : T1_S;
}

static VgPerfusionTissue
ellipse_voxel (int x, int y, int slice)
{
  if (slice >= 2 || x >= VESSEL || y >= VESSEL)
    return VG_PERFUSION_LIVER;
  return slice == 0 ? VG_PERFUSION_ARTERY : VG_PERFUSION_PORTAL;
}

/* The true ka, kp, kl in ml/100 g/min and delays in s. */
static void
ellipse_rates (const Phantom *self, int x, int y, int slice, double *value)
{
  double u = (x + 0.5) / self->width, v = (y + 0.5) / self->height, w = (double) slice / SLICES;
  double far = hypot (u - 0.62 - 0.05 * w, v - 0.45) / 0.17, tumour = far < 1 ? 1 : 0;

  value[VG_PERFUSION_OUTPUT_KA] = 20 + 12 * u + 70 * tumour;
  value[VG_PERFUSION_OUTPUT_KP] = (110 + 30 * sin (3 * v + w)) * (1 - 0.75 * tumour);
  value[VG_PERFUSION_OUTPUT_KL] = 380 + 120 * v + 200 * tumour;
  value[VG_PERFUSION_OUTPUT_TAU_A] = 0.5 + 2 * u;
  value[VG_PERFUSION_OUTPUT_TAU_P] = 1 + 2 * v;
}

/* The tissue of a voxel, its signal before the bolus and the noise of its concentration, mM. */
static VgPerfusionTissue
voxel (const Phantom *self, int x, int y, int slice, double *baseline, double *noise)
{
  VgPerfusionTissue tissue;

  if (self->sample == VG_PERFUSION_SAMPLE_ELLIPSE)
    {
      *baseline = 300 + 100.0 * y / self->height + 40.0 * x / self->width;
      *noise = NOISE_MM;
      return ellipse_voxel (x, y, slice);
    }
  tissue = vg_perfusion_abdomen_voxel (self->width, self->height, x, y, slice, baseline);
  *noise = NOISE_SIGNAL / (*baseline * R1 * t1_s (tissue));
  return tissue;
}

static void
rates (const Phantom *self, VgPerfusionTissue tissue, int x, int y, int slice, double *value)
{
  if (self->sample == VG_PERFUSION_SAMPLE_ELLIPSE)
    ellipse_rates (self, x, y, slice, value);
  else
    vg_perfusion_abdomen_rates (tissue, self->width, self->height, x, y, value);
}

/* ---- Signal ---- */

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

/* The concentration at every frame of tissue with the rates RATE, in mM. */
static void
fill_curve (const Phantom *self, const double *rate, double *curve)
{
  double a[FRAMES] = { 0 }, p[FRAMES] = { 0 };

  if (rate[VG_PERFUSION_OUTPUT_KA] > 0)
    vg_perfusion_curve (self->problem, self->problem->artery, VG_PERFUSION_EXPONENTIAL,
                        rate[VG_PERFUSION_OUTPUT_KL] / VG_PERFUSION_RATE,
                        rate[VG_PERFUSION_OUTPUT_TAU_A], a, NULL, NULL);
  if (rate[VG_PERFUSION_OUTPUT_KP] > 0)
    vg_perfusion_curve (self->problem, self->problem->portal, VG_PERFUSION_EXPONENTIAL,
                        rate[VG_PERFUSION_OUTPUT_KL] / VG_PERFUSION_RATE,
                        rate[VG_PERFUSION_OUTPUT_TAU_P], p, NULL, NULL);
  for (int i = 0; i < self->n; i++)
    curve[i] = (rate[VG_PERFUSION_OUTPUT_KA] * a[i] + rate[VG_PERFUSION_OUTPUT_KP] * p[i]) /
               VG_PERFUSION_RATE;
}

static void
fill_curves (Phantom *self)
{
  for (int tissue = 0; tissue < VG_PERFUSION_LIVER; tissue++)
    {
      double rate[RATES];

      vg_perfusion_abdomen_rates ((VgPerfusionTissue) tissue, 1, 1, 0, 0, rate);
      fill_curve (self, rate, self->curves[tissue]);
    }
  for (int i = 0; i < self->n; i++)
    {
      self->curves[VG_PERFUSION_ARTERY][i] = self->problem->artery[i] * (1 - HAEMATOCRIT);
      self->curves[VG_PERFUSION_PORTAL][i] = self->problem->portal[i] * (1 - HAEMATOCRIT);
    }
}

static void
fill_voxel (Phantom *self, int x, int y, int slice)
{
  gsize at = ((gsize) slice * (gsize) self->height + (gsize) y) * (gsize) self->width + (gsize) x;
  double baseline, deviation, own[FRAMES], rate[RATES];
  VgPerfusionTissue tissue = voxel (self, x, y, slice, &baseline, &deviation);
  const double *curve = tissue == VG_PERFUSION_LIVER ? own : self->curves[tissue];

  if (tissue == VG_PERFUSION_LIVER)
    {
      rates (self, tissue, x, y, slice, rate);
      fill_curve (self, rate, own);
    }
  for (int i = 0; i < self->n; i++)
    {
      double c = curve[i] + deviation * noise (self->seed, (guint64) i * self->voxels + at);

      self->samples[(gsize) i * self->voxels + at] = (float) (baseline *
                                                              (1 + c * R1 * t1_s (tissue)));
    }
}

double
vg_perfusion_breathing (int frame, int slice, double pixel_mm)
{
  double mm = 0.5 * BREATH_MM * sin (2 * G_PI * frame * STEP_S / BREATH_S + 0.8 * slice);

  return pixel_mm > LARGEST_MM ? 0 : rint (FINE * mm / pixel_mm) / FINE;
}

/* Column X of a slice that breathes: the means of FINE rows each of the still abdomen. */
static void
fill_column (Phantom *self, int x, int slice)
{
  const double pixel = vg_perfusion_abdomen_pixel_mm (self->width, self->height);
  const int margin = (int) ceil (FINE * BREATH_MM / pixel), width = FINE * self->width,
            height = FINE * self->height, rows = height + 2 * margin;
  g_autofree float *fine = g_new (float, (gsize) rows *(gsize) self->n);

  for (int row = 0; row < rows; row++)
    {
      int u = FINE * x + FINE / 2, v = row - margin;
      double baseline, own[FRAMES], rate[RATES];
      VgPerfusionTissue tissue = vg_perfusion_abdomen_voxel (width, height, u, v, slice, &baseline);
      const double *curve = tissue == VG_PERFUSION_LIVER ? own : self->curves[tissue];

      if (tissue == VG_PERFUSION_LIVER)
        {
          vg_perfusion_abdomen_rates (tissue, width, height, u, v, rate);
          fill_curve (self, rate, own);
        }
      for (int i = 0; i < self->n; i++)
        fine[row * self->n + i] = (float) (baseline * (1 + curve[i] * R1 * t1_s (tissue)));
    }
  for (int i = 0; i < self->n; i++)
    {
      int moved = (int) rint (FINE * vg_perfusion_breathing (i, slice, pixel));

      for (int y = 0; y < self->height; y++)
        {
          gsize at = ((gsize) slice * (gsize) self->height + (gsize) y) * (gsize) self->width +
                     (gsize) x;
          double sum = 0;

          for (int k = 0; k < FINE; k++)
            sum += (double) fine[(margin + FINE * y - moved + k) * self->n + i];
          self->samples[(gsize) i * self->voxels + at] =
              (float) (sum / FINE +
                       NOISE_SIGNAL * noise (self->seed, (guint64) i * self->voxels + at));
        }
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

static double
pixel_mm (const Phantom *self)
{
  return self->sample == VG_PERFUSION_SAMPLE_ELLIPSE
             ? 2
             : vg_perfusion_abdomen_pixel_mm (self->width, self->height);
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
  self->sample = size->sample;
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
                         .pixel_size = { pixel_mm (self), pixel_mm (self), 4 },
                         .pixel_unit = "mm",
                         .frame_interval_s = STEP_S };
  if (!g_size_checked_mul (&bytes, self->voxels, sizeof (float) * (gsize) self->n) ||
      !vg_memory_check (bytes, "the sample data", error) ||
      (self->samples = g_try_malloc (bytes)) == NULL)
    {
      if (error != NULL && *error == NULL)
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                     "there is not enough memory for sample data of %dx%d", size->width,
                     size->height);
      phantom_close (self);
      return NULL;
    }
  self->problem = make_problem ();
  fill_curves (self);
  if (self->sample == VG_PERFUSION_SAMPLE_BREATHING && pixel_mm (self) <= LARGEST_MM)
    {
#pragma omp parallel for schedule(dynamic, 8)
      for (int column = 0; column < self->width * SLICES; column++)
        fill_column (self, column % self->width, column / self->width);
      return self;
    }
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

/* Blood has no rates, and what does not enhance has neither an outflow nor delays. */
static gboolean
has_truth (VgPerfusionTissue tissue, const double *value, guint output)
{
  if (tissue == VG_PERFUSION_ARTERY || tissue == VG_PERFUSION_PORTAL)
    return FALSE;
  if (output == VG_PERFUSION_OUTPUT_TAU_A)
    return value[VG_PERFUSION_OUTPUT_KA] > 0;
  if (output == VG_PERFUSION_OUTPUT_TAU_P)
    return value[VG_PERFUSION_OUTPUT_KP] > 0;
  return output != VG_PERFUSION_OUTPUT_KL || value[VG_PERFUSION_OUTPUT_KL] > 0;
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
      (image = vg_image_new (&info, "the ground truth", error)) == NULL)
    return NULL;
  to = image->data;
  for (int z = 0; z < SLICES; z++)
    for (int y = 0; y < self->height; y++)
      for (int x = 0; x < self->width; x++)
        {
          double value[RATES], baseline, deviation;
          VgPerfusionTissue tissue = voxel (self, x, y, z, &baseline, &deviation);

          rates (self, tissue, x, y, z, value);
          *to++ = has_truth (tissue, value, output) ? (float) value[output] : NAN;
        }
  return image;
}

static const VgSample samples[] = {
  [VG_PERFUSION_SAMPLE_ABDOMEN] = { "abdomen", "Abdomen",
                                    "Three axial slices of the upper abdomen. In the liver, a "
                                    "lesion has more arterial and less portal inflow, and a cyst "
                                    "has none. Aorta, portal vein, liver and lesion are marked." },
  [VG_PERFUSION_SAMPLE_ELLIPSE] = { "ellipse", "Ellipse",
                                    "A round tumour in smoothly varying liver. The aorta and the "
                                    "portal vein are squares in a corner of the first and the "
                                    "second slice." },
  [VG_PERFUSION_SAMPLE_BREATHING] = { "breathing", "Breathing abdomen",
                                      "The abdomen, whose slices move by 10 mm from front to back, "
                                      "each in its own phase. Motion correction is on." },
  { NULL },
};

const VgSynthetic vg_perfusion_phantom = {
  .samples = samples,
  .live = { 160, 114, FRAMES, 1 },
  .batch = { 160, 114, FRAMES, 1 },
  .settings = settings,
  .mark = mark,
  .open = phantom_open,
  .read = phantom_read,
  .truth = phantom_truth,
  .close = phantom_close,
  .tolerance = 0.1,
  .agreement = 0.02,
};
