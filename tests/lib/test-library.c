/* SPDX-License-Identifier: MIT */
/* The library gives the samples that `vivograph run` writes, for each operation, and says what is
 * wrong with hostile input. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>
#include "vivograph.h"

static int failures;

#define CHECK(condition)                                                                           \
  do                                                                                               \
    if (!(condition))                                                                              \
      {                                                                                            \
        failures++;                                                                                \
        fprintf (stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                 \
      }                                                                                            \
  while (0)

enum { WIDTH = 40, HEIGHT = 32, MOST_PAGES = 64, MOST_OUTPUTS = 64 };

typedef struct
{
  const char *operation;
  VivographData data;
  const char *reading;        /* options of `run` that describe the file */
  const char *settings[6][2]; /* parameters, ended by NULL */
} Case;

typedef struct
{
  float *pages[MOST_OUTPUTS][MOST_PAGES];
  VivographPlane planes[MOST_OUTPUTS];
  int n_pages;
} Maps;

/* Numbers that look like noise, the same on every machine. */
static unsigned
noise (void)
{
  static unsigned state = 1;

  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

/* Speckle, a decay or an uptake curve in each pixel: samples of 16 bits, N pages. */
static void *
make_pages (int n, double fall, unsigned level)
{
  uint16_t *pages = malloc ((size_t) n * WIDTH * HEIGHT * sizeof *pages);

  for (int k = 0; k < n; k++)
    for (int i = 0; i < WIDTH * HEIGHT; i++)
      pages[k * WIDTH * HEIGHT + i] = (uint16_t) (level * exp (-fall * k) * (1 + i % 7 * 0.1) +
                                                  noise () % (level / 4));
  return pages;
}

/* Dark discs on a bright ground. */
static void *
make_nuclei (void)
{
  uint8_t *image = malloc (4 * WIDTH * HEIGHT);

  for (int y = 0; y < 2 * HEIGHT; y++)
    for (int x = 0; x < 2 * WIDTH; x++)
      {
        int dx = x % 26 - 13, dy = y % 26 - 13;

        image[y * 2 * WIDTH + x] = (uint8_t) ((dx * dx + dy * dy < 64 ? 70 : 220) + noise () % 20);
      }
  return image;
}

static int
keep_maps (VivographWork *work, int status, double fraction, void *user)
{
  Maps *maps = user;
  VivographPlane plane;
  VivographError error;

  if (status != VIVOGRAPH_MAPS && (status != VIVOGRAPH_DONE || vivograph_work_frame (work) >= 0))
    return 0;
  for (size_t i = 0; i < MOST_OUTPUTS; i++)
    if (vivograph_work_plane (work, i, &plane, NULL) == VIVOGRAPH_OK)
      {
        size_t n = (size_t) (plane.width * plane.height * plane.slices);
        float *values = malloc (n * sizeof *values);

        CHECK (vivograph_work_read (work, i, values, n - 1, &error) == VIVOGRAPH_ERROR_USAGE);
        CHECK (vivograph_work_read (work, i, values, n, &error) == VIVOGRAPH_OK);
        maps->planes[i] = plane;
        maps->pages[i][maps->n_pages] = values;
      }
  maps->n_pages++;
  return 0;
}

static void
set_params (VivographWork *work, const Case *test)
{
  VivographError error = { 0 };

  for (int i = 0; test->settings[i][0] != NULL; i++)
    {
      CHECK (vivograph_work_set_text (work, test->settings[i][0], test->settings[i][1], &error) ==
             VIVOGRAPH_OK);
      if (error.status < 0)
        fprintf (stderr, "%s\n", error.message);
    }
}

/* Whether all went well. */
static int
compute (const Case *test, const VivographData *data, Maps *maps)
{
  VivographError error = { 0 };
  VivographWork *work = NULL;
  int status = vivograph_work_new (test->operation, "cpu", 0, &work, &error);

  memset (maps, 0, sizeof *maps);
  CHECK (status == VIVOGRAPH_OK);
  set_params (work, test);
  CHECK (vivograph_work_step (work, NULL) == VIVOGRAPH_ERROR_USAGE);
  status = vivograph_work_start (work, data, &error);
  if (status == VIVOGRAPH_OK)
    status = vivograph_work_run (work, keep_maps, maps, &error);
  if (status != VIVOGRAPH_DONE)
    fprintf (stderr, "%s: %s\n", test->operation, error.message);
  CHECK (status == VIVOGRAPH_DONE);
  vivograph_work_free (work);
  return status == VIVOGRAPH_DONE;
}

static void
free_maps (Maps *maps)
{
  for (int i = 0; i < MOST_OUTPUTS; i++)
    for (int k = 0; k < maps->n_pages; k++)
      free (maps->pages[i][k]);
}

static void
write_samples (const char *path, const void *samples, size_t bytes)
{
  FILE *file = fopen (path, "wb");

  CHECK (file != NULL && fwrite (samples, 1, bytes, file) == bytes);
  if (file != NULL)
    fclose (file);
}

static void
run_program (const Case *test, const char *folder, const char *input)
{
  char command[4096];
  int n = snprintf (command, sizeof command, "\"%s\" run %s %s --backend cpu --out \"%s/maps\" %s",
                    getenv ("VIVOGRAPH_PROGRAM"), test->operation, input, folder, test->reading);

  for (int i = 0; test->settings[i][0] != NULL; i++)
    n += snprintf (command + n, sizeof command - (size_t) n, " --%s '%s'", test->settings[i][0],
                   test->settings[i][1]);
  snprintf (command + n, sizeof command - (size_t) n, " >\"%s/said\" 2>&1", folder);
  if (system (command) == 0)
    return;
  CHECK (!"the program runs");
  fprintf (stderr, "%s\n", command);
}

/* Sample I of STRIP; labels are whole numbers of 16 or 32 bits. */
static float
sample_of (const void *strip, tmsize_t i, unsigned bits, unsigned format)
{
  if (format == SAMPLEFORMAT_IEEEFP)
    return ((const float *) strip)[i];
  return bits == 16 ? (float) ((const uint16_t *) strip)[i] : (float) ((const uint32_t *) strip)[i];
}

/* The samples of a page of a file against VALUES; NaN equals NaN. */
static int
count_differences (TIFF *file, const VivographPlane *plane, const float *values)
{
  void *strip = malloc ((size_t) TIFFStripSize (file));
  uint32_t width = 0, rows = 0;
  uint16_t bits = 0, format = 0;
  int64_t compared = 0;
  int different = 0;

  TIFFGetField (file, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (file, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetField (file, TIFFTAG_SAMPLEFORMAT, &format);
  TIFFGetFieldDefaulted (file, TIFFTAG_ROWSPERSTRIP, &rows);
  CHECK (width == plane->width && rows > 0 && (bits == 16 || bits == 32));
  for (int64_t y = 0; y < plane->height && rows > 0 && bits > 0; y += rows)
    {
      tmsize_t n = TIFFReadEncodedStrip (file, (uint32_t) (y / rows), strip, -1) / (bits / 8);

      for (tmsize_t i = 0; i < n; i++, compared++)
        {
          float value = values[y * plane->width + i], written = sample_of (strip, i, bits, format);

          different += written != value && !(isnan (written) && isnan (value));
        }
    }
  free (strip);
  CHECK (compared == plane->width * plane->height);
  return different;
}

static void
compare_map (const char *folder, const char *id, const Maps *maps, size_t i)
{
  const VivographPlane *plane = &maps->planes[i];
  char path[1024];
  TIFF *file;
  int pages = 0, different = 0;

  snprintf (path, sizeof path, "%s/maps/%s.tif", folder, id);
  file = TIFFOpen (path, "r");
  CHECK (file != NULL);
  if (file == NULL)
    return;
  do
    {
      int k = pages / (int) plane->slices, z = pages % (int) plane->slices;

      if (k < maps->n_pages)
        different += count_differences (file, plane,
                                        maps->pages[i][k] + z * plane->width * plane->height);
      pages++;
    }
  while (TIFFReadDirectory (file));
  TIFFClose (file);
  if (pages != maps->n_pages * plane->slices || different > 0)
    fprintf (stderr, "%s: %d pages of %d, %d samples differ\n", id, pages, maps->n_pages,
             different);
  CHECK (pages == maps->n_pages * plane->slices && different == 0);
}

static void
compare_maps (const Case *test, const char *folder, const Maps *maps)
{
  VivographOutput output;
  int compared = 0;

  for (size_t i = 0; vivograph_output (test->operation, i, &output) == VIVOGRAPH_OK; i++)
    if (i < MOST_OUTPUTS && maps->pages[i][0] != NULL && !output.view_only)
      {
        compare_map (folder, output.id, maps, i);
        compared++;
      }
  CHECK (compared > 0);
  printf ("%s: %d maps, %d times, as the program\n", test->operation, compared, maps->n_pages);
}

static void
compare_with_program (const Case *test, size_t bytes)
{
  char folder[] = "/tmp/vivograph-library-XXXXXX", input[64] = "", command[128];
  const VivographData *data = test->data.samples != NULL ? &test->data : NULL;
  Maps maps;

  CHECK (mkdtemp (folder) != NULL);
  if (data != NULL)
    {
      snprintf (input, sizeof input, "%s/data.raw", folder);
      write_samples (input, data->samples, bytes);
    }
  run_program (test, folder, input);
  if (compute (test, data, &maps))
    compare_maps (test, folder, &maps);
  free_maps (&maps);
  snprintf (command, sizeof command, "rm -r %s", folder);
  CHECK (system (command) == 0);
}

static VivographData
packed (int type, int64_t width, int64_t height, const void *samples)
{
  return (VivographData){ .size = sizeof (VivographData),
                          .type = type,
                          .width = width,
                          .height = height,
                          .samples = samples };
}

static void
test_flow (void)
{
  uint16_t *pages = make_pages (12, 0, 400);
  Case test = { .operation = "flow",
                .data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages),
                .reading = "--geometry 40x32:u16",
                .settings = {
                    { "exposure-ms", "5" }, { "method", "temporal" }, { "frames", "4" } } };

  test.data.frames = 12;
  compare_with_program (&test, 12 * WIDTH * HEIGHT * sizeof *pages);
  test.settings[1][1] = "spatial";
  compare_with_program (&test, 12 * WIDTH * HEIGHT * sizeof *pages);
  free (pages);
}

static void
test_lifetime (void)
{
  static const char *const methods[] = { "cmm", "phasor", "lsm", "mle_bi" };
  uint16_t *pages = make_pages (64, 0.08, 200);
  Case test = { .operation = "lifetime",
                .data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages),
                .reading = "--geometry 40x32:u16 --pages bins",
                .settings = { { "bin_width_ns", "0.2" }, { "method", "" } } };

  test.data.bins = 64;
  for (int i = 0; i < 4; i++)
    {
      test.settings[1][1] = methods[i];
      compare_with_program (&test, 64 * WIDTH * HEIGHT * sizeof *pages);
    }
  free (pages);
}

static void
test_perfusion (void)
{
  uint16_t *pages = make_pages (30, -0.02, 200);
  Case test = { .operation = "perfusion",
                .data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages),
                .reading = "--geometry 40x32:u16 --pages frames",
                .settings = { { "frame_interval_s", "2" }, { "artery", "rect:0,0,8,8" } } };

  test.data.frames = 30;
  compare_with_program (&test, 30 * WIDTH * HEIGHT * sizeof *pages);
  free (pages);
}

