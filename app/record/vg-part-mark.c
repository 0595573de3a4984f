/* SPDX-License-Identifier: MIT */
/* A mark is a journal whose text is the path of the recording. */
#include "app/record/vg-part-mark.h"
#include "app/session/vg-journal.h"
#include "io/write/vg-frame-file.h"

struct _VgPartMark
{
  VgJournal *journal;
  char *part;
};

static char *
find_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "vivograph", "recordings", NULL);
}

void
vg_part_mark_leave (VgPartMark *self)
{
  if (!self)
    return;
  vg_journal_leave (self->journal);
  g_free (self->part);
  g_free (self);
}

void
vg_part_mark_free (VgPartMark *self)
{
  if (self)
    vg_journal_free (g_steal_pointer (&self->journal));
  vg_part_mark_leave (self);
}

VgPartMark *
vg_part_mark_new (const char *part, const char *path)
{
  g_autofree char *folder = find_folder (), *target = g_canonicalize_filename (path, NULL);
  VgJournal *journal = vg_journal_new (folder, NULL);
  VgPartMark *self;

  if (!journal)
    return NULL;
  self = g_new0 (VgPartMark, 1);
  self->journal = journal;
  self->part = g_canonicalize_filename (part, NULL);
  if (vg_journal_write (journal, self->part, target, NULL))
    return self;
  vg_part_mark_free (self);
  return NULL;
}

/* JOURNAL is taken.  NULL: nothing is left of its recording. */
static VgPartMark *
take_left (VgJournal *journal)
{
  VgPartMark *self = g_new0 (VgPartMark, 1);
  const char *path = vg_journal_get_path (journal);

  self->journal = journal;
  if (g_file_get_contents (vg_journal_get_file (journal), &self->part, NULL, NULL) && path &&
      g_path_is_absolute (path) && g_path_is_absolute (self->part) &&
      g_file_test (self->part, G_FILE_TEST_IS_REGULAR) && !vg_part_discard_empty (self->part))
    return self;
  vg_part_mark_free (self);
  return NULL;
}

GPtrArray *
vg_part_mark_find_left (void)
{
  GPtrArray *left = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_part_mark_leave);
  g_autofree char *folder = find_folder ();
  g_autoptr (GPtrArray) journals = vg_journal_find_left (folder);

  while (journals->len > 0)
    {
      VgPartMark *found = take_left (g_ptr_array_steal_index (journals, 0));

      if (found)
        g_ptr_array_add (left, found);
    }
  return left;
}

const char *
vg_part_mark_get_part (const VgPartMark *self)
{
  return self->part;
}

char *
vg_part_mark_keep (VgPartMark *self, GError **error)
{
  return vg_part_rename (self->part, vg_journal_get_path (self->journal), FALSE, error);
}

gboolean
vg_part_mark_discard (VgPartMark *self, GError **error)
{
  g_autofree char *path = vg_raw_index_path (self->part);
  g_autoptr (GFile) file = g_file_new_for_path (self->part);
  g_autoptr (GFile) index = g_file_new_for_path (path);

  if (!g_file_trash (file, NULL, error))
    return FALSE;
  g_file_trash (index, NULL, NULL); /* only a raw file has one */
  return TRUE;
}
