/* SPDX-License-Identifier: MIT */
#include "tests/support/sanitized.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/motion/perfusion-motion-grid.h"
#include "kernels/perfusion/vessels/perfusion-find.h"
#include "tests/kernels/perfusion/support/perfusion-corrected.h"
/* The free-form deformation on the CPU: displacements and inflow of a liver that is deformed by
 * breathing, a body that is still, and unusual series. */

/* The liver moves by 10 mm from front to back and along the body and is stretched, while the spine
 * and the other side of the body stay. */
static void
stretch (int frame, const double *place, double *voxels)
{
  double phase = 2 * G_PI * frame * 2.5 / 4.3, r2 = 0, share;
  static const double centre[3] = { 20, 22, 6 }, width[3] = { 15, 14, 10 };

  for (int a = 0; a < 3; a++)
    r2 += (place[a] - centre[a]) * (place[a] - centre[a]) / (width[a] * width[a]);
  share = exp (-r2 / 2);
  voxels[0] = 0.06 * (place[0] - centre[0]) * sin (phase + 0.5) * share;
  voxels[1] = 2 * sin (phase) * share;
  voxels[2] = 1.25 * sin (phase + 0.3) * share;
}

static const Body body = { { 64, 52, 12 }, 48, 0.03, 1, 5, NULL, NULL };

/* The displacement that was found at a voxel. */
static void
found_at (const VgPerfusionMotion *motion, int frame, const int at[3], float d[3])
{
  VgPerfusionTaps taps[3];
  const gsize points = (gsize) vg_perfusion_control_points (&motion->grid);

  for (int a = 0; a < 3; a++)
    taps[a] = vg_perfusion_spline (&motion->grid, a, at[a], 1);
  vg_perfusion_displacement (&motion->grid, motion->deformation + (gsize) frame * points * 3, taps,
                             d);
}

/* Sorts the errors of the displacement of each voxel of the liver, frame and axis: the errors of
 * the displacement of the whole volume are the others.  The position of a voxel over the whole
 * series is arbitrary, so its median difference does not count.  Returns their number. */
static gsize
errors_of (const Body *self, const VgPerfusionMotion *motion, double *errors, double *whole)
{
  const int *n = self->n;
  g_autofree double *one = g_new (double, self->frames), *other = g_new (double, self->frames),
                    *sorted = g_new (double, self->frames);
  gsize used = 0;

  for (int i = 0; i < n[0] * n[1] * n[2]; i++)
    {
      int at[3] = { i % n[0], i / n[0] % n[1], i / n[0] / n[1] };
      double place[3] = { at[0], at[1], at[2] }, share[BODY_TISSUES], texture;

      body_shares (self, place, share, &texture);
      if (share[BODY_LIVER] < 0.95 || at[2] < 2 || at[2] >= n[2] - 2)
        continue;
      for (int a = 0; a < 3; a++)
        {
          double middle[2];

          for (int f = 0; f < self->frames; f++)
            {
              double true_shift[3] = { 0, 0, 0 };
              float d[3];

              if (self->deformation != NULL)
                self->deformation (f, place, true_shift);
              found_at (motion, f, at, d);
              one[f] = (double) d[a] - true_shift[a];
              other[f] = (double) motion->shift[f * 3 + a] - true_shift[a];
            }
          for (int k = 0; k < 2; k++)
            {
              memcpy (sorted, k == 0 ? one : other, sizeof *sorted * (gsize) self->frames);
              vg_sort_doubles (sorted, (gsize) self->frames);
              middle[k] = sorted[self->frames / 2];
            }
          for (int f = 0; f < self->frames; f++)
            {
              errors[used] = fabs (one[f] - middle[0]);
              whole[used++] = fabs (other[f] - middle[1]);
            }
        }
    }
  vg_sort_doubles (errors, used);
  vg_sort_doubles (whole, used);
  return used;
}

