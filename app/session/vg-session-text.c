/* SPDX-License-Identifier: MIT */
/* Writes documents as text.  Reading the numbers gives the same bits.  Names of files below the
 * session's folder become relative, so that the folder can be moved. */
#include "app/session/vg-session-text.h"

#include <string.h>
#include "app/annotation/vg-annotation.h"
#include "app/session/vg-display.h"
#include "app/session/vg-session-fields.h"
#include "app/volume/vg-mask-store.h"
#include "io/live/vg-live.h"

typedef struct
{
  GKeyFile *file;
  const char *folder;
  gboolean passing;
  GHashTable *checkpoints;
  const char *live; /* address with its present settings; or NULL */
} Writer;

/* Whether TEXT is no file name: standard input, a live source, or a region in place of a file. */
gboolean
vg_session_is_plain_text (const VgParam *param, const char *text)
{
  VgRegion region;

  if (!param)
    return strcmp (text, "-") == 0 || vg_live_is_address (text);
  return param->file.or_region && vg_region_parse (&region, text, NULL);
}

/* PATH relative to FOLDER where it is below, with "./" before a name that has another meaning; as a
 * URI if it is not UTF-8; a stored mask as "mask:KEY".  Owned. */
static char *
portable_name (const char *path, const char *folder, const VgParam *param)
{
  g_autofree char *full = NULL, *root = NULL, *key = NULL;
  const char *name = path;

  if (*path == '\0' || vg_session_is_plain_text (param, path))
    return g_strdup (path);
  if (folder != NULL && param != NULL && (key = vg_mask_store_key (path)) != NULL)
    return g_strconcat (VG_SESSION_MASK_PREFIX, key, NULL);
  full = g_canonicalize_filename (path, NULL);
  if (folder)
    {
      root = g_canonicalize_filename (folder, NULL);
      name = full;
      if (g_str_has_prefix (full, root) && full[strlen (root)] == '/' &&
          full[strlen (root) + 1] != '\0')
        name = full + strlen (root) + 1;
    }
  if (!g_utf8_validate (name, -1, NULL))
    return g_filename_to_uri (full, NULL, NULL);
  if (g_str_has_prefix (name, "file:") || g_str_has_prefix (name, VG_SESSION_MASK_PREFIX) ||
      vg_session_is_plain_text (param, name))
    return g_strconcat ("./", name, NULL);
  return g_strdup (name);
}

/* The same for every file name in a parameter's text. */
static char *
portable_names (const char *text, const char *folder, const VgParam *param)
{
  g_auto (GStrv) names = vg_param_split_files (param, text);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *name = names[i];

      names[i] = portable_name (name, folder, param);
    }
  return vg_param_join_files (param, (const char *const *) names);
}

/* The stored mask PATH in the group of the masks of DOCUMENT; no mask, or one that is too large for
 * a session: nothing. */
static void
write_mask (Writer *self, const VgDocument *document, const char *path)
{
  g_autofree char *key = vg_mask_store_key (path), *text = NULL,
                  *group = g_strconcat (document->operation->id, " masks", NULL);

  if (key != NULL && (text = vg_mask_store_pack (key)) != NULL)
    g_key_file_set_string (self->file, group, key, text);
}

static void
write_masks (Writer *self, const VgDocument *document)
{
  const VgParamTable *table = &document->operation->params;

  if (document->mask != NULL)
    write_mask (self, document, document->mask);
  for (guint i = 0; i < table->n_items; i++)
    {
      g_autofree char *text = table->items[i].kind == VG_PARAM_FILE
                                  ? vg_param_format (&table->items[i], document->params)
                                  : g_strdup ("");
      g_auto (GStrv) names = vg_param_split_files (&table->items[i], text);

      for (guint k = 0; names[k] != NULL; k++)
        write_mask (self, document, names[k]);
    }
}

static void
write_color (Writer *self, const char *group, const char *key, const guint8 *rgb)
{
  char text[8];

  g_snprintf (text, sizeof text, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
  g_key_file_set_string (self->file, group, key, text);
}

static void
write_inputs (Writer *self, const VgDocument *document)
{
  const char *group = document->operation->id;
  guint n = g_strv_length (document->inputs);
  g_auto (GStrv) names = g_new0 (char *, n + 1);
  g_autofree char *mask = document->mask != NULL ? vg_mask_store_key (document->mask) : NULL;
  const char *checkpoint = NULL;

  for (guint i = 0; i < n; i++)
    names[i] = self->live != NULL && vg_live_is_same_device (document->inputs[i], self->live)
                   ? g_strdup (self->live)
                   : portable_name (document->inputs[i], self->folder, NULL);
  g_key_file_set_string_list (self->file, group, "inputs", (const char *const *) names, n);
  if (document->run > 0)
    g_key_file_set_integer (self->file, group, "run", document->run + 1);
  if (document->read_options)
    g_key_file_set_string (self->file, group, "reading", document->read_options);
  if (self->passing)
    checkpoint = document->checkpoint;
  if (checkpoint == NULL && self->checkpoints)
    checkpoint = g_hash_table_lookup (self->checkpoints, document->operation);
  if (checkpoint)
    g_key_file_set_string (self->file, group, "outcome", checkpoint);
  if (self->passing && mask != NULL)
    g_key_file_set_string (self->file, group, "mask", mask);
}

static void
write_param (Writer *self, const char *group, const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);
  g_autofree char *names = param->kind == VG_PARAM_FILE ? portable_names (text, self->folder, param)
                                                        : NULL;

  g_key_file_set_string (self->file, group, param->id, names ? names : text);
}

