/* SPDX-License-Identifier: MIT */
/* A simulated camera, "test:speckle": it needs no hardware, has the settings of a camera, and can
 * lose frames and be unplugged. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "io/live/vg-live-private.h"
#include "io/live/vg-simulated-frames.h"
#include "kernels/base/vg-random.h"
#include "kernels/base/vg-text.h"

enum {
  SLICE_US = 50000, /* between two looks at the settings */
  UNPLUGGED_US = 2000000,
  SILENT_US = 5000000,
  LEAST_SIDE = 16, /* px of a region */
};

#define FADE_S 1.5 /* until an occlusion is complete */

typedef enum {
  EXPOSURE,
  GAIN,
  RATE,
  FORMAT,
  BINNING,
  REGION,
  TRIGGER,
  OCCLUSION,
  DEFOCUS,
  LOSS,
  UNPLUG
} Feature;

static const struct
{
  const char *name, *label, *help, *unit;
  VgFeatureKind kind;
  gboolean common, reopens;
  double min, max;
  const char *choices[6]; /* ended by NULL */
} table[] = {
  [EXPOSURE] = { "ExposureTime", "Exposure time", "Time for which light is collected per frame",
                 "µs", VG_FEATURE_NUMBER, .common = TRUE, .min = 50, .max = 1000000 },
  [GAIN] = { "Gain", "Gain", "Amplification of the samples", "dB", VG_FEATURE_NUMBER,
             .common = TRUE, .max = 24 },
  [RATE] = { "FrameRate", "Frame rate", "Frames per second, if the exposure is short enough", "1/s",
             VG_FEATURE_NUMBER, .common = TRUE, .min = 0.1, .max = 500 },
  [FORMAT] = { "PixelFormat", "Pixel format", "Bits of a sample", NULL, VG_FEATURE_CHOICE,
               .common = TRUE, .reopens = TRUE,
               .choices = { "Mono8", "Mono10", "Mono12", "Mono16" } },
  [BINNING] = { "Binning", "Binning", "Pixels of the sensor that form one pixel, across and down",
                NULL, VG_FEATURE_CHOICE, .common = TRUE, .reopens = TRUE,
                .choices = { "1,1", "2,2", "4,4" } },
  [REGION] = { "Region", "Region of the sensor", "Left, top, width and height in pixels", "px",
               VG_FEATURE_TEXT, .common = TRUE, .reopens = TRUE },
  [TRIGGER] = { "Trigger", "Trigger source",
                "Off: frames come without a trigger. Line0: no frame comes, as it has no signal",
                NULL, VG_FEATURE_CHOICE, .common = TRUE, .choices = { "Off", "Line0" } },
  [OCCLUSION] = { "Occlusion", "Occlusion", "Blood in the vessels stands still", NULL,
                  VG_FEATURE_SWITCH, .common = TRUE },
  [DEFOCUS] = { "Defocus", "Defocus", "Distance from the focus", "px", VG_FEATURE_NUMBER,
                .max = 4 },
  [LOSS] = { "FrameLoss", "Lost frames", "How many frames are lost or arrive damaged", "%",
             VG_FEATURE_NUMBER, .max = 100 },
  [UNPLUG] = { "Unplug", "Unplug", "The camera is disconnected for 2 s", NULL, VG_FEATURE_COMMAND },
};

typedef struct
{
  VgLive live;
  VgSimulatedFrames *frames;
  VgSimulatedView view;
  double rate, loss;
  int format, binning;
  gboolean triggered;   /* by a line that never comes */
  guint64 number;       /* of the next frame */
  gint64 due_us;        /* when it is due; 0: now */
  gint64 back_us;       /* until when it is unplugged; 0: it is not */
  gint64 heard_us;      /* when the last frame came */
  double faded, last_s; /* of the occlusion, at the time of the last frame */
} Simulated;

/* --- settings --- */

