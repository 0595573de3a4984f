/* SPDX-License-Identifier: MIT */
/* Which frames belong together. */
#include "io/dicom/vg-dicom-stack.h"
#include <math.h>
#include <string.h>

const VgDicomFrame *
vg_dicom_stack_frame (const VgDicomStack *self, guint number)
{
  guint member = g_array_index (self->members, guint, number);

  return member == G_MAXUINT ? NULL : &g_array_index (self->scan->frames, VgDicomFrame, member);
}

static double
dot (const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void
vg_dicom_frame_normal (const VgDicomFrame *frame, double normal[3])
{
  const double *a = frame->place.row, *b = frame->place.down;

  for (int i = 0; i < 3; i++)
    normal[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

void
vg_dicom_frame_position (const VgDicomFrame *frame, double position[3])
{
  const VgDicomPlace *place = &frame->place;
  double normal[3], between = place->between > 0 ? place->between : place->thickness;
  int side = (int) ceil (sqrt ((double) frame->samples.tiles));

  memcpy (position, place->position, sizeof place->position);
  if (frame->tile < 0)
    return;
  vg_dicom_frame_normal (frame, normal);
  if (fabs (dot (frame->samples.normal, frame->samples.normal) - 1) < 0.01)
    memcpy (normal, frame->samples.normal, sizeof normal);
  /* the mosaic is given the place of an image of its size around the middle of the slice */
  for (int i = 0; i < 3; i++)
    position[i] += 0.5 * (side - 1) *
                       (place->row[i] * place->spacing[0] * frame->width +
                        place->down[i] * place->spacing[1] * frame->height) +
                   normal[i] * frame->tile * between;
}

static gboolean
is_near (double a, double b, double most)
{
  return (isnan (a) && isnan (b)) || fabs (a - b) <= most;
}

/* Whether two frames may be slices of one volume, or one slice at two times. */
static gboolean
match (const VgDicomFrame *a, const VgDicomFrame *b)
{
  const VgDicomPlace *p = &a->place, *q = &b->place;

  return a->width == b->width && a->height == b->height && a->samples.tiles == b->samples.tiles &&
         p->known == q->known && is_near (a->timing.echo_ms, b->timing.echo_ms, 0.01) &&
         is_near (p->spacing[0], q->spacing[0], 1e-3) &&
         is_near (p->spacing[1], q->spacing[1], 1e-3) &&
         (!p->known || (dot (p->row, q->row) > 0.9995 && dot (p->down, q->down) > 0.9995)) &&
         a->segment == b->segment && strcmp (a->origin.series_uid, b->origin.series_uid) == 0 &&
         strcmp (a->origin.kind, b->origin.kind) == 0;
}

static void
stack_free (gpointer data)
{
  VgDicomStack *self = data;

  g_array_unref (self->members);
  g_free (self->times_s);
  g_string_free (self->notes, TRUE);
  g_free (self->caution);
  g_free (self);
}

static VgDicomStack *
stack_new (const VgDicomScan *scan)
{
  VgDicomStack *self = g_new0 (VgDicomStack, 1);

  self->scan = scan;
  self->members = g_array_new (FALSE, FALSE, sizeof (guint));
  self->notes = g_string_new (NULL);
  return self;
}

/* The stack of FRAME, mostly that of the frame before it; NULL: there are too many. */
static VgDicomStack *
find_stack (GPtrArray *stacks, VgDicomStack *last, const VgDicomScan *scan,
            const VgDicomFrame *frame)
{
  VgDicomStack *stack;

  if (last != NULL && match (vg_dicom_stack_frame (last, 0), frame))
    return last;
  for (guint i = 0; i < stacks->len; i++)
    if (match (vg_dicom_stack_frame (stacks->pdata[i], 0), frame))
      return stacks->pdata[i];
  if (stacks->len >= VG_DICOM_MOST_STACKS)
    return NULL;
  stack = stack_new (scan);
  g_ptr_array_add (stacks, stack);
  return stack;
}

static int
compare_stacks (gconstpointer a, gconstpointer b)
{
  const VgDicomStack *one = *(const VgDicomStack *const *) a,
                     *other = *(const VgDicomStack *const *) b;
  const VgDicomFrame *p = vg_dicom_stack_frame (one, 0), *q = vg_dicom_stack_frame (other, 0);
  int order = strcmp (p->origin.study_uid, q->origin.study_uid);

  if (order == 0)
    order = (p->origin.series_number > q->origin.series_number) -
            (p->origin.series_number < q->origin.series_number);
  if (order == 0)
    order = strcmp (p->origin.series_uid, q->origin.series_uid);
  if (order == 0)
    order = p->segment - q->segment;
  if (order == 0)
    order = strcmp (p->origin.kind, q->origin.kind);
  if (order == 0)
    order = (p->timing.echo_ms > q->timing.echo_ms) - (p->timing.echo_ms < q->timing.echo_ms);
  return order != 0 ? order
                    : (int) g_array_index (one->members, guint, 0) -
                          (int) g_array_index (other->members, guint, 0);
}

/* Whether FRAME is one that STACK has already, from another file; SEEN has those of all. */
static gboolean
is_copy (const VgDicomStack *stack, const VgDicomFrame *frame, GHashTable *seen)
{
  if (*frame->origin.instance_uid == '\0')
    return FALSE;
  return !g_hash_table_add (seen, g_strdup_printf ("%p/%s/%d/%d", (gconstpointer) stack,
                                                   frame->origin.instance_uid, frame->index,
                                                   frame->tile));
}

GPtrArray *
vg_dicom_stacks_new (const VgDicomScan *scan)
{
  GPtrArray *stacks = g_ptr_array_new_with_free_func (stack_free);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  VgDicomStack *last = NULL;

  for (guint i = 0; i < scan->frames->len; i++)
    {
      const VgDicomFrame *frame = &g_array_index (scan->frames, VgDicomFrame, i);

      last = find_stack (stacks, last, scan, frame);
      if (last == NULL)
        continue;
      if (!is_copy (last, frame, seen))
        g_array_append_val (last->members, i);
      else if (strstr (last->notes->str, "copies") == NULL)
        g_string_append (last->notes, "Files that are copies of others are left out.\n");
    }
  g_ptr_array_sort (stacks, compare_stacks);
  return stacks;
}
