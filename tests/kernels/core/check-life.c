/* SPDX-License-Identifier: MIT */
/* The life cycle of an engine: it can be ended and asked at any moment, gives
 * all back, and refuses what it can't use. */
#include "tests/kernels/core/operation-run.h"
#include <math.h>
#include <string.h>

void
check_cancel (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = default_params (operation, 31, 17);
  g_autoptr (Input) input = input_new (operation, params, 31, 17, 3);

  for (int steps = 0; steps < 10; steps++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (Run) run = run_new (operation->cpu, input, params, 2, &error);

      g_assert_no_error (error);
      for (int i = 0; i < steps && run_advance (run); i++)
        ;
      if (run->maps > 0)
        {
          g_autoptr (Maps) maps = run_read (run, NULL, FALSE);

          g_assert_cmpuint (maps->n, ==, operation->n_outputs);
        }
    }
  operation->cpu->free (NULL);
  free_params (operation, params);
}

static void
check_curves (VgCurves *curves, gboolean required)
{
  if (required)
    g_assert_nonnull (curves);
  if (curves == NULL)
    return;
  g_assert_true (curves->title != NULL && curves->x_label != NULL && curves->y_label != NULL);
  for (guint i = 0; i < curves->series->len; i++)
    {
      const VgSeries *series = curves->series->pdata[i];

      g_assert_nonnull (series->name);
      g_assert_cmpint (series->n, >=, 0);
      for (int k = 0; k < series->n; k++)
        g_assert_true (isfinite (series->x[k]));
    }
  vg_curves_free (curves);
}

/* What a metric proposes is a value of a parameter. */
static void
check_proposal (const VgOperation *operation, const VgMetric *number)
{
  const VgParam *param = number->setting != NULL
                             ? vg_params_find (&operation->params, number->setting)
                             : NULL;

  g_assert_true (number->setting == NULL || (param != NULL && number->advice != NULL));
  if (param != NULL)
    g_assert_true (number->proposal >= param->min && number->proposal <= param->max);
}

static void
check_results (const VgOperation *operation, gpointer state)
{
  const VgEngine *engine = operation->cpu;
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();

  if (engine->results == NULL)
    return;
  engine->results (state, numbers, NULL);
  for (guint i = 0; i < numbers->items->len; i++)
    {
      const VgMetric *number = &g_array_index (numbers->items, VgMetric, i);

      g_assert_true (number->id != NULL && number->label != NULL && number->unit != NULL);
      g_assert_true (vg_metrics_find (numbers, number->id) == number);
      check_proposal (operation, number);
    }
}

/* The number that is shown largest is one of a finished run. */
static void
check_key_metric (const VgOperation *operation, gpointer state)
{
  g_autoptr (VgMetrics) numbers = vg_metrics_new ();

  if (operation->view.key_metric == NULL)
    return;
  operation->cpu->results (state, numbers, NULL);
  g_assert_nonnull (vg_metrics_find (numbers, operation->view.key_metric));
}

static void
check_texts (const VgOperation *operation, gpointer state)
{
  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind == VG_OUTPUT_TEXT)
      {
        g_autoptr (GError) error = NULL;
        g_autofree char *name = NULL;
        g_autofree char *text = operation->cpu->text (state, i, &name, &error);

        g_assert_no_error (error);
        g_assert_true (text != NULL && g_utf8_validate (text, -1, NULL));
        g_assert_true (name == NULL || strchr (name, G_DIR_SEPARATOR) == NULL);
      }
}

/* No member is set for an engine without curves. */
static VgEngineCurves
get_curves (const VgEngine *engine)
{
  return engine->curves != NULL ? *engine->curves : (VgEngineCurves){ 0 };
}

