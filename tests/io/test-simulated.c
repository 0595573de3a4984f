/* SPDX-License-Identifier: MIT */
/* The simulated camera, and the settings of live sources. */
#include <math.h>
#include <string.h>
#include "tests/support/io/live-fixture.h"

/* Takes frames until N have come whole; returns the id of the last. */
static guint64
take (VgSource *source, void *frame, int n)
{
  guint64 id = 0;

  for (int i = 0; i < n;)
    {
      g_autoptr (GError) error = NULL;
      double time_s;

      if (vg_source_next (source, frame, &id, &time_s, &error))
        i++;
      else
        g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FRAME);
    }
  return id;
}

static void
find_statistics (const guint16 *frame, gsize n, double *mean, double *contrast)
{
  double sum = 0, squares = 0;

  for (gsize i = 0; i < n; i++)
    sum += frame[i];
  *mean = sum / (double) n;
  for (gsize i = 0; i < n; i++)
    squares += pow (frame[i] - *mean, 2);
  *contrast = sqrt (squares / (double) n) / *mean;
}

/* Speckle has the contrast of the formula where no vessel is, and a longer exposure makes it
 * brighter and blurs it. */
static void
test_speckle (void)
{
  const char *const addresses[] = {
    "test:speckle#PixelFormat=Mono16 FrameRate=500 Region=0,380,180,64 ExposureTime=1000",
    "test:speckle#PixelFormat=Mono16 FrameRate=500 Region=0,380,180,64 ExposureTime=5000"
  };
  double mean[2], contrast[2];

  for (int i = 0; i < 2; i++)
    {
      g_autoptr (VgSource) source = fixture_open_live (addresses[i]);
      g_autofree guint16 *frame = g_malloc (2 * 180 * 64);
      double exposure_ms = i == 0 ? 1 : 5, x = exposure_ms / 12, truth;

      g_assert_cmpint (source->info.width, ==, 180);
      g_assert_cmpint (source->info.height, ==, 64);
      g_assert_cmpfloat (source->info.exposure_ms, ==, exposure_ms);
      take (source, frame, 1);
      find_statistics (frame, 180 * 64, &mean[i], &contrast[i]);
      truth = sqrt (0.6 * (exp (-2 * x) - 1 + 2 * x) / (2 * x * x));
      g_assert_cmpfloat_with_epsilon (contrast[i], truth, 0.08);
    }
  g_assert_cmpfloat_with_epsilon (mean[1] / mean[0], 5, 0.5);
  g_assert_cmpfloat (contrast[1], <, contrast[0]);
}

/* Every id is accounted for. */
static void
test_loss (void)
{
  g_autoptr (VgSource)
      source = fixture_open_live ("test:speckle#FrameRate=500 Region=0,0,32,32 FrameLoss=30");
  g_autofree guint8 *frame = g_malloc (32 * 32);
  guint64 id = take (source, frame, 60);
  VgLiveStatus status;

  vg_source_get_status (source, &status);
  g_assert_cmpuint (status.received, ==, 60);
  g_assert_cmpuint (status.bad, >, 0);
  g_assert_cmpuint (status.lost, >, 0);
  g_assert_cmpuint (status.received + status.bad + status.lost, ==, id + 1);
}

