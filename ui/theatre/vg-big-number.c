/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-big-number.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/theatre/vg-last-minute.h"
#include <math.h>
#include <string.h>

/* parts of the height */
#define MARGIN 0.025
#define PADDING 0.018
#define MOMENT 0.05
#define TEXT 0.042
#define NUMBER 0.165 /* the digits are about 0.7 of it */
#define UNIT 0.06
#define LONG_UNIT 0.036 /* of more than UNIT_CHARS */
#define SPARKLINE 0.1
#define LEVEL 0.03 /* numbers at the levels of the course */
#define LEVEL_WIDTH 0.07

enum { UNIT_CHARS = 4, LEAST_HEIGHT = 640 };

#define MEAN_S 1.0 /* a beat of the heart averages out */

struct _VgBigNumber
{
  GtkWidget parent_instance;
  VgKeyNumber *reading; /* of a stream its value is a mean; NULL: none */
  VgLastMinute *course;
  VgLivenessKind liveness;
  char *moment, *map, *recording; /* NULL: none */
  gboolean faulty;                /* frames are missing in the recording */
  VgAlarm alarm;
};

G_DEFINE_FINAL_TYPE (VgBigNumber, vg_big_number, GTK_TYPE_WIDGET)

enum {
  LINE_MOMENT,
  LINE_RECORDING,
  LINE_NAME,
  LINE_NUMBER,
  LINE_ALARM,
  LINE_MAP,
  LINE_WARNING,
  N_LINES
};

static const GdkRGBA ink = { 0.96, 0.96, 0.96, 1 }, dim = { 0.8, 0.8, 0.8, 1 },
                     grey = { 0.6, 0.6, 0.62, 1 }, red = { 1, 0.42, 0.4, 1 },
                     amber = { 1, 0.78, 0.3, 1 }, green = { 0.45, 0.9, 0.5, 1 },
                     ground = { 0.06, 0.06, 0.07, 0.82 };

/* Of the present, as far as it changes at all. */
static gboolean
is_current (VgBigNumber *self)
{
  return self->liveness != VG_LIVENESS_OLD && self->liveness != VG_LIVENESS_LOST;
}

/* ---- texts ---- */

static PangoLayout *
layout_new (GtkWidget *widget, const char *text, double px, PangoWeight weight)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (widget, text);
  const PangoFontDescription *base = pango_context_get_font_description (
      pango_layout_get_context (layout));
  g_autoptr (PangoFontDescription) font = pango_font_description_copy (base);

  pango_font_description_set_absolute_size (font, px * PANGO_SCALE);
  pango_font_description_set_weight (font, weight);
  pango_layout_set_font_description (layout, font);
  return layout;
}

