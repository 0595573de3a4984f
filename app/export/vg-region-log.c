/* SPDX-License-Identifier: MIT */
/* Writes regions.csv: the means of regions in every map, and the results of the sum of each. */
#include "app/export/vg-region-log.h"
#include <math.h>
#include "app/compute/vg-followed-regions.h"
#include "app/reading/vg-reading.h"
#include "app/reading/vg-region-check.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-group.h"
#include "kernels/base/vg-text.h"

struct _VgRegionLog
{
  const VgOperation *operation;
  VgFollowedRegions *regions;
  GPtrArray *names;     /* of the regions, quoted for CSV */
  GPtrArray *groups;    /* of VgRegionGroup */
  GString *text;        /* empty before the first maps */
  GArray *outputs;      /* of int: the followed maps that the settings give */
  GArray *words;        /* of int: the label outputs with categories that the settings give */
  gboolean has_numbers; /* the operation gives figures of a region, */
  gboolean has_sums;    /* and values of its sum */
  guint n_numbers;      /* figures of a sum that have a column */
  const GArray *marks;  /* of VgCurveMark, borrowed; NULL: none */
  char *mark;           /* texts of the newest frame, as a CSV cell */
  GArray *times;        /* of double, s: of each frame */
  GArray *means;        /* of double: of each frame, region and followed map */
};

/* TRUE: OUTPUT has a time course, or no output has one and it is a map. */
static gboolean
is_followed (const VgOperation *operation, guint output)
{
  const VgOutput *items = operation->outputs;
  gboolean chosen = FALSE;

  for (guint i = 0; i < operation->n_outputs; i++)
    chosen |= items[i].time_course;
  return items[output].kind == VG_OUTPUT_MAP && !items[output].view_only &&
         (items[output].time_course || !chosen);
}

/* Labels whose categories have names. */
static gboolean
has_words (const VgOutput *output)
{
  return output->kind == VG_OUTPUT_LABELS && output->hints.categories != NULL && !output->view_only;
}

/* The output with the standard errors of OUTPUT, which it names or which is called by its id and
 * "_error"; -1: none. */
static int
name_error (const VgOperation *operation, int output)
{
  g_autofree char *id = g_strconcat (operation->outputs[output].id, "_error", NULL);
  const char *named = vg_operation_get_role (operation, VG_ROLE_ERROR,
                                             operation->outputs[output].id);

  return vg_operation_find_output (operation, named != NULL ? named : id);
}

/* Of the K-th followed map; one that several have is the last one's. */
static int
find_error (const VgRegionLog *self, guint k)
{
  int error = name_error (self->operation, g_array_index (self->outputs, int, k));

  for (guint other = k + 1; other < self->outputs->len && error >= 0; other++)
    if (name_error (self->operation, g_array_index (self->outputs, int, other)) == error)
      error = -1;
  return error;
}

static char *
quote_csv (const char *name)
{
  GString *cell = g_string_new (NULL);

  vg_text_append_cell (cell, name);
  return g_string_free (cell, FALSE);
}

gboolean
vg_region_log_has_means (const VgOperation *operation)
{
  for (guint i = 0; i < operation->n_outputs; i++)
    if (is_followed (operation, i))
      return TRUE;
  return FALSE;
}

gboolean
vg_region_log_is_of (const VgOperation *operation)
{
  const VgEngineCurves *curves = operation->cpu->curves;

  return (curves != NULL && curves->sample_region != NULL) || vg_region_log_has_means (operation);
}

/* The parts of a group have their slice in their names, unlike the whole. */
static void
name_parts (VgRegionLog *self, const VgRegionGroup *group, const VgNamedRegion *const *regions)
{
  for (guint k = 0; group->members->len > 1 && k < group->members->len; k++)
    {
      guint i = g_array_index (group->members, guint, k);
      g_autofree char *name = g_strdup_printf (VG_REGION_IN_SLICE, group->name,
                                               regions[i]->region.slice + 1);

      g_free (self->names->pdata[i]);
      self->names->pdata[i] = quote_csv (name);
    }
}

