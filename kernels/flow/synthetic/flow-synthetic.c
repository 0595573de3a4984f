/* SPDX-License-Identifier: MIT */
#include "kernels/flow/synthetic/flow-synthetic.h"
#include "kernels/flow/model/flow-model.h"
#include "kernels/flow/synthetic/flow-clamp.h"
#include "kernels/flow/synthetic/flow-speckle.h"
#include "kernels/flow/synthetic/flow-vessels.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-random.h"
#include "kernels/base/vg-simd.h"
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif
/* A frame is the sum of a few speckle patterns (flow-speckle.c), each from a set of fields at a
 * random offset.  Field and offset follow from seed, frame and pattern, so frames can be computed
 * in any order, and two frames share only the static pattern.  Then vignetting, shot and read noise
 * (the scaled sum of four uniform random numbers), the dark level and 12 bits are applied. */

#define SPECKLE_PX 2.5
#define MEAN_DN 550.0
#define DARK_DN 64.0
#define GAIN_DN_PER_E 0.25
#define READ_DN 1.5

const double vg_flow_phantom_tau_ms[VG_FLOW_PHANTOM_TISSUES] = { 5.0, 2.0, 1.0, 0.5, 0.2 };

typedef struct
{
  int width, height;
  gboolean live;
  guint64 seed;
  double exposure_ms, interval_s, rho;
  VgFlowParams params;
  float *re, *im;  /* VG_FLOW_FIELDS fields */
  GArray *tissues; /* of VgFlowTissue */
  guint8 *tissue;  /* of each pixel, an index */
  float *light;    /* illumination factor of each column, then of each row */
  VgFlowClamp *clamp;
} Phantom;

int
vg_flow_phantom_tissue (int x, int y, int width, int height)
{
  static const double middle[] = { 0.20, 0.42, 0.64, 0.86 }, half[] = { 12.0, 16.0, 20.0, 24.0 };
  double scale = height / 512.0;

  for (int i = 0; i < 4; i++)
    {
      double centre = middle[i] * height + 12.0 * scale * sin (2.0 * G_PI * x / width + i);

      if (fabs (y - centre) < half[i] * scale)
        return i + 1;
    }
  return 0;
}

/* The camera's constants, and a fast window with little bias: it contains four times as many
 * speckles as one frame. */
static void
settings (const VgSyntheticSize *size, void *data)
{
  VgFlowParams *params = data;

  params->method = VG_FLOW_SPATIO_TEMPORAL;
  params->radius = 2;
  params->frames = 4;
  params->exposure_ms = 10.0f;
  params->dark_level = (float) DARK_DN;
  params->gain_dn_per_e = (float) GAIN_DN_PER_E;
  params->read_noise_dn = (float) READ_DN;
  params->quantisation = TRUE;
  /* K^2 that this window measures in a static target. */
  params->beta = (float) vg_flow_field_window_factor (params->radius, params->frames, SPECKLE_PX);
}

static void
phantom_close (gpointer data)
{
  Phantom *self = data;

  vg_table_free (self->params.exposures);
  g_free (self->re);
  g_free (self->im);
  g_clear_pointer (&self->tissues, g_array_unref);
  g_free (self->tissue);
  g_free (self->light);
  g_clear_pointer (&self->clamp, vg_flow_clamp_free);
  g_free (self);
}

static void
make_light (Phantom *self)
{
  for (int i = 0; i < self->width + self->height; i++)
    {
      int extent = i < self->width ? self->width : self->height;
      double place = 2.0 * ((i < self->width ? i : i - self->width) + 0.5) / extent - 1.0;

      self->light[i] = (float) exp (-0.3 * place * place);
    }
}

static void
draw_stripes (Phantom *self)
{
  self->tissues = g_array_new (FALSE, FALSE, sizeof (VgFlowTissue));
  for (int i = 0; i < VG_FLOW_PHANTOM_TISSUES; i++)
    {
      VgFlowTissue tissue = { vg_flow_phantom_tau_ms[i], i > 0 ? VG_FLOW_PULSE : VG_FLOW_STEADY };

      g_array_append_val (self->tissues, tissue);
    }
  for (int y = 0; y < self->height; y++)
    for (int x = 0; x < self->width; x++)
      self->tissue[(gsize) y * (gsize) self->width + (gsize) x] = (guint8) vg_flow_phantom_tissue (
          x, y, self->width, self->height);
}

