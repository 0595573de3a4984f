/* SPDX-License-Identifier: MIT */
/* The fits of mean curves of regions beside those of the regions with the same names in a kept
 * result. */
#include <math.h>
#include "app/reading/vg-region-sums.h"
#include <string.h>
#include "app/reading/vg-reading.h"
#include "app/report/vg-reading-table.h"
#include "kernels/base/vg-text.h"

enum { WIDTH = 16, HEIGHT = 12, FRAMES = 48 };

/* The finished fits of a small sample in which the noise is that of SEED. */
static VgWork *
compute (const VgOperation *operation, guint64 seed)
{
  const VgSyntheticSize size = {
    .width = WIDTH, .height = HEIGHT, .frames = FRAMES, .seed = seed, .sample = 1
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgImage) image = NULL;
  void *params = vg_params_new (&operation->params);
  VgWork *work = vg_work_new (operation, VG_BACKEND_CPU, 1, &error);

  g_assert_no_error (error);
  operation->synthetic->settings (&size, params);
  image = vg_work_load_dataset (operation, params, NULL, NULL, &size, &error);
  g_assert_no_error (error);
  g_assert_true (vg_work_prepare (work, params, &image->info, image, &error));
  while (vg_work_step (work, 0.1, &error) == VG_STEP_MORE)
    ;
  g_assert_no_error (error);
  vg_params_free (&operation->params, params);
  return work;
}

static void
add_region (VgNamedRegion *region, const char *name, const char *text)
{
  *region = (VgNamedRegion){ .name = (char *) name };
  g_assert_true (vg_region_parse (&region->region, text, NULL));
}

