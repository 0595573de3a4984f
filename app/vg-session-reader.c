/* SPDX-License-Identifier: MIT */
/* Text to documents: all or nothing, on text from anybody.  Every group and
 * every key must be known; every error names both. */
#include <string.h>
#include "vg-colormap.h"
#include "vg-display.h"
#include "vg-error.h"
#include "vg-outcome-text.h"
#include "vg-settings-file.h"
#include "vg-session-fields.h"
#include "vg-session-text.h"

typedef struct
{
  GKeyFile *file;
  const char *folder;
  GPtrArray *known, *documents;
} Reader;

static gboolean
fail (GError **error, const char *group, const char *key, const char *why)
{
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "session, group [%s], key %s: %s", group, key, why);
  return FALSE;
}

static gboolean
fail_unknown (GError **error, const char *group, const char *key)
{
  return fail (error, group, key, "there is no such key; remove the line, or open the session with the version that wrote it");
}

/* TEXT as one line without control characters, for an error message. */
static char *
quotable (const char *text)
{
  g_autofree char *part = g_utf8_make_valid (text, (gssize) MIN (strlen (text), 60));

  return g_strescape (part, NULL);
}

static char *
get (Reader *self, const char *group, const char *key, GError **error)
{
  g_autoptr (GError) local = NULL;
  char *text = g_key_file_get_string (self->file, group, key, &local);

  if (!text)
    fail (error, group, key, "is not text; write it as UTF-8");
  return text;
}

static gboolean
read_int64 (Reader *self, const char *group, const char *key, gint64 *value, GError **error)
{
  g_autofree char *text = get (self, group, key, error);
  char *end = NULL;

  if (!text)
    return FALSE;
  *value = g_ascii_strtoll (text, &end, 10);
  /* out of range saturates; errno may be changed by GLib's own set-up of the locale */
  if (end == text || *end != '\0' || *value < 0 || *value == G_MAXINT64)
    return fail (error, group, key, "is not a whole number from 0 on");
  return TRUE;
}

static gboolean
read_color (Reader *self, const char *group, const char *key, guint8 *rgb, GError **error)
{
  g_autofree char *text = get (self, group, key, error);

  if (!text)
    return FALSE;
  if (strlen (text) != 7 || text[0] != '#')
    return fail (error, group, key, "is not a colour; write it as #rrggbb");
  for (int i = 0; i < 3; i++)
    {
      int high = g_ascii_xdigit_value (text[1 + 2 * i]), low = g_ascii_xdigit_value (text[2 + 2 * i]);

      if (high < 0 || low < 0)
        return fail (error, group, key, "is not a colour; write it as #rrggbb");
      rgb[i] = (guint8) (16 * high + low);
    }
  return TRUE;
}

static char *
local_name (Reader *self, const VgParam *param, const char *name)
{
  if (*name == '\0' || vg_session_is_plain_text (param, name))
    return g_strdup (name);
  if (g_str_has_prefix (name, "file:"))
    return g_filename_from_uri (name, NULL, NULL);
  return self->folder ? g_canonicalize_filename (name, self->folder) : g_strdup (name);
}

static gboolean
parse_field (Reader *self, const char *group, const VgParam *param, void *fields, GError **error)
{
  g_autofree char *text = get (self, group, param->id, error);
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
            return fail (error, group, param->id, "is not the name of a file on this computer");
          g_free (names[i]);
          names[i] = name;
        }
      g_free (text);
      text = vg_param_join_files (param, (const char *const *) names);
    }
  if (!vg_param_parse (param, fields, text, &local))
    return fail (error, group, param->id, local ? local->message : "is not valid");
  return TRUE;
}