VgRegionLog *
vg_region_log_new (const VgOperation *operation, const VgNamedRegion *const *regions)
{
  g_autoptr (GArray) shapes = g_array_new (FALSE, FALSE, sizeof (VgRegion));
  VgRegionLog *self;

  if (!vg_region_log_is_of (operation) || regions == NULL || regions[0] == NULL)
    return NULL;

  self = g_new0 (VgRegionLog, 1);
  self->operation = operation;
  self->names = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; regions[i] != NULL; i++)
    {
      g_array_append_val (shapes, regions[i]->region);
      g_ptr_array_add (self->names, quote_csv (regions[i]->name));
    }
  self->groups = vg_region_groups_new (regions, TRUE);
  for (guint g = 0; g < self->groups->len; g++)
    name_parts (self, self->groups->pdata[g], regions);
  self->regions = vg_followed_regions_new ((const VgRegion *) (gpointer) shapes->data, shapes->len);
  self->outputs = g_array_new (FALSE, FALSE, sizeof (int));
  self->words = g_array_new (FALSE, FALSE, sizeof (int));
  self->text = g_string_new (NULL);
  self->times = g_array_new (FALSE, FALSE, sizeof (double));
  self->means = g_array_new (FALSE, FALSE, sizeof (double));
  return self;
}

static void
add_heading (VgRegionLog *self, const VgOutput *output, const char *of)
{
  g_string_append_printf (self->text, ",%s%s", output->id, of);
  if (output->unit != NULL && *output->unit != '\0')
    g_string_append_printf (self->text, " [%s]", output->unit);
}

/* SUM: of a region; NULL: there is none.  PARAMS NULL: not known. */
static void
add_head (VgRegionLog *self, const void *params, const VgCurves *sum)
{
  for (int i = 0; i < (int) self->operation->n_outputs; i++)
    if (params == NULL || vg_operation_output_is_shown (self->operation, (guint) i, params))
      {
        if (is_followed (self->operation, (guint) i))
          g_array_append_val (self->outputs, i);
        else if (has_words (&self->operation->outputs[i]))
          g_array_append_val (self->words, i);
      }
  g_string_append (self->text, "frame,time_s,region");
  self->n_numbers = sum != NULL && sum->metrics != NULL ? sum->metrics->items->len : 0;
  for (guint k = 0; k < self->n_numbers; k++)
    g_string_append_printf (self->text, ",%s", g_array_index (sum->metrics->items, VgMetric, k).id);
  for (guint k = 0; k < self->outputs->len; k++)
    {
      int i = g_array_index (self->outputs, int, k), error = find_error (self, k);

      add_heading (self, &self->operation->outputs[i], self->has_sums ? " mean of pixels" : "");
      add_heading (self, &self->operation->outputs[i], self->has_sums ? " SD of pixels" : " SD");
      add_heading (self, &self->operation->outputs[i],
                   self->has_sums ? " median of pixels" : " median");
      add_heading (self, &self->operation->outputs[i], self->has_sums ? " q25 of pixels" : " q25");
      add_heading (self, &self->operation->outputs[i], self->has_sums ? " q75 of pixels" : " q75");
      g_string_append_printf (self->text, ",%s pixels", self->operation->outputs[i].id);
      if (self->has_sums)
        add_heading (self, &self->operation->outputs[i], " of the sum");
      if (self->has_sums && error >= 0)
        add_heading (self, &self->operation->outputs[error], " of the sum");
    }
  for (guint k = 0; k < self->words->len; k++)
    add_heading (self, &self->operation->outputs[g_array_index (self->words, int, k)], "");
  if (self->marks != NULL)
    g_string_append (self->text, ",mark");
  g_string_append_c (self->text, '\n');
}

/* Takes the marks up to TIME_S that no earlier frame had. */
static void
take_marks (VgRegionLog *self, double time_s)
{
  const guint n = self->times->len;
  const double before_s = n > 0 ? g_array_index (self->times, double, n - 1) : -INFINITY;
  g_autofree char *text = vg_curve_marks_between (self->marks, before_s, time_s);

  g_free (self->mark);
  self->mark = text != NULL ? quote_csv (text) : g_strdup ("");
}

static void
end_row (VgRegionLog *self)
{
  if (self->marks != NULL)
    g_string_append_printf (self->text, ",%s", self->mark);
  g_string_append_c (self->text, '\n');
}

static void
add_cell (VgRegionLog *self, double value)
{
  g_string_append_c (self->text, ',');
  if (isfinite (value))
    vg_text_append_number (self->text, value);
}

/* The most frequent category of a region. */
static gboolean
add_word (VgRegionLog *self, guint region, VgExport *export, guint output, GError **error)
{
  const VgRegion *shape = vg_followed_regions_get (self->regions, region);
  const char *word = NULL;
  VgPlane plane;
  double fraction;
  gboolean found;

  if (!vg_export_look (export, output, &plane, &found, error))
    return FALSE;
  if (found && shape->slice < MAX (plane.slices, 1))
    word = vg_reading_find_category (&self->operation->outputs[output], &plane, shape, &fraction);
  g_string_append_c (self->text, ',');
  if (word != NULL)
    vg_text_append_cell (self->text, word);
  return TRUE;
}

