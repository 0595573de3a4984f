/* SPDX-License-Identifier: MIT */
/* Opening and saving sessions.  A session that refers to files outside its folder is opened only if
 * the user agrees. */
#include "ui/window/vg-window-private.h"
#include "ui/words/vg-translation.h"
#include "kernels/base/vg-error.h"
#include "app/session/vg-journal.h"
#include "app/session/vg-session-files.h"
#include "ui/common/vg-recent.h"
#include "ui/common/vg-object.h"
#include "ui/volume/vg-mask-panel.h"

/* ---- open ---- */

gboolean
vg_window_load_session (VgWindow *self, const char *path, const char *saved_as)
{
  g_autoptr (GError) error = NULL;

  if (vg_opening_load_session (self->opening, path, saved_as, &error))
    {
      vg_opening_open_current (self->opening, FALSE);
      return TRUE;
    }
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_ERROR, error->message);
  return FALSE;
}

static void
open_session (VgWindow *self, const char *path)
{
  if (vg_window_load_session (self, path, path))
    vg_recent_add (path);
}

/* Asks in a banner, so that the window can be used; nothing is opened before the answer. */
static void
ask (VgWindow *self, const char *path, GPtrArray *outside)
{
  enum { LISTED = 4 };
  g_autofree char *name = g_filename_display_basename (path);
  g_autoptr (GString) text = g_string_new (NULL);

  g_object_set_data_full (G_OBJECT (self->question), "vg-path", g_strdup (path), g_free);
  g_string_append_printf (text, _ ("\"%s\" refers to files outside its folder:"), name);
  for (guint i = 0; i < outside->len && i < LISTED; i++)
    {
      g_autofree char *file = g_filename_display_name (outside->pdata[i]);
      g_string_append_printf (text, "%s %s", i > 0 ? "," : "", file);
    }
  if (outside->len > LISTED)
    g_string_append_printf (text, _ (" and %u more"), outside->len - LISTED);
  vg_banner_show (VG_BANNER (self->question), VG_BANNER_WARNING, text->str);
  vg_banner_set_more (VG_BANNER (self->question), _ ("Open These Files"));
  vg_banner_set_second (VG_BANNER (self->question), _ ("Cancel"));
}

void
vg_window_open_session (VgWindow *self, const char *path)
{
  g_autofree char *folder = vg_journal_folder (), *name = g_strdup (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outside = vg_session_list_outside (path, &error);

  if (outside == NULL)
    vg_window_message (self, TRUE, error->message);
  else if (outside->len > 0 && !vg_session_is_allowed (folder, path))
    ask (self, path, outside);
  else
    open_session (self, name);
}

static void
on_allowed (VgWindow *self)
{
  g_autofree char *path = g_object_steal_data (G_OBJECT (self->question), "vg-path"),
                  *folder = vg_journal_folder ();

  vg_banner_hide (VG_BANNER (self->question));
  if (path == NULL)
    return;
  vg_session_allow (folder, path);
  vg_window_open_session (self, path);
}

static void
on_declined (VgWindow *self)
{
  g_object_set_data (G_OBJECT (self->question), "vg-path", NULL);
  vg_banner_hide (VG_BANNER (self->question));
}

void
vg_window_watch_question (VgWindow *self)
{
  vg_connect (self->question, "more", on_allowed, self);
  vg_connect (self->question, "second", on_declined, self);
  vg_connect (self->question, "closed", on_declined, self);
}

/* Opens the session that the last window has left; Save does not write to that file. */
void
vg_window_open_last_session (VgWindow *self)
{
  g_autofree char *path = vg_settings_get_path (self->settings, VG_LAST_SESSION);

  vg_window_load_session (self, path, NULL);
}

/* ---- save ---- */

/* WITHOUT: why the checkpoints are missing, or NULL.  QUIET: only a failure is reported. */
static gboolean
save_session (VgWindow *self, const char *path, GHashTable *checkpoints, const char *without,
              gboolean quiet)
{
  g_autofree char *text = NULL, *folder = NULL;
  g_autoptr (GError) error = NULL;
  gboolean saved;

  saved = vg_session_save (self->session, path, checkpoints, &error);
  if (!saved)
    {
      vg_window_message (self, TRUE, error->message);
      return FALSE;
    }
  vg_recent_add (path);
  folder = vg_journal_folder ();
  vg_session_allow (folder, path);
  vg_session_journal_note_saved (self->journal);
  if (quiet && without == NULL)
    return TRUE;
  text = without == NULL
             ? g_strdup_printf (_ ("Saved the session as \"%s\""), path)
             : g_strdup_printf (_ ("Saved the session as \"%s\" without its result (%s). It is "
                                   "computed again when you open the session."),
                                path, without);
  vg_window_message (self, without != NULL, text);
  return without == NULL;
}

typedef struct
{
  VgWindow *window;
  char *path;
  gboolean quiet;
} Saving;

static void
on_checkpoint (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = data;
  VgWindow *self = saving->window;
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable)
      checkpoints = vg_pipeline_query_finish (VG_PIPELINE (source), result, &error);
  gboolean without = g_error_matches (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);

  if (self->session)
    vg_window_end_writing (self, save_session (self, saving->path, checkpoints,
                                               without ? error->message : NULL, saving->quiet));
  g_object_unref (self);
  g_free (saving->path);
  g_free (saving);
}

