/* SPDX-License-Identifier: MIT */
/* The CUDA engine of lifetime compared with the CPU engine: all outputs, for random and for
 * unusual types, sizes and settings. */
#include "tests/kernels/lifetime/support/lifetime-pulse.h"
#include "tests/support/gpu-begin.h"
#include "kernels/lifetime/engine/lifetime-view.h"

static const VgCuda *cuda;

typedef struct
{
  LifetimeFixture cpu, gpu;
  VgInputFile irf;
} Pair;

static void
pair_init (Pair *self, VgType type, int width, int height, int bins, int slices)
{
  memset (self, 0, sizeof *self);
  lifetime_init (&self->cpu, type, width, height, bins, 0.1);
  lifetime_init (&self->gpu, type, width, height, bins, 0.1);
  self->cpu.info.slices = self->gpu.info.slices = slices;
  self->gpu.engine = vg_cuda_engine (&vg_lifetime_operation);
  self->gpu.cuda = cuda;
  g_assert_nonnull (self->gpu.engine);
}

static void
pair_share (Pair *self)
{
  vg_params_free (&vg_lifetime_operation.params, self->gpu.params);
  self->gpu.params = vg_params_copy (&vg_lifetime_operation.params, self->cpu.params);
}

static void
pair_run (Pair *self, const void *cube)
{
  pair_share (self);
  if (self->cpu.state == NULL)
    {
      lifetime_prepare_with (&self->cpu, &self->irf, self->irf.image != NULL);
      lifetime_prepare_with (&self->gpu, &self->irf, self->irf.image != NULL);
    }
  lifetime_run (&self->cpu, cube);
  lifetime_run (&self->gpu, cube);
}

static void
pair_update (Pair *self)
{
  pair_share (self);
  if (self->cpu.params->bin > 0 && !self->cpu.engine->update (self->cpu.state, self->cpu.params))
    return; /* The CPU engine allocates its planes when binning is first used. */
  lifetime_update (&self->cpu);
  lifetime_update (&self->gpu);
}

static void
pair_clear (Pair *self)
{
  lifetime_clear (&self->cpu);
  lifetime_clear (&self->gpu);
}

static void
compare_output (Pair *self, guint which)
{
  VgPlane a = { 0 }, b = { 0 };
  g_autofree float *cpu = lifetime_map_of (&self->cpu, which, &a),
                   *gpu = lifetime_map_of (&self->gpu, which, &b);
  gsize n, unlike = 0;
  gboolean bi = vg_lifetime_is_biexponential (self->cpu.params->method);

  g_assert_true ((cpu == NULL) == (gpu == NULL));
  if (cpu == NULL)
    return;
  g_assert_true (a.width == b.width && a.height == b.height && a.slices == b.slices);
  n = (gsize) a.width * (gsize) a.height * (gsize) a.slices;
  for (gsize i = 0; i < n; i++)
    {
      double x = cpu[i], y = gpu[i];

      /* A mean that consists of rounding errors counts as 0. */
      if ((isnan (x) && isnan (y)) || fabs (x - y) <= 1e-4 * MAX (fabs (x), fabs (y)) + 1e-9)
        continue;
      /* A phasor at the edge of a cell may be rounded into the neighbour. */
      if (which == VG_LIFETIME_OUTPUT_DENSITY)
        continue;
      unlike++;
      g_test_message (
          "output %s, method %d, type %d: %.9g on the CPU, %.9g on the GPU, pixel %" G_GSIZE_FORMAT
          " of %dx%dx%d",
          vg_lifetime_operation.outputs[which].id, self->cpu.params->method, self->cpu.info.type, x,
          y, i, a.width, a.height, a.slices);
    }
  /* Lifetimes that are not determined depend on the last digit. */
  if (self->cpu.params->phasor_filter == VG_LIFETIME_FILTER_WAVELET)
    g_assert_cmpuint (unlike, <=, 4 + n / 500); /* A wavelet at the threshold may be kept or not. */
  else
    g_assert_cmpuint (unlike, <=, bi ? 1 + n / 10000 : 0);
}

static void
compare_density (Pair *self)
{
  g_autofree float *cpu = lifetime_map_of (&self->cpu, VG_LIFETIME_OUTPUT_DENSITY, NULL);
  g_autofree float *gpu = lifetime_map_of (&self->gpu, VG_LIFETIME_OUTPUT_DENSITY, NULL);
  double moved = 0.0, all = 1.0;

  for (int i = 0; i < VG_LIFETIME_DENSITY_SIDE * VG_LIFETIME_DENSITY_SIDE; i++)
    {
      double x = isnan (cpu[i]) ? 0.0 : cpu[i], y = isnan (gpu[i]) ? 0.0 : gpu[i];

      moved += fabs (x - y);
      all += x;
    }
  g_assert_cmpfloat (moved, <=, 2.0 + 1e-4 * all);
}

