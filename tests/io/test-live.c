/* SPDX-License-Identifier: MIT */
/* Live sources against producers that are wrong, slow, gone, or write while they are read. */
#include "io/live/vg-live-private.h"
#include "tests/support/io/live-fixture.h"
#include "tests/support/io/shm-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WIDTH = SHM_WIDTH, HEIGHT = SHM_HEIGHT, PIXELS = SHM_PIXELS, SLOTS = 4 };

static void
producer_begin (ShmProducer *self)
{
  shm_producer_begin (self, SLOTS);
}

static void
producer_send (ShmProducer *self, guint64 id)
{
  shm_producer_send (self, id, 1000000);
}

/* The next frame has all samples VALUE; returns its id. */
static guint64
take (VgSource *source, guint16 value)
{
  g_autoptr (GError) error = NULL;
  guint16 frame[PIXELS];
  double time_s;
  guint64 id = 0;

  g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  for (int i = 0; i < PIXELS; i++)
    g_assert_cmpint (frame[i], ==, value);
  return id;
}

static void
check_counts (VgSource *source, guint64 received, guint64 bad, guint64 lost)
{
  VgLiveStatus status;

  vg_source_get_status (source, &status);
  g_assert_cmpint (status.received, ==, received);
  g_assert_cmpint (status.bad, ==, bad);
  g_assert_cmpint (status.lost, ==, lost);
}

static void
assert_next_fails (VgSource *source, int code)
{
  g_autoptr (GError) error = NULL;
  guint16 frame[PIXELS];
  double time_s;
  guint64 id;

  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_error (error, VG_IO_ERROR, code);
}

static void
test_ring (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;
  guint16 frame[PIXELS];
  double time_s;
  guint64 id;

  producer_begin (&producer);
  producer_send (&producer, 7);
  source = fixture_open_live (producer.address);
  g_assert_cmpint (source->info.significant_bits, ==, 12);
  g_assert_cmpfloat (source->info.exposure_ms, ==, 5);
  g_assert_cmpint (take (source, 7), ==, 0);
  /* the ring wraps, frame 10 is missing at the producer, and all is accounted */
  producer_send (&producer, 8);
  g_assert_cmpint (take (source, 8), ==, 1);
  producer_send (&producer, 9);
  producer_send (&producer, 11);
  producer_send (&producer, 12);
  g_assert_cmpint (take (source, 9), ==, 2);
  g_assert_cmpint (take (source, 11), ==, 4);
  g_assert_cmpint (take (source, 12), ==, 5);
  check_counts (source, 5, 0, 1);
  /* more frames than slots: the slot that is written next is not read either */
  for (guint64 k = 13; k <= 22; k++)
    producer_send (&producer, k);
  g_assert_cmpint (take (source, 20), ==, 13);
  check_counts (source, 6, 0, 8);
  take (source, 21);
  take (source, 22);
  producer.ring->state = VIVOGRAPH_SHM_ENDED;
  g_assert_false (vg_source_next (source, frame, &id, &time_s, NULL));
  shm_producer_clear (&producer);
}

/* The producer dies in a write, or says that a frame is complete that is not. */
static void
test_half_frame (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;

  producer_begin (&producer);
  producer_send (&producer, 1);
  source = fixture_open_live (producer.address);
  take (source, 1);
  memset (vivograph_shm_begin (producer.ring), 0x55, 2 * PIXELS);
  producer.ring->written++;
  assert_next_fails (source, VG_IO_ERROR_FRAME);
  producer_send (&producer, 3);
  take (source, 3);
  check_counts (source, 2, 1, 0);
  shm_producer_clear (&producer);
}

/* What was sent before the first frame that is read is not lost, whether it was overwritten or is
 * broken. */
static void
test_before_first (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL, broken = NULL;

  producer_begin (&producer);
  producer_send (&producer, 1);
  source = fixture_open_live (producer.address);
  for (guint64 k = 2; k <= 9; k++)
    producer_send (&producer, k);
  g_assert_cmpint (take (source, 7), ==, 0);
  check_counts (source, 1, 0, 0);
  g_assert_cmpint (take (source, 8), ==, 1);
  shm_producer_die (&producer);
  producer_begin (&producer);
  broken = fixture_open_live (producer.address);
  vivograph_shm_begin (producer.ring);
  producer.ring->written++;
  assert_next_fails (broken, VG_IO_ERROR_FRAME);
  producer_send (&producer, 500);
  g_assert_cmpint (take (broken, 500), ==, 1);
  check_counts (broken, 1, 1, 0);
  shm_producer_clear (&producer);
}

