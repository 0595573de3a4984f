/* SPDX-License-Identifier: MIT */
/* Lengths that are typed, good and bad. */
#include "ui/ruler/vg-scale-length.h"
#include <string.h>

enum { NM, UM, MM, INCH };

static const struct
{
  const char *text;
  guint unit;
  double n_pixels, pixel_um;
} good[] = {
  { "50", UM, 100, 0.5 },  { " 1,5 ", MM, 300, 5 },  { "650", NM, 2, 0.325 },
  { "1", INCH, 254, 100 }, { "2.5e1", UM, 50, 0.5 },
};

static const struct
{
  const char *text;
  guint unit;
  const char *part; /* of what is said */
} bad[] = {
  { "", UM, "Type how long" },       { "0", UM, "greater than 0" },
  { "-3", MM, "greater than 0" },    { "long", UM, "is not a number" },
  { "5 mm", UM, "is not a number" }, { "inf", UM, "not a number" },
  { "nan", UM, "not a number" },     { "1e30", MM, "Check the unit" },
  { "1e-9", NM, "Check the unit" },
};

static void
test_good (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *why = NULL;
      double um = vg_scale_read (good[i].text, good[i].unit, good[i].n_pixels, &why);

      g_test_message ("%s", good[i].text);
      g_assert_null (why);
      g_assert_cmpfloat_with_epsilon (um, good[i].pixel_um, 1e-9);
    }
}

static void
test_bad (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *why = NULL;

      g_test_message ("%s", bad[i].text);
      g_assert_cmpfloat (vg_scale_read (bad[i].text, bad[i].unit, 100, &why), ==, 0);
      g_assert_nonnull (why);
      g_assert_nonnull (strstr (why, bad[i].part));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ruler/good", test_good);
  g_test_add_func ("/ruler/bad", test_bad);
  return g_test_run ();
}
