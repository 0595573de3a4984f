/* SPDX-License-Identifier: MIT */
/* A baseline stays that of its frames, whatever settings change after it. */
#include "app/compute/vg-work.h"
#include "kernels/core/vg-operation.h"
#include "kernels/flow/model/flow-params.h"
#include <math.h>

enum { WIDTH = 24, HEIGHT = 20, PIXELS = WIDTH * HEIGHT, MAPS = 6 };

static const VgImageInfo info = { .type = VG_U16,
                                  .width = WIDTH,
                                  .height = HEIGHT,
                                  .channels = 1,
                                  .bins = 1,
                                  .slices = 1,
                                  .frames = -1,
                                  .frame_interval_s = 0.04,
                                  .exposure_ms = 8 };

/* A part of the intensity by which speckle scatters around it: flow blurs it. */
static const double at_rest = 0.1, occluded = 0.4;

static gboolean gpu_fails, memory_is_short;
static int looks_left; /* until newer settings come; negative: they do not */

static gboolean
is_replaced (gpointer data)
{
  if (looks_left > 0)
    looks_left--;
  return looks_left == 0;
}

static void
estimate (const void *params, const VgImageInfo *data, gsize *host, gsize *device)
{
  *host = *device = memory_is_short && ((const VgFlowParams *) params)->dark_level > 0
                        ? G_MAXSIZE / 2
                        : 0;
}

static VgStep
step_on_gpu (gpointer state, double budget_s, GError **error)
{
  if (!gpu_fails)
    return vg_operation_find ("flow")->cpu->step (state, budget_s, error);
  g_set_error_literal (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "lost");
  return VG_STEP_FAILED;
}

static const VgMemory memory = { .estimate = estimate };
static VgOperation operation; /* flow, which needs much memory if it is short */

static void
free_frame (VgFrame *frame)
{
  g_free (frame->data);
  g_free (frame);
}

static VgFrame *
new_frame (guint64 id, double scatter)
{
  guint16 *pixels = g_new (guint16, PIXELS);
  VgFrame *frame = g_new0 (VgFrame, 1);

  for (int i = 0; i < PIXELS; i++)
    pixels[i] = (guint16) (1000 * (1 + g_test_rand_double_range (-scatter, scatter)));
  *frame = (VgFrame){ .info = &info,
                      .data = pixels,
                      .id = id,
                      .index = (gint64) id,
                      .time_us = (gint64) id * 40000,
                      .time_s = (double) id * 0.04,
                      .exposure_ms = 8,
                      .release = free_frame };
  g_atomic_ref_count_init (&frame->ref_count);
  return frame;
}

/* A work, and the frames that were fed to it. */
typedef struct
{
  const VgOperation *flow;
  VgEngine gpu;
  VgWork *work;
  VgFlowParams *params;
  GQueue recent;
  guint64 n;
} Trial;

static void
feed (Trial *self, VgFrame *frame)
{
  g_autoptr (GError) error = NULL;
  const guint generation = vg_work_get_generation (self->work);

  g_assert_true (vg_work_feed (self->work, frame, &error));
  if (vg_work_get_generation (self->work) == generation)
    vg_work_step (self->work, 1, &error);
  g_assert_no_error (error);
}

static void
feed_new (Trial *self, int n, double scatter)
{
  for (int i = 0; i < n; i++)
    {
      VgFrame *frame = new_frame (self->n++, scatter);

      g_queue_push_tail (&self->recent, frame);
      feed (self, frame);
    }
}

static void
feed_again (Trial *self)
{
  for (GList *link = g_queue_peek_nth_link (
           &self->recent, self->recent.length - 1 - (guint) vg_work_get_history (self->work));
       link != NULL; link = link->next)
    feed (self, link->data);
}

