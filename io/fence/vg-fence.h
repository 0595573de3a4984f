/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/fence/vg-decoder.h"
/* Files that a decoder reads, one at a time, in a child process, the program vivograph-decode.  The
 * child may open files for reading and use the memory that is shared with it, and nothing else.  If
 * a file makes the decoder crash or hang, or takes control of it, only the current call fails.
 *
 * Without vivograph-decode, or if the environment variable VIVOGRAPH_FENCE is "off", the decoder
 * runs in this process. */
G_BEGIN_DECLS

typedef struct _VgFence VgFence;

/* A fence without a file. */
VgFence *vg_fence_new (const VgDecoder *decoder);
/* Opens the file PATH, called NAME in messages, in the place of the one before, and fills the
 * decoder's FACTS.  They come from the child, so the caller checks them.  FALSE without an error:
 * it is no file of this decoder.  VG_IO_ERROR_FORMAT: the message is a reason, such as "decoding it
 * takes longer than 30 s"; any other error is a sentence. */
gboolean vg_fence_open_file (VgFence *self, const char *path, const char *name, gpointer facts,
                             GError **error);
/* The file that the next read opens, so that opening and reading take one message. */
void vg_fence_set_file (VgFence *self, const char *path, const char *name);
/* A fence with one file, as above; NULL: it is not open. */
VgFence *vg_fence_open (const VgDecoder *decoder, const char *path, const char *name,
                        gpointer facts, GError **error);
/* The LENGTH bytes that the decoder reads for NUMBERS (VgDecoder.read), valid until the next call;
 * NULL and an error as above.  After an error, the next call may succeed.  One thread at a time. */
const void *vg_fence_read (VgFence *self, const gint64 numbers[VG_DECODER_NUMBERS], gsize length,
                           GError **error);
void vg_fence_close (VgFence *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (VgFence, vg_fence_close)

G_END_DECLS
