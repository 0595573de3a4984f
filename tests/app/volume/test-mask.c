/* SPDX-License-Identifier: MIT */
/* Masks painted in a volume: brush, eraser, fill, undo, and files. */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include "app/volume/vg-mask.h"
#include "io/write/vg-output-file.h"
#include "kernels/base/vg-error.h"

enum { WIDTH = 9, HEIGHT = 8, SLICES = 5, N = WIDTH * HEIGHT * SLICES };

static const VgOrientation unknown = { .known = FALSE };

/* Voxels of 1 x 1 x 2 mm. */
static VgImageInfo
make_info (void)
{
  VgImageInfo info = vg_image_info_grey (VG_F32, WIDTH, HEIGHT);

  info.slices = SLICES;
  info.pixel_size[0] = info.pixel_size[1] = 1;
  info.pixel_size[2] = 2;
  g_strlcpy (info.pixel_unit, "mm", sizeof info.pixel_unit);
  return info;
}

static VgMask *
make_mask (VgSection *section, VgSectionKind kind)
{
  VgImageInfo info = make_info ();
  VgPlane plane = { .width = WIDTH, .height = HEIGHT, .slices = SLICES };
  VgVolumeGrid grid;
  g_autoptr (GError) error = NULL;
  VgMask *mask;

  vg_volume_grid_init (&grid, &plane, &info);
  vg_section_init (section, kind, &unknown, FALSE);
  mask = vg_mask_new (&grid, &error);
  g_assert_no_error (error);
  return mask;
}

static gboolean
has (const VgMask *mask, int x, int y, int z)
{
  return vg_mask_get_voxels (mask)[(z * HEIGHT + y) * WIDTH + x] == 1;
}

/* A disc stays in its section; a ball of 2 mm reaches one slice of 2 mm further. */
static void
test_brush (void)
{
  const VgBrush disc = { .radius = 2 }, ball = { .radius = 2, .ball = TRUE };
  const int at[] = { 4, 4, 2 };
  VgSection section;
  VgMask *mask = make_mask (&section, VG_SECTION_AXIAL);

  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, at, &disc, NULL);
  g_assert_cmpuint (vg_mask_count (mask), ==, 13);
  g_assert_true (has (mask, 4, 2, 2) && !has (mask, 3, 2, 2) && !has (mask, 4, 4, 1));
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, at, &ball, NULL);
  g_assert_cmpuint (vg_mask_count (mask), ==, 15);
  g_assert_true (has (mask, 4, 4, 1) && has (mask, 4, 4, 3));
  vg_mask_free (mask);

  mask = make_mask (&section, VG_SECTION_SAGITTAL); /* a disc across the slices */
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, at, &disc, NULL);
  g_assert_cmpuint (vg_mask_count (mask), ==, 7);
  g_assert_true (has (mask, 4, 4, 1) && !has (mask, 3, 4, 2));
  vg_mask_free (mask);
}

static void
test_strokes (void)
{
  const VgBrush brush = { .radius = 0 }, eraser = { .radius = 1, .erase = TRUE };
  const int from[] = { 1, 1, 0 }, to[] = { 7, 1, 0 }, middle[] = { 4, 1, 0 };
  VgSection section;
  VgMask *mask = make_mask (&section, VG_SECTION_AXIAL);

  g_assert_false (vg_mask_can_undo (mask));
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, from, &brush, NULL);
  vg_mask_paint_line (mask, &section, from, to, &brush, NULL);
  g_assert_cmpuint (vg_mask_count (mask), ==, 7); /* without gaps */
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, middle, &eraser, NULL);
  g_assert_cmpuint (vg_mask_count (mask), ==, 4);
  g_assert_false (has (mask, 4, 1, 0) || has (mask, 5, 1, 0));
  vg_mask_begin (mask); /* a stroke without effect is no step */
  vg_mask_undo (mask);
  g_assert_cmpuint (vg_mask_count (mask), ==, 7);
  vg_mask_clear (mask);
  g_assert_cmpuint (vg_mask_count (mask), ==, 0);
  vg_mask_undo (mask);
  g_assert_cmpuint (vg_mask_count (mask), ==, 7);
  vg_mask_undo (mask);
  g_assert_cmpuint (vg_mask_count (mask), ==, 0);
  g_assert_false (vg_mask_can_undo (mask));
  vg_mask_undo (mask); /* there is nothing more */
  g_assert_cmpuint (vg_mask_count (mask), ==, 0);
  vg_mask_free (mask);
}