/* As the pipeline does it. */
static void
set_params (Trial *self)
{
  g_autoptr (GError) error = NULL;
  VgFrame *last = g_queue_peek_tail (&self->recent);
  GQueue in_hand = G_QUEUE_INIT;
  VgWorkChange change = vg_work_set_params (self->work, self->params, &error);

  g_assert_no_error (error);
  g_assert_cmpint (change, !=, VG_WORK_REFUSED);
  g_queue_push_tail (&in_hand, last);
  if (change == VG_WORK_UPDATED)
    {
      vg_work_keep_recent (self->work, &in_hand);
      vg_work_step (self->work, 1, &error);
    }
  else
    feed_again (self);
  g_queue_clear (&in_hand);
  g_assert_no_error (error);
}

/* The mean of relative flow over the map, %. */
static double
relative_flow (Trial *self)
{
  g_autofree float *values = NULL;
  gsize capacity = 0;
  double sum = 0;
  VgPlane plane;

  g_assert_true (vg_work_read_output (self->work, VG_FLOW_OUTPUT_RELATIVE_FLOW, &plane, &values,
                                      &capacity, NULL));
  for (int i = 0; i < PIXELS; i++)
    sum += (double) values[i];
  return sum / PIXELS;
}

static void
begin (Trial *self)
{
  g_autoptr (GError) error = NULL;

  *self = (Trial){ .flow = vg_operation_find ("flow"), .recent = G_QUEUE_INIT };
  gpu_fails = memory_is_short = FALSE;
  looks_left = -1;
  self->gpu = *self->flow->cpu;
  self->gpu.step = step_on_gpu;
  operation = *self->flow;
  operation.memory = &memory;
  self->work = vg_work_new_with_engines (&operation, self->flow->cpu, &self->gpu, NULL,
                                         VG_BACKEND_AUTO, 1, &error);
  g_assert_no_error (error);
  vg_work_set_replaced (self->work, is_replaced, NULL);
  vg_work_keep_baseline (self->work);
  self->params = vg_params_new (&self->flow->params);
  self->params->baseline_frames = MAPS;
  g_assert_true (vg_work_prepare (self->work, self->params, &info, NULL, &error));
  g_assert_no_error (error);
  feed_new (self, MAPS, at_rest);
  g_assert_cmpint (vg_work_get_baseline (self->work), ==, VG_BASELINE_COMPLETE);
  feed_new (self, 8, occluded);
  g_assert_cmpfloat (relative_flow (self), <, 15);
}

static void
end (Trial *self)
{
  VgFrame *frame;

  vg_work_free (self->work);
  vg_params_free (&self->flow->params, self->params);
  while ((frame = g_queue_pop_head (&self->recent)) != NULL)
    vg_frame_unref (frame);
}

/* In full occlusion no setting makes the flow 100 %. */
static void
test_settings (void)
{
  Trial trial;
  VgFlowParams *p;

  begin (&trial);
  p = trial.params;
  for (int i = 0; i < 10; i++)
    {
      switch (i)
        {
        case 0:
          p->pulse = TRUE;
          break;
        case 1:
          p->radius = 4;
          break;
        case 2:
          p->average = 3;
          break;
        case 3:
          p->dark_level = 100;
          break;
        case 4:
          p->method = VG_FLOW_SPATIO_TEMPORAL;
          p->frames = 4;
          p->average = 1;
          break;
        case 5:
          p->static_scattering = VG_FLOW_STATIC_MEASURED;
          break;
        case 6:
          p->mask_saturated = TRUE;
          break;
        case 7:
          p->baseline_frames = 50;
          break;
        case 8:
          p->method = VG_FLOW_SPATIAL;
          break;
        case 9:
          p->calibrated = TRUE;
          break;
        }
      set_params (&trial);
      g_test_message ("change %d: %.1f %%", i, relative_flow (&trial));
      g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
      g_assert_cmpfloat (relative_flow (&trial), <, 15);
      feed_new (&trial, 2, occluded);
      g_assert_cmpfloat (relative_flow (&trial), <, 15);
    }
  end (&trial);
}

