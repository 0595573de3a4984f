/* SPDX-License-Identifier: MIT */
/* Corrections of the shown objects by strokes over the image. */
#include "ui/window/vg-window-private.h"
#include "ui/words/vg-translation.h"
#include "ui/correct/vg-stroke-layer.h"

static VgStrokeLayer *
get_layer (VgWindow *self)
{
  return VG_STROKE_LAYER (vg_image_view_get_strokes (vg_viewer_get_image (self->viewer)));
}

static void
say (VgWindow *self, const char *text)
{
  vg_window_show_banner (self, VG_BANNER_NOTICE, text);
}

/* The numbers in the shown map. */
static void
probe (gpointer data, const VgPoint *points, guint n, guint32 *numbers)
{
  VgResult *result = data;
  g_autofree int *xyz = g_new0 (int, 3 * (gsize) n);
  g_autofree float *values = g_new0 (float, n);
  g_autofree guint *at = g_new (guint, n);
  guint inside = 0;

  for (guint i = 0; i < n; i++)
    {
      numbers[i] = 0;
      if (!(points[i].x >= 0 && points[i].y >= 0 && points[i].x < result->plane.width &&
            points[i].y < result->plane.height))
        continue;
      xyz[3 * inside] = (int) points[i].x;
      xyz[3 * inside + 1] = (int) points[i].y;
      at[inside++] = i;
    }
  if (inside == 0 || !vg_result_probe_many (result, xyz, (int) inside, values))
    return;
  for (guint i = 0; i < inside; i++)
    numbers[at[i]] = values[i] >= 1 && values[i] < 1e9f ? (guint32) values[i] : 0;
}

/* TRUE if the map of numbers is shown and its objects are listed; else the user is told. */
static gboolean
is_ready (VgWindow *self)
{
  int output = vg_object_selection_get_output (self->objects);
  g_autoptr (GArray) objects = vg_object_selection_list (self->objects);

  if (output < 0 || self->result == NULL || self->result->plane.data == NULL)
    return FALSE;
  if (self->result->output != output || self->result->compare != VG_COMPARE_OFF)
    {
      const VgOperation *operation = vg_session_get_operation (self->session);
      g_autofree char *text = g_strdup_printf (_ ("Show the map %s to correct its objects."),
                                               vg_translate (operation->outputs[output].label));

      say (self, text);
      return FALSE;
    }
  if (objects == NULL)
    {
      vg_object_selection_refresh (self->objects);
      say (self, _ ("The objects are still being listed. Try again in a moment."));
      return FALSE;
    }
  vg_correction_set_objects (self->correction, objects);
  return TRUE;
}

static void
say_chosen (VgWindow *self)
{
  guint n = vg_correction_count_chosen (self->correction);
  g_autofree char *text =
      n > 0 ? g_strdup_printf (
                  ngettext ("%u object chosen. Delete removes it, Enter accepts it.",
                            "%u objects chosen. Delete removes them, Enter accepts them.", n),
                  n)
            : g_strdup (_ ("No object is inside the loop."));

  say (self, text);
}

static void
on_stroke (VgWindow *self)
{
  VgStrokeLayer *layer = get_layer (self);
  guint n;
  const VgPoint *line = vg_stroke_layer_get_line (layer, &n);
  VgStrokeKind kind = is_ready (self)
                          ? vg_correction_stroke (self->correction, line, n, probe, self->result)
                          : VG_STROKE_NOTHING;

  if (kind == VG_STROKE_LASSO)
    say_chosen (self);
  else
    vg_stroke_layer_clear (layer);
  if (kind == VG_STROKE_APART)
    say (self, _ ("Not merged, because the objects do not touch near the stroke. Nothing was "
                  "changed."));
  else if (kind == VG_STROKE_SLIVER)
    say (self, _ ("Not split, because one part would be smaller than 8 % of the object. Draw the "
                  "stroke across its middle."));
}

static void
on_click (VgWindow *self, double x, double y)
{
  vg_correction_choose_none (self->correction);
  vg_object_selection_choose_at (self->objects, x, y);
}

static void
show_next (VgWindow *self, int step)
{
  guint32 next = vg_correction_find_next (self->correction,
                                          vg_object_selection_get_chosen (self->objects), step);

  if (next > 0)
    vg_object_selection_show (self->objects, next);
  else
    say (self, _ ("Every object has been accepted."));
}

static void
on_delete (VgWindow *self)
{
  if (vg_correction_count_chosen (self->correction) > 0)
    vg_correction_remove_chosen (self->correction);
  else
    g_signal_emit_by_name (vg_viewer_get_image (self->viewer), "remove-object");
}

static void
on_key (VgWindow *self, guint key)
{
  if (key == GDK_KEY_Escape)
    {
      if (vg_correction_count_chosen (self->correction) == 0)
        vg_image_view_set_tool (vg_viewer_get_image (self->viewer), VG_TOOL_PAN);
      vg_correction_choose_none (self->correction);
    }
  else if (!is_ready (self))
    return;
  else if (key == GDK_KEY_Delete)
    on_delete (self);
  else if (key == GDK_KEY_Return)
    {
      if (vg_correction_accept (self->correction, vg_object_selection_get_chosen (self->objects)))
        show_next (self, 1);
    }
  else
    show_next (self, key == GDK_KEY_n ? 1 : -1);
  vg_stroke_layer_clear (get_layer (self));
}

gboolean
vg_window_begin_corrections (VgWindow *self)
{
  VgView view = *vg_session_get_view (self->session);

  if (!vg_correction_is_possible (self->session))
    return FALSE;
  view.output = vg_object_selection_get_output (self->objects);
  view.mosaic = FALSE;
  vg_session_set_view (self->session, &view);
  return TRUE;
}

void
vg_window_watch_strokes (VgWindow *self)
{
  VgStrokeLayer *layer = get_layer (self);

  if (self->correction == NULL)
    self->correction = vg_correction_new (self->session);
  vg_connect (layer, "stroke", on_stroke, self);
  vg_connect (layer, "click", on_click, self);
  vg_connect (layer, "key", on_key, self);
}
