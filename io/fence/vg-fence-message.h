/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/fence/vg-decoder.h"
#include <limits.h>
/* What the program and its child send each other, each message as one packet. */
G_BEGIN_DECLS

#define VG_FENCE_PROGRAM "vivograph-decode"
enum { VG_FENCE_SOCKET = 3 }; /* of the child */

/* A request comes with the descriptor of the shared memory when that is new, and with a path if a
 * file is to be opened first.  The answer is what is read or, if nothing is, the decoder's facts.
 */
typedef struct
{
  guint64 length;  /* of the answer in the shared memory, bytes */
  guint64 reading; /* 1: `numbers` say what is read */
  gint64 numbers[VG_DECODER_NUMBERS];
  char path[PATH_MAX];
} VgFenceRequest;

typedef enum { VG_FENCE_DONE, VG_FENCE_NOT_MINE, VG_FENCE_FAILED } VgFenceState;

typedef struct
{
  guint32 state;
  guint32 filtered; /* the system calls of the child are limited */
  char reason[500];
} VgFenceReply;

/* Time for which either side asks again and again for a message before it sleeps, µs: waking up
 * takes longer than most answers. */
enum { VG_FENCE_EAGER_US = 100 };

G_END_DECLS
