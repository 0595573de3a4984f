/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-compare-bar.h"
#include "ui/bars/vg-held-limits.h"
#include "ui/bars/vg-kept-show.h"
#include "ui/words/vg-translation.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-object.h"
#include "ui/compare/vg-compare-choice.h"
#include "ui/compare/vg-kept-strip.h"
#include "ui/compare/vg-kept.h"

struct _VgCompareBar
{
  GtkBox parent_instance;
  VgSession *session;
  VgPipeline *pipeline;    /* NULL: the window is closing */
  VgImageView *image;      /* borrowed; NULL: none yet */
  VgKept *kept;            /* survives a change of the backend */
  int chosen;              /* the one compared with, of those of the operation */
  int output;              /* the output that is shown of them */
  int sent;                /* the comparison that the pipeline was given last */
  gboolean change_pending; /* the comparison parameter changes once the reference has been stored */
  /* values of the comparison parameter: before any comparison changed it, of the reference, and the
   * one it was changed to */
  int first_choice, reference_choice, new_choice;
  const VgOperation *changed; /* whose choice it is; NULL: none was changed */
  VgResult *shown;            /* the newest result; NULL: none yet */
  char *misfit;               /* why the chosen one cannot be compared with it; NULL: it can */
  char *obstacle;             /* shown in the banner: why the maps cannot be compared; NULL: none */
  guint64 obstacle_serial;    /* of the settings that it is about */
  VgHeldLimits *held;         /* of the colours */
  GtkWidget *modes, *difference, *ratio, *grid, *why, *strip, *choice_button;
};

G_STATIC_ASSERT ((int) VG_KEPT_MOST == (int) VG_IMAGE_MOST_BESIDE);

G_DEFINE_FINAL_TYPE (VgCompareBar, vg_compare_bar, GTK_TYPE_BOX)

static const struct
{
  const char *name;
  VgCompare compare;
  VgLayout layout;
} modes[] = {
  { "off", VG_COMPARE_OFF, VG_LAYOUT_SINGLE },
  { "kept", VG_COMPARE_KEPT, VG_LAYOUT_SINGLE },
  { "difference", VG_COMPARE_DIFFERENCE, VG_LAYOUT_SINGLE },
  { "ratio", VG_COMPARE_RATIO, VG_LAYOUT_SINGLE },
  { "wipe", VG_COMPARE_OFF, VG_LAYOUT_WIPE },
  { "side", VG_COMPARE_OFF, VG_LAYOUT_SIDE },
  { "grid", VG_COMPARE_OFF, VG_LAYOUT_GRID },
};

static void
message (VgCompareBar *self, gboolean failed, const char *text)
{
  g_signal_emit_by_name (self, "message", failed, text);
}

static int
count (VgCompareBar *self)
{
  return vg_kept_count (self->kept, vg_session_get_operation (self->session));
}

/* The reference result: the chosen one of the view shown; NULL: none is kept. */
VgReference *
vg_compare_bar_get_reference (VgCompareBar *self)
{
  self->chosen = CLAMP (self->chosen, 0, MAX (count (self) - 1, 0));
  return vg_kept_get (self->kept, vg_session_get_operation (self->session), self->chosen);
}

char *
vg_compare_bar_get_name (VgCompareBar *self)
{
  if (vg_compare_bar_get_reference (self) == NULL)
    return NULL;
  return vg_kept_get_name (self->kept, vg_session_get_operation (self->session), self->chosen,
                           vg_session_get_params (self->session),
                           vg_session_get_inputs (self->session)[0]);
}