static void
save_as (VgWindow *self, const char *path, gboolean quiet)
{
  vg_session_commit_waiting (self->session);
  vg_window_note_frame (self);
  vg_mask_panel_store (
      VG_MASK_PANEL (vg_sections_get_mask (vg_viewer_get_sections (self->viewer))));
  /* the result may depend on the order of edits: it is saved with the session */
  if (vg_pipeline_has_checkpoint (self->pipeline))
    {
      Saving saving = { g_object_ref (self), g_strdup (path), quiet };

      vg_window_begin_writing (self);
      vg_pipeline_query_async (self->pipeline, &(VgQuery){ .kind = VG_QUERY_CHECKPOINTS }, NULL,
                               on_checkpoint, g_memdup2 (&saving, sizeof saving));
    }
  else
    save_session (self, path, NULL, NULL, quiet);
}

void
vg_window_save_as (VgWindow *self, const char *path)
{
  save_as (self, path, FALSE);
}

gboolean
vg_window_save (VgWindow *self)
{
  g_autofree char *path = g_strdup (vg_session_get_path (self->session));

  if (path != NULL)
    vg_window_save_as (self, path);
  return path != NULL;
}

/* ---- autosave ---- */

/* In the order in which the preferences list them; 0: only by hand. */
static const guint autosave_s[] = { 0, 2, 300 };

static guint
get_delay (VgWindow *self)
{
  return autosave_s[vg_settings_get_int (self->settings, "autosave", 0, 0,
                                         G_N_ELEMENTS (autosave_s) - 1)];
}

static gboolean
on_autosave (gpointer data)
{
  VgWindow *self = data;

  self->writing.autosave_id = 0;
  if (vg_opening_is_active (self->opening) || self->writing.n > 0)
    vg_window_autosave_later (self);
  else
    vg_window_autosave (self);
  return G_SOURCE_REMOVE;
}

void
vg_window_autosave_later (VgWindow *self)
{
  if (get_delay (self) > 0 && self->writing.autosave_id == 0)
    self->writing.autosave_id = g_timeout_add_seconds (get_delay (self), on_autosave, self);
}

void
vg_window_autosave (VgWindow *self)
{
  g_autofree char *path = g_strdup (vg_session_get_path (self->session));

  g_clear_handle_id (&self->writing.autosave_id, g_source_remove);
  if (get_delay (self) > 0 && path != NULL && vg_session_journal_is_unsaved (self->journal))
    save_as (self, path, TRUE);
}
