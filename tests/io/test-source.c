/* SPDX-License-Identifier: MIT */
/* Synthetic sources, live and not, and data sets held whole. */
#include "tests/support/io/tiff-fixture.h"
#include <string.h>

/* --- an operation with data of its own: sample i of frame k is 7 k + i --- */

typedef struct
{
  int pixels;
} Data;

static int open_count;
static gulong read_us;

static gpointer
data_open (const void *params, const VgSyntheticSize *size, VgImageInfo *info, GError **error)
{
  Data *data;

  if (size->width > 1000)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY, "too wide");
      return NULL;
    }
  data = g_new (Data, 1);
  data->pixels = size->width * size->height;
  info->type = VG_U16;
  info->width = size->width;
  info->height = size->height;
  info->frame_interval_s = *(const double *) params;
  open_count++;
  return data;
}

static gboolean
data_read (gpointer self, gint64 index, void *frame, GError **error)
{
  for (int i = 0; i < ((Data *) self)->pixels; i++)
    ((guint16 *) frame)[i] = (guint16) (7 * index + i);
  if (read_us)
    g_usleep (read_us);
  return TRUE;
}

static double
data_trigger (gpointer self, gboolean on)
{
  return on ? 2.5 : 4.5;
}

static void
data_close (gpointer self)
{
  open_count--;
  g_free (self);
}

static const VgSampleEvent event = { "Begin", "End", "It happens." };
static const VgSample samples[] = { { "first", "First", "The default.", &event },
                                    { "second", "Second", "Another." },
                                    { NULL } };
static const VgSynthetic synthetic = { .samples = samples,
                                       .open = data_open,
                                       .read = data_read,
                                       .close = data_close,
                                       .trigger = data_trigger };
static const VgOperation operation = { .id = "example", .synthetic = &synthetic };
static const VgOperation without = { .id = "plain" };

static VgSource *
open_synthetic (double interval_s, gint64 frames)
{
  g_autoptr (GError) error = NULL;
  VgSource *source = vg_source_open_synthetic (&operation, &interval_s,
                                               &(VgSyntheticSize){ 5, 3, frames, 1 }, &error);

  g_assert_no_error (error);
  return source;
}

static void
test_batch (void)
{
  g_autoptr (VgSource) source = open_synthetic (1e6, 6);
  g_autoptr (GError) error = NULL;
  guint16 frame[15];
  guint64 id;
  double time_s;

  /* nothing waits where nothing is live */
  g_assert_cmpint (source->info.frames, ==, 6);
  g_assert_true (vg_source_read (source, 4, frame, &error));
  g_assert_cmpint (frame[14], ==, 42);
  for (guint64 k = 0; k < 6; k++)
    {
      g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
      g_assert_cmpuint (id, ==, k);
      g_assert_cmpfloat (time_s, ==, 1e6 * (double) k);
      g_assert_cmpint (frame[0], ==, 7 * k);
    }
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
}

/* Every frame in its time, none before it. */
static void
test_pace (void)
{
  g_autoptr (VgSource) source = open_synthetic (0.01, -1);
  g_autoptr (GError) error = NULL;
  guint16 frame[15];
  guint64 id = 0, last = 0;
  double time_s;
  gint64 start_us = g_get_monotonic_time ();

  for (int k = 0; k < 20; k++)
    {
      g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
      g_assert_true (k == 0 || id > last);
      g_assert_cmpint (frame[0], ==, 7 * id);
      g_assert_cmpfloat_with_epsilon (time_s, 0.01 * (double) id, 1e-9);
      g_assert_cmpint (g_get_monotonic_time () - start_us, >=, (gint64) (id * 10000) - 1);
      last = id;
    }
  g_assert_false (vg_source_read (source, 0, frame, NULL));
}

/* Live data of a sample that has an event offer it; those of another sample, and a series, do not.
 */
