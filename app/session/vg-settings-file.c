/* SPDX-License-Identifier: MIT */
#include "app/session/vg-settings-file.h"
#include <gio/gio.h>
#include <string.h>
#include "io/source/vg-source.h"

static gboolean
load_file (const VgOperation *operation, const char *path, const void *params, GPtrArray *all,
           GError **error)
{
  g_autoptr (VgImage) file = vg_image_load (path, VG_FILE_TEXT, &(VgSourceOptions){ 0 }, error);
  GPtrArray *runs = file == NULL ? NULL
                                 : operation->import->read (path, file->text, file->text_length,
                                                            params, error);

  if (runs == NULL)
    return FALSE;
  for (guint i = 0; i < runs->len; i++)
    ((VgSettingsRun *) runs->pdata[i])->file = g_strdup (path);
  g_ptr_array_extend_and_steal (all, runs);
  return TRUE;
}

GPtrArray *
vg_settings_file_load (const VgOperation *operation, const char *const *inputs, const void *params,
                       GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (vg_settings_run_free);
  void *defaults = params == NULL ? vg_params_new (&operation->params) : NULL;
  gboolean loaded = TRUE;

  for (guint i = 0; inputs[i] != NULL && loaded; i++)
    loaded = load_file (operation, inputs[i], params != NULL ? params : defaults, all, error);
  vg_params_free (&operation->params, defaults);
  return loaded ? g_steal_pointer (&all) : NULL;
}

VgSettingsRun *
vg_settings_file_load_run (const VgOperation *operation, const char *const *inputs, int run,
                           const void *params, GError **error)
{
  g_autoptr (GPtrArray) all = vg_settings_file_load (operation, inputs, params, error);

  g_return_val_if_fail (run >= 0, NULL);
  if (all == NULL)
    return NULL;
  if (run < (int) all->len)
    return g_ptr_array_steal_index (all, (guint) run);
  g_set_error (error, VG_USAGE_ERROR, 0, "%s: there is no run %d; choose 1 to %u", inputs[0],
               run + 1, all->len);
  return NULL;
}

char **
vg_settings_file_names (const VgOperation *operation, const char *const *inputs)
{
  g_autoptr (GPtrArray) all = vg_settings_file_load (operation, inputs, NULL, NULL);
  guint n = all != NULL ? all->len : 0;
  char **names = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const char *name = ((VgSettingsRun *) all->pdata[i])->name;

      names[i] = g_strdup (name != NULL ? name : "");
    }
  return names;
}

GPtrArray *
vg_settings_file_notes (const VgOperation *operation, const char *const *inputs, int run,
                        const void *params)
{
  gboolean imported = operation->import != NULL && inputs != NULL && inputs[0] != NULL;
  VgSettingsRun *settings = imported
                                ? vg_settings_file_load_run (operation, inputs, run, params, NULL)
                                : NULL;
  GPtrArray *notes = settings != NULL &&
                             vg_params_equal (&operation->params, settings->params, params)
                         ? g_ptr_array_ref (settings->notes)
                         : g_ptr_array_new_with_free_func (g_free);

  if (settings != NULL)
    vg_settings_run_free (settings);
  return notes;
}

enum { MAX_BYTES = 64 << 20, LOOK = 4096 };

/* Whether the file is small enough, and without the zero bytes that every image has. */
static gboolean
is_text (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file, "standard::type,standard::size",
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);
  g_autoptr (GFileInputStream) stream = NULL;
  char head[LOOK];
  gsize n = 0;

  if (info == NULL || g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR ||
      g_file_info_get_size (info) > MAX_BYTES)
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  return stream != NULL &&
         g_input_stream_read_all (G_INPUT_STREAM (stream), head, sizeof head, &n, NULL, NULL) &&
         n > 0 && memchr (head, 0, n) == NULL;
}

static gboolean
has_suffix (const char *path, const char *const *suffixes)
{
  gsize length = strlen (path);

  for (; suffixes != NULL && *suffixes != NULL; suffixes++)
    if (length > strlen (*suffixes) &&
        g_ascii_strcasecmp (path + length - strlen (*suffixes), *suffixes) == 0)
      return TRUE;
  return FALSE;
}

const VgOperation *
vg_settings_file_claimed (const char *path)
{
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  for (guint i = 0; i < n; i++)
    if (operations[i]->import != NULL && has_suffix (path, operations[i]->import->suffixes) &&
        g_file_test (path, G_FILE_TEST_IS_REGULAR))
      return operations[i];
  return NULL;
}

const VgOperation *
vg_settings_file_find (const char *path)
{
  const VgOperation *claimed = vg_settings_file_claimed (path);
  const char *const inputs[] = { path, NULL };
  guint n;
  const VgOperation *const *operations = vg_operations (&n);

  if (claimed != NULL)
    return claimed;
  for (guint i = 0; i < n; i++)
    if (operations[i]->import != NULL && is_text (path))
      {
        g_autoptr (GPtrArray) runs = vg_settings_file_load (operations[i], inputs, NULL, NULL);

        if (runs != NULL)
          return operations[i];
      }
  return NULL;
}
