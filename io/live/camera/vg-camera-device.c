/* SPDX-License-Identifier: MIT */
#include "io/live/camera/vg-camera-device.h"
#include "io/live/camera/vg-camera-features.h"
#include "io/source/vg-source-private.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Frames that wait in memory, and their bytes. */
enum { LEAST_BUFFERS = 3, MOST_BUFFERS = 16, BUFFER_BYTES = 1 << 30, MOST_TRIES = 3 };

static const VgCameraFormat formats[] = {
  { 0x01080001u, VG_U8, 8, VG_PACKING_NONE },      /* Mono8 */
  { 0x01100003u, VG_U16, 10, VG_PACKING_NONE },    /* Mono10 */
  { 0x01100005u, VG_U16, 12, VG_PACKING_NONE },    /* Mono12 */
  { 0x01100025u, VG_U16, 14, VG_PACKING_NONE },    /* Mono14 */
  { 0x01100007u, VG_U16, 16, VG_PACKING_NONE },    /* Mono16 */
  { 0x010a0046u, VG_U16, 10, VG_PACKING_10P },     /* Mono10p */
  { 0x010c0047u, VG_U16, 12, VG_PACKING_12P },     /* Mono12p */
  { 0x010c0004u, VG_U16, 10, VG_PACKING_10_GIGE }, /* Mono10Packed */
  { 0x010c0006u, VG_U16, 12, VG_PACKING_12_GIGE }, /* Mono12Packed */
};

const VgCameraFormat *
vg_camera_format_find (ArvPixelFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (formats[i].format == format)
      return &formats[i];
  return NULL;
}

/* --- settings --- */

/* A switch or a command; FALSE: it is none. */
static gboolean
set_switch (ArvDevice *device, const char *name, const char *value, GError **error)
{
  ArvGcNode *node = arv_device_get_feature (device, name);

  if (ARV_IS_GC_COMMAND (node))
    arv_device_execute_command (device, name, error);
  else if (ARV_IS_GC_BOOLEAN (node) && (g_str_equal (value, "0") || g_str_equal (value, "1")))
    arv_device_set_boolean_feature_value (device, name, *value == '1', error);
  else
    return FALSE;
  return TRUE;
}

/* FALSE and an error: VALUE is no number. */
static gboolean
read_number (const char *value, double *number, GError **error)
{
  char *end;

  *number = g_ascii_strtod (value, &end);
  if (end != value && *end == '\0' && isfinite (*number))
    return TRUE;
  g_set_error_literal (error, VG_USAGE_ERROR, 0, "it is no number");
  return FALSE;
}

/* Settings whose feature has another name in some cameras, or which are several features. */
static gboolean
set_common (ArvCamera *camera, const char *name, const char *value, GError **error)
{
  static const struct
  {
    const char *name;
    void (*set) (ArvCamera *camera, double value, GError **error);
  } numbers[] = { { "ExposureTime", arv_camera_set_exposure_time },
                  { "Gain", arv_camera_set_gain },
                  { "FrameRate", arv_camera_set_frame_rate },
                  { "AcquisitionFrameRate", arv_camera_set_frame_rate } };
  int v[4] = { 0 }, n = sscanf (value, "%d,%d,%d,%d", &v[0], &v[1], &v[2], &v[3]);
  double number;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (g_str_equal (name, numbers[i].name))
      {
        if (read_number (value, &number, error))
          numbers[i].set (camera, number, error);
        return TRUE;
      }
  if (g_str_equal (name, "PixelFormat"))
    arv_camera_set_pixel_format_from_string (camera, value, error);
  else if (g_str_equal (name, "Trigger") && g_str_equal (value, "Off"))
    arv_camera_clear_triggers (camera, error);
  else if (g_str_equal (name, "Trigger"))
    arv_camera_set_trigger (camera, value, error);
  else if (g_str_equal (name, "Region") && n == 4)
    arv_camera_set_region (camera, v[0], v[1], v[2], v[3], error);
  else if (g_str_equal (name, "Binning") && n == 2)
    arv_camera_set_binning (camera, v[0], v[1], error);
  else
    return set_switch (arv_camera_get_device (camera), name, value, error);
  return TRUE;
}

