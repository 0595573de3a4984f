/* SPDX-License-Identifier: MIT */
/* A kept result: what is compared with what, and what is refused. */
#include <glib/gstdio.h>
#include <math.h>
#include "tests/support/app/pipeline-answer.h"
#include "tests/support/app/pipeline-watch.h"
#include "app/session/vg-display.h"
#include "app/compute/vg-reference.h"
#include "kernels/shared/vg-outlines-labels.h"
#include "io/source/vg-source.h"

static VgReference *
keep (VgPipeline *pipeline)
{
  return answer_now (pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE });
}

static float
first_sample (const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  float page[16];

  g_assert_no_error (error);
  g_assert_cmpint (source->info.width, ==, 4);
  g_assert_true (vg_source_read (source, 0, page, &error));
  g_unlink (path);
  return page[0];
}

extern const VgOperation vg_fluence_operation;

/* The curves of a kept result come beside the present ones, where they have the same axes. */
static void
test_curves (void)
{
  void *params = vg_params_new (&vg_fluence_operation.params);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgWork) work = vg_work_new (&vg_fluence_operation, VG_BACKEND_CPU, 2, &error);
  g_autoptr (VgReference) kept = NULL;

  g_assert_no_error (error);
  g_assert_true (vg_param_parse (vg_params_find (&vg_fluence_operation.params, "layers"), params,
                                 "van_de_hulst_slab", &error));
  g_assert_true (vg_param_parse (vg_params_find (&vg_fluence_operation.params, "photons"), params,
                                 "2000", &error));
  g_assert_true (vg_work_prepare (work, params, NULL, NULL, &error));
  while (vg_work_step (work, 0.1, &error) == VG_STEP_MORE)
    ;
  g_assert_no_error (error);
  kept = vg_reference_new (work, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (VgCurves) curves = vg_work_plot (work, i, NULL),
                           other = vg_work_plot (work, i, NULL),
                           gapped = vg_work_plot (work, i, NULL);
      const VgSeries *now, *then;

      g_assert_cmpuint (curves->series->len, ==, 1);
      vg_reference_add_curves (kept, i, curves);
      g_assert_cmpuint (curves->series->len, ==, 2);
      now = curves->series->pdata[0];
      then = curves->series->pdata[1];
      g_assert_true (then->reference && !now->reference);
      g_assert_cmpint (then->color, ==, 2); /* not the colour of the current result */
      g_assert_true (g_str_has_prefix (then->name, "Kept: ") &&
                     g_str_has_suffix (then->name, now->name));
      g_assert_cmpint (then->style, ==,
                       now->style == VG_SERIES_BARS ? VG_SERIES_POINTS : now->style);
      g_assert_cmpmem (then->y, sizeof (double) * (gsize) then->n, now->y,
                       sizeof (double) * (gsize) now->n);
      ((VgSeries *) gapped->series->pdata[0])->color = 1;
      vg_curves_add (gapped, "far", VG_SERIES_LINE, 1)->color = 6;
      vg_reference_add_curves (kept, i, gapped);
      g_assert_cmpuint (gapped->series->len, ==, 3);
      then = gapped->series->pdata[2];
      g_assert_cmpint (then->color, ==, 2);
      g_free (other->y_unit);
      other->y_unit = g_strdup ("something else");
      vg_reference_add_curves (kept, i, other);
      g_assert_cmpuint (other->series->len, ==, 1);
    }
  vg_params_free (&vg_fluence_operation.params, params);
}

