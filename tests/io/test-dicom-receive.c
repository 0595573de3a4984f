/* SPDX-License-Identifier: MIT */
/* Images that are sent over the network by peers that are right, wrong, broken off or hostile. */
#include "io/dicom/receive/vg-dicom-peer.h"
#include "io/dicom/receive/vg-dicom-receiver.h"
#include "tests/support/io/tiff-fixture.h"
#include <gio/gio.h>
#include <string.h>
#include <sys/resource.h>

#define VERIFICATION "1.2.840.10008.1.1"
#define MR "1.2.840.10008.5.1.4.1.1.4"
#define ENHANCED_CT "1.2.840.10008.5.1.4.1.1.2.1"
#define ULTRASOUND "1.2.840.10008.5.1.4.1.1.6.1"
#define IMPLICIT "1.2.840.10008.1.2"
#define EXPLICIT "1.2.840.10008.1.2.1"
#define JPEG_2000 "1.2.840.10008.1.2.4.90"

enum { STORE = 1, ECHO = 0x30, FIND = 0x20, WAIT_MS = 10000, MOST_BYTES = 10000 };

/* ---- what a peer sends ---- */

static void
add (GByteArray *to, guint64 value, int size, gboolean little)
{
  for (int i = 0; i < size; i++)
    {
      guint8 byte = (guint8) (value >> 8 * (little ? i : size - 1 - i));

      g_byte_array_append (to, &byte, 1);
    }
}

static void
add_item (GByteArray *to, guint type, const void *content, gsize length)
{
  add (to, type << 8, 2, FALSE);
  add (to, length, 2, FALSE);
  g_byte_array_append (to, content, (guint) length);
}

static void
add_message (GByteArray *to, guint type, const GByteArray *body)
{
  add (to, type << 8, 2, FALSE);
  add (to, body->len, 4, FALSE);
  g_byte_array_append (to, body->data, body->len);
}

/* A context with an object class and one or two transfer syntaxes. */
static void
add_context (GByteArray *to, guint id, const char *class, const char *syntax, const char *second)
{
  g_autoptr (GByteArray) content = g_byte_array_new ();

  add (content, id << 24, 4, FALSE);
  add_item (content, 0x30, class, strlen (class));
  add_item (content, 0x40, syntax, strlen (syntax));
  if (second != NULL)
    add_item (content, 0x40, second, strlen (second));
  add_item (to, 0x20, content->data, content->len);
}

/* 1: verification; 3: MR; 5: enhanced CT; 7: ultrasound; 9: MR in JPEG 2000. */
static GByteArray *
make_request (void)
{
  GByteArray *message = g_byte_array_new ();
  g_autoptr (GByteArray) body = g_byte_array_new ();

  add (body, 1 << 16, 4, FALSE);
  g_byte_array_append (body, (const guint8 *) "ANY-SCP         SCANNER         ", 32);
  for (int i = 0; i < 4; i++)
    add (body, 0, 8, FALSE);
  add_item (body, 0x10, "1.2.840.10008.3.1.1.1", 21);
  add_context (body, 1, VERIFICATION, IMPLICIT, NULL);
  add_context (body, 3, MR, IMPLICIT, EXPLICIT);
  add_context (body, 5, ENHANCED_CT, JPEG_2000, IMPLICIT);
  add_context (body, 7, ULTRASOUND, IMPLICIT, NULL);
  add_context (body, 9, MR, JPEG_2000, NULL);
  add_item (body, 0x50, "\x51\0\0\4\0\0\100\0", 8);
  add_message (message, 1, body);
  return message;
}

/* A part of a P-DATA-TF: CONTROL has bit 0 for a command and bit 1 for the last one. */
static void
add_part (GByteArray *to, guint context, guint control, const void *data, gsize length)
{
  g_autoptr (GByteArray) body = g_byte_array_new ();

  add (body, length + 2, 4, FALSE);
  add (body, context << 8 | control, 2, FALSE);
  g_byte_array_append (body, data, (guint) length);
  add_message (to, 4, body);
}

static void
add_number (GByteArray *set, guint element, guint value)
{
  add (set, (guint64) element << 16, 4, TRUE);
  add (set, 2, 4, TRUE);
  add (set, value, 2, TRUE);
}

