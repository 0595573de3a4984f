/* SPDX-License-Identifier: MIT */
/* The library on data of any layout, and in several threads. */
#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "library-fixture.h"

/* Frames of any layout give the maps of packed ones. */
static void
test_strides (void)
{
  enum { FRAMES = 6, SAMPLES = FRAMES * WIDTH * HEIGHT };
  uint16_t *pages = make_pages (FRAMES, 0, 400), *turned = malloc (SAMPLES * sizeof *pages);
  const int64_t strides[6] = { 2, 2, 2, 2 * FRAMES, -2 * FRAMES * HEIGHT, 2 };
  Case test = { .operation = "flow", .data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages) };
  VivographData data;
  Maps straight, other;

  test.data.frames = FRAMES;
  for (int k = 0; k < FRAMES; k++)
    for (int i = 0; i < WIDTH * HEIGHT; i++)
      turned[((WIDTH - 1 - i % WIDTH) * HEIGHT + i / WIDTH) * FRAMES + k] =
          pages[k * WIDTH * HEIGHT + i];
  data = test.data;
  data.samples = turned + (size_t) (WIDTH - 1) * HEIGHT * FRAMES;
  data.strides = strides;
  if (compute (&test, &test.data, &straight) && compute (&test, &data, &other))
    for (int k = 0; k < FRAMES; k++)
      CHECK (memcmp (straight.pages[0][k], other.pages[0][k], WIDTH * HEIGHT * sizeof (float)) ==
             0);
  CHECK (straight.n_pages == FRAMES && other.n_pages == FRAMES);
  free_maps (&straight);
  free_maps (&other);
  free (turned);
  free (pages);
}

