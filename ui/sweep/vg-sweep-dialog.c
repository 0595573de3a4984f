/* SPDX-License-Identifier: MIT */
#include "ui/sweep/vg-sweep-dialog.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/sweep/vg-sweep.h"

enum { COLUMNS = 3, PICTURE_WIDTH = 200, PICTURE_HEIGHT = 150, MARGIN = 12 };

typedef struct
{
  GtkWidget *button, *picture, *label;
} Cell;

struct _VgSweepDialog
{
  GtkWindow parent_instance;
  VgSession *session;
  VgImageView *image; /* borrowed */
  VgSweepCompute compute;
  gpointer owner;
  GPtrArray *params; /* of const VgParam *, those that can be chosen */
  VgResult *present; /* of the session's parameters; NULL: none */
  VgSweep *sweep;    /* NULL: none yet */
  gboolean running;
  guint64 serial; /* since when the session's parameters are computed again */
  Cell cells[VG_SWEEP_MOST];
  GtkWidget *choice, *from, *to, *start, *cancel, *progress;
};

G_DEFINE_FINAL_TYPE (VgSweepDialog, vg_sweep_dialog, GTK_TYPE_WINDOW)

static const VgParam *
chosen_param (VgSweepDialog *self)
{
  guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->choice));

  return i < self->params->len ? self->params->pdata[i] : NULL;
}

/* ---- the sheet ---- */

static char *
describe_value (VgSweepDialog *self, const VgParam *param, int i)
{
  g_autofree char *number = vg_format_number (vg_sweep_get_value (self->sweep, i));

  return g_strdup_printf ("%s%s%s", number, param->unit != NULL && *param->unit ? " " : "",
                          param->unit != NULL ? param->unit : "");
}

static void
show_cell (VgSweepDialog *self, int i)
{
  Cell *cell = &self->cells[i];
  gboolean used = self->sweep != NULL && i < vg_sweep_count (self->sweep);
  VgResult *result = used ? vg_sweep_get_result (self->sweep, i) : NULL;
  const char *error = used ? vg_sweep_get_error (self->sweep, i) : NULL;
  g_autoptr (GdkTexture)
      texture = result != NULL
                    ? vg_image_view_draw_small (self->image, result, PICTURE_WIDTH, PICTURE_HEIGHT)
                    : NULL;
  g_autofree char *value = used ? describe_value (self, chosen_param (self), i) : g_strdup ("");
  g_autofree char *name = used ? g_strdup_printf (_ ("Use %s"), value) : g_strdup (_ ("No map"));

  gtk_picture_set_paintable (GTK_PICTURE (cell->picture), GDK_PAINTABLE (texture));
  gtk_label_set_text (GTK_LABEL (cell->label), value);
  gtk_widget_set_sensitive (cell->button, result != NULL);
  vg_widget_describe (cell->button, name, NULL);
  vg_widget_set_tooltip (cell->button, error);
}

static void
show_state (VgSweepDialog *self)
{
  gtk_widget_set_sensitive (self->start, !self->running && self->params->len > 0);
  gtk_widget_set_sensitive (self->choice, !self->running);
  gtk_widget_set_sensitive (self->from, !self->running);
  gtk_widget_set_sensitive (self->to, !self->running);
  gtk_widget_set_visible (self->cancel, self->running);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress),
                                 self->sweep != NULL ? vg_sweep_get_progress (self->sweep) : 0);
}

/* ---- computing ---- */

/* The parameters of the session are computed again. */
static void
stop (VgSweepDialog *self)
{
  if (self->running)
    self->serial = self->compute (self->owner, NULL);
  self->running = FALSE;
  show_state (self);
}

