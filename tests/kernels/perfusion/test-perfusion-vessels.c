/* SPDX-License-Identifier: MIT */
/* Vessels and liver found in the samples, and what is refused.  The noise has fixed seeds, because
 * with a few of all seeds a region is uncertain. */
#include "tests/kernels/perfusion/support/perfusion-fixture.h"
#include "tests/kernels/perfusion/support/perfusion-series.h"
#include "tests/kernels/perfusion/support/perfusion-study-fixture.h"
#include "kernels/perfusion/synthetic/perfusion-abdomen.h"
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"

/* ---- Samples ---- */

static Series
sample_series (int sample, guint64 seed)
{
  VgSyntheticSize size = vg_perfusion_phantom.batch;
  VgImageInfo info;
  Series self = { .params = vg_params_new (&vg_perfusion_operation.params) };
  g_autoptr (GError) error = NULL;
  gpointer phantom;
  gsize bytes;

  size.sample = sample;
  size.seed = seed;
  vg_perfusion_phantom.settings (&size, self.params);
  phantom = vg_perfusion_phantom.open (self.params, &size, &info, &error);
  g_assert_no_error (error);
  self.image = vg_image_new (&info, "sample", NULL);
  bytes = vg_image_info_frame_bytes (&info);
  for (gint64 i = 0; i < info.frames; i++)
    vg_perfusion_phantom.read (phantom, i, (char *) self.image->data + (gsize) i * bytes, NULL);
  vg_perfusion_phantom.close (phantom);
  return self;
}

static VgPerfusionTissue
true_tissue (const Series *self, int sample, gsize voxel)
{
  const VgImageInfo *info = &self->image->info;
  int x = (int) (voxel % (gsize) info->width),
      y = (int) (voxel / (gsize) info->width % (gsize) info->height),
      z = (int) (voxel / (gsize) info->width / (gsize) info->height);
  double baseline;

  if (sample == VG_PERFUSION_SAMPLE_ABDOMEN)
    return vg_perfusion_abdomen_voxel (info->width, info->height, x, y, z, &baseline);
  return z < 2 && x < 3 && y < 3 ? (z == 0 ? VG_PERFUSION_ARTERY : VG_PERFUSION_PORTAL)
                                 : VG_PERFUSION_LIVER;
}

/* The overlap with the tissue, and the peak of the mean curve divided by the tissue's. */
static void
compare (const Series *self, int sample, const VgPerfusionGrown *grown, VgPerfusionTissue tissue,
         double *dice, double *peak)
{
  g_autofree guint8 *truth = g_new (guint8, self->study->voxels);
  double true_peak, base;

  for (gsize i = 0; i < self->study->voxels; i++)
    truth[i] = true_tissue (self, sample, i) == tissue && isfinite (self->voxels->base[i]);
  *dice = series_dice (grown->member, truth, self->study->voxels);
  /* relative to the baseline, as in concentrations */
  true_peak = series_peak (self, truth, &base);
  *peak = grown->peak / grown->base / (true_peak / base);
}

static const VgPerfusionTissue tissues[] = { [VG_PERFUSION_FOUND_ARTERY] = VG_PERFUSION_ARTERY,
                                             [VG_PERFUSION_FOUND_PORTAL] = VG_PERFUSION_PORTAL,
                                             [VG_PERFUSION_FOUND_LIVER] = VG_PERFUSION_LIVER };

static void
check_found (Series *self, int sample)
{
  VgPerfusionFound found;

  g_assert_true (vg_perfusion_find (self->voxels, NULL, &found, NULL));
  for (int k = 0; k < VG_PERFUSION_N_FOUND; k++)
    {
      double dice, peak;

      g_assert_nonnull (found.grown[k]);
      compare (self, sample, found.grown[k], tissues[k], &dice, &peak);
      g_test_message ("%s Dice %.3f, relative peak %.4f", found.note[k], dice, peak);
      g_assert_true (found.sure[k]);
      g_assert_cmpfloat (dice, >=, 0.8);
      g_assert_cmpfloat (fabs (peak - 1), <=, 0.05);
    }
  vg_perfusion_found_clear (&found);
}

static void
test_sample (gconstpointer data)
{
  int sample = GPOINTER_TO_INT (data);

  for (int i = 0; i < 3; i++)
    {
      Series self = sample_series (sample, (guint64) i + 1);

      series_look (&self);
      check_found (&self, sample);
      series_clear (&self);
    }
}

/* Every 37th voxel has a sample that is not a number. */
static void
test_missing (void)
{
  Series self = sample_series (VG_PERFUSION_SAMPLE_ABDOMEN, 1);
  GRand *rand = g_rand_new_with_seed (3);
  float *samples = self.image->data;
  gsize voxels = vg_image_info_page_samples (&self.image->info) * (gsize) self.image->info.slices;

  for (gsize i = 0; i < voxels; i += 37)
    samples[(gsize) g_rand_int_range (rand, 0, 48) * voxels + i] = i % 2 ? NAN : INFINITY;
  g_rand_free (rand);
  series_look (&self);
  check_found (&self, VG_PERFUSION_SAMPLE_ABDOMEN);
  series_clear (&self);
}

