/* SPDX-License-Identifier: MIT */
/* Work that is not saved is kept on disk while it goes on, and offered at the
 * next start when the program did not come to its end. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"

enum { WRITE_MS = 1000 };

/* ---- while it goes on ---- */

static gboolean
is_saved (VgWindow *self, const char *text)
{
  return g_strcmp0 (text, self->journal.saved) == 0;
}

static void
write_journal (VgWindow *self)
{
  g_autofree char *now = vg_session_to_undoable_text (self->session),
                  *folder = vg_journal_folder (), *text = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->journal.write_id, g_source_remove);
  self->journal.unsaved = !is_saved (self, now);
  if (self->journal.own == NULL)
    return;
  if (!self->journal.unsaved)
    {
      vg_journal_clear (self->journal.own);
      return;
    }
  text = vg_session_to_text_in (self->session, folder);
  if (!vg_journal_write (self->journal.own, text, vg_session_get_path (self->session), &error) &&
      !self->journal.failed)
    {
      g_autofree char *words = g_strdup_printf (
          _ ("Unsaved work would be lost in a crash: %s. Save the session often."), error->message);

      self->journal.failed = TRUE; /* told once */
      vg_window_tell (self, VG_BANNER_WARNING, words);
    }
}

static gboolean
on_time (gpointer data)
{
  VgWindow *self = data;

  self->journal.write_id = 0;
  write_journal (self);
  return G_SOURCE_REMOVE;
}

/* What is there now needs no saving. */
static void
note_saved (VgWindow *self)
{
  g_free (self->journal.saved);
  self->journal.saved = vg_session_to_undoable_text (self->session);
  self->journal.unsaved = FALSE;
}

/* Opening data leaves nothing to save, unless something is unsaved already. */
static void
on_changed (VgWindow *self, guint flags)
{
  if (flags == VG_CHANGED_HISTORY)
    return;
  if ((self->taking || !self->started) && !self->journal.unsaved && self->journal.write_id == 0)
    note_saved (self);
  else if (self->journal.write_id == 0)
    self->journal.write_id = g_timeout_add (WRITE_MS, on_time, self);
}

void
vg_window_note_saved (VgWindow *self)
{
  note_saved (self);
  write_journal (self);
}

/* ---- what was left ---- */

static void
offer (VgWindow *self)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *date = NULL, *name = NULL, *text = NULL;
  VgJournal *left;

  if (self->journal.left->len == 0)
    {
      vg_banner_hide (VG_BANNER (self->recovery));
      return;
    }
  left = self->journal.left->pdata[0];
  time = g_date_time_new_from_unix_local (vg_journal_get_time (left));
  date = g_date_time_format (time, "%-d %B %Y, %H:%M");
  name = vg_journal_get_path (left) ? g_filename_display_basename (vg_journal_get_path (left))
                                    : NULL;
  text = g_strdup_printf (_ ("Unsaved work from %s was found%s%s."), date, name ? " for " : "",
                          name ? name : "");
  vg_banner_show (VG_BANNER (self->recovery), VG_BANNER_WARNING, text);
  vg_banner_set_more (VG_BANNER (self->recovery), "Restore");
  vg_banner_set_second (VG_BANNER (self->recovery), "Discard");
}

static void
on_discard (VgWindow *self)
{
  if (self->journal.left->len > 0)
    vg_journal_free (g_ptr_array_steal_index (self->journal.left, 0));
  offer (self);
}

static void
on_restore (VgWindow *self)
{
  VgJournal *left = self->journal.left->len > 0 ? g_ptr_array_steal_index (self->journal.left, 0)
                                                : NULL;

  if (left == NULL)
    return;
  g_clear_pointer (&self->journal.restoring, vg_journal_leave);
  if (vg_window_load_session (self, vg_journal_get_file (left), vg_journal_get_path (left)))
    {
      self->journal.restoring = left;
      vg_window_open_current (self);
    }
  else
    vg_journal_leave (left); /* the next start offers it again; by then the cause may be gone */
  offer (self);
}

void
vg_window_end_restoring (VgWindow *self, gboolean opened)
{
  VgJournal *restored = g_steal_pointer (&self->journal.restoring);

  if (restored == NULL)
    return;
  if (opened)
    {
      g_clear_pointer (&self->journal.saved, g_free);
      write_journal (self); /* before what was left goes */
      vg_journal_free (restored);
      return;
    }
  g_ptr_array_insert (self->journal.left, 0, restored);
  offer (self);
}

/* ---- begin and end ---- */

void
vg_window_begin_journal (VgWindow *self)
{
  g_autofree char *folder = vg_journal_folder ();
  g_autoptr (GError) error = NULL;

  self->journal.left = vg_journal_find_left (folder);
  self->journal.own = vg_journal_new (folder, &error);
  if (self->journal.own == NULL)
    g_debug ("%s", error->message);
  g_signal_connect_object (self->session, "changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recovery, "more", G_CALLBACK (on_restore), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->recovery, "second", G_CALLBACK (on_discard), self,
                           G_CONNECT_SWAPPED);
  note_saved (self);
  offer (self);
}

void
vg_window_end_journal (VgWindow *self)
{
  g_clear_handle_id (&self->journal.write_id, g_source_remove);
  g_clear_pointer (&self->journal.own, vg_journal_free);
  g_clear_pointer (&self->journal.restoring, vg_journal_leave);
  g_clear_pointer (&self->journal.left, g_ptr_array_unref);
  g_clear_pointer (&self->journal.saved, g_free);
}
