/* SPDX-License-Identifier: MIT */
/* The module that encodes movies with GStreamer. */
#include "io/movie/vg-movie-module.h"
#include "kernels/base/vg-error.h"
#include <gmodule.h>
#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <string.h>

enum {
  QUEUED = 4,     /* frames that wait for the encoder */
  POLL_MS = 5,    /* between two looks at the queue */
  FINISH_S = 600, /* until the encoder has written its last frames */
  PARTS = 1000    /* of a second, in which frame rates are counted */
};

/* A way to encode FORMAT: all of its elements must be there. */
typedef struct
{
  VgMovieFormat format;
  const char *elements[4];           /* NULL-terminated */
  const char *pipeline;              /* between the colour conversion and the file */
  const char *package;               /* of Debian, that has them */
  const char *property;              /* of the element "encoder" that sets the quality */
  int quality[VG_MOVIE_N_QUALITIES]; /* its value; for "bitrate" millibits per pixel */
} Encoder;

/* The first that is installed is used.  VP8 has no note of its colours, so players take those of
 * BT.601; JPEG has the whole range of its samples. */
static const Encoder encoders[] = {
  { VG_MOVIE_WEBM,
    { "vp8enc", "webmmux" },
    "video/x-raw,format=I420,colorimetry=bt601 ! vp8enc name=encoder deadline=1 cpu-used=4 "
    "threads=1 end-usage=cq keyframe-max-dist=50 ! webmmux",
    "gstreamer1.0-plugins-good",
    "cq-level",
    { [VG_MOVIE_HIGH] = 20, [VG_MOVIE_MEDIUM] = 48, [VG_MOVIE_SMALL] = 56 } },
  { VG_MOVIE_MP4,
    { "x264enc", "mp4mux" },
    "video/x-raw,format=I420 ! x264enc name=encoder pass=qual speed-preset=veryfast ! "
    "video/x-h264,profile=high ! mp4mux",
    "gstreamer1.0-plugins-ugly",
    "quantizer",
    { [VG_MOVIE_HIGH] = 18, [VG_MOVIE_MEDIUM] = 25, [VG_MOVIE_SMALL] = 32 } },
  { VG_MOVIE_MP4,
    { "openh264enc", "h264parse", "mp4mux" },
    "video/x-raw,format=I420 ! openh264enc name=encoder rate-control=bitrate ! h264parse ! mp4mux",
    "gstreamer1.0-plugins-bad",
    "bitrate",
    { [VG_MOVIE_HIGH] = 400, [VG_MOVIE_MEDIUM] = 200, [VG_MOVIE_SMALL] = 100 } },
  { VG_MOVIE_MP4,
    { "nvh264enc", "h264parse", "mp4mux" },
    "video/x-raw,format=NV12 ! nvh264enc name=encoder rc-mode=constqp ! h264parse ! "
    "mp4mux",
    "gstreamer1.0-plugins-bad",
    "qp-const",
    { [VG_MOVIE_HIGH] = 18, [VG_MOVIE_MEDIUM] = 25, [VG_MOVIE_SMALL] = 32 } },
  { VG_MOVIE_AVI,
    { "jpegenc", "avimux" },
    "video/x-raw,format=I420,colorimetry=1:4:0:0 ! jpegenc name=encoder ! avimux",
    "gstreamer1.0-plugins-good",
    "quality",
    { [VG_MOVIE_HIGH] = 95, [VG_MOVIE_MEDIUM] = 88, [VG_MOVIE_SMALL] = 75 } },
};

typedef struct
{
  GstElement *pipeline;
  GstAppSrc *source;
  GstBus *bus;
  char *name;
  gsize frame_bytes;
  int rate[2]; /* frames per second, as a fraction */
  guint64 n;   /* frames added */
} Movie;

static gboolean
init (GError **error)
{
  g_autoptr (GError) local = NULL;

  if (gst_init_check (NULL, NULL, &local))
    return TRUE;
  g_set_error (error, VG_USAGE_ERROR, 0,
               "GStreamer cannot start: %s; install the Debian package gstreamer1.0-plugins-base",
               local != NULL ? local->message : "it gives no reason");
  return FALSE;
}