/* A bright column through all slices, beside a bright voxel that touches it at an edge only. */
static void
test_fill (void)
{
  VgBrush brush = { .limited = TRUE, .low = 50, .high = 150 };
  const int at[] = { 4, 4, 2 }, dark[] = { 0, 0, 0 };
  float values[N] = { 0 };
  VgSection section;
  VgMask *mask = make_mask (&section, VG_SECTION_AXIAL);
  g_autoptr (GError) error = NULL;

  for (int z = 0; z < SLICES; z++)
    for (int i = 0; i < 4; i++)
      values[(z * HEIGHT + 4 + i / 2) * WIDTH + 4 + i % 2] = 100;
  values[(2 * HEIGHT + 3) * WIDTH + 3] = 100;
  values[(4 * HEIGHT + 4) * WIDTH + 4] = NAN;
  g_assert_true (vg_mask_fill (mask, &section, at, &brush, values, &error));
  g_assert_cmpuint (vg_mask_count (mask), ==, 4);
  brush.ball = TRUE;
  g_assert_true (vg_mask_fill (mask, &section, at, &brush, values, &error));
  g_assert_cmpuint (vg_mask_count (mask), ==, 4 * SLICES - 1);
  g_assert_false (has (mask, 3, 3, 2));
  vg_mask_undo (mask);
  g_assert_cmpuint (vg_mask_count (mask), ==, 4);
  g_assert_false (vg_mask_fill (mask, &section, dark, &brush, values, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_assert_cmpuint (vg_mask_count (mask), ==, 4);
  brush.radius = 3; /* the brush paints within the limits too */
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, (const int[]){ 3, 3, 2 }, &brush, values);
  g_assert_true (has (mask, 3, 3, 2) && !has (mask, 2, 3, 2));
  vg_mask_free (mask);
}

static void
test_files (void)
{
  const VgBrush brush = { .radius = 2, .ball = TRUE };
  VgImageInfo info = make_info (), other = info;
  VgSection section;
  VgMask *mask = make_mask (&section, VG_SECTION_AXIAL),
         *again = make_mask (&section, VG_SECTION_AXIAL), *smaller;
  VgPlane plane = { .width = WIDTH, .height = HEIGHT, .slices = SLICES - 1 };
  VgVolumeGrid grid;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("vg-mask-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mask.nii.gz", NULL);

  g_assert_false (vg_mask_save (mask, &info, path, &error)); /* it is empty */
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_clear_error (&error);
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, (const int[]){ 2, 5, 3 }, &brush, NULL);
  g_assert_true (vg_mask_save (mask, &info, path, &error));
  g_assert_no_error (error);
  g_assert_true (vg_mask_load (again, path, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (vg_mask_get_voxels (again), N, vg_mask_get_voxels (mask), N);
  vg_mask_undo (again);
  g_assert_cmpuint (vg_mask_count (again), ==, 0);

  other.slices = SLICES - 1;
  vg_volume_grid_init (&grid, &plane, &other);
  smaller = vg_mask_new (&grid, &error);
  g_assert_false (vg_mask_load (smaller, path, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "9x8x5, but the data are 9x8x4"));
  g_clear_error (&error);
  g_unlink (path);
  g_assert_false (vg_mask_load (again, path, &error));
  g_assert_nonnull (error);
  g_rmdir (folder);
  vg_mask_free (smaller);
  vg_mask_free (again);
  vg_mask_free (mask);
}

static void
write_empty (const VgImageInfo *info, const char *path)
{
  VgImageInfo one = *info;
  const float zeros[N] = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgNiftiWriter) writer = NULL;

  one.frames = 1;
  writer = vg_nifti_writer_new (path, &one, "empty", &error);
  g_assert_true (vg_nifti_writer_add (writer, zeros, N, &error));
  g_assert_true (vg_nifti_writer_commit (writer, &error));
}

/* A mask that is drawn in a series of volumes is one volume; it lies where its positions say, and
 * one that lies elsewhere is refused. */
static void
test_placed_files (void)
{
  const VgBrush brush = { .radius = 2, .ball = TRUE };
  VgImageInfo info = make_info ();
  VgPlane plane = { .width = WIDTH, .height = HEIGHT, .slices = SLICES };
  VgVolumeGrid grid;
  VgSection section;
  VgMask *mask, *turned, *other;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("vg-mask-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mask.nii.gz", NULL);

  info.frames = 7;
  info.placement = (VgPlacement){ .known = TRUE,
                                  .sform_code = 1,
                                  .pixdim = { 1, 1, 1, 2 },
                                  .unit = 2,
                                  .srow = { { 1, 0, 0, 5 }, { 0, 1, 0, 6 }, { 0, 0, 2, 7 } } };
  vg_volume_grid_init (&grid, &plane, &info);
  g_assert_true (grid.placed);
  vg_section_init (&section, VG_SECTION_AXIAL, &unknown, FALSE);
  mask = vg_mask_new (&grid, &error);
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, (const int[]){ 2, 5, 3 }, &brush, NULL);
  g_assert_true (vg_mask_save (mask, &info, path, &error));
  vg_mask_clear (mask);
  g_assert_true (vg_mask_load (mask, path, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (vg_mask_count (mask), >, 0);

  info.placement.srow[0][0] = -1; /* the same voxels from the other side */
  info.placement.srow[0][3] = 5 + WIDTH - 1;
  vg_volume_grid_init (&grid, &plane, &info);
  turned = vg_mask_new (&grid, &error);
  g_assert_true (vg_mask_load (turned, path, &error));
  for (int z = 0; z < SLICES; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        g_assert_cmpint (vg_mask_get_voxels (turned)[(z * HEIGHT + y) * WIDTH + x], ==,
                         vg_mask_get_voxels (mask)[(z * HEIGHT + y) * WIDTH + WIDTH - 1 - x]);
  vg_mask_free (turned);

  info.placement.srow[0][3] = -100;
  vg_volume_grid_init (&grid, &plane, &info);
  other = vg_mask_new (&grid, &error);
  g_assert_false (vg_mask_load (other, path, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "lies outside the data"));
  g_assert_cmpuint (vg_mask_count (other), ==, 0);
  g_clear_error (&error);
  info.placement.srow[0][3] = 5 + WIDTH - 1;
  write_empty (&info, path);
  g_assert_false (vg_mask_load (other, path, &error));
  g_assert_nonnull (strstr (error->message, "is empty: every voxel is 0"));
  g_unlink (path);
  g_rmdir (folder);
  vg_mask_free (other);
  vg_mask_free (mask);
}

static void
test_measure (void)
{
  const VgBrush brush = { .radius = 0 };
  const int from[] = { 0, 0, 0 }, to[] = { 3, 0, 0 };
  float values[N] = { 1, 2, NAN, 6 };
  VgSection section;
  VgMask *mask = make_mask (&section, VG_SECTION_AXIAL);
  double mean, sd;

  g_assert_false (vg_mask_measure (mask, values, &mean, &sd));
  vg_mask_begin (mask);
  vg_mask_paint (mask, &section, from, &brush, NULL);
  vg_mask_paint_line (mask, &section, from, to, &brush, NULL);
  g_assert_true (vg_mask_measure (mask, values, &mean, &sd));
  g_assert_cmpfloat (mean, ==, 3);
  g_assert_cmpfloat_with_epsilon (sd, sqrt (7), 1e-12);
  vg_mask_free (mask);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mask/brush", test_brush);
  g_test_add_func ("/mask/strokes", test_strokes);
  g_test_add_func ("/mask/fill", test_fill);
  g_test_add_func ("/mask/files", test_files);
  g_test_add_func ("/mask/placed-files", test_placed_files);
  g_test_add_func ("/mask/measure", test_measure);
  return g_test_run ();
}
