/* SPDX-License-Identifier: MIT */
/* A GenICam camera: the simulated one of Aravis, in this process. */
#include <string.h>
#include "tests/support/io/live-fixture.h"
#include "kernels/base/vg-error.h"

enum { WIDTH = 64, HEIGHT = 48, LATE_S = 100 };
#define CAMERA "camera:Fake_1#Region=0,0,64,48 PixelFormat=Mono16 FrameRate=100"

/* Takes FRAMES frames.  FALSE: one of them failed, as ERROR says. */
static gboolean
take (VgSource *source, int frames, GError **error)
{
  g_autofree guint16 *frame = g_new (guint16, WIDTH * HEIGHT);
  gboolean good = TRUE;
  double time_s;
  guint64 id;

  for (int i = 0; good && i < frames; i++)
    good = vg_source_next (source, frame, &id, &time_s, error);
  return good;
}

static const VgFeature *
find (const VgFeatures *features, const char *name, VgFeatureKind kind)
{
  const VgFeature *feature = vg_features_find (features, name);

  g_assert_nonnull (feature);
  g_assert_cmpint (feature->kind, ==, kind);
  return feature;
}

/* The settings that users need are there, with the ranges of the camera, and are set. */
static void
test_features (void)
{
  static const char *const formats[] = { "Mono8", "Mono16", NULL };
  static const char *const triggers[] = { "Off", "Line0", "Software", NULL };
  g_autoptr (VgSource)
      source = fixture_open_live (CAMERA " Binning=1,1 ExposureTime=4000 Gain=5 Trigger=Off");
  g_autoptr (VgFeatures) features = vg_source_get_features (source), refused = NULL, set = NULL;
  const VgFeature *feature = find (features, "ExposureTime", VG_FEATURE_NUMBER);

  g_assert_cmpint (source->info.width, ==, WIDTH);
  g_assert_cmpint (source->info.height, ==, HEIGHT);
  g_assert_cmpint (source->info.type, ==, VG_U16);
  g_assert_cmpfloat (source->info.exposure_ms, ==, 4);
  g_assert_cmpfloat_with_epsilon (source->info.frame_interval_s, 0.01, 1e-6);
  g_assert_cmpstr (feature->value, ==, "4000");
  g_assert_cmpfloat (feature->min, <, feature->max);
  feature = find (features, "Gain", VG_FEATURE_NUMBER);
  g_assert_cmpstr (feature->value, ==, "5");
  g_assert_cmpfloat (feature->max, <, 1000);
  g_assert_cmpstr (find (features, "FrameRate", VG_FEATURE_NUMBER)->unit, ==, "1/s");
  feature = find (features, "PixelFormat", VG_FEATURE_CHOICE);
  g_assert_true (feature->reopens);
  g_assert_cmpstrv (feature->choices, formats);
  feature = find (features, "Trigger", VG_FEATURE_CHOICE);
  g_assert_cmpstr (feature->value, ==, "Off");
  for (guint i = 0; triggers[i] != NULL; i++)
    g_assert_true (g_strv_contains ((const char *const *) feature->choices, triggers[i]));
  feature = find (features, "TriggerActivation", VG_FEATURE_CHOICE);
  g_assert_true (g_strv_contains ((const char *const *) feature->choices, "RisingEdge"));
  g_assert_cmpstr (find (features, "Binning", VG_FEATURE_TEXT)->value, ==, "1,1");
  g_assert_cmpstr (find (features, "Region", VG_FEATURE_TEXT)->value, ==, "0,0,64,48");
  vg_source_set_feature (source, "Gain=1000");
  g_assert_true (take (source, 2, NULL));
  refused = vg_source_get_features (source);
  g_assert_nonnull (strstr (refused->refused, "does not accept Gain=1000"));
  vg_source_set_feature (source, "ExposureTime=20000"); /* longer than from frame to frame */
  g_assert_true (take (source, 2, NULL));
  set = vg_source_get_features (source);
  g_assert_cmpfloat (set->exposure_ms, ==, 20);
  g_assert_nonnull (strstr (set->caution, "at most 50 frames/s"));
}