/* The unit is smaller than the number before it. */
static PangoLayout *
number_layout_new (VgBigNumber *self, double height)
{
  g_autofree char *number = vg_big_number_format (self);
  g_autofree char *text = *self->reading->unit != '\0'
                              ? g_strdup_printf ("%s %s", number, self->reading->unit)
                              : g_strdup (number);
  PangoLayout *layout = layout_new (GTK_WIDGET (self), text, NUMBER * height, PANGO_WEIGHT_BOLD);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  gboolean is_long = g_utf8_strlen (self->reading->unit, -1) > UNIT_CHARS;
  PangoAttribute *size = pango_attr_size_new_absolute (
      (int) ((is_long ? LONG_UNIT : UNIT) * height * PANGO_SCALE));

  size->start_index = (guint) strlen (number);
  pango_attr_list_insert (attributes, size);
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum"));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

/* "Below the alarm of 50 %"; NULL: there is no alarm. */
static char *
describe_alarm (VgBigNumber *self)
{
  g_autofree char *limit = vg_format_number (self->alarm.limit);

  if (!(self->alarm.limit > 0))
    return NULL;
  return g_strdup_printf (
      self->alarm.state == VG_ALARM_UNCHECKED ? _ ("The alarm of %s %s is not checked")
      : self->alarm.state == VG_ALARM_BELOW   ? _ ("\342\232\240 Below the alarm of %s %s")
                                              : _ ("Alarm below %s %s"),
      limit, self->reading->unit);
}

/* For assistive technology; set only if it has changed. */
static void
describe (VgBigNumber *self)
{
  g_autofree char *number = NULL, *alarm = NULL, *text = NULL;
  const char *parts[N_LINES + 1] = { NULL };
  int n = 0;

  if (self->moment != NULL)
    parts[n++] = self->moment;
  if (self->recording != NULL)
    parts[n++] = self->recording;
  if (self->reading == NULL)
    parts[n++] = _ ("No number");
  else
    {
      g_autofree char *value = vg_big_number_format (self);

      parts[n++] = number = g_strdup_printf ("%s: %s %s", self->reading->name, value,
                                             self->reading->unit);
      if ((alarm = describe_alarm (self)) != NULL)
        parts[n++] = alarm;
    }
  if (self->map != NULL)
    parts[n++] = self->map;
  if (self->reading != NULL && self->reading->warning != NULL)
    parts[n++] = self->reading->warning;
  text = g_strjoinv (". ", (char **) parts);
  if (g_strcmp0 (g_object_get_data (G_OBJECT (self), "vg-told"), text) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data_full (G_OBJECT (self), "vg-told", g_steal_pointer (&text), g_free);
}

/* ---- drawing ---- */

typedef struct
{
  cairo_t *cr;
  const graphene_rect_t *area;
  double low, high, size;
  double last_y; /* of the label that was drawn last */
} Course;

/* The line at VALUE with its number at the right, if it is in the range.  A number has no place
 * beside the one before if they would cover each other. */
static void
draw_level (VgBigNumber *self, Course *course, double value, const GdkRGBA *color)
{
  const graphene_rect_t *area = course->area;
  double y = area->origin.y +
             area->size.height * (course->high - value) / (course->high - course->low);
  g_autofree char *text = vg_format_number (value);
  g_autoptr (PangoLayout) layout = NULL;
  cairo_t *cr = course->cr;
  int height;

  if (!(value >= course->low) || !(value <= course->high))
    return;
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_dash (cr, (const double[]){ 6, 6 }, 2, 0);
  cairo_move_to (cr, area->origin.x, y);
  cairo_line_to (cr, area->origin.x + area->size.width, y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  if (fabs (y - course->last_y) < course->size)
    return;
  course->last_y = y;
  layout = layout_new (GTK_WIDGET (self), text, course->size, PANGO_WEIGHT_NORMAL);
  pango_layout_get_pixel_size (layout, NULL, &height);
  cairo_move_to (cr, area->origin.x + area->size.width + course->size / 4, y - height / 2.0);
  pango_cairo_show_layout (cr, layout);
}

/* The newest value is at the right end; a missing value breaks the line. */
static void
draw_course (VgBigNumber *self, GtkSnapshot *snapshot, const graphene_rect_t *all, double height)
{
  const GArray *moments = self->course->moments;
  graphene_rect_t plot = *all, *area = &plot;
  Course course = { .area = area, .size = LEVEL * height, .last_y = -INFINITY };
  double low, high, end, from, span;
  gboolean drawn = FALSE, percent = g_str_equal (self->reading->unit, "%");
  cairo_t *cr;

  if (!vg_last_minute_get_range (self->course, &low, &high))
    return;
  if (percent)
    low = MIN (low, 0), high = MAX (high, 100);
  if (self->alarm.limit > 0)
    low = MIN (low, self->alarm.limit), high = MAX (high, self->alarm.limit);
  if (!(high > low))
    low -= 0.5, high += 0.5;
  course.low = low;
  course.high = high;
  area->size.width -= (float) (LEVEL_WIDTH * height);
  area->origin.y += (float) course.size / 2; /* a number may stand at the edge */
  area->size.height -= (float) course.size;
  end = g_array_index (moments, VgMoment, moments->len - 1).time_s;
  from = MAX (g_array_index (moments, VgMoment, 0).time_s, end - VG_LAST_MINUTE_S);
  span = MAX (end - from, 1e-9);
  course.cr = cr = gtk_snapshot_append_cairo (snapshot, all);
  cairo_set_line_width (cr, MAX (area->size.height / 60, 1));
  if (self->alarm.limit > 0)
    draw_level (self, &course, self->alarm.limit, &red);
  if (percent)
    draw_level (self, &course, 100, &dim);
  if (low <= 0)
    draw_level (self, &course, 0, &dim);
  gdk_cairo_set_source_rgba (cr, is_current (self) ? &ink : &grey);
  cairo_set_line_width (cr, MAX (area->size.height / 30, 1.5));
  for (guint i = 0; i < moments->len; i++)
    {
      const VgMoment *moment = &g_array_index (moments, VgMoment, i);
      double x = area->origin.x + area->size.width * (moment->time_s - from) / span,
             y = area->origin.y + area->size.height * (high - moment->value) / (high - low);

      if (isfinite (y) && drawn)
        cairo_line_to (cr, x, y);
      else if (isfinite (y))
        cairo_move_to (cr, x, y);
      drawn = isfinite (y);
    }
  cairo_stroke (cr);
  cairo_destroy (cr);
}

typedef struct
{
  PangoLayout *layout; /* NULL: this line is not shown */
  const GdkRGBA *color;
  int width, height;
} Line;

/* Long texts wrap, so that they do not make the ground wider. */
static void
set_line (VgBigNumber *self, Line *line, const char *text, double px, PangoWeight weight,
          const GdkRGBA *color, double width)
{
  if (text == NULL)
    return;
  line->layout = layout_new (GTK_WIDGET (self), text, px, weight);
  line->color = color;
  pango_layout_set_width (line->layout, (int) (width * PANGO_SCALE));
}

/* All of the place, whatever the texts are, so that the ground does not change with the number. */
static double
get_text_width (double height)
{
  return (VG_BIG_NUMBER_SHARE - 2 * (MARGIN + PADDING)) * height;
}

static void
make_lines (VgBigNumber *self, double height, Line lines[N_LINES])
{
  static const GdkRGBA *const colors[] = { [VG_LIVENESS_NONE] = &dim,
                                           [VG_LIVENESS_LIVE] = &green,
                                           [VG_LIVENESS_PLAYED] = &dim,
                                           [VG_LIVENESS_OLD] = &amber,
                                           [VG_LIVENESS_LOST] = &red };
  const VgKeyNumber *reading = self->reading;
  double width = get_text_width (height), text = TEXT * height;

  set_line (self, &lines[LINE_MOMENT], self->moment, MOMENT * height, PANGO_WEIGHT_BOLD,
            colors[self->liveness], width);
  set_line (self, &lines[LINE_RECORDING], self->recording, text, PANGO_WEIGHT_BOLD,
            self->faulty ? &amber : &red, width);
  set_line (self, &lines[LINE_MAP], self->map, text, PANGO_WEIGHT_NORMAL, &dim, width);
  if (reading != NULL)
    {
      gboolean alarmed = self->alarm.state == VG_ALARM_BELOW;
      g_autofree char *alarm = describe_alarm (self);

      set_line (self, &lines[LINE_NAME], reading->name, text, PANGO_WEIGHT_NORMAL, &ink, width);
      lines[LINE_NUMBER].layout = number_layout_new (self, height);
      lines[LINE_NUMBER].color = !is_current (self) ? &grey : alarmed ? &red : &ink;
      set_line (self, &lines[LINE_ALARM], alarm, text,
                alarmed ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL,
                self->alarm.state == VG_ALARM_UNCHECKED ? &amber
                : alarmed                               ? &red
                                                        : &dim,
                width);
      set_line (self, &lines[LINE_WARNING], reading->warning, text, PANGO_WEIGHT_NORMAL, &amber,
                width);
    }
  for (int i = 0; i < N_LINES; i++)
    if (lines[i].layout != NULL)
      pango_layout_get_pixel_size (lines[i].layout, &lines[i].width, &lines[i].height);
}

/* The height from which sizes derive. */
static double
find_height (VgBigNumber *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self)) +
               gtk_widget_get_margin_top (GTK_WIDGET (self));

  return MAX (height, LEAST_HEIGHT);
}

static void
vg_big_number_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgBigNumber *self = VG_BIG_NUMBER (widget);
  double height = find_height (self), margin = MARGIN * height, padding = PADDING * height,
         width = get_text_width (height), tall = 2 * padding, y = margin + padding, low, high;
  /* of still data it would be a flat line */
  gboolean has_course = self->reading != NULL &&
                        vg_last_minute_get_range (self->course, &low, &high) && high > low;
  Line lines[N_LINES] = { 0 };
  GskRoundedRect panel;
  gboolean empty = TRUE;

  make_lines (self, height, lines);
  for (int i = 0; i < N_LINES; i++)
    {
      width = MAX (width, lines[i].width); /* a long number */
      tall += lines[i].height;
      empty = empty && lines[i].layout == NULL;
    }
  if (empty)
    return;
  tall += has_course ? SPARKLINE * height : 0;
  gsk_rounded_rect_init_from_rect (
      &panel, &GRAPHENE_RECT_INIT (margin, margin, width + 2 * padding, tall), 10);
  gtk_snapshot_push_rounded_clip (snapshot, &panel);
  gtk_snapshot_append_color (snapshot, &ground, &panel.bounds);
  gtk_snapshot_pop (snapshot);
  for (int i = 0; i < N_LINES; i++)
    {
      if (lines[i].layout != NULL)
        {
          gtk_snapshot_save (snapshot);
          gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (margin + padding, y));
          gtk_snapshot_append_layout (snapshot, lines[i].layout, lines[i].color);
          gtk_snapshot_restore (snapshot);
          g_object_unref (lines[i].layout);
        }
      y += lines[i].height;
      if (i == LINE_NUMBER && has_course)
        {
          draw_course (self, snapshot,
                       &GRAPHENE_RECT_INIT (margin + padding, y, width, 0.9 * SPARKLINE * height),
                       height);
          y += SPARKLINE * height;
        }
    }
}

