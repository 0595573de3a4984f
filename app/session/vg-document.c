/* SPDX-License-Identifier: MIT */
/* A session's data for one operation. */
#include "app/session/vg-document.h"

#include <math.h>
#include <string.h>
#include "kernels/shared/vg-colormap.h"
#include "app/session/vg-display.h"
#include "app/session/vg-settings-file.h"

/* Okabe and Ito's colours, told apart by every kind of eye. */
static const guint8 palette[][3] = {
  { 0xe6, 0x9f, 0x00 }, { 0x56, 0xb4, 0xe9 }, { 0x00, 0x9e, 0x73 }, { 0xf0, 0xe4, 0x42 },
  { 0xd5, 0x5e, 0x00 }, { 0xcc, 0x79, 0xa7 }, { 0x00, 0x72, 0xb2 }, { 0xff, 0xff, 0xff },
};

static void
named_region_free (gpointer data)
{
  VgNamedRegion *region = data;

  g_free (region->name);
  g_free (region);
}

static void
display_init (VgDisplay *self, const VgOperation *operation, const VgDisplayHints *hints,
              gboolean brightness)
{
  *self = (VgDisplay){
    .auto_limits = hints->limits[0] == hints->limits[1],
    .auto_low_percent = 1,
    .auto_high_percent = 99,
    .low = hints->limits[0],
    .high = hints->limits[0] != hints->limits[1] ? hints->limits[1] : 1,
    .gamma = 1,
    .log_scale = hints->log_scale,
    .brightness = brightness,
    .decades = hints->decades,
    .underlay = operation->view.opacity > 0 && !hints->hide_underlay,
    .opacity = operation->view.opacity > 0 ? operation->view.opacity : 0.6,
    .invalid_rgb = { 72, 72, 72 },
  };
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
  self->regions = g_ptr_array_new_with_free_func (named_region_free);
  self->view.output = (int) operation->view.first_output;
  self->view.playback_fps = 25;
  self->view.loop = TRUE;
  self->view.axes = TRUE;
  self->view.proportions = TRUE;
  self->view.overlay = self->view.outlines = TRUE;
  self->view.outline_width = 1.5;
  self->displays = g_new0 (VgDisplay, MAX (operation->n_outputs, 1));
  for (guint i = 0; i < MAX (operation->n_outputs, 1); i++)
    display_init (&self->displays[i], operation,
                  i < operation->n_outputs ? &operation->outputs[i].hints : &(VgDisplayHints){ 0 },
                  i < operation->n_outputs &&
                      vg_operation_get_role (operation, VG_ROLE_BRIGHTNESS,
                                             operation->outputs[i].id) != NULL);
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
vg_document_free (VgDocument *self)
{
  if (!self)
    return;
  g_strfreev (self->inputs);
  g_free (self->read_options);
  g_free (self->checkpoint);
  vg_params_free (&self->operation->params, self->params);
  vg_params_free (&self->operation->params, self->given);
  g_free (self->derived);
  g_ptr_array_unref (self->regions);
  g_free (self->displays);
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

const char *const vg_session_pages[] = { "time_course", "regions", "pixel", "objects", NULL };

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
  return a->zoom == b->zoom && a->center_x == b->center_x && a->center_y == b->center_y &&
         a->output == b->output && a->compare == b->compare && a->frame == b->frame &&
         a->slice == b->slice && a->playback_fps == b->playback_fps && a->loop == b->loop &&
         a->smooth == b->smooth && a->mosaic == b->mosaic && a->as_stored == b->as_stored &&
         a->length_unit == b->length_unit && a->proportions == b->proportions &&
         a->axes == b->axes && a->overlay == b->overlay && a->part_x == b->part_x &&
         a->part_y == b->part_y && a->part_scale == b->part_scale && a->outlines == b->outlines &&
         a->outline_width == b->outline_width && a->other_outlines == b->other_outlines &&
         a->underlay_frame == b->underlay_frame && g_strcmp0 (a->page, b->page) == 0;
}

gboolean
vg_display_equal (const VgDisplay *a, const VgDisplay *b)
{
  return strcmp (a->colormap, b->colormap) == 0 && a->auto_limits == b->auto_limits &&
         a->auto_low_percent == b->auto_low_percent &&
         a->auto_high_percent == b->auto_high_percent && a->low == b->low && a->high == b->high &&
         a->gamma == b->gamma && a->log_scale == b->log_scale && a->reversed == b->reversed &&
         a->brightness == b->brightness && a->decades == b->decades && a->underlay == b->underlay &&
         a->opacity == b->opacity && a->n_isolines == b->n_isolines &&
         memcmp (a->isolines, b->isolines, a->n_isolines * sizeof *a->isolines) == 0 &&
         memcmp (a->invalid_rgb, b->invalid_rgb, sizeof a->invalid_rgb) == 0;
}

guint
vg_document_compare (const VgDocument *a, const VgDocument *b)
{
  guint flags = 0;

  if (a->operation != b->operation)
    return VG_CHANGED_OPERATION | VG_CHANGED_INPUTS | VG_CHANGED_PARAMS | VG_CHANGED_REGIONS |
           VG_CHANGED_VIEW;
  if (!g_strv_equal ((const char *const *) a->inputs, (const char *const *) b->inputs) ||
      g_strcmp0 (a->read_options, b->read_options) != 0 || a->run != b->run)
    flags |= VG_CHANGED_INPUTS;
  if (!vg_params_equal (&a->operation->params, a->params, b->params) ||
      !vg_params_equal (&a->operation->params, a->given, b->given))
    flags |= VG_CHANGED_PARAMS;
  if (!regions_equal (a, b))
    flags |= VG_CHANGED_REGIONS;
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
vg_document_keep_view (VgDocument *self, const VgDocument *from)
{
  self->view = from->view;
  memcpy (self->compared, from->compared, sizeof self->compared);
  for (guint i = 0; i < G_N_ELEMENTS (self->compared); i++)
    self->compared[i].opacity = self->displays[0].opacity; /* one for all, and undone */
  for (guint i = 0; i < self->regions->len; i++)
    {
      VgNamedRegion *region = self->regions->pdata[i];
      const VgNamedRegion *old = find_region (from, region->name);

      region->selected = old && old->selected;
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

  named->name = unused_name (self);
  vg_document_color_region (self, named, 0);
  named->region = *region;
  g_ptr_array_add (self->regions, named);
  return named;
}

gboolean
vg_session_param_is_region (const VgParam *param, const void *params, const char *region)
{
  g_autofree char *text = param->kind == VG_PARAM_REGION || param->file.or_region
                              ? vg_param_format (param, params)
                              : NULL;

  return text != NULL && *text != '\0' && strcmp (text, region) == 0;
}

gboolean
vg_document_leave_regions (VgDocument *self)
{
  const VgParamTable *table = &self->operation->params;
  gboolean changed = FALSE;

  for (guint i = self->regions->len; i-- > 0;)
    {
      VgNamedRegion *region = self->regions->pdata[i];
      g_autofree char *text = vg_region_format (&region->region);
      gboolean used = FALSE, named = FALSE;

      for (guint k = 0; k < table->n_items; k++)
        {
          used |= vg_session_param_is_region (&table->items[k], self->params, text);
          named |= (table->items[k].file.or_region || table->items[k].kind == VG_PARAM_REGION) &&
                   strcmp (region->name, table->items[k].label) == 0;
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

static double
finite_or (double value, double otherwise)
{
  return isfinite (value) ? value : otherwise;
}

void
vg_document_clamp_view (const VgDocument *self, VgView *view)
{
  view->zoom = CLAMP (finite_or (view->zoom, 0), 0, 1e6);
  view->center_x = CLAMP (finite_or (view->center_x, 0), -1e300, 1e300);
  view->center_y = CLAMP (finite_or (view->center_y, 0), -1e300, 1e300);
  view->part_x = CLAMP (finite_or (view->part_x, 0), -1e300, 1e300);
  view->part_y = CLAMP (finite_or (view->part_y, 0), -1e300, 1e300);
  view->part_scale = CLAMP (finite_or (view->part_scale, 0), 0, 1e6);
  view->loop = view->loop != FALSE;
  view->smooth = view->smooth != FALSE;
  view->mosaic = view->mosaic != FALSE;
  view->as_stored = view->as_stored != FALSE;
  view->proportions = view->proportions != FALSE;
  view->axes = view->axes != FALSE;
  view->overlay = view->overlay != FALSE;
  view->outlines = view->outlines != FALSE;
  view->other_outlines = view->other_outlines != FALSE;
  view->outline_width = CLAMP (finite_or (view->outline_width, 1.5), 0.5, 10);
  view->length_unit = CLAMP (view->length_unit, VG_LENGTH_OWN, VG_LENGTH_CM);
  view->output = CLAMP (view->output, 0, MAX ((int) self->operation->n_outputs, 1) - 1);
  view->compare = CLAMP (view->compare, VG_COMPARE_OFF, VG_COMPARE_RATIO);
  view->frame = MAX (view->frame, 0);
  view->slice = MAX (view->slice, 0);
  view->underlay_frame = MAX (view->underlay_frame, 0);
  view->page = vg_document_find_page (self, view->page);
  view->playback_fps = CLAMP (finite_or (view->playback_fps, 0), 0, 1e6);
}

void
vg_document_clamp_display (VgDisplay *display, const VgDisplay *old)
{
  display->colormap[sizeof display->colormap - 1] = '\0';
  if (!vg_colormap_find (display->colormap))
    g_strlcpy (display->colormap, old->colormap, sizeof display->colormap);
  display->auto_limits = display->auto_limits != FALSE;
  display->log_scale = display->log_scale != FALSE;
  display->reversed = display->reversed != FALSE;
  display->auto_low_percent = CLAMP (finite_or (display->auto_low_percent, old->auto_low_percent),
                                     0, 100);
  display->auto_high_percent = CLAMP (
      finite_or (display->auto_high_percent, old->auto_high_percent), 0, 100);
  display->low = CLAMP (finite_or (display->low, old->low), -1e300, 1e300);
  display->high = CLAMP (finite_or (display->high, old->high), -1e300, 1e300);
  display->gamma = CLAMP (finite_or (display->gamma, old->gamma), 0.01, 100);
  display->brightness = display->brightness != FALSE;
  display->decades = display->decades != FALSE;
  display->underlay = display->underlay != FALSE;
  display->opacity = CLAMP (finite_or (display->opacity, old->opacity), 0, 1);
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
