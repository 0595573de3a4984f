/* SPDX-License-Identifier: MIT */
/* The CUDA engine of flow against the CPU engine: all outputs, for types, sizes,
 * radii and settings drawn at random and for the awkward ones. */
#include "tests/kernels/flow/support/flow-pair.h"
#include "tests/support/gpu-begin.h"
#include "tests/kernels/flow/support/flow-update.h"

static const VgCuda *cuda;

typedef struct
{
  VgType type;
  int bits;
} Kind;
static const Kind kinds[] = { { VG_U8, 8 },   { VG_U16, 12 }, { VG_U16, 16 },
                              { VG_U16, 10 }, { VG_U32, 20 }, { VG_F32, 16 } };
static const int sizes[][2] = { { 1, 1 },   { 1, 63 },   { 63, 1 },  { 2, 2 },
                                { 37, 23 }, { 160, 48 }, { 333, 77 } };

static void
random_settings (VgFlowParams *params)
{
  params->method = g_test_rand_int_range (0, 3);
  params->radius = g_test_rand_int_range (1, 16);
  params->frames = g_test_rand_int_range (2, 7);
  params->edges = g_test_rand_int_range (0, 2);
  params->average = g_test_rand_bit () ? 1 : 3;
  params->model = g_test_rand_int_range (0, 4);
  params->static_scattering = g_test_rand_int_range (0, 3);
  params->mask_saturated = g_test_rand_bit ();
  params->calibrated = g_test_rand_bit ();
  params->zero_index = 20.0f;
  params->reference_index = 220.0f;
  params->dark_level = (float) g_test_rand_int_range (0, 3) * (g_test_rand_bit () ? 5.0f : 4.3f);
  if (g_test_rand_bit ())
    {
      params->gain_dn_per_e = 0.5f;
      params->read_noise_dn = 2.5f;
      params->quantisation = TRUE;
    }
}

static void
run_frames (FlowPair *pair)
{
  int n = pair->cpu.params->frames + pair->cpu.params->average + 3;

  for (int i = 0; i < n; i++)
    if (flow_pair_run (pair) == VG_STEP_DONE && i >= n - 2)
      flow_pair_compare (pair);
}

static void
test_random (void)
{
  int rounds = g_test_thorough () ? 300 : 60;

  for (int i = 0; i < rounds; i++)
    {
      const Kind *kind = &kinds[g_test_rand_int_range (0, G_N_ELEMENTS (kinds))];
      const int *size = sizes[g_test_rand_int_range (0, G_N_ELEMENTS (sizes))];
      FlowPair pair;

      flow_pair_init (&pair, cuda, kind->type, size[0], size[1], kind->bits);
      random_settings (pair.cpu.params);
      g_test_message ("%d: type %d, %d bits, %dx%d, method %d, radius %d, frames %d, average %d", i,
                      kind->type, kind->bits, size[0], size[1], pair.cpu.params->method,
                      pair.cpu.params->radius, pair.cpu.params->frames, pair.cpu.params->average);
      flow_pair_prepare (&pair);
      run_frames (&pair);
      flow_pair_clear (&pair);
    }
}

static void
test_ties (void)
{
  FlowPair pair;
  g_autofree float *map = NULL;

  flow_pair_init (&pair, cuda, VG_U8, 1, 1, 8);
  flow_tie_init (&pair.cpu);
  flow_tie_init (&pair.gpu);
  flow_pair_prepare (&pair);
  flow_tie_run (&pair.cpu);
  flow_tie_run (&pair.gpu);
  map = flow_pair_download (&pair, VG_FLOW_OUTPUT_CONTRAST);
  flow_tie_check (map);
  flow_pair_compare (&pair);
  flow_pair_clear (&pair);
}

/* Every radius, both edges, dark level or not: one frame each. */
static void
test_every_radius (void)
{
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius++)
      for (int way = 0; way < 4; way++)
        {
          FlowPair pair;

          flow_pair_init (&pair, cuda, kinds[k].type, 141, 39, kinds[k].bits);
          pair.cpu.params->radius = radius;
          pair.cpu.params->edges = way & 1;
          pair.cpu.params->dark_level = way & 2 ? 9 : 0;
          flow_pair_prepare (&pair);
          flow_pair_run (&pair);
          flow_pair_compare (&pair);
          flow_pair_clear (&pair);
        }
}

