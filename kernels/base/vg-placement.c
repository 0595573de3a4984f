/* SPDX-License-Identifier: MIT */
/* Directions and places by sform and qform, after nifti1.h of the NIfTI data
 * format working group ("method 2" and "method 3"). */
#include "kernels/base/vg-placement.h"
#include "kernels/base/vg-error.h"
#include <math.h>
#include <string.h>

/* No body, and no slide, is larger. */
static const double farthest_mm = 1e7;

static double
norm (const double matrix[3][4], int column)
{
  return sqrt (matrix[0][column] * matrix[0][column] + matrix[1][column] * matrix[1][column] +
               matrix[2][column] * matrix[2][column]);
}

static double
determinant (const double m[3][4])
{
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* The axes have lengths and span a space. */
static gboolean
is_sound (const double matrix[3][4])
{
  double size = norm (matrix, 0) * norm (matrix, 1) * norm (matrix, 2);

  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      if (!(fabs (matrix[row][column]) <= farthest_mm))
        return FALSE;
  return size > 0 && fabs (determinant (matrix)) > 1e-4 * size;
}

static void
from_quaternion (const VgPlacement *self, double matrix[3][4])
{
  double b = self->quatern[0], c = self->quatern[1], d = self->quatern[2],
         a = 1 - (b * b + c * c + d * d);
  double step[3] = { self->pixdim[1], self->pixdim[2],
                     self->pixdim[0] < 0 ? -self->pixdim[3] : self->pixdim[3] };

  if (a < 1e-7) /* half a turn: only its axis counts */
    {
      double length = sqrt (b * b + c * c + d * d);

      b /= length;
      c /= length;
      d /= length;
      a = 0;
    }
  a = sqrt (a);
  memcpy (matrix,
          (double[3][4]){ { a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c),
                            self->offset[0] },
                          { 2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b),
                            self->offset[1] },
                          { 2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c,
                            self->offset[2] } },
          sizeof (double[3][4]));
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      matrix[row][column] *= step[column];
}

gboolean
vg_placement_matrix (const VgPlacement *self, double matrix[3][4])
{
  double mm = self->unit == 1 ? 1e3 : self->unit == 3 ? 1e-3 : 1;

  for (int method = 0; self->known && method < 2; method++)
    {
      if ((method == 0 ? self->sform_code : self->qform_code) <= 0)
        continue;
      if (method == 0)
        memcpy (matrix, self->srow, sizeof self->srow);
      else
        from_quaternion (self, matrix);
      for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
          matrix[row][column] *= mm;
      if (is_sound ((const double (*)[4]) matrix))
        return TRUE;
    }
  return FALSE;
}

/* The body's axis that each of the volume's is taken for: the assignment with
 * the largest sum of cosines. */
static void
choose_axes (const double matrix[3][4], int axes[3])
{
  static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  double best = -1;

  for (int i = 0; i < 6; i++)
    {
      double sum = 0;

      for (int axis = 0; axis < 3; axis++)
        sum += fabs (matrix[orders[i][axis]][axis]) / norm (matrix, axis);
      if (sum > best)
        {
          best = sum;
          memcpy (axes, orders[i], sizeof orders[i]);
        }
    }
}

void
vg_placement_orientation (const VgPlacement *self, VgOrientation *orientation)
{
  static const char sides[3][2] = { { 'L', 'R' }, { 'P', 'A' }, { 'I', 'S' } };
  double matrix[3][4];
  int axes[3];

  *orientation = (VgOrientation){ .known = vg_placement_matrix (self, matrix) };
  if (!orientation->known)
    return;
  choose_axes ((const double (*)[4]) matrix, axes);
  /* across: left and right, or in a sagittal slice front and back */
  orientation->swapped = axes[0] > axes[1];
  for (int axis = 0; axis < 3; axis++)
    {
      gboolean grows = matrix[axes[axis]][axis] > 0;

      orientation->ends[axis][0] = sides[axes[axis]][!grows];
      orientation->ends[axis][1] = sides[axes[axis]][grows];
      /* right, front and head come first, from the left and from above */
      if (axis < 2)
        orientation->turned[axis] = grows;
    }
}

gboolean
vg_placement_is_of (const VgImageInfo *info, const VgPlane *plane)
{
  return info->placement.known && !plane->mirrored && plane->width == info->width &&
         plane->height == info->height && MAX (plane->slices, 1) == info->slices;
}

double
vg_placement_apart (const VgPlacement *self, const VgPlacement *other, const gint64 extent[3],
                    double *mm)
{
  double a[3][4], b[3][4], worst = 0, worst_mm = 0;

  if (vg_placement_matrix (self, a) && vg_placement_matrix (other, b))
    for (int corner = 0; corner < 8; corner++)
      {
        double at[3], away[3], size = determinant ((const double (*)[4]) a);

        for (int axis = 0; axis < 3; axis++)
          at[axis] = corner >> axis & 1 ? (double) (extent[axis] - 1) : 0;
        for (int row = 0; row < 3; row++)
          {
            away[row] = b[row][3] - a[row][3];
            for (int axis = 0; axis < 3; axis++)
              away[row] += (b[row][axis] - a[row][axis]) * at[axis];
          }
        worst_mm = MAX (worst_mm, sqrt (away[0] * away[0] + away[1] * away[1] + away[2] * away[2]));
        for (int axis = 0; axis < 3; axis++) /* Cramer's rule */
          {
            double column[3][4];

            memcpy (column, a, sizeof column);
            for (int row = 0; row < 3; row++)
              column[row][axis] = away[row];
            worst = MAX (worst, fabs (determinant ((const double (*)[4]) column) / size));
          }
      }
  if (mm != NULL)
    *mm = worst_mm;
  return worst;
}

