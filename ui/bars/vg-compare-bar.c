/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-compare-bar.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"

struct _VgCompareBar
{
  GtkBox parent_instance;
  VgSession *session;
  VgPipeline *pipeline;    /* NULL: the window is closing */
  VgReference *reference;  /* survives a change of the backend; NULL: none */
  char *reference_name;    /* for the label: when or how it was computed */
  char *reference_input;   /* its first input; NULL: sample data */
  int sent;                /* the comparison that the pipeline was given last */
  gboolean change_pending; /* the comparison parameter changes once the reference has been stored */
  /* values of the comparison parameter: before any comparison changed it, of the reference, and the
   * one it was changed to */
  int first_choice, reference_choice, new_choice;
  gboolean choice_is_changed;
  char *obstacle;          /* shown in the banner: why the maps cannot be compared; NULL: none */
  guint64 obstacle_serial; /* of the settings that it is about */
  GtkWidget *label, *difference, *ratio, *choice_button;
};

G_DEFINE_FINAL_TYPE (VgCompareBar, vg_compare_bar, GTK_TYPE_BOX)

static const char *const modes[] = { "off", "kept", "difference", "ratio" }; /* as VgCompare */

static void
message (VgCompareBar *self, gboolean failed, const char *text)
{
  g_signal_emit_by_name (self, "message", failed, text);
}

/* TRUE if there is a reference result of the view shown. */
static gboolean
has_reference (VgCompareBar *self)
{
  return self->reference != NULL &&
         vg_reference_get_operation (self->reference) == vg_session_get_operation (self->session);
}

/* FALSE for label images: numbers of objects have no difference and no ratio. */
static gboolean
is_arithmetic (VgCompareBar *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  return operation->outputs[vg_session_get_view (self->session)->output].kind != VG_OUTPUT_LABELS;
}

void
vg_compare_bar_send (VgCompareBar *self, gboolean anew)
{
  if (!anew && self->sent == vg_session_get_view (self->session)->compare)
    return;
  self->sent = vg_session_get_view (self->session)->compare;
  vg_pipeline_set_compare (self->pipeline, has_reference (self) ? self->reference : NULL,
                           (VgCompare) self->sent);
}

/* Removes the banner of a comparison that has ended. */
static void
withdraw (VgCompareBar *self)
{
  if (self->obstacle != NULL)
    g_signal_emit_by_name (self, "withdraw", self->obstacle);
  g_clear_pointer (&self->obstacle, g_free);
}

static void
set_mode (VgCompareBar *self, VgCompare mode)
{
  VgView view = *vg_session_get_view (self->session);

  view.compare = mode;
  vg_session_set_view (self->session, &view);
}

static const VgParam *
find_choice (VgCompareBar *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  return operation->view.compare_param
             ? vg_params_find (&operation->params, operation->view.compare_param)
             : NULL;
}

static int
get_choice (VgCompareBar *self, const VgParam *choice)
{
  return (int) vg_param_get_number (choice, vg_session_get_params (self->session));
}

static int
next_choice (VgCompareBar *self, const VgParam *choice)
{
  int n = 0;

  while (choice->choices[n])
    n++;
  return (get_choice (self, choice) + 1) % n;
}

/* TRUE if the operation accepts the current settings with the next choice. */
static gboolean
next_choice_fits (VgCompareBar *self, const VgParam *choice)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  void *params = vg_params_copy (&operation->params, vg_session_get_params (self->session));
  gboolean fits;

  vg_param_set_number (choice, params, next_choice (self, choice));
  fits = operation->validate == NULL || operation->validate (params, NULL);
  vg_params_free (&operation->params, params);
  return fits;
}

const char *
vg_compare_bar_get_obstacle (VgCompareBar *self)
{
  const VgParam *choice = find_choice (self);

  if (choice == NULL)
    return _ ("This view has only one method");
  if (has_reference (self))
    return _ ("A result is already kept. Discard it first.");
  return next_choice_fits (self, choice) ? NULL
                                         : _ ("The other method cannot compute these settings");
}