static gboolean
read_inputs (Reader *self, VgDocument *document, const char *group, GError **error)
{
  gsize n = 0;
  g_autoptr (GError) local = NULL;
  g_auto (GStrv) names = g_key_file_get_string_list (self->file, group, "inputs", &n, &local);

  if (!names)
    return fail (error, group, "inputs", "is not a list of names; write it as UTF-8");
  for (gsize i = 0; i < n; i++)
    {
      char *name = local_name (self, NULL, names[i]);

      if (!name || *name == '\0')
        {
          g_free (name);
          return fail (error, group, "inputs", "holds something that is not the name of a file on this computer");
        }
      g_free (names[i]);
      names[i] = name;
    }
  g_strfreev (document->inputs);
  document->inputs = g_steal_pointer (&names);
  return TRUE;
}

static gboolean
read_input_key (Reader *self, gpointer data, const char *group, const char *key, GError **error)
{
  VgDocument *document = data;

  if (strcmp (key, "inputs") == 0)
    return read_inputs (self, document, group, error);
  if (strcmp (key, "run") == 0)
    {
      gint64 run;

      if (!read_int64 (self, group, key, &run, error))
        return FALSE;
      if (run < 1 || run > G_MAXINT)
        return fail (error, group, key, "is not a whole number from 1 on");
      document->run = (int) run - 1;
      return TRUE;
    }
  if (strcmp (key, "outcome") == 0)
    {
      g_free (document->outcome);
      document->outcome = get (self, group, key, error);
      return document->outcome != NULL
             && (vg_outcome_check (document->outcome) || fail (error, group, key, "is cut short or damaged; remove the line to have it computed again"));
    }
  if (strcmp (key, "reading") != 0 && strcmp (key, "geometry") != 0)
    return fail_unknown (error, group, key);
  g_free (document->reading);
  document->reading = get (self, group, key, error);
  return document->reading != NULL;
}

/* The table's entry of exactly this id, as it is written. */
static const VgParam *
find_field (const VgParamTable *table, const char *key)
{
  const VgParam *param = vg_params_find (table, key);

  return param && param->kind != VG_PARAM_ACTION && strcmp (param->id, key) == 0 ? param : NULL;
}

static gboolean
read_param_key (Reader *self, gpointer data, const char *group, const char *key, GError **error)
{
  const VgDocument *document = data;
  const VgParamTable *table = &document->operation->params;
  const VgParam *param = find_field (table, key);
  const char *nearest;
  g_autofree char *why = NULL;

  if (param)
    return parse_field (self, group, param, document->params, error);
  nearest = vg_params_nearest (table, key);
  if (!nearest)
    return fail_unknown (error, group, key);
  why = g_strdup_printf ("there is no such parameter; did you mean %s?", nearest);
  return fail (error, group, key, why);
}

static gboolean
read_view_key (Reader *self, gpointer data, const char *group, const char *key, GError **error)
{
  VgDocument *document = data;
  const VgParam *field = find_field (&vg_session_view_fields, key);

  if (field)
    return parse_field (self, group, field, &document->view, error);
  if (strcmp (key, "frame") == 0)
    return read_int64 (self, group, key, &document->view.frame, error);
  if (strcmp (key, "output") == 0)
    {
      g_autofree char *id = get (self, group, key, error);

      if (!id)
        return FALSE;
      document->view.output = vg_operation_find_output (document->operation, id);
      return document->view.output >= 0 || fail (error, group, key, "the operation has no such output");
    }
  if (strcmp (key, "page") == 0)
    {
      g_autofree char *page = get (self, group, key, error);

      if (!page)
        return FALSE;
      document->view.page = vg_document_find_page (document, page);
      return document->view.page || fail (error, group, key, "the operation has no such page of plots");
    }
  return fail_unknown (error, group, key);
}

static gboolean
read_isolines (Reader *self, const char *group, const char *key, VgDisplay *display, GError **error)
{
  g_autofree char *text = get (self, group, key, error);
  g_autoptr (GError) local = NULL;

  if (!text)
    return FALSE;
  return vg_display_parse_isolines (display, text, &local) || fail (error, group, key, local->message);
}

