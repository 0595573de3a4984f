/* SPDX-License-Identifier: MIT */
/* Loads the module of MPI, once, if a launcher has started several processes. */
#include "kernels/core/vg-ranks.h"
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-module.h"
#include "vg-config.h"

#define MODULE_FILE "vivograph-mpi.so"

enum { UNKNOWN = -1 };

/* How many processes the launcher has started: Open MPI, or what implements PMI.  UNKNOWN: one that
 * implements only PMIx, which tells no number. */
static int
launched (void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]) != NULL)
      return (int) g_ascii_strtoll (g_getenv (names[i]), NULL, 10);
  if (g_getenv ("PMIX_RANK") != NULL && g_strcmp0 (g_getenv ("SLURM_STEP_NUM_TASKS"), "1") != 0)
    return UNKNOWN;
  return 1;
}

/* Every rank has the same version if no bit of its name is set in one and clear in another. */
static gboolean
same_version (const VgRanks *ranks)
{
  guint32 own = g_str_hash (VG_VERSION), bits[2] = { own, ~own };

  ranks->merge (bits, 2);
  return bits[0] == own && bits[1] == ~own;
}

/* The GPUs of this machine; their numbers may have gaps in a container. */
static guint
count_gpus (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/dev", 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, "nvidia") && g_ascii_isdigit (name[strlen ("nvidia")]))
      n++;
  return n;
}

/* A rank uses a GPU of its own, before the CUDA module counts them. */
static void
choose_gpu (const VgRanks *ranks)
{
  const char *visible = g_getenv ("CUDA_VISIBLE_DEVICES");
  g_auto (GStrv) names = visible != NULL ? g_strsplit (visible, ",", -1) : NULL;
  g_autofree char *chosen = NULL;
  guint n = names != NULL ? g_strv_length (names) : count_gpus ();

  if (n < 2)
    return;
  chosen = names != NULL ? g_strdup (names[(guint) ranks->local % n])
                         : g_strdup_printf ("%u", (guint) ranks->local % n);
  g_setenv ("CUDA_VISIBLE_DEVICES", chosen, TRUE);
}

static const VgRanks *
connect_ranks (GError **error)
{
  g_autofree char *path = NULL, *reason = NULL;
  const VgRanks *(*entry) (void) = (const VgRanks *(*) (void) ) vg_module_open (
      MODULE_FILE, VG_BUILD_MODULE_DIR, "vg_ranks_module", &path, &reason);
  const VgRanks *ranks = entry != NULL ? entry () : NULL;

  if (entry == NULL)
    reason = reason != NULL ? g_steal_pointer (&reason)
                            : g_strdup ("it was built without MPI; install libopenmpi-dev and "
                                        "build it again, or start it without mpirun");
  else if (ranks == NULL)
    reason = g_strdup ("MPI cannot be started, or does not support threads; install Open MPI with "
                       "MPI_THREAD_FUNNELED");
  else if (ranks->abi != VG_RANKS_ABI)
    reason = g_strdup_printf ("%s is of another version; install Vivograph again", path);
  else if (!same_version (ranks))
    reason = g_strdup ("ranks run different versions; install the same one on all machines");
  if (reason == NULL)
    {
      choose_gpu (ranks);
      return ranks;
    }
  g_set_error (error, VG_USAGE_ERROR, 0, "Vivograph cannot work as one of several ranks: %s",
               reason);
  return NULL;
}

const VgRanks *
vg_ranks_get (GError **error)
{
  static gboolean tried;
  static const VgRanks *ranks;

  if (!tried && launched () == UNKNOWN)
    {
      g_set_error_literal (
          error, VG_USAGE_ERROR, 0,
          "the launcher gives only a rank of PMIx, as srun --mpi=pmix does, so the "
          "number of processes is unknown; start Vivograph with mpirun");
      return NULL;
    }
  if (!tried && launched () > 1)
    {
      ranks = connect_ranks (error);
      if (ranks == NULL)
        return NULL;
    }
  tried = TRUE;
  return ranks;
}
