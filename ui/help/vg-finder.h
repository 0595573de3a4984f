/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
/* A popover that finds an action of the window by some words of its name: commands, settings, maps,
 * plots, views, files.  Enter does what is selected. */
G_BEGIN_DECLS

#define VG_TYPE_FINDER (vg_finder_get_type ())
G_DECLARE_FINAL_TYPE (VgFinder, vg_finder, VG, FINDER, GtkPopover)
/* signal "fill"   the finder is about to be shown and has been emptied: add what can be found */

typedef struct
{
  const char *title;  /* "Exposure time" */
  const char *kind;   /* "Setting, Flow" */
  const char *more;   /* other words that find it, or NULL */
  const char *keys;   /* "Ctrl+O", or NULL */
  const char *action; /* detailed name of an action of the window */
  gboolean here;      /* it belongs to the view that is shown */
} VgFinderItem;

GtkWidget *vg_finder_new (void);
/* ITEM is copied.  Without words the list has the order in which items were added; with words equal
 * ones have. */
void vg_finder_add (VgFinder *self, const VgFinderItem *item);
/* How many items the list shows: those that answer best. */
guint vg_finder_count (VgFinder *self);
/* Empties and fills it, and lists what answers TEXT. */
void vg_finder_search (VgFinder *self, const char *text);

G_END_DECLS
