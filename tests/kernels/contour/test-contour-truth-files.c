/* SPDX-License-Identifier: MIT */
/* Files that are no ground truth, and the colours in which one is shown. */
#include <math.h>
#include <string.h>
#include "kernels/base/vg-error.h"
#include "kernels/contour/shapes/contour-truth.h"
#include "kernels/shared/vg-outlines-draw.h"

/* ---- Truths that are none ---- */

typedef guint32 (*Sample) (int x, int y);

static guint32
nothing (int x, int y)
{
  return 0;
}

static guint32
each_its_own (int x, int y)
{
  return (guint32) (y * 1000 + x) + 1;
}

/* As those of a picture with 16 bits, which are everywhere. */
static guint32
scattered (int x, int y)
{
  return ((guint32) (y * 1000 + x) * 2654435761u >> 16) % 900 + 1;
}

static void
check_hostile (Sample sample, int width, int height, int channels, int pages, const char *words)
{
  VgImageInfo info = vg_image_info_grey (VG_U32, 1000, 1000),
              own = vg_image_info_grey (VG_U32, width, height);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) file = NULL;
  g_autoptr (VgContourTruth) truth = NULL;

  own.channels = channels;
  own.frames = pages;
  file = vg_image_new (&own, "truth.tif", NULL);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++)
        ((guint32 *) file->data)[((gsize) y * (gsize) width + (gsize) x) * (gsize) channels +
                                 (gsize) c] = sample (x, y);
  truth = vg_contour_truth_of_file (file, &info, &error);
  g_assert_null (truth);
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_true (strstr (error->message, "; choose ") || strstr (error->message, "; give "));
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_hostile (void)
{
  check_hostile (each_its_own, 1000, 999, 1, 1,
                 "is 1000 x 999 pixels, but the image is 1000 x 1000");
  check_hostile (each_its_own, 1000, 1000, 3, 1, "has 3 channels");
  check_hostile (nothing, 1000, 1000, 1, 2, "has 2 pages");
  check_hostile (nothing, 1000, 1000, 1, 1, "has no object inside the image");
  check_hostile (each_its_own, 1000, 1000, 1, 1, "more than 62500 objects");
  check_hostile (scattered, 1000, 1000, 1, 1, "scattered over the image");
}

/* Polygons over each other, of which pairs would be made without end. */
static void
test_deep (void)
{
  for (int n = 200; n <= 201; n++)
    {
      g_autoptr (GString) text = g_string_new ("{\"type\": \"FeatureCollection\", \"features\": [");
      VgImageInfo info = vg_image_info_grey (VG_U8, 60, 40);
      g_autoptr (GError) error = NULL;
      g_autoptr (VgContourTruth) truth = NULL;
      VgImage file = { .name = (char *) "deep.geojson" };

      for (int i = 0; i < n; i++)
        g_string_append_printf (text,
                                "%s{\"type\": \"Feature\", \"geometry\": {\"type\": \"Polygon\", "
                                "\"coordinates\": [[[2,2],[20,2],[20,20],[2,20],[2,2]]]}}",
                                i > 0 ? "," : "");
      g_string_append (text, "]}");
      file.text = text->str;
      file.text_length = text->len;
      truth = vg_contour_truth_of_file (&file, &info, &error);
      if (n == 200)
        {
          g_assert_no_error (error);
          g_assert_cmpuint (truth->touching->len, ==, n * (n - 1) / 2);
          g_assert_cmpint (truth->area, ==, 18 * 18);
          continue;
        }
      g_assert_null (truth);
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, "more than 200 objects"));
    }
}

/* ---- Colours ---- */

static double
linear (guint8 value)
{
  double v = value / 255.0;

  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
lab_root (double t)
{
  return t > 0.008856 ? cbrt (t) : 7.787 * t + 16.0 / 116.0;
}

/* CIE L*a*b* of what an eye with these sensitivities sees. */
static void
to_lab (const double eye[3][3], const guint8 rgb[3], double lab[3])
{
  static const double xyz[3][3] = { { 0.4124 / 0.9505, 0.3576 / 0.9505, 0.1805 / 0.9505 },
                                    { 0.2126, 0.7152, 0.0722 },
                                    { 0.0193 / 1.089, 0.1192 / 1.089, 0.9505 / 1.089 } };
  double seen[3], f[3];

  for (int k = 0; k < 3; k++)
    seen[k] = CLAMP (eye[k][0] * linear (rgb[0]) + eye[k][1] * linear (rgb[1]) +
                         eye[k][2] * linear (rgb[2]),
                     0, 1);
  for (int k = 0; k < 3; k++)
    f[k] = lab_root (xyz[k][0] * seen[0] + xyz[k][1] * seen[1] + xyz[k][2] * seen[2]);
  lab[0] = 116 * f[1] - 16;
  lab[1] = 500 * (f[0] - f[1]);
  lab[2] = 200 * (f[1] - f[2]);
}

/* Eyes without one kind of cone, by Machado, Oliveira and Fernandes, IEEE TVCG 15, 1291 (2009). */
static void
test_colors (void)
{
  static const double eyes[][3][3] = {
    { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
    { { 0.152286, 1.052583, -0.204868 },
      { 0.114503, 0.786281, 0.099216 },
      { -0.003882, -0.048116, 1.051998 } },
    { { 0.367322, 0.860646, -0.227968 },
      { 0.280085, 0.672501, 0.047413 },
      { -0.011820, 0.042940, 0.968881 } },
    { { 1.255528, -0.076749, -0.178779 },
      { -0.078411, 0.930809, 0.147602 },
      { 0.004733, 0.691367, 0.303900 } },
  };

  for (guint e = 0; e < G_N_ELEMENTS (eyes); e++)
    for (VgOutlineLook a = VG_OUTLINE_CORRECT; a < VG_OUTLINE_LOOKS; a++)
      for (VgOutlineLook b = a + 1;
           b < (a < VG_OUTLINE_NEGATIVE ? VG_OUTLINE_NEGATIVE : VG_OUTLINE_LOOKS); b++)
        {
          const VgOutlineInk *p = vg_outlines_ink (a), *q = vg_outlines_ink (b);
          double x[3], y[3], d;

          to_lab (eyes[e], p->rgb, x);
          to_lab (eyes[e], q->rgb, y);
          d = sqrt ((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                    (x[2] - y[2]) * (x[2] - y[2]));
          g_test_message ("eye %u: %s and %s: %.0f", e, p->name, q->name, d);
          g_assert_cmpfloat (d, >, 20);
          /* the solid lines of matches are the thick one and the thin one; those of classes differ
           * by colour alone */
          g_assert_true (a >= VG_OUTLINE_NEGATIVE || p->dashes != q->dashes ||
                         (a == VG_OUTLINE_CORRECT && b == VG_OUTLINE_TRUE));
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contour/truth-files/hostile", test_hostile);
  g_test_add_func ("/contour/truth-files/deep", test_deep);
  g_test_add_func ("/contour/truth-files/colors", test_colors);
  return g_test_run ();
}
