/* SPDX-License-Identifier: MIT */
/* save-session FILE N: reads the session FILE if there is one, as the window does, and saves it
 * with other regions, which depend on N, and with the state of a computation. */
#include <stdlib.h>
#include "app/cli/vg-command.h"
#include "app/cli/vg-terminal.h"
#include "app/session/vg-checkpoint-text.h"
#include "app/session/vg-session.h"

enum { REGIONS = 40, STATE_BYTES = 200000 };

static void
draw_regions (VgSession *session, int seed)
{
  while (vg_session_get_n_regions (session) > 0)
    vg_session_remove_region (session, 0);
  for (int i = 0; i < REGIONS; i++)
    {
      const VgRegion region = { .kind = VG_REGION_RECTANGLE,
                                .n_points = 2,
                                .x = { i, i + 2.5 * seed },
                                .y = { 2 * i, 2 * i + seed } };

      vg_session_add_region (session, &region);
    }
}

/* The state is noise, so that its compressed text is about as long. */
static char *
make_state (int seed, GError **error)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) seed);
  guint8 *noise = g_malloc (STATE_BYTES);
  g_autoptr (GBytes) state = g_bytes_new_take (noise, STATE_BYTES);

  for (int i = 0; i < STATE_BYTES; i++)
    noise[i] = (guint8) g_rand_int (rand);
  return vg_checkpoint_format (state, error);
}

static int
save (const char *path, int seed)
{
  guint n;
  const VgOperation *operation = vg_operations (&n)[0];
  g_autoptr (VgSession) session = vg_session_new (operation);
  g_autoptr (GHashTable) states = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autoptr (GError) error = NULL;
  char *state;

  if (g_file_test (path, G_FILE_TEST_EXISTS) && !vg_session_load (session, path, &error))
    return vg_command_fail (error);
  g_free (vg_session_take_checkpoint (session)); /* the new one replaces it */
  draw_regions (session, seed);
  state = make_state (seed, &error);
  if (state == NULL)
    return vg_command_fail (error);
  g_hash_table_insert (states, (gpointer) operation, state);
  return vg_session_save (session, path, states, &error) ? 0 : vg_command_fail (error);
}

int
main (int argc, char **argv)
{
  VgSignals *signals = vg_signals_new ();
  int status = argc == 3 ? save (argv[1], atoi (argv[2])) : VG_EXIT_USAGE;

  vg_signals_free (signals);
  return status;
}
