/* SPDX-License-Identifier: MIT */
#include "ui/words/vg-translation.h"
#include "ui/bars/vg-status-bar.h"
#include <math.h>
#include <string.h>
#include "ui/common/vg-fit-box.h"
#include "ui/common/vg-object.h"
#include "ui/common/vg-widgets.h"
#include "ui/common/vg-number-format.h"

#define STALE_OPACITY 0.5

enum { MOST_CHIPS = 5, GAP_PX = 12 };

typedef enum { DEVICE, DISPLAY, MAPS, IMAGES, DELAY, SLIDER, FRAMES, KEPT, N_LINES } Line;

struct _VgStatusBar
{
  VgBin parent_instance;
  GtkWidget *box, *metrics, *probe, *dot, *brief;
  GtkWidget *names[N_LINES], *values[N_LINES]; /* in the popover */
  char *device;                                /* in short */
  VgReference *kept;                           /* NULL: nothing is compared */
  double maps_per_s;
  gboolean busy; /* input is being opened, or a result prepared or computed */
};

G_DEFINE_FINAL_TYPE (VgStatusBar, vg_status_bar, VG_TYPE_BIN)

static void
on_advice (VgStatusBar *self)
{
  g_signal_emit_by_name (self, "advice");
}

static void
on_pressed (GtkGesture *gesture, int n, double x, double y, VgStatusBar *self)
{
  GtkWidget *item = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));

  if (gtk_widget_get_visible (gtk_widget_get_first_child (item)))
    on_advice (self);
}

/* One number: a button with a sign (only with advice) and text.  Wherever the number is clicked,
 * its advice is shown. */
static GtkWidget *
number_new (VgStatusBar *self)
{
  GtkWidget *item = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4), *icon = gtk_button_new ();
  GtkGesture *press = gtk_gesture_click_new ();

  gtk_widget_add_css_class (item, "vg-chip");
  gtk_button_set_has_frame (GTK_BUTTON (icon), FALSE);
  gtk_widget_add_css_class (icon, "vg-sign");
  g_signal_connect_swapped (icon, "clicked", G_CALLBACK (on_advice), self);
  g_signal_connect (press, "released", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (item, GTK_EVENT_CONTROLLER (press));
  gtk_box_append (GTK_BOX (item), icon);
  gtk_box_append (GTK_BOX (item), vg_label_new (NULL, "numeric"));
  return item;
}

/* The name steps back behind the value. */
static void
emphasise (GtkWidget *label, const char *name)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  PangoAttribute *dim = pango_attr_foreground_alpha_new (0.72 * G_MAXUINT16),
                 *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

  dim->end_index = bold->start_index = (guint) strlen (name);
  pango_attr_list_insert (attributes, dim);
  pango_attr_list_insert (attributes, bold);
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
}

/* VALUE, or "now VALUE, kept 118" while results are compared. */
static char *
add_kept (VgStatusBar *self, const VgMetric *number, const char *value)
{
  const VgMetric *then = self->kept != NULL
                             ? vg_metrics_find (vg_reference_get_metrics (self->kept), number->id)
                             : NULL;
  g_autofree char *kept = then != NULL ? vg_format_steady (then->value, then->unit) : NULL;

  return self->kept != NULL ? vg_format_compared (value, kept) : g_strdup (value);
}

static void
show_number (VgStatusBar *self, GtkWidget *item, const VgMetric *number)
{
  GtkWidget *icon = gtk_widget_get_first_child (item), *label = gtk_widget_get_next_sibling (icon);
  g_autofree char *now = vg_format_steady (number->value, number->unit),
                  *value = add_kept (self, number, now);
  const char *unit = vg_format_unit (number->unit, number->value);
  const gboolean grave = (number->flags & VG_NUMBER_GRAVE) != 0;
  g_autofree char *text = g_strdup_printf ("%s %s%s%s", vg_translate (number->label), value,
                                           *unit != '\0' ? " " : "", vg_translate (unit));

  gtk_label_set_text (GTK_LABEL (label), text);
  emphasise (label, vg_translate (number->label));
  gtk_widget_set_visible (icon, number->advice != NULL);
  /* Amber is for what makes the maps wrong.  Other advice makes good data better, such as where a
   * value is assumed. */
  gtk_button_set_icon_name (GTK_BUTTON (icon),
                            grave ? "dialog-warning-symbolic" : "dialog-information-symbolic");
  if (grave)
    gtk_widget_add_css_class (icon, "warning");
  else
    gtk_widget_remove_css_class (icon, "warning");
  vg_widget_answer (item, vg_translate (number->advice)); /* its numbers may change */
  gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  number->advice ? vg_translate (number->advice) : "", -1);
}

/* Number I is followed by the same one in another unit, as px and µm: the latter says more. */
static gboolean
is_said_again (const VgMetrics *metrics, guint i)
{
  const VgMetric *number = &g_array_index (metrics->items, VgMetric, i), *next = number + 1;

  return i + 1 < metrics->items->len && number->advice == NULL && isfinite (next->value) &&
         strcmp (number->label, next->label) == 0 && g_strcmp0 (number->unit, next->unit) != 0;
}

