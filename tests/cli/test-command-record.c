/* SPDX-License-Identifier: MIT */
/* The built program follows a live source through time: it waits for a trigger, for a source that
 * broke off and comes back, and for one that sends nothing until it is told to stop. */
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include "io/source/vg-source.h"
#include "tests/support/app/cli-fixture.h"
#include "tests/support/io/shm-fixture.h"

enum { STEP_US = 10000, LONGEST_S = 160 };

/* A program that runs. */
typedef struct
{
  GPid pid;
  int input;
  char *output, *errors; /* files */
} Running;

/* Starts the program with WORDS, which may have spaces, and OP and OUT replaced.  SET_UP (or NULL)
 * is called before in its process. */
static Running
start_with (CliFixture *f, const char *const *words, GSpawnChildSetupFunc set_up)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;
  Running self = { .output = g_build_filename (f->folder, "said", NULL),
                   .errors = g_build_filename (f->folder, "warned", NULL) };
  int output = g_creat (self.output, 0600), errors = g_creat (self.errors, 0600);

  g_strv_builder_add (builder, g_getenv ("VIVOGRAPH_PROGRAM"));
  for (; *words != NULL; words++)
    g_strv_builder_add (builder, g_str_equal (*words, "OP")    ? f->stream->id
                                 : g_str_equal (*words, "OUT") ? f->out
                                                               : *words);
  argv = g_strv_builder_end (builder);
  g_spawn_async_with_pipes_and_fds (NULL, (const char *const *) argv, NULL,
                                    G_SPAWN_DO_NOT_REAP_CHILD, set_up, NULL, -1, output, errors,
                                    NULL, NULL, 0, &self.pid, &self.input, NULL, NULL, &error);
  g_assert_no_error (error);
  close (output);
  close (errors);
  return self;
}

static Running
start (CliFixture *f, const char *const *words)
{
  return start_with (f, words, NULL);
}

static gboolean
has_said (const char *path, const char *text)
{
  g_autofree char *said = NULL;

  return g_file_get_contents (path, &said, NULL, NULL) && strstr (said, text) != NULL;
}

/* FALSE: the program still runs. */
static gboolean
has_ended (const Running *self, int *status)
{
  int found = 0;

  if (waitpid (self->pid, &found, WNOHANG) != self->pid)
    return FALSE;
  *status = WIFEXITED (found) ? WEXITSTATUS (found) : 1000 + WTERMSIG (found);
  return TRUE;
}

/* The exit status. */
static int
wait_status (const Running *self)
{
  int status = -1;

  for (gint64 end = g_get_monotonic_time () + LONGEST_S * G_TIME_SPAN_SECOND;
       !has_ended (self, &status) && g_get_monotonic_time () < end;)
    g_usleep (STEP_US);
  if (status < 0)
    kill (self->pid, SIGKILL);
  return status;
}

static gboolean
wait_until_said (const Running *self, const char *text)
{
  for (gint64 end = g_get_monotonic_time () + LONGEST_S * G_TIME_SPAN_SECOND;
       !has_said (self->errors, text) && g_get_monotonic_time () < end;)
    g_usleep (STEP_US);
  return has_said (self->errors, text);
}

/* TRUE, and the test is skipped: a part is not installed. */
static gboolean
skip_without_part (const Running *self)
{
  if (!has_said (self->errors, "is not installed") && !has_said (self->errors, "no element"))
    return FALSE;
  g_test_skip ("GStreamer, one of its elements or Aravis is not installed");
  return TRUE;
}

static void
clear (Running *self)
{
  if (self->input >= 0)
    close (self->input);
  g_free (self->output);
  g_free (self->errors);
}

/* ---- the trigger ---- */

