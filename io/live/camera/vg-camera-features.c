/* SPDX-License-Identifier: MIT */
#include "io/live/camera/vg-camera-features.h"
#include <math.h>
#include "io/live/camera/vg-camera-device.h"
#include "kernels/base/vg-text.h"

enum { BUDGET_US = 3000, MOST = 2000, MOST_DEPTH = 16 };

struct _VgCameraFeatures
{
  ArvCamera *camera;
  GPtrArray *names;  /* of all features but the common ones, in the order of the tree */
  GPtrArray *values; /* of VgFeatures with one feature each, or NULL: not read, or not there */
  guint next;        /* name to read next */
};

/* --- the common ones --- */

static VgFeature *
add_number (VgFeatures *features, const char *name, const char *label, const char *help,
            const char *unit, double value, double min, double max)
{
  VgFeature *feature = vg_features_add (features, name, VG_FEATURE_NUMBER);

  g_free (feature->label);
  feature->label = g_strdup (label);
  feature->help = g_strdup (help);
  feature->unit = g_strdup (unit);
  feature->common = TRUE;
  feature->min = isfinite (min) ? min : 0;
  feature->max = isfinite (max) ? max : 0;
  vg_feature_set_number (feature, value);
  return feature;
}

static void
add_numbers (ArvCamera *camera, VgFeatures *features)
{
  double min = 0, max = 0, value;

  if (arv_camera_is_exposure_time_available (camera, NULL))
    {
      value = arv_camera_get_exposure_time (camera, NULL);
      arv_camera_get_exposure_time_bounds (camera, &min, &max, NULL);
      add_number (features, "ExposureTime", "Exposure time",
                  "Time for which light is collected per frame", "µs", value, min, max);
      features->exposure_ms = isfinite (value) && value > 0 ? value / 1000 : 0;
    }
  if (arv_camera_is_gain_available (camera, NULL))
    {
      arv_camera_get_gain_bounds (camera, &min, &max, NULL);
      add_number (features, "Gain", "Gain", "Amplification of the samples", NULL,
                  arv_camera_get_gain (camera, NULL), min, max);
    }
  if (arv_camera_is_frame_rate_available (camera, NULL))
    {
      value = arv_camera_get_frame_rate (camera, NULL);
      arv_camera_get_frame_rate_bounds (camera, &min, &max, NULL);
      add_number (features, "FrameRate", "Frame rate",
                  "Frames per second, if the exposure is short enough", "1/s", value, min, max);
      features->frame_interval_s = isfinite (value) && value > 0 ? 1 / value : 0;
    }
}

/* CHOICES are N borrowed strings in an array that is taken. */
static VgFeature *
add_choice (VgFeatures *features, const char *name, const char *label, const char *help,
            const char *value, const char **choices, guint n)
{
  VgFeature *feature = vg_features_add (features, name, VG_FEATURE_CHOICE);

  g_free (feature->label);
  feature->label = g_strdup (label);
  feature->help = g_strdup (help);
  feature->common = TRUE;
  feature->value = g_strdup (value != NULL ? value : "");
  feature->choices = g_new0 (char *, n + 1);
  for (guint i = 0; i < n; i++)
    feature->choices[i] = g_strdup (choices[i]);
  g_free (choices);
  return feature;
}

/* Of the camera's formats only those that are read. */
static void
add_pixel_format (ArvCamera *camera, VgFeatures *features)
{
  guint n = 0, n_names = 0, kept = 0;
  g_autofree gint64 *formats = arv_camera_dup_available_pixel_formats (camera, &n, NULL);
  const char **names = arv_camera_dup_available_pixel_formats_as_strings (camera, &n_names, NULL);

  for (guint i = 0; formats != NULL && names != NULL && i < MIN (n, n_names); i++)
    if (vg_camera_format_find ((ArvPixelFormat) formats[i]) != NULL)
      names[kept++] = names[i];
  add_choice (features, "PixelFormat", "Pixel format", "Bits of a sample, and how they are packed",
              arv_camera_get_pixel_format_as_string (camera, NULL), names, kept)
      ->reopens = TRUE;
}