static void
add_uid (GByteArray *set, guint element, const char *uid)
{
  gsize length = strlen (uid) + strlen (uid) % 2;

  add (set, (guint64) element << 16, 4, TRUE);
  add (set, length, 4, TRUE);
  g_byte_array_append (set, (const guint8 *) uid, (guint) length);
}

static void
add_command (GByteArray *to, guint context, guint field, const char *class, const char *instance)
{
  g_autoptr (GByteArray) set = g_byte_array_new ();

  add_uid (set, 0x0002, class);
  add_number (set, 0x0100, field);
  add_number (set, 0x0110, 7);
  add_number (set, 0x0800, field == STORE ? 0 : 0x101);
  if (instance != NULL)
    add_uid (set, 0x1000, instance);
  add_part (to, context, 3, set->data, set->len);
}

static void
add_image (GByteArray *to, guint context, const char *class, const char *instance,
           const char *content)
{
  gsize half = strlen (content) / 2;

  add_command (to, context, STORE, class, instance);
  add_part (to, context, 0, content, half);
  add_part (to, context, 2, content + half, strlen (content) - half);
}

/* ---- what it is answered ---- */

typedef struct
{
  char *folder;
  VgDicomStore *store;
  VgDicomPeer *peer;
  GByteArray *answer;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->folder = fixture_folder ();
  f->store = vg_dicom_store_new (f->folder, MOST_BYTES, NULL);
  f->peer = vg_dicom_peer_new (f->store);
  f->answer = g_byte_array_new ();
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  vg_dicom_peer_free (f->peer);
  vg_dicom_store_free (f->store);
  g_byte_array_unref (f->answer);
  fixture_remove_folder (f->folder);
}

/* Takes BYTES, which are freed, in pieces of PIECE bytes. */
static gboolean
take (Fixture *f, GByteArray *bytes, gsize piece)
{
  gboolean goes_on = TRUE;

  g_byte_array_set_size (f->answer, 0);
  for (gsize at = 0; goes_on && at < bytes->len; at += piece)
    goes_on = vg_dicom_peer_take (f->peer, bytes->data + at, MIN (piece, bytes->len - at),
                                  f->answer);
  g_byte_array_unref (bytes);
  return goes_on;
}

static void
begin_again (Fixture *f)
{
  vg_dicom_peer_free (f->peer);
  f->peer = vg_dicom_peer_new (f->store);
}

static void
associate (Fixture *f)
{
  begin_again (f);
  g_assert_true (take (f, make_request (), 1000));
  g_assert_cmpint (f->answer->data[0], ==, 2);
}

/* The status in the one response that was sent. */
static guint
get_status (const Fixture *f)
{
  static const guint8 element[] = { 0, 0, 0, 9, 2, 0, 0, 0 };
  const guint8 *at;

  g_assert_cmpint (f->answer->data[0], ==, 4);
  at = memmem (f->answer->data, f->answer->len, element, sizeof element);
  g_assert_nonnull (at);
  return (guint) (at[8] | at[9] << 8);
}

static void
assert_state (const Fixture *f, guint stored, guint repeated, guint refused, guint broken)
{
  VgDicomReceived state;

  vg_dicom_store_get_state (f->store, &state);
  g_assert_cmpuint (state.stored, ==, stored);
  g_assert_cmpuint (state.repeated, ==, repeated);
  g_assert_cmpuint (state.refused, ==, refused);
  g_assert_cmpuint (state.broken, ==, broken);
}

static guint
count_files (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* The answer to a request accepts two contexts in the syntaxes that are read. */
static void
test_association (Fixture *f, gconstpointer data)
{
  static const struct
  {
    guint8 id, result;
  } expected[] = { { 1, 0 }, { 3, 0 }, { 5, 0 }, { 7, 3 }, { 9, 4 } };
  const guint8 *at;
  guint n = 0;

  associate (f);
  at = f->answer->data + 6 + 68;
  while (at < f->answer->data + f->answer->len)
    {
      if (*at == 0x21)
        {
          g_assert_cmpint (at[4], ==, expected[n].id);
          g_assert_cmpint (at[6], ==, expected[n].result);
          n++;
        }
      at += 4 + (at[2] << 8 | at[3]);
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (expected));
  /* of the two syntaxes of context 3, that with explicit VR */
  g_assert_nonnull (memmem (f->answer->data, f->answer->len, EXPLICIT "\x21", 20));
  assert_state (f, 0, 0, 0, 0);
}

static void
test_echo (Fixture *f, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GByteArray) release = g_byte_array_new ();

  associate (f);
  add_command (bytes, 1, ECHO, VERIFICATION, NULL);
  g_assert_true (take (f, bytes, 5));
  g_assert_cmpuint (get_status (f), ==, 0);
  add (release, 0x0500, 2, FALSE);
  add (release, 4, 4, FALSE);
  add (release, 0, 4, FALSE);
  g_assert_false (take (f, g_steal_pointer (&release), 100));
  g_assert_cmpint (f->answer->data[0], ==, 6);
  assert_state (f, 0, 0, 0, 0);
}

