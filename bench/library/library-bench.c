/* SPDX-License-Identifier: MIT */
/* How long a call of libvivograph takes in C; bench/library/python-bench.py compares Python.
 *   library-bench OPERATION TYPE EXTENTS SAMPLES CALLS new|kept [PARAM VALUE]...
 * TYPE is a VivographType, EXTENTS are six numbers (frames,slices,bins,height,width,channels), and
 * SAMPLES is a file of packed samples, whose frames are 2 s apart.  "kept" uses one work again, as
 * Reusable does.  Prints a line for each of CALLS calls: how long it took, and the time of the
 * processor, in us.  Each call makes its maps in new memory, and reads all that a Result of Python
 * has. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "lib/vivograph.h"

enum { MOST_OUTPUTS = 64, MOST_METRICS = 256 };

typedef struct
{
  const char *operation;
  int stream;
  char **settings;
  VivographData data;
} Bench;

static void
check (int status, const VivographError *error)
{
  if (status >= 0)
    return;
  fprintf (stderr, "%s\n", error->message);
  exit (1);
}

static VivographWork *
make_work (const Bench *bench)
{
  VivographError error;
  VivographWork *work;

  check (vivograph_work_new (bench->operation, "cpu", 1, &work, &error), &error);
  for (char **setting = bench->settings; setting[0] != NULL && setting[1] != NULL; setting += 2)
    check (vivograph_work_set_text (work, setting[0], setting[1], &error), &error);
  return work;
}

/* The sizes of the maps, which the first call asks for: asking computes the map. */
static size_t sizes[MOST_OUTPUTS];
static int known;
static VivographOutput outputs[MOST_OUTPUTS];
static size_t n_outputs;

static void
list_outputs (const Bench *bench)
{
  while (n_outputs < MOST_OUTPUTS &&
         vivograph_output (bench->operation, n_outputs, &outputs[n_outputs]) == VIVOGRAPH_OK)
    n_outputs++;
}

/* Reads the maps of frame K into memory for all frames, which is made for the first one. */
static void
read_maps (const Bench *bench, VivographWork *work, float *maps[MOST_OUTPUTS], int64_t k)
{
  int64_t frames = bench->data.frames > 0 && bench->stream ? bench->data.frames : 1;
  VivographPlane plane;
  VivographError error;

  for (size_t i = 0; i < n_outputs; i++)
    {
      if (outputs[i].kind == VIVOGRAPH_OUTPUT_TEXT || outputs[i].view_only)
        continue;
      if (!known && vivograph_work_plane (work, i, &plane, &error) == VIVOGRAPH_OK)
        sizes[i] = (size_t) (plane.width * plane.height * plane.slices);
      if (sizes[i] == 0)
        continue;
      if (maps[i] == NULL)
        maps[i] = malloc (sizes[i] * (size_t) frames * sizeof (float));
      check (vivograph_work_read (work, i, maps[i] + sizes[i] * (size_t) k, sizes[i], &error),
             &error);
    }
}

/* Everything but the maps, as a Result of Python has it. */
static void
read_rest (VivographWork *work)
{
  VivographError error;
  VivographMetric metrics[MOST_METRICS];
  char notice[1024];
  const char *text;
  size_t n;

  check (vivograph_work_metrics (work, metrics, MOST_METRICS, &n, &error), &error);
  for (size_t i = 0; i < n_outputs; i++)
    if (outputs[i].kind == VIVOGRAPH_OUTPUT_TEXT && !outputs[i].view_only)
      check (vivograph_work_text (work, i, &text, &error), &error);
  vivograph_work_notice (work, notice, sizeof notice);
}

static void
call (const Bench *bench, VivographWork *work)
{
  float *maps[MOST_OUTPUTS] = { NULL };
  VivographError error;
  int64_t k = 0;
  int status;

  check (vivograph_work_start (work, bench->data.samples != NULL ? &bench->data : NULL, &error),
         &error);
  do
    {
      check (status = vivograph_work_step (work, &error), &error);
      if (status == VIVOGRAPH_MAPS || (status == VIVOGRAPH_DONE && !bench->stream))
        read_maps (bench, work, maps, k++);
    }
  while (status != VIVOGRAPH_DONE);
  known = 1;
  read_rest (work);
  for (int i = 0; i < MOST_OUTPUTS; i++)
    free (maps[i]);
}

static double
now_us (clockid_t clock)
{
  struct timespec time;

  clock_gettime (clock, &time);
  return 1e6 * (double) time.tv_sec + 1e-3 * (double) time.tv_nsec;
}

static void *
read_file (const char *path)
{
  FILE *file = fopen (path, "rb");
  void *samples = NULL;
  long size = -1;

  if (file != NULL && fseek (file, 0, SEEK_END) == 0 && (size = ftell (file)) > 0)
    {
      rewind (file);
      samples = malloc ((size_t) size);
      if (samples != NULL && fread (samples, 1, (size_t) size, file) != (size_t) size)
        size = -1;
    }
  if (file != NULL)
    fclose (file);
  if (size >= 0)
    return samples;
  fprintf (stderr, "%s cannot be read\n", path);
  exit (1);
}

int
main (int argc, char **argv)
{
  Bench bench = { .data = { .size = sizeof bench.data } };
  VivographData *data = &bench.data;
  VivographWork *kept = NULL;

  /* freed memory is used again, as Python does */
  mallopt (M_TRIM_THRESHOLD, 1 << 30);
  mallopt (M_MMAP_THRESHOLD, 1 << 30);
  if (argc < 7 || sscanf (argv[3], "%ld,%ld,%ld,%ld,%ld,%ld", &data->frames, &data->slices,
                          &data->bins, &data->height, &data->width, &data->channels) != 6)
    return 2;
  bench.operation = argv[1];
  bench.stream = strcmp (argv[1], "flow") == 0 || strcmp (argv[1], "lifetime") == 0;
  bench.settings = argv + 7;
  data->type = atoi (argv[2]);
  data->frame_interval_s = 2;
  data->samples = strcmp (argv[4], "-") == 0 ? NULL : read_file (argv[4]);
  list_outputs (&bench);
  if (strcmp (argv[6], "kept") == 0)
    kept = make_work (&bench);
  for (int i = atoi (argv[5]); i > 0; i--)
    {
      double begin = now_us (CLOCK_MONOTONIC), used = now_us (CLOCK_PROCESS_CPUTIME_ID);
      VivographWork *work = kept != NULL ? kept : make_work (&bench);

      call (&bench, work);
      if (kept == NULL)
        vivograph_work_free (work);
      printf ("%.1f %.1f\n", now_us (CLOCK_MONOTONIC) - begin,
              now_us (CLOCK_PROCESS_CPUTIME_ID) - used);
    }
  vivograph_work_free (kept);
  free ((void *) data->samples);
}
