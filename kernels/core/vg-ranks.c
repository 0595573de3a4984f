/* SPDX-License-Identifier: MIT */
/* Loads the module of MPI, once, if a launcher has started several processes. */
#include "kernels/core/vg-ranks.h"
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/core/vg-module.h"
#include "vg-config.h"

#define MODULE_FILE "vivograph-mpi.so"

/* How many processes the launcher has started: Open MPI, or what implements PMI. */
static int
launched (void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_getenv (names[i]) != NULL)
      return (int) g_ascii_strtoll (g_getenv (names[i]), NULL, 10);
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

/* A rank uses a GPU of its own, before the CUDA module counts them. */
static void
choose_gpu (const VgRanks *ranks)
{
  const char *visible = g_getenv ("CUDA_VISIBLE_DEVICES");
  g_auto (GStrv) names = visible != NULL ? g_strsplit (visible, ",", -1) : NULL;
  g_autofree char *chosen = NULL;
  guint n = names != NULL ? g_strv_length (names) : 0;

  if (visible == NULL)
    for (;; n++)
      {
        g_autofree char *path = g_strdup_printf ("/dev/nvidia%u", n);

        if (!g_file_test (path, G_FILE_TEST_EXISTS))
          break;
      }
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
  else if (ranks == NULL || ranks->abi != VG_RANKS_ABI)
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

  if (!tried && launched () > 1)
    {
      ranks = connect_ranks (error);
      if (ranks == NULL)
        return NULL;
    }
  tried = TRUE;
  return ranks;
}