/* Whether the program has the shared memory of PRODUCER open. */
static gboolean
has_opened (const Running *self, const ShmProducer *producer)
{
  g_autofree char *folder = g_strdup_printf ("/proc/%d/fd", (int) self->pid);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  gboolean found = FALSE;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL),
                      *target = g_file_read_link (path, NULL);

      found |= target != NULL && g_str_has_suffix (target, producer->object);
    }
  return found;
}

/* Until the program has read what it was told. */
static void
wait_until_read (const Running *self)
{
  int unread = 1;

  for (gint64 end = g_get_monotonic_time () + LONGEST_S * G_TIME_SPAN_SECOND;
       unread > 0 && g_get_monotonic_time () < end;)
    {
      g_usleep (STEP_US);
      g_assert_cmpint (ioctl (self->input, FIONREAD, &unread), ==, 0);
    }
}

/* The file begins with frames from before the line, however far behind the program was, and none is
 * missing. */
static void
check_recorded (const char *path, guint64 sent, int frames)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
  guint64 first = 0;

  g_assert_no_error (error);
  g_assert_cmpint (source->info.frames, ==, frames);
  for (int i = 0; i < frames; i++)
    {
      guint16 samples[SHM_PIXELS];

      g_assert_true (vg_source_read (source, i, samples, &error));
      first = i == 0 ? samples[0] : first;
      g_assert_cmpuint (samples[SHM_PIXELS - 1], ==, first + (guint64) i);
    }
  g_assert_cmpuint (first, <=, sent);
}

static void
test_trigger (CliFixture *f, gconstpointer data)
{
  enum { FRAMES = 80 };
  ShmProducer producer = { 0 };
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL);
  const char *words[] = { "record", NULL,           "--out", path, "--pre-trigger",
                          "0.5",    "--max-frames", "80",    NULL };
  Running running;
  guint64 sent = 0, opened = 0;
  int status = -1;

  shm_producer_begin (&producer, 4096);
  words[1] = producer.address;
  running = start (f, words);
  for (guint64 id = 1; id < 4000 && !has_ended (&running, &status); id++)
    {
      shm_producer_send (&producer, id, 1000 * STEP_US);
      g_usleep (STEP_US);
      if (opened == 0 && has_opened (&running, &producer))
        opened = id;
      /* far more than the time before the trigger */
      if (opened > 0 && id == opened + 300)
        {
          g_assert_cmpint (write (running.input, "\n", 1), ==, 1);
          sent = id;
          wait_until_read (&running);
        }
    }
  g_assert_cmpint (status, ==, 0);
  g_assert_true (has_said (running.output, "80 frames"));
  check_recorded (path, sent, FRAMES);
  clear (&running);
  shm_producer_clear (&producer);
}

/* A file that appears before the trigger is not replaced without --force. */
static void
test_trigger_keeps (CliFixture *f, gconstpointer data)
{
  ShmProducer producer = { 0 };
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL),
                  *second = g_build_filename (f->folder, "rec-2.tif", NULL), *kept = NULL;
  const char *words[] = { "record", NULL,           "--out", path, "--pre-trigger",
                          "0.5",    "--max-frames", "8",     NULL };
  Running running;
  int status = -1;
  gboolean triggered = FALSE;

  shm_producer_begin (&producer, 4096);
  words[1] = producer.address;
  running = start (f, words);
  for (guint64 id = 1; id < 4000 && !has_ended (&running, &status); id++)
    {
      shm_producer_send (&producer, id, 1000 * STEP_US);
      g_usleep (STEP_US);
      if (triggered || !has_opened (&running, &producer))
        continue;
      g_assert_true (g_file_set_contents (path, "kept", -1, NULL));
      g_assert_cmpint (write (running.input, "\n", 1), ==, 1);
      triggered = TRUE;
    }
  g_assert_cmpint (status, ==, 0);
  g_assert_true (g_file_get_contents (path, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, "kept");
  g_assert_true (has_said (running.output, "rec-2.tif"));
  g_assert_true (g_file_test (second, G_FILE_TEST_EXISTS));
  clear (&running);
  shm_producer_clear (&producer);
}

