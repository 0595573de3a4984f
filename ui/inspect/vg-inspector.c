/* SPDX-License-Identifier: MIT */
#include "ui/inspect/vg-inspector.h"
#include <math.h>
#include <string.h>
#include "app/region/vg-region-group.h"
#include "app/reading/vg-reading.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/inspect/vg-inspected.h"
#include "ui/inspect/vg-reading-text.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/picture/vg-card.h"

/* Live data ask no more often than this. */
enum { ASK_US = 180000 };
/* a choice more is "Only Measure" */
enum { REST_US = 700000, REST_PX = 1, AWAY_PX = 18, MOST_CHOICES = 8 };

typedef enum { SHOWS_NOTHING, SHOWS_PIXEL, SHOWS_REST, SHOWS_REGION } Shows;

/* The pointer over the picture, px. */
typedef struct
{
  double x, y;
  int slice;
  gboolean inside;
  gint64 since_us; /* when it came there */
} Pointer;

struct _VgInspector
{
  GObject parent_instance;
  VgSession *session;
  VgObjectSelection *objects;
  VgPipeline *pipeline; /* NULL: the window is closing */
  VgResult *result;     /* the newest; NULL: none */
  VgImageView *image;
  VgCompareBar *compare;             /* borrowed */
  GtkWidget *card, *room, *messages; /* room NULL: the card is beside the pixel */
  Pointer pointer;
  Shows shows;
  double x, y; /* of the pixel, px */
  int slice;
  int region;           /* that was selected last; -1: none */
  GCancellable *asking; /* a request is under way; NULL: none */
  gint64 asked_us;
  gint64 of_us; /* when the result was finished that the card is of; 0: of none */
  const VgParam *choices[MOST_CHOICES + 1]; /* NULL after the last */
};

G_DEFINE_FINAL_TYPE (VgInspector, vg_inspector, G_TYPE_OBJECT)

static int
selected_region (VgInspector *self)
{
  for (guint i = 0; i < vg_session_get_n_regions (self->session); i++)
    if (vg_session_get_region (self->session, i)->selected)
      return (int) i;
  return -1;
}

/* An answer that is under way is of something else. */
static void
forget (VgInspector *self)
{
  if (self->asking != NULL)
    g_cancellable_cancel (self->asking);
  g_clear_object (&self->asking);
  self->of_us = self->asked_us = 0;
}

static void
hide (VgInspector *self)
{
  forget (self);
  self->shows = SHOWS_NOTHING;
  gtk_widget_set_visible (self->card, FALSE);
}

/* ---- what the card says ---- */

static void
show_reading (VgInspector *self, const VgReading *reading)
{
  const VgInspected inspected = { .session = self->session,
                                  .objects = self->objects,
                                  .compare = self->compare,
                                  .result = self->result,
                                  .region = self->shows == SHOWS_REGION ? self->region : -1,
                                  .x = self->x,
                                  .y = self->y,
                                  .slice = self->slice };
  gboolean any = vg_inspected_tell (&inspected, reading, VG_CARD (self->card));

  /* where nothing was computed, the card appears only if the user asks for it */
  gtk_widget_set_visible (self->card,
                          any && (vg_reading_has_numbers (reading) || self->shows != SHOWS_REST));
}

/* The settings that take a region, in the order of their table. */
static void
show_choices (VgInspector *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const void *params = vg_session_get_params (self->session);
  const char *texts[MOST_CHOICES + 2] = { NULL };
  const VgRegion *shape = NULL;
  guint n = 0;

  memset (self->choices, 0, sizeof self->choices);
  if (self->shows == SHOWS_REGION)
    shape = &vg_session_get_region (self->session, (guint) self->region)->region;
  for (guint i = 0; shape != NULL && i < operation->params.n_items && n < MOST_CHOICES; i++)
    {
      const VgParam *param = &operation->params.items[i];

      if ((param->kind != VG_PARAM_REGION &&
           !(param->kind == VG_PARAM_FILE && param->file.or_region)) ||
          !vg_param_is_shown (&operation->params, param, params))
        continue;
      if (vg_session_param_is_region (param, params, shape))
        {
          vg_card_set_choices (VG_CARD (self->card), NULL, NULL);
          return; /* it is used already */
        }
      self->choices[n] = param;
      texts[n++] = vg_translate (param->label);
    }
  if (n > 0)
    texts[n] = _ ("Only Measure");
  vg_card_set_choices (VG_CARD (self->card), _ ("Use as"), texts);
}

