/* SPDX-License-Identifier: MIT */
/* The presses are kept with their times, so that every frame can be computed again as it was. */
#include "kernels/flow/synthetic/flow-clamp.h"
#include <math.h>
#if defined(__GNUC__) && !defined(__clang__)
/* Without fused multiply-add, frames are the same on every processor. */
#pragma GCC optimize("fp-contract=off")
#endif

#define LEAK 0.1      /* passes a closed vessel */
#define OVERSHOOT 0.3 /* beyond rest, after a vessel was closed */
#define CLOSING_S 2.0
#define OPENING_S 1.0
#define RETURN_S 10.0 /* of the overshoot to rest */

typedef struct
{
  double time_s;
  double flow; /* that passed at that time */
  gboolean on;
} Press;

struct _VgFlowClamp
{
  GMutex lock;
  GArray *presses; /* of Press, in the order of their times */
  double newest_s; /* that was asked for */
};

/* From 1 to 0 while T passes from 0 to 1. */
static double
fall (double t)
{
  return 0.5 + 0.5 * cos (G_PI * CLAMP (t, 0.0, 1.0));
}

/* T seconds after a vessel with this FLOW was closed. */
static double
closing (double flow, double t)
{
  return LEAK + (flow - LEAK) * fall (t / CLOSING_S);
}

/* T seconds after a vessel with this FLOW was opened.  The overshoot is the larger, the less blood
 * has passed. */
static double
opening (double flow, double t)
{
  double beyond = OVERSHOOT * CLAMP ((1.0 - flow) / (1.0 - LEAK), 0.0, 1.0);

  if (t < OPENING_S)
    return 1.0 + beyond - (1.0 + beyond - flow) * fall (t / OPENING_S);
  return 1.0 + beyond * fall ((t - OPENING_S) / RETURN_S);
}

double
vg_flow_clamp_story (double time_s)
{
  double t = time_s - 60.0 * floor (time_s / 60.0);

  return t < 35.0 ? closing (1.0, t - 20.0) : opening (LEAK, t - 35.0);
}

static double
get (const VgFlowClamp *self, double time_s)
{
  for (guint i = self->presses->len; i-- > 0;)
    {
      const Press *press = &g_array_index (self->presses, Press, i);
      double t = time_s - press->time_s;

      if (t > 0.0)
        return press->on ? closing (press->flow, t) : opening (press->flow, t);
    }
  return vg_flow_clamp_story (time_s);
}

double
vg_flow_clamp_get (VgFlowClamp *self, double time_s)
{
  double flow;

  g_mutex_lock (&self->lock);
  self->newest_s = MAX (self->newest_s, time_s);
  flow = get (self, time_s);
  g_mutex_unlock (&self->lock);
  return flow;
}

/* A second press at the same time takes the place of the first. */
double
vg_flow_clamp_press (VgFlowClamp *self, gboolean on)
{
  Press press = { .on = on };

  g_mutex_lock (&self->lock);
  press.time_s = self->newest_s;
  press.flow = get (self, press.time_s);
  if (self->presses->len > 0 &&
      g_array_index (self->presses, Press, self->presses->len - 1).time_s == press.time_s)
    g_array_set_size (self->presses, self->presses->len - 1);
  g_array_append_val (self->presses, press);
  g_mutex_unlock (&self->lock);
  return press.time_s;
}

VgFlowClamp *
vg_flow_clamp_new (void)
{
  VgFlowClamp *self = g_new0 (VgFlowClamp, 1);

  g_mutex_init (&self->lock);
  self->presses = g_array_new (FALSE, FALSE, sizeof (Press));
  return self;
}

void
vg_flow_clamp_free (VgFlowClamp *self)
{
  g_mutex_clear (&self->lock);
  g_array_unref (self->presses);
  g_free (self);
}
