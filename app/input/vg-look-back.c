/* SPDX-License-Identifier: MIT */
/* A ring of references that never grows beyond its first size. */
#include "app/input/vg-look-back.h"

enum {
  MOST_FRAMES = 1 << 18,
  CHECK_EVERY = 16,          /* frames between two looks at the free memory */
  RESERVE_BYTES = 256 << 20, /* that are left to others */
  SHRINK_FRAMES = 2,         /* freed for each that comes, while memory is short */
};

struct _VgLookBack
{
  VgFrame **ring;
  guint most, first, n;
  double seconds;
  gsize frame_bytes;
  gsize (*available) (void);
  guint until_check;
  gboolean short_of_memory;
};

VgLookBack *
vg_look_back_new (gsize frame_bytes, double seconds, gsize most_bytes, gsize (*available) (void))
{
  VgLookBack *self = g_new0 (VgLookBack, 1);

  self->most = (guint) CLAMP (most_bytes / MAX (frame_bytes, 1), 1, MOST_FRAMES);
  self->ring = g_new0 (VgFrame *, self->most);
  self->seconds = seconds;
  self->frame_bytes = frame_bytes;
  self->available = available;
  return self;
}

void
vg_look_back_free (VgLookBack *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    vg_frame_unref (vg_look_back_get (self, i));
  g_free (self->ring);
  g_free (self);
}

guint
vg_look_back_get_most (const VgLookBack *self)
{
  return self->most;
}

guint
vg_look_back_get_n (const VgLookBack *self)
{
  return self->n;
}

VgFrame *
vg_look_back_get (const VgLookBack *self, guint i)
{
  return self->ring[(self->first + i) % self->most];
}

static VgFrame **
place_of (VgLookBack *self, guint i)
{
  return &self->ring[(self->first + i) % self->most];
}

/* Drops frame I; those before it move up. */
static void
drop (VgLookBack *self, guint i)
{
  VgFrame *frame = *place_of (self, i);

  for (; i > 0; i--)
    *place_of (self, i) = *place_of (self, i - 1);
  *place_of (self, 0) = NULL;
  self->first = (self->first + 1) % self->most;
  self->n--;
  vg_frame_unref (frame);
}

gboolean
vg_look_back_free_oldest (VgLookBack *self)
{
  for (guint i = 0; i + 1 < self->n; i++)
    if (g_atomic_ref_count_compare (&vg_look_back_get (self, i)->ref_count, 1))
      {
        drop (self, i);
        return TRUE;
      }
  return FALSE;
}

static void
check_memory (VgLookBack *self)
{
  if (self->until_check-- > 0)
    return;
  self->until_check = CHECK_EVERY;
  self->short_of_memory = self->available () < RESERVE_BYTES + CHECK_EVERY * self->frame_bytes;
}

void
vg_look_back_add (VgLookBack *self, VgFrame *frame)
{
  check_memory (self);
  for (int i = 0; self->short_of_memory && i < SHRINK_FRAMES; i++)
    vg_look_back_free_oldest (self);
  while (self->n > 0 && (self->n == self->most ||
                         frame->time_s - vg_look_back_get (self, 0)->time_s > self->seconds))
    drop (self, 0);
  *place_of (self, self->n) = vg_frame_ref (frame);
  self->n++;
}

void
vg_look_back_record (const VgLookBack *self, guint first, guint n, VgRecorder *recorder)
{
  for (guint i = first; i < first + n; i++)
    {
      VgFrame *frame = vg_look_back_get (self, i);
      const guint64 last = i > first ? vg_look_back_get (self, i - 1)->id : frame->id;

      vg_recorder_push_past (recorder, frame);
      if (frame->id > last + 1)
        vg_recorder_add_missed (recorder, frame->id - last - 1);
    }
}

guint
vg_look_back_find (const VgLookBack *self, double time_s)
{
  guint low = 0, high = self->n - 1;

  while (low < high) /* the first frame that is not before TIME_S, else the last */
    {
      guint middle = low + (high - low) / 2;

      if (vg_look_back_get (self, middle)->time_s < time_s)
        low = middle + 1;
      else
        high = middle;
    }
  if (low > 0 && time_s - vg_look_back_get (self, low - 1)->time_s <
                     vg_look_back_get (self, low)->time_s - time_s)
    low--;
  return low;
}
