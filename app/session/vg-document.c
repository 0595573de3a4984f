/* SPDX-License-Identifier: MIT */
/* A session's data for one operation. */
#include "app/session/vg-document.h"
#include "app/annotation/vg-annotation.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>
#include "kernels/shared/vg-colormap.h"
#include "app/session/vg-display.h"
#include "app/session/vg-session-fields.h"
#include "app/session/vg-settings-file.h"

/* Least opacity of measures of objects over the image: their colours are to be told apart. */
#define OBJECTS_OPACITY 0.6

/* Okabe and Ito's colours, told apart by every kind of eye. */
static const guint8 palette[][3] = {
  { 0xe6, 0x9f, 0x00 }, { 0x56, 0xb4, 0xe9 }, { 0x00, 0x9e, 0x73 }, { 0xf0, 0xe4, 0x42 },
  { 0xd5, 0x5e, 0x00 }, { 0xcc, 0x79, 0xa7 }, { 0x00, 0x72, 0xb2 }, { 0xff, 0xff, 0xff },
};

void
vg_named_region_free (gpointer data)
{
  VgNamedRegion *region = data;

  g_free (region->name);
  g_free (region);
}

/* The defaults of TABLE in FIELDS. */
static void
fields_init (const VgParamTable *table, void *fields)
{
  for (guint i = 0; i < table->n_items; i++)
    vg_param_set_number (&table->items[i], fields, table->items[i].def);
}

static void
display_init (VgDisplay *self, const VgOperation *operation, const VgDisplayHints *hints,
              gboolean brightness)
{
  fields_init (&vg_session_display_fields, self);
  self->auto_limits = hints->limits[0] == hints->limits[1];
  self->low = hints->limits[0];
  if (!self->auto_limits)
    self->high = hints->limits[1];
  self->log_scale = hints->log_scale;
  self->brightness = brightness;
  self->decades = hints->decades;
  self->underlay = operation->view.opacity > 0 && !hints->hide_underlay;
  if (operation->view.opacity > 0)
    self->opacity = operation->view.opacity;
  memset (self->invalid_rgb, 72, sizeof self->invalid_rgb);
  g_strlcpy (self->colormap, hints->colormap != NULL ? hints->colormap : "viridis",
             sizeof self->colormap);
}

VgDocument *
vg_document_new (const VgOperation *operation)
{
  VgDocument *self = g_new0 (VgDocument, 1);

  self->operation = operation;
  self->inputs = g_new0 (char *, 1);
  self->params = vg_params_new (&operation->params);
  self->given = vg_params_new (&operation->params);
  self->derived = g_new0 (gboolean, MAX (operation->params.n_items, 1));
  self->regions = g_ptr_array_new_with_free_func (vg_named_region_free);
  self->annotations = g_ptr_array_new_with_free_func (vg_annotation_free);
  fields_init (&vg_session_view_fields, &self->view);
  self->view.output = (int) operation->view.first_output;
  self->view.beside = VG_BESIDE_INPUT;
  self->view.wipe = 0.5;
  self->displays = g_new0 (VgDisplay, MAX (operation->n_outputs, 1));
  for (guint i = 0; i < MAX (operation->n_outputs, 1); i++)
    display_init (&self->displays[i], operation,
                  i < operation->n_outputs ? &operation->outputs[i].hints : &(VgDisplayHints){ 0 },
                  i < operation->n_outputs &&
                      vg_operation_get_role (operation, VG_ROLE_BRIGHTNESS,
                                             operation->outputs[i].id) != NULL);
  for (guint i = 0; i < operation->n_outputs; i++)
    if (vg_operation_get_role (operation, VG_ROLE_OBJECTS, operation->outputs[i].id) != NULL)
      self->displays[i].opacity = MAX (self->displays[i].opacity, OBJECTS_OPACITY);
  for (guint i = 0; i < G_N_ELEMENTS (self->compared); i++)
    display_init (
        &self->compared[i], operation,
        &(VgDisplayHints){ .colormap = "coolwarm",
                           .hide_underlay = TRUE,
                           .log_scale = VG_COMPARE_DIFFERENCE + (int) i == VG_COMPARE_RATIO },
        TRUE);
  return self;
}

void
vg_document_prefer (VgDocument *self, const char *from, const char *to)
{
  for (guint i = 0; i < self->operation->n_outputs; i++)
    {
      const char *hint = self->operation->outputs[i].hints.colormap;
      const VgColormap *own = vg_colormap_find (hint != NULL ? hint : "viridis");
      VgDisplay *display = &self->displays[i];

      if (own == NULL || own->diverging || self->operation->outputs[i].kind != VG_OUTPUT_MAP ||
          g_str_equal (own->id, "categories") || g_str_equal (own->id, "gray"))
        continue;
      if (g_str_equal (display->colormap, from != NULL ? from : own->id))
        g_strlcpy (display->colormap, to != NULL ? to : own->id, sizeof display->colormap);
    }
}

