/* SPDX-License-Identifier: MIT */
/* Tells the thread sanitizer how GLib synchronizes.  GLib locks by system calls in code that the
 * sanitizer did not compile, so it would report a race wherever a GMutex guards memory.  This
 * library is preloaded: each function marks the event and calls GLib's own. */
#include <dlfcn.h>
#include <gio/gio.h>
#include <stdlib.h>

/* The sanitizer's runtime; absent from programs that a test starts, such as a shell. */
#pragma weak __tsan_acquire
#pragma weak __tsan_release
#pragma weak __tsan_mutex_pre_lock
#pragma weak __tsan_mutex_post_lock
#pragma weak __tsan_mutex_pre_unlock
#pragma weak __tsan_mutex_post_unlock
#pragma weak __tsan_mutex_destroy
void __tsan_acquire (void *address);
void __tsan_release (void *address);
void __tsan_mutex_pre_lock (void *mutex, unsigned flags);
void __tsan_mutex_post_lock (void *mutex, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock (void *mutex, unsigned flags);
void __tsan_mutex_post_unlock (void *mutex, unsigned flags);
void __tsan_mutex_destroy (void *mutex, unsigned flags);

enum {
  LINKER_INIT = 1 << 0, /* the mutex may be used without g_mutex_init */
  TRY_LOCK = 1 << 4,
  TRY_LOCK_FAILED = 1 << 5
};

static char queued; /* stands for all queues of GLib: sources and thread pools */

static void *
find (const char *name)
{
  void *found = dlsym (RTLD_NEXT, name);

  if (found == NULL)
    abort ();
  return found;
}

#define REAL(name)                                                                                 \
  static __typeof__ (&(name)) real;                                                                \
  if (__atomic_load_n (&real, __ATOMIC_RELAXED) == NULL)                                           \
  __atomic_store_n (&real, (__typeof__ (&(name))) find (#name), __ATOMIC_RELAXED)

static void
acquire (void *address)
{
  if (__tsan_acquire != NULL)
    __tsan_acquire (address);
}

static void
release (void *address)
{
  if (__tsan_release != NULL)
    __tsan_release (address);
}

static void
before_lock (GMutex *mutex, unsigned flags)
{
  if (__tsan_mutex_pre_lock != NULL)
    __tsan_mutex_pre_lock (mutex, LINKER_INIT | flags);
}

static void
after_lock (GMutex *mutex, unsigned flags)
{
  if (__tsan_mutex_post_lock != NULL)
    __tsan_mutex_post_lock (mutex, LINKER_INIT | flags, 0);
}

static void
before_unlock (GMutex *mutex)
{
  if (__tsan_mutex_pre_unlock != NULL)
    __tsan_mutex_pre_unlock (mutex, 0);
}

static void
after_unlock (GMutex *mutex)
{
  if (__tsan_mutex_post_unlock != NULL)
    __tsan_mutex_post_unlock (mutex, 0);
}

void
g_mutex_lock (GMutex *mutex)
{
  REAL (g_mutex_lock);
  before_lock (mutex, 0);
  real (mutex);
  after_lock (mutex, 0);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  gboolean locked;

  REAL (g_mutex_trylock);
  before_lock (mutex, TRY_LOCK);
  locked = real (mutex);
  after_lock (mutex, locked ? TRY_LOCK : TRY_LOCK | TRY_LOCK_FAILED);
  return locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  REAL (g_mutex_unlock);
  before_unlock (mutex);
  real (mutex);
  after_unlock (mutex);
}

void
g_mutex_clear (GMutex *mutex)
{
  REAL (g_mutex_clear);
  real (mutex);
  if (__tsan_mutex_destroy != NULL)
    __tsan_mutex_destroy (mutex, LINKER_INIT);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  REAL (g_cond_wait);
  before_unlock (mutex);
  after_unlock (mutex);
  real (cond, mutex);
  before_lock (mutex, 0);
  after_lock (mutex, 0);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean signalled;

  REAL (g_cond_wait_until);
  before_unlock (mutex);
  after_unlock (mutex);
  signalled = real (cond, mutex, end_time);
  before_lock (mutex, 0);
  after_lock (mutex, 0);
  return signalled;
}

/* Reference counts: who drops the last reference sees what the others did before. */
gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  gboolean last;

  REAL (g_atomic_ref_count_dec);
  release (count);
  last = real (count);
  acquire (count);
  return last;
}

void
g_object_unref (gpointer object)
{
  REAL (g_object_unref);
  release (object);
  acquire (object);
  real (object);
}

void
g_bytes_unref (GBytes *bytes)
{
  REAL (g_bytes_unref);
  release (bytes);
  acquire (bytes);
  real (bytes);
}

/* Callbacks of sources and thread pools: they see what was done before they were queued. */
typedef struct
{
  GSourceFunc function;
  gpointer data;
  GDestroyNotify notify;
} Callback;

static gboolean
call (gpointer data)
{
  Callback *callback = data;

  acquire (&queued);
  return callback->function (callback->data);
}

static void
forget (gpointer data)
{
  Callback *callback = data;

  acquire (&queued);
  if (callback->notify != NULL)
    callback->notify (callback->data);
  g_free (callback);
}

void
g_source_set_callback (GSource *source, GSourceFunc function, gpointer data, GDestroyNotify notify)
{
  Callback *callback = g_new (Callback, 1);

  REAL (g_source_set_callback);
  *callback = (Callback){ function, data, notify };
  release (&queued);
  real (source, call, callback, forget);
}

guint
g_source_attach (GSource *source, GMainContext *context)
{
  REAL (g_source_attach);
  release (&queued);
  return real (source, context);
}

guint
g_idle_add (GSourceFunc function, gpointer data)
{
  Callback *callback = g_new (Callback, 1);

  *callback = (Callback){ function, data, NULL };
  release (&queued);
  return g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, call, callback, forget);
}

typedef struct
{
  GFunc function;
  gpointer data;
} PoolFunction;

static void
call_in_pool (gpointer item, gpointer data)
{
  PoolFunction *of = data;

  acquire (&queued);
  of->function (item, of->data);
}

/* The function's few bytes are never freed: a pool has no end that could be waited for. */
GThreadPool *
g_thread_pool_new (GFunc function, gpointer data, gint most, gboolean exclusive, GError **error)
{
  PoolFunction *of = g_new (PoolFunction, 1);

  REAL (g_thread_pool_new);
  *of = (PoolFunction){ function, data };
  release (&queued);
  return real (call_in_pool, of, most, exclusive, error);
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer item, GError **error)
{
  REAL (g_thread_pool_push);
  release (&queued);
  return real (pool, item, error);
}

/* A task: its receiver sees what was done before it was returned. */
void
g_task_return_pointer (GTask *task, gpointer result, GDestroyNotify notify)
{
  REAL (g_task_return_pointer);
  release (task);
  real (task, result, notify);
}

void
g_task_return_error (GTask *task, GError *error)
{
  REAL (g_task_return_error);
  release (task);
  real (task, error);
}

gpointer
g_task_propagate_pointer (GTask *task, GError **error)
{
  REAL (g_task_propagate_pointer);
  acquire (task);
  return real (task, error);
}

/* Values that are computed once. */
gboolean (g_once_init_enter) (volatile void *location)
{
  gboolean first;

  REAL (g_once_init_enter);
  first = real (location);
  acquire ((void *) location);
  return first;
}

void (g_once_init_leave) (volatile void *location, gsize result)
{
  REAL (g_once_init_leave);
  release ((void *) location);
  real (location, result);
}
