/* SPDX-License-Identifier: MIT */
#include "ui/params/vg-param-panel.h"
#include "ui/words/vg-translation.h"
#include "ui/choosers/vg-length-chooser.h"
#include "ui/params/vg-param-row.h"
#include "ui/common/vg-widgets.h"

/* A heading, its rows, and those behind "Advanced". */
typedef struct
{
  const char *title;
  GtkWidget *box, *expander, *advanced;
} Group;

struct _VgParamPanel
{
  VgBin parent_instance;
  VgSession *session;
  GtkWidget *scroller, *page, *unit_line, *box, *find;
  GArray *groups;
  GPtrArray *rows;
  char taken[64]; /* mnemonics in use */
  int length;     /* VgLength that the rows show */
};

G_DEFINE_FINAL_TYPE (VgParamPanel, vg_param_panel, VG_TYPE_BIN)

static void
group_clear (gpointer data)
{
  Group *group = data;

  g_clear_object (&group->advanced);
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
add_find (VgParamPanel *self, const Group *group, const VgParam *param)
{
  const VgFind *find = vg_session_get_operation (self->session)->find;

  if (find == NULL || self->find != NULL || param->kind != VG_PARAM_FILE ||
      param->file.or_region == VG_FILE_NO_REGION)
    return;
  self->find = gtk_button_new_with_label (vg_translate (find->label));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->find), "win.find-regions");
  vg_widget_describe (self->find, vg_translate (find->label), vg_translate (find->help));
  gtk_box_append (GTK_BOX (group->box), self->find);
}

static void
add_row (VgParamPanel *self, const VgParam *param)
{
  Group *group = find_group (self, param->group);
  GtkWidget *row = vg_param_row_new (self->session, param,
                                     choose_mnemonic (self, vg_translate (param->label)));

  add_find (self, group, param);
  g_ptr_array_add (self->rows, row);
  if (!param->advanced)
    {
      gtk_box_append (GTK_BOX (group->box), row);
      return;
    }
  if (group->advanced == NULL)
    group->advanced = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  gtk_box_append (GTK_BOX (group->advanced), row);
}

static void
close_group (Group *group)
{
  g_autofree char *name = g_strdup_printf (_ ("Advanced, %s"), vg_translate (group->title));

  if (group->advanced == NULL)
    return;
  group->expander = gtk_expander_new (_ ("Advanced"));
  gtk_expander_set_child (GTK_EXPANDER (group->expander), group->advanced);
  gtk_widget_set_margin_top (group->advanced, 8);
  vg_widget_describe (group->expander, name, NULL);
  gtk_box_append (GTK_BOX (group->box), group->expander);
}

static gboolean
any_visible (GtkWidget *box)
{
  for (GtkWidget *child = gtk_widget_get_first_child (box); child;
       child = gtk_widget_get_next_sibling (child))
    if (VG_IS_PARAM_ROW (child) && gtk_widget_get_visible (child))
      return TRUE;
  return FALSE;
}

static void
follow (VgParamPanel *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    vg_param_row_sync (g_ptr_array_index (self->rows, i));
  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, i);
      gboolean advanced = group->advanced && any_visible (group->advanced);
      if (group->expander)
        gtk_widget_set_visible (group->expander, advanced);
      gtk_widget_set_visible (group->box, advanced || any_visible (group->box));
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
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  GtkWidget *child, *reset;

  while ((child = gtk_widget_get_first_child (self->box)))
    gtk_box_remove (GTK_BOX (self->box), child);
  g_array_set_size (self->groups, 0);
  g_ptr_array_set_size (self->rows, 0);
  memset (self->taken, 0, sizeof self->taken);
  self->find = NULL;
  for (guint i = 0; i < table->n_items; i++)
    add_row (self, &table->items[i]);
  for (guint i = 0; i < self->groups->len; i++)
    close_group (&g_array_index (self->groups, Group, i));
  reset = gtk_button_new_with_label (_ ("Reset All Settings"));
  gtk_widget_set_halign (reset, GTK_ALIGN_START);
  vg_widget_set_tooltip (
      reset, _ ("Restore all settings to their defaults or the file's. You can undo this."));
  g_signal_connect_swapped (reset, "clicked", G_CALLBACK (on_reset_all), self);
  gtk_box_append (GTK_BOX (self->box), reset);
  gtk_widget_set_visible (self->unit_line, has_lengths (table));
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
  double um[2] = { 0, 0 };

  if (info != NULL)
    vg_image_info_pixel_um (info, um);
  for (guint i = 0; i < self->rows->len; i++)
    vg_param_row_set_figures (self->rows->pdata[i], metrics, um[0]);
}

/* A folded expander does not hold its child, so it is not among the ancestors of ROW. */
static void
unfold (VgParamPanel *self, GtkWidget *row)
{
  for (guint i = 0; i < self->groups->len; i++)
    {
      const Group *group = &g_array_index (self->groups, Group, i);

      if (group->advanced != NULL && gtk_widget_is_ancestor (row, group->advanced))
        gtk_expander_set_expanded (GTK_EXPANDER (group->expander), TRUE);
    }
}

void
vg_param_panel_go_to (VgParamPanel *self, const VgParam *param)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      VgParamRow *row = self->rows->pdata[i];

      if (vg_param_row_get_param (row) != param)
        continue;
      unfold (self, GTK_WIDGET (row));
      vg_param_row_point_out (row);
    }
}

static void
vg_param_panel_finalize (GObject *object)
{
  VgParamPanel *self = VG_PARAM_PANEL (object);

  g_clear_pointer (&self->groups, g_array_unref);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
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
  self->rows = g_ptr_array_new ();
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