static void
go_on (VgSweepDialog *self)
{
  const void *params = vg_sweep_next_params (self->sweep);
  const VgOperation *operation = vg_session_get_operation (self->session);

  /* of parameters that are in use there is no other result */
  if (params != NULL && vg_sweep_get_next (self->sweep) == 0 && self->present != NULL &&
      vg_params_equal (&operation->params, params, vg_session_get_params (self->session)))
    {
      vg_sweep_use (self->sweep, self->present);
      params = vg_sweep_next_params (self->sweep);
    }
  if (params != NULL)
    vg_sweep_sent (self->sweep, self->compute (self->owner, params));
  else
    stop (self);
  for (int i = 0; i < VG_SWEEP_MOST; i++)
    show_cell (self, i);
  show_state (self);
}

static void
on_start (VgSweepDialog *self)
{
  const VgParam *param = chosen_param (self);

  gtk_spin_button_update (GTK_SPIN_BUTTON (self->from));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->to));
  g_clear_pointer (&self->sweep, vg_sweep_free);
  self->sweep = vg_sweep_new (vg_session_get_operation (self->session),
                              vg_session_get_params (self->session), param,
                              gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->from)),
                              gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->to)));
  self->running = TRUE;
  go_on (self);
}

void
vg_sweep_dialog_take (VgSweepDialog *self, VgResult *result)
{
  if (!self->running)
    {
      if (result->serial >= self->serial &&
          (result->final || result->operation->input.kind == VG_INPUT_STREAM))
        {
          g_clear_pointer (&self->present, vg_result_unref);
          self->present = vg_result_ref (result);
        }
      return;
    }
  if (vg_sweep_take (self->sweep, result))
    go_on (self);
  else
    show_state (self);
}

void
vg_sweep_dialog_refuse (VgSweepDialog *self, guint64 serial, const char *why)
{
  if (self->running && vg_sweep_refuse (self->sweep, serial, why))
    go_on (self);
}

static void
on_cell (GtkButton *button, VgSweepDialog *self)
{
  const VgParam *param = chosen_param (self);
  int i = 0;

  while (self->cells[i].button != GTK_WIDGET (button))
    i++;
  stop (self);
  vg_session_commit_waiting (self->session);
  vg_session_set_number (self->session, param, vg_sweep_get_value (self->sweep, i));
  vg_session_commit (self->session, param->label);
  gtk_window_close (GTK_WINDOW (self));
}

/* ---- the widget ---- */

static void
on_param (VgSweepDialog *self)
{
  const VgParam *param = chosen_param (self);
  double from, to;

  g_clear_pointer (&self->sweep, vg_sweep_free);
  if (param == NULL)
    return;
  vg_sweep_find_range (param, vg_session_get_params (self->session), &from, &to);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->from), param->min, param->max);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->to), param->min, param->max);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->from), from);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->to), to);
  for (int i = 0; i < VG_SWEEP_MOST; i++)
    show_cell (self, i);
  show_state (self);
}

static void
list_params (VgSweepDialog *self)
{
  const VgParamTable *table = &vg_session_get_operation (self->session)->params;
  GtkStringList *names = gtk_string_list_new (NULL);

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      g_autofree char *name = vg_name_with_unit (vg_translate (param->label), param->unit);

      if (!vg_sweep_accepts (param) ||
          !vg_param_is_shown (table, param, vg_session_get_params (self->session)))
        continue;
      g_ptr_array_add (self->params, (gpointer) param);
      gtk_string_list_append (names, name);
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->choice), G_LIST_MODEL (names));
  g_object_unref (names);
}

