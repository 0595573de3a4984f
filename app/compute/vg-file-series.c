/* SPDX-License-Identifier: MIT */
/* A source made of files: which one holds a frame is found by bisection. */
#include "app/compute/vg-file-series.h"
#include "io/source/vg-source-private.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EXPOSURES = 1 << 26 };

typedef struct
{
  VgSource parent;
  char **files;
  guint n_files;
  gint64 *first;           /* index of each file's first frame; n_files + 1 */
  VgSourceOptions options; /* its read_options are owned */
  guint current;
  VgSource *source; /* of files[current] */
} VgFileSeries;

/* Beyond what formats keep, and a laser's rate drifts by; a file that does not say is taken to be
 * as the others. */
static gboolean
is_other (double a_ns, double b_ns, double tolerance)
{
  return a_ns > 0 && b_ns > 0 && fabs (a_ns - b_ns) > tolerance * MAX (a_ns, b_ns);
}

static gboolean
refuse_scale (const char *what, double a_ns, const char *name_a, double b_ns, const char *name_b,
              GError **error)
{
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "\"%s\" has %s of %.6g ns, but \"%s\" has %.6g ns, so their decays cannot form one "
               "series; open them one by one",
               name_a, what, a_ns, name_b, b_ns);
  return FALSE;
}

gboolean
vg_file_series_check (const VgImageInfo *a, const char *name_a, const VgImageInfo *b,
                      const char *name_b, GError **error)
{
  g_autofree char *text_a = NULL, *text_b = NULL;

  if (is_other (a->bin_width_ns, b->bin_width_ns, 1e-3))
    return refuse_scale ("a bin width", a->bin_width_ns, name_a, b->bin_width_ns, name_b, error);
  if (is_other (a->period_ns, b->period_ns, 5e-3))
    return refuse_scale ("a laser period", a->period_ns, name_a, b->period_ns, name_b, error);
  if (a->frames >= 0 && b->frames >= 0 && a->type == b->type && a->width == b->width &&
      a->height == b->height && a->channels == b->channels && a->bins == b->bins &&
      a->slices == b->slices)
    return TRUE;
  text_a = vg_image_info_to_string (a);
  text_b = vg_image_info_to_string (b);
  g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
               "\"%s\" (%s) cannot follow \"%s\" (%s): files of a series need one size and type; "
               "open them one by one",
               name_b, text_b, name_a, text_a);
  return FALSE;
}

typedef struct
{
  char *file, *key;
} Named;

static int
compare_keys (const void *a, const void *b)
{
  return strcmp (((const Named *) a)->key, ((const Named *) b)->key);
}

void
vg_file_series_sort (char **files)
{
  guint n = g_strv_length (files);
  g_autofree Named *named = g_new (Named, n + 1);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *shown = g_filename_display_name (files[i]);

      named[i] = (Named){ files[i], g_utf8_collate_key_for_filename (shown, -1) };
    }
  qsort (named, n, sizeof *named, compare_keys);
  for (guint i = 0; i < n; i++)
    {
      files[i] = named[i].file;
      g_free (named[i].key);
    }
}

static VgSource *
open_file (VgFileSeries *self, guint i, GError **error)
{
  return vg_source_open (self->files[i], &self->options, error);
}

static gboolean
select_file (VgFileSeries *self, gint64 index, GError **error)
{
  guint low = 0, high = self->n_files - 1;
  VgSource *source;

  while (low < high)
    {
      guint middle = (low + high + 1) / 2;

      if (self->first[middle] <= index)
        low = middle;
      else
        high = middle - 1;
    }
  if (self->source != NULL && self->current == low)
    return TRUE;
  source = open_file (self, low, error);
  if (source == NULL)
    return FALSE;
  if (!vg_file_series_check (&self->parent.info, self->files[0], &source->info, self->files[low],
                             error))
    {
      vg_source_close (source);
      return FALSE;
    }
  vg_source_close (self->source);
  self->source = source;
  self->current = low;
  return TRUE;
}

static gboolean
series_read (VgSource *source, gint64 index, void *frame, GError **error)
{
  VgFileSeries *self = (VgFileSeries *) source;

  return select_file (self, index, error) &&
         vg_source_read (self->source, index - self->first[self->current], frame, error);
}

static void
series_clear (VgSource *source)
{
  VgFileSeries *self = (VgFileSeries *) source;

  vg_source_close (self->source);
  g_strfreev (self->files);
  g_free (self->first);
  g_free ((char *) self->options.read_options);
}

static const VgSourceClass series_class = { .read = series_read, .clear = series_clear };

typedef struct
{
  char *file;
  double acquired_s;
} Volume;

static int
compare_volumes (const void *a, const void *b)
{
  double x = ((const Volume *) a)->acquired_s, y = ((const Volume *) b)->acquired_s;

  return (x > y) - (x < y);
}

