/* SPDX-License-Identifier: MIT */
#include "app/profile/vg-kymograph.h"
#include <math.h>
#include <string.h>
#include "app/profile/vg-line-profile.h"
#include "kernels/base/vg-text.h"

typedef struct
{
  gint64 frame;
  double time_s;
  VgVesselWidth vessel;
} Row;

struct _VgKymograph
{
  gatomicrefcount ref_count;
  guint output;
  VgProfileLine line;
  int n; /* values in a row */
  guint most_rows;
  GMutex lock;
  /* guarded by `lock` */
  gint64 added;
  GArray *rows;   /* of Row, the oldest first */
  GArray *values; /* of float, n for each row */
  double length;  /* of the line, in `unit` */
  char unit[8];   /* "px" without a scale */
};

VgKymograph *
vg_kymograph_new (guint output, const VgProfileLine *line, guint most_rows)
{
  VgKymograph *self = g_new0 (VgKymograph, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->output = output;
  self->line = *line;
  self->n = vg_line_profile_count (line);
  self->most_rows = MIN (most_rows, G_MAXUINT / 2 / (guint) MAX (self->n, 1));
  self->rows = g_array_new (FALSE, FALSE, sizeof (Row));
  self->values = g_array_new (FALSE, FALSE, sizeof (float));
  return self;
}

VgKymograph *
vg_kymograph_ref (VgKymograph *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
vg_kymograph_unref (VgKymograph *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->rows);
  g_array_unref (self->values);
  g_mutex_clear (&self->lock);
  g_free (self);
}

guint
vg_kymograph_get_output (const VgKymograph *self)
{
  return self->output;
}

gboolean
vg_kymograph_is_of (const VgKymograph *self, guint output, const VgProfileLine *line)
{
  return self->output == output && memcmp (self->line.x, line->x, sizeof line->x) == 0 &&
         memcmp (self->line.y, line->y, sizeof line->y) == 0 && self->line.slice == line->slice &&
         self->line.width == line->width;
}

/* A quarter of the rows at once, so that the others are not moved often. */
static void
forget_old (VgKymograph *self)
{
  guint quarter = MAX (self->rows->len / 4, 1);

  if (self->rows->len < self->most_rows)
    return;
  g_array_remove_range (self->rows, 0, quarter);
  g_array_remove_range (self->values, 0, quarter * (guint) self->n);
}

void
vg_kymograph_add (VgKymograph *self, const VgPlane *plane, const VgOperation *operation,
                  gint64 frame, double time_s)
{
  g_autofree double *values = g_new (double, self->n);
  Row row = { .frame = frame, .time_s = time_s };
  g_autoptr (GMutexLocker) locker = NULL;
  char unit[8];

  vg_line_profile_sample (plane, &self->line, self->n, values);
  vg_line_profile_measure (plane, &self->line, operation->outputs[self->output].mixing_power,
                           &row.vessel, unit);
  locker = g_mutex_locker_new (&self->lock);
  self->length = vg_line_profile_length (plane, &self->line, self->unit);
  forget_old (self);
  g_array_append_val (self->rows, row);
  for (int i = 0; i < self->n; i++)
    {
      float value = (float) values[i];

      g_array_append_val (self->values, value);
    }
  self->added++;
}

gint64
vg_kymograph_get_added (VgKymograph *self)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return self->added;
}

gboolean
vg_kymograph_get_plane (VgKymograph *self, VgPlane *plane, VgKymographExtent *extent, float **owned)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  if (self->rows->len == 0)
    return FALSE;
  *owned = g_memdup2 (self->values->data, (gsize) self->values->len * sizeof (float));
  *plane = (VgPlane){
    .place = VG_HOST, .data = *owned, .width = self->n, .height = (int) self->rows->len, .slices = 1
  };
  if (extent != NULL)
    {
      *extent = (VgKymographExtent){
        .length = self->length,
        .time_s = { g_array_index (self->rows, Row, 0).time_s,
                    g_array_index (self->rows, Row, self->rows->len - 1).time_s }
      };
      g_strlcpy (extent->unit, self->unit, sizeof extent->unit);
    }
  return TRUE;
}

static void
add_cell (GString *csv, double value)
{
  g_string_append_c (csv, ',');
  if (isfinite (value))
    vg_text_append_number (csv, value);
}

char *
vg_kymograph_to_csv (VgKymograph *self, gboolean with_values)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  GString *csv = g_string_new (NULL);

  g_string_append_printf (csv, "frame,time_s,diameter [%s],standard error [%s],centre [%s]",
                          self->unit, self->unit, self->unit);
  for (int k = 0; with_values && k < self->n; k++)
    g_string_append_printf (csv, ",%.6g %s", self->length * k / (self->n - 1), self->unit);
  g_string_append_c (csv, '\n');
  for (guint i = 0; i < self->rows->len; i++)
    {
      const Row *row = &g_array_index (self->rows, Row, i);

      g_string_append_printf (csv, "%" G_GINT64_FORMAT ",", row->frame);
      vg_text_append_number (csv, row->time_s);
      add_cell (csv, row->vessel.width);
      add_cell (csv, row->vessel.width_error);
      add_cell (csv, row->vessel.centre);
      for (guint k = 0; with_values && k < (guint) self->n; k++)
        add_cell (csv, (double) g_array_index (self->values, float, i *(guint) self->n + k));
      g_string_append_c (csv, '\n');
    }
  return g_string_free (csv, FALSE);
}
