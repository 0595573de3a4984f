/* SPDX-License-Identifier: MIT */
/* Sizes that overflow, memory that is not there, references. */
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-frame.h"
#include "kernels/base/vg-image.h"
#include "kernels/base/vg-memory.h"
#include <string.h>

static VgImageInfo
make_info (VgType type, int width, int height, int channels, gint64 bins, gint64 slices,
           gint64 frames)
{
  return (VgImageInfo){
    .type = type,
    .width = width,
    .height = height,
    .channels = channels,
    .bins = bins,
    .slices = slices,
    .frames = frames,
  };
}

static void
test_sizes (void)
{
  for (int n = 0; n < 1000; n++)
    {
      VgType type = (VgType) g_test_rand_int_range (VG_U8, VG_F32 + 1);
      int w = g_test_rand_int_range (1, 5000), h = g_test_rand_int_range (1, 5000);
      gint64 b = g_test_rand_int_range (1, 300), s = g_test_rand_int_range (1, 100),
             f = g_test_rand_int_range (1, 10000);
      VgImageInfo info = make_info (type, w, h, 1, b, s, f);
      gsize bytes[] = { 1, 2, 4, 4 };

      g_assert_cmpuint (vg_image_info_page_samples (&info), ==, (gsize) w * (gsize) h);
      g_assert_cmpuint (vg_image_info_page_bytes (&info), ==, (gsize) w * (gsize) h * bytes[type]);
      g_assert_cmpuint (vg_image_info_frame_bytes (&info), ==,
                        (gsize) w * (gsize) h * bytes[type] * (gsize) (b * s));
      g_assert_cmpint (vg_image_info_pages (&info), ==, b * s * f);
    }
}

static void
test_overflow (void)
{
  VgImageInfo infos[] = {
    make_info (VG_F32, G_MAXINT, G_MAXINT, 4, 1, 1, 1),
    make_info (VG_U16, G_MAXINT, G_MAXINT, 1, 4, 1, 1),
    make_info (VG_U8, G_MAXINT, G_MAXINT, 1, G_MAXINT64, 1, 1),
    make_info (VG_U8, 2, 2, 1, G_MAXINT64, G_MAXINT64, 1),
    make_info (VG_U8, 0, 5, 1, 1, 1, 1),
    make_info (VG_U8, 5, -5, 1, 1, 1, 1),
    make_info (VG_U8, -1, -1, 1, 1, 1, 1),
    make_info (VG_U8, 5, 5, 2, 1, 1, 1),
    make_info (VG_U8, 5, 5, 0, 1, 1, 1),
    make_info (VG_U8, 5, 5, 1, 0, 1, 1),
    make_info (VG_U8, 5, 5, 1, 1, -3, 1),
    make_info ((VgType) 9, 5, 5, 1, 1, 1, 1),
    make_info ((VgType) -1, 5, 5, 1, 1, 1, 1),
  };
  VgImageInfo pages = make_info (VG_U8, 1, 1, 1, G_MAXINT64, 2, 1),
              none = make_info (VG_U8, 1, 1, 1, 1, 1, 0);

  for (guint i = 0; i < G_N_ELEMENTS (infos); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_cmpuint (vg_image_info_frame_bytes (&infos[i]), ==, 0);
      g_assert_null (vg_image_new (&infos[i], "hostile.tif", &error));
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
      g_assert_nonnull (strstr (error->message, "hostile.tif"));
    }
  g_assert_cmpint (vg_image_info_pages (&pages), ==, 0);
  g_assert_cmpint (vg_image_info_pages (&none), ==, 0);
  g_assert_null (vg_image_new (&none, NULL, NULL));
}

static void
test_memory (void)
{
  VgImageInfo info = make_info (VG_F32, 100000, 100000, 1, 1, 1, 1000);
  g_autoptr (GError) error = NULL;
  gsize available = vg_memory_available ();

  g_assert_cmpuint (available, >, 1 << 20);
  g_assert_true (vg_memory_check (1 << 20, "a little", &error));
  g_assert_no_error (error);
  g_assert_null (vg_image_new (&info, "huge.tif", &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "huge.tif"));
  g_assert_nonnull (strstr (error->message, "TiB"));
  g_assert_nonnull (strstr (error->message, "is free")); /* asked first, not refused by malloc */
}