static void
on_chosen (VgInspector *self, int choice)
{
  const VgParam *param;

  if (self->shows != SHOWS_REGION || choice < 0 || choice > MOST_CHOICES ||
      self->region >= (int) vg_session_get_n_regions (self->session))
    return;
  param = self->choices[choice]; /* using the region shows other choices */
  vg_card_set_choices (VG_CARD (self->card), NULL, NULL);
  if (param == NULL)
    return;
  vg_session_commit_waiting (self->session);
  vg_session_use_region (self->session, param, (guint) self->region);
  vg_session_commit (self->session, param->label);
}

/* ---- requests ---- */

typedef struct
{
  VgInspector *self;
  GCancellable *asking;
  gint64 of_us;
} Request;

static void
on_reading (GObject *source, GAsyncResult *answer, gpointer data)
{
  Request *request = data;
  VgInspector *self = request->self;
  g_autoptr (VgReading) reading = vg_pipeline_query_finish (VG_PIPELINE (source), answer, NULL);

  if (!g_cancellable_is_cancelled (request->asking))
    {
      g_clear_object (&self->asking);
      self->of_us = request->of_us;
      if (self->pipeline != NULL && reading != NULL && reading->items->len > 0)
        show_reading (self, reading);
      else
        gtk_widget_set_visible (self->card, FALSE);
    }
  g_object_unref (request->asking);
  g_object_unref (self);
  g_free (request);
}

static gboolean
can_ask (VgInspector *self)
{
  const VgView *view = vg_session_get_view (self->session);

  return self->shows != SHOWS_NOTHING && self->asking == NULL && self->pipeline != NULL &&
         self->result != NULL && self->result->plane.data != NULL && !self->result->input_only &&
         self->result->operation == vg_session_get_operation (self->session) &&
         self->result->output == view->output && self->result->finished_us != self->of_us &&
         g_get_monotonic_time () - self->asked_us >= ASK_US;
}

static void
ask (VgInspector *self)
{
  VgQuery query = { .kind = VG_QUERY_READING, .x = self->x, .y = self->y, .slice = self->slice };
  g_autofree const VgNamedRegion **parts = NULL;
  Request *request;
  VgRegion shape;

  if (!can_ask (self))
    return;
  query.output = self->result->output;
  if (self->shows == SHOWS_REGION)
    {
      shape = vg_session_get_shape (self->session, (guint) self->region);
      query.region = &shape;
      query.regions = parts = vg_region_group_with (self->session, (guint) self->region);
    }
  self->asked_us = g_get_monotonic_time ();
  self->asking = g_cancellable_new ();
  request = g_new (Request, 1);
  *request = (Request){ g_object_ref (self), g_object_ref (self->asking),
                        self->result->finished_us };
  vg_pipeline_query_async (self->pipeline, &query, self->asking, on_reading, request);
}

/* ---- where the card is ---- */

/* TRUE, and the card is in the room that was set for it, if that is on the screen. */
static gboolean
place_in_room (VgInspector *self)
{
  graphene_rect_t room;

  if (self->room == NULL || !gtk_widget_get_mapped (self->room) ||
      !gtk_widget_compute_bounds (self->room, gtk_widget_get_parent (self->card), &room))
    return FALSE;
  gtk_widget_set_margin_start (self->card, (int) MAX (room.origin.x, 0));
  gtk_widget_set_margin_top (self->card, (int) MAX (room.origin.y, 0));
  return TRUE;
}

