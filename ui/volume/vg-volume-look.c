/* SPDX-License-Identifier: MIT */
#include "ui/volume/vg-volume-look.h"
#include <string.h>
#include "app/compute/vg-steady-limits.h"
#include "app/session/vg-display.h"

void
vg_volume_look_take_colors (VgVolumeLook *self, VgSession *session, const VgResult *result)
{
  VgScene *scene = &self->scene;
  const VgView *view = vg_session_get_view (session);
  const VgDisplay *display = vg_session_get_display (session);
  const VgOutput *output = vg_session_get_output (session);

  scene->underlay = display->underlay;
  scene->opacity = display->opacity;
  if (result->underlay != NULL && !vg_display_get_window (display, self->window))
    memcpy (self->window, result->underlay->automatic, sizeof self->window);
  if (result->output != view->output || (int) result->compare != view->compare)
    return;
  vg_steady_limits_get_coloring (vg_steady_limits_of (session), display, output, view->compare,
                                 &result->statistics, &scene->coloring);
  scene->brightness = display->brightness && result->brightness.data != NULL &&
                      result->brightness_limits[1] > result->brightness_limits[0];
  scene->brightness_low = result->brightness_limits[0];
  scene->brightness_high = result->brightness_limits[1];
  scene->skip_zero = output->kind == VG_OUTPUT_LABELS;
  scene->n_isolines = vg_display_get_levels (display, &scene->coloring, scene->isolines);
  scene->n_isolines = vg_display_drop_noise (display, result->noise, scene->isolines,
                                             scene->n_isolines);
}

gboolean
vg_volume_look_get_bar (const VgVolumeLook *self, VgSession *session, const VgResult *result,
                        VgColorBarContent *content)
{
  const VgOutput *output = vg_session_get_output (session);
  const VgScene *scene = &self->scene;
  int bar = scene->coloring.colormap != NULL
                ? vg_display_get_bar (output, &scene->coloring, &result->statistics)
                : VG_DISPLAY_NO_BAR;

  *content = (VgColorBarContent){ .coloring = scene->coloring,
                                  .fixed = !vg_session_get_display (session)->auto_limits,
                                  .names = output->hints.categories,
                                  .unit = output->unit != NULL ? output->unit : "",
                                  .labels = MAX (bar, 0),
                                  .opacity = scene->underlay ? scene->opacity : 1 };
  if (bar > 0)
    vg_display_get_shares (&result->statistics, content->shares);
  return bar != VG_DISPLAY_NO_BAR && !result->input_only;
}
