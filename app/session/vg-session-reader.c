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
#include "app/volume/vg-mask-store.h"

gboolean
vg_session_reader_fail (VgSessionReader *self, const char *why)
{
  g_set_error (self->error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "session file, group [%s], key %s: %s",
               self->group, self->key, why);
  return FALSE;
}

gboolean
vg_session_reader_fail_unknown (VgSessionReader *self)
{
  return vg_session_reader_fail (self, "there is no such key; remove the line, or open the session "
                                       "with the version of Vivograph that wrote it");
}

/* FALSE and an error that names the group alone. */
static gboolean
fail_group (VgSessionReader *self, const char *group, const char *why)
{
  g_set_error (self->error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "session file, group [%s]: %s", group,
               why);
  return FALSE;
}

/* TEXT as one line without control characters, for an error message. */
static char *
quotable (const char *text)
{
  g_autofree char *part = g_utf8_make_valid (text, (gssize) MIN (strlen (text), 60));

  return g_strescape (part, NULL);
}

gboolean
vg_session_reader_get_int64 (VgSessionReader *self, gint64 *value)
{
  char *end = NULL;

  *value = g_ascii_strtoll (self->text, &end, 10);
  /* a number out of range gives the largest one; GLib may change errno */
  if (end == self->text || *end != '\0' || *value < 0 || *value == G_MAXINT64)
    return vg_session_reader_fail (self, "is not a whole number of 0 or more");
  return TRUE;
}

static char *
local_name (VgSessionReader *self, const VgParam *param, const char *name)
{
  if (*name == '\0' || vg_session_is_plain_text (param, name))
    return g_strdup (name);
  if (g_str_has_prefix (name, "file:"))
    return g_filename_from_uri (name, NULL, NULL);
  if (param != NULL && g_str_has_prefix (name, VG_SESSION_MASK_PREFIX))
    return vg_mask_store_path (name + strlen (VG_SESSION_MASK_PREFIX));
  return self->folder ? g_canonicalize_filename (name, self->folder) : g_strdup (name);
}

/* Replaces NAMES, values of PARAM or inputs (NULL), by those of files on this computer; FALSE: one
 * of them has none. */
static gboolean
make_local (VgSessionReader *self, const VgParam *param, char **names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *name = local_name (self, param, names[i]);

      if (name == NULL || (param == NULL && *name == '\0'))
        return FALSE;
      g_free (names[i]);
      names[i] = g_steal_pointer (&name);
    }
  return TRUE;
}

gboolean
vg_session_reader_parse (VgSessionReader *self, const VgParam *param, void *fields)
{
  g_autofree char *joined = NULL;
  g_autoptr (GError) local = NULL;

  if (param->kind == VG_PARAM_FILE)
    {
      g_auto (GStrv) names = vg_param_split_files (param, self->text);

      if (!make_local (self, param, names))
        return vg_session_reader_fail (self, "is not the name of a file on this computer");
      joined = vg_param_join_files (param, (const char *const *) names);
    }
  if (!vg_param_parse (param, fields, joined != NULL ? joined : self->text, &local))
    return vg_session_reader_fail (self, local ? local->message : "is not valid");
  return TRUE;
}

