/* SPDX-License-Identifier: MIT */
/* One series of the DICOM files in a folder as a source: a volume, or volumes over time. */
#include "io/dicom/vg-dicom-contents.h"
#include "io/dicom/vg-dicom-patient.h"
#include "io/source/vg-source-private.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  VgSource parent;
  VgDicomReader *reader;
  VgDicomScan *scan;
  VgDicomContents contents;
  VgDicomStack *stack; /* the one that is read */
  float *mosaic;       /* the last mosaic read, or NULL */
  gsize mosaic_room;   /* samples */
  guint mosaic_file;   /* its file; G_MAXUINT: none */
  int mosaic_index;    /* its frame in the file */
} VgDicomSource;

/* ---- samples ---- */

static gboolean
fail (const char *path, const char *reason, GError **error)
{
  g_autofree char *name = g_filename_display_basename (path);

  g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
               "cannot read \"%s\": %s; copy or export it again", name, reason);
  return FALSE;
}

/* Takes FAILURE of the reader, which may be a reason about the file PATH. */
static gboolean
pass_on (const char *path, GError *failure, GError **error)
{
  if (g_error_matches (failure, VG_IO_ERROR, VG_IO_ERROR_FORMAT))
    {
      fail (path, failure->message, error);
      g_error_free (failure);
    }
  else
    g_propagate_error (error, failure);
  return FALSE;
}

/* Reads the whole image that FRAME is or, as a tile of a mosaic, lies in, into the N samples TO. */
static gboolean
read_whole (VgDicomSource *self, const VgDicomFrame *frame, float *to, gsize n, GError **error)
{
  const char *path = self->scan->files->pdata[frame->file];
  GError *failure = NULL;

  return vg_dicom_reader_read (self->reader, path, frame->index, to, n, &failure) ||
         pass_on (path, failure, error);
}

/* Copies a tile out of its mosaic, which is read once for all of them. */
static gboolean
read_tile (VgDicomSource *self, const VgDicomFrame *frame, float *to, GError **error)
{
  gsize side = (gsize) ceil (sqrt ((double) frame->samples.tiles)), width = (gsize) frame->width,
        height = (gsize) frame->height, n = side * side * width * height;
  const float *from;

  if (self->mosaic_room < n)
    {
      g_free (self->mosaic);
      self->mosaic = g_try_new (float, n);
      self->mosaic_room = self->mosaic != NULL ? n : 0;
      self->mosaic_file = G_MAXUINT;
    }
  if (self->mosaic == NULL)
    return fail (self->scan->files->pdata[frame->file], "there is not enough memory for it", error);
  if (self->mosaic_file != frame->file || self->mosaic_index != frame->index)
    {
      self->mosaic_file = G_MAXUINT;
      if (!read_whole (self, frame, self->mosaic, n, error))
        return FALSE;
      self->mosaic_file = frame->file;
      self->mosaic_index = frame->index;
    }
  from = self->mosaic + (gsize) frame->tile / side * height * side * width +
         (gsize) frame->tile % side * width;
  for (gsize y = 0; y < height; y++)
    memcpy (to + y * width, from + y * side * width, width * sizeof (float));
  return TRUE;
}