static void
test_live (void)
{
  VgImageInfo info = make_info (VG_U8, 4, 4, 1, 1, 1, -1);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (vg_image_info_pages (&info), ==, -1);
  g_assert_null (vg_image_new (&info, "camera", &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
}

static void
test_to_string (void)
{
  VgImageInfo a = make_info (VG_U16, 1392, 1040, 1, 1, 1, 500);
  VgImageInfo b = make_info (VG_F32, 128, 96, 1, 256, 30, 1);
  VgImageInfo c = make_info (VG_U8, 7, 5, 3, 1, 1, -1);
  g_autofree char *grey = NULL, *cube = NULL, *live = NULL;

  a.significant_bits = 12;
  grey = vg_image_info_to_string (&a);
  cube = vg_image_info_to_string (&b);
  live = vg_image_info_to_string (&c);
  g_assert_cmpstr (grey, ==, "1392x1040, 16-bit (12 used), 500 frames");
  g_assert_cmpstr (cube, ==, "128x96, 32-bit float, 256 bins, 30 slices, 1 frame");
  g_assert_cmpstr (live, ==, "7x5, 8-bit RGB, live");
}

static gboolean freed;

static void
note_free (gpointer data)
{
  g_free (data);
  freed = TRUE;
}

static void
test_references (void)
{
  VgImageInfo info = make_info (VG_U16, 3, 5, 1, 2, 7, 11);
  VgImage *image = vg_image_new (&info, "a.tif", NULL);
  const guint8 *bytes = image->data;
  g_autoptr (VgImage) text = vg_image_new_text (g_strdup ("1,2\n"), 4, NULL);

  for (gsize i = 0; i < 3 * 5 * 2 * 7 * 11 * 2; i++)
    g_assert_cmpint (bytes[i], ==, 0);
  g_assert_cmpstr (image->name, ==, "a.tif");
  image->free_data = note_free;
  image->times_s = g_new0 (double, 11);
  vg_image_ref (image);
  vg_image_unref (image);
  g_assert_false (freed);
  vg_image_unref (image);
  g_assert_true (freed);
  g_assert_cmpstr (text->text, ==, "1,2\n");
  g_assert_cmpstr (text->name, ==, "");
  g_assert_null (text->data);
}

static void
count_release (VgFrame *frame)
{
  (*(int *) frame->owner)++;
}

static void
test_frame (void)
{
  int released = 0;
  VgFrame frame = { .release = count_release, .owner = &released };

  g_atomic_ref_count_init (&frame.ref_count);
  g_assert_true (vg_frame_ref (&frame) == &frame);
  vg_frame_unref (&frame);
  g_assert_cmpint (released, ==, 0);
  vg_frame_unref (&frame);
  g_assert_cmpint (released, ==, 1);
}

/* Each type's largest, beside a neighbour. */
static void
test_samples (void)
{
  const guint8 u8[] = { 3, 255 };
  const guint16 u16[] = { 3, 65535 };
  const guint32 u32[] = { 3, 4294967295u };
  const float f32[] = { 3, -0.25f };
  const struct
  {
    VgType type;
    const void *data;
    double last;
  } cases[] = { { VG_U8, u8, 255 },
                { VG_U16, u16, 65535 },
                { VG_U32, u32, 4294967295.0 },
                { VG_F32, f32, -0.25 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const VgImage image = { .info = make_info (cases[i].type, 2, 1, 1, 1, 1, 1),
                              .data = (void *) cases[i].data };

      g_assert_cmpfloat (vg_image_sample (&image, 0), ==, 3);
      g_assert_cmpfloat (vg_image_sample (&image, 1), ==, cases[i].last);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image/sizes", test_sizes);
  g_test_add_func ("/image/overflow", test_overflow);
  g_test_add_func ("/image/memory", test_memory);
  g_test_add_func ("/image/live", test_live);
  g_test_add_func ("/image/to-string", test_to_string);
  g_test_add_func ("/image/references", test_references);
  g_test_add_func ("/image/frame", test_frame);
  g_test_add_func ("/image/samples", test_samples);
  return g_test_run ();
}