/* The K-th result of a sum; NaN: it has none. */
static double
number_at (const VgCurves *sum, guint k)
{
  return sum != NULL && sum->metrics != NULL && k < sum->metrics->items->len
             ? g_array_index (sum->metrics->items, VgMetric, k).value
             : NAN;
}

/* Sets STATISTICS of a region in a map; unchanged if the map is not computed or lacks its slice. */
static gboolean
measure (VgRegionLog *self, guint region, VgExport *export, VgWork *work, guint output,
         gboolean quartiles, VgRegionStatistics *statistics, GError **error)
{
  gboolean found;
  VgPlane plane;

  if (!vg_export_look (export, output, &plane, &found, error))
    return FALSE;
  if (!found || vg_followed_regions_get (self->regions, region)->slice >= MAX (plane.slices, 1))
    return TRUE;
  return vg_work_measure_region (work, output, &plane, self->regions, region, statistics, error) &&
         (!quartiles || vg_followed_regions_add_quartiles (self->regions, region, &plane, NULL,
                                                           TRUE, FALSE, statistics, error));
}

static void
add_statistics (VgRegionLog *self, const VgRegionStatistics *statistics)
{
  const double cells[] = { statistics->mean, statistics->sd,  statistics->median,
                           statistics->q25,  statistics->q75, (double) statistics->valid };

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    add_cell (self, cells[i]);
}

static gboolean
add_row (VgRegionLog *self, guint region, VgExport *export, VgWork *work, const VgCurves *sum,
         gint64 frame, double time_s, GError **error)
{
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT ",", frame);
  vg_text_append_number (self->text, time_s);
  g_string_append_printf (self->text, ",%s", (const char *) self->names->pdata[region]);
  for (guint k = 0; k < self->n_numbers; k++)
    add_cell (self, number_at (sum, k));
  for (guint k = 0; k < self->outputs->len; k++)
    {
      int i = g_array_index (self->outputs, int, k), deviation = find_error (self, k);
      const float *of_sum = sum != NULL ? sum->outputs : NULL;
      VgRegionStatistics statistics = VG_REGION_STATISTICS_NONE;

      if (!measure (self, region, export, work, (guint) i, TRUE, &statistics, error))
        return FALSE;
      g_array_append_val (self->means, statistics.mean);
      add_statistics (self, &statistics);
      if (self->has_sums)
        add_cell (self, of_sum != NULL ? of_sum[i] : NAN);
      if (self->has_sums && deviation >= 0)
        add_cell (self, of_sum != NULL ? of_sum[deviation] : NAN);
    }
  for (guint k = 0; k < self->words->len; k++)
    if (!add_word (self, region, export, (guint) g_array_index (self->words, int, k), error))
      return FALSE;
  end_row (self);
  return TRUE;
}

/* The row of a group: the statistics of all its voxels, and the result of their sum. */
static gboolean
add_group (VgRegionLog *self, const VgRegionGroup *group, VgExport *export, VgWork *work,
           gint64 frame, double time_s, GError **error)
{
  guint n = group->members->len;
  g_autofree const VgRegion **regions = g_new (const VgRegion *, n);
  g_autoptr (VgCurves) sum = NULL;
  GError *local = NULL;
  gboolean found;
  VgPlane plane;

  for (guint i = 0; i < n; i++)
    regions[i] = vg_followed_regions_get (self->regions, g_array_index (group->members, guint, i));
  sum = vg_work_sample_regions (work, regions, n, &local);
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT ",", frame);
  vg_text_append_number (self->text, time_s);
  g_string_append_c (self->text, ',');
  vg_text_append_cell (self->text, group->name);
  for (guint k = 0; k < self->n_numbers; k++)
    add_cell (self, number_at (sum, k));
  for (guint k = 0; k < self->outputs->len; k++)
    {
      int i = g_array_index (self->outputs, int, k), deviation = find_error (self, k);
      VgRegionStatistics all = VG_REGION_STATISTICS_NONE;

      for (guint r = 0; r < n; r++)
        {
          VgRegionStatistics part = VG_REGION_STATISTICS_NONE;

          if (!measure (self, g_array_index (group->members, guint, r), export, work, (guint) i,
                        FALSE, &part, error))
            return FALSE;
          vg_region_statistics_pool (&all, &part);
        }
      if (!vg_export_look (export, (guint) i, &plane, &found, error) ||
          (found && !vg_region_check_add_quartiles (work, &plane, regions, n, &all, error)))
        return FALSE;
      add_statistics (self, &all);
      if (self->has_sums)
        add_cell (self, sum != NULL && sum->outputs != NULL ? sum->outputs[i] : NAN);
      if (self->has_sums && deviation >= 0)
        add_cell (self, sum != NULL && sum->outputs != NULL ? sum->outputs[deviation] : NAN);
    }
  for (guint k = 0; k < self->words->len; k++)
    g_string_append_c (self->text, ',');
  end_row (self);
  return TRUE;
}

