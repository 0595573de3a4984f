/* SPDX-License-Identifier: MIT */
#include "ui/bars/vg-work-bar.h"
#include "ui/words/vg-translation.h"
#include <math.h>
#include "ui/common/vg-widgets.h"

#define LONG_S 0.3            /* a result that takes longer is reported */
#define STILL_LONG_US 1000000 /* and the next ones too, for this time */

/* GTK's own pulse asks for every frame of the display, and a slow machine then draws nothing else.
 */
#define PULSE_US 200000
enum { PULSE_STEPS = 10, PULSE_PARTS = 5 }; /* there and back; the block is one part of the width */

/* Progress since the work began or was resumed, from which the time left is estimated. */
typedef struct
{
  VgPipelineState state;
  guint generation;
  double start; /* progress at since_us, 0 to 1; negative: not known */
  gint64 since_us;
  gint64 busy_us; /* when a result was last seen to take long */
} VgPace;

struct _VgWorkBar
{
  VgBin parent_instance;
  VgSession *session;
  VgPace pace, film; /* of the work, and of a movie */
  gboolean old, stale;
  GtkWidget *revealer, *text, *bars, *no_bar, *progress, *pulse, *ends, *no_end, *cancel;
  int pulse_step;
  gint64 pulse_us; /* when the block was last moved */
};

G_DEFINE_FINAL_TYPE (VgWorkBar, vg_work_bar, VG_TYPE_BIN)

/* TRUE if the input is processed as a whole; FALSE: frame by frame. */
static gboolean
is_whole (VgWorkBar *self)
{
  return vg_session_get_operation (self->session)->input.kind != VG_INPUT_STREAM;
}

/* The text for a preparation of which the fraction PREPARED is done; negative: OTHER. */
static char *
describe_preparation (double prepared, const char *other)
{
  return prepared >= 0 ? g_strdup_printf (_ ("Preparing the map… %.0f %%"), 100 * prepared)
                       : g_strdup (other);
}

/* 0 to 1; negative: not known. */
static double
get_progress (const VgWorkStatus *status)
{
  return status->result && !status->result->final ? status->result->progress : -1;
}

/* Restarts the estimate when work begins or is resumed.  An engine state that was made anew while
 * the work was paused keeps its note until the work is resumed. */
static void
update_pace (VgPace *pace, const VgWorkStatus *status, VgPipelineState state)
{
  guint generation = status->result ? status->result->generation : 0;

  if (pace->state == state && (pace->generation == generation || state == VG_PIPELINE_PAUSED) &&
      pace->start >= 0)
    return;
  if (pace->state != state || state != VG_PIPELINE_PAUSED)
    pace->generation = generation;
  pace->state = state;
  pace->start = get_progress (status);
  pace->since_us = g_get_monotonic_time ();
}

/* Updates the estimate of the remaining time, which begins again with each movie. */
static void
update_film (VgPace *film, double filmed)
{
  const gboolean began = filmed >= 0 && film->start < 0;

  film->start = filmed < 0 ? -1 : began ? filmed : film->start;
  if (began)
    film->since_us = g_get_monotonic_time ();
}

static char *
describe_left (const VgPace *pace, double progress)
{
  double seconds = (double) (g_get_monotonic_time () - pace->since_us) * 1e-6, left;

  /* the first seconds prepare, and tell nothing */
  if (seconds < 3 || pace->start < 0 || progress <= pace->start)
    return g_strdup ("");
  left = seconds * (1 - progress) / (progress - pace->start);
  if (left < 90)
    return g_strdup_printf (_ (", %.0f s left"), ceil (left));
  if (left < 5400)
    return g_strdup_printf (_ (", %.0f min left"), ceil (left / 60));
  return g_strdup_printf (_ (", %.0f h left"), ceil (left / 3600));
}

/* The comparison parameter's value where it is not the default: it may be why the work is slow. */
static char *
describe_choice (VgWorkBar *self)
{
  const VgOperation *operation = vg_session_get_operation (self->session);
  const VgParam *choice = operation->view.compare_param != NULL
                              ? vg_params_find (&operation->params, operation->view.compare_param)
                              : NULL;
  int value = choice != NULL
                  ? (int) vg_param_get_number (choice, vg_session_get_params (self->session))
                  : 0;

  if (choice == NULL || value == (int) choice->def)
    return g_strdup ("");
  return g_strdup_printf (", %s: %s", vg_translate (choice->label),
                          choice->choice_labels != NULL
                              ? vg_translate (choice->choice_labels[value])
                              : choice->choices[value]);
}

