/* SPDX-License-Identifier: MIT */
/* Compares DICOM series with the NIfTI files that dcm2niix makes from them: the values, their
 * positions in the patient, and the times are the same.  The series are those of GE, Siemens and
 * Philips scanners, and those that a script writes in the way of four makers and that dcm2niix
 * converts in this test.  dcm2niix flips axes of volumes, so each sample is compared with the one
 * at the same position. */
#include "kernels/base/vg-placement.h"
#include "tests/support/data-file.h"
#include "tests/support/io/tiff-fixture.h"
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const char *folder, *series, *reference;
} Pair;

#define MOSAIC "siemens_mosaic/In/Orientation/ax/"
#define PHILIPS "philips_pairs/In/"
#define PHILIPS_REF "philips_pairs/Ref/"

static const Pair pairs[] = {
  { "ge_siemens/In/20180918GE", NULL, "ge_siemens/Ref/DCM2NIIX_regression_test_4.nii" },
  { "ge_siemens/In/20180918Si", "series=1", "ge_siemens/Ref/EPI_PE=AP_3.nii" },
  { "ge_siemens/In/20180918Si", "series=2", "ge_siemens/Ref/EPI_PE=PA_4.nii" },
  { MOSAIC "axasc35", NULL, "siemens_mosaic/Ref/ax_asc_35sl_6.nii" },
  { MOSAIC "axdesc35", NULL, "siemens_mosaic/Ref/ax_desc_35sl_7.nii" },
  { MOSAIC "axint35", NULL, "siemens_mosaic/Ref/ax_int_35sl_8.nii" },
  { MOSAIC "axasc36", NULL, "siemens_mosaic/Ref/ax_asc_36sl_9.nii" },
  { MOSAIC "axdesc36", NULL, "siemens_mosaic/Ref/ax_desc_36sl_10.nii" },
  { MOSAIC "axasc36b", NULL, "siemens_mosaic/Ref/ax_asc_36sl_11.nii" },
  { MOSAIC "axint36", NULL, "siemens_mosaic/Ref/ax_int_36sl_12.nii" },
  { "enhanced/In/Siemens", NULL, "enhanced/Ref/Siemens_REST1_w_SMS_PF7-8_6.nii" },
  { "enhanced/In/Philips", "series=2", "enhanced/Ref/Philips_WIP_B0_NS_801_e1.nii" },
  { "enhanced/In/Philips", "series=1", "enhanced/Ref/Philips_WIP_B0_NS_801_e2_fieldmaphz.nii" },
  { PHILIPS "cl", "series=1", PHILIPS_REF "1901_WIP_3DpCASL_cl.nii.gz" },
  { PHILIPS "cl", "series=2", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_cl_e1.nii.gz" },
  { PHILIPS "cl", "series=3", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_cl_e2.nii.gz" },
  { PHILIPS "cl", "series=4", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_cl_e1_ph.nii.gz" },
  { PHILIPS "cl", "series=5", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_cl_e2_ph.nii.gz" },
  { PHILIPS "enh", "series=1", PHILIPS_REF "1901_WIP_3DpCASL_enh_real.nii.gz" },
  { PHILIPS "enh", "series=2", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_enh_e1.nii.gz" },
  { PHILIPS "enh", "series=3", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_enh_e2.nii.gz" },
  { PHILIPS "enh", "series=4", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_enh_e1_ph.nii.gz" },
  { PHILIPS "enh", "series=5", PHILIPS_REF "2001_WIP_fcMRI_Field_Mapping_enh_e2_ph.nii.gz" },
};

/* Unpacks the files of FROM, which are compressed with gzip, into a new folder. */
static char *
unpack (const char *from)
{
  char *folder = fixture_folder ();
  g_autoptr (GDir) dir = g_dir_open (from, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (from, name, NULL),
                      *to = g_build_filename (folder, name, NULL);
      g_autoptr (GFile) packed = g_file_new_for_path (path), plain = g_file_new_for_path (to);
      g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
      g_autoptr (GError) error = NULL;
      g_autoptr (GInputStream) stream = G_INPUT_STREAM (g_file_read (packed, NULL, &error)),
                               in = NULL;
      g_autoptr (GOutputStream) out = NULL;

      g_assert_no_error (error);
      in = g_converter_input_stream_new (stream, G_CONVERTER (zlib));
      out = G_OUTPUT_STREAM (g_file_replace (plain, NULL, FALSE, 0, NULL, &error));
      g_assert_no_error (error);
      g_output_stream_splice (out, in, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, &error);
      g_assert_no_error (error);
    }
  return folder;
}

/* Finds which axes of OTHER run against those of SELF, and that all corners of the volumes are at
 * the same places then. */
static void
compare_places (const VgSource *self, const VgSource *other, gboolean turned[3])
{
  const VgImageInfo *info = &self->info;
  const int last[3] = { info->width - 1, info->height - 1, (int) info->slices - 1 };
  double a[3][4], b[3][4];

  g_assert_true (vg_placement_matrix (&info->placement, a));
  g_assert_true (vg_placement_matrix (&other->info.placement, b));
  for (int k = 0; k < 3; k++)
    turned[k] = a[0][k] * b[0][k] + a[1][k] * b[1][k] + a[2][k] * b[2][k] < 0;
  for (int corner = 0; corner < 8; corner++)
    for (int row = 0; row < 3; row++)
      {
        double here = a[row][3], there = b[row][3];

        for (int k = 0; k < 3; k++)
          {
            int at = corner >> k & 1 ? last[k] : 0;

            here += a[row][k] * at;
            there += b[row][k] * (turned[k] ? last[k] - at : at);
          }
        g_assert_cmpfloat_with_epsilon (here, there, 2e-3);
      }
}

/* TOLERANCE is relative to the largest value. */
static void
compare_values (VgSource *self, int i, VgSource *other, int k, const gboolean turned[3],
                double tolerance)
{
  gsize w = (gsize) self->info.width, h = (gsize) self->info.height, d = (gsize) self->info.slices;
  g_autofree float *a = g_new (float, w *h *d), *b = g_new (float, w *h *d);
  g_autoptr (GError) error = NULL;
  double largest = 0;

  vg_source_read (self, i, a, &error);
  g_assert_no_error (error);
  vg_source_read (other, k, b, &error);
  g_assert_no_error (error);
  for (gsize at = 0; at < w * h * d; at++)
    largest = MAX (largest, fabs (b[at]));
  g_assert_cmpfloat (largest, >, 0);
  for (gsize z = 0; z < d; z++)
    for (gsize y = 0; y < h; y++)
      for (gsize x = 0; x < w; x++)
        {
          gsize there = ((turned[2] ? d - 1 - z : z) * h + (turned[1] ? h - 1 - y : y)) * w +
                        (turned[0] ? w - 1 - x : x);

          g_assert_cmpfloat_with_epsilon (a[(z * h + y) * w + x], b[there], tolerance * largest);
        }
}

/* Compares size, positions and all values of frame I of SELF with those of frame K of OTHER. */
static void
compare_frames (VgSource *self, int i, VgSource *other, int k, double tolerance)
{
  gboolean turned[3];

  g_assert_cmpint (self->info.width, ==, other->info.width);
  g_assert_cmpint (self->info.height, ==, other->info.height);
  g_assert_cmpint (self->info.slices, ==, other->info.slices);
  compare_places (self, other, turned);
  compare_values (self, i, other, k, turned, tolerance);
}

static void
compare (const Pair *pair)
{
  g_autofree char *from = data_file ("dicom", pair->folder),
                  *reference = data_file ("dicom", pair->reference), *unpacked = NULL;
  gboolean packed = g_str_has_prefix (pair->folder, PHILIPS);
  /* in the references the slopes of Philips are rounded to about 14 bits */
  gboolean rescaled = g_strstr_len (pair->folder, -1, "hilips") != NULL;
  const VgSourceOptions options = { .read_options = pair->series };
  g_autoptr (VgSource) self = NULL, other = NULL;
  g_autoptr (GError) error = NULL;

  if (from == NULL || reference == NULL)
    return;
  unpacked = packed ? unpack (from) : NULL;
  self = vg_source_open (packed ? unpacked : from, &options, &error);
  g_assert_no_error (error);
  other = fixture_open (reference, FALSE);
  g_assert_cmpint (self->info.frames, ==, other->info.frames);
  for (int i = 0; i < self->info.frames; i++)
    compare_frames (self, i, other, i, rescaled ? 2e-4 : 1e-6);
  /* dcm2niix gives the repetition time, which the acquisition times of EPI differ from */
  if (self->info.frames > 1)
    g_assert_cmpfloat_with_epsilon (self->info.frame_interval_s, other->info.frame_interval_s,
                                    5e-3 * other->info.frame_interval_s);
  if (unpacked != NULL)
    {
      g_clear_pointer (&self, vg_source_close);
      fixture_remove_folder (g_steal_pointer (&unpacked));
    }
}

static void
test_pair (gconstpointer data)
{
  compare (data);
}

/* ---- written series ---- */

static const char *const dialects[] = {
  "siemens-axial",    "siemens-oblique",   "siemens-ct-8192", "siemens-ct-1024",
  "siemens-enhanced", "ge-trigger",        "ge-duration",     "ge-ct-cine",
  "philips-axial",    "philips-coronal",   "canon-ct",        "canon-sagittal",
  "philips-enhanced", "canon-ct-enhanced", "philips-scales",  "philips-enhanced-scales",
};

/* Whether a program with these arguments ends with status 0. */
static gboolean
run (const char *const *words)
{
  g_autoptr (GError) error = NULL;
  int status = 1;

  return g_spawn_sync (NULL, (char **) words, NULL,
                       G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL |
                           G_SPAWN_STDERR_TO_DEV_NULL,
                       NULL, NULL, NULL, NULL, &status, &error) &&
         status == 0;
}

static char *folder; /* of the written series */

/* Writes the series once; FALSE: the test is skipped. */
static gboolean
make_series (void)
{
  static gboolean made;
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "io", "dicom-dialects.py", NULL),
                  *peer = g_find_program_in_path ("dcm2niix");

  if (folder == NULL)
    folder = fixture_folder ();
  if (peer != NULL &&
      (made || run ((const char *const[]){ "/usr/bin/python3", script, folder, NULL })))
    return made = TRUE;
  g_test_skip ("dcm2niix or pydicom is missing: apt install dcm2niix python3-pydicom");
  return FALSE;
}

/* A copy of the folder SERIES with files that PROGRAM compressed; NULL: it is not installed. */
static char *
pack (const char *program, const char *series)
{
  g_autofree char *found = g_find_program_in_path (program),
                  *packed = g_strdup_printf ("%s.%s", series, program);
  g_autoptr (GDir) dir = g_dir_open (series, 0, NULL);
  const char *name;

  if (found == NULL)
    return NULL;
  g_assert_cmpint (g_mkdir (packed, 0700), ==, 0);
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *from = g_build_filename (series, name, NULL),
                      *to = g_build_filename (packed, name, NULL);

      g_assert_true (run ((const char *const[]){ found, from, to, NULL }));
    }
  return g_steal_pointer (&packed);
}

/* The times that the script wrote. */
static void
compare_times (const VgSource *self, const char *path)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  lines = g_strsplit (g_strchomp (text), "\n", -1);
  g_assert_cmpint (self->info.frames, ==, g_strv_length (lines));
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_cmpfloat_with_epsilon (self->times_s[i], g_ascii_strtod (lines[i], NULL), 1e-3);
}

/* The values that the script wrote, frame after frame. */
static void
compare_truth (VgSource *self, const char *path)
{
  gsize n = (gsize) self->info.width * (gsize) self->info.height * (gsize) self->info.slices,
        length;
  g_autofree float *values = g_new (float, n);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_get_contents (path, &bytes, &length, NULL));
  g_assert_cmpuint (length, ==, (gsize) self->info.frames * n * sizeof (float));
  for (int i = 0; i < self->info.frames; i++)
    {
      const float *truth = (const float *) (void *) bytes + (gsize) i * n;

      vg_source_read (self, i, values, &error);
      g_assert_no_error (error);
      for (gsize k = 0; k < n; k++)
        g_assert_cmpfloat_with_epsilon (values[k], truth[k], 1e-6 * MAX (1, fabs (truth[k])));
    }
}

static int
compare_moments (gconstpointer a, gconstpointer b)
{
  const VgSource *p = *(const VgSource *const *) a, *q = *(const VgSource *const *) b;

  return (p->acquired_s > q->acquired_s) - (p->acquired_s < q->acquired_s);
}

/* What dcm2niix makes of the series NAME: one file, or one for each volume. */
static GPtrArray *
convert (const char *name)
{
  static const char *const ends[] = { "", "a", "b", "c" };
  GPtrArray *volumes = g_ptr_array_new_with_free_func ((GDestroyNotify) vg_source_close);
  g_autofree char *series = g_build_filename (folder, name, NULL);

  g_assert_true (run ((const char *const[]){ "dcm2niix", "-x", "i", "-z", "n", "-f", name, "-o",
                                             folder, series, NULL }));
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autofree char *path = g_strconcat (series, ends[i], ".nii", NULL);

      if (g_file_test (path, G_FILE_TEST_EXISTS))
        g_ptr_array_add (volumes, fixture_open (path, FALSE));
    }
  g_ptr_array_sort (volumes, compare_moments);
  return volumes;
}

/* If Philips' scales change between volumes, dcm2niix does not give the measured signal, so these
 * series are compared only with the truth. */
static void
compare_dialect (const char *name, const char *series, GPtrArray *volumes)
{
  g_autofree char *times = g_strdup_printf ("%s/%s.times", folder, name),
                  *truth = g_strdup_printf ("%s/%s.truth", folder, name);
  g_autoptr (VgSource) self = fixture_open (series, FALSE);
  const VgSource *other = volumes->pdata[0];
  gboolean ct = strstr (name, "-ct") != NULL, changing = g_str_has_suffix (name, "-scales");

  g_assert_null (self->caution);
  g_assert_cmpint (self->info.frames, ==, other->info.frames * (int) volumes->len);
  for (int i = 0; i < self->info.frames && !changing; i++)
    compare_frames (self, i, volumes->pdata[i / other->info.frames], i % (int) other->info.frames,
                    1e-6);
  compare_truth (self, truth);
  compare_times (self, times);
  g_assert_cmpint (self->info.ct, ==, ct);
  g_assert_cmpfloat_with_epsilon (self->info.repetition_ms, ct ? 0 : 3.79, 1e-9);
  g_assert_cmpfloat_with_epsilon (self->info.repetition_ms, other->info.repetition_ms, 1e-5);
  g_assert_cmpfloat (self->info.flip_deg, ==, other->info.flip_deg);
  g_assert_cmpint (ct || strstr (self->details, "echo 1.28 ms") != NULL, !=, 0);
}

/* Reads a series as the script wrote it, and after lossless compression in three ways, if it has
 * few files or samples of 16 bits. */
static void
test_dialect (gconstpointer data)
{
  static const char *const packers[] = { "dcmcjpeg", "dcmcjpls", "dcmcrle" };
  const char *name = data;
  g_autofree char *series = NULL;
  g_autoptr (GPtrArray) volumes = NULL;

  if (!make_series ())
    return;
  series = g_build_filename (folder, name, NULL);
  volumes = convert (name);
  compare_dialect (name, series, volumes);
  for (guint i = 0; i < G_N_ELEMENTS (packers) &&
                    (strstr (name, "enhanced") != NULL || g_str_equal (name, "ge-trigger") ||
                     g_str_equal (name, "siemens-ct-8192"));
       i++)
    {
      g_autofree char *packed = pack (packers[i], series);

      if (packed != NULL)
        compare_dialect (name, packed, volumes);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autofree char *base = g_path_get_basename (pairs[i].reference),
                      *path = g_strdup_printf ("/dicom-data/%02u-%s", i + 1, base);

      g_test_add_data_func (path, &pairs[i], test_pair);
    }
  for (guint i = 0; i < G_N_ELEMENTS (dialects); i++)
    {
      g_autofree char *path = g_strconcat ("/dicom-dialects/", dialects[i], NULL);

      g_test_add_data_func (path, dialects[i], test_dialect);
    }
  status = g_test_run ();
  if (folder != NULL)
    run ((const char *const[]){ "rm", "-r", folder, NULL });
  return status;
}
