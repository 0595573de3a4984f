/* SPDX-License-Identifier: MIT */
/* A catalogue changes texts of the window and of the tables. */
#include <glib/gstdio.h>
#include <locale.h>
#include "kernels/core/vg-operation.h"
#include "ui/common/vg-translation.h"

static const char catalogue[] = "msgid \"\"\n"
                                "msgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
                                "msgid \"Reset %s\"\n"
                                "msgstr \"%s zurücksetzen\"\n"
                                "msgid \"Flow\"\n"
                                "msgstr \"Durchfluss\"\n";

static void
test_catalogue (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("vivograph-XXXXXX", &error);
  g_autofree char *language = g_build_filename (folder, "en@test", NULL);
  g_autofree char *messages = g_build_filename (language, "LC_MESSAGES", NULL);
  g_autofree char *source = g_build_filename (folder, "test.po", NULL);
  g_autofree char *compiled = g_build_filename (messages, "vivograph.mo", NULL);
  const char *const command[] = { "msgfmt", "-o", compiled, source, NULL };
  int status = 0;

  g_assert_no_error (error);
  g_assert_cmpint (g_mkdir_with_parents (messages, 0700), ==, 0);
  g_file_set_contents (source, catalogue, -1, &error);
  g_assert_no_error (error);
  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);

  g_setenv ("VIVOGRAPH_LOCALE_DIR", folder, TRUE);
  vg_translation_init ();
  g_assert_cmpstr (_ ("Reset %s"), ==, "%s zurücksetzen");
  g_assert_cmpstr (vg_translate (vg_operation_find ("flow")->title), ==, "Durchfluss");
  /* What no catalogue holds stays as it is, and so does what is no text. */
  g_assert_cmpstr (vg_translate ("Radius"), ==, "Radius");
  g_assert_cmpstr (vg_translate (""), ==, "");
  g_assert_null (vg_translate (NULL));

  g_unlink (compiled);
  g_unlink (source);
  g_rmdir (messages);
  g_rmdir (language);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *msgfmt = g_find_program_in_path ("msgfmt");

  g_setenv ("LC_ALL", "C.UTF-8", TRUE);
  g_setenv ("LANGUAGE", "en@test", TRUE);
  if (setlocale (LC_ALL, "") == NULL || msgfmt == NULL)
    {
      g_print ("1..0 # SKIP without the locale C.UTF-8 and msgfmt\n");
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/translation/catalogue", test_catalogue);
  return g_test_run ();
}