/* The file has the received bytes after the head of a DICOM file, however they were cut. */
static void
test_store (Fixture *f, gconstpointer data)
{
  static const char content[] = "the elements of an image";
  g_autofree char *path = g_build_filename (f->folder, "1.2.34.dcm", NULL), *file = NULL;
  gsize length;

  for (gsize piece = 1; piece < 400; piece = 3 * piece + 1)
    {
      GByteArray *bytes = g_byte_array_new ();
      g_autofree char *uid = g_strdup_printf ("1.2.34.%" G_GSIZE_FORMAT, piece);

      associate (f);
      add_image (bytes, 3, MR, piece == 1 ? "1.2.34" : uid, content);
      g_assert_true (take (f, bytes, piece));
      g_assert_cmpuint (get_status (f), ==, 0);
    }
  g_assert_true (g_file_get_contents (path, &file, &length, NULL));
  g_assert_cmpmem (file + 128, 4, "DICM", 4);
  g_assert_cmpmem (file + length - strlen (content), strlen (content), content, strlen (content));
  g_assert_nonnull (memmem (file, length, EXPLICIT, strlen (EXPLICIT)));
  /* the group length leads to the first element of the image */
  g_assert_cmpuint (144u + (guint8) file[140] + 256u * (guint8) file[141], ==,
                    length - strlen (content));
}

/* An image that is there is neither written again nor replaced. */
static void
test_repeated (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "1.2.dcm", NULL), *file = NULL;

  for (int i = 0; i < 2; i++)
    {
      GByteArray *bytes = g_byte_array_new ();

      associate (f);
      add_image (bytes, 3, MR, "1.2", i == 0 ? "before" : "after");
      g_assert_true (take (f, bytes, 1000));
      g_assert_cmpuint (get_status (f), ==, 0);
    }
  g_assert_true (g_file_get_contents (path, &file, NULL, NULL));
  assert_state (f, 1, 1, 0, 0);
  g_assert_cmpuint (count_files (f->folder), ==, 1);
}

/* Of two connections that send the same image at the same time, the first one that is complete is
 * stored. */
static void
test_at_once (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "1.2.dcm", NULL), *file = NULL;
  GByteArray *begin = g_byte_array_new (), *end = g_byte_array_new (), *all = g_byte_array_new ();
  g_autoptr (GHashTable) names = NULL;
  VgDicomPeer *first;
  gsize length;

  associate (f);
  add_command (begin, 3, STORE, MR, "1.2");
  add_part (begin, 3, 0, "late ", 5);
  g_assert_true (take (f, begin, 1000));
  first = f->peer;
  f->peer = vg_dicom_peer_new (f->store);
  associate (f);
  add_image (all, 3, MR, "1.2", "the first");
  g_assert_true (take (f, all, 1000));
  vg_dicom_peer_free (f->peer);
  f->peer = first;
  add_part (end, 3, 2, "image", 5);
  g_assert_true (take (f, end, 1000));
  g_assert_cmpuint (get_status (f), ==, 0);
  assert_state (f, 1, 1, 0, 0);
  g_assert_true (g_file_get_contents (path, &file, &length, NULL));
  g_assert_cmpmem (file + length - 9, 9, "the first", 9);
  g_assert_cmpuint (count_files (f->folder), ==, 1);
  names = vg_dicom_store_list (f->store);
  g_assert_cmpuint (g_hash_table_size (names), ==, 1);
  g_assert_true (g_hash_table_contains (names, "1.2.dcm"));
}

