/* SPDX-License-Identifier: MIT */
/* The regions of the shown document, and the parameters whose values are regions. */
#include "app/session/vg-session-private.h"
#include "app/volume/vg-mask-store.h"
#include <glib/gi18n.h>
#include <string.h>

guint
vg_session_get_n_regions (VgSession *self)
{
  return self->document->regions->len;
}

static VgNamedRegion *
region_at (VgSession *self, guint i)
{
  return i < self->document->regions->len ? self->document->regions->pdata[i] : NULL;
}

const VgNamedRegion *
vg_session_get_region (VgSession *self, guint i)
{
  return region_at (self, i);
}

guint
vg_session_add_region (VgSession *self, const VgRegion *region)
{
  GPtrArray *regions = self->document->regions;

  if (regions->len >= VG_DOCUMENT_MAX_REGIONS || !vg_document_takes_region (region))
    return G_MAXUINT;
  vg_document_add_region (self->document, region);
  vg_session_changed (self, VG_CHANGED_REGIONS, TRUE);
  return regions->len - 1;
}

const VgParam *
vg_session_find_region_param (VgSession *self, guint i)
{
  const VgParamTable *table = &self->document->operation->params;
  const VgNamedRegion *named = region_at (self, i);

  for (guint k = 0; named != NULL && k < table->n_items; k++)
    if (vg_session_param_is_region (&table->items[k], self->document->params, &named->region))
      return &table->items[k];
  return NULL;
}

VgRegion
vg_session_get_shape (VgSession *self, guint i)
{
  const VgParam *param = vg_session_find_region_param (self, i);
  VgRegion shape = region_at (self, i)->region;

  if (param != NULL && param->file.or_region == VG_FILE_REGION_COLUMN)
    shape.slice = VG_REGION_EVERY_SLICE;
  return shape;
}

/* Changes the parameters whose value is the region OLD to NOW, or to none if NOW is NULL; returns
 * one of them, or NULL. */
static const VgParam *
move_param_regions (VgDocument *document, const VgRegion *old, const VgRegion *now)
{
  const VgParamTable *table = &document->operation->params;
  g_autofree char *to = now ? vg_region_format (now) : g_strdup ("");
  const VgParam *any = NULL;

  for (guint i = 0; i < table->n_items; i++)
    if (vg_session_param_is_region (&table->items[i], document->params, old) &&
        vg_param_parse (&table->items[i], document->params, to, NULL))
      {
        vg_session_derive (document, &table->items[i], TRUE);
        any = &table->items[i];
      }
  return any;
}

/* ---- the outlines of a mask that was found ---- */

/* Whether REGION was found, and has the name of PARAM. */
static gboolean
is_outline (const VgNamedRegion *region, const VgParam *param)
{
  const char *const labels[] = { param->label, gettext (param->label) };
  gboolean same = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (labels) && region->origin == VG_REGION_FOUND; i++)
    {
      g_autofree char *name = g_strdup_printf (VG_REGION_IN_SLICE, labels[i],
                                               region->region.slice + 1);

      same = same || strcmp (region->name, labels[i]) == 0 || strcmp (region->name, name) == 0;
    }
  return same;
}

static gboolean
is_mask (const VgParam *param, const void *params)
{
  g_autofree char *path = param->kind == VG_PARAM_FILE ? vg_param_format (param, params) : NULL,
                  *key = path != NULL ? vg_mask_store_key (path) : NULL;

  return key != NULL;
}

const VgParam *
vg_session_find_mask_param (VgSession *self, guint i)
{
  const VgParamTable *table = &self->document->operation->params;
  const VgNamedRegion *named = region_at (self, i);

  for (guint k = 0; named != NULL && k < table->n_items; k++)
    if (is_mask (&table->items[k], self->document->params) && is_outline (named, &table->items[k]))
      return &table->items[k];
  return NULL;
}

static gboolean
remove_outlines (VgDocument *document, const VgParam *param)
{
  gboolean any = FALSE;

  for (guint i = document->regions->len; i-- > 0;)
    if (is_outline (document->regions->pdata[i], param))
      {
        g_ptr_array_remove_index (document->regions, i);
        any = TRUE;
      }
  return any;
}