static VgFeature *
add_text (VgFeatures *features, const char *name, const char *label, const char *help, char *value)
{
  VgFeature *feature = vg_features_add (features, name, VG_FEATURE_TEXT);

  g_free (feature->label);
  feature->label = g_strdup (label);
  feature->help = g_strdup (help);
  feature->unit = g_strdup ("px");
  feature->common = feature->reopens = TRUE;
  feature->value = value;
  return feature;
}

static void
add_geometry (ArvCamera *camera, VgFeatures *features)
{
  int x = 0, y = 0, width = 0, height = 0, across = 1, down = 1, most[2] = { 0 };
  VgFeature *region;

  if (arv_camera_is_binning_available (camera, NULL))
    {
      arv_camera_get_binning (camera, &across, &down, NULL);
      add_text (features, "Binning", "Binning",
                "Pixels of the sensor that form one pixel, across and down",
                g_strdup_printf ("%d,%d", across, down));
    }
  arv_camera_get_region (camera, &x, &y, &width, &height, NULL);
  region = add_text (features, "Region", "Region of the sensor",
                     "Left, top, width and height in pixels",
                     g_strdup_printf ("%d,%d,%d,%d", x, y, width, height));
  /* of many cameras, the largest width is what is right of X */
  arv_camera_get_width_bounds (camera, &region->least[0], &most[0], NULL);
  arv_camera_get_height_bounds (camera, &region->least[1], &most[1], NULL);
  region->most[0] = most[0] > 0 && most[0] < G_MAXINT - x ? x + most[0] : 0;
  region->most[1] = most[1] > 0 && most[1] < G_MAXINT - y ? y + most[1] : 0;
}

static void
add_trigger (ArvCamera *camera, VgFeatures *features)
{
  ArvDevice *device = arv_camera_get_device (camera);
  guint n = 0;
  const char **found = arv_camera_dup_available_trigger_sources (camera, &n, NULL), **sources;
  g_autoptr (GError) error = NULL;
  const char *mode = arv_device_get_string_feature_value (device, "TriggerMode", &error),
             *source = arv_camera_get_trigger_source (camera, NULL);

  if (error != NULL || n == 0)
    {
      g_free (found);
      return;
    }
  sources = g_new (const char *, n + 1);
  sources[0] = "Off";
  for (guint i = 0; i < n; i++)
    sources[i + 1] = found[i];
  g_free (found);
  add_choice (features, "Trigger", "Trigger source", "Off: frames come without a trigger",
              g_strcmp0 (mode, "On") == 0 ? source : "Off", sources, n + 1);
  found = arv_device_dup_available_enumeration_feature_values_as_strings (
      device, "TriggerActivation", &n, NULL);
  if (found != NULL && n > 0)
    add_choice (features, "TriggerActivation", "Trigger edge",
                "Edge of the trigger signal that starts a frame",
                arv_device_get_string_feature_value (device, "TriggerActivation", NULL), found, n);
  else
    g_free (found);
}

/* --- the tree --- */

/* Features that the common ones stand for. */
static gboolean
is_common (const char *name)
{
  static const char *const names[] = { "ExposureTime",
                                       "ExposureTimeAbs",
                                       "Gain",
                                       "AcquisitionFrameRate",
                                       "PixelFormat",
                                       "TriggerActivation",
                                       "AcquisitionStart",
                                       "AcquisitionStop",
                                       "AcquisitionMode",
                                       NULL };

  return g_strv_contains (names, name);
}

static gboolean
is_geometry (const char *name)
{
  return g_str_equal (name, "Width") || g_str_equal (name, "Height") ||
         g_str_has_prefix (name, "Binning") || g_str_has_prefix (name, "Decimation");
}