static gboolean
read_inputs (VgSessionReader *self, VgDocument *document)
{
  g_auto (GStrv)
      names = g_key_file_get_string_list (self->file, self->group, self->key, NULL, NULL);

  if (names == NULL)
    return vg_session_reader_fail (self, "is not a list of names; write it as UTF-8");
  if (!make_local (self, NULL, names))
    return vg_session_reader_fail (
        self, "contains something that is not the name of a file on this computer");
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

/* The present name of a parameter that an earlier version called ID; ID if it has none. */
static const char *
present_name (const char *id)
{
  static const char *const renamed[][2] = { { "flip_angle_file", "t1_series" } };

  for (guint i = 0; i < G_N_ELEMENTS (renamed); i++)
    if (strcmp (id, renamed[i][0]) == 0)
      return renamed[i][1];
  return id;
}

/* NULL and an error: there is no parameter ID. */
static const VgParam *
find_param (VgSessionReader *self, const VgParamTable *table, const char *id)
{
  const VgParam *param = vg_session_find_field (table, present_name (id));
  const char *nearest = param ? NULL : vg_params_nearest (table, id);
  g_autofree char *why = nearest ? g_strdup_printf ("there is no such parameter; did you mean %s?",
                                                    nearest)
                                 : NULL;

  self->key = id;
  if (nearest != NULL)
    vg_session_reader_fail (self, why);
  else if (param == NULL)
    vg_session_reader_fail_unknown (self);
  return param;
}

static gboolean
read_param_key (VgSessionReader *self, gpointer data)
{
  const VgDocument *document = data;
  const VgParam *param = find_param (self, &document->operation->params, self->key);

  return param && vg_session_reader_parse (self, param, document->params);
}

static gboolean
read_given_key (VgSessionReader *self, gpointer data)
{
  const VgDocument *document = data;
  const VgParam *param = find_param (self, &document->operation->params, self->key);

  return param && vg_session_reader_parse (self, param, document->given);
}

static gboolean
read_derived (VgSessionReader *self, VgDocument *document)
{
  const VgParamTable *table = &document->operation->params;
  g_auto (GStrv) ids = g_key_file_get_string_list (self->file, self->group, self->key, NULL, NULL);

  if (ids == NULL)
    return vg_session_reader_fail (self, "is not a list of parameters; write it as UTF-8");
  for (char **id = ids; *id; id++)
    {
      g_autofree char *shown = quotable (*id);
      const VgParam *param = find_param (self, table, shown);

      if (param == NULL)
        return FALSE;
      document->derived[param - table->items] = TRUE;
    }
  return TRUE;
}

static gboolean
read_run (VgSessionReader *self, VgDocument *document)
{
  gint64 run;

  if (!vg_session_reader_get_int64 (self, &run))
    return FALSE;
  if (run < 1 || run > G_MAXINT)
    return vg_session_reader_fail (self, "is not a whole number of 1 or more");
  document->run = (int) run - 1;
  return TRUE;
}

static gboolean
read_input_key (VgSessionReader *self, gpointer data)
{
  VgDocument *document = data;

  if (strcmp (self->key, "inputs") == 0)
    return read_inputs (self, document);
  if (strcmp (self->key, "followed") == 0)
    return read_derived (self, document);
  if (strcmp (self->key, "run") == 0)
    return read_run (self, document);
  if (strcmp (self->key, "outcome") == 0)
    {
      g_free (document->checkpoint);
      document->checkpoint = g_strdup (self->text);
      return vg_checkpoint_check (self->text) ||
             vg_session_reader_fail (
                 self, "is cut short or damaged; remove the line to have it computed again");
    }
  if (strcmp (self->key, "mask") == 0)
    {
      g_free (document->mask);
      document->mask = vg_mask_store_path (self->text);
      return document->mask != NULL ||
             vg_session_reader_fail (self, "is not the key of a mask; remove the line");
    }
  if (strcmp (self->key, "reading") != 0 && strcmp (self->key, "geometry") != 0)
    return vg_session_reader_fail_unknown (self);
  g_free (document->read_options);
  document->read_options = g_strdup (self->text);
  return TRUE;
}

typedef gboolean (*ReadKey) (VgSessionReader *self, gpointer data);

static gboolean
read_keys (VgSessionReader *self, const char *group, ReadKey read, gpointer data)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);

  self->group = group;
  for (guint i = 0; keys && keys[i]; i++)
    {
      g_autofree char *shown = quotable (keys[i]);
      g_autofree char *text = g_key_file_get_string (self->file, group, keys[i], NULL);
      gboolean is_list = read == read_input_key &&
                         (strcmp (keys[i], "inputs") == 0 || strcmp (keys[i], "followed") == 0);

      self->key = shown;
      self->text = text;
      /* no key has control characters */
      if (strcmp (shown, keys[i]) != 0)
        return vg_session_reader_fail_unknown (self);
      if (text == NULL && !is_list)
        return vg_session_reader_fail (self, "is not text; write it as UTF-8");
      if (!read (self, data))
        return FALSE;
    }
  return TRUE;
}