static void
test_compare (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 1 };
  g_autofree char *folder = g_dir_make_tmp ("vg-kept-XXXXXX", NULL);
  g_autoptr (VgReference) kept = NULL;
  g_autofree guint *n_maps = NULL;
  Watch watch;

  params->steps = 5;
  params->step_ms = 1;
  watch_steps (&watch, fake_pipeline (&source), params);
  g_assert_true (watch_until (&watch, in_state, VG_PIPELINE_FINISHED));
  kept = keep (watch.pipeline);
  g_assert_nonnull (kept);
  g_assert_true (vg_reference_get_operation (kept) == &fake_steps);
  params->steps = 8;
  vg_pipeline_set_params (watch.pipeline, &fake_steps, params);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 8);
  g_assert_cmpint (watch.last->compare, ==, VG_COMPARE_OFF);
  vg_pipeline_set_compare (watch.pipeline, kept, VG_COMPARE_DIFFERENCE);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.last->compare, ==, VG_COMPARE_DIFFERENCE);
  g_assert_cmpfloat (watch_value (&watch), ==, 3);
  g_assert_cmpfloat (watch.last->statistics.mean, ==, 3);
  vg_pipeline_set_compare (watch.pipeline, kept, VG_COMPARE_RATIO);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 1.6f);
  vg_pipeline_set_compare (watch.pipeline, kept, VG_COMPARE_KEPT);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpfloat (watch_value (&watch), ==, 5);
  n_maps = answer_now (watch.pipeline, &(VgQuery){ .kind = VG_QUERY_EXPORT, .folder = folder });
  g_assert_nonnull (n_maps);
  {
    g_autofree char *id = g_strdup (fake_steps.outputs[0].id);
    g_autofree char *map = g_strconcat (id, ".tif", NULL),
                    *difference = g_strconcat (id, "-difference.tif", NULL);
    g_autofree char *ratio = g_strconcat (id, "-ratio.tif", NULL);

    g_assert_cmpfloat (first_sample (folder, map), ==, 8);
    g_assert_cmpfloat (first_sample (folder, difference), ==, 3);
    g_assert_cmpfloat (first_sample (folder, ratio), ==, 1.6f);
  }
  vg_pipeline_set_compare (watch.pipeline, NULL, VG_COMPARE_RATIO);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.last->compare, ==, VG_COMPARE_OFF);
  watch_end (&watch);
}

/* What dims the present map dims the kept one, the difference and the ratio. */
static void
test_brightness (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 20 };
  g_autoptr (VgReference) kept = NULL;
  Watch watch;

  params->history = 2;
  watch_play (&watch, fake_pipeline (&source), params);
  kept = keep (watch.pipeline);
  g_assert_nonnull (kept);
  for (VgCompare mode = VG_COMPARE_KEPT; mode <= VG_COMPARE_RATIO; mode++)
    {
      vg_pipeline_set_compare (watch.pipeline, kept, mode);
      g_assert_true (watch_settle (&watch));
      g_assert_cmpint (watch.last->compare, ==, mode);
      g_assert_nonnull (watch.last->brightness.data);
      g_assert_cmpfloat (watch.last->brightness_limits[1], >, watch.last->brightness_limits[0]);
    }
  watch_end (&watch);
}

/* Another map of the same moment comes beside the one that is shown, as if it were shown. */
static void
test_beside (void)
{
  g_autofree FakeParams *params = fake_params ();
  FakeSource source = { .width = 4, .height = 4, .frames = 20 };
  float values[16];
  VgStatistics statistics;
  Watch watch;

  params->history = 2;
  watch_play (&watch, fake_pipeline (&source), params);
  vg_pipeline_set_output (watch.pipeline, 1);
  g_assert_true (watch_settle (&watch));
  g_assert_null (watch.last->beside);
  g_assert_cmpint (watch.last->output, ==, 1);
  memcpy (values, watch.last->plane.data, sizeof values);
  statistics = watch.last->statistics;
  vg_pipeline_set_output (watch.pipeline, 0);
  vg_pipeline_set_beside (watch.pipeline, 1);
  g_assert_true (watch_settle (&watch));
  g_assert_cmpint (watch.last->output, ==, 0);
  g_assert_nonnull (watch.last->beside);
  g_assert_cmpint (watch.last->beside->output, ==, 1);
  g_assert_cmpmem (watch.last->beside->plane.data, sizeof values, values, sizeof values);
  g_assert_cmpfloat (watch.last->beside->statistics.min, ==, statistics.min);
  g_assert_cmpfloat (watch.last->beside->statistics.max, ==, statistics.max);
  vg_pipeline_set_beside (watch.pipeline, -1);
  g_assert_true (watch_settle (&watch));
  g_assert_null (watch.last->beside);
  watch_end (&watch);
}