/* The masks for parameters: those that are given are left out, and the others lie over the regions
 * of the sample. */
static void
test_masks (void)
{
  Series self = sample_series (VG_PERFUSION_SAMPLE_ABDOMEN, 1);
  char *drawn[] = { g_steal_pointer (&self.params->artery), g_steal_pointer (&self.params->portal),
                    g_steal_pointer (&self.params->mask) };
  g_autoptr (GError) error = NULL;
  VgContext context = series_context (&self);

  for (int given = 0; given <= 3; given++)
    {
      g_autoptr (GPtrArray) findings = NULL;

      if (given == 1)
        self.params->artery = g_strdup (drawn[0]);
      if (given == 2)
        self.params->portal = g_strdup (drawn[1]);
      if (given == 3)
        self.params->mask = g_strdup (drawn[2]);
      findings = vg_perfusion_find_inputs (&context, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (findings->len, ==, 3 - given);
      /* from the artery that is given, which is not searched for */
      for (guint i = 0; i < findings->len && given; i++)
        {
          g_assert_nonnull (((const VgFinding *) findings->pdata[i])->mask);
          g_assert_cmpstr (((const VgFinding *) findings->pdata[i])->param, !=, "artery");
        }
      for (guint i = 0; i < findings->len && !given; i++)
        {
          const VgFinding *finding = findings->pdata[i];
          int width = self.image->info.width, both = 0, mine = 0, theirs = 0;
          VgRegion region;

          g_assert_nonnull (finding->mask);
          g_assert_true (vg_region_parse (&region, drawn[i], NULL));
          for (int at = 0; at < width * self.image->info.height * (int) finding->mask->info.slices;
               at++)
            {
              gboolean in_mask = ((const guint8 *) finding->mask->data)[at] == 1,
                       in_region = vg_region_contains (&region, at % width + 0.5,
                                                       at / width % self.image->info.height + 0.5);

              both += in_mask && in_region;
              mine += in_mask;
              theirs += in_region;
            }
          g_test_message ("%s: %d found, %d drawn, Dice %.3f", finding->param, mine, theirs,
                          2.0 * both / (mine + theirs));
          /* the sample's portal vein is drawn as the middle quarter of the vessel */
          if (i == 1)
            g_assert_cmpfloat (both, >=, 0.7 * theirs);
          else
            g_assert_cmpfloat (2.0 * both / (mine + theirs), >=, 0.7);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (drawn); i++)
    g_free (drawn[i]);
  series_clear (&self);
}

/* ---- What is no vessel ---- */

static Series
plain_series (VgType type, int frames)
{
  VgImageInfo info = { .type = type,
                       .width = 40,
                       .height = 30,
                       .channels = 1,
                       .bins = 1,
                       .slices = 3,
                       .frames = frames,
                       .frame_interval_s = 2.5 };
  Series self = { .image = vg_image_new (&info, "series", NULL),
                  .params = vg_params_new (&vg_perfusion_operation.params) };

  return self;
}

static void
check_nothing (const Series *self)
{
  VgContext context = series_context (self);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) findings = vg_perfusion_find_inputs (&context, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (findings->len, ==, 3);
  for (guint i = 0; i < findings->len; i++)
    g_assert_null (((const VgFinding *) findings->pdata[i])->mask);
  g_assert_true (
      g_str_has_prefix (((const VgFinding *) findings->pdata[0])->note, "No artery was found"));
}

static void
test_noise (void)
{
  for (int k = 0; k < 20; k++)
    {
      Series self = plain_series (VG_F32, 40);
      GRand *rand = g_rand_new_with_seed ((guint32) k + 1);

      for (int i = 0; i < 40 * 30 * 3 * 40; i++)
        ((float *) self.image->data)[i] = (float) (100 + 10 * perfusion_noise (rand));
      g_rand_free (rand);
      check_nothing (&self);
      series_clear (&self);
    }
}

static void
test_nothing (gconstpointer data)
{
  Series self = plain_series (VG_F32, 20);

  for (int i = 0; i < 40 * 30 * 3 * 20; i++)
    ((float *) self.image->data)[i] = (float) *(const double *) data;
  check_nothing (&self);
  series_clear (&self);
}

/* The mean of such samples is rounded to a larger number. */
static void
test_largest (void)
{
  Series self = plain_series (VG_U32, 20);

  memset (self.image->data, 0xff, 40 * 30 * 3 * 20 * sizeof (guint32));
  check_nothing (&self);
  series_clear (&self);
}

static void
test_short (void)
{
  static const int frames[] = { 1, 2, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      Series self = plain_series (VG_F32, frames[i]);
      VgContext context = series_context (&self);
      g_autoptr (GError) error = NULL;
      g_autoptr (GPtrArray) findings = vg_perfusion_find_inputs (&context, &error);

      g_assert_null (findings);
      g_assert_error (error, VG_OPERATION_ERROR, VG_OPERATION_ERROR_INPUT);
      g_test_message ("%s", error->message);
      series_clear (&self);
    }
}

/* Frames before the first of the baseline are left out. */
static void
test_baseline (void)
{
  Series self = sample_series (VG_PERFUSION_SAMPLE_ABDOMEN, 1);
  float *samples = self.image->data;
  gsize frame = vg_image_info_page_samples (&self.image->info) * (gsize) self.image->info.slices;

  for (gsize i = 0; i < 2 * frame; i++)
    samples[i] *= 3;
  self.params->baseline_first = 3;
  series_look (&self);
  g_assert_cmpint (self.voxels->frames[0], ==, 2);
  check_found (&self, VG_PERFUSION_SAMPLE_ABDOMEN);
  series_clear (&self);
}

/* ---- Growing from one voxel ---- */

static void
test_grow (void)
{
  Series self = sample_series (VG_PERFUSION_SAMPLE_ABDOMEN, 2);
  gsize voxels, seed = 0;

  series_look (&self);
  voxels = self.study->voxels;
  while (true_tissue (&self, VG_PERFUSION_SAMPLE_ABDOMEN, seed) != VG_PERFUSION_ARTERY)
    seed++;
  seed += 3 * (gsize) self.image->info.width; /* below the edge */
  g_autoptr (VgPerfusionGrown) aorta = vg_perfusion_grow (self.voxels, seed, voxels, NULL),
                               few = vg_perfusion_grow (self.voxels, seed, 10, NULL),
                               air = vg_perfusion_grow (self.voxels, 0, voxels, NULL),
                               outside = vg_perfusion_grow (self.voxels, voxels, voxels, NULL);

  g_assert_nonnull (aorta);
  g_assert_false (aorta->bounded || aorta->thin);
  g_assert_cmpint (aorta->slices, ==, 3);
  for (gsize i = 0; i < voxels; i++)
    g_assert_cmpint (aorta->member[i] != 0, ==,
                     true_tissue (&self, VG_PERFUSION_SAMPLE_ABDOMEN, i) == VG_PERFUSION_ARTERY);
  g_assert_nonnull (few);
  g_assert_true (few->bounded);
  g_assert_cmpuint (few->inside + few->edge, ==, 10);
  g_assert_null (air);
  g_assert_null (outside);
  series_clear (&self);
}

/* A vessel of one column of voxels has no interior. */
static void
test_thin (void)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);
  VgContext context = { .params = f.params, .info = &f.image->info, .image = f.image };
  g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new_frames (&context, NULL);
  g_autoptr (VgPerfusionVoxels) voxels = vg_perfusion_voxels_new (study, &context, NULL);
  g_autoptr (VgPerfusionGrown) grown = vg_perfusion_grow (voxels, 2 * WIDTH, VOXELS, NULL);

  g_assert_nonnull (grown);
  g_assert_true (grown->thin);
  g_assert_cmpuint (grown->inside, ==, HEIGHT);
  g_assert_cmpuint (grown->edge, ==, 0);
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  static const double zero = 0, seven = 7, missing = NAN, infinite = INFINITY;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/perfusion-vessels/abdomen", GINT_TO_POINTER (VG_PERFUSION_SAMPLE_ABDOMEN),
                        test_sample);
  g_test_add_data_func ("/perfusion-vessels/ellipse", GINT_TO_POINTER (VG_PERFUSION_SAMPLE_ELLIPSE),
                        test_sample);
  g_test_add_func ("/perfusion-vessels/missing", test_missing);
  g_test_add_func ("/perfusion-vessels/masks", test_masks);
  g_test_add_func ("/perfusion-vessels/noise", test_noise);
  g_test_add_data_func ("/perfusion-vessels/zero", &zero, test_nothing);
  g_test_add_data_func ("/perfusion-vessels/constant", &seven, test_nothing);
  g_test_add_data_func ("/perfusion-vessels/nan", &missing, test_nothing);
  g_test_add_data_func ("/perfusion-vessels/infinite", &infinite, test_nothing);
  g_test_add_func ("/perfusion-vessels/largest", test_largest);
  g_test_add_func ("/perfusion-vessels/short", test_short);
  g_test_add_func ("/perfusion-vessels/baseline", test_baseline);
  g_test_add_func ("/perfusion-vessels/grow", test_grow);
  g_test_add_func ("/perfusion-vessels/thin", test_thin);
  return g_test_run ();
}
