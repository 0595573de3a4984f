/* SPDX-License-Identifier: MIT */
/* A result kept aside, and what is shown of it: the window's part.  The kept
 * maps belong to the window, so they outlive a change of the backend. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include "ui/common/vg-widgets.h"

static const char *const modes[] = { "off", "kept", "difference", "ratio" }; /* as VgCompare */

/* There is a kept result of the operation that is shown. */
static gboolean
has_reference (VgWindow *self)
{
  return self->reference != NULL &&
         vg_reference_get_operation (self->reference) == vg_session_get_operation (self->session);
}

/* Numbers of objects have no difference. */
static gboolean
is_arithmetic (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  return operation->outputs[vg_session_get_view (self->session)->output].kind != VG_OUTPUT_LABELS;
}

void
vg_window_send_compare (VgWindow *self)
{
  self->shown_compare = vg_session_get_view (self->session)->compare;
  vg_pipeline_set_compare (self->pipeline, has_reference (self) ? self->reference : NULL,
                           (VgCompare) self->shown_compare);
}

/* What was said of a comparison ends with it. */
static void
unsay (VgWindow *self)
{
  if (self->apart != NULL)
    vg_banner_withdraw (VG_BANNER (self->banner), self->apart);
  g_clear_pointer (&self->apart, g_free);
}

static void
set_mode (VgWindow *self, VgCompare mode)
{
  VgView view = *vg_session_get_view (self->session);

  view.compare = mode;
  vg_session_set_view (self->session, &view);
}

static const VgParam *
find_choice (VgWindow *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  return operation->view.compare_param
             ? vg_params_find (&operation->params, operation->view.compare_param)
             : NULL;
}

static int
get_choice (VgWindow *self, const VgParam *choice)
{
  return (int) vg_param_get_number (choice, vg_session_get_params (self->session));
}

static int
next_choice (VgWindow *self, const VgParam *choice)
{
  int n = 0;

  while (choice->choices[n])
    n++;
  return (get_choice (self, choice) + 1) % n;
}

/* The operation takes the present settings with the next choice. */
static gboolean
next_choice_fits (VgWindow *self, const VgParam *choice)
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
vg_window_why_no_choice (VgWindow *self)
{
  const VgParam *choice = find_choice (self);

  if (choice == NULL)
    return "There is only one way to compute this";
  if (has_reference (self))
    return "A result is already kept: drop it first";
  return next_choice_fits (self, choice) ? NULL : "The other way cannot compute these settings";
}

/* The next way to compute, beside what has just been kept. */
static void
change_choice (VgWindow *self)
{
  const VgParam *choice = find_choice (self);
  int now, first, next;

  self->change_when_reference = FALSE;
  if (choice == NULL)
    return;
  now = get_choice (self, choice);
  first = self->choice.is_changed && self->choice.now == now ? self->choice.first : now;
  self->choice.is_changed = FALSE;
  next = next_choice (self, choice);
  g_free (self->reference_name);
  self->reference_name = g_strdup_printf (
      _ ("Kept: %s"), choice->choice_labels ? choice->choice_labels[now] : choice->choices[now]);
  vg_commit_flush (self->session);
  vg_session_set_number (self->session, choice, next);
  vg_session_commit (self->session, choice->label);
  self->choice.first = first;
  self->choice.reference = now;
  self->choice.now = next;
  self->choice.is_changed = TRUE;
  set_mode (self, VG_COMPARE_DIFFERENCE);
}

static void
on_reference (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (VgWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgReference)
      reference = vg_pipeline_query_finish (VG_PIPELINE (source), result, &error);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S");

  if (self->pipeline == NULL || self->session == NULL)
    return;
  if (reference == NULL)
    {
      self->change_when_reference = FALSE;
      vg_window_message (self, TRUE, error->message);
      return;
    }
  unsay (self);
  vg_reference_unref (self->reference);
  self->reference = g_steal_pointer (&reference);
  g_free (self->reference_name);
  self->reference_name = g_strdup_printf (_ ("Kept at %s"), time);
  g_free (self->reference_input);
  self->reference_input = g_strdup (vg_session_get_inputs (self->session)[0]);
  vg_window_send_compare (self);
  if (self->change_when_reference)
    change_choice (self);
  else
    self->choice.is_changed = FALSE; /* as it is now is what was wanted kept */
  vg_window_show_state (self);
}

void
vg_window_compare_choice (VgWindow *self)
{
  self->change_when_reference = self->result != NULL && vg_window_why_no_choice (self) == NULL;
  if (self->change_when_reference)
    vg_window_keep (self);
}

