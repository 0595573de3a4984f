/* SPDX-License-Identifier: MIT */
/* The life cycle of an engine: every size and setting gives whole maps, the
 * same each time; it can be ended at any moment and gives all back. */
#include "operation-run.h"
#include <math.h>
#include <string.h>

/* Defaults as the synthetic instrument needs them. */
static gpointer
make_params (const VgOperation *operation)
{
  gpointer params = vg_params_new (&operation->params);

  if (operation->synthetic != NULL)
    operation->synthetic->settings (params);
  return params;
}

static void
free_params (const VgOperation *operation, gpointer params)
{
  vg_params_free (&operation->params, params);
}

/* Every output that these settings promise is there. */
static void
check_shown (const VgOperation *operation, const Maps *maps, const void *params)
{
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];

      if (output->kind != VG_OUTPUT_TEXT && vg_operation_output_is_shown (operation, i, params) && maps->planes[i].data == NULL)
        g_error ("output %s is shown with these settings, but was not computed", output->id);
    }
}

static void
expect_equal (const VgOperation *operation, const Maps *a, const Maps *b, guint n, double tolerance, const char *what)
{
  guint where;
  double difference = maps_compare (a, b, n, &where);

  if (difference > tolerance)
    g_error ("%s: output %s differs by %g relative", what, operation->outputs[where].id, difference);
}

/* One whole run on the CPU; NULL when the operation refuses these settings or
 * this size with an error. */
static Maps *
compute (Input *input, const void *params)
{
  const VgOperation *operation = input->operation;
  g_autoptr(GError) error = NULL;
  g_autoptr(Run) run = NULL;

  if (operation->validate != NULL && !operation->validate (params, &error))
    {
      g_assert_nonnull (error);
      return NULL;
    }
  run = run_new (operation->cpu, input, params, 2, &error);
  if (run == NULL)
    return NULL;
  run_finish (run);
  return run_read (run, NULL, FALSE);
}

void
check_sizes (gconstpointer data)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 31 }, { 29, 1 }, { 2, 3 }, { 37, 41 }, { 131, 67 } };
  const VgOperation *operation = data;
  gpointer params = make_params (operation);
  int computed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr(Input) input = input_new (operation, params, sizes[i][0], sizes[i][1], 5);
      g_autoptr(Maps) maps = compute (input, params);

      g_test_message ("%dx%d", sizes[i][0], sizes[i][1]);
      if (maps == NULL)
        continue;
      check_shown (operation, maps, params);
      computed++;
    }
  g_assert_cmpint (computed, >=, 2);
  free_params (operation, params);
}

/* Another value that PARAM may have, number N of those worth trying; FALSE
 * when there is none. */
static gboolean
vary (const VgParam *param, gpointer params, int n)
{
  double value = vg_param_get_number (param, params), high = param->ui_max != 0 ? param->ui_max : param->max;
  double small = param->log_scale ? value * 1.3 : value + MAX (param->step, (high - param->min) / 50);

  switch (param->kind)
    {
    case VG_PARAM_CHOICE:
    case VG_PARAM_BOOL:
      if (n >= (param->kind == VG_PARAM_BOOL ? 2 : (int) g_strv_length ((char **) param->choices)) || n == (int) value)
        return FALSE;
      vg_param_set_number (param, params, n);
      return TRUE;
    case VG_PARAM_INT:
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      if (n > 2)
        return FALSE;
      vg_param_set_number (param, params, n == 0 ? small : n == 1 ? param->min : MIN (high, param->max));
      return vg_param_get_number (param, params) != value;
    case VG_PARAM_ACTION:
      vg_param_set_number (param, params, value + 1);
      return n == 0;
    case VG_PARAM_FILE:
    case VG_PARAM_REGION:
    case VG_PARAM_TABLE:
    default:
      return FALSE;
    }
}

enum { VARIATIONS = 8 };

void
check_settings (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer defaults = make_params (operation);
  g_autoptr(Input) input = input_new (operation, defaults, 23, 19, 5);
  int computed = 0;

  for (guint i = 0; i < operation->params.n_items; i++)
    for (int n = 0; n < VARIATIONS; n++)
      {
        gpointer params = make_params (operation);

        if (vary (&operation->params.items[i], params, n))
          {
            g_autofree char *text = vg_param_format (&operation->params.items[i], params);
            g_autoptr(Maps) maps = NULL;

            g_test_message ("%s = %s", operation->params.items[i].id, text);
            maps = compute (input, params);
            if (maps != NULL)
              check_shown (operation, maps, params);
            computed += maps != NULL;
          }
        free_params (operation, params);
      }
  g_assert_cmpint (computed, >, (int) operation->params.n_items / 2);
  free_params (operation, defaults);
}