/* The range of the number NAME in words, or NULL. */
static char *
describe_range (ArvDevice *device, const char *name)
{
  const char *feature = g_str_equal (name, "ExposureTime") &&
                                arv_device_get_feature (device, "ExposureTime") == NULL
                            ? "ExposureTimeAbs"
                            : name;
  ArvGcNode *node = arv_device_get_feature (device, feature);
  double low, high;
  gint64 least, most;

  if (ARV_IS_GC_FLOAT (node))
    {
      arv_device_get_float_feature_bounds (device, feature, &low, &high, NULL);
      return g_strdup_printf ("from %g to %g", low, high);
    }
  if (ARV_IS_GC_INTEGER (node) && !ARV_IS_GC_ENUMERATION (node))
    {
      arv_device_get_integer_feature_bounds (device, feature, &least, &most, NULL);
      return g_strdup_printf ("from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, least, most);
    }
  if (ARV_IS_GC_ENUMERATION (node))
    {
      guint n = 0;
      g_autofree const char **names =
          arv_device_dup_available_enumeration_feature_values_as_strings (device, feature, &n,
                                                                          NULL);
      g_autofree const char **list = g_new0 (const char *, n + 1);

      for (guint i = 0; names != NULL && i < n; i++)
        list[i] = names[i];
      return g_strjoinv (", ", (char **) list);
    }
  return NULL;
}

/* TRUE and an error: CAMERA has no feature NAME. */
static gboolean
is_unknown (ArvCamera *camera, const char *name, const char *source, GError **error)
{
  static const char *const common[] = { "ExposureTime", "Gain",   "FrameRate", "PixelFormat",
                                        "Trigger",      "Region", "Binning",   NULL };
  g_autofree char *nearest = NULL;

  if (g_strv_contains (common, name) ||
      arv_device_get_feature (arv_camera_get_device (camera), name) != NULL)
    return FALSE;
  nearest = vg_camera_features_nearest (camera, common, name);
  if (nearest != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\" does not have the setting \"%s\"; did you mean %s?", source, name,
                 nearest);
  else
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "\"%s\" does not have the setting \"%s\"; All Settings in the window lists those "
                 "that it has",
                 source, name);
  return TRUE;
}

/* Sets NAME as SETTING says.  A busy network may lose the camera's answers until Aravis gives up,
 * so a value is then written again; not a command, which the camera may have obeyed. */
static gboolean
write_setting (ArvCamera *camera, const char *name, const char *setting, GError **error)
{
  ArvDevice *device = arv_camera_get_device (camera);
  const char *value = setting + strlen (name) + 1;
  int tries = ARV_IS_GC_COMMAND (arv_device_get_feature (device, name)) ? 1 : MOST_TRIES;

  for (;;)
    {
      g_autoptr (GError) local = NULL;

      if (!set_common (camera, name, value, &local))
        arv_device_set_features_from_string (device, setting, &local);
      if (local == NULL)
        return TRUE;
      if (--tries > 0 && g_error_matches (local, ARV_DEVICE_ERROR, ARV_DEVICE_ERROR_TIMEOUT))
        continue;
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
}

static gboolean
set_one (ArvCamera *camera, const char *setting, const char *source, GError **error)
{
  const char *equals = strchr (setting, '=');
  g_autofree char *name = equals != NULL ? g_strndup (setting, (gsize) (equals - setting)) : NULL,
                  *range = NULL;
  g_autoptr (GError) local = NULL;

  if (name == NULL || *name == '\0' || equals[1] == '\0')
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "the camera setting \"%s\" is not of the form NAME=VALUE; write it like "
                   "ExposureTime=5000",
                   setting);
      return FALSE;
    }
  if (write_setting (camera, name, setting, &local))
    return TRUE;
  if (g_error_matches (local, ARV_DEVICE_ERROR, ARV_DEVICE_ERROR_TIMEOUT))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "\"%s\" did not answer in time when %s was set; check its cable and what else "
                   "uses its network, and try again",
                   source, setting);
      return FALSE;
    }
  if (is_unknown (camera, name, source, error))
    return FALSE;
  range = describe_range (arv_camera_get_device (camera), name);
  g_set_error (error, VG_USAGE_ERROR, 0, "\"%s\" does not accept %s: %s%s%s", source, setting,
               local->message, range != NULL ? "; allowed: " : "", range != NULL ? range : "");
  return FALSE;
}

