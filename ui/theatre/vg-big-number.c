/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-big-number.h"
#include "ui/common/vg-number-format.h"
#include "ui/common/vg-object.h"
#include "ui/words/vg-translation.h"
#include "ui/theatre/vg-last-minute.h"
#include <math.h>
#include <string.h>

/* parts of the widget's height */
#define MARGIN 0.025
#define PADDING 0.018
#define NAME 0.036
#define NUMBER 0.165 /* the digits are about 0.7 of it */
#define UNIT 0.06
#define LONG_UNIT 0.036 /* of more than UNIT_CHARS */
#define SPARKLINE 0.09
#define ALARM 0.042
#define WARNING 0.03

enum { UNIT_CHARS = 4 };

/* the relative size at which the number lies over the image, and the steps of the size, which keep
 * it from changing with every digit */
#define LEAST_SIZE 0.5
#define SIZE_STEP 0.05

struct _VgBigNumber
{
  GtkWidget parent_instance;
  VgKeyNumber *reading; /* NULL: none */
  VgLastMinute *course;
  double alarm;
  double room; /* vg_big_number_set_room */
};

G_DEFINE_FINAL_TYPE (VgBigNumber, vg_big_number, GTK_TYPE_WIDGET)

enum { LINE_NAME, LINE_NUMBER, LINE_ALARM, LINE_WARNING, N_LINES };

static const GdkRGBA ink = { 0.96, 0.96, 0.96, 1 }, dim = { 0.8, 0.8, 0.8, 1 },
                     red = { 1, 0.38, 0.36, 1 }, amber = { 1, 0.78, 0.3, 1 },
                     ground = { 0.06, 0.06, 0.07, 0.72 }, glass = { 0.06, 0.06, 0.07, 0.5 };

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
  g_autofree char *number = vg_key_number_format (self->reading);
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
  g_autofree char *limit = vg_format_number (self->alarm);

  return vg_big_number_is_alarmed (self)
             ? g_strdup_printf (_ ("Below the alarm of %s %s"), limit, self->reading->unit)
             : NULL;
}

