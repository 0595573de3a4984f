/* SPDX-License-Identifier: MIT */
/* The built program reads live sources: a watched folder, a GStreamer pipeline, cameras, and
 * records them.  Works on whatever operations are registered. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include "io/source/vg-source.h"
#include "tests/support/app/cli-fixture.h"

/* The folder of the fixture has a whole stack and a file that was cut. */
static void
test_watch (CliFixture *f, gconstpointer data)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *summary, *live, *map;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult)
        result = cli_run (f, "vg run OP watch:DIR --max-frames 7 --out OUT --backend cpu");

    g_assert_cmpint (result.status, ==, 0);
    g_assert_nonnull (strstr (result.errors, "no complete, readable file yet"));
  }
  root = cli_load_summary (f);
  summary = json_node_get_object (root);
  live = json_object_get_object_member (summary, "live");
  g_assert_cmpint (json_object_get_int_member (live, "received"), ==, CLI_FRAMES);
  g_assert_cmpint (json_object_get_int_member (live, "bad"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (live, "lost"), ==, 0);
  map = json_object_get_object_member (json_object_get_object_member (summary, "outputs"),
                                       f->stream->outputs[0].id);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, CLI_FRAMES);
  cli_check_output (f, f->stream->outputs[0].id, map);
}

/* A limit ends a stack as well, and its maps are those of a shorter stack. */
static void
test_limits (CliFixture *f, gconstpointer data)
{
  static const struct
  {
    const char *line, *says;
    int status;
  } cases[] = {
    { "vg run OP TIFF --max-frames 0 --out OUT", "max-frames", 2 },
    { "vg run OP TIFF --seconds x --out OUT", "--seconds is", 2 },
    { "vg run OP TIFF --seconds 1 --out OUT", "--max-frames", 2 },
    { "vg run OP shm:vg-no-such-memory --seconds 0.3 --out OUT", "sent no frame within 0.3 s", 3 },
    { "vg record shm:vg-no-such-memory --seconds 0.3 --out OUT", "sent no frame within 0.3 s", 3 },
    { "vg run OP shn:speckle --out OUT", "neither a file nor the address of a live source", 3 },
    { "vg run OP shm:a/b --out OUT", "cannot be the name of a shared memory", 2 },
    { "vg run OP watch:DIR/none --out OUT", "cannot watch", 3 },
    { "vg run OP watch:DIR TIFF --out OUT", "name only one", 2 },
  };
  g_autoptr (JsonNode) root = NULL;
  JsonObject *outputs;

  if (cli_skip_without_stream (f))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (CliResult) result = cli_run (f, cases[i].line);

      g_assert_cmpint (result.status, ==, cases[i].status);
      g_assert_nonnull (strstr (result.errors, cases[i].says));
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
  {
    g_auto (CliResult) result = cli_run (f, "vg run OP TIFF --max-frames 3 --out OUT "
                                            "--backend cpu");

    g_assert_cmpint (result.status, ==, 0);
  }
  root = cli_load_summary (f);
  outputs = json_object_get_object_member (json_node_get_object (root), "outputs");
  g_assert_cmpint (json_object_get_int_member (
                       json_object_get_object_member (outputs, f->stream->outputs[0].id), "pages"),
                   ==, 3);
}

/* TRUE, and the test is skipped: RESULT says that a part is not installed here. */
static gboolean
skip_without_part (const CliResult *result)
{
  if (strstr (result->errors, "is not installed") == NULL &&
      strstr (result->errors, "no element") == NULL)
    return FALSE;
  g_test_skip ("GStreamer, one of its elements or Aravis is not installed");
  return TRUE;
}

static void
check_live (CliFixture *f, int frames)
{
  g_autoptr (JsonNode) root = cli_load_summary (f);
  JsonObject *summary = json_node_get_object (root);
  JsonObject *live = json_object_get_object_member (summary, "live"),
             *map = json_object_get_object_member (
                 json_object_get_object_member (summary, "outputs"), f->stream->outputs[0].id);

  g_assert_cmpint (json_object_get_int_member (live, "received"), ==, frames);
  g_assert_cmpint (json_object_get_int_member (live, "bad"), ==, 0);
  g_assert_cmpint (json_object_get_int_member (map, "pages"), ==, frames);
  cli_check_output (f, f->stream->outputs[0].id, map);
}

