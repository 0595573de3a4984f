/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
#include "io/live/vivograph-shm.h"
/* A producer of frames in shared memory, whose samples tell their number. */
G_BEGIN_DECLS

enum { SHM_WIDTH = 24, SHM_HEIGHT = 10, SHM_PIXELS = SHM_WIDTH * SHM_HEIGHT };

typedef struct
{
  char *object, *address; /* "/NAME", "shm:NAME" */
  vivograph_shm_header *ring;
  gsize bytes;
} ShmProducer;

/* Makes a new object of SLOTS slots for 16-bit frames of 12 bits, as at a new start of the
 * producer. */
void shm_producer_begin (ShmProducer *self, guint64 slots);
/* Sends frame ID, whose samples are all ID and whose time is ID * STEP_NS. */
void shm_producer_send (ShmProducer *self, guint64 id, gint64 step_ns);
/* Forgets the object without ending the stream, as a producer that dies. */
void shm_producer_die (ShmProducer *self);
/* Unlinks the object. */
void shm_producer_clear (ShmProducer *self);

G_END_DECLS
