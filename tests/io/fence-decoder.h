/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/fence/vg-decoder.h"
#include <sys/types.h>
/* A decoder that behaves as the test wants.  The first number of a read is the behaviour; the path
 * is one of "good", "foreign", "wrong", "crash" and "slow". */
G_BEGIN_DECLS

enum {
  FENCE_ANSWER, /* fence_decoder_fill, with the process behind it in the last bytes */
  FENCE_THREAD, /* fence_decoder_fill of 1, in another thread */
  FENCE_FAIL,   /* an error */
  FENCE_CRASH,
  FENCE_SPIN,     /* for ever */
  FENCE_TOO_MUCH, /* takes more memory than the limit */
  FENCE_ESCAPE    /* a byte for each attempt to do what the fence forbids: 1, it succeeded */
};

enum { FENCE_FACT = 4711, FENCE_ATTEMPTS = 17 };

typedef struct
{
  gint64 fact;
} FenceFacts;

extern const VgDecoder fence_decoder;

/* Fills LENGTH bytes, which depend on SEED. */
void fence_decoder_fill (gint64 seed, guint8 *bytes, gsize length);

G_END_DECLS