/* A camera that is faster than the maps: the frames that wait when the time is over are computed,
 * too. */
static void
test_frames_that_wait (CliFixture *f, gconstpointer data)
{
  g_autoptr (JsonNode) root = NULL;
  JsonObject *summary, *live, *map;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) result = cli_run (f, "vg run OP test:speckle#FrameRate=200 --seconds 1 "
                                            "--out OUT --backend cpu --threads 1");

    g_assert_cmpint (result.status, ==, 0);
  }
  root = cli_load_summary (f);
  summary = json_node_get_object (root);
  live = json_object_get_object_member (summary, "live");
  map = json_object_get_object_member (json_object_get_object_member (summary, "outputs"),
                                       f->stream->outputs[0].id);
  g_assert_true (
      g_str_has_prefix (json_object_get_string_member (
                            json_object_get_object_member (summary, "provenance"), "source"),
                        "Simulated camera"));
  g_assert_cmpint (json_object_get_int_member (live, "received"), ==,
                   json_object_get_int_member (map, "pages"));
}

/* Runs ARGUMENTS, whose last words may have spaces. */
static CliResult
run_words (CliFixture *f, const char *const *words)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  CliResult result = { 0 };

  g_strv_builder_add (builder, g_getenv ("VIVOGRAPH_PROGRAM"));
  for (; *words != NULL; words++)
    g_strv_builder_add (builder, g_str_equal (*words, "OP")    ? f->stream->id
                                 : g_str_equal (*words, "OUT") ? f->out
                                                               : *words);
  argv = g_strv_builder_end (builder);
  g_assert_true (g_spawn_sync (NULL, argv, NULL, 0, NULL, NULL, &result.output, &result.errors,
                               &result.status, NULL));
  result.status = WIFEXITED (result.status) ? WEXITSTATUS (result.status) : 1000;
  return result;
}

/* A run with an alarm is not late, so it loses frames that come too fast, and says what to do. */
static void
test_too_fast (CliFixture *f, gconstpointer data)
{
  static const char *const words[] = {
    "run",       "OP",        "test:speckle#FrameRate=200 FrameLoss=40",
    "--seconds", "1",         "--alarm",
    "1",         "--rois",    "rect:9,9,50,50",
    "--out",     "OUT",       "--backend",
    "cpu",       "--threads", "1",
    NULL
  };
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *account = NULL;
  int received, bad, lost;
  JsonObject *live;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) result = run_words (f, words);

    g_assert_cmpint (result.status, ==, 1); /* not all frames can be read */
    root = cli_load_summary (f);
    live = json_object_get_object_member (json_node_get_object (root), "live");
    received = (int) json_object_get_int_member (live, "received");
    bad = (int) json_object_get_int_member (live, "bad");
    lost = (int) json_object_get_int_member (live, "lost");
    g_assert_cmpint (bad, >, 0);
    account = g_strdup_printf ("%d sent = %d received + %d bad + %d lost; %d have maps",
                               received + bad + lost, received, bad, lost, received);
    g_assert_nonnull (strstr (result.errors, account));
    g_assert_nonnull (strstr (result.errors, "vivograph record \"test:speckle"));
  }
}

/* The end of the pipeline is the end of the stream; a wrong description is refused. */
static void
test_pipeline (CliFixture *f, gconstpointer data)
{
  static const char *const words[] = {
    "run",   "OP",  "gst:videotestsrc num-buffers=9 ! video/x-raw,format=GRAY8,width=64,height=48",
    "--out", "OUT", "--backend",
    "cpu",   NULL
  };
  static const char *const wrong[] = { "run", "OP", "gst:nosuchelement", "--out", "OUT", NULL };

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) result = run_words (f, words);

    if (skip_without_part (&result))
      return;
    g_assert_cmpint (result.status, ==, 0);
    check_live (f, 9);
  }
  {
    g_auto (CliResult) result = run_words (f, wrong);

    g_assert_cmpint (result.status, ==, 2);
    g_assert_nonnull (strstr (result.errors, "nosuchelement"));
  }
}

