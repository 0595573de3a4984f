/* SPDX-License-Identifier: MIT */
#include "app/region/vg-found-region.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-labels.h"
#include "app/region/vg-region-settings.h"
#include "app/volume/vg-mask-store.h"
#include "io/source/vg-source.h"
#include <glib/gi18n.h>
#include <string.h>

static void
note_simplified (VgFinding *finding)
{
  g_autofree char *before = g_steal_pointer (&finding->note);

  finding->note = g_strdup_printf (
      "%s\n%s", before,
      N_ ("Its outline was simplified, so some pixels at its border are assigned wrongly."));
}

/* The text of the region that was found, owned; NULL and an error. */
static char *
make_text (VgFinding *finding, GError **error)
{
  VgSimplified simplified = { 0 };
  g_autoptr (GPtrArray)
      regions = vg_region_labels (finding->mask, finding->param, 1, &simplified, error);
  VgNamedRegion *named;

  if (regions == NULL)
    return NULL;
  if (simplified.outlines > 0)
    note_simplified (finding);
  named = regions->pdata[0];
  named->region.slice = finding->slice;
  return vg_region_format (&named->region);
}

static char *
store_mask (gpointer data, const VgParam *param, VgImage *image, GError **error)
{
  g_autoptr (VgMask) mask = vg_mask_new_from_image (image, error);

  return mask != NULL ? vg_mask_store_add (mask, &image->info, gettext (param->label), error)
                      : NULL;
}

/* Keeps the mask of all slices, which becomes that of its outlines; the value of PARAM, owned, and
 * *OUTLINES.  NULL and an error. */
static char *
keep_mask (VgFinding *finding, const VgParam *param, const VgFoundRegionUser *user,
           GPtrArray **outlines, GError **error)
{
  VgImage *image = finding->mask;
  VgSimplified simplified = { 0 };
  g_autoptr (GPtrArray)
      regions = vg_region_file_outline (image, gettext (param->label), &simplified, error);
  gsize n = vg_image_info_page_bytes (&image->info);
  char *text;

  if (regions == NULL)
    return NULL;
  if (simplified.outlines > 0)
    note_simplified (finding);
  memset (image->data, 0, n * (gsize) image->info.slices);
  for (guint i = 0; i < regions->len; i++)
    {
      VgNamedRegion *named = regions->pdata[i];

      named->origin = VG_REGION_FOUND;
      vg_region_mark (&named->region, image->info.width, image->info.height,
                      (guint8 *) image->data + (gsize) named->region.slice * n);
    }
  text = (user->keep != NULL ? user->keep : store_mask) (user->data, param, image, error);
  if (text != NULL)
    *outlines = g_steal_pointer (&regions);
  return text;
}

static gboolean
is_empty (const VgParam *param, const void *params)
{
  g_autofree char *text = vg_param_format (param, params);

  return text == NULL || *text == '\0';
}

/* Whether the value of PARAM is a stored mask, and the regions of its name are all as they were
 * found and contain exactly its voxels. */
static gboolean
is_found_mask (const VgParam *param, const void *params, const VgNamedRegion *const *regions)
{
  g_autofree char *path = vg_param_format (param, params),
                  *key = path != NULL ? vg_mask_store_key (path) : NULL;
  g_autoptr (VgImage) image = NULL;
  g_autoptr (GPtrArray) outlines = NULL;

  if (key == NULL)
    return FALSE;
  image = vg_image_load (path, VG_FILE_IMAGE, NULL, NULL);
  outlines = image != NULL ? vg_region_settings_outlines (param, image, regions) : NULL;
  for (guint i = 0; outlines != NULL && i < outlines->len; i++)
    if (((const VgNamedRegion *) outlines->pdata[i])->origin != VG_REGION_FOUND)
      return FALSE;
  return outlines != NULL;
}

void *
vg_found_regions_forget (const VgParamTable *table, const void *params,
                         const VgNamedRegion *const *regions)
{
  void *copy = vg_params_copy (table, params);

  for (guint i = 0; regions != NULL && regions[i] != NULL; i++)
    for (guint k = 0; k < table->n_items && regions[i]->origin == VG_REGION_FOUND; k++)
      if (table->items[k].kind == VG_PARAM_FILE &&
          vg_session_param_is_region (&table->items[k], copy, &regions[i]->region))
        vg_param_parse (&table->items[k], copy, "", NULL);
  for (guint k = 0; k < table->n_items; k++)
    if (table->items[k].kind == VG_PARAM_FILE && is_found_mask (&table->items[k], params, regions))
      vg_param_parse (&table->items[k], copy, "", NULL);
  return copy;
}

gboolean
vg_found_regions_use (const VgParamTable *table, GPtrArray *findings, const void *params,
                      const VgFoundRegionUser *user, guint *n, GError **error)
{
  *n = 0;
  for (guint i = 0; i < findings->len;)
    {
      VgFinding *finding = findings->pdata[i];
      const VgParam *param = vg_params_find (table, finding->param);
      VgFoundRegionSet use = finding->doubtful ? user->propose : user->set;
      g_autoptr (GPtrArray) outlines = NULL;
      g_autofree char *text = NULL;

      if (!is_empty (param, params))
        {
          g_ptr_array_remove_index (findings, i);
          continue;
        }
      i++;
      if (finding->mask == NULL || use == NULL)
        continue;
      text = finding->mask->info.slices > 1 ? keep_mask (finding, param, user, &outlines, error)
                                            : make_text (finding, error);
      if (text == NULL || !use (user->data, param, text, outlines, error))
        return FALSE;
      ++*n;
    }
  return TRUE;
}

char *
vg_found_region_describe (const VgFinding *finding, const char *next,
                          const char *(*translate) (const char *) )
{
  g_auto (GStrv) lines = g_strsplit (finding->note, "\n", -1);
  GString *text = g_string_new (NULL);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            translate != NULL ? translate (lines[i]) : lines[i]);
  if (finding->doubtful && finding->mask != NULL)
    g_string_append_printf (text, " %s", next);
  return g_string_free (text, FALSE);
}