/* A change in place after BEFORE_FRAMES frames gives what a fresh start with
 * the new settings gives from the same frames: all outputs when it comes
 * first, else the first output, the only one sure not to hold a history (an
 * average, a baseline) on purpose. */
static void
check_change (Input *input, const void *before, const void *after, gint64 before_frames, const char *what)
{
  const VgOperation *operation = input->operation;
  g_autoptr(GError) error = NULL;
  g_autoptr(Run) run = run_new (operation->cpu, input, before, 2, &error);
  g_autoptr(Run) fresh = NULL;
  g_autoptr(Maps) changed = NULL;
  g_autoptr(Maps) expected = NULL;

  g_assert_no_error (error);
  while (run->next < before_frames && run_advance (run))
    ;
  if (!operation->cpu->update (run->state, after))
    return;
  fresh = run_new (operation->cpu, input, after, 2, &error);
  g_assert_no_error (error);
  run_finish (fresh);
  run->next = 0;
  run->frames = fresh->frames;
  run->steps = 0;
  run_finish (run);
  changed = run_read (run, NULL, FALSE);
  check_shown (operation, changed, after);
  /* an iteration may go on from where it was */
  if (operation->input != VG_INPUT_STREAM)
    return;
  expected = run_read (fresh, NULL, FALSE);
  expect_equal (operation, changed, expected, before_frames > 0 ? 1 : operation->n_outputs, 1e-6, what);
}

void
check_update (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer defaults = make_params (operation);
  g_autoptr(Input) input = input_new (operation, defaults, 23, 19, 5);

  for (guint i = 0; i < operation->params.n_items; i++)
    for (int n = 0; n < VARIATIONS; n++)
      {
        gpointer before = make_params (operation), after = make_params (operation);

        if (vary (&operation->params.items[i], after, n) && (operation->validate == NULL || operation->validate (after, NULL)))
          {
            g_test_message ("%s", operation->params.items[i].id);
            check_change (input, before, after, 0, operation->params.items[i].id);
            check_change (input, before, after, G_MAXINT64, operation->params.items[i].id);
          }
        free_params (operation, before);
        free_params (operation, after);
      }
  free_params (operation, defaults);
}

/* Bit for bit: again, in another order of outputs, and after an update that
 * changes nothing; to rounding: with another number of threads. */
void
check_repeat (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = make_params (operation);
  g_autoptr(Input) input = input_new (operation, params, 53, 47, 11);
  g_autoptr(GError) error = NULL;
  g_autoptr(Run) run = run_new (operation->cpu, input, params, 2, &error);
  g_autoptr(Run) again = run_new (operation->cpu, input, params, 2, &error);
  g_autoptr(Run) single = run_new (operation->cpu, input, params, 1, &error);
  g_autoptr(Maps) first = NULL, backwards = NULL, second = NULL, third = NULL, other = NULL;

  g_assert_no_error (error);
  run_finish (run);
  first = run_read (run, NULL, FALSE);
  backwards = run_read (run, NULL, TRUE);
  run_finish (again);
  second = run_read (again, NULL, TRUE);
  expect_equal (operation, first, backwards, operation->n_outputs, 0, "read backwards");
  expect_equal (operation, first, second, operation->n_outputs, 0, "run again");
  if (operation->cpu->update (again->state, params) && operation->input == VG_INPUT_STREAM)
    {
      g_assert_cmpint (operation->cpu->step (again->state, 0.01, &error), ==, VG_STEP_DONE);
      g_assert_no_error (error);
      third = run_read (again, NULL, FALSE);
      expect_equal (operation, first, third, operation->n_outputs, 0, "stepped again");
    }
  run_finish (single);
  other = run_read (single, NULL, FALSE);
  expect_equal (operation, first, other, operation->n_outputs, 1e-6, "one thread");
  free_params (operation, params);
}