/* Two works of a real operation on other grids: the message names both. */
static void
test_refuse (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  g_autoptr (VgWork) work = vg_work_new (fluence, VG_BACKEND_CPU, 1, NULL);
  void *params = vg_params_new (&fluence->params);
  g_autoptr (VgReference) kept = NULL, none = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree float *values = NULL;
  gsize capacity = 0;
  VgPlane plane;

  vg_param_parse (vg_params_find (&fluence->params, "photons"), params, "200", NULL);
  vg_param_parse (vg_params_find (&fluence->params, "nz"), params, "7", NULL);
  vg_param_parse (vg_params_find (&fluence->params, "nr"), params, "5", NULL);
  g_assert_true (vg_work_prepare (work, params, NULL, NULL, NULL));
  none = vg_reference_new (work, &error);
  g_assert_null (none);
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_clear_error (&error);
  while (vg_work_step (work, 0.01, NULL) == VG_STEP_MORE)
    ;
  kept = vg_reference_new (work, NULL);
  g_assert_nonnull (kept);
  g_assert_true (vg_work_read_output (work, 0, &plane, &values, &capacity, NULL));
  g_assert_true (
      vg_reference_fits (kept, 0, &plane, vg_work_get_operation (work)->outputs[0].unit, NULL));
  vg_reference_compare (kept, 0, VG_COMPARE_RATIO, &plane, values);
  for (int i = 0; i < 35; i++)
    g_assert_true (isnan (values[i]) || values[i] == 1);
  /* no earlier run was there */
  g_assert_false (
      vg_reference_fits (kept, 3, &plane, vg_work_get_operation (work)->outputs[3].unit, &error));
  g_clear_error (&error);
  plane.pixel_size[0] *= 2;
  g_assert_false (
      vg_reference_fits (kept, 0, &plane, vg_work_get_operation (work)->outputs[0].unit, &error));
  g_assert_nonnull (strstr (error->message, "5 x 7 pixels of 0.005 x 0.005 cm"));
  g_assert_nonnull (strstr (error->message, "5 x 7 pixels of 0.01 x 0.005 cm"));
  g_assert_null (strchr (error->message, '\n'));
  g_clear_error (&error);
  plane.pixel_size[0] /= 2;
  plane.width = 6;
  g_assert_false (
      vg_reference_fits (kept, 0, &plane, vg_work_get_operation (work)->outputs[0].unit, NULL));
  vg_params_free (&fluence->params, params);
}

/* A border runs between the pixels of a label and others, and nowhere along the picture's edge. */
static void
test_label_borders (void)
{
  enum { W = 7, H = 5 };
  const float labels[W * H] = {
    2, 2, 0, 0, NAN, 0, 0,   2, 2, 0, 0, -3, 0, 0, 2, 0, 0, 0,
    0, 0, 0, 0, 0,   0, 300, 0, 0, 0, 0, 0,  0, 0, 0, 0, 9,
  };
  const VgPlane plane = { .place = VG_HOST, .data = labels, .width = W, .height = H, .slices = 1 },
                empty = { .data = labels + 2, .width = 2, .height = 1 };
  g_autoptr (VgLabelOutlines) borders = vg_label_outlines_new (&plane);
  const VgOutline *items = borders->outlines.items;
  static const int boxes[3][5] = { { 2, 0, 0, 3, 4 }, { 9, 5, 3, 2, 2 }, { 300, 2, 2, 3, 3 } };

  g_assert_true (vg_outlines_fit (&borders->outlines));
  g_assert_true (borders->outlines.plain);
  g_assert_cmpuint (borders->outlines.n, ==, 3);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_cmpuint (items[i].id, ==, boxes[i][0]);
      g_assert_true (items[i].x == boxes[i][1] && items[i].y == boxes[i][2] &&
                     items[i].width == boxes[i][3] && items[i].height == boxes[i][4]);
      for (int y = 0; y < items[i].height; y++)
        for (int x = 0; x < items[i].width; x++)
          {
            gboolean in = labels[(items[i].y + y) * W + items[i].x + x] == (float) items[i].id;

            g_assert_cmpfloat (borders->outlines.values
                                   .data[items[i].offset + (guint) y * items[i].stride + (guint) x],
                               ==, in ? 0.5 : -0.5);
          }
    }
  g_assert_null (vg_label_outlines_new (&empty));
}

