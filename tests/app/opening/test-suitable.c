/* SPDX-License-Identifier: MIT */
/* Which view a file opens in when the one at hand can't take it, and in which order files that are
 * chosen are. */
#include "app/compute/vg-named-param.h"
#include "app/opening/vg-suitable.h"
#include "app/compute/vg-file-series.h"
#include <glib/gstdio.h>
#include "tests/support/io/decay-fixture.h"
#include "tests/support/io/nifti-fixture.h"
#include "tests/support/io/tiff-fixture.h"

static const VgOperation *
operation (const char *id)
{
  const VgOperation *found = vg_operation_find (id);

  g_assert_nonnull (found);
  return found;
}

static const VgOperation *
suitable (const char *first, const char *second, const char *read_options,
          const VgOperation *present)
{
  const char *paths[] = { first, second, NULL };

  return vg_suitable_operation (paths, read_options, present);
}

static char *
write_stack (const char *folder, const char *name, int pages, int samples)
{
  TiffVariant variant = fixture_variant (9, 7, pages);
  char *path = g_build_filename (folder, name, NULL);

  variant.samples = samples;
  if (samples == 3)
    {
      variant.bits = 8;
      variant.photometric = 2; /* RGB */
    }
  g_free (fixture_write_tiff (path, &variant, 1));
  return path;
}

static void
test_files (void)
{
  char *folder = fixture_folder ();
  SdtVariant variant = fixture_sdt_variant ();
  g_autofree double *values = NULL;
  g_autoptr (GByteArray) bytes = fixture_sdt (&variant, 1, &values);
  g_autofree char *sdt = g_build_filename (folder, "a.sdt", NULL),
                  *stack = write_stack (folder, "stack.tif", 5, 1);
  g_autofree char *colour = write_stack (folder, "colour.tif", 1, 3),
                  *grey = write_stack (folder, "grey.tif", 1, 1);
  g_autofree char *text = g_build_filename (folder, "text", NULL),
                  *none = g_build_filename (folder, "none", NULL);

  NiftiVariant series = fixture_nifti_variant (9, 7, 1, 5),
               volume = fixture_nifti_variant (9, 7, 3, 1);
  g_autoptr (GByteArray) slices = fixture_nifti (&series, 1, NULL),
                         frame = fixture_nifti (&volume, 1, NULL);
  g_autofree char *slice = g_build_filename (folder, "slice.nii", NULL),
                  *first = g_build_filename (folder, "f1.nii", NULL);
  g_autofree char *second = g_build_filename (folder, "f2.nii", NULL);

  fixture_write (slice, slices);
  fixture_write (first, frame);
  fixture_write (second, frame);
  fixture_write (sdt, bytes);
  g_assert_true (g_file_set_contents (text, "no picture", -1, NULL));
  g_assert_true (suitable (sdt, NULL, NULL, operation ("flow")) == operation ("lifetime"));
  g_assert_true (suitable (sdt, NULL, NULL, operation ("fluence")) == operation ("lifetime"));
  g_assert_null (suitable (sdt, NULL, NULL, operation ("lifetime"))); /* it suits already */
  g_assert_true (suitable (stack, NULL, NULL, operation ("contour")) == operation ("flow"));
  g_assert_true (suitable (colour, NULL, NULL, operation ("flow")) == operation ("contour"));
  g_assert_null (suitable (grey, NULL, NULL, operation ("lifetime"))); /* flow and contour */
  /* live sources, without opening them */
  g_assert_true (suitable ("camera:none", NULL, NULL, operation ("perfusion")) ==
                 operation ("flow"));
  g_assert_null (suitable ("camera:none", NULL, NULL, operation ("flow")));
  g_assert_null (suitable ("watch:/none", NULL, NULL, operation ("lifetime")));
  g_assert_null (suitable (text, NULL, NULL, operation ("flow")));
  g_assert_null (suitable (none, NULL, NULL, operation ("flow")));
  g_assert_null (suitable ("-", NULL, NULL, operation ("flow")));
  g_assert_null (suitable (sdt, NULL, "nonsense=1", operation ("flow")));
  /* of one slice: of the body all the same */
  g_assert_true (suitable (slice, NULL, NULL, operation ("lifetime")) == operation ("perfusion"));
  /* a volume a file */
  g_assert_true (suitable (first, second, NULL, operation ("flow")) == operation ("perfusion"));
  g_assert_null (suitable (first, NULL, NULL, operation ("flow")));
  fixture_remove_folder (folder);
}