static gboolean
find_old (const VgWorkStatus *status)
{
  const VgResult *result = status->result;
  gboolean ended = vg_pipeline_is_cancelled (status->pipeline) ||
                   vg_pipeline_get_state (status->pipeline) == VG_PIPELINE_FAILED;

  return result == NULL ? status->left_over
                        : ended && !result->input_only && result->serial != status->params_serial;
}

static char *
describe_cancelled (const VgWorkStatus *status, double progress)
{
  if (status->result == NULL)
    return g_strdup (
        _ ("Cancelled. There is no map with these settings yet. Press Run to compute it."));
  if (find_old (status))
    return g_strdup (
        _ ("Cancelled. The map still shows the previous settings. Press Run to update it."));
  return progress >= 0
             ? g_strdup_printf (_ ("Cancelled at %.1f %%. Press Run to continue."), 100 * progress)
             : g_strdup (_ ("Cancelled. Press Run to continue."));
}

static char *
describe_work (VgWorkBar *self, const VgWorkStatus *status, VgPipelineState state, double progress)
{
  const VgResult *result = status->result;
  g_autofree char *left = NULL, *choice = NULL;

  if (status->exporting && status->filmed >= 0)
    {
      left = describe_left (&self->film, status->filmed);
      return g_strdup_printf (_ ("Making the movie… %.0f %%%s"), 100 * status->filmed, left);
    }
  if (status->exporting)
    return g_strdup (_ ("Exporting…"));
  if (state == VG_PIPELINE_OPENING)
    return describe_preparation (progress, _ ("Opening…"));
  if (state == VG_PIPELINE_FINISHED && !vg_pipeline_is_cancelled (status->pipeline))
    return g_strdup (_ ("Done"));
  if (state == VG_PIPELINE_FINISHED)
    return describe_cancelled (status, progress);
  if (state == VG_PIPELINE_PAUSED && result && result->precomputed)
    return g_strdup (_ ("This is an earlier result. Press Run to compute it again."));
  if (state == VG_PIPELINE_PAUSED && result && result->generation != self->pace.generation)
    return g_strdup (_ ("Paused. Restarted with these settings."));
  if (state == VG_PIPELINE_PAUSED)
    return progress >= 0 ? g_strdup_printf (_ ("Paused at %.1f %%"), 100 * progress)
                         : g_strdup (_ ("Paused"));
  if (progress < 0)
    return g_strdup (_ ("Computing…"));
  left = describe_left (&self->pace, progress);
  choice = describe_choice (self);
  return g_strdup_printf (_ ("Computing… %.1f %%%s%s"), 100 * progress, left, choice);
}

/* TRUE while one result, or its preparation, takes long.  It stays TRUE between results that follow
 * one another, so that the bar does not flicker. */
static gboolean
is_busy (VgWorkBar *self, VgPipeline *pipeline)
{
  double seconds = vg_pipeline_get_busy_s (pipeline);
  gint64 now = g_get_monotonic_time ();

  if (seconds >= LONG_S)
    self->pace.busy_us = now;
  return seconds > 0 && self->pace.busy_us > 0 && now - self->pace.busy_us < STILL_LONG_US;
}

/* A block that stands at one of a few places. */
static void
draw_pulse (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  VgWorkBar *self = data;
  int place = ABS (self->pulse_step - PULSE_STEPS / 2), block = width / PULSE_PARTS;
  GtkStyleContext *style = gtk_widget_get_style_context (GTK_WIDGET (area));
  GdkRGBA color;

  gtk_style_context_get_color (style, &color);
  cairo_set_source_rgba (cr, color.red, color.green, color.blue, 0.15);
  cairo_paint (cr);
  gtk_style_context_lookup_color (style, "theme_selected_bg_color", &color);
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_rectangle (cr, (width - block) * place * 2.0 / PULSE_STEPS, 0, block, height);
  cairo_fill (cr);
}