/* The frame time never goes back and never leaps, whatever the device's clock does. */
static void
test_clock (void)
{
  static const gint64 stamps[] = { 1000000000, 1100000000, /* then back, ahead, and wild */
                                   5,          G_GINT64_CONSTANT (90000000000000),
                                   0,          G_MAXINT64,
                                   G_MININT64, G_GINT64_CONSTANT (90000000000000) };
  const gint64 begin_us = g_get_monotonic_time ();
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;
  guint16 frame[PIXELS];
  double time_s, before_s = 0;
  guint64 id;

  producer_begin (&producer);
  for (guint i = 0; i < G_N_ELEMENTS (stamps); i++)
    {
      vivograph_shm_begin (producer.ring);
      vivograph_shm_commit (producer.ring, i + 1, stamps[i], 0);
      if (source == NULL)
        source = fixture_open_live (producer.address);
      g_assert_true (vg_source_next (source, frame, &id, &time_s, NULL));
      if (i == 1)
        g_assert_cmpfloat_with_epsilon (time_s, 0.1, 1e-9);
      g_assert_cmpfloat (time_s, >=, before_s);
      /* the time that the clock gave, and the time that has passed */
      g_assert_cmpfloat (time_s, <=, 0.1 + 1e-6 * (double) (g_get_monotonic_time () - begin_us));
      before_s = time_s;
    }
  check_counts (source, G_N_ELEMENTS (stamps), 0, 0);
  shm_producer_clear (&producer);
}

/* Frames that others have overtaken are lost, and each is counted once; a producer that counts
 * backwards is read all the same. */
static void
test_order (void)
{
  static const guint64 sent[] = { 100, 101, 104, 102, 105, 103, 106, 107 },
                       delivered[] = { 100, 101, 104, 105, 106, 107 };
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;

  shm_producer_begin (&producer, 32);
  for (guint i = 0, k = 0; i < G_N_ELEMENTS (sent); i++)
    {
      producer_send (&producer, sent[i]);
      if (source == NULL)
        source = fixture_open_live (producer.address);
      if (k < G_N_ELEMENTS (delivered) && sent[i] == delivered[k])
        take (source, (guint16) delivered[k++]);
    }
  check_counts (source, G_N_ELEMENTS (delivered), 0, 2);
  producer_send (&producer, 2000);
  take (source, 2000);
  for (guint64 id = 1999; id >= 2000 - 17; id--)
    {
      producer_send (&producer, id);
      if (id == 2000 - 17)
        take (source, (guint16) id);
    }
  shm_producer_clear (&producer);
}

/* After the producer has begun to count anew, frames that come later than those with higher numbers
 * are counted too, although no gap in the numbers is left for them. */
static void
test_order_anew (void)
{
  static const guint64 sent[] = { 1000, 1001, 5, 4, 6, 3, 7 },
                       delivered[] = { 1000, 1001, 5, 6, 7 };
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;
  guint64 id = 0;

  shm_producer_begin (&producer, 32);
  for (guint i = 0, k = 0; i < G_N_ELEMENTS (sent); i++)
    {
      producer_send (&producer, sent[i]);
      if (source == NULL)
        source = fixture_open_live (producer.address);
      if (k < G_N_ELEMENTS (delivered) && sent[i] == delivered[k])
        id = take (source, (guint16) delivered[k++]);
    }
  check_counts (source, G_N_ELEMENTS (delivered), 0, 2);
  g_assert_cmpuint (id, ==, G_N_ELEMENTS (sent) - 1); /* the ids have gaps for the two */
  shm_producer_clear (&producer);
}

static gpointer
restart (gpointer data)
{
  ShmProducer *producer = data;

  shm_producer_die (producer);
  producer_begin (producer);
  producer_send (producer, 1);
  return NULL;
}

static void
clear_live (VgSource *source)
{
  vg_live_clear ((VgLive *) source);
}

/* The producer is killed and started again: the source waits for it, and goes on. */
static void
test_restart (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;
  VgLiveStatus status;
  GThread *thread;

  producer_begin (&producer);
  producer_send (&producer, 500);
  source = fixture_open_live (producer.address);
  take (source, 500);
  thread = g_thread_new ("restart", restart, &producer);
  g_assert_cmpint (take (source, 1), ==, 1);
  g_thread_join (thread);
  check_counts (source, 2, 0, 0);
  vg_source_get_status (source, &status);
  g_assert_cmpuint (status.interrupted, ==, 1);
  shm_producer_clear (&producer);
}

