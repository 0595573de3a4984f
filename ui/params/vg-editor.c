/* SPDX-License-Identifier: MIT */
/* What all parameter controls share: writing to the session as an undo step,
 * and not writing back what was only shown. */
#include "ui/params/vg-editor.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"

typedef struct
{
  VgSession *session;
  const VgParam *param;
  char *name;
  GtkWidget *body, *focus;
  int length; /* VgLength that is shown */
  gboolean syncing;
} VgEditorPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (VgEditor, vg_editor, GTK_TYPE_WIDGET)

static VgEditorPrivate *
get_private (VgEditor *self)
{
  return vg_editor_get_instance_private (self);
}

VgSession *
vg_editor_get_session (VgEditor *self)
{
  return get_private (self)->session;
}

const VgParam *
vg_editor_get_param (VgEditor *self)
{
  return get_private (self)->param;
}

const void *
vg_editor_get_params (VgEditor *self)
{
  return vg_session_get_params (get_private (self)->session);
}

const char *
vg_editor_get_name (VgEditor *self)
{
  return get_private (self)->name;
}

gboolean
vg_editor_is_below (VgEditor *self)
{
  return VG_EDITOR_GET_CLASS (self)->below;
}

int
vg_editor_get_least_width (VgEditor *self)
{
  int least;

  if (VG_EDITOR_GET_CLASS (self)->least_width)
    return VG_EDITOR_GET_CLASS (self)->least_width (self);
  gtk_widget_measure (GTK_WIDGET (self), GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

GtkWidget *
vg_editor_get_focus (VgEditor *self)
{
  return get_private (self)->focus;
}

const char *
vg_editor_convert (VgEditor *self, const char *unit, double *factor)
{
  return vg_length_convert (unit, get_private (self)->length, factor);
}

/* Twelve digits are more than are typed, and end the noise of the product:
 * 0.07 per mm is 0.7 per cm and nothing beside it. */
double
vg_editor_stored (double shown, double factor)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (factor == 1)
    return shown;
  return g_ascii_strtod (g_ascii_formatd (text, sizeof text, "%.12g", shown / factor), NULL);
}

static void
set_length (VgEditor *self)
{
  VgEditorPrivate *priv = get_private (self);
  double factor;

  priv->length = vg_session_get_view (priv->session)->length_unit;
  g_free (priv->name);
  priv->name = vg_name_with_unit (vg_translate (priv->param->label),
                                  vg_editor_convert (self, priv->param->unit, &factor));
}

void
vg_editor_sync (VgEditor *self)
{
  VgEditorPrivate *priv = get_private (self);
  gboolean rescaled = priv->length != vg_session_get_view (priv->session)->length_unit;

  priv->syncing = TRUE;
  if (rescaled)
    set_length (self);
  if (rescaled && VG_EDITOR_GET_CLASS (self)->rescale)
    VG_EDITOR_GET_CLASS (self)->rescale (self);
  VG_EDITOR_GET_CLASS (self)->sync (self);
  priv->syncing = FALSE;
}

gboolean
vg_editor_is_syncing (VgEditor *self)
{
  return get_private (self)->syncing;
}

void
vg_editor_set_body (VgEditor *self, GtkWidget *widget)
{
  get_private (self)->body = widget;
  get_private (self)->focus = widget;
  gtk_widget_set_parent (widget, GTK_WIDGET (self));
}

void
vg_editor_set_focus (VgEditor *self, GtkWidget *widget)
{
  get_private (self)->focus = widget;
}

void
vg_editor_set_number (VgEditor *self, double value, gboolean done)
{
  VgEditorPrivate *priv = get_private (self);

  if (priv->syncing ||
      value == vg_param_get_number (priv->param, vg_session_get_params (priv->session)))
    return;
  vg_session_set_number (priv->session, priv->param, value);
  vg_session_commit_later (priv->session, priv->param->label);
  if (done)
    vg_session_commit_waiting (priv->session);
}

void
vg_editor_set_text (VgEditor *self, const char *text)
{
  VgEditorPrivate *priv = get_private (self);
  g_autofree char *old = vg_param_format (priv->param, vg_session_get_params (priv->session));
  g_autoptr (GError) error = NULL;

  if (priv->syncing || g_strcmp0 (old, text) == 0)
    return;
  vg_session_commit_waiting (priv->session);
  if (vg_session_set_text (priv->session, priv->param, text, &error))
    vg_session_commit (priv->session, priv->param->label);
  g_signal_emit_by_name (self, "problem", error ? error->message : NULL);
}

static void
vg_editor_dispose (GObject *object)
{
  VgEditorPrivate *priv = get_private (VG_EDITOR (object));

  g_clear_pointer (&priv->body, gtk_widget_unparent);
  g_clear_object (&priv->session);
  g_clear_pointer (&priv->name, g_free);
  G_OBJECT_CLASS (vg_editor_parent_class)->dispose (object);
}

static void
vg_editor_class_init (VgEditorClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_editor_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  vg_signal_new (VG_TYPE_EDITOR, "problem", 1, G_TYPE_STRING);
}

static void
vg_editor_init (VgEditor *self)
{
}

GtkWidget *
vg_editor_new (GType type, VgSession *session, const VgParam *param)
{
  VgEditor *self = g_object_new (type, NULL);
  VgEditorPrivate *priv = get_private (self);

  priv->session = g_object_ref (session);
  priv->param = param;
  set_length (VG_EDITOR (self));
  VG_EDITOR_GET_CLASS (self)->build (self);
  return GTK_WIDGET (self);
}
