/* SPDX-License-Identifier: MIT */
#include "io/fence/vg-fence-child.h"
#include "io/fence/vg-fence-message.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct
{
  const VgDecoder *decoder;
  gpointer file;
  void *memory; /* shared with the program */
  gsize size;
} Child;

/* Maps the memory of DESCRIPTOR in the place of the former one. */
static gboolean
take_memory (Child *self, int descriptor)
{
  struct stat status;

  if (self->memory != NULL)
    munmap (self->memory, self->size);
  if (fstat (descriptor, &status) < 0)
    return FALSE;
  self->size = (gsize) status.st_size;
  self->memory = mmap (NULL, self->size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close (descriptor);
  return self->memory != MAP_FAILED;
}

/* The length of the next request; 0: there is none, or no memory for its answer. */
static gsize
receive (Child *self, VgFenceRequest *request)
{
  struct iovec part = { request, sizeof *request };
  union
  {
    char bytes[CMSG_SPACE (sizeof (int))];
    struct cmsghdr header;
  } control;
  struct msghdr message = { .msg_iov = &part,
                            .msg_iovlen = 1,
                            .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes };
  gint64 eager_until = g_get_monotonic_time () + VG_FENCE_EAGER_US;
  gboolean eager = TRUE;
  gssize n;
  int descriptor;

  do
    {
      n = recvmsg (VG_FENCE_SOCKET, &message, MSG_CMSG_CLOEXEC | (eager ? MSG_DONTWAIT : 0));
      eager = eager && g_get_monotonic_time () < eager_until;
    }
  while (n < 0 && (errno == EINTR || errno == EAGAIN));
  if (n < (gssize) offsetof (VgFenceRequest, path))
    return 0;
  if (CMSG_FIRSTHDR (&message) != NULL)
    {
      memcpy (&descriptor, CMSG_DATA (CMSG_FIRSTHDR (&message)), sizeof descriptor);
      if (!take_memory (self, descriptor))
        return 0;
    }
  return request->length <= self->size ? (gsize) n : 0;
}

static gboolean
open_file (Child *self, const char *path, GError **error)
{
  g_clear_pointer (&self->file, self->decoder->close);
  memset (self->memory, 0, self->decoder->facts);
  self->file = self->decoder->open (path, self->memory, error);
  return self->file != NULL;
}

static void
serve (Child *self, const VgFenceRequest *request, gboolean open, VgFenceReply *reply)
{
  const struct itimerval limit = { .it_value = { .tv_sec = self->decoder->seconds } };
  const struct itimerval none = { 0 };
  g_autoptr (GError) error = NULL;
  gboolean done;

  /* a program that was killed cannot end a child that hangs: this signal does */
  setitimer (ITIMER_PROF, &limit, NULL);
  done = (!open || open_file (self, request->path, &error)) &&
         (!request->reading || self->decoder->read (self->file, request->numbers, self->memory,
                                                    request->length, &error));
  setitimer (ITIMER_PROF, &none, NULL); /* threads of the decoder may go on */
  reply->state = done ? VG_FENCE_DONE : error != NULL ? VG_FENCE_FAILED : VG_FENCE_NOT_MINE;
  g_strlcpy (reply->reason, error != NULL ? error->message : "", sizeof reply->reason);
}

int
vg_fence_serve (const VgDecoder *const *decoders, int argc, char **argv)
{
  Child self = { 0 };
  VgFenceRequest request = { 0 };
  gboolean filtered;
  gsize n;

  while (*decoders != NULL && (argc != 2 || strcmp ((*decoders)->name, argv[1]) != 0))
    decoders++;
  self.decoder = *decoders;
  if (self.decoder == NULL)
    return 2;
  filtered = vg_fence_confine (self.decoder->memory);
  while ((n = receive (&self, &request)) > 0)
    {
      gboolean open = n > offsetof (VgFenceRequest, path);
      VgFenceReply reply = { .filtered = filtered };

      if ((open && self.decoder->facts > self.size) ||
          (!request.reading && request.length != self.decoder->facts) ||
          (!open && (self.file == NULL || !request.reading)))
        return 2; /* the program is of another version */
      serve (&self, &request, open, &reply);
      if (send (VG_FENCE_SOCKET, &reply, sizeof reply, MSG_NOSIGNAL) < 0)
        break;
    }
  return 0;
}