/* A lost connection is counted once, also when the source waited before for another reason, such as
 * a trigger. */
static void
test_interruptions (void)
{
  static const VgSourceClass class = { .clear = clear_live,
                                       .cancel = vg_live_cancel,
                                       .get_status = vg_live_get_status };
  g_autoptr (GError) error = NULL;
  VgLive *live = vg_live_new (sizeof *live, &class, "x:1", "test", &error);
  g_autoptr (VgSource) source = (VgSource *) live;
  VgLiveStatus status;

  g_assert_no_error (error);
  vg_live_report (live, VG_LIVE_WAITING, "no trigger");
  for (int i = 0; i < 2; i++)
    vg_live_count_interruption (live);
  vg_source_get_status (source, &status);
  g_assert_cmpuint (status.interrupted, ==, 1);
  vg_live_report_connected (live);
  vg_live_count_interruption (live);
  vg_source_get_status (source, &status);
  g_assert_cmpuint (status.interrupted, ==, 2);
}

/* The memory vanishes below the reader, which would be a SIGBUS if it were mapped. */
static void
test_cut (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;
  int fd;

  producer_begin (&producer);
  producer_send (&producer, 1);
  source = fixture_open_live (producer.address);
  fd = shm_open (producer.object, O_RDWR, 0);
  g_assert_cmpint (ftruncate (fd, 200), ==, 0);
  close (fd);
  assert_next_fails (source, VG_IO_ERROR_STREAM);
  shm_producer_clear (&producer);
}

static gpointer
cancel_soon (gpointer source)
{
  g_usleep (50000);
  vg_source_cancel (source);
  return NULL;
}

static void
test_cancel (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (VgSource) source = NULL;
  guint16 frame[PIXELS];
  GThread *thread;
  double time_s;
  guint64 id;

  producer_begin (&producer);
  source = fixture_open_live (producer.address);
  thread = g_thread_new ("cancel", cancel_soon, source);
  g_assert_false (vg_source_next (source, frame, &id, &time_s, NULL));
  g_thread_join (thread);
  shm_producer_clear (&producer);
}

static void
assert_refused (const char *address, const char *what)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (vg_live_open (address, NULL, &error));
  fixture_assert_message (error, what);
}

