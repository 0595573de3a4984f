/* SPDX-License-Identifier: MIT */
/* A table of times and means that never outgrows its bound. */
#include "app/pipeline/vg-time-course.h"

#include <math.h>
#include <string.h>

enum { MIN_POINTS = 256 };

struct _VgTimeCourse
{
  gatomicrefcount ref_count;
  GMutex lock;
  VgRegion *regions;
  guint n_regions, n_outputs;
  guint length, capacity; /* points held; points there is room for, 0: nothing allocated */
  double *times;          /* ascending */
  float *values;          /* a row of n_outputs * n_regions per point */
  guint8 *gaps;           /* of each point, 1: a gap follows it */
  GArray *marks;          /* of VgCurveMark, ascending */
  double last_s; /* time of the point that was added last; NaN: none was since the last gap */
};

VgTimeCourse *
vg_time_course_new (void)
{
  VgTimeCourse *self = g_new0 (VgTimeCourse, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->marks = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));
  self->last_s = NAN;
  return self;
}

VgTimeCourse *
vg_time_course_ref (VgTimeCourse *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
drop_points (VgTimeCourse *self)
{
  self->last_s = NAN;
  g_clear_pointer (&self->times, g_free);
  g_clear_pointer (&self->values, g_free);
  g_clear_pointer (&self->gaps, g_free);
  self->length = self->capacity = 0;
}

void
vg_time_course_unref (VgTimeCourse *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  drop_points (self);
  g_array_unref (self->marks);
  g_free (self->regions);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
vg_time_course_reset (VgTimeCourse *self, guint n_outputs)
{
  g_mutex_lock (&self->lock);
  drop_points (self);
  g_array_set_size (self->marks, 0);
  self->n_outputs = n_outputs;
  g_mutex_unlock (&self->lock);
}

void
vg_time_course_clear (VgTimeCourse *self)
{
  g_mutex_lock (&self->lock);
  drop_points (self);
  g_array_set_size (self->marks, 0);
  g_mutex_unlock (&self->lock);
}

static guint
columns (const VgTimeCourse *self)
{
  return self->n_regions * self->n_outputs;
}

/* As many points of N_REGIONS as fit into the bound, with the curves of one
 * output that a plot holds. */
static guint
most_points (const VgTimeCourse *self, guint n_regions)
{
  gsize value = self->n_outputs * sizeof (float), curve = 2 * sizeof (double);
  gsize point = sizeof (double) + n_regions * (value + curve);

  return (guint) CLAMP (VG_TIME_COURSE_BYTES / point, MIN_POINTS, VG_TIME_COURSE_POINTS);
}

/* Where each new region was before; -1: it is new. */
static int *
match_regions (const VgTimeCourse *self, const VgRegion *regions, guint n, guint *n_reference)
{
  int *from = g_new (int, MAX (n, 1));

  *n_reference = 0;
  for (guint i = 0; i < n; i++)
    {
      from[i] = -1;
      for (guint k = 0; k < self->n_regions && from[i] < 0; k++)
        if (vg_region_equal (&regions[i], &self->regions[k]))
          from[i] = (int) k;
      *n_reference += from[i] >= 0;
    }
  return from;
}

static void
copy_point (VgTimeCourse *self, guint to, guint from)
{
  gsize row = columns (self);

  self->times[to] = self->times[from];
  self->gaps[to] = self->gaps[from];
  memmove (self->values + to * row, self->values + from * row, row * sizeof (float));
}

/* The newest quarter stays; of the rest the first point of each of half as many
 * equal spans of time, so the beginning is never thinner than what follows.  If a
 * point before a gap is removed, the gap follows the point before it.
 * A span that is no number keeps nothing: room is made in any case. */
static void
thin (VgTimeCourse *self)
{
  guint recent = self->length - self->length / 4, to = 0;
  double span = (self->times[recent] - self->times[0]) / (self->length / 2), last = -1;

  for (guint from = 0; from < self->length; from++)
    {
      double place = floor ((self->times[from] - self->times[0]) / span);

      if (from >= recent || place > last)
        copy_point (self, to++, from);
      else if (to > 0)
        self->gaps[to - 1] |= self->gaps[from];
      last = fmax (last, place);
    }
  self->length = to;
}

/* More columns leave room for fewer points. */
static void
move_columns (VgTimeCourse *self, const int *from, guint n)
{
  float *values;

  self->capacity = most_points (self, n);
  while (self->length > self->capacity)
    thin (self);
  self->times = g_renew (double, self->times, self->capacity);
  self->gaps = g_renew (guint8, self->gaps, self->capacity);
  values = g_new (float, (gsize) self->capacity *n * self->n_outputs);

  for (guint t = 0; t < self->length; t++)
    for (guint o = 0; o < self->n_outputs; o++)
      {
        const float *row = self->values + ((gsize) t * self->n_outputs + o) * self->n_regions;
        float *moved = values + ((gsize) t * self->n_outputs + o) * n;

        for (guint i = 0; i < n; i++)
          moved[i] = from[i] < 0 ? NAN : row[from[i]];
      }
  g_free (self->values);
  self->values = values;
}

void
vg_time_course_set_regions (VgTimeCourse *self, const VgRegion *regions, guint n)
{
  g_autofree int *from = NULL;
  guint n_reference;

  g_mutex_lock (&self->lock);
  from = match_regions (self, regions, n, &n_reference);
  if (n_reference == 0)
    drop_points (self);
  else if (self->capacity > 0)
    move_columns (self, from, n);
  g_free (self->regions);
  self->regions = g_memdup2 (regions, n * sizeof *regions);
  self->n_regions = n;
  g_mutex_unlock (&self->lock);
}

/* All the room at once: pages that are not written to cost nothing, and nothing
 * is ever moved. */
static void
make_room (VgTimeCourse *self)
{
  if (self->capacity == 0)
    {
      self->capacity = most_points (self, self->n_regions);
      self->times = g_new (double, self->capacity);
      self->gaps = g_new (guint8, self->capacity);
      self->values = g_new (float, (gsize) self->capacity *columns (self));
    }
  else if (self->length == self->capacity)
    thin (self);
}

/* The first point not before TIME_S. */
static guint
find (const VgTimeCourse *self, double time_s)
{
  guint low = 0, high = self->length;

  if (high > 0 && self->times[high - 1] < time_s)
    return high;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (self->times[middle] < time_s)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* The point that was added last, or, if it was removed, the one before it; -1: there is none. */
static int
find_last (const VgTimeCourse *self)
{
  const guint at = isfinite (self->last_s) ? find (self, self->last_s) : 0;

  if (!isfinite (self->last_s) || self->length == 0)
    return -1;
  return at < self->length && self->times[at] <= self->last_s ? (int) at : (int) at - 1;
}

/* TRUE: later points were added without a gap after point AT. */
static gboolean
is_followed (const VgTimeCourse *self, guint at)
{
  return at > 0 && at + 1 < self->length &&
         self->times[at + 1] - self->times[at] <= 3 * (self->times[at] - self->times[at - 1]);
}

void
vg_time_course_add (VgTimeCourse *self, double time_s, const float *values)
{
  gsize row;
  guint at;

  g_mutex_lock (&self->lock);
  row = columns (self);
  if (row > 0 && isfinite (time_s))
    {
      at = find (self, time_s);
      if (at == self->length || self->times[at] != time_s)
        {
          make_room (self);
          at = find (self, time_s);
          memmove (self->times + at + 1, self->times + at,
                   (self->length - at) * sizeof *self->times);
          memmove (self->gaps + at + 1, self->gaps + at, self->length - at);
          self->gaps[at] = 0;
          memmove (self->values + (at + 1) * row, self->values + at * row,
                   (self->length - at) * row * sizeof (float));
          self->length++;
        }
      self->times[at] = self->last_s = time_s;
      memcpy (self->values + at * row, values, row * sizeof (float));
    }
  g_mutex_unlock (&self->lock);
}

void
vg_time_course_mark (VgTimeCourse *self, double time_s, const char *label)
{
  g_mutex_lock (&self->lock);
  vg_curve_marks_add (self->marks, time_s, label);
  g_mutex_unlock (&self->lock);
}

GArray *
vg_time_course_get_marks (VgTimeCourse *self, double from_s)
{
  GArray *marks = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->marks->len; i++)
    if (g_array_index (self->marks, VgCurveMark, i).x >= from_s)
      g_array_append_val (marks, g_array_index (self->marks, VgCurveMark, i));
  g_mutex_unlock (&self->lock);
  return marks;
}

void
vg_time_course_break (VgTimeCourse *self)
{
  int at;

  g_mutex_lock (&self->lock);
  at = find_last (self);
  if (at >= 0 && !is_followed (self, (guint) at))
    self->gaps[at] = 1;
  self->last_s = NAN;
  g_mutex_unlock (&self->lock);
}

void
vg_time_course_join (VgTimeCourse *self, double from_s)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  for (guint at = self->length; at > 0 && self->times[at - 1] >= from_s; at--)
    self->gaps[at - 1] = 0;
  self->last_s = NAN;
}

double
vg_time_course_get_end (VgTimeCourse *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->length > 0 ? self->times[self->length - 1] : NAN;
}

guint
vg_time_course_length (VgTimeCourse *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->length;
}

static void
fill_series (const VgTimeCourse *self, guint output, guint region, guint n_gaps, VgCurves *curves)
{
  g_autofree char *name = g_strdup_printf ("Region %u", region + 1);
  VgSeries *series = vg_curves_add (curves, name, VG_SERIES_LINE, (int) (self->length + n_gaps));
  int n = 0;

  for (guint t = 0; t < self->length; t++)
    {
      float value = self->values[((gsize) t * self->n_outputs + output) * self->n_regions + region];

      if (isfinite (value))
        {
          series->x[n] = self->times[t];
          series->y[n++] = value;
        }
      if (self->gaps[t] && t + 1 < self->length)
        {
          series->x[n] = self->times[t];
          series->y[n++] = NAN;
        }
    }
  series->n = n;
}

void
vg_time_course_get (VgTimeCourse *self, guint i, VgCurves *curves)
{
  guint n_gaps = 0;

  g_mutex_lock (&self->lock);
  for (guint t = 0; t < self->length; t++)
    n_gaps += self->gaps[t];
  for (guint region = 0; i < self->n_outputs && region < self->n_regions; region++)
    fill_series (self, i, region, n_gaps, curves);
  for (guint k = 0; k < self->marks->len; k++)
    vg_curves_mark (curves, g_array_index (self->marks, VgCurveMark, k).x,
                    g_array_index (self->marks, VgCurveMark, k).label);
  g_mutex_unlock (&self->lock);
}
