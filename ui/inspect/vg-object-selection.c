/* SPDX-License-Identifier: MIT */
#include "ui/inspect/vg-object-selection.h"
#include <math.h>
#include "ui/inspect/vg-object-listing.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/pages/vg-object-table.h"
#include "ui/common/vg-object.h"

/* The engine visits every object to list them: while it works, or regions are moved, the list is
 * requested this often. */
enum { WORKING_US = 1500000 };
#define CLOSE_ZOOM 2.0 /* at least, of an object that is shown */
#define SAME_PX 2.0    /* distance between the seeds of one object before and after a change */

struct _VgObjectSelection
{
  GObject parent_instance;
  VgSession *session;
  VgPipeline *pipeline; /* NULL: the window is closing */
  VgResult *result;     /* the newest; NULL: none */
  VgObjectTable *table;
  VgImageView *image;
  GPtrArray *rows;         /* of VgObjectRow; NULL: none */
  gint64 of_us, asked_us;  /* when the result they are of was finished; when they were requested */
  gboolean asking;         /* a request is under way */
  gboolean pointer_inside; /* the pointer is over the image */
  guint32 chosen;          /* number of the chosen object; 0: none */
  guint64 serial;          /* of the settings that this number is of */
  guint generation;        /* and of the engine state */
  VgPoint seed;            /* of the chosen object, in pixels of the image */
  gboolean has_seed;       /* FALSE: the next list has it */
};

G_DEFINE_FINAL_TYPE (VgObjectSelection, vg_object_selection, G_TYPE_OBJECT)

static const VgObjects *
find_list (VgObjectSelection *self)
{
  return vg_session_get_operation (self->session)->objects;
}

int
vg_object_selection_get_output (VgObjectSelection *self)
{
  const VgObjects *list = find_list (self);

  return list != NULL
             ? vg_operation_find_output (vg_session_get_operation (self->session), list->labels)
             : -1;
}

static VgObjectRow *
find_row (VgObjectSelection *self, guint32 number)
{
  for (guint i = 0; self->rows != NULL && number > 0 && i < self->rows->len; i++)
    if (vg_object_row_get_number (self->rows->pdata[i]) == number)
      return self->rows->pdata[i];
  return NULL;
}

char *
vg_object_selection_name (VgObjectSelection *self, double number)
{
  const VgObjects *list = find_list (self);
  VgObjectRow *row = list != NULL && number >= 1 && number <= G_MAXUINT32
                         ? find_row (self, (guint32) number)
                         : NULL;

  return row != NULL ? vg_object_row_name (row, list->columns) : NULL;
}

char *
vg_object_selection_add_cells (VgObjectSelection *self, double number, GPtrArray *cells)
{
  const VgObjects *list = find_list (self);
  VgObjectRow *row = list != NULL && number >= 1 && number <= G_MAXUINT32
                         ? find_row (self, (guint32) number)
                         : NULL;

  return row != NULL ? vg_object_row_add_cells (row, list->columns, cells) : NULL;
}

/* Image point of two cells, px.  Rows of a slide region are in pixels of the whole slide. */
static VgPoint
get_point (VgObjectSelection *self, VgObjectRow *row, guint column)
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
is_numbered_as (VgObjectSelection *self, const VgResult *result)
{
  return self->serial == result->serial && self->generation == result->generation;
}

static void
note_seed (VgObjectSelection *self, VgObjectRow *row)
{
  self->has_seed = row != NULL;
  self->seed = row != NULL ? get_point (self, row, VG_OBJECT_SEED_X) : (VgPoint){ 0, 0 };
}

/* Finds the chosen object again by its seed, because a new engine state renumbers the objects. */
static VgObjectRow *
find_chosen (VgObjectSelection *self)
{
  VgObjectRow *nearest = NULL;
  double least = SAME_PX;

  if (!self->has_seed)
    return find_row (self, self->chosen);
  for (guint i = 0; i < self->rows->len; i++)
    {
      VgPoint seed = get_point (self, self->rows->pdata[i], VG_OBJECT_SEED_X);
      double distance = hypot (seed.x - self->seed.x, seed.y - self->seed.y);

      if (distance < least)
        {
          least = distance;
          nearest = self->rows->pdata[i];
        }
    }
  return nearest;
}

/* Finds the chosen object in new rows.  Its seed is kept while it is absent, so that it is chosen
 * again if it returns. */
static void
update_chosen (VgObjectSelection *self)
{
  VgObjectRow *row = find_chosen (self);

  if (self->chosen == 0 && !self->has_seed)
    return;
  self->chosen = row != NULL ? vg_object_row_get_number (row) : 0;
  if (row != NULL)
    note_seed (self, row);
  /* else the numbers are those of an image that has been replaced */
  if (self->result != NULL && is_numbered_as (self, self->result))
    vg_image_view_choose_object (self->image, self->chosen);
}

