/* SPDX-License-Identifier: MIT */
/* The line that tells what is under the pointer: place, value, and its
 * standard error where the output names the one that holds it, or the object
 * where the operation finds some.  The second value is read on the compute
 * thread; one question at a time, and the newest place when the answer comes. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

/* NULL: what is on the screen is not yet what was asked for. */
static const VgOutput *
probed_output (VgWindow *self)
{
  const VgView *view = vg_session_get_view (self->session);

  if (!vg_window_has_picture (self) ||
      self->result->operation != vg_session_get_operation (self->session) ||
      self->result->output != view->output || (int) self->result->compare != view->compare)
    return NULL;
  return vg_session_get_output (self->session);
}

/* The output with the error of what is shown; -1: none. */
static int
error_output (VgWindow *self, const VgOutput *output)
{
  return output && self->result->compare == VG_COMPARE_OFF
             ? vg_operation_find_role (self->result->operation, VG_ROLE_ERROR, output->id)
             : -1;
}

/* "r -0.12, z 0.05 cm", or the pixel where its size is not known; of a mosaic
 * the slice too. */
static char *
describe_place (VgWindow *self, const VgOutput *output)
{
  const VgView *view = vg_session_get_view (self->session);
  g_autofree char *slice = view->mosaic && self->result->plane.slices > 1
                               ? g_strdup_printf (_ (", slice %d"), self->probe.slice + 1)
                               : g_strdup ("");
  const VgPlane *plane = &self->result->plane;
  double x = floor (self->probe.x) + 0.5, y = floor (self->probe.y) + 0.5, factor;
  const char *names[] = { output->hints.axes[0] ? output->hints.axes[0] : "x",
                          output->hints.axes[1] ? output->hints.axes[1] : "y" };
  const char *unit = vg_length_convert (plane->unit, view->length_unit, &factor);

  if (plane->pixel_size[0] == 0 || plane->pixel_size[1] == 0)
    return g_strdup_printf ("x %.0f, y %.0f%s", floor (x), floor (y), slice);
  return g_strdup_printf ("%s %.4g, %s %.4g%s%s%s", names[0],
                          factor * vg_plane_position (plane, 0, x), names[1],
                          factor * vg_plane_position (plane, 1, y), *unit ? " " : "", unit, slice);
}

/* The output whose value is asked for beside the shown one; -1: none. */
static int
second_output (VgWindow *self, const VgOutput *output)
{
  int error = error_output (self, output);

  if (output == NULL)
    return -1;
  return error >= 0 ? error : vg_window_numbers_output (self);
}

/* ": 0.71, Nucleus 12: area 310 px²"; the number alone says less than that. */
static char *
describe_value (VgWindow *self, const VgOutput *output, double second)
{
  const char *unit = output->unit && *output->unit ? output->unit : NULL;
  g_autofree char *object = error_output (self, output) < 0
                                ? vg_window_describe_object (self, second)
                                : NULL;

  if (object != NULL && second_output (self, output) == self->result->output)
    return g_steal_pointer (&object);
  if (!isfinite (self->probe.value))
    return g_strdup ("no value");
  if (output->hints.categories != NULL && self->probe.value >= 0 &&
      self->probe.value < g_strv_length ((GStrv) output->hints.categories))
    return g_strdup_printf ("%s (%.0f)", output->hints.categories[(int) self->probe.value],
                            self->probe.value);
  return g_strdup_printf ("%.4g%s%s%s%s", self->probe.value + 0.0, unit ? " " : "",
                          unit ? unit : "", object ? ", " : "", object ? object : "");
}

/* Near the pointer too, a line for each thing that is said. */
static void
show_tip (VgWindow *self, const VgOutput *output, double second)
{
  g_autofree char *object = output != NULL && self->probe.inside && error_output (self, output) < 0
                                ? vg_window_describe_object (self, second)
                                : NULL;
  g_auto (GStrv) lines = object != NULL ? g_strsplit (object, ", ", -1) : NULL;
  g_autofree char *text = lines != NULL ? g_strjoinv ("\n", lines) : NULL;

  vg_widget_set_tooltip (self->image, text);
}

static void
show (VgWindow *self, double second)
{
  const VgOutput *output = probed_output (self);
  g_autofree char *place = NULL, *value = NULL, *text = NULL;

  show_tip (self, output, second);
  if (!self->probe.inside || output == NULL)
    {
      vg_status_bar_set_probe (VG_STATUS_BAR (self->status), "");
      return;
    }
  place = describe_place (self, output);
  value = describe_value (self, output, second);
  if (isfinite (second) && isfinite (self->probe.value) && error_output (self, output) >= 0)
    {
      int of_error = error_output (self, output);
      const char *error_unit = vg_operation_output_unit (self->result->operation, (guint) of_error,
                                                         vg_session_get_params (self->session));
      const char *unit = output->unit ? output->unit : "";
      g_autofree char *both = vg_format_with_error (self->probe.value, second);

      if (g_str_equal (unit, error_unit))
        text = g_strdup_printf ("%s: %s%s%s", place, both, *unit ? " " : "", unit);
      else /* an error in per cent */
        text = g_strdup_printf ("%s: %s ± %.2g%s%s", place, value, second, *error_unit ? " " : "",
                                error_unit);
    }
  else
    text = g_strdup_printf ("%s: %s", place, value);
  vg_status_bar_set_probe (VG_STATUS_BAR (self->status), text);
}

static void ask (VgWindow *self);

static void
on_second_value (GObject *source, GAsyncResult *answer, gpointer data)
{
  g_autoptr (VgWindow) self = data;
  g_autofree double *value = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);
  double second = value ? *value : NAN;

  self->probe.asking = FALSE;
  if (self->pipeline == NULL)
    return; /* the window is closing */
  if (self->probe.again)
    ask (self);
  else
    show (self, second);
}

static void
ask (VgWindow *self)
{
  int second = second_output (self, probed_output (self)), x = (int) floor (self->probe.x);

  self->probe.again = self->probe.asking;
  if (self->probe.asking)
    return;
  if (!self->probe.inside || second < 0)
    {
      show (self, NAN);
      return;
    }
  self->probe.asking = TRUE;
  vg_pipeline_query_async (self->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_VALUE,
                                       .output = second,
                                       .x = x < 0 ? -1 - x : x,
                                       .y = floor (self->probe.y),
                                       .slice = self->probe.slice },
                           NULL, on_second_value, g_object_ref (self));
}

void
vg_window_probe (VgWindow *self, double x, double y, int slice, double value, gboolean inside)
{
  self->probe.slice = slice;
  self->probe.x = x;
  self->probe.y = y;
  self->probe.value = value;
  self->probe.inside = inside;
  ask (self);
}