/* The source is waited for.  Without a line that could come, the recording cannot begin. */
static void
test_no_trigger (CliFixture *f, gconstpointer data)
{
  ShmProducer producer = { 0 };
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL);
  const char *words[] = { "record", NULL, "--out", path, "--pre-trigger", "0.5", NULL };
  Running running;

  shm_producer_begin (&producer, 4);
  words[1] = producer.address;
  shm_producer_die (&producer);
  g_assert_cmpint (shm_unlink (producer.object), ==, 0);
  running = start (f, words);
  g_assert_true (wait_until_said (&running, "there is no shared memory"));
  shm_producer_begin (&producer, 4);
  close (running.input);
  running.input = -1;
  g_assert_cmpint (wait_status (&running), ==, 1);
  g_assert_true (has_said (running.errors, "no line on standard input"));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  clear (&running);
  shm_producer_clear (&producer);
}

/* ---- what breaks off ---- */

/* As on a disk with no more space. */
static void
limit_files (gpointer data)
{
  struct rlimit most = { 32768, 32768 };

  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &most);
}

/* A recording that cannot be written any further ends, though the source goes on. */
static void
test_full (CliFixture *f, gconstpointer data)
{
  ShmProducer producer = { 0 };
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL);
  const char *words[] = { "record", NULL, "--out", path, NULL };
  Running running;
  int status = -1;

  shm_producer_begin (&producer, 4096);
  words[1] = producer.address;
  running = start_with (f, words, limit_files);
  for (guint64 id = 1; id < 3000 && !has_ended (&running, &status); id++)
    {
      shm_producer_send (&producer, id, 1000 * STEP_US);
      g_usleep (STEP_US);
    }
  if (status < 0)
    kill (running.pid, SIGKILL);
  g_assert_cmpint (status, ==, 1);
  g_assert_true (has_said (running.errors, "vivograph: "));
  clear (&running);
  shm_producer_clear (&producer);
}

/* A pipeline that breaks off after every fourth frame is started again, and the time between is
 * that between the frames. */
static void
test_restart (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL);
  const char *const words[] = {
    "record",
    "gst:videotestsrc is-live=true ! video/x-raw,format=GRAY8,width=32,height=24,framerate=50/1 ! "
    "identity error-after=4",
    "--out",
    path,
    "--max-frames",
    "10",
    NULL
  };
  Running running = start (f, words);
  int status = wait_status (&running);
  g_autoptr (VgSource) source = NULL;
  g_autoptr (GError) error = NULL;
  int pauses = 0;

  if (!skip_without_part (&running))
    {
      g_assert_cmpint (status, ==, 0);
      g_assert_true (has_said (running.errors, " stopped: "));
      g_assert_true (has_said (running.errors, "delivers frames again"));
      g_assert_true (has_said (running.output, " + 0 bad + 0 lost"));
      source = vg_source_open (path, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (source->info.frames, ==, 10);
      g_assert_nonnull (source->times_s);
      for (int i = 1; i < 10; i++)
        pauses += source->times_s[i] - source->times_s[i - 1] > 0.9;
      g_assert_cmpint (pauses, >=, 2);
    }
  clear (&running);
}

/* Waiting for the first frame ends when the user says so. */
static void
test_silent (CliFixture *f, gconstpointer data)
{
  static const char *const words[] = {
    "run",
    "OP",
    "gst:videotestsrc is-live=true ! video/x-raw,width=32,height=24 ! valve drop=true",
    "--out",
    "OUT",
    "--backend",
    "cpu",
    NULL
  };
  Running running;
  int status = -1;

  if (cli_skip_without_stream (f))
    return;
  running = start (f, words);
  /* the folder is there once the signals are listened to */
  for (int tries = 0;
       tries < 5000 && !g_file_test (f->out, G_FILE_TEST_EXISTS) && !has_ended (&running, &status);
       tries++)
    g_usleep (STEP_US);
  if (status >= 0 && skip_without_part (&running))
    {
      clear (&running);
      return;
    }
  kill (running.pid, SIGINT);
  if (status < 0)
    status = wait_status (&running);
  if (!skip_without_part (&running))
    {
      g_assert_cmpint (status, ==, 130);
      g_assert_false (g_file_test (f->out, G_FILE_TEST_EXISTS));
    }
  clear (&running);
}