static gboolean
read_display_key (Reader *self, gpointer data, const char *group, const char *key, GError **error)
{
  VgDisplay *display = data;
  const VgParam *field = find_field (&vg_session_display_fields, key);

  if (field)
    return parse_field (self, group, field, display, error);
  if (strcmp (key, "invalid_color") == 0)
    return read_color (self, group, key, display->invalid_rgb, error);
  if (strcmp (key, "isolines") == 0)
    return read_isolines (self, group, key, display, error);
  if (strcmp (key, "colormap") == 0)
    {
      g_autofree char *id = get (self, group, key, error);

      if (!id)
        return FALSE;
      if (!vg_colormap_find (id) || strlen (id) >= sizeof display->colormap)
        return fail (error, group, key, "there is no such colour map");
      g_strlcpy (display->colormap, id, sizeof display->colormap);
      return TRUE;
    }
  return fail_unknown (error, group, key);
}

static gboolean
read_region_key (Reader *self, gpointer data, const char *group, const char *key, GError **error)
{
  VgNamedRegion *region = data;
  g_autofree char *text = get (self, group, key, error);
  g_autoptr (GError) local = NULL;

  if (!text)
    return FALSE;
  if (strcmp (key, "color") == 0)
    return read_color (self, group, key, region->rgb, error);
  if (strcmp (key, "selected") == 0)
    {
      region->selected = strcmp (text, "true") == 0;
      return region->selected || strcmp (text, "false") == 0 || fail (error, group, key, "is not true or false");
    }
  if (strcmp (key, "name") == 0)
    {
      if (strlen (text) > VG_DOCUMENT_MAX_NAME)
        return fail (error, group, key, "is longer than 256 bytes");
      g_free (region->name);
      region->name = g_steal_pointer (&text);
      return TRUE;
    }
  if (strcmp (key, "shape") == 0)
    return vg_region_parse (&region->region, text, &local) ||
           fail (error, group, key, local ? local->message : "is not a region");
  return fail_unknown (error, group, key);
}

typedef gboolean (*ReadKey) (Reader *self, gpointer data, const char *group, const char *key, GError **error);

static gboolean
read_keys (Reader *self, const char *group, ReadKey read, gpointer data, GError **error)
{
  g_auto (GStrv) keys = g_key_file_get_keys (self->file, group, NULL, NULL);

  for (guint i = 0; keys && keys[i]; i++)
    {
      g_autofree char *shown = quotable (keys[i]);

      /* a key with control characters is none of ours */
      if (strcmp (shown, keys[i]) != 0 ? !fail_unknown (error, group, shown) : !read (self, data, group, keys[i], error))
        return FALSE;
    }
  return TRUE;
}

/* Regions are numbered from 1 without a gap, in the order of the file. */
static gboolean
read_region (Reader *self, VgDocument *document, const char *group, const char *number, GError **error)
{
  g_autofree char *expected = g_strdup_printf ("%u", document->regions->len + 1);
  const VgRegion none = { VG_REGION_NONE };
  VgNamedRegion *region;

  if (strcmp (number, expected) != 0 || document->regions->len >= VG_DOCUMENT_MAX_REGIONS)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "session, group [%s]: regions are numbered 1, 2, 3 up to %d in their order", group, VG_DOCUMENT_MAX_REGIONS);
      return FALSE;
    }
  region = vg_document_add_region (document, &none);
  if (!read_keys (self, group, read_region_key, region, error))
    return FALSE;
  return region->region.kind != VG_REGION_NONE || fail (error, group, "shape", "is missing");
}

/* A file of settings may say what is no parameter, such as the name of a
 * result; the session's values go over the others.  Without the file it is not known. */
static void
take_settings (VgDocument *document)
{
  if (document->operation->read_settings && document->inputs[0])
    vg_settings_file_read (document->operation, (const char *const *) document->inputs, document->run, document->params, NULL, NULL);
}