static void
test_contour (void)
{
  void *image = make_nuclei ();
  Case test = { .operation = "contour",
                .data = packed (VIVOGRAPH_U8, 2 * WIDTH, 2 * HEIGHT, image),
                .reading = "--geometry 80x64:u8" };

  compare_with_program (&test, 4 * WIDTH * HEIGHT);
  free (image);
}

static void
test_fluence (void)
{
  Case test = { .operation = "fluence", .reading = "", .settings = { { "photons", "20000" } } };

  compare_with_program (&test, 0);
}

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

static void
refuse (VivographWork *work, VivographData data, int status)
{
  VivographError error = { 0 };

  CHECK (vivograph_work_start (work, &data, &error) == status);
  CHECK (error.status == status && strlen (error.message) > 10);
  CHECK (vivograph_work_step (work, NULL) == VIVOGRAPH_ERROR_USAGE);
}

static void
test_bad_data (void)
{
  uint16_t *pages = make_pages (2, 0, 400);
  VivographData good = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages), bad = good;
  const int64_t far[6] = { INT64_MAX, 0, 0, INT64_MAX, 2, 2 }, beyond[6] = { 0, 0, 0, 82, 2, 2 };
  VivographWork *work;

  CHECK (vivograph_work_new ("flow", "cpu", 0, &work, NULL) == VIVOGRAPH_OK);
  bad.size = 8;
  refuse (work, bad, VIVOGRAPH_ERROR_USAGE);
  bad = good, bad.samples = NULL;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.type = 9;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.width = -3;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.width = bad.height = bad.frames = INT32_MAX;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.channels = 2;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.bins = 12;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.exposure_ms = NAN;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.strides = far;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.strides = beyond, bad.bytes = WIDTH * HEIGHT * 2;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  CHECK (vivograph_work_start (work, NULL, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_start (work, &good, NULL) == VIVOGRAPH_OK);
  vivograph_work_free (work);
  free (pages);
}

