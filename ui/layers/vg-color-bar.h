/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "kernels/shared/vg-colormap.h"
/* The colours between the limits, upright, with values at round numbers and their unit, or the
 * legend of categories.  The limits are dragged at the bar's ends, typed at their numbers, and
 * fixed or freed with the lock below. */
G_BEGIN_DECLS

#define VG_TYPE_COLOR_BAR (vg_color_bar_get_type ())
G_DECLARE_FINAL_TYPE (VgColorBar, vg_color_bar, VG, COLOR_BAR, GtkWidget)
/* signals:
 *   "limits-changed" (double low, double high)   while an end is dragged, or a number was typed
 *   "limits-done" ()                             the end was let go
 *   "limits-fixed" (gboolean fixed)              the lock was clicked
 */

enum { VG_COLOR_BAR_LABELS = 15 };

typedef struct
{
  VgColoring coloring; /* colormap NULL: nothing to show */
  gboolean fixed;      /* the limits do not follow the data */
  /* the categories 1 to LABELS are shown; 0: all values between the limits */
  int labels;
  const char *const *names;               /* of the categories from 0 on, for good, or NULL */
  double shares[VG_COLOR_BAR_LABELS + 1]; /* of the pixels, 0 to 1, from category 0 on */
  const char *unit;                       /* may be "" */
  const char *dimmed_by;                  /* what the picture is dimmed by, or NULL */
  double opacity; /* of the map over a picture; below 1 the bar lies over black to white likewise */
} VgColorBarContent;

GtkWidget *vg_color_bar_new (void);
void vg_color_bar_set (VgColorBar *self, const VgColorBarContent *content);
/* Without its controls, for a saved picture. */
void vg_color_bar_set_plain (VgColorBar *self, gboolean plain);

G_END_DECLS
