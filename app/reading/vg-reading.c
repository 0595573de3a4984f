/* SPDX-License-Identifier: MIT */
#include "app/reading/vg-reading.h"
#include <math.h>
#include "app/compute/vg-followed-regions.h"
#include "app/reading/vg-region-check.h"

/* Where values come from: a pixel, or a region. */
typedef struct
{
  VgWork *work;
  const VgPlane *size; /* outputs of this size have values there */
  const int *xyz;      /* NULL: a region */
  VgFollowedRegions *region;
  const float *sums; /* one for each output, of the region's sum; NULL: the means of its pixels */
} Place;

static gboolean
is_shown (VgWork *work, guint i)
{
  const VgOperation *operation = vg_work_get_operation (work);

  return operation->outputs[i].kind != VG_OUTPUT_TEXT && !operation->outputs[i].view_only &&
         vg_operation_output_is_shown (operation, i, vg_work_get_params (work));
}

int
vg_reading_find_error (VgWork *work, guint i)
{
  const VgOperation *operation = vg_work_get_operation (work);
  int named = vg_operation_find_role (operation, VG_ROLE_ERROR, operation->outputs[i].id);
  g_autofree char *id = g_strconcat (operation->outputs[i].id, "_error", NULL);
  int error = named >= 0 ? named : vg_operation_find_output (operation, id);

  if (error < 0 || !is_shown (work, (guint) error))
    return -1;
  for (guint other = 0; other < operation->n_outputs && named < 0; other++)
    if (other != i && is_shown (work, other) &&
        vg_operation_find_role (operation, VG_ROLE_ERROR, operation->outputs[other].id) == error)
      return -1;
  return error;
}

gboolean
vg_reading_is_error (VgWork *work, guint i)
{
  const VgOperation *operation = vg_work_get_operation (work);

  for (guint other = 0; other < operation->n_outputs; other++)
    if (other != i && is_shown (work, other) && vg_reading_find_error (work, other) == (int) i)
      return TRUE;
  return FALSE;
}

/* Sets the mean in *STATISTICS to the value of output I.  If the place is a region, sets the other
 * statistics too.  FALSE: these settings do not compute the output there, or an error. */
static gboolean
read_value (const Place *place, guint i, VgRegionStatistics *statistics, GError **error)
{
  const VgCuda *cuda = vg_work_get_cuda (place->work);
  VgPlane plane;
  float sample;

  *statistics = VG_REGION_STATISTICS_NONE;
  if (place->sums != NULL)
    {
      statistics->mean = (double) place->sums[i];
      return TRUE;
    }
  if (!vg_work_output (place->work, i, &plane, error) || plane.width != place->size->width ||
      plane.height != place->size->height || plane.slices != place->size->slices)
    return FALSE;
  if (place->xyz != NULL)
    {
      if (!vg_work_probe (place->work, i, place->xyz, &sample, error))
        return FALSE;
      statistics->mean = (double) sample;
      return TRUE;
    }
  return vg_work_measure_region (place->work, i, &plane, place->region, 0, statistics, error) &&
         vg_followed_regions_add_quartiles (place->region, 0, &plane, cuda, TRUE, FALSE, statistics,
                                            error);
}

const char *
vg_reading_find_category (const VgOutput *output, const VgPlane *plane, const VgRegion *region,
                          double *fraction)
{
  guint n_words = g_strv_length ((GStrv) output->hints.categories), most = 0;
  g_autofree gsize *counts = g_new0 (gsize, n_words + 1);
  const VgPlane whole = vg_region_plane (region, plane);
  gsize slice = (gsize) CLAMP (region->slice, 0, MAX (whole.slices, 1) - 1), valid = 0;
  const float *labels = plane->data + slice * (gsize) whole.width * (gsize) whole.height;
  g_autofree guint8 *mask = NULL;
  VgRegionCover at;

  *fraction = NAN;
  if (!vg_region_cover (region, plane, &at))
    return NULL;
  mask = at.mask;
  if (mask == NULL)
    return NULL;
  for (int y = at.y0; y < at.y1; y++)
    for (int x = at.x0; x < at.x1; x++)
      {
        float label = labels[(gsize) y * (gsize) whole.width + (gsize) x];

        if (mask[(gsize) (y - at.y0) * (gsize) (at.x1 - at.x0) + (gsize) (x - at.x0)] == 0 ||
            !isfinite (label))
          continue;
        valid++;
        if (label >= 0 && label < n_words)
          counts[(guint) label]++;
      }
  for (guint word = 1; word < n_words; word++)
    if (counts[word] > counts[most])
      most = word;
  if (counts[most] == 0)
    return NULL;
  *fraction = (double) counts[most] / (double) valid;
  return output->hints.categories[most];
}

