/* SPDX-License-Identifier: MIT */
/* How tiles share threads and memory, and how they end, with an engine and a slide that do nothing
 * but count. */
#include "app/batch/vg-batch-private.h"
#include "app/compute/vg-work-tiles.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include "tests/support/io/tiff-fixture.h"
#include <string.h>

enum { CORE = 128, HALO = 64, COLUMNS = 4, TILES = COLUMNS * COLUMNS, SIDE = COLUMNS * CORE };
enum { LIMIT_S = 20 };

/* What a run does, and what it has done. */
typedef struct
{
  int columns;          /* of the slide */
  int bad, bad_merge;   /* the tile that fails, and the one that is not merged, from 1; 0: none */
  int beside;           /* tiles in work that these wait for */
  gboolean hold;        /* other tiles are prepared until they are stopped */
  gboolean read_ahead;  /* a tile is prepared until the next one has been read */
  gboolean dead;        /* the GPU */
  gsize device, unused; /* bytes of a tile on the GPU, and those free there */
  gsize host;           /* bytes of a tile */
  int too_wide;         /* pixels from which a tile is too large for the memory; 0: none is */
  int core;             /* that the run chooses; 0: CORE, which is given */
  int cancel_at;        /* tiles in work at which the run is cancelled; 0: it is not */

  int reads, states, most_states, least_threads, stopped, merged, on_gpu, notices;
  char *notice;
} Play;

static Play play;
static GMutex mutex; /* of the play */
static GCond changed;
static VgOperation operation; /* contour with other functions */

/* Waits until *VALUE is at least LEAST; with the mutex. */
static void
wait_for (const int *value, int least)
{
  gint64 end = g_get_monotonic_time () + LIMIT_S * G_TIME_SPAN_SECOND;

  while (*value < least)
    if (!g_cond_wait_until (&changed, &mutex, end))
      g_error ("it is %d, not %d", *value, least);
}

static gpointer
leave (void)
{
  play.states--;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&mutex);
  return NULL;
}

static gpointer
prepare_on (const VgContext *context, gboolean gpu, GError **error)
{
  int columns = play.columns,
      i = (context->part->y + HALO) / play.core * columns + (context->part->x + HALO) / play.core;
  gint64 end = g_get_monotonic_time () + LIMIT_S * G_TIME_SPAN_SECOND;

  g_mutex_lock (&mutex);
  play.states++;
  play.on_gpu += gpu;
  play.most_states = MAX (play.most_states, play.states);
  play.least_threads = MIN (play.least_threads, context->threads);
  g_cond_broadcast (&changed);
  if (gpu && play.dead)
    {
      g_set_error (error, VG_GPU_ERROR, VG_GPU_ERROR_FAILED, "the device fell off the bus");
      return leave ();
    }
  if (i + 1 == play.bad)
    {
      wait_for (&play.states, play.beside);
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED, "tile %d is bad", i + 1);
      return leave ();
    }
  if (play.read_ahead)
    wait_for (&play.reads, MIN (i + 2, columns * columns));
  while (play.hold && i + 1 != play.bad_merge)
    {
      if (vg_context_is_stopped (context))
        {
          play.stopped++;
          return leave ();
        }
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_cond_wait_until (&changed, &mutex, g_get_monotonic_time () + G_TIME_SPAN_MILLISECOND);
    }
  g_mutex_unlock (&mutex);
  return g_memdup2 (&i, sizeof i);
}

static gpointer
prepare (const VgContext *context, GError **error)
{
  return prepare_on (context, FALSE, error);
}

static gpointer
prepare_gpu (const VgContext *context, GError **error)
{
  return prepare_on (context, TRUE, error);
}

static VgStep
step (gpointer state, double budget_s, GError **error)
{
  return VG_STEP_DONE;
}

static gconstpointer
tile (gpointer state, GError **error)
{
  return state;
}

static void
free_state (gpointer state)
{
  if (state == NULL)
    return;
  g_free (state);
  g_mutex_lock (&mutex);
  leave ();
}

static void
estimate (const void *params, const VgImageInfo *info, gsize *host, gsize *device)
{
  *host = play.too_wide > 0 && info->width >= play.too_wide ? G_MAXSIZE / 2 : play.host;
  *device = play.device;
}

static gpointer
calibrate (const VgContext *context, const VgImageInfo *whole, GError **error)
{
  g_mutex_lock (&mutex);
  play.reads = 0; /* of the whole */
  g_mutex_unlock (&mutex);
  return g_new0 (char, 1);
}

static int
halo (gconstpointer calibration)
{
  return HALO;
}

static gpointer
merge_new (gconstpointer calibration, const VgContext *context, const VgTiling *tiling,
           const VgTileSink *sink, GError **error)
{
  return g_new0 (char, 1);
}

