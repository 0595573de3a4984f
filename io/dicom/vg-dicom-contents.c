/* SPDX-License-Identifier: MIT */
#include "io/dicom/vg-dicom-contents.h"
#include <math.h>
#include "kernels/base/vg-error.h"

enum { MOST_LISTED = 60 };

gboolean
vg_dicom_contents_are_segments (const VgDicomContents *self)
{
  return self->scan->files->len == 1 &&
         vg_dicom_stack_frame (self->stacks->pdata[0], 0)->segment > 0;
}

/* Its frames, without the slices that no frame has. */
static guint
count_frames (const VgDicomStack *stack)
{
  guint n = 0;

  for (guint i = 0; i < stack->members->len; i++)
    n += vg_dicom_stack_frame (stack, i) != NULL;
  return n;
}

char *
vg_dicom_contents_date (const VgDicomStack *stack)
{
  double first = INFINITY;
  g_autoptr (GDateTime) date = NULL;

  for (guint i = 0; i < stack->members->len; i++)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (stack, i);

      if (frame == NULL)
        continue;
      first = fmin (first, isfinite (frame->timing.acquired_s) ? frame->timing.acquired_s
                                                               : frame->timing.content_s);
    }
  if (isfinite (first) && fabs (first) > 86400) /* with a day */
    date = g_date_time_new_from_unix_utc ((gint64) first);
  return date != NULL ? g_date_time_format (date, "%Y-%m-%d %H:%M") : NULL;
}

guint
vg_dicom_contents_count_largest (const VgDicomContents *self)
{
  guint most = 0, n = 0;

  for (guint i = 0; i < self->stacks->len; i++)
    most = MAX (most, ((VgDicomStack *) self->stacks->pdata[i])->members->len);
  for (guint i = 0; i < self->stacks->len; i++)
    n += ((VgDicomStack *) self->stacks->pdata[i])->members->len == most;
  return n;
}

/* "No. 5, MR, t1_vibe (M), 64 x 64, 90 images, patient 1234, 2026-01-10 09:30", or "Liver, 64 x 64,
 * 9 images" of a segmentation alone. */
static char *
describe (const VgDicomContents *self, guint i)
{
  const VgDicomStack *stack = self->stacks->pdata[i];
  const VgDicomFrame *frame = vg_dicom_stack_frame (stack, 0);
  guint frames = count_frames (stack);
  g_autofree char *date = vg_dicom_contents_date (stack);
  GString *text = g_string_new (NULL);

  if (vg_dicom_contents_are_segments (self))
    {
      g_string_append_printf (text, "%s, %d x %d, %u image%s", frame->origin.kind, frame->width,
                              frame->height, frames, frames == 1 ? "" : "s");
      return g_string_free (text, FALSE);
    }
  if (frame->origin.series_number != G_MININT)
    g_string_append_printf (text, "No. %d, ", frame->origin.series_number);
  g_string_append_printf (text, "%s, %s", *frame->origin.modality ? frame->origin.modality : "?",
                          *frame->origin.description ? frame->origin.description : "no name");
  if (frame->segment > 0)
    g_string_append_printf (text, " (segment %d: %s)", frame->segment, frame->origin.kind);
  else if (*frame->origin.kind != '\0')
    g_string_append_printf (text, " (%s)", frame->origin.kind);
  if (frame->timing.echo_ms > 0)
    g_string_append_printf (text, ", echo %g ms", frame->timing.echo_ms);
  g_string_append_printf (text, ", %d x %d, %u image%s", frame->width, frame->height, frames,
                          frames == 1 ? "" : "s");
  if (*frame->origin.patient_id != '\0')
    g_string_append_printf (text, ", patient %s", frame->origin.patient_id);
  if (date != NULL)
    g_string_append_printf (text, ", %s", date);
  return g_string_free (text, FALSE);
}

/* Whether A is a better default than B: an image rather than a segment, with more frames. */
static gboolean
is_better (const VgDicomStack *a, const VgDicomStack *b)
{
  gboolean p = vg_dicom_stack_frame (a, 0)->segment > 0,
           q = vg_dicom_stack_frame (b, 0)->segment > 0;

  return p != q ? q : a->members->len > b->members->len;
}