/* Times of day, in place: from the first on, also past midnight. */
static void
count_from_first (double *acquired_s, guint n)
{
  double first = acquired_s[0], last = acquired_s[0];

  for (guint i = 1; i < n; i++)
    {
      first = MIN (first, acquired_s[i]);
      last = MAX (last, acquired_s[i]);
    }
  if (last - first > 43200)
    {
      for (guint i = 0; i < n; i++)
        acquired_s[i] += acquired_s[i] < 43200 ? 86400 : 0;
      first = acquired_s[0];
      for (guint i = 1; i < n; i++)
        first = MIN (first, acquired_s[i]);
    }
  for (guint i = 0; i < n; i++)
    acquired_s[i] -= first;
}

/* Single volumes whose time of day is known are put in its order: a shell
 * names dyn_10 before dyn_2.  FALSE: these times are not known, or two are the
 * same. */
static gboolean
take_times (VgFileSeries *self, double *acquired_s)
{
  g_autofree Volume *volumes = g_new (Volume, self->n_files);
  g_autofree double *times = g_new (double, self->n_files);
  g_autofree char *details = NULL;
  gboolean moved = FALSE;

  for (guint i = 0; i < self->n_files; i++)
    if (acquired_s[i] == 0 || self->first[i + 1] != i + 1)
      return FALSE;
  count_from_first (acquired_s, self->n_files);
  for (guint i = 0; i < self->n_files; i++)
    volumes[i] = (Volume){ self->files[i], acquired_s[i] };
  qsort (volumes, self->n_files, sizeof *volumes, compare_volumes);
  for (guint i = 0; i < self->n_files; i++)
    {
      times[i] = volumes[i].acquired_s;
      if (i > 0 && !(times[i] > times[i - 1]))
        return FALSE;
    }
  for (guint i = 0; i < self->n_files; i++)
    {
      moved = moved || self->files[i] != volumes[i].file;
      self->files[i] = volumes[i].file;
    }
  details = g_steal_pointer (&self->parent.details);
  /* first: the window shows few lines */
  self->parent.details = g_strdup_printf (
      "Frame times: 0 to %2$.4g s, %1$.4g s apart on average, from the files beside%3$s.%4$s%5$s",
      times[self->n_files - 1] / (self->n_files - 1), times[self->n_files - 1],
      moved ? "; the files were sorted by them" : "", details ? "\n" : "", details ? details : "");
  vg_source_set_times (&self->parent, g_steal_pointer (&times));
  return TRUE;
}

/* Whether the names differ in one number, which is higher in A. */
static gboolean
number_falls (const char *a, const char *b)
{
  gsize same = 0;
  char *rest_a, *rest_b;
  guint64 x, y;

  while (a[same] != '\0' && a[same] == b[same])
    same++;
  while (same > 0 && g_ascii_isdigit (a[same - 1]))
    same--;
  if (!g_ascii_isdigit (a[same]) || !g_ascii_isdigit (b[same]))
    return FALSE;
  x = g_ascii_strtoull (a + same, &rest_a, 10);
  y = g_ascii_strtoull (b + same, &rest_b, 10);
  return x > y && strcmp (rest_a, rest_b) == 0;
}

/* Without times the order is that in which the files were named: it may be meant, or a shell's,
 * which puts v10 before v2. */
static void
check_numbers (VgFileSeries *self)
{
  for (guint i = 1; i < self->n_files && self->parent.caution == NULL; i++)
    if (number_falls (self->files[i - 1], self->files[i]))
      self->parent.caution = g_strdup_printf (
          "\"%s\" comes after \"%s\", in the order given. If their numbers give the order, open "
          "them in that order.",
          self->files[i], self->files[i - 1]);
}

/* A shell that names all files of a DICOM folder makes moments of its slices. */
static void
check_slices (VgFileSeries *self)
{
  if (self->parent.caution == NULL && self->parent.info.slices < 2 &&
      g_strcmp0 (self->parent.format, "DICOM") == 0)
    self->parent.caution = g_strdup ("Each of the DICOM files is read as a separate time point. If "
                                     "they are slices of a volume, open their folder.");
}

static void
take_channel (VgFileSeries *self, int channel)
{
  g_autofree char *number = g_strdup_printf ("%d", channel),
                  *before = (char *) self->options.read_options;

  self->options.read_options = vg_read_options_set (
      before, vg_params_find (&vg_read_options_table, "channel"), number, NULL);
}

/* The time from frame to frame was typed. */
static gboolean
has_interval (VgFileSeries *self)
{
  g_auto (VgReadOptions) read_options = { 0 };

  return vg_read_options_parse (&read_options, self->options.read_options, NULL) &&
         read_options.frame_interval_ms > 0;
}

