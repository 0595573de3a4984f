/* SPDX-License-Identifier: MIT */
#include "tests/support/sanitized.h"
#include "kernels/base/vg-sort.h"
#include "kernels/core/vg-operation.h"
#include "kernels/perfusion/study/perfusion-study.h"
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"
#include "tests/kernels/perfusion/support/perfusion-corrected.h"
/* The motion correction on the CPU: displacements and inflow of a body that breathes, a body that
 * does not, and unusual series. */

static void
breathe_slices (int frame, int slice, double *voxels)
{
  double phase = 2 * G_PI * frame * 2.5 / 4.3 + 0.7 * slice;

  voxels[0] = 0.6 * sin (phase + 1);
  voxels[1] = 2 * sin (phase);
}

static void
drift (int frame, int slice, double *voxels)
{
  (void) slice;
  voxels[0] = 0.05 * frame;
}

static const Body body = { { 64, 52, 12 }, 48, 0.03, 1, 5, NULL, NULL };

/* Frames that are compared with others computed here, not with the true motion. */
enum { COMPARED = SANITIZED ? 16 : 48 };

/* The largest error of a displacement.  The position of the whole series is arbitrary, so the
 * median difference of each group does not count. */
static double
worst_error (const Body *self, const VgPerfusionMotion *motion)
{
  g_autofree double *error = g_new (double, self->frames);
  double worst = 0;

  for (int g = 0; g < motion->groups; g++)
    for (int a = 0; a < 3; a++)
      {
        for (int i = 0; i < self->frames; i++)
          {
            double true_shift[3] = { 0, 0, 0 };

            if (self->motion != NULL)
              self->motion (i, g, true_shift);
            error[i] = (double) motion->shift[(i * motion->groups + g) * 3 + a] - true_shift[a];
          }
        vg_sort_doubles (error, (gsize) self->frames);
        worst = MAX (worst, error[self->frames - 1] - error[self->frames / 2]);
        worst = MAX (worst, error[self->frames / 2] - error[0]);
      }
  return worst;
}

static void
test_inflow (void)
{
  Body moved = body, slices = body;
  double still = body_inflow_error (&body, VG_PERFUSION_MOTION_OFF), off, volume, slice;

  moved.motion = breathe;
  slices.motion = breathe_slices;
  off = body_inflow_error (&moved, VG_PERFUSION_MOTION_OFF);
  volume = body_inflow_error (&moved, VG_PERFUSION_MOTION_VOLUME);
  slice = body_inflow_error (&slices, VG_PERFUSION_MOTION_SLICES);
  g_test_message ("median error of total inflow: %.4f without motion; with motion %.2f times, "
                  "corrected %.2f times (volume), %.2f times (slices)",
                  still, off / still, volume / still, slice / still);
  g_assert_cmpfloat (off, >, 1.3 * still);
  g_assert_cmpfloat (volume, <=, 1.3 * still);
  g_assert_cmpfloat (slice, <=, 1.3 * still);
}

static void
test_displacement (void)
{
  static void (*const motions[]) (int, int, double *) = { breathe, breathe_slices, drift };

  for (guint k = 0; k < G_N_ELEMENTS (motions); k++)
    {
      Body moved = body;

      moved.motion = motions[k];
      g_autoptr (VgImage) image = body_image (&moved);
      g_autoptr (VgPerfusionMotion) motion = body_motion (
          image, k == 1 ? VG_PERFUSION_MOTION_SLICES : VG_PERFUSION_MOTION_VOLUME, NULL);

      g_test_message ("motion %u: worst error of the displacement %.3f voxels", k,
                      worst_error (&moved, motion));
      g_assert_nonnull (motion->corrected);
      g_assert_cmpfloat (worst_error (&moved, motion), <, 0.5);
      g_assert_cmpint (motion->n_left_out, ==, 0);
    }
}

/* Strong enhancement is no motion: nothing is changed. */
static void
test_still (void)
{
  for (int k = 0; k < 4; k++)
    {
      Body still = body;

      still.contrast = k >= 2 ? 3 : 1;
      still.noise = k >= 2 ? 0.001 : 0.03;
      g_autoptr (VgImage) image = body_image (&still);
      g_autoptr (VgPerfusionMotion) motion = body_motion (
          image, k % 2 == 0 ? VG_PERFUSION_MOTION_VOLUME : VG_PERFUSION_MOTION_SLICES, NULL);

      for (int i = 0; i < motion->n * motion->groups * 3; i++)
        {
          g_assert_cmpfloat (fabsf (motion->found[i]), <, 0.1f);
          g_assert_cmpfloat (motion->shift[i], ==, 0);
        }
      g_assert_cmpint (motion->moved, ==, 0);
      g_assert_cmpint (motion->n_left_out, ==, 0);
      g_assert_null (motion->corrected);
    }
}

