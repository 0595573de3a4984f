/* SPDX-License-Identifier: MIT */
/* Vessels and liver of odd shapes, inputs from tables, and a search that is stopped. */
#include "tests/kernels/perfusion/support/perfusion-series.h"
#include "kernels/perfusion/model/perfusion-population.h"

enum { WIDE = 60, HIGH = 60, DEEP = 3, TIMES = 40, AREA = WIDE * HIGH };

/* Three columns and three rows that form a U. */
static gboolean
is_bent (int x, int y, int slice)
{
  gboolean column = (x >= 5 && x < 8) || (x >= 20 && x < 23);

  return (column && y >= 5 && y < 20) || (x >= 5 && x < 23 && y >= 17 && y < 20);
}

/* A slab that is elsewhere in each slice. */
static gboolean
is_oblique (int x, int y, int slice)
{
  return x >= 5 && x < 55 && y >= 25 + 9 * slice && y < 35 + 9 * slice;
}

/* Concentrations: an artery and, with 0.3 of the area under its curve, a liver. */
static Series
shaped_series (void)
{
  VgImageInfo info = { .type = VG_F32,
                       .width = WIDE,
                       .height = HIGH,
                       .channels = 1,
                       .bins = 1,
                       .slices = DEEP,
                       .frames = TIMES,
                       .frame_interval_s = 2.5 };
  Series self = { .image = vg_image_new (&info, "series", NULL),
                  .params = vg_params_new (&vg_perfusion_operation.params) };
  double times[TIMES], artery[TIMES], vein[TIMES], liver[TIMES];
  float *samples = self.image->data;

  self.params->signal = VG_PERFUSION_SIGNAL_CONCENTRATION;
  for (int i = 0; i < TIMES; i++)
    {
      times[i] = 2.5 * i;
      artery[i] = i < 5 ? 0 : vg_perfusion_population_artery (times[i] - 12.5);
    }
  vg_perfusion_disperse (TIMES, times, artery, vein);
  for (int i = 0; i < TIMES; i++)
    liver[i] = i == 0 ? 0
                      : liver[i - 1] +
                            2.5 / 15 * (0.3 * (0.17 * artery[i] + 0.83 * vein[i]) - liver[i - 1]);
  for (int at = 0; at < TIMES * DEEP * AREA; at++)
    {
      int x = at % WIDE, y = at / WIDE % HIGH, slice = at / AREA % DEEP, frame = at / AREA / DEEP;

      samples[at] = (float) (is_bent (x, y, slice)      ? artery[frame]
                             : is_oblique (x, y, slice) ? liver[frame]
                                                        : 0);
    }
  return self;
}

/* A second artery with another curve makes the first uncertain, and with it what follows from it.
 */
static void
test_uncertain (void)
{
  Series self = shaped_series ();
  float *samples = self.image->data, peak = 0;
  VgPerfusionFound found;

  for (int frame = 0; frame < TIMES; frame++)
    peak = MAX (peak, samples[frame * DEEP * AREA + 10 * WIDE + 6]);
  for (int at = 0; at < TIMES * DEEP * AREA; at++)
    {
      int x = at % WIDE, y = at / WIDE % HIGH;
      float artery = samples[at / (DEEP * AREA) * DEEP * AREA + 10 * WIDE + 6];

      if (x >= 40 && x < 46 && y >= 5 && y < 11)
        samples[at] = 0.95F * artery * artery / peak;
    }
  series_look (&self);
  g_assert_true (vg_perfusion_find (self.voxels, NULL, &found, NULL));
  for (int k = 0; k < VG_PERFUSION_N_FOUND; k++)
    {
      g_test_message ("%s", found.note[k]);
      g_assert_false (found.sure[k]);
    }
  g_assert_nonnull (strstr (found.note[VG_PERFUSION_FOUND_ARTERY], "another vessel"));
  g_assert_nonnull (found.grown[VG_PERFUSION_FOUND_LIVER]);
  g_assert_nonnull (
      strstr (found.note[VG_PERFUSION_FOUND_LIVER], "because the artery is uncertain"));
  vg_perfusion_found_clear (&found);
  series_clear (&self);
}

/* Of a bent vessel one piece is marked, no voxel beside it.  An oblique liver is marked where it is
 * in each slice. */