/* Files that came in the order of a list or of a hand are in that of their numbers. */
static void
test_sort (void)
{
  static const char *const sorted[] = {
    "/d/a.tif", "/d/v1.nii.gz", "/d/v2.nii.gz", "/d/v2_b.nii.gz", "/d/v10.nii.gz", "/e/v3.nii.gz",
    NULL
  };
  static const int orders[][6] = { { 5, 4, 3, 2, 1, 0 },
                                   { 0, 1, 4, 2, 3, 5 },
                                   { 2, 0, 5, 4, 1, 3 } };

  for (guint k = 0; k < G_N_ELEMENTS (orders); k++)
    {
      char *files[7] = { NULL };

      for (int i = 0; i < 6; i++)
        files[i] = (char *) sorted[orders[k][i]];
      vg_file_series_sort (files);
      for (int i = 0; i < 6; i++)
        g_assert_cmpstr (files[i], ==, sorted[i]);
    }
}

/* Times that stand beside the files come first of what is said of a list, as a panel shows few
 * lines. */
static void
test_times (void)
{
  char *folder = fixture_folder ();
  NiftiVariant volume = fixture_nifti_variant (4, 3, 2, 1);
  g_autoptr (GByteArray) bytes = fixture_nifti (&volume, 1, NULL);
  char *files[3] = { NULL };
  VgSourceOptions options = { 0 };
  g_autoptr (VgSource) source = NULL;

  for (int i = 0; i < 2; i++)
    {
      g_autofree char *name = g_strdup_printf ("f%d.nii", i),
                      *beside = g_strdup_printf ("%s/f%d.json", folder, i);
      g_autofree char *text = g_strdup_printf (
          "{\"AcquisitionTime\": \"10:00:0%d.5\", \"RepetitionTimeExcitation\": 0.004, "
          "\"FlipAngle\": 15}",
          3 * i);

      files[i] = g_build_filename (folder, name, NULL);
      fixture_write (files[i], bytes);
      g_assert_true (g_file_set_contents (beside, text, -1, NULL));
    }
  source = vg_file_series_open ((const char *const *) files, &options, NULL);
  g_assert_nonnull (source);
  g_assert_true (g_str_has_prefix (
      source->details, "Frame times: 0 to 3 s, 3 s apart on average, from the files beside.\n"));
  for (int i = 0; i < 2; i++)
    g_free (files[i]);
  fixture_remove_folder (folder);
}

/* The setting that a message is about. */
static void
test_named (void)
{
  static const struct
  {
    const char *signal, *text, *id;
  } cases[] = {
    { "linear",
      "\"conc.nii\" does not give the times of its frames. Set Frame interval or Frame times.",
      "frame_interval_s" },
    { "linear", "the curve of the artery never rises above 0, so no contrast agent arrives there",
      "artery" },
    { "linear", "\"FA.nii\" does not give 2 to 64 flip angles; set Flip angles", "flip_angles" },
    { "ct", "\"FA.nii\" does not give 2 to 32 flip angles; set Flip angles", NULL },
    { "linear", "mask_liver.nii has 3 pages, liver.nii and my-liver too", NULL },
    { "linear", "Choose another Model.", "model" },
    { "linear", "lower the threshold", "threshold" },
    { "linear", "Use a larger threshold.", "threshold" },
    { "linear", "the times are those since the laser threshold", NULL },
  };
  const VgOperation *perfusion = operation ("perfusion");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      void *params = vg_params_new (&perfusion->params);
      const VgParam *found;

      g_assert_true (vg_param_parse (vg_params_find (&perfusion->params, "signal"), params,
                                     cases[i].signal, NULL));
      g_assert_true (vg_param_parse (vg_params_find (&perfusion->params, "t1_series"), params,
                                     "FA.nii", NULL));
      found = vg_named_param (&perfusion->params, params, cases[i].text);
      g_assert_cmpstr (found != NULL ? found->id : NULL, ==, cases[i].id);
      vg_params_free (&perfusion->params, params);
    }
}

/* For callers who set parameters by id. */
static void
test_use_ids (void)
{
  static const struct
  {
    const char *operation, *text, *named;
  } cases[] = {
    { "flow", "set Method to Spatial and Average to 1", "set method to spatial and average to 1" },
    { "perfusion", "Set Frame interval, or choose a file under Frame times.",
      "Set frame_interval_s, or choose a file under times_file." },
    { "perfusion", "Model: set Model to Extended Tofts or Patlak; Patlak is quick",
      "model: set model to extended_tofts or patlak; Patlak is quick" },
    { "perfusion", "the file \"Model\" and Models stay, as Model does",
      "the file \"Model\" and Models stay, as model does" },
    { "perfusion", "cannot open \"/a/MR Liver 3/m.nii\"; set Liver",
      "cannot open \"/a/MR Liver 3/m.nii\"; set mask" },
    { "contour", "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *named = vg_named_param_use_ids (&operation (cases[i].operation)->params,
                                                       cases[i].text);

      g_assert_cmpstr (named, ==, cases[i].named);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/suitable/files", test_files);
  g_test_add_func ("/suitable/named", test_named);
  g_test_add_func ("/suitable/sort", test_sort);
  g_test_add_func ("/suitable/use-ids", test_use_ids);
  g_test_add_func ("/suitable/times", test_times);
  return g_test_run ();
}
