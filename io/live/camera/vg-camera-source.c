/* SPDX-License-Identifier: MIT */
/* The module of Aravis: GenICam cameras, by GigE Vision and USB3 Vision. */
#include "io/live/camera/vg-camera-device.h"
#include "io/live/camera/vg-camera-features.h"
#include "io/live/vg-live-private.h"
#include <gmodule.h>
#include <string.h>

enum {
  POLL_US = 100000,   /* between two looks at the cancellation */
  RETRY_US = 1000000, /* between two attempts to connect again */
  SILENT_US = 5000000,
  CLOSING_US = 5000000, /* for another source of the same camera to close it */
  WRAP = 65535,         /* the last number of GigE Vision before 1 */
};

typedef struct
{
  VgLive live;
  char *id, *settings;
  VgCameraDevice device;
  VgCameraFeatures *features;
  gboolean is_taken; /* of the camera: `taken` has its id */
  gboolean is_wide;  /* the camera's numbers have more than 16 bits */
  gint64 heard_us;   /* when the last frame came */
  /* a change of the exposure time: before and after, and when it was set, by the clock of buffers
   */
  double before_ms, after_ms;
  gint64 set_ns;
} VgCameraSource;

/* --- one source for each camera --- */

static GMutex taking;
static GCond left;
static GHashTable *taken; /* of ids */

/* Waits until no other source has the camera; one that is being closed needs a moment. */
static void
take (VgCameraSource *self)
{
  const gint64 end_us = g_get_monotonic_time () + CLOSING_US;

  g_mutex_lock (&taking);
  if (taken == NULL)
    taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  while (g_hash_table_contains (taken, self->id) && g_cond_wait_until (&left, &taking, end_us))
    ;
  self->is_taken = g_hash_table_add (taken, g_strdup (self->id));
  g_mutex_unlock (&taking);
}

static void
leave (VgCameraSource *self)
{
  g_mutex_lock (&taking);
  if (self->is_taken)
    g_hash_table_remove (taken, self->id);
  g_cond_broadcast (&left);
  g_mutex_unlock (&taking);
}

/* --- settings --- */

/* REFUSED: why a setting was not taken, or NULL. */
static void
report_features (VgCameraSource *self, const GError *refused)
{
  VgFeatures *features = vg_camera_features_snapshot (self->features);

  if (features->exposure_ms != self->after_ms)
    {
      self->before_ms = self->after_ms;
      self->after_ms = features->exposure_ms;
      self->set_ns = g_get_real_time () * 1000;
    }
  features->refused = refused != NULL ? g_strdup (refused->message) : NULL;
  vg_live_report_features (&self->live, features);
}

static void
find_features (VgCameraSource *self)
{
  g_clear_pointer (&self->features, vg_camera_features_free);
  self->features = vg_camera_features_new (self->device.camera);
  report_features (self, NULL);
}

/* A camera that comes back is set as it was. */
static void
remember (VgCameraSource *self, const char *setting)
{
  g_autofree char *before = g_strconcat ("#", self->settings, NULL),
                  *now = vg_live_address_with (before, setting);

  g_free (self->settings);
  self->settings = g_strdup (*now != '\0' ? now + 1 : now);
}

/* The exposure time of the frame in BUFFER.  It still is that of before if the exposure began
 * before the change: frames wait to be read, and are on their way. */
static double
find_exposure (const VgCameraSource *self, ArvBuffer *buffer)
{
  const gint64 begun_ns = (gint64) arv_buffer_get_system_timestamp (buffer) -
                          (gint64) (self->before_ms * 1e6);

  return self->before_ms > 0 && begun_ns < self->set_ns ? self->before_ms : self->after_ms;
}

/* Sets what was asked for since the last frame, and reads some features. */
static void
follow_settings (VgCameraSource *self)
{
  gboolean any = FALSE;
  char *setting;

  while ((setting = vg_live_take_setting (&self->live)) != NULL)
    {
      g_autoptr (GError) error = NULL;

      if (vg_camera_device_set (&self->device, setting, &error))
        remember (self, setting);
      report_features (self, error);
      any = TRUE;
      g_free (setting);
    }
  if (any)
    vg_camera_features_begin (self->features);
  else if (vg_camera_features_read_some (self->features))
    {
      VgFeatures *before = vg_live_get_features (&self->live.parent);
      g_autoptr (GError) refused = before->refused != NULL
                                       ? g_error_new_literal (VG_USAGE_ERROR, 0, before->refused)
                                       : NULL;

      report_features (self, refused);
      vg_features_unref (before);
    }
}

