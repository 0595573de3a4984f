/* SPDX-License-Identifier: MIT */
#include "io/fence/vg-fence.h"
#include "io/fence/vg-fence-message.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-sanitized.h"
#include "kernels/core/vg-module.h"
#include "vg-config.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Least size of the shared memory, bytes; after so many silences in a row no more is tried. */
enum { LEAST_MEMORY = 1 << 16, MOST_SILENCES = 3 };

struct _VgFence
{
  const VgDecoder *decoder;
  char *path, *name; /* of the file; NULL: none yet */
  char *program;     /* NULL: the decoder runs in this process, and `file` is its file */
  gpointer file;
  pid_t child;     /* 0: none */
  gboolean open;   /* the child has the file open */
  int socket;      /* to the child */
  void *memory;    /* shared with the child; NULL: none */
  gsize size;      /* of the memory, bytes */
  int descriptor;  /* of the memory; -1: none */
  gboolean told;   /* the child has the memory */
  int silences[2]; /* in a row, of files that were opened, and of reading from them */
};

/* --- the child --- */

static void
fail (VgFence *self, const char *what, int code, GError **error)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "\"%s\" cannot be read because %s: %s",
               self->name, what, g_strerror (code));
}

/* Ends the child; the status with which it ended. */
static int
stop (VgFence *self)
{
  int status = 0;

  if (self->child == 0)
    return 0;
  close (self->socket);
  kill (self->child, SIGKILL);
  while (waitpid (self->child, &status, 0) < 0 && errno == EINTR)
    ;
  self->child = 0;
  self->told = self->open = FALSE;
  return status;
}

