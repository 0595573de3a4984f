/* SPDX-License-Identifier: MIT */
#include "ui/inspect/vg-probe.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-number-format.h"
#include "ui/picture/vg-image-view.h"

struct _VgProbe
{
  GObject parent_instance;
  VgSession *session;
  VgPipeline *pipeline; /* NULL: the window is closing */
  VgResult *result;     /* the newest; NULL: none */
  VgObjectSelection *objects;
  VgStatusBar *status;
  GtkWidget *image;
  double x, y, value;
  int slice;
  gboolean inside;
  gboolean asking; /* the compute thread reads a second value */
  gboolean again;  /* the pointer has moved since */
};

G_DEFINE_FINAL_TYPE (VgProbe, vg_probe, G_TYPE_OBJECT)

/* NULL: the image is not yet that of the output that the user chose. */
static const VgOutput *
probed_output (VgProbe *self)
{
  const VgView *view = vg_session_get_view (self->session);

  if (self->result == NULL || self->result->plane.data == NULL ||
      self->result->operation != vg_session_get_operation (self->session) ||
      self->result->output != view->output || (int) self->result->compare != view->compare)
    return NULL;
  return vg_session_get_output (self->session);
}

/* Index of the output with the standard error of OUTPUT; -1: none. */
static int
error_output (VgProbe *self, const VgOutput *output)
{
  return output && self->result->compare == VG_COMPARE_OFF
             ? vg_operation_find_role (self->result->operation, VG_ROLE_ERROR, output->id)
             : -1;
}

/* "r -0.12, z 0.05 cm", or the pixel if its size is not known; in a mosaic also the slice. */
static char *
describe_position (VgProbe *self, const VgOutput *output)
{
  const VgView *view = vg_session_get_view (self->session);
  g_autofree char *slice = view->mosaic && self->result->plane.slices > 1
                               ? g_strdup_printf (_ (", slice %d"), self->slice + 1)
                               : g_strdup ("");
  const VgPlane *plane = &self->result->plane;
  double x = floor (self->x) + 0.5, y = floor (self->y) + 0.5, factor;
  const char *names[] = { output->hints.axes[0] ? output->hints.axes[0] : "x",
                          output->hints.axes[1] ? output->hints.axes[1] : "y" };
  const char *unit = vg_length_convert (plane->unit, view->length_unit, &factor);
  g_autofree char *across = NULL, *down = NULL;

  if (plane->pixel_size[0] == 0 || plane->pixel_size[1] == 0)
    return g_strdup_printf ("x %.0f, y %.0f%s", floor (x), floor (y), slice);
  across = vg_format_number (factor * vg_plane_position (plane, 0, x));
  down = vg_format_number (factor * vg_plane_position (plane, 1, y));
  return g_strdup_printf ("%s %s, %s %s%s%s%s", names[0], across, names[1], down, *unit ? " " : "",
                          unit, slice);
}

/* Index of the output whose value is shown beside the first: standard error or object number; -1:
 * none. */
static int
second_output (VgProbe *self, const VgOutput *output)
{
  int error = error_output (self, output);

  if (output == NULL)
    return -1;
  return error >= 0 ? error : vg_object_selection_get_output (self->objects);
}

/* "0.71, Nucleus 12"; the name replaces the value of a label image. */
static char *
describe_value (VgProbe *self, const VgOutput *output, double second)
{
  const char *unit = output->unit != NULL ? output->unit : "";
  g_autofree char *object = error_output (self, output) < 0
                                ? vg_object_selection_name (self->objects, second)
                                : NULL;
  g_autofree char *number = NULL;

  if (object != NULL && second_output (self, output) == self->result->output)
    return g_steal_pointer (&object);
  if (!isfinite (self->value))
    return g_strdup (_ ("missing value"));
  if (output->hints.categories != NULL && self->value >= 0 &&
      self->value < g_strv_length ((GStrv) output->hints.categories))
    return g_strdup_printf ("%s (%.0f)", vg_translate (output->hints.categories[(int) self->value]),
                            self->value);
  number = vg_format_number (self->value);
  return g_strdup_printf ("%s%s%s%s%s", number, *unit != '\0' ? " " : "", unit, object ? ", " : "",
                          object ? object : "");
}

