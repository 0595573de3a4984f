/* SPDX-License-Identifier: MIT */
/* A stroke is kept as runs of voxels that it changed; undoing it changes them back. */
#include "app/volume/vg-mask.h"
#include <math.h>
#include <string.h>
#include "io/source/vg-source.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-memory.h"
#include "kernels/base/vg-placement.h"

enum { MOST_RUNS = 1 << 21 };

typedef struct
{
  guint32 first, n;
} Run;

struct _VgMask
{
  VgVolumeGrid grid;
  guint8 *voxels;
  gsize n, count;
  GArray *runs;    /* of all strokes that are kept, in order */
  GArray *strokes; /* guint: where each begins in `runs` */
};

VgMask *
vg_mask_new (const VgVolumeGrid *grid, GError **error)
{
  gsize n = vg_volume_grid_voxels (grid);
  guint8 *voxels = NULL;
  VgMask *self;

  if (n > G_MAXUINT32)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "a mask of %" G_GSIZE_FORMAT " voxels is too large; crop the volume", n);
      return NULL;
    }
  if (!vg_memory_check (n, "a mask", error))
    return NULL;
  voxels = g_try_malloc0 (n);
  if (voxels == NULL)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY,
                           "there is not enough memory for a mask; close other programs");
      return NULL;
    }
  self = g_new0 (VgMask, 1);
  *self = (VgMask){ .grid = *grid,
                    .voxels = voxels,
                    .n = n,
                    .runs = g_array_new (FALSE, FALSE, sizeof (Run)),
                    .strokes = g_array_new (FALSE, FALSE, sizeof (guint)) };
  return self;
}

VgMask *
vg_mask_new_from_image (const VgImage *image, GError **error)
{
  const VgImageInfo *info = &image->info;
  const VgPlane plane = { .width = info->width,
                          .height = info->height,
                          .slices = (int) info->slices };
  VgVolumeGrid grid;
  VgMask *self;

  vg_volume_grid_init (&grid, &plane, info);
  self = vg_mask_new (&grid, error);
  for (gsize i = 0; self != NULL && i < self->n; i++)
    {
      self->voxels[i] = ((const guint8 *) image->data)[i] != 0;
      self->count += self->voxels[i];
    }
  return self;
}

void
vg_mask_free (VgMask *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->runs);
  g_array_unref (self->strokes);
  g_free (self->voxels);
  g_free (self);
}

const guint8 *
vg_mask_get_voxels (const VgMask *self)
{
  return self->voxels;
}

gsize
vg_mask_count (const VgMask *self)
{
  return self->count;
}

/* ---- strokes ---- */

/* Forgets the oldest strokes beyond the memory that all may take. */
static void
forget_oldest (VgMask *self)
{
  guint drop = 0, first = 0;

  while (drop < self->strokes->len && self->runs->len - first > MOST_RUNS)
    {
      drop++;
      first = drop < self->strokes->len ? g_array_index (self->strokes, guint, drop)
                                        : self->runs->len;
    }
  if (drop == 0)
    return;
  g_array_remove_range (self->runs, 0, first);
  g_array_remove_range (self->strokes, 0, drop);
  for (guint i = 0; i < self->strokes->len; i++)
    g_array_index (self->strokes, guint, i) -= first;
}

void
vg_mask_begin (VgMask *self)
{
  guint here;

  forget_oldest (self);
  here = self->runs->len;
  if (self->strokes->len == 0 ||
      g_array_index (self->strokes, guint, self->strokes->len - 1) != here)
    g_array_append_val (self->strokes, here);
}

static void
change (VgMask *self, guint32 i)
{
  Run *last = self->runs->len > 0 ? &g_array_index (self->runs, Run, self->runs->len - 1) : NULL;
  guint begin = self->strokes->len > 0
                    ? g_array_index (self->strokes, guint, self->strokes->len - 1)
                    : 0;

  self->voxels[i] ^= 1;
  self->count += self->voxels[i] ? 1 : (gsize) -1;
  if (last != NULL && self->runs->len > begin && last->first + last->n == i)
    last->n++;
  else
    g_array_append_val (self->runs, ((Run){ i, 1 }));
}

