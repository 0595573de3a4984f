/* SPDX-License-Identifier: MIT */
/* Images of another program, by OpenIGTLink.  The first image gives size and type; its samples are
 * kept until they are delivered.  The samples of all others go straight to the frame. */
#include "io/live/vg-igtl-reader.h"
#include <math.h>
#include <string.h>

typedef struct
{
  VgLive live;
  VgIgtlReader reader;
  GByteArray *first; /* samples of the image that gave the size, until it is delivered; or NULL */
  void *converted;   /* room for samples that are sent in another type; or NULL */
} VgIgtlSource;

/* Steps to the next pixel along an axis, mm; 0: not known. */
static double
find_step (const VgIgtlImage *image, int axis)
{
  double sum = 0;

  for (int row = 0; row < 3; row++)
    sum += (double) image->matrix[row][axis] * (double) image->matrix[row][axis];
  return isfinite (sum) ? sqrt (sum) : 0;
}

static VgType
choose_type (VgIgtlType type)
{
  return type == VG_IGTL_UINT8    ? VG_U8
         : type == VG_IGTL_UINT16 ? VG_U16
         : type == VG_IGTL_UINT32 ? VG_U32
                                  : VG_F32;
}

static VgImageInfo
make_info (const VgIgtlImage *image)
{
  VgImageInfo info = vg_image_info_grey (choose_type (image->type), image->size[0], image->size[1]);

  info.frames = -1;
  info.channels = image->components;
  info.slices = image->size[2];
  info.significant_bits = 8 * (int) vg_type_size (info.type);
  for (int axis = 0; axis < 3; axis++)
    info.pixel_size[axis] = find_step (image, axis);
  if (info.pixel_size[0] > 0 && info.pixel_size[1] > 0)
    g_strlcpy (info.pixel_unit, "mm", sizeof info.pixel_unit);
  return info;
}

/* Signed samples, and those of 64 bits, become floats. */
static void
convert (const VgIgtlImage *image, const void *from, float *to, gsize n)
{
  for (gsize i = 0; i < n; i++)
    switch (image->type)
      {
      case VG_IGTL_INT8:
        to[i] = ((const gint8 *) from)[i];
        break;
      case VG_IGTL_INT16:
        to[i] = ((const gint16 *) from)[i];
        break;
      case VG_IGTL_INT32:
        to[i] = (float) ((const gint32 *) from)[i];
        break;
      default:
        to[i] = (float) ((const double *) from)[i];
        break;
      }
}

static gboolean
is_converted (const VgIgtlImage *image)
{
  return choose_type (image->type) == VG_F32 && image->type != VG_IGTL_FLOAT32;
}

/* Keeps the transform of the image as a setting of the source, which recordings have and which
 * maps are sent with. */
static void
note_transform (VgIgtlSource *self)
{
  VgSource *source = &self->live.parent;
  g_autoptr (GString) text = g_string_new ("Transform=");

  for (int i = 0; i < 12; i++)
    {
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (text, "%s%s", i > 0 ? "," : "",
                              g_ascii_formatd (number, sizeof number, "%.9g",
                                               (double) self->reader.image.matrix[i / 4][i % 4]));
    }
  if (g_strcmp0 (source->settings, text->str) == 0)
    return;
  g_clear_pointer (&source->settings, g_ref_string_release);
  source->settings = g_ref_string_new (text->str);
}

/* Sets FRAME from SAMPLES, which may be the same memory. */
static void
store (VgIgtlSource *self, void *samples, void *frame)
{
  const gsize bytes = (gsize) vg_igtl_image_sample_bytes (&self->reader.image),
              size = vg_igtl_type_size (self->reader.image.type);

  if (self->reader.image.big_endian != (G_BYTE_ORDER == G_BIG_ENDIAN) && size > 1)
    vg_swap_samples (samples, bytes / size, size);
  if (is_converted (&self->reader.image))
    convert (&self->reader.image, samples, frame, bytes / size);
  else if (samples != frame)
    memcpy (frame, samples, bytes);
}

/* Reads the samples of the image that was found to FRAME; *SOUND: they are right. */
static VgIgtlResult
read_samples (VgIgtlSource *self, void *frame, gboolean *sound)
{
  const gsize bytes = (gsize) vg_igtl_image_sample_bytes (&self->reader.image);
  void *samples = frame;
  VgIgtlResult result;

  if (is_converted (&self->reader.image))
    samples = self->converted = g_realloc (self->converted, bytes);
  result = vg_igtl_reader_read (&self->reader, samples, bytes);
  if (result == VG_IGTL_DONE)
    result = vg_igtl_reader_end (&self->reader, sound);
  if (result == VG_IGTL_DONE && *sound)
    store (self, samples, frame);
  return result;
}

static gboolean
refuse_frame (VgIgtlSource *self, const char *why, guint64 *id, GError **error)
{
  *id = vg_live_count (&self->live, VG_LIVE_NO_NUMBER, 0, TRUE);
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME, "an image of \"%s\" %s",
               self->live.parent.name, why);
  return FALSE;
}

