/* SPDX-License-Identifier: MIT */
#include "app/opening/vg-suitable.h"
#include <string.h>
#include "io/live/vg-live.h"
#include "io/source/vg-source.h"

/* What the first of PATHS has; FALSE: that is not known before it is opened, or it cannot be. */
static gboolean
look (const char *const *paths, const char *read_options, VgImageInfo *info)
{
  VgSourceOptions options = { .read_options = read_options, .colour = TRUE };
  g_autoptr (VgSource) source = NULL;

  if (vg_live_is_address (paths[0]))
    {
      /* a camera is opened once: its size is not known, but nothing depends on it */
      *info = vg_image_info_grey (VG_U8, 64, 64);
      info->frames = -1;
      return vg_live_sends_images (paths[0]);
    }
  if (strcmp (paths[0], "-") != 0)
    source = vg_source_open (paths[0], &options, NULL);
  if (source == NULL)
    return FALSE;
  *info = source->info;
  if (info->frames == 1)
    info->frames = g_strv_length ((char **) paths); /* a series of single frames */
  return TRUE;
}

const VgOperation *
vg_suitable_operation (const char *const *paths, const char *read_options,
                       const VgOperation *present)
{
  const VgOperation *found = NULL;
  guint n;
  const VgOperation *const *operations = vg_operations (&n);
  VgImageInfo info;
  gboolean known = look (paths, read_options, &info);

  for (guint i = 0; known && i < n; i++)
    if ((info.frames >= 0 || operations[i]->input.kind == VG_INPUT_STREAM) &&
        vg_input_spec_accepts (&operations[i]->input, &info))
      {
        if (operations[i] == present || found != NULL)
          return NULL;
        found = operations[i];
      }
  return found;
}

typedef struct
{
  char **paths;
  char *read_options;
  const VgOperation *present;
  GError *failure; /* of an opening in the present view; NULL: it was not tried */
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_strfreev (search->paths);
  g_free (search->read_options);
  g_clear_error (&search->failure);
  g_free (search);
}

static void
run_search (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Search *search = data;
  const VgOperation *found = vg_suitable_operation ((const char *const *) search->paths,
                                                    search->read_options, search->present);
  guint n = g_strv_length (search->paths);

  if (found != NULL && (found->input.files[1] < 0 || (int) n <= found->input.files[1]))
    g_task_return_pointer (task, (gpointer) found, NULL);
  else if (search->failure == NULL)
    g_task_return_pointer (task, NULL, NULL);
  else
    g_task_return_error (task, g_error_copy (search->failure));
}

void
vg_suitable_operation_async (gpointer source, const char *const *paths, const char *read_options,
                             const VgOperation *present, const GError *failure,
                             GCancellable *cancellable, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, NULL);
  Search *search = g_new0 (Search, 1);

  search->paths = g_strdupv ((char **) paths);
  search->read_options = g_strdup (read_options);
  search->present = present;
  search->failure = failure != NULL ? g_error_copy (failure) : NULL;
  g_task_set_task_data (task, search, search_free);
  g_task_run_in_thread (task, run_search);
}

const VgOperation *
vg_suitable_operation_finish (GAsyncResult *result, const char *const **paths,
                              const char **read_options, GError **error)
{
  const Search *search = g_task_get_task_data (G_TASK (result));

  *paths = (const char *const *) search->paths;
  *read_options = search->read_options;
  return g_task_propagate_pointer (G_TASK (result), error);
}