/* A dark frame in the place of a file: all that is left of equal frames is 0. */
static void
test_given_files (void)
{
  uint16_t *frame = make_pages (1, 0, 400);
  VivographData data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, frame), bad = data;
  static float before[WIDTH * HEIGHT], map[WIDTH * HEIGHT];
  uint16_t dark[WIDTH * HEIGHT];
  VivographError error = { 0 };
  VivographWork *work;
  const char *text;

  CHECK (vivograph_work_new ("flow", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    dark[i] = (uint16_t) (frame[i] / 2);
  for (int given = 0; given < 3; given++)
    {
      bad.samples = dark;
      if (given == 1)
        CHECK (vivograph_work_give_data (work, "dark_file", &bad, &error) == VIVOGRAPH_OK);
      memset (dark, 0xff, given == 1 ? sizeof dark : 0); /* it was copied */
      if (given == 2)
        CHECK (vivograph_work_set_text (work, "dark_file", "", &error) == VIVOGRAPH_OK);
      CHECK (vivograph_work_start (work, &data, &error) == VIVOGRAPH_OK);
      CHECK (vivograph_work_get_text (work, "dark_file", &text, &error) == VIVOGRAPH_OK);
      CHECK (strcmp (text, given == 1 ? "(array)" : "") == 0);
      CHECK (vivograph_work_run (work, NULL, NULL, &error) == VIVOGRAPH_DONE);
      CHECK (vivograph_work_read (work, 0, given == 0 ? before : map, WIDTH * HEIGHT, &error) ==
             VIVOGRAPH_OK);
      /* half of everything has the contrast of everything, but for rounding to whole numbers */
      for (int i = 0; i < WIDTH * HEIGHT && given > 0; i++)
        CHECK (given == 2 ? map[i] == before[i] : fabsf (map[i] / before[i] - 1) < 0.02f);
      if (given == 1)
        CHECK (memcmp (map, before, sizeof map) != 0);
    }
  bad.width = WIDTH / 2;
  CHECK (vivograph_work_give_data (work, "dark_file", &bad, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_start (work, &data, &error) == VIVOGRAPH_ERROR_INPUT);
  bad.size = 3;
  CHECK (vivograph_work_give_data (work, "dark_file", &bad, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strncmp (error.message, "dark_file: ", 11) == 0);
  CHECK (vivograph_work_give_data (work, "dark_file", NULL, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_give_data (work, "radius", &data, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_give_data (work, "darkfile", &data, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_give_content (work, "dark_file", "1", NULL) == VIVOGRAPH_ERROR_USAGE);
  vivograph_work_free (work);
  free (frame);
}

/* A work of lifetime keeps its state, but not the IRF in it, if another is given. */
static void
test_other_file (void)
{
  enum { BINS = 32 };
  uint16_t *decay = make_pages (BINS, 0.1, 400), irf[2][BINS] = { { 0 } };
  VivographData data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, decay), given;
  static float maps[2][2][WIDTH * HEIGHT];
  VivographError error = { 0 };
  VivographWork *kept = NULL, *work;

  data.frames = 1, data.bins = BINS, data.bin_width_ns = 0.2;
  irf[0][2] = irf[1][2] = irf[1][3] = irf[1][4] = 100;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 2; i++)
      {
        given = packed (VIVOGRAPH_U16, 1, 1, irf[i]);
        given.frames = 1, given.bins = BINS, given.bin_width_ns = 0.2;
        work = round == 1 ? kept : NULL;
        if (work == NULL)
          CHECK (vivograph_work_new ("lifetime", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
        CHECK (vivograph_work_give_data (work, "irf", &given, &error) == VIVOGRAPH_OK);
        CHECK (vivograph_work_start (work, &data, &error) == VIVOGRAPH_OK);
        CHECK (vivograph_work_run (work, NULL, NULL, &error) == VIVOGRAPH_DONE);
        CHECK (vivograph_work_read (work, 0, maps[round][i], WIDTH * HEIGHT, &error) ==
               VIVOGRAPH_OK);
        if (kept != NULL && kept != work)
          vivograph_work_free (kept);
        kept = work;
      }
  CHECK (memcmp (maps[0][0], maps[0][1], sizeof maps[0][0]) != 0);
  CHECK (memcmp (maps[0], maps[1], sizeof maps[0]) == 0);
  vivograph_work_free (kept);
  free (decay);
}

static int
count_threads (void)
{
  DIR *folder = opendir ("/proc/self/task");
  int n = 0;

  for (struct dirent *entry; folder != NULL && (entry = readdir (folder)) != NULL;)
    n += entry->d_name[0] != '.';
  if (folder != NULL)
    closedir (folder);
  return n;
}

/* A work of one thread starts no others, also when maps, texts and metrics that are computed then
 * are read.  It has to come first, because threads stay. */
static void
test_one_thread (void)
{
  enum { ROOM = 64 };
  int before = count_threads ();
  VivographMetric metrics[ROOM];
  VivographError error = { 0 };
  VivographOutput output;
  VivographPlane plane;
  VivographWork *work;
  const char *text;
  size_t n;

  CHECK (vivograph_work_new ("fluence", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_set_number (work, "photons", 10, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_start (work, NULL, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_run (work, NULL, NULL, &error) == VIVOGRAPH_DONE);
  for (size_t i = 0; vivograph_output ("fluence", i, &output) == VIVOGRAPH_OK; i++)
    if (output.kind == VIVOGRAPH_OUTPUT_TEXT)
      CHECK (vivograph_work_text (work, i, &text, &error) >= 0);
    else
      CHECK (vivograph_work_plane (work, i, &plane, &error) >= 0);
  CHECK (vivograph_work_metrics (work, metrics, ROOM, &n, &error) == VIVOGRAPH_OK);
  CHECK (count_threads () == before);
  vivograph_work_free (work);
}

/* An IRF of fewer bins than the data, without a bin width, is said to have that of the data.  The
 * data have none either: then the lifetimes are likely to be wrong. */
static void
test_bins_of_irf (void)
{
  enum { BINS = 32, FEW = 8, ROOM = 64 };
  uint16_t *decay = make_pages (BINS, 0.1, 400), irf[FEW] = { 0, 100, 50 };
  VivographData data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, decay),
                given = packed (VIVOGRAPH_U16, 1, 1, irf);
  VivographError error = { 0 };
  VivographWork *work;

  data.frames = given.frames = 1, data.bins = BINS, given.bins = FEW;
  CHECK (vivograph_work_new ("lifetime", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
  for (int known = 0; known < 2; known++)
    {
      VivographMetric metrics[ROOM];
      int said = 0, assumed = 0;
      size_t n;

      given.bin_width_ns = known ? 0.1 : 0;
      CHECK (vivograph_work_give_data (work, "irf", &given, &error) == VIVOGRAPH_OK);
      CHECK (vivograph_work_start (work, &data, &error) == VIVOGRAPH_OK);
      CHECK (vivograph_work_run (work, NULL, NULL, &error) == VIVOGRAPH_DONE);
      CHECK (vivograph_work_metrics (work, metrics, ROOM, &n, &error) == VIVOGRAPH_OK);
      for (size_t i = 0; i < n; i++)
        {
          said += metrics[i].advice != NULL &&
                  strstr (metrics[i].advice, "The IRF has 8 time bins and no bin width, and the "
                                             "data have 32 time bins.") != NULL;
          assumed += metrics[i].grave && strcmp (metrics[i].id, "bin_width_ns") == 0;
          CHECK (!metrics[i].grave || metrics[i].advice != NULL);
        }
      CHECK (said == !known && assumed == 1);
    }
  vivograph_work_free (work);
  free (decay);
}

/* All maps in one block, with just enough room: the run then ends in the same call. */
static void
check_gather_together (VivographWork *work, const VivographData *data, const Maps *single)
{
  enum { PIXELS = WIDTH * HEIGHT };
  const size_t outputs[] = { 0, 1 }, rooms[] = { PIXELS, PIXELS };
  int64_t n = data->frames;
  VivographStack stack = {
    .size = sizeof stack, .n = 2, .outputs = outputs, .rooms = rooms, .most = n
  };
  VivographError error = { 0 };
  int status;

  CHECK (vivograph_work_start (work, data, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_gather (work, &stack, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strstr (error.message, "values") != NULL && stack.count == 0);
  stack.values = malloc (2 * (size_t) n * PIXELS * sizeof (float));
  while ((status = vivograph_work_gather (work, &stack, &error)) == VIVOGRAPH_MORE)
    ;
  CHECK (status == VIVOGRAPH_DONE && stack.count == n);
  for (int64_t k = 0; k < 2 * n; k++)
    CHECK (memcmp (stack.values + k * PIXELS, single->pages[k / n][k % n],
                   PIXELS * sizeof (float)) == 0);
  free (stack.values);
}

/* Maps of all frames in one call are those of one call for each frame; a full stack says so. */
static void
test_gather (void)
{
  enum { FRAMES = 5, PIXELS = WIDTH * HEIGHT };
  uint16_t *pages = make_pages (FRAMES, 0, 400);
  Case test = { .operation = "flow", .data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages) };
  float *contrast = malloc (FRAMES * PIXELS * sizeof (float)), *maps[] = { contrast };
  const size_t outputs[] = { 0 }, rooms[] = { PIXELS };
  int64_t frames[FRAMES];
  VivographStack stack = { sizeof stack, 1, outputs, maps, rooms, 3, 0, frames, NULL };
  VivographError error = { 0 };
  VivographWork *work;
  Maps single;
  int status;

  test.data.frames = FRAMES;
  CHECK (compute (&test, &test.data, &single));
  CHECK (vivograph_work_new ("flow", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_gather (work, &stack, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_start (work, &test.data, &error) == VIVOGRAPH_OK);
  stack.size = sizeof stack - sizeof (void *); /* of another version */
  CHECK (vivograph_work_gather (work, &stack, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strstr (error.message, "VivographStack.size") != NULL && stack.count == 0);
  stack.size = sizeof stack;
  while ((status = vivograph_work_gather (work, &stack, &error)) == VIVOGRAPH_MORE)
    ;
  CHECK (status == VIVOGRAPH_MAPS && stack.count == 3);
  stack.most = FRAMES;
  while ((status = vivograph_work_gather (work, &stack, &error)) > VIVOGRAPH_DONE)
    ;
  CHECK (status == VIVOGRAPH_DONE && stack.count == FRAMES && frames[FRAMES - 1] == FRAMES - 1);
  for (int k = 0; k < FRAMES; k++)
    CHECK (memcmp (contrast + k * PIXELS, single.pages[0][k], PIXELS * sizeof (float)) == 0);
  stack.count = 0;
  stack.most = 1;
  CHECK (vivograph_work_start (work, &test.data, &error) == VIVOGRAPH_OK);
  while ((status = vivograph_work_gather (work, &stack, &error)) > VIVOGRAPH_DONE)
    ;
  CHECK (status == VIVOGRAPH_ERROR_USAGE && stack.count == 1);
  check_gather_together (work, &test.data, &single);
  vivograph_work_free (work);
  free_maps (&single);
  free (contrast);
  free (pages);
}

static int
cancel_now (VivographWork *work, int status, double fraction, void *user)
{
  *(int *) user += 1;
  return 1;
}

static void
test_cancel (void)
{
  VivographError error = { 0 };
  VivographWork *work;
  int calls = 0;

  CHECK (vivograph_work_new ("fluence", "cpu", 0, &work, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_set_number (work, "photons", 1e9, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_start (work, NULL, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_run (work, cancel_now, &calls, &error) == VIVOGRAPH_ERROR_CANCELLED);
  CHECK (calls == 1);
  vivograph_work_cancel (work); /* too late */
  CHECK (vivograph_work_start (work, NULL, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_step (work, &error) == VIVOGRAPH_MORE);
  vivograph_work_cancel (work);
  CHECK (vivograph_work_step (work, &error) == VIVOGRAPH_ERROR_CANCELLED);
  CHECK (vivograph_work_step (work, &error) == VIVOGRAPH_ERROR_USAGE); /* the run has ended */
  vivograph_work_free (work);
}

static void *
compute_alone (void *samples)
{
  Case test = { .operation = "flow", .data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, samples) };
  Maps *maps = calloc (1, sizeof *maps);

  compute (&test, &test.data, maps);
  return maps;
}

static void
test_threads (void)
{
  uint16_t *pages = make_pages (1, 0, 400);
  pthread_t threads[4];
  Maps *maps[4];

  for (int i = 0; i < 4; i++)
    pthread_create (&threads[i], NULL, compute_alone, pages);
  for (int i = 0; i < 4; i++)
    pthread_join (threads[i], (void **) &maps[i]);
  for (int i = 0; i < 4; i++)
    {
      CHECK (maps[i]->n_pages == 1 && memcmp (maps[i]->pages[0][0], maps[0]->pages[0][0],
                                              WIDTH * HEIGHT * sizeof (float)) == 0);
      if (i > 0)
        free_maps (maps[i]);
    }
  free_maps (maps[0]);
  for (int i = 0; i < 4; i++)
    free (maps[i]);
  free (pages);
}

int
main (void)
{
  test_one_thread ();
  test_given_files ();
  test_other_file ();
  test_bins_of_irf ();
  test_gather ();
  test_strides ();
  test_threads ();
  test_cancel ();
  printf ("%d faults\n", failures);
  return failures > 0;
}
