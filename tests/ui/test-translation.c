/* SPDX-License-Identifier: MIT */
/* A catalogue changes texts of the window and of the tables; the German one is well formed. */
#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>
#include "app/record/vg-recorder.h"
#include "app/session/vg-session.h"
#include "kernels/core/vg-operation.h"
#include "ui/words/vg-translation.h"

static const char catalogue[] = "msgid \"\"\n"
                                "msgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
                                "msgid \"Reset %s\"\n"
                                "msgstr \"%s zurücksetzen\"\n"
                                "msgid \"Flow\"\n"
                                "msgstr \"Durchfluss\"\n";

typedef struct
{
  char *folder, *language, *messages, *compiled;
} Catalogues;

/* Compiles the catalogue SOURCE of LANGUAGE, with all checks of formats, and uses it. */
static Catalogues
use_catalogue (const char *language, const char *source)
{
  g_autoptr (GError) error = NULL;
  Catalogues made = { .folder = g_dir_make_tmp ("vivograph-XXXXXX", &error) };
  int status = 0;

  g_assert_no_error (error);
  made.language = g_build_filename (made.folder, language, NULL);
  made.messages = g_build_filename (made.language, "LC_MESSAGES", NULL);
  made.compiled = g_build_filename (made.messages, "vivograph.mo", NULL);
  g_assert_cmpint (g_mkdir_with_parents (made.messages, 0700), ==, 0);
  g_spawn_sync (NULL,
                (char *[]){ (char *) "msgfmt", (char *) "--check-format", (char *) "-o",
                            made.compiled, (char *) source, NULL },
                NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);

  g_setenv ("LANGUAGE", language, TRUE);
  g_setenv ("VIVOGRAPH_LOCALE_DIR", made.folder, TRUE);
  vg_translation_init ();
  return made;
}

static void
clear_catalogue (Catalogues *made)
{
  g_unlink (made->compiled);
  g_rmdir (made->messages);
  g_rmdir (made->language);
  g_rmdir (made->folder);
  g_free (made->compiled);
  g_free (made->messages);
  g_free (made->language);
  g_free (made->folder);
}

static void
test_catalogue (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *source = NULL;
  int file = g_file_open_tmp ("vivograph-XXXXXX.po", &source, &error);
  Catalogues made;

  g_assert_no_error (error);
  g_close (file, &error);
  g_assert_no_error (error);
  g_file_set_contents (source, catalogue, -1, &error);
  g_assert_no_error (error);
  made = use_catalogue ("en@test", source);

  g_assert_cmpstr (_ ("Reset %s"), ==, "%s zurücksetzen");
  g_assert_cmpstr (vg_translate (vg_operation_find ("flow")->title), ==, "Durchfluss");
  /* What no catalogue holds stays as it is, and so does what is no text. */
  g_assert_cmpstr (vg_translate ("Radius"), ==, "Radius");
  g_assert_cmpstr (vg_translate (""), ==, "");
  g_assert_null (vg_translate (NULL));

  clear_catalogue (&made);
  g_unlink (source);
}

/* The German catalogue has texts of the window, of the tables and of the results. */
static void
test_german (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "po", "de.po", NULL);
  Catalogues made = use_catalogue ("de", source);

  g_assert_cmpstr (_ ("Reset %s"), ==, "%s zurücksetzen");
  g_assert_cmpstr (vg_translate (vg_operation_find ("flow")->title), ==, "Fluss");
  g_assert_cmpstr (vg_translate ("Speckle size"), ==, "Speckle-Größe");
  g_assert_cmpstr (C_ ("button", "Run"), ==, "Starten");
  g_assert_cmpstr (ngettext ("%ld frame, and no bytes are left over.",
                             "%ld frames, and no bytes are left over.", 2),
                   ==, "%ld Bilder, und kein Byte bleibt übrig.");
  clear_catalogue (&made);
}