static gboolean
has_reference (VgCompareBar *self)
{
  return vg_compare_bar_get_reference (self) != NULL;
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
  vg_pipeline_set_compare (self->pipeline, vg_compare_bar_get_reference (self),
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

static guint
get_mode (VgCompareBar *self)
{
  const VgView *view = vg_session_get_view (self->session);

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if ((int) modes[i].compare == view->compare && (int) modes[i].layout == view->layout)
      return i;
  return 0;
}

static void
set_mode (VgCompareBar *self, guint mode)
{
  VgView view = *vg_session_get_view (self->session);

  if (mode != 0 && get_mode (self) == 0)
    vg_held_limits_take (self->held, self->session, self->image, self->shown, TRUE);
  view.compare = modes[mode].compare;
  view.layout = modes[mode].layout;
  view.beside = has_reference (self) ? VG_BESIDE_KEPT : VG_BESIDE_INPUT;
  vg_session_set_view (self->session, &view);
  g_signal_emit_by_name (self, "changed");
}

VgReference *
vg_compare_bar_get_compared (VgCompareBar *self)
{
  return get_mode (self) != 0 ? vg_compare_bar_get_reference (self) : NULL;
}

/* The names are those on the screen. */
VgExportComparison *
vg_compare_bar_get_comparison (VgCompareBar *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  gboolean grid = modes[get_mode (self)].layout == VG_LAYOUT_GRID;
  VgExportComparison *comparison;

  if (get_mode (self) == 0 || !has_reference (self))
    return NULL;
  comparison = vg_export_comparison_new (self->session);
  if (self->image != NULL)
    comparison->wipe = vg_image_view_get_wipe (self->image);
  for (int i = 0; i < count (self); i++)
    if (grid || i == self->chosen)
      {
        g_autofree char *name = vg_kept_get_name (self->kept, operation, i,
                                                  vg_session_get_params (self->session),
                                                  vg_session_get_inputs (self->session)[0]);

        vg_export_comparison_add (comparison, vg_kept_get (self->kept, operation, i), name);
      }
  g_ptr_array_add (comparison->names, g_strdup (_ ("Now")));
  return comparison;
}

static gboolean
allows (VgCompareBar *self, guint mode)
{
  return mode == 0 || (has_reference (self) && self->misfit == NULL &&
                       (modes[mode].compare <= VG_COMPARE_KEPT || is_arithmetic (self)) &&
                       (modes[mode].layout != VG_LAYOUT_GRID || count (self) > 1));
}

const char *
vg_compare_bar_get_obstacle (VgCompareBar *self)
{
  const VgParam *choice = vg_compare_choice_find (self->session);

  if (choice == NULL)
    return _ ("This view has only one method");
  if (has_reference (self))
    return _ ("A result is already kept. Discard it first.");
  return vg_compare_choice_next_fits (self->session, choice)
             ? NULL
             : _ ("The other method cannot compute these settings");
}

/* Whether the choice of the present view was changed for a comparison.  Each view has references of
 * its own, and another one may have no choice. */
static gboolean
is_changed (VgCompareBar *self)
{
  return self->changed == vg_session_get_operation (self->session);
}

/* Computes the next choice, to compare it with the reference that has just been stored. */
static void
change_choice (VgCompareBar *self)
{
  const VgParam *choice = vg_compare_choice_find (self->session);
  int now, first, next;

  self->change_pending = FALSE;
  if (choice == NULL)
    return;
  now = vg_compare_choice_get (self->session, choice);
  first = is_changed (self) && self->new_choice == now ? self->first_choice : now;
  self->changed = NULL;
  next = vg_compare_choice_next (self->session, choice);
  vg_session_commit_waiting (self->session);
  vg_session_set_number (self->session, choice, next);
  vg_session_commit (self->session, choice->label);
  self->first_choice = first;
  self->reference_choice = now;
  self->new_choice = next;
  self->changed = vg_session_get_operation (self->session);
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
  int place;

  if (self->pipeline == NULL)
    return;
  if (reference == NULL)
    {
      self->change_pending = FALSE;
      message (self, TRUE, error->message);
      return;
    }
  withdraw (self);
  place = vg_kept_add (self->kept, g_steal_pointer (&reference),
                       vg_session_get_inputs (self->session)[0], time);
  if (place < 0)
    message (self, TRUE, _ ("Four results are kept already. Discard one first."));
  else
    {
      self->chosen = place;
      vg_held_limits_take (self->held, self->session, self->image, self->shown, TRUE);
    }
  vg_compare_bar_send (self, TRUE);
  if (self->change_pending)
    change_choice (self);
  else
    self->changed = NULL; /* the reference was wanted with the current choice */
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
  if (count (self) == VG_KEPT_MOST)
    message (self, TRUE, _ ("Four results are kept already. Discard one first."));
  else if (self->pipeline != NULL)
    {
      g_autofree const VgNamedRegion **regions = vg_session_list_regions (self->session);

      vg_pipeline_query_async (self->pipeline,
                               &(VgQuery){ .kind = VG_QUERY_REFERENCE, .regions = regions }, NULL,
                               on_reference, g_object_ref (self));
    }
}

/* Discards number I; without any the comparison ends. */
static void
discard (VgCompareBar *self, int i)
{
  const VgOperation *operation = vg_session_get_operation (self->session);

  if (i == 0 && is_changed (self))
    self->changed = NULL; /* the first is that of a comparison parameter */
  withdraw (self);
  vg_kept_remove (self->kept, operation, i);
  if (self->chosen > i)
    self->chosen--;
  if (!allows (self, get_mode (self)))
    set_mode (self, 0);
  if (!has_reference (self))
    vg_held_limits_release (self->held, self->session);
  vg_compare_bar_send (self, TRUE);
  g_signal_emit_by_name (self, "changed");
}

static void
remove_kept (VgCompareBar *self, int i)
{
  const VgParam *choice = vg_compare_choice_find (self->session);
  gboolean back = i == 0 && has_reference (self) && is_changed (self) &&
                  vg_compare_choice_get (self->session, choice) == self->new_choice &&
                  self->first_choice != self->new_choice;

  discard (self, i);
  if (!back)
    return;
  vg_session_commit_waiting (self->session);
  vg_session_set_number (self->session, choice, self->first_choice);
  vg_session_commit (self->session, choice->label);
}

void
vg_compare_bar_drop_reference (VgCompareBar *self)
{
  if (has_reference (self))
    remove_kept (self, self->chosen);
}

static void
choose (VgCompareBar *self, int i)
{
  self->chosen = i;
  vg_compare_bar_send (self, TRUE);
  vg_compare_bar_update (self);
  g_signal_emit_by_name (self, "changed");
}

/* Once the choice is that of the reference again, by undo or by hand, both results are the same. */
void
vg_compare_bar_params_changed (VgCompareBar *self)
{
  if (has_reference (self) && is_changed (self) &&
      vg_compare_choice_get (self->session, vg_compare_choice_find (self->session)) ==
          self->reference_choice)
    discard (self, 0);
}

void
vg_compare_bar_set_mode (VgCompareBar *self, const char *mode)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (mode, modes[i].name) && allows (self, i))
      set_mode (self, i);
}

