/* SPDX-License-Identifier: MIT */
/* Regions from label masks: each holds the pixels of its label and no other. */
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include "app/region/vg-region-file.h"
#include "app/region/vg-region-labels.h"
#include "kernels/base/vg-statistics.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static VgImage *
mask_new (int width, int height, VgType type)
{
  VgImageInfo info = { .type = type,
                       .width = width,
                       .height = height,
                       .channels = 1,
                       .bins = 1,
                       .slices = 1,
                       .frames = 1 };
  VgImage *image = vg_image_new (&info, "mask", NULL);

  g_assert_nonnull (image);
  return image;
}

static void
put (VgImage *mask, int x, int y, guint32 number)
{
  gsize i = (gsize) y * (gsize) mask->info.width + (gsize) x;

  if (mask->info.type == VG_U8)
    ((guint8 *) mask->data)[i] = (guint8) number;
  else if (mask->info.type == VG_U16)
    ((guint16 *) mask->data)[i] = (guint16) number;
  else
    ((guint32 *) mask->data)[i] = number;
}

/* Pixels that are on the wrong side of the region that NUMBER became. */
static int
count_wrong (const VgImage *mask, const VgNamedRegion *region, guint32 number)
{
  int width = mask->info.width, height = mask->info.height, wrong = 0;
  g_autofree guint8 *inside = vg_region_mask (&region->region, 0, 0, width, height);

  for (int i = 0; i < width * height; i++)
    wrong += (inside[i] != 0) != (vg_image_sample (mask, (gsize) i) == number);
  return wrong;
}

static guint32
number_of (const VgNamedRegion *region)
{
  g_assert_true (g_str_has_prefix (region->name, "Label "));
  return (guint32) g_ascii_strtoull (region->name + 6, NULL, 10);
}

static void
check_exact (const VgImage *mask, guint expected)
{
  g_autoptr (GError) error = NULL;
  VgSimplified simplified = { 0 };
  g_autoptr (GPtrArray) regions = vg_region_labels (mask, "mask", 65535, &simplified, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (simplified.outlines, ==, 0);
  g_assert_null (vg_simplified_describe (&simplified, "mask"));
  g_assert_cmpuint (regions->len, ==, expected);
  for (guint i = 0; i < regions->len; i++)
    {
      const VgNamedRegion *region = regions->pdata[i];
      g_autofree char *text = vg_region_format (&region->region);
      VgRegion again;

      g_assert_cmpint (count_wrong (mask, region, number_of (region)), ==, 0);
      g_assert_cmpint (region->region.n_points, <=, VG_REGION_MAX_POINTS);
      /* as it is in a session */
      g_assert_true (vg_region_parse (&again, text, NULL));
      g_assert_true (vg_region_equal (&again, &region->region));
    }
}

/* Cells that touch, one with a hole, one in pieces, one pixel, the picture's corners. */
static void
test_shapes (void)
{
  static const char *const rows[] = {
    "aab......c", "a.b.dd..cc", "aab.dd.c.c", "...ddd...c", "f..d....c.",
    "ff.....c..", "f.f..eee.c", ".f...e.e..", "f.....ee.g", ".......e.g",
  };

  for (VgType type = VG_U8; type <= VG_U32; type++)
    {
      g_autoptr (VgImage) mask = mask_new (10, 10, type);
      guint32 scale = type == VG_U32 ? 1000000 : 1;

      for (int y = 0; y < 10; y++)
        for (int x = 0; x < 10; x++)
          put (mask, x, y, rows[y][x] == '.' ? 0 : (guint32) (rows[y][x] - 'a' + 1) * scale);
      check_exact (mask, 7);
    }
}

/* Discs of all sizes up to what a cell is, side by side. */
static void
test_discs (void)
{
  g_autoptr (VgImage) mask = mask_new (640, 480, VG_U16);
  guint32 number = 0;

  for (int cy = 40; cy < 480; cy += 80)
    for (int cx = 40; cx < 640; cx += 80)
      {
        double radius = 1 + 38 * fmod (++number * 0.618, 1);

        for (int y = cy - 40; y < cy + 40; y++)
          for (int x = cx - 40; x < cx + 40; x++)
            if (hypot (x - cx, 1.3 * (y - cy)) < radius)
              put (mask, x, y, number);
      }
  check_exact (mask, number);
}

/* Any small picture at random, also noise. */
static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (4);

  for (int round = 0; round < 300; round++)
    {
      g_autoptr (VgImage) mask = mask_new (g_rand_int_range (random, 1, 9),
                                           g_rand_int_range (random, 1, 9), VG_U16);
      gboolean seen[5] = { FALSE };
      guint n = 0;

      for (int y = 0; y < mask->info.height; y++)
        for (int x = 0; x < mask->info.width; x++)
          {
            int number = g_rand_int_range (random, 0, 4);

            put (mask, x, y, (guint32) number);
            n += number > 0 && !seen[number];
            seen[number] = TRUE;
          }
      if (n > 0)
        check_exact (mask, n);
    }
  g_rand_free (random);
}