/* The text in place of a %s is kept, and translated if it has a translation. */
static void
test_composed (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "po", "de.po", NULL);
  Catalogues made = use_catalogue ("de", source);
  g_autofree char *swapped = vg_composed_text_convert ("4 of 5 %", "%s of %s %%", "%s von %s %%"),
                  *other = vg_composed_text_convert ("4 of 5", "%s of %s px", "%s von %s px"),
                  *part = vg_composed_text_convert ("all 4 of 5", "%s of", "%s von");
  const char *again;

  g_assert_cmpstr (swapped, ==, "4 von 5 %");
  g_assert_null (other);
  g_assert_null (part);
  g_assert_cmpstr (vg_translate ("Voxel 60, 28, slice 1"), ==, "Voxel 60, 28, Schicht 1");
  g_assert_cmpstr (vg_translate ("Voxel 60"), ==, "Voxel 60");
  /* the same text again is the same memory, which stays valid */
  again = vg_translate ("Voxel 60, 28, slice 1");
  g_assert_true (vg_translate ("Voxel 60, 28, slice 1") == again);
  g_assert_cmpstr (vg_translate ("Kept: Pixels"), ==, "Gemerkt: Pixel");
  g_assert_cmpstr (vg_translate ("Artery (population) / 16"), ==, "Arterie (Population) / 16");
  g_assert_cmpstr (vg_translate ("Layer 1 has a thickness of 0.\nLayer 2 has a thickness of 0."),
                   ==, "Schicht 1 hat eine Dicke von 0.\nSchicht 2 hat eine Dicke von 0.");
  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u frames", i),
                      *german = g_strdup_printf ("%u Bilder", i);

      g_assert_cmpstr (vg_translate (text), ==, german);
    }
  clear_catalogue (&made);
}

static void
assert_name (VgSession *session, guint i, const char *name)
{
  g_assert_cmpstr (vg_session_get_region (session, i)->name, ==, name);
}

/* A session that was saved in German opens in English, and the reverse: a region with a role has
 * the label of its parameter as its name, and loses that with the role. */
static void
test_region_names (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "po", "de.po", NULL);
  const VgOperation *operation = vg_operation_find ("perfusion");
  const VgParam *artery = vg_params_find (&operation->params, "artery");
  g_autoptr (VgSession) german = vg_session_new (operation), english = vg_session_new (operation),
                        old = vg_session_new (operation), again = vg_session_new (operation);
  g_autofree char *text = NULL, *old_text = NULL;
  g_autoptr (GString) in_german = NULL;
  g_autoptr (GError) error = NULL;
  Catalogues made = use_catalogue ("de", source);

  g_assert_true (vg_session_set_text (german, artery, "rect:1,2,3,4", &error));
  vg_session_adopt (german, NULL, TRUE); /* the regions of the sample data */
  vg_session_add_region (german, &vg_session_get_region (german, 0)->region);
  vg_session_rename_region (german, vg_session_get_n_regions (german) - 1, "Mein Ort");
  text = vg_session_to_text (german);
  g_assert_nonnull (strstr (text, "name=Artery\n"));
  g_assert_nonnull (strstr (text, "name=Lesion\n"));
  g_assert_nonnull (strstr (text, "name=Mein Ort\n"));
  g_assert_null (strstr (text, "Arterie"));
  g_assert_true (vg_session_from_text (again, text, strlen (text), &error));
  for (guint i = 0; i < vg_session_get_n_regions (german); i++)
    assert_name (again, i, vg_session_get_region (german, i)->name);

  /* as saved before names were stored in English */
  in_german = g_string_new (text);
  g_string_replace (in_german, "name=Artery\n", "name=Arterie\n", 0);
  g_assert_true (vg_session_from_text (old, in_german->str, in_german->len, &error));
  old_text = vg_session_to_text (old);
  g_assert_cmpstr (old_text, ==, text);

  g_setenv ("LANGUAGE", "en", TRUE);
  vg_translation_init ();
  g_assert_true (vg_session_from_text (english, text, strlen (text), &error));
  g_assert_cmpuint (vg_session_get_n_regions (english), ==, vg_session_get_n_regions (german));
  assert_name (english, 0, "Artery");
  assert_name (english, vg_session_get_n_regions (english) - 2, "Lesion");
  assert_name (english, vg_session_get_n_regions (english) - 1, "Mein Ort");
  vg_session_use_region (english, artery, vg_session_get_n_regions (english) - 1);
  assert_name (english, 0, "Region 1");
  clear_catalogue (&made);
}