static GtkWidget *
make_controls (VgSweepDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->choice = vg_drop_down_new (NULL);
  self->from = vg_number_entry_new (-G_MAXDOUBLE, G_MAXDOUBLE, 1, FALSE);
  self->to = vg_number_entry_new (-G_MAXDOUBLE, G_MAXDOUBLE, 1, FALSE);
  self->start = gtk_button_new_with_label (_ ("Compute"));
  self->cancel = gtk_button_new_with_label (_ ("Cancel"));
  gtk_widget_add_css_class (self->start, "suggested-action");
  gtk_widget_set_hexpand (self->choice, TRUE);
  vg_widget_describe (self->choice, _ ("Setting"), NULL);
  vg_widget_describe (self->from, _ ("First value"), NULL);
  vg_widget_describe (self->to, _ ("Last value"), NULL);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("from")));
  gtk_box_append (GTK_BOX (box), self->from);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("to")));
  gtk_box_append (GTK_BOX (box), self->to);
  gtk_box_append (GTK_BOX (box), self->start);
  gtk_box_append (GTK_BOX (box), self->cancel);
  vg_connect (self->choice, "notify::selected", on_param, self);
  vg_connect (self->start, "clicked", on_start, self);
  vg_connect (self->cancel, "clicked", stop, self);
  return box;
}

static GtkWidget *
make_sheet (VgSweepDialog *self)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_homogeneous (GTK_GRID (grid), TRUE);
  for (int i = 0; i < VG_SWEEP_MOST; i++)
    {
      Cell *cell = &self->cells[i];
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

      cell->button = gtk_button_new ();
      cell->picture = gtk_picture_new ();
      cell->label = gtk_label_new ("");
      gtk_widget_set_size_request (cell->picture, PICTURE_WIDTH, PICTURE_HEIGHT);
      gtk_widget_add_css_class (cell->button, "flat");
      gtk_widget_set_vexpand (cell->picture, TRUE);
      gtk_box_append (GTK_BOX (box), cell->picture);
      gtk_box_append (GTK_BOX (box), cell->label);
      gtk_button_set_child (GTK_BUTTON (cell->button), box);
      g_signal_connect (cell->button, "clicked", G_CALLBACK (on_cell), self);
      gtk_grid_attach (GTK_GRID (grid), cell->button, i % COLUMNS, i / COLUMNS, 1, 1);
    }
  return grid;
}

static gboolean
on_close (VgSweepDialog *self)
{
  stop (self);
  return FALSE;
}

static void
vg_sweep_dialog_dispose (GObject *object)
{
  VgSweepDialog *self = VG_SWEEP_DIALOG (object);

  self->running = FALSE;
  g_clear_pointer (&self->sweep, vg_sweep_free);
  g_clear_pointer (&self->present, vg_result_unref);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (vg_sweep_dialog_parent_class)->dispose (object);
}

static void
vg_sweep_dialog_finalize (GObject *object)
{
  g_ptr_array_unref (VG_SWEEP_DIALOG (object)->params);
  G_OBJECT_CLASS (vg_sweep_dialog_parent_class)->finalize (object);
}

static void
vg_sweep_dialog_class_init (VgSweepDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_sweep_dialog_dispose;
  G_OBJECT_CLASS (class)->finalize = vg_sweep_dialog_finalize;
}

static void
vg_sweep_dialog_init (VgSweepDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, MARGIN);

  self->params = g_ptr_array_new ();
  self->progress = gtk_progress_bar_new ();
  vg_widget_describe (self->progress, _ ("Progress of the sweep"), NULL);
  g_object_set (box, "margin-top", MARGIN, "margin-bottom", MARGIN, "margin-start", MARGIN,
                "margin-end", MARGIN, NULL);
  gtk_box_append (GTK_BOX (box), make_controls (self));
  gtk_box_append (GTK_BOX (box), make_sheet (self));
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_window_set_child (GTK_WINDOW (self), box);
  vg_dialog_set_title (GTK_WINDOW (self), _ ("Sweep a Setting"));
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  vg_connect (self, "close-request", on_close, self);
}

GtkWidget *
vg_sweep_dialog_new (VgSession *session, VgImageView *image, VgSweepCompute compute, gpointer owner)
{
  VgSweepDialog *self = g_object_new (VG_TYPE_SWEEP_DIALOG, NULL);

  self->session = g_object_ref (session);
  self->image = image;
  self->compute = compute;
  self->owner = owner;
  list_params (self);
  on_param (self);
  return GTK_WIDGET (self);
}