static void
move_pulse (VgWorkBar *self)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->pulse_us < PULSE_US)
    return;
  self->pulse_us = now;
  self->pulse_step = (self->pulse_step + 1) % PULSE_STEPS;
  gtk_widget_queue_draw (self->pulse);
}

void
vg_work_bar_update (VgWorkBar *self, const VgWorkStatus *status)
{
  VgPipelineState state = vg_pipeline_get_state (status->pipeline);
  const VgResult *result = status->result;
  gboolean opening = state == VG_PIPELINE_OPENING,
           working = is_whole (self) && state == VG_PIPELINE_RUNNING,
           busy = is_busy (self, status->pipeline) && !opening;
  gboolean old = find_old (status);
  gboolean cancelled = vg_pipeline_is_cancelled (status->pipeline) &&
                       (result == NULL || old || (is_whole (self) && !result->final));
  gboolean paused = (is_whole (self) && state == VG_PIPELINE_PAUSED) || cancelled, shown;
  double progress = status->exporting   ? status->filmed
                    : opening || busy   ? vg_pipeline_get_prepared (status->pipeline)
                    : working || paused ? get_progress (status)
                                        : -1;
  g_autofree char *text = NULL;

  self->old = old;
  self->stale = old || (busy && result && result->serial != status->params_serial);
  update_pace (&self->pace, status, state);
  update_film (&self->film, status->filmed);
  text = busy && !status->exporting ? describe_preparation (progress, _ ("Computing…"))
                                    : describe_work (self, status, state, progress);
  shown = opening || working || paused || busy || status->exporting;
  gtk_revealer_set_reveal_child (GTK_REVEALER (self->revealer), shown);
  /* a bar that is not shown takes no room from the picture */
  gtk_stack_set_hhomogeneous (GTK_STACK (self->bars), shown);
  gtk_widget_set_visible (self->ends, shown);
  gtk_stack_set_visible_child (GTK_STACK (self->ends),
                               opening || working || busy || status->exporting ? self->cancel
                                                                               : self->no_end);
  /* hidden text takes room too, so that its changes would move the time line */
  gtk_label_set_text (GTK_LABEL (self->text), shown ? text : "");
  /* text that changes while it runs stays on one line */
  gtk_label_set_wrap (GTK_LABEL (self->text), cancelled);
  gtk_label_set_lines (GTK_LABEL (self->text), cancelled ? 2 : -1);
  gtk_stack_set_visible_child (GTK_STACK (self->bars), progress >= 0     ? self->progress
                                                       : !paused || busy ? self->pulse
                                                                         : self->no_bar);
  if (progress >= 0)
    gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), CLAMP (progress, 0, 1));
  else if (vg_work_bar_is_shown (self))
    move_pulse (self);
}

gboolean
vg_work_bar_is_old (VgWorkBar *self)
{
  return self->old;
}

gboolean
vg_work_bar_is_stale (VgWorkBar *self)
{
  return self->stale;
}

gboolean
vg_work_bar_can_cancel (VgWorkBar *self)
{
  return gtk_stack_get_visible_child (GTK_STACK (self->ends)) == self->cancel;
}

gboolean
vg_work_bar_is_shown (VgWorkBar *self)
{
  return gtk_revealer_get_reveal_child (GTK_REVEALER (self->revealer));
}

const char *
vg_work_bar_get_text (VgWorkBar *self)
{
  return gtk_label_get_text (GTK_LABEL (self->text));
}

static void
vg_work_bar_class_init (VgWorkBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/org/vivograph/Vivograph/vg-work-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, text);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, progress);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, pulse);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, cancel);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, bars);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, no_bar);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, ends);
  gtk_widget_class_bind_template_child (widget_class, VgWorkBar, no_end);
}

static void
vg_work_bar_init (VgWorkBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->film.start = -1;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->pulse), draw_pulse, self, NULL);
  vg_label_show_whole (self->text);
}

GtkWidget *
vg_work_bar_new (VgSession *session)
{
  VgWorkBar *self = g_object_new (VG_TYPE_WORK_BAR, NULL);

  self->session = vg_hold (self, session);
  return GTK_WIDGET (self);
}
