/* SPDX-License-Identifier: MIT */
/* The step that waits hangs on its session, so it ends with it. */
#include "ui/common/vg-commit.h"

enum { REST_MS = 500 };
static const char KEY[] = "vg-waiting-commit";

typedef struct
{
  VgSession *session; /* not owned: it owns this */
  char *what;
  guint timeout_id;
} Waiting;

static void
waiting_free (gpointer data)
{
  Waiting *waiting = data;

  g_clear_handle_id (&waiting->timeout_id, g_source_remove);
  g_free (waiting->what);
  g_free (waiting);
}

static gboolean
on_rest (gpointer data)
{
  Waiting *waiting = data;

  waiting->timeout_id = 0;
  vg_commit_flush (waiting->session);
  return G_SOURCE_REMOVE;
}

void
vg_commit_flush (VgSession *session)
{
  Waiting *waiting = g_object_steal_data (G_OBJECT (session), KEY);

  if (waiting == NULL)
    return;
  vg_session_commit (session, waiting->what);
  waiting_free (waiting);
}

void
vg_commit_later (VgSession *session, const char *what)
{
  Waiting *waiting = g_object_get_data (G_OBJECT (session), KEY);

  if (waiting && !g_str_equal (waiting->what, what))
    {
      vg_commit_flush (session);
      waiting = NULL;
    }
  if (waiting == NULL)
    {
      waiting = g_new0 (Waiting, 1);
      waiting->session = session;
      waiting->what = g_strdup (what);
      g_object_set_data_full (G_OBJECT (session), KEY, waiting, waiting_free);
    }
  g_clear_handle_id (&waiting->timeout_id, g_source_remove);
  waiting->timeout_id = g_timeout_add (REST_MS, on_rest, waiting);
}
