/* SPDX-License-Identifier: MIT */
/* The library's tables, and what it says to hostile input and wrong calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "library-fixture.h"

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
  const double back[] = { 0, 1, 1 }, lacking[] = { 0, NAN, 2 };
  VivographError error = { 0 };
  const int64_t far[6] = { INT64_MAX, 0, 0, INT64_MAX, 2, 2 }, beyond[6] = { 0, 0, 0, 82, 2, 2 },
                turned[6] = { 2 * WIDTH * HEIGHT, 0, 0, 2, 2 * HEIGHT, 2 };
  static float map[WIDTH * HEIGHT];
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
  bad = good, bad.frames = 3, bad.times_s = back; /* frames count from 1 */
  CHECK (vivograph_work_start (work, &bad, &error) == VIVOGRAPH_ERROR_INPUT);
  CHECK (strcmp (error.message,
                 "frame 2 is at 1 s, but frame 3 is at 1 s; frame times must increase") == 0);
  bad.times_s = lacking;
  CHECK (vivograph_work_start (work, &bad, &error) == VIVOGRAPH_ERROR_INPUT);
  CHECK (strstr (error.message, "frame 2 is at nan s; give a time") != NULL);
  bad = good, bad.strides = far;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.strides = beyond, bad.bytes = WIDTH * HEIGHT * 2;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  bad = good, bad.device = 1;
  refuse (work, bad, VIVOGRAPH_ERROR_DEVICE);
  bad.strides = turned;
  refuse (work, bad, VIVOGRAPH_ERROR_INPUT);
  CHECK (vivograph_work_start (work, NULL, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_start (work, &good, NULL) == VIVOGRAPH_OK);
  CHECK (vivograph_work_step (work, NULL) == VIVOGRAPH_MAPS);
  CHECK (vivograph_work_read_device (work, 0, map, WIDTH * HEIGHT - 1, NULL) ==
         VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_read_device (work, 0, map, WIDTH * HEIGHT, NULL) == VIVOGRAPH_ERROR_DEVICE);
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
  CHECK (vivograph_work_new ("flow", "cpu", 1, NULL, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_step (NULL, &error) == VIVOGRAPH_ERROR_USAGE);
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

/* Errors name parameters as the caller does, not as the window. */
static void
test_names_in_errors (void)
{
  static float series[9 * WIDTH * HEIGHT];
  VivographData data = packed (VIVOGRAPH_F32, WIDTH, HEIGHT, series);
  VivographError error = { 0 };
  VivographWork *work;

  data.frames = 9;
  CHECK (vivograph_work_new ("perfusion", "cpu", 1, &work, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_start (work, &data, &error) == VIVOGRAPH_ERROR_INPUT);
  CHECK (strstr (error.message, "et frame_interval_s") != NULL);
  CHECK (strstr (error.message, "times_file") != NULL);
  CHECK (vivograph_work_set_number (work, "frame_interval_s", 2, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_set_text (work, "solver", "paper", &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_set_text (work, "model", "exchange", &error) == VIVOGRAPH_OK);
  CHECK (vivograph_work_start (work, &data, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strstr (error.message, "set model to ") != NULL);
  CHECK (strstr (error.message, "One compartment") == NULL);
  vivograph_work_free (work);
}

/* Calls with no work, as after an error that was not looked at, are errors and no crash. */
static void
test_no_work (void)
{
  VivographError error = { 0 };
  VivographPlane plane;
  VivographStack stack = { .size = sizeof stack };
  const char *text;
  float value;
  size_t n;

  CHECK (vivograph_work_set_text (NULL, "radius", "3", &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strstr (error.message, "vivograph_work_new") != NULL);
  CHECK (vivograph_work_set_number (NULL, "radius", 3, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_get_text (NULL, "radius", &text, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_give_data (NULL, "irf", NULL, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_give_content (NULL, "irf", "", NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_start (NULL, NULL, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_step (NULL, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_run (NULL, NULL, NULL, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_gather (NULL, &stack, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_plane (NULL, 0, &plane, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_read (NULL, 0, &value, 1, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_read_device (NULL, 0, &value, 1, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_text (NULL, 0, &text, NULL) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_work_metrics (NULL, NULL, 0, &n, NULL) == VIVOGRAPH_ERROR_USAGE && n == 0);
  CHECK (vivograph_work_notice (NULL, (char[8]){ 0 }, 8) == VIVOGRAPH_NONE);
  CHECK (vivograph_work_frame (NULL) == -1 && vivograph_work_progress (NULL) == 0);
  CHECK (*vivograph_work_device (NULL) == '\0' && *vivograph_work_unit (NULL, 0) == '\0');
  vivograph_work_cancel (NULL);
}

static void
test_find_output (void)
{
  VivographError error = { 0 };
  VivographOutput output;
  size_t i = 99;

  CHECK (vivograph_find_output ("lifetime", "lifetime", &i, &error) == VIVOGRAPH_OK);
  CHECK (vivograph_output ("lifetime", i, &output) == VIVOGRAPH_OK);
  CHECK (strcmp (output.id, "lifetime") == 0);
  CHECK (vivograph_find_output ("lifetime", "time", &i, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (strcmp (error.message, "lifetime has no output \"time\"; vivograph_output lists them") ==
         0);
  CHECK (vivograph_find_output ("flaw", "contrast", &i, &error) == VIVOGRAPH_ERROR_USAGE);
  CHECK (vivograph_find_output (NULL, NULL, &i, NULL) == VIVOGRAPH_ERROR_USAGE);
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
  test_find_output ();
  test_no_work ();
  test_params ();
  test_names_in_errors ();
  test_bad_data ();
  printf ("%d faults\n", failures);
  return failures > 0;
}
