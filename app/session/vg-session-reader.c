/* SPDX-License-Identifier: MIT */
/* Reads text, which may come from anybody, as documents.  Every group and key must be known; every
 * error names both. */
#include "app/session/vg-session-reader-private.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "kernels/base/vg-error.h"
#include "app/session/vg-checkpoint-text.h"
#include "app/session/vg-session-fields.h"
#include "app/session/vg-session-text.h"

gboolean
vg_session_fail (GError **error, const char *group, const char *key, const char *why)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "session, group [%s], key %s: %s", group,
               key, why);
  return FALSE;
}

gboolean
vg_session_fail_unknown (GError **error, const char *group, const char *key)
{
  return vg_session_fail (
      error, group, key,
      "there is no such key; remove the line, or open the session with the version that wrote it");
}

/* TEXT as one line without control characters, for an error message. */
static char *
quotable (const char *text)
{
  g_autofree char *part = g_utf8_make_valid (text, (gssize) MIN (strlen (text), 60));

  return g_strescape (part, NULL);
}

char *
vg_session_reader_get (VgSessionReader *self, const char *group, const char *key, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text = g_key_file_get_string (self->file, group, key, &local);

  if (!text)
    vg_session_fail (error, group, key, "is not text; write it as UTF-8");
  return text;
}

gboolean
vg_session_reader_get_int64 (VgSessionReader *self, const char *group, const char *key,
                             gint64 *value, GError **error)
{
  g_autofree char *text = vg_session_reader_get (self, group, key, error);
  char *end = NULL;

  if (!text)
    return FALSE;
  *value = g_ascii_strtoll (text, &end, 10);
  /* a number out of range gives the largest one; GLib may change errno */
  if (end == text || *end != '\0' || *value < 0 || *value == G_MAXINT64)
    return vg_session_fail (error, group, key, "is not a whole number from 0 on");
  return TRUE;
}

static char *
local_name (VgSessionReader *self, const VgParam *param, const char *name)
{
  if (*name == '\0' || vg_session_is_plain_text (param, name))
    return g_strdup (name);
  if (g_str_has_prefix (name, "file:"))
    return g_filename_from_uri (name, NULL, NULL);
  return self->folder ? g_canonicalize_filename (name, self->folder) : g_strdup (name);
}

gboolean
vg_session_reader_parse (VgSessionReader *self, const char *group, const VgParam *param,
                         void *fields, GError **error)
{
  g_autofree char *text = vg_session_reader_get (self, group, param->id, error);
  g_autoptr (GError) local = NULL;

  if (!text)
    return FALSE;
  if (param->kind == VG_PARAM_FILE)
    {
      g_auto (GStrv) names = vg_param_split_files (param, text);

      for (guint i = 0; names[i]; i++)
        {
          char *name = local_name (self, param, names[i]);

          if (!name)
            return vg_session_fail (error, group, param->id,
                                    "is not the name of a file on this computer");
          g_free (names[i]);
          names[i] = name;
        }
      g_free (text);
      text = vg_param_join_files (param, (const char *const *) names);
    }
  if (!vg_param_parse (param, fields, text, &local))
    return vg_session_fail (error, group, param->id, local ? local->message : "is not valid");
  return TRUE;
}

static gboolean
read_inputs (VgSessionReader *self, VgDocument *document, const char *group, GError **error)
{
  gsize n = 0;
  g_autoptr (GError) local = NULL;
  g_auto (GStrv) names = g_key_file_get_string_list (self->file, group, "inputs", &n, &local);

  if (!names)
    return vg_session_fail (error, group, "inputs", "is not a list of names; write it as UTF-8");
  for (gsize i = 0; i < n; i++)
    {
      char *name = local_name (self, NULL, names[i]);

      if (!name || *name == '\0')
        {
          g_free (name);
          return vg_session_fail (
              error, group, "inputs",
              "holds something that is not the name of a file on this computer");
        }
      g_free (names[i]);
      names[i] = name;
    }
  g_strfreev (document->inputs);
  document->inputs = g_steal_pointer (&names);
  return TRUE;
}

const VgParam *
vg_session_find_field (const VgParamTable *table, const char *key)
{
  const VgParam *param = vg_params_find (table, key);

  return param && param->kind != VG_PARAM_ACTION && strcmp (param->id, key) == 0 ? param : NULL;
}

/* NULL and an error: there is no such parameter. */
static const VgParam *
find_param (const VgParamTable *table, const char *group, const char *key, GError **error)
{
  const VgParam *param = vg_session_find_field (table, key);
  const char *nearest = param ? NULL : vg_params_nearest (table, key);
  g_autofree char *why = nearest ? g_strdup_printf ("there is no such parameter; did you mean %s?",
                                                    nearest)
                                 : NULL;

  if (nearest)
    vg_session_fail (error, group, key, why);
  else if (!param)
    vg_session_fail_unknown (error, group, key);
  return param;
}

