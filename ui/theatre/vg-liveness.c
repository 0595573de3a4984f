/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-liveness.h"
#include "ui/words/vg-translation.h"
#include <math.h>

/* Without a frame, or with a frame that waits for its map, for so long a live source is not live.
 */
#define MOST_S 2.0
#define MOST_INTERVALS 3

static gboolean
is_within (const VgLiveness *self, double seconds)
{
  return seconds <= MAX (MOST_S, MOST_INTERVALS * self->interval_s);
}

VgLivenessKind
vg_liveness_get_kind (const VgLiveness *self)
{
  if (self->kept)
    return VG_LIVENESS_OLD;
  if (!self->stream)
    return VG_LIVENESS_NONE;
  if (self->ended || isfinite (self->ago_s) || !self->running)
    return VG_LIVENESS_OLD;
  if (self->live && self->waiting)
    return VG_LIVENESS_LOST;
  if (self->live && !(is_within (self, self->silent_s) && is_within (self, self->late_s)))
    return VG_LIVENESS_OLD;
  return self->live ? VG_LIVENESS_LIVE : VG_LIVENESS_PLAYED;
}

char *
vg_liveness_describe (const VgLiveness *self)
{
  VgLivenessKind kind = vg_liveness_get_kind (self);

  if (kind == VG_LIVENESS_NONE)
    return NULL;
  if (kind == VG_LIVENESS_LIVE)
    return g_strdup (self->sample ? _ ("Sample") : _ ("Live"));
  if (kind == VG_LIVENESS_PLAYED)
    return g_strdup (_ ("Playback"));
  if (kind == VG_LIVENESS_LOST)
    return isfinite (self->silent_s) ? g_strdup_printf (_ ("No signal, %.0f s"), self->silent_s)
                                     : g_strdup (_ ("No signal"));
  if (self->kept)
    return g_strdup (_ ("Kept result"));
  if (isfinite (self->ago_s))
    return g_strdup_printf (self->ago_s < 10 ? _ ("%.1f s ago") : _ ("%.0f s ago"),
                            MAX (self->ago_s, 0));
  if (self->ended)
    return g_strdup (_ ("Ended"));
  if (!self->running)
    return g_strdup (_ ("Paused"));
  if (!isfinite (self->silent_s))
    return g_strdup (_ ("No frame yet"));
  if (!is_within (self, self->silent_s))
    return g_strdup_printf (_ ("Last frame %.0f s ago"), self->silent_s);
  return isfinite (self->late_s) ? g_strdup_printf (_ ("%.0f s late"), self->late_s)
                                 : g_strdup (_ ("No map yet"));
}