static gboolean
read_group_of (Reader *self, VgDocument *document, const char *group, const char *rest, GError **error)
{
  int output;

  if (*rest == '\0')
    return read_keys (self, group, read_input_key, document, error);
  if (strcmp (rest, " parameters") == 0)
    {
      take_settings (document);
      return read_keys (self, group, read_param_key, document, error);
    }
  if (strcmp (rest, " view") == 0)
    return read_keys (self, group, read_view_key, document, error);
  if (g_str_has_prefix (rest, " region "))
    return read_region (self, document, group, rest + strlen (" region "), error);
  if (g_str_has_prefix (rest, " display "))
    {
      output = vg_operation_find_output (document->operation, rest + strlen (" display "));
      if (output >= 0)
        return read_keys (self, group, read_display_key, &document->displays[output], error);
    }
  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "session, group [%s]: there is no such group; remove it", group);
  return FALSE;
}

static const VgOperation *
find_operation (Reader *self, const char *id)
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
take_document (Reader *self, const VgOperation *operation)
{
  VgDocument *document = vg_documents_find (self->documents, operation);

  if (!document)
    g_ptr_array_add (self->documents, document = vg_document_new (operation));
  return document;
}

static gboolean
read_group (Reader *self, const char *group, GError **error)
{
  g_autofree char *id = g_strndup (group, strcspn (group, " "));
  g_autofree char *shown = quotable (group);
  const VgOperation *operation;

  if (strcmp (group, "session") == 0)
    return TRUE;
  operation = strcmp (shown, group) == 0 ? find_operation (self, id) : NULL;
  if (!operation)
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                   "session, group [%s]: this program has no such operation; see vivograph describe", shown);
      return FALSE;
    }
  return read_group_of (self, take_document (self, operation), group, group + strlen (id), error);
}

static gboolean
read_head_key (Reader *self, gpointer data, const char *group, const char *key, GError **error)
{
  const VgOperation **operation = data;
  g_autofree char *text = NULL;
  gint64 version;

  if (strcmp (key, "version") == 0)
    {
      if (!read_int64 (self, group, key, &version, error))
        return FALSE;
      return version == VG_SESSION_VERSION ||
             fail (error, group, key, "this program reads version 1; open it with the version that wrote it");
    }
  if (strcmp (key, "operation") != 0)
    return fail_unknown (error, group, key);
  text = get (self, group, key, error);
  if (!text)
    return FALSE;
  *operation = find_operation (self, text);
  return *operation || fail (error, group, key, "this program has no such operation; see vivograph describe");
}

static gboolean
read_all (Reader *self, const VgOperation **operation, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (self->file, NULL);

  *operation = NULL;
  for (const char *const *key = (const char *const[]){ "version", "operation", NULL }; *key; key++)
    if (!g_key_file_has_key (self->file, "session", *key, NULL))
      return fail (error, "session", *key, "is missing: this is not a session file");
  if (!read_keys (self, "session", read_head_key, operation, error))
    return FALSE;
  for (guint i = 0; groups[i]; i++)
    if (!read_group (self, groups[i], error))
      return FALSE;
  take_document (self, *operation);
  return TRUE;
}

GPtrArray *
vg_session_text_read (const char *text, gsize length, const char *folder, GPtrArray *known,
                      const VgOperation **current, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GPtrArray) documents = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_document_free);
  g_autoptr (GError) local = NULL;
  Reader self = { file, folder, known, documents };

  if (length > VG_SESSION_MAX_BYTES || !g_utf8_validate (text, (gssize) length, NULL))
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT, "not a session file: it is no text, or longer than 64 MB");
      return NULL;
    }
  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_KEEP_TRANSLATIONS, &local))
    {
      g_set_error_literal (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                           "not a session file: a line is neither [group] nor key=value; save the session again");
      return NULL;
    }
  return read_all (&self, current, error) ? g_steal_pointer (&documents) : NULL;
}