/* An object without a data set is refused; it and another event are both told. */
static void
test_empty (Fixture *f, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new (), *other = g_byte_array_new ();
  g_autoptr (GHashTable) names = NULL;
  VgDicomReceived state;

  associate (f);
  add_command (bytes, 3, STORE, MR, "1.2.3");
  add_part (bytes, 3, 0, "", 0);
  add_part (bytes, 3, 2, "", 0);
  g_assert_true (take (f, bytes, 1000));
  g_assert_cmpuint (get_status (f), ==, VG_DICOM_NOT_UNDERSTOOD);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
  add_command (other, 3, FIND, MR, NULL);
  g_assert_true (take (f, other, 1000));
  assert_state (f, 0, 0, 2, 0);
  names = vg_dicom_store_list (f->store);
  g_assert_cmpuint (g_hash_table_size (names), ==, 0);
  vg_dicom_store_get_state (f->store, &state);
  g_assert_cmpuint (state.said, ==, 2);
  g_assert_nonnull (strstr (state.sentences[0], "without its data"));
  g_assert_nonnull (strstr (state.sentences[1], "other than storing"));
  g_assert_cmpuint (state.open, ==, 1);
  begin_again (f);
  vg_dicom_store_get_state (f->store, &state);
  g_assert_cmpuint (state.open, ==, 0);
}

/* Objects that are refused: their bytes are discarded, and the connection goes on. */
static void
test_refused (Fixture *f, gconstpointer data)
{
  static const struct
  {
    guint context;
    const char *class, *instance;
    guint status;
  } objects[] = {
    { 3, ENHANCED_CT, "1.2.3", VG_DICOM_WRONG_CLASS },
    { 3, MR, NULL, VG_DICOM_INVALID_INSTANCE },
  };
  g_autofree char *long_text = g_strnfill (MOST_BYTES, 'x');
  GByteArray *bytes = g_byte_array_new ();

  associate (f);
  for (guint i = 0; i < G_N_ELEMENTS (objects); i++)
    {
      bytes = i == 0 ? bytes : g_byte_array_new ();
      add_image (bytes, objects[i].context, objects[i].class, objects[i].instance, "bytes");
      g_assert_true (take (f, bytes, 1000));
      g_assert_cmpuint (get_status (f), ==, objects[i].status);
    }
  bytes = g_byte_array_new ();
  add_image (bytes, 3, MR, "1.2.3", long_text); /* more than the store may have */
  g_assert_true (take (f, bytes, 1000));
  g_assert_cmpuint (get_status (f), ==, VG_DICOM_NO_ROOM);
  bytes = g_byte_array_new ();
  add_command (bytes, 3, FIND, MR, NULL);
  g_assert_true (take (f, bytes, 1000));
  g_assert_cmpuint (get_status (f), ==, VG_DICOM_NO_OPERATION);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
  assert_state (f, 0, 0, 4, 0);
  bytes = g_byte_array_new ();
  add_image (bytes, 3, MR, "1.2.3", "small");
  g_assert_true (take (f, bytes, 1000));
  g_assert_cmpuint (get_status (f), ==, 0);
  assert_state (f, 1, 0, 4, 0);
}

/* Nothing leads out of the folder: such a command ends the connection. */
static void
test_names (Fixture *f, gconstpointer data)
{
  static const char *const names[] = {
    "../../etc/passwd", "/tmp/x", ".hidden", "1..2", "1.2.", "1.2/3", "a.b", "1 2"
  };
  g_autofree char *long_name = g_strnfill (66, '1');

  for (guint i = 0; i <= G_N_ELEMENTS (names); i++)
    {
      const char *name = i < G_N_ELEMENTS (names) ? names[i] : long_name;
      GByteArray *bytes = g_byte_array_new ();

      g_assert_false (vg_dicom_uid_is_valid (name));
      associate (f);
      add_image (bytes, 3, MR, name, "bytes");
      g_assert_false (take (f, bytes, 1000));
      g_assert_cmpint (f->answer->data[0], ==, 7);
    }
  assert_state (f, 0, 0, 0, G_N_ELEMENTS (names) + 1);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
}

/* A peer that breaks off leaves no file. */
static void
test_broken_off (Fixture *f, gconstpointer data)
{
  GByteArray *bytes = g_byte_array_new ();

  associate (f);
  add_command (bytes, 3, STORE, MR, "1.2.3");
  add_part (bytes, 3, 0, "half of it", 10);
  g_assert_true (take (f, bytes, 1000));
  g_assert_cmpint (vg_dicom_peer_get_stage (f->peer), ==, VG_DICOM_PEER_STORING);
  begin_again (f);
  assert_state (f, 0, 0, 0, 1);
  g_assert_cmpuint (count_files (f->folder), ==, 0);
}