/* A producer has created its object and not written the header: it is waited for. */
static void
assert_unfinished (void)
{
  ShmProducer producer = { 0 };
  g_autoptr (GError) error = NULL;

  producer_begin (&producer);
  memset (producer.ring, 0, sizeof *producer.ring);
  g_assert_null (vg_live_open (producer.address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  shm_producer_clear (&producer);
}

/* Headers that lie: nothing is allocated or read by what they say. */
static void
test_lies (void)
{
  static const struct
  {
    gsize offset, size;
    guint64 value;
    const char *what;
  } lies[] = {
    { 0, 4, 0, "does not begin" },
    { offsetof (vivograph_shm_header, header_bytes), 4, 64, "slots" },
    { offsetof (vivograph_shm_header, header_bytes), 4, 0xffffffc0, "slots" },
    { offsetof (vivograph_shm_header, type), 4, 9, "type" },
    { offsetof (vivograph_shm_header, width), 4, 0, "size" },
    { offsetof (vivograph_shm_header, width), 4, 0xffffffff, "size" },
    { offsetof (vivograph_shm_header, width), 4, 0x7fffffff, "4 GiB" },
    { offsetof (vivograph_shm_header, channels), 4, 2, "type" },
    { offsetof (vivograph_shm_header, bits), 4, 17, "type" },
    { offsetof (vivograph_shm_header, slots), 8, 1, "slots" },
    { offsetof (vivograph_shm_header, slots), 8, G_GUINT64_CONSTANT (1) << 63, "slots" },
    { offsetof (vivograph_shm_header, slot_bytes), 8, 64, "slots" },
    { offsetof (vivograph_shm_header, slot_bytes), 8, G_GUINT64_CONSTANT (1) << 63, "slots" },
    { offsetof (vivograph_shm_header, slot_bytes), 8, G_GUINT64_CONSTANT (1) << 62, "slots" },
  };
  ShmProducer producer = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (lies); i++)
    {
      producer_begin (&producer);
      memcpy ((char *) producer.ring + lies[i].offset, &lies[i].value, lies[i].size);
      assert_refused (producer.address, lies[i].what);
      shm_producer_die (&producer);
    }
  producer_begin (&producer);
  shm_producer_clear (&producer);
  assert_refused ("shm:vg-test-no-such-object", "no shared memory");
  assert_unfinished ();
  assert_refused ("shm:../etc/passwd", "cannot be the name of a shared memory");
  assert_refused ("shm:", "does not name a source");
}

/* --- a watched folder --- */

/* Writes PAGES pages of WIDTH as NAME, under another name first. */
static void
put (const char *folder, const char *name, int width, int pages)
{
  g_autofree char *part = g_build_filename (folder, ".part", NULL),
                  *path = g_build_filename (folder, name, NULL);
  TiffVariant variant = fixture_variant (width, HEIGHT, pages);

  g_free (fixture_write_tiff (part, &variant, 1));
  g_assert_cmpint (g_rename (part, path), ==, 0);
}

static gboolean
next (VgSource *source, guint64 *id, GError **error)
{
  guint16 frame[PIXELS];
  double time_s;

  return vg_source_next (source, frame, id, &time_s, error);
}

static void
test_watch (void)
{
  g_autofree char *folder = fixture_folder (), *address = g_strconcat ("watch:", folder, NULL);
  g_autofree char *bad = g_build_filename (folder, "t3.tif", NULL),
                  *text = g_build_filename (folder, "notes.txt", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  guint64 id;

  assert_refused ("watch:/no/such/folder", "cannot watch");
  g_assert_null (vg_live_open (address, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_LATER);
  g_clear_error (&error);
  fixture_put_file (text, "x", 1);
  put (folder, "t10.tif", WIDTH, 1);
  put (folder, "t2.tif", WIDTH, 2);
  while ((source = vg_live_open (address, NULL, NULL)) == NULL)
    g_usleep (50000);
  for (guint64 k = 0; k < 3; k++)
    {
      g_assert_true (next (source, &id, NULL));
      g_assert_cmpint (id, ==, k);
    }
  /* a damaged file is counted and passed, when it has rested */
  fixture_put_file (bad, "II*\0garbage", 11);
  put (folder, "t4.tif", WIDTH, 1);
  g_assert_false (next (source, &id, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
  g_clear_error (&error);
  g_assert_true (next (source, &id, NULL));
  check_counts (source, 4, 1, 0);
  /* another size ends the stream, because nothing could use it */
  put (folder, "t5.tif", WIDTH + 1, 1);
  g_assert_false (next (source, &id, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
  g_clear_pointer (&source, vg_source_close);
  fixture_remove_folder (g_strdup (folder));
}

/* The times count from the first file that can be read. */
static void
test_watch_times (void)
{
  g_autofree char *folder = fixture_folder (), *address = g_strconcat ("watch:", folder, NULL),
                  *bad = g_build_filename (folder, "a.tif", NULL);
  g_autoptr (VgSource) source = NULL;
  guint16 frame[PIXELS];
  double time_s;
  guint64 id;

  fixture_put_file (bad, "II*\0garbage", 11);
  put (folder, "b.tif", WIDTH, 1);
  while ((source = vg_live_open (address, NULL, NULL)) == NULL)
    g_usleep (50000);
  g_assert_true (vg_source_next (source, frame, &id, &time_s, NULL));
  g_assert_cmpfloat (time_s, ==, 0);
  check_counts (source, 1, 1, 0);
  g_clear_pointer (&source, vg_source_close);
  fixture_remove_folder (g_strdup (folder));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live/ring", test_ring);
  g_test_add_func ("/live/half-frame", test_half_frame);
  g_test_add_func ("/live/before-first", test_before_first);
  g_test_add_func ("/live/clock", test_clock);
  g_test_add_func ("/live/order", test_order);
  g_test_add_func ("/live/order-anew", test_order_anew);
  g_test_add_func ("/live/restart", test_restart);
  g_test_add_func ("/live/interruptions", test_interruptions);
  g_test_add_func ("/live/cut", test_cut);
  g_test_add_func ("/live/cancel", test_cancel);
  g_test_add_func ("/live/lies", test_lies);
  g_test_add_func ("/live/watch", test_watch);
  g_test_add_func ("/live/watch-times", test_watch_times);
  return g_test_run ();
}