/* Adds the marks of file I, which is open as SOURCE, at their frames in the series. */
static void
add_marks (VgFileSeries *self, guint i, const VgSource *source)
{
  const double interval_s = self->parent.info.frame_interval_s;

  for (guint k = 0; source->marks != NULL && k < source->marks->len; k++)
    {
      const VgCurveMark *mark = &g_array_index (source->marks, VgCurveMark, k);
      const double frame = (double) (self->first[i] + vg_source_find_frame (source, mark->x));

      if (self->parent.marks == NULL)
        self->parent.marks = g_array_new (FALSE, FALSE, sizeof (VgCurveMark));
      vg_curve_marks_add (self->parent.marks, interval_s > 0 ? frame * interval_s : frame,
                          mark->label);
    }
}

/* Adds the outages and the missing frames of file I, which is open as SOURCE. */
static void
add_outages (VgFileSeries *self, guint i, const VgSource *source)
{
  self->parent.missing += source->missing;
  for (guint k = 0; source->outages != NULL && k < source->outages->len; k++)
    {
      const gint64 index = self->first[i] + g_array_index (source->outages, gint64, k);

      if (self->parent.outages == NULL)
        self->parent.outages = g_array_new (FALSE, FALSE, sizeof (gint64));
      g_array_append_val (self->parent.outages, index);
    }
}

/* Adds the exposure times of file I, which is open as SOURCE; frames of a file without them have
 * that of the file. */
static void
add_exposures (VgFileSeries *self, guint i, const VgSource *source)
{
  const gint64 frames = source->info.frames;

  if (self->first[i] + frames > MOST_EXPOSURES)
    return;
  if (self->parent.exposures == NULL && source->exposures == NULL &&
      source->info.exposure_ms == self->parent.info.exposure_ms)
    return;
  if (self->parent.exposures == NULL)
    self->parent.exposures = g_array_new (FALSE, TRUE, sizeof (double));
  g_array_set_size (self->parent.exposures, (guint) self->first[i]);
  for (gint64 k = 0; k < frames; k++)
    {
      double ms = vg_source_find_exposure (source, k);

      ms = ms > 0 ? ms : source->info.exposure_ms;
      g_array_append_val (self->parent.exposures, ms);
    }
}

/* Two DICOM series are those of one patient, and probably of one study. */
static gboolean
check_join (VgFileSeries *self, const VgSource *first, const VgSource *source, GError **error)
{
  char *caution = NULL;

  if (!vg_dicom_source_check_join (first, source, &caution, error))
    return FALSE;
  if (caution == NULL)
    return TRUE;
  g_free (self->parent.caution); /* of one file: less grave */
  self->parent.caution = caution;
  return TRUE;
}

/* Looks into every file once, so that a misfit is known before the work. */
static gboolean
count_frames (VgFileSeries *self, GError **error)
{
  g_autofree double *acquired_s = g_new0 (double, self->n_files);
  g_autoptr (VgSource) first = NULL;

  for (guint i = 0; i < self->n_files; i++)
    {
      g_autoptr (VgSource) source = open_file (self, i, error);

      if (source == NULL)
        return FALSE;
      if (i == 0)
        {
          self->parent.info = source->info;
          self->parent.format = g_strdup (source->format);
          self->parent.details = g_strdup (source->details);
        }
      /* the fullest of the first file, not of each */
      if (i == 0 && source->info.channels_available > 1)
        take_channel (self, source->info.channel);
      if (self->parent.caution == NULL)
        self->parent.caution = g_strdup (source->caution);
      if (!vg_file_series_check (&self->parent.info, self->files[0], &source->info, self->files[i],
                                 error) ||
          (first != NULL && !check_join (self, first, source, error)))
        return FALSE;
      self->first[i + 1] = self->first[i] + source->info.frames;
      add_marks (self, i, source);
      add_outages (self, i, source);
      add_exposures (self, i, source);
      acquired_s[i] = source->acquired_s;
      if (first == NULL)
        first = g_steal_pointer (&source);
    }
  self->parent.info.joined = self->parent.info.frames > 1 ? (int) self->n_files : 0;
  self->parent.info.frames = self->first[self->n_files];
  if (has_interval (self) || !take_times (self, acquired_s))
    check_numbers (self);
  check_slices (self);
  return TRUE;
}

VgSource *
vg_file_series_open (const char *const *files, const VgSourceOptions *options, GError **error)
{
  VgFileSeries *self;

  if (files[1] == NULL)
    return vg_source_open (files[0], options, error);
  self = (VgFileSeries *) vg_source_new (sizeof (VgFileSeries), &series_class, NULL, NULL, -1);
  self->files = g_strdupv ((char **) files);
  self->n_files = g_strv_length (self->files);
  self->first = g_new0 (gint64, self->n_files + 1);
  self->options = *options;
  self->options.in_series = TRUE;
  self->options.read_options = g_strdup (options->read_options);
  if (!count_frames (self, error))
    {
      vg_source_close (&self->parent);
      return NULL;
    }
  self->parent.name = g_strdup_printf ("%s and %u more", self->files[0], self->n_files - 1);
  return &self->parent;
}