static void
check_region (const VgFeature *region)
{
  static const char *const good[] = { "0,0,1280,1024", "1264,1008,16,16" }, *const wrong[] = {
    "0,0,5000,10", "1,0,1280,16", "0,1,16,1024", "0,0,15,16",
    "-1,0,16,16",  "0,0,16,16,1", "0,0,16",      "0,0,99999999999,16"
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (vg_feature_accepts (region, good[i]));
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    g_assert_false (vg_feature_accepts (region, wrong[i]));
}

/* A number without a range is described, too. */
static void
test_no_range (void)
{
  g_autoptr (VgFeatures) features = vg_features_new ();
  const VgFeature *number = vg_features_add (features, "Number", VG_FEATURE_NUMBER);
  g_autofree char *range = vg_feature_describe_range (number);

  g_assert_true (vg_feature_accepts (number, "1e9"));
  g_assert_false (vg_feature_accepts (number, "much"));
  g_assert_cmpstr (range, ==, "a number");
}

static void
test_settings (void)
{
  g_autoptr (VgSource) source = fixture_open_live ("test:speckle#FrameRate=500 Region=0,0,32,32");
  g_autofree guint8 *frame = g_malloc (32 * 32);
  g_autoptr (VgFeatures) first = vg_source_get_features (source), set = NULL, refused = NULL;
  const VgFeature *feature = vg_features_find (first, "ExposureTime");

  g_assert_cmpfloat (feature->max, ==, 1e6);
  g_assert_cmpstr (feature->value, ==, "5000");
  g_assert_true (vg_features_find (first, "PixelFormat")->reopens);
  g_assert_null (vg_features_find (first, "NoSuchFeature"));
  check_region (vg_features_find (first, "Region"));
  vg_source_set_feature (source, "ExposureTime=1000");
  vg_source_set_feature (source, "ExposureTime=2000"); /* in place of the first */
  take (source, frame, 1);
  set = vg_source_get_features (source);
  g_assert_cmpuint (set->serial, ==, first->serial + 1);
  g_assert_cmpfloat (set->exposure_ms, ==, 2);
  g_assert_null (set->refused);
  g_assert_nonnull (strstr (set->text, "ExposureTime=2000"));
  vg_source_set_feature (source, "Gain=1000");
  take (source, frame, 1);
  refused = vg_source_get_features (source);
  g_assert_nonnull (strstr (refused->refused, "from 0 to 24"));
  g_assert_cmpstr (vg_features_find (refused, "Gain")->value, ==, "0");
}

/* An exposure that is too long for the frame rate is told once. */
static void
test_exposure (void)
{
  g_autoptr (VgSource)
      source = fixture_open_live ("test:speckle#FrameRate=100 ExposureTime=20000 Region=0,0,32,32");
  g_autofree guint8 *frame = g_malloc (32 * 32);
  g_autoptr (VgFeatures) first = vg_source_get_features (source), set = NULL;
  VgLiveStatus status;

  g_assert_cmpfloat (first->frame_interval_s, ==, 0.02);
  g_assert_nonnull (strstr (first->caution, "at most 50 frames/s"));
  vg_source_set_feature (source, "Gain=3");
  take (source, frame, 2);
  vg_source_get_status (source, &status);
  g_assert_cmpint (status.state, ==, VG_LIVE_CONNECTED);
  g_assert_cmpuint (status.said, ==, 1);
  g_assert_nonnull (strstr (status.sentence, first->caution));
  vg_source_set_feature (source, "ExposureTime=10000");
  take (source, frame, 1);
  set = vg_source_get_features (source);
  g_assert_null (set->caution);
}

static void
test_unplug (void)
{
  g_autoptr (VgSource)
      source = fixture_open_live ("test:speckle#FrameRate=500 ExposureTime=1000 Region=0,0,32,32");
  g_autofree guint8 *frame = g_malloc (32 * 32);
  VgLiveStatus status;
  guint64 id;

  id = take (source, frame, 1);
  vg_source_set_feature (source, "Unplug=1");
  g_assert_cmpuint (take (source, frame, 1), ==, id + 1); /* after it has come back */
  vg_source_get_status (source, &status);
  g_assert_cmpint (status.state, ==, VG_LIVE_CONNECTED);
  g_assert_cmpuint (status.said, ==, 2);
  g_assert_cmpuint (status.interrupted, ==, 1);
  g_assert_nonnull (strstr (status.sentence, "again"));
}

static void
test_refusals (void)
{
  static const char *const wrong[] = {
    "test:nothing",
    "test:speckle#Region=0,0,4000,4000",
    "test:speckle#Region=0,0,-5,99999999999",
    "test:speckle#ExposureTime=nan",
    "test:speckle#ExposureTime=1e300",
    "test:speckle#PixelFormat=Bayer",
    "test:speckle#NoSuchFeature=1",
    "test:speckle#Gain",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = vg_live_open (wrong[i], NULL, &error);

      g_assert_null (source);
      g_assert_error (error, VG_USAGE_ERROR, 0);
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (vg_live_open ("test:speckle#Gain=1 Exposre=5", NULL, &error));
    g_assert_cmpstr (error->message, ==,
                     "\"Simulated camera\" does not have the setting \"Exposre\"; did you mean "
                     "ExposureTime?");
  }
}

static void
test_addresses (void)
{
  g_autofree char *one = vg_live_address_with ("camera:A", "Gain=3"),
                  *two = vg_live_address_with (one, "ExposureTime=5"),
                  *three = vg_live_address_with (two, "Gain=4"),
                  *bad = vg_live_address_with (two, "Gain=4 ExposureTime=1"),
                  *device = vg_live_address_device (three);

  g_assert_cmpstr (one, ==, "camera:A#Gain=3");
  g_assert_cmpstr (two, ==, "camera:A#Gain=3 ExposureTime=5");
  g_assert_cmpstr (three, ==, "camera:A#ExposureTime=5 Gain=4");
  g_assert_cmpstr (bad, ==, two);
  g_assert_cmpstr (device, ==, "camera:A");
  g_assert_true (vg_live_is_same_device (one, two));
  g_assert_false (vg_live_is_same_device (one, "camera:B#Gain=3"));
  g_assert_true (vg_live_sends_images ("camera:A"));
  g_assert_false (vg_live_sends_images ("watch:/tmp"));
  g_assert_false (vg_live_sends_images ("a.tif"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulated/no-range", test_no_range);
  g_test_add_func ("/simulated/speckle", test_speckle);
  g_test_add_func ("/simulated/loss", test_loss);
  g_test_add_func ("/simulated/settings", test_settings);
  g_test_add_func ("/simulated/exposure", test_exposure);
  g_test_add_func ("/simulated/unplug", test_unplug);
  g_test_add_func ("/simulated/refusals", test_refusals);
  g_test_add_func ("/simulated/addresses", test_addresses);
  return g_test_run ();
}
