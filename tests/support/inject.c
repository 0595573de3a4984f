/* SPDX-License-Identifier: MIT */
/* A library that is loaded before all others and makes one call of a program fail, or wait:
 *   VG_FAULT_CALL   malloc (of VG_FAULT_LEAST bytes or more), read, write, fsync, rename, open (for
 *                   writing; also making a folder) or close (of a file that was open for writing)
 *   VG_FAULT_AT     number of the call, from 1; a full disk stays full, so all later writes fail
 *   VG_FAULT_KILL   if set, the program is killed at this call
 *   VG_FAULT_LOG    log file: the line "at FILE" names the file of the failed call (for malloc, "at
 *                   FUNCTION" its caller), and "count N" at the end the number of such calls
 *   VG_FAULT_HOLD   opening a file for writing waits if its path has this text in it,
 *   VG_FAULT_GO     until this file exists
 *   VG_FAULT_PLAIN  folders can't be exchanged, nor files have second links, as on old kernels and
 *                   other disks
 * Reads, writes and closes count only for regular files, and writes of stdio only when its buffer
 * is full.  Programs that are built with _FORTIFY_SOURCE call the functions whose names end in _chk
 * or begin with two underscores. */
#undef _FILE_OFFSET_BITS /* both names of a call are taken */
#undef _FORTIFY_SOURCE   /* it defines some of the functions */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

typedef enum { MALLOC, READ, WRITE, FSYNC, RENAME, OPEN, CLOSE, N_CALLS } Call;

static const char *const names[N_CALLS] = { "malloc", "read", "write", "fsync",
                                            "rename", "open", "close" };
static int wanted = -1, ready, plain, deadly;
static __thread int loading; /* a library */
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
  deadly = getenv ("VG_FAULT_KILL") != NULL;
  at = which != NULL ? atol (which) : 0;
  least = bytes != NULL ? (size_t) atol (bytes) : 65536;
  for (int i = 0; call != NULL && i < N_CALLS; i++)
    if (strcmp (call, names[i]) == 0)
      wanted = i;
}

/* Programs that this one starts run without this library. */
__attribute__ ((constructor)) static void
stay_alone (void)
{
  unsetenv ("LD_PRELOAD");
}

