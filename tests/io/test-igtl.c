/* SPDX-License-Identifier: MIT */
/* Images by OpenIGTLink, from peers that are right, wrong, broken off or hostile. */
#include <math.h>
#include <string.h>
#include "io/igtl/vg-igtl-address.h"
#include "io/igtl/vg-igtl-message.h"
#include "io/live/vg-live.h"
#include "tests/support/io/igtl-fixture.h"

enum { WIDTH = 6, HEIGHT = 4, PIXELS = WIDTH * HEIGHT };

#define STAMP_NS (G_GINT64_CONSTANT (1700000000250000000))

/* --- what a peer sends --- */

static GBytes *
make_image (VgIgtlType type, gboolean big_endian, const void *samples, gsize bytes)
{
  VgIgtlImage image = { .components = 1,
                        .type = type,
                        .big_endian = big_endian,
                        .size = { WIDTH, HEIGHT, 1 },
                        .matrix = { { 0.5f, 0, 0, 10 }, { 0, 0.25f, 0, 20 }, { 0, 0, 1, 30 } } };
  gsize size = VG_IGTL_HEADER_BYTES + VG_IGTL_IMAGE_BYTES + bytes;
  guint8 *message = g_malloc (size);

  vg_igtl_image_pack (&image, message + VG_IGTL_HEADER_BYTES);
  memcpy (message + VG_IGTL_HEADER_BYTES + VG_IGTL_IMAGE_BYTES, samples, bytes);
  vg_igtl_finish (message, "IMAGE", "Camera", STAMP_NS, VG_IGTL_IMAGE_BYTES + bytes);
  return g_bytes_new_take (message, size);
}

/* All samples are VALUE. */
static GBytes *
make_u16 (guint16 value)
{
  guint16 samples[PIXELS];

  for (int i = 0; i < PIXELS; i++)
    samples[i] = GUINT16_TO_LE (value);
  return make_image (VG_IGTL_UINT16, FALSE, samples, sizeof samples);
}

static GBytes *
change_byte (GBytes *bytes, gssize at)
{
  gsize size;
  guint8 *copy = g_bytes_unref_to_data (bytes, &size);

  copy[at < 0 ? (gssize) size + at : at] ^= 0x10;
  return g_bytes_new_take (copy, size);
}

static GBytes *
cut (GBytes *bytes, gsize size)
{
  GBytes *part = g_bytes_new_from_bytes (bytes, 0, size);

  g_bytes_unref (bytes);
  return part;
}

/* A header alone that claims BODY_BYTES. */
static GBytes *
make_header (const char *type, guint64 body_bytes)
{
  VgIgtlHeader header = { .version = 1, .device = "Camera", .body_bytes = body_bytes };
  guint8 *bytes = g_malloc (VG_IGTL_HEADER_BYTES);

  g_strlcpy (header.type, type, sizeof header.type);
  vg_igtl_header_pack (&header, bytes);
  return g_bytes_new_take (bytes, VG_IGTL_HEADER_BYTES);
}

/* --- what is read --- */

static void
take (VgSource *source, guint16 value)
{
  g_autoptr (GError) error = NULL;
  guint16 frame[PIXELS];
  double time_s;
  guint64 id;

  g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
  for (int i = 0; i < PIXELS; i++)
    g_assert_cmpint (frame[i], ==, value);
}

static void
take_bad (VgSource *source)
{
  g_autoptr (GError) error = NULL;
  guint16 frame[PIXELS];
  double time_s;
  guint64 id;

  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
}

static void
check_counts (VgSource *source, guint64 received, guint64 bad)
{
  VgLiveStatus status;

  vg_source_get_status (source, &status);
  g_assert_cmpint (status.received, ==, received);
  g_assert_cmpint (status.bad, ==, bad);
  g_assert_cmpint (status.lost, ==, 0);
}

