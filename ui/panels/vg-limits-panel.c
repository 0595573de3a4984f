/* SPDX-License-Identifier: MIT */
/* The histogram's handles and the entries are two ways to the same limits, and
 * touching either ends the automatic ones. */
#include "ui/panels/vg-limits-panel.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "app/session/vg-display.h"
#include "ui/panels/vg-histogram.h"
#include "app/compute/vg-steady-limits.h"
#include "ui/common/vg-widgets.h"

struct _VgLimitsPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *box, *histogram, *automatic, *low, *high, *clip_box, *clip_low, *clip_high;
  VgResult *result; /* the newest; NULL: none yet */
  gboolean syncing;
};

G_DEFINE_FINAL_TYPE (VgLimitsPanel, vg_limits_panel, VG_TYPE_BIN)

static gboolean
get_coloring (VgLimitsPanel *self, VgColoring *coloring)
{
  const VgView *view = vg_session_get_view (self->session);

  if (self->result == NULL || self->result->output != view->output ||
      (int) self->result->compare != view->compare)
    return FALSE;
  vg_steady_limits_get_coloring (
      vg_steady_limits_of (self->session), vg_session_get_display (self->session),
      vg_session_get_output (self->session), view->compare, &self->result->statistics, coloring);
  return TRUE;
}

/* Four digits: limits that follow live data would flicker with more. */
static double
rounded (double value)
{
  double unit = value == 0 || !isfinite (value) ? 1 : pow (10, floor (log10 (fabs (value))) - 3);

  return round (value / unit) * unit;
}

/* The limits as the colours use them, also while they are automatic. */
static void
show_limits (VgLimitsPanel *self)
{
  VgColoring coloring;
  gboolean was_syncing = self->syncing;

  if (!get_coloring (self, &coloring))
    return;
  vg_histogram_set (VG_HISTOGRAM (self->histogram), &self->result->statistics, &coloring);
  self->syncing = TRUE;
  if (!gtk_widget_has_focus (gtk_widget_get_first_child (self->low)))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->low),
                               rounded (MIN (coloring.low, coloring.high)));
  if (!gtk_widget_has_focus (gtk_widget_get_first_child (self->high)))
    gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->high),
                               rounded (MAX (coloring.low, coloring.high)));
  self->syncing = was_syncing;
}

static void
follow (VgLimitsPanel *self)
{
  const VgDisplay *display = vg_session_get_display (self->session);

  /* they have no choice of limits */
  gtk_widget_set_visible (GTK_WIDGET (self),
                          vg_session_get_output (self->session)->kind != VG_OUTPUT_LABELS);
  self->syncing = TRUE;
  gtk_switch_set_active (GTK_SWITCH (self->automatic), display->auto_limits);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->clip_low), display->auto_low_percent);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->clip_high), display->auto_high_percent);
  gtk_widget_set_visible (self->clip_box, display->auto_limits);
  self->syncing = FALSE;
  show_limits (self);
}

static void
on_handles (VgHistogram *histogram, double low, double high, VgLimitsPanel *self)
{
  vg_steady_limits_fix (self->session, low, high);
  /* the number that has the keyboard too: nobody types while a handle is dragged */
  self->syncing = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->low), rounded (MIN (low, high)));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->high), rounded (MAX (low, high)));
  self->syncing = FALSE;
}

static void
on_limits_done (VgLimitsPanel *self)
{
  vg_session_commit_waiting (self->session);
}

static void
on_limits_auto (VgLimitsPanel *self)
{
  vg_steady_limits_release (self->session);
}

static void
on_limits (VgLimitsPanel *self)
{
  double low = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->low)),
         high = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->high));

  if (!self->syncing)
    vg_steady_limits_fix (self->session, MIN (low, high), MAX (low, high));
}

/* Automatic off keeps the limits that are seen. */
static void
on_automatic (VgLimitsPanel *self)
{
  VgColoring coloring;

  if (self->syncing)
    return;
  if (gtk_switch_get_active (GTK_SWITCH (self->automatic)))
    vg_steady_limits_release (self->session);
  else if (get_coloring (self, &coloring))
    vg_steady_limits_fix (self->session, MIN (coloring.low, coloring.high),
                          MAX (coloring.low, coloring.high));
  else
    follow (self);
}