/* The lower edge of the messages, px. */
static double
find_top (VgInspector *self)
{
  graphene_rect_t place;

  return self->messages != NULL && gtk_widget_compute_bounds (
                                       self->messages, gtk_widget_get_parent (self->card), &place)
             ? MAX (place.origin.y + place.size.height, 0)
             : 0;
}

/* Beside the pixel or the region, on the side that has room, or else below or above; never over the
 * colour bar, which has a lock and limits to drag. */
static void
place (VgInspector *self)
{
  GtkWidget *image = GTK_WIDGET (self->image);
  double top = find_top (self);
  int width, height, room_x = gtk_widget_get_width (image) - vg_image_view_get_bar (self->image),
                     room_y = gtk_widget_get_height (image);
  VgPoint low = { self->x, self->y }, high = low, a, b;
  double x, y;

  if (place_in_room (self))
    return;
  room_y -= vg_compare_bar_get_room (self->compare);
  if (self->shows == SHOWS_REGION)
    vg_region_shape_box (&vg_session_get_region (self->session, (guint) self->region)->region, &low,
                         &high);
  a = vg_image_view_locate (self->image, low);
  b = vg_image_view_locate (self->image, high);
  gtk_widget_measure (self->card, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &width, NULL, NULL);
  gtk_widget_measure (self->card, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  width -= gtk_widget_get_margin_start (self->card); /* a measure contains the margins */
  height -= gtk_widget_get_margin_top (self->card);
  x = MAX (a.x, b.x) + AWAY_PX;
  y = MIN (a.y, b.y) - AWAY_PX;
  if (x + width > room_x)
    x = MIN (a.x, b.x) - AWAY_PX - width;
  if (x < 0) /* no side has room */
    {
      x = MIN (a.x, b.x);
      y = MAX (a.y, b.y) + AWAY_PX;
      if (y + height > room_y)
        y = MIN (a.y, b.y) - AWAY_PX - height;
    }
  x = CLAMP (x, 0, MAX (room_x - width, 0));
  y = CLAMP (y, top, MAX (room_y - height, top));
  if (gtk_widget_get_margin_start (self->card) != (int) x)
    gtk_widget_set_margin_start (self->card, (int) x);
  if (gtk_widget_get_margin_top (self->card) != (int) y)
    gtk_widget_set_margin_top (self->card, (int) y);
}

static void
show (VgInspector *self, Shows what)
{
  forget (self);
  self->shows = what;
  vg_card_set_pinned (VG_CARD (self->card), what != SHOWS_REST);
  show_choices (self);
  ask (self);
}

/* ---- what it follows ---- */

void
vg_inspector_set_pointer (VgInspector *self, double x, double y, int slice, gboolean inside)
{
  const Pointer *before = &self->pointer;
  gboolean moved = !inside || !before->inside || slice != before->slice ||
                   fabs (x - before->x) > REST_PX || fabs (y - before->y) > REST_PX;

  if (!moved)
    return; /* the value under it changed */
  self->pointer = (Pointer){ x, y, slice, inside, g_get_monotonic_time () };
  if (self->shows == SHOWS_REST)
    hide (self);
}

void
vg_inspector_choose_pixel (VgInspector *self, double x, double y)
{
  if (self->image == NULL)
    return;
  self->x = x;
  self->y = y;
  self->slice = vg_session_get_view (self->session)->slice;
  show (self, SHOWS_PIXEL);
}

static void
look_at_pointer (VgInspector *self)
{
  const Pointer *pointer = &self->pointer;

  if (self->shows != SHOWS_NOTHING || !pointer->inside || self->image == NULL ||
      vg_image_view_get_tool (self->image) != VG_TOOL_PAN || vg_image_view_is_held (self->image) ||
      g_get_monotonic_time () < pointer->since_us ||
      g_get_monotonic_time () - pointer->since_us < REST_US)
    return;
  self->x = pointer->x < 0 ? -1 - floor (pointer->x) : pointer->x;
  self->y = pointer->y;
  self->slice = pointer->slice;
  show (self, SHOWS_REST);
}

void
vg_inspector_refresh (VgInspector *self)
{
  if (self->shows == SHOWS_PIXEL && self->slice != vg_session_get_view (self->session)->slice)
    hide (self); /* another slice is shown */
  look_at_pointer (self);
  ask (self);
  if (self->shows != SHOWS_NOTHING && gtk_widget_get_visible (self->card))
    place (self);
}

gboolean
vg_inspector_close (VgInspector *self)
{
  gboolean pinned = self->shows == SHOWS_PIXEL || self->shows == SHOWS_REGION;

  if (pinned)
    hide (self);
  self->pointer.since_us = G_MAXINT64; /* it does not come back before the pointer moves */
  return pinned;
}

/* A region that is selected while the user works in the picture has the card. */
static void
on_changed (VgInspector *self, guint flags)
{
  int before = self->region, now = selected_region (self);
  gboolean in_picture = self->image != NULL && self->result != NULL &&
                        (self->pointer.inside || gtk_widget_has_focus (GTK_WIDGET (self->image)));

  self->region = now;
  if (flags & VG_CHANGED_OPERATION)
    hide (self);
  else if (now >= 0 && now != before && in_picture)
    show (self, SHOWS_REGION);
  else if (self->shows == SHOWS_REGION && now < 0)
    hide (self);
  else if (self->shows == SHOWS_REGION &&
           (flags & (VG_CHANGED_REGIONS | VG_CHANGED_PARAMS | VG_CHANGED_VIEW)) != 0)
    {
      if (flags & (VG_CHANGED_REGIONS | VG_CHANGED_PARAMS))
        show_choices (self);
      forget (self);
    }
}

void
vg_inspector_set_result (VgInspector *self, VgResult *result)
{
  if (result != NULL)
    vg_result_ref (result);
  g_clear_pointer (&self->result, vg_result_unref);
  self->result = result;
  if (result == NULL)
    hide (self);
}

void
vg_inspector_set_pipeline (VgInspector *self, VgPipeline *pipeline)
{
  g_set_object (&self->pipeline, pipeline);
}

void
vg_inspector_set_image (VgInspector *self, VgImageView *image)
{
  self->image = image;
  if (image == NULL)
    hide (self);
}

void
vg_inspector_set_room (VgInspector *self, GtkWidget *room)
{
  self->room = room;
}

void
vg_inspector_set_messages (VgInspector *self, GtkWidget *messages)
{
  self->messages = messages;
}

GtkWidget *
vg_inspector_get_card (VgInspector *self)
{
  return self->card;
}

static void
vg_inspector_dispose (GObject *object)
{
  VgInspector *self = VG_INSPECTOR (object);

  forget (self);
  g_clear_object (&self->session);
  g_clear_object (&self->objects);
  g_clear_object (&self->pipeline);
  g_clear_object (&self->card);
  g_clear_pointer (&self->result, vg_result_unref);
  G_OBJECT_CLASS (vg_inspector_parent_class)->dispose (object);
}

static void
vg_inspector_class_init (VgInspectorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_inspector_dispose;
}

static void
vg_inspector_init (VgInspector *self)
{
  self->card = g_object_ref_sink (vg_card_new ());
  self->region = -1;
  gtk_widget_set_visible (self->card, FALSE);
}

VgInspector *
vg_inspector_new (VgSession *session, VgObjectSelection *objects, VgCompareBar *compare)
{
  VgInspector *self = g_object_new (VG_TYPE_INSPECTOR, NULL);

  self->session = g_object_ref (session);
  self->objects = g_object_ref (objects);
  vg_connect (session, "changed", on_changed, self);
  self->compare = compare;
  vg_connect (objects, "listed", forget, self);
  vg_connect (compare, "changed", forget, self);
  vg_connect (self->card, "closed", vg_inspector_close, self);
  vg_connect (self->card, "chosen", on_chosen, self);
  return self;
}