/* Sizes with every remainder of the vector width, and a camera's. */
static void
test_sizes (void)
{
  for (int i = 0; i < 10; i++)
    for (int method = 0; method < 2; method++)
      {
        FlowPair pair;

        flow_pair_init (&pair, cuda, VG_U16, i < 9 ? 125 + i : 1393, i < 9 ? 30 + i : 1041,
                        i % 2 ? 12 : 16);
        pair.cpu.params->method = method;
        pair.cpu.params->frames = 4;
        flow_pair_prepare (&pair);
        for (int k = 0; k < 6; k++)
          flow_pair_run (&pair);
        flow_pair_compare (&pair);
        flow_pair_clear (&pair);
      }
}

/* A camera whose exposure time changes, in the baseline and after it. */
static void
test_exposures (void)
{
  static const double exposures[] = { 8, 3, 8, 20, 0.5 };

  for (int statics = VG_FLOW_STATIC_NONE; statics <= VG_FLOW_STATIC_MEASURED; statics++)
    {
      FlowPair pair;

      flow_pair_init (&pair, cuda, VG_U16, 130, 40, 12);
      pair.cpu.params->static_scattering = statics;
      pair.cpu.params->baseline_frames = 2;
      flow_pair_prepare (&pair);
      for (gsize i = 0; i < G_N_ELEMENTS (exposures); i++)
        {
          pair.cpu.exposure_ms = pair.gpu.exposure_ms = exposures[i];
          if (flow_pair_run (&pair) == VG_STEP_DONE)
            flow_pair_compare (&pair);
        }
      flow_pair_clear (&pair);
    }
}

/* A file that says 12 bits and holds 16 must not give wrong contrast. */
static void
test_more_bits_than_said (void)
{
  FlowPair pair;
  VgImageInfo honest;
  g_autofree void *data = NULL;

  flow_pair_init (&pair, cuda, VG_U16, 200, 60, 12);
  pair.cpu.params->mask_saturated = FALSE;
  flow_pair_prepare (&pair);
  honest = flow_info (VG_U16, 200, 60, 16);
  data = flow_random_frame (&honest);
  g_assert_cmpint (flow_fixture_run (&pair.cpu, data), ==, flow_fixture_run (&pair.gpu, data));
  flow_pair_compare (&pair);
  flow_pair_clear (&pair);
}

static void
test_constant_frames (void)
{
  static const guint16 levels[] = { 0, 100, 200, 65535 };

  for (gsize i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      g_autofree guint16 *data = g_new (guint16, 130 * 20);
      FlowPair pair;

      for (int k = 0; k < 130 * 20; k++)
        data[k] = levels[i];
      flow_pair_init (&pair, cuda, VG_U16, 130, 20, 16);
      pair.cpu.params->dark_level = i == 1 ? 100 : 0; /* nothing above the dark level */
      flow_pair_prepare (&pair);
      flow_fixture_run (&pair.cpu, data);
      flow_fixture_run (&pair.gpu, data);
      flow_pair_compare (&pair);
      flow_pair_clear (&pair);
    }
}

static void
test_dark_frame (void)
{
  for (int i = 0; i < 6; i++)
    {
      VgImageInfo info = flow_info (i % 2 ? VG_F32 : VG_U16, 90, 33, 4);
      g_autoptr (VgImage) image = NULL;
      FlowPair pair;

      info.frames = 1;
      image = vg_image_new (&info, "dark", NULL);
      for (int k = 0; k < 90 * 33; k++)
        if (i % 2)
          ((float *) image->data)[k] = (float) g_test_rand_double () * 9;
        else
          ((guint16 *) image->data)[k] = (guint16) g_test_rand_int_range (0, 16);
      flow_pair_init (&pair, cuda, VG_U16, 90, 33, 12);
      pair.cpu.params->method = i / 2;
      pair.cpu.params->frames = 5;
      pair.dark = (VgInputFile){ "dark_file", image };
      flow_pair_prepare (&pair);
      for (int k = 0; k < 7; k++)
        flow_pair_run (&pair);
      flow_pair_compare (&pair);
      flow_pair_clear (&pair);
    }
}

