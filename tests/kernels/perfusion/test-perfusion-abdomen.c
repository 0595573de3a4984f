/* SPDX-License-Identifier: MIT */
#include "kernels/base/vg-region.h"
#include "kernels/perfusion/engine/perfusion-engine.h"
#include "kernels/perfusion/model/perfusion-params.h"
#include "kernels/perfusion/synthetic/perfusion-abdomen.h"
#include "kernels/perfusion/synthetic/perfusion-synthetic.h"
#include <math.h>
extern const VgOperation vg_perfusion_operation;

/* The sample of an abdomen: its anatomy, its regions, its curves. */

static VgPerfusionParams *
params_for (const VgSyntheticSize *size)
{
  VgPerfusionParams *params = vg_params_new (&vg_perfusion_operation.params);

  vg_perfusion_phantom.settings (size, params);
  return params;
}

static VgImage *
load (const VgSyntheticSize *size)
{
  g_autoptr (GError) error = NULL;
  VgPerfusionParams *params = params_for (size);
  VgImageInfo info;
  gpointer source = vg_perfusion_phantom.open (params, size, &info, &error);
  VgImage *image = vg_image_new (&info, "abdomen", &error);
  gsize bytes = vg_image_info_frame_bytes (&info);

  g_assert_no_error (error);
  /* the last frame first: the order does not matter */
  for (gint64 i = info.frames; i-- > 0;)
    g_assert_true (
        vg_perfusion_phantom.read (source, i, (char *) image->data + (gsize) i * bytes, NULL));
  vg_perfusion_phantom.close (source);
  vg_params_free (&vg_perfusion_operation.params, params);
  return image;
}

/* The voxels of TEXT in SLICE that are TISSUE, and all of them. */
static int
count_in (const char *text, int width, int height, int slice, VgPerfusionTissue tissue, int *all)
{
  VgRegion region;
  int n = 0;

  g_assert_true (vg_region_parse (&region, text, NULL));
  *all = 0;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      if (vg_region_contains (&region, x + 0.5, y + 0.5))
        {
          double baseline;

          (*all)++;
          n += vg_perfusion_abdomen_voxel (width, height, x, y, slice, &baseline) == tissue;
          g_assert_cmpfloat (baseline, >, 0);
        }
  return n;
}

/* Whatever the size, the vessels' regions hold blood alone, and data are the same again. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 },   { 7, 5 },   { 1, 40 },   { 63, 40 },
                                  { 64, 46 }, { 97, 60 }, { 131, 67 }, { 60, 300 } };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      const int width = sizes[i][0], height = sizes[i][1];
      VgSyntheticSize size = { width, height, 5, 3, VG_PERFUSION_SAMPLE_ABDOMEN };
      VgPerfusionParams *params = params_for (&size);
      g_autoptr (VgImage) first = load (&size), second = load (&size);
      gsize bytes = vg_image_info_frame_bytes (&first->info) * (gsize) first->info.frames;
      VgRegion portal;
      int artery_voxels, portal_voxels;

      g_assert_cmpmem (first->data, bytes, second->data, bytes);
      g_assert_true (vg_region_parse (&portal, params->portal, NULL));
      g_assert_cmpint (
          count_in (params->artery, width, height, 0, VG_PERFUSION_ARTERY, &artery_voxels), ==,
          artery_voxels);
      g_assert_cmpint (count_in (params->portal, width, height, portal.slice, VG_PERFUSION_PORTAL,
                                 &portal_voxels),
                       ==, portal_voxels);
      g_test_message ("%dx%d: %d and %d voxels of blood", width, height, artery_voxels,
                      portal_voxels);
      g_assert_cmpint (artery_voxels, >, 0);
      g_assert_cmpint (portal_voxels, >, 0);
      vg_params_free (&vg_perfusion_operation.params, params);
    }
}

/* A fifth to a quarter of the body is liver; every tissue is there; the regions hold what they are
 * called. */