/* In two frames the body is turned by half a turn in its slices. */
static void
test_jerks (void)
{
  static const int jerks[] = { 20, 37 };
  Body moved = body;
  gsize page = (gsize) (body.n[0] * body.n[1]), volume = page * (gsize) body.n[2];

  moved.motion = breathe;
  g_autoptr (VgImage) image = body_image (&moved);
  g_autofree float *copy = g_new (float, page);
  for (guint k = 0; k < G_N_ELEMENTS (jerks); k++)
    for (gsize r = 0; r < volume; r += page)
      {
        float *to = (float *) image->data + (gsize) jerks[k] * volume + r;

        memcpy (copy, to, sizeof *copy * page);
        for (gsize i = 0; i < page; i++)
          to[i] = copy[page - 1 - i];
      }
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_VOLUME, NULL);
  for (int i = 0; i < body.frames; i++)
    g_assert_cmpint (motion->left_out[i], ==, i == jerks[0] || i == jerks[1]);
}

/* The right quarter of the image stays where it is; the mask says what counts. */
static void
test_mask (void)
{
  Body moved = body;
  gsize voxels = (gsize) (body.n[0] * body.n[1] * body.n[2]);
  g_autoptr (VgImage) still = body_image (&body);
  g_autofree guint8 *mask = g_malloc0 (voxels);

  moved.motion = breathe;
  g_autoptr (VgImage) image = body_image (&moved);
  for (gsize i = 0; i < voxels * (gsize) body.frames; i++)
    if ((int) (i % (gsize) body.n[0]) >= body.n[0] * 3 / 4)
      ((float *) image->data)[i] = ((float *) still->data)[i];
    else if (i < voxels)
      mask[i] = (int) (i % (gsize) body.n[0]) < body.n[0] * 3 / 4 - 4;
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_VOLUME, mask);
  g_assert_cmpfloat (worst_error (&moved, motion), <, 0.5);
}

static VgImage *
small_image (VgType type, int width, int height, int slices, int frames)
{
  VgImageInfo info = { .type = type,
                       .width = width,
                       .height = height,
                       .channels = 1,
                       .bins = 1,
                       .slices = slices,
                       .frames = frames };

  return vg_image_new (&info, "small", NULL);
}

/* Without structure there is no motion; missing samples remain missing. */
static void
test_odd (void)
{
  static const int sizes[][4] = { { 1, 1, 1, 1 },   { 1, 1, 1, 5 }, { 1, 1, 1, 48 },
                                  { 9, 1, 1, 12 },  { 1, 9, 2, 9 }, { 1, 1, 20, 9 },
                                  { 17, 12, 3, 1 }, { 5, 5, 5, 3 } };

  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++)
    for (int kind = VG_PERFUSION_MOTION_VOLUME; kind <= VG_PERFUSION_MOTION_SLICES; kind++)
      for (int fill = 0; fill < 3; fill++)
        {
          const int *n = sizes[k];
          g_autoptr (VgImage) image = small_image (VG_F32, n[0], n[1], n[2], n[3]);

          for (int i = 0; i < n[0] * n[1] * n[2] * n[3]; i++)
            ((float *) image->data)[i] = fill == 0 ? 0 : fill == 1 ? 7.3f : NAN;
          g_autoptr (VgPerfusionMotion)
              motion = body_motion (image, (VgPerfusionMotionKind) kind, NULL);
          g_assert_cmpint (motion->moved, ==, 0);
          g_assert_cmpint (motion->n_left_out, ==, 0);
          g_assert_null (motion->corrected);
        }
}