/* ", kept 0.71" while a kept map is seen beside this one; "": none is. */
static char *
describe_kept (VgProbe *self, const VgOutput *output)
{
  VgResult *kept = vg_image_view_get_beside (VG_IMAGE_VIEW (self->image));
  int x = (int) floor (self->x);
  g_autofree char *number = NULL;
  float value;

  if (kept == NULL || output->kind == VG_OUTPUT_LABELS || output->hints.categories != NULL ||
      !vg_result_probe (kept, x < 0 ? -1 - x : x, (int) floor (self->y), self->slice, &value))
    return g_strdup ("");
  number = isfinite (value) ? vg_format_number (value) : g_strdup (_ ("missing value"));
  return g_strdup_printf (_ (", kept %s"), number);
}

static void
show (VgProbe *self, double second)
{
  const VgOutput *output = probed_output (self);
  g_autofree char *position = NULL, *value = NULL, *text = NULL, *kept = NULL, *both = NULL;

  if (!self->inside || output == NULL)
    {
      vg_status_bar_set_probe (self->status, "");
      return;
    }
  position = describe_position (self, output);
  value = describe_value (self, output, second);
  if (isfinite (second) && isfinite (self->value) && error_output (self, output) >= 0)
    {
      int of_error = error_output (self, output);
      const char *error_unit = vg_operation_output_unit (self->result->operation, (guint) of_error,
                                                         vg_session_get_params (self->session));
      const char *unit = output->unit != NULL ? output->unit : "";
      g_autofree char *number = vg_format_with_error (self->value, second);

      if (g_str_equal (unit, error_unit))
        text = g_strdup_printf ("%s: %s%s%s", position, number, *unit ? " " : "", unit);
      else /* a relative error, % */
        {
          g_autofree char *error = vg_format_fixed (second, vg_format_decimals (100 * second));

          text = g_strdup_printf ("%s: %s ± %s%s%s", position, value, error, *error_unit ? " " : "",
                                  error_unit);
        }
    }
  else
    text = g_strdup_printf ("%s: %s", position, value);
  kept = describe_kept (self, output);
  both = g_strconcat (text, kept, NULL);
  vg_status_bar_set_probe (self->status, both);
}

static void ask (VgProbe *self);

static void
on_second_value (GObject *source, GAsyncResult *answer, gpointer data)
{
  g_autoptr (VgProbe) self = data;
  g_autofree double *value = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);
  double second = value ? *value : NAN;

  self->asking = FALSE;
  if (self->pipeline == NULL)
    return; /* the window is closing */
  if (self->again)
    ask (self);
  else
    show (self, second);
}

static void
ask (VgProbe *self)
{
  int second = second_output (self, probed_output (self)), x = (int) floor (self->x);

  self->again = self->asking;
  if (self->asking)
    return;
  if (!self->inside || second < 0 || self->pipeline == NULL)
    {
      show (self, NAN);
      return;
    }
  self->asking = TRUE;
  vg_pipeline_query_async (self->pipeline,
                           &(VgQuery){ .kind = VG_QUERY_VALUE,
                                       .output = second,
                                       .x = x < 0 ? -1 - x : x,
                                       .y = floor (self->y),
                                       .slice = self->slice },
                           NULL, on_second_value, g_object_ref (self));
}

void
vg_probe_set_pointer (VgProbe *self, double x, double y, int slice, double value, gboolean inside)
{
  self->slice = slice;
  self->x = x;
  self->y = y;
  self->value = value;
  self->inside = inside;
  vg_object_selection_set_pointer_inside (self->objects, inside);
  ask (self);
}

void
vg_probe_set_pipeline (VgProbe *self, VgPipeline *pipeline)
{
  g_set_object (&self->pipeline, pipeline);
}

void
vg_probe_set_result (VgProbe *self, VgResult *result)
{
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
}

void
vg_probe_set_image (VgProbe *self, GtkWidget *image)
{
  self->image = image;
}

static void
vg_probe_dispose (GObject *object)
{
  VgProbe *self = VG_PROBE (object);

  g_clear_object (&self->session);
  g_clear_object (&self->pipeline);
  g_clear_object (&self->objects);
  g_clear_pointer (&self->result, vg_result_unref);
  G_OBJECT_CLASS (vg_probe_parent_class)->dispose (object);
}

static void
vg_probe_class_init (VgProbeClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_probe_dispose;
}

static void
vg_probe_init (VgProbe *self)
{
}

VgProbe *
vg_probe_new (VgSession *session, VgObjectSelection *objects, VgStatusBar *status)
{
  VgProbe *self = g_object_new (VG_TYPE_PROBE, NULL);

  self->session = g_object_ref (session);
  self->objects = g_object_ref (objects);
  self->status = status;
  vg_connect (objects, "listed", ask, self);
  return self;
}
