/* SPDX-License-Identifier: MIT */
#include "ui/window/vg-session-journal.h"
#include "ui/words/vg-translation.h"
#include "app/session/vg-journal.h"
#include "ui/common/vg-banner.h"
#include "ui/common/vg-object.h"

enum { WRITE_MS = 1000 }; /* from a change of the session to its journal */

struct _VgSessionJournal
{
  GObject parent_instance;
  VgSession *session;
  GtkWidget *banner;
  VgJournal *own;       /* of this window; NULL: none could be made */
  VgJournal *restoring; /* is being opened; NULL: none */
  GPtrArray *left;      /* of VgJournal, left by programs that crashed */
  char *saved;          /* text of the session that needs no saving; NULL: none */
  gboolean unsaved;     /* the session differs from it */
  gboolean failed;      /* the journal could not be written, which has been reported */
  guint write_id;
};

G_DEFINE_FINAL_TYPE (VgSessionJournal, vg_session_journal, G_TYPE_OBJECT)

/* ---- writing ---- */

static gboolean
is_saved (VgSessionJournal *self, const char *text)
{
  return g_strcmp0 (text, self->saved) == 0;
}

static void
write_journal (VgSessionJournal *self)
{
  g_autofree char *now = vg_session_to_undoable_text (self->session),
                  *folder = vg_journal_folder (), *text = NULL;
  g_autoptr (GError) error = NULL;

  g_clear_handle_id (&self->write_id, g_source_remove);
  self->unsaved = !is_saved (self, now);
  if (self->own == NULL)
    return;
  if (!self->unsaved)
    {
      vg_journal_clear (self->own);
      return;
    }
  text = vg_session_to_text_in (self->session, folder);
  if (!vg_journal_write (self->own, text, vg_session_get_path (self->session), &error) &&
      !self->failed)
    {
      g_autofree char *words = g_strdup_printf (
          _ ("Unsaved work would be lost in a crash: %s. Save the session often."), error->message);

      self->failed = TRUE;
      g_signal_emit_by_name (self, "failed", words);
    }
}

static gboolean
on_time (gpointer data)
{
  VgSessionJournal *self = data;

  self->write_id = 0;
  write_journal (self);
  return G_SOURCE_REMOVE;
}

static void
note_saved (VgSessionJournal *self)
{
  g_free (self->saved);
  self->saved = vg_session_to_undoable_text (self->session);
  self->unsaved = FALSE;
}

void
vg_session_journal_changed (VgSessionJournal *self, guint flags, gboolean opening)
{
  if (flags == VG_CHANGED_HISTORY)
    return;
  if (opening && !self->unsaved && self->write_id == 0)
    note_saved (self);
  else if (self->write_id == 0)
    self->write_id = g_timeout_add (WRITE_MS, on_time, self);
}

void
vg_session_journal_note_saved (VgSessionJournal *self)
{
  note_saved (self);
  write_journal (self);
}

/* ---- journals left by a crash ---- */

static void
offer (VgSessionJournal *self)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *date = NULL, *name = NULL, *text = NULL;
  VgJournal *left;

  if (self->left->len == 0)
    {
      vg_banner_hide (VG_BANNER (self->banner));
      return;
    }
  left = self->left->pdata[0];
  time = g_date_time_new_from_unix_local (vg_journal_get_time (left));
  date = g_date_time_format (time, "%-d %B %Y, %H:%M");
  name = vg_journal_get_path (left) ? g_filename_display_basename (vg_journal_get_path (left))
                                    : NULL;
  text = name ? g_strdup_printf (_ ("Unsaved work from %s was found for \"%s\"."), date, name)
              : g_strdup_printf (_ ("Unsaved work from %s was found."), date);
  vg_banner_show (VG_BANNER (self->banner), VG_BANNER_WARNING, text);
  vg_banner_set_more (VG_BANNER (self->banner), _ ("Restore"));
  vg_banner_set_second (VG_BANNER (self->banner), _ ("Discard"));
}

static void
on_discard (VgSessionJournal *self)
{
  if (self->left->len > 0)
    vg_journal_free (g_ptr_array_steal_index (self->left, 0));
  offer (self);
}

static void
on_restore (VgSessionJournal *self)
{
  VgJournal *left = self->left->len > 0 ? g_ptr_array_steal_index (self->left, 0) : NULL;
  gboolean loaded = FALSE;

  if (left == NULL)
    return;
  g_clear_pointer (&self->restoring, vg_journal_leave);
  self->restoring = left;
  g_signal_emit_by_name (self, "restore", vg_journal_get_file (left), vg_journal_get_path (left),
                         &loaded);
  if (!loaded) /* the next start offers it again; by then the cause may be gone */
    g_clear_pointer (&self->restoring, vg_journal_leave);
  offer (self);
}

void
vg_session_journal_end_restoring (VgSessionJournal *self, gboolean opened)
{
  VgJournal *restored = g_steal_pointer (&self->restoring);

  if (restored == NULL)
    return;
  if (opened)
    {
      g_clear_pointer (&self->saved, g_free);
      write_journal (self); /* before the other copy is deleted */
      vg_journal_free (restored);
      return;
    }
  g_ptr_array_insert (self->left, 0, restored);
  offer (self);
}

gboolean
vg_session_journal_is_unsaved (VgSessionJournal *self)
{
  g_autofree char *now = vg_session_to_undoable_text (self->session);

  return !is_saved (self, now);
}

GtkWidget *
vg_session_journal_get_banner (VgSessionJournal *self)
{
  return self->banner;
}

void
vg_session_journal_close (VgSessionJournal *self)
{
  g_clear_handle_id (&self->write_id, g_source_remove);
  g_clear_pointer (&self->own, vg_journal_free);
  g_clear_pointer (&self->restoring, vg_journal_leave);
  g_clear_pointer (&self->left, g_ptr_array_unref);
  g_clear_pointer (&self->saved, g_free);
}

static void
vg_session_journal_dispose (GObject *object)
{
  VgSessionJournal *self = VG_SESSION_JOURNAL (object);

  vg_session_journal_close (self);
  g_clear_object (&self->banner);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (vg_session_journal_parent_class)->dispose (object);
}

static void
vg_session_journal_class_init (VgSessionJournalClass *class)
{
  G_OBJECT_CLASS (class)->dispose = vg_session_journal_dispose;
  vg_signal_new (VG_TYPE_SESSION_JOURNAL, "failed", 1, G_TYPE_STRING);
  g_signal_new ("restore", VG_TYPE_SESSION_JOURNAL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                G_TYPE_BOOLEAN, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
vg_session_journal_init (VgSessionJournal *self)
{
  self->banner = g_object_ref_sink (vg_banner_new ());
  g_signal_connect_swapped (self->banner, "more", G_CALLBACK (on_restore), self);
  g_signal_connect_swapped (self->banner, "second", G_CALLBACK (on_discard), self);
}

VgSessionJournal *
vg_session_journal_new (VgSession *session)
{
  VgSessionJournal *self = g_object_new (VG_TYPE_SESSION_JOURNAL, NULL);
  g_autofree char *folder = vg_journal_folder ();
  g_autoptr (GError) error = NULL;

  self->session = g_object_ref (session);
  self->left = vg_journal_find_left (folder);
  self->own = vg_journal_new (folder, &error);
  if (self->own == NULL)
    g_debug ("%s", error->message);
  note_saved (self);
  offer (self);
  return self;
}
