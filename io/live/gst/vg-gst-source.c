/* SPDX-License-Identifier: MIT */
/* The module of GStreamer: frames at the end of a pipeline that the user describes, from V4L2
 * devices, capture cards, network streams and video files. */
#include "io/live/vg-live-private.h"
#include <gio/gio.h>
#include <gmodule.h>
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <string.h>

enum {
  FIRST_FRAME_S = 10, /* until the first frame has come */
  POLL_US = 100000,   /* between two looks at the bus and at the cancellation */
  RETRY_US = 1000000, /* between two attempts to start the pipeline again */
};

typedef struct
{
  VgLive live;
  GstElement *pipeline;
  GstAppSink *sink;
  GstSample *first; /* whose caps gave the size; or NULL once it was delivered */
  guint64 number;   /* of the next frame where the buffers have none */
  gint64 base_pts;  /* of the first frame since the pipeline was started; -1: none yet */
  double base_s, last_s;
  gint64 heard_us; /* when the last frame came */
} VgGstSource;

/* --- the pipeline --- */

/* The error that the pipeline has posted, or NULL. */
static GError *
take_error (VgGstSource *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  if (message != NULL)
    gst_message_parse_error (message, &error, NULL);
  return error;
}

static gboolean
take_info (GstSample *sample, VgImageInfo *info, GstVideoInfo *video)
{
  GstCaps *caps = gst_sample_get_caps (sample);

  if (caps == NULL || !gst_video_info_from_caps (video, caps))
    return FALSE;
  *info = vg_image_info_grey (GST_VIDEO_INFO_FORMAT (video) == GST_VIDEO_FORMAT_GRAY16_LE ? VG_U16
                                                                                          : VG_U8,
                              GST_VIDEO_INFO_WIDTH (video), GST_VIDEO_INFO_HEIGHT (video));
  info->frames = -1;
  info->channels = GST_VIDEO_INFO_FORMAT (video) == GST_VIDEO_FORMAT_RGB ? 3 : 1;
  info->significant_bits = 8 * (int) vg_type_size (info->type);
  if (GST_VIDEO_INFO_FPS_N (video) > 0)
    info->frame_interval_s = (double) GST_VIDEO_INFO_FPS_D (video) / GST_VIDEO_INFO_FPS_N (video);
  return info->width > 0 && info->height > 0;
}

static gboolean
build_pipeline (VgGstSource *self, const VgLiveRequest *request, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *whole = g_strdup_printf (
      "%s ! videoconvert ! appsink name=vivograph-frames sync=false max-buffers=8 "
      "caps=\"video/x-raw,format=(string){GRAY8,GRAY16_LE%s}\"",
      request->address, request->options->colour ? ",RGB" : "");

  self->pipeline = gst_parse_launch (whole, &local);
  if (self->pipeline != NULL && local == NULL && GST_IS_BIN (self->pipeline))
    self->sink = (GstAppSink *) gst_bin_get_by_name (GST_BIN (self->pipeline), "vivograph-frames");
  if (self->sink != NULL)
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "\"%s\" is not a valid GStreamer pipeline: %s. Try it with gst-launch-1.0",
               request->name,
               local != NULL ? local->message : "its last element delivers no frames");
  return FALSE;
}

/* Whether the source is cancelled, or the thread that opens it. */
static gboolean
is_cancelled (VgGstSource *self)
{
  return !vg_live_wait (&self->live, -1, 0) ||
         g_cancellable_is_cancelled (g_cancellable_get_current ());
}

/* Starts the pipeline and waits for its first frame. */
static gboolean
start_pipeline (VgGstSource *self, GError **error)
{
  VgSource *source = &self->live.parent;
  gint64 end_us = g_get_monotonic_time () + FIRST_FRAME_S * G_TIME_SPAN_SECOND;
  g_autoptr (GError) local = NULL;

  self->base_pts = -1;
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  while (self->first == NULL && g_get_monotonic_time () < end_us && local == NULL &&
         !is_cancelled (self))
    {
      self->first = gst_app_sink_try_pull_sample (self->sink, POLL_US * GST_USECOND);
      if (self->first == NULL)
        local = take_error (self);
      if (self->first == NULL && local == NULL && gst_app_sink_is_eos (self->sink))
        break;
    }
  if (self->first != NULL)
    return TRUE;
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  if (is_cancelled (self))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "\"%s\" was not opened", source->name);
      return FALSE;
    }
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "\"%s\" sent no frame: %s", source->name,
               local != NULL ? local->message
                             : "it ended, or sent nothing for 10 s. Check that the device is "
                               "connected, or try the pipeline with gst-launch-1.0");
  return FALSE;
}

