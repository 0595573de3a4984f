/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-run-chooser.h"
#include "ui/words/vg-translation.h"
#include "app/session/vg-settings-file.h"
#include "ui/common/vg-widgets.h"

struct _VgRunChooser
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *list;
  gboolean edited; /* the settings are not those of the run */
  char **names; /* one for each run, "" where it has none; NULL: the inputs are no settings file */
};

G_DEFINE_FINAL_TYPE (VgRunChooser, vg_run_chooser, VG_TYPE_BIN)

static void
on_selected (VgRunChooser *self)
{
  guint run = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->list));

  if (run != GTK_INVALID_LIST_POSITION && (int) run != vg_session_get_run (self->session))
    g_signal_emit_by_name (self, "chosen", (int) run);
}

void
vg_run_chooser_load (VgRunChooser *self)
{
  const char *const *inputs;
  const VgOperation *operation = vg_session_get_operation (self->session);

  inputs = vg_session_get_inputs (self->session);
  g_clear_pointer (&self->names, g_strfreev);
  if (operation->import != NULL && inputs[0] != NULL)
    self->names = vg_settings_file_names (operation, inputs);
}

int
vg_run_chooser_get_n (VgRunChooser *self)
{
  return self->names != NULL ? (int) g_strv_length (self->names) : 0;
}

/* The label of run I of N, owned. */
static char *
describe (VgRunChooser *self, int i, int n)
{
  const char *own = self->names[i];
  g_autofree char *name = *own ? g_strdup_printf (_ ("Run %d of %d: %s"), i + 1, n, own)
                               : g_strdup_printf (_ ("Run %d of %d"), i + 1, n);

  return self->edited && i == vg_session_get_run (self->session)
             ? g_strdup_printf (_ ("%s, edited"), name)
             : g_steal_pointer (&name);
}

static gboolean
is_edited (VgRunChooser *self)
{
  return !vg_params_equal (&vg_session_get_operation (self->session)->params,
                           vg_session_get_params (self->session),
                           vg_session_get_given (self->session));
}

static void
on_changed (VgRunChooser *self, guint flags)
{
  if ((flags & VG_CHANGED_PARAMS) != 0 && self->names != NULL && is_edited (self) != self->edited)
    vg_run_chooser_update (self);
}

void
vg_run_chooser_update (VgRunChooser *self)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  int run, n;

  n = vg_run_chooser_get_n (self);
  run = vg_session_get_run (self->session);
  self->edited = n > 0 && is_edited (self);
  for (int i = 0; i < n; i++)
    {
      g_autofree char *name = describe (self, i, n);

      gtk_string_list_append (names, name);
    }
  g_signal_handlers_block_by_func (self->list, on_selected, self);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->list), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->list),
                              run < n ? (guint) run : GTK_INVALID_LIST_POSITION);
  g_signal_handlers_unblock_by_func (self->list, on_selected, self);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 1);
}

static void
vg_run_chooser_finalize (GObject *object)
{
  VgRunChooser *self = VG_RUN_CHOOSER (object);

  g_clear_pointer (&self->names, g_strfreev);
  G_OBJECT_CLASS (vg_run_chooser_parent_class)->finalize (object);
}

static void
vg_run_chooser_class_init (VgRunChooserClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_run_chooser_finalize;
  vg_signal_new (VG_TYPE_RUN_CHOOSER, "chosen", 1, G_TYPE_INT);
}

static void
vg_run_chooser_init (VgRunChooser *self)
{
  self->list = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
  vg_widget_describe (self->list, _ ("Run in the file"),
                      _ ("The file contains several runs; this one is computed"));
  g_signal_connect_swapped (self->list, "notify::selected", G_CALLBACK (on_selected), self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
vg_run_chooser_new (VgSession *session)
{
  VgRunChooser *self = g_object_new (VG_TYPE_RUN_CHOOSER, NULL);

  self->session = vg_hold (self, session);
  g_signal_connect_object (session, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
