/* SPDX-License-Identifier: MIT */
#pragma once
#include <glib.h>
/* Several processes that work on one task, as mpirun starts them.  Each of them is a rank, and all
 * have the same arguments.  The module vivograph-mpi.so connects them. */
G_BEGIN_DECLS

#define VG_RANKS_ABI 2

/* All functions are called on one thread.  If a rank fails in one of them, all ranks end. */
typedef struct
{
  int abi; /* VG_RANKS_ABI */
  int rank, size;
  int local; /* this rank's number among those of its machine */
  /* Every rank calls these in the same order with the same N.  Afterwards VALUES[I] of every rank
   * is the sum, or WORDS[I] the bitwise or, of those of all ranks. */
  void (*sum) (guint64 *values, gsize n);
  void (*merge) (guint32 *words, gsize n);
  /* Every rank has the words from N * rank / size to N * (rank + 1) / size; afterwards every rank
   * has all words. */
  void (*share) (guint32 *words, gsize n);
  /* 0, 1, 2 and so on: each number goes to one rank, when it asks. */
  gint64 (*next) (void);
  /* Waits until every rank has called it. */
  void (*wait) (void);
  /* The last call of every rank. */
  void (*finish) (void);
  /* Ends all ranks; does not return. */
  void (*abort) (int status);
} VgRanks;

/* The ranks of this process; NULL: it works alone, or with an error: it was started with others,
 * but cannot be connected to them.  The first call connects them. */
const VgRanks *vg_ranks_get (GError **error);

G_END_DECLS