/* How sample numbers of data become those of a mask: along axis `from[i]` of the data, axis i of
 * the mask grows by `step[i]`. */
typedef struct
{
  int from[3];
  double step[3], begin[3];
} Mapping;

/* Of a sample: coordinates are rounded in files. */
static const double most_apart = 0.25;

/* Row ROW of the matrix from sample numbers of DATA to those of MASK, by Cramer's rule. */
static void
divide (const double mask[3][4], const double data[3][4], int row, double result[4])
{
  for (int column = 0; column < 4; column++)
    {
      double replaced[3][4];

      memcpy (replaced, mask, sizeof replaced);
      for (int i = 0; i < 3; i++)
        replaced[i][row] = data[i][column] - (column == 3 ? mask[i][3] : 0);
      result[column] = determinant ((const double (*)[4]) replaced) / determinant (mask);
    }
}

/* Whether each axis of the mask is one of the data and, in a slice, has the same samples. */
static gboolean
find_mapping (const double mask[3][4], const double data[3][4], const gint64 extent[3],
              Mapping *mapping)
{
  for (int i = 0; i < 3; i++)
    {
      double row[4], aside = 0, step;
      int from = 0;

      divide (mask, data, i, row);
      for (int k = 1; k < 3; k++)
        if (fabs (row[k]) > fabs (row[from]))
          from = k;
      for (int k = 0; k < 3; k++)
        aside += k != from ? fabs (row[k]) * (double) (extent[k] - 1) : 0;
      step = i < 2 ? copysign (1, row[from]) : row[from];
      aside += fabs (row[from] - step) * (double) (extent[from] - 1) +
               (i < 2 ? fabs (row[3] - round (row[3])) : 0);
      if (!(aside <= most_apart * fabs (step)) || !(fabs (row[3]) < farthest_mm))
        return FALSE;
      mapping->from[i] = from;
      mapping->step[i] = step;
      mapping->begin[i] = i < 2 ? round (row[3]) : row[3];
    }
  return mapping->from[0] != mapping->from[1] && mapping->from[0] != mapping->from[2] &&
         mapping->from[1] != mapping->from[2];
}

/* Sets for each of the N slices of the data that of the mask, or -1 if that is empty or there is
 * none.  FALSE: a slice of the mask that is not empty lies between two of the data or beside
 * another one, or those of the mask are too far apart to fill those of the data. */
static gboolean
find_slices (const VgImage *mask, const Mapping *mapping, gint64 n, gint64 *slices)
{
  gsize page = (gsize) mask->info.width * (gsize) mask->info.height;
  double step = mapping->step[2];

  for (gint64 k = 0; k < n; k++)
    slices[k] = -1;
  if (mask->info.slices > 1 && fabs (step) < 1 - most_apart)
    return FALSE;
  for (gint64 s = 0; s < mask->info.slices; s++)
    {
      double at = ((double) s - mapping->begin[2]) / step;
      const guint8 *samples = (const guint8 *) mask->data + (gsize) s * page;

      if (!(at > -0.5 && at < (double) n - 0.5) ||
          (samples[0] == 0 && memcmp (samples, samples + 1, page - 1) == 0))
        continue;
      if (fabs (at - round (at)) > most_apart || slices[(gint64) round (at)] >= 0)
        return FALSE;
      slices[(gint64) round (at)] = s;
    }
  return TRUE;
}

VgImage *
vg_image_place (VgImage *mask, const VgImageInfo *data, GError **error)
{
  const gint64 extent[3] = { data->width, data->height, data->slices };
  VgImageInfo info = mask->info;
  double own[3][4], other[3][4];
  g_autofree gint64 *slices = NULL;
  Mapping mapping;
  VgImage *placed;
  guint8 *to;

  if (!vg_placement_matrix (&mask->info.placement, own) ||
      !vg_placement_matrix (&data->placement, other))
    return vg_image_ref (mask);
  if (find_mapping ((const double (*)[4]) own, (const double (*)[4]) other, extent, &mapping))
    slices = g_new (gint64, extent[mapping.from[2]]);
  if (slices == NULL || !find_slices (mask, &mapping, extent[mapping.from[2]], slices))
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the voxels of \"%s\" are not where those of the data are; draw the region on "
                   "this series, or resample the mask to the grid of the series",
                   mask->name);
      return NULL;
    }
  info.width = data->width;
  info.height = data->height;
  info.slices = data->slices;
  info.placement = data->placement;
  memcpy (info.pixel_size, data->pixel_size, sizeof info.pixel_size);
  g_strlcpy (info.pixel_unit, data->pixel_unit, sizeof info.pixel_unit);
  placed = vg_image_new (&info, mask->name, error);
  if (placed == NULL)
    return NULL;
  to = placed->data;
  for (gint64 z = 0; z < extent[2]; z++)
    for (gint64 y = 0; y < extent[1]; y++)
      for (gint64 x = 0; x < extent[0]; x++)
        {
          const gint64 at[3] = { x, y, z };
          gint64 i = (gint64) mapping.begin[0] + (gint64) mapping.step[0] * at[mapping.from[0]],
                 j = (gint64) mapping.begin[1] + (gint64) mapping.step[1] * at[mapping.from[1]],
                 k = slices[at[mapping.from[2]]];
          gboolean inside = i >= 0 && i < mask->info.width && j >= 0 && j < mask->info.height &&
                            k >= 0;

          *to++ = inside ? ((const guint8 *)
                                mask->data)[(k * mask->info.height + j) * mask->info.width + i]
                         : 0;
        }
  placed->details = g_strdup (mask->details);
  placed->caution = g_strdup (mask->caution);
  return placed;
}