/* Reads the bits of a segment, 0 or 1; FRAME NULL: none is set. */
static gboolean
read_segment (VgDicomSource *self, const VgDicomFrame *frame, guint8 *to, gsize n, GError **error)
{
  g_autofree float *samples = frame != NULL ? g_try_new (float, n) : NULL;

  memset (to, 0, n);
  if (frame == NULL)
    return TRUE;
  if (samples == NULL)
    return fail (self->scan->files->pdata[frame->file], "there is not enough memory for it", error);
  if (!read_whole (self, frame, samples, n, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    to[i] = samples[i] != 0;
  return TRUE;
}

static gboolean
dicom_read (VgSource *source, gint64 index, void *volume, GError **error)
{
  VgDicomSource *self = (VgDicomSource *) source;
  gsize n = (gsize) source->info.width * (gsize) source->info.height;

  for (int i = 0; i < self->stack->slices; i++)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (
          self->stack, (guint) index * (guint) self->stack->slices + (guint) i);
      float *to = (float *) volume + (gsize) i * n;
      double slope, intercept;

      if (source->info.type == VG_U8)
        {
          if (!read_segment (self, frame, (guint8 *) volume + (gsize) i * n, n, error))
            return FALSE;
          continue;
        }
      slope = frame->samples.slope;
      intercept = frame->samples.intercept;
      if (!(frame->tile >= 0 ? read_tile (self, frame, to, error)
                             : read_whole (self, frame, to, n, error)))
        return FALSE;
      for (gsize k = 0; k < n && (slope != 1 || intercept != 0); k++)
        to[k] = (float) (slope * (double) to[k] + intercept);
    }
  return TRUE;
}

static void
dicom_clear (VgSource *source)
{
  VgDicomSource *self = (VgDicomSource *) source;

  vg_dicom_reader_free (self->reader);
  g_free (self->mosaic);
  g_clear_pointer (&self->contents.stacks, g_ptr_array_unref);
  vg_dicom_scan_free (self->scan);
}

static const VgSourceClass dicom_class = { .read = dicom_read, .clear = dicom_clear };

/* ---- information ---- */

static void
set_info (VgDicomSource *self, gboolean chosen)
{
  VgImageInfo *info = &self->parent.info;
  const VgDicomStack *stack = self->stack;
  const VgDicomFrame *frame = vg_dicom_stack_frame (stack, 0);
  const VgDicomTiming *timing = &frame->timing;

  info->type = frame->segment > 0 ? VG_U8 : VG_F32;
  info->width = frame->width;
  info->height = frame->height;
  info->slices = stack->slices;
  info->frames = stack->volumes;
  if (frame->segment > 0)
    g_strlcpy (info->segment, frame->origin.kind, sizeof info->segment);
  info->ct = g_str_equal (frame->origin.modality, "CT");
  info->readings = chosen || self->contents.stacks->len > 1 ? VG_READ_OPTIONS_SERIES : 0;
  if (stack->size_mm[0] > 0 && stack->size_mm[1] > 0)
    {
      memcpy (info->pixel_size, stack->size_mm, sizeof stack->size_mm);
      g_strlcpy (info->pixel_unit, "mm", sizeof info->pixel_unit);
    }
  if (stack->placed)
    {
      info->placement = (VgPlacement){ .known = TRUE, .sform_code = 1, .unit = 2 };
      info->placement.pixdim[0] = 1;
      memcpy (info->placement.pixdim + 1, stack->size_mm, sizeof stack->size_mm);
      memcpy (info->placement.srow, stack->matrix, sizeof stack->matrix);
    }
  if (timing->repetition_ms >= 0.01 && timing->repetition_ms <= 1e4)
    info->repetition_ms = timing->repetition_ms;
  if (timing->flip_deg >= 0.1 && timing->flip_deg <= 179)
    info->flip_deg = timing->flip_deg;
  if (timing->echo_ms > 0 && timing->echo_ms <= 1e4)
    info->echo_ms = timing->echo_ms;
  if (timing->inversion_ms > 0 && timing->inversion_ms <= 1e5)
    info->inversion_ms = timing->inversion_ms;
  self->parent.acquired_s = stack->volumes == 1 ? stack->started_s : 0;
}

/* The number at OFFSET in the timing of each volume, owned; NULL: it is not above 0 in all, differs
 * within a volume, or is the same in all. */
static double *
get_varying (const VgDicomStack *stack, gsize offset)
{
  g_autofree double *values = g_new (double, stack->volumes);
  gboolean varies = FALSE;

  for (int v = 0; v < stack->volumes; v++)
    for (int i = 0; i < stack->slices; i++)
      {
        const VgDicomFrame *frame = vg_dicom_stack_frame (stack, (guint) (v * stack->slices + i));
        double value = frame != NULL ? G_STRUCT_MEMBER (double, &frame->timing, offset) : NAN;

        if (i == 0)
          values[v] = value;
        if (!(value > 0 && value <= 1e5 && fabs (value - values[v]) <= 1e-3 * values[v]))
          return NULL;
        varies = varies || fabs (value - values[0]) > 1e-3 * values[0];
      }
  return varies ? g_steal_pointer (&values) : NULL;
}

/* "Patient: …" and "Study: …", owned; NULL: they are not given. */
static char *
describe_patient (VgDicomSource *self, const VgDicomFrame *frame)
{
  VgDicomPatient patient;

  return vg_dicom_reader_open (self->reader, self->scan->files->pdata[frame->file], NULL) != NULL &&
                 vg_dicom_reader_ask_patient (self->reader, &patient, NULL)
             ? vg_dicom_format_patient (&patient)
             : NULL;
}

/* Sets the lines of details, and the caution if something was left out. */
static void
set_details (VgDicomSource *self, gboolean folder, gboolean chosen)
{
  const VgDicomScan *scan = self->scan;
  const VgDicomStack *stack = self->stack;
  const VgImageInfo *info = &self->parent.info;
  guint largest = vg_dicom_contents_count_largest (&self->contents);
  const VgDicomFrame *frame = vg_dicom_stack_frame (stack, 0);
  g_autofree char *list = vg_dicom_contents_describe (&self->contents);
  g_autofree char *patient = describe_patient (self, frame), *date = vg_dicom_contents_date (stack);
  GString *text = g_string_new (NULL);

  if (patient != NULL)
    g_string_append_printf (text, "%s.\n", patient);
  if (date != NULL)
    g_string_append_printf (text, "Acquired: %s.\n", date);
  g_string_append_printf (text, "%s %d of %u in the %s; manufacturer: %s.\n%s",
                          vg_dicom_contents_are_segments (&self->contents) ? "Segment" : "Series",
                          info->series, self->contents.stacks->len,
                          vg_dicom_contents_are_segments (&self->contents) ? "file" : "folder",
                          *frame->origin.maker ? frame->origin.maker : "unknown",
                          stack->notes->str);
  if (info->repetition_ms > 0)
    g_string_append_printf (text, "Repetition time: %g ms.\n", info->repetition_ms);
  if (info->flip_deg > 0)
    g_string_append_printf (text, "Flip angle: %g\302\260.\n", info->flip_deg);
  if (frame->samples.slope != 1 || frame->samples.intercept != 0)
    g_string_append_printf (text, "Values are %g x sample %c %g in the first image.\n",
                            frame->samples.slope, frame->samples.intercept < 0 ? '-' : '+',
                            fabs (frame->samples.intercept));
  if (scan->unreadable > 0)
    g_string_append_printf (text, "%u DICOM files are left out, such as %s.\n", scan->unreadable,
                            scan->why);
  if (scan->outside + scan->absent > 0)
    g_string_append_printf (text,
                            "%u files of the DICOMDIR do not exist, and %u are outside its folder; "
                            "they are left out.\n",
                            scan->absent, scan->outside);
  if (scan->full)
    g_string_append (text, "The folder has too many files; the remaining files are not read.\n");
  g_string_append (text, list);
  self->parent.details = g_string_free (text, FALSE);
  if (self->contents.stacks->len > 1)
    self->parent.series = vg_dicom_contents_list (&self->contents);
  self->parent.caution = g_strdup (stack->caution);
  if (self->parent.caution == NULL && folder && !chosen && largest > 1)
    self->parent.caution = g_strdup_printf (
        "The folder has %u series, and %u of them have the most images; number %d is read. Compare "
        "patients and dates under Series, and set another one there.",
        self->contents.stacks->len, largest, info->series);
  if (self->parent.caution == NULL && folder && !chosen && self->contents.stacks->len > 1)
    self->parent.caution = g_strdup_printf ("The folder has %u series; number %d, with the most "
                                            "images, is read. To read another one, set Series.",
                                            self->contents.stacks->len, info->series);
}

/* The smallest size that the files can have is compared with what they declare. */
static gboolean
check_size (VgDicomSource *self, GError **error)
{
  const VgDicomFrame *frame = vg_dicom_stack_frame (self->stack, 0);
  struct stat status;

  if (stat (self->scan->files->pdata[frame->file], &status) != 0)
    status.st_size = 0;
  /* a segmentation is one file */
  return vg_source_check_claim (
      &self->parent.info, (gint64) status.st_size * (frame->segment > 0 ? 1 : self->stack->slices),
      self->parent.name, error);
}

/* Says why the file PATH itself cannot be read, while others beside it can. */
static gboolean
check_own (VgDicomSource *self, const char *path, GError **error)
{
  GError *failure = NULL;
  const VgDicomHead *head = vg_dicom_reader_open (self->reader, path, &failure);

  if (head == NULL)
    return pass_on (path, failure, error);
  return head->names >= 0 || head->frames > 0 || fail (path, head->why, error);
}

/* The segments of a segmentation form a list of their own, whatever is beside the file. */
static gboolean
is_segmentation (VgDicomReader *reader, const char *path)
{
  const VgDicomHead *head = vg_dicom_reader_open (reader, path, NULL);

  return head != NULL && head->frames > 0 && head->first.segment > 0;
}

VgSource *
vg_dicom_source_open (const VgSourceFile *file, GError **error)
{
  gboolean folder = g_file_test (file->path, G_FILE_TEST_IS_DIR);
  /* a file out of an archive has no name of its own, and none beside it */
  gboolean named = folder || (g_file_test (file->path, G_FILE_TEST_EXISTS) &&
                              !g_str_has_prefix (file->path, "/proc/"));
  g_autofree char *dirname = named ? g_path_get_dirname (file->path) : NULL,
                  *base = named ? g_path_get_basename (file->path) : NULL,
                  *own = named ? g_build_filename (dirname, base, NULL)
                               : g_strdup_printf ("/proc/self/fd/%d", file->fd);
  g_autoptr (VgSource)
      source = vg_source_new (sizeof (VgDicomSource), &dicom_class, file->name, "DICOM", -1);
  VgDicomSource *self = (VgDicomSource *) source;
  gboolean chosen = file->read_options->series > 0 || file->read_options->series_uid != NULL;
  int number;

  source->fd = file->fd;
  if (!vg_format_is_on (vg_dicom_format.id, file->name, error))
    return NULL;
  self->reader = vg_dicom_reader_new ();
  self->mosaic_file = G_MAXUINT;
  self->scan = vg_dicom_scan_new (
      self->reader, folder ? file->path : own,
      named && !file->options->in_series &&
          (folder || (file->read_options->segment == NULL && !is_segmentation (self->reader, own))),
      error);
  if (self->scan == NULL || (!folder && !check_own (self, own, error)))
    return NULL;
  self->contents = (VgDicomContents){ self->scan, vg_dicom_stacks_new (self->scan) };
  number = vg_dicom_contents_choose (&self->contents, file->read_options, file->options->segment,
                                     folder ? NULL : own, file->name, error);
  if (number < 0)
    return NULL;
  self->stack = self->contents.stacks->pdata[number];
  if (!vg_dicom_stack_sort (self->stack, error))
    return NULL;
  source->info.series = number + 1;
  source->info.series_available = self->contents.stacks->len > 1 ? (int) self->contents.stacks->len
                                                                 : 0;
  set_info (self, chosen);
  set_details (self, folder, chosen);
  if (!check_size (self, error))
    return NULL;
  source->flips_deg = get_varying (self->stack, G_STRUCT_OFFSET (VgDicomTiming, flip_deg));
  source->inversions_ms = get_varying (self->stack, G_STRUCT_OFFSET (VgDicomTiming, inversion_ms));
  if (self->stack->times_s != NULL)
    vg_source_set_times (source, g_steal_pointer (&self->stack->times_s));
  return g_steal_pointer (&source);
}

gboolean
vg_dicom_source_check_join (const VgSource *a, const VgSource *b, char **caution, GError **error)
{
  const VgDicomOrigin *first, *second;

  *caution = NULL;
  if (a->class != &dicom_class || b->class != &dicom_class)
    return TRUE;
  first = &vg_dicom_stack_frame (((const VgDicomSource *) a)->stack, 0)->origin;
  second = &vg_dicom_stack_frame (((const VgDicomSource *) b)->stack, 0)->origin;
  if (*first->patient_id != '\0' && *second->patient_id != '\0' &&
      !g_str_equal (first->patient_id, second->patient_id))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "\"%s\" and \"%s\" are of different patients, so they cannot form one series; "
                   "open them one by one",
                   a->name, b->name);
      return FALSE;
    }
  if (!g_str_equal (first->study_uid, second->study_uid))
    *caution = g_strdup_printf ("\"%s\" and \"%s\" are of different studies, but were joined to "
                                "one series. If they are two examinations, open them one by one.",
                                a->name, b->name);
  return TRUE;
}

void
vg_dicom_source_list_files (const VgSource *source, GPtrArray *files)
{
  const VgDicomSource *self = (const VgDicomSource *) source;
  g_autofree guint8 *seen = NULL;

  if (source->class != &dicom_class)
    return;
  seen = g_new0 (guint8, self->scan->files->len);
  for (guint i = 0; i < self->stack->members->len; i++)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (self->stack, i);

      if (frame != NULL && !seen[frame->file])
        {
          g_ptr_array_add (files, g_strdup (self->scan->files->pdata[frame->file]));
          seen[frame->file] = TRUE;
        }
    }
}

const VgFormat vg_dicom_format = { .id = "dicom",
                                   .name = "DICOM",
                                   .suffixes = { ".dcm" },
                                   .detect = vg_dicom_detect,
                                   .open = vg_dicom_source_open };