/* Starts a pipeline again that broke off as WHY says, until it delivers.  FALSE: cancelled. */
static gboolean
restart_pipeline (VgGstSource *self, const char *why)
{
  vg_live_count_interruption (&self->live);
  vg_live_report (&self->live, VG_LIVE_WAITING,
                  "\"%s\" stopped: %s; waiting until it delivers frames again",
                  self->live.parent.name, why);
  do
    {
      gst_element_set_state (self->pipeline, GST_STATE_NULL);
      if (!vg_live_wait (&self->live, -1, RETRY_US))
        return FALSE;
    }
  while (!start_pipeline (self, NULL));
  return TRUE;
}

/* --- frames --- */

/* NULL: the stream has ended, or was cancelled. */
static GstSample *
pull_sample (VgGstSource *self)
{
  GstSample *sample = g_steal_pointer (&self->first);

  while (sample == NULL && vg_live_wait (&self->live, -1, 0))
    {
      g_autoptr (GError) broken = NULL;

      sample = gst_app_sink_try_pull_sample (self->sink, POLL_US * GST_USECOND);
      if (sample != NULL)
        break;
      broken = take_error (self);
      if (broken != NULL && !restart_pipeline (self, broken->message))
        return NULL;
      if (broken != NULL)
        sample = g_steal_pointer (&self->first);
      else if (gst_app_sink_is_eos (self->sink))
        {
          vg_live_report (&self->live, VG_LIVE_ENDED, "\"%s\" has ended", self->live.parent.name);
          return NULL;
        }
    }
  return sample;
}

static gboolean
copy_rows (GstSample *sample, const GstVideoInfo *video, const VgImageInfo *info, guint8 *to)
{
  const gsize row = (gsize) info->width * (gsize) info->channels * vg_type_size (info->type);
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstVideoFrame mapped;

  if (buffer == NULL || !gst_video_frame_map (&mapped, video, buffer, GST_MAP_READ))
    return FALSE;
  for (int y = 0; y < info->height; y++)
    memcpy (to + (gsize) y * row,
            (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&mapped, 0) +
                (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (&mapped, 0),
            row);
  gst_video_frame_unmap (&mapped);
  return TRUE;
}

/* The number of a buffer whose source counts frames, else the next. */
static guint64
find_number (VgGstSource *self, const GstBuffer *buffer)
{
  guint64 offset = GST_BUFFER_OFFSET (buffer), end = GST_BUFFER_OFFSET_END (buffer);

  self->number = offset != GST_BUFFER_OFFSET_NONE && end == offset + 1 ? offset : self->number;
  return self->number++;
}

/* Seconds since the first frame, by the time stamps of the buffers; it only rises.  The arrival
 * bridges the time in which the pipeline was started again. */
static double
find_time (VgGstSource *self, const GstBuffer *buffer, const VgImageInfo *info)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer);
  const gint64 now_us = g_get_monotonic_time ();
  double time_s = self->last_s + info->frame_interval_s;

  if (GST_CLOCK_TIME_IS_VALID (pts) && pts <= G_MAXINT64)
    {
      if (self->base_pts < 0)
        {
          self->base_pts = (gint64) pts;
          self->base_s = self->last_s + (double) (now_us - self->heard_us) * 1e-6;
        }
      time_s = self->base_s + (double) ((gint64) pts - self->base_pts) * 1e-9;
    }
  if (self->live.has_number && !(time_s > self->last_s))
    time_s = self->last_s + MAX (info->frame_interval_s, 1e-6);
  self->heard_us = now_us;
  if (!self->live.has_number)
    self->base_s = time_s = 0;
  return self->last_s = time_s;
}

