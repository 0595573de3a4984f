/* SPDX-License-Identifier: MIT */
/* The library gives the samples that `vivograph run` writes, for each operation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>
#include "library-fixture.h"

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

int
main (void)
{
  test_flow ();
  test_lifetime ();
  test_perfusion ();
  test_contour ();
  test_fluence ();
  printf ("%d faults\n", failures);
  return failures > 0;
}
