/* SPDX-License-Identifier: MIT */
/* Undo, redo, save and restore.  All of them read text into documents that replace the session's;
 * the signal reports what differs. */
#include <string.h>
#include "io/write/vg-output-file.h"
#include "app/session/vg-session-private.h"
#include "app/session/vg-session-text.h"
#include <glib/gi18n.h>

enum { REST_MS = 500 }; /* without changes, before an undo step ends */

char *
vg_session_to_undoable_text (VgSession *self)
{
  return vg_session_text_write (self->documents, self->document->operation, NULL, FALSE, NULL,
                                NULL);
}

static void
replace_documents (VgSession *self, GPtrArray *documents, const VgOperation *current,
                   guint more_flags)
{
  GPtrArray *old = self->documents;
  VgDocument *before = self->document;
  guint flags;

  self->documents = documents;
  self->document = vg_documents_find (documents, current);
  for (guint i = 0; i < documents->len && self->zoom_temporary; i++)
    vg_document_hide_zoom (documents->pdata[i]);
  flags = vg_document_compare (before, self->document);
  if (flags & (VG_CHANGED_OPERATION | VG_CHANGED_INPUTS))
    vg_session_set_path (self, NULL); /* the file may hold another session */
  vg_session_changed (self, flags | more_flags, FALSE);
  g_ptr_array_unref (old);
}

static void
keep (VgSession *self, GPtrArray *documents,
      void (*what) (VgDocument *document, const VgDocument *from))
{
  for (guint i = 0; i < documents->len; i++)
    {
      VgDocument *document = documents->pdata[i];
      const VgDocument *old = vg_documents_find (self->documents, document->operation);

      if (old)
        what (document, old);
    }
}

/* Restores TEXT, which the session has written, so it can be read. */
static void
go_to (VgSession *self, const char *text)
{
  const VgOperation *current = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *documents = vg_session_text_read (text, strlen (text), NULL, self->operations,
                                               &current, &error);

  if (!documents)
    {
      g_critical ("undo failed: %s", error->message);
      return;
    }
  keep (self, documents, vg_document_keep_view);
  keep (self, documents, vg_document_keep_actions);
  keep (self, documents, vg_document_keep_checkpoint);
  replace_documents (self, documents, current, VG_CHANGED_HISTORY);
}

void
vg_session_commit (VgSession *self, const char *what)
{
  if (!self->pending)
    return;
  self->pending = FALSE;
  vg_history_commit (self->history, vg_session_to_undoable_text (self), what);
  vg_session_changed (self, VG_CHANGED_HISTORY, FALSE);
}

void
vg_session_commit_waiting (VgSession *self)
{
  g_autofree char *what = g_steal_pointer (&self->waiting);

  g_clear_handle_id (&self->waiting_id, g_source_remove);
  if (what != NULL)
    vg_session_commit (self, what);
}

static gboolean
on_rest (gpointer data)
{
  VgSession *self = data;

  self->waiting_id = 0;
  vg_session_commit_waiting (self);
  return G_SOURCE_REMOVE;
}

void
vg_session_commit_later (VgSession *self, const char *what)
{
  if (g_strcmp0 (self->waiting, what) != 0)
    {
      vg_session_commit_waiting (self);
      self->waiting = g_strdup (what);
    }
  g_clear_handle_id (&self->waiting_id, g_source_remove);
  self->waiting_id = g_timeout_add (REST_MS, on_rest, self);
}

void
vg_session_forget_history (VgSession *self)
{
  self->pending = FALSE;
  vg_history_free (self->history);
  self->history = vg_history_new (vg_session_to_undoable_text (self));
  vg_session_changed (self, VG_CHANGED_HISTORY, FALSE);
}

gboolean
vg_session_can_undo (VgSession *self)
{
  return self->pending || vg_history_undo_label (self->history) != NULL;
}

gboolean
vg_session_can_redo (VgSession *self)
{
  return !self->pending && vg_history_redo_label (self->history) != NULL;
}

const char *
vg_session_undo_label (VgSession *self)
{
  return self->pending ? N_ ("Change") : vg_history_undo_label (self->history);
}

const char *
vg_session_redo_label (VgSession *self)
{
  return self->pending ? NULL : vg_history_redo_label (self->history);
}