static gboolean
read_param_key (VgSessionReader *self, gpointer data, const char *group, const char *key,
                GError **error)
{
  const VgDocument *document = data;
  const VgParam *param = find_param (&document->operation->params, group, key, error);

  return param && vg_session_reader_parse (self, group, param, document->params, error);
}

static gboolean
read_given_key (VgSessionReader *self, gpointer data, const char *group, const char *key,
                GError **error)
{
  const VgDocument *document = data;
  const VgParam *param = find_param (&document->operation->params, group, key, error);

  return param && vg_session_reader_parse (self, group, param, document->given, error);
}

static gboolean
read_derived (VgSessionReader *self, VgDocument *document, const char *group, GError **error)
{
  const VgParamTable *table = &document->operation->params;
  g_auto (GStrv) ids = g_key_file_get_string_list (self->file, group, "followed", NULL, NULL);

  if (!ids)
    return vg_session_fail (error, group, "followed",
                            "is not a list of parameters; write it as UTF-8");
  for (char **id = ids; *id; id++)
    {
      g_autofree char *shown = quotable (*id);
      const VgParam *param = find_param (table, group, shown, error);

      if (!param)
        return FALSE;
      document->derived[param - table->items] = TRUE;
    }
  return TRUE;
}

static gboolean
read_input_key (VgSessionReader *self, gpointer data, const char *group, const char *key,
                GError **error)
{
  VgDocument *document = data;

  if (strcmp (key, "inputs") == 0)
    return read_inputs (self, document, group, error);
  if (strcmp (key, "followed") == 0)
    return read_derived (self, document, group, error);
  if (strcmp (key, "run") == 0)
    {
      gint64 run;

      if (!vg_session_reader_get_int64 (self, group, key, &run, error))
        return FALSE;
      if (run < 1 || run > G_MAXINT)
        return vg_session_fail (error, group, key, "is not a whole number from 1 on");
      document->run = (int) run - 1;
      return TRUE;
    }
  if (strcmp (key, "outcome") == 0)
    {
      g_free (document->checkpoint);
      document->checkpoint = vg_session_reader_get (self, group, key, error);
      return document->checkpoint != NULL &&
             (vg_checkpoint_check (document->checkpoint) ||
              vg_session_fail (
                  error, group, key,
                  "is cut short or damaged; remove the line to have it computed again"));
    }
  if (strcmp (key, "reading") != 0 && strcmp (key, "geometry") != 0)
    return vg_session_fail_unknown (error, group, key);
  g_free (document->read_options);
  document->read_options = vg_session_reader_get (self, group, key, error);
  return document->read_options != NULL;
}

typedef gboolean (*ReadKey) (VgSessionReader *self, gpointer data, const char *group,
                             const char *key, GError **error);

static gboolean
read_keys (VgSessionReader *self, const char *group, ReadKey read, gpointer data, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);

  for (guint i = 0; keys && keys[i]; i++)
    {
      g_autofree char *shown = quotable (keys[i]);

      /* no key has control characters */
      if (strcmp (shown, keys[i]) != 0 ? !vg_session_fail_unknown (error, group, shown)
                                       : !read (self, data, group, keys[i], error))
        return FALSE;
    }
  return TRUE;
}

/* Regions are numbered from 1 without a gap, in the order of the file. */
static gboolean
read_region (VgSessionReader *self, VgDocument *document, const char *group, const char *number,
             GError **error)
{
  g_autofree char *expected = g_strdup_printf ("%u", document->regions->len + 1);
  const VgRegion none = { VG_REGION_NONE };
  VgNamedRegion *region;

  if (strcmp (number, expected) != 0 || document->regions->len >= VG_DOCUMENT_MAX_REGIONS)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "session, group [%s]: regions are numbered 1, 2, 3 up to %d in their order",
                   group, VG_DOCUMENT_MAX_REGIONS);
      return FALSE;
    }
  region = vg_document_add_region (document, &none);
  if (!read_keys (self, group, vg_session_read_region_key, region, error))
    return FALSE;
  return region->region.kind != VG_REGION_NONE ||
         vg_session_fail (error, group, "shape", "is missing");
}

/* A settings file also sets what is no parameter, such as the name of a result.  The session's
 * values replace the others. */
static void
load_settings (VgDocument *document)
{
  VgSettingsRun *run = vg_document_load_settings (document, document->params);

  if (run == NULL)
    return;
  vg_settings_run_swap (run, document->params);
  vg_settings_run_free (run);
  vg_params_free (&document->operation->params, document->given);
  document->given = vg_params_copy (&document->operation->params, document->params);
}

static gboolean
read_group_of (VgSessionReader *self, VgDocument *document, const char *group, const char *rest,
               GError **error)
{
  int output;

  if (*rest == '\0')
    return read_keys (self, group, read_input_key, document, error);
  if (strcmp (rest, " parameters") == 0)
    {
      if (!self->names_only)
        load_settings (document);
      return read_keys (self, group, read_param_key, document, error);
    }
  if (strcmp (rest, " said") == 0)
    return read_keys (self, group, read_given_key, document, error);
  if (strcmp (rest, " view") == 0)
    return read_keys (self, group, vg_session_read_view_key, document, error);
  if (g_str_has_prefix (rest, " region "))
    return read_region (self, document, group, rest + strlen (" region "), error);
  if (g_str_has_prefix (rest, " display "))
    {
      output = vg_operation_find_output (document->operation, rest + strlen (" display "));
      if (output >= 0)
        return read_keys (self, group, vg_session_read_display_key, &document->displays[output],
                          error);
    }
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "session, group [%s]: there is no such group; remove it", group);
  return FALSE;
}