void
vg_session_remove_outlines (VgSession *self, const VgParam *param)
{
  if (remove_outlines (self->document, param))
    vg_session_changed (self, VG_CHANGED_REGIONS, TRUE);
}

gboolean
vg_session_drop_outlines (VgDocument *document, const void *before)
{
  const VgParamTable *table = &document->operation->params;
  gboolean any = FALSE;

  for (guint i = 0; i < table->n_items; i++)
    if (!vg_param_equal (&table->items[i], before, document->params) &&
        (is_mask (&table->items[i], before) || is_mask (&table->items[i], document->params)))
      any |= remove_outlines (document, &table->items[i]);
  return any;
}

/* Whether region I has to stay as it is, which is said. */
static gboolean
is_kept (VgSession *self, guint i)
{
  const VgParam *param = vg_session_find_mask_param (self, i);

  if (param != NULL)
    vg_session_kept (self, param);
  return param != NULL;
}

void
vg_session_set_region (VgSession *self, guint i, const VgRegion *region)
{
  VgNamedRegion *mine = region_at (self, i);
  VgRegion old;

  if (!mine || vg_region_equal (&mine->region, region) || !vg_document_takes_region (region) ||
      is_kept (self, i))
    return;
  old = mine->region;
  mine->region = *region;
  if (mine->origin == VG_REGION_FOUND)
    mine->origin = VG_REGION_ADAPTED;
  vg_session_changed (
      self,
      VG_CHANGED_REGIONS |
          (move_param_regions (self->document, &old, region) ? VG_CHANGED_PARAMS : 0),
      TRUE);
}

gboolean
vg_session_show_param_region (VgDocument *document, const VgParam *param, const void *before)
{
  g_autofree char *text = param->file.or_region || param->kind == VG_PARAM_REGION
                              ? vg_param_format (param, document->params)
                              : NULL;
  VgNamedRegion *old = NULL, *added;
  VgRegion region;

  if (text == NULL || !vg_region_parse (&region, text, NULL) || !vg_document_takes_region (&region))
    return FALSE;
  for (guint i = 0; i < document->regions->len; i++)
    {
      VgNamedRegion *named = document->regions->pdata[i];

      if (vg_region_has_text (&named->region, text))
        return FALSE;
      if (vg_session_param_is_region (param, before, &named->region))
        old = named;
    }
  if (old == NULL && document->regions->len >= VG_DOCUMENT_MAX_REGIONS)
    return FALSE;
  if (old != NULL)
    {
      old->region = region;
      old->origin = old->origin != VG_REGION_DRAWN ? VG_REGION_ADAPTED : VG_REGION_DRAWN;
    }
  else
    {
      added = vg_document_add_region (document, &region);
      g_free (added->name);
      added->name = g_strdup (gettext (param->label));
      vg_document_color_region (document, added, param->file.rgb);
    }
  return TRUE;
}

void
vg_session_use_region (VgSession *self, const VgParam *param, guint i)
{
  const VgNamedRegion *mine = region_at (self, i);
  g_autofree char *text = mine ? vg_region_format (&mine->region) : NULL;

  if (text == NULL)
    return;
  /* the region that was the value before gets a general name and colour */
  for (guint k = 0; k < self->document->regions->len; k++)
    {
      const VgNamedRegion *other = self->document->regions->pdata[k];
      g_autofree char *name = g_strdup_printf ("Region %u", k + 1);

      if (k == i || !vg_session_param_is_region (param, self->document->params, &other->region))
        continue;
      if (strcmp (other->name, gettext (param->label)) == 0)
        vg_session_rename_region (self, k, name);
      if (param->file.rgb != 0)
        vg_document_color_region (self->document, region_at (self, k), 0);
    }
  if (param->file.rgb != 0)
    vg_document_color_region (self->document, region_at (self, i), param->file.rgb);
  if (g_str_has_prefix (mine->name, "Region "))
    vg_session_rename_region (self, i, gettext (param->label));
  vg_session_set_text (self, param, text, NULL);
}

/* Cuts the name at a control character, because it is written into tables and CSV headers.  Whether
 * the region has another name now. */
