/* SPDX-License-Identifier: MIT */
#include "vg-settings-file.h"
#include <gio/gio.h>
#include <string.h>
#include "vg-source.h"

/* Runs of one file; PARAMS are those of RUN when it has that many. */
static int
read_file (const VgOperation *operation, const char *path, int run, void *params, GPtrArray *notes, GError **error)
{
  g_autoptr (VgImage) file = vg_image_load (path, VG_FILE_TEXT, &(VgSourceOptions) { 0 }, error);
  void *first;
  int n;

  if (file == NULL)
    return 0;
  if (run == 0)
    return operation->read_settings (path, file->text, file->text_length, 0, params, notes, error);
  first = vg_params_copy (&operation->params, params);
  n = operation->read_settings (path, file->text, file->text_length, 0, first, NULL, error);
  vg_params_free (&operation->params, first);
  if (n > run && operation->read_settings (path, file->text, file->text_length, run, params, notes, error) == 0)
    return 0;
  return n;
}

static int
read_all (const VgOperation *operation, const char *const *inputs, int run, void *params, char **name, GPtrArray *notes, GError **error)
{
  int total = 0;

  g_return_val_if_fail (operation->read_settings != NULL && inputs != NULL && inputs[0] != NULL && run >= 0, 0);

  for (guint i = 0; inputs[i] != NULL; i++)
    {
      gboolean here = run >= total;
      void *scratch = here ? NULL : vg_params_copy (&operation->params, params);
      int n = read_file (operation, inputs[i], here ? run - total : 0, here ? params : scratch, here ? notes : NULL, error);

      if (scratch != NULL)
        vg_params_free (&operation->params, scratch);
      if (n == 0)
        return 0;
      if (here && run < total + n && name != NULL)
        *name = g_strdup (inputs[i]);
      total += n;
    }
  if (run < total)
    return total;
  g_set_error (error, VG_USAGE_ERROR, 0, "%s: there is no run %d; choose 1 to %d", inputs[0], run + 1, total);
  return 0;
}

int
vg_settings_file_read (const VgOperation *operation, const char *const *inputs, int run, void *params, char **name, GError **error)
{
  return read_all (operation, inputs, run, params, name, NULL, error);
}

GPtrArray *
vg_settings_file_notes (const VgOperation *operation, const char *const *inputs, int run)
{
  GPtrArray *notes = g_ptr_array_new_with_free_func (g_free);
  void *params = vg_params_new (&operation->params);

  read_all (operation, inputs, run, params, NULL, notes, NULL);
  vg_params_free (&operation->params, params);
  return notes;
}

enum { MAX_BYTES = 64 << 20, LOOK = 4096 };

/* Of modest size, and without the zero bytes that any picture has. */
static gboolean
is_text (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, "standard::type,standard::size", G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autoptr (GFileInputStream) stream = NULL;
  char head[LOOK];
  gsize n = 0;

  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR || g_file_info_get_size (info) > MAX_BYTES)
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  return stream != NULL && g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &n, NULL, NULL) && n > 0
         && memchr (head, 0, n) == NULL;
}

const VgOperation *
vg_settings_file_find (const char *path)
{
  const char *const inputs[] = { path, NULL };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (operations[i]->read_settings != NULL && is_text (path))
      {
        void *params = vg_params_new (&operations[i]->params);
        int runs = vg_settings_file_read (operations[i], inputs, 0, params, NULL, NULL);

        vg_params_free (&operations[i]->params, params);
        if (runs > 0)
          return operations[i];
      }
  return NULL;
}
