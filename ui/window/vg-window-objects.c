/* SPDX-License-Identifier: MIT */
/* The objects of a result (VgObjects): listed below the picture, told
 * of beside the pointer, chosen by a click here or there, taken out.  The list
 * is a text of the engine's, asked for on the compute thread: rarely while
 * work is under way, since it looks at every object, and once at its end. */
#include "ui/window/vg-window-private.h"
#include <math.h>
#include "ui/pages/vg-object-table.h"
#include "ui/layers/vg-region-shape.h"

enum { WORKING_US = 1500000 };
#define SAME_PX 2.0 /* between the seeds of a nucleus before and after a change */

static const VgObjects *
listing (VgWindow *self)
{
  return vg_session_get_operation (self->session)->objects;
}

int
vg_window_numbers_output (VgWindow *self)
{
  const VgObjects *list = listing (self);

  return list != NULL
             ? vg_operation_find_output (vg_session_get_operation (self->session), list->labels)
             : -1;
}

static VgObjectTable *
table (VgWindow *self)
{
  return VG_OBJECT_TABLE (vg_charts_get_objects (VG_CHARTS (self->charts)));
}

static VgObjectRow *
find_row (VgWindow *self, guint32 number)
{
  for (guint i = 0; self->objects.rows != NULL && number > 0 && i < self->objects.rows->len; i++)
    if (vg_object_row_get_number (self->objects.rows->pdata[i]) == number)
      return self->objects.rows->pdata[i];
  return NULL;
}

char *
vg_window_describe_object (VgWindow *self, double number)
{
  const VgObjects *list = listing (self);
  VgObjectRow *row = list != NULL && number >= 1 && number <= G_MAXUINT32
                         ? find_row (self, (guint32) number)
                         : NULL;

  return row != NULL ? vg_object_row_describe (row, list->columns) : NULL;
}

/* An image point from two cells; the rows of a slide's part count in the slide's own pixels. */
static VgPoint
place_of (VgWindow *self, VgObjectRow *row, guint column)
{
  VgPoint at = { vg_object_row_get_value (row, column), vg_object_row_get_value (row, column + 1) };
  VgImageInfo info;

  if (vg_pipeline_get_info (self->pipeline, &info) && info.downsample > 0)
    at = (VgPoint){ (at.x - info.origin[0]) / info.downsample,
                    (at.y - info.origin[1]) / info.downsample };
  return at;
}

/* ---- the list ---- */

static gboolean
is_numbered_as (VgWindow *self, const VgResult *result)
{
  return self->objects.serial == result->serial && self->objects.generation == result->generation;
}

static void
note_seed (VgWindow *self, VgObjectRow *row)
{
  VgPoint seed = { 0, 0 };

  if (row != NULL)
    seed = place_of (self, row, VG_OBJECT_SEED_X);
  self->objects.has_seed = row != NULL;
  self->objects.seed_x = seed.x;
  self->objects.seed_y = seed.y;
}

/* The chosen object is found again by its seed, because new work numbers the objects anew. */
static VgObjectRow *
find_chosen (VgWindow *self)
{
  VgObjectRow *nearest = NULL;
  double least = SAME_PX;

  if (!self->objects.has_seed)
    return find_row (self, self->objects.chosen);
  for (guint i = 0; i < self->objects.rows->len; i++)
    {
      VgPoint seed = place_of (self, self->objects.rows->pdata[i], VG_OBJECT_SEED_X);
      double distance = hypot (seed.x - self->objects.seed_x, seed.y - self->objects.seed_y);

      if (distance < least)
        {
          least = distance;
          nearest = self->objects.rows->pdata[i];
        }
    }
  return nearest;
}

/* The rows are new; one that is gone is chosen again should it come back. */
static void
follow_chosen (VgWindow *self)
{
  VgObjectRow *row = find_chosen (self);

  if (self->objects.chosen == 0 && !self->objects.has_seed)
    return;
  self->objects.chosen = row != NULL ? vg_object_row_get_number (row) : 0;
  if (row != NULL)
    note_seed (self, row);
  /* else of a picture that has been replaced */
  if (self->result != NULL && is_numbered_as (self, self->result))
    vg_image_view_choose_object (VG_IMAGE_VIEW (self->image), self->objects.chosen);
}

void
vg_window_expect_numbers (VgWindow *self, const VgResult *result)
{
  if (self->objects.chosen > 0 && !is_numbered_as (self, result))
    vg_image_view_choose_object (VG_IMAGE_VIEW (self->image), 0);
}

static void
on_text (GObject *source, GAsyncResult *answer, gpointer data)
{
  g_autoptr (VgWindow) self = data;
  g_autofree char *text = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);
  const VgObjects *list;

  self->objects.asking = FALSE;
  if (self->pipeline == NULL || (list = listing (self)) == NULL)
    return; /* the window is closing, or shows something else */
  g_clear_pointer (&self->objects.rows, g_ptr_array_unref);
  self->objects.rows = vg_object_rows_parse (text != NULL ? text : "", list->columns);
  follow_chosen (self);
  vg_object_table_set_rows (table (self), self->objects.rows, self->objects.chosen);
  /* now there is something to say */
  vg_window_probe (self, self->probe.x, self->probe.y, self->probe.slice, self->probe.value,
                   self->probe.inside);
}