/* ---- cameras ---- */

static GPid
start_camera (void)
{
  static const char *const camera[] = {
    "arv-fake-gv-camera-0.8", "-i", "127.0.0.1", "-s", "VGBACK", NULL
  };
  GPid pid = 0;

  g_assert_true (g_spawn_async (NULL, (char **) camera, NULL,
                                G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD |
                                    G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL,
                                NULL, NULL, &pid, NULL));
  g_usleep (300000);
  return pid;
}

static void
stop_camera (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

/* TRUE if the recording that is being written to PATH has ten frames of 64 x 48 px. */
static gboolean
has_begun (const char *path)
{
  GStatBuf now;

  return g_stat (path, &now) == 0 && now.st_size > 10 * 64 * 48;
}

/* A camera that is unplugged is found again, set as before, and recorded on. */
static void
test_unplugged (CliFixture *f, gconstpointer data)
{
  g_autofree char *tool = g_find_program_in_path ("arv-fake-gv-camera-0.8"),
                  *path = g_build_filename (f->folder, "rec.tif", NULL),
                  *part = g_build_filename (f->folder, "rec.part.tif", NULL);
  const char *const words[] = { "record",
                                "camera:Aravis-VGBACK",
                                "--camera-set",
                                "Region=0,0,64,48 PixelFormat=Mono8 FrameRate=20",
                                "--seconds",
                                "170",
                                "--max-frames",
                                "3000",
                                "--out",
                                path,
                                NULL };
  Running running;
  GPid camera;
  int status = -1;

  if (tool == NULL)
    {
      g_test_skip ("arv-fake-gv-camera-0.8 is not installed");
      return;
    }
  camera = start_camera ();
  running = start (f, words);
  for (gint64 end = g_get_monotonic_time () + LONGEST_S * G_TIME_SPAN_SECOND;
       !has_ended (&running, &status) && !has_begun (part) && g_get_monotonic_time () < end;)
    g_usleep (STEP_US);
  stop_camera (camera);
  if (status >= 0 && (skip_without_part (&running) || has_said (running.errors, "was not found")))
    {
      g_test_skip ("there is no Aravis, or no camera on the loopback network");
      clear (&running);
      return;
    }
  if (status != -1)
    {
      g_autofree char *said = NULL;

      g_file_get_contents (running.errors, &said, NULL, NULL);
      g_error ("ended with %d: %s", status, said);
    }
  g_assert_true (wait_until_said (&running, "does not respond"));
  camera = start_camera ();
  g_assert_true (wait_until_said (&running, "delivers frames again"));
  kill (running.pid, SIGINT);
  status = wait_status (&running);
  stop_camera (camera);
  g_assert_cmpint (status, ==, 0);
  g_assert_true (has_said (running.output, " + 0 bad + 0 lost"));
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);
    double longest = 0;

    g_assert_no_error (error);
    g_assert_cmpint (source->info.width, ==, 64);
    g_assert_nonnull (source->times_s);
    for (gint64 i = 1; i < source->info.frames; i++)
      longest = MAX (longest, source->times_s[i] - source->times_s[i - 1]);
    g_assert_cmpfloat (longest, >, 1); /* the time while it was away */
  }
  clear (&running);
}

/* A recording is replaced only with --force.  --camera-set sets the simulated camera like others,
 * and refuses its settings in the same way. */