void
vg_session_undo (VgSession *self)
{
  const char *text;

  vg_session_commit (self, N_ ("Change"));
  text = vg_history_undo (self->history);
  if (text)
    go_to (self, text);
}

void
vg_session_redo (VgSession *self)
{
  const char *text;

  vg_session_commit (self, N_ ("Change"));
  text = vg_history_redo (self->history);
  if (text)
    go_to (self, text);
}

char *
vg_session_to_text (VgSession *self)
{
  return vg_session_text_write (self->documents, self->document->operation, NULL, TRUE, NULL, NULL);
}

char *
vg_session_to_text_in (VgSession *self, const char *folder)
{
  return vg_session_text_write (self->documents, self->document->operation, folder, TRUE, NULL,
                                self->live);
}

const char *
vg_session_get_path (VgSession *self)
{
  return self->path;
}

struct _VgSessionMark
{
  char *text, *path;
  VgHistory *history;
};

VgSessionMark *
vg_session_mark (VgSession *self)
{
  VgSessionMark *mark = g_new (VgSessionMark, 1);

  vg_session_commit (self, N_ ("Change"));
  *mark = (VgSessionMark){ vg_session_to_text (self), g_strdup (self->path),
                           vg_history_copy (self->history) };
  return mark;
}

void
vg_session_mark_free (VgSessionMark *mark)
{
  g_clear_pointer (&mark->history, vg_history_free);
  g_free (mark->text);
  g_free (mark->path);
  g_free (mark);
}

void
vg_session_go_back (VgSession *self, VgSessionMark *mark)
{
  const VgOperation *current = NULL;
  g_autoptr (GError) error = NULL;
  GPtrArray *documents = vg_session_text_read (mark->text, strlen (mark->text), NULL,
                                               self->operations, &current, &error);

  if (documents)
    {
      vg_history_free (self->history);
      self->history = g_steal_pointer (&mark->history);
      self->pending = FALSE;
      keep (self, documents, vg_document_keep_actions);
      replace_documents (self, documents, current, VG_CHANGED_HISTORY);
      vg_session_set_path (self, mark->path);
    }
  else
    g_critical ("the previous session could not be restored: %s", error->message);
  vg_session_mark_free (mark);
}

static gboolean
restore (VgSession *self, const char *text, gsize length, const char *folder, GError **error)
{
  const VgOperation *current = NULL;
  GPtrArray *documents = vg_session_text_read (text, length, folder, self->operations, &current,
                                               error);

  if (!documents)
    return FALSE;
  /* restoring a session can itself be undone */
  vg_session_commit (self, N_ ("Change"));
  for (guint i = 0; i < documents->len; i++)
    {
      VgDocument *document = documents->pdata[i];

      vg_document_clamp_view (document, &document->view);
    }
  keep (self, documents, vg_document_keep_actions);
  self->pending = TRUE;
  replace_documents (self, documents, current, VG_CHANGED_HISTORY);
  vg_session_commit (self, N_ ("Open Session"));
  return TRUE;
}

gboolean
vg_session_from_text (VgSession *self, const char *text, gsize length, GError **error)
{
  return restore (self, text, length, NULL, error);
}

char *
vg_session_take_checkpoint (VgSession *self)
{
  return g_steal_pointer (&self->document->checkpoint);
}

const char *
vg_session_get_mask (VgSession *self)
{
  return self->document->mask;
}

void
vg_session_set_mask (VgSession *self, const char *path)
{
  g_free (self->document->mask);
  self->document->mask = g_strdup (path);
}

gboolean
vg_session_save (VgSession *self, const char *path, GHashTable *checkpoints, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  g_autofree char *text = vg_session_text_write (self->documents, self->document->operation, folder,
                                                 TRUE, checkpoints, self->live);

  if (!vg_write_bytes (path, text, strlen (text), error))
    return FALSE;
  vg_session_set_path (self, path);
  return TRUE;
}

gboolean
vg_session_load (VgSession *self, const char *path, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  g_autofree char *folder = g_path_get_dirname (full);
  gsize length = 0;
  g_autofree char *text = vg_session_text_load (path, &length, error);

  if (text == NULL)
    return FALSE;
  if (restore (self, text, length, folder, error))
    {
      vg_session_set_path (self, path);
      return TRUE;
    }
  g_prefix_error (error, "%s: ", path);
  return FALSE;
}