/* Other messages lie between the images. */
static void
test_images (gconstpointer listens)
{
  g_autoptr (GByteArray) others = g_byte_array_new ();
  g_autoptr (VgSource) source = NULL;
  double value = 1;
  IgtlPeer peer;

  igtl_peer_init (&peer, GPOINTER_TO_INT (listens));
  vg_igtl_append_string (others, "Text", STAMP_NS, "not an image");
  vg_igtl_append_values (others, "Sensor", STAMP_NS, &value, 1);
  igtl_peer_add (&peer, g_bytes_new (others->data, others->len));
  igtl_peer_add (&peer, make_u16 (7));
  igtl_peer_add (&peer, g_bytes_new (others->data, others->len));
  igtl_peer_add (&peer, make_u16 (8));
  source = igtl_peer_open (&peer, "");
  g_assert_cmpint (source->info.type, ==, VG_U16);
  g_assert_cmpint (source->info.width, ==, WIDTH);
  g_assert_cmpint (source->info.height, ==, HEIGHT);
  g_assert_cmpfloat_with_epsilon (source->info.pixel_size[1], 0.25, 1e-6);
  g_assert_cmpstr (source->info.pixel_unit, ==, "mm");
  take (source, 7);
  g_assert_cmpstr (source->settings, ==, "Transform=0.5,0,0,10,0,0.25,0,20,0,0,1,30");
  g_assert_cmpint (ABS (source->device_ns - STAMP_NS), <=, 1);
  take (source, 8);
  check_counts (source, 2, 0);
  igtl_peer_clear (&peer);
}

/* Samples of every type and byte order become what the program computes with. */
static void
test_types (void)
{
  for (int type = VG_IGTL_INT8; type <= VG_IGTL_FLOAT64; type++)
    for (int big = 0; big < 2; big++)
      {
        const gsize size = vg_igtl_type_size ((VgIgtlType) type);
        g_autoptr (VgSource) source = NULL;
        guint8 samples[PIXELS * 8];
        g_autofree guint8 *frame = NULL;
        double got, time_s;
        guint64 id;
        IgtlPeer peer;

        if (size == 0)
          continue;
        for (int i = 0; i < PIXELS; i++)
          {
            union
            {
              gint64 whole;
              float single;
              double twice;
            } bits = { .whole = 65 };

            if (type == VG_IGTL_FLOAT32)
              bits.single = 65;
            else if (type == VG_IGTL_FLOAT64)
              bits.twice = 65;
            for (gsize k = 0; k < size; k++)
              samples[(gsize) i * size + (big ? size - 1 - k : k)] = ((
                  const guint8 *) &bits)[G_BYTE_ORDER == G_LITTLE_ENDIAN ? k : size - 1 - k];
          }
        igtl_peer_init (&peer, TRUE);
        igtl_peer_add (&peer, make_image ((VgIgtlType) type, big, samples, PIXELS * size));
        igtl_peer_add (&peer, make_image ((VgIgtlType) type, big, samples, PIXELS * size));
        source = igtl_peer_open (&peer, "");
        frame = g_malloc (vg_image_info_frame_bytes (&source->info));
        for (int n = 0; n < 2; n++)
          {
            VgImage image = { .info = source->info, .data = frame };

            g_assert_true (vg_source_next (source, frame, &id, &time_s, NULL));
            got = vg_image_sample (&image, PIXELS - 1);
            g_assert_cmpfloat (got, ==, 65);
          }
        igtl_peer_clear (&peer);
      }
}

/* The extended header and the metadata of later versions stand around the content. */
static void
test_extended (void)
{
  g_autoptr (GBytes) plain = make_u16 (9);
  gsize size;
  const guint8 *old = g_bytes_get_data (plain, &size);
  const gsize content = size - VG_IGTL_HEADER_BYTES, more = 5;
  guint8 *message = g_malloc0 (size + VG_IGTL_EXTENDED_BYTES + more),
         *body = message + VG_IGTL_HEADER_BYTES;
  g_autoptr (VgSource) source = NULL;
  VgIgtlHeader header;
  IgtlPeer peer;

  body[1] = VG_IGTL_EXTENDED_BYTES;
  body[3] = 2; /* bytes of the metadata's header */
  body[7] = 3; /* and of the metadata */
  memcpy (body + VG_IGTL_EXTENDED_BYTES, old + VG_IGTL_HEADER_BYTES, content);
  memset (body + VG_IGTL_EXTENDED_BYTES + content, 'm', more);
  vg_igtl_finish (message, "IMAGE", "Camera", STAMP_NS, VG_IGTL_EXTENDED_BYTES + content + more);
  g_assert_true (vg_igtl_header_unpack (&header, message));
  header.version = 2;
  vg_igtl_header_pack (&header, message);
  igtl_peer_init (&peer, TRUE);
  igtl_peer_add (&peer, g_bytes_new (message, size + VG_IGTL_EXTENDED_BYTES + more));
  igtl_peer_add (&peer, g_bytes_new_take (message, size + VG_IGTL_EXTENDED_BYTES + more));
  source = igtl_peer_open (&peer, "");
  take (source, 9);
  take (source, 9);
  igtl_peer_clear (&peer);
}

