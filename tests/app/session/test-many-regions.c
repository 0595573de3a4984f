/* SPDX-License-Identifier: MIT */
/* A few hundred polygons do not hold up the window: what it asks a session about each region, and a
 * step of Undo, take a time that a user does not notice. */
#include <math.h>
#include <time.h>
#include "tests/support/app/fake-operation.h"
#include "tests/support/sanitized.h"
#include "app/session/vg-session.h"

enum { N = 250 };

static double
processor_ms (void)
{
  return 1e3 * (double) clock () / CLOCKS_PER_SEC;
}

static void
check_time (const char *what, double begin, double most)
{
  double took = processor_ms () - begin;

  g_test_message ("%s: %.1f ms", what, took);
  if (!SANITIZED)
    g_assert_cmpfloat (took, <, most);
}

static VgRegion
make_polygon (guint i)
{
  VgRegion region = { .kind = VG_REGION_POLYGON, .n_points = VG_REGION_MAX_POINTS };

  for (int k = 0; k < region.n_points; k++)
    {
      region.x[k] = 20.1 * i + 9 * cos (2 * G_PI * k / region.n_points);
      region.y[k] = 100 + 9 * sin (2 * G_PI * k / region.n_points);
    }
  return region;
}

static void
test_many (void)
{
  g_autoptr (VgSession) session = vg_session_new (&fake_stream);
  const VgParam *param = vg_params_find (&fake_stream.params, "file");
  double begin = processor_ms ();

  for (guint i = 0; i < N; i++)
    {
      const VgRegion region = make_polygon (i);

      g_assert_cmpuint (vg_session_add_region (session, &region), ==, i);
    }
  check_time ("add", begin, 500);
  vg_session_use_region (session, param, N / 2);
  vg_session_commit (session, "Use");

  begin = processor_ms ();
  for (guint i = 0; i < N; i++)
    {
      const VgRegion shape = vg_session_get_shape (session, i);

      g_assert_true (vg_region_equal (&shape, &vg_session_get_region (session, i)->region));
      g_assert_true (vg_session_find_region_param (session, i) == (i == N / 2 ? param : NULL));
    }
  check_time ("shapes", begin, 50);

  begin = processor_ms ();
  vg_session_rename_region (session, 3, "Tumour");
  vg_session_commit (session, "Rename");
  check_time ("step", begin, 250);

  begin = processor_ms ();
  vg_session_undo (session);
  check_time ("undo", begin, 100);
  g_assert_cmpstr (vg_session_get_region (session, 3)->name, !=, "Tumour");
  g_assert_true (vg_session_find_region_param (session, N / 2) == param);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/many-regions", test_many);
  return g_test_run ();
}
