/* SPDX-License-Identifier: MIT */
/* The maps of an engine: whole at every size and setting, the same each time,
 * and after a change as after a fresh start. */
#include "tests/kernels/core/operation-run.h"
#include "tests/support/sanitized.h"

/* Every output that these settings promise is there. */
static void
check_shown (const VgOperation *operation, const Maps *maps, const void *params)
{
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      const VgOutput *output = &operation->outputs[i];

      if (output->kind != VG_OUTPUT_TEXT && vg_operation_output_is_shown (operation, i, params) &&
          maps->planes[i].data == NULL)
        g_error ("output %s is shown with these settings, but was not computed", output->id);
    }
}

static void
expect_equal (const VgOperation *operation, const Maps *a, const Maps *b, guint n, double tolerance,
              const char *what)
{
  guint where;
  double difference = maps_compare (a, b, n, &where);

  if (difference > tolerance)
    g_error ("%s: output %s differs by %g relative", what, operation->outputs[where].id,
             difference);
}

/* One whole run on the CPU; NULL when the operation refuses these settings or
 * this size with an error. */
static Maps *
compute (Input *input, const void *params)
{
  const VgOperation *operation = input->operation;
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run = NULL;

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
  static const int sizes[][2] = {
    { 1, 1 }, { 1, 31 }, { 29, 1 }, { 2, 3 }, { 37, 41 }, { 131, 67 }
  };
  const VgOperation *operation = data;
  int computed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      gpointer params = default_params (operation, sizes[i][0], sizes[i][1]);
      g_autoptr (Input) input = input_new (operation, params, sizes[i][0], sizes[i][1], 5);
      g_autoptr (Maps) maps = compute (input, params);

      g_test_message ("%dx%d", sizes[i][0], sizes[i][1]);
      if (maps != NULL)
        check_shown (operation, maps, params);
      computed += maps != NULL;
      free_params (operation, params);
    }
  g_assert_cmpint (computed, >=, 2);
}

/* Another value that PARAM may have, number N of those worth trying; FALSE
 * when there is none. */
