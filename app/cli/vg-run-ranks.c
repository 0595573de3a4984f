/* SPDX-License-Identifier: MIT */
/* What a run does as one of several ranks. */
#include <stdio.h>
#include "app/cli/vg-command-run-private.h"

/* If all ranks make the same mistake, the first reports it and ends all ranks.  The others wait so
 * long for that. */
enum { FIRST_US = 10000000 };

gboolean
vg_run_connect (const VgRanks **ranks, GError **error)
{
  g_autoptr (GError) local = NULL;

  *ranks = vg_ranks_get (&local);
  if (local == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

int
vg_run_fail (const VgRanks *ranks, const GError *error)
{
  int status;

  if (ranks != NULL && ranks->rank > 0)
    {
      g_usleep (FIRST_US);
      fprintf (stderr, "vivograph: rank %d of %d has failed, so all ranks end:\n", ranks->rank + 1,
               ranks->size);
    }
  status = vg_command_fail (error);
  if (ranks != NULL)
    ranks->abort (status);
  return status;
}
