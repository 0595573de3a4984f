/* SPDX-License-Identifier: MIT */
#include "ui/theatre/vg-key-number.h"
#include "app/reading/vg-reading.h"
#include "app/region/vg-region-file.h"
#include "ui/common/vg-number-format.h"
#include "ui/layers/vg-region-shape.h"
#include "ui/words/vg-translation.h"
#include <math.h>

#define LARGE_PERCENT 1

/* FALSE: it was drawn on larger data. */
static gboolean
reaches (const VgRegion *region, double width, double height)
{
  VgPoint low, high;

  vg_region_shape_box (region, &low, &high);
  return low.x < width && low.y < height && high.x > 0 && high.y > 0;
}

gboolean
vg_key_number_has_region (VgSession *session, double width, double height)
{
  for (guint i = 0; i < vg_session_get_n_regions (session); i++)
    if (reaches (&vg_session_get_region (session, i)->region, width, height))
      return TRUE;
  return FALSE;
}

/* The parameter that region I is the value of, or that it is named after, as an imported one is;
 * NULL: none. */
static const VgParam *
find_role (VgSession *session, guint i)
{
  const VgParamTable *table = &vg_session_get_operation (session)->params;
  const VgParam *param = vg_session_find_region_param (session, i);
  g_autofree char *label = vg_region_file_label (vg_session_get_region (session, i));

  for (guint k = 0; param == NULL && k < table->n_items; k++)
    if (table->items[k].kind == VG_PARAM_FILE &&
        table->items[k].file.or_region != VG_FILE_NO_REGION &&
        (g_str_equal (label, table->items[k].label) ||
         g_str_equal (label, vg_translate (table->items[k].label))))
      param = &table->items[k];
  return param;
}

/* How well the value of region I stands for the data: 0 of an input, in which no fit means
 * anything, 1 of the place of the fits, 2 of another region. */
static int
get_rank (VgSession *session, guint i)
{
  const VgParam *param = find_role (session, i);

  if (param == NULL || param->kind != VG_PARAM_FILE)
    return 2;
  return param->file.or_region == VG_FILE_REGION_COLUMN ? 1 : 0;
}

/* Index of the region to read: the selected one, or else the first of the highest rank, if possible
 * one that has a value; -1: there are only inputs. */
static int
find_region (const VgResult *result, VgSession *session)
{
  int best = -1, most = 0;

  guint n = MIN (result->n_regions, vg_session_get_n_regions (session));
  const VgPlane *plane = &result->plane;

  if (plane->data != NULL && !vg_key_number_has_region (session, plane->width, plane->height))
    return -1;
  for (guint i = 0; i < n; i++)
    if (vg_session_get_region (session, i)->selected)
      return (int) i;
  for (guint i = 0; i < n; i++)
    {
      int rank = get_rank (session, i);
      gboolean valued = isfinite (result->regions[i].statistics.mean);

      if (rank > 0 && 2 * valued + rank > most)
        {
          most = 2 * valued + rank;
          best = (int) i;
        }
    }
  return best;
}

char *
vg_key_number_name_compared (const char *name, VgCompare compare)
{
  return compare == VG_COMPARE_OFF
             ? g_strdup (name)
             : g_strdup_printf (compare == VG_COMPARE_KEPT         ? _ ("%s, kept")
                                : compare == VG_COMPARE_DIFFERENCE ? _ ("%s, now \342\210\222 kept")
                                                                   : _ ("%s, now / kept"),
                                name);
}

/* Sets VALUE of output I, which is called NAME, in REGION; -1: of the whole map.  The key has the
 * region's id, not its name or its place in the list, which change. */
static void
set_value (VgKeyNumber *self, const VgResult *result, VgSession *session, int i, double value,
           const char *name, VgCompare compare, int region)
{
  const VgNamedRegion *named = region >= 0 ? vg_session_get_region (session, (guint) region) : NULL;

  self->value = value;
  self->help = result->operation->outputs[i].help;
  self->unit = compare == VG_COMPARE_RATIO
                   ? ""
                   : vg_operation_output_unit (result->operation, (guint) i,
                                               vg_session_get_params (session));
  self->name = named != NULL ? g_strdup_printf ("%s, %s", name, named->name) : g_strdup (name);
  self->key = g_strdup_printf ("%s/%s/%d/%" G_GINT64_FORMAT, result->operation->id,
                               result->operation->outputs[i].id, (int) compare,
                               named != NULL ? (gint64) named->id : -1);
}