static gboolean
is_installed (const char *name)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  if (factory != NULL)
    gst_object_unref (factory);
  return factory != NULL;
}

/* The first of ELEMENTS, NULL-terminated, that is missing; NULL: none. */
static const char *
find_missing (const char *const *elements)
{
  for (guint i = 0; elements[i] != NULL; i++)
    if (!is_installed (elements[i]))
      return elements[i];
  return NULL;
}

static const Encoder *
find_encoder (VgMovieFormat format, GError **error)
{
  static const char *const always[] = { "appsrc", "videoconvert", "filesink", NULL };
  const char *missing = find_missing (always), *package = "gstreamer1.0-plugins-base";

  for (guint i = 0; i < G_N_ELEMENTS (encoders) && find_missing (always) == NULL; i++)
    {
      const char *lacks = find_missing (encoders[i].elements);

      if (encoders[i].format == format && lacks == NULL)
        return &encoders[i];
      if (encoders[i].format == format && missing == NULL)
        {
          missing = lacks;
          package = encoders[i].package;
        }
    }
  g_set_error (error, VG_USAGE_ERROR, 0,
               "the GStreamer element %s, which this movie needs, is not installed; install the "
               "Debian package %s, or choose another format: .webm, .mp4 or .avi",
               missing, package);
  return NULL;
}

static gboolean
movie_check (VgMovieFormat format, GError **error)
{
  return init (error) && find_encoder (format, error) != NULL;
}

static void
movie_free (gpointer data)
{
  Movie *self = data;

  if (self->pipeline != NULL)
    gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->bus);
  gst_clear_object (&self->source);
  gst_clear_object (&self->pipeline);
  g_free (self->name);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Movie, movie_free)

/* MESSAGE of the pipeline as an error. */
static void
set_error (const Movie *self, GstMessage *message, GError **error)
{
  g_autoptr (GError) local = NULL;

  gst_message_parse_error (message, &local, NULL);
  if (local->domain == GST_RESOURCE_ERROR)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_WRITE,
                 "cannot write \"%s\": %s; free some space, or choose another folder", self->name,
                 local->code == GST_RESOURCE_ERROR_NO_SPACE_LEFT
                     ? "no space is left on the disk"
                     : "the disk refused a part of the file");
  else
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                 "cannot encode \"%s\": %s; choose another format: .webm, .mp4 or .avi", self->name,
                 local->message);
}

/* What the pipeline has reported within TIMEOUT, as an error; FALSE: nothing. */
static gboolean
take_error (Movie *self, GstClockTime timeout, GError **error)
{
  g_autoptr (GstMessage)
      message = gst_bus_timed_pop_filtered (self->bus, timeout, GST_MESSAGE_ERROR);

  if (message != NULL)
    set_error (self, message, error);
  return message != NULL;
}

/* The encoder has done WHAT, for no reason that it tells; returns FALSE. */
static gboolean
fail (const Movie *self, const char *what, GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
               "cannot encode \"%s\": the encoder %s; choose another format: .webm, .mp4 or .avi",
               self->name, what);
  return FALSE;
}

static GstCaps *
caps_new (const Movie *self, const VgMovieTarget *target)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING, "RGBx", "width", G_TYPE_INT,
                              target->width, "height", G_TYPE_INT, target->height, "framerate",
                              GST_TYPE_FRACTION, self->rate[0], self->rate[1], NULL);
}

/* Some encoders have no constant quality but a rate. */
static void
set_quality (Movie *self, const Encoder *encoder, const VgMovieTarget *target)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (self->pipeline), "encoder");
  const double pixels_per_s = (double) target->width * target->height * target->fps;
  int value = encoder->quality[target->quality];

  if (g_str_equal (encoder->property, "bitrate"))
    value = (int) CLAMP (1e-3 * value * pixels_per_s, 1e6, 1e9);
  if (g_str_equal (encoder->property, "cq-level")) /* which a limit of the rate would not keep */
    g_object_set (element, "target-bitrate", 1000000000, NULL);
  g_object_set (element, encoder->property, value, NULL);
  gst_object_unref (element);
}