static void
draw_tissues (Phantom *self, int sample)
{
  if (sample == VG_FLOW_SAMPLE_STRIPES)
    draw_stripes (self);
  else
    self->tissues = vg_flow_vessels_draw (self->width, self->height, self->tissue);
}

static gpointer
phantom_open (const void *params, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  const gsize field = (gsize) VG_FLOW_FIELD_SIZE * VG_FLOW_FIELD_SIZE;
  Phantom *self;
  int n_fields;

  if (size->width < 1 || size->height < 1 || size->width > 32768 || size->height > 32768)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the sample data cannot be %dx%d; choose 1 to 32768 pixels per side",
                   size->width, size->height);
      return NULL;
    }
  self = g_new0 (Phantom, 1);
  self->clamp = vg_flow_clamp_new ();
  self->params = *(const VgFlowParams *) params;
  self->params.dark_file = NULL;
  self->params.exposures = vg_table_copy (self->params.exposures);
  self->width = size->width;
  self->height = size->height;
  self->live = size->frames < 0;
  self->seed = size->seed;
  self->exposure_ms = self->params.exposure_ms;
  self->interval_s = MAX (1.0 / 30.0, 1.3e-3 * self->exposure_ms);
  self->rho = self->params.static_scattering == VG_FLOW_STATIC_NONE ? 1.0
                                                                    : self->params.dynamic_fraction;
  self->re = g_try_new (float, field *VG_FLOW_FIELDS);
  self->im = g_try_new (float, field *VG_FLOW_FIELDS);
  self->tissue = g_try_malloc ((gsize) self->width * (gsize) self->height);
  self->light = g_try_new (float, self->width + self->height);
  if (self->re == NULL || self->im == NULL || self->tissue == NULL || self->light == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for sample data of %dx%d; make them smaller",
                   self->width, self->height);
      phantom_close (self);
      return NULL;
    }
  make_light (self);
  n_fields = self->rho < 1.0 ? VG_FLOW_FIELDS : VG_FLOW_FIELDS - 1; /* the last one is static */
#pragma omp parallel for schedule(dynamic)
  for (int i = -1; i < n_fields; i++)
    if (i < 0)
      draw_tissues (self, size->sample);
    else
      vg_flow_field_fill (self->re + (gsize) i * field, self->im + (gsize) i * field, SPECKLE_PX,
                          self->seed * 1000 + (guint64) i);
  *info = (VgImageInfo){ .type = VG_U16,
                         .width = self->width,
                         .height = self->height,
                         .channels = 1,
                         .bins = 1,
                         .slices = 1,
                         .frames = size->frames,
                         .significant_bits = 12,
                         .pixel_size = { 20.0, 20.0, 0.0 },
                         .pixel_unit = "\302\265m",
                         .frame_interval_s = self->interval_s,
                         .exposure_ms = self->exposure_ms };
  return self;
}

/* Field and offset of one pattern of a frame. */
typedef struct
{
  const float *re, *im;
  int dx, dy;
} PatternOffset;

enum { TAIL = VG_FLOW_MODES, CROSS, STILL, N_PATTERNS };

static void
choose_offsets (const Phantom *self, gint64 index, PatternOffset *offsets)
{
  guint64 key = vg_random_bits (self->seed ^ vg_random_bits ((guint64) index + 1));
  int turn = (int) (key % (VG_FLOW_FIELDS - 1));

  for (int k = 0; k < N_PATTERNS; k++)
    {
      gsize field = k == STILL ? VG_FLOW_FIELDS - 1 : (gsize) ((turn + k) % (VG_FLOW_FIELDS - 1));
      guint64 at = k == STILL ? 0 : vg_random_bits (key + (guint64) k);

      offsets[k].re = self->re + field * VG_FLOW_FIELD_SIZE * VG_FLOW_FIELD_SIZE;
      offsets[k].im = self->im + field * VG_FLOW_FIELD_SIZE * VG_FLOW_FIELD_SIZE;
      offsets[k].dx = (int) (at & (VG_FLOW_FIELD_SIZE - 1));
      offsets[k].dy = (int) ((at >> 32) & (VG_FLOW_FIELD_SIZE - 1));
    }
}

/* Sets OUT to the value of each pixel's tissue, or to its square.  VALUE points to the value of the
 * first tissue, a member of its VgFlowExposure. */