void
vg_status_bar_set_numbers (VgStatusBar *self, const VgMetrics *metrics)
{
  guint n = metrics ? metrics->items->len : 0;
  GtkWidget *item = gtk_widget_get_first_child (self->metrics);

  for (guint i = 0; i < 2 * n; i++) /* those with advice come first: they must not be left out */
    {
      const VgMetric *number = &g_array_index (metrics->items, VgMetric, i % n);

      if ((number->advice != NULL) != (i < n) ||
          (number->advice == NULL && !isfinite (number->value)) ||
          !vg_metrics_is_shown (metrics, number) || is_said_again (metrics, i % n))
        /* what has no value yet would take the place of what has one; errors stand in Results */
        continue;
      if (item == NULL)
        vg_fit_box_append (VG_FIT_BOX (self->metrics), item = number_new (self));
      show_number (self, item, number);
      item = gtk_widget_get_next_sibling (item);
    }
  while (item)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (item);
      gtk_widget_unparent (item);
      item = next;
    }
}

void
vg_status_bar_set_kept (VgStatusBar *self, VgReference *kept)
{
  VgReference *before = self->kept;

  self->kept = kept != NULL ? vg_reference_ref (kept) : NULL;
  vg_reference_unref (before);
}

void
vg_status_bar_set_probe (VgStatusBar *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->probe), text);
}

void
vg_status_bar_set_stale (VgStatusBar *self, gboolean stale)
{
  gtk_widget_set_opacity (self->metrics, stale ? STALE_OPACITY : 1);
}

/* The line goes without a value. */
static void
set_line (VgStatusBar *self, Line line, const char *value)
{
  gtk_label_set_text (GTK_LABEL (self->values[line]), value != NULL ? value : "");
  gtk_widget_set_visible (self->names[line], value != NULL && *value != '\0');
  gtk_widget_set_visible (self->values[line], value != NULL && *value != '\0');
}

/* "CPU · 25 maps/s"; the device alone while nothing is computed. */
static void
show_brief (VgStatusBar *self)
{
  g_autofree char *speed = g_strdup_printf (
      self->maps_per_s < 9.95 ? _ ("%.1f maps/s") : _ ("%.0f maps/s"), self->maps_per_s);
  gboolean idle = !self->busy || self->maps_per_s < 0.05; /* the speed of before is none now */
  g_autofree char *text = NULL;

  if (idle)
    text = g_strdup (self->device != NULL ? self->device
                     : self->busy         ? _ ("Preparing the map")
                                          : _ ("Idle"));
  else
    text = g_strjoin (" · ", self->device != NULL ? self->device : speed,
                      self->device != NULL ? speed : NULL, NULL);
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->brief)), text) != 0)
    gtk_label_set_text (GTK_LABEL (self->brief), text);
}

void
vg_status_bar_set_device (VgStatusBar *self, const char *device, gboolean busy, const char *display)
{
  self->busy = busy;
  g_free (self->device);
  self->device = device != NULL && *device != '\0' ? g_strndup (device, strcspn (device, ","))
                                                   : NULL;
  set_line (self, DEVICE, device);
  set_line (self, DISPLAY, display);
  show_brief (self);
}

void
vg_status_bar_set_past (VgStatusBar *self, const VgPast *past)
{
  g_autofree char *size = past != NULL ? g_format_size (past->bytes) : NULL;
  g_autofree char *kept = past != NULL ? g_strdup_printf (_ ("%u frames, %s"), past->frames, size)
                                       : NULL;

  set_line (self, KEPT, kept);
}

void
vg_status_bar_set_counts (VgStatusBar *self, const VgPipelineCounts *counts, double images_per_s,
                          const VgResponse *response, gboolean recording)
{
  double median, longest;
  guint late;
  gboolean wrong = counts->bad > 0 || (recording && counts->lost > 0), streams = counts->sent > 0;
  g_autofree char *maps = g_strdup_printf (_ ("%.0f per second"), counts->results_per_s),
                  *images = g_strdup_printf (_ ("%.0f per second"), images_per_s),
                  *delay = g_strdup_printf (_ ("%.0f ms median, 99 %% below %.0f ms"),
                                            counts->latency_p50_ms, counts->latency_p99_ms),
                  *account = vg_pipeline_counts_to_text (counts), *slider = NULL;

  if (vg_response_get (response, &median, &longest, &late))
    slider = g_strdup_printf (_ ("%.0f ms median, %.0f ms longest; %u of %u late"), median, longest,
                              late, MIN (response->n, VG_RESPONSES));
  self->maps_per_s = counts->results_per_s;
  show_brief (self);
  set_line (self, MAPS, maps);
  set_line (self, IMAGES, images);
  set_line (self, DELAY, streams ? delay : NULL);
  set_line (self, SLIDER, slider);
  set_line (self, FRAMES,
            streams ? vg_translate (account) : NULL); /* work without a stream has none */
  gtk_widget_remove_css_class (self->dot, wrong ? "vg-good" : "warning");
  gtk_widget_add_css_class (self->dot, wrong ? "warning" : "vg-good");
}