static gboolean
set_all (ArvCamera *camera, const char *settings, const char *source, GError **error)
{
  g_auto (GStrv) each = g_strsplit (settings != NULL ? settings : "", " ", -1);

  arv_camera_set_range_check_policy (camera, ARV_RANGE_CHECK_POLICY_ENABLE);
  for (guint i = 0; each[i] != NULL; i++)
    if (*each[i] != '\0' && !set_one (camera, each[i], source, error))
      return FALSE;
  return TRUE;
}

/* --- connecting --- */

static void
on_lost (ArvDevice *device, gpointer lost)
{
  g_atomic_int_set ((gint *) lost, 1);
}

static gboolean
take_info (VgCameraDevice *self, const char *name, VgImageInfo *info, GError **error)
{
  g_autoptr (GError) local = NULL;
  int x, y, width = 0, height = 0;
  double rate;

  arv_camera_get_region (self->camera, &x, &y, &width, &height, &local);
  if (local == NULL)
    self->format = vg_camera_format_find (arv_camera_get_pixel_format (self->camera, &local));
  if (local != NULL || width < 1 || height < 1)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "the frame size of \"%s\" cannot be read: %s", name,
                   local != NULL ? local->message : "it is 0");
      return FALSE;
    }
  if (self->format == NULL)
    {
      const char *format = arv_camera_get_pixel_format_as_string (self->camera, NULL);

      g_set_error (
          error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
          "\"%s\" sends frames of the pixel format %s, which is not supported; set PixelFormat to "
          "Mono8, Mono10, Mono12, Mono14, Mono16, or a packed format of 10 or 12 bits",
          name, format != NULL ? format : "unknown");
      return FALSE;
    }
  *info = vg_image_info_grey (self->format->type, width, height);
  info->frames = -1;
  info->significant_bits = self->format->bits;
  info->exposure_ms = arv_camera_get_exposure_time (self->camera, NULL) / 1000;
  rate = arv_camera_get_frame_rate (self->camera, NULL);
  info->frame_interval_s = isfinite (rate) && rate > 0 ? 1 / rate : 0;
  if (!isfinite (info->exposure_ms) || info->exposure_ms < 0)
    info->exposure_ms = 0;
  return TRUE;
}