/* A wrong checksum is a bad frame, also of the first image; nothing else is lost. */
static void
test_damaged (void)
{
  g_autoptr (VgSource) source = NULL;
  IgtlPeer peer;

  igtl_peer_init (&peer, TRUE);
  igtl_peer_add (&peer, change_byte (make_u16 (1), -1));
  igtl_peer_add (&peer, make_u16 (2));
  igtl_peer_add (&peer, change_byte (make_u16 (3), -2));
  igtl_peer_add (&peer, change_byte (make_u16 (4), VG_IGTL_HEADER_BYTES - 1));
  igtl_peer_add (&peer, make_u16 (5));
  source = igtl_peer_open (&peer, "");
  take (source, 2);
  take_bad (source);
  take_bad (source);
  take (source, 5);
  check_counts (source, 2, 3);
  igtl_peer_clear (&peer);
}

/* Whatever comes instead of an image, the next connection delivers. */
static void
test_hostile (gconstpointer listens)
{
  static const guint64 claims[] = { G_GUINT64_CONSTANT (1) << 63, G_MAXUINT64,
                                    G_GUINT64_CONSTANT (1) << 40, 3, 0 };
  g_autoptr (VgSource) source = NULL;
  guint8 noise[200];
  VgLiveStatus status;
  IgtlPeer peer;

  for (gsize i = 0; i < sizeof noise; i++)
    noise[i] = (guint8) (i * 151 + 13);
  igtl_peer_init (&peer, GPOINTER_TO_INT (listens));
  igtl_peer_add (&peer, make_u16 (1));
  for (guint i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      igtl_peer_add (&peer, make_header ("IMAGE", claims[i]));
      igtl_peer_add (&peer, NULL);
    }
  igtl_peer_add (&peer, g_bytes_new (noise, sizeof noise));
  igtl_peer_add (&peer, NULL);
  igtl_peer_add (&peer, cut (make_u16 (2), 30)); /* within the header */
  igtl_peer_add (&peer, NULL);
  igtl_peer_add (&peer, cut (make_u16 (3), VG_IGTL_HEADER_BYTES + VG_IGTL_IMAGE_BYTES + 9));
  igtl_peer_add (&peer, NULL);
  igtl_peer_add (&peer, make_u16 (4));
  source = igtl_peer_open (&peer, "");
  take (source, 1);
  take_bad (source); /* the one that broke off within the samples */
  take (source, 4);
  check_counts (source, 2, 1);
  vg_source_get_status (source, &status);
  g_assert_cmpint (status.state, ==, VG_LIVE_CONNECTED);
  igtl_peer_clear (&peer);
}

/* A size other than the first ends the stream. */
static void
test_other_size (void)
{
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  float samples[PIXELS] = { 0 };
  guint16 frame[PIXELS];
  double time_s;
  guint64 id;
  IgtlPeer peer;

  igtl_peer_init (&peer, TRUE);
  igtl_peer_add (&peer, make_u16 (1));
  igtl_peer_add (&peer, make_image (VG_IGTL_FLOAT32, FALSE, samples, sizeof samples));
  source = igtl_peer_open (&peer, "");
  take (source, 1);
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
  igtl_peer_clear (&peer);
}

static void
test_device (void)
{
  g_autoptr (VgSource) source = NULL;
  guint8 samples[PIXELS] = { 0 };
  GBytes *other = make_image (VG_IGTL_UINT8, FALSE, samples, sizeof samples);
  gsize size;
  guint8 *message = g_bytes_unref_to_data (other, &size);
  IgtlPeer peer;

  vg_igtl_finish (message, "IMAGE", "Other", STAMP_NS, size - VG_IGTL_HEADER_BYTES);
  igtl_peer_init (&peer, TRUE);
  igtl_peer_add (&peer, g_bytes_new (message, size));
  igtl_peer_add (&peer, make_u16 (3));
  igtl_peer_add (&peer, g_bytes_new_take (message, size));
  igtl_peer_add (&peer, make_u16 (4));
  source = igtl_peer_open (&peer, "/Camera");
  take (source, 3);
  take (source, 4);
  check_counts (source, 2, 0);
  igtl_peer_clear (&peer);
}

