/* SPDX-License-Identifier: MIT */
#include "tests/support/io/shm-fixture.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void
shm_producer_begin (ShmProducer *self, guint64 slots)
{
  const guint64 stride = (64 + 2 * SHM_PIXELS + 63) / 64 * 64;
  int fd;

  if (self->object == NULL)
    {
      self->object = g_strdup_printf ("/vg-test-%d", (int) getpid ());
      self->address = g_strdup_printf ("shm:%s", self->object + 1);
    }
  shm_unlink (self->object);
  fd = shm_open (self->object, O_RDWR | O_CREAT | O_EXCL, 0600);
  g_assert_cmpint (fd, >=, 0);
  self->bytes = 128 + slots * stride;
  g_assert_cmpint (ftruncate (fd, (off_t) self->bytes), ==, 0);
  self->ring = mmap (NULL, self->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  *self->ring = (vivograph_shm_header){ .header_bytes = 128,
                                        .type = VIVOGRAPH_SHM_U16,
                                        .width = SHM_WIDTH,
                                        .height = SHM_HEIGHT,
                                        .channels = 1,
                                        .bits = 12,
                                        .slots = slots,
                                        .slot_bytes = stride,
                                        .exposure_ms = 5,
                                        .state = VIVOGRAPH_SHM_RUNNING };
  memcpy (self->ring->magic, VIVOGRAPH_SHM_MAGIC, 8);
}

void
shm_producer_send (ShmProducer *self, guint64 id, gint64 step_ns)
{
  guint16 *samples = vivograph_shm_begin (self->ring);

  for (int i = 0; i < SHM_PIXELS; i++)
    samples[i] = (guint16) id;
  vivograph_shm_commit (self->ring, id, (gint64) id * step_ns, 0);
}

void
shm_producer_die (ShmProducer *self)
{
  munmap (self->ring, self->bytes);
  self->ring = NULL;
}

void
shm_producer_clear (ShmProducer *self)
{
  if (self->ring != NULL)
    shm_producer_die (self);
  shm_unlink (self->object);
  g_free (self->object);
  g_free (self->address);
}
