/* SPDX-License-Identifier: MIT */
/* Distances are fractions of the colour scale, so of its decades on a logarithmic one.  A fifth is
 * more than a heartbeat or the noise of a percentile moves the limits, and little enough that the
 * colours are still used well; two seconds are longer than a beat of the heart or a moved lamp. The
 * time away ends with the first map that is near again.  The new limits contain those of all maps
 * since then. */
#include "app/compute/vg-steady-limits.h"
#include <math.h>

#define MARGIN 0.2
#define WAIT_US (2 * G_USEC_PER_SEC)
#define GLIDE_US (G_USEC_PER_SEC / 2)

VgSteadyLimits *
vg_steady_limits_of (VgSession *session)
{
  static const char name[] = "vg-steady-limits";
  VgSteadyLimits *self = g_object_get_data (G_OBJECT (session), name);

  if (self == NULL)
    {
      self = g_new0 (VgSteadyLimits, 1);
      g_object_set_data_full (G_OBJECT (session), name, self, g_free);
    }
  return self;
}

void
vg_steady_limits_reset (VgSteadyLimits *self)
{
  *self = (VgSteadyLimits){ .held = FALSE };
}

/* What automatic limits come from. */
static gboolean
same_settings (const VgDisplay *a, const VgDisplay *b)
{
  return a->auto_limits == b->auto_limits && a->log_scale == b->log_scale &&
         a->auto_low_percent == b->auto_low_percent && a->auto_high_percent == b->auto_high_percent;
}

static void
take_limits (VgSteadyLimits *self, double low, double high)
{
  self->held = TRUE;
  self->low = low;
  self->high = high;
  self->away_us = self->glide_us = 0;
}

/* A value's place on the scale.  On a logarithmic scale a value that is not positive lies below all
 * others. */
static double
place_of (const VgSteadyLimits *self, double value)
{
  return !self->display.log_scale ? value : value > 0 ? log (value) : -INFINITY;
}

/* The fresh limits LOW and HIGH are too far from those that are held. */
static gboolean
is_away (const VgSteadyLimits *self, double low, double high)
{
  double from = place_of (self, self->low), to = place_of (self, self->high),
         margin = MARGIN * (to - from);

  return fabs (place_of (self, low) - from) > margin || fabs (place_of (self, high) - to) > margin;
}

/* PART of the way from A to B on the scale. */
static double
on_the_way (const VgSteadyLimits *self, double a, double b, double part)
{
  return self->display.log_scale && a > 0 && b > 0 ? a * pow (b / a, part) : a + (b - a) * part;
}

static void
glide (VgSteadyLimits *self, gint64 now_us)
{
  double part = (double) (now_us - self->glide_us) / GLIDE_US;

  if (part >= 1)
    take_limits (self, self->away_low, self->away_high);
  else
    {
      self->low = on_the_way (self, self->from_low, self->away_low, part);
      self->high = on_the_way (self, self->from_high, self->away_high, part);
    }
}

/* Fresh limits are too far away, and perhaps for long enough. */
static void
stay_away (VgSteadyLimits *self, double low, double high, gint64 now_us)
{
  if (self->away_us == 0)
    {
      self->away_us = now_us;
      self->away_low = low;
      self->away_high = high;
    }
  self->away_low = MIN (self->away_low, low);
  self->away_high = MAX (self->away_high, high);
  if (now_us - self->away_us < WAIT_US)
    return;
  self->glide_us = now_us;
  self->from_low = self->low;
  self->from_high = self->high;
}

void
vg_steady_limits_add (VgSteadyLimits *self, const VgSteadyKey *key, const VgDisplay *display,
                      const VgStatistics *statistics, gboolean live, gint64 now_us)
{
  gboolean same = self->held && self->key.output == key->output && self->id == key->output->id &&
                  self->key.compare == key->compare && self->key.serial == key->serial &&
                  self->key.generation == key->generation &&
                  same_settings (&self->display, display);
  VgColoring coloring;
  double low, high;

  if (!live || !display->auto_limits || statistics->valid == 0 ||
      key->output->kind == VG_OUTPUT_LABELS)
    {
      vg_steady_limits_reset (self);
      return;
    }
  vg_display_get_coloring (display, key->output, statistics, &coloring);
  low = MIN (coloring.low, coloring.high);
  high = MAX (coloring.low, coloring.high);
  self->key = *key;
  self->id = key->output->id;
  self->display = *display;
  if (!same)
    take_limits (self, low, high);
  else if (self->glide_us != 0)
    glide (self, now_us);
  else if (!is_away (self, low, high))
    self->away_us = 0;
  else
    stay_away (self, low, high, now_us);
}

void
vg_steady_limits_get_coloring (const VgSteadyLimits *self, const VgDisplay *display,
                               const VgOutput *output, VgCompare compare,
                               const VgStatistics *statistics, VgColoring *coloring)
{
  vg_display_get_coloring (display, output, statistics, coloring);
  if (!self->held || output == NULL || self->key.output != output || self->id != output->id ||
      self->key.compare != compare || !same_settings (&self->display, display))
    return;
  coloring->low = display->reversed ? self->high : self->low;
  coloring->high = display->reversed ? self->low : self->high;
}

static void
take_display (VgSession *session, const VgDisplay *display)
{
  vg_session_set_display (session, display);
  vg_session_commit_later (session, "Limits");
}

void
vg_steady_limits_fix (VgSession *session, double low, double high)
{
  VgDisplay display = *vg_session_get_display (session);

  display.auto_limits = FALSE;
  display.low = low;
  display.high = high;
  take_display (session, &display);
}

void
vg_steady_limits_release (VgSession *session)
{
  VgDisplay display = *vg_session_get_display (session);

  vg_steady_limits_reset (vg_steady_limits_of (session));
  display.auto_limits = TRUE;
  take_display (session, &display);
}
