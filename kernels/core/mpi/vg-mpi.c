/* SPDX-License-Identifier: MIT */
/* The module of MPI: what vg-ranks.h declares.  MPI ends all ranks after an error. */
#include <gmodule.h>
#include <mpi.h>
#include "kernels/core/vg-ranks.h"

G_MODULE_EXPORT const VgRanks *vg_ranks_module (void);

/* Messages of MPI count with an int. */
static const gsize most = 1 << 28;

static VgRanks ranks;

static MPI_Win window; /* with the counter of rank 0 */
static gint64 *counter;

static void
sum (guint64 *values, gsize n)
{
  for (gsize i = 0; i < n; i += most)
    MPI_Allreduce (MPI_IN_PLACE, values + i, (int) MIN (most, n - i), MPI_UINT64_T, MPI_SUM,
                   MPI_COMM_WORLD);
}

static void
merge (guint32 *words, gsize n)
{
  for (gsize i = 0; i < n; i += most)
    MPI_Allreduce (MPI_IN_PLACE, words + i, (int) MIN (most, n - i), MPI_UINT32_T, MPI_BOR,
                   MPI_COMM_WORLD);
}

static void
share (guint32 *words, gsize n)
{
  gsize size = (gsize) ranks.size;
  g_autofree int *first = g_new (int, size), *counts = g_new (int, size);

  g_assert (n <= G_MAXINT); /* MPI counts with an int, and no GPU holds so many voxels */
  for (gsize i = 0; i < size; i++)
    {
      first[i] = (int) (n * i / size);
      counts[i] = (int) (n * (i + 1) / size) - first[i];
    }
  MPI_Allgatherv (MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, words, counts, first, MPI_UINT32_T,
                  MPI_COMM_WORLD);
}

static gint64
next (void)
{
  gint64 one = 1, number = 0;

  MPI_Win_lock (MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Fetch_and_op (&one, &number, MPI_INT64_T, 0, 0, MPI_SUM, window);
  MPI_Win_unlock (0, window);
  return number;
}

static void
wait_for_all (void)
{
  MPI_Barrier (MPI_COMM_WORLD);
}

static void
finish (void)
{
  MPI_Win_free (&window);
  MPI_Finalize ();
}

static void
abort_all (int status)
{
  MPI_Abort (MPI_COMM_WORLD, status);
}

static VgRanks ranks = { .abi = VG_RANKS_ABI,
                         .sum = sum,
                         .merge = merge,
                         .share = share,
                         .next = next,
                         .wait = wait_for_all,
                         .finish = finish,
                         .abort = abort_all };

const VgRanks *
vg_ranks_module (void)
{
  MPI_Comm machine;
  int provided;

  if (MPI_Init_thread (NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
      provided < MPI_THREAD_FUNNELED)
    return NULL;
  MPI_Comm_rank (MPI_COMM_WORLD, &ranks.rank);
  MPI_Comm_size (MPI_COMM_WORLD, &ranks.size);
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks.rank, MPI_INFO_NULL, &machine);
  MPI_Comm_rank (machine, &ranks.local);
  MPI_Comm_free (&machine);
  MPI_Win_allocate (ranks.rank == 0 ? sizeof *counter : 0, sizeof *counter, MPI_INFO_NULL,
                    MPI_COMM_WORLD, &counter, &window);
  if (ranks.rank == 0)
    *counter = 0;
  MPI_Barrier (MPI_COMM_WORLD);
  return &ranks;
}