static gboolean
merge (gpointer self, gconstpointer result, int i, GError **error)
{
  gboolean bad = i + 1 == play.bad_merge;

  g_mutex_lock (&mutex);
  g_assert_cmpint (i, ==, play.merged);
  g_assert_cmpint (i, ==, *(const int *) result);
  play.merged += !bad;
  if (bad)
    wait_for (&play.states, play.beside);
  g_mutex_unlock (&mutex);
  if (bad)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "the disk is full");
  return !bad;
}

static gboolean
finish (gpointer self, VgMetrics *metrics, GError **error)
{
  return TRUE;
}

static gboolean
read_region (VgSource *self, int level, gint64 x, gint64 y, int width, int height, guint8 *rgb,
             GError **error)
{
  memset (rgb, 200, 3 * (gsize) width * (gsize) height);
  g_mutex_lock (&mutex);
  play.reads++;
  g_cond_broadcast (&changed);
  g_mutex_unlock (&mutex);
  return TRUE;
}

static int
device_count (GError **error)
{
  return 1;
}

static gboolean
device_info (int device, VgCudaDevice *info, GError **error)
{
  *info = (VgCudaDevice){ .name = "Fake", .memory_free = play.unused };
  return TRUE;
}

static const VgEngineObjects objects = { .tile = tile };
static const VgEngine engine = {
  .prepare = prepare, .step = step, .objects = &objects, .free = free_state
};
static const VgEngine gpu_engine = {
  .prepare = prepare_gpu, .step = step, .objects = &objects, .free = free_state
};
static const VgMemory memory = { estimate, NULL };
static const VgTiled tiled = { calibrate, g_free, halo, merge_new, merge, finish, g_free, NULL };
static const VgCuda cuda = { .device_count = device_count, .device_info = device_info };

static void
take_notice (const char *text, gpointer user_data)
{
  g_free (play.notice);
  play.notice = g_strdup (text);
  play.notices++;
}

static void
take_progress (double fraction, gint64 maps, gpointer cancellable)
{
  g_mutex_lock (&mutex);
  if (play.cancel_at > 0 && play.states >= play.cancel_at)
    g_cancellable_cancel (cancellable);
  g_mutex_unlock (&mutex);
}

/* Runs WANTED with THREADS threads over a slide of COLUMNS x COLUMNS tiles. */
static gboolean
run (Play wanted, int columns, int threads, gboolean gpu, GError **error)
{
  char *folder = fixture_folder ();
  const char *const inputs[] = { NULL };
  void *params = vg_params_new (&operation.params);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  int side = columns * (wanted.core > 0 ? wanted.core : CORE);
  VgLevel level = { side, side, 1, 0, 0 };
  VgPyramid pyramid = { .levels = &level, .n_levels = 1 };
  VgSourceClass class = { .read_region = read_region };
  VgSource source = { .class = &class,
                      .info = { .type = VG_U8,
                                .width = side,
                                .height = side,
                                .channels = 3,
                                .bins = 1,
                                .slices = 1,
                                .frames = 1 },
                      .pyramid = &pyramid,
                      .name = (char *) "slide" };
  VgBatchJob job = { .params = params,
                     .inputs = inputs,
                     .tile_px = wanted.core > 0 ? 0 : CORE,
                     .cancellable = cancellable,
                     .notice = take_notice,
                     .progress = take_progress,
                     .user_data = cancellable };
  g_autoptr (VgWork)
      work = vg_work_new_with_engines (&operation, &engine, gpu ? &gpu_engine : NULL,
                                       gpu ? &cuda : NULL, VG_BACKEND_AUTO, threads, error);
  VgBatch batch = { .job = &job, .work = work, .operation = &operation, .prefix = "" };
  gboolean ok;

  g_free (play.notice);
  play = wanted;
  play.columns = columns;
  play.core = wanted.core > 0 ? wanted.core : CORE;
  play.least_threads = G_MAXINT;
  batch.staging = vg_staging_new (folder, error);
  ok = vg_batch_run_tiles (&batch, &source, params, NULL, error);
  g_assert_cmpint (play.states, ==, 0);
  if (ok)
    g_assert_cmpint (play.merged, ==, columns * columns);
  vg_staging_free (batch.staging);
  vg_params_free (&operation.params, params);
  fixture_remove_folder (folder);
  return ok;
}