/* Parameters changed in place, one after the other, as sliders do. */
static void
test_update (void)
{
  for (int method = 0; method < 3; method++)
    {
      FlowPair pair;

      flow_pair_init (&pair, cuda, VG_U16, 150, 41, 12);
      pair.cpu.params->method = method;
      pair.cpu.params->frames = 4;
      flow_pair_prepare (&pair);
      for (int k = 0; k < 6; k++)
        flow_pair_run (&pair);
      for (int change = 0; change < 10; change++)
        {
          VgFlowParams *p = pair.cpu.params;
          g_autoptr (GError) error = NULL;

          switch (change)
            {
            case 0:
              p->radius = 9;
              break;
            case 1:
              p->radius = 3;
              break;
            case 2:
              p->gain_dn_per_e = 0.2f;
              break;
            case 3:
              p->exposure_ms = 3;
              break;
            case 4:
              p->model = VG_FLOW_GAUSSIAN;
              break;
            case 5:
              p->dark_level = 12.5f;
              break;
            case 6:
              p->set_baseline++;
              break;
            case 7:
              p->edges = VG_FLOW_EDGES_ZERO;
              break;
            case 8:
              p->window_bias = VG_FLOW_WINDOW_CORRECT;
              break;
            default:
              p->beta = 0.7f;
              break;
            }
          *pair.gpu.params = *p;
          g_assert_cmpint (pair.cpu.engine->update (pair.cpu.state, p), ==,
                           pair.gpu.engine->update (pair.gpu.state, p));
          g_assert_cmpint (pair.cpu.engine->step (pair.cpu.state, 1, &error), ==,
                           pair.gpu.engine->step (pair.gpu.state, 1, &error));
          g_assert_no_error (error);
          flow_pair_compare (&pair);
          flow_pair_run (&pair);
          flow_pair_compare (&pair);
        }
      flow_pair_clear (&pair);
    }
}

/* However a state came to its settings, its maps are those of a fresh one. */
static void
test_any_update (void)
{
  flow_update_check (vg_cuda_engine (&vg_flow_operation), cuda, g_test_thorough () ? 600 : 60);
}

static void
test_curves (void)
{
  for (int method = 0; method < 2; method++)
    {
      FlowPair pair;

      flow_pair_init (&pair, cuda, VG_U16, 64, 50, 12);
      pair.cpu.params->method = method;
      pair.cpu.params->frames = 9;
      flow_pair_prepare (&pair);
      for (int k = 0; k < 14; k++)
        flow_pair_run (&pair);
      for (int i = 0; i < 3; i++)
        {
          g_autoptr (VgCurves)
              a = i < 2 ? pair.cpu.engine->curves->plot (pair.cpu.state, i, NULL)
                        : pair.cpu.engine->curves->sample (pair.cpu.state, 3, 49, 0, NULL);
          g_autoptr (VgCurves)
              b = i < 2 ? pair.gpu.engine->curves->plot (pair.gpu.state, i, NULL)
                        : pair.gpu.engine->curves->sample (pair.gpu.state, 3, 49, 0, NULL);

          g_assert_cmpuint (a->series->len, ==, b->series->len);
          g_assert_cmpstr (a->title, ==, b->title);
          for (guint s = 0; s < a->series->len; s++)
            {
              const VgSeries *sa = g_ptr_array_index (a->series, s),
                             *sb = g_ptr_array_index (b->series, s);

              g_assert_cmpint (sa->n, ==, sb->n);
              /* a bar may gain the pixel its neighbour lost */
              for (int k = 0; k < sa->n && i != 0; k++)
                g_assert_true (isnan (sa->y[k])
                                   ? isnan (sb->y[k])
                                   : fabs (sa->y[k] - sb->y[k]) <= 1e-5 * (1 + fabs (sa->y[k])));
            }
        }
      flow_pair_clear (&pair);
    }
}

