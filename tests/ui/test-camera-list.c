/* SPDX-License-Identifier: MIT */
/* The list of cameras while it is looked at: they come and go, answer slowly, have names that are
 * no text, and the same list is reported once. */
#include <string.h>
#include "ui/camera/vg-camera-list.h"

enum { LATE_S = 50 };

static int stage, looks; /* atomic: what is connected; how often was looked */

static void
look (VgLiveFound found, VgLiveFound missing, gpointer data)
{
  const int now = g_atomic_int_get (&stage);

  g_atomic_int_inc (&looks);
  if (now == 0)
    return;
  found ("camera:first", "First", data);
  if (now == 2)
    found ("camera:se\xffond", "Sec\xffond", data);
  if (now == 4)
    g_usleep (300000); /* a device that takes long to answer */
  if (now >= 3)
    missing ("gst", "it is not installed", data);
}

static void
count (VgCameraList *list, gpointer changes)
{
  (*(int *) changes)++;
}

/* Until MORE looks have ended. */
static void
wait_for_looks (int more)
{
  const int wanted = g_atomic_int_get (&looks) + more;
  const gint64 end = g_get_monotonic_time () + LATE_S * G_TIME_SPAN_SECOND;

  while (g_atomic_int_get (&looks) < wanted && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (g_atomic_int_get (&looks), >=, wanted);
}

static void
wait_for_changes (const int *changes, int n)
{
  const gint64 end = g_get_monotonic_time () + LATE_S * G_TIME_SPAN_SECOND;

  while (*changes < n && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (*changes, ==, n);
}

static void
test_changes (void)
{
  VgCameraList *list = vg_camera_list_new (look, 5);
  int changes = 0;

  g_signal_connect (list, "changed", G_CALLBACK (count), &changes);
  wait_for_changes (&changes, 1); /* nothing is there: that is known now */
  g_assert_cmpuint (vg_camera_list_get_n (list), ==, 0);
  wait_for_looks (5);
  g_assert_cmpint (changes, ==, 1);

  g_atomic_int_set (&stage, 1);
  wait_for_changes (&changes, 2);
  g_assert_cmpuint (vg_camera_list_get_n (list), ==, 1);
  g_assert_cmpstr (vg_camera_list_get (list, 0)->address, ==, "camera:first");
  wait_for_looks (5);
  g_assert_cmpint (changes, ==, 2);

  g_atomic_int_set (&stage, 2);
  wait_for_changes (&changes, 3);
  g_assert_cmpuint (vg_camera_list_get_n (list), ==, 2);
  g_assert_true (g_utf8_validate (vg_camera_list_get (list, 1)->address, -1, NULL));
  g_assert_true (g_utf8_validate (vg_camera_list_get (list, 1)->description, -1, NULL));

  g_atomic_int_set (&stage, 3); /* the second is pulled out, and a kind cannot be listed any more */
  wait_for_changes (&changes, 4);
  g_assert_cmpuint (vg_camera_list_get_n (list), ==, 2);
  g_assert_false (vg_camera_list_get (list, 0)->missing);
  g_assert_true (vg_camera_list_get (list, 1)->missing);
  g_assert_cmpstr (vg_camera_list_get (list, 1)->address, ==, "gst");

  /* the dialog is closed while a look is under way */
  g_atomic_int_set (&stage, 4);
  wait_for_looks (2);
  vg_camera_list_stop (list);
  g_object_add_weak_pointer (G_OBJECT (list), (gpointer *) &list);
  g_object_unref (list);
  for (gint64 end = g_get_monotonic_time () + LATE_S * G_TIME_SPAN_SECOND;
       list != NULL && g_get_monotonic_time () < end;)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (list);
  g_assert_cmpint (changes, ==, 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/camera-list/changes", test_changes);
  return g_test_run ();
}