static void
test_event (void)
{
  double interval_s = 0.01;
  g_autoptr (VgSource)
      live = open_synthetic (interval_s, -1),
      series = open_synthetic (0.01, 6),
      other = vg_source_open_synthetic (&operation, &interval_s,
                                        &(VgSyntheticSize){ 5, 3, -1, 1, .sample = 1 }, NULL);

  g_assert_true (live->event == &event);
  g_assert_null (series->event);
  g_assert_null (other->event);
  g_assert_cmpfloat (vg_source_trigger (live, TRUE), ==, 2.5);
  g_assert_true (live->event_on);
  g_assert_cmpfloat (vg_source_trigger (live, FALSE), ==, 4.5);
  g_assert_false (live->event_on);
}

/* A live source is never quicker than its limit; a series keeps its times. */
static void
test_rate (void)
{
  g_setenv ("VIVOGRAPH_SAMPLE_RATE", "4", TRUE);
  {
    g_autoptr (VgSource) live = open_synthetic (0.01, -1), slow = open_synthetic (0.5, -1),
                         series = open_synthetic (0.01, 6);

    g_assert_cmpfloat (live->info.frame_interval_s, ==, 0.25);
    g_assert_cmpfloat (slow->info.frame_interval_s, ==, 0.5);
    g_assert_cmpfloat (series->info.frame_interval_s, ==, 0.01);
    /* an event has the time of its frame on the clock of the slowed source */
    g_assert_cmpfloat_with_epsilon (vg_source_trigger (live, TRUE), 2.5 * 25, 1e-9);
  }
  g_setenv ("VIVOGRAPH_SAMPLE_RATE", "nan", TRUE);
  {
    g_autoptr (VgSource) live = open_synthetic (0.01, -1);

    g_assert_cmpfloat (live->info.frame_interval_s, ==, 0.01);
  }
  g_unsetenv ("VIVOGRAPH_SAMPLE_RATE");
}

/* A late reader gets the frame of now, and the gap says what was lost. */
static void
test_late (void)
{
  g_autoptr (VgSource) source = open_synthetic (0.005, -1);
  g_autoptr (GError) error = NULL;
  guint16 frame[15];
  guint64 first, second;
  double time_s;
  gint64 start_us = g_get_monotonic_time (), passed_us;

  g_assert_true (vg_source_next (source, frame, &first, &time_s, &error));
  g_assert_cmpuint (first, ==, 0);
  g_usleep (102500);
  g_assert_true (vg_source_next (source, frame, &second, &time_s, &error));
  passed_us = g_get_monotonic_time () - start_us;
  g_assert_cmpuint (second, >=, 20);
  g_assert_cmpuint (second, <=, (guint64) passed_us / 5000 + 1);
  g_assert_cmpint (frame[0], ==, 7 * second);
}

/* Data that take longer than the interval are lost frames too. */
static void
test_slow_data (void)
{
  g_autoptr (VgSource) source = open_synthetic (0.002, -1);
  g_autoptr (GError) error = NULL;
  guint16 frame[15];
  guint64 id = 0;
  double time_s;

  read_us = 9000;
  for (int k = 0; k < 6; k++)
    g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  read_us = 0;
  g_assert_cmpuint (id, >=, 20);
}

static gpointer
cancel_later (gpointer data)
{
  g_usleep (20000);
  vg_source_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  g_autoptr (VgSource) source = open_synthetic (1e6, -1);
  g_autoptr (GError) error = NULL;
  guint16 frame[15];
  guint64 id;
  double time_s;
  GThread *thread;

  g_assert_true (vg_source_next (source, frame, &id, &time_s, &error));
  thread = g_thread_new ("cancel", cancel_later, source);
  g_assert_false (vg_source_next (source, frame, &id, &time_s, &error));
  g_assert_no_error (error);
  g_thread_join (thread);
}