static void
test_displacement (void)
{
  Body moved = body;
  gsize samples = (gsize) (body.n[0] * body.n[1] * body.n[2] * body.frames) * 3, used;
  g_autofree double *errors = g_new (double, samples), *whole = g_new (double, samples);
  float low = HUGE_VALF, high = 0;

  moved.deformation = stretch;
  g_autoptr (VgImage) image = body_image (&moved);
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_DEFORMATION, NULL);
  used = errors_of (&moved, motion, errors, whole);
  for (int i = 0; i < body.n[0] * body.n[1] * body.n[2]; i++)
    {
      low = MIN (low, motion->jacobian_low[i]);
      high = MAX (high, motion->jacobian_high[i]);
    }
  g_test_message (
      "error of the displacement in the liver, voxels: median %.3f, 99 %% %.3f, largest "
      "%.3f; of the volume alone %.3f, %.3f, %.3f; Jacobian %.3f to %.3f",
      errors[used / 2], errors[used * 99 / 100], errors[used - 1], whole[used / 2],
      whole[used * 99 / 100], whole[used - 1], (double) low, (double) high);
  /* The frame of the arterial peak, which the model fits least. */
  g_assert_cmpint (motion->n_left_out, <=, 1);
  g_assert_cmpfloat (whole[used * 99 / 100], >, 0.8);
  g_assert_cmpfloat (errors[used / 2], <, 0.1);
  g_assert_cmpfloat (errors[used * 99 / 100], <, 0.5);
  g_assert_cmpfloat (errors[used - 1], <, 0.9);
  /* The true one is 0.86 to 1.15. */
  g_assert_cmpfloat (low, >, 0.8f);
  g_assert_cmpfloat (low, <, 0.92f);
  g_assert_cmpfloat (high, >, 1.08f);
  g_assert_cmpfloat (high, <, 1.2f);
}

static void
test_inflow (void)
{
  Body moved = body;
  double still = body_inflow_error (&body, VG_PERFUSION_MOTION_OFF), off, volume, deformed;

  moved.deformation = stretch;
  off = body_inflow_error (&moved, VG_PERFUSION_MOTION_OFF);
  volume = body_inflow_error (&moved, VG_PERFUSION_MOTION_VOLUME);
  deformed = body_inflow_error (&moved, VG_PERFUSION_MOTION_DEFORMATION);
  g_test_message ("median error of total inflow: %.4f without motion; with motion %.2f times, "
                  "corrected %.2f times (volume), %.2f times (deformation)",
                  still, off / still, volume / still, deformed / still);
  g_assert_cmpfloat (volume, >, 1.3 * still);
  g_assert_cmpfloat (deformed, <=, 1.3 * still);
}

static void
test_still (void)
{
  for (int k = 0; k < 2; k++)
    {
      Body still = body;

      still.contrast = k == 0 ? 3 : 1;
      still.noise = k == 0 ? 0.03 : 0.001;
      g_autoptr (VgImage) image = body_image (&still);
      g_autoptr (VgPerfusionMotion)
          motion = body_motion (image, VG_PERFUSION_MOTION_DEFORMATION, NULL);

      for (int i = 0; i < motion->n; i++)
        g_assert_cmpfloat (motion->deformed[i], ==, 0);
      g_assert_cmpint (motion->moved, ==, 0);
      g_assert_cmpint (motion->n_left_out, ==, 0);
      g_assert_null (motion->corrected);
    }
}

/* The least Jacobian determinant of a deformation. */
static double
least_jacobian (const VgPerfusionMotion *motion, gsize voxels)
{
  float low = HUGE_VALF;

  for (gsize v = 0; v < voxels; v++)
    low = MIN (low, motion->jacobian_low[v]);
  return (double) low;
}

/* One slice, few frames, large voxels, an axis of two: the tissue is found more closely than by a
 * displacement of the whole, and the threads do not matter. */