/* The number of the stack that holds the file PATH, or of the best one. */
static guint
find_usual (const VgDicomContents *self, const char *path)
{
  guint best = 0;

  for (guint i = 0; i < self->stacks->len; i++)
    {
      const VgDicomStack *stack = self->stacks->pdata[i];

      for (guint k = 0; path != NULL && k < stack->members->len; k++)
        if (g_str_equal (self->scan->files->pdata[vg_dicom_stack_frame (stack, k)->file], path))
          return i;
      if (is_better (stack, self->stacks->pdata[best]))
        best = i;
    }
  return best;
}

char *
vg_dicom_contents_describe (const VgDicomContents *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->stacks->len && i < MOST_LISTED; i++)
    {
      const gboolean segments = vg_dicom_contents_are_segments (self);
      g_autofree char *line = describe (self, i);

      g_string_append_printf (
          text, "%s%s %d: %s.", i > 0 ? "\n" : "", segments ? "Segment" : "Series",
          segments ? vg_dicom_stack_frame (self->stacks->pdata[i], 0)->segment : (int) i + 1, line);
    }
  if (self->stacks->len > MOST_LISTED)
    g_string_append_printf (text, "\nand %u more.", self->stacks->len - MOST_LISTED);
  return g_string_free (text, FALSE);
}

char **
vg_dicom_contents_list (const VgDicomContents *self)
{
  char **lines = g_new0 (char *, self->stacks->len + 1);

  for (guint i = 0; i < self->stacks->len; i++)
    lines[i] = describe (self, i);
  return lines;
}

/* The index of the stack with the segment TEXT, which is a number or else a label.  If there is
 * none, or *SEVERAL have the label, returns the number of stacks. */
static guint
find_segment (const VgDicomContents *self, const char *text, gboolean *several)
{
  guint n = self->stacks->len, numbered = n, labelled = n;

  *several = FALSE;

  for (guint i = n; i-- > 0;)
    {
      const VgDicomFrame *frame = vg_dicom_stack_frame (self->stacks->pdata[i], 0);
      g_autofree char *number = g_strdup_printf ("%d", frame->segment);

      if (frame->segment > 0 && g_str_equal (number, text))
        numbered = i;
      if (frame->segment > 0 && g_ascii_strcasecmp (frame->origin.kind, text) == 0)
        {
          /* a damaged segment may be in pieces */
          *several |= labelled < n &&
                      vg_dicom_stack_frame (self->stacks->pdata[labelled], 0)->segment !=
                          frame->segment;
          labelled = i;
        }
    }
  return numbered < n ? numbered : *several ? n : labelled;
}

int
vg_dicom_contents_choose (const VgDicomContents *self, const VgReadOptions *options,
                          const char *label, const char *path, const char *name, GError **error)
{
  guint n = self->stacks->len, chosen = n;
  const char *wanted = options->segment != NULL ? options->segment : label;
  g_autofree char *list = NULL;
  gboolean several = FALSE;
  gboolean segments = options->segment != NULL ||
                      (n > 1 && label != NULL &&
                       vg_dicom_stack_frame (self->stacks->pdata[0], 0)->segment > 0);

  if (options->series_uid == NULL && options->series == 0)
    chosen = segments ? find_segment (self, wanted, &several) : find_usual (self, path);
  else if (options->series_uid == NULL)
    chosen = (guint) options->series - 1;
  for (guint i = n; options->series_uid != NULL && i-- > 0;)
    if (g_str_equal (vg_dicom_stack_frame (self->stacks->pdata[i], 0)->origin.series_uid,
                     options->series_uid))
      chosen = i;
  if (chosen < n)
    return (int) chosen;
  list = vg_dicom_contents_describe (self);
  g_strdelimit (list, "\n", ' ');
  if (several)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" has several segments with the label \"%s\"; choose one by its number, "
                   "such as %s#segment=2. %s",
                   name, wanted, name, list);
      return -1;
    }
  if (segments && options->segment == NULL)
    {
      g_set_error (error, VG_USAGE_ERROR, 0,
                   "\"%s\" has %u segments; choose one by its number or label, such as "
                   "%s#segment=2. %s",
                   name, n, name, list);
      return -1;
    }
  g_set_error (error, VG_USAGE_ERROR, 0, "\"%s\" does not have this %s; choose one of these: %s",
               name, segments ? "segment" : "series", list);
  return -1;
}