static void
compare_all (Pair *self)
{
  g_autoptr (VgMetrics) a = vg_metrics_new (), b = vg_metrics_new ();

  for (guint i = 0; i < VG_LIFETIME_N_OUTPUTS; i++)
    compare_output (self, i);
  compare_density (self);
  self->cpu.engine->results (self->cpu.state, a, NULL);
  self->gpu.engine->results (self->gpu.state, b, NULL);
  g_assert_cmpuint (a->items->len, ==, b->items->len);
  for (guint i = 0; i < a->items->len; i++)
    {
      const VgMetric *x = &g_array_index (a->items, VgMetric, i),
                     *y = &g_array_index (b->items, VgMetric, i);

      g_assert_cmpstr (x->id, ==, y->id);
      g_assert_true ((isnan (x->value) && isnan (y->value)) ||
                     fabs (x->value - y->value) <= 1e-9 * fabs (x->value));
    }
}

static void
put (void *cube, VgType type, gsize i, double value)
{
  if (type == VG_U8)
    ((guint8 *) cube)[i] = (guint8) value;
  else if (type == VG_U16)
    ((guint16 *) cube)[i] = (guint16) value;
  else if (type == VG_U32)
    ((guint32 *) cube)[i] = (guint32) value;
  else
    ((float *) cube)[i] = (float) value;
}

/* Fast random numbers from 0 to 1 for the samples. */
static guint64 noise_state;

static double
noise (void)
{
  noise_state ^= noise_state << 13;
  noise_state ^= noise_state >> 7;
  noise_state ^= noise_state << 17;
  return (double) (noise_state >> 11) * 0x1p-53;
}

/* Decays of random lifetimes behind a pulse at random positions, with noise, a few saturated
 * pixels and, in float cubes, a few NaN. */
static void *
random_cube (const VgImageInfo *info)
{
  gsize pixels = (gsize) info->width * (gsize) info->height;
  int bins = (int) info->bins,
      pulse = g_test_rand_bit () ? 0 : (int) g_test_rand_int_range (0, MAX (bins / 4, 1));
  double top = info->type == VG_U8 ? 200.0 : 3000.0;
  void *cube = g_malloc0 (vg_image_info_frame_bytes (info));
  double largest = info->type == VG_F32 ? (double) NAN
                                        : exp2 (8.0 * (double) vg_type_size (info->type)) - 1.0;

  noise_state = (guint64) g_test_rand_int () << 32 | 1;
  for (gsize s = 0; s < (gsize) info->slices; s++)
    for (gsize i = 0; i < pixels; i++)
      {
        double r = exp (-1.0 / ((0.02 + 0.38 * noise ()) * bins + 0.5)), value = top * noise (),
               odd = noise ();

        for (int j = 0; j < bins; j++)
          {
            double sample = j < pulse || odd < 0.005
                                ? 0.0
                                : rint (MAX (value + (2.0 * noise () - 1.0) * sqrt (value), 0.0));

            if (odd > 0.995 && j == bins / 2)
              sample = largest;
            put (cube, info->type, (s * (gsize) bins + (gsize) j) * pixels + i, sample);
            value *= j < pulse ? 1.0 : r;
          }
      }
  return cube;
}

static void
random_settings (VgLifetimeParams *p, int bins)
{
  p->method = g_test_rand_int_range (0, VG_LIFETIME_BCMM + 1);
  p->window_correction = g_test_rand_bit ();
  p->iem_form = g_test_rand_int_range (0, 2);
  p->iem_gate_ns = (float) g_test_rand_double_range (0.1, 3.0);
  p->rld_gates = g_test_rand_int_range (0, 2);
  p->rld_gate_ns = (float) g_test_rand_double_range (0.1, 9.0);
  p->harmonic = g_test_rand_int_range (1, 4);
  p->phasor_form = g_test_rand_int_range (0, 2);
  p->fix_long = g_test_rand_bit ();
  p->fix_short = g_test_rand_bit ();
  p->long_lifetime_ns = (float) (0.03 * bins);
  p->short_lifetime_ns = (float) (0.005 * bins);
  p->period_ns = g_test_rand_bit () ? 0.0f : (float) (0.13 * bins);
  p->range = g_test_rand_int_range (0, 2);
  p->fit_start_ns = (float) g_test_rand_double_range (0.0, 0.03 * bins);
  p->fit_end_ns = g_test_rand_bit () ? 0.0f : (float) (0.08 * bins);
  p->threshold = (float) g_test_rand_int_range (0, 300);
  p->background = g_test_rand_bit () ? 0.0f : 0.5f;
  p->irf_model = g_test_rand_int_range (0, VG_LIFETIME_IRF_MEASURED);
  p->irf_fwhm_ns = 0.3f;
  p->irf_shift_ns = (float) g_test_rand_double_range (-0.2, 0.2);
}