/* More corners than a region has: nearly the label, and it is told. */
static void
test_ragged (void)
{
  g_autoptr (VgImage) mask = mask_new (400, 400, VG_U16);
  g_autoptr (GError) error = NULL;
  VgSimplified simplified = { 0 };
  g_autofree char *note = NULL;
  g_autoptr (GPtrArray) regions = NULL;
  int pixels = 0;

  for (int y = 0; y < 400; y++)
    for (int x = 0; x < 400; x++)
      {
        double angle = atan2 (y - 200, x - 200);

        if (hypot (x - 200, y - 200) < 150 + 12 * sin (60 * angle))
          {
            put (mask, x, y, 3);
            pixels++;
          }
      }
  regions = vg_region_labels (mask, "mask.tif", 65535, &simplified, &error);
  g_assert_no_error (error);
  note = vg_simplified_describe (&simplified, "mask.tif");
  g_assert_nonnull (strstr (note, "\"mask.tif\": "));
  g_assert_cmpuint (simplified.outlines, ==, 1);
  g_assert_cmpint (simplified.labelled, ==, pixels);
  g_assert_cmpint (count_wrong (mask, regions->pdata[0], 3), ==, simplified.wrong);
  g_assert_cmpint (simplified.wrong, <, pixels / 20);
}

/* Masks of which a program outlines the pixels one by one: a disc with a rough edge and specks, a
 * disc with sixty holes, a square whose edges are combs. */
static gboolean
is_in_ragged (int kind, int x, int y, GRand *random)
{
  double away = hypot (x - 80, y - 80);

  if (kind == 0)
    return away < 62 + g_rand_double_range (random, -2, 2);
  if (kind == 1)
    return away < 62 && !(x % 12 < 2 && y % 12 < 2 && away < 55);
  return x >= 40 && x < 112 && y >= 40 && y < 112 && ((x > 42 && x < 109) || y % 2 == 0) &&
         ((y > 42 && y < 109) || x % 2 == 0);
}

/* The outline of a setting's mask holds about as many voxels, and the remark tells how many. */
static void
test_ragged_masks (void)
{
  for (int kind = 0; kind < 3; kind++)
    {
      g_autoptr (VgImage) mask = mask_new (160, 160, VG_U8);
      GRand *random = g_rand_new_with_seed (7);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) regions = NULL;
      g_autofree guint8 *inside = NULL;
      g_autofree char *note = NULL, *told = NULL;
      VgSimplified simplified = { 0 };
      int voxels = 0, outlined = 0;

      for (int i = 0; i < 160 * 160; i++)
        if (is_in_ragged (kind, i % 160, i / 160, random))
          {
            put (mask, i % 160, i / 160, 1);
            voxels++;
          }
      g_rand_free (random);
      regions = vg_region_file_outline (mask, "Liver", &simplified, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (regions->len, ==, 1);
      inside = vg_region_mask (&((VgNamedRegion *) regions->pdata[0])->region, 0, 0, 160, 160);
      for (int i = 0; i < 160 * 160; i++)
        outlined += inside[i];
      g_test_message ("mask %d: %d of %d voxels, %d wrong", kind, outlined, voxels,
                      (int) simplified.wrong);
      g_assert_cmpint (ABS (outlined - voxels), <=, voxels / 50);
      note = vg_simplified_describe (&simplified, "Liver");
      told = g_strdup_printf ("hold %d voxels instead of %d", outlined, voxels);
      g_assert_nonnull (note);
      g_assert_nonnull (strstr (note, told));
    }
}

