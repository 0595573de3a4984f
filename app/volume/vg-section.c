/* SPDX-License-Identifier: MIT */
#include "app/volume/vg-section.h"
#include <math.h>
#include <string.h>
#include "kernels/base/vg-length.h"

/* ---- the grid ---- */

void
vg_volume_grid_init (VgVolumeGrid *self, const VgPlane *plane, const VgImageInfo *info)
{
  gboolean same = info != NULL && info->width == plane->width && info->height == plane->height &&
                  MAX (info->slices, 1) == MAX (plane->slices, 1);
  gboolean sized = same;

  *self = (VgVolumeGrid){ .size = { plane->width, plane->height, MAX (plane->slices, 1) } };
  for (int axis = 0; axis < 3 && sized; axis++)
    sized = isfinite (info->pixel_size[axis]) && info->pixel_size[axis] > 0;
  for (int axis = 0; axis < 3; axis++)
    self->step[axis] = sized ? info->pixel_size[axis] : 1;
  if (sized)
    memcpy (self->unit, info->pixel_unit, sizeof self->unit);
  self->placed = same && vg_placement_matrix (&info->placement, self->matrix);
}

gsize
vg_volume_grid_voxels (const VgVolumeGrid *self)
{
  return (gsize) self->size[0] * (gsize) self->size[1] * (gsize) self->size[2];
}

gsize
vg_volume_grid_index (const VgVolumeGrid *self, const int at[3])
{
  return ((gsize) at[2] * (gsize) self->size[1] + (gsize) at[1]) * (gsize) self->size[0] +
         (gsize) at[0];
}

void
vg_volume_grid_clamp (const VgVolumeGrid *self, int at[3])
{
  for (int axis = 0; axis < 3; axis++)
    at[axis] = CLAMP (at[axis], 0, self->size[axis] - 1);
}

char *
vg_volume_grid_describe (const VgVolumeGrid *self, const int at[3], int length)
{
  static const char sides[3][2] = { { 'L', 'R' }, { 'P', 'A' }, { 'I', 'S' } };
  double place[3], factor;
  const char *unit = vg_length_convert (self->unit, (VgLength) length, &factor);

  if (!self->placed && *self->unit == '\0')
    return NULL;
  if (!self->placed)
    return g_strdup_printf ("%.4g, %.4g, %.4g %s", factor * at[0] * self->step[0],
                            factor * at[1] * self->step[1], factor * at[2] * self->step[2], unit);
  for (int row = 0; row < 3; row++)
    {
      place[row] = self->matrix[row][3];
      for (int axis = 0; axis < 3; axis++)
        place[row] += self->matrix[row][axis] * at[axis];
    }
  return g_strdup_printf ("%c %.4g, %c %.4g, %c %.4g mm", sides[0][place[0] >= 0], fabs (place[0]),
                          sides[1][place[1] >= 0], fabs (place[1]), sides[2][place[2] >= 0],
                          fabs (place[2]));
}

/* ---- sections ---- */

/* The axis of the volume that runs along axis BODY of the patient: 0 left to right, 1 front to
 * back, 2 foot to head. */
static int
find_axis (const VgOrientation *orientation, int body)
{
  static const char *const letters[] = { "LR", "PA", "IS" };

  for (int axis = 0; axis < 3; axis++)
    if (strchr (letters[body], orientation->ends[axis][0]) != NULL)
      return axis;
  return body;
}

void
vg_section_init (VgSection *self, VgSectionKind kind, const VgOrientation *orientation,
                 gboolean as_stored)
{
  /* across, down and through, as axes of the patient */
  static const int planes[VG_N_SECTIONS][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 2, 0 } };
  /* what is shown at the left or above: right, front, head */
  static const char first[] = { 'R', 'A', 'S' };
  gboolean known = orientation->known;

  *self = (VgSection){ .kind = kind, .known = known };
  for (int i = 0; i < 3; i++)
    self->axis[i] = known ? find_axis (orientation, planes[kind][i]) : planes[kind][i];
  for (int i = 0; i < 2 && known; i++)
    {
      const char *ends = orientation->ends[self->axis[i]];

      self->turned[i] = !as_stored && ends[0] != first[planes[kind][i]];
      self->sides[i][0] = ends[self->turned[i]];
      self->sides[i][1] = ends[!self->turned[i]];
    }
}

void
vg_section_copy (const VgSection *self, const VgVolumeGrid *grid, const int at[3], gsize bytes,
                 const void *volume, void *samples)
{
  const gsize strides[] = { 1, (gsize) grid->size[0], (gsize) grid->size[0] * grid->size[1] };
  gsize across = strides[self->axis[0]], down = strides[self->axis[1]],
        first = strides[self->axis[2]] * (gsize) at[self->axis[2]];
  int width = grid->size[self->axis[0]], height = grid->size[self->axis[1]];

  for (int j = 0; j < height; j++)
    {
      gsize from = first + (gsize) j * down, to = (gsize) j * (gsize) width;

      if (across == 1)
        memcpy ((char *) samples + to * bytes, (const char *) volume + from * bytes,
                (gsize) width * bytes);
      else if (bytes == 4)
        for (int i = 0; i < width; i++)
          ((guint32 *) samples)[to + (gsize) i] = ((const guint32 *) volume)[from + i * across];
      else
        for (int i = 0; i < width; i++)
          ((guint8 *) samples)[to + (gsize) i] = ((const guint8 *) volume)[from + i * across];
    }
}

double
vg_section_fit (const VgSection sections[VG_N_SECTIONS], const VgVolumeGrid *grid, double width,
                double height)
{
  double fit = HUGE_VAL;

  for (int i = 0; i < VG_N_SECTIONS; i++)
    {
      int across = sections[i].axis[0], down = sections[i].axis[1];

      fit = MIN (fit, width / (grid->size[across] * grid->step[across]));
      fit = MIN (fit, height / (grid->size[down] * grid->step[down]));
    }
  return fit;
}
