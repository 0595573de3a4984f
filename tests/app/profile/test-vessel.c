/* SPDX-License-Identifier: MIT */
/* The width of vessels in profiles, and their kymographs, against shapes that are known. */
#include <math.h>
#include <string.h>
#include "app/profile/vg-kymograph.h"
#include "app/profile/vg-line-profile.h"
#include "app/profile/vg-vessel-width.h"
#include "kernels/flow/model/flow-params.h"

enum { N = 101, SIDE = 64 };

/* Bright and dark vessels with Gaussian profiles at every position. */
static void
test_gaussian (void)
{
  for (double sigma = 3; sigma < 10; sigma += 1.7)
    for (double middle = 35; middle < 65; middle += 3.3)
      for (int sign = -1; sign <= 1; sign += 2)
        {
          double values[N];
          VgVesselWidth vessel;

          for (int i = 0; i < N; i++)
            values[i] = 10 + sign * 4 * exp (-pow ((i - middle) / sigma, 2) / 2);
          g_assert_cmpint (vg_vessel_measure (values, N, 0.5, &vessel), ==, VG_VESSEL_MEASURED);
          g_assert_cmpfloat_with_epsilon (vessel.width, 0.5 * 2.3548 * sigma, 0.03 * sigma);
          g_assert_cmpfloat_with_epsilon (vessel.centre, 0.5 * middle, 0.05);
          g_assert_cmpfloat (vessel.width_error, <, 0.1);
        }
}

/* No width where the profile has no vessel, or only half of one. */
static void
test_none (void)
{
  double values[N];
  VgVesselWidth vessel;

  for (int i = 0; i < N; i++)
    values[i] = 3;
  g_assert_cmpint (vg_vessel_measure (values, N, 1, &vessel), ==, VG_VESSEL_NONE);
  g_assert_true (isnan (vessel.width) && isnan (vessel.centre) && isnan (vessel.width_error));
  for (int i = 0; i < N; i++)
    values[i] = NAN;
  g_assert_cmpint (vg_vessel_measure (values, N, 1, &vessel), !=, VG_VESSEL_MEASURED);
  for (int i = 0; i < N; i++)
    values[i] = i < 3 ? 9 : i;
  g_assert_cmpint (vg_vessel_measure (values, N, 1, &vessel), !=, VG_VESSEL_MEASURED);
  g_assert_cmpint (vg_vessel_measure (values, 0, 1, &vessel), ==, VG_VESSEL_NONE);
}

/* ---- a vessel in speckle ---- */

/* Between -1 and 1, the same numbers in each run; g_test_rand would take minutes. */
static float
random_part (void)
{
  static guint32 seed = 2463534242u;

  seed ^= seed << 13;
  seed ^= seed >> 17;
  seed ^= seed << 5;
  return (float) (gint32) seed * 0x1p-31f;
}

enum { TRIALS = 1000, LONGEST = 41, WIDEST = 15 };

/* How many of TRIALS lines of N values have a width, where each value is the mean of WINDOW samples
 * of a vessel of WIDTH (0: there is none) in noise. */
static int
count_measured (int n, int window, int width)
{
  int measured = 0;

  for (int k = 0; k < TRIALS; k++)
    {
      double samples[WIDEST + LONGEST], values[LONGEST];
      VgVesselWidth vessel;

      for (int i = 0; i < window + n; i++)
        samples[i] = (2 * abs (i - (n + window) / 2) < width ? 0.1 : 0.2) *
                     (1 + 0.1 * (double) (random_part () + random_part () + random_part ()));
      for (int i = 0; i < n; i++)
        {
          values[i] = 0;
          for (int w = 0; w < window; w++)
            values[i] += samples[i + w] / window;
        }
      vg_vessel_measure (values, n, 1, &vessel);
      measured += isfinite (vessel.width);
    }
  g_test_message ("%d values, window of %d, vessel of %d: %d measured", n, window, width, measured);
  return measured;
}

/* Short lines in noise that neighbours share, as overlapping windows do, have a width with a vessel
 * and none without it, in as many cases as docs/flow.md says. */
static void
test_shared_noise (void)
{
  static const struct
  {
    int window, most_percent;
  } rows[] = { { 5, 3 }, { 7, 3 }, { 11, 9 }, { 15, 9 } };

  for (guint r = 0; r < G_N_ELEMENTS (rows); r++)
    for (int n = 21; n <= LONGEST; n += 10)
      g_assert_cmpint (100 * count_measured (n, rows[r].window, 0), <=,
                       rows[r].most_percent * TRIALS);
  for (int n = 21; n <= LONGEST; n += 10)
    for (int width = 8; width <= n - 13; width += 8)
      g_assert_cmpint (count_measured (n, 7, width), >=, TRIALS / 2);
}

static void
free_frame (VgFrame *frame)
{
  g_free (frame->data);
  g_free (frame);
}

