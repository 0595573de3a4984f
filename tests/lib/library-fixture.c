/* SPDX-License-Identifier: MIT */
#include "library-fixture.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int failures;

unsigned
noise (void)
{
  static unsigned state = 1;

  state = state * 1664525u + 1013904223u;
  return state >> 16;
}

void *
make_pages (int n, double fall, unsigned level)
{
  uint16_t *pages = malloc ((size_t) n * WIDTH * HEIGHT * sizeof *pages);

  for (int k = 0; k < n; k++)
    for (int i = 0; i < WIDTH * HEIGHT; i++)
      pages[k * WIDTH * HEIGHT + i] = (uint16_t) (level * exp (-fall * k) * (1 + i % 7 * 0.1) +
                                                  noise () % (level / 4));
  return pages;
}

VivographData
packed (int type, int64_t width, int64_t height, const void *samples)
{
  return (VivographData){ .size = sizeof (VivographData),
                          .type = type,
                          .width = width,
                          .height = height,
                          .samples = samples };
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

int
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

void
free_maps (Maps *maps)
{
  for (int i = 0; i < MOST_OUTPUTS; i++)
    for (int k = 0; k < maps->n_pages; k++)
      free (maps->pages[i][k]);
}
