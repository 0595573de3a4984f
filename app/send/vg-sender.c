/* SPDX-License-Identifier: MIT */
#include "app/send/vg-sender.h"
#include <math.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "app/provenance/vg-json-parameters.h"
#include "app/send/vg-sender-peers.h"
#include "io/igtl/vg-igtl-message.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-length.h"
#include "kernels/base/vg-text.h"

enum { LOOK_MS = 200 }; /* between two looks at a lost connection */

/* A time stamp that is nearer to now is of Unix time. */
#define DAY_US (24 * G_TIME_SPAN_HOUR)

struct _VgSender
{
  gatomicrefcount ref_count;
  VgPeers peers; /* of the thread, once it runs */
  GThread *thread;
  int wake_fd;

  /* of the thread that computes */
  const VgOperation *operation;
  void *params; /* of the settings sent last; NULL: none */
  guint output, n_regions;
  float *values;
  gsize capacity;

  GMutex lock;
  GCond idle_cond;
  /* guarded by `lock` */
  VgSending next; /* that the thread has not taken; its members may be NULL */
  gboolean quit, busy, give_up;
  VgSenderStatus status;
};

/* --- the thread --- */

static void
replace (GBytes **to, GBytes **from)
{
  if (*to != NULL)
    g_bytes_unref (*to);
  *to = g_steal_pointer (from);
}

/* Moves what is new of NEXT to NOW. */
static void
take_next (VgSending *now, VgSending *next)
{
  if (next->settings != NULL)
    {
      replace (&now->settings, &next->settings);
      now->settings_serial = next->settings_serial;
    }
  if (next->map != NULL)
    {
      replace (&now->map, &next->map);
      replace (&now->values, &next->values);
      now->map_serial = next->map_serial;
    }
}

static void
clear_sending (VgSending *sending)
{
  g_clear_pointer (&sending->map, g_bytes_unref);
  g_clear_pointer (&sending->values, g_bytes_unref);
  g_clear_pointer (&sending->settings, g_bytes_unref);
}

/* The checksum is computed here, so that it costs the thread that computes nothing. */
static void
finish_map (VgSending *now)
{
  gsize size;
  guint8 *message = (guint8 *) g_bytes_get_data (now->map, &size);
  VgIgtlHeader header;

  vg_igtl_header_unpack (&header, message);
  vg_igtl_finish (message, "IMAGE", header.device, header.time_ns, size - VG_IGTL_HEADER_BYTES);
}

static void
tell (VgSender *self, gboolean left, const GError *failure)
{
  VgSenderStatus *status = &self->status;

  g_mutex_lock (&self->lock);
  status->peers = self->peers.items->len;
  status->sent = self->peers.sent;
  status->superseded = self->peers.superseded;
  if (status->peers > 0)
    status->sentence[0] = '\0';
  else if (failure != NULL)
    {
      g_autofree char *text = g_strdup_printf ("%s; waiting until it responds", failure->message);

      vg_text_copy (status->sentence, sizeof status->sentence, text);
    }
  else if (self->peers.listener != NULL)
    {
      g_autofree char *text = g_strdup_printf ("waiting for a program to connect to %s, port %d",
                                               self->peers.address.host, self->peers.address.port);

      vg_text_copy (status->sentence, sizeof status->sentence, text);
    }
  self->busy = self->next.map != NULL || self->next.settings != NULL || left;
  if (!self->busy)
    g_cond_broadcast (&self->idle_cond);
  g_mutex_unlock (&self->lock);
}

static gpointer
run (gpointer data)
{
  VgSender *self = data;
  VgSending now = { 0 };
  gboolean quit = FALSE;

  while (!quit)
    {
      g_autoptr (GError) failure = NULL;
      guint64 serial = now.map_serial;
      gboolean left, give_up;
      eventfd_t woken;

      eventfd_read (self->wake_fd, &woken);
      g_mutex_lock (&self->lock);
      take_next (&now, &self->next);
      quit = self->quit;
      give_up = self->give_up;
      self->give_up = FALSE;
      g_mutex_unlock (&self->lock);
      if (now.map_serial != serial)
        finish_map (&now);
      vg_peers_look (&self->peers, &failure);
      if (give_up)
        vg_peers_give_up (&self->peers);
      left = vg_peers_send (&self->peers, &now);
      tell (self, left, failure);
      if (!quit)
        vg_peers_wait (&self->peers, self->wake_fd, LOOK_MS);
    }
  clear_sending (&now);
  return NULL;
}

