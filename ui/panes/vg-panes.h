/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "ui/common/vg-settings.h"
/* The places of picture, plots and side pane in the window.  Plots are at the right of the picture
 * or below it, whichever leaves the picture larger, unless the user chose.  In a narrow window the
 * side pane is hidden, and lies over the picture when it is asked for; so it is where the picture
 * is alone.  A double click on the edge
 * of a pane hides it, and shows it again.  Sizes that the user gave the panes are remembered, for
 * plots at the right and below apart. */
G_BEGIN_DECLS

#define VG_TYPE_PANES (vg_panes_get_type ())
G_DECLARE_FINAL_TYPE (VgPanes, vg_panes, VG, PANES, GtkWidget)
/* signal "changed"   the side pane or the plots were shown, hidden or moved */

typedef enum {
  VG_PANES_ALL,     /* those that are not hidden */
  VG_PANES_PICTURE, /* the picture alone, without forgetting what was shown beside it */
} VgPanesMode;

/* Where the plots are, as the user chose and as settings and menus name it. */
typedef enum {
  VG_PLOTS_AUTOMATIC,
  VG_PLOTS_RIGHT,
  VG_PLOTS_BELOW,
  VG_PLOTS_HIDDEN,
} VgPlotsPlace;

/* What the picture needs: an image WIDTH / HEIGHT = ASPECT, and room around it. */
typedef struct
{
  double aspect;            /* 0: not known yet, taken for square */
  int beside_px, around_px; /* for colour bar, axes and margins: across and down */
} VgPanesShape;

GtkWidget *vg_panes_new (void);
/* The widgets are taken; each once. */
void vg_panes_set_picture (VgPanes *self, GtkWidget *picture);
void vg_panes_set_plots (VgPanes *self, GtkWidget *plots);
void vg_panes_set_side (VgPanes *self, GtkWidget *side);
/* What was remembered, and remembering it. */
void vg_panes_restore (VgPanes *self, VgSettings *settings);
void vg_panes_remember (VgPanes *self, VgSettings *settings);
void vg_panes_set_shape (VgPanes *self, const VgPanesShape *shape);
/* Something that is shown for a while takes PX at the right of the panes; this does not make the
 * window a narrow one. */
void vg_panes_set_beside (VgPanes *self, int px);
/* There is nothing to plot: the plots are hidden, whatever was chosen. */
void vg_panes_set_idle (VgPanes *self, gboolean idle);
void vg_panes_set_mode (VgPanes *self, VgPanesMode mode);
/* "automatic", "right", "below" or "hidden". */
void vg_panes_choose_plots (VgPanes *self, const char *place);
const char *vg_panes_get_choice (VgPanes *self);
/* Hides the plots, or shows them where they were. */
void vg_panes_switch_plots (VgPanes *self);
/* Where they are now: never VG_PLOTS_AUTOMATIC. */
VgPlotsPlace vg_panes_get_place (VgPanes *self);
void vg_panes_show_side (VgPanes *self, gboolean shown);
gboolean vg_panes_is_side_shown (VgPanes *self);
gboolean vg_panes_is_narrow (VgPanes *self);

G_END_DECLS
