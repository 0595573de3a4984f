/* SPDX-License-Identifier: MIT */
/* CPU and CUDA contours: the same bits, whatever the settings, however the run
 * is cut, through growth, settling and changes on the way. */
#include "tests/kernels/contour/support/contour-fixture.h"
#include "tests/support/gpu-begin.h"
#include "kernels/core/vg-cuda.h"
#include "kernels/contour/synthetic/contour-synthetic.h"

typedef struct
{
  const VgEngine *engine;
  gpointer state;
} Side;

static const VgCuda *cuda;

static VgImage *
picture (int width, int height, guint64 seed)
{
  const VgSynthetic *synthetic = vg_contour_operation.synthetic;
  VgSyntheticSize size = { width, height, 1, seed, VG_CONTOUR_SAMPLE_LATTICE };
  VgContourParams params = contour_params ();
  VgImageInfo info;
  gpointer source = synthetic->open (&params, &size, &info, NULL);
  VgImage *image = vg_image_new (&info, "nuclei", NULL);

  synthetic->read (source, 0, image->data, NULL);
  synthetic->close (source);
  return image;
}

static void
start (Side *side, const VgEngine *engine, const VgContourParams *params, VgImage *image)
{
  g_autoptr (GError) error = NULL;
  VgContext context = { .params = params, .info = &image->info, .image = image };

  side->engine = engine;
  side->state = engine->prepare (&context, &error);
  g_assert_no_error (error);
}

static void
finish (Side *side, double budget_s)
{
  g_autoptr (GError) error = NULL;
  VgStep step = VG_STEP_MORE;

  while (step == VG_STEP_MORE)
    step = side->engine->step (side->state, budget_s, &error);
  g_assert_no_error (error);
}

static float *
plane_of (const Side *side, guint i)
{
  VgPlane plane;
  float *values;

  g_assert_true (side->engine->output (side->state, i, &plane, NULL));
  values = g_new (float, (gsize) plane.width *(gsize) plane.height);
  if (plane.place == VG_DEVICE)
    g_assert_true (cuda->download (&plane, values, NULL));
  else
    memcpy (values, plane.data, sizeof (float) * (gsize) plane.width * (gsize) plane.height);
  return values;
}

static void
expect_same (const Side *a, const Side *b, const VgImage *image, const char *what)
{
  gsize n = (gsize) image->info.width * (gsize) image->info.height;

  for (guint i = 0; i < VG_CONTOUR_OUTPUT_HAEMATOXYLIN; i++) /* the others need DAB */
    {
      g_autofree float *p = plane_of (a, i), *q = plane_of (b, i);
      gsize different = 0;

      for (gsize k = 0; k < n; k++)
        different += p[k] != q[k] && !(isnan (p[k]) && isnan (q[k]));
      if (different > 0)
        g_error ("%s: %s differs in %" G_GSIZE_FORMAT " pixels", what,
                 vg_contour_operation.outputs[i].id, different);
    }
  for (guint i = VG_CONTOUR_OUTPUT_CONTOURS; i < VG_CONTOUR_N_OUTPUTS; i++)
    {
      g_autofree char *name = NULL, *other = NULL;
      g_autofree char *p = a->engine->text (a->state, i, &name, NULL),
                      *q = b->engine->text (b->state, i, &other, NULL);

      if (!g_str_equal (p, q))
        g_error ("%s: the text %s differs", what, name);
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (VgCurves) p = a->engine->curves->plot (a->state, i, NULL),
                           q = b->engine->curves->plot (b->state, i, NULL);

      g_assert_cmpuint (p->series->len, ==, q->series->len);
      for (guint k = 0; k < p->series->len; k++)
        {
          const VgSeries *s = p->series->pdata[k], *t = q->series->pdata[k];

          g_assert_cmpint (s->n, ==, t->n);
          g_assert_cmpmem (s->y, sizeof (double) * (gsize) s->n, t->y,
                           sizeof (double) * (gsize) t->n);
        }
    }
}

