/* SPDX-License-Identifier: MIT */
/* Sections through a volume: their axes, samples, sizes and the positions of voxels. */
#include "kernels/base/vg-length.h"
#include "app/volume/vg-section.h"

enum { WIDTH = 5, HEIGHT = 4, SLICES = 3 };

static float
value_at (int x, int y, int z)
{
  return (float) (100 * z + 10 * y + x);
}

static VgVolumeGrid
make_grid (const VgPlacement *placement)
{
  VgImageInfo info = vg_image_info_grey (VG_F32, WIDTH, HEIGHT);
  VgPlane plane = { .width = WIDTH, .height = HEIGHT, .slices = SLICES };
  VgVolumeGrid grid;

  info.slices = SLICES;
  info.pixel_size[0] = info.pixel_size[1] = 2;
  info.pixel_size[2] = 5;
  g_strlcpy (info.pixel_unit, "mm", sizeof info.pixel_unit);
  if (placement != NULL)
    info.placement = *placement;
  vg_volume_grid_init (&grid, &plane, &info);
  return grid;
}

/* Columns lead to the patient's left, rows to the back, slices to the head. */
static VgPlacement
to_left_and_back (void)
{
  return (VgPlacement){ .known = TRUE,
                        .sform_code = 1,
                        .unit = 2,
                        .srow = { { -2, 0, 0, 4 }, { 0, -2, 0, 10 }, { 0, 0, 5, -5 } } };
}

static void
check_section (const VgSection *section, int across, int down, int through, const char *sides)
{
  const char seen[] = { section->sides[0][0], section->sides[0][1], section->sides[1][0],
                        section->sides[1][1], '\0' };

  g_assert_cmpint (section->axis[0], ==, across);
  g_assert_cmpint (section->axis[1], ==, down);
  g_assert_cmpint (section->axis[2], ==, through);
  g_assert_cmpstr (seen, ==, sides);
}

static void
test_axes (void)
{
  VgPlacement placement = to_left_and_back ();
  VgOrientation orientation, unknown = { 0 };
  VgSection section;

  vg_placement_orientation (&placement, &orientation);
  vg_section_init (&section, VG_SECTION_AXIAL, &orientation, FALSE);
  check_section (&section, 0, 1, 2, "RLAP"); /* in the order of the file */
  g_assert_false (section.turned[0] || section.turned[1]);
  vg_section_init (&section, VG_SECTION_CORONAL, &orientation, FALSE);
  check_section (&section, 0, 2, 1, "RLSI");
  g_assert_true (!section.turned[0] && section.turned[1]);
  vg_section_init (&section, VG_SECTION_CORONAL, &orientation, TRUE);
  check_section (&section, 0, 2, 1, "RLIS");
  vg_section_init (&section, VG_SECTION_SAGITTAL, &orientation, FALSE);
  check_section (&section, 1, 2, 0, "APSI");
  vg_section_init (&section, VG_SECTION_SAGITTAL, &unknown, FALSE);
  check_section (&section, 1, 2, 0, "");
  g_assert_false (section.known);
}

/* Slices that are sagittal in the file: x to the back, y to the feet, z to the right. */
static void
test_sagittal_file (void)
{
  VgPlacement placement = { .known = TRUE,
                            .sform_code = 1,
                            .unit = 2,
                            .srow = { { 0, 0, 5, 0 }, { -2, 0, 0, 0 }, { 0, -2, 0, 0 } } };
  VgOrientation orientation;
  VgSection section;

  vg_placement_orientation (&placement, &orientation);
  vg_section_init (&section, VG_SECTION_SAGITTAL, &orientation, FALSE);
  check_section (&section, 0, 1, 2, "APSI");
  vg_section_init (&section, VG_SECTION_AXIAL, &orientation, FALSE);
  check_section (&section, 2, 0, 1, "RLAP");
  g_assert_true (section.turned[0] && !section.turned[1]);
}