VgSender *
vg_sender_new (const char *address, gboolean at_once, GError **error)
{
  VgIgtlAddress where;
  VgSender *self;

  if (!vg_igtl_address_parse_to_send (&where, address, error))
    return NULL;
  self = g_new0 (VgSender, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  g_cond_init (&self->idle_cond);
  self->wake_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (self->wake_fd >= 0 && vg_peers_init (&self->peers, &where, at_once, error))
    {
      tell (self, FALSE, NULL);
      self->thread = g_thread_new ("sender", run, self);
      return self;
    }
  if (self->wake_fd < 0)
    g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_OPEN,
                         "too many files are open to send maps; close other programs");
  vg_sender_unref (self);
  return NULL;
}

VgSender *
vg_sender_ref (VgSender *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_sender_unref (VgSender *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->thread != NULL)
    {
      g_mutex_lock (&self->lock);
      self->quit = TRUE;
      g_mutex_unlock (&self->lock);
      g_cancellable_cancel (self->peers.cancellable);
      eventfd_write (self->wake_fd, 1);
      g_thread_join (self->thread);
    }
  if (self->peers.items != NULL)
    vg_peers_clear (&self->peers);
  clear_sending (&self->next);
  if (self->params != NULL)
    vg_params_free (&self->operation->params, self->params);
  g_free (self->values);
  if (self->wake_fd >= 0)
    close (self->wake_fd);
  g_cond_clear (&self->idle_cond);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* --- messages --- */

/* The steps and the middle of FRAME's image, if its source gave them and the map has its pixels;
 * else the size of a pixel in mm, or 1. */
static void
set_matrix (VgIgtlImage *image, const VgPlane *plane, const VgFrame *frame)
{
  const char *text = frame != NULL && frame->settings != NULL &&
                             frame->info->width == plane->width &&
                             frame->info->height == plane->height
                         ? strstr (frame->settings, "Transform=")
                         : NULL;
  g_auto (GStrv) numbers = text != NULL ? g_strsplit (strchr (text, '=') + 1, ",", 12) : NULL;
  double mm = 1;

  vg_length_convert (plane->unit, VG_LENGTH_MM, &mm);
  for (int i = 0; i < 12; i++)
    if (numbers != NULL && g_strv_length (numbers) == 12)
      image->matrix[i / 4][i % 4] = (float) g_ascii_strtod (numbers[i], NULL);
    else if (i / 4 == i % 4)
      image->matrix[i / 4][i % 4] = i / 4 < 2 && fabs (plane->pixel_size[i / 4]) > 0
                                        ? (float) (fabs (plane->pixel_size[i / 4]) * mm)
                                        : 1;
}

/* Unix time of FRAME: by the clock of its source if that runs with it, else of its arrival. */
static gint64
find_time (const VgFrame *frame)
{
  gint64 now_us = g_get_real_time ();

  if (frame == NULL)
    return now_us * 1000;
  if (ABS (frame->device_ns / 1000 - now_us) < DAY_US)
    return frame->device_ns;
  return (now_us - (g_get_monotonic_time () - frame->time_us)) * 1000;
}

/* A message with the samples of PLANE, of which finish_map sets the checksum; NULL: it is too
 * large. */
static GBytes *
make_map (const VgPlane *plane, const char *device, const VgFrame *frame, gint64 time_ns)
{
  VgIgtlImage image = { .components = 1,
                        .type = VG_IGTL_FLOAT32,
                        .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN,
                        .size = { plane->width, plane->height, MAX (plane->slices, 1) } };
  VgIgtlHeader header = { .version = 1, .type = "IMAGE", .time_ns = time_ns };
  gsize bytes = (gsize) vg_igtl_image_sample_bytes (&image);
  guint8 *message;

  for (int axis = 0; axis < 3; axis++)
    if (image.size[axis] > VG_IGTL_MOST_SIDE)
      return NULL;
  message = g_try_malloc (VG_IGTL_HEADER_BYTES + VG_IGTL_IMAGE_BYTES + bytes);
  if (message == NULL)
    return NULL;
  set_matrix (&image, plane, frame);
  g_strlcpy (header.device, device, sizeof header.device);
  vg_igtl_header_pack (&header, message);
  vg_igtl_image_pack (&image, message + VG_IGTL_HEADER_BYTES);
  memcpy (message + VG_IGTL_HEADER_BYTES + VG_IGTL_IMAGE_BYTES, plane->data, bytes);
  return g_bytes_new_take (message, VG_IGTL_HEADER_BYTES + VG_IGTL_IMAGE_BYTES + bytes);
}

static GBytes *
make_values (VgWork *work, guint i, const VgPlane *plane, VgFollowedRegions *regions,
             gint64 time_ns)
{
  guint n = regions != NULL ? MIN (vg_followed_regions_n (regions), VG_IGTL_MOST_VALUES) : 0;
  double means[VG_IGTL_MOST_VALUES];
  GByteArray *bytes;

  if (n == 0)
    return NULL;
  bytes = g_byte_array_new ();
  for (guint k = 0; k < n; k++)
    {
      VgRegionStatistics statistics = { .mean = NAN };

      if (vg_followed_regions_get (regions, k)->slice < MAX (plane->slices, 1))
        vg_work_measure_region (work, i, plane, regions, k, &statistics, NULL);
      means[k] = statistics.mean;
    }
  vg_igtl_append_values (bytes, "Regions", time_ns, means, n);
  return g_byte_array_free_to_bytes (bytes);
}

/* JSON of the map, its unit, the regions and, if they fit, the parameters. */
static char *
describe (VgWork *work, guint i, guint n_regions, const char *const *names, gboolean parameters)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const void *params = vg_work_get_params (work);
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  vg_json_add_string (builder, "operation", operation->id);
  vg_json_add_string (builder, "map", operation->outputs[i].id);
  vg_json_add_string (builder, "unit", vg_operation_output_unit (operation, i, params));
  vg_json_begin_array (builder, "regions");
  for (guint k = 0; k < n_regions; k++)
    {
      g_autofree char *number = g_strdup_printf ("Region %u", k + 1);

      vg_json_add_string (builder, NULL, names != NULL ? names[k] : number);
    }
  json_builder_end_array (builder);
  if (parameters)
    vg_json_add_parameters (builder, operation, params);
  json_builder_end_object (builder);
  return vg_json_to_text (builder, NULL);
}