static void
compare (const VgContourParams *params, VgImage *image, const char *what)
{
  Side cpu, gpu, again;

  start (&cpu, &vg_contour_cpu_engine, params, image);
  start (&gpu, vg_cuda_engine (&vg_contour_operation), params, image);
  start (&again, vg_cuda_engine (&vg_contour_operation), params, image);
  finish (&cpu, 10);
  finish (&gpu, 10);
  finish (&again, 0.0005);
  expect_same (&cpu, &gpu, image, what);
  expect_same (&gpu, &again, image, what);
  cpu.engine->free (cpu.state);
  gpu.engine->free (gpu.state);
  again.engine->free (again.state);
}

static void
test_settings (void)
{
  static const struct
  {
    const char *name;
    int width, height, iterations;
    double prior, radius;
    int means, rule, grid, period, shown;
  } cases[] = {
    { "defaults", 384, 320, 150, 0.01, 10, 0, 0, 0, 10, 0 },
    { "no prior", 257, 131, 90, 0, 10, 0, 0, 0, 10, 0 },
    { "global means", 200, 222, 120, 0.02, 10, 1, 0, 0, 10, 0 },
    { "fixed step", 131, 67, 100, 0.02, 10, 0, 1, 0, 7, 0 },
    { "whole pictures, the paper's", 100, 90, 120, 0.02, 10, 1, 1, 1, 50, 0 },
    { "whole pictures", 75, 61, 75, 0.02, 10, 0, 0, 1, 5, 0 },
    { "every iteration shown", 97, 89, 43, 0.02, 10, 0, 0, 0, 4, 1 },
    { "small radius: tiles grow", 220, 200, 200, 0, 3, 1, 0, 0, 10, 0 },
    { "one pixel", 1, 1, 50, 0.01, 10, 0, 0, 0, 10, 0 },
    { "cut off, cooling", 260, 240, 400, 0.002, 10, 0, 0, 0, 10, 0 },
    { "whole pictures, cooling", 75, 61, 260, 0.01, 10, 0, 0, 1, 5, 0 },
    { "one row", 300, 1, 50, 0.01, 10, 0, 0, 0, 10, 0 },
    { "large radius", 300, 300, 60, 0.05, 60, 0, 0, 0, 10, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      VgContourParams params = contour_params ();
      g_autoptr (VgImage) image = picture (cases[i].width, cases[i].height, i + 1);

      params.iterations = cases[i].iterations;
      params.prior_weight = (float) cases[i].prior;
      params.radius_px = (float) cases[i].radius;
      params.means = cases[i].means;
      params.step_rule = cases[i].rule;
      params.time_step = 5;
      params.grid = cases[i].grid;
      params.reinit_period = cases[i].period;
      params.iterations_shown = cases[i].shown;
      compare (&params, image, cases[i].name);
      g_test_message ("%s: the same bits", cases[i].name);
    }
}

/* Weights, radius and seeds changed on the way, on both sides alike. */
static void
test_changes (void)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = picture (300, 280, 9);
  Side sides[2];

  params.radius_px = 10;
  params.iterations_shown = 30;
  for (int k = 0; k < 2; k++)
    {
      VgContourParams changed = params;

      start (&sides[k], k == 0 ? &vg_contour_cpu_engine : vg_cuda_engine (&vg_contour_operation),
             &params, image);
      sides[k].engine->step (sides[k].state, 1, NULL);
      changed.prior_weight = 0.05f;
      changed.added = vg_table_parse ("150.5,140.25;20,30", 2, NULL);
      changed.removed = vg_table_parse ("100,100;200,60", 2, NULL);
      g_assert_true (sides[k].engine->update (sides[k].state, &changed));
      sides[k].engine->step (sides[k].state, 1, NULL);
      changed.curvature *= 1.5f; /* weights alone: the GPU keeps its samples */
      changed.iterations_shown = 7;
      g_assert_true (sides[k].engine->update (sides[k].state, &changed));
      sides[k].engine->step (sides[k].state, 1, NULL);
      changed.radius_px = 12;
      changed.overlap_penalty = 0.3f;
      g_assert_true (sides[k].engine->update (sides[k].state, &changed));
      finish (&sides[k], 1);
      changed.means = 1;
      changed.iterations = 77;
      g_assert_true (sides[k].engine->update (sides[k].state, &changed));
      finish (&sides[k], 1);
      vg_table_free (changed.added);
      vg_table_free (changed.removed);
    }
  expect_same (&sides[0], &sides[1], image, "changes on the way");
  for (int k = 0; k < 2; k++)
    sides[k].engine->free (sides[k].state);
}