static gboolean
build (Movie *self, const Encoder *encoder, const VgMovieTarget *target, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *text = g_strdup_printf (
      "appsrc name=source format=time max-bytes=0 ! videoconvert ! %s ! filesink name=sink",
      encoder->pipeline);
  g_autoptr (GstCaps) caps = caps_new (self, target);
  GstElement *sink;

  self->pipeline = gst_parse_launch (text, &local);
  if (local != NULL || self->pipeline == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                   "cannot encode \"%s\": %s; choose another format: .webm, .mp4 or .avi",
                   target->name, local != NULL ? local->message : "GStreamer gives no reason");
      return FALSE;
    }
  set_quality (self, encoder, target);
  self->bus = gst_element_get_bus (self->pipeline);
  self->source = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (self->pipeline), "source"));
  gst_app_src_set_caps (self->source, caps);
  sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  g_object_set (sink, "location", target->path, NULL);
  gst_object_unref (sink);
  if (gst_element_set_state (self->pipeline, GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE)
    return TRUE;
  return !take_error (self, GST_SECOND, error) && fail (self, "does not start", error);
}

static gpointer
movie_open (const VgMovieTarget *target, GError **error)
{
  const Encoder *encoder = init (error) ? find_encoder (target->format, error) : NULL;
  g_autoptr (Movie) self = NULL;

  if (encoder == NULL)
    return NULL;
  self = g_new0 (Movie, 1);
  self->name = g_strdup (target->name);
  self->frame_bytes = (gsize) target->width * (gsize) target->height * 4;
  self->rate[0] = (int) (target->fps * PARTS + 0.5);
  self->rate[1] = PARTS;
  return build (self, encoder, target, error) ? g_steal_pointer (&self) : NULL;
}

static gboolean
movie_add (gpointer data, const guint8 *rgba, GError **error)
{
  Movie *self = data;
  GstBuffer *buffer;
  guint8 *copy;
  guint64 unit = GST_SECOND * (guint64) self->rate[1];

  while (gst_app_src_get_current_level_bytes (self->source) >= QUEUED * self->frame_bytes)
    if (take_error (self, POLL_MS * GST_MSECOND, error))
      return FALSE;
  if (take_error (self, 0, error))
    return FALSE;
  copy = g_try_malloc (self->frame_bytes);
  if (copy == NULL)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                   "there is not enough memory for a frame of the movie \"%s\"; close other "
                   "programs, or choose a smaller width",
                   self->name);
      return FALSE;
    }
  memcpy (copy, rgba, self->frame_bytes);
  buffer = gst_buffer_new_wrapped (copy, self->frame_bytes);
  GST_BUFFER_PTS (buffer) = gst_util_uint64_scale (self->n, unit, (guint64) self->rate[0]);
  GST_BUFFER_DURATION (buffer) = gst_util_uint64_scale (self->n + 1, unit,
                                                        (guint64) self->rate[0]) -
                                 GST_BUFFER_PTS (buffer);
  self->n++;
  if (gst_app_src_push_buffer (self->source, buffer) == GST_FLOW_OK)
    return TRUE;
  return !take_error (self, GST_SECOND, error) && fail (self, "has stopped", error);
}

static gboolean
movie_finish (gpointer data, GError **error)
{
  Movie *self = data;
  g_autoptr (GstMessage) message = NULL;

  gst_app_src_end_of_stream (self->source);
  message = gst_bus_timed_pop_filtered (self->bus, FINISH_S * GST_SECOND,
                                        GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message == NULL)
    return fail (self, "does not end", error);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    {
      set_error (self, message, error);
      return FALSE;
    }
  /* closing the file writes what the sink holds */
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  return !take_error (self, 0, error);
}

const VgMovieModule *vg_movie_module (void);

G_MODULE_EXPORT const VgMovieModule *
vg_movie_module (void)
{
  static const VgMovieModule module = { VG_MOVIE_ABI, movie_check,  movie_open,
                                        movie_add,    movie_finish, movie_free };

  return &module;
}