/* The settings, if they have changed since they were sent last; else NULL. */
static GBytes *
make_settings (VgSender *self, VgWork *work, guint i, guint n_regions, const char *const *names,
               gint64 time_ns)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const void *params = vg_work_get_params (work);
  g_autofree char *text = NULL;
  GByteArray *bytes;

  if (self->params != NULL && self->operation == operation && self->output == i &&
      self->n_regions == n_regions && vg_params_equal (&operation->params, self->params, params))
    return NULL;
  if (self->params != NULL)
    vg_params_free (&self->operation->params, self->params);
  self->operation = operation;
  self->params = vg_params_copy (&operation->params, params);
  self->output = i;
  self->n_regions = n_regions;
  text = describe (work, i, n_regions, names, TRUE);
  if (strlen (text) > VG_IGTL_MOST_TEXT)
    {
      g_free (text);
      text = describe (work, i, n_regions, names, FALSE);
    }
  bytes = g_byte_array_new ();
  vg_igtl_append_string (bytes, "Settings", time_ns, text);
  return g_byte_array_free_to_bytes (bytes);
}

gboolean
vg_sender_send (VgSender *self, VgWork *work, guint i, const VgFrame *frame,
                VgFollowedRegions *regions, const char *const *names, GError **error)
{
  guint n_regions = regions != NULL ? vg_followed_regions_n (regions) : 0;
  g_autoptr (GError) local = NULL;
  gint64 time_ns = find_time (frame);
  VgSenderStatus status;
  VgSending made = { 0 };
  VgPlane plane;

  vg_sender_get_status (self, &status);
  if (status.peers == 0)
    return TRUE;
  if (!vg_work_read_output (work, i, &plane, &self->values, &self->capacity, &local))
    {
      gboolean nothing = local == NULL; /* there is no map yet */

      if (!nothing)
        g_propagate_error (error, g_steal_pointer (&local));
      return nothing;
    }
  made.map = make_map (&plane, vg_work_get_operation (work)->outputs[i].id, frame, time_ns);
  if (made.map == NULL)
    return TRUE;
  made.values = make_values (work, i, &plane, regions, time_ns);
  made.settings = make_settings (self, work, i, n_regions, names, time_ns);
  g_mutex_lock (&self->lock);
  made.map_serial = ++self->next.map_serial;
  made.settings_serial = self->next.settings_serial + (made.settings != NULL ? 1 : 0);
  self->next.settings_serial = made.settings_serial;
  take_next (&self->next, &made);
  self->busy = TRUE;
  g_mutex_unlock (&self->lock);
  eventfd_write (self->wake_fd, 1);
  return TRUE;
}

gboolean
vg_sender_flush (VgSender *self, gint64 most_us, GCancellable *cancellable)
{
  gint64 now_us = g_get_monotonic_time (), end_us = now_us + most_us;
  gboolean late;

  g_mutex_lock (&self->lock);
  while (self->busy && now_us < end_us && !g_cancellable_is_cancelled (cancellable))
    {
      g_cond_wait_until (&self->idle_cond, &self->lock, MIN (end_us, now_us + LOOK_MS * 1000));
      now_us = g_get_monotonic_time ();
    }
  late = self->busy && now_us >= end_us;
  self->give_up |= late;
  g_mutex_unlock (&self->lock);
  if (late)
    eventfd_write (self->wake_fd, 1);
  return !late;
}

void
vg_sender_get_status (VgSender *self, VgSenderStatus *status)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  *status = self->status;
}
