/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-level-drag.h"
#include <math.h>
#include "app/session/vg-display.h"
#include "ui/words/vg-translation.h"

/* Pixels across which the width grows by that of the automatic limits. */
static const double reach_px = 300, least_width = 1e-3;

typedef struct
{
  VgSession *session;
  const VgUnderlay *(*get) (gpointer owner);
  gpointer owner;
  double level, width, unit; /* where the drag began, and the change of a pixel; unit 0: nothing */
} Drag;

gboolean
vg_level_get (VgSession *session, const VgUnderlay *underlay, double *level, double *width)
{
  double limits[2];

  if (underlay == NULL || underlay->grey == NULL)
    return FALSE;
  if (!vg_display_get_window (vg_session_get_display (session), limits))
    {
      limits[0] = underlay->automatic[0];
      limits[1] = underlay->automatic[1];
    }
  *level = 0.5 * (limits[0] + limits[1]);
  *width = limits[1] - limits[0];
  return TRUE;
}

void
vg_level_set (VgSession *session, double level, double width)
{
  VgDisplay display = *vg_session_get_display (session);

  display.level = width > 0 ? level : 0;
  display.width = width > 0 ? width : 0;
  vg_session_set_display (session, &display);
}

/* To a hundredth of the change of a pixel, so that numbers stay short. */
static double
rounded (double value, double unit)
{
  double step = pow (10, floor (log10 (unit)) - 1);

  return round (value / step) * step;
}

static void
on_begin (GtkGestureDrag *gesture, double x, double y, Drag *drag)
{
  const VgUnderlay *underlay = drag->get (drag->owner);

  drag->unit = 0;
  if (vg_level_get (drag->session, underlay, &drag->level, &drag->width))
    {
      drag->unit = (underlay->automatic[1] - underlay->automatic[0]) / reach_px;
      vg_session_commit_waiting (drag->session);
    }
  if (!(drag->unit > 0))
    gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
}

static void
on_update (GtkGestureDrag *gesture, double dx, double dy, Drag *drag)
{
  double width = rounded (drag->width + dx * drag->unit, drag->unit);

  if (!(drag->unit > 0))
    return;
  vg_level_set (drag->session, rounded (drag->level - dy * drag->unit, drag->unit),
                MAX (width, least_width * reach_px * drag->unit));
}

static void
on_end (GtkGestureDrag *gesture, double dx, double dy, Drag *drag)
{
  if (drag->unit > 0)
    vg_session_commit (drag->session, N_ ("Window level and width"));
  drag->unit = 0;
}

static void
drag_free (gpointer data)
{
  g_object_unref (((Drag *) data)->session);
  g_free (data);
}

void
vg_level_add_drag (GtkWidget *widget, VgSession *session, const VgUnderlay *(*get) (gpointer owner),
                   gpointer owner)
{
  GtkGesture *gesture = gtk_gesture_drag_new ();
  Drag *drag = g_new0 (Drag, 1);

  *drag = (Drag){ .session = g_object_ref (session), .get = get, .owner = owner };
  g_object_set_data_full (G_OBJECT (gesture), "vg-level-drag", drag, drag_free);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), GDK_BUTTON_SECONDARY);
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (on_begin), drag);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (on_update), drag);
  g_signal_connect (gesture, "drag-end", G_CALLBACK (on_end), drag);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
}