static void
test_refused (void)
{
  g_autoptr (GError) none = NULL, wide = NULL;
  double interval_s = 1;

  g_assert_null (
      vg_source_open_synthetic (&without, NULL, &(VgSyntheticSize){ 4, 4, 1, 1 }, &none));
  fixture_assert_message (none, "plain has no sample data");
  g_assert_null (vg_source_open_synthetic (&operation, &interval_s,
                                           &(VgSyntheticSize){ 2000, 4, 1, 1 }, &wide));
  g_assert_error (wide, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
  g_assert_cmpint (open_count, ==, 0);
}

/* Read options name the sample; what there is not is refused. */
static void
test_sample (void)
{
  static const struct
  {
    const char *read_options;
    int sample;
  } cases[] = { { NULL, 0 },
                { "", 0 },
                { "sample=first", 0 },
                { "sample=second", 1 },
                { "channel=2 sample=second", 1 } };
  g_autoptr (GError) error = NULL;
  VgSyntheticSize size = { 4, 4, 1, 1 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      size.sample = 1;
      g_assert_true (vg_source_choose_sample (&operation, cases[i].read_options, &size, &error));
      g_assert_no_error (error);
      g_assert_cmpint (size.sample, ==, cases[i].sample);
    }
  size.sample = 1;
  g_assert_false (vg_source_choose_sample (&operation, "sample=third", &size, &error));
  g_assert_cmpstr (error->message, ==, "example has no sample \"third\"; choose first, second");
  g_assert_cmpint (size.sample, ==, 1);
}

/* --- data sets --- */

static void
test_load_image (void)
{
  char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "set.tif", NULL);
  TiffVariant variant = fixture_variant (11, 7, 5);
  g_autofree double *values = fixture_write_tiff (path, &variant, 77);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = vg_image_load (path, VG_FILE_IMAGE, NULL, &error);
  g_autoptr (VgImage) either = NULL;

  g_assert_no_error (error);
  g_assert_cmpint (image->info.frames, ==, 5);
  g_assert_cmpstr (image->name, ==, "set.tif");
  for (gsize i = 0; i < 11 * 7 * 5; i++)
    g_assert_cmpfloat (((const guint16 *) image->data)[i], ==, values[i]);
  either = vg_image_load (path, VG_FILE_IMAGE | VG_FILE_TEXT, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (either->data);
  g_assert_null (vg_image_load (path, VG_FILE_TEXT, NULL, &error));
  fixture_assert_message (error, "is not a text file");
  fixture_remove_folder (folder);
}

static void
test_load_text (void)
{
  char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "table.csv", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) text = NULL;
  g_autoptr (VgImage) either = NULL;

  g_assert_true (g_file_set_contents (path, "time,value\n0,1\n", -1, NULL));
  text = vg_image_load (path, VG_FILE_TEXT, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text->text, ==, "time,value\n0,1\n");
  g_assert_cmpuint (text->text_length, ==, 15);
  either = vg_image_load (path, VG_FILE_IMAGE | VG_FILE_TEXT, NULL, &error);
  g_assert_cmpstr (either->text, ==, text->text);
  g_assert_null (vg_image_load (path, VG_FILE_IMAGE, NULL, &error));
  fixture_assert_message (error, "is not in a format that Vivograph knows");
  g_clear_error (&error);
  g_assert_true (g_file_set_contents (path, "GIF89a......", 12, NULL));
  g_assert_null (vg_image_load (path, VG_FILE_IMAGE, NULL, &error));
  fixture_assert_message (error, "Save it as PNG or TIFF");
  g_clear_error (&error);
  g_assert_null (vg_image_load ("/nonexistent/table.csv", VG_FILE_TEXT, NULL, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN);
  g_clear_error (&error);
  g_assert_null (vg_image_load ("/dev/zero", VG_FILE_TEXT, NULL, &error));
  fixture_assert_message (error, "not a regular file");
  g_clear_error (&error);
  g_assert_null (vg_image_load ("/dev/zero", VG_FILE_IMAGE,
                                &(VgSourceOptions){ .read_options = "4x4:u8" }, &error));
  fixture_assert_message (error, "is a stream");
  fixture_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source/batch", test_batch);
  g_test_add_func ("/source/pace", test_pace);
  g_test_add_func ("/source/event", test_event);
  g_test_add_func ("/source/rate", test_rate);
  g_test_add_func ("/source/late", test_late);
  g_test_add_func ("/source/slow-data", test_slow_data);
  g_test_add_func ("/source/cancel", test_cancel);
  g_test_add_func ("/source/refused", test_refused);
  g_test_add_func ("/source/sample", test_sample);
  g_test_add_func ("/source/load-image", test_load_image);
  g_test_add_func ("/source/load-text", test_load_text);
  return g_test_run ();
}