/* It is the baseline that the new settings would have given. */
static void
test_exact (void)
{
  Trial trial, fresh;
  double value;

  begin (&trial);
  trial.params->radius = 3;
  set_params (&trial);
  value = relative_flow (&trial);
  fresh = trial;
  fresh.work = vg_work_new (trial.flow, VG_BACKEND_CPU, 1, NULL);
  g_assert_true (vg_work_prepare (fresh.work, trial.params, &info, NULL, NULL));
  for (GList *link = trial.recent.head; link != NULL; link = link->next)
    feed (&fresh, link->data);
  g_assert_cmpfloat (relative_flow (&fresh), ==, value);
  vg_work_free (fresh.work);
  end (&trial);
}

/* A window over several frames: the baseline has none of the frames that it held. */
static void
test_window (void)
{
  Trial trial, other;
  double value;

  begin (&trial);
  other = trial;
  other.params = vg_params_copy (&trial.flow->params, trial.params);
  other.work = vg_work_new (trial.flow, VG_BACKEND_CPU, 1, NULL);
  vg_work_keep_baseline (other.work);
  g_assert_true (vg_work_prepare (other.work, other.params, &info, NULL, NULL));
  for (GList *link = trial.recent.head; link != NULL; link = link->next)
    feed (&other, link->data);
  trial.params->method = VG_FLOW_SPATIO_TEMPORAL;
  trial.params->frames = 4;
  set_params (&trial);
  trial.params->dark_level = 100;
  set_params (&trial);
  value = relative_flow (&trial);
  other.params->method = VG_FLOW_SPATIO_TEMPORAL;
  other.params->frames = 4;
  other.params->dark_level = 100;
  set_params (&other);
  g_assert_cmpfloat (relative_flow (&other), ==, value);
  g_assert_cmpfloat (value, <, 15);
  vg_work_free (other.work);
  vg_params_free (&trial.flow->params, other.params);
  end (&trial);
}

/* The button begins another one, which then stays in its turn. */
static void
test_button (void)
{
  Trial trial;

  begin (&trial);
  trial.params->set_baseline++;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COLLECTING);
  feed_new (&trial, MAPS - 1, occluded);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  g_assert_cmpfloat_with_epsilon (relative_flow (&trial), 100, 20);
  feed_new (&trial, 1, at_rest);
  trial.params->radius = 4;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  g_assert_cmpfloat (relative_flow (&trial), >, 800);
  /* one of a single map */
  trial.params->baseline_frames = 1;
  trial.params->set_baseline++;
  set_params (&trial);
  g_assert_cmpfloat_with_epsilon (relative_flow (&trial), 100, 1e-3);
  trial.params->pulse = TRUE;
  set_params (&trial);
  g_assert_cmpfloat_with_epsilon (relative_flow (&trial), 100, 1e-3);
  end (&trial);
}

/* A window that is longer than the baseline: there is no false number, and the advice says so. */
static void
test_absent (void)
{
  g_autoptr (VgMetrics) metrics = NULL;
  const VgMetric *number;
  Trial trial;

  begin (&trial);
  feed_new (&trial, 30, occluded);
  trial.params->method = VG_FLOW_TEMPORAL;
  trial.params->frames = 20;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_ABSENT);
  g_assert_true (isnan (relative_flow (&trial)));
  feed_new (&trial, 30, occluded);
  g_assert_true (isnan (relative_flow (&trial)));
  metrics = vg_work_results (trial.work, NULL);
  number = vg_metrics_find (metrics, "baseline_maps");
  g_assert_true (g_str_has_prefix (number->advice, "There is no baseline"));
  g_assert_cmpstr (number->setting, ==, "set_baseline");
  /* it stays absent until the button is pressed */
  trial.params->method = VG_FLOW_SPATIAL;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_ABSENT);
  trial.params->set_baseline++;
  set_params (&trial);
  feed_new (&trial, MAPS, occluded);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  g_assert_cmpfloat_with_epsilon (relative_flow (&trial), 100, 20);
  end (&trial);
}