static GtkWidget *
performance_new (VgStatusBar *self)
{
  static const struct
  {
    const char *name, *help;
  } lines[N_LINES] = {
    [DEVICE] = { N_ ("Processor"), N_ ("Computes the maps") },
    [DISPLAY] = { N_ ("Display"), N_ ("Draws the image") },
    [MAPS] = { N_ ("Maps computed"), NULL },
    [IMAGES] = { N_ ("Images drawn"), NULL },
    [DELAY] = { N_ ("Delay"), N_ ("Time from a frame's arrival to its map") },
    [KEPT] = { N_ ("Look back"),
               N_ ("Frames of a live source in memory, and the memory that they take") },
    [SLIDER] = { N_ ("Slider to image"),
                 N_ ("Time from a slider's move to its image; late: not in the next frame drawn") },
    [FRAMES] = { N_ ("Frames"),
                 N_ ("Superseded: a newer frame was shown instead, or the frame was used only to "
                     "compute a later map. Bad: it could not be used. Lost: it did not reach the "
                     "program, or came too fast to be read. Waiting: it is still to be computed or "
                     "shown") },
  };
  GtkWidget *grid = g_object_new (GTK_TYPE_GRID, "column-spacing", GAP_PX, "row-spacing", 6, NULL),
            *popover = gtk_popover_new ();

  for (int i = 0; i < N_LINES; i++)
    {
      self->names[i] = vg_label_new (_ (lines[i].name), "dim-label");
      self->values[i] = g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, "wrap", TRUE,
                                      "max-width-chars", 44, "selectable", TRUE, "can-focus", FALSE,
                                      NULL);
      gtk_widget_set_valign (self->names[i], GTK_ALIGN_START);
      gtk_widget_add_css_class (self->values[i], "numeric");
      vg_widget_set_tooltip (self->names[i], lines[i].help ? _ (lines[i].help) : NULL);
      gtk_grid_attach (GTK_GRID (grid), self->names[i], 0, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), self->values[i], 1, i, 1, 1);
      set_line (self, (Line) i, NULL);
    }
  gtk_popover_set_child (GTK_POPOVER (popover), grid);
  return popover;
}

static GtkWidget *
pill_new (VgStatusBar *self)
{
  GtkWidget *pill = gtk_menu_button_new (), *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->dot = gtk_label_new ("●");
  gtk_widget_add_css_class (self->dot, "vg-good");
  self->brief = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->brief, "numeric");
  gtk_box_append (GTK_BOX (box), self->dot);
  gtk_box_append (GTK_BOX (box), self->brief);
  gtk_menu_button_set_child (GTK_MENU_BUTTON (pill), box);
  gtk_menu_button_set_direction (GTK_MENU_BUTTON (pill), GTK_ARROW_UP);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (pill), FALSE);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (pill), performance_new (self));
  gtk_widget_add_css_class (pill, "vg-pill");
  vg_widget_describe (pill, _ ("Performance"), _ ("Speed, delays and frame counts"));
  vg_widget_describe (gtk_widget_get_first_child (pill), _ ("Performance"), NULL);
  return pill;
}

static void
vg_status_bar_finalize (GObject *object)
{
  vg_status_bar_set_kept (VG_STATUS_BAR (object), NULL);
  g_free (VG_STATUS_BAR (object)->device);
  G_OBJECT_CLASS (vg_status_bar_parent_class)->finalize (object);
}

static void
vg_status_bar_class_init (VgStatusBarClass *class)
{
  G_OBJECT_CLASS (class)->finalize = vg_status_bar_finalize;
  vg_signal_new (VG_TYPE_STATUS_BAR, "advice", 0);
}

static void
vg_status_bar_init (VgStatusBar *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, GAP_PX);
  gtk_widget_add_css_class (self->box, "vg-status");
  self->metrics = vg_fit_box_new (GAP_PX, MOST_CHIPS);
  gtk_widget_set_hexpand (self->metrics, TRUE);
  gtk_widget_set_valign (self->metrics, GTK_ALIGN_CENTER);
  self->probe = vg_label_new (NULL, "numeric");
  gtk_box_append (GTK_BOX (self->box), self->metrics);
  gtk_box_append (GTK_BOX (self->box), self->probe);
  gtk_box_append (GTK_BOX (self->box), pill_new (self));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

void
vg_status_bar_add (VgStatusBar *self, GtkWidget *label)
{
  gtk_box_insert_child_after (GTK_BOX (self->box), label, self->probe);
}

GtkWidget *
vg_status_bar_new (void)
{
  return g_object_new (VG_TYPE_STATUS_BAR, NULL);
}