/* Bytes that make no sense end the connection at once, and nothing is allocated by what they
 * claim. */
static void
test_nonsense (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *bytes;
    gsize length;
    gboolean associated;
  } all[] = {
    { "GET / HTTP/1.1\r\n", 16, FALSE },
    { "\1\0\377\377\377\377", 6, FALSE },             /* 4 GB */
    { "\1\0\0\2\0\1", 6, FALSE },                     /* one byte more than is allowed */
    { "\1\0\0\0\0\4\0\1\0\0", 10, FALSE },            /* an association without its names */
    { "\4\0\0\0\0\6\0\0\0\2\3\3", 12, FALSE },        /* data before an association */
    { "\5\0\0\0\0\4\0\0\0\0", 10, FALSE },            /* released before it */
    { "\2\0\0\0\0\4\0\0\0\0", 10, TRUE },             /* a message of the other side */
    { "\4\0\0\0\0\0", 6, TRUE },                      /* no part */
    { "\4\0\0\0\0\6\377\377\377\377\3\3", 12, TRUE }, /* a part of 4 GB */
    { "\4\0\0\0\0\6\0\0\0\1\3\3", 12, TRUE },         /* shorter than its head */
    { "\4\0\0\0\0\6\0\0\0\2\3\2", 12, TRUE },         /* data without a command */
    { "\4\0\0\0\0\6\0\0\0\2\7\3", 12, TRUE },         /* a context that was refused */
    { "\4\0\0\0\0\6\0\0\0\2\3\3", 12, TRUE },         /* an empty command */
    { "\4\0\0\0\0\16\0\0\0\12\3\3\0\0\0\1\377\377\377\377", 20, TRUE }, /* an element of 4 GB */
    { "\7\0\0\0\0\4\0\0\0\0", 10, TRUE }, /* an abort, which is in order */
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      GByteArray *bytes = g_byte_array_new ();

      begin_again (f);
      if (all[i].associated)
        associate (f);
      g_byte_array_append (bytes, (const guint8 *) all[i].bytes, (guint) all[i].length);
      g_assert_false (take (f, bytes, 7));
    }
  assert_state (f, 0, 0, 0, G_N_ELEMENTS (all) - 1);
}

/* ---- sockets ---- */

static GSocketConnection *
connect_to (VgDicomReceiver *receiver)
{
  g_autoptr (GSocketClient) client = g_socket_client_new ();
  g_autoptr (GError) error = NULL;
  GSocketConnection *connection;

  g_socket_client_set_timeout (client, WAIT_MS / 1000);
  connection = g_socket_client_connect_to_host (
      client, "127.0.0.1", vg_dicom_receiver_get_port (receiver), NULL, &error);
  g_assert_no_error (error);
  return connection;
}

static void
send_bytes (GSocketConnection *connection, const void *bytes, gsize length)
{
  g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), bytes,
                             length, NULL, NULL, NULL);
}

/* The first byte of the answer; -1: the connection has ended. */
static int
receive_type (GSocketConnection *connection)
{
  guint8 answer[4096];
  gssize n = g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)), answer,
                                  sizeof answer, NULL, NULL);

  return n > 0 ? answer[0] : -1;
}

/* Waits until N connections have been counted as broken. */
static void
wait_for_broken (VgDicomReceiver *receiver, guint n)
{
  VgDicomReceived state = { 0 };

  for (int i = 0; i < WAIT_MS && state.broken < n; i++)
    {
      g_usleep (1000);
      vg_dicom_receiver_get_state (receiver, &state);
    }
  g_assert_cmpuint (state.broken, ==, n);
  g_assert_cmpuint (state.said, ==, 1); /* once */
}