static const VgOperation *
find_operation (VgSessionReader *self, const char *id)
{
  for (guint i = 0; self->known && i < self->known->len; i++)
    {
      const VgOperation *operation = self->known->pdata[i];

      if (strcmp (operation->id, id) == 0)
        return operation;
    }
  return vg_operation_find (id);
}

static VgDocument *
take_document (VgSessionReader *self, const VgOperation *operation)
{
  VgDocument *document = vg_documents_find (self->documents, operation);

  if (!document)
    g_ptr_array_add (self->documents, document = vg_document_new (operation));
  return document;
}

static gboolean
read_group (VgSessionReader *self, const char *group, GError **error)
{
  g_autofree char *id = g_strndup (group, strcspn (group, " "));
  g_autofree char *shown = quotable (group);
  const VgOperation *operation;

  if (strcmp (group, "session") == 0)
    return TRUE;
  operation = strcmp (shown, group) == 0 ? find_operation (self, id) : NULL;
  if (!operation)
    {
      g_set_error (
          error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
          "session, group [%s]: this program has no such operation; see vivograph describe", shown);
      return FALSE;
    }
  return read_group_of (self, take_document (self, operation), group, group + strlen (id), error);
}

static gboolean
read_head_key (VgSessionReader *self, gpointer data, const char *group, const char *key,
               GError **error)
{
  const VgOperation **operation = data;
  g_autofree char *text = NULL;
  gint64 version;

  if (strcmp (key, "version") == 0)
    {
      if (!vg_session_reader_get_int64 (self, group, key, &version, error))
        return FALSE;
      return version == VG_SESSION_VERSION ||
             vg_session_fail (
                 error, group, key,
                 "this program reads version 1; open it with the version that wrote it");
    }
  if (strcmp (key, "operation") != 0)
    return vg_session_fail_unknown (error, group, key);
  text = vg_session_reader_get (self, group, key, error);
  if (!text)
    return FALSE;
  *operation = find_operation (self, text);
  return *operation ||
         vg_session_fail (error, group, key,
                          "this program has no such operation; see vivograph describe");
}

static gboolean
read_all (VgSessionReader *self, const VgOperation **operation, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);

  *operation = NULL;
  for (const char *const *key = (const char *const[]){ "version", "operation", NULL }; *key; key++)
    if (!g_key_file_has_key (self->file, "session", *key, NULL))
      return vg_session_fail (error, "session", *key, "is missing: this is not a session file");
  if (!read_keys (self, "session", read_head_key, operation, error))
    return FALSE;
  for (guint i = 0; groups[i]; i++)
    if (!read_group (self, groups[i], error))
      return FALSE;
  take_document (self, *operation);
  return TRUE;
}

char *
vg_session_text_load (const char *path, gsize *length, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autofree char *shown = g_filename_display_name (path);
  char *text = NULL;
  struct stat status;

  if (stat (path, &status) == 0 &&
      (!S_ISREG (status.st_mode) || status.st_size > VG_SESSION_MAX_BYTES))
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "%s is not a session file: no regular file, or longer than 64 MB", shown);
      return NULL;
    }
  if (g_file_get_contents (path, &text, length, &local))
    return text;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open the session %s: %s", shown,
               stat (path, &status) == 0 ? local->message : g_strerror (errno));
  return NULL;
}

static GPtrArray *
read_text (VgSessionReader *self, const char *text, gsize length, const VgOperation **current,
           GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray)
      documents = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_document_free);

  self->file = file;
  self->documents = documents;
  if (length > VG_SESSION_MAX_BYTES || !g_utf8_validate (text, (gssize) length, NULL))
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                           "not a session file: it is no text, or longer than 64 MB");
      return NULL;
    }
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_KEEP_TRANSLATIONS, NULL))
    {
      g_set_error_literal (
          error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
          "not a session file: a line is neither [group] nor key=value; save the session again");
      return NULL;
    }
  return read_all (self, current, error) ? g_steal_pointer (&documents) : NULL;
}

GPtrArray *
vg_session_text_names (const char *text, gsize length, const char *folder, GError **error)
{
  VgSessionReader self = { .folder = folder, .names_only = TRUE };
  const VgOperation *current;

  return read_text (&self, text, length, &current, error);
}

GPtrArray *
vg_session_text_read (const char *text, gsize length, const char *folder, GPtrArray *known,
                      const VgOperation **current, GError **error)
{
  VgSessionReader self = { .folder = folder, .known = known };

  return read_text (&self, text, length, current, error);
}