/* --- frames --- */

/* Connects again until it succeeds.  FALSE: cancelled, or ERROR. */
static gboolean
connect_again (VgCameraSource *self, GError **error)
{
  VgImageInfo info;

  vg_live_count_interruption (&self->live);
  vg_live_report (&self->live, VG_LIVE_WAITING,
                  "\"%s\" does not respond; waiting until it is connected again",
                  self->live.parent.name);
  g_clear_pointer (&self->features, vg_camera_features_free);
  vg_camera_device_close (&self->device);
  do
    if (!vg_live_wait (&self->live, -1, RETRY_US))
      return FALSE;
  while (!vg_camera_device_open (&self->device, self->id, self->settings, self->live.parent.name,
                                 &info, NULL));
  self->live.has_number = self->is_wide = FALSE; /* it counts anew */
  self->heard_us = g_get_monotonic_time ();
  find_features (self);
  return vg_live_check_same (&self->live, &info, error);
}

/* The number of a frame without the wrap of GigE Vision, which counts from 1 to 65535 and then from
 * 1 again: of all numbers that are written as ID, the one nearest to the last. */
static guint64
unwrap_number (VgCameraSource *self, guint64 id)
{
  const guint64 last = self->live.last_number;
  gint64 step;

  if (id == 0)
    return VG_LIVE_NO_NUMBER;
  self->is_wide |= !ARV_IS_GV_STREAM (self->device.stream) || id > WRAP;
  if (self->is_wide || !self->live.has_number)
    return id;
  step = (gint64) id - (gint64) ((last + WRAP - 1) % WRAP + 1);
  if (step > WRAP / 2)
    step -= WRAP;
  else if (step < -WRAP / 2)
    step += WRAP;
  return last + (guint64) step;
}

/* The next buffer, of any status; NULL: cancelled, or ERROR. */
static ArvBuffer *
pop_buffer (VgCameraSource *self, GError **error)
{
  while (vg_live_wait (&self->live, -1, 0))
    {
      ArvBuffer *buffer;

      follow_settings (self);
      buffer = arv_stream_timeout_pop_buffer (self->device.stream, POLL_US);

      if (buffer != NULL)
        {
          self->heard_us = g_get_monotonic_time ();
          return buffer;
        }
      if (g_atomic_int_get (&self->device.lost))
        {
          if (!connect_again (self, error))
            return NULL;
        }
      else if (g_get_monotonic_time () - self->heard_us > SILENT_US)
        vg_live_report (
            &self->live, VG_LIVE_WAITING,
            "\"%s\" is connected but has sent no frame for 5 s; still waiting. Check its "
            "trigger and its exposure time",
            self->live.parent.name);
    }
  return NULL;
}

/* Gives BUFFER back for another frame.  If the first packet of that frame is lost, Aravis leaves
 * the number and the time in the buffer as they are, so they are cleared here. */
static void
reuse_buffer (VgCameraSource *self, ArvBuffer *buffer)
{
  arv_buffer_set_frame_id (buffer, 0);
  arv_buffer_set_timestamp (buffer, 0);
  arv_stream_push_buffer (self->device.stream, buffer);
}

/* The next buffer that no other has overtaken, and its number; NULL: cancelled, or ERROR. */
static ArvBuffer *
next_buffer (VgCameraSource *self, guint64 *number, GError **error)
{
  ArvBuffer *buffer;

  while ((buffer = pop_buffer (self, error)) != NULL)
    {
      *number = unwrap_number (self, arv_buffer_get_frame_id (buffer));
      if (!vg_live_is_late (&self->live, *number))
        break;
      reuse_buffer (self, buffer);
    }
  return buffer;
}

