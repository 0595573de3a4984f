/* SPDX-License-Identifier: MIT */
/* A library to be loaded before all others, which makes one call of a program fail:
 *   VG_FAULT_CALL   malloc (of VG_FAULT_LEAST bytes or more), read, write, fsync, rename, or kill
 * (at a rename) VG_FAULT_AT     which one, from 1; a full disk stays full, so all writes from there
 * on fail VG_FAULT_COUNT  file for the number of such calls, written as the program ends
 *   VG_FAULT_PLAIN  folders can't be exchanged, nor files have second links, as on old kernels and
 * other disks Reads and writes count where they are of regular files. */
#undef _FILE_OFFSET_BITS /* both names of a call are taken */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MALLOC, READ, WRITE, FSYNC, RENAME, KILL, N_CALLS };

static const char *const names[N_CALLS] = { "malloc", "read", "write", "fsync", "rename", "kill" };
static int wanted = -1, ready, plain;
static long at, count;
static size_t least;

extern void *__libc_malloc (size_t);
extern void *__libc_calloc (size_t, size_t);
extern void *__libc_realloc (void *, size_t);
extern void *__libc_memalign (size_t, size_t);

static void
get_ready (void)
{
  const char *call = getenv ("VG_FAULT_CALL"), *which = getenv ("VG_FAULT_AT"),
             *bytes = getenv ("VG_FAULT_LEAST");

  ready = 1;
  plain = getenv ("VG_FAULT_PLAIN") != NULL;
  at = which != NULL ? atol (which) : 0;
  least = bytes != NULL ? (size_t) atol (bytes) : 65536;
  for (int i = 0; call != NULL && i < N_CALLS; i++)
    if (strcmp (call, names[i]) == 0)
      wanted = i;
}

/* Whether this CALL is the one that fails. */
static int
fails (int call)
{
  long n;

  if (!ready)
    get_ready ();
  if (call != wanted)
    return 0;
  n = __sync_add_and_fetch (&count, 1);
  return at > 0 && (n == at || (call == WRITE && n > at));
}

static int
is_regular (int fd)
{
  struct stat status;

  return fd > 2 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
}

static int
no_memory (size_t bytes)
{
  if (!ready)
    get_ready ();
  if (wanted != MALLOC || bytes < least || !fails (MALLOC))
    return 0;
  errno = ENOMEM;
  return 1;
}

void *
malloc (size_t bytes)
{
  return no_memory (bytes) ? NULL : __libc_malloc (bytes);
}

void *
calloc (size_t n, size_t bytes)
{
  return no_memory (n * bytes) ? NULL : __libc_calloc (n, bytes);
}

void *
realloc (void *block, size_t bytes)
{
  return bytes > 0 && no_memory (bytes) ? NULL : __libc_realloc (block, bytes);
}

void *
aligned_alloc (size_t alignment, size_t bytes)
{
  return no_memory (bytes) ? NULL : __libc_memalign (alignment, bytes);
}

int
posix_memalign (void **block, size_t alignment, size_t bytes)
{
  *block = no_memory (bytes) ? NULL : __libc_memalign (alignment, bytes);
  return *block == NULL ? ENOMEM : 0;
}

#define NEXT(name) (__typeof__ (&name)) dlsym (RTLD_NEXT, #name)

#define FAIL(call, code)                                                                           \
  if (fails (call))                                                                                \
    {                                                                                              \
      errno = code;                                                                                \
      return -1;                                                                                   \
    }

static int
at_rename (void)
{
  if (fails (KILL))
    kill (getpid (), SIGKILL);
  FAIL (RENAME, EIO)
  return 0;
}

int
rename (const char *from, const char *to)
{
  return at_rename () != 0 ? -1 : (NEXT (rename)) (from, to);
}

int
renameat2 (int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
  if (!ready)
    get_ready ();
  if (plain)
    {
      errno = EINVAL;
      return -1;
    }
  return at_rename () != 0 ? -1 : (NEXT (renameat2)) (from_folder, from, to_folder, to, flags);
}

int
link (const char *from, const char *to)
{
  if (!ready)
    get_ready ();
  if (plain && access (from, F_OK) == 0)
    {
      errno = EPERM;
      return -1;
    }
  return (NEXT (link)) (from, to);
}

int
fsync (int fd)
{
  FAIL (FSYNC, EIO)
  return (NEXT (fsync)) (fd);
}

ssize_t
write (int fd, const void *bytes, size_t length)
{
  if (is_regular (fd))
    FAIL (WRITE, ENOSPC)
  return (NEXT (write)) (fd, bytes, length);
}

ssize_t
pwrite (int fd, const void *bytes, size_t length, off_t offset)
{
  if (is_regular (fd))
    FAIL (WRITE, ENOSPC)
  return (NEXT (pwrite)) (fd, bytes, length, offset);
}

ssize_t
pwrite64 (int fd, const void *bytes, size_t length, off64_t offset)
{
  if (is_regular (fd))
    FAIL (WRITE, ENOSPC)
  return (NEXT (pwrite64)) (fd, bytes, length, offset);
}

ssize_t
read (int fd, void *bytes, size_t length)
{
  if (is_regular (fd))
    FAIL (READ, EIO)
  return (NEXT (read)) (fd, bytes, length);
}

ssize_t
pread (int fd, void *bytes, size_t length, off_t offset)
{
  if (is_regular (fd))
    FAIL (READ, EIO)
  return (NEXT (pread)) (fd, bytes, length, offset);
}

ssize_t
pread64 (int fd, void *bytes, size_t length, off64_t offset)
{
  if (is_regular (fd))
    FAIL (READ, EIO)
  return (NEXT (pread64)) (fd, bytes, length, offset);
}

__attribute__ ((destructor)) static void
tell_count (void)
{
  const char *path = getenv ("VG_FAULT_COUNT");
  char text[32];
  int fd = path != NULL ? open (path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;

  wanted = -1;
  if (fd < 0)
    return;
  if (write (fd, text, (size_t) snprintf (text, sizeof text, "%ld", count)) < 0)
    _exit (99);
  close (fd);
}
