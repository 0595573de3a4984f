/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-param-panel.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include <string.h>
#include "ui/choosers/vg-length-chooser.h"
#include "ui/params/vg-param-row.h"
#include "ui/common/vg-widgets.h"

/* A heading, its rows, and those behind "Advanced". */
typedef struct
{
  const char *title;
  GtkWidget *box, *expander, *advanced;
  gboolean shown[2]; /* any row in either */
} Group;

/* A parameter's row, and what the last result says of it.  A row is made when it is first shown,
 * because most settings are folded away or of another method. */
typedef struct
{
  GtkWidget *row; /* NULL: not made yet */
  double measured;
  char *advice;
} Slot;

struct _VgParamPanel
{
  VgBin parent_instance;
  VgSession *session;
  const VgParamTable *table; /* of the rows */
  GtkWidget *scroller, *page, *unit_line, *box, *find;
  GArray *groups;
  GArray *slots;    /* in the order of the parameters */
  GHashTable *open; /* first parameters of the groups, of all views, whose "Advanced" is open */
  guint find_at;    /* index of the parameter below `find` */
  double pixel_um;  /* 0: not known */
  char taken[64];   /* mnemonics in use */
  int length;       /* VgLength that the rows show */
};

G_DEFINE_FINAL_TYPE (VgParamPanel, vg_param_panel, VG_TYPE_BIN)

static void
group_clear (gpointer data)
{
  Group *group = data;

  g_clear_object (&group->advanced);
}

static void
slot_clear (gpointer data)
{
  g_free (((Slot *) data)->advice);
}

static Slot *
slot_at (VgParamPanel *self, guint i)
{
  return &g_array_index (self->slots, Slot, i);
}

/* The first letter of LABEL that no other row has. */
static char
choose_mnemonic (VgParamPanel *self, const char *label)
{
  gsize n = strlen (self->taken);

  for (const char *c = label; *c && n + 1 < sizeof self->taken; c++)
    {
      char letter = g_ascii_tolower (*c);
      if (g_ascii_isalpha (letter) && !strchr (self->taken, letter))
        {
          self->taken[n] = letter;
          return letter;
        }
    }
  return 0;
}

static Group *
find_group (VgParamPanel *self, const char *title)
{
  Group new_group = { title ? title : N_ ("Settings") };
  GtkWidget *heading;

  for (guint i = 0; i < self->groups->len; i++)
    if (g_str_equal (g_array_index (self->groups, Group, i).title, new_group.title))
      return &g_array_index (self->groups, Group, i);
  heading = vg_label_new (vg_translate (new_group.title), "heading");
  new_group.box = g_object_new (GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL, "spacing", 6,
                                "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
  vg_widget_describe (new_group.box, vg_translate (new_group.title), NULL);
  gtk_widget_add_css_class (new_group.box, "vg-group");
  gtk_box_append (GTK_BOX (new_group.box), heading);
  gtk_box_append (GTK_BOX (self->box), new_group.box);
  g_array_append_val (self->groups, new_group);
  return &g_array_index (self->groups, Group, self->groups->len - 1);
}

/* The button for an operation that finds regions, above the first setting that may be a region. */
static void
add_find (VgParamPanel *self, const Group *group, guint i)
{
  const VgFind *find = vg_session_get_operation (self->session)->find;
  const VgParam *param = &self->table->items[i];

  if (find == NULL || self->find != NULL || param->kind != VG_PARAM_FILE ||
      param->file.or_region == VG_FILE_NO_REGION)
    return;
  self->find_at = i;
  self->find = gtk_button_new_with_label (vg_translate (find->label));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->find), "win.find-regions");
  vg_widget_describe (self->find, vg_translate (find->label), vg_translate (find->help));
  gtk_box_append (GTK_BOX (group->box), self->find);
}

/* What parameter I needs besides its row. */
static void
prepare (VgParamPanel *self, guint i)
{
  const VgParam *param = &self->table->items[i];
  Slot slot = { .measured = NAN };
  Group *group = find_group (self, param->group);

  g_array_append_val (self->slots, slot);
  add_find (self, group, i);
  if (param->advanced && group->advanced == NULL)
    group->advanced = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
}

/* The widget in BOX after which the row of parameter I belongs; NULL: it is the first. */
static GtkWidget *
find_before (VgParamPanel *self, guint i, GtkWidget *box)
{
  for (guint j = i + 1; j-- > 0;)
    {
      GtkWidget *row = slot_at (self, j)->row;

      if (row != NULL && gtk_widget_get_parent (row) == box)
        return row;
      if (self->find != NULL && self->find_at == j && gtk_widget_get_parent (self->find) == box)
        return self->find;
    }
  return NULL;
}