static void
test_missing (void)
{
  Body moved = body;
  gsize volume = (gsize) (body.n[0] * body.n[1] * body.n[2]), hole = volume / 2 + 700;
  float *data;

  moved.motion = breathe;
  g_autoptr (VgImage) image = body_image (&moved);
  data = image->data;
  for (gsize i = 0; i < (gsize) body.frames; i++)
    data[i * volume + hole] = i % 2 == 0 ? NAN : INFINITY;
  for (gsize v = 0; v < volume; v++)
    data[11 * volume + v] = NAN;
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_VOLUME, NULL);
  g_assert_nonnull (motion->corrected);
  for (gsize i = 0; i < (gsize) body.frames; i++)
    {
      const float *shift = motion->shift + i * 3, *to = motion->corrected->data;
      gsize near = hole;

      for (int a = 0; a < 3; a++)
        g_assert_true (isfinite (shift[a]));
      if (i == 11)
        continue;
      for (int a = 0; a < 3; a++)
        near -= (gsize) ((int) lrintf (shift[a]) * (a == 0   ? 1
                                                    : a == 1 ? body.n[0]
                                                             : body.n[0] * body.n[1]));
      g_assert_false (isfinite (to[i * volume + near]));
    }
  /* The frame without samples has no displacement. */
  for (int i = 0; i < 3; i++)
    g_assert_cmpfloat (motion->shift[11 * 3 + i], ==, 0);
  moved.frames = 11;
  g_assert_cmpfloat (worst_error (&moved, motion), <, 0.5);
}

/* Samples of 16 bits, large and small values. */
static void
test_scales (void)
{
  Body moved = body;
  gsize samples = (gsize) (body.n[0] * body.n[1] * body.n[2] * COMPARED);

  moved.motion = breathe;
  moved.frames = COMPARED;
  g_autoptr (VgImage) image = body_image (&moved);
  g_autoptr (VgImage) narrow = small_image (VG_U16, body.n[0], body.n[1], body.n[2], COMPARED);
  g_autoptr (VgPerfusionMotion) first = body_motion (image, VG_PERFUSION_MOTION_VOLUME, NULL);
  for (gsize i = 0; i < samples; i++)
    {
      float *value = (float *) image->data + i;

      ((guint16 *) narrow->data)[i] = (guint16) CLAMP (rintf (*value * 8), 0, 65535);
      *value *= 1e-20f;
    }
  g_autoptr (VgPerfusionMotion) small = body_motion (image, VG_PERFUSION_MOTION_VOLUME, NULL);
  g_autoptr (VgPerfusionMotion) whole = body_motion (narrow, VG_PERFUSION_MOTION_VOLUME, NULL);
  for (int i = 0; i < COMPARED * 3; i++)
    {
      g_assert_cmpfloat_with_epsilon (first->found[i], small->found[i], 1e-3);
      g_assert_cmpfloat_with_epsilon (first->found[i], whole->found[i], 0.02);
    }
}

static void
count_report (gpointer data, double done)
{
  double *last = data;

  g_assert_cmpfloat (done, >, *last);
  g_assert_cmpfloat (done, <=, 1);
  *last = done;
}

static void
stop_late (gpointer data, double done)
{
  if (done > 0.3)
    g_atomic_int_set ((gint *) data, 1);
}