/* Reads the next image to FRAME. */
static gboolean
take_image (VgIgtlSource *self, void *frame, guint64 *id, GError **error)
{
  VgImageInfo info;
  gboolean sound = FALSE;
  VgIgtlResult result;

  if (!vg_igtl_reader_find (&self->reader))
    return FALSE;
  info = make_info (&self->reader.image);
  if (!vg_live_check_same (&self->live, &info, error))
    return FALSE;
  result = read_samples (self, frame, &sound);
  if (result == VG_IGTL_BROKEN)
    {
      vg_igtl_reader_reject (&self->reader);
      return refuse_frame (self, "is incomplete, as the connection broke off", id, error);
    }
  return result == VG_IGTL_DONE &&
         (sound || refuse_frame (self, "was damaged on its way: its checksum is wrong", id, error));
}

static gboolean
igtl_next (VgSource *source, void *frame, guint64 *id, double *time_s, GError **error)
{
  VgIgtlSource *self = (VgIgtlSource *) source;

  if (self->first != NULL)
    store (self, self->first->data, frame);
  else if (!take_image (self, frame, id, error))
    return FALSE;
  g_clear_pointer (&self->first, g_byte_array_unref);
  note_transform (self);
  source->device_ns = self->reader.message.header.time_ns;
  *id = vg_live_count (&self->live, VG_LIVE_NO_NUMBER, 0, FALSE);
  *time_s = vg_live_time (&self->live, source->device_ns);
  vg_live_report_connected (&self->live);
  return TRUE;
}

static void
igtl_cancel (VgSource *source)
{
  g_cancellable_cancel (((VgIgtlSource *) source)->reader.cancellable);
  vg_live_cancel (source);
}

static void
igtl_clear (VgSource *source)
{
  VgIgtlSource *self = (VgIgtlSource *) source;

  if (self->reader.live != NULL)
    vg_igtl_reader_clear (&self->reader);
  g_free (self->converted);
  g_clear_pointer (&self->first, g_byte_array_unref);
  vg_live_clear (&self->live);
}

static const VgSourceClass igtl_class = {
  .next = igtl_next,
  .cancel = igtl_cancel,
  .clear = igtl_clear,
  .get_status = vg_live_get_status,
};

/* --- the driver --- */

/* Reads the samples of the image that was found into memory that grows as they come. */
static VgIgtlResult
keep_samples (VgIgtlSource *self, gboolean *sound)
{
  guint64 left = vg_igtl_image_sample_bytes (&self->reader.image);
  VgIgtlResult result = VG_IGTL_DONE;

  g_byte_array_set_size (self->first, 0);
  while (left > 0 && result == VG_IGTL_DONE)
    {
      const guint part = (guint) MIN (left, 1 << 20), before = self->first->len;

      if (before > G_MAXUINT - part)
        return VG_IGTL_BROKEN;
      g_byte_array_set_size (self->first, before + part);
      result = vg_igtl_reader_read (&self->reader, self->first->data + before, part);
      left -= part;
    }
  return result == VG_IGTL_DONE ? vg_igtl_reader_end (&self->reader, sound) : result;
}

/* Waits for the first sound image, which gives the size.  FALSE: cancelled. */
static gboolean
take_first (VgIgtlSource *self)
{
  self->first = g_byte_array_new ();
  while (vg_igtl_reader_find (&self->reader))
    {
      gboolean sound = FALSE;
      VgIgtlResult result = keep_samples (self, &sound);

      if (result == VG_IGTL_CANCELLED || sound)
        return sound;
      if (result == VG_IGTL_BROKEN)
        vg_igtl_reader_reject (&self->reader);
      vg_live_count (&self->live, VG_LIVE_NO_NUMBER, 0, TRUE);
    }
  return FALSE;
}

static VgSource *
open_address (const VgLiveRequest *request, gboolean listens, GError **error)
{
  VgIgtlSource *self;
  g_autoptr (VgSource) source = NULL;
  VgIgtlAddress address;

  if (!vg_igtl_address_parse (&address, request->address, listens, request->name, error))
    return NULL;
  self = (VgIgtlSource *) vg_live_new (sizeof (VgIgtlSource), &igtl_class, request->name,
                                       "OpenIGTLink", error);
  source = (VgSource *) self;
  if (self == NULL)
    {
      vg_igtl_address_clear (&address);
      return NULL;
    }
  if (!vg_igtl_reader_init (&self->reader, &self->live, &address, error))
    return NULL;
  if (!take_first (self))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "\"%s\" was not opened: no image came",
                   request->name);
      return NULL;
    }
  vg_igtl_reader_opened (&self->reader);
  source->info = make_info (&self->reader.image);
  source->details = g_strdup_printf ("images of the device \"%s\"", self->reader.device);
  if (source->info.channels != 1 && source->info.channels != 3)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "\"%s\" sends %d samples per pixel; send 1 or 3", request->name,
                   source->info.channels);
      return NULL;
    }
  return vg_source_frame_bytes (&source->info, request->name, error) > 0 ? g_steal_pointer (&source)
                                                                         : NULL;
}

static VgSource *
connect_source (const VgLiveRequest *request, GError **error)
{
  return open_address (request, FALSE, error);
}

static VgSource *
listen_source (const VgLiveRequest *request, GError **error)
{
  return open_address (request, TRUE, error);
}

const VgLiveDriver vg_igtl_driver = { VG_LIVE_ABI, "igtl", connect_source, NULL };
const VgLiveDriver vg_igtl_listen_driver = { VG_LIVE_ABI, "igtl-listen", listen_source, NULL };
