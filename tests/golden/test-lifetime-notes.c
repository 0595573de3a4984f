/* SPDX-License-Identifier: MIT */
/* What the figures say of settings and data that make lifetimes wrong without a trace in the maps. */
#include "lifetime-fixture.h"
#include "vg-curves.h"

enum { BINS = 128 };

/* The note of figure ID, NULL: no such figure, or none (owned). */
static char *
note_of (LifetimeFixture *run, const char *id)
{
  g_autoptr (VgNumbers) numbers = vg_numbers_new ();
  const VgNumber *number;

  run->engine->results (run->state, numbers);
  number = vg_numbers_find (numbers, id);
  return number != NULL ? g_strdup (number->advice) : NULL;
}

static void
check_note (LifetimeFixture *run, const char *id, const char *says)
{
  g_autofree char *note = note_of (run, id);

  g_test_message ("%s: %s", id, note != NULL ? note : "nothing");
  if (says == NULL)
    g_assert_null (note);
  else
    {
      g_assert_nonnull (note);
      g_assert_nonnull (strstr (note, says));
    }
}

/* Behind a pulse 2 ns after the window's start, as long as a bin. */
static void
fill (float *cube, double h)
{
  for (int j = 0; j < BINS; j++)
    cube[j] = j * h < 2.0 ? 0.0f : (float) (5000.0 * exp (-(j * h - 2.0) / 2.0));
}

/* A width that neither the file nor the user says. */
static void
test_width (void)
{
  float cube[BINS];
  LifetimeFixture run;

  fill (cube, 0.1);
  lifetime_init (&run, VG_F32, 1, 1, BINS, 0.1);
  lifetime_run (&run, cube);
  check_note (&run, "bin_width_ns", NULL);
  lifetime_clear (&run);
  lifetime_init (&run, VG_F32, 1, 1, BINS, 0.1);
  run.info.bin_width_ns = 0.0;
  lifetime_run (&run, cube);
  check_note (&run, "bin_width_ns", "0.1 ns is taken");
  run.params->bin_width_ns = 0.05f;
  lifetime_update (&run);
  check_note (&run, "bin_width_ns", NULL);
  lifetime_clear (&run);
}

/* Why a fit cannot be made. */
static void
test_problem (void)
{
  float cube[BINS];
  LifetimeFixture run;

  fill (cube, 0.1);
  lifetime_init (&run, VG_F32, 1, 1, BINS, 0.1);
  run.params->method = VG_LIFETIME_MLE_BI;
  run.params->fit_start_ns = 2.0f;
  run.params->fit_end_ns = 2.3f;
  lifetime_run (&run, cube);
  check_note (&run, "pixels_failed", "too few for 4 parameters");
  run.params->fit_end_ns = 12.0f;
  run.params->know_1 = TRUE;
  run.params->known_1_ns = 1e4f;
  lifetime_update (&run);
  check_note (&run, "pixels_failed", "fixed lifetime of 10000 ns is outside");
  run.params->know_1 = FALSE;
  lifetime_update (&run);
  check_note (&run, "pixels_failed", NULL);
  lifetime_clear (&run);
}

/* The numbers of the fit stand over the decay of a pixel and of all of them. */
static void
test_title (void)
{
  float cube[BINS];
  LifetimeFixture run;

  fill (cube, 0.1);
  lifetime_init (&run, VG_F32, 1, 1, BINS, 0.1);
  run.params->method = VG_LIFETIME_MLE_BI;
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  lifetime_run (&run, cube);
  for (int all = 0; all < 2; all++)
    {
      g_autoptr (VgCurves) curves = all ? run.engine->plot (run.state, 1) : run.engine->sample (run.state, 0.5, 0.5, 0);

      g_test_message ("%s", curves->title);
      g_assert_nonnull (strstr (curves->title, "share of the short"));
      g_assert_nonnull (strstr (curves->title, "deviance"));
    }
  lifetime_clear (&run);
}

/* Phasors that the pulse turns, whatever method makes the lifetimes: their plot and maps are there with all. */
static void
test_phasors (void)
{
  float cube[BINS];
  LifetimeFixture run;

  fill (cube, 0.1);
  lifetime_init (&run, VG_F32, 1, 1, BINS, 0.1);
  run.params->range = VG_LIFETIME_RANGE_AUTO;
  run.params->method = VG_LIFETIME_MLE;
  lifetime_run (&run, cube);
  check_note (&run, "pulse_ns", "phasor plot");
  run.params->irf_model = VG_LIFETIME_IRF_EDGE;
  lifetime_update (&run);
  check_note (&run, "pulse_ns", NULL);
  lifetime_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/golden/lifetime/notes/width", test_width);
  g_test_add_func ("/golden/lifetime/notes/problem", test_problem);
  g_test_add_func ("/golden/lifetime/notes/title", test_title);
  g_test_add_func ("/golden/lifetime/notes/phasors", test_phasors);
  return g_test_run ();
}
