/* SPDX-License-Identifier: MIT */
#include <json-glib/json-glib.h>
#include "tests/kernels/flow/support/flow-fixture.h"
#include "tests/support/data-file.h"
#include "io/source/vg-source.h"
/* Real and simulated recordings against the float64 reference beside them. */

typedef struct
{
  VgSource *source;
  FlowFixture flow;
  void *frame;
  JsonNode *stats;
  JsonObject *reference; /* of this file */
} Recording;

/* FALSE: the recording is not here, and the test is skipped. */
static gboolean
recording_open (Recording *self, const char *name)
{
  g_autofree char *path = data_file ("flow", name),
                  *stats = data_file ("flow", "reference_stats.json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GError) error = NULL;

  if (path == NULL || stats == NULL)
    return FALSE;
  self->source = vg_source_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (json_parser_load_from_file (parser, stats, &error));
  self->stats = json_node_copy (json_parser_get_root (parser));
  self->reference = json_object_get_object_member (json_node_get_object (self->stats), name);
  flow_fixture_init (&self->flow, VG_U8, 1, 1, 8);
  self->flow.info = self->source->info;
  self->flow.params->dark_level = (float) json_object_get_double_member (self->reference, "dark");
  self->frame = g_malloc (vg_image_info_frame_bytes (&self->flow.info));
  return TRUE;
}

static void
recording_read (Recording *self, gint64 index)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (vg_source_read (self->source, index, self->frame, &error));
  g_assert_no_error (error);
}

static void
recording_close (Recording *self)
{
  flow_fixture_clear (&self->flow);
  vg_source_close (self->source);
  json_node_unref (self->stats);
  g_free (self->frame);
}

/* Mean of a map, MARGIN pixels off the edge. */
static double
map_mean (Recording *self, guint output, int margin)
{
  const float *map = flow_fixture_output (&self->flow, output);
  int w = self->flow.info.width, h = self->flow.info.height;
  double sum = 0.0, n = 0.0;

  for (int y = margin; y < h - margin; y++)
    for (int x = margin; x < w - margin; x++)
      if (!isnan (map[(gsize) y * (gsize) w + (gsize) x]))
        {
          sum += map[(gsize) y * (gsize) w + (gsize) x];
          n += 1.0;
        }
  return sum / n;
}

static void
expect_mean (Recording *self, double found, const char *key)
{
  double expected = json_object_get_double_member (
      json_object_get_object_member (self->reference, key), "mean");

  g_test_message ("%s: mean %.9g, reference %.9g", key, found, expected);
  g_assert_cmpfloat (fabs (found / expected - 1.0), <, 1e-6);
}

static void
test_spatial (gconstpointer name)
{
  Recording self = { 0 };

  if (!recording_open (&self, name))
    return;
  for (int radius = 2; radius <= 3; radius++)
    {
      gboolean five = radius == 2;

      self.flow.params->radius = radius;
      self.flow.params->exposure_ms = 10.0f;
      recording_read (&self, 0);
      flow_fixture_prepare (&self.flow);
      flow_fixture_run (&self.flow, self.frame);
      expect_mean (&self, map_mean (&self, VG_FLOW_OUTPUT_CONTRAST, 0),
                   five ? "frame0_K_5x5_dark_subtracted_shrink"
                        : "frame0_K_7x7_dark_subtracted_shrink");
      expect_mean (&self, map_mean (&self, VG_FLOW_OUTPUT_CONTRAST, radius),
                   five ? "frame0_K_5x5_valid" : "frame0_K_7x7_valid");
      expect_mean (&self, map_mean (&self, VG_FLOW_OUTPUT_FLOW_INDEX, radius),
                   five ? "frame0_SFI_5x5_valid" : "frame0_SFI_7x7_valid");
    }
  recording_close (&self);
}

static void
test_temporal (gconstpointer name)
{
  static const int lengths[] = { 16, 25, 32 };

  for (gsize i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *key = g_strdup_printf ("temporal_K_first_%d", lengths[i]);
      Recording self = { 0 };

      if (!recording_open (&self, name))
        return;
      if (json_object_has_member (self.reference, key))
        {
          self.flow.params->method = VG_FLOW_TEMPORAL;
          self.flow.params->frames = lengths[i];
          flow_fixture_prepare (&self.flow);
          for (int f = 0; f < lengths[i]; f++)
            {
              recording_read (&self, f);
              g_assert_cmpint (flow_fixture_run (&self.flow, self.frame), ==,
                               f + 1 < lengths[i] ? VG_STEP_WAIT : VG_STEP_DONE);
            }
          expect_mean (&self, map_mean (&self, VG_FLOW_OUTPUT_CONTRAST, 0), key);
        }
      recording_close (&self);
    }
}