static void
write_params (Writer *self, const VgDocument *document)
{
  const VgParamTable *table = &document->operation->params;
  g_autofree char *group = g_strconcat (document->operation->id, " parameters", NULL);
  g_autofree char *given = g_strconcat (document->operation->id, " said", NULL);
  g_autoptr (GPtrArray) derived = g_ptr_array_new ();
  void *defaults = vg_params_new (table);

  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];

      if (param->kind == VG_PARAM_ACTION)
        continue;
      write_param (self, group, param, document->params);
      if (!vg_param_equal (param, document->given, defaults))
        write_param (self, given, param, document->given);
      if (document->derived[i])
        g_ptr_array_add (derived, (gpointer) param->id);
    }
  if (derived->len > 0)
    g_key_file_set_string_list (self->file, document->operation->id, "followed",
                                (const char *const *) derived->pdata, derived->len);
  vg_params_free (table, defaults);
}

static void
write_fields (Writer *self, const char *group, const VgParamTable *table, const void *fields)
{
  for (guint i = 0; i < table->n_items; i++)
    {
      g_autofree char *text = vg_param_format (&table->items[i], fields);

      g_key_file_set_string (self->file, group, table->items[i].id, text);
    }
}

static void
write_view (Writer *self, const VgDocument *document)
{
  g_autofree char *group = g_strconcat (document->operation->id, " view", NULL);
  const VgView *view = &document->view;
  VgView saved = *view;

  if (document->before != NULL)
    vg_view_copy_zoom (&saved, document->before);
  write_fields (self, group, &vg_session_view_fields, &saved);
  g_key_file_set_int64 (self->file, group, "frame", view->frame);
  if (view->pages[0])
    g_key_file_set_string (self->file, group, "page", view->pages[0]);
  if (view->pages[1])
    g_key_file_set_string (self->file, group, "second-page", view->pages[1]);
  if ((guint) view->output < document->operation->n_outputs)
    g_key_file_set_string (self->file, group, "output",
                           document->operation->outputs[view->output].id);
}

static void
write_displays (Writer *self, const VgDocument *document)
{
  const VgOperation *operation = document->operation;

  for (guint i = 0; i < operation->n_outputs; i++)
    {
      g_autofree char *group = g_strconcat (operation->id, " display ", operation->outputs[i].id,
                                            NULL);
      const VgDisplay *display = &document->displays[i];
      g_autofree char *isolines = NULL;

      g_key_file_set_string (self->file, group, "colormap", display->colormap);
      write_fields (self, group, &vg_session_display_fields, display);
      write_color (self, group, "invalid_color", display->invalid_rgb);
      isolines = vg_display_format_isolines (display);
      g_key_file_set_string (self->file, group, "isolines", isolines);
    }
}

static void
write_regions (Writer *self, const VgDocument *document)
{
  for (guint i = 0; i < document->regions->len; i++)
    {
      const VgNamedRegion *region = document->regions->pdata[i];
      g_autofree char *group = g_strdup_printf ("%s region %u", document->operation->id, i + 1);
      g_autofree char *shape = vg_region_format (&region->region);

      g_key_file_set_string (self->file, group, "name",
                             vg_session_name_in_english (document->operation, region->name));
      g_key_file_set_string (self->file, group, "shape", shape);
      write_color (self, group, "color", region->rgb);
      if (region->named_after_file)
        g_key_file_set_boolean (self->file, group, "named_after_file", TRUE);
      if (region->origin != VG_REGION_DRAWN)
        g_key_file_set_string (self->file, group, "origin",
                               vg_session_region_origins[region->origin]);
      if (self->passing)
        g_key_file_set_boolean (self->file, group, "selected", region->selected);
      if (self->folder == NULL) /* a file has no ids: each opening gives new ones */
        g_key_file_set_int64 (self->file, group, "id", region->id);
    }
}

static void
write_annotations (Writer *self, const VgDocument *document)
{
  g_autofree char *group = g_strconcat (document->operation->id, " annotations", NULL);

  for (guint i = 0; i < document->annotations->len; i++)
    {
      g_autofree char *key = g_strdup_printf ("%u", i + 1),
                      *line = vg_annotation_format (document->annotations->pdata[i]);

      g_key_file_set_string (self->file, group, key, line);
    }
}

char *
vg_session_text_write (GPtrArray *documents, const VgOperation *current, const char *folder,
                       gboolean passing, GHashTable *checkpoints, const char *live)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  Writer self = { file, folder, passing, checkpoints, live };

  g_key_file_set_integer (file, "session", "version", VG_SESSION_VERSION);
  g_key_file_set_string (file, "session", "operation", current->id);
  for (guint i = 0; i < documents->len; i++)
    {
      const VgDocument *document = documents->pdata[i];

      write_inputs (&self, document);
      write_params (&self, document);
      write_regions (&self, document);
      write_annotations (&self, document);
      write_displays (&self, document);
      if (passing)
        write_view (&self, document);
      if (passing && folder != NULL)
        write_masks (&self, document);
    }
  return g_key_file_to_data (file, NULL, NULL);
}
