/* SPDX-License-Identifier: MIT */
#include "tests/kernels/flow/support/flow-fixture.h"
/* Spatial contrast and flow index against a float64 reference on random data:
 * every bit depth and sample type, every radius, awkward sizes, both edge
 * rules, dark level and dark frame. */

typedef struct
{
  const char *name;
  VgType type;
  int bits;
  double limit;
} Kind;

static const Kind kinds[] = {
  { "u8", VG_U8, 8, 254 },      { "u10", VG_U16, 10, 1022 },         { "u12", VG_U16, 12, 4094 },
  { "u16", VG_U16, 16, 65534 }, { "u32", VG_U32, 32, 4294967290.0 }, { "f32", VG_F32, 0, 1e4 },
};

static void
check (const Kind *kind, int width, int height, int radius, int edges, float dark_level)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  FlowFixture flow;
  g_autofree void *data = NULL;
  const void *frames[1];
  gsize pixels = (gsize) width * (gsize) height;

  flow_fixture_init (&flow, kind->type, width, height, kind->bits);
  flow.params->radius = radius;
  flow.params->edges = edges;
  flow.params->dark_level = dark_level;
  flow.params->exposure_ms = 7.3f;
  data = g_malloc (pixels * 4);
  frames[0] = data;
  flow_random (kind->type, data, pixels, kind->limit, rand);
  flow_fixture_prepare (&flow);
  g_assert_cmpint (flow_fixture_run (&flow, data), ==, VG_STEP_DONE);
  flow_check_contrast (&flow, frames, 1, radius, NULL);
  flow_fixture_clear (&flow);
}

static void
test_radii (gconstpointer data)
{
  for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius++)
    for (int edges = 0; edges <= 1; edges++)
      check (data, 37, 29, radius, edges, 0.0f);
}

static void
test_dark_level (gconstpointer data)
{
  const float levels[] = { 64.0f, 31.625f };

  for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius += 3)
    for (int edges = 0; edges <= 1; edges++)
      for (gsize i = 0; i < G_N_ELEMENTS (levels); i++)
        check (data, 37, 23, radius, edges, levels[i]);
}

static void
test_sizes (gconstpointer data)
{
  static const int sizes[][2] = { { 1, 1 }, { 1, 19 },  { 19, 1 }, { 2, 2 },
                                  { 3, 5 }, { 37, 23 }, { 64, 2 }, { 5, 61 } };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius += 2)
      for (int edges = 0; edges <= 1; edges++)
        check (data, sizes[i][0], sizes[i][1], radius, edges, 0.0f);
}

enum { LOW = 40 * 40 };

/* Nearly uniform intensity, for which sums of squares lose digits. */
static void
test_low_contrast (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autofree void *frame = g_malloc (LOW * 4);
  const void *frames[1] = { frame };

  for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius += 2)
    {
      FlowFixture flow;
      double pedestal = kind->limit * 0.9;

      flow_fixture_init (&flow, kind->type, 40, 40, kind->bits);
      flow.params->radius = radius;
      flow_random (VG_F32, frame, LOW, MAX (4.0, kind->limit * 0.002), rand);
      for (gsize i = LOW; i-- > 0;)
        {
          double value = floor (pedestal + ((float *) frame)[i]);

          /* From the end, so that a smaller sample does not overwrite a float that is still needed.
           */
          if (kind->type == VG_F32)
            ((float *) frame)[i] = (float) value;
          else if (kind->type == VG_U32)
            ((guint32 *) frame)[i] = (guint32) value;
          else
            ((float *) frame)[i] = (float) value;
        }
      if (kind->type == VG_U8)
        for (gsize i = 0; i < LOW; i++)
          ((guint8 *) frame)[i] = (guint8) ((float *) frame)[i];
      if (kind->type == VG_U16)
        for (gsize i = 0; i < LOW; i++)
          ((guint16 *) frame)[i] = (guint16) ((float *) frame)[i];
      flow_fixture_prepare (&flow);
      g_assert_cmpint (flow_fixture_run (&flow, frame), ==, VG_STEP_DONE);
      flow_check_contrast (&flow, frames, 1, radius, NULL);
      flow_fixture_clear (&flow);
    }
}

/* A dark frame, with whole numbers or not, is used instead of the dark level. */
static void
test_dark_frame (gconstpointer data)
{
  const Kind *kind = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  g_autofree void *frame = g_malloc (40 * 31 * 4);
  const void *frames[1] = { frame };

  for (int whole = 0; whole <= 1; whole++)
    for (int edges = 0; edges <= 1; edges++)
      for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius += 4)
        {
          VgImageInfo info = flow_info (VG_F32, 40, 31, 0);
          g_autoptr (VgImage) dark = NULL;
          VgInputFile file = { "dark_file", NULL };
          FlowFixture flow;

          info.frames = 1;
          dark = vg_image_new (&info, "dark", NULL);
          for (int i = 0; i < 40 * 31; i++)
            ((float *) dark->data)[i] = whole ? (float) (i % 23) : (float) (i % 23) + 0.1f;
          file.image = dark;
          flow_fixture_init (&flow, kind->type, 40, 31, kind->bits);
          flow.params->radius = radius;
          flow.params->edges = edges;
          flow.params->dark_level = 1000.0f;
          flow_random (kind->type, frame, 40 * 31, kind->limit, rand);
          flow_fixture_prepare_with (&flow, &file, 1);
          g_assert_cmpint (flow_fixture_run (&flow, frame), ==, VG_STEP_DONE);
          flow_check_contrast (&flow, frames, 1, radius, dark->data);
          flow_fixture_clear (&flow);
        }
}

/* The result is right for 16-bit samples in a file that states 12 bits. */
static void
test_lying_bits (void)
{
  const Kind kind = { "lying", VG_U16, 12, 65534 };

  for (int radius = 1; radius <= VG_FLOW_MAX_RADIUS; radius++)
    {
      g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());
      g_autofree void *data = g_malloc (40 * 40 * 2);
      const void *frames[1] = { data };
      FlowFixture flow;

      flow_fixture_init (&flow, kind.type, 40, 40, kind.bits);
      flow.params->radius = radius;
      flow_random (kind.type, data, 40 * 40, kind.limit, rand);
      flow_fixture_prepare (&flow);
      g_assert_cmpint (flow_fixture_run (&flow, data), ==, VG_STEP_DONE);
      flow_check_contrast (&flow, frames, 1, radius, NULL);
      flow_fixture_clear (&flow);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      static const struct
      {
        const char *name;
        GTestDataFunc run;
      } tests[] = { { "radii", test_radii },
                    { "dark-level", test_dark_level },
                    { "sizes", test_sizes },
                    { "low-contrast", test_low_contrast },
                    { "dark-frame", test_dark_frame } };

      for (gsize t = 0; t < G_N_ELEMENTS (tests); t++)
        {
          g_autofree char *path = g_strdup_printf ("/flow/contrast/%s/%s", tests[t].name,
                                                   kinds[i].name);

          g_test_add_data_func (path, &kinds[i], tests[t].run);
        }
    }
  g_test_add_func ("/flow/contrast/lying-bits", test_lying_bits);
  return g_test_run ();
}