/* ---- the widget ---- */

static void
vg_big_number_finalize (GObject *object)
{
  VgBigNumber *self = VG_BIG_NUMBER (object);

  g_clear_pointer (&self->reading, vg_key_number_free);
  vg_last_minute_free (self->course);
  g_free (self->moment);
  g_free (self->map);
  g_free (self->recording);
  G_OBJECT_CLASS (vg_big_number_parent_class)->finalize (object);
}

static void
vg_big_number_class_init (VgBigNumberClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = vg_big_number_finalize;
  widget_class->snapshot = vg_big_number_snapshot;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
vg_big_number_init (VgBigNumber *self)
{
  self->course = vg_last_minute_new ();
  self->alarm = vg_alarm_new ();
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  g_signal_connect (self, "notify::visible", G_CALLBACK (describe), NULL);
}

GtkWidget *
vg_big_number_new (void)
{
  return g_object_new (VG_TYPE_BIG_NUMBER, NULL);
}

static void
show (VgBigNumber *self)
{
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
follow_alarm (VgBigNumber *self)
{
  if (self->reading != NULL)
    vg_alarm_follow (&self->alarm, self->reading, is_current (self));
}

void
vg_big_number_set (VgBigNumber *self, VgKeyNumber *reading)
{
  gboolean other = reading == NULL || self->reading == NULL ||
                   !g_str_equal (reading->key, self->reading->key);

  if (other)
    {
      vg_last_minute_clear (self->course);
      self->alarm = vg_alarm_new ();
    }
  g_clear_pointer (&self->reading, vg_key_number_free);
  self->reading = reading;
  if (reading != NULL)
    {
      vg_last_minute_add (self->course, reading->time_s, reading->value);
      if (isfinite (reading->time_s))
        reading->value = vg_last_minute_get_mean (self->course, MEAN_S);
    }
  follow_alarm (self);
  show (self);
}

const VgKeyNumber *
vg_big_number_get (VgBigNumber *self)
{
  return self->reading;
}

void
vg_big_number_set_state (VgBigNumber *self, const VgBigNumberState *state)
{
  if (self->liveness == state->liveness && self->faulty == state->faulty &&
      g_strcmp0 (self->moment, state->moment) == 0 && g_strcmp0 (self->map, state->map) == 0 &&
      g_strcmp0 (self->recording, state->recording) == 0)
    return;
  self->liveness = state->liveness;
  self->faulty = state->faulty;
  g_free (self->moment);
  g_free (self->map);
  g_free (self->recording);
  self->moment = g_strdup (state->moment);
  self->map = g_strdup (state->map);
  self->recording = g_strdup (state->recording);
  follow_alarm (self);
  show (self);
}

void
vg_big_number_set_alarm (VgBigNumber *self, double alarm)
{
  vg_alarm_set_limit (&self->alarm, alarm, self->reading);
  follow_alarm (self);
  show (self);
}

VgAlarmState
vg_big_number_get_alarm_state (VgBigNumber *self)
{
  return self->alarm.state;
}

char *
vg_big_number_format (VgBigNumber *self)
{
  if (self->reading == NULL || self->liveness == VG_LIVENESS_LOST)
    return vg_format_number (NAN);
  return vg_key_number_format (self->reading);
}

double
vg_big_number_get_digit_height (VgBigNumber *self)
{
  g_autoptr (PangoLayout)
      layout = layout_new (GTK_WIDGET (self), "0", NUMBER * find_height (self), PANGO_WEIGHT_BOLD);
  PangoRectangle digit;

  pango_layout_get_pixel_extents (layout, &digit, NULL);
  return digit.height;
}

guint
vg_big_number_get_n_values (VgBigNumber *self)
{
  return self->course->moments->len;
}