/* Sets the words of a label output, if there are any; FALSE: an error. */
static gboolean
find_words (const Place *place, guint i, VgReadingItem *item, GError **error)
{
  const VgOutput *output = &vg_work_get_operation (place->work)->outputs[i];
  const char *const *words = output->hints.categories;
  g_autofree float *owned = NULL;
  GError *local = NULL;
  VgPlane plane;

  if (place->xyz != NULL)
    {
      item->fraction = 1;
      if (item->value >= 0 && item->value < g_strv_length ((GStrv) words))
        item->word = words[(guint) item->value];
    }
  else if (place->region != NULL)
    {
      item->value = NAN;
      if (vg_work_output (place->work, i, &plane, &local) &&
          vg_work_copy_to_host (place->work, &plane, &owned, &local))
        item->word = vg_reading_find_category (
            output, &plane, vg_followed_regions_get (place->region, 0), &item->fraction);
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

double
vg_reading_convert_error (VgWork *work, guint i, guint error, double value, double given)
{
  const VgOperation *operation = vg_work_get_operation (work);
  const void *params = vg_work_get_params (work);

  return g_strcmp0 (vg_operation_output_unit (operation, error, params), "%") == 0 &&
                 g_strcmp0 (vg_operation_output_unit (operation, i, params), "%") != 0
             ? fabs (value) * given / 100
             : given;
}

static gboolean
add_item (VgReading *self, const Place *place, guint i, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (place->work);
  const VgOutput *output = &operation->outputs[i];
  int of_error = vg_reading_find_error (place->work, i);
  VgReadingItem item = {
    .id = output->id,
    .label = output->hints.instance != NULL
                 ? output->hints.instance
                 : vg_operation_output_label (operation, i, vg_work_get_params (place->work)),
    .unit = vg_operation_output_unit (operation, i, vg_work_get_params (place->work)),
    .error = NAN,
    .median = NAN,
    .q25 = NAN,
    .q75 = NAN
  };
  gboolean labels = output->kind == VG_OUTPUT_LABELS;
  GError *local = NULL;
  VgRegionStatistics found, of;

  if (labels && output->hints.categories == NULL && place->xyz == NULL)
    return TRUE; /* the mean of the numbers of objects means nothing */
  if (!read_value (place, i, &found, &local))
    {
      if (local != NULL)
        g_propagate_error (error, local);
      return local == NULL;
    }
  /* 0 is no object */
  item.value = output->hints.instance != NULL && found.mean == 0 ? NAN : found.mean;
  item.error = found.sd;
  if (labels && output->hints.categories != NULL)
    {
      if (!find_words (place, i, &item, error))
        return FALSE;
      if (item.word != NULL)
        g_array_append_val (self->items, item);
      return TRUE;
    }
  if (isnan (found.sd) && of_error >= 0 && read_value (place, (guint) of_error, &of, &local))
    item.error = vg_reading_convert_error (place->work, i, (guint) of_error, item.value, of.mean);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  /* Rings have no median here, because only their mean times the volume is the total.  A stream has
   * none, because its time courses, alarm and theatre mode show the mean. */
  if (operation->input.kind != VG_INPUT_STREAM &&
      vg_operation_get_role (operation, VG_ROLE_NUMERATOR, output->id) == NULL &&
      !place->size->mirrored && vg_region_statistics_is_skewed (&found))
    {
      item.median = found.median;
      item.q25 = found.q25;
      item.q75 = found.q75;
    }
  g_array_append_val (self->items, item);
  return TRUE;
}

static VgReading *
read_place (const Place *place, GError **error)
{
  const VgOperation *operation = vg_work_get_operation (place->work);
  g_autoptr (VgReading) self = g_new0 (VgReading, 1);

  self->items = g_array_new (FALSE, FALSE, sizeof (VgReadingItem));
  self->region = place->xyz == NULL;
  self->summed = place->sums != NULL;
  for (guint i = 0; i < operation->n_outputs; i++)
    if (is_shown (place->work, i) && !vg_reading_is_error (place->work, i) &&
        !add_item (self, place, i, error))
      return NULL;
  return g_steal_pointer (&self);
}

static gboolean
find_size (VgWork *work, guint i, VgPlane *size, GError **error)
{
  GError *local = NULL;

  if (i < vg_work_get_operation (work)->n_outputs && vg_work_output (work, i, size, &local))
    return TRUE;
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED,
                         "there is no such map yet");
  return FALSE;
}

VgReading *
vg_reading_new_pixel (VgWork *work, guint i, double x, double y, int slice, GError **error)
{
  const int xyz[] = { (int) floor (x), (int) floor (y), slice };
  VgPlane size;
  Place place = { .work = work, .size = &size, .xyz = xyz };
  float sample;

  return find_size (work, i, &size, error) && vg_work_probe (work, i, xyz, &sample, error)
             ? read_place (&place, error)
             : NULL;
}

/* Puts the figures that CURVES (NULL: none) have for a region first, each with its standard error:
 * of its objects, or the size of a sum. */
static void
add_figures (VgReading *self, const VgCurves *curves)
{
  const VgMetrics *metrics = curves != NULL ? curves->metrics : NULL;
  guint at = 0;

  for (guint k = 0; metrics != NULL && k < metrics->items->len; k++)
    {
      const VgMetric *metric = &g_array_index (metrics->items, VgMetric, k),
                     *error = vg_metrics_find_error (metrics, metric);
      VgReadingItem item = { .id = metric->id,
                             .label = metric->label,
                             .unit = metric->unit,
                             .figure = TRUE,
                             .value = metric->value,
                             .error = error != NULL ? error->value : NAN,
                             .median = NAN,
                             .q25 = NAN,
                             .q75 = NAN };

      if (vg_metrics_is_shown (metrics, metric))
        g_array_insert_val (self->items, at++, item);
    }
}

VgReading *
vg_reading_new_region (VgWork *work, guint i, const VgRegion *region, GError **error)
{
  GError *local = NULL;
  g_autoptr (VgCurves) curves = vg_work_sample_region (work, region, &local);
  VgRegionStatistics statistics;
  VgPlane size;
  Place place = { .work = work,
                  .size = &size,
                  .region = vg_followed_regions_new (region, 1),
                  .sums = curves != NULL ? curves->outputs : NULL };
  VgReading *self = NULL;

  if (local != NULL)
    g_propagate_error (error, local);
  else if (find_size (work, i, &size, error) &&
           vg_followed_regions_compute (place.region, 0, &size, vg_work_get_cuda (work), 0,
                                        &statistics, error))
    self = read_place (&place, error);
  if (self != NULL)
    {
      self->rings = size.mirrored;
      self->pixels = statistics.valid;
      self->missing = statistics.invalid;
      self->counted = curves != NULL && curves->outputs == NULL && curves->metrics != NULL &&
                      vg_operation_find_objects (vg_work_get_operation (work)) >= 0;
      add_figures (self, curves);
      self->remark = vg_region_check_new (work, &region, 1, curves, &local);
    }
  if (local != NULL && self != NULL)
    {
      g_propagate_error (error, local);
      g_clear_pointer (&self, vg_reading_free);
    }
  vg_followed_regions_free (place.region);
  return self;
}

VgReading *
vg_reading_new_regions (VgWork *work, guint i, const VgRegion *const *regions, guint n,
                        GError **error)
{
  GError *local = NULL;
  g_autoptr (VgCurves) curves = vg_work_sample_regions (work, regions, n, &local);
  const VgOperation *operation = vg_work_get_operation (work);
  g_autofree float *none = g_new (float, operation->n_outputs);
  VgPlane size;
  Place place = { .work = work, .size = &size };
  VgReading *self = NULL;

  if (local != NULL)
    g_propagate_error (error, local);
  if (local != NULL || operation->cpu->curves == NULL ||
      operation->cpu->curves->sample_regions == NULL || !find_size (work, i, &size, error))
    return NULL;
  for (guint k = 0; k < operation->n_outputs; k++)
    none[k] = NAN;
  place.sums = curves != NULL && curves->outputs != NULL ? curves->outputs : none;
  self = read_place (&place, error);
  for (guint k = 0; self != NULL && k < n; k++)
    {
      VgFollowedRegions *one = vg_followed_regions_new (regions[k], 1);
      VgRegionStatistics statistics;

      if (vg_followed_regions_compute (one, 0, &size, vg_work_get_cuda (work), 0, &statistics,
                                       error))
        {
          self->pixels += statistics.valid;
          self->missing += statistics.invalid;
        }
      else
        g_clear_pointer (&self, vg_reading_free);
      vg_followed_regions_free (one);
    }
  if (self == NULL)
    return NULL;
  add_figures (self, curves);
  self->remark = vg_region_check_new (work, regions, n, curves, &local);
  if (local == NULL)
    return self;
  g_propagate_error (error, local);
  vg_reading_free (self);
  return NULL;
}

void
vg_reading_free (VgReading *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->items);
  g_free (self->remark);
  g_free (self);
}