gboolean
vg_mask_can_undo (const VgMask *self)
{
  return self->strokes->len > 0 && self->runs->len > 0;
}

void
vg_mask_undo (VgMask *self)
{
  guint begin;

  if (!vg_mask_can_undo (self))
    return;
  begin = g_array_index (self->strokes, guint, self->strokes->len - 1);
  if (begin == self->runs->len && self->strokes->len > 1) /* the newest changed nothing */
    {
      g_array_set_size (self->strokes, self->strokes->len - 1);
      begin = g_array_index (self->strokes, guint, self->strokes->len - 1);
    }
  for (guint k = self->runs->len; k > begin; k--)
    {
      Run run = g_array_index (self->runs, Run, k - 1);

      for (guint32 i = 0; i < run.n; i++)
        {
          self->voxels[run.first + i] ^= 1;
          self->count += self->voxels[run.first + i] ? 1 : (gsize) -1;
        }
    }
  g_array_set_size (self->runs, begin);
  g_array_set_size (self->strokes, self->strokes->len - 1);
}

void
vg_mask_clear (VgMask *self)
{
  vg_mask_begin (self);
  for (gsize i = 0; i < self->n; i++)
    if (self->voxels[i])
      change (self, (guint32) i);
}

/* ---- painting ---- */

static gboolean
is_within (const VgBrush *brush, const float *values, gsize i)
{
  return !brush->limited || (values != NULL && values[i] >= brush->low && values[i] <= brush->high);
}

/* The voxels that the brush may reach along each axis. */
static void
find_reach (const VgMask *self, const VgSection *section, const int at[3], const VgBrush *brush,
            int first[3], int last[3])
{
  for (int axis = 0; axis < 3; axis++)
    {
      double most = MIN (floor (brush->radius / self->grid.step[axis]), self->grid.size[axis]);
      int reach = axis == section->axis[2] && !brush->ball ? 0 : (int) MAX (most, 0);

      first[axis] = MAX (at[axis] - reach, 0);
      last[axis] = MIN (at[axis] + reach, self->grid.size[axis] - 1);
    }
}

void
vg_mask_paint (VgMask *self, const VgSection *section, const int at[3], const VgBrush *brush,
               const float *values)
{
  const double *step = self->grid.step;
  double most = brush->radius * brush->radius * (1 + 1e-9);
  int first[3], last[3];

  find_reach (self, section, at, brush, first, last);
  for (int z = first[2]; z <= last[2]; z++)
    for (int y = first[1]; y <= last[1]; y++)
      for (int x = first[0]; x <= last[0]; x++)
        {
          double dx = (x - at[0]) * step[0], dy = (y - at[1]) * step[1], dz = (z - at[2]) * step[2];
          gsize i = vg_volume_grid_index (&self->grid, (const int[]){ x, y, z });

          if (dx * dx + dy * dy + dz * dz <= most && self->voxels[i] == (brush->erase ? 1 : 0) &&
              is_within (brush, values, i))
            change (self, (guint32) i);
        }
}

void
vg_mask_paint_line (VgMask *self, const VgSection *section, const int from[3], const int to[3],
                    const VgBrush *brush, const float *values)
{
  int steps = 1;

  for (int axis = 0; axis < 3; axis++)
    steps = MAX (steps, ABS (to[axis] - from[axis]));
  for (int k = 1; k <= steps; k++)
    {
      int at[3];

      for (int axis = 0; axis < 3; axis++)
        at[axis] = from[axis] + (int) lround ((double) (to[axis] - from[axis]) * k / steps);
      vg_mask_paint (self, section, at, brush, values);
    }
}

/* ---- filling ---- */