static gboolean
set_name (VgNamedRegion *mine, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);
  char *end = valid;

  while (*end && !g_unichar_iscntrl (g_utf8_get_char (end)) &&
         g_utf8_next_char (end) - valid <= VG_DOCUMENT_MAX_NAME)
    end = g_utf8_next_char (end);
  *end = '\0';
  g_strstrip (valid);
  if (*valid == '\0' || strcmp (mine->name, valid) == 0)
    return FALSE;
  g_free (mine->name);
  mine->name = g_steal_pointer (&valid);
  mine->named_after_file = FALSE;
  return TRUE;
}

void
vg_session_rename_region (VgSession *self, guint i, const char *name)
{
  VgNamedRegion *mine = region_at (self, i);

  if (mine != NULL && set_name (mine, name))
    vg_session_changed (self, VG_CHANGED_REGIONS, TRUE);
}

guint
vg_session_add_regions (VgSession *self, GPtrArray *regions)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++)
    {
      const VgNamedRegion *region = regions->pdata[i];
      VgNamedRegion *mine;

      if (self->document->regions->len >= VG_DOCUMENT_MAX_REGIONS ||
          !vg_document_takes_region (&region->region))
        continue;
      mine = vg_document_add_region (self->document, &region->region);
      mine->named_after_file = set_name (mine, region->name) && region->named_after_file;
      mine->origin = region->origin;
      n++;
    }
  if (n > 0)
    vg_session_changed (self, VG_CHANGED_REGIONS, TRUE);
  return n;
}

void
vg_session_mark_found (VgSession *self, const VgParam *param)
{
  for (guint i = 0; i < self->document->regions->len; i++)
    {
      VgNamedRegion *mine = region_at (self, i);

      if (vg_session_param_is_region (param, self->document->params, &mine->region))
        mine->origin = VG_REGION_FOUND;
    }
}

void
vg_session_remove_found (VgSession *self, const char *name)
{
  for (guint i = self->document->regions->len; i-- > 0;)
    {
      const VgNamedRegion *mine = region_at (self, i);

      if (mine->origin == VG_REGION_FOUND && strcmp (mine->name, name) == 0 &&
          vg_session_find_region_param (self, i) == NULL &&
          vg_session_find_mask_param (self, i) == NULL)
        vg_session_remove_region (self, i);
    }
}

void
vg_session_select_region (VgSession *self, int i)
{
  gboolean changed = FALSE;

  for (guint k = 0; k < self->document->regions->len; k++)
    {
      VgNamedRegion *region = self->document->regions->pdata[k];
      gboolean selected = i >= 0 && (guint) i == k;

      changed |= region->selected != selected;
      region->selected = selected;
    }
  if (changed)
    vg_session_changed (self, VG_CHANGED_REGIONS, FALSE);
}

void
vg_session_remove_region (VgSession *self, guint i)
{
  const VgNamedRegion *mine = region_at (self, i);
  const VgParam *used;

  if (!mine || is_kept (self, i))
    return;
  used = move_param_regions (self->document, &mine->region, NULL);
  g_ptr_array_remove_index (self->document->regions, i);
  vg_session_changed (self, VG_CHANGED_REGIONS | (used ? VG_CHANGED_PARAMS : 0), TRUE);
  if (used)
    vg_session_cleared (self, used);
}

gboolean
vg_session_drop_regions (VgSession *self, gboolean other)
{
  VgDocument *document = self->document;
  gboolean changed = other && vg_document_leave_regions (document), used = FALSE;
  gboolean dropped = document->regions->len > 0;

  for (guint i = 0; i < document->regions->len; i++)
    {
      const VgParam *param = vg_session_find_mask_param (self, i);

      used |= move_param_regions (document, &region_at (self, i)->region, NULL) != NULL;
      if (param == NULL || !vg_param_parse (param, document->params, "", NULL))
        continue;
      vg_session_derive (document, param, TRUE);
      used = TRUE;
    }
  g_ptr_array_set_size (document->regions, 0);
  if (changed || dropped)
    vg_session_changed (self, VG_CHANGED_REGIONS | (used ? VG_CHANGED_PARAMS : 0), TRUE);
  return dropped;
}

const VgNamedRegion **
vg_session_list_regions (VgSession *self)
{
  guint n = vg_session_get_n_regions (self);
  const VgNamedRegion **regions = g_new0 (const VgNamedRegion *, n + 1);

  for (guint i = 0; i < n; i++)
    regions[i] = vg_session_get_region (self, i);
  return regions;
}