static gboolean
gst_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgGstSource *self = (VgGstSource *) source;
  g_autoptr (GstSample) sample = pull_sample (self);
  GstVideoInfo video;
  VgImageInfo info;
  gboolean good;

  if (sample == NULL)
    return FALSE;
  if (!take_info (sample, &info, &video))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM, "\"%s\" sent a frame without a size",
                   source->name);
      return FALSE;
    }
  if (!vg_live_check_same (&self->live, &info, error))
    return FALSE;
  *time_s = find_time (self, gst_sample_get_buffer (sample), &info);
  source->device_ns = (gint64) (*time_s * 1e9);
  good = copy_rows (sample, &video, &info, frame);
  *id = vg_live_count (&self->live, find_number (self, gst_sample_get_buffer (sample)), 0, !good);
  if (good)
    vg_live_report_connected (&self->live);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME,
                 "a frame of \"%s\" has fewer bytes than its size requires", source->name);
  return good;
}

static void
gst_clear (VgSource *source)
{
  VgGstSource *self = (VgGstSource *) source;

  g_clear_pointer (&self->first, gst_sample_unref);
  if (self->pipeline != NULL)
    gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->sink);
  gst_clear_object (&self->pipeline);
  vg_live_clear (&self->live);
}

static const VgSourceClass gst_class = {
  .next = gst_next,
  .cancel = vg_live_cancel,
  .clear = gst_clear,
  .get_status = vg_live_get_status,
};

/* --- the driver --- */

static gboolean
init (GError **error)
{
  g_autoptr (GError) local = NULL;

  if (gst_init_check (NULL, NULL, &local))
    return TRUE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "GStreamer cannot start: %s",
               local != NULL ? local->message : "no reason given");
  return FALSE;
}

static VgSource *
gst_open (const VgLiveRequest *request, GError **error)
{
  VgGstSource *self;
  g_autoptr (VgSource) source = NULL;
  GstVideoInfo video;
  VgImageInfo info;

  if (!init (error))
    return NULL;
  self = (VgGstSource *) vg_live_new (sizeof (VgGstSource), &gst_class, request->name, "GStreamer",
                                      error);
  source = (VgSource *) self;
  if (self == NULL || !build_pipeline (self, request, error) || !start_pipeline (self, error))
    return NULL;
  if (!take_info (self->first, &info, &video))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" sends no video frames; name a pipeline that delivers video",
                   request->name);
      return NULL;
    }
  source->info = info;
  return vg_source_frame_bytes (&info, request->name, error) > 0 ? g_steal_pointer (&source) : NULL;
}

static void
report_device (GstDevice *device, VgLiveFound found, gpointer data)
{
  g_autoptr (GstStructure) properties = gst_device_get_properties (device);
  g_autofree char *name = gst_device_get_display_name (device), *address = NULL;
  const char *path = properties != NULL ? gst_structure_get_string (properties, "device.path")
                                        : NULL;

  if (path == NULL && properties != NULL)
    path = gst_structure_get_string (properties, "api.v4l2.path");
  if (path == NULL)
    return;
  address = g_strdup_printf ("gst:v4l2src device=%s", path);
  found (address, name, data);
}

static gboolean
gst_list (VgLiveFound found, gpointer data, GError **error)
{
  g_autoptr (GstDeviceMonitor) monitor = NULL;
  GList *devices;

  if (!init (error))
    return FALSE;
  monitor = gst_device_monitor_new ();
  gst_device_monitor_add_filter (monitor, "Video/Source", NULL);
  if (!gst_device_monitor_start (monitor))
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                           "no plugin of GStreamer finds video devices; install "
                           "gstreamer1.0-plugins-good");
      return FALSE;
    }
  devices = gst_device_monitor_get_devices (monitor);
  for (GList *l = devices; l != NULL; l = l->next)
    report_device (l->data, found, data);
  g_list_free_full (devices, gst_object_unref);
  gst_device_monitor_stop (monitor);
  return TRUE;
}

const VgLiveDriver *vg_live_module (void);

G_MODULE_EXPORT const VgLiveDriver *
vg_live_module (void)
{
  static const VgLiveDriver driver = { VG_LIVE_ABI, "gst", gst_open, gst_list };

  return &driver;
}