/* Threads are shared among as many tiles as there are. */
static void
test_threads (void)
{
  static const struct
  {
    int columns, threads, each, at_once;
  } cases[] = { { 1, 16, 16, 1 }, { 2, 16, 4, 4 }, { 4, 16, 4, 4 }, { 2, 12, 4, 3 },
                { 3, 9, 5, 2 },   { 2, 7, 7, 1 },  { 2, 1, 1, 1 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (run ((Play){ 0 }, cases[i].columns, cases[i].threads, FALSE, &error));
      g_assert_no_error (error);
      g_assert_cmpint (play.least_threads, ==, cases[i].each);
      g_assert_cmpint (play.most_states, <=, cases[i].at_once);
    }
}

/* The next tile is read while others are computed. */
static void
test_read_ahead (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (run ((Play){ .read_ahead = TRUE }, COLUMNS, 1, FALSE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (play.most_states, ==, 1);
  g_assert_cmpint (play.reads, ==, TILES);
}

/* Fewer tiles at the same time where memory is short, and only then smaller ones. */
static void
test_host_memory (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (run ((Play){ .host = vg_memory_available () / 5 }, COLUMNS, 16, FALSE, &error));
  g_assert_no_error (error);
  g_assert_cmpint (play.least_threads, >, 4);
  g_assert_cmpint (play.most_states, <, 4);
  g_assert_true (run ((Play){ .too_wide = 768 + 2 * HALO + 1, .core = 768 }, 2, 16, FALSE, &error));
  g_assert_no_error (error);
  /* one that the user has chosen is refused */
  g_assert_false (run ((Play){ .too_wide = CORE }, COLUMNS, 16, FALSE, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
}

/* Fewer tiles at the same time where the GPU has little memory. */
static void
test_gpu_memory (void)
{
  static const struct
  {
    gsize device;
    int each, at_once;
  } cases[] = { { 1, 2, 8 }, { 10, 4, 5 }, { 20, 8, 2 }, { 40, 16, 1 }, { 90, 16, 1 } };
  const gsize mib = 1 << 20;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (run ((Play){ .device = cases[i].device * mib, .unused = 100 * mib }, COLUMNS,
                          16, TRUE, &error));
      g_assert_no_error (error);
      g_assert_cmpint (play.on_gpu, ==, TILES);
      g_assert_cmpint (play.least_threads, ==, cases[i].each);
      g_assert_cmpint (play.most_states, <=, cases[i].at_once);
      g_assert_cmpint (play.notices, ==, 0);
    }
}

/* A tile that fails, a full disk and the user stop the other tiles while they are prepared. */
static void
test_stopped (void)
{
  static const struct
  {
    Play play;
    int stopped, merged;
    const char *message;
  } cases[] = {
    { { .bad = 3, .hold = TRUE, .beside = 4 }, 3, 0, "tile 3 is bad" },
    { { .bad_merge = 1, .hold = TRUE, .beside = 4 }, 3, 0, "the disk is full" },
    { { .hold = TRUE, .cancel_at = 4 }, 4, 0, "cancel" },
    { { .bad = 6 }, 0, -1, "tile 6 is bad" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (run (cases[i].play, COLUMNS, 16, FALSE, &error));
      fixture_assert_message (error, cases[i].message);
      g_assert_cmpint (play.stopped, ==, cases[i].stopped);
      if (cases[i].merged >= 0)
        g_assert_cmpint (play.merged, ==, cases[i].merged);
      g_assert_cmpint (play.merged, <, TILES);
    }
}

/* A GPU that has failed is not tried again, and is reported once, with the threads of the run. */
static void
test_gpu_failed (void)
{
  for (int threads = 2; threads <= 16; threads += 14)
    {
      g_autofree char *expected = g_strdup_printf ("Computing on the CPU, %d threads, because",
                                                   threads);
      g_autoptr (GError) error = NULL;

      g_assert_true (
          run ((Play){ .dead = TRUE, .unused = G_MAXSIZE }, COLUMNS, threads, TRUE, &error));
      g_assert_no_error (error);
      g_assert_cmpint (play.on_gpu, >=, 1);
      g_assert_cmpint (play.on_gpu, <=, MAX (threads / 4, 1));
      g_assert_cmpint (play.notices, ==, 1);
      g_assert_true (g_str_has_prefix (play.notice, expected));
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  operation = *vg_operation_find ("contour");
  operation.cpu = &engine;
  operation.memory = &memory;
  operation.tiled = &tiled;
  g_test_add_func ("/tile-run/threads", test_threads);
  g_test_add_func ("/tile-run/read-ahead", test_read_ahead);
  g_test_add_func ("/tile-run/host-memory", test_host_memory);
  g_test_add_func ("/tile-run/gpu-memory", test_gpu_memory);
  g_test_add_func ("/tile-run/stopped", test_stopped);
  g_test_add_func ("/tile-run/gpu-failed", test_gpu_failed);
  status = g_test_run ();
  g_free (play.notice);
  return status;
}