static void
test_sizes (void)
{
  static const int sizes[][4] = { { 64, 52, 1, 16 }, { 48, 40, 2, 9 }, { 40, 36, 5, 5 } };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    {
      const int *n = sizes[k];
      Body moved = { { n[0], n[1], n[2] }, n[3], 0.02, 1, 7, NULL, stretch };
      gsize voxels = (gsize) (n[0] * n[1] * n[2]);
      g_autofree double *weights = g_new (double, n[3]);
      g_autoptr (GError) error = NULL;

      g_autoptr (VgImage) image = body_image (&moved);
      for (int i = 0; i < n[3]; i++)
        weights[i] = 1;
      VgPerfusionMotionTask task = { .image = image,
                                     .kind = VG_PERFUSION_MOTION_DEFORMATION,
                                     .weights = weights,
                                     .spacing = 20,
                                     .threads = 1 };
      g_autoptr (VgPerfusionMotion) one = vg_perfusion_motion_find (&task, &error);
      g_assert_no_error (error);
      task.threads = 3;
      g_autoptr (VgPerfusionMotion) three = vg_perfusion_motion_find (&task, &error);
      g_assert_no_error (error);
      gsize size = sizeof (float) * (gsize) (n[3] * vg_perfusion_control_points (&one->grid) * 3);
      g_assert_cmpmem (one->deformation, size, three->deformation, size);
      g_assert_cmpmem (one->after, voxels * sizeof (float), three->after, voxels * sizeof (float));
      g_assert_cmpint (one->grid.points[2], ==, n[2] == 1 ? 1 : 4);
      g_assert_cmpfloat (least_jacobian (one, voxels), >, 0.3);
      g_assert_nonnull (one->corrected);
      double sums[2] = { 0, 0 };
      for (gsize v = 0; v < voxels; v++)
        {
          sums[0] += (double) one->before[v] / (double) voxels;
          sums[1] += isfinite (one->after[v]) ? (double) one->after[v] / (double) voxels : 0;
        }
      g_test_message ("%dx%dx%dx%d: mean difference from the model %.2f, corrected %.2f", n[0],
                      n[1], n[2], n[3], sums[0], sums[1]);
      g_assert_cmpfloat (sums[1], <, 0.9 * sums[0]);
    }
}

/* Without structure there is no deformation; a frame that is turned round does not fold it. */
static void
test_odd (void)
{
  static const int sizes[][4] = { { 1, 1, 1, 1 }, { 1, 1, 1, 48 }, { 9, 1, 1, 12 },
                                  { 1, 9, 2, 9 }, { 1, 1, 20, 9 }, { 17, 12, 3, 1 },
                                  { 5, 5, 5, 3 } };
  Body turned = { { 40, 36, 4 }, 16, 0.03, 1, 3, NULL, stretch };
  gsize volume = 40 * 36 * 4;

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (int fill = 0; fill < 3; fill++)
      {
        const int *n = sizes[k];
        VgImageInfo info = { .type = VG_F32,
                             .width = n[0],
                             .height = n[1],
                             .channels = 1,
                             .bins = 1,
                             .slices = n[2],
                             .frames = n[3] };
        g_autoptr (VgImage) image = vg_image_new (&info, "small", NULL);

        for (int i = 0; i < n[0] * n[1] * n[2] * n[3]; i++)
          ((float *) image->data)[i] = fill == 0 ? 0 : fill == 1 ? 7.3f : NAN;
        g_autoptr (VgPerfusionMotion)
            motion = body_motion (image, VG_PERFUSION_MOTION_DEFORMATION, NULL);
        g_assert_cmpint (motion->moved, ==, 0);
        g_assert_cmpint (motion->n_left_out, ==, 0);
        g_assert_null (motion->corrected);
        for (int i = 0; i < n[0] * n[1] * n[2]; i++)
          {
            g_assert_cmpfloat_with_epsilon (motion->jacobian_low[i], 1, 1e-6);
            g_assert_cmpfloat_with_epsilon (motion->jacobian_high[i], 1, 1e-6);
          }
      }
  g_autoptr (VgImage) image = body_image (&turned);
  for (gsize i = 0; i < volume / 2; i++)
    {
      float *one = (float *) image->data + 9 * volume + i,
            *other = (float *) image->data + 10 * volume - 1 - i, copy = *one;

      *one = *other;
      *other = copy;
    }
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_DEFORMATION, NULL);
  g_assert_cmpfloat (least_jacobian (motion, volume), >, 0);
}