/* The mean contrast of a first frame. */
typedef struct
{
  const char *name;
  float dark; /* DN */
  double mean;
} Figure;

static void
test_figure (gconstpointer data)
{
  const Figure *figure = data;
  Recording self = { 0 };

  if (!recording_open (&self, figure->name))
    return;
  self.flow.params->dark_level = figure->dark;
  recording_read (&self, 0);
  flow_fixture_prepare (&self.flow);
  flow_fixture_run (&self.flow, self.frame);
  g_assert_cmpfloat_with_epsilon (map_mean (&self, VG_FLOW_OUTPUT_CONTRAST, 2), figure->mean, 5e-5);
  recording_close (&self);
}

/* 24 raw samples and 24 contrasts a line. */
static void
test_golden (gconstpointer name)
{
  enum { SIDE = 24 };
  g_autofree char *path = data_file ("flow", name);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;
  guint16 raw[SIDE * SIDE];
  double expected[SIDE * SIDE];
  const float *map;
  FlowFixture flow;

  if (path == NULL)
    return;
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  lines = g_strsplit (text, "\n", -1);
  for (int y = 0; y < SIDE; y++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[y], ",", -1);

      g_assert_cmpuint (g_strv_length (cells), ==, 2 * SIDE);
      for (int x = 0; x < SIDE; x++)
        {
          raw[y * SIDE + x] = (guint16) g_ascii_strtoull (cells[x], NULL, 10);
          expected[y * SIDE + x] = g_ascii_strtod (cells[SIDE + x], NULL);
        }
    }
  flow_fixture_init (&flow, VG_U16, SIDE, SIDE, 16);
  flow_fixture_prepare (&flow);
  flow_fixture_run (&flow, raw);
  map = flow_fixture_output (&flow, VG_FLOW_OUTPUT_CONTRAST);
  for (int i = 0; i < SIDE * SIDE; i++)
    /* nine digits are written */
    g_assert_cmpfloat (fabs (map[i] / expected[i] - 1.0), <, 3e-7 + 5e-9);
  flow_fixture_clear (&flow);
}

/* Static light: rho = 0.7 was simulated, from the likeness of frames. */
static void
test_static_fraction (void)
{
  Recording self = { 0 };
  double rho;

  if (!recording_open (&self, "sim_rho0.7_256.tif"))
    return;
  self.flow.params->method = VG_FLOW_SPATIO_TEMPORAL;
  self.flow.params->radius = 15;
  self.flow.params->frames = 32;
  flow_fixture_prepare (&self.flow);
  for (int f = 0; f < 32; f++)
    {
      recording_read (&self, f);
      flow_fixture_run (&self.flow, self.frame);
    }
  rho = 1.0 - map_mean (&self, VG_FLOW_OUTPUT_STATIC_FRACTION, 15);
  g_test_message ("dynamic fraction %.4f, simulated 0.7", rho);
  g_assert_cmpfloat (fabs (rho - 0.7), <, 0.03);
  recording_close (&self);
}

int
main (int argc, char **argv)
{
  static const char *const stacks[] = { "pylsci_spatial.tif", "pylsci_temporal_000-499.tif",
                                        "sim_phantom_512.tif", "sim_rho0.7_256.tif" };
  static const Figure figures[] = { { "pylsci_spatial.tif", 0.0f, 0.0886 },
                                    { "sim_phantom_512.tif", 64.0f, 0.4489 } };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (stacks); i++)
    {
      g_autofree char *stem = g_strndup (stacks[i], strlen (stacks[i]) - 4);
      g_autofree char *golden = g_strdup_printf ("golden_%s_24x24_K5_shrink.csv", stem);
      g_autofree char *spatial = g_strdup_printf ("/data/flow/spatial/%s", stem);
      g_autofree char *temporal = g_strdup_printf ("/data/flow/temporal/%s", stem);
      g_autofree char *table = g_strdup_printf ("/data/flow/golden/%s", stem);

      g_test_add_data_func (spatial, stacks[i], test_spatial);
      g_test_add_data_func (temporal, stacks[i], test_temporal);
      g_test_add_data_func_full (table, g_steal_pointer (&golden), test_golden, g_free);
    }
  g_test_add_data_func ("/data/flow/figure/real", &figures[0], test_figure);
  g_test_add_data_func ("/data/flow/figure/simulated", &figures[1], test_figure);
  g_test_add_func ("/data/flow/static-fraction", test_static_fraction);
  return g_test_run ();
}
