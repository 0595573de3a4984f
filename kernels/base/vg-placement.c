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

/* How sample numbers of data become those of another image: along axis `from[i]` of the data, axis
 * i of the image grows by `step[i]`. */
typedef struct
{
  int from[3];
  double step[3], begin[3];
} Mapping;

/* Of a sample: coordinates are rounded in files. */
static const double most_apart = 0.25;

/* Row ROW of the matrix from sample numbers of DATA to those of IMAGE, by Cramer's rule. */
static void
divide (const double image[3][4], const double data[3][4], int row, double result[4])
{
  for (int column = 0; column < 4; column++)
    {
      double replaced[3][4];

      memcpy (replaced, image, sizeof replaced);
      for (int i = 0; i < 3; i++)
        replaced[i][row] = data[i][column] - (column == 3 ? image[i][3] : 0);
      result[column] = determinant ((const double (*)[4]) replaced) / determinant (image);
    }
}

/* Whether each axis of the image is one of the data and, in a slice, has the same samples. */
static gboolean
find_mapping (const double image[3][4], const double data[3][4], const gint64 extent[3],
              Mapping *mapping)
{
  for (int i = 0; i < 3; i++)
    {
      double row[4], aside = 0, step;
      int from = 0;

      divide (image, data, i, row);
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

/* Whether the voxels of both have the same numbers. */
static gboolean
is_identity (const Mapping *mapping)
{
  for (int i = 0; i < 3; i++)
    if (mapping->from[i] != i || fabs (mapping->step[i] - 1) > most_apart ||
        fabs (mapping->begin[i]) > most_apart)
      return FALSE;
  return TRUE;
}

static gsize
slice_bytes (const VgImageInfo *info)
{
  return vg_image_info_frame_bytes (info) / (gsize) MAX (info->slices, 1);
}

/* Sets for each of the N slices of the data that of the image, or -1 if that is empty or there is
 * none.  FALSE: a slice of the image that is not empty lies between two of the data or beside
 * another one, or those of the image are too far apart to fill those of the data.  WHOLE: no slice
 * counts as empty. */
static gboolean
find_slices (const VgImage *image, const Mapping *mapping, gboolean whole, gint64 n, gint64 *slices)
{
  gsize page = slice_bytes (&image->info);
  double step = mapping->step[2];

  for (gint64 k = 0; k < n; k++)
    slices[k] = -1;
  if (image->info.slices > 1 && fabs (step) < 1 - most_apart)
    return FALSE;
  for (gint64 s = 0; s < image->info.slices; s++)
    {
      double at = ((double) s - mapping->begin[2]) / step;
      const guint8 *samples = (const guint8 *) image->data + (gsize) s * page;

      if (!(at > -0.5 && at < (double) n - 0.5) ||
          (!whole && samples[0] == 0 && memcmp (samples, samples + 1, page - 1) == 0))
        continue;
      if (fabs (at - round (at)) > most_apart || slices[(gint64) round (at)] >= 0)
        return FALSE;
      slices[(gint64) round (at)] = s;
    }
  return TRUE;
}

/* The number along axis I in a slice of the image, of a sample of the data. */
static gint64
number_in_slice (const Mapping *mapping, int i, const gint64 at[3])
{
  return (gint64) mapping->begin[i] + (gint64) mapping->step[i] * at[mapping->from[i]];
}

/* Whether the image has a sample for each of the data. */
static gboolean
covers (const VgImageInfo *image, const Mapping *mapping, const gint64 *slices,
        const gint64 extent[3])
{
  const gint64 first[3] = { 0 }, last[3] = { extent[0] - 1, extent[1] - 1, extent[2] - 1 };
  const gint64 size[2] = { image->width, image->height };

  for (int i = 0; i < 2; i++)
    if (MIN (number_in_slice (mapping, i, first), number_in_slice (mapping, i, last)) < 0 ||
        MAX (number_in_slice (mapping, i, first), number_in_slice (mapping, i, last)) >= size[i])
      return FALSE;
  for (gint64 k = 0; k < extent[mapping->from[2]]; k++)
    if (slices[k] < 0)
      return FALSE;
  return TRUE;
}

/* Copies frame FRAME of the image. */
static void
copy_samples (const VgImage *image, gint64 frame, const Mapping *mapping, const gint64 *slices,
              const gint64 extent[3], VgImage *placed)
{
  const VgImageInfo *info = &image->info;
  gsize bytes = slice_bytes (info) / ((gsize) info->width * (gsize) info->height);
  const guint8 *from = (const guint8 *) image->data +
                       (gsize) frame * vg_image_info_frame_bytes (info);
  guint8 *to = (guint8 *) placed->data + (gsize) frame * vg_image_info_frame_bytes (&placed->info);

  for (gint64 z = 0; z < extent[2]; z++)
    for (gint64 y = 0; y < extent[1]; y++)
      for (gint64 x = 0; x < extent[0]; x++, to += bytes)
        {
          const gint64 at[3] = { x, y, z };
          gint64 i = number_in_slice (mapping, 0, at), j = number_in_slice (mapping, 1, at),
                 k = slices[at[mapping->from[2]]];

          if (i >= 0 && i < info->width && j >= 0 && j < info->height && k >= 0)
            memcpy (to, from + (gsize) ((k * info->height + j) * info->width + i) * bytes, bytes);
          else
            memset (to, 0, bytes);
        }
}

VgImage *
vg_image_place (VgImage *image, const VgImageInfo *data, gboolean whole, GError **error)
{
  const gint64 extent[3] = { data->width, data->height, data->slices };
  gboolean sized = image->info.width == data->width && image->info.height == data->height &&
                   image->info.slices == data->slices;
  VgImageInfo info = image->info;
  double own[3][4], other[3][4];
  g_autofree gint64 *slices = NULL;
  gboolean found;
  Mapping mapping;
  VgImage *placed;

  if (!vg_placement_matrix (&image->info.placement, own) ||
      !vg_placement_matrix (&data->placement, other) || image->info.bins != 1)
    return vg_image_ref (image);
  found = find_mapping ((const double (*)[4]) own, (const double (*)[4]) other, extent, &mapping);
  if (sized &&
      (found ? is_identity (&mapping)
             : vg_placement_apart (&data->placement, &image->info.placement, extent, NULL) <= 0.5))
    return vg_image_ref (image);
  if (found)
    {
      slices = g_new (gint64, extent[mapping.from[2]]);
      found = find_slices (image, &mapping, whole || image->info.frames > 1,
                           extent[mapping.from[2]], slices) &&
              (!whole || covers (&image->info, &mapping, slices, extent));
    }
  if (!found)
    {
      g_set_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT,
                   "the voxels of \"%s\" (%dx%dx%" G_GINT64_FORMAT
                   ") do not coincide with those of the data (%dx%dx%" G_GINT64_FORMAT
                   "); resample the file to the grid of the series, or correct its position",
                   image->name, image->info.width, image->info.height, image->info.slices,
                   data->width, data->height, data->slices);
      return NULL;
    }
  info.width = data->width;
  info.height = data->height;
  info.slices = data->slices;
  info.placement = data->placement;
  memcpy (info.pixel_size, data->pixel_size, sizeof info.pixel_size);
  g_strlcpy (info.pixel_unit, data->pixel_unit, sizeof info.pixel_unit);
  placed = vg_image_new (&info, image->name, error);
  if (placed == NULL)
    return NULL;
  for (gint64 frame = 0; frame < MAX (info.frames, 1); frame++)
    copy_samples (image, frame, &mapping, slices, extent, placed);
  if (image->flips_deg != NULL)
    placed->flips_deg = g_memdup2 (image->flips_deg, (gsize) info.frames * sizeof (double));
  if (image->inversions_ms != NULL)
    placed->inversions_ms = g_memdup2 (image->inversions_ms, (gsize) info.frames * sizeof (double));
  if (image->times_s != NULL)
    placed->times_s = g_memdup2 (image->times_s, (gsize) info.frames * sizeof (double));
  placed->details = g_strdup (image->details);
  placed->caution = g_strdup (image->caution);
  return placed;
}
