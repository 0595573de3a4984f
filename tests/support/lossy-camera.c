/* SPDX-License-Identifier: MIT */
/* A library to be loaded before all others by a simulated GigE Vision camera.  It loses packets of
 * its frames and answers to written settings, always the same ones, and logs what was sent:
 *   VG_LOSSY_PACKETS  packets of each million that are lost; default 0
 *   VG_LOSSY_WHOLE    each frame whose count is a multiple of this is lost whole; 0: none
 *   VG_LOSSY_ANSWERS  answers that are lost after the first, by which control was taken; default 0
 *   VG_LOSSY_FRAMES   frames that are sent; the camera makes later ones, but sends nothing of them
 *   VG_LOSSY_SECONDS  the same, by the time since the first frame
 *   VG_LOSSY_LOG      file with a line for each frame: its number, its packets, and those lost */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* GigE Vision: the port of the control packets; the header of a stream packet and its types. */
enum { CONTROL_PORT = 3956, HEADER_BYTES = 8, LEADER = 1, TRAILER = 2 };
/* Answers to a control packet that writes a register, or memory. */
enum { WROTE_REGISTER = 0x83, WROTE_MEMORY = 0x87 };
enum { LAST_US = 500000 };

static struct
{
  int ready, log;
  unsigned long per_million, whole, most;
  unsigned long frame; /* counted from 1 */
  time_t seconds, end; /* by CLOCK_MONOTONIC */
  unsigned long packets, lost;
  unsigned long answers, lost_answers;
} state = { .log = -1 };

static unsigned long
number (const char *name, unsigned long otherwise)
{
  const char *text = getenv (name);

  return text != NULL ? strtoul (text, NULL, 10) : otherwise;
}

static void
get_ready (void)
{
  const char *path = getenv ("VG_LOSSY_LOG");

  state.ready = 1;
  state.per_million = number ("VG_LOSSY_PACKETS", 0);
  state.whole = number ("VG_LOSSY_WHOLE", 0);
  state.lost_answers = number ("VG_LOSSY_ANSWERS", 0);
  state.most = number ("VG_LOSSY_FRAMES", ~0ul);
  state.seconds = (time_t) number ("VG_LOSSY_SECONDS", 0);
  if (path != NULL)
    state.log = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* A number below a million that depends on the frame and the packet alone. */
static unsigned long
draw (uint64_t frame, uint64_t packet)
{
  uint64_t x = frame * 0x9e3779b97f4a7c15u + packet;

  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return (unsigned long) ((x ^ x >> 31) % 1000000);
}

static int
is_control (int fd)
{
  struct sockaddr_in at;
  socklen_t length = sizeof at;

  return getsockname (fd, (struct sockaddr *) &at, &length) != 0 || at.sin_family != AF_INET ||
         ntohs (at.sin_port) == CONTROL_PORT;
}

static void
tell (unsigned id)
{
  char line[80];
  int n = snprintf (line, sizeof line, "%u %lu %lu\n", id, state.packets, state.lost);

  if (state.log >= 0 && write (state.log, line, (size_t) n) != n)
    abort ();
}

/* The frame that begins after the time is the last but one. */
static void
look_at_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  if (state.frame == 1)
    state.end = now.tv_sec + state.seconds;
  if (state.seconds > 0 && state.most > state.frame + 1 && now.tv_sec >= state.end)
    state.most = state.frame + 1;
}

/* Whether this PACKET of a stream is lost.  Only the camera's one thread sends. */
static int
loses (int fd, const unsigned char *packet, size_t length)
{
  unsigned long id;
  int type, is_lost;

  if (!state.ready)
    get_ready ();
  if (length < HEADER_BYTES)
    return 0;
  if (is_control (fd))
    return packet[2] == 0 && (packet[3] == WROTE_REGISTER || packet[3] == WROTE_MEMORY) &&
           state.answers++ - 1 < state.lost_answers;
  type = packet[4] & 0x0f;
  id = (unsigned long) packet[5] << 16 | (unsigned long) packet[6] << 8 | packet[7];
  if (type == LEADER)
    {
      state.frame++;
      state.packets = state.lost = 0;
      look_at_time ();
      if (state.frame == state.most) /* so that a slow reader has room for the last one */
        usleep (LAST_US);
    }
  if (state.frame > state.most)
    return 1;
  is_lost = (state.whole > 0 && state.frame % state.whole == 0) ||
            draw (state.frame, id) < state.per_million;
  state.packets++;
  state.lost += (unsigned long) is_lost;
  if (type == TRAILER)
    tell ((unsigned) packet[2] << 8 | packet[3]);
  return is_lost;
}

ssize_t
sendto (int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to,
        socklen_t to_length)
{
  static ssize_t (*real) (int, const void *, size_t, int, const struct sockaddr *, socklen_t);

  if (real == NULL)
    *(void **) &real = dlsym (RTLD_NEXT, "sendto");
  return loses (fd, bytes, length) ? (ssize_t) length
                                   : real (fd, bytes, length, flags, to, to_length);
}

ssize_t
sendmsg (int fd, const struct msghdr *message, int flags)
{
  static ssize_t (*real) (int, const struct msghdr *, int);

  if (real == NULL)
    *(void **) &real = dlsym (RTLD_NEXT, "sendmsg");
  if (message->msg_iovlen == 1 &&
      loses (fd, message->msg_iov[0].iov_base, message->msg_iov[0].iov_len))
    return (ssize_t) message->msg_iov[0].iov_len;
  return real (fd, message, flags);
}