void
vg_document_free (VgDocument *self)
{
  if (!self)
    return;
  g_strfreev (self->inputs);
  g_free (self->read_options);
  g_free (self->checkpoint);
  g_free (self->mask);
  vg_params_free (&self->operation->params, self->params);
  vg_params_free (&self->operation->params, self->given);
  g_free (self->derived);
  g_ptr_array_unref (self->regions);
  g_ptr_array_unref (self->annotations);
  g_free (self->displays);
  g_free (self->before);
  g_free (self);
}

VgSettingsRun *
vg_document_load_settings (const VgDocument *self, const void *params)
{
  if (self->operation->import == NULL || self->inputs[0] == NULL)
    return NULL;
  return vg_settings_file_load_run (self->operation, (const char *const *) self->inputs, self->run,
                                    params, NULL);
}

static gboolean
regions_equal (const VgDocument *a, const VgDocument *b)
{
  if (a->regions->len != b->regions->len)
    return FALSE;
  for (guint i = 0; i < a->regions->len; i++)
    {
      const VgNamedRegion *p = a->regions->pdata[i], *q = b->regions->pdata[i];

      if (strcmp (p->name, q->name) != 0 || !vg_region_equal (&p->region, &q->region) ||
          memcmp (p->rgb, q->rgb, sizeof p->rgb) != 0 || p->selected != q->selected)
        return FALSE;
    }
  return TRUE;
}

static gboolean
annotations_equal (const VgDocument *a, const VgDocument *b)
{
  gboolean equal = a->annotations->len == b->annotations->len;

  for (guint i = 0; equal && i < a->annotations->len; i++)
    equal = vg_annotation_equal (a->annotations->pdata[i], b->annotations->pdata[i]);
  return equal;
}

const char *const vg_session_region_origins[] = { "drawn", "found", "adapted", NULL };

const char *const vg_session_pages[] = { "time_course", "regions", "pixel", "objects",
                                         "scatter",     "profile", NULL };

const char *
vg_document_find_page (const VgDocument *self, const char *text)
{
  for (const char *const *page = vg_session_pages; *page != NULL; page++)
    if (g_strcmp0 (*page, text) == 0)
      return *page;
  for (guint i = 0; i < self->operation->n_plots; i++)
    if (g_strcmp0 (self->operation->plots[i].id, text) == 0)
      return self->operation->plots[i].id;
  return NULL;
}

gboolean
vg_view_equal (const VgView *a, const VgView *b)
{
  return vg_params_equal (&vg_session_view_fields, a, b) && a->output == b->output &&
         a->compare == b->compare && a->layout == b->layout && a->beside == b->beside &&
         a->wipe == b->wipe && a->lens == b->lens && a->row == b->row && a->frame == b->frame &&
         g_strcmp0 (a->pages[0], b->pages[0]) == 0 && g_strcmp0 (a->pages[1], b->pages[1]) == 0;
}

gboolean
vg_display_equal (const VgDisplay *a, const VgDisplay *b)
{
  return vg_params_equal (&vg_session_display_fields, a, b) &&
         strcmp (a->colormap, b->colormap) == 0 && a->n_isolines == b->n_isolines &&
         memcmp (a->isolines, b->isolines, a->n_isolines * sizeof *a->isolines) == 0 &&
         memcmp (a->invalid_rgb, b->invalid_rgb, sizeof a->invalid_rgb) == 0;
}

guint
vg_document_compare (const VgDocument *a, const VgDocument *b)
{
  guint flags = 0;

  if (a->operation != b->operation)
    return VG_CHANGED_OPERATION | VG_CHANGED_INPUTS | VG_CHANGED_PARAMS | VG_CHANGED_REGIONS |
           VG_CHANGED_VIEW | VG_CHANGED_ANNOTATIONS;
  if (!g_strv_equal ((const char *const *) a->inputs, (const char *const *) b->inputs) ||
      g_strcmp0 (a->read_options, b->read_options) != 0 || a->run != b->run)
    flags |= VG_CHANGED_INPUTS;
  if (!vg_params_equal (&a->operation->params, a->params, b->params) ||
      !vg_params_equal (&a->operation->params, a->given, b->given))
    flags |= VG_CHANGED_PARAMS;
  if (!regions_equal (a, b))
    flags |= VG_CHANGED_REGIONS;
  if (!annotations_equal (a, b))
    flags |= VG_CHANGED_ANNOTATIONS;
  if (!vg_view_equal (&a->view, &b->view))
    flags |= VG_CHANGED_VIEW;
  for (guint i = 0; i < a->operation->n_outputs; i++)
    if (!vg_display_equal (&a->displays[i], &b->displays[i]))
      flags |= VG_CHANGED_VIEW;
  return flags;
}

