/* SPDX-License-Identifier: MIT */
/* The wait from a slider's move to its picture. */
#include "ui/common/vg-response.h"

static void
test_waits (void)
{
  VgResponse self = { 0 };
  double median, longest;
  guint late;

  g_assert_false (vg_response_get (&self, &median, &longest, &late));
  vg_response_painted (&self, 500);
  g_assert_cmpuint (self.n, ==, 0);
  g_assert_false (vg_response_is_due (&self, 500));
  vg_response_changed (&self, 7, 1000);
  g_assert_true (vg_response_is_due (&self, 1000));
  g_assert_false (vg_response_is_due (&self, 1000 + 1000000)); /* overdue: others need not wait */
  vg_response_changed (&self, 8, 9000);                        /* the same wait */
  vg_response_taken (&self, 6);                                /* computed before the change */
  vg_response_painted (&self, 10000);
  g_assert_false (vg_response_get (&self, &median, &longest, &late));
  vg_response_taken (&self, 8);
  vg_response_painted (&self, 21000);
  g_assert_false (vg_response_is_due (&self, 22000));
  vg_response_painted (&self, 90000); /* nothing new in this paint */
  g_assert_true (vg_response_get (&self, &median, &longest, &late));
  g_assert_cmpfloat (median, ==, 20);
  g_assert_cmpuint (late, ==, 1); /* a frame was painted before the picture came */
  vg_response_changed (&self, 8, 100000);
  vg_response_dropped (&self); /* cancelled: what comes later ends no wait */
  vg_response_taken (&self, 9);
  vg_response_painted (&self, 97000000);
  g_assert_cmpuint (self.n, ==, 1);
  for (guint i = 0; i < 2 * VG_RESPONSES; i++)
    {
      vg_response_changed (&self, 9 + i, 0);
      vg_response_taken (&self, 9 + i);
      vg_response_painted (&self, (gint64) (i % VG_RESPONSES + 1) * 1000);
    }
  g_assert_true (vg_response_get (&self, &median, &longest, &late));
  g_assert_cmpfloat (median, ==, VG_RESPONSES / 2 + 1);
  g_assert_cmpfloat (longest, ==, VG_RESPONSES);
  g_assert_cmpuint (late, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/response/waits", test_waits);
  return g_test_run ();
}