/* Someone looks: at the list, at an object, or with the pointer. */
static gboolean
is_wanted (VgWindow *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (table (self))) || self->objects.chosen > 0 ||
         self->objects.has_seed || self->probe.inside;
}

void
vg_window_refresh_objects (VgWindow *self)
{
  gint64 now = g_get_monotonic_time ();
  int output = vg_operation_find_objects (vg_session_get_operation (self->session));

  if (self->result == NULL || output < 0 ||
      self->result->operation != vg_session_get_operation (self->session) || self->objects.asking ||
      !is_wanted (self) || self->objects.of_us == self->result->finished_us ||
      (!self->result->final && now - self->objects.asked_us < WORKING_US))
    return;
  self->objects.asking = TRUE;
  self->objects.asked_us = now;
  self->objects.of_us = self->result->finished_us;
  self->objects.serial = self->result->serial;
  self->objects.generation = self->result->generation;
  vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_TEXT, .output = output },
                           NULL, on_text, g_object_ref (self));
}

/* ---- choosing ---- */

/* NUMBER is of the present work; a list of before, or one on its way, does not say which object
 * that is. */
static void
choose (VgWindow *self, guint32 number)
{
  gboolean listed = self->result != NULL && !self->objects.asking &&
                    self->objects.of_us == self->result->finished_us;

  self->objects.chosen = number;
  note_seed (self, listed ? find_row (self, number) : NULL);
  self->objects.serial = self->result != NULL ? self->result->serial : 0;
  self->objects.generation = self->result != NULL ? self->result->generation : 0;
  vg_image_view_choose_object (VG_IMAGE_VIEW (self->image), number);
  vg_object_table_select (table (self), number);
  vg_window_refresh_objects (self);
}

void
vg_window_forget_objects (VgWindow *self)
{
  g_clear_pointer (&self->objects.rows, g_ptr_array_unref);
  self->objects.of_us = self->objects.asked_us = 0;
  choose (self, 0);
}

static void
on_number (GObject *source, GAsyncResult *answer, gpointer data)
{
  g_autoptr (VgWindow) self = data;
  g_autofree double *value = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);
  double number = value ? *value : 0;

  if (self->pipeline != NULL)
    choose (self, number >= 1 && number <= G_MAXUINT32 ? (guint32) number : 0);
}

void
vg_window_choose_object (VgWindow *self, double x, double y)
{
  int output = vg_window_numbers_output (self);

  if (output >= 0)
    vg_pipeline_query_async (self->pipeline,
                             &(VgQuery){ .kind = VG_QUERY_VALUE,
                                         .output = output,
                                         .x = floor (x),
                                         .y = floor (y),
                                         .slice = vg_session_get_view (self->session)->slice },
                             NULL, on_number, g_object_ref (self));
}

/* The picture shows the place of what was chosen in the list. */
static void
look_at (VgWindow *self, VgObjectRow *row, double zoom)
{
  VgView view = *vg_session_get_view (self->session);
  VgPoint at = place_of (self, row, VG_OBJECT_X);

  view.center_x = at.x;
  view.center_y = at.y;
  view.zoom = zoom;
  vg_session_set_view (self->session, &view);
}

static void
on_chosen (VgWindow *self, guint number)
{
  VgObjectRow *row = find_row (self, number);

  self->objects.chosen = number;
  note_seed (self, row);
  vg_image_view_choose_object (VG_IMAGE_VIEW (self->image), number);
  if (row != NULL && vg_session_get_view (self->session)->zoom > 0)
    look_at (self, row, vg_session_get_view (self->session)->zoom);
}

static void
on_activated (VgWindow *self, guint number)
{
  VgObjectRow *row = find_row (self, number);

  if (row != NULL)
    look_at (self, row, MAX (4, vg_image_view_get_zoom (VG_IMAGE_VIEW (self->image))));
}

/* The object chosen does not come back until that is undone. */
static void
on_remove (VgWindow *self)
{
  VgObjectRow *row = find_row (self, self->objects.chosen);
  VgPoint seed;

  if (row == NULL)
    return;
  seed = place_of (self, row, VG_OBJECT_SEED_X);
  if (vg_image_view_take_out (VG_IMAGE_VIEW (self->image), seed.x, seed.y))
    choose (self, 0);
}

static gboolean
on_table_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              VgWindow *self)
{
  if ((key != GDK_KEY_Delete && key != GDK_KEY_KP_Delete) || self->objects.chosen == 0)
    return FALSE;
  on_remove (self);
  return TRUE;
}

void
vg_window_watch_objects (VgWindow *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect_object (table (self), "chosen", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (table (self), "activated", G_CALLBACK (on_activated), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_table_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (table (self)), keys);
}

void
vg_window_watch_object_keys (VgWindow *self)
{
  g_signal_connect_object (self->image, "remove-object", G_CALLBACK (on_remove), self,
                           G_CONNECT_SWAPPED);
}
