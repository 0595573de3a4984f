/* SPDX-License-Identifier: MIT */
/* How words find a text. */
#include "ui/help/vg-finder-match.h"

static int
match (const char *query, const char *title, const char *more)
{
  g_autofree char *folded = vg_finder_fold (query), *a = vg_finder_fold (title),
                  *b = vg_finder_fold (more);
  g_auto (GStrv) words = g_strsplit (folded, " ", -1);

  return vg_finder_match ((const char *const *) words, a, b, FALSE);
}

static void
test_fold (void)
{
  g_autofree char *text = vg_finder_fold ("  Länge (µs), Colour-Map…"),
                  *none = vg_finder_fold (NULL);

  g_assert_cmpstr (text, ==, "lange μs colour map");
  g_assert_cmpstr (none, ==, "");
}

static void
test_words (void)
{
  g_assert_cmpint (match ("exposure", "Exposure time", NULL), >, 0);
  g_assert_cmpint (match ("time expo", "Exposure time", NULL), >, 0);
  g_assert_cmpint (match ("posure", "Exposure time", NULL), >, 0);
  g_assert_cmpint (match ("", "Exposure time", NULL), >, 0);
  g_assert_cmpint (match ("camera", "Exposure time", "Exposure time of the camera"), >, 0);
  g_assert_cmpint (match ("exposure lifetime", "Exposure time", NULL), ==, 0);
  g_assert_cmpint (match ("zebra", "Exposure time", "Exposure time of the camera"), ==, 0);
}

static void
test_slips (void)
{
  const char *const slips[] = { "exposre", "expossure", "exposuer", "exposura", "exbosure" };

  for (guint i = 0; i < G_N_ELEMENTS (slips); i++)
    g_assert_cmpint (match (slips[i], "Exposure time", NULL), >, 0);
  g_assert_cmpint (match ("gat", "Gain", NULL), ==, 0);
  g_assert_cmpint (match ("expoooure", "Exposure time", NULL), ==, 0);
}

/* Of two that answer alike, that of the shown view is first; a typing error does not come before a
 * word. */
static void
test_here (void)
{
  const char *const table[] = { "table", NULL }, *const frames[] = { "framse", NULL },
                    *const slips[] = { "framse", "numbre", NULL };

  g_assert_cmpint (vg_finder_match (table, "table of regions", "", TRUE), >,
                   vg_finder_match (table, "table of nuclei", "", FALSE));
  g_assert_cmpint (vg_finder_match (table, "number of the table", "", TRUE), >,
                   vg_finder_match (table, "table of nuclei", "", FALSE));
  g_assert_cmpint (vg_finder_match (frames, "frames", "", TRUE), <,
                   vg_finder_match (frames, "framse", "", FALSE));
  g_assert_cmpint (vg_finder_match (slips, "frames number", "", TRUE), ==,
                   vg_finder_match (slips, "frames number", "", FALSE));
  g_assert_cmpint (vg_finder_match (table, "frames", "", TRUE), ==, 0);
}

static void
test_order (void)
{
  int begins = match ("frame", "Frames", NULL), inside = match ("frame", "Baseline frames", NULL),
      slip = match ("framse", "Frames", NULL), help = match ("frame", "Average", "over frames");

  g_assert_cmpint (begins, >, inside);
  g_assert_cmpint (inside, >, slip);
  g_assert_cmpint (inside, >, help);
  g_assert_cmpint (help, >, slip);
  g_assert_cmpint (match ("vessel", "Press on the Vessel", NULL), >,
                   match ("vessel", "Motion", "of the vessel, whole vessel"));
  g_assert_cmpint (match ("lifetime", "Lifetime", NULL), >,
                   match ("lifetime", "Lifetime from", NULL));
  g_assert_cmpint (match ("in", "Gain", NULL), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/finder/fold", test_fold);
  g_test_add_func ("/finder/words", test_words);
  g_test_add_func ("/finder/slips", test_slips);
  g_test_add_func ("/finder/order", test_order);
  g_test_add_func ("/finder/here", test_here);
  return g_test_run ();
}