static void
set_value (const Simulated *self, Feature which, VgFeature *feature)
{
  const VgSimulatedView *view = &self->view;

  switch (which)
    {
    case EXPOSURE:
      vg_feature_set_number (feature, view->exposure_ms * 1000);
      break;
    case GAIN:
      vg_feature_set_number (feature, view->gain_db);
      break;
    case RATE:
      vg_feature_set_number (feature, self->rate);
      break;
    case FORMAT:
      feature->value = g_strdup (table[FORMAT].choices[self->format]);
      break;
    case BINNING:
      feature->value = g_strdup (table[BINNING].choices[self->binning]);
      break;
    case REGION:
      feature->value = g_strdup_printf ("%d,%d,%d,%d", view->x, view->y, view->width, view->height);
      break;
    case TRIGGER:
      feature->value = g_strdup (table[TRIGGER].choices[self->triggered]);
      break;
    case OCCLUSION:
      vg_feature_set_number (feature, view->occluded);
      break;
    case DEFOCUS:
      vg_feature_set_number (feature, view->defocus_px);
      break;
    case LOSS:
      vg_feature_set_number (feature, self->loss);
      break;
    case UNPLUG:
      break;
    }
}

static double
get_interval_s (const Simulated *self)
{
  return MAX (1 / self->rate, self->view.exposure_ms / 1000);
}

static VgFeature *
add_feature (VgFeatures *features, Feature which)
{
  VgFeature *feature = vg_features_add (features, table[which].name, table[which].kind);

  g_free (feature->label);
  feature->label = g_strdup (table[which].label);
  feature->help = g_strdup (table[which].help);
  feature->unit = g_strdup (table[which].unit);
  feature->common = table[which].common;
  feature->reopens = table[which].reopens;
  feature->min = table[which].min;
  feature->max = table[which].max;
  if (feature->kind == VG_FEATURE_CHOICE)
    feature->choices = g_strdupv ((char **) table[which].choices);
  if (which == REGION)
    {
      feature->least[0] = feature->least[1] = LEAST_SIDE;
      feature->most[0] = VG_SIMULATED_WIDTH;
      feature->most[1] = VG_SIMULATED_HEIGHT;
    }
  return feature;
}

static void
report_features (Simulated *self, const GError *refused)
{
  VgFeatures *features = vg_features_new ();

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    set_value (self, (Feature) i, add_feature (features, (Feature) i));
  features->exposure_ms = self->view.exposure_ms;
  features->frame_interval_s = get_interval_s (self);
  features->refused = refused != NULL ? g_strdup (refused->message) : NULL;
  vg_features_complete (features);
  vg_live_report_features (&self->live, features);
}

/* VALUE is one that the feature accepts. */
static void
set_region (Simulated *self, const char *value)
{
  VgSimulatedView *view = &self->view;

  sscanf (value, "%d,%d,%d,%d", &view->x, &view->y, &view->width, &view->height);
}

static void
set_number (Simulated *self, Feature which, const char *value)
{
  static const int bits[] = { 8, 10, 12, 16 };
  double number = g_ascii_strtod (value, NULL);
  int choice = 0;

  while (table[which].kind == VG_FEATURE_CHOICE &&
         !g_str_equal (table[which].choices[choice], value))
    choice++;
  if (which == EXPOSURE)
    self->view.exposure_ms = number / 1000;
  else if (which == GAIN)
    self->view.gain_db = number;
  else if (which == RATE)
    self->rate = number;
  else if (which == FORMAT)
    {
      self->format = choice;
      self->view.bits = bits[choice];
    }
  else if (which == BINNING)
    {
      self->binning = choice;
      self->view.binning = 1 << choice;
    }
  else if (which == TRIGGER)
    self->triggered = choice == 1;
  else if (which == OCCLUSION)
    self->view.occluded = number != 0;
  else if (which == DEFOCUS)
    self->view.defocus_px = number;
  else if (which == LOSS)
    self->loss = number;
}

static gboolean
accept (const Simulated *self, Feature which, const char *value, GError **error)
{
  g_autoptr (VgFeatures) features = vg_features_new ();
  const VgFeature *feature = add_feature (features, which);
  g_autofree char *range = NULL;

  if (vg_feature_accepts (feature, value))
    return TRUE;
  range = vg_feature_describe_range (feature);
  g_set_error (error, VG_USAGE_ERROR, 0, "\"%s\" does not accept %s=%s; it accepts %s",
               self->live.parent.name, feature->name, value, range);
  return FALSE;
}