/* Frames that were taken before a change of the exposure time keep theirs. */
static void
test_change (void)
{
  g_autoptr (VgSource) source = fixture_open_live (CAMERA " ExposureTime=4000");
  VgLiveStatus status;
  int before = 0;

  g_assert_true (take (source, 2, NULL));
  g_assert_cmpfloat (source->exposure_ms, ==, 4);
  g_usleep (200000); /* for frames that wait */
  vg_source_set_feature (source, "ExposureTime=2000");
  for (; take (source, 1, NULL) && source->exposure_ms == 4; before++)
    g_assert_cmpint (before, <, 100);
  g_assert_cmpint (before, >=, 3);
  g_assert_true (take (source, 5, NULL));
  g_assert_cmpfloat (source->exposure_ms, ==, 2);
  vg_source_get_status (source, &status);
  g_assert_cmpuint (status.exposures, ==, 1);
}

/* The other features of the camera are read between frames. */
static void
test_tree (void)
{
  g_autoptr (VgSource) source = fixture_open_live (CAMERA);
  const gint64 end = g_get_monotonic_time () + LATE_S * G_TIME_SPAN_SECOND;
  gboolean found = FALSE;

  while (!found && g_get_monotonic_time () < end)
    {
      g_autoptr (VgFeatures) features = NULL;

      g_assert_true (take (source, 1, NULL));
      features = vg_source_get_features (source);
      found = vg_features_find (features, "SensorWidth") != NULL;
    }
  g_assert_true (found);
}

/* Source and edge of the trigger; a camera whose trigger never comes is in camera-loss. */
static void
test_trigger (void)
{
  g_autoptr (VgSource)
      source = fixture_open_live (CAMERA " Trigger=Software TriggerActivation=RisingEdge");
  g_autoptr (VgFeatures) features = vg_source_get_features (source);

  g_assert_cmpstr (find (features, "Trigger", VG_FEATURE_CHOICE)->value, ==, "Software");
  g_assert_cmpstr (find (features, "TriggerActivation", VG_FEATURE_CHOICE)->value, ==,
                   "RisingEdge");
}

/* Frames of another size or format end the stream: what receives them was made for the first
 * ones. */
static void
test_other_frames (void)
{
  static const char *const settings[] = { "Region=0,0,32,48", "PixelFormat=Mono8" },
                           *const what[] = { "changed its frames from 64x48",
                                             "changed the pixel format" };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      g_autoptr (VgSource) source = fixture_open_live (CAMERA);
      g_autoptr (GError) error = NULL;

      g_assert_true (take (source, 2, NULL));
      vg_source_set_feature (source, settings[i]);
      g_assert_false (take (source, 100, &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_STREAM);
      g_assert_nonnull (strstr (error->message, what[i]));
    }
}

static void
test_refusals (void)
{
  static const struct
  {
    const char *address, *what;
  } wrong[] = { { "camera:Fake_1#Region=0,0,99999,5", "does not accept Region" },
                { "camera:Fake_1#Binning=2", "does not accept Binning" },
                { "camera:Fake_1#FrameRate=fast", "it is no number" },
                { "camera:Fake_1#PixelFormat=RGB8", "is not supported" },
                { "camera:Fake_1#Trigger=Nothing", "does not accept Trigger" },
                { "camera:Fake_1#Gain=1 Exposre=5",
                  "\"Aravis Fake\" does not have the setting \"Exposre\"; did you mean "
                  "ExposureTime?" },
                { "camera:NoSuchCamera", "was not found" } };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (vg_live_open (wrong[i].address, NULL, &error));
      g_assert_nonnull (error);
      if (strstr (error->message, wrong[i].what) == NULL)
        g_error ("%s: %s", wrong[i].address, error->message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/camera/features", test_features);
  g_test_add_func ("/camera/change", test_change);
  g_test_add_func ("/camera/tree", test_tree);
  g_test_add_func ("/camera/trigger", test_trigger);
  g_test_add_func ("/camera/other-frames", test_other_frames);
  g_test_add_func ("/camera/refusals", test_refusals);
  return g_test_run ();
}