void
vg_compare_bar_set_next_mode (VgCompareBar *self)
{
  guint mode = get_mode (self);

  do
    mode = (mode + 1) % G_N_ELEMENTS (modes);
  while (!allows (self, mode));
  set_mode (self, mode);
}

int
vg_compare_bar_get_room (VgCompareBar *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  return gtk_widget_get_mapped (widget)
             ? gtk_widget_get_height (widget) + 2 * gtk_widget_get_margin_bottom (widget)
             : 0;
}

const char *
vg_compare_bar_get_mode (VgCompareBar *self)
{
  return modes[get_mode (self)].name;
}

/* Whether the newest result is of the map that the view shows. */
static gboolean
is_of_view (VgCompareBar *self)
{
  const VgResult *result = self->shown;

  return result != NULL && result->operation == vg_session_get_operation (self->session) &&
         result->output == vg_session_get_view (self->session)->output;
}

/* Why the chosen result cannot be compared; NULL: it can. */
static const char *
find_obstacle (VgCompareBar *self)
{
  const VgResult *result = self->shown;

  if (result != NULL && result->compare_note != NULL)
    return result->compare_note;
  return is_of_view (self) && has_reference (self)
             ? vg_kept_get_misfit (self->kept, result->operation, self->chosen)
             : NULL;
}

/* Whether the kept map is seen over frames that are not its own: the result in view lends them. */
static gboolean
has_other_frames (VgCompareBar *self)
{
  const VgResult *result = self->shown;

  return result != NULL && has_reference (self) && result->underlay != NULL &&
         vg_session_get_display (self->session)->underlay && get_mode (self) != 0 &&
         result->operation == vg_session_get_operation (self->session) &&
         result->underlay_corrected !=
             vg_reference_is_corrected (vg_compare_bar_get_reference (self));
}

/* Says under the buttons why they are disabled, or what to beware of. */
static void
show_why (VgCompareBar *self)
{
  g_autofree char *text = self->misfit != NULL ? g_strdup_printf (_ ("Not compared: %s"),
                                                                  vg_translate (self->misfit))
                          : has_other_frames (self)
                              ? g_strdup (
                                    _ ("Both maps are drawn over the frames of the current result. "
                                       "The kept map was computed with another motion correction."))
                              : NULL;

  if (text != NULL && g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->why)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->why), text);
  gtk_widget_set_visible (self->why, text != NULL);
}