/* Adds to QUEUE voxel I, if it is to be filled; it is marked with 2 for that long. */
static void
reach_voxel (VgMask *self, gsize i, const VgBrush *brush, const float *values, GArray *queue)
{
  guint32 index = (guint32) i;

  if (self->voxels[i] < 2 && is_within (brush, values, i))
    {
      self->voxels[i] |= 2;
      g_array_append_val (queue, index);
    }
}

static void
reach_neighbours (VgMask *self, const VgSection *section, guint32 i, const VgBrush *brush,
                  const float *values, GArray *queue)
{
  const gsize width = (gsize) self->grid.size[0], page = width * (gsize) self->grid.size[1];
  const gsize strides[] = { 1, width, page };
  const int at[] = { (int) (i % width), (int) (i / width % (gsize) self->grid.size[1]),
                     (int) (i / page) };

  for (int axis = 0; axis < 3; axis++)
    {
      if (axis == section->axis[2] && !brush->ball)
        continue;
      if (at[axis] > 0)
        reach_voxel (self, i - strides[axis], brush, values, queue);
      if (at[axis] < self->grid.size[axis] - 1)
        reach_voxel (self, i + strides[axis], brush, values, queue);
    }
}

static int
compare_indices (gconstpointer a, gconstpointer b)
{
  guint32 p = *(const guint32 *) a, q = *(const guint32 *) b;

  return (p > q) - (p < q);
}

gboolean
vg_mask_fill (VgMask *self, const VgSection *section, const int at[3], const VgBrush *brush,
              const float *values, GError **error)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  gsize start = vg_volume_grid_index (&self->grid, at);
  gboolean fits;

  if (!is_within (brush, values, start))
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                           "the value of this voxel is outside the limits; change the limits, or "
                           "choose another voxel");
      return FALSE;
    }
  reach_voxel (self, start, brush, values, queue);
  for (guint k = 0; k < queue->len && queue->len <= VG_MASK_MOST_FILLED; k++)
    reach_neighbours (self, section, g_array_index (queue, guint32, k), brush, values, queue);
  fits = queue->len <= VG_MASK_MOST_FILLED;
  g_array_sort (queue, compare_indices);
  if (fits)
    vg_mask_begin (self);
  for (guint k = 0; k < queue->len; k++)
    {
      guint32 i = g_array_index (queue, guint32, k);

      self->voxels[i] &= 1;
      if (fits && self->voxels[i] == (brush->erase ? 1 : 0))
        change (self, i);
    }
  if (!fits)
    g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                 "more than %d connected voxels lie within the limits; narrow the limits, or fill "
                 "a single slice",
                 VG_MASK_MOST_FILLED);
  return fits;
}

/* ---- files and numbers ---- */

gboolean
vg_mask_save (const VgMask *self, const VgImageInfo *info, const char *path, GError **error)
{
  VgImageInfo placed = *info;
  gsize width = (gsize) self->grid.size[0];
  g_autofree float *row = g_new (float, width);
  g_autoptr (VgNiftiWriter) writer = NULL;
  gboolean written = TRUE;

  placed.frames = placed.bins = 1; /* the data may be a series of volumes */
  if (self->count == 0)
    {
      g_set_error_literal (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                           "the mask is empty; paint voxels first");
      return FALSE;
    }
  if (!placed.placement.known) /* a file with sizes but without an orientation */
    placed.placement = (VgPlacement){ .known = TRUE,
                                      .pixdim = { 1, self->grid.step[0], self->grid.step[1],
                                                  self->grid.step[2] },
                                      .unit = strcmp (self->grid.unit, "mm") == 0 ? 2 : 0 };
  if (!vg_nifti_can_write (&placed))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "NIfTI cannot hold a mask of %dx%dx%d voxels; crop the volume",
                   self->grid.size[0], self->grid.size[1], self->grid.size[2]);
      return FALSE;
    }
  placed.frames = placed.bins = 1;
  writer = vg_nifti_writer_new (path, &placed, "mask (Vivograph)", error);
  for (gsize i = 0; i < self->n && writer != NULL && written; i += width)
    {
      for (gsize x = 0; x < width; x++)
        row[x] = self->voxels[i + x];
      written = vg_nifti_writer_add (writer, row, width, error);
    }
  return writer != NULL && written && vg_nifti_writer_commit (writer, error);
}