/* Numbers of another engine state may be those of other objects: none is marked until the next
 * list. */
void
vg_object_selection_set_result (VgObjectSelection *self, VgResult *result)
{
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  if (result != NULL && self->chosen > 0 && !is_numbered_as (self, result))
    vg_image_view_choose_object (self->image, 0);
}

static void
read_listing (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  vg_object_listing_read (data);
  g_task_return_boolean (task, TRUE);
}

static void
on_rows (GObject *source, GAsyncResult *answer, gpointer data)
{
  VgObjectSelection *self = VG_OBJECT_SELECTION (source);
  const VgObjectListing *listing = g_task_get_task_data (G_TASK (answer));
  const VgObjects *list;

  self->asking = FALSE;
  if (self->pipeline == NULL || (list = find_list (self)) == NULL ||
      list->columns != listing->columns)
    return; /* the window is closing, or shows another view */
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  self->rows = g_ptr_array_ref (listing->rows);
  update_chosen (self);
  vg_object_table_set_rows (self->table, self->rows, listing->decimals, self->chosen);
  vg_object_table_set_note (self->table, self->rows->len > 0 ? listing->note : NULL);
  g_signal_emit_by_name (self, "listed");
}

static void
on_text (GObject *source, GAsyncResult *answer, gpointer data)
{
  g_autoptr (VgObjectSelection) self = data;
  g_autofree char *text = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);
  const VgObjects *list = self->pipeline != NULL ? find_list (self) : NULL;
  g_autoptr (GTask) task = NULL;
  VgImageInfo info;

  if (list == NULL)
    {
      self->asking = FALSE;
      return; /* the window is closing, or shows another view */
    }
  task = g_task_new (self, NULL, on_rows, NULL);
  g_task_set_task_data (
      task,
      vg_object_listing_new (g_steal_pointer (&text), list->columns, self->session,
                             vg_pipeline_get_info (self->pipeline, &info) ? &info : NULL),
      vg_object_listing_free);
  g_task_run_in_thread (task, read_listing);
}

/* The rows name the regions. */
static void
on_changed (VgObjectSelection *self, guint flags)
{
  if (flags & VG_CHANGED_REGIONS)
    self->of_us = 0;
}

/* TRUE while the list is visible, an object is chosen, or the pointer may be over one. */
static gboolean
is_wanted (VgObjectSelection *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self->table)) || self->chosen > 0 || self->has_seed ||
         self->pointer_inside;
}

void
vg_object_selection_refresh (VgObjectSelection *self)
{
  gint64 now = g_get_monotonic_time ();
  int output = vg_operation_find_objects (vg_session_get_operation (self->session));

  if (self->pipeline == NULL || self->result == NULL || output < 0 ||
      self->result->operation != vg_session_get_operation (self->session) || self->asking ||
      !is_wanted (self) || self->of_us == self->result->finished_us ||
      ((!self->result->final || self->of_us == 0) && now - self->asked_us < WORKING_US))
    return;
  self->asking = TRUE;
  self->asked_us = now;
  self->of_us = self->result->finished_us;
  self->serial = self->result->serial;
  self->generation = self->result->generation;
  vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_TEXT, .output = output },
                           NULL, on_text, g_object_ref (self));
}

/* ---- choosing ---- */

/* NUMBER is of the current result.  Only a list of that result has the seed of the object. */
static void
choose (VgObjectSelection *self, guint32 number)
{
  gboolean listed = self->result != NULL && !self->asking &&
                    self->of_us == self->result->finished_us;

  self->chosen = number;
  note_seed (self, listed ? find_row (self, number) : NULL);
  self->serial = self->result != NULL ? self->result->serial : 0;
  self->generation = self->result != NULL ? self->result->generation : 0;
  vg_image_view_choose_object (self->image, number);
  vg_object_table_select (self->table, number);
  vg_object_selection_refresh (self);
}

void
vg_object_selection_clear (VgObjectSelection *self)
{
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  vg_object_table_set_note (self->table, NULL);
  self->of_us = self->asked_us = 0;
  choose (self, 0);
}

static void
on_number (GObject *source, GAsyncResult *answer, gpointer data)
{
  g_autoptr (VgObjectSelection) self = data;
  g_autofree double *value = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);
  double number = value ? *value : 0;

  if (self->pipeline != NULL)
    choose (self, number >= 1 && number <= G_MAXUINT32 ? (guint32) number : 0);
}

void
vg_object_selection_choose_at (VgObjectSelection *self, double x, double y)
{
  int output = vg_object_selection_get_output (self);

  if (self->pipeline != NULL && output >= 0)
    vg_pipeline_query_async (self->pipeline,
                             &(VgQuery){ .kind = VG_QUERY_VALUE,
                                         .output = output,
                                         .x = floor (x),
                                         .y = floor (y),
                                         .slice = vg_session_get_view (self->session)->slice },
                             NULL, on_number, g_object_ref (self));
}

