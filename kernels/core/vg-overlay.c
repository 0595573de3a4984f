/* SPDX-License-Identifier: MIT */
#include "kernels/core/vg-overlay.h"

static void
item_clear (gpointer data)
{
  g_free (((VgOverlayItem *) data)->label);
}

VgOverlay *
vg_overlay_new (void)
{
  VgOverlay *self = g_new0 (VgOverlay, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (VgOverlayItem));
  g_array_set_clear_func (self->items, item_clear);
  return self;
}

VgOverlay *
vg_overlay_copy (const VgOverlay *self)
{
  VgOverlay *copy;

  if (self == NULL)
    return NULL;
  copy = g_new0 (VgOverlay, 1);
  *copy = *self;
  g_array_ref (copy->items);
  return copy;
}

void
vg_overlay_free (VgOverlay *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self);
}

void
vg_overlay_line (VgOverlay *self, double x0, double y0, double x1, double y1, const char *label)
{
  VgOverlayItem item = {
    VG_OVERLAY_LINE, { x0, x1 }, { y0, y1 }, 1, g_strdup (label), self->accent
  };

  g_array_append_val (self->items, item);
}

void
vg_overlay_arrow (VgOverlay *self, double x, double y, double size, const char *label)
{
  VgOverlayItem item = {
    VG_OVERLAY_ARROW, { x, x }, { y, y }, size, g_strdup (label), self->accent
  };

  g_array_append_val (self->items, item);
}

void
vg_overlay_point (VgOverlay *self, double x, double y, const char *label)
{
  VgOverlayItem item = { VG_OVERLAY_POINT, { x, x }, { y, y }, 1, g_strdup (label), self->accent };

  g_array_append_val (self->items, item);
}

gboolean
vg_overlay_equal (const VgOverlay *a, const VgOverlay *b)
{
  if (a == NULL || b == NULL)
    return a == b;
  if (a->items->len != b->items->len || a->fit[0] != b->fit[0] || a->fit[1] != b->fit[1])
    return FALSE;
  for (guint i = 0; i < a->items->len; i++)
    {
      const VgOverlayItem *p = &g_array_index (a->items, VgOverlayItem, i),
                          *q = &g_array_index (b->items, VgOverlayItem, i);

      if (p->kind != q->kind || p->x[0] != q->x[0] || p->x[1] != q->x[1] || p->y[0] != q->y[0] ||
          p->y[1] != q->y[1] || p->size != q->size || p->accent != q->accent ||
          g_strcmp0 (p->label, q->label) != 0)
        return FALSE;
    }
  return TRUE;
}