/* Appends the source code of the C and C++ files below FOLDER to ALL. */
static void
read_sources (const char *folder, GString *all)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        read_sources (path, all);
      else if ((g_str_has_suffix (name, ".c") || g_str_has_suffix (name, ".cc") ||
                g_str_has_suffix (name, ".h")) &&
               g_file_get_contents (path, &text, NULL, NULL))
        g_string_append (all, text);
    }
}

/* Each pattern still occurs below FOLDER or ANOTHER, so a text that changes there must
 * change here too. */
static void
check_patterns (const char *folder, const char *another, const char *const *patterns)
{
  enum { LONG = 12 }; /* shorter parts would be found anywhere */
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", folder, NULL),
                  *second = g_test_build_filename (G_TEST_DIST, "..", another, NULL),
                  *joined = NULL, *one = NULL, *many = NULL;
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GRegex) breaks = g_regex_new ("(?<!\\\\)\"\\s*(\\\\\n\\s*)?\"", 0, 0, NULL),
                     plurals = g_regex_new ("(?<=\\w)%s", 0, 0, NULL);

  read_sources (path, all);
  read_sources (second, all);
  joined = g_regex_replace_literal (breaks, all->str, (gssize) all->len, 0, "", 0, NULL);
  one = g_regex_replace_literal (plurals, joined, -1, 0, "", 0, NULL);
  many = g_regex_replace_literal (plurals, joined, -1, 0, "s", 0, NULL);
  for (const char *const *pattern = patterns; *pattern != NULL; pattern++)
    {
      g_auto (GStrv) parts = g_strsplit (*pattern, "%s", -1);

      for (guint i = 0; parts[i] != NULL; i++)
        {
          const gsize length = strlen (g_strstrip (parts[i]));
          g_autofree char *part = g_strescape (parts[i], NULL);

          if (length >= LONG && strstr (joined, part) == NULL && strstr (one, part) == NULL &&
              strstr (many, part) == NULL)
            g_error ("Nothing in %s says \"%s\".", folder, part);
        }
    }
}

static void
test_patterns (void)
{
  check_patterns ("kernels", "app", vg_composed_text_patterns ());
  check_patterns ("io", "app/send", vg_error_patterns);
  check_patterns ("app/record", "app/pipeline", vg_recording_patterns);
  check_patterns ("io", "app/compute", vg_note_patterns);
}

/* PIECES of a pattern with 7 between them, as files, numbers and reasons would stand there; valid
 * until the program ends. */
static const char *
fill (char **pieces)
{
  g_autofree char *text = g_strjoinv ("7", pieces);
  g_autoptr (GString) filled = g_string_new (text);

  g_string_replace (filled, "%%", "%", 0);
  return g_intern_string (filled->str);
}

/* What the window says about a recording, with all that may be said. */
static void
test_recording (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "po", "de.po", NULL);
  Catalogues made = use_catalogue ("de", source);
  VgRecording recording = { .kept = 120,
                            .seconds = 4,
                            .before_s = 2,
                            .bytes = 5000000,
                            .free_bytes = (guint64) 5000000000,
                            .path = (char *) "/a/run.tif" };

  for (int i = 0; i < 12; i++)
    {
      g_autofree char *line = NULL, *text = NULL;
      const char *line_de, *text_de;

      recording.missed = (guint64[]){ 0, 1, 7 }[i % 3];
      recording.dropped = (i / 3) % 2 ? 4 : 0;
      recording.outages = (guint) (i % 4) % 3;
      recording.outage_s = 2.1;
      recording.seconds = i < 6 ? 4 : 0; /* no time is left to be known */
      line = vg_recording_to_line (&recording);
      text = vg_recording_to_text (&recording);
      line_de = vg_translate (line);
      text_de = vg_translate (text);
      g_test_message ("%s\n%s", line_de, text_de);
      g_assert_true (g_str_has_prefix (line_de, "Aufnahme run.tif \302\267 120 Bilder \302\267 "));
      g_assert_nonnull (strstr (line_de, ", davon 2.0 s aus dem Speicher \302\267 "));
      g_assert_nonnull (strstr (line_de, " frei"));
      g_assert_nonnull (strstr (text_de, ", davon 2.0 s aus dem Speicher"));
      g_assert_cmpint (strstr (text_de, "2.1 s unterbrochen") != NULL ||
                           strstr (text_de, "unterbrochen, zusammen f\303\274r 2.1 s") != NULL,
                       ==, recording.outages > 0);
      for (guint k = 0; k < 2; k++)
        {
          static const char *const english[] = { "frame",   "lost",   "written",
                                                 "missing", "enough", "memory" };

          for (guint e = 0; e < G_N_ELEMENTS (english); e++)
            g_assert_null (strstr (k == 0 ? line_de : text_de, english[e]));
        }
    }
  clear_catalogue (&made);
}