static void
test_anatomy (void)
{
  enum { W = 160, H = 114 };
  VgSyntheticSize size = vg_perfusion_phantom.live;
  VgPerfusionParams *params = params_for (&size);
  const char *name = NULL;
  g_autofree char *lesion = vg_perfusion_phantom.mark (&size, 0, &name);
  int all;

  g_assert_cmpint (size.width, ==, W);
  g_assert_cmpint (size.height, ==, H);
  for (int slice = 0; slice < VG_PERFUSION_ABDOMEN_SLICES; slice++)
    {
      int n[VG_PERFUSION_TISSUES] = { 0 }, liver, body;

      for (int i = 0; i < W * H; i++)
        {
          double baseline;

          n[vg_perfusion_abdomen_voxel (W, H, i % W, i / W, slice, &baseline)]++;
        }
      for (int tissue = 0; tissue < VG_PERFUSION_TISSUES; tissue++)
        {
          g_test_message ("slice %d, tissue %d: %d voxels", slice, tissue, n[tissue]);
          g_assert_cmpint (n[tissue], >, 20);
        }
      body = W * H - n[VG_PERFUSION_AIR];
      liver = n[VG_PERFUSION_LIVER] + n[VG_PERFUSION_LESION] + n[VG_PERFUSION_CYST] +
              n[VG_PERFUSION_PORTAL];
      g_test_message ("slice %d: %.1f %% of the body is liver", slice, 100.0 * liver / body);
      g_assert_cmpfloat ((double) liver / body, >, 0.2);
      g_assert_cmpfloat ((double) liver / body, <, 0.3);
      liver = count_in (params->mask, W, H, slice, VG_PERFUSION_LIVER, &all);
      g_assert_cmpfloat ((double) liver / all, >, 0.75);
      liver += count_in (params->mask, W, H, slice, VG_PERFUSION_LESION, &all) +
               count_in (params->mask, W, H, slice, VG_PERFUSION_CYST, &all) +
               count_in (params->mask, W, H, slice, VG_PERFUSION_PORTAL, &all);
      g_assert_cmpfloat ((double) liver / all, >, 0.97);
    }
  g_assert_cmpstr (name, ==, "Lesion");
  g_assert_cmpint (count_in (lesion, W, H, 0, VG_PERFUSION_LESION, &all), >, 9 * all / 10);
  g_assert_null (vg_perfusion_phantom.mark (&size, 1, &name));
  size.sample = VG_PERFUSION_SAMPLE_ELLIPSE;
  g_assert_null (vg_perfusion_phantom.mark (&size, 0, &name));
  vg_params_free (&vg_perfusion_operation.params, params);
}

typedef struct
{
  gpointer state;
  VgImage *image, *truth;
  VgPerfusionParams *params;
} Fit;

/* The mean of OUTPUT over TISSUE where the fit and the truth have a value, and of the truth. */
static int
compare (const Fit *self, guint output, VgPerfusionTissue tissue, double *found, double *expected)
{
  const VgImageInfo *info = &self->image->info;
  const float *truth = self->truth->data;
  VgPlane plane;
  int n = 0;

  g_assert_true (vg_perfusion_cpu_engine.output (self->state, output, &plane, NULL));
  *found = *expected = 0;
  for (int z = 0; z < info->slices; z++)
    for (int y = 0; y < info->height; y++)
      for (int x = 0; x < info->width; x++)
        {
          gsize i = ((gsize) z * (gsize) info->height + (gsize) y) * (gsize) info->width +
                    (gsize) x;
          double baseline;

          if (vg_perfusion_abdomen_voxel (info->width, info->height, x, y, z, &baseline) !=
                  tissue ||
              !isfinite (plane.data[i]) || !isfinite (truth[i]))
            continue;
          *found += plane.data[i];
          *expected += truth[i];
          n++;
        }
  *found /= n;
  *expected /= n;
  return n;
}

