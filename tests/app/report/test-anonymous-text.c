/* SPDX-License-Identifier: MIT */
/* What a report that must not identify the patient says of files, and what it leaves as it is. */
#include "app/report/vg-anonymous-text.h"

static void
test_hidden (void)
{
  static const struct
  {
    const char *file, *text, *expected;
  } cases[] = {
    { "/data/Doe Jane/scan 1.nii", "\"scan 1.nii\" lies 2.5 mm away.", "\"…\" lies 2.5 mm away." },
    { "/data/Doe Jane/scan 1.nii", "Images are in /data/Doe Jane/scan 1.nii.", "Images are in …." },
    { "Doe/scan", "Doe/scan has 2 series.", "… has 2 series." },
    { "Doe \"J\" Jane", "\"Doe \"J\" Jane\" is small.", "\"…\" is small." },
    { "a", "\"/x/Doe Jane/liver.nii\" fits; /x/Doe_Jane/b.nii not.", "\"…\" fits; … not." },
    { "a", "such as \"Doe.dcm\": it is empty", "such as \"…\": it is empty" },
    { "a", "not UTF-8: \"Doe\xff\"", "not UTF-8: \"…\"" },
    /* names that are parts of other words and numbers */
    { ".", "0.5 of 1.5 s. Check it.", "0.5 of 1.5 s. Check it." },
    { "..", "1.. 2", "1.. 2" },
    { "/data/1", "1 of 11 frames", "1 of 11 frames" },
    { "/data/100", "100 of 2100 frames", "100 of 2100 frames" },
    { "frames", "100 frames", "100 frames" },
    { "./", "2 ./ 3", "2 ./ 3" },
    { "a", "0.02 /s, 3 ml/100g/min", "0.02 /s, 3 ml/100g/min" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *const files[] = { cases[i].file, NULL };
      g_autofree char *one = vg_anonymous_text (cases[i].text, files, NULL),
                      *other = vg_anonymous_text (cases[i].text, NULL, files);

      g_assert_cmpstr (one, ==, cases[i].expected);
      g_assert_cmpstr (other, ==, cases[i].expected);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/anonymous-text/hidden", test_hidden);
  return g_test_run ();
}