static VgNamedRegion *
find_region (const VgDocument *self, const char *name)
{
  for (guint i = 0; i < self->regions->len; i++)
    {
      VgNamedRegion *region = self->regions->pdata[i];

      if (g_strcmp0 (region->name, name) == 0)
        return region;
    }
  return NULL;
}

void
vg_display_copy_input (VgDisplay *self, const VgDisplay *from)
{
  self->opacity = from->opacity;
  self->level = from->level;
  self->width = from->width;
}

void
vg_document_keep_view (VgDocument *self, const VgDocument *from)
{
  self->view = from->view;
  g_free (self->before);
  self->before = from->before != NULL ? g_memdup2 (from->before, sizeof (VgView)) : NULL;
  memcpy (self->compared, from->compared, sizeof self->compared);
  for (guint i = 0; i < G_N_ELEMENTS (self->compared); i++)
    vg_display_copy_input (&self->compared[i], &self->displays[0]); /* one for all, and undone */
  for (guint i = 0; i < self->regions->len; i++)
    {
      VgNamedRegion *region = self->regions->pdata[i];

      region->selected = FALSE;
      for (guint k = 0; k < from->regions->len; k++)
        if (((const VgNamedRegion *) from->regions->pdata[k])->id == region->id)
          region->selected = ((const VgNamedRegion *) from->regions->pdata[k])->selected;
    }
}

void
vg_document_keep_actions (VgDocument *self, const VgDocument *from)
{
  const VgParamTable *table = &self->operation->params;

  for (guint i = 0; i < table->n_items; i++)
    if (table->items[i].kind == VG_PARAM_ACTION)
      vg_param_set_number (&table->items[i], self->params,
                           vg_param_get_number (&table->items[i], from->params));
}

void
vg_document_keep_checkpoint (VgDocument *self, const VgDocument *from)
{
  g_free (self->checkpoint);
  self->checkpoint = g_strdup (from->checkpoint);
  g_free (self->mask);
  self->mask = g_strv_equal ((const char *const *) self->inputs, (const char *const *) from->inputs)
                   ? g_strdup (from->mask)
                   : NULL;
}

static gboolean
color_in_use (const VgDocument *self, const guint8 *rgb)
{
  for (guint i = 0; i < self->regions->len; i++)
    {
      const VgNamedRegion *region = self->regions->pdata[i];

      if (memcmp (region->rgb, rgb, 3) == 0)
        return TRUE;
    }
  return FALSE;
}

/* "Region N", the first that no other is called. */
static char *
unused_name (const VgDocument *self)
{
  for (guint number = 1;; number++)
    {
      g_autofree char *name = g_strdup_printf ("Region %u", number);

      if (!find_region (self, name))
        return g_steal_pointer (&name);
    }
}

void
vg_document_color_region (VgDocument *self, VgNamedRegion *named, guint32 rgb)
{
  guint color = 0;

  for (int i = 0; i < 3 && rgb != 0; i++)
    named->rgb[i] = (guint8) (rgb >> (16 - 8 * i));
  if (rgb != 0)
    return;
  while (color < G_N_ELEMENTS (palette) && color_in_use (self, palette[color]))
    color++;
  if (color == G_N_ELEMENTS (palette))
    color = self->regions->len % G_N_ELEMENTS (palette);
  memcpy (named->rgb, palette[color], 3);
}

VgNamedRegion *
vg_document_add_region (VgDocument *self, const VgRegion *region)
{
  VgNamedRegion *named = g_new0 (VgNamedRegion, 1);

  named->id = g_random_int (); /* random, because another run would repeat a count */
  named->name = unused_name (self);
  vg_document_color_region (self, named, 0);
  named->region = *region;
  g_ptr_array_add (self->regions, named);
  return named;
}

gboolean
vg_session_param_is_region (const VgParam *param, const void *params, const VgRegion *region)
{
  const void *member = (const char *) params + param->offset;

  if (param->kind == VG_PARAM_REGION)
    return vg_region_equal (*(VgRegion *const *) member, region);
  return param->kind == VG_PARAM_FILE && param->file.or_region && *(char *const *) member != NULL &&
         vg_region_has_text (region, *(char *const *) member);
}

/* Whether one of the operation's samples marks REGION. */
static gboolean
is_mark (const VgDocument *self, const VgRegion *region)
{
  const VgSynthetic *synthetic = self->operation->synthetic;
  gboolean found = FALSE;

  if (synthetic == NULL || synthetic->mark == NULL)
    return FALSE;
  for (int sample = 0; !found && synthetic->samples[sample].id != NULL; sample++)
    {
      VgSyntheticSize size = synthetic->live;
      const char *name;
      char *mark;

      size.sample = sample;
      for (guint i = 0; !found && (mark = synthetic->mark (&size, i, &name)) != NULL; i++)
        {
          found = vg_region_has_text (region, mark);
          g_free (mark);
        }
    }
  return found;
}

