/* SPDX-License-Identifier: MIT */
#include "ui/scatter/vg-map-choice.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"

struct _VgMapChoice
{
  GtkWidget parent_instance;
  VgSession *session;
  GtkWidget *list;
  GArray *outputs; /* of int, in the order of the list */
  gboolean second;
  int chosen; /* -1: none */
};

G_DEFINE_FINAL_TYPE (VgMapChoice, vg_map_choice, GTK_TYPE_WIDGET)

static gboolean
has (VgMapChoice *self, int output, guint *at)
{
  for (guint i = 0; i < self->outputs->len; i++)
    if (g_array_index (self->outputs, int, i) == output)
      {
        *at = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
is_error (const VgOperation *operation, int output)
{
  for (const VgOutputRole *role = operation->roles; role != NULL && role->player != NULL; role++)
    if (role->role == VG_ROLE_ERROR && g_str_equal (role->player, operation->outputs[output].id))
      return TRUE;
  return g_str_has_suffix (operation->outputs[output].id, "_error");
}

/* The view's first map, or the first measure of objects if that is no map; else the first. */
static int
find_main (VgMapChoice *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  int first = (int) operation->view.first_output;
  guint at;

  if (has (self, first, &at))
    return first;
  for (guint i = 0; i < self->outputs->len; i++)
    {
      int output = g_array_index (self->outputs, int, i);

      if (vg_operation_get_role (operation, VG_ROLE_OBJECTS, operation->outputs[output].id) != NULL)
        return output;
    }
  return g_array_index (self->outputs, int, 0);
}

/* The main map or the one to plot against it; else the first that is no error of another.  Index
 * into the list; there is at least one. */
static guint
find_first (VgMapChoice *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  int first = find_main (self),
      against = vg_operation_find_role (operation, VG_ROLE_AGAINST, operation->outputs[first].id);
  guint at = 0;

  if (has (self, self->second ? against : first, &at))
    return at;
  for (guint i = 0; i < self->outputs->len && self->second; i++)
    if (g_array_index (self->outputs, int, i) != first &&
        !is_error (operation, g_array_index (self->outputs, int, i)))
      return i;
  return 0;
}

static void
on_selected (VgMapChoice *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->list));

  if (i >= self->outputs->len || g_array_index (self->outputs, int, i) == self->chosen)
    return;
  self->chosen = g_array_index (self->outputs, int, i);
  g_signal_emit_by_name (self, "changed");
}

static void
fill (VgMapChoice *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const void *params = vg_session_get_params (self->session);
  g_autoptr (GStrvBuilder) labels = g_strv_builder_new ();
  g_auto (GStrv) texts = NULL;

  g_array_set_size (self->outputs, 0);
  for (int i = 0; i < (int) operation->n_outputs; i++)
    if (operation->outputs[i].kind == VG_OUTPUT_MAP &&
        vg_operation_output_is_shown (operation, (guint) i, params))
      {
        g_array_append_val (self->outputs, i);
        g_strv_builder_add (
            labels, vg_translate (vg_operation_output_label (operation, (guint) i, params)));
      }
  texts = g_strv_builder_end (labels);
  vg_drop_down_set_texts (self->list, (const char *const *) texts);
}

/* The same map if it is still there. */
static void
follow (VgMapChoice *self)
{
  int before = self->chosen;
  guint at = 0;

  g_signal_handlers_block_by_func (self->list, on_selected, self);
  fill (self);
  if (self->outputs->len == 0)
    self->chosen = -1;
  else
    {
      if (!has (self, self->chosen, &at))
        at = find_first (self);
      self->chosen = g_array_index (self->outputs, int, at);
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->list), at);
    }
  g_signal_handlers_unblock_by_func (self->list, on_selected, self);
  if (self->chosen != before)
    g_signal_emit_by_name (self, "changed");
}

static void
on_changed (VgMapChoice *self, guint flags)
{
  if (flags & VG_CHANGED_OPERATION)
    self->chosen = -1;
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_PARAMS))
    follow (self);
}

int
vg_map_choice_get (VgMapChoice *self)
{
  return self->chosen;
}

static void
vg_map_choice_dispose (GObject *object)
{
  VgMapChoice *self = VG_MAP_CHOICE (object);

  g_clear_pointer (&self->list, gtk_widget_unparent);
  G_OBJECT_CLASS (vg_map_choice_parent_class)->dispose (object);
}

static void
vg_map_choice_finalize (GObject *object)
{
  g_array_unref (VG_MAP_CHOICE (object)->outputs);
  G_OBJECT_CLASS (vg_map_choice_parent_class)->finalize (object);
}

static void
vg_map_choice_class_init (VgMapChoiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_map_choice_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_map_choice_finalize;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  vg_signal_new (VG_TYPE_MAP_CHOICE, "changed", 0);
}

static void
vg_map_choice_init (VgMapChoice *self)
{
  self->outputs = g_array_new (FALSE, FALSE, sizeof (int));
  self->list = vg_drop_down_new (NULL);
  self->chosen = -1;
  gtk_widget_set_parent (self->list, GTK_WIDGET (self));
}

GtkWidget *
vg_map_choice_new (VgSession *session, const char *name, gboolean second)
{
  VgMapChoice *self = g_object_new (VG_TYPE_MAP_CHOICE, NULL);

  self->session = vg_hold (self, session);
  self->second = second;
  vg_widget_describe (self->list, name, NULL);
  vg_connect (self->list, "notify::selected", on_selected, self);
  vg_connect (session, "changed", on_changed, self);
  follow (self);
  return GTK_WIDGET (self);
}