static void
test_params (void)
{
  VivographError error = { 0 };
  VivographWork *work = NULL;
  const char *text;

  CHECK (vivograph_work_new ("flaw", NULL, 0, &work, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_new ("flow", "tpu", 0, &work, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (work == NULL);
  CHECK (vivograph_work_new ("flow", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_set_number (work, "radius", 3, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_get_text (work, "radius", &text, &error) == VIVOGRAPH_OK);
  CHECK (strcmp (text, "3") == 0);
  CHECK (vivograph_work_set_number (work, "radius", 3.5, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_set_number (work, "radius", NAN, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_set_number (work, "radius", 1e9, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_set_number (work, "method", 1, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_set_number (work, "method", -1, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_set_text (work, "raduis", "3", &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strstr (error.message, "radius") != NULL);
  CHECK (vivograph_work_set_text (work, "radius", "\xff", &error) == VIVOGRAPH_ERROR_USAGE);
  vivograph_work_free (work);
  vivograph_work_free (NULL);
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
  vivograph_work_cancel (work);
  CHECK (vivograph_work_start (work, NULL, &error) == VIVOGRAPH_ERROR_CANCELLED);
  CHECK (vivograph_work_start (work, NULL, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_step (work, &error) == VIVOGRAPH_MORE);
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

static void
test_tables (void)
{
  VivographOperation operation;
  VivographParam param;
  VivographOutput output;
  size_t n = 0;

  for (; vivograph_operation (n, &operation) == VIVOGRAPH_OK; n++)
    {
      CHECK (vivograph_param (operation.id, 0, &param) == VIVOGRAPH_OK);
      CHECK (vivograph_output (operation.id, 0, &output) == VIVOGRAPH_OK);
      CHECK (vivograph_param (operation.id, 100000, &param) == VIVOGRAPH_NONE);
      for (size_t i = 0; vivograph_param (operation.id, i, &param) == VIVOGRAPH_OK; i++)
        CHECK (param.id[0] != '\0' && param.help[0] != '\0' &&
               (param.kind != VIVOGRAPH_PARAM_CHOICE) == (param.choices == NULL));
    }
  CHECK (n == 5);
  CHECK (vivograph_param ("flaw", 0, &param) == VIVOGRAPH_ERROR_USAGE);
}

int
main (void)
{
  test_tables ();
  test_params ();
  test_bad_data ();
  test_strides ();
  test_threads ();
  test_cancel ();
  test_flow ();
  test_lifetime ();
  test_perfusion ();
  test_contour ();
  test_fluence ();
  printf ("%d faults\n", failures);
  return failures > 0;
}