static gboolean
is_inside (const VgImage *image, gsize i)
{
  double value = vg_image_sample (image, i);

  return isfinite (value) && value != 0;
}

static gboolean
is_empty (const VgImage *image)
{
  gsize n = (gsize) image->info.width * (gsize) image->info.height *
            (gsize) vg_image_info_pages (&image->info) * (gsize) image->info.channels;

  for (gsize i = 0; i < n; i++)
    if (is_inside (image, i))
      return FALSE;
  return TRUE;
}

/* FALSE and an error: MASK has no voxel, or none in the data, where PLACED has its voxels. */
static gboolean
check_place (const VgImage *mask, const VgImage *placed, GError **error)
{
  if (placed == mask || !is_empty (placed))
    return TRUE;
  if (is_empty (mask))
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT,
                 "the mask \"%s\" is empty: every voxel is 0; choose a mask that has voxels",
                 mask->name);
  else
    g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                 "the mask \"%s\" lies outside the data: they contain none of its voxels; choose a "
                 "mask that was made for these data",
                 mask->name);
  return FALSE;
}

/* Opens a mask, which lies where its placement says. */
static VgImage *
open_mask (const VgMask *self, const char *path, GError **error)
{
  const VgSourceOptions options = { .segment = "mask" };
  g_autoptr (VgImage) image = vg_image_load (path, VG_FILE_IMAGE, &options, error);
  g_autoptr (VgImage) placed = NULL;
  VgImageInfo data = vg_image_info_grey (VG_F32, self->grid.size[0], self->grid.size[1]);

  if (image == NULL)
    return NULL;
  data.slices = self->grid.size[2];
  data.placement = (VgPlacement){ .known = self->grid.placed, .sform_code = 1 };
  memcpy (data.placement.srow, self->grid.matrix, sizeof data.placement.srow);
  placed = vg_image_place (image, &data, FALSE, error);
  return placed != NULL && check_place (image, placed, error) ? g_steal_pointer (&placed) : NULL;
}

gboolean
vg_mask_load (VgMask *self, const char *path, GError **error)
{
  g_autoptr (VgImage) image = open_mask (self, path, error);
  const int *size = self->grid.size;

  if (image == NULL)
    return FALSE;
  if (image->info.width != size[0] || image->info.height != size[1] || image->info.channels != 1 ||
      vg_image_info_pages (&image->info) != size[2])
    {
      g_set_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED,
                   "the mask \"%s\" is %dx%dx%d, but the data are %dx%dx%d; choose one of the same "
                   "size",
                   path, image->info.width, image->info.height,
                   (int) MIN (vg_image_info_pages (&image->info), G_MAXINT), size[0], size[1],
                   size[2]);
      return FALSE;
    }
  vg_mask_begin (self);
  for (gsize i = 0; i < self->n; i++)
    if (self->voxels[i] != is_inside (image, i))
      change (self, (guint32) i);
  return TRUE;
}

gboolean
vg_mask_measure (const VgMask *self, const float *values, double *mean, double *sd)
{
  double sum = 0, squares = 0;
  gsize n = 0;

  for (gsize i = 0; i < self->n; i++)
    if (self->voxels[i] && isfinite (values[i]))
      {
        sum += values[i];
        n++;
      }
  *mean = n > 0 ? sum / (double) n : NAN;
  for (gsize i = 0; i < self->n; i++)
    if (self->voxels[i] && isfinite (values[i]))
      squares += (values[i] - *mean) * (values[i] - *mean);
  *sd = n > 1 ? sqrt (squares / (double) (n - 1)) : 0;
  return n > 0;
}