static void
test_stop (void)
{
  Body moved = body;
  g_autofree double *weights = g_new (double, body.frames);
  gint stop = 0;
  double last = 0;
  g_autoptr (GError) error = NULL;

  moved.n[2] = 1;
  moved.motion = breathe_slices;
  g_autoptr (VgImage) image = body_image (&moved);
  for (int i = 0; i < body.frames; i++)
    weights[i] = 1;
  VgPerfusionMotionTask task = { .image = image,
                                 .kind = VG_PERFUSION_MOTION_SLICES,
                                 .weights = weights,
                                 .threads = 2,
                                 .report = count_report,
                                 .report_data = &last };
  g_autoptr (VgPerfusionMotion) motion = vg_perfusion_motion_find (&task, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (last, >, 0.9);
  task.stop = &stop;
  task.report = stop_late;
  task.report_data = &stop;
  g_assert_null (vg_perfusion_motion_find (&task, &error));
  g_assert_nonnull (error);
}

/* The difference between the means over time of A and B, summed over the voxels, for float data.
 * Voxels that were moved in from outside have no value. */
static double
mean_difference (const VgImage *a, const VgImage *b)
{
  const gsize n = (gsize) a->info.width * (gsize) a->info.height * (gsize) a->info.slices;
  double sum = 0;

  for (gsize k = 0; k < n; k++)
    {
      double means[2] = { 0, 0 };

      for (gsize i = 0; i < (gsize) a->info.frames; i++)
        {
          means[0] += (double) ((const float *) a->data)[i * n + k];
          means[1] += (double) ((const float *) b->data)[i * n + k];
        }
      if (isfinite (means[0]))
        sum += fabs (means[0] - means[1]) / (double) a->info.frames;
    }
  return sum;
}

/* The engine's outputs, and settings that change the motion. */
static void
test_engine (void)
{
  Body moved = body;
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params), *other;
  g_autofree char *name = NULL, *text = NULL;
  VgPlane before, after;
  gpointer state;
  double sums[2] = { 0, 0 };
  const VgEngine *engine = &vg_perfusion_cpu_engine;
  const VgImage *corrected;

  moved.n[2] = 2;
  g_autoptr (VgImage) still = body_image (&moved);
  moved.motion = breathe_slices;
  g_autoptr (VgImage) image = body_image (&moved);
  VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 2 };
  state = engine->prepare (&context, NULL);
  g_assert_nonnull (state);
  g_assert_false (engine->output (state, VG_PERFUSION_OUTPUT_MOTION_BEFORE, &before, NULL));
  g_assert_null (engine->curves->corrected (state));
  other = vg_params_copy (&vg_perfusion_operation.params, params);
  other->motion = VG_PERFUSION_MOTION_SLICES;
  g_assert_false (engine->update (state, other));
  engine->free (state);

  params->motion = VG_PERFUSION_MOTION_SLICES;
  state = engine->prepare (&context, NULL);
  g_assert_nonnull (state);
  g_assert_true (engine->output (state, VG_PERFUSION_OUTPUT_MOTION_BEFORE, &before, NULL));
  g_assert_true (engine->output (state, VG_PERFUSION_OUTPUT_MOTION_AFTER, &after, NULL));
  for (int i = 0; i < body.n[0] * body.n[1] * 2; i++)
    {
      sums[0] += isfinite (before.data[i]) ? (double) before.data[i] : 0;
      sums[1] += isfinite (after.data[i]) ? (double) after.data[i] : 0;
    }
  g_assert_cmpfloat (sums[1], <, 0.7 * sums[0]);
  corrected = engine->curves->corrected (state);
  g_assert_cmpint (corrected->info.type, ==, VG_F32);
  g_assert_cmpint (corrected->info.frames, ==, body.frames);
  /* the mean over time has edges like those of a body at rest */
  g_assert_cmpfloat (mean_difference (corrected, still), <, 0.5 * mean_difference (image, still));
  text = engine->text (state, VG_PERFUSION_OUTPUT_MOTION, &name, NULL);
  g_assert_cmpstr (name, ==, "motion.csv");
  g_assert_true (g_str_has_prefix (text, "frame,time_s,slice,x [mm],x_error [mm],y [mm],y_error "
                                         "[mm],misfit,left_out\n1,0,1,"));
  g_auto (GStrv) lines = g_strsplit (text, "\n", 0);
  g_assert_cmpint (g_strv_length (lines), ==, 2 * body.frames + 2);
  VgCurves *curves = engine->curves->plot (state, 1, NULL);
  g_assert_nonnull (curves);
  vg_curves_free (curves);
  /* Other fits of the same corrected series. */
  other->tolerance = 1e-4f;
  g_assert_true (engine->update (state, other));
  other->motion = VG_PERFUSION_MOTION_VOLUME;
  g_assert_false (engine->update (state, other));
  g_autoptr (VgMetrics) metrics = vg_metrics_new ();
  engine->results (state, metrics, NULL);
  g_assert_cmpfloat (vg_metrics_find (metrics, "motion_range")->value, >, 8);
  g_assert_cmpfloat (vg_metrics_find (metrics, "motion_range")->value, <, 13);
  g_assert_cmpfloat (vg_metrics_find (metrics, "frames_moved")->value, ==, body.frames);
  g_assert_cmpfloat (vg_metrics_find (metrics, "motion_after")->value, <,
                     0.7 * vg_metrics_find (metrics, "motion_before")->value);
  g_assert_cmpfloat (vg_metrics_find (metrics, "motion_removed_percent")->value, >, 30);
  engine->free (state);
  vg_params_free (&vg_perfusion_operation.params, other);
  vg_params_free (&vg_perfusion_operation.params, params);
}