enum { WIDE = 96, HIGH = 48, PATTERNS = 12, TISSUE_PATTERNS = 3 };

/* Adds a speckle pattern of 2 px, whose contrast is 1, to the pixels that WEIGHT counts. */
static void
add_pattern (float *image, const double *share)
{
  enum { EDGE = 2 };
  static float field[2][HIGH + 2 * EDGE][WIDE + 2 * EDGE];

  for (int y = 0; y < HIGH + 2 * EDGE; y++)
    for (int x = 0; x < WIDE + 2 * EDGE; x++)
      {
        field[0][y][x] = random_part (); /* the sums below are nearly normal */
        field[1][y][x] = random_part ();
      }
  for (int y = 0; y < HIGH; y++)
    for (int x = 0; x < WIDE; x++)
      {
        float part[2] = { 0, 0 };

        for (int k = 0; k < 9; k++)
          for (int c = 0; c < 2; c++)
            part[c] += field[c][y + 1 + k / 3][x + 1 + k % 3] * (k == 4 ? 2 : k % 2 ? 1.2f : 0.7f);
        image[y * WIDE + x] += (float) share[x] * (part[0] * part[0] + part[1] * part[1]);
      }
}

/* The flow index around a vessel of WIDTH px, with windows of 5 x 5 pixels, over FRAMES frames. */
static void
make_map (VgWork *work, double width, int frames, float *map)
{
  static guint64 id;
  g_autofree float *owned = NULL;
  gsize capacity = 0;
  VgPlane plane;

  for (int f = 0; f < frames; f++)
    {
      static float image[WIDE * HIGH];
      VgFrame *frame = g_new0 (VgFrame, 1);
      g_autoptr (GError) error = NULL;

      memset (image, 0, sizeof image);
      for (int k = 0; k < PATTERNS; k++)
        {
          double share[WIDE];

          for (int x = 0; x < WIDE; x++)
            {
              /* the part of the pixel that the vessel covers */
              const double inside = CLAMP (width / 2 + 0.5 - fabs (x + 0.5 - WIDE / 2.0), 0, 1);

              share[x] = inside / PATTERNS +
                         (k < TISSUE_PATTERNS ? (1 - inside) / TISSUE_PATTERNS : 0);
            }
          add_pattern (image, share);
        }
      *frame = (VgFrame){ .info = vg_work_get_info (work),
                          .data = g_memdup2 (image, sizeof image),
                          .id = id,
                          .index = (gint64) id,
                          .time_us = (gint64) id,
                          .release = free_frame };
      id++;
      g_atomic_ref_count_init (&frame->ref_count);
      g_assert_true (vg_work_feed (work, frame, &error));
      vg_frame_unref (frame);
      vg_work_step (work, 1, &error);
      g_assert_no_error (error);
    }
  g_assert_true (
      vg_work_read_output (work, VG_FLOW_OUTPUT_FLOW_INDEX, &plane, &owned, &capacity, NULL));
  memcpy (map, owned, sizeof (float) * WIDE * HIGH);
}

/* Widths have little bias, and errors that cover the truth, or are not told. */
static void
test_speckle (void)
{
  static const struct
  {
    double width;
    int line, frames;
  } cases[] = { { 10, 25, 1 }, { 20, 1, 1 }, { 20, 9, 1 },  { 20, 25, 1 },
                { 20, 25, 4 }, { 40, 9, 1 }, { 40, 25, 1 }, { 40, 25, 4 },
                { 6, 25, 4 },  { 20, 1, 4 }, { 40, 1, 4 } };
  enum { TRIALS = 25 };
  const VgOperation *flow = vg_operation_find ("flow");
  const VgImageInfo info = { .type = VG_F32,
                             .width = WIDE,
                             .height = HIGH,
                             .channels = 1,
                             .bins = 1,
                             .slices = 1,
                             .frames = -1 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const VgProfileLine line = { { 8, WIDE - 8 }, { 24, 24 }, 0, cases[i].line };
      g_autoptr (VgWork) work = vg_work_new (flow, VG_BACKEND_CPU, 1, NULL);
      VgFlowParams *params = vg_params_new (&flow->params);
      double sum = 0, squares = 0, errors = 0;
      int measured = 0, covered = 0;

      params->average = cases[i].frames;
      g_assert_true (vg_work_prepare (work, params, &info, NULL, NULL));
      for (int k = 0; k < TRIALS; k++)
        {
          static float map[WIDE * HIGH];
          const VgPlane plane = { .data = map, .width = WIDE, .height = HIGH, .slices = 1 };
          VgVesselWidth vessel;
          char unit[8];

          make_map (work, cases[i].width, cases[i].frames, map);
          if (vg_line_profile_measure (&plane, &line,
                                       flow->outputs[VG_FLOW_OUTPUT_FLOW_INDEX].mixing_power,
                                       &vessel, unit) != VG_VESSEL_MEASURED)
            continue;
          measured++;
          sum += vessel.width - cases[i].width;
          squares += pow (vessel.width - cases[i].width, 2);
          errors += vessel.width_error;
          covered += fabs (vessel.width - cases[i].width) <= 2 * vessel.width_error;
        }
      g_test_message ("%g px, line %d, %d frames: %d measured, bias %.2f, rms %.2f, error %.2f, "
                      "within two errors %d",
                      cases[i].width, cases[i].line, cases[i].frames, measured, sum / measured,
                      sqrt (squares / measured), errors / measured, covered);
      vg_params_free (&flow->params, params);
      g_assert_cmpint (measured, >=, cases[i].line == 25 ? TRIALS * 6 / 10 : TRIALS / 4);
      g_assert_cmpfloat (fabs (sum / measured), <, cases[i].frames> 1 ? 1 : 2.5);
      g_assert_cmpfloat (sqrt (squares / measured), <, cases[i].line == 25 ? 3 : 7);
      g_assert_cmpint (covered, >=, measured * 2 / 3);
    }
}