/* Edits while contours move, undone and done again: what was left is kept on the GPU. */
static void
test_undo (void)
{
  const float weights[] = { 0.01f, 0.05f, 0.02f, 0.05f, 0.01f, 0.05f, 0.1f };
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = picture (300, 280, 11);
  Side sides[2];

  params.radius_px = 10;
  params.iterations = 1000;
  params.tolerance_px = 0;
  params.iterations_shown = 23;
  for (guint last = 0; last < G_N_ELEMENTS (weights); last++)
    {
      for (int k = 0; k < 2; k++)
        {
          start (&sides[k],
                 k == 0 ? &vg_contour_cpu_engine : vg_cuda_engine (&vg_contour_operation), &params,
                 image);
          for (guint i = 0; i <= last; i++)
            {
              VgContourParams changed = params;

              changed.prior_weight = weights[i];
              g_assert_true (sides[k].engine->update (sides[k].state, &changed));
              g_assert_cmpint (sides[k].engine->step (sides[k].state, 1, NULL), ==, VG_STEP_MORE);
            }
        }
      expect_same (&sides[0], &sides[1], image, "edits and back");
      for (int k = 0; k < 2; k++)
        sides[k].engine->free (sides[k].state);
    }
}

static void
expect_same_metrics (const VgMetrics *a, const VgMetrics *b)
{
  g_assert_cmpuint (a->items->len, ==, b->items->len);
  for (guint i = 0; i < a->items->len; i++)
    {
      const VgMetric *p = &g_array_index (a->items, VgMetric, i),
                     *q = &g_array_index (b->items, VgMetric, i);

      g_assert_cmpstr (p->id, ==, q->id);
      g_assert_true (p->value == q->value || (isnan (p->value) && isnan (q->value)));
    }
}

/* Classes, switched on at the end and then by other thresholds: no contour moves, and the table,
 * the figures and those of a region are the same on both sides. */
static void
test_positive (void)
{
  VgContourParams params = contour_params ();
  g_autoptr (VgImage) image = picture (301, 283, 13);
  Side sides[2];

  params.radius_px = 10;
  for (int k = 0; k < 2; k++)
    {
      start (&sides[k], k == 0 ? &vg_contour_cpu_engine : vg_cuda_engine (&vg_contour_operation),
             &params, image);
      finish (&sides[k], 10);
    }
  for (int turn = 0; turn < 2; turn++)
    {
      VgRegion region = { 0 };
      VgMetrics *metrics[2];
      VgCurves *curves[2];

      params.positivity = TRUE;
      params.weak_od = turn == 0 ? 0.02f : 0.1f;
      g_assert_true (vg_region_parse (&region, "ellipse:140,150,90,70", NULL));
      for (int k = 0; k < 2; k++)
        {
          g_assert_true (sides[k].engine->update (sides[k].state, &params));
          finish (&sides[k], 10);
          metrics[k] = vg_metrics_new ();
          sides[k].engine->results (sides[k].state, metrics[k], NULL);
          curves[k] = sides[k].engine->curves->sample_region (sides[k].state, &region, NULL);
          g_assert_nonnull (curves[k]);
        }
      expect_same (&sides[0], &sides[1], image, "classes");
      g_assert_nonnull (vg_metrics_find (metrics[0], "h_score"));
      g_assert_cmpfloat (vg_metrics_find (curves[0]->metrics, "nuclei")->value, >, 5);
      expect_same_metrics (metrics[0], metrics[1]);
      expect_same_metrics (curves[0]->metrics, curves[1]->metrics);
      for (int k = 0; k < 2; k++)
        {
          vg_metrics_free (metrics[k]);
          vg_curves_free (curves[k]);
        }
    }
  for (int k = 0; k < 2; k++)
    sides[k].engine->free (sides[k].state);
}

int
main (int argc, char **argv)
{
  cuda = gpu_begin (&argc, &argv);
  if (cuda == NULL || vg_cuda_engine (&vg_contour_operation) == NULL)
    return GPU_SKIPPED;
  g_test_add_func ("/gpu/contour/settings", test_settings);
  g_test_add_func ("/gpu/contour/changes", test_changes);
  g_test_add_func ("/gpu/contour/undo", test_undo);
  g_test_add_func ("/gpu/contour/positive", test_positive);
  return g_test_run ();
}
