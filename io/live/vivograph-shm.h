/* SPDX-License-Identifier: MIT */
/* Frames for Vivograph through shared memory: the layout, and what a producer calls.  It needs
 * nothing but a C11 compiler and POSIX; a producer may copy this file.
 *
 * The object shm_open ("/NAME") holds one vivograph_shm_header and then a ring of `slots` slots.
 * Slot s begins at byte header_bytes + s * slot_bytes with one vivograph_shm_slot; the samples of
 * its frame follow, row by row without padding, in the byte order of the machine.  The frame that
 * is written as number k (0, 1, 2, ...) is in slot k % slots.
 *
 * A producer fills the header, writes `magic` last, and for each frame calls vivograph_shm_begin,
 * writes the samples and calls vivograph_shm_commit.  It never waits for a reader: a reader that
 * is slower than the ring loses frames and counts them.  At the end it sets `state` to
 * VIVOGRAPH_SHM_ENDED and unlinks the object.  A producer that is restarted creates a new object.
 */
#ifndef VIVOGRAPH_SHM_H
#define VIVOGRAPH_SHM_H
#include <stddef.h>
#include <stdint.h>

#define VIVOGRAPH_SHM_MAGIC "VGRING01"

enum { VIVOGRAPH_SHM_U8 = 0, VIVOGRAPH_SHM_U16 = 1, VIVOGRAPH_SHM_U32 = 2, VIVOGRAPH_SHM_F32 = 3 };
enum { VIVOGRAPH_SHM_RUNNING = 1, VIVOGRAPH_SHM_ENDED = 2 };

typedef struct
{
  char magic[8];           /* VIVOGRAPH_SHM_MAGIC without the zero at its end */
  uint32_t header_bytes;   /* where slot 0 begins: 128, or a larger multiple of 64 */
  uint32_t type;           /* VIVOGRAPH_SHM_U8 and so on */
  uint32_t width, height;  /* pixels */
  uint32_t channels;       /* 1 grey, 3 RGB */
  uint32_t bits;           /* used bits of a sample, such as 12; 0: all */
  uint64_t slots;          /* 2 or more */
  uint64_t slot_bytes;     /* a multiple of 64, 64 + frame or more */
  double frame_interval_s; /* 0: not known, as the two below */
  double exposure_ms;
  double pixel_um;
  uint64_t pid;     /* process ID of the producer; 0: not known */
  uint64_t written; /* number of complete frames; changes with each frame */
  uint32_t state;   /* VIVOGRAPH_SHM_RUNNING or VIVOGRAPH_SHM_ENDED */
  uint32_t reserved[9];
} vivograph_shm_header;

typedef struct
{
  uint64_t sequence; /* 2 k + 1 while frame k is written, 2 k + 2 when it is complete */
  uint64_t id;       /* number that the camera gave the frame; a gap means lost frames */
  int64_t device_ns; /* time stamp of the camera's clock; 0: it has none */
  int64_t host_ns;   /* when the frame arrived, Unix time; 0: not known */
  uint64_t reserved[4];
} vivograph_shm_slot;

_Static_assert(sizeof (vivograph_shm_header) == 128, "128 bytes");
_Static_assert(sizeof (vivograph_shm_slot) == 64, "64 bytes");

/* The slot of frame K, whose samples follow it. */
static inline vivograph_shm_slot *
vivograph_shm_slot_of (vivograph_shm_header *self, uint64_t k)
{
  return (vivograph_shm_slot *) (void *) ((char *) self + self->header_bytes +
                                          k % self->slots * self->slot_bytes);
}

/* Begins the next frame; returns where its samples belong. */
static inline void *
vivograph_shm_begin (vivograph_shm_header *self)
{
  const uint64_t k = self->written;
  vivograph_shm_slot *slot = vivograph_shm_slot_of (self, k);

  __atomic_store_n (&slot->sequence, 2 * k + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
  return slot + 1;
}

/* Completes the frame that was begun. */
static inline void
vivograph_shm_commit (vivograph_shm_header *self, uint64_t id, int64_t device_ns, int64_t host_ns)
{
  const uint64_t k = self->written;
  vivograph_shm_slot *slot = vivograph_shm_slot_of (self, k);

  slot->id = id;
  slot->device_ns = device_ns;
  slot->host_ns = host_ns;
  __atomic_store_n (&slot->sequence, 2 * k + 2, __ATOMIC_RELEASE);
  __atomic_store_n (&self->written, k + 1, __ATOMIC_RELEASE);
}

#endif
