/* SPDX-License-Identifier: MIT */
#pragma once
#include "io/fence/vg-decoder.h"
G_BEGIN_DECLS

/* The main function of the child: gives up all that DECODERS, ended by NULL, do not need, then
 * serves the one that ARGV names until the program closes the socket.  The exit status. */
int vg_fence_serve (const VgDecoder *const *decoders, int argc, char **argv);

/* Limits the address space of this process to MEMORY bytes and its system calls to those that
 * reading files needs.  FALSE: the calls are not limited, because the kernel refuses the filter, or
 * because none is known for this kind of processor. */
gboolean vg_fence_confine (gint64 memory);

G_END_DECLS
