/* SPDX-License-Identifier: MIT */
/* Frames and maps in the memory of a GPU: the samples of frames in host memory. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include "library-fixture.h"

enum { FRAMES = 6, BINS = 32, SKIPPED = 77 };

/* The driver's functions; memory of its primary context is that of the CUDA run time. */
typedef unsigned long long Pointer;
static int (*init) (unsigned), (*retain) (void **, int), (*use) (void *),
    (*allocate) (Pointer *, size_t), (*upload) (Pointer, const void *, size_t),
    (*download) (void *, Pointer, size_t);

static int
open_driver (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW), *context = NULL;
  const struct
  {
    void *function;
    const char *name;
  } names[] = { { &init, "cuInit" },
                { &retain, "cuDevicePrimaryCtxRetain" },
                { &use, "cuCtxSetCurrent" },
                { &allocate, "cuMemAlloc_v2" },
                { &upload, "cuMemcpyHtoD_v2" },
                { &download, "cuMemcpyDtoH_v2" } };

  for (int i = 0; i < 6 && driver != NULL; i++)
    {
      void *found = dlsym (driver, names[i].name);

      if (found == NULL)
        return 0;
      memcpy (names[i].function, &found, sizeof found);
    }
  return driver != NULL && init (0) == 0 && retain (&context, 0) == 0 && use (context) == 0;
}

static VivographWork *
start (const char *operation, const VivographData *data)
{
  VivographError error = { 0 };
  VivographWork *work;

  CHECK (vivograph_work_new (operation, "cuda", 0, &work, &error) == VIVOGRAPH_OK);
  if (work != NULL && vivograph_work_start (work, data, &error) != VIVOGRAPH_OK)
    {
      fprintf (stderr, "%s: %s\n", operation, error.message);
      failures++;
      vivograph_work_free (work);
      work = NULL;
    }
  return work;
}

/* All maps of all frames, once from the host and once from the GPU. */
static void
compare (const char *operation, VivographData data, size_t bytes)
{
  static float maps[2][WIDTH * HEIGHT];
  VivographData other = data;
  VivographWork *host = start (operation, &data), *device;
  Pointer samples = 0, room = 0;
  int status, compared = 0;

  CHECK (allocate (&samples, bytes) == 0 && upload (samples, data.samples, bytes) == 0);
  CHECK (allocate (&room, sizeof maps[0]) == 0);
  other.samples = (const void *) (size_t) samples;
  other.device = 1;
  device = start (operation, &other);
  while (host != NULL && device != NULL &&
         (status = vivograph_work_step (host, NULL)) > VIVOGRAPH_DONE)
    {
      CHECK (vivograph_work_step (device, NULL) == status);
      for (size_t i = 0; status == VIVOGRAPH_MAPS && i < MOST_OUTPUTS; i++)
        {
          if (vivograph_work_read (host, i, maps[0], WIDTH * HEIGHT, NULL) != VIVOGRAPH_OK)
            continue;
          CHECK (vivograph_work_read_device (device, i, (float *) (size_t) room, WIDTH * HEIGHT,
                                             NULL) == VIVOGRAPH_OK);
          CHECK (download (maps[1], room, sizeof maps[1]) == 0);
          CHECK (memcmp (maps[0], maps[1], sizeof maps[0]) == 0);
          compared++;
        }
    }
  CHECK (compared >= FRAMES);
  vivograph_work_free (host);
  vivograph_work_free (device);
}

int
main (void)
{
  uint16_t *pages = make_pages (FRAMES * BINS, 0.05, 400);
  VivographData data = packed (VIVOGRAPH_U16, WIDTH, HEIGHT, pages);

  if (!open_driver ())
    {
      puts ("there is no GPU");
      return SKIPPED;
    }
  data.frames = FRAMES;
  compare ("flow", data, FRAMES * WIDTH * HEIGHT * sizeof *pages);
  data.bins = BINS;
  data.bin_width_ns = 0.2;
  compare ("lifetime", data, FRAMES * BINS * WIDTH * HEIGHT * sizeof *pages);
  free (pages);
  return failures > 0;
}