static gboolean
vary (const VgParam *param, gpointer params, int n)
{
  double value = vg_param_get_number (param, params),
         high = param->slider.max != 0 ? param->slider.max : param->max;
  double small = param->slider.log_scale
                     ? value * 1.3
                     : value + MAX (param->slider.step, (high - param->min) / 50);
  /* near the end where a least value means something else */
  double least = param->min + 1e-4 * (param->max - param->min);

  switch (param->kind)
    {
    case VG_PARAM_CHOICE:
    case VG_PARAM_BOOL:
      if (n >=
              (param->kind == VG_PARAM_BOOL ? 2 : (int) g_strv_length ((char **) param->choices)) ||
          n == (int) value)
        return FALSE;
      vg_param_set_number (param, params, n);
      return TRUE;
    case VG_PARAM_INT:
    case VG_PARAM_FLOAT:
    case VG_PARAM_DOUBLE:
      if (n > (SANITIZED ? 1 : 3))
        return FALSE;
      vg_param_set_number (param, params,
                           n == 0   ? small
                           : n == 1 ? param->min
                           : n == 2 ? MIN (high, param->max)
                                    : least);
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

enum {
  VARIATIONS = 8,
  /* of the maps with these variations: whole vectors of pixels and a rest */
  WIDTH = SANITIZED ? 11 : 23,
  HEIGHT = SANITIZED ? 9 : 19
};

/* Memory can be foreseen for any setting. */
static void
check_memory (const VgOperation *operation, gconstpointer params, const VgImageInfo *info)
{
  gsize host = 0, device = 0;

  if (operation->memory == NULL)
    return;
  operation->memory->estimate (params, info, &host, &device);
  g_assert_cmpuint (host, <, G_MAXSIZE / 2);
}

void
check_settings (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer defaults = default_params (operation, WIDTH, HEIGHT);
  g_autoptr (Input) input = input_new (operation, defaults, WIDTH, HEIGHT, 5);
  int computed = 0;

  for (guint i = 0; i < operation->params.n_items; i++)
    for (int n = 0; n < VARIATIONS; n++)
      {
        gpointer params = default_params (operation, WIDTH, HEIGHT);

        if (vary (&operation->params.items[i], params, n))
          {
            g_autofree char *text = vg_param_format (&operation->params.items[i], params);
            g_autoptr (Maps) maps = NULL;

            g_test_message ("%s = %s", operation->params.items[i].id, text);
            check_memory (operation, params, &input->info);
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

/* To the end of the input, again. */
static Maps *
compute_again (Run *run, const void *params)
{
  Maps *maps;

  run->next = 0;
  run->frames = run_count_frames (run->input->operation, params);
  run->steps = 0;
  run_finish (run);
  maps = run_read (run, NULL, FALSE);
  check_shown (run->input->operation, maps, params);
  return maps;
}

/* A change in place after BEFORE_FRAMES frames of a stream gives what a fresh start with the new
 * settings gives from the same frames: all outputs when it comes first, else the first output, the
 * only one sure not to hold a history (an average, a baseline) on purpose. */
static void
check_change (Input *input, const void *before, const void *after, gint64 before_frames,
              const char *what)
{
  const VgOperation *operation = input->operation;
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run = run_new (operation->cpu, input, before, 2, &error);
  g_autoptr (Run) fresh = NULL;
  g_autoptr (Maps) changed = NULL;
  g_autoptr (Maps) expected = NULL;

  g_assert_no_error (error);
  while (run->next < before_frames && run_advance (run))
    ;
  if (!operation->cpu->update (run->state, after))
    return;
  fresh = run_new (operation->cpu, input, after, 2, &error);
  g_assert_no_error (error);
  changed = compute_again (run, after);
  run_finish (fresh);
  expected = run_read (fresh, NULL, FALSE);
  expect_equal (operation, changed, expected, before_frames > 0 ? 1 : operation->n_outputs, 1e-6,
                what);
}

static Maps *
compute_fresh (Run *like, const void *params)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run = run_new (like->engine, like->input, params, 2, &error);

  g_assert_no_error (error);
  run_finish (run);
  return run_read (run, NULL, FALSE);
}

/* All outputs of RUN are there.  BEGINS_ANEW: they are those of a fresh start, unless a fresh start
 * differs from the next, as of a simulation that ends after a time. */
static void
check_after_change (Run *run, const void *params, gboolean begins_anew, const char *what)
{
  const VgOperation *operation = run->input->operation;
  g_autoptr (Maps) changed = compute_again (run, params);
  g_autoptr (Maps) expected = begins_anew ? compute_fresh (run, params) : NULL;
  g_autoptr (Maps) another = NULL;
  guint where;

  if (expected == NULL || maps_compare (changed, expected, operation->n_outputs, &where) <= 1e-6)
    return;
  another = compute_fresh (run, params);
  if (maps_compare (another, expected, operation->n_outputs, &where) <= 1e-6)
    expect_equal (operation, changed, expected, operation->n_outputs, 1e-6, what);
}

/* A change before the first step, and one amid the work: RUN, whatever it did, begins again with
 * the settings before.  Either gives what a fresh start with the new settings gives, except that
 * contours, which can be resumed, go on, and that a simulation keeps its photons amid the work: of
 * these the outputs are there. */
static void
check_change_of_dataset (Run **run, const void *before, const void *after, const char *what)
{
  Input *input = (*run)->input;
  const VgEngine *engine = (*run)->engine;
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) early = run_new (engine, input, before, 2, &error);

  g_assert_no_error (error);
  if (engine->update (early->state, after))
    check_after_change (early, after, engine->resume == NULL, what);
  if (!engine->update ((*run)->state, before))
    {
      run_free (*run);
      *run = run_new (engine, input, before, 2, &error);
      g_assert_no_error (error);
    }
  (*run)->steps = 0;
  run_advance (*run);
  if (engine->update ((*run)->state, after))
    check_after_change (*run, after,
                        engine->resume == NULL && input->operation->input.kind == VG_INPUT_DATASET,
                        what);
}

void
check_update (gconstpointer data)
{
  const VgOperation *operation = data;
  gpointer defaults = default_params (operation, WIDTH, HEIGHT);
  g_autoptr (Input) input = input_new (operation, defaults, WIDTH, HEIGHT, 5);
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run = run_new (operation->cpu, input, defaults, 2, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < operation->params.n_items; i++)
    for (int n = 0; n < VARIATIONS; n++)
      {
        gpointer before = default_params (operation, WIDTH, HEIGHT),
                 after = default_params (operation, WIDTH, HEIGHT);

        if (vary (&operation->params.items[i], after, n) &&
            (operation->validate == NULL || operation->validate (after, NULL)))
          {
            g_test_message ("%s", operation->params.items[i].id);
            if (operation->input.kind == VG_INPUT_STREAM)
              {
                check_change (input, before, after, 0, operation->params.items[i].id);
                check_change (input, before, after, G_MAXINT64, operation->params.items[i].id);
              }
            else
              check_change_of_dataset (&run, before, after, operation->params.items[i].id);
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
  gpointer params = default_params (operation, 53, 47);
  g_autoptr (Input) input = input_new (operation, params, 53, 47, 11);
  g_autoptr (GError) error = NULL;
  g_autoptr (Run) run = run_new (operation->cpu, input, params, 2, &error);
  g_autoptr (Run) again = run_new (operation->cpu, input, params, 2, &error);
  g_autoptr (Run) single = run_new (operation->cpu, input, params, 1, &error);
  g_autoptr (Maps) first = NULL, backwards = NULL, second = NULL, third = NULL, other = NULL;

  g_assert_no_error (error);
  run_finish (run);
  first = run_read (run, NULL, FALSE);
  backwards = run_read (run, NULL, TRUE);
  run_finish (again);
  second = run_read (again, NULL, TRUE);
  expect_equal (operation, first, backwards, operation->n_outputs, 0, "read backwards");
  expect_equal (operation, first, second, operation->n_outputs, 0, "run again");
  if (operation->cpu->update (again->state, params) && operation->input.kind == VG_INPUT_STREAM)
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