static const int sizes[][2] = { { 1, 1 },   { 7, 13 },  { 1, 63 },  { 63, 1 },
                                { 37, 23 }, { 64, 48 }, { 131, 67 } };
static const int all_bins[] = { 2, 3, 4, 5, 17, 64, 256, 257 };
static const VgType types[] = { VG_U8, VG_U16, VG_U32, VG_F32 };

static void
test_random (void)
{
  int rounds = g_test_thorough () ? 400 : 60;

  for (int i = 0; i < rounds; i++)
    {
      const int *size = sizes[g_test_rand_int_range (0, G_N_ELEMENTS (sizes))];
      int bins = all_bins[g_test_rand_int_range (0, G_N_ELEMENTS (all_bins))];
      g_autofree void *cube = NULL;
      Pair pair;

      pair_init (&pair, types[i % 4], size[0], size[1], bins, i % 5 == 0 ? 3 : 1);
      cube = random_cube (&pair.cpu.info);
      pair.cpu.params->bin = i % 3 == 0 ? g_test_rand_int_range (1, 11) : 0;
      random_settings (pair.cpu.params, bins);
      g_test_message ("%d: type %d, %dx%d, %d bins, method %d, range %d, irf %d, binning %d", i,
                      types[i % 4], size[0], size[1], bins, pair.cpu.params->method,
                      pair.cpu.params->range, pair.cpu.params->irf_model, pair.cpu.params->bin);
      pair_run (&pair, cube);
      compare_all (&pair);
      for (int k = 0; k < 6; k++)
        {
          random_settings (pair.cpu.params, bins);
          pair_update (&pair);
          compare_all (&pair);
        }
      pair_clear (&pair);
    }
}

/* Measured IRFs: a file with other bins, and a region. */
static void
test_measured (void)
{
  for (int way = 0; way < 3; way++)
    {
      VgImageInfo info = { .type = VG_F32,
                           .width = 1,
                           .height = 1,
                           .channels = 1,
                           .bins = 500,
                           .slices = 1,
                           .frames = 1,
                           .bin_width_ns = 0.03 };
      g_autoptr (VgImage) image = vg_image_new (&info, "response", NULL);
      g_autofree void *cube = NULL;
      Pair pair;

      for (int j = 0; j < 500; j++)
        ((float *) image->data)[j] = (float) exp (-0.5 * (j - 40) * (j - 40) / 30.0);
      pair_init (&pair, VG_U16, 61, 35, 128, 1);
      cube = random_cube (&pair.cpu.info);
      pair.cpu.params->irf_lifetime_ns = way == 2 ? 1.5f : 0.0f;
      pair.cpu.params->irf = g_strdup (way == 0 ? "response.sdt" : "ellipse:30,17,9,6");
      if (way == 0)
        pair.irf = (VgInputFile){ "irf", image };
      for (int method = 0; method <= VG_LIFETIME_BCMM; method++)
        {
          pair.cpu.params->method = method;
          pair_run (&pair, cube);
          compare_all (&pair);
        }
      pair_clear (&pair);
    }
}