static void
collect (ArvDevice *device, const char *name, GPtrArray *names, int depth)
{
  ArvGcNode *node = arv_device_get_feature (device, name);

  if (ARV_IS_GC_CATEGORY (node) && depth < MOST_DEPTH)
    for (const GSList *it = arv_gc_category_get_features (ARV_GC_CATEGORY (node)); it != NULL;
         it = it->next)
      collect (device, it->data, names, depth + 1);
  else if (ARV_IS_GC_FEATURE_NODE (node) && !is_common (name) && names->len < MOST &&
           arv_gc_feature_node_get_visibility (ARV_GC_FEATURE_NODE (node)) !=
               ARV_GC_VISIBILITY_INVISIBLE &&
           !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
    g_ptr_array_add (names, g_strdup (name));
}

static VgFeatureKind
find_kind (ArvGcNode *node)
{
  return ARV_IS_GC_ENUMERATION (node) ? VG_FEATURE_CHOICE
         : ARV_IS_GC_COMMAND (node)   ? VG_FEATURE_COMMAND
         : ARV_IS_GC_BOOLEAN (node)   ? VG_FEATURE_SWITCH
         : ARV_IS_GC_FLOAT (node)     ? VG_FEATURE_NUMBER
         : ARV_IS_GC_INTEGER (node)   ? VG_FEATURE_WHOLE
                                      : VG_FEATURE_TEXT;
}

static void
read_number (ArvDevice *device, ArvGcNode *node, VgFeature *feature, GError **error)
{
  gint64 least = 0, most = 0;

  if (feature->kind == VG_FEATURE_NUMBER)
    {
      feature->unit = g_strdup (arv_gc_float_get_unit (ARV_GC_FLOAT (node)));
      vg_feature_set_number (feature,
                             arv_device_get_float_feature_value (device, feature->name, error));
      arv_device_get_float_feature_bounds (device, feature->name, &feature->min, &feature->max,
                                           NULL);
      return;
    }
  feature->unit = g_strdup (arv_gc_integer_get_unit (ARV_GC_INTEGER (node)));
  feature->value = g_strdup_printf (
      "%" G_GINT64_FORMAT, arv_device_get_integer_feature_value (device, feature->name, error));
  arv_device_get_integer_feature_bounds (device, feature->name, &least, &most, NULL);
  feature->min = (double) least;
  feature->max = (double) most;
  feature->step = (double) arv_device_get_integer_feature_increment (device, feature->name, NULL);
}

static void
read_value (ArvDevice *device, ArvGcNode *node, VgFeature *feature, GError **error)
{
  guint n = 0;

  switch (feature->kind)
    {
    case VG_FEATURE_COMMAND:
      break;
    case VG_FEATURE_SWITCH:
      vg_feature_set_number (feature,
                             arv_device_get_boolean_feature_value (device, feature->name, error));
      break;
    case VG_FEATURE_NUMBER:
    case VG_FEATURE_WHOLE:
      read_number (device, node, feature, error);
      break;
    case VG_FEATURE_CHOICE:
      {
        g_autofree const char **names =
            arv_device_dup_available_enumeration_feature_values_as_strings (device, feature->name,
                                                                            &n, NULL);

        feature->choices = g_new0 (char *, n + 1);
        for (guint i = 0; i < n; i++)
          feature->choices[i] = g_strdup (names[i]);
        feature->value = g_strdup (
            arv_device_get_string_feature_value (device, feature->name, error));
        break;
      }
    case VG_FEATURE_TEXT:
      feature->value = g_strdup (
          arv_gc_feature_node_get_value_as_string (ARV_GC_FEATURE_NODE (node), error));
      break;
    }
}

static void
feature_set_free (gpointer data)
{
  vg_features_unref (data);
}

/* One feature; NULL: it is not available now. */
static VgFeatures *
read_feature (ArvDevice *device, const char *name)
{
  ArvGcNode *node = arv_device_get_feature (device, name);
  ArvGcFeatureNode *described = ARV_GC_FEATURE_NODE (node);
  g_autoptr (VgFeatures) one = vg_features_new ();
  g_autoptr (GError) error = NULL;
  VgFeature *feature;
  const char *label = arv_gc_feature_node_get_display_name (described),
             *help = arv_gc_feature_node_get_tooltip (described);

  if (!arv_gc_feature_node_is_available (described, NULL))
    return NULL;
  feature = vg_features_add (one, name, find_kind (node));
  if (label != NULL && *label != '\0')
    {
      g_free (feature->label);
      feature->label = g_utf8_make_valid (label, -1);
    }
  if (help == NULL || *help == '\0')
    help = arv_gc_feature_node_get_description (described);
  feature->help = help != NULL ? g_utf8_make_valid (help, -1) : NULL;
  feature->reopens = is_geometry (name);
  feature->writable = feature->reopens || (arv_gc_feature_node_get_actual_access_mode (described) !=
                                               ARV_GC_ACCESS_MODE_RO &&
                                           !arv_gc_feature_node_is_locked (described, NULL));
  read_value (device, node, feature, &error);
  return error == NULL ? g_steal_pointer (&one) : NULL;
}

/* --- all --- */

VgCameraFeatures *
vg_camera_features_new (ArvCamera *camera)
{
  VgCameraFeatures *self = g_new0 (VgCameraFeatures, 1);

  self->camera = camera;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->values = g_ptr_array_new_with_free_func (feature_set_free);
  collect (arv_camera_get_device (camera), "Root", self->names, 0);
  g_ptr_array_set_size (self->values, (int) self->names->len);
  return self;
}

char *
vg_camera_features_nearest (ArvCamera *camera, const char *const *common, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (; *common != NULL; common++)
    g_ptr_array_add (names, g_strdup (*common));
  collect (arv_camera_get_device (camera), "Root", names, 0);
  return g_strdup (vg_text_nearest ((const char *const *) names->pdata, names->len, name));
}

void
vg_camera_features_free (VgCameraFeatures *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->values);
  g_free (self);
}