/* A vessel that widens frame by frame, in a plane with a scale. */
static void
test_kymograph (void)
{
  const VgProfileLine line = { { 2, 62 }, { 32, 32 }, 0, 5 };
  const guint most = 40;
  g_autoptr (VgKymograph) kymograph = vg_kymograph_new (VG_FLOW_OUTPUT_INTENSITY, &line, most);
  g_autofree float *values = g_new (float, SIDE *SIDE), *owned = NULL;
  VgPlane plane = { .place = VG_HOST,
                    .data = values,
                    .width = SIDE,
                    .height = SIDE,
                    .slices = 1,
                    .pixel_size = { 2, 2 },
                    .unit = "µm" },
          picture;
  VgKymographExtent extent;
  g_autofree char *csv = NULL;
  g_auto (GStrv) lines = NULL, cells = NULL;
  VgProfileLine other = line;

  g_assert_false (vg_kymograph_get_plane (kymograph, &picture, &extent, &owned));
  for (int k = 0; k < 50; k++)
    {
      for (int i = 0; i < SIDE * SIDE; i++)
        values[i] = (float) (1 + 5 * exp (-pow ((i % SIDE + 0.5 - 32) / (3 + 0.05 * k), 2) / 2));
      vg_kymograph_add (kymograph, &plane, vg_operation_find ("flow"), k, 0.1 * k);
    }
  g_assert_cmpint (vg_kymograph_get_added (kymograph), ==, 50);
  g_assert_true (vg_kymograph_get_plane (kymograph, &picture, &extent, &owned));
  g_assert_cmpint (picture.width, ==, 61);
  g_assert_cmpint (picture.height, <=, (int) most);
  g_assert_cmpint (picture.height, >=, 30);
  g_assert_cmpfloat_with_epsilon (extent.length, 120, 1e-9);
  g_assert_cmpfloat_with_epsilon (extent.time_s[1], 4.9, 1e-9);
  g_assert_cmpfloat_with_epsilon (extent.time_s[0], 4.9 - 0.1 * (picture.height - 1), 1e-6);
  csv = vg_kymograph_to_csv (kymograph, TRUE);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_true (g_str_has_prefix (lines[0],
                                   "frame,time_s,diameter [µm],standard error [µm],centre [µm],"
                                   "0 µm,2 µm,"));
  g_assert_true (g_str_has_suffix (lines[0], ",120 µm"));
  g_assert_cmpint (g_strv_length (lines), ==, (guint) picture.height + 2);
  cells = g_strsplit (lines[picture.height], ",", -1);
  g_assert_cmpstr (cells[0], ==, "49");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[2], NULL), 2 * 2.3548 * 5.45, 0.8);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[4], NULL), 60, 0.2);
  g_assert_cmpuint (g_strv_length (cells), ==, 5 + 61);
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (cells[5 + 30], NULL),
                                  (double) owned[(picture.height - 1) * 61 + 30], 1e-5);
  other.width = 3;
  g_assert_true (vg_kymograph_is_of (kymograph, VG_FLOW_OUTPUT_INTENSITY, &line));
  g_assert_false (vg_kymograph_is_of (kymograph, VG_FLOW_OUTPUT_INTENSITY, &other));
  g_assert_false (vg_kymograph_is_of (kymograph, VG_FLOW_OUTPUT_CONTRAST, &line));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/vessel/gaussian", test_gaussian);
  g_test_add_func ("/vessel/none", test_none);
  g_test_add_func ("/vessel/shared-noise", test_shared_noise);
  g_test_add_func ("/vessel/speckle", test_speckle);
  g_test_add_func ("/vessel/kymograph", test_kymograph);
  return g_test_run ();
}