/* Filters, over sizes with and without room for their levels, with cursors. */
static void
test_phasors (void)
{
  static const int cubes[][3] = {
    { 64, 50, 1 }, { 1, 1, 1 }, { 2, 37, 1 }, { 33, 31, 3 }, { 257, 5, 1 }
  };

  for (guint s = 0; s < G_N_ELEMENTS (cubes); s++)
    for (int filter = 0; filter <= VG_LIFETIME_FILTER_WAVELET; filter++)
      {
        g_autofree void *cube = NULL;
        Pair pair;

        pair_init (&pair, VG_U16, cubes[s][0], cubes[s][1], 60, cubes[s][2]);
        cube = random_cube (&pair.cpu.info);
        pair.cpu.params->method = VG_LIFETIME_PHASOR;
        pair.cpu.params->phasor_filter = filter;
        pair.cpu.params->median_radius = 1 + (int) (s % VG_LIFETIME_MAX_MEDIAN);
        pair.cpu.params->median_passes = 2;
        pair.cpu.params->wavelet_levels = 1 + (int) s;
        pair.cpu.params->cursors = vg_table_parse ("0,0.3,0.4,0.2,20;0.5,0.3,0.2,0.3,-40", 5, NULL);
        pair_run (&pair, cube);
        compare_output (&pair, VG_LIFETIME_OUTPUT_PHASOR_G);
        compare_output (&pair, VG_LIFETIME_OUTPUT_PHASOR_S);
        compare_output (&pair, VG_LIFETIME_OUTPUT_LIFETIME);
        compare_output (&pair, VG_LIFETIME_OUTPUT_CURSOR);
        pair.cpu.params->cursors->values[0] = 0.2; /* in place */
        pair_update (&pair);
        compare_output (&pair, VG_LIFETIME_OUTPUT_CURSOR);
        pair_clear (&pair);
      }
}

static void
test_curves (void)
{
  VgRegion region;
  g_autofree void *cube = NULL;
  Pair pair;

  pair_init (&pair, VG_U16, 64, 50, 100, 1);
  cube = random_cube (&pair.cpu.info);
  pair.cpu.params->bin = 2;
  pair_run (&pair, cube);
  g_assert_true (vg_region_parse (&region, "ellipse:30,20,12,9", NULL));
  for (int i = 0; i < 5; i++)
    {
      const VgEngineCurves *c = pair.cpu.engine->curves, *g = pair.gpu.engine->curves;
      g_autoptr (VgCurves) a = i < 2    ? c->plot (pair.cpu.state, (guint) i, NULL)
                               : i == 4 ? c->sample_region (pair.cpu.state, &region, NULL)
                                        : c->sample (pair.cpu.state, 3 + i, 49, 0, NULL);
      g_autoptr (VgCurves) b = i < 2    ? g->plot (pair.gpu.state, (guint) i, NULL)
                               : i == 4 ? g->sample_region (pair.gpu.state, &region, NULL)
                                        : g->sample (pair.gpu.state, 3 + i, 49, 0, NULL);

      g_assert_cmpuint (a->series->len, ==, b->series->len);
      g_assert_cmpstr (a->title, ==, b->title);
      for (guint s = 0; s < a->series->len; s++)
        {
          const VgSeries *x = g_ptr_array_index (a->series, s),
                         *y = g_ptr_array_index (b->series, s);

          g_assert_cmpint (x->n, ==, y->n);
          /* A bar may gain the pixel that its neighbour lost. */
          for (int k = 0; k < x->n && i != 0; k++)
            g_assert_true (isnan (x->y[k])
                               ? isnan (y->y[k])
                               : fabs (x->y[k] - y->y[k]) <= 1e-5 * (1 + fabs (x->y[k])));
        }
    }
  /* the fit results in the title, except for the last digit */
  pair.cpu.params->method = VG_LIFETIME_MLE;
  pair_run (&pair, cube);
  for (int i = 0; i < 20; i++)
    {
      g_autoptr (VgCurves) a = pair.cpu.engine->curves->sample (pair.cpu.state, 3 + i, 20, 0, NULL),
                           b = pair.gpu.engine->curves->sample (pair.gpu.state, 3 + i, 20, 0, NULL);

      g_assert_cmpint (strstr (a->title, "; deviance") == NULL, ==,
                       strstr (b->title, "; deviance") == NULL);
      g_assert_cmpstr (strrchr (a->title, ';'), ==, strrchr (b->title, ';'));
    }
  pair_clear (&pair);
}

/* Offsets from the bins before the pulse, different in each pixel: alone and shared, binned or
 * not, in slices.  When binned, pulses follow so closely that photons of previous pulses remain. */