static void
test_shapes (void)
{
  Series self = shaped_series ();
  VgContext context = series_context (&self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) findings = vg_perfusion_find_inputs (&context, &error);
  const VgFinding *artery, *liver;
  g_autofree char *note = NULL;
  int inside = 0, voxels = 0;

  g_assert_no_error (error);
  artery = findings->pdata[VG_PERFUSION_FOUND_ARTERY];
  liver = findings->pdata[VG_PERFUSION_FOUND_LIVER];
  g_test_message ("%s %s", artery->note, liver->note);
  g_assert_nonnull (artery->mask);
  for (int i = 0; i < AREA; i++)
    if (((const guint8 *) artery->mask->data)[i])
      {
        g_assert_true (is_bent (i % WIDE, i / WIDE, artery->slice));
        inside++;
      }
  g_assert_cmpint (inside, >=, 4);
  g_assert_nonnull (liver->mask);
  g_assert_cmpint (liver->mask->info.slices, ==, DEEP);
  for (int i = 0; i < DEEP * AREA; i++)
    voxels += ((const guint8 *) liver->mask->data)[i];
  note = g_strdup_printf ("Liver: %d voxels in 3 of 3 slices were found.", voxels);
  g_assert_cmpstr (liver->note, ==, note);
  for (int slice = 0; slice < DEEP; slice++)
    {
      const guint8 *mask = (const guint8 *) liver->mask->data + slice * AREA;
      g_autofree guint8 *truth = g_new (guint8, AREA);
      double dice;

      for (int i = 0; i < AREA; i++)
        truth[i] = is_oblique (i % WIDE, i / WIDE, slice);
      dice = series_dice (mask, truth, AREA);
      g_test_message ("slice %d: Dice %.3f", slice + 1, dice);
      g_assert_cmpfloat (dice, >=, 0.95);
    }
  series_clear (&self);
}

/* ---- Settings ---- */

/* A table gives the artery, and the portal vein if it has a third column. */
static void
test_tables (void)
{
  Series self = shaped_series ();

  for (int columns = 2; columns <= 3; columns++)
    {
      GString *text = g_string_new (columns == 2 ? "time,artery\n" : "time,artery,portal\n");
      VgContext context = series_context (&self);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) findings = NULL;
      g_autoptr (VgImage) table = NULL;

      for (int i = 0; i < TIMES; i++)
        g_string_append_printf (text, columns == 2 ? "%g,%d\n" : "%g,%d,1\n", 2.5 * i, i);
      gsize length = text->len;
      table = vg_image_new_text (g_string_free (text, FALSE), length, "table.csv");
      context.files = &(VgInputFile){ "input_tables", table };
      context.n_files = 1;
      findings = vg_perfusion_find_inputs (&context, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (findings->len, ==, 4 - columns);
      g_assert_cmpstr (((const VgFinding *) findings->pdata[0])->param, ==,
                       columns == 2 ? "portal" : "mask");
    }
  series_clear (&self);
}

/* A stopped search ends without findings, wherever it is. */
static void
test_stopped (void)
{
  Series self = shaped_series ();
  gint stop = 0;
  g_autoptr (GError) error = NULL;
  VgPerfusionFound found;

  series_look (&self);
  self.context.stop = &stop;
  g_assert_true (vg_perfusion_find (self.voxels, NULL, &found, &error));
  vg_perfusion_found_clear (&found);
  stop = 1;
  g_assert_false (vg_perfusion_find (self.voxels, NULL, &found, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  vg_perfusion_found_clear (&found);
  g_clear_error (&error);
  g_assert_null (vg_perfusion_grow (self.voxels, 5 * WIDE + 6, AREA, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  g_clear_error (&error);
  g_assert_null (vg_perfusion_find_inputs (&self.context, &error));
  g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_FAILED);
  series_clear (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-vessels-shapes/shapes", test_shapes);
  g_test_add_func ("/perfusion-vessels-shapes/uncertain", test_uncertain);
  g_test_add_func ("/perfusion-vessels-shapes/tables", test_tables);
  g_test_add_func ("/perfusion-vessels-shapes/stopped", test_stopped);
  return g_test_run ();
}