static void
test_nonfinite (void)
{
  for (int mask = 0; mask < 2; mask++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree float *data = NULL;
      FlowPair pair;

      flow_pair_init (&pair, cuda, VG_F32, 70, 31, 16);
      pair.cpu.params->nonfinite = mask ? VG_FLOW_NONFINITE_MASK : VG_FLOW_NONFINITE_STOP;
      flow_pair_prepare (&pair);
      data = flow_random_frame (&pair.cpu.info);
      data[70 * 7 + 5] = NAN;
      data[70 * 20 + 1] = -INFINITY;
      data[70 * 25 + 60] = -5.0f;
      if (mask)
        {
          g_assert_cmpint (flow_fixture_run (&pair.cpu, data), ==,
                           flow_fixture_run (&pair.gpu, data));
          flow_pair_compare_output (&pair, VG_FLOW_OUTPUT_CONTRAST);
          /* what is not a number is not negative */
          g_assert_cmpfloat (flow_pair_number (&pair.gpu, "negative_percent"), ==,
                             100.0 / (70 * 31));
          g_assert_cmpfloat (flow_pair_number (&pair.cpu, "negative_percent"), ==,
                             100.0 / (70 * 31));
        }
      else
        {
          g_autoptr (GError) cpu_error = NULL;

          g_assert_false (flow_fixture_feed (&pair.gpu, data, &error));
          g_assert_false (flow_fixture_feed (&pair.cpu, data, &cpu_error));
          g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
          g_assert_cmpstr (error->message, ==, cpu_error->message);
          g_assert_nonnull (strstr (error->message, "frame 1 "));
          g_assert_nonnull (strstr (error->message, "has 2 samples"));
          g_assert_nonnull (strstr (error->message, "(5, 7)"));
        }
      flow_pair_clear (&pair);
    }
}

/* Frames fed without a step between them are in the window all the same. */
static void
test_feed_without_step (void)
{
  for (int method = 0; method < 3; method++)
    {
      FlowPair pair;
      g_autoptr (GError) error = NULL;

      flow_pair_init (&pair, cuda, VG_U16, 64, 20, 12);
      pair.cpu.params->method = method;
      pair.cpu.params->frames = 5;
      flow_pair_prepare (&pair);
      for (int k = 0; k < 23; k++)
        {
          g_autofree void *data = flow_random_frame (&pair.cpu.info);

          g_assert_true (flow_fixture_feed (&pair.cpu, data, &error));
          g_assert_true (flow_fixture_feed (&pair.gpu, data, &error));
        }
      g_assert_cmpint (pair.cpu.engine->step (pair.cpu.state, 1, &error), ==, VG_STEP_DONE);
      g_assert_cmpint (pair.gpu.engine->step (pair.gpu.state, 1, &error), ==, VG_STEP_DONE);
      flow_pair_compare (&pair);
      flow_pair_clear (&pair);
    }
}

static void
test_break (void)
{
  for (int outage = 0; outage < 2; outage++)
    {
      FlowPair pair;

      flow_pair_init (&pair, cuda, VG_U16, 1, 1, 16);
      flow_fixture_break_baseline (&pair.gpu, outage);
      flow_pair_clear (&pair);
    }
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/flow/random", test_random);
  g_test_add_func ("/gpu/flow/ties", test_ties);
  g_test_add_func ("/gpu/flow/every-radius", test_every_radius);
  g_test_add_func ("/gpu/flow/sizes", test_sizes);
  g_test_add_func ("/gpu/flow/exposures", test_exposures);
  g_test_add_func ("/gpu/flow/short/more-bits-than-said", test_more_bits_than_said);
  g_test_add_func ("/gpu/flow/short/constant-frames", test_constant_frames);
  g_test_add_func ("/gpu/flow/short/dark-frame", test_dark_frame);
  g_test_add_func ("/gpu/flow/short/nonfinite", test_nonfinite);
  g_test_add_func ("/gpu/flow/short/feed-without-step", test_feed_without_step);
  g_test_add_func ("/gpu/flow/short/update", test_update);
  g_test_add_func ("/gpu/flow/any-update", test_any_update);
  g_test_add_func ("/gpu/flow/short/baseline-after-a-break", test_break);
  g_test_add_func ("/gpu/flow/short/curves", test_curves);
  return g_test_run ();
}
