/* SPDX-License-Identifier: MIT */
#include "ui/transport/vg-past-bar.h"
#include <math.h>
#include "ui/bars/vg-mark-ticks.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

enum { LEAST_PX = 80, HELD_US = 400000 };

#define SHORTEST_S 0.5 /* of a time line that is worth to be shown */

struct _VgPastBar
{
  VgBin parent_instance;
  GtkWidget *box, *line, *live;
  VgPast past;
  double shown_s;
  gboolean syncing;
  gint64 moved_us; /* when the user moved the handle last: it is left to the user for a while */
};

G_DEFINE_FINAL_TYPE (VgPastBar, vg_past_bar, VG_TYPE_BIN)

static void
choose (VgPastBar *self, double time_s)
{
  self->moved_us = g_get_monotonic_time ();
  self->shown_s = CLAMP (time_s, self->past.oldest_s, self->past.newest_s);
  g_signal_emit_by_name (self, "look-back", self->shown_s);
}

static void
on_moved (VgPastBar *self)
{
  if (!self->syncing)
    choose (self, gtk_range_get_value (GTK_RANGE (self->line)));
}

static void
set_line (VgPastBar *self, double time_s)
{
  self->syncing = TRUE;
  gtk_range_set_range (GTK_RANGE (self->line), self->past.oldest_s, self->past.newest_s);
  gtk_range_set_value (GTK_RANGE (self->line), time_s);
  self->syncing = FALSE;
}

static void
on_live (VgPastBar *self)
{
  self->moved_us = 0;
  g_signal_emit_by_name (self, "live");
}

void
vg_past_bar_step (VgPastBar *self, int n)
{
  double interval_s = (self->past.newest_s - self->past.oldest_s) / MAX (self->past.frames - 1, 1);

  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  choose (self, (self->past.shown ? self->shown_s : self->past.newest_s) + n * interval_s);
  set_line (self, self->shown_s);
}

double
vg_past_bar_update (VgPastBar *self, const VgPast *past, double shown_s, const GArray *marks)
{
  gboolean known = past != NULL && past->newest_s - past->oldest_s >= SHORTEST_S;
  gboolean held = g_get_monotonic_time () - self->moved_us < HELD_US;

  gtk_widget_set_visible (GTK_WIDGET (self), known);
  if (!known)
    return NAN;
  self->past = *past;
  if (!held && isfinite (shown_s))
    self->shown_s = shown_s;
  if (!held)
    set_line (self, past->shown ? self->shown_s : past->newest_s);
  vg_mark_ticks_set (self->line, marks);
  gtk_widget_set_sensitive (self->live, past->shown);
  return past->shown ? past->newest_s - self->shown_s : NAN;
}

static void
vg_past_bar_class_init (VgPastBarClass *class)
{
  vg_signal_new (G_TYPE_FROM_CLASS (class), "look-back", 1, G_TYPE_DOUBLE);
  vg_signal_new (G_TYPE_FROM_CLASS (class), "live", 0);
}

static void
vg_past_bar_init (VgPastBar *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->line = gtk_scale_new_with_range (GTK_ORIENTATION_HORIZONTAL, 0, 1, 0.1);
  gtk_scale_set_draw_value (GTK_SCALE (self->line), FALSE);
  gtk_widget_set_hexpand (self->line, TRUE);
  gtk_widget_set_size_request (self->line, LEAST_PX, -1);
  vg_widget_describe (self->line, _ ("Look back"),
                      _ ("Drag to see earlier moments; frames are still received"));
  self->live = gtk_button_new_with_label (_ ("Live"));
  vg_widget_describe (self->live, _ ("Go to Live"), _ ("Show the newest frames again"));
  gtk_box_append (GTK_BOX (self->box), self->line);
  gtk_box_append (GTK_BOX (self->box), self->live);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  vg_connect (self->line, "value-changed", on_moved, self);
  vg_connect (self->live, "clicked", on_live, self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_past_bar_new (void)
{
  return g_object_new (VG_TYPE_PAST_BAR, NULL);
}