/* For assistive technology; set only if it has changed. */
static void
describe (VgBigNumber *self)
{
  g_autofree char *number = NULL, *alarm = NULL, *text = NULL;
  const char *warning = self->reading != NULL ? self->reading->warning : NULL;

  if (self->reading == NULL)
    text = g_strdup (_ ("No number"));
  else
    {
      number = vg_key_number_format (self->reading);
      alarm = describe_alarm (self);
      text = g_strdup_printf ("%s: %s %s%s%s%s%s", self->reading->name, number, self->reading->unit,
                              alarm != NULL ? ". " : "", alarm != NULL ? alarm : "",
                              warning != NULL ? ". " : "", warning != NULL ? warning : "");
    }
  if (g_strcmp0 (g_object_get_data (G_OBJECT (self), "vg-told"), text) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  g_object_set_data_full (G_OBJECT (self), "vg-told", g_steal_pointer (&text), g_free);
}

/* ---- drawing ---- */

/* The line at VALUE, if it is in the range. */
static void
draw_level (cairo_t *cr, const graphene_rect_t *area, double low, double high, double value,
            const GdkRGBA *color)
{
  double y = area->origin.y + area->size.height * (high - value) / (high - low);

  if (!(value >= low) || !(value <= high))
    return;
  gdk_cairo_set_source_rgba (cr, color);
  cairo_set_dash (cr, (const double[]){ 6, 6 }, 2, 0);
  cairo_move_to (cr, area->origin.x, y);
  cairo_line_to (cr, area->origin.x + area->size.width, y);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

/* The newest value is at the right end; a missing value breaks the line. */
static void
draw_course (VgBigNumber *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  const GArray *moments = self->course->moments;
  double low, high, end, from, span;
  gboolean drawn = FALSE;
  cairo_t *cr;

  if (!vg_last_minute_get_range (self->course, &low, &high))
    return;
  if (g_str_equal (self->reading->unit, "%"))
    low = MIN (low, 0), high = MAX (high, 100);
  if (!(high > low))
    low -= 0.5, high += 0.5;
  end = g_array_index (moments, VgMoment, moments->len - 1).time_s;
  from = MAX (g_array_index (moments, VgMoment, 0).time_s, end - VG_LAST_MINUTE_S);
  span = MAX (end - from, 1e-9);
  cr = gtk_snapshot_append_cairo (snapshot, area);
  cairo_set_line_width (cr, MAX (area->size.height / 60, 1));
  if (g_str_equal (self->reading->unit, "%"))
    draw_level (cr, area, low, high, 100, &dim);
  if (low <= 0)
    draw_level (cr, area, low, high, 0, &dim);
  if (self->alarm > 0)
    draw_level (cr, area, low, high, self->alarm, &red);
  gdk_cairo_set_source_rgba (cr, &ink);
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

static void
make_lines (VgBigNumber *self, double height, Line lines[N_LINES])
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean alarmed = vg_big_number_is_alarmed (self);
  g_autofree char *alarm = describe_alarm (self);
  const char *warning = self->reading->warning;

  lines[LINE_NAME].layout = layout_new (widget, self->reading->name, NAME * height,
                                        PANGO_WEIGHT_NORMAL);
  lines[LINE_NAME].color = &dim;
  lines[LINE_NUMBER].layout = number_layout_new (self, height);
  lines[LINE_NUMBER].color = alarmed ? &red : &ink;
  lines[LINE_ALARM].layout = alarm != NULL
                                 ? layout_new (widget, alarm, ALARM * height, PANGO_WEIGHT_BOLD)
                                 : NULL;
  lines[LINE_ALARM].color = &red;
  lines[LINE_WARNING].layout = warning != NULL ? layout_new (widget, warning, WARNING * height,
                                                             PANGO_WEIGHT_NORMAL)
                                               : NULL;
  lines[LINE_WARNING].color = &amber;
  for (int i = 0; i < N_LINES; i++)
    if (lines[i].layout != NULL)
      pango_layout_get_pixel_size (lines[i].layout, &lines[i].width, &lines[i].height);
}

/* The height from which sizes derive: that of the widget, or less if the number would not fit its
 * room.  *FITS: the number fits its room. */
static double
find_size (VgBigNumber *self, gboolean *fits)
{
  double height = gtk_widget_get_height (GTK_WIDGET (self)), width = 0, size = 1;
  Line lines[N_LINES] = { 0 };

  if (self->reading != NULL && self->room >= 0)
    {
      make_lines (self, height, lines);
      for (int i = 0; i < N_LINES; i++)
        {
          width = MAX (width, lines[i].width);
          g_clear_object (&lines[i].layout);
        }
      width += 2 * (MARGIN + PADDING) * height;
      if (width > self->room)
        size = SIZE_STEP * floor (self->room / width / SIZE_STEP);
    }
  *fits = size >= LEAST_SIZE;
  return height * MAX (size, LEAST_SIZE);
}

static void
vg_big_number_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  VgBigNumber *self = VG_BIG_NUMBER (widget);
  gboolean fits;
  double height = find_size (self, &fits), margin = MARGIN * height, padding = PADDING * height,
         width = 0, tall = 2 * padding, y = margin + padding, low, high;
  /* of still data it would be a flat line */
  gboolean has_course = vg_last_minute_get_range (self->course, &low, &high) && high > low;
  Line lines[N_LINES] = { 0 };
  GskRoundedRect panel;

  if (self->reading == NULL)
    return;
  make_lines (self, height, lines);
  for (int i = 0; i < N_LINES; i++)
    {
      width = MAX (width, lines[i].width);
      tall += lines[i].height;
    }
  tall += has_course ? SPARKLINE * height : 0;
  gsk_rounded_rect_init_from_rect (
      &panel, &GRAPHENE_RECT_INIT (margin, margin, width + 2 * padding, tall), 10);
  gtk_snapshot_push_rounded_clip (snapshot, &panel);
  gtk_snapshot_append_color (snapshot, fits ? &ground : &glass, &panel.bounds);
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
                       &GRAPHENE_RECT_INIT (margin + padding, y, width, 0.9 * SPARKLINE * height));
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
  self->room = -1;
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
  g_signal_connect (self, "notify::visible", G_CALLBACK (describe), NULL);
}

GtkWidget *
vg_big_number_new (void)
{
  return g_object_new (VG_TYPE_BIG_NUMBER, NULL);
}

void
vg_big_number_set (VgBigNumber *self, VgKeyNumber *reading)
{
  if (reading == NULL || self->reading == NULL || !g_str_equal (reading->key, self->reading->key))
    vg_last_minute_clear (self->course);
  if (reading != NULL)
    vg_last_minute_add (self->course, reading->time_s, reading->value);
  g_clear_pointer (&self->reading, vg_key_number_free);
  self->reading = reading;
  if (!gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const VgKeyNumber *
vg_big_number_get (VgBigNumber *self)
{
  return self->reading;
}

void
vg_big_number_set_room (VgBigNumber *self, double room)
{
  if (self->room == room)
    return;
  self->room = room;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
vg_big_number_set_alarm (VgBigNumber *self, double alarm)
{
  if (self->alarm == alarm)
    return;
  self->alarm = alarm;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

gboolean
vg_big_number_is_alarmed (VgBigNumber *self)
{
  return self->reading != NULL && vg_key_number_is_below (self->reading, self->alarm);
}

double
vg_big_number_get_digit_height (VgBigNumber *self)
{
  gboolean fits;
  double height = find_size (self, &fits);
  g_autoptr (PangoLayout)
      layout = layout_new (GTK_WIDGET (self), "0", NUMBER * height, PANGO_WEIGHT_BOLD);
  PangoRectangle digit;

  pango_layout_get_pixel_extents (layout, &digit, NULL);
  return digit.height;
}

guint
vg_big_number_get_n_values (VgBigNumber *self)
{
  return self->course->moments->len;
}