/* Each pattern has its German, with as many inserted words. */
static void
check_german (const char *const *patterns)
{
  for (const char *const *pattern = patterns; *pattern != NULL; pattern++)
    {
      g_auto (GStrv) before = g_strsplit (*pattern, "%s", -1),
                     after = g_strsplit (gettext (*pattern), "%s", -1);

      g_assert_cmpstr (gettext (*pattern), !=, *pattern);
      g_assert_cmpuint (g_strv_length (before), ==, g_strv_length (after));
      g_assert_cmpstr (vg_translate (fill (before)), ==, fill (after));
    }
}

/* Every message about files and recordings is translated. */
static void
test_errors (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "po", "de.po", NULL);
  Catalogues made = use_catalogue ("de", source);

  check_german (vg_error_patterns);
  check_german (vg_recording_patterns);
  /* the name of a file stays as it is, even if it is a word of the window */
  g_assert_nonnull (strstr (vg_translate ("cannot read \"Flow\": it has no samples"), "Flow"));
  g_assert_nonnull (
      strstr (vg_translate ("\"a.tif\" has 3 channels, but Channel is 7; choose 1 to 3"),
              " 3 Kan\303\244le, Kanal "));
  /* a reason within a message */
  g_assert_nonnull (strstr (vg_translate ("cannot read \"a.dcm\": it contains no image; copy or "
                                          "export it again"),
                            " kein Bild; "));
  clear_catalogue (&made);
}

/* Notes about a file are several lines; the more specific pattern is taken. */
static void
test_notes (void)
{
  g_autofree char *source = g_test_build_filename (G_TEST_DIST, "..", "po", "de.po", NULL);
  Catalogues made = use_catalogue ("de", source);

  check_german (vg_note_patterns);
  g_assert_cmpstr (
      vg_translate ("Channel 1: detector 2, 722402 photons, 34 of them ignored (after the laser "
                    "period)\nPhotons were lost 3 times.\n"
                    "Volumes are sorted by the trigger time."),
      ==,
      "Kanal 1: Detektor 2, 722402 Photonen, davon 34 ignoriert (nach der Laserperiode)\n"
      "3 Mal gingen Photonen verloren.\n"
      "Die Volumen sind geordnet nach: Triggerzeit.");
  clear_catalogue (&made);
}

int
main (int argc, char **argv)
{
  g_autofree char *msgfmt = g_find_program_in_path ("msgfmt");

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  if (setlocale (LC_ALL, "") == NULL || msgfmt == NULL)
    {
      g_print ("1..0 # SKIP without the locale C.UTF-8 and msgfmt\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/translation/catalogue", test_catalogue);
  g_test_add_func ("/translation/german", test_german);
  g_test_add_func ("/translation/composed", test_composed);
  g_test_add_func ("/translation/region-names", test_region_names);
  g_test_add_func ("/translation/patterns", test_patterns);
  g_test_add_func ("/translation/errors", test_errors);
  g_test_add_func ("/translation/recording", test_recording);
  g_test_add_func ("/translation/notes", test_notes);
  return g_test_run ();
}
