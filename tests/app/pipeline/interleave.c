/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE /* which takes a jump to another stack for an attack */
#include "tests/app/pipeline/interleave.h"
#include <dlfcn.h>
#include <setjmp.h>
#include <ucontext.h>

enum { STACK = 1 << 19, MOST_STEPS_TO_JOIN = 2000 };

typedef enum { READY, WAITS, WAITS_TIMED, JOINS, DONE } Status;

typedef struct
{
  ucontext_t begin; /* before its first step */
  jmp_buf paused;   /* after it */
  gboolean has_begun;
  GThreadFunc function;
  gpointer data;
  Status status;
  gboolean signalled;
  const GCond *condition; /* WAITS, WAITS_TIMED */
  gsize joined;           /* JOINS: the thread's number */
  void *outermost;        /* where the thread's own function takes the lock */
  guint64 place;          /* in its code; 0: the beginning */
  guint64 past;           /* what its local variables may depend on */
} Thread;

static struct
{
  GMutex *lock; /* NULL: threads are threads */
  gboolean held;
  gint64 now_us, tick_us;
  InterleaveRead read;
  Thread threads[INTERLEAVE_THREADS], *current;
  guint n;
  jmp_buf chooser;
} all;

static char stacks[INTERLEAVE_THREADS][STACK];

#define REAL(function) ((__typeof__ (function) *) get_real (#function))

static void *
get_real (const char *name)
{
  void *real = dlsym (RTLD_NEXT, name);

  g_assert_true (real != NULL);
  return real;
}

guint64
interleave_mix (guint64 print, guint64 value)
{
  print = (print ^ value) * 0x9e3779b97f4a7c15u;
  return print ^ (print >> 29);
}

/* --- switching --- */

static void
give_way (Status status)
{
  Thread *self = all.current;

  self->status = status;
  all.current = NULL;
  if (_setjmp (self->paused) == 0)
    _longjmp (all.chooser, 1);
}

static void
go_on (Thread *self)
{
  all.current = self;
  if (_setjmp (all.chooser) != 0)
    return;
  if (self->has_begun)
    _longjmp (self->paused, 1);
  self->has_begun = TRUE;
  setcontext (&self->begin);
}

static void
run_thread (void)
{
  all.current->function (all.current->data);
  give_way (DONE);
}

void
interleave_begin (GMutex *lock, gint64 tick_us, InterleaveRead read)
{
  all.n = 0;
  all.held = FALSE;
  all.now_us = G_USEC_PER_SEC;
  all.tick_us = tick_us;
  all.read = read;
  all.lock = lock;
}

void
interleave_end (void)
{
  for (guint i = 0; i < all.n; i++)
    g_assert_true (all.threads[i].status == DONE);
  g_assert_false (all.held);
  all.lock = NULL;
}

guint
interleave_n (void)
{
  return all.n;
}

gboolean
interleave_can_run (guint i)
{
  const Thread *self = &all.threads[i];

  return self->status == READY || self->status == WAITS_TIMED ||
         (self->status == JOINS && all.threads[self->joined].status == DONE);
}

void
interleave_run (guint i)
{
  Thread *self = &all.threads[i];

  g_assert_true (interleave_can_run (i) && !all.held && all.current == NULL);
  self->past = all.read (self->data, self->past, self->place);
  go_on (self);
}

guint
interleave_settle (guint most)
{
  gboolean runs = TRUE;
  guint steps = 0;

  while (runs)
    {
      runs = FALSE;
      for (guint i = 0; i < all.n; i++)
        if (interleave_can_run (i))
          {
            if (++steps > most)
              return steps;
            interleave_run (i);
            runs = TRUE;
          }
    }
  return steps;
}

guint64
interleave_print (guint64 print)
{
  for (guint i = 0; i < all.n; i++)
    {
      const Thread *self = &all.threads[i];

      print = interleave_mix (print, self->status);
      print = interleave_mix (print, self->place);
      print = interleave_mix (print, self->past);
    }
  return print;
}