gboolean
vg_document_mark (VgDocument *self, const VgSyntheticSize *size)
{
  const VgSynthetic *synthetic = self->operation->synthetic;
  gboolean changed = FALSE;
  const char *name;
  char *text;

  if (synthetic == NULL || synthetic->mark == NULL)
    return FALSE;
  for (guint i = 0; (text = synthetic->mark (size, i, &name)) != NULL; i++)
    {
      VgRegion region;

      if (vg_region_parse (&region, text, NULL) && self->regions->len < VG_DOCUMENT_MAX_REGIONS)
        {
          VgNamedRegion *named = vg_document_add_region (self, &region);

          g_free (named->name);
          named->name = g_strdup (gettext (name));
          changed = TRUE;
        }
      g_free (text);
    }
  return changed;
}

gboolean
vg_document_leave_regions (VgDocument *self)
{
  const VgParamTable *table = &self->operation->params;
  gboolean changed = FALSE;

  for (guint i = self->regions->len; i-- > 0;)
    {
      VgNamedRegion *region = self->regions->pdata[i];
      gboolean used = is_mark (self, &region->region), named = FALSE;

      for (guint k = 0; k < table->n_items; k++)
        {
          used |= vg_session_param_is_region (&table->items[k], self->params, &region->region);
          named |= (table->items[k].file.or_region || table->items[k].kind == VG_PARAM_REGION) &&
                   strcmp (region->name, gettext (table->items[k].label)) == 0;
        }
      if (used)
        g_ptr_array_remove_index (self->regions, i);
      else if (named)
        {
          g_free (region->name);
          region->name = NULL;
          region->name = unused_name (self);
        }
      changed |= used || named;
    }
  return changed;
}

/* Clamps FIELDS to their ranges; what is not finite is copied from OLD. */
static void
clamp_fields (const VgParamTable *table, void *fields, const void *old)
{
  for (guint i = 0; i < table->n_items; i++)
    {
      double value = vg_param_get_number (&table->items[i], fields);

      if (isfinite (value))
        vg_param_set_number (&table->items[i], fields, value);
      else
        vg_param_assign (&table->items[i], fields, old);
    }
}

void
vg_document_clamp_view (const VgDocument *self, VgView *view)
{
  clamp_fields (&vg_session_view_fields, view, &self->view);
  view->output = CLAMP (view->output, 0, MAX ((int) self->operation->n_outputs, 1) - 1);
  view->compare = CLAMP (view->compare, VG_COMPARE_OFF, VG_COMPARE_RATIO);
  if (view->compare >= VG_COMPARE_DIFFERENCE && self->operation->n_outputs > 0 &&
      self->operation->outputs[view->output].kind == VG_OUTPUT_LABELS)
    view->compare = VG_COMPARE_OFF; /* numbers of objects have no difference */
  view->layout = CLAMP (view->layout, VG_LAYOUT_SINGLE, VG_LAYOUT_GRID);
  if (view->beside < VG_BESIDE_INPUT || view->beside >= (int) self->operation->n_outputs)
    view->beside = VG_BESIDE_INPUT;
  view->wipe = view->wipe >= 0 && view->wipe <= 1 ? view->wipe : 0.5;
  view->frame = MAX (view->frame, 0);
  view->row = MAX (view->row, 0);
  for (guint i = 0; i < G_N_ELEMENTS (view->pages); i++)
    view->pages[i] = vg_document_find_page (self, view->pages[i]);
}

void
vg_document_clamp_display (VgDisplay *display, const VgDisplay *old)
{
  clamp_fields (&vg_session_display_fields, display, old);
  display->colormap[sizeof display->colormap - 1] = '\0';
  if (!vg_colormap_find (display->colormap))
    g_strlcpy (display->colormap, old->colormap, sizeof display->colormap);
  vg_display_sort_isolines (display);
}

gboolean
vg_document_takes_region (const VgRegion *region)
{
  g_autofree char *text = NULL;
  VgRegion back;

  if (region->kind == VG_REGION_NONE || region->n_points < 1 ||
      region->n_points > VG_REGION_MAX_POINTS)
    return FALSE;
  text = vg_region_format (region);
  return vg_region_parse (&back, text, NULL);
}

VgDocument *
vg_documents_find (GPtrArray *documents, const VgOperation *operation)
{
  for (guint i = 0; i < documents->len; i++)
    {
      VgDocument *document = documents->pdata[i];

      if (document->operation == operation)
        return document;
    }
  return NULL;
}
