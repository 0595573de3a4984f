/* SPDX-License-Identifier: MIT */
#include "ui/scatter/vg-scatter-page.h"
#include "app/scatter/vg-scatter-text.h"
#include "ui/choosers/vg-file-chooser.h"
#include "ui/common/vg-number-format.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-turn-box.h"
#include "ui/common/vg-widgets.h"
#include "ui/scatter/vg-map-choice.h"
#include "ui/scatter/vg-range-popover.h"
#include "ui/scatter/vg-scatter-note.h"
#include "ui/scatter/vg-scatter-view.h"

struct _VgScatterPage
{
  VgBin parent_instance;
  VgSession *session;
  VgTintLayer *layer; /* weak; NULL: no image */
  GtkWidget *view, *summary_label, *maps[2], *range, *clear;
  VgMapPair *pair;           /* of the maps in `outputs`; NULL: none yet */
  VgScatterDrawing *drawing; /* NULL: none yet */
  int outputs[2];            /* that were requested */
  GCancellable *cancellable; /* of the requests under way */
  gboolean asking, drawing_now;
  gboolean again; /* region or lasso have changed while it was drawn */
  gboolean stale; /* the maps must be requested, whatever the result */
  guint result;   /* number of the result requested last */
  int slice;
};

G_DEFINE_FINAL_TYPE (VgScatterPage, vg_scatter_page, VG_TYPE_BIN)

/* ---- summary ---- */

static const char *
name_map (VgScatterPage *self, int k)
{
  return vg_translate (vg_operation_output_label (vg_session_get_operation (self->session),
                                                  (guint) self->outputs[k],
                                                  vg_session_get_params (self->session)));
}

static const char *
unit_of_map (VgScatterPage *self, int k)
{
  return vg_operation_output_unit (vg_session_get_operation (self->session),
                                   (guint) self->outputs[k], vg_session_get_params (self->session));
}

/* The samples are objects, not pixels. */
static gboolean
has_objects (VgScatterPage *self)
{
  return self->pair != NULL && self->pair->counted != NULL;
}

static void
show_summary (VgScatterPage *self)
{
  const VgScatter *scatter = self->drawing != NULL ? self->drawing->scatter : NULL;
  g_autofree char *text = NULL;

  if (scatter != NULL)
    text = vg_scatter_note (scatter, has_objects (self),
                            (const char *const[]){ name_map (self, 0), name_map (self, 1) },
                            (const char *const[]){ unit_of_map (self, 0), unit_of_map (self, 1) });
  else
    text = g_strdup ("");
  if (g_str_equal (gtk_label_get_text (GTK_LABEL (self->summary_label)), text))
    return;
  gtk_label_set_text (GTK_LABEL (self->summary_label), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

/* Only while the page is visible: without its plot nothing explains the tint. */
static void
show_tint (VgScatterPage *self)
{
  if (self->layer != NULL)
    vg_tint_layer_set_texture (self->layer,
                               self->drawing != NULL && gtk_widget_get_mapped (GTK_WIDGET (self))
                                   ? self->drawing->tint
                                   : NULL);
}

static void
show (VgScatterPage *self)
{
  VgCurves *curves = NULL;

  if (self->drawing != NULL)
    curves = vg_curves_new (NULL, name_map (self, 0), unit_of_map (self, 0), name_map (self, 1),
                            unit_of_map (self, 1));
  vg_scatter_view_set (VG_SCATTER_VIEW (self->view), self->drawing, curves);
  show_summary (self);
  show_tint (self);
}

static void
show_nothing (VgScatterPage *self, const char *why)
{
  vg_scatter_view_set_empty_text (VG_SCATTER_VIEW (self->view), why);
  g_clear_pointer (&self->drawing, vg_scatter_drawing_free);
  g_clear_pointer (&self->pair, vg_map_pair_unref);
  show (self);
}

/* ---- requests ---- */

/* Answers under way are dropped. */
static void
forget_requests (VgScatterPage *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->asking = self->drawing_now = self->again = FALSE;
  self->stale = TRUE;
}

/* A request under way: SELF, and whether its answer is still wanted. */
typedef struct
{
  VgScatterPage *self;
  GCancellable *cancellable;
} Waiting;

static Waiting *
waiting_new (VgScatterPage *self)
{
  Waiting *waiting = g_new (Waiting, 1);

  *waiting = (Waiting){ g_object_ref (self), g_object_ref (self->cancellable) };
  return waiting;
}

/* Frees WAITING; NULL: the answer is not wanted any more. */
static VgScatterPage *
waiting_end (Waiting *waiting)
{
  VgScatterPage *self = waiting->self;
  gboolean wanted = !g_cancellable_is_cancelled (waiting->cancellable);

  g_object_unref (waiting->cancellable);
  g_free (waiting);
  if (!wanted)
    g_clear_object (&self);
  return self;
}

static void start_drawing (VgScatterPage *self);

static void
on_drawn (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (VgScatterDrawing) drawing = vg_scatter_drawing_new_finish (result);
  g_autoptr (VgScatterPage) self = waiting_end (data);

  if (self == NULL || drawing == NULL)
    return;
  self->drawing_now = FALSE;
  g_clear_pointer (&self->drawing, vg_scatter_drawing_free);
  self->drawing = g_steal_pointer (&drawing);
  show (self);
  if (self->again)
    start_drawing (self);
}

/* The selected region of the slice in sight; NULL: none. */
static const VgNamedRegion *
find_region (VgScatterPage *self)
{
  int slice = vg_session_get_view (self->session)->slice;

  for (guint i = 0; i < vg_session_get_n_regions (self->session); i++)
    {
      const VgNamedRegion *region = vg_session_get_region (self->session, i);

      if (region->selected && region->region.slice == slice)
        return region;
    }
  return NULL;
}

static void
start_drawing (VgScatterPage *self)
{
  const VgNamedRegion *region = find_region (self);
  VgScatterRequest request = { .pair = self->pair };

  self->again = self->drawing_now;
  if (self->pair == NULL || self->drawing_now)
    return;
  request.lasso = *vg_scatter_view_get_lasso (VG_SCATTER_VIEW (self->view));
  request.has_range = self->drawing != NULL;
  if (self->drawing != NULL)
    request.range = self->drawing->scatter->range;
  if (region != NULL)
    {
      request.region = region->region;
      memcpy (request.rgb, region->rgb, sizeof request.rgb);
    }
  self->drawing_now = TRUE;
  vg_scatter_drawing_new_async (&request, self->cancellable, on_drawn, waiting_new (self));
}

static void
on_pair (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgMapPair) pair = vg_pipeline_query_finish (VG_PIPELINE (source), result, &error);
  g_autoptr (VgScatterPage) self = waiting_end (data);

  if (self == NULL)
    return;
  self->asking = FALSE;
  if (pair == NULL)
    {
      show_nothing (self, error->message);
      return;
    }
  g_clear_pointer (&self->pair, vg_map_pair_unref);
  self->pair = g_steal_pointer (&pair);
  start_drawing (self);
}

void
vg_scatter_page_refresh (VgScatterPage *self, VgPipeline *pipeline, guint result)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->asking || self->drawing_now ||
      (!self->stale && self->result == result))
    return;
  for (int k = 0; k < 2; k++)
    self->outputs[k] = vg_map_choice_get (VG_MAP_CHOICE (self->maps[k]));
  if (self->outputs[0] < 0 || self->outputs[1] < 0)
    {
      show_nothing (self, _ ("These settings give no map to plot."));
      return;
    }
  self->asking = TRUE;
  self->stale = FALSE;
  self->result = result;
  vg_pipeline_query_async (pipeline,
                           &(VgQuery){ .kind = VG_QUERY_MAP_PAIR,
                                       .output = self->outputs[0],
                                       .other_output = self->outputs[1],
                                       .slice = vg_session_get_view (self->session)->slice },
                           self->cancellable, on_pair, waiting_new (self));
}