/* The mean signal is that of all frames, outside the liver too. */
static void
check_signal (const Fit *self)
{
  const VgImageInfo *info = &self->image->info;
  gsize n = (gsize) info->width * (gsize) info->height * (gsize) info->slices;
  VgPlane plane;

  g_assert_true (
      vg_perfusion_cpu_engine.output (self->state, VG_PERFUSION_OUTPUT_SIGNAL, &plane, NULL));
  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      for (gint64 frame = 0; frame < info->frames; frame++)
        sum += vg_image_sample (self->image, (gsize) frame * n + i);
      g_assert_cmpfloat (plane.data[i], ==, (float) (sum / (double) info->frames));
    }
}

/* The maps agree with the truth; the lesion is fed by the artery, the liver by the portal vein, and
 * the cyst by neither. */
static void
test_maps (void)
{
  static const guint outputs[] = { VG_PERFUSION_OUTPUT_KA, VG_PERFUSION_OUTPUT_KP,
                                   VG_PERFUSION_OUTPUT_KL, VG_PERFUSION_OUTPUT_TAU_P };
  VgSyntheticSize size = { 96, 68, 48, 3, VG_PERFUSION_SAMPLE_ABDOMEN };
  g_autoptr (GError) error = NULL;
  VgImageInfo info;
  Fit self = { .image = load (&size), .params = params_for (&size) };
  gpointer source = vg_perfusion_phantom.open (self.params, &size, &info, &error);
  double ka[2], kp[2], found, expected;

  self.state = vg_perfusion_cpu_engine.prepare (
      &(VgContext){ .params = self.params, .info = &self.image->info, .image = self.image },
      &error);
  g_assert_no_error (error);
  while (vg_perfusion_cpu_engine.step (self.state, 1, NULL) == VG_STEP_MORE)
    ;
  check_signal (&self);
  for (guint k = 0; k < G_N_ELEMENTS (outputs); k++)
    {
      self.truth = vg_perfusion_phantom.truth (source, outputs[k], NULL);
      for (int lesion = 0; lesion < 2; lesion++)
        {
          VgPerfusionTissue tissue = lesion ? VG_PERFUSION_LESION : VG_PERFUSION_LIVER;
          /* some delays are not determined */
          int n = compare (&self, outputs[k], tissue, &found, &expected);

          g_test_message ("%s of tissue %d in %d voxels: %.3f, true %.3f",
                          vg_perfusion_operation.outputs[outputs[k]].id, tissue, n, found,
                          expected);
          g_assert_cmpint (n, >, 20);
          /* the noise moves what is little beside the other input */
          if (!(lesion &&
                (outputs[k] == VG_PERFUSION_OUTPUT_KP || outputs[k] == VG_PERFUSION_OUTPUT_TAU_P)))
            g_assert_cmpfloat (fabs (found / expected - 1), <, 0.1);
          if (outputs[k] == VG_PERFUSION_OUTPUT_KA)
            ka[lesion] = found;
          if (outputs[k] == VG_PERFUSION_OUTPUT_KP)
            kp[lesion] = found;
        }
      compare (&self, outputs[k], VG_PERFUSION_PORTAL, &found, &expected);
      g_assert_true (isnan (expected)); /* blood has no truth */
      g_clear_pointer (&self.truth, vg_image_unref);
    }
  g_assert_cmpfloat (ka[1], >, 4 * ka[0]);
  g_assert_cmpfloat (kp[1], <, 0.5 * kp[0]);
  self.truth = vg_perfusion_phantom.truth (source, VG_PERFUSION_OUTPUT_KA, NULL);
  compare (&self, VG_PERFUSION_OUTPUT_KA, VG_PERFUSION_CYST, &found, &expected);
  g_test_message ("ka of the cyst: %.3f", found);
  g_assert_cmpfloat (expected, ==, 0);
  g_assert_cmpfloat (found, <, 0.3 * ka[0]); /* noise alone */
  vg_image_unref (self.truth);
  vg_perfusion_phantom.close (source);
  vg_perfusion_cpu_engine.free (self.state);
  vg_image_unref (self.image);
  vg_params_free (&vg_perfusion_operation.params, self.params);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion/abdomen/sizes", test_sizes);
  g_test_add_func ("/perfusion/abdomen/anatomy", test_anatomy);
  g_test_add_func ("/perfusion/abdomen/maps", test_maps);
  return g_test_run ();
}
