/* SPDX-License-Identifier: MIT */
/* What settings and files come to before anything is fitted. */
#include "perfusion-study-fixture.h"
#include <omp.h>
#include <string.h>

/* ---- Threads ---- */

static int
count_threads (void)
{
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  int n = 0;

  while (tasks != NULL && g_dir_read_name (tasks) != NULL)
    n++;
  return n;
}

/* In a thread of its own, which has no helpers yet: those it asks for stay. */
static gpointer
prepare_alone (gpointer data)
{
  Fixture *f = data;
  VgContext context = { .params = f->params, .info = &f->image->info, .image = f->image, .threads = 1 };
  int before = count_threads ();

  omp_set_num_threads (4);
  g_autoptr (VgPerfusionStudy) study = vg_perfusion_study_new (&context, NULL);
  g_assert_nonnull (study);
  return GINT_TO_POINTER (count_threads () - before);
}

/* One thread was asked for: none is started, by the dictionary neither. */
static void
test_threads (gconstpointer data)
{
  Fixture f = fixture_new (VG_PERFUSION_SIGNAL_LINEAR);

  set (&f, "model", data);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (g_thread_new ("alone", prepare_alone, &f))), ==, 0);
  fixture_clear (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/perfusion-settings/threads/compartment", "compartment", test_threads);
  g_test_add_data_func ("/perfusion-settings/threads/uptake", "uptake", test_threads);
  return g_test_run ();
}