/* A pipeline that delivers its frames faster than they were taken is recorded for the time that
 * they span, in colour or in grey. */
static void
test_record_video (CliFixture *f, gconstpointer data)
{
  static const char *const ends[] = { NULL, "--grey" };
  const char *words[] = { "record",
                          "gst:videotestsrc num-buffers=300 ! "
                          "video/x-raw,format=RGB,width=64,height=48,framerate=10/1",
                          "--seconds",
                          "2",
                          "--out",
                          NULL,
                          NULL,
                          NULL };

  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/video%u.tif", f->folder, i);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgSource) source = NULL;
      g_auto (CliResult) result = { 0 };

      words[5] = path;
      words[6] = ends[i];
      result = run_words (f, words);
      if (skip_without_part (&result))
        return;
      g_assert_cmpint (result.status, ==, 0);
      g_assert_cmpint (strstr (result.errors, "record with --grey") != NULL, ==, i == 0);
      source = vg_source_open (path, &(VgSourceOptions){ .colour = TRUE }, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.frames, ==, 21); /* from 0 to 2.0 s */
      g_assert_cmpint (source->info.channels, ==, i == 0 ? 3 : 1);
    }
}

/* A run ends by the times of the frames, too. */
static void
test_run_video (CliFixture *f, gconstpointer data)
{
  static const char *const words[] = {
    "run",       "OP", "gst:videotestsrc ! video/x-raw,width=64,height=48,framerate=10/1",
    "--seconds", "1",  "--out",
    "OUT",       NULL
  };
  g_auto (CliResult) result = { 0 };

  if (cli_skip_without_stream (f))
    return;
  result = run_words (f, words);
  if (skip_without_part (&result))
    return;
  g_assert_cmpint (result.status, ==, 0);
  check_live (f, 11);
}

/* The camera that Aravis simulates in the program itself, without a network. */
static void
test_camera (CliFixture *f, gconstpointer data)
{
  static const char *const words[] = { "run",
                                       "OP",
                                       "camera:Fake_1",
                                       "--camera-set",
                                       "Region=0,0,64,48 PixelFormat=Mono16 ExposureTime=4000",
                                       "--max-frames",
                                       "5",
                                       "--out",
                                       "OUT",
                                       "--backend",
                                       "cpu",
                                       NULL };
  static const char *const wrong[] = {
    "run", "OP", "camera:Fake_1", "--camera-set", "NoSuchFeature=1", "--out", "OUT", NULL
  };
  g_autoptr (JsonNode) root = NULL;
  const char *details;

  if (cli_skip_without_stream (f))
    return;
  {
    g_auto (CliResult) result = run_words (f, words);

    if (skip_without_part (&result))
      return;
    g_assert_cmpint (result.status, ==, 0);
  }
  root = cli_load_summary (f);
  details = json_object_get_string_member (
      json_object_get_object_member (json_node_get_object (root), "live"), "details");
  g_assert_nonnull (strstr (details, "PixelFormat=Mono16 Region=0,0,64,48 ExposureTime=4000"));
  {
    g_auto (CliResult) result = run_words (f, wrong);

    g_assert_cmpint (result.status, ==, 2);
    g_assert_nonnull (strstr (result.errors, "NoSuchFeature"));
  }
}