static void
show_figures (VgParamPanel *self, const Slot *slot)
{
  if (slot->row != NULL)
    vg_param_row_set_figures (VG_PARAM_ROW (slot->row), slot->measured, slot->advice,
                              self->pixel_um);
}

static void
add_row (VgParamPanel *self, const Group *group, guint i)
{
  const VgParam *param = &self->table->items[i];
  Slot *slot = slot_at (self, i);
  GtkWidget *box = param->advanced ? group->advanced : group->box,
            *before = find_before (self, i, box);

  if (before == NULL && !param->advanced) /* the heading */
    before = gtk_widget_get_first_child (box);
  slot->row = vg_param_row_new (self->session, param,
                                choose_mnemonic (self, vg_translate (param->label)));
  gtk_box_insert_child_after (GTK_BOX (box), slot->row, before);
  show_figures (self, slot);
}

static void follow (VgParamPanel *self);

/* Of the group with this TITLE. */
static const VgParam *
first_of (VgParamPanel *self, const char *title)
{
  for (guint i = 0; i < self->table->n_items; i++)
    if (g_strcmp0 (self->table->items[i].group, title) == 0)
      return &self->table->items[i];
  return NULL;
}

static void
close_group (VgParamPanel *self, Group *group)
{
  g_autofree char *name = g_strdup_printf (_ ("Advanced, %s"), vg_translate (group->title));

  if (group->advanced == NULL)
    return;
  group->expander = gtk_expander_new (_ ("Advanced"));
  gtk_expander_set_child (GTK_EXPANDER (group->expander), group->advanced);
  gtk_expander_set_expanded (GTK_EXPANDER (group->expander),
                             g_hash_table_contains (self->open, first_of (self, group->title)));
  gtk_widget_set_margin_top (group->advanced, 8);
  vg_widget_describe (group->expander, name, NULL);
  g_signal_connect_swapped (group->expander, "notify::expanded", G_CALLBACK (follow), self);
  gtk_box_append (GTK_BOX (group->box), group->expander);
}

static void
follow (VgParamPanel *self)
{
  const VgParamTable *table = self->table;
  const void *params = vg_session_get_params (self->session);

  for (guint i = 0; i < self->groups->len; i++)
    memset (g_array_index (self->groups, Group, i).shown, 0, sizeof (gboolean[2]));
  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      Group *group = find_group (self, param->group);
      gboolean shown = vg_param_is_shown (table, param, params);

      group->shown[param->advanced] = group->shown[param->advanced] || shown;
      if (shown && slot_at (self, i)->row == NULL &&
          (!param->advanced || gtk_expander_get_expanded (GTK_EXPANDER (group->expander))))
        add_row (self, group, i);
      if (slot_at (self, i)->row != NULL)
        vg_param_row_sync (VG_PARAM_ROW (slot_at (self, i)->row));
    }
  for (guint i = 0; i < self->groups->len; i++)
    {
      const Group *group = &g_array_index (self->groups, Group, i);

      if (group->expander != NULL)
        {
          gtk_widget_set_visible (group->expander, group->shown[TRUE]);
          if (gtk_expander_get_expanded (GTK_EXPANDER (group->expander)))
            g_hash_table_add (self->open, (gpointer) first_of (self, group->title));
          else
            g_hash_table_remove (self->open, first_of (self, group->title));
        }
      gtk_widget_set_visible (group->box, group->shown[FALSE] || group->shown[TRUE]);
    }
}

static void
on_reset_all (VgParamPanel *self)
{
  vg_session_commit_waiting (self->session);
  vg_session_reset_params (self->session);
  vg_session_commit (self->session, N_ ("Reset of all settings"));
}

static gboolean
has_lengths (const VgParamTable *table)
{
  for (guint i = 0; i < table->n_items; i++)
    {
      if (vg_length_is_unit (table->items[i].unit))
        return TRUE;
      for (const VgColumn *column = table->items[i].table.columns; column && column->id; column++)
        if (vg_length_is_unit (column->unit))
          return TRUE;
    }
  return FALSE;
}