static gboolean
start_stream (VgCameraDevice *self, gsize frame_bytes, GError **error)
{
  g_autoptr (GError) local = NULL;
  guint payload;
  gsize bytes;

  arv_camera_set_acquisition_mode (self->camera, ARV_ACQUISITION_MODE_CONTINUOUS, NULL);
  payload = arv_camera_get_payload (self->camera, error);
  if (payload == 0)
    return FALSE;
  self->stream = arv_camera_create_stream (self->camera, NULL, NULL, error);
  if (self->stream == NULL)
    return FALSE;
  if (ARV_IS_GV_STREAM (self->stream))
    g_object_set (self->stream, "socket-buffer", ARV_GV_STREAM_SOCKET_BUFFER_AUTO,
                  "socket-buffer-size", 0, NULL);
  bytes = MAX (payload, frame_bytes);
  for (gsize i = 0; i < CLAMP (BUFFER_BYTES / bytes, LEAST_BUFFERS, MOST_BUFFERS); i++)
    arv_stream_push_buffer (self->stream, arv_buffer_new (bytes, NULL));
  arv_camera_start_acquisition (self->camera, &local);
  if (local != NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return error == NULL || *error == NULL;
}

/* As the user knows CAMERA; ADDRESS if it does not tell. */
static char *
name_new (ArvCamera *camera, const char *address)
{
  const char *vendor = arv_camera_get_vendor_name (camera, NULL),
             *model = arv_camera_get_model_name (camera, NULL);
  g_autofree char *both = g_strdup_printf ("%s %s", vendor != NULL ? vendor : "",
                                           model != NULL ? model : "");

  g_strstrip (both);
  return *both != '\0' ? g_utf8_make_valid (both, -1) : g_strdup (address);
}

gboolean
vg_camera_device_open (VgCameraDevice *self, const char *id, const char *settings, const char *name,
                       VgImageInfo *info, GError **error)
{
  g_autoptr (GError) local = NULL;
  gsize bytes;

  if (g_str_has_prefix (id, "Fake"))
    arv_enable_interface ("Fake");
  /* without the list, a camera that several network interfaces reach may be asked by a wrong one */
  arv_update_device_list ();
  self->camera = arv_camera_new (id, &local);
  if (self->camera == NULL)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                   "\"%s\" was not found: %s. vivograph devices lists the cameras", name,
                   local != NULL ? local->message : "no camera responds");
      return FALSE;
    }
  g_atomic_int_set (&self->lost, 0);
  self->lost_handler = g_signal_connect (arv_camera_get_device (self->camera), "control-lost",
                                         G_CALLBACK (on_lost), &self->lost);
  g_free (self->name);
  self->name = name_new (self->camera, name);
  name = self->name;
  bytes = set_all (self->camera, settings, name, error) && take_info (self, name, info, error)
              ? vg_source_frame_bytes (info, name, error)
              : 0;
  if (bytes == 0)
    {
      vg_camera_device_close (self);
      return FALSE;
    }
  if (start_stream (self, bytes, &local))
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "\"%s\" cannot start: %s", name,
               local != NULL ? local->message : "it gives no frame size");
  vg_camera_device_close (self);
  return FALSE;
}

gboolean
vg_camera_device_set (VgCameraDevice *self, const char *setting, GError **error)
{
  return set_one (self->camera, setting, self->name, error);
}

char *
vg_camera_device_describe (VgCameraDevice *self, const VgImageInfo *info)
{
  const char *vendor = arv_camera_get_vendor_name (self->camera, NULL),
             *model = arv_camera_get_model_name (self->camera, NULL),
             *serial = arv_camera_get_device_serial_number (self->camera, NULL),
             *format = arv_camera_get_pixel_format_as_string (self->camera, NULL),
             *trigger = arv_camera_get_trigger_source (self->camera, NULL);
  int x = 0, y = 0, width = 0, height = 0;

  arv_camera_get_region (self->camera, &x, &y, &width, &height, NULL);
  return g_strdup_printf (
      "Camera: %s %s, serial number %s\nPixelFormat=%s Region=%d,%d,%d,%d ExposureTime=%g Gain=%g "
      "FrameRate=%g TriggerSource=%s",
      vendor != NULL ? vendor : "unknown", model != NULL ? model : "",
      serial != NULL ? serial : "unknown", format != NULL ? format : "unknown", x, y, width, height,
      info->exposure_ms * 1000, arv_camera_get_gain (self->camera, NULL),
      arv_camera_get_frame_rate (self->camera, NULL), trigger != NULL ? trigger : "none");
}

void
vg_camera_device_close (VgCameraDevice *self)
{
  if (self->camera != NULL)
    {
      arv_camera_stop_acquisition (self->camera, NULL);
      if (self->lost_handler != 0)
        g_signal_handler_disconnect (arv_camera_get_device (self->camera), self->lost_handler);
    }
  self->lost_handler = 0;
  g_clear_object (&self->stream);
  g_clear_object (&self->camera);
}
