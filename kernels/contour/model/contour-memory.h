/* SPDX-License-Identifier: MIT */
#pragma once
#include "kernels/base/vg-error.h"
#include <glib.h>
/* Memory that goes with the image's size and may not be there: it is asked for, never taken for
 * granted. */
G_BEGIN_DECLS

/* FALSE, with the error for an image of WIDTH x HEIGHT. */
static inline gboolean
vg_contour_no_memory (int width, int height, GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
               "there is not enough memory for %d x %d pixels; choose a smaller region", width,
               height);
  return FALSE;
}

/* Items of SIZE bytes, of which no one knows beforehand how many there will be. */
typedef struct
{
  gpointer items;
  gsize size, n, room;
} VgContourList;

/* Room for one item more, which is to be filled in; NULL: no memory, and the list is as it was. */
static inline gpointer
vg_contour_list_add (VgContourList *self)
{
  if (self->n == self->room)
    {
      gsize room = self->room > 0 ? 2 * self->room : 64;
      gpointer items = g_try_realloc_n (self->items, room, self->size);

      if (items == NULL)
        return NULL;
      self->items = items;
      self->room = room;
    }
  return (char *) self->items + self->n++ * self->size;
}

static inline void
vg_contour_list_clear (VgContourList *self)
{
  g_clear_pointer (&self->items, g_free);
  self->n = self->room = 0;
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (VgContourList, vg_contour_list_clear)

G_END_DECLS