/* Garbage of many senders does not keep the listener from the next image. */
static void
test_garbage (void)
{
  enum { SENDERS = 20, GARBAGE = 5000 };
  char *folder = fixture_folder ();
  g_autofree char *address = g_strdup_printf ("dicom-listen://0%s", folder), *text = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgDicomReceiver) receiver = vg_dicom_receiver_new (address, &error);
  g_autoptr (GByteArray) request = make_request (), image = g_byte_array_new ();
  VgDicomReceived state;

  g_assert_no_error (error);
  text = vg_dicom_receiver_describe (receiver);
  g_assert_nonnull (strstr (text, "only programs on this computer"));
  for (guint i = 0; i < SENDERS; i++)
    {
      g_autoptr (GSocketConnection) connection = connect_to (receiver);
      guint8 garbage[GARBAGE];

      for (guint k = 0; k < GARBAGE; k++)
        garbage[k] = (guint8) g_test_rand_int_range (0, 256);
      garbage[0] = i % 2 == 0 ? garbage[0] : 1;
      if (i % 3 == 2)
        send_bytes (connection, request->data, request->len);
      send_bytes (connection, garbage, GARBAGE);
      g_io_stream_close (G_IO_STREAM (connection), NULL, NULL);
    }
  wait_for_broken (receiver, SENDERS);
  {
    g_autoptr (GSocketConnection) connection = connect_to (receiver);

    add_image (image, 3, MR, "1.2.3", "bytes");
    send_bytes (connection, request->data, request->len);
    g_assert_cmpint (receive_type (connection), ==, 2);
    send_bytes (connection, image->data, image->len);
    g_assert_cmpint (receive_type (connection), ==, 4);
  }
  vg_dicom_receiver_get_state (receiver, &state);
  g_assert_cmpuint (state.stored, ==, 1);
  g_assert_cmpuint (count_files (folder), ==, 1);
  g_clear_pointer (&receiver, vg_dicom_receiver_free);
  fixture_remove_folder (folder);
}

/* Associates and sends the image INSTANCE, whose answer is awaited. */
static void
send_image (GSocketConnection *connection, const char *instance)
{
  g_autoptr (GByteArray) request = make_request (), image = g_byte_array_new ();

  add_image (image, 3, MR, instance, "bytes");
  send_bytes (connection, request->data, request->len);
  g_assert_cmpint (receive_type (connection), ==, 2);
  send_bytes (connection, image->data, image->len);
  g_assert_cmpint (receive_type (connection), ==, 4);
}

/* Connections that send nothing soon give way to others; one that is in the middle of an image does
 * not, however old it is. */
static void
test_slots (void)
{
  enum { SLOTS = 8, MORE = 2 };
  static const gulong age_us[MORE] = { 1500000, 4000000 };
  static const char *const names[MORE] = { "1.2.4", "1.2.5" };
  char *folder = fixture_folder ();
  g_autofree char *address = g_strdup_printf ("dicom-listen://0%s", folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgDicomReceiver) receiver = vg_dicom_receiver_new (address, &error);
  g_autoptr (GByteArray) request = make_request (), half = g_byte_array_new (),
                         rest = g_byte_array_new ();
  GSocketConnection *slots[SLOTS + MORE];
  VgDicomReceived state;

  g_assert_no_error (error);
  add_command (half, 3, STORE, MR, "1.2.3");
  add_part (half, 3, 0, "half", 4);
  add_part (rest, 3, 2, "rest", 4);
  slots[0] = connect_to (receiver);
  send_bytes (slots[0], request->data, request->len);
  g_assert_cmpint (receive_type (slots[0]), ==, 2);
  send_bytes (slots[0], half->data, half->len);
  for (guint i = 1; i < SLOTS; i++)
    slots[i] = connect_to (receiver);
  for (guint i = 0; i < MORE; i++)
    {
      g_usleep (age_us[i]);
      slots[SLOTS + i] = connect_to (receiver);
      send_image (slots[SLOTS + i], names[i]);
    }
  send_bytes (slots[0], rest->data, rest->len);
  g_assert_cmpint (receive_type (slots[0]), ==, 4);
  vg_dicom_receiver_get_state (receiver, &state);
  g_assert_cmpuint (state.stored, ==, 1 + MORE);
  g_assert_cmpuint (state.broken, ==, MORE);
  g_assert_cmpuint (state.open, ==, 1 + MORE);
  g_assert_nonnull (strstr (state.sentences[0], "too many programs"));
  for (guint i = 0; i < SLOTS + MORE; i++)
    g_object_unref (slots[i]);
  g_clear_pointer (&receiver, vg_dicom_receiver_free);
  fixture_remove_folder (folder);
}