static void
test_offset (void)
{
  enum { WIDTH = 61, HEIGHT = 9, SLICES = 2, BINS = 100, PAGE = WIDTH * HEIGHT };
  g_autofree guint16 *cube = g_new (guint16, SLICES * BINS * PAGE);
  double counts[BINS];

  for (int sharing = 0; sharing <= VG_LIFETIME_SHARE_IMAGE; sharing++)
    for (int bin = 0; bin < 3; bin += 2)
      {
        g_autofree float *a = NULL, *b = NULL, *tau_a = NULL, *tau_b = NULL;
        double period = bin > 0 ? 12.5 : 50.0, worst = 0;
        Pair pair;

        make_decay (counts, BINS, 0.1, 2.0, 2.5, 0.3, period);
        for (int k = 0; k < SLICES * BINS; k++)
          for (int i = 0; i < PAGE; i++)
            cube[k * PAGE + i] = (guint16) (rint (0.5 * counts[k % BINS]) + i % WIDTH +
                                            3 * (k / BINS));

        pair_init (&pair, VG_U16, WIDTH, HEIGHT, BINS, SLICES);
        pair.cpu.params->method = VG_LIFETIME_MLE;
        pair.cpu.params->offset = VG_LIFETIME_OFFSET_BEFORE;
        pair.cpu.params->sharing = sharing;
        pair.cpu.params->bin = bin;
        pair.cpu.params->range = VG_LIFETIME_RANGE_AUTO;
        pair.cpu.params->period_ns = (float) period;
        pair.cpu.params->irf_model = VG_LIFETIME_IRF_ESTIMATED;
        pair_run (&pair, cube);
        a = lifetime_map_of (&pair.cpu, VG_LIFETIME_OUTPUT_OFFSET, NULL);
        b = lifetime_map_of (&pair.gpu, VG_LIFETIME_OUTPUT_OFFSET, NULL);
        tau_a = lifetime_map_of (&pair.cpu, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
        tau_b = lifetime_map_of (&pair.gpu, VG_LIFETIME_OUTPUT_LIFETIME, NULL);
        for (int i = 0; i < SLICES * PAGE; i++)
          worst = MAX (worst, fabs (tau_b[i] / tau_a[i] - 1));
        g_test_message ("sharing %d, binning %d: lifetimes differ by %g at most", sharing, bin,
                        worst);
        /* A fit ends when less than 1e-7 of the deviance can be gained.  With binning, an
         * estimated IRF leaves so large a deviance that this is a twentieth of a standard error. */
        g_assert_cmpfloat (worst, <=, bin > 0 ? 2e-4 : 1e-4);
        for (int i = 0; i < SLICES * PAGE; i++)
          {
            g_assert_cmpfloat_with_epsilon (b[i], a[i], 1e-6 * (1.0 + a[i]));
            if (bin == 0)
              g_assert_cmpfloat_with_epsilon (a[i], i % WIDTH + 3 * (i / PAGE), 0.01);
          }
        pair_clear (&pair);
      }
}

/* A cube with more samples than a 32-bit integer counts. */
static void
test_large (void)
{
  enum { SIDE = 1024, BINS = 2304 };
  const gsize page = (gsize) SIDE * SIDE;
  g_autofree guint8 *cube = g_try_malloc (page * BINS);
  Pair pair;

  if (cube == NULL)
    {
      g_test_skip ("no memory for it");
      return;
    }
  for (gsize i = 0; i < page; i++)
    cube[i] = (guint8) (i * 2654435761u >> 29);
  for (gsize j = 1; j < BINS; j++) /* fewer photons later, and other pixels on the last pages */
    for (gsize i = 0; i < page; i++)
      cube[j * page + i] = (guint8) (j < 300    ? cube[i] + 3
                                     : j < 2000 ? cube[i]
                                                : cube[page - 1 - i] >> 1);
  pair_init (&pair, VG_U8, SIDE, SIDE, BINS, 1);
  pair.cpu.params->bin_width_ns = pair.gpu.params->bin_width_ns = 0.01f;
  pair_run (&pair, cube);
  compare_output (&pair, VG_LIFETIME_OUTPUT_LIFETIME);
  compare_output (&pair, VG_LIFETIME_OUTPUT_INTENSITY);
  compare_output (&pair, VG_LIFETIME_OUTPUT_PHASOR_G);
  g_assert_cmpfloat (lifetime_number (&pair.gpu, "photons"), ==,
                     lifetime_number (&pair.cpu, "photons"));
  pair_clear (&pair);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/lifetime/random", test_random);
  g_test_add_func ("/gpu/lifetime/short/measured", test_measured);
  g_test_add_func ("/gpu/lifetime/short/curves", test_curves);
  g_test_add_func ("/gpu/lifetime/short/phasors", test_phasors);
  g_test_add_func ("/gpu/lifetime/short/offset", test_offset);
  g_test_add_func ("/gpu/lifetime/large", test_large);
  return g_test_run ();
}