void
vg_camera_features_begin (VgCameraFeatures *self)
{
  self->next = 0;
}

gboolean
vg_camera_features_read_some (VgCameraFeatures *self)
{
  const gint64 end_us = g_get_monotonic_time () + BUDGET_US;
  const guint from = self->next;

  while (self->next < self->names->len && g_get_monotonic_time () < end_us)
    {
      vg_features_unref (self->values->pdata[self->next]);
      self->values->pdata[self->next] = read_feature (arv_camera_get_device (self->camera),
                                                      self->names->pdata[self->next]);
      self->next++;
    }
  return from < self->next && self->next == self->names->len;
}

static void
add_copy (VgFeatures *features, const VgFeature *from)
{
  VgFeature *to = vg_features_add (features, from->name, from->kind);

  g_free (to->label);
  to->label = g_strdup (from->label);
  to->help = g_strdup (from->help);
  to->unit = g_strdup (from->unit);
  to->writable = from->writable;
  to->reopens = from->reopens;
  to->min = from->min;
  to->max = from->max;
  to->step = from->step;
  to->value = g_strdup (from->value);
  to->choices = g_strdupv (from->choices);
}

VgFeatures *
vg_camera_features_snapshot (VgCameraFeatures *self)
{
  VgFeatures *features = vg_features_new ();

  add_numbers (self->camera, features);
  add_pixel_format (self->camera, features);
  add_geometry (self->camera, features);
  add_trigger (self->camera, features);
  for (guint i = 0; i < self->values->len; i++)
    {
      const VgFeatures *one = self->values->pdata[i];

      if (one != NULL)
        add_copy (features, one->items->pdata[0]);
    }
  vg_features_complete (features);
  return features;
}