VG_SIMD static void
spread (const float *value, gboolean squared, const guint8 *restrict tissue, float *restrict out,
        int n)
{
  enum { STRIDE = sizeof (VgFlowExposure) / sizeof (float) };

#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      float of_tissue = value[tissue[x] * STRIDE];

      out[x] = squared ? of_tissue * of_tissue : of_tissue;
    }
}

/* Light += |p a + f s|^2 */
VG_SIMD static void
add_mode (float *restrict light, const float *restrict ar, const float *restrict ai,
          const float *restrict sr, const float *restrict si, const float *restrict p,
          const float *restrict f, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      float re = p[x] * ar[x] + f[x] * sr[x], im = p[x] * ai[x] + f[x] * si[x];

      light[x] += re * re + im * im;
    }
}

/* Light += tail |a|^2 */
VG_SIMD static void
add_pattern (float *restrict light, const float *restrict ar, const float *restrict ai,
             const float *restrict tail, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    light[x] += tail[x] * (ar[x] * ar[x] + ai[x] * ai[x]);
}

/* Light += cross Re (a s*) */
VG_SIMD static void
add_cross (float *restrict light, const float *restrict ar, const float *restrict ai,
           const float *restrict sr, const float *restrict si, const float *restrict cross, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    light[x] += cross[x] * (ar[x] * sr[x] + ai[x] * si[x]);
}

/* One row of pixels; the fields repeat, so it may wrap.  P and F have room for a value of each
 * pixel. */
static void
add_row (const Phantom *self, const PatternOffset *offsets, const VgFlowExposure *exposure, int y,
         float *light, float *p, float *f)
{
  enum { MASK = VG_FLOW_FIELD_SIZE - 1 };
  const int n = self->width;
  const guint8 *tissue = self->tissue + (gsize) y * (gsize) n;
  const gboolean moves = self->rho >= 1.0; /* all light does */

  spread (&exposure->constant, FALSE, tissue, light, n);
  for (int k = 0; k < N_PATTERNS; k++)
    {
      if ((k == CROSS || k == STILL) && moves)
        continue;
      spread (k < TAIL     ? &exposure->mode[k]
              : k == TAIL  ? &exposure->tail
              : k == CROSS ? &exposure->cross
                           : &exposure->still,
              k < TAIL && moves, tissue, p, n);
      if (k < TAIL && !moves)
        spread (&exposure->field[k], FALSE, tissue, f, n);
      for (int x = 0, length; x < n; x += length)
        {
          int ax = (x + offsets[k].dx) & MASK, sx = x & MASK;
          gsize a = (gsize) ((y + offsets[k].dy) & MASK) * VG_FLOW_FIELD_SIZE + (gsize) ax;
          gsize s = (gsize) (y & MASK) * VG_FLOW_FIELD_SIZE + (gsize) sx;
          const float *ar = offsets[k].re + a, *ai = offsets[k].im + a;
          const float *sr = offsets[STILL].re + s, *si = offsets[STILL].im + s;

          length = MIN (n - x, VG_FLOW_FIELD_SIZE - MAX (ax, sx));
          if (k < TAIL && !moves)
            add_mode (light + x, ar, ai, sr, si, p + x, f + x, length);
          else if (k == CROSS)
            add_cross (light + x, ar, ai, sr, si, p + x, length);
          else
            add_pattern (light + x, ar, ai, p + x, length);
        }
    }
}

/* Light to grey levels, with noise. */
VG_SIMD static void
expose_row (const float *restrict light, const float *restrict across, float down, guint64 key,
            guint16 *restrict out, int n)
{
#pragma omp simd
  for (int x = 0; x < n; x++)
    {
      guint64 h = vg_random_bits (key + (guint64) x);
      float sum = (float) (gint32) ((h & 0xffff) + ((h >> 16) & 0xffff) + ((h >> 32) & 0xffff) +
                                    (h >> 48));
      /* Four uniform numbers: mean 2, variance 1/3. */
      float noise = (sum * (1.0f / 65535.0f) - 2.0f) * 1.7320508f;
      float signal = (float) MEAN_DN * light[x] * across[x] * down;
      float dn = signal + (float) DARK_DN + 0.5f +
                 noise *
                     __builtin_sqrtf ((float) GAIN_DN_PER_E * signal + (float) (READ_DN * READ_DN));

      dn = dn > 0.0f ? dn : 0.0f;
      dn = dn < 4095.0f ? dn : 4095.0f;
      out[x] = (guint16) (gint32) dn;
    }
}