/* Computes the next choice, to compare it with the reference that has just been stored. */
static void
change_choice (VgCompareBar *self)
{
  const VgParam *choice = find_choice (self);
  int now, first, next;

  self->change_pending = FALSE;
  if (choice == NULL)
    return;
  now = get_choice (self, choice);
  first = self->choice_is_changed && self->new_choice == now ? self->first_choice : now;
  self->choice_is_changed = FALSE;
  next = next_choice (self, choice);
  g_free (self->reference_name);
  self->reference_name = g_strdup_printf (
      _ ("Kept: %s"), choice->choice_labels ? choice->choice_labels[now] : choice->choices[now]);
  vg_session_commit_waiting (self->session);
  vg_session_set_number (self->session, choice, next);
  vg_session_commit (self->session, choice->label);
  self->first_choice = first;
  self->reference_choice = now;
  self->new_choice = next;
  self->choice_is_changed = TRUE;
  set_mode (self, VG_COMPARE_DIFFERENCE);
}

static void
on_reference (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (VgCompareBar) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgReference)
      reference = vg_pipeline_query_finish (VG_PIPELINE (source), result, &error);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");

  if (self->pipeline == NULL)
    return;
  if (reference == NULL)
    {
      self->change_pending = FALSE;
      message (self, TRUE, error->message);
      return;
    }
  withdraw (self);
  vg_reference_unref (self->reference);
  self->reference = g_steal_pointer (&reference);
  g_free (self->reference_name);
  self->reference_name = g_strdup_printf (_ ("Kept at %s"), time);
  g_free (self->reference_input);
  self->reference_input = g_strdup (vg_session_get_inputs (self->session)[0]);
  vg_compare_bar_send (self, TRUE);
  if (self->change_pending)
    change_choice (self);
  else
    self->choice_is_changed = FALSE; /* the reference was wanted with the current choice */
  g_signal_emit_by_name (self, "changed");
}

void
vg_compare_bar_compare_choice (VgCompareBar *self)
{
  self->change_pending = vg_compare_bar_get_obstacle (self) == NULL;
  if (self->change_pending)
    vg_compare_bar_keep (self);
}

void
vg_compare_bar_keep (VgCompareBar *self)
{
  if (self->pipeline != NULL)
    vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE }, NULL,
                             on_reference, g_object_ref (self));
}

static void
end_compare (VgCompareBar *self)
{
  self->choice_is_changed = FALSE;
  withdraw (self);
  set_mode (self, VG_COMPARE_OFF);
  g_clear_pointer (&self->reference, vg_reference_unref);
  vg_compare_bar_send (self, TRUE);
  g_signal_emit_by_name (self, "changed");
}

void
vg_compare_bar_drop_reference (VgCompareBar *self)
{
  const VgParam *choice = find_choice (self);
  gboolean back = has_reference (self) && self->choice_is_changed &&
                  get_choice (self, choice) == self->new_choice &&
                  self->first_choice != self->new_choice;

  end_compare (self);
  if (!back)
    return;
  vg_session_commit_waiting (self->session);
  vg_session_set_number (self->session, choice, self->first_choice);
  vg_session_commit (self->session, choice->label);
}

/* Once the choice is that of the reference again, by undo or by hand, both results are the same. */
void
vg_compare_bar_params_changed (VgCompareBar *self)
{
  if (has_reference (self) && self->choice_is_changed &&
      get_choice (self, find_choice (self)) == self->reference_choice)
    end_compare (self);
}

void
vg_compare_bar_set_mode (VgCompareBar *self, const char *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (mode, modes[i]) && (i == VG_COMPARE_OFF || has_reference (self)) &&
        (i <= VG_COMPARE_KEPT || is_arithmetic (self)))
      set_mode (self, (VgCompare) i);
}

void
vg_compare_bar_set_next_mode (VgCompareBar *self)
{
  int n = is_arithmetic (self) ? (int) G_N_ELEMENTS (modes) : VG_COMPARE_KEPT + 1;

  if (has_reference (self))
    set_mode (self, (VgCompare) ((vg_session_get_view (self->session)->compare + 1) % n));
}

const char *
vg_compare_bar_get_mode (VgCompareBar *self)
{
  return modes[vg_session_get_view (self->session)->compare];
}

/* Maps of different sizes are not compared: the view returns to the map and reports why, once. */
void
vg_compare_bar_check (VgCompareBar *self, const VgResult *result)
{
  if (result->serial > self->obstacle_serial || result->compare != VG_COMPARE_OFF)
    withdraw (self);
  if (result->compare_note == NULL ||
      vg_session_get_view (self->session)->compare == VG_COMPARE_OFF)
    return;
  withdraw (self);
  self->obstacle = g_strdup_printf (_ ("Not compared: %s"), result->compare_note);
  self->obstacle_serial = result->serial;
  set_mode (self, VG_COMPARE_OFF);
  message (self, TRUE, self->obstacle);
}