/* A peer that connects and sends nothing does not keep others out. */
static void
test_idle_peer (void)
{
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GSocket) idle = NULL;
  VgIgtlAddress address = { .host = (char *) "127.0.0.1" };
  IgtlPeer peer;

  igtl_peer_init (&peer, FALSE);
  address.port = peer.port;
  igtl_peer_add (&peer, make_u16 (1));
  source = igtl_peer_open (&peer, "");
  take (source, 1);
  g_thread_join (g_steal_pointer (&peer.thread));
  idle = vg_igtl_connect (&address, NULL, NULL);
  g_assert_nonnull (idle);
  /* refused while the idle one may still send, so it tries again */
  peer.again = TRUE;
  igtl_peer_add (&peer, make_u16 (2));
  peer.thread = g_thread_new ("peer", igtl_peer_run, &peer);
  take (source, 1);
  take (source, 2);
  g_atomic_int_set (&peer.again, FALSE);
  igtl_peer_clear (&peer);
}

/* An opening without a peer ends when it is cancelled. */
static gpointer
cancel_soon (gpointer cancellable)
{
  g_usleep (100000);
  g_cancellable_cancel (cancellable);
  return NULL;
}

static void
test_cancel (gconstpointer scheme)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_autofree char *address = g_strdup_printf ("%s%d", (const char *) scheme, igtl_find_port ());
  g_autoptr (GError) error = NULL;

  g_cancellable_push_current (cancellable);
  g_assert_null (vg_live_open (address, NULL, &error));
  g_cancellable_pop_current (cancellable);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
}

typedef struct
{
  GSocket *listener;
  gint end; /* atomic */
} Flood;

/* Sends messages that are no images, faster than they are read. */
static gpointer
flood (gpointer data)
{
  enum { COPIES = 50000 };
  Flood *self = data;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GSocket) socket = NULL;

  for (int i = 0; i < COPIES; i++)
    vg_igtl_append_string (bytes, "Text", STAMP_NS, "");
  while (socket == NULL && !g_atomic_int_get (&self->end))
    {
      socket = vg_igtl_accept (self->listener);
      g_usleep (1000);
    }
  if (socket != NULL)
    g_socket_set_blocking (socket, TRUE);
  for (gsize at = 0; socket != NULL && !g_atomic_int_get (&self->end);)
    {
      gssize n = g_socket_send (socket, (const char *) bytes->data + at, bytes->len - at, NULL,
                                NULL);

      if (n <= 0)
        break;
      at = (at + (gsize) n) % bytes->len;
    }
  return NULL;
}

/* Also from a peer that never pauses. */
static void
test_cancel_flood (void)
{
  VgIgtlAddress address = { .host = (char *) "127.0.0.1",
                            .port = igtl_find_port (),
                            .listens = TRUE };
  g_autoptr (GSocket) listener = vg_igtl_listen (&address, NULL);
  g_autofree char *text = g_strdup_printf ("igtl://127.0.0.1:%d", address.port);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Flood peer = { .listener = listener };
  GThread *threads[] = { g_thread_new ("peer", flood, &peer),
                         g_thread_new ("cancel", cancel_soon, cancellable) };
  g_autoptr (GError) error = NULL;

  g_cancellable_push_current (cancellable);
  g_assert_null (vg_live_open (text, NULL, &error));
  g_cancellable_pop_current (cancellable);
  g_assert_nonnull (error);
  g_atomic_int_set (&peer.end, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/igtl/images/connect", GINT_TO_POINTER (TRUE), test_images);
  g_test_add_data_func ("/igtl/images/listen", GINT_TO_POINTER (FALSE), test_images);
  g_test_add_func ("/igtl/types", test_types);
  g_test_add_func ("/igtl/extended", test_extended);
  g_test_add_func ("/igtl/damaged", test_damaged);
  g_test_add_data_func ("/igtl/hostile/connect", GINT_TO_POINTER (TRUE), test_hostile);
  g_test_add_data_func ("/igtl/hostile/listen", GINT_TO_POINTER (FALSE), test_hostile);
  g_test_add_func ("/igtl/other-size", test_other_size);
  g_test_add_func ("/igtl/device", test_device);
  g_test_add_func ("/igtl/idle-peer", test_idle_peer);
  g_test_add_data_func ("/igtl/cancel/connect", "igtl://127.0.0.1:", test_cancel);
  g_test_add_data_func ("/igtl/cancel/listen", "igtl-listen://", test_cancel);
  g_test_add_func ("/igtl/cancel/flood", test_cancel_flood);
  return g_test_run ();
}