/* Any displacements of the points are made such that they do not fold. */
static void
test_folding (void)
{
  VgImageInfo info = { .type = VG_F32,
                       .width = 40,
                       .height = 30,
                       .channels = 1,
                       .bins = 1,
                       .slices = 9,
                       .frames = 1,
                       .pixel_size = { 2, 2, 5 },
                       .pixel_unit = "mm" };
  g_autoptr (VgImage) image = vg_image_new (&info, "folded", NULL);
  gsize voxels = 40 * 30 * 9;
  g_autofree float *low = g_new (float, voxels), *high = g_new (float, voxels);
  float deformed = 1;
  guint8 left_out = 0;
  VgPerfusionMotionTask task = { .image = image, .threads = 2 };

  for (int k = 0; k < 20; k++)
    {
      VgPerfusionMotion motion = { .n = 1,
                                   .grid = vg_perfusion_motion_grid (&info, 10),
                                   .deformed = &deformed,
                                   .left_out = &left_out,
                                   .jacobian_low = low,
                                   .jacobian_high = high };
      VgMotionSearch search = { .task = &task, .motion = &motion, .grid = &motion.grid, .n = 1 };
      int points = vg_perfusion_control_points (&motion.grid);
      g_autofree float *shift = g_new (float, points * 3);
      double size = pow (10, g_test_rand_double_range (-1, 3));

      search.groups = points;
      motion.deformation = shift;
      vg_perfusion_motion_size (&info, search.size);
      for (int i = 0; i < points * 3; i++)
        shift[i] = (float) g_test_rand_double_range (-size, size);
      vg_motion_grid_unfold (&motion.grid, search.size, shift);
      g_assert_true (vg_motion_grid_jacobian (&search, NULL));
      g_assert_cmpfloat (least_jacobian (&motion, voxels), >, 0);
    }
}

static void
count_reports (gpointer data, double done)
{
  ++*(int *) data;
}

/* The search for vessels takes the corrected series from a state with the same motion correction,
 * and finds the same in it. */