/* Starts the child with END of the socket and with nothing else that this process has open. */
static int
spawn (VgFence *self, int end)
{
  char *argv[] = { self->program, (char *) self->decoder->name, NULL };
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  int code;

  sigemptyset (&none);
  sigfillset (&all);
  posix_spawn_file_actions_init (&files);
  posix_spawn_file_actions_adddup2 (&files, end, VG_FENCE_SOCKET);
  posix_spawn_file_actions_addopen (&files, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2 (&files, 0, 1);
  if (!VG_SANITIZED)
    posix_spawn_file_actions_adddup2 (&files, 0, 2);
  posix_spawn_file_actions_addclosefrom_np (&files, VG_FENCE_SOCKET + 1);
  posix_spawnattr_init (&attributes);
  /* its own session: Ctrl+C in the terminal is for the program alone */
  posix_spawnattr_setflags (&attributes,
                            POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setsigmask (&attributes, &none);
  posix_spawnattr_setsigdefault (&attributes, &all);
  code = posix_spawn (&self->child, self->program, &files, &attributes, argv, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&files);
  if (code != 0)
    self->child = 0;
  return code;
}

static gboolean
start (VgFence *self, GError **error)
{
  const struct timeval second = { .tv_sec = 1 };
  int ends[2], code;

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
    {
      fail (self, "its decoder cannot be reached", errno, error);
      return FALSE;
    }
  code = spawn (self, ends[1]);
  close (ends[1]);
  self->socket = ends[0];
  setsockopt (self->socket, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second);
  if (code == 0)
    return TRUE;
  close (ends[0]);
  fail (self, "its decoder " VG_FENCE_PROGRAM " cannot be started", code, error);
  return FALSE;
}

/* --- the memory --- */

static void
drop_memory (VgFence *self)
{
  if (self->memory != NULL)
    munmap (self->memory, self->size);
  if (self->descriptor >= 0)
    close (self->descriptor);
  self->memory = NULL;
  self->descriptor = -1;
  self->told = FALSE;
}

/* Memory of SIZE bytes which the child cannot make shorter. */
static int
share_memory (VgFence *self, gsize size)
{
  int code;

  self->descriptor = memfd_create (VG_FENCE_PROGRAM, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (self->descriptor < 0)
    return errno;
  code = posix_fallocate (self->descriptor, 0, (off_t) size);
  if (code != 0)
    return code;
  if (fcntl (self->descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
    return errno;
  self->memory = mmap (NULL, size, PROT_READ, MAP_SHARED, self->descriptor, 0);
  if (self->memory != MAP_FAILED)
    return 0;
  self->memory = NULL;
  return errno;
}

static gboolean
need_memory (VgFence *self, gsize length, GError **error)
{
  gsize size = LEAST_MEMORY;
  int code;

  if (self->memory != NULL && length <= self->size)
    return TRUE;
  if (length > (gsize) self->decoder->memory / 2) /* the child could not map it */
    {
      fail (self, "there is no memory for its pixels", ENOMEM, error);
      return FALSE;
    }
  while (size < length)
    size *= 2;
  drop_memory (self);
  code = share_memory (self, size);
  if (code == 0)
    {
      self->size = size;
      return TRUE;
    }
  drop_memory (self);
  fail (self, "there is no memory for its pixels", code, error);
  return FALSE;
}

/* --- requests --- */

static gboolean
send_request (VgFence *self, VgFenceRequest *request, gsize bytes)
{
  struct iovec part = { request, bytes };
  union
  {
    char bytes[CMSG_SPACE (sizeof (int))];
    struct cmsghdr header;
  } control = { 0 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

  if (!self->told)
    {
      message.msg_control = control.bytes;
      message.msg_controllen = sizeof control.bytes;
      control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN (sizeof (int)),
                                         .cmsg_level = SOL_SOCKET,
                                         .cmsg_type = SCM_RIGHTS };
      memcpy (CMSG_DATA (&control.header), &self->descriptor, sizeof (int));
    }
  while (sendmsg (self->socket, &message, MSG_NOSIGNAL) < 0)
    if (errno != EINTR)
      return FALSE;
  self->told = TRUE;
  return TRUE;
}

/* FALSE: the child is silent, or has ended.  The time for which this process was stopped does not
 * count. */
static gboolean
await_reply (VgFence *self, VgFenceReply *reply, gboolean *silent)
{
  gint64 eager_until = g_get_monotonic_time () + VG_FENCE_EAGER_US;
  gssize n;
  int seconds = 0;

  do
    n = recv (self->socket, reply, sizeof *reply, MSG_DONTWAIT);
  while (n < 0 && errno == EAGAIN && g_get_monotonic_time () < eager_until);
  if (n < 0 && errno != EAGAIN && errno != EINTR)
    n = 0;
  while (n < 0 && seconds < self->decoder->seconds)
    {
      n = recv (self->socket, reply, sizeof *reply, 0); /* for a second, see start */
      if (n < 0 && errno == EAGAIN)
        seconds++;
      else if (n < 0 && errno != EINTR)
        n = 0;
    }
  *silent = n < 0;
  return n == sizeof *reply;
}

/* The request has no answer. */
static void
tell_end (VgFence *self, gboolean silent, GError **error)
{
  int status = stop (self);

  if (silent)
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "decoding it takes longer than %d s",
                 self->decoder->seconds);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "its decoder crashed: %s",
                 WIFSIGNALED (status) ? g_strsignal (WTERMSIG (status)) : "it has ended");
}

/* TRUE with an error: earlier requests in a row were not answered in time. */
static gboolean
is_given_up (const VgFence *self, gboolean reading, GError **error)
{
  if (self->silences[reading] < MOST_SILENCES)
    return FALSE;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "it is skipped, because decoding of earlier files took longer than %d s %d times "
               "in a row",
               self->decoder->seconds, MOST_SILENCES);
  return TRUE;
}

static void
tell_once (gsize *told, const char *text)
{
  if (!g_once_init_enter (told))
    return;
  g_message ("%s", text);
  g_once_init_leave (told, 1);
}

/* The answer is in the memory.  FALSE without an error: the file is not of this decoder. */
static gboolean
ask (VgFence *self, VgFenceRequest *request, gsize bytes, GError **error)
{
  static gsize told = 0;
  VgFenceReply reply;
  gboolean silent;

  if (!send_request (self, request, bytes))
    {
      fail (self, "its decoder has ended", errno, error);
      return FALSE;
    }
  if (!await_reply (self, &reply, &silent))
    {
      self->silences[request->reading] += silent;
      tell_end (self, silent, error);
      return FALSE;
    }
  self->silences[request->reading] = 0;
  if (!reply.filtered)
    tell_once (&told, VG_FENCE_PROGRAM " runs without its filter of system calls, because this "
                                       "system refuses it, so a hostile file could do harm; open "
                                       "only files that you trust");
  reply.reason[sizeof reply.reason - 1] = '\0';
  if (reply.state == VG_FENCE_FAILED)
    g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, reply.reason);
  return reply.state == VG_FENCE_DONE;
}

/* Makes REQUEST, which opens the file first unless the child has it open.  Starts the child if
 * there is none. */
static gboolean
ask_child (VgFence *self, VgFenceRequest *request, GError **error)
{
  gsize bytes = offsetof (VgFenceRequest, path);
  char unasked;

  if (self->child != 0 && recv (self->socket, &unasked, 1, MSG_PEEK | MSG_DONTWAIT) >= 0)
    stop (self); /* it has ended, or does not wait for a request */
  if (!self->open)
    {
      if (g_strlcpy (request->path, self->path, sizeof request->path) >= sizeof request->path)
        {
          fail (self, "its path is too long", ENAMETOOLONG, error);
          return FALSE;
        }
      bytes += strlen (request->path) + 1;
    }
  if (!need_memory (self, MAX (self->decoder->facts, request->length), error) ||
      (self->child == 0 && !start (self, error)) || !ask (self, request, bytes, error))
    return FALSE;
  self->open = TRUE;
  return TRUE;
}

/* --- this process --- */

/* Opens the file in this process unless it is open. */
static gboolean
open_here (VgFence *self, GError **error)
{
  g_autofree guint8 *facts = NULL;

  if (self->file != NULL)
    return TRUE;
  facts = g_malloc0 (self->decoder->facts);
  self->file = self->decoder->open (self->path, facts, error);
  return self->file != NULL;
}

/* The decoder runs here: its results are kept in the same place. */
static gboolean
need_own_memory (VgFence *self, gsize length, GError **error)
{
  if (self->memory != NULL && length <= self->size)
    return TRUE;
  g_free (self->memory);
  self->memory = g_try_malloc (length);
  self->size = length;
  if (self->memory == NULL)
    fail (self, "there is no memory for its pixels", ENOMEM, error);
  return self->memory != NULL;
}

static char *
find_program (void)
{
  static gsize told = 0;
  char *path;

  if (g_strcmp0 (g_getenv ("VIVOGRAPH_FENCE"), "off") == 0)
    return NULL;
  path = vg_module_find (VG_FENCE_PROGRAM, VG_BUILD_IO_DIR);
  if (path == NULL)
    tell_once (&told, VG_FENCE_PROGRAM " is not installed, so a damaged file can end the program; "
                                       "install Vivograph again");
  return path;
}

VgFence *
vg_fence_new (const VgDecoder *decoder)
{
  VgFence *self = g_new0 (VgFence, 1);

  self->decoder = decoder;
  self->descriptor = -1;
  self->program = find_program ();
  return self;
}

void
vg_fence_set_file (VgFence *self, const char *path, const char *name)
{
  g_free (self->path);
  g_free (self->name);
  self->path = g_strdup (path);
  self->name = g_strdup (name);
  self->open = FALSE;
  g_clear_pointer (&self->file, self->decoder->close);
}

gboolean
vg_fence_open_file (VgFence *self, const char *path, const char *name, gpointer facts,
                    GError **error)
{
  const VgDecoder *decoder = self->decoder;
  VgFenceRequest request = { .length = decoder->facts };

  vg_fence_set_file (self, path, name);
  if (self->program == NULL)
    {
      memset (facts, 0, decoder->facts);
      self->file = decoder->open (path, facts, error);
      return self->file != NULL;
    }
  if (is_given_up (self, FALSE, error) || !ask_child (self, &request, error))
    return FALSE;
  memcpy (facts, self->memory, decoder->facts);
  return TRUE;
}

VgFence *
vg_fence_open (const VgDecoder *decoder, const char *path, const char *name, gpointer facts,
               GError **error)
{
  g_autoptr (VgFence) self = vg_fence_new (decoder);

  return vg_fence_open_file (self, path, name, facts, error) ? g_steal_pointer (&self) : NULL;
}

const void *
vg_fence_read (VgFence *self, const gint64 numbers[VG_DECODER_NUMBERS], gsize length,
               GError **error)
{
  VgFenceRequest request = { .length = length, .reading = 1 };
  g_autoptr (GError) failure = NULL;
  gboolean done = FALSE;

  memcpy (request.numbers, numbers, sizeof request.numbers);
  if (self->program == NULL)
    done = open_here (self, &failure) && need_own_memory (self, length, &failure) &&
           self->decoder->read (self->file, numbers, self->memory, length, &failure);
  else
    done = !is_given_up (self, TRUE, &failure) && ask_child (self, &request, &failure);
  if (done)
    return self->memory;
  if (failure == NULL)
    g_set_error_literal (&failure, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "the file has changed");
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

void
vg_fence_close (VgFence *self)
{
  if (self == NULL)
    return;
  stop (self);
  if (self->program == NULL)
    g_free (g_steal_pointer (&self->memory));
  g_clear_pointer (&self->file, self->decoder->close);
  drop_memory (self);
  g_free (self->program);
  g_free (self->path);
  g_free (self->name);
  g_free (self);
}
