/* SPDX-License-Identifier: MIT */
/* Maps, means of regions and settings as a program receives them. */
#include <math.h>
#include <string.h>
#include "app/send/vg-sender.h"
#include "io/igtl/vg-igtl-message.h"
#include "io/igtl/vg-igtl-address.h"
#include "tests/support/app/fake-operation.h"

enum { WIDTH = 160, HEIGHT = 100, PIXELS = WIDTH * HEIGHT };

typedef struct
{
  VgWork *work;
  VgImageInfo info;
  FakeParams *params;
  VgFollowedRegions *regions;
  guint16 samples[PIXELS];
  gint64 index;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  VgRegion region;

  g_assert_true (vg_region_parse (&region, "rect:0,0,2,1", NULL));
  self->info = vg_image_info_grey (VG_U16, WIDTH, HEIGHT);
  self->params = fake_params ();
  self->params->history = 0;
  self->work = vg_work_new (&fake_stream, VG_BACKEND_CPU, 1, NULL);
  self->regions = vg_followed_regions_new (&region, 1);
  g_assert_true (vg_work_prepare (self->work, self->params, &self->info, NULL, NULL));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  vg_followed_regions_free (self->regions);
  vg_work_free (self->work);
  vg_params_free (&fake_stream.params, self->params);
}

static void
keep_frame (VgFrame *frame)
{
}

/* Computes a frame whose samples are all VALUE, and sends its map. */
static void
send_frame (Fixture *self, VgSender *sender, guint16 value, char *settings)
{
  g_autoptr (GError) error = NULL;
  VgFrame frame = { .info = &self->info,
                    .data = self->samples,
                    .index = self->index,
                    .id = (guint64) self->index,
                    .time_us = g_get_monotonic_time (),
                    .settings = settings,
                    .release = keep_frame };

  self->index++;
  for (int i = 0; i < PIXELS; i++)
    self->samples[i] = value;
  g_atomic_ref_count_init (&frame.ref_count);
  g_assert_true (vg_work_feed (self->work, &frame, &error));
  g_assert_cmpint (vg_work_step (self->work, 1, &error), ==, VG_STEP_DONE);
  g_assert_true (vg_sender_send (sender, self->work, 0, &frame, self->regions, NULL, &error));
  g_assert_no_error (error);
}

/* --- the program that receives --- */

static GSocket *
connect_to (VgSender *sender, guint16 port)
{
  VgIgtlAddress address = { .host = (char *) "127.0.0.1", .port = port };
  GSocket *socket = vg_igtl_connect (&address, NULL, NULL);
  VgSenderStatus status = { 0 };

  g_assert_nonnull (socket);
  g_socket_set_blocking (socket, TRUE);
  g_socket_set_timeout (socket, 20);
  while (status.peers == 0)
    {
      g_usleep (1000);
      vg_sender_get_status (sender, &status);
    }
  return socket;
}

static void
read_all (GSocket *socket, guint8 *to, gsize n)
{
  while (n > 0)
    {
      gssize got = g_socket_receive (socket, (char *) to, n, NULL, NULL);

      g_assert_cmpint (got, >, 0);
      to += got;
      n -= (gsize) got;
    }
}

/* The next message, which is of TYPE; its body, owned. */
static guint8 *
receive (GSocket *socket, const char *type, VgIgtlHeader *header)
{
  guint8 bytes[VG_IGTL_HEADER_BYTES], *body;

  read_all (socket, bytes, sizeof bytes);
  g_assert_true (vg_igtl_header_unpack (header, bytes));
  g_assert_cmpstr (header->type, ==, type);
  body = g_malloc0 (header->body_bytes + 1);
  read_all (socket, body, header->body_bytes);
  g_assert_cmphex (vg_igtl_crc (0, body, header->body_bytes), ==, header->crc);
  return body;
}

/* The next map; its first sample. */
static float
receive_map (GSocket *socket, VgIgtlImage *image)
{
  VgIgtlHeader header;
  g_autofree guint8 *body = receive (socket, "IMAGE", &header);
  float first;

  g_assert_cmpstr (header.device, ==, fake_stream.outputs[0].id);
  g_assert_cmpint (ABS (header.time_ns / 1000 - g_get_real_time ()), <, 60 * G_TIME_SPAN_SECOND);
  g_assert_true (vg_igtl_image_unpack (image, body));
  g_assert_cmpint (image->type, ==, VG_IGTL_FLOAT32);
  g_assert_cmpint (image->size[0], ==, WIDTH);
  g_assert_cmpint (image->size[1], ==, HEIGHT);
  g_assert_cmpint (header.body_bytes, ==, VG_IGTL_IMAGE_BYTES + PIXELS * sizeof (float));
  memcpy (&first, body + VG_IGTL_IMAGE_BYTES, sizeof first);
  return first;
}

static double
receive_mean (GSocket *socket)
{
  VgIgtlHeader header;
  g_autofree guint8 *body = receive (socket, "SENSOR", &header);
  guint64 bits;
  double mean;

  g_assert_cmpint (body[0], ==, 1);
  memcpy (&bits, body + 10, sizeof bits);
  bits = GUINT64_FROM_BE (bits);
  memcpy (&mean, &bits, sizeof mean);
  return mean;
}

static VgSender *
listen (guint16 *port)
{
  VgSender *sender = NULL;

  /* a port that no other test has */
  for (*port = (guint16) (20000 + g_random_int_range (0, 20000)); sender == NULL; ++*port)
    {
      g_autofree char *address = g_strdup_printf ("igtl-listen://%d", *port);

      sender = vg_sender_new (address, TRUE, NULL);
    }
  --*port;
  return sender;
}