/* The buttons of all comparisons are disabled with the reason while there is one. */
static void
show_misfit (VgCompareBar *self)
{
  const char *misfit = find_obstacle (self);
  GtkWidget *buttons = gtk_widget_get_first_child (self->modes), *button;
  guint i = 0;

  if (g_strcmp0 (misfit, self->misfit) == 0)
    {
      show_why (self);
      return;
    }
  g_free (self->misfit);
  self->misfit = g_strdup (misfit);
  for (button = gtk_widget_get_first_child (buttons); button != NULL;
       button = gtk_widget_get_next_sibling (button), i++)
    if (modes[i].compare != VG_COMPARE_OFF || modes[i].layout != VG_LAYOUT_SINGLE)
      {
        g_autofree char *why = self->misfit != NULL ? g_strdup_printf (_ ("Not compared: %s"),
                                                                       vg_translate (self->misfit))
                                                    : NULL;

        if (g_object_get_data (G_OBJECT (button), "vg-help") == NULL)
          g_object_set_data_full (G_OBJECT (button), "vg-help",
                                  gtk_widget_get_tooltip_text (button) != NULL
                                      ? g_strdup (gtk_widget_get_tooltip_text (button))
                                      : g_strdup (""),
                                  g_free);
        /* with its action it would be enabled whenever that is */
        gtk_actionable_set_action_name (GTK_ACTIONABLE (button),
                                        why == NULL ? "win.compare" : NULL);
        if (why != NULL)
          gtk_widget_set_sensitive (button, FALSE);
        vg_widget_set_tooltip (
            button, why != NULL ? why : g_object_get_data (G_OBJECT (button), "vg-help"));
      }
  show_why (self);
}

/* The fitted image ends above this bar, which leaves the colour bar free. */
static void
keep_room (VgCompareBar *self)
{
  if (self->image != NULL)
    vg_kept_keep_room (GTK_WIDGET (self), self->image);
}

/* Gives the kept results to the image and to the strip. */
static void
show_kept (VgCompareBar *self)
{
  self->output = vg_session_get_view (self->session)->output;
  vg_kept_show (self->kept, self->session, self->chosen, self->image, VG_KEPT_STRIP (self->strip));
  keep_room (self);
}

/* TRUE: other results than before can be compared with the newest one. */
static gboolean
fit (VgCompareBar *self)
{
  return is_of_view (self) &&
         vg_kept_fit (self->kept, self->shown, vg_session_get_params (self->session));
}

/* Maps of different sizes are not compared: the view returns to the map and reports why, once. */
void
vg_compare_bar_check (VgCompareBar *self, VgResult *result)
{
  const char *note;
  gboolean fits_anew;

  g_clear_pointer (&self->shown, vg_result_unref);
  self->shown = vg_result_ref (result);
  fits_anew = fit (self);
  show_misfit (self);
  note = self->misfit;
  if (result->serial > self->obstacle_serial || result->compare != VG_COMPARE_OFF)
    withdraw (self);
  if (has_reference (self))
    vg_held_limits_take (self->held, self->session, self->image, result, FALSE);
  if (fits_anew || self->output != result->output)
    show_kept (self);
  else
    keep_room (self);
  if (note == NULL || get_mode (self) == 0)
    return;
  withdraw (self);
  self->obstacle = g_strdup_printf (_ ("Not compared: %s"), vg_translate (note));
  self->obstacle_serial = result->serial;
  set_mode (self, 0);
  message (self, TRUE, self->obstacle);
}

void
vg_compare_bar_update (VgCompareBar *self)
{
  const VgParam *choice = vg_compare_choice_find (self->session);

  gtk_widget_set_visible (GTK_WIDGET (self), has_reference (self));
  gtk_widget_set_visible (self->grid, count (self) > 1);
  fit (self);
  show_misfit (self);
  show_kept (self);
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

void
vg_compare_bar_set_image (VgCompareBar *self, VgImageView *image)
{
  self->image = image;
  if (image != NULL)
    show_kept (self);
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
  g_clear_pointer (&self->kept, vg_kept_free);
  g_clear_pointer (&self->held, vg_held_limits_free);
  g_clear_pointer (&self->shown, vg_result_unref);
  g_clear_pointer (&self->misfit, g_free);
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
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, difference);
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, ratio);
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, grid);
  gtk_widget_class_bind_template_child (widget_class, VgCompareBar, modes);
}

static void
vg_compare_bar_init (VgCompareBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->kept = vg_kept_new ();
  self->held = vg_held_limits_new ();
  self->strip = vg_kept_strip_new ();
  vg_connect (self->strip, "chosen", choose, self);
  vg_connect (self->strip, "removed", remove_kept, self);
  gtk_box_prepend (GTK_BOX (self), self->strip);
  self->why = g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "max-width-chars", 60, "visible", FALSE,
                            NULL);
  gtk_widget_add_css_class (self->why, "dim-label");
  gtk_box_append (GTK_BOX (self), self->why);
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
