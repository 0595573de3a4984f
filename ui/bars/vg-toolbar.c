/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-toolbar.h"
#include "ui/choosers/vg-map-chooser.h"
#include "ui/common/vg-fit-box.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/correct/vg-correction.h"
#include "ui/picture/vg-point-drawing.h"

enum { SPACING_PX = 4, N_ZOOM = 3 };

struct _VgToolbar
{
  GtkBox parent_instance;
  VgSession *session;
  GtkWidget *runs, *point_button, *correct_button, *keep, *note, *source, *zoom, *zoom_label, *fit,
      *one;
};

G_DEFINE_FINAL_TYPE (VgToolbar, vg_toolbar, GTK_TYPE_BOX)

void
vg_toolbar_insert (VgToolbar *self, GtkWidget *compare)
{
  gtk_box_insert_child_after (GTK_BOX (self), compare, self->keep);
}

VgRunChooser *
vg_toolbar_get_runs (VgToolbar *self)
{
  return VG_RUN_CHOOSER (self->runs);
}

/* Name of the file that RESULT was loaded from; NULL: it was computed. */
static char *
find_file_name (VgToolbar *self, const VgResult *result)
{
  const VgOperation *operation = result->operation;
  const char *id = vg_operation_get_role (operation, VG_ROLE_FILE,
                                          operation->outputs[result->output].id);
  const VgParam *param = id != NULL ? vg_params_find (&operation->params, id) : NULL;
  g_autofree char *path = param && operation == vg_session_get_operation (self->session)
                              ? vg_param_format (param, vg_session_get_params (self->session))
                              : NULL;

  return path && *path ? g_path_get_basename (path) : NULL;
}

void
vg_toolbar_set_result (VgToolbar *self, const VgResult *result)
{
  g_autofree char *file = NULL, *text = NULL;

  file = result != NULL ? find_file_name (self, result) : NULL;
  if (result != NULL && result->input_only)
    text = g_strdup (_ ("No result yet"));
  else if (file != NULL)
    text = g_strdup_printf (_ ("the result in %s"), file);
  gtk_label_set_text (GTK_LABEL (self->note), text != NULL ? text : "");
  gtk_widget_set_visible (self->note, text != NULL);
}

void
vg_toolbar_set_source (VgToolbar *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->source), text);
}

void
vg_toolbar_update_points (VgToolbar *self)
{
  g_autofree char *text = NULL;
  const VgParam *param = vg_point_drawing_find (self->session, VG_POINTS_SET);

  if (param != NULL)
    text = g_strdup_printf (_ ("%s: a click sets one, drag moves it, Delete removes it (S)"),
                            vg_translate (param->label));
  gtk_widget_set_visible (self->point_button, param != NULL);
  gtk_widget_set_visible (self->correct_button, vg_correction_is_possible (self->session));
  vg_widget_set_tooltip (self->point_button, text);
}

void
vg_toolbar_set_zoom (VgToolbar *self, double zoom, gboolean fitted)
{
  g_autofree char *text = zoom > 0 ? g_strdup_printf ("%.0f %%", 100 * zoom) : g_strdup ("–");

  gtk_label_set_text (GTK_LABEL (self->zoom_label), text);
  if (((gtk_widget_get_state_flags (self->fit) & GTK_STATE_FLAG_CHECKED) != 0) == fitted)
    return;
  if (fitted)
    gtk_widget_set_state_flags (self->fit, GTK_STATE_FLAG_CHECKED, FALSE);
  else
    gtk_widget_unset_state_flags (self->fit, GTK_STATE_FLAG_CHECKED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->fit), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  fitted ? _ ("The image fits the window") : "", -1);
}

static void
vg_toolbar_class_init (VgToolbarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/vivograph/Vivograph/vg-toolbar.ui");
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, point_button);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, correct_button);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, keep);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, note);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, source);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, zoom);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, zoom_label);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, fit);
  gtk_widget_class_bind_template_child (widget_class, VgToolbar, one);
}

/* A narrow window has them last: the wheel and keys zoom too, and the map's name is needed more. */
static void
add_rest (VgToolbar *self)
{
  GtkWidget *rest = vg_fit_box_new (SPACING_PX, N_ZOOM);

  gtk_widget_set_hexpand (rest, TRUE);
  vg_fit_box_set_rest (VG_FIT_BOX (rest), self->source);
  vg_fit_box_append (VG_FIT_BOX (rest), self->zoom);
  vg_fit_box_append (VG_FIT_BOX (rest), self->fit);
  vg_fit_box_append (VG_FIT_BOX (rest), self->one);
  gtk_box_append (GTK_BOX (self), rest);
}

static void
vg_toolbar_init (VgToolbar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_rest (self);
}

GtkWidget *
vg_toolbar_new (VgSession *session)
{
  VgToolbar *self = g_object_new (VG_TYPE_TOOLBAR, NULL);

  self->session = vg_hold (self, session);
  gtk_box_insert_child_after (GTK_BOX (self), vg_map_chooser_new (session, _ ("Map")),
                              gtk_widget_get_prev_sibling (self->keep));
  self->runs = vg_run_chooser_new (session);
  gtk_box_insert_child_after (GTK_BOX (self), self->runs,
                              gtk_widget_get_first_child (GTK_WIDGET (self)));
  vg_label_show_whole (self->source);
  return GTK_WIDGET (self);
}
