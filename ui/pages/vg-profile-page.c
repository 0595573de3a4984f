/* SPDX-License-Identifier: MIT */
#include "ui/pages/vg-profile-page.h"
#include "ui/words/vg-translation.h"
#include "app/profile/vg-line-profile.h"
#include "ui/common/vg-widgets.h"
#include "ui/pages/vg-kymograph-view.h"
#include "ui/pages/vg-plot-page.h"

struct _VgProfilePage
{
  VgBin parent_instance;
  VgSession *session;
  VgRulerLayer *ruler; /* weak; NULL: there is no image */
  GtkWidget *page, *width;
  GtkWidget *course, *kymograph; /* the switch for the kymograph, and that */
  GCancellable *cancellable;     /* of the request under way */
  gboolean asking;
  gboolean stale; /* line, width, map or slice are others */
  guint result;   /* number of the result requested last */
};

G_DEFINE_FINAL_TYPE (VgProfilePage, vg_profile_page, VG_TYPE_BIN)

static void
show (VgProfilePage *self, VgCurves *curves)
{
  if (curves != NULL)
    vg_curves_in_length (curves, vg_session_get_view (self->session)->length_unit);
  vg_plot_page_set_curves (VG_PLOT_PAGE (self->page), curves);
}

/* A request under way. */
typedef struct
{
  VgProfilePage *self;
  GCancellable *cancellable;
} Waiting;

static void
on_curves (GObject *source, GAsyncResult *result, gpointer data)
{
  Waiting *waiting = data;
  g_autoptr (VgProfilePage) self = waiting->self;
  g_autoptr (VgCurves) curves = vg_pipeline_query_finish (VG_PIPELINE (source), result, NULL);
  gboolean wanted = !g_cancellable_is_cancelled (waiting->cancellable);

  g_object_unref (waiting->cancellable);
  g_free (waiting);
  if (!wanted)
    return;
  self->asking = FALSE;
  show (self, g_steal_pointer (&curves));
}

/* Follows LINE (NULL: there is none) over time, if that is wanted. */
static void
follow (VgProfilePage *self, VgPipeline *pipeline, const VgProfileLine *line)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const guint output = (guint) vg_session_get_view (self->session)->output;
  VgImageInfo info;
  const gboolean timed = operation->input.kind == VG_INPUT_STREAM &&
                         !(vg_pipeline_get_info (pipeline, &info) && info.frames == 1);
  const gboolean on = timed && gtk_switch_get_active (GTK_SWITCH (self->course));
  g_autoptr (VgKymograph) kymograph = vg_pipeline_follow_line (pipeline, output, on ? line : NULL);

  gtk_widget_set_visible (gtk_widget_get_parent (self->course), timed);
  vg_kymograph_view_show (VG_KYMOGRAPH_VIEW (self->kymograph), kymograph,
                          &operation->outputs[output], vg_session_get_display (self->session));
}

void
vg_profile_page_refresh (VgProfilePage *self, VgPipeline *pipeline, guint result)
{
  const VgView *view = vg_session_get_view (self->session);
  VgProfileLine line = {
    .slice = view->slice, .width = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->width))
  };
  gboolean drawn = self->ruler != NULL && vg_ruler_layer_get_line (self->ruler, line.x, line.y);
  Waiting *waiting;

  follow (self, pipeline, drawn && vg_line_profile_count (&line) > 0 ? &line : NULL);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->asking ||
      (!self->stale && self->result == result))
    return;
  self->stale = FALSE;
  self->result = result;
  if (!drawn)
    {
      show (self, NULL);
      return;
    }
  waiting = g_new (Waiting, 1);
  *waiting = (Waiting){ g_object_ref (self), g_object_ref (self->cancellable) };
  self->asking = TRUE;
  vg_pipeline_query_async (
      pipeline, &(VgQuery){ .kind = VG_QUERY_PROFILE, .output = view->output, .line = line },
      self->cancellable, on_curves, waiting);
}

static void
set_stale (VgProfilePage *self)
{
  self->stale = TRUE;
}

/* Of other data or another view nothing is shown until it has come. */
static void
on_changed (VgProfilePage *self, guint flags)
{
  self->stale = TRUE;
  if (!(flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS)))
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->asking = FALSE;
  show (self, NULL);
}

static void
on_message (VgProfilePage *self, gboolean failed, const char *text)
{
  g_signal_emit_by_name (self, "message", failed, text);
}

void
vg_profile_page_set_ruler (VgProfilePage *self, VgRulerLayer *ruler)
{
  g_set_weak_pointer (&self->ruler, ruler);
  vg_connect (ruler, "changed", set_stale, self);
  self->stale = TRUE;
}

static void
vg_profile_page_dispose (GObject *object)
{
  VgProfilePage *self = VG_PROFILE_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_weak_pointer (&self->ruler);
  G_OBJECT_CLASS (vg_profile_page_parent_class)->dispose (object);
}

static void
vg_profile_page_finalize (GObject *object)
{
  g_clear_object (&VG_PROFILE_PAGE (object)->cancellable);
  G_OBJECT_CLASS (vg_profile_page_parent_class)->finalize (object);
}

static void
vg_profile_page_class_init (VgProfilePageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_profile_page_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_profile_page_finalize;
  vg_signal_new (VG_TYPE_PROFILE_PAGE, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_profile_page_init (VgProfilePage *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->cancellable = g_cancellable_new ();
  self->stale = TRUE;
  self->page = vg_plot_page_new (
      _ ("Profile"), _ ("Draw a line with the ruler (D) to plot the values of the map along it."),
      TRUE);
  self->width = vg_number_entry_new (1, VG_PROFILE_MOST_WIDTH, 1, TRUE);
  vg_widget_describe (self->width, _ ("Line width"),
                      _ ("Number of pixels across the line over which the values are averaged"));
  gtk_box_append (GTK_BOX (line), vg_label_new (_ ("Line width, px"), NULL));
  gtk_box_append (GTK_BOX (line), self->width);
  vg_plot_page_add (VG_PLOT_PAGE (self->page), line);
  self->course = vg_switch_new (G_CALLBACK (set_stale), self);
  self->kymograph = vg_kymograph_view_new ();
  vg_plot_page_add (VG_PLOT_PAGE (self->page),
                    vg_line_new (_ ("_Over time"), self->course, _ ("Over time"),
                                 _ ("Also shows how the values along the line change: a row for "
                                    "each map, the newest at the bottom")));
  vg_plot_page_add_head (VG_PLOT_PAGE (self->page), self->kymograph);
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
  vg_connect (self->page, "message", on_message, self);
  vg_connect (self->kymograph, "message", on_message, self);
  vg_connect (self->width, "value-changed", set_stale, self);
}

GtkWidget *
vg_profile_page_new (VgSession *session)
{
  VgProfilePage *self = g_object_new (VG_TYPE_PROFILE_PAGE, NULL);

  self->session = vg_hold (self, session);
  vg_connect (session, "changed", on_changed, self);
  vg_connect (self, "map", set_stale, self);
  return GTK_WIDGET (self);
}