/* Uses system calls, which this library does not replace. */
static void
tell (const char *what, const char *text)
{
  const char *path = getenv ("VG_FAULT_LOG");
  char line[PATH_MAX + 16];
  int n = snprintf (line, sizeof line, "%s %s\n", what, text), fd;

  if (path == NULL)
    return;
  fd = (int) syscall (SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (fd < 0 || syscall (SYS_write, fd, line, (size_t) n) != n)
    _exit (99);
  syscall (SYS_close, fd);
}

/* Whether this CALL for the file PATH or FD is the one that fails. */
static int
fails (Call call, const char *path, int fd)
{
  char link[64], name[PATH_MAX] = "";
  long n;

  if (!ready)
    get_ready ();
  if ((int) call != wanted)
    return 0;
  n = __sync_add_and_fetch (&count, 1);
  if (at <= 0 || (n != at && (call != WRITE || n < at)))
    return 0;
  if (n == at)
    {
      snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
      if (path == NULL && fd >= 0 && readlink (link, name, sizeof name - 1) > 0)
        path = name;
      tell ("at", path != NULL ? path : "");
    }
  if (deadly)
    kill (getpid (), SIGKILL);
  return 1;
}

static int
is_regular (int fd)
{
  struct stat status;

  return fd > 2 && fstat (fd, &status) == 0 && S_ISREG (status.st_mode);
}

/* CALLER: the code that asks for memory.  GStreamer's loop compiler (ORC) crashes without memory,
 * as do libraries while they are loaded, such as DCMTK.  No program can prevent that, so these
 * calls never fail. */
static int
no_memory (size_t bytes, const void *caller)
{
  Dl_info from = { 0 };

  if (!ready)
    get_ready ();
  if (wanted != MALLOC || bytes < least || loading)
    return 0;
  if (dladdr (caller, &from) != 0 && strstr (from.dli_fname, "/liborc-") != NULL)
    return 0;
  if (!fails (MALLOC, from.dli_sname != NULL ? from.dli_sname : "", -1))
    return 0;
  errno = ENOMEM;
  return 1;
}

#define CALLER __builtin_return_address (0)

void *
malloc (size_t bytes)
{
  return no_memory (bytes, CALLER) ? NULL : __libc_malloc (bytes);
}

void *
calloc (size_t n, size_t bytes)
{
  return no_memory (n * bytes, CALLER) ? NULL : __libc_calloc (n, bytes);
}

void *
realloc (void *block, size_t bytes)
{
  return bytes > 0 && no_memory (bytes, CALLER) ? NULL : __libc_realloc (block, bytes);
}

void *
aligned_alloc (size_t alignment, size_t bytes)
{
  return no_memory (bytes, CALLER) ? NULL : __libc_memalign (alignment, bytes);
}

int
posix_memalign (void **block, size_t alignment, size_t bytes)
{
  *block = no_memory (bytes, CALLER) ? NULL : __libc_memalign (alignment, bytes);
  return *block == NULL ? ENOMEM : 0;
}

#define NEXT(name) (__typeof__ (&name)) dlsym (RTLD_NEXT, #name)

void *
dlopen (const char *path, int flags)
{
  void *library;

  loading++;
  library = (NEXT (dlopen)) (path, flags);
  loading--;
  return library;
}

#define FAIL(call, path, fd, code)                                                                 \
  if (fails (call, path, fd))                                                                      \
    {                                                                                              \
      errno = code;                                                                                \
      return -1;                                                                                   \
    }

int
rename (const char *from, const char *to)
{
  FAIL (RENAME, to, -1, EIO)
  return (NEXT (rename)) (from, to);
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
  FAIL (RENAME, to, -1, EIO)
  return (NEXT (renameat2)) (from_folder, from, to_folder, to, flags);
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
mkdir (const char *path, mode_t mode)
{
  FAIL (OPEN, path, -1, ENOSPC)
  return (NEXT (mkdir)) (path, mode);
}

static void
hold (const char *path)
{
  const char *held = getenv ("VG_FAULT_HOLD"), *go = getenv ("VG_FAULT_GO");

  while (held != NULL && go != NULL && strstr (path, held) != NULL && access (go, F_OK) != 0)
    usleep (10000);
}

static int
may_open (const char *path, int flags)
{
  if ((flags & O_ACCMODE) == O_RDONLY && (flags & O_CREAT) == 0)
    return 0;
  hold (path);
  FAIL (OPEN, path, -1, ENOSPC)
  return 0;
}

static mode_t
mode_of (int flags, va_list arguments)
{
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg (arguments, mode_t) : 0;
}

#define OPENS(name)                                                                                \
  int name (const char *path, int flags, ...)                                                      \
  {                                                                                                \
    va_list arguments;                                                                             \
    mode_t mode;                                                                                   \
                                                                                                   \
    va_start (arguments, flags);                                                                   \
    mode = mode_of (flags, arguments);                                                             \
    va_end (arguments);                                                                            \
    return may_open (path, flags) != 0 ? -1 : (NEXT (name)) (path, flags, mode);                   \
  }
#define OPENS_AT(name)                                                                             \
  int name (int folder, const char *path, int flags, ...)                                          \
  {                                                                                                \
    va_list arguments;                                                                             \
    mode_t mode;                                                                                   \
                                                                                                   \
    va_start (arguments, flags);                                                                   \
    mode = mode_of (flags, arguments);                                                             \
    va_end (arguments);                                                                            \
    return may_open (path, flags) != 0 ? -1 : (NEXT (name)) (folder, path, flags, mode);           \
  }
#define OPENS_STREAM(name)                                                                         \
  FILE *name (const char *path, const char *how)                                                   \
  {                                                                                                \
    return may_open (path, strchr (how, 'r') == NULL ? O_WRONLY : O_RDONLY) != 0                   \
               ? NULL                                                                              \
               : (NEXT (name)) (path, how);                                                        \
  }
int __open_2 (const char *path, int flags);
int __open64_2 (const char *path, int flags);
int __openat_2 (int folder, const char *path, int flags);
int __openat64_2 (int folder, const char *path, int flags);
OPENS (open)
OPENS (open64)
OPENS_AT (openat)
OPENS_AT (openat64)
OPENS_STREAM (fopen)
OPENS_STREAM (fopen64)

int
__open_2 (const char *path, int flags)
{
  return open (path, flags);
}

int
__open64_2 (const char *path, int flags)
{
  return open64 (path, flags);
}

int
__openat_2 (int folder, const char *path, int flags)
{
  return openat (folder, path, flags);
}

int
__openat64_2 (int folder, const char *path, int flags)
{
  return openat64 (folder, path, flags);
}

/* Linux closes the file even if the call fails. */
int
close (int fd)
{
  int failed = is_regular (fd) && (fcntl (fd, F_GETFL) & O_ACCMODE) != O_RDONLY &&
               fails (CLOSE, NULL, fd),
      status = (NEXT (close)) (fd);

  if (!failed)
    return status;
  errno = EIO;
  return -1;
}

int
fsync (int fd)
{
  FAIL (FSYNC, NULL, fd, EIO)
  return (NEXT (fsync)) (fd);
}

int
fdatasync (int fd)
{
  FAIL (FSYNC, NULL, fd, EIO)
  return (NEXT (fdatasync)) (fd);
}

/* Whether writing BYTES more to FILE, or what its buffer holds if BYTES is 0, reaches a full disk.
 */
static int
overflows (FILE *file, size_t bytes)
{
  size_t pending = __fpending (file), room = __fbufsize (file);

  if (bytes > 0 ? pending + bytes <= (room > 0 ? room : BUFSIZ) : pending == 0)
    return 0;
  return is_regular (fileno (file)) && fails (WRITE, NULL, fileno (file));
}

size_t
fwrite (const void *bytes, size_t size, size_t n, FILE *file)
{
  if (!overflows (file, size * n))
    return (NEXT (fwrite)) (bytes, size, n, file);
  errno = ENOSPC;
  return 0;
}

int
fflush (FILE *file)
{
  if (file == NULL || !overflows (file, 0))
    return (NEXT (fflush)) (file);
  errno = ENOSPC;
  return EOF;
}

int
fclose (FILE *file)
{
  int full = overflows (file, 0),
      failed = full || (__fwritable (file) && is_regular (fileno (file)) &&
                        fails (CLOSE, NULL, fileno (file))),
      status;

  if (full)
    __fpurge (file);
  status = (NEXT (fclose)) (file);
  if (!failed)
    return status;
  errno = full ? ENOSPC : EIO;
  return EOF;
}

__attribute__ ((destructor)) static void
tell_count (void)
{
  char text[32];

  wanted = -1;
  snprintf (text, sizeof text, "%ld", count);
  tell ("count", text);
}

#define WRITES(name, bytes_type, ...)                                                              \
  ssize_t name (int fd, bytes_type bytes, __VA_ARGS__)                                             \
  {                                                                                                \
    if (is_regular (fd))                                                                           \
    FAIL (WRITE, NULL, fd, ENOSPC)
#define READS(name, ...)                                                                           \
  ssize_t name (int fd, void *bytes, __VA_ARGS__)                                                  \
  {                                                                                                \
    if (is_regular (fd))                                                                           \
    FAIL (READ, NULL, fd, EIO)
#define AS(name, ...)                                                                              \
  return (NEXT (name)) (fd, bytes, __VA_ARGS__);                                                   \
  }

ssize_t __read_chk (int fd, void *bytes, size_t length, size_t room);
ssize_t __pread_chk (int fd, void *bytes, size_t length, off_t offset, size_t room);
ssize_t __pread64_chk (int fd, void *bytes, size_t length, off64_t offset, size_t room);
/* clang-format off */
WRITES (write, const void *, size_t length) AS (write, length)
WRITES (pwrite, const void *, size_t length, off_t offset) AS (pwrite, length, offset)
WRITES (pwrite64, const void *, size_t length, off64_t offset) AS (pwrite64, length, offset)
WRITES (writev, const struct iovec *, int n) AS (writev, n)
WRITES (pwritev, const struct iovec *, int n, off_t offset) AS (pwritev, n, offset)
WRITES (pwritev64, const struct iovec *, int n, off64_t offset) AS (pwritev64, n, offset)
READS (read, size_t length) AS (read, length)
READS (pread, size_t length, off_t offset) AS (pread, length, offset)
READS (pread64, size_t length, off64_t offset) AS (pread64, length, offset)
READS (__read_chk, size_t length, size_t room) AS (__read_chk, length, room)
READS (__pread_chk, size_t length, off_t offset, size_t room) AS (__pread_chk, length, offset, room)
READS (__pread64_chk, size_t length, off64_t offset, size_t room)
  AS (__pread64_chk, length, offset, room)
    /* clang-format on */