void
check_cancel (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = make_params (operation);
  g_autoptr(Input) input = input_new (operation, params, 31, 17, 3);

  for (int steps = 0; steps < 10; steps++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(Run) run = run_new (operation->cpu, input, params, 2, &error);

      g_assert_no_error (error);
      for (int i = 0; i < steps && run_advance (run); i++)
        ;
      if (run->maps > 0)
        {
          g_autoptr(Maps) maps = run_read (run, NULL, FALSE);

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

static void
check_results (const VgEngine *engine, gpointer state)
{
  g_autoptr(VgNumbers) numbers = vg_numbers_new ();

  if (engine->results == NULL)
    return;
  engine->results (state, numbers);
  for (guint i = 0; i < numbers->items->len; i++)
    {
      const VgNumber *number = &g_array_index (numbers->items, VgNumber, i);

      g_assert_true (number->id != NULL && number->label != NULL && number->unit != NULL);
      g_assert_true (vg_numbers_find (numbers, number->id) == number);
    }
}

static void
check_texts (const VgOperation *operation, gpointer state)
{
  for (guint i = 0; i < operation->n_outputs; i++)
    if (operation->outputs[i].kind == VG_OUTPUT_TEXT)
      {
        g_autoptr(GError) error = NULL;
        g_autofree char *name = NULL;
        g_autofree char *text = operation->cpu->text (state, i, &name, &error);

        g_assert_no_error (error);
        g_assert_true (text != NULL && g_utf8_validate (text, -1, NULL));
        g_assert_true (name == NULL || strchr (name, G_DIR_SEPARATOR) == NULL);
      }
}

static void
query (const VgOperation *operation, gpointer state, int width, int height)
{
  const double places[][2] = { { width / 2.0, height / 2.0 }, { 0, 0 }, { width - 0.5, height - 0.5 }, { -1, 0 }, { 0, -1 },
                               { width, 0 }, { 1e300, -1e300 }, { NAN, NAN } };
  const VgEngine *engine = operation->cpu;
  VgPlane plane;

  for (guint i = 0; i < G_N_ELEMENTS (places) && engine->sample != NULL; i++)
    check_curves (engine->sample (state, places[i][0], places[i][1], 0), FALSE);
  for (guint i = 0; i < operation->n_plots; i++)
    check_curves (engine->plot (state, i), FALSE);
  check_results (engine, state);
  if (engine->progress != NULL)
    g_assert_cmpfloat (engine->progress (state), <=, 1);
  g_assert_false (engine->output (state, operation->n_outputs, &plane));
  g_assert_false (engine->output (state, G_MAXUINT, &plane));
}

/* Whatever is asked, before the first map, at work, and at the end. */
void
check_queries (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = make_params (operation);
  g_autoptr(Input) input = input_new (operation, params, 31, 17, 3);
  g_autoptr(GError) error = NULL;
  g_autoptr(Run) run = run_new (operation->cpu, input, params, 2, &error);

  g_assert_no_error (error);
  query (operation, run->state, 31, 17);
  while (run_advance (run))
    query (operation, run->state, 31, 17);
  if (operation->cpu->sample != NULL)
    check_curves (operation->cpu->sample (run->state, 15.5, 8.5, 0), TRUE);
  for (guint i = 0; i < operation->n_plots; i++)
    check_curves (operation->cpu->plot (run->state, i), TRUE);
  check_texts (operation, run->state);
  free_params (operation, params);
}

/* Prepare refuses what it can't use with an error, and takes the rest. */
static void
try_info (const VgOperation *operation, const void *params, const VgImageInfo *info)
{
  VgContext context = { .params = params, .info = info, .threads = 1 };
  g_autoptr(GError) error = NULL;
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
  gpointer params = make_params (operation);

  if (operation->adopt != NULL)
    operation->adopt (params, info);
  for (guint i = 0; i < operation->params.n_items; i++)
    {
      const VgParam *param = &operation->params.items[i];
      g_autofree char *text = vg_param_format (param, params);
      g_autoptr(GError) error = NULL;

      vg_param_parse (param, params, text, &error);   /* still inside the hard range */
      g_assert_no_error (error);
    }
  free_params (operation, params);
}

void
check_hostile (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer params = make_params (operation);
  const VgImageInfo good = { .type = VG_U16, .width = 16, .height = 16, .channels = 1, .bins = 1, .slices = 1, .frames = 10 };
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
  for (guint i = 0; i < G_N_ELEMENTS (infos) && operation->input == VG_INPUT_STREAM; i++)
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