static gboolean
set_one (Simulated *self, const char *setting, gboolean running, GError **error)
{
  const char *value = strchr (setting, '=');
  g_autofree char *name = vg_setting_name (setting);
  guint i = 0;

  while (name != NULL && i < G_N_ELEMENTS (table) && !g_str_equal (table[i].name, name))
    i++;
  if (name == NULL || i == G_N_ELEMENTS (table))
    {
      const char *names[G_N_ELEMENTS (table)], *nearest;

      for (i = 0; i < G_N_ELEMENTS (table); i++)
        names[i] = table[i].name;
      nearest = name != NULL ? vg_text_nearest (names, G_N_ELEMENTS (names), name) : NULL;
      if (nearest != NULL)
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "\"%s\" does not have the setting \"%s\"; did you mean %s?",
                     self->live.parent.name, name, nearest);
      else
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "\"%s\" does not have the setting \"%s\"; give Name=Value, such as "
                     "ExposureTime=5000",
                     self->live.parent.name, setting);
      return FALSE;
    }
  value++;
  if (running && table[i].reopens)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "%s changes the frames of \"%s\"; open it again with the setting", table[i].name,
                   self->live.parent.name);
      return FALSE;
    }
  if (!accept (self, (Feature) i, value, error))
    return FALSE;
  if (i == UNPLUG)
    self->back_us = running ? g_get_monotonic_time () + UNPLUGGED_US : 0;
  else if (i == REGION)
    set_region (self, value);
  else
    set_number (self, (Feature) i, value);
  return TRUE;
}

/* Sets what has been asked for since the last frame. */
static void
follow_settings (Simulated *self)
{
  char *setting;

  while ((setting = vg_live_take_setting (&self->live)) != NULL)
    {
      g_autoptr (GError) error = NULL;

      set_one (self, setting, TRUE, &error);
      report_features (self, error);
      g_free (setting);
    }
}

/* --- frames --- */

/* TRUE: it sends nothing now, as its status says. */
static gboolean
is_silent (Simulated *self, gint64 now)
{
  if (self->back_us > now)
    {
      vg_live_count_interruption (&self->live);
      vg_live_report (&self->live, VG_LIVE_WAITING,
                      "\"%s\" does not respond; waiting until it is connected again",
                      self->live.parent.name);
    }
  else if (self->triggered && now - self->heard_us > SILENT_US)
    vg_live_report (&self->live, VG_LIVE_WAITING,
                    "\"%s\" is connected but has sent no frame for 5 s; check its trigger and its "
                    "exposure. Waiting",
                    self->live.parent.name);
  return self->back_us > now || self->triggered;
}

/* Waits until a frame is due.  FALSE: cancelled. */
static gboolean
wait_for_frame (Simulated *self)
{
  gint64 now = g_get_monotonic_time ();

  follow_settings (self);
  while (is_silent (self, now) || now < self->due_us)
    {
      gint64 left_us = is_silent (self, now) ? SLICE_US : self->due_us - now;

      if (!vg_live_wait (&self->live, -1, CLAMP (left_us, 1, SLICE_US)))
        return FALSE;
      follow_settings (self);
      now = g_get_monotonic_time ();
    }
  self->heard_us = now;
  return vg_live_wait (&self->live, -1, 0);
}

/* The frames that became due while nobody waited are lost, as a camera's are. */
static void
schedule (Simulated *self)
{
  const gint64 now = g_get_monotonic_time (), interval_us = (gint64) (get_interval_s (self) * 1e6);

  if (self->due_us == 0 || self->back_us > 0)
    self->due_us = now;
  self->back_us = 0;
  if (now - self->due_us >= interval_us)
    {
      const gint64 late = (now - self->due_us) / interval_us;

      self->number += (guint64) late;
      self->due_us += late * interval_us;
    }
  self->due_us += interval_us;
}