/* A GPU that fails leaves the baseline to the CPU. */
static void
test_device (void)
{
  Trial trial;

  begin (&trial);
  g_assert_cmpint (vg_work_get_backend (trial.work), ==, VG_BACKEND_CUDA);
  gpu_fails = TRUE;
  feed_new (&trial, 1, occluded);
  g_assert_cmpint (vg_work_get_backend (trial.work), ==, VG_BACKEND_CPU);
  feed_again (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  g_assert_cmpfloat (relative_flow (&trial), <, 15);
  end (&trial);
}

/* A baseline keeps its number of maps after a shorter length was set. */
static void
test_length (void)
{
  static const double flow[] = { 0.4, 0.1, 0.1, 0.1, 0.1, 0.1 };
  Trial trial;
  double before;

  begin (&trial);
  trial.params->set_baseline++;
  set_params (&trial);
  /* the map in hand is of full occlusion, like the next; a baseline of two maps is unlike all */
  for (guint i = 1; i < MAPS; i++)
    feed_new (&trial, 1, flow[i]);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  before = relative_flow (&trial);
  trial.params->baseline_frames = 1;
  set_params (&trial);
  g_assert_cmpfloat (relative_flow (&trial), ==, before);
  trial.params->dark_level = 1;
  set_params (&trial);
  g_assert_cmpfloat_with_epsilon (relative_flow (&trial), before, 0.05 * before);
  trial.params->dark_level = 0;
  trial.params->pulse = TRUE; /* in a new state */
  set_params (&trial);
  g_assert_cmpfloat_with_epsilon (relative_flow (&trial), before, 1e-3 * before);
  /* the next one has the new length */
  trial.params->set_baseline++;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  end (&trial);
}

/* Settings that follow one another do not wait for the baseline of each: that of the last is
 * computed, if no other ones come either way. */
static void
test_replaced (void)
{
  Trial trial;

  begin (&trial);
  for (int i = 0; i < 2; i++)
    {
      looks_left = 3;
      trial.params->dark_level = 100 + (float) i;
      trial.params->pulse = i > 0;
      set_params (&trial);
      g_assert_cmpint (looks_left, ==, 0);
      g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
    }
  looks_left = -1;
  trial.params->radius = 4;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  g_assert_cmpfloat (relative_flow (&trial), <, 15);
  /* the newer settings were refused: the next frame computes the baseline */
  looks_left = 1;
  trial.params->radius = 3;
  set_params (&trial);
  g_assert_true (isnan (relative_flow (&trial)));
  looks_left = -1;
  feed_new (&trial, 1, occluded);
  feed_again (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  g_assert_cmpfloat (relative_flow (&trial), <, 15);
  end (&trial);
}

/* Settings for which memory is short leave a baseline that can be set anew. */
static void
test_memory (void)
{
  g_autoptr (GError) error = NULL;
  Trial trial;

  begin (&trial);
  gpu_fails = TRUE;
  feed_new (&trial, 1, occluded);
  feed_again (&trial);
  trial.params->method = VG_FLOW_TEMPORAL;
  trial.params->frames = 4;
  set_params (&trial);
  memory_is_short = TRUE;
  trial.params->dark_level = 100;
  g_assert_cmpint (vg_work_set_params (trial.work, trial.params, &error), ==, VG_WORK_REFUSED);
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  trial.params->dark_level = 0;
  trial.params->set_baseline++;
  set_params (&trial);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COLLECTING);
  feed_new (&trial, 3 + MAPS, occluded);
  g_assert_cmpint (vg_work_get_baseline (trial.work), ==, VG_BASELINE_COMPLETE);
  end (&trial);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/work-baseline/settings", test_settings);
  g_test_add_func ("/work-baseline/exact", test_exact);
  g_test_add_func ("/work-baseline/window", test_window);
  g_test_add_func ("/work-baseline/button", test_button);
  g_test_add_func ("/work-baseline/absent", test_absent);
  g_test_add_func ("/work-baseline/length", test_length);
  g_test_add_func ("/work-baseline/replaced", test_replaced);
  g_test_add_func ("/work-baseline/memory", test_memory);
  g_test_add_func ("/work-baseline/device", test_device);
  return g_test_run ();
}