/* --- GLib's functions --- */

#define STAY_AT() (all.current->place = (gsize) __builtin_return_address (0))

void
g_mutex_lock (GMutex *mutex)
{
  Thread *self = all.current;

  if (mutex != all.lock)
    {
      REAL (g_mutex_lock) (mutex);
      return;
    }
  g_assert_false (all.held); /* else a thread waits for itself */
  if (self != NULL)
    {
      /* a call from the thread's own function, which loops */
      if (self->outermost == NULL)
        self->outermost = __builtin_frame_address (0);
      if (self->outermost == __builtin_frame_address (0))
        self->past = 0;
      STAY_AT ();
      give_way (READY);
    }
  all.held = TRUE;
}

void
g_mutex_unlock (GMutex *mutex)
{
  if (mutex != all.lock)
    {
      REAL (g_mutex_unlock) (mutex);
      return;
    }
  g_assert_true (all.held);
  all.held = FALSE;
}

/* FALSE: its time is up. */
static gboolean
wait_for (GCond *condition, GMutex *mutex, Status status)
{
  Thread *self = all.current;

  self->condition = condition;
  self->signalled = FALSE;
  g_mutex_unlock (mutex);
  give_way (status);
  self->condition = NULL;
  if (mutex == all.lock)
    all.held = TRUE;
  else
    REAL (g_mutex_lock) (mutex);
  return self->signalled;
}

void
g_cond_wait (GCond *condition, GMutex *mutex)
{
  if (all.current == NULL)
    {
      REAL (g_cond_wait) (condition, mutex);
      return;
    }
  STAY_AT ();
  wait_for (condition, mutex, WAITS);
}

gboolean
g_cond_wait_until (GCond *condition, GMutex *mutex, gint64 end_us)
{
  if (all.current == NULL)
    return REAL (g_cond_wait_until) (condition, mutex, end_us);
  STAY_AT ();
  return wait_for (condition, mutex, WAITS_TIMED);
}

void
g_cond_signal (GCond *condition)
{
  for (guint i = 0; all.lock != NULL && i < all.n; i++)
    {
      Thread *self = &all.threads[i];

      if ((self->status == WAITS || self->status == WAITS_TIMED) && self->condition == condition)
        {
          self->status = READY;
          self->signalled = TRUE;
          return;
        }
    }
  if (all.lock == NULL)
    REAL (g_cond_signal) (condition);
}

static void
make_context (ucontext_t *context, char *stack)
{
  getcontext (context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = STACK;
  makecontext (context, run_thread, 0);
}

GThread *
g_thread_new (const char *name, GThreadFunc function, gpointer data)
{
  Thread *self = &all.threads[all.n];

  if (all.lock == NULL)
    return REAL (g_thread_new) (name, function, data);
  g_assert_cmpuint (all.n, <, INTERLEAVE_THREADS);
  *self = (Thread){ .function = function, .data = data };
  make_context (&self->begin, stacks[all.n++]);
  return (GThread *) self;
}

gpointer
g_thread_join (GThread *thread)
{
  Thread *joined = (Thread *) thread;
  guint steps = 0;

  if (all.lock == NULL)
    return REAL (g_thread_join) (thread);
  g_assert_false (all.held);
  if (all.current != NULL)
    {
      STAY_AT ();
      all.current->joined = (gsize) (joined - all.threads);
      give_way (JOINS);
    }
  while (joined->status != DONE)
    for (guint i = 0; i < all.n; i++)
      if (interleave_can_run (i))
        {
          g_assert_cmpuint (++steps, <, MOST_STEPS_TO_JOIN);
          interleave_run (i);
        }
  return NULL;
}

void
g_usleep (gulong us)
{
  if (all.current == NULL)
    REAL (g_usleep) (us);
  else if (us > 0)
    {
      STAY_AT ();
      give_way (READY);
    }
}

gint64
g_get_monotonic_time (void)
{
  if (all.lock == NULL)
    return REAL (g_get_monotonic_time) ();
  return all.now_us += all.tick_us;
}