static void
on_clip (VgLimitsPanel *self)
{
  VgDisplay display = *vg_session_get_display (self->session);

  if (self->syncing)
    return;
  display.auto_low_percent = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->clip_low));
  display.auto_high_percent = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->clip_high));
  vg_session_set_display (self->session, &display);
  vg_session_commit_later (self->session, _ ("Limits"));
}

static void
on_changed (VgLimitsPanel *self, guint flags)
{
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_VIEW))
    follow (self);
}

void
vg_limits_panel_set_result (VgLimitsPanel *self, VgResult *result)
{
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  if (result != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    show_limits (self);
}

/* Results that came while another tab was open are shown now. */
static void
vg_limits_panel_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (vg_limits_panel_parent_class)->map (widget);
  show_limits (VG_LIMITS_PANEL (widget));
}

/* ---- layout ---- */

static GtkWidget *
number (VgLimitsPanel *self, double min, double max, double step, GCallback callback)
{
  GtkWidget *entry = vg_number_entry_new (min, max, step, FALSE);

  g_signal_connect_swapped (entry, "value-changed", callback, self);
  return entry;
}

static void
build (VgLimitsPanel *self)
{
  GtkWidget *group = self->box;

  self->histogram = vg_histogram_new ();
  g_signal_connect (self->histogram, "limits-changed", G_CALLBACK (on_handles), self);
  g_signal_connect_swapped (self->histogram, "limits-done", G_CALLBACK (on_limits_done), self);
  g_signal_connect_swapped (self->histogram, "limits-auto", G_CALLBACK (on_limits_auto), self);
  gtk_box_append (GTK_BOX (group), self->histogram);
  self->low = number (self, -1e30, 1e30, 0.01, G_CALLBACK (on_limits));
  self->high = number (self, -1e30, 1e30, 0.01, G_CALLBACK (on_limits));
  self->automatic = vg_switch_new (G_CALLBACK (on_automatic), self);
  self->clip_low = number (self, 0, 50, 0.1, G_CALLBACK (on_clip));
  self->clip_high = number (self, 50, 100, 0.1, G_CALLBACK (on_clip));
  vg_box_add_line (group, "Mi_nimum", self->low, _ ("Lower limit"),
                   _ ("Value of the first colour"));
  vg_box_add_line (group, "Ma_ximum", self->high, _ ("Upper limit"),
                   _ ("Value of the last colour"));
  vg_box_add_line (group, _ ("Auto"), self->automatic, _ ("Automatic limits"),
                   _ ("Limits follow the data"));
  self->clip_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);
  vg_box_add_line (self->clip_box, _ ("From percentile"), self->clip_low, _ ("Lower percentile, %"),
                   _ ("Percentage of values below the minimum"));
  vg_box_add_line (self->clip_box, _ ("To percentile"), self->clip_high, _ ("Upper percentile, %"),
                   _ ("Percentage of values below the maximum"));
  gtk_box_append (GTK_BOX (group), self->clip_box);
}

static void
vg_limits_panel_finalize (GObject *object)
{
  VgLimitsPanel *self = VG_LIMITS_PANEL (object);

  g_clear_pointer (&self->result, vg_result_unref);
  G_OBJECT_CLASS (vg_limits_panel_parent_class)->finalize (object);
}

static void
vg_limits_panel_class_init (VgLimitsPanelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_limits_panel_finalize;
  GTK_WIDGET_CLASS (class)->map = vg_limits_panel_map;
}

static void
vg_limits_panel_init (VgLimitsPanel *self)
{
  self->syncing = TRUE;
  self->box = vg_group_new (NULL, _ ("Limits"));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  build (self);
}

GtkWidget *
vg_limits_panel_new (VgSession *session)
{
  VgLimitsPanel *self = g_object_new (VG_TYPE_LIMITS_PANEL, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  return GTK_WIDGET (self);
}