static void
test_kept (void)
{
  const VgOperation *operation = vg_operation_find ("perfusion");
  g_autoptr (VgWork) before = compute (operation, 1), now = compute (operation, 2);
  guint inflow = operation->view.first_output;
  VgNamedRegion all[5];
  const VgNamedRegion *first[] = { &all[0], &all[1], NULL },
                      *second[] = { &all[2], &all[0], &all[1], &all[3], &all[4], NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgReference) kept = NULL;
  g_autoptr (VgReading) reading = NULL;
  g_autoptr (GArray) rows = NULL, alone = NULL;
  const VgRegionFitted *fitted;
  VgRegionFitted other;

  g_assert_cmpstr (operation->outputs[inflow].id, ==, "total_inflow");
  add_region (&all[0], "Lesion (slice 3)", "rect:8,4,4,3@2");
  add_region (&all[1], "Lesion (slice 2)", "rect:8,4,4,3@1");
  add_region (&all[2], "Liver", "rect:1,5,4,6@2");
  add_region (&all[3], "Input vessel", "rect:0,0,2,2@0"); /* no tissue, so no fit */

  add_region (&all[4], "Liver, new", "rect:1,4,4,5@2");
  kept = vg_reference_new (before, &error);
  g_assert_no_error (error);
  g_assert_true (vg_region_sums_keep (kept, before, first, &error));
  rows = vg_region_sums_list (now, inflow, second, kept, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (rows->len, ==, 5);
  for (guint i = 0; i < rows->len; i++)
    {
      fitted = &g_array_index (rows, VgRegionFitted, i);
      g_test_message ("%s: %g ± %g, kept %g ± %g", second[i]->name, fitted->value, fitted->error,
                      fitted->kept, fitted->kept_error);
      g_assert_cmpint (isfinite (fitted->value) != 0, ==, i != 3);
      g_assert_cmpint (isfinite (fitted->kept) != 0, ==, i == 1 || i == 2);
    }
  /* both slices together, as the card says */
  fitted = &g_array_index (rows, VgRegionFitted, 1);
  g_assert_cmpmem (fitted, sizeof *fitted, &g_array_index (rows, VgRegionFitted, 2),
                   sizeof *fitted);
  {
    const VgRegion *parts[] = { &all[0].region, &all[1].region };

    reading = vg_reading_new_regions (now, inflow, parts, 2, &error);
    g_assert_no_error (error);
  }
  for (guint i = 0; i < reading->items->len; i++)
    {
      const VgReadingItem *item = &g_array_index (reading->items, VgReadingItem, i);

      if (!g_str_equal (item->id, "total_inflow"))
        continue;
      g_assert_cmpfloat (item->value, ==, fitted->value);
      g_assert_cmpfloat (item->error, ==, fitted->error);
    }
  /* the noise differs, the tissue does not */
  g_assert_cmpfloat (fitted->value, !=, fitted->kept);
  g_assert_cmpfloat (fabs (fitted->value - fitted->kept), <,
                     4 * vg_region_fitted_get_error (fitted));
  g_assert_cmpfloat (vg_region_fitted_get_error (fitted), >, fitted->error);
  g_assert_cmpfloat (vg_region_fitted_get_error (fitted), <, fitted->error + fitted->kept_error);
  /* other units are not compared */
  vg_region_sums_find_kept (kept, "total_inflow", "1/s", "Lesion", &other);
  g_assert_true (isnan (other.kept) && isnan (other.kept_error));
  alone = vg_region_sums_list (now, inflow, second, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (isnan (g_array_index (alone, VgRegionFitted, 1).kept));
}

/* The report has both results and their change, and nothing if no region is in both. */
static void
test_report (void)
{
  const VgOperation *operation = vg_operation_find ("perfusion");
  g_autoptr (VgWork) before = compute (operation, 1), now = compute (operation, 2);
  guint inflow = operation->view.first_output;
  VgNamedRegion lesion;
  const VgNamedRegion *regions[] = { &lesion, NULL };
  static const char *const names[] = { "Lesion" }, *const others[] = { "Spleen" };
  g_autoptr (GError) error = NULL;
  g_autoptr (VgReference) kept = NULL;
  g_autoptr (VgReading) reading = NULL;
  g_autoptr (GArray) rows = NULL;
  const VgRegionFitted *fitted;
  VgPage *page = vg_page_new ("A"), *empty = vg_page_new ("A");
  g_autofree char *html = NULL, *none = NULL, *value = NULL, *earlier = NULL, *change = NULL,
                  *want = NULL;

  add_region (&lesion, "Lesion", "rect:8,4,4,3@2");
  kept = vg_reference_new (before, &error);
  g_assert_true (vg_region_sums_keep (kept, before, regions, &error));
  rows = vg_region_sums_list (now, inflow, regions, kept, &error);
  reading = vg_reading_new_region (now, inflow, &lesion.region, &error);
  g_assert_no_error (error);
  fitted = &g_array_index (rows, VgRegionFitted, 0);
  value = vg_text_with_error (fitted->value, fitted->error);
  earlier = vg_text_with_error (fitted->kept, fitted->kept_error);
  change = vg_text_with_error (fitted->value - fitted->kept, vg_region_fitted_get_error (fitted));
  want = g_strdup_printf ("<tr><td>Lesion</td>\n<td>Total inflow, ml/100g/min</td>\n<td>%s</td>\n"
                          "<td>%s</td>\n<td>%s</td>\n</tr>",
                          value, earlier, change);
  vg_page_add_comparison (page, names, &reading, 1, kept, "Kept: January");
  html = vg_page_finish (page);
  g_assert_nonnull (strstr (html, "<h2>Comparison (Kept: January)</h2>"));
  if (strstr (html, want) == NULL)
    g_error ("\"%s\" is not in %s", want, html);
  vg_page_add_comparison (empty, others, &reading, 1, kept, "Kept: January");
  none = vg_page_finish (empty);
  g_assert_null (strstr (none, "Comparison"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-sums/kept", test_kept);
  g_test_add_func ("/region-sums/report", test_report);
  return g_test_run ();
}