static gboolean
phantom_read (gpointer data, gint64 index, void *frame, GError **error)
{
  const Phantom *self = data;
  VgFlowExposure exposure[VG_FLOW_MOST_TISSUES];
  PatternOffset offsets[N_PATTERNS];
  const VgTable *cycle = self->params.exposures;
  double time_s = (double) index * self->interval_s;
  double exposure_ms = cycle != NULL && index >= 0 ? cycle->values[index % cycle->rows]
                                                   : self->exposure_ms;
  double clamp = self->live ? vg_flow_clamp_get (self->clamp, time_s) : 1.0;
  guint64 key = vg_random_bits (self->seed + vg_random_bits ((guint64) index) + 7);

#pragma omp parallel for
  for (guint i = 0; i < self->tissues->len; i++)
    {
      const VgFlowTissue *tissue = &g_array_index (self->tissues, VgFlowTissue, i);
      double speed = self->live ? vg_flow_tissue_speed (tissue, time_s, clamp) : 1.0;

      vg_flow_exposure_fill (&exposure[i], exposure_ms / tissue->tau_ms * speed, self->rho);
    }
  choose_offsets (self, index, offsets);
#pragma omp parallel
  {
    g_autofree float *light = g_new (float, self->width), *p = g_new (float, self->width),
                     *f = g_new (float, self->width);

#pragma omp for
    for (int y = 0; y < self->height; y++)
      {
        add_row (self, offsets, exposure, y, light, p, f);
        expose_row (light, self->light, self->light[self->width + y],
                    key + (guint64) y * (guint64) self->width,
                    (guint16 *) frame + (gsize) y * (gsize) self->width, self->width);
      }
  }
  return TRUE;
}

static double
phantom_trigger (gpointer data, gboolean on)
{
  return vg_flow_clamp_press (((Phantom *) data)->clamp, on);
}

static float
truth_value (const Phantom *self, guint output, int tissue)
{
  double tau = g_array_index (self->tissues, VgFlowTissue, tissue).tau_ms;
  double k2 = self->params.beta *
              vg_flow_model_k2 (VG_FLOW_LORENTZIAN, self->exposure_ms / tau, self->rho);

  switch (output)
    {
    case VG_FLOW_OUTPUT_CONTRAST:
      return (float) sqrt (k2);
    case VG_FLOW_OUTPUT_FLOW_INDEX:
      return (float) (500.0 / (self->exposure_ms * k2));
    case VG_FLOW_OUTPUT_CORRELATION_TIME:
      return (float) tau;
    case VG_FLOW_OUTPUT_STATIC_FRACTION:
    default:
      return (float) (1.0 - self->rho);
    }
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
                       .slices = 1,
                       .frames = 1 };
  VgImage *image;

  if (output == VG_FLOW_OUTPUT_RELATIVE_FLOW || output >= VG_FLOW_OUTPUT_INTENSITY || self->live ||
      (self->params.exposures != NULL && output <= VG_FLOW_OUTPUT_FLOW_INDEX))
    return NULL;
  image = vg_image_new (&info, "truth", error);
  if (image == NULL)
    return NULL;
  for (gsize i = 0; i < (gsize) self->width * (gsize) self->height; i++)
    ((float *) image->data)[i] = truth_value (self, output, self->tissue[i]);
  return image;
}

static const VgSampleEvent press = {
  "Press on the Vessel", "Release the Vessel",
  "Closes a branch of the artery in the sample data as long as the button is pressed. Afterwards "
  "its flow overshoots."
};

static const VgSample samples[] = {
  [VG_FLOW_SAMPLE_VESSELS] = { "vessels", "Vessels",
                               "Arteries and veins on the surface of tissue. Live, they pulse; "
                               "once a minute, or while a button is pressed, a branch is closed, "
                               "and its flow overshoots afterwards.",
                               &press },
  [VG_FLOW_SAMPLE_STRIPES] = { "stripes", "Stripes",
                               "Four wavy vessels with correlation times of 2, 1, 0.5 and 0.2 ms "
                               "in tissue of 5 "
                               "ms. Live, "
                               "their flow pulses." },
  { NULL },
};

const VgSynthetic vg_flow_phantom = {
  .samples = samples,
  .live = { 512, 512, -1, 1 },
  .batch = { 512, 512, 32, 1 },
  .settings = settings,
  .open = phantom_open,
  .read = phantom_read,
  .truth = phantom_truth,
  .close = phantom_close,
  .trigger = phantom_trigger,
  .tolerance = 0.1,
};
