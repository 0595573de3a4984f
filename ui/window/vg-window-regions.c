/* SPDX-License-Identifier: MIT */
/* Regions from a file: a list, or a label mask.  A thread reads it; the session
 * takes all of it in one step, or nothing. */
#include "ui/window/vg-window-private.h"
#include "ui/common/vg-translation.h"
#include "app/region/vg-region-file.h"

/* As many as a session has. */
enum { MOST_REGIONS = 256 };

typedef struct
{
  char *path;
  VgImageInfo info; /* of the data */
  gboolean has_info;
  GPtrArray *regions;
  int size[2];
  char *note;
} Import;

static void
import_free (gpointer data)
{
  Import *self = data;

  g_clear_pointer (&self->regions, g_ptr_array_unref);
  g_free (self->note);
  g_free (self->path);
  g_free (self);
}

static void
read_regions (GTask *task, gpointer object, gpointer data, GCancellable *cancellable)
{
  Import *self = data;
  GError *error = NULL;

  self->regions = vg_region_file_load (self->path, VG_REGION_FILE_MOST,
                                       self->has_info ? &self->info : NULL, self->size, &self->note,
                                       &error);
  if (self->regions != NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Why the regions can't be taken; NULL: they can. */
static char *
find_obstacle (VgWindow *self, const Import *import)
{
  g_autofree char *name = g_filename_display_basename (import->path);
  guint room = MOST_REGIONS - MIN (vg_session_get_n_regions (self->session), MOST_REGIONS);
  VgImageInfo info;

  if (!vg_pipeline_get_info (self->pipeline, &info))
    return g_strdup_printf (_ ("Open the recording that \"%s\" belongs to first."), name);
  if (import->size[0] > 0 && (import->size[0] != info.width || import->size[1] != info.height))
    return g_strdup_printf (
        _ ("\"%s\" is %dx%d pixels, but the image is %dx%d. Choose a label mask of the same size."),
        name, import->size[0], import->size[1], info.width, info.height);
  if (import->regions->len > room)
    return g_strdup_printf (
        _ ("\"%s\" has %u regions, but only %u more can be added. Delete regions, "
           "or import a shorter list."),
        name, import->regions->len, room);
  return NULL;
}

static void
on_read (GObject *object, GAsyncResult *result, gpointer data)
{
  VgWindow *self = (VgWindow *) object;
  Import *import = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean read = g_task_propagate_boolean (G_TASK (result), &error);
  g_autofree char *obstacle = NULL;
  guint taken;

  if (self->pipeline == NULL)
    return;
  obstacle = read ? find_obstacle (self, import) : NULL;
  if (!read || obstacle != NULL)
    {
      vg_window_message (self, TRUE, read ? obstacle : error->message);
      return;
    }
  vg_session_commit_waiting (self->session);
  taken = vg_session_add_regions (self->session, import->regions);
  vg_session_commit (self->session, _ ("Import Regions"));
  if (taken < import->regions->len)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("%u of %u regions was imported; the others have zero area.",
                    "%u of %u regions were imported; the others have zero area.", taken),
          taken, import->regions->len);

      vg_window_message (self, FALSE, text);
    }
  else if (import->note != NULL)
    vg_window_message (self, FALSE, import->note);
}

void
vg_window_import_regions (VgWindow *self, const char *path)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, on_read, NULL);
  Import *import = g_new0 (Import, 1);

  import->path = g_strdup (path);
  import->has_info = vg_pipeline_get_info (self->pipeline, &import->info);
  g_task_set_task_data (task, import, import_free);
  g_task_run_in_thread (task, read_regions);
}
