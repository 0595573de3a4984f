/* SPDX-License-Identifier: MIT */
/* Several slide regions: --region more than once, or --each-region. */
#include "app/cli/vg-command-run-private.h"
#include <math.h>

/* Whether a table of PARAMS has points, which are in pixels of one slide region. */
static const VgParam *
find_points (const VgParamTable *table, const void *params)
{
  for (guint i = 0; i < table->n_items; i++)
    {
      const VgParam *param = &table->items[i];
      const VgTable *points = param->kind == VG_PARAM_TABLE && param->table.points != 0
                                  ? G_STRUCT_MEMBER (VgTable *, params, param->offset)
                                  : NULL;

      if (points != NULL && points->rows > 0)
        return param;
    }
  return NULL;
}

/* The rectangle in READ_OPTIONS shares a pixel with that of an EARLIER region. */
static gboolean
overlaps (const VgReadOptions *read_options, const char *earlier)
{
  g_auto (VgReadOptions) other = { 0 };
  const VgRegion *a = read_options->region, *b;

  if (!vg_read_options_parse (&other, earlier, NULL) || a == NULL || other.region == NULL)
    return FALSE;
  b = other.region;
  return MIN (a->x[0], a->x[1]) < MAX (b->x[0], b->x[1]) &&
         MIN (b->x[0], b->x[1]) < MAX (a->x[0], a->x[1]) &&
         MIN (a->y[0], a->y[1]) < MAX (b->y[0], b->y[1]) &&
         MIN (b->y[0], b->y[1]) < MAX (a->y[0], a->y[1]);
}

static gboolean
add_region (VgRun *self, guint k, const char *text, GError **error)
{
  g_auto (VgReadOptions) options = { 0 };

  self->slide_regions[k] = vg_read_options_set (
      self->read_options, vg_params_find (&vg_read_options_table, "region"), text, error);
  if (self->slide_regions[k] == NULL ||
      !vg_read_options_parse (&options, self->slide_regions[k], error))
    return FALSE;
  for (guint i = 0; i < k; i++)
    if (overlaps (&options, self->slide_regions[i]))
      {
        g_set_error (error, VG_USAGE_ERROR, 0,
                     "slide regions %u and %u overlap, so objects in both would count twice; "
                     "choose regions that do not overlap",
                     i + 1, k + 1);
        return FALSE;
      }
  return TRUE;
}

/* The box around REGION, in whole pixels. */
static void
find_box (const VgRegion *region, double *x0, double *y0, double *x1, double *y1)
{
  const gboolean ellipse = region->kind == VG_REGION_ELLIPSE;

  *x0 = *x1 = region->x[0];
  *y0 = *y1 = region->y[0];
  for (int i = 1; i < region->n_points; i++)
    {
      *x0 = ellipse ? *x0 - region->x[i] : MIN (*x0, region->x[i]);
      *y0 = ellipse ? *y0 - region->y[i] : MIN (*y0, region->y[i]);
      *x1 = ellipse ? *x1 + region->x[i] : MAX (*x1, region->x[i]);
      *y1 = ellipse ? *y1 + region->y[i] : MAX (*y1, region->y[i]);
    }
  *x0 = floor (*x0);
  *y0 = floor (*y0);
  *x1 = ceil (*x1);
  *y1 = ceil (*y1);
}

/* The boxes around the regions of the session, which are in pixels of the slide region that it
 * shows, or of --rois, in pixels of the slide region that is read; as texts, owned. */
static char **
list_boxes (VgRun *self, const char *const *inputs, GError **error)
{
  const VgView *view = self->session != NULL ? vg_session_get_view (self->session) : NULL;
  const gboolean shown = view != NULL && view->part_scale > 0.0 &&
                         vg_arguments_get (self->arguments, "rois") == NULL;
  g_autoptr (GStrvBuilder) boxes = g_strv_builder_new ();
  g_autoptr (GPtrArray) named = NULL;
  g_autofree const VgNamedRegion **regions = NULL;
  g_autoptr (VgSource) source = NULL;
  double left, top, scale;
  int size[2] = { 0, 0 };

  source = vg_work_open_source (self->operation, self->params, inputs, self->read_options, NULL,
                                error);
  if (source == NULL ||
      !vg_run_take_regions (self, inputs, self->read_options, &named, &regions, size, error))
    return NULL;
  left = shown ? view->part_x : source->info.origin[0];
  top = shown ? view->part_y : source->info.origin[1];
  scale = shown ? view->part_scale : MAX (source->info.downsample, 1.0);
  for (guint i = 0; regions[i] != NULL; i++)
    {
      g_autofree char *box = NULL;
      double x0, y0, x1, y1;

      find_box (&regions[i]->region, &x0, &y0, &x1, &y1);
      box = g_strdup_printf ("%.0f,%.0f,%.0f,%.0f", left + scale * x0, top + scale * y0,
                             scale * (x1 - x0), scale * (y1 - y0));
      g_strv_builder_add (boxes, box);
    }
  return g_strv_builder_end (boxes);
}

gboolean
vg_run_take_slide_regions (VgRun *self, const char *const *inputs, GError **error)
{
  const gboolean each = vg_arguments_get (self->arguments, "each-region") != NULL;
  const char *const *given = vg_arguments_get_all (self->arguments, "region");
  const VgParam *points = find_points (&self->operation->params, self->params);
  g_autofree char *name = points != NULL ? vg_param_option_name (points) : NULL;
  g_auto (GStrv) boxes = NULL;

  if (!each && (given == NULL || given[1] == NULL))
    return TRUE;
  if (self->operation->tiled == NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "%s does not process slides, so it has no use for several slide regions; give one "
                 "--region, and omit --each-region",
                 self->operation->id);
  else if (each && given != NULL)
    g_set_error_literal (error, VG_USAGE_ERROR, 0,
                         "--region and --each-region both choose slide regions; omit one of them");
  else if (vg_arguments_get (self->arguments, "in-one-piece") != NULL)
    g_set_error_literal (error, VG_USAGE_ERROR, 0,
                         "several slide regions are processed in tiles; omit --in-one-piece, or "
                         "give one --region");
  else if (points != NULL)
    g_set_error (error, VG_USAGE_ERROR, 0,
                 "--%s is in pixels of one slide region, but there are several; give one --region, "
                 "or use a seed file in pixels of the slide",
                 name);
  else if (!each || (boxes = list_boxes (self, inputs, error)) != NULL)
    {
      const char *const *texts = each ? (const char *const *) boxes : given;

      self->slide_regions = g_new0 (char *, g_strv_length ((char **) texts) + 1);
      for (guint k = 0; texts[k] != NULL; k++)
        if (!add_region (self, k, texts[k], error))
          return FALSE;
      if (texts[0] != NULL)
        return TRUE;
      g_set_error_literal (error, VG_USAGE_ERROR, 0,
                           "--each-region needs regions; draw them and save the session, or name a "
                           "file with --rois");
    }
  return FALSE;
}
