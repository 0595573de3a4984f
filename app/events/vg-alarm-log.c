/* SPDX-License-Identifier: MIT */
#include "app/events/vg-alarm-log.h"
#include <math.h>
#include "app/compute/vg-followed-regions.h"
#include "kernels/base/vg-text.h"

enum { MOST_TOLD = 20 }; /* sentences on a region */

typedef struct
{
  guint region;
  gint64 frames[2]; /* the first and the last below the limit */
  double times_s[2];
  double lowest;
} Alarm;

typedef struct
{
  int alarm;  /* index of the present one; -1: none */
  guint told; /* sentences so far */
} State;

struct _VgAlarmLog
{
  const VgOutput *output;
  double limit;
  VgFollowedRegions *regions;
  GPtrArray *names;
  GArray *alarms; /* of Alarm, in the order in which they began */
  GArray *states; /* of State, for each region */
  GQueue said;    /* sentences that the caller has not taken yet */
};

VgAlarmLog *
vg_alarm_log_new (const VgOutput *output, double limit, const VgNamedRegion *const *regions)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (VgRegion));
  VgAlarmLog *self = g_new0 (VgAlarmLog, 1);
  const State none = { .alarm = -1 };

  self->output = output;
  self->limit = limit;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->alarms = g_array_new (FALSE, FALSE, sizeof (Alarm));
  self->states = g_array_new (FALSE, FALSE, sizeof (State));
  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    {
      g_array_append_val (shapes, regions[i]->region);
      g_array_append_val (self->states, none);
      g_ptr_array_add (self->names, g_strdup (regions[i]->name));
    }
  self->regions = vg_followed_regions_new ((const VgRegion *) (gpointer) shapes->data, shapes->len);
  return self;
}

void
vg_alarm_log_free (VgAlarmLog *self)
{
  if (self == NULL)
    return;
  vg_followed_regions_free (self->regions);
  g_ptr_array_unref (self->names);
  g_array_unref (self->alarms);
  g_array_unref (self->states);
  g_queue_clear_full (&self->said, g_free);
  g_free (self);
}

/* Queues a sentence: REGION fell below the limit at TIME_S or, BACK, is no longer below it. */
static void
say (VgAlarmLog *self, guint region, double value, double time_s, gboolean back)
{
  const char *unit = self->output->unit != NULL ? self->output->unit : "";
  const guint told = ++g_array_index (self->states, State, region).told;

  if (told > MOST_TOLD)
    return;
  g_queue_push_tail (
      &self->said,
      g_strdup_printf (
          "%s: at %.3f s the mean of %s in \"%s\" is %.4g%s%s, %s the limit of %.4g%s%s%s",
          back ? "alarm over" : "alarm", time_s, self->output->id,
          (const char *) self->names->pdata[region], value, *unit != '\0' ? " " : "", unit,
          back ? "no longer below" : "below", self->limit, *unit != '\0' ? " " : "", unit,
          told == MOST_TOLD ? "; later alarms of this region are only in alarms.csv" : ""));
}

static void
follow (VgAlarmLog *self, guint region, double value, gint64 frame, double time_s)
{
  State *state = &g_array_index (self->states, State, region);
  Alarm *alarm = state->alarm >= 0 ? &g_array_index (self->alarms, Alarm, state->alarm) : NULL;

  if (!isfinite (value))
    return;
  if (value < self->limit && alarm == NULL)
    {
      const Alarm begun = { region, { frame, frame }, { time_s, time_s }, value };

      state->alarm = (int) self->alarms->len;
      g_array_append_val (self->alarms, begun);
      say (self, region, value, time_s, FALSE);
    }
  else if (value < self->limit)
    {
      alarm->frames[1] = frame;
      alarm->times_s[1] = time_s;
      alarm->lowest = MIN (alarm->lowest, value);
    }
  else if (alarm != NULL)
    {
      state->alarm = -1;
      say (self, region, value, time_s, TRUE);
    }
}

gboolean
vg_alarm_log_add (VgAlarmLog *self, const VgPlane *plane, const VgPlane *numerator,
                  const VgCuda *cuda, gint64 frame, double time_s, GError **error)
{
  for (guint r = 0; r < self->names->len; r++)
    {
      VgRegionStatistics statistics;

      if (vg_followed_regions_get (self->regions, r)->slice >= MAX (plane->slices, 1))
        continue;
      if (!vg_followed_regions_compute (self->regions, r, plane, cuda, 0, &statistics, error) ||
          (numerator != NULL && !vg_followed_regions_set_ratio (self->regions, r, plane, numerator,
                                                                cuda, &statistics, error)))
        return FALSE;
      follow (self, r, statistics.mean, frame, time_s);
    }
  return TRUE;
}

char *
vg_alarm_log_take_sentence (VgAlarmLog *self)
{
  return g_queue_pop_head (&self->said);
}

char *
vg_alarm_log_to_csv (const VgAlarmLog *self)
{
  GString *csv = g_string_new ("region,first_frame,first_time_s,last_frame,last_time_s,lowest");

  if (self->output->unit != NULL && *self->output->unit != '\0')
    g_string_append_printf (csv, " [%s]", self->output->unit);
  g_string_append_c (csv, '\n');
  for (guint i = 0; i < self->alarms->len; i++)
    {
      const Alarm *alarm = &g_array_index (self->alarms, Alarm, i);

      vg_text_append_cell (csv, self->names->pdata[alarm->region]);
      for (int end = 0; end < 2; end++)
        {
          g_string_append_printf (csv, ",%" G_GINT64_FORMAT ",", alarm->frames[end]);
          vg_text_append_number (csv, alarm->times_s[end]);
        }
      g_string_append_c (csv, ',');
      vg_text_append_number (csv, alarm->lowest);
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}

guint
vg_alarm_log_count (const VgAlarmLog *self)
{
  return self->alarms->len;
}
