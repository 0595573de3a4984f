/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-held-limits.h"
#include "app/compute/vg-steady-limits.h"

typedef struct
{
  const VgOutput *output;
  double low, high;
} Held;

struct _VgHeldLimits
{
  GArray *items; /* of Held */
};

VgHeldLimits *
vg_held_limits_new (void)
{
  VgHeldLimits *self = g_new (VgHeldLimits, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (Held));
  return self;
}

void
vg_held_limits_free (VgHeldLimits *self)
{
  g_array_unref (self->items);
  g_free (self);
}

/* NULL: the limits of OUTPUT were not fixed. */
static Held *
find (VgHeldLimits *self, const VgOutput *output)
{
  for (guint i = 0; i < self->items->len; i++)
    if (g_array_index (self->items, Held, i).output == output)
      return &g_array_index (self->items, Held, i);
  return NULL;
}

void
vg_held_limits_take (VgHeldLimits *self, VgSession *session, VgImageView *image,
                     const VgResult *result, gboolean anew)
{
  const VgView *view = vg_session_get_view (session);
  const VgDisplay *display = vg_session_get_display (session);
  const VgOutput *output = &vg_session_get_operation (session)->outputs[view->output];
  Held *held = find (self, output), now = { .output = output };

  if (image == NULL || result == NULL || result->plane.data == NULL ||
      output != &result->operation->outputs[result->output] || result->compare != VG_COMPARE_OFF ||
      view->compare != VG_COMPARE_OFF || !display->auto_limits || output->kind != VG_OUTPUT_MAP ||
      (held != NULL && !anew))
    return;
  vg_image_view_fix_limits (image, TRUE);
  vg_session_commit_waiting (session);
  if (held == NULL)
    {
      g_array_append_val (self->items, now);
      held = find (self, output);
    }
  held->low = display->low;
  held->high = display->high;
}

static void
release (VgSession *session, const Held *held, int i)
{
  VgDisplay display = *vg_session_get_display_of (session, i);

  if (display.auto_limits || display.low != held->low || display.high != held->high)
    return;
  display.auto_limits = TRUE;
  vg_session_set_display_of (session, i, &display);
  vg_session_commit_later (session, "Limits");
}

void
vg_held_limits_release (VgHeldLimits *self, VgSession *session)
{
  const VgOperation *operation = vg_session_get_operation (session);

  vg_steady_limits_reset (vg_steady_limits_of (session));
  for (guint i = 0; i < operation->n_outputs; i++)
    {
      Held *held = find (self, &operation->outputs[i]);

      if (held == NULL)
        continue;
      release (session, held, (int) i);
      g_array_remove_index_fast (self->items, (guint) (held - (Held *) (void *) self->items->data));
    }
}
