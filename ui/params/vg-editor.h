/* SPDX-License-Identifier: MIT */
#pragma once
#include <gtk/gtk.h>
#include "app/session/vg-session.h"
/* Base of the controls that edit one parameter of a session.  A kind of
 * parameter is a subclass: it fills the body and follows the session in
 * sync(). */
G_BEGIN_DECLS

#define VG_TYPE_EDITOR (vg_editor_get_type ())
G_DECLARE_DERIVABLE_TYPE (VgEditor, vg_editor, VG, EDITOR, GtkWidget)
/* signal "problem" (const char *text)   the text was refused; NULL: all is well */

struct _VgEditorClass
{
  GtkWidgetClass parent_class;
  void (*build) (VgEditor *self); /* session and param are set */
  void (*sync) (VgEditor *self);  /* show the session's value */
  /* optional: another unit of length is shown from now on; sync follows */
  void (*rescale) (VgEditor *self);
  int (*least_width) (VgEditor *self); /* NULL: as measured */
  gboolean below;                      /* always below its name, over the full width */
};

/* An editor of PARAM; TYPE: a subclass. */
GtkWidget *vg_editor_new (GType type, VgSession *session, const VgParam *param);
VgSession *vg_editor_get_session (VgEditor *self);
const VgParam *vg_editor_get_param (VgEditor *self);
const void *vg_editor_get_params (VgEditor *self);
/* "Exposure, ms", in the unit that is shown */
const char *vg_editor_get_name (VgEditor *self);
gboolean vg_editor_is_below (VgEditor *self);
/* The width in which nothing that it may come to show is cut. */
int vg_editor_get_least_width (VgEditor *self);
/* The control that the label's mnemonic focuses. */
GtkWidget *vg_editor_get_focus (VgEditor *self);
void vg_editor_sync (VgEditor *self);

/* Values are shown in the session's unit of length, and stored in their own:
 * the unit in which one with UNIT is shown, and what it is multiplied with. */
const char *vg_editor_convert (VgEditor *self, const char *unit, double *factor);
/* The value to store for one that was typed. */
double vg_editor_stored (double shown, double factor);

/* For subclasses. */
void vg_editor_set_body (VgEditor *self, GtkWidget *widget);
/* Another than the body. */
void vg_editor_set_focus (VgEditor *self, GtkWidget *widget);
gboolean vg_editor_is_syncing (VgEditor *self);
void vg_editor_set_number (VgEditor *self, double value, gboolean done);
void vg_editor_set_text (VgEditor *self, const char *text);

G_END_DECLS
