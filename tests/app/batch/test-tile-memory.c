/* SPDX-License-Identifier: MIT */
/* The memory of a run by tiles goes with the tile, not with the slide.  Needs OpenSlide. */
#include "tests/support/sanitized.h"
#include "tests/support/app/objects-fixture.h"
#include "tests/support/io/slide-fixture.h"
#include "tests/support/io/tiff-fixture.h"
#include <string.h>
#include <sys/resource.h>

/* Nuclei in one cell of sixty-four, glass elsewhere. */
static void
fill_large (gint64 x, gint64 y, int side, guint8 *rgb, gpointer data)
{
  const VgImage *image = data;

  memset (rgb, 245, 3 * (gsize) side * (gsize) side);
  for (gint64 v = 0; v < side; v++)
    for (gint64 u = 0; u < side; u++)
      if ((x + u) % 2048 < 256 && (y + v) % 2048 < 256)
        memcpy (rgb + 3 * (v * side + u),
                (const guint8 *) image->data + 3 * ((y + v) % 2048 * 256 + (x + u) % 2048), 3);
}

/* 17 million pixels. */
static void
test_memory (void)
{
  char *folder = fixture_folder ();
  g_autofree char *path = g_build_filename (folder, "large.tif", NULL),
                  *out = g_build_filename (folder, "large", NULL);
  g_autofree char *errors = NULL;
  g_autoptr (VgImage) image = objects_picture (256, 256);
  const char *argv[] = { g_getenv ("VIVOGRAPH_PROGRAM"),
                         "run",
                         "contour",
                         path,
                         "--out",
                         out,
                         "--tile",
                         "512",
                         "--iterations",
                         "10",
                         "--radius-px",
                         "10",
                         "--backend",
                         "cpu",
                         "--threads",
                         "2",
                         NULL };
  g_autoptr (GError) error = NULL;
  struct rusage usage;
  int status;

  slide_fixture_write (path, 4096, 4096, 4, fill_large, image);
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                               NULL, &errors, &status, &error));
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  getrusage (RUSAGE_CHILDREN, &usage);
  g_test_message ("%g nuclei, peak %ld MiB", objects_result (out, "objects"),
                  usage.ru_maxrss / 1024);
  g_assert_cmpfloat (objects_result (out, "objects"), >, 4 * 60);
  g_assert_cmpint (usage.ru_maxrss / 1024, <, 400);
  fixture_remove_folder (g_steal_pointer (&out));
  fixture_remove_folder (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!SANITIZED) /* they keep what is freed */
    g_test_add_func ("/tiles/memory", test_memory);
  return g_test_run ();
}