static void
fade (Simulated *self, double time_s)
{
  double step = CLAMP (time_s - self->last_s, 0, 1) / FADE_S;

  self->faded = CLAMP (self->faded + (self->view.occluded ? step : -step), 0, 1);
  self->last_s = time_s;
}

static gboolean
simulated_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  Simulated *self = (Simulated *) source;
  gboolean bad = FALSE;

  if (!wait_for_frame (self))
    return FALSE;
  schedule (self);
  /* half of the frames that do not arrive whole are lost */
  while (self->loss > 0 && !bad && vg_random_uniform (self->number * 7 + 1) < self->loss / 100)
    {
      bad = vg_random_uniform (self->number * 7 + 2) < 0.5;
      self->number += !bad;
    }
  source->device_ns = g_get_monotonic_time () * 1000;
  *id = vg_live_count (&self->live, self->number++, 0, bad);
  *time_s = vg_live_time (&self->live, source->device_ns);
  if (bad)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
                   "a frame of \"%s\" arrived incomplete, because its FrameLoss is above 0",
                   source->name);
      return FALSE;
    }
  fade (self, *time_s);
  vg_simulated_frames_draw (self->frames, &self->view, self->number, *time_s, self->faded, frame);
  vg_live_report_connected (&self->live);
  return TRUE;
}

static void
simulated_clear (VgSource *source)
{
  vg_simulated_frames_free (((Simulated *) source)->frames);
  vg_live_clear ((VgLive *) source);
}

static const VgSourceClass simulated_class = {
  .next = simulated_next,
  .cancel = vg_live_cancel,
  .clear = simulated_clear,
  .get_status = vg_live_get_status,
  .get_features = vg_live_get_features,
  .set_feature = vg_live_set_feature,
};

/* --- the driver --- */

/* Tests of the window slow the camera down, because they run beside others. */
static double
get_rate (void)
{
  const char *text = g_getenv ("VIVOGRAPH_SAMPLE_RATE");
  double rate = text != NULL ? g_ascii_strtod (text, NULL) : 0;

  return rate >= table[RATE].min && rate < 30 ? rate : 30;
}

static gboolean
set_all (Simulated *self, const char *settings, GError **error)
{
  g_auto (GStrv) each = g_strsplit (settings, " ", -1);

  for (guint i = 0; each[i] != NULL; i++)
    if (*each[i] != '\0' && !set_one (self, each[i], FALSE, error))
      return FALSE;
  return TRUE;
}

static VgSource *
simulated_open (const VgLiveRequest *request, GError **error)
{
  const char *hash = strchr (request->address, '#');
  g_autofree char *device = vg_live_address_device (request->address);
  g_autoptr (VgSource) source = NULL;
  Simulated *self;

  if (!g_str_equal (device, "speckle"))
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "there is no simulated camera \"%s\"; open \"test:speckle\"", request->name);
      return NULL;
    }
  source = (VgSource *) vg_live_new (sizeof (Simulated), &simulated_class, "Simulated camera",
                                     "simulated camera", error);
  self = (Simulated *) source;
  if (self == NULL)
    return NULL;
  self->view = (VgSimulatedView){
    .x = 320, .y = 272, .width = 640, .height = 480, .binning = 1, .bits = 8, .exposure_ms = 5
  };
  self->rate = get_rate ();
  self->frames = vg_simulated_frames_new ();
  self->heard_us = g_get_monotonic_time ();
  if (hash != NULL && !set_all (self, hash + 1, error))
    return NULL;
  source->info = vg_simulated_info (&self->view);
  source->info.frame_interval_s = get_interval_s (self);
  report_features (self, NULL);
  source->details = g_strdup_printf ("Simulated camera\n%s", self->live.features->text);
  return vg_source_frame_bytes (&source->info, request->name, error) > 0 ? g_steal_pointer (&source)
                                                                         : NULL;
}

static gboolean
simulated_list (VgLiveFound found, gpointer data, GError **error)
{
  found ("test:speckle", "Simulated camera: speckle over tissue with vessels", data);
  return TRUE;
}

const VgLiveDriver vg_simulated_driver = { VG_LIVE_ABI, "test", simulated_open, simulated_list };