static void
build (VgParamPanel *self)
{
  GtkWidget *child, *reset;

  while ((child = gtk_widget_get_first_child (self->box)))
    gtk_box_remove (GTK_BOX (self->box), child);
  g_array_set_size (self->groups, 0);
  g_array_set_size (self->slots, 0);
  memset (self->taken, 0, sizeof self->taken);
  self->find = NULL;
  self->pixel_um = 0;
  self->table = &vg_session_get_operation (self->session)->params;
  for (guint i = 0; i < self->table->n_items; i++)
    prepare (self, i);
  for (guint i = 0; i < self->groups->len; i++)
    close_group (self, &g_array_index (self->groups, Group, i));
  reset = gtk_button_new_with_label (_ ("Reset All Settings"));
  gtk_widget_set_halign (reset, GTK_ALIGN_START);
  vg_widget_set_tooltip (
      reset, _ ("Restore all settings to their defaults or the file's. You can undo this."));
  g_signal_connect_swapped (reset, "clicked", G_CALLBACK (on_reset_all), self);
  gtk_box_append (GTK_BOX (self->box), reset);
  gtk_widget_set_visible (self->unit_line, has_lengths (self->table));
  follow (self);
}

static void
on_changed (VgParamPanel *self, guint flags)
{
  int length = vg_session_get_view (self->session)->length_unit;

  if (flags & VG_CHANGED_OPERATION)
    build (self);
  else if (flags & (VG_CHANGED_PARAMS | VG_CHANGED_REGIONS) || self->length != length)
    follow (self);
  self->length = length;
}

void
vg_param_panel_set_figures (VgParamPanel *self, const VgMetrics *metrics, const VgImageInfo *info)
{
  const VgParamTable *table = self->table;
  double um[2] = { 0, 0 };

  if (info != NULL)
    vg_image_info_pixel_um (info, um);
  self->pixel_um = um[0];
  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      const VgMetric *came_to = metrics != NULL && param->auto_metric != NULL
                                    ? vg_metrics_find (metrics, param->auto_metric)
                                    : NULL,
                     *own = metrics != NULL ? vg_metrics_find (metrics, param->id) : NULL;
      Slot *slot = slot_at (self, i);

      slot->measured = came_to != NULL ? came_to->value : NAN;
      g_free (slot->advice);
      slot->advice = own != NULL ? g_strdup (own->advice) : NULL;
      show_figures (self, slot);
    }
}

void
vg_param_panel_go_to (VgParamPanel *self, const VgParam *param)
{
  const VgParamTable *table = self->table;
  const Group *group;

  if (param < table->items || param >= table->items + table->n_items ||
      !vg_param_is_shown (table, param, vg_session_get_params (self->session)))
    return;
  group = find_group (self, param->group);
  if (param->advanced) /* this makes the row */
    gtk_expander_set_expanded (GTK_EXPANDER (group->expander), TRUE);
  vg_param_row_point_out (VG_PARAM_ROW (slot_at (self, (guint) (param - table->items))->row));
}

static void
vg_param_panel_finalize (GObject *object)
{
  VgParamPanel *self = VG_PARAM_PANEL (object);

  g_clear_pointer (&self->groups, g_array_unref);
  g_clear_pointer (&self->slots, g_array_unref);
  g_clear_pointer (&self->open, g_hash_table_unref);
  G_OBJECT_CLASS (vg_param_panel_parent_class)->finalize (object);
}

static void
vg_param_panel_class_init (VgParamPanelClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_param_panel_finalize;
}

static void
vg_param_panel_init (VgParamPanel *self)
{
  self->groups = g_array_new (FALSE, TRUE, sizeof (Group));
  g_array_set_clear_func (self->groups, group_clear);
  self->slots = g_array_new (FALSE, TRUE, sizeof (Slot));
  g_array_set_clear_func (self->slots, slot_clear);
  self->open = g_hash_table_new (NULL, NULL);
  self->page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_add_css_class (self->page, "vg-panel");
  self->unit_line = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->page), self->unit_line);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_box_append (GTK_BOX (self->page), self->box);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->page);
  vg_widget_describe (self->scroller, _ ("Settings"), NULL);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

void
vg_param_panel_put_first (VgParamPanel *self, GtkWidget *widget)
{
  gtk_box_prepend (GTK_BOX (self->page), widget);
}

GtkWidget *
vg_param_panel_new (VgSession *session)
{
  VgParamPanel *self = g_object_new (VG_TYPE_PARAM_PANEL, NULL);

  self->session = vg_hold (self, session);
  self->length = vg_session_get_view (session)->length_unit;
  vg_box_add_line (self->unit_line, _ ("Length unit"), vg_length_chooser_new (session),
                   _ ("Length unit"), NULL);
  vg_connect (session, "changed", on_changed, self);
  build (self);
  return GTK_WIDGET (self);
}