/* The pages of a TIFF are the slices of a setting's mask, as those of a NIfTI file are. */
static void
test_pages (void)
{
  g_autoptr (GPtrArray) regions = NULL;
  g_autoptr (GError) error = NULL;
  VgSimplified simplified = { 0 };
  VgImageInfo info = vg_image_info_grey (VG_U8, 5, 4);
  g_autoptr (VgImage) mask = NULL;

  info.frames = 3;
  mask = vg_image_new (&info, "pages", &error);
  for (int z = 0; z < 3; z++)
    ((guint8 *) mask->data)[20 * z + 5 + z] = 1;
  regions = vg_region_file_outline (mask, "Liver", &simplified, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (regions->len, ==, 3);
  for (int z = 0; z < 3; z++)
    {
      const VgNamedRegion *region = regions->pdata[z];
      g_autofree guint8 *inside = vg_region_mask (&region->region, 0, 0, 5, 4);

      g_assert_cmpint (region->region.slice, ==, z);
      for (int i = 0; i < 20; i++)
        g_assert_cmpint (inside[i], ==, i == 5 + z);
    }
}

/* Thousands of cells in one go. */
static void
test_many (void)
{
  g_autoptr (VgImage) mask = mask_new (1500, 1500, VG_U16);
  guint32 number = 0;

  for (int cy = 0; cy < 1500; cy += 15)
    for (int cx = 0; cx < 1500; cx += 15)
      {
        number++;
        for (int y = cy; y < cy + 14; y++)
          for (int x = cx; x < cx + 14 - (int) (number % 5); x++)
            put (mask, x, y, number);
      }
  {
    g_autoptr (GError) error = NULL;
    VgSimplified simplified = { 0 };
    g_autoptr (GPtrArray) regions = vg_region_labels (mask, "mask", 65535, &simplified, &error);
    g_autoptr (GError) many = NULL;

    g_assert_no_error (error);
    g_assert_cmpuint (regions->len, ==, number);
    for (guint i = 0; i < regions->len; i += 397)
      g_assert_cmpint (count_wrong (mask, regions->pdata[i], i + 1), ==, 0);
    g_assert_null (vg_region_labels (mask, "mask", 256, &simplified, &many));
    fixture_assert_message (many, "more than 256 labels");
  }
}

/* From files: masks, lists, and what is neither or would be waited for for ever. */
static void
test_files (void)
{
  char *folder = fixture_folder ();
  g_autofree char *tiff = g_build_filename (folder, "labels.tif", NULL),
                  *fractions = g_build_filename (folder, "fractions.tif", NULL);
  g_autofree char *list = g_build_filename (folder, "list.txt", NULL),
                  *pipe = g_build_filename (folder, "pipe", NULL);
  static const char *const endless[] = { "/dev/zero", "/proc/kmsg" };
  TiffVariant variant = fixture_variant (9, 5, 1);
  g_autofree double *values = NULL;
  g_autoptr (GPtrArray) regions = NULL;
  g_autoptr (GPtrArray) texts = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  int size[2] = { -1, -1 };

  variant.bits = 8;
  values = fixture_write_tiff (tiff, &variant, 2);
  regions = vg_region_file_load (tiff, 65535, NULL, size, &note, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (regions->len, >, 10);
  g_assert_cmpint (size[0], ==, 9);
  g_assert_cmpint (size[1], ==, 5);
  g_assert_true (g_file_set_contents (list, "rect:1,2,3,4 cell\n", -1, NULL));
  texts = vg_region_file_load (list, 65535, NULL, size, &note, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (((VgNamedRegion *) texts->pdata[0])->name, ==, "cell");
  g_assert_cmpint (size[0], ==, 0);
  variant.bits = 32;
  variant.format = 3;
  g_free (fixture_write_tiff (fractions, &variant, 2));
  g_assert_null (vg_region_file_load (fractions, 65535, NULL, size, &note, &error));
  fixture_assert_message (error, "is not a label mask");
  g_clear_error (&error);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_null (vg_region_file_load (pipe, 65535, NULL, size, &note, &error));
  fixture_assert_message (error, "pipe");
  for (guint i = 0; i < G_N_ELEMENTS (endless); i++)
    {
      g_autoptr (GError) local = NULL;

      g_assert_null (vg_region_file_load (endless[i], 65535, NULL, size, &note, &local));
      g_assert_nonnull (local);
    }
  fixture_remove_folder (folder);
}

/* A mask of 5 x 4 x 3 voxels of signed 16-bit numbers, whose x runs against that of the data if
 * TURNED, and N voxels of it. */
typedef struct
{
  int x, y, z, label;
} Voxel;

static char *
write_mask (const char *folder, const char *name, gboolean turned, const Voxel *voxels, guint n)
{
  enum { HEADER = 352, SFORM_CODE = 254, SROW = 280 };
  char *path = g_build_filename (folder, name, NULL);
  NiftiVariant variant = fixture_nifti_variant (5, 4, 3, 1);
  g_autoptr (GByteArray) bytes = NULL;

  variant.type = 4;
  bytes = fixture_nifti (&variant, 1, NULL);
  memset (bytes->data + HEADER, 0, bytes->len - HEADER);
  for (guint i = 0; i < n; i++)
    {
      const Voxel *it = &voxels[i];

      bytes->data[HEADER + 2 * ((it->z * 4 + it->y) * 5 + it->x)] = (guint8) it->label;
    }
  fixture_nifti_put (bytes, &variant, SFORM_CODE, 1, 2);
  for (guint i = 0; i < 12; i++)
    fixture_nifti_real (bytes, &variant, SROW + 4 * i, i % 5 == 0 ? 1 : 0);
  if (turned)
    {
      fixture_nifti_real (bytes, &variant, SROW, -1);
      fixture_nifti_real (bytes, &variant, SROW + 12, 4);
    }
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  return path;
}

static void
assert_pixels (const VgNamedRegion *named, const char *name, int slice, int x0, int x1, int y)
{
  g_autofree guint8 *inside = vg_region_mask (&named->region, 0, 0, 5, 4);

  g_assert_cmpstr (named->name, ==, name);
  g_assert_cmpint (named->region.slice, ==, slice);
  for (int i = 0; i < 20; i++)
    g_assert_cmpint (inside[i], ==, i / 5 == y && i % 5 >= x0 && i % 5 <= x1);
}

/* The labels of a volume become regions in the slices of the data, whichever way its axes run. */
static void
test_volume (void)
{
  static const Voxel voxels[] = { { 1, 1, 0, 2 }, { 2, 1, 0, 2 }, { 4, 2, 2, 5 } },
                     one[] = { { 0, 0, 1, 1 }, { 0, 0, 2, 1 } };
  char *folder = fixture_folder ();
  g_autofree char *turned = write_mask (folder, "turned.nii", TRUE, voxels, 3),
                  *single = write_mask (folder, "liver.nii", FALSE, one, 2),
                  *empty = write_mask (folder, "empty.nii", FALSE, NULL, 0), *note = NULL;
  VgImageInfo data = vg_image_info_grey (VG_F32, 5, 4);
  g_autoptr (GPtrArray) regions = NULL;
  g_autoptr (GError) error = NULL;
  int size[2];

  data.slices = 3;
  data.placement = (VgPlacement){ .known = TRUE, .sform_code = 1, .unit = 2 };
  for (int axis = 0; axis < 3; axis++)
    data.placement.srow[axis][axis] = 1;
  regions = vg_region_file_load (turned, 100, &data, size, &note, &error);
  g_assert_no_error (error);
  g_assert_null (note);
  g_assert_cmpuint (regions->len, ==, 2);
  assert_pixels (regions->pdata[0], "Label 2", 0, 2, 3, 1);
  assert_pixels (regions->pdata[1], "Label 5", 2, 0, 0, 2);
  g_clear_pointer (&regions, g_ptr_array_unref);

  regions = vg_region_file_load (single, 100, &data, size, &note, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (regions->len, ==, 2);
  assert_pixels (regions->pdata[0], "liver (slice 2)", 1, 0, 0, 0);
  assert_pixels (regions->pdata[1], "liver (slice 3)", 2, 0, 0, 0);
  g_clear_pointer (&regions, g_ptr_array_unref);

  /* elsewhere in the patient */
  data.placement.srow[0][3] = 100;
  g_assert_null (vg_region_file_load (turned, 100, &data, size, &note, &error));
  fixture_assert_message (error, "choose the mask of this series");
  g_clear_error (&error);
  g_assert_null (vg_region_file_load (empty, 100, &data, size, &note, &error));
  fixture_assert_message (error, "has no labels");
  g_clear_error (&error);
  g_assert_null (vg_region_file_load (single, 1, NULL, size, &note, &error));
  fixture_assert_message (error, "more than 1 regions");
  fixture_remove_folder (folder);
}

/* Regions of an option are separated by semicolons, as the points of a polygon are. */
static void
test_option (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) regions = NULL;
  static const char *const names[] = { "left; vessel", "Region 2", "tissue" };

  g_assert_true (vg_region_file_is_list ("rect:1,2,3,4;rect:5,6,7,8"));
  g_assert_false (vg_region_file_is_list ("rect:1,2,3,4;vessel"));
  regions = vg_region_file_parse (
      "rect:1,2,3,4 left; vessel; polygon:0,0;9,0;9,9;ellipse:9,9,4,4 tissue", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (regions->len, ==, G_N_ELEMENTS (names));
  for (guint i = 0; i < regions->len; i++)
    g_assert_cmpstr (((VgNamedRegion *) regions->pdata[i])->name, ==, names[i]);
  g_assert_null (vg_region_file_parse ("rect:1,2,3,4 a;rect:5,6,7 b", &error));
  g_assert_nonnull (strstr (error->message, "line 2"));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-labels/shapes", test_shapes);
  g_test_add_func ("/region-labels/discs", test_discs);
  g_test_add_func ("/region-labels/random", test_random);
  g_test_add_func ("/region-labels/ragged", test_ragged);
  g_test_add_func ("/region-labels/ragged-masks", test_ragged_masks);
  g_test_add_func ("/region-labels/pages", test_pages);
  g_test_add_func ("/region-labels/many", test_many);
  g_test_add_func ("/region-labels/files", test_files);
  g_test_add_func ("/region-labels/volume", test_volume);
  g_test_add_func ("/region-labels/option", test_option);
  return g_test_run ();
}