/* ---- changes ---- */

/* Other maps: the lasso, which is in their units, goes. */
static void
on_maps (VgScatterPage *self)
{
  forget_requests (self);
  show_nothing (self, _ ("Nothing to plot yet."));
  vg_scatter_view_set_lasso (VG_SCATTER_VIEW (self->view), NULL);
}

static void
on_changed (VgScatterPage *self, guint flags)
{
  int slice = vg_session_get_view (self->session)->slice;

  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    on_maps (self);
  else if (slice != self->slice || flags & VG_CHANGED_PARAMS)
    self->stale = TRUE;
  else if (flags & VG_CHANGED_REGIONS)
    start_drawing (self);
  self->slice = slice;
}

static void
on_lasso (VgScatterPage *self)
{
  const VgRegion *lasso = vg_scatter_view_get_lasso (VG_SCATTER_VIEW (self->view));

  gtk_widget_set_sensitive (self->clear, lasso->kind != VG_REGION_NONE);
  start_drawing (self);
}

static void
on_range (VgScatterPage *self)
{
  VgRegion lasso = vg_range_popover_get (VG_RANGE_POPOVER (self->range));

  vg_scatter_view_set_lasso (VG_SCATTER_VIEW (self->view), &lasso);
}

/* The entries begin with the ends of the axes. */
static void
on_range_shown (VgScatterPage *self)
{
  if (self->drawing != NULL)
    vg_range_popover_set (VG_RANGE_POPOVER (self->range), self->drawing->scatter->range.low,
                          self->drawing->scatter->range.high);
}

static void
on_clear (VgScatterPage *self)
{
  vg_scatter_view_set_lasso (VG_SCATTER_VIEW (self->view), NULL);
}

static void
on_map (VgScatterPage *self)
{
  self->stale = TRUE;
  show_tint (self);
}

/* ---- saving ---- */

static void
on_copy (VgScatterPage *self)
{
  g_autofree char *text = NULL;

  if (self->drawing != NULL)
    text = vg_scatter_to_csv (
        self->drawing->scatter, (const char *const[]){ name_map (self, 0), name_map (self, 1) },
        (const char *const[]){ unit_of_map (self, 0), unit_of_map (self, 1) });
  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  g_signal_emit_by_name (self, "message", text == NULL,
                         text != NULL ? _ ("The plot's numbers were copied")
                                      : _ ("The plot is empty, so there is nothing to copy"));
}