/* Sets what the value is a statistic of. */
static void
set_spread (VgKeyNumber *self, const VgRegionStatistics *statistics, gboolean median,
            gboolean volume)
{
  self->with_spread = median ? vg_format_with_quartiles (statistics->median, statistics->q25,
                                                         statistics->q75)
                             : vg_format_with_error (statistics->mean, statistics->sd);
  if (statistics->valid == 1)
    self->statistic = g_strdup (volume ? _ ("One voxel has a value") : _ ("One pixel has a value"));
  else
    self->statistic = g_strdup_printf (median ? volume ? _ ("Median (quartiles) of %lu voxels")
                                                       : _ ("Median (quartiles) of %lu pixels")
                                       : volume
                                           ? _ ("Mean \302\261 standard deviation of %lu voxels")
                                           : _ ("Mean \302\261 standard deviation of %lu pixels"),
                                       (gulong) statistics->valid);
}

/* Reads the shown map: the median if the values are skewed, as in the card of the region.  Of a
 * region of a stream always the mean, which the time course and the alarm of `run` also take. */
static void
read_statistics (VgKeyNumber *self, const VgResult *result, VgSession *session,
                 const VgRegionStatistics *statistics, int region)
{
  const VgOutput *output = &result->operation->outputs[result->output];
  g_autofree char *label = vg_key_number_name_compared (
      vg_translate (vg_operation_output_label (result->operation, (guint) result->output,
                                               vg_session_get_params (session))),
      result->compare);
  gboolean is_ratio = vg_operation_get_role (result->operation, VG_ROLE_NUMERATOR, output->id) !=
                      NULL,
           median = !is_ratio && !result->plane.mirrored &&
                    (region < 0 || result->operation->input.kind != VG_INPUT_STREAM) &&
                    vg_region_statistics_is_skewed (statistics);
  g_autofree char *name = median ? g_strdup_printf (_ ("%s, median"), label) : g_strdup (label);

  set_value (self, result, session, result->output,
             statistics->valid == 0 ? NAN
             : median               ? statistics->median
                                    : statistics->mean,
             name, result->compare, region);
  if (isfinite (self->value) && !is_ratio && !result->plane.mirrored)
    set_spread (self, statistics, median, result->plane.slices > 1);
}

/* The button of OPERATION that sets the baseline. */
const VgParam *
vg_key_number_find_baseline (const VgOperation *operation)
{
  if (vg_operation_get_role (operation, VG_ROLE_BASELINE, NULL) == NULL)
    return NULL;
  for (guint i = 0; i < operation->params.n_items; i++)
    if (operation->params.items[i].kind == VG_PARAM_ACTION)
      return &operation->params.items[i];
  return NULL;
}

/* TRUE: values relative to the baseline are expected, although there may be none: the user has set
 * the baseline, or is asked to set it again. */
static gboolean
expects_baseline (const VgResult *result, VgSession *session, int baseline)
{
  const VgParam *button = vg_key_number_find_baseline (result->operation);

  if (button == NULL || !vg_operation_output_is_shown (result->operation, (guint) baseline,
                                                       vg_session_get_params (session)))
    return FALSE;
  for (guint i = 0; result->metrics != NULL && i < result->metrics->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (result->metrics->items, VgMetric, i);

      if (metric->value == 0 && (metric->flags & VG_NUMBER_GRAVE) &&
          g_strcmp0 (metric->setting, button->id) == 0)
        return TRUE;
    }
  return vg_param_get_number (button, vg_session_get_params (session)) > 0;
}

/* Reads of VALUES the mean that the table, the time course and the alarm of `run` also give, where
 * it is RELATIVE to the baseline.  The relative value is that of the current result, so it is not
 * read for a kept map. */
static void
read_values (VgKeyNumber *self, const VgResult *result, VgSession *session,
             const VgRegionResult *values, gboolean relative, int region)
{
  const VgOperation *operation = result->operation;
  int baseline = vg_operation_find_role (operation, VG_ROLE_BASELINE,
                                         operation->outputs[result->output].id);

  if (relative && result->compare != VG_COMPARE_KEPT && baseline >= 0 &&
      (isfinite (values->of_baseline) || expects_baseline (result, session, baseline)))
    set_value (self, result, session, baseline, values->of_baseline,
               vg_translate (operation->outputs[baseline].label), VG_COMPARE_OFF, region);
  else
    read_statistics (self, result, session, &values->statistics, region);
}

/* The output numbers or measures objects, so that its mean over pixels says nothing. */
static gboolean
has_objects (const VgResult *result)
{
  const VgOutput *output = &result->operation->outputs[result->output];

  return output->kind != VG_OUTPUT_MAP ||
         vg_operation_get_role (result->operation, VG_ROLE_OBJECTS, output->id) != NULL;
}

/* FALSE: the shown output has no meaningful mean.  The whole map is relative to a baseline that the
 * user has set, not to the first maps. */