static void
test_messages (Fixture *self, gconstpointer data)
{
  guint16 port;
  g_autoptr (VgSender) sender = listen (&port);
  g_autoptr (GSocket) socket = connect_to (sender, port), second = NULL;
  char *settings = g_ref_string_new ("Transform=0.5,0,0,1,0,2,0,3,0,0,1,4");
  VgIgtlHeader header;
  VgIgtlImage image;
  VgSenderStatus status;

  send_frame (self, sender, 7, NULL);
  {
    g_autofree guint8 *body = receive (socket, "STRING", &header);

    g_assert_cmpstr (header.device, ==, "Settings");
    g_assert_nonnull (strstr ((const char *) body + 4, "\"gain\""));
    g_assert_nonnull (strstr ((const char *) body + 4, "Region 1"));
  }
  g_assert_cmpfloat (receive_map (socket, &image), ==, 7);
  g_assert_cmpfloat (image.matrix[0][0], ==, 1);
  g_assert_cmpfloat (receive_mean (socket), ==, 7);
  /* the settings are the same: none are sent; the transform of the frame is the map's */
  send_frame (self, sender, 8, settings);
  g_assert_cmpfloat (receive_map (socket, &image), ==, 8);
  g_assert_cmpfloat (image.matrix[0][0], ==, 0.5);
  g_assert_cmpfloat (image.matrix[2][3], ==, 4);
  g_assert_cmpfloat (receive_mean (socket), ==, 8);
  /* a program that connects later gets the settings and the newest map */
  second = connect_to (sender, port);
  g_free (receive (second, "STRING", &header));
  g_assert_cmpfloat (receive_map (second, &image), ==, 8);
  g_assert_cmpfloat (receive_mean (second), ==, 8);
  self->params->gain = 2;
  g_assert_cmpint (vg_work_set_params (self->work, self->params, NULL), !=, VG_WORK_REFUSED);
  send_frame (self, sender, 9, settings);
  for (int i = 0; i < 2; i++)
    {
      GSocket *each = i == 0 ? socket : second;

      g_free (receive (each, "STRING", &header));
      g_assert_cmpfloat (receive_map (each, &image), ==, 18);
      g_assert_cmpfloat (receive_mean (each), ==, 18);
    }
  g_assert_true (vg_sender_flush (sender, G_TIME_SPAN_MINUTE, NULL));
  vg_sender_get_status (sender, &status);
  g_assert_cmpint (status.peers, ==, 2);
  g_assert_cmpint (status.sent, ==, 5);
  g_assert_cmpint (status.superseded, ==, 0);
  g_ref_string_release (settings);
}

/* A program that does not read does not hold up the one that does, and misses maps, which are
 * counted. */
static void
test_slow (Fixture *self, gconstpointer data)
{
  enum { MAPS = 300 };
  guint16 port;
  g_autoptr (VgSender) sender = listen (&port);
  g_autoptr (GSocket) slow = connect_to (sender, port), socket = connect_to (sender, port);
  VgIgtlHeader header;
  VgIgtlImage image;
  VgSenderStatus status;

  do
    vg_sender_get_status (sender, &status);
  while (status.peers < 2);
  g_socket_set_option (slow, 1 /* SOL_SOCKET */, 8 /* SO_RCVBUF */, 4096, NULL);
  for (int i = 0; i < MAPS; i++)
    {
      send_frame (self, sender, (guint16) i, NULL);
      if (i == 0)
        g_free (receive (socket, "STRING", &header));
      g_assert_cmpfloat (receive_map (socket, &image), ==, (float) i);
      g_assert_cmpfloat (receive_mean (socket), ==, i);
    }
  g_socket_close (socket, NULL);
  do
    vg_sender_get_status (sender, &status);
  while (status.peers > 1);
  g_assert_cmpint (status.sent, <, 2 * MAPS);
  g_assert_cmpint (status.sent, >=, MAPS);
}

/* One that does not read is waited for once, and not at all when the run is cancelled. */
static void
test_given_up (Fixture *self, gconstpointer data)
{
  enum { MAPS = 400 };
  guint16 port;
  g_autoptr (VgSender) sender = listen (&port);
  g_autoptr (GSocket) slow = connect_to (sender, port);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gint64 begun;
  int late = 0;

  g_socket_set_option (slow, 1 /* SOL_SOCKET */, 8 /* SO_RCVBUF */, 4096, NULL);
  g_cancellable_cancel (cancellable);
  for (int i = 0; i < MAPS; i++)
    {
      send_frame (self, sender, (guint16) i, NULL);
      begun = g_get_monotonic_time ();
      g_assert_true (vg_sender_flush (sender, G_TIME_SPAN_MINUTE, cancellable));
      g_assert_cmpint (g_get_monotonic_time () - begun, <, 10 * G_TIME_SPAN_SECOND);
      late += !vg_sender_flush (sender, G_TIME_SPAN_SECOND, NULL);
      g_assert_cmpint (late, <=, 1);
    }
  g_assert_cmpint (late, ==, 1);
}

static void
test_addresses (Fixture *self, gconstpointer data)
{
  static const char *const wrong[] = { "",
                                       "igtl:",
                                       "shm:x",
                                       "igtl-listen://nowhere.invalid:1",
                                       "igtl-listen://8.8.8.8:1",
                                       "igtl-listen://0.0.0.0:9/Probe" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_sender_new (wrong[i], TRUE, &error));
      g_assert_nonnull (error);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/sender/messages", Fixture, NULL, set_up, test_messages, tear_down);
  g_test_add ("/sender/slow", Fixture, NULL, set_up, test_slow, tear_down);
  g_test_add ("/sender/given-up", Fixture, NULL, set_up, test_given_up, tear_down);
  g_test_add ("/sender/addresses", Fixture, NULL, set_up, test_addresses, tear_down);
  return g_test_run ();
}
