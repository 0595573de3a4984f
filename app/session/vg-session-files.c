/* SPDX-License-Identifier: MIT */
/* The file names in a session's text, and the list of sessions that may open files anywhere. */
#include "app/session/vg-session-files.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "kernels/base/vg-error.h"
#include "io/write/vg-output-file.h"
#include "app/session/vg-session-fields.h"
#include "io/live/vg-live.h"
#include "app/session/vg-session-text.h"
#include "app/volume/vg-mask-store.h"

enum { MAX_ALLOWED = 1000, CHECKSUM = 64 };

/* NAME with all symbolic links resolved if it exists; owned. */
static char *
real_name (const char *name)
{
  char *real = realpath (name, NULL), *copy = g_strdup (real ? real : name);

  free (real);
  return copy;
}

/* NAME is a value of PARAM, or an input if PARAM is NULL.  FALSE and an error: it is refused. */
static gboolean
add_name (GPtrArray *outside, const char *path, const char *folder, const VgParam *param,
          const char *name, GError **error)
{
  g_autofree char *file = g_strdup (name), *real = NULL, *mask = NULL;
  struct stat status;
  char *hash = strrchr (file, '#');

  if (param == NULL && vg_live_is_address (name)) /* it may run what it likes */
    {
      if (!g_ptr_array_find_with_equal_func (outside, name, g_str_equal, NULL))
        g_ptr_array_add (outside, g_strdup (name));
      return TRUE;
    }
  if (*name == '\0' || vg_session_is_plain_text (param, name))
    return TRUE;
  if (param != NULL && hash != NULL && stat (file, &status) != 0)
    *hash = '\0'; /* read options follow */
  if (stat (file, &status) == 0 && !S_ISREG (status.st_mode))
    {
      g_autofree char *shown = g_filename_display_name (file);

      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "\"%s\" refers to \"%s\", which is not a regular file; edit the session, or "
                   "open its data yourself",
                   path, shown);
      return FALSE;
    }
  mask = param != NULL ? vg_mask_store_key (file) : NULL;
  if (mask != NULL) /* painted here, or held by the session */
    return TRUE;
  real = real_name (file);
  if (g_str_has_prefix (real, folder) &&
      (real[strlen (folder)] == '/' || g_str_has_suffix (folder, "/")))
    return TRUE;
  if (!g_ptr_array_find_with_equal_func (outside, real, g_str_equal, NULL))
    g_ptr_array_add (outside, g_steal_pointer (&real));
  return TRUE;
}

static gboolean
add_document (GPtrArray *outside, const char *path, const char *folder, const VgDocument *document,
              GError **error)
{
  const VgParamTable *table = &document->operation->params;

  for (guint i = 0; document->inputs[i] != NULL; i++)
    if (!add_name (outside, path, folder, NULL, document->inputs[i], error))
      return FALSE;
  for (guint i = 0; i < table->n_items; i++)
    {
      g_autofree char *text = table->items[i].kind == VG_PARAM_FILE
                                  ? vg_param_format (&table->items[i], document->params)
                                  : g_strdup ("");
      g_auto (GStrv) names = vg_param_split_files (&table->items[i], text);

      for (guint k = 0; names[k] != NULL; k++)
        if (!add_name (outside, path, folder, &table->items[i], names[k], error))
          return FALSE;
    }
  return TRUE;
}

GPtrArray *
vg_session_list_outside (const char *path, GError **error)
{
  g_autofree char *full = g_canonicalize_filename (path, NULL), *folder = g_path_get_dirname (full),
                  *real = real_name (folder), *text = NULL;
  g_autoptr (GPtrArray) documents = NULL, outside = g_ptr_array_new_with_free_func (g_free);
  gsize length = 0;

  text = vg_session_text_load (path, &length, error);
  if (text == NULL)
    return NULL;
  documents = vg_session_text_names (text, length, folder, error);
  if (documents == NULL)
    {
      g_prefix_error (error, "%s: ", path);
      return NULL;
    }
  for (guint i = 0; i < documents->len; i++)
    if (!add_document (outside, path, real, documents->pdata[i], error))
      return NULL;
  return g_steal_pointer (&outside);
}

static char *
list_of (const char *folder)
{
  return g_build_filename (folder, "allowed-sessions", NULL);
}

/* Owned; NULL: the file cannot be read. */
static char *
checksum_of (const char *path)
{
  gsize length = 0;
  g_autofree char *text = vg_session_text_load (path, &length, NULL);

  return text != NULL
             ? g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text, length)
             : NULL;
}

/* The checksums, newest last; owned. */
static char **
load_list (const char *folder)
{
  g_autofree char *path = list_of (folder), *text = NULL;
  struct stat status;

  if (stat (path, &status) != 0 || status.st_size > 2 * MAX_ALLOWED * (CHECKSUM + 1) ||
      !g_file_get_contents (path, &text, NULL, NULL))
    return g_new0 (char *, 1);
  return g_strsplit (g_strchomp (text), "\n", -1);
}

gboolean
vg_session_is_allowed (const char *folder, const char *path)
{
  g_auto (GStrv) list = load_list (folder);
  g_autofree char *checksum = checksum_of (path);

  return checksum != NULL && g_strv_contains ((const char *const *) list, checksum);
}

/* If the list cannot be written, the user is asked again. */
void
vg_session_allow (const char *folder, const char *path)
{
  g_auto (GStrv) list = load_list (folder);
  g_autofree char *checksum = checksum_of (path), *file = list_of (folder);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint n = g_strv_length (list);

  if (checksum == NULL || g_strv_contains ((const char *const *) list, checksum))
    return;
  for (guint i = n >= MAX_ALLOWED ? n - MAX_ALLOWED + 1 : 0; i < n; i++)
    if (strlen (list[i]) == CHECKSUM)
      g_string_append_printf (text, "%s\n", list[i]);
  g_string_append_printf (text, "%s\n", checksum);
  if (g_mkdir_with_parents (folder, 0700) != 0 ||
      !vg_write_bytes (file, text->str, text->len, &error))
    g_debug ("%s: %s", file, error ? error->message : g_strerror (errno));
}