static void
test_samples (void)
{
  VgVolumeGrid grid = make_grid (NULL);
  float volume[SLICES * HEIGHT * WIDTH], samples[WIDTH * HEIGHT * SLICES];
  guint8 bytes[SLICES * HEIGHT * WIDTH], taken[WIDTH * HEIGHT * SLICES];
  const VgOrientation unknown = { 0 };
  const int at[] = { 3, 1, 2 };

  for (int i = 0; i < SLICES * HEIGHT * WIDTH; i++)
    {
      volume[i] = value_at (i % WIDTH, i / WIDTH % HEIGHT, i / (WIDTH * HEIGHT));
      bytes[i] = (guint8) i;
    }
  for (int kind = 0; kind < VG_N_SECTIONS; kind++)
    {
      VgSection section;
      int width, height;

      vg_section_init (&section, (VgSectionKind) kind, &unknown, FALSE);
      vg_section_copy (&section, &grid, at, sizeof (float), volume, samples);
      vg_section_copy (&section, &grid, at, 1, bytes, taken);
      width = grid.size[section.axis[0]];
      height = grid.size[section.axis[1]];
      for (int i = 0; i < width * height; i++)
        {
          int place[] = { at[0], at[1], at[2] };

          place[section.axis[0]] = i % width;
          place[section.axis[1]] = i / width;
          g_assert_cmpfloat (samples[i], ==, value_at (place[0], place[1], place[2]));
          g_assert_cmpuint (taken[i], ==, vg_volume_grid_index (&grid, place));
        }
    }
}

static void
test_places (void)
{
  VgPlacement placement = to_left_and_back ();
  VgVolumeGrid plain = make_grid (NULL), placed = make_grid (&placement);
  const int at[] = { 3, 1, 2 };
  g_autofree char *from_first = vg_volume_grid_describe (&plain, at, VG_LENGTH_OWN),
                  *in_cm = vg_volume_grid_describe (&plain, at, VG_LENGTH_CM),
                  *in_patient = vg_volume_grid_describe (&placed, at, VG_LENGTH_OWN);
  int outside[] = { -4, 9, 3 };

  g_assert_cmpstr (from_first, ==, "6, 2, 10 mm");
  g_assert_cmpstr (in_cm, ==, "0.6, 0.2, 1 cm");
  g_assert_cmpstr (in_patient, ==, "L 2, A 8, S 5 mm");
  vg_volume_grid_clamp (&plain, outside);
  g_assert_true (outside[0] == 0 && outside[1] == HEIGHT - 1 && outside[2] == SLICES - 1);
}

/* One of the sizes is not known: voxels are taken for cubes, and no length is told. */
static void
test_unknown_size (void)
{
  VgImageInfo info = vg_image_info_grey (VG_F32, WIDTH, HEIGHT);
  VgPlane plane = { .width = WIDTH, .height = HEIGHT, .slices = SLICES };
  VgVolumeGrid grid;

  info.slices = SLICES;
  info.pixel_size[0] = info.pixel_size[1] = 2;
  vg_volume_grid_init (&grid, &plane, &info);
  g_assert_cmpfloat (grid.step[0], ==, grid.step[2]);
  g_assert_null (vg_volume_grid_describe (&grid, (const int[]){ 0, 0, 0 }, VG_LENGTH_OWN));
  info.slices = SLICES + 1; /* of other data */
  info.pixel_size[2] = 5;
  vg_volume_grid_init (&grid, &plane, &info);
  g_assert_cmpfloat (grid.step[2], ==, 1);
  g_assert_cmpuint (vg_volume_grid_voxels (&grid), ==, WIDTH * HEIGHT * SLICES);
}

/* 10 x 8 x 15 mm: the height of the coronal plane decides. */
static void
test_fit (void)
{
  VgVolumeGrid grid = make_grid (NULL);
  const VgOrientation unknown = { 0 };
  VgSection sections[VG_N_SECTIONS];

  for (int i = 0; i < VG_N_SECTIONS; i++)
    vg_section_init (&sections[i], (VgSectionKind) i, &unknown, FALSE);
  g_assert_cmpfloat (vg_section_fit (sections, &grid, 300, 300), ==, 20);
  g_assert_cmpfloat (vg_section_fit (sections, &grid, 100, 300), ==, 10);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/section/axes", test_axes);
  g_test_add_func ("/section/sagittal-file", test_sagittal_file);
  g_test_add_func ("/section/samples", test_samples);
  g_test_add_func ("/section/places", test_places);
  g_test_add_func ("/section/unknown-size", test_unknown_size);
  g_test_add_func ("/section/fit", test_fit);
  return g_test_run ();
}