/* A kept result has its outlines too, whatever becomes of the work. */
static void
test_outlines (void)
{
  const VgOperation *contour = vg_operation_find ("contour");
  g_autoptr (VgWork) work = vg_work_new (contour, VG_BACKEND_CPU, 1, NULL);
  void *params = vg_params_new (&contour->params);
  VgSyntheticSize size = { 90, 70, 1, 3 };
  g_autoptr (VgImage) image = vg_work_load_dataset (contour, params, NULL, NULL, &size, NULL);
  g_autoptr (VgReference) kept = NULL;
  g_autofree VgOutline *items = NULL;
  g_autofree float *values = NULL;
  VgOutlines outlines;
  gsize bytes;

  vg_param_parse (vg_params_find (&contour->params, "iterations"), params, "10", NULL);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, NULL));
  while (vg_work_step (work, 1, NULL) == VG_STEP_MORE)
    ;
  g_assert_true (vg_work_outlines (work, &outlines, NULL));
  bytes = (gsize) outlines.values.width * sizeof (float);
  items = g_memdup2 (outlines.items, outlines.n * sizeof *items);
  values = g_memdup2 (outlines.values.data, bytes);
  kept = vg_reference_new (work, NULL);
  vg_work_reset (work);
  g_assert_cmpmem (vg_reference_get_outlines (kept)->items,
                   vg_reference_get_outlines (kept)->n * sizeof *items, items,
                   outlines.n * sizeof *items);
  g_assert_cmpmem (vg_reference_get_outlines (kept)->values.data,
                   (gsize) vg_reference_get_outlines (kept)->values.width * sizeof (float), values,
                   bytes);
  vg_params_free (&contour->params, params);
}

/* What is shown of a comparison has words and colours of its own; they are
 * neither saved nor undone. */
static void
test_session (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  g_autoptr (VgSession) session = vg_session_new (fluence);
  g_autofree char *before = vg_session_to_text (session), *after = NULL;
  VgView view = *vg_session_get_view (session);
  VgDisplay display;

  g_assert_cmpstr (vg_session_get_output (session)->label, ==, fluence->outputs[view.output].label);
  view.compare = VG_COMPARE_RATIO;
  vg_session_set_view (session, &view);
  g_assert_cmpfloat (vg_session_get_output (session)->hints.centre, ==, 1);
  g_assert_true (vg_session_get_output (session)->hints.diverging);
  g_assert_cmpstr (vg_session_get_output (session)->unit, ==, "");
  g_assert_cmpstr (vg_session_get_display (session)->colormap, ==, "coolwarm");
  g_assert_true (vg_session_get_display (session)->log_scale);
  display = *vg_session_get_display (session);
  display.gamma = 2;
  vg_session_set_display (session, &display);
  vg_session_commit (session, "Colours");
  g_assert_false (vg_session_can_undo (session));
  after = vg_session_to_text (session);
  g_assert_cmpstr (before, ==, after);
  view.compare = VG_COMPARE_DIFFERENCE;
  vg_session_set_view (session, &view);
  g_assert_cmpstr (vg_session_get_output (session)->unit, ==, fluence->outputs[view.output].unit);
  g_assert_cmpfloat (vg_session_get_display (session)->gamma, ==, 1);
}

/* A ratio's scale is as far below its centre as above, and never comes to 0. */
static void
test_ratio_limits (void)
{
  const VgDisplay display = { .colormap = "coolwarm",
                              .auto_limits = TRUE,
                              .auto_low_percent = 0,
                              .auto_high_percent = 100,
                              .gamma = 1,
                              .log_scale = TRUE };
  const VgOutput output = { .hints = { .diverging = TRUE, .centre = 1 } };
  float values[] = { 0.25f, 0.9f, 1, 1.1f, NAN };
  const VgPlane plane = { .place = VG_HOST, .data = values, .width = 5, .height = 1, .slices = 1 };
  VgStatistics statistics;
  VgColoring coloring;

  for (int noisy = 0; noisy < 2; noisy++)
    {
      vg_statistics_compute (&statistics, &plane, 0, 1);
      vg_display_get_coloring (&display, &output, &statistics, &coloring);
      g_assert_cmpfloat_with_epsilon (coloring.low * coloring.high, 1, 1e-9);
      g_assert_cmpfloat (coloring.high, >=, 4 - 1e-3);
      g_assert_cmpfloat (coloring.high, <=, noisy ? 100.001 : 4.01);
      values[4] = 1e6f;
    }
}