/* What is missing for a list of devices, and what to install. */
static void
test_no_plugins (CliFixture *f, gconstpointer data)
{
  g_autofree char *registry = g_build_filename (f->folder, "registry.bin", NULL);

  g_setenv ("GST_PLUGIN_SYSTEM_PATH_1_0", f->folder, TRUE);
  g_setenv ("GST_PLUGIN_PATH_1_0", f->folder, TRUE);
  g_setenv ("GST_REGISTRY", registry, TRUE);
  {
    g_auto (CliResult) result = cli_run (f, "vg devices");

    g_unsetenv ("GST_PLUGIN_SYSTEM_PATH_1_0");
    g_unsetenv ("GST_PLUGIN_PATH_1_0");
    g_unsetenv ("GST_REGISTRY");
    g_assert_cmpint (result.status, ==, 0);
    if (strstr (result.output, "the GStreamer module is not installed") != NULL)
      g_test_skip ("the GStreamer module is not built");
    else
      g_assert_nonnull (strstr (result.output, "install gstreamer1.0-plugins-good"));
  }
}

static void
test_record (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;

  {
    g_auto (CliResult)
        result = cli_run (f, "vg record camera:Fake_1 --max-frames 12 --out DIR/rec.tif");

    if (skip_without_part (&result))
      return;
    g_assert_cmpint (result.status, ==, 0);
    g_assert_nonnull (strstr (result.output, "Recorded 12 frames"));
  }
  source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, 12);
  g_assert_nonnull (source->times_s);
  {
    g_auto (CliResult) result = cli_run (f, "vg record TIFF --out DIR/copy.tif");

    g_assert_cmpint (result.status, ==, 2);
  }
}

/* A camera on the network of this computer alone. */
static void
test_network_camera (CliFixture *f, gconstpointer data)
{
  static const char *const camera[] = {
    "arv-fake-gv-camera-0.8", "-i", "127.0.0.1", "-s", "VGTEST", NULL
  };
  g_autofree char *tool = g_find_program_in_path (camera[0]);
  GPid pid = 0;

  if (tool == NULL)
    {
      g_test_skip ("arv-fake-gv-camera-0.8 is not installed");
      return;
    }
  g_assert_true (g_spawn_async (NULL, (char **) camera, NULL,
                                G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                                    G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                                NULL, NULL, &pid, NULL));
  g_usleep (300000);
  {
    g_auto (CliResult) result = cli_run (
        f, "vg record camera:Aravis-VGTEST --max-frames 10 --seconds 20 --out DIR/net.tif");

    kill (pid, SIGKILL);
    waitpid (pid, NULL, 0);
    if (skip_without_part (&result))
      return;
    if (strstr (result.errors, "was not found") != NULL)
      {
        g_test_skip ("the camera cannot be reached, because its port is in use or there is no "
                     "loopback network");
        return;
      }
    g_assert_cmpint (result.status, ==, 0);
    g_assert_nonnull (strstr (result.output, "Recorded 10 frames"));
    g_assert_nonnull (strstr (result.output, " + 0 bad + 0 lost"));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/command-live/watch", CliFixture, NULL, cli_set_up, test_watch, cli_tear_down);
  g_test_add ("/command-live/limits", CliFixture, NULL, cli_set_up, test_limits, cli_tear_down);
  g_test_add ("/command-live/frames-that-wait", CliFixture, NULL, cli_set_up, test_frames_that_wait,
              cli_tear_down);
  g_test_add ("/command-live/no-plugins", CliFixture, NULL, cli_set_up, test_no_plugins,
              cli_tear_down);
  g_test_add ("/command-live/too-fast", CliFixture, NULL, cli_set_up, test_too_fast, cli_tear_down);
  g_test_add ("/command-live/pipeline", CliFixture, NULL, cli_set_up, test_pipeline, cli_tear_down);
  g_test_add ("/command-live/record-video", CliFixture, NULL, cli_set_up, test_record_video,
              cli_tear_down);
  g_test_add ("/command-live/run-video", CliFixture, NULL, cli_set_up, test_run_video,
              cli_tear_down);
  g_test_add ("/command-live/camera", CliFixture, NULL, cli_set_up, test_camera, cli_tear_down);
  g_test_add ("/command-live/record", CliFixture, NULL, cli_set_up, test_record, cli_tear_down);
  g_test_add ("/command-live/network-camera", CliFixture, NULL, cli_set_up, test_network_camera,
              cli_tear_down);
  return g_test_run ();
}