/* Centres the image on the object. */
static void
center_on (VgObjectSelection *self, VgObjectRow *row, double zoom)
{
  VgView view = *vg_session_get_view (self->session);
  VgPoint at = get_point (self, row, VG_OBJECT_X);

  view.center_x = at.x;
  view.center_y = at.y;
  view.zoom = zoom;
  vg_session_set_view (self->session, &view);
}

static void
on_chosen (VgObjectSelection *self, guint number)
{
  VgObjectRow *row = find_row (self, number);

  self->chosen = number;
  note_seed (self, row);
  vg_image_view_choose_object (self->image, number);
  if (row != NULL && vg_session_get_view (self->session)->zoom > 0)
    center_on (self, row, vg_session_get_view (self->session)->zoom);
}

/* ---- for corrections ---- */

GArray *
vg_object_selection_list (VgObjectSelection *self)
{
  const VgObjects *list = find_list (self);
  GArray *objects;
  guint doubt = 0;

  if (list == NULL || self->rows == NULL || self->result == NULL || self->asking ||
      self->of_us != self->result->finished_us)
    return NULL;
  while (list->columns[doubt].id != NULL && g_strcmp0 (list->columns[doubt].id, list->doubt) != 0)
    doubt++;
  objects = g_array_new (FALSE, FALSE, sizeof (VgCorrectionObject));
  for (guint i = 0; i < self->rows->len; i++)
    {
      VgObjectRow *row = self->rows->pdata[i];
      VgCorrectionObject object = {
        .number = vg_object_row_get_number (row),
        .seed = get_point (self, row, VG_OBJECT_SEED_X),
        .middle = get_point (self, row, VG_OBJECT_X),
        .doubt = list->columns[doubt].id != NULL ? vg_object_row_get_value (row, doubt) : NAN,
      };

      g_array_append_val (objects, object);
    }
  return objects;
}

guint32
vg_object_selection_get_chosen (VgObjectSelection *self)
{
  return self->chosen;
}

void
vg_object_selection_show (VgObjectSelection *self, guint32 number)
{
  VgObjectRow *row = find_row (self, number);

  choose (self, number);
  if (row != NULL)
    center_on (self, row, MAX (CLOSE_ZOOM, vg_image_view_get_zoom (self->image)));
}

static void
on_activated (VgObjectSelection *self, guint number)
{
  VgObjectRow *row = find_row (self, number);

  if (row != NULL)
    center_on (self, row, MAX (4, vg_image_view_get_zoom (self->image)));
}

/* Removes the chosen object by a point that excludes its seed; undo restores it. */
static void
on_remove (VgObjectSelection *self)
{
  VgObjectRow *row = find_row (self, self->chosen);
  VgPoint seed;

  if (row == NULL)
    return;
  seed = get_point (self, row, VG_OBJECT_SEED_X);
  if (vg_image_view_take_out (self->image, seed.x, seed.y))
    choose (self, 0);
}

static gboolean
on_table_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              VgObjectSelection *self)
{
  if ((key != GDK_KEY_Delete && key != GDK_KEY_KP_Delete) || self->chosen == 0)
    return FALSE;
  on_remove (self);
  return TRUE;
}

void
vg_object_selection_set_image (VgObjectSelection *self, VgImageView *image)
{
  self->image = image;
  vg_connect (image, "remove-object", on_remove, self);
}

void
vg_object_selection_set_pipeline (VgObjectSelection *self, VgPipeline *pipeline)
{
  g_set_object (&self->pipeline, pipeline);
}

void
vg_object_selection_set_pointer_inside (VgObjectSelection *self, gboolean inside)
{
  self->pointer_inside = inside;
}

static void
vg_object_selection_dispose (GObject *object)
{
  VgObjectSelection *self = VG_OBJECT_SELECTION (object);

  g_clear_object (&self->session);
  g_clear_object (&self->pipeline);
  g_clear_pointer (&self->result, vg_result_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  G_OBJECT_CLASS (vg_object_selection_parent_class)->dispose (object);
}

static void
vg_object_selection_class_init (VgObjectSelectionClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_object_selection_dispose;
  vg_signal_new (VG_TYPE_OBJECT_SELECTION, "listed", 0);
}

static void
vg_object_selection_init (VgObjectSelection *self)
{
}

VgObjectSelection *
vg_object_selection_new (VgSession *session, GtkWidget *table)
{
  VgObjectSelection *self = g_object_new (VG_TYPE_OBJECT_SELECTION, NULL);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->session = g_object_ref (session);
  self->table = VG_OBJECT_TABLE (table);
  vg_connect (session, "changed", on_changed, self);
  vg_connect (table, "chosen", on_chosen, self);
  vg_connect (table, "activated", on_activated, self);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_table_key), self, 0);
  gtk_widget_add_controller (table, keys);
  return self;
}