void
vg_region_log_set_marks (VgRegionLog *self, const GArray *marks)
{
  self->marks = marks != NULL && marks->len > 0 ? marks : NULL;
}

gboolean
vg_region_log_add (VgRegionLog *self, VgExport *export, VgWork *work, gint64 frame, double time_s,
                   GError **error)
{
  gboolean first = self->text->len == 0;
  g_autoptr (GPtrArray) sums = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_curves_free);
  const VgCurves *any = NULL;
  GError *local = NULL;

  for (guint r = 0; r < self->names->len && (first || self->has_numbers); r++)
    {
      VgCurves *sum = vg_work_sample_region (work, vg_followed_regions_get (self->regions, r),
                                             &local);

      if (local != NULL)
        {
          g_propagate_error (error, local);
          return FALSE;
        }
      if (sum != NULL && (any == NULL ? sum->outputs != NULL || sum->metrics != NULL
                                      : any->outputs == NULL && sum->outputs != NULL))
        any = sum;
      g_ptr_array_add (sums, sum);
    }
  if (first)
    {
      self->has_numbers = any != NULL;
      self->has_sums = any != NULL && any->outputs != NULL;
      add_head (self, vg_work_get_params (work), any);
    }
  take_marks (self, time_s);
  g_array_append_val (self->times, time_s);
  for (guint r = 0; r < self->names->len; r++)
    if (!add_row (self, r, export, work, self->has_numbers ? sums->pdata[r] : NULL, frame, time_s,
                  error))
      return FALSE;
  for (guint g = 0; g < self->groups->len; g++)
    if (((VgRegionGroup *) self->groups->pdata[g])->members->len > 1 &&
        !add_group (self, self->groups->pdata[g], export, work, frame, time_s, error))
      return FALSE;
  return TRUE;
}

/* The means of the K-th followed map against time, a series for each region. */
static VgCurves *
make_course (const VgRegionLog *self, guint k)
{
  VgCurves *curves = vg_curves_new ("", "", "s", "", "");
  const guint n_regions = self->names->len, n_maps = self->outputs->len;

  for (guint r = 0; r < n_regions; r++)
    {
      VgSeries *series = vg_curves_add (curves, self->names->pdata[r], VG_SERIES_LINE,
                                        (int) self->times->len);

      for (guint i = 0; i < self->times->len; i++)
        {
          series->x[i] = g_array_index (self->times, double, i);
          series->y[i] = g_array_index (self->means, double, (i * n_regions + r) * n_maps + k);
        }
    }
  return curves;
}

char *
vg_region_log_average (VgRegionLog *self, const GArray *events, const VgEventWindow *window)
{
  g_autoptr (GString) csv = g_string_new ("map,region,time_s,mean,standard_error\n");

  for (guint k = 0; k < self->outputs->len; k++)
    {
      const char *id = self->operation->outputs[g_array_index (self->outputs, int, k)].id;
      g_autoptr (VgCurves) course = make_course (self, k);
      g_autoptr (VgCurves) average = vg_event_average_new (course, events, window);

      for (guint r = 0; average != NULL && r < average->series->len; r++)
        {
          const VgSeries *series = average->series->pdata[r];

          for (int i = 0; i < series->n; i++)
            {
              g_string_append_printf (csv, "%s,%s,", id, series->name);
              vg_text_append_number (csv, series->x[i]);
              g_string_append_c (csv, ',');
              vg_text_append_number (csv, series->y[i]);
              g_string_append_c (csv, ',');
              vg_text_append_number (csv, series->error[i]);
              g_string_append_c (csv, '\n');
            }
        }
    }
  return g_strdup (csv->str);
}

const char *
vg_region_log_text (VgRegionLog *self, gsize *length)
{
  if (self->text->len == 0)
    add_head (self, NULL, NULL);
  *length = self->text->len;
  return self->text->str;
}

void
vg_region_log_free (VgRegionLog *self)
{
  if (self == NULL)
    return;
  vg_followed_regions_free (self->regions);
  g_ptr_array_unref (self->groups);
  g_ptr_array_unref (self->names);
  g_array_unref (self->outputs);
  g_array_unref (self->words);
  g_string_free (self->text, TRUE);
  g_free (self->mark);
  g_array_unref (self->times);
  g_array_unref (self->means);
  g_free (self);
}