/* FALSE: the frame is damaged, as ERROR says; of another size or format, VG_IO_ERROR_STREAM. */
static gboolean
copy_buffer (VgCameraSource *self, ArvBuffer *buffer, void *frame, GError **error)
{
  const VgImageInfo *info = &self->live.parent.info;
  const VgCameraFormat *format = self->device.format;
  gsize n = vg_image_info_page_samples (info), size = 0, wanted;
  VgImageInfo now = *info;
  const void *data;

  if (arv_buffer_get_status (buffer) != ARV_BUFFER_STATUS_SUCCESS)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
                   "a frame of \"%s\" arrived incomplete; check the network or the cable",
                   self->live.parent.name);
      return FALSE;
    }
  arv_buffer_get_image_region (buffer, NULL, NULL, &now.width, &now.height);
  if (!vg_live_check_same (&self->live, &now, error))
    return FALSE;
  if (arv_buffer_get_image_pixel_format (buffer) != format->format)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM,
                   "\"%s\" changed the pixel format of its frames; open it again",
                   self->live.parent.name);
      return FALSE;
    }
  data = arv_buffer_get_image_data (buffer, &size);
  wanted = info->type == VG_U8 ? n : vg_packed_bytes (format->packing, n);
  if (data == NULL || size < wanted)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
                   "a frame of \"%s\" has fewer bytes than its size requires",
                   self->live.parent.name);
      return FALSE;
    }
  if (format->packing == VG_PACKING_NONE)
    memcpy (frame, data, wanted);
  else
    vg_unpack (format->packing, data, frame, n);
  return TRUE;
}

static gboolean
camera_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgCameraSource *self = (VgCameraSource *) source;
  g_autoptr (GError) local = NULL;
  guint64 number = 0;
  ArvBuffer *buffer = next_buffer (self, &number, error);
  gboolean good;

  if (buffer == NULL)
    return FALSE;
  good = copy_buffer (self, buffer, frame, &local);
  *id = vg_live_count (&self->live, number, 0, !good);
  source->device_ns = (gint64) arv_buffer_get_timestamp (buffer);
  source->exposure_ms = find_exposure (self, buffer);
  reuse_buffer (self, buffer);
  if (good)
    {
      *time_s = vg_live_time (&self->live, source->device_ns);
      vg_live_report_connected (&self->live);
    }
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return good;
}

static void
camera_clear (VgSource *source)
{
  VgCameraSource *self = (VgCameraSource *) source;

  g_clear_pointer (&self->features, vg_camera_features_free);
  vg_camera_device_close (&self->device);
  leave (self);
  g_free (self->id);
  g_free (self->settings);
  g_free (self->device.name);
  vg_live_clear (&self->live);
}

static const VgSourceClass camera_class = {
  .next = camera_next,
  .cancel = vg_live_cancel,
  .clear = camera_clear,
  .get_status = vg_live_get_status,
  .get_features = vg_live_get_features,
  .set_feature = vg_live_set_feature,
};

static VgSource *
camera_open (const VgLiveRequest *request, GError **error)
{
  VgCameraSource *self = (VgCameraSource *) vg_live_new (sizeof (VgCameraSource), &camera_class,
                                                         request->name, "GenICam camera", error);
  g_autoptr (VgSource) source = (VgSource *) self;
  const char *hash = strchr (request->address, '#');

  if (self == NULL)
    return NULL;
  self->id = hash != NULL ? g_strndup (request->address, (gsize) (hash - request->address))
                          : g_strdup (request->address);
  self->settings = hash != NULL ? g_strdup (hash + 1) : NULL;
  self->heard_us = g_get_monotonic_time ();
  take (self);
  if (!vg_camera_device_open (&self->device, self->id, self->settings, request->name, &source->info,
                              error))
    return NULL;
  g_free (source->name);
  source->name = g_strdup (self->device.name);
  source->details = vg_camera_device_describe (&self->device, &source->info);
  find_features (self);
  return g_steal_pointer (&source);
}

static gboolean
camera_list (VgLiveFound found, gpointer data, GError **error)
{
  arv_update_device_list ();
  for (guint i = 0; i < arv_get_n_devices (); i++)
    {
      g_autofree char *address = g_strconcat ("camera:", arv_get_device_id (i), NULL),
                      *text = g_strdup_printf ("%s %s, %s", arv_get_device_vendor (i),
                                               arv_get_device_model (i),
                                               arv_get_device_protocol (i));

      found (address, text, data);
    }
  return TRUE;
}

const VgLiveDriver *vg_live_module (void);

G_MODULE_EXPORT const VgLiveDriver *
vg_live_module (void)
{
  static const VgLiveDriver driver = { VG_LIVE_ABI, "camera", camera_open, camera_list };

  return &driver;
}
