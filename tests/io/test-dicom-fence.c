/* SPDX-License-Identifier: MIT */
/* DICOM files that take control of their decoder (hostile-dicom.c): each costs itself alone, and
 * says so in one sentence. */
#include "io/dicom/vg-dicom-decoder.h"
#include "io/fence/vg-fence-message.h"
#include "io/fence/vg-fence.h"
#include "io/source/vg-source.h"
#include "kernels/base/vg-error.h"
#include "kernels/base/vg-sanitized.h"
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum { PREAMBLE = 128, SAMPLES = 6 };

static char *folder;

/* Writes a file that the module reads as WORD, and returns its path. */
static char *
put (const char *word)
{
  char *path = g_build_filename (folder, word, NULL);
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  g_byte_array_set_size (bytes, PREAMBLE);
  memset (bytes->data, 0, PREAMBLE);
  g_byte_array_append (bytes, (const guint8 *) "DICM", 4);
  g_byte_array_append (bytes, (const guint8 *) word, (guint) strlen (word) + 1);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  return path;
}

static void
take_away (const char *word)
{
  g_autofree char *path = g_build_filename (folder, word, NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
check_samples (VgSource *source)
{
  g_autoptr (GError) error = NULL;
  float samples[SAMPLES];

  g_assert_cmpint (source->info.width, ==, 3);
  g_assert_cmpint (source->info.height, ==, 2);
  g_assert_true (vg_source_read (source, 0, samples, &error));
  g_assert_no_error (error);
  for (int i = 0; i < SAMPLES; i++)
    g_assert_cmpfloat (samples[i], ==, (float) i);
}

/* In a folder, the others are read. */
static void
test_beside (void)
{
  static const char *const words[][2] = { { "crash", "its decoder crashed" },
                                          { "memory", "its decoder crashed" },
                                          { "size", "it declares an impossible size" },
                                          { "frames", "it declares an impossible size" } };
  g_autofree char *good = put ("good");

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autofree char *path = NULL;
      g_autoptr (GError) error = NULL, alone = NULL;
      g_autoptr (VgSource) source = NULL;

      if (g_str_equal (words[i][0], "memory") && VG_SANITIZED)
        continue; /* sanitizers reserve more address space than the limit */
      path = put (words[i][0]);
      source = vg_source_open (folder, NULL, &error);
      g_assert_no_error (error);
      g_assert_nonnull (strstr (source->details, words[i][1]));
      g_assert_nonnull (strstr (source->details, words[i][0]));
      check_samples (source);
      g_assert_null (vg_source_open (path, NULL, &alone));
      g_assert_error (alone, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
      g_assert_nonnull (strstr (alone->message, words[i][1]));
      g_assert_null (strchr (alone->message, '\n'));
      take_away (words[i][0]);
    }
  take_away ("good");
}

/* A file that is described, but cannot be read. */
static void
test_read (void)
{
  g_autofree char *good = put ("good"), *bad = put ("read");
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (bad, NULL, &error), other = NULL;
  float samples[SAMPLES];

  g_assert_no_error (error);
  for (int i = 0; i < 2; i++)
    {
      g_assert_false (vg_source_read (source, 0, samples, &error));
      g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "its decoder crashed"));
      g_clear_error (&error);
    }
  other = vg_source_open (good, NULL, &error);
  g_assert_no_error (error);
  check_samples (other);
  take_away ("good");
  take_away ("read");
}

static void
test_escape (void)
{
  g_autofree char *path = put ("escape"), *made = g_build_filename (folder, "escaped", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);

  g_assert_no_error (error);
  check_samples (source);
  g_assert_false (g_file_test (made, G_FILE_TEST_EXISTS));
  take_away ("escape");
}

/* Texts and numbers that the module never gives. */
static void
test_text (void)
{
  g_autofree char *path = put ("text");
  g_autoptr (GError) error = NULL;
  g_autoptr (VgSource) source = vg_source_open (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (g_utf8_validate (source->details, -1, NULL));
  g_assert_null (strstr (source->details, "\n\n"));
  g_assert_nonnull (strstr (source->details, "???"));
  check_samples (source);
  take_away ("text");
}

static void
test_hang (void)
{
  g_autofree char *good = put ("good"), *path = put ("hang");
  VgDecoder quick = vg_dicom_decoder;
  g_autoptr (VgFence) fence = NULL;
  g_autoptr (GError) error = NULL;
  VgDicomHead head;

  quick.seconds = 1;
  fence = vg_fence_new (&quick);
  g_assert_false (vg_fence_open_file (fence, path, "hang", &head, &error));
  g_assert_error (error, VG_IO_ERROR, VG_IO_ERROR_FORMAT);
  g_assert_cmpstr (error->message, ==, "decoding it takes longer than 1 s");
  g_clear_error (&error);
  g_assert_true (vg_fence_open_file (fence, good, "good", &head, &error));
  g_assert_no_error (error);
  g_assert_cmpint (head.frames, ==, 1);
  take_away ("good");
  take_away ("hang");
}

/* The folder of modules has the program's own decoder and the hostile module. */
static void
link_module (const char *modules, const char *from, const char *name)
{
  g_autofree char *built = g_test_build_filename (G_TEST_BUILT, from, NULL),
                  *path = g_build_filename (modules, name, NULL),
                  *real = g_canonicalize_filename (built, NULL);

  g_assert_cmpint (symlink (real, path), ==, 0);
}

int
main (int argc, char **argv)
{
  g_autofree char *modules = NULL, *decoder = NULL, *module = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("dicom-fence-XXXXXX", NULL);
  modules = g_dir_make_tmp ("dicom-fence-XXXXXX", NULL);
  decoder = g_build_filename (modules, VG_FENCE_PROGRAM, NULL);
  module = g_build_filename (modules, "vivograph-dicom.so", NULL);
  link_module (modules, "../io/" VG_FENCE_PROGRAM, VG_FENCE_PROGRAM);
  link_module (modules, "io/hostile-dicom.so", "vivograph-dicom.so");
  g_setenv ("VIVOGRAPH_MODULE_DIR", modules, TRUE);
  g_unsetenv ("VIVOGRAPH_FENCE");
  g_test_add_func ("/dicom-fence/beside", test_beside);
  g_test_add_func ("/dicom-fence/read", test_read);
  g_test_add_func ("/dicom-fence/escape", test_escape);
  g_test_add_func ("/dicom-fence/text", test_text);
  g_test_add_func ("/dicom-fence/hang", test_hang);
  status = g_test_run ();
  g_remove (decoder);
  g_remove (module);
  g_rmdir (modules);
  g_rmdir (folder);
  g_free (folder);
  return status;
}