static gboolean
read_whole (VgKeyNumber *self, const VgResult *result, VgSession *session)
{
  const VgParam *button = vg_key_number_find_baseline (result->operation);
  gboolean relative = button != NULL &&
                      vg_param_get_number (button, vg_session_get_params (session)) > 0;

  if (result->plane.data == NULL || has_objects (result))
    return FALSE;
  read_values (self, result, session, &result->whole, relative, -1);
  return TRUE;
}

static gboolean
read_metric (VgKeyNumber *self, const VgResult *result)
{
  const char *id = result->operation->view.key_metric;
  const VgMetric *metric = id != NULL && result->metrics != NULL
                               ? vg_metrics_find (result->metrics, id)
                               : NULL;

  if (metric == NULL)
    return FALSE;
  self->value = metric->value;
  self->unit = vg_translate (vg_format_unit (metric->unit, metric->value));
  self->name = g_strdup (vg_translate (metric->label));
  self->key = g_strdup_printf ("%s/%s", result->operation->id, id);
  return TRUE;
}

/* Reads the share of the most frequent category in REGION.  FALSE: the shown output has none. */
static gboolean
read_category (VgKeyNumber *self, const VgResult *result, VgSession *session, int region)
{
  const VgOutput *output = &result->operation->outputs[result->output];
  const VgRegion shape = vg_session_get_shape (session, (guint) region);
  g_autofree char *name = NULL;
  double fraction = NAN;
  const char *word;

  if (output->hints.categories == NULL || result->plane.data == NULL ||
      result->plane.place != VG_HOST)
    return FALSE;
  word = vg_reading_find_category (output, &result->plane, &shape, &fraction);
  name = word != NULL
             ? g_strdup_printf ("%s: %s", vg_translate (output->label), vg_translate (word))
             : g_strdup (vg_translate (output->label));
  set_value (self, result, session, result->output, word != NULL ? 100 * fraction : NAN, name,
             VG_COMPARE_OFF, region);
  self->unit = "%";
  return TRUE;
}

/* Reads a region, whose mean label says nothing. */
static gboolean
read_region (VgKeyNumber *self, const VgResult *result, VgSession *session, int region)
{
  if (has_objects (result))
    return read_category (self, result, session, region) || read_metric (self, result);
  read_values (self, result, session, &result->regions[region], TRUE, region);
  return TRUE;
}

static char *
find_warning (const VgResult *result)
{
  for (guint i = 0; result->metrics != NULL && i < result->metrics->items->len; i++)
    {
      const VgMetric *metric = &g_array_index (result->metrics->items, VgMetric, i);

      if (metric->advice != NULL && (metric->flags & VG_NUMBER_GRAVE))
        return g_strdup_printf (_ ("Warning about %s: press Escape and see Results"),
                                vg_translate (metric->label));
    }
  return NULL;
}

VgKeyNumber *
vg_key_number_new (const VgResult *result, VgSession *session, gboolean current)
{
  g_autoptr (VgKeyNumber) self = g_new0 (VgKeyNumber, 1);
  gboolean simulated = result != NULL && result->operation->input.kind == VG_INPUT_NONE;
  int region;

  if (result == NULL || result->input_only ||
      result->operation != vg_session_get_operation (session))
    return NULL;
  self->region = region = current ? find_region (result, session) : -1;
  if (region >= 0)
    {
      if (!read_region (self, result, session, region))
        return NULL;
    }
  /* the mean of a simulated map depends on how far the map reaches */
  else if (!(simulated && read_metric (self, result)) && !read_whole (self, result, session) &&
           !read_metric (self, result))
    return NULL;
  self->time_s = result->operation->input.kind == VG_INPUT_STREAM ? result->time_s : NAN;
  self->warning = find_warning (result);
  return g_steal_pointer (&self);
}

void
vg_key_number_free (VgKeyNumber *self)
{
  g_free (self->key);
  g_free (self->name);
  g_free (self->with_spread);
  g_free (self->statistic);
  g_free (self->warning);
  g_free (self);
}

char *
vg_key_number_format (const VgKeyNumber *self)
{
  double size = fabs (self->value);

  if (!isfinite (self->value) || (self->value == floor (self->value) && self->unit[0] == '\0'))
    return vg_format_number (self->value);
  if (g_str_equal (self->unit, "%") && size >= LARGE_PERCENT)
    return vg_format_fixed (self->value, 0);
  return vg_format_fixed (self->value, MAX (vg_format_decimals (size) - 1, 0));
}

gboolean
vg_key_number_is_below (const VgKeyNumber *self, double alarm)
{
  return alarm > 0 && isfinite (self->value) && self->value < alarm;
}
