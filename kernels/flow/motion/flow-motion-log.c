/* SPDX-License-Identifier: MIT */
#include "kernels/flow/motion/flow-motion-log.h"
#include <glib/gi18n.h>

#define DEGREES(angle) ((double) (angle) *180.0 / G_PI)

void
vg_flow_motion_log_init (VgFlowMotionLog *self, VgFlowShift *shifts)
{
  self->shifts = shifts;
  self->stamps = g_new0 (VgFlowMotionStamp, VG_FLOW_MOTION_KEPT);
  self->count = 0;
}

void
vg_flow_motion_log_clear (VgFlowMotionLog *self)
{
  g_clear_pointer (&self->stamps, g_free);
}

VgFlowShift *
vg_flow_motion_log_add (VgFlowMotionLog *self, const VgFrame *frame)
{
  gsize at = (gsize) (self->count++ % VG_FLOW_MOTION_KEPT);

  self->stamps[at] = (VgFlowMotionStamp){ frame->index, frame->time_s };
  return &self->shifts[at];
}

static int
count_kept (const VgFlowMotionLog *self)
{
  return self == NULL ? 0 : (int) MIN (self->count, VG_FLOW_MOTION_KEPT);
}

/* Index of entry I, 0 the oldest that is kept. */
static gsize
find_entry (const VgFlowMotionLog *self, int i)
{
  return (gsize) ((self->count - (guint64) count_kept (self) + (guint64) i) % VG_FLOW_MOTION_KEPT);
}

VgCurves *
vg_flow_motion_log_plot (const VgFlowMotionLog *self, gboolean rotation)
{
  int n = count_kept (self);
  VgCurves *curves = vg_curves_new (N_ ("Motion"), N_ ("Frame"), "",
                                    rotation ? N_ ("Displacement (px), rotation (\302\260)")
                                             : N_ ("Displacement"),
                                    rotation ? "" : "px");
  VgSeries *x = vg_curves_add (curves, N_ ("Along x"), VG_SERIES_LINE, n),
           *y = vg_curves_add (curves, N_ ("Along y"), VG_SERIES_LINE, n),
           *turn = rotation ? vg_curves_add (curves, N_ ("Rotation"), VG_SERIES_LINE, n) : NULL;

  for (int i = 0; i < n; i++)
    {
      gsize at = find_entry (self, i);
      const VgFlowShift *shift = &self->shifts[at];

      x->x[i] = y->x[i] = (double) self->stamps[at].frame + 1.0;
      x->y[i] = (double) shift->dx;
      y->y[i] = (double) shift->dy;
      if (turn != NULL)
        {
          turn->x[i] = x->x[i];
          turn->y[i] = DEGREES (shift->angle);
        }
    }
  return curves;
}

static void
append_number (GString *text, double value, int decimals)
{
  char format[8], number[64];

  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_string_append_c (text, ',');
  g_string_append (text, g_ascii_formatd (number, sizeof number, format, value));
}

char *
vg_flow_motion_log_text (const VgFlowMotionLog *self)
{
  GString *text = g_string_new ("frame,time_s,x_px,y_px,rotation_deg,found\n");

  for (int i = 0; i < count_kept (self); i++)
    {
      gsize at = find_entry (self, i);
      const VgFlowShift *shift = &self->shifts[at];

      g_string_append_printf (text, "%" G_GINT64_FORMAT, self->stamps[at].frame + 1);
      append_number (text, self->stamps[at].time_s, 6);
      append_number (text, (double) shift->dx, 4);
      append_number (text, (double) shift->dy, 4);
      append_number (text, DEGREES (shift->angle), 5);
      g_string_append_printf (text, ",%d\n", shift->quality >= VG_FLOW_MOTION_SURE);
    }
  return g_string_free (text, FALSE);
}

void
vg_flow_motion_log_metrics (const VgFlowMotionLog *self, VgMetrics *metrics)
{
  const VgFlowShift *last;
  int n = count_kept (self), lost = 0;
  double most = 0.0, share;

  if (n == 0)
    return;
  for (int i = 0; i < n; i++)
    {
      const VgFlowShift *shift = &self->shifts[find_entry (self, i)];

      most = MAX (most, hypot ((double) shift->dx, (double) shift->dy));
      lost += !(shift->quality >= VG_FLOW_MOTION_SURE);
    }
  last = &self->shifts[find_entry (self, n - 1)];
  share = 100.0 * lost / n;
  vg_metrics_add (metrics, "motion_x_px", "Displacement along x", "px", (double) last->dx, NULL);
  vg_metrics_add (metrics, "motion_y_px", "Displacement along y", "px", (double) last->dy, NULL);
  vg_metrics_add_quiet (metrics, "motion_rotation_deg", "Rotation", "\302\260",
                        DEGREES (last->angle), NULL);
  vg_metrics_add (metrics, "motion_most_px", "Largest displacement", "px", most, NULL);
  vg_metrics_add (metrics, "motion_lost_percent", "Frames without a match", "%", share,
                  share > 10.0 ? "Many frames have no structure in common with the reference "
                                 "frame, so they were left where the frame before was. Turn off "
                                 "the motion correction, or record with more light."
                               : NULL);
}
