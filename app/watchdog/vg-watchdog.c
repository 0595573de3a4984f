/* SPDX-License-Identifier: MIT */
/* The loop beats several times a second.  A thread counts the time without a beat.  When this gets
 * long, it sends the watched thread a signal, whose handler notes the addresses of the functions
 * that are running.  The watching thread alone writes: a handler may not, and the watched thread
 * cannot. */
#include "app/watchdog/vg-watchdog.h"
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Ignored by processes that have no handler, and used by no library. */
#define ASK SIGURG
enum { BEAT_MS = 200, MAX_FRAMES = 64, MAX_LOG = 1 << 18 };

struct _VgWatchdog
{
  char *folder, *log;
  pthread_t watched;
  GThread *thread;
  GSource *source;
  struct sigaction before;
  GMutex lock;
  GCond ended;
  gboolean end;     /* under the lock */
  guint beats;      /* atomic */
  double silence_s; /* since the last beat; of the thread, as are these */
  gboolean told;    /* this silence is in the log */
};

/* What the handler found.  It has no other place. */
static void *frames[MAX_FRAMES];
static int n_frames;
static sem_t found;

static void
on_ask (int signal)
{
  int code = errno;

  n_frames = backtrace (frames, MAX_FRAMES);
  sem_post (&found);
  errno = code;
}

static gboolean
on_beat (gpointer data)
{
  VgWatchdog *self = data;

  g_atomic_int_inc (&self->beats);
  return G_SOURCE_CONTINUE;
}

/* The log, locked, because other windows write it too; -1: it cannot be written. */
static int
open_log (VgWatchdog *self)
{
  struct stat status;
  int fd;

  g_mkdir_with_parents (self->folder, 0700);
  fd = open (self->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0 && (flock (fd, LOCK_EX | LOCK_NB) != 0 || fstat (fd, &status) != 0 ||
                  (status.st_size > MAX_LOG && ftruncate (fd, 0) != 0)))
    {
      close (fd);
      return -1;
    }
  return fd;
}

static void
tell (VgWatchdog *self, const char *what, gboolean with_stack)
{
  int fd = open_log (self);
  time_t now = time (NULL);
  struct tm local;
  char at[32] = "";

  if (fd < 0)
    return;
  if (localtime_r (&now, &local) != NULL)
    strftime (at, sizeof at, "%Y-%m-%d %H:%M:%S", &local);
  dprintf (fd, "%s process %d: %s\n", at, (int) getpid (), what);
  if (with_stack)
    backtrace_symbols_fd (frames + 1, n_frames - 1, fd); /* without the handler */
  close (fd);
}

/* Whether the watched thread has told what it is doing. */
static gboolean
ask (VgWatchdog *self)
{
  struct timespec end;

  while (sem_trywait (&found) == 0)
    ; /* the answer to an earlier question, which came late */
  if (pthread_kill (self->watched, ASK) != 0)
    return FALSE;
  clock_gettime (CLOCK_REALTIME, &end);
  end.tv_sec += 5;
  while (sem_timedwait (&found, &end) != 0)
    if (errno != EINTR)
      return FALSE; /* it waits in the kernel, such as for a dead file server */
  return TRUE;
}

/* ELAPSED_S have passed since the last call; BEAT: the loop has beaten in that time. */
static void
count (VgWatchdog *self, gboolean beat, double elapsed_s)
{
  gint64 asked;
  gboolean answer;
  char what[100];

  if (beat && self->told)
    {
      snprintf (what, sizeof what, "the window answers again after %.1f s", self->silence_s);
      tell (self, what, FALSE);
    }
  if (beat)
    {
      self->told = FALSE;
      self->silence_s = 0;
      return;
    }
  /* this thread was not served either: that time is nobody's fault */
  self->silence_s += MIN (elapsed_s, 2 * BEAT_MS / 1000.0);
  if (self->told || self->silence_s < VG_WATCHDOG_LIMIT_S)
    return;
  self->told = TRUE;
  asked = g_get_monotonic_time ();
  answer = ask (self);
  tell (self,
        answer ? "the window does not answer; stack of its main thread:"
               : "the window does not answer; its main thread waits in the kernel, so its stack is "
                 "not known",
        answer);
  self->silence_s += (double) (g_get_monotonic_time () - asked) / 1e6;
}

static gpointer
watch (gpointer data)
{
  VgWatchdog *self = data;
  guint last = 0;
  gint64 before = g_get_monotonic_time ();

  g_mutex_lock (&self->lock);
  while (!self->end)
    {
      gint64 now;
      guint beats;

      g_cond_wait_until (&self->ended, &self->lock, before + BEAT_MS * 1000);
      if (self->end)
        break;
      now = g_get_monotonic_time ();
      beats = (guint) g_atomic_int_get (&self->beats);
      g_mutex_unlock (&self->lock);
      count (self, beats != last, (double) (now - before) / 1e6);
      g_mutex_lock (&self->lock);
      last = beats;
      before = self->told ? g_get_monotonic_time () : now;
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

VgWatchdog *
vg_watchdog_new (const char *folder)
{
  struct sigaction action = { .sa_handler = on_ask, .sa_flags = SA_RESTART };
  VgWatchdog *self = g_new0 (VgWatchdog, 1);

  self->folder = g_strdup (folder);
  self->log = g_build_filename (folder, "silences.log", NULL);
  self->watched = pthread_self ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  sem_init (&found, 0, 0);
  backtrace (frames, MAX_FRAMES); /* the first call loads a library, which a handler may not */
  sigemptyset (&action.sa_mask);
  sigaction (ASK, &action, &self->before);
  self->source = g_timeout_source_new (BEAT_MS);
  g_source_set_callback (self->source, on_beat, self, NULL);
  g_source_attach (self->source, NULL);
  self->thread = g_thread_new ("watchdog", watch, self);
  return self;
}

void
vg_watchdog_free (VgWatchdog *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->lock);
  self->end = TRUE;
  g_cond_signal (&self->ended);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  sigaction (ASK, &self->before, NULL);
  sem_destroy (&found);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self->folder);
  g_free (self->log);
  g_free (self);
}