/* Shows the formula, the reference, its input where that is another, and the parameters, except the
 * compared one, that have changed since. */
static void
show_reference (VgCompareBar *self, const VgParam *choice)
{
  VgCompare compare = vg_session_get_view (self->session)->compare;
  g_autofree char *others = vg_reference_differs (
      self->reference, vg_session_get_params (self->session), choice ? choice->id : NULL);
  gboolean same = g_strcmp0 (self->reference_input, vg_session_get_inputs (self->session)[0]) == 0;
  g_autofree char *input = same ? NULL
                           : self->reference_input == NULL
                               ? g_strdup (_ ("sample data"))
                               : g_path_get_basename (self->reference_input);
  g_autofree char *kept = input != NULL
                              ? g_strdup_printf (_ ("%s, of %s"), self->reference_name, input)
                              : g_strdup (self->reference_name);
  g_autofree char *whole = others != NULL
                               ? g_strdup_printf (_ ("%s, with other settings: %s"), kept, others)
                               : g_strdup (kept);
  g_autofree char *text = compare == VG_COMPARE_DIFFERENCE
                              ? g_strdup_printf (_ ("Now \342\210\222 kept \302\267 %s"), whole)
                          : compare == VG_COMPARE_RATIO
                              ? g_strdup_printf (_ ("Now / kept \302\267 %s"), whole)
                              : g_strdup (whole);

  gtk_label_set_text (GTK_LABEL (self->label), text);
}

void
vg_compare_bar_update (VgCompareBar *self)
{
  const VgParam *choice = find_choice (self);

  if (has_reference (self))
    show_reference (self, choice);
  gtk_widget_set_visible (GTK_WIDGET (self), has_reference (self));
  gtk_widget_set_visible (self->difference, is_arithmetic (self));
  gtk_widget_set_visible (self->ratio, is_arithmetic (self));
  gtk_widget_set_visible (self->choice_button, choice != NULL);
  if (choice)
    {
      const char *why = vg_compare_bar_get_obstacle (self);
      g_autofree char *text = why != NULL ? g_strdup (why)
                                          : g_strdup_printf (
                                                _ ("Keep this result, compute it with the other "
                                                   "%s, and show the difference"),
                                                choice->label);
      vg_widget_set_tooltip (self->choice_button, text);
    }
}

void
vg_compare_bar_set_pipeline (VgCompareBar *self, VgPipeline *pipeline)
{
  g_set_object (&self->pipeline, pipeline);
}

GtkWidget *
vg_compare_bar_get_button (VgCompareBar *self)
{
  return self->choice_button;
}

static void
vg_compare_bar_dispose (GObject *object)
{
  VgCompareBar *self = VG_COMPARE_BAR (object);

  g_clear_object (&self->pipeline);
  g_clear_object (&self->session);
  g_clear_object (&self->choice_button);
  g_clear_pointer (&self->reference, vg_reference_unref);
  g_clear_pointer (&self->reference_name, g_free);
  g_clear_pointer (&self->reference_input, g_free);
  g_clear_pointer (&self->obstacle, g_free);
  G_OBJECT_CLASS (vg_compare_bar_parent_class)->dispose (object);
}

static void
vg_compare_bar_class_init (VgCompareBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = vg_compare_bar_dispose;
  vg_signal_new (VG_TYPE_COMPARE_BAR, "message", 2, G_TYPE_BOOLEAN, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_COMPARE_BAR, "withdraw", 1, G_TYPE_STRING);
  vg_signal_new (VG_TYPE_COMPARE_BAR, "changed", 0);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/vivograph/Vivograph/vg-compare-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, label);
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, difference);
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, ratio);
}

static void
vg_compare_bar_init (VgCompareBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  vg_label_tell_whole (self->label);
  self->choice_button = g_object_ref_sink (
      gtk_button_new_from_icon_name ("object-flip-horizontal-symbolic"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->choice_button), "win.compare-choice");
  vg_widget_describe (self->choice_button, _ ("Compare"), NULL);
  gtk_widget_set_visible (self->choice_button, FALSE);
}

GtkWidget *
vg_compare_bar_new (VgSession *session)
{
  VgCompareBar *self = g_object_new (VG_TYPE_COMPARE_BAR, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}