void
vg_window_keep (VgWindow *self)
{
  if (self->result)
    vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_REFERENCE }, NULL,
                             on_reference, g_object_ref (self));
}

static void
end_compare (VgWindow *self)
{
  self->choice.is_changed = FALSE;
  unsay (self);
  set_mode (self, VG_COMPARE_OFF);
  g_clear_pointer (&self->reference, vg_reference_unref);
  vg_window_send_compare (self);
  vg_window_show_state (self);
}

void
vg_window_forget_reference (VgWindow *self)
{
  const VgParam *choice = find_choice (self);
  gboolean back = has_reference (self) && self->choice.is_changed &&
                  get_choice (self, choice) == self->choice.now &&
                  self->choice.first != self->choice.now;

  end_compare (self);
  if (!back)
    return;
  vg_commit_flush (self->session);
  vg_session_set_number (self->session, choice, self->choice.first);
  vg_session_commit (self->session, choice->label);
}

/* Back to that of the kept result, by undo or by hand: there is nothing to compare any more. */
void
vg_window_follow_choice (VgWindow *self)
{
  if (has_reference (self) && self->choice.is_changed &&
      get_choice (self, find_choice (self)) == self->choice.reference)
    end_compare (self);
}

void
vg_window_set_compare (VgWindow *self, const char *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (mode, modes[i]) && (i == VG_COMPARE_OFF || has_reference (self)) &&
        (i <= VG_COMPARE_KEPT || is_arithmetic (self)))
      set_mode (self, (VgCompare) i);
}

void
vg_window_next_compare (VgWindow *self)
{
  int n = is_arithmetic (self) ? (int) G_N_ELEMENTS (modes) : VG_COMPARE_KEPT + 1;

  if (has_reference (self))
    set_mode (self, (VgCompare) ((vg_session_get_view (self->session)->compare + 1) % n));
}

const char *
vg_window_get_compare (VgWindow *self)
{
  return modes[vg_session_get_view (self->session)->compare];
}

/* Maps that do not fit are not compared: said once, by going back to the map. */
void
vg_window_check_compare (VgWindow *self, const VgResult *result)
{
  if (result->serial > self->apart_serial || result->compare != VG_COMPARE_OFF)
    unsay (self);
  if (result->compare_note == NULL ||
      vg_session_get_view (self->session)->compare == VG_COMPARE_OFF)
    return;
  unsay (self);
  self->apart = g_strdup_printf (_ ("Not compared: %s"), result->compare_note);
  self->apart_serial = result->serial;
  set_mode (self, VG_COMPARE_OFF);
  vg_window_message (self, TRUE, self->apart);
}

/* Which is taken from which, what is kept, of which input if not of the present one, and what else
 * than the compared choice has been set otherwise since. */
static void
show_reference (VgWindow *self, const VgParam *choice)
{
  /* as VgCompare */
  static const char *const shown[] = { "", "", "Present \342\210\222 kept \302\267 ",
                                       "Present / kept \302\267 " };
  const char *first = shown[vg_session_get_view (self->session)->compare];
  g_autofree char *others = vg_reference_differs (
      self->reference, vg_session_get_params (self->session), choice ? choice->id : NULL);
  gboolean same = g_strcmp0 (self->reference_input, vg_session_get_inputs (self->session)[0]) == 0;
  g_autofree char *input = same ? NULL
                           : self->reference_input == NULL
                               ? g_strdup ("sample data")
                               : g_path_get_basename (self->reference_input);
  g_autofree char *text = g_strconcat (first, self->reference_name, input ? ", of " : "",
                                       input ? input : "",
                                       others ? ", with other settings: " : NULL, others, NULL);

  gtk_label_set_text (GTK_LABEL (self->compare_label), text);
}

void
vg_window_show_compare (VgWindow *self)
{
  const VgParam *choice = find_choice (self);

  if (has_reference (self))
    show_reference (self, choice);
  gtk_widget_set_visible (self->compare_bar, has_reference (self));
  gtk_widget_set_visible (self->compare_difference, is_arithmetic (self));
  gtk_widget_set_visible (self->compare_ratio, is_arithmetic (self));
  gtk_widget_set_visible (self->compare_choice, choice != NULL);
  if (choice)
    {
      const char *why = vg_window_why_no_choice (self);
      g_autofree char *text = why != NULL ? g_strdup (why)
                                          : g_strdup_printf (
                                                _ ("Keep this result, compute it with the other "
                                                   "%s, and show the difference"),
                                                choice->label);
      vg_widget_set_tooltip (self->compare_choice, text);
    }
}