/* Limits about a centre of values that are not below 0, such as percentages, are not below 0
 * either. */
static void
test_percent_limits (void)
{
  const VgDisplay display = { .colormap = "coolwarm",
                              .auto_limits = TRUE,
                              .auto_low_percent = 0,
                              .auto_high_percent = 100,
                              .gamma = 1 };
  const VgOutput output = { .hints = { .diverging = TRUE, .centre = 100 } };
  float values[] = { 3, 90, 100, 840 };
  const VgPlane plane = { .place = VG_HOST, .data = values, .width = 4, .height = 1, .slices = 1 };
  VgStatistics statistics;
  VgColoring coloring;

  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.low, ==, 0);
  g_assert_cmpfloat (coloring.high, ==, 200);
  values[3] = 120;
  values[0] = 70;
  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.low, ==, 70);
  g_assert_cmpfloat (coloring.high, ==, 130);
  values[0] = -20; /* of noise, or of a difference */
  vg_statistics_compute (&statistics, &plane, 0, 1);
  vg_display_get_coloring (&display, &output, &statistics, &coloring);
  g_assert_cmpfloat (coloring.low, <=, -20);
}

/* What is hardly known, then or now, has no ratio; what is not known at all is shown. */
static void
test_hide_noise (void)
{
  const VgOperation *fluence = vg_operation_find ("fluence");
  g_autoptr (VgWork) work = vg_work_new (fluence, VG_BACKEND_CPU, 1, NULL);
  void *params = vg_params_new (&fluence->params);
  g_autoptr (VgReference) kept = NULL;
  g_autofree float *values = NULL, *errors = NULL;
  gsize capacity = 0, room = 0;
  VgPlane plane, error;
  int hidden = 0;

  vg_param_parse (vg_params_find (&fluence->params, "photons"), params, "3000", NULL);
  vg_param_parse (vg_params_find (&fluence->params, "nz"), params, "60", NULL);
  vg_param_parse (vg_params_find (&fluence->params, "nr"), params, "40", NULL);
  g_assert_true (vg_work_prepare (work, params, NULL, NULL, NULL));
  while (vg_work_step (work, 0.01, NULL) == VG_STEP_MORE)
    ;
  kept = vg_reference_new (work, NULL);
  g_assert_cmpint (vg_reference_find_error (kept, 0), ==, 2);
  g_assert_cmpint (vg_reference_find_error (kept, 2), ==, -1);
  g_assert_true (vg_work_read_output (work, 2, &error, &errors, &room, NULL));
  g_assert_true (vg_work_read_output (work, 0, &plane, &values, &capacity, NULL));
  vg_reference_compare (kept, 0, VG_COMPARE_RATIO, &plane, values);
  vg_reference_hide_noise (kept, 0, &plane, errors, values);
  for (int i = 0; i < 60 * 40; i++)
    {
      g_assert_true (isnan (values[i]) == !(errors[i] <= 30));
      hidden += isnan (values[i]);
    }
  g_assert_cmpint (hidden, >, 100);
  g_assert_cmpint (hidden, <, 2300);
  vg_params_free (&fluence->params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kept/compare", test_compare);
  g_test_add_func ("/kept/brightness", test_brightness);
  g_test_add_func ("/kept/beside", test_beside);
  g_test_add_func ("/kept/refuse", test_refuse);
  g_test_add_func ("/kept/label-borders", test_label_borders);
  g_test_add_func ("/kept/outlines", test_outlines);
  g_test_add_func ("/kept/session", test_session);
  g_test_add_func ("/kept/ratio-limits", test_ratio_limits);
  g_test_add_func ("/kept/percent-limits", test_percent_limits);
  g_test_add_func ("/kept/hide-noise", test_hide_noise);
  g_test_add_func ("/kept/curves", test_curves);
  return g_test_run ();
}
