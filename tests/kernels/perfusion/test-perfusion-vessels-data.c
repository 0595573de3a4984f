/* SPDX-License-Identifier: MIT */
/* Vessels found in series whose vessels somebody drew: the synthetic liver with masks, and MADYM's
 * example, whose aorta was drawn by hand inside its bright border.  That series is not in
 * tests/data.
 */
#include "tests/kernels/perfusion/support/perfusion-nifti.h"
#include "tests/kernels/perfusion/support/perfusion-series.h"
#include "app/region/vg-found-region.h"

static gboolean
open_series (Series *self, const char *name, double interval_s, int signal)
{
  self->image = read_nifti (name);
  if (self->image == NULL)
    return FALSE;
  self->image->info.frame_interval_s = interval_s;
  self->params = vg_params_new (&vg_perfusion_operation.params);
  self->params->signal = signal;
  series_look (self);
  return TRUE;
}

static void
test_synthetic_liver (void)
{
  static const char *const masks[] = { "synth_liver/mask_aorta.nii.gz",
                                       "synth_liver/mask_portal.nii.gz",
                                       "synth_liver/mask_liver.nii.gz" };
  Series series;
  VgPerfusionFound found;

  if (!open_series (&series, "synth_liver/conc_4d.nii.gz", 2.37, VG_PERFUSION_SIGNAL_CONCENTRATION))
    return;
  /* it does not move, although half of its frames have no structure */
  g_assert_cmpfloat (vg_perfusion_apparent_motion (series.study), ==, 0);
  g_assert_true (vg_perfusion_find (series.voxels, NULL, &found, NULL));
  for (int k = 0; k < VG_PERFUSION_N_FOUND; k++)
    {
      g_autoptr (VgImage) mask = read_nifti (masks[k]);
      g_autofree guint8 *drawn = g_new (guint8, series.study->voxels);
      double overlap, peak, base;

      for (gsize i = 0; i < series.study->voxels; i++)
        drawn[i] = ((const float *) mask->data)[i] != 0;
      g_test_message ("%s", found.note[k]);
      g_assert_nonnull (found.grown[k]);
      g_assert_true (found.sure[k]);
      overlap = series_dice (found.grown[k]->member, drawn, series.study->voxels);
      peak = series_peak (&series, drawn, &base);
      g_test_message ("%s: Dice %.3f, peak %.4g, drawn %.4g", masks[k], overlap,
                      found.grown[k]->peak, peak);
      g_assert_cmpfloat (overlap, >=, k == VG_PERFUSION_FOUND_LIVER ? 0.9 : 0.95);
      g_assert_cmpfloat (fabs (found.grown[k]->peak / peak - 1), <=, 0.05);
    }
  vg_perfusion_found_clear (&found);
  series_clear (&series);
}

static gboolean
set_param (gpointer params, const VgParam *param, const char *text, GPtrArray *outlines,
           GError **error)
{
  return vg_param_parse (param, params, text, error);
}

/* The aorta as one would draw it: in the slice where it is brightest, inside its border. */
static void
test_madym (void)
{
  Series series;
  VgRegion region, drawn;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) findings = NULL;
  g_autofree guint8 *found = NULL, *by_hand = NULL;
  double overlap, peak, drawn_peak, base;
  VgFoundRegionUser user = { .set = set_param };
  guint used;
  gsize n;

  if (!open_series (&series, "madym/test_dataset/madym_dynamic_4d.nii.gz", 4.977,
                    VG_PERFUSION_SIGNAL_LINEAR))
    return;
  user.data = series.params;
  findings = vg_perfusion_find_inputs (&series.context, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < findings->len; i++)
    {
      const VgFinding *finding = findings->pdata[i];

      g_test_message ("%s: %s", finding->param, finding->note);
      /* neither the portal vein nor a whole liver is in these slices */
      g_assert_true ((finding->mask != NULL && !finding->doubtful) == (i == 0));
    }
  g_assert_true (vg_found_regions_use (&vg_perfusion_operation.params, findings, series.params,
                                       &user, &used, &error));
  g_assert_cmpuint (used, ==, 1);
  g_assert_true (vg_region_parse (&region, series.params->artery, &error));
  g_assert_true (vg_region_parse (&drawn, "ellipse:50.2,34.4,2.3,2.3", NULL));
  n = series.study->voxels;
  found = g_new0 (guint8, n);
  by_hand = g_new0 (guint8, n);
  for (int y = 0; y < 64; y++)
    for (int x = 0; x < 96; x++)
      {
        gsize at = ((gsize) region.slice * 64 + (gsize) y) * 96 + (gsize) x;

        found[at] = vg_region_contains (&region, x + 0.5, y + 0.5);
        by_hand[at] = vg_region_contains (&drawn, x + 0.5, y + 0.5);
      }
  overlap = series_dice (found, by_hand, n);
  peak = series_peak (&series, found, &base);
  drawn_peak = series_peak (&series, by_hand, &base);
  g_test_message ("%s: Dice %.3f, peak %.4g, drawn %.4g", series.params->artery, overlap, peak,
                  drawn_peak);
  g_assert_cmpfloat (overlap, >=, 0.7);
  g_assert_cmpfloat (fabs (peak / drawn_peak - 1), <=, 0.05);
  series_clear (&series);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perfusion-vessels-data/synthetic-liver", test_synthetic_liver);
  g_test_add_func ("/perfusion-vessels-data/madym", test_madym);
  return g_test_run ();
}