/* Regions are numbered from 1 without a gap, in the order of the file. */
static gboolean
read_region (VgSessionReader *self, VgDocument *document, const char *group, const char *number)
{
  g_autofree char *expected = g_strdup_printf ("%u", document->regions->len + 1);
  const VgRegion none = { VG_REGION_NONE };
  VgNamedRegion *region;
  char *name;

  G_STATIC_ASSERT (VG_DOCUMENT_MAX_REGIONS == 256); /* the message */
  if (strcmp (number, expected) != 0 || document->regions->len >= VG_DOCUMENT_MAX_REGIONS)
    return fail_group (self, group, "regions are numbered 1, 2, 3 up to 256 in their order");
  region = vg_document_add_region (document, &none);
  if (!read_keys (self, group, vg_session_read_region_key, region))
    return FALSE;
  vg_session_separate_region (document, region);
  name = g_strdup (vg_session_name_translated (document->operation, region->name));
  g_free (region->name);
  region->name = name;
  self->key = "shape";
  return region->region.kind != VG_REGION_NONE || vg_session_reader_fail (self, "is missing");
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
read_mask_key (VgSessionReader *self, gpointer data)
{
  g_autoptr (GError) local = NULL;

  return self->names_only || vg_mask_store_unpack (self->key, self->text, &local) ||
         vg_session_reader_fail (self, local->message);
}

static gboolean
read_group_of (VgSessionReader *self, VgDocument *document, const char *group, const char *rest)
{
  int output;

  if (*rest == '\0')
    return read_keys (self, group, read_input_key, document);
  if (strcmp (rest, " parameters") == 0)
    {
      if (!self->names_only)
        load_settings (document);
      return read_keys (self, group, read_param_key, document);
    }
  if (strcmp (rest, " said") == 0)
    return read_keys (self, group, read_given_key, document);
  if (strcmp (rest, " view") == 0)
    return read_keys (self, group, vg_session_read_view_key, document);
  if (strcmp (rest, " masks") == 0)
    return read_keys (self, group, read_mask_key, document);
  if (strcmp (rest, " annotations") == 0)
    return read_keys (self, group, vg_session_read_annotation_key, document);
  if (g_str_has_prefix (rest, " region "))
    return read_region (self, document, group, rest + strlen (" region "));
  output = g_str_has_prefix (rest, " display ")
               ? vg_operation_find_output (document->operation, rest + strlen (" display "))
               : -1;
  if (output >= 0)
    return read_keys (self, group, vg_session_read_display_key, &document->displays[output]);
  return fail_group (self, group, "there is no such group; remove it");
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
read_group (VgSessionReader *self, const char *group)
{
  g_autofree char *id = g_strndup (group, strcspn (group, " "));
  g_autofree char *shown = quotable (group);
  const VgOperation *operation;

  if (strcmp (group, "session") == 0)
    return TRUE;
  operation = strcmp (shown, group) == 0 ? find_operation (self, id) : NULL;
  if (operation == NULL)
    return fail_group (self, shown, "this program has no such operation; see vivograph describe");
  return read_group_of (self, take_document (self, operation), group, group + strlen (id));
}

static gboolean
read_head_key (VgSessionReader *self, gpointer data)
{
  const VgOperation **operation = data;
  gint64 version;

  if (strcmp (self->key, "version") == 0)
    return vg_session_reader_get_int64 (self, &version) &&
           (version == VG_SESSION_VERSION ||
            vg_session_reader_fail (self, "this version of Vivograph reads version 1; open the "
                                          "session with the version that wrote it"));
  if (strcmp (self->key, "operation") != 0)
    return vg_session_reader_fail_unknown (self);
  *operation = find_operation (self, self->text);
  return *operation != NULL ||
         vg_session_reader_fail (self,
                                 "this program has no such operation; see vivograph describe");
}

static gboolean
read_all (VgSessionReader *self, const VgOperation **operation)
{
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);

  *operation = NULL;
  self->group = "session";
  for (const char *const *key = (const char *const[]){ "version", "operation", NULL }; *key; key++)
    {
      self->key = *key;
      if (!g_key_file_has_key (self->file, "session", *key, NULL))
        return vg_session_reader_fail (self, "is missing, so this is not a session file");
    }
  if (!read_keys (self, "session", read_head_key, operation))
    return FALSE;
  for (guint i = 0; groups[i]; i++)
    if (!read_group (self, groups[i]))
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
                   "\"%s\" is not a session file: it is not a regular file, or longer than 64 MB",
                   shown);
      return NULL;
    }
  if (g_file_get_contents (path, &text, length, &local))
    return text;
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_OPEN, "cannot open the session \"%s\": %s", shown,
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
  self->error = error;
  if (length > VG_SESSION_MAX_BYTES || !g_utf8_validate (text, (gssize) length, NULL))
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                           "this is not a session file: it is not text, or longer than 64 MB");
      return NULL;
    }
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_KEEP_TRANSLATIONS, NULL))
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                           "this is not a session file: a line is neither [group] nor key=value; "
                           "save the session again");
      return NULL;
    }
  return read_all (self, current) ? g_steal_pointer (&documents) : NULL;
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
