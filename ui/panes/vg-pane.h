/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* One pane of VgPanes.  It lies on an empty place in a GtkPaned, whose handle is its edge.  It is
 * no child of the GtkPaned, so that it can be elsewhere without another parent, which screen
 * readers lose. */
G_BEGIN_DECLS

typedef struct
{
  GtkWidget *paned, *place, *child;
  /* a double click on the handle */
  void (*toggle) (gpointer owner);
  gpointer owner;
  int least[2];           /* of the child across and down, as long as it is shown */
  int room, target, set;  /* in a room of this size this was asked for, and got; room 0: nothing */
  gboolean moving, moved; /* the user drags the handle, or moved it since it was laid out */
} VgPane;

/* Makes the GtkPaned and the place. */
void vg_pane_init (VgPane *self, const char *name, void (*toggle) (gpointer owner), gpointer owner);
GtkOrientation vg_pane_get_orientation (const VgPane *self);
/* The child's minimum, also while it is hidden. */
int vg_pane_get_least (VgPane *self, GtkOrientation orientation);
/* The size of the handle along the GtkPaned, whose start child is START. */
int vg_pane_get_handle (const VgPane *self, GtkWidget *start);
/* TRUE: WANTED is the size that the user gave, and for a pane that is not SHOWN drew out. */
gboolean vg_pane_note_size (VgPane *self, gboolean shown, int *wanted);
/* All, the widget that holds the GtkPaned, has been laid out in ALLOCATION, and is laid out anew
 * with a place of TARGET px. */
void vg_pane_set_size (VgPane *self, int target, GtkWidget *all, const GtkAllocation *allocation);
/* Lays the child on its place, from whose end it extends if it needs more; PARENT is its parent. */
void vg_pane_allocate (VgPane *self, GtkWidget *parent);

G_END_DECLS
