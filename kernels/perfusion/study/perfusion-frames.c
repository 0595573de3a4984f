/* SPDX-License-Identifier: MIT */
#include "kernels/perfusion/study/perfusion-study.h"
#include <string.h>
/* Frame times and frame weights. */

/* Whether the first of two columns only numbers the frames, from 0 or 1, and the second
 * increases: then the second holds the times. */
static gboolean
is_numbered (const double *values, int rows, int columns)
{
  if (columns != 2 || rows < 2 || (values[0] != 0 && values[0] != 1))
    return FALSE;
  for (int i = 1; i < rows; i++)
    if (values[2 * i] != values[0] + i || !(values[2 * i + 1] > values[2 * i - 1]))
      return FALSE;
  return TRUE;
}

static gboolean
read_times (VgPerfusionStudy *self, const VgImage *file, GError **error)
{
  int rows, columns;
  g_autofree double *values = vg_perfusion_read_table (file, &rows, &columns, error);
  const double *first;

  if (values == NULL)
    return FALSE;
  if (columns == self->n && rows == 1)
    columns = 1;
  else if (rows != self->n)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" has %d times, but the data have %d frames; write one time per frame",
                   file->name, rows, self->n);
      return FALSE;
    }
  first = is_numbered (values, rows, columns) ? values + 1 : values;
  for (int i = 0; i < self->n; i++)
    self->times_s[i] = first[i * columns];
  return TRUE;
}

/* Uses the frame interval of the settings, or the frame times of the file if the interval is 0 or
 * agrees with them. */
static gboolean
set_times (VgPerfusionStudy *self, GError **error)
{
  const VgImage *image = self->image;
  double interval = self->params->frame_interval_s, own = image->info.frame_interval_s;

  if (image->times_s != NULL && (interval <= 0 || fabs (interval - own) <= 1e-4 * own))
    {
      memcpy (self->times_s, image->times_s, sizeof (double) * (gsize) self->n);
      return TRUE;
    }
  if (interval <= 0)
    interval = own;
  if (!(interval > 0) && image->info.frame_interval_claimed_s != 0)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" gives %g s between frames, which cannot be right; set Frame interval "
                   "or Frame times",
                   image->name, image->info.frame_interval_claimed_s);
      return FALSE;
    }
  if (!(interval > 0 && interval < 1e5))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" does not give the times of its frames. Set Frame interval or Frame "
                   "times.",
                   image->name);
      return FALSE;
    }
  for (int i = 0; i < self->n; i++)
    self->times_s[i] = i * interval;
  return TRUE;
}

static gboolean
check_times (const VgPerfusionStudy *self, GError **error)
{
  for (int i = 1; i < self->n; i++)
    if (!(self->times_s[i] > self->times_s[i - 1]))
      {
        g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                     "frame %d is at %g s, but frame %d is at %g s; frame times must increase", i,
                     self->times_s[i - 1], i + 1, self->times_s[i]);
        return FALSE;
      }
  /* A fit needs room for the delays, and a span of microseconds or weeks is not a recording. */
  if (self->times_s[self->n - 1] - self->times_s[0] < 1e-3 ||
      self->times_s[self->n - 1] - self->times_s[0] > 1e6)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "%d frames within %g s are too fast for a contrast series; check Frame interval",
                   self->n, self->times_s[self->n - 1] - self->times_s[0]);
      return FALSE;
    }
  return TRUE;
}

static void
set_too_few (const VgPerfusionStudy *self, int used, int unknowns, GError **error)
{
  if (self->params->model == VG_PERFUSION_DECONVOLUTION)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "%d of %d frames have a weight, but deconvolution needs at least %d frames; open "
                 "a longer series, or give more frames a weight",
                 used, self->n, unknowns + 1);
  else
    g_set_error (
        error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
        "%d of %d frames have a weight, but %s has %d fit parameters and needs at least %d frames; "
        "open a longer series, or choose a simpler model or fewer delays",
        used, self->n,
        self->params->model == VG_PERFUSION_BEST
            ? "two-compartment exchange, one of the models to choose from,"
            : "the model",
        unknowns, unknowns + 1);
}

static gboolean
read_weights (VgPerfusionStudy *self, GError **error)
{
  const VgTable *table = self->params->frame_weights;
  int used = 0, unknowns = vg_perfusion_unknowns (self->params->model, self->params->inputs == 0,
                                                  self->params->delays);

  for (int i = 0; i < self->n; i++)
    self->weights[i] = 1;
  for (int row = 0; table != NULL && row < table->rows; row++)
    {
      double frame = table->values[row * table->columns],
             weight = table->values[row * table->columns + 1];

      if (!(frame >= 1 && frame <= self->n && frame == floor (frame) && weight >= 0 &&
            weight <= 1e6))
        {
          g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                       "the weight %g of frame %g is not valid; frames are 1 to %d, and weights "
                       "are 0 or more",
                       weight, frame, self->n);
          return FALSE;
        }
      self->weights[(int) frame - 1] = weight;
    }
  for (int i = 0; i < self->n; i++)
    used += self->weights[i] > 0;
  if (used > unknowns)
    return TRUE;
  set_too_few (self, used, unknowns, error);
  return FALSE;
}

/* Shifts the times so that the first frame is at 0.  A time of day, or since 1970, has too many
 * digits for the GPU's floats. */
static gboolean
subtract_begin (VgPerfusionStudy *self)
{
  self->begin_s = self->times_s[0];
  for (int i = 0; i < self->n; i++)
    self->times_s[i] -= self->begin_s;
  return TRUE;
}

gboolean
vg_perfusion_read_frames (VgPerfusionStudy *self, GError **error)
{
  const VgImage *file = vg_perfusion_study_file (self, "times_file");

  return (file != NULL ? read_times (self, file, error) : set_times (self, error)) &&
         check_times (self, error) && subtract_begin (self) && read_weights (self, error);
}