static void
test_find (void)
{
  Body moved = { { 40, 36, 4 }, 16, 0.03, 1, 5, NULL, stretch };
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  const VgEngine *engine = &vg_perfusion_cpu_engine;
  int reports = 0, before;
  g_autoptr (GError) error = NULL;

  params->motion = VG_PERFUSION_MOTION_DEFORMATION;
  params->frame_interval_s = 2.5f;
  g_autoptr (VgImage) image = body_image (&moved);
  VgContext context = { .params = params,
                        .info = &image->info,
                        .image = image,
                        .threads = 2,
                        .report = count_reports,
                        .report_data = &reports };
  gpointer state = engine->prepare (&context, &error);
  g_assert_no_error (error);
  g_assert_cmpint (reports, >, 0);
  reports = 0;
  g_autoptr (GPtrArray) alone = vg_perfusion_find_inputs (&context, &error);
  g_assert_no_error (error);
  before = reports;
  g_assert_cmpint (before, >, 0);
  reports = 0;
  context.state = state;
  g_autoptr (GPtrArray) with = vg_perfusion_find_inputs (&context, &error);
  g_assert_no_error (error);
  g_assert_cmpint (reports, <, before);
  g_assert_cmpuint (with->len, ==, alone->len);
  for (guint i = 0; i < with->len; i++)
    {
      const VgFinding *a = alone->pdata[i], *b = with->pdata[i];

      g_assert_cmpstr (a->param, ==, b->param);
      g_assert_cmpstr (a->note, ==, b->note);
      g_assert_cmpint (a->slice, ==, b->slice);
      g_assert_true ((a->mask == NULL) == (b->mask == NULL));
    }
  /* Another correction is another series. */
  before = reports;
  params->motion = VG_PERFUSION_MOTION_VOLUME;
  g_autoptr (GPtrArray) other = vg_perfusion_find_inputs (&context, &error);
  g_assert_no_error (error);
  g_assert_cmpint (reports, >, before);
  engine->free (state);
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* The maps of the Jacobian determinant are not computed for a task that is stopped. */
static void
test_stop (void)
{
  const Body moved = { { 40, 36, 4 }, 16, 0.03, 1, 5, NULL, stretch };
  const gsize size = sizeof (float) * 40 * 36 * 4;
  g_autoptr (VgImage) image = body_image (&moved);
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_DEFORMATION, NULL);
  g_autofree float *low = g_memdup2 (motion->jacobian_low, size);
  g_autoptr (GError) error = NULL;
  gint stop = 1;
  VgPerfusionMotionTask task = { .image = image, .threads = 2, .stop = &stop };
  VgMotionSearch search = { .task = &task,
                            .motion = motion,
                            .grid = &motion->grid,
                            .n = 16,
                            .groups = vg_perfusion_control_points (&motion->grid) };

  memset (motion->jacobian_low, 0, size);
  g_assert_false (vg_motion_grid_jacobian (&search, &error));
  g_assert_nonnull (error);
  for (gsize i = 0; i < size / sizeof (float); i++)
    g_assert_cmpfloat (motion->jacobian_low[i], ==, 0);
  g_clear_error (&error);
  stop = 0;
  g_assert_true (vg_motion_grid_jacobian (&search, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (motion->jacobian_low, size, low, size);
}

/* The maps, the table and the metrics of the engine, and the memory. */
static void
test_engine (void)
{
  Body moved = { { 48, 40, 4 }, 16, 0.03, 1, 5, NULL, stretch };
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  const VgEngine *engine = &vg_perfusion_cpu_engine;
  g_autofree char *name = NULL, *text = NULL;
  gsize results[3], passes[3];
  VgPlane plane;
  gpointer state;

  params->motion = VG_PERFUSION_MOTION_DEFORMATION;
  params->motion_spacing_mm = 25;
  g_autoptr (VgImage) image = body_image (&moved);
  VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 2 };
  state = engine->prepare (&context, NULL);
  g_assert_nonnull (state);
  for (int k = VG_PERFUSION_OUTPUT_JACOBIAN_MIN; k <= VG_PERFUSION_OUTPUT_JACOBIAN_MAX; k++)
    {
      g_assert_true (engine->output (state, (guint) k, &plane, NULL));
      for (int i = 0; i < 48 * 40 * 4; i++)
        if (k == VG_PERFUSION_OUTPUT_JACOBIAN_MIN)
          g_assert_true (plane.data[i] > 0 && plane.data[i] <= 1.05f);
        else
          g_assert_true (plane.data[i] >= 0.95f && plane.data[i] < 3);
    }
  text = engine->text (state, VG_PERFUSION_OUTPUT_MOTION, &name, NULL);
  g_assert_true (g_str_has_prefix (text,
                                   "frame,time_s,x [mm],x_error [mm],y [mm],y_error [mm],z [mm],"
                                   "z_error [mm],deformation [mm],misfit,left_out\n1,0,"));
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  engine->results (state, metrics, NULL);
  g_assert_cmpfloat (vg_metrics_find (metrics, "deformation")->value, >, 1);
  g_assert_cmpfloat (vg_metrics_find (metrics, "deformation")->value, <, 5);
  g_assert_cmpfloat (vg_metrics_find (metrics, "motion_range")->value, >, 5);
  g_assert_cmpfloat (vg_metrics_find (metrics, "motion_range")->value, <, 20);
  g_assert_cmpfloat (vg_metrics_find (metrics, "jacobian_min")->value, >, 0);
  engine->free (state);
  vg_params_free (&vg_perfusion_operation.params, params);
  for (int k = 0; k < 3; k++)
    vg_perfusion_motion_memory (&image->info,
                                k == 0   ? 0
                                : k == 1 ? 25
                                         : 8,
                                &results[k], &passes[k]);
  g_assert_cmpint (results[1], >, results[0]);
  g_assert_cmpint (results[2], >, results[1]);
  g_assert_cmpint (passes[1], >, passes[0]);
  g_assert_cmpint (passes[2], >, passes[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-deformation/odd", test_odd);
  g_test_add_func ("/perfusion-deformation/folding", test_folding);
  g_test_add_func ("/perfusion-deformation/sizes", test_sizes);
  g_test_add_func ("/perfusion-deformation/find", test_find);
  g_test_add_func ("/perfusion-deformation/stop", test_stop);
  g_test_add_func ("/perfusion-deformation/engine", test_engine);
  if (!SANITIZED)
    {
      g_test_add_func ("/perfusion-deformation/displacement", test_displacement);
      g_test_add_func ("/perfusion-deformation/inflow", test_inflow);
      g_test_add_func ("/perfusion-deformation/still", test_still);
    }
  return g_test_run ();
}