static double
get_processor_s (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* A connection for which the system has no descriptor left keeps no processor busy, and is accepted
 * later. */
static void
test_no_descriptor (void)
{
  enum { WAIT_US = 700000 };
  char *folder = fixture_folder ();
  g_autofree char *address = g_strdup_printf ("dicom-listen://0%s", folder);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgDicomReceiver) receiver = vg_dicom_receiver_new (address, &error);
  g_autoptr (GSocket) socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM,
                                             G_SOCKET_PROTOCOL_TCP, NULL);
  g_autoptr (GSocketAddress) place = NULL;
  g_autoptr (GSocketConnection) connection = NULL;
  struct rlimit before, now;
  double busy_s;

  g_assert_no_error (error);
  place = g_inet_socket_address_new_from_string ("127.0.0.1",
                                                 vg_dicom_receiver_get_port (receiver));
  g_socket_set_timeout (socket, WAIT_MS / 1000);
  getrlimit (RLIMIT_NOFILE, &before);
  now = (struct rlimit){ (rlim_t) g_socket_get_fd (socket) + 1, before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &now), ==, 0);
  busy_s = get_processor_s ();
  g_assert_true (g_socket_connect (socket, place, NULL, &error));
  g_usleep (WAIT_US);
  busy_s = get_processor_s () - busy_s;
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  g_assert_cmpfloat (busy_s, <, 0.1e-6 * WAIT_US);
  connection = g_socket_connection_factory_create_connection (socket);
  send_image (connection, "1.2.3");
  g_assert_cmpuint (count_files (folder), ==, 1);
  g_clear_pointer (&receiver, vg_dicom_receiver_free);
  fixture_remove_folder (folder);
}

static void
test_addresses (void)
{
  static const char *const wrong[] = {
    "dicom-listen:",          "dicom-listen://",          "dicom-listen://11112",
    "dicom-listen://11112/",  "dicom-listen://99999/tmp", "dicom-listen://:11112/tmp",
    "dicom-listen:11112/tmp", "dicom-listen://::1:1/tmp", "dicom-listen://[::1/tmp",
    "dicom-listen:///tmp",    "dicom-listen://host/tmp",  "dicom-listen://[]:1/tmp",
  };
  char *folder = fixture_folder ();
  g_autofree char *file = g_build_filename (folder, "file", NULL),
                  *address = g_strdup_printf ("dicom-listen://0%s/x", file), *again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (VgDicomReceiver) receiver = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_true (vg_dicom_receiver_is_address (wrong[i]));
      g_assert_null (vg_dicom_receiver_new (wrong[i], &error));
      fixture_assert_message (error, "is not an address");
      g_clear_error (&error);
      g_assert_false (vg_dicom_receiver_check_address (wrong[i], NULL));
    }
  g_assert_false (vg_dicom_receiver_is_address ("dicom-folder"));
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_assert_null (vg_dicom_receiver_new (address, &error));
  fixture_assert_message (error, "cannot store images");
  g_clear_error (&error);
  again = g_strdup_printf ("dicom-listen://localhost:0%s/new/folder", folder);
  g_assert_true (vg_dicom_receiver_check_address (again, &error));
  receiver = vg_dicom_receiver_new (again, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (vg_dicom_receiver_get_folder (receiver), "/new/folder"));
  g_free (again);
  again = g_strdup_printf ("dicom-listen://%u%s/other", vg_dicom_receiver_get_port (receiver),
                           folder);
  g_assert_null (vg_dicom_receiver_new (again, &error)); /* the port is in use */
  fixture_assert_message (error, "cannot listen at");
  g_clear_pointer (&receiver, vg_dicom_receiver_free);
  fixture_remove_folder (folder);
}

#define ADD(name, function)                                                                        \
  g_test_add ("/dicom-receive/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("association", test_association);
  ADD ("echo", test_echo);
  ADD ("store", test_store);
  ADD ("repeated", test_repeated);
  ADD ("at-once", test_at_once);
  ADD ("empty", test_empty);
  ADD ("refused", test_refused);
  ADD ("names", test_names);
  ADD ("broken-off", test_broken_off);
  ADD ("nonsense", test_nonsense);
  g_test_add_func ("/dicom-receive/garbage", test_garbage);
  g_test_add_func ("/dicom-receive/slots", test_slots);
  g_test_add_func ("/dicom-receive/no-descriptor", test_no_descriptor);
  g_test_add_func ("/dicom-receive/addresses", test_addresses);
  return g_test_run ();
}