static void
query (const VgOperation *operation, gpointer state, int width, int height)
{
  const double places[][2] = { { width / 2.0, height / 2.0 },
                               { 0, 0 },
                               { width - 0.5, height - 0.5 },
                               { -1, 0 },
                               { 0, -1 },
                               { width, 0 },
                               { 1e300, -1e300 },
                               { NAN, NAN } };
  const VgEngine *engine = operation->cpu;
  const VgEngineCurves curves = get_curves (engine);
  VgPlane plane;

  for (guint i = 0; i < G_N_ELEMENTS (places) && curves.sample != NULL; i++)
    check_curves (curves.sample (state, places[i][0], places[i][1], 0, NULL), FALSE);
  for (guint i = 0; i < G_N_ELEMENTS (places) && curves.sample_region != NULL; i++)
    {
      VgRegion region = { VG_REGION_RECTANGLE,
                          (int) i - 1,
                          2,
                          { places[i][0], width / 2.0 },
                          { places[i][1], height / 2.0 } };

      check_curves (curves.sample_region (state, &region, NULL), FALSE);
    }
  for (guint i = 0; i < operation->n_plots; i++)
    check_curves (curves.plot (state, i, NULL), FALSE);
  check_results (operation, state);
  if (engine->progress != NULL)
    g_assert_cmpfloat (engine->progress (state), <=, 1);
  g_assert_false (engine->output (state, operation->n_outputs, &plane, NULL));
  g_assert_false (engine->output (state, G_MAXUINT, &plane, NULL));
}

/* Whatever is asked, before the first map, at work, and at the end. */
void
check_queries (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = default_params (operation, 31, 17);
  g_autoptr (Input) input = input_new (operation, params, 31, 17, 3);
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run = run_new (operation->cpu, input, params, 2, &error);
  const VgEngineCurves curves = get_curves (operation->cpu);

  g_assert_no_error (error);
  query (operation, run->state, 31, 17);
  while (run_advance (run))
    query (operation, run->state, 31, 17);
  if (curves.sample != NULL)
    check_curves (curves.sample (run->state, 15.5, 8.5, 0, NULL), TRUE);
  if (curves.sample_region != NULL)
    check_curves (curves.sample_region (run->state,
                                        &(VgRegion){ VG_REGION_ELLIPSE, 0, 2, { 15, 6 }, { 8, 5 } },
                                        NULL),
                  TRUE);
  for (guint i = 0; i < operation->n_plots; i++)
    {
      g_autofree char *needs = vg_operation_plot_needs (operation, i, params);

      check_curves (curves.plot (run->state, i, NULL),
                    operation->plots[i].plane == NULL && needs == NULL);
    }
  check_texts (operation, run->state);
  check_key_metric (operation, run->state);
  free_params (operation, params);
}

/* Prepare refuses what it can't use with an error, and takes the rest. */
static void
try_info (const VgOperation *operation, const void *params, const VgImageInfo *info)
{
  VgContext context = { .params = params, .info = info, .threads = 1 };
  g_autoptr (GError) error = NULL;
  gpointer state = operation->cpu->prepare (&context, &error);

  g_assert_true ((state == NULL) == (error != NULL));
  if (state != NULL)
    operation->cpu->free (state);
  else
    g_assert_null (strchr (error->message, '\n'));
}

static void
check_adopt (const VgOperation *operation, const VgImageInfo *info)
{
  gpointer params = default_params (operation, 16, 16);

  if (operation->adopt != NULL)
    operation->adopt (params, info);
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *text = vg_param_format (param, params);
      g_autoptr (GError) error = NULL;

      vg_param_parse (param, params, text, &error); /* still inside the hard range */
      g_assert_no_error (error);
    }
  free_params (operation, params);
}

void
check_hostile (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = default_params (operation, 16, 16);
  const VgImageInfo good = {
    .type = VG_U16, .width = 16, .height = 16, .channels = 1, .bins = 1, .slices = 1, .frames = 10
  };
  const double odd[] = { NAN, INFINITY, -1, 0, 1e300, 1e-300 };
  VgImageInfo infos[12];

  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    infos[i] = good;
  infos[0].width = 0;
  infos[1].height = -1;
  infos[2].width = infos[2].height = G_MAXINT;
  infos[3].channels = 3;
  infos[4].channels = 0;
  infos[5].bins = G_MAXINT64;
  infos[6].slices = 0;
  infos[7].frames = 0;
  infos[8].type = (VgType) 77;
  infos[9].significant_bits = 99;
  infos[10].significant_bits = -5;
  infos[11].bins = infos[11].slices = 2;
  /* data held whole agree with their info, which vg_image_new checks */
  for (guint i = 0; i < G_N_ELEMENTS (infos) && operation->input.kind == VG_INPUT_STREAM; i++)
    try_info (operation, params, &infos[i]);
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      VgImageInfo info = good;

      info.exposure_ms = info.frame_interval_s = info.bin_width_ns = info.period_ns = odd[i];
      info.pixel_size[0] = info.pixel_size[1] = info.pixel_size[2] = odd[i];
      check_adopt (operation, &info);
    }
  free_params (operation, params);
}