static void
on_saved (gpointer asker, GListModel *files)
{
  VgScatterPage *self = asker;
  g_autoptr (GFile) file = g_list_model_get_item (files, 0);
  g_autofree char *path = g_file_get_path (file), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (vg_scatter_view_save (VG_SCATTER_VIEW (self->view), path, &error))
    text = g_strdup_printf (_ ("Saved \"%s\""), path);
  g_signal_emit_by_name (self, "message", text == NULL, text != NULL ? text : error->message);
}

static void
on_save (VgScatterPage *self)
{
  const VgFileQuestion question = { .title = _ ("Save the plot: .png, .svg or .pdf"),
                                    .accept = "_Save",
                                    .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                    .name = "scatter.png" };

  vg_file_chooser_ask (GTK_WIDGET (self), &question, on_saved);
}

/* ---- the widget ---- */

void
vg_scatter_page_set_layer (VgScatterPage *self, VgTintLayer *layer)
{
  g_set_weak_pointer (&self->layer, layer);
  show_tint (self);
}

static void
vg_scatter_page_dispose (GObject *object)
{
  VgScatterPage *self = VG_SCATTER_PAGE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_weak_pointer (&self->layer);
  G_OBJECT_CLASS (vg_scatter_page_parent_class)->dispose (object);
}

static void
vg_scatter_page_finalize (GObject *object)
{
  VgScatterPage *self = VG_SCATTER_PAGE (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->drawing, vg_scatter_drawing_free);
  g_clear_pointer (&self->pair, vg_map_pair_unref);
  G_OBJECT_CLASS (vg_scatter_page_parent_class)->finalize (object);
}

static void
vg_scatter_page_class_init (VgScatterPageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_scatter_page_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_scatter_page_finalize;
  vg_signal_new (VG_TYPE_SCATTER_PAGE, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
}

static void
vg_scatter_page_init (VgScatterPage *self)
{
  self->cancellable = g_cancellable_new ();
  self->outputs[0] = self->outputs[1] = -1;
  self->stale = TRUE;
}

static GtkWidget *
make_buttons (VgScatterPage *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0),
            *copy = vg_icon_button_new ("edit-copy-symbolic", _ ("Copy the statistics")),
            *save = vg_icon_button_new ("document-save-symbolic", _ ("Save image")),
            *by_numbers = gtk_menu_button_new ();

  self->clear = vg_icon_button_new ("edit-clear-symbolic", _ ("Remove the lasso"));
  self->range = vg_range_popover_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (by_numbers), self->range);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (by_numbers), _ ("Select by Values"));
  vg_widget_describe (by_numbers, _ ("Select by Values"),
                      _ ("Select the pixels whose values in both maps lie between two limits"));
  gtk_box_append (GTK_BOX (row), self->clear);
  gtk_box_append (GTK_BOX (row), copy);
  gtk_box_append (GTK_BOX (row), save);
  vg_connect (self->range, "chosen", on_range, self);
  vg_connect (self->range, "show", on_range_shown, self);
  vg_connect (self->clear, "clicked", on_clear, self);
  vg_connect (copy, "clicked", on_copy, self);
  vg_connect (save, "clicked", on_save, self);
  gtk_box_prepend (GTK_BOX (row), by_numbers);
  return row;
}

static GtkWidget *
make_side (VgScatterPage *self)
{
  GtkWidget *side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->maps[0] = vg_map_choice_new (self->session, _ ("Map on the x axis"), FALSE);
  self->maps[1] = vg_map_choice_new (self->session, _ ("Map on the y axis"), TRUE);
  for (int k = 1; k >= 0; k--)
    {
      gtk_box_append (GTK_BOX (side), self->maps[k]);
      vg_connect (self->maps[k], "changed", on_maps, self);
    }
  gtk_widget_add_css_class (side, "vg-bar");
  gtk_widget_add_css_class (side, "vg-compact");
  gtk_box_append (GTK_BOX (side), make_buttons (self));
  return side;
}

GtkWidget *
vg_scatter_page_new (VgSession *session)
{
  VgScatterPage *self = g_object_new (VG_TYPE_SCATTER_PAGE, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *turned;

  self->session = vg_hold (self, session);
  self->slice = vg_session_get_view (session)->slice;
  self->view = vg_scatter_view_new ();
  self->summary_label = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE, NULL);
  gtk_widget_add_css_class (self->summary_label, "vg-plot-note");
  turned = vg_turn_box_new (self->view, make_side (self));
  gtk_widget_set_vexpand (turned, TRUE);
  gtk_box_append (GTK_BOX (box), turned);
  gtk_box_append (GTK_BOX (box), self->summary_label);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
  vg_connect (self->view, "lasso-changed", on_lasso, self);
  vg_connect (session, "changed", on_changed, self);
  vg_connect (self, "map", on_map, self);
  g_signal_connect_after (self, "unmap", G_CALLBACK (show_tint), NULL);
  on_lasso (self);
  show_nothing (self, _ ("Nothing to plot yet."));
  return GTK_WIDGET (self);
}
