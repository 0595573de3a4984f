/* SPDX-License-Identifier: MIT */
/* How the program finds the CUDA module, and what it says when it can't use
 * it.  The module is loaded once per process, so each case is a process. */
#include "kernels/core/vg-cuda.h"
#include <glib/gstdio.h>
#include <string.h>

static char *folder;

static void
install (const char *contents, gsize length)
{
  g_autofree char *path = g_build_filename (folder, "vivograph-cuda.so", NULL);

  g_assert_true (g_file_set_contents (path, contents, (gssize) length, NULL));
}

static void
install_fake (void)
{
  g_autofree char *contents = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (g_getenv ("FAKE_CUDA_MODULE"), &contents, &length, NULL));
  install (contents, length);
}

static void
expect_none (const char *says)
{
  const char *reason = NULL;
  VgOperation operation = { .id = "known" };

  g_assert_null (vg_cuda_get (&reason));
  g_assert_nonnull (reason);
  g_assert_nonnull (strstr (reason, says));
  g_assert_null (strchr (reason, '\n'));
  g_assert_null (vg_cuda_get (NULL));
  g_assert_null (vg_cuda_engine (&operation));
}

static void
case_absent (void)
{
  expect_none ("not installed");
}

static void
case_garbage (void)
{
  install ("not a module", 12);
  expect_none ("cannot be loaded");
}

static void
case_version (void)
{
  install_fake ();
  g_setenv ("FAKE_ABI", "999", TRUE);
  g_setenv ("FAKE_DEVICES", "1", TRUE);
  expect_none ("999");
}

static void
case_driver (void)
{
  install_fake ();
  expect_none ("the driver is too old");
}

static void
case_no_device (void)
{
  install_fake ();
  g_setenv ("FAKE_DEVICES", "0", TRUE);
  expect_none ("no CUDA device");
}

static gpointer
get_in_thread (gpointer data)
{
  return (gpointer) vg_cuda_get (NULL);
}

static void
case_present (void)
{
  VgOperation known = { .id = "known" }, other = { .id = "other" };
  GThread *threads[8];
  const char *reason;
  const VgCuda *cuda;

  install_fake ();
  g_setenv ("FAKE_DEVICES", "2", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("get", get_in_thread, NULL);
  cuda = vg_cuda_get (&reason);
  g_assert_nonnull (cuda);
  g_assert_null (reason);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_true (g_thread_join (threads[i]) == cuda);
  g_assert_nonnull (vg_cuda_engine (&known));
  g_assert_null (vg_cuda_engine (&other));
}

static void
run_case (gconstpointer data)
{
  void (*function) (void) = (void (*) (void)) data;
  g_autofree char *path = NULL;

  if (g_test_subprocess ())
    {
      folder = (char *) g_getenv ("VIVOGRAPH_MODULE_DIR");
      function ();
      return;
    }
  folder = g_dir_make_tmp ("vg-module-XXXXXX", NULL);
  g_setenv ("VIVOGRAPH_MODULE_DIR", folder, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  path = g_build_filename (folder, "vivograph-cuda.so", NULL);
  g_unlink (path);
  g_rmdir (folder);
  g_free (folder);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("FAKE_CUDA_MODULE") == NULL)
    return 77;
  g_test_add_data_func ("/cuda-loader/absent", case_absent, run_case);
  g_test_add_data_func ("/cuda-loader/garbage", case_garbage, run_case);
  g_test_add_data_func ("/cuda-loader/version", case_version, run_case);
  g_test_add_data_func ("/cuda-loader/driver", case_driver, run_case);
  g_test_add_data_func ("/cuda-loader/no-device", case_no_device, run_case);
  g_test_add_data_func ("/cuda-loader/present", case_present, run_case);
  return g_test_run ();
}
