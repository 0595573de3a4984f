/* SPDX-License-Identifier: MIT */
/* Times of the volumes, by the tags that scanners fill: Philips and Siemens give each volume an
 * acquisition time; GE gives all of them the time of the first, and a trigger time or the duration
 * of the series. */
#include "io/dicom/vg-dicom-stack.h"
#include <math.h>

typedef struct
{
  gsize offset; /* in VgDicomTiming */
  const char *name;
} Clock;

#define CLOCK(member) G_STRUCT_OFFSET (VgDicomTiming, member)

static const Clock clocks[] = {
  { CLOCK (dynamic_s), "the start of each dynamic scan" },
  { CLOCK (acquired_s), "the acquisition times" },
  { CLOCK (trigger_s), "the trigger times" },
};

/* The least time of volume V's slices by a clock; NaN: a slice has none. */
static double
time_of (const VgDicomStack *self, int v, const Clock *clock)
{
  double least = INFINITY;

  for (int i = 0; i < self->slices; i++)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (self, (guint) (v * self->slices + i));
      double time = G_STRUCT_MEMBER (double, &frame->timing, clock->offset);

      if (isnan (time))
        return NAN;
      least = MIN (least, time);
    }
  return least;
}

/* Times of all volumes by a clock, from 0 on, owned; NULL: they do not increase. */
static double *
take_times (const VgDicomStack *self, const Clock *clock)
{
  g_autofree double *times = g_new (double, self->volumes);
  double first = time_of (self, 0, clock);

  for (int v = 0; v < self->volumes; v++)
    {
      times[v] = time_of (self, v, clock) - first;
      if (isnan (times[v]) || (v > 0 && !(times[v] > times[v - 1])) || times[v] > 1e6)
        return NULL;
      /* times since 1970 have this many digits */
      times[v] = round (times[v] * 1e5) / 1e5;
    }
  return g_steal_pointer (&times);
}

/* Seconds from volume to volume, of ALL, where no clock tells them; 0: not known. */
static double
find_interval (const VgDicomTiming *timing, int all, const char **name)
{
  if (timing->resolution_s > 0.01 && timing->resolution_s < 1e4)
    {
      *name = "the temporal resolution";
      return timing->resolution_s;
    }
  if (timing->all_s / all > 0.01 && timing->all_s < 1e6)
    {
      *name = "the duration of the series";
      return timing->all_s / all;
    }
  /* a short one is from pulse to pulse */
  if (timing->repetition_ms >= 100 && timing->repetition_ms < 1e6)
    {
      *name = "the repetition time";
      return 1e-3 * timing->repetition_ms;
    }
  return 0;
}

void
vg_dicom_stack_set_times (VgDicomStack *self, const int *volume, int all)
{
  const VgDicomTiming *timing = &vg_dicom_stack_frame (self, 0)->timing;
  const char *name = NULL;
  double interval, acquired = time_of (self, 0, &clocks[1]);

  self->started_s = isnan (acquired) ? 0 : fmod (acquired, 86400);
  if (self->volumes < 2)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (clocks) && self->times_s == NULL; i++)
    {
      self->times_s = take_times (self, &clocks[i]);
      name = clocks[i].name;
    }
  if (self->times_s == NULL && (interval = find_interval (timing, all, &name)) > 0)
    {
      self->times_s = g_new (double, self->volumes);
      for (int v = 0; v < self->volumes; v++)
        self->times_s[v] = interval * (volume[v] - volume[0]);
    }
  if (self->times_s != NULL)
    g_string_append_printf (self->notes, "Frame times: 0 to %g s, from %s.\n",
                            self->times_s[self->volumes - 1], name);
  else
    g_string_append (self->notes, "Frame times: not in the files.\n");
}