/* What is found in IMAGE, one line for each region: its note and the hash of its mask. */
static char *
describe_findings (VgImage *image, VgPerfusionMotionKind kind)
{
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  VgContext context = { .params = params, .info = &image->info, .image = image, .threads = 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  GString *text = g_string_new (NULL);

  params->motion = (int) kind;
  findings = vg_perfusion_operation.find->run (&context, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < findings->len; i++)
    {
      const VgFinding *finding = findings->pdata[i];
      g_autofree char *mask = finding->mask != NULL
                                  ? g_compute_checksum_for_data (
                                        G_CHECKSUM_MD5, finding->mask->data,
                                        (gsize) image->info.width * (gsize) image->info.height)
                                  : g_strdup ("none");

      g_string_append_printf (text, "%s: %s, mask %s\n", finding->param, finding->note, mask);
    }
  vg_params_free (&vg_perfusion_operation.params, params);
  return g_string_free (text, FALSE);
}

/* Vessels are looked for in the corrected frames. */
static void
test_search (void)
{
  Body moved = body;
  g_autofree char *as_it_is = NULL, *with_correction = NULL, *in_corrected = NULL;

  moved.motion = breathe;
  moved.frames = COMPARED;
  g_autoptr (VgImage) image = body_image (&moved);
  g_autoptr (VgPerfusionMotion) motion = body_motion (image, VG_PERFUSION_MOTION_VOLUME, NULL);

  as_it_is = describe_findings (image, VG_PERFUSION_MOTION_OFF);
  with_correction = describe_findings (image, VG_PERFUSION_MOTION_VOLUME);
  in_corrected = describe_findings (motion->corrected, VG_PERFUSION_MOTION_OFF);
  g_test_message ("as it is:\n%s\ncorrected:\n%s", as_it_is, with_correction);
  g_assert_cmpstr (with_correction, ==, in_corrected);
  g_assert_cmpstr (with_correction, !=, as_it_is);
}

/* The breathing abdomen as one volume.  A displacement along its three slices would move the first,
 * in which the aorta is read, out of the image. */
static void
test_few_slices (void)
{
  VgSyntheticSize size = vg_perfusion_phantom.batch;
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = NULL;
  VgImageInfo info;
  gpointer phantom;
  double peak = 0;

  size.sample = VG_PERFUSION_SAMPLE_BREATHING;
  size.seed = 1;
  vg_perfusion_phantom.settings (&size, params);
  params->motion = VG_PERFUSION_MOTION_VOLUME;
  phantom = vg_perfusion_phantom.open (params, &size, &info, &error);
  g_assert_no_error (error);
  image = vg_image_new (&info, "sample", NULL);
  for (gint64 i = 0; i < info.frames; i++)
    vg_perfusion_phantom.read (
        phantom, i, (char *) image->data + (gsize) i * vg_image_info_frame_bytes (&info), NULL);
  vg_perfusion_phantom.close (phantom);
  VgContext context = { .params = params, .info = &info, .image = image, .threads = 2 };
  g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, &error);
  g_assert_no_error (error);
  g_assert_cmpint (study->motion->moved, >, 0);
  for (int i = 0; i < study->n; i++)
    {
      g_assert_cmpfloat (study->motion->shift[3 * i + 2], ==, 0);
      peak = MAX (peak, study->artery[i]);
    }
  g_test_message ("peak of the artery %.2f mM", peak);
  g_assert_cmpfloat (peak, >, 9);
  g_assert_cmpfloat (peak, <, 12);
  vg_params_free (&vg_perfusion_operation.params, params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-motion/odd", test_odd);
  g_test_add_func ("/perfusion-motion/mask", test_mask);
  g_test_add_func ("/perfusion-motion/missing", test_missing);
  g_test_add_func ("/perfusion-motion/scales", test_scales);
  g_test_add_func ("/perfusion-motion/stop", test_stop);
  g_test_add_func ("/perfusion-motion/engine", test_engine);
  g_test_add_func ("/perfusion-motion/search", test_search);
  g_test_add_func ("/perfusion-motion/few-slices", test_few_slices);
  if (!SANITIZED)
    {
      g_test_add_func ("/perfusion-motion/displacement", test_displacement);
      g_test_add_func ("/perfusion-motion/still", test_still);
      g_test_add_func ("/perfusion-motion/jerks", test_jerks);
      g_test_add_func ("/perfusion-motion/inflow", test_inflow);
    }
  return g_test_run ();
}