static void
test_replaced (CliFixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (f->folder, "rec.tif", NULL), *before = NULL;
  const char *words[] = { "record",       "test:speckle",
                          "--camera-set", "Region=0,0,64,48 ExposureTime=3000",
                          "--max-frames", "2",
                          "--out",        path,
                          NULL,           NULL };
  Running running;

  g_assert_true (g_file_set_contents (path, "kept", -1, NULL));
  running = start (f, words);
  g_assert_cmpint (wait_status (&running), ==, 2);
  g_assert_true (has_said (running.errors, "rec.tif\" already exists"));
  g_assert_true (has_said (running.errors, "--force"));
  g_assert_true (g_file_get_contents (path, &before, NULL, NULL));
  g_assert_cmpstr (before, ==, "kept");
  clear (&running);
  words[8] = "--force";
  running = start (f, words);
  g_assert_cmpint (wait_status (&running), ==, 0);
  clear (&running);
  {
    g_autoptr (GError) error = NULL;
    g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);

    g_assert_no_error (error);
    g_assert_nonnull (strstr (source->details, "Recorded from: Simulated camera"));
    g_assert_nonnull (strstr (source->details, "ExposureTime=3000"));
    g_assert_cmpint (source->info.width, ==, 64);
    g_assert_cmpint (source->info.frames, ==, 2);
    g_assert_cmpfloat (source->info.exposure_ms, ==, 3);
  }
  words[3] = "ExposureTime=much";
  running = start (f, words);
  g_assert_cmpint (wait_status (&running), ==, 2);
  g_assert_true (has_said (running.errors, "ExposureTime"));
  clear (&running);
  words[3] = "ExposureTim=3000";
  running = start (f, words);
  g_assert_cmpint (wait_status (&running), ==, 2);
  g_assert_true (has_said (running.errors, "did you mean ExposureTime?"));
  clear (&running);
  words[3] = "Gain=99";
  running = start (f, words);
  g_assert_cmpint (wait_status (&running), ==, 2);
  g_assert_true (has_said (running.errors, "it accepts from 0 to 24 dB"));
  clear (&running);
  words[1] = "watch:/tmp";
  running = start (f, words);
  g_assert_cmpint (wait_status (&running), ==, 2);
  g_assert_true (has_said (running.errors, "applies to cameras only"));
  clear (&running);
}

/* A value that is no number is refused with the range. */
static void
test_wrong_number (CliFixture *f, gconstpointer data)
{
  static const char *const words[] = {
    "record", "camera:Fake_1", "--camera-set", "ExposureTime=5000us",
    "--out",  "OUT",           "--max-frames", "1",
    NULL
  };
  Running running = start (f, words);
  int status = wait_status (&running);

  if (!skip_without_part (&running))
    {
      g_assert_cmpint (status, ==, 2);
      g_assert_true (has_said (running.errors, "does not accept ExposureTime=5000us"));
    }
  clear (&running);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/record/trigger", CliFixture, NULL, cli_set_up, test_trigger, cli_tear_down);
  g_test_add ("/record/trigger-keeps", CliFixture, NULL, cli_set_up, test_trigger_keeps,
              cli_tear_down);
  g_test_add ("/record/no-trigger", CliFixture, NULL, cli_set_up, test_no_trigger, cli_tear_down);
  g_test_add ("/record/full", CliFixture, NULL, cli_set_up, test_full, cli_tear_down);
  g_test_add ("/record/restart", CliFixture, NULL, cli_set_up, test_restart, cli_tear_down);
  g_test_add ("/record/silent", CliFixture, NULL, cli_set_up, test_silent, cli_tear_down);
  g_test_add ("/record/unplugged", CliFixture, NULL, cli_set_up, test_unplugged, cli_tear_down);
  g_test_add ("/record/replaced", CliFixture, NULL, cli_set_up, test_replaced, cli_tear_down);
  g_test_add ("/record/wrong-number", CliFixture, NULL, cli_set_up, test_wrong_number,
              cli_tear_down);
  return g_test_run ();
}
